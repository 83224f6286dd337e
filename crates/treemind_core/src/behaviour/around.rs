//! What a node may say about the machine that it stands in.

use super::{Arg, Behaviour, Guards, Hooks, Kind, Machine, Times, Trigger};
use crate::expr::Expr;
use crate::ids::NodeId;

/// Checks that a node that is about the machine around it has one, and that the states that it asks about are there.
pub(super) fn check(
    behaviour: &Behaviour,
    parent: Option<NodeId>,
    (kind, guards, hooks): (&Kind, &Guards, &Hooks),
) -> Result<(), String> {
    let mut above = std::iter::successors(parent, |node| behaviour.node(*node).parent);
    let around = above.find_map(|node| machine_of(&behaviour.node(node).kind));
    if around.is_none() && matches!(kind, Kind::Send { .. } | Kind::Cancel { .. }) {
        return Err(format!("`{}` outside of machines", kind.keyword()));
    }
    let leaves_open = matches!(
        kind,
        Kind::StickySequence {
            leaves_open: true,
            ..
        }
    );
    if around.is_some() && leaves_open {
        return Err("what a list leaves open inside of a machine would be nobody's".to_owned());
    }
    let carried = [
        &guards.fail_if,
        &guards.succeed_if,
        &guards.skip_if,
        &guards.while_holds,
    ];
    let assigned = [
        &hooks.on_success,
        &hooks.on_failure,
        &hooks.on_abort,
        &hooks.on_end,
    ];
    let mut outside: Vec<&Expr> = carried.into_iter().flatten().collect();
    outside.extend(assigned.into_iter().flatten().map(|assign| &assign.value));
    match machine_of(kind) {
        // What a machine tests itself is about its own states; its guards could mean either machine.
        Some(machine) => {
            check_states(tests_of(machine), Some(machine))?;
            check_states(outside, None)
        }
        None => {
            outside.extend(exprs_of(kind));
            check_states(outside, around)
        }
    }
}

fn machine_of(kind: &Kind) -> Option<&Machine> {
    match kind {
        Kind::Machine(machine) => Some(machine),
        _ => None,
    }
}

fn check_states(exprs: Vec<&Expr>, around: Option<&Machine>) -> Result<(), String> {
    let states = around.map_or(0, |machine| machine.states.len());
    let mut pending = exprs;
    while let Some(expr) = pending.pop() {
        if matches!(expr, Expr::Active(state) if *state >= states) {
            return Err("a state that the machine around it does not have".to_owned());
        }
        pending.extend(expr.parts());
    }
    Ok(())
}

/// The expressions of a machine itself.
fn tests_of(machine: &Machine) -> Vec<&Expr> {
    let mut found: Vec<&Expr> = Vec::new();
    found.extend(machine.states.iter().flat_map(|state| &state.enter_if));
    for transition in &machine.transitions {
        found.extend(&transition.when);
        if let Trigger::After(secs) = &transition.trigger {
            found.push(secs);
        }
    }
    for decider in &machine.deciders {
        found.extend(decider.steps.iter().flat_map(|step| step.exprs()));
    }
    found
}

/// The expressions of a node of another kind, guards and hooks left aside.
fn exprs_of(kind: &Kind) -> Vec<&Expr> {
    let given = |args| {
        let args: &[Arg] = args;
        args.iter().filter_map(|arg| match arg {
            Arg::Expr(expr) => Some(expr),
            Arg::Value(_) => None,
        })
    };
    match kind {
        Kind::Condition { args, .. }
        | Kind::Action { args, .. }
        | Kind::Emit { args, .. }
        | Kind::Own { args, .. } => given(args).collect(),
        Kind::Service {
            args,
            interval,
            jitter,
            ..
        } => given(args).chain([interval]).chain(jitter).collect(),
        Kind::Send {
            args, delay, id, ..
        } => given(args).chain([delay]).chain(id).collect(),
        Kind::Cancel { id } => vec![id],
        Kind::Check { expr } => vec![expr],
        Kind::Set { assigns } => assigns.iter().map(|assign| &assign.value).collect(),
        Kind::Wait { secs, jitter } => [secs].into_iter().chain(jitter).collect(),
        Kind::Cooldown { secs, .. } | Kind::Timeout { secs } | Kind::Delay { secs } => vec![secs],
        Kind::Chance { probability } => vec![probability],
        Kind::Limit { runs, .. } => vec![runs],
        Kind::WeightedSelector { weights: all }
        | Kind::Switch { cases: all, .. }
        | Kind::SubtreeBy { cases: all } => all.iter().collect(),
        Kind::Decide(decision) => {
            let steps = decision.steps.iter();
            steps.flat_map(|step| step.exprs()).collect()
        }
        Kind::UtilitySelector {
            scores, hysteresis, ..
        } => scores
            .iter()
            .flat_map(super::Score::exprs)
            .chain([hysteresis])
            .collect(),
        Kind::Repeat { times, .. } | Kind::Retry { times, .. } => match times {
            Times::Count(count) => vec![count],
            Times::Forever => Vec::new(),
        },
        _ => Vec::new(),
    }
}
