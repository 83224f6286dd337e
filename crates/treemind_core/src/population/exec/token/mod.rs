//! The executor for a single agent: instead of sets that flow through registers there is one token, which jumps from
//! instruction to instruction. It runs the same code on the same state as the sweep, and what the two have in common is
//! done by the same functions.
//!
//! What the token jumps over was not reached: runs there are stale and are aborted, which is what a sweep does when it
//! passes them.

mod by_registers;
mod decide;
mod lane;

pub(in crate::population) use lane::Lane;

use super::Exec;
use super::bits::{any, zero};
use crate::behaviour::Life;
use crate::fault::FaultKind;
use crate::host::Lanes;
use crate::ids::{ArgRange, LeafId, NodeId};
use crate::program::op::{
    ActionOp, Code, ConditionOp, ListEnd, Mark, Op, Piece, Range, Reg, Resume, SkipTo, WaitOp,
};
use crate::program::visits::Edge;
use crate::status::{Outcome, Status};
use crate::trace::{Event, Sink};

/// Up to this many slots are checked one by one, which is quicker than to look for words in use.
const FEW_SLOTS: u32 = 8;

/// Where the token goes.
enum Next<'a> {
    /// Along an edge that was computed before.
    Edge(&'a Edge),
    /// To the consumer of a register.
    Reg(Reg),
    /// The token stays here.
    Running,
    /// To the consumer of a register; what is jumped over is held.
    Held(Reg),
    /// To the instruction after this one.
    On,
    /// To that instruction, back or over what has finished.
    To(u32),
}

impl Next<'_> {
    /// The value, unless the token stays where it is.
    fn or(self, other: Self) -> Self {
        match self {
            Next::Running => other,
            next => next,
        }
    }
}

impl<'e, const W: usize, S: Sink> Exec<'e, W, S> {
    /// Ticks one agent. Returns the answer of the root.
    #[inline(always)]
    pub(in crate::population) fn sweep_one(&mut self, lane: Lane) -> Status {
        self.regs[Reg::TICKED.0 as usize][lane.word::<W>()] = lane.bit;
        let end = self.code.ops.len() as u32;
        // The root's first instruction is the first of all.
        let via = self.walk((Reg::ROOT_INPUT, 0), (end, u32::MAX), lane);
        self.regs[Reg::TICKED.0 as usize] = zero();
        self.counters.reset();
        self.release();
        if self.marked {
            self.clear_marks(0, end);
            self.marked = false;
        }
        match via {
            Reg::ROOT_SUCCESS => Status::Success,
            Reg::ROOT_FAILURE => Status::Failure,
            Reg::ROOT_SKIPPED => Status::Skipped,
            _ => Status::Running,
        }
    }

    /// Runs a piece of code. Returns the register of the answer, or none if the piece keeps running.
    #[inline(never)]
    pub(super) fn walk_piece(&mut self, piece: &Piece, lane: Lane) -> Reg {
        let route = self.routes[piece.input.0 as usize];
        let from = (route.reg, route.consumer);
        self.walk(from, (piece.end, piece.slots.end), lane)
    }

    /// Walks from an instruction to the end of a part of the code, and aborts only slots below a limit. Returns the
    /// register in which the agent leaves that part, or none if it keeps running inside.
    #[inline(always)]
    fn walk(&mut self, from: (Reg, u32), (end, end_slot): (u32, u32), lane: Lane) -> Reg {
        let code = self.code;
        let (mut via, mut place) = from;
        while place < end {
            let op = &code.ops[place as usize];
            match self.token_step(code, op, place, via, lane) {
                Next::Edge(edge) => {
                    self.abandon_along(edge, (place, end_slot), lane);
                    (via, place) = (edge.via, edge.to);
                }
                Next::Reg(reg) => {
                    let route = self.routes[reg.0 as usize];
                    via = route.reg;
                    let over = code.visits.over(place, route.consumer);
                    self.abandon(over, end_slot, lane);
                    place = route.consumer;
                }
                Next::Running => {
                    let next = code.visits.running[place as usize];
                    via = Reg::NONE;
                    self.abandon(code.visits.over(place, next), end_slot, lane);
                    place = next;
                }
                Next::Held(reg) => {
                    via = reg;
                    place = self.routes[reg.0 as usize].consumer;
                }
                Next::On => {
                    via = Reg::NONE;
                    place += 1;
                }
                Next::To(next) => {
                    via = Reg::NONE;
                    place = next;
                }
            }
        }
        via
    }

    /// Aborts the runs that the token jumps over along an edge.
    #[inline(always)]
    fn abandon_along(&mut self, edge: &Edge, (place, end_slot): (u32, u32), lane: Lane) {
        match self.used_slots.get(edge.word as usize) {
            Some(used) => {
                let used = used & edge.over;
                if used != 0 {
                    self.abandon_used(edge.word, used, lane);
                }
            }
            None => self.abandon(self.code.visits.over(place, edge.to), end_slot, lane),
        }
    }

    /// Aborts the runs that the token jumps over, in slots below a limit.
    #[inline(always)]
    fn abandon(&mut self, over: Range, end_slot: u32, lane: Lane) {
        let (start, end) = (over.start, over.end.min(end_slot));
        if start < end {
            self.abandon_range(start, end, lane);
        }
    }

    #[inline(never)]
    fn abandon_range(&mut self, start: u32, end: u32, lane: Lane) {
        for word in words_of(start, end) {
            let used = self.used_slots[word as usize] & bits_in(word, start, end);
            if used != 0 {
                self.abandon_used(word, used, lane);
            }
        }
    }

    /// Whether the agent has a slot of the range set.
    #[inline]
    fn runs_in(&self, range: Range, lane: Lane) -> bool {
        if range.end.saturating_sub(range.start) <= FEW_SLOTS {
            let mut slots = range.start..range.end;
            return slots.any(|slot| lane.is_in(&self.slots[slot as usize]));
        }
        words_of(range.start, range.end).any(|word| {
            let mut used = self.used_slots[word as usize] & bits_in(word, range.start, range.end);
            while used != 0 {
                let slot = word * 64 + used.trailing_zeros();
                if lane.is_in(&self.slots[slot as usize]) {
                    return true;
                }
                used &= used - 1;
            }
            false
        })
    }

    /// Aborts the runs in some slots, given as bits of a word.
    #[inline(never)]
    fn abandon_used(&mut self, word: u32, mut used: u64, lane: Lane) {
        while used != 0 {
            let slot = word * 64 + used.trailing_zeros();
            let bits = &mut self.slots[slot as usize];
            if lane.is_in(bits) {
                bits[lane.word::<W>()] &= !lane.bit;
                self.run_is_cut_off(slot, &lane.set());
            }
            if !any(&self.slots[slot as usize]) {
                self.used_slots[word as usize] &= !(1 << (slot % 64));
            }
            used &= used - 1;
        }
    }

    #[cold]
    pub(super) fn clear_marks(&mut self, start: u32, end: u32) {
        for (mark, consumer) in &self.code.visits.marks {
            if (start..=end).contains(consumer) {
                self.regs[mark.0 as usize] = zero();
            }
        }
    }

    #[inline(always)]
    fn token_step(&mut self, code: &Code, op: &Op, place: u32, via: Reg, lane: Lane) -> Next<'e> {
        match op {
            Op::Condition(op) => self.token_condition(op, place, lane),
            Op::Action(op) => self.token_action(op, place, lane),
            Op::Wait(index) => self.token_wait(&code.waits[*index as usize], place, lane),
            Op::Check { node, expr, .. } => {
                let holds = self.test_holds(*node, *expr, lane);
                self.record(
                    *node,
                    Event::Tick(Status::from(holds)),
                    lane.word::<W>(),
                    lane.bit,
                );
                let edges = &self.edges[place as usize];
                Next::Edge(if holds {
                    &edges.success
                } else {
                    &edges.failure
                })
            }
            Op::Constant {
                node, success, to, ..
            } => {
                self.record(
                    *node,
                    Event::Tick(Status::from(*success)),
                    lane.word,
                    lane.bit,
                );
                Next::Reg(*to)
            }
            Op::Run { node, slot, .. } => {
                self.occupy(*slot, &lane.set());
                self.record(
                    *node,
                    Event::Tick(Status::Running),
                    lane.word::<W>(),
                    lane.bit,
                );
                Next::Running
            }
            Op::Resume { resume, .. } => self.token_resume(&code.resumes[*resume as usize], lane),
            Op::Unskip { to, mark, .. } => {
                self.unmark(*mark, &lane.set());
                Next::Reg(*to)
            }
            Op::ListEnd(end) => self.token_list_end(&code.list_ends[*end as usize], via, lane),
            Op::Enter { node, inner, .. } => {
                self.record(*node, Event::Enter, lane.word::<W>(), lane.bit);
                Next::Reg(*inner)
            }
            Op::Exit {
                node, answers, out, ..
            } => {
                let [success, failure, skipped] = *answers;
                let (status, next) = match via {
                    via if via == success => (Status::Success, Next::Reg(out.success)),
                    via if via == failure => (Status::Failure, Next::Reg(out.failure)),
                    via if via == skipped => (Status::Skipped, self.token_skip(out.skipped, lane)),
                    _ => (Status::Running, Next::Running),
                };
                self.record(*node, Event::Tick(status), lane.word::<W>(), lane.bit);
                next
            }
            Op::Decide(index) => self.token_decide(&code.decisions[*index as usize], lane),
            Op::MachineBegin(index) => {
                let machine = &code.machines[*index as usize];
                let Some(table) = self.table_for(machine, lane) else {
                    return self.by_registers(code, op, place, via, lane);
                };
                match self.machine_by_table(machine, table, lane) {
                    true => Next::To(machine.end),
                    false => self.came_out(place),
                }
            }
            Op::MachineEnd(_) if via == Reg::NONE => Next::Running,
            _ => self.by_registers(code, op, place, via, lane),
        }
    }

    #[cold]
    fn token_skip(&mut self, to: SkipTo, lane: Lane) -> Next<'e> {
        self.note_skips();
        match to.mark {
            Mark::None => {}
            Mark::Bits(index) => self.set_bit(index, lane),
            Mark::Reg(reg) => {
                self.regs[reg.0 as usize][lane.word::<W>()] |= lane.bit;
                self.marked = true;
            }
        }
        Next::Reg(to.to)
    }

    #[inline(always)]
    fn agent_of(&self, lane: Lane) -> usize {
        self.call.around.first + lane.word::<W>() * 64 + lane.bit.trailing_zeros() as usize
    }

    // Branches by answer, not a table: the processor predicts a branch, but would wait for the load from a table.
    #[inline(always)]
    fn token_condition(&mut self, op: &ConditionOp, place: u32, lane: Lane) -> Next<'e> {
        if let Some(slot) = op.slot {
            self.slots[slot as usize][lane.word::<W>()] &= !lane.bit;
        }
        let status = self.ask_one(op, lane);
        self.record(op.node, Event::Tick(status), lane.word::<W>(), lane.bit);
        match status {
            Status::Success => Next::Edge(&self.edges[place as usize].success),
            Status::Failure => Next::Edge(&self.edges[place as usize].failure),
            Status::Skipped => self.token_skip(op.out.skipped, lane),
            Status::Running => {
                if let (Some(slot), Reg::NONE) = (op.slot, op.running) {
                    self.occupy(slot, &lane.set());
                }
                Next::Edge(&self.edges[place as usize].running)
            }
        }
    }

    /// Asks a condition for a single agent.
    #[inline(always)]
    pub(super) fn ask_one(&mut self, op: &ConditionOp, lane: Lane) -> Status {
        if op.args.computed && any(&self.evaluate_args(op.node, op.args, &lane.set())) {
            return Status::Failure;
        }
        let agent = self.agent_of(lane);
        self.call.at(op.node, op.leaf, op.args);
        self.before_call();
        let status = self.host.ask_one(&mut self.call, agent);
        self.after_call();
        status.negated_if(op.negated)
    }

    #[inline(always)]
    fn token_action(&mut self, op: &ActionOp, place: u32, lane: Lane) -> Next<'e> {
        let was_running = lane.is_in(&self.slots[op.slot as usize]);
        if !was_running {
            if op.args.computed && any(&self.evaluate_args(op.node, op.args, &lane.set())) {
                self.record(
                    op.node,
                    Event::Tick(Status::Failure),
                    lane.word::<W>(),
                    lane.bit,
                );
                return Next::Edge(&self.edges[place as usize].failure);
            }
            self.record(op.node, Event::Start, lane.word::<W>(), lane.bit);
            if op.life == Life::Reported {
                self.number_runs(op, &lane.set());
            }
            let first = self.call.around.first + lane.word::<W>() * 64;
            self.call.at(op.node, op.leaf, op.args);
            self.before_call();
            self.host
                .start(&mut self.call, Lanes::new(first, &[lane.bit]));
            self.after_call();
        }
        let agent = self.agent_of(lane);
        let mut status = if op.life == Life::Reported {
            self.token_reported(op, was_running, lane)
        } else {
            self.call.at(op.node, op.leaf, op.args);
            self.before_call();
            let status = self.host.update_one(&mut self.call, agent);
            self.after_call();
            status
        };
        if op.life == Life::Instant && status == Status::Running {
            self.fault(op.node, &FaultKind::InstantRan, lane.word::<W>(), lane.bit);
            status = Status::Failure;
        }
        self.record(op.node, Event::Tick(status), lane.word::<W>(), lane.bit);
        if status == Status::Running {
            if !was_running {
                self.occupy(op.slot, &lane.set());
            }
            return Next::Edge(&self.edges[place as usize].running);
        }
        if status == Status::Skipped {
            return self.token_skipped_action(op, was_running, lane);
        }
        self.slots[op.slot as usize][lane.word::<W>()] &= !lane.bit;
        if status == Status::Success {
            self.token_stop((op.node, op.leaf, op.args), lane, Outcome::Success);
            Next::Edge(&self.edges[place as usize].success)
        } else {
            self.token_stop((op.node, op.leaf, op.args), lane, Outcome::Failure);
            Next::Edge(&self.edges[place as usize].failure)
        }
    }

    /// The end that the host has reported for an action that it ends itself.
    #[cold]
    fn token_reported(&mut self, op: &ActionOp, was_running: bool, lane: Lane) -> Status {
        let [success, failure] = op.reported.map(|column| {
            if !was_running {
                self.clear_bit(column, lane);
            }
            self.has_bit(column, lane)
        });
        match (success, failure) {
            (true, _) => Status::Success,
            (_, true) => Status::Failure,
            _ => Status::Running,
        }
    }

    #[cold]
    fn token_skipped_action(&mut self, op: &ActionOp, was_running: bool, lane: Lane) -> Next<'e> {
        if op.drop && was_running {
            self.record(op.node, Event::Abort, lane.word::<W>(), lane.bit);
        }
        if op.drop || !was_running {
            self.slots[op.slot as usize][lane.word::<W>()] &= !lane.bit;
            self.token_stop((op.node, op.leaf, op.args), lane, Outcome::Aborted);
        }
        self.token_skip(op.out.skipped, lane)
    }

    #[inline(never)]
    fn token_stop(&mut self, place: (NodeId, LeafId, ArgRange), lane: Lane, outcome: Outcome) {
        self.stop(place, &lane.set(), outcome);
    }

    fn token_wait(&mut self, op: &WaitOp, place: u32, lane: Lane) -> Next<'e> {
        let was_waiting = lane.is_in(&self.slots[op.slot as usize]);
        let edges = &self.edges[place as usize];
        let has_failed =
            !was_waiting && any(&self.set_times(op.node, op.secs, op.deadline, &lane.set()));
        let is_over = !has_failed
            && self.call.run.read().wide(op.deadline)[lane.number()] <= self.call.around.now_ns;
        let (status, edge) = match (has_failed, is_over) {
            (true, _) => (Status::Failure, &edges.failure),
            (_, true) => (Status::Success, &edges.success),
            (false, false) => (Status::Running, &edges.running),
        };
        if status != Status::Running {
            self.slots[op.slot as usize][lane.word::<W>()] &= !lane.bit;
        } else if !was_waiting {
            self.occupy(op.slot, &lane.set());
        }
        self.record(op.node, Event::Tick(status), lane.word::<W>(), lane.bit);
        Next::Edge(edge)
    }

    /// To the last child that has something live, or the child that a sticky list remembers; what is live before
    /// it is held.
    #[inline(never)]
    fn token_resume(&mut self, resume: &Resume, lane: Lane) -> Next<'e> {
        let is_live = |exec: &Self, range: Range| {
            if !exec.call.around.program.loose.is_empty() {
                return lane.is_in(&exec.live(range));
            }
            exec.runs_in(range, lane)
        };
        if let Some(sticky) = resume.sticky {
            self.resume_sticky(resume, sticky, &lane.set(), &zero());
            for child in &resume.children {
                if let Some(reg) = self.came_to(child.input) {
                    self.abandon_loose(resume, child.own.start, lane);
                    return Next::Held(reg);
                }
            }
        }
        let (first, last) = (&resume.children[0], resume.children.last());
        let all = Range {
            start: first.range.start,
            end: last.map_or(0, |last| last.range.end),
        };
        // Usually nothing runs in the whole of a long list, and no child has to be checked.
        let is_short = all.end.saturating_sub(all.start) <= FEW_SLOTS;
        let has_loose = !self.call.around.program.loose.is_empty();
        let some = is_short || has_loose || self.runs_in(all, lane);
        let mut children = resume.children.iter().rev();
        let live = some.then(|| children.find(|child| is_live(self, child.range)));
        let child = live.flatten().unwrap_or(first);
        if child.input == first.input {
            self.unmark(resume.mark, &lane.set());
        }
        for other in resume
            .children
            .iter()
            .filter(|child| child.continued != Reg::NONE)
        {
            let inside = other.input == child.input && is_live(self, other.own);
            let continued = if inside { lane.set() } else { zero() };
            self.hold(other.continued, &continued);
        }
        self.abandon_loose(resume, child.own.start, lane);
        Next::Held(child.input)
    }

    /// Aborts what is left behind in children that the list has passed.
    fn abandon_loose(&mut self, resume: &Resume, before: u32, lane: Lane) {
        if self.call.around.program.loose.is_empty() {
            return;
        }
        for passed in resume
            .children
            .iter()
            .filter(|child| child.own.end <= before)
        {
            if !lane.is_in(&self.live(passed.range)) {
                self.abort(passed.range, &lane.set());
            }
        }
    }

    #[inline(never)]
    fn token_list_end(&mut self, end: &ListEnd, via: Reg, lane: Lane) -> Next<'e> {
        let skipped = via == end.skipped;
        let all_skipped = skipped
            && match end.mark {
                Mark::None => false,
                Mark::Bits(index) => self.has_bit(index, lane),
                Mark::Reg(reg) => self.regs[reg.0 as usize][lane.word::<W>()] & lane.bit != 0,
            };
        if let (Some(sticky), true) = (end.sticky, via == end.stop) {
            self.leave_open(sticky, &lane.set());
        }
        if !(all_skipped && end.keep_open) {
            self.abort(end.close, &lane.set());
        }
        if let Some(sticky) = end.sticky {
            let forgets = if via == end.stop { zero() } else { lane.set() };
            self.leave_sticky(sticky, &lane.set(), &forgets);
        }
        if all_skipped {
            self.token_skip(end.out_skipped, lane)
        } else if via == end.stop {
            Next::Reg(end.out_stop)
        } else {
            Next::Reg(end.out_go)
        }
    }
}

/// The words that contain the bits of slots from `start` to before `end`.
fn words_of(start: u32, end: u32) -> std::ops::Range<u32> {
    start / 64..end.max(start).div_ceil(64)
}

/// The bits of a word for slots from `start` to before `end`.
fn bits_in(word: u32, start: u32, end: u32) -> u64 {
    let below = |slot: u32| match slot.saturating_sub(word * 64) {
        bits @ 0..64 => !(u64::MAX << bits),
        _ => u64::MAX,
    };
    below(end) & !below(start)
}
