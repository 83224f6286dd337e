//! Recordings in the studio, also while they are written.

use super::super::{notes, replay};
use super::game::Game;
use super::library::Entry;
use super::theatre::Opened;
use crate::io::Failure;
use std::sync::Arc;
use std::time::SystemTime;
use treemind_recording::{Recording, Tape};
use treemind_replay::history::{History, Store as _};
use treemind_studio::clock::Instant;
use treemind_studio::{LOOK_EVERY, Replay, Show};

/// Opens a recording: with its arena, or else the agents alone.
pub(super) fn open(entry: &Entry) -> Result<Box<dyn Show>, Failure> {
    let path = entry.path().expect("no example is a recording");
    let recording = Arc::new(replay::open(path, None)?);
    let ticks = replay::watched(path, &recording, 0);
    let (begin, end) = (ticks.start() - 1, *ticks.end());
    let tape = Tape::of(&recording, ticks);
    if let Some(player) = notes::player(&recording, begin)? {
        let game = Game::recorded(player, &recording, end);
        let film = Film::new(tape);
        return Ok(Box::new(Opened::recorded(entry.clone(), game, film)));
    }
    let history = History::at_begin(tape);
    let history = history.map_err(|error| replay::failed(path, &error.to_string()))?;
    let shown = Replay::new(&entry.name, history);
    let written = path.metadata().and_then(|file| file.modified());
    let age = written.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
    Ok(Box::new(match age {
        Ok(age) => shown.written(age),
        Err(_) => shown,
    }))
}

/// A recording that the arena plays, and what looks whether it has grown.
pub(super) struct Film {
    tape: Tape,
    looked: Instant,
}

impl Film {
    fn new(tape: Tape) -> Self {
        Self {
            tape,
            looked: Instant::now(),
        }
    }

    pub(super) fn recording(&self) -> &Recording {
        self.tape.recording()
    }

    /// The last tick, if it is a later one than before.
    pub(super) fn look_again(&mut self) -> Result<Option<u64>, Failure> {
        if self.looked.elapsed() < LOOK_EVERY || self.tape.is_finished() {
            return Ok(None);
        }
        self.looked = Instant::now();
        let grown = self.tape.look_again();
        if !grown.map_err(|error| Failure::failed(crate::io::reason(&error)))? {
            return Ok(None);
        }
        Ok(self.tape.ticks().map(|(_, last)| last))
    }
}
