//! What is worked out for decision trees while one edits: in another order, or learned from a table.

use super::super::super::balance;
use super::super::naming::why_not;
use super::library::Entry;
use crate::io::{self, Known};
use std::time::Duration;
use treemind_arena::{Rules, Scenario, Session, World};
use treemind_core::{Behaviour, Trace};
use treemind_doc::Document;
use treemind_doc::Said;
use treemind_doc::edit::{Editor, Spot};
use treemind_doc::said;
use treemind_learn::{Examples, Judgement, Options, Profile, Table, find_ccp_alpha, learn};
use treemind_replay::view::protocol::Wanted;
use treemind_studio::clock::Instant;

/// For how many ticks a game is played to see which answers are likely, and how long that may take.
const TICKS: u64 = 4_000;
const PATIENCE: Duration = Duration::from_millis(800);

/// Which share of the rows of a table is kept to judge what was learned from the others.
const HELD_OUT: f64 = 0.25;

/// What was worked out.
pub(super) struct Found {
    pub(super) label: Said,
    pub(super) told: Vec<Said>,
    /// The text of the document before, and as it would be.
    pub(super) texts: [String; 2],
}

/// Works out what a page wants.
pub(super) fn found(entry: &Entry, editor: &Editor, wanted: &Wanted) -> Result<Found, Said> {
    match wanted {
        Wanted::Balance { id } => {
            let outline = editor.outline();
            let tree = outline.node(*id).filter(|node| node.word == "decide");
            let name = tree.and_then(|tree| tree.name.clone());
            let name = name.ok_or_else(|| said!("only a decision tree can be balanced"))?;
            balanced(entry, editor.document(), editor.text(0), &name)
        }
        Wanted::Learn {
            table,
            target,
            name,
        } => learned(editor, table, target, name),
    }
}

/// A decision tree that asks likely and cheap questions first, by how a game of the arena goes.
fn balanced(entry: &Entry, document: &Document, text: &str, name: &str) -> Result<Found, Said> {
    if !document.can_run() {
        return Err(said!(
            "the document has errors; balance it when it has none"
        ));
    }
    let behaviour = document.behaviour(None);
    let behaviour = behaviour.map_err(|_| said!("the document says no main behaviour"))?;
    let (profile, ticks) = rehearsed(entry, document, &behaviour)?;
    let asked = profile.decision(name).map_or(0, |known| known.asked());
    if asked == 0 {
        return Err(said!(
            "`{}` was never asked in {} ticks of the game; `treemind balance` takes the profile of another game",
            name,
            ticks
        ));
    }
    let balanced = treemind_learn::balance(document, name, &profile);
    let balanced =
        balanced.map_err(|why| said!("`{}` was not balanced: {}", name, why.to_string()))?;
    let checked = match (balanced.is_changed, entry.path()) {
        (true, Some(path)) => {
            let load = io::loader(path, Known::in_studio());
            let source = io::source_name(path);
            let after = Document::read_with(balanced.text.as_bytes(), &source, load);
            Some(balance::compared([document, &after], name, &balanced)?)
        }
        _ => None,
    };
    let mut told = vec![said!(
        "asked {} times in {} ticks of the game",
        asked,
        ticks
    )];
    told.extend(balance::summary(name, &balanced, checked.as_ref()));
    Ok(Found {
        label: said!("balance {}", name),
        told,
        texts: [text.to_owned(), balanced.text],
    })
}

/// How often each question is answered how, in a game that is played for this alone.
fn rehearsed(
    entry: &Entry,
    document: &Document,
    behaviour: &Behaviour,
) -> Result<(Profile, u64), Said> {
    let map = entry.map().map_err(io::Failure::sentence)?;
    let scenario = Scenario::parse(&map).map_err(|error| said!("the map: {}", error.said()))?;
    let rules = Rules {
        seed: 0,
        rounds: true,
    };
    let world = World::new(scenario, rules);
    // As in the game that the page plays: leaves without code answer, too.
    let session = Session::with_stubs(behaviour.clone(), Some(document), world);
    let mut session = session.map_err(why_not)?;
    let mut profile = Profile::of(behaviour);
    let mut trace = Trace::new();
    let begun = Instant::now();
    let mut ticks = 0;
    while ticks < TICKS && begun.elapsed() < PATIENCE {
        session.step_traced(&mut trace);
        profile.record(behaviour, &trace);
        ticks += 1;
    }
    Ok((profile, ticks))
}

/// A decision tree that is learned from a table, with the keys and actions that the document does not have yet.
fn learned(editor: &Editor, table: &str, target: &str, name: &str) -> Result<Found, Said> {
    let table = Table::read(table.as_bytes()).map_err(|error| error.said())?;
    let examples = Examples::of(table, target, &[]).map_err(|error| error.said())?;
    let [rows, held_out] = examples.divided(HELD_OUT, 0, 1);
    if rows.is_empty() {
        return Err(said!("the table has too few rows"));
    }
    let mut options = Options::default();
    options.ccp_alpha = find_ccp_alpha(&examples, &rows, 1, &options);
    let tree = learn(&examples, &rows, &options);
    let text = treemind_learn::document(&tree, &examples, name);
    let judged = Judgement::of(&tree, &examples, &held_out);
    let told = vec![said!(
        "depth {}, {} leaves; right: {} of {} rows that were held out",
        tree.depth(),
        tree.leaves(),
        judged.right(),
        judged.rows()
    )];
    let before = editor.text(0).to_owned();
    let after = joined(editor.clone(), &text)?;
    Ok(Found {
        label: said!("learn {}", name),
        told,
        texts: [before, after],
    })
}

/// A document with the nodes of another one behind its own; of keys and leaves those that it does not have.
fn joined(mut editor: Editor, text: &str) -> Result<String, Said> {
    let other = Editor::new(Document::parse(text, "learned.kdl"))?;
    let outline = other.outline();
    for node in outline.nodes().iter().filter(|node| node.parent.is_none()) {
        if node.word == "main" {
            continue;
        }
        let own = editor.outline();
        let mut tops = own.nodes_of(0).iter().filter(|one| one.parent.is_none());
        if node.word == "decide"
            && tops
                .clone()
                .any(|one| one.word == "decide" && one.name == node.name)
        {
            let name = node.name.as_deref().unwrap_or_default();
            return Err(said!("there is a decision tree `{}` already", name));
        }
        let home = tops.find(|one| one.word == node.word && node.word != "decide");
        let Some(home) = home else {
            let end = Spot::Top(0, usize::MAX);
            let change = editor.paste(end, &text[node.span.clone()])?;
            editor.apply(&change)?;
            continue;
        };
        let home = home.id;
        let names: Vec<_> = own
            .nodes()
            .iter()
            .map(|one| (&one.word, &one.name))
            .collect();
        let new = node.children.iter().filter_map(|id| outline.node(*id));
        for one in new.filter(|one| !names.contains(&(&one.word, &one.name))) {
            let at = editor
                .place_of(home)
                .ok_or_else(|| said!("its place is gone"))?;
            let line = &text[one.span.clone()];
            let change = editor.insert(Spot::Into(at, usize::MAX), line)?;
            editor.apply(&change)?;
        }
    }
    Ok(editor.text(0).to_owned())
}

/// How many lines are compared with how many others at most; of longer parts, all is said to differ.
const MOST_PAIRS: usize = 4 << 20;

/// The lines in which two texts differ: those of the one, and those of the other, with `…` between parts. Where only their
/// order differs, all lines from the first to the last of them, so that the order can be seen.
pub(super) fn differing([before, after]: [&str; 2]) -> [String; 2] {
    let [old, new] = [before, after].map(|text| text.lines().collect::<Vec<_>>());
    let same = old
        .iter()
        .zip(&new)
        .take_while(|(one, other)| one == other)
        .count();
    let [old, new] = [&old[same..], &new[same..]];
    let whole = || {
        let ends = old.iter().rev().zip(new.iter().rev());
        let end = ends.take_while(|(one, other)| one == other).count();
        [old, new].map(|lines| lines[..lines.len() - end].join("\n"))
    };
    if old.len() * new.len() > MOST_PAIRS {
        return whole();
    }
    // How many lines the rests of both have in common, from each pair of lines on.
    let width = new.len() + 1;
    let mut common = vec![0u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let at = one * width + other;
            common[at] = match old[one] == new[other] {
                true => common[at + width + 1] + 1,
                false => common[at + width].max(common[at + 1]),
            };
        }
    }
    let mut out = [Vec::new(), Vec::new()];
    let (mut one, mut other) = (0, 0);
    while one < old.len() || other < new.len() {
        let at = one * width + other;
        if one < old.len() && other < new.len() && old[one] == new[other] {
            for lines in &mut out {
                if lines.last().is_some_and(|last| *last != "…") {
                    lines.push("…");
                }
            }
            (one, other) = (one + 1, other + 1);
        } else if other == new.len() || one < old.len() && common[at + width] >= common[at + 1] {
            out[0].push(old[one]);
            one += 1;
        } else {
            out[1].push(new[other]);
            other += 1;
        }
    }
    let out = out.map(|mut lines| {
        if lines.last() == Some(&"…") {
            lines.pop();
        }
        lines.join("\n")
    });
    match out[0] == out[1] {
        true => whole(),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::differing;

    #[test]
    fn only_what_differs_is_shown() {
        let before = "main\nkeys {\n    a\n}\nleaves {\n    go\n}\n";
        let after = "main\nkeys {\n    a\n    b\n}\nleaves {\n    go\n}\n\ndecide x {\n    go\n}\n";
        let shown = differing([before, after]);
        assert_eq!(shown, ["", "    b\n…\n\ndecide x {\n    go\n}"]);
        assert_eq!(
            differing(["a\nb\nc\nd", "x\nb\nc\ny"]),
            ["a\n…\nd", "x\n…\ny"]
        );
        assert_eq!(differing(["a\nb", "a\nb"]), ["", ""]);
        // Another order is seen.
        assert_eq!(differing(["a\nb\nc\nd", "a\nc\nb\nd"]), ["b\nc", "c\nb"]);
        assert_eq!(differing(["", "a"]), ["", "a"]);
    }
}
