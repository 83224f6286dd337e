//! The executor: one sweep over the code of a program for the agents of one chunk.

// long: every instruction, with what carries it out.

mod abort;
mod best;
mod bits;
mod choices;
mod cut;
mod decide;
mod each;
mod enclosing;
mod evaluate;
mod find;
mod find_words;
mod gates;
mod guards_and_hooks;
mod keys;
mod leaves;
mod list_changes;
mod lists;
mod loops;
mod machine;
mod own;
mod parallel;
pub(super) mod planner;
mod policy;
mod randoms;
mod rate;
mod received;
mod rules;
mod stirs;
mod token;
mod utility;
mod values;

use crate::blackboard::{CellsMut, WIDE};
use crate::eval::{ExprStacks, Sources};
use crate::fault::FaultKind;
use crate::host::{Call, Host, Lanes, Surroundings};
use crate::ids::{ArgRange, LeafId, NodeId};
use crate::population::settling::mail::Mail;
use crate::population::ticking::scratch::{Counters, FindDesk, MoveDesk, PlanDesk};
use crate::population::ticking::trail::Trail;
use crate::program::op::{Code, Mark, Op, Out, Range, Reach, Reg, SkipTo};
use crate::program::visits::{Edges, Route};
use crate::status::{Outcome, Status};
use crate::trace::{Event, Record, Sink};
use bits::{Bits, add, and, any, or, remove, without, zero};

pub(super) use gates::past_of_word;
pub(super) use token::Lane;

/// What one sweep needs, apart from the host.
pub(super) struct Exec<'a, const W: usize, S> {
    /// What the host is given: the state of the chunk, and which leaf is called.
    pub(super) call: Call<'a>,
    pub(super) code: &'a Code,
    pub(super) regs: &'a mut [Bits<W>],
    pub(super) slots: &'a mut [Bits<W>],
    pub(super) stacks: &'a mut ExprStacks,
    pub(super) counters: &'a mut Counters,
    pub(super) moves: &'a mut MoveDesk,
    pub(super) plans: &'a mut PlanDesk,
    pub(super) finds: &'a mut FindDesk,
    pub(super) trail: &'a mut Trail,
    pub(super) host: &'a mut dyn Host,
    pub(super) sink: &'a mut S,
    pub(super) chances: Chances<'a>,
    /// The places of shared semaphores that were taken at the start of the tick: group after group.
    pub(super) taken_places: &'a [u32],
    /// The events that have come; none between two ticks.
    pub(super) mail: &'a Mail,
    /// Whether single agents are swept, too.
    pub(super) sweeps_all: bool,
    /// The instructions still to be visited, a bit each, and one for the end of the code.
    pub(super) pending: &'a mut [u64],
    /// The slots that may have a bit set.
    pub(super) used_slots: &'a mut [u64],
    /// The consumers of the registers.
    pub(super) routes: &'a [Route],
    pub(super) edges: &'a [Edges],
    /// Whether anything was ever skipped in this population.
    pub(super) skipped_ever: &'a mut bool,
    /// Whether a register without a consumer is filled.
    pub(super) holds: bool,
    /// Whether a token has set a mark.
    pub(super) marked: bool,
    /// Whether the sweep notes to which agents anything happens, and to which it has happened.
    pub(super) tracks: bool,
    pub(super) stirred: Bits<W>,
    /// How many nested machines are being aborted at the moment.
    pub(super) cutting: u32,
}

/// What random numbers depend on, apart from the tick.
#[derive(Clone, Copy)]
pub(super) struct Chances<'a> {
    pub(super) seed: u64,
    /// Stable ids by agent; the index itself where there are none.
    pub(super) ids: &'a [u64],
}

/// The answers of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roots<const W: usize> {
    pub(super) success: Bits<W>,
    pub(super) failure: Bits<W>,
    pub(super) skipped: Bits<W>,
}

/// Where expressions read.
fn sources<'s>(around: &Surroundings<'s>, board: &'s CellsMut<'_>) -> Sources<'s> {
    Sources {
        own: board.read(),
        shared: around.shared,
        board: &around.program.board,
        lives: around.lives,
        first: around.first,
        now_ns: around.now_ns,
    }
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Ticks the agents in `ticked`.
    #[inline(never)]
    pub(super) fn sweep(&mut self, ticked: &Bits<W>) -> Roots<W> {
        self.regs[Reg::TICKED.0 as usize] = *ticked;
        self.send(Reg::ROOT_INPUT, ticked);
        self.wake_running();
        let code = self.code;
        let (mut word, mut from) = (0, 0);
        while word < self.pending.len() {
            let pending = self.pending[word] & (u64::MAX << from);
            if pending == 0 {
                (word, from) = (word + 1, 0);
                continue;
            }
            let bit = pending.trailing_zeros();
            self.pending[word] &= !(1 << bit);
            let place = word as u32 * 64 + bit;
            let Some(op) = code.ops.get(place as usize) else {
                break;
            };
            if W >= WIDE && self.tracks {
                self.stir_by(place);
            }
            let next = self.step(code, op).unwrap_or(place + 1);
            (word, from) = (next as usize / 64, next % 64);
        }
        let roots = Roots {
            success: self.take(Reg::ROOT_SUCCESS),
            failure: self.take(Reg::ROOT_FAILURE),
            skipped: self.take(Reg::ROOT_SKIPPED),
        };
        self.regs[Reg::TICKED.0 as usize] = zero();
        self.counters.reset();
        self.release();
        roots
    }

    /// Clears the set of held agents.
    #[inline(always)]
    fn release(&mut self) {
        if self.holds {
            for held in &self.code.visits.held {
                self.regs[held.0 as usize] = zero();
            }
            self.holds = false;
        }
    }

    /// Makes the instructions pending that look after slots in use.
    #[inline(always)]
    fn wake_running(&mut self) {
        for word in 0..self.used_slots.len() {
            let mut rest = self.used_slots[word];
            while rest != 0 {
                let slot = word * 64 + rest.trailing_zeros() as usize;
                if any(&self.slots[slot]) {
                    for op in self.code.visits.of_slot(slot) {
                        self.pending[*op as usize / 64] |= 1 << (op % 64);
                    }
                } else {
                    self.used_slots[word] &= !(rest & rest.wrapping_neg());
                }
                rest &= rest - 1;
            }
        }
    }

    /// Makes the instructions between two places pending that look after the slots in use of a range.
    fn wake_slots(&mut self, range: Range, start: u32, end: u32) {
        let code = self.code;
        for slot in range.start..range.end {
            if any(&self.slots[slot as usize]) {
                for place in code.visits.of_slot(slot as usize) {
                    if (start..end).contains(place) {
                        self.wake(*place);
                    }
                }
            }
        }
    }

    /// Carries out one instruction. Returns where to continue if that is not the next instruction.
    #[inline]
    fn step(&mut self, code: &Code, op: &Op) -> Option<u32> {
        match op {
            Op::Condition(op) => self.condition(op),
            Op::Action(op) => self.action(op),
            Op::Check {
                node,
                expr,
                input,
                success,
                failure,
            } => {
                self.check(*node, *expr, *input, (*success, *failure));
            }
            Op::Set {
                node,
                start,
                count,
                input,
                success,
                failure,
            } => {
                self.set(*node, (*start, *count), *input, (*success, *failure));
            }
            Op::Wait(wait) => self.wait(&code.waits[*wait as usize]),
            Op::Constant {
                node,
                success,
                input,
                to,
            } => {
                let input = self.take(*input);
                self.record_all(*node, Event::Tick(Status::from(*success)), &input);
                self.send(*to, &input);
            }
            Op::Run {
                node,
                input,
                slot,
                reach,
            } => self.run_forever(*node, *input, *slot, *reach),
            Op::Resume { input, resume } => self.resume(*input, &code.resumes[*resume as usize]),
            Op::Unskip { from, to, mark } => {
                let from = self.take(*from);
                self.unmark(*mark, &from);
                self.send(*to, &from);
            }
            Op::ListEnd(end) => self.list_end(&code.list_ends[*end as usize]),
            Op::ParallelBegin(index) => self.parallel_begin(&code.parallels[*index as usize]),
            Op::ParallelEnter { parallel, child } => {
                let parallel = &code.parallels[*parallel as usize];
                self.parallel_enter(parallel, &parallel.children[*child as usize]);
            }
            Op::ParallelCheck { parallel, child } => {
                self.parallel_check(&code.parallels[*parallel as usize], *child as usize);
            }
            Op::ParallelEnd(index) => self.parallel_end(&code.parallels[*index as usize]),
            Op::LoopBegin(index) => self.loop_begin(&code.loops[*index as usize]),
            Op::LoopEnd(index) => {
                let again = &code.loops[*index as usize];
                return self.loop_end(again).then_some(again.body_start);
            }
            Op::RandomBegin(index) => self.random_begin(&code.randoms[*index as usize]),
            Op::RandomEnd(index) => {
                let random = &code.randoms[*index as usize];
                return self.random_end(random).then_some(random.body_start);
            }
            Op::Yield(index) => self.yield_between(&code.yields[*index as usize]),
            Op::Place(op) => self.place(op),
            Op::Gate(index) => self.gate(&code.gates[*index as usize]),
            Op::Remember(index) => self.remember(&code.remembers[*index as usize]),
            Op::WatchBegin(index) => self.watch_begin(&code.watches[*index as usize]),
            Op::WatchEnd(index) => self.watch_end(&code.watches[*index as usize]),
            Op::ChoiceBegin(index) => self.choice_begin(&code.choices[*index as usize]),
            Op::Choose(index) => self.choose(&code.choices[*index as usize]),
            Op::ChoiceEnd(index) => self.choice_end(&code.choices[*index as usize]),
            Op::Guard(index) => self.guard(&code.guards[*index as usize]),
            Op::After(index) => self.after(&code.afters[*index as usize]),
            Op::Switch(index) => self.switch(&code.switches[*index as usize]),
            Op::Decide(index) => self.decide_tree(&code.decisions[*index as usize]),
            Op::OwnEnd(index) => {
                let own = &code.owns[*index as usize];
                return self.own_end(own).then_some(own.body_start);
            }
            Op::Preempt(_)
            | Op::RunBegin(_)
            | Op::Interrupt(_)
            | Op::InterruptibleBegin(_)
            | Op::InterruptibleEnd(_)
            | Op::SemaphoreBegin(_)
            | Op::SemaphoreEnd(_)
            | Op::LooseBegin(_)
            | Op::LooseEnd(_)
            | Op::Close(_)
            | Op::Leave(_)
            | Op::BackedBegin(_)
            | Op::BackedTask(_)
            | Op::BackedEnd(_)
            | Op::OwnBegin(_)
            | Op::OwnCheck { .. }
            | Op::PlannerBegin(_)
            | Op::PlannerEnd(_)
            | Op::MachineBegin(_)
            | Op::MachineEnd(_)
            | Op::Rate(_)
            | Op::Find(_)
            | Op::Policy(_)
            | Op::Rule(_)
            | Op::RuleTask(_)
            | Op::Post(_)
            | Op::Cancel(_) => self.step_inside(code, op),
            Op::Changed(op) => self.changed(op),
            Op::Log {
                node,
                input,
                success,
            } => self.log(*node, *input, *success),
            Op::Emit(op) => self.emit(op),
            Op::Received(index) => self.received(&code.receipts[*index as usize]),
            Op::Enter {
                node,
                input,
                inner,
                entered,
                ..
            } => {
                let input = self.take(*input);
                self.record_all(*node, Event::Enter, &input);
                self.send(*entered, &input);
                self.send(*inner, &input);
            }
            Op::Exit {
                node,
                entered,
                answers,
                out,
            } => self.exit(*node, *entered, *answers, out),
        }
        None
    }

    /// The instructions of nodes that few programs have.
    #[inline(never)]
    fn step_inside(&mut self, code: &Code, op: &Op) {
        match op {
            Op::Preempt(index) => self.preempt(&code.preempts[*index as usize]),
            Op::RunBegin(index) => self.run_begin(&code.run_begins[*index as usize]),
            Op::Interrupt(index) => self.interrupt(&code.interrupts[*index as usize]),
            Op::InterruptibleBegin(index) => {
                self.interruptible_begin(&code.interruptibles[*index as usize]);
            }
            Op::InterruptibleEnd(index) => {
                self.interruptible_end(&code.interruptibles[*index as usize]);
            }
            Op::SemaphoreBegin(index) => self.semaphore_begin(&code.semaphores[*index as usize]),
            Op::SemaphoreEnd(index) => self.semaphore_end(&code.semaphores[*index as usize]),
            Op::LooseBegin(index) => self.loose_begin(&code.looses[*index as usize]),
            Op::LooseEnd(index) => self.loose_end(&code.looses[*index as usize]),
            Op::Close(index) => self.close(&code.closes[*index as usize]),
            Op::Leave(index) => self.leave(&code.leaves[*index as usize]),
            Op::BackedBegin(index) => self.backed_begin(&code.backeds[*index as usize]),
            Op::BackedTask(index) => self.backed_task(&code.backeds[*index as usize]),
            Op::BackedEnd(index) => self.backed_end(&code.backeds[*index as usize]),
            Op::MachineBegin(index) => self.machine_begin(&code.machines[*index as usize]),
            Op::MachineEnd(index) => self.machine_end(&code.machines[*index as usize]),
            Op::Post(index) => self.send_later(&code.posts[*index as usize]),
            Op::Cancel(index) => self.cancel(&code.cancels[*index as usize]),
            Op::PlannerBegin(index) => self.planner_begin(&code.planners[*index as usize]),
            Op::PlannerEnd(index) => self.planner_end(&code.planners[*index as usize]),
            Op::Find(index) => self.find(&code.finds[*index as usize]),
            Op::Rate(index) => self.rate(&code.rates[*index as usize]),
            Op::Policy(index) => self.policy(&code.policies[*index as usize]),
            Op::Rule(index) => self.rule(&code.rules, *index),
            Op::RuleTask(index) => self.rule_task(&code.rule_tasks[*index as usize]),
            Op::OwnBegin(index) => self.own_begin(&code.owns[*index as usize]),
            Op::OwnCheck { own, child } => {
                self.own_check(&code.owns[*own as usize], *child as usize);
            }
            _ => unreachable!("is carried out elsewhere"),
        }
    }

    fn exit(&mut self, node: NodeId, entered: Reg, answers: [Reg; 3], out: &Out) {
        let entered = self.take(entered);
        let [success, failure, skipped] = answers.map(|answer| self.take(answer));
        let ended = or(&or(&success, &failure), &skipped);
        self.record_all(node, Event::Tick(Status::Success), &success);
        self.record_all(node, Event::Tick(Status::Failure), &failure);
        self.record_all(node, Event::Tick(Status::Skipped), &skipped);
        self.record_all(
            node,
            Event::Tick(Status::Running),
            &without(&entered, &ended),
        );
        self.send(out.success, &success);
        self.send(out.failure, &failure);
        self.skip(out.skipped, &skipped);
    }

    #[inline(always)]
    fn take(&mut self, reg: Reg) -> Bits<W> {
        std::mem::replace(&mut self.regs[reg.0 as usize], zero())
    }

    /// Adds agents to a register and makes its consumer pending.
    #[inline(always)]
    fn send(&mut self, reg: Reg, set: &Bits<W>) {
        if any(set) {
            let route = self.routes[reg.0 as usize];
            add(&mut self.regs[route.reg.0 as usize], set);
            self.wake(route.consumer);
        }
    }

    /// Sends agents of one word to a consumer.
    #[inline(always)]
    fn send_word(&mut self, reg: Reg, word: usize, agents: u64) {
        if agents != 0 {
            let route = self.routes[reg.0 as usize];
            self.regs[route.reg.0 as usize][word] |= agents;
            self.wake(route.consumer);
        }
    }

    #[inline(always)]
    fn wake(&mut self, place: u32) {
        self.pending[place as usize / 64] |= 1 << (place % 64);
    }

    /// Adds agents to a slot.
    #[inline(always)]
    fn occupy(&mut self, slot: u32, set: &Bits<W>) {
        if any(set) {
            add(&mut self.slots[slot as usize], set);
            self.used_slots[slot as usize / 64] |= 1 << (slot % 64);
        }
    }

    /// Sends skipped agents on.
    #[inline(always)]
    fn skip(&mut self, to: SkipTo, set: &Bits<W>) {
        if any(set) {
            self.skip_some(to, set);
        }
    }

    #[cold]
    fn skip_some(&mut self, to: SkipTo, set: &Bits<W>) {
        self.note_skips();
        self.stir(set);
        self.send(to.to, set);
        match to.mark {
            Mark::None => {}
            Mark::Bits(index) => add(self.column_mut(index), set),
            Mark::Reg(reg) => {
                self.send(reg, set);
                self.marked = true;
            }
        }
    }

    /// From now on, marks count.
    fn note_skips(&mut self) {
        *self.skipped_ever = true;
        self.routes = &self.code.visits.routes;
        self.edges = &self.code.visits.edges;
    }

    fn unmark(&mut self, mark: Mark, set: &Bits<W>) {
        match mark {
            Mark::None => {}
            Mark::Bits(index) => {
                if W >= WIDE && self.tracks {
                    self.stir(&and(&self.column(index), set));
                }
                remove(self.column_mut(index), set);
            }
            Mark::Reg(reg) => remove(&mut self.regs[reg.0 as usize], set),
        }
    }

    fn column(&self, index: u32) -> Bits<W> {
        let column = self.call.run.read();
        let words = column.bits(index);
        words
            .try_into()
            .expect("a column has the words of its chunk")
    }

    /// As [`column`](Self::column), where it is.
    #[inline(always)]
    fn column_ref(&self, index: u32) -> &Bits<W> {
        let words = self.call.run.read().bits(index);
        words
            .try_into()
            .expect("a column has the words of its chunk")
    }

    fn column_mut(&mut self, index: u32) -> &mut Bits<W> {
        self.call
            .run
            .bits_mut(index)
            .try_into()
            .expect("a column has the words of its chunk")
    }

    /// The agents whose run was not reached by this sweep.
    #[inline(always)]
    fn stale(&self, running: &Bits<W>, input: &Bits<W>, reach: Reach) -> Bits<W> {
        let scope = &self.regs[reach.scope.0 as usize];
        let held = &self.regs[reach.held.0 as usize];
        without(&without(&and(running, scope), input), held)
    }

    /// The agents that have a slot of the range set.
    #[inline]
    fn live(&self, range: Range) -> Bits<W> {
        if !self.call.around.program.loose.is_empty() {
            return self.live_but_loose(range);
        }
        let mut live = zero();
        for slot in &self.slots[range.start as usize..range.end as usize] {
            add(&mut live, slot);
        }
        live
    }

    /// The agents that have a slot of the range set, including runs that continue after an answer.
    fn open(&self, range: Range) -> Bits<W> {
        let mut open = zero();
        for slot in &self.slots[range.start as usize..range.end as usize] {
            add(&mut open, slot);
        }
        open
    }

    /// As [`live`](Self::live), but without runs that continue after an answer, unless the range is inside them.
    #[cold]
    fn live_but_loose(&self, range: Range) -> Bits<W> {
        let loose = &self.call.around.program.loose;
        let mut live = zero();
        let mut slot = range.start;
        while slot < range.end {
            let first = loose.partition_point(|behind| behind.start < slot);
            let behind = loose[first..]
                .iter()
                .take_while(|behind| behind.start == slot)
                .find(|behind| behind.end <= range.end);
            match behind {
                Some(behind) => slot = behind.end,
                None => {
                    add(&mut live, &self.slots[slot as usize]);
                    slot += 1;
                }
            }
        }
        live
    }

    #[inline]
    fn stop(
        &mut self,
        (node, leaf, args): (NodeId, LeafId, ArgRange),
        set: &Bits<W>,
        outcome: Outcome,
    ) {
        self.record_all(node, Event::Stop(outcome), set);
        let first = self.call.at(node, leaf, args);
        self.before_call();
        self.host
            .stop(&mut self.call, Lanes::new(first, set), outcome);
        self.after_call();
    }

    /// Whether events are recorded.
    #[inline(always)]
    fn is_traced(&self) -> bool {
        self.sink.is_on()
    }

    #[inline(always)]
    fn record_all(&mut self, node: NodeId, event: Event, set: &Bits<W>) {
        if self.is_traced() {
            for (word, &mask) in set.iter().enumerate() {
                self.record(node, event, word, mask);
            }
        }
    }

    #[inline(always)]
    fn record(&mut self, node: NodeId, event: Event, word: usize, mask: u64) {
        if self.is_traced() && mask != 0 {
            self.sink.record(Record {
                node,
                event,
                word: (self.call.around.first / 64 + word) as u32,
                values: 0,
                mask,
            });
        }
    }

    #[cold]
    fn fault(&mut self, node: NodeId, kind: &FaultKind, word: usize, mask: u64) {
        self.record(node, Event::Fault, word, mask);
        self.stirred[word] |= mask;
        let mut rest = mask;
        while rest != 0 {
            let agent = self.call.around.first + word * 64 + rest.trailing_zeros() as usize;
            self.call.outbox.faults.record(
                self.call.around.program.behaviour(),
                (agent, node),
                self.call.around.tick,
                kind.clone(),
            );
            rest &= rest - 1;
        }
        self.tell_code(node, kind, word, mask);
    }
}
