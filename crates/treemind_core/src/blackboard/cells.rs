//! Columns in one buffer of 64-bit cells: bits, 32-bit and 64-bit values, a lane per agent.

use super::fields::{Field, FieldKind, Label};
use super::packed::Packed;
use super::shift::Shift;
use crate::ids::EnumId;
use crate::text::Text;
use crate::value::{Type, Value};
use std::fmt;
use std::ops::Range;

/// The position of a value's column or columns: their class and their index in that class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Bits(u32),
    Wide(u32),
    Narrow(u32),
    /// The first of two narrow columns.
    Vec2(u32),
    /// The first of three narrow columns.
    Vec3(u32),
    /// A wide column, and the first of two narrow ones: the tag, and the rest of the value.
    Any {
        wide: u32,
        narrow: u32,
    },
}

impl Column {
    /// The column of an item of a list, given the column of the first item.
    pub(crate) fn item(self, index: u32) -> Self {
        match self {
            Column::Bits(first) => Column::Bits(first + index),
            Column::Wide(first) => Column::Wide(first + index),
            Column::Narrow(first) => Column::Narrow(first + index),
            Column::Vec2(first) => Column::Vec2(first + 2 * index),
            Column::Vec3(first) => Column::Vec3(first + 3 * index),
            Column::Any { wide, narrow } => Column::Any {
                wide: wide + index,
                narrow: narrow + 2 * index,
            },
        }
    }

    /// The one column of a value of 32 bits.
    pub(crate) fn narrow(self) -> Option<u32> {
        match self {
            Column::Narrow(column) => Some(column),
            _ => None,
        }
    }
}

/// Which columns of each class there are.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(super) bits: u32,
    pub(super) wide: u32,
    /// What each narrow column holds.
    pub(super) narrow: Vec<Holds>,
    /// The columns of values of type `any`: the wide one, and the first narrow one, in ascending order.
    pub(super) anys: Vec<(u32, u32)>,
    /// The wide columns that hold a moment of the population's clock.
    pub(super) moments: Vec<u32>,
    /// Which of them hold moments that have been.
    pub(super) pasts: Vec<u32>,
    /// The wide and the narrow columns that hold a number of a tick.
    pub(super) ticks: [Vec<u32>; 2],
    /// What the columns mean, but for those that are shown apart.
    pub(super) fields: Vec<Field>,
}

/// What a narrow column may hold. Whoever restores a column checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A number up to this one.
    AtMost(u32),
    /// A value of an enumeration.
    Enum(EnumId),
    /// The number of a text, which is another one in another process.
    Text,
}

impl Holds {
    /// Any 32 bits.
    pub(crate) const NUMBER: Self = Holds::AtMost(u32::MAX);
}

/// How many agents a chunk can hold, and how many words of bits that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) words: usize,
    pub(crate) lanes: usize,
}

/// The words of a wide chunk. Wide chunks are for crowds, and have what makes these quick: moments that say when the next of
/// many is due, and agents that rest.
pub(crate) const WIDE: usize = 16;

impl Size {
    /// Whether chunks of this size are wide.
    pub(crate) fn is_wide(self) -> bool {
        self.words >= WIDE
    }
}

fn next(count: &mut u32) -> u32 {
    *count += 1;
    *count - 1
}

impl fmt::Debug for Shape {
    /// Fingerprints are made of this. Which columns are moments and ticks follows from the nodes, which are in them, too.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Shape")
            .field("bits", &self.bits)
            .field("wide", &self.wide)
            .field("narrow", &self.narrow)
            .field("anys", &self.anys)
            .finish()
    }
}

impl Shape {
    pub(crate) fn add_bits(&mut self, label: impl Into<Label>) -> u32 {
        let column = next(&mut self.bits);
        let holds = FieldKind::Value(Column::Bits(column), Type::Bool);
        self.describe(holds, label.into());
        column
    }

    pub(crate) fn add_wide(&mut self, label: impl Into<Label>) -> u32 {
        let column = next(&mut self.wide);
        let holds = FieldKind::Value(Column::Wide(column), Type::Int);
        self.describe(holds, label.into());
        column
    }

    /// Adds a wide column for a moment of the population's clock, in nanoseconds; `u64::MAX` is never.
    pub(crate) fn add_moment(&mut self, label: impl Into<Label>) -> u32 {
        let column = next(&mut self.wide);
        self.moments.push(column);
        self.describe(FieldKind::Moment(column), label.into());
        column
    }

    /// Adds a wide column for a moment that has been, of the population's clock, in nanoseconds; `u64::MAX` is none. It
    /// may lie before the clock began, if it comes from another clock: the time since then is the difference, wrapped.
    pub(crate) fn add_past(&mut self, label: impl Into<Label>) -> u32 {
        let column = next(&mut self.wide);
        self.pasts.push(column);
        self.describe(FieldKind::Past(column), label.into());
        column
    }

    /// Adds a wide column for the number of a tick.
    pub(crate) fn add_wide_tick(&mut self, label: impl Into<Label>) -> u32 {
        let column = next(&mut self.wide);
        self.ticks[0].push(column);
        self.describe(FieldKind::WideTick(column), label.into());
        column
    }

    /// Adds a narrow column for the low half of the number of a tick.
    pub(crate) fn add_tick(&mut self, label: impl Into<Label>) -> u32 {
        self.add_ticks(1, label)
    }

    /// Adds several of them, side by side; returns the first.
    pub(crate) fn add_ticks(&mut self, columns: u32, label: impl Into<Label>) -> u32 {
        let first = self.more_narrow(columns, Holds::NUMBER);
        self.ticks[1].extend(first..first + columns);
        self.describe(FieldKind::Tick(first), label.into());
        first
    }

    pub(crate) fn add_narrow(&mut self, holds: Holds, label: impl Into<Label>) -> u32 {
        self.add_narrows(1, holds, label)
    }

    /// Adds several narrow columns, side by side; returns the first.
    pub(crate) fn add_narrows(
        &mut self,
        columns: u32,
        holds: Holds,
        label: impl Into<Label>,
    ) -> u32 {
        let first = self.more_narrow(columns, holds);
        let kind = match holds {
            Holds::Text => FieldKind::Value(Column::Narrow(first), Type::Text),
            Holds::Enum(list) => FieldKind::Value(Column::Narrow(first), Type::Enum(list)),
            Holds::AtMost(_) => FieldKind::Number(first),
        };
        self.describe(kind, label.into());
        first
    }

    fn more_narrow(&mut self, columns: u32, holds: Holds) -> u32 {
        let first = self.narrow.len() as u32;
        self.narrow.extend((0..columns).map(|_| holds));
        first
    }

    /// Makes room for a value of a type.
    pub(crate) fn add(&mut self, ty: Type, label: impl Into<Label>) -> Column {
        self.add_items(ty, 1, label)
    }

    /// Makes room for several values of a type; returns the position of the first.
    pub(crate) fn add_items(&mut self, ty: Type, items: u32, label: impl Into<Label>) -> Column {
        let Shape { bits, wide, .. } = *self;
        let column = match ty {
            Type::Bool => {
                self.bits += items;
                Column::Bits(bits)
            }
            Type::Int | Type::Double | Type::Entity => {
                self.wide += items;
                Column::Wide(wide)
            }
            Type::Float => Column::Narrow(self.more_narrow(items, Holds::NUMBER)),
            Type::Enum(list) => Column::Narrow(self.more_narrow(items, Holds::Enum(list))),
            Type::Text => Column::Narrow(self.more_narrow(items, Holds::Text)),
            Type::Vec2 => Column::Vec2(self.more_narrow(2 * items, Holds::NUMBER)),
            Type::Vec3 => Column::Vec3(self.more_narrow(3 * items, Holds::NUMBER)),
            Type::Any => {
                self.wide += items;
                let narrow = self.more_narrow(2 * items, Holds::NUMBER);
                let pairs = (0..items).map(|item| (wide + item, narrow + 2 * item));
                self.anys.extend(pairs);
                Column::Any { wide, narrow }
            }
        };
        self.describe(FieldKind::Value(column, ty), label.into());
        column
    }

    fn describe(&mut self, holds: FieldKind, label: Label) {
        self.fields.extend(label.field(holds));
    }

    /// What the columns mean, in the order in which they were added.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// How many columns of each class there are: bits, wide, narrow.
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.bits as usize, self.wide as usize, self.narrow.len()]
    }

    /// What a narrow column may hold.
    pub(crate) fn holds(&self, column: u32) -> Holds {
        self.narrow[column as usize]
    }

    /// The columns of values of type `any`.
    pub(crate) fn anys(&self) -> impl Iterator<Item = Column> + '_ {
        let anys = self.anys.iter();
        anys.map(|&(wide, narrow)| Column::Any { wide, narrow })
    }

    /// The positions of the columns in chunks of this size.
    pub(crate) fn layout(&self, size: Size) -> Layout {
        let wide_start = self.bits as usize * size.words;
        let narrow_start = wide_start + self.wide as usize * size.lanes;
        let narrow_cells = size.lanes.div_ceil(2);
        let earliest_start = narrow_start + self.narrow.len() * narrow_cells;
        let earliest = if size.is_wide() {
            self.wide as usize
        } else {
            0
        };
        Layout {
            size,
            wide_start,
            narrow_start,
            narrow_cells,
            earliest_start,
            cells: earliest_start + earliest,
        }
    }

    /// Sets some lanes of every column to zero.
    pub(crate) fn clear_lanes(&self, cells: &mut CellsMut<'_>, lanes: Range<usize>) {
        for index in 0..self.bits {
            let bits = cells.bits_mut(index);
            lanes
                .clone()
                .for_each(|lane| bits[lane / 64] &= !(1 << (lane % 64)));
        }
        for index in 0..self.wide {
            cells.wide_mut(index)[lanes.clone()].fill(0);
        }
        for index in 0..self.narrow.len() as u32 {
            cells.narrow_mut(index)[lanes.clone()].fill(0);
        }
    }

    /// Changes the moments and the ticks of a lane by as much as the clock and the number of the tick differ between where
    /// the lane comes from and where it is: whatever is due is due in as long as it was.
    pub(crate) fn shift(&self, cells: &mut CellsMut<'_>, lane: usize, by: Shift) {
        for column in &self.moments {
            let moment = &mut cells.wide_mut(*column)[lane];
            *moment = by.moment(*moment);
            if cells.layout.size.is_wide() {
                *cells.earliest_mut(*column) = 0;
            }
        }
        for column in &self.pasts {
            let moment = &mut cells.wide_mut(*column)[lane];
            let [from, to] = by.now_ns;
            if *moment != u64::MAX {
                *moment = moment.wrapping_add(to.wrapping_sub(from));
            }
        }
        let [wide, narrow] = &self.ticks;
        for column in wide {
            let tick = &mut cells.wide_mut(*column)[lane];
            // It may lie before the first tick here.
            let [from, to] = by.tick;
            *tick = tick.wrapping_add(to.wrapping_sub(from));
        }
        for column in narrow {
            let tick = &mut cells.narrow_mut(*column)[lane];
            let [from, to] = by.tick;
            *tick = tick.wrapping_add((to as u32).wrapping_sub(from as u32));
        }
    }

    /// Copies one lane of every column.
    pub(crate) fn copy_lane(&self, from: (Cells<'_>, usize), to: (CellsMut<'_>, usize)) {
        let ((source, source_lane), (mut target, lane)) = (from, to);
        for index in 0..self.bits {
            let bit = source.bits(index)[source_lane / 64] >> (source_lane % 64) & 1;
            let word = &mut target.bits_mut(index)[lane / 64];
            *word = *word & !(1 << (lane % 64)) | bit << (lane % 64);
        }
        for index in 0..self.wide {
            target.wide_mut(index)[lane] = source.wide(index)[source_lane];
        }
        for index in 0..self.narrow.len() as u32 {
            target.narrow_mut(index)[lane] = source.narrow(index)[source_lane];
        }
    }
}

/// The positions of a shape's columns in chunks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    size: Size,
    wide_start: usize,
    narrow_start: usize,
    narrow_cells: usize,
    earliest_start: usize,
    /// How many cells a chunk takes.
    pub(crate) cells: usize,
}

impl Layout {
    /// How many agents a chunk has room for.
    pub(crate) fn lanes(&self) -> usize {
        self.size.lanes
    }
}

/// The columns of one chunk, read-only.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    layout: &'a Layout,
    data: &'a [u64],
}

impl<'a> Cells<'a> {
    pub(crate) fn new(layout: &'a Layout, data: &'a [u64]) -> Self {
        Self { layout, data }
    }

    /// How many lanes there are.
    pub(crate) fn lanes(&self) -> usize {
        self.layout.size.lanes
    }

    #[inline]
    pub(crate) fn bits(&self, index: u32) -> &'a [u64] {
        &self.data[index as usize * self.layout.size.words..][..self.layout.size.words]
    }

    #[inline]
    pub(crate) fn wide(&self, index: u32) -> &'a [u64] {
        let start = self.layout.wide_start + index as usize * self.layout.size.lanes;
        &self.data[start..][..self.layout.size.lanes]
    }

    #[inline]
    pub(crate) fn narrow(&self, index: u32) -> &'a [u32] {
        let cells = self.layout.narrow_cells;
        let start = self.layout.narrow_start + index as usize * cells;
        &bytemuck::cast_slice(&self.data[start..][..cells])[..self.layout.size.lanes]
    }

    pub(crate) fn get(&self, column: Column, ty: Type, lane: usize) -> Value {
        match (column, ty) {
            (Column::Bits(index), _) => {
                Value::Bool(self.bits(index)[lane / 64] >> (lane % 64) & 1 == 1)
            }
            (Column::Wide(index), Type::Double) => {
                Value::Double(f64::from_bits(self.wide(index)[lane]))
            }
            (Column::Wide(index), Type::Entity) => Value::Entity(self.wide(index)[lane]),
            (Column::Wide(index), _) => Value::Int(self.wide(index)[lane] as i64),
            (Column::Narrow(index), Type::Enum(list)) => {
                Value::Enum(list, self.narrow(index)[lane])
            }
            (Column::Narrow(index), Type::Text) => {
                Value::Text(Text::from_bits(self.narrow(index)[lane]))
            }
            (Column::Narrow(index), _) => Value::Float(self.float(index, lane)),
            (Column::Vec2(first), _) => {
                Value::Vec2([0, 1].map(|part| self.float(first + part, lane)))
            }
            (Column::Vec3(first), _) => {
                Value::Vec3([0, 1, 2].map(|part| self.float(first + part, lane)))
            }
            (Column::Any { wide, narrow }, _) => {
                let packed = Packed {
                    tag: self.narrow(narrow)[lane],
                    wide: self.wide(wide)[lane],
                    narrow: self.narrow(narrow + 1)[lane],
                };
                packed.value()
            }
        }
    }

    #[inline]
    fn float(&self, index: u32, lane: usize) -> f32 {
        f32::from_bits(self.narrow(index)[lane])
    }
}

/// The columns of one chunk.
pub(crate) struct CellsMut<'a> {
    layout: &'a Layout,
    data: &'a mut [u64],
}

impl<'a> CellsMut<'a> {
    pub(crate) fn new(layout: &'a Layout, data: &'a mut [u64]) -> Self {
        Self { layout, data }
    }

    /// The same, with a shorter lifetime.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> CellsMut<'_> {
        CellsMut::new(self.layout, self.data)
    }

    #[inline]
    pub(crate) fn read(&self) -> Cells<'_> {
        Cells::new(self.layout, self.data)
    }

    /// How many lanes there are.
    pub(crate) fn lanes(&self) -> usize {
        self.layout.size.lanes
    }

    /// One word of a column of bits. These columns come first: word `w` of column `c` is cell `c * words + w`.
    #[inline(always)]
    pub(crate) fn word(&self, cell: usize) -> u64 {
        self.data[cell]
    }

    /// The same for writing.
    #[inline(always)]
    pub(crate) fn word_mut(&mut self, cell: usize) -> &mut u64 {
        &mut self.data[cell]
    }

    /// One cell of a narrow column.
    #[inline(always)]
    pub(crate) fn narrow_of(&self, index: u32, lane: usize) -> u32 {
        bytemuck::cast_slice(self.data)[self.narrow_cell(index, lane)]
    }

    /// The same for writing.
    #[inline(always)]
    pub(crate) fn narrow_of_mut(&mut self, index: u32, lane: usize) -> &mut u32 {
        let cell = self.narrow_cell(index, lane);
        &mut bytemuck::cast_slice_mut(self.data)[cell]
    }

    #[inline(always)]
    fn narrow_cell(&self, index: u32, lane: usize) -> usize {
        let start = self.layout.narrow_start + index as usize * self.layout.narrow_cells;
        start * 2 + lane
    }

    #[inline]
    pub(crate) fn bits_mut(&mut self, index: u32) -> &mut [u64] {
        &mut self.data[index as usize * self.layout.size.words..][..self.layout.size.words]
    }

    #[inline]
    pub(crate) fn wide_mut(&mut self, index: u32) -> &mut [u64] {
        let start = self.layout.wide_start + index as usize * self.layout.size.lanes;
        &mut self.data[start..][..self.layout.size.lanes]
    }

    /// A number for each wide column of times: no agent waits for an earlier time. Only wide chunks have them; at first
    /// they are 0.
    #[inline]
    pub(crate) fn earliest_mut(&mut self, index: u32) -> &mut u64 {
        &mut self.data[self.layout.earliest_start + index as usize]
    }

    #[inline]
    pub(crate) fn narrow_mut(&mut self, index: u32) -> &mut [u32] {
        let cells = self.layout.narrow_cells;
        let start = self.layout.narrow_start + index as usize * cells;
        &mut bytemuck::cast_slice_mut(&mut self.data[start..][..cells])[..self.layout.size.lanes]
    }

    pub(crate) fn set(&mut self, column: Column, lane: usize, value: Value) {
        match column {
            Column::Bits(index) => {
                let word = &mut self.bits_mut(index)[lane / 64];
                let bit = 1 << (lane % 64);
                *word = if value == Value::Bool(true) {
                    *word | bit
                } else {
                    *word & !bit
                };
            }
            Column::Wide(index) => self.wide_mut(index)[lane] = wide_bits(value),
            Column::Narrow(index) => self.narrow_mut(index)[lane] = narrow_bits(value),
            Column::Vec2(first) | Column::Vec3(first) => {
                for (index, part) in (first..).zip(parts(&value)) {
                    self.narrow_mut(index)[lane] = part.to_bits();
                }
            }
            Column::Any { wide, narrow } => {
                let packed = Packed::of(value);
                self.wide_mut(wide)[lane] = packed.wide;
                self.narrow_mut(narrow)[lane] = packed.tag;
                self.narrow_mut(narrow + 1)[lane] = packed.narrow;
            }
        }
    }

    /// Sets some lanes of a column to a value.
    pub(crate) fn fill(&mut self, column: Column, lanes: Range<usize>, value: Value) {
        match column {
            Column::Wide(index) => self.wide_mut(index)[lanes].fill(wide_bits(value)),
            Column::Narrow(index) => self.narrow_mut(index)[lanes].fill(narrow_bits(value)),
            _ => lanes.for_each(|lane| self.set(column, lane, value)),
        }
    }

    /// Several neighbouring narrow columns, as floats.
    pub(crate) fn floats_mut<const N: usize>(&mut self, first: u32) -> [&mut [f32]; N] {
        let cells = self.layout.narrow_cells;
        let lanes = self.layout.size.lanes;
        let start = self.layout.narrow_start + first as usize * cells;
        let mut rest = &mut self.data[start..][..N * cells];
        std::array::from_fn(|_| {
            let (column, others) = std::mem::take(&mut rest).split_at_mut(cells);
            rest = others;
            &mut bytemuck::cast_slice_mut(column)[..lanes]
        })
    }
}

/// The floats of a vector.
pub(crate) fn parts(value: &Value) -> &[f32] {
    match value {
        Value::Vec2(parts) => parts,
        Value::Vec3(parts) => parts,
        _ => unreachable!("types are checked before"),
    }
}

fn wide_bits(value: Value) -> u64 {
    match value {
        Value::Int(value) => value as u64,
        Value::Double(value) => value.to_bits(),
        Value::Entity(value) => value,
        _ => unreachable!("types are checked before"),
    }
}

fn narrow_bits(value: Value) -> u32 {
    match value {
        Value::Float(value) => value.to_bits(),
        Value::Enum(_, value) => value,
        Value::Text(text) => text.number(),
        _ => unreachable!("types are checked before"),
    }
}
