//! What columns mean to people who look at the state.

use super::cells::Column;
use crate::ids::{KeyId, NodeId};
use crate::value::Type;

/// What a column or several mean to people who look at the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) holds: FieldKind,
    pub(crate) name: &'static str,
    pub(crate) part: Part,
    /// It means something only while its node runs.
    pub(crate) in_run: bool,
}

/// The columns of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Value(Column, Type),
    /// A wide column with a moment.
    Moment(u32),
    /// A wide column with a moment that has been.
    Past(u32),
    /// A wide column with the number of a tick.
    WideTick(u32),
    /// A narrow column with the low half of the number of a tick.
    Tick(u32),
    /// A narrow column with a number.
    Number(u32),
}

/// The part of a node that a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    State(u32),
    /// What a state remembers of a state inside it.
    StateOf(u32, u32),
    /// A level of a machine's stack.
    Level(u32),
    /// A state on a level of the stack.
    StateAt(u32, u32),
    Transition(u32),
    /// A rule.
    Rule(u32),
    /// A goal and a step of a planner.
    Goal(u32),
    Step(u32),
    /// A test of a decision tree.
    Test(u32),
    Param(u32),
    /// Another node, which the field is about.
    Node(NodeId),
    Key(KeyId),
}

/// What a new column means. Whoever adds one has to say it: what is saved can be looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    /// `None` where the column is shown in another way, or is empty between ticks.
    name: Option<&'static str>,
    part: Part,
    in_run: bool,
}

impl Label {
    /// Shown in another way, or empty between ticks.
    pub(crate) const APART: Self = Self {
        name: None,
        part: Part::Whole,
        in_run: false,
    };

    /// The field of a column with this label, unless it is shown in another way.
    pub(super) fn field(self, holds: FieldKind) -> Option<Field> {
        let Self { name, part, in_run } = self;
        Some(Field {
            holds,
            name: name?,
            part,
            in_run,
        })
    }

    /// Means something only while the node runs.
    pub(crate) fn run(label: impl Into<Self>) -> Self {
        Self {
            in_run: true,
            ..label.into()
        }
    }
}

impl From<&'static str> for Label {
    fn from(name: &'static str) -> Self {
        (name, Part::Whole).into()
    }
}

impl From<(&'static str, Part)> for Label {
    fn from((name, part): (&'static str, Part)) -> Self {
        Self {
            name: Some(name),
            part,
            in_run: false,
        }
    }
}
