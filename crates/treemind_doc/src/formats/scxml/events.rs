//! The events of a machine. Every name that is raised, sent or waited for by a transition is an event. An event from
//! outside becomes the one with the longest beginning of its name, so all events are known beforehand.

use super::chart::{Action, Block, Chart, KindOf, Said, for_all_actions};
use super::reader::can_name_an_event;
use super::script::Script;
use super::texts::Texts;
use super::types::{field_default, field_type};
use std::collections::{BTreeSet, HashMap, HashSet};
use treemind_core::behaviour::{Leaf, LeafKind, Param};
use treemind_core::{Behaviour, LeafId, Text, Value};

/// How many events there may be.
pub(super) const MAX_EVENTS: usize = 1_000;

/// The name of the event that stands for all others.
pub(super) const ANY: &str = "*";

/// The event for everything that goes wrong while content is carried out.
pub(super) const ERROR: &str = "error.execution";

#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) leaves: Vec<Leaf>,
    ids: HashMap<String, LeafId>,
    /// For each name that is waited for, the events that it means; the empty name means all.
    meant: HashMap<String, Vec<LeafId>>,
}

impl Events {
    /// Finds all events of a chart; `None` when there are too many.
    pub(super) fn of<'c>(chart: &'c Chart, texts: &Texts<'c>) -> Option<Self> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut waited: HashSet<&str> = HashSet::new();
        for transition in &chart.transitions {
            waited.extend(transition.events.iter().flatten().map(String::as_str));
        }
        let is_waited_for = |name: &str| {
            waited.contains("") || beginnings(name).any(|beginning| waited.contains(beginning))
        };
        for_all_blocks(chart, &mut |block| note_told(block, texts, &mut names));
        for state in &chart.states {
            if let (Some(id), true) = (&state.id, state.kind != KindOf::Final) {
                let name = done(id);
                if is_waited_for(&name) {
                    names.insert(name);
                }
            }
        }
        if is_waited_for(ERROR) {
            names.insert(ERROR.to_owned());
        }
        let all = waited.iter().map(|name| match *name {
            "" => ANY.to_owned(),
            name => name.to_owned(),
        });
        names.extend(all);
        if names.len() > MAX_EVENTS {
            return None;
        }
        let mut events = Events::default();
        for name in names {
            let id = LeafId::new(events.leaves.len());
            let known = beginnings(&name).filter(|beginning| waited.contains(beginning));
            let known: Vec<String> = known.map(str::to_owned).collect();
            for beginning in known {
                events.meant.entry(beginning).or_default().push(id);
            }
            events.meant.entry(String::new()).or_default().push(id);
            events.leaves.push(leaf(&name, chart));
            events.ids.insert(name, id);
        }
        Some(events)
    }

    pub(super) fn id(&self, name: &str) -> Option<LeafId> {
        self.ids.get(name).copied()
    }

    /// The events that match the names that a transition waits for.
    pub(super) fn meant_by(&self, names: &[String]) -> Vec<LeafId> {
        let mut all: Vec<LeafId> = names
            .iter()
            .filter_map(|name| self.meant.get(name))
            .flatten()
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The name of the event that reports that a state is done.
pub(super) fn done(id: &str) -> String {
    format!("done.state.{id}")
}

fn leaf(name: &str, chart: &Chart) -> Leaf {
    let params = chart.fields.iter().map(|field| Param {
        name: field.clone(),
        ty: field_type(field),
        default: Some(match field.as_str() {
            "name" => Value::Text(Text::new(name)),
            // All other events bring their own type.
            "type" => Value::Text(Text::new("platform")),
            field => field_default(field),
        }),
        by_key: false,
        doc: None,
    });
    Leaf {
        params: params.collect(),
        ..Leaf::new(name, LeafKind::Event)
    }
}

/// The beginnings of a name that end where one of its words ends, shorter ones first; the last is the whole name.
fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    let dots = name.match_indices('.').map(|(at, _)| &name[..at]);
    dots.chain([name])
}

fn note_told<'c>(block: &'c Block, texts: &Texts<'c>, names: &mut BTreeSet<String>) {
    for_all_actions(block, &mut |action| {
        if let Action::Raise { event, .. } | Action::Send { event, .. } = action {
            match event {
                Said::Plainly(event) => {
                    names.insert(event.clone());
                }
                Said::By(script) => names.extend(names_given_by(script, texts).map(str::to_owned)),
            }
        }
    });
}

/// The names of events that a script may give.
pub(super) fn names_given_by<'c>(
    script: &'c Script,
    texts: &Texts<'c>,
) -> impl Iterator<Item = &'c str> {
    let names = texts.given_by(script).into_iter().flatten();
    names.filter(|name| can_name_an_event(name))
}

/// Calls `each` with all blocks, in no particular order.
pub(super) fn for_all_blocks<'c>(chart: &'c Chart, each: &mut impl FnMut(&'c Block)) {
    for state in &chart.states {
        state.entry.iter().chain(&state.exit).for_each(&mut *each);
        if let Some(initial) = &state.initial {
            each(&initial.block);
        }
    }
    for history in &chart.histories {
        if let Some(default) = &history.default {
            each(&default.block);
        }
    }
    for transition in &chart.transitions {
        each(&transition.way.block);
    }
}

/// Finds the event for a name in a machine that was read from SCXML: the event whose name is the longest beginning of
/// this name. `None` if the machine waits for no such event.
pub fn event_named(behaviour: &Behaviour, name: &str) -> Option<LeafId> {
    let find = |name: &str| {
        let mut leaves = behaviour.leaves().iter();
        let found = leaves.position(|leaf| leaf.kind == LeafKind::Event && leaf.name == name);
        found.map(LeafId::new)
    };
    let mut beginning = Some(name);
    while let Some(wanted) = beginning {
        if let Some(found) = find(wanted) {
            return Some(found);
        }
        beginning = wanted.rfind('.').map(|dot| &wanted[..dot]);
    }
    find(ANY)
}

/// The values of an event with this name, for a machine that was read from SCXML. `data` gives the parts of the
/// event's data: it receives the names that lead to a part, and no names for the whole.
pub fn event_values(
    behaviour: &Behaviour,
    event: LeafId,
    name: &str,
    mut data: impl FnMut(&[&str]) -> Option<Value>,
) -> Vec<Value> {
    let params = behaviour.leaf(event).params.iter();
    params
        .map(|param| {
            let path: Vec<&str> = param.name.split('.').collect();
            match path.split_first() {
                Some((&"data", path)) => data(path).unwrap_or(field_default("data")),
                Some((&"name", _)) => Value::Text(Text::new(name)),
                Some((&"type", _)) => Value::Text(Text::new("external")),
                _ => field_default(&param.name),
            }
        })
        .collect()
}
