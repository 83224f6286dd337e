//! Random typed expressions.

use super::Profile;
use crate::random::Random;
use treemind_core::Curve;
use treemind_core::behaviour::{Enum, Form, Key};
use treemind_core::expr::{Arith, Compare, Func, NamedCurve, Part, TextFunc, VectorFunc};
use treemind_core::{EnumId, Expr, KeyId, SemaphoreId, Text, Type, Value};

/// Makes expressions over some keys.
#[derive(Debug)]
pub struct ExprMaker<'a> {
    /// The source of random numbers.
    pub random: &'a mut Random,
    /// What the case contains often.
    pub profile: Profile,
    /// The enumerations.
    pub enums: &'a [Enum],
    /// The keys.
    pub keys: &'a [Key],
    /// Whether expressions may draw random numbers: not where they are evaluated again and again.
    pub may_draw: bool,
}

/// One of each type.
pub(super) const TYPES: [Type; 10] = [
    Type::Bool,
    Type::Int,
    Type::Float,
    Type::Double,
    Type::Enum(EnumId::new(0)),
    Type::Entity,
    Type::Vec2,
    Type::Vec3,
    Type::Text,
    Type::Any,
];

impl ExprMaker<'_> {
    /// An expression of a type, nested at most `depth` levels deep.
    pub fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.random.percent(25) {
            return self.simple(ty);
        }
        if self.random.percent(10) {
            let cond = self.boxed(Type::Bool, depth);
            return Expr::If(cond, self.boxed(ty, depth), self.boxed(ty, depth));
        }
        if self.profile.faults
            && self.random.percent(6)
            && let Some(list) = self.some_key(|key| key.ty == ty && key.form.is_list())
        {
            return match self.random.percent(40) && (ty.is_number() || ty.parts().is_some()) {
                true => Expr::Nearest(list, ty, self.boxed(ty, depth)),
                false => Expr::Item(list, ty, self.boxed(Type::Int, depth)),
            };
        }
        #[warn(clippy::wildcard_enum_match_arm)]
        match ty {
            Type::Bool => self.bool(depth),
            Type::Int => self.int(depth),
            Type::Float | Type::Double => self.real(ty, depth),
            Type::Entity if self.names_agents() => Expr::Me,
            Type::Enum(_) | Type::Entity | Type::Text => self.simple(ty),
            Type::Vec2 | Type::Vec3 => self.vector(ty, depth),
            Type::Any => {
                let inner = *self.random.pick(&TYPES);
                Expr::Widen(ty, self.boxed(inner, depth))
            }
            _ => treemind_core::unlisted(&ty),
        }
    }

    /// A value of a type, mostly small.
    pub fn value(&mut self, ty: Type) -> Value {
        let small = self.random.below(9) as i64 - 3;
        #[warn(clippy::wildcard_enum_match_arm)]
        match ty {
            Type::Bool => Value::Bool(self.random.percent(50)),
            Type::Int if self.profile.faults && self.random.percent(12) => Value::Int(
                *self
                    .random
                    .pick(&[i64::MIN, i64::MAX, i64::MAX - 1, 1 << 62, -1]),
            ),
            Type::Int => Value::Int(small),
            Type::Float if self.random.percent(5) => {
                Value::Float(*self.random.pick(&[f32::INFINITY, f32::NAN, 1e30, 1e-30]))
            }
            Type::Double if self.random.percent(5) => {
                Value::Double(
                    *self
                        .random
                        .pick(&[f64::NEG_INFINITY, f64::NAN, 1e300, 1e-300]),
                )
            }
            Type::Float => Value::Float(small as f32 / 2.0),
            Type::Double => Value::Double(small as f64 / 2.0),
            Type::Enum(list) => self.enum_value(list),
            Type::Entity if self.names_agents() => {
                // The first or second agent that lives at one of the first indices.
                let index = self.random.below(4) as u64;
                Value::Entity(index << 24 | self.random.between(1, 2) as u64)
            }
            Type::Entity => Value::Entity(self.random.below(4) as u64),
            Type::Vec2 => Value::Vec2(std::array::from_fn(|_| self.part())),
            Type::Vec3 => Value::Vec3(std::array::from_fn(|_| self.part())),
            Type::Text => {
                let text: &str = self.random.pick::<&str>(&["", "a", "b", "north"]);
                Value::Text(Text::new(text))
            }
            Type::Any => {
                let ty = TYPES[self.random.below(TYPES.len() - 1)];
                // Documents that were not generated may have fewer enumerations.
                let is_missing = matches!(ty, Type::Enum(list) if list.index() >= self.enums.len());
                self.value(if is_missing { Type::Int } else { ty })
            }
            _ => treemind_core::unlisted(&ty),
        }
    }

    /// Whether something is about the handle of an agent.
    fn names_agents(&mut self) -> bool {
        self.random.percent(self.profile.handles)
    }

    /// A component of a vector.
    fn part(&mut self) -> f32 {
        match self.value(Type::Float) {
            Value::Float(part) => part,
            other => unreachable!("{other} is not a float"),
        }
    }

    /// For a `chance`: always, never, or half of the time; if faults are wanted, sometimes anything.
    pub fn probability(&mut self) -> Expr {
        if self.profile.faults && self.random.percent(30) {
            return self.any_double();
        }
        let literal = *self.random.pick(&[0.0, 0.5, 0.5, 0.5, 0.9, 1.0, 1.0]);
        Expr::Value(Value::Double(literal))
    }

    /// Seconds: a few ticks long, sometimes 0, and if faults are wanted sometimes not a valid duration.
    pub fn secs(&mut self) -> Expr {
        if self.profile.faults && self.random.percent(30) {
            return self.any_double();
        }
        let secs = *self
            .random
            .pick(&[0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0]);
        let literal = Expr::Value(Value::Double(secs));
        match self.key(Type::Double) {
            Some(key) if self.random.percent(30) => Expr::Call(
                Func::Clamp,
                vec![key, Expr::Value(Value::Double(0.0)), literal],
            ),
            _ => literal,
        }
    }

    /// A double that is often out of range or causes a fault.
    pub fn any_double(&mut self) -> Expr {
        if !self.profile.faults || self.random.percent(50) {
            return self.expr(Type::Double, 2);
        }
        let int = self.expr(Type::Int, 2);
        Expr::Widen(Type::Double, Box::new(int))
    }

    /// A key of a type, if there is one; if faults are not wanted, an optional key is tested first.
    pub fn key(&mut self, ty: Type) -> Option<Expr> {
        let id = self.key_id(ty)?;
        let key = Expr::Key(id, ty);
        if self.keys[id.index()].form == Form::One || self.profile.faults && self.random.percent(60)
        {
            return Some(key);
        }
        let other = self.literal(ty);
        Some(Expr::If(
            Box::new(Expr::Has(id)),
            Box::new(key),
            Box::new(other),
        ))
    }

    /// The id of a key of a type that is not a list, if there is one.
    pub fn key_id(&mut self, ty: Type) -> Option<KeyId> {
        self.some_key(|key| key.ty == ty && !key.form.is_list())
    }

    /// The id of a key for which the predicate holds, if there is one.
    pub fn some_key(&mut self, holds: impl Fn(&Key) -> bool) -> Option<KeyId> {
        let fitting: Vec<usize> = (0..self.keys.len())
            .filter(|index| holds(&self.keys[*index]))
            .collect();
        (!fitting.is_empty()).then(|| KeyId::new(*self.random.pick(&fitting)))
    }

    fn literal(&mut self, ty: Type) -> Expr {
        let value = Expr::Value(self.value(ty));
        value.widened(ty).expect("a value is of its type")
    }

    fn enum_value(&mut self, list: EnumId) -> Value {
        let values = self.enums[list.index()].values.len();
        Value::Enum(list, self.random.below(values) as u32)
    }

    fn simple(&mut self, ty: Type) -> Expr {
        match self.key(ty) {
            Some(key) if self.random.percent(65) => key,
            _ => self.literal(ty),
        }
    }

    fn boxed(&mut self, ty: Type, depth: usize) -> Box<Expr> {
        Box::new(self.expr(ty, depth - 1))
    }

    fn bool(&mut self, depth: usize) -> Expr {
        let left = |maker: &mut Self| maker.boxed(Type::Bool, depth);
        if self.names_agents() {
            return Expr::Alive(self.boxed(Type::Entity, depth));
        }
        if self.random.percent(5)
            && let Some(list) = self.some_key(|key| key.form.is_list())
        {
            let ty = self.keys[list.index()].ty;
            return Expr::Contains(list, self.boxed(ty, depth));
        }
        if self.random.percent(3) {
            let args = (0..2).map(|_| self.expr(Type::Any, depth - 1));
            return Expr::OfTexts(TextFunc::SpelledAlike, args.collect());
        }
        match self.random.below(9) {
            8 => match self.some_key(|key| key.form.can_be_unset()) {
                Some(key) => Expr::Has(key),
                None => Expr::Not(left(self)),
            },
            0 => Expr::Not(left(self)),
            1 => Expr::And(left(self), left(self)),
            2 => Expr::Or(left(self), left(self)),
            3 => {
                let ty = *self.random.pick(&[Type::Int, Type::Float, Type::Double]);
                Expr::Between(
                    self.boxed(ty, depth),
                    self.boxed(ty, depth),
                    self.boxed(ty, depth),
                )
            }
            4 => {
                let op = *self.random.pick(&[Compare::Eq, Compare::Ne]);
                let place = self.random.below(self.keys.len());
                let ty = self.keys[place].ty;
                Expr::Compare(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
            _ => {
                let ops = [Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge];
                let op = *self.random.pick(&ops);
                let ty = *self.random.pick(&[Type::Int, Type::Float, Type::Double]);
                Expr::Compare(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
        }
    }

    /// Without faults: only operations that cannot overflow, whatever the keys hold.
    fn int(&mut self, depth: usize) -> Expr {
        if self.random.percent(15)
            && let Some(list) = self.some_key(|key| key.form.is_list())
        {
            let ty = self.keys[list.index()].ty;
            return match self.random.percent(40) {
                true => Expr::Index(list, self.boxed(ty, depth)),
                false => Expr::Len(list),
            };
        }
        if self.may_draw && self.random.percent(8) {
            return self.random_between(Type::Int, depth);
        }
        if self.random.percent(5) {
            return Expr::Members;
        }
        if self.random.percent(8) {
            return Expr::Free(SemaphoreId::new(self.random.below(4)));
        }
        if !self.profile.faults {
            let step = Expr::Value(Value::Int(self.random.below(5) as i64 - 2));
            let bounded = Expr::Call(
                Func::Clamp,
                vec![
                    self.expr(Type::Int, depth - 1),
                    Expr::Value(Value::Int(-9)),
                    Expr::Value(Value::Int(9)),
                ],
            );
            let op = *self.random.pick(&[Arith::Add, Arith::Sub, Arith::Mul]);
            return Expr::Arith(op, Box::new(bounded), Box::new(step));
        }
        match self.random.below(10) {
            0 => Expr::Neg(self.boxed(Type::Int, depth)),
            1 => Expr::Call(Func::Abs, vec![self.expr(Type::Int, depth - 1)]),
            2 => {
                let func = *self.random.pick(&[
                    Func::Min,
                    Func::Max,
                    Func::Clamp,
                    Func::BitAnd,
                    Func::BitXor,
                ]);
                self.call(func, Type::Int, depth)
            }
            3 => {
                let func = *self.random.pick(&[
                    TextFunc::Int,
                    TextFunc::LeadingInt,
                    TextFunc::Order,
                    TextFunc::Likeness,
                ]);
                let args = (0..func.arity()).map(|_| self.expr(Type::Any, depth - 1));
                Expr::OfTexts(func, args.collect())
            }
            _ => self.arith(Type::Int, depth),
        }
    }

    fn real(&mut self, ty: Type, depth: usize) -> Expr {
        if self.may_draw && self.random.percent(8) {
            return self.random_between(ty, depth);
        }
        if ty == Type::Double && self.random.percent(12) {
            return self.time();
        }
        if ty == Type::Double && self.random.percent(8) {
            let curve = NamedCurve {
                name: "near".to_owned(),
                from: -1.0,
                to: *self.random.pick(&[0.0, 3.5]),
                curve: Curve::Power { exponent: 2.0 },
            };
            return Expr::Curve(Box::new(curve), self.boxed(ty, depth));
        }
        if ty == Type::Float && self.random.percent(20) {
            let vector = *self.random.pick(&[Type::Vec2, Type::Vec3]);
            let last = if vector == Type::Vec2 { 2 } else { 3 };
            let part = Part::ALL[self.random.below(last)];
            if self.random.percent(25) {
                let func = *self.random.pick(&[VectorFunc::Dot, VectorFunc::Angle]);
                let args = (0..2).map(|_| self.expr(vector, depth - 1));
                return Expr::OfVectors(func, args.collect());
            }
            let vector = self.boxed(vector, depth);
            return if self.random.percent(30) {
                Expr::Length(vector)
            } else {
                Expr::Part(part, vector)
            };
        }
        match self.random.below(10) {
            0 => Expr::Neg(self.boxed(ty, depth)),
            1..4 => {
                let func = *self.random.pick(&Func::ALL);
                self.call(func, ty, depth)
            }
            4 => Expr::Widen(ty, self.boxed(Type::Int, depth)),
            6 if ty == Type::Double && self.profile.faults && self.random.percent(30) => {
                let func = *self.random.pick(&[TextFunc::Double, TextFunc::Number]);
                Expr::OfTexts(func, vec![self.expr(Type::Any, depth - 1)])
            }
            5 if ty == Type::Double => Expr::Widen(ty, self.boxed(Type::Float, depth)),
            _ => self.arith(ty, depth),
        }
    }

    /// The clock, or for how long something has been so.
    fn time(&mut self) -> Expr {
        match self.random.below(3) {
            0 => Expr::Now,
            1 => match self.some_key(|key| !key.form.is_list()) {
                Some(key) => Expr::Age(key),
                None => Expr::Now,
            },
            _ => match self.some_key(|_| true) {
                Some(key) => Expr::SinceWritten(key),
                None => Expr::Now,
            },
        }
    }

    fn random_between(&mut self, ty: Type, depth: usize) -> Expr {
        Expr::Random(self.boxed(ty, depth), self.boxed(ty, depth))
    }

    fn vector(&mut self, ty: Type, depth: usize) -> Expr {
        match self.random.below(10) {
            7 => Expr::OfVectors(VectorFunc::Normalize, vec![self.expr(ty, depth - 1)]),
            8 => {
                let ends = [self.expr(ty, depth - 1), self.expr(ty, depth - 1)];
                let by = self.expr(Type::Float, depth - 1);
                let args = ends.into_iter().chain([by]);
                Expr::OfVectors(VectorFunc::Lerp, args.collect())
            }
            0 => Expr::Neg(self.boxed(ty, depth)),
            1..3 => {
                let op = *self.random.pick(&[Arith::Add, Arith::Sub]);
                Expr::Arith(op, self.boxed(ty, depth), self.boxed(ty, depth))
            }
            3..5 => {
                let op = *self.random.pick(&[Arith::Mul, Arith::Div]);
                Expr::Scale(op, self.boxed(ty, depth), self.boxed(Type::Float, depth))
            }
            5..7 => {
                let parts = if ty == Type::Vec2 { 2 } else { 3 };
                let parts = (0..parts).map(|_| self.expr(Type::Float, depth - 1));
                Expr::Vector(parts.collect())
            }
            _ => self.simple(ty),
        }
    }

    fn arith(&mut self, ty: Type, depth: usize) -> Expr {
        let ops = [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div, Arith::Rem];
        let op = *self.random.pick(&ops);
        Expr::Arith(op, self.boxed(ty, depth), self.boxed(ty, depth))
    }

    fn call(&mut self, func: Func, ty: Type, depth: usize) -> Expr {
        let args = (0..func.arity()).map(|_| self.expr(ty, depth - 1));
        Expr::Call(func, args.collect())
    }
}
