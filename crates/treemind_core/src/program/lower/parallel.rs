//! The code of parallels and monitors.

use super::{Context, Lowering, mark_first, wrong_family};
use crate::behaviour::{Judging, Kind, Skips, Threshold};
use crate::ids::NodeId;
use crate::program::op::{
    ListEnd, Mark, Op, Out, Parallel, ParallelChild, Quorum, Reg, SkipTo, Slot,
};

impl Lowering<'_> {
    /// A node whose children continue side by side.
    pub(super) fn parallel_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        let children = &node.children[..];
        match &node.kind {
            Kind::Monitor => self.monitor(children, input, out, context),
            Kind::Parallel {
                success,
                failure,
                skips,
                judging,
            } => {
                let shape = (*success, *failure, *skips, *judging);
                self.parallel(children, shape, input, out, context);
            }
            Kind::ParallelAll { max_failures } => {
                self.parallel_all(children, *max_failures, input, out, context);
            }
            Kind::SimpleParallel { waits } => self.backed(id, *waits, input, out, context),
            other => wrong_family(other),
        }
    }

    pub(super) fn parallel(
        &mut self,
        children: &[NodeId],
        (success, failure, skips, judging): (Threshold, Threshold, Skips, Judging),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let count = children.len() as u32;
        let needed = |threshold| match threshold {
            Threshold::All => count,
            Threshold::AllBut(spare) => count - spare,
            Threshold::Count(needed) | Threshold::Exactly(needed) => needed,
        };
        let quorum = |threshold| match (threshold, skips) {
            (Threshold::Count(needed), _) => Quorum::Count(needed),
            (Threshold::Exactly(needed), _) => Quorum::Exactly(needed),
            (Threshold::All | Threshold::AllBut(_), Skips::Absent) => {
                Quorum::Present(needed(threshold))
            }
            (Threshold::All | Threshold::AllBut(_), Skips::AbsentEvenAll) => {
                Quorum::PresentEvenNone(needed(threshold))
            }
            (Threshold::All | Threshold::AllBut(_), Skips::Pending) => {
                Quorum::Count(needed(threshold))
            }
        };
        let shape = ParallelShape {
            success: quorum(success),
            failure: quorum(failure),
            spare_failures: if judging.repeat_finished {
                u32::MAX - 1
            } else {
                count - needed(success)
            },
            to_the_end: None,
            watched: false,
            judging,
        };
        self.side_by_side(children, shape, input, out, context);
    }

    pub(super) fn parallel_all(
        &mut self,
        children: &[NodeId],
        max_failures: u32,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let shape = ParallelShape {
            success: Quorum::Count(0),
            failure: Quorum::Count(0),
            spare_failures: 0,
            to_the_end: Some(max_failures),
            watched: false,
            judging: Judging::default(),
        };
        self.side_by_side(children, shape, input, out, context);
    }

    pub(super) fn watched_parallel(
        &mut self,
        children: &[NodeId],
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let watched = |child: &&NodeId| self.known(**child).watched;
        let tasks = (children.len() - children.iter().filter(watched).count()) as u32;
        let shape = ParallelShape {
            success: Quorum::Present(tasks),
            failure: Quorum::Count(1),
            spare_failures: 0,
            to_the_end: None,
            watched: true,
            judging: Judging::default(),
        };
        self.side_by_side(children, shape, input, out, context);
    }

    fn side_by_side(
        &mut self,
        children: &[NodeId],
        shape: ParallelShape,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let is_task =
            |lowering: &Self, child: NodeId| !(shape.watched && lowering.known(child).watched);
        let tasks = children
            .iter()
            .filter(|child| is_task(self, **child))
            .count() as u32;
        // Enough bits for the number of children.
        let planes = usize::BITS - children.len().leading_zeros();
        let [current, all_skipped] = std::array::from_fn(|_| self.register());
        let counts = std::array::from_fn(|_| {
            let first = self.register();
            (1..planes).for_each(|_| {
                self.register();
            });
            first
        });
        let index = self.code.parallels.len() as u32;
        let repeats = shape.judging.repeat_finished;
        let between = repeats.then(|| self.slot(Slot::Quiet, "goes_on_next_tick"));
        self.code.ops.push(Op::ParallelBegin(index));
        self.code.parallels.push(Parallel {
            places: Vec::new(),
            watching: shape.watched,
            input,
            current,
            all_skipped,
            counts,
            planes,
            success: shape.success,
            failure: shape.failure,
            spare_failures: shape.spare_failures,
            to_the_end: shape.to_the_end,
            at_end: shape.judging.at_end,
            between,
            tasks,
            children: Vec::new(),
            reach: context.reach,
            drop: context.drop,
            out,
        });
        let start = self.next_slot();
        let mut placed = Vec::with_capacity(children.len());
        let mut places = Vec::with_capacity(children.len() * 2 + 1);
        for (number, &child) in children.iter().enumerate() {
            let child_number = number as u32;
            places.push(self.code.ops.len() as u32);
            self.code.ops.push(Op::ParallelEnter {
                parallel: index,
                child: child_number,
            });
            let [input, success, failure, skipped]: [Reg; 4] =
                std::array::from_fn(|_| self.register());
            let task = is_task(self, child);
            let inner = Context {
                reach: context.reach,
                observed: context.observed && task,
                drop: false,
            };
            let answers = Out {
                success,
                failure,
                skipped: SkipTo::plain(skipped),
            };
            self.node(child, input, answers, inner);
            let done = (task && !repeats).then(|| {
                ["child_succeeded", "child_failed"].map(|name| self.slot(Slot::Quiet, name))
            });
            placed.push(ParallelChild {
                input,
                success,
                failure,
                skipped,
                is_task: task,
                done,
                upto: self.range_from(start),
            });
            places.push(self.code.ops.len() as u32);
            self.code.ops.push(Op::ParallelCheck {
                parallel: index,
                child: child_number,
            });
        }
        places.push(self.code.ops.len() as u32);
        self.code.parallels[index as usize].children = placed;
        self.code.parallels[index as usize].places = places;
        self.code.ops.push(Op::ParallelEnd(index));
    }

    pub(super) fn monitor(&mut self, children: &[NodeId], input: Reg, out: Out, context: Context) {
        let (&task, conditions) = children.split_last().expect("a monitor has children");
        let plain = |id: &NodeId| {
            let node = self.behaviour.node(*id);
            node.guards.is_empty()
                && node.hooks.is_empty()
                && matches!(
                    self.behaviour.node(*id).kind,
                    Kind::Condition { .. } | Kind::Check { .. }
                )
        };
        if conditions.is_empty() && !self.known(task).watched {
            self.node(task, input, out, context);
        } else if conditions.iter().all(plain) && !self.known(task).watched {
            self.wired_monitor(conditions, task, input, out, context);
        } else {
            self.watched_parallel(children, input, out, context);
        }
    }

    /// Plain conditions before one task. This is like a reactive sequence, but a condition that runs does not stop it,
    /// and a skipped task counts as done unless everything was skipped.
    fn wired_monitor(
        &mut self,
        conditions: &[NodeId],
        task: NodeId,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let tracked =
            self.known(task).skips() && conditions.iter().all(|child| self.known(*child).skips());
        let mark = if tracked {
            Mark::Reg(self.register())
        } else {
            Mark::None
        };
        let mut child_input = input;
        for (index, &child) in conditions.iter().enumerate() {
            let next = self.register();
            let unskip = tracked && index > 0;
            let onward = if unskip { self.register() } else { next };
            let answers = Out {
                success: onward,
                failure: out.failure,
                skipped: SkipTo {
                    to: next,
                    mark: mark_first(mark, index),
                },
            };
            self.watched_leaf(child, child_input, answers, onward, context);
            if unskip {
                self.code.ops.push(Op::Unskip {
                    from: onward,
                    to: next,
                    mark,
                });
            }
            child_input = next;
        }
        let skipped = if tracked {
            self.register()
        } else {
            out.success
        };
        let inner = Context {
            drop: !tracked,
            ..context
        };
        let answers = Out {
            skipped: SkipTo::plain(skipped),
            ..out
        };
        let range = self.node(task, child_input, answers, inner);
        if tracked {
            self.list_end(ListEnd {
                go: Reg::NONE,
                stop: Reg::NONE,
                skipped,
                mark,
                sticky: None,
                close: range,
                keep_open: !context.drop,
                out_go: out.success,
                out_stop: Reg::NONE,
                out_skipped: out.skipped,
            });
        }
    }

    /// A condition or check; after the answer running, agents continue as after success.
    fn watched_leaf(&mut self, id: NodeId, input: Reg, out: Out, running: Reg, context: Context) {
        match &self.behaviour.node(id).kind {
            Kind::Condition {
                leaf,
                args,
                negated,
            } => {
                let inner = Context {
                    observed: false,
                    ..context
                };
                self.condition(id, (*leaf, args, *negated), input, (out, running), inner);
            }
            _ => {
                self.node(id, input, out, context);
            }
        }
    }
}

struct ParallelShape {
    success: Quorum,
    failure: Quorum,
    /// How many failures there may be before success can no longer be met.
    spare_failures: u32,
    /// The parallel is judged only at its end, and fails with this many failures.
    to_the_end: Option<u32>,
    /// Children that contain only conditions are asked every tick and do not count.
    watched: bool,
    judging: Judging,
}
