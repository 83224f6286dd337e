//! `leaf NAME … answers="S F"`: how leaves answer, by a list and by keys.

use super::super::line::Line;
use super::super::reading::finish_in;
use super::labels::Takes;
use super::model::ByKeys;
use super::{TestReader, answers};
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::language::{self, Spot};
use crate::said;
use crate::syntax::{Entry, Node, Span};
use std::sync::Arc;
use treemind_core::{Behaviour, Kind, Status, Type};

impl TestReader<'_, '_> {
    /// `leaf NAME … answers="S F" succeed-if="EXPR" on-success="STATEMENTS"`: the names, the list, and what depends on
    /// keys, if something does.
    pub(super) fn answering(
        &mut self,
        node: &Node,
        spot: Spot,
    ) -> Option<(Vec<String>, Vec<Status>, Option<ByKeys>)> {
        let mut line = Line::new(node, self.checker.sink);
        let names = self.names_of(&line, Takes::Answering);
        let given = match line.has("answers") {
            true => line.text("answers", self.checker.sink),
            false => {
                let message = said!("`leaf` needs `answers=`");
                let problem =
                    self.checker
                        .sink
                        .error(Code::MissingValue, node.span.clone(), message);
                let conditions = language::ANSWERED_IF.iter();
                problem.with_help(match conditions.clone().any(|(name, _)| line.has(name)) {
                    true => {
                        said!("add the answer for when no condition holds, such as `answers=\"F\"`")
                    }
                    false => language::answers_help(),
                });
                None
            }
        };
        let given = given.and_then(|text| answers(text, self.checker.sink));
        let by_keys = match spot {
            Spot::Test => self.by_keys(&mut line),
            _ => Ok(None),
        };
        finish_in(line, spot, self.checker.sink);
        Some((names?, given?, by_keys.ok()?))
    }

    /// The conditions and statements on a line.
    fn by_keys(&mut self, line: &mut Line<'_>) -> Result<Option<ByKeys>, Reported> {
        let mut by_keys = ByKeys {
            each_run: line.flag("each-run", self.checker.sink),
            ..ByKeys::default()
        };
        let mut mistake = None;
        for (name, status) in language::ANSWERED_IF {
            let Some(entry) = line.property(name) else {
                continue;
            };
            let read = self.aside(entry, |reader| {
                let expr = reader
                    .checker
                    .asked(|checker| checker.number(entry, Type::Bool, &said!("`{}`", name)))?;
                Ok(Kind::Check { expr })
            });
            match read {
                Ok(read) => by_keys.conditions.push((status, read)),
                Err(problem) => mistake = Some(problem),
            }
        }
        for (name, after) in language::CARRIED_OUT {
            let Some(entry) = line.property(name) else {
                continue;
            };
            let read = self.aside(entry, |reader| {
                let assigns = reader.checker.statements(entry)?;
                Ok(Kind::Set { assigns })
            });
            match read {
                Ok(read) => by_keys.statements.push((after, read)),
                Err(problem) => mistake = Some(problem),
            }
        }
        match mistake {
            Some(problem) => Err(problem),
            None => Ok((!by_keys.is_empty()).then_some(by_keys)),
        }
    }

    /// A node that is carried out beside the agent, with copies of its keys.
    fn aside(
        &mut self,
        entry: &Entry,
        read: impl FnOnce(&mut Self) -> Result<Kind, Reported>,
    ) -> Result<Arc<Behaviour>, Reported> {
        let before = self.checker.scope.asked.as_ref().map_or(0, Vec::len);
        let kind = read(self)?;
        let asked = self.checker.scope.asked.iter().flatten().nth(before);
        let span = entry.value_span.clone();
        if let Some(asked) = asked {
            // What runs is known when the tick is over.
            let at: Span = asked.span.clone();
            let message = said!("what a leaf answers cannot depend on what runs");
            let problem = self.checker.sink.error(Code::UnknownFunction, at, message);
            return Err(problem.with_help(said!("ask for the keys that the tree writes")));
        }
        let scope = &self.checker.scope;
        match super::model::aside(&self.runs, &scope.keys, &scope.enums, kind) {
            Ok(behaviour) => Ok(Arc::new(behaviour)),
            Err(why) => {
                let message = said!("a leaf of a test cannot do this: {}", why);
                let problem = self.checker.sink.error(Code::NotYet, span, message);
                Err(problem.reported())
            }
        }
    }
}
