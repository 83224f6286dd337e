//! Events sent to machines: those that nodes emit, and those that a machine sends to itself.

use super::events::{Happened, listens};
use super::{Reference, Site};
use std::collections::BTreeSet;
use treemind_core::behaviour::{Arg, MAX_EVENTS, Mode, StateIndex};
use treemind_core::{Expr, FaultKind, Kind, LeafId, NodeId, Text, Value};

/// An event that will come later.
#[derive(Clone, Debug)]
pub(in crate::reference) struct Later {
    due_ns: u128,
    name: Text,
    happened: Happened,
}

impl<'b> Reference<'b> {
    /// Sends an event to all running machines.
    pub(in crate::reference) fn tell_machines(
        &mut self,
        node: NodeId,
        event: LeafId,
        values: &[Value],
    ) {
        let around = self.machine_around(node).map(|site| site.node);
        for machine in self.behaviour.node_ids() {
            let inside = around == Some(machine);
            self.tell(machine, event, values, inside);
        }
    }

    /// Whether the innermost machine around a node keeps the events that are emitted in it to itself.
    pub(in crate::reference) fn is_in_statechart(&self, node: NodeId) -> bool {
        let around = self.machine_around(node);
        around.is_some_and(|site| site.machine.mode == Mode::Statechart)
    }

    /// Sends an event to one machine, if the node is a machine that is running and listens to it.
    fn tell(&mut self, node: NodeId, event: LeafId, values: &[Value], inside: bool) {
        let Kind::Machine(machine) = &self.behaviour.node(node).kind else {
            return;
        };
        let tick = Some(self.tick);
        let Some(running) = &mut self.memory(node).machine else {
            return;
        };
        if running.is_ending || !listens(machine, event) {
            return;
        }
        let values = values.to_vec();
        let happened = Happened {
            event,
            values,
            tick,
        };
        if inside && machine.mode == Mode::Statechart {
            if running.raised.len() < MAX_EVENTS {
                return running.raised.push_back(happened);
            }
        } else if running.has_room() {
            return running.inbox.push(happened);
        }
        self.lose_event(node, event);
    }

    /// Sends a delayed event to the machine around a node; returns whether all its data could be evaluated.
    pub(in crate::reference) fn send_later(
        &mut self,
        node: NodeId,
        (event, args): (LeafId, &[Arg]),
        delay: &Expr,
        id: Option<&Expr>,
    ) -> bool {
        let Some(values) = self.args(node, args) else {
            return false;
        };
        let Some(site) = self.machine_around(node) else {
            unreachable!("behaviours are checked");
        };
        let name = match id.map(|id| self.eval_at(node, id)) {
            None => Text::default(),
            Some(Some(Value::Text(name))) => name,
            Some(_) => return false,
        };
        let Some(delay_ns) = self.duration_at(node, delay) else {
            return false;
        };
        if delay_ns == 0 {
            self.tell(site.node, event, &values, false);
            return true;
        }
        if !listens(site.machine, event) {
            return true;
        }
        let due_ns = self.now() + delay_ns;
        let tick = None;
        let happened = Happened {
            event,
            values,
            tick,
        };
        let delayed = &mut self.running(site).delayed;
        if delayed.len() >= MAX_EVENTS {
            self.lose_event(site.node, event);
            return true;
        }
        let place = delayed.partition_point(|earlier| earlier.due_ns <= due_ns);
        delayed.insert(
            place,
            Later {
                due_ns,
                name,
                happened,
            },
        );
        true
    }

    pub(in crate::reference) fn cancel(&mut self, node: NodeId, id: &Expr) -> bool {
        let Some(Value::Text(name)) = self.eval_at(node, id) else {
            return false;
        };
        if let Some(site) = self.machine_around(node)
            && name != Text::default()
        {
            self.running(site)
                .delayed
                .retain(|later| later.name != name);
        }
        true
    }

    /// The events for this tick: first those that were in the inbox, then the delayed ones that are due.
    pub(super) fn take_inbox(&mut self, site: Site<'_>) -> Vec<Happened> {
        let (now, tick) = (self.now(), self.tick);
        let running = self.running(site);
        let inbox = std::mem::take(&mut running.inbox);
        let (early, mut come): (Vec<_>, Vec<_>) = inbox
            .into_iter()
            .partition(|happened| happened.tick == Some(tick));
        let due = running.delayed.partition_point(|later| later.due_ns <= now);
        let due: Vec<Later> = running.delayed.drain(..due).collect();
        let room = MAX_EVENTS - come.len() - early.len();
        let lost = due.get(room).map(|later| later.happened.event);
        come.extend(due.into_iter().take(room).map(|later| later.happened));
        running.inbox = early;
        running.in_use = come.len();
        if let Some(event) = lost {
            self.lose_event(site.node, event);
        }
        come
    }

    /// A machine has no room for an event.
    pub(super) fn lose_event(&mut self, node: NodeId, event: LeafId) {
        let kind = FaultKind::EventLost {
            event: Text::new(&self.behaviour.leaf(event).name),
            limit: MAX_EVENTS as u32,
            is_mailbox: false,
        };
        self.fault(node, kind);
    }

    /// The active states of the innermost machine around a node, which may be the node itself.
    pub(in crate::reference) fn active_around(&self, node: NodeId) -> BTreeSet<StateIndex> {
        let running = self.innermost(node).and_then(|site| {
            let memory = &self.memories[site.node.index()];
            memory.machine.as_ref()
        });
        running.map_or_else(BTreeSet::new, |running| running.active.clone())
    }

    fn machine_around(&self, node: NodeId) -> Option<Site<'b>> {
        self.innermost(self.behaviour.node(node).parent?)
    }

    fn innermost(&self, node: NodeId) -> Option<Site<'b>> {
        let behaviour = self.behaviour;
        let mut path = std::iter::successors(Some(node), |node| behaviour.node(*node).parent);
        path.find_map(|node| match &behaviour.node(node).kind {
            Kind::Machine(machine) => Some(Site { node, machine }),
            _ => None,
        })
    }
}
