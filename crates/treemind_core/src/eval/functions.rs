//! The code of functions that need more than one instruction, or know more than their arguments.

use super::code::Compiler;
use super::op::{Class, ExprOp};
use crate::blackboard::Since;
use crate::expr::{Arith, Expr, NamedCurve, TextFunc, VectorFunc};
use crate::ids::KeyId;
use crate::value::Value;

impl Compiler<'_> {
    pub(super) fn find_item(&mut self, key: KeyId, value: &Expr) {
        self.expr(value);
        let (class, entries) = Class::of(self.slot(key).ty);
        let at = self.pop(class, entries);
        let to = self.push(Class::Int);
        self.ops.push(ExprOp::FindItem { key, at, to });
    }

    pub(super) fn named_curve(&mut self, curve: &NamedCurve, x: &Expr) {
        self.expr(x);
        let class = Class::Double;
        let by = [
            (Arith::Sub, curve.from),
            (Arith::Div, curve.to - curve.from),
        ];
        for (op, number) in by {
            self.value(Value::Double(number));
            let at = self.pop(class, 1) - 1;
            self.ops.push(ExprOp::Arith { op, class, at });
        }
        let (at, number) = (self.top.doubles - 1, self.curves.len() as u32);
        self.curves.push(curve.curve.clone());
        self.ops.push(ExprOp::Curve { curve: number, at });
    }

    pub(super) fn of_vectors(&mut self, func: VectorFunc, args: &[Expr]) {
        let before = self.top.floats;
        for arg in args {
            self.expr(arg);
        }
        let (_, parts) = Class::of(args[0].ty());
        let result = if func.gives_vector() { parts } else { 1 };
        let taken = self.top.floats - before - result;
        self.pop(Class::Float, taken);
        let (parts, at) = (parts as u8, before);
        self.ops.push(ExprOp::OfVectors { func, parts, at });
    }

    pub(super) fn of_texts(&mut self, func: TextFunc, args: &[Expr]) {
        for arg in args {
            self.expr(arg);
        }
        let from = self.pop(Class::Any, args.len() as u32);
        let at = self.push(Class::of(func.ty()).0);
        self.ops.push(ExprOp::OfTexts { func, from, at });
    }

    pub(super) fn age(&mut self, key: KeyId, since: Since) {
        let at = self.push(Class::Double);
        self.ops.push(ExprOp::LoadAge { key, since, at });
    }
}
