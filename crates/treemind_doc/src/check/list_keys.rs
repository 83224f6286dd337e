//! How many values a key holds: `list=`, and the default items of a list.

use super::Checker;
use super::line::Line;
use super::literal::literal;
use super::reading::finish_in;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::KeyScope;
use crate::language::Spot;
use crate::syntax::{Entry, Node, Value as Written};
use crate::{Said, said};
use treemind_core::{MAX_LIST, Type, Value};

/// How many items all lists of a document may hold together. Every agent has room for all of them. Without a limit, a
/// short document could ask for any amount of memory.
const MAX_ITEMS: u32 = 65_536;

impl Checker<'_> {
    /// Reads `list=`: the largest number of items if the key is a list; an error when that is not clear.
    pub(super) fn bound(&mut self, line: &mut Line<'_>, what: &Said) -> Result<Option<u32>, ()> {
        // Parameters have no `list=`; that is reported elsewhere.
        let Some(entry) = line.take("list") else {
            return Ok(None);
        };
        let bound = match &entry.value {
            Written::Bad => return Err(()),
            Written::Int(bound) => u32::try_from(*bound).ok(),
            _ => {
                let message = said!(
                    "`list` must be the number of items that {} has room for",
                    what
                );
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("try `list=16`"));
                return Err(());
            }
        };
        let bound = bound.filter(|bound| (1..=MAX_LIST).contains(bound));
        let Some(bound) = bound else {
            let message = said!("a list must have room for 1 to {} items", MAX_LIST);
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return Err(());
        };
        if let Some(optional) = line.take("optional")
            && !matches!(optional.value, Written::Bool(false) | Written::Bad)
        {
            let message = said!("a list cannot be optional, because it can be empty");
            self.sink
                .error(Code::WrongType, optional.span.clone(), message)
                .with_help(said!(
                    "remove `optional`, and use `has(…)` to ask whether there is an item"
                ));
        }
        self.room(entry, bound)?;
        Ok(Some(bound))
    }

    /// Counts the items of a list against the limit.
    fn room(&mut self, entry: &Entry, bound: u32) -> Result<(), ()> {
        self.items = self.items.saturating_add(bound);
        if self.items > MAX_ITEMS {
            let message = said!("the lists of this document are too large in total");
            self.sink
                .error(Code::TooLarge, entry.span.clone(), message)
                .with_help(said!(
                    "make them smaller: together they may hold {} items",
                    MAX_ITEMS
                ));
            return Err(());
        }
        Ok(())
    }
}

impl KeyScope {
    /// `default 1 2 3` in the block of a list.
    pub(super) fn items_of_list(
        &self,
        line: &mut Line<'_>,
        ty: Type,
        bound: u32,
        what: &Said,
        sink: &mut Sink,
    ) -> Option<Vec<Value>> {
        let node = line.node;
        if let Some(entry) = line.property("default") {
            let message = said!("{} is a list, so `default=` cannot set its items", what);
            sink.error(Code::UnknownProperty, entry.span.clone(), message)
                .with_help(said!(
                    "write the items into its block: `{ default 1 2 3; }`"
                ));
            return None;
        }
        let is_default = |child: &&Node| child.name.value == "default";
        let mut defaults = node.children().iter().filter(is_default);
        let Some(child) = defaults.next() else {
            return Some(Vec::new());
        };
        if let Some(second) = defaults.next() {
            let message = said!("the items of a list must be in one `default`");
            sink.error(Code::Duplicate, second.span.clone(), message);
        }
        let inner = Line::new(child, sink);
        let entries = inner.values().to_vec();
        finish_in(inner, Spot::KeyBlock, sink);
        if let Some(extra) = entries.get(bound as usize) {
            let message = said!(
                "{} has room for {} items, and this is one too many",
                what,
                bound
            );
            sink.error(Code::ExtraValue, extra.span.clone(), message);
            return None;
        }
        let of = said!("an item of {}", what);
        let items: Vec<Option<Value>> = entries
            .into_iter()
            .map(|entry| literal(entry, ty, &of, self, sink).ok())
            .collect();
        items.into_iter().collect()
    }
}

/// Reports properties that a parameter of a leaf cannot have; answers whether there are none.
pub(super) fn single_parameter(line: &mut Line<'_>, what: &Said, sink: &mut Sink) -> bool {
    let list = line.take("list");
    let optional = line.take("optional");
    if let Some(entry) = list {
        let message = said!(
            "{} cannot be a list: a parameter passes a single value",
            what
        );
        sink.error(Code::UnknownProperty, entry.span.clone(), message)
            .with_help(said!(
                "use `for-each` to pass item by item; a host can read the list from the blackboard"
            ));
    }
    if let Some(entry) = optional {
        let message = said!(
            "{} cannot be optional: a parameter always passes a value",
            what
        );
        sink.error(Code::UnknownProperty, entry.span.clone(), message)
            .with_help(said!("add `default=` if nodes may leave it out"));
    }
    list.is_none() && optional.is_none()
}
