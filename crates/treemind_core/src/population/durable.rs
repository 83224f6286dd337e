//! What lasts of a population from one tick to the next, beside the chunks.

use super::Limits;
use super::room::{Parts, parts, size_for};
use super::settling::mail::Mail;
use super::settling::requests::{Archetype, Newborn};
use crate::blackboard::{Shared, Size};
use crate::host::outbox::Outbox;
use crate::lives::Lives;
use crate::program::Program;
use std::sync::Arc;

/// What lasts of a population from one tick to the next, beside the chunks.
///
/// Whatever keeps a population takes this apart without `..`: saving and reading (`keeping/saving.rs`), showing
/// (`keeping/readable.rs`), going back (below), another program (`keeping/migration`) and moving (`keeping/moving.rs`).
/// So a new field does not compile until each of them says what becomes of it. What does not last is in
/// [`Working`](super::working::Working).
#[derive(Clone, Debug)]
pub(super) struct Durable {
    pub(super) program: Arc<Program>,
    /// How many places are in use, including those of dead agents.
    pub(super) len: usize,
    pub(super) size: Size,
    pub(super) parts: Parts,
    /// Whether anything was ever skipped.
    pub(super) skipped_ever: bool,
    pub(super) now_ns: u64,
    /// The time step of the last tick.
    pub(super) dt_ns: u64,
    pub(super) tick: u64,
    pub(super) seed: u64,
    /// The stable ids; filled only once a place has been used again.
    pub(super) ids: Vec<u64>,
    pub(super) next_id: u64,
    pub(super) lives: Lives,
    /// The index of the agent whose turn is next where not all are ticked.
    pub(super) next_in_turn: usize,
    /// From this id on, agents were added since the last tick.
    pub(super) first_new_id: u64,
    pub(super) archetypes: Vec<Archetype>,
    pub(super) newborns: Vec<Newborn>,
    /// The places of shared semaphores that were taken at the start of the tick, as expressions see them: for one
    /// group after the other, those of all semaphores.
    pub(super) taken_places: Vec<u32>,
    /// The data that agents share, and the group of each agent; `None` if nothing is shared.
    pub(super) shared: Option<Box<Shared>>,
    /// Only its faults last; everything else in it is empty between ticks, or has been delivered.
    pub(super) outbox: Outbox,
    pub(super) limits: Limits,
    /// The events that have come since the agents' last ticks, for nodes that look for them.
    pub(super) mail: Mail,
}

/// Memory of a [`Durable`] that is to be used again.
#[derive(Default)]
pub(super) struct Spare {
    ids: Vec<u64>,
    taken_places: Vec<u32>,
    shared: Option<Box<Shared>>,
}

impl Durable {
    /// At the beginning, with room for that many agents.
    pub(super) fn new(program: Arc<Program>, agents: usize) -> Self {
        let size = size_for(agents);
        let parts = parts(&program, size, program.behaviour.interval() > 1);
        let shared = match program.board.shared.is_empty() {
            true => None,
            false => Some(Box::new(Shared::new(
                &program.board,
                program.behaviour.keys(),
            ))),
        };
        Self {
            program,
            len: 0,
            size,
            parts,
            skipped_ever: false,
            now_ns: 0,
            dt_ns: 0,
            tick: 0,
            seed: 0,
            ids: Vec::new(),
            next_id: 0,
            lives: Lives::default(),
            next_in_turn: 0,
            first_new_id: 0,
            archetypes: Vec::new(),
            newborns: Vec::new(),
            taken_places: Vec::new(),
            shared,
            outbox: Outbox::default(),
            limits: Limits::default(),
            mail: Mail::default(),
        }
    }

    /// A copy to go back to, in memory that is not needed any more.
    pub(super) fn kept(&self, spare: Spare) -> Self {
        let Spare {
            mut ids,
            mut taken_places,
            mut shared,
        } = spare;
        ids.clone_from(&self.ids);
        taken_places.clone_from(&self.taken_places);
        shared.clone_from(&self.shared);
        Self {
            program: Arc::clone(&self.program),
            ids,
            lives: match self.is_joined() {
                // The society counts again who lives when it goes back. A second owner of its census would have it
                // copied in each step.
                true => self.lives.without_census(),
                false => self.lives.clone(),
            },
            archetypes: self.archetypes.clone(),
            newborns: self.newborns.clone(),
            taken_places,
            shared,
            outbox: Outbox {
                faults: self.outbox.faults.clone(),
                ..Outbox::default()
            },
            mail: self.mail.clone(),
            // Only plain numbers can be left to this line: anything else that is not named above does not compile.
            ..*self
        }
    }

    /// Whether the population is in a society.
    #[inline]
    pub(super) fn is_joined(&self) -> bool {
        let shared = self.shared.as_ref();
        shared.is_some_and(|shared| shared.is_joined())
    }

    /// Its memory; the rest is not needed any more.
    pub(super) fn take_memory(&mut self) -> Spare {
        Spare {
            ids: std::mem::take(&mut self.ids),
            taken_places: std::mem::take(&mut self.taken_places),
            shared: self.shared.take(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let shared = self.shared.as_ref().map_or(0, |shared| shared.bytes());
        self.ids.capacity() * 8
            + self.lives.bytes()
            + self.taken_places.capacity() * 4
            + shared
            + self.mail.bytes()
            + size_of::<Self>()
    }
}
