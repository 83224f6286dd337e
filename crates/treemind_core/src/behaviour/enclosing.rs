//! Checks of nodes that refer to the machine around them, and of the nesting of machines.

use super::{Behaviour, Guards, Hooks, Kind, Machine, machines};
use crate::expr::Expr;
use crate::ids::NodeId;

/// Checks that a node that refers to the machine around it is inside one, and that the states that it asks about exist.
pub(super) fn check(
    behaviour: &Behaviour,
    parent: Option<NodeId>,
    (kind, guards, hooks): (&Kind, &Guards, &Hooks),
) -> Result<(), String> {
    let above = std::iter::successors(parent, |node| behaviour.node(*node).parent);
    let mut enclosing = above.filter_map(|node| machine_of(&behaviour.node(node).kind));
    let innermost = enclosing.next();
    // Nested machines run recursively, and must not overflow the stack.
    let most = machines::MAX_MACHINES;
    if machine_of(kind).is_some() && enclosing.count() + 1 >= most && innermost.is_some() {
        return Err(format!("more than {most} machines are nested"));
    }
    if innermost.is_none() && matches!(kind, Kind::Send { .. } | Kind::Cancel { .. }) {
        return Err(format!("`{}` outside of machines", kind.keyword()));
    }
    let leaves_open = matches!(
        kind,
        Kind::StickySequence {
            leaves_open: true,
            ..
        } | Kind::OnChange {
            leaves_open: true,
            ..
        } | Kind::If {
            asks_again: true,
            ..
        }
    );
    if innermost.is_some() && leaves_open {
        return Err("what a node leaves open inside of a machine would be nobody's".to_owned());
    }
    let mut itself = Vec::new();
    kind.parts(&mut |part| part.for_each_expr(&mut |expr| itself.push(expr)));
    let outside = guards
        .exprs()
        .chain(hooks.assigns().map(|assign| &assign.value))
        .collect();
    match machine_of(kind) {
        // The tests of a machine refer to its own states; its guards could mean either machine, so they may not ask.
        Some(machine) => {
            check_states(itself, Some(machine))?;
            check_states(outside, None)
        }
        None => {
            check_states(itself, innermost)?;
            check_states(outside, innermost)
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
