//! The result of a scenario, as lines.

use super::Scenario;
use crate::reference::{Cell, Happening};
use crate::scripts::host_leaf;
use treemind_core::behaviour::Planner;
use treemind_core::{Behaviour, Event, Kind, NodeId};
use treemind_doc::expression_text;

/// What lines about an agent begin with: nothing if there is only one agent.
pub(super) fn head((name, scenario): Part<'_>, agent: usize, what: &str) -> String {
    if name.is_empty() && scenario.number_of_agents() == 1 {
        what.to_owned()
    } else {
        format!("{name}@{agent} {what}")
    }
}

/// A program of a scenario: its name, which is empty if there is only one, and what it has for itself.
pub(super) type Part<'a> = (&'a str, &'a Scenario);

/// The reference's own formatting of a line of the plain trace.
pub(super) fn plain_line(
    behaviour: &Behaviour,
    tick: u64,
    head: &str,
    events: &[(NodeId, Event)],
) -> String {
    let mut line = format!("{tick} {head}");
    let mut between = " | ";
    for &(node, event) in events {
        let label = behaviour.label(node);
        let said = match event {
            Event::Tick(status) if host_leaf(behaviour, node).is_some() => {
                format!("tick {label} {status}")
            }
            Event::Abort => format!("halt {label}"),
            Event::Goal(goal) => {
                line += &format!(
                    "{between}plan {}:",
                    planner_of(behaviour, node).goals[goal as usize].name
                );
                // What follows is not of the plan.
                between = " | ";
                continue;
            }
            Event::Intend(step) => {
                line += &format!(" {}", planner_of(behaviour, node).steps[step as usize].name);
                continue;
            }
            _ => continue,
        };
        line += between;
        line += &said;
        between = "; ";
    }
    line
}

fn planner_of(behaviour: &Behaviour, node: NodeId) -> &Planner {
    match &behaviour.node(node).kind {
        Kind::Planner(planner) => planner,
        other => unreachable!("`{}` makes no plans", other.keyword()),
    }
}

/// The runs that began or ended and the services that were called in a tick, if there are any.
pub(super) fn calls_line(
    part: Part<'_>,
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
        let shown = head(part, agent, &shown.join("; "));
        format!("{tick} {shown}")
    })
}

/// What only a trace with values has of a tick, if there is anything.
pub(super) fn values_line(
    part: Part<'_>,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    events: &[Happening],
) -> Option<String> {
    let shown: Vec<String> = events
        .iter()
        .filter_map(|&(node, event, value)| {
            let label = behaviour.label(node);
            let value = value.map_or(String::new(), |value| behaviour.display_value(value));
            let key = |key| &behaviour.key(key).name;
            let leaf = |leaf| &behaviour.leaf(leaf).name;
            Some(match event {
                Event::Read(of) => format!("{label} read {} = {value}", key(of)),
                Event::Time(of) => format!(
                    "{label} time {} = {value}",
                    expression_text(behaviour, &of.expr(), &|_| None)
                ),
                Event::Result => format!("{label} result {value}"),
                Event::Draw(nth) => format!("{label} draw {nth} = {value}"),
                Event::Set(of) => format!("{label} set {} = {value}", key(of)),
                Event::Unset(of) => format!("{label} unset {}", key(of)),
                Event::HostSet(of) => format!("{label} host-set {} = {value}", key(of)),
                Event::HostUnset(of) => format!("{label} host-unset {}", key(of)),
                Event::Send(event) => format!("{label} send {}", leaf(event)),
                Event::Offer(event) => format!("{label} offer {}", leaf(event)),
                Event::Use(event) => format!("{label} use {}", leaf(event)),
                Event::Found(kept, of) => format!("{label} found {kept} of {of}"),
                Event::Measure(number) => format!("{label} measure {number} = {value}"),
                Event::Keep(bits) => format!("{label} keep {value} at {}", f32::from_bits(bits)),
                Event::Out(Some(keep)) => format!("{label} out {value} by keep {keep}"),
                Event::Out(None) => format!("{label} out {value} by score"),
                _ => return None,
            })
        })
        .collect();
    (!shown.is_empty()).then(|| {
        let shown = head(part, agent, &shown.join("; "));
        format!("{tick} {shown}")
    })
}

/// The result of the host's report that an action has ended.
pub(super) fn finish_line(
    part: Part<'_>,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    (node, is_taken): (NodeId, bool),
) -> String {
    let what = if is_taken { "finish" } else { "finish in vain" };
    let shown = format!("{what} {}", behaviour.label(node));
    format!("{tick} {}", head(part, agent, &shown))
}

pub(super) fn fault_line(
    part: Part<'_>,
    behaviour: &Behaviour,
    (tick, agent): (u64, usize),
    (node, kind): (NodeId, &str),
) -> String {
    let shown = format!("{}: {kind}", behaviour.label(node));
    format!("{tick} {}", head(part, agent, &shown))
}

/// The keys that a scenario lists, with their values.
///
/// # Errors
/// A key that does not exist.
pub(super) fn ends_lines(
    (part, scenario): Part<'_>,
    behaviour: &Behaviour,
    show: impl Fn(usize) -> String,
) -> Result<Vec<String>, String> {
    let ends = scenario.ends.iter().map(|line| {
        let name = line.split('=').next().unwrap_or_default().trim();
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| format!("there is no key `{name}`"))?;
        let prefix = if part.is_empty() {
            String::new()
        } else {
            format!("{part}.")
        };
        Ok(format!("{prefix}{name} = {}", show(key.index())))
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
