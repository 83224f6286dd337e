//! The names of networks: what they read, and which of their outputs go where.

use super::line::arguments;
use super::walk::{Lookup, Walk};
use super::{Home, Role, SymbolKind};
use crate::language::{Spot, Word};
use crate::syntax::{Node, Value};

impl<'e> Walk<'e> {
    /// The inputs and outputs of a network.
    pub(super) fn network(&mut self, node: &'e Node) {
        let name = node.first_text().map(|name| name.value.as_str());
        let kind = SymbolKind::Network;
        let network = name.map(|name| self.symbols.symbol(kind, Home::Everywhere, name));
        for child in node.children() {
            match (child.name.value.as_str(), network, child.first_text()) {
                ("in", ..) => self.line(child, Spot::Network.word("in")),
                ("out", Some(network), Some(name)) => {
                    let home = Home::Leaf(network);
                    let output = self.symbols.symbol(SymbolKind::Output, home, &name.value);
                    self.whole(name, Role::DECLARES, Lookup::Symbol(output));
                }
                _ => {}
            }
        }
    }

    /// Reads which outputs of a network are written to which keys.
    pub(super) fn outputs(&mut self, node: &'e Node, row: Option<&'static Word>, network: &'e str) {
        let role = Role {
            is_given: true,
            ..Role::READS
        };
        for (name, entry) in arguments(node, row) {
            self.whole(name, role, Lookup::Output(network));
            if let Some(Value::Text(text)) = entry.map(|entry| &entry.value) {
                self.key_in_braces(text, Role::WRITES, Lookup::Key(self.scope));
            }
        }
    }
}
