//! The places of the lines of every example.

use super::places;
use std::path::Path;
use treemind_core::Behaviour;
use treemind_doc::{Document, Imports, outline_lines};

/// The texts of a place, without its block.
fn said(texts: &[(String, String)], [file, line, column, ..]: [usize; 5]) -> &str {
    let text = texts[file].1.lines().nth(line - 1).expect("a line");
    let skipped = text.char_indices().map(|(at, _)| at);
    // Columns are counted in units of UTF-16; what stands before a node is blank.
    &text[skipped.chain([text.len()]).nth(column).expect("a column")..]
}

fn behaviours(document: &Document) -> Vec<Behaviour> {
    let trees = document.trees().iter();
    let trees = trees.filter_map(|one| document.behaviour(Some(one.name())).ok());
    let machines = document.machines().iter();
    let machines = machines.filter_map(|one| document.machine(one.name()).ok());
    let decisions = document.decisions().iter();
    let decisions = decisions.filter_map(|one| document.decision(one.name()).ok());
    trees.chain(machines).chain(decisions).collect()
}

#[test]
fn every_line_of_the_examples_has_its_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut lines_in_all, mut missing) = (0, Vec::new());
    for folder in std::fs::read_dir(root).expect("a folder") {
        let folder = folder.expect("an entry").path();
        let Ok(files) = std::fs::read_dir(&folder) else {
            continue;
        };
        for file in files {
            let path = file.expect("a file").path();
            if path.extension().is_none_or(|end| end != "kdl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            let imports = Imports::of(&path);
            let name = path.to_string_lossy();
            let document = Document::read_with(text.as_bytes(), &name, |path| imports.read(path));
            let texts = document.texts();
            for behaviour in behaviours(&document) {
                let (all, _) = places(Some(&behaviour), &texts);
                let lines = outline_lines(&behaviour);
                assert_eq!(all.len(), lines.len());
                for (line, place) in lines.iter().zip(all) {
                    lines_in_all += 1;
                    let of = format!("{} {}: {}", name, behaviour.name(), line.text);
                    let Some(place) = place else {
                        missing.push(of);
                        continue;
                    };
                    let text = said(&texts, place);
                    let word = line.text.split_whitespace().next().expect("a word");
                    let word = match word {
                        "→" => "transition",
                        word => word,
                    };
                    // A machine that asks a decision tree says so in a transition, and the tree names states.
                    let decides = (text.starts_with("transition ") && text.contains(" decide="))
                        || (word == "transition" && text.starts_with("state "));
                    let fits = text.starts_with(word) || word == "test" || decides;
                    assert!(fits, "{of} is at {text}");
                }
            }
        }
    }
    assert!(lines_in_all > 600, "{lines_in_all}");
    let told = missing.join("\n");
    assert!(
        missing.is_empty(),
        "{} of {lines_in_all}:\n{told}",
        missing.len()
    );
}
