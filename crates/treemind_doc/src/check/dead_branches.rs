//! Branches of a `parallel` that end and are not run again, beside one that never ends.

use super::children::present_children;
use super::tree::About;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::Word;
use crate::said;
use crate::syntax::Node;
use treemind_core::Kind;
use treemind_core::behaviour::{Leaf, LeafKind, Life, Statuses, Threshold, Times};

/// What a node does, as far as this tells whether its author wants it to run again: a set of flags, because there are
/// millions of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work(u8);

impl Work {
    /// It has an action run.
    const ACTS: u8 = 1;
    /// It may be meant to go on until something else ends it, or its run is meant to be the only one.
    const MAY_STAY: u8 = 2;
    /// It begins with a wait, so it is a timer: something that happens once, later.
    const TIMER: u8 = 4;
    /// It does nothing but run.
    const PLUG: u8 = 8;

    /// Of what nothing is known, such as a tree that is not in its place yet.
    pub(super) const UNKNOWN: Work = Work(Self::ACTS | Self::MAY_STAY);

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    fn with(self, flag: u8) -> Self {
        Self(self.0 | flag)
    }

    fn staying_if(self, stays: bool) -> Self {
        let rest = self.0 & !Self::MAY_STAY;
        Self(if stays { rest | Self::MAY_STAY } else { rest })
    }

    /// What a node of a kind does, with these children.
    pub(super) fn of(kind: &Kind, children: &[About], leaves: &[Leaf]) -> Self {
        let below = || children.iter().map(|child| child.work);
        let all = below().fold(Work(0), |all, child| {
            all.with(child.0 & (Self::ACTS | Self::MAY_STAY))
        });
        let is_timer = below().next().is_some_and(|first| first.has(Self::TIMER));
        let all = if is_timer { all.with(Self::TIMER) } else { all };
        match kind {
            Kind::Action { leaf, .. } => {
                let life = Life::Instant;
                let is_instant = leaves[leaf.index()].kind == LeafKind::Action { life };
                all.with(Self::ACTS).staying_if(!is_instant)
            }
            Kind::Own { .. } | Kind::Machine(_) => Self::UNKNOWN,
            Kind::Run => Work(Self::MAY_STAY | Self::PLUG),
            Kind::Wait { .. } | Kind::Delay { .. } | Kind::Received { waits: true, .. } => {
                all.with(Self::TIMER)
            }
            // Steps: all but the last are meant to end, and an author who has several means them to be gone through.
            Kind::Sequence { .. } | Kind::StickySequence { .. } | Kind::RandomSequence { .. } => {
                let is_gone_through = below().filter(|child| child.has(Self::ACTS)).count() > 1;
                let stays = below()
                    .next_back()
                    .is_some_and(|last| last.has(Self::MAY_STAY));
                all.staying_if(stays && !is_gone_through)
            }
            // One run is what they are for.
            Kind::RunOnce { .. } | Kind::Limit { .. } => all.with(Self::MAY_STAY),
            Kind::Timeout { .. }
            | Kind::Repeat {
                times: Times::Count(_) | Times::Reread(_),
                ..
            }
            | Kind::Retry {
                times: Times::Count(_) | Times::Reread(_),
                ..
            } => all.staying_if(false),
            _ => all,
        }
    }
}

/// Warns of the first branch that acts, ends, and is not run again as long as the node runs, because another branch
/// never succeeds, and the node cannot succeed without it.
pub(super) fn judge(
    node: &Node,
    word: &'static Word,
    kind: &Kind,
    children: &[About],
    sink: &mut Sink,
) {
    let needed = match kind {
        Kind::Parallel {
            success, judging, ..
        } if !judging.repeat_finished => match *success {
            Threshold::All => children.len(),
            Threshold::Count(count) => count as usize,
            Threshold::AllBut(_) | Threshold::Exactly(_) => return,
        },
        Kind::ParallelAll { .. } => children.len(),
        _ => return,
    };
    if sink.is_foreign() {
        return;
    }
    let endless: Vec<usize> = (0..children.len())
        .filter(|&index| is_endless(&children[index]))
        .collect();
    let Some(first) = endless
        .first()
        .filter(|_| needed > children.len() - endless.len())
    else {
        return;
    };
    let nodes = present_children(node, word);
    let dead =
        (0..children.len()).find(|index| !endless.contains(index) && ends(&children[*index]));
    let (Some(dead), Some(endless)) = (dead.and_then(|dead| nodes.get(dead)), nodes.get(*first))
    else {
        return;
    };
    let (parallel, other) = (&node.name.value, &endless.name.value);
    let message = said!(
        "when this has succeeded, it does not run again: its `{}` goes on as long as the `{}` beside it, which never succeeds",
        parallel,
        other
    );
    sink.warning(Code::NotRunAgain, dead.name.span.clone(), message)
        .with_help(said!("wrap it in `forever { … }` to run it again and again, or write `parallel repeat-finished={}`; if once is enough, say so with `allow=\"{}\"`", "#true", Code::NotRunAgain));
}

/// Whether it never succeeds, and is no condition that only watches over the others.
fn is_endless(child: &About) -> bool {
    let answers = child.known.answers;
    let may_fail = answers.has(Statuses::FAILURE);
    answers.has(Statuses::RUNNING)
        && !answers.has(Statuses::SUCCESS | Statuses::SKIPPED)
        && !child.work.has(Work::PLUG)
        && (child.work.has(Work::ACTS) || !may_fail)
}

/// Whether it ends, and nothing says that once is enough.
fn ends(child: &About) -> bool {
    let work = child.work;
    child.known.answers.has(Statuses::SUCCESS)
        && work.has(Work::ACTS)
        && !work.has(Work::MAY_STAY)
        && !work.has(Work::TIMER)
}
