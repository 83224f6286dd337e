//! Diagnostics on standard error.

use super::{display_name, is_stdin, tell};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use treemind_doc::{Diagnostic, Severity};

/// Shows diagnostics on standard error: on a terminal with the source, otherwise in a line or two each.
pub(crate) fn show(diagnostics: &[Diagnostic]) {
    let is_fancy = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut err = anstream::stderr().lock();
    for diagnostic in diagnostics {
        let mut text = String::new();
        if !is_fancy || is_on_long_line(diagnostic) || fancy(diagnostic, &mut text).is_err() {
            text = diagnostic.to_plain();
        }
        let _ = err.write_all(text.as_bytes());
    }
}

/// Whether the line of a diagnostic is too long to be shown.
fn is_on_long_line(diagnostic: &Diagnostic) -> bool {
    const MOST_BYTES: usize = 1_000;
    let (line, _) = diagnostic.line_column();
    let text = diagnostic.source().line(line);
    text.is_some_and(|text| text.len() > MOST_BYTES)
}

/// How many problems a command shows if it does not have to show all of them.
const SHOWN: usize = 10;

/// Shows the first problems, errors before warnings, and says how many more there are; `all` says how to see the rest.
pub(crate) fn show_first(diagnostics: &[Diagnostic], all: &str) {
    if diagnostics.len() <= SHOWN {
        return show(diagnostics);
    }
    let mut sorted = diagnostics.to_vec();
    sorted.sort_by_key(|diagnostic| diagnostic.severity() != Severity::Error);
    show(&sorted[..SHOWN]);
    let more = diagnostics.len() - SHOWN;
    tell(format!("… and {more} more{all}"));
}

/// Asks whether a file with errors is a document at all, if its name does not look like one.
pub(crate) fn tell_if_foreign(path: &Path) {
    let is_document = path.extension().is_some_and(|extension| {
        let endings = ["kdl", "json", "xml", "scxml", "csv"];
        endings
            .iter()
            .any(|ending| extension.eq_ignore_ascii_case(ending))
    });
    if !is_stdin(path) && !is_document {
        let name = display_name(path);
        tell(format!(
            "note: is {name} a document? Those end in `.kdl` or `.json`, or in `.xml` when they are BehaviorTree.CPP's"
        ));
    }
}

fn fancy(diagnostic: &Diagnostic, text: &mut String) -> std::fmt::Result {
    let mut rendered = String::new();
    miette::GraphicalReportHandler::new().render_report(&mut rendered, diagnostic)?;
    writeln!(text, "{rendered}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use treemind_doc::Document;

    #[test]
    fn on_a_terminal_the_source_is_shown() {
        let document = Document::parse("tree guard {\n    actoin attack\n}\n", "guard.kdl");
        let mut text = String::new();
        fancy(&document.diagnostics()[0], &mut text).expect("writing to a string");
        for part in [
            "guard.kdl:2:5",
            "    actoin attack",
            "help",
            "did you mean `action`?",
        ] {
            assert!(text.contains(part), "{part} is missing:\n{text}");
        }
    }

    #[test]
    fn the_source_that_is_shown_commands_nothing_and_is_underlined_where_it_is_wrong() {
        let text = "tree guard { /* \u{9b}2J\u{84} */ actoin attack; }\r\n";
        let document = Document::parse(text, "gu\u{1b}ard.kdl");
        let theme = miette::GraphicalTheme::unicode_nocolor();
        let mut shown = String::new();
        miette::GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .render_report(&mut shown, &document.diagnostics()[0])
            .expect("writing to a string");
        let bad = shown.find(|c: char| c.is_control() && !matches!(c, '\n' | '\r'));
        assert_eq!(bad, None, "{shown:?}");
        let column = |line: &str, word: &str| {
            let at = line.find(word).expect("a word");
            line[..at].chars().count()
        };
        let lines: Vec<&str> = shown.lines().collect();
        let at = lines.iter().position(|line| line.contains("actoin attack"));
        let at = at.expect("the line is shown");
        assert!(lines[at].contains("/* \\u{9b}2J\\u{84} */"), "{shown}");
        assert_eq!(
            column(lines[at], "actoin"),
            column(lines[at + 1], "─"),
            "{shown}"
        );
    }

    #[test]
    fn the_first_page_shows_a_document_and_what_a_typo_in_it_gives() {
        let page = include_str!("../../../../README.md").replace("\r\n", "\n");
        let block = |begin: &str| {
            let after = page.split_once(begin).expect("the block is there").1;
            after
                .split_once("```")
                .expect("and has an end")
                .0
                .to_owned()
        };
        let text = block("```kdl\n");
        let document = Document::parse(&text, "guard.kdl");
        assert!(
            document.diagnostics().is_empty(),
            "{:?}",
            document.diagnostics()
        );
        let typo = text.replace(
            "condition see-enemy\n            ",
            "condition see-enemi\n            ",
        );
        assert_ne!(typo, text);
        let document = Document::parse(&typo, "guard.kdl");
        let theme = miette::GraphicalTheme::unicode_nocolor();
        let mut shown = String::new();
        for diagnostic in document.diagnostics() {
            miette::GraphicalReportHandler::new_themed(theme.clone())
                .render_report(&mut shown, diagnostic)
                .expect("writing to a string");
        }
        shown.push_str("\n1 file checked: 1 error, no warnings\n");
        assert_eq!(block("```console\n$ treemind check guard.kdl\n"), shown);
    }
}
