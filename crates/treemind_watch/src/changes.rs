//! What a tick changed for an agent, in words.

use crate::marks::Marks;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Outcome};

/// What a line of a log is about; it decides the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
