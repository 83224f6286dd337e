//! What lowering asks of a tree before it emits code.

use crate::behaviour::{Behaviour, Decision, Kind, LeafKind, Life};
use crate::ids::NodeId;
use crate::status::Status;

/// What a node may do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answers {
    /// It may answer skipped.
    pub(super) skips: bool,
    /// It may answer skipped and leave something open.
    pub(super) stays_open: bool,
    /// It may end and leave something running.
    pub(super) loose: bool,
    /// It holds nothing but conditions: a monitor asks it every tick.
    pub(super) watched: bool,
}

/// The answers for every node, children before parents, so that nothing recurses.
pub(super) fn ask(behaviour: &Behaviour) -> Vec<Answers> {
    let mut answers = vec![Answers::default(); behaviour.nodes().len()];
    for (index, node) in behaviour.nodes().iter().enumerate().rev() {
        let children = |test: fn(&Answers) -> bool, any: bool| {
            let mut results = node
                .children
                .iter()
                .map(|child: &NodeId| test(&answers[child.index()]));
            if any {
                results.any(|holds| holds)
            } else {
                results.all(|holds| holds)
            }
        };
        let all_skip = children(|child| child.skips, false);
        let any_open = children(|child| child.stays_open, true);
        let any_skips = children(|child| child.skips, true);
        let any_loose = children(|child| child.loose, true);
        let all_watched = children(|child| child.watched, false);
        let draws_again = matches!(
            node.kind,
            Kind::RandomSelector { replacement: true } | Kind::RandomSequence { replacement: true }
        );
        answers[index] = match &node.kind {
            Kind::Condition { .. } => Answers {
                skips: true,
                stays_open: false,
                watched: true,
                ..Answers::default()
            },
            Kind::Action { leaf, .. } => Answers {
                skips: true,
                stays_open: behaviour.leaf(*leaf).kind
                    != LeafKind::Action {
                        life: Life::Instant,
                    },
                watched: false,
                ..Answers::default()
            },
            Kind::Check { .. } | Kind::Changed { .. } | Kind::Succeed | Kind::Fail | Kind::Run => {
                Answers {
                    skips: false,
                    stays_open: false,
                    watched: true,
                    ..Answers::default()
                }
            }
            Kind::Set { .. }
            | Kind::Unset { .. }
            | Kind::Wait { .. }
            | Kind::Interrupt { .. }
            | Kind::Log { .. }
            | Kind::Emit { .. }
            | Kind::Send { .. }
            | Kind::Cancel { .. }
            | Kind::Machine(_) => Answers::default(),
            // What a host decides may be anything.
            Kind::Own { .. } => Answers {
                skips: true,
                stays_open: true,
                watched: false,
                ..Answers::default()
            },
            Kind::SimpleParallel { .. } => Answers {
                skips: answers[node.children[0].index()].skips,
                stays_open: answers[node.children[0].index()].skips,
                watched: false,
                ..Answers::default()
            },
            Kind::ForEach { if_empty, .. } => Answers {
                skips: *if_empty == Status::Skipped,
                stays_open: false,
                watched: false,
                ..Answers::default()
            },
            Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::StickySequence { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector
            | Kind::RandomSelector { .. }
            | Kind::RandomSequence { .. }
            | Kind::WeightedSelector { .. }
            | Kind::UtilitySelector { .. } => Answers {
                skips: all_skip && !draws_again,
                stays_open: false,
                watched: all_watched,
                ..Answers::default()
            },
            Kind::TryCatch { on_abort } => {
                let (_, tried) = node
                    .children
                    .split_last()
                    .expect("a try-catch has children");
                let skips = tried.iter().all(|child| answers[child.index()].skips);
                Answers {
                    skips,
                    stays_open: skips && *on_abort,
                    watched: all_watched,
                    ..Answers::default()
                }
            }
            Kind::If => Answers {
                skips: any_skips,
                stays_open: answers[node.children[0].index()].stays_open,
                watched: all_watched,
                ..Answers::default()
            },
            Kind::ReactiveIf => Answers {
                skips: any_skips,
                stays_open: any_skips,
                watched: all_watched,
                ..Answers::default()
            },
            Kind::Decide(decision) => Answers {
                skips: leaves_skip(decision, &node.children, &answers),
                ..Answers::default()
            },
            Kind::Switch { .. } | Kind::SubtreeBy { .. } => Answers {
                skips: any_skips,
                stays_open: false,
                watched: all_watched,
                ..Answers::default()
            },
            Kind::Monitor
            | Kind::Parallel { .. }
            | Kind::ParallelAll { .. }
            | Kind::Invert
            | Kind::ForceSuccess { .. }
            | Kind::ForceFailure { .. } => Answers {
                skips: all_skip,
                stays_open: all_skip && any_open,
                watched: all_watched,
                ..Answers::default()
            },
            Kind::KeepRunningUntilFailure => Answers::default(),
            Kind::RunOnce { then_skip } => Answers {
                skips: all_skip || *then_skip,
                stays_open: any_open,
                watched: false,
                ..Answers::default()
            },
            Kind::Cooldown { else_skipped, .. } => Answers {
                skips: all_skip || *else_skipped,
                stays_open: any_open,
                watched: false,
                ..Answers::default()
            },
            Kind::OnChange { else_running, .. } => Answers {
                skips: all_skip || !*else_running,
                stays_open: any_open,
                watched: false,
                ..Answers::default()
            },
            Kind::Interruptible { .. }
            | Kind::Service { .. }
            | Kind::Semaphore { .. }
            | Kind::Scope { .. }
            | Kind::Limit { .. }
            | Kind::Timeout { .. }
            | Kind::Delay { .. }
            | Kind::Chance { .. } => Answers {
                skips: all_skip,
                stays_open: any_open,
                watched: false,
                ..Answers::default()
            },
            Kind::UntilFailure { .. }
            | Kind::UntilSuccess { .. }
            | Kind::Repeat { .. }
            | Kind::Retry { .. } => Answers {
                skips: all_skip,
                stays_open: all_skip,
                watched: false,
                ..Answers::default()
            },
        };
        answers[index].loose = match node.kind {
            Kind::ForceSuccess { even_running } | Kind::ForceFailure { even_running } => {
                even_running || any_loose
            }
            // Composites close what is loose in them.
            _ => !node.kind.facts().family.is_composite() && any_loose,
        };
        let guards = &node.guards;
        if guards.skip_if.is_some() || guards.while_holds.is_some() {
            answers[index].skips = true;
        }
    }
    answers
}

/// Whether what a decision tree leads to may be skipped; that is then dropped.
fn leaves_skip(decision: &Decision, children: &[NodeId], answers: &[Answers]) -> bool {
    let asked = decision.asked(children.len());
    let mut leaves = children.iter().zip(asked).filter(|(_, asked)| !asked);
    leaves.any(|(leaf, _)| answers[leaf.index()].skips)
}

pub(super) fn same(behaviour: &Behaviour) -> Vec<crate::behaviour::Summary> {
    let new = behaviour.summaries();
    for ((index, old), new) in ask(behaviour).iter().enumerate().zip(&new) {
        let node = &behaviour.nodes()[index];
        assert!(old.skips || !new.skips(), "{old:?} {new:?} {node:?}");
        let [a, b] = [
            (old.stays_open, old.loose, old.watched),
            (new.stays_open, new.loose, new.watched),
        ];
        if a != b {
            eprintln!("DIFFERS {old:?} {new:?} {:?}", node.kind);
        }
        assert!(
            a.0 == b.0 || new.stays_open == false,
            "{old:?} {new:?} {node:?}"
        );
        assert_eq!((a.1, a.2), (b.1, b.2), "{node:?}");
    }
    new
}
