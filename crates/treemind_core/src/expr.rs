//! The typed expression tree. Its builder (the document reader, or code) makes every conversion explicit.

mod time;

pub use time::Time;

use crate::curve::Curve;
use crate::ids::{KeyId, SemaphoreId, StateIndex};
use crate::text::Text;
use crate::value::{Type, Value};

/// An arithmetic operator. Both sides have the same number type, which is also the type of the result; `+` and `-`
/// also take two vectors of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; division of an `int` by zero is a fault
    Div,
    /// `%`, with the sign of the left side, as in Rust; for an `int`, `% 0` is a fault
    Rem,
}

/// A comparison. Both sides have the same type; `<`, `<=`, `>` and `>=` need numbers. `==` for type `any` is
/// [`Value::is_same`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Compare {
    /// Compares two numbers.
    #[inline]
    pub(crate) fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Compare::Eq => left == right,
            Compare::Ne => left != right,
            Compare::Lt => left < right,
            Compare::Le => left <= right,
            Compare::Gt => left > right,
            Compare::Ge => left >= right,
        }
    }
}

/// A function of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Func {
    /// `abs(x)` of any number; for the least `int` it is a fault
    Abs,
    /// `min(a, b)` of two numbers of one type: `b` if it is less or `a` is NaN, else `a`
    Min,
    /// `max(a, b)` of two numbers of one type: `b` if it is more or `a` is NaN, else `a`
    Max,
    /// `clamp(x, low, high)` = `max(min(x, high), low)`, which is `low` if `low > high`
    Clamp,
    /// `floor(x)` of a float or double
    Floor,
    /// `ceil(x)` of a float or double
    Ceil,
    /// `round(x)` of a float or double, halves away from zero
    Round,
    /// `sqrt(x)` of a float or double; NaN below zero
    Sqrt,
    /// `lerp(a, b, t)` = `a + (b - a) * t` of floats or doubles
    Lerp,
    /// `bit_and(a, b)`: the bits that both have. Floats and doubles are cut to whole numbers of 64 bits
    BitAnd,
    /// `bit_or(a, b)`: the bits that one of them has, or both
    BitOr,
    /// `bit_xor(a, b)`: the bits that only one of them has
    BitXor,
}

impl Func {
    /// Every function.
    pub const ALL: [Func; 12] = [
        Func::Abs,
        Func::Min,
        Func::Max,
        Func::Clamp,
        Func::Floor,
        Func::Ceil,
        Func::Round,
        Func::Sqrt,
        Func::Lerp,
        Func::BitAnd,
        Func::BitOr,
        Func::BitXor,
    ];

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Func::Abs => "abs",
            Func::Min => "min",
            Func::Max => "max",
            Func::Clamp => "clamp",
            Func::Floor => "floor",
            Func::Ceil => "ceil",
            Func::Round => "round",
            Func::Sqrt => "sqrt",
            Func::Lerp => "lerp",
            Func::BitAnd => "bit_and",
            Func::BitOr => "bit_or",
            Func::BitXor => "bit_xor",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Func::Abs | Func::Floor | Func::Ceil | Func::Round | Func::Sqrt => 1,
            Func::Min | Func::Max | Func::BitAnd | Func::BitOr | Func::BitXor => 2,
            Func::Clamp | Func::Lerp => 3,
        }
    }

    /// Whether it takes `int`s as well as floats and doubles.
    pub fn takes_int(self) -> bool {
        matches!(
            self,
            Func::Abs
                | Func::Min
                | Func::Max
                | Func::Clamp
                | Func::BitAnd
                | Func::BitOr
                | Func::BitXor
        )
    }
}

/// A function of vectors of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VectorFunc {
    /// `dot(a, b)`, a float: x·x + y·y (+ z·z) in 32 bits, added from the left
    Dot,
    /// `angle(a, b)`, a float: the angle between two vectors in degrees, from 0 to 180; 0 if one of them is zero
    Angle,
    /// `normalize(v)`: `v / length(v)`; zero if the length is 0
    Normalize,
    /// `lerp(a, b, t)` = `a + (b - a) * t`, component by component; `t` is a float
    Lerp,
}

impl VectorFunc {
    /// Every function.
    pub const ALL: [VectorFunc; 4] = [
        VectorFunc::Dot,
        VectorFunc::Angle,
        VectorFunc::Normalize,
        VectorFunc::Lerp,
    ];

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            VectorFunc::Dot => "dot",
            VectorFunc::Angle => "angle",
            VectorFunc::Normalize => "normalize",
            VectorFunc::Lerp => "lerp",
        }
    }

    /// How many of its arguments, which come first, are vectors.
    pub fn vectors(self) -> usize {
        match self {
            VectorFunc::Normalize => 1,
            VectorFunc::Dot | VectorFunc::Angle | VectorFunc::Lerp => 2,
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        self.vectors() + usize::from(self == VectorFunc::Lerp)
    }

    /// Whether it gives a vector rather than a float.
    pub fn gives_vector(self) -> bool {
        matches!(self, VectorFunc::Normalize | VectorFunc::Lerp)
    }
}

/// A function of values of type `any`, texts as a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFunc {
    /// `joined(a, b)`, a text: one behind the other, [`Value::in_text`]; a fault if it is longer than
    /// [`TextFunc::LONGEST`]
    Joined,
    /// `text_order(a, b)`, an `int`: [`Value::text_order`]; a fault if there is none
    Order,
    /// `likeness(a, b)`, an `int`: [`Value::likeness`]; a fault if there is none
    Likeness,
    /// `spelled_alike(a, b)`, a `bool`: [`Value::is_spelled_alike`]
    SpelledAlike,
    /// `int(x)`, an `int`: [`Value::whole`]; a fault if it is none
    Int,
    /// `double(x)`, a `double`: [`Value::number`]; a fault if it is none
    Double,
    /// `number(x)`, a `double`: [`Value::strict_number`]; a fault if it is none
    Number,
    /// `leading_int(x)`, an `int`: [`Value::leading_whole`]; a fault if it is none
    LeadingInt,
}

impl TextFunc {
    /// Every function.
    pub const ALL: [TextFunc; 8] = [
        TextFunc::Joined,
        TextFunc::Order,
        TextFunc::Likeness,
        TextFunc::SpelledAlike,
        TextFunc::Int,
        TextFunc::Double,
        TextFunc::Number,
        TextFunc::LeadingInt,
    ];

    /// How many bytes a text that is joined may have.
    pub const LONGEST: usize = 4096;

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            TextFunc::Joined => "joined",
            TextFunc::Order => "text_order",
            TextFunc::Likeness => "likeness",
            TextFunc::SpelledAlike => "spelled_alike",
            TextFunc::Int => "int",
            TextFunc::Double => "double",
            TextFunc::Number => "number",
            TextFunc::LeadingInt => "leading_int",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            TextFunc::Joined | TextFunc::Order | TextFunc::Likeness | TextFunc::SpelledAlike => 2,
            TextFunc::Int | TextFunc::Double | TextFunc::Number | TextFunc::LeadingInt => 1,
        }
    }

    /// The type of the result.
    pub fn ty(self) -> Type {
        match self {
            TextFunc::Joined => Type::Text,
            TextFunc::SpelledAlike => Type::Bool,
            TextFunc::Order | TextFunc::Likeness | TextFunc::Int | TextFunc::LeadingInt => {
                Type::Int
            }
            TextFunc::Double | TextFunc::Number => Type::Double,
        }
    }

    /// The result; `None` for a fault. A function of one value does not look at `b`.
    pub fn of(self, a: Value, b: Value) -> Option<Value> {
        match self {
            TextFunc::Joined => {
                let (a, b) = (a.in_text(), b.in_text());
                let length = a.len() + b.len();
                (length <= TextFunc::LONGEST).then(|| Value::Text(Text::new(&format!("{a}{b}"))))
            }
            TextFunc::Order => a.text_order(b).map(Value::Int),
            TextFunc::Likeness => a.likeness(b).map(Value::Int),
            TextFunc::SpelledAlike => Some(Value::Bool(a.is_spelled_alike(b))),
            TextFunc::Int => a.whole().map(Value::Int),
            TextFunc::Double => a.number().map(Value::Double),
            TextFunc::Number => a.strict_number().map(Value::Double),
            TextFunc::LeadingInt => a.leading_whole().map(Value::Int),
        }
    }
}

/// A curve with a name, and the range of the quantity that it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCurve {
    /// The name in documents.
    pub name: String,
    /// Where the curve begins: less than `to`.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The curve, from 0 to 1.
    pub curve: Curve,
}

impl NamedCurve {
    /// Checks that both ends are finite and in order, and that the curve is valid.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        if !(self.from < self.to && (self.to - self.from).is_finite()) {
            return Err(format!("the curve `{}` has no length", self.name));
        }
        self.curve.check()
    }
}

/// A component of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `.x`
    X,
    /// `.y`
    Y,
    /// `.z`, only for a `vec3`
    Z,
}

impl Part {
    /// Every component, in order.
    pub const ALL: [Part; 3] = [Part::X, Part::Y, Part::Z];

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Part::X => "x",
            Part::Y => "y",
            Part::Z => "z",
        }
    }

    /// Its position in the vector, from 0.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A typed expression. `&&`, `||` and `if` evaluate only the sides that they need.
///
/// Int overflow, int division by zero, reading an unset key and similar errors are faults: the node that evaluates
/// the expression fails.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Expr {
    /// A literal.
    Value(Value),
    /// The value of a key that is not a list, with the key's type; a fault when it is unset.
    Key(KeyId, Type),
    /// `has(key)`: whether an optional key has a value, or a list has an item
    Has(KeyId),
    /// `In(state)`: whether a state of the innermost machine around the node is active. In a test of a machine
    /// itself, this is that machine; its guards are outside of it.
    Active(StateIndex),
    /// The number of free places of a semaphore; for a shared semaphore, the number at the start of the tick.
    Free(SemaphoreId),
    /// `me()`: the handle of the agent, an `entity`
    Me,
    /// `members()`: how many agents are in the group of the agent, with itself, an `int`; as it was at the start of the
    /// tick, or of the step of a society.
    Members,
    /// `now()`: the clock in seconds, a `double`
    Now,
    /// `age(key)`: seconds since a key that is not a list last changed, a `double`
    Age(KeyId),
    /// `since_written(key)`: seconds since a key was last written, a `double`
    SinceWritten(KeyId),
    /// `alive(agent)`: whether the agent with this handle was there at the start of the tick, or of the step
    Alive(Box<Expr>),
    /// `len(key)`: how many items a list has, an `int`
    Len(KeyId),
    /// `index(list, value)`: the place of the first item that is equal to a value, from 0, or -1; an `int`
    Index(KeyId, Box<Expr>),
    /// `contains(list, value)`: whether an item is equal to a value
    Contains(KeyId, Box<Expr>),
    /// `item(list, place)`: the item at a place from 0, an `int`, with the type of the list; a fault where there is none
    Item(KeyId, Type, Box<Expr>),
    /// `nearest(list, x)`: the item of a list of numbers or vectors that is nearest to x; a fault if there is none
    Nearest(KeyId, Type, Box<Expr>),
    /// `!x`
    Not(Box<Expr>),
    /// `-x` of a number or a vector; for the least `int` it is a fault
    Neg(Box<Expr>),
    /// `left op right`
    Arith(Arith, Box<Expr>, Box<Expr>),
    /// `vector * float` or `vector / float`, component by component; no other operator
    Scale(Arith, Box<Expr>, Box<Expr>),
    /// `vector.x`, a float
    Part(Part, Box<Expr>),
    /// `vec2(x, y)` or `vec3(x, y, z)` of floats
    Vector(Vec<Expr>),
    /// `length(vector)`, a float: √(x·x + y·y (+ z·z)) in 32 bits, added from the left; `distance(a, b)` is the
    /// length of `a - b`
    Length(Box<Expr>),
    /// `NAME(x)` of a `double`, a `double`: the curve at `(x - from) / (to - from)`
    Curve(Box<NamedCurve>, Box<Expr>),
    /// A function of vectors; all vectors among its arguments have one type.
    OfVectors(VectorFunc, Vec<Expr>),
    /// A function of values of type `any`.
    OfTexts(TextFunc, Vec<Expr>),
    /// `left op right`
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// `left && right`
    And(Box<Expr>, Box<Expr>),
    /// `left || right`
    Or(Box<Expr>, Box<Expr>),
    /// `if cond { then } else { other }`: condition, then, other; both of one type
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `value in low..=high`: value, low, high, all of one number type
    Between(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The value widened to this type (int → float → double, or anything → any).
    Widen(Type, Box<Expr>),
    /// A function; all arguments have one type, which is also the type of the result.
    Call(Func, Vec<Expr>),
    /// `random(a, b)` of two numbers of one type, drawn again at each evaluation: [`Draw::int_between`],
    /// [`Draw::double_between`]. Not allowed where an expression is evaluated again and again: in guards, weights
    /// and the cases of a `switch`.
    ///
    /// [`Draw::int_between`]: crate::chance::Draw::int_between
    /// [`Draw::double_between`]: crate::chance::Draw::double_between
    Random(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The type of the result.
    pub fn ty(&self) -> Type {
        match self {
            Expr::Value(value) => value.ty(),
            Expr::Key(_, ty) => *ty,
            Expr::Not(_)
            | Expr::Compare(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Between(..)
            | Expr::Active(_)
            | Expr::Alive(_)
            | Expr::Contains(..)
            | Expr::Has(_) => Type::Bool,
            Expr::Len(_) | Expr::Free(_) | Expr::Members | Expr::Index(..) => Type::Int,
            Expr::Item(_, ty, _) | Expr::Nearest(_, ty, _) => *ty,
            Expr::Me => Type::Entity,
            Expr::Now | Expr::Age(_) | Expr::SinceWritten(_) | Expr::Curve(..) => Type::Double,
            Expr::Part(..) | Expr::Length(_) => Type::Float,
            Expr::OfTexts(func, ..) => func.ty(),
            Expr::OfVectors(func, _) if !func.gives_vector() => Type::Float,
            Expr::OfVectors(_, args) => args.first().map_or(Type::Float, Expr::ty),
            Expr::Vector(parts) if parts.len() == 2 => Type::Vec2,
            Expr::Vector(_) => Type::Vec3,
            Expr::Neg(inner) => inner.ty(),
            Expr::Arith(_, left, _) | Expr::Scale(_, left, _) | Expr::Random(left, _) => left.ty(),
            Expr::If(_, then, _) => then.ty(),
            Expr::Widen(to, _) => *to,
            Expr::Call(_, args) => args.first().map_or(Type::Bool, Expr::ty),
        }
    }

    /// Calls `each` with every key in the expression, from left to right, as often as it occurs.
    pub fn for_each_key(&self, each: &mut (impl FnMut(KeyId) + ?Sized)) {
        match self {
            Expr::Key(key, _)
            | Expr::Has(key)
            | Expr::Len(key)
            | Expr::Age(key)
            | Expr::SinceWritten(key) => each(*key),
            Expr::Index(key, inner)
            | Expr::Contains(key, inner)
            | Expr::Item(key, _, inner)
            | Expr::Nearest(key, _, inner) => {
                each(*key);
                inner.for_each_key(each);
            }
            _ => self.parts().for_each(|part| part.for_each_key(each)),
        }
    }

    /// The expression as `to`: itself, a converted literal, or a [`Expr::Widen`] around it; `None` when the types
    /// do not allow it.
    pub fn widened(self, to: Type) -> Option<Expr> {
        if self.ty() == to {
            return Some(self);
        }
        if let Expr::Value(value) = self
            && to != Type::Any
        {
            return value.widened(to).map(Expr::Value);
        }
        self.ty()
            .widens_to(to)
            .then(|| Expr::Widen(to, Box::new(self)))
    }

    /// Its subexpressions, from left to right.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (boxed, more): ([Option<&Expr>; 3], &[Expr]) = match self {
            Expr::Value(_)
            | Expr::Key(..)
            | Expr::Has(_)
            | Expr::Active(_)
            | Expr::Len(_)
            | Expr::Me
            | Expr::Members
            | Expr::Now
            | Expr::Age(_)
            | Expr::SinceWritten(_)
            | Expr::Free(_) => ([None; 3], &[]),
            Expr::Not(a)
            | Expr::Alive(a)
            | Expr::Neg(a)
            | Expr::Part(_, a)
            | Expr::Length(a)
            | Expr::Curve(_, a)
            | Expr::Index(_, a)
            | Expr::Contains(_, a)
            | Expr::Item(_, _, a)
            | Expr::Nearest(_, _, a)
            | Expr::Widen(_, a) => ([Some(a), None, None], &[]),
            Expr::Arith(_, a, b)
            | Expr::Scale(_, a, b)
            | Expr::Compare(_, a, b)
            | Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Random(a, b) => ([Some(a), Some(b), None], &[]),
            Expr::If(a, b, c) | Expr::Between(a, b, c) => ([Some(a), Some(b), Some(c)], &[]),
            Expr::Vector(all)
            | Expr::Call(_, all)
            | Expr::OfVectors(_, all)
            | Expr::OfTexts(_, all) => ([None; 3], all),
        };
        boxed.into_iter().flatten().chain(more)
    }

    /// Whether it, or one of its subexpressions, draws a random number.
    pub fn draws(&self) -> bool {
        let mut pending = vec![self];
        while let Some(expr) = pending.pop() {
            if matches!(expr, Expr::Random(..)) {
                return true;
            }
            pending.extend(expr.parts());
        }
        false
    }
}

/// What a statement does to its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// `key = value`.
    Set,
    /// `list += value`: adds an item at the end.
    Add,
    /// `list -= value`: removes the first item that is equal to the value, if there is one.
    Remove,
}

/// A statement such as `key = value`; the builder writes `+=` and similar operators of numbers and vectors out.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// The key written.
    pub key: KeyId,
    /// What is done to it: lists are added to and removed from, other keys are set.
    pub change: Change,
    /// Its new value, of the key's type; of a list, the item.
    pub value: Expr,
}

impl Assign {
    /// `key = value`
    pub fn set(key: KeyId, value: Expr) -> Self {
        let change = Change::Set;
        Self { key, change, value }
    }
}
