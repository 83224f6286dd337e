//! State machines in SCXML, the language of the W3C.
//!
//! A document is lowered to one machine in mode statechart; nothing here runs anything. The reader supports the part
//! of the data model that works on numbers, texts and truth values. Everything else is a diagnostic with its place.

mod chart;
mod content;
mod events;
mod exprs;
mod machine;
mod reader;
mod script;
mod states;
mod tasks;
mod texts;
mod tokens;
mod types;
#[cfg(feature = "convert")]
mod write;

pub use events::{event_named, event_values};
#[cfg(feature = "convert")]
pub(crate) use write::Own;

use crate::check::{Checked, Definition, DefinitionKind, Synchronization};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use chart::{Action, Chart, Id, for_all_actions};
use events::Events;
use machine::Builder;
use reader::{NAMESPACE, Reader, tag};
use roxmltree::Node;
use script::Script;
use std::collections::HashMap;
use tasks::Tasks;
use texts::Texts;
use types::Scope;

const DIALECT: xml::Dialect = xml::Dialect {
    documents: || said!("SCXML documents"),
    beginning: "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\">",
    namespaces: 16,
};

/// How deep elements may be nested.
const MAX_DEPTH: usize = 100;

/// A problem in a document.
#[derive(Debug)]
struct Trouble {
    code: Code,
    span: Span,
    message: Said,
    help: Option<Said>,
    /// It is a warning: the machine runs all the same.
    is_warning: bool,
}

impl Trouble {
    fn new(code: Code, span: Span, message: Said) -> Self {
        Self {
            code,
            span,
            message,
            help: None,
            is_warning: false,
        }
    }

    fn with_help(mut self, help: Said) -> Self {
        self.help = Some(help);
        self
    }

    fn with_perhaps(&mut self, help: Option<Said>) {
        self.help = help;
    }
}

/// Reads a text and checks it.
pub(crate) fn read(sink: &mut Sink) -> Checked {
    read_with(sink, |root, _, built| {
        let Built { machine, tasks } = built;
        let chart = tasks.chart;
        let definition = Definition {
            name: chart.name.clone(),
            span: tag(root),
            doc: None,
            mailbox: None,
            root: machine,
            keys: Vec::new(),
            synchronization: Synchronization::default(),
            is_held: false,
            refusal: Vec::new(),
            layout: None,
        };
        Checked {
            keys: tasks.scope.keys(),
            leaves: tasks.events.leaves.clone(),
            main: Some((DefinitionKind::Machine, chart.name.clone())),
            definitions: [Vec::new(), vec![definition], Vec::new(), Vec::new()],
            ..Checked::default()
        }
    })
    .unwrap_or_default()
}

/// Reads a text as a document of ours; nothing if there are mistakes, or if it cannot be written. All of them are
/// reported.
#[cfg(feature = "convert")]
pub(crate) fn own(sink: &mut Sink) -> Option<write::Own> {
    read_with(sink, |root, reader, built| {
        built.machine?;
        let (own, troubles) = write::own(&built.tasks, root);
        let is_whole = troubles.is_empty();
        for trouble in troubles {
            reader.report(trouble);
        }
        is_whole.then_some(own)
    })
    .flatten()
}

/// What was read.
struct Built<'c> {
    /// The machine; nothing if there are mistakes.
    machine: Option<treemind_core::Node>,
    tasks: Tasks<'c>,
}

/// Reads a text, and hands on what it says. Nothing if it is no machine.
fn read_with<T: Send>(
    sink: &mut Sink,
    then: impl Fn(Node<'_, '_>, &mut Reader<'_>, Built<'_>) -> T + Sync,
) -> Option<T> {
    let source = std::sync::Arc::clone(sink.source());
    let text = source.text();
    let scanned = xml::scan(text, &DIALECT, sink)?;
    let document = match xml::document(text) {
        Ok(document) => document,
        Err(error) => {
            xml::report(&error, text, (&scanned, &DIALECT), sink);
            return None;
        }
    };
    let (depth, deepest) = xml::depth(&document);
    if depth > MAX_DEPTH {
        let message = said!("elements are nested deeper than {}", MAX_DEPTH);
        let span = deepest.map_or(0..0, tag);
        sink.error(Code::TooDeep, span, message);
        return None;
    }
    crate::text::with_room(depth, || check(document.root_element(), &mut *sink, &then))
}

fn check<T>(
    root: Node<'_, '_>,
    sink: &mut Sink,
    then: &impl Fn(Node<'_, '_>, &mut Reader<'_>, Built<'_>) -> T,
) -> Option<T> {
    let namespace = root.tag_name().namespace();
    if root.tag_name().name() != "scxml" || namespace.is_some_and(|found| found != NAMESPACE) {
        let word = shortened(root.tag_name().name());
        let message = said!(
            "expected `<scxml>` at the beginning of an SCXML document, found `<{}>`",
            word
        );
        let help = said!("write `<scxml xmlns=\"{}\" version=\"1.0\">`", NAMESPACE);
        sink.error(Code::UnknownNode, tag(root), message)
            .with_help(help);
        return None;
    }
    let mut reader = Reader {
        sink,
        chart: Chart {
            name: "machine".to_owned(),
            ..Chart::default()
        },
        open: 0,
        unnamed: 0,
        actions: 0,
        targets: 0,
        is_late: false,
        too_many: Vec::new(),
    };
    reader.machine(root);
    let chart = std::mem::take(&mut reader.chart);
    let assignments = assignments(&chart);
    let texts = Texts::of(&chart, &assignments);
    let Some(events) = Events::of(&chart, &texts) else {
        reader.report(tasks::too_many_events(events::MAX_EVENTS, tag(root)));
        return None;
    };
    let scope = scope_of(&chart, &assignments);
    let tasks = || Tasks {
        chart: &chart,
        scope: &scope,
        events: &events,
        texts: &texts,
    };
    let (machine, troubles) = Builder::new(tasks()).build();
    for trouble in troubles {
        reader.report(trouble);
    }
    let is_good = !reader.sink.has_errors();
    let built = Built {
        machine: is_good.then_some(machine),
        tasks: tasks(),
    };
    Some(then(root, &mut reader, built))
}

/// Everything that scripts can refer to, with the types that were inferred.
fn scope_of(chart: &Chart, assignments: &[(&str, &Script)]) -> Scope {
    let states = chart.ids.iter().map(|(name, id)| match id {
        Id::State(state) => (name.clone(), Some(*state)),
        Id::History(_) => (name.clone(), None),
    });
    let states: HashMap<_, _> = states.collect();
    let mut scope = Scope::new(&chart.name, &chart.fields, states);
    for data in &chart.data {
        scope.declare(&data.name, data.value.is_none() || data.of > 0);
    }
    scope.learn(assignments);
    events::for_all_blocks(chart, &mut |block| {
        for_all_actions(block, &mut |action| {
            scope.logs |= matches!(action, Action::Log(said) if said.value.is_some());
        });
    });
    scope
}

/// The starting values of variables, and all later assignments to them.
fn assignments(chart: &Chart) -> Vec<(&str, &Script)> {
    let at_start = chart.data.iter().filter_map(|data| {
        let value = data.value.as_ref()?;
        Some((data.name.as_str(), value))
    });
    let mut assignments: Vec<(&str, &Script)> = at_start.collect();
    events::for_all_blocks(chart, &mut |block| {
        for_all_actions(block, &mut |action| {
            if let Action::Assign { name, value, .. } = action {
                assignments.push((name, value));
            }
        });
    });
    assignments
}
