//! The code of choosers: random ones, tests with branches, switches, and lists with a catch.

use super::enclosing::answers_out;
use super::lists::{Catch, MemoryList};
use super::{Context, Count, Lowering, Side, wrong_family};
use crate::behaviour::{Kind, Yields};
use crate::blackboard::{Label, Part as FieldPart};
use crate::expr::Expr;
use crate::ids::NodeId;
use crate::program::op::{
    Again, Choice, CodePart, Hook, Mark, Op, Out, Random, RandomChild, Range, Reach, Reg,
    ResumeChild, SkipTo, Slot, Switch, Utility,
};

/// A catch that has its own part of the code outside the main one, and the machine around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    catch: NodeId,
    machine_around: Option<u32>,
    states_around: Option<u32>,
}

impl Lowering<'_> {
    /// A node whose test or expression chooses a child.
    pub(super) fn choice_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        let children = &node.children[..];
        match &node.kind {
            Kind::If {
                asks_again: false,
                leaves_open,
            } => self.if_once(children, *leaves_open, input, out, context),
            Kind::If {
                asks_again: true, ..
            } => self.reactive_if(children, (true, true), input, out, context),
            Kind::ReactiveIf { leaves_open } => {
                self.reactive_if(children, (false, *leaves_open), input, out, context);
            }
            Kind::Switch {
                cases,
                once,
                leaves_open,
            } => {
                let context = Context {
                    drop: !leaves_open || context.drop,
                    ..context
                };
                self.switch(id, (cases, *once, false), input, out, context);
            }
            Kind::SubtreeBy { cases } => {
                let context = Context {
                    drop: true,
                    ..context
                };
                self.switch(id, (cases, true, true), input, out, context);
            }
            Kind::Decide(decision) => self.decide(id, decision, input, out, context),
            Kind::Rules { rules, first } => self.rules(id, (rules, *first), input, out, context),
            other => wrong_family(other),
        }
    }

    /// A node that draws or scores its children.
    pub(super) fn draw_kind(&mut self, id: NodeId, input: Reg, out: Out, context: Context) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);

        match &node.kind {
            Kind::RandomSelector { replacement } => {
                self.random(id, (Side::Failure, *replacement), input, out, context);
            }
            Kind::RandomSequence { replacement } => {
                self.random(id, (Side::Success, *replacement), input, out, context);
            }
            Kind::WeightedSelector { .. } => {
                self.random(id, (Side::Failure, false), input, out, context);
            }
            Kind::UtilitySelector { .. } => {
                self.random(id, (Side::Failure, false), input, out, context);
            }
            other => wrong_family(other),
        }
    }

    /// `go` is the answer after which another child is drawn.
    pub(super) fn random(
        &mut self,
        node: NodeId,
        (go, replacement): (Side, bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let behaviour = self.behaviour;
        let mut utility = None;
        let mut fails_at_once = false;
        let weights = match &behaviour.node(node).kind {
            Kind::WeightedSelector { weights } => weights
                .iter()
                .map(|weight| self.expr(node, weight))
                .collect(),
            Kind::UtilitySelector {
                scores,
                policy,
                hysteresis,
                reactive,
                fails,
            } => {
                fails_at_once = *fails;
                utility = Some(Utility {
                    among: policy.among(scores.len()) as u32,
                    hysteresis: self.expr(node, hysteresis),
                    reactive: *reactive,
                });
                let children = scores.len();
                let codes = scores.iter().map(|score| self.score(score, children));
                codes.collect()
            }
            _ => Vec::new(),
        };
        let between = replacement.then(|| self.slot(Slot::Quiet, "goes_on_next_tick"));
        let [go_register, skipped, scope] = std::array::from_fn(|_| self.register());
        let (went, draws) = (
            self.run.add_bits(Label::run("has_gone")),
            self.counter(node, Count::Draws),
        );
        let index = self.code.randoms.len() as u32;
        self.code.randoms.push(Random {
            end: 0,
            node,
            input,
            children: Vec::new(),
            go: go_register,
            skipped,
            went,
            draws,
            weights,
            utility,
            between,
            reach: context.reach,
            scope,
            out_go: out.side(go),
            out_skipped: out.skipped,
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
        let again = if fails_at_once {
            out.side(go)
        } else {
            go_register
        };
        let placed = behaviour.node(node).children.iter().map(|&child| {
            let input = self.register();
            let answers = Out::of(go, again, out.side(go.other()), SkipTo::plain(skipped));
            let range = self.node(child, input, answers, inner);
            RandomChild {
                input,
                range,
                tried: self.run.add_bits(("tried", FieldPart::Node(child))),
            }
        });
        let placed = placed.collect();
        self.code.randoms[index as usize].children = placed;
        self.code.randoms[index as usize].end = self.code.ops.len() as u32;
        self.code.ops.push(Op::RandomEnd(index));
    }

    /// A test that is asked at the start, then a branch. Agents with something live continue there.
    pub(super) fn if_once(
        &mut self,
        children: &[NodeId],
        leaves_open: bool,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let resume = self.begin_resume(input, Mark::None, None, Reg::NONE);
        let inputs = [self.register(), self.register(), self.register()];
        let test_out = Out {
            success: inputs[1],
            failure: if children.len() > 2 {
                inputs[2]
            } else {
                out.failure
            },
            skipped: out.skipped,
        };
        let branch = Context {
            observed: true,
            drop: !leaves_open || context.drop,
            ..context
        };
        let placed = children
            .iter()
            .zip(inputs)
            .enumerate()
            .map(|(index, (&child, input))| {
                let range = if index == 0 {
                    self.node(child, input, test_out, context)
                } else {
                    self.node(child, input, out, branch)
                };
                ResumeChild {
                    range,
                    own: range,
                    input,
                    held: Reg::NONE,
                    continued: Reg::NONE,
                }
            });
        let placed = placed.collect();
        self.end_resume(resume, placed);
    }

    /// A test that is asked in every tick, then a branch. If it asks `again`, the test is only asked when the branch did
    /// not answer running last, and leaves the branch open when it fails.
    pub(super) fn reactive_if(
        &mut self,
        children: &[NodeId],
        (again, leaves_open): (bool, bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let [
            entered,
            test,
            success,
            failure,
            skipped,
            then_input,
            held,
            passing,
        ] = std::array::from_fn(|_| self.register());
        let otherwise = children.get(2).copied();
        let else_input = match otherwise {
            Some(_) => self.register(),
            None => out.failure,
        };
        let again = again.then(|| Again {
            goes_on: self.slot(Slot::Quiet, "goes_on"),
            left: self.reserve_left_open(),
            reach: context.reach,
            answers: std::array::from_fn(|_| self.register()),
            out,
        });
        let index = self.code.choices.len() as u32;
        self.code.choices.push(Choice {
            input,
            entered,
            test,
            success,
            failure,
            skipped,
            then_input,
            else_input,
            then_range: Range::default(),
            else_range: Range::default(),
            held,
            outer_held: context.reach.held,
            passing,
            drop: context.drop,
            out_skipped: out.skipped,
            again,
            choose: 0,
            end: 0,
        });
        self.code.ops.push(Op::ChoiceBegin(index));
        let answers = answers_out([success, failure, skipped]);
        self.node(children[0], test, answers, context);
        self.code.choices[index as usize].choose = self.code.ops.len() as u32;
        self.code.ops.push(Op::Choose(index));
        let branch = Context {
            reach: Reach {
                scope: context.reach.scope,
                held,
            },
            observed: true,
            drop: !leaves_open || context.drop,
        };
        let branch_out = again.map_or(out, |again| answers_out(again.answers));
        let then_range = self.node(children[1], then_input, branch_out, branch);
        if let Some(again) = again {
            self.code.left_open[again.left as usize] =
                self.left_open(vec![then_range], then_range, None);
        }
        let else_range = match otherwise {
            Some(child) => self.node(child, else_input, out, branch),
            None => Range::default(),
        };
        let choice = &mut self.code.choices[index as usize];
        choice.then_range = then_range;
        choice.else_range = else_range;
        choice.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::ChoiceEnd(index));
    }

    pub(super) fn switch(
        &mut self,
        node: NodeId,
        (cases, once, must_hold): (&[Expr], bool, bool),
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let cases = cases.iter().map(|case| self.expr(node, case)).collect();
        let index = self.code.switches.len();
        self.code.switches.push(Switch {
            node,
            input,
            cases,
            children: Vec::new(),
            once,
            must_hold,
            out_failure: out.failure,
        });
        self.code.ops.push(Op::Switch(index as u32));
        let inner = Context {
            observed: true,
            ..context
        };
        let behaviour = self.behaviour;
        let placed = behaviour.node(node).children.iter().map(|&child| {
            let input = self.register();
            (input, self.node(child, input, out, inner))
        });
        let placed = placed.collect();
        self.code.switches[index].children = placed;
    }

    pub(super) fn try_catch(
        &mut self,
        node: NodeId,
        on_abort: bool,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let behaviour = self.behaviour;
        let (&catch, children) = behaviour
            .node(node)
            .children
            .split_last()
            .expect("a try-catch has children");
        let catch_input = self.register();
        let to_catch = Out {
            failure: catch_input,
            ..out
        };
        let mut list = MemoryList {
            children,
            go: Side::Success,
            yields: Yields::Never,
            sticky: None,
            catch: None,
        };
        if !on_abort {
            list.catch = Some(Catch {
                node: catch,
                input: catch_input,
                out: out.failure,
            });
            self.memory_list(&list, input, to_catch, context);
            return;
        }
        // The tried children are inside a watch. Before it, agents that resume in the children are separated from
        // agents that resume in the catch.
        let resume = self.begin_resume(input, Mark::None, None, Reg::NONE);
        let tried_input = self.register();
        let part = self.catch_part(catch);
        let hook = Hook::Catch { part };
        let watch = self.watch_begin(node, tried_input, to_catch, hook, context);
        let start = self.next_slot();
        let (inner, answers) = (watch.inner, answers_out(watch.answers));
        let observed = Context {
            observed: true,
            drop: true,
            ..context
        };
        if children.iter().any(|child| self.known(*child).loose) {
            let ends = Out {
                success: self.register(),
                failure: self.register(),
                skipped: answers.skipped,
            };
            self.memory_list(&list, inner, ends, observed);
            let tried = self.range_from(start);
            self.close(ends, false, tried, answers);
        } else {
            self.memory_list(&list, inner, answers, observed);
        }
        let tried = self.range_from(start);
        self.watch_end(watch, tried);
        let tried = self.range_from(start);
        let caught = self.catch_child(
            Catch {
                node: catch,
                input: catch_input,
                out: out.failure,
            },
            context,
        );
        let children = vec![
            ResumeChild {
                range: tried,
                own: tried,
                input: tried_input,
                held: Reg::NONE,
                continued: Reg::NONE,
            },
            caught,
        ];
        self.end_resume(resume, children);
    }

    /// The part of the code that runs a catch after an abort. Each catch has one, wherever its node is.
    fn catch_part(&mut self, catch: NodeId) -> u32 {
        if let Some(part) = self.parts.iter().position(|known| known.catch == catch) {
            return part as u32;
        }
        self.parts.push(Part {
            catch,
            machine_around: self.machine_around,
            states_around: self.states_around,
        });
        self.code.parts.push(CodePart::default());
        self.parts.len() as u32 - 1
    }

    /// Emits the parts outside the main code. Emitting one may request more.
    pub(super) fn emit_parts(&mut self) {
        let mut index = 0;
        while let Some(&part) = self.parts.get(index) {
            self.machine_around = part.machine_around;
            self.states_around = part.states_around;
            let (input, answers) = (self.register(), self.register());
            let start = self.code.ops.len() as u32;
            let out = Out {
                success: answers,
                failure: answers,
                skipped: SkipTo::plain(answers),
            };
            let context = Context {
                reach: Reach {
                    scope: Reg::NONE,
                    held: Reg::NONE,
                },
                observed: true,
                drop: false,
            };
            let slots = self.node(part.catch, input, out, context);
            self.code.parts[index] = CodePart {
                start,
                end: self.code.ops.len() as u32,
                input,
                answers,
                slots,
            };
            index += 1;
        }
    }
}
