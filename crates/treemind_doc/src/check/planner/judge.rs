//! What is known of a planner before it runs: tasks without an end, goals that nothing gives, steps without a use.

use super::{Draft, key_limits, too_many};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::suggest;
use crate::symbols::step_name;
use crate::syntax::{Node, Span, shortened};
use std::collections::{BTreeSet, HashSet};
use treemind_core::behaviour::{
    self, Aim, Doing, Key, Planner, Task, conjuncts, contradiction, effects, usable_if,
};
use treemind_core::{Expr, KeyId, Type};

/// Reports tasks that lead to themselves first, whichever method is chosen.
pub(super) fn endless(planner: &Planner, draft: &Draft<'_>, sink: &mut Sink) {
    let mut may_end = vec![false; planner.tasks.len()];
    loop {
        let ends = |task: &Task| {
            let mut methods = task.methods.iter();
            methods.any(|method| match method.does.first() {
                Some(Doing::Task(first)) => may_end[*first],
                _ => true,
            })
        };
        let new: Vec<bool> = planner.tasks.iter().map(ends).collect();
        if new == may_end {
            break;
        }
        may_end = new;
    }
    for (at, task) in planner.tasks.iter().enumerate() {
        let part = draft.tasks[at];
        if may_end[at] || part.of != 0 || !leads_back(planner, at) {
            continue;
        }
        let name = shortened(&task.name);
        let firsts = task.methods.iter().filter_map(|method| method.does.first());
        let firsts: BTreeSet<&str> = firsts
            .filter_map(|doing| match doing {
                Doing::Task(first) => Some(planner.tasks[*first].name.as_str()),
                Doing::Step(_) => None,
            })
            .collect();
        let firsts: Vec<&str> = firsts.into_iter().collect();
        let message = said!(
            "`{}` can never end: each method begins with {}",
            name,
            suggest::either(&firsts)
        );
        let span = part.node.first_text().map(|name| name.span.clone());
        sink.error(
            Code::EndlessTask,
            span.unwrap_or(part.node.span.clone()),
            message,
        )
        .with_help(said!("add a method that begins with a step, or `method \"\"` for when nothing is left to do, before the method that begins with {}", suggest::either(&firsts)));
    }
}

/// Whether a task is reached again from the first names of its methods.
fn leads_back(planner: &Planner, task: usize) -> bool {
    let firsts = |task: usize| {
        let methods = planner.tasks[task].methods.iter();
        methods.filter_map(|method| match method.does.first() {
            Some(Doing::Task(first)) => Some(*first),
            _ => None,
        })
    };
    let mut seen = HashSet::new();
    let mut pending: Vec<usize> = firsts(task).collect();
    while let Some(next) = pending.pop() {
        if next == task {
            return true;
        }
        if seen.insert(next) {
            pending.extend(firsts(next));
        }
    }
    false
}

/// Reports a planner that reads or plans too many keys.
pub(super) fn facts(
    planner: &Planner,
    children: &[behaviour::Node],
    (node, all): (&Node, &[Key]),
    sink: &mut Sink,
) {
    let keys = planner.keys(children.iter().map(|child| (&child.guards, &child.hooks)));
    let facts = keys.facts.iter();
    let facts = facts.filter(|key| all[key.index()].heard.is_none());
    let counts = [facts.count(), keys.planned.len()];
    for (count, (most, what)) in counts.into_iter().zip(key_limits()) {
        if count > most {
            too_many(node.span.clone(), (count, most), &what, sink);
        }
    }
}

/// Warns of goals that nothing gives, and of steps without a use.
pub(super) fn warn(
    planner: &Planner,
    children: &[behaviour::Node],
    draft: &Draft<'_>,
    keys: &[Key],
    sink: &mut Sink,
) {
    let hooks: Vec<_> = children.iter().map(|child| &child.hooks).collect();
    let mut all_given = true;
    for (at, goal) in planner.goals.iter().enumerate() {
        if let Aim::Wants(wants) = &goal.aim
            && let Some((first, _)) = contradiction(&conjuncts(wants))
        {
            let names = keys_in(first);
            let names = names.iter().map(|key| keys[key.index()].name.as_str());
            let message = said!(
                "goal `{}` can never be reached: it wants two things of {} that cannot both hold",
                shortened(&goal.name),
                suggest::listed(names)
            );
            all_given = false;
            sink.warning(Code::NothingGives, wants_span(draft.goals[at]), message)
                .with_help(said!("join them with `||`, or write two goals"));
            continue;
        }
        let parts = planner.wanted(at, &hooks).into_iter();
        for part in parts.filter(|part| part.given_by.is_empty()) {
            let wanted = keys_in(part.expr);
            if wanted.is_empty() {
                continue;
            }
            let names = wanted.iter().map(|key| keys[key.index()].name.as_str());
            all_given = false;
            let span = wants_span(draft.goals[at]);
            let message = said!(
                "nothing gives {}, which goal `{}` wants",
                suggest::either(&names.collect::<Vec<_>>()),
                shortened(&goal.name)
            );
            let mut wanted = wanted.iter().map(|key| &keys[key.index()]);
            let help = match wanted.find(|key| can_be_planned(key)) {
                Some(key) => said!(
                    "add `gives=\"{}\"` to the step that does",
                    giving(part.expr, key)
                ),
                None => said!(
                    "no step can give that: ask for it in the `when=` of the goal, or want a key of another type, such as a `bool` or a number, which a step gives"
                ),
            };
            sink.warning(Code::NothingGives, span, message)
                .with_help(help);
        }
    }
    // Where something is missing, what leads there seems to be of no use.
    if all_given && !planner.goals.is_empty() {
        useless(planner, children, draft, sink);
    }
}

/// Whether statements of steps that give a key can be foreseen.
fn can_be_planned(key: &Key) -> bool {
    !key.form.is_list() && key.ty != Type::Any
}

/// The statement with which a step could give what is wanted.
fn giving(part: &Expr, key: &Key) -> String {
    let value = match (part, key.ty) {
        (Expr::Not(_), Type::Bool) => "false",
        (_, Type::Bool) => "true",
        _ => "…",
    };
    format!("{} = {value}", key.name)
}

fn wants_span(goal: &Node) -> Span {
    let entry = goal.entry("wants");
    entry.map_or(goal.span.clone(), |entry| entry.value_span.clone())
}

fn keys_in(expr: &Expr) -> Vec<KeyId> {
    let mut keys = BTreeSet::new();
    expr.for_each_key(&mut |key| {
        keys.insert(key);
    });
    keys.into_iter().collect()
}

/// Warns of steps of which no part of a goal, and no guard of a useful step, reads what they write, and that no method
/// names.
fn useless(planner: &Planner, children: &[behaviour::Node], draft: &Draft<'_>, sink: &mut Sink) {
    let mut needed: HashSet<KeyId> = HashSet::new();
    for goal in &planner.goals {
        if let Aim::Wants(wants) = &goal.aim {
            conjuncts(wants)
                .into_iter()
                .for_each(|part| needed.extend(keys_in(part)));
        }
    }
    let methods = planner.tasks.iter().flat_map(|task| &task.methods);
    let named: HashSet<usize> = methods
        .flat_map(|method| &method.does)
        .filter_map(|doing| match doing {
            Doing::Step(step) => Some(*step),
            Doing::Task(_) => None,
        })
        .collect();
    let mut useful = vec![false; planner.steps.len()];
    loop {
        let before = useful.clone();
        for (at, (step, child)) in planner.steps.iter().zip(children).enumerate() {
            let gives = effects(step, &child.hooks).any(|assign| needed.contains(&assign.key));
            if useful[at] || !(gives || named.contains(&at)) {
                continue;
            }
            useful[at] = true;
            let read = usable_if(&child.guards).map(|(guard, _)| guard);
            read.chain(&step.cost)
                .for_each(|expr| needed.extend(keys_in(expr)));
            // What an effect reads decides what it gives.
            effects(step, &child.hooks).for_each(|assign| needed.extend(keys_in(&assign.value)));
        }
        if useful == before {
            break;
        }
    }
    for (at, step) in planner.steps.iter().enumerate() {
        let part = draft.steps[at];
        if useful[at] || !draft.is_own(part) {
            continue;
        }
        let span = step_name(part.node).map(|(name, _)| name.span.clone());
        let name = shortened(&step.name);
        let nothing = effects(step, &children[at].hooks).next().is_none();
        let (message, help) = if nothing {
            (
                said!(
                    "step `{}` has no use: it gives nothing, and no method names it",
                    name
                ),
                said!("say what it achieves: `gives=\"KEY = VALUE\"`, or name it in a `method`"),
            )
        } else {
            (
                said!(
                    "step `{}` has no use: no goal wants what it gives, and no useful step reads it",
                    name
                ),
                said!("remove it, or let a goal want what it gives"),
            )
        };
        sink.warning(
            Code::UselessStep,
            span.unwrap_or(part.node.name.span.clone()),
            message,
        )
        .with_help(help);
    }
}
