//! The rules that continue when their document changes: those of the same name.

use super::{Columns, Holding};
use crate::behaviour::{Kind, Rule};
use crate::ids::NodeId;
use crate::program::Program;

/// The columns of the rules of two nodes that match: whether each held when it was last looked at, and until when it
/// cools. Rules without a partner are as in a new agent.
pub(super) fn pairs(
    (old, new): (&Program, &Program),
    (old_node, new_node): (NodeId, NodeId),
    (here, there): (&Holding, &Holding),
) -> Columns {
    let mut columns = Columns::default();
    let (was, is) = (rules(old, old_node), rules(new, new_node));
    for (number, rule) in was.iter().enumerate() {
        let Some(other) = is.iter().position(|other| other.name == rule.name) else {
            continue;
        };
        let held = [held(old, old_node, number), held(new, new_node, other)];
        if let [Some(from), Some(to)] = held {
            columns.bits.push((from, to));
        }
        // There is one for each rule, in their order, and the node has no others.
        let until = (here.wide.get(number), there.wide.get(other));
        if let (Some((_, from)), Some((_, to))) = until {
            columns.wide.push((*from, *to));
        }
    }
    columns
}

fn rules(program: &Program, node: NodeId) -> &[Rule] {
    match &program.behaviour.node(node).kind {
        Kind::Rules { rules, .. } => rules,
        _ => &[],
    }
}

/// The column of bits of a rule.
fn held(program: &Program, node: NodeId, number: usize) -> Option<u32> {
    let mut looks = program.code.rules.iter();
    let look = looks.find(|look| look.node == node && look.number as usize == number)?;
    Some(look.held)
}
