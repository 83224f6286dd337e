//! The states that a machine enters on its way to some targets.

use std::collections::{BTreeMap, BTreeSet};
use treemind_core::behaviour::{ChildIndex, Depth, Machine, StateIndex, StateKind, Target};

/// The states that were active inside a state when it was last left.
type Remembered = BTreeMap<StateIndex, BTreeSet<StateIndex>>;

/// The states to enter.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries<'b> {
    /// The states.
    pub(super) states: BTreeSet<StateIndex>,
    /// The tasks to carry out at a state after its entry, because of its initial targets or the default of a history.
    pub(super) tasks: BTreeMap<StateIndex, Vec<&'b [ChildIndex]>>,
}

impl<'b> Entries<'b> {
    /// The machine itself, and its initial states.
    pub(super) fn at_start(machine: &'b Machine) -> Self {
        let mut entries = Self::default();
        entries.states.insert(0);
        entries.begin(machine, Some(&Remembered::new()), 0);
        entries
    }

    /// The targets below a domain and the states on the way there; for a history, only the state that it belongs to.
    pub(super) fn without_histories(
        machine: &'b Machine,
        domain: StateIndex,
        targets: &'b [Target],
    ) -> Self {
        let mut entries = Self::default();
        entries.go_below(machine, None, domain, targets);
        entries
    }

    /// The targets below a domain, the states on the way there, and their initial states.
    pub(super) fn add(
        &mut self,
        machine: &'b Machine,
        remembered: &Remembered,
        domain: StateIndex,
        targets: &'b [Target],
    ) {
        self.go_below(machine, Some(remembered), domain, targets);
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn go_below(
        &mut self,
        machine: &'b Machine,
        remembered: Option<&Remembered>,
        domain: StateIndex,
        targets: &'b [Target],
    ) {
        // For the states on the way, the initial targets do not apply.
        let mut on_the_way = BTreeSet::from([domain]);
        let mut beginning: Vec<StateIndex> = Vec::new();
        let mut unknown: BTreeSet<StateIndex> = BTreeSet::new();
        for target in targets {
            let state = Machine::target_state(target);
            on_the_way.extend(between(machine, domain, state));
            match target {
                Target::State(state) => beginning.push(*state),
                Target::History {
                    of,
                    depth,
                    fallback,
                    tasks,
                } => {
                    on_the_way.insert(*of);
                    let Some(remembered) = remembered else {
                        unknown.insert(*of);
                        continue;
                    };
                    match (remembered.get(of), depth) {
                        (Some(inside), Depth::Deep) => self.states.extend(inside),
                        (Some(inside), Depth::Shallow) => {
                            let active =
                                machine.children(*of).filter(|child| inside.contains(child));
                            beginning.extend(active);
                        }
                        (None, _) if fallback.is_empty() => beginning.push(*of),
                        (None, _) => {
                            self.tasks.entry(*of).or_default().push(tasks);
                            for target in fallback {
                                let state = Machine::target_state(target);
                                on_the_way.extend(between(machine, *of, state));
                                beginning.push(state);
                            }
                        }
                    }
                }
                _ => treemind_core::unlisted(&target),
            }
        }
        let entered = on_the_way.iter().chain(&beginning);
        self.states
            .extend(entered.filter(|state| **state != domain));
        for state in on_the_way {
            let is_parallel = machine.states[state].kind == StateKind::Parallel;
            if !is_parallel || unknown.contains(&state) || beginning.contains(&state) {
                continue;
            }
            for region in machine.children(state) {
                let is_reached = |entered: &StateIndex| {
                    *entered == region || machine.is_inside(*entered, region)
                };
                if !self.states.iter().any(is_reached) {
                    self.states.insert(region);
                    beginning.push(region);
                }
            }
        }
        for state in beginning {
            self.begin(machine, remembered, state);
        }
    }

    /// Adds the initial states of a state.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn begin(&mut self, machine: &'b Machine, remembered: Option<&Remembered>, state: StateIndex) {
        match &machine.states[state].kind {
            StateKind::Atomic | StateKind::Final { .. } => {}
            StateKind::Parallel => {
                for region in machine.children(state) {
                    self.states.insert(region);
                    self.begin(machine, remembered, region);
                }
            }
            StateKind::Composite { initial } => {
                self.tasks.entry(state).or_default().push(&initial.tasks);
                self.go_below(machine, remembered, state, &initial.targets);
            }
            _ => treemind_core::unlisted(&machine.states[state].kind),
        }
    }
}

/// The states between two states, one of which contains the other or is the same; neither of them is included.
fn between(machine: &Machine, outer: StateIndex, inner: StateIndex) -> Vec<StateIndex> {
    let mut between = Vec::new();
    let mut state = inner;
    while state != outer {
        if state != inner {
            between.push(state);
        }
        state = machine.states[state]
            .parent
            .expect("the outer state is above");
    }
    between
}
