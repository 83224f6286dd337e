//! Instructions that a token carries out by registers: the agent is put where a sweep would have it, the instruction is
//! carried out as in a sweep, and then the agent's new place is looked up.

use super::{Lane, Next};
use crate::population::exec::Exec;
use crate::population::exec::bits::any;
use crate::program::op::{Code, Op, Reg};
use crate::trace::Sink;

impl<'e, const W: usize, S: Sink> Exec<'e, W, S> {
    /// Carries out an instruction as a sweep does, with the agent in its register, and finds the agent's new place.
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
        // The token reaches what the instruction makes pending, or passes it for good.
        for woken in self.code.visits.wakes(place) {
            self.unwake(*woken);
        }
        if let (Some(start), true) = (back, self.marked) {
            // The token goes back: marks inside are forgotten.
            self.clear_marks(start, place);
        }
        let next = self.came_out(place);
        match op {
            Op::LoopBegin(_) | Op::RandomBegin(_) => {
                // The token may stay inside, and then it does not reach the end of the loop.
                self.holds = true;
                next
            }
            Op::ParallelBegin(_) => Next::On,
            Op::ParallelEnter { parallel, child } => {
                let parallel = &code.parallels[*parallel as usize];
                let index = *child as usize;
                if let Next::Running = next {
                    if !self.call.around.program.loose.is_empty() {
                        self.abort(parallel.own_range(index), &lane.set());
                    }
                    return Next::To(parallel.check_of(index));
                }
                next
            }
            Op::ParallelCheck { parallel, .. } => {
                if let Next::Running = next {
                    return Next::On;
                }
                self.parallel_end(&code.parallels[*parallel as usize]);
                next
            }
            Op::Choose(index) => next.or(Next::To(code.choices[*index as usize].end)),
            Op::MachineBegin(index) => next.or(Next::To(code.machines[*index as usize].end)),
            Op::PlannerBegin(index) => next.or(Next::To(code.planners[*index as usize].end)),
            Op::OwnBegin(own) | Op::OwnCheck { own, .. } => {
                next.or(Next::To(code.owns[*own as usize].end()))
            }
            _ => next,
        }
    }

    /// Where an instruction has sent the agent; removes the agent from there.
    pub(super) fn came_out(&mut self, place: u32) -> Next<'e> {
        for send in self.code.visits.sends(place) {
            let route = self.routes[send.reg.0 as usize];
            if any(&self.take(route.reg)) {
                self.unwake(route.consumer);
                return match send.past {
                    true => Next::Held(route.reg),
                    false => Next::Reg(route.reg),
                };
            }
        }
        Next::Running
    }

    /// Whether the agent was sent to a register and continues there; removes the agent from it.
    pub(super) fn came_to(&mut self, reg: Reg) -> Option<Reg> {
        let route = self.routes[reg.0 as usize];
        any(&self.take(route.reg)).then(|| {
            self.unwake(route.consumer);
            route.reg
        })
    }

    fn unwake(&mut self, place: u32) {
        self.pending[place as usize / 64] &= !(1 << (place % 64));
    }
}
