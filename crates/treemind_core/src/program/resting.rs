//! Which ticks come to nothing. While an agent waits, a tick may leave everything as it is; then the next one does too,
//! until something changes that it depends on. Such agents are passed over ([`crate::population`]).
//!
//! Some instructions report themselves to which agents something happens. For all others, being reached counts as
//! something that happens.

use super::op::{Code, GateKind, Op, Port, Range, TriggerOp};
use crate::behaviour::{Behaviour, Life, Scope};
use crate::eval::ExprCode;
use crate::ids::KeyId;

/// What a program needs for agents to rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resting {
    /// Per instruction of the plain code: where the agents are for whom it counts as something that it is visited.
    pub(crate) stirs: Vec<Box<[Stir]>>,
    /// What agents wait for that is a time.
    pub(crate) timers: Vec<Timer>,
    /// Whether an agent may rest that has read shared keys.
    pub(crate) reads_shared: bool,
}

/// Agents for whom something happens at an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stir {
    /// Those in this register.
    Reg(u32),
    /// Those that are ticked and have this slot set.
    Slot(u32),
}

/// Agents that wait for a time in a wide column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timer {
    pub(crate) waiting: Waiting,
    pub(crate) time: u32,
}

/// Who waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Waiting {
    /// Those with any of these slots set.
    Slots(Range),
    /// Those in a column of bits.
    Column(u32),
}

impl Resting {
    /// `None` if nothing can wait without the host.
    pub(super) fn of(behaviour: &Behaviour, code: &Code, exprs: &[ExprCode]) -> Option<Self> {
        let waits = |op: &Op| match op {
            Op::Wait(_) | Op::Run { .. } | Op::MachineBegin(_) => true,
            Op::Received(index) => code.receipts[*index as usize].slot.is_some(),
            Op::Action(op) => op.life == Life::Reported,
            _ => false,
        };
        if !code.ops.iter().any(waits) {
            return None;
        }
        let mut facts = code.planners.iter().flat_map(|op| op.domain.facts());
        let is_shared = |key: KeyId| behaviour.key(key).scope != Scope::Agent;
        let mut found = Self {
            reads_shared: exprs.iter().any(ExprCode::reads_shared) || facts.any(is_shared),
            ..Self::default()
        };
        for op in &code.ops {
            let mut stirs = Vec::new();
            if !tells(op, code) {
                op.ports(code, &mut |port| match port {
                    Port::In(reg) => stirs.push(Stir::Reg(reg.0)),
                    Port::Slot(slot) => stirs.push(Stir::Slot(slot)),
                    _ => {}
                });
            }
            found.stirs.push(stirs.into());
            found.add_timers(op, code);
        }
        Some(found)
    }

    fn add_timers(&mut self, op: &Op, code: &Code) {
        let mut add = |waiting, time| self.timers.push(Timer { waiting, time });
        match op {
            Op::Wait(index) => {
                let wait = &code.waits[*index as usize];
                let slots = Range {
                    start: wait.slot,
                    end: wait.slot + 1,
                };
                add(Waiting::Slots(slots), wait.deadline);
            }
            Op::Gate(index) => {
                let gate = &code.gates[*index as usize];
                if let GateKind::Timeout { deadline, .. } = gate.kind {
                    add(Waiting::Slots(gate.child), deadline);
                }
            }
            Op::MachineBegin(index) => {
                let machine = &code.machines[*index as usize];
                for transition in &machine.transitions {
                    if let TriggerOp::After(_, moment) = transition.trigger {
                        let source = &machine.states[transition.source as usize];
                        add(Waiting::Column(source.active), moment);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether an instruction itself says for whom something happens there.
fn tells(op: &Op, code: &Code) -> bool {
    match op {
        Op::Wait(_)
        | Op::Run { .. }
        | Op::Received(_)
        | Op::Check { .. }
        | Op::Constant { .. }
        | Op::Unskip { .. }
        | Op::ParallelBegin(_)
        | Op::ParallelEnter { .. }
        | Op::ParallelCheck { .. }
        | Op::ParallelEnd(_)
        | Op::PlannerBegin(_)
        | Op::PlannerEnd(_)
        | Op::MachineEnd(_) => true,
        Op::Action(op) => op.life == Life::Reported,
        Op::Resume { resume, .. } => code.resumes[*resume as usize].sticky.is_none(),
        Op::ListEnd(index) => code.list_ends[*index as usize].sticky.is_none(),
        Op::LoopBegin(index) | Op::LoopEnd(index) => {
            let again = &code.loops[*index as usize];
            again.each.is_none()
                && again.entered == super::op::Reg::NONE
                && again.times.reread() == super::op::Reread::Never
        }
        Op::Guard(index) => code.guards[*index as usize].held_last.is_none(),
        Op::Gate(index) => {
            let kind = code.gates[*index as usize].kind;
            matches!(kind, GateKind::Timeout { .. })
        }
        Op::MachineBegin(index) => code.machines[*index as usize].deciders.is_empty(),
        _ => false,
    }
}
