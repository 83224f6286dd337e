//! Names in correct texts, and in damaged ones.

use super::{Home, SymbolKind, names_of};
use crate::diagnostic::Sink;
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
