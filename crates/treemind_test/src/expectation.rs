//! Compares what is expected with what happened.

use crate::condition::Conditions;
use crate::player::{Player, quoted};
use treemind_core::{Kind, NodeId, Outcome};
use treemind_doc::testing::Expectation;
use treemind_doc::{Said, said};

/// What was wanted, and what happened instead.
type Difference = (Said, Said);

/// The first difference from what is expected.
pub(crate) fn judge(
    player: &Player<'_>,
    expected: &Expectation,
    conditions: &mut Conditions,
) -> Result<(), Difference> {
    let shown = |status: Option<_>| match status {
        Some(status) => Said::Text(format!("{status}").to_lowercase()),
        None => said!("the root did not answer"),
    };
    if let Some(wanted) = expected.status
        && player.seen.root != Some(wanted)
    {
        return Err((shown(Some(wanted)), shown(player.seen.root)));
    }
    for name in &expected.active {
        if !player
            .seen
            .is_active(name, &player.harness.names, &player.harness.population)
        {
            return Err((said!("{} is running", quoted(name)), player.running()));
        }
    }
    for name in &expected.inactive {
        if player
            .seen
            .is_active(name, &player.harness.names, &player.harness.population)
        {
            return Err((said!("{} is not running", quoted(name)), player.running()));
        }
    }
    let ticked = |nodes: Vec<NodeId>| labels(player, nodes);
    for name in &expected.ran {
        if !player.seen.ran(name, &player.harness.names) {
            let all = ticked(player.seen.ticked.iter().copied().collect());
            return Err((said!("{} ran", quoted(name)), said!("{} ran", all)));
        }
    }
    for name in &expected.started {
        let is_it = |node: &NodeId| player.seen.started.contains(node);
        if !player.harness.names.nodes(name).iter().any(is_it) {
            let all = ticked(player.seen.started.iter().copied().collect());
            return Err((said!("{} started", quoted(name)), said!("{} started", all)));
        }
    }
    for name in &expected.stopped {
        stopped(player, name, expected.outcome)?;
    }
    if !expected.chosen.is_empty() {
        chosen(player, &expected.chosen)?;
    }
    for name in &expected.fired {
        if !player.seen.fired.contains(name) {
            let fired = listed(&mut player.seen.fired.iter().map(String::as_str));
            return Err((said!("{} fired", quoted(name)), said!("{} fired", fired)));
        }
    }
    for name in &expected.emitted {
        if !player.seen.emitted.contains(name) {
            let emitted = listed(&mut player.seen.emitted.iter().map(String::as_str));
            return Err((
                said!("{} emitted", quoted(name)),
                said!("{} emitted", emitted),
            ));
        }
    }
    if !player
        .plans
        .meet(expected, player.harness.population.program().behaviour())
    {
        return plans(player, expected);
    }
    if expected.fault && player.seen.faults.is_empty() {
        return Err((said!("a fault"), said!("no fault")));
    }
    let Some(condition) = &expected.that else {
        return Ok(());
    };
    let wanted = quoted(&condition.text).into();
    match conditions.holds(
        condition,
        &player.harness.population,
        &player.harness.names,
        &player.seen,
    ) {
        Ok(true) => Ok(()),
        Ok(false) => Err((wanted, player.values_of(condition, conditions))),
        Err(problem) => Err((wanted, problem.into())),
    }
}

/// What was expected of planners, and what they do.
fn plans(player: &Player<'_>, expected: &Expectation) -> Result<(), Difference> {
    let mut wanted = Vec::new();
    if let Some(goal) = &expected.goal {
        wanted.push(said!("{} is pursued", quoted(goal)));
    }
    match expected.plan.as_deref() {
        Some([]) => wanted.push(said!("no plan is followed")),
        Some(steps) => wanted.push(said!("the plan is `{}`", steps.join(" "))),
        None => {}
    }
    if let Some(cost) = expected.plan_cost {
        wanted.push(said!("it costs {}", cost));
    }
    if !expected.no_plan.is_empty() {
        let goals = listed(&mut expected.no_plan.iter().map(String::as_str));
        wanted.push(said!("there is no plan for {}", goals));
    }
    let behaviour = player.harness.population.program().behaviour();
    let wanted = joined(wanted).unwrap_or_else(|| said!("nothing"));
    Err((wanted, player.plans.said(behaviour)))
}

/// The names of nodes that have one of their own, or of leaves.
fn labels(player: &Player<'_>, nodes: Vec<NodeId>) -> Said {
    let behaviour = player.harness.population.program().behaviour();
    let has_name = |node: &NodeId| {
        let node = behaviour.node(*node);
        node.name.is_some() || node.kind.leaf().is_some()
    };
    let nodes = nodes.into_iter().filter(has_name);
    listed(&mut nodes.map(|node| behaviour.label(node)))
}

/// A few sentences as one.
pub(crate) fn joined(all: Vec<Said>) -> Option<Said> {
    let mut all = all.into_iter();
    let first = all.next()?;
    Some(all.fold(first, |before, one| said!("{}, {}", before, one)))
}

/// Each name once.
fn listed(names: &mut dyn Iterator<Item = &str>) -> Said {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let name = quoted(name);
        if !all.contains(&name) {
            all.push(name);
        }
    }
    match all.is_empty() {
        true => said!("nothing"),
        false => all.join(", ").into(),
    }
}

fn stopped(player: &Player<'_>, name: &str, outcome: Option<Outcome>) -> Result<(), Difference> {
    let nodes = player.harness.names.nodes(name);
    let mut runs = player.seen.stopped.iter();
    let is_it = |(node, how): &&(NodeId, Outcome)| {
        nodes.contains(node) && outcome.is_none_or(|outcome| outcome == *how)
    };
    if runs.any(|run| is_it(&run)) {
        return Ok(());
    }
    let wanted = match outcome {
        Some(outcome) => said!("{} stopped: {}", quoted(name), word(outcome)),
        None => said!("{} stopped", quoted(name)),
    };
    let mut got = Vec::new();
    for outcome in [Outcome::Success, Outcome::Failure, Outcome::Aborted] {
        let all = player.seen.stopped.iter();
        let nodes = all.filter(|(_, how)| *how == outcome);
        let nodes: Vec<NodeId> = nodes.map(|(node, _)| *node).collect();
        if let names @ Said::Text(_) = labels(player, nodes) {
            got.push(said!("{} stopped: {}", names, word(outcome)));
        }
    }
    let nothing = || said!("{} stopped", said!("nothing"));
    Err((wanted, joined(got).unwrap_or_else(nothing)))
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
        Outcome::Aborted => "aborted",
    }
}

/// Exactly these actions were ticked in the last tick.
fn chosen(player: &Player<'_>, wanted: &[String]) -> Result<(), Difference> {
    let behaviour = player.harness.population.program().behaviour();
    let actions = behaviour.node_ids().filter(|node| {
        let is_action = matches!(behaviour.node(*node).kind, Kind::Action { .. });
        is_action && player.seen.answers.contains_key(node)
    });
    let actions: Vec<NodeId> = actions.collect();
    let is_wanted = |node: &NodeId| {
        let mut all = wanted.iter();
        all.any(|name| player.harness.names.nodes(name).contains(node))
    };
    let is_done = |name: &String| {
        let mut nodes = player.harness.names.nodes(name).iter();
        nodes.any(|node| player.seen.answers.contains_key(node))
    };
    if actions.iter().all(is_wanted) && wanted.iter().all(is_done) {
        return Ok(());
    }
    let wanted = said!("{} chosen", quoted(&wanted.join("`, `")));
    Err((wanted, said!("{} chosen", labels(player, actions))))
}
