//! Nodes of the host that every program knows: those of the navigation stack of ROS 2, and of BehaviorTree.CPP.

use super::{Behaviour, Kind};
use crate::ids::NodeId;

/// A node of the host that stands for one which is built in elsewhere, and is known by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Recovery,
    Pipeline,
    RoundRobin,
    Nonblocking,
    Persistent,
    PauseResume,
    Rate,
    SingleTrigger,
    GoalUpdated,
    Parallel,
    ParallelAll,
    RunOnce,
}

impl Known {
    /// Which of them a node is.
    pub(crate) fn of(behaviour: &Behaviour, node: NodeId) -> Option<Self> {
        match behaviour.node(node).kind {
            Kind::Own { leaf, .. } => Known::named(&behaviour.leaf(leaf).name),
            _ => None,
        }
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "RecoveryNode" => Known::Recovery,
            "PipelineSequence" => Known::Pipeline,
            "RoundRobin" => Known::RoundRobin,
            "NonblockingSequence" => Known::Nonblocking,
            "PersistentSequence" => Known::Persistent,
            "PauseResumeController" => Known::PauseResume,
            "RateController" => Known::Rate,
            "SingleTrigger" => Known::SingleTrigger,
            "GoalUpdatedController" => Known::GoalUpdated,
            "Parallel" => Known::Parallel,
            "ParallelAll" => Known::ParallelAll,
            "RunOnce" => Known::RunOnce,
            _ => return None,
        })
    }

    /// Whether its children keep their memory when they have ended, as long as it runs.
    pub(crate) fn keeps_children(self) -> bool {
        matches!(self, Known::Pipeline | Known::Nonblocking)
    }
}
