//! The run as a log. Events go to standard output, one line each, from a given tick on; faults, and a sentence at
//! the end, go to standard error.

use super::camera::{Camera, Recorded};
use super::groot::Monitors;
use super::pace::{Pace, Progress};
use super::player::{Line, Player};
use super::reloading::Reloading;
use crate::io::{Line as Shown, tell};
use std::io::{Result, Write};
use std::time::Duration;
use treemind_arena::{TICKS_PER_SEC, World};
use treemind_replay::follow::Tone;

/// The number of ticks by default, unless the scenario ends earlier.
const TICKS: u64 = 600;

/// Which ticks are played and told, and how fast.
pub(super) struct Course<'a> {
    /// The first tick that is told.
    pub(super) first: u64,
    /// The last tick, if the user has named one.
    pub(super) ticks: Option<u64>,
    pub(super) is_quiet: bool,
    /// Whether faults are told when they happen.
    pub(super) tells_faults: bool,
    /// What records the run.
    pub(super) camera: Option<&'a mut Camera>,
    /// What looks after the document, if it is watched.
    pub(super) reloading: Option<Reloading>,
    /// The speed as a multiple of real time, if somebody looks while it plays.
    pub(super) speed: f64,
    /// Who looks at it.
    pub(super) monitors: Option<&'a Monitors>,
    /// When it ends before its last tick.
    pub(super) pace: Pace<'a>,
}

pub(super) fn run(player: &mut Player, course: Course<'_>, out: &mut dyn Write) -> Result<()> {
    let Course {
        first,
        ticks,
        is_quiet,
        tells_faults,
        mut camera,
        mut reloading,
        speed,
        monitors,
        mut pace,
    } = course;
    let last = ticks.unwrap_or(TICKS.max(first));
    let mut progress = Progress::to(last);
    while player.tick() < last && !pace.is_over() {
        if reloading.is_some() || monitors.is_some() {
            // It waits for the next tick, and whoever watches should see all of the last one.
            out.flush()?;
            let period = Duration::from_secs_f64(1.0 / (TICKS_PER_SEC as f64 * speed));
            pace.wait(period);
            while monitors.is_some_and(|all| !all.want_tick()) && !pace.is_over() {
                pace.wait(period);
            }
            if pace.is_over() {
                break;
            }
        }
        if let Some(reloading) = &mut reloading {
            let tick = player.tick();
            let mut recorded = Recorded {
                game: player,
                camera: camera.as_deref_mut(),
                begin: None,
            };
            for line in reloading.look(&mut recorded) {
                tell(format!("tick {tick}: {line}"));
            }
        }
        match &mut camera {
            Some(camera) => camera.step(player),
            None => {
                // A recording is of the document as it is.
                if let Some(monitors) = monitors {
                    monitors.replace_answers(player);
                }
                player.step();
            }
        }
        if let Some(monitors) = monitors {
            monitors.show(player);
        }
        if is_quiet || player.tick() < first {
            progress.tell(player.tick());
        }
        for line in player.fresh() {
            let is_told = !is_quiet && line.tick >= first;
            let is_fault = line.tone == Tone::Fault;
            if is_told && !is_fault || tells_faults && is_fault {
                print(line, player.secs_at(line.tick), out)?;
            }
        }
        let is_over = player.world().is_some_and(World::is_over);
        if player.is_broken() || ticks.is_none() && is_over && player.tick() >= first {
            break;
        }
    }
    out.flush()
}

fn print(line: &Line, secs: f64, out: &mut dyn Write) -> Result<()> {
    let (tick, text) = (line.tick, &line.text);
    if line.tone == Tone::Fault {
        tell(Shown::fault(&format!("tick {tick}: {text}")));
        return Ok(());
    }
    writeln!(out, "{}", treemind_view::log_text(tick, secs, text))
}
