//! What nodes are called where somebody reads the file that they come from.

use super::Behaviour;
use crate::ids::NodeId;

impl Behaviour {
    /// What the file says for the node: its label, but of a node of BehaviorTree.CPP without a name the word of its
    /// element, such as `Sleep`. A node that an element has become a part of is called as that element.
    pub fn word(&self, id: NodeId) -> &str {
        let node = self.node(id);
        let is_named = node.name.is_some() || node.kind.leaf().is_some();
        if is_named || self.node(self.root()).written.elements().is_empty() {
            return self.label(id);
        }
        let mut at = Some(id);
        while let Some(id) = at {
            if let Some((_, tag)) = self.node(id).written.elements().last() {
                return word_of(tag).unwrap_or(self.label(id));
            }
            at = self.node(id).parent;
        }
        self.label(id)
    }
}

/// What an element is, by its first tag: its name, or the `ID` of `<Decorator ID="Repeat"`.
fn word_of(tag: &str) -> Option<&str> {
    let word = tag.trim_start_matches('<');
    let end = word.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
    let word = &word[..end.unwrap_or(word.len())];
    match word {
        "Action" | "Condition" | "Control" | "Decorator" => {
            let (_, id) = tag.split_once("ID=\"")?;
            Some(id.split_once('"')?.0)
        }
        _ => Some(word),
    }
}
