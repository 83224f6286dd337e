//! The checks of [`Behaviour::new`](super::Behaviour::new), and the numbering of nodes.

use super::{
    Arg, Behaviour, Enum, Guards, Hooks, Kind, LeafKind, LogPart, Node, Param, Parts, PlacedNode,
    Threshold, Times, keys,
};
use crate::expr::{Assign, Expr};
use crate::ids::{LeafId, NodeId};
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
        root,
    } = parts;
    let mut behaviour = Behaviour {
        name,
        enums,
        keys,
        leaves,
        nodes: Vec::new(),
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
        let checked = check_children(&kind, &children)
            .and_then(|()| check_kind(&behaviour, &kind, children.len()))
            .and_then(|()| check_guards(&behaviour, &guards, &hooks));
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
        if key.default.ty() != key.ty || !value_exists(&parts.enums, key.default) {
            return Err(error(format!(
                "the default of key `{}` is not of its type",
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
    for leaf in &parts.leaves {
        if !names.insert(&leaf.name) {
            return Err(error(format!("two leaves are named `{}`", leaf.name)));
        }
        for Param {
            name, ty, default, ..
        } in &leaf.params
        {
            let fits =
                default.is_none_or(|value| value.ty() == *ty && value_exists(&parts.enums, value));
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
    Ok(())
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
        Kind::Emit { leaf, args } => {
            check_args(behaviour, *leaf, args, |kind| kind == LeafKind::Event)
        }
        Kind::Changed { key } | Kind::OnChange { key, .. } => {
            keys::find(behaviour, *key).map(|_| ())
        }
        Kind::Scope { keys } => keys
            .iter()
            .try_for_each(|key| keys::check_local(behaviour, *key)),
        Kind::Log { text } => text.iter().try_for_each(|part| match part {
            LogPart::Text(_) => Ok(()),
            LogPart::Key(key) => keys::find(behaviour, *key).map(|_| ()),
        }),
        Kind::Check { expr } => check_expr(behaviour, expr, Type::Bool),
        Kind::Wait { secs }
        | Kind::Cooldown { secs, .. }
        | Kind::Timeout { secs }
        | Kind::Delay { secs }
        | Kind::Chance { probability: secs } => check_expr(behaviour, secs, Type::Double),
        Kind::WeightedSelector { weights } => weights
            .iter()
            .try_for_each(|weight| check_expr(behaviour, weight, Type::Double)),
        Kind::Limit { runs } => check_expr(behaviour, runs, Type::Int),
        Kind::Switch { cases, .. } => cases
            .iter()
            .try_for_each(|case| check_expr(behaviour, case, Type::Bool)),
        Kind::Set { assigns } => check_assigns(behaviour, assigns),
        Kind::Repeat { times, .. } | Kind::Retry { times, .. } => match times {
            Times::Forever => Ok(()),
            Times::Count(expr) => check_expr(behaviour, expr, Type::Int),
        },
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
        | Kind::ForceSuccess
        | Kind::ForceFailure
        | Kind::UntilFailure { .. }
        | Kind::UntilSuccess { .. }
        | Kind::KeepRunningUntilFailure
        | Kind::RunOnce { .. } => Ok(()),
    }
}

fn check_assigns(behaviour: &Behaviour, assigns: &[Assign]) -> Result<(), String> {
    assigns.iter().try_for_each(|assign| {
        let key = keys::check_writable(behaviour, assign.key)?;
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
        .try_for_each(|guard| check_expr(behaviour, guard, Type::Bool))?;
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
                if value.ty() == param.ty && value_exists(&behaviour.enums, *value) =>
            {
                Ok(())
            }
            Arg::Value(_) => Err(format!("parameter `{}` is not of its type", param.name)),
            Arg::Expr(expr) => check_expr(behaviour, expr, param.ty),
        })
}

fn check_expr(behaviour: &Behaviour, expr: &Expr, wanted: Type) -> Result<(), String> {
    // Walked with a stack of our own: depth is what is being checked.
    let mut pending = vec![(expr, Some(wanted), 0)];
    while let Some((expr, wanted, depth)) = pending.pop() {
        if depth >= MAX_DEPTH {
            return Err(format!("an expression is nested deeper than {MAX_DEPTH}"));
        }
        if let Expr::Call(func, args) = expr
            && args.len() != func.arity()
        {
            return Err(format!(
                "`{}` takes {} arguments",
                func.name(),
                func.arity()
            ));
        }
        let ty = expr.ty();
        if wanted.is_some_and(|wanted| wanted != ty) {
            return Err(format!(
                "an expression is `{ty}`, not `{}`",
                wanted.unwrap_or(ty)
            ));
        }
        let mut push = |inner, wanted| pending.push((inner, wanted, depth + 1));
        match expr {
            Expr::Value(value) if !value_exists(&behaviour.enums, *value) => {
                return Err("a value that its enumeration does not have".to_owned());
            }
            Expr::Value(_) => {}
            Expr::Key(key, ty) => {
                if behaviour.keys.get(key.index()).map(|key| key.ty) != Some(*ty) {
                    return Err("a key that is not there, or of another type".to_owned());
                }
            }
            Expr::Not(inner) => push(&**inner, Some(Type::Bool)),
            Expr::And(left, right) | Expr::Or(left, right) => {
                push(&**left, Some(Type::Bool));
                push(&**right, Some(Type::Bool));
            }
            Expr::If(cond, then, other) => {
                push(&**cond, Some(Type::Bool));
                push(&**then, Some(then.ty()));
                push(&**other, Some(then.ty()));
            }
            Expr::Neg(inner) => push(&**inner, Some(number(inner.ty())?)),
            Expr::Arith(_, left, right) => {
                let ty = number(left.ty())?;
                push(&**left, Some(ty));
                push(&**right, Some(ty));
            }
            Expr::Compare(op, left, right) => {
                use crate::expr::Compare::{Eq, Ne};
                let ty = if matches!(op, Eq | Ne) {
                    left.ty()
                } else {
                    number(left.ty())?
                };
                push(&**left, Some(ty));
                push(&**right, Some(ty));
            }
            Expr::Between(value, low, high) => {
                let ty = number(value.ty())?;
                for inner in [value, low, high] {
                    push(&**inner, Some(ty));
                }
            }
            Expr::Widen(to, inner) => {
                if !inner.ty().widens_to(*to) {
                    return Err(format!("`{}` does not widen to `{to}`", inner.ty()));
                }
                push(&**inner, None);
            }
            Expr::Call(func, args) => {
                let first = number(args[0].ty())?;
                if first == Type::Int && !func.takes_int() {
                    return Err(format!("`{}` takes floats and doubles", func.name()));
                }
                for inner in args {
                    push(inner, Some(first));
                }
            }
        }
    }
    Ok(())
}

fn number(ty: Type) -> Result<Type, String> {
    if ty.is_number() {
        Ok(ty)
    } else {
        Err(format!("`{ty}` is not a number"))
    }
}
