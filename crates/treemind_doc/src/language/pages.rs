//! Compares the table with the pages about nodes: their purposes, their options, and the defaults of options.

use super::common::GUARDS_AND_HOOKS;
use super::vocabulary::{self, Circle};
use super::{AnyProperty, Spot, common};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/nodes")
}

fn page(node: &str) -> String {
    let path = folder().join(node).with_extension("md");
    let text = fs::read_to_string(&path);
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

/// Text of a page without links.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, behind)) = link.split_once("](") else {
            break;
        };
        let (_, after) = behind.split_once(')').expect("a link ends");
        out.push_str(before);
        out.push_str(label);
        rest = after;
    }
    out.push_str(rest);
    // KDL writes `#false`, JSON does not.
    out.trim().replace("`#", "`")
}

/// A row of a table of options.
struct Listed {
    name: String,
    meaning: String,
    default: String,
}

/// What the table of options says of the value without a name, which is its first row: what it is, and its meaning.
fn listed_value(page: &str) -> Option<String> {
    let mut lines = page
        .lines()
        .skip_while(|line| !line.starts_with("| option "));
    let has_meaning_first = lines.next()?.starts_with("| option | meaning ");
    let row = lines.nth(1)?.trim_matches('|');
    let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
    let meaning = *cells.get(if has_meaning_first { 1 } else { 2 })?;
    let is_value = !cells[0].contains('`') && cells[0] != "parameters";
    is_value.then(|| format!("{}: {}", cells[0], plain(meaning)))
}

/// The options in the tables of a page that are written without a value.
fn listed(page: &str) -> Vec<Listed> {
    let mut all = Vec::new();
    // The columns of the meaning and of the default.
    let mut columns = None;
    for line in page.lines() {
        let line = line.trim();
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') {
            columns = None;
        } else if cells[0] == "option" {
            let has_meaning_first = cells.get(1) == Some(&"meaning");
            columns = Some(if has_meaning_first { (1, 2) } else { (2, 1) });
        } else if let (Some((meaning, default)), [_, _, _]) = (columns, &cells[..])
            && let Some(option) = cells[0].strip_prefix('`')
            && let Some(option) = option.strip_suffix('`')
            && let (name, "" | "#true") = option.split_once('=').unwrap_or((option, ""))
            && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        {
            all.push(Listed {
                name: name.to_owned(),
                meaning: plain(cells[meaning]),
                default: plain(cells[default]),
            });
        }
    }
    all
}

#[test]
fn every_node_has_a_page_and_every_page_a_node() {
    let nodes: BTreeSet<String> = Spot::Task.names().map(str::to_owned).collect();
    let mut pages = BTreeSet::new();
    for entry in fs::read_dir(folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        if name != "README" {
            pages.insert(name.into_owned());
        }
    }
    assert_eq!(pages, nodes);
}

#[test]
fn pages_say_what_the_table_says() {
    let mut wrong = Vec::new();
    for word in Spot::Task.words() {
        let page = page(word.name);
        let about = plain(page.lines().nth(2).unwrap_or_default());
        if about != word.doc {
            wrong.push(format!("{}: `{about}` and `{}`", word.name, word.doc));
        }
        let listed = listed(&page);
        for option in &listed {
            let Some(own) = word.offered().find(|own| own.name() == option.name) else {
                let is_common = common(&option.name).is_some();
                if !is_common {
                    wrong.push(format!("{} has no `{}=`", word.name, option.name));
                }
                continue;
            };
            differences(word.name, own, option, &mut wrong);
        }
        let value = word.value.filter(|value| !value.is_imported_only());
        let told = value.map(|_| word.value_doc.to_owned());
        if listed_value(&page) != told {
            let told = told.unwrap_or_default();
            wrong.push(format!("the value of {} is `{told}`", word.name));
        }
        for own in word.offered() {
            let name = own.name();
            let in_table = listed.iter().any(|option| option.name == name);
            // An option with words has a row for each word.
            if !in_table && !page.contains(&format!("{name}=")) {
                wrong.push(format!("the page of {} does not list `{name}=`", word.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn differences(node: &str, own: &dyn AnyProperty, option: &Listed, wrong: &mut Vec<String>) {
    let name = &option.name;
    if own.doc() != option.meaning {
        wrong.push(format!(
            "{node} {name}: `{}` and `{}`",
            option.meaning,
            own.doc()
        ));
    }
    let default = own.default().unwrap_or_default();
    if default != option.default {
        wrong.push(format!("{node} {name}: {} and {default}", option.default));
    }
}

/// What begins the line about a seldom node.
const SELDOM: &str = "**Seldom needed.** ";

#[test]
fn pages_of_seldom_nodes_say_what_is_more_usual() {
    for word in Spot::Task.words() {
        let page = page(word.name);
        let found: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with(SELDOM))
            .collect();
        let Some(usual) = word.learned.usual() else {
            assert!(found.is_empty(), "{}: {found:?}", word.name);
            continue;
        };
        let [line] = found[..] else {
            panic!("{}: write `{SELDOM}{usual}`", word.name);
        };
        let said = plain(line);
        assert_eq!(said, format!("{SELDOM}{usual}"), "{}", word.name);
        for usual in usual.words() {
            let has_page = Spot::Task.has(usual);
            assert!(
                !has_page || line.contains(&format!("({usual}.md)")),
                "{line}"
            );
        }
    }
}

#[test]
fn the_page_of_guards_says_what_is_more_usual_than_seldom_ones() {
    let page = page("../guards-and-hooks");
    let found: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("- `"))
        .collect();
    let guards = GUARDS_AND_HOOKS.iter();
    let seldom = guards.filter_map(|one| Some((one.name(), one.learned().usual()?)));
    let wanted: Vec<String> = seldom
        .map(|(name, usual)| format!("- `{name}=`: {usual}"))
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_list_of_nodes_has_their_circles_and_the_first_one_first() {
    let list = page("README");
    let mut listed = BTreeSet::new();
    let mut before = Circle::FirstDay;
    for line in list.lines() {
        let Some(row) = line.strip_prefix("| [`") else {
            before = Circle::FirstDay;
            continue;
        };
        let (name, _) = row.split_once('`').expect("the end of a name");
        let word = super::node_word(name).expect("a node");
        let circle = word.learned.circle();
        let cells: Vec<&str> = line.split(" | ").collect();
        assert_eq!(cells.get(1), Some(&circle.title()), "{name}");
        assert!(before <= circle, "{name} comes too late");
        before = circle;
        listed.insert(name.to_owned());
    }
    let nodes: BTreeSet<String> = Spot::Task.names().map(str::to_owned).collect();
    assert_eq!(listed, nodes);
    // The words of the first day stand together as well.
    let (_, first) = list.split_once("The first day: ").expect("the first day");
    let (first, _) = first.split_once('.').expect("a sentence");
    let said: BTreeSet<&str> = first.split('`').skip(1).step_by(2).collect();
    let words = vocabulary::words();
    let words = words.iter().filter(|one| one.circle() == Circle::FirstDay);
    assert_eq!(said, words.map(vocabulary::Word::name).collect());
}
