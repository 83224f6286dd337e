//! Hot reload: the document is watched, and the game continues with what it says now.

use super::{Args, unplayable};
use crate::commands::trace::{ScriptProblem, scripted};
use crate::io::{self, Failure};
use crate::watch::Watch;
use std::path::{Path, PathBuf};
use std::time::Instant;
use treemind_arena::SessionError;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Migration};
use treemind_doc::{Diagnostic, Document, Severity};

/// How many lines of a report are told in the log of the game.
const MOST_LINES: usize = 12;

/// What can continue with a changed document.
pub(super) trait Reloaded {
    /// Continues with a document, and with what it plays of it. Returns what that did, for each behaviour that is not
    /// as it was, with its name.
    fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError>;

    /// From the next reload on, leaves answer from this script.
    fn answer_from(&mut self, script: Scripted);
}

/// A document under a running game.
pub(super) struct Reloading<'a> {
    args: &'a Args,
    file: PathBuf,
    watch: Watch,
}

impl<'a> Reloading<'a> {
    pub(super) fn new(args: &'a Args, file: &Path, document: &Document) -> Self {
        Self {
            args,
            file: file.to_owned(),
            watch: Watch::new(files_of(document, args)),
        }
    }

    /// If a file has changed, continues with the new document. Returns what to tell: what that did, or why nothing has
    /// changed. Nothing if no file has changed.
    pub(super) fn look(&mut self, game: &mut impl Reloaded) -> Vec<String> {
        if !self.watch.has_changed() {
            return Vec::new();
        }
        let name = io::display_name(&self.file);
        match self.reload(game) {
            Ok(mut lines) => {
                let first = format!("reloaded {name}: {}", lines.remove(0));
                std::iter::once(first).chain(lines).collect()
            }
            Err(reasons) => {
                let first =
                    format!("not reloaded: {name} has errors, and the game continues unchanged");
                std::iter::once(first).chain(reasons).collect()
            }
        }
    }

    /// What was reloaded and what it cost, or why nothing was.
    fn reload(&mut self, game: &mut impl Reloaded) -> Result<Vec<String>, Vec<String>> {
        let begun = Instant::now();
        let of = |failure: Failure| vec![failure.sentence()];
        let document = io::document(&self.file, self.args.what.known()).map_err(of)?;
        if document.has_errors() {
            return Err(errors(document.diagnostics()));
        }
        let behaviour = match self.args.what.subject() {
            Some(subject) => document.behaviour_of(&subject),
            None => document.behaviour(None),
        };
        let behaviour = behaviour.map_err(|found| errors(&found))?;
        if let Some(script) = &self.args.script {
            game.answer_from(scripted(&behaviour, script).map_err(reasons)?);
        }
        let checked = begun.elapsed();
        let begun = Instant::now();
        let migrations = game.reload(behaviour, &document);
        let migrations = migrations.map_err(|error| of(unplayable(error)))?;
        let swapped = begun.elapsed();
        self.watch.turn_to(files_of(&document, self.args));
        // A line for each, because the log of the live view is narrow.
        let cost = [
            format!(
                "  read and checked in {:.1} ms",
                checked.as_secs_f64() * 1e3
            ),
            format!("  swapped in {:.1} ms", swapped.as_secs_f64() * 1e3),
        ];
        Ok(told(cost, &migrations))
    }
}

/// The files whose changes matter.
fn files_of(document: &Document, args: &Args) -> Vec<PathBuf> {
    let sources = document.sources();
    let sources = sources.map(|source| PathBuf::from(source.name()));
    sources.chain(args.script.clone()).collect()
}

/// Why a script does not fit, in lines.
fn reasons(problem: ScriptProblem) -> Vec<String> {
    match problem {
        ScriptProblem::Unreadable(failure) => vec![failure.sentence()],
        ScriptProblem::Wrong(diagnostics) => errors(&diagnostics),
        ScriptProblem::Unknown(names) => {
            let lines = names.iter();
            let lines = lines.map(|(place, sentence)| format!("{place}error{sentence}"));
            let lines: Vec<String> = lines.collect();
            few(lines.join("\n").lines().map(str::to_owned).collect())
        }
    }
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<String> {
    let errors = diagnostics.iter();
    let errors = errors.filter(|one| one.severity() == Severity::Error);
    let text = |error: &Diagnostic| error.to_plain().lines().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = errors.map(text).collect();
    few(lines.concat())
}

/// What a reload did, in lines: first a sentence, then what it cost.
fn told(cost: [String; 2], migrations: &[(String, Migration)]) -> Vec<String> {
    let agents = migrations.iter().flat_map(|(_, one)| one.nodes());
    let agents: usize = agents.map(|node| node.agents).sum();
    let what = match (migrations, agents) {
        ([], _) => "everything continues",
        (_, 0) => "nothing was aborted",
        _ => "what has changed was aborted",
    };
    let mut lines = Vec::new();
    for (name, migration) in migrations {
        let text = migration.to_string();
        lines.extend(text.lines().map(|line| format!("  {name}: {line}")));
    }
    let mut all = vec![what.to_owned()];
    all.extend(cost);
    all.extend(few(lines));
    all
}

fn few(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.truncate(MOST_LINES);
        lines.push(format!("  and {more} more lines"));
    }
    lines
}
