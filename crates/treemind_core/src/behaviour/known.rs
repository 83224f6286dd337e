//! Nodes of the host that every program knows: those of the navigation stack of ROS 2, of
//! MoveIt Pro, and of BehaviorTree.CPP.

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
    Distance,
    Speed,
    GoalUpdater,
    PathLonger,
    ForEach,
    RepeatEachTick,
    LoopInt,
    LoopBool,
    LoopDouble,
    LoopString,
    Parallel,
    ParallelAll,
    RunOnce,
}

impl Known {
    /// All of them, by their names.
    const ALL: [(&'static str, Self); 22] = [
        ("RecoveryNode", Known::Recovery),
        ("PipelineSequence", Known::Pipeline),
        ("RoundRobin", Known::RoundRobin),
        ("NonblockingSequence", Known::Nonblocking),
        ("PersistentSequence", Known::Persistent),
        ("PauseResumeController", Known::PauseResume),
        ("RateController", Known::Rate),
        ("SingleTrigger", Known::SingleTrigger),
        ("GoalUpdatedController", Known::GoalUpdated),
        ("DistanceController", Known::Distance),
        ("SpeedController", Known::Speed),
        ("GoalUpdater", Known::GoalUpdater),
        ("PathLongerOnApproach", Known::PathLonger),
        ("ForEach", Known::ForEach),
        ("RepeatUnlessFailureEachTick", Known::RepeatEachTick),
        ("LoopInt", Known::LoopInt),
        ("LoopBool", Known::LoopBool),
        ("LoopDouble", Known::LoopDouble),
        ("LoopString", Known::LoopString),
        ("Parallel", Known::Parallel),
        ("ParallelAll", Known::ParallelAll),
        ("RunOnce", Known::RunOnce),
    ];

    /// The names of all.
    pub(crate) const NAMES: [&'static str; 22] = {
        let mut names = [""; 22];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].0;
            at += 1;
        }
        names
    };

    /// Which of them a node is.
    pub(crate) fn of(behaviour: &Behaviour, node: NodeId) -> Option<Self> {
        match behaviour.node(node).kind {
            Kind::Own { leaf, .. } => {
                let leaf = behaviour.leaf(leaf);
                let known = Known::named(&leaf.name)?;
                // Others have a `ForEach`, too.
                let is_theirs = leaf.params.iter().any(|param| param.name == "vector_in");
                (known != Known::ForEach || is_theirs).then_some(known)
            }
            _ => None,
        }
    }

    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, known)| *known)
    }

    /// Whether its children keep their memory when they have ended, as long as it runs.
    pub(crate) fn keeps_children(self) -> bool {
        matches!(self, Known::Pipeline | Known::Nonblocking)
    }
}
