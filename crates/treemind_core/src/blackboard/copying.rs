//! Values that go from columns to columns, a word of agents at a time.

use super::cells::{Cells, CellsMut, Column};

impl CellsMut<'_> {
    /// Copies the values of some agents of a word. Both columns are of one type, and both chunks of one size.
    pub(crate) fn copy_word(
        &mut self,
        to: Column,
        from: (Cells<'_>, Column),
        (word, mask): (usize, u64),
    ) {
        let (cells, column) = from;
        let mut narrow = |to: u32, from: u32| {
            copy(self.narrow_mut(to), cells.narrow(from), (word, mask));
        };
        match (to, column) {
            (Column::Bits(to), Column::Bits(from)) => {
                let bits = &mut self.bits_mut(to)[word];
                *bits = *bits & !mask | cells.bits(from)[word] & mask;
            }
            (Column::Wide(to), Column::Wide(from)) => {
                copy(self.wide_mut(to), cells.wide(from), (word, mask));
            }
            (Column::Narrow(to), Column::Narrow(from)) => narrow(to, from),
            (Column::Vec2(to), Column::Vec2(from)) => {
                (0..2).for_each(|part| narrow(to + part, from + part));
            }
            (Column::Vec3(to), Column::Vec3(from)) => {
                (0..3).for_each(|part| narrow(to + part, from + part));
            }
            (
                Column::Any {
                    wide,
                    narrow: first,
                },
                Column::Any {
                    wide: from_wide,
                    narrow: from_first,
                },
            ) => {
                (0..2).for_each(|part| narrow(first + part, from_first + part));
                copy(self.wide_mut(wide), cells.wide(from_wide), (word, mask));
            }
            _ => unreachable!("both are of one type"),
        }
    }
}

/// Copies some lanes of a word of a column.
#[inline]
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T], (word, mask): (usize, u64)) {
    let lanes = word * 64..to.len().min(word * 64 + 64);
    let (to, from) = (&mut to[lanes.clone()], &from[lanes]);
    if mask == u64::MAX {
        to.copy_from_slice(from);
        return;
    }
    for (lane, (to, from)) in to.iter_mut().zip(from).enumerate() {
        *to = if mask >> lane & 1 == 1 { *from } else { *to };
    }
}
