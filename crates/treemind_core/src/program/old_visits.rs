//! Which instruction has to be visited when.

use super::op::{Around, Code, Op, Range, Reg};
use std::collections::HashMap;

/// Where agents go that are sent to a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) reg: Reg,
    pub(crate) consumer: u32,
}

/// Where a single agent goes on, and the slots of what it jumps over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) via: Reg,
    pub(crate) to: u32,
    pub(crate) over: Range,
}

/// The edges of a condition or an action, by answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edges {
    pub(crate) success: Edge,
    pub(crate) failure: Edge,
    pub(crate) running: Edge,
}

/// Who has to be visited when a register is filled or a slot is in use. Instructions are named by their positions; one
/// past the last stands for the end of the code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Visits {
    /// Per register: the register that is really filled, and its consumer.
    pub(crate) routes: Vec<Route>,
    /// The same for populations in which nothing was ever skipped: then nobody has to be unmarked.
    pub(crate) short_routes: Vec<Route>,
    /// Per instruction: where a single agent goes on, by the routes and by the short ones. Of conditions and actions
    /// only; the entries of others are never looked at.
    pub(crate) edges: Vec<Edges>,
    pub(crate) short_edges: Vec<Edges>,
    /// Per slot: the instruction that looks whether it is stale, and the beginnings of the loops around it, which say
    /// what stale means. As a run of `slot_ops`.
    slots: Vec<(u32, u32)>,
    slot_ops: Vec<u32>,
    /// The registers that nobody takes from: who is held, and what loops say of their bodies. They are cleared at the
    /// end of a sweep.
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
        let exits = endings(code);
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
                Op::Enter { .. } => checks.extend(exits.get(&Ending::Exit(place))),
                Op::WatchBegin(index) => checks.extend(exits.get(&Ending::Watch(*index))),
                Op::ChoiceBegin(index) => checks.extend(exits.get(&Ending::Test(*index))),
                Op::LoopBegin(index) => {
                    let begun = &code.loops[*index as usize];
                    if begun.entered != Reg::NONE {
                        checks.push(begun.end);
                    }
                }
                Op::InterruptibleBegin(index) => {
                    checks.extend(exits.get(&Ending::Interruptible(*index)));
                }
                Op::SemaphoreBegin(index) => checks.extend(exits.get(&Ending::Semaphore(*index))),
                Op::LooseBegin(index) => checks.extend(exits.get(&Ending::Loose(*index))),
                Op::BackedBegin(index) => {
                    checks.extend(exits.get(&Ending::Background(*index)));
                    checks.extend(exits.get(&Ending::Task(*index)));
                }
                Op::OwnBegin(index) => {
                    checks.extend(code.owns[*index as usize].places.iter().rev())
                }
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
                    let resume = &code.resumes[*resume as usize];
                    let said = resume
                        .children
                        .iter()
                        .flat_map(|child| [child.held, child.continued]);
                    held.extend(said.filter(|reg| *reg != Reg::NONE));
                    let holds = resume.children.iter().any(|child| child.held != Reg::NONE);
                    if holds && resume.held != Reg::NONE {
                        around.push((place, resume.end));
                    }
                }
                Op::Yield(index) => {
                    let waiting = &code.yields[*index as usize];
                    consume(&[waiting.from, waiting.resumed]);
                    own(waiting.slot);
                }
                Op::Place(op) => consume(&[op.go, op.skipped]),
                Op::Gate(index) => {
                    let gate = &code.gates[*index as usize];
                    consume(&[gate.input]);
                    gate.kind.waiting().into_iter().for_each(own);
                }
                Op::Remember(index) => {
                    let remember = &code.remembers[*index as usize];
                    consume(&[remember.success, remember.failure]);
                }
                Op::WatchBegin(index) => consume(&[code.watches[*index as usize].input]),
                Op::WatchEnd(index) => {
                    let watch = &code.watches[*index as usize];
                    let [success, failure, skipped] = watch.answers;
                    consume(&[watch.entered, success, failure, skipped]);
                    own(watch.slot);
                }
                Op::ChoiceBegin(index) => consume(&[code.choices[*index as usize].input]),
                Op::Choose(index) => {
                    let choice = &code.choices[*index as usize];
                    consume(&[
                        choice.entered,
                        choice.success,
                        choice.failure,
                        choice.skipped,
                    ]);
                    held.push(choice.held);
                    around.push((place, choice.end));
                }
                Op::ChoiceEnd(index) => consume(&[code.choices[*index as usize].passing]),
                Op::Guard(index) => {
                    let guard = &code.guards[*index as usize];
                    consume(&[guard.input, guard.passed]);
                }
                Op::After(index) => {
                    let after = &code.afters[*index as usize];
                    consume(&[after.success, after.failure]);
                }
                Op::Switch(index) => consume(&[code.switches[*index as usize].input]),
                Op::Decide(index) => consume(&[code.decisions[*index as usize].input]),
                Op::Preempt(index) => consume(&[code.preempts[*index as usize].input]),
                Op::RunBegin(index) => consume(&[code.run_begins[*index as usize].input]),
                Op::Interrupt(index) => {
                    let interrupt = &code.interrupts[*index as usize];
                    consume(&[interrupt.input]);
                    interrupt.slot.into_iter().for_each(own);
                }
                Op::InterruptibleBegin(index) => {
                    let begun = &code.interruptibles[*index as usize];
                    consume(&[begun.around.input]);
                    begun.pending.into_iter().for_each(own);
                }
                Op::InterruptibleEnd(index) => {
                    consume(&coming_back(&code.interruptibles[*index as usize].around));
                }
                Op::SemaphoreBegin(index) => {
                    let begun = &code.semaphores[*index as usize];
                    consume(&[begun.around.input]);
                    own(begun.asking);
                }
                Op::SemaphoreEnd(index) => {
                    let ended = &code.semaphores[*index as usize];
                    consume(&coming_back(&ended.around));
                    own(ended.held);
                }
                Op::LooseBegin(index) => {
                    let begun = &code.looses[*index as usize];
                    consume(&[begun.around.input]);
                    held.push(begun.held);
                    let last = exits.get(&Ending::Loose(*index)).copied().unwrap_or(end);
                    around.push((place, last));
                }
                Op::LooseEnd(index) => consume(&coming_back(&code.looses[*index as usize].around)),
                Op::Close(index) => {
                    let close = &code.closes[*index as usize];
                    consume(&[close.success, close.failure, close.skipped]);
                }
                Op::BackedBegin(index) => {
                    let begun = &code.backeds[*index as usize];
                    consume(&[begun.input]);
                    begun.done.into_iter().flatten().for_each(own);
                }
                Op::BackedTask(index) => {
                    let task = &code.backeds[*index as usize];
                    let [success, failure, skipped] = task.answers;
                    consume(&[task.entered, success, failure, skipped]);
                    held.push(task.held);
                    let last = exits.get(&Ending::Background(*index)).copied();
                    around.push((place, last.unwrap_or(end)));
                }
                Op::BackedEnd(index) => {
                    let ended = &code.backeds[*index as usize];
                    consume(&[ended.answered, ended.finishing, ended.passing]);
                }
                Op::OwnBegin(index) => {
                    let begun = &code.owns[*index as usize];
                    consume(&[begun.input]);
                    held.extend([begun.entered, begun.began, begun.told]);
                    held.extend(
                        begun
                            .children
                            .iter()
                            .flat_map(|child| [child.sent, child.ran, child.held]),
                    );
                    around.push((place, begun.places.last().copied().unwrap_or(end)));
                }
                Op::OwnCheck { own, child } => {
                    consume(&code.owns[*own as usize].children[*child as usize].answers);
                }
                Op::OwnEnd(index) => own(code.owns[*index as usize].slot),
                Op::MachineBegin(index) => {
                    let begun = &code.machines[*index as usize];
                    consume(&[begun.input]);
                    own(begun.slot);
                    around.push((place, begun.end));
                }
                Op::Post(index) => consume(&[code.posts[*index as usize].input]),
                Op::Cancel(index) => consume(&[code.cancels[*index as usize].input]),
                Op::MachineEnd(index) => consume(&code.machines[*index as usize].ended),
                Op::Changed(op) => consume(&[op.input]),
                Op::Log { input, .. } => consume(&[*input]),
                Op::Emit(op) => consume(&[op.input]),
                Op::Unskip { from, .. } => consume(&[*from]),
                Op::ListEnd(index) => {
                    let end = &code.list_ends[*index as usize];
                    consume(&[end.go, end.stop, end.skipped]);
                    if let super::op::Mark::Reg(mark) = end.mark {
                        consume(&[mark]);
                        marks.push((mark, place));
                    }
                }
                Op::ParallelBegin(index) => {
                    let begun = &code.parallels[*index as usize];
                    consume(&[begun.input]);
                    begun.between.into_iter().for_each(own);
                }
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
                        held.extend([begun.scope, begun.continued]);
                    }
                    if begun.entered != Reg::NONE {
                        held.push(begun.entered);
                    }
                }
                Op::LoopEnd(index) => {
                    let ended = &code.loops[*index as usize];
                    consume(&[ended.again, ended.skipped, ended.stop]);
                }
                Op::RandomBegin(index) => {
                    let begun = &code.randoms[*index as usize];
                    consume(&[begun.input]);
                    begun.between.into_iter().for_each(own);
                    around.push((place, begun.end));
                    held.push(begun.scope);
                }
                Op::RandomEnd(index) => {
                    let ended = &code.randoms[*index as usize];
                    consume(&[ended.go, ended.skipped]);
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
        let short_routes: Vec<Route> = routes.iter().map(shorten).collect();
        let mut visits = Self {
            routes,
            short_routes,
            edges: Vec::new(),
            short_edges: Vec::new(),
            slots,
            slot_ops,
            held,
            marks,
            running,
            slots_before,
        };
        visits.edges = visits.edges_by(code, &visits.routes);
        visits.short_edges = visits.edges_by(code, &visits.short_routes);
        visits
    }

    /// The slots of the instructions between two, if the way leads forward.
    pub(crate) fn over(&self, from: u32, to: u32) -> Range {
        if to <= from {
            return Range::default();
        }
        let start = self.slots_before[from as usize + 1];
        Range {
            start,
            end: self.slots_before[to as usize].max(start),
        }
    }

    fn edges_by(&self, code: &Code, routes: &[Route]) -> Vec<Edges> {
        let edges = |(place, op): (u32, &Op)| {
            let edge = |reg: Reg| {
                let route = routes[reg.0 as usize];
                Edge {
                    via: route.reg,
                    to: route.consumer,
                    over: self.over(place, route.consumer),
                }
            };
            let stays = self.running[place as usize];
            let running = Edge {
                via: Reg::NONE,
                to: stays,
                over: self.over(place, stays),
            };
            let (success, failure) = match op {
                Op::Condition(op) => (edge(op.out.success), edge(op.out.failure)),
                Op::Action(op) => (edge(op.out.success), edge(op.out.failure)),
                _ => (running, running),
            };
            Edges {
                success,
                failure,
                running,
            }
        };
        (0..).zip(&code.ops).map(edges).collect()
    }
}

/// What ends later than it begins, and is to be visited by a token that is left running inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Ending {
    /// A composite in traced code, by the place where it is entered.
    Exit(u32),
    /// The inside of a watch.
    Watch(u32),
    /// The test of a choice.
    Test(u32),
    /// The child of an interruptible, of a semaphore, of what answers in the place of a running child.
    Interruptible(u32),
    Semaphore(u32),
    Loose(u32),
    /// A task, and its background.
    Task(u32),
    Background(u32),
}

/// Where they end.
fn endings(code: &Code) -> HashMap<Ending, u32> {
    let mut entered = Vec::new();
    let ending = |(place, op): (u32, &Op)| match op {
        Op::Enter { .. } => {
            entered.push(place);
            None
        }
        Op::Exit { .. } => Some((Ending::Exit(entered.pop()?), place)),
        Op::WatchEnd(index) => Some((Ending::Watch(*index), place)),
        Op::Choose(index) => Some((Ending::Test(*index), place)),
        Op::InterruptibleEnd(index) => Some((Ending::Interruptible(*index), place)),
        Op::SemaphoreEnd(index) => Some((Ending::Semaphore(*index), place)),
        Op::LooseEnd(index) => Some((Ending::Loose(*index), place)),
        Op::BackedTask(index) => Some((Ending::Task(*index), place)),
        Op::BackedEnd(index) => Some((Ending::Background(*index), place)),
        _ => None,
    };
    (0..).zip(&code.ops).filter_map(ending).collect()
}

/// The registers that come back from the child of a node.
fn coming_back(around: &Around) -> [Reg; 4] {
    let [success, failure, skipped] = around.answers;
    [around.entered, success, failure, skipped]
}

/// The last slot that belongs to an instruction at its place.
fn own_slot(code: &Code, op: &Op) -> Option<u32> {
    match op {
        Op::Condition(op) => op.slot,
        Op::Action(op) => Some(op.slot),
        Op::Run { slot, .. } => Some(*slot),
        Op::Wait(index) => Some(code.waits[*index as usize].slot),
        Op::RandomBegin(index) => code.randoms[*index as usize].between,
        Op::Yield(index) => Some(code.yields[*index as usize].slot),
        Op::WatchEnd(index) => Some(code.watches[*index as usize].slot),
        Op::Gate(index) => code.gates[*index as usize].kind.waiting(),
        Op::ParallelBegin(index) => code.parallels[*index as usize].between,
        Op::Interrupt(index) => code.interrupts[*index as usize].slot,
        Op::InterruptibleBegin(index) => Some(code.interruptibles[*index as usize].pending[1]),
        Op::SemaphoreBegin(index) => Some(code.semaphores[*index as usize].asking),
        Op::SemaphoreEnd(index) => Some(code.semaphores[*index as usize].held),
        Op::LooseEnd(index) => Some(code.looses[*index as usize].around.inside.end),
        Op::BackedBegin(index) => code.backeds[*index as usize].done.map(|done| done[1]),
        Op::MachineEnd(index) => Some(code.machines[*index as usize].slot),
        Op::OwnEnd(index) => Some(code.owns[*index as usize].slot),
        _ => None,
    }
}

pub(super) fn check(code: &Code, slots: usize, new: &super::visits::Visits) {
    let old = Visits::of(code, slots);
    let text = |a: &dyn std::fmt::Debug| format!("{a:?}");
    assert_eq!(text(&old.routes), text(&new.routes));
    assert_eq!(text(&old.short_routes), text(&new.short_routes));
    assert_eq!(text(&old.edges), text(&new.edges));
    assert_eq!(text(&old.short_edges), text(&new.short_edges));
    for slot in 0..slots {
        assert_eq!(old.of_slot(slot), new.of_slot(slot));
    }
    let sorted = |regs: &[Reg]| {
        let mut regs: Vec<u32> = regs
            .iter()
            .map(|reg| reg.0)
            .filter(|reg| *reg != 0)
            .collect();
        regs.sort_unstable();
        regs
    };
    assert_eq!(sorted(&old.held), sorted(&new.held));
    assert_eq!(old.marks, new.marks);
    assert_eq!(old.running, new.running, "{:?}", code.ops);
    assert_eq!(old.slots_before, new.slots_before, "{:?}", code.ops);
}
