//! Marks of an agent whose program was replaced.

use super::super::replaced::Replaced;
use super::{Marks, NodeMarks, States};
use treemind_core::behaviour::Machine;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Kind, NodeId, Population};
use treemind_doc::About;

impl Marks {
    /// Whether they are still those of an agent, so that nothing was begun, cut off, entered or left since its last tick, in
    /// which this happened.
    pub(in super::super) fn fit(
        &self,
        (population, agent): (&Population, usize),
        events: &[(NodeId, Event)],
    ) -> bool {
        let mut machines = self.machines.iter();
        self.open == population.open(agent, events.iter().copied())
            && self.finished == population.finished_branches(agent)
            && machines.all(|(id, states)| {
                let mut active = states.is_active.iter().enumerate();
                active.all(|(state, is_active)| population.is_in(agent, *id, state) == *is_active)
            })
    }

    /// The same after the population got another program: what nodes did that are still there stays, and what ran and does
    /// not go on was cut off. What is written otherwise now has done nothing so far. `events` are those of the last tick.
    pub(in super::super) fn carried(
        &self,
        replaced: &Replaced<'_>,
        (population, agent): (&Population, Option<usize>),
        events: &[(NodeId, Event)],
    ) -> Self {
        if replaced.is_same() {
            return self.clone();
        }
        let mut marks = Self::new(replaced.now);
        marks.tick = self.tick;
        for new in replaced.now.node_ids() {
            let Some(old) = replaced.was(new) else {
                continue;
            };
            if replaced.is_written_alike(About::Node(old), About::Node(new)) {
                let node = &mut marks.nodes[new.index()];
                *node = NodeMarks {
                    is_condition: node.is_condition,
                    ..self.nodes[old.index()].clone()
                };
            }
            if let Some(tests) = self.decisions.get(&old)
                && replaced.was_alike(new).is_some()
            {
                marks.decisions.insert(new, tests.clone());
            }
            if let (Some(was), Some(states)) =
                (self.machines.get(&old), marks.machines.get_mut(&new))
                && let Some(machines) =
                    machine(replaced.before, old).zip(machine(replaced.now, new))
            {
                states.take_over(was, machines, |one, other| {
                    let lines = [About::Transition(old, one), About::Transition(new, other)];
                    replaced.is_written_alike(lines[0], lines[1])
                });
            }
        }
        let Some(agent) = agent else { return marks };
        for (id, states) in &mut marks.machines {
            for (state, is_active) in states.is_active.iter_mut().enumerate() {
                *is_active = population.is_in(agent, *id, state);
            }
        }
        // What a condition answered counts only where it is asked on.
        let answered = events.iter();
        let answered = answered.filter_map(|(old, event)| Some((replaced.goes_on(*old)?, *event)));
        marks.open = population.open(agent, answered);
        marks.finished = population.finished_branches(agent);
        let ran = self.open.iter().filter_map(|old| replaced.place(*old));
        let mut ran: Vec<NodeId> = ran.collect();
        ran.sort_unstable();
        marks.note_aborted(&ran);
        marks
    }
}

impl States {
    /// Takes over what the states and transitions did that are still there, of transitions those that are written alike.
    fn take_over(
        &mut self,
        was: &States,
        (before, now): (&Machine, &Machine),
        is_alike: impl Fn(usize, usize) -> bool,
    ) {
        let paths = |machine: &Machine| -> Vec<Vec<String>> {
            let states = 0..machine.states.len();
            let path = |state| machine.path(state).into_iter().map(str::to_owned).collect();
            states.map(path).collect()
        };
        let (old, new) = (paths(before), paths(now));
        let mut moved = self.moved.iter_mut().zip(&new);
        moved.by_ref().for_each(|(moved, path)| {
            let known = old.iter().position(|known| known == path);
            *moved = known.and_then(|state| was.moved[state]);
        });
        // Several transitions with the same ends are told apart by their order.
        let ends = |machine: &Machine, paths: &[Vec<String>]| {
            let mut ends: Vec<(Vec<String>, Vec<Vec<String>>, usize)> = Vec::new();
            for one in &machine.transitions {
                let source = paths[one.source].clone();
                let targets = one.targets.iter().map(Machine::target_state);
                let targets: Vec<Vec<String>> = targets.map(|to| paths[to].clone()).collect();
                let same = ends
                    .iter()
                    .filter(|end| (&end.0, &end.1) == (&source, &targets));
                let nth = same.count();
                ends.push((source, targets, nth));
            }
            ends
        };
        let known = ends(before, &old);
        for (number, end) in ends(now, &new).iter().enumerate() {
            let place = known.iter().position(|known| known == end);
            if let Some(place) = place.filter(|place| is_alike(*place, number)) {
                self.taken[number] = was.taken[place];
                self.verdicts[number].clone_from(&was.verdicts[place]);
            }
        }
    }
}

fn machine(behaviour: &Behaviour, node: NodeId) -> Option<&Machine> {
    match &behaviour.node(node).kind {
        Kind::Machine(machine) => Some(machine),
        _ => None,
    }
}
