//! The paths by which nodes of two programs are recognized.

use crate::behaviour::{Behaviour, Kind, Machine, StateIndex, StateKind, Target};
use crate::ids::NodeId;
use std::collections::HashMap;

/// For each node, its name among its siblings, and its path from the root.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// A label, and for the second and later siblings with one label their number.
    pub(crate) names: Vec<String>,
    pub(crate) paths: Vec<String>,
}

impl Paths {
    pub(crate) fn of(behaviour: &Behaviour) -> Self {
        let nodes = behaviour.nodes();
        let mut names = vec![String::new(); nodes.len()];
        let mut paths = vec![String::new(); nodes.len()];
        let root = behaviour.root();
        names[root.index()] = behaviour.label(root).to_owned();
        paths[root.index()] = names[root.index()].clone();
        for parent in behaviour.node_ids() {
            let node = behaviour.node(parent);
            let roles = match &node.kind {
                Kind::Machine(machine) => roles(machine, node.children.len()),
                _ => Vec::new(),
            };
            let mut seen: HashMap<String, usize> = HashMap::new();
            for (place, child) in node.children.iter().enumerate() {
                let label = behaviour.label(*child);
                let mut name = match roles.get(place) {
                    Some(role) => format!("{role}: {label}"),
                    None => label.to_owned(),
                };
                let nth = seen.entry(name.clone()).or_default();
                *nth += 1;
                if *nth > 1 {
                    name = format!("{name} ({nth})");
                }
                paths[child.index()] = format!("{}/{name}", paths[parent.index()]);
                names[child.index()] = name;
            }
        }
        Self { names, paths }
    }

    pub(crate) fn name(&self, node: NodeId) -> &str {
        &self.names[node.index()]
    }

    pub(crate) fn path(&self, node: NodeId) -> &str {
        &self.paths[node.index()]
    }
}

/// The name of a state, after those of the states around it.
pub(crate) fn state_path(machine: &Machine, state: StateIndex) -> String {
    machine.path(state).join(".")
}

/// A transition: where it leads from and to.
pub(crate) fn transition_path(machine: &Machine, number: usize) -> String {
    let transition = &machine.transitions[number];
    let targets = transition.targets.iter().map(Machine::target_state);
    let targets: Vec<String> = targets.map(|state| state_path(machine, state)).collect();
    let source = state_path(machine, transition.source);
    format!("{source} -> {}", targets.join(", "))
}

/// For each child of a machine, the state or transition that it belongs to.
fn roles(machine: &Machine, children: usize) -> Vec<String> {
    let mut roles = vec![String::new(); children];
    let mut say = |children: &[usize], role: &str| {
        for child in children {
            role.clone_into(&mut roles[*child]);
        }
    };
    for (state, facts) in machine.states.iter().enumerate() {
        let path = state_path(machine, state);
        say(&facts.entry, &format!("{path} entry"));
        say(&facts.exit, &format!("{path} exit"));
        say(facts.activity.as_slice(), &path);
        if let StateKind::Composite { initial } = &facts.kind {
            say(&initial.tasks, &format!("{path} initial"));
            for_histories(&initial.targets, &mut |tasks| {
                say(tasks, &format!("{path} history"));
            });
        }
    }
    for (number, transition) in machine.transitions.iter().enumerate() {
        let path = transition_path(machine, number);
        say(&transition.tasks, &path);
        say(transition.conditions.as_slice(), &format!("{path} if"));
        for_histories(&transition.targets, &mut |tasks| {
            say(tasks, &format!("{path} history"));
        });
    }
    roles
}

fn for_histories(targets: &[Target], each: &mut dyn FnMut(&[usize])) {
    for target in targets {
        if let Target::History {
            fallback, tasks, ..
        } = target
        {
            each(tasks);
            for_histories(fallback, each);
        }
    }
}
