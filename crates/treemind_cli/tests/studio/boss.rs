//! The boss of `examples/03-boss`, made in the page: from an empty folder to a tree, a machine, a decision tree and two
//! tests, with the mouse and the keyboard. It does in the arena what the example does.

use crate::browser::Browser;
use crate::hands::{pause, until_file};
use crate::program::{Studio, root};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What is made, a node on each line.
pub(crate) const BOSS: &str = include_str!("boss.kdl");

/// The lines behind the first three, without those that are empty: these come by themselves.
pub(crate) fn more_lines() -> impl Iterator<Item = &'static str> {
    let lines = BOSS.lines().skip(3).map(str::trim);
    lines.filter(|line| !line.is_empty())
}

/// Where the next node goes: behind the last one of a block, or into a block without any.
pub(crate) struct Block {
    pub(crate) id: String,
    pub(crate) last: Option<String>,
}

/// The blocks that are open once the first node has its kind: the document, the tree, and that node with what it came
/// with.
pub(crate) fn open_blocks(root: String, first: String, placeholder: &str) -> Vec<Block> {
    let block = |id, last| Block {
        id,
        last: Some(last),
    };
    vec![
        block(String::new(), root.clone()),
        block(root, first.clone()),
        block(first, placeholder.to_owned()),
    ]
}

/// Clicks on a row, and again if it has moved between the press and the release: then nothing was clicked.
pub(crate) fn choose(page: &mut Browser, id: &str) {
    let is_chosen = format!("document.getElementById('{id}').ariaSelected === 'true'");
    for _ in 0..10 {
        page.value(&format!(
            "document.getElementById('{id}').scrollIntoView({{ block: 'nearest' }})"
        ));
        page.click_on(&format!("#{id} .word"));
        if page.becomes_true(&is_chosen, Duration::from_secs(5)) {
            return;
        }
    }
    page.until(&is_chosen);
}

/// The row of a word.
pub(crate) fn row(page: &mut Browser, word: &str) -> String {
    let row = format!("document.querySelector('.sheet [data-word=\"{word}\"]')");
    page.until(&row);
    let id = page.value(&format!("{row}.id"));
    id.as_str().expect("an id").to_owned()
}

/// Adds a node with the button *Add*, behind or into the one that is chosen. Returns the row of the new one.
fn add(page: &mut Browser, line: &str, from: &str, is_into: bool) -> String {
    page.click_on(".editing .bar button:nth-of-type(3)");
    page.until("document.activeElement.matches('.search input')");
    page.type_text(line);
    page.until("document.querySelector('.finds [aria-selected=true]')");
    let is_beside = "document.querySelector('.finds [aria-selected=true] .side')";
    // Behind a definition, most words could be in it, too: then that is offered first.
    let next = "document.querySelector('.finds [aria-selected=true] + [role=option] .side')";
    let is_definition = page.value(&format!(
        "document.getElementById('{from}').ariaLevel === '1'"
    )) == true;
    if is_definition && !is_into {
        page.until(&format!("{is_beside} || {next}"));
        if page.value(&format!("!{is_beside}")) == true {
            page.press("ArrowDown");
            page.until(is_beside);
        }
    }
    page.press_with("Enter", if is_into { 8 } else { 0 });
    chosen_after(page, from)
}

/// The row that is chosen after an edit.
pub(crate) fn chosen_after(page: &mut Browser, from: &str) -> String {
    let chosen = "document.querySelector('.sheet [aria-selected=true]')?.id";
    page.until(&format!(
        "!document.querySelector('.search') && {chosen} && {chosen} !== '{from}'"
    ));
    page.value(chosen).as_str().expect("an id").to_owned()
}

/// What the program prints for a document in a folder.
fn printed(folder: &Path, args: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_treemind"))
        .args(args.split(' '))
        .current_dir(folder)
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The document is tidy, passes its tests, and does in its hall what the example does.
pub(crate) fn does_what_the_example_does(folder: &Path) {
    printed(folder, "fmt --check boss.kdl");
    let tested = printed(folder, "test boss.kdl");
    assert!(tested.contains("a blow lands once"), "{tested}");
    let example = root().join("examples/03-boss");
    std::fs::copy(example.join("hall.map"), folder.join("hall.map")).expect("a map");
    for which in ["", " --machine boss"] {
        let args = format!("run boss.kdl --no-ui --ticks 700{which}");
        let run = printed(folder, &args);
        assert!(run.lines().count() > 20, "{run}");
        assert_eq!(run, printed(&example, &args));
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_boss_is_made_from_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("boss.kdl");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    // An empty tree, under a name of one's own.
    page.until("document.querySelector('.begin input')");
    page.click_on(".begin input");
    page.value("document.querySelector('.begin input').select()");
    page.type_text("boss.kdl");
    page.click_on(".begin button");
    page.until("document.querySelectorAll('.sheet .row').length > 2");
    pause(&mut page);
    // Its first node becomes another one, and the node that it came with goes once there is another.
    let root_id = row(&mut page, "tree");
    let first = row(&mut page, "sequence");
    choose(&mut page, &first);
    let kinds = "document.querySelector('.inspector select option[value=reactive-selector]')";
    page.until(kinds);
    page.value(&format!("(() => {{ const list = {kinds}.parentElement; list.value = 'reactive-selector'; list.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"));
    let first = row(&mut page, "reactive-selector");
    let placeholder = row(&mut page, "wait");
    let mut blocks = open_blocks(root_id, first, &placeholder);
    // The comment, the tree and its first node are there.
    for (nth, line) in more_lines().enumerate() {
        if line == "}" {
            blocks.pop();
            continue;
        }
        let (node, opens) = match line.strip_suffix(" {") {
            Some(node) => (node, true),
            None => (line, false),
        };
        let block = blocks.last_mut().expect("there is a block");
        let from = block.last.as_ref().unwrap_or(&block.id).clone();
        choose(&mut page, &from);
        let id = add(&mut page, node, &from, block.last.is_none());
        block.last = Some(id.clone());
        if nth == 0 {
            choose(&mut page, &placeholder);
            page.press("Delete");
            page.until(&format!("!document.getElementById('{placeholder}')"));
        }
        if opens {
            blocks.push(Block { id, last: None });
        }
    }
    until_file(&path, BOSS);
    does_what_the_example_does(folder.path());
}
