//! A place on a tape from which ticks are played.

use super::error::ReplayError;
use super::store::{Begin, Next, Place, Store};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::tape::{Playback, Played, Stage};

/// A place on a tape, with the agents as they are there. It plays forward from there; a clone plays on independently.
///
/// It follows nobody, so it plays all ticks of a long tape faster than a [`History`](super::History) does.
#[derive(Clone, Debug)]
pub struct Playhead {
    place: Place,
    tick: u64,
    revision: u64,
    now_ns: u64,
    playback: Playback,
    /// Ticks that were read, and how many of the bytes are over.
    read: Arc<[u8]>,
    over_bytes: usize,
}

impl Playhead {
    /// Plays up to a tick. The next [`step`](Self::step) plays the tick after it.
    ///
    /// # Errors
    /// When the store does not have the tick, or it cannot be played.
    pub fn at(store: &impl Store, tick: u64) -> Result<Self, ReplayError> {
        let begin = store.begin(tick)?.filter(|begin| begin.at <= tick);
        let mut head = Self::open(&begin.ok_or(ReplayError::NoTick(tick))?)?;
        while head.tick < tick {
            if !head.step(store, None)? {
                return Err(ReplayError::NoTick(head.tick + 1));
            }
        }
        Ok(head)
    }

    /// The begin of a segment.
    pub(super) fn open(begin: &Begin) -> Result<Self, ReplayError> {
        let playback = begin.open()?;
        Ok(Self {
            place: begin.place,
            tick: begin.at,
            revision: begin.revision,
            now_ns: begin.now_ns.unwrap_or(playback.stage().now_ns()),
            playback,
            read: Arc::default(),
            over_bytes: 0,
        })
    }

    /// The number of the last tick that was played.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Which documents the agents run: it grows with each reload.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The time of the game after that tick.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.now_ns)
    }

    /// The length of that tick; zero before the first.
    pub fn dt(&self) -> Duration {
        self.playback.dt()
    }

    /// The agents after that tick.
    pub fn stage(&self) -> &Stage {
        self.playback.stage()
    }

    /// Plays the next tick, and records what happened in it; returns whether there is one.
    ///
    /// # Errors
    /// When the tick was lost or cannot be played, or when the agents are not in the state that the store has of them.
    pub fn step(
        &mut self,
        store: &impl Store,
        played: Option<&mut Played>,
    ) -> Result<bool, ReplayError> {
        self.enter(store)?;
        let is_there = self.has_next();
        if is_there {
            self.play(played)?;
        }
        Ok(is_there)
    }

    /// Continues with the segments that begin here, as [`step`](Self::step) does. Returns whether the agents run other
    /// programs from here on.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn enter(&mut self, store: &impl Store) -> Result<bool, ReplayError> {
        let mut is_other = false;
        while !self.has_next() {
            match store.next(self.place)? {
                Next::Ticks(ticks) => (self.read, self.over_bytes) = (ticks, 0),
                Next::Segment => is_other |= self.turn(store)?,
                Next::Nothing => break,
                Next::Gone => return Err(ReplayError::NoTick(self.tick + 1)),
            }
        }
        Ok(is_other)
    }

    /// Continues with the next segment.
    fn turn(&mut self, store: &impl Store) -> Result<bool, ReplayError> {
        let begin = store.segment(self.place.segment + 1)?;
        let begin = begin.ok_or(ReplayError::NoTick(self.tick + 1))?;
        let is_other = begin.at != self.tick || !begin.is_of(self.stage());
        let is_there = !is_other && {
            let is_there = self.playback.is_at(&begin.state);
            is_there.map_err(|error| ReplayError::Tape(begin.at, error))?
        };
        match is_there {
            true => (self.place, self.revision) = (begin.place, begin.revision),
            false => *self = Self::open(&begin)?,
        }
        match is_there || is_other {
            true => Ok(is_other),
            false => Err(ReplayError::Diverged(self.tick)),
        }
    }

    /// Whether the next tick has been read.
    pub(super) fn has_next(&self) -> bool {
        self.over_bytes < self.read.len()
    }

    /// Plays the tick that was read.
    pub(super) fn play(&mut self, played: Option<&mut Played>) -> Result<(), ReplayError> {
        let mut rest = &self.read[self.over_bytes..];
        let step = self.playback.step(&mut rest, played);
        step.map_err(|error| ReplayError::Tape(self.tick + 1, error))?;
        self.over_bytes = self.read.len() - rest.len();
        self.place.over += 1;
        self.tick += 1;
        let dt_ns = u64::try_from(self.dt().as_nanos()).unwrap_or(u64::MAX);
        self.now_ns = self.now_ns.saturating_add(dt_ns);
        Ok(())
    }
}
