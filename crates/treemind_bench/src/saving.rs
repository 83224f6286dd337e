//! The cost of saving a crowd, of restoring it, and of moving an agent from one population to another.

use crate::measure::repeated_on;
use crate::spawn;
use std::sync::Arc;
use treemind::population::Population;

/// How many agents each of the two populations has between which one moves.
const NEIGHBOURS: usize = 1_000;
/// How often one moves while it is measured, there and back by turns.
const MOVES: usize = 200;

/// Nanoseconds, and bytes.
pub(crate) struct Saved {
    pub(crate) bytes: usize,
    /// Per agent.
    pub(crate) save: f64,
    pub(crate) restore: f64,
    /// One agent alone.
    pub(crate) bytes_of_one: usize,
    pub(crate) one_move: f64,
}

/// Measures with a crowd of this many agents.
pub(crate) fn measure(agents: usize) -> Saved {
    let (crowd, _) = spawn::crowd(agents);
    let program = crowd.program();
    let saved = crowd.save();
    let save = repeated_on(|| (), |()| crowd.save());
    let restore = repeated_on(
        || (),
        |()| Population::restore(Arc::clone(program), &saved).expect("it was just saved"),
    );
    let two = || [spawn::crowd(NEIGHBOURS).0, spawn::crowd(NEIGHBOURS).0];
    let moves = repeated_on(two, |[here, there]| {
        for _ in 0..MOVES {
            let agent = here.len() / 2;
            let taken = here.take_out(&[agent]);
            there.put_in(&taken).expect("it was just taken out");
            std::mem::swap(here, there);
        }
    });
    let per_agent = |seconds: f64| seconds * 1e9 / agents as f64;
    Saved {
        bytes: saved.len(),
        save: per_agent(save),
        restore: per_agent(restore),
        bytes_of_one: crowd.save_agents(&[0]).len(),
        one_move: moves * 1e9 / MOVES as f64,
    }
}
