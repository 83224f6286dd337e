//! What a tick changed for an agent, in words.

use super::marks::Marks;
use serde::Serialize;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Outcome, Status};
use treemind_doc::key_text;

/// What a line of a log is about; it decides the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Something usual.
    Calm,
    /// Something to look at.
    Notice,
    /// A fight, or something that was cut off.
    Fight,
    /// A fault.
    Fault,
}

/// The word for what a behaviour is.
pub fn word_of(behaviour: &Behaviour) -> &'static str {
    match behaviour.node(behaviour.root()).kind {
        Kind::Machine(_) => "machine",
        Kind::Decide(_) => "decision tree",
        _ => "tree",
    }
}

/// What a tick without a world changed for an agent: actions that started or ended, conditions whose answer changed.
pub fn changes(
    behaviour: &Behaviour,
    (trace, agent): (&Trace, usize),
    marks: &Marks,
) -> Vec<(Tone, String)> {
    let mut lines = Vec::new();
    for (node, event) in trace.agent(agent) {
        let label = behaviour.label(node);
        let is_condition = matches!(behaviour.node(node).kind, Kind::Condition { .. });
        // The answer is inverted, so the label says so; a node with a name is already named for the whole.
        let not = match &behaviour.node(node).kind {
            Kind::Condition { negated: true, .. } if behaviour.node(node).name.is_none() => "not ",
            _ => "",
        };
        match event {
            Event::Start => lines.push((Tone::Notice, format!("{label} starts"))),
            Event::Stop(Outcome::Aborted) => {
                lines.push((Tone::Fight, format!("{label} is cut off")))
            }
            Event::Stop(outcome) => {
                lines.push((Tone::Calm, format!("{label} ends with {outcome}")))
            }
            Event::EnterState(_) | Event::LeaveState(_) | Event::Take(_) => {
                lines.extend(moves(behaviour, node, event));
            }
            Event::Tick(status) if is_condition && marks.last(node) != Some(status) => {
                lines.push((
                    Tone::Calm,
                    format!("{not}{label} answers {}", status.as_str().to_lowercase()),
                ));
            }
            _ => {}
        }
    }
    lines
}

/// What a machine did, in words.
fn moves(behaviour: &Behaviour, node: NodeId, event: Event) -> Option<(Tone, String)> {
    let Kind::Machine(machine) = &behaviour.node(node).kind else {
        return None;
    };
    let label = behaviour.label(node);
    let name = |state: u32| &machine.states[state as usize].name;
    Some(match event {
        // The first state is the machine itself, which is entered and left with it.
        Event::EnterState(0) | Event::LeaveState(0) => return None,
        Event::EnterState(state) => (Tone::Notice, format!("{label} enters {}", name(state))),
        Event::LeaveState(state) => (Tone::Calm, format!("{label} leaves {}", name(state))),
        Event::Take(number) => {
            let transition = &machine.transitions[number as usize];
            let text = treemind_doc::transition_text(behaviour, node, transition);
            let from = &machine.states[transition.source].name;
            (Tone::Calm, format!("{label} takes {from} {text}"))
        }
        _ => return None,
    })
}

/// What an event is, as a sentence; `None` for events that only prepare another one.
pub fn said(behaviour: &Behaviour, node: NodeId, event: Event) -> Option<String> {
    let label = behaviour.label(node);
    let answer = |status: Status| status.as_str().to_lowercase();
    Some(match event {
        Event::Enter => format!("`{label}` is reached"),
        Event::Tick(Status::Running) => format!("`{label}` keeps running"),
        Event::Tick(status) => format!("`{label}` answers {}", answer(status)),
        Event::Guard(status) => format!("the guard of `{label}` answers {}", answer(status)),
        Event::Start => format!("`{label}` starts"),
        Event::Stop(Outcome::Aborted) => format!("`{label}` is cut off"),
        Event::Stop(outcome) => format!("`{label}` ends with {outcome}"),
        Event::Score(bits) => format!("`{label}` scores {:.2}", f32::from_bits(bits)),
        Event::Set(key) | Event::HostSet(key) => {
            format!("`{label}` writes `{}`", key_text(behaviour, key))
        }
        Event::Unset(key) | Event::HostUnset(key) => {
            format!(
                "`{label}` removes the value of `{}`",
                key_text(behaviour, key)
            )
        }
        Event::Send(leaf) => format!("`{label}` sends `{}`", behaviour.leaf(leaf).name),
        Event::Offer(leaf) => format!("`{label}` is offered `{}`", behaviour.leaf(leaf).name),
        Event::Branch(test, way) => {
            let step = behaviour.node(node).kind.test(test as usize)?;
            let way = way as usize;
            match step.ways().len() {
                2 if way == 0 => format!("`{label}`: a test holds"),
                2 => format!("`{label}`: a test does not hold"),
                _ => format!("`{label}`: a test takes its way {}", way + 1),
            }
        }
        Event::Fault => format!("`{label}` has a fault"),
        Event::EnterState(_) | Event::LeaveState(_) | Event::Take(_) => {
            return moves(behaviour, node, event).map(|(_, text)| text);
        }
        _ => return None,
    })
}
