//! The evaluation of functions of vectors.

use super::lanes::{entry, zip};
use super::run::ExprStacks;
use crate::angle::angle;
use crate::expr::VectorFunc;

impl ExprStacks {
    #[inline(never)]
    pub(super) fn of_vectors(&mut self, func: VectorFunc, parts: u8, at: u32) {
        let parts = u32::from(parts);
        match func {
            VectorFunc::Dot => {
                for part in 0..parts {
                    let [left, right] = self.apart(at + part, parts);
                    zip(left, right, |a, b| a * b);
                }
                for part in 1..parts {
                    let [sum, product] = self.apart(at, part);
                    zip(sum, product, |a, b| a + b);
                }
            }
            VectorFunc::Angle => self.angles(parts, at),
            VectorFunc::Normalize => self.normalize(parts, at),
            VectorFunc::Lerp => {
                for part in 0..parts {
                    let [from, to] = self.apart(at + part, parts);
                    zip(to, from, |to, from| to - from);
                    let [way, by] = self.apart(at + parts + part, parts - part);
                    zip(way, by, |way, by| way * by);
                    let [from, way] = self.apart(at + part, parts);
                    zip(from, way, |from, way| from + way);
                }
            }
        }
    }

    fn normalize(&mut self, parts: u32, at: u32) {
        let width = self.width;
        for lane in 0..width {
            let place = |part: u32| (at + part) as usize * width + lane;
            let mut squares = 0.0;
            for part in 0..parts {
                let x = self.floats[place(part)];
                squares = if part == 0 { x * x } else { squares + x * x };
            }
            let length: f32 = f32::sqrt(squares);
            for part in 0..parts {
                let x = &mut self.floats[place(part)];
                *x = if length == 0.0 { 0.0 } else { *x / length };
            }
        }
    }

    fn angles(&mut self, parts: u32, at: u32) {
        let width = self.width;
        for lane in 0..width {
            let part = |part: u32| f64::from(self.floats[(at + part) as usize * width + lane]);
            let (a, b) = (std::array::from_fn(|i| i as u32), parts);
            let of = |first: u32| a.map(|i| if i < b { part(first + i) } else { 0.0 });
            let degrees = angle(of(0), of(parts));
            entry(&mut self.floats, at, width)[lane] = degrees;
        }
    }
}
