//! `service` and `node`: the host's leaves that have children.

use super::Checker;
use super::leaves::Leaves;
use super::line::Line;
use super::tree::{is_child, present};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::{SERVICE_INTERVAL, SERVICE_JITTER, Word};
use crate::said;
use crate::syntax::{Node, shortened};
use treemind_core::behaviour::LeafKind;
use treemind_core::{Expr, Kind, Value};

/// The keyword of the node that uses such a leaf in a tree.
pub(super) fn word_of(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Composite { .. } | LeafKind::Decorator => "node",
        LeafKind::Event => "emit",
        kind => kind.keyword(),
    }
}

impl Checker<'_> {
    /// `service NAME interval=0.5 jitter=0.1 param=… { CHILD }`
    pub(super) fn service(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let interval = self.read(line, &SERVICE_INTERVAL);
        let jitter = self.read(line, &SERVICE_JITTER);
        let (leaf, args) = self.leaf_of(line, word)?;
        Some(Kind::Service {
            leaf,
            args,
            interval: interval?.unwrap_or(Expr::Value(Value::Double(0.0))),
            jitter: jitter?,
        })
    }

    /// `node NAME param=… { CHILDREN }`
    pub(super) fn own_node(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let before = self.sink.error_count();
        self.leaves.count_own(line.node, word, self.sink);
        let (leaf, args) = self.leaf_of(line, word)?;
        (self.sink.error_count() == before).then_some(Kind::Own { leaf, args })
    }
}

impl Leaves {
    /// Checks that there are as many children as the composite or decorator takes. Another check makes sure that there
    /// is at least one.
    fn count_own(&self, node: &Node, word: &Word, sink: &mut Sink) {
        let kind = node
            .first_text()
            .and_then(|name| self.named(&name.value))
            .map(|leaf| leaf.kind);
        let (least, most) = match kind {
            Some(LeafKind::Composite { least, most }) => (least, most),
            Some(LeafKind::Decorator) => (1, Some(1)),
            _ => return,
        };
        let mut children = present(node.children());
        children.retain(|child| is_child(word, child));
        let name = shortened(node.first_text().map_or("", |name| &name.value));
        let count = children.len();
        if count > 0 && count < least as usize {
            let message = said!(
                "`{}` needs at least {} children, and this one has {}",
                name,
                least,
                count
            );
            sink.error(Code::MissingChildren, node.span.clone(), message);
        }
        if let Some(most) = most
            && let Some(extra) = children.get(most as usize)
        {
            let (message, help) = if most == 1 {
                (
                    said!("`{}` takes only one child, and this is a second one", name),
                    Some(said!(
                        "wrap the children in a composite, such as `sequence { … }`"
                    )),
                )
            } else {
                (
                    said!(
                        "`{}` takes at most {} children, and this is one too many",
                        name,
                        most
                    ),
                    None,
                )
            };
            sink.error(Code::ExtraChildren, extra.span.clone(), message)
                .with_perhaps(help);
        }
    }
}
