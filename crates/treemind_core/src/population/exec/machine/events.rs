//! Events that wait for a machine.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, for_each, has_lane, set_lane, without, zero};
use super::Offer;
use crate::behaviour::MAX_EVENTS;
use crate::fault::FaultKind;
use crate::ids::LeafId;
use crate::program::op::{Inbox, MachineOp, Reg, TransitionOp};
use crate::text::Text;
use crate::trace::{Event, Sink};
use crate::value::{Type, Value};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    fn inbox_of(op: &MachineOp, offer: Offer) -> Option<&Inbox> {
        match offer {
            Offer::Raised => op.raised.as_ref(),
            Offer::Everything | Offer::Eventless | Offer::Outside => op.inbox.as_ref(),
        }
    }

    /// The agents whose event of that number is one of the given events and came before this tick. Each region may use
    /// it once, so it does not matter whether another region has: one that took a transition is asked nothing more.
    pub(super) fn waiting(
        &self,
        op: &MachineOp,
        number: u32,
        events: &[LeafId],
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let Some(inbox) = &op.inbox else {
            return zero();
        };
        self.holding(inbox, |_| number, events, lanes, false)
    }

    /// The agents whose next event in an inbox is one of the given events.
    pub(super) fn offered(
        &self,
        op: &MachineOp,
        offer: Offer,
        events: &[LeafId],
        lanes: &Bits<W>,
    ) -> Bits<W> {
        let Some(inbox) = Self::inbox_of(op, offer) else {
            return zero();
        };
        match offer {
            Offer::Raised => self.holding(inbox, |_| 0, events, lanes, true),
            _ => {
                let offered = self.call.run.read().narrow(op.offered);
                self.holding(inbox, |lane| offered[lane], events, lanes, false)
            }
        }
    }

    fn holding(
        &self,
        inbox: &Inbox,
        number: impl Fn(usize) -> u32,
        events: &[LeafId],
        lanes: &Bits<W>,
        inside: bool,
    ) -> Bits<W> {
        let run = self.call.run.read();
        let counts = run.narrow(inbox.count);
        let now = self.call.around.tick as u32;
        let mut found = zero();
        for_each(lanes, |lane| {
            let number = number(lane);
            let is_there =
                number < counts[lane] && (inside || run.narrow(inbox.ticks + number)[lane] != now);
            let is_one_of = |kind: u32| events.iter().any(|event| event.index() as u32 == kind);
            if is_there && is_one_of(run.narrow(inbox.events + number)[lane]) {
                set_lane(&mut found, lane);
            }
        });
        found
    }

    /// Writes the parameters of an event to the keys that receive them.
    pub(super) fn receive(
        &mut self,
        op: &MachineOp,
        transition: &TransitionOp,
        offer: Offer,
        number: u32,
        lanes: &Bits<W>,
    ) {
        let Some(inbox) = Self::inbox_of(op, offer) else {
            return;
        };
        for (param, key) in (0..).zip(&transition.payload) {
            let slot = self.call.around.program.board.keys[key.index()];
            for_each(lanes, |lane| {
                let number = match offer {
                    Offer::Outside => self.call.run.read().narrow(op.offered)[lane],
                    _ => number,
                };
                let event = self.call.run.read().narrow(inbox.events + number)[lane];
                let event = &self.call.around.program.behaviour.leaves()[event as usize];
                if event.params.len() <= param as usize {
                    // Another event of the transition has more parameters.
                    return;
                }
                let column = inbox.payload.item(number * inbox.params + param);
                let value = self.call.run.read().get(column, Type::Any, lane);
                if let Some(value) = value.widened(slot.ty) {
                    self.store_value(slot, lane, value);
                    self.note_set_of((op.node, *key), lane, value);
                }
            });
        }
    }

    /// Records the events that are offered to the transitions of some agents.
    #[inline(always)]
    pub(super) fn note_offers(&mut self, op: &MachineOp, offer: Offer, lanes: &Bits<W>) {
        if self.wants_values() && offer != Offer::Eventless {
            let inbox = Self::inbox_of(op, offer);
            let listens = inbox.map_or(&[][..], |inbox| &inbox.listens);
            let most = if offer == Offer::Everything {
                MAX_EVENTS
            } else {
                1
            };
            for number in 0..most as u32 {
                let offered = match offer {
                    Offer::Everything => self.waiting(op, number, listens, lanes),
                    _ => *lanes,
                };
                self.note_number(op, Event::Offer, (offer, number), &offered);
            }
        }
    }

    /// Records what becomes of the event of that number, or of the one that is offered.
    #[inline(always)]
    pub(super) fn note_number(
        &mut self,
        op: &MachineOp,
        event: impl Fn(LeafId) -> Event,
        (offer, number): (Offer, u32),
        lanes: &Bits<W>,
    ) {
        let place = |exec: &Self, lane: usize| match offer {
            Offer::Outside => exec.call.run.read().narrow(op.offered)[lane],
            _ => number,
        };
        self.note_waiting(op.node, event, Self::inbox_of(op, offer), (place, lanes));
    }

    /// Offers each of some agents the next event of an inbox. It is taken out, but if it came from outside and no
    /// transition is taken with it: that may be kept at the end of the tick. Answers who had one, and who takes a
    /// transition.
    pub(super) fn offer(
        &mut self,
        op: &MachineOp,
        lanes: &Bits<W>,
        offer: Offer,
    ) -> (Bits<W>, Bits<W>) {
        let Some(inbox) = Self::inbox_of(op, offer) else {
            return (zero(), zero());
        };
        let offered = self.offered(op, offer, &inbox.listens, lanes);
        if !any(&offered) {
            return (zero(), zero());
        }
        let taken = self.choose_transitions(op, &offered, offer);
        let inbox = inbox.clone_head();
        if offer == Offer::Raised {
            for_each(&offered, |lane| self.take_out(&inbox, 0, lane));
        } else {
            for_each(&taken, |lane| {
                let number = self.call.run.read().narrow(op.offered)[lane];
                self.take_out(&inbox, number, lane);
            });
            let counts = self.call.run.narrow_mut(op.offered);
            for_each(&without(&offered, &taken), |lane| counts[lane] += 1);
        }
        (offered, taken)
    }

    /// Removes an event; the events behind it move up.
    fn take_out(&mut self, inbox: &InboxHead, number: u32, lane: usize) {
        let count = self.call.run.read().narrow(inbox.count)[lane];
        for place in number + 1..count {
            self.move_event(inbox, place, place - 1, lane);
        }
        self.call.run.narrow_mut(inbox.count)[lane] = count - 1;
    }

    pub(super) fn move_event(&mut self, inbox: &InboxHead, from: u32, to: u32, lane: usize) {
        for column in [inbox.events, inbox.ticks] {
            let moved = self.call.run.read().narrow(column + from)[lane];
            self.call.run.narrow_mut(column + to)[lane] = moved;
        }
        for param in 0..inbox.params {
            let column = inbox.payload.item(from * inbox.params + param);
            let moved = self.call.run.read().get(column, Type::Any, lane);
            let column = inbox.payload.item(to * inbox.params + param);
            self.call.run.set(column, lane, moved);
        }
    }

    /// Puts an event into an inbox; if there is no room, it is lost.
    pub(in crate::population::exec) fn put_event(
        &mut self,
        op: &MachineOp,
        inside: bool,
        event: LeafId,
        lanes: &Bits<W>,
        mut value: impl FnMut(&Self, usize, usize) -> Value,
    ) {
        let inbox = if inside { &op.raised } else { &op.inbox };
        let Some(inbox) = inbox else {
            return;
        };
        if inbox.listens.binary_search(&event).is_err() {
            return;
        }
        let params = self.call.around.program.behaviour.leaf(event).params.len();
        let now = self.call.around.tick as u32;
        let mut lost: Bits<W> = zero();
        for_each(lanes, |lane| {
            let count = self.call.run.read().narrow(inbox.count)[lane];
            if count as usize >= MAX_EVENTS {
                set_lane(&mut lost, lane);
                return;
            }
            self.call.run.narrow_mut(inbox.events + count)[lane] = event.index() as u32;
            self.call.run.narrow_mut(inbox.ticks + count)[lane] = now;
            for param in 0..params {
                let given = value(self, param, lane);
                let column = inbox.payload.item(count * inbox.params + param as u32);
                self.call.run.set(column, lane, given);
            }
            self.call.run.narrow_mut(inbox.count)[lane] = count + 1;
        });
        self.lose_event(op, event, &lost);
    }

    /// There was no room for an event.
    pub(super) fn lose_event(&mut self, op: &MachineOp, event: LeafId, lost: &Bits<W>) {
        for (word, &mask) in lost.iter().enumerate() {
            if mask != 0 {
                let event = Text::new(&self.call.around.program.behaviour.leaf(event).name);
                let kind = FaultKind::EventLost {
                    event,
                    limit: MAX_EVENTS as u32,
                    is_mailbox: false,
                };
                self.fault(op.node, &kind, word, mask);
            }
        }
    }

    /// The event that a state raises inside a statechart when it is done; for composites, when a final state is
    /// entered.
    #[inline(always)]
    pub(super) fn raise_done(&mut self, op: &MachineOp, entered: usize, lanes: &Bits<W>) {
        if op.raised.is_some() {
            self.raise_done_inside(op, entered, lanes);
        }
    }

    #[inline(never)]
    fn raise_done_inside(&mut self, op: &MachineOp, entered: usize, lanes: &Bits<W>) {
        let mut state = op.states[entered].parent;
        let is_final = |parent: u32| {
            op.states[parent as usize]
                .finals
                .iter()
                .any(|(inner, _)| *inner as usize == entered)
        };
        if !state.is_some_and(is_final) {
            return;
        }
        let mut lanes = *lanes;
        while let Some(of) = state {
            let [success, failure] = self.done(op, of as usize);
            let mut done = success;
            add(&mut done, &failure);
            lanes = and(&lanes, &done);
            if let (Some(event), true) = (op.states[of as usize].done_event, any(&lanes)) {
                let params = &self.call.around.program.behaviour.leaf(event).params;
                self.put_event(op, true, event, &lanes, |_, param, _| {
                    let param = &params[param];
                    param.default.unwrap_or(param.ty.zero())
                });
            }
            // Only a parallel can become done by a change further inside.
            state = op.states[of as usize]
                .parent
                .filter(|above| !op.states[*above as usize].regions.is_empty());
        }
    }

    /// Removes the events of this tick, except those that a state defers.
    pub(super) fn drop_events(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let Some(inbox) = op.inbox.as_ref().map(Inbox::clone_head) else {
            return;
        };
        let now = self.call.around.tick as u32;
        for_each(lanes, |lane| {
            let mut number = 0;
            let mut original = 0;
            while number < self.call.run.read().narrow(inbox.count)[lane] {
                let came = self.call.run.read().narrow(inbox.ticks + number)[lane];
                let event = self.call.run.read().narrow(inbox.events + number)[lane];
                let consumed = has_lane(&self.of_row(op.regs.consumed, original), lane);
                original += 1;
                let deferred = !consumed && self.is_deferred(op, event, lane);
                if came == now || deferred {
                    number += 1;
                } else {
                    self.take_out(&inbox, number, lane);
                }
            }
        });
        self.offer_anew(op, lanes);
        for number in 0..MAX_EVENTS as u32 {
            self.take(Reg(op.regs.consumed + number));
        }
    }

    /// Whether a state defers it that is active, or that in mode alarm was left in this tick: it was looked at there.
    fn is_deferred(&self, op: &MachineOp, event: u32, lane: usize) -> bool {
        op.states.iter().enumerate().any(|(index, state)| {
            let defers = |defer: &LeafId| defer.index() as u32 == event;
            state.defers.iter().any(defers)
                && (has_lane(&self.column(state.active), lane)
                    || !op.statechart && has_lane(&self.of_row(op.regs.left, index as u32), lane))
        })
    }

    pub(super) fn forget_events(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        if let Some(inbox) = &op.inbox {
            let counts = self.call.run.narrow_mut(inbox.count);
            for_each(lanes, |lane| counts[lane] = 0);
            self.offer_anew(op, lanes);
        }
        if let Some(delayed) = &op.delayed {
            let counts = self.call.run.narrow_mut(delayed.queue.count);
            for_each(lanes, |lane| counts[lane] = 0);
        }
        self.forget_raised(op, lanes);
    }

    fn offer_anew(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        if op.statechart {
            let counts = self.call.run.narrow_mut(op.offered);
            for_each(lanes, |lane| counts[lane] = 0);
        }
    }

    pub(super) fn forget_raised(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        if let Some(inbox) = &op.raised {
            let counts = self.call.run.narrow_mut(inbox.count);
            for_each(lanes, |lane| counts[lane] = 0);
        }
    }
}

/// An inbox, without the list of its events.
#[derive(Clone, Copy)]
pub(super) struct InboxHead {
    pub(super) count: u32,
    pub(super) events: u32,
    pub(super) ticks: u32,
    pub(super) payload: crate::blackboard::Column,
    pub(super) params: u32,
}

impl Inbox {
    pub(super) fn clone_head(&self) -> InboxHead {
        InboxHead {
            count: self.count,
            events: self.events,
            ticks: self.ticks,
            payload: self.payload,
            params: self.params,
        }
    }
}
