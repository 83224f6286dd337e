//! Names in decision trees: branches, states, and what tests ask.

use super::walk::Walk;
use super::{Role, SymbolKind};
use crate::edit::entries::first_text;
use crate::language::{self, Spot};
use crate::syntax::Node;

impl<'e> Walk<'e> {
    /// The lists of a definition.
    pub(super) fn decision(&mut self, node: &'e Node) {
        let name = first_text(node).map_or("", |name| name.value.as_str());
        // Branches are known before they come.
        let home = Some((self.file, node.span.start));
        for branch in node
            .children()
            .iter()
            .filter(|child| child.name.value == "branch")
        {
            if let Some(name) = first_text(branch) {
                self.names.symbol(SymbolKind::Branch, home, &name.value);
            }
        }
        self.decision_list(node, name, home);
    }

    fn decision_list(&mut self, block: &'e Node, decision: &'e str, home: super::Home) {
        for node in block.children() {
            match node.name.value.as_str() {
                "test" | "range" | "switch" | "random" | "test-condition" | "option" => {
                    let row = language::find(&[Spot::Decision, Spot::Option], &node.name.value);
                    self.line(node, row);
                    self.decision_list(node, decision, home);
                }
                "yes" | "no" | "case" | "default" => self.decision_list(node, decision, home),
                "branch" | "goto" => {
                    if let Some(name) = first_text(node) {
                        let symbol = self.names.find(SymbolKind::Branch, home, &name.value);
                        let is_branch = node.name.value == "branch";
                        let role = if is_branch {
                            Role::DECLARES
                        } else {
                            Role::READS
                        };
                        self.whole(name, symbol.into_iter().collect(), role);
                    }
                    self.decision_list(node, decision, home);
                }
                "state" => {
                    if let Some(name) = first_text(node) {
                        self.led_to(decision, name);
                    }
                    self.tasks(node);
                }
                "none" | "key" | "in" | "out" | "inout" | "param" => {}
                _ => self.task(node),
            }
        }
    }
}
