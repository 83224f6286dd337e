//! The parts of a planner that continue when its document changes: goals and steps by their names.

use crate::behaviour::{Kind, Planner};
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
    let pairs = of(old, old_node).into_iter().zip(of(new, new_node));
    let pairs = pairs.map(|(old, new)| PlannerMatch {
        old,
        new,
        goals: goals.clone(),
        steps: steps.clone(),
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

impl PlannerMatch {
    /// The planners themselves.
    pub(crate) fn ops<'p>(
        &self,
        (old, new): (&'p Program, &'p Program),
    ) -> (&'p PlannerOp, &'p PlannerOp) {
        (&old.code.planners[self.old], &new.code.planners[self.new])
    }
}
