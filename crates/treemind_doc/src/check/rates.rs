//! Curves with names, and `rate`.

use super::Checker;
use super::curve::Parameters;
use super::leaf::key_in_braces;
use super::line::Line;
use crate::code::Code;
use crate::expression::{a_type, is_function};
use crate::language::Spot;
use crate::said;
use crate::suggest;
use crate::syntax::{Node, Text, Value as Written, shortened};
use treemind_core::expr::NamedCurve;
use treemind_core::{KeyId, Kind, Type};

impl Checker<'_> {
    /// `curve NAME from=0.0 to=1.0 shape=linear …`
    pub(super) fn named_curve(&mut self, node: &Node) {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the curve"), self.sink);
        line.only_name(self.sink);
        line.doc(self.sink);
        let read = Parameters::new(&mut line, self.sink).named();
        if let Some(word) = Spot::Top.word("curve") {
            line.finish(word, self.sink);
        }
        let Some(text) = name else { return };
        let called = text.value.replace('-', "_");
        let is_name = called.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !called.starts_with(|c: char| c.is_numeric());
        let message = if !is_name {
            Some(said!(
                "the name of a curve has letters, digits, `_` and `-`, and begins with a letter"
            ))
        } else if is_function(&called) {
            Some(said!("`{}` is a function already", called))
        } else {
            None
        };
        if let Some(message) = message {
            self.sink.error(Code::BadName, text.span.clone(), message);
            return;
        }
        let mut known = self.scope.curves.iter();
        if known.any(|curve| curve.name.replace('-', "_") == called) {
            let message = said!("the curve `{}` is defined twice", shortened(&text.value));
            self.sink.error(Code::Duplicate, text.span.clone(), message);
            return;
        }
        // After a mistake, it is known all the same, so that its uses are not reported.
        let (curve, from, to) = read.unwrap_or((
            treemind_core::Curve::Linear {
                slope: 1.0,
                offset: 0.0,
            },
            0.0,
            1.0,
        ));
        self.scope.curves.push(NamedCurve {
            name: text.value.clone(),
            from,
            to,
            curve,
        });
    }

    /// `rate "{key}" combine=… { consider …; }`
    pub(super) fn rate(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let key = self.rated_key(line);
        let weight = self.own_weight(line);
        let score = self.combined(line, weight);
        let (key, score) = (key?, Box::new(score?));
        Some(Kind::Rate { key, score })
    }

    fn rated_key(&mut self, line: &Line<'_>) -> Option<KeyId> {
        let entry = line.only_value(self.sink);
        let name = match entry.map(|entry| &entry.value) {
            Some(Written::Bad) => return None,
            value => value.and_then(key_in_braces),
        };
        let Some((text, name)) = name else {
            let span = entry.map_or(line.node.name.span.clone(), |entry| entry.span.clone());
            let message = said!("`rate` needs a key in braces, which it writes");
            self.sink
                .error(Code::MissingValue, span, message)
                .with_help(said!("write `rate \"{threat}\" { … }`"));
            return None;
        };
        self.real_key(text, name, ("rate", "a score"))
    }

    /// A key that a node can write a `float` to, named in braces.
    pub(super) fn real_key(
        &mut self,
        text: &Text,
        name: &str,
        (node, what): (&str, &str),
    ) -> Option<KeyId> {
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return None;
        };
        let word = shortened(name);
        let refusal = if self.scope.is_list(key) {
            said!("a list")
        } else if let Some(why) = self.scope.why_not_written(key, name) {
            why
        } else if !matches!(ty, Type::Float | Type::Double) {
            a_type(ty)
        } else {
            return Some(key);
        };
        let message = said!("`{}` cannot write to `{}`: it is {}", node, word, refusal);
        let help = suggest::either(&["float", "double"]);
        self.sink
            .error(Code::WrongType, text.span.clone(), message)
            .with_help(said!("{} needs a key of type {}", what, help));
        None
    }
}
