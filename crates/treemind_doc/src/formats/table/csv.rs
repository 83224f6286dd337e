//! Reads comma-separated values into rows, as in RFC 4180, with a span for every cell.
//!
//! The `csv` crate gives the places of rows but not of cells. It also takes any misplaced quote as text, so half a
//! table may end up in one cell. That is why the reader is our own.

use super::{Cell, Row};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::syntax::{Span, Text, Value, plain_word, shortened};
use crate::{Said, said};

/// Reads a text; `None` when it makes no sense as a whole.
pub(super) fn read(text: &str, sink: &mut Sink) -> Option<Vec<Row>> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader {
        text,
        at: start,
        comma: comma_of(&text[start..]),
        sink,
    };
    let header = reader.header()?;
    let mut rows = Vec::new();
    while reader.at < text.len() && !reader.sink.is_full() {
        let begin = reader.at;
        let cells = reader.record()?;
        let end = begin + text[begin..reader.at].trim_end_matches(['\n', '\r']).len();
        if let [only] = &cells[..]
            && only.value.trim().is_empty()
        {
            // An empty line.
            continue;
        }
        rows.push(reader.row(&header, cells, begin..end));
    }
    Some(rows)
}

/// The separator between cells: some programs write `;` or tabs.
fn comma_of(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or("");
    let found = [b',', b';', b'\t'].into_iter();
    let mut found = found.filter(|comma| header.contains(char::from(*comma)));
    found.next().unwrap_or(b',')
}

struct Reader<'a, 's> {
    text: &'a str,
    at: usize,
    comma: u8,
    sink: &'s mut Sink,
}

impl Reader<'_, '_> {
    fn fault(&mut self, span: Span, message: Said, help: Said) {
        self.sink.error(Code::Table, span, message).with_help(help);
    }

    /// The names of the columns.
    fn header(&mut self) -> Option<Vec<Text>> {
        if self.text[self.at..].trim().is_empty() {
            let message = said!("this table is empty");
            let help =
                said!("begin with a line that names the columns: `id,parent,type,description`");
            self.fault(0..0, message, help);
            return None;
        }
        let mut columns = self.record()?;
        for column in &mut columns {
            column.value = column.value.trim().to_owned();
        }
        for index in 0..columns.len() {
            let column = &columns[index];
            let span = column.span.clone();
            if column.value.is_empty() {
                self.fault(
                    span,
                    said!("this column has no name"),
                    said!("name it, or remove it"),
                );
            } else if columns[..index]
                .iter()
                .any(|other| other.value == column.value)
            {
                let message = said!("two columns are named `{}`", shortened(&column.value));
                self.sink.error(Code::Duplicate, span, message);
            }
        }
        Some(columns)
    }

    fn row(&mut self, header: &[Text], cells: Vec<Text>, span: Span) -> Row {
        if cells.len() != header.len() {
            let message = said!(
                "this row has {} cells, but the table has {} columns",
                cells.len(),
                header.len()
            );
            let help = said!(
                "keep the commas of empty cells, and put text that contains a comma in quotes"
            );
            self.fault(span.clone(), message, help);
        }
        let cells = header.iter().zip(cells);
        let filled = cells.filter(|(_, cell)| !cell.value.trim().is_empty());
        let cells = filled.map(|(column, cell)| Cell {
            // A problem with the column is reported at the cell of this row.
            column: Text {
                span: cell.span.clone(),
                ..column.clone()
            },
            span: cell.span.clone(),
            value: Value::Text(cell),
        });
        Row {
            cells: cells.collect(),
            span,
            untyped: true,
        }
    }

    /// The cells up to the end of the line.
    fn record(&mut self) -> Option<Vec<Text>> {
        let mut cells = Vec::new();
        loop {
            let cell = match self.text.as_bytes().get(self.at) {
                Some(b'"') => self.quoted()?,
                _ => self.bare(),
            };
            cells.push(cell);
            match self.text.as_bytes().get(self.at) {
                Some(byte) if *byte == self.comma => self.at += 1,
                Some(b'\r') if self.text[self.at..].starts_with("\r\n") => {
                    self.at += 2;
                    return Some(cells);
                }
                Some(_) => {
                    self.at += 1;
                    return Some(cells);
                }
                None => return Some(cells),
            }
        }
    }

    fn is_end(&self, byte: u8) -> bool {
        byte == self.comma || byte == b'\n' || byte == b'\r'
    }

    /// A cell without quotes; blanks around it do not count.
    fn bare(&mut self) -> Text {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|byte| self.is_end(*byte));
        let end = self.at + length.unwrap_or(rest.len());
        let raw = &self.text[self.at..end];
        let start = self.at + (raw.len() - raw.trim_start().len());
        let value = raw.trim().to_owned();
        self.at = end;
        let span = if value.is_empty() {
            end - raw.len()..end
        } else {
            start..start + value.len()
        };
        if let Some(quote) = value.find('"') {
            let at = start + quote;
            let help = said!("begin quotes right after the comma, and double quotes inside them");
            self.fault(
                at..at + 1,
                said!("unexpected quote in the middle of a cell"),
                help,
            );
        }
        Text {
            bare: plain_word(&value),
            verbatim: Some(span.start),
            span,
            value,
        }
    }

    /// The reader is at the opening quote.
    fn quoted(&mut self) -> Option<Text> {
        let start = self.at;
        let begin = start + 1;
        let mut value = String::new();
        let mut is_verbatim = true;
        self.at = begin;
        loop {
            let rest = &self.text[self.at..];
            let Some(quote) = rest.find('"') else {
                let help = said!("close it with `\"`, and double a quote inside the text: `\"\"`");
                self.fault(start..begin, said!("this quote is never closed"), help);
                return None;
            };
            value.push_str(&rest[..quote]);
            self.at += quote + 1;
            if !self.text[self.at..].starts_with('"') {
                break;
            }
            value.push('"');
            is_verbatim = false;
            self.at += 1;
        }
        let span = start..self.at;
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|byte| self.is_end(*byte));
        let end = self.at + length.unwrap_or(rest.len());
        if !self.text[self.at..end].trim().is_empty() {
            let help = said!("double a quote inside the text, `\"\"`, or add the missing comma");
            self.fault(
                self.at..end,
                said!("unexpected text after the closing quote"),
                help,
            );
        }
        self.at = end;
        Some(Text {
            value,
            verbatim: is_verbatim.then_some(begin),
            span,
            bare: false,
        })
    }
}
