//! What agents did before somebody looked at them.

use super::{History, Moment, Noting, Store};
use crate::follow::Timeline;
use treemind_core::tape::Played;

/// What came of work that nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chore {
    /// There was nothing to do.
    Idle,
    /// There is more to do before anything can be seen.
    Busy,
    /// There is more to see, and perhaps more to do.
    Seen,
}

/// A stretch of ticks that is played again, to know what an agent did in it.
pub(super) struct Past {
    of: usize,
    stretch: (u64, u64),
    now: Moment,
    timeline: Timeline,
    played: Played,
}

impl<S: Store> History<S> {
    /// As long as `goes_on` says so, plays again what happened before somebody looked at the agents that are looked at, so
    /// that their lanes are whole: the last gap first, and a segment of the tape at a time.
    pub fn catch_up(&mut self, mut goes_on: impl FnMut() -> bool) -> Chore {
        if self.past.is_none() {
            self.past = self.next_past();
        }
        let Some(mut past) = self.past.take() else {
            return Chore::Idle;
        };
        while past.now.tick() < past.stretch.1 {
            if !goes_on() {
                self.past = Some(past);
                return Chore::Busy;
            }
            let noting = Noting {
                roster: &mut self.roster,
                wanted: &self.wanted,
                name: self.name.as_deref(),
                is_of_test: self.is_of_test,
                timeline: Some(&mut past.timeline),
                played: &mut past.played,
            };
            let is_there = past.now.enter(&self.store);
            if !matches!(is_there, Ok(true)) || past.now.play(Some(noting)).is_err() {
                // It has been forgotten in the meantime.
                break;
            }
        }
        let timeline = self.timelines.entry(past.now.head.revision()).or_default();
        timeline.fill(past.of, past.stretch, past.timeline);
        Chore::Seen
    }

    /// The last stretch of which nothing is known of an agent that somebody looks at, as far as one segment has it.
    fn next_past(&self) -> Option<Past> {
        let (first, _) = self.store.ticks()?;
        let timeline = self.timelines.get(&self.revision())?;
        let mut wanted = self.wanted.iter().rev();
        let (of, (from, to)) = wanted.find_map(|of| Some((*of, timeline.gap(*of, first)?)))?;
        let begin = self.store.begin(to - 1).ok()??;
        // What was before belongs to other documents.
        let is_same = begin.revision == self.revision();
        let from = from.max(begin.at + 1);
        is_same.then_some(())?;
        Some(Past {
            of,
            stretch: (from, to),
            now: Moment::begin(&begin).ok()?,
            timeline: Timeline::beginning_with(from),
            played: Played::default(),
        })
    }
}
