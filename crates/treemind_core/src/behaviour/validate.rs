//! The checks of [`Behaviour::new`](super::Behaviour::new), and the numbering of nodes.

use super::typing::{check_expr, check_test};
use super::{
    Arg, Behaviour, Enum, Form, Guards, Hooks, Kind, LeafKind, Node, Pace, Param, Parts,
    PlacedNode, Threshold, Times, keys,
};
use super::{around, decision, machines, utility};
use crate::MAX_LIST;
use crate::expr::{Assign, Expr};
use crate::ids::{KeyId, LabelId, LeafId, NodeId};
use crate::status::Status;
use crate::value::{Type, Value};
use std::collections::HashSet;
use std::fmt;

/// How deep nodes, and expressions, may be nested.
pub const MAX_DEPTH: usize = 256;

/// Why parts do not make a [`Behaviour`].
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

    /// What does not hold.
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
    };
    // Depth first with a stack of our own, so that no nesting can overflow the thread's stack.
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
            children,
        } = node;
        let id = NodeId::new(behaviour.nodes.len());
        let above = parent.map(|parent| &behaviour.nodes[parent.index()].kind);
        let checked = check_children(&kind, &children)
            .and_then(|()| check_kind(&behaviour, &kind, children.len()))
            .and_then(|()| check_guards(&behaviour, &guards, &hooks))
            .and_then(|()| check_place(above, &kind, &guards))
            .and_then(|()| check_machines(&behaviour, parent, &kind))
            .and_then(|()| around::check(&behaviour, parent, (&kind, &guards, &hooks)));
        behaviour.nodes.push(PlacedNode {
            kind,
            name,
            doc,
            guards,
            hooks,
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
                "the list `{}` has more items than it may, or none",
                key.name
            )));
        }
        if !names.insert(&key.name) {
            return Err(error(format!("two keys are named `{}`", key.name)));
        }
    }
    parts
        .keys
        .iter()
        .try_for_each(|key| keys::check_sensed(parts, key))?;
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
    let (least, most) = kind.children_allowed();
    let count = children.len();
    if count < least || most.is_some_and(|most| count > most) {
        return Err(match most {
            Some(0) => format!("`{}` takes no children", kind.keyword()),
            Some(1) => format!("`{}` takes exactly one child, not {count}", kind.keyword()),
            _ => format!("`{}` needs at least {least} child", kind.keyword()),
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

fn check_kind(behaviour: &Behaviour, kind: &Kind, children: usize) -> Result<(), String> {
    match kind {
        Kind::Condition { leaf, args, .. } => {
            let fits = |kind| matches!(kind, LeafKind::Condition);
            check_args(behaviour, *leaf, args, fits)
        }
        Kind::Action { leaf, args } => {
            let fits = |kind| matches!(kind, LeafKind::Action { .. });
            check_args(behaviour, *leaf, args, fits)
        }
        Kind::Service {
            leaf,
            args,
            interval,
            jitter,
        } => {
            check_args(behaviour, *leaf, args, |kind| kind == LeafKind::Service)?;
            check_expr(behaviour, interval, Type::Double)?;
            check_jitter(behaviour, jitter)
        }
        Kind::Machine(machine) => machines::check(behaviour, machine, children),
        Kind::Decide(decision) => decision::check(behaviour, decision, children),
        Kind::Send {
            leaf,
            args,
            delay,
            id,
        } => {
            check_args(behaviour, *leaf, args, |kind| kind == LeafKind::Event)?;
            check_expr(behaviour, delay, Type::Double)?;
            id.iter()
                .try_for_each(|id| check_expr(behaviour, id, Type::Text))
        }
        Kind::Cancel { id } => check_expr(behaviour, id, Type::Text),
        Kind::Own { leaf, args } => {
            let fits = |kind| match kind {
                LeafKind::Composite { least, most } => {
                    let most = most.unwrap_or(u32::MAX);
                    (least as usize..=most as usize).contains(&children)
                }
                LeafKind::Decorator => children == 1,
                _ => false,
            };
            check_args(behaviour, *leaf, args, fits)
        }
        Kind::Semaphore { semaphore, .. } => match behaviour.semaphores.get(semaphore.index()) {
            Some(_) => Ok(()),
            None => Err("a semaphore that is not there".to_owned()),
        },
        Kind::Interruptible { label } => check_label(behaviour, *label),
        Kind::Interrupt { label, result } => {
            if !matches!(result, Status::Success | Status::Failure) {
                return Err("an interrupt gives success or failure".to_owned());
            }
            check_label(behaviour, *label)
        }
        Kind::Wait { secs, jitter } => {
            check_expr(behaviour, secs, Type::Double)?;
            check_jitter(behaviour, jitter)
        }
        Kind::Emit { leaf, args } => {
            check_args(behaviour, *leaf, args, |kind| kind == LeafKind::Event)
        }
        Kind::Changed { .. } | Kind::OnChange { .. } | Kind::Scope { .. } | Kind::Log { .. } => {
            keys::check_kind(behaviour, kind)
        }
        Kind::Check { expr } => check_expr(behaviour, expr, Type::Bool),
        Kind::Cooldown { secs, .. }
        | Kind::Timeout { secs }
        | Kind::Delay { secs }
        | Kind::Chance { probability: secs } => check_expr(behaviour, secs, Type::Double),
        Kind::WeightedSelector { weights } => weights
            .iter()
            .try_for_each(|weight| check_test(behaviour, weight, Type::Double)),
        Kind::UtilitySelector {
            scores,
            policy,
            hysteresis,
            ..
        } => utility::check(behaviour, scores, *policy, hysteresis),
        Kind::Limit { runs, .. } => check_expr(behaviour, runs, Type::Int),
        Kind::Switch { cases, .. } | Kind::SubtreeBy { cases } => cases
            .iter()
            .try_for_each(|case| check_test(behaviour, case, Type::Bool)),
        Kind::Set { assigns } => check_assigns(behaviour, assigns),
        Kind::Unset { key } => match keys::check_writable(behaviour, *key)? {
            key if key.form.can_be_unset() => Ok(()),
            _ => Err("a key that always has a value".to_owned()),
        },
        Kind::ForEach {
            var,
            list,
            if_empty,
            max_runs,
        } => check_for_each(behaviour, *var, *list, *if_empty, *max_runs),
        Kind::UntilFailure { pace } | Kind::UntilSuccess { pace } => check_pace(*pace),
        Kind::Repeat { times, pace, .. } | Kind::Retry { times, pace, .. } => {
            check_pace(*pace)?;
            match times {
                Times::Forever => Ok(()),
                Times::Count(expr) => check_expr(behaviour, expr, Type::Int),
            }
        }
        Kind::Parallel {
            success, failure, ..
        } => [success, failure]
            .into_iter()
            .try_for_each(|threshold| check_threshold(*threshold, children)),
        Kind::ParallelAll { max_failures } => {
            check_threshold(Threshold::Count(*max_failures), children)
        }
        Kind::Succeed
        | Kind::Fail
        | Kind::Run
        | Kind::Sequence { .. }
        | Kind::Selector { .. }
        | Kind::StickySequence { .. }
        | Kind::ReactiveSequence
        | Kind::ReactiveSelector
        | Kind::Monitor
        | Kind::RandomSelector { .. }
        | Kind::RandomSequence { .. }
        | Kind::If
        | Kind::ReactiveIf
        | Kind::TryCatch { .. }
        | Kind::Invert
        | Kind::ForceSuccess { .. }
        | Kind::ForceFailure { .. }
        | Kind::SimpleParallel { .. }
        | Kind::KeepRunningUntilFailure
        | Kind::RunOnce { .. } => Ok(()),
    }
}

fn check_jitter(behaviour: &Behaviour, jitter: &Option<Expr>) -> Result<(), String> {
    jitter
        .iter()
        .try_for_each(|jitter| check_expr(behaviour, jitter, Type::Double))
}

fn check_pace(pace: Pace) -> Result<(), String> {
    if pace.max_runs == 0 {
        return Err("a loop that may not run once".to_owned());
    }
    Ok(())
}

fn check_label(behaviour: &Behaviour, label: LabelId) -> Result<(), String> {
    match behaviour.labels.get(label.index()) {
        Some(_) => Ok(()),
        None => Err("a label that is not there".to_owned()),
    }
}

/// Machines run inside of one another, and must not run out of stack.
fn check_machines(
    behaviour: &Behaviour,
    parent: Option<NodeId>,
    kind: &Kind,
) -> Result<(), String> {
    if !matches!(kind, Kind::Machine(_)) {
        return Ok(());
    }
    let above = std::iter::successors(parent, |node| behaviour.node(*node).parent);
    let is_machine = |node: &NodeId| matches!(behaviour.node(*node).kind, Kind::Machine(_));
    if above.filter(is_machine).count() >= machines::MAX_MACHINES {
        return Err(format!(
            "more than {} machines stand in one another",
            machines::MAX_MACHINES
        ));
    }
    Ok(())
}

/// What depends on the node above.
fn check_place(above: Option<&Kind>, kind: &Kind, guards: &Guards) -> Result<(), String> {
    if matches!(
        kind,
        Kind::Limit {
            per_parent: true,
            ..
        }
    ) && above.is_none()
    {
        return Err("nothing is above whose runs it could count in".to_owned());
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
    keys::check_local(behaviour, var)?;
    let (var, list) = (keys::find(behaviour, var)?, keys::find(behaviour, list)?);
    if !list.form.is_list() || var.form.is_list() || var.ty != list.ty {
        let (list, var) = (&list.name, &var.name);
        return Err(format!("`{list}` is no list of what `{var}` holds"));
    }
    if if_empty == Status::Running || max_runs == 0 {
        return Err("an answer or a number of runs that cannot be".to_owned());
    }
    Ok(())
}

fn check_assigns(behaviour: &Behaviour, assigns: &[Assign]) -> Result<(), String> {
    assigns.iter().try_for_each(|assign| {
        let key = keys::check_writable(behaviour, assign.key)?;
        if key.form.is_list() {
            return Err(format!(
                "`{}` is a list, which no statement writes",
                key.name
            ));
        }
        check_expr(behaviour, &assign.value, key.ty)
    })
}

fn check_guards(behaviour: &Behaviour, guards: &Guards, hooks: &Hooks) -> Result<(), String> {
    let Guards {
        fail_if,
        succeed_if,
        skip_if,
        while_holds,
        ..
    } = guards;
    [fail_if, succeed_if, skip_if, while_holds]
        .into_iter()
        .flatten()
        .try_for_each(|guard| check_test(behaviour, guard, Type::Bool))?;
    let Hooks {
        on_success,
        on_failure,
        on_abort,
        on_end,
    } = hooks;
    [on_success, on_failure, on_abort, on_end]
        .into_iter()
        .try_for_each(|assigns| check_assigns(behaviour, assigns))
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

fn check_args(
    behaviour: &Behaviour,
    leaf: LeafId,
    args: &[Arg],
    fits: impl FnOnce(LeafKind) -> bool,
) -> Result<(), String> {
    let leaf = behaviour
        .leaves
        .get(leaf.index())
        .ok_or("a leaf that is not there")?;
    if !fits(leaf.kind) {
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
        })
}
