//! What every instruction declares about itself.

use super::{Code, Mark, Op, Out, Reg, SkipTo};

/// One fact about an instruction: a register, a slot or another instruction that it has to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    /// Agents come from this register, to this instruction and no other.
    In(Reg),
    /// Agents go to this register.
    Out(Reg),
    /// Agents go to this register, past the code in between, which stays as it is.
    OutPast(Reg),
    /// A slot that belongs to the instruction. While the slot is in use, the instruction is visited.
    Slot(u32),
    /// This many slots belong to the code before it.
    SlotsBefore(u32),
    /// The last slot that belongs to it and to the code before it.
    LastSlot(u32),
    /// A register that no instruction takes agents from.
    Held(Reg),
    /// A register that marks the agents skipped so far, and that agents come from.
    Marked(Reg),
    /// An instruction that it makes pending, in addition to those that it sends agents to.
    Wakes(u32),
    /// The instruction at which an agent is seen next if it is left running between here and there.
    SeenAt(u32),
    /// The code between here and there looks for stale runs by what this instruction says.
    LoopUntil(u32),
}

/// Receives ports.
pub(crate) type See<'s> = &'s mut dyn FnMut(Port);

impl Out {
    pub(super) fn ports(self, see: See<'_>) {
        [self.success, self.failure, self.skipped.to]
            .into_iter()
            .for_each(|reg| see(Port::Out(reg)));
    }
}

impl SkipTo {
    pub(super) fn ports(self, see: See<'_>) {
        see(Port::Out(self.to));
    }
}

/// Agents come from all these registers.
pub(super) fn ins<const N: usize>(registers: [Reg; N], see: See<'_>) {
    registers.into_iter().for_each(|reg| see(Port::In(reg)));
}

/// Agents go to one of these registers.
pub(super) fn outs<const N: usize>(registers: [Reg; N], see: See<'_>) {
    registers.into_iter().for_each(|reg| see(Port::Out(reg)));
}

/// The slots of an instruction. The last slot comes after everything that belongs to the instruction.
pub(super) fn slots(slots: impl IntoIterator<Item = u32>, see: See<'_>) {
    let mut last = None;
    for slot in slots {
        see(Port::Slot(slot));
        last = Some(slot);
    }
    last.into_iter().for_each(|slot| see(Port::LastSlot(slot)));
}

impl Op {
    /// Calls `see` with all ports of the instruction.
    pub(crate) fn ports(&self, code: &Code, see: See<'_>) {
        match self {
            Op::Condition(op) => op.ports(see),
            Op::Action(op) => op.ports(see),
            Op::Check {
                input,
                success,
                failure,
                ..
            }
            | Op::Set {
                input,
                success,
                failure,
                ..
            } => {
                see(Port::In(*input));
                outs([*success, *failure], see);
            }
            Op::Wait(index) => code.waits[*index as usize].ports(see),
            Op::Constant { input, to, .. } => {
                see(Port::In(*input));
                see(Port::Out(*to));
            }
            Op::Run { input, slot, .. } => {
                see(Port::In(*input));
                slots([*slot], see);
            }
            Op::Resume { input, resume } => {
                see(Port::In(*input));
                code.resumes[*resume as usize].ports(see);
            }
            Op::Unskip { from, to, .. } => {
                see(Port::In(*from));
                see(Port::Out(*to));
            }
            Op::ListEnd(index) => code.list_ends[*index as usize].ports(see),
            Op::ParallelBegin(index) => code.parallels[*index as usize].begin_ports(see),
            Op::ParallelEnter { parallel, child } => {
                code.parallels[*parallel as usize].enter_ports(*child as usize, see);
            }
            Op::ParallelCheck { parallel, child } => {
                code.parallels[*parallel as usize].check_ports(*child as usize, see);
            }
            Op::ParallelEnd(index) => code.parallels[*index as usize].out.ports(see),
            Op::LoopBegin(index) => code.loops[*index as usize].begin_ports(see),
            Op::LoopEnd(index) => code.loops[*index as usize].end_ports(see),
            Op::RandomBegin(index) => code.randoms[*index as usize].begin_ports(see),
            Op::RandomEnd(index) => code.randoms[*index as usize].end_ports(see),
            Op::Yield(index) => code.yields[*index as usize].ports(see),
            Op::Place(op) => {
                ins([op.go, op.skipped], see);
                outs([op.out_go, op.out_skipped], see);
            }
            Op::Gate(index) => code.gates[*index as usize].ports(see),
            Op::Remember(index) => code.remembers[*index as usize].ports(see),
            Op::Leave(index) => code.leaves[*index as usize].ports(see),
            Op::WatchBegin(index) => code.watches[*index as usize].begin_ports(see),
            Op::WatchEnd(index) => code.watches[*index as usize].end_ports(see),
            Op::ChoiceBegin(index) => code.choices[*index as usize].begin_ports(see),
            Op::Choose(index) => code.choices[*index as usize].choose_ports(see),
            Op::ChoiceEnd(index) => code.choices[*index as usize].end_ports(see),
            Op::Switch(index) => code.switches[*index as usize].ports(see),
            Op::Guard(index) => code.guards[*index as usize].ports(see),
            Op::After(index) => code.afters[*index as usize].ports(see),
            Op::Preempt(index) => code.preempts[*index as usize].ports(see),
            Op::RunBegin(index) => code.run_begins[*index as usize].ports(see),
            Op::Interrupt(index) => code.interrupts[*index as usize].ports(see),
            Op::InterruptibleBegin(index) => code.interruptibles[*index as usize].begin_ports(see),
            Op::InterruptibleEnd(index) => {
                code.interruptibles[*index as usize].around.end_ports(see);
            }
            Op::SemaphoreBegin(index) => code.semaphores[*index as usize].begin_ports(see),
            Op::SemaphoreEnd(index) => code.semaphores[*index as usize].end_ports(see),
            Op::LooseBegin(index) => code.looses[*index as usize].begin_ports(see),
            Op::LooseEnd(index) => code.looses[*index as usize].end_ports(see),
            Op::Close(index) => code.closes[*index as usize].ports(see),
            Op::BackedBegin(index) => code.backeds[*index as usize].begin_ports(see),
            Op::BackedTask(index) => code.backeds[*index as usize].task_ports(see),
            Op::BackedEnd(index) => code.backeds[*index as usize].end_ports(see),
            Op::OwnBegin(index) => code.owns[*index as usize].begin_ports(see),
            Op::OwnCheck { own, child } => {
                code.owns[*own as usize].check_ports(*child as usize, see);
            }
            Op::OwnEnd(index) => code.owns[*index as usize].end_ports(see),
            Op::PlannerBegin(index) => code.planners[*index as usize].begin_ports(see),
            Op::PlannerEnd(index) => code.planners[*index as usize].end_ports(see),
            Op::Decide(index) => code.decisions[*index as usize].ports(see),
            Op::MachineBegin(index) => code.machines[*index as usize].begin_ports(see),
            Op::MachineEnd(index) => code.machines[*index as usize].end_ports(see),
            Op::Post(index) => {
                let post = &code.posts[*index as usize];
                see(Port::In(post.input));
                outs([post.success, post.failure], see);
            }
            Op::Cancel(index) => {
                let cancel = &code.cancels[*index as usize];
                see(Port::In(cancel.input));
                outs([cancel.success, cancel.failure], see);
            }
            Op::Changed(op) => {
                see(Port::In(op.input));
                outs([op.success, op.failure], see);
            }
            Op::Log { input, success, .. } => {
                see(Port::In(*input));
                see(Port::Out(*success));
            }
            Op::Emit(op) => {
                see(Port::In(op.input));
                outs([op.success, op.failure], see);
            }
            Op::Received(index) => code.receipts[*index as usize].ports(see),
            Op::Find(index) => code.finds[*index as usize].ports(see),
            Op::Rate(index) => {
                let rate = &code.rates[*index as usize];
                see(Port::In(rate.input));
                outs([rate.success, rate.failure], see);
            }
            Op::Policy(index) => {
                let policy = &code.policies[*index as usize];
                see(Port::In(policy.input));
                outs([policy.success, policy.failure], see);
            }
            Op::Rule(index) => code.rules[*index as usize].ports(see),
            Op::RuleTask(index) => code.rule_tasks[*index as usize].ports(see),
            Op::Enter {
                input, inner, exit, ..
            } => {
                see(Port::In(*input));
                see(Port::Out(*inner));
                see(Port::SeenAt(*exit));
            }
            Op::Exit {
                entered,
                answers,
                out,
                ..
            } => {
                see(Port::In(*entered));
                ins(*answers, see);
                out.ports(see);
            }
        }
    }
}

impl Mark {
    pub(super) fn ports(self, see: See<'_>) {
        if let Mark::Reg(reg) = self {
            see(Port::Marked(reg));
        }
    }
}
