//! Where one key is stored, and all operations on its content.

use super::board::KeySlot;
use super::cells::{Cells, CellsMut, Holds, Shape};
use super::fields::Label;
use super::held::List;
use super::key::{Form, Key};
use crate::value::Value;

/// The columns that belong to a key apart from its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SlotForm {
    One,
    /// The column of bits that says whether there is a value.
    Optional {
        set: u32,
        starts_set: bool,
    },
    /// The narrow column with the number of items. The column of the key is that of the first item.
    List {
        length: u32,
        bound: u32,
    },
}

impl KeySlot {
    /// Makes room for a key; no node looks at it yet, and it has no numbers.
    pub(crate) fn new(shape: &mut Shape, key: &Key) -> Self {
        // Values of keys are shown as such.
        let label = Label::APART;
        let items = match &key.form {
            Form::List { bound, .. } => *bound,
            Form::One | Form::Optional { .. } => 1,
        };
        let column = shape.add_items(key.ty, items, label);
        let form = match key.form {
            Form::One => SlotForm::One,
            Form::Optional { starts_set } => SlotForm::Optional {
                set: shape.add_bits(label),
                starts_set,
            },
            Form::List { bound, .. } => SlotForm::List {
                length: shape.add_narrow(Holds::AtMost(bound), label),
                bound,
            },
        };
        Self {
            column,
            ty: key.ty,
            default: key.default,
            form,
            scope: key.scope,
            shared: 0,
            watchers: (0, 0),
            sensed: None,
            aged: None,
        }
    }

    /// The value; `None` when there is none, and for lists.
    #[inline]
    pub(crate) fn get(self, cells: Cells<'_>, lane: usize) -> Option<Value> {
        let is_there = match self.form {
            SlotForm::One => true,
            SlotForm::Optional { set, .. } => has_bit(cells.bits(set), lane),
            SlotForm::List { .. } => false,
        };
        is_there.then(|| cells.get(self.column, self.ty, lane))
    }

    /// Whether there is a value; for a list, whether there is an item.
    pub(crate) fn is_set(self, cells: Cells<'_>, lane: usize) -> bool {
        match self.form {
            SlotForm::One => true,
            SlotForm::Optional { set, .. } => has_bit(cells.bits(set), lane),
            SlotForm::List { .. } => self.len(cells, lane) > 0,
        }
    }

    /// Writes a value of the key's type. Not for lists.
    #[inline]
    pub(crate) fn set(self, cells: &mut CellsMut<'_>, lane: usize, value: Value) {
        cells.set(self.column, lane, value);
        self.mark_set(cells, lane / 64, 1 << (lane % 64));
    }

    /// Records that some agents of a word have a value now.
    #[inline]
    pub(crate) fn mark_set(self, cells: &mut CellsMut<'_>, word: usize, mask: u64) {
        if let SlotForm::Optional { set, .. } = self.form {
            cells.bits_mut(set)[word] |= mask;
        }
    }

    /// Removes the value, or all items; does nothing for keys that always have a value.
    pub(crate) fn unset(self, cells: &mut CellsMut<'_>, lane: usize) {
        match self.form {
            SlotForm::One => {}
            SlotForm::Optional { set, .. } => {
                cells.bits_mut(set)[lane / 64] &= !(1 << (lane % 64));
            }
            SlotForm::List { .. } => self.set_len(cells, lane, 0),
        }
    }

    /// Resets the key to the content for a new agent.
    pub(crate) fn reset(self, key: &Key, cells: &mut CellsMut<'_>, lane: usize) {
        match (self.form, &key.form) {
            (SlotForm::List { .. }, Form::List { items, .. }) => {
                for (index, item) in (0..).zip(items) {
                    cells.set(self.column.item(index), lane, *item);
                }
                self.set_len(cells, lane, items.len() as u32);
            }
            (SlotForm::Optional { starts_set, .. }, _) if !starts_set => self.unset(cells, lane),
            _ => self.set(cells, lane, self.default),
        }
    }

    /// How many items a list has; 0 for other keys.
    pub(crate) fn len(self, cells: Cells<'_>, lane: usize) -> u32 {
        match self.form {
            SlotForm::List { length, .. } => cells.narrow(length)[lane],
            SlotForm::One | SlotForm::Optional { .. } => 0,
        }
    }

    /// How many items a list can hold; 0 for other keys.
    pub(crate) fn bound(self) -> u32 {
        match self.form {
            SlotForm::List { bound, .. } => bound,
            SlotForm::One | SlotForm::Optional { .. } => 0,
        }
    }

    /// Sets the number of items of a list, at most its bound.
    pub(crate) fn set_len(self, cells: &mut CellsMut<'_>, lane: usize, items: u32) {
        if let SlotForm::List { length, .. } = self.form {
            cells.narrow_mut(length)[lane] = items;
        }
    }

    /// Adds an item of the list's type, if there is room; returns whether there was.
    pub(crate) fn push(self, cells: &mut CellsMut<'_>, lane: usize, item: Value) -> bool {
        let length = self.len(cells.read(), lane);
        let has_room = length < self.bound();
        if has_room {
            cells.set(self.column.item(length), lane, item);
            self.set_len(cells, lane, length + 1);
        }
        has_room
    }

    /// Removes the first item of a list that is equal to one of its type; returns whether there was one.
    pub(crate) fn remove(self, cells: &mut CellsMut<'_>, lane: usize, item: Value) -> bool {
        let list = List {
            slot: self,
            cells: cells.read(),
            lane,
        };
        let Some(place) = list.place_of(item) else {
            return false;
        };
        let last = self.len(cells.read(), lane) - 1;
        for index in place as u32..last {
            let next = self.item(cells.read(), lane, index + 1);
            cells.set(self.column.item(index), lane, next);
        }
        self.set_len(cells, lane, last);
        true
    }

    /// An item of a list; the index must be less than its length.
    pub(crate) fn item(self, cells: Cells<'_>, lane: usize, index: u32) -> Value {
        cells.get(self.column.item(index), self.ty, lane)
    }
}

fn has_bit(words: &[u64], lane: usize) -> bool {
    words[lane / 64] >> (lane % 64) & 1 == 1
}

/// Copies the content of a key from one lane to another, possibly of another board: both slots must be of keys of
/// the same type and form.
pub(crate) fn copy(
    source: (KeySlot, Cells<'_>, usize),
    target: (KeySlot, &mut CellsMut<'_>, usize),
) {
    debug_assert_eq!(source.0.ty, target.0.ty);
    copy_as(source, target, |value| value);
}

/// Why a program takes over the value of a key that it shares with another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TakeOver {
    /// The key was written there: nodes that look at it are informed.
    Write,
    /// One of them has joined: the key begins.
    Join,
    /// It is another program now, with all that it knew.
    Change,
}

/// Like [`copy`], for keys of different programs: `translate` turns a value of the one into a value of the other.
pub(crate) fn copy_as(
    (source, from, source_lane): (KeySlot, Cells<'_>, usize),
    (target, to, lane): (KeySlot, &mut CellsMut<'_>, usize),
    translate: impl Fn(Value) -> Value,
) {
    if source.bound() > 0 {
        let items = source.len(from, source_lane).min(target.bound());
        for index in 0..items {
            let item = translate(source.item(from, source_lane, index));
            to.set(target.column.item(index), lane, item);
        }
        target.set_len(to, lane, items);
        return;
    }
    match source.get(from, source_lane) {
        Some(value) => target.set(to, lane, translate(value)),
        None => target.unset(to, lane),
    }
}

#[cfg(test)]
mod tests {
    use super::{KeySlot, copy};
    use crate::blackboard::cells::{Cells, CellsMut, Layout, Shape, Size};
    use crate::blackboard::key::{Form, Key};
    use crate::text::Text;
    use crate::value::{Type, Value};

    const SIZE: Size = Size {
        words: 2,
        lanes: 128,
    };

    fn key(ty: Type, form: Form) -> Key {
        Key {
            ty,
            form,
            ..Key::new("k", ty.zero())
        }
    }

    fn values(ty: Type) -> [Value; 2] {
        match ty {
            Type::Bool => [Value::Bool(true), Value::Bool(false)],
            Type::Int => [Value::Int(-5), Value::Int(i64::MAX)],
            Type::Vec2 => [Value::Vec2([1.0, 2.0]), Value::Vec2([3.0, 4.0])],
            Type::Vec3 => [Value::Vec3([1.0, 2.0, 3.0]), Value::Vec3([4.0, 5.0, 6.0])],
            Type::Text => [Value::Text(Text::new("a")), Value::Text(Text::new("b"))],
            _ => [Value::Vec3([7.0, 8.0, 9.0]), Value::Bool(true)],
        }
    }

    /// A key between two others, so that a test notices a column too few or too many.
    fn board(key: &Key) -> (KeySlot, [KeySlot; 2], Layout) {
        let mut shape = Shape::default();
        let around = Key {
            ty: Type::Any,
            ..key.clone()
        };
        let before = KeySlot::new(&mut shape, &around);
        let slot = KeySlot::new(&mut shape, key);
        let after = KeySlot::new(&mut shape, &around);
        (slot, [before, after], shape.layout(SIZE))
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
    fn every_type_is_kept_and_copied_in_every_form() {
        let forms = [
            Form::One,
            Form::Optional { starts_set: false },
            Form::List {
                bound: 3,
                items: Vec::new(),
            },
        ];
        for ty in [
            Type::Bool,
            Type::Int,
            Type::Vec2,
            Type::Vec3,
            Type::Text,
            Type::Any,
        ] {
            for form in &forms {
                let key = key(ty, form.clone());
                let (slot, neighbours, layout) = board(&key);
                let mut data = [vec![0; layout.cells], vec![0; layout.cells]];
                let [source, target] = &mut data;
                let mut from = CellsMut::new(&layout, source);
                let mut to = CellsMut::new(&layout, target);
                for lane in 0..SIZE.lanes {
                    slot.reset(&key, &mut from, lane);
                    slot.reset(&key, &mut to, lane);
                }
                let given = values(ty);
                if slot.bound() > 0 {
                    for (index, value) in (0..).zip(given) {
                        from.set(slot.column.item(index), 70, value);
                    }
                    slot.set_len(&mut from, 70, 2);
                } else {
                    assert_eq!(slot.is_set(from.read(), 70), *form == Form::One);
                    slot.set(&mut from, 70, given[0]);
                }
                copy((slot, from.read(), 70), (slot, &mut to, 3));
                copy((slot, from.read(), 71), (slot, &mut to, 4));
                let held = |cells: Cells<'_>, lane| {
                    let items = slot.len(cells, lane);
                    let items: Vec<Value> = (0..items)
                        .map(|index| slot.item(cells, lane, index))
                        .collect();
                    (slot.get(cells, lane), items)
                };
                let wanted = if slot.bound() > 0 {
                    (None, given.to_vec())
                } else {
                    (Some(given[0]), Vec::new())
                };
                assert_eq!(held(to.read(), 3), wanted, "{ty} {form:?}");
                assert_eq!(held(to.read(), 4), held(from.read(), 71), "{ty} {form:?}");
                for lane in 0..SIZE.lanes {
                    for neighbour in neighbours {
                        assert!(!neighbour.is_set(to.read(), lane) || *form == Form::One);
                    }
                }
                slot.unset(&mut to, 3);
                assert_eq!(slot.is_set(to.read(), 3), *form == Form::One);
            }
        }
    }

    #[test]
    fn a_key_starts_as_it_says() {
        let list = key(
            Type::Text,
            Form::List {
                bound: 4,
                items: values(Type::Text).to_vec(),
            },
        );
        let optional = key(Type::Vec2, Form::Optional { starts_set: true });
        for (key, length) in [(list, 2), (optional, 0)] {
            let (slot, _, layout) = board(&key);
            let mut data = vec![0; layout.cells];
            let mut cells = CellsMut::new(&layout, &mut data);
            slot.reset(&key, &mut cells, 9);
            assert!(slot.is_set(cells.read(), 9));
            assert!(!slot.is_set(cells.read(), 10));
            assert_eq!(slot.len(cells.read(), 9), length);
        }
    }
}
