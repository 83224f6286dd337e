//! Events for machines: those that wait for the next tick, and those from inside of a statechart.

use super::{Reference, Running, Site};
use treemind_core::behaviour::{MAX_EVENTS, Mode, StateIndex, StateKind};
use treemind_core::{FaultKind, LeafId, Value};

/// Something that happened, and what is to be known of it.
#[derive(Clone, Debug)]
pub(super) struct Happened {
    pub(super) event: LeafId,
    pub(super) values: Vec<Value>,
}

impl Reference<'_> {
    /// Between ticks: something has happened, and all machines that run get to know of it in their next tick.
    pub fn send(&mut self, event: LeafId, values: &[Value]) {
        for node in self.behaviour.node_ids() {
            let Some(running) = &mut self.memory(node).machine else {
                continue;
            };
            let is_lost = running.inbox.len() >= MAX_EVENTS;
            if is_lost {
                self.fault(node, FaultKind::EventLost);
            } else {
                let values = values.to_vec();
                running.inbox.push(Happened { event, values });
            }
        }
    }

    /// What nobody has used waits for the next tick where an active state wants that; it comes before all else.
    pub(super) fn keep_deferred(&mut self, site: Site<'_>, happened: Vec<Happened>, used: &[bool]) {
        let running = self.running(site);
        let is_deferred = |event: LeafId| {
            let mut active = running.active.iter();
            active.any(|state| site.machine.states[*state].defers.contains(&event))
        };
        let mut used = used.iter();
        let mut kept = happened;
        kept.retain(|happened| used.next() == Some(&false) && is_deferred(happened.event));
        running.inbox.splice(0..0, kept);
    }

    /// A final state was entered: whatever is done by that says so, if the machine is a statechart.
    pub(super) fn raise_done(&mut self, site: Site<'_>, entered: StateIndex) {
        let states = &site.machine.states;
        if site.machine.mode != Mode::Statechart
            || !matches!(states[entered].kind, StateKind::Final { .. })
        {
            return;
        }
        let mut above = states[entered].parent;
        while let Some(state) = above {
            if is_done(site, self.running(site), state).is_none() {
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
        let running = self.running(site);
        if running.raised.len() < MAX_EVENTS {
            let values = Vec::new();
            running.raised.push_back(Happened { event, values });
        } else {
            self.fault(site.node, FaultKind::EventLost);
        }
    }
}

/// Whether what is inside a state has come to its end with success, or with failure; nothing while it has not.
pub(super) fn is_done(site: Site<'_>, running: &Running, state: StateIndex) -> Option<bool> {
    let machine = site.machine;
    match machine.states[state].kind {
        StateKind::Atomic | StateKind::Final { .. } => None,
        StateKind::Composite { .. } => {
            let mut inside = machine.children(state);
            let active = inside.find(|child| running.active.contains(child))?;
            match machine.states[active].kind {
                StateKind::Final { success } => Some(success),
                _ => None,
            }
        }
        StateKind::Parallel => {
            let mut all = true;
            for child in machine.children(state) {
                all &= is_done(site, running, child)?;
            }
            Some(all)
        }
    }
}
