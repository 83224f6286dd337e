//! The instructions of compiled expressions, for a machine with stacks whose entries are one value for each of up to
//! 64 agents.

use crate::blackboard::Tag;
use crate::expr::{Arith, Compare, Func};
use crate::ids::KeyId;
use crate::value::Type;

/// The stack that values of a type live on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Mask,
    /// Ints, entities (their bits), enums (their positions) and texts (their places).
    Int,
    /// Floats; vectors are as many entries side by side.
    Float,
    Double,
    /// Values that know what they are.
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

/// How two values of a score become one: `left` and `right`, or a consideration and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    Product,
    Least,
    Most,
    /// `left * right`, the right one clamped to 0–1.
    Weighted,
    /// `left`, moved towards 1 by what the right one is below 1.
    TowardsOne,
}

/// One instruction. `at` is the position of its result; operands stand at `at`, `at + 1`, … of their stack.
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
    /// Who is in a state, from what was laid out before.
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
    /// Only lanes where the mask at `mask` is (not) set count from here on; when there is none, `skip` instructions
    /// are jumped over.
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
    /// The value of a key that agents share, for each of them; a fault of those for whom it is unset.
    LoadShared {
        at: u32,
        key: KeyId,
    },
    /// Whether a key that agents share has a value.
    HasShared {
        at: u32,
        key: KeyId,
    },
    /// How many items there are in a list that agents share.
    LenShared {
        at: u32,
        key: KeyId,
    },
    /// A fault of those whose key is unset, which the column of bits says.
    NeedSet {
        index: u32,
        key: u32,
    },
    /// The entry at `from` again at `at`, on the stack of floats.
    MoveFloat {
        from: u32,
        at: u32,
    },
    /// `+` or `-` of two vectors of `parts` floats, at `at` and behind it.
    ArithVector {
        op: Arith,
        parts: u8,
        at: u32,
    },
    /// `*` or `/` of a vector of `parts` floats at `at` and the float behind it.
    Scale {
        op: Arith,
        parts: u8,
        at: u32,
    },
    Length {
        parts: u8,
        at: u32,
    },
    /// Two vectors of `parts` floats, at `left` and behind it.
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
    /// The value at `from` of the stack of its type.
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
    /// A number between those at `at` and `at + 1`.
    Random {
        class: Class,
        at: u32,
    },
    /// The double at `at`, put on a curve of the code.
    Curve {
        curve: u32,
        at: u32,
    },
    /// Doubles at `at` and `at + 1`.
    Fold {
        fold: Fold,
        at: u32,
    },
    /// Moves a factor towards 1 by so much of what it has.
    Compensate {
        by: f64,
        at: u32,
    },
    /// A value at `at + 2` and its weight behind it, added to the two sums at `at`.
    Gather {
        at: u32,
    },
}

/// How many entries of each stack an expression needs, and how deep conditions are nested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StackSizes {
    pub(crate) masks: u32,
    pub(crate) ints: u32,
    pub(crate) floats: u32,
    pub(crate) doubles: u32,
    pub(crate) values: u32,
    /// How many scores are put down side by side.
    pub(crate) scores: u32,
    pub(crate) active: u32,
    /// How many states of a machine are asked about.
    pub(crate) states: u32,
    /// Whether a key may turn out to be unset.
    pub(crate) unset: bool,
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
        self.states = self.states.max(other.states);
        self.active = self.active.max(other.active);
    }
}
