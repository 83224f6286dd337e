//! Merging what two versions have made of one node: its word, values and properties, and the comments beside it.

use super::super::outline::SourceNode;
use std::ops::Range;

/// A part of the first line of a node: its word with its values, or one property. With its text, and its place.
struct Part<'t> {
    name: &'t str,
    text: &'t str,
    span: Range<usize>,
}

/// The parts of a node. `None` if values stand behind properties: then they are not one piece.
fn parts<'t>(text: &'t str, node: &'t SourceNode) -> Option<Vec<Part<'t>>> {
    let begin = node.line.start;
    let first = node.properties.iter().map(|one| one.span.start).min();
    let values = node.values.iter().map(|one| one.span.end).max();
    let word = node.values.first().map(|one| one.span.start).or(first);
    let word = word.unwrap_or(node.line.end);
    let end = values.unwrap_or_else(|| begin + text[begin..word].trim_end().len());
    if first.is_some_and(|first| first < end) {
        return None;
    }
    let head = Part {
        name: "",
        text: &text[begin..end],
        span: begin..end,
    };
    let properties = node.properties.iter().map(|one| Part {
        name: &one.name,
        text: &text[one.span.clone()],
        span: one.span.clone(),
    });
    Some(std::iter::once(head).chain(properties).collect())
}

/// The first line of a node in a version: its text, and the node.
pub(super) type Version<'t> = (&'t str, &'t SourceNode);

/// What is written into the line of `mine` so that it has the changes of both; `None` if both have changed the same part.
pub(super) fn merged(
    base: Version<'_>,
    mine: Version<'_>,
    theirs: Version<'_>,
) -> Option<Vec<(Range<usize>, String)>> {
    let [old, own, other] = [base, mine, theirs].map(|(text, node)| parts(text, node));
    let (old, own, other) = (old?, own?, other?);
    let text_of = |parts: &[Part<'_>], name: &str| {
        let found = parts.iter().find(|part| part.name == name);
        found.map(|part| part.text.to_owned())
    };
    let mut writes = Vec::new();
    let mut added = String::new();
    let names = old.iter().chain(&other).map(|part| part.name);
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let [before, here, there] = [&old, &own, &other].map(|parts| text_of(parts, name));
        if there == before || there == here {
            continue;
        }
        if here != before {
            return None;
        }
        let place = own.iter().find(|part| part.name == name);
        match (there, place) {
            (Some(there), Some(part)) => writes.push((part.span.clone(), there)),
            (Some(there), None) => {
                added.push(' ');
                added.push_str(&there);
            }
            (None, Some(part)) => {
                let gap = mine.0[..part.span.start].trim_end_matches([' ', '\t']);
                writes.push((gap.len()..part.span.end, String::new()));
            }
            (None, None) => {}
        }
    }
    if !added.is_empty() {
        writes.push((mine.1.line.end..mine.1.line.end, added));
    }
    Some(writes)
}
