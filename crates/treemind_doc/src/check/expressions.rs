//! Expressions in nodes: statements, numbers and seconds.

use super::Checker;
use super::line::Line;
use super::literal::literal;
use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::expression::{self, Fragment, Grammar, Typing};
use crate::syntax::{Entry, Text, Value as Written, shortened};
use crate::{Said, said};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Kind, Type, Value};

impl Checker<'_> {
    /// Reads the expression in a text from byte `skip` on, as type `want`.
    pub(super) fn expression(
        &mut self,
        text: &Text,
        skip: usize,
        want: Type,
    ) -> Result<Expr, Reported> {
        self.typed(Fragment::new(text, skip), Grammar::Expression, |typing| {
            typing.expression(want)
        })
    }

    /// Assigns types to a text, which was usually parsed when its names were resolved.
    fn typed<T>(
        &mut self,
        fragment: Fragment<'_>,
        grammar: Grammar,
        work: impl FnOnce(Typing<'_>) -> Result<T, Reported>,
    ) -> Result<T, Reported> {
        let parsed;
        let ast = match self.asts.get(fragment.text, grammar) {
            Some(ast) => ast,
            None => {
                parsed = expression::parse(fragment, grammar, self.sink)?;
                &parsed
            }
        };
        work(Typing::new(ast, fragment, &mut self.scope, self.sink))
    }

    /// Reads the expression in a text, of any type.
    pub(super) fn inferred_expression(
        &mut self,
        text: &Text,
        skip: usize,
    ) -> Result<Expr, Reported> {
        let fragment = Fragment::new(text, skip);
        self.typed(fragment, Grammar::Expression, |typing| typing.inferred())
    }

    /// Reads the statements of `set` and similar nodes.
    pub(super) fn statements(&mut self, entry: &Entry) -> Result<Vec<Assign>, Reported> {
        let span = entry.value_span.clone();
        let text = match &entry.value {
            Written::Text(text) => text,
            Written::Bad => return Err(self.sink.reported_before(span)),
            _ => {
                let message = said!("statements must be in quotes");
                let problem = self.sink.error(Code::WrongType, span, message);
                return Err(problem.with_help(said!("try `\"mood = calm\"`")));
            }
        };
        let fragment = Fragment::new(text, 0);
        self.typed(fragment, Grammar::Statements, |typing| typing.statements())
    }

    pub(super) fn set_node(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let unread = line.unread();
        if line.values().is_empty()
            && let Some((name, entry)) = unread
                .iter()
                .find(|(name, _)| self.scope.knows(&name.value))
        {
            line.take(&name.value);
            let message = said!("the statements of `set` must be in quotes");
            // The whole statement is in quotes, so those of a text need a backslash.
            let value = self.sink.slice(&entry.value_span).replace('"', "\\\"");
            self.sink
                .error(Code::Syntax, entry.span.clone(), message)
                .with_help(said!(
                    "write `set \"{} = {}\"`",
                    name.value,
                    shortened(&value)
                ));
            return None;
        }
        let entry = value_of(line, &said!("statements"), "set \"mood = calm\"", self.sink)?;
        let assigns = self.statements(entry).ok()?;
        Some(Kind::Set { assigns })
    }

    /// Reads a number of seconds; a literal must not be negative.
    pub(super) fn time(&mut self, entry: &Entry, what: &Said) -> Option<Expr> {
        let secs = self.number(entry, Type::Double, what).ok()?;
        if let Expr::Value(Value::Double(value)) = secs
            && value < 0.0
        {
            let message = said!("a time cannot be negative");
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        Some(secs)
    }

    /// Reads a number that is evaluated repeatedly; a literal must not be negative.
    pub(super) fn not_negative(&mut self, entry: &Entry, what: &Said) -> Option<Expr> {
        let number = self
            .asked(|checker| checker.number(entry, Type::Double, what))
            .ok()?;
        if let Expr::Value(Value::Double(value)) = number
            && value < 0.0
        {
            let message = said!("{} cannot be negative", what);
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        Some(number)
    }

    /// A literal, `"{key}"` or an expression, with or without a leading `=`.
    pub(super) fn number(
        &mut self,
        entry: &Entry,
        want: Type,
        what: &Said,
    ) -> Result<Expr, Reported> {
        let Written::Text(text) = &entry.value else {
            return literal(entry, want, what, &self.scope, self.sink).map(Expr::Value);
        };
        self.typed(Fragment::of_value(text), Grammar::Expression, |typing| {
            typing.expression(want)
        })
    }
}

/// The only value of a node; reports when there is none.
pub(super) fn value_of<'n>(
    line: &Line<'n>,
    what: &Said,
    example: &str,
    sink: &mut Sink,
) -> Option<&'n Entry> {
    if let [first, .., last] = line.values()
        && matches!(&first.value, Written::Text(text) if text.bare)
    {
        let span = first.span.start..last.span.end;
        let node = &line.node.name.value;
        let written = shortened(sink.slice(&span));
        let message = said!(
            "the value of `{}` must be in quotes, because it has spaces",
            node
        );
        sink.error(Code::ExtraValue, span, message).with_help(said!(
            "write `{} \"{}\"`",
            node,
            written
        ));
        return None;
    }
    let entry = line.only_value(sink);
    if entry.is_none() {
        let node = line.node;
        let message = said!("`{}` needs {}", node.name.value, what);
        sink.error(Code::MissingValue, node.name.span.clone(), message)
            .with_help(said!("try `{}`", example));
    }
    entry
}
