//! The code of loops: the only instructions that jump back.

use super::{Context, Count, Lowering, Side, wrong_family};
use crate::behaviour::{Counting, Kind, Pace, Times, Yields};
use crate::blackboard::{Holds, Label};
use crate::expr::Expr;
use crate::ids::NodeId;
use crate::program::op::{Each, Loop, LoopTimes, Op, Out, Range, Reach, Reg, Reread, SkipTo, Slot};
use crate::value::Value;

/// How often, how fast, what is counted, and whether every end of the child is a run.
pub(super) type Repeats<'a> = (&'a Times, Pace, Counting, bool);

impl Lowering<'_> {
    /// A node that ticks its child again and again.
    pub(super) fn loop_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);

        match &node.kind {
            Kind::UntilFailure { pace } => {
                let until = Out {
                    failure: out.success,
                    ..out
                };
                self.repetition(
                    id,
                    Side::Success,
                    (&Times::Forever, *pace, Counting::Runs, false),
                    input,
                    until,
                    context,
                );
            }
            Kind::UntilSuccess { pace } => {
                self.repetition(
                    id,
                    Side::Failure,
                    (&Times::Forever, *pace, Counting::Runs, false),
                    input,
                    out,
                    context,
                );
            }
            Kind::KeepRunningUntilFailure => self.keep_running(id, input, out, context),
            Kind::ForEach { .. } => self.for_each(id, input, out, context),
            Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            } => {
                let repeats = (times, *pace, *counting, *ignores_result);
                self.repetition(id, Side::Success, repeats, input, out, context);
            }
            Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            } => {
                let repeats = (times, *pace, *counting, *ignores_result);
                self.repetition(id, Side::Failure, repeats, input, out, context);
            }
            other => wrong_family(other),
        }
    }

    /// `again` is the answer of the child that counts as a run; the other one ends the loop.
    pub(super) fn repetition(
        &mut self,
        node: NodeId,
        again: Side,
        (times, pace, counting, ignores_result): Repeats<'_>,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let times = match times {
            Times::Forever => LoopTimes::Forever,
            Times::Count(Expr::Value(Value::Int(times))) => {
                LoopTimes::Literal(LoopTimes::clamp(*times))
            }
            Times::Count(expr) | Times::Reread(expr) => LoopTimes::Expr {
                expr: self.expr(node, expr),
                column: self.run.add_narrow(Holds::NUMBER, Label::run("times")),
                reread: match (times, again) {
                    (Times::Reread(_), Side::Success) => Reread::Ticks,
                    (Times::Reread(_), Side::Failure) => Reread::TicksAndRuns,
                    (Times::Forever | Times::Count(_), _) => Reread::Never,
                },
            },
        };
        let count = (times != LoopTimes::Forever)
            .then(|| self.run.add_narrow(Holds::NUMBER, Label::run("times_done")));
        let [body, again_register, skipped] = std::array::from_fn(|_| self.register());
        let yields = pace.yields;
        let turns = yields != Yields::Always;
        let entered = if counting == Counting::Ticks && count.is_some() {
            self.register()
        } else {
            Reg::NONE
        };
        let continued = if turns { self.register() } else { Reg::NONE };
        let scope = if turns { self.register() } else { Reg::NONE };
        // If the child can run several times in a tick, all its ends are counted.
        let out_stop = out.side(again.other());
        let stops = turns || entered != Reg::NONE;
        let stop = if stops { self.register() } else { Reg::NONE };
        let ends = self.counter(node, Count::Ends);
        let all_turns = if turns {
            self.counter(self.behaviour.root(), Count::Turns)
        } else {
            0
        };
        let ticked = if entered == Reg::NONE {
            0
        } else {
            self.counter(node, Count::Ticks)
        };
        let index = self.code.loops.len() as u32;
        self.code.ops.push(Op::LoopBegin(index));
        self.code.loops.push(Loop {
            end: 0,
            node,
            input,
            body,
            again: again_register,
            skipped,
            stop,
            out_stop,
            child: Range::default(),
            between: 0,
            count,
            times,
            yields,
            entered,
            ticked,
            max_runs: pace.max_runs,
            ends,
            turns: all_turns,
            continued,
            scope,
            reach: context.reach,
            drop: context.drop,
            out_done: out.side(again),
            out_failure: out.failure,
            out_skipped: out.skipped,
            keeps_running: false,
            each: None,
            body_start: self.code.ops.len() as u32,
        });
        let inner = Context {
            reach: Reach {
                scope: if turns { scope } else { context.reach.scope },
                held: context.reach.held,
            },
            observed: true,
            drop: !matches!(
                self.behaviour.node(node).kind,
                Kind::KeepRunningUntilFailure
            ),
        };
        let answers = Out::of(
            again,
            again_register,
            match (ignores_result, stops) {
                (true, _) => again_register,
                (false, true) => stop,
                (false, false) => out_stop,
            },
            SkipTo::plain(skipped),
        );
        let child = self.behaviour.node(node).children[0];
        let range = self.node(child, body, answers, inner);
        let between = self.slot(Slot::Quiet, "goes_on_next_tick");
        let placed = &mut self.code.loops[index as usize];
        placed.child = range;
        placed.between = between;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::LoopEnd(index));
    }
}

impl Lowering<'_> {
    /// A loop for ever: success and skipped of the child become running, failure ends the loop.
    pub(super) fn keep_running(&mut self, node: NodeId, input: Reg, out: Out, context: Context) {
        let index = self.code.loops.len();
        self.repetition(
            node,
            Side::Success,
            (&Times::Forever, Pace::default(), Counting::Runs, false),
            input,
            out,
            context,
        );
        self.code.loops[index].keeps_running = true;
    }

    /// A loop that ends with its list.
    pub(super) fn for_each(&mut self, node: NodeId, input: Reg, out: Out, context: Context) {
        let Kind::ForEach {
            var,
            list,
            if_empty,
            max_runs,
        } = self.behaviour.node(node).kind
        else {
            unreachable!("the node is a for-each");
        };
        let index = self.code.loops.len();
        let pace = Pace {
            yields: Yields::Never,
            max_runs,
        };
        let repeats = (&Times::Forever, pace, Counting::Runs, false);
        self.repetition(node, Side::Success, repeats, input, out, context);
        let place = self.run.add_narrow(Holds::NUMBER, Label::run("item"));
        self.code.eaches.push(Each {
            list: self.board.keys[list.index()],
            var: self.board.keys[var.index()],
            if_empty,
        });
        let looped = &mut self.code.loops[index];
        looped.count = Some(place);
        looped.each = Some(self.code.eaches.len() as u32 - 1);
    }
}
