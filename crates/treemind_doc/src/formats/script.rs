//! Scripts: written answers for the leaves of a tree, for use without a game.

use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::language::{ANSWER, answers_help};
use crate::said;
use crate::source::Source;
use std::collections::HashSet;
use std::sync::Arc;
use treemind_core::Status;

/// The answers of scripted leaves, in the order of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The name of a leaf, and its answers, one per call. The last answer repeats. There is at least one.
    pub entries: Vec<(String, Vec<Status>)>,
}

impl Script {
    /// The answers of a leaf, if it is listed.
    pub fn answers(&self, leaf: &str) -> Option<&[Status]> {
        let found = self.entries.iter().find(|(name, _)| name == leaf);
        found.map(|(_, answers)| answers.as_slice())
    }
}

/// Reads lines of the form `NAME: S F R K`; `#` begins a comment.
///
/// # Errors
/// Every mistake in the script.
pub fn parse(text: &str, name: &str) -> Result<Script, Diagnostics> {
    let source = Arc::new(Source::new(name, text));
    let mut sink = Sink::new(Arc::clone(&source));
    let mut script = Script::default();
    let mut seen = HashSet::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        if sink.is_full() {
            break;
        }
        let code = line.split('#').next().unwrap_or_default();
        // Some editors begin a file with a byte order mark.
        let trimmed = code.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let at = at + (code.len() - trimmed.len());
        let trimmed = trimmed.trim_end();
        if trimmed.is_empty() {
            continue;
        }
        if let Some((leaf, answers)) = entry(trimmed, at, &mut sink) {
            if seen.insert(leaf) {
                script.entries.push((leaf.to_owned(), answers));
            } else {
                let message = said!("`{}` already has a line", crate::syntax::shortened(leaf));
                sink.error(Code::Duplicate, at..at + leaf.len(), message)
                    .with_help(said!("write all answers of a leaf on one line"));
            }
        }
    }
    if sink.has_errors() {
        return Err(Diagnostics(sink.finish()));
    }
    Ok(script)
}

/// One line without its comment, which begins at byte `at`.
fn entry<'a>(line: &'a str, at: usize, sink: &mut Sink) -> Option<(&'a str, Vec<Status>)> {
    let Some((name, letters)) = line.split_once(':') else {
        sink.error(
            Code::ScriptSyntax,
            at..at + line.len(),
            said!("expected `:` after the name of the leaf"),
        )
        .with_help(said!("write a line such as `see-enemy: S F R`"));
        return None;
    };
    let leaf = name.trim_end();
    if leaf.is_empty() {
        sink.error(
            Code::ScriptSyntax,
            at..at + 1,
            said!("expected the name of a leaf before `:`"),
        )
        .with_help(said!("write a line such as `see-enemy: S F R`"));
        return None;
    }
    let base = at + name.len() + 1;
    let mut answers = Vec::new();
    let mut well = true;
    for word in letters.split_whitespace() {
        let offset = base + (word.as_ptr() as usize - letters.as_ptr() as usize);
        match ANSWER.meaning(word) {
            Some(answer) => answers.push(answer),
            None => {
                well = false;
                let message = said!("`{}` is not an answer", crate::syntax::shortened(word));
                sink.error(Code::ScriptSyntax, offset..offset + word.len(), message)
                    .with_help(answers_help());
            }
        }
    }
    if well && answers.is_empty() {
        let message = said!("`{}` has no answers", crate::syntax::shortened(leaf));
        sink.error(Code::ScriptSyntax, at..at + leaf.len(), message)
            .with_help(
                said!("write at least one of S, F, R and K, or remove the line: a leaf without a line always answers S"),
            );
        return None;
    }
    well.then_some((leaf, answers))
}
