//! The code of sequences and selectors, with and without memory.

use super::{Context, Lowering, Side, mark_first, wrong_family};
use crate::behaviour::{Kind, Yields};
use crate::blackboard::Holds;
use crate::ids::NodeId;
use crate::program::op::{
    LeftOpen, ListEnd, Mark, Op, Out, PlaceOp, Preempt, PreemptChild, Range, Reach, Reg, Resume,
    ResumeChild, SkipTo, Slot, Sticky, YieldOp,
};

/// A list that remembers its running child.
pub(super) struct MemoryList<'a> {
    pub(super) children: &'a [NodeId],
    /// The answer after which the next child runs.
    pub(super) go: Side,
    pub(super) yields: Yields,
    /// Set if the list remembers its place beyond its end: the node, whether an abort forgets the place, and whether
    /// children stay open when the list fails.
    pub(super) sticky: Option<(NodeId, bool, bool)>,
    /// The child for agents that end the list early.
    pub(super) catch: Option<Catch>,
}

/// A child that runs when a list has failed.
#[derive(Clone, Copy)]
pub(super) struct Catch {
    pub(super) node: NodeId,
    pub(super) input: Reg,
    /// Where all its answers go.
    pub(super) out: Reg,
}

/// The registers on the way to the input of the next child. Agents come from a child that continued (first unmarked,
/// then placed, then perhaps waiting), from a child that was skipped, or from the list when it is resumed there.
struct Link {
    onward: Reg,
    skipped: Reg,
    go: Reg,
    waiting: Reg,
    resumed: Reg,
    input: Reg,
}

/// What all parts of a memory list share while its code is emitted.
struct ListPlan {
    go: Side,
    yields: Yields,
    last: usize,
    mark: Mark,
    sticky: Option<Sticky>,
    /// A child may stay open while the list continues, and must be aborted when the list ends.
    closes: bool,
    stop: Reg,
    end: Reg,
    skipped: Reg,
}

impl Lowering<'_> {
    /// A node whose children come one after the other.
    pub(super) fn list_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        let children = &node.children[..];
        match &node.kind {
            Kind::Sequence { yields } => {
                self.list(children, Side::Success, *yields, input, out, context)
            }
            Kind::Selector { yields } => self.selector(children, *yields, input, out, context),
            Kind::StickySequence {
                yields,
                reset_on_abort,
                leaves_open,
            } => {
                let list = MemoryList {
                    children,
                    go: Side::Success,
                    yields: *yields,
                    sticky: Some((id, *reset_on_abort, *leaves_open)),
                    catch: None,
                };
                self.memory_list(&list, input, out, context);
            }
            Kind::ReactiveSequence => {
                self.reactive_list(children, Side::Success, input, out, context)
            }
            Kind::ReactiveSelector => {
                self.reactive_list(children, Side::Failure, input, out, context)
            }
            Kind::TryCatch { on_abort } => self.try_catch(id, *on_abort, input, out, context),
            other => wrong_family(other),
        }
    }

    /// A selector, with children that may take over from later ones.
    pub(super) fn selector(
        &mut self,
        children: &[NodeId],
        yields: Yields,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let last = children.len() - 1;
        let aborts = |child: &NodeId| self.behaviour.node(*child).guards.aborts_lower;
        let watching: Vec<usize> = (0..last)
            .filter(|index| aborts(&children[*index]))
            .collect();
        if watching.is_empty() {
            self.list(children, Side::Failure, yields, input, out, context);
            return;
        }
        let otherwise = self.register();
        let index = self.code.preempts.len();
        self.code.preempts.push(Preempt {
            input,
            otherwise,
            children: Vec::new(),
            mark: Mark::None,
            whole: Range::default(),
        });
        self.code.ops.push(Op::Preempt(index as u32));
        for child in &watching {
            let node = children[*child];
            let held_last = self.owned_by(node, |lowering| lowering.run.add_bits("when_held"));
            let place = (self.register(), held_last);
            self.code_of_when.insert(node, place);
        }
        let resume = self.code.resumes.len();
        let start = self.next_slot();
        self.list(children, Side::Failure, yields, otherwise, out, context);
        let whole = self.range_from(start);
        let resume = self.code.resumes[resume].clone();
        for child in watching {
            let node = children[child];
            let (passed, held_last) = self.code_of_when[&node];
            let fail_if = self.behaviour.node(node).guards.fail_if.as_ref();
            let fail_if = self.expr(node, fail_if.expect("checked with the behaviour"));
            let placed = &mut self.code.preempts[index];
            placed.children.push(PreemptChild {
                node,
                fail_if,
                held_last,
                passed,
                input: resume.children[child].input,
                lower: Range {
                    start: resume.children[child].range.end,
                    end: whole.end,
                },
            });
        }
        let placed = &mut self.code.preempts[index];
        placed.mark = resume.mark;
        placed.whole = whole;
    }

    pub(super) fn memory_list(
        &mut self,
        list: &MemoryList<'_>,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        if let ([only], None) = (list.children, list.catch) {
            let context = Context {
                drop: true,
                ..context
            };
            self.node(*only, input, out, context);
            return;
        }
        let plan = self.plan(list, out);
        let start = self.next_slot();
        let resume = self.begin_resume(input, plan.mark, plan.sticky, context.reach.held);
        let mut children = self.list_children(list, &plan, context);
        if plan.closes || plan.mark != Mark::None || plan.sticky.is_some() {
            let ends = plan.closes || plan.sticky.is_some();
            self.list_end(ListEnd {
                go: if ends { plan.end } else { Reg::NONE },
                stop: if ends { plan.stop } else { Reg::NONE },
                skipped: plan.skipped,
                mark: plan.mark,
                sticky: plan.sticky,
                close: if plan.closes {
                    self.range_from(start)
                } else {
                    Range::default()
                },
                keep_open: false,
                out_go: out.side(plan.go),
                out_stop: out.side(plan.go.other()),
                out_skipped: out.skipped,
            });
        }
        if let Some(left) = plan.sticky.and_then(|sticky| sticky.left) {
            let range = self.range_from(start);
            let children = children.iter().map(|child| child.range).collect();
            self.code.left_open[left as usize] = self.left_open(children, range, None);
        }
        if let Some(catch) = list.catch {
            children.push(self.catch_child(catch, context));
        }
        self.end_resume(resume, children);
    }

    /// What a node leaves open: the slots of these children, which are in a range, with as many columns.
    pub(super) fn left_open(
        &mut self,
        children: Vec<Range>,
        range: Range,
        keeper: Option<u32>,
    ) -> LeftOpen {
        let columns = self.run.add_bits("left_open");
        for _ in range.start + 1..range.end {
            self.run.add_bits("left_open");
        }
        LeftOpen {
            children,
            first_slot: range.start,
            columns,
            keeper,
        }
    }

    /// An entry of the table of what is left open, which is filled in after the code of the children.
    pub(super) fn reserve_left_open(&mut self) -> u32 {
        self.code.left_open.push(LeftOpen::default());
        self.code.left_open.len() as u32 - 1
    }

    /// Begins the instruction that sends agents on to the live child.
    pub(super) fn begin_resume(
        &mut self,
        input: Reg,
        mark: Mark,
        sticky: Option<Sticky>,
        held: Reg,
    ) -> usize {
        let resume = self.code.resumes.len();
        self.code.resumes.push(Resume {
            children: Vec::new(),
            mark,
            sticky,
            held,
            end: 0,
        });
        self.code.ops.push(Op::Resume {
            input,
            resume: resume as u32,
        });
        resume
    }

    /// Completes that instruction after the code of the children.
    pub(super) fn end_resume(&mut self, resume: usize, children: Vec<ResumeChild>) {
        let placed = &mut self.code.resumes[resume];
        placed.children = children;
        placed.end = self.code.ops.len() as u32;
    }

    fn plan(&mut self, list: &MemoryList<'_>, out: Out) -> ListPlan {
        let last = list.children.len() - 1;
        let skips = |child: &NodeId| self.known(*child).skips();
        let tracked = list.children.iter().all(skips);
        let stays_open = |child: &NodeId| self.known(*child).stays_open;
        // The node around the list closes loose runs, but only after the list's catch has run.
        let is_loose = |child: &NodeId| list.catch.is_some() && self.known(*child).loose;
        let closes =
            list.children[..last].iter().any(stays_open) || list.children.iter().any(is_loose);
        let mark = if tracked {
            Mark::Bits(self.run.add_bits("has_skipped_none"))
        } else {
            Mark::None
        };
        let left = list
            .sticky
            .is_some_and(|(_, _, leaves_open)| leaves_open && closes)
            .then(|| self.reserve_left_open());
        let sticky = list.sticky.map(|(node, reset_on_abort, _)| {
            let children = list.children.len() as u32;
            let [place, begun] = self.lasting(node, |run| {
                let begun = if reset_on_abort {
                    run.add_bits("has_begun")
                } else {
                    0
                };
                [run.add_narrow(Holds::AtMost(children), "next_child"), begun]
            });
            Sticky {
                place,
                begun: reset_on_abort.then_some(begun),
                left,
            }
        });
        // The registers of agents that end the list: straight out, or through a `ListEnd`.
        let mut own = |wanted: bool, direct: Reg| if wanted { self.register() } else { direct };
        let ends = closes || sticky.is_some();
        ListPlan {
            go: list.go,
            yields: list.yields,
            last,
            mark,
            sticky,
            closes,
            stop: own(ends, out.side(list.go.other())),
            end: own(ends, out.side(list.go)),
            skipped: own(ends || tracked, out.side(list.go)),
        }
    }

    fn list_children(
        &mut self,
        list: &MemoryList<'_>,
        plan: &ListPlan,
        context: Context,
    ) -> Vec<ResumeChild> {
        let mut placed = Vec::with_capacity(list.children.len() + 1);
        let first = self.register();
        // How the next child begins: its input, the register where it is resumed, and its first slot.
        let mut next = (first, first, self.next_slot());
        for (index, &child) in list.children.iter().enumerate() {
            let (input, resumed, start) = next;
            let is_last = index == plan.last;
            let held = if !is_last && self.known(child).stays_open {
                self.register()
            } else {
                Reg::NONE
            };
            let continued = if !is_last && plan.yields == Yields::Fresh {
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
                observed: context.observed
                    || index > 0
                    || plan.closes
                    || plan.sticky.is_some()
                    || continued != Reg::NONE,
                drop: is_last && !plan.closes,
            };
            let link = (!is_last).then(|| self.link(plan, index));
            let (onward, skip) = match &link {
                Some(link) => (
                    link.onward,
                    SkipTo {
                        to: link.skipped,
                        mark: mark_first(plan.mark, index),
                    },
                ),
                None => (
                    plan.end,
                    SkipTo {
                        to: plan.skipped,
                        mark: mark_first(plan.mark, index),
                    },
                ),
            };
            let own = self.node(
                child,
                input,
                Out::of(plan.go, onward, plan.stop, skip),
                inner,
            );
            placed.push(ResumeChild {
                range: Range {
                    start,
                    end: own.end,
                },
                own,
                input: resumed,
                held,
                continued,
            });
            if let Some(link) = link {
                next = self.emit_link(plan, index, link, continued, context);
            }
        }
        placed
    }

    /// The registers between a child and the next.
    fn link(&mut self, plan: &ListPlan, index: usize) -> Link {
        let input = self.register();
        let mut own = |wanted: bool, direct: Reg| if wanted { self.register() } else { direct };
        let waits = plan.yields != Yields::Never;
        let waiting = own(waits, input);
        let resumed = own(waits, input);
        let go = own(plan.sticky.is_some(), waiting);
        let skipped = own(plan.sticky.is_some(), input);
        let onward = own(plan.mark != Mark::None && index > 0, go);
        Link {
            onward,
            skipped,
            go,
            waiting,
            resumed,
            input,
        }
    }

    /// Emits the instructions between a child and the next. Returns how the next one begins: its input, the register
    /// where it is resumed, and its first slot.
    fn emit_link(
        &mut self,
        plan: &ListPlan,
        index: usize,
        link: Link,
        continued: Reg,
        context: Context,
    ) -> (Reg, Reg, u32) {
        let start = self.next_slot();
        if link.onward != link.go {
            self.code.ops.push(Op::Unskip {
                from: link.onward,
                to: link.go,
                mark: plan.mark,
            });
        }
        if let Some(sticky) = plan.sticky {
            self.code.ops.push(Op::Place(PlaceOp {
                column: sticky.place,
                index: index as u32 + 1,
                go: link.go,
                skipped: link.skipped,
                out_go: link.waiting,
                out_skipped: link.input,
            }));
        }
        if plan.yields != Yields::Never {
            let slot = self.slot(Slot::Quiet, "goes_on_next_tick");
            self.code.yields.push(YieldOp {
                from: link.waiting,
                resumed: link.resumed,
                to: link.input,
                slot,
                continued,
                reach: context.reach,
            });
            self.code
                .ops
                .push(Op::Yield(self.code.yields.len() as u32 - 1));
        }
        (link.input, link.resumed, start)
    }

    pub(super) fn catch_child(&mut self, catch: Catch, context: Context) -> ResumeChild {
        let inner = Context {
            observed: true,
            drop: true,
            ..context
        };
        let answers = Out {
            success: catch.out,
            failure: catch.out,
            skipped: SkipTo::plain(catch.out),
        };
        let own = self.node(catch.node, catch.input, answers, inner);
        ResumeChild {
            range: own,
            own,
            input: catch.input,
            held: Reg::NONE,
            continued: Reg::NONE,
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
        let tracked = last > 0 && children.iter().all(|child| self.known(*child).skips());
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
                sticky: None,
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
}
