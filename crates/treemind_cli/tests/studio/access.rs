//! The page for everybody: no violation of the rules of accessibility, the keyboard for everything, both languages whole.

use crate::browser::Browser;
use crate::hands::Desk;
use crate::program::{Studio, root};
use std::collections::BTreeSet;

/// What axe finds wrong with the page, one rule per line; empty if nothing.
pub(crate) fn violations(page: &mut Browser) -> String {
    asked(page, ALL)
}

/// The rules of axe, and how many must have found something that is as it should be.
type Rules = (&'static str, u32);
const ALL: Rules = ("", 10);
/// Those that depend on colours. Below a window there may be nothing to look at.
const OF_COLOURS: Rules = (", runOnly: ['color-contrast', 'link-in-text-block']", 0);

fn asked(page: &mut Browser, (rules, least): Rules) -> String {
    // What flashes when a value changes has no contrast of its own.
    page.until("document.getAnimations().length === 0");
    if page.value("!window.axe") == true {
        let axe = root().join("studio/node_modules/axe-core/axe.min.js");
        let script = std::fs::read_to_string(&axe)
            .unwrap_or_else(|error| panic!("{}: {error}: run `npm ci` in studio/", axe.display()));
        page.value(&format!("{script}; 1"));
    }
    let told = format!(
        "axe.run(document, {{resultTypes: ['violations']{rules}}}).then(({{violations, passes}}) => passes.length < {least} ? 'axe has tried nothing' : violations.map(one => `${{one.id}}: ${{one.nodes.map(node => node.target.join(' ')).join(', ')}}`).join('\\n'))"
    );
    let told = page.value(&told);
    told.as_str().expect("a text").to_owned()
}

/// All rules are asked in one theme. Another theme has other colours, and is the same page otherwise.
const THEMES: [(&str, Rules); 2] = [("dark", ALL), ("light", OF_COLOURS)];

pub(crate) fn in_both_themes(page: &mut Browser, view: &str) {
    for (theme, rules) in THEMES {
        page.until(&format!(
            "document.documentElement.dataset.theme === '{theme}' || document.querySelector('header [aria-label^=Light], header [aria-label^=浅色]').click()"
        ));
        assert_eq!(asked(page, rules), "", "{view}, {theme}");
    }
}

/// The page, standing at a tick of an example.
fn at(studio: &Studio, file: &str, tick: u64) -> Browser {
    let mut page = Browser::open(&studio.at(&format!("file={file}&tick={tick}")));
    page.until(&format!(
        "window.treemind.model.view.value.file === '{file}' && document.querySelector('#tick').textContent === '{tick}'"
    ));
    page
}

#[test]
#[ignore = "needs Chromium"]
fn no_graph_violates_the_rules_of_accessibility() {
    let studio = Studio::start(&[]);
    for (file, tick) in [
        ("04-cleaning-robot/robot.kdl", 597),
        ("09-watchman/watchman.kdl", 1091),
        ("12-village/village.kdl", 60),
    ] {
        let mut page = at(&studio, file, tick);
        in_both_themes(&mut page, file);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn no_pane_and_no_window_violates_the_rules_of_accessibility() {
    let studio = Studio::start(&[]);
    let mut page = at(&studio, "01-guard/guard.kdl", 190);
    in_both_themes(&mut page, "graph");
    page.click_on("[data-id=n6]");
    page.until("document.querySelector('.asked')");
    in_both_themes(&mut page, "a line that is selected");
    page.press("t");
    page.until("document.querySelector('.text')");
    in_both_themes(&mut page, "text");
    page.press("m");
    page.press(",");
    page.until("document.querySelector('[data-differs]')");
    in_both_themes(&mut page, "two moments");
    page.press("p");
    page.until("document.querySelectorAll('.home li canvas').length > 5");
    in_both_themes(&mut page, "the files");
    page.press("p");
    page.until("!document.querySelector('.home')");
    page.press("?");
    page.until("document.querySelector('[role=dialog]')");
    in_both_themes_by_script(&mut page, "the keys");
    page.press("Escape");
    page.until("!document.querySelector('[role=dialog]')");
    page.press("s");
    page.until("document.querySelector('.search')");
    for key in ["r", "u", "n"] {
        page.press(key);
    }
    page.until("document.querySelectorAll('[role=option]').length > 2");
    in_both_themes_by_script(&mut page, "search");
    page.press("Escape");
    page.click_on("header [aria-label=中文]");
    page.until("document.documentElement.lang === 'zh'");
    in_both_themes(&mut page, "in Chinese");
}

#[test]
#[ignore = "needs Chromium"]
fn the_editor_does_not_violate_the_rules_of_accessibility() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.kdl");
    std::fs::write(&bad, "tree guard {\n    actoin attack\n}\n").expect("a file");
    let studio = Studio::start(&[bad.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("document.querySelectorAll('.text .bad').length === 1");
    in_both_themes(&mut page, "errors");
    page.press("E");
    page.until("document.querySelectorAll('.sheet .row').length === 2");
    in_both_themes(&mut page, "the editor with a mistake");
    let guard = folder.path().join("guard.kdl");
    std::fs::copy(root().join("examples/01-guard/guard.kdl"), &guard).expect("a copy");
    let studio = Studio::start(&[guard.to_str().expect("a path")]);
    let mut page = Browser::open(&studio.url);
    page.until("window.treemind?.model.view.value");
    page.press("E");
    page.until("document.querySelectorAll('.sheet .row').length > 20");
    in_both_themes(&mut page, "the editor");
    page.value("document.querySelector('.sheet').focus()");
    page.press("a");
    page.until("document.querySelectorAll('#offers [role=option]').length > 20");
    in_both_themes_by_script(&mut page, "what can be added");
}

/// A window above the page keeps clicks from it.
fn in_both_themes_by_script(page: &mut Browser, view: &str) {
    for (theme, rules) in THEMES {
        page.value(&format!(
            "document.documentElement.dataset.theme = '{theme}'"
        ));
        assert_eq!(asked(page, rules), "", "{view}, {theme}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_tabulator_reaches_everything_and_says_where_it_is() {
    let studio = Studio::start(&[]);
    let mut page = at(&studio, "01-guard/guard.kdl", 190);
    let mut reached = BTreeSet::new();
    for _ in 0..60 {
        page.press("Tab");
        let here = page.value(
            "(() => { const e = document.activeElement; if (e === document.body) return ''; const s = getComputedStyle(e); return `${s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2} ${e.tagName} ${e.ariaLabel ?? e.textContent}`; })()",
        );
        let here = here.as_str().expect("a text");
        if here.is_empty() {
            break;
        }
        assert!(here.starts_with("true "), "the focus is not seen: {here}");
        reached.insert(here.to_owned());
    }
    let all = page.value(
        "[...document.querySelectorAll('button, select, input, [tabindex]')].filter(e => !e.disabled && e.getClientRects().length > 0).length",
    );
    // Buttons with the same words, such as the ways to the same tick, are one here.
    let names = page.value(
        "new Set([...document.querySelectorAll('button, select, input, [tabindex]')].filter(e => !e.disabled && e.getClientRects().length > 0).map(e => `${e.tagName} ${e.ariaLabel ?? e.textContent}`)).size",
    );
    assert_eq!(reached.len() as u64, names.as_u64().expect("a number"));
    assert!(all.as_u64() > Some(20), "{all}");
    // A window keeps the focus in it, and gives it back.
    page.press("/");
    page.until("document.activeElement.type === 'search'");
    page.press("Escape");
    page.press("?");
    page.until("document.activeElement.closest('[role=dialog]')");
    for _ in 0..3 {
        page.press("Tab");
        let is_in = "document.activeElement === document.body || !!document.activeElement.closest('[role=dialog]')";
        assert_eq!(page.value(is_in), true);
    }
}

#[test]
#[ignore = "needs Chromium"]
fn what_is_selected_by_keys_comes_into_view() {
    let studio = Studio::start(&[]);
    let mut page = at(&studio, "12-village/village.kdl", 60);
    let last = "window.treemind.model.lines.value.filter(line => window.treemind.place(line.id)).at(-1).id";
    let id = page.value(last);
    let id = id.as_str().expect("a name");
    let is_seen = format!(
        "(() => {{ const p = window.treemind.place('{id}'), r = document.querySelector('.graph canvas').getBoundingClientRect(); return p.x > 0 && p.y > 0 && p.x < r.width && p.y < r.height; }})()"
    );
    assert_eq!(page.value(&is_seen), false);
    let steps = page.value(&format!(
        "window.treemind.model.shown.value.length - window.treemind.model.shown.value.findIndex(nth => window.treemind.model.lines.value[nth].id === '{id}')"
    ));
    page.value(
        "window.treemind.model.selected.value = window.treemind.model.lines.value.at(-1).id",
    );
    for _ in 1..steps.as_u64().expect("a number") {
        page.press("k");
    }
    page.until(&format!("window.treemind.model.selected.value === '{id}'"));
    page.until(&is_seen);
    // What runs is shown again when nothing is selected.
    page.press("Escape");
    page.until(&format!("!{is_seen}"));
}

fn source(name: &str) -> String {
    let path = root().join("studio/src").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn all_texts_are_used() {
    let (tables, rest): (Vec<_>, Vec<_>) = sources()
        .into_iter()
        .partition(|name| name.starts_with("texts/"));
    let rest: String = rest.iter().map(|name| source(name)).collect();
    let is_used = |key: &str| {
        [
            "sort_",
            "on_",
            "size_",
            "hint_",
            "clash_",
            "how_",
            "edge_",
            "scope_",
            "tour_",
            "tourSays_",
            "is_",
        ]
        .iter()
        .any(|begin| key.starts_with(begin))
            || rest.contains(&format!("\"{key}\""))
            || rest.contains(&format!("t({key})"))
    };
    let (mut count, mut unused) = (0, Vec::new());
    for table in &tables {
        // A text begins a line with its name; both languages stand behind it, where the compiler wants two.
        for line in source(table).lines() {
            let key = line
                .strip_prefix("  ")
                .and_then(|line| line.split_once(": ["));
            let Some((key, _)) = key.filter(|(key, _)| !key.contains([' ', '"'])) else {
                continue;
            };
            count += 1;
            if !is_used(key) {
                unused.push(key.to_owned());
            }
        }
    }
    assert!(count > 200, "{count}");
    assert!(unused.is_empty(), "nothing says {unused:?}");
}

/// The sources of the page, by their paths.
fn sources() -> Vec<String> {
    let (mut names, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        let path = root().join("studio/src").join(&folder);
        for entry in std::fs::read_dir(path).expect("a folder") {
            let entry = entry.expect("a file");
            let name = format!("{folder}{}", entry.file_name().to_str().expect("a name"));
            if entry.path().is_dir() {
                folders.push(format!("{name}/"));
            } else if name.ends_with(".ts") || name.ends_with(".tsx") {
                names.push(name);
            }
        }
    }
    names
}

/// Whether a text has a word of two letters or more.
fn has_word(text: &str) -> bool {
    let mut letters = 0;
    text.chars().any(|letter| {
        letters = if letter.is_alphabetic() {
            letters + 1
        } else {
            0
        };
        letters > 1
    })
}

#[test]
fn no_component_has_texts_of_its_own() {
    let mut found = Vec::new();
    for name in sources() {
        let text = source(&name);
        for (nth, line) in text.lines().enumerate() {
            let mut said = Vec::new();
            // What stands between two tags, outside of braces.
            if name.ends_with(".tsx") {
                for piece in line.split('<').skip(1) {
                    if let Some((tag, after)) = piece.rsplit_once('>')
                        && !tag.ends_with('=')
                        && !after.contains(['(', ')', ';', '=', '"', '`', '&'])
                        && !tag.is_empty()
                    {
                        said.push(after.split('{').next().unwrap_or(after));
                    }
                }
            }
            // Names and titles, and what is written on a canvas.
            for before in ["aria-label=\"", "title=\"", "placeholder=\"", "fillText(\""] {
                let pieces = line.split(before).skip(1);
                said.extend(pieces.filter_map(|piece| piece.split('"').next()));
            }
            let said = said.into_iter().filter(|text| has_word(text));
            found.extend(said.map(|text| format!("{name}:{}: {text}", nth + 1)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_list_of_keys_has_every_key() {
    let keys = source("keys.ts");
    let table = keys.split_once("const work").expect("a table").1;
    let table = table.split_once("\n  };").expect("its end").0;
    let page = source("main.tsx");
    let list = page.split_once("const keys: ").expect("a list").1;
    let list = list.split_once("];\n").expect("its end").0;
    let said: BTreeSet<String> = list
        .split("[\"")
        .skip(1)
        .filter_map(|piece| piece.split('"').next())
        .flat_map(|keys| keys.split(' ').map(str::to_owned))
        .collect();
    let mut count = 0;
    for line in table.lines().skip(1) {
        let Some((key, _)) = line.trim().split_once(": ") else {
            continue;
        };
        let key = key.trim_matches('"');
        let shown = match key {
            " " => "Space",
            "ArrowLeft" => "←",
            "ArrowRight" => "→",
            "ArrowUp" => "↑",
            "ArrowDown" => "↓",
            _ => key,
        };
        count += 1;
        assert!(said.contains(shown), "`{shown}` is missing among {said:?}");
    }
    assert!(count > 20);
}

#[test]
#[ignore = "needs Chromium"]
fn what_words_are_for_is_said_in_the_language_of_the_page() {
    let mut desk = Desk::new();
    desk.choose("action", "patrol");
    let says = |text: &str| {
        format!("document.querySelector('.inspector .by')?.textContent.includes('{text}')")
    };
    desk.page.until(&says("Has the game do something"));
    desk.page.click_on("header button[aria-label='中文']");
    desk.page.until(&says("让游戏做某事"));
    desk.page
        .until("document.querySelector('[title^=\"显示在工具和追踪中\"]') !== null");
    // The list of what can be added has the same words.
    desk.choose("action", "patrol");
    desk.page.press("a");
    desk.page
        .until("[...document.querySelectorAll('#offers [role=option] small')].some((one) => one.textContent.includes('等待一段时间'))");
    desk.page.press("Escape");
    desk.page.click_on("header button[aria-label=English]");
    desk.page.until(&says("Has the game do something"));
}
