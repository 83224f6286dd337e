//! What is wrong with the open documents, as clients show it.

use crate::coverage::Mark;
use crate::places::{Encoding, Places};
use crate::testing::Tested;
use crate::world::{World, is_ours};
use gen_lsp_types::{Code, Diagnostic, DiagnosticSeverity, DiagnosticTag, Message};
use std::collections::{BTreeMap, BTreeSet};
use treemind_doc::{Document, Severity, Source};

/// The diagnostics of each file.
pub(crate) type Found = BTreeMap<String, Vec<Diagnostic>>;

/// What is wrong with the open documents, and with the files that they import. A file of several documents is wrong if it
/// is so in one of them; it has a warning if it has it in all of them.
pub(crate) fn diagnose(world: &mut World) -> Found {
    let open: Vec<String> = world
        .open_files()
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut roots: BTreeSet<String> = BTreeSet::new();
    for name in &open {
        // Many documents may share a file; those that nobody looks at are asked up to a few.
        let all = world.roots(name).into_iter().enumerate();
        let wanted = all.filter(|(nth, root)| *nth < 4 || open.contains(root));
        roots.extend(wanted.map(|(_, root)| root));
    }
    world.keep_findings(&roots);
    // Of each file, in how many documents it is, and how often each problem was found.
    let mut files: BTreeMap<String, (usize, Vec<(Diagnostic, usize)>)> = BTreeMap::new();
    for root in roots {
        for (name, found) in world.findings(&root).unwrap_or_default() {
            let (count, all) = files.entry(name.clone()).or_default();
            *count += 1;
            for one in found {
                match all.iter_mut().find(|(known, _)| known == one) {
                    Some((_, times)) => *times += 1,
                    None => all.push((one.clone(), 1)),
                }
            }
        }
    }
    let mut found: Found = files
        .into_iter()
        .map(|(name, (count, all))| {
            let is_meant = |(one, times): &(Diagnostic, usize)| {
                one.severity == Some(DiagnosticSeverity::Error) || *times == count
            };
            let all = all.into_iter().filter(is_meant).map(|(one, _)| one);
            (name, all.collect())
        })
        .collect();
    for name in open {
        let own = found.entry(name.clone()).or_default();
        if world.is_too_long(&name) {
            own.push(of_file("this text is too long; it is not looked at"));
        }
        failures(world, &name, own);
        if !world.settings.shows_coverage {
            let tested = world.tested.values();
            // In another text, the marks would be at other places.
            let is_same =
                |tested: &&Tested| tested.stamps.get(&name) == Some(&world.files.stamp(&name));
            let marks = tested
                .filter(is_same)
                .filter_map(|one| one.marks.get(&name));
            own.extend(marks.flatten().filter_map(Mark::hint));
        }
    }
    found
}

/// What is wrong with a document, file by file.
pub(crate) fn found_in(document: &Document, encoding: Encoding) -> Vec<(String, Vec<Diagnostic>)> {
    let of = |source: &Source| {
        let mut found = Vec::new();
        if is_ours(source.name(), source.text()) {
            let places = Places::new(source.text(), encoding);
            let all = document.diagnostics().iter();
            let own = all.filter(|one| one.source().name() == source.name());
            found.extend(own.map(|one| shown(&places, one)));
        }
        (source.name().to_owned(), found)
    };
    document.sources().map(of).collect()
}

/// A diagnostic of the first line of a file.
fn of_file(message: &str) -> Diagnostic {
    Diagnostic {
        severity: Some(DiagnosticSeverity::Information),
        source: Some("treemind".to_owned()),
        message: Message::String(message.to_owned()),
        ..Diagnostic::default()
    }
}

fn shown(places: &Places<'_>, one: &treemind_doc::Diagnostic) -> Diagnostic {
    let span = one.span();
    let help = one.help().map(|help| format!("\nhelp: {help}"));
    let code = one.code().to_string();
    let is_needless = matches!(
        code.as_str(),
        "T0601" | "T0603" | "T0608" | "T0609" | "T0611" | "T0811" | "T0812"
    );
    Diagnostic {
        range: places.range(span),
        severity: Some(match one.severity() {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        }),
        code: Some(Code::String(code)),
        source: Some("treemind".to_owned()),
        message: Message::String(format!("{}{}", one.message(), help.unwrap_or_default())),
        tags: is_needless.then(|| vec![DiagnosticTag::Unnecessary]),
        ..Diagnostic::default()
    }
}

/// The tests of a file that failed when they were last run, at what was not met.
fn failures(world: &World, name: &str, own: &mut Vec<Diagnostic>) {
    for tested in world.tested.values() {
        let failed = tested.ends.values().filter_map(|end| end.failure.as_ref());
        for one in failed.filter(|one| one.file == name) {
            let line = world.with_places(name, |places| {
                let text = places.text().lines().nth(one.line.saturating_sub(1));
                let blanks = text.map_or(0, |text| text.len() - text.trim_start().len());
                let length = text.map_or(0, str::len);
                let number = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
                let start = places.byte(gen_lsp_types::Position {
                    line: number(one.line.saturating_sub(1)),
                    character: 0,
                });
                places.range(start + blanks..start + length)
            });
            own.push(Diagnostic {
                range: line.unwrap_or_default(),
                severity: Some(DiagnosticSeverity::Error),
                source: Some("treemind test".to_owned()),
                message: Message::String(one.text.clone()),
                ..Diagnostic::default()
            });
        }
    }
}

/// Those of the diagnostics of a client whose code a title names in brackets at its end.
pub(crate) fn diagnosed(all: &[Diagnostic], title: &str) -> Vec<Diagnostic> {
    let has_code = |one: &&Diagnostic| match &one.code {
        Some(Code::String(code)) => title.ends_with(&format!("({code})")),
        _ => false,
    };
    all.iter().filter(has_code).cloned().collect()
}
