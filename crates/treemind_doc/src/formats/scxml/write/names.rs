//! Names of states and keys, and the comments of a document.

use super::super::chart::{Chart, StateOf};
use super::super::reader::{NAMESPACE, tag};
use super::super::types::Scope;
use crate::text::Notes;
use std::collections::{HashMap, HashSet};

/// A name that a document of ours can have. Dots stand between the names of a path there.
pub(super) fn plainer(name: &str) -> String {
    let is_bad =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '.' | ':' | ';' | '|' | ',');
    name.replace(is_bad, "-")
}

pub(super) fn names_of_states(chart: &Chart) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let plain = |state: &StateOf| state.id.clone().filter(|id| plainer(id) == *id);
    taken.extend(chart.states.iter().filter_map(plain));
    let names = chart.states.iter().enumerate().map(|(index, state)| {
        let wanted = match &state.id {
            Some(id) if plainer(id) == *id => return id.clone(),
            Some(id) => plainer(id),
            None => format!("state-{index}"),
        };
        free(wanted, &mut taken, '-')
    });
    names.collect()
}

/// The keys of all variables, and whether they may be unset.
pub(super) fn keys<'c>(chart: &'c Chart, scope: &Scope) -> HashMap<&'c str, (String, bool)> {
    // Words of expressions are no names of keys there.
    let reserved = ["if", "else", "in", "event", "true", "false"];
    let mut taken: HashSet<String> = reserved.map(str::to_owned).into();
    let known = chart.data.iter().filter_map(|data| {
        let (_, _, is_optional) = scope.variable(&data.name, &(0..0)).ok()?;
        let key = free(data.name.replace('$', "_"), &mut taken, '_');
        Some((data.name.as_str(), (key, is_optional)))
    });
    known.collect()
}

fn free(wanted: String, taken: &mut HashSet<String>, dash: char) -> String {
    let mut free = wanted.clone();
    let mut count = 1;
    while !taken.insert(free.clone()) {
        count += 1;
        free = format!("{wanted}{dash}{count}");
    }
    free
}

/// The comments of a document, at the states and transitions that they stand before or in.
pub(super) fn notes(root: roxmltree::Node<'_, '_>) -> Notes {
    let mut notes = Notes::default();
    let has_node = |one: &roxmltree::Node<'_, '_>| {
        matches!(
            one.tag_name().name(),
            "scxml" | "state" | "parallel" | "final" | "transition"
        ) && one
            .tag_name()
            .namespace()
            .is_none_or(|space| space == NAMESPACE)
            && one
                .parent_element()
                .is_none_or(|above| !matches!(above.tag_name().name(), "initial" | "history"))
    };
    for node in root.document().descendants() {
        let Some(said) = node.text().filter(|_| node.is_comment()) else {
            continue;
        };
        let said = said.replace('\r', "");
        let next = node.next_sibling_element().filter(has_node);
        let place = next.or_else(|| node.ancestors().find(has_node));
        match place {
            Some(place) => {
                let start = tag(place).start;
                notes.before.entry(start).or_default().push(said);
            }
            None => notes.last.push(said),
        }
    }
    notes
}
