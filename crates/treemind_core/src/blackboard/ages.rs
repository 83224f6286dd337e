//! How long ago keys were written, and how long ago they changed, for the expressions that ask.
//!
//! Whoever writes a key does not know the time. So a write only leaves a bit, as it does for nodes that look at the
//! key, and the next tick, before its time passes, turns the bits into moments: those of the clock that has been
//! shown since the last tick began. Keys that nobody asks about have nothing of this.

use super::board::{BoardLayout, KeySlot};
use super::cells::{Cells, CellsMut, Shape};
use super::fields::{Label, Part};
use super::key::{Key, Scope};
use crate::expr::Expr;
use crate::ids::KeyId;
use crate::value::Value;

/// A moment that is not known yet: the key has begun since the last tick did.
const NOT_YET: u64 = u64::MAX;

/// What expressions ask about the times of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) written: bool,
    pub(crate) changed: bool,
}

impl Asked {
    /// Notes what an expression asks; one entry per key.
    pub(crate) fn note(all: &mut [Asked], expr: &Expr) {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match expr {
                Expr::SinceWritten(key) => all[key.index()].written = true,
                Expr::Age(key) => all[key.index()].changed = true,
                _ => {}
            }
            pending.extend(expr.parts());
        }
    }
}

/// Which time of a key is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    Written,
    Changed,
}

/// Where the times of a key are stored: beside its value, so for a shared key once per group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AgeSlot {
    key: KeyId,
    /// For an agent's own key, a column of bits: it was written, or has begun, since the last tick began. Of a shared
    /// key, [`Shared`](super::Shared) knows it.
    pub(super) touched: Option<u32>,
    /// The moment of the last write.
    written: Option<u32>,
    changed: Option<Changed>,
}

/// When a key has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Changed {
    moment: u32,
    /// What the key held when the last tick began.
    before: KeySlot,
}

impl AgeSlot {
    pub(super) fn new(shape: &mut Shape, id: KeyId, key: &Key, asked: Asked) -> Self {
        let part = Part::Key(id);
        let is_own = key.scope == Scope::Agent;
        Self {
            key: id,
            touched: is_own.then(|| shape.add_bits(Label::APART)),
            written: asked
                .written
                .then(|| shape.add_past(("written_secs_ago", part))),
            changed: asked.changed.then(|| Changed {
                moment: shape.add_past(("changed_secs_ago", part)),
                before: KeySlot::new(shape, key),
            }),
        }
    }

    fn moments(self) -> impl Iterator<Item = u32> {
        let changed = self.changed.map(|changed| changed.moment);
        self.written.into_iter().chain(changed)
    }

    /// The key begins: it has just got the content for a new agent, or for a new group.
    pub(crate) fn begin(self, cells: &mut CellsMut<'_>, lane: usize) {
        for moment in self.moments() {
            cells.wide_mut(moment)[lane] = NOT_YET;
        }
        if let Some(touched) = self.touched {
            cells.bits_mut(touched)[lane / 64] |= 1 << (lane % 64);
        }
    }

    /// A tick is about to begin: what has happened to a key that was touched has happened at `now_ns`.
    pub(super) fn settle(self, slot: KeySlot, cells: &mut CellsMut<'_>, lane: usize, now_ns: u64) {
        if let Some(written) = self.written {
            cells.wide_mut(written)[lane] = now_ns;
        }
        if let Some(changed) = self.changed
            && changed.differs(slot, cells.read(), lane)
        {
            cells.wide_mut(changed.moment)[lane] = now_ns;
            match slot.get(cells.read(), lane) {
                Some(value) => changed.before.set(cells, lane, value),
                None => changed.before.unset(cells, lane),
            }
        }
    }

    /// Seconds since the key was written or has changed, given whether it was touched since this tick began.
    pub(crate) fn secs(
        self,
        since: Since,
        (slot, cells, lane): (KeySlot, Cells<'_>, usize),
        is_touched: bool,
        now_ns: u64,
    ) -> f64 {
        let (moment, is_now) = match (since, self.written, self.changed) {
            (Since::Written, Some(moment), _) => (moment, is_touched),
            (Since::Changed, _, Some(changed)) => {
                let is_now = is_touched && changed.differs(slot, cells, lane);
                (changed.moment, is_now)
            }
            _ => unreachable!("there is a column for what is asked"),
        };
        match cells.wide(moment)[lane] {
            NOT_YET => 0.0,
            _ if is_now => 0.0,
            moment => now_ns.wrapping_sub(moment) as f64 / 1e9,
        }
    }

    /// Whether an agent's own key was touched.
    pub(crate) fn touched_in(self, cells: Cells<'_>, word: usize) -> u64 {
        self.touched.map_or(0, |column| cells.bits(column)[word])
    }

    /// Takes over the times of a key from another board, whose content this board has already. What that one does not
    /// know begins at `now_ns`. `value` is one of that board's values as one of this board's; `None` if it cannot be
    /// one.
    pub(crate) fn carry(
        self,
        (source, from, source_lane): (AgeSlot, Cells<'_>, usize),
        (slot, to, lane): (KeySlot, &mut CellsMut<'_>, usize),
        value: impl Fn(Value) -> Option<Value>,
        now_ns: u64,
    ) {
        let moment =
            |column: Option<u32>| column.map_or(now_ns, |column| from.wide(column)[source_lane]);
        if let Some(target) = self.written {
            to.wide_mut(target)[lane] = moment(source.written);
        }
        if let Some(new) = self.changed {
            let before = source.changed.map(|old| old.before.get(from, source_lane));
            let known = before.map(|before| before.map(&value));
            let (content, old) = match known {
                None | Some(Some(None)) => (slot.get(to.read(), lane), None),
                Some(before) => (before.flatten(), source.changed),
            };
            match content {
                Some(value) => new.before.set(to, lane, value),
                None => new.before.unset(to, lane),
            }
            to.wide_mut(new.moment)[lane] = moment(old.map(|old| old.moment));
        }
        if let Some(touched) = self.touched {
            let was_touched = source.touched_in(from, source_lane / 64) >> (source_lane % 64) & 1;
            let bits = &mut to.bits_mut(touched)[lane / 64];
            *bits = *bits & !(1 << (lane % 64)) | was_touched << (lane % 64);
        }
    }
}

impl Changed {
    /// Whether the key has just begun, or holds something else than when the last tick began.
    fn differs(self, slot: KeySlot, cells: Cells<'_>, lane: usize) -> bool {
        let now = slot.get(cells, lane);
        let before = self.before.get(cells, lane);
        cells.wide(self.moment)[lane] == NOT_YET || !are_same(now, before)
    }
}

/// Whether two contents are equal. A number that is none is equal to itself, so that it can stay.
fn are_same(now: Option<Value>, before: Option<Value>) -> bool {
    let floats = |a: &[f32], b: &[f32]| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| a == b || a.is_nan() && b.is_nan())
    };
    match (now, before) {
        (Some(Value::Float(a)), Some(Value::Float(b))) => floats(&[a], &[b]),
        (Some(Value::Double(a)), Some(Value::Double(b))) => a == b || a.is_nan() && b.is_nan(),
        (Some(Value::Vec2(a)), Some(Value::Vec2(b))) => floats(&a, &b),
        (Some(Value::Vec3(a)), Some(Value::Vec3(b))) => floats(&a, &b),
        (now, before) => now == before,
    }
}

impl BoardLayout {
    /// Where the times of a key are, if an expression asks for them.
    #[inline]
    pub(crate) fn age(&self, slot: KeySlot) -> Option<AgeSlot> {
        slot.aged.map(|aged| self.ages[aged as usize])
    }

    /// Whether an expression asks for the time of any key.
    #[inline]
    pub(crate) fn has_ages(&self) -> bool {
        !self.ages.is_empty()
    }

    /// A tick is about to begin: turns what has happened to the keys of some agents into moments.
    pub(crate) fn settle_ages(&self, cells: &mut CellsMut<'_>, now_ns: u64) {
        let lanes = cells.lanes();
        for age in &self.ages {
            let Some(touched) = age.touched else { continue };
            let slot = self.keys[age.key.index()];
            for word in 0..cells.bits_mut(touched).len() {
                let mut rest = std::mem::take(&mut cells.bits_mut(touched)[word]);
                while rest != 0 {
                    let lane = word * 64 + rest.trailing_zeros() as usize;
                    // A saved state may have bits where there is no agent.
                    if lane >= lanes {
                        break;
                    }
                    age.settle(slot, cells, lane, now_ns);
                    rest &= rest - 1;
                }
            }
        }
    }
}
