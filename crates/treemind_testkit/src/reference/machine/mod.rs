//! State machines, from `docs/machine-semantics.md`: what a machine remembers, and what it does in a tick.

mod choose;
mod entries;
mod events;
mod sent_events;
mod step;

use super::{Leaves, Reference};
use entries::Entries;
use events::Happened;
use sent_events::Later;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use treemind_core::behaviour::{
    ChildIndex, MAX_EVENTS, MICROSTEPS_KNOWN, Machine, Mode, StateIndex, StateKind,
};
use treemind_core::{Event, FaultKind, NodeId, Status};

/// A machine and its node.
#[derive(Clone, Copy, Debug)]
struct Site<'b> {
    node: NodeId,
    machine: &'b Machine,
}

/// A configuration to which a machine can return.
#[derive(Clone, Debug)]
struct Pushed {
    /// The domain of the transition that pushed it.
    domain: StateIndex,
    /// The states that were active inside.
    active: BTreeSet<StateIndex>,
}

/// What a machine remembers while it runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    /// The configuration.
    active: BTreeSet<StateIndex>,
    /// The states left or entered in this tick: their activities wait for the next tick.
    moved: BTreeSet<StateIndex>,
    /// The states left since the machine was stable.
    left: BTreeSet<StateIndex>,
    /// The transitions taken in this tick whose source has not been entered since.
    taken: BTreeSet<usize>,
    /// For each transition with `after` of an active state: when it is due; without an entry it never is.
    due_ns: BTreeMap<usize, u128>,
    /// For active states whose activities have ended: whether with success.
    ended: BTreeMap<StateIndex, bool>,
    /// For each state that was ever left: the states that were active in it then.
    remembered: BTreeMap<StateIndex, BTreeSet<StateIndex>>,
    stack: Vec<Pushed>,
    /// Events from outside for the next tick.
    inbox: Vec<Happened>,
    /// It receives no more events: it is leaving all its states, because it ends or is aborted.
    is_ending: bool,
    /// How many events of this tick still occupy places in the inbox.
    in_use: usize,
    /// Events raised inside a statechart.
    raised: VecDeque<Happened>,
    /// Events that come later, the earliest first.
    delayed: Vec<Later>,
}

impl Running {
    fn has_room(&self) -> bool {
        self.inbox.len() + self.in_use < MAX_EVENTS
    }

    /// The active states inside a state.
    fn inside(&self, machine: &Machine, outer: StateIndex) -> BTreeSet<StateIndex> {
        let active = self.active.iter().copied();
        active
            .filter(|state| machine.is_inside(*state, outer))
            .collect()
    }
}

impl<'b> Reference<'b> {
    /// A machine records its own events, because it may have no children.
    pub(super) fn visit_machine(
        &mut self,
        node: NodeId,
        machine: &'b Machine,
        leaves: &mut dyn Leaves,
    ) -> Status {
        self.begin_counting_of_children(node);
        self.report(node, Event::Enter);
        let answer = self.run_machine(Site { node, machine }, leaves);
        self.report(node, Event::Tick(answer));
        answer
    }

    fn run_machine(&mut self, site: Site<'b>, leaves: &mut dyn Leaves) -> Status {
        let is_first = self.memory(site.node).machine.is_none();
        let mut happened = Vec::new();
        if is_first {
            self.memory(site.node).machine = Some(Box::default());
            self.enter(site, &Entries::at_start(site.machine), leaves);
        } else {
            let running = self.running(site);
            running.moved.clear();
            running.left.clear();
            running.taken.clear();
            happened = self.take_inbox(site);
        }
        let mut used = vec![false; happened.len()];
        match site.machine.mode {
            Mode::Alarm if is_first => {}
            Mode::Alarm => {
                let kept = self.choose_transitions(site, true, &happened, &mut used, leaves);
                self.step(site, &kept, leaves);
            }
            Mode::Statechart => self.take_microsteps(site, &happened, &mut used, leaves),
        }
        if let Some(success) = self.result(site) {
            self.leave_all(site, leaves);
            self.memory(site.node).machine = None;
            return Status::from(success);
        }
        self.visit_activities(site, leaves);
        self.keep_deferred(site, happened, &used);
        Status::Running
    }

    /// Takes one microstep after the other, until nothing more happens.
    fn take_microsteps(
        &mut self,
        site: Site<'b>,
        happened: &[Happened],
        used: &mut [bool],
        leaves: &mut dyn Leaves,
    ) {
        let mut stable = self.stable(site);
        let mut steps: Vec<Vec<usize>> = Vec::new();
        let mut next_from_outside = 0;
        while self.result(site).is_none() {
            let mut kept = self.choose_transitions(site, true, &[], &mut [], leaves);
            if kept.is_empty() {
                if let Some(raised) = self.running(site).raised.pop_front() {
                    kept = self.choose_transitions(site, false, &[raised], &mut [false], leaves);
                } else if next_from_outside < happened.len() {
                    stable = self.stable(site);
                    steps.clear();
                    let next = next_from_outside..next_from_outside + 1;
                    next_from_outside += 1;
                    let (event, used) = (&happened[next.clone()], &mut used[next]);
                    kept = self.choose_transitions(site, false, event, used, leaves);
                    self.running(site).in_use -= usize::from(used[0]);
                } else {
                    return;
                }
            }
            if kept.is_empty() {
                continue;
            }
            let mut numbers: Vec<usize> = kept.iter().map(|chosen| chosen.number).collect();
            numbers.sort_unstable();
            steps.push(numbers);
            if steps.len() > site.machine.max_microsteps as usize {
                let known = steps.len().saturating_sub(MICROSTEPS_KNOWN as usize + 1);
                let round = site.machine.round(&steps[known..]);
                self.fault(site.node, FaultKind::Livelock(round));
                self.go_back(site, stable);
                return;
            }
            self.step(site, &kept, leaves);
        }
    }

    /// The configuration, at a moment to which the machine can return.
    fn stable(&mut self, site: Site<'_>) -> BTreeSet<StateIndex> {
        let running = self.running(site);
        running.left.clear();
        running.active.clone()
    }

    /// Restores the configuration. States that were left since then count as entered now, but their tasks are not
    /// carried out.
    fn go_back(&mut self, site: Site<'_>, stable: BTreeSet<StateIndex>) {
        let running = self.running(site);
        running.raised.clear();
        running.active = stable;
        let active = &running.active;
        running.ended.retain(|state, _| active.contains(state));
        let transitions = &site.machine.transitions;
        running
            .due_ns
            .retain(|number, _| active.contains(&transitions[*number].source));
        running
            .stack
            .retain(|pushed| active.contains(&pushed.domain));
        for state in running
            .left
            .intersection(active)
            .copied()
            .collect::<Vec<_>>()
        {
            let running = self.running(site);
            running.ended.remove(&state);
            running
                .due_ns
                .retain(|number, _| transitions[*number].source != state);
            self.arm(site, state);
        }
    }

    /// Whether the machine has ended with success or failure; `None` while it has not ended.
    fn result(&mut self, site: Site<'_>) -> Option<bool> {
        let running = self.running(site);
        let mut finals = site.machine.children(0).filter_map(|state| {
            let StateKind::Final { success } = site.machine.states[state].kind else {
                return None;
            };
            running.active.contains(&state).then_some(success)
        });
        finals.next()
    }

    /// Ticks the activities of the states that were already active before this tick, from the inside outwards.
    fn visit_activities(&mut self, site: Site<'_>, leaves: &mut dyn Leaves) {
        let active = self.running(site).active.clone();
        for state in active.into_iter().rev() {
            let running = self.running(site);
            let waits = running.moved.contains(&state) || running.ended.contains_key(&state);
            let Some(activity) = site.machine.states[state].activity else {
                continue;
            };
            if waits {
                continue;
            }
            let activity = self.child(site, activity);
            let answer = self.visit(activity, leaves);
            if answer.is_end() {
                // Nothing will continue what is loose in it.
                self.abort_node(activity, leaves);
                let success = answer == Status::Success;
                self.running(site).ended.insert(state, success);
            }
        }
    }

    /// Aborts a machine: first all activities of its states, then the exits of the states.
    pub(super) fn abort_machine(
        &mut self,
        node: NodeId,
        machine: &'b Machine,
        leaves: &mut dyn Leaves,
    ) {
        if self.memory(node).machine.is_none() {
            return;
        }
        let site = Site { node, machine };
        for state in self.running(site).active.clone().into_iter().rev() {
            self.abort_activity(site, state, leaves);
        }
        self.leave_all(site, leaves);
    }

    /// Carries out tasks in order, each in a single tick.
    fn carry_out(&mut self, site: Site<'_>, tasks: &[ChildIndex], leaves: &mut dyn Leaves) {
        for task in tasks {
            let task = self.child(site, *task);
            let answer = self.visit(task, leaves);
            self.abort_node(task, leaves);
            if answer == Status::Running && !self.is_interrupted(site.node) {
                self.fault(site.node, FaultKind::TaskRan);
            }
        }
    }

    /// Whether an interrupt is about to abort something around a node.
    fn is_interrupted(&self, node: NodeId) -> bool {
        let parent = |node: &NodeId| self.behaviour.node(*node).parent;
        let mut above = std::iter::successors(Some(node), parent);
        above.any(|node| self.memories[node.index()].pending.is_some())
    }

    fn abort_activity(&mut self, site: Site<'_>, state: StateIndex, leaves: &mut dyn Leaves) {
        if let Some(activity) = site.machine.states[state].activity {
            let activity = self.child(site, activity);
            self.abort_node(activity, leaves);
        }
    }

    fn child(&self, site: Site<'_>, child: ChildIndex) -> NodeId {
        self.behaviour.node(site.node).children[child]
    }

    fn running(&mut self, site: Site<'_>) -> &mut Running {
        let machine = self.memory(site.node).machine.as_mut();
        machine.expect("the machine runs")
    }
}
