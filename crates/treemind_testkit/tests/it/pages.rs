//! The examples on the pages about nodes: each is the body of a tree that can be read and played.

use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::{Code, Document, mermaid};
use treemind_testkit::conformance::{Scenario, behaviour_of, play_executor, play_reference};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/nodes")
}

/// The blocks of KDL on a page, each with its line number.
fn blocks(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(page.lines()) {
        match (&mut open, line) {
            (None, "```kdl") => open = Some((number, String::new())),
            (Some(_), "```") => found.extend(open.take()),
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _) => {}
        }
    }
    found
}

/// The content of the block of a definition at the top level of a text.
fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let from = text.split_once(&format!("{name} {{\n"))?.1;
    Some(from.split_once("\n}\n")?.0)
}

/// The keys, the leaves, the other definitions and the tree of an example that is a whole document.
fn whole(text: &str) -> Option<(&str, &str, &str, &str)> {
    let keys = inside(text, "blackboard")?;
    let leaves = inside(text, "leaves")?;
    let (_, behind) = text.split_once(leaves)?;
    let (others, _) = behind.strip_prefix("\n}\n")?.split_once("tree guard {")?;
    Some((keys, leaves, others, inside(text, "tree guard")?))
}

#[test]
fn every_example_is_a_tree_that_can_be_played() {
    let index = fs::read_to_string(folder().join("README.md")).expect("the index can be read");
    let (_, shared) = blocks(&index).pop().expect("the index shows the keys");
    let keys = inside(&shared, "blackboard").expect("the keys of the examples");
    let leaves = inside(&shared, "leaves").expect("the leaves of the examples");
    let trees = shared.find("\ntree ").map_or("", |at| &shared[at + 1..]);
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder()).expect("there are pages about nodes") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_stem().expect("a page has a name");
        let name = name.to_string_lossy().into_owned();
        if name == "README" {
            continue;
        }
        let page = fs::read_to_string(&path).expect("a page can be read");
        let blocks = blocks(&page);
        let shows = |text: &str| text.split_whitespace().any(|word| word == name);
        if !blocks.iter().any(|(_, text)| shows(text)) {
            problems.push(format!("{name}.md: no example has a `{name}`"));
        }
        for (line, text) in blocks {
            let (keys, leaves, trees, tree) = match whole(&text) {
                Some(parts) => parts,
                None => (keys, leaves, trees, &*text),
            };
            let scenario = Scenario {
                tree: tree.to_owned(),
                trees: trees.to_owned(),
                keys: format!("{keys}\n"),
                leaves: format!("{leaves}\n"),
                ticks: 5,
                dt: std::time::Duration::from_millis(500),
                ..Scenario::default()
            };
            if let Err(problem) = behaviour_of(&scenario) {
                problems.push(format!("{name}.md:{line}: {problem}"));
                continue;
            }
            let reference = play_reference(&scenario);
            if reference.is_err() || reference != play_executor(&scenario) {
                problems.push(format!("{name}.md:{line}: it cannot be played"));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The definitions at the top level of a text, each as a node that uses it in a tree.
fn uses(text: &str) -> Vec<String> {
    let defined = text.lines().filter_map(|line| {
        let (word, rest) = line.split_once(' ')?;
        let name = rest.split(' ').next()?;
        match word {
            "machine" => Some(format!("machine {name}")),
            "tree" => Some(format!("subtree {name}")),
            _ => None,
        }
    });
    defined.collect()
}

#[test]
fn every_machine_of_the_page_about_them_can_be_played() {
    let path = folder().join("../state-machines.md");
    let page = fs::read_to_string(path).expect("the page can be read");
    let mut blocks = blocks(&page).into_iter();
    let (_, shared) = blocks.next().expect("the page shows the keys");
    let keys = inside(&shared, "blackboard").expect("the keys of the examples");
    let leaves = inside(&shared, "leaves").expect("the leaves of the examples");
    let mut played = 0;
    for (line, text) in blocks {
        let document = Document::parse(&format!("{shared}{text}"), "state-machines.md");
        for found in document.diagnostics() {
            let is_unused = found.code() == Code::UnusedKey;
            assert!(is_unused, "line {line}: {}", found.to_plain());
        }
        for tree in uses(&text) {
            let scenario = Scenario {
                tree: format!("{tree}\n"),
                trees: text.clone(),
                keys: format!("{keys}\n"),
                leaves: format!("{leaves}\n"),
                ticks: 20,
                dt: std::time::Duration::from_millis(700),
                ..Scenario::default()
            };
            let reference = play_reference(&scenario);
            assert!(reference.is_ok(), "line {line}: {reference:?}");
            assert_eq!(reference, play_executor(&scenario), "line {line}");
            played += 1;
        }
    }
    assert!(played >= 10, "only {played} definitions");
}

#[test]
fn the_picture_on_the_page_about_machines_is_that_of_its_example() {
    let path = folder().join("../state-machines.md");
    let page = fs::read_to_string(path).expect("the page can be read");
    let mut blocks = blocks(&page).into_iter();
    let (_, shared) = blocks.next().expect("the page shows the keys");
    let is_robot = |(_, text): &(usize, String)| text.starts_with("machine robot {");
    let (_, robot) = blocks.find(is_robot).expect("the page shows a robot");
    let document = Document::parse(&format!("{shared}{robot}"), "state-machines.md");
    let robot = document.machine("robot").expect("it has no errors");
    let picture = page.split_once("```mermaid\n").expect("a picture").1;
    let picture = picture.split_once("```").expect("its end").0;
    assert_eq!(picture, mermaid(&robot));
}

#[test]
fn the_lamp_of_the_page_about_machines_does_what_its_table_says() {
    let path = folder().join("../state-machines.md");
    let page = fs::read_to_string(path).expect("the page can be read");
    let blocks = blocks(&page);
    let keys = inside(&blocks[0].1, "blackboard").expect("the keys of the examples");
    let leaves = inside(&blocks[0].1, "leaves").expect("the leaves of the examples");
    let (_, lamp) = &blocks[1];
    let fight = "sequence { wait 0.5; set \"fight_near = true\"; run; }";
    let scenario = Scenario {
        tree: format!("parallel {{ {fight}; machine lamp; }}\n"),
        trees: lamp.clone(),
        keys: format!("{keys}\n"),
        leaves: format!("{leaves}\n"),
        script: vec!["look-for-rubbish: R".to_owned()],
        ticks: 8,
        dt: std::time::Duration::from_secs(1),
        ..Scenario::default()
    };
    let played = play_executor(&scenario).expect("it can be played");
    let expected = [
        "1 RUNNING",
        "2 RUNNING | tick beep SUCCESS",
        "3 RUNNING | tick look-for-rubbish RUNNING",
        "4 RUNNING | tick look-for-rubbish RUNNING",
        "5 RUNNING | tick look-for-rubbish RUNNING",
        "6 RUNNING | tick look-for-rubbish RUNNING",
        "7 RUNNING | halt look-for-rubbish",
        "8 RUNNING | tick beep SUCCESS",
    ];
    assert_eq!(played.trace, expected);
    assert_eq!(Ok(played), play_reference(&scenario));
}
