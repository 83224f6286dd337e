//! The parts of a planner that continue when its document changes: goals and steps by their names.

use crate::behaviour::{Behaviour, Kind, Planner};
use crate::ids::NodeId;
use crate::program::Program;
use crate::program::op::PlannerOp;

/// A planner of the old program and the one that continues in its place.
#[derive(Clone, Debug)]
pub(crate) struct PlannerMatch {
    /// Their positions among the planners of the programs.
    pub(crate) old: usize,
    pub(crate) new: usize,
    /// For each old goal and step, the new one.
    pub(crate) goals: Vec<Option<u32>>,
    pub(crate) steps: Vec<Option<u8>>,
    /// Whether a search comes to the same in both, so that one in progress goes on.
    pub(crate) is_same: bool,
}

/// The planners of two nodes that match.
pub(super) fn matches(
    (old, new): (&Program, &Program),
    (old_node, new_node): (NodeId, NodeId),
) -> Vec<PlannerMatch> {
    let of = |program: &Program, node| -> Vec<usize> {
        let all = 0..program.code.planners.len();
        all.filter(|index| program.code.planners[*index].node == node)
            .collect()
    };
    let planner = |program: &Program, node| match &program.behaviour.node(node).kind {
        Kind::Planner(planner) => Some((**planner).clone()),
        _ => None,
    };
    let (Some(old_planner), Some(new_planner)) = (planner(old, old_node), planner(new, new_node))
    else {
        return Vec::new();
    };
    let (goals, steps) = same_names(&old_planner, &new_planner);
    let is_same = described(&old.behaviour, old_node) == described(&new.behaviour, new_node);
    let pairs = of(old, old_node).into_iter().zip(of(new, new_node));
    let pairs = pairs.map(|(old, new)| PlannerMatch {
        old,
        new,
        goals: goals.clone(),
        steps: steps.clone(),
        is_same,
    });
    pairs.collect()
}

fn same_names(old: &Planner, new: &Planner) -> (Vec<Option<u32>>, Vec<Option<u8>>) {
    let goals = old.goals.iter().map(|goal| {
        let there = new.goals.iter().position(|other| other.name == goal.name);
        there.map(|there| there as u32)
    });
    let steps = old.steps.iter().map(|step| {
        let there = new.steps.iter().position(|other| other.name == step.name);
        there.map(|there| there as u8)
    });
    (goals.collect(), steps.collect())
}

/// All that a planner and its steps say, with the names of keys in place of their numbers.
fn described(behaviour: &Behaviour, node: NodeId) -> String {
    let placed = behaviour.node(node);
    let mut text = format!("{:?}", placed.kind);
    for child in &placed.children {
        let child = behaviour.node(*child);
        text += &format!("{:?}{:?}", child.guards, child.hooks);
    }
    let mut named = String::new();
    let mut rest = &text[..];
    while let Some(at) = rest.find("Id(") {
        let (before, after) = rest.split_at(at + 3);
        named += before;
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = after[..digits].parse().unwrap_or(usize::MAX);
        if before.ends_with("KeyId(") {
            named += behaviour.keys().get(number).map_or("", |key| &key.name);
        } else if before.ends_with("EnumId(") {
            let values = behaviour.enums().get(number);
            named += &format!("{:?}", values.map(|list| &list.values));
        } else {
            named += &after[..digits];
        }
        rest = &after[digits..];
    }
    named + rest
}

impl PlannerMatch {
    /// The planners themselves.
    pub(crate) fn ops<'p>(
        &self,
        (old, new): (&'p Program, &'p Program),
    ) -> (&'p PlannerOp, &'p PlannerOp) {
        (&old.code.planners[self.old], &new.code.planners[self.new])
    }
}
