//! What the names in tests stand for.

use std::collections::HashMap;
use treemind_core::behaviour::StateIndex;
use treemind_core::{Behaviour, Kind, NodeId};

/// The nodes and states of a behaviour by the names that tests use.
pub(crate) struct Names {
    nodes: HashMap<String, Vec<NodeId>>,
    states: HashMap<String, Vec<(NodeId, StateIndex)>>,
    /// Per machine, its states with their paths.
    paths: Vec<(NodeId, StateIndex, String)>,
}

impl Names {
    pub(crate) fn new(behaviour: &Behaviour) -> Self {
        let mut names = Self {
            nodes: HashMap::new(),
            states: HashMap::new(),
            paths: Vec::new(),
        };
        for id in behaviour.node_ids() {
            let node = behaviour.node(id);
            if node.name.is_some() || node.kind.leaf().is_some() {
                let label = behaviour.label(id).to_owned();
                names.nodes.entry(label).or_default().push(id);
            }
            let Kind::Machine(machine) = &node.kind else {
                continue;
            };
            for state in 1..machine.states.len() {
                let path = machine.path(state);
                for from in 0..path.len() {
                    let named = names.states.entry(path[from..].join(".")).or_default();
                    named.push((id, state));
                }
                names.paths.push((id, state, path.join(".")));
            }
        }
        names
    }

    pub(crate) fn nodes(&self, name: &str) -> &[NodeId] {
        self.nodes.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn states(&self, name: &str) -> &[(NodeId, StateIndex)] {
        self.states.get(name).map_or(&[], Vec::as_slice)
    }

    /// All states with their full paths.
    pub(crate) fn paths(&self) -> &[(NodeId, StateIndex, String)] {
        &self.paths
    }
}
