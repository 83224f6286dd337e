//! The boss of `examples/03-boss`, made in the page: from an empty folder to a tree, a machine, a decision tree and two
//! tests. Everything is chosen, added and connected with the mouse; only names and values are typed. It does in the arena
//! what the example does.

use crate::browser::Browser;
use crate::drawn::STANDS_STILL;
use crate::hands::{pause, until_file};
use crate::program::{Studio, root};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// What is made, a node on each line.
const BOSS: &str = include_str!("boss.kdl");

/// Where the next node goes: behind the last one of a block, or into a block without any.
struct Block {
    id: String,
    last: Option<String>,
}

/// Clicks on a row.
fn choose(page: &mut Browser, id: &str) {
    page.value(&format!(
        "document.getElementById('{id}').scrollIntoView({{ block: 'nearest' }})"
    ));
    page.click_on(&format!("#{id} .word"));
    page.until(&format!(
        "document.getElementById('{id}').ariaSelected === 'true'"
    ));
}

/// The row of a node.
fn row(page: &mut Browser, selector: &str) -> String {
    let row = format!("document.querySelector('.sheet {selector}')");
    page.until(&row);
    let id = page.value(&format!("{row}.id"));
    id.as_str().expect("an id").to_owned()
}

/// The row that is chosen.
const CHOSEN: &str = "document.querySelector('.sheet [aria-selected=true]')?.id";

/// What has been added is chosen, as soon as it is there.
fn added(page: &mut Browser, before: &str) -> String {
    page.until(&format!(
        "!document.querySelector('.search, .popup') && {CHOSEN} && {CHOSEN} !== '{before}'"
    ));
    let id = page.value(CHOSEN);
    id.as_str().expect("an id").to_owned()
}

/// Takes something of the list that the right button opens at a row.
fn take(page: &mut Browser, id: &str, item: &str) {
    let place = page.still_middle_of(&format!("#{id} .word"));
    page.right_click(place);
    let item = format!(
        "[...document.querySelectorAll('.menu [role=menuitem]')].find((one) => one.textContent.startsWith('{item}'))"
    );
    page.until(&item);
    page.value(&format!("{item}.id = 'wanted'"));
    page.click_on("#wanted");
}

/// Adds a node with the button *Add*, behind or into the one that is chosen. Returns the row of the new one.
fn add(page: &mut Browser, line: &str, from: &str, is_into: bool) -> String {
    page.click_on(".editing .bar button:nth-of-type(3)");
    page.until("document.activeElement.matches('.search input')");
    page.type_text(line);
    let side = if is_into { "into" } else { "after" };
    let side = format!(".where [data-side={side}]");
    if page.value(&format!("document.querySelector('{side}').ariaChecked")) == "false" {
        page.click_on(&side);
    }
    // What would go elsewhere says so.
    page.click_on(".finds [role=option]:not(:has(.side))");
    added(page, from)
}

/// Adds nodes, line by line, beginning in the last one of the blocks.
fn build<'a>(page: &mut Browser, lines: impl Iterator<Item = &'a str>, mut blocks: Vec<Block>) {
    for line in lines {
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
        choose(page, &from);
        let id = add(page, node, &from, block.last.is_none());
        block.last = Some(id.clone());
        if opens {
            blocks.push(Block { id, last: None });
        }
    }
}

/// What a transition says of itself.
fn said<'t>(transition: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = transition.split_once(&format!(" {name}="))?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(' ').next(),
    }
}

/// Whether the game plays the document as it is, or the page knows why it does not.
const PLAYS: &str = "({ draft, texts }) => [draft?.texts ?? [], texts].flat().some((one) => one.text === window.treemind.sheet.sheet.value.files[0].text)";

/// Draws a transition from the handle of a state to another one, and fills in the form beside it. Returns its row.
fn connect(page: &mut Browser, from: &str, transition: &str) -> String {
    let to = said(transition, "to").expect("a state");
    let [own, goal] =
        [from, to].map(|name| row(page, &format!("[data-word=state][data-name={name}]")));
    choose(page, &own);
    // The line about the reload moves what is below it. All of it is in view then.
    page.until(&format!(
        "({PLAYS})(window.treemind.model.definition.value)"
    ));
    page.click_on(".zoom button:nth-of-type(4)");
    page.value(STANDS_STILL);
    let handle = page.on_canvas(&format!(
        "const {{ layout, onCanvas, drawnLines }} = window.treemind;
        const card = layout().cards.find((one) => one.title === '{from}' && drawnLines()[one.nth].is === 'state');
        const at = onCanvas(card.x + card.w - 14, card.y);"
    ));
    let id = goal.trim_start_matches("sheet-");
    let goal = page.on_canvas(&format!(
        "const at = window.treemind.place('#{id}', 0.4, 0.3);"
    ));
    page.grab(handle, goal);
    page.until("window.treemind.hands().goal && window.treemind.hands().verdict === null");
    page.let_go(goal);
    for name in ["after", "when"] {
        if let Some(text) = said(transition, name) {
            page.click_on(&format!(".popup [name={name}]"));
            page.type_text(text);
        }
    }
    page.click_on(".popup [type=submit]");
    added(page, &own)
}

/// The lines without the transitions of states, and these with their states: each with the lines of its block.
fn parted(text: &str) -> (Vec<&str>, Vec<(&str, Vec<&str>)>) {
    let (mut others, mut transitions) = (Vec::new(), Vec::new());
    let mut state = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        state = line
            .strip_prefix("state ")
            .map_or(state, |name| name.trim_end_matches(" {"));
        if !line.starts_with("transition ") {
            others.push(line);
            continue;
        }
        let mut block = vec![line];
        if line.ends_with('{') {
            let end = format!("{}}}", " ".repeat(depth));
            block.extend(
                lines
                    .by_ref()
                    .take_while(|line| *line != end)
                    .map(str::trim),
            );
        }
        transitions.push((state, block));
    }
    (others, transitions)
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
    // Its first node becomes another one.
    let root_id = row(&mut page, "[data-word=tree]");
    let first = row(&mut page, "[data-word=sequence]");
    let placeholder = row(&mut page, "[data-word=wait]");
    take(&mut page, &first, "Change");
    page.until("document.activeElement.matches('.search input')");
    page.type_text("reactive-selector");
    page.click_on(".finds [role=option]");
    row(&mut page, "[data-word=reactive-selector]");
    let block = |id: &str, last: &str| Block {
        id: id.to_owned(),
        last: Some(last.to_owned()),
    };
    let blocks = vec![
        block("", &root_id),
        block(&root_id, &first),
        block(&first, &placeholder),
    ];
    // The comment, the tree and its first node are there. States come before what leads to them.
    let (others, transitions) = parted(BOSS);
    build(&mut page, others.into_iter().skip(3), blocks);
    let mut last: HashMap<&str, String> = HashMap::new();
    let (drawn, inner): (Vec<_>, Vec<_>) = transitions
        .into_iter()
        .partition(|(_, block)| said(block[0], "to").is_some());
    for (state, block) in drawn {
        last.insert(state, connect(&mut page, state, block[0]));
    }
    for (state, lines) in inner {
        let id = row(&mut page, &format!("[data-word=state][data-name={state}]"));
        build(
            &mut page,
            lines[..1].iter().copied(),
            vec![Block {
                id,
                last: last.get(state).cloned(),
            }],
        );
        let own = page.value(CHOSEN).as_str().expect("an id").to_owned();
        build(
            &mut page,
            lines[1..].iter().copied(),
            vec![Block {
                id: own.clone(),
                last: None,
            }],
        );
        last.insert(state, own);
    }
    // What the tree came with goes.
    take(&mut page, &placeholder, "Remove");
    page.until(&format!("!document.getElementById('{placeholder}')"));
    until_file(&path, BOSS);
    // It is tidy, passes its tests, and does in its hall what the example does.
    printed(folder.path(), "fmt --check boss.kdl");
    let tested = printed(folder.path(), "test boss.kdl");
    assert!(tested.contains("a blow lands once"), "{tested}");
    let example = root().join("examples/03-boss");
    std::fs::copy(example.join("hall.map"), folder.path().join("hall.map")).expect("a map");
    for which in ["", " --machine boss"] {
        let args = format!("run boss.kdl --no-ui --ticks 700{which}");
        let run = printed(folder.path(), &args);
        assert!(run.lines().count() > 20, "{run}");
        assert_eq!(run, printed(&example, &args));
    }
}
