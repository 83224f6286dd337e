//! The JSON Schema of documents in JSON. It is made from the table of the language, so it knows every node and option
//! that the checks know.
//!
//! It is for editors, which complete and explain while somebody writes. It knows nothing of names and types, so it
//! accepts some documents that the checks refuse. It refuses none that they accept.

mod pretty;

use crate::language::vocabulary::Learned;
use crate::language::{self, AnyProperty, Children, Shape, Spot, Word};
use pretty::{J, array, list, object, text};
use treemind_core::Type;

/// The places of children that are not nodes of the tree.
const PARTS: [Spot; 6] = [
    Spot::Score,
    Spot::Key,
    Spot::Given,
    Spot::Case,
    Spot::Rule,
    Spot::Port,
];

/// The JSON Schema (draft 2020-12) of documents in JSON. It is published as `docs/schema/treemind.schema.json`.
///
/// ```
/// let schema = treemind_doc::json_schema();
/// assert!(schema.contains("\"reactive-selector\""));
/// ```
pub fn json_schema() -> String {
    let mut definitions = vec![
        (
            "value",
            value("A text, a number, `true`, `false` or `null`."),
        ),
        ("any", any("A node.", &[], Some(refer("value")))),
        ("common", common()),
        ("top", top()),
        ("task", task()),
        ("part", part()),
    ];
    definitions.extend(
        Spot::Task
            .words()
            .iter()
            .map(|word| (word.name, node(word))),
    );
    let document = object([
        (
            "$schema",
            text("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("title", text("Treemind document")),
        (
            "description",
            text(
                "Behaviour trees, state machines and decision trees, as JSON: the same nodes as in KDL, one to one.",
            ),
        ),
        ("type", text("object")),
        ("required", list(["nodes"])),
        ("additionalProperties", J::Raw("false")),
        (
            "properties",
            object([
                ("$schema", object([("type", text("string"))])),
                (
                    "nodes",
                    object([
                        (
                            "description",
                            text("The definitions at the top of the document."),
                        ),
                        ("type", text("array")),
                        ("items", refer("top")),
                    ]),
                ),
            ]),
        ),
        ("$defs", object(definitions)),
    ]);
    document.pretty()
}

fn refer(name: &str) -> J {
    object([("$ref", text(&format!("#/$defs/{name}")))])
}

fn value(about: &str) -> J {
    typed(about, &["string", "number", "boolean", "null"])
}

fn typed(about: &str, types: &[&str]) -> J {
    let types = match types {
        [one] => text(one),
        types => list(types.iter().copied()),
    };
    object([("description", text(about)), ("type", types)])
}

/// The members that all nodes have.
fn any(about: &str, more: &[(&'static str, J)], others: Option<J>) -> J {
    let mut properties = vec![
        (
            "node",
            object([
                ("description", text("The kind of the node.")),
                ("type", text("string")),
            ]),
        ),
        (
            "values",
            object([
                (
                    "description",
                    text(
                        "The values without a name, which follow the keyword in KDL: the name of a leaf, an expression, a number.",
                    ),
                ),
                ("type", text("array")),
                ("items", refer("value")),
            ]),
        ),
        (
            "properties",
            object([
                (
                    "description",
                    text(
                        "Properties that are called `node`, `values`, `properties` or `children`.",
                    ),
                ),
                ("type", text("object")),
                ("additionalProperties", refer("value")),
            ]),
        ),
        (
            "children",
            object([
                ("description", text("The nodes in its block.")),
                ("type", text("array")),
                ("items", refer("any")),
            ]),
        ),
    ];
    properties.extend(more.iter().cloned());
    let mut members = vec![
        ("description", text(about)),
        ("type", text("object")),
        ("required", list(["node"])),
        ("properties", object(properties)),
    ];
    members.extend(others.map(|others| ("additionalProperties", others)));
    object(members)
}

/// A rule: `if` a node has this keyword, `then` it has this form.
fn when(word: &str, then: J) -> J {
    let is_word = object([("node", object([("const", text(word))]))]);
    object([
        (
            "if",
            object([("properties", is_word), ("required", list(["node"]))]),
        ),
        ("then", then),
    ])
}

/// One of these keywords, each with its purpose and circle.
fn words(all: Vec<&'static Word>) -> J {
    let one = |word: &'static Word| {
        let about = with_circle(word.doc, word.learned);
        object([("const", text(word.name)), ("description", text(&about))])
    };
    object([("anyOf", array(all.into_iter().map(one)))])
}

/// A purpose, and when somebody who learns the language needs the word.
fn with_circle(purpose: &str, learned: Learned) -> String {
    let circle = learned.circle().title();
    match learned.usual() {
        Some(usual) => format!("{purpose} ({circle}: {usual})"),
        None => format!("{purpose} ({circle})"),
    }
}

fn children(items: J) -> J {
    let block = object([("type", text("array")), ("items", items)]);
    object([("properties", object([("children", block)]))])
}

fn named(all: &[&str]) -> J {
    object([(
        "allOf",
        array([
            refer("any"),
            object([(
                "properties",
                object([("node", object([("enum", list(all.iter().copied()))]))]),
            )]),
        ]),
    )])
}

/// A definition.
fn top() -> J {
    let kind = object([("node", words(Spot::Top.by_circle()))]);
    object([
        ("description", text("A definition.")),
        (
            "allOf",
            array([
                refer("any"),
                object([("properties", kind)]),
                when("blackboard", children(named(&Spot::Key.list()))),
                when("leaves", children(named(&Spot::Leaves.list()))),
                when("network", children(named(&Spot::Network.list()))),
                when("tree", children(refer("part"))),
            ]),
        ),
    ])
}

/// A node of a tree.
fn task() -> J {
    let kind = object([("node", words(Spot::Task.by_circle()))]);
    let mut rules = vec![object([
        ("type", text("object")),
        ("required", list(["node"])),
        ("properties", kind),
    ])];
    rules.extend(Spot::Task.names().map(|word| when(word, refer(word))));
    object([
        ("description", text("A node of a tree.")),
        ("allOf", array(rules)),
    ])
}

/// A child in a tree: a node, or a part that says more about the node around it.
fn part() -> J {
    let names: Vec<&str> = PARTS.into_iter().flat_map(Spot::names).collect();
    let is_part = object([("node", object([("enum", list(names))]))]);
    object([
        (
            "if",
            object([("properties", is_part), ("required", list(["node"]))]),
        ),
        ("then", refer("any")),
        ("else", refer("task")),
    ])
}

/// The options that every node of a tree may have.
fn common() -> J {
    let all = language::COMMON.into_iter().flatten();
    let all: Vec<(&'static str, J)> = all.map(|one| (one.name(), property(*one))).collect();
    any("What every node of a tree may have.", &all, None)
}

fn node(word: &Word) -> J {
    let own = word.offered();
    let mut properties: Vec<(&'static str, J)> =
        own.map(|one| (one.name(), property(one))).collect();
    let least = match word.children() {
        Children::None => 0,
        Children::One | Children::Many | Children::Cases => 1,
        Children::Two | Children::TwoOrThree | Children::TwoOrMore => 2,
    };
    let items = match word.children() {
        Children::None | Children::Cases => {
            let holds = word.holds().iter().copied();
            let names: Vec<&str> = holds.flat_map(Spot::names).collect();
            named(&names)
        }
        _ => refer("part"),
    };
    let block = [("items", items), ("minItems", J::Number(least))];
    properties.push(("children", object(block)));
    let takes_others = word.holds().contains(&Spot::Given);
    let required = if least > 0 {
        &["node", "children"][..]
    } else {
        &["node"]
    };
    object([
        ("description", text(&with_circle(word.doc, word.learned))),
        ("$ref", text("#/$defs/common")),
        ("required", list(required.iter().copied())),
        ("properties", object(properties)),
        (
            "unevaluatedProperties",
            if takes_others {
                refer("value")
            } else {
                J::Raw("false")
            },
        ),
    ])
}

fn property(property: &'static dyn AnyProperty) -> J {
    let mut about = match property.default().as_deref() {
        None => property.doc().to_owned(),
        Some(default @ ("required" | "none")) => format!("{} ({default})", property.doc()),
        Some(default) => format!("{} (default: {default})", property.doc()),
    };
    if property.learned().usual().is_some() {
        about = with_circle(&about, property.learned());
    }
    match property.shape() {
        Shape::Flag => object([("description", text(&about)), ("type", text("boolean"))]),
        Shape::Words(words) => {
            object([("description", text(&about)), ("enum", list(words.words()))])
        }
        Shape::WordsOrNumber(words) => {
            let mut forms = vec![
                object([("enum", list(words.words()))]),
                object([("type", text("integer"))]),
            ];
            forms.extend(
                words
                    .pattern()
                    .map(|pattern| object([("type", text("string")), ("pattern", text(pattern))])),
            );
            object([("description", text(&about)), ("anyOf", array(forms))])
        }
        Shape::WordsOrKey(words) => object([
            ("description", text(&about)),
            (
                "anyOf",
                array([
                    object([("enum", list(words.words()))]),
                    object([("type", text("string"))]),
                ]),
            ),
        ]),
        Shape::Number => typed(&about, &["number"]),
        Shape::Expr(Type::Bool) => typed(&about, &["string", "boolean"]),
        Shape::Expr(Type::Int | Type::Float | Type::Double) | Shape::Times => {
            typed(&about, &["string", "number"])
        }
        // `on-abort=` of a `try-catch` is a flag as well.
        Shape::Statements(_) => typed(&about, &["string", "boolean"]),
        Shape::Text
        | Shape::Log
        | Shape::Key
        | Shape::WrittenKey
        | Shape::KeyInBraces
        | Shape::WrittenKeyInBraces
        | Shape::Declares(_)
        | Shape::Names(_)
        | Shape::NamesOrKey(_)
        | Shape::AllNames(_) => typed(&about, &["string"]),
        Shape::Expr(_) | Shape::Literal | Shape::Type => value(&about),
    }
}
