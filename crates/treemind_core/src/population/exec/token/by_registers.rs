//! What a token does by way of registers: the agent is put where a sweep would have it, the instruction is carried out
//! as in a sweep, and then it is looked where the agent came out.

use super::{Lane, Next};
use crate::population::exec::Exec;
use crate::population::exec::bits::any;
use crate::program::op::{Around, Code, Op, Random, Reg};
use crate::trace::Sink;

impl<'e, const W: usize, S: Sink> Exec<'e, W, S> {
    /// Carries out an instruction as a sweep does, with the agent in its register, and looks where it comes out.
    #[inline(never)]
    pub(super) fn by_registers(
        &mut self,
        code: &Code,
        op: &Op,
        place: u32,
        via: Reg,
        lane: Lane,
    ) -> Next<'e> {
        if via != Reg::NONE {
            self.regs[via.0 as usize][lane.word::<W>()] |= lane.bit;
        }
        let back = self.step(code, op);
        match op {
            Op::Set {
                success, failure, ..
            } => self.came_out(&[*success, *failure], Next::Running),
            Op::Wait(index) => {
                let out = code.waits[*index as usize].out;
                self.came_out(&[out.success, out.failure], Next::Running)
            }
            Op::LoopBegin(index) => {
                let begun = &code.loops[*index as usize];
                self.unwake(begun.end);
                // The token may stay inside, and then nobody comes by the end of the loop.
                self.holds = true;
                let outs = [
                    begun.body,
                    begun.out_done,
                    begun.out_failure,
                    begun.out_skipped.to,
                ];
                self.came_out(&outs, Next::Running)
            }
            Op::LoopEnd(index) => {
                let ended = &code.loops[*index as usize];
                if back.is_some() {
                    self.turn_back(ended.body_start, place);
                }
                self.came_out(
                    &[
                        ended.out_done,
                        ended.body,
                        ended.out_stop,
                        ended.out_skipped.to,
                    ],
                    Next::Running,
                )
            }
            Op::RandomBegin(index) => {
                let begun = &code.randoms[*index as usize];
                self.unwake(begun.end);
                self.holds = true;
                let out = self.came_out_at_child(begun, Next::Running);
                if let Next::Running = out {
                    return self.came_out(&[begun.out_go], Next::Running);
                }
                out
            }
            Op::RandomEnd(index) => {
                let ended = &code.randoms[*index as usize];
                if back.is_some() {
                    self.turn_back(ended.body_start, place);
                    return self.came_out_at_child(ended, Next::Running);
                }
                self.came_out(&[ended.out_go, ended.out_skipped.to], Next::Running)
            }
            Op::ParallelBegin(index) => {
                for place in &code.parallels[*index as usize].places {
                    self.unwake(*place);
                }
                Next::On
            }
            Op::ParallelEnter { parallel, child } => {
                let parallel = &code.parallels[*parallel as usize];
                let index = *child as usize;
                let check = parallel.places[index * 2 + 1];
                let next = self.came_out(&[parallel.children[index].input], Next::To(check));
                if let (Next::To(_), false) = (&next, self.around.program.loose.is_empty()) {
                    self.abort(parallel.own_range(index), &lane.set());
                }
                next
            }
            Op::ParallelCheck { parallel, .. } => {
                let parallel = &code.parallels[*parallel as usize];
                let next = self.came_out(&[parallel.out.success, parallel.out.failure], Next::On);
                if let Next::Reg(_) = next {
                    self.parallel_end(parallel);
                }
                next
            }
            Op::ParallelEnd(index) => {
                let out = code.parallels[*index as usize].out;
                self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
            }
            _ => self.by_registers_with_memory(code, op, back, place),
        }
    }

    /// The rest of [`by_registers`](Self::by_registers), after the instruction was carried out.
    fn by_registers_with_memory(
        &mut self,
        code: &Code,
        op: &Op,
        back: Option<u32>,
        place: u32,
    ) -> Next<'e> {
        match op {
            Op::Yield(index) => {
                let to = code.yields[*index as usize].to;
                self.came_out(&[to], Next::Running)
            }
            Op::Place(op) => self.came_out(&[op.out_go, op.out_skipped], Next::Running),
            Op::Gate(index) => {
                let gate = &code.gates[*index as usize];
                let out = gate.out;
                let outs = [gate.body, out.failure, out.success, out.skipped.to];
                self.came_out(&outs, Next::Running)
            }
            Op::Remember(index) => {
                let out = code.remembers[*index as usize].out;
                self.came_out(&[out.success, out.failure], Next::Running)
            }
            Op::WatchBegin(index) => {
                let watch = &code.watches[*index as usize];
                self.unwake(self.routes[watch.entered.0 as usize].consumer);
                self.came_out(&[watch.inner], Next::Running)
            }
            Op::WatchEnd(index) => {
                let out = code.watches[*index as usize].out;
                self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
            }
            Op::ChoiceBegin(index) => {
                let choice = &code.choices[*index as usize];
                self.unwake(self.routes[choice.entered.0 as usize].consumer);
                self.came_out(&[choice.test], Next::Running)
            }
            Op::Choose(index) => {
                let choice = &code.choices[*index as usize];
                if let Next::Reg(passing) = self.came_out(&[choice.passing], Next::Running) {
                    // The branches are jumped over, and left as they are.
                    return Next::Held(passing);
                }
                let inputs = [choice.then_input, choice.else_input];
                self.came_out(&inputs, Next::To(choice.end))
            }
            Op::ChoiceEnd(index) => {
                let out = code.choices[*index as usize].out_skipped;
                self.came_out(&[out.to], Next::Running)
            }
            Op::Guard(index) => {
                let guard = &code.guards[*index as usize];
                let out = guard.out;
                let outs = [guard.body, out.failure, out.success, out.skipped.to];
                self.came_out(&outs, Next::Running)
            }
            Op::After(index) => {
                let out = code.afters[*index as usize].out;
                self.came_out(&[out.success, out.failure], Next::Running)
            }
            Op::Changed(op) => self.came_out(&[op.success, op.failure], Next::Running),
            Op::Log { success, .. } => self.came_out(&[*success], Next::Running),
            Op::Emit(op) => self.came_out(&[op.success, op.failure], Next::Running),
            Op::Switch(index) => {
                let switch = &code.switches[*index as usize];
                for (child, _) in &switch.children {
                    if let Next::Reg(reg) = self.came_out(&[*child], Next::Running) {
                        return Next::Reg(reg);
                    }
                }
                self.came_out(&[switch.out_failure], Next::Running)
            }
            Op::Decide(index) => {
                let decide = &code.decisions[*index as usize];
                for leaf in &decide.leaves {
                    if let Next::Reg(reg) = self.came_out(&[leaf.input], Next::Running) {
                        return Next::Reg(reg);
                    }
                }
                self.came_out(&[decide.out_failure], Next::Running)
            }
            _ => self.by_registers_inside(code, op, back, place),
        }
    }

    /// Nodes that are come back to after their children.
    fn by_registers_inside(
        &mut self,
        code: &Code,
        op: &Op,
        back: Option<u32>,
        place: u32,
    ) -> Next<'e> {
        match op {
            Op::Preempt(index) => {
                let preempt = &code.preempts[*index as usize];
                for child in &preempt.children {
                    if let Next::Reg(reg) = self.came_out(&[child.input], Next::Running) {
                        return Next::Reg(reg);
                    }
                }
                match self.came_out(&[preempt.otherwise], Next::Running) {
                    Next::Reg(reg) => Next::Held(reg),
                    other => other,
                }
            }
            Op::RunBegin(index) => {
                let inner = code.run_begins[*index as usize].inner;
                self.came_out(&[inner], Next::Running)
            }
            Op::Interrupt(index) => {
                let interrupt = &code.interrupts[*index as usize];
                self.came_out(&[interrupt.success, interrupt.failure], Next::Running)
            }
            Op::InterruptibleBegin(index) => {
                self.went_in(&code.interruptibles[*index as usize].around)
            }
            Op::SemaphoreBegin(index) => self.went_in(&code.semaphores[*index as usize].around),
            Op::InterruptibleEnd(index) => {
                self.came_back(&code.interruptibles[*index as usize].around)
            }
            Op::SemaphoreEnd(index) => self.came_back(&code.semaphores[*index as usize].around),
            Op::LooseBegin(index) => {
                let loose = &code.looses[*index as usize];
                self.unwake(self.routes[loose.around.entered.0 as usize].consumer);
                if let Next::Reg(to) = self.came_out(&[loose.to], Next::Running) {
                    return Next::Held(to);
                }
                self.came_out(&[loose.around.inner], Next::Running)
            }
            Op::LooseEnd(index) => {
                let loose = &code.looses[*index as usize];
                self.came_out(&[loose.to, loose.around.out.skipped.to], Next::Running)
            }
            Op::Close(index) => {
                let out = code.closes[*index as usize].out;
                self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
            }
            Op::BackedBegin(index) => {
                let backed = &code.backeds[*index as usize];
                self.unwake(self.routes[backed.entered.0 as usize].consumer);
                self.unwake(self.routes[backed.finishing.0 as usize].consumer);
                self.came_out(&[backed.task, backed.background], Next::Running)
            }
            Op::BackedTask(index) => {
                let backed = &code.backeds[*index as usize];
                self.unwake(self.routes[backed.finishing.0 as usize].consumer);
                if let Next::Reg(passing) = self.came_out(&[backed.passing], Next::Running) {
                    return Next::Held(passing);
                }
                let out = backed.out;
                self.came_out(
                    &[out.success, out.failure, backed.background],
                    Next::Running,
                )
            }
            Op::BackedEnd(index) => {
                let out = code.backeds[*index as usize].out;
                self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
            }
            Op::MachineBegin(index) => {
                let machine = &code.machines[*index as usize];
                match self.came_out(&machine.ended, Next::To(machine.end)) {
                    Next::Reg(reg) => Next::Held(reg),
                    other => other,
                }
            }
            Op::MachineEnd(index) => {
                let out = code.machines[*index as usize].out;
                self.came_out(&[out.success, out.failure], Next::Running)
            }
            Op::Post(index) => {
                let post = &code.posts[*index as usize];
                self.came_out(&[post.success, post.failure], Next::Running)
            }
            Op::Cancel(index) => {
                let cancel = &code.cancels[*index as usize];
                self.came_out(&[cancel.success, cancel.failure], Next::Running)
            }
            Op::OwnBegin(index) | Op::OwnEnd(index) => {
                let own = &code.owns[*index as usize];
                if back.is_some() {
                    self.turn_back(own.body_start, place);
                }
                let end = *own.places.last().expect("the end is one");
                for place in &own.places {
                    self.unwake(*place);
                }
                for child in &own.children {
                    if let Next::Reg(reg) = self.came_out(&[child.input], Next::Running) {
                        return Next::Held(reg);
                    }
                }
                if place != end {
                    return Next::To(end);
                }
                let out = own.out;
                self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
            }
            Op::OwnCheck { own, .. } => {
                let end = *code.owns[*own as usize]
                    .places
                    .last()
                    .expect("the end is one");
                self.unwake(end);
                Next::To(end)
            }
            _ => unreachable!("has a form for tokens"),
        }
    }

    /// Where an agent is that was sent into a child, or turned away.
    fn went_in(&mut self, around: &Around) -> Next<'e> {
        self.unwake(self.routes[around.entered.0 as usize].consumer);
        let out = around.out;
        self.came_out(&[around.inner, out.success, out.failure], Next::Running)
    }

    /// Where an agent is that came back from a child.
    fn came_back(&mut self, around: &Around) -> Next<'e> {
        let out = around.out;
        self.came_out(&[out.success, out.failure, out.skipped.to], Next::Running)
    }

    /// The register of these that the agent is in; it is taken out.
    pub(super) fn came_out(&mut self, registers: &[Reg], otherwise: Next<'e>) -> Next<'e> {
        for register in registers {
            let route = self.routes[register.0 as usize];
            if any(&self.take(route.reg)) {
                self.unwake(route.consumer);
                return Next::Reg(route.reg);
            }
        }
        otherwise
    }

    fn came_out_at_child(&mut self, random: &Random, otherwise: Next<'e>) -> Next<'e> {
        for child in &random.children {
            if let Next::Reg(register) = self.came_out(&[child.input], Next::Running) {
                return Next::Reg(register);
            }
        }
        otherwise
    }

    /// The token goes back to the beginning of a loop: what was marked inside is forgotten.
    fn turn_back(&mut self, start: u32, end: u32) {
        if self.marked {
            self.clear_marks(start, end);
        }
    }

    fn unwake(&mut self, place: u32) {
        self.pending[place as usize / 64] &= !(1 << (place % 64));
    }
}
