//! Names for tests, by which tools recognize them: the text of the test without the parts that do not change the
//! question.

use super::super::definition_graph::DefinitionGraph;
use super::{Draft, Step};
use crate::language::{Shape, Spot};
use crate::syntax::write;
use crate::syntax::{Entry, Node, Value};
use std::collections::HashMap;
use treemind_core::behaviour::{DecisionStep, TestName};

/// The properties that do not change the question.
const ASIDE: [&str; 3] = ["doc", "name", "disabled"];

impl DefinitionGraph<'_> {
    /// The names of the tests in `order`.
    pub(super) fn test_names(&self, draft: &Draft<'_>, order: &[usize]) -> Vec<TestName> {
        let called = draft.placed.iter();
        let called = called.map(|placed| self[placed.held].name.clone());
        draft.test_names(order, &called.collect::<Vec<_>>())
    }
}

impl Draft<'_> {
    /// The names of the tests in `order`; `called` are the names of the definitions in the draft.
    pub(super) fn test_names(&self, order: &[usize], called: &[String]) -> Vec<TestName> {
        let mut names: HashMap<usize, TestName> = HashMap::with_capacity(order.len());
        // Tests are numbered as in the text, whatever their position in `order`.
        let mut by_text: Vec<usize> = order.to_vec();
        by_text.sort_by_key(|step| self.steps[*step].span.start);
        // For each definition and head of a test: the numbers of the tests with that head, by their ways.
        let mut taken: HashMap<(usize, String), HashMap<Vec<String>, usize>> = HashMap::new();
        for number in by_text {
            let step = &self.steps[number];
            let ways = ways(step);
            let mut test = head(step.node);
            let alike = taken.entry((step.of, test.clone())).or_default();
            let next = alike.len();
            let place = match step.step {
                // Each draw is a separate question.
                DecisionStep::Random { .. } => {
                    alike.insert(vec![next.to_string()], next);
                    next
                }
                _ => *alike.entry(ways.clone()).or_insert(next),
            };
            if place > 0 {
                test.push_str(&format!(" #{}", place + 1));
            }
            let of = called[step.of].clone();
            names.insert(number, TestName { of, test, ways });
        }
        let names = order.iter().filter_map(|step| names.remove(step));
        names.collect()
    }
}

/// Whether a test asks an expression: the value that has no name.
fn asks_expression(test: &str) -> bool {
    let value = Spot::Decision.word(test).and_then(|word| word.value);
    value.is_some_and(|value| matches!(value.shape(), Shape::Expr(_)))
}

/// A node without its block, on one line and in normal form; parameters in the block come last.
pub(super) fn head(node: &Node) -> String {
    let mut out = node.name.value.clone();
    for entry in &node.entries {
        let name = entry.name.as_ref().map(|name| name.value.as_str());
        if name.is_none_or(|name| !ASIDE.contains(&name)) {
            out.push(' ');
            let is_expression = name.is_none() && asks_expression(&node.name.value);
            entry_text(entry, is_expression, &mut out);
        }
    }
    let params = node
        .children()
        .iter()
        .filter(|child| child.name.value == "param");
    let params: Vec<String> = params.map(head).collect();
    if node.name.value == "test-condition" && !params.is_empty() {
        out.push_str(&format!(" {{ {} }}", params.join("; ")));
    }
    out
}

/// Quotes are normalized, because other formats quote every value: expressions have quotes, names do not.
fn entry_text(entry: &Entry, is_expression: bool, out: &mut String) {
    if let Some(name) = &entry.name {
        write::word(&name.value, out);
        out.push('=');
    }
    match &entry.value {
        Value::Text(text) if is_expression => write::quoted(&text.value, out),
        Value::Text(text) => write::word(&text.value, out),
        Value::Int(number) => out.push_str(&number.to_string()),
        Value::Decimal(_, written) => out.push_str(written),
        Value::Bool(value) => out.push_str(&format!("#{value}")),
        Value::Null => out.push_str("#null"),
        Value::Bad => {}
    }
}

/// The names of the ways of a test; all are different.
#[warn(clippy::wildcard_enum_match_arm)]
fn ways(step: &Step<'_>) -> Vec<String> {
    let (word, last) = match step.step {
        DecisionStep::Test { .. } | DecisionStep::Ask { .. } => {
            return vec!["yes".to_owned(), "no".to_owned()];
        }
        DecisionStep::Switch { .. } => ("case", "default"),
        DecisionStep::Random { .. } | DecisionStep::Best { .. } => ("option", "none"),
        _ => treemind_core::unlisted(&step.step),
    };
    let cases = super::super::tree::present(step.node.children());
    let cases = cases.into_iter().filter(|case| case.name.value == word);
    let mut ways: Vec<String> = Vec::new();
    for case in cases {
        let text = head(case);
        let mut own = text.clone();
        let mut count = 1;
        while ways.contains(&own) {
            count += 1;
            own = format!("{text} #{count}");
        }
        ways.push(own);
    }
    ways.push(last.to_owned());
    ways
}
