//! The evaluation of functions of texts.

use super::run::{ExprFaults, ExprStacks};
use crate::expr::TextFunc;
use crate::value::Value;

impl ExprStacks {
    /// Only for the lanes of `active`: a text that is made is kept for ever.
    #[inline(never)]
    pub(super) fn of_texts(
        &mut self,
        func: TextFunc,
        (from, at): (u32, u32),
        active: u64,
        faults: &mut ExprFaults,
    ) {
        let width = self.width;
        for lane in (0..width).filter(|lane| active >> lane & 1 == 1) {
            let value = |nth: u32| self.values[(from + nth) as usize * width + lane];
            let result = func.of(value(0), value(func.arity() as u32 - 1));
            let mask = at as usize;
            let at = mask * width + lane;
            match result {
                Some(Value::Bool(truth)) => {
                    self.masks[mask] &= !(1 << lane);
                    self.masks[mask] |= u64::from(truth) << lane;
                }
                Some(Value::Int(int)) => self.ints[at] = int,
                Some(Value::Double(double)) => self.doubles[at] = double,
                Some(Value::Text(text)) => self.ints[at] = i64::from(text.number()),
                _ => match func {
                    TextFunc::Joined => faults.long |= 1 << lane,
                    _ => faults.number |= 1 << lane,
                },
            }
        }
    }
}
