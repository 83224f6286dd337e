//! Every word, property and value of the examples, deleted up to its first letter and completed again.

use std::collections::BTreeMap;
use std::ops::Range;
use treemind_doc::edit::{CursorEntry, Editor, ReadNode};
use treemind_doc::vocabulary::{Property, Takes};

/// Something that is deleted, and what is written again.
struct Target {
    what: &'static str,
    /// What is deleted; its first letter stays.
    span: Range<usize>,
    /// What a list should show.
    label: String,
}

/// What a document has that can be completed.
fn targets(editor: &Editor) -> Vec<Target> {
    let mut all = Vec::new();
    for one in editor.read_nodes(0) {
        let start = one.node.start;
        let word = one.node.word.clone();
        all.push(target("words", start..start + word.len(), word));
        let Some(row) = one.node.row else { continue };
        let mut index = 0;
        for entry in &one.node.entries {
            let takes = match &entry.name {
                Some(name) => {
                    all.push(target("properties", entry.span.clone(), name.clone()));
                    row.property(name).map(|one: Property| one.takes())
                }
                None => {
                    index += 1;
                    let is_read = index == 1 || matches!(row.value(), Some(Takes::AllNames(_)));
                    row.value().filter(|_| is_read)
                }
            };
            values(editor, &one, entry, takes, &mut all);
        }
    }
    all
}

fn target(what: &'static str, span: Range<usize>, label: String) -> Target {
    Target { what, span, label }
}

/// The parts of a value that can be completed: not numbers, new names and texts for people.
fn values(
    editor: &Editor,
    node: &ReadNode,
    entry: &CursorEntry,
    takes: Option<Takes>,
    all: &mut Vec<Target>,
) {
    let text = &editor.text(0)[entry.value_span.clone()];
    let quoted = text.starts_with('"');
    if text.starts_with("\"\"\"") || text.contains('\\') {
        return;
    }
    let inner = match quoted {
        true => entry.value_span.start + 1..entry.value_span.end - 1,
        false => entry.value_span.clone(),
    };
    let value = &editor.text(0)[inner.clone()];
    let is_word = value.starts_with(|c: char| c.is_alphabetic() || c == '*');
    match takes {
        Some(Takes::Flag) => all.push(target("values", inner, value.to_owned())),
        Some(
            Takes::Words(_)
            | Takes::WordsOrNumber(_)
            | Takes::WordsOrKey(_)
            | Takes::Type(_)
            | Takes::Names(_)
            | Takes::NamesOrKey(_)
            | Takes::Key
            | Takes::WrittenKey,
        ) if is_word => all.push(target("values", inner, value.to_owned())),
        Some(Takes::AllNames(_)) => {
            for part in value.split(' ').filter(|part| !part.is_empty()) {
                let at = inner.start + (part.as_ptr().addr() - value.as_ptr().addr());
                all.push(target("values", at..at + part.len(), part.to_owned()));
            }
        }
        Some(Takes::Expr(_) | Takes::Times | Takes::Statements(_)) if quoted => {
            names_in(value, inner.start, all);
        }
        Some(Takes::Statements(_)) if is_word => {
            all.push(target("values", inner, value.to_owned()));
        }
        Some(Takes::Log) => {
            let mut at = 0;
            while let Some(open) = value[at..].find('{') {
                let begin = at + open + 1;
                let end = value[begin..]
                    .find('}')
                    .map_or(value.len(), |end| begin + end);
                names_in(&value[begin..end], inner.start + begin, all);
                at = end;
            }
        }
        None if entry.name.is_some() && node.node.row.is_some() => {
            if let Some(expression) = value.strip_prefix('=') {
                names_in(expression, inner.start + 1, all);
            } else if value.starts_with('{') || is_word && !entry.value.is_empty() && !quoted {
                all.push(target("values", inner, value.to_owned()));
            }
        }
        _ => {}
    }
}

/// The names in an expression.
fn names_in(expression: &str, base: usize, all: &mut Vec<Target>) {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    let mut in_text = false;
    while let Some(c) = expression[at..].chars().next() {
        in_text ^= c == '\'';
        if !is_letter(c) || in_text {
            at += c.len_utf8();
            continue;
        }
        let rest = &expression[at..];
        let asks = ["active(", "ran("]
            .iter()
            .any(|asks| expression[..at].ends_with(asks));
        let is_part = |c: char| is_letter(c) || asks && matches!(c, '-' | '.');
        let end = at + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let name = &expression[at..end];
        let is_number = c.is_ascii_digit();
        if !is_number {
            all.push(target(
                "names in expressions",
                base + at..base + end,
                name.to_owned(),
            ));
        }
        at = end;
    }
}

/// How often the right one was first, and among the first five.
#[derive(Default)]
struct Tally {
    all: usize,
    first: usize,
    five: usize,
}

fn first_letters(target: &Target, text: &str) -> usize {
    let deleted = &text[target.span.clone()];
    let sign = deleted.chars().take_while(|c| matches!(c, '#' | '{'));
    let sign: usize = sign.map(char::len_utf8).sum();
    sign + deleted[sign..].chars().next().map_or(0, char::len_utf8)
}

#[test]
fn what_the_examples_say_is_completed_again_from_its_first_letter() {
    let every = if super::is_thorough() { 1 } else { 61 };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut nth = 0;
    let mut missed = Vec::new();
    for texts in super::examples() {
        let editor = Editor::of_texts(&texts);
        for target in targets(&editor) {
            nth += 1;
            if nth % every != 0 {
                continue;
            }
            let text = &texts[0].1;
            let kept = target.span.start + first_letters(&target, text);
            let mut typed = texts.clone();
            typed[0].1.replace_range(kept..target.span.end, "");
            let found = treemind_ide::complete(&Editor::of_texts(&typed), kept, &[]);
            let mut items = found.items.iter();
            let place = items.position(|one| {
                one.label == target.label || one.label.replace('-', "_") == target.label
            });
            let tally = tallies.entry(target.what).or_default();
            tally.all += 1;
            tally.first += usize::from(place == Some(0));
            tally.five += usize::from(place.is_some_and(|place| place < 5));
            if place.is_none_or(|place| place > 0) {
                let line = text[..target.span.start].matches('\n').count() + 1;
                let first = found.items.iter().take(5).map(|one| one.label.as_str());
                missed.push(format!(
                    "{}:{line} {} `{}` {place:?} {:?}",
                    texts[0].0.rsplit('/').next().unwrap_or_default(),
                    target.what,
                    target.label,
                    first.collect::<Vec<_>>()
                ));
            }
        }
    }
    if std::env::var_os("TREEMIND_SHOW").is_some() {
        println!("{}", missed.join("\n"));
    }
    let mut sum = Tally::default();
    for (what, tally) in &tallies {
        let part = |count: usize| 100.0 * count as f64 / tally.all as f64;
        println!(
            "{what}: {} of {:.1} % first, {:.1} % among five",
            tally.all,
            part(tally.first),
            part(tally.five)
        );
        sum.all += tally.all;
        sum.first += tally.first;
        sum.five += tally.five;
    }
    let part = |count: usize| 100.0 * count as f64 / sum.all as f64;
    println!(
        "all: {} of {:.1} % first, {:.1} % among five",
        sum.all,
        part(sum.first),
        part(sum.five)
    );
    assert!(
        part(sum.five) >= 95.0 && part(sum.first) >= 80.0,
        "{}",
        missed.join("\n")
    );
}
