//! The result of a scenario, as lines.

use super::Scenario;
use crate::reference::Cell;
use crate::scripts::host_leaf;
use treemind_core::{Behaviour, Event, NodeId};

/// The prefix of a line about an agent: empty if there is only one agent.
pub(super) fn head(scenario: &Scenario, agent: usize, what: &str) -> String {
    if scenario.number_of_agents() == 1 {
        what.to_owned()
    } else {
        format!("@{agent} {what}")
    }
}

/// The reference's own formatting of a line of the plain trace.
pub(super) fn plain_line(
    behaviour: &Behaviour,
    tick: u64,
    head: &str,
    events: &[(NodeId, Event)],
) -> String {
    let shown: Vec<String> = events
        .iter()
        .filter_map(|&(node, event)| {
            let label = behaviour.label(node);
            match event {
                Event::Tick(status) => {
                    host_leaf(behaviour, node)?;
                    Some(format!("tick {label} {status}"))
                }
                Event::Abort => Some(format!("halt {label}")),
                _ => None,
            }
        })
        .collect();
    if shown.is_empty() {
        format!("{tick} {head}")
    } else {
        format!("{tick} {head} | {}", shown.join("; "))
    }
}

/// The runs that began or ended and the services that were called in a tick, if there are any.
pub(super) fn calls_line(
    scenario: &Scenario,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    events: impl Iterator<Item = (NodeId, Event)>,
) -> Option<String> {
    let shown: Vec<String> = events
        .filter_map(|(node, event)| {
            let label = behaviour.label(node);
            match event {
                Event::Start => Some(format!("start {label}")),
                Event::Stop(outcome) => Some(format!("stop {label} {outcome}")),
                Event::Serve => Some(format!("serve {label}")),
                _ => None,
            }
        })
        .collect();
    (!shown.is_empty()).then(|| {
        let shown = head(scenario, agent, &shown.join("; "));
        format!("{tick} {shown}")
    })
}

/// The result of the host's report that an action has ended.
pub(super) fn finish_line(
    scenario: &Scenario,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    (node, is_taken): (NodeId, bool),
) -> String {
    let what = if is_taken { "finish" } else { "finish in vain" };
    let shown = format!("{what} {}", behaviour.label(node));
    format!("{tick} {}", head(scenario, agent, &shown))
}

pub(super) fn fault_line(
    scenario: &Scenario,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    (node, kind): (NodeId, &str),
) -> String {
    let shown = format!("{}: {kind}", behaviour.label(node));
    format!("{tick} {}", head(scenario, agent, &shown))
}

/// The keys that a scenario lists, with their values.
///
/// # Errors
/// A key that does not exist.
pub(super) fn ends_lines(
    scenario: &Scenario,
    behaviour: &Behaviour,
    show: impl Fn(usize) -> String,
) -> Result<Vec<String>, String> {
    let ends = scenario.ends.iter().map(|line| {
        let name = line.split('=').next().unwrap_or_default().trim();
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| format!("there is no key `{name}`"))?;
        Ok(format!("{name} = {}", show(key.index())))
    });
    ends.collect()
}

/// What a key of the reference holds.
pub(super) fn cell(behaviour: &Behaviour, cell: &Cell) -> String {
    match cell {
        Cell::One(value) => behaviour.display_value(*value),
        Cell::Unset => "unset".to_owned(),
        Cell::List(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| behaviour.display_value(*item))
                .collect();
            format!("[{}]", items.join(", "))
        }
    }
}
