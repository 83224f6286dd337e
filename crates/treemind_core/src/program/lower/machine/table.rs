//! The tables of machines.

use crate::behaviour::{Machine, Mode, StateKind};
use crate::program::op::{Move, StackUse, StateOp, Step, Table, TransitionOp};

impl Table {
    /// The table of a machine, unless it has parts that need sets of states.
    pub(super) fn of(
        machine: &Machine,
        states: &[StateOp],
        transitions: &[TransitionOp],
    ) -> Option<Self> {
        let is_parallel = |state: &crate::behaviour::State| state.kind == StateKind::Parallel;
        let is_plain = |op: &TransitionOp| op.stack == StackUse::Keep && op.decided.is_none();
        if machine.mode != Mode::Alarm
            || machine.states.iter().any(is_parallel)
            || !transitions.iter().all(is_plain)
        {
            return None;
        }
        let row = |inner: usize| {
            let looks = |op: &TransitionOp| {
                let source = op.source as usize;
                source == inner || machine.is_inside(inner, source)
            };
            let places = (0..).zip(transitions).filter(|(_, op)| looks(op));
            places.map(|(place, _)| place).collect()
        };
        let moves = transitions.iter();
        let tasks = states.iter();
        let has_tasks = tasks
            .flat_map(|state| [&state.entry, &state.exit, &state.initial_tasks])
            .chain(transitions.iter().map(|op| &op.tasks))
            .any(|tasks| !tasks.is_empty());
        Some(Self {
            rows: (0..states.len()).map(row).collect(),
            moves: moves.map(|op| Move::of(machine, states, op)).collect(),
            has_tasks,
        })
    }
}

impl Move {
    fn of(machine: &Machine, states: &[StateOp], op: &TransitionOp) -> Option<Self> {
        let domain = machine.domain(&machine.transitions[op.number as usize]);
        let is_left = |state: usize| domain.is_some_and(|domain| machine.is_inside(state, domain));
        let is_remembered = |state: usize| is_left(state) && states[state].memory.is_some();
        if (0..states.len()).any(is_remembered) {
            return None;
        }
        let mut enters = Vec::new();
        let mut marks = vec![(false, false); states.len()];
        mark(&op.entries, &mut marks)?;
        for (index, state) in states.iter().enumerate() {
            let (enters_it, descends) = marks[index];
            if descends {
                mark(&state.initial, &mut marks)?;
            }
            if enters_it {
                enters.push((index as u32, descends));
            }
        }
        Some(Self {
            domain: domain.map(|domain| domain as u32),
            enters,
        })
    }
}

/// Marks the states that are entered, and those that continue to their initial state. `None` if this depends on a
/// history.
fn mark(steps: &[Step], marks: &mut [(bool, bool)]) -> Option<()> {
    for step in steps {
        let (enters, descends) = &mut marks[step.state() as usize];
        *enters = true;
        match step {
            Step::Pass(_) => {}
            Step::Descend(_) => *descends = true,
            Step::Restore(..) => return None,
        }
    }
    Some(())
}
