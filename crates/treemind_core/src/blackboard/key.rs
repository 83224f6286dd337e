//! The keys of a blackboard, as a document declares them.

use crate::ids::LeafId;
use crate::value::{Type, Value};

/// A key of the blackboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The name in expressions, snake_case.
    pub name: String,
    /// The type; for a list, that of its items.
    pub ty: Type,
    /// The value that a new agent, group or world starts with; of the key's type. It is ignored if the
    /// [`form`](Self::form) says that there is no start value.
    pub default: Value,
    /// How many values it holds.
    pub form: Form,
    /// Who shares it.
    pub scope: Scope,
    /// What becomes of the values that several agents write in one tick; only for shared keys.
    pub merge: Merge,
    /// How the host computes it, if it does; only for the agents' own keys.
    pub sensed: Option<Sensed>,
    /// What it says about events in the agent's mailbox, if it does; only for the agents' own keys. It is computed
    /// whenever a node asks about it.
    pub heard: Option<Heard>,
    /// Whether it lists the other agents of the agent's group, as handles; only for the agents' own lists of entities.
    /// It is computed whenever a node asks about it.
    pub mates: bool,
    /// One line for people.
    pub doc: Option<String>,
}

/// What a key says about the first event of a name in the agent's mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heard {
    /// The event.
    pub event: LeafId,
    /// A part of it: the key is optional, and unset if there is none. Without a part it is a `bool`: whether there is
    /// one.
    pub part: Option<EventPart>,
}

/// A part of an event that an agent has received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventPart {
    /// The value of a parameter, by its position among those of the event.
    Param(usize),
    /// Who sent it: the handle of an agent as an entity, or 0 for the host.
    Sender,
}

impl Key {
    /// The value of a new agent's key that is no list; `None` if it begins without one.
    pub(crate) fn start(&self) -> Option<Value> {
        match self.form {
            Form::Optional { starts_set: false } | Form::List { .. } => None,
            Form::One | Form::Optional { starts_set: true } => Some(self.default),
        }
    }

    /// Whether nodes cannot write it, because it is computed.
    pub fn is_computed(&self) -> bool {
        self.sensed.is_some() || self.heard.is_some() || self.mates
    }

    /// An agent's own key that always has a value, of the type of its default.
    pub fn new(name: impl Into<String>, default: Value) -> Self {
        Self {
            name: name.into(),
            ty: default.ty(),
            default,
            form: Form::One,
            scope: Scope::Agent,
            merge: Merge::Last,
            sensed: None,
            heard: None,
            mates: false,
            doc: None,
        }
    }
}

/// How many values a key holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Form {
    /// Always one.
    #[default]
    One,
    /// One, or none while it is unset.
    Optional {
        /// Whether a new agent starts with the key's default; otherwise the key starts unset.
        starts_set: bool,
    },
    /// Any number of values up to a bound, in order.
    List {
        /// The largest number of items: from 1 to [`MAX_LIST`](crate::MAX_LIST).
        bound: u32,
        /// The items that a new agent starts with: of the key's type, no more than the bound.
        items: Vec<Value>,
    },
}

impl Form {
    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        matches!(self, Form::List { .. })
    }

    /// Whether it can be without a value: optional, or a list.
    pub fn can_be_unset(&self) -> bool {
        *self != Form::One
    }
}

/// How a shared key combines the values that are written in one tick, whether by one agent or by several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Merge {
    /// The last value of the last agent stays.
    #[default]
    Last,
    /// The changes are added up: how far each value is from the one at the start of the tick. For numbers.
    Add,
    /// The least value stays; for `bool`, whether all are true.
    Min,
    /// The greatest value stays; for `bool`, whether any is true.
    Max,
}

impl Merge {
    /// The value after another write, given the value at the start of the tick and that of the writes so
    /// far; `None` when a sum overflows.
    pub(crate) fn of(self, start: Value, so_far: Option<Value>, written: Value) -> Option<Value> {
        use Value::{Bool, Double, Float, Int};
        let before = match (self, so_far) {
            (Merge::Add, so_far) => so_far.unwrap_or(start),
            (_, None) | (Merge::Last, _) => return Some(written),
            (_, Some(so_far)) => so_far,
        };
        Some(match (before, written, start) {
            (Int(before), Int(written), Int(start)) if self == Merge::Add => {
                let sum = i128::from(before) + i128::from(written) - i128::from(start);
                Int(i64::try_from(sum).ok()?)
            }
            (Float(before), Float(written), Float(start)) if self == Merge::Add => {
                Float(before + (written - start))
            }
            (Double(before), Double(written), Double(start)) if self == Merge::Add => {
                Double(before + (written - start))
            }
            (Int(before), Int(written), _) => Int(self.choose(before, written)),
            // As the functions `min` and `max` of expressions: a number beats NaN.
            (Float(before), Float(written), _) if !before.is_nan() => {
                Float(self.choose(before, written))
            }
            (Double(before), Double(written), _) if !before.is_nan() => {
                Double(self.choose(before, written))
            }
            (Bool(before), Bool(written), _) => Bool(self.choose(before, written)),
            // Keys of other types are not merged.
            _ => written,
        })
    }

    /// The less or the greater of two values; the first if none is.
    fn choose<T: PartialOrd>(self, before: T, written: T) -> T {
        let replaces = match self {
            Merge::Min => written < before,
            _ => written > before,
        };
        if replaces { written } else { before }
    }

    /// Whether keys of this type can be merged like this.
    pub fn takes(self, ty: Type) -> bool {
        match self {
            Merge::Last => true,
            Merge::Add => ty.is_number(),
            Merge::Min | Merge::Max => ty.is_number() || ty == Type::Bool,
        }
    }
}

/// Where the value of a sensed key comes from, which the host computes when it is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensed {
    /// The sensor.
    pub sensor: LeafId,
    /// One value per parameter, in the sensor's order.
    pub args: Vec<Value>,
    /// The seconds that must pass before it is computed again, finite and not negative; without it, it may be
    /// computed again in the next tick.
    pub interval_secs: Option<f64>,
}

/// An enumeration: the names of its values, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// The names of the values.
    pub values: Vec<String>,
}

/// Who shares something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Nobody: every agent has its own.
    #[default]
    Agent,
    /// The agents of a group.
    Group,
    /// All agents.
    World,
}
