//! The tone of what happens in the arena.

use treemind_arena::EventKind;
use treemind_replay::follow::Tone;

pub(super) fn tone(what: EventKind) -> Tone {
    match what {
        EventKind::Arrives | EventKind::Sees(_) | EventKind::Hears(_) | EventKind::Noise(_) => {
            Tone::Notice
        }
        EventKind::Begins("attack" | "run-away" | "swing" | "hide" | "run-for-cover") => {
            Tone::Notice
        }
        EventKind::IsHit { .. }
        | EventKind::Misses
        | EventKind::Dies
        | EventKind::Falls
        | EventKind::Ties(_) => Tone::Fight,
        _ => Tone::Calm,
    }
}
