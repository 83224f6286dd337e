//! The test suite of KDL 2.0, `conformance/kdl`: texts that must be read, and texts that must not.

use super::{Node, Text, Value, parse};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::source::Source;
use kdl::{KdlDocument, KdlNode, KdlValue};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    input: String,
    /// The text when it is written again; `None` if it must not be read.
    expected: Option<String>,
}

/// Texts that are refused although they are KDL, with the reason.
const REFUSED: &[(&str, &str)] = &[(
    "sci_notation_large",
    "a number beyond what 64 bits hold would be infinite, and nobody means that",
)];

/// Texts that are read although they are not KDL, with the reason.
const TAKEN: &[(&str, &str)] = &[(
    "hex",
    "the suite as it lies there keeps to integers of 64 bits; KDL does not",
)];

/// A node without its place.
#[derive(Debug, PartialEq)]
struct Plain {
    name: String,
    values: Vec<Said>,
    /// If a name occurs several times, the last one counts.
    properties: BTreeMap<String, Said>,
    children: Vec<Plain>,
}

#[derive(Debug, PartialEq)]
enum Said {
    Text(String),
    Int(i128),
    /// The bits of the number, so that NaN equals itself.
    Decimal(u64),
    Bool(bool),
    Null,
}

fn ours(nodes: &[Node]) -> Vec<Plain> {
    let said = |value: &Value| match value {
        Value::Text(text) => Said::Text(text.value.clone()),
        Value::Int(value) => Said::Int(*value),
        Value::Decimal(value, _) => Said::Decimal(value.to_bits()),
        Value::Bool(value) => Said::Bool(*value),
        Value::Null => Said::Null,
        Value::Bad => panic!("a bad value without a diagnostic"),
    };
    let plain = |node: &Node| {
        let name = |name: &Text| name.value.clone();
        let entries = node.entries.iter();
        Plain {
            name: name(&node.name),
            values: entries
                .clone()
                .filter(|entry| entry.name.is_none())
                .map(|entry| said(&entry.value))
                .collect(),
            properties: entries
                .filter_map(|entry| Some((name(entry.name.as_ref()?), said(&entry.value))))
                .collect(),
            children: ours(node.children()),
        }
    };
    nodes.iter().map(plain).collect()
}

fn theirs(document: &KdlDocument) -> Vec<Plain> {
    let said = |value: &KdlValue| match value {
        KdlValue::String(text) => Said::Text(text.clone()),
        KdlValue::Integer(value) => Said::Int(*value),
        KdlValue::Float(value) => Said::Decimal(value.to_bits()),
        KdlValue::Bool(value) => Said::Bool(*value),
        KdlValue::Null => Said::Null,
    };
    let plain = |node: &KdlNode| {
        let entries = node.entries().iter();
        Plain {
            name: node.name().value().to_owned(),
            values: entries
                .clone()
                .filter(|entry| entry.name().is_none())
                .map(|entry| said(entry.value()))
                .collect(),
            properties: entries
                .filter_map(|entry| Some((entry.name()?.value().to_owned(), said(entry.value()))))
                .collect(),
            children: node.children().map(theirs).unwrap_or_default(),
        }
    };
    document.nodes().iter().map(plain).collect()
}

#[test]
fn what_is_kdl_is_read_as_it_says_and_what_is_not_is_refused() {
    let cases = include_str!("../../../../../conformance/kdl/cases.json");
    let cases: Vec<Case> = serde_json::from_str(cases).expect("the suite");
    assert_eq!(cases.len(), 320);
    let (mut wrong, mut annotated) = (Vec::new(), 0);
    for Case {
        name,
        input,
        expected,
    } in &cases
    {
        let mut sink = Sink::new(Arc::new(Source::new("case.kdl", input.as_str())));
        let parsed = parse(input, &mut sink);
        let problems = sink.finish();
        let is_annotation = |code: Code| code == Code::TypeAnnotation;
        let is_listed = |list: &[(&str, &str)]| list.iter().any(|(listed, _)| listed == name);
        match expected {
            // Annotations have no meaning in Treemind: they are refused, and nothing else in the text is.
            Some(_) if problems.iter().any(|item| is_annotation(item.code())) => {
                annotated += 1;
                if !problems.iter().all(|item| is_annotation(item.code())) {
                    wrong.push(format!("{name}: {input:?}: {problems:?}"));
                }
            }
            Some(expected) => {
                let refused = !problems.is_empty();
                let differs = || {
                    let expected: KdlDocument = expected.parse().expect("KDL");
                    ours(&parsed.nodes) != theirs(&expected)
                };
                if refused != is_listed(REFUSED) || !refused && differs() {
                    wrong.push(format!(
                        "{name}: {input:?}: {:?}",
                        problems.first().map(|p| p.message().to_owned())
                    ));
                }
            }
            None if problems.is_empty() != is_listed(TAKEN) => {
                wrong.push(format!("{name} was read: {input:?}"));
            }
            None => {}
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(annotated, 43, "cases with annotations of types");
}
