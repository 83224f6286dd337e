//! In what two runs of an agent differ.

use super::protocol::{Bar, Difference, Differs, Lanes};

/// How many differences are listed at most.
const MOST_LISTED: usize = 50;

/// What an agent did in a run, and the names of its keys, in the order of the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What it did.
    pub lanes: &'a Lanes,
    /// The names of the keys.
    pub keys: &'a [String],
}

/// In what two runs differ from one tick to another, first difference first: each in the first tick in which it differs. Ticks
/// of which one run knows nothing are left out, and so are keys that only one of them has.
pub fn differences(earlier: Run<'_>, now: Run<'_>, (from, to): (u64, u64)) -> Vec<Difference> {
    let mut all = Vec::new();
    let mut compare = |what: Differs, was: &[Bar], is: &[Bar]| {
        if let Some((tick, was, now)) = first(was, is, (from, to)) {
            all.push(Difference {
                tick,
                what,
                was: was.to_owned(),
                now: now.to_owned(),
            });
        }
    };
    compare(Differs::Does, &earlier.lanes.does, &now.lanes.does);
    compare(Differs::States, &earlier.lanes.states, &now.lanes.states);
    for (name, lane) in now.keys.iter().zip(&now.lanes.keys) {
        let place = earlier.keys.iter().position(|known| known == name);
        if let Some(was) = place.and_then(|place| earlier.lanes.keys.get(place)) {
            compare(Differs::Key(name.clone()), was, lane);
        }
    }
    // What an agent does is said before the keys of the same tick.
    all.sort_by_key(|one| one.tick);
    all.truncate(MOST_LISTED);
    all
}

/// The first tick in which two lanes differ, and what they are then.
fn first<'a>(
    was: &'a [Bar],
    is: &'a [Bar],
    (from, to): (u64, u64),
) -> Option<(u64, &'a str, &'a str)> {
    let (mut one, mut other) = (was.iter().peekable(), is.iter().peekable());
    while let (Some(left), Some(right)) = (one.peek(), other.peek()) {
        let begin = left.from.max(right.from).max(from);
        let end = left.to.min(right.to).min(to);
        if begin <= end && left.text != right.text {
            return Some((begin, &left.text, &right.text));
        }
        if left.to <= right.to {
            one.next();
        } else {
            other.next();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(bars: &[(u64, u64, &str)]) -> Vec<Bar> {
        let bar = |(from, to, text): &(u64, u64, &str)| Bar {
            from: *from,
            to: *to,
            text: (*text).to_owned(),
            is_cut: false,
        };
        bars.iter().map(bar).collect()
    }

    #[test]
    fn the_first_difference_comes_first() {
        let earlier = Lanes {
            does: lane(&[(1, 20, "rest"), (21, 40, "walk")]),
            keys: vec![lane(&[(1, 40, "5")]), lane(&[(1, 40, "x")])],
            ..Lanes::default()
        };
        let now = Lanes {
            does: lane(&[(1, 10, "rest"), (11, 25, "rest"), (26, 30, "walk")]),
            keys: vec![
                lane(&[(1, 14, "x"), (15, 30, "y")]),
                lane(&[(1, 12, "6"), (13, 30, "7")]),
            ],
            ..Lanes::default()
        };
        let names = |names: [&str; 2]| names.map(str::to_owned);
        let (were, are) = (names(["a", "b"]), names(["b", "c"]));
        let (earlier, now) = (
            Run {
                lanes: &earlier,
                keys: &were,
            },
            Run {
                lanes: &now,
                keys: &are,
            },
        );
        let found = differences(earlier, now, (11, 30));
        let told: Vec<(u64, &Differs, &str, &str)> = found
            .iter()
            .map(|one| (one.tick, &one.what, one.was.as_str(), one.now.as_str()))
            .collect();
        let key = Differs::Key("b".to_owned());
        assert_eq!(
            told,
            [(15, &key, "x", "y"), (21, &Differs::Does, "walk", "rest")]
        );
        assert!(differences(earlier, now, (1, 14)).is_empty());
    }
}
