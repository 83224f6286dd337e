//! Nodes that compare values on the blackboard: `Switch2` to `Switch6`, and `BlackboardCheckInt` and its kin of
//! version 3.

use super::blackboard::decimal;
use super::dialect;
use super::facts::Guess;
use super::leaves::literal;
use super::nodes::{Nodes, here};
use super::ports::given;
use super::tag;
use crate::code::Code;
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

/// A side of a comparison: a key with its type, or a literal.
enum Side {
    Key(String, &'static str),
    /// With the names of enumerations that have this number, or the number of the one that it names.
    Literal(String, Vec<String>),
}

impl Nodes<'_> {
    /// `<Switch2 variable="{key}" case_1="…" case_2="…">`, with a child for each case and one for all other values.
    pub(super) fn switch(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        others: &[Attribute<'_, '_>],
        children: usize,
    ) -> Option<(Vec<Entry>, Vec<syntax::Node>)> {
        let count: usize = name["Switch".len()..].parse().unwrap_or(2);
        let port = |port: &str| given(others, port);
        let variable = port("variable");
        if children != count + 1 {
            let message = said!(
                "`{}` needs {} children, one for each case and one for all other values, and has {}",
                name,
                count + 1,
                children
            );
            let code = match children > count {
                true => Code::ExtraChildren,
                false => Code::MissingChildren,
            };
            self.sink.error(code, tag(element), message);
            return None;
        }
        let given = (1..=count).map(|nth| port(&format!("case_{nth}")));
        let given: Vec<Option<&Attribute<'_, '_>>> = given.collect();
        if variable.is_none() {
            let message = said!("`{}` has no `variable`, so its last child runs", name);
            self.sink
                .warning(Code::MissingParameter, tag(element), message)
                .with_help(said!("write `{}=\"…\"`", "variable"));
        }
        let absent = given.iter().position(Option::is_none);
        if let Some(nth) = absent.filter(|_| variable.is_some()) {
            let port = format!("case_{}", nth + 1);
            let message = said!(
                "`{}` has no `{}`, so the child for it never runs",
                name,
                port
            );
            self.sink
                .warning(Code::MissingParameter, tag(element), message)
                .with_help(said!("write `{}=\"…\"`", port));
        }
        // A literal is compared with texts and numbers alike.
        let is_key = |one: &Attribute<'_, '_>| dialect::pointer_of(*one, self.version).is_some();
        let is_computed = absent.is_some()
            || variable.is_none_or(|variable| !is_key(variable))
            || given.iter().flatten().any(|case| is_key(case))
            || variable.is_some_and(|variable| self.has_odd_case(variable, &given));
        let expression = match variable {
            // No case holds.
            None => "0".to_owned(),
            Some(variable) if is_computed => self.nth_case(variable, &given),
            Some(variable) => self.switched(variable)?,
        };
        let place = variable.map_or(at.clone(), Attribute::range_value);
        let entry = Entry::word(&expression, place);
        let leaves_open = super::blackboard::leaves_open(at);
        let mut cases = Vec::new();
        for (nth, case) in given.iter().enumerate() {
            let place = case.map_or(at.clone(), Attribute::range);
            let value = match case.filter(|_| !is_computed) {
                None => Some(Value::Int(nth as i128 + 1)),
                Some(case) => {
                    let ty = match Guess::of(case.value()) {
                        Guess::Bool => Guess::Text,
                        guess => guess,
                    };
                    literal(case.value(), Some(ty), &case.range_value())
                }
            };
            let value = Entry::value(value.unwrap_or(Value::Bad), place.clone());
            let word = Text::made("case", place.clone());
            cases.push(syntax::Node::made(word, place, vec![value]));
        }
        let word = Text::made("default", at.clone());
        cases.push(syntax::Node::made(word, at.clone(), Vec::new()));
        Some((vec![entry, leaves_open], cases))
    }

    /// Whether a key holds numbers, and a case is none of them, or it may hold a text that is spelled like a number.
    fn has_odd_case(
        &self,
        variable: &Attribute<'_, '_>,
        cases: &[Option<&Attribute<'_, '_>>],
    ) -> bool {
        let Some(raw) = dialect::pointer_of(*variable, self.version) else {
            return false;
        };
        let ty = self.facts.type_of(&self.tree, raw);
        cases
            .iter()
            .flatten()
            .any(|case| match (ty, Guess::of(case.value())) {
                _ if self.facts.enums.number(case.value()).is_some() => true,
                // An unset key is like no text.
                _ if case.value().is_empty() => true,
                ("int", guess) => guess != Guess::Int,
                // Fractions are the same within a small difference.
                ("double", guess) => guess != Guess::Int,
                // A text that is spelled so is the same, too.
                (_, Guess::Int | Guess::Double) => true,
                _ => false,
            })
    }

    /// The value of a key that a switch looks at.
    fn switched(&mut self, variable: &Attribute<'_, '_>) -> Option<String> {
        let raw = dialect::pointer_of(*variable, self.version)?;
        let tree = self.tree.clone();
        let key = self.facts.key_in(&tree, raw);
        // An unset key is no case.
        let none = match self.facts.type_of(&tree, raw) {
            "double" => "-1e308",
            "int" => "-9007199254740993",
            _ => "''",
        };
        Some(format!("if has({key}) {{ {key} }} else {{ {none} }}"))
    }

    /// Which case holds, counted from 1; 0 for none.
    fn nth_case(
        &mut self,
        variable: &Attribute<'_, '_>,
        cases: &[Option<&Attribute<'_, '_>>],
    ) -> String {
        let variable = self.side(variable);
        let mut expression = "0".to_owned();
        for (nth, case) in cases.iter().enumerate().rev() {
            let Some(case) = case else { continue };
            let same = same(&variable, &self.side(case));
            expression = format!("if {same} {{ {} }} else {{ {expression} }}", nth + 1);
        }
        expression
    }

    fn side(&mut self, attribute: &Attribute<'_, '_>) -> Side {
        match dialect::pointer_of(*attribute, self.version) {
            Some(raw) => {
                let tree = self.tree.clone();
                let key = self.facts.key_in(&tree, raw);
                Side::Key(key, self.facts.type_of(&tree, raw))
            }
            // No expression can write such a text.
            None if attribute.value().contains('\'') => {
                Side::Key(self.held_text(attribute, "any"), "any")
            }
            None => {
                let text = attribute.value();
                let same = match (self.facts.enums.number(text), dialect::double(text)) {
                    (Some(number), _) => vec![number.to_string()],
                    (None, Some(number)) => {
                        let names = self.facts.enums.names(number).into_iter();
                        names.map(str::to_owned).collect()
                    }
                    (None, None) => Vec::new(),
                };
                Side::Literal(text.to_owned(), same)
            }
        }
    }

    /// `<BlackboardCheckInt value_A="{key}" value_B="3" return_on_mismatch="FAILURE">`: its child runs as long as both
    /// are the same.
    pub(super) fn blackboard_check(
        &mut self,
        element: Node<'_, '_>,
        at: &Span,
        others: &[Attribute<'_, '_>],
    ) -> Option<Vec<syntax::Node>> {
        let (one, two) = (
            self.needed(element, others, "value_A")?,
            self.needed(element, others, "value_B")?,
        );
        let test = same(&self.side(one), &self.side(two));
        let node = |word: &str, entries: Vec<Entry>| {
            syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
        };
        let guard = |name: &str| Entry::word("true", at.clone()).named(name);
        let test = Entry::word(&test, one.range());
        let mismatch = others
            .iter()
            .find(|attribute| attribute.name() == "return_on_mismatch");
        let by_key = mismatch.and_then(|given| dialect::pointer_of(*given, self.version));
        if let Some(raw) = by_key {
            let answer = self.answer_by_key(raw, None, at);
            let never = node("check", vec![Entry::word("false", at.clone())]);
            let otherwise = node("until-success", answer).block(vec![never]);
            return Some(vec![node("check", vec![test]), here(at), otherwise]);
        }
        let otherwise = match mismatch.map_or("FAILURE", |given| given.value().trim()) {
            "FAILURE" | "" => node("fail", Vec::new()),
            "SUCCESS" => node("succeed", Vec::new()),
            "SKIPPED" => node("succeed", vec![guard("skip-if")]),
            "RUNNING" => {
                let never = node("check", vec![Entry::word("false", at.clone())]);
                node("until-success", Vec::new()).block(vec![never])
            }
            other => {
                let message = said!(
                    "expected `SUCCESS`, `FAILURE` or `RUNNING` for `return_on_mismatch`, found `{}`",
                    shortened(other)
                );
                let at = mismatch.map_or(tag(element), Attribute::range_value);
                self.sink.error(Code::BadChoice, at, message);
                return None;
            }
        };
        Some(vec![node("check", vec![test]), here(at), otherwise])
    }
}

/// An expression that says whether both sides are the same. A key without a value is like nothing.
fn same(one: &Side, two: &Side) -> String {
    match (one, two) {
        (Side::Literal(one, ones), Side::Literal(two, twos)) => {
            let numbers = (dialect::double(one), dialect::double(two));
            let same = match numbers {
                (Some(one), Some(two)) => one == two,
                _ => one == two,
            };
            let same = same || ones.contains(two) || twos.contains(one);
            same.to_string()
        }
        (Side::Key(one, a), Side::Key(two, b)) => {
            let same = match (*a, *b) {
                ("int", "int") => format!("{one} == {two}"),
                _ => format!("spelled_alike({one}, {two})"),
            };
            format!("(has({one}) && has({two}) && {same})")
        }
        (Side::Key(key, ty), Side::Literal(text, others))
        | (Side::Literal(text, others), Side::Key(key, ty)) => {
            let texts = std::iter::once(text).chain(others);
            let forms: Vec<String> = texts.flat_map(|text| forms(key, ty, text)).collect();
            match forms.is_empty() {
                true => "false".to_owned(),
                false => format!("(has({key}) && ({}))", forms.join(" || ")),
            }
        }
    }
}

/// The ways in which a key can have the value that a text says.
fn forms(key: &str, ty: &str, text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if ty == "any" && dialect::double(text).is_some() && !text.contains('\'') {
        // A text that spells the number is the same, too.
        return vec![format!("spelled_alike({key}, '{text}')")];
    }
    if dialect::double(text).is_some() {
        let (sign, digits) = text
            .strip_prefix('-')
            .map_or(("", text), |rest| ("-", rest));
        let number = format!("{sign}{}", decimal(digits));
        forms.push(match ty {
            "double" => format!("likeness({key}, {number}) == 0"),
            _ => format!("{key} == {number}"),
        });
    }
    if ty == "any" {
        if matches!(text, "true" | "false") {
            forms.push(format!("{key} == {text}"));
        }
        if !text.contains('\'') {
            forms.push(format!("{key} == '{text}'"));
        }
    }
    forms
}
