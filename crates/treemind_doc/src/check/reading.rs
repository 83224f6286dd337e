//! Reads the line of a node according to the language table.

use super::Checker;
use super::expressions::value_of;
use super::line::Line;
use super::tree::About;
use crate::Said;
use crate::diagnostic::Sink;
use crate::language::{Form, Property, Read, Spot};
use crate::syntax::{Entry, Node, Text};
use treemind_core::behaviour::{LogPart, Score};
use treemind_core::{Expr, KeyId, LabelId, SemaphoreId, Type};

pub(super) struct Reading<'r, 'c, 'n> {
    checker: &'r mut Checker<'c>,
    line: &'r mut Line<'n>,
    children: &'r [About],
}

impl<'r, 'c, 'n> Reading<'r, 'c, 'n> {
    pub(super) fn new(
        checker: &'r mut Checker<'c>,
        line: &'r mut Line<'n>,
        children: &'r [About],
    ) -> Self {
        Self {
            checker,
            line,
            children,
        }
    }
}

impl Checker<'_> {
    /// Reads a property of a node that is checked by special code.
    pub(super) fn read<F: Form>(
        &mut self,
        line: &mut Line<'_>,
        property: &Property<F>,
    ) -> Option<F::Value> {
        property.read(&mut Reading::new(self, line, &[]))
    }
}

/// Reports every unread property of a node in this kind of place.
pub(super) fn finish_in(line: Line<'_>, spot: Spot, sink: &mut Sink) {
    if let Some(word) = spot.word(&line.node.name.value) {
        line.finish(word, sink);
    }
}

impl<'n> Read<'n> for Reading<'_, '_, 'n> {
    fn node(&self) -> &'n Node {
        self.line.node
    }

    fn sink(&mut self) -> &mut Sink {
        self.checker.sink
    }

    fn children(&self) -> usize {
        self.children.len()
    }

    fn property(&mut self, name: &str) -> Option<&'n Entry> {
        self.line.property(name)
    }

    fn flag(&mut self, name: &str) -> bool {
        self.line.flag(name, self.checker.sink)
    }

    fn value(&mut self, what: &Said, example: &str) -> Option<&'n Entry> {
        value_of(self.line, what, example, self.checker.sink)
    }

    fn no_values(&mut self) {
        self.line.no_values(self.checker.sink);
    }

    fn number(&mut self, entry: &Entry, want: Type, what: &Said) -> Option<Expr> {
        self.checker.number(entry, want, what).ok()
    }

    fn time(&mut self, entry: &Entry, what: &Said) -> Option<Expr> {
        self.checker.time(entry, what)
    }

    fn not_negative(&mut self, entry: &Entry, what: &Said) -> Option<Expr> {
        self.checker.not_negative(entry, what)
    }

    fn test(&mut self, text: &Text) -> Option<Expr> {
        let skip = usize::from(text.value.starts_with('='));
        self.checker.expression(text, skip, Type::Bool).ok()
    }

    fn has_key(&self, name: &str) -> bool {
        self.checker.scope.knows(name)
    }

    fn key(&mut self) -> Option<KeyId> {
        self.checker.scope.key_of(self.line, self.checker.sink)
    }

    fn key_to_unset(&mut self) -> Option<KeyId> {
        self.checker
            .scope
            .key_to_unset(self.line, self.checker.sink)
    }

    fn interrupted(&mut self) -> Option<LabelId> {
        self.checker.interrupted(self.line)
    }

    fn interruptible(&mut self) -> Option<LabelId> {
        self.checker.interruptible(self.line)
    }

    fn semaphore(&mut self) -> Option<SemaphoreId> {
        self.checker.scope.semaphore(self.line, self.checker.sink)
    }

    fn log(&mut self, text: &Text) -> Option<Vec<LogPart>> {
        self.checker.scope.parts_of(text, self.checker.sink)
    }

    fn weights(&self) -> Option<Vec<Expr>> {
        self.children
            .iter()
            .map(|child| child.weight.as_deref().cloned())
            .collect()
    }

    fn scores(&self) -> Option<Vec<Score>> {
        self.children
            .iter()
            .map(|child| child.score.as_deref().cloned())
            .collect()
    }
}
