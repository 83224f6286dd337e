//! Expressions on situations, for one agent: what the code of expressions does with columns, value by value.

use super::layout::{Layout, Place};
use crate::angle::angle;
use crate::behaviour::unforeseeable;
use crate::expr::{Arith, Compare, Expr, Func, NamedCurve, Part, VectorFunc};
use crate::value::{Type, Value};

/// An expression whose keys have become places.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Value(Value),
    Fact(Place),
    Has(Place),
    Len(Place),
    /// The handle of the agent, in this word.
    Me(u32),
    Not(Box<Term>),
    Neg(Box<Term>),
    Arith(Arith, Box<Term>, Box<Term>),
    Scale(Arith, Box<Term>, Box<Term>),
    Part(Part, Box<Term>),
    Vector(Vec<Term>),
    Length(Box<Term>),
    Curve(Box<NamedCurve>, Box<Term>),
    OfVectors(VectorFunc, Vec<Term>),
    Compare(Compare, bool, Box<Term>, Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Between(Box<Term>, Box<Term>, Box<Term>),
    Widen(Type, Box<Term>),
    Call(Func, Vec<Term>),
}

impl Term {
    pub(super) fn new(expr: &Expr, layout: &Layout) -> Self {
        let term = |expr: &Expr| Box::new(Term::new(expr, layout));
        let all = |exprs: &[Expr]| exprs.iter().map(|expr| Term::new(expr, layout)).collect();
        match expr {
            Expr::Value(value) => Term::Value(*value),
            Expr::Key(key, _) => Term::Fact(layout.place(*key)),
            Expr::Has(key) => Term::Has(layout.place(*key)),
            Expr::Len(key) => Term::Len(layout.place(*key)),
            Expr::Me => Term::Me(layout.me),
            Expr::Not(a) => Term::Not(term(a)),
            Expr::Neg(a) => Term::Neg(term(a)),
            Expr::Arith(op, a, b) => Term::Arith(*op, term(a), term(b)),
            Expr::Scale(op, a, b) => Term::Scale(*op, term(a), term(b)),
            Expr::Part(part, a) => Term::Part(*part, term(a)),
            Expr::Vector(parts) => Term::Vector(all(parts)),
            Expr::Length(a) => Term::Length(term(a)),
            Expr::Curve(curve, a) => Term::Curve(curve.clone(), term(a)),
            Expr::OfVectors(func, args) => Term::OfVectors(*func, all(args)),
            Expr::Compare(op, a, b) => Term::Compare(*op, a.ty() == Type::Any, term(a), term(b)),
            Expr::And(a, b) => Term::And(term(a), term(b)),
            Expr::Or(a, b) => Term::Or(term(a), term(b)),
            Expr::If(a, b, c) => Term::If(term(a), term(b), term(c)),
            Expr::Between(a, b, c) => Term::Between(term(a), term(b), term(c)),
            Expr::Widen(to, a) => Term::Widen(*to, term(a)),
            Expr::Call(func, args) => Term::Call(*func, all(args)),
            Expr::Active(_)
            | Expr::Free(_)
            | Expr::Members
            | Expr::Alive(_)
            | Expr::Now
            | Expr::Age(_)
            | Expr::SinceWritten(_)
            | Expr::Index(..)
            | Expr::Contains(..)
            | Expr::Item(..)
            | Expr::Nearest(..)
            | Expr::OfTexts(..)
            | Expr::Random(..) => unreachable!("is refused where a planner is checked"),
        }
    }

    /// The value in a situation; `None` for a fault.
    pub(super) fn eval(&self, situation: &[u64]) -> Option<Value> {
        Some(match self {
            Term::Value(value) => *value,
            Term::Fact(place) => place.value(situation)?,
            Term::Has(place) => Value::Bool(match place.is_list {
                true => place.raw(situation) > 0,
                false => place.is_set(situation),
            }),
            Term::Len(place) => Value::Int(place.raw(situation) as i64),
            Term::Me(word) => Value::Entity(situation[*word as usize]),
            Term::Not(a) => Value::Bool(!a.holds(situation)?),
            Term::Neg(a) => negated(a.eval(situation)?)?,
            Term::Arith(op, a, b) => arith(*op, a.eval(situation)?, b.eval(situation)?)?,
            Term::Scale(op, a, b) => scaled(*op, a.eval(situation)?, b.eval(situation)?),
            Term::Part(part, a) => Value::Float(floats(&a.eval(situation)?)[part.index()]),
            Term::Vector(parts) => vector(parts, situation)?,
            Term::Length(a) => Value::Float(length(floats(&a.eval(situation)?))),
            Term::Curve(named, x) => match x.eval(situation)? {
                Value::Double(x) => {
                    let share = (x - named.from) / (named.to - named.from);
                    Value::Double(named.curve.value(share))
                }
                _ => unreachable!("types are checked before"),
            },
            Term::OfVectors(func, args) => {
                let mut values = [Value::Bool(false); 3];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = arg.eval(situation)?;
                }
                of_vectors(*func, values)
            }
            Term::Compare(op, is_any, a, b) => {
                let (a, b) = (a.eval(situation)?, b.eval(situation)?);
                Value::Bool(compared(*op, *is_any, a, b))
            }
            Term::And(a, b) => Value::Bool(a.holds(situation)? && b.holds(situation)?),
            Term::Or(a, b) => Value::Bool(a.holds(situation)? || b.holds(situation)?),
            Term::If(cond, then, other) => match cond.holds(situation)? {
                true => then.eval(situation)?,
                false => other.eval(situation)?,
            },
            Term::Between(value, low, high) => {
                let value = value.eval(situation)?;
                let (low, high) = (low.eval(situation)?, high.eval(situation)?);
                let is_above = compared(Compare::Le, false, low, value);
                Value::Bool(is_above && compared(Compare::Le, false, value, high))
            }
            Term::Widen(to, a) => {
                let value = a.eval(situation)?;
                value.widened(*to).unwrap_or(value)
            }
            Term::Call(func, args) => {
                let mut values = [Value::Bool(false); 3];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = arg.eval(situation)?;
                }
                called(*func, values)?
            }
        })
    }

    /// Whether it holds; `None` for a fault.
    pub(super) fn holds(&self, situation: &[u64]) -> Option<bool> {
        Some(self.eval(situation)? == Value::Bool(true))
    }
}

fn floats(value: &Value) -> &[f32] {
    match value {
        Value::Vec2(parts) => parts,
        Value::Vec3(parts) => parts,
        _ => unreachable!("types are checked before"),
    }
}

fn vector(parts: &[Term], situation: &[u64]) -> Option<Value> {
    let mut values = [0.0; 3];
    for (value, part) in values.iter_mut().zip(parts) {
        match part.eval(situation)? {
            Value::Float(float) => *value = float,
            _ => unreachable!("types are checked before"),
        }
    }
    let [x, y, z] = values;
    Some(match parts.len() {
        2 => Value::Vec2([x, y]),
        _ => Value::Vec3([x, y, z]),
    })
}

fn length(parts: &[f32]) -> f32 {
    let mut squares = parts[0] * parts[0];
    for part in &parts[1..] {
        squares += part * part;
    }
    squares.sqrt()
}

fn of_vectors(func: VectorFunc, [a, b, by]: [Value; 3]) -> Value {
    let wide = |value: &Value| {
        let mut wide = [0.0; 3];
        for (wide, part) in wide.iter_mut().zip(floats(value)) {
            *wide = f64::from(*part);
        }
        wide
    };
    match func {
        VectorFunc::Dot => {
            let products = floats(&a).iter().zip(floats(&b)).map(|(a, b)| a * b);
            Value::Float(products.reduce(|sum, product| sum + product).unwrap_or(0.0))
        }
        VectorFunc::Angle => Value::Float(angle(wide(&a), wide(&b))),
        VectorFunc::Normalize => match length(floats(&a)) {
            0.0 => by_parts(a, Value::Float(0.0), |_, zero| zero),
            length => scaled(Arith::Div, a, Value::Float(length)),
        },
        VectorFunc::Lerp => {
            let way = by_parts(b, a, |to, from| to - from);
            by_parts(a, scaled(Arith::Mul, way, by), |from, way| from + way)
        }
    }
}

/// Two vectors, or a vector as often as it has parts, part by part.
fn by_parts(a: Value, b: Value, op: impl Fn(f32, f32) -> f32) -> Value {
    match (a, b) {
        (Value::Vec2(a), Value::Vec2(b)) => Value::Vec2([op(a[0], b[0]), op(a[1], b[1])]),
        (Value::Vec3(a), Value::Vec3(b)) => {
            Value::Vec3([op(a[0], b[0]), op(a[1], b[1]), op(a[2], b[2])])
        }
        (Value::Vec2(a), Value::Float(b)) => Value::Vec2(a.map(|part| op(part, b))),
        (Value::Vec3(a), Value::Float(b)) => Value::Vec3(a.map(|part| op(part, b))),
        _ => unreachable!("types are checked before"),
    }
}

fn scaled(op: Arith, vector: Value, by: Value) -> Value {
    match op {
        Arith::Div => by_parts(vector, by, |part, by| part / by),
        _ => by_parts(vector, by, |part, by| part * by),
    }
}

fn negated(value: Value) -> Option<Value> {
    Some(match value {
        Value::Int(value) => Value::Int(value.checked_neg()?),
        Value::Float(value) => Value::Float(-value),
        Value::Double(value) => Value::Double(-value),
        Value::Vec2(parts) => Value::Vec2(parts.map(|part| -part)),
        Value::Vec3(parts) => Value::Vec3(parts.map(|part| -part)),
        _ => unreachable!("types are checked before"),
    })
}

fn arith(op: Arith, a: Value, b: Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Value::Int(match op {
            Arith::Add => a.checked_add(b)?,
            Arith::Sub => a.checked_sub(b)?,
            Arith::Mul => a.checked_mul(b)?,
            Arith::Div => a.checked_div(b)?,
            Arith::Rem => a.checked_rem(b)?,
        }),
        (Value::Float(a), Value::Float(b)) => Value::Float(match op {
            Arith::Add => a + b,
            Arith::Sub => a - b,
            Arith::Mul => a * b,
            Arith::Div => a / b,
            Arith::Rem => a % b,
        }),
        (Value::Double(a), Value::Double(b)) => Value::Double(match op {
            Arith::Add => a + b,
            Arith::Sub => a - b,
            Arith::Mul => a * b,
            Arith::Div => a / b,
            Arith::Rem => a % b,
        }),
        (a, b) if op == Arith::Sub => by_parts(a, b, |a, b| a - b),
        (a, b) => by_parts(a, b, |a, b| a + b),
    })
}

fn compared(op: Compare, is_any: bool, a: Value, b: Value) -> bool {
    match (op, a, b) {
        (Compare::Eq, ..) if is_any => a.is_same(b),
        (Compare::Ne, ..) if is_any => !a.is_same(b),
        (Compare::Eq, ..) => a == b,
        (Compare::Ne, ..) => a != b,
        (_, Value::Int(a), Value::Int(b)) => op.holds(a, b),
        (_, Value::Float(a), Value::Float(b)) => op.holds(a, b),
        (_, Value::Double(a), Value::Double(b)) => op.holds(a, b),
        _ => unreachable!("types are checked before"),
    }
}

macro_rules! real_call {
    ($func:expr, $values:expr, $of:path, $real:ty) => {{
        let number = |index: usize| match $values[index] {
            $of(value) => value,
            _ => unreachable!("types are checked before"),
        };
        // As in the code of expressions: which of two zeros, and what becomes of NaN.
        let least = |a, b| if b < a || number_is_nan(a) { b } else { a };
        let most = |a, b| if b > a || number_is_nan(a) { b } else { a };
        fn number_is_nan<T: PartialOrd>(value: T) -> bool {
            value.partial_cmp(&value).is_none()
        }
        let x = number(0);
        $of(match $func {
            Func::Abs => x.abs(),
            Func::Floor => x.floor(),
            Func::Ceil => x.ceil(),
            Func::Round => x.round(),
            Func::Sqrt => x.sqrt(),
            Func::Min => least(x, number(1)),
            Func::Max => most(x, number(1)),
            Func::Clamp => most(least(x, number(2)), number(1)),
            Func::Lerp => x + (number(1) - x) * number(2),
            Func::BitAnd => (x as i64 & number(1) as i64) as $real,
            Func::BitOr => (x as i64 | number(1) as i64) as $real,
            Func::BitXor => (x as i64 ^ number(1) as i64) as $real,
        })
    }};
}

fn called(func: Func, values: [Value; 3]) -> Option<Value> {
    Some(match values {
        [Value::Float(_), ..] => real_call!(func, values, Value::Float, f32),
        [Value::Double(_), ..] => real_call!(func, values, Value::Double, f64),
        [Value::Int(x), y, z] => {
            let int = |value: Value| match value {
                Value::Int(value) => value,
                _ => unreachable!("types are checked before"),
            };
            Value::Int(match func {
                Func::Min => x.min(int(y)),
                Func::Max => x.max(int(y)),
                Func::Clamp => x.min(int(z)).max(int(y)),
                Func::BitAnd => x & int(y),
                Func::BitOr => x | int(y),
                Func::BitXor => x ^ int(y),
                Func::Abs | Func::Floor | Func::Ceil | Func::Round | Func::Sqrt | Func::Lerp => {
                    x.checked_abs()?
                }
            })
        }
        _ => unreachable!("types are checked before"),
    })
}

/// The value of an expression that says everything itself: it names no key, and nothing of the agent or of chance.
/// `None` if it does not, or for a fault.
pub fn known_value(expr: &Expr) -> Option<Value> {
    let mut pending = vec![expr];
    while let Some(part) = pending.pop() {
        let asks = matches!(part, Expr::Key(..) | Expr::Has(_) | Expr::Len(_) | Expr::Me);
        if asks || unforeseeable(part).is_some() {
            return None;
        }
        pending.extend(part.parts());
    }
    Term::new(expr, &Layout::default()).eval(&[])
}
