//! What is known of keys on the way down a decision tree.
//!
//! Values of a key are mapped to whole numbers, as for the cases of a `switch`. A set of values is a few ranges of
//! numbers, plus a flag: the key may be unset or NaN, for which no comparison holds.

use super::super::switch::place;
use treemind_core::behaviour::{Enum, Form, Key};
use treemind_core::expr::Compare;
use treemind_core::{Expr, KeyId, Type, Value};

/// How many facts are kept on a way. Older facts are forgotten, so that long decision trees take linear time.
const MOST_FACTS: usize = 64;

/// A set with more ranges than this is widened to one range from its lowest to its highest end.
const MOST_RANGES: usize = 64;

/// Values that a key may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set {
    /// In order and separate from one another, both ends included.
    ranges: Vec<(i128, i128)>,
    /// The key may be unset or NaN.
    other: bool,
}

impl Set {
    fn new(mut ranges: Vec<(i128, i128)>, other: bool) -> Self {
        ranges.retain(|(low, high)| low <= high);
        ranges.sort_unstable();
        let mut joined: Vec<(i128, i128)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some((_, end)) if low <= end.saturating_add(1) => *end = high.max(*end),
                _ => joined.push((low, high)),
            }
        }
        if joined.len() > MOST_RANGES {
            joined = vec![(joined[0].0, joined[joined.len() - 1].1)];
        }
        Self {
            ranges: joined,
            other,
        }
    }

    fn is_empty(&self) -> bool {
        self.ranges.is_empty() && !self.other
    }

    fn union(&self, with: &Self) -> Self {
        let ranges = self.ranges.iter().chain(&with.ranges).copied();
        Self::new(ranges.collect(), self.other || with.other)
    }

    fn intersection(&self, with: &Self) -> Self {
        let (mut left, mut right) = (self.ranges.iter().peekable(), with.ranges.iter().peekable());
        let mut ranges = Vec::new();
        while let (Some(&&(low, high)), Some(&&(start, end))) = (left.peek(), right.peek()) {
            ranges.push((low.max(start), high.min(end)));
            if high < end {
                left.next();
            } else {
                right.next();
            }
        }
        Self::new(ranges, self.other && with.other)
    }

    fn without(&self, (low, high): (i128, i128)) -> Self {
        let below = self.intersection(&Self::new(vec![(i128::MIN, low.saturating_sub(1))], true));
        let above = self.intersection(&Self::new(vec![(high.saturating_add(1), i128::MAX)], true));
        below.union(&above)
    }
}

/// What a test says about one key.
struct Split {
    key: KeyId,
    /// The values for which the test holds.
    yes: Set,
    /// The values for which it does not hold or is a fault.
    no: Set,
}

/// The declarations that say which values keys may have.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    /// The keys.
    pub keys: &'a [Key],
    /// The enumerations that keys use as types.
    pub enums: &'a [Enum],
}

impl Declared<'_> {
    /// Every possible value of a key; `None` when nothing can be said about this kind of key.
    fn all(&self, key: KeyId) -> Option<Set> {
        let declared = &self.keys[key.index()];
        let is_unset = match declared.form {
            Form::One => false,
            Form::Optional { .. } => true,
            _ => return None,
        };
        let (range, is_odd) = match declared.ty {
            Type::Bool => ((0, 1), false),
            Type::Int => ((i128::from(i64::MIN), i128::from(i64::MAX)), false),
            Type::Entity => ((0, i128::from(u64::MAX)), false),
            Type::Enum(list) => {
                let values = self.enums[list.index()].values.len();
                ((0, values as i128 - 1), false)
            }
            Type::Float | Type::Double => (
                (
                    place(Value::Double(f64::NEG_INFINITY)),
                    place(Value::Double(f64::INFINITY)),
                ),
                true,
            ),
            Type::Text => ((i128::MIN, i128::MAX), false),
            _ => return None,
        };
        Some(Set::new(vec![range], is_unset || is_odd))
    }

    /// What a test says, if it is about one key only.
    fn split(&self, test: &Expr) -> Option<Split> {
        match test {
            Expr::Key(key, Type::Bool) => self.within(*key, (1, 1)),
            Expr::Not(inner) => {
                let inner = self.split(inner)?;
                // If the inner test is a fault, the whole test is a fault.
                let other = self.all(inner.key)?.other;
                let no = Set::new(inner.yes.ranges.clone(), inner.yes.other || other);
                Some(Split {
                    key: inner.key,
                    yes: inner.no,
                    no,
                })
            }
            Expr::Compare(op, left, right) => match (key_of(left), value_of(right)) {
                (Some(key), Some(value)) => self.compared(key, *op, value),
                _ => {
                    let (key, value) = (key_of(right)?, value_of(left)?);
                    self.compared(key, turned(*op), value)
                }
            },
            Expr::Between(subject, low, high) => {
                let (key, low, high) = (key_of(subject)?, value_of(low)?, value_of(high)?);
                self.within(key, (self.at(key, low)?, self.at(key, high)?))
            }
            Expr::And(left, right) => {
                let (left, right) = self.same_key(left, right)?;
                Some(Split {
                    key: left.key,
                    yes: left.yes.intersection(&right.yes),
                    no: left.no.union(&right.no),
                })
            }
            Expr::Or(left, right) => {
                let (left, right) = self.same_key(left, right)?;
                let other = left.no.other || right.no.other;
                let no = left.no.intersection(&right.no);
                Some(Split {
                    key: left.key,
                    yes: left.yes.union(&right.yes),
                    no: Set::new(no.ranges, other),
                })
            }
            _ => None,
        }
    }

    fn same_key(&self, left: &Expr, right: &Expr) -> Option<(Split, Split)> {
        let (left, right) = (self.split(left)?, self.split(right)?);
        (left.key == right.key).then_some((left, right))
    }

    /// The number of a value among those of a key, if their types match.
    fn at(&self, key: KeyId, value: Value) -> Option<i128> {
        let is_float = |ty: Type| matches!(ty, Type::Float | Type::Double);
        let ty = self.keys[key.index()].ty;
        let is_nan = match value {
            Value::Float(value) => value.is_nan(),
            Value::Double(value) => value.is_nan(),
            _ => false,
        };
        let fits = ty == value.ty() || is_float(ty) && is_float(value.ty());
        (fits && !is_nan).then(|| place(value))
    }

    fn within(&self, key: KeyId, range: (i128, i128)) -> Option<Split> {
        let all = self.all(key)?;
        Some(Split {
            key,
            yes: all.intersection(&Set::new(vec![range], false)),
            no: all.without(range),
        })
    }

    fn compared(&self, key: KeyId, op: Compare, value: Value) -> Option<Split> {
        let at = self.at(key, value)?;
        match op {
            Compare::Eq => self.within(key, (at, at)),
            Compare::Ne => {
                let all = self.all(key)?;
                let yes = all.without((at, at));
                Some(Split {
                    key,
                    yes,
                    // NaN differs from every number. An unset key is a fault.
                    no: all.intersection(&Set::new(vec![(at, at)], true)),
                })
            }
            Compare::Lt => self.within(key, (i128::MIN, at.saturating_sub(1))),
            Compare::Le => self.within(key, (i128::MIN, at)),
            Compare::Gt => self.within(key, (at.saturating_add(1), i128::MAX)),
            Compare::Ge => self.within(key, (at, i128::MAX)),
        }
    }
}

/// A key, or a float key that is widened; widening keeps the order.
fn key_of(expr: &Expr) -> Option<KeyId> {
    match expr {
        Expr::Key(key, _) => Some(*key),
        Expr::Widen(_, inner) => match &**inner {
            Expr::Key(key, Type::Float) => Some(*key),
            _ => None,
        },
        _ => None,
    }
}

fn value_of(expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Value(value) => Some(*value),
        Expr::Widen(_, inner) => match &**inner {
            Expr::Value(value @ Value::Float(_)) => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

/// The comparison with its sides swapped.
fn turned(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        Compare::Eq | Compare::Ne => op,
    }
}

/// What is known at one place, whichever way led there.
#[derive(Clone, Debug, Default)]
pub struct Facts<'e> {
    keys: Vec<(KeyId, Set)>,
    /// Earlier tests and their answers.
    answered: Vec<(&'e Expr, bool)>,
}

impl<'e> Facts<'e> {
    /// What is known after a test had that answer; `None` when it cannot have that answer.
    pub fn after(&self, test: &'e Expr, answer: bool, declared: Declared<'_>) -> Option<Self> {
        if let Expr::Value(Value::Bool(value)) = test {
            return (*value == answer).then(|| self.clone());
        }
        if let Some((_, known)) = self.answered.iter().find(|(known, _)| *known == test) {
            return (*known == answer).then(|| self.clone());
        }
        let mut facts = self.clone();
        facts.answered.push((test, answer));
        if facts.answered.len() > MOST_FACTS {
            facts.answered.remove(0);
        }
        facts.narrow(test, answer, declared).then_some(facts)
    }

    /// Adds what an answer says about keys; false when the answer is impossible.
    fn narrow(&mut self, test: &Expr, answer: bool, declared: Declared<'_>) -> bool {
        if let Some(split) = declared.split(test) {
            let said = if answer { split.yes } else { split.no };
            return self.narrow_key(split.key, said);
        }
        // The recursion is bounded: expressions are at most 256 deep.
        match (test, answer) {
            (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
                let left = self.narrow(left, answer, declared);
                self.narrow(right, answer, declared) && left
            }
            _ => true,
        }
    }

    fn narrow_key(&mut self, key: KeyId, said: Set) -> bool {
        let at = self.keys.iter().position(|(known, _)| *known == key);
        let set = match at {
            Some(at) => self.keys.remove(at).1.intersection(&said),
            None => said,
        };
        let is_possible = !set.is_empty();
        self.keys.push((key, set));
        if self.keys.len() > MOST_FACTS {
            self.keys.remove(0);
        }
        is_possible
    }

    /// The known values of the `wanted` keys, in their order.
    #[cfg(feature = "internals")]
    pub fn of_keys(&self, wanted: impl Fn(KeyId) -> bool) -> Vec<(KeyId, Set)> {
        let keys = self.keys.iter().filter(|(key, _)| wanted(*key));
        let mut keys: Vec<(KeyId, Set)> = keys.cloned().collect();
        keys.sort_by_key(|(key, _)| key.index());
        keys
    }

    /// What is known where two ways meet.
    pub(super) fn meet(&self, other: &Self) -> Self {
        let keys = self.keys.iter().filter_map(|(key, set)| {
            let also = other.keys.iter().find(|(also, _)| also == key)?;
            Some((*key, set.union(&also.1)))
        });
        let answered = self.answered.iter();
        Self {
            keys: keys.collect(),
            answered: answered
                .filter(|fact| other.answered.contains(fact))
                .copied()
                .collect(),
        }
    }
}
