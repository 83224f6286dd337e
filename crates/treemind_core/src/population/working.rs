//! What a population needs while it works, and what can be made anew at any time.

use super::settling::routes::Routes;
use super::ticking::scratch::Scratch;
use super::{Delivery, Line};
use crate::blackboard::Size;
use crate::program::Program;
use crate::value::Value;

/// What a population needs while it works. Nothing of it lasts: it is neither saved nor gone back to.
#[derive(Clone, Debug)]
pub(super) struct Working {
    pub(super) scratch: Scratch,
    #[cfg(feature = "rayon")]
    pub(super) workers: Vec<super::ticking::parallel::Worker>,
    /// Single agents are ticked as crowds are. Whoever restores a population says so again.
    pub(super) sweeps_all: bool,
    pub(super) line: Line,
    /// Who receives letters, while they are delivered or sent.
    pub(super) routes: Routes,
    /// What became of what agents have emitted with `to`, for the host to read after a tick.
    pub(super) delivery: Delivery,
    /// The values of the event that the host is sending.
    pub(super) sent_values: Vec<Value>,
    /// Per machine and agent, and at last per agent for the mailboxes, a bit: whether an event was lost there in the
    /// current delivery of letters. Empty until one is lost.
    pub(super) lost_letters: Vec<u64>,
}

impl Working {
    pub(super) fn new(program: &Program, size: Size) -> Self {
        Self {
            scratch: Scratch::new(program, size.words, size.lanes),
            #[cfg(feature = "rayon")]
            workers: Vec::new(),
            sweeps_all: false,
            line: Line::default(),
            routes: Routes::default(),
            delivery: Delivery::default(),
            sent_values: Vec::new(),
            lost_letters: Vec::new(),
        }
    }

    /// Makes the memory for ticks anew, for another program or another size of chunks.
    pub(super) fn fit(&mut self, program: &Program, size: Size) {
        self.scratch = Scratch::new(program, size.words, size.lanes);
        #[cfg(feature = "rayon")]
        self.workers.clear();
    }
}
