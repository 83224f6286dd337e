//! The value of an expression for one agent.

use super::texts::of_texts;
use super::{Age, Cell};
use std::collections::BTreeSet;
use treemind_core::behaviour::{Key, StateIndex};
use treemind_core::chance::Draw;
use treemind_core::expr::{Arith, Compare, Func, VectorFunc};
use treemind_core::{Expr, FaultKind, KeyId, SemaphoreId, Text, Type, Value};

/// The context of an evaluation.
pub struct Surroundings<'a> {
    /// The keys of the behaviour.
    pub keys: &'a [Key],
    /// What each of them holds.
    pub cells: &'a [Cell],
    /// The active states of the machine around it.
    pub active: &'a BTreeSet<StateIndex>,
    /// Gives the next draw of the node that evaluates.
    pub draw: &'a mut dyn FnMut() -> Draw,
    /// How many places of a semaphore are free.
    pub free: &'a dyn Fn(SemaphoreId) -> i64,
    /// The handle of the agent.
    pub me: u64,
    /// How many agents are in its group.
    pub members: i64,
    /// The handles of all agents.
    pub alive: &'a BTreeSet<u64>,
    /// The clock.
    pub now_ns: u64,
    /// When each key was written, and when it changed.
    pub ages: &'a [Age],
}

/// Evaluates an expression from left to right; parts that do not matter are not evaluated.
///
/// # Errors
/// The first fault.
///
/// # Panics
/// When the expression is not well typed, which [`Behaviour::new`](treemind_core::Behaviour::new) refuses.
pub fn eval(expr: &Expr, around: &mut Surroundings<'_>) -> Result<Value, FaultKind> {
    Ok(match expr {
        Expr::Value(value) => *value,
        Expr::Key(key, _) => read(*key, around)?,
        Expr::Has(key) => Value::Bool(match &around.cells[key.index()] {
            Cell::One(_) => true,
            Cell::Unset => false,
            Cell::List(items) => !items.is_empty(),
        }),
        Expr::Active(state) => Value::Bool(around.active.contains(state)),
        Expr::Len(key) => match &around.cells[key.index()] {
            Cell::List(items) => Value::Int(items.len() as i64),
            other => unreachable!("{other:?} is no list"),
        },
        Expr::Index(key, value) => {
            let wanted = eval(value, around)?;
            let place = place_of(*key, wanted, around);
            Value::Int(place.map_or(-1, |place| place as i64))
        }
        Expr::Contains(key, value) => {
            let wanted = eval(value, around)?;
            Value::Bool(place_of(*key, wanted, around).is_some())
        }
        Expr::Item(key, _, place) => {
            let place = match eval(place, around)? {
                Value::Int(place) => place,
                other => unreachable!("{other} is no int"),
            };
            let Cell::List(items) = &around.cells[key.index()] else {
                unreachable!("it is a list");
            };
            let item = usize::try_from(place).ok();
            let item = item.and_then(|place| items.get(place));
            let name = &around.keys[key.index()].name;
            *item.ok_or_else(|| FaultKind::NoItem {
                list: Text::new(name),
                place: Some(place),
                length: items.len() as u32,
            })?
        }
        Expr::Nearest(key, _, to) => {
            let to = eval(to, around)?;
            let Cell::List(items) = &around.cells[key.index()] else {
                unreachable!("it is a list");
            };
            let mut best: Option<(Value, f64)> = None;
            for item in items {
                let far = far(*item, to);
                if best.is_none_or(|(than, least)| nearer((*item, far), (than, least), to)) {
                    best = Some((*item, far));
                }
            }
            let name = &around.keys[key.index()].name;
            best.ok_or_else(|| FaultKind::NoItem {
                list: Text::new(name),
                place: None,
                length: 0,
            })?
            .0
        }
        Expr::Free(semaphore) => Value::Int((around.free)(*semaphore)),
        Expr::Me => Value::Entity(around.me),
        Expr::Members => Value::Int(around.members),
        Expr::Now => Value::Double(around.now_ns as f64 / 1e9),
        Expr::Age(key) => {
            let key = key.index();
            let since = around.ages[key].changed(&around.cells[key], around.now_ns);
            Value::Double((around.now_ns - since) as f64 / 1e9)
        }
        Expr::SinceWritten(key) => {
            let since = around.ages[key.index()].written(around.now_ns);
            Value::Double((around.now_ns - since) as f64 / 1e9)
        }
        Expr::Alive(agent) => match eval(agent, around)? {
            Value::Entity(agent) => Value::Bool(around.alive.contains(&agent)),
            other => unreachable!("{other} is no entity"),
        },
        Expr::Not(inner) => Value::Bool(!holds(inner, around)?),
        Expr::And(left, right) => Value::Bool(holds(left, around)? && holds(right, around)?),
        Expr::Or(left, right) => Value::Bool(holds(left, around)? || holds(right, around)?),
        Expr::If(cond, then, other) => {
            let chosen = if holds(cond, around)? { then } else { other };
            eval(chosen, around)?
        }
        Expr::Neg(inner) => match eval(inner, around)? {
            Value::Int(value) => Value::Int(value.checked_neg().ok_or(FaultKind::Overflow)?),
            Value::Float(value) => Value::Float(-value),
            Value::Double(value) => Value::Double(-value),
            Value::Vec2([x, y]) => Value::Vec2([-x, -y]),
            Value::Vec3([x, y, z]) => Value::Vec3([-x, -y, -z]),
            other => unreachable!("{other} is not a number"),
        },
        Expr::Arith(op, left, right) => {
            let left = eval(left, around)?;
            arith(*op, left, eval(right, around)?)?
        }
        Expr::Scale(op, vector, by) => {
            let vector = eval(vector, around)?;
            scale(*op, vector, eval(by, around)?)
        }
        Expr::Part(part, vector) => Value::Float(parts(eval(vector, around)?)[part.index()]),
        Expr::Vector(all) => {
            let mut parts = Vec::new();
            for part in all {
                match eval(part, around)? {
                    Value::Float(part) => parts.push(part),
                    other => unreachable!("{other} is not a float"),
                }
            }
            vector(&parts)
        }
        Expr::Length(vector) => {
            let parts = parts(eval(vector, around)?);
            let mut squares = parts[0] * parts[0];
            for part in &parts[1..] {
                squares += part * part;
            }
            Value::Float(squares.sqrt())
        }
        Expr::OfTexts(func, args) => {
            let mut values = Vec::new();
            for arg in args {
                values.push(eval(arg, around)?);
            }
            of_texts(*func, &values)?
        }
        Expr::Curve(curve, x) => match eval(x, around)? {
            Value::Double(x) => {
                let share = (x - curve.from) / (curve.to - curve.from);
                Value::Double(curve.curve.value(share))
            }
            other => unreachable!("{other} is no double"),
        },
        Expr::OfVectors(func, args) => {
            let mut values = Vec::new();
            for arg in args {
                values.push(eval(arg, around)?);
            }
            of_vectors(*func, &values)
        }
        Expr::Compare(op, left, right) => {
            let is_any = left.ty() == Type::Any;
            let (left, right) = (eval(left, around)?, eval(right, around)?);
            Value::Bool(match (op, is_any) {
                (Compare::Eq, true) => same(left, right),
                (Compare::Ne, true) => !same(left, right),
                _ => compare(*op, left, right),
            })
        }
        Expr::Between(value, low, high) => {
            let value = eval(value, around)?;
            let (low, high) = (eval(low, around)?, eval(high, around)?);
            Value::Bool(compare(Compare::Le, low, value) && compare(Compare::Le, value, high))
        }
        Expr::Widen(to, inner) => widen(*to, eval(inner, around)?),
        Expr::Call(func, args) => {
            let mut values = Vec::new();
            for arg in args {
                values.push(eval(arg, around)?);
            }
            call(*func, &values)?
        }
        Expr::Random(low, high) => {
            let (low, high) = (eval(low, around)?, eval(high, around)?);
            random((around.draw)(), low, high)
        }
        _ => treemind_core::unlisted(&expr),
    })
}

fn read(key: KeyId, around: &Surroundings<'_>) -> Result<Value, FaultKind> {
    match &around.cells[key.index()] {
        Cell::One(value) => Ok(*value),
        Cell::Unset => {
            let name = &around.keys[key.index()].name;
            Err(FaultKind::Unset(Text::new(name)))
        }
        Cell::List(_) => unreachable!("a list is not read as a value"),
    }
}

/// Where a value is in a list.
fn place_of(key: KeyId, wanted: Value, around: &Surroundings<'_>) -> Option<usize> {
    let Cell::List(items) = &around.cells[key.index()] else {
        unreachable!("it is a list");
    };
    let is_any = around.keys[key.index()].ty == Type::Any;
    items.iter().position(|item| match is_any {
        true => same(*item, wanted),
        false => *item == wanted,
    })
}

/// How far a number or a vector is from another one; infinitely, if that is not a number.
fn far(item: Value, to: Value) -> f64 {
    let far = match (item, to) {
        (Value::Float(a), Value::Float(b)) => f64::from((a - b).abs()),
        (Value::Double(a), Value::Double(b)) => (a - b).abs(),
        (Value::Vec2([x, y]), Value::Vec2([to_x, to_y])) => {
            let (x, y) = (x - to_x, y - to_y);
            f64::from((x * x + y * y).sqrt())
        }
        (Value::Vec3([x, y, z]), Value::Vec3([to_x, to_y, to_z])) => {
            let (x, y, z) = (x - to_x, y - to_y, z - to_z);
            f64::from((x * x + y * y + z * z).sqrt())
        }
        _ => 0.0,
    };
    if far.is_nan() { f64::INFINITY } else { far }
}

/// Whether an item is nearer than another one; ints are compared exactly.
fn nearer((item, far): (Value, f64), (than, least): (Value, f64), to: Value) -> bool {
    match (item, than, to) {
        (Value::Int(item), Value::Int(than), Value::Int(to)) => {
            let (item, than, to) = (i128::from(item), i128::from(than), i128::from(to));
            (item - to).abs() < (than - to).abs()
        }
        _ => far < least,
    }
}

fn holds(expr: &Expr, around: &mut Surroundings<'_>) -> Result<bool, FaultKind> {
    Ok(eval(expr, around)? == Value::Bool(true))
}

fn parts(vector: Value) -> Vec<f32> {
    match vector {
        Value::Vec2(parts) => parts.to_vec(),
        Value::Vec3(parts) => parts.to_vec(),
        other => unreachable!("{other} is no vector"),
    }
}

fn vector(parts: &[f32]) -> Value {
    match *parts {
        [x, y] => Value::Vec2([x, y]),
        [x, y, z] => Value::Vec3([x, y, z]),
        _ => unreachable!("a vector has two or three parts"),
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn of_vectors(func: VectorFunc, values: &[Value]) -> Value {
    let first = parts(values[0]);
    let dot = |other: &[f32]| {
        let products = first.iter().zip(other).map(|(a, b)| a * b);
        products.reduce(|sum, product| sum + product)
    };
    match func {
        VectorFunc::Dot => Value::Float(dot(&parts(values[1])).expect("a vector has parts")),
        VectorFunc::Angle => Value::Float(angle(&first, &parts(values[1]))),
        VectorFunc::Normalize => {
            let length = dot(&first).expect("a vector has parts").sqrt();
            if length == 0.0 {
                vector(&vec![0.0; first.len()])
            } else {
                scale(Arith::Div, values[0], Value::Float(length))
            }
        }
        VectorFunc::Lerp => {
            let Value::Float(t) = values[2] else {
                unreachable!("{} is not a float", values[2]);
            };
            let pairs = first.iter().zip(parts(values[1]));
            let all: Vec<f32> = pairs.map(|(a, b)| a + (b - a) * t).collect();
            vector(&all)
        }
        _ => treemind_core::unlisted(&func),
    }
}

/// The angle between two vectors in degrees, as exact as 64 bits allow before it is rounded to 32.
fn angle(a: &[f32], b: &[f32]) -> f32 {
    let [a, b] = [a, b].map(|vector| {
        let part = |index: usize| f64::from(vector.get(index).copied().unwrap_or(0.0));
        [part(0), part(1), part(2)]
    });
    let along: f64 = (0..3).map(|i| a[i] * b[i]).sum();
    let across: f64 = (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            (a[j] * b[k] - a[k] * b[j]).powi(2)
        })
        .sum();
    let across = across.sqrt();
    if along.is_finite() && across.is_finite() {
        across
            .atan2(if along == 0.0 && across == 0.0 {
                1.0
            } else {
                along
            })
            .to_degrees() as f32
    } else {
        f32::NAN
    }
}

fn scale(op: Arith, by_parts: Value, by: Value) -> Value {
    let Value::Float(by) = by else {
        unreachable!("{by} is not a float");
    };
    let all: Vec<f32> = parts(by_parts)
        .into_iter()
        .map(|part| match op {
            Arith::Mul => part * by,
            Arith::Div => part / by,
            _ => unreachable!("vectors are multiplied and divided only"),
        })
        .collect();
    vector(&all)
}

/// The `==` of values whose types are not known in advance.
pub(super) fn same(left: Value, right: Value) -> bool {
    let real = |value: Value| match value {
        Value::Float(value) => Some(f64::from(value)),
        Value::Double(value) => Some(value),
        _ => None,
    };
    match (left, right, real(left), real(right)) {
        (Value::Int(int), _, _, Some(real)) | (_, Value::Int(int), Some(real), _) => {
            // Within these bounds, every whole double fits into an i128.
            real.fract() == 0.0 && real.abs() < 1e30 && real as i128 == i128::from(int)
        }
        (_, _, Some(left), Some(right)) => left == right,
        _ => left == right,
    }
}

fn random(draw: Draw, low: Value, high: Value) -> Value {
    let unit = (draw.bits() >> 11) as f64 / (1u64 << 53) as f64;
    match (low, high) {
        (Value::Int(low), Value::Int(high)) if low < high => {
            let numbers = (i128::from(high) - i128::from(low) + 1) as u128;
            let steps = (u128::from(draw.bits()) * numbers) >> 64;
            Value::Int((i128::from(low) + steps as i128) as i64)
        }
        (Value::Float(low), Value::Float(high)) => {
            let (from, to) = (f64::from(low), f64::from(high));
            let drawn = from + (to - from) * unit;
            let rounded = drawn as f32;
            let is_below = drawn < to && rounded < high;
            Value::Float(if is_below { rounded } else { low })
        }
        (Value::Double(low), Value::Double(high)) => {
            let drawn = low + (high - low) * unit;
            Value::Double(if drawn < high { drawn } else { low })
        }
        (low, _) => low,
    }
}

fn arith(op: Arith, left: Value, right: Value) -> Result<Value, FaultKind> {
    Ok(match (left, right) {
        (Value::Int(left), Value::Int(right)) => {
            if right == 0 && matches!(op, Arith::Div | Arith::Rem) {
                return Err(FaultKind::DivisionByZero);
            }
            let result = match op {
                Arith::Add => left.checked_add(right),
                Arith::Sub => left.checked_sub(right),
                Arith::Mul => left.checked_mul(right),
                Arith::Div => left.checked_div(right),
                Arith::Rem => left.checked_rem(right),
            };
            Value::Int(result.ok_or(FaultKind::Overflow)?)
        }
        (Value::Float(left), Value::Float(right)) => Value::Float(match op {
            Arith::Add => left + right,
            Arith::Sub => left - right,
            Arith::Mul => left * right,
            Arith::Div => left / right,
            Arith::Rem => left % right,
        }),
        (Value::Double(left), Value::Double(right)) => Value::Double(match op {
            Arith::Add => left + right,
            Arith::Sub => left - right,
            Arith::Mul => left * right,
            Arith::Div => left / right,
            Arith::Rem => left % right,
        }),
        (left @ (Value::Vec2(_) | Value::Vec3(_)), right) => {
            let sum = |(left, right): (f32, f32)| match op {
                Arith::Add => left + right,
                Arith::Sub => left - right,
                _ => unreachable!("vectors are added and subtracted only"),
            };
            let pairs = parts(left).into_iter().zip(parts(right));
            vector(&pairs.map(sum).collect::<Vec<f32>>())
        }
        (left, right) => unreachable!("{left} and {right} are not numbers of one type"),
    })
}

fn compare(op: Compare, left: Value, right: Value) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        Compare::Eq => return left == right,
        Compare::Ne => return left != right,
        _ => {}
    }
    let order = match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(&right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(&right),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(&right),
        (left, right) => unreachable!("{left} and {right} have no order"),
    };
    match op {
        Compare::Lt => order == Some(Less),
        Compare::Le => matches!(order, Some(Less | Equal)),
        Compare::Gt => order == Some(Greater),
        Compare::Ge => matches!(order, Some(Greater | Equal)),
        Compare::Eq | Compare::Ne => unreachable!("answered above"),
    }
}

fn widen(to: Type, value: Value) -> Value {
    match (value, to) {
        (Value::Int(value), Type::Float) => Value::Float(value as f32),
        (Value::Int(value), Type::Double) => Value::Double(value as f64),
        (Value::Float(value), Type::Double) => Value::Double(f64::from(value)),
        (same, _) => same,
    }
}

fn call(func: Func, values: &[Value]) -> Result<Value, FaultKind> {
    Ok(match values[0] {
        Value::Int(_) => {
            let ints: Vec<i64> = values
                .iter()
                .map(|value| match value {
                    Value::Int(value) => *value,
                    other => unreachable!("{other} is not an int"),
                })
                .collect();
            Value::Int(match func {
                Func::Abs => ints[0].checked_abs().ok_or(FaultKind::Overflow)?,
                Func::Min => ints[0].min(ints[1]),
                Func::Max => ints[0].max(ints[1]),
                Func::Clamp => ints[0].min(ints[2]).max(ints[1]),
                Func::BitAnd => ints[0] & ints[1],
                Func::BitOr => ints[0] | ints[1],
                Func::BitXor => ints[0] ^ ints[1],
                _ => unreachable!("{} does not take ints", func.name()),
            })
        }
        Value::Float(_) => {
            let floats: Vec<f32> = values
                .iter()
                .map(|value| match value {
                    Value::Float(value) => *value,
                    other => unreachable!("{other} is not a float"),
                })
                .collect();
            Value::Float(match func {
                Func::Abs => floats[0].abs(),
                Func::Min => lesser(floats[0], floats[1]),
                Func::Max => greater(floats[0], floats[1]),
                Func::Clamp => greater(lesser(floats[0], floats[2]), floats[1]),
                Func::Floor => floats[0].floor(),
                Func::Ceil => floats[0].ceil(),
                Func::Round => floats[0].round(),
                Func::Sqrt => floats[0].sqrt(),
                Func::Lerp => floats[0] + (floats[1] - floats[0]) * floats[2],
                Func::BitAnd => (floats[0] as i64 & floats[1] as i64) as f32,
                Func::BitOr => (floats[0] as i64 | floats[1] as i64) as f32,
                Func::BitXor => (floats[0] as i64 ^ floats[1] as i64) as f32,
                _ => treemind_core::unlisted(&func),
            })
        }
        Value::Double(_) => {
            let doubles: Vec<f64> = values
                .iter()
                .map(|value| match value {
                    Value::Double(value) => *value,
                    other => unreachable!("{other} is not a double"),
                })
                .collect();
            Value::Double(match func {
                Func::Abs => doubles[0].abs(),
                Func::Min => lesser(doubles[0], doubles[1]),
                Func::Max => greater(doubles[0], doubles[1]),
                Func::Clamp => greater(lesser(doubles[0], doubles[2]), doubles[1]),
                Func::Floor => doubles[0].floor(),
                Func::Ceil => doubles[0].ceil(),
                Func::Round => doubles[0].round(),
                Func::Sqrt => doubles[0].sqrt(),
                Func::Lerp => doubles[0] + (doubles[1] - doubles[0]) * doubles[2],
                Func::BitAnd => (doubles[0] as i64 & doubles[1] as i64) as f64,
                Func::BitOr => (doubles[0] as i64 | doubles[1] as i64) as f64,
                Func::BitXor => (doubles[0] as i64 ^ doubles[1] as i64) as f64,
                _ => treemind_core::unlisted(&func),
            })
        }
        other => unreachable!("{other} is not a number"),
    })
}

/// The first unless the second is less; the second also when the first is NaN.
fn lesser<T: PartialOrd>(first: T, second: T) -> T {
    let is_nan = first.partial_cmp(&first).is_none();
    if second < first || is_nan {
        second
    } else {
        first
    }
}

/// The first unless the second is greater; the second also when the first is NaN.
fn greater<T: PartialOrd>(first: T, second: T) -> T {
    let is_nan = first.partial_cmp(&first).is_none();
    if second > first || is_nan {
        second
    } else {
        first
    }
}
