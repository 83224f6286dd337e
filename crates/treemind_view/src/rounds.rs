//! The rounds of the game's loop that are over: what the game said in each, and how far each tape was.

use crate::record;
use ratatui::text::Text;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;
use treemind_doc::visible_line;
use treemind_replay::follow::Tone;
use treemind_replay::history::Times;

/// How many lines of the log are shown at most.
const MOST_LINES: u64 = 10_000;

/// An agent: the number of what is watched that it belongs to, and its own number there.
pub(crate) type Who = (usize, usize);

/// A line of the log.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) tone: Tone,
    /// The agent that it is about.
    pub(crate) who: Option<Who>,
    pub(crate) text: String,
}

fn note(text: String) -> Line {
    Line {
        tone: Tone::Notice,
        who: None,
        text,
    }
}

/// A round that is over. It is a tick of the view.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// The last tick of each tape that has begun.
    pub(crate) ticks: Vec<u64>,
    pub(crate) panel: Rc<Text<'static>>,
    pub(crate) lines: Vec<Line>,
    notes: Vec<Line>,
    /// How many lines and faults there were up to its end.
    lines_so_far: u64,
    pub(crate) faults: u64,
    bytes: usize,
}

/// The rounds so far, the earliest of which may be forgotten. The first that is kept is only the state that the next one
/// begins with.
#[derive(Debug)]
pub(crate) struct Rounds {
    kept: VecDeque<Round>,
    /// The tick of the first that is kept, and of the first of all.
    first: u64,
    begin: u64,
    /// The last whose lines are known.
    heard: u64,
    times: Times,
    now: Duration,
    /// The time step of the last round in which time passed.
    pub(crate) dt: Duration,
    /// The size of all panels so far.
    pub(crate) panel_size: (u16, u16),
    pub(crate) bytes: usize,
}

impl Rounds {
    pub(crate) fn new(begin: u64) -> Self {
        Self {
            kept: VecDeque::from([Round::default()]),
            first: begin,
            begin,
            heard: begin,
            times: Times::since(begin, 0),
            now: Duration::ZERO,
            dt: Duration::from_millis(50),
            panel_size: (0, 0),
            bytes: 0,
        }
    }

    /// The first tick that can be shown, and the last.
    pub(crate) fn ticks(&self) -> (u64, u64) {
        (self.first, self.first + self.kept.len() as u64 - 1)
    }

    /// How many rounds there were so far.
    pub(crate) fn count(&self) -> u64 {
        self.ticks().1 - self.begin
    }

    /// The round that led to a tick, if it is over and not forgotten.
    pub(crate) fn get(&self, tick: u64) -> Option<&Round> {
        let nth = usize::try_from(tick.checked_sub(self.first)?);
        self.kept.get(nth.ok()?)
    }

    /// The last tick up to `tick` at which a tape was no further than at one of its ticks.
    pub(crate) fn tick_of(&self, tape: usize, at: u64, tick: u64) -> u64 {
        let is_until = |round: &Round| round.ticks.get(tape).is_none_or(|last| *last <= at);
        let until = self.kept.partition_point(is_until).max(1) as u64;
        tick.min(self.first + until - 1)
    }

    /// The time at a tick, in seconds.
    pub(crate) fn secs_at(&self, tick: u64) -> f64 {
        self.times.secs_at(tick)
    }

    /// Records a round, after which the tapes are at these ticks.
    pub(crate) fn push(&mut self, round: record::Round, ticks: Vec<u64>) {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.now += round.dt;
        if round.dt > Duration::ZERO {
            self.dt = round.dt;
        }
        let tick = self.ticks().1 + 1;
        self.times.played(tick, nanos(self.now), nanos(round.dt));
        let last = &self.kept[self.kept.len() - 1];
        let mut panel = Rc::clone(&last.panel);
        let mut bytes = size_of::<Round>() + size_of_val(&ticks[..]);
        if let Some(fresh) = round.panel.filter(|fresh| *fresh != *panel) {
            let side = |side: usize| u16::try_from(side).unwrap_or(u16::MAX);
            let (wide, high) = self.panel_size;
            self.panel_size = (
                wide.max(side(fresh.width())),
                high.max(side(fresh.height())),
            );
            let spans = fresh.lines.iter().flat_map(|line| &line.spans);
            let sizes = spans.map(|span| size_of_val(span) + span.content.len());
            bytes += sizes.sum::<usize>();
            panel = Rc::new(fresh);
        }
        self.bytes += bytes;
        self.kept.push_back(Round {
            ticks,
            panel,
            notes: round.notes.into_iter().map(note).collect(),
            bytes,
            ..Round::default()
        });
    }

    /// Whether the lines of a round are not known yet.
    pub(crate) fn is_new(&self, tick: u64) -> bool {
        tick > self.heard
    }

    /// Takes in what happened in a round, and how many faults that was.
    pub(crate) fn hear(&mut self, tick: u64, lines: Vec<Line>, faults: u64) {
        self.heard = tick;
        let nth = (tick - self.first) as usize;
        let before = &self.kept[nth - 1];
        let (lines_before, faults_before) = (before.lines_so_far, before.faults);
        let round = &mut self.kept[nth];
        let notes = std::mem::take(&mut round.notes);
        for mut line in lines.into_iter().chain(notes) {
            line.text = visible_line(&line.text).into_owned();
            let bytes = size_of_val(&line) + line.text.len();
            (round.bytes, self.bytes) = (round.bytes + bytes, self.bytes + bytes);
            round.lines.push(line);
        }
        round.lines_so_far = lines_before + round.lines.len() as u64;
        round.faults = faults_before + faults;
    }

    /// A round brought another fault.
    pub(crate) fn tell_fault(&mut self, tick: u64, text: String) {
        let nth = (tick - self.first) as usize;
        self.kept[nth].lines.push(Line {
            tone: Tone::Fault,
            ..note(text)
        });
        let later = self.kept.iter_mut().skip(nth);
        later.for_each(|round| round.lines_so_far += 1);
    }

    /// The lines up to a tick, the oldest first, with their ticks.
    pub(crate) fn lines(&self, tick: u64) -> impl Iterator<Item = (u64, &Line)> {
        let last = self.get(tick).map_or(0, |round| round.lines_so_far);
        let is_over = |round: &Round| round.lines_so_far + MOST_LINES <= last;
        let skipped = self.kept.partition_point(is_over);
        let rounds = (self.first..=tick).zip(&self.kept).skip(skipped);
        rounds.flat_map(|(tick, round)| round.lines.iter().map(move |line| (tick, line)))
    }

    /// Forgets the earliest round, unless it is the only one.
    pub(crate) fn forget_first(&mut self) -> bool {
        let is_there = self.kept.len() > 1;
        if is_there && let Some(first) = self.kept.pop_front() {
            self.bytes -= first.bytes;
            self.first += 1;
        }
        is_there
    }
}
