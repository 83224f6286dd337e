//! Generates docs/cheat-sheet.md from the table of the language; a test fails when it is out of date.
//!
//! `UPDATE_EXPECTED=1 cargo test -p treemind_doc --lib language::sheet` writes it anew. Sections and their order are
//! those of docs/nodes/README.md, and signs are those of the studio.

use super::vocabulary::{Circle, properties_of_nodes};
use super::{Children, Spot, Word, node_word};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
<div class=\"cheat-sheet\">

# All nodes on one page

The signs are those of the graph in the studio. Learn the nodes in **bold** first. \
`{ 1 }` takes one child, `{ … }` one or more; a node without braces takes none. \
[Nodes](nodes/README.md) says more about each.

| answer | | sign |
|---|---|---|
| success | it is done | ✓ |
| failure | it cannot be done | ✕ |
| running | it goes on in the next tick | ▶ |
| skipped | as if it were not here | ⤼ |
";

fn read(path: &str) -> String {
    let path = root().join(path);
    let text = std::fs::read_to_string(&path);
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The signs of the studio that stand in a list there.
struct Signs(BTreeMap<String, String>);

impl Signs {
    fn read() -> Self {
        let source = read("studio/src/parts/marks.ts");
        let (_, list) = source
            .split_once("const classes: Record<string, string> = {")
            .expect("a list of signs");
        let (list, _) = list.split_once("};").expect("the end of the list");
        let entries = list.lines().filter_map(|line| line.split_once(": "));
        let entries = entries.map(|(kind, sign)| {
            let kind = kind.trim().trim_matches('"');
            (
                kind.to_owned(),
                sign.trim_matches([',', '"', ' ']).to_owned(),
            )
        });
        Self(entries.collect())
    }

    /// What `sign` in that file answers; a test of the studio compares the page with it.
    fn of(&self, kind: &str) -> String {
        if let Some(kind) = kind.strip_prefix("reactive-") {
            return format!("{}↻", self.of(kind));
        }
        let by_name = || match kind {
            _ if kind.ends_with("selector") => "∨",
            _ if kind.ends_with("sequence") => "→",
            _ => "◇",
        };
        match kind {
            _ if kind.starts_with("parallel") => "⇉".to_owned(),
            _ => match self.0.get(kind) {
                Some(sign) => sign.clone(),
                None => by_name().to_owned(),
            },
        }
    }
}

fn braces(word: &Word, children: Children) -> &'static str {
    match children {
        Children::None => "",
        Children::One => " { 1 }",
        Children::Two => " { 2 }",
        Children::Many => " { … }",
        Children::TwoOrThree => " { 2–3 }",
        Children::TwoOrMore => " { 2… }",
        Children::Cases if word.holds().contains(&Spot::Rule) => " { rule … }",
        Children::Cases => " { case … }",
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn node(name: &str, signs: &Signs, out: &mut String) {
    let word = node_word(name).expect("a node of the list of nodes");
    let children = word.task.as_ref().expect("a node of a tree").children;
    let bold = match word.learned.circle() {
        Circle::FirstDay => "**",
        Circle::FirstWeek | Circle::Seldom => "",
    };
    let _ = writeln!(
        out,
        "| {} | {bold}[`{name}`](nodes/{name}.md){bold}{} | {} |",
        signs.of(name),
        braces(word, children),
        cell(word.doc)
    );
}

fn generated() -> String {
    let signs = Signs::read();
    let mut out = HEAD.to_owned();
    let mut title = None;
    for line in read("docs/nodes/README.md").lines() {
        if let Some(section) = line.strip_prefix("## ") {
            title = Some(section.to_owned());
        } else if let Some(row) = line.strip_prefix("| [`") {
            // Sections without nodes are left out.
            if let Some(title) = title.take() {
                let _ = write!(out, "\n## {title}\n\n| | node | |\n|---|---|---|\n");
            }
            let (name, _) = row.split_once('`').expect("the end of a name");
            node(name, &signs, &mut out);
        }
    }
    out.push_str("\n## At any node\n\n| property | |\n|---|---|\n");
    for property in properties_of_nodes() {
        let (name, about) = (property.name(), cell(property.purpose()));
        let _ = writeln!(out, "| `{name}=` | {about} |");
    }
    out.push_str("\n</div>\n");
    out
}

#[test]
fn the_cheat_sheet_is_that_of_the_table() {
    let path = root().join("docs/cheat-sheet.md");
    let expected = generated();
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, expected).expect("a written file");
        return;
    }
    assert!(
        read("docs/cheat-sheet.md") == expected,
        "{} is out of date; write it anew with UPDATE_EXPECTED=1",
        path.display()
    );
}
