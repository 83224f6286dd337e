//! The run as a log: a line per event, and a sentence at the end.

use super::player::Player;
use std::io::{self, Write};

/// How many ticks there are when nothing else is said and the fight is not over before.
const TICKS: u64 = 600;

pub(super) fn run(mut player: Player, ticks: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
    let last = ticks.unwrap_or(TICKS);
    while player.tick() < last {
        player.step();
        for line in player.fresh() {
            writeln!(
                out,
                "{:>6} {:>8.2} s  {}",
                line.tick,
                line.secs(),
                line.text
            )?;
        }
        let is_over = player.world().is_some_and(treemind_arena::Arena::is_over);
        if ticks.is_none() && is_over {
            break;
        }
    }
    writeln!(out, "{}", player.summary())
}
