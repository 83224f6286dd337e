//! Lowering: from a tree to straight-line code. Sequences, selectors and inverters become wiring between registers;
//! what cannot be wired becomes instructions before, between and after the children.

mod carried;
mod choices;
mod gates;
mod leaves;
mod lists;
mod loops;
mod parallel;

use super::args::{ArgRange, ArgSlot};
use super::op::{Code, Mark, Op, Out, Range, Reach, Reg, SetStep, SkipTo, Slot};
use super::questions::{self, Answers};
use super::visits::Visits;
use crate::behaviour::{Behaviour, Kind, Times, Yields};
use crate::board::BoardLayout;
use crate::cells::Shape;
use crate::expr::{Expr, ExprCode};
use crate::ids::{KeyId, NodeId};
use lists::MemoryList;
use std::collections::HashMap;

pub(super) struct Lowered {
    pub(super) run: Shape,
    pub(super) slots: Vec<Slot>,
    pub(super) args: Vec<ArgSlot>,
    pub(super) exprs: Vec<ExprCode>,
    /// Per expression the sensed keys that it asks about, by their numbers; nothing at all where no key is sensed.
    pub(super) asks: Vec<Box<[u32]>>,
    pub(super) sets: Vec<SetStep>,
    /// The keys of scopes.
    pub(super) locals: Vec<KeyId>,
    pub(super) counters: u32,
    pub(super) code: Code,
}

/// Lowers the tree; `traced` code reports every composite as well.
pub(super) fn lower(behaviour: &Behaviour, board: &BoardLayout, traced: bool) -> Lowered {
    let mut lowering = Lowering {
        behaviour,
        board,
        traced,
        answers: questions::ask(behaviour),
        run: Shape::default(),
        slots: vec![Slot::Alive],
        args: Vec::new(),
        exprs: Vec::new(),
        asks: Vec::new(),
        sets: Vec::new(),
        locals: Vec::new(),
        counters: 0,
        code: Code {
            registers: Reg::FIXED,
            ..Code::default()
        },
        counter_of: HashMap::new(),
        lasting_of: HashMap::new(),
        parts: Vec::new(),
    };
    let out = Out {
        success: Reg::ROOT_SUCCESS,
        failure: Reg::ROOT_FAILURE,
        skipped: SkipTo::plain(Reg::ROOT_SKIPPED),
    };
    let context = Context {
        reach: Reach {
            scope: Reg::TICKED,
            held: Reg::NONE,
        },
        observed: false,
        drop: false,
    };
    lowering.node(behaviour.root(), Reg::ROOT_INPUT, out, context);
    lowering.emit_parts();
    let Lowering {
        run,
        slots,
        args,
        exprs,
        asks,
        sets,
        locals,
        counters,
        mut code,
        ..
    } = lowering;
    code.visits = Visits::of(&code, slots.len());
    Lowered {
        run,
        slots,
        args,
        exprs,
        asks,
        sets,
        locals,
        counters,
        code,
    }
}

/// What a node is told by those above it.
#[derive(Clone, Copy)]
struct Context {
    reach: Reach,
    /// Somebody above asks whether it is live.
    observed: bool,
    /// When it answers skipped, what is open in it is aborted at once.
    drop: bool,
}

struct Lowering<'a> {
    behaviour: &'a Behaviour,
    board: &'a BoardLayout,
    traced: bool,
    answers: Vec<Answers>,
    run: Shape,
    slots: Vec<Slot>,
    args: Vec<ArgSlot>,
    exprs: Vec<ExprCode>,
    asks: Vec<Box<[u32]>>,
    sets: Vec<SetStep>,
    locals: Vec<KeyId>,
    counters: u32,
    code: Code,
    counter_of: HashMap<NodeId, u32>,
    lasting_of: HashMap<NodeId, [u32; 2]>,
    /// The catches that a part of the code beyond the main one is for.
    parts: Vec<NodeId>,
}

/// Which of two answers a list or a loop is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Success,
    Failure,
}

impl Out {
    fn side(self, side: Side) -> Reg {
        match side {
            Side::Success => self.success,
            Side::Failure => self.failure,
        }
    }

    fn of(side: Side, on_side: Reg, on_other: Reg, skipped: SkipTo) -> Self {
        let (success, failure) = match side {
            Side::Success => (on_side, on_other),
            Side::Failure => (on_other, on_side),
        };
        Self {
            success,
            failure,
            skipped,
        }
    }
}

impl Side {
    fn other(self) -> Self {
        match self {
            Side::Success => Side::Failure,
            Side::Failure => Side::Success,
        }
    }
}

impl Lowering<'_> {
    fn register(&mut self) -> Reg {
        self.code.registers += 1;
        Reg(self.code.registers - 1)
    }

    fn slot(&mut self, slot: Slot) -> u32 {
        self.slots.push(slot);
        self.slots.len() as u32 - 1
    }

    fn next_slot(&self) -> u32 {
        self.slots.len() as u32
    }

    fn range_from(&self, start: u32) -> Range {
        Range {
            start,
            end: self.next_slot(),
        }
    }

    /// The counter of a node, one for all places where its code stands.
    fn counter(&mut self, node: NodeId) -> u32 {
        let counters = &mut self.counters;
        *self.counter_of.entry(node).or_insert_with(|| {
            *counters += 1;
            *counters - 1
        })
    }

    /// The columns in which a node remembers something beyond its runs, the same for all places where its code stands.
    fn lasting(&mut self, node: NodeId, add: impl FnOnce(&mut Shape) -> [u32; 2]) -> [u32; 2] {
        let run = &mut self.run;
        *self.lasting_of.entry(node).or_insert_with(|| add(run))
    }

    fn expr(&mut self, expr: &Expr) -> u32 {
        self.exprs.push(ExprCode::compile(expr, self.board));
        if !self.board.sensed.is_empty() {
            let mut asks = Vec::new();
            expr.for_each_key(&mut |key| {
                let sensed = self.board.keys[key.index()].sensed;
                asks.extend(sensed.filter(|sensed| !asks.contains(sensed)));
            });
            self.asks.push(asks.into());
        }
        self.exprs.len() as u32 - 1
    }

    fn answers(&self, id: NodeId) -> Answers {
        self.answers[id.index()]
    }

    /// Emits the code of a node with its guards and hooks: it takes the agents in `input` and sends them to `out`.
    /// Answers its slots.
    fn node(&mut self, id: NodeId, input: Reg, out: Out, context: Context) -> Range {
        let node = self.behaviour.node(id);
        if node.guards.is_empty() && node.hooks.is_empty() {
            self.bare_node(id, input, out, context)
        } else {
            self.carrying_node(id, input, out, context)
        }
    }

    /// Emits the code of a node alone.
    fn bare_node(&mut self, id: NodeId, input: Reg, out: Out, context: Context) -> Range {
        let start = self.next_slot();
        let behaviour = self.behaviour;
        let is_leaf = behaviour.node(id).children.is_empty();
        if self.traced && !is_leaf {
            let [entered, inner_input, success, failure, skipped] =
                std::array::from_fn(|_| self.register());
            self.code.ops.push(Op::Enter {
                node: id,
                input,
                inner: inner_input,
                entered,
            });
            let inner = Out {
                success,
                failure,
                skipped: SkipTo::plain(skipped),
            };
            self.body(id, inner_input, inner, context);
            self.code.ops.push(Op::Exit {
                node: id,
                entered,
                answers: [success, failure, skipped],
                out,
            });
        } else {
            self.body(id, input, out, context);
        }
        self.range_from(start)
    }

    fn list(
        &mut self,
        children: &[NodeId],
        go: Side,
        yields: Yields,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let list = MemoryList {
            children,
            go,
            yields,
            sticky: None,
            catch: None,
        };
        self.memory_list(&list, input, out, context);
    }

    fn body(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let node = self.behaviour.node(id);
        let children = &node.children[..];
        match &node.kind {
            Kind::Condition {
                leaf,
                args,
                negated,
            } => {
                self.condition(
                    id,
                    (*leaf, args, *negated),
                    input,
                    (out, Reg::NONE),
                    context,
                );
            }
            Kind::Action { leaf, args } => self.action(id, *leaf, args, input, out, context),
            Kind::Check { expr } => self.check(id, expr, input, out),
            Kind::Set { assigns } => self.set(id, assigns, input, out),
            Kind::Wait { secs } => self.wait(id, secs, input, out, context),
            Kind::Changed { key } => self.changed(id, *key, input, out),
            Kind::Log { .. } => self.code.ops.push(Op::Log {
                node: id,
                input,
                success: out.success,
            }),
            Kind::Emit { leaf, args } => self.emit(id, (*leaf, args), input, out),
            Kind::Succeed => self.constant(id, true, input, out.success),
            Kind::Fail => self.constant(id, false, input, out.failure),
            Kind::Run => {
                let slot = self.slot(Slot::Quiet);
                let reach = context.reach;
                self.code.ops.push(Op::Run {
                    node: id,
                    input,
                    slot,
                    reach,
                });
            }
            Kind::Sequence { yields } => {
                self.list(children, Side::Success, *yields, input, out, context)
            }
            Kind::Selector { yields } => {
                self.list(children, Side::Failure, *yields, input, out, context)
            }
            Kind::StickySequence {
                yields,
                reset_on_abort,
            } => {
                let list = MemoryList {
                    children,
                    go: Side::Success,
                    yields: *yields,
                    sticky: Some((id, *reset_on_abort)),
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
            Kind::Monitor => self.monitor(children, input, out, context),
            Kind::Parallel {
                success,
                failure,
                skips,
            } => self.parallel(children, (*success, *failure, *skips), input, out, context),
            Kind::ParallelAll { max_failures } => {
                self.parallel_all(children, *max_failures, input, out, context);
            }
            Kind::RandomSelector { replacement } => {
                self.random(id, (Side::Failure, *replacement), input, out, context);
            }
            Kind::RandomSequence { replacement } => {
                self.random(id, (Side::Success, *replacement), input, out, context);
            }
            Kind::WeightedSelector { .. } => {
                self.random(id, (Side::Failure, false), input, out, context);
            }
            Kind::If => self.if_once(children, input, out, context),
            Kind::ReactiveIf => self.reactive_if(children, input, out, context),
            Kind::TryCatch { on_abort } => self.try_catch(id, *on_abort, input, out, context),
            Kind::Switch { cases, once } => self.switch(id, (cases, *once), input, out, context),
            Kind::Invert => {
                let swapped = Out {
                    success: out.failure,
                    failure: out.success,
                    skipped: out.skipped,
                };
                self.node(children[0], input, swapped, context);
            }
            Kind::ForceSuccess => {
                let forced = Out {
                    failure: out.success,
                    ..out
                };
                self.node(children[0], input, forced, context);
            }
            Kind::ForceFailure => {
                let forced = Out {
                    success: out.failure,
                    ..out
                };
                self.node(children[0], input, forced, context);
            }
            Kind::UntilFailure { yields } => {
                let until = Out {
                    failure: out.success,
                    ..out
                };
                self.repetition(
                    id,
                    Side::Success,
                    (&Times::Forever, *yields),
                    input,
                    until,
                    context,
                );
            }
            Kind::UntilSuccess { yields } => {
                self.repetition(
                    id,
                    Side::Failure,
                    (&Times::Forever, *yields),
                    input,
                    out,
                    context,
                );
            }
            Kind::KeepRunningUntilFailure => self.keep_running(id, input, out, context),
            Kind::RunOnce { .. }
            | Kind::Limit { .. }
            | Kind::Cooldown { .. }
            | Kind::Timeout { .. }
            | Kind::Delay { .. }
            | Kind::Chance { .. }
            | Kind::OnChange { .. }
            | Kind::Scope { .. } => self.gated(id, input, out, context),
            Kind::Repeat { times, yields } => {
                self.repetition(id, Side::Success, (times, *yields), input, out, context);
            }
            Kind::Retry { times, yields } => {
                self.repetition(id, Side::Failure, (times, *yields), input, out, context);
            }
        }
    }
}

/// No arguments at all.
const NO_ARGS: ArgRange = ArgRange {
    start: 0,
    end: 0,
    computed: false,
};

fn mark_first(tracking: Mark, index: usize) -> Mark {
    if index == 0 { tracking } else { Mark::None }
}
