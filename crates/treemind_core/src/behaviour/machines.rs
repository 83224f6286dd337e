//! The checks of state machines.

use super::decision;
use super::{Behaviour, Initial, Machine, Stack, State, StateKind, Target, Transition, Trigger};
use crate::ids::KeyId;

/// The deepest nesting of machines.
pub const MAX_MACHINES: usize = 16;

pub(super) fn check(
    behaviour: &Behaviour,
    machine: &Machine,
    children: usize,
) -> Result<(), String> {
    let Some(first) = machine.states.first() else {
        return Err("a machine without states".to_owned());
    };
    if first.parent.is_some()
        || !matches!(
            first.kind,
            StateKind::Composite { .. } | StateKind::Parallel
        )
    {
        return Err("the first state of a machine has states inside, and is in none".to_owned());
    }
    if machine.max_microsteps == 0 {
        return Err("a machine that may take no step".to_owned());
    }
    for (index, state) in machine.states.iter().enumerate() {
        check_state(machine, index, children)
            .map_err(|reason| format!("state `{}`: {reason}", state.name))?;
    }
    for (number, transition) in machine.transitions.iter().enumerate() {
        check_transition(behaviour, machine, transition, children)
            .map_err(|reason| format!("transition {number}: {reason}"))?;
    }
    check_deciders(machine, children)
}

fn check_state(machine: &Machine, index: usize, children: usize) -> Result<(), String> {
    let State {
        parent,
        kind,
        entry,
        exit,
        activity,
        ..
    } = &machine.states[index];
    // Parents come before children, and the states inside a state are neighbours.
    if index > 0 {
        let before = index - 1;
        let follows = |parent: usize| {
            parent < index && (parent == before || machine.is_inside(before, parent))
        };
        if !parent.is_some_and(follows) {
            return Err("it comes before the state that contains it".to_owned());
        }
    }
    let is_in_parallel =
        parent.is_some_and(|parent| machine.states[parent].kind == StateKind::Parallel);
    if is_in_parallel && matches!(kind, StateKind::Final { .. }) {
        return Err("a parallel ends when its states are done, not by a final one".to_owned());
    }
    let inside = machine.children(index).count();
    match kind {
        StateKind::Atomic | StateKind::Final { .. } if inside > 0 => {
            return Err("it has states inside".to_owned());
        }
        StateKind::Composite { .. } | StateKind::Parallel if inside == 0 => {
            return Err("it has no states inside".to_owned());
        }
        StateKind::Composite { initial } => check_initial(machine, initial, index, children)?,
        StateKind::Atomic | StateKind::Final { .. } | StateKind::Parallel => {}
    }
    let carried = entry.iter().chain(exit).chain(activity);
    check_tasks(carried, children)
}

fn check_initial(
    machine: &Machine,
    initial: &Initial,
    of: usize,
    children: usize,
) -> Result<(), String> {
    if initial.targets.is_empty() {
        return Err("it has no initial state".to_owned());
    }
    check_targets(machine, &initial.targets, children)?;
    let lies_inside = |target: &Target| match target {
        Target::State(state) => machine.is_inside(*state, of),
        Target::History { of: state, .. } => *state == of || machine.is_inside(*state, of),
    };
    if !initial.targets.iter().all(lies_inside) {
        return Err("its initial state is not inside it".to_owned());
    }
    let leads_to_itself = |target: &Target| match target {
        Target::State(_) => false,
        Target::History {
            of: state,
            fallback,
            ..
        } => *state == of && fallback.is_empty(),
    };
    if initial.targets.iter().any(leads_to_itself) {
        return Err("its initial state is a history without a default".to_owned());
    }
    check_tasks(initial.tasks.iter(), children)
}

fn check_tasks<'t>(
    mut tasks: impl Iterator<Item = &'t usize>,
    children: usize,
) -> Result<(), String> {
    match tasks.find(|task| **task >= children) {
        Some(_) => Err("a task that is not there".to_owned()),
        None => Ok(()),
    }
}

fn check_targets(machine: &Machine, targets: &[Target], children: usize) -> Result<(), String> {
    for target in targets {
        let state = Machine::target_state(target);
        if state >= machine.states.len() {
            return Err("a target that is not there".to_owned());
        }
        match target {
            Target::State(0) => return Err("the machine itself is no target".to_owned()),
            Target::State(_) => {}
            Target::History {
                of,
                fallback,
                tasks,
                ..
            } => {
                if machine.is_atomic(*of) {
                    return Err("a history of a state without states inside".to_owned());
                }
                // A fallback is a state, so histories cannot lead to one another in a cycle.
                let goes_inside = |target: &Target| match target {
                    Target::State(state) => {
                        *state < machine.states.len() && machine.is_inside(*state, *of)
                    }
                    Target::History { .. } => false,
                };
                if !fallback.iter().all(goes_inside) {
                    return Err("a fallback that is not a state inside".to_owned());
                }
                check_targets(machine, fallback, children)?;
                check_tasks(tasks.iter(), children)?;
            }
        }
    }
    for (place, target) in targets.iter().enumerate() {
        for other in &targets[..place] {
            let (left, right) = (Machine::target_state(target), Machine::target_state(other));
            if left == right || !machine.are_orthogonal(left, right) {
                return Err("two targets that cannot be active together".to_owned());
            }
        }
    }
    Ok(())
}

fn check_transition(
    behaviour: &Behaviour,
    machine: &Machine,
    transition: &Transition,
    children: usize,
) -> Result<(), String> {
    let Some(source) = machine.states.get(transition.source) else {
        return Err("a source that is not there".to_owned());
    };
    if matches!(source.kind, StateKind::Final { .. }) {
        return Err("nothing leads out of a final state".to_owned());
    }
    check_targets(machine, &transition.targets, children)?;
    match &transition.trigger {
        Trigger::Polled | Trigger::Done(_) | Trigger::After(_) => {}
        Trigger::Event(events) => {
            if events
                .iter()
                .any(|event| event.index() >= behaviour.leaves.len())
            {
                return Err("an event that is not there".to_owned());
            }
        }
    }
    let is_free = transition.targets.is_empty()
        && transition.trigger == Trigger::Polled
        && transition.when.is_none()
        && transition.conditions.is_none();
    if is_free && transition.stack == Stack::Keep {
        return Err("it has no target and no trigger".to_owned());
    }
    match (transition.stack, transition.targets.len()) {
        (Stack::Push, 1) | (Stack::Pop, 0) | (Stack::Keep, _) => {}
        _ => return Err("`push` has one target, `pop` none".to_owned()),
    }
    let is_single = |key: &KeyId| {
        let key = behaviour.keys.get(key.index());
        key.is_some_and(|key| !key.form.is_list())
    };
    if !transition.payload.iter().all(is_single) {
        return Err("a key that is not there, or a list".to_owned());
    }
    let carried = transition.tasks.iter().chain(&transition.conditions);
    check_tasks(carried, children)
}

fn check_deciders(machine: &Machine, children: usize) -> Result<(), String> {
    let mut asked = vec![false; children];
    let mut leaves = vec![0; machine.deciders.len()];
    for (number, transition) in machine.transitions.iter().enumerate() {
        let Some(decided) = transition.decided else {
            continue;
        };
        let next = leaves
            .get_mut(decided.by)
            .ok_or("a decider that is not there")?;
        let before = number
            .checked_sub(1)
            .map(|before| &machine.transitions[before]);
        let follows = decided.leaf == 0
            || before.is_some_and(|before| {
                before.decided.map(|other| other.by) == Some(decided.by)
                    && is_alike(before, transition)
            });
        if *next != decided.leaf || !follows {
            return Err("the transitions of a decider are not adjacent".to_owned());
        }
        if transition.targets.is_empty() || transition.stack != Stack::Keep {
            return Err("a decider leads to states, and leaves the stack alone".to_owned());
        }
        *next += 1;
    }
    for (decider, leaves) in machine.deciders.iter().zip(leaves) {
        if leaves == 0 {
            return Err("a decider that leads nowhere".to_owned());
        }
        decision::check_steps(decider, leaves, &mut asked)?;
    }
    Ok(())
}

/// Whether two transitions are candidates under the same conditions.
fn is_alike(a: &Transition, b: &Transition) -> bool {
    let [a_asked, b_asked] = [a, b].map(|one| (&one.trigger, &one.when, &one.payload));
    // NaN is not equal to itself, but its text is the same.
    (a.source, a.priority, a.conditions) == (b.source, b.priority, b.conditions)
        && (a_asked == b_asked || format!("{a_asked:?}") == format!("{b_asked:?}"))
}
