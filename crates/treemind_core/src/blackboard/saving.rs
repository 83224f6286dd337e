//! Saving columns, and restoring them from bytes that cannot be trusted.

use super::board::BoardLayout;
use super::cells::{Cells, CellsMut, Holds, Shape, Size};
use super::key::Key;
use super::packed::Tag;
use super::shared::{MARKS, Marks, Shared, size};
use crate::ids::EnumId;
use crate::snapshot::{Reader, RestoreError, Writer};
use crate::text::Text;

impl Shape {
    /// How many bytes the columns of a chunk take.
    pub(crate) fn saved_bytes(&self, size: Size) -> usize {
        let per_lane = self.wide as usize * 8 + self.narrow.len() * 4;
        self.bits as usize * size.words * 8 + per_lane * size.lanes
    }

    /// Writes all columns of a chunk.
    pub(crate) fn save(&self, cells: Cells<'_>, to: &mut Writer) {
        let Self {
            bits,
            wide,
            narrow,
            anys,
            moments: _,
            pasts: _,
            ticks: _,
            // What the columns mean follows from the program.
            fields: _,
        } = self;
        (0..*bits).for_each(|column| to.u64s(cells.bits(column)));
        for (column, holds) in (0..).zip(narrow) {
            let values = cells.narrow(column);
            match holds {
                Holds::Text if !to.has_own_texts() => values
                    .iter()
                    .for_each(|text| to.text(Text::from_bits(*text))),
                Holds::Text | Holds::AtMost(_) | Holds::Enum(_) => to.u32s(values),
            }
        }
        let mut anys = anys.iter().peekable();
        for column in 0..*wide {
            let values = cells.wide(column);
            let any = anys.next_if(|(wide, _)| *wide == column);
            let Some((_, tags)) = any.filter(|_| !to.has_own_texts()) else {
                to.u64s(values);
                continue;
            };
            for (value, tag) in values.iter().zip(cells.narrow(*tags)) {
                let value = match Tag::of(*tag) {
                    Some(Tag::Text) => u64::from(to.position(Text::from_bits(*value as u32))),
                    _ => *value,
                };
                to.u64(value);
            }
        }
    }

    /// Reads all columns of a chunk.
    pub(crate) fn restore(
        &self,
        cells: &mut CellsMut<'_>,
        from: &mut Reader<'_>,
    ) -> Result<(), RestoreError> {
        for column in 0..self.bits {
            from.u64s(cells.bits_mut(column))?;
        }
        for (column, holds) in (0..).zip(&self.narrow) {
            let values = cells.narrow_mut(column);
            from.u32s(values)?;
            for value in values {
                match *holds {
                    Holds::AtMost(most) if *value > most => {
                        return Err(RestoreError::impossible("a number is too large"));
                    }
                    Holds::AtMost(_) => {}
                    Holds::Enum(list) => from.check_enum(list, *value)?,
                    Holds::Text => *value = from.text_at(*value)?.number(),
                }
            }
        }
        let mut anys = self.anys.iter().peekable();
        for column in 0..self.wide {
            from.u64s(cells.wide_mut(column))?;
            let Some((_, tags)) = anys.next_if(|(wide, _)| *wide == column) else {
                continue;
            };
            for lane in 0..cells.wide_mut(column).len() {
                let tag = Tag::of(cells.read().narrow(*tags)[lane]);
                let value = &mut cells.wide_mut(column)[lane];
                match tag {
                    Some(Tag::Text) => {
                        let position = u32::try_from(*value).unwrap_or(u32::MAX);
                        *value = u64::from(from.text_at(position)?.number());
                    }
                    Some(Tag::Enum) => {
                        from.check_enum(EnumId((*value >> 32) as u32), *value as u32)?;
                    }
                    Some(_) => {}
                    None => return Err(RestoreError::impossible("a value is of no known type")),
                }
            }
        }
        Ok(())
    }
}

impl Shared {
    /// Writes the shared keys and the groups.
    pub(crate) fn save(&self, board: &BoardLayout, to: &mut Writer) {
        let Self {
            layout: _,
            cells: _,
            groups,
            of_agent,
            marks: Marks { of_place, all: _ },
            // What changes in a tick are relative to.
            start: _,
            // Whoever restores says it.
            is_joined: _,
            version: _,
        } = self;
        to.count(*groups);
        to.count(of_agent.len());
        to.u32s(of_agent);
        to.bytes(of_place);
        board.shared_shape.save(self.cells(), to);
    }

    /// Reads the shared keys and the groups of at most this many agents, in at most this many groups.
    pub(crate) fn restore(
        (board, keys): (&BoardLayout, &[Key]),
        (agents, most_groups): (usize, u32),
        is_joined: bool,
        from: &mut Reader<'_>,
    ) -> Result<Self, RestoreError> {
        let groups = from.u64()?;
        if !(1..=u64::from(most_groups)).contains(&groups) {
            return Err(RestoreError::impossible("there are too many groups"));
        }
        let groups = groups as usize;
        let mut of_agent = vec![0; from.count(4)?];
        if of_agent.len() > agents {
            return Err(RestoreError::impossible("a group belongs to nobody"));
        }
        from.u32s(&mut of_agent)?;
        if of_agent.iter().any(|group| *group as usize >= groups) {
            return Err(RestoreError::impossible("there is no such group"));
        }
        let of_place = from.bytes(groups * board.shared.len())?.to_vec();
        if of_place.iter().any(|marks| marks & !MARKS != 0) {
            return Err(RestoreError::impossible("a mark is unknown"));
        }
        from.has(board.shared_shape.saved_bytes(size(groups)))?;
        let mut shared = Self::new(board, keys);
        shared.grow(board, keys, groups);
        let mut cells = CellsMut::new(&shared.layout, &mut shared.cells);
        board.shared_shape.restore(&mut cells, from)?;
        let all = of_place.iter().fold(0, |all, marks| all | marks);
        Ok(Self {
            layout: shared.layout,
            cells: shared.cells,
            groups,
            of_agent,
            marks: Marks { of_place, all },
            start: Vec::new(),
            is_joined,
            version: 0,
        })
    }
}
