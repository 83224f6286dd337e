//! Names in correct texts, and in damaged ones.

use super::{Home, SymbolKind, Use, names_of};
use crate::diagnostic::Sink;
use crate::document::Document;
use crate::source::Source;
use crate::syntax::parse;
use std::fmt::Write as _;
use std::sync::Arc;

/// Each symbol with the places that name it: `=` at a definition, `!` at a write, `~` at a pattern that matches it.
fn dump(text: &str) -> String {
    let parsed = parse(text, &mut Sink::new(Arc::new(Source::new("", text))));
    let names = names_of(&[(text, &parsed.nodes)]);
    let mut lines: Vec<String> = Vec::new();
    for (id, symbol) in names.symbols.iter().enumerate() {
        let mut line = format!("{} {}", symbol.kind.as_str(), symbol.name);
        if let Some(list) = symbol.list {
            write!(line, " from {}", names.symbols[list].name).expect("a string takes it");
        }
        if let Home::Leaf(leaf) = symbol.home {
            write!(line, " of {}", names.symbols[leaf].name).expect("a string takes it");
        }
        let mut places: Vec<(usize, String)> = Vec::new();
        for one in names.uses.iter().filter(|one| one.symbols.contains(&id)) {
            let role = one.role;
            let marks = [
                (role.declares, '='),
                (role.writes, '!'),
                (role.is_pattern, '~'),
            ];
            let marks: String = marks
                .iter()
                .filter(|(is, _)| *is)
                .map(|(_, mark)| *mark)
                .collect();
            let several = if one.symbols.len() > 1 { "?" } else { "" };
            places.push((
                one.span.start,
                format!(" {}{marks}{several}", one.span.start),
            ));
        }
        places.sort();
        let places: String = places.into_iter().map(|(_, place)| place).collect();
        if !places.is_empty() {
            lines.push(line + ":" + &places);
        }
    }
    lines.sort();
    lines.join("\n") + "\n"
}

/// Compares the names found in the test texts of rename, whole and damaged, with a file that was reviewed.
/// `UPDATE_EXPECTED` rewrites the file.
#[test]
fn names_are_found_in_what_is_left_of_a_text() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let text = std::fs::read_to_string(folder.join("names/everything.kdl")).expect("a fixture");
    let mut found = format!("whole\n{}", dump(&text));
    for cut in [
        "main tree=guard\n",
        "type=float default=100.0",
        "leaves",
        "{ param far type=float default=2.0; }",
        "subtree ",
        "=\"{tries}\"",
        "for-each it ",
        "key tries type=int default=1; ",
        " health { goto over-there; }; option 1 {",
        "branch over-there {",
        "state work enter-if=\"health > 0\" {",
        " on=noise",
    ] {
        let at = text.find(cut).expect(cut);
        let damaged = format!("{}{}", &text[..at], &text[at + cut.len()..]);
        write!(found, "\nwithout `{}`\n{}", cut.trim(), dump(&damaged)).expect("a string takes it");
    }
    let golden = folder.join("names/found.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&golden, &found).expect("written");
    }
    let expected = std::fs::read_to_string(&golden).expect("a fixture");
    assert_eq!(found.replace("\r\n", "\n"), expected.replace("\r\n", "\n"));
}

/// Which keys a name refers to in a tree that takes names from the trees that hold it.
#[test]
fn names_that_fall_through_are_those_of_every_holder() {
    let text = "blackboard { key k type=int; }
        tree a { key k type=int; subtree u inherit=#true; }
        tree b { subtree u inherit=#true; }
        tree c { key k type=int; subtree u inherit=#true; subtree v inherit=#true; }
        tree u { subtree v inherit=#true; }
        tree v { set \"k = 1\"; subtree u inherit=#true; }";
    let parsed = parse(text, &mut Sink::new(Arc::new(Source::new("", text))));
    let names = names_of(&[(text, &parsed.nodes)]);
    let written = names.uses.iter().find(|one| one.role.writes);
    let symbols = &written.expect("`k` is written").symbols;
    assert_eq!(symbols.len(), 3, "of the document, of `a` and of `c`");
    assert!(
        symbols
            .iter()
            .all(|id| names.symbols[*id].kind == SymbolKind::Key)
    );
}

/// The checker resolves names while it checks types. Tools resolve names in any text, even a damaged one. Both must
/// agree on documents without errors.
#[test]
fn checks_and_tools_agree_on_what_is_used() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "crates/treemind_doc/tests/fixtures",
        "conformance",
        "examples",
    ];
    let mut pending = folders.map(|folder| root.join(folder)).to_vec();
    let mut compared = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        // Some files are not UTF-8.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_none_or(|ending| ending != "kdl") {
            continue;
        }
        let document = Document::parse(&text, "x.kdl");
        // Only tools see names in disabled nodes as uses. The checker also checks a tree that inherits names alone;
        // then its names are keys of the document.
        let differs = ["disabled=#true", "inherit=#true"];
        if document.has_errors() || differs.iter().any(|word| text.contains(word)) {
            continue;
        }
        let parsed = parse(&text, &mut Sink::new(Arc::new(Source::new("", &*text))));
        let names = names_of(&[(&text, &parsed.nodes)]);
        // The checker counts a sensor or an archetype as a write. Tools do not.
        let writes = !text.contains("sensor") && !text.contains("archetype");
        for (span, uses) in &document.checked.declared {
            let here = |one: &&Use| one.role.declares && one.token.start == span.start;
            let place = &text[span.start..span.end];
            let found = names.uses.iter().find(here);
            let symbol = found.unwrap_or_else(|| panic!("{place} in {}", path.display()));
            let others = || names.uses_of(symbol.symbols[0]);
            let is_used = others().any(|one| one.role.reads || one.role.writes);
            let is_written = others().any(|one| one.role.writes);
            assert_eq!(is_used, uses.any(), "{place} in {}", path.display());
            assert!(
                !writes || is_written == uses.is_written,
                "{place} in {}",
                path.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared} keys, ports and items");
}
