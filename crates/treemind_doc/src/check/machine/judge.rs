//! What can be found out about a machine without running it: states that nothing leads to, transitions that are never
//! taken, statecharts that run in a circle for ever.

use super::never_taken::{self, Why, always_holds};
use super::{Draft, active_states};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::suggest;
use crate::{Said, said};
use std::collections::HashSet;
use treemind_core::behaviour::{
    DoneWith, Machine, Mode, Stack, StateKind, Target, Transition, Trigger,
};
use treemind_core::{Expr, Value};

/// Reports states and transitions that no run can use, and circles that never end. The machine has no mistakes.
pub(super) fn judge(draft: &Draft<'_>, sink: &mut Sink) {
    let mut is_never = never_taken(draft, sink);
    let is_in = active_states::reachable(&draft.machine, &is_never);
    not_reached(draft, &is_in, sink);
    nowhere_else(draft, &mut is_never, &is_in, sink);
    if draft.machine.mode == Mode::Statechart {
        livelocks(draft, &is_never, &is_in, sink);
    }
}

/// Which transitions are never taken; reports the reasons.
fn never_taken(draft: &Draft<'_>, sink: &mut Sink) -> Vec<bool> {
    let machine = &draft.machine;
    let pushes = machine
        .transitions
        .iter()
        .any(|transition| transition.stack == Stack::Push);
    let order = Order::new(machine);
    let mut is_never = vec![false; machine.transitions.len()];
    for (number, transition) in machine.transitions.iter().enumerate() {
        let span = draft.transition_spans[number].clone();
        if transition.stack == Stack::Pop && !pushes {
            let message = said!("this machine has no `push`, so `pop` has no state to return to");
            sink.error(Code::BadStack, span, message).with_help(said!(
                "add `transition push=NAME`, which goes to a state and remembers where it was"
            ));
            is_never[number] = true;
            continue;
        }
        let why = never_taken::why(draft, transition).or_else(|| shadowed(draft, &order, number));
        if let Some((why, help)) = why {
            is_never[number] = true;
            let message = said!("this transition is never taken: {}", why);
            sink.warning(Code::NeverTaken, span, message)
                .with_perhaps(help);
        }
    }
    is_never
}

/// Reports transitions to a state that is active whenever their source is, since none of the states beside it can be entered.
/// So it is where a decision tree leads only to the state that a machine begins in.
fn nowhere_else(draft: &Draft<'_>, is_never: &mut [bool], is_in: &[bool], sink: &mut Sink) {
    for (number, transition) in draft.machine.transitions.iter().enumerate() {
        let is_known = is_never[number] || !is_in[transition.source];
        let why = never_taken::already_there(draft, transition, &|state| is_in[state]);
        if let Some((why, help)) = why.filter(|_| !is_known) {
            is_never[number] = true;
            let message = said!("this transition is never taken: {}", why);
            let span = draft.transition_spans[number].clone();
            sink.warning(Code::NeverTaken, span, message)
                .with_perhaps(help);
        }
    }
}

fn not_reached(draft: &Draft<'_>, is_in: &[bool], sink: &mut Sink) {
    for (index, state) in draft.machine.states.iter().enumerate().skip(1) {
        let is_told = state.parent.is_some_and(|parent| !is_in[parent]);
        if is_in[index] || is_told {
            continue;
        }
        let name = draft.called(index);
        let message = said!("state `{}` can never be entered", name);
        sink.warning(Code::NothingLeadsHere, draft.spans[index].clone(), message)
            .with_help(said!(
                "add `transition to={}` to a state that can be active",
                name
            ));
    }
}

/// Reports circles of transitions that are taken whenever their states are active.
fn livelocks(draft: &Draft<'_>, is_never: &[bool], is_in: &[bool], sink: &mut Sink) {
    let machine = &draft.machine;
    let order = Order::new(machine);
    let certain: Vec<usize> = (0..machine.transitions.len())
        .filter(|number| {
            let transition = &machine.transitions[*number];
            is_in[transition.source] && !is_never[*number]
        })
        .filter(|number| is_certain(machine, &order, *number))
        .collect();
    // The next transition that is certain after this one; if there are several, one is enough.
    let next_of = |number: usize| {
        let transition = &machine.transitions[number];
        let mut active = active_states::entered(machine, transition);
        let domain = machine.domain(transition).unwrap_or(0);
        active[domain] = true;
        let is_end = |state: usize| matches!(machine.states[state].kind, StateKind::Final { .. });
        if machine
            .children(0)
            .any(|state| active[state] && is_end(state))
        {
            return None;
        }
        certain
            .iter()
            .copied()
            .find(|next| active[machine.transitions[*next].source])
    };
    let mut is_seen: HashSet<usize> = HashSet::new();
    for first in &certain {
        let mut path = Vec::new();
        let mut at = Some(*first);
        while let Some(number) = at.filter(|number| is_seen.insert(*number)) {
            path.push(number);
            at = next_of(number);
        }
        let Some(from) = path.iter().position(|number| Some(*number) == at) else {
            continue;
        };
        livelock(draft, &path[from..], sink);
    }
}

fn livelock(draft: &Draft<'_>, circle: &[usize], sink: &mut Sink) {
    let first = circle.iter().min().copied().unwrap_or(0);
    let names: Vec<String> = circle
        .iter()
        .chain(circle.first())
        .take(12)
        .map(|number| {
            let source = draft.machine.transitions[*number].source;
            format!("`{}`", draft.called(source))
        })
        .collect();
    let message = said!("this statechart loops forever: {}", names.join(" → "));
    let span = draft.transition_spans[first].clone();
    sink
        .error(Code::Livelock, span, message)
        .with_help(said!("let one of these transitions wait for something, or use `mode=alarm`: a statechart takes transitions until none is left"));
}

/// The order in which transitions are checked.
struct Order {
    /// Per transition: transitions with greater keys come later.
    keys: Vec<(i64, i64, usize)>,
    /// Per state: the transitions that leave it.
    from: Vec<Vec<usize>>,
}

impl Order {
    fn new(machine: &Machine) -> Self {
        let mut from = vec![Vec::new(); machine.states.len()];
        let keys = machine.transitions.iter().enumerate();
        let keys = keys.map(|(number, transition)| {
            from[transition.source].push(number);
            let level = machine.level(transition.source) as i64;
            let level = match machine.mode {
                Mode::Alarm => level,
                Mode::Statechart => -level,
            };
            (-i64::from(transition.priority), level, number)
        });
        let keys = keys.collect();
        Self { keys, from }
    }

    /// Whether `first` is checked before `second`.
    fn is_before(&self, first: usize, second: usize) -> bool {
        self.keys[first] < self.keys[second]
    }
}

/// The reason when another transition is always taken before this one.
fn shadowed(draft: &Draft<'_>, order: &Order, number: usize) -> Option<Why> {
    let machine = &draft.machine;
    let mut around = Some(machine.transitions[number].source);
    while let Some(state) = around {
        let winner = order.from[state]
            .iter()
            .copied()
            .filter(|other| order.is_before(*other, number))
            .find(|other| always_wins(draft, *other, number));
        if let Some(winner) = winner {
            let shown = shown(draft, winner);
            let source = machine.transitions[winner].source;
            let why = if source == machine.transitions[number].source {
                said!("{} always comes before it", shown)
            } else if source == 0 {
                said!("{} of the machine always comes before it", shown)
            } else {
                said!(
                    "{} of state `{}` always comes before it",
                    shown,
                    draft.called(source)
                )
            };
            return Some((why, help_of(machine, winner, number)));
        }
        around = machine.states[state].parent;
    }
    None
}

/// How to fix a transition that always comes after another one.
fn help_of(machine: &Machine, winner: usize, loser: usize) -> Option<Said> {
    let [first, second] = [winner, loser].map(|number| &machine.transitions[number]);
    if first.priority > second.priority {
        return Some(said!(
            "change the `priority`: that transition has a higher one"
        ));
    }
    let is_free = always_holds(first) && first.conditions.is_none();
    if is_free && first.trigger == Trigger::Polled {
        return Some(said!(
            "let that transition wait for something: it is taken as soon as its state is active"
        ));
    }
    None
}

/// The name of a transition in messages.
fn shown(draft: &Draft<'_>, number: usize) -> Said {
    let targets = &draft.machine.transitions[number].targets;
    let names: Vec<String> = targets
        .iter()
        .map(|target| draft.called(Machine::target_state(target)))
        .collect();
    if names.is_empty() {
        return said!("the transition without `to=`");
    }
    let names = suggest::listed(names.iter().map(String::as_str));
    said!("the transition to {}", names)
}

/// Whether `first` is taken whenever `second` could be. The source of `first` is the source of `second` or a state
/// around it.
fn always_wins(draft: &Draft<'_>, first: usize, second: usize) -> bool {
    let machine = &draft.machine;
    let [first, second] = [first, second].map(|number| &machine.transitions[number]);
    let when = always_holds(first) || first.when == second.when;
    let conditions = match (first.conditions, second.conditions) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(one), Some(other)) => draft.children[one] == draft.children[other],
    };
    when && conditions
        && first.stack == Stack::Keep
        && covers(
            &first.trigger,
            &second.trigger,
            first.source == second.source,
        )
        && !may_be_active(machine, first)
        && active_states::with_condition(machine, first).is_empty()
}

/// Whether `first` occurs whenever `second` does; `same` when both leave the same state.
fn covers(first: &Trigger, second: &Trigger, same: bool) -> bool {
    match (first, second) {
        (Trigger::Polled, _) => true,
        (Trigger::Event(many), Trigger::Event(some)) => {
            some.iter().all(|event| many.contains(event))
        }
        (Trigger::After(Expr::Value(sooner)), Trigger::After(Expr::Value(later))) if same => {
            match (sooner, later) {
                (Value::Double(sooner), Value::Double(later)) => sooner <= later,
                _ => false,
            }
        }
        (Trigger::Done(with), Trigger::Done(other)) if same => {
            *with == DoneWith::Any || with == other
        }
        _ => false,
    }
}

/// Whether the transition may be refused because its target is active already.
fn may_be_active(machine: &Machine, transition: &Transition) -> bool {
    let [Target::State(target)] = transition.targets[..] else {
        return false;
    };
    machine.mode == Mode::Alarm
        && !transition.reenter
        && machine.is_inside(target, transition.source)
}

/// Whether the transition is taken in every microstep in which its source is active.
fn is_certain(machine: &Machine, order: &Order, number: usize) -> bool {
    let transition = &machine.transitions[number];
    let waits = transition.trigger != Trigger::Polled
        || !always_holds(transition)
        || transition.conditions.is_some()
        || transition.targets.is_empty()
        || transition.stack != Stack::Keep
        || !active_states::with_condition(machine, transition).is_empty();
    if waits {
        return false;
    }
    // A transition that is sometimes taken instead may end the circle.
    let source = transition.source;
    let rivals = machine.transitions.iter().enumerate();
    let mut rivals = rivals
        .filter(|(other, rival)| *other != number && !matches!(rival.trigger, Trigger::Event(_)));
    !rivals.any(|(other, rival)| {
        let is_related = rival.source == source
            || machine.is_inside(rival.source, source)
            || machine.is_inside(source, rival.source);
        if is_related {
            return order.is_before(other, number);
        }
        let domain = machine.domain(rival);
        machine.are_orthogonal(rival.source, source)
            && domain.is_some_and(|domain| machine.is_inside(source, domain))
    })
}
