//! The facts that decide what agents do: a number per agent and tick, drawn before anything is measured.

/// The fact of an agent in a tick.
pub(crate) type Fact = u16;

/// Whether an enemy is seen; health is low; the enemy is dead.
pub(crate) const SEE: Fact = 0x2000;
pub(crate) const LOW: Fact = 0x4000;
pub(crate) const DEAD: Fact = 0x8000;

/// How many facts change from one tick to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// All are drawn again.
    All,
    /// Those of this share of the agents are drawn again, from 0 to 1.
    Share(f64),
    /// None.
    Nothing,
}

/// The generators of all agents, and the facts of the ticks that were drawn.
#[derive(Debug)]
pub(crate) struct Facts {
    states: Vec<u64>,
    change: Change,
    /// The facts of one tick after the other.
    rows: Vec<Fact>,
    is_first: bool,
}

impl Facts {
    pub(crate) fn new(agents: usize, change: Change) -> Self {
        Self {
            states: (0..agents as u64).map(seed).collect(),
            change,
            rows: Vec::new(),
            is_first: true,
        }
    }

    /// Draws the facts of `ticks` ticks.
    pub(crate) fn draw(&mut self, ticks: usize) {
        let agents = self.states.len();
        let last = self.rows.len().saturating_sub(agents);
        let mut before = self.rows.split_off(last);
        self.rows.clear();
        before.resize(agents, 0);
        for _ in 0..ticks {
            for (state, fact) in self.states.iter_mut().zip(&mut before) {
                let changes = match self.change {
                    _ if self.is_first => true,
                    Change::All => true,
                    Change::Share(share) => f64::from(next(state) >> 8) < share * 16_777_216.0,
                    Change::Nothing => false,
                };
                if changes {
                    *fact = (next(state) >> 16) as Fact;
                }
            }
            self.is_first = false;
            self.rows.extend_from_slice(&before);
        }
    }

    /// The facts of all ticks that were drawn, one tick after the other.
    pub(crate) fn rows(&self) -> &[Fact] {
        &self.rows
    }
}

/// The start of an agent's generator. Seeds at equal distances would give facts at equal distances, which
/// processors learn to predict from agent to agent.
fn seed(agent: u64) -> u64 {
    let mut mixed = agent.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    0x2545_F491_4F6C_DD1D ^ mixed ^ mixed >> 31
}

/// The upper half of the next state of a linear congruential generator.
fn next(state: &mut u64) -> u32 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_facts_change_as_is_said() {
        for (change, share) in [
            (Change::All, 1.0),
            (Change::Share(0.1), 0.1),
            (Change::Nothing, 0.0),
        ] {
            let mut facts = Facts::new(1_000, change);
            facts.draw(50);
            facts.draw(50);
            let rows = facts.rows().chunks(1_000);
            let pairs = rows.clone().zip(rows.skip(1));
            let changed: usize = pairs
                .map(|(row, next)| row.iter().zip(next).filter(|(a, b)| a != b).count())
                .sum();
            let found = changed as f64 / 49_000.0;
            assert!((found - share).abs() < 0.01, "{change:?}: {found}");
        }
    }
}
