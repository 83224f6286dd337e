//! What follows from the states and transitions of a machine alone: which transition wins, and which states are
//! entered, left or kept.

use crate::behaviour::{Machine, Mode, Stack, StateIndex, StateKind, Target, Transition, Trigger};
use crate::program::op::StackUse;

/// The place of a transition in the table of a machine.
pub(super) struct Place {
    pub(super) number: usize,
    pub(super) stack: StackUse,
    pub(super) domain: Option<StateIndex>,
}

/// The states whose history is a target.
pub(super) fn histories_of(machine: &Machine) -> Vec<StateIndex> {
    let mut found = Vec::new();
    let mut pending: Vec<&Target> = Vec::new();
    pending.extend(
        machine
            .transitions
            .iter()
            .flat_map(|transition| &transition.targets),
    );
    for state in &machine.states {
        if let StateKind::Composite { initial } = &state.kind {
            pending.extend(&initial.targets);
        }
    }
    while let Some(target) = pending.pop() {
        if let Target::History { of, fallback, .. } = target {
            found.push(*of);
            pending.extend(fallback);
        }
    }
    found
}

/// The transitions from a state that are taken once in a tick, unless the state is entered again.
pub(super) fn once_in_a_tick(machine: &Machine, source: StateIndex) -> Vec<u32> {
    let transitions = (0..).zip(&machine.transitions);
    transitions
        .filter(|(_, transition)| {
            let is_timed = matches!(transition.trigger, Trigger::After(_) | Trigger::Done(_));
            is_timed && transition.source == source
        })
        .map(|(number, _)| number)
        .collect()
}

/// The states inside which a transition pushes onto the stack.
pub(super) fn pushed_in(machine: &Machine) -> Vec<StateIndex> {
    let push = |transition: &&Transition| transition.stack == Stack::Push;
    let mut domains: Vec<StateIndex> = machine
        .transitions
        .iter()
        .filter(push)
        .filter_map(|transition| machine.domain(transition))
        .collect();
    domains.sort_unstable();
    domains.dedup();
    domains
}

/// Marks the states below a domain that are entered with some targets, except for what histories remember.
pub(super) fn mark_entered(
    machine: &Machine,
    targets: &[Target],
    domain: StateIndex,
    entered: &mut [bool],
) {
    let mut ways = vec![domain];
    let mut beginning = Vec::new();
    for target in targets {
        let state = Machine::target_state(target);
        let above = std::iter::successors(Some(state), |inner| machine.states[*inner].parent);
        for inner in above.take_while(|inner| *inner != domain) {
            entered[inner] = true;
            if inner != state {
                ways.push(inner);
            }
        }
        match target {
            Target::State(state) => beginning.push(*state),
            Target::History { of, .. } => ways.retain(|way| way != of),
        }
    }
    for way in ways {
        if machine.states[way].kind != StateKind::Parallel {
            continue;
        }
        for region in machine.children(way) {
            let is_inner =
                |state: &StateIndex| *state == region || machine.is_inside(*state, region);
            if !(0..entered.len()).any(|state| entered[state] && is_inner(&state)) {
                entered[region] = true;
                beginning.push(region);
            }
        }
    }
    for state in beginning {
        match &machine.states[state].kind {
            StateKind::Composite { initial } => {
                mark_entered(machine, &initial.targets, state, entered);
            }
            StateKind::Parallel => mark_entered(machine, &[], state, entered),
            StateKind::Atomic | StateKind::Final { .. } => {}
        }
    }
}

/// The transitions that conflict with this one and come earlier in the document: their places, in document order, and
/// whether this one wins.
pub(super) fn conflicts(machine: &Machine, places: &[Place], this: &Place) -> Vec<(u32, bool)> {
    let mut found: Vec<(usize, u32, bool)> = Vec::new();
    for (index, other) in (0..).zip(places) {
        let (Some(domain), Some(other_domain)) = (this.domain, other.domain) else {
            continue;
        };
        let nested = domain == other_domain
            || machine.is_inside(domain, other_domain)
            || machine.is_inside(other_domain, domain);
        if nested && other.number < this.number {
            let wins = wins(machine, this.number, other.number);
            found.push((other.number, index, wins));
        }
    }
    found.sort_unstable();
    found
        .into_iter()
        .map(|(_, index, wins)| (index, wins))
        .collect()
}

/// Whether a transition wins against one that comes before it in the document.
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
