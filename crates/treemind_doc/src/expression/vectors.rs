//! Vectors: their components, how they are made, and operations on them.

use super::a_type;
use super::ast::{AstId, AstKind, Statement};
use super::check::{Built, Typing, sign};
use super::nature::Nature;
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use treemind_core::expr::{Arith, Part, VectorFunc};
use treemind_core::{Expr, KeyId, Type, Value};

impl Typing<'_> {
    /// `vector.x`
    pub(super) fn part(
        &mut self,
        id: AstId,
        vector: AstId,
        name: &Span,
        want: Type,
    ) -> Built<Expr> {
        let of = &self.ast.nodes[vector].kind;
        if let Some((key, ty)) = self.scope.find(&self.fragment.text[name.clone()]) {
            return self.given_as(id, self.scope.value_of(key, ty), want);
        }
        let whole = &self.fragment.text[self.ast.nodes[vector].span.clone()];
        let sender = self
            .scope
            .sender_key(whole, &self.fragment.text[name.clone()]);
        if let Some(key) = sender {
            return self.given_as(id, Expr::Key(key, Type::Entity), want);
        }
        if self.is_of_no_event(of) {
            return Err(self.no_event(vector, name));
        }
        let ty = self.vector_type(vector)?;
        let part = self.part_named(ty, name)?;
        let vector = self.build(vector, ty)?;
        self.given_as(id, Expr::Part(part, Box::new(vector)), want)
    }

    /// Whether it refers to an event in a place without an event.
    fn is_of_no_event(&self, of: &AstKind) -> bool {
        let AstKind::Name(name) = of else {
            return false;
        };
        let word = &self.fragment.text[name.clone()];
        word == "event" && self.scope.find(word).is_none() && !self.scope.broken.contains(word)
    }

    fn no_event(&mut self, event: AstId, name: &Span) -> Reported {
        let of = self.ast.nodes[event].span.start;
        let word = shortened(&self.fragment.text[name.clone()]);
        let known: Vec<String> = self
            .scope
            .names()
            .filter_map(|name| name.strip_prefix("event."))
            .map(str::to_owned)
            .collect();
        let known = known.iter().map(String::as_str);
        let (message, help) = if known.len() == 0 {
            (
                said!("no event is known here"),
                Some(said!(
                    "use `event.NAME` in a transition that waits for exactly one event, `on=NAME`, or in the `where=` of a node that looks for one"
                )),
            )
        } else {
            (
                said!("the event has no parameter `{}`", word),
                suggest::among(&word, said!("its parameters"), known, || None),
            )
        };
        let problem = self.error(Code::UnknownParameter, &(of..name.end), message);
        problem.with_perhaps(help)
    }

    fn part_named(&mut self, ty: Type, name: &Span) -> Built<Part> {
        let word = &self.fragment.text[name.clone()];
        let there = &Part::ALL[..ty.parts().unwrap_or(0)];
        if let Some(part) = there.iter().find(|part| part.name() == word) {
            return Ok(*part);
        }
        let names = there.iter().map(|part| part.name());
        let help = said!("its components are {}", suggest::listed(names));
        let message = said!("{} has no component `{}`", a_type(ty), shortened(word));
        let problem = self.error(Code::UnknownProperty, name, message);
        Err(problem.with_help(help))
    }

    /// The type of an expression that must be a vector.
    pub(super) fn vector_type(&mut self, id: AstId) -> Built<Type> {
        if let Some(ty) = self.natures[id].vector() {
            return Ok(ty);
        }
        let settled = self.natures[id].settled();
        self.build(id, settled.unwrap_or(Type::Double))?;
        let span = self.ast.nodes[id].span.clone();
        let message = match settled {
            Some(ty) => said!(
                "expected a vector, but `{}` is {}",
                self.text(id),
                a_type(ty)
            ),
            None => said!("expected a vector, but `{}` is no vector", self.text(id)),
        };
        let problem = self.error(Code::WrongType, &span, message);
        Err(problem.with_help(said!("use a `vec2` or a `vec3`")))
    }

    /// `vec2(x, y)` and `vec3(x, y, z)`; with literals, the result is a literal.
    pub(super) fn vector(&mut self, args: &[AstId]) -> Built<Expr> {
        let built: Vec<Built<Expr>> = args.iter().map(|arg| self.float(*arg)).collect();
        let parts = built.into_iter().collect::<Built<Vec<Expr>>>()?;
        let literals: Vec<f32> = parts
            .iter()
            .filter_map(|part| match part {
                Expr::Value(Value::Float(part)) => Some(*part),
                _ => None,
            })
            .collect();
        Ok(
            match (
                parts.len(),
                literals[..].first_chunk(),
                literals[..].first_chunk(),
            ) {
                (2, Some(two), _) => Expr::Value(Value::Vec2(*two)),
                (3, _, Some(three)) => Expr::Value(Value::Vec3(*three)),
                _ => Expr::Vector(parts),
            },
        )
    }

    /// Arithmetic with at least one vector.
    pub(super) fn vector_arith(
        &mut self,
        id: AstId,
        op: Arith,
        left: AstId,
        right: AstId,
    ) -> Built<Expr> {
        let sides = (self.natures[left].vector(), self.natures[right].vector());
        match (op, sides) {
            (Arith::Add | Arith::Sub, (Some(a), Some(b))) if a == b => {
                let (left, right) = self.both(left, right, a)?;
                Ok(Expr::Arith(op, left, right))
            }
            (Arith::Mul | Arith::Div, (Some(ty), None)) => {
                let vector = self.build(left, ty);
                let by = self.float(right);
                Ok(Expr::Scale(op, Box::new(vector?), Box::new(by?)))
            }
            (Arith::Mul, (None, Some(ty))) => {
                let by = self.float(left);
                let vector = self.build(right, ty);
                Ok(Expr::Scale(op, Box::new(vector?), Box::new(by?)))
            }
            (Arith::Add | Arith::Sub, (Some(_), Some(_))) => {
                Err(self.different_vectors(left, right))
            }
            _ => Err(self.no_such_sum(id, op, left, right)),
        }
    }

    /// Two vectors of the same type.
    pub(super) fn two_vectors(
        &mut self,
        left: AstId,
        right: AstId,
    ) -> Built<(Box<Expr>, Box<Expr>)> {
        let types = (self.vector_type(left), self.vector_type(right));
        let (from, to) = (types.0?, types.1?);
        if from != to {
            return Err(self.different_vectors(left, right));
        }
        self.both(left, right, from)
    }

    /// A function of vectors; a number may follow them.
    pub(super) fn of_vectors(&mut self, func: VectorFunc, args: &[AstId]) -> Built<Expr> {
        let mut built = match *args {
            [one] => {
                let ty = self.vector_type(one)?;
                vec![self.build(one, ty)?]
            }
            [left, right, ..] => {
                let (left, right) = self.two_vectors(left, right)?;
                vec![*left, *right]
            }
            [] => Vec::new(),
        };
        if let [_, _, by] = args {
            built.push(self.float(*by)?);
        }
        Ok(Expr::OfVectors(func, built))
    }

    /// Reports a `vec2` with a `vec3`.
    pub(super) fn different_vectors(&mut self, left: AstId, right: AstId) -> Reported {
        let span = self.ast.nodes[left].span.start..self.ast.nodes[right].span.end;
        let is = |nature: Nature| nature.settled().map_or_else(|| said!("unclear"), a_type);
        let message = said!(
            "the vector types differ: `{}` is {} and `{}` is {}",
            self.text(left),
            is(self.natures[left]),
            self.text(right),
            is(self.natures[right])
        );
        self.error(Code::WrongType, &span, message)
            .with_help(said!("use two vectors of the same type"))
    }

    fn no_such_sum(&mut self, id: AstId, op: Arith, left: AstId, right: AstId) -> Reported {
        // The other side may contain a mistake too.
        let [left, right] = [left, right].map(|side| {
            let ty = self.natures[side].settled();
            self.build(side, ty.unwrap_or(Type::Float)).err()
        });
        if let Some(reported) = left.or(right) {
            return reported;
        }
        let span = self.ast.nodes[id].span.clone();
        let sign = sign(op);
        let message = match op {
            Arith::Add | Arith::Sub => {
                said!(
                    "`{}` takes two vectors of the same type, or two numbers",
                    sign
                )
            }
            Arith::Mul => said!("`{}` takes a vector and a number, not two vectors", sign),
            Arith::Div => said!("`{}` cannot divide by a vector", sign),
            Arith::Rem => said!("`{}` does not take vectors", sign),
        };
        self.error(Code::WrongType, &span, message)
            .with_help(said!("use the components one by one: `.x`, `.y`"))
    }

    /// A component of a vector, or a number that a vector is multiplied by.
    fn float(&mut self, id: AstId) -> Built<Expr> {
        let before = self.sink.error_count();
        let built = self.build(id, Type::Float);
        let is_double = self.natures[id] == Nature::Known(Type::Double);
        if built.is_err() && is_double && self.sink.error_count() == before + 1 {
            self.sink.help_last(said!(
                "use a float: vectors consist of floats, and a double cannot become one"
            ));
        }
        built
    }

    /// `vector += vector` and `vector *= number`.
    pub(super) fn changed_vector(
        &mut self,
        statement: &Statement,
        op: Arith,
        old: Expr,
    ) -> Built<Expr> {
        let ty = old.ty();
        if matches!(op, Arith::Add | Arith::Sub) {
            let value = self.build(statement.value, ty)?;
            return Ok(Expr::Arith(op, Box::new(old), Box::new(value)));
        }
        let by = self.float(statement.value)?;
        Ok(Expr::Scale(op, Box::new(old), Box::new(by)))
    }

    /// The new vector of a key when one of its components is changed.
    pub(super) fn with_part(
        &mut self,
        statement: &Statement,
        key: KeyId,
        ty: Type,
        name: &Span,
    ) -> Built<Expr> {
        let Some(parts) = ty.parts() else {
            let word = shortened(&self.fragment.text[statement.key.clone()]);
            let message = said!("`{}` is {}, which has no components", word, a_type(ty));
            let problem = self.error(Code::WrongType, &statement.key, message);
            return Err(problem.with_help(said!("only vectors have components: `vec2` and `vec3`")));
        };
        let part = self.part_named(ty, name)?;
        let old = |part: Part| Expr::Part(part, Box::new(Expr::Key(key, ty)));
        let new = self.changed(statement, old(part))?;
        let mut new = Some(new);
        let all = Part::ALL[..parts].iter().map(|each| {
            if *each == part {
                new.take().unwrap_or_else(|| old(part))
            } else {
                old(*each)
            }
        });
        Ok(Expr::Vector(all.collect()))
    }
}
