//! `number=`: the numbers of leaves and archetypes in flat tables.

use super::leaves::Leaves;
use super::line::Line;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::syntax::{Value as Written, shortened};
use std::collections::HashMap;

/// Treemind's own nodes whose numbers in tables are reserved.
const OF_NODES: [&str; 3] = ["selector", "sequence", "invert"];

impl Leaves {
    /// `number=` of a leaf; no two leaves have the same number.
    pub(super) fn leaf_number(
        &mut self,
        line: &mut Line<'_>,
        name: &str,
        sink: &mut Sink,
    ) -> Option<u32> {
        let span = line.property("number")?.value_span.clone();
        let number = table_number(line, name, &mut self.numbers, sink);
        let node = number.and_then(|number| OF_NODES.get(number as usize));
        if let (Some(number), Some(node)) = (number, node) {
            let message = said!(
                "in tables, the number {} means `{}`, not this leaf",
                number,
                node
            );
            sink.warning(Code::Duplicate, span, message)
                .with_help(said!("use a number from {} on", OF_NODES.len()));
        }
        number
    }
}

/// `number=` of something that is named so; `taken` has the others'.
pub(super) fn table_number(
    line: &mut Line<'_>,
    name: &str,
    taken: &mut HashMap<u32, String>,
    sink: &mut Sink,
) -> Option<u32> {
    let entry = line.property("number")?;
    let span = entry.value_span.clone();
    let number = match entry.value {
        Written::Int(value) => u32::try_from(value).ok(),
        Written::Bad => return None,
        _ => None,
    };
    let Some(number) = number else {
        let message = said!("expected a whole number from 0 to {}", u32::MAX);
        sink.error(Code::BadNumber, span, message);
        return None;
    };
    if let Some(other) = taken.get(&number) {
        let message = said!("the number {} is taken by `{}`", number, shortened(other));
        sink.error(Code::Duplicate, span, message).with_help(said!(
            "use another number: tables identify leaves and archetypes by their numbers"
        ));
        return None;
    }
    taken.insert(number, name.to_owned());
    Some(number)
}
