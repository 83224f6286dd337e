//! `switch` and its cases.

use super::expressions::value_of;
use super::line::Line;
use super::literal::literal;
use super::reading::finish_in;
use super::tree::{Below, Lowered, present};
use super::{Checker, stranger};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{KeyScope, a_type, extent};
use crate::language::Spot;
use crate::said;
use crate::syntax::{Entry, Node, Span, Value as Written};
use std::collections::BTreeMap;
use treemind_core::behaviour::MAX_DEPTH;
use treemind_core::expr::Compare;
use treemind_core::{Expr, Kind, Type, Value};

/// Every value of every case is compared with the subject, and the subject is repeated in each comparison. All
/// comparisons together may have this many parts.
const MAX_PARTS: usize = 100_000;

/// The values of one `case`, both ends included; `None` means that there is no limit on that side.
pub(super) struct Range {
    low: Option<Value>,
    high: Option<Value>,
    span: Span,
}

/// The subject of a `switch`, and the values that its cases have taken.
pub(super) struct Subject {
    pub(super) expr: Expr,
    taken: Taken,
    depth: usize,
    parts: usize,
    /// The remaining part of [`MAX_PARTS`].
    left: usize,
}

impl Checker<'_> {
    /// `switch "EXPR" { case 1 2 { CHILD }; default { CHILD } }`
    pub(super) fn switch(&mut self, line: &mut Line<'_>, depth: usize) -> (Below, Option<Kind>) {
        let once = line.flag("once", self.sink);
        let leaves_open = line.flag("leaves-open", self.sink);
        let mut subject = self.subject(line);
        let node = line.node;
        let mut children = Below::with_capacity(0);
        let mut cases = Vec::new();
        let mut default: Option<&Node> = None;
        let mut is_told = false;
        let mut has_stranger = false;
        for child in present(node.children()) {
            if self.sink.is_full() {
                return (children, None);
            }
            let word = child.name.value.as_str();
            match word {
                word if Spot::Score.has(word) => continue,
                "case" => {
                    if let Some(default) = default.filter(|_| !is_told) {
                        is_told = true;
                        let message = said!("`default` must come after all cases");
                        self.sink
                            .error(Code::MisplacedNode, default.span.clone(), message)
                            .with_help(said!("move it to the end of the block"));
                    }
                    cases.push(self.case(child, subject.as_mut()));
                }
                "default" => {
                    let mut inner = Line::new(child, self.sink);
                    inner.no_values(self.sink);
                    inner.flag("disabled", self.sink);
                    finish_in(inner, Spot::Case, self.sink);
                    if default.is_some() {
                        let message = said!("this `switch` already has a `default`");
                        self.sink
                            .error(Code::Duplicate, child.span.clone(), message);
                    } else if let Some(subject) = &subject
                        && self.takes_all(subject)
                    {
                        let message =
                            said!("this `default` is never chosen: the cases take every value");
                        self.sink
                            .warning(Code::NeverRuns, child.span.clone(), message);
                    }
                    default.get_or_insert(child);
                }
                _ => {
                    has_stranger = true;
                    self.no_case(child, depth);
                    continue;
                }
            }
            children.push(self.case_child(child, depth));
        }
        // What stands where a case belongs has been reported.
        if cases.is_empty() && !has_stranger && !self.sink.is_full() {
            let mut all = node.children().iter();
            let has_disabled = all.any(|child| Spot::Case.has(&child.name.value));
            let (message, help) = match (has_disabled, default.is_some()) {
                (_, true) => (
                    said!("this `switch` has a `default` but no `case`"),
                    said!("add `case VALUE { … }` before it"),
                ),
                (false, _) => (
                    said!("`switch` needs at least one case"),
                    said!("try `case 1 2 { … }` or `case min=0 max=5 { … }`"),
                ),
                _ => (
                    said!("all cases of this `switch` are disabled"),
                    said!("disable the `switch` itself"),
                ),
            };
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(help);
        }
        let cases: Option<Vec<Expr>> = cases.into_iter().collect();
        let cases = cases.filter(|cases| !cases.is_empty());
        let kind = cases.map(|cases| Kind::Switch {
            cases,
            once,
            leaves_open,
        });
        (children, kind)
    }

    /// Reports something other than a case in the block of a `switch`.
    fn no_case(&mut self, node: &Node, depth: usize) {
        let word = node.name.value.as_str();
        if !Spot::Task.has(word) {
            stranger(node, &said!("in a `switch`"), &Spot::Case.list(), self.sink);
            return;
        }
        let message = said!("`{}` is not allowed in a `switch` outside of a case", word);
        self.sink
            .error(Code::MisplacedNode, node.name.span.clone(), message)
            .with_help(said!(
                "put it into one: `case VALUE { {} … }` or `default { {} … }`",
                word,
                word
            ));
        self.node(node, depth + 1);
    }

    pub(super) fn subject(&mut self, line: &Line<'_>) -> Option<Subject> {
        let word = line.node.name.value.as_str();
        let example = match word {
            "range" => "range \"distance\" max=3.0",
            _ => "switch \"mood\"",
        };
        let entry = value_of(line, &said!("an expression"), example, self.sink)?;
        let Written::Text(text) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("expected an expression in `{}`, found a literal", word);
                self.sink
                    .error(Code::WrongType, entry.span.clone(), message)
                    .with_help(said!("try `{}`", example));
            }
            return None;
        };
        let skip = usize::from(text.value.starts_with('='));
        let expr = self
            .asked(|checker| checker.inferred_expression(text, skip))
            .ok()?;
        let (depth, parts) = extent(&expr);
        // Leaves room for a comparison and for the `||` between the values of a case.
        if depth + 24 > MAX_DEPTH {
            let message = said!("this expression is nested too deeply for a `{}`", word);
            self.sink.error(Code::TooDeep, entry.span.clone(), message);
            return None;
        }
        Some(Subject {
            expr,
            taken: Taken::default(),
            depth,
            parts,
            left: MAX_PARTS,
        })
    }

    /// The child in the block of a case.
    fn case_child(&mut self, case: &Node, depth: usize) -> Lowered {
        let word = case.name.value.as_str();
        let nodes = present(case.children());
        let Some((first, more)) = nodes.split_first() else {
            let message = if case.children().is_empty() {
                said!("this `{}` has no node", word)
            } else {
                said!("the node of this `{}` is disabled", word)
            };
            self.sink
                .error(Code::MissingChildren, case.span.clone(), message)
                .with_help(if word == "case" {
                    said!("write the node into its block: `case VALUE { … }`")
                } else {
                    said!("write the node into its block: `default { … }`")
                });
            return Lowered::broken();
        };
        let lowered = self.node_under(Some("switch"), first, depth + 1);
        if let Some(second) = more.first() {
            let message = said!("a `{}` takes only one node, and this is a second one", word);
            self.sink
                .error(Code::ExtraChildren, second.span.clone(), message)
                .with_help(said!(
                    "wrap the nodes in a composite, such as `sequence { … }`"
                ));
        }
        for other in more {
            self.node(other, depth + 1);
        }
        lowered
    }

    /// The test that chooses a case.
    pub(super) fn case(&mut self, node: &Node, subject: Option<&mut Subject>) -> Option<Expr> {
        let mut line = Line::new(node, self.sink);
        line.flag("disabled", self.sink);
        let (min, max) = (line.property("min"), line.property("max"));
        let values = line.values().to_vec();
        finish_in(line, Spot::Case, self.sink);
        let has_range = min.is_some() || max.is_some();
        if values.is_empty() && !has_range {
            self.sink
                .error(
                    Code::MissingValue,
                    node.span.clone(),
                    said!("this `case` has no values"),
                )
                .with_help(said!(
                    "add values, `case 1 2 { … }`, or a range, `case min=0 max=5 { … }`"
                ));
            return None;
        }
        if has_range && !values.is_empty() {
            let message = said!("a `case` cannot have both values and a range");
            self.sink
                .error(Code::ExtraValue, values[0].span.clone(), message)
                .with_help(said!("split it into two cases"));
            return None;
        }
        let subject = subject?;
        let ranges = if has_range {
            vec![
                self.scope
                    .range(node, (min, max), subject.expr.ty(), "switch", self.sink)?,
            ]
        } else {
            self.scope.values(&values, subject.expr.ty(), self.sink)?
        };
        let parts = ranges.len().saturating_mul(subject.parts + 2);
        if parts > subject.left || ranges.len() > MAX_PARTS {
            let message = said!(
                "this `switch` is too large: it repeats its expression for each value, which makes more than {} parts",
                MAX_PARTS
            );
            self.sink.error(Code::TooLarge, node.span.clone(), message);
            subject.left = 0;
            return None;
        }
        subject.left -= parts;
        self.spend(parts * 16);
        warn_of_taken(node, &ranges, subject, self.sink);
        let tests = ranges.iter().map(|range| subject.test(range)).collect();
        let test = any_of(tests);
        debug_assert!(extent(&test).0 <= subject.depth + 24);
        Some(test)
    }

    /// Whether the cases have taken every value.
    pub(super) fn takes_all(&self, subject: &Subject) -> bool {
        subject.taken.is_all(self, subject.expr.ty())
    }
}

impl KeyScope {
    fn values(&self, entries: &[&Entry], ty: Type, sink: &mut Sink) -> Option<Vec<Range>> {
        let ranges: Vec<Option<Range>> = entries
            .iter()
            .map(|entry| {
                let what = said!("this `switch`");
                let value = literal(entry, ty, &what, self, sink).ok()?;
                Some(Range {
                    low: Some(value),
                    high: Some(value),
                    span: entry.span.clone(),
                })
            })
            .collect();
        ranges.into_iter().collect()
    }

    /// Both ends of a range in a node with the keyword `word`.
    pub(super) fn range(
        &self,
        node: &Node,
        (min, max): (Option<&Entry>, Option<&Entry>),
        ty: Type,
        word: &str,
        sink: &mut Sink,
    ) -> Option<Range> {
        if !ty.is_number() {
            let entry = min.or(max)?;
            let message = said!(
                "only numbers have ranges, but the expression of this `{}` is {}",
                word,
                a_type(ty)
            );
            sink.error(Code::WrongType, entry.span.clone(), message)
                .with_help(match word {
                    "range" => said!("compare the values instead: `test \"… == …\" { … }`"),
                    _ => said!("list the values instead: `case A B { … }`"),
                });
            return None;
        }
        let mut end = |entry: Option<&Entry>| match entry {
            None => Some(None),
            Some(entry) => {
                let what = said!("this `{}`", word);
                literal(entry, ty, &what, self, sink).ok().map(Some)
            }
        };
        let (low, high) = (end(min), end(max));
        let range = Range {
            low: low?,
            high: high?,
            span: node.span.clone(),
        };
        let (low, high) = range.ends();
        if low > high {
            let message = said!("this range is empty: `min` is greater than `max`");
            sink.error(Code::BadNumber, node.span.clone(), message);
            return None;
        }
        Some(range)
    }
}

/// Notes what a case takes, and warns of values that earlier cases have taken.
fn warn_of_taken(node: &Node, ranges: &[Range], subject: &mut Subject, sink: &mut Sink) {
    if subject.expr.ty() == Type::Any {
        // Values of different types have no common order.
        return;
    }
    let gone: Vec<&Range> = ranges
        .iter()
        .filter(|range| {
            let (low, high) = range.ends();
            let is_gone = subject.taken.has(low, high);
            subject.taken.add(low, high);
            is_gone
        })
        .collect();
    if gone.len() == ranges.len() {
        let message =
            said!("this case is never chosen: the cases before it take all of its values");
        sink.warning(Code::NeverRuns, node.span.clone(), message);
        return;
    }
    for range in gone {
        let message = said!("an earlier case takes this value");
        sink.warning(Code::NeverRuns, range.span.clone(), message);
    }
}

impl Subject {
    pub(super) fn test(&self, range: &Range) -> Expr {
        let subject = || Box::new(self.expr.clone());
        let value = |value: Value| Box::new(Expr::Value(value));
        match (range.low, range.high) {
            (Some(low), Some(high)) if low == high => {
                let value = Expr::Value(low).widened(self.expr.ty());
                let value = value.unwrap_or(Expr::Value(low));
                Expr::Compare(Compare::Eq, subject(), Box::new(value))
            }
            (Some(low), Some(high)) => Expr::Between(subject(), value(low), value(high)),
            (Some(low), None) => Expr::Compare(Compare::Ge, subject(), value(low)),
            (None, Some(high)) => Expr::Compare(Compare::Le, subject(), value(high)),
            (None, None) => Expr::Value(Value::Bool(true)),
        }
    }
}

/// The tests joined by `||`, as a tree that is as shallow as possible.
fn any_of(mut tests: Vec<Expr>) -> Expr {
    while tests.len() > 1 {
        let mut pairs = Vec::with_capacity(tests.len().div_ceil(2));
        let mut rest = tests.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => Expr::Or(Box::new(left), Box::new(right)),
                None => left,
            });
        }
        tests = pairs;
    }
    tests.pop().unwrap_or(Expr::Value(Value::Bool(false)))
}

impl Range {
    /// Both ends as whole numbers. Values keep their order as whole numbers.
    fn ends(&self) -> (i128, i128) {
        (
            self.low.map_or(i128::MIN, place),
            self.high.map_or(i128::MAX, place),
        )
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn place(value: Value) -> i128 {
    let of_float = |value: f64| {
        // Both zeros are the same value.
        let bits = (value + 0.0).to_bits() as i64;
        let ordered = if bits < 0 { i64::MIN - bits } else { bits };
        i128::from(ordered)
    };
    match value {
        Value::Bool(value) => i128::from(value),
        Value::Int(value) => i128::from(value),
        Value::Float(value) => of_float(f64::from(value)),
        Value::Double(value) => of_float(value),
        Value::Entity(value) => i128::from(value),
        Value::Enum(_, value) => i128::from(value),
        Value::Vec2(parts) => packed(&parts),
        Value::Vec3(parts) => packed(&parts),
        // Texts have no order, but each has its own number.
        Value::Text(text) => i128::from(text.number()),
        _ => treemind_core::unlisted(&value),
    }
}

/// A vector as one number. Vectors have no order, but each has its own number.
fn packed(parts: &[f32]) -> i128 {
    let bits = parts.iter().map(|part| i128::from((part + 0.0).to_bits()));
    bits.fold(0, |all, bits| all << 32 | bits)
}

/// The values that cases have taken: separate ranges, from their low end to their high end.
#[derive(Debug, Default)]
struct Taken(BTreeMap<i128, i128>);

impl Taken {
    fn has(&self, low: i128, high: i128) -> bool {
        let below = self.0.range(..=low).next_back();
        below.is_some_and(|(_, end)| *end >= high)
    }

    fn add(&mut self, mut low: i128, mut high: i128) {
        // Ranges that touch or overlap become one. Each range is removed only once, so the total time stays short.
        while let Some((start, end)) = self
            .0
            .range(..=high.saturating_add(1))
            .next_back()
            .map(|(start, end)| (*start, *end))
            .filter(|(_, end)| end.saturating_add(1) >= low)
        {
            self.0.remove(&start);
            low = low.min(start);
            high = high.max(end);
        }
        self.0.insert(low, high);
    }

    /// Whether no value of the type is left.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn is_all(&self, checker: &Checker<'_>, ty: Type) -> bool {
        match ty {
            Type::Bool => self.has(0, 1),
            Type::Int => self.has(i128::from(i64::MIN), i128::from(i64::MAX)),
            Type::Entity => self.has(0, i128::from(u64::MAX)),
            Type::Enum(list) => {
                let values = checker.scope.enums[list.index()].values.len();
                self.has(0, values as i128 - 1)
            }
            // NaN is in no range.
            Type::Float | Type::Double => false,
            // These types always have other values.
            Type::Vec2 | Type::Vec3 | Type::Text | Type::Any => false,
            _ => treemind_core::unlisted(&ty),
        }
    }
}
