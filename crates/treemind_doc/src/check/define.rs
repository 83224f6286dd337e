//! What runs: the definitions of trees and machines, and which of them is the default.

use super::declare::{duplicate, plain_name};
use super::line::{self, Line};
use super::planner::only_used;
use super::reading::finish_in;
use super::{Checker, Definition, DefinitionKind, Layout};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::language::{self, Spot};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use std::sync::Arc;
use treemind_core::behaviour::MAILBOX_SIZES;

impl Checker<'_> {
    /// `tree NAME { ROOT }`, `machine NAME { … }`, `decide NAME { … }` or `planner NAME { … }`
    pub(super) fn define(&mut self, held: usize) {
        let node = self.graph[held].node;
        let what = self.graph[held].what;
        let called = what.called();
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the {}", called), self.sink);
        line.only_name(self.sink);
        let doc = line.doc(self.sink);
        if what == DefinitionKind::Machine {
            self.read(&mut line, &language::MODE);
        }
        if what == DefinitionKind::Planner {
            // They may name its own keys, so they are read with what is in it.
            for name in language::planner_options() {
                line.property(name);
            }
        }
        let mailbox = self.mailbox(&mut line);
        finish_in(line, Spot::Top, self.sink);
        let name = name.filter(|name| plain_name(name, &called, self.sink));
        let name = name.filter(|name| {
            let first = self.graph.named(what, &name.value);
            let first = first.filter(|first| *first != held);
            if let Some(first) = first.and_then(|first| self.graph[first].node.first_text()) {
                duplicate(name, &what.several(), &first.span, self.sink);
            }
            first.is_none()
        });
        let (mut root, keys, synchronization) = self.alone(held);
        let layout = self.graph[held].layout.take().map(|layout| Layout {
            keys: keys.clone(),
            synchronization: synchronization.clone(),
            ..layout
        });
        let mut refusal = Vec::new();
        if self.graph[held].states {
            root = None;
            refusal = only_decides(node, self.sink);
        }
        if self.graph[held].lacks_goals {
            root = None;
            refusal = only_used(node, self.sink);
        }
        if let Some(name) = name {
            self.definitions[what as usize].push(Definition {
                name: name.value.clone(),
                span: name.span.clone(),
                doc,
                mailbox,
                root,
                keys,
                synchronization,
                is_held: false,
                refusal,
                layout: layout.map(Arc::new),
            });
        }
    }

    /// `mailbox=EVENTS`
    fn mailbox(&mut self, line: &mut Line<'_>) -> Option<usize> {
        let entry = line.property("mailbox")?;
        let events = match &entry.value {
            Written::Int(events) => usize::try_from(*events).ok(),
            Written::Bad => return None,
            _ => None,
        };
        let events = events.filter(|events| MAILBOX_SIZES.contains(events));
        if events.is_none() {
            let (least, most) = (MAILBOX_SIZES.start(), MAILBOX_SIZES.end());
            let message = said!(
                "expected a whole number of events from {} to {}",
                least,
                most
            );
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message)
                .with_help(said!(
                    "write `mailbox=64` for agents that keep 64 events until their next tick"
                ));
        }
        events
    }

    /// `main tree=NAME`, `main machine=NAME`, `main decide=NAME` or `main planner=NAME`
    pub(super) fn main(&mut self, nodes: &[Node]) -> Option<(DefinitionKind, String)> {
        // Only the file's own `main` counts. The `main` of an imported file is for running that file alone.
        let own = |node: &&Node| node.name.value == "main" && self.sink.is_own(&node.span);
        let mut mains = nodes.iter().filter(own).collect::<Vec<_>>().into_iter();
        let node = mains.next()?;
        for other in mains {
            let message = said!("a document has only one `main`");
            self.sink
                .error(Code::Duplicate, other.span.clone(), message);
        }
        let mut line = Line::new(node, self.sink);
        if let Some(entry) = line.values().first() {
            let diagnostic = self.sink.error(
                Code::ExtraValue,
                entry.span.clone(),
                said!("`main` takes no value without a name"),
            );
            if let Written::Text(text) = &entry.value {
                let is_named =
                    |what: &DefinitionKind| self.graph.named(*what, &text.value).is_some();
                let what = DefinitionKind::ALL.into_iter().find(is_named);
                let word = what.unwrap_or(DefinitionKind::Tree).word();
                let name = line::quoted(&text.value);
                diagnostic.with_help(said!("write `main {}={}`", word, name));
            }
            return None;
        }
        if !node.children().is_empty() {
            let message = said!("`main` takes no block");
            self.sink
                .error(Code::ExtraChildren, node.span.clone(), message);
        }
        let given = DefinitionKind::ALL.map(|what| (what, line.property(what.word())));
        let unread = line.unread().len();
        finish_in(line, Spot::Top, self.sink);
        let mut given = given
            .into_iter()
            .filter_map(|(what, entry)| Some((what, entry?)));
        let Some((what, entry)) = given.next() else {
            if unread == 0 {
                let message = said!("`main` does not say what runs");
                self.sink
                    .error(Code::MissingValue, node.span.clone(), message)
                    .with_help(said!("write `main tree=NAME`"));
            }
            return None;
        };
        if let Some((_, second)) = given.next() {
            let message = said!("`main` runs only one thing, and this is a second one");
            self.sink
                .error(Code::Contradiction, second.span.clone(), message)
                .with_help(said!("remove one of the two"));
            return None;
        }
        self.runs(what, entry)
    }

    /// The tree, machine or decision tree that a property names.
    pub(super) fn runs(
        &mut self,
        what: DefinitionKind,
        entry: &Entry,
    ) -> Option<(DefinitionKind, String)> {
        let kind = what.called();
        let Written::Text(text) = &entry.value else {
            if !matches!(entry.value, Written::Bad) {
                let message = said!("`{}=` must be the name of a {}", what.word(), kind);
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message);
            }
            return None;
        };
        if let Some(held) = self.graph.named(what, &text.value) {
            if self.graph[held].lacks_goals && self.graph.is_only_steps() {
                let message = said!("this planner has no goal, so it cannot run");
                self.sink
                    .error(Code::MissingChildren, text.span.clone(), message)
                    .with_help(said!("add one: `goal NAME wants=\"EXPRESSION\"`"));
            }
            return Some((what, text.value.clone()));
        }
        self.nothing_named(what, text);
        None
    }

    /// Reports a name that no definition has.
    fn nothing_named(&mut self, what: DefinitionKind, text: &Text) {
        let kind = what.called();
        let word = shortened(&text.value);
        let names = self.definitions[what as usize].iter();
        let names = names.map(|definition| definition.name.as_str());
        let help = suggest::among(&word, said!("the {}", what.several()), names, || None);
        let message = said!("unknown {} `{}`", kind, word);
        let at = (text.value.as_str(), text.span.clone());
        self.sink
            .missing(what.unknown(), at, message)
            .with_perhaps(help);
    }
}

/// Why a decision tree that leads to states cannot run alone.
fn only_decides(node: &Node, sink: &mut Sink) -> Vec<Diagnostic> {
    let mut sink = sink.fresh();
    let message =
        said!("this decision tree leads to states, so it only runs in a transition with `decide=`");
    sink.error(Code::MisplacedNode, node.span.clone(), message)
        .with_help(said!("run the machine instead"));
    sink.finish()
}
