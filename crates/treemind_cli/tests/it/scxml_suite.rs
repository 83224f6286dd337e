//! How much of the SCION test suite can be read: counts the tables of docs/scxml.md, and checks the messages for
//! the rest.

use crate::treemind_in;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Machines of the suite that can be read, but expect something that the machines cannot do, by category.
const WRONG: [(&str, usize); 1] = [("w3c-ecma", 1)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The machines of a folder, as `CATEGORY/NAME.scxml`.
fn machines(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for category in fs::read_dir(folder).expect("the folder of the suite") {
        let category = category.expect("a folder").path();
        if !category.is_dir() {
            continue;
        }
        for file in fs::read_dir(&category).expect("a folder of machines") {
            let file = file.expect("a file").path();
            if file.extension().is_some_and(|ending| ending == "scxml") {
                let name = file.strip_prefix(folder).expect("in the folder");
                found.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Whether a machine needs no data model: only states, events, times and `In('state')`, and nothing that stores or
/// compares a value. Logs do not matter.
fn needs_no_data(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let tag = rest.split_once('>').map_or(rest, |(tag, _)| tag);
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next();
        let name = name.and_then(|name| name.rsplit(':').next());
        let is_log = name == Some("log");
        let holds_values = matches!(
            name,
            Some(
                "data"
                    | "assign"
                    | "if"
                    | "script"
                    | "foreach"
                    | "invoke"
                    | "param"
                    | "content"
                    | "donedata"
            )
        );
        let reads_values = ["expr=", "namelist=", "idlocation=", "location="]
            .iter()
            .any(|attribute| tag.contains(attribute));
        let compares = tag.split_once("cond=").is_some_and(|(_, cond)| {
            let quote = cond.chars().next().unwrap_or('"');
            let cond = cond[1..].split(quote).next().unwrap_or("");
            cond.split(['&', '|', '!']).any(|part| {
                let part = part.trim().trim_start_matches("amp;").trim();
                !part.is_empty() && !part.starts_with("In(")
            })
        });
        if holds_values || (reads_values && !is_log) || compares {
            return false;
        }
    }
    true
}

/// For a category: all machines, those that need no data model, those that are played, and those that are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    all: usize,
    without_data: usize,
    played: usize,
    refused: usize,
}

fn counted() -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for (folder, is_played) in [("scxml", true), ("scxml-refused", false)] {
        let folder = root().join("conformance").join(folder);
        for name in machines(&folder) {
            let text = fs::read(folder.join(&name)).expect("a machine");
            let category = name.split('/').next().unwrap_or("");
            let count = counts.entry(category.to_owned()).or_default();
            count.all += 1;
            count.played += usize::from(is_played);
            count.refused += usize::from(!is_played);
            count.without_data += usize::from(needs_no_data(&String::from_utf8_lossy(&text)));
        }
    }
    for (category, wrong) in WRONG {
        counts.entry(category.to_owned()).or_default().all += wrong;
    }
    let mut sum = Count::default();
    for count in counts.values() {
        sum.all += count.all;
        sum.without_data += count.without_data;
        sum.played += count.played;
        sum.refused += count.refused;
    }
    counts.insert("all".to_owned(), sum);
    counts
}

/// The rows of the page's table whose heading starts like this, without the heading.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("docs/scxml.md")).expect("the page");
    let mut lines = page.lines().skip_while(|line| !line.starts_with(heading));
    assert!(lines.next().is_some(), "no table begins with {heading}");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let row = row.trim_matches('|');
        row.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}

#[test]
fn the_table_of_the_page_counts_the_suite() {
    let mut told = BTreeMap::new();
    for row in table("| category |") {
        let number = |place: usize| row[place].parse().expect("a number");
        let count = Count {
            all: number(1),
            without_data: number(2),
            played: number(3),
            refused: number(4),
        };
        told.insert(row[0].clone(), count);
    }
    let counts = counted();
    assert_eq!(told, counts);
    // Every machine that needs neither a data model nor another machine is played.
    let all = counts["all"];
    assert_eq!((all.all, all.played, all.refused), (316, 208, 107));
    let refused = root().join("conformance/scxml-refused");
    for name in machines(&refused) {
        let text = fs::read(refused.join(&name)).expect("a machine");
        assert!(!needs_no_data(&String::from_utf8_lossy(&text)), "{name}");
    }
}

/// `refused.txt`: what machines need, and the messages about each.
fn refused() -> Vec<(String, Vec<String>)> {
    let path = root().join("conformance/scxml-refused/refused.txt");
    let text = fs::read_to_string(path).expect("the list of those that are refused");
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(need) => groups.push((need.to_owned(), Vec::new())),
            None => groups
                .last_mut()
                .expect("a heading")
                .1
                .push(line.to_owned()),
        }
    }
    groups
}

#[test]
fn what_is_not_read_is_refused_with_what_it_would_take() {
    let folder = root().join("conformance/scxml-refused");
    let machines = machines(&folder);
    let ran = treemind_in(&folder, &format!("check {}", machines.join(" ")), b"");
    assert_eq!(ran.code, 1);
    let mut said = String::new();
    for machine in &machines {
        let of_it = format!("{machine}:");
        let first = ran
            .err
            .lines()
            .find(|line| line.starts_with(&of_it) && line.contains(": error["));
        let _ = writeln!(said, "{}", first.unwrap_or(machine));
    }
    let mut wanted: Vec<String> = refused().into_iter().flat_map(|(_, lines)| lines).collect();
    wanted.sort();
    let mut said: Vec<&str> = said.lines().collect();
    said.sort_unstable();
    assert_eq!(said, wanted);
}

#[test]
fn the_table_of_reasons_counts_them() {
    let told: Vec<(String, usize)> = table("| they need |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].parse().expect("a number")))
        .collect();
    let groups = refused().into_iter();
    let counted: Vec<(String, usize)> = groups.map(|(need, lines)| (need, lines.len())).collect();
    assert_eq!(told, counted);
}
