//! What happens in a test: values of keys, answers of leaves, events, ticks.

use super::super::line::{Line, quoted};
use super::super::literal::literal;
use super::super::reading::finish_in;
use super::labels::Takes;
use super::{Action, TestReader, seconds, whole};
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::expression::a_type;
use crate::language::{self, Spot};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use std::collections::HashSet;
use treemind_core::behaviour::{Form, LeafKind};
use treemind_core::{KeyId, Type, Value};

/// Whether a `leaf` says what is listed or measured, and not how it answers.
fn is_found(node: &Node) -> bool {
    ["items", "values"]
        .iter()
        .any(|name| node.entry(name).is_some())
}

/// As many ticks as one step may have.
const MAX_TICKS: u64 = 1_000_000;

impl TestReader<'_, '_> {
    pub(super) fn action(&mut self, node: &Node) -> Option<Action> {
        match node.name.value.as_str() {
            "leaf" if is_found(node) => self.found(node),
            "leaf" => {
                let (names, answers, by_keys) = self.answering(node, Spot::Test)?;
                Some(match by_keys {
                    Some(by_keys) => Action::AnswerBy(names, answers, by_keys.into()),
                    None => Action::Answer(names, answers),
                })
            }
            "given" => Some(Action::Given(self.given_in_test(node))),
            "given-list" => self.items(node),
            "send" => {
                let (event, values, _) = self.sent(node, Spot::Test)?;
                Some(Action::Send(event, values))
            }
            "report" => self.reported(node),
            "tick" => self.ticks(node),
            "abort" => {
                let line = Line::new(node, self.checker.sink);
                if let Some(extra) = line.values().first() {
                    let message = said!("`abort` takes no value: it aborts the whole agent");
                    let span = extra.span.clone();
                    self.checker.sink.error(Code::ExtraValue, span, message);
                }
                finish_in(line, Spot::Test, self.checker.sink);
                Some(Action::Abort)
            }
            _ => {
                let expected = self.expectation(node)?;
                Some(Action::Expect(Box::new(expected)))
            }
        }
    }

    /// `leaf NAME … items="0,0 3,4"` or `values="0.2 0.9"`
    fn found(&mut self, node: &Node) -> Option<Action> {
        let mut line = Line::new(node, self.checker.sink);
        let mut leaves = Vec::new();
        for entry in line.values() {
            let text = self.text_of(entry, &said!("this"))?;
            for name in text.value.split_whitespace() {
                leaves.push((name.to_owned(), text));
            }
        }
        if leaves.is_empty() {
            line.name(&said!("the leaf"), self.checker.sink);
            return None;
        }
        let (items, values) = (
            line.text("items", self.checker.sink),
            line.text("values", self.checker.sink),
        );
        for name in language::by_keys() {
            if let Some(entry) = line.property(name) {
                let message = said!("`{}=` is for leaves that answer", name);
                let span = entry.span.clone();
                self.checker.sink.error(Code::Contradiction, span, message);
            }
        }
        finish_in(line, Spot::Test, self.checker.sink);
        // What is no text has been reported.
        let text = items.or(values)?;
        let mut ty = None;
        for (name, text) in &leaves {
            let known = self.checker.leaves.named(name).map(|leaf| leaf.kind);
            let found = match (known, items, values) {
                (Some(LeafKind::Candidates { ty }), Some(_), None) => ty,
                (Some(LeafKind::Measure), None, Some(_)) => Type::Float,
                (None, ..) => {
                    let (what, wanted) = match items {
                        Some(_) => (said!("candidates"), "candidates"),
                        None => (said!("measure"), "measure"),
                    };
                    let all = self.checker.leaves.iter();
                    let all = all.filter(|leaf| leaf.kind.keyword() == wanted);
                    let help = suggest::did_you_mean(name, all.map(|leaf| &*leaf.name), || None);
                    let message = said!("unknown {} `{}`", what, shortened(name));
                    self.checker
                        .sink
                        .error(Code::UnknownLeaf, text.span.clone(), message)
                        .with_perhaps(help);
                    return None;
                }
                _ => {
                    let what = match items {
                        Some(_) => said!("`items=` is for leaves of the kind `candidates`"),
                        None => said!("`values=` is for measures"),
                    };
                    let message = said!("{}, and `{}` is none", what, shortened(name));
                    self.checker
                        .sink
                        .error(Code::WrongLeafKind, text.span.clone(), message)
                        .with_help(said!("`answers=` is for conditions and actions"));
                    return None;
                }
            };
            if ty.replace(found).is_some_and(|ty| ty != found) {
                let message = said!("these leaves list candidates of different types");
                self.checker
                    .sink
                    .error(Code::WrongType, text.span.clone(), message);
                return None;
            }
        }
        let values = self.words_as(text, ty?)?;
        let names = leaves.into_iter().map(|(name, _)| name).collect();
        Some(Action::Found(names, values))
    }

    /// The values of a type in a text, with spaces between them.
    fn words_as(&mut self, text: &Text, ty: Type) -> Option<Vec<Value>> {
        let value = |word: &str| -> Option<Value> {
            let parts: Option<Vec<f32>> = word.split(',').map(|part| part.parse().ok()).collect();
            match (ty, &parts?[..]) {
                (Type::Float, &[x]) => Some(Value::Float(x)),
                (Type::Vec2, &[x, y]) => Some(Value::Vec2([x, y])),
                (Type::Vec3, &[x, y, z]) => Some(Value::Vec3([x, y, z])),
                (Type::Entity, _) => word.parse().ok().map(Value::Entity),
                _ => None,
            }
        };
        let mut values = Vec::new();
        for word in text.value.split_whitespace() {
            let Some(value) = value(word) else {
                let message = said!("`{}` is not {}", shortened(word), a_type(ty));
                self.checker
                    .sink
                    .error(Code::WrongType, text.span.clone(), message)
                    .with_help(said!(
                        "separate them by spaces; a vector has commas inside: `\"0,0 3,4\"`"
                    ));
                return None;
            };
            values.push(value);
        }
        Some(values)
    }

    /// The names on a line, of which there is at least one.
    pub(super) fn names_of(&mut self, line: &Line<'_>, takes: Takes) -> Option<Vec<String>> {
        if line.values().is_empty() {
            line.name(&said!("a node"), self.checker.sink);
            return None;
        }
        let mut names = Vec::new();
        for entry in line.values() {
            let text = self.text_of(entry, &said!("this"))?;
            self.checker.scope.value_names.note_steps_in(text);
            names.extend(self.labels.read(text, takes, self.checker.sink));
        }
        (!names.is_empty()).then_some(names)
    }

    /// `given KEY=VALUE …`
    fn given_in_test(&mut self, node: &Node) -> Vec<(String, Option<Value>)> {
        let mut given = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let line = Line::new(node, self.checker.sink);
        if let [first, ..] = line.values() {
            let diagnostic = self.checker.sink.error(
                Code::ExtraValue,
                first.span.clone(),
                said!("expected `KEY=VALUE` in `given`, found a value without a key"),
            );
            if let Written::Text(text) = &first.value {
                diagnostic.with_help(said!("write `given {}=…`", quoted(&text.value)));
            }
        } else if node.entries.is_empty() {
            let message = said!("`given` sets no key");
            self.checker
                .sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!("write `given KEY=VALUE`"));
        }
        for (name, entry) in line.unread() {
            if seen.insert(&name.value) {
                given.extend(self.value_for_test(name, entry));
            }
        }
        given
    }

    /// A value for a key of what is tested; `#null` takes it away.
    pub(super) fn value_for_test(
        &mut self,
        name: &Text,
        entry: &Entry,
    ) -> Option<(String, Option<Value>)> {
        let (key, ty) = self.key_for_test(name)?;
        let what = said!("key `{}`", shortened(&name.value));
        let (scope, sink) = (&self.checker.scope, &mut *self.checker.sink);
        if entry.value == Written::Null {
            let mut keys = scope.keys.iter();
            if keys.any(|known| known.name == key && known.form.can_be_unset()) {
                return Some((key, None));
            }
            let message = said!("{} always has a value: it is not optional", what);
            sink.error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(said!("give it {}", a_type(ty)));
            return None;
        }
        let value = literal(entry, ty, &what, scope, sink).ok()?;
        Some((key, Some(value)))
    }

    /// The name in behaviours and the type of a key that a test may set.
    pub(super) fn key_for_test(&mut self, name: &Text) -> Option<(String, Type)> {
        let (id, ty) = self.known_key(name)?;
        if self.checker.scope.is_list(id) {
            let word = shortened(&name.value);
            let message = said!("`{}` is a list", word);
            self.checker
                .sink
                .error(Code::WrongType, name.span.clone(), message)
                .with_help(said!("write `given-list {} ITEM …`", word));
            return None;
        }
        Some((self.checker.scope.key(id).name.clone(), ty))
    }

    /// A key that the document or what the test runs has.
    pub(super) fn known_key(&mut self, name: &Text) -> Option<(KeyId, Type)> {
        let found = self.checker.scope.find(&name.value);
        if found.is_none() && !self.checker.scope.broken.contains(&name.value) {
            let word = shortened(&name.value);
            let names: Vec<String> = self.checker.scope.names().map(str::to_owned).collect();
            let names = names.iter().map(String::as_str);
            let help = suggest::among(&word, said!("the keys"), names, || None);
            let message = said!("`{}` has no key `{}`", shortened(&self.runs), word);
            let at = (name.value.as_str(), name.span.clone());
            self.checker
                .sink
                .missing(Code::UnknownKey, at, message)
                .with_perhaps(help);
        }
        found
    }

    /// How many items a list has room for; `None` for a key that is no list.
    pub(super) fn list_room(&mut self, id: KeyId, name: &Text) -> Result<Option<u32>, Reported> {
        let scope = &self.checker.scope;
        let Form::List { bound, .. } = *scope.form(id) else {
            return Ok(None);
        };
        if scope.key(id).mates {
            let message = said!(
                "`{}` lists the agents of the group, and a test has one agent",
                shortened(&name.value)
            );
            let sink = &mut *self.checker.sink;
            let problem = sink.error(Code::WrongType, name.span.clone(), message);
            return Err(problem.with_help(said!("remove this line: in tests the list is empty")));
        }
        Ok(Some(bound))
    }

    /// `given-list KEY ITEM …`
    fn items(&mut self, node: &Node) -> Option<Action> {
        let line = Line::new(node, self.checker.sink);
        let name = line.name(&said!("the list"), self.checker.sink);
        let items = line.values().to_vec();
        finish_in(line, Spot::Test, self.checker.sink);
        let name = name?;
        let word = shortened(&name.value);
        let (id, ty) = self.known_key(name)?;
        let room = self.list_room(id, name).ok()?;
        let (scope, sink) = (&self.checker.scope, &mut *self.checker.sink);
        let Some(bound) = room else {
            let message = said!("`{}` is not a list", word);
            sink.error(Code::WrongType, name.span.clone(), message)
                .with_help(said!("write `given {}=…`", word));
            return None;
        };
        if let Some(extra) = items.get(bound as usize + 1) {
            let message = said!("`{}` has room for {} items", word, bound);
            sink.error(Code::ExtraValue, extra.span.clone(), message);
            return None;
        }
        let what = said!("list `{}`", word);
        let items = items.iter().skip(1);
        let items = items.map(|item| literal(item, ty, &what, scope, sink).ok());
        let items: Option<Vec<Value>> = items.collect();
        Some(Action::Items(scope.key(id).name.clone(), items?))
    }

    /// `send EVENT parameter=VALUE …`; with the probability, if the line has one.
    pub(super) fn sent(
        &mut self,
        node: &Node,
        spot: Spot,
    ) -> Option<(String, Vec<Value>, Option<f64>)> {
        let mut line = Line::new(node, self.checker.sink);
        let name = line.name(&said!("the event"), self.checker.sink);
        line.only_name(self.checker.sink);
        let chance = match spot {
            Spot::Random => self.chance(&mut line),
            _ => None,
        };
        let name = name?;
        let leaves = self.checker.leaves.all.iter();
        let events = leaves.filter(|leaf| leaf.kind == LeafKind::Event);
        let Some(event) = events.clone().find(|leaf| leaf.name == name.value) else {
            let word = shortened(&name.value);
            let names = events.map(|leaf| leaf.name.as_str());
            let help = suggest::among(&word, said!("the events"), names, || {
                Some(said!("declare it in `leaves { event NAME; }`"))
            });
            let message = said!("unknown event `{}`", word);
            let at = (name.value.as_str(), name.span.clone());
            self.checker
                .sink
                .missing(Code::UnknownLeaf, at, message)
                .with_perhaps(help);
            return None;
        };
        let event = event.clone();
        let mut values = Vec::new();
        for param in &event.params {
            let what = said!("parameter `{}`", param.name);
            let value = match (line.take(&param.name), param.default) {
                (Some(entry), _) => literal(
                    entry,
                    param.ty,
                    &what,
                    &self.checker.scope,
                    self.checker.sink,
                )
                .ok(),
                (None, Some(default)) => Some(default),
                (None, None) => {
                    let message = said!("`{}` needs a value for {}", event.name, what);
                    self.checker
                        .sink
                        .error(Code::MissingParameter, node.span.clone(), message)
                        .with_help(said!("add `{}=…`", param.name));
                    None
                }
            };
            values.push(value);
        }
        if let Some(row) = spot.word(&node.name.value) {
            let params: Vec<String> = event.params.iter().map(|one| one.name.clone()).collect();
            line.finish_with(row, &params, self.checker.sink);
        }
        let values: Option<Vec<Value>> = values.into_iter().collect();
        Some((event.name, values?, chance))
    }

    /// `report NAME result=success`
    fn reported(&mut self, node: &Node) -> Option<Action> {
        let mut line = Line::new(node, self.checker.sink);
        line.only_name(self.checker.sink);
        let names = self.names_of(&line, Takes::Reported);
        let result = self.checker.read(&mut line, &language::REPORTED);
        finish_in(line, Spot::Test, self.checker.sink);
        if result == Some(None) {
            let message = said!("`report` needs a result");
            self.checker
                .sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!("add `result=success` or `result=failure`"));
        }
        let name = names?.into_iter().next()?;
        Some(Action::Report(name, result??))
    }

    /// `tick`, `tick 5 dt=0.1`
    fn ticks(&mut self, node: &Node) -> Option<Action> {
        let mut line = Line::new(node, self.checker.sink);
        let times = match line.only_value(self.checker.sink) {
            Some(entry) => whole(entry, (1, MAX_TICKS), self.checker.sink)?,
            None => 1,
        };
        let dt = seconds(&mut line, self.checker.sink);
        finish_in(line, Spot::Test, self.checker.sink);
        Some(Action::Tick(times, dt))
    }
}
