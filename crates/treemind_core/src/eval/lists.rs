//! The evaluation of expressions over lists.

use super::lanes::entry;
use super::run::{ExprFaults, ExprStacks, Lack, Sources};
use crate::blackboard::{Held, KeySlot, List};
use crate::ids::KeyId;
use crate::text::Text;
use crate::value::{Type, Value};

impl ExprStacks {
    /// The place of the value at `at` in a list, from 0, or -1, for each agent of a word.
    #[inline(never)]
    pub(super) fn find_item(
        &mut self,
        key: KeyId,
        at: u32,
        to: u32,
        sources: Sources<'_>,
        word: usize,
    ) {
        let slot = sources.board.keys[key.index()];
        for lane in 0..self.width {
            let wanted = self.value_at(slot.ty, at, lane);
            let place =
                list_of(slot, sources, word * 64 + lane).and_then(|list| list.place_of(wanted));
            let place = place.map_or(-1, |place| place as i64);
            entry(&mut self.ints, to, self.width)[lane] = place;
        }
    }

    /// The item of a list at a place; returns the agents for whom there is none.
    #[inline(never)]
    pub(super) fn load_item(
        &mut self,
        key: KeyId,
        from: u32,
        at: u32,
        sources: Sources<'_>,
        word: usize,
    ) -> u64 {
        let slot = sources.board.keys[key.index()];
        let mut missing = 0;
        for lane in 0..self.width {
            let place = entry(&mut self.ints, from, self.width)[lane];
            let list = list_of(slot, sources, word * 64 + lane);
            let item = usize::try_from(place)
                .ok()
                .and_then(|place| list?.iter().nth(place));
            match item {
                Some(item) => self.fill(at, lane..lane + 1, item, slot.ty),
                None => missing |= 1 << lane,
            }
        }
        missing
    }

    /// The item of a list that is nearest to the value at `at`; returns the agents for whom there is none.
    #[inline(never)]
    pub(super) fn load_nearest(
        &mut self,
        key: KeyId,
        at: u32,
        sources: Sources<'_>,
        word: usize,
    ) -> u64 {
        let slot = sources.board.keys[key.index()];
        let mut missing = 0;
        for lane in 0..self.width {
            let to = self.value_at(slot.ty, at, lane);
            let list = list_of(slot, sources, word * 64 + lane);
            let nearest = list.and_then(|list| {
                let mut items = list.iter().map(|item| (apart(item, to), item));
                let first = items.next()?;
                let nearer = |best: (_, _), next: (_, _)| if next.0 < best.0 { next } else { best };
                Some(items.fold(first, nearer).1)
            });
            match nearest {
                Some(item) => self.fill(at, lane..lane + 1, item, slot.ty),
                None => missing |= 1 << lane,
            }
        }
        missing
    }

    /// Records the agents for whom an item is missing: the one at the place that is at `from`, or any.
    pub(super) fn lack_item(
        &mut self,
        (key, from): (KeyId, Option<u32>),
        missing: u64,
        faults: &mut ExprFaults,
        (sources, word): (Sources<'_>, usize),
    ) {
        if missing == 0 {
            return;
        }
        faults.unset |= missing;
        let slot = sources.board.keys[key.index()];
        for lane in (0..self.width).filter(|lane| missing >> lane & 1 == 1) {
            let place = from.map(|from| entry(&mut self.ints, from, self.width)[lane]);
            let list = list_of(slot, sources, word * 64 + lane);
            let length = list.map_or(0, |list| list.iter().count() as u32);
            self.lacking[lane] = Lack {
                key: key.index() as u32,
                item: Some((place, length)),
            };
        }
    }

    /// A value on the stack of its type.
    fn value_at(&self, ty: Type, at: u32, lane: usize) -> Value {
        let place = at as usize * self.width + lane;
        let part = |part: usize| self.floats[place + part * self.width];
        match ty {
            Type::Bool => Value::Bool(self.masks[at as usize] >> lane & 1 == 1),
            Type::Int => Value::Int(self.ints[place]),
            Type::Entity => Value::Entity(self.ints[place] as u64),
            Type::Enum(list) => Value::Enum(list, self.ints[place] as u32),
            Type::Text => Value::Text(Text::from_bits(self.ints[place] as u32)),
            Type::Float => Value::Float(part(0)),
            Type::Vec2 => Value::Vec2([part(0), part(1)]),
            Type::Vec3 => Value::Vec3([part(0), part(1), part(2)]),
            Type::Double => Value::Double(self.doubles[place]),
            Type::Any => self.values[place],
        }
    }
}

/// The items of a list of an agent.
fn list_of<'s>(slot: KeySlot, sources: Sources<'s>, lane: usize) -> Option<List<'s>> {
    let held = match sources.shared {
        Some(shared) if !slot.is_own() => {
            shared.held(slot, shared.lane(slot, sources.first + lane))
        }
        _ => Held::of(slot, sources.own, lane),
    };
    match held {
        Held::List(list) => Some(list),
        Held::One(_) | Held::Unset => None,
    }
}

/// How far two numbers or vectors of one type are apart: of ints exactly, otherwise in their width. What is not a
/// number is infinitely far.
fn apart(a: Value, b: Value) -> (u64, f64) {
    let vector = |a: &[f32], b: &[f32]| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
        let sum = squares.reduce(|sum, square| sum + square);
        f64::from(sum.unwrap_or(0.0).sqrt())
    };
    let far = match (a, b) {
        (Value::Int(a), Value::Int(b)) => return (a.abs_diff(b), 0.0),
        (Value::Float(a), Value::Float(b)) => f64::from((a - b).abs()),
        (Value::Double(a), Value::Double(b)) => (a - b).abs(),
        (Value::Vec2(a), Value::Vec2(b)) => vector(&a, &b),
        (Value::Vec3(a), Value::Vec3(b)) => vector(&a, &b),
        _ => 0.0,
    };
    (0, if far.is_nan() { f64::INFINITY } else { far })
}
