//! The tests of decision trees.

use super::super::expressions::value_of;
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::super::{Checker, stranger};
use super::{Draft, Goal, Item, Open};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{self, Spot, TIMEOUT_TICKS};
use crate::syntax::{Node, Value as Written};
use crate::{Said, said};
use treemind_core::behaviour::{self, DecisionStep, Lasts, Way};
use treemind_core::{Expr, Type, Value};

/// A placeholder for a way whose end is not known yet.
pub(super) const UNKNOWN: Way = Way::None;

/// The weight or score of an option, and where it leads.
type Weighed = (Expr, Way);

impl<'s> Checker<'s> {
    /// `test "EXPR" { … }`
    pub(super) fn test_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        let test = self.test_of(&line);
        line.flag("disabled", self.sink);
        finish_in(line, Spot::Decision, self.sink);
        let sides = sides(draft, part, node, self.sink);
        let step = DecisionStep::Test {
            test: test?,
            yes: UNKNOWN,
            no: UNKNOWN,
        };
        Some(two_ways(draft, node, step, sides?))
    }

    fn test_of(&mut self, line: &Line<'_>) -> Option<Expr> {
        let entry = value_of(
            line,
            &said!("an expression"),
            "test \"health < 20\"",
            self.sink,
        )?;
        match &entry.value {
            Written::Text(text) => {
                let skip = usize::from(text.value.starts_with('='));
                self.asked(|checker| checker.expression(text, skip, Type::Bool))
                    .ok()
            }
            Written::Bool(value) => Some(Expr::Value(Value::Bool(*value))),
            Written::Bad => None,
            _ => {
                let message = said!("`test` needs an expression that is true or false");
                self.sink
                    .error(Code::WrongType, entry.span.clone(), message)
                    .with_help(said!("put it in quotes: `test \"health < 20\"`"));
                None
            }
        }
    }

    /// `range "EXPR" min=0 max=5 { … }`, both ends included.
    pub(super) fn range_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        let subject = self.subject(&line);
        line.flag("disabled", self.sink);
        let ends = (line.property("min"), line.property("max"));
        finish_in(line, Spot::Decision, self.sink);
        let test = if ends.0.is_none() && ends.1.is_none() {
            let message = said!("this `range` has no limits");
            self.sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!(
                    "add `min=`, `max=` or both; a range includes its limits"
                ));
            None
        } else {
            subject.and_then(|subject| {
                let range = self
                    .scope
                    .range(node, ends, subject.expr.ty(), "range", self.sink)?;
                Some(subject.test(&range))
            })
        };
        let sides = sides(draft, part, node, self.sink);
        let step = DecisionStep::Test {
            test: test?,
            yes: UNKNOWN,
            no: UNKNOWN,
        };
        Some(two_ways(draft, node, step, sides?))
    }

    /// `test-condition NAME not=#true { … }`
    pub(super) fn ask_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let word = language::node_word("condition")?;
        let mut line = Line::new(node, self.sink);
        let name = line.text("name", self.sink);
        let doc = line.doc(self.sink);
        line.flag("disabled", self.sink);
        let of = draft.parts[part].of;
        self.leaf_name(draft, of, node);
        let kind = self.condition(&mut line, word);
        finish_in(line, Spot::Decision, self.sink);
        let child = kind.map(|kind| behaviour::Node {
            name: name.map(|name| name.value.clone()),
            doc,
            ..behaviour::Node::leaf(kind)
        });
        let child = draft.child(child, &node.span);
        let sides = sides(draft, part, node, self.sink);
        let step = DecisionStep::Ask {
            child: child?,
            yes: UNKNOWN,
            no: UNKNOWN,
        };
        Some(two_ways(draft, node, step, sides?))
    }

    /// `switch "EXPR" { case 1 2 { … }; default { … } }`
    pub(super) fn switch_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        let mut subject = self.subject(&line);
        line.flag("disabled", self.sink);
        finish_in(line, Spot::Decision, self.sink);
        let mut cases = Vec::new();
        let mut goals = Vec::new();
        let mut default = None;
        let mut spans = (Vec::new(), None);
        let mut is_sound = true;
        for child in present(node.children()) {
            if self.sink.is_full() {
                return None;
            }
            match child.name.value.as_str() {
                "case" => {
                    if default.is_some() && is_sound {
                        is_sound = false;
                        let message = said!("`default` must come after all cases");
                        self.sink
                            .error(Code::MisplacedNode, child.span.clone(), message)
                            .with_help(said!("move this case before it"));
                    }
                    let case = self.case(child, subject.as_mut());
                    let goal = block_of(draft, part, child, self.sink);
                    is_sound &= case.is_some() && goal.is_some();
                    cases.extend(case);
                    goals.extend(goal);
                    spans.0.push(child.span.clone());
                }
                "default" if default.is_some() => {
                    is_sound = false;
                    let message = said!("this `switch` already has a `default`");
                    self.sink
                        .error(Code::Duplicate, child.span.clone(), message);
                }
                "default" => {
                    if subject
                        .as_ref()
                        .is_some_and(|subject| self.takes_all(subject))
                    {
                        let message =
                            said!("this `default` is never chosen: the cases take every value");
                        self.sink
                            .warning(Code::NeverRuns, child.span.clone(), message);
                    } else {
                        spans.1 = Some(child.span.clone());
                    }
                    default = side_part(draft, part, child, self.sink);
                    is_sound &= default.is_some();
                }
                _ => {
                    is_sound = false;
                    stranger(
                        child,
                        &said!("in a `switch`"),
                        &Spot::DecisionCase.list(),
                        self.sink,
                    );
                }
            }
        }
        if cases.is_empty() && is_sound {
            empty(
                node,
                &said!("has no case"),
                said!("try `case 1 2 { … }` or `case min=0 max=5 { … }`"),
                self.sink,
            );
            is_sound = false;
        }
        let subject = subject?;
        if !is_sound {
            return None;
        }
        let takes_all = self.takes_all(&subject);
        let is_over = default.is_some() || takes_all;
        let cases: Vec<(Expr, Way)> = cases.into_iter().map(|case| (case, UNKNOWN)).collect();
        let last = goals.len();
        goals.push(default.unwrap_or(Goal::None));
        let step = DecisionStep::Switch {
            cases,
            otherwise: UNKNOWN,
        };
        let step = draft.step(step, goals, node);
        draft.steps[step].takes_all = takes_all;
        (draft.steps[step].cases, draft.steps[step].default) = spans;
        Some(Item {
            goal: Goal::Step(step),
            open: (!is_over).then_some(Open::Way(step, last)),
        })
    }

    /// `random timeout=8.0 { option 2 { … }; option 1 { … } }`
    pub(super) fn random_step(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<Item> {
        let mut line = Line::new(node, self.sink);
        line.no_values(self.sink);
        line.flag("disabled", self.sink);
        let lasts = self.lasts(&mut line);
        finish_in(line, Spot::Decision, self.sink);
        let read = self.options(draft, part, node);
        let lasts = lasts?;
        let (options, mut goals) = read?;
        // If one option is sure to have a weight, no way is left over.
        let is_over = options.iter().any(
            |(weight, _)| matches!(weight, Expr::Value(Value::Double(weight)) if *weight > 0.0),
        );
        let last = goals.len();
        goals.push(Goal::None);
        let step = DecisionStep::Random {
            options,
            otherwise: UNKNOWN,
            lasts,
        };
        let step = draft.step(step, goals, node);
        Some(Item {
            goal: Goal::Step(step),
            open: (!is_over).then_some(Open::Way(step, last)),
        })
    }

    /// The options of a draw, or of a choice by scores, with where they lead.
    pub(super) fn options(
        &mut self,
        draft: &mut Draft<'s>,
        part: usize,
        node: &'s Node,
    ) -> Option<(Vec<Weighed>, Vec<Goal>)> {
        let mut options = Vec::new();
        let mut goals = Vec::new();
        let mut is_sound = true;
        let is_best = node.name.value == "best";
        for child in present(node.children()) {
            if self.sink.is_full() {
                return None;
            }
            if child.name.value != "option" {
                is_sound = false;
                let place = said!("in a `{}`", node.name.value);
                stranger(child, &place, &Spot::Option.list(), self.sink);
                continue;
            }
            let weight = self.option_weight(child, is_best);
            let goal = block_of(draft, part, child, self.sink);
            is_sound &= weight.is_some() && goal.is_some();
            options.extend(weight.map(|weight| (weight, UNKNOWN)));
            goals.extend(goal);
        }
        if options.is_empty() && is_sound {
            empty(
                node,
                &said!("has no option"),
                match is_best {
                    true => said!("add options with their scores, such as `option 0.5 { … }`"),
                    false => said!("add options with their weights, such as `option 2 { … }`"),
                },
                self.sink,
            );
            is_sound = false;
        }
        is_sound.then_some((options, goals))
    }

    /// How long a draw is kept.
    fn lasts(&mut self, line: &mut Line<'_>) -> Option<Lasts> {
        let ticks = self.read(line, &TIMEOUT_TICKS);
        let Some(entry) = line.property("timeout") else {
            return Some(ticks?.map_or(Lasts::Always, Lasts::Ticks));
        };
        if line.has("timeout-ticks") {
            let message = said!("a `random` cannot have both `timeout` and `timeout-ticks`");
            self.sink
                .error(Code::Contradiction, entry.span.clone(), message)
                .with_help(said!("remove one of the two"));
            return None;
        }
        self.time(entry, &said!("`timeout` of `random`"))
            .map(Lasts::Secs)
    }

    /// `option WEIGHT { … }`, or `option SCORE { … }` of a `best`.
    fn option_weight(&mut self, node: &Node, is_best: bool) -> Option<Expr> {
        let mut line = Line::new(node, self.sink);
        line.flag("disabled", self.sink);
        let (its, what) = match is_best {
            true => (said!("its score"), said!("the score of an option")),
            false => (said!("its weight"), said!("the weight of an option")),
        };
        let entry = value_of(&line, &its, "option 2.0 { … }", self.sink);
        finish_in(line, Spot::Option, self.sink);
        let entry = entry?;
        let weight = self
            .asked(|checker| checker.number(entry, Type::Double, &what))
            .ok()?;
        match weight {
            Expr::Value(Value::Double(value)) if value < 0.0 => {
                let (message, help) = match is_best {
                    true => (
                        said!("a score cannot be negative"),
                        said!("use the score 0 for an option that is never chosen"),
                    ),
                    false => (
                        said!("a weight cannot be negative"),
                        said!("use the weight 0 for an option that is never drawn"),
                    ),
                };
                self.sink
                    .error(Code::BadNumber, entry.value_span.clone(), message)
                    .with_help(help);
                None
            }
            Expr::Value(Value::Double(0.0)) => {
                let message = match is_best {
                    true => said!("this option is never chosen: its score is 0"),
                    false => said!("this option is never drawn: its weight is 0"),
                };
                self.sink
                    .warning(Code::NeverRuns, entry.value_span.clone(), message)
                    .with_help(said!(
                        "to switch it off for now, use `disabled={}`",
                        "#true"
                    ));
                Some(weight)
            }
            _ => Some(weight),
        }
    }
}

/// Where a test leads when it holds and when it does not; `None` continues with the next line.
fn sides<'s>(
    draft: &mut Draft<'s>,
    part: usize,
    node: &'s Node,
    sink: &mut Sink,
) -> Option<[Option<Goal>; 2]> {
    let word = node.name.value.as_str();
    let is_param = |child: &&Node| word == "test-condition" && child.name.value == "param";
    let mut nodes = present(node.children());
    nodes.retain(|child| !is_param(child));
    let is_side = |child: &&Node| matches!(child.name.value.as_str(), "yes" | "no");
    if nodes.is_empty() {
        empty(
            node,
            &said!("leads to nothing"),
            said!("write a task into its block, or `none` to do nothing"),
            sink,
        );
        return None;
    }
    if !nodes.iter().any(is_side) {
        return Some([Some(block_part(draft, part, nodes)), None]);
    }
    let mut sides = [None, None];
    let mut is_sound = true;
    for child in nodes {
        let side = match child.name.value.as_str() {
            "yes" => 0,
            "no" => 1,
            _ => {
                let message = said!(
                    "this is next to the sides of a `{}`, not in one of them",
                    word
                );
                sink.error(Code::MisplacedNode, child.span.clone(), message)
                    .with_help(said!("move it into `yes { … }` or `no { … }`"));
                is_sound = false;
                continue;
            }
        };
        if sides[side].is_some() {
            let message = said!("this `{}` already has a `{}`", word, child.name.value);
            sink.error(Code::Duplicate, child.span.clone(), message);
            is_sound = false;
            continue;
        }
        sides[side] = side_part(draft, part, child, sink);
        is_sound &= sides[side].is_some();
    }
    is_sound.then_some(sides)
}

/// `yes { … }`, `no { … }` or `default { … }`
fn side_part<'s>(
    draft: &mut Draft<'s>,
    part: usize,
    node: &'s Node,
    sink: &mut Sink,
) -> Option<Goal> {
    let mut line = Line::new(node, sink);
    line.no_values(sink);
    line.flag("disabled", sink);
    if let Some(word) = language::find(&[Spot::Side, Spot::DecisionCase], &node.name.value) {
        line.finish(word, sink);
    }
    block_of(draft, part, node, sink)
}

/// The block of a side, case, option or branch.
fn block_of<'s>(
    draft: &mut Draft<'s>,
    part: usize,
    node: &'s Node,
    sink: &mut Sink,
) -> Option<Goal> {
    let nodes = present(node.children());
    if nodes.is_empty() {
        empty(
            node,
            &said!("leads to nothing"),
            said!("to do nothing, write `none`"),
            sink,
        );
        return None;
    }
    Some(block_part(draft, part, nodes))
}

pub(super) fn empty(node: &Node, what: &Said, help: Said, sink: &mut Sink) {
    let message = said!("this `{}` {}", node.name.value, what);
    sink.error(Code::MissingChildren, node.span.clone(), message)
        .with_help(help);
}

/// Makes a block into a part of the same definition and branch as `part`.
fn block_part<'s>(draft: &mut Draft<'s>, part: usize, nodes: Vec<&'s Node>) -> Goal {
    let (of, branch) = (draft.parts[part].of, draft.parts[part].branch);
    let block = draft.part(nodes, of, branch);
    draft.pending.push(block);
    Goal::Part(block)
}

/// A test with its sides; a missing side continues with the next line.
fn two_ways<'n>(
    draft: &mut Draft<'n>,
    node: &'n Node,
    step: DecisionStep,
    sides: [Option<Goal>; 2],
) -> Item {
    let open = sides.iter().position(Option::is_none);
    let goals = sides.map(|side| side.unwrap_or(Goal::None)).to_vec();
    let step = draft.step(step, goals, node);
    Item {
        goal: Goal::Step(step),
        open: open.map(|way| Open::Way(step, way)),
    }
}
