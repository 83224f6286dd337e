//! Writes what a failing try did as a test without chance.

use crate::Script;
use crate::random::Plan;
use std::fmt::Write;
use treemind_core::{Behaviour, Status, Value};
use treemind_doc::testing::{Action, Subject, value_text, word_text};

/// The first line of a test.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn head(
    title: &str,
    subject: &Subject,
    (dt, seed): (f64, u64),
    behaviour: &Behaviour,
) -> String {
    let (word, name) = match subject {
        Subject::Tree(name) => ("tree", name),
        Subject::Machine(name) => ("machine", name),
        Subject::Decision(name) => ("decide", name),
        Subject::Planner(name) => ("planner", name),
        Subject::Archetype(name) => ("archetype", name),
        _ => treemind_core::unlisted(&subject),
    };
    let name = word_text(name);
    // A sentence has quotes, also if it is a single word.
    let title = match word_text(title) {
        title if title.starts_with('"') => title,
        word => format!("\"{word}\""),
    };
    let mut out = format!("test {title} {word}={name}");
    if dt != 0.1 {
        let dt = value_text(behaviour, Value::Double(dt));
        let _ = write!(out, " dt={dt}");
    }
    if seed != 0 {
        let _ = write!(out, " seed={seed}");
    }
    out.push_str(" {\n");
    out
}

/// The test for a document.
pub(crate) fn test(script: &Script<'_>, plan: &Plan) -> String {
    let test = script.test;
    let behaviour = script.program.behaviour();
    let title = format!("{}, found by chance", test.name);
    let mut out = head(&title, &test.subject, (test.dt, test.seed), behaviour);
    if test.as_planned {
        out.insert_str(out.len() - " {\n".len(), " as-planned=#true");
    }
    let own = test
        .steps
        .iter()
        .chain(script.case.iter().flat_map(|case| &case.steps));
    let rules = test.rules.iter();
    for span in own
        .map(|step| &step.span)
        .chain(rules.map(|rule| &rule.span))
    {
        let _ = writeln!(out, "    {}", test.source.slice(span));
    }
    let mut waiting = 0;
    for changes in plan {
        if !changes.is_empty() {
            ticks(std::mem::take(&mut waiting), &mut out);
        }
        for change in changes {
            let _ = writeln!(out, "    {}", line(change, behaviour));
        }
        waiting += 1;
    }
    ticks(waiting, &mut out);
    out.push_str("}\n");
    out
}

/// The line that lets ticks pass.
pub(crate) fn ticks(count: usize, out: &mut String) {
    let _ = match count {
        0 => Ok(()),
        1 => writeln!(out, "    tick"),
        _ => writeln!(out, "    tick {count}"),
    };
}

/// The name of a key; that of the definition stands before it, if it has it.
fn own_name(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// The line of a change between ticks.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn line(change: &Action, behaviour: &Behaviour) -> String {
    match change {
        Action::Answer(names, answers) => {
            let names: Vec<String> = names.iter().map(|name| word_text(name)).collect();
            let letters = answers.iter().map(|answer| match answer {
                Status::Success => "S",
                Status::Failure => "F",
                Status::Running => "R",
                Status::Skipped => "K",
            });
            let letters: Vec<&str> = letters.collect();
            format!("leaf {} answers=\"{}\"", names.join(" "), letters.join(" "))
        }
        Action::Given(given) => {
            let mut out = "given".to_owned();
            for (key, value) in given {
                let value = value.map_or("#null".to_owned(), |value| value_text(behaviour, value));
                let _ = write!(out, " {}={value}", word_text(own_name(key)));
            }
            out
        }
        Action::Items(key, items) => {
            let mut out = format!("given-list {}", word_text(own_name(key)));
            for item in items {
                let _ = write!(out, " {}", value_text(behaviour, *item));
            }
            out
        }
        Action::Send(event, values) => {
            let mut out = format!("send {}", word_text(event));
            let leaf = behaviour.leaf_id(event).map(|leaf| behaviour.leaf(leaf));
            let params = leaf.map_or(&[][..], |leaf| &leaf.params);
            for (param, value) in params.iter().zip(values) {
                let _ = write!(
                    out,
                    " {}={}",
                    word_text(&param.name),
                    value_text(behaviour, *value)
                );
            }
            out
        }
        // Nothing of this is drawn.
        Action::AnswerBy(..)
        | Action::Found(..)
        | Action::Report(..)
        | Action::Tick(..)
        | Action::Abort
        | Action::Expect(_) => String::new(),
        _ => treemind_core::unlisted(&change),
    }
}
