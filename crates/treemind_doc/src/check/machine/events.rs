//! The events that transitions wait for and states defer, and what is known of their parameters.

use super::super::Checker;
use super::super::declare::with_article;
use super::super::leaves::Leaves;
use super::super::line::{Line, quoted};
use super::super::reading::finish_in;
use super::Draft;
use super::state_names::words;
use crate::check::leaf::called;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{Frame, KeyScope, Local};
use crate::language::Spot;
use crate::names::is_meant;
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use treemind_core::behaviour::{Key, LeafKind, Mode, StateIndex, Trigger};
use treemind_core::{KeyId, LeafId};

impl Checker<'_> {
    /// The events that `on=` names, in the order of their declaration; `None` when there is a mistake in it.
    pub(super) fn heard(&mut self, entry: &Entry) -> Option<Vec<LeafId>> {
        let Written::Text(text) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("`on` must be the name of an event");
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message);
            }
            return None;
        };
        self.events(text)
    }

    /// The events that some patterns match: a name, the part of a name before a dot, or `*` for all.
    pub(in crate::check) fn events(&mut self, text: &Text) -> Option<Vec<LeafId>> {
        let before = self.sink.error_count();
        let mut found: Vec<LeafId> = Vec::new();
        let patterns = words(text);
        if patterns.is_empty() {
            let message = said!("expected the name of an event");
            self.sink
                .error(Code::MissingValue, text.span.clone(), message);
        }
        for (pattern, span) in patterns {
            if self.sink.is_full() {
                return None;
            }
            self.spend(self.leaves.len());
            let fitting =
                self.leaves.iter().enumerate().filter(|(_, leaf)| {
                    leaf.kind == LeafKind::Event && is_meant(pattern, &leaf.name)
                });
            let fitting: Vec<LeafId> = fitting.map(|(index, _)| LeafId::new(index)).collect();
            if fitting.is_empty() {
                self.leaves.no_event(pattern, span, self.sink);
            }
            found.extend(fitting);
        }
        found.sort_unstable();
        found.dedup();
        self.awaited_events.extend(&found);
        (self.sink.error_count() == before).then_some(found)
    }

    /// `defer "PATTERN"`
    pub(super) fn defer(&mut self, draft: &mut Draft<'_>, node: &Node, state: StateIndex) {
        let line = Line::new(node, self.sink);
        let values = line.values().to_vec();
        finish_in(line, Spot::State, self.sink);
        if draft.machine.mode == Mode::Statechart {
            let message = said!("a statechart cannot defer events: it takes them one by one");
            self.sink
                .error(Code::Contradiction, node.span.clone(), message)
                .with_help(said!("remove it, or use `mode=alarm`"));
            return;
        }
        if values.is_empty() {
            let message = said!("`defer` needs the names of events");
            self.sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!("try `defer noise`, or `defer \"*\"` for all"));
        }
        for entry in values {
            let events = match &entry.value {
                Written::Text(text) => self.events(text),
                Written::Bad => None,
                _ => {
                    let message = said!("expected the name of an event in `defer`");
                    self.sink
                        .error(Code::WrongType, entry.span.clone(), message);
                    None
                }
            };
            let defers = &mut draft.machine.states[state].defers;
            defers.extend(events.unwrap_or_default());
            defers.sort_unstable();
            defers.dedup();
        }
    }

    /// Makes `event.NAME` visible: the parameters of an event. They get keys, whose names begin with this label and the
    /// event's name.
    pub(in crate::check) fn hear(&mut self, label: &str, event: Option<LeafId>) -> Heard {
        let leaf = event.map(|event| &self.leaves[event.index()]);
        let leaf = leaf.filter(|leaf| !leaf.params.is_empty());
        let (Some(event), Some(leaf)) = (event, leaf) else {
            return Heard::Keys(Vec::new());
        };
        let params = leaf.params.clone();
        let symbols = self.leaves.symbols[event.index()].clone();
        let prefix = self.key_names.prefix(&format!("{label}.{}", leaf.name));
        let mut frame = Frame::new(String::new(), true);
        let mut keys = Vec::with_capacity(params.len());
        for (param, symbol) in params.into_iter().zip(symbols) {
            let name = format!("{prefix}.{}", param.name);
            let key = self.scope.add_key(Key {
                doc: param.doc,
                ..Key::new(name, param.ty.zero())
            });
            let local = Local {
                key,
                is_read_only: true,
            };
            frame.insert(format!("event.{}", param.name), &[symbol], local);
            keys.push(key);
        }
        self.scope.push(frame);
        Heard::Keys(keys)
    }

    /// As [`hear`](Self::hear) for an event in which there is a mistake, which is reported: its parameters are not
    /// reported again.
    pub(in crate::check) fn hear_nothing(&mut self) -> Heard {
        Heard::Unclear(self.scope.broken.insert("event".to_owned()))
    }

    /// Makes `event.NAME` visible in a transition, if it waits for only one event and may read a parameter of it.
    pub(super) fn hear_trigger(
        &mut self,
        draft: &Draft<'_>,
        trigger: Option<&Trigger>,
        waits: bool,
        node: &Node,
    ) -> Heard {
        let event = match trigger {
            None if waits => return self.hear_nothing(),
            Some(Trigger::Event(events)) if events.len() == 1 && speaks_of_event(node) => {
                Some(events[0])
            }
            _ => None,
        };
        self.hear(&draft.machine.states[0].name, event)
    }
}

impl Leaves {
    fn no_event(&self, pattern: &str, span: Span, sink: &mut Sink) {
        let word = shortened(pattern);
        let events = self.iter().filter(|leaf| leaf.kind == LeafKind::Event);
        let events = events.map(|leaf| leaf.name.as_str());
        let help = match self.named(pattern) {
            Some(other) => {
                let kind = called(other.kind.keyword());
                Some(said!("`{}` is declared as {}", word, with_article(&kind)))
            }
            None => suggest::among(&word, said!("the events"), events, || {
                Some(match pattern {
                    "*" => said!("try `leaves { event noise; }`"),
                    _ => said!("declare it: `leaves { event {}; }`", quoted(pattern)),
                })
            }),
        };
        let message = match pattern {
            "*" => said!("this document declares no events"),
            _ => said!("unknown event `{}`", word),
        };
        let at = (pattern, span);
        sink.missing(Code::UnknownLeaf, at, message)
            .with_perhaps(help);
    }
}

impl KeyScope {
    /// Hides the event again after what speaks of it has been read. Answers the keys that receive its parameters.
    pub(in crate::check) fn unhear(&mut self, heard: Heard) -> Vec<KeyId> {
        match heard {
            Heard::Keys(keys) => {
                if !keys.is_empty() {
                    self.pop();
                }
                keys
            }
            Heard::Unclear(is_new) => {
                if is_new {
                    self.broken.remove("event");
                }
                Vec::new()
            }
        }
    }
}

/// What is known of the event that a transition or node waits for.
pub(in crate::check) enum Heard {
    /// The keys of its parameters, if something may read one.
    Keys(Vec<KeyId>),
    /// Nothing, because there is a mistake; whether this mistake is new.
    Unclear(bool),
}

/// Whether a node, or something in it, may read a parameter of an event.
pub(in crate::check) fn speaks_of_event(node: &Node) -> bool {
    let speaks = |entry: &Entry| matches!(&entry.value, Written::Text(text) if text.value.contains("event."));
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if node.entries.iter().any(speaks) {
            return true;
        }
        pending.extend(node.children());
    }
    false
}
