//! `table COLUMN … { row VALUE …; }`: cases, each of which runs the test once.

use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::stranger;
use super::labels::Takes;
use super::{Action, Case, Step, TestReader, answers};
use crate::code::Code;
use crate::language::Spot;
use crate::said;
use crate::syntax::{Entry, Node, Text, shortened};

/// The column with the name of what is expected.
const EXPECT: &str = "expect";

impl TestReader<'_, '_> {
    pub(super) fn cases(&mut self, table: &Node) -> Vec<Case> {
        let line = Line::new(table, self.checker.sink);
        let mut columns: Vec<&Text> = Vec::new();
        for entry in line.values() {
            if let Some(text) = self.text_of(entry, &said!("a column")) {
                if columns.iter().any(|known| known.value == text.value) {
                    let message = said!("there are two columns `{}`", shortened(&text.value));
                    self.checker
                        .sink
                        .error(Code::Duplicate, text.span.clone(), message);
                }
                columns.push(text);
            }
        }
        if line.values().is_empty() {
            let message = said!("a table needs columns");
            self.checker
                .sink
                .error(Code::MissingValue, table.name.span.clone(), message)
                .with_help(said!(
                    "name keys, leaves or `expect`: `table health expect { … }`"
                ));
        }
        finish_in(line, Spot::Test, self.checker.sink);
        let mut cases = Vec::new();
        for row in table.children() {
            if self.checker.sink.is_full() {
                break;
            }
            if row.name.value != "row" {
                stranger(
                    row,
                    &said!("in a table"),
                    &Spot::Row.list(),
                    self.checker.sink,
                );
                continue;
            }
            cases.extend(self.case(row, &columns));
        }
        if table.children().is_empty() {
            let message = said!("this table has no rows");
            self.checker
                .sink
                .error(Code::MissingChildren, table.span.clone(), message)
                .with_help(said!("write a `row` with a value for each column"));
        }
        cases
    }

    /// `row VALUE …`
    fn case(&mut self, row: &Node, columns: &[&Text]) -> Option<Case> {
        let line = Line::new(row, self.checker.sink);
        let cells = line.values().to_vec();
        finish_in(line, Spot::Row, self.checker.sink);
        if columns.is_empty() {
            // That is reported.
            return None;
        }
        if cells.len() != columns.len() {
            let message = said!(
                "the table has {} columns, and this row has {} values",
                columns.len(),
                cells.len()
            );
            self.checker
                .sink
                .error(Code::MissingValue, row.span.clone(), message);
            return None;
        }
        let mut case = Case {
            span: self.local(&row.span),
            cells: Vec::new(),
            steps: Vec::new(),
            expected: None,
        };
        for (column, cell) in columns.iter().zip(cells) {
            let written = self.checker.sink.slice(&cell.value_span).trim_matches('"');
            case.cells.push((column.value.clone(), written.to_owned()));
            self.cell(column, cell, &mut case);
        }
        Some(case)
    }

    fn cell(&mut self, column: &Text, cell: &Entry, case: &mut Case) {
        let span = self.local(&cell.span);
        if column.value == EXPECT {
            let text = self.text_of(cell, &said!("what is expected"));
            let names = text.map(|text| {
                let takes = Takes::NodesAndStates;
                self.labels.read(text, takes, self.checker.sink)
            });
            case.expected = names.and_then(|names| names.into_iter().next());
            return;
        }
        let is_leaf = self.labels.answering.contains(&column.value);
        if self.labels.is_broken && self.checker.scope.find(&column.value).is_none() {
            // Perhaps it is a leaf of the definition, which has a mistake.
            return;
        }
        let action = if is_leaf && self.checker.scope.find(&column.value).is_none() {
            let text = self.text_of(cell, &said!("an answer"));
            let answers = text.and_then(|text| answers(text, self.checker.sink));
            answers.map(|answers| Action::Answer(vec![column.value.clone()], answers))
        } else {
            let given = self.value_for_test(column, cell);
            given.map(|given| Action::Given(vec![given]))
        };
        case.steps
            .extend(action.map(|action| Step { span, action }));
    }
}
