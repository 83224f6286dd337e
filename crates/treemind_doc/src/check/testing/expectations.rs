//! What is expected of an agent: after ticks, and in the whole test.

use super::super::line::Line;
use super::super::machine::words;
use super::super::reading::finish_in;
use super::labels::Takes;
use super::{Condition, Expectation, Rule, RuleKind, TestReader, whole};
use crate::code::Code;
use crate::language::{self, STATUSES, Spot, Words};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use treemind_core::behaviour::LeafKind;
use treemind_core::{Expr, Status, Type, Value};

/// Within as many ticks as this something may be expected.
const MAX_WITHIN: u64 = 1_000_000;

impl TestReader<'_, '_> {
    /// `expect running active=NAME …`
    pub(super) fn expectation(&mut self, node: &Node) -> Option<Expectation> {
        let mut line = Line::new(node, self.checker.sink);
        let before = self.checker.sink.error_count();
        let status = match line.only_value(self.checker.sink) {
            Some(entry) => self.status(entry),
            None => None,
        };
        let (labels, sink) = (&self.labels, &mut *self.checker.sink);
        let value_names = &self.checker.scope.value_names;
        let mut list = |property: &str, takes| {
            let text = line.text(property, sink);
            text.map_or(Vec::new(), |text| {
                value_names.note_steps_in(text);
                labels.read(text, takes, sink)
            })
        };
        let mut expected = Expectation {
            status,
            active: list("active", Takes::NodesAndStates),
            inactive: list("inactive", Takes::NodesAndStates),
            ran: list("ran", Takes::Nodes),
            started: list("started", Takes::Nodes),
            stopped: list("stopped", Takes::Nodes),
            chosen: list("chosen", Takes::Nodes),
            ..Expectation::default()
        };
        expected.outcome = self.checker.read(&mut line, &language::OUTCOME).flatten();
        // A name that is not known has been reported.
        if expected.outcome.is_some() && node.entry("stopped").is_none() {
            let message = said!("`outcome=` says how an action stopped, and no action is named");
            self.checker
                .sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!("add `stopped=NAME`"));
        }
        let fired = line.text("fired", self.checker.sink);
        expected.fired = fired.map_or(Vec::new(), |text| self.rules_in(text));
        let emitted = line.text("emitted", self.checker.sink);
        expected.emitted = emitted.map_or(Vec::new(), |text| self.events_in(text));
        if let Some(text) = line.text("that", self.checker.sink) {
            expected.that = self.condition(text);
        }
        self.of_plans(&mut line, &mut expected);
        expected.fault = line.flag("fault", self.checker.sink);
        self.keys_of_others(&mut line);
        let is_empty = node.entries.is_empty();
        finish_in(line, Spot::Test, self.checker.sink);
        if is_empty {
            let message = said!("this `expect` expects nothing");
            self.checker
                .sink
                .error(Code::MissingValue, node.span.clone(), message)
                .with_help(said!(
                    "write `expect running`, `expect active=NAME` or `expect that=\"health < 20\"`"
                ));
        }
        (self.checker.sink.error_count() == before).then_some(expected)
    }

    /// Reports keys that are written as properties: what they hold is part of `that=`.
    fn keys_of_others(&mut self, line: &mut Line<'_>) {
        for (name, entry) in line.unread() {
            if !self.checker.scope.knows(&name.value) {
                continue;
            }
            let key = &name.value;
            let test = match &entry.value {
                Written::Bool(true) => key.clone(),
                Written::Bool(false) => format!("!{key}"),
                Written::Int(value) => format!("{key} == {value}"),
                Written::Decimal(_, value) => format!("{key} == {value}"),
                Written::Null => format!("!has({key})"),
                Written::Text(_) => format!("{key} == …"),
                Written::Bad => continue,
            };
            line.take(key);
            let message = said!("`{}` has no property `{}`", "expect", shortened(key));
            self.checker
                .sink
                .error(Code::UnknownProperty, name.span.clone(), message)
                .with_help(said!(
                    "it is a key: write `that={}`",
                    format!("{:?}", shortened(&test))
                ));
        }
    }

    /// `plan=`, `goal=`, `plan-cost=` and `no-plan=`
    fn of_plans(&mut self, line: &mut Line<'_>, expected: &mut Expectation) {
        let (labels, sink) = (&self.labels, &mut *self.checker.sink);
        let value_names = &self.checker.scope.value_names;
        let mut list = |property: &'static str, takes| {
            let entry = line.property(property)?;
            if takes == Takes::Goals && !matches!(entry.value, Written::Text(_) | Written::Bad) {
                let message = said!("`{}` must be the name of a goal", property);
                sink.error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("name the goal: `{}=kill`", property));
                return None;
            }
            let text = line.text(property, sink);
            text.map(|text| {
                value_names.note_steps_in(text);
                labels.read(text, takes, sink)
            })
        };
        expected.plan = list("plan", Takes::Steps);
        expected.goal = list("goal", Takes::Goals).and_then(|goals| goals.into_iter().next());
        expected.no_plan = list("no-plan", Takes::Goals).unwrap_or_default();
        if let Some(entry) = line.property("plan-cost") {
            let cost = self
                .checker
                .number(entry, Type::Double, &said!("`plan-cost`"));
            match cost {
                Ok(Expr::Value(Value::Double(cost))) => expected.plan_cost = Some(cost),
                Ok(_) => {
                    let message = said!("`plan-cost` must be a number, not an expression");
                    let span = entry.value_span.clone();
                    self.checker.sink.error(Code::WrongType, span, message);
                }
                Err(_) => {}
            }
        }
    }

    fn status(&mut self, entry: &Entry) -> Option<Status> {
        let word = match &entry.value {
            Written::Text(text) => text.value.as_str(),
            Written::Bad => return None,
            _ => "",
        };
        let status = STATUSES.meaning(word).flatten();
        if status.is_none() {
            let words = STATUSES.words();
            let near = suggest::nearest(word, words.iter().copied());
            let message = said!("the answer of the root is {}", suggest::either(&words));
            self.checker
                .sink
                .error(Code::BadChoice, entry.value_span.clone(), message)
                .with_perhaps(near.map(suggest::meant));
        }
        status
    }

    /// The names of rules in a text.
    fn rules_in(&mut self, text: &Text) -> Vec<String> {
        let known = self.checker.rule_names.iter().cloned();
        let known: Vec<String> = known.collect();
        let mut rules = Vec::new();
        for (word, span) in words(text) {
            if known.iter().any(|name| name == word) {
                rules.push(word.to_owned());
                continue;
            }
            let shown = shortened(word);
            let names = known.iter().map(String::as_str);
            let help = suggest::among(&shown, said!("the rules"), names, || None);
            let message = said!("unknown rule `{}`", shown);
            self.checker
                .sink
                .error(Code::UnknownNode, span, message)
                .with_perhaps(help);
        }
        rules
    }

    fn events_in(&mut self, text: &Text) -> Vec<String> {
        let mut events = Vec::new();
        for (word, span) in words(text) {
            let leaves = self.checker.leaves.all.iter();
            let all = leaves.filter(|leaf| leaf.kind == LeafKind::Event);
            let names = all.map(|leaf| leaf.name.as_str());
            if names.clone().any(|name| name == word) {
                events.push(word.to_owned());
                continue;
            }
            let shown = shortened(word);
            let help = suggest::among(&shown, said!("the events"), names, || None);
            let message = said!("unknown event `{}`", shown);
            self.checker
                .sink
                .error(Code::UnknownLeaf, span, message)
                .with_perhaps(help);
        }
        events
    }

    /// The condition in a text.
    pub(super) fn condition(&mut self, text: &Text) -> Option<Condition> {
        let skip = usize::from(text.value.starts_with('='));
        let expr = self
            .checker
            .asked(|checker| checker.expression(text, skip, Type::Bool));
        Some(Condition {
            span: self.local(&text.span),
            text: text.value[skip..].to_owned(),
            expr: expr.ok()?,
        })
    }

    /// `never NAME …`, `always "EXPR"` or `eventually "EXPR" within=TICKS`
    pub(super) fn rule(&mut self, node: &Node) -> Option<Rule> {
        let mut line = Line::new(node, self.checker.sink);
        let word = node.name.value.as_str();
        let kind = match word {
            "never" => {
                let names = self.names_of(&line, Takes::NodesAndStates);
                names.map(RuleKind::Never)
            }
            _ => {
                let entry = line.only_value(self.checker.sink);
                let text = match entry.map(|entry| &entry.value) {
                    Some(Written::Text(text)) => Some(text),
                    Some(Written::Bad) => None,
                    _ => {
                        let message = said!("`{}` needs an expression", word);
                        self.checker
                            .sink
                            .error(Code::MissingValue, node.name.span.clone(), message)
                            .with_help(said!("write `{} \"health > 0\"`", word));
                        None
                    }
                };
                let condition = text.and_then(|text| self.condition(text));
                match word {
                    "always" => condition.map(RuleKind::Always),
                    _ => self.within(&mut line, condition),
                }
            }
        };
        finish_in(line, Spot::Test, self.checker.sink);
        let span = self.local(&node.span);
        kind.map(|kind| Rule { span, kind })
    }

    fn within(&mut self, line: &mut Line<'_>, condition: Option<Condition>) -> Option<RuleKind> {
        let Some(entry) = line.property("within") else {
            let message = said!("`eventually` does not say within how many ticks");
            self.checker
                .sink
                .error(Code::MissingValue, line.node.span.clone(), message)
                .with_help(said!("add `within=50`"));
            return None;
        };
        let within = whole(entry, (1, MAX_WITHIN), self.checker.sink)?;
        Some(RuleKind::Eventually(condition?, within))
    }
}
