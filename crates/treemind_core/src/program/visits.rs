//! Which instruction has to be visited when.

use super::op::{Code, Op, Reg};
use crate::ids::NodeId;
use std::collections::HashMap;

/// Where agents go that are sent to a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) reg: Reg,
    pub(crate) consumer: u32,
}

/// Who has to be visited when a register is filled or a slot is in use. Instructions are named by their positions; one
/// past the last stands for the end of the code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Visits {
    /// Per register: the register that is really filled, and its consumer.
    pub(crate) routes: Vec<Route>,
    /// The same for populations in which nothing was ever skipped: then nobody has to be unmarked.
    pub(crate) short_routes: Vec<Route>,
    /// Per slot: the instruction that looks whether it is stale, and the beginnings of the loops around it, which say
    /// what stale means. As a run of `slot_ops`.
    slots: Vec<(u32, u32)>,
    slot_ops: Vec<u32>,
    /// The registers that say who is held.
    pub(crate) held: Vec<Reg>,
    /// The registers that mark who has been skipped so far, with their consumers.
    pub(crate) marks: Vec<(Reg, u32)>,
    /// Per instruction, and for the end: where a single agent goes on that is left running there. That is the check of
    /// the parallel around it, in traced code the exit of the composite around it, or the end.
    pub(crate) running: Vec<u32>,
    /// Per instruction, and for the end: how many slots belong to the instructions before it.
    pub(crate) slots_before: Vec<u32>,
}

impl Visits {
    /// The instructions that a slot in use makes pending.
    pub(crate) fn of_slot(&self, slot: usize) -> &[u32] {
        let (start, end) = self.slots[slot];
        &self.slot_ops[start as usize..end as usize]
    }

    /// Works them out for finished code.
    pub(super) fn of(code: &Code, slots: usize) -> Self {
        let end = code.ops.len() as u32;
        let mut consumers = vec![end; code.registers as usize];
        let mut owners: Vec<Vec<u32>> = vec![Vec::new(); slots];
        let mut held = Vec::new();
        let mut marks = Vec::new();
        let mut running = vec![end; code.ops.len() + 1];
        let mut slots_before = Vec::with_capacity(code.ops.len() + 1);
        let mut slots_so_far = 1;
        let exits = exits(code);
        // The checks of the parallels that an instruction stands in, in traced code also the exits of the composites;
        // innermost last.
        let mut checks: Vec<u32> = Vec::new();
        // The loops that an instruction stands in, innermost last: where they begin and end.
        let mut around: Vec<(u32, u32)> = Vec::new();
        for (place, op) in (0..).zip(&code.ops) {
            around.retain(|(_, last)| place <= *last);
            checks.retain(|check| place < *check);
            running[place as usize] = checks.last().copied().unwrap_or(end);
            match op {
                Op::Enter { node, .. } => checks.extend(exits.get(node)),
                Op::LoopEnd(index) => slots_so_far = code.loops[*index as usize].between + 1,
                Op::ParallelEnter { parallel, child } => {
                    let parallel = &code.parallels[*parallel as usize];
                    checks.push(parallel.places[*child as usize * 2 + 1]);
                }
                Op::ParallelCheck { parallel, child } => {
                    let child = &code.parallels[*parallel as usize].children[*child as usize];
                    slots_so_far = child.upto.end;
                }
                _ => {}
            }
            slots_before.push(slots_so_far);
            if let Some(slot) = own_slot(code, op) {
                slots_so_far = slot + 1;
            }
            let mut consume = |registers: &[Reg]| {
                for register in registers {
                    if *register != Reg::NONE {
                        debug_assert_eq!(
                            consumers[register.0 as usize], end,
                            "a register has one consumer"
                        );
                        consumers[register.0 as usize] = place;
                    }
                }
            };
            let mut own = |slot: u32| {
                let loops = around.iter().map(|(begin, _)| *begin);
                owners[slot as usize].extend(loops.chain([place]));
            };
            match op {
                Op::Condition(op) => {
                    consume(&[op.input]);
                    op.slot.into_iter().for_each(own);
                }
                Op::Action(op) => {
                    consume(&[op.input]);
                    own(op.slot);
                }
                Op::Run { input, slot, .. } => {
                    consume(&[*input]);
                    own(*slot);
                }
                Op::Wait(index) => {
                    let wait = &code.waits[*index as usize];
                    consume(&[wait.input]);
                    own(wait.slot);
                }
                Op::Check { input, .. } | Op::Set { input, .. } | Op::Constant { input, .. } => {
                    consume(&[*input])
                }
                Op::Enter { input, .. } => consume(&[*input]),
                Op::Exit {
                    entered,
                    answers: [success, failure, skipped],
                    ..
                } => {
                    consume(&[*entered, *success, *failure, *skipped]);
                }
                Op::Resume { input, resume } => {
                    consume(&[*input]);
                    let children = &code.resumes[*resume as usize].children;
                    held.extend(
                        children
                            .iter()
                            .map(|child| child.held)
                            .filter(|held| *held != Reg::NONE),
                    );
                }
                Op::Unskip { from, .. } => consume(&[*from]),
                Op::ListEnd(index) => {
                    let end = &code.list_ends[*index as usize];
                    consume(&[end.go, end.stop, end.skipped]);
                    if let super::op::Mark::Reg(mark) = end.mark {
                        consume(&[mark]);
                        marks.push((mark, place));
                    }
                }
                Op::ParallelBegin(index) => consume(&[code.parallels[*index as usize].input]),
                Op::ParallelEnter { parallel, child } => {
                    let child = &code.parallels[*parallel as usize].children[*child as usize];
                    child.done.into_iter().flatten().for_each(own);
                }
                Op::ParallelCheck { parallel, child } => {
                    let child = &code.parallels[*parallel as usize].children[*child as usize];
                    consume(&[child.success, child.failure, child.skipped]);
                }
                Op::ParallelEnd(_) => {}
                Op::LoopBegin(index) => {
                    let begun = &code.loops[*index as usize];
                    consume(&[begun.input]);
                    own(begun.between);
                    if begun.scope != Reg::NONE {
                        around.push((place, begun.end));
                    }
                }
                Op::LoopEnd(index) => {
                    let ended = &code.loops[*index as usize];
                    consume(&[ended.again, ended.skipped, ended.stop]);
                }
                Op::RandomBegin(index) => {
                    let begun = &code.randoms[*index as usize];
                    consume(&[begun.input]);
                    around.push((place, begun.end));
                }
                Op::RandomEnd(index) => {
                    let ended = &code.randoms[*index as usize];
                    consume(&[ended.failure, ended.skipped]);
                }
            }
        }
        slots_before.push(slots as u32);
        let mut slot_ops = Vec::new();
        let slots = owners.into_iter().map(|ops| {
            let start = slot_ops.len() as u32;
            slot_ops.extend(ops);
            (start, slot_ops.len() as u32)
        });
        let slots = slots.collect();
        let route = |(number, consumer): (u32, &u32)| Route {
            reg: Reg(number),
            consumer: *consumer,
        };
        let routes: Vec<Route> = (0..).zip(&consumers).map(route).collect();
        let shorten = |route: &Route| {
            let mut route = *route;
            while let Some(Op::Unskip { to, .. }) = code.ops.get(route.consumer as usize) {
                route = routes[to.0 as usize];
            }
            route
        };
        let short_routes = routes.iter().map(shorten).collect();
        Self {
            routes,
            short_routes,
            slots,
            slot_ops,
            held,
            marks,
            running,
            slots_before,
        }
    }
}

/// Where composites answer in traced code.
fn exits(code: &Code) -> HashMap<NodeId, u32> {
    let exit = |(place, op): (u32, &Op)| match op {
        Op::Exit { node, .. } => Some((*node, place)),
        _ => None,
    };
    (0..).zip(&code.ops).filter_map(exit).collect()
}

/// The slot of a leaf.
fn own_slot(code: &Code, op: &Op) -> Option<u32> {
    match op {
        Op::Condition(op) => op.slot,
        Op::Action(op) => Some(op.slot),
        Op::Run { slot, .. } => Some(*slot),
        Op::Wait(index) => Some(code.waits[*index as usize].slot),
        _ => None,
    }
}
