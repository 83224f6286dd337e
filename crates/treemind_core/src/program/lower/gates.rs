//! The code of decorators that look before their child is ticked, and of watches, which see how it ends.

use super::enclosing::answers_out;
use super::{Context, Count, Lowering};
use crate::behaviour::Kind;
use crate::blackboard::{Holds, Label};
use crate::ids::NodeId;
use crate::program::op::{
    Gate, GateKind, Hook, Keeps, Leave, Op, Out, Range, Reg, Remember, ServiceOp, Slot, Watch,
};

impl Lowering<'_> {
    /// A decorator with a gate before its child; `node` is one of the kinds named here.
    pub(super) fn gated(&mut self, node: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        match &behaviour.node(node).kind {
            Kind::Limit { runs, .. } => {
                let kind = GateKind::Limit {
                    runs: self.expr(node, runs),
                    count: self.lasting(node, |run| [run.add_narrow(Holds::NUMBER, "runs"), 0])[0],
                };
                self.gate(node, kind, input, out, out, context);
            }
            Kind::Timeout { secs, across_skips } => {
                let kind = GateKind::Timeout {
                    secs: self.secs(node, secs, &None),
                    deadline: self.run.add_moment(Label::run("ends_in_secs")),
                    kept: across_skips.then_some(0),
                };
                self.timed(node, kind, input, out, context);
            }
            Kind::Delay { secs, across_skips } => {
                let kind = GateKind::Delay {
                    secs: self.secs(node, secs, &None),
                    deadline: self.run.add_moment(Label::run("begins_in_secs")),
                    slot: self.slot(Slot::Quiet, "waits"),
                    kept: across_skips.then_some(0),
                };
                self.timed(node, kind, input, out, context);
            }
            Kind::Chance { probability } => {
                let kind = GateKind::Chance {
                    probability: self.expr(node, probability),
                    draws: self.counter(node, Count::Draws),
                };
                self.gate(node, kind, input, out, out, context);
            }
            Kind::Service {
                leaf,
                args,
                interval,
                jitter,
            } => {
                let args = self.args(node, args);
                let secs = self.secs(node, interval, jitter);
                self.code.services.push(ServiceOp {
                    leaf: *leaf,
                    args,
                    secs,
                    due: self.run.add_moment(Label::run("next_call_in_secs")),
                });
                let kind = GateKind::Service(self.code.services.len() as u32 - 1);
                self.gate(node, kind, input, out, out, context);
            }
            Kind::OnChange {
                key,
                else_running,
                leaves_open,
            } => {
                let waiting = else_running.then(|| self.slot(Slot::Quiet, "waits"));
                let keeps = leaves_open.then(|| {
                    let left = self.reserve_left_open();
                    let slot = self.slot(Slot::Keeper(left), "runs_child");
                    Keeps { slot, left }
                });
                let kind = GateKind::OnChange {
                    key: *key,
                    waiting,
                    keeps,
                };
                match keeps {
                    Some(keeps) => self.leaving(node, (kind, keeps), input, out, context),
                    None => self.gate(node, kind, input, out, out, context),
                }
            }
            Kind::Scope { keys } => {
                let locals = (self.locals.len() as u32, keys.len() as u32);
                self.locals.extend(keys);
                self.gate(node, GateKind::Scope { locals }, input, out, out, context);
            }
            Kind::RunOnce { then_skip } => self.run_once(node, *then_skip, input, out, context),
            Kind::Cooldown { secs, else_skipped } => {
                let [until, _] = self.lasting(node, |run| [run.add_moment("ready_in_secs"), 0]);
                let hook = Hook::Cool {
                    secs: self.secs(node, secs, &None),
                    until,
                };
                let watched = self.register();
                let watch = self.watch_begin(node, watched, out, hook, context);
                // The gate comes before the watch: agents that are turned away are not watched.
                let begin = self.code.ops.pop().expect("the watch has begun");
                let gate = self.push_gate(
                    node,
                    GateKind::Cooling {
                        until,
                        else_skipped: *else_skipped,
                    },
                    (input, watched),
                    out,
                    context,
                );
                self.code.ops.push(begin);
                let inner = Context {
                    observed: true,
                    drop: false,
                    ..context
                };
                let child = behaviour.node(node).children[0];
                let (to, answers) = (watch.inner, answers_out(watch.answers));
                let range = self.node(child, to, answers, inner);
                self.watch_end(watch, range);
                self.code.gates[gate].child = range;
            }
            other => unreachable!("`{}` has no gate", other.keyword()),
        }
    }

    /// A gate with a time. If a child that is skipped at once does not end the run, a watch knows whose run goes on.
    fn timed(&mut self, node: NodeId, mut kind: GateKind, input: Reg, out: Out, context: Context) {
        if kind.kept_mut().is_none() {
            return self.gate(node, kind, input, out, out, context);
        }
        let start = kind.waiting().unwrap_or_else(|| self.next_slot());
        let watch = self.watch_begin(node, input, out, Hook::Keep, context);
        let (inner, answers) = (watch.inner, answers_out(watch.answers));
        let gate = self.code.gates.len();
        let observed = Context {
            observed: true,
            drop: false,
            ..context
        };
        self.gate(node, kind, inner, answers, answers, observed);
        let inside = self.range_from(start);
        let slot = self.next_slot();
        self.watch_end(watch, inside);
        if let Some(kept) = self.code.gates[gate].kind.kept_mut() {
            *kept = slot;
        }
    }

    /// A gate whose child stays open when it is skipped or aborted.
    fn leaving(
        &mut self,
        node: NodeId,
        (kind, keeps): (GateKind, Keeps),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let answers = std::array::from_fn(|_| self.register());
        let to = answers_out(answers);
        let inner = Context {
            drop: false,
            ..context
        };
        let gate = self.code.gates.len();
        self.gate(node, kind, input, out, to, inner);
        let child = self.code.gates[gate].child;
        let left = self.left_open(vec![child], child, Some(keeps.slot));
        self.code.left_open[keeps.left as usize] = left;
        self.code.leaves.push(Leave {
            answers,
            keeps,
            out,
        });
        let index = self.code.leaves.len() as u32 - 1;
        self.code.ops.push(Op::Leave(index));
    }

    fn run_once(&mut self, node: NodeId, then_skip: bool, input: Reg, out: Out, context: Context) {
        let columns = self.lasting(node, |run| {
            [run.add_bits("has_succeeded"), run.add_bits("has_failed")]
        });
        let kind = GateKind::Once {
            success: columns[0],
            failure: columns[1],
            then_skip,
        };
        let [success, failure] = [self.register(), self.register()];
        let answers = Out {
            success,
            failure,
            skipped: out.skipped,
        };
        self.gate(node, kind, input, out, answers, context);
        self.code.remembers.push(Remember {
            success,
            failure,
            columns,
            out,
        });
        let index = self.code.remembers.len() as u32 - 1;
        self.code.ops.push(Op::Remember(index));
    }

    /// A gate with its child; agents that are turned away go to `out`, the child answers to `answers`.
    fn gate(
        &mut self,
        node: NodeId,
        kind: GateKind,
        input: Reg,
        out: Out,
        answers: Out,
        context: Context,
    ) {
        let body = self.register();
        let index = self.push_gate(node, kind, (input, body), out, context);
        let inner = Context {
            observed: true,
            ..context
        };
        let child = self.behaviour.node(node).children[0];
        let range = self.node(child, body, answers, inner);
        self.code.gates[index].child = range;
    }

    fn push_gate(
        &mut self,
        node: NodeId,
        kind: GateKind,
        (input, body): (Reg, Reg),
        out: Out,
        context: Context,
    ) -> usize {
        self.code.gates.push(Gate {
            node,
            kind,
            input,
            body,
            child: Range::default(),
            out,
            reach: context.reach,
        });
        let index = self.code.gates.len() - 1;
        self.code.ops.push(Op::Gate(index as u32));
        index
    }

    /// Begins a watch: the node inside takes agents from its `inner` register and answers to its `answers`.
    pub(super) fn watch_begin(
        &mut self,
        node: NodeId,
        input: Reg,
        out: Out,
        hook: Hook,
        context: Context,
    ) -> Watch {
        let [inner, entered] = [self.register(), self.register()];
        let answers = std::array::from_fn(|_| self.register());
        let watch = Watch {
            node,
            input,
            inner,
            entered,
            answers,
            slot: 0,
            inside: Range::default(),
            hook,
            end: 0,
            reach: context.reach,
            drop: context.drop,
            out,
        };
        self.code.watches.push(watch);
        let index = self.code.watches.len() as u32 - 1;
        self.code.ops.push(Op::WatchBegin(index));
        watch
    }

    /// Ends the watch that began last and has not ended.
    pub(super) fn watch_end(&mut self, watch: Watch, inside: Range) {
        let index = self
            .code
            .watches
            .iter()
            .position(|known| known.input == watch.input)
            .expect("the watch has begun");
        let slot = self.slot(Slot::Hook(index as u32), "is_watched");
        let placed = &mut self.code.watches[index];
        placed.slot = slot;
        placed.inside = inside;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::WatchEnd(index as u32));
    }
}
