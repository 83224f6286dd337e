//! Tests of recordings.

mod damage;
mod games;
mod growing;
mod observed;
mod pieces;
mod societies;
mod threads;

use std::io::Write;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use treemind::core::tape::Played;
use treemind::core::trace::Trace;
use treemind_recording::{Recording, ReplayError, Tape};
use treemind_replay::history::Playhead;

/// A file in memory, which can be read while it is written.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<u8>>>);

impl Write for Shelf {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Shelf {
    fn bytes(&self) -> Vec<u8> {
        let file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }
}

/// A recording that is played tick by tick, and what happened in the last one.
struct Shown {
    tape: Tape,
    head: Playhead,
    played: Played,
}

impl Shown {
    /// From the state after a tick on, up to the next gap.
    fn at(recording: &Recording, tick: u64) -> Result<Self, ReplayError> {
        let mut stretches = recording.stretches().iter();
        let with = stretches.find(|ticks| (ticks.start() - 1..=*ticks.end()).contains(&tick));
        let tape = match with {
            Some(ticks) => Tape::of(recording, ticks.clone()),
            None => Tape::whole(recording),
        };
        Ok(Self {
            head: Playhead::at(&tape, tick)?,
            tape,
            played: Played::default(),
        })
    }

    fn step(&mut self) -> Result<bool, ReplayError> {
        self.head.step(&self.tape, Some(&mut self.played))
    }

    /// The trace of the first population.
    fn trace(&self) -> &Trace {
        let first = self.stage().populations()[0];
        self.played.trace(first).expect("a trace")
    }
}

impl Deref for Shown {
    type Target = Playhead;

    fn deref(&self) -> &Playhead {
        &self.head
    }
}
