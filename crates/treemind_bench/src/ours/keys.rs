//! Facts as numbers on the blackboard.

use crate::case::Case;
use crate::facts::{DEAD, Fact, LOW, SEE};
use treemind::blackboard::KeyId;
use treemind::population::{Behaviour, Population};

/// A fact as numbers: distance of the enemy, health, health of the enemy.
pub(crate) fn numbers(fact: Fact) -> [f32; 3] {
    let either = |bit, [yes, no]: [f32; 2]| if fact & bit != 0 { yes } else { no };
    [
        either(SEE, [5.0, 50.0]),
        either(LOW, [10.0, 90.0]),
        either(DEAD, [0.0, 60.0]),
    ]
}

/// The keys of the cases whose document compares numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys([KeyId; 3]);

impl Keys {
    pub(super) fn of(case: Case, behaviour: &Behaviour) -> Option<Self> {
        let key = |name| behaviour.key_id(name).expect("the document declares it");
        let names = ["enemy_distance", "health", "enemy_health"];
        case.has_keys().then(|| Self(names.map(key)))
    }

    /// Writes the facts of a tick.
    pub(super) fn write(self, population: &mut Population, facts: &[Fact]) {
        for (nth, key) in self.0.into_iter().enumerate() {
            population.for_each_board(|mut board| {
                let first = board.first_agent();
                let floats = board.floats_mut(key).expect("the key is a float");
                for (value, fact) in floats.iter_mut().zip(&facts[first..]) {
                    *value = numbers(*fact)[nth];
                }
            });
        }
    }
}
