//! Observers, which tick on behalf of minds and casts.

use std::time::Duration;
use treemind_core::host::Host;
use treemind_core::{Delivery, Population, PopulationId, Society, Tally};

/// Ticks the populations of one step, each at most once, with its host.
pub type TickFn<'t> = dyn FnMut(PopulationId, &mut dyn Host) -> Tally + 't;

/// Ticks on behalf of [`Minds`](crate::Minds) and of a [`Cast`](crate::Cast): to record what they do, to show it, or to
/// change keys before the tick. It has to tick them, and may do anything else around it.
///
/// The crate `treemind_attach` has one that shows them in the studio.
pub trait Observer: Send + Sync {
    /// Ticks a population as [`Population::tick`] does.
    fn tick(&mut self, population: &mut Population, host: &mut dyn Host, dt: Duration) -> Tally;

    /// Makes a step of a society, and says what became of its messages. `ticks` ticks its populations by the function
    /// that it is given.
    fn step(
        &mut self,
        society: &mut Society,
        dt: Duration,
        ticks: &mut dyn FnMut(&mut TickFn<'_>),
    ) -> Delivery;

    /// Called when they continue with changed documents, whose files have these names and texts.
    fn reloaded(&mut self, texts: Vec<(String, String)>) {
        let _ = texts;
    }
}
