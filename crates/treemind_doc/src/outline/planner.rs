//! Planners in an outline: goals, tasks with their methods, then the steps.

use super::lines::{About, Item, OutlineLine, part};
use super::{expression, number_text, quoted, statements, utility};
use std::fmt::Write;
use treemind_core::behaviour::{Aim, Doing, Goal, Method, PlanStep, Planner, Scoring};
use treemind_core::{Behaviour, Expr, Kind, NodeId, Value};

/// Everything in a planner, the first item last.
pub(super) fn items(
    behaviour: &Behaviour,
    node: NodeId,
    planner: &Planner,
    indent: usize,
) -> Vec<Item> {
    let mut items = Vec::new();
    for (at, one) in planner.goals.iter().enumerate() {
        items.push(Item::Line(OutlineLine {
            indent,
            about: About::Goal(node, at),
            text: goal_text(behaviour, planner, one),
        }));
        for line in utility::considered(behaviour, &one.score) {
            items.push(Item::Line(part(indent + 2, line)));
        }
    }
    for (of, task) in planner.tasks.iter().enumerate() {
        let name = quoted(&task.name);
        items.push(Item::Line(part(indent, format!("task {name}"))));
        for (at, one) in task.methods.iter().enumerate() {
            items.push(Item::Line(OutlineLine {
                indent: indent + 2,
                about: About::Method(node, of, at),
                text: method_text(behaviour, planner, one),
            }));
        }
    }
    let steps = &behaviour.node(node).children;
    items.extend(steps.iter().map(|step| Item::Node(*step, indent)));
    items.reverse();
    items
}

/// The line of a goal, without what its score considers.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn goal_text(behaviour: &Behaviour, planner: &Planner, goal: &Goal) -> String {
    let mut out = format!("goal {}", quoted(&goal.name));
    let _ = match &goal.aim {
        Aim::Wants(wants) => write!(out, " wants=\"{}\"", expression(behaviour, wants)),
        Aim::Does(task) => write!(out, " does={}", quoted(&planner.tasks[*task].name)),
    };
    test(behaviour, goal.when.as_ref(), &mut out);
    for (name, text, _) in score_of(behaviour, goal) {
        let _ = write!(out, " {name}={text}");
    }
    out
}

/// The score of a goal as properties; none for the usual one.
pub(super) fn score_of<'b>(
    behaviour: &Behaviour,
    goal: &'b Goal,
) -> Vec<(&'static str, String, Option<&'b Expr>)> {
    let usual = Scoring::Expr(Expr::Value(Value::Double(1.0)));
    match goal.score.made == usual && goal.score.weight.is_none() {
        true => Vec::new(),
        false => utility::properties_of(behaviour, &goal.score),
    }
}

fn test(behaviour: &Behaviour, when: Option<&Expr>, out: &mut String) {
    if let Some(when) = when {
        let _ = write!(out, " when=\"{}\"", expression(behaviour, when));
    }
}

/// The line of a method.
pub(crate) fn method_text(behaviour: &Behaviour, planner: &Planner, method: &Method) -> String {
    let mut out = format!("method \"{}\"", names_of(planner, method));
    test(behaviour, method.when.as_ref(), &mut out);
    out
}

/// The names in a method.
pub(super) fn names_of(planner: &Planner, method: &Method) -> String {
    let names = method.does.iter().map(|doing| match doing {
        Doing::Step(step) => planner.steps[*step].name.as_str(),
        Doing::Task(task) => planner.tasks[*task].name.as_str(),
    });
    names.collect::<Vec<_>>().join(" ")
}

/// What the planner around a node knows of it as a step.
pub(super) fn step_of(behaviour: &Behaviour, id: NodeId) -> Option<&PlanStep> {
    let parent = behaviour.node(behaviour.node(id).parent?);
    let Kind::Planner(planner) = &parent.kind else {
        return None;
    };
    let index = parent
        .children
        .partition_point(|child| child.index() < id.index());
    planner.steps.get(index)
}

/// Writes `gives=` and `cost=` of a step.
pub(super) fn step(behaviour: &Behaviour, id: NodeId, out: &mut String) {
    let Some(step) = step_of(behaviour, id) else {
        return;
    };
    if !step.gives.is_empty() {
        let _ = write!(out, " gives=\"{}\"", statements(behaviour, &step.gives));
    }
    if let Some(cost) = &step.cost {
        let _ = write!(out, " cost={}", number_text(behaviour, cost));
    }
}
