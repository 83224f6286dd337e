//! Generates `words.rs` from the table of the language; a test fails when it is out of date.

use crate::language::{self, Block, Children, Shape, Spot, Word};
use crate::suggest;
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
//! A constructor and a method of the builder for every kind of node, and a method for every option.
//!
//! It is made from the table of the language. To make it anew:
//! `UPDATE_EXPECTED=1 cargo test -p treemind_doc --lib tree::generated`.

// long: one line for every word of trees.

use super::macros::{functions, kinds, options};
use super::{Given, Node, TreeBuilder};
";

/// Words that have another name in Rust, because the word has a meaning there or is already taken by a kind of node.
const CONSTRUCTORS: &[(&str, &str)] = &[
    ("if", "if_then"),
    ("default", "default_case"),
    ("scope", "local_keys"),
    ("in", "input"),
    ("out", "output"),
    ("policy", "run_network"),
];
const METHODS: &[(&str, &str)] = &[
    ("while", "while_holds"),
    ("where", "fitting"),
    ("not", "negated"),
    ("check", "judged"),
    ("in", "in_list"),
    ("for", "for_whom"),
    ("else", "otherwise"),
    ("value", "event_value"),
    ("wait", "waits"),
    ("timeout", "timeout_secs"),
    ("type", "of_type"),
    ("default", "default_value"),
    ("cooldown", "cooldown_secs"),
    ("priority", "rule_priority"),
];

/// Notes beyond the texts of the table, because these words are written differently in Rust.
const OF_CONSTRUCTORS: &[(&str, &str)] = &[
    (
        "case",
        "more values with `value`, a range with `Node::new(\"case\")`, `min` and `max`",
    ),
    (
        "scope",
        "each key is a [`key`](super::key()) in front of the child",
    ),
    (
        "key",
        "the values of an enumeration are a `Node::new(\"value\")` in it",
    ),
    ("repeat", "without end with [`FOREVER`](super::FOREVER)"),
    ("retry", "without end with [`FOREVER`](super::FOREVER)"),
];
const OF_METHODS: &[(&str, &str)] =
    &[("score", "considerations are a `Node::new(\"score\")` in it")];

fn called(names: &[(&str, &str)], word: &str) -> String {
    let found = names.iter().find(|(name, _)| *name == word);
    found.map_or_else(|| word.replace('-', "_"), |(_, other)| (*other).to_owned())
}

/// A sentence with its note, as a Rust literal.
fn sentence(notes: &[(&str, &str)], word: &str, doc: &str) -> String {
    let doc = doc.trim_end_matches('.');
    let note = notes.iter().find(|(of, _)| *of == word);
    let text = match note {
        Some((_, note)) => format!("{doc}; {note}."),
        None => format!("{doc}."),
    };
    format!("{text:?}")
}

/// The places whose words are parts of a tree, or of what it begins with.
const OF_TREES: [Spot; 5] = [Spot::Task, Spot::Case, Spot::Rule, Spot::Key, Spot::Port];

/// The places whose words are parts of a decision tree.
const OF_DECISIONS: [Spot; 6] = [
    Spot::Decision,
    Spot::Branch,
    Spot::Side,
    Spot::Option,
    Spot::DecisionCase,
    Spot::DecidedState,
];

/// What a constructor takes.
fn parts(spot: Spot, word: &Word) -> &'static str {
    let children = match (spot, word.block) {
        (Spot::Task, _) if word.holds().contains(&Spot::Key) => Children::Many,
        (Spot::Task, _) => word.children(),
        (Spot::Case, _) => Children::One,
        (_, Block::Must(_)) => Children::Many,
        (_, Block::May(spots)) if spots.contains(&Spot::Task) => Children::Many,
        _ => Children::None,
    };
    match (word.value.is_some(), children) {
        (false, Children::None) => "plain",
        (true, Children::None) => "valued",
        (false, Children::One) => "one",
        (true, Children::One) => "valued_one",
        (false, _) => "list",
        (true, _) => "valued_list",
    }
}

/// The constructors of the words of some places.
fn constructors(spots: &[Spot], indent: &str, out: &mut String) {
    for (spot, row) in rows(spots) {
        let (shape, name) = (parts(spot, row), called(CONSTRUCTORS, row.name));
        let about = sentence(OF_CONSTRUCTORS, row.name, row.doc);
        let _ = writeln!(out, "{indent}{shape} {name} {:?} {about};", row.name);
    }
}

fn rows(spots: &[Spot]) -> impl Iterator<Item = (Spot, &'static Word)> {
    let words = |spot: &Spot| {
        let spot = *spot;
        spot.words().iter().map(move |word| (spot, *word))
    };
    spots.iter().flat_map(words)
}

/// A method for an option of nodes.
struct Method {
    name: &'static str,
    /// Its purposes, each with the nodes that it applies to; an empty list means any node.
    about: Vec<(&'static str, Vec<&'static str>)>,
    /// Whether it is a flag on all nodes.
    is_flag: bool,
}

fn options() -> Vec<Method> {
    let common = language::COMMON.into_iter().flatten();
    let common = common.map(|one| (*one, None));
    let spots = [&OF_TREES[..], &OF_DECISIONS].concat();
    let own = rows(&spots).flat_map(|(_, row)| row.offered().map(|one| (one, Some(row.name))));
    let mut all: Vec<Method> = Vec::new();
    for (property, node) in common.chain(own) {
        let is_flag = matches!(property.shape(), Shape::Flag);
        let known = all.iter().position(|method| method.name == property.name());
        let known = known.unwrap_or_else(|| {
            all.push(Method {
                name: property.name(),
                about: Vec::new(),
                is_flag,
            });
            all.len() - 1
        });
        let method = &mut all[known];
        method.is_flag &= is_flag;
        match method
            .about
            .iter_mut()
            .find(|(doc, _)| *doc == property.doc())
        {
            Some((_, nodes)) if nodes.is_empty() => {}
            Some((_, nodes)) => nodes.extend(node.filter(|node| !nodes.contains(node))),
            None => method
                .about
                .push((property.doc(), node.into_iter().collect())),
        }
    }
    all
}

impl Method {
    fn about(&self) -> String {
        let each = self.about.iter().map(|(doc, nodes)| {
            let doc = doc.trim_end_matches('.');
            match &nodes[..] {
                [] => doc.to_owned(),
                nodes => format!("of {}: {doc}", suggest::listed(nodes.iter().copied())),
            }
        });
        each.collect::<Vec<String>>().join("; ")
    }
}

fn generated() -> String {
    let mut out = HEAD.to_owned();
    out.push_str("\nkinds! {\n");
    constructors(&OF_TREES, "    ", &mut out);
    out.push_str(
        "}\n\npub(super) mod decisions {\n    use super::{Given, Node, functions, kinds};\n\n    functions! {\n",
    );
    constructors(&OF_DECISIONS, "        ", &mut out);
    out.push_str("    }\n}\n\noptions! {\n");
    for method in options() {
        let name = called(METHODS, method.name);
        let shape = if method.is_flag { "flag" } else { "given" };
        let about = sentence(OF_METHODS, method.name, &method.about());
        let _ = writeln!(out, "    {shape} {name} {:?} {about};", method.name);
    }
    out.push_str("}\n");
    out
}

#[test]
fn words_in_code_are_those_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tree/words.rs");
    let expected = generated();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, expected).expect("a written file");
        return;
    }
    let found = std::fs::read_to_string(&path).expect("a file");
    assert!(
        found.replace("\r\n", "\n") == expected,
        "{} is out of date; its first lines say how to make it anew",
        path.display()
    );
}
