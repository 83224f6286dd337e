//! Writes what a failing try did as a test without chance.

use crate::Script;
use crate::random::Plan;
use std::fmt::Write;
use treemind_core::{Behaviour, Status, Value};
use treemind_doc::testing::{Action, Subject, value_text, word_text};

/// The test for a document.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn test(script: &Script<'_>, plan: &Plan) -> String {
    let test = script.test;
    let behaviour = script.program.behaviour();
    let (word, name) = match &test.subject {
        Subject::Tree(name) => ("tree", name),
        Subject::Machine(name) => ("machine", name),
        Subject::Decision(name) => ("decide", name),
        Subject::Archetype(name) => ("archetype", name),
        _ => treemind_core::unlisted(&test.subject),
    };
    let name = word_text(name);
    let title = word_text(&format!("{}, found by chance", test.name));
    let mut out = format!("test {title} {word}={name}");
    if test.dt != 0.1 {
        let dt = value_text(behaviour, Value::Double(test.dt));
        let _ = write!(out, " dt={dt}");
    }
    if test.seed != 0 {
        let _ = write!(out, " seed={}", test.seed);
    }
    out.push_str(" {\n");
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

fn ticks(count: usize, out: &mut String) {
    let _ = match count {
        0 => Ok(()),
        1 => writeln!(out, "    tick"),
        _ => writeln!(out, "    tick {count}"),
    };
}

#[warn(clippy::wildcard_enum_match_arm)]
fn line(change: &Action, behaviour: &Behaviour) -> String {
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
                // A key of the definition has its name before it.
                let name = key.rsplit('.').next().unwrap_or(key);
                let value = value.map_or("#null".to_owned(), |value| value_text(behaviour, value));
                let _ = write!(out, " {}={value}", word_text(name));
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
        Action::Items(..)
        | Action::Report(..)
        | Action::Tick(..)
        | Action::Abort
        | Action::Expect(_) => String::new(),
        _ => treemind_core::unlisted(&change),
    }
}
