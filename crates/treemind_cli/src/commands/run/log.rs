//! The run as a log. Events go to standard output, one line each, from a given tick on; faults, and a sentence at
//! the end, go to standard error.

use super::player::{Line, Player, Tone};
use crate::io::{Line as Shown, tell};
use std::io::{Result, Write};
use treemind_arena::World;

/// The number of ticks by default, unless the scenario ends earlier.
const TICKS: u64 = 600;

pub(super) fn run(
    player: &mut Player,
    (first, ticks): (u64, Option<u64>),
    is_quiet: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let last = ticks.unwrap_or(TICKS.max(first));
    while player.tick() < last {
        player.step();
        for line in player.fresh() {
            let is_told = !is_quiet && line.tick >= first;
            if is_told || line.tone == Tone::Fault {
                print(line, out)?;
            }
        }
        let is_over = player.world().is_some_and(World::is_over);
        if ticks.is_none() && is_over && player.tick() >= first {
            break;
        }
    }
    out.flush()?;
    tell(player.summary());
    Ok(())
}

fn print(line: &Line, out: &mut dyn Write) -> Result<()> {
    let (tick, secs, text) = (line.tick, line.secs(), &line.text);
    if line.tone == Tone::Fault {
        tell(Shown::fault(&format!("tick {tick}: {text}")));
        return Ok(());
    }
    writeln!(out, "{tick:>6} {secs:>8.2} s  {text}")
}
