//! Compiled expressions: code for a machine with four stacks (masks, ints, floats, doubles), whose entries are one
//! value for each of up to 64 agents. Every stack position is known when the code is made.

use super::{Arith, Compare, Expr, Func};
use crate::board::BoardLayout;
use crate::cells::Column;
use crate::ids::KeyId;
use crate::value::{Type, Value};

/// The stack that values of a type live on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Mask,
    /// Ints, entities (their bits) and enums (their positions).
    Int,
    Float,
    Double,
}

impl Class {
    fn of(ty: Type) -> Self {
        match ty {
            Type::Bool => Class::Mask,
            Type::Int | Type::Entity | Type::Enum(_) => Class::Int,
            Type::Float => Class::Float,
            Type::Double => Class::Double,
        }
    }
}

/// One instruction. `at` is the position of its result; operands stand at `at`, `at + 1`, … of their stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ExprOp {
    ConstMask {
        at: u32,
        value: bool,
    },
    ConstInt {
        at: u32,
        value: i64,
    },
    ConstFloat {
        at: u32,
        value: f32,
    },
    ConstDouble {
        at: u32,
        value: f64,
    },
    LoadMask {
        at: u32,
        index: u32,
    },
    LoadInt {
        at: u32,
        index: u32,
    },
    /// An enum's position, from a 32-bit column.
    LoadPosition {
        at: u32,
        index: u32,
    },
    LoadFloat {
        at: u32,
        index: u32,
    },
    LoadDouble {
        at: u32,
        index: u32,
    },
    /// The value of a key that agents share, for each of them.
    LoadShared {
        at: u32,
        key: KeyId,
    },
    Not {
        at: u32,
    },
    And {
        at: u32,
    },
    Or {
        at: u32,
    },
    /// Mask operands.
    SameMask {
        at: u32,
        negated: bool,
    },
    Neg {
        class: Class,
        at: u32,
    },
    Arith {
        op: Arith,
        class: Class,
        at: u32,
    },
    /// Operands at `left` and `left + 1` of the class's stack.
    Compare {
        op: Compare,
        class: Class,
        left: u32,
        at: u32,
    },
    /// A float column against a literal: by far the most common test.
    CompareFloatColumn {
        op: Compare,
        index: u32,
        value: f32,
        at: u32,
    },
    /// Operands (value, low, high) at `left`, `left + 1`, `left + 2`.
    Between {
        class: Class,
        left: u32,
        at: u32,
    },
    Call {
        func: Func,
        class: Class,
        at: u32,
    },
    IntToFloat {
        from: u32,
        at: u32,
    },
    IntToDouble {
        from: u32,
        at: u32,
    },
    FloatToDouble {
        from: u32,
        at: u32,
    },
    /// Only lanes where the mask at `mask` is (not) set count from here on; when there is none, `skip` instructions
    /// are jumped over.
    Enter {
        mask: u32,
        negated: bool,
        skip: u32,
    },
    Leave,
    /// `mask[mask] ? stack[at] : stack[at + 1]`.
    Select {
        class: Class,
        mask: u32,
        at: u32,
    },
    /// `mask[at] ? mask[at + 1] : mask[at + 2]`.
    SelectMask {
        at: u32,
    },
}

/// How many entries of each stack an expression needs, and how deep conditions are nested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StackSizes {
    pub(crate) masks: u32,
    pub(crate) ints: u32,
    pub(crate) floats: u32,
    pub(crate) doubles: u32,
    pub(crate) active: u32,
}

impl StackSizes {
    pub(crate) fn cover(&mut self, other: StackSizes) {
        self.masks = self.masks.max(other.masks);
        self.ints = self.ints.max(other.ints);
        self.floats = self.floats.max(other.floats);
        self.doubles = self.doubles.max(other.doubles);
        self.active = self.active.max(other.active);
    }
}

/// A compiled expression; its result is at position 0 of its class's stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExprCode {
    pub(crate) ops: Vec<ExprOp>,
    pub(crate) ty: Type,
    pub(crate) sizes: StackSizes,
}

impl ExprCode {
    pub(crate) fn compile(expr: &Expr, layout: &BoardLayout) -> Self {
        let mut compiler = Compiler {
            layout,
            ops: Vec::new(),
            top: StackSizes::default(),
            sizes: StackSizes::default(),
        };
        compiler.expr(expr);
        ExprCode {
            ops: compiler.ops,
            ty: expr.ty(),
            sizes: compiler.sizes,
        }
    }
}

struct Compiler<'a> {
    layout: &'a BoardLayout,
    ops: Vec<ExprOp>,
    /// How many entries are in use.
    top: StackSizes,
    /// The most that ever were.
    sizes: StackSizes,
}

impl Compiler<'_> {
    fn count(&mut self, class: Class) -> &mut u32 {
        match class {
            Class::Mask => &mut self.top.masks,
            Class::Int => &mut self.top.ints,
            Class::Float => &mut self.top.floats,
            Class::Double => &mut self.top.doubles,
        }
    }

    fn push(&mut self, class: Class) -> u32 {
        let count = self.count(class);
        *count += 1;
        let at = *count - 1;
        self.sizes.cover(self.top);
        at
    }

    fn pop(&mut self, class: Class, entries: u32) -> u32 {
        let count = self.count(class);
        *count -= entries;
        *count
    }

    /// Emits code that pushes the value of the expression.
    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Value(value) => self.value(*value),
            Expr::Key(key, _) => self.load(*key),
            Expr::Not(inner) => {
                self.expr(inner);
                let at = self.top.masks - 1;
                self.ops.push(ExprOp::Not { at });
            }
            Expr::Neg(inner) => {
                self.expr(inner);
                let class = Class::of(inner.ty());
                let at = *self.count(class) - 1;
                self.ops.push(ExprOp::Neg { class, at });
            }
            Expr::Arith(op, left, right) => {
                self.expr(left);
                self.expr(right);
                let class = Class::of(left.ty());
                let at = self.pop(class, 1) - 1;
                self.ops.push(ExprOp::Arith { op: *op, class, at });
            }
            Expr::Compare(op, left, right) => self.compare(*op, left, right),
            Expr::And(left, right) => {
                self.guarded(left, right, false);
                let at = self.pop(Class::Mask, 1) - 1;
                self.ops.push(ExprOp::And { at });
            }
            Expr::Or(left, right) => {
                self.guarded(left, right, true);
                let at = self.pop(Class::Mask, 1) - 1;
                self.ops.push(ExprOp::Or { at });
            }
            Expr::If(cond, then, other) => self.choice(cond, then, other),
            Expr::Between(value, low, high) => {
                let class = Class::of(value.ty());
                for inner in [value, low, high] {
                    self.expr(inner);
                }
                let left = self.pop(class, 3);
                let at = self.push(Class::Mask);
                self.ops.push(ExprOp::Between { class, left, at });
            }
            Expr::Widen(to, inner) => self.widen(*to, inner),
            Expr::Call(func, args) => {
                for inner in args {
                    self.expr(inner);
                }
                let class = Class::of(expr.ty());
                let at = self.pop(class, args.len() as u32 - 1) - 1;
                self.ops.push(ExprOp::Call {
                    func: *func,
                    class,
                    at,
                });
            }
        }
    }

    fn value(&mut self, value: Value) {
        let at = self.push(Class::of(value.ty()));
        self.ops.push(match value {
            Value::Bool(value) => ExprOp::ConstMask { at, value },
            Value::Int(value) => ExprOp::ConstInt { at, value },
            Value::Entity(value) => ExprOp::ConstInt {
                at,
                value: value as i64,
            },
            Value::Enum(_, value) => ExprOp::ConstInt {
                at,
                value: i64::from(value),
            },
            Value::Float(value) => ExprOp::ConstFloat { at, value },
            Value::Double(value) => ExprOp::ConstDouble { at, value },
        });
    }

    fn load(&mut self, key: KeyId) {
        let slot = self.layout.keys[key.index()];
        let at = self.push(Class::of(slot.ty));
        if !slot.is_own() {
            self.ops.push(ExprOp::LoadShared { at, key });
            return;
        }
        self.ops.push(match (slot.column(), slot.ty) {
            (Column::Bits(index), _) => ExprOp::LoadMask { at, index },
            (Column::Wide(index), Type::Double) => ExprOp::LoadDouble { at, index },
            (Column::Wide(index), _) => ExprOp::LoadInt { at, index },
            (Column::Narrow(index), Type::Float) => ExprOp::LoadFloat { at, index },
            (Column::Narrow(index), _) => ExprOp::LoadPosition { at, index },
        });
    }

    fn compare(&mut self, op: Compare, left: &Expr, right: &Expr) {
        if let (Expr::Key(key, Type::Float), Expr::Value(Value::Float(value))) = (left, right)
            && let slot = &self.layout.keys[key.index()]
            && let (true, Column::Narrow(index)) = (slot.is_own(), slot.column())
        {
            let (value, at) = (*value, self.push(Class::Mask));
            self.ops.push(ExprOp::CompareFloatColumn {
                op,
                index,
                value,
                at,
            });
            return;
        }
        self.expr(left);
        self.expr(right);
        let class = Class::of(left.ty());
        if class == Class::Mask {
            let at = self.pop(class, 1) - 1;
            let negated = op == Compare::Ne;
            self.ops.push(ExprOp::SameMask { at, negated });
            return;
        }
        let left = self.pop(class, 2);
        let at = self.push(Class::Mask);
        self.ops.push(ExprOp::Compare {
            op,
            class,
            left,
            at,
        });
    }

    /// Pushes both masks; the right one counts only where the left one is (not) set.
    fn guarded(&mut self, left: &Expr, right: &Expr, negated: bool) {
        self.expr(left);
        let mask = self.top.masks - 1;
        self.inside(mask, negated, right);
    }

    fn inside(&mut self, mask: u32, negated: bool, expr: &Expr) {
        self.top.active += 1;
        self.sizes.cover(self.top);
        let enter = self.ops.len();
        self.ops.push(ExprOp::Enter {
            mask,
            negated,
            skip: 0,
        });
        self.expr(expr);
        let skip = (self.ops.len() - enter - 1) as u32;
        self.ops[enter] = ExprOp::Enter {
            mask,
            negated,
            skip,
        };
        self.ops.push(ExprOp::Leave);
        self.top.active -= 1;
    }

    fn choice(&mut self, cond: &Expr, then: &Expr, other: &Expr) {
        self.expr(cond);
        let mask = self.top.masks - 1;
        self.inside(mask, false, then);
        self.inside(mask, true, other);
        let class = Class::of(then.ty());
        if class == Class::Mask {
            let at = self.pop(class, 2) - 1;
            self.ops.push(ExprOp::SelectMask { at });
        } else {
            let at = self.pop(class, 1) - 1;
            self.pop(Class::Mask, 1);
            self.ops.push(ExprOp::Select { class, mask, at });
        }
    }

    fn widen(&mut self, to: Type, inner: &Expr) {
        self.expr(inner);
        let source = Class::of(inner.ty());
        let target = Class::of(to);
        if source == target {
            return;
        }
        let from = self.pop(source, 1);
        let at = self.push(target);
        self.ops.push(match (source, target) {
            (Class::Int, Class::Float) => ExprOp::IntToFloat { from, at },
            (Class::Int, _) => ExprOp::IntToDouble { from, at },
            (_, _) => ExprOp::FloatToDouble { from, at },
        });
    }
}
