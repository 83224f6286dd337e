//! A game that is played again from an earlier tick with the document as it is now, beside the run that was.

use super::game::{Playthrough, Shown};
use std::collections::BTreeMap;
use treemind_explain::Language;
use treemind_replay::follow::Timeline;
use treemind_replay::view::protocol::{EarlierRun, Lanes};
use treemind_replay::view::{Run, Wish, differences};

/// The timelines of a run, by how often its document was replaced, with the names of the keys of each agent then.
#[derive(Clone, Default)]
pub(super) struct Reels {
    pub(super) timelines: BTreeMap<usize, Timeline>,
    pub(super) keys: BTreeMap<usize, Vec<Vec<String>>>,
}

/// The run that was played before.
pub(super) struct Earlier {
    nth: u64,
    /// The tick from which it was played again, and the last one of the earlier run.
    from: u64,
    to: u64,
    reels: Reels,
}

impl Reels {
    /// What a mind did after a tick, and the names of its keys: whatever documents it had in the meantime.
    fn after(&self, mind: usize, tick: u64, language: Language) -> (Lanes, Vec<String>) {
        let (mut all, mut names) = (Lanes::default(), Vec::<String>::new());
        for (revision, timeline) in &self.timelines {
            let Some(film) = timeline.since(mind, (tick + 1, 0), language) else {
                continue;
            };
            all.does.extend(film.lanes.does);
            all.states.extend(film.lanes.states);
            all.events.extend(film.lanes.events);
            let keys = self.keys.get(revision);
            let keys = keys.and_then(|keys| keys.get(mind).or(keys.first()));
            for (name, lane) in keys.into_iter().flatten().zip(film.lanes.keys) {
                let place = names.iter().position(|known| known == name);
                let place = place.unwrap_or_else(|| {
                    names.push(name.clone());
                    all.keys.push(Vec::new());
                    names.len() - 1
                });
                all.keys[place].extend(lane);
            }
        }
        (all, names)
    }

    fn last(&self) -> u64 {
        self.timelines
            .values()
            .map(Timeline::last)
            .max()
            .unwrap_or(0)
    }
}

impl<G: Shown> Playthrough<G> {
    /// What was played after this tick, which is about to become another course; `None` if this is the last one.
    pub(super) fn kept_run(&self) -> Option<Earlier> {
        let (from, to) = (self.reel.tick(), self.last());
        (from < to).then(|| Earlier {
            nth: self.earlier.as_ref().map_or(0, |last| last.nth) + 1,
            from,
            to,
            reels: self.reels.clone(),
        })
    }

    /// The earlier run as an agent did it, and in what it differs from this one.
    pub(super) fn earlier(&self, wish: &Wish, known: u64) -> Option<EarlierRun> {
        let Earlier {
            nth,
            from,
            to,
            reels,
        } = self.earlier.as_ref()?;
        let (was, were) = reels.after(wish.mind, *from, wish.language);
        let (is, are) = self.reels.after(wish.mind, *from, wish.language);
        let compared = self.reels.last().min(*to);
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
