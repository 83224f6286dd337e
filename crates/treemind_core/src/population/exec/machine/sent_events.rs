//! Events that are sent to machines: those that tasks emit, and those that a machine sends to itself for later.

use super::super::Exec;
use super::super::bits::{Bits, add, and, any, for_each, set_lane, without, zero};
use super::events::InboxHead;
use crate::behaviour::MAX_EVENTS;
use crate::ids::{ArgRange, LeafId};
use crate::program::op::{CancelOp, Delayed, EmitOp, MachineOp, PostOp};
use crate::status::Status;
use crate::text::Text;
use crate::trace::{Event, Sink};
use crate::value::{Type, Value};

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Sends an event to all running machines. The statechart that emits it gets it as an event of its own.
    pub(in crate::population::exec) fn tell_machines(&mut self, op: &EmitOp, lanes: &Bits<W>) {
        let code = self.code;
        for &index in &code.listeners {
            let machine = &code.machines[index as usize];
            let inside = op.around == Some(index) && machine.statechart;
            self.tell((op.leaf, op.args), machine, inside, lanes);
        }
    }

    fn tell(
        &mut self,
        (event, args): (LeafId, ArgRange),
        machine: &MachineOp,
        inside: bool,
        lanes: &Bits<W>,
    ) {
        let running = and(&self.slots[machine.slot as usize], lanes);
        let args = args.of(&self.call.around.program.args);
        self.put_event(machine, inside, event, &running, |exec, param, lane| {
            args[param].get(exec.call.run.read(), lane)
        });
    }

    pub(in crate::population::exec) fn send_later(&mut self, op: &PostOp) {
        let input = self.take(op.input);
        if !any(&input) {
            return;
        }
        let mut failed = zero();
        if op.args.computed {
            failed = self.evaluate_args(op.node, op.args, &input);
        }
        let told = without(&input, &failed);
        add(&mut failed, &self.send_to_itself(op, &told));
        let success = without(&input, &failed);
        self.note_also(op.node, Event::Send(op.event), &success);
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failed);
        self.send(op.success, &success);
        self.send(op.failure, &failed);
    }

    /// Returns the agents for which that failed.
    fn send_to_itself(&mut self, op: &PostOp, lanes: &Bits<W>) -> Bits<W> {
        let (code, later) = (self.code, op.later);
        let mut failed = match later.id {
            Some(id) => self.for_values(op.node, id, lanes, |exec, lane, value| {
                exec.call.run.narrow_mut(later.name)[lane] = name_of(value);
            }),
            None => zero(),
        };
        let named = without(lanes, &failed);
        let timeless = self.set_times(op.node, later.secs, later.moment, &named);
        add(&mut failed, &timeless);
        let machine = op.around.map(|index| &code.machines[index as usize]);
        let Some((machine, delayed)) =
            machine.and_then(|machine| Some((machine, machine.delayed.as_ref()?)))
        else {
            // The machine waits for no events.
            return failed;
        };
        let waiting = without(lanes, &failed);
        let at_once = self.past(later.moment, &waiting);
        self.tell((op.event, op.args), machine, false, &at_once);
        if delayed.queue.listens.binary_search(&op.event).is_err() {
            return failed;
        }
        let mut lost = zero();
        for_each(&without(&waiting, &at_once), |lane| {
            if !self.put_down(op, delayed, lane) {
                set_lane(&mut lost, lane);
            }
        });
        self.lose_event(machine, op.event, &lost);
        failed
    }

    /// Records an event for later, behind the events that come before it or at the same time. Returns whether there was
    /// room.
    fn put_down(&mut self, op: &PostOp, delayed: &Delayed, lane: usize) -> bool {
        let (queue, later) = (&delayed.queue, op.later);
        let count = self.call.run.read().narrow(queue.count)[lane];
        if count as usize >= MAX_EVENTS {
            return false;
        }
        let moment = self.call.run.read().wide(later.moment)[lane];
        let mut place = count;
        while place > 0 && self.call.run.read().wide(delayed.due + place - 1)[lane] > moment {
            self.move_delayed(delayed, place - 1, place, lane);
            place -= 1;
        }
        let name = match later.id {
            Some(_) => self.call.run.read().narrow(later.name)[lane],
            None => Text::default().number(),
        };
        self.call.run.wide_mut(delayed.due + place)[lane] = moment;
        self.call.run.narrow_mut(queue.events + place)[lane] = op.event.index() as u32;
        self.call.run.narrow_mut(queue.ticks + place)[lane] = name;
        for (param, arg) in (0..).zip(op.args.of(&self.call.around.program.args)) {
            let value = arg.get(self.call.run.read(), lane);
            let column = queue.payload.item(place * queue.params + param);
            self.call.run.set(column, lane, value);
        }
        self.call.run.narrow_mut(queue.count)[lane] = count + 1;
        true
    }

    fn move_delayed(&mut self, delayed: &Delayed, from: u32, to: u32, lane: usize) {
        let due = self.call.run.read().wide(delayed.due + from)[lane];
        self.call.run.wide_mut(delayed.due + to)[lane] = due;
        self.move_event(&delayed.queue.clone_head(), from, to, lane);
    }

    /// Removes an event recorded for later; the events behind it move up.
    fn take_delayed(&mut self, delayed: &Delayed, place: u32, lane: usize) {
        let count = self.call.run.read().narrow(delayed.queue.count)[lane];
        for behind in place + 1..count {
            self.move_delayed(delayed, behind, behind - 1, lane);
        }
        self.call.run.narrow_mut(delayed.queue.count)[lane] = count - 1;
    }

    /// Delivers the events that are due, as events from outside.
    pub(super) fn let_delayed_come(&mut self, op: &MachineOp, lanes: &Bits<W>) {
        let (Some(delayed), Some(inbox)) = (&op.delayed, &op.inbox) else {
            return;
        };
        let now = self.call.around.now_ns;
        let (queue, head) = (delayed.queue.clone_head(), inbox.clone_head());
        for_each(lanes, |lane| {
            let mut lost = None;
            while self.call.run.read().narrow(queue.count)[lane] > 0
                && self.call.run.read().wide(delayed.due)[lane] <= now
            {
                let event = LeafId(self.call.run.read().narrow(queue.events)[lane]);
                if !self.let_come(&queue, &head, lane) {
                    lost.get_or_insert(event);
                }
                self.take_delayed(delayed, 0, lane);
            }
            if let Some(event) = lost {
                let mut lanes = zero();
                set_lane(&mut lanes, lane);
                self.lose_event(op, event, &lanes);
            }
        });
    }

    /// Makes the first event of a queue the last of the events that came before this tick. Returns whether there was
    /// room.
    fn let_come(&mut self, queue: &InboxHead, inbox: &InboxHead, lane: usize) -> bool {
        let count = self.call.run.read().narrow(inbox.count)[lane];
        if count as usize >= MAX_EVENTS {
            return false;
        }
        let now = self.call.around.tick as u32;
        let mut place = count;
        while place > 0 && self.call.run.read().narrow(inbox.ticks + place - 1)[lane] == now {
            self.move_event(inbox, place - 1, place, lane);
            place -= 1;
        }
        let event = self.call.run.read().narrow(queue.events)[lane];
        self.call.run.narrow_mut(inbox.events + place)[lane] = event;
        self.call.run.narrow_mut(inbox.ticks + place)[lane] = now.wrapping_sub(1);
        for param in 0..inbox.params {
            let value = self
                .call
                .run
                .read()
                .get(queue.payload.item(param), Type::Any, lane);
            let column = inbox.payload.item(place * inbox.params + param);
            self.call.run.set(column, lane, value);
        }
        self.call.run.narrow_mut(inbox.count)[lane] = count + 1;
        true
    }

    pub(in crate::population::exec) fn cancel(&mut self, op: &CancelOp) {
        let input = self.take(op.input);
        if !any(&input) {
            return;
        }
        let code = self.code;
        let machine = op.around.map(|index| &code.machines[index as usize]);
        let delayed = machine.and_then(|machine| machine.delayed.as_ref());
        let failed = self.for_values(op.node, op.id, &input, |exec, lane, value| {
            let name = name_of(value);
            let Some(delayed) = delayed.filter(|_| name != Text::default().number()) else {
                return;
            };
            let queue = &delayed.queue;
            let mut place = exec.call.run.read().narrow(queue.count)[lane];
            while place > 0 {
                place -= 1;
                if exec.call.run.read().narrow(queue.ticks + place)[lane] == name {
                    exec.take_delayed(delayed, place, lane);
                }
            }
        });
        let success = without(&input, &failed);
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failed);
        self.send(op.success, &success);
        self.send(op.failure, &failed);
    }
}

fn name_of(value: Value) -> u32 {
    match value {
        Value::Text(name) => name.number(),
        _ => Text::default().number(),
    }
}
