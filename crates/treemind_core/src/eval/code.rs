//! Compiled expressions: code for a machine with five stacks (masks, ints, floats, doubles, values of any type).
//! Every stack position is known at compile time.

use super::op::{Class, ExprOp, StackSizes};
use super::short::Short;
use crate::behaviour::Score;
use crate::blackboard::{BoardLayout, Column, KeySlot, Since, SlotForm, Tag, parts};
use crate::curve::Curve;
use crate::expr::{Arith, Compare, Expr, Part};
use crate::ids::KeyId;
use crate::value::{Type, Value};

/// A compiled expression; its result is at position 0 of its class's stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExprCode {
    pub(crate) ops: Vec<ExprOp>,
    pub(crate) ty: Type,
    pub(crate) sizes: StackSizes,
    /// The counter of its draws, if it draws.
    pub(crate) draws: Option<u32>,
    /// The columns of the states that it asks about, in the order in which it asks.
    pub(crate) states: Vec<u32>,
    /// Whether it reads how many places of semaphores are free.
    pub(crate) asks_places: bool,
    /// Whether it asks who lives, or how many agents a group has.
    pub(crate) asks_census: bool,
    /// Whether it asks for the time.
    pub(crate) asks_time: bool,
    /// The curves of a score, or those that it names.
    pub(crate) curves: Vec<Curve>,
    /// The same as a short test, if it is one.
    pub(crate) short: Option<Short>,
}

impl ExprCode {
    /// Compiles an expression; `states` is the column of the first state of the machine around it.
    pub(crate) fn compile(
        expr: &Expr,
        layout: &BoardLayout,
        draws: Option<u32>,
        states: Option<u32>,
    ) -> Self {
        let mut compiler = Compiler::new(layout, states);
        compiler.expr(expr);
        compiler.finish(expr.ty(), draws)
    }

    /// The `double` that it always is, if it is a literal.
    pub(crate) fn constant(&self) -> Option<f64> {
        match *self.ops {
            [ExprOp::ConstDouble { value, .. }] => Some(value),
            _ => None,
        }
    }

    /// Whether it comes to the same in every tick, as long as no key changes: it draws nothing and asks for nothing else.
    pub(crate) fn is_steady(&self) -> bool {
        self.draws.is_none() && !self.asks_places && !self.asks_census && !self.asks_time
    }

    /// Whether it reads keys that agents share.
    pub(crate) fn reads_shared(&self) -> bool {
        let mut ops = self.ops.iter();
        ops.any(|op| {
            matches!(
                op,
                ExprOp::LoadShared { .. }
                    | ExprOp::HasShared { .. }
                    | ExprOp::LenShared { .. }
                    | ExprOp::FindItem { .. }
                    | ExprOp::LoadItem { .. }
                    | ExprOp::LoadNearest { .. }
            )
        })
    }

    /// Compiles the score of one of several children; a score draws nothing.
    pub(crate) fn compile_score(
        score: &Score,
        children: usize,
        layout: &BoardLayout,
        states: Option<u32>,
    ) -> Self {
        let mut compiler = Compiler::new(layout, states);
        compiler.score(score);
        compiler.sizes.scores = children as u32;
        compiler.finish(Type::Double, None)
    }
}

pub(super) struct Compiler<'a> {
    layout: &'a BoardLayout,
    first_state: u32,
    states: Vec<u32>,
    pub(super) ops: Vec<ExprOp>,
    pub(super) curves: Vec<Curve>,
    /// The number of entries in use.
    pub(super) top: StackSizes,
    /// The largest number of entries ever in use.
    sizes: StackSizes,
    asks_places: bool,
}

impl<'a> Compiler<'a> {
    fn new(layout: &'a BoardLayout, states: Option<u32>) -> Self {
        Self {
            layout,
            first_state: states.unwrap_or(0),
            states: Vec::new(),
            ops: Vec::new(),
            curves: Vec::new(),
            top: StackSizes::default(),
            sizes: StackSizes::default(),
            asks_places: false,
        }
    }

    fn finish(self, ty: Type, draws: Option<u32>) -> ExprCode {
        let asks_census =
            |op: &ExprOp| matches!(op, ExprOp::Alive { .. } | ExprOp::LoadMembers { .. });
        let asks_time = |op: &ExprOp| matches!(op, ExprOp::LoadNow { .. } | ExprOp::LoadAge { .. });
        let mut code = ExprCode {
            asks_census: self.ops.iter().any(asks_census),
            asks_time: self.ops.iter().any(asks_time),
            ops: self.ops,
            ty,
            sizes: self.sizes,
            draws,
            states: self.states,
            asks_places: self.asks_places,
            curves: self.curves,
            short: None,
        };
        code.short = Short::of(&code);
        code
    }

    fn count(&mut self, class: Class) -> &mut u32 {
        match class {
            Class::Mask => &mut self.top.masks,
            Class::Int => &mut self.top.ints,
            Class::Float => &mut self.top.floats,
            Class::Double => &mut self.top.doubles,
            Class::Any => &mut self.top.values,
        }
    }

    pub(super) fn push(&mut self, class: Class) -> u32 {
        self.push_many(class, 1)
    }

    /// Pushes entries, and returns the position of the first.
    fn push_many(&mut self, class: Class, entries: u32) -> u32 {
        let count = self.count(class);
        *count += entries;
        let at = *count - entries;
        self.sizes.cover(self.top);
        at
    }

    pub(super) fn pop(&mut self, class: Class, entries: u32) -> u32 {
        let count = self.count(class);
        *count -= entries;
        *count
    }

    /// Emits code that pushes the value of the expression.
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Value(value) => self.value(*value),
            Expr::Key(key, _) => self.load(*key),
            Expr::Has(key) => self.has(*key),
            Expr::Active(state) => {
                let number = self.states.len() as u32;
                self.states.push(self.first_state + *state as u32);
                self.sizes.states = self.sizes.states.max(number + 1);
                let at = self.push(Class::Mask);
                self.ops.push(ExprOp::LoadState { at, number });
            }
            Expr::Len(key) => self.length_of_list(*key),
            Expr::Index(key, value) => self.find_item(*key, value),
            Expr::Contains(key, value) => {
                self.find_item(*key, value);
                self.value(Value::Int(0));
                let class = Class::Int;
                let left = self.pop(class, 2);
                let at = self.push(Class::Mask);
                let op = Compare::Ge;
                self.ops.push(ExprOp::Compare {
                    op,
                    class,
                    left,
                    at,
                });
            }
            Expr::Item(key, ty, place) => {
                self.expr(place);
                let from = self.pop(Class::Int, 1);
                let (class, entries) = Class::of(*ty);
                let at = self.push_many(class, entries);
                self.sizes.unset = true;
                let key = *key;
                self.ops.push(ExprOp::LoadItem { key, from, at });
            }
            Expr::Nearest(key, ty, to) => {
                self.expr(to);
                let (class, entries) = Class::of(*ty);
                let at = self.pop(class, entries);
                self.push_many(class, entries);
                self.sizes.unset = true;
                self.ops.push(ExprOp::LoadNearest { key: *key, at });
            }
            Expr::Free(semaphore) => {
                let at = self.push(Class::Int);
                let index = self.layout.free[semaphore.index()];
                self.asks_places = true;
                self.ops.push(ExprOp::LoadInt { at, index });
            }
            Expr::Me => {
                let at = self.push(Class::Int);
                self.ops.push(ExprOp::LoadMe { at });
            }
            Expr::Members => {
                let at = self.push(Class::Int);
                self.ops.push(ExprOp::LoadMembers { at });
            }
            Expr::Now => {
                let at = self.push(Class::Double);
                self.ops.push(ExprOp::LoadNow { at });
            }
            Expr::Age(key) => self.age(*key, Since::Changed),
            Expr::SinceWritten(key) => self.age(*key, Since::Written),
            Expr::Alive(agent) => {
                self.expr(agent);
                let from = self.pop(Class::Int, 1);
                let at = self.push(Class::Mask);
                self.ops.push(ExprOp::Alive { from, at });
            }
            Expr::Not(inner) => {
                self.expr(inner);
                let at = self.top.masks - 1;
                self.ops.push(ExprOp::Not { at });
            }
            Expr::Neg(inner) => {
                self.expr(inner);
                let (class, entries) = Class::of(inner.ty());
                let end = *self.count(class);
                for at in end - entries..end {
                    self.ops.push(ExprOp::Neg { class, at });
                }
            }
            Expr::Arith(op, left, right) => self.arith(*op, left, right),
            Expr::Scale(op, vector, by) => {
                self.expr(vector);
                self.expr(by);
                let (_, entries) = Class::of(vector.ty());
                let at = self.pop(Class::Float, 1) - entries;
                let (op, parts) = (*op, entries as u8);
                self.ops.push(ExprOp::Scale { op, parts, at });
            }
            Expr::Part(part, vector) => self.part(*part, vector),
            Expr::Vector(parts) => parts.iter().for_each(|part| self.expr(part)),
            Expr::Length(vector) => {
                self.expr(vector);
                let (_, entries) = Class::of(vector.ty());
                let at = self.pop(Class::Float, entries - 1) - 1;
                let parts = entries as u8;
                self.ops.push(ExprOp::Length { parts, at });
            }
            Expr::OfVectors(func, args) => self.of_vectors(*func, args),
            Expr::OfTexts(func, args) => self.of_texts(*func, args),
            Expr::Curve(curve, x) => self.named_curve(curve, x),
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
                let (class, _) = Class::of(value.ty());
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
                let (class, _) = Class::of(expr.ty());
                let at = self.pop(class, args.len() as u32 - 1) - 1;
                self.ops.push(ExprOp::Call {
                    func: *func,
                    class,
                    at,
                });
            }
            Expr::Random(low, high) => {
                self.expr(low);
                self.expr(high);
                let (class, _) = Class::of(low.ty());
                let at = self.pop(class, 1) - 1;
                self.ops.push(ExprOp::Random { class, at });
            }
        }
    }

    fn arith(&mut self, op: Arith, left: &Expr, right: &Expr) {
        self.expr(left);
        self.expr(right);
        let (class, entries) = Class::of(left.ty());
        let at = self.pop(class, entries) - entries;
        self.ops.push(if entries == 1 {
            ExprOp::Arith { op, class, at }
        } else {
            let parts = entries as u8;
            ExprOp::ArithVector { op, parts, at }
        });
    }

    pub(super) fn value(&mut self, value: Value) {
        let (class, entries) = Class::of(value.ty());
        let at = self.push_many(class, entries);
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
            Value::Text(text) => ExprOp::ConstInt {
                at,
                value: i64::from(text.number()),
            },
            Value::Float(value) => ExprOp::ConstFloat { at, value },
            Value::Double(value) => ExprOp::ConstDouble { at, value },
            Value::Vec2(_) | Value::Vec3(_) => {
                let parts = (at..).zip(parts(&value));
                let constants = parts.map(|(at, &value)| ExprOp::ConstFloat { at, value });
                self.ops.extend(constants);
                return;
            }
        });
    }

    pub(super) fn slot(&self, key: KeyId) -> KeySlot {
        self.layout.keys[key.index()]
    }

    /// Emits a check that a key has a value; for shared keys, loading does this.
    fn need_set(&mut self, key: KeyId) {
        if let SlotForm::Optional { set: index, .. } = self.slot(key).form {
            self.sizes.unset = true;
            if self.slot(key).is_own() {
                let key = key.index() as u32;
                self.ops.push(ExprOp::NeedSet { index, key });
            }
        }
    }

    fn load(&mut self, key: KeyId) {
        self.need_set(key);
        let slot = self.slot(key);
        let (class, entries) = Class::of(slot.ty);
        let at = self.push_many(class, entries);
        if !slot.is_own() {
            self.ops.push(ExprOp::LoadShared { at, key });
            return;
        }
        self.ops.push(match (slot.column, slot.ty) {
            (Column::Bits(index), _) => ExprOp::LoadMask { at, index },
            (Column::Wide(index), Type::Double) => ExprOp::LoadDouble { at, index },
            (Column::Wide(index), _) => ExprOp::LoadInt { at, index },
            (Column::Narrow(index), Type::Float) => ExprOp::LoadFloat { at, index },
            (Column::Narrow(index), _) => ExprOp::LoadPosition { at, index },
            (Column::Vec2(first) | Column::Vec3(first), _) => {
                let parts = (at..at + entries).zip(first..);
                let loads = parts.map(|(at, index)| ExprOp::LoadFloat { at, index });
                self.ops.extend(loads);
                return;
            }
            (Column::Any { wide, narrow }, _) => ExprOp::LoadAny { at, wide, narrow },
        });
    }

    fn has(&mut self, key: KeyId) {
        match self.slot(key).form {
            SlotForm::One => self.value(Value::Bool(true)),
            SlotForm::Optional { .. } if !self.slot(key).is_own() => {
                let at = self.push(Class::Mask);
                self.ops.push(ExprOp::HasShared { at, key });
            }
            SlotForm::Optional { set: index, .. } => {
                let at = self.push(Class::Mask);
                self.ops.push(ExprOp::LoadMask { at, index });
            }
            SlotForm::List { .. } => {
                let (length, none) = (Expr::Len(key), Expr::Value(Value::Int(0)));
                self.compare(Compare::Gt, &length, &none);
            }
        }
    }

    fn length_of_list(&mut self, key: KeyId) {
        match self.slot(key).form {
            SlotForm::List { length: index, .. } => {
                let at = self.push(Class::Int);
                self.ops.push(if self.slot(key).is_own() {
                    ExprOp::LoadPosition { at, index }
                } else {
                    ExprOp::LenShared { at, key }
                });
            }
            SlotForm::One | SlotForm::Optional { .. } => unreachable!("checked before"),
        }
    }

    /// The column of one component of a vector, if the vector is a key.
    fn part_of_key(&self, expr: &Expr) -> Option<(KeyId, u32)> {
        let (key, part) = match expr {
            Expr::Key(key, Type::Float) => (*key, 0),
            Expr::Part(part, vector) => match **vector {
                Expr::Key(key, _) => (key, part.index() as u32),
                _ => return None,
            },
            _ => return None,
        };
        match self.slot(key).own_column()? {
            Column::Narrow(first) | Column::Vec2(first) | Column::Vec3(first) => {
                Some((key, first + part))
            }
            _ => None,
        }
    }

    fn part(&mut self, part: Part, vector: &Expr) {
        if let Expr::Key(key, _) = vector
            && let Some(Column::Vec2(first) | Column::Vec3(first)) = self.slot(*key).own_column()
        {
            self.need_set(*key);
            let at = self.push(Class::Float);
            let index = first + part.index() as u32;
            self.ops.push(ExprOp::LoadFloat { at, index });
            return;
        }
        self.expr(vector);
        let (_, entries) = Class::of(vector.ty());
        let at = self.pop(Class::Float, entries - 1) - 1;
        if part != Part::X {
            let from = at + part.index() as u32;
            self.ops.push(ExprOp::MoveFloat { from, at });
        }
    }

    fn compare(&mut self, op: Compare, left: &Expr, right: &Expr) {
        if let Expr::Value(Value::Float(value)) = right
            && let Some((key, index)) = self.part_of_key(left)
        {
            self.need_set(key);
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
        let (class, entries) = Class::of(left.ty());
        let negated = op == Compare::Ne;
        if class == Class::Mask {
            let at = self.pop(class, 1) - 1;
            self.ops.push(ExprOp::SameMask { at, negated });
            return;
        }
        let left = self.pop(class, 2 * entries);
        let at = self.push(Class::Mask);
        let parts = entries as u8;
        self.ops.push(match (class, entries) {
            (Class::Any, _) => ExprOp::SameAny { negated, left, at },
            (_, 1) => ExprOp::Compare {
                op,
                class,
                left,
                at,
            },
            _ => ExprOp::SameVector {
                parts,
                negated,
                left,
                at,
            },
        });
    }

    /// Pushes both masks; the right one counts only where the left one is set, or is not set if `negated`.
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
        let (class, entries) = Class::of(then.ty());
        if class == Class::Mask {
            let at = self.pop(class, 2) - 1;
            self.ops.push(ExprOp::SelectMask { at });
            return;
        }
        let at = self.pop(class, entries) - entries;
        self.pop(Class::Mask, 1);
        let parts = entries as u8;
        self.ops.push(match (class, entries) {
            (Class::Any, _) => ExprOp::SelectAny { mask, at },
            (_, 1) => ExprOp::Select { class, mask, at },
            _ => ExprOp::SelectVector { parts, mask, at },
        });
    }

    fn widen(&mut self, to: Type, inner: &Expr) {
        self.expr(inner);
        let (source, entries) = Class::of(inner.ty());
        let (target, _) = Class::of(to);
        if source == target {
            return;
        }
        let from = self.pop(source, entries);
        let at = self.push(target);
        self.ops.push(match (source, target, inner.ty()) {
            (Class::Int, Class::Float, _) => ExprOp::IntToFloat { from, at },
            (Class::Int, Class::Double, _) => ExprOp::IntToDouble { from, at },
            (_, Class::Double, _) => ExprOp::FloatToDouble { from, at },
            (_, _, Type::Enum(list)) => ExprOp::EnumToAny {
                list: list.index() as u32,
                from,
                at,
            },
            (_, _, ty) => ExprOp::ToAny {
                tag: tag_of(ty),
                from,
                at,
            },
        });
    }
}

/// The tag of a type's values, if the type is known.
fn tag_of(ty: Type) -> Tag {
    match ty {
        Type::Bool => Tag::Bool,
        Type::Float => Tag::Float,
        Type::Double => Tag::Double,
        Type::Enum(_) => Tag::Enum,
        Type::Entity => Tag::Entity,
        Type::Vec2 => Tag::Vec2,
        Type::Vec3 => Tag::Vec3,
        Type::Text => Tag::Text,
        Type::Int | Type::Any => Tag::Int,
    }
}
