//! How many agents of a population do what.

/// At how many ticks it is kept how many agents do what.
const MOST_SHARES: usize = 1_024;

/// How many of a population do what, at ticks that are the further apart the longer it plays.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    /// All actions that there have been. Of each tick it is known how many did nothing, and then how many did each, as far as
    /// there were actions then.
    actions: Vec<String>,
    ticks: Vec<(u64, Vec<u32>)>,
    spacing_ticks: u64,
}

impl Default for Shares {
    fn default() -> Self {
        Self {
            actions: Vec::new(),
            ticks: Vec::new(),
            spacing_ticks: 1,
        }
    }
}

impl Shares {
    /// Notes how many did nothing in a tick, and each of these actions.
    pub(super) fn note(&mut self, tick: u64, (actions, counts): (&[&str], &[u32])) {
        let Err(at) = self.ticks.binary_search_by_key(&tick, |(tick, _)| *tick) else {
            return;
        };
        if !tick.is_multiple_of(self.spacing_ticks) {
            return;
        }
        for &action in actions {
            if !self.actions.iter().any(|known| known == action) {
                self.actions.push(action.to_owned());
            }
        }
        let counts = rearranged(counts, (actions, &self.known()));
        self.ticks.insert(at, (tick, counts));
        if self.ticks.len() > MOST_SHARES {
            self.spacing_ticks *= 2;
            let spacing = self.spacing_ticks;
            self.ticks.retain(|(tick, _)| tick.is_multiple_of(spacing));
        }
    }

    /// How many did nothing, and each of these actions, at the ticks from this one on. Whoever did what is no action any more
    /// did nothing of these.
    pub(super) fn since(&self, tick: u64, actions: &[&str]) -> Vec<(u64, Vec<u32>)> {
        let known = self.known();
        let first = self.ticks.partition_point(|(at, _)| *at < tick);
        let ticks = self.ticks[first..].iter();
        let ticks = ticks.map(|(at, counts)| (*at, rearranged(counts, (&known, actions))));
        ticks.collect()
    }

    /// Forgets what was after a tick.
    pub(super) fn turn(&mut self, tick: u64) {
        self.ticks.retain(|(at, _)| *at <= tick);
    }

    fn known(&self) -> Vec<&str> {
        self.actions.iter().map(String::as_str).collect()
    }
}

/// How many did nothing, and each of some actions, from how many did each of others.
fn rearranged(counts: &[u32], (from, to): (&[&str], &[&str])) -> Vec<u32> {
    let mut out = vec![0; to.len() + 1];
    for (nth, count) in counts.iter().enumerate() {
        let action = nth.checked_sub(1).and_then(|nth| from.get(nth));
        let place = action.and_then(|action| to.iter().position(|one| one == action));
        out[place.map_or(0, |place| place + 1)] += count;
    }
    out
}
