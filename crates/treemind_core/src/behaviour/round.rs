//! The description of a machine that does not come to rest.

use super::machine::Machine;
use crate::ids::StateIndex;

/// How many of the last microsteps before a livelock are recorded.
pub const MICROSTEPS_KNOWN: u32 = 32;

/// How many steps are named if nothing repeats.
const STEPS_NAMED: usize = 8;

impl Machine {
    /// The cycle that steps go through, given the transitions of each step in document order: `a → b → a`. It
    /// begins with what comes first in the document. A step is named after the states that it leads to; a step
    /// without targets is named after its sources. Things that happen at the same time are joined by `+`. If
    /// nothing repeats, it is the last few steps: `… → g → h`.
    pub fn round(&self, steps: &[Vec<usize>]) -> String {
        let period = (1..=steps.len() / 2).find(|period| {
            let (before, last) = steps[steps.len() - 2 * period..].split_at(*period);
            before == last
        });
        let named = period.unwrap_or(steps.len().min(STEPS_NAMED));
        let mut round = steps[steps.len() - named..].to_vec();
        if period.is_none() {
            return format!("… → {}", self.way(&round));
        }
        let place = |step: &Vec<usize>| self.led_to(step).first().copied();
        let first = (0..round.len()).min_by_key(|index| place(&round[*index]));
        round.rotate_left(first.unwrap_or(0));
        round.extend(round.first().cloned());
        self.way(&round)
    }

    fn way(&self, steps: &[Vec<usize>]) -> String {
        let names = steps.iter().map(|step| {
            let states = self.led_to(step);
            let names = states.iter().map(|state| self.states[*state].name.as_str());
            names.collect::<Vec<_>>().join(" + ")
        });
        names.collect::<Vec<_>>().join(" → ")
    }

    /// The states that a step is named after.
    fn led_to(&self, step: &[usize]) -> Vec<StateIndex> {
        let mut states = Vec::new();
        for transition in step.iter().map(|number| &self.transitions[*number]) {
            states.extend(transition.targets.iter().map(Machine::target_state));
            if transition.targets.is_empty() {
                states.push(transition.source);
            }
        }
        states.sort_unstable();
        states.dedup();
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::{Mode, Stack, State, StateKind, Target, Transition, Trigger};

    fn machine(leads: &[&[StateIndex]]) -> Machine {
        let state = |name: &str| State {
            name: name.to_owned(),
            parent: None,
            kind: StateKind::Atomic,
            entry: Vec::new(),
            exit: Vec::new(),
            activity: None,
            enter_if: None,
            defers: Vec::new(),
            done_event: None,
        };
        let transition = |targets: &&[StateIndex]| Transition {
            source: 1,
            targets: targets.iter().map(|state| Target::State(*state)).collect(),
            trigger: Trigger::Polled,
            when: None,
            conditions: None,
            priority: 0,
            local: false,
            reenter: false,
            tasks: Vec::new(),
            stack: Stack::Keep,
            payload: Vec::new(),
            decided: None,
        };
        Machine {
            mode: Mode::Statechart,
            states: ["m", "a", "b", "c"].map(state).into(),
            transitions: leads.iter().map(transition).collect(),
            deciders: Vec::new(),
            max_microsteps: 64,
        }
    }

    #[test]
    fn a_round_begins_with_what_comes_first() {
        let machine = machine(&[&[2], &[1], &[], &[3, 2]]);
        let round = |steps: &[&[usize]]| {
            machine.round(&steps.iter().map(|step| step.to_vec()).collect::<Vec<_>>())
        };
        assert_eq!(round(&[&[0], &[1], &[0], &[1]]), "a → b → a");
        assert_eq!(round(&[&[3], &[1], &[0], &[1], &[0]]), "a → b → a");
        assert_eq!(round(&[&[2], &[2]]), "a → a");
        assert_eq!(round(&[&[1], &[3], &[1], &[3]]), "a → b + c → a");
        assert_eq!(round(&[&[1], &[0, 3], &[1]]), "… → a → b + c → a");
        assert_eq!(round(&[]), "… → ");
    }
}
