//! The parts of a machine that continue when its document changes: states by name, transitions by where they lead.

use super::paths::{state_path, transition_path};
use crate::behaviour::{Kind, Machine, StateKind, Trigger};
use crate::ids::NodeId;
use crate::program::Program;
use crate::program::op::{DecideStep, KeptDraw, KeptFor, MachineOp, StateOp, TriggerOp};
use std::collections::HashMap;
use std::mem::discriminant;

/// Columns of bits, wide and narrow ones: old and new.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) bits: Vec<(u32, u32)>,
    pub(crate) wide: Vec<(u32, u32)>,
    pub(crate) narrow: Vec<(u32, u32)>,
}

/// A machine of the old program and the one that continues in its place.
#[derive(Clone, Debug)]
pub(crate) struct MachineMatch {
    pub(crate) node: NodeId,
    /// Their positions among the machines of the programs.
    pub(crate) old: usize,
    pub(crate) new: usize,
    pub(crate) columns: Columns,
    /// Old columns of bits of states in which the machine cannot continue.
    pub(crate) lost_states: Vec<u32>,
    /// The old narrow column of the depth of a stack whose entries mean nothing to the new machine.
    pub(crate) lost_stack: Option<u32>,
}

/// The machines of two nodes that match.
pub(super) fn matches(
    (old, new): (&Program, &Program),
    (old_node, new_node): (NodeId, NodeId),
) -> Vec<MachineMatch> {
    let of = |program: &Program, node| -> Vec<usize> {
        let all = 0..program.code.machines.len();
        all.filter(|index| program.code.machines[*index].node == node)
            .collect()
    };
    let machine = |program: &Program, node| match &program.behaviour.node(node).kind {
        Kind::Machine(machine) => Some((**machine).clone()),
        _ => None,
    };
    let (Some(old_machine), Some(new_machine)) = (machine(old, old_node), machine(new, new_node))
    else {
        return Vec::new();
    };
    let pairs = of(old, old_node).into_iter().zip(of(new, new_node));
    pairs
        .map(|(old_index, new_index)| {
            let ops = (&old.code.machines[old_index], &new.code.machines[new_index]);
            let mut found = MachineMatch {
                node: old_node,
                old: old_index,
                new: new_index,
                columns: Columns::default(),
                lost_states: Vec::new(),
                lost_stack: None,
            };
            found.compare((&old_machine, &new_machine), ops);
            found
        })
        .collect()
}

impl MachineMatch {
    fn compare(
        &mut self,
        (old, new): (&Machine, &Machine),
        (old_op, new_op): (&MachineOp, &MachineOp),
    ) {
        let places: HashMap<String, usize> = (0..new.states.len())
            .map(|state| (state_path(new, state), state))
            .collect();
        let states: Vec<Option<usize>> = (0..old.states.len())
            .map(|state| places.get(&state_path(old, state)).copied())
            .collect();
        let timers = self.timers((old, new), (old_op, new_op));
        for (state, there) in states.iter().enumerate() {
            let source = &old_op.states[state];
            let Some(there) = *there else {
                self.lost_states.push(source.active);
                continue;
            };
            let target = &new_op.states[there];
            let is_timed = |(number, _): &(u32, u32)| !timers.contains(number);
            if !is_same_state((old, state), (new, there)) || target.timers.iter().any(is_timed) {
                self.lost_states.push(source.active);
            }
            self.state(source, target, &states);
        }
        if old_op.statechart && new_op.statechart {
            let microsteps = (old_op.microsteps, new_op.microsteps);
            self.columns.narrow.push(microsteps);
        }
        self.stack((old_op, new_op), &states, new.states.len());
        self.draws(old_op, new_op);
    }

    fn state(&mut self, old: &StateOp, new: &StateOp, states: &[Option<usize>]) {
        let bits = &mut self.columns.bits;
        bits.push((old.active, new.active));
        if old.stable != 0 && new.stable != 0 {
            bits.push((old.stable, new.stable));
        }
        if old.activity.is_some() && new.activity.is_some() {
            bits.extend(old.over.into_iter().zip(new.over));
        }
        let (Some(old), Some(new)) = (&old.memory, &new.memory) else {
            return;
        };
        // What is remembered means something only if the same states are inside.
        let inside = |(state, _): &(u32, u32)| states[*state as usize];
        let old_inside: Vec<_> = old.inside.iter().map(inside).collect();
        let new_inside: Vec<_> = new
            .inside
            .iter()
            .map(|(state, _)| Some(*state as usize))
            .collect();
        if old_inside == new_inside {
            bits.push((old.left, new.left));
            let columns = old.inside.iter().zip(&new.inside);
            bits.extend(columns.map(|((_, old), (_, new))| (*old, *new)));
        }
    }

    /// The numbers of the new transitions whose times have been set: the old machine has the same.
    fn timers(
        &mut self,
        (old, new): (&Machine, &Machine),
        (old_op, new_op): (&MachineOp, &MachineOp),
    ) -> Vec<u32> {
        let key = |machine: &Machine, number: usize| {
            let decided = machine.transitions[number]
                .decided
                .map(|decided| decided.leaf);
            (transition_path(machine, number), decided)
        };
        let timed = |machine: &Machine| -> Vec<usize> {
            let all = 0..machine.transitions.len();
            all.filter(|number| matches!(machine.transitions[*number].trigger, Trigger::After(_)))
                .collect()
        };
        let column = |op: &MachineOp, number: usize| {
            let mut all = op.transitions.iter();
            let found = all.find(|transition| transition.number as usize == number)?;
            match found.trigger {
                TriggerOp::After(_, column) => Some(column),
                _ => None,
            }
        };
        let mut free = timed(new);
        let mut set = Vec::new();
        for number in timed(old) {
            let wanted = key(old, number);
            let Some(place) = free.iter().position(|other| key(new, *other) == wanted) else {
                continue;
            };
            let other = free.remove(place);
            if let (Some(from), Some(to)) = (column(old_op, number), column(new_op, other)) {
                self.columns.wide.push((from, to));
                set.push(other as u32);
            }
        }
        set
    }

    fn stack(
        &mut self,
        (old, new): (&MachineOp, &MachineOp),
        states: &[Option<usize>],
        count: usize,
    ) {
        let Some(old) = &old.stack else { return };
        let is_same = states.len() == count
            && (0..)
                .zip(states)
                .all(|(state, there)| *there == Some(state));
        match &new.stack {
            Some(new) if is_same && old.domains == new.domains => {
                let narrow = &mut self.columns.narrow;
                narrow.push((old.depth, new.depth));
                for ((of, old), (new_of, new)) in old.levels.iter().zip(&new.levels) {
                    narrow.push((*of, *new_of));
                    let bits = old.iter().copied().zip(new.iter().copied());
                    self.columns.bits.extend(bits);
                }
            }
            _ => self.lost_stack = Some(old.depth),
        }
    }

    /// The draws that decision trees over transitions keep.
    fn draws(&mut self, old: &MachineOp, new: &MachineOp) {
        for (old, new) in old.deciders.iter().zip(&new.deciders) {
            let is_same = old.steps.len() == new.steps.len()
                && old.steps.iter().zip(&new.steps).all(|(old, new)| {
                    discriminant(&old.0) == discriminant(&new.0) && old.1 == new.1
                });
            if !is_same {
                continue;
            }
            for (old, new) in old.steps.iter().zip(&new.steps) {
                if let (DecideStep::Random(old), DecideStep::Random(new)) = (&old.0, &new.0) {
                    self.draw(old, new);
                }
            }
        }
    }

    fn draw(&mut self, old: &KeptDraw, new: &KeptDraw) {
        match (old.lasts, new.lasts) {
            (KeptFor::Always, KeptFor::Always) => {}
            (KeptFor::Secs(_, old), KeptFor::Secs(_, new)) => self.columns.wide.push((old, new)),
            (KeptFor::Ticks(_, old), KeptFor::Ticks(_, new)) => {
                self.columns.narrow.push((old, new));
            }
            _ => return,
        }
        let narrow = &mut self.columns.narrow;
        narrow.extend([(old.way, new.way), (old.reached, new.reached)]);
    }
}

/// Whether a machine can continue in the new state as it was in the old one.
fn is_same_state((old, state): (&Machine, usize), (new, there): (&Machine, usize)) -> bool {
    let kinds = (&old.states[state].kind, &new.states[there].kind);
    match kinds {
        (StateKind::Parallel, StateKind::Parallel) => {
            let regions = |machine: &Machine, of| -> Vec<String> {
                let regions = machine.children(of);
                regions
                    .map(|region| machine.states[region].name.clone())
                    .collect()
            };
            let (mut old, mut new) = (regions(old, state), regions(new, there));
            old.sort_unstable();
            new.sort_unstable();
            old == new
        }
        (old, new) => discriminant(old) == discriminant(new),
    }
}
