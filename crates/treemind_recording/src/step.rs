//! A step of a society, recorded.

use std::fmt;
use treemind_core::host::Host;
use treemind_core::society::Step;
use treemind_core::tape::Tape;
#[cfg(feature = "rayon")]
use treemind_core::tape::have_one_order;
use treemind_core::{Budget, PopulationId, Tally};

/// A step of a society that is recorded.
pub struct RecordedStep<'s> {
    pub(crate) step: Step<'s>,
    /// `None` if the step is not recorded.
    pub(crate) tape: Option<&'s mut Tape>,
}

impl RecordedStep<'_> {
    /// See [`Step::tick`].
    ///
    /// # Panics
    /// As [`Step::tick`].
    pub fn tick(&mut self, id: PopulationId, host: &mut dyn Host) -> Tally {
        match &mut self.tape {
            Some(tape) => self.step.tick(id, &mut tape.host(Some(id), host)),
            None => self.step.tick(id, host),
        }
    }

    /// See [`Step::tick_in_parallel`].
    ///
    /// # Panics
    /// As [`Step::tick_in_parallel`].
    #[cfg(feature = "rayon")]
    pub fn tick_in_parallel<H: Host + Send>(&mut self, id: PopulationId, hosts: &mut [H]) -> Tally {
        if !have_one_order(hosts) {
            // The recording ends with this step.
            self.tape = None;
        }
        match &mut self.tape {
            Some(tape) => {
                let mut hosts = tape.hosts(Some(id), hosts);
                self.step.tick_in_parallel(id, &mut hosts)
            }
            None => self.step.tick_in_parallel(id, hosts),
        }
    }

    /// See [`Step::tick_some`].
    ///
    /// # Panics
    /// As [`Step::tick`].
    pub fn tick_some(
        &mut self,
        id: PopulationId,
        host: &mut dyn Host,
        budget: Budget<'_>,
    ) -> Tally {
        let Some(tape) = &mut self.tape else {
            return self.step.tick_some(id, host, budget);
        };
        let mut host = tape.host(Some(id), host);
        host.within(budget, |host, budget| self.step.tick_some(id, host, budget))
    }
}

impl fmt::Debug for RecordedStep<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("RecordedStep").field(&self.step).finish()
    }
}
