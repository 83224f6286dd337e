//! Ticks a machine for a single agent by its table. The innermost active state has a row of transitions, and the first
//! open one is taken. No set of agents is needed.
//!
//! The following runs as for many agents: the tick in which a machine starts, a tick in which an event waits for the
//! machine, a transition that uses or writes a history, and every traced tick.

use super::super::Exec;
use super::super::bits::{any, zero};
use super::super::token::Lane;
use crate::program::op::{MachineOp, Move, Table, TransitionOp, TriggerOp};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// The table of a machine, if it can be used for this agent in this tick.
    #[inline(always)]
    pub(in crate::population::exec) fn table_for<'m>(
        &mut self,
        op: &'m MachineOp,
        lane: Lane,
    ) -> Option<&'m Table> {
        if self.is_traced() || !lane.is_in(&self.slots[op.slot as usize]) {
            return None;
        }
        let table = op.table.as_ref()?;
        if let Some(inbox) = &op.inbox {
            self.let_delayed_come(op, &lane.set());
            if self.call.run.read().narrow(inbox.count)[lane.number()] > 0 {
                return None;
            }
        }
        Some(table)
    }

    /// Ticks a machine. Returns whether it keeps running; otherwise its answer is in a register.
    #[inline(never)]
    pub(in crate::population::exec) fn machine_by_table(
        &mut self,
        op: &MachineOp,
        table: &Table,
        lane: Lane,
    ) -> bool {
        let inner = self.innermost(op, lane);
        let mut row = table.rows[inner as usize].iter();
        let open = row.find(|place| self.is_open(op, &op.transitions[**place as usize], lane));
        let Some(&place) = open else {
            self.carry_on(op, inner, lane);
            return true;
        };
        let Some(moves) = &table.moves[place as usize] else {
            return self.move_by_registers(op, place, lane);
        };
        self.make_move(op, moves, (place, inner), lane);
        let runs = op.states[0].finals.is_empty() || any(&self.end_machine(op, &lane.set()));
        if runs {
            self.carry_on(op, moves.domain.unwrap_or(inner), lane);
        }
        if table.has_tasks {
            self.pass_pieces(op);
        }
        runs
    }

    /// The active state that has no active state inside.
    fn innermost(&self, op: &MachineOp, lane: Lane) -> u32 {
        let first = op.states[0].active;
        let mut states = (0..op.states.len() as u32).rev();
        let active = states.find(|state| self.has_bit(first + state, lane));
        active.unwrap_or(0)
    }

    /// Whether a transition is taken, if its source is active and no earlier transition was taken.
    fn is_open(&mut self, op: &MachineOp, transition: &TransitionOp, lane: Lane) -> bool {
        let is_due = match &transition.trigger {
            TriggerOp::Polled => true,
            TriggerOp::Event(_) => false,
            TriggerOp::After(_, moment) => {
                self.call.run.read().wide(*moment)[lane.number()] <= self.call.around.now_ns
            }
            TriggerOp::Done(with) => {
                lane.is_in(&self.done_with(op, transition.source as usize, *with))
            }
        };
        let is_there = |target| self.has_bit(op.states[target as usize].active, lane);
        if !is_due || transition.unless_active.is_some_and(is_there) {
            return false;
        }
        if let Some(when) = transition.when
            && !self.test_holds(op.node, when, lane)
        {
            return false;
        }
        if let Some(conditions) = &transition.conditions
            && !self.conditions_are_met(conditions, lane)
        {
            return false;
        }
        (transition.enter_ifs.iter()).all(|test| self.test_holds(op.node, *test, lane))
    }

    /// Leaves the states that a transition leaves, inner ones first, and enters those that it enters.
    fn make_move(&mut self, op: &MachineOp, moves: &Move, (place, inner): (u32, u32), lane: Lane) {
        let set = lane.set();
        let mut leaving = moves.domain.map(|domain| (inner, domain));
        while let Some((state, domain)) = leaving.filter(|(state, domain)| state != domain) {
            self.leave_one(op, state as usize, lane);
            let parent = op.states[state as usize].parent;
            leaving = parent.map(|parent| (parent, domain));
        }
        self.carry_out_tasks(op, &op.transitions[place as usize].tasks, &set);
        for &(state, descends) in &moves.enters {
            let of = &op.states[state as usize];
            if !self.has_bit(of.active, lane) {
                self.enter_one(op, state as usize, lane);
            }
            if descends {
                self.carry_out_tasks(op, &of.initial_tasks, &set);
            }
        }
    }

    #[inline(always)]
    fn leave_one(&mut self, op: &MachineOp, index: usize, lane: Lane) {
        let state = &op.states[index];
        if let Some(piece) = &state.activity {
            self.abort(piece.slots, &lane.set());
        }
        if !state.exit.is_empty() {
            self.leave_state(op, index, &lane.set());
            return;
        }
        self.clear_bit(state.active, lane);
        if state.activity.is_some() {
            for column in state.over {
                self.clear_bit(column, lane);
            }
        }
    }

    #[inline(always)]
    fn enter_one(&mut self, op: &MachineOp, index: usize, lane: Lane) {
        let state = &op.states[index];
        if state.entry.is_empty() && state.timers.is_empty() && op.raised.is_none() {
            self.set_bit(state.active, lane);
            return;
        }
        self.enter_state(op, index, &lane.set());
        self.regs[op.regs.entered as usize + index] = zero();
    }

    /// Takes a transition without a move in the table. Returns whether the machine keeps running.
    #[cold]
    fn move_by_registers(&mut self, op: &MachineOp, place: u32, lane: Lane) -> bool {
        self.regs[(op.regs.taken + place) as usize] = lane.set();
        self.step_machine(op, &lane.set());
        let running = self.end_machine(op, &lane.set());
        self.run_activities(op, &running);
        self.forget_moves(op);
        self.pass_pieces(op);
        any(&running)
    }

    /// Runs the activities of a state and of the states around it, inner ones first.
    fn carry_on(&mut self, op: &MachineOp, inner: u32, lane: Lane) {
        let mut at = Some(inner);
        while let Some(state) = at {
            let of = &op.states[state as usize];
            at = of.parent;
            let Some(piece) = &of.activity else {
                continue;
            };
            if of.over.iter().any(|over| self.has_bit(*over, lane)) {
                continue;
            }
            let via = self.walk_piece(piece, lane);
            let [success, failure, _] = piece.answers;
            for (answer, over) in [success, failure].into_iter().zip(of.over) {
                if via == answer {
                    self.set_bit(over, lane);
                    // What still runs behind the answer no longer has an owner.
                    self.abort(piece.slots, &lane.set());
                }
            }
        }
    }
}
