//! Documents while somebody types them: cut off, with a word missing, with a node taken out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use treemind_doc::{Document, Severity};

/// How many bytes of text are read for one document and one way of changing it. Longer documents are changed at fewer
/// places.
const BYTES: usize = 30_000;

/// All documents below a folder.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            documents(&path, found);
        } else if matches!(ending, Some("kdl" | "json" | "xml" | "scxml" | "csv")) {
            found.push(path);
        }
    }
}

/// Characters of the same class can be in one token.
fn class(c: char) -> u8 {
    match c {
        c if c.is_alphanumeric() || "-_.".contains(c) => 0,
        ' ' | '\t' => 1,
        '\n' | '\r' => 2,
        _ => 3,
    }
}

/// The tokens of a text, near enough in any language: words, blanks, line ends, and every other character alone.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut tokens: Vec<std::ops::Range<usize>> = Vec::new();
    let mut last = 3;
    for (at, c) in text.char_indices() {
        let of = class(c);
        match tokens.last_mut() {
            Some(token) if of == last && of != 3 => token.end += c.len_utf8(),
            _ => tokens.push(at..at + c.len_utf8()),
        }
        last = of;
    }
    tokens
}

/// A text with all brackets closed that are open at its end, as editors close them.
fn closed(text: &str) -> String {
    let mut open = Vec::new();
    let mut in_quotes = false;
    for c in text.chars() {
        match c {
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    let mut whole = text.to_owned();
    if in_quotes {
        whole.push('"');
    }
    whole.extend(open.iter().rev());
    whole
}

/// Whether a node of KDL may begin here: at a word after a brace, a semicolon or a line end.
fn begins_node(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']).chars().next_back();
    text[at..].starts_with(|c: char| class(c) == 0)
        && matches!(before, None | Some('{' | '}' | ';' | '\n' | '\r'))
}

/// All texts that one change at one token can give, one way of changing after the other.
fn changed(text: &str, is_kdl: bool) -> Vec<String> {
    let tokens = tokens(text);
    let stride = (tokens.len() * text.len()).div_ceil(BYTES).max(1);
    let mut all = Vec::new();
    for token in tokens.iter().step_by(stride) {
        all.push(text[..token.start].to_owned());
        all.push(closed(&text[..token.start]));
        all.push([&text[..token.start], &text[token.end..]].concat());
    }
    let nodes = tokens
        .iter()
        .filter(|token| is_kdl && begins_node(text, token.start));
    for node in nodes.step_by(stride.div_ceil(4)) {
        let (name, rest) = text[node.start..].split_at(node.len());
        let before = &text[..node.start];
        all.push([before, "/-", name, rest].concat());
        all.push([before, name, " disabled=#true", rest].concat());
    }
    all
}

/// Reads a text, and returns what went wrong.
fn trouble(text: &str, name: &str) -> Option<String> {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let document = Document::parse(text, name);
        let has_errors = !document.can_run();
        let refused = document.behaviour(None).err();
        let of_parts = document.trees().iter().any(|tree| tree.name().is_empty());
        (document, has_errors, refused, of_parts)
    }));
    let Ok((document, has_errors, refused, _)) = read else {
        return Some("it panics".to_owned());
    };
    for item in document.diagnostics() {
        if item.source().text().get(item.span()).is_none() {
            return Some(format!("outside of the text: {item:?}"));
        }
        if item.to_plain().contains("a defect of Treemind") {
            return Some(item.to_plain());
        }
    }
    match (has_errors, refused) {
        (true, None) => Some("it has errors, and runs".to_owned()),
        (true, Some(refused)) => {
            let is_error = |item: &treemind_doc::Diagnostic| item.severity() == Severity::Error;
            (!refused.iter().any(is_error)).then(|| "it does not run, and no error".to_owned())
        }
        // A tree that is only declared cannot run, and the refusal says so.
        (false, Some(refused)) if refused.to_plain().contains("defect") => Some(refused.to_plain()),
        (false, _) => None,
    }
}

#[test]
fn half_typed_documents_are_read_to_the_end() {
    let mut files = Vec::new();
    documents(&super::fixtures(), &mut files);
    let examples = super::fixtures().join("../../../../examples");
    documents(&examples, &mut files);
    assert!(files.len() > 100, "only {} documents", files.len());
    let mut count = 0;
    let mut troubles = Vec::new();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        for text in changed(&text, name.ends_with(".kdl")) {
            count += 1;
            if let Some(trouble) = trouble(&text, name) {
                troubles.push(format!("--- {name}: {trouble}\n{text}\n"));
            }
        }
    }
    assert!(count > 5_000, "only {count} documents");
    troubles.sort_by_key(String::len);
    troubles.truncate(5);
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}
