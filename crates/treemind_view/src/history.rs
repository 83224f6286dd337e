//! What the game has done so far, round by round.

use crate::record::{Part, Round};
use ratatui::text::Text;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// A round of the game's loop that is over. It is a tick of the view.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) parts: Vec<(usize, Part)>,
    pub(crate) notes: Vec<String>,
    pub(crate) panel: Rc<Text<'static>>,
    bytes: usize,
}

/// The rounds so far, the earliest of which may be forgotten.
#[derive(Debug)]
pub(crate) struct History {
    moments: VecDeque<Rc<Moment>>,
    /// The tick before the first round of all.
    begin: u64,
    /// How many rounds are forgotten.
    gone: u64,
    /// The times of all ticks since the begin, in seconds.
    secs: Vec<f64>,
    panel: Rc<Text<'static>>,
    /// The size of all panels so far.
    pub(crate) panel_size: (u16, u16),
    /// The names of what is watched.
    pub(crate) names: Vec<String>,
    /// The time step of the last round in which time passed.
    pub(crate) dt: Duration,
    bytes: usize,
}

impl History {
    pub(crate) fn new(begin: u64) -> Self {
        Self {
            moments: VecDeque::new(),
            begin,
            gone: 0,
            secs: Vec::new(),
            panel: Rc::default(),
            panel_size: (0, 0),
            names: Vec::new(),
            dt: Duration::from_millis(50),
            bytes: 0,
        }
    }

    /// The round that led to a tick, if it is over and not forgotten.
    pub(crate) fn moment(&self, tick: u64) -> Option<Rc<Moment>> {
        let nth = tick.checked_sub(self.begin + 1 + self.gone)?;
        self.moments.get(usize::try_from(nth).ok()?).cloned()
    }

    /// The time at a tick, in seconds.
    pub(crate) fn secs_at(&self, tick: u64) -> f64 {
        let nth = tick.saturating_sub(self.begin).checked_sub(1);
        let nth = nth.map(|nth| usize::try_from(nth).unwrap_or(usize::MAX));
        let of = |nth: usize| self.secs.get(nth).or(self.secs.last());
        nth.and_then(of).copied().unwrap_or(0.0)
    }

    /// Records a round.
    pub(crate) fn push(&mut self, round: Round) {
        let last = self.secs.last().copied().unwrap_or(0.0);
        self.secs.push(last + round.dt.as_secs_f64());
        if round.dt > Duration::ZERO {
            self.dt = round.dt;
        }
        let mut panel_bytes = 0;
        if let Some(panel) = round.panel.filter(|panel| *panel != *self.panel) {
            let side = |side: usize| u16::try_from(side).unwrap_or(u16::MAX);
            let (wide, high) = self.panel_size;
            self.panel_size = (
                wide.max(side(panel.width())),
                high.max(side(panel.height())),
            );
            let spans = panel.lines.iter().flat_map(|line| &line.spans);
            panel_bytes = spans
                .map(|span| size_of_val(span) + span.content.len())
                .sum();
            self.panel = Rc::new(panel);
        }
        let parts = round.parts.iter().map(|(_, part)| match part {
            Part::State(bytes, _) | Part::Tick(bytes) => bytes.len(),
        });
        let notes = round.notes.iter().map(String::len);
        let bytes = size_of::<Moment>() + parts.sum::<usize>() + notes.sum::<usize>() + panel_bytes;
        self.bytes += bytes;
        self.moments.push_back(Rc::new(Moment {
            parts: round.parts,
            notes: round.notes,
            panel: Rc::clone(&self.panel),
            bytes,
        }));
    }

    /// How many rounds there were so far.
    pub(crate) fn rounds(&self) -> u64 {
        self.secs.len() as u64
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets the rounds up to a tick.
    pub(crate) fn forget(&mut self, tick: u64) {
        while self.begin + self.gone < tick {
            let Some(moment) = self.moments.pop_front() else {
                return;
            };
            self.bytes -= moment.bytes;
            self.gone += 1;
        }
    }
}
