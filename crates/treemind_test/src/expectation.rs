//! Compares what is expected with what happened.

use crate::condition::Conditions;
use crate::player::Player;
use treemind_core::{Kind, NodeId, Outcome};
use treemind_doc::testing::Expectation;

/// What was wanted, and what happened instead.
type Difference = (String, String);

/// The first difference from what is expected.
pub(crate) fn judge(
    player: &Player<'_>,
    expected: &Expectation,
    conditions: &mut Conditions,
) -> Result<(), Difference> {
    let shown = |status: Option<_>| match status {
        Some(status) => format!("{status}").to_lowercase(),
        None => "the root did not answer".to_owned(),
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
            return Err((format!("`{name}` is running"), player.running()));
        }
    }
    for name in &expected.inactive {
        if player
            .seen
            .is_active(name, &player.harness.names, &player.harness.population)
        {
            return Err((format!("`{name}` is not running"), player.running()));
        }
    }
    let ticked = |nodes: Vec<NodeId>| labels(player, nodes);
    for name in &expected.ran {
        if !player.seen.ran(name, &player.harness.names) {
            let all = ticked(player.seen.ticked.iter().copied().collect());
            return Err((format!("`{name}` ran"), format!("{all} ran")));
        }
    }
    for name in &expected.started {
        let is_it = |node: &NodeId| player.seen.started.contains(node);
        if !player.harness.names.nodes(name).iter().any(is_it) {
            let all = ticked(player.seen.started.iter().copied().collect());
            return Err((format!("`{name}` started"), format!("{all} started")));
        }
    }
    for name in &expected.stopped {
        stopped(player, name, expected.outcome)?;
    }
    if !expected.chosen.is_empty() {
        chosen(player, &expected.chosen)?;
    }
    for name in &expected.emitted {
        if !player.seen.emitted.contains(name) {
            let got = match &player.seen.emitted[..] {
                [] => "no event was emitted".to_owned(),
                all => format!("`{}` emitted", all.join("`, `")),
            };
            return Err((format!("`{name}` emitted"), got));
        }
    }
    if !player
        .plans
        .meet(expected, player.harness.population.program().behaviour())
    {
        return plans(player, expected);
    }
    if expected.fault && player.seen.faults.is_empty() {
        return Err(("a fault".to_owned(), "no fault".to_owned()));
    }
    let Some(condition) = &expected.that else {
        return Ok(());
    };
    let wanted = format!("`{}`", condition.text);
    match conditions.holds(
        condition,
        &player.harness.population,
        &player.harness.names,
        &player.seen,
    ) {
        Ok(true) => Ok(()),
        Ok(false) => Err((wanted, player.values_of(condition, conditions))),
        Err(problem) => Err((wanted, problem)),
    }
}

/// What was expected of planners, and what they do.
fn plans(player: &Player<'_>, expected: &Expectation) -> Result<(), Difference> {
    let mut wanted = Vec::new();
    if let Some(goal) = &expected.goal {
        wanted.push(format!("`{goal}` is pursued"));
    }
    match expected.plan.as_deref() {
        Some([]) => wanted.push("no plan is followed".to_owned()),
        Some(steps) => wanted.push(format!("the plan is `{}`", steps.join(" "))),
        None => {}
    }
    if let Some(cost) = expected.plan_cost {
        wanted.push(format!("it costs {cost}"));
    }
    for goal in &expected.no_plan {
        wanted.push(format!("there is no plan for `{goal}`"));
    }
    let behaviour = player.harness.population.program().behaviour();
    Err((wanted.join(", "), player.plans.said(behaviour)))
}

/// The names of nodes that have one of their own, or of leaves.
fn labels(player: &Player<'_>, nodes: Vec<NodeId>) -> String {
    let behaviour = player.harness.population.program().behaviour();
    let has_name = |node: &NodeId| {
        let node = behaviour.node(*node);
        node.name.is_some() || node.kind.leaf().is_some()
    };
    let mut names: Vec<String> = Vec::new();
    for node in nodes.into_iter().filter(has_name) {
        let name = format!("`{}`", behaviour.label(node));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.join(", "),
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
        Some(outcome) => format!("`{name}` stopped: {}", word(outcome)),
        None => format!("`{name}` stopped"),
    };
    let behaviour = player.harness.population.program().behaviour();
    let all = player.seen.stopped.iter();
    let all =
        all.map(|(node, how)| format!("`{}` stopped: {}", behaviour.label(*node), word(*how)));
    let all: Vec<String> = all.collect();
    let got = match all.is_empty() {
        true => "nothing stopped".to_owned(),
        false => all.join(", "),
    };
    Err((wanted, got))
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
    let wanted = format!("`{}` chosen", wanted.join("`, `"));
    Err((wanted, format!("{} chosen", labels(player, actions))))
}
