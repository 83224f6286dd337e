//! What differs in a node, in a line.

use super::super::outline::{SourceEntry, SourceNode};
use super::{Told, entries, is_same_entry, says_the_same};
use crate::{Said, said};

/// A node with the text in which it is.
type Placed<'o> = (&'o str, &'o SourceNode);

/// What a line says of a node: what differs by name, from the old to the new, if both versions have it.
pub(super) fn told(old: Option<Placed<'_>>, new: Option<Placed<'_>>) -> Told {
    match (old, new) {
        (Some(old), Some(new)) if !says_the_same(old.1, new.1) => Told {
            word: new.1.word.clone(),
            called: called_still(old.1, new),
            says: changes(old, new),
        },
        (old, new) => {
            let (text, node) = new.or(old).expect("one of the versions has it");
            let says = entries(node).into_iter().map(|entry| written(text, entry));
            Told {
                word: node.word.clone(),
                called: String::new(),
                says: says.collect::<Vec<_>>().join(" ").into(),
            }
        }
    }
}

fn written<'t>(text: &'t str, entry: &SourceEntry) -> &'t str {
    &text[entry.span.clone()]
}

fn value<'t>(text: &'t str, entry: &SourceEntry) -> &'t str {
    &text[entry.value_span.clone()]
}

/// What a node is called in both versions: its `name=`, or its first value that is no number.
fn called_still(old: &SourceNode, (text, new): Placed<'_>) -> String {
    let old = entries(old);
    let is_there = |one: &&SourceEntry| old.iter().any(|old| is_same_entry(old, one));
    let kept: Vec<&SourceEntry> = entries(new).into_iter().filter(is_there).collect();
    let is_name = |one: &&&SourceEntry| {
        let begin = value(text, one).chars().next();
        one.name.is_empty()
            && !begin.is_some_and(|one| one.is_ascii_digit() || matches!(one, '.' | '-'))
    };
    let own = kept.iter().find(|one| one.name == "name");
    let own = own.or_else(|| kept.iter().find(is_name));
    own.map_or(String::new(), |one| value(text, one).to_owned())
}

/// The changes in a node, each from the old to the new.
fn changes((old_text, old): Placed<'_>, (new_text, new): Placed<'_>) -> Said {
    let (before, after) = (entries(old), entries(new));
    let lacks = |all: &[&SourceEntry], one: &SourceEntry| {
        !all.iter().any(|other| is_same_entry(other, one))
    };
    let gone: Vec<_> = before.iter().filter(|one| lacks(&after, one)).collect();
    let come: Vec<_> = after.iter().filter(|one| lacks(&before, one)).collect();
    let is_other_word = old.word != new.word;
    // Only their order or their number differs.
    if gone.is_empty() && come.is_empty() && !is_other_word {
        let all = |text, entries: &[&SourceEntry]| {
            let all = entries.iter().map(|entry| written(text, entry));
            all.collect::<Vec<_>>().join(" ")
        };
        return said!("{} → {}", all(old_text, &before), all(new_text, &after));
    }
    let mut all = Vec::new();
    let values = |text, word: &str, entries: &[&&SourceEntry]| {
        let own = entries.iter().filter(|one| one.name.is_empty());
        let word = is_other_word.then_some(word).into_iter();
        let all = word.chain(own.map(|one| value(text, one)));
        all.collect::<Vec<_>>().join(" ")
    };
    let was = values(old_text, &old.word, &gone);
    let is = values(new_text, &new.word, &come);
    match (was.as_str(), is.as_str()) {
        ("", "") => {}
        ("", is) => all.push(said!("added: {}", is)),
        (was, "") => all.push(said!("removed: {}", was)),
        (was, is) => all.push(said!("{} → {}", was, is)),
    }
    let mut names: Vec<&str> = Vec::new();
    for one in gone.iter().chain(&come) {
        if !one.name.is_empty() && !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    for name in names {
        let was = gone.iter().find(|one| one.name == name);
        let is = come.iter().find(|one| one.name == name);
        all.extend(match (was, is) {
            (Some(was), Some(is)) => {
                let (was, is) = (value(old_text, was), value(new_text, is));
                Some(said!("{}: {} → {}", name, was, is))
            }
            (None, Some(is)) => Some(said!("{} added: {}", name, value(new_text, is))),
            (Some(was), None) => Some(said!("{} removed: {}", name, value(old_text, was))),
            (None, None) => None,
        });
    }
    let joined = all
        .into_iter()
        .reduce(|all, next| said!("{}, {}", all, next));
    joined.unwrap_or_else(|| Said::from(""))
}
