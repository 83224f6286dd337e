//! The tests of the examples: how much they cover, and which faults they catch.

use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::Document;
use treemind_doc::edit::{Editor, NodeView, Spot};
use treemind_test::{Outcome, Report, run};

/// The documents of all examples.
fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = fs::read_dir(root).expect("the examples");
    let files = folders.flat_map(|folder| {
        let inside = fs::read_dir(folder.expect("an entry").path());
        inside
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path())
    });
    let is_document = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "kdl");
    let mut all: Vec<PathBuf> = files.filter(is_document).collect();
    all.sort();
    assert!(all.len() > 15, "{all:?}");
    all
}

/// Runs the tests of an example with another text; `None` if it has errors.
fn run_example(path: &Path, text: &str) -> Option<Report> {
    let imports = treemind_doc::Imports::of(path);
    let name = path.to_string_lossy();
    let document = Document::read_with(text.as_bytes(), &name, |path| imports.read(path));
    run(&document, "").ok()
}

#[test]
fn examples_are_covered_by_their_tests() {
    let mut poor = Vec::new();
    for path in examples() {
        let text = fs::read_to_string(&path).expect("an example");
        let report = run_example(&path, &text).expect("it has no errors");
        let failed = report.outcomes.iter().filter(|one| !one.passed());
        poor.extend(failed.map(Outcome::to_string));
        if report.coverage.percent() < 95.0 {
            let missing = &report.coverage.uncovered;
            poor.push(format!("{}: {missing:#?}", path.display()));
        }
    }
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}

/// Faults that somebody may make: each place where the first text stands becomes the second.
const FAULTS: [(&str, &str); 6] = [
    (" < ", " >= "),
    (" > ", " <= "),
    ("has(", "!has("),
    ("max=3.0", "max=30.0"),
    ("reactive-selector", "reactive-sequence"),
    ("not=#true", "not=#false"),
];

#[test]
fn a_fault_in_an_example_is_caught_by_its_tests() {
    let (mut planted, mut missed) = (0, Vec::new());
    for path in examples() {
        let text = fs::read_to_string(&path).expect("an example");
        let code = text.find("\ntest \"").unwrap_or(text.len());
        for (right, wrong) in FAULTS {
            for (at, _) in text[..code].match_indices(right) {
                let mut changed = text.clone();
                changed.replace_range(at..at + right.len(), wrong);
                planted += 1;
                if run_example(&path, &changed).is_some_and(|report| report.passed()) {
                    let line = text[..at].lines().count();
                    missed.push(format!("{}:{line}: {right} became {wrong}", path.display()));
                }
            }
        }
    }
    assert!(planted > 50, "only {planted}");
    assert!(missed.is_empty(), "of {planted}:\n{}", missed.join("\n"));
}

/// Two neighbours, exchanged.
struct Swap {
    line: usize,
    parent: String,
    first: String,
    second: String,
    text: String,
}

/// Every pair of neighbours in the definitions of a text whose order is the order in which they are asked or done.
fn swaps(path: &Path, text: &str) -> Vec<Swap> {
    let imports = treemind_doc::Imports::of(path);
    let name = path.to_string_lossy();
    let document = Document::read_with(text.as_bytes(), &name, |path| imports.read(path));
    let editor = Editor::new(document).expect("it has no errors");
    let mut found = Vec::new();
    for top in editor.top(0) {
        let top = editor.node(top).expect("a node");
        if matches!(&*top.word, "tree" | "machine" | "decide") {
            swaps_below(&editor, &top, text, &mut found);
        }
    }
    found
}

fn swaps_below(editor: &Editor, parent: &NodeView, text: &str, found: &mut Vec<Swap>) {
    let children = parent.children.iter();
    let children: Vec<NodeView> = children
        .map(|at| editor.node(*at).expect("a node"))
        .collect();
    for pair in children.windows(2) {
        if !is_ordered(parent, &pair[0], &pair[1]) {
            continue;
        }
        let change = editor.move_node(pair[1].at, Spot::Before(pair[0].at));
        let changed = change.and_then(|change| change.apply_to(0, text));
        found.push(Swap {
            line: text[..pair[0].span.start].lines().count(),
            parent: parent.word.clone(),
            first: text[pair[0].line.clone()].to_owned(),
            second: text[pair[1].line.clone()].to_owned(),
            text: changed.expect("nodes of one block can be exchanged"),
        });
    }
    for child in &children {
        swaps_below(editor, child, text, found);
    }
}

/// Whether the order of two neighbours means anything.
fn is_ordered(parent: &NodeView, first: &NodeView, second: &NodeView) -> bool {
    let both = |words: &[&str]| {
        [first, second]
            .iter()
            .all(|one| words.contains(&&*one.word))
    };
    let one_is = |words: &[&str]| {
        [first, second]
            .iter()
            .any(|one| words.contains(&&*one.word))
    };
    match &*parent.word {
        // Of the parts of a state, only transitions have an order.
        "machine" | "state" | "region" => both(&["transition"]),
        "transition" => false,
        // What a `find` keeps has to hold altogether, scores are multiplied, and rules look for themselves.
        "find" | "score" | "rules" => false,
        "tree" | "scope" => !one_is(&["key", "in", "out", "inout"]),
        // They are beside each other, or exclude each other, or are chosen by chance.
        "parallel" | "parallel-all" | "switch" | "random" | "random-selector"
        | "weighted-selector" => false,
        // `yes` and `no`, and branches, have their names.
        _ => !one_is(&["yes", "no", "branch"]) && !both(&["condition", "check"]),
    }
}

/// Neighbours whose order changes nothing that happens: the document, how each begins, and why.
const SAME: [(&str, &str, &str, &str); 32] = [
    ("sentry.kdl", "emit bark", "set ", ONE_TICK),
    ("boss.kdl", "action swing", "subtree face-enemy", ONE_TICK),
    ("boss.kdl", "action walk", "subtree face-enemy", ONE_TICK),
    ("boss.kdl", "subtree face-enemy", "set ", ONE_TICK),
    ("boss.kdl", "set ", "action jab", ONE_TICK),
    ("boss.kdl", "set ", "action swing", ONE_TICK),
    ("castle.kdl", "set ", "emit alarm", ONE_TICK),
    ("guard.kdl", "set ", "emit horn-call", ONE_TICK),
    ("guard.kdl", "set ", "emit feast", ONE_TICK),
    ("village.kdl", "set ", "emit rumour", ONE_TICK),
    ("squad.kdl", "log ", "emit contact", ONE_TICK),
    ("hunter.kdl", "log ", "emit beast", ONE_TICK),
    (
        "hunter.kdl",
        "subtree pick-threat",
        "log ",
        "tests do not read what is logged",
    ),
    (
        "pet.kdl",
        "invert",
        "condition long-away",
        "both are only asked",
    ),
    (
        "boss.kdl",
        "transition to=attack when",
        "transition to=rest when",
        EXCLUDED,
    ),
    (
        "boss.kdl",
        "transition to=rest after=0.8",
        "transition after=0.5",
        "the second has happened long before",
    ),
    (
        "boss.kdl",
        "transition to=leap",
        "transition to=run",
        EXCLUDED,
    ),
    (
        "boss.kdl",
        "transition to=run",
        "transition to=stand",
        EXCLUDED,
    ),
    (
        "boss.kdl",
        "transition to=walk",
        "transition to=stand",
        EXCLUDED,
    ),
    (
        "robot.kdl",
        "transition to=dump done",
        "transition to=search done",
        EXCLUDED,
    ),
    (
        "hunter.kdl",
        "subtree come-when-called",
        "reactive-sequence name=stroll",
        EXCLUDED,
    ),
    (
        "robot.kdl",
        "transition to=search done",
        "transition to=search when",
        ONE_TARGET,
    ),
    (
        "squad.kdl",
        "transition to=ready when",
        "transition to=ready done",
        ONE_TARGET,
    ),
    (
        "castle.kdl",
        "transition to=hunt when",
        "transition to=hunt done",
        ONE_TARGET,
    ),
    (
        "castle.kdl",
        "transition to=sniff when",
        "transition to=sniff done",
        ONE_TARGET,
    ),
    (
        "soldier.kdl",
        "test \"health < 30\"",
        "test \"enemy_strength > 2\"",
        ONE_TARGET,
    ),
    (
        "squad.kdl",
        "transition to=support on=contact",
        "transition to=ready done",
        APART,
    ),
    (
        "village.kdl",
        "transition to=shelter on=rumour",
        "transition to=everyday done",
        APART,
    ),
    (
        "castle.kdl",
        "transition to=suspicious on=noise",
        "transition to=round done",
        APART,
    ),
    (
        "castle.kdl",
        "transition to=hunt on=alarm",
        "transition to=round done",
        APART,
    ),
    (
        "castle.kdl",
        "transition to=sniff on=noise",
        "transition to=round done",
        APART,
    ),
    (
        "soldier.kdl",
        "transition to=short",
        "transition to=well-supplied",
        "its priority says which comes first",
    ),
];

const ONE_TICK: &str = "both have happened when the tick ends";
const EXCLUDED: &str = "they are never possible together";
const ONE_TARGET: &str = "both lead to the same";
const APART: &str = "an event is heard before anything is done, whatever the order";

#[test]
fn neighbours_exchanged_in_an_example_are_caught_by_its_tests() {
    let (mut planted, mut missed) = (0, Vec::new());
    let mut unused: Vec<_> = SAME.iter().collect();
    for path in examples() {
        let text = fs::read_to_string(&path).expect("an example");
        let name = path.file_name().expect("a file").to_string_lossy();
        for swap in swaps(&path, &text) {
            planted += 1;
            if run_example(&path, &swap.text).is_none_or(|report| !report.passed()) {
                continue;
            }
            let is_it = |(file, first, second, _): &(&str, &str, &str, &str)| {
                *file == name && swap.first.starts_with(first) && swap.second.starts_with(second)
            };
            unused.retain(|known| !is_it(known));
            if !SAME.iter().any(is_it) {
                missed.push(format!(
                    "{}:{}: in `{}`, `{}` and `{}`",
                    path.display(),
                    swap.line,
                    swap.parent,
                    swap.first,
                    swap.second
                ));
            }
        }
    }
    assert!(missed.is_empty(), "of {planted}:\n{}", missed.join("\n"));
    assert!(unused.is_empty(), "these are caught: {unused:?}");
}
