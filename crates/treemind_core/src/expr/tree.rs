//! The typed expression tree. Whoever builds one (the document reader, or code) states every conversion.

use crate::ids::KeyId;
use crate::value::{Type, Value};

/// An arithmetic operator. Both sides have the same number type, which is also the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; on `int` a division by zero is a fault
    Div,
    /// `%`, with the sign of the left side, as in Rust; on `int` by zero a fault
    Rem,
}

/// A comparison. Both sides have the same type; `<` and the like want numbers.
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

/// A function of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Func {
    /// `abs(x)` of any number; of the least `int` a fault
    Abs,
    /// `min(a, b)` of two numbers of one type: `b` where it is less or `a` is NaN, else `a`
    Min,
    /// `max(a, b)` of two numbers of one type: `b` where it is more or `a` is NaN, else `a`
    Max,
    /// `clamp(x, low, high)` = `max(min(x, high), low)`, which for `low > high` is `low`
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
}

impl Func {
    /// Every function.
    pub const ALL: [Func; 9] = [
        Func::Abs,
        Func::Min,
        Func::Max,
        Func::Clamp,
        Func::Floor,
        Func::Ceil,
        Func::Round,
        Func::Sqrt,
        Func::Lerp,
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
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Func::Abs | Func::Floor | Func::Ceil | Func::Round | Func::Sqrt => 1,
            Func::Min | Func::Max => 2,
            Func::Clamp | Func::Lerp => 3,
        }
    }

    /// Whether it takes `int`s as well as floats and doubles.
    pub fn takes_int(self) -> bool {
        matches!(self, Func::Abs | Func::Min | Func::Max | Func::Clamp)
    }
}

/// A typed expression. `&&`, `||` and `if` do not evaluate what does not count.
///
/// Int overflow, int division by zero and the like are faults: the node that asked fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A literal.
    Value(Value),
    /// The value of a key, with the key's type.
    Key(KeyId, Type),
    /// `!x`
    Not(Box<Expr>),
    /// `-x`; of the least `int` a fault
    Neg(Box<Expr>),
    /// `left op right`
    Arith(Arith, Box<Expr>, Box<Expr>),
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
    /// The number widened to this type (int → float → double).
    Widen(Type, Box<Expr>),
    /// A function; all arguments have one type, which is also that of the result.
    Call(Func, Vec<Expr>),
}

impl Expr {
    /// The type of the result.
    pub fn ty(&self) -> Type {
        match self {
            Expr::Value(value) => value.ty(),
            Expr::Key(_, ty) => *ty,
            Expr::Not(_) | Expr::Compare(..) | Expr::And(..) | Expr::Or(..) | Expr::Between(..) => {
                Type::Bool
            }
            Expr::Neg(inner) => inner.ty(),
            Expr::Arith(_, left, _) => left.ty(),
            Expr::If(_, then, _) => then.ty(),
            Expr::Widen(to, _) => *to,
            Expr::Call(_, args) => args.first().map_or(Type::Bool, Expr::ty),
        }
    }

    /// Calls `each` with every key in it, from left to right, as often as it stands there.
    pub fn for_each_key(&self, each: &mut impl FnMut(KeyId)) {
        match self {
            Expr::Value(_) => {}
            Expr::Key(key, _) => each(*key),
            Expr::Not(inner) | Expr::Neg(inner) | Expr::Widen(_, inner) => inner.for_each_key(each),
            Expr::Arith(_, left, right)
            | Expr::Compare(_, left, right)
            | Expr::And(left, right)
            | Expr::Or(left, right) => {
                left.for_each_key(each);
                right.for_each_key(each);
            }
            Expr::If(first, second, third) | Expr::Between(first, second, third) => {
                for part in [first, second, third] {
                    part.for_each_key(each);
                }
            }
            Expr::Call(_, args) => args.iter().for_each(|arg| arg.for_each_key(each)),
        }
    }

    /// The expression as `to`: itself, a literal converted, or a [`Expr::Widen`] around it; `None` when the
    /// types do not allow that.
    pub fn widened(self, to: Type) -> Option<Expr> {
        if self.ty() == to {
            return Some(self);
        }
        if let Expr::Value(value) = self {
            return value.widened(to).map(Expr::Value);
        }
        self.ty()
            .widens_to(to)
            .then(|| Expr::Widen(to, Box::new(self)))
    }
}

/// `key = value`; `+=` and the like are written out by whoever builds the statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// The key written.
    pub key: KeyId,
    /// What it becomes; of the key's type.
    pub value: Expr,
}
