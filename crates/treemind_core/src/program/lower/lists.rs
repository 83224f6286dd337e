//! The code of sequences and selectors, with and without memory, of monitors that can be wired like them, and of
//! random selectors.

use super::{Context, Lowering, Side, mark_first};
use crate::behaviour::Kind;
use crate::ids::NodeId;
use crate::program::op::{
    ListEnd, Mark, Op, Out, Random, RandomChild, Range, Reach, Reg, Resume, ResumeChild, SkipTo,
};

impl Lowering<'_> {
    /// `go` is the answer that goes on to the next child.
    pub(super) fn memory_list(
        &mut self,
        children: &[NodeId],
        go: Side,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        if let [only] = children {
            let context = Context {
                drop: true,
                ..context
            };
            self.node(*only, input, out, context);
            return;
        }
        let last = children.len() - 1;
        let tracked = children.iter().all(|child| self.answers(*child).skips);
        let may_hold = |lowering: &Self, child: NodeId| lowering.answers(child).stays_open;
        let closes = children[..last].iter().any(|child| may_hold(self, *child));
        let mark = if tracked {
            Mark::Bits(self.run.add_bits())
        } else {
            Mark::None
        };
        let start = self.next_slot();
        let resume = self.code.resumes.len();
        self.code.resumes.push(Resume {
            children: Vec::new(),
            mark,
        });
        self.code.ops.push(Op::Resume {
            input,
            resume: resume as u32,
        });
        // Where agents go that end the list: straight out, or through a `ListEnd`.
        let own = |lowering: &mut Self, wanted: bool, direct: Reg| {
            if wanted { lowering.register() } else { direct }
        };
        let stop = own(self, closes, out.side(go.other()));
        let end = own(self, closes, out.side(go));
        let skipped = own(self, closes || tracked, out.side(go));
        let mut resumed = Vec::with_capacity(children.len());
        let mut child_input = self.register();
        for (index, &child) in children.iter().enumerate() {
            let next = if index < last { self.register() } else { end };
            let unskip = tracked && index > 0 && index < last;
            let onward = own(self, unskip, next);
            let skip = if index < last {
                SkipTo {
                    to: next,
                    mark: mark_first(mark, index),
                }
            } else {
                SkipTo::plain(skipped)
            };
            let held = if index < last && may_hold(self, child) {
                self.register()
            } else {
                Reg::NONE
            };
            let inner = Context {
                reach: Reach {
                    scope: context.reach.scope,
                    held: if held == Reg::NONE {
                        context.reach.held
                    } else {
                        held
                    },
                },
                observed: context.observed || index > 0 || closes,
                drop: index == last && !closes,
            };
            let range = self.node(child, child_input, Out::of(go, onward, stop, skip), inner);
            if unskip {
                self.code.ops.push(Op::Unskip {
                    from: onward,
                    to: next,
                    mark,
                });
            }
            resumed.push(ResumeChild {
                range,
                input: child_input,
                held,
            });
            child_input = next;
        }
        self.code.resumes[resume].children = resumed;
        if closes || tracked {
            self.list_end(ListEnd {
                go: if closes { end } else { Reg::NONE },
                stop: if closes { stop } else { Reg::NONE },
                skipped,
                mark,
                close: if closes {
                    self.range_from(start)
                } else {
                    Range::default()
                },
                keep_open: false,
                out_go: out.side(go),
                out_stop: out.side(go.other()),
                out_skipped: out.skipped,
            });
        }
    }

    pub(super) fn reactive_list(
        &mut self,
        children: &[NodeId],
        go: Side,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let inner = Context {
            drop: true,
            ..context
        };
        let last = children.len() - 1;
        let tracked = last > 0 && children.iter().all(|child| self.answers(*child).skips);
        let mark = if tracked {
            Mark::Reg(self.register())
        } else {
            Mark::None
        };
        let skipped = if tracked {
            self.register()
        } else {
            out.side(go)
        };
        let mut child_input = input;
        for (index, &child) in children.iter().enumerate() {
            let next = if index < last {
                self.register()
            } else {
                out.side(go)
            };
            let unskip = tracked && index > 0 && index < last;
            let onward = if unskip { self.register() } else { next };
            let skip = match (index == last, last) {
                (true, 0) => out.skipped,
                (true, _) => SkipTo::plain(skipped),
                (false, _) => SkipTo {
                    to: next,
                    mark: mark_first(mark, index),
                },
            };
            let answers = Out::of(go, onward, out.side(go.other()), skip);
            self.node(child, child_input, answers, inner);
            if unskip {
                self.code.ops.push(Op::Unskip {
                    from: onward,
                    to: next,
                    mark,
                });
            }
            child_input = next;
        }
        if tracked {
            self.list_end(ListEnd {
                go: Reg::NONE,
                stop: Reg::NONE,
                skipped,
                mark,
                close: Range::default(),
                keep_open: false,
                out_go: out.side(go),
                out_stop: Reg::NONE,
                out_skipped: out.skipped,
            });
        }
    }

    pub(super) fn list_end(&mut self, end: ListEnd) {
        let index = self.code.list_ends.len() as u32;
        self.code.list_ends.push(end);
        self.code.ops.push(Op::ListEnd(index));
    }

    pub(super) fn monitor(&mut self, children: &[NodeId], input: Reg, out: Out, context: Context) {
        let (&task, conditions) = children.split_last().expect("a monitor has children");
        let plain = |id: &NodeId| {
            matches!(
                self.behaviour.node(*id).kind,
                Kind::Condition { .. } | Kind::Check { .. }
            )
        };
        if conditions.is_empty() && !self.answers(task).watched {
            self.node(task, input, out, context);
        } else if conditions.iter().all(plain) && !self.answers(task).watched {
            self.wired_monitor(conditions, task, input, out, context);
        } else {
            self.watched_parallel(children, input, out, context);
        }
    }

    /// Plain conditions before one task: like a reactive sequence, but a condition that runs does not stop it, and
    /// a task that is skipped counts as done unless everything was skipped.
    fn wired_monitor(
        &mut self,
        conditions: &[NodeId],
        task: NodeId,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let tracked =
            self.answers(task).skips && conditions.iter().all(|child| self.answers(*child).skips);
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
                close: range,
                keep_open: !context.drop,
                out_go: out.success,
                out_stop: Reg::NONE,
                out_skipped: out.skipped,
            });
        }
    }

    /// A condition or check whose answer running goes on like success.
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

    pub(super) fn random_selector(
        &mut self,
        node: NodeId,
        children: &[NodeId],
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let [failure, skipped, scope] = std::array::from_fn(|_| self.register());
        let (failed, draws) = (self.run.add_bits(), self.counter());
        let index = self.code.randoms.len() as u32;
        self.code.randoms.push(Random {
            end: 0,
            node,
            input,
            children: Vec::new(),
            failure,
            skipped,
            failed,
            draws,
            scope,
            outer_scope: context.reach.scope,
            out,
            body_start: self.code.ops.len() as u32 + 1,
        });
        self.code.ops.push(Op::RandomBegin(index));
        let inner = Context {
            reach: Reach {
                scope,
                held: context.reach.held,
            },
            observed: true,
            drop: true,
        };
        let placed = children.iter().map(|&child| {
            let input = self.register();
            let answers = Out {
                success: out.success,
                failure,
                skipped: SkipTo::plain(skipped),
            };
            let range = self.node(child, input, answers, inner);
            RandomChild {
                input,
                range,
                tried: self.run.add_bits(),
            }
        });
        let placed = placed.collect();
        self.code.randoms[index as usize].children = placed;
        self.code.randoms[index as usize].end = self.code.ops.len() as u32;
        self.code.ops.push(Op::RandomEnd(index));
    }
}
