//! Leaves that answer from a script.

use crate::io::{self, Failure, Line};
use std::path::Path;
use treemind_core::Behaviour;
use treemind_core::host::Scripted;
use treemind_doc::{Diagnostic, script};

/// Leaves that answer from the script, which may be watched.
pub(crate) fn host(
    behaviour: &Behaviour,
    script: Option<&Path>,
    is_watched: bool,
) -> Result<Scripted, Failure> {
    let Some(path) = script else {
        return Ok(Scripted::new(behaviour, 1));
    };
    scripted(behaviour, path, is_watched).map_err(|problem| match problem {
        ScriptProblem::Unreadable(failure) => failure,
        ScriptProblem::Wrong(diagnostics) => {
            io::show_first(&diagnostics, "");
            Failure::Reported
        }
        ScriptProblem::Unknown(names) => {
            for (place, sentence) in names {
                io::tell(Line::from(place).red("error").then(&sentence));
            }
            Failure::Reported
        }
    })
}

/// Why a script cannot answer for a behaviour.
pub(crate) enum ScriptProblem {
    Unreadable(Failure),
    Wrong(Vec<Diagnostic>),
    /// It has names that the behaviour does not have: where each is, and a sentence.
    Unknown(Vec<(String, String)>),
}

/// A host that answers from a script.
pub(crate) fn scripted(
    behaviour: &Behaviour,
    path: &Path,
    is_watched: bool,
) -> Result<Scripted, ScriptProblem> {
    let mut host = Scripted::new(behaviour, 1);
    let name = io::display_name(path);
    let text = match is_watched {
        true => io::read_watched_text(path),
        false => io::read_text(path),
    };
    let text = text.map_err(ScriptProblem::Unreadable)?;
    let script = script::parse(&text, &name);
    let script = script.map_err(|found| ScriptProblem::Wrong(found.to_vec()))?;
    let mut unknown = Vec::new();
    for (label, answers) in &script.entries {
        if !host.set(0, label, answers) {
            unknown.push(unknown_name(behaviour, host.labels(), &name, &text, label));
        }
    }
    match unknown.is_empty() {
        true => Ok(host),
        false => Err(ScriptProblem::Unknown(unknown)),
    }
}

/// The sentence about a name in a script that the tree does not have.
fn unknown_name(
    behaviour: &Behaviour,
    labels: &[String],
    file: &str,
    text: &str,
    name: &str,
) -> (String, String) {
    let begins = |line: &str| {
        line.trim_start()
            .strip_prefix(name)
            .is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    let line = text.lines().position(begins).map_or(1, |index| index + 1);
    let (kind, tree) = (
        treemind_replay::follow::word_of(behaviour),
        behaviour.name(),
    );
    let known = labels.iter().map(String::as_str);
    let help = match treemind_doc::nearest_name(name, known) {
        Some(label) => format!("did you mean `{label}`?"),
        None if labels.is_empty() => "it has no conditions and no actions".to_owned(),
        None => format!("it has `{}`", labels.join("`, `")),
    };
    let sentence = format!(": {kind} `{tree}` has no condition or action `{name}`\n  help: {help}");
    (format!("{file}:{line}: "), sentence)
}
