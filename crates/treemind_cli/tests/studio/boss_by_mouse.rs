//! The boss of `examples/03-boss`, made in the page by the mouse alone: the keyboard only types names and values into fields.

use crate::boss::{
    BOSS, Block, choose, chosen_after, does_what_the_example_does, more_lines, open_blocks, row,
};
use crate::browser::Browser;
use crate::hands::{begin_tree, until_file};
use crate::program::Studio;

/// Makes marks by which a test finds what it clicks on: the one of these elements that has a text.
fn with_text(page: &mut Browser, elements: &str, text: &str) -> String {
    let found = format!(
        "[...document.querySelectorAll('{elements}')].find((one) => one.textContent.trim().startsWith({}))",
        serde_json::to_string(text).expect("a text")
    );
    page.until(&found);
    page.value(&format!(
        "document.querySelector('[data-aim]')?.removeAttribute('data-aim'); {found}.dataset.aim = 'yes'"
    ));
    "[data-aim]".to_owned()
}

/// What the list of a right click on a row offers.
fn act(page: &mut Browser, id: &str, label: &str) {
    choose(page, id);
    let at = page.still_middle_of(&format!("#{id} .word"));
    page.right_click(at);
    let item = with_text(page, ".menu button", label);
    page.click_on(&item);
    page.until("!document.querySelector('.menu')");
}

/// Adds a node behind or into the one that is chosen: *Add*, where it goes, what it is, and a click on the offer.
fn add(page: &mut Browser, line: &str, from: &str, is_into: bool) -> String {
    page.click_on(".editing .bar button:nth-of-type(3)");
    page.until("document.activeElement.matches('.search input')");
    page.type_text(line);
    let side = if is_into { "into" } else { "after" };
    let button = format!(".where [data-side={side}]");
    page.until(&format!("document.querySelector('{button}')"));
    page.click_on(&button);
    page.until(&format!(
        "document.querySelector('{button}').ariaChecked === 'true'"
    ));
    let first = ".finds [role=option]:first-of-type";
    page.until(&format!(
        "document.querySelector('{first}')?.textContent.includes({}) && !document.querySelector('{first} .side')",
        serde_json::to_string(line).expect("a text")
    ));
    page.click_on(first);
    chosen_after(page, from)
}

/// Draws a transition from the handle of a state to another state, and writes into the form what it waits for.
fn draw(page: &mut Browser, state: &str, from: &str, line: &str) -> String {
    let mut waits: Vec<(&str, String)> = Vec::new();
    let mut rest = line.strip_prefix("transition ").expect("a transition");
    let mut to = String::new();
    while let Some((name, value)) = rest.split_once('=') {
        let (value, behind) = match value.strip_prefix('"') {
            Some(value) => value.split_once('"').expect("its end"),
            None => value.split_once(' ').unwrap_or((value, "")),
        };
        match name {
            "to" => to = value.to_owned(),
            name => waits.push((name, value.to_owned())),
        }
        rest = behind.trim_start();
    }
    // All of it in view.
    page.click_on(".zoom button:nth-of-type(4)");
    choose(page, state);
    let place = |is_handle: bool, name: &str| {
        format!(
            "const {{ sheet, layout, onCanvas, drawnLines, place }} = window.treemind;
             const one = sheet.sheet.value.nodes.find((one) => one.role === 'state' && one.values[0] === '{name}');
             const card = one && layout().cards.find((card) => drawnLines()[card.nth].id === '#' + one.id);
             const at = card && ({is_handle} ? onCanvas(card.x + card.w - 14, card.y) : onCanvas(card.x + 40, card.y + 14));"
        )
    };
    // The drawing moves to where all of it is in view: until it stands still, places are those of a moment.
    let ends = |page: &mut Browser| {
        let handle = page.on_canvas(&place(true, from));
        (handle, page.on_canvas(&place(false, &to)))
    };
    let mut seen = ends(page);
    let (handle, goal) = loop {
        page.value("new Promise((done) => setTimeout(done, 400))");
        let now = ends(page);
        if now == seen {
            break now;
        }
        seen = now;
    };
    page.grab(handle, goal);
    page.until("window.treemind.hands().goal && window.treemind.hands().verdict === null");
    page.let_go(goal);
    for (name, value) in waits {
        page.click_on(&format!(".popup [name={name}]"));
        page.type_text(&value);
    }
    page.click_on(".popup [type=submit]");
    page.until("!document.querySelector('.popup')");
    chosen_after(page, state)
}

#[test]
#[ignore = "needs Chromium"]
fn a_boss_is_made_by_the_mouse_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("boss.kdl");
    let studio = Studio::start(&[folder.path().to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.resize(1600, 1200);
    begin_tree(&mut page, "boss.kdl");
    page.click_on(".controls .play");
    page.until("window.treemind.model.view.value.is_paused");
    let root = row(&mut page, "tree");
    // The first node becomes another one.
    let first = row(&mut page, "sequence");
    act(&mut page, &first, "Change the kind");
    page.until("document.activeElement.matches('.search input')");
    page.type_text("reactive-selector");
    page.click_on("#kinds [role=option]");
    let first = row(&mut page, "reactive-selector");
    let placeholder = row(&mut page, "wait");
    let mut blocks = open_blocks(root, first, &placeholder);
    // Transitions are drawn when all states are there.
    let mut waiting: Vec<(String, String, Vec<&str>)> = Vec::new();
    let mut is_placeholder = true;
    let mut lines = more_lines();
    while let Some(line) = lines.next() {
        if line.starts_with("transition") {
            let (id, name, all) = waiting.last_mut().expect("a state");
            assert!(!id.is_empty() && !name.is_empty());
            all.push(line);
            if line.ends_with(" {") {
                all.extend(lines.by_ref().take_while(|line| *line != "}"));
                all.push("}");
            }
            continue;
        }
        if line == "}" {
            let Block { id, .. } = blocks.pop().expect("there is a block");
            // The end of the machine: its transitions.
            if waiting
                .first()
                .is_some_and(|(state, ..)| parent_of(&mut page, state) == id)
            {
                for (state, name, all) in std::mem::take(&mut waiting) {
                    transitions(&mut page, &state, &name, &all);
                }
            }
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
        if let Some(name) = node.strip_prefix("state ") {
            waiting.push((id.clone(), name.to_owned(), Vec::new()));
        }
        if std::mem::take(&mut is_placeholder) {
            act(&mut page, &placeholder, "Remove");
            page.until(&format!("!document.getElementById('{placeholder}')"));
        }
        if opens {
            blocks.push(Block { id, last: None });
        }
    }
    until_file(&path, BOSS);
    does_what_the_example_does(folder.path());
}

/// The row of the node around another one.
fn parent_of(page: &mut Browser, id: &str) -> String {
    let parent = page.value(&format!(
        "(() => {{
            const all = [...document.querySelectorAll('.sheet .row')];
            const nth = all.findIndex((one) => one.id === '{id}');
            return all.findLast((one, at) => at < nth && Number(one.ariaLevel) < Number(all[nth].ariaLevel)).id;
        }})()"
    ));
    parent.as_str().expect("an id").to_owned()
}

/// All transitions of a state: those that lead somewhere are drawn, the others stay in it and do something.
fn transitions(page: &mut Browser, state: &str, name: &str, all: &[&str]) {
    let mut last = String::new();
    let mut is_in = false;
    for line in all {
        match line.strip_suffix(" {") {
            _ if *line == "}" => is_in = false,
            _ if line.starts_with("transition to=") => last = draw(page, state, name, line),
            Some(node) => {
                choose(page, &last);
                last = add(page, node, &last, false);
                is_in = true;
            }
            None => {
                // What it does: into the transition, then behind that.
                let inside = row_behind(page, &last);
                let from = inside.clone().unwrap_or_else(|| last.clone());
                choose(page, &from);
                add(page, line, &from, inside.is_none());
                assert!(is_in, "{line}");
            }
        }
    }
}

/// The last row in a node, if it has any.
fn row_behind(page: &mut Browser, id: &str) -> Option<String> {
    let last = page.value(&format!(
        "(() => {{
            const all = [...document.querySelectorAll('.sheet .row')];
            const nth = all.findIndex((one) => one.id === '{id}');
            let at = nth + 1;
            while (Number(all[at]?.ariaLevel) > Number(all[nth].ariaLevel)) at += 1;
            return at > nth + 1 ? all[at - 1].id : null;
        }})()"
    ));
    last.as_str().map(str::to_owned)
}
