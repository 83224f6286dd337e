//! The code of nodes with an instruction before their children and one after them: interrupts, semaphores, runs that
//! continue after an answer, a task with a background.

use super::{Context, Count, Lowering, RUNS, wrong_family};
use crate::behaviour::{Kind, Scope};
use crate::blackboard::{Column, Label};
use crate::expr::Expr;
use crate::ids::{LabelId, NodeId, SemaphoreId};
use crate::program::op::{
    Around, Auction, Backed, Close, Interrupt, Interruptible, Loose, Op, Out, Range, Reach, Reg,
    RunBegin, SemaphoreOp, SkipTo, Slot,
};
use crate::value::Type;

/// Where agents go, with one register per answer.
pub(super) fn answers_out([success, failure, skipped]: [Reg; 3]) -> Out {
    Out {
        success,
        failure,
        skipped: SkipTo::plain(skipped),
    }
}

impl Lowering<'_> {
    /// A node that changes the answer of its child, or lets it be cut off.
    pub(super) fn wrapper_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        let children = &node.children[..];
        match &node.kind {
            Kind::Interruptible { label } => self.interruptible(id, *label, input, out, context),
            Kind::Semaphore {
                semaphore,
                waits,
                bid,
            } => {
                let bid = bid.as_ref();
                self.semaphore(id, (*semaphore, *waits, bid), input, out, context);
            }
            Kind::ForceSuccess { even_running: true } => {
                self.loose(id, out.success, input, out, context);
            }
            Kind::ForceFailure { even_running: true } => {
                self.loose(id, out.failure, input, out, context);
            }
            Kind::Invert => {
                let swapped = Out {
                    success: out.failure,
                    failure: out.success,
                    skipped: out.skipped,
                };
                self.node(children[0], input, swapped, context);
            }
            Kind::ForceSuccess { .. } => {
                let forced = Out {
                    failure: out.success,
                    ..out
                };
                self.node(children[0], input, forced, context);
            }
            Kind::ForceFailure { .. } => {
                let forced = Out {
                    success: out.failure,
                    ..out
                };
                self.node(children[0], input, forced, context);
            }
            other => wrong_family(other),
        }
    }

    fn around(&mut self, node: NodeId, input: Reg, out: Out, context: Context) -> Around {
        let [inner, entered] = [self.register(), self.register()];
        Around {
            node,
            input,
            inner,
            entered,
            answers: std::array::from_fn(|_| self.register()),
            inside: Range::default(),
            reach: context.reach,
            drop: context.drop,
            out,
        }
    }

    /// The code of a node's only child, between two instructions.
    fn only_child(&mut self, around: &Around, context: Context) -> Range {
        let child = self.behaviour.node(around.node).children[0];
        let inner = Context {
            observed: true,
            ..context
        };
        self.node(child, around.inner, answers_out(around.answers), inner)
    }

    pub(super) fn interruptible(
        &mut self,
        node: NodeId,
        label: LabelId,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let around = self.around(node, input, out, context);
        let index = self.code.interruptibles.len();
        let begin = self.code.ops.len() as u32;
        let pending = ["succeeds", "fails"].map(|name| self.slot(Slot::Quiet, name));
        self.code.interruptibles.push(Interruptible {
            around,
            label,
            pending,
            begin,
            end: 0,
        });
        self.code.ops.push(Op::InterruptibleBegin(index as u32));
        self.labels_around.push(label);
        let inside = self.only_child(&around, context);
        self.labels_around.pop();
        let placed = &mut self.code.interruptibles[index];
        placed.around.inside = inside;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::InterruptibleEnd(index as u32));
    }

    pub(super) fn interrupt(
        &mut self,
        node: NodeId,
        (label, succeeds): (LabelId, bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let slot = (self.labels_around.contains(&label)).then(|| self.slot(Slot::Quiet, RUNS));
        let index = self.code.interrupts.len() as u32;
        self.code.interrupts.push(Interrupt {
            node,
            input,
            label,
            succeeds,
            targets: Vec::new(),
            slot,
            reach: context.reach,
            success: out.success,
            failure: out.failure,
        });
        self.code.ops.push(Op::Interrupt(index));
    }

    /// Gives the interrupts their targets, when all code is emitted. Interrupts in code that an abort runs have no
    /// targets, because they could cut off something that is under way.
    pub(super) fn aim_interrupts(&mut self, main: usize) {
        let mut targets: Vec<(u32, Interruptible)> =
            (0..).zip(self.code.interruptibles.clone()).collect();
        targets.sort_by_key(|(_, target)| target.around.node);
        for (place, op) in (0..).zip(&self.code.ops[..main]) {
            if let Op::Interrupt(index) = op {
                let interrupt = &mut self.code.interrupts[*index as usize];
                let own = targets
                    .iter()
                    .filter(|(_, target)| target.label == interrupt.label);
                interrupt.targets = own
                    .map(|(index, target)| (*index, (target.begin..target.end).contains(&place)))
                    .collect();
            }
        }
        for machine in &mut self.code.machines {
            let around = targets
                .iter()
                .filter(|(_, target)| (target.begin..target.end).contains(&machine.begin));
            machine.interruptibles = around.map(|(index, _)| *index).collect();
        }
    }

    pub(super) fn semaphore(
        &mut self,
        node: NodeId,
        (semaphore, waits, bid): (SemaphoreId, bool, Option<&Expr>),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let around = self.around(node, input, out, context);
        let index = self.code.semaphores.len();
        let asking = self.slot(Slot::Quiet, "asks_for_a_place");
        let declared = &self.behaviour.semaphores()[semaphore.index()];
        let shared = declared.scope != Scope::Agent;
        let bidding = declared.bidding;
        let since = if shared {
            self.run.add_wide_tick(Label::run("asks_since_tick"))
        } else {
            0
        };
        let auction = bid.zip(bidding).map(|(bid, bidding)| Auction {
            expr: self.expr(node, bid),
            bid: self.wide_double("bid"),
            safe_until: self.run.add_moment(Label::run("safe_for_secs")),
            outbid: 0,
            holders_bid: bidding.hysteresis.is_some(),
        });
        self.code.semaphores.push(SemaphoreOp {
            around,
            semaphore,
            waits,
            shared,
            asking,
            since,
            held: 0,
            auction,
            end: 0,
        });
        self.code.ops.push(Op::SemaphoreBegin(index as u32));
        let inside = self.only_child(&around, context);
        let held = self.slot(Slot::Quiet, "holds_a_place");
        let outbid = auction.map_or(0, |_| self.slot(Slot::Quiet, "is_outbid"));
        let placed = &mut self.code.semaphores[index];
        placed.around.inside = inside;
        placed.held = held;
        if let Some(auction) = &mut placed.auction {
            auction.outbid = outbid;
        }
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::SemaphoreEnd(index as u32));
    }

    /// A wide column for a number.
    fn wide_double(&mut self, name: &'static str) -> u32 {
        match self.run.add(Type::Double, Label::run(name)) {
            Column::Wide(column) => column,
            other => unreachable!("a double in {other:?}"),
        }
    }

    /// A node that answers `to` even while its child runs.
    pub(super) fn loose(&mut self, node: NodeId, to: Reg, input: Reg, out: Out, context: Context) {
        let around = self.around(node, input, out, context);
        let held = self.register();
        let visits = self.counter(node, Count::Ticks);
        let index = self.code.looses.len();
        self.code.looses.push(Loose {
            around,
            to,
            held,
            outer_held: context.reach.held,
            visits,
            end: 0,
        });
        self.code.ops.push(Op::LooseBegin(index as u32));
        let inner = Context {
            reach: Reach {
                scope: context.reach.scope,
                held,
            },
            ..context
        };
        let inside = self.only_child(&around, inner);
        // One slot more than those inside, to tell the two apart.
        self.slot(Slot::Quiet, RUNS);
        self.loose_ranges.push(self.range_from(inside.start));
        let placed = &mut self.code.looses[index];
        placed.around.inside = inside;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::LooseEnd(index as u32));
    }

    /// Emits the code that aborts loose runs when a node ends or is dropped. Agents come from registers of its own.
    pub(super) fn close(&mut self, inner: Out, drop: bool, range: Range, out: Out) {
        let index = self.code.closes.len() as u32;
        self.code.closes.push(Close {
            success: inner.success,
            failure: inner.failure,
            skipped: if drop { inner.skipped.to } else { Reg::NONE },
            range,
            out,
        });
        self.code.ops.push(Op::Close(index));
    }

    /// Emits the code that resets the counts of the limits below a node in each run of the node.
    pub(super) fn run_begin(&mut self, counts: Vec<u32>, input: Reg) -> usize {
        let inner = self.register();
        let index = self.code.run_begins.len();
        self.code.run_begins.push(RunBegin {
            input,
            inner,
            range: Range::default(),
            counts,
        });
        self.code.ops.push(Op::RunBegin(index as u32));
        index
    }

    pub(super) fn backed(
        &mut self,
        node: NodeId,
        waits: bool,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let [
            entered,
            task,
            background,
            answered,
            finishing,
            held,
            passing,
        ] = std::array::from_fn(|_| self.register());
        let answers = std::array::from_fn(|_| self.register());
        let start = self.next_slot();
        let done = waits
            .then(|| ["task_succeeded", "task_failed"].map(|name| self.slot(Slot::Quiet, name)));
        let index = self.code.backeds.len();
        self.code.backeds.push(Backed {
            input,
            entered,
            task,
            answers,
            background,
            answered,
            finishing,
            range: Range::default(),
            whole: Range::default(),
            done,
            held,
            outer_held: context.reach.held,
            passing,
            between: 0,
            end: 0,
            reach: context.reach,
            drop: context.drop,
            out,
        });
        self.code.ops.push(Op::BackedBegin(index as u32));
        let children = &self.behaviour.node(node).children;
        let inner = Context {
            observed: true,
            ..context
        };
        self.node(children[0], task, answers_out(answers), inner);
        self.code.backeds[index].between = self.code.ops.len() as u32;
        self.code.ops.push(Op::BackedTask(index as u32));
        let inner = Context {
            reach: Reach {
                scope: context.reach.scope,
                held,
            },
            observed: true,
            drop: false,
        };
        let to = answers_out([answered; 3]);
        let range = self.node(children[1], background, to, inner);
        let placed = &mut self.code.backeds[index];
        placed.range = range;
        placed.whole = Range {
            start,
            end: range.end,
        };
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::BackedEnd(index as u32));
    }
}
