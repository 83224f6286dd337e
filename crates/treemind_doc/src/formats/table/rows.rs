//! Reads rows from `[{"id": 1, "parent": 0, "type": …}, …]`.

use super::{Cell, Row};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::json::{Item, Json, Member, read as read_json};
use crate::said;
use crate::syntax::{Value, shortened};
use std::collections::HashSet;

/// Reads a text; `None` when it makes no sense as a whole.
pub(super) fn read(text: &str, sink: &mut Sink) -> Option<Vec<Row>> {
    let Json::Array(items) = read_json(text, sink)?.json else {
        return None;
    };
    if items.is_empty() {
        sink.error(Code::Table, 0..0, said!("this table is empty"))
            .with_help(said!(
                "write each row as an object with `id`, `parent` and `type`"
            ));
    }
    Some(
        items
            .into_iter()
            .filter_map(|item| row(item, sink))
            .collect(),
    )
}

fn row(item: Item, sink: &mut Sink) -> Option<Row> {
    let span = item.span;
    let Json::Object(members) = item.json else {
        if !matches!(item.json, Json::Bad) {
            sink.error(Code::Table, span, said!("expected an object for a row"))
                .with_help(said!(
                    "try `{ \"id\": 2, \"parent\": 1, \"type\": \"sequence\" }`"
                ));
        }
        return None;
    };
    let mut names = HashSet::new();
    let mut cells = Vec::new();
    for Member { name, item } in members {
        if !names.insert(name.value.clone()) {
            let message = said!("`{}` is given twice", shortened(&name.value));
            sink.error(Code::Duplicate, name.span.clone(), message);
        }
        let value = match item.json {
            // A value that is not given.
            Json::Null => continue,
            Json::Text(text) => Value::Text(text),
            Json::Int(number) => Value::Int(number),
            Json::Decimal(number, text) => Value::Decimal(number, text),
            Json::Bool(value) => Value::Bool(value),
            Json::Bad => Value::Bad,
            Json::Array(_) | Json::Object(_) => {
                let message =
                    said!("expected a text, a number, `true`, `false` or `null` in a row");
                let begin = item.span.start;
                sink.error(Code::Table, begin..begin + 1, message);
                continue;
            }
        };
        cells.push(Cell {
            column: name,
            value,
            span: item.span,
        });
    }
    Some(Row {
        cells,
        span: span.start..span.start + 1,
        untyped: false,
    })
}
