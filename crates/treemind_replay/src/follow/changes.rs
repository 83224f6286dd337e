//! What a tick changed for an agent, in words.

use super::marks::Marks;
use serde::Serialize;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, Kind, LeafId, NodeId, Outcome, Status};
use treemind_doc::key_text;
use treemind_explain::{Words, say};

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

/// The events that came to an agent in a tick, each named once: whoever sent them, a machine or a tree looked at them.
pub fn events_that_came(
    behaviour: &Behaviour,
    (trace, agent): (&Trace, usize),
) -> impl Iterator<Item = (Tone, Words)> {
    let mut known: Vec<LeafId> = Vec::new();
    for (_, event) in trace.agent(agent) {
        if let Event::Offer(leaf) | Event::Use(leaf) = event
            && !known.contains(&leaf)
        {
            known.push(leaf);
        }
    }
    known.into_iter().map(|leaf| {
        let event = Words::value(&behaviour.leaf(leaf).name);
        (
            Tone::Notice,
            say!(TheEventCame, event, when = Words::Nothing),
        )
    })
}

/// What a tick without a world changed for an agent: events that came, actions that started or ended, conditions whose
/// answer changed.
pub fn changes(
    behaviour: &Behaviour,
    (trace, agent): (&Trace, usize),
    marks: &Marks,
) -> Vec<(Tone, Words)> {
    let mut lines: Vec<_> = events_that_came(behaviour, (trace, agent)).collect();
    for (node, event) in trace.agent(agent) {
        let name = Words::value(behaviour.label(node));
        match event {
            Event::Start => lines.push((Tone::Notice, say!(Starts, name))),
            Event::Stop(outcome) => lines.push(match outcome {
                Outcome::Aborted => (Tone::Fight, ends(name, outcome)),
                _ => (Tone::Calm, ends(name, outcome)),
            }),
            Event::EnterState(_) | Event::LeaveState(_) | Event::Take(_) => {
                lines.extend(moves(behaviour, node, event));
            }
            Event::Tick(status) if marks.last(node) != Some(status) => {
                let Kind::Condition { negated, .. } = behaviour.node(node).kind else {
                    continue;
                };
                // The answer is inverted, so the label says so; a node with a name is already named for the whole.
                let name = match negated && behaviour.node(node).name.is_none() {
                    true => Words::value(format!("not {}", behaviour.label(node))),
                    false => name,
                };
                let answer = Words::answer(status);
                lines.push((Tone::Calm, say!(Answers, name, answer)));
            }
            _ => {}
        }
    }
    lines
}

/// How an action ends.
fn ends(name: Words, outcome: Outcome) -> Words {
    match outcome {
        Outcome::Success => say!(EndsWithSuccess, name),
        Outcome::Failure => say!(EndsWithFailure, name),
        Outcome::Aborted => say!(IsCutOff, name),
    }
}

/// What a machine did, in words.
fn moves(behaviour: &Behaviour, node: NodeId, event: Event) -> Option<(Tone, Words)> {
    let Kind::Machine(data) = &behaviour.node(node).kind else {
        return None;
    };
    let machine = Words::value(behaviour.label(node));
    let name = |state: u32| Words::value(&data.states[state as usize].name);
    Some(match event {
        // The first state is the machine itself, which is entered and left with it.
        Event::EnterState(0) | Event::LeaveState(0) => return None,
        Event::EnterState(state) => (Tone::Notice, say!(Enters, machine, state = name(state))),
        Event::LeaveState(state) => (Tone::Calm, say!(Leaves, machine, state = name(state))),
        Event::Take(number) => {
            let transition = &data.transitions[number as usize];
            let text = treemind_doc::transition_text(behaviour, node, transition);
            let from = &data.states[transition.source].name;
            let transition = Words::value(format!("{from} {text}"));
            (Tone::Calm, say!(Takes, machine, transition))
        }
        _ => return None,
    })
}

/// What an event is, as a sentence; `None` for events that only prepare another one.
pub fn said(behaviour: &Behaviour, node: NodeId, event: Event) -> Option<Words> {
    let name = Words::code(behaviour.label(node));
    let key = |key: KeyId| Words::code(key_text(behaviour, key));
    let leaf = |leaf: LeafId| Words::code(&behaviour.leaf(leaf).name);
    Some(match event {
        Event::Enter => say!(IsReached, name),
        Event::Tick(Status::Running) => say!(KeepsRunning, name),
        Event::Tick(status) => say!(Answers, name, answer = Words::answer(status)),
        Event::Guard(status) => say!(GuardAnswers, name, answer = Words::answer(status)),
        Event::Start => say!(Starts, name),
        Event::Stop(outcome) => ends(name, outcome),
        Event::Score(bits) => {
            let score = Words::plain(format!("{:.2}", f32::from_bits(bits)));
            say!(Scores, name, score)
        }
        Event::Fire(number) => {
            let Kind::Rules { rules, .. } = &behaviour.node(node).kind else {
                return None;
            };
            say!(
                Fires,
                name,
                rule = Words::code(&rules[number as usize].name)
            )
        }
        Event::Found(kept, of) => say!(
            FoundSome,
            name,
            kept = Words::plain(kept),
            of = Words::plain(of)
        ),
        Event::Set(of) | Event::HostSet(of) => say!(Writes, name, key = key(of)),
        Event::Unset(of) | Event::HostUnset(of) => say!(RemovesValue, name, key = key(of)),
        Event::Send(event) => say!(Sends, name, event = leaf(event)),
        Event::Offer(event) => say!(IsOffered, name, event = leaf(event)),
        Event::Branch(test, way) => {
            let step = behaviour.node(node).kind.test(test as usize)?;
            match (step.ways().len(), way) {
                (2, 0) => say!(ATestHolds, name),
                (2, _) => say!(ATestHoldsNot, name),
                _ => say!(ATestTakesWay, name, way = Words::plain(way + 1)),
            }
        }
        Event::Fault => say!(HasAFault, name),
        Event::EnterState(_) | Event::LeaveState(_) | Event::Take(_) => {
            return moves(behaviour, node, event).map(|(_, words)| words);
        }
        _ => return None,
    })
}
