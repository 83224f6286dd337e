//! The evaluation of values that consist of several numbers, or whose type is not known in advance: vectors, values
//! of any type, optional keys, draws. This is separate from the rest, which runs far more often and stays small.

use super::lanes::{bits_of, entries, entry, select, zip};
use super::op::{Class, ExprOp};
use super::run::{Draws, ExprFaults, ExprStacks, Lack, Sources};
use crate::blackboard::{Column, Tag};
use crate::expr::Arith;
use crate::ids::{AgentId, EnumId};
use crate::text::Text;
use crate::value::{Type, Value};

impl ExprStacks {
    #[inline(never)]
    pub(super) fn composed_step(
        &mut self,
        op: ExprOp,
        sources: Sources<'_>,
        word: usize,
        active: u64,
        faults: &mut ExprFaults,
    ) {
        let cells = sources.own;
        let width = self.width;
        match op {
            ExprOp::NeedSet { index, key } => {
                let missing = active & !cells.bits(index)[word] & !faults.any();
                self.lack(key, missing, faults);
            }
            ExprOp::LoadShared { at, key } => {
                let missing = self.load_shared(at, key, sources, word);
                self.lack(key.index() as u32, active & missing & !faults.any(), faults);
            }
            ExprOp::HasShared { at, key } => self.has_shared(at, key, sources, word),
            ExprOp::LenShared { at, key } => self.length_of_shared(at, key, sources, word),
            ExprOp::LoadMe { at } => {
                let first = sources.first + word * 64;
                for (lane, value) in entry(&mut self.ints, at, width).iter_mut().enumerate() {
                    let id = sources.lives.id(first + lane);
                    *value = id.map_or(0, AgentId::to_bits) as i64;
                }
            }
            ExprOp::LoadMembers { at } => {
                let first = sources.first + word * 64;
                for (lane, value) in entry(&mut self.ints, at, width).iter_mut().enumerate() {
                    let group = sources
                        .shared
                        .map_or(0, |shared| shared.group(first + lane));
                    *value = i64::from(sources.lives.members(group));
                }
            }
            ExprOp::FindItem { key, at, to } => self.find_item(key, at, to, sources, word),
            ExprOp::LoadItem { key, from, at } => {
                let missing = self.load_item(key, from, at, sources, word);
                let missing = active & missing & !faults.any();
                self.lack_item((key, Some(from)), missing, faults, (sources, word));
            }
            ExprOp::LoadNearest { key, at } => {
                let missing = self.load_nearest(key, at, sources, word);
                let missing = active & missing & !faults.any();
                self.lack_item((key, None), missing, faults, (sources, word));
            }
            ExprOp::LoadNow { at } => {
                let secs = sources.now_ns as f64 / 1e9;
                entry(&mut self.doubles, at, width).fill(secs);
            }
            ExprOp::LoadAge { key, since, at } => self.age((key, since), at, sources, word),
            ExprOp::Alive { from, at } => {
                let agents = entry(&mut self.ints, from, width);
                self.masks[at as usize] =
                    bits_of(width, |lane| sources.lives.is_alive(agents[lane] as u64));
            }
            ExprOp::MoveFloat { from, at } => {
                let from = from as usize * width;
                self.floats
                    .copy_within(from..from + width, at as usize * width);
            }
            ExprOp::ArithVector { op, parts, at } => {
                for part in 0..u32::from(parts) {
                    let [left, right] = self.apart(at + part, u32::from(parts));
                    match op {
                        Arith::Sub => zip(left, right, |a, b| a - b),
                        _ => zip(left, right, |a, b| a + b),
                    }
                }
            }
            ExprOp::Scale { op, parts, at } => {
                for part in 0..u32::from(parts) {
                    let [vector, by] = self.apart(at + part, u32::from(parts) - part);
                    match op {
                        Arith::Div => zip(vector, by, |a, b| a / b),
                        _ => zip(vector, by, |a, b| a * b),
                    }
                }
            }
            ExprOp::Length { parts, at } => self.length(parts, at),
            ExprOp::OfVectors { func, parts, at } => self.of_vectors(func, parts, at),
            ExprOp::OfTexts { func, from, at } => {
                self.of_texts(func, (from, at), active & !faults.any(), faults);
            }
            ExprOp::SameVector {
                parts,
                negated,
                left,
                at,
            } => {
                let mut same = u64::MAX;
                for part in 0..u32::from(parts) {
                    let [left, right] = self.apart(left + part, u32::from(parts));
                    same &= bits_of(width, |lane| left[lane] == right[lane]);
                }
                self.masks[at as usize] = if negated { !same } else { same };
            }
            ExprOp::SelectVector { parts, mask, at } => {
                let mask = self.masks[mask as usize];
                for part in 0..u32::from(parts) {
                    select(self.apart(at + part, u32::from(parts)), mask);
                }
            }
            ExprOp::LoadAny { at, wide, narrow } => {
                let column = Column::Any { wide, narrow };
                for (lane, value) in entry(&mut self.values, at, width).iter_mut().enumerate() {
                    *value = cells.get(column, Type::Any, word * 64 + lane);
                }
            }
            ExprOp::ToAny { tag, from, at } => self.tagged(tag, None, from, at),
            ExprOp::EnumToAny { list, from, at } => {
                self.tagged(Tag::Enum, Some(EnumId(list)), from, at);
            }
            ExprOp::SameAny { negated, left, at } => {
                let [left, right] = entries(&mut self.values, left, width);
                let same = bits_of(width, |lane| left[lane].is_same(right[lane]));
                self.masks[at as usize] = if negated { !same } else { same };
            }
            ExprOp::SelectAny { mask, at } => {
                let mask = self.masks[mask as usize];
                select(entries(&mut self.values, at, width), mask);
            }
            op => unreachable!("{op:?} is carried out elsewhere"),
        }
    }

    /// Records the agents for whom a key is unset that must have a value.
    pub(super) fn lack(&mut self, key: u32, missing: u64, faults: &mut ExprFaults) {
        faults.unset |= missing;
        for (lane, lack) in self.lacking.iter_mut().enumerate() {
            if missing >> lane & 1 == 1 {
                *lack = Lack { key, item: None };
            }
        }
    }

    /// Two entries of floats with the given distance.
    pub(super) fn apart(&mut self, at: u32, distance: u32) -> [&mut [f32]; 2] {
        let width = self.width;
        let rest = &mut self.floats[at as usize * width..];
        let (left, right) = rest.split_at_mut(distance as usize * width);
        [&mut left[..width], &mut right[..width]]
    }

    /// The square root of the sum of squares, added from the left.
    pub(super) fn length(&mut self, parts: u8, at: u32) {
        for part in 0..u32::from(parts) {
            let squares = entry(&mut self.floats, at + part, self.width);
            squares.iter_mut().for_each(|x| *x *= *x);
        }
        for part in 1..u32::from(parts) {
            let [sum, square] = self.apart(at, part);
            zip(sum, square, |a, b| a + b);
        }
        let sums = entry(&mut self.floats, at, self.width);
        sums.iter_mut().for_each(|x| *x = x.sqrt());
    }

    /// Adds tags to values of a known type.
    fn tagged(&mut self, tag: Tag, list: Option<EnumId>, from: u32, at: u32) {
        for lane in 0..self.width {
            let place = from as usize * self.width + lane;
            let part = |part: usize| self.floats[place + part * self.width];
            let value = match tag {
                Tag::Bool => Value::Bool(self.masks[from as usize] >> lane & 1 == 1),
                Tag::Int => Value::Int(self.ints[place]),
                Tag::Entity => Value::Entity(self.ints[place] as u64),
                Tag::Enum => {
                    let list = list.unwrap_or(EnumId(0));
                    Value::Enum(list, self.ints[place] as u32)
                }
                Tag::Text => Value::Text(Text::from_bits(self.ints[place] as u32)),
                Tag::Float => Value::Float(part(0)),
                Tag::Vec2 => Value::Vec2([part(0), part(1)]),
                Tag::Vec3 => Value::Vec3([part(0), part(1), part(2)]),
                Tag::Double => Value::Double(self.doubles[place]),
            };
            self.values[at as usize * self.width + lane] = value;
        }
    }

    /// Draws a number between two bounds for each of the lanes.
    #[inline(never)]
    pub(super) fn draw(&mut self, class: Class, at: u32, lanes: u64, draws: &mut dyn Draws) {
        let width = self.width;
        let mut rest = lanes;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let draw = draws.next(lane);
            match class {
                Class::Int => {
                    let [low, high] = entries(&mut self.ints, at, width);
                    low[lane] = draw.int_between(low[lane], high[lane]);
                }
                Class::Float => {
                    let [low, high] = entries(&mut self.floats, at, width);
                    low[lane] = draw.float_between(low[lane], high[lane]);
                }
                _ => {
                    let [low, high] = entries(&mut self.doubles, at, width);
                    low[lane] = draw.double_between(low[lane], high[lane]);
                }
            }
            rest &= rest - 1;
        }
    }
}
