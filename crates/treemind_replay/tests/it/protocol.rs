//! The types of the studio's protocol, as its page and its documentation have them.

use std::fmt::Write as _;
use std::path::Path;
use treemind_replay::view::protocol::{VERSION, declarations};

const BEGIN: &str = "<!-- written by crates/treemind_replay/tests/it/protocol.rs -->\n```ts\n";
const END: &str = "```\n";

/// The declarations of all types.
fn types() -> String {
    let config = ts_rs::Config::new().with_large_int("number");
    let mut out = String::new();
    for (comment, declaration) in declarations(&config) {
        out.push_str(&comment.unwrap_or_default());
        let _ = writeln!(out, "export {}\n", laid_out(&declaration));
    }
    shorter(&out)
}

/// A declaration with a line for each member.
fn laid_out(declaration: &str) -> String {
    if declaration.contains("} & ") {
        return union(declaration);
    }
    if !declaration.contains("= {") {
        return declaration.to_owned();
    }
    let mut out = String::new();
    let (mut depth, mut is_comment) = (0, false);
    let mut letters = declaration.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        match (letter, next) {
            ('/', Some('*')) => is_comment = true,
            ('*', Some('/')) => is_comment = false,
            _ => {}
        }
        match letter {
            _ if is_comment => out.push(letter),
            '{' | '[' | '(' | '<' => {
                depth += 1;
                out.push(letter);
            }
            '}' | ']' | ')' | '>' => {
                depth -= 1;
                out.push(letter);
            }
            ',' if depth == 1 && next == Some(' ') => {
                out.push_str(";\n");
                letters.next();
            }
            _ => out.push(letter),
        }
    }
    out.replace("= { ", "= {\n")
}

/// The messages that there are, each on a line of its own; their comments are in the documentation.
fn union(declaration: &str) -> String {
    let parts = declaration.split("/**").enumerate();
    let bare = parts.map(|(nth, part)| match part.split_once("*/") {
        Some((_, rest)) if nth > 0 => rest,
        _ => part,
    });
    let words: Vec<&str> = bare.flat_map(str::split_whitespace).collect();
    let one = words.join(" ").replace(", }", " }");
    let one = one.replace("\"kind\"", "kind").replace("\"say\"", "say");
    one.replace("= {", "=\n| {").replace(" | {", "\n| {")
}

/// Comments on one line, and lines indented.
fn shorter(text: &str) -> String {
    let mut out = String::new();
    let mut comment: Option<String> = None;
    let mut is_inside = false;
    for line in text.lines() {
        let line = line.trim();
        match (&mut comment, line) {
            (None, "/**") => comment = Some(String::new()),
            (Some(known), "*/") => {
                let indent = if is_inside { "  " } else { "" };
                let _ = writeln!(out, "{indent}/** {} */", known.trim());
                comment = None;
            }
            (Some(known), line) => {
                known.push_str(line.trim_start_matches('*'));
            }
            (None, "") => {
                if !is_inside && !out.ends_with("\n\n") {
                    out.push('\n');
                }
            }
            (None, line) => {
                let is_end = line.starts_with('}');
                let is_part = line.starts_with("| ") || is_inside && !is_end;
                let indent = if is_part { "  " } else { "" };
                let _ = writeln!(out, "{indent}{line}");
                is_inside = match is_inside {
                    true => !is_end && !line.ends_with("};"),
                    false => line.ends_with("= {"),
                };
            }
        }
    }
    out
}

/// Compares a file with what it should be, or writes it with `UPDATE_EXPECTED`.
fn expect(name: &str, wanted: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let wanted = wanted(&known);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &wanted).expect("it can be written");
    }
    assert!(
        known == wanted || std::env::var_os("UPDATE_EXPECTED").is_some(),
        "{name} differs from the types: UPDATE_EXPECTED=1 cargo test -p treemind_replay protocol"
    );
}

#[test]
fn the_page_and_its_documentation_have_the_types() {
    let types = types();
    let types = format!("{}\n", types.trim_end());
    expect("studio/src/protocol.ts", |_| {
        format!(
            "// What the studio and its pages say, as crates/treemind_replay/src/view/protocol declares it. Written by a test; do not edit.\n\n/** The version of the protocol. */\nexport const VERSION = {VERSION};\n\n{types}"
        )
    });
    expect("docs/studio-protocol.md", |known| {
        let (head, rest) = known.split_once(BEGIN).expect("the place of the types");
        let (_, tail) = rest.split_once(END).expect("the end of the types");
        let said = "This is version ";
        let (before, behind) = head.split_once(said).expect("the version");
        let (_, behind) = behind.split_once(';').expect("the end of the version");
        let head = format!("{before}{said}{VERSION};{behind}");
        format!("{head}{BEGIN}{types}{END}{tail}")
    });
}
