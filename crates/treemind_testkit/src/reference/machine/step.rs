//! One step of a machine: which states are left, which tasks are carried out, which states are entered.

use super::choose::Chosen;
use super::entries::Entries;
use super::{Leaves, Pushed, Reference, Site};
use std::collections::BTreeSet;
use treemind_core::Event;
use treemind_core::behaviour::{Machine, Stack, StateIndex, Trigger};

impl<'b> Reference<'b> {
    pub(super) fn step(&mut self, site: Site<'b>, kept: &[Chosen], leaves: &mut dyn Leaves) {
        let machine = site.machine;
        for chosen in kept {
            self.report(site.node, Event::Take(chosen.number as u32));
            self.running(site).taken.insert(chosen.number);
            self.use_draws(site, chosen.number);
        }
        let popped = self.use_stack(site, kept);
        let running = self.running(site);
        let leaving: BTreeSet<StateIndex> = kept
            .iter()
            .filter_map(|chosen| chosen.domain)
            .flat_map(|domain| running.inside(machine, domain))
            .collect();
        for state in &leaving {
            let inside = running.inside(machine, *state);
            running.remembered.insert(*state, inside);
        }
        for state in leaving.into_iter().rev() {
            self.leave(site, state, leaves);
        }
        for chosen in kept {
            self.carry_out(site, &machine.transitions[chosen.number].tasks, leaves);
        }
        let mut entries = Entries::default();
        for chosen in kept {
            let transition = &machine.transitions[chosen.number];
            if transition.stack == Stack::Pop {
                entries.states.extend(&popped);
            } else if let Some(domain) = chosen.domain {
                let remembered = &self.running(site).remembered;
                entries.add(machine, remembered, domain, &transition.targets);
            }
        }
        self.enter(site, &entries, leaves);
    }

    /// Forgets the draws that led to a transition, unless it leads to a state inside its source.
    fn use_draws(&mut self, site: Site<'_>, number: usize) {
        let machine = site.machine;
        let transition = &machine.transitions[number];
        let Some(decided) = transition.decided else {
            return;
        };
        let is_inside =
            |target| machine.is_inside(Machine::target_state(target), transition.source);
        if transition.targets.iter().any(is_inside) {
            return;
        }
        let first = machine.first_test(decided.by);
        let tests = first..first + machine.deciders[decided.by].steps.len();
        let drawn = &mut self.lasting(site.node).drawn;
        drawn.retain(|test, _| !tests.contains(test));
    }

    /// Pops the configuration to return to from the stack, and pushes the one to return to later.
    fn use_stack(&mut self, site: Site<'_>, kept: &[Chosen]) -> BTreeSet<StateIndex> {
        let machine = site.machine;
        let running = self.running(site);
        let of = |stack: Stack| {
            let is_of = move |chosen: &&Chosen| machine.transitions[chosen.number].stack == stack;
            kept.iter().filter(is_of).filter_map(|chosen| chosen.domain)
        };
        let mut popped = BTreeSet::new();
        for _ in of(Stack::Pop) {
            let pushed = running.stack.pop();
            popped.extend(pushed.into_iter().flat_map(|pushed| pushed.active));
        }
        for domain in of(Stack::Push) {
            let active = running.inside(machine, domain);
            running.stack.push(Pushed { domain, active });
        }
        popped
    }

    fn leave(&mut self, site: Site<'_>, state: StateIndex, leaves: &mut dyn Leaves) {
        self.abort_activity(site, state, leaves);
        self.carry_out(site, &site.machine.states[state].exit, leaves);
        self.report(site.node, Event::LeaveState(state as u32));
        let running = self.running(site);
        running.active.remove(&state);
        running.moved.insert(state);
        running.left.insert(state);
        running.ended.remove(&state);
        let transitions = &site.machine.transitions;
        running
            .due_ns
            .retain(|number, _| transitions[*number].source != state);
        running.stack.retain(|pushed| pushed.domain != state);
    }

    /// Leaves all active states, the machine itself last.
    pub(super) fn leave_all(&mut self, site: Site<'_>, leaves: &mut dyn Leaves) {
        self.running(site).is_ending = true;
        for state in self.running(site).active.clone().into_iter().rev() {
            self.leave(site, state, leaves);
        }
    }

    pub(super) fn enter(&mut self, site: Site<'_>, entries: &Entries<'_>, leaves: &mut dyn Leaves) {
        for state in 0..site.machine.states.len() {
            if entries.states.contains(&state) {
                let running = self.running(site);
                running.active.insert(state);
                running.moved.insert(state);
                let transitions = &site.machine.transitions;
                running
                    .taken
                    .retain(|number| transitions[*number].source != state);
                self.report(site.node, Event::EnterState(state as u32));
                self.carry_out(site, &site.machine.states[state].entry, leaves);
                self.arm(site, state);
                self.raise_done(site, state);
            }
            for tasks in entries.tasks.get(&state).into_iter().flatten() {
                self.carry_out(site, tasks, leaves);
            }
        }
    }

    /// Evaluates how long the transitions with `after` of a state wait from now on.
    pub(super) fn arm(&mut self, site: Site<'_>, state: StateIndex) {
        for (number, transition) in site.machine.transitions.iter().enumerate() {
            if let Trigger::After(secs) = &transition.trigger
                && transition.source == state
                && let Some(duration) = self.duration_at(site.node, secs)
            {
                let due = self.now() + duration;
                self.running(site).due_ns.insert(number, due);
            }
        }
    }
}
