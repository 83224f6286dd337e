//! The instructions of compiled expressions, for a machine with stacks whose entries are one value for each of up to
//! 64 agents.

use crate::blackboard::{Since, Tag};
use crate::expr::{Arith, Compare, Func, TextFunc, VectorFunc};
use crate::ids::KeyId;
use crate::network::DeskSizes;
use crate::value::Type;

/// The stack that holds values of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Mask,
    /// Ints, entities (their bits), enums (their positions) and texts (their places).
    Int,
    /// Floats; a vector is several neighbouring entries.
    Float,
    Double,
    /// Values with a tag for their type.
    Any,
}

impl Class {
    /// The stack of a type, and how many entries a value takes.
    pub(super) fn of(ty: Type) -> (Self, u32) {
        match ty {
            Type::Bool => (Class::Mask, 1),
            Type::Int | Type::Entity | Type::Enum(_) | Type::Text => (Class::Int, 1),
            Type::Float => (Class::Float, 1),
            Type::Vec2 => (Class::Float, 2),
            Type::Vec3 => (Class::Float, 3),
            Type::Double => (Class::Double, 1),
            Type::Any => (Class::Any, 1),
        }
    }
}

/// How two values of a score are combined: `left` and `right`, or a consideration and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    Product,
    Least,
    Most,
    /// `left * right`, with the right one clamped to 0–1.
    Weighted,
    /// `left`, moved towards 1 by the amount by which the right one is below 1.
    TowardsOne,
}

/// One instruction. `at` is the position of its result; operands are at `at`, `at + 1`, … of their stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ExprOp {
    ConstMask {
        at: u32,
        value: bool,
    },
    ConstInt {
        at: u32,
        value: i64,
    },
    ConstFloat {
        at: u32,
        value: f32,
    },
    ConstDouble {
        at: u32,
        value: f64,
    },
    LoadMask {
        at: u32,
        index: u32,
    },
    /// Which agents are in a state, from the states loaded before.
    LoadState {
        at: u32,
        number: u32,
    },
    LoadInt {
        at: u32,
        index: u32,
    },
    /// An enum's position, a text's place or the length of a list, from a 32-bit column.
    LoadPosition {
        at: u32,
        index: u32,
    },
    LoadFloat {
        at: u32,
        index: u32,
    },
    LoadDouble {
        at: u32,
        index: u32,
    },
    Not {
        at: u32,
    },
    And {
        at: u32,
    },
    Or {
        at: u32,
    },
    /// Mask operands.
    SameMask {
        at: u32,
        negated: bool,
    },
    Neg {
        class: Class,
        at: u32,
    },
    Arith {
        op: Arith,
        class: Class,
        at: u32,
    },
    /// Operands at `left` and `left + 1` of the class's stack.
    Compare {
        op: Compare,
        class: Class,
        left: u32,
        at: u32,
    },
    /// A float column against a literal: by far the most common test.
    CompareFloatColumn {
        op: Compare,
        index: u32,
        value: f32,
        at: u32,
    },
    /// Operands (value, low, high) at `left`, `left + 1`, `left + 2`.
    Between {
        class: Class,
        left: u32,
        at: u32,
    },
    Call {
        func: Func,
        class: Class,
        at: u32,
    },
    IntToFloat {
        from: u32,
        at: u32,
    },
    IntToDouble {
        from: u32,
        at: u32,
    },
    FloatToDouble {
        from: u32,
        at: u32,
    },
    /// From here on, only lanes count where the mask at `mask` is set (or is not set); if there is none, `skip`
    /// instructions are skipped.
    Enter {
        mask: u32,
        negated: bool,
        skip: u32,
    },
    Leave,
    /// `mask[mask] ? stack[at] : stack[at + 1]`.
    Select {
        class: Class,
        mask: u32,
        at: u32,
    },
    /// `mask[at] ? mask[at + 1] : mask[at + 2]`.
    SelectMask {
        at: u32,
    },
    /// The value of a shared key, for each agent; a fault for the agents for whom it is unset.
    LoadShared {
        at: u32,
        key: KeyId,
    },
    /// Whether a shared key has a value.
    HasShared {
        at: u32,
        key: KeyId,
    },
    /// The place of a value in a list, or whether it is there, as an int: the value is at `at` of the stack of its type.
    FindItem {
        key: KeyId,
        at: u32,
        to: u32,
    },
    /// The item of a list at the place at `from` of the stack of ints.
    LoadItem {
        key: KeyId,
        from: u32,
        at: u32,
    },
    /// The item of a list that is nearest to the value at `at` of the stack of its type, in whose place it is put.
    LoadNearest {
        key: KeyId,
        at: u32,
    },
    /// How many items a shared list has.
    LenShared {
        at: u32,
        key: KeyId,
    },
    /// The handle of each agent.
    LoadMe {
        at: u32,
    },
    /// How many agents the group of each agent has.
    LoadMembers {
        at: u32,
    },
    /// The clock, in seconds.
    LoadNow {
        at: u32,
    },
    /// Seconds since a key was written or has changed.
    LoadAge {
        key: KeyId,
        since: Since,
        at: u32,
    },
    /// Whether the agents live whose handles are at `from` of the stack of ints.
    Alive {
        from: u32,
        at: u32,
    },
    /// A fault for the agents whose key is unset, according to the column of bits.
    NeedSet {
        index: u32,
        key: u32,
    },
    /// Copies the entry at `from` to `at`, on the stack of floats.
    MoveFloat {
        from: u32,
        at: u32,
    },
    /// `+` or `-` of two vectors of `parts` floats, at `at` and after it.
    ArithVector {
        op: Arith,
        parts: u8,
        at: u32,
    },
    /// `*` or `/` of a vector of `parts` floats at `at` and the float after it.
    Scale {
        op: Arith,
        parts: u8,
        at: u32,
    },
    Length {
        parts: u8,
        at: u32,
    },
    /// A function of vectors of `parts` floats, at `at` and after it.
    OfVectors {
        func: VectorFunc,
        parts: u8,
        at: u32,
    },
    /// A function of the values of any type at `from` and after it, with a bool, an int, a double or a text as
    /// its result.
    OfTexts {
        func: TextFunc,
        from: u32,
        at: u32,
    },
    /// Whether two vectors of `parts` floats, at `left` and after it, are equal.
    SameVector {
        parts: u8,
        negated: bool,
        left: u32,
        at: u32,
    },
    SelectVector {
        parts: u8,
        mask: u32,
        at: u32,
    },
    LoadAny {
        at: u32,
        wide: u32,
        narrow: u32,
    },
    /// Converts the value at `from` of its type's stack to a value of any type.
    ToAny {
        tag: Tag,
        from: u32,
        at: u32,
    },
    EnumToAny {
        list: u32,
        from: u32,
        at: u32,
    },
    SameAny {
        negated: bool,
        left: u32,
        at: u32,
    },
    SelectAny {
        mask: u32,
        at: u32,
    },
    /// A random number between those at `at` and `at + 1`.
    Random {
        class: Class,
        at: u32,
    },
    /// The value of one of the code's curves for the double at `at`.
    Curve {
        curve: u32,
        at: u32,
    },
    /// Combines the doubles at `at` and `at + 1`.
    Fold {
        fold: Fold,
        at: u32,
    },
    /// Moves a factor towards 1 by a share of itself.
    Compensate {
        by: f64,
        at: u32,
    },
    /// Adds a value at `at + 2` and its weight after it to the two sums at `at`.
    Gather {
        at: u32,
    },
}

/// How many entries of each stack an expression needs, and how deeply conditions are nested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StackSizes {
    pub(crate) masks: u32,
    pub(crate) ints: u32,
    pub(crate) floats: u32,
    pub(crate) doubles: u32,
    pub(crate) values: u32,
    /// How many scores are stored side by side.
    pub(crate) scores: u32,
    pub(crate) active: u32,
    /// How many states of a machine it asks about.
    pub(crate) states: u32,
    /// Whether a key may be found unset.
    pub(crate) unset: bool,
    /// What networks need.
    pub(crate) networks: DeskSizes,
}

impl StackSizes {
    pub(crate) fn cover(&mut self, other: StackSizes) {
        self.masks = self.masks.max(other.masks);
        self.ints = self.ints.max(other.ints);
        self.floats = self.floats.max(other.floats);
        self.doubles = self.doubles.max(other.doubles);
        self.values = self.values.max(other.values);
        self.scores = self.scores.max(other.scores);
        self.unset |= other.unset;
        self.networks.cover(other.networks);
        self.states = self.states.max(other.states);
        self.active = self.active.max(other.active);
    }
}
