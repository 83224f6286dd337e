//! The evaluation of expressions over shared keys.

use super::lanes::entry;
use super::run::{ExprStacks, Sources};
use crate::behaviour::Scope;
use crate::blackboard::{Shared, parts};
use crate::ids::KeyId;
use crate::value::{Type, Value};
use std::ops::Range;

impl ExprStacks {
    /// Calls `each` with the place of a shared key for every run of lanes that share it: neighbouring agents are
    /// mostly in one group.
    pub(super) fn for_each_run(
        &mut self,
        key: KeyId,
        sources: Sources<'_>,
        word: usize,
        mut each: impl FnMut(&mut Self, Range<usize>, &Shared, usize),
    ) {
        let Some(shared) = sources.shared else {
            return;
        };
        let slot = sources.board.keys[key.index()];
        let first = sources.first + word * 64;
        let width = self.width;
        let mut from = 0;
        while from < width {
            let lane = shared.lane(slot, first + from);
            let end = match slot.scope {
                Scope::World => width,
                _ => (from + 1..width)
                    .find(|bit| shared.lane(slot, first + bit) != lane)
                    .unwrap_or(width),
            };
            each(self, from..end, shared, lane);
            from = end;
        }
    }

    /// Loads a shared key; returns the lanes for which it is unset.
    pub(super) fn load_shared(
        &mut self,
        at: u32,
        key: KeyId,
        sources: Sources<'_>,
        word: usize,
    ) -> u64 {
        let mut missing = 0;
        let slot = sources.board.keys[key.index()];
        self.for_each_run(
            key,
            sources,
            word,
            |stacks, lanes, shared, lane| match shared.get(slot, lane) {
                Some(value) => stacks.fill(at, lanes, value, slot.ty),
                None => missing |= bits(&lanes),
            },
        );
        missing
    }

    /// Whether a shared key has a value.
    pub(super) fn has_shared(&mut self, at: u32, key: KeyId, sources: Sources<'_>, word: usize) {
        let slot = sources.board.keys[key.index()];
        self.for_each_run(key, sources, word, |stacks, lanes, shared, lane| {
            stacks.fill_mask(at, &lanes, shared.is_set(slot, lane));
        });
    }

    /// How many items a shared list has.
    pub(super) fn length_of_shared(
        &mut self,
        at: u32,
        key: KeyId,
        sources: Sources<'_>,
        word: usize,
    ) {
        let slot = sources.board.keys[key.index()];
        self.for_each_run(key, sources, word, |stacks, lanes, shared, lane| {
            let items = slot.len(shared.cells(), lane);
            stacks.fill(at, lanes, Value::Int(items.into()), Type::Int);
        });
    }

    fn fill_mask(&mut self, at: u32, lanes: &Range<usize>, value: bool) {
        let bits = bits(lanes);
        let mask = &mut self.masks[at as usize];
        *mask = *mask & !bits | if value { bits } else { 0 };
    }

    /// Stores a value in some lanes of an entry.
    pub(super) fn fill(&mut self, at: u32, lanes: Range<usize>, value: Value, ty: Type) {
        let width = self.width;
        if ty == Type::Any {
            entry(&mut self.values, at, width)[lanes].fill(value);
            return;
        }
        match value {
            Value::Bool(value) => self.fill_mask(at, &lanes, value),
            Value::Int(value) => entry(&mut self.ints, at, width)[lanes].fill(value),
            Value::Entity(value) => entry(&mut self.ints, at, width)[lanes].fill(value as i64),
            Value::Enum(_, value) => entry(&mut self.ints, at, width)[lanes].fill(value.into()),
            Value::Text(text) => {
                entry(&mut self.ints, at, width)[lanes].fill(text.number().into());
            }
            Value::Float(value) => entry(&mut self.floats, at, width)[lanes].fill(value),
            Value::Double(value) => entry(&mut self.doubles, at, width)[lanes].fill(value),
            Value::Vec2(_) | Value::Vec3(_) => {
                for (at, &part) in (at..).zip(parts(&value)) {
                    entry(&mut self.floats, at, width)[lanes.clone()].fill(part);
                }
            }
        }
    }
}

fn bits(lanes: &Range<usize>) -> u64 {
    u64::MAX >> (64 - lanes.len()) << lanes.start
}
