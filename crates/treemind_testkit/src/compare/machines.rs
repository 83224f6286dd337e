//! Shrinking machines.

use crate::generate::for_all_children;
use treemind_core::Node;
use treemind_core::behaviour::{
    Decision, Initial, Machine, Stack, StateIndex, StateKind, Target, Transition, Trigger, Way,
};

/// A change that makes a machine smaller; `false` when there is nothing to change.
type Change = Box<dyn Fn(&mut Machine) -> bool>;

/// Changes to try, to make a machine smaller without changing the children of its node.
pub(super) fn smaller(machine: &Machine) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for number in (0..machine.transitions.len()).rev() {
        changes.push(Box::new(move |machine| {
            machine.transitions.remove(number);
            true
        }));
    }
    for decider in 0..machine.deciders.len() {
        changes.push(Box::new(move |machine| {
            undecided(machine, decider);
            true
        }));
        changes.extend(fewer_ways(&machine.deciders[decider], decider));
    }
    for state in (1..machine.states.len()).rev() {
        changes.push(Box::new(move |machine| remove_state(machine, state)));
    }
    for number in 0..machine.transitions.len() {
        changes.extend(simpler_transition(number));
    }
    for state in 0..machine.states.len() {
        changes.extend(simpler_state(state));
    }
    changes
}

/// Removes a decider; the first of its transitions stays.
fn undecided(machine: &mut Machine, decider: usize) {
    machine.transitions.retain_mut(|transition| {
        let Some(decided) = &mut transition.decided else {
            return true;
        };
        if decided.by != decider {
            decided.by -= usize::from(decided.by > decider);
            return true;
        }
        let is_first = decided.leaf == 0;
        transition.decided = None;
        is_first
    });
    machine.deciders.remove(decider);
}

/// Lets one way of a decider lead to nothing.
fn fewer_ways(decision: &Decision, decider: usize) -> Vec<Change> {
    let mut ways = Vec::new();
    decision.clone().for_all_ways(&mut |way| ways.push(*way));
    let ways = ways.into_iter().enumerate();
    let others = ways.filter(|(_, way)| *way != Way::None);
    let changes = others.map(|(wanted, _)| -> Change {
        Box::new(move |machine| {
            let mut number = 0;
            machine.deciders[decider].for_all_ways(&mut |way| {
                if number == wanted {
                    *way = Way::None;
                }
                number += 1;
            });
            true
        })
    });
    changes.collect()
}

fn simpler_transition(number: usize) -> Vec<Change> {
    let on = move |change: fn(&mut Transition) -> bool| -> Change {
        Box::new(move |machine| change(&mut machine.transitions[number]))
    };
    vec![
        on(|transition| !std::mem::take(&mut transition.tasks).is_empty()),
        on(|transition| transition.when.take().is_some()),
        on(|transition| transition.conditions.take().is_some()),
        on(|transition| std::mem::take(&mut transition.priority) != 0),
        on(|transition| std::mem::take(&mut transition.local)),
        on(|transition| std::mem::take(&mut transition.reenter)),
        on(|transition| std::mem::take(&mut transition.stack) != Stack::Keep),
        on(|transition| transition.targets.len() > 1 && transition.targets.pop().is_some()),
        on(|transition| simpler_targets(&mut transition.targets)),
        on(|transition| {
            transition.trigger != Trigger::Polled && {
                transition.trigger = Trigger::Polled;
                true
            }
        }),
    ]
}

fn simpler_state(index: StateIndex) -> Vec<Change> {
    let initial = move |change: fn(&mut Initial) -> bool| -> Change {
        Box::new(move |machine| match &mut machine.states[index].kind {
            StateKind::Composite { initial } => change(initial),
            _ => false,
        })
    };
    vec![
        Box::new(move |machine| !std::mem::take(&mut machine.states[index].entry).is_empty()),
        Box::new(move |machine| !std::mem::take(&mut machine.states[index].exit).is_empty()),
        Box::new(move |machine| machine.states[index].activity.take().is_some()),
        Box::new(move |machine| machine.states[index].enter_if.take().is_some()),
        Box::new(move |machine| machine.states[index].done_event.take().is_some()),
        Box::new(move |machine| !std::mem::take(&mut machine.states[index].defers).is_empty()),
        initial(|initial| !std::mem::take(&mut initial.tasks).is_empty()),
        initial(|initial| initial.targets.len() > 1 && initial.targets.pop().is_some()),
        initial(|initial| simpler_targets(&mut initial.targets)),
        Box::new(move |machine| {
            let is_final = matches!(machine.states[index].kind, StateKind::Final { .. });
            if is_final {
                machine.states[index].kind = StateKind::Atomic;
            }
            is_final
        }),
    ]
}

/// Removes a fallback, or replaces a history with its state.
fn simpler_targets(targets: &mut [Target]) -> bool {
    let Some(target) = targets
        .iter_mut()
        .find(|target| matches!(target, Target::History { .. }))
    else {
        return false;
    };
    match target {
        Target::History { tasks, .. } if !tasks.is_empty() => tasks.clear(),
        other => *other = Target::State(Machine::target_state(other)),
    }
    true
}

/// Removes a state without states inside, and the transitions to and from it.
#[warn(clippy::wildcard_enum_match_arm)]
fn remove_state(machine: &mut Machine, state: StateIndex) -> bool {
    if machine.children(state).next().is_some() {
        return false;
    }
    let leads_there = |targets: &[Target]| {
        let mut targets = targets.iter();
        targets.any(|target| match target {
            Target::State(to) => *to == state,
            Target::History { of, fallback, .. } => {
                *of == state || fallback.contains(&Target::State(state))
            }
            _ => treemind_core::unlisted(&target),
        })
    };
    let mut kinds = machine.states.iter().map(|other| &other.kind);
    let is_initial = kinds.any(|kind| {
        let StateKind::Composite { initial } = kind else {
            return false;
        };
        leads_there(&initial.targets)
    });
    if is_initial {
        return false;
    }
    machine
        .transitions
        .retain(|transition| transition.source != state && !leads_there(&transition.targets));
    let parent = machine.states[state].parent;
    machine.states.remove(state);
    if let Some(parent) = parent
        && machine.children(parent).next().is_none()
    {
        machine.states[parent].kind = StateKind::Atomic;
    }
    let shift = |index: &mut StateIndex| *index -= usize::from(*index > state);
    for other in &mut machine.states {
        other.parent.as_mut().map(shift);
        if let StateKind::Composite { initial } = &mut other.kind {
            shift_targets(&mut initial.targets, &shift);
        }
    }
    for transition in &mut machine.transitions {
        shift(&mut transition.source);
        shift_targets(&mut transition.targets, &shift);
    }
    true
}

fn shift_targets(targets: &mut [Target], shift: &dyn Fn(&mut StateIndex)) {
    for target in targets {
        #[warn(clippy::wildcard_enum_match_arm)]
        match target {
            Target::State(state) => shift(state),
            Target::History { of, fallback, .. } => {
                shift(of);
                shift_targets(fallback, shift);
            }
            _ => treemind_core::unlisted(&target),
        }
    }
}

/// Removes the children of a machine's node that it does not use.
pub(super) fn drop_unused(node: &mut Node, machine: &mut Machine) {
    let mut used = vec![false; node.children.len()];
    for_all_children(machine, |child| used[*child] = true);
    let kept_before = |child: usize| used[..child].iter().filter(|used| **used).count();
    for_all_children(machine, |child| *child = kept_before(*child));
    let mut is_used = used.iter();
    node.children.retain(|_| is_used.next() == Some(&true));
}
