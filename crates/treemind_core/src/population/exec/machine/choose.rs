//! The choice of the transitions to take.

use super::super::Exec;
use super::super::bits::{
    Bits, add, and, any, for_each, has_lane, remove, set_lane, without, zero,
};
use super::Offer;
use crate::behaviour::{MAX_EVENTS, MAX_STACK};
use crate::fault::FaultKind;
use crate::program::op::{MachineOp, StackUse, TransitionOp, TriggerOp};
use crate::trace::{Event, Refusal, Sink};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Chooses transitions for some agents, and fills the registers of the transitions taken. Returns the agents that
    /// take any.
    pub(super) fn choose_transitions(
        &mut self,
        op: &MachineOp,
        lanes: &Bits<W>,
        offer: Offer,
    ) -> Bits<W> {
        if !any(lanes) {
            return zero();
        }
        self.forget_chosen(op);
        self.note_offers(op, offer, lanes);
        let mut several = false;
        let mut chosen = zero();
        for (place, transition) in (0..).zip(&op.transitions) {
            if transition.decided.is_some_and(|decided| decided.leaf > 0) {
                // It is checked with the first of the transitions that are decided together.
                continue;
            }
            let source = op.states[transition.source as usize].active;
            let mut active = and(self.column_ref(source), lanes);
            if !any(&active) {
                continue;
            }
            match transition.stack {
                StackUse::Pop(state) => active = self.on_top(op, state, &active),
                StackUse::PopNothing => active = self.with_depth(op, &active, |depth| depth == 0),
                StackUse::Keep | StackUse::Push(_) => {}
            }
            let timed = matches!(
                transition.trigger,
                TriggerOp::After(..) | TriggerOp::Done(_)
            );
            if op.statechart && timed {
                let together = transition.decided.map_or(1, |decided| decided.leaves);
                for number in transition.number..transition.number + together {
                    remove(&mut active, &self.of_row(op.regs.spent, number));
                }
            }
            let taken = match &transition.trigger {
                TriggerOp::Event(events) => match offer {
                    Offer::Everything => self.choose_by_event(op, place, events, &active),
                    Offer::Eventless => zero(),
                    Offer::Raised | Offer::Outside => {
                        let offered = self.offered(op, offer, events, &active);
                        self.look_at(op, place, &offered, Some(offer))
                    }
                },
                _ if matches!(offer, Offer::Raised | Offer::Outside) => zero(),
                TriggerOp::Polled => self.look_at(op, place, &active, None),
                TriggerOp::After(_, moment) => {
                    // A statechart that goes back to an earlier configuration does not set times anew.
                    let due = match op.statechart {
                        true => self.past(*moment, &active),
                        false => self.due(*moment, &active, |exec| exec.column(source)),
                    };
                    self.look_at(op, place, &due, None)
                }
                TriggerOp::Done(with) => {
                    let done = self.done_with(op, transition.source as usize, *with);
                    self.look_at(op, place, &and(&active, &done), None)
                }
            };
            if any(&taken) {
                several |= any(&and(&chosen, &taken));
                add(&mut chosen, &taken);
            }
        }
        if several {
            self.settle_conflicts(op);
            chosen = zero();
            for place in 0..op.transitions.len() as u32 {
                add(&mut chosen, &self.of_row(op.regs.taken, place));
            }
        }
        chosen
    }

    pub(super) fn forget_chosen(&mut self, op: &MachineOp) {
        for state in &op.chosen_for {
            self.regs[(op.regs.chosen + state) as usize] = zero();
        }
    }

    /// With the first waiting event for which the guards hold.
    fn choose_by_event(
        &mut self,
        op: &MachineOp,
        place: u32,
        events: &[crate::ids::LeafId],
        active: &Bits<W>,
    ) -> Bits<W> {
        let transition = &op.transitions[place as usize];
        let mut candidates = zero();
        for number in 0..MAX_EVENTS as u32 {
            add(&mut candidates, &self.waiting(op, number, events, active));
        }
        if !any(&candidates) {
            return zero();
        }
        let mut rest = self.still_open(op, transition, &candidates);
        let mut held = zero();
        let mut held_with = [zero(); MAX_EVENTS];
        for (number, held_with) in (0..).zip(&mut held_with) {
            let waiting = self.waiting(op, number, events, &rest);
            if any(&waiting) {
                self.receive(op, transition, Offer::Everything, number, &waiting);
                *held_with = self.guards_hold(op, transition, &waiting);
                remove(&mut rest, held_with);
                add(&mut held, held_with);
            }
        }
        self.refuse(op, transition, Refusal::Guard, &rest);
        let taken = self.choose_where_open(op, place, &held);
        for (number, held_with) in (0..).zip(&held_with) {
            let used = and(held_with, &taken);
            add(&mut self.regs[(op.regs.consumed + number) as usize], &used);
            self.note_number(op, Event::Use, (Offer::Everything, number), &used);
        }
        taken
    }

    /// Checks a transition for the agents that have it as a candidate, with an offered event or without one. Returns
    /// the agents for which it is chosen.
    fn look_at(
        &mut self,
        op: &MachineOp,
        place: u32,
        lanes: &Bits<W>,
        offered: Option<Offer>,
    ) -> Bits<W> {
        if !any(lanes) {
            return zero();
        }
        let transition = &op.transitions[place as usize];
        let rest = self.still_open(op, transition, lanes);
        if !any(&rest) {
            return zero();
        }
        if let Some(offer) = offered {
            self.receive(op, transition, offer, 0, &rest);
        }
        let held = self.guards_hold(op, transition, &rest);
        self.refuse(op, transition, Refusal::Guard, &without(&rest, &held));
        let taken = self.choose_where_open(op, place, &held);
        if let Some(offer) = offered {
            self.note_number(op, Event::Use, (offer, 0), &taken);
        }
        taken
    }

    /// The agents for which the guards decide whether a candidate is chosen; the others refuse it.
    fn still_open(
        &mut self,
        op: &MachineOp,
        transition: &TransitionOp,
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let mut rest = zero();
        for state in &transition.chosen_for {
            let active = and(self.column_ref(op.states[*state as usize].active), lanes);
            add(
                &mut rest,
                &without(&active, self.row(op.regs.chosen, *state)),
            );
        }
        self.refuse(op, transition, Refusal::Beaten, &without(lanes, &rest));
        if transition.decided.is_none() {
            rest = self.unless_active(op, transition, &rest);
        }
        if transition.stack == StackUse::PopNothing {
            self.refuse(op, transition, Refusal::Stack, &rest);
            return zero();
        }
        rest
    }

    /// The agents whose target is not active already, or is allowed to be; the others refuse the transition.
    pub(super) fn unless_active(
        &mut self,
        op: &MachineOp,
        transition: &TransitionOp,
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let Some(target) = transition.unless_active else {
            return *lanes;
        };
        let active = and(self.column_ref(op.states[target as usize].active), lanes);
        self.refuse(op, transition, Refusal::Active, &active);
        without(lanes, &active)
    }

    /// The agents for which `when` and the conditions hold, and which the decider leads to one of its states. The
    /// registers of its leaves say to which one.
    pub(super) fn guards_hold(
        &mut self,
        op: &MachineOp,
        transition: &TransitionOp,
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let mut rest = *lanes;
        if let (Some(when), true) = (transition.when, any(&rest)) {
            rest = self.ask_guard(op.node, when, &rest).0;
        }
        if let (Some(conditions), true) = (&transition.conditions, any(&rest)) {
            rest = self.conditions_hold(conditions, &rest);
        }
        if let (Some(decided), true) = (transition.decided, any(&rest)) {
            let nowhere = self.lead_down(&op.deciders[decided.by as usize], &rest);
            remove(&mut rest, &nowhere);
        }
        rest
    }

    /// Chooses it for the agents in which all states may be entered, and whose stack has room for a push.
    fn choose_where_open(&mut self, op: &MachineOp, place: u32, lanes: &Bits<W>) -> Bits<W> {
        let Some(decided) = op.transitions[place as usize].decided else {
            return self.choose_one(op, place, lanes);
        };
        let mut chosen = zero();
        for leaf in 0..decided.leaves {
            let decider = &op.deciders[decided.by as usize];
            let meant = self.take(decider.leaves[leaf as usize].input);
            if any(&meant) {
                let transition = &op.transitions[(place + leaf) as usize];
                let open = self.unless_active(op, transition, &meant);
                add(&mut chosen, &self.choose_one(op, place + leaf, &open));
            }
        }
        chosen
    }

    fn choose_one(&mut self, op: &MachineOp, place: u32, lanes: &Bits<W>) -> Bits<W> {
        let transition = &op.transitions[place as usize];
        let mut rest = *lanes;
        for test in &transition.enter_ifs {
            if any(&rest) {
                let (holds, _) = self.ask_guard(op.node, *test, &rest);
                self.refuse(op, transition, Refusal::Closed, &without(&rest, &holds));
                rest = holds;
            }
        }
        if let StackUse::Push(_) = transition.stack {
            let full = self.with_full_stack(op, &rest);
            for (word, &mask) in full.iter().enumerate() {
                if mask != 0 {
                    self.fault(op.node, &FaultKind::StackFull, word, mask);
                }
            }
            self.refuse(op, transition, Refusal::Stack, &full);
            remove(&mut rest, &full);
        }
        for state in &transition.chosen_for {
            let active = self.column_ref(op.states[*state as usize].active);
            let mine = and(active, &rest);
            add(&mut self.regs[(op.regs.chosen + *state) as usize], &mine);
        }
        if any(&rest) {
            self.regs[(op.regs.taken + place) as usize] = rest;
        }
        rest
    }

    /// The agents with an entry of that state on top of their stack.
    fn on_top(&mut self, op: &MachineOp, state: u32, lanes: &Bits<W>) -> Bits<W> {
        let Some(stack) = &op.stack else {
            return zero();
        };
        let mut found = zero();
        for (level, (of, _)) in (1..).zip(&stack.levels) {
            let here = self.with_narrow(stack.depth, lanes, |depth| depth == level);
            add(
                &mut found,
                &self.with_narrow(*of, &here, |top| top == state),
            );
        }
        found
    }

    /// The agents whose stack has that many entries.
    fn with_depth(&self, op: &MachineOp, lanes: &Bits<W>, test: impl Fn(u32) -> bool) -> Bits<W> {
        match &op.stack {
            Some(stack) => self.with_narrow(stack.depth, lanes, test),
            None if test(0) => *lanes,
            None => zero(),
        }
    }

    /// The agents whose stack has no room left, counting the pushes that are already chosen.
    fn with_full_stack(&self, op: &MachineOp, lanes: &Bits<W>) -> Bits<W> {
        let Some(stack) = &op.stack else {
            return zero();
        };
        let depths = self.call.run.read().narrow(stack.depth);
        let mut full = zero();
        for_each(lanes, |lane| {
            let places = (0..).zip(&op.transitions);
            let chosen = places.filter(|(place, transition)| {
                let pushes = matches!(transition.stack, StackUse::Push(_));
                pushes && has_lane(&self.of_row(op.regs.taken, *place), lane)
            });
            if depths[lane] as usize + chosen.count() >= MAX_STACK {
                set_lane(&mut full, lane);
            }
        });
        full
    }

    /// Keeps one of the transitions that cannot be taken together.
    fn settle_conflicts(&mut self, op: &MachineOp) {
        for &place in &op.by_document {
            let taken = self.of_row(op.regs.taken, place);
            if !any(&taken) {
                continue;
            }
            let transition = &op.transitions[place as usize];
            let mut lost = zero();
            for &(other, wins) in &transition.conflicts {
                if !wins {
                    add(&mut lost, &and(&taken, &self.of_row(op.regs.taken, other)));
                }
            }
            self.refuse(op, transition, Refusal::Conflict, &lost);
            remove(&mut self.regs[(op.regs.taken + place) as usize], &lost);
            let kept = self.of_row(op.regs.taken, place);
            for &(other, _) in &transition.conflicts {
                let beaten = and(&kept, &self.of_row(op.regs.taken, other));
                self.refuse(
                    op,
                    &op.transitions[other as usize],
                    Refusal::Conflict,
                    &beaten,
                );
                remove(&mut self.regs[(op.regs.taken + other) as usize], &beaten);
            }
        }
    }

    #[inline(always)]
    fn refuse(&mut self, op: &MachineOp, transition: &TransitionOp, why: Refusal, lanes: &Bits<W>) {
        self.record_all(op.node, Event::Refuse(transition.number, why), lanes);
    }
}
