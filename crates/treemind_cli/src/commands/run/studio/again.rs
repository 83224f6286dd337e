//! A game that is played again from an earlier tick with the document as it is now, beside the run that was.

use super::game::{Playthrough, Shown};
use treemind_replay::follow::Timeline;
use treemind_replay::view::protocol::{EarlierRun, Lanes};
use treemind_replay::view::{Run, Wish, differences};

/// The run that was played before.
pub(super) struct Earlier {
    nth: u64,
    /// The tick from which it was played again, and the last one of the earlier run.
    from: u64,
    to: u64,
    timeline: Timeline,
}

/// What a mind did after a tick, and the names of its keys: whatever documents it had in the meantime.
fn after(timeline: &Timeline, wish: &Wish, tick: u64) -> (Lanes, Vec<String>) {
    let names = timeline.key_names(wish.mind);
    let film = timeline.since(wish.mind, (tick + 1, 0), &names, wish.language);
    let lanes = film.map(|film| film.lanes).unwrap_or_default();
    (lanes, names.into_iter().map(str::to_owned).collect())
}

impl<G: Shown> Playthrough<G> {
    /// What was played after this tick, which is about to become another course; `None` if this is the last one.
    pub(super) fn kept_run(&self) -> Option<Earlier> {
        let (from, to) = (self.reel.tick(), self.last());
        (from < to).then(|| Earlier {
            nth: self.earlier.as_ref().map_or(0, |last| last.nth) + 1,
            from,
            to,
            timeline: self.timeline.clone(),
        })
    }

    /// The earlier run as an agent did it, and in what it differs from this one.
    pub(super) fn earlier(&self, wish: &Wish, known: u64) -> Option<EarlierRun> {
        let Earlier {
            nth,
            from,
            to,
            timeline,
        } = self.earlier.as_ref()?;
        let (was, were) = after(timeline, wish, *from);
        let (is, are) = after(&self.timeline, wish, *from);
        let compared = self.timeline.last().min(*to);
        let (earlier, now) = (
            Run {
                lanes: &was,
                keys: &were,
            },
            Run {
                lanes: &is,
                keys: &are,
            },
        );
        Some(EarlierRun {
            nth: *nth,
            from: *from,
            to: *to,
            compared,
            differences: differences(earlier, now, (*from + 1, compared)),
            keys: were,
            lanes: (known != *nth).then_some(was),
        })
    }
}
