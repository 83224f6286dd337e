//! A behaviour as the page draws it: the lines of its outline, with what each is about.

use serde_json::{Value, json};
use treemind_core::behaviour::{Scope, StateKind};
use treemind_core::{Behaviour, Kind};
use treemind_doc::{About, outline_lines};

use treemind_core::Status;
use treemind_watch::{Mark, Marks, word_of};

/// The name of a line, by which pages and addresses refer to it.
pub(crate) fn name_of(about: About, nth: usize) -> String {
    match about {
        About::Node(id) => format!("n{}", id.index()),
        About::State(id, state) => format!("s{}.{state}", id.index()),
        About::Transition(id, number) => format!("t{}.{number}", id.index()),
        About::Test(id, test) => format!("q{}.{test}", id.index()),
        About::Way(id, test, way) => format!("w{}.{test}.{way}", id.index()),
        About::Part => format!("p{nth}"),
    }
}

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
    json!({
        "name": behaviour.name(),
        "word": word_of(behaviour),
        "lines": lines,
        "keys": keys,
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
fn describe(behaviour: &Behaviour, about: About, of: &mut Value) {
    match about {
        About::Node(id) => {
            let node = behaviour.node(id);
            of["is"] = json!("node");
            of["label"] = json!(behaviour.label(id));
            let leaf = match node.kind {
                Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } => leaf,
                _ => return,
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
                    _ => "atomic",
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
    }
}

/// What each line shows: a word for its mark, and for a transition what became of it.
pub fn marks(behaviour: &Behaviour, marks: &Marks) -> Value {
    let lines = outline_lines(behaviour);
    let word = |about: About| {
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

fn word_for(mark: Mark) -> &'static str {
    match mark {
        Mark::Idle => "",
        Mark::Now(Status::Running) => "run",
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
