//! Events for machines: those that wait for the next tick, and those raised inside a statechart.

use super::{Reference, Running, Site};
use std::collections::BTreeSet;
use treemind_core::behaviour::{MAX_EVENTS, Machine, Mode, Param, StateIndex, StateKind, Trigger};
use treemind_core::{Kind, LeafId, NodeId, Sent, Value};

/// An event with its data.
#[derive(Clone, Debug)]
pub(super) struct Happened {
    pub(super) event: LeafId,
    pub(super) values: Vec<Value>,
    /// The tick in which a node sent it, which is too late for this tick.
    pub(super) tick: Option<u64>,
}

impl Reference<'_> {
    /// Between ticks: the host sends an event, which running machines and nodes that look for it get in the next tick.
    /// Returns whether there was one that waits for it and had room.
    pub fn send(&mut self, event: LeafId, values: &[Value]) -> bool {
        self.send_counted(event, values).received > 0
    }

    /// As [`send`](Self::send), but says how often there was room and how often not.
    pub fn send_counted(&mut self, event: LeafId, values: &[Value]) -> Sent {
        let (received, full) = self.offer(event, values, 0);
        let lost = full.len();
        Sent { received, lost }
    }

    /// Between ticks: an event comes to all running machines that listen to it, and to the mailbox. Returns whether
    /// one of them had room, and those that had none; `None` is the mailbox.
    pub(in crate::reference) fn offer(
        &mut self,
        event: LeafId,
        values: &[Value],
        sender: u64,
    ) -> (usize, Vec<Option<NodeId>>) {
        let (mut came, mut full) = (0, Vec::new());
        for node in self.behaviour.node_ids() {
            let Kind::Machine(machine) = &self.behaviour.node(node).kind else {
                continue;
            };
            let Some(running) = &mut self.memory(node).machine else {
                continue;
            };
            if !listens(machine, event) {
                continue;
            }
            if running.has_room() {
                running.inbox.push(Happened {
                    event,
                    values: values.to_vec(),
                    tick: None,
                });
                came += 1;
            } else {
                full.push(Some(node));
            }
        }
        if self.looks_for(event) {
            match self.put_into_mailbox(event, values, sender) {
                true => came += 1,
                false => full.push(None),
            }
        }
        (came, full)
    }

    /// Keeps unused events for the next tick if an active state defers them; they come before all others.
    pub(super) fn keep_deferred(&mut self, site: Site<'_>, happened: Vec<Happened>, used: &[bool]) {
        let running = self.running(site);
        // In mode alarm, the states from before the step decided about the events.
        let left = match site.machine.mode {
            Mode::Alarm => running.left.clone(),
            Mode::Statechart => BTreeSet::new(),
        };
        let is_deferred = |event: LeafId| {
            let mut states = running.active.union(&left);
            states.any(|state| site.machine.states[*state].defers.contains(&event))
        };
        let mut used = used.iter();
        let mut kept = happened;
        kept.retain(|happened| used.next() == Some(&false) && is_deferred(happened.event));
        running.inbox.splice(0..0, kept);
        running.in_use = 0;
    }

    /// A final state was entered: in a statechart, raises the events of everything that is done by that.
    pub(super) fn raise_done(&mut self, site: Site<'_>, entered: StateIndex) {
        let states = &site.machine.states;
        if site.machine.mode != Mode::Statechart
            || !matches!(states[entered].kind, StateKind::Final { .. })
        {
            return;
        }
        let mut above = states[entered].parent;
        while let Some(state) = above {
            if !done(site, self.running(site), state).is_any() {
                return;
            }
            if let Some(event) = states[state].done_event {
                self.raise(site, event);
            }
            above = states[state]
                .parent
                .filter(|parent| states[*parent].kind == StateKind::Parallel);
        }
    }

    fn raise(&mut self, site: Site<'_>, event: LeafId) {
        if !listens(site.machine, event) {
            return;
        }
        let running = self.running(site);
        if running.raised.len() < MAX_EVENTS {
            let params = &self.behaviour.leaf(event).params;
            let value = |param: &Param| param.default.unwrap_or(param.ty.zero());
            let values = params.iter().map(value).collect();
            let tick = None;
            self.running(site).raised.push_back(Happened {
                event,
                values,
                tick,
            });
        } else {
            self.lose_event(site.node, event);
        }
    }
}

/// Whether a machine uses an event anywhere.
pub(super) fn listens(machine: &Machine, event: LeafId) -> bool {
    let mut triggers = machine.transitions.iter().map(|one| &one.trigger);
    triggers.any(|trigger| matches!(trigger, Trigger::Event(list) if list.contains(&event)))
}

/// In which ways a state is done: by its activity, and by the states inside.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) with_success: bool,
    pub(super) with_failure: bool,
}

impl Done {
    fn note(&mut self, success: bool) {
        self.with_success |= success;
        self.with_failure |= !success;
    }

    pub(super) fn is_any(self) -> bool {
        self.with_success || self.with_failure
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn done(site: Site<'_>, running: &Running, state: StateIndex) -> Done {
    let machine = site.machine;
    let mut done = Done::default();
    if let Some(success) = running.ended.get(&state) {
        done.note(*success);
    }
    match machine.states[state].kind {
        StateKind::Atomic | StateKind::Final { .. } => {}
        StateKind::Composite { .. } => {
            for child in machine.children(state) {
                if let StateKind::Final { success } = machine.states[child].kind
                    && running.active.contains(&child)
                {
                    done.note(success);
                }
            }
        }
        StateKind::Parallel => {
            let regions = machine.children(state);
            let regions: Vec<Done> = regions
                .map(|region| self::done(site, running, region))
                .collect();
            if regions.iter().all(|region| region.is_any()) {
                done.note(!regions.iter().any(|region| region.with_failure));
            }
        }
        _ => treemind_core::unlisted(&machine.states[state].kind),
    }
    done
}
