//! The states that a transition enters, and the states that can become active at all.

use treemind_core::behaviour::{Machine, StateIndex, StateKind, Target, Transition};

/// The states that are certainly active after a transition was taken: those that it enters and those around them. The
/// states inside a history target are unknown.
pub(super) fn entered(machine: &Machine, transition: &Transition) -> Vec<bool> {
    let mut is_in = vec![false; machine.states.len()];
    is_in[0] = true;
    let domain = machine.domain(transition).unwrap_or(0);
    for target in &transition.targets {
        let state = Machine::target_state(target);
        around(machine, state, domain, &mut is_in);
    }
    let targets: Vec<StateIndex> = plain(&transition.targets).collect();
    descend(machine, targets, &mut is_in);
    is_in
}

/// The states of the targets that are not histories.
#[warn(clippy::wildcard_enum_match_arm)]
fn plain(targets: &[Target]) -> impl Iterator<Item = StateIndex> + '_ {
    targets.iter().filter_map(|target| match target {
        Target::State(state) => Some(*state),
        Target::History { .. } => None,
        _ => treemind_core::unlisted(&target),
    })
}

/// A state and all states around it. From the domain on, the other states of a parallel are entered as well.
fn around(machine: &Machine, state: StateIndex, domain: StateIndex, is_in: &mut [bool]) {
    is_in[state] = true;
    let mut inner = state;
    while let Some(outer) = machine.states[inner].parent {
        is_in[outer] = true;
        let is_entered = outer == domain || machine.is_inside(outer, domain);
        if is_entered && machine.states[outer].kind == StateKind::Parallel {
            let beside = machine.children(outer).filter(|region| *region != inner);
            let beside: Vec<StateIndex> = beside.collect();
            descend(machine, beside, is_in);
        }
        inner = outer;
    }
}

/// States, with all states that they begin in.
#[warn(clippy::wildcard_enum_match_arm)]
fn descend(machine: &Machine, mut pending: Vec<StateIndex>, is_in: &mut [bool]) {
    while let Some(state) = pending.pop() {
        let mut above = Some(state);
        while let Some(outer) = above.filter(|outer| !is_in[*outer]) {
            is_in[outer] = true;
            above = machine.states[outer].parent;
        }
        match &machine.states[state].kind {
            StateKind::Composite { initial } => pending.extend(begins_in(&initial.targets)),
            StateKind::Parallel => pending.extend(machine.children(state)),
            StateKind::Atomic | StateKind::Final { .. } => {}
            _ => treemind_core::unlisted(&machine.states[state].kind),
        }
    }
}

/// The states that targets lead to when no history is recorded.
#[warn(clippy::wildcard_enum_match_arm)]
fn begins_in(targets: &[Target]) -> Vec<StateIndex> {
    let mut states = Vec::new();
    for target in targets {
        match target {
            Target::State(state) => states.push(*state),
            Target::History { of, fallback, .. } if fallback.is_empty() => states.push(*of),
            Target::History { fallback, .. } => states.extend(begins_in(fallback)),
            _ => treemind_core::unlisted(&target),
        }
    }
    states
}

/// The states that can become active, given that some transitions are never taken.
pub(super) fn reachable(machine: &Machine, is_never: &[bool]) -> Vec<bool> {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); machine.states.len()];
    for (number, transition) in machine.transitions.iter().enumerate() {
        if !is_never[number] {
            from[transition.source].push(number);
        }
    }
    let mut is_in = vec![false; machine.states.len()];
    descend(machine, vec![0], &mut is_in);
    let mut is_done = vec![false; machine.states.len()];
    while let Some(state) = (0..is_in.len()).find(|state| is_in[*state] && !is_done[*state]) {
        is_done[state] = true;
        for number in &from[state] {
            for target in &machine.transitions[*number].targets {
                // A state that was never left begins as if it were entered.
                let begins = begins_in(std::slice::from_ref(target));
                around(machine, Machine::target_state(target), 0, &mut is_in);
                descend(machine, begins, &mut is_in);
            }
        }
    }
    is_in
}

/// The states with an `enter-if` that the transition certainly enters, whatever histories are recorded.
pub(super) fn with_condition(machine: &Machine, transition: &Transition) -> Vec<StateIndex> {
    let Some(domain) = machine.domain(transition) else {
        return Vec::new();
    };
    let is_in = entered(machine, transition);
    let inside = (0..is_in.len())
        .filter(|state| is_in[*state] && machine.is_inside(*state, domain))
        .filter(|state| machine.states[*state].enter_if.is_some());
    inside.collect()
}
