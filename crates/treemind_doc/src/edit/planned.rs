//! The names of the steps and tasks of a planner, as methods and tests write them.

use super::Editor;
use crate::symbols::step_name;
use crate::syntax::{Node, Value};

/// A step or a task of a planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedName {
    /// Its name; that of a step in an `each` ends with the value.
    pub name: String,
    /// Whether it is a task.
    pub is_task: bool,
    /// What it is for.
    pub doc: Option<String>,
}

impl Editor {
    /// The steps and tasks of a planner, and then those of the planners that it uses, in their order. Texts may have
    /// mistakes.
    pub fn planned_names(&self, planner: &str) -> Vec<PlannedName> {
        let mut found: Vec<PlannedName> = Vec::new();
        let mut planners = vec![planner.to_owned()];
        let mut next = 0;
        while let Some(name) = planners.get(next).cloned() {
            next += 1;
            let Some(planner) = self.planner_named(&name) else {
                continue;
            };
            for node in present(planner) {
                if node.name.value == "use" {
                    let used = node.first_text().map(|used| used.value.clone());
                    planners.extend(used.filter(|used| !planners.contains(used)));
                    continue;
                }
                for one in self.names_of(planner, node) {
                    if !found.iter().any(|known| known.name == one.name) {
                        found.push(one);
                    }
                }
            }
        }
        found
    }

    /// The names that a child of a planner gives.
    fn names_of(&self, planner: &Node, node: &Node) -> Vec<PlannedName> {
        let named = |name: String, is_task: bool, node: &Node| PlannedName {
            name,
            is_task,
            doc: node.property_text("doc").map(|doc| doc.value.clone()),
        };
        match node.name.value.as_str() {
            "goal" => Vec::new(),
            "task" => {
                let name = node.first_text();
                name.map(|name| named(name.value.clone(), true, node))
                    .into_iter()
                    .collect()
            }
            "each" => {
                let of = node.property_text("of").map_or("", |of| of.value.as_str());
                let steps = || present(node).filter_map(|step| Some((step_name(step)?.0, step)));
                let values = self.values_to_go_through(planner, of).into_iter();
                values
                    .flat_map(|value| {
                        steps().map(move |(name, step)| {
                            named(format!("{}-{value}", name.value), false, step)
                        })
                    })
                    .collect()
            }
            _ => {
                let step = step_name(node);
                step.map(|(name, _)| named(name.value.clone(), false, node))
                    .into_iter()
                    .collect()
            }
        }
    }

    /// What the names of steps of an `each` end with, for each value of an enumeration or item of a list.
    fn values_to_go_through(&self, planner: &Node, key: &str) -> Vec<String> {
        let files = self.files.iter().flat_map(|file| file.nodes.iter());
        let boards = files.filter(|node| node.name.value == "blackboard");
        let mut keys = std::iter::once(planner)
            .chain(boards)
            .flat_map(|board| board.children())
            .filter(|node| node.name.value == "key");
        let is_it = |node: &&Node| node.first_text().is_some_and(|name| name.value == key);
        let Some(declared) = keys.find(is_it) else {
            return Vec::new();
        };
        let is_list = declared.entry("list").is_some();
        let word = if is_list { "default" } else { "value" };
        let lines = declared.children().iter();
        let lines = lines.filter(|line| line.name.value == word);
        let values = lines.flat_map(|line| &line.entries).enumerate();
        let values = values.map(|(at, entry)| match &entry.value {
            Value::Text(text) if !is_list => text.value.clone(),
            Value::Int(number @ 0..) => number.to_string(),
            _ => (at + 1).to_string(),
        });
        values.collect()
    }

    fn planner_named(&self, name: &str) -> Option<&Node> {
        let mut nodes = self.files.iter().flat_map(|file| file.nodes.iter());
        nodes.find(|node| {
            node.name.value == "planner" && node.first_text().is_some_and(|text| text.value == name)
        })
    }
}

/// The children that are not switched off.
fn present(node: &Node) -> impl Iterator<Item = &Node> {
    let children = node.children().iter();
    children.filter(|child| {
        let disabled = child.entry("disabled");
        disabled.is_none_or(|entry| entry.value != Value::Bool(true))
    })
}
