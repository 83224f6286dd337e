//! The edit layer on the documents of all scenarios: an edit that promises not to change behaviour does not.

use std::fs;
use std::path::Path;
use treemind_doc::edit::{At, Editor, NodeView, Spot, SymbolKind};
use treemind_doc::{Document, Severity};
use treemind_testkit::conformance::{Played, Scenario, document_of, parse, play_reference};

fn scenarios() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let entries = fs::read_dir(&folder).expect("there is a folder of scenarios");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "scenarios"));
    paths.sort();
    let read = |path| {
        let text = fs::read_to_string(path).expect("a file of scenarios can be read");
        parse(&text).expect("it is well formed")
    };
    let all = paths.iter().flat_map(read);
    // Scenarios of several programs are about what those share, which edits of one document do not know; and what reads
    // a file of weights is no document by itself.
    all.filter(|scenario| scenario.programs.is_empty())
        .filter(|scenario| !document_of(scenario).contains("network "))
        .collect()
}

/// All scenarios, or one of some, for what plays a scenario once for each of its nodes.
fn some_scenarios() -> (impl Iterator<Item = Scenario>, usize) {
    let one_of = super::cases(1, 4) as usize;
    (scenarios().into_iter().step_by(one_of), one_of)
}

fn editor(text: &str) -> Editor {
    Editor::new(Document::parse(text, "scenario")).expect("it is KDL")
}

/// All nodes, parents before children.
fn all_nodes(editor: &Editor) -> Vec<NodeView> {
    let mut found = Vec::new();
    let mut pending: Vec<At> = editor.top(0);
    pending.reverse();
    while let Some(at) = pending.pop() {
        let node = editor.node(at).expect("it is there");
        pending.extend(node.children.iter().rev());
        found.push(node);
    }
    found
}

fn errors(document: &Document) -> Vec<String> {
    let all = document.diagnostics().iter();
    let errors = all.filter(|found| found.severity() == Severity::Error);
    errors.map(treemind_doc::Diagnostic::to_plain).collect()
}

/// A scenario with the trees of an edited document of it.
fn with_text(scenario: &Scenario, text: &str) -> Scenario {
    const HEAD: &str = "tree scenario {\n";
    let edited = editor(text);
    let at = text.find(HEAD).expect("the tree of the scenario");
    let block = edited.node(at).expect("it is there").span;
    Scenario {
        tree: text[block.start + HEAD.len()..block.end - 1].to_owned(),
        trees: text[block.end..].to_owned(),
        ..scenario.clone()
    }
}

/// The comparable part of two runs of trees that differ in names: faults and values name their nodes.
fn without_names(played: Result<Played, String>) -> Result<Played, String> {
    let mut played = played?;
    for fault in &mut played.faults {
        fault.truncate(fault.find(' ').unwrap_or(fault.len()));
    }
    for line in &mut played.values {
        let (tick, values) = line.split_once(' ').expect("a line begins with its tick");
        let nameless = |value: &str| Some(value.split_once(' ')?.1.to_owned());
        let values: Vec<String> = values.split("; ").filter_map(nameless).collect();
        *line = format!("{tick} {}", values.join("; "));
    }
    Ok(played)
}

/// Without the items after which the steps of an `each` are named: below an extracted step, a leaf has its own name.
fn without_items(played: Result<Played, String>, scenario: &Scenario) -> Result<Played, String> {
    let mut played = played?;
    let words = scenario.leaves.split_whitespace().collect::<Vec<_>>();
    for pair in words.windows(2) {
        let &["action" | "condition", leaf] = pair else {
            continue;
        };
        for line in &mut played.trace {
            let named = format!("tick {leaf}-");
            while let Some(at) = line.find(&named) {
                let item = at + named.len() - 1;
                let end = line[item..].find(' ').map_or(line.len(), |end| item + end);
                line.replace_range(item..end, "");
            }
        }
    }
    Ok(played)
}

/// Draws depend on a node's place in the tree, and an extracted node may have another place.
fn draws(text: &str) -> bool {
    ["random", "chance", "jitter", "weighted"]
        .iter()
        .any(|word| text.contains(word))
}

/// In a separate tree, a leaf, or a node with a name, keeps its name under a node that represents its old place.
/// That node ends together with it when it is skipped in the middle of a run.
fn stands_under_another(node: &NodeView) -> bool {
    let leaves = [
        "condition",
        "action",
        "service",
        "node",
        "emit",
        "subtree",
        "machine",
        "decide",
    ];
    let mut entries = node.entries.iter();
    let is_named = entries.any(|entry| entry.name.as_deref() == Some("name"));
    is_named || leaves.contains(&node.word.as_str())
}

#[test]
fn an_extracted_subtree_does_what_the_node_did() {
    let (mut same, mut refused) = (0, Vec::new());
    let (scenarios, one_of) = some_scenarios();
    for scenario in scenarios {
        let text = document_of(&scenario);
        if draws(&text) {
            continue;
        }
        let editor = editor(&text);
        let goes_through = text.contains(" each ");
        let played = |one: &Scenario| match goes_through {
            true => without_items(without_names(play_reference(one)), one),
            false => without_names(play_reference(one)),
        };
        let before = played(&scenario);
        let mut answers = scenario.script.iter().chain(&scenario.own);
        let skips = answers.any(|line| line.contains('K'));
        for node in all_nodes(&editor) {
            if skips && stands_under_another(&node) {
                continue;
            }
            let change = match editor.extract(node.at, "extracted-part") {
                Ok(change) => change,
                Err(why) => {
                    refused.push(why.to_string());
                    continue;
                }
            };
            let after = change.apply_to(0, &text).expect("made for it");
            let edited = with_text(&scenario, &after);
            let after = played(&edited);
            // A step of a planner keeps its name, and a script names the leaf that is now below it by that.
            let is_renamed = |why: &String| why.contains("which is not in the tree");
            if text.contains("planner ") && after.as_ref().is_err_and(is_renamed) {
                continue;
            }
            assert_eq!(
                after,
                before,
                "{}\n{text}\n{}",
                scenario.title,
                document_of(&edited)
            );
            same += 1;
        }
    }
    refused.sort();
    refused.dedup();
    assert!(
        same > 1_500 / one_of,
        "{same} extracted, refused because:\n{}",
        refused.join("\n")
    );
}

#[test]
fn an_inlined_tree_does_what_the_subtree_did() {
    let (mut same, mut refused) = (0, Vec::new());
    for scenario in scenarios() {
        let text = document_of(&scenario);
        if draws(&text) {
            continue;
        }
        let editor = editor(&text);
        let before = without_names(play_reference(&scenario));
        let mut answers = scenario.script.iter().chain(&scenario.own);
        let skips = answers.any(|line| line.contains('K'));
        let nodes = all_nodes(&editor);
        for node in nodes.iter().filter(|node| node.word == "subtree" && !skips) {
            let change = match editor.inline(node.at, false) {
                Ok(change) => change,
                Err(why) => {
                    refused.push(why.to_string());
                    continue;
                }
            };
            let after = change.apply_to(0, &text).expect("made for it");
            let edited = with_text(&scenario, &after);
            let after = without_names(play_reference(&edited));
            let document = document_of(&edited);
            assert_eq!(after, before, "{}\n{text}\n{document}", scenario.title);
            same += 1;
        }
    }
    refused.sort();
    refused.dedup();
    let refused = refused.join("\n");
    assert!(same > 12, "{same} inlined, refused because:\n{refused}");
}

#[test]
fn what_was_extracted_is_inlined_again() {
    let (mut same, mut refused) = (0, Vec::new());
    let (scenarios, one_of) = some_scenarios();
    for scenario in scenarios {
        let text = document_of(&scenario);
        if draws(&text) {
            continue;
        }
        let plain = editor(&text);
        let before = without_names(play_reference(&scenario));
        let mut answers = scenario.script.iter().chain(&scenario.own);
        let skips = answers.any(|line| line.contains('K'));
        for node in all_nodes(&plain)
            .iter()
            .filter(|node| node.word != "subtree")
        {
            let Ok(change) = plain.extract(node.at, "extracted-part") else {
                continue;
            };
            if skips && stands_under_another(node) {
                continue;
            }
            let mut editor = plain.clone();
            editor.apply(&change).expect("made for it");
            let place = change.moved(0, node.at.offset);
            let change = match editor.inline(place, true) {
                Ok(change) => change,
                Err(why) => {
                    refused.push(why.to_string());
                    continue;
                }
            };
            if !change.notes().is_empty() {
                assert!(text.contains("subtree-by"), "{:?}", change.notes());
                continue;
            }
            editor.apply(&change).expect("made for it");
            let after = editor.text(0);
            assert!(!after.contains("extracted-part"), "{after}");
            let edited = with_text(&scenario, after);
            let played = without_names(play_reference(&edited));
            assert_eq!(played, before, "{}\n{text}\n{after}", scenario.title);
            same += 1;
        }
    }
    refused.sort();
    refused.dedup();
    let refused = refused.join("\n");
    assert!(
        same > 1_000 / one_of,
        "{same} inlined, refused because:\n{refused}"
    );
}

#[test]
fn a_shared_branch_decides_as_before() {
    let mut same = 0;
    for scenario in scenarios() {
        let text = document_of(&scenario);
        let editor = editor(&text);
        let before = play_reference(&scenario);
        for node in all_nodes(&editor) {
            let Ok(change) = editor.share(node.at, "shared-part") else {
                continue;
            };
            let after = change.apply_to(0, &text).expect("made for it");
            let edited = with_text(&scenario, &after);
            let after = play_reference(&edited);
            let document = document_of(&edited);
            assert_eq!(after, before, "{}\n{text}\n{document}", scenario.title);
            same += 1;
        }
    }
    assert!(same > 100, "{same} shared");
}

/// Printed text without the parts in quotes.
fn without_texts(printed: &str) -> String {
    printed.split('"').step_by(2).collect()
}

#[test]
fn a_rename_keeps_every_meaning() {
    let mut renamed = 0;
    for scenario in scenarios() {
        let text = document_of(&scenario);
        let plain = Document::parse(&text, "scenario");
        // Where things are declared changes nothing, and is listed in the order of their names.
        let meaning = |document: &Document| {
            let all = format!("{:?}", document.behaviour(None));
            let behaviour = all.split_once(", places: ").map(|(behaviour, _)| behaviour);
            behaviour.unwrap_or(&all).to_owned()
        };
        let before = meaning(&plain);
        let editor = editor(&text);
        let mut seen = std::collections::BTreeSet::new();
        // A name is defined in the line of a node, by its first value or a property.
        let places = all_nodes(&editor).into_iter().flat_map(|node| {
            let entries = node.entries.into_iter();
            entries.map(|entry| entry.value.start).collect::<Vec<_>>()
        });
        for at in places {
            let found = editor.occurrences(at);
            if found.is_empty() || !seen.insert(found[0].span.start) {
                continue;
            }
            let (kind, old) = editor.symbol_at(at).expect("it occurs");
            let change = match editor.rename(at, "zqx") {
                Ok(change) => change,
                Err(why) => {
                    let why = why.to_string();
                    let known = [
                        "subtree-by",
                        "means different things",
                        "would change the meaning of something",
                    ];
                    // The value of an enumeration by which a tree is chosen.
                    let names_a_tree =
                        text.contains("subtree-by") && why.contains("would have a new error");
                    assert!(
                        names_a_tree || known.iter().any(|known| why.contains(known)),
                        "{why}:\n{text}"
                    );
                    continue;
                }
            };
            assert_eq!(change.splices().len(), found.len(), "{old}\n{text}");
            let after = change.apply_to(0, &text).expect("made for it");
            let document = Document::parse(&after, "scenario");
            let what = format!("{} {old}, {}:\n{after}", kind.as_str(), scenario.title);
            assert_eq!(errors(&document), [""; 0], "{what}");
            // In expressions, and in keys named after them, names have `_` for `-`.
            let spelt = format!("event({}", old.replace('-', "_"));
            let after = meaning(&document)
                .replace("event(zqx", &spelt)
                .replace("zqx", &old);
            if matches!(kind, SymbolKind::State | SymbolKind::Item) {
                // What shares its name with another one is named by its path, or gets a number.
                assert_eq!(without_texts(&after), without_texts(&before), "{what}");
            } else {
                assert_eq!(after, before, "{what}");
            }
            renamed += 1;
        }
    }
    assert!(renamed > 3_000, "{renamed} renamed");
}

#[test]
fn a_document_that_is_well_stays_so() {
    let mut done = 0;
    for scenario in scenarios() {
        let text = document_of(&scenario);
        let editor = editor(&text);
        for node in all_nodes(&editor) {
            for head in ["sequence", "force-success"] {
                let Ok(change) = editor.wrap(node.at, head) else {
                    continue;
                };
                let after = change.apply_to(0, &text).expect("made for it");
                let errors = errors(&Document::parse(&after, "scenario"));
                assert_eq!(errors, [""; 0], "{}:\n{after}", change.label());
                done += 1;
            }
            let list = [
                "sequence",
                "selector",
                "reactive-sequence",
                "parallel",
                "monitor",
            ];
            if let ([first, .., last], true) =
                (&node.children[..], list.contains(&node.word.as_str()))
            {
                let change = editor
                    .move_node(*first, Spot::After(*last))
                    .expect("beside it");
                let after = change.apply_to(0, &text).expect("made for it");
                let errors = errors(&Document::parse(&after, "scenario"));
                assert_eq!(errors, [""; 0], "{}:\n{after}", change.label());
                done += 1;
            }
        }
    }
    assert!(done > 5_000, "{done} edits");
}
