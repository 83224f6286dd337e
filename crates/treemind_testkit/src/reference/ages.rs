//! When keys were written, and when they changed.

use super::Cell;
use treemind_core::Value;

/// When a key was written, and when it changed.
///
/// Time goes in periods: one lasts from the beginning of a tick of the population to that of the next, and all of it is
/// at one time of the clock.
#[derive(Clone, Debug)]
pub struct Age {
    /// When it was last written, in an earlier period.
    written_ns: u64,
    /// When it last changed, in an earlier period.
    changed_ns: u64,
    /// What it held when this period began; `None` if the key has begun in this period.
    before: Option<Cell>,
    /// Whether it was written in this period.
    is_written: bool,
}

impl Age {
    /// That of a key that begins.
    pub fn of_new() -> Self {
        Self {
            written_ns: 0,
            changed_ns: 0,
            before: None,
            is_written: false,
        }
    }

    /// The key is written.
    pub fn write(&mut self) {
        self.is_written = true;
    }

    /// When the key was last written.
    pub fn written(&self, now_ns: u64) -> u64 {
        if self.is_written || self.before.is_none() {
            now_ns
        } else {
            self.written_ns
        }
    }

    /// When the key last changed, if it holds this now.
    pub fn changed(&self, cell: &Cell, now_ns: u64) -> u64 {
        match &self.before {
            Some(before) if !self.is_written || is_same(before, cell) => self.changed_ns,
            _ => now_ns,
        }
    }

    /// The period ends.
    pub fn end_period(&mut self, cell: &Cell, now_ns: u64) {
        self.changed_ns = self.changed(cell, now_ns);
        self.written_ns = self.written(now_ns);
        self.before = Some(cell.clone());
        self.is_written = false;
    }
}

/// Whether a key holds the same: a value that is not a number is the same as itself.
fn is_same(before: &Cell, now: &Cell) -> bool {
    let (Cell::One(before), Cell::One(now)) = (before, now) else {
        return before == now;
    };
    match (numbers(*before), numbers(*now)) {
        (Some(olds), Some(news)) if before.ty() == now.ty() => {
            let mut pairs = olds.iter().zip(&news);
            pairs.all(|(old, new)| old == new || (old.is_nan() && new.is_nan()))
        }
        _ => before == now,
    }
}

/// The numbers with a fraction that a value consists of.
fn numbers(value: Value) -> Option<Vec<f64>> {
    let all = |parts: &[f32]| Some(parts.iter().map(|part| f64::from(*part)).collect());
    match value {
        Value::Float(value) => all(&[value]),
        Value::Double(value) => Some(vec![value]),
        Value::Vec2(parts) => all(&parts),
        Value::Vec3(parts) => all(&parts),
        _ => None,
    }
}
