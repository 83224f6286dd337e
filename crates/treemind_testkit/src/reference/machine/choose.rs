//! Chooses the transitions that a machine takes in a step.

use super::Site;
use super::entries::Entries;
use super::events::{Happened, done};
use crate::reference::{Leaves, Reference};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use treemind_core::behaviour::{
    DoneWith, MAX_STACK, Machine, Mode, Stack, StateIndex, Target, Transition, Trigger,
};
use treemind_core::{Event, FaultKind, NodeId, Refusal, Status, Value};

/// A transition that was chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Its number.
    pub(super) number: usize,
    /// `None` when it leaves and enters nothing.
    pub(super) domain: Option<StateIndex>,
}

impl<'b> Reference<'b> {
    /// The transitions to take, in the order in which a step takes them. With `without_event` this includes those
    /// that need no event. Records in `used` which of the events were used.
    pub(super) fn choose_transitions(
        &mut self,
        site: Site<'b>,
        without_event: bool,
        happened: &[Happened],
        used: &mut [bool],
        leaves: &mut dyn Leaves,
    ) -> Vec<Chosen> {
        for happened in happened {
            self.report_also(site.node, Event::Offer(happened.event), None);
        }
        let mut chosen = Vec::new();
        let mut taken: BTreeSet<StateIndex> = BTreeSet::new();
        for number in in_order_of_looks(site.machine) {
            let transition = &site.machine.transitions[number];
            let is_decided = transition.decided.is_some_and(|decided| decided.leaf > 0);
            if is_decided || !self.running(site).active.contains(&transition.source) {
                continue;
            }
            let ways = self.ways(site, number, without_event, happened);
            if ways.is_empty() {
                continue;
            }
            let active = self.running(site).active.iter().copied();
            let free: Vec<StateIndex> = active
                .filter(|state| {
                    let is_in = *state == transition.source
                        || site.machine.is_inside(*state, transition.source);
                    is_in && site.machine.is_atomic(*state) && !taken.contains(state)
                })
                .collect();
            let verdict = if free.is_empty() {
                Err((number, Refusal::Beaten))
            } else {
                let pushes = chosen.iter().filter(|chosen: &&Chosen| {
                    site.machine.transitions[chosen.number].stack == Stack::Push
                });
                let room = MAX_STACK.saturating_sub(pushes.count());
                self.judge(site, number, &ways, (happened, room), leaves)
            };
            match verdict {
                Err((number, why)) => self.refuse(site, number, why),
                Ok((number, way)) => {
                    if let Some(event) = way {
                        used[event] = true;
                        let event = happened[event].event;
                        self.report_also(site.node, Event::Use(event), None);
                    }
                    taken.extend(free);
                    let transition = &site.machine.transitions[number];
                    let domain = self.domain(site, transition);
                    chosen.push(Chosen { number, domain });
                }
            }
        }
        self.settle_conflicts(site, chosen)
    }

    /// The events that may trigger it, or that none is needed; `None`: it is not a candidate.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn ways(
        &mut self,
        site: Site<'_>,
        number: usize,
        without_event: bool,
        happened: &[Happened],
    ) -> Vec<Option<usize>> {
        let now = self.now();
        let running = self.running(site);
        let transition = &site.machine.transitions[number];
        let is_there = match &transition.trigger {
            Trigger::Event(list) => {
                let fits = |index: &usize| list.contains(&happened[*index].event);
                return (0..happened.len()).filter(fits).map(Some).collect();
            }
            Trigger::Polled => true,
            Trigger::After(_) => running.due_ns.get(&number).is_some_and(|due| now >= *due),
            Trigger::Done(with) => {
                let done = done(site, running, transition.source);
                match with {
                    DoneWith::Any => done.is_any(),
                    DoneWith::Success => done.with_success,
                    DoneWith::Failure => done.with_failure,
                    _ => treemind_core::unlisted(&with),
                }
            }
            _ => treemind_core::unlisted(&transition.trigger),
        };
        let mut together = site.machine.looked_at_with(number);
        let is_used_up = transition.trigger != Trigger::Polled
            && together.any(|number| running.taken.contains(&number));
        if is_there && without_event && !is_used_up {
            vec![None]
        } else {
            Vec::new()
        }
    }

    /// The first way in which a candidate can be taken, and the transition chosen by its decision tree; or why it
    /// cannot be taken. `room` is how many entries the stack can hold.
    fn judge(
        &mut self,
        site: Site<'b>,
        number: usize,
        ways: &[Option<usize>],
        (happened, room): (&[Happened], usize),
        leaves: &mut dyn Leaves,
    ) -> Result<(usize, Option<usize>), (usize, Refusal)> {
        let transition = &site.machine.transitions[number];
        if transition.decided.is_none() && self.is_there_already(site, transition) {
            return Err((number, Refusal::Active));
        }
        if transition.stack == Stack::Pop && self.running(site).stack.is_empty() {
            return Err((number, Refusal::Stack));
        }
        let mut ways = ways.iter().copied();
        let found = ways.find_map(|way| {
            if let Some(event) = way {
                let values = &happened[event].values;
                self.receive(site.node, transition, values);
            }
            let leaf = self.holds(site, transition, leaves)?;
            Some((number + leaf, way))
        });
        let Some((number, way)) = found else {
            return Err((number, Refusal::Guard));
        };
        let transition = &site.machine.transitions[number];
        if transition.decided.is_some() && self.is_there_already(site, transition) {
            return Err((number, Refusal::Active));
        }
        if let Some(domain) = site.machine.domain(transition)
            && !self.may_enter(site, domain, &transition.targets)
        {
            return Err((number, Refusal::Closed));
        }
        if transition.stack == Stack::Push && self.running(site).stack.len() >= room {
            self.fault(site.node, FaultKind::StackFull);
            return Err((number, Refusal::Stack));
        }
        Ok((number, way))
    }

    /// Whether an alarm has nothing to do because its only target, below the source, is active.
    fn is_there_already(&mut self, site: Site<'b>, transition: &Transition) -> bool {
        let [target] = &transition.targets[..] else {
            return false;
        };
        let target = Machine::target_state(target);
        site.machine.mode == Mode::Alarm
            && !transition.reenter
            && site.machine.is_inside(target, transition.source)
            && self.running(site).active.contains(&target)
    }

    /// Writes the data of an event to the keys from which guards and tasks read it.
    fn receive(&mut self, node: NodeId, transition: &Transition, values: &[Value]) {
        for (key, value) in transition.payload.iter().zip(values) {
            if let Some(value) = value.widened(self.behaviour.key(*key).ty) {
                self.set(node, *key, value);
            }
        }
    }

    /// Whether its guards hold, and if so, which of the transitions decided together it is, counted from itself.
    fn holds(
        &mut self,
        site: Site<'b>,
        transition: &Transition,
        leaves: &mut dyn Leaves,
    ) -> Option<usize> {
        if !self.guards_hold(site, transition, leaves) {
            return None;
        }
        let Some(decided) = transition.decided else {
            return Some(0);
        };
        let decider = &site.machine.deciders[decided.by];
        let first_step = site.machine.first_test(decided.by);
        self.lead_down(site.node, decider, first_step, leaves)
    }

    fn guards_hold(
        &mut self,
        site: Site<'_>,
        transition: &Transition,
        leaves: &mut dyn Leaves,
    ) -> bool {
        if let Some(when) = &transition.when
            && self.eval_at(site.node, when) != Some(Value::Bool(true))
        {
            return false;
        }
        let Some(conditions) = transition.conditions else {
            return true;
        };
        let conditions = self.child(site, conditions);
        let answer = self.visit(conditions, leaves);
        self.abort_node(conditions, leaves);
        answer == Status::Success
    }

    /// Whether all states that would be entered can be entered, as far as that does not depend on histories.
    fn may_enter(&mut self, site: Site<'b>, domain: StateIndex, targets: &'b [Target]) -> bool {
        let entries = Entries::without_histories(site.machine, domain, targets);
        entries.states.into_iter().all(|state| {
            let enter_if = site.machine.states[state].enter_if.as_ref();
            enter_if.is_none_or(|test| self.eval_at(site.node, test) == Some(Value::Bool(true)))
        })
    }

    fn domain(&mut self, site: Site<'_>, transition: &Transition) -> Option<StateIndex> {
        if transition.stack == Stack::Pop {
            return self.running(site).stack.last().map(|pushed| pushed.domain);
        }
        site.machine.domain(transition)
    }

    /// Of two transitions that leave the same state, keeps only one.
    fn settle_conflicts(&mut self, site: Site<'_>, chosen: Vec<Chosen>) -> Vec<Chosen> {
        let mut in_order = chosen.clone();
        in_order.sort_by_key(|chosen| chosen.number);
        let mut kept: Vec<Chosen> = Vec::new();
        for new in in_order {
            let against = kept.iter().filter(|old| conflict(site.machine, old, &new));
            let against: Vec<usize> = against.map(|old| old.number).collect();
            if against
                .iter()
                .any(|old| !wins(site.machine, new.number, *old))
            {
                self.refuse(site, new.number, Refusal::Conflict);
                continue;
            }
            for old in &against {
                self.refuse(site, *old, Refusal::Conflict);
            }
            kept.retain(|old| !against.contains(&old.number));
            kept.push(new);
        }
        if site.machine.mode == Mode::Alarm {
            let place = |kept: &Chosen| chosen.iter().position(|one| one.number == kept.number);
            kept.sort_by_key(place);
        }
        kept
    }

    fn refuse(&mut self, site: Site<'_>, number: usize, why: Refusal) {
        self.report(site.node, Event::Refuse(number as u32, why));
    }
}

/// The numbers of all transitions: by priority, then by level, then in document order.
fn in_order_of_looks(machine: &Machine) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..machine.transitions.len()).collect();
    numbers.sort_by_key(|number| {
        let transition = &machine.transitions[*number];
        let level = machine.level(transition.source) as isize;
        let turn = match machine.mode {
            Mode::Alarm => level,
            Mode::Statechart => -level,
        };
        (Reverse(transition.priority), turn)
    });
    numbers
}

fn conflict(machine: &Machine, left: &Chosen, right: &Chosen) -> bool {
    match (left.domain, right.domain) {
        (Some(left), Some(right)) => {
            left == right || machine.is_inside(left, right) || machine.is_inside(right, left)
        }
        _ => false,
    }
}

/// Whether a transition replaces one that was kept before.
fn wins(machine: &Machine, new: usize, old: usize) -> bool {
    let (new, old) = (&machine.transitions[new], &machine.transitions[old]);
    if new.priority != old.priority {
        return new.priority > old.priority;
    }
    match machine.mode {
        Mode::Alarm => machine.is_inside(old.source, new.source),
        Mode::Statechart => machine.is_inside(new.source, old.source),
    }
}
