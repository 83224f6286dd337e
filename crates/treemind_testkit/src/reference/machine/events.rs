//! Events for machines: those that wait for the next tick, and those from inside of a statechart.

use super::{Reference, Running, Site};
use std::collections::BTreeSet;
use treemind_core::behaviour::{MAX_EVENTS, Machine, Mode, Param, StateIndex, StateKind, Trigger};
use treemind_core::{FaultKind, Kind, LeafId, Value};

/// Something that happened, and what is to be known of it.
#[derive(Clone, Debug)]
pub(super) struct Happened {
    pub(super) event: LeafId,
    pub(super) values: Vec<Value>,
    /// The tick in which a node told it, which is too late for this tick.
    pub(super) tick: Option<u64>,
}

impl Reference<'_> {
    /// Between ticks: something has happened, and all machines that run get to know of it in their next tick. Answers
    /// whether there was one that waits for it and had room.
    pub fn send(&mut self, event: LeafId, values: &[Value]) -> bool {
        let mut came = false;
        for node in self.behaviour.node_ids() {
            let Kind::Machine(machine) = &self.behaviour.node(node).kind else {
                continue;
            };
            let Some(running) = &mut self.memory(node).machine else {
                continue;
            };
            if listens(machine, event) && running.has_room() {
                running.inbox.push(Happened {
                    event,
                    values: values.to_vec(),
                    tick: None,
                });
                came = true;
            }
        }
        came
    }

    /// What nobody has used waits for the next tick where an active state wants that; it comes before all else.
    pub(super) fn keep_deferred(&mut self, site: Site<'_>, happened: Vec<Happened>, used: &[bool]) {
        let running = self.running(site);
        // In mode alarm what happened was looked at in the states before the step.
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
            self.fault(site.node, FaultKind::EventLost);
        }
    }
}

/// Whether a machine has any use for an event.
pub(super) fn listens(machine: &Machine, event: LeafId) -> bool {
    let mut triggers = machine.transitions.iter().map(|one| &one.trigger);
    triggers.any(|trigger| matches!(trigger, Trigger::Event(list) if list.contains(&event)))
}

/// In which ways a state is done: by its activity, by what is inside.
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
    }
    done
}
