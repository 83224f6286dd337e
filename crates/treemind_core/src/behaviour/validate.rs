//! The checks of [`Behaviour::new`](super::Behaviour::new), and the numbering of nodes.

use super::typing::{check_expr, check_test};
use super::{
    Access, Arg, Behaviour, Enum, Facts, Form, Guards, Hooks, Key, Kind, KindPart, LeafKind,
    MAX_EVENTS, Node, Pace, Param, Parts, PlacedNode, Places, Scope, Threshold, keys,
};
use super::{Counting, Policy, Times};
use super::{decision, enclosing, find, machines, planner, policy, rules, utility};
use crate::MAX_LIST;
use crate::expr::{Assign, Change};
use crate::ids::{KeyId, LeafId, NodeId, SemaphoreId};
use crate::status::Status;
use crate::time::nanos_of_secs;
use crate::value::{Type, Value};
use std::collections::HashSet;
use std::fmt;

/// The deepest nesting of nodes, and of expressions.
pub const MAX_DEPTH: usize = 256;

/// Why parts cannot be made into a [`Behaviour`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviourError {
    node: Option<String>,
    reason: String,
}

impl BehaviourError {
    /// The kinds and names from the root down to the node at fault; `None` when it is not about a node.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// The problem.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for BehaviourError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Some(node) => write!(out, "{node}: {}", self.reason),
            None => out.write_str(&self.reason),
        }
    }
}

impl std::error::Error for BehaviourError {}

pub(super) fn error(reason: impl Into<String>) -> BehaviourError {
    BehaviourError {
        node: None,
        reason: reason.into(),
    }
}

pub(super) fn place(parts: Parts) -> Result<Behaviour, BehaviourError> {
    check_declarations(&parts)?;
    let Parts {
        name,
        enums,
        keys,
        leaves,
        semaphores,
        labels,
        root,
    } = parts;
    let mut behaviour = Behaviour {
        name,
        enums,
        keys,
        leaves,
        semaphores,
        labels,
        nodes: Vec::new(),
        max_turns: crate::MAX_TURNS_PER_TICK,
        mailbox: MAX_EVENTS as u32,
        interval: 1,
        places: Places::default(),
    };
    // Depth first with an explicit stack, so that no nesting can overflow the thread's stack.
    let mut pending = vec![(root, None::<NodeId>, 0u32)];
    while let Some((node, parent, depth)) = pending.pop() {
        if depth as usize >= MAX_DEPTH {
            return Err(error(format!("nested deeper than {MAX_DEPTH} nodes")));
        }
        let Node {
            kind,
            name,
            doc,
            guards,
            hooks,
            written,
            children,
        } = node;
        let id = NodeId::new(behaviour.nodes.len());
        let above = parent.map(|parent| &behaviour.nodes[parent.index()].kind);
        let checked = check_children(&kind, &children)
            .and_then(|()| check_kind(&behaviour, &kind, children.len()))
            .and_then(|()| check_guards(&behaviour, &guards, &hooks))
            .and_then(|()| check_place(above, &kind, &guards))
            .and_then(|()| match &kind {
                Kind::Planner(planner) => {
                    let carried = children.iter();
                    let carried = carried.map(|child| (&child.guards, &child.hooks));
                    planner::check_foreseen(&behaviour, planner, &carried.collect::<Vec<_>>())
                }
                _ => Ok(()),
            })
            .and_then(|()| enclosing::check(&behaviour, parent, (&kind, &guards, &hooks)));
        behaviour.nodes.push(PlacedNode {
            kind,
            name,
            doc,
            guards,
            hooks,
            written,
            parent,
            depth,
            children: Vec::with_capacity(children.len()),
        });
        if let Some(parent) = parent {
            behaviour.nodes[parent.index()].children.push(id);
        }
        checked.map_err(|reason| BehaviourError {
            node: Some(path_of(&behaviour, id)),
            reason,
        })?;
        pending.extend(
            children
                .into_iter()
                .rev()
                .map(|child| (child, Some(id), depth + 1)),
        );
    }
    Ok(behaviour)
}

fn path_of(behaviour: &Behaviour, id: NodeId) -> String {
    let mut path = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        path.push(behaviour.label(id).to_owned());
        next = behaviour.node(id).parent;
    }
    path.reverse();
    path.join(" > ")
}

fn check_declarations(parts: &Parts) -> Result<(), BehaviourError> {
    for list in &parts.enums {
        if list.values.is_empty() {
            return Err(error("an enumeration has no values"));
        }
    }
    let mut names = HashSet::new();
    for key in &parts.keys {
        let (bound, items): (u32, &[Value]) = match &key.form {
            Form::List { bound, items } => (*bound, items),
            Form::One | Form::Optional { .. } => (1, &[]),
        };
        let fits = |value: &Value| key.ty.holds(*value) && value_exists(&parts.enums, *value);
        if !fits(&key.default) || !items.iter().all(fits) {
            return Err(error(format!(
                "the default of key `{}` is not of its type",
                key.name
            )));
        }
        if !(1..=MAX_LIST).contains(&bound) || items.len() > bound as usize {
            return Err(error(format!(
                "the bound of the list `{}` is out of range, or its default has too many items",
                key.name
            )));
        }
        if !names.insert(&key.name) {
            return Err(error(format!("two keys are named `{}`", key.name)));
        }
    }
    parts.keys.iter().try_for_each(|key| {
        keys::check_merge(key)?;
        keys::check_sensed(parts, key)?;
        keys::check_heard(parts, key)?;
        keys::check_mates(key)
    })?;
    names.clear();
    let mut numbers = HashSet::new();
    for leaf in &parts.leaves {
        if !names.insert(&leaf.name) {
            return Err(error(format!("two leaves are named `{}`", leaf.name)));
        }
        if let Some(number) = leaf.number.filter(|number| !numbers.insert(*number)) {
            return Err(error(format!("two leaves have the number {number}")));
        }
        for Param {
            name, ty, default, ..
        } in &leaf.params
        {
            let fits =
                default.is_none_or(|value| ty.holds(value) && value_exists(&parts.enums, value));
            if !fits {
                return Err(error(format!(
                    "the default of parameter `{name}` of `{}` is not of its type",
                    leaf.name
                )));
            }
        }
    }
    Ok(())
}

pub(super) fn value_exists(enums: &[Enum], value: Value) -> bool {
    match value {
        Value::Enum(list, index) => enums
            .get(list.index())
            .is_some_and(|list| (index as usize) < list.values.len()),
        _ => true,
    }
}

fn check_children(kind: &Kind, children: &[Node]) -> Result<(), String> {
    let Facts {
        keyword,
        children: (least, most),
        ..
    } = kind.facts();
    let count = children.len();
    if count < least || most.is_some_and(|most| count > most) {
        return Err(match most {
            Some(0) => format!("`{keyword}` takes no children"),
            Some(1) => format!("`{keyword}` takes exactly one child, not {count}"),
            _ => format!("`{keyword}` needs at least {least} child"),
        });
    }
    match kind {
        Kind::Decide(decision) => decision::check_asked(decision, children),
        Kind::Machine(machine) => {
            let mut deciders = machine.deciders.iter();
            deciders.try_for_each(|decider| decision::check_asked(decider, children))
        }
        _ => Ok(()),
    }
}

/// Checks the requirements of a node's family and options, and its parts.
fn check_kind(behaviour: &Behaviour, kind: &Kind, children: usize) -> Result<(), String> {
    check_options(behaviour, kind, children)?;
    let mut checked = Ok(());
    kind.parts(&mut |part| {
        if checked.is_ok() {
            checked = check_part(behaviour, kind, children, part);
        }
    });
    checked
}

/// Checks the requirements of particular kinds.
fn check_options(behaviour: &Behaviour, kind: &Kind, children: usize) -> Result<(), String> {
    match kind {
        Kind::Machine(machine) => machines::check(behaviour, machine, children),
        Kind::Decide(decision) => decision::check(decision, children),
        Kind::Planner(planner) => planner::check(planner, children),
        Kind::Received { awaited, .. } => keys::check_awaited(behaviour, awaited),
        Kind::UtilitySelector { scores, policy, .. } => utility::check(scores, *policy),
        Kind::Rules { rules, .. } => rules::check(rules),
        Kind::Find(find) => find::check(behaviour, find),
        Kind::Rate { key, score } => {
            let key = keys::find(behaviour, *key)?;
            if key.form.is_list() || !matches!(key.ty, Type::Float | Type::Double) {
                return Err(format!("`{}` cannot hold a score", key.name));
            }
            utility::check(std::slice::from_ref(&**score), Policy::Highest)
        }
        Kind::Policy(of) => policy::check(behaviour, of),
        Kind::Semaphore { semaphore, bid, .. } => check_bid(behaviour, *semaphore, bid.is_some()),
        Kind::Interrupt { result, .. } if !result.is_end() => {
            Err("an interrupt gives success or failure".to_owned())
        }
        Kind::Unset { key, .. } if !keys::find(behaviour, *key)?.form.can_be_unset() => {
            Err("a key that always has a value".to_owned())
        }
        Kind::ForEach {
            var,
            list,
            if_empty,
            max_runs,
        } => check_for_each(behaviour, *var, *list, *if_empty, *max_runs),
        Kind::UntilFailure { pace } | Kind::UntilSuccess { pace } => check_pace(*pace),
        Kind::Repeat {
            times,
            pace,
            counting,
            ..
        }
        | Kind::Retry {
            times,
            pace,
            counting,
            ..
        } => {
            if matches!(times, Times::Reread(_)) && *counting == Counting::Ticks {
                return Err("a loop that counts ticks reads its number once".to_owned());
            }
            check_pace(*pace)
        }
        Kind::Parallel {
            success, failure, ..
        } => [success, failure]
            .into_iter()
            .try_for_each(|threshold| check_threshold(*threshold, children)),
        Kind::ParallelAll { max_failures } => {
            check_threshold(Threshold::Count(*max_failures), children)
        }
        _ => Ok(()),
    }
}

/// Checks that a node bids for places that go to the best bidder, and only for those.
fn check_bid(behaviour: &Behaviour, semaphore: SemaphoreId, bids: bool) -> Result<(), String> {
    let Some(semaphore) = behaviour.semaphores.get(semaphore.index()) else {
        return Err("a semaphore that is not there".to_owned());
    };
    if semaphore.bidding.is_some() != bids {
        return Err(match bids {
            true => "a bid for places that do not go to the best bidder".to_owned(),
            false => "no bid for places that go to the best bidder".to_owned(),
        });
    }
    let Some(bidding) = semaphore.bidding else {
        return Ok(());
    };
    if semaphore.scope == Scope::Agent {
        return Err("places that go to the best bidder are shared".to_owned());
    }
    let mut hysteresis = bidding.hysteresis.into_iter();
    if hysteresis.any(|least| !(0.0..f64::INFINITY).contains(&least)) {
        return Err("a hysteresis is a number from 0".to_owned());
    }
    match nanos_of_secs(bidding.min_hold) {
        Some(_) => Ok(()),
        None => Err("the least time of holding is a number of seconds from 0".to_owned()),
    }
}

/// Checks that a part of a node exists and has its type.
fn check_part(
    behaviour: &Behaviour,
    kind: &Kind,
    children: usize,
    part: KindPart<'_>,
) -> Result<(), String> {
    match part {
        KindPart::Expr { expr, ty, may_draw } => match may_draw {
            true => check_expr(behaviour, expr, ty),
            false => check_test(behaviour, expr, ty),
        },
        KindPart::Leaf(leaf, args) => check_args(behaviour, (kind, children), leaf, args),
        KindPart::Assign(assign) => check_assign(behaviour, assign),
        KindPart::Foreseen(assign) => planner::check_effect(behaviour, assign),
        KindPart::Key(key, access) => keys::check_access(behaviour, key, access),
        KindPart::Label(label) => match behaviour.labels.get(label.index()) {
            Some(_) => Ok(()),
            None => Err("a label that is not there".to_owned()),
        },
        KindPart::Semaphore(semaphore) => match behaviour.semaphores.get(semaphore.index()) {
            Some(_) => Ok(()),
            None => Err("a semaphore that is not there".to_owned()),
        },
        KindPart::Score(score) => score
            .exprs()
            .try_for_each(|expr| check_test(behaviour, expr, Type::Double)),
    }
}

/// Whether a leaf fits nodes of this kind with this many children.
fn is_leaf_of(kind: &Kind, children: usize, leaf: LeafKind) -> bool {
    match (kind, leaf) {
        (Kind::Condition { .. }, LeafKind::Condition)
        | (Kind::Action { .. }, LeafKind::Action { .. })
        | (Kind::Service { .. }, LeafKind::Service)
        | (Kind::Find(_), LeafKind::Candidates { .. } | LeafKind::Measure)
        | (Kind::Send { .. } | Kind::Emit { .. }, LeafKind::Event) => true,
        (Kind::Own { .. }, LeafKind::Composite { least, most }) => {
            (least as usize..=most.unwrap_or(u32::MAX) as usize).contains(&children)
        }
        (Kind::Own { .. }, LeafKind::Decorator) => children == 1,
        _ => false,
    }
}

fn check_pace(pace: Pace) -> Result<(), String> {
    if pace.max_runs == 0 {
        return Err("a loop that may not run once".to_owned());
    }
    Ok(())
}

/// Checks that depend on the node above.
fn check_place(above: Option<&Kind>, kind: &Kind, guards: &Guards) -> Result<(), String> {
    if matches!(
        kind,
        Kind::Limit {
            per_parent: true,
            ..
        }
    ) && above.is_none()
    {
        return Err("it has no parent whose runs it could count in".to_owned());
    }
    if guards.aborts_lower
        && !(guards.fail_if.is_some() && matches!(above, Some(Kind::Selector { .. })))
    {
        return Err("only a `when` under a `selector` aborts what comes after".to_owned());
    }
    Ok(())
}

fn check_for_each(
    behaviour: &Behaviour,
    var: KeyId,
    list: KeyId,
    if_empty: Status,
    max_runs: u32,
) -> Result<(), String> {
    let (var, list) = (keys::find(behaviour, var)?, keys::find(behaviour, list)?);
    if !list.form.is_list() || var.form.is_list() || var.ty != list.ty {
        let (list, var) = (&list.name, &var.name);
        return Err(format!("`{list}` is not a list of the type of `{var}`"));
    }
    if if_empty == Status::Running || max_runs == 0 {
        return Err("an answer or a number of runs that cannot be".to_owned());
    }
    Ok(())
}

fn check_assign(behaviour: &Behaviour, assign: &Assign) -> Result<(), String> {
    let key = keys::check_writable(behaviour, assign.key)?;
    if key.form.is_list() == (assign.change == Change::Set) {
        let name = &key.name;
        return Err(format!(
            "a statement sets `{name}`, which is a list, or adds an item to it, though it is none"
        ));
    }
    check_expr(behaviour, &assign.value, key.ty)
}

fn check_guards(behaviour: &Behaviour, guards: &Guards, hooks: &Hooks) -> Result<(), String> {
    guards
        .exprs()
        .try_for_each(|guard| check_test(behaviour, guard, Type::Bool))?;
    if let Some(key) = hooks.on_fault {
        keys::check_access(behaviour, key, Access::WriteOwn)?;
        let Key { name, ty, form, .. } = behaviour.key(key);
        if form.is_list() || !matches!(ty, Type::Text | Type::Any) {
            return Err(format!("`{name}` cannot hold the code of a fault"));
        }
    }
    hooks
        .assigns()
        .try_for_each(|assign| check_assign(behaviour, assign))
}

fn check_threshold(threshold: Threshold, children: usize) -> Result<(), String> {
    let fits = match threshold {
        Threshold::All => true,
        Threshold::AllBut(count) => (count as usize) < children,
        Threshold::Count(count) | Threshold::Exactly(count) => count as usize <= children,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("a threshold that {children} children cannot meet"))
    }
}

/// Whether a leaf may read and write a key through a parameter of type `ty`.
fn is_for_leaf(key: &Key, ty: Type) -> bool {
    let is_writable = !key.form.is_list() && !key.is_computed();
    is_writable && (ty == Type::Any || ty == key.ty)
}

fn check_args(
    behaviour: &Behaviour,
    (kind, children): (&Kind, usize),
    leaf: LeafId,
    args: &[Arg],
) -> Result<(), String> {
    let leaf = behaviour
        .leaves
        .get(leaf.index())
        .ok_or("a leaf that is not there")?;
    if !is_leaf_of(kind, children, leaf.kind) {
        return Err(format!("`{}` is not for nodes like this one", leaf.name));
    }
    if leaf.params.len() != args.len() {
        return Err(format!(
            "`{}` takes {} parameters, not {}",
            leaf.name,
            leaf.params.len(),
            args.len()
        ));
    }
    leaf.params
        .iter()
        .zip(args)
        .try_for_each(|(param, arg)| match arg {
            Arg::Value(value)
                if param.ty.holds(*value) && value_exists(&behaviour.enums, *value) =>
            {
                Ok(())
            }
            Arg::Value(_) => Err(format!("parameter `{}` is not of its type", param.name)),
            Arg::Expr(expr) => check_expr(behaviour, expr, param.ty),
            Arg::Key(key) => match behaviour.keys.get(key.index()) {
                Some(key) if param.by_key && is_for_leaf(key, param.ty) => Ok(()),
                _ => Err(format!("parameter `{}` does not take this key", param.name)),
            },
        })
}
