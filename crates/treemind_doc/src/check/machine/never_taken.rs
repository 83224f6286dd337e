//! Transitions that are never taken, whatever other transitions do.

use super::{Draft, active_states};
use crate::{Said, said};
use treemind_core::behaviour::{
    DoneWith, Machine, Mode, Stack, StateIndex, StateKind, Transition, Trigger,
};
use treemind_core::{Expr, Value};

/// Why a transition is not taken, with a help text.
pub(super) type Why = (Said, Option<Said>);

/// The reason why a transition is never taken, if there is one.
pub(super) fn why(draft: &Draft<'_>, transition: &Transition) -> Option<Why> {
    if transition.when == Some(Expr::Value(Value::Bool(false))) {
        return Some((said!("its `when` never holds"), None));
    }
    closed(draft, transition)
        .or_else(|| never_done(draft, transition))
        .or_else(|| already_there(draft, transition, &|_| true))
}

/// Whether the transition has no `when` that could fail.
pub(super) fn always_holds(transition: &Transition) -> bool {
    matches!(transition.when, None | Some(Expr::Value(Value::Bool(true))))
}

/// The reason when it leads to a state that can never be entered.
fn closed(draft: &Draft<'_>, transition: &Transition) -> Option<Why> {
    let machine = &draft.machine;
    let never = Some(Expr::Value(Value::Bool(false)));
    let state = active_states::with_condition(machine, transition)
        .into_iter()
        .find(|state| machine.states[*state].enter_if == never)?;
    let name = draft.called(state);
    Some((
        said!("the `enter-if` of state `{}` never holds", name),
        Some(said!(
            "to switch a state off for now, use `disabled={}`",
            "#true"
        )),
    ))
}

/// The reason when it waits for the end of something that never ends.
#[warn(clippy::wildcard_enum_match_arm)]
fn never_done(draft: &Draft<'_>, transition: &Transition) -> Option<Why> {
    let Trigger::Done(with) = &transition.trigger else {
        return None;
    };
    let machine = &draft.machine;
    let source = transition.source;
    let name = draft.called(source);
    if source == 0 {
        return Some((
            said!("the machine has ended when it is done"),
            Some(said!("move it into the state that is done")),
        ));
    }
    let [success, failure] = ends(draft, source);
    let (is_done, why) = match with {
        DoneWith::Any => (success || failure, said!("state `{}` is never done", name)),
        DoneWith::Success => (
            success,
            said!("state `{}` is never done with success", name),
        ),
        DoneWith::Failure => (
            failure,
            said!("state `{}` is never done with failure", name),
        ),
        _ => treemind_core::unlisted(&with),
    };
    if is_done {
        return None;
    }
    let help = match machine.states[source].kind {
        _ if machine.states[source].activity.is_some() => {
            said!("change its `do { … }`, which never ends that way")
        }
        StateKind::Composite { .. } => said!("add a final state: entering one makes it done"),
        StateKind::Parallel => {
            said!("add final states: it is done when each of its states has reached one")
        }
        StateKind::Atomic | StateKind::Final { .. } => {
            said!("add an activity that can end: `do { … }`")
        }
        _ => treemind_core::unlisted(&machine.states[source].kind),
    };
    Some((why, Some(help)))
}

/// Whether a state can be done with success, and with failure: by its activity, and by its final states.
fn ends(draft: &Draft<'_>, state: StateIndex) -> [bool; 2] {
    let machine = &draft.machine;
    let mut ends = draft
        .activity_ends
        .get(&state)
        .copied()
        .unwrap_or([false; 2]);
    for child in machine.children(state) {
        if let StateKind::Final { success } = machine.states[child].kind {
            ends[usize::from(!success)] = true;
        }
    }
    if machine.states[state].kind != StateKind::Parallel {
        return ends;
    }
    let regions: Vec<[bool; 2]> = machine
        .children(state)
        .map(|region| self::ends(draft, region))
        .collect();
    let all = regions
        .iter()
        .all(|[success, failure]| *success || *failure);
    ends[0] |= regions.iter().all(|[success, _]| *success);
    ends[1] |= all && regions.iter().any(|[_, failure]| *failure);
    ends
}

/// The reason when it leads to a state inside its source that is active whenever the transition could be taken. An
/// alarm does not enter such a state again. `may_be_in` says which states can ever be active.
pub(super) fn already_there(
    draft: &Draft<'_>,
    transition: &Transition,
    may_be_in: &dyn Fn(StateIndex) -> bool,
) -> Option<Why> {
    let machine = &draft.machine;
    let [target] = &transition.targets[..] else {
        return None;
    };
    let target = Machine::target_state(target);
    let is_refused = machine.mode == Mode::Alarm
        && !transition.reenter
        && transition.stack != Stack::Pop
        && machine.is_inside(target, transition.source);
    if !is_refused {
        return None;
    }
    let mut inner = target;
    while inner != transition.source {
        let outer = machine.states[inner].parent?;
        let mut others = machine.children(outer).filter(|state| *state != inner);
        let is_only = !others.any(may_be_in);
        if !is_only && machine.states[outer].kind != StateKind::Parallel {
            return None;
        }
        inner = outer;
    }
    let name = draft.called(target);
    Some((
        said!(
            "state `{}` is already active whenever it could be taken",
            name
        ),
        Some(said!(
            "add `reenter={}` to leave it and enter it again",
            "#true"
        )),
    ))
}
