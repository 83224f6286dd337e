//! Tests that documents contain, run beside what is answered.

use crate::coverage::{Mark, marks};
use crate::places::{Encoding, uri_of};
use crate::world::Stamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;
use treemind_doc::Document;
use treemind_test::{Coverage, Listed, Reached};

/// How the tests of a file ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tested {
    /// By their ids.
    pub(crate) ends: HashMap<String, End>,
    /// Which part of the document they reached, in percent.
    pub(crate) coverage: Option<f64>,
    /// The marks of what they reached, by file.
    pub(crate) marks: BTreeMap<String, Vec<Mark>>,
    /// Which texts those were.
    pub(crate) stamps: HashMap<String, Stamp>,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub(crate) struct End {
    /// Which test it was; another number when it has changed, or what it runs.
    pub(crate) fingerprint: u64,
    /// Why it failed.
    pub(crate) failure: Option<Failed>,
}

/// Why a test failed.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// What is told of a run: for the client, and to be kept.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) answer: Result<Value, String>,
    pub(crate) tested: Tested,
}

/// Runs the tests of a document with these ids; all if there are none.
pub(crate) fn run(document: &Document, ids: &[String], encoding: Encoding) -> Run {
    let fingerprints: HashMap<String, u64> = treemind_test::list(document)
        .into_iter()
        .map(|one| (one.id, one.fingerprint))
        .collect();
    let is_wanted = |one: &Listed| ids.is_empty() || ids.contains(&one.id);
    let mut reached = Reached::default();
    let mut tested = Tested::default();
    let mut told = Vec::new();
    let ran = treemind_test::run_each(document, is_wanted, &AtomicBool::new(false), |ran| {
        reached.add(&ran.reached);
        let failure = ran.outcome.failure.as_ref().map(|failure| Failed {
            line: failure.at.0,
            file: ran.outcome.file.clone(),
            text: failure.to_string(),
        });
        told.push(json!({
            "id": ran.id,
            "name": ran.outcome.name,
            "passed": ran.outcome.passed(),
            "seconds": ran.outcome.time.as_secs_f64(),
            "failure": failure.as_ref().map(|one| json!({
                "file": one.file,
                "line": one.line,
                "text": one.text,
            })),
        }));
        let fingerprint = fingerprints.get(&ran.id).copied().unwrap_or_default();
        tested.ends.insert(
            ran.id,
            End {
                fingerprint,
                failure,
            },
        );
    });
    if let Err(diagnostics) = ran {
        let first = diagnostics
            .iter()
            .find(|one| one.is_fatal() || one.is_in_test());
        let first = first.map_or_else(String::new, |one| format!(": {one}"));
        return Run {
            answer: Err(format!("the tests cannot run{first}")),
            tested,
        };
    }
    let coverage = Coverage::of(document, &reached).ok();
    let marks = coverage
        .as_ref()
        .map(|coverage| marks(document, coverage, encoding));
    let marks = marks.unwrap_or_default();
    let covered = marks.iter().map(|(name, marks)| {
        let parts: Vec<Value> = marks.iter().map(Mark::told).collect();
        json!({ "uri": uri_of(name), "parts": parts })
    });
    let covered: Vec<Value> = covered.collect();
    // Some of the tests say nothing about what no test reaches.
    let coverage = coverage.filter(|_| ids.is_empty());
    if coverage.is_some() {
        tested.marks = marks;
    }
    tested.coverage = coverage.as_ref().map(Coverage::percent);
    let missing = coverage
        .as_ref()
        .map_or(&[][..], |coverage| &coverage.uncovered);
    let missing: Vec<Value> = missing
        .iter()
        .map(|one| json!({ "in": one.subject.name(), "text": one.text }))
        .collect();
    Run {
        answer: Ok(json!({
            "tests": told,
            "coverage": tested.coverage,
            "uncovered": missing,
            "covered": covered,
        })),
        tested,
    }
}
