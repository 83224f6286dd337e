//! Scores and considerations in an outline.

use super::{expression, number_text};
use std::fmt::Write;
use treemind_core::behaviour::{Combine, Consideration, Find, Score, Scoring};
use treemind_core::{Behaviour, Curve, Expr, Kind, NodeId, Value};

/// The score of a child of a `utility-selector`.
fn score_of(behaviour: &Behaviour, id: NodeId) -> Option<&Score> {
    let parent = behaviour.node(behaviour.node(id).parent?);
    let Kind::UtilitySelector { scores, .. } = &parent.kind else {
        return None;
    };
    let index = parent
        .children
        .partition_point(|child| child.index() < id.index());
    scores.get(index)
}

/// The score of a node on its line, if it has one: properties with what is written, and the expression if it is one.
pub(super) fn score_properties(
    behaviour: &Behaviour,
    id: NodeId,
) -> Vec<(&'static str, String, Option<&Expr>)> {
    score_of(behaviour, id).map_or_else(Vec::new, |score| properties_of(behaviour, score))
}

/// The same for a score.
#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn properties_of<'b>(
    behaviour: &Behaviour,
    score: &'b Score,
) -> Vec<(&'static str, String, Option<&'b Expr>)> {
    let mut all = Vec::new();
    match &score.made {
        Scoring::Expr(expr) => {
            let text = match matches!(expr, Expr::Value(_)) {
                true => number_text(behaviour, expr),
                false => format!("\"{}\"", expression(behaviour, expr)),
            };
            all.push(("score", text, Some(expr)));
        }
        Scoring::Combined(combine, _) => {
            let word = match combine {
                Combine::Product { .. } => "product",
                Combine::Min => "min",
                Combine::Max => "max",
                Combine::Average => "average",
                _ => treemind_core::unlisted(&combine),
            };
            all.push(("score", word.to_owned(), None));
            if *combine == (Combine::Product { compensated: true }) {
                all.push(("compensate", "#true".to_owned(), None));
            }
        }
        _ => treemind_core::unlisted(&score.made),
    };
    if let Some(weight) = &score.weight {
        all.push(("weight", number_text(behaviour, weight), Some(weight)));
    }
    all
}

/// Writes the score of a node on its line, if it has one.
pub(super) fn score(behaviour: &Behaviour, id: NodeId, out: &mut String) {
    for (name, text, _) in score_properties(behaviour, id) {
        let _ = write!(out, " {name}={text}");
    }
}

fn weight(behaviour: &Behaviour, weight: Option<&Expr>, out: &mut String) {
    if let Some(weight) = weight {
        let _ = write!(out, " weight={}", number_text(behaviour, weight));
    }
}

/// A line for each consideration of the score of a node, and how much deeper it stands than the first.
pub(crate) fn considerations(behaviour: &Behaviour, id: NodeId) -> Vec<(usize, String)> {
    let rated = match &behaviour.node(id).kind {
        Kind::Rate { score, .. } => Some(&**score),
        Kind::Find(find) => return found(behaviour, find),
        _ => None,
    };
    let score = score_of(behaviour, id).or(rated);
    let lines = score.map_or_else(Vec::new, |score| considered(behaviour, score));
    lines.into_iter().map(|line| (0, line)).collect()
}

/// What the block of a `find` says.
fn found(behaviour: &Behaviour, find: &Find) -> Vec<(usize, String)> {
    let keeps = find.keeps.iter();
    let mut lines: Vec<(usize, String)> = keeps
        .map(|keep| (0, format!("keep \"{}\"", expression(behaviour, keep))))
        .collect();
    let one = Score::of(Expr::Value(Value::Double(1.0)));
    if find.score != one {
        let mut line = "score".to_owned();
        for (name, text, _) in properties_of(behaviour, &find.score) {
            let _ = match (name, &find.score.made) {
                ("score", Scoring::Expr(_)) => write!(line, " {text}"),
                ("score", _) => write!(line, " combine={text}"),
                _ => write!(line, " {name}={text}"),
            };
        }
        lines.push((0, line));
        let considered = considered(behaviour, &find.score).into_iter();
        lines.extend(considered.map(|line| (2, line)));
    }
    lines
}

/// A line for each consideration of a score.
pub(crate) fn considered(behaviour: &Behaviour, score: &Score) -> Vec<String> {
    let considered = score.considerations();
    considered
        .iter()
        .map(|one| consideration(behaviour, one))
        .collect()
}

#[warn(clippy::wildcard_enum_match_arm)]
fn consideration(behaviour: &Behaviour, one: &Consideration) -> String {
    let mut out = format!("consider \"{}\"", expression(behaviour, &one.of));
    let _ = write!(out, " curve={}", one.curve.name());
    let _ = match &one.curve {
        Curve::Linear { slope, offset } => write!(out, " slope={slope:?} offset={offset:?}"),
        Curve::Power { exponent } => write!(out, " exponent={exponent:?}"),
        Curve::Logistic { mid, steep } => write!(out, " mid={mid:?} steep={steep:?}"),
        Curve::Exponential { steep } => write!(out, " steep={steep:?}"),
        Curve::Step { at } => write!(out, " at={at:?}"),
        Curve::Points(points) => {
            let points = points.iter().map(|[x, y]| format!("({x:?}, {y:?})"));
            write!(out, " {}", points.collect::<Vec<String>>().join(" "))
        }
        _ => treemind_core::unlisted(&one.curve),
    };
    weight(behaviour, one.weight.as_ref(), &mut out);
    out
}
