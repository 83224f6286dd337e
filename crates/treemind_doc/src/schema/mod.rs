//! The JSON Schema of documents in JSON, made from the vocabulary, so that it knows every node and option that checks know.
//!
//! It is there for editors, which complete and explain while somebody writes; it accepts some documents that checks refuse, since
//! it knows nothing of names and types, and refuses none that they accept.

mod pretty;
mod words;

use crate::vocabulary::{
    COMMON_PROPERTIES, Children, GUARDS_AND_HOOKS, LATER_TOP, LEAVES, NODES, NodeWord,
    PLACED_PROPERTIES, TOP, takes_params,
};
use pretty::{J, array, list, object, text};
use words::{Choice, choice, described, described_option, is_flag};

/// What stands among the children of a node beside nodes.
const PARTS: &[&str] = &["score", "key", "param", "case", "default"];

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
    definitions.extend(NODES.iter().map(|word| (word.name, node(word))));
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
                            text("What stands at the top of the document."),
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
    object([
        ("description", text(about)),
        ("type", list(["string", "number", "boolean", "null"])),
    ])
}

/// What all nodes have.
fn any(about: &str, more: &[(&'static str, J)], others: Option<J>) -> J {
    let mut properties = vec![
        (
            "node",
            object([
                ("description", text("What kind of node it is.")),
                ("type", text("string")),
            ]),
        ),
        (
            "values",
            object([
                (
                    "description",
                    text(
                        "What stands behind the word without a name: the name of a leaf, an expression, a number.",
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
                ("description", text("What stands in its block.")),
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

/// `if` a node has this word, `then` it is like that.
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

/// One of these words, each with what it is for.
fn words(all: &[&str], about: impl Fn(&str) -> String) -> J {
    let one = |word: &&str| object([("const", text(word)), ("description", text(&about(word)))]);
    object([("anyOf", array(all.iter().map(one)))])
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
    let all: Vec<&str> = TOP.iter().chain(LATER_TOP).copied().collect();
    let about = |word: &str| match word {
        "import" => "Another file whose definitions belong to this document.",
        "main" => "What runs when nothing else is said.",
        "blackboard" => "Keys, with their types.",
        "leaves" => "What the game provides: conditions, actions, services, sensors, events.",
        "tree" => "A behaviour tree.",
        "machine" => "A state machine.",
        "decide" => "A decision tree.",
        "archetype" => "A character: a tree, and what its keys start with.",
        _ => "A test of the document.",
    };
    let kind = object([("node", words(&all, |word| about(word).to_owned()))]);
    object([
        ("description", text("A definition.")),
        (
            "allOf",
            array([
                refer("any"),
                object([("properties", kind)]),
                when("blackboard", children(named(&["key"]))),
                when("leaves", children(named(LEAVES))),
                when("tree", children(refer("part"))),
            ]),
        ),
    ])
}

/// A node of a tree.
fn task() -> J {
    let all: Vec<&str> = NODES.iter().map(|word| word.name).collect();
    let kind = object([("node", words(&all, described))]);
    let mut rules = vec![object([
        ("type", text("object")),
        ("required", list(["node"])),
        ("properties", kind),
    ])];
    rules.extend(all.iter().map(|word| when(word, refer(word))));
    object([
        ("description", text("A node of a tree.")),
        ("allOf", array(rules)),
    ])
}

/// What may stand in a tree: a node, or what says more about the one around it.
fn part() -> J {
    let names: Vec<&str> = PARTS
        .iter()
        .chain(crate::vocabulary::IN_TREE)
        .copied()
        .collect();
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

/// What every node of a tree may have.
fn common() -> J {
    let all = [COMMON_PROPERTIES, GUARDS_AND_HOOKS, PLACED_PROPERTIES].concat();
    let all: Vec<(&'static str, J)> = all
        .into_iter()
        .map(|name| (name, property("", name)))
        .collect();
    any("What every node of a tree may have.", &all, None)
}

fn node(word: &NodeWord) -> J {
    let mut properties: Vec<(&'static str, J)> = Vec::new();
    for name in word.properties {
        properties.push((name, property(word.name, name)));
    }
    let least = match word.children {
        Children::None => 0,
        Children::One | Children::Many | Children::Cases => 1,
        Children::Two | Children::TwoOrThree | Children::TwoOrMore => 2,
    };
    let items = match word.children {
        Children::None => named(&["param", "score"]),
        Children::Cases => named(&["case", "default", "score"]),
        _ => refer("part"),
    };
    let block = [("items", items), ("minItems", J::Number(least))];
    properties.push(("children", object(block)));
    let takes_others = takes_params(word.name);
    let required = if least > 0 {
        &["node", "children"][..]
    } else {
        &["node"]
    };
    object([
        ("description", text(&described(word.name))),
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

fn property(node: &str, name: &str) -> J {
    let about = described_option(node, name);
    if is_flag(name) {
        return object([("description", text(&about)), ("type", text("boolean"))]);
    }
    match choice(node, name) {
        Some(Choice::Closed(words)) => object([
            ("description", text(&about)),
            ("enum", list(words.iter().copied())),
        ]),
        Some(Choice::OrNumber(words)) => object([
            ("description", text(&about)),
            (
                "anyOf",
                array([
                    object([("enum", list(words.iter().copied()))]),
                    object([("type", text("integer"))]),
                ]),
            ),
        ]),
        None => value(&about),
    }
}
