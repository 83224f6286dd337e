//! Treemind as a contender: with closures over a world, and with columns of bits.

mod closures;
mod columns;
mod keys;
mod taken;

pub(crate) use closures::{Closures, ClosuresOnThreads};
pub(crate) use columns::{ColumnHost, ColumnsOnThreads};

pub(crate) use keys::numbers;
pub(crate) use taken::Taken;

use std::sync::Arc;
use std::time::Duration;
use treemind::population::{Behaviour, Population, Program};

/// The length of a tick of the game.
pub(crate) const DT: Duration = Duration::from_millis(100);

/// Code that does the same as other code, only faster, in some cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortcut {
    /// One agent is ticked by a token that jumps from instruction to instruction, and not by a sweep
    Token,
    /// Machines are ticked by tables
    Tables,
    /// Comparisons are tested straight from the columns
    ShortTests,
    /// Loops use the wide vectors of the processor
    Vectors,
    /// Agents to whom nothing happens are passed over
    Resting,
}

/// A population, perhaps without one of the shortcuts.
pub(crate) fn population(
    behaviour: Behaviour,
    agents: usize,
    without: Option<Shortcut>,
) -> Population {
    let program = Program::new(behaviour);
    let program = match without {
        Some(Shortcut::Tables) => program.without_tables(),
        Some(Shortcut::ShortTests) => program.without_short_tests(),
        _ => program,
    };
    let population = Population::new(Arc::new(program), agents);
    match without {
        Some(Shortcut::Token | Shortcut::Resting) => population.sweeping_all(),
        _ => population,
    }
}
