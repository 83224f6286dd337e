//! The scores of the children of a `utility-selector`.

use super::curve::Parameters;
use super::expressions::value_of;
use super::line::Line;
use super::reading::finish_in;
use super::{Checker, stranger};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{COMBINE, Spot};
use crate::said;
use crate::syntax::{Entry, Node};
use treemind_core::behaviour::{Combine, Consideration, MAX_CONSIDERATIONS, Score, Scoring};
use treemind_core::{Expr, Type, Value};

/// The name of the block and the property.
pub(super) const SCORE: &str = "score";

impl Checker<'_> {
    /// The score of a node whose parent is of the kind `above`, if it needs one.
    pub(super) fn score_under(
        &mut self,
        above: Option<&str>,
        line: &mut Line<'_>,
    ) -> Option<Score> {
        if above == Some("utility-selector") {
            return self.score(line);
        }
        no_score(line, self.sink);
        None
    }

    /// The score of a goal, which is 1 if it has none.
    pub(super) fn goal_score(&mut self, line: &mut Line<'_>) -> Option<Score> {
        if line.has(SCORE) || line.has("weight") || blocks(line.node).next().is_some() {
            return self.score(line);
        }
        Some(Score {
            made: Scoring::Expr(Expr::Value(Value::Double(1.0))),
            weight: None,
        })
    }

    /// Reads `score=` and `weight=`, or the block `score`, of a child of a `utility-selector`.
    fn score(&mut self, line: &mut Line<'_>) -> Option<Score> {
        let weight = match line.property("weight") {
            Some(entry) => self.not_negative(entry, &said!("`weight`")).map(Some),
            None => Some(None),
        };
        let property = line.property(SCORE);
        let mut blocks = blocks(line.node);
        let block = blocks.next();
        if let Some(other) = blocks.next().or(block.filter(|_| property.is_some())) {
            let message = said!("this node already has a score");
            self.sink
                .error(Code::Duplicate, other.name.span.clone(), message)
                .with_help(said!(
                    "to consider several things, write several `consider` into one `score`"
                ));
            return None;
        }
        match (property, block) {
            (Some(entry), _) => {
                let score = self.not_negative(entry, &said!("`score`"))?;
                if score == Expr::Value(Value::Double(0.0)) {
                    let message = match line.node.name.value.as_str() {
                        "goal" => said!("this goal is never pursued: its score is 0"),
                        _ => said!("this child can never run: its score is 0"),
                    };
                    self.sink
                        .warning(Code::NeverRuns, entry.value_span.clone(), message)
                        .with_help(said!(
                            "to switch a node off for now, use `disabled={}`",
                            "#true"
                        ));
                }
                Some(Score {
                    made: Scoring::Expr(score),
                    weight: weight?,
                })
            }
            (None, Some(block)) => self.score_block(block, weight?),
            (None, None) => {
                let message = said!("this child of a `utility-selector` has no score");
                self.sink
                    .error(Code::MissingValue, line.node.span.clone(), message)
                    .with_help(said!(
                        "add `score=0.5`, an expression, or a block `score { consider \"…\"; }`"
                    ));
                None
            }
        }
    }

    fn score_block(&mut self, block: &Node, beside: Option<Expr>) -> Option<Score> {
        let mut line = Line::new(block, self.sink);
        line.no_values(self.sink);
        let weight = match line.property("weight") {
            Some(entry) if beside.is_some() => {
                let message = said!("this score already has a weight, on its node");
                self.sink
                    .error(Code::Duplicate, entry.span.clone(), message);
                None
            }
            Some(entry) => self.not_negative(entry, &said!("`weight`")),
            None => beside,
        };
        let score = self.combined(&mut line, Some(weight));
        finish_in(line, Spot::Score, self.sink);
        score
    }

    /// The `weight` on a line: `Some(None)` if there is none, `None` after a mistake.
    pub(super) fn own_weight(&mut self, line: &mut Line<'_>) -> Option<Option<Expr>> {
        match line.property("weight") {
            Some(entry) => self.not_negative(entry, &said!("`weight`")).map(Some),
            None => Some(None),
        }
    }

    /// The score of the considerations in the block of a node, combined as its line says. After a mistake in its weight,
    /// the rest is checked all the same.
    pub(super) fn combined(
        &mut self,
        line: &mut Line<'_>,
        weight: Option<Option<Expr>>,
    ) -> Option<Score> {
        let block = line.node;
        let compensated = line.flag("compensate", self.sink);
        let combine = self.read(line, &COMBINE);
        let combine = combine.map(|combine| match combine {
            Combine::Product { .. } => Combine::Product { compensated },
            combine => combine,
        });
        if let Some(entry) = line.property("compensate")
            && compensated
            && combine.is_some_and(|combine| !matches!(combine, Combine::Product { .. }))
        {
            let message = said!("`compensate` is only allowed with `combine=product`");
            self.sink
                .error(Code::Contradiction, entry.span.clone(), message)
                .with_help(said!("remove it, or write `combine=product`"));
        }
        let considerations = self.considerations(block)?;
        if combine == Some(Combine::Average) {
            some_weight(block, &considerations, self.sink);
        }
        Some(Score {
            made: Scoring::Combined(combine?, considerations),
            weight: weight?,
        })
    }

    /// All considerations, or `None` after a mistake in one.
    fn considerations(&mut self, block: &Node) -> Option<Vec<Consideration>> {
        let mut considerations = Vec::new();
        let mut is_sound = true;
        for child in block.children() {
            if block.name.value == "rate" && Spot::Score.has(&child.name.value) {
                continue;
            }
            if child.name.value != "consider" {
                let place = said!("in a `{}`", block.name.value);
                stranger(child, &place, &Spot::Considered.list(), self.sink);
                is_sound = false;
                continue;
            }
            if considerations.len() == MAX_CONSIDERATIONS {
                let message = said!(
                    "a score can have at most {} considerations",
                    MAX_CONSIDERATIONS
                );
                self.sink
                    .error(Code::ExtraChildren, child.span.clone(), message);
                return None;
            }
            match self.consideration(child) {
                Some(consideration) => considerations.push(consideration),
                None => is_sound = false,
            }
        }
        if is_sound && considerations.is_empty() {
            let message = said!("this `{}` has no `consider`", block.name.value);
            self.sink
                .error(Code::MissingChildren, block.span.clone(), message)
                .with_help(said!("add one to its block: `consider \"health / 100\"`"));
            return None;
        }
        is_sound.then_some(considerations)
    }

    fn consideration(&mut self, node: &Node) -> Option<Consideration> {
        let mut line = Line::new(node, self.sink);
        let entry = value_of(
            &line,
            &said!("an expression"),
            "consider \"health / 100\"",
            self.sink,
        );
        let of = entry.and_then(|entry| {
            self.asked(|checker| checker.number(entry, Type::Double, &said!("an expression")))
                .ok()
        });
        let weight = match line.property("weight") {
            Some(entry) => self.share(entry).map(Some),
            None => Some(None),
        };
        let mut parameters = Parameters::new(&mut line, self.sink);
        let curve = parameters.curve();
        finish_in(line, Spot::Considered, self.sink);
        Some(Consideration {
            of: of?,
            curve: curve?,
            weight: weight?,
        })
    }

    /// The weight of a consideration; a literal is from 0 to 1.
    fn share(&mut self, entry: &Entry) -> Option<Expr> {
        let weight = self.not_negative(entry, &said!("`weight`"))?;
        if let Expr::Value(Value::Double(value)) = weight
            && value > 1.0
        {
            let message = said!("the weight of a consideration must be between 0 and 1");
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message)
                .with_help(said!(
                    "to make one consideration count more, lower the weights of the others"
                ));
            return None;
        }
        Some(weight)
    }
}

/// Reports a score where the parent does not choose by score.
fn no_score(line: &mut Line<'_>, sink: &mut Sink) {
    let property = line.property(SCORE).map(|entry| entry.span.clone());
    let block = blocks(line.node).next().map(|block| block.span.clone());
    if let Some(span) = property.or(block) {
        let message = said!("a `score` is only allowed on children of a `utility-selector`");
        sink.error(Code::MisplacedNode, span, message)
            .with_help(said!(
                "remove it, or change the parent into a `utility-selector`"
            ));
    }
}

/// Reports an average whose weights are all 0.
fn some_weight(block: &Node, considerations: &[Consideration], sink: &mut Sink) {
    let is_none = |one: &Consideration| one.weight == Some(Expr::Value(Value::Double(0.0)));
    if considerations.iter().all(is_none) {
        let message = said!("all weights of this average are 0");
        sink.error(Code::BadNumber, block.span.clone(), message);
    }
}

/// The `score` blocks of a node.
fn blocks(node: &Node) -> impl Iterator<Item = &Node> {
    node.children()
        .iter()
        .filter(|child| child.name.value == SCORE && node.name.value != "find")
}
