//! Scenarios, pages and generated charts mean the same in JSON.

use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::{Document, Format, convert, format};
use treemind_testkit::conformance::{document_of, load, parse};
use treemind_testkit::generate::Chart;

fn entries(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let paths = fs::read_dir(folder).expect("a folder");
    let paths = paths.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect()
}

/// Converts a document to JSON and back, and compares its meaning at each step.
fn same_in_json(what: &str, text: &str) {
    let to = |text: &str, from, to| {
        let converted = convert(text, what, from, to);
        converted
            .unwrap_or_else(|refusal| panic!("{what}: {refusal}\n{text}"))
            .text
    };
    let json = to(text, Format::Kdl, Format::Json);
    let back = to(&json, Format::Json, Format::Kdl);
    assert_eq!(to(&back, Format::Kdl, Format::Json), json, "{what}");
    assert_eq!(format(&back, what).as_deref(), Ok(back.as_str()), "{what}");
    let read = |text: &str, format| Document::read_as_with(text.as_bytes(), what, format, load);
    let (first, other, last) = (
        read(text, Format::Kdl),
        read(&json, Format::Json),
        read(&back, Format::Kdl),
    );
    let codes = |document: &Document| -> Vec<_> {
        document
            .diagnostics()
            .iter()
            .map(|item| item.code())
            .collect()
    };
    assert_eq!(codes(&first), codes(&other), "{what}\n{json}");
    assert_eq!(codes(&first), codes(&last), "{what}\n{back}");
    let behaviours = |document: &Document| -> Vec<_> {
        let trees = document
            .trees()
            .iter()
            .map(|tree| document.behaviour(Some(tree.name())));
        let machines = document
            .machines()
            .iter()
            .map(|one| document.machine(one.name()));
        let decisions = document
            .decisions()
            .iter()
            .map(|one| document.decision(one.name()));
        trees
            .chain(machines)
            .chain(decisions)
            .map(Result::ok)
            .collect()
    };
    let expected = behaviours(&first);
    assert!(!expected.is_empty(), "{what}");
    assert_eq!(expected, behaviours(&other), "{what}\n{json}");
    assert_eq!(expected, behaviours(&last), "{what}\n{back}");
}

#[test]
fn scenarios_say_the_same_in_json() {
    let mut count = 0;
    for path in entries("conformance", "scenarios") {
        let text = fs::read_to_string(&path).expect("scenarios");
        for scenario in parse(&text).expect("they are well formed") {
            for (_, part) in scenario.parts() {
                same_in_json(&scenario.title, &document_of(&part));
                count += 1;
            }
        }
    }
    assert!(count > 400, "only {count} scenarios");
}

#[test]
fn pages_say_the_same_in_json() {
    let mut count = 0;
    for path in entries("docs/nodes", "md") {
        let page = fs::read_to_string(&path).expect("a page");
        for block in page.split("```kdl\n").skip(1) {
            let (text, _) = block.split_once("```").expect("a block ends");
            let is_tree = !text.contains("\ntree ");
            let text = if is_tree {
                format!("tree example {{\n{text}}}\n")
            } else {
                text.to_owned()
            };
            same_in_json(&path.display().to_string(), &text);
            count += 1;
        }
    }
    assert!(count > 55, "only {count} examples");
}

#[test]
fn generated_charts_say_the_same_in_json() {
    for seed in 0..200 {
        same_in_json(&format!("chart {seed}"), &Chart::random(seed).to_kdl());
    }
}
