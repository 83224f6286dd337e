//! Guards and effects, compiled for situations: a mask and a comparison where that is enough.

use super::layout::{Layout, Place};
use super::term::Term;
use crate::expr::{Arith, Assign, Compare, Expr};
use crate::value::{Type, Value};

/// Something that has to hold, without a fault.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rule {
    /// Bits of a word have these values, or if `not`, other ones.
    Bits {
        word: u32,
        mask: u64,
        value: u64,
        not: bool,
    },
    /// An int in a word of its own, compared with a literal.
    Int {
        word: u32,
        op: Compare,
        than: i64,
    },
    /// An expression has this value.
    Term(Term, bool),
    Never,
}

/// Adds what has to be so that an expression has a value, without a fault.
pub(super) fn require(expr: &Expr, value: bool, layout: &Layout, to: &mut Vec<Rule>) {
    match (expr, value) {
        (Expr::And(a, b), true) | (Expr::Or(a, b), false) => {
            require(a, value, layout, to);
            require(b, value, layout, to);
        }
        (Expr::Not(a), _) => require(a, !value, layout, to),
        (Expr::Value(known), _) if *known == Value::Bool(value) => {}
        (Expr::Value(_), _) => to.push(Rule::Never),
        (Expr::Key(key, Type::Bool), _) => {
            let place = layout.place(*key);
            require_set(place, to);
            require_bits(place, u64::from(value), false, to);
        }
        (Expr::Has(key), _) if layout.place(*key).set.is_some() => {
            if let Some((word, mask)) = layout.place(*key).set {
                let value = if value { mask } else { 0 };
                add_bits((word, mask, value, false), to);
            }
        }
        (Expr::Compare(op, a, b), _) => match require_compare(*op, (a, b), value, layout, to) {
            Some(()) => {}
            None => to.push(Rule::Term(Term::new(expr, layout), value)),
        },
        _ => to.push(Rule::Term(Term::new(expr, layout), value)),
    }
}

fn require_compare(
    op: Compare,
    (a, b): (&Expr, &Expr),
    value: bool,
    layout: &Layout,
    to: &mut Vec<Rule>,
) -> Option<()> {
    let (key, literal) = match (a, b) {
        (Expr::Key(key, _), Expr::Value(literal)) => (*key, *literal),
        _ => return None,
    };
    let place = layout.place(key);
    match (literal, op) {
        (Value::Bool(_) | Value::Enum(..), Compare::Eq | Compare::Ne) => {
            require_set(place, to);
            let is = (op == Compare::Eq) == value;
            require_bits(place, place.bits(literal)[0], !is, to);
        }
        (Value::Int(than), _) if place.ty == Type::Int => {
            require_set(place, to);
            let op = if value { op } else { opposite(op) };
            let word = place.word;
            to.push(Rule::Int { word, op, than });
        }
        _ => return None,
    }
    Some(())
}

/// For numbers that are never NaN.
fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
        Compare::Lt => Compare::Ge,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Ge => Compare::Lt,
    }
}

fn require_set(place: Place, to: &mut Vec<Rule>) {
    if let Some((word, bit)) = place.set {
        add_bits((word, bit, bit, false), to);
    }
}

fn require_bits(place: Place, value: u64, not: bool, to: &mut Vec<Rule>) {
    let (mask, value) = (place.mask << place.shift, value << place.shift);
    add_bits((place.word, mask, value, not), to);
}

/// Bits of one word are tested together.
fn add_bits((word, mask, value, not): (u32, u64, u64, bool), to: &mut Vec<Rule>) {
    let known = to.iter_mut().find_map(|rule| match rule {
        Rule::Bits {
            word: of,
            mask,
            value,
            not: false,
        } if *of == word => Some((mask, value)),
        _ => None,
    });
    match known {
        Some((known_mask, known)) if !not && *known_mask & mask == 0 => {
            *known_mask |= mask;
            *known |= value;
        }
        _ => to.push(Rule::Bits {
            word,
            mask,
            value,
            not,
        }),
    }
}

impl Rule {
    #[inline(always)]
    fn holds(&self, situation: &[u64]) -> bool {
        match self {
            Rule::Bits {
                word,
                mask,
                value,
                not,
            } => (situation[*word as usize] & mask == *value) != *not,
            Rule::Int { word, op, than } => op.holds(situation[*word as usize] as i64, *than),
            Rule::Term(term, value) => term.holds(situation) == Some(*value),
            Rule::Never => false,
        }
    }
}

/// A step of which the guards and effects are bits of one word, at a fixed cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Short {
    word: u32,
    /// It can be used where these bits have these values.
    mask: u64,
    value: u64,
    /// The bits that it gives values, and these values.
    clears: u64,
    sets: u64,
    /// In thousandths.
    pub(super) cost: u64,
}

impl Short {
    /// `None` if the step is not one.
    pub(super) fn of(usable: &[Rule], effects: &[Effect], cost: u64) -> Option<Self> {
        let (word, mask, value) = match usable {
            [] => (None, 0, 0),
            [
                Rule::Bits {
                    word,
                    mask,
                    value,
                    not: false,
                },
            ] => (Some(*word), *mask, *value),
            _ => return None,
        };
        let (mut word, mut clears, mut sets) = (word, 0, 0);
        for effect in effects {
            match effect {
                Effect::Bits {
                    word: its,
                    mask,
                    value,
                } if *word.get_or_insert(*its) == *its => {
                    clears |= mask;
                    sets = sets & !mask | value;
                }
                _ => return None,
            }
        }
        Some(Self {
            word: word?,
            mask,
            value,
            clears,
            sets,
            cost,
        })
    }

    #[inline(always)]
    pub(super) fn is_usable(&self, situation: &[u64]) -> bool {
        situation[self.word as usize] & self.mask == self.value
    }

    #[inline(always)]
    pub(super) fn apply(&self, situation: &mut [u64]) {
        let word = &mut situation[self.word as usize];
        *word = *word & !self.clears | self.sets;
    }

    /// Whether it changes anything.
    #[inline(always)]
    pub(super) fn changes(&self, situation: &[u64]) -> bool {
        situation[self.word as usize] & self.clears != self.sets
    }
}

/// Whether all of them hold.
#[inline(always)]
pub(super) fn all_hold(rules: &[Rule], situation: &[u64]) -> bool {
    rules.iter().all(|rule| rule.holds(situation))
}

/// What a step does to a situation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// Bits of a word get these values.
    Bits {
        word: u32,
        mask: u64,
        value: u64,
    },
    /// An int in a word of its own, which always has a value.
    Add {
        word: u32,
        by: i64,
    },
    Set(Place, Term),
}

impl Effect {
    pub(super) fn new(assign: &Assign, layout: &Layout) -> Self {
        let place = layout.place(assign.key);
        let is_same = |expr: &Expr| matches!(expr, Expr::Key(key, _) if *key == assign.key);
        match &assign.value {
            Expr::Value(value) if place.mask != u64::MAX && place.set.is_none() => Effect::Bits {
                word: place.word,
                mask: place.mask << place.shift,
                value: place.bits(*value)[0] << place.shift,
            },
            Expr::Arith(op @ (Arith::Add | Arith::Sub), a, b)
                if is_same(a) && place.ty == Type::Int && place.set.is_none() =>
            {
                match **b {
                    Expr::Value(Value::Int(by)) if by != i64::MIN => Effect::Add {
                        word: place.word,
                        by: if *op == Arith::Add { by } else { -by },
                    },
                    _ => Effect::Set(place, Term::new(&assign.value, layout)),
                }
            }
            value => Effect::Set(place, Term::new(value, layout)),
        }
    }

    /// Carries it out; `None` for a fault.
    #[inline(always)]
    pub(super) fn apply(&self, situation: &mut [u64]) -> Option<()> {
        match self {
            Effect::Bits { word, mask, value } => {
                let word = &mut situation[*word as usize];
                *word = *word & !mask | value;
            }
            Effect::Add { word, by } => {
                let word = &mut situation[*word as usize];
                *word = (*word as i64).checked_add(*by)? as u64;
            }
            Effect::Set(place, term) => {
                let value = term.eval(situation)?;
                place.set(situation, value);
            }
        }
        Some(())
    }
}
