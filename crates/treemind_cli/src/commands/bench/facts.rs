//! The facts of the guard: three bits per agent and tick from a linear congruential generator.

use treemind::{Behaviour, KeyId, Population};

/// Whether an enemy is seen; health is low; the enemy is dead.
pub(super) const SEE: u8 = 1;
pub(super) const LOW: u8 = 2;
pub(super) const DEAD: u8 = 4;

/// The generators of all agents.
pub(super) struct Facts {
    states: Vec<u64>,
}

impl Facts {
    pub(super) fn new(agents: usize) -> Self {
        let seed = |agent: u64| {
            0x2545_F491_4F6C_DD1D_u64.wrapping_add(agent.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        };
        Self {
            states: (0..agents as u64).map(seed).collect(),
        }
    }

    /// Draws the bits of an agent.
    #[inline]
    pub(super) fn draw(&mut self, agent: usize) -> u8 {
        let state = &mut self.states[agent];
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 61) as u8
    }
}

/// The keys of `guard-expr`.
#[derive(Clone, Copy)]
pub(super) struct ExprKeys {
    enemy_distance: KeyId,
    health: KeyId,
    enemy_health: KeyId,
}

impl ExprKeys {
    pub(super) fn of(behaviour: &Behaviour) -> Option<Self> {
        Some(Self {
            enemy_distance: behaviour.key_id("enemy_distance")?,
            health: behaviour.key_id("health")?,
            enemy_health: behaviour.key_id("enemy_health")?,
        })
    }

    /// Writes facts as numbers.
    pub(super) fn write(self, population: &mut Population, bits: &[u8]) {
        let write = |population: &mut Population, key, fact, (yes, no)| {
            population.for_each_board(|mut board| {
                let first = board.first_agent();
                let floats = board.floats_mut(key).expect("the key is a float");
                for (value, bits) in floats.iter_mut().zip(&bits[first..]) {
                    *value = if bits & fact != 0 { yes } else { no };
                }
            });
        };
        write(population, self.enemy_distance, SEE, (5.0, 50.0));
        write(population, self.health, LOW, (10.0, 90.0));
        write(population, self.enemy_health, DEAD, (0.0, 60.0));
    }
}
