//! What is worked out for decision trees while one edits: in another order, or learned from a table.

use super::super::super::balance;
use super::super::naming::why_not;
use super::library::Entry;
use crate::io::{self, Known};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;
use treemind_arena::{Rules, Scenario, Session, World};
use treemind_core::{Behaviour, Trace};
use treemind_doc::edit::{Editor, SourceNode, Spot, pieces};
use treemind_doc::{Document, Said, Severity, said};
use treemind_learn::{
    Examples, Judgement, Options, Profile, Table, find_ccp_alpha, learn, right_rows,
};
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

/// A decision tree that is learned from a table, with the keys and actions that the document does not have yet. It takes the
/// place of one with its name.
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
    let mut told = vec![said!(
        "depth {}, {} leaves; right: {} of {} rows that were held out",
        tree.depth(),
        tree.leaves(),
        judged.right(),
        judged.rows()
    )];
    let before = editor.text(0).to_owned();
    let (after, replaced) = joined(editor.clone(), &text)?;
    if let Some(name) = replaced {
        let present = right_rows(editor.document(), &name, &examples, &held_out);
        told.push(match present {
            Ok(right) => said!(
                "takes the place of the present `{}`, which gets {} of these {} rows right",
                name,
                right,
                judged.rows()
            ),
            Err(why) => said!(
                "takes the place of the present `{}`; how many of these rows that one gets right is unknown: {}",
                name,
                why.said()
            ),
        });
    }
    let mut problems = after.document().diagnostics().iter();
    let first = problems.find(|one| one.severity() == Severity::Error);
    if let Some(error) = first.filter(|_| editor.document().can_run()) {
        told.push(said!(
            "with it, the document has an error: {}",
            error.said()
        ));
    }
    Ok(Found {
        label: said!("learn {}", name),
        told,
        texts: [before, after.text(0).to_owned()],
    })
}

/// A document with the nodes of another one: its decision tree in the place of one with the same name, otherwise behind
/// everything; of keys and leaves those that the document does not have. Also the name of a decision tree that was replaced.
fn joined(mut editor: Editor, text: &str) -> Result<(Editor, Option<String>), Said> {
    let other = Editor::new(Document::parse(text, "learned.kdl"))?;
    let outline = other.outline();
    let mut replaced = None;
    let new = outline.nodes().iter().filter(|node| node.parent.is_none());
    for node in new.filter(|node| node.word != "main") {
        let own = editor.outline();
        let mut tops = own.nodes().iter().filter(|one| one.parent.is_none());
        let is_tree = node.word == "decide";
        let home = tops.find(|one| {
            let is_it = if is_tree {
                one.name == node.name
            } else {
                one.file == 0
            };
            one.word == node.word && is_it
        });
        let Some(home) = home else {
            let end = Spot::Top(0, usize::MAX);
            let change = editor.paste(end, &text[node.span.clone()])?;
            editor.apply(&change)?;
            continue;
        };
        if is_tree {
            let name = home.name.clone().unwrap_or_default();
            if home.file > 0 {
                let file = editor.name(home.file);
                return Err(said!("the decision tree `{}` is in {}", name, file));
            }
            // What stands behind its name stays.
            let block = &text[node.line.end..node.span.end];
            let change = editor.replace(0, home.line.end..home.span.end, block)?;
            editor.apply(&change)?;
            replaced = Some(name);
            continue;
        }
        let is_listed = |one: &&SourceNode| {
            let above = one.parent.and_then(|parent| own.node(parent));
            above.is_some_and(|above| above.parent.is_none() && above.word == node.word)
        };
        let known = own.nodes().iter().filter(is_listed);
        let names: Vec<_> = known.map(|one| (&one.word, &one.name)).collect();
        let new = node.children.iter().filter_map(|id| outline.node(*id));
        for one in new.filter(|one| !names.contains(&(&one.word, &one.name))) {
            let at = editor
                .place_of(home.id)
                .ok_or_else(|| said!("its place is gone"))?;
            let line = &text[one.span.clone()];
            let change = editor.insert(Spot::Into(at, usize::MAX), line)?;
            editor.apply(&change)?;
        }
    }
    Ok((editor, replaced))
}

/// The lines in which two texts differ: those of the one, and those of the other, with `…` between parts. Where only their
/// order differs, all lines from the first to the last of them, so that the order can be seen.
pub(super) fn differing([before, after]: [&str; 2]) -> [String; 2] {
    let whole = || {
        let [old, new] = [before, after].map(|text| text.lines().collect::<Vec<_>>());
        let pairs = old.iter().zip(&new);
        let same = pairs.take_while(|(one, other)| one == other).count();
        let [old, new] = [&old[same..], &new[same..]];
        let ends = old.iter().rev().zip(new.iter().rev());
        let end = ends.take_while(|(one, other)| one == other).count();
        [old, new].map(|lines| lines[..lines.len() - end].join("\n"))
    };
    // A last line without an end is the same line.
    let [old, new] = [before, after].map(|text| match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => format!("{text}\n"),
    });
    let Some(pieces) = pieces(&old, &new) else {
        return whole();
    };
    let ends: Vec<usize> = pieces
        .iter()
        .skip(1)
        .map(|(lines, _)| lines.start)
        .collect();
    let ends = ends.into_iter().chain([old.len()]);
    let pieces: Vec<(Range<usize>, String)> = pieces
        .into_iter()
        .zip(ends)
        .map(|(piece, end)| slid(piece, &old[..end]))
        .collect();
    let gone: Vec<&str> = pieces
        .iter()
        .map(|(lines, _)| &old[lines.clone()])
        .collect();
    let come: Vec<&str> = pieces.iter().map(|(_, lines)| &lines[..]).collect();
    let out = [gone, come].map(|parts| {
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let parts = parts.map(|part| part.lines().collect::<Vec<_>>().join("\n"));
        parts.collect::<Vec<_>>().join("\n…\n")
    });
    match out[0] == out[1] {
        true => whole(),
        false => out,
    }
}

/// Lines that only come or only go, as far down as they can be said to: a block that comes behind others like it has its own
/// brace then, and not that of the one before. `old` ends where something else differs.
fn slid((mut at, lines): (Range<usize>, String), old: &str) -> (Range<usize>, String) {
    if !at.is_empty() && !lines.is_empty() {
        return (at, lines);
    }
    let mut lines: VecDeque<&str> = lines.split_inclusive('\n').collect();
    while let Some(next) = old[at.end..].split_inclusive('\n').next() {
        let first = match lines.front() {
            Some(first) => first,
            None => old[at.start..].split_inclusive('\n').next().unwrap_or(""),
        };
        if first != next {
            break;
        }
        if !lines.is_empty() {
            lines.rotate_left(1);
        }
        at = at.start + next.len()..at.end + next.len();
    }
    (at, lines.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::{differing, learned};
    use treemind_doc::Document;
    use treemind_doc::edit::Editor;

    const WATCH: &str = "\
main decide=watch
blackboard { key far type=float default=9.0; }
leaves { action strike; action rest; }
decide watch doc=\"at night\" {
    test \"far < 1.0\" { action strike; } // too late
    action rest
}
tree idle { action rest; }
";

    /// Strikes whatever is nearer than 4.
    fn table() -> String {
        let rows = (0..60).map(|nth| {
            let far = f64::from(nth % 20) / 2.0;
            let does = if far < 4.0 { "strike" } else { "rest" };
            format!("{far},{does}\n")
        });
        format!("far,does\n{}", rows.collect::<String>())
    }

    /// What is told when `watch` is learned anew, and the text with it.
    fn learned_anew(text: &str) -> (Vec<String>, String) {
        let editor = Editor::new(Document::parse(text, "watch.kdl"));
        let editor = editor.expect("a document in KDL");
        let found = learned(&editor, &table(), "does", "watch").expect("it is learned");
        let [before, after] = found.texts;
        assert_eq!(before, text);
        let told = found.told.iter().map(ToString::to_string);
        (told.collect(), after)
    }

    #[test]
    fn a_tree_that_is_learned_anew_takes_the_place_of_the_present_one() {
        let (told, after) = learned_anew(WATCH);
        assert_eq!(
            told,
            [
                "depth 1, 2 leaves; right: 15 of 15 rows that were held out",
                "takes the place of the present `watch`, which gets 12 of these 15 rows right",
            ]
        );
        // Its head stays, and so does what is around it.
        let [head, rest] = ["decide watch doc=\"at night\" {\n", "}\ntree idle"];
        let at = |text: &str, what: &str| text.find(what).expect("it is there");
        assert_eq!(after[..at(&after, head)], WATCH[..at(WATCH, head)]);
        assert_eq!(after[at(&after, rest)..], WATCH[at(WATCH, rest)..]);
        assert!(
            after.contains("    test \"far <= 3.8\" { action strike; }"),
            "{after}"
        );
        assert!(!after.contains("too late"), "{after}");
        assert!(Document::parse(&after, "watch.kdl").can_run(), "{after}");
    }

    #[test]
    fn a_key_that_the_table_lacks_is_said() {
        let armed = WATCH.replace("{ key far", "{ key armed type=bool default=#true; key far");
        let text = armed.replace("far < 1.0", "armed && far < 1.0");
        let (told, _) = learned_anew(&text);
        assert_eq!(
            told[1],
            "takes the place of the present `watch`; how many of these rows that one gets right is unknown: it needs the key `armed`, and the table has no such column that tests can use"
        );
        // A key of the tree itself goes with it, and comes to the document.
        let own = WATCH.replace("blackboard { key far type=float default=9.0; }\n", "");
        let own = own.replace("    test", "    key far type=float default=9.0\n    test");
        let (told, after) = learned_anew(&own);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            after.contains("blackboard {\n    key far type=double"),
            "{after}"
        );
    }

    #[test]
    fn an_error_that_the_learned_tree_would_make_is_said() {
        let text = WATCH.replace("type=float default=9.0", "type=bool default=#false");
        let text = text.replace("far < 1.0", "far");
        let (told, _) = learned_anew(&text);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(
            told[2].starts_with("with it, the document has an error: "),
            "{told:?}"
        );
    }

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
