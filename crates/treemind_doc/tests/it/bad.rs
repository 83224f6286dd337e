//! Each bad document has its expected diagnostics in a file beside it. `UPDATE_EXPECTED=1` writes these files.

use std::collections::BTreeSet;
use std::fs;
use treemind_doc::{Code, Document, Said, Severity};

fn stems(extension: &str) -> BTreeSet<String> {
    fs::read_dir(super::fixtures().join("bad"))
        .expect("the folder of bad documents")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// The stems of all documents, KDL, XML, SCXML and JSON, with their file names.
fn documents() -> Vec<(String, String)> {
    ["kdl", "xml", "scxml", "json"]
        .iter()
        .flat_map(|ending| {
            let with_name = move |stem: String| (format!("{stem}.{ending}"), stem);
            stems(ending).into_iter().map(with_name)
        })
        .map(|(file, stem)| (stem, file))
        .collect()
}

/// A bad document; its imports are in the same folder.
fn read(file: &str) -> Document {
    let bytes = |path: &str| fs::read(super::fixtures().join("bad").join(path));
    let load = |path: &str| bytes(path).map_err(|_| "there is no such file");
    Document::read_with(&bytes(file).expect("a document"), file, load)
}

fn rendered(file: &str) -> String {
    read(file)
        .diagnostics()
        .iter()
        .map(treemind_doc::Diagnostic::to_plain)
        .collect()
}

#[test]
fn bad_documents_say_what_is_expected() {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let documents = documents();
    assert!(
        documents.len() >= 30,
        "only {} bad documents",
        documents.len()
    );
    let mut different = Vec::new();
    for (stem, file) in &documents {
        let path = super::fixtures()
            .join("bad")
            .join(format!("{stem}.expected"));
        let found = rendered(file);
        assert!(!found.is_empty(), "{stem} has nothing wrong with it");
        if update {
            fs::write(&path, &found).expect("a written expectation");
        } else {
            let expected = fs::read_to_string(&path).unwrap_or_default();
            if expected.replace("\r\n", "\n") != found {
                different.push(format!(
                    "--- {stem}: expected\n{expected}--- {stem}: found\n{found}"
                ));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn no_expectation_is_an_orphan() {
    let all = documents();
    let documents: BTreeSet<String> = all.iter().map(|(stem, _)| stem.clone()).collect();
    assert_eq!(documents.len(), all.len(), "stems are distinct");
    let expectations = stems("expected");
    let orphans: Vec<&String> = documents.symmetric_difference(&expectations).collect();
    assert!(orphans.is_empty(), "without a partner: {orphans:?}");
}

#[test]
fn errors_keep_a_document_from_running_and_warnings_do_not() {
    for (stem, file) in documents() {
        let document = read(&file);
        let errors = document
            .diagnostics()
            .iter()
            .any(|item| item.severity() == Severity::Error);
        assert_eq!(document.has_errors(), errors);
        if !document.can_run() {
            let refused = document.behaviour(None).expect_err("errors block");
            assert_eq!(&refused[..], document.diagnostics(), "{stem}");
        } else {
            // Mistakes in tests keep only the tests from running.
            assert_eq!(document.ok_with_tests().is_err(), errors, "{stem}");
            assert!(document.behaviour(None).is_ok(), "{stem}");
        }
    }
}

#[test]
fn codes_are_distinct_and_nearly_all_have_a_document() {
    let all: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(all.len(), Code::ALL.len());
    let shown: String = documents().iter().map(|(_, file)| rendered(file)).collect();
    // Other tests cover the codes of scripts, of floods, of files that are not text, of formats that are switched off,
    // of several documents together, and of defects.
    let elsewhere = [
        Code::NotText,
        Code::TooDeep,
        Code::TooLarge,
        Code::UnknownArchetype,
        Code::ScriptSyntax,
        Code::TooMany,
        Code::NoForm,
        Code::NoFeature,
        Code::SharedAlone,
        Code::Table,
        Code::Internal,
    ];
    for code in Code::ALL.iter().filter(|code| !elsewhere.contains(code)) {
        assert!(
            shown.contains(code.as_str()),
            "{code} ({}) is in no bad document",
            code.title()
        );
    }
}

#[test]
fn spans_lie_within_the_text() {
    for (stem, file) in documents() {
        let bytes = fs::read(super::fixtures().join("bad").join(&file)).expect("a document");
        for item in Document::read(&bytes, &file).diagnostics() {
            let text = item.source().text();
            assert!(text.get(item.span()).is_some(), "{stem}: {item:?}");
        }
    }
}

/// What a place of a test takes is a sentence too, so that it is read in the reader's language.
#[test]
fn what_a_test_lacks_is_said_in_parts() {
    let text = "leaves { action go; }\ntree t { action go; }\ntest \"a\" tree=t { tick; expect active=flee; }\n";
    let document = Document::parse(text, "a.kdl");
    let mut found = document.diagnostics().iter().map(|one| one.said().clone());
    let Some(Said::Sentence { with, .. }) =
        found.find(|said| said.to_string().contains("has no leaf"))
    else {
        panic!("{:?}", document.diagnostics());
    };
    assert!(matches!(with[0], Said::Sentence { .. }), "{with:?}");
}
