//! Single values and fields for people, with their names.

use crate::behaviour::{Behaviour, Kind, Machine, StateIndex};
use crate::blackboard::{Column, Field, FieldKind, Held, Part};
use crate::ids::{AgentId, NodeId};
use crate::program::matching::paths::{Paths, state_path, transition_path};
use crate::program::owners::{Owner, Owners};
use crate::snapshot::Readable;
use crate::value::Value;

/// The names of everything in a behaviour.
pub(super) struct Names {
    pub(super) paths: Paths,
}

impl Names {
    pub(super) fn of(behaviour: &Behaviour) -> Self {
        Self {
            paths: Paths::of(behaviour),
        }
    }
}

/// Where a field is shown in its node.
pub(super) enum Entry {
    /// Under its name.
    Alone(String),
    /// As one of several names in a list.
    InList(String, String),
    /// As one of several values with names.
    InMap(String, String),
}

impl Entry {
    pub(super) fn of(
        field: &Field,
        behaviour: &Behaviour,
        (node, machine): (NodeId, Option<&Machine>),
        names: &Names,
    ) -> Self {
        let state =
            |state: u32| machine.map_or_else(String::new, |of| state_name(of, state as usize));
        let is_bit = matches!(field.holds, FieldKind::Value(Column::Bits(_), _));
        let name = field.name.to_owned();
        let part = match field.part {
            Part::Whole => return Self::Alone(name),
            Part::State(one) => state(one),
            Part::StateOf(of, one) => format!("{} in {}", state(one), state(of)),
            Part::Level(level) => format!("level {level}"),
            Part::StateAt(level, one) => format!("{} on level {level}", state(one)),
            Part::Transition(number) => machine.map_or_else(String::new, |machine| {
                format!("{number}: {}", transition_path(machine, number as usize))
            }),
            Part::Rule(number) => match &behaviour.node(node).kind {
                Kind::Rules { rules, .. } => rules[number as usize].name.clone(),
                _ => number.to_string(),
            },
            Part::Goal(number) => match &behaviour.node(node).kind {
                Kind::Planner(planner) => planner.goals[number as usize].name.clone(),
                _ => number.to_string(),
            },
            Part::Step(number) => match &behaviour.node(node).kind {
                Kind::Planner(planner) => planner.steps[number as usize].name.clone(),
                _ => number.to_string(),
            },
            Part::Test(test) => format!("test {test}"),
            Part::Param(nth) => {
                let leaf = behaviour.node(node).kind.leaf();
                let params = leaf.map(|leaf| &behaviour.leaf(leaf).params[..]);
                let param = params.and_then(|params| params.get(nth as usize));
                param.map_or_else(|| nth.to_string(), |param| param.name.clone())
            }
            Part::Node(node) => names.paths.path(node).to_owned(),
            Part::Key(key) => behaviour.key(key).name.clone(),
        };
        match is_bit {
            true => Self::InList(name, part),
            false => Self::InMap(name, part),
        }
    }
}

/// Adds a field to what is shown of a node.
pub(super) fn join(shown: &mut Readable, entry: Entry, value: Readable) {
    let Readable::Map(entries) = shown else {
        return;
    };
    let (name, part) = match entry {
        Entry::Alone(name) => return shown.add(name, value),
        Entry::InList(name, part) => (name, Readable::List(vec![part.into()])),
        Entry::InMap(name, part) => (name, Readable::Map(vec![(part, value)])),
    };
    let known = entries.iter_mut().find(|(known, _)| *known == name);
    match (known.map(|(_, known)| known), part) {
        (Some(Readable::List(items)), Readable::List(more)) => items.extend(more),
        (Some(Readable::Map(items)), Readable::Map(more)) => items.extend(more),
        (_, part) => shown.add(name, part),
    }
}

/// The name of a state after those of the states around it; the machine itself has the name of all.
fn state_name(machine: &Machine, state: StateIndex) -> String {
    match state_path(machine, state) {
        path if path.is_empty() => "(the machine)".to_owned(),
        path => path,
    }
}

pub(super) fn owner_of(owners: &Owners, field: &Field) -> Owner {
    match field.holds {
        FieldKind::Value(Column::Bits(column), _) => owners.bits[column as usize],
        FieldKind::Value(Column::Wide(column) | Column::Any { wide: column, .. }, _)
        | FieldKind::Moment(column)
        | FieldKind::Past(column)
        | FieldKind::WideTick(column) => owners.wide[column as usize],
        FieldKind::Value(
            Column::Narrow(column) | Column::Vec2(column) | Column::Vec3(column),
            _,
        )
        | FieldKind::Tick(column)
        | FieldKind::Number(column) => owners.narrow[column as usize],
    }
}

pub(super) fn secs(ns: u64) -> Readable {
    Readable::Double(ns as f64 / 1e9)
}

/// A handle: `INDEX.GENERATION`, behind the number of the population if it is not the first.
pub(super) fn handle(id: AgentId) -> Readable {
    let (population, index) = (id.population().number(), id.index());
    let generation = id.generation();
    Readable::Text(match population {
        0 => format!("{index}.{generation}"),
        _ => format!("{population}:{index}.{generation}"),
    })
}

pub(super) fn held(behaviour: &Behaviour, held: Held<'_>) -> Readable {
    match held {
        Held::One(value) => shown(behaviour, value),
        Held::Unset => Readable::Nothing,
        Held::List(list) => {
            let items = list.iter().map(|item| shown(behaviour, item));
            Readable::List(items.collect())
        }
    }
}

pub(super) fn shown(behaviour: &Behaviour, value: Value) -> Readable {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Float(value) => value.into(),
        Value::Double(value) => value.into(),
        Value::Entity(value) => value.into(),
        Value::Vec2(parts) => parts.map(Readable::from).to_vec().into(),
        Value::Vec3(parts) => parts.map(Readable::from).to_vec().into(),
        Value::Text(text) => text.as_str().into(),
        Value::Enum(list, value) => {
            let values = &behaviour.enumeration(list).values;
            let name = values.get(value as usize);
            name.map_or_else(|| value.into(), |name| name.as_str().into())
        }
    }
}
