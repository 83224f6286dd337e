//! The events of a trace as JSON.

use serde_json::{Map, Value};
use treemind_core::behaviour::Machine;
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Fault, Kind, NodeId, Status};
use treemind_explain::{Candidate, Language, refusal_word};

/// A fault that no event of the trace is about.
pub(crate) fn fault_json(behaviour: &Behaviour, fault: &Fault) -> Value {
    let text = fault.kind.to_string();
    event_json(behaviour, (fault.node, Event::Fault, None), Some(text))
}

/// An event as an object; `text` is the fault, the echo, or the text of a `log` or `emit`.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn event_json(
    behaviour: &Behaviour,
    (node, event, value): (NodeId, Event, Option<treemind_core::Value>),
    mut text: Option<String>,
) -> Value {
    let key = |key| Some(("key", behaviour.key(key).name.clone()));
    let leaf = |leaf| Some(("of", behaviour.leaf(leaf).name.clone()));
    let (name, detail) = match event {
        Event::Tick(_) if text.is_some() && !tells(behaviour, node) => {
            ("echo", text.take().map(|text| ("value", text)))
        }
        Event::Enter => ("enter", None),
        Event::Tick(status) => ("tick", Some(("status", lower(status)))),
        Event::Guard(status) => ("guard", Some(("status", lower(status)))),
        Event::Start => ("start", None),
        Event::Stop(outcome) => ("stop", Some(("outcome", outcome.as_str().to_owned()))),
        Event::Abort => ("abort", None),
        Event::Serve => ("serve", None),
        Event::Sense(of) => ("sense", key(of)),
        Event::Write => ("write", None),
        Event::EnterState(_) => ("enter-state", None),
        Event::LeaveState(_) => ("leave-state", None),
        Event::Take(_) => ("take", None),
        Event::Refuse(..) => ("refuse", None),
        Event::Score(_) => ("score", None),
        Event::Fire(number) => {
            let Kind::Rules { rules, .. } = &behaviour.node(node).kind else {
                unreachable!("only rules fire");
            };
            ("fire", Some(("rule", rules[number as usize].name.clone())))
        }
        Event::Found(kept, of) => ("found", Some(("kept", format!("{kept} of {of}")))),
        Event::Measure(number) => ("measure", Some(("of", measured(behaviour, node, number)))),
        Event::Keep(_) => ("keep", None),
        Event::Out(keep) => ("out", keep.map(|keep| ("keep", (keep + 1).to_string()))),
        Event::Branch(..) => ("branch", None),
        Event::Fault => ("fault", None),
        Event::Read(of) => ("read", key(of)),
        Event::Time(time) => {
            let text = treemind_doc::expression_text(behaviour, &time.expr(), &|_| None);
            ("time", Some(("of", text)))
        }
        Event::Result => ("result", None),
        Event::Draw(_) => ("draw", None),
        Event::Set(of) => ("set", key(of)),
        Event::Unset(of) => ("unset", key(of)),
        Event::HostSet(of) => ("host-set", key(of)),
        Event::HostUnset(of) => ("host-unset", key(of)),
        Event::Send(of) => ("send", leaf(of)),
        Event::Offer(of) => ("offer", leaf(of)),
        Event::Use(of) => ("use", leaf(of)),
        Event::Think(_)
        | Event::Goal(_)
        | Event::Plan(_)
        | Event::Intend(_)
        | Event::NoPlan(..)
        | Event::Drop(_)
        | Event::GoalScore(_) => {
            let (name, about) = event.of_plan(behaviour, node).unwrap_or_default();
            (name, Some(("about", about)))
        }
        _ => treemind_core::unlisted(&event),
    };
    let mut object = Map::new();
    object.insert("node".to_owned(), node.index().into());
    object.insert(
        "kind".to_owned(),
        behaviour.node(node).kind.keyword().into(),
    );
    object.insert("name".to_owned(), behaviour.label(node).into());
    object.insert("event".to_owned(), name.into());
    if let Some((key, value)) = detail {
        object.insert(key.to_owned(), value.into());
    }
    if let Some(text) = text {
        object.insert("text".to_owned(), text.into());
    }
    if let Event::Draw(nth) = event {
        object.insert("draw".to_owned(), nth.into());
    }
    if let Some(value) = value {
        object.insert("value".to_owned(), value_json(behaviour, value));
    }
    if let Event::Score(bits) | Event::Keep(bits) = event {
        object.insert("score".to_owned(), short(f32::from_bits(bits)).into());
    }
    if let Kind::Machine(machine) = &behaviour.node(node).kind {
        machine_json(behaviour, node, machine, event, &mut object);
    }
    if let (Kind::Decide(decision), Event::Branch(test, way)) = (&behaviour.node(node).kind, event)
    {
        let step = &decision.steps[test as usize];
        object.insert("test".to_owned(), test.into());
        let text = treemind_doc::test_text(behaviour, node, step);
        object.insert("text".to_owned(), text.into());
        let way = treemind_doc::way_text(behaviour, step, way as usize);
        object.insert("way".to_owned(), way.into());
    }
    Value::Object(object)
}

/// A value; what JSON has no number for is a text.
pub(crate) fn value_json(behaviour: &Behaviour, value: treemind_core::Value) -> Value {
    use treemind_core::Value as Of;
    let parts = |parts: &[f32]| parts.iter().map(|part| short(*part)).collect::<Value>();
    match value {
        Of::Bool(value) => value.into(),
        Of::Int(value) => value.into(),
        Of::Entity(value) => value.into(),
        Of::Float(value) if value.is_finite() => short(value).into(),
        Of::Double(value) if value.is_finite() => value.into(),
        Of::Vec2(value) if value.iter().all(|part| part.is_finite()) => parts(&value),
        Of::Vec3(value) if value.iter().all(|part| part.is_finite()) => parts(&value),
        other => behaviour.display_value(other).into(),
    }
}

/// The name of a measure of a `find`.
pub(super) fn measured(behaviour: &Behaviour, node: NodeId, number: u32) -> String {
    let Kind::Find(find) = &behaviour.node(node).kind else {
        unreachable!("only a find measures");
    };
    let measure = find.measures[number as usize].leaf;
    behaviour.leaf(measure).name.clone()
}

/// The number with the fewest digits that distinguish it from other 32-bit numbers.
fn short(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// The fields of a machine's event.
fn machine_json(
    behaviour: &Behaviour,
    node: NodeId,
    machine: &Machine,
    event: Event,
    object: &mut Map<String, Value>,
) {
    let number = match event {
        Event::EnterState(state) | Event::LeaveState(state) => {
            let state = state as usize;
            let name = |state: usize| Value::from(machine.states[state].name.as_str());
            object.insert("state".to_owned(), name(state));
            object.insert("path".to_owned(), machine.path(state).into());
            return;
        }
        Event::Take(number) | Event::Refuse(number, _) => number as usize,
        _ => return,
    };
    transition_json(behaviour, node, machine, number, object);
    if let Event::Refuse(_, why) = event {
        object.insert("why".to_owned(), refusal_word(why).into());
    }
}

/// The fields that identify a transition.
fn transition_json(
    behaviour: &Behaviour,
    node: NodeId,
    machine: &Machine,
    number: usize,
    object: &mut Map<String, Value>,
) {
    let name = |state: usize| Value::from(machine.states[state].name.as_str());
    let transition = &machine.transitions[number];
    let targets = transition.targets.iter().map(Machine::target_state);
    object.insert("transition".to_owned(), number.into());
    object.insert("from".to_owned(), name(transition.source));
    object.insert("to".to_owned(), targets.map(name).collect());
    let text = treemind_doc::transition_text(behaviour, node, transition);
    object.insert("text".to_owned(), text.into());
}

/// What happened to a transition.
pub(super) fn candidate_json(behaviour: &Behaviour, candidate: &Candidate) -> Value {
    let node = candidate.node;
    let mut object = Map::new();
    object.insert("node".to_owned(), node.index().into());
    object.insert("name".to_owned(), behaviour.label(node).into());
    if let Kind::Machine(machine) = &behaviour.node(node).kind {
        transition_json(behaviour, node, machine, candidate.transition, &mut object);
    }
    object.insert("why".to_owned(), candidate.verdict.word().into());
    object.insert(
        "words".to_owned(),
        candidate.words.written(Language::English).into(),
    );
    Value::Object(object)
}

pub(crate) fn lower(status: Status) -> String {
    status.as_str().to_lowercase()
}

/// Whether a node sends texts or events to the host.
pub(super) fn tells(behaviour: &Behaviour, node: NodeId) -> bool {
    let kind = &behaviour.node(node).kind;
    matches!(kind, Kind::Log { .. } | Kind::Emit { .. })
}
