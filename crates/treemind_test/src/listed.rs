//! The tests of a document, each under an id that it keeps.

use crate::{cases, name_of};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use treemind_doc::Document;
use treemind_doc::testing::{Case, Subject, Test};

/// A test of a document, or one case of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the test, and for a case behind `#` the number of its row, from 1. It stays the same whatever is changed
    /// elsewhere.
    pub id: String,
    /// Its name, in which the values of a case stand for its columns.
    pub name: String,
    /// The file.
    pub file: String,
    /// The line of the test, or of the row of its case; from 1.
    pub line: usize,
    /// Whether the game behaves at random in it.
    pub is_random: bool,
    /// A number that differs when the test has changed, or something of what it runs. While it stays the same, the test ends
    /// as before.
    pub fingerprint: u64,
}

/// The tests of a document, and the cases of their tables, in order.
pub fn list(document: &Document) -> Vec<Listed> {
    all(document).map(|(.., listed)| listed).collect()
}

/// The same with what they are.
pub(crate) fn all(document: &Document) -> impl Iterator<Item = (&Test, Option<&Case>, Listed)> {
    let mut subjects = HashMap::new();
    document.tests().iter().flat_map(move |test| {
        let fingerprint = fingerprint(document, test, &mut subjects);
        let cases = cases(test).into_iter().enumerate();
        let cases = cases.map(move |(nth, case)| {
            let at = case.map_or(&test.span, |case| &case.span).start;
            let listed = Listed {
                id: match case {
                    Some(_) => format!("{}#{}", test.name, nth + 1),
                    None => test.name.clone(),
                },
                name: name_of(test, case),
                file: test.source.name().to_owned(),
                line: test.source.line_column(at).0,
                is_random: test.random.is_some(),
                fingerprint,
            };
            (test, case, listed)
        });
        cases.collect::<Vec<_>>()
    })
}

/// What a test says, and what it runs, as a number. It does not depend on where they are.
fn fingerprint(document: &Document, test: &Test, subjects: &mut HashMap<Subject, u64>) -> u64 {
    let mut hash = DefaultHasher::new();
    let runs = subjects.entry(test.subject.clone()).or_insert_with(|| {
        let mut hash = DefaultHasher::new();
        let behaviour = document.behaviour_of(&test.subject);
        // What stands in a behaviour has no other text that is the same each time.
        behaviour
            .map_or_else(|_| String::new(), |it| format!("{it:?}"))
            .hash(&mut hash);
        hash.finish()
    });
    runs.hash(&mut hash);
    (&test.name, test.dt.to_bits(), test.seed, test.as_planned).hash(&mut hash);
    let steps = test.steps.iter().map(|step| &step.span);
    let rules = test.rules.iter().map(|rule| &rule.span);
    let cases = test.cases.iter().flatten().map(|case| &case.span);
    for span in steps.chain(rules).chain(cases) {
        test.source.slice(span).hash(&mut hash);
    }
    let columns = test.cases.iter().flatten();
    let columns = columns.flat_map(|case| &case.cells);
    columns.for_each(|(column, _)| column.hash(&mut hash));
    format!("{:?}", test.random).hash(&mut hash);
    hash.finish()
}
