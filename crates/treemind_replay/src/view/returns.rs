//! Where history leads.

use super::protocol::Return;
use treemind_core::behaviour::{Depth, Machine, StateIndex, StateKind, Target, Transition};
use treemind_core::{Behaviour, Kind, NodeId, Population};
use treemind_doc::{About, OutlineLine};

/// For each transition that returns to where a state was left, the states in which it would end now.
pub(super) fn returns(
    lines: &[OutlineLine],
    behaviour: &Behaviour,
    (population, agent): (&Population, usize),
) -> Vec<Return> {
    if agent >= population.len() {
        return Vec::new();
    }
    let of_line = |(line, about): (usize, About)| {
        let About::Transition(node, number) = about else {
            return None;
        };
        let Kind::Machine(machine) = &behaviour.node(node).kind else {
            return None;
        };
        let agent = Agent {
            machine,
            node,
            population,
            agent,
        };
        let transition = &machine.transitions[number];
        let mut ends = Vec::new();
        let mut is_remembered = false;
        for target in &transition.targets {
            if let Target::History {
                of,
                depth,
                fallback,
                ..
            } = target
            {
                let restored = agent.restored(transition, *of, *depth);
                is_remembered |= restored.is_some();
                ends.extend(restored.unwrap_or_else(|| agent.begins(*of, fallback)));
            }
        }
        let name = |state: &StateIndex| machine.states[*state].name.clone();
        (!ends.is_empty()).then(|| Return {
            line,
            states: ends.iter().map(name).collect(),
            is_remembered,
        })
    };
    let lines = lines.iter().map(|line| line.about).enumerate();
    lines.filter_map(of_line).collect()
}

/// A machine of an agent.
struct Agent<'a> {
    machine: &'a Machine,
    node: NodeId,
    population: &'a Population,
    agent: usize,
}

impl Agent<'_> {
    /// What a history brings back; `None` if its state has never been left.
    fn restored(
        &self,
        transition: &Transition,
        of: StateIndex,
        depth: Depth,
    ) -> Option<Vec<StateIndex>> {
        let machine = self.machine;
        let is_in = |state: StateIndex| self.population.is_in(self.agent, self.node, state);
        // A transition that leaves the state comes back to what is active now.
        let domain = machine.domain(transition);
        let is_left = domain.is_some_and(|domain| machine.is_inside(of, domain)) && is_in(of);
        let inside: Vec<StateIndex> = match is_left {
            true => (0..machine.states.len())
                .filter(|state| machine.is_inside(*state, of) && is_in(*state))
                .collect(),
            false => self.population.left_in(self.agent, self.node, of)?,
        };
        let is_end = |state: &&StateIndex| match depth {
            Depth::Shallow => machine.states[**state].parent == Some(of),
            Depth::Deep => {
                let mut others = inside.iter();
                !others.any(|other| machine.is_inside(*other, **state))
            }
        };
        Some(inside.iter().filter(is_end).copied().collect())
    }

    /// Where it leads otherwise: to what it names for that, or to where the state begins.
    fn begins(&self, of: StateIndex, fallback: &[Target]) -> Vec<StateIndex> {
        let begin = match &self.machine.states[of].kind {
            StateKind::Composite { initial, .. } if fallback.is_empty() => &initial.targets,
            _ => fallback,
        };
        match begin {
            [] => vec![of],
            begin => begin.iter().map(Machine::target_state).collect(),
        }
    }
}
