//! The live view as a picture, still or moving.

use super::pace::Progress;
use super::player::Player;
use super::{Args, view};
use crate::io::{self, Failure, Output};
use ratatui::buffer::Buffer;
use treemind_arena::TICKS_PER_SEC;
use treemind_view::{Look, Screen, Theme};

/// Writes a frame of the live view.
pub(super) fn draw(
    args: &Args,
    player: Player,
    mind: usize,
    output: Option<&Output>,
) -> Result<(), Failure> {
    let at = args.at.unwrap_or(0);
    let mut player = player;
    let mut progress = Progress::to(at);
    while player.tick() < at {
        player.step();
        progress.tell(player.tick());
    }
    let frame = |player: &Player| {
        let screen = Screen {
            scene: player,
            look: &Look::at(mind, Theme { has_colours: true }),
        };
        screen.frame(args.size)
    };
    let Some(until) = args.until else {
        return write_picture(&frame(&player), output);
    };
    if until <= at || until - at > MOST_MOVING {
        let text = format!("`--until` is after `--at`, by at most {MOST_MOVING} ticks");
        return Err(Failure::Usage(text));
    }
    let mut frames = vec![frame(&player)];
    while player.tick() < until {
        player.step();
        if (player.tick() - at).is_multiple_of(FRAME_TICKS) {
            frames.push(frame(&player));
        }
    }
    let secs = FRAME_TICKS as f64 / TICKS_PER_SEC as f64;
    write_drawing(&view::moving(&frames, secs), output)
}

/// How many ticks a moving picture may show, and how many are between its frames.
const MOST_MOVING: u64 = 1_000;
const FRAME_TICKS: u64 = 2;

/// Writes a frame of the view as a picture.
pub(super) fn write_picture(frame: &Buffer, output: Option<&Output>) -> Result<(), Failure> {
    write_drawing(&view::svg(frame), output)
}

/// Writes a picture, to standard output if there is no other place.
fn write_drawing(text: &str, output: Option<&Output>) -> Result<(), Failure> {
    match output {
        Some(output) => output.write(text.as_bytes()),
        None => io::print_exact(|out| out.write_all(text.as_bytes())),
    }
}
