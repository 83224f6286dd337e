//! A behaviour as the page draws it: the lines of its outline, with what each is about.

use serde_json::{Value, json};
use treemind_core::behaviour::LeafKind;
use treemind_core::behaviour::{Scope, StateKind};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Kind, NodeId, Outcome};
use treemind_doc::{About, OutlineLine, outline_lines};

use crate::follow::lines::name_of;
use crate::follow::{Mark, Marks, word_of};
use treemind_core::Status;

/// The definition of a behaviour.
pub fn definition(behaviour: &Behaviour) -> Value {
    let lines = outline_lines(behaviour);
    let lines: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(nth, line)| {
            let (text, doc) = line.text.split_once("  // ").unwrap_or((&line.text, ""));
            let mut of = json!({
                "id": name_of(line.about, nth),
                "indent": line.indent,
                "text": text,
                "doc": doc,
            });
            describe(behaviour, line.about, &mut of);
            of
        })
        .collect();
    let keys = behaviour.keys().iter();
    let keys: Vec<Value> = keys
        .map(|key| {
            let scope = match key.scope {
                Scope::World => "world",
                Scope::Agent => "agent",
                _ => "group",
            };
            json!({"name": key.name, "scope": scope})
        })
        .collect();
    let leaves = behaviour.leaves().iter();
    let events = leaves.filter(|leaf| leaf.kind == LeafKind::Event);
    json!({
        "name": behaviour.name(),
        "word": word_of(behaviour),
        "lines": lines,
        "keys": keys,
        "events": events.map(|leaf| &leaf.name).collect::<Vec<_>>(),
    })
}

/// The texts of documents, with the names of their files.
pub fn texts(all: &[(String, String)]) -> Value {
    let texts = all.iter();
    texts
        .map(|(name, text)| json!({"name": name, "text": text}))
        .collect()
}

/// What the text of a line does not say in a form that a program can read.
#[warn(clippy::wildcard_enum_match_arm)]
fn describe(behaviour: &Behaviour, about: About, of: &mut Value) {
    match about {
        About::Node(id) => {
            let node = behaviour.node(id);
            of["is"] = json!("node");
            of["label"] = json!(behaviour.label(id));
            let (Kind::Condition { leaf, .. } | Kind::Action { leaf, .. }) = node.kind else {
                return;
            };
            let doc = behaviour.leaf(leaf).doc.as_deref();
            if of["doc"] == "" {
                of["doc"] = json!(doc.unwrap_or(""));
            }
        }
        About::State(id, state) => {
            of["is"] = json!("state");
            if let Kind::Machine(machine) = &behaviour.node(id).kind {
                let state = &machine.states[state];
                of["label"] = json!(state.name);
                of["kind"] = json!(match state.kind {
                    StateKind::Composite { .. } => "composite",
                    StateKind::Parallel => "parallel",
                    StateKind::Final { .. } => "final",
                    StateKind::Atomic => "atomic",
                    _ => treemind_core::unlisted(&state.kind),
                });
            }
        }
        About::Transition(id, number) => {
            of["is"] = json!("transition");
            if let Kind::Machine(machine) = &behaviour.node(id).kind {
                let transition = &machine.transitions[number];
                let name = |state: usize| format!("s{}.{state}", id.index());
                let targets = transition.targets.iter();
                let states = targets.map(treemind_core::behaviour::Machine::target_state);
                of["targets"] = states.map(name).collect();
                of["source"] = json!(name(transition.source));
            }
        }
        About::Test(..) => of["is"] = json!("test"),
        About::Way(..) => of["is"] = json!("way"),
        About::Part => of["is"] = json!("part"),
        _ => treemind_core::unlisted(&about),
    }
}

/// What each line shows: a word for its mark, and for a transition what became of it.
pub fn marks(behaviour: &Behaviour, marks: &Marks) -> Value {
    marks_at(&outline_lines(behaviour), (behaviour, marks), (&[], None))
}

/// The same as after the first `shown` events of the last tick: a line to which something happens later is as before, or has
/// no mark.
pub(crate) fn marks_at(
    lines: &[OutlineLine],
    (behaviour, marks): (&Behaviour, &Marks),
    (events, shown): (&[(NodeId, Event)], Option<usize>),
) -> Value {
    let (done, rest) = match shown {
        Some(shown) => events.split_at(shown.min(events.len())),
        None => (events, &[][..]),
    };
    let word = |about: About| {
        let now = shown.and_then(|_| {
            let last = done.iter().rev().find_map(|one| word_after(about, *one));
            last.or_else(|| rest.iter().find_map(|one| word_before(about, *one)))
        });
        if let Some(word) = now {
            return json!(word);
        }
        let mark = marks.of(behaviour, about);
        let note = match about {
            About::Node(id) => marks.score(id).map(|score| format!("{score:.2}")),
            About::Transition(id, number) => {
                let verdict = marks.verdict_of(id, number);
                verdict.map(|(_, words)| words.to_owned())
            }
            _ => None,
        };
        match note {
            Some(note) => json!([word_for(mark), note]),
            None => json!(word_for(mark)),
        }
    };
    lines.iter().map(|line| word(line.about)).collect()
}

/// What came and went since a tick: lines without a mark, each with the mark that it had in the meantime. For pages that
/// watch a game play, and do not see every tick.
pub(crate) fn flashes(
    lines: &[OutlineLine],
    (behaviour, marks): (&Behaviour, &Marks),
    since: u64,
) -> Value {
    let flash = |(nth, about): (usize, About)| {
        let is_idle = marks.of(behaviour, about) == Mark::Idle;
        let flash = marks.flash(about, since).filter(|_| is_idle)?;
        Some(json!([nth, word_for(flash)]))
    };
    let all = lines.iter().map(|line| line.about).enumerate();
    all.filter_map(flash).collect()
}

/// The mark of a line after an event, if that is about the line.
fn word_after(about: About, (node, event): (NodeId, Event)) -> Option<&'static str> {
    let is_here = |at: u32, own: usize| at as usize == own;
    Some(match (about, event) {
        (About::Node(id), event) if id == node => match event {
            Event::Tick(status) | Event::Guard(status) => word_for(Mark::Now(status)),
            Event::Enter | Event::Start => "run",
            Event::Stop(Outcome::Aborted) | Event::Abort => "cut",
            _ => return None,
        },
        (About::State(id, own), Event::EnterState(at)) if id == node && is_here(at, own) => {
            "entered"
        }
        (About::State(id, own), Event::LeaveState(at)) if id == node && is_here(at, own) => "left",
        (About::Transition(id, own), Event::Take(at)) if id == node && is_here(at, own) => "ok",
        (About::Way(id, test, own), Event::Branch(one, way)) if id == node => {
            match is_here(one, test) && is_here(way, own) {
                true => "ok",
                false => return None,
            }
        }
        _ => return None,
    })
}

/// The mark of a line before an event, if that is about the line.
fn word_before(about: About, of: (NodeId, Event)) -> Option<&'static str> {
    Some(match (word_after(about, of)?, of.1) {
        ("left", _) => "run",
        (_, Event::Abort | Event::Stop(Outcome::Aborted)) => "was-run",
        _ => "",
    })
}

fn word_for(mark: Mark) -> &'static str {
    match mark {
        Mark::Idle => "",
        Mark::Now(Status::Running) | Mark::Open => "run",
        Mark::Now(Status::Success) => "ok",
        Mark::Now(Status::Failure) => "fail",
        Mark::Now(Status::Skipped) => "skip",
        Mark::Earlier(Status::Running) => "was-run",
        Mark::Earlier(Status::Success) => "was-ok",
        Mark::Earlier(Status::Failure) => "was-fail",
        Mark::Earlier(Status::Skipped) => "was-skip",
        Mark::Aborted => "cut",
        Mark::Entered => "entered",
        Mark::Left => "left",
    }
}
