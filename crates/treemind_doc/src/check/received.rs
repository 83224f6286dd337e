//! `received` and `wait-for-event`: which events an agent looks for, and which keys receive what they say.

use super::Checker;
use super::leaf::{Given, key_in_braces, key_of_other_type};
use super::line::Line;
use super::machine::speaks_of_event;
use crate::code::Code;
use crate::expression::{SENDER, of_any};
use crate::language::{WHERE, Word};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Text, Value as Written, shortened};
use treemind_core::behaviour::{Awaited, EventPart, Key, Param};
use treemind_core::{KeyId, Kind, LeafId, Type};

impl Checker<'_> {
    /// `received PATTERN where="EXPR" PARAMETER="{key}"`, or `wait-for-event`.
    pub(super) fn received(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let name = line.name(&said!("the event"), self.sink);
        line.only_name(self.sink);
        let events = name.and_then(|name| self.events(name));
        let event = events.as_deref().and_then(|events| match events {
            [event] => Some(*event),
            _ => None,
        });
        let has_mistake = event.is_some_and(|event| self.leaves.is_broken(event));
        let said = line.has(WHERE.name) && speaks_of_event(line.node);
        let heard = match &events {
            None => self.hear_nothing(),
            Some(_) => self.hear(word.name, event.filter(|_| said && !has_mistake)),
        };
        let sender = said.then(|| self.sender_key(word.name)).flatten();
        self.scope.sender = sender;
        let test = self.guard(line, WHERE.name);
        self.scope.sender = None;
        let shown = self.scope.unhear(heard);
        let given = self.leaves.given(line, word, event, self.sink);
        let (name, events) = (name?, events?);
        let bound = match event {
            _ if has_mistake => None,
            Some(event) => self.bound_to_one(name, event, given),
            None => self.bound_to_many(name, &given),
        };
        let shown = shown.into_iter().enumerate();
        let shown = shown.map(|(param, key)| (EventPart::Param(param), key));
        let sender = sender.map(|key| (EventPart::Sender, key));
        let awaited = Box::new(Awaited {
            events,
            shown: shown.chain(sender).collect(),
            test: test.ok()?,
            bound: bound?,
        });
        let waits = word.name == "wait-for-event";
        Some(Kind::Received { awaited, waits })
    }

    /// A key for `event.sender`.
    fn sender_key(&mut self, label: &str) -> Option<KeyId> {
        let name = self.key_names.prefix(&format!("{label}.{SENDER}"));
        Some(self.scope.add_key(Key::new(name, Type::Entity.zero())))
    }

    /// Keys cannot receive what one of several events says, but who has sent it.
    fn bound_to_many(&mut self, name: &Text, given: &Given<'_>) -> Option<Vec<(EventPart, KeyId)>> {
        let is_sender = |(name, _): &&(&Text, _)| name.value == SENDER;
        let Some((param, _)) = given.iter().find(|one| !is_sender(one)) else {
            let senders = given.iter().filter_map(|(_, entry)| *entry);
            let keys = senders.map(|entry| self.receiving_key(&sender_param(), entry));
            return keys.map(|key| Some((EventPart::Sender, key?))).collect();
        };
        let message = said!(
            "`{}` stands for several events, so `{}` is not known",
            shortened(&name.value),
            shortened(&param.value)
        );
        self.sink
            .error(Code::UnknownParameter, param.span.clone(), message)
            .with_help(said!("name one event, and write a node for each"));
        None
    }

    /// `PARAMETER="{key}"`: the keys that receive the parameters.
    fn bound_to_one(
        &mut self,
        name: &Text,
        event: LeafId,
        given: Given<'_>,
    ) -> Option<Vec<(EventPart, KeyId)>> {
        let params = self.leaves[event.index()].params.clone();
        let mut bound = Some(Vec::new());
        let mut seen = vec![false; params.len()];
        for (param, entry) in given {
            let found = params.iter().position(|known| known.name == param.value);
            if found.is_none() && param.value == SENDER {
                let key = entry.and_then(|entry| self.receiving_key(&sender_param(), entry));
                match (&mut bound, key) {
                    (Some(bound), Some(key)) => bound.push((EventPart::Sender, key)),
                    _ => bound = None,
                }
                continue;
            }
            let Some(index) = found else {
                self.no_such_part(name, param, &params);
                bound = None;
                continue;
            };
            if std::mem::replace(&mut seen[index], true) {
                let message = said!("parameter `{}` is given twice", params[index].name);
                self.sink
                    .error(Code::Duplicate, param.span.clone(), message);
                bound = None;
                continue;
            }
            let key = entry.and_then(|entry| self.receiving_key(&params[index], entry));
            match (&mut bound, key) {
                (Some(bound), Some(key)) => bound.push((EventPart::Param(index), key)),
                _ => bound = None,
            }
        }
        bound
    }

    fn no_such_part(&mut self, event: &Text, name: &Text, params: &[Param]) {
        let word = shortened(&name.value);
        let names = params.iter().map(|param| param.name.as_str());
        let help = suggest::did_you_mean(&word, names.clone().chain([WHERE.name, SENDER]), || {
            Some(match params {
                [] => said!("declare a parameter in `leaves`: this event has none"),
                _ => said!("its parameters are {}", suggest::listed(names)),
            })
        });
        let message = said!("`{}` has no parameter `{}`", shortened(&event.value), word);
        self.sink
            .error(Code::UnknownParameter, name.span.clone(), message)
            .with_perhaps(help);
    }

    /// The key in braces that receives a parameter.
    fn receiving_key(&mut self, param: &Param, entry: &Entry) -> Option<KeyId> {
        let name = match &entry.value {
            Written::Bad => return None,
            value => key_in_braces(value),
        };
        let Some((text, name)) = name else {
            let message = said!(
                "`{}` must be a key in braces, which receives it",
                param.name
            );
            self.sink
                .error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(said!(
                    "write `{}=\"{KEY}\"`; to compare it, use `where=\"event.{} == …\"`",
                    param.name,
                    param.name
                ));
            return None;
        };
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return None;
        };
        let word = shortened(name);
        let refusal = if self.scope.is_list(key) {
            Some(said!("a list"))
        } else {
            self.scope.why_not_written(key, name)
        };
        if let Some(refusal) = refusal {
            let message = said!("cannot write to `{}`, which is {}", word, refusal);
            self.sink.error(Code::WrongType, text.span.clone(), message);
            return None;
        }
        if param.ty != ty && !param.ty.widens_to(ty) {
            let what = said!("parameter `{}`", param.name);
            let message = key_of_other_type(name, ty, &what, param.ty);
            let diagnostic = self.sink.error(Code::WrongType, text.span.clone(), message);
            if param.ty == Type::Any {
                diagnostic.with_help(of_any());
            }
            return None;
        }
        Some(key)
    }
}

/// The sender, as if it were a parameter.
fn sender_param() -> Param {
    Param {
        name: SENDER.to_owned(),
        ty: Type::Entity,
        default: None,
        by_key: false,
        doc: None,
    }
}
