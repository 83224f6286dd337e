//! `test`: what happens to an agent, and what is expected of it.

mod answering;
mod cases;
mod expectations;
mod labels;
mod model;
mod random;
mod steps;

pub use model::{
    Action, ByKeys, Case, Choice, Condition, Expectation, Random, Rule, RuleKind, Step, Subject,
    Test, Values,
};

use super::declare::is_new;
use super::line::Line;
use super::reading::finish_in;
use super::{Archetype, Checker, DefinitionKind, stranger};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{ANSWER, Spot, answers_help};
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use labels::{Labels, Takes};
use std::collections::HashMap;
use std::sync::Arc;
use treemind_core::Status;

/// What a test takes when it says nothing else.
const STEP_SECS: f64 = 0.1;

/// Reads the tests of the file itself; those of imported files belong to them.
pub(super) fn read(
    checker: &mut Checker<'_>,
    nodes: &[Node],
    archetypes: &[Archetype],
    main: Option<&(DefinitionKind, String)>,
) -> Vec<Test> {
    let mut names = HashMap::new();
    let mut tests = Vec::new();
    for node in nodes.iter().filter(|node| node.name.value == "test") {
        if checker.sink.is_full() {
            break;
        }
        if !checker.sink.is_own(&node.span) {
            continue;
        }
        let test = test(checker, node, archetypes, main);
        let name = node.first_text();
        if name.is_none_or(|name| is_new(&mut names, name, &said!("tests"), checker.sink)) {
            tests.extend(test);
        }
    }
    tests
}

/// `test NAME tree=TREE { … }`
fn test(
    checker: &mut Checker<'_>,
    node: &Node,
    archetypes: &[Archetype],
    main: Option<&(DefinitionKind, String)>,
) -> Option<Test> {
    let before = checker.sink.error_count();
    let mut line = Line::new(node, checker.sink);
    let name = match line.only_value(checker.sink).map(|entry| &entry.value) {
        Some(Written::Text(name)) => Some(name),
        Some(Written::Bad) => None,
        _ => {
            let message = said!("a test needs a sentence that says what it shows");
            let span = node.name.span.clone();
            checker
                .sink
                .error(Code::MissingValue, span, message)
                .with_help(said!(
                    "write `test \"flees when it is hurt\" tree=NAME { … }`"
                ));
            None
        }
    };
    line.doc(checker.sink);
    let dt = seconds(&mut line, checker.sink);
    let seed = line.property("seed");
    let seed = seed.map_or(Some(0), |entry| whole(entry, (0, u64::MAX), checker.sink));
    let as_planned = line.flag("as-planned", checker.sink);
    let subject = subject(checker, &mut line, archetypes, main);
    finish_in(line, Spot::Top, checker.sink);
    let (subject, what, runs) = subject?;
    let held = checker.graph.named(what, &runs)?;
    let mut definitions = checker.definitions[what as usize].iter();
    let definition = definitions.find(|one| one.name == runs);
    // While something else has a mistake, the trees that it holds are not in their places, nor are their names.
    let is_whole = checker.is_placed || checker.graph[held].uses.is_empty();
    let labels = Labels::new(definition.filter(|_| is_whole), &checker.leaves.all);
    let empty = Test {
        name: name.map(|name| name.value.clone()).unwrap_or_default(),
        source: Arc::clone(checker.sink.locate(&node.span).0),
        span: local(name.map_or(&node.span, |name| &name.span), checker.sink),
        subject,
        dt: dt.unwrap_or(STEP_SECS),
        seed: seed.unwrap_or(0),
        as_planned,
        steps: Vec::new(),
        rules: Vec::new(),
        cases: None,
        random: None,
        questions: Vec::new(),
        keys: Vec::new(),
        enums: Vec::new(),
    };
    let ((mut test, labels), keys, questions) = checker.with_questions(held, |checker| {
        let mut reader = TestReader {
            checker,
            labels,
            runs,
            test: empty,
        };
        for step in node.children() {
            if reader.checker.sink.is_full() {
                break;
            }
            reader.step(step);
        }
        (reader.test, reader.labels)
    });
    for asked in questions {
        let (name, takes) = (asked.name, Takes::NodesAndStates);
        labels.knows(&name, asked.span, takes, checker.sink);
        test.questions.push((asked.question, name));
    }
    test.keys = keys;
    test.enums.clone_from(&checker.scope.enums);
    if checker.sink.error_count() == before {
        judge(&test, node, checker.sink);
    }
    Some(test)
}

/// A test that expects nothing, or in which no time passes, shows nothing.
fn judge(test: &Test, node: &Node, sink: &mut Sink) {
    let expects = |step: &Step| matches!(step.action, Action::Expect(_));
    let ticks = |step: &Step| matches!(step.action, Action::Tick(..));
    let mut cases = test.cases.iter().flatten();
    let is_table = test.cases.is_some();
    let expects = test.steps.iter().any(expects) || cases.any(|case| case.expected.is_some());
    let expects_nothing = test.rules.is_empty() && !expects;
    let problem = if expects_nothing {
        (
            said!("this test expects nothing"),
            said!("add `expect …`, `never …`, `always \"…\"` or `eventually \"…\"`"),
        )
    } else if test.random.is_none() && !is_table && !test.steps.iter().any(ticks) {
        (
            said!("no time passes in this test"),
            said!("add `tick` before what it expects"),
        )
    } else {
        return;
    };
    let mut found = sink.error(Code::MissingChildren, node.name.span.clone(), problem.0);
    found.expects_nothing = expects_nothing;
    found.with_help(problem.1);
}

/// What a test runs: its own property, or what `main` names.
fn subject(
    checker: &mut Checker<'_>,
    line: &mut Line<'_>,
    archetypes: &[Archetype],
    main: Option<&(DefinitionKind, String)>,
) -> Option<(Subject, DefinitionKind, String)> {
    let mut given = Vec::new();
    for what in DefinitionKind::ALL {
        given.extend(line.property(what.word()).map(|entry| (Some(what), entry)));
    }
    given.extend(line.property("archetype").map(|entry| (None, entry)));
    if let [_, (_, second), ..] = &given[..] {
        let message = said!("a test runs only one thing, and this is a second one");
        checker
            .sink
            .error(Code::Contradiction, second.span.clone(), message)
            .with_help(said!("remove one of the two"));
        return None;
    }
    match (given.first(), main) {
        (Some((Some(what), entry)), _) => {
            let (what, name) = checker.runs(*what, entry)?;
            Some((Subject::new(what, name.clone()), what, name))
        }
        (Some((None, entry)), _) => {
            let found = archetype(entry, archetypes, checker.sink)?;
            let (what, name) = found.runs.clone();
            Some((Subject::Archetype(found.name.clone()), what, name))
        }
        (None, Some((what, name))) => {
            Some((Subject::new(*what, name.clone()), *what, name.clone()))
        }
        (None, None) => {
            let message = said!("this test does not say what it runs");
            let span = line.node.name.span.clone();
            checker
                .sink
                .error(Code::MissingValue, span, message)
                .with_help(said!(
                    "add `tree=NAME`, `machine=NAME`, `decide=NAME`, `planner=NAME` or `archetype=NAME`"
                ));
            None
        }
    }
}

fn archetype<'a>(
    entry: &Entry,
    archetypes: &'a [Archetype],
    sink: &mut Sink,
) -> Option<&'a Archetype> {
    let name = text_of(entry, &said!("`archetype`"), sink)?;
    let found = archetypes.iter().find(|one| one.name == name.value);
    if found.is_none() {
        let word = shortened(&name.value);
        let names = archetypes.iter().map(|one| one.name.as_str());
        let help = suggest::among(&word, said!("the archetypes"), names, || None);
        let message = said!("unknown archetype `{}`", word);
        let at = (name.value.as_str(), name.span.clone());
        sink.missing(Code::UnknownArchetype, at, message)
            .with_perhaps(help);
    }
    found
}

/// Reads the steps of a test.
struct TestReader<'r, 's> {
    checker: &'r mut Checker<'s>,
    labels: Labels,
    /// The name of the definition that runs.
    runs: String,
    test: Test,
}

impl TestReader<'_, '_> {
    fn step(&mut self, node: &Node) {
        let word = node.name.value.as_str();
        let Some(row) = Spot::Test.word(word) else {
            stranger(
                node,
                &said!("in a test"),
                &Spot::Test.list(),
                self.checker.sink,
            );
            return;
        };
        if let (Some(inner), true) = (node.children().first(), row.holds().is_empty()) {
            let message = said!("`{}` takes no block", word);
            let span = inner.span.clone();
            self.checker.sink.error(Code::ExtraChildren, span, message);
        }
        match word {
            "table" if self.test.cases.is_some() => second(node, self.checker.sink),
            "random" if self.test.random.is_some() => second(node, self.checker.sink),
            "table" => self.test.cases = Some(self.cases(node)),
            "random" => self.test.random = self.random(node),
            "never" | "always" | "eventually" => {
                let rule = self.rule(node);
                self.test.rules.extend(rule);
            }
            _ => {
                if let Some(action) = self.action(node) {
                    let span = self.local(&node.span);
                    self.test.steps.push(Step { span, action });
                }
            }
        }
    }

    /// A span in its own file.
    fn local(&self, span: &Span) -> Span {
        local(span, self.checker.sink)
    }

    fn text_of<'n>(&mut self, entry: &'n Entry, what: &Said) -> Option<&'n Text> {
        text_of(entry, what, self.checker.sink)
    }
}

fn local(span: &Span, sink: &Sink) -> Span {
    sink.locate(span).1
}

fn second(node: &Node, sink: &mut Sink) {
    let message = said!("a test has only one `{}`", node.name.value);
    sink.error(Code::Duplicate, node.name.span.clone(), message);
}

/// An entry as a text; reports anything else.
fn text_of<'n>(entry: &'n Entry, what: &Said, sink: &mut Sink) -> Option<&'n Text> {
    match &entry.value {
        Written::Text(text) => Some(text),
        Written::Bad => None,
        _ => {
            let message = said!("{} must be a name", what);
            sink.error(Code::WrongType, entry.value_span.clone(), message);
            None
        }
    }
}

/// `dt=`
fn seconds(line: &mut Line<'_>, sink: &mut Sink) -> Option<f64> {
    let entry = line.property("dt")?;
    let secs = decimal(entry, sink)?;
    // More would not fit the clock.
    if !(0.0..=1e9).contains(&secs) {
        let message = said!("`dt` is a number of seconds from 0 to 1000000000");
        sink.error(Code::BadNumber, entry.value_span.clone(), message);
        return None;
    }
    Some(secs)
}

fn decimal(entry: &Entry, sink: &mut Sink) -> Option<f64> {
    match &entry.value {
        Written::Int(value) => Some(*value as f64),
        Written::Decimal(value, _) => Some(*value),
        Written::Bad => None,
        _ => {
            let message = said!("expected a number");
            sink.error(Code::WrongType, entry.value_span.clone(), message);
            None
        }
    }
}

/// A whole number within limits.
fn whole(entry: &Entry, (least, most): (u64, u64), sink: &mut Sink) -> Option<u64> {
    let value = match entry.value {
        Written::Bad => return None,
        Written::Int(value) => u64::try_from(value).ok(),
        _ => None,
    };
    let value = value.filter(|value| (least..=most).contains(value));
    if value.is_none() {
        let message = said!("expected a whole number from {} to {}", least, most);
        sink.error(Code::BadNumber, entry.value_span.clone(), message);
    }
    value
}

/// Answers such as `S F R`, with spaces between them.
fn answers(text: &Text, sink: &mut Sink) -> Option<Vec<Status>> {
    let mut all = Vec::new();
    for word in text.value.split_whitespace() {
        let Some(status) = ANSWER.meaning(word) else {
            let message = said!("`{}` is not an answer", shortened(word));
            sink.error(Code::BadChoice, text.span.clone(), message)
                .with_help(answers_help());
            return None;
        };
        all.push(status);
    }
    if all.is_empty() {
        let message = said!("there is no answer");
        sink.error(Code::MissingValue, text.span.clone(), message)
            .with_help(answers_help());
        return None;
    }
    Some(all)
}
