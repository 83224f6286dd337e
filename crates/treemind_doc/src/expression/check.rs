//! Converts the untyped tree to the typed one of `treemind_core`.
//!
//! First, every node gets its own type ([`Nature`]), from the leaves upwards. Then the tree is built from the root
//! downwards, with each node knowing the type that it must have. So literals adapt to the values next to them.
// long: both passes go over the same kinds of expressions, and are read side by side

use super::ast::{Ast, AstId, AstKind, Statement};
use super::nature::{self, Nature};
use super::scope::{Foresight, KeyScope};
use super::{Fragment, a_type, foreign, known, of_any};
use crate::code::Code;
use crate::diagnostic::{Problem, Reported, Sink};
use crate::suggest;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use treemind_core::behaviour::{Key, MAX_DEPTH, Merge, Scope};
use treemind_core::expr::{Arith, Assign, Compare};
use treemind_core::{Expr, KeyId, Text, Type, Value};

/// Assigns types to one expression.
pub(crate) struct Typing<'a> {
    pub(super) ast: &'a Ast,
    pub(super) fragment: Fragment<'a>,
    pub(super) scope: &'a mut KeyScope,
    pub(super) sink: &'a mut Sink,
    pub(super) natures: Vec<Nature>,
    /// It names the item of an `each`, so that more of it may be known than was written.
    has_known: bool,
}

/// What was built, or proof that the reason why it was not has been reported.
pub(super) type Built<T> = Result<T, Reported>;

impl<'a> Typing<'a> {
    pub(crate) fn new(
        ast: &'a Ast,
        fragment: Fragment<'a>,
        scope: &'a mut KeyScope,
        sink: &'a mut Sink,
    ) -> Self {
        let natures = nature::natures(ast, fragment.text, scope);
        Self {
            ast,
            fragment,
            scope,
            sink,
            natures,
            has_known: false,
        }
    }

    /// The expression as `want`.
    pub(crate) fn expression(mut self, want: Type) -> Built<Expr> {
        let root = self.ast.root();
        let expr = self.build(root, want)?;
        self.shallow_enough(root, expr)
    }

    /// The expression with its own type.
    pub(crate) fn inferred(mut self) -> Built<Expr> {
        let root = self.ast.root();
        // Without a type of its own it contains a mistake, which appears with any type.
        let ty = self.natures[root].settled().unwrap_or(Type::Double);
        let expr = self.build(root, ty)?;
        self.shallow_enough(root, expr)
    }

    /// The statements without mistakes.
    pub(crate) fn statements(mut self) -> Built<Vec<Assign>> {
        let ast = self.ast;
        let built: Vec<Built<Assign>> = ast
            .statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect();
        built.into_iter().collect()
    }

    fn statement(&mut self, statement: &Statement) -> Built<Assign> {
        let name = &self.fragment.text[statement.key.clone()];
        let Some((key, ty)) = self.scope.find(name) else {
            if name == "event" && statement.part.is_some() {
                let message = said!("cannot write to a parameter of an event");
                return self.refuse(Code::WrongType, &statement.key, message);
            }
            return Err(self.unknown_name(&statement.key));
        };
        if let Some(refused) = self.unplannable(statement, key, ty) {
            return Err(refused);
        }
        if self.scope.known(key).is_some() {
            let name = shortened(name);
            let message = said!(
                "cannot write to `{}`, which stands for a value of an `each`",
                name
            );
            let problem = self.error(Code::WrongType, &statement.key, message);
            return Err(problem.with_help(said!("write to a key of the blackboard")));
        }
        let is_written = self.scope.foresight != Foresight::Gives;
        if is_written && self.scope.is_read_only(name) {
            let name = shortened(name);
            let message = said!("cannot write to `{}`, which is an `in` port", name);
            let problem = self.error(Code::WrongType, &statement.key, message);
            return Err(problem.with_help(said!("declare it as `inout {} …` to write it", name)));
        }
        if is_written && self.scope.is_sensed(key) {
            let message = said!(
                "cannot write to `{}`, which is computed by a sensor",
                shortened(name)
            );
            return self.refuse(Code::WrongType, &statement.key, message);
        }
        if self.scope.is_list(key) {
            return self.list_changed(statement, key, ty);
        }
        let value = match &statement.part {
            Some(part) => self.with_part(statement, key, ty, part)?,
            None => self.changed(statement, Expr::Key(key, ty))?,
        };
        let value = self.shallow_enough(statement.value, value)?;
        if is_written {
            self.warn_of_lost_changes(statement, key, &value);
        }
        Ok(Assign::set(key, value))
    }

    /// Refuses a statement whose effect a planner cannot foresee.
    fn unplannable(&mut self, statement: &Statement, key: KeyId, ty: Type) -> Option<Reported> {
        if !matches!(self.scope.foresight, Foresight::Effect | Foresight::Gives) {
            return None;
        }
        let name = shortened(&self.fragment.text[statement.key.clone()]);
        let message = match ty {
            _ if self.scope.is_list(key) => {
                said!("a planner cannot plan with `{}`, which is a list", name)
            }
            Type::Any => said!(
                "a planner cannot plan with `{}`, which may hold a value of any type",
                name
            ),
            _ => return None,
        };
        let problem = self.error(Code::Unplannable, &statement.key, message);
        Some(problem.with_help(said!(
            "plan with a key of another type, such as a `bool` or a number"
        )))
    }

    /// Warns of a statement that adds to a key that agents share, if the changes of others are lost.
    fn warn_of_lost_changes(&mut self, statement: &Statement, key: KeyId, value: &Expr) {
        let Key { scope, merge, .. } = self.scope.keys[key.index()];
        let adds = match value {
            Expr::Arith(Arith::Add | Arith::Sub, old, _) => {
                matches!(**old, Expr::Key(read, _) if read == key)
            }
            _ => false,
        };
        if adds && scope != Scope::Agent && merge == Merge::Last {
            let name = shortened(&self.fragment.text[statement.key.clone()]);
            let message = said!(
                "if several agents change `{}` in one tick, only one change stays",
                name
            );
            let span = self.fragment.span(&statement.key);
            self.sink
                .warning(Code::LostChange, span, message)
                .with_help(said!(
                    "add `merge=add` to the key `{}`, so that all changes count",
                    name
                ));
        }
    }

    /// The new value of a key, or of a component of one, after a statement.
    pub(super) fn changed(&mut self, statement: &Statement, old: Expr) -> Built<Expr> {
        let ty = old.ty();
        let Some(op) = statement.op else {
            return self.build(statement.value, ty);
        };
        if ty.parts().is_some() {
            return self.changed_vector(statement, op, old);
        }
        let value = self.build(statement.value, ty)?;
        if ty.is_number() {
            return Ok(Expr::Arith(op, Box::new(old), Box::new(value)));
        }
        let sign = sign(op);
        let name = shortened(&self.fragment.text[statement.key.clone()]);
        let message = said!(
            "`{}=` needs a number, but `{}` is {}",
            sign,
            name,
            a_type(ty)
        );
        self.refuse(Code::WrongType, &statement.key, message)
    }

    /// Conversions make the typed tree deeper, so its depth is checked too.
    pub(super) fn shallow_enough(&mut self, id: AstId, expr: Expr) -> Built<Expr> {
        if extent(&expr).0 <= MAX_DEPTH {
            return Ok(match self.has_known {
                true => known::settled(expr),
                false => expr,
            });
        }
        let span = self.ast.nodes[id].span.clone();
        let message = said!("this expression is nested deeper than {}", MAX_DEPTH);
        self.refuse(Code::TooDeep, &span, message)
    }

    pub(super) fn text(&self, id: AstId) -> String {
        shortened(self.fragment.text[self.ast.nodes[id].span.clone()].trim())
    }

    pub(super) fn error(&mut self, code: Code, span: &Span, message: Said) -> Problem<'_> {
        self.sink.error(code, self.fragment.span(span), message)
    }

    pub(super) fn refuse<T>(&mut self, code: Code, span: &Span, message: Said) -> Built<T> {
        Err(self.error(code, span, message).reported())
    }

    /// The node as `want`.
    pub(super) fn build(&mut self, id: AstId, want: Type) -> Built<Expr> {
        let ast = self.ast;
        if want == Type::Any && self.natures[id] != Nature::Known(Type::Any) {
            // Its type is its own type; without one it contains a mistake, or it is a choice between two types.
            let ty = self.natures[id].settled();
            if ty.is_some() || !matches!(ast.nodes[id].kind, AstKind::If(..)) {
                let expr = self.build(id, ty.unwrap_or(Type::Double))?;
                return self.given_as(id, expr, want);
            }
        }
        let want_bool = want == Type::Bool;
        match &ast.nodes[id].kind {
            AstKind::Int(value) => self.int(id, *value, false, want),
            AstKind::Decimal(text) => self.decimal(id, text, want),
            AstKind::Str(text) => self.string(id, text, want),
            AstKind::Part(vector, part) => self.part(id, *vector, part, want),
            AstKind::Name(name) => self.name(id, name, want),
            AstKind::Bool(value) if want_bool => Ok(Expr::Value(Value::Bool(*value))),
            AstKind::Not(inner) if want_bool => {
                Ok(Expr::Not(Box::new(self.build(*inner, Type::Bool)?)))
            }
            AstKind::And(left, right) if want_bool => {
                let (left, right) = self.both(*left, *right, Type::Bool)?;
                Ok(Expr::And(left, right))
            }
            AstKind::Or(left, right) if want_bool => {
                let (left, right) = self.both(*left, *right, Type::Bool)?;
                Ok(Expr::Or(left, right))
            }
            AstKind::Compare(op, left, right) if want_bool => self.compare(*op, *left, *right),
            AstKind::Between(value, low, high) if want_bool => self.between(*value, *low, *high),
            AstKind::Bool(_)
            | AstKind::Not(_)
            | AstKind::And(..)
            | AstKind::Or(..)
            | AstKind::Compare(..)
            | AstKind::Between(..) => Err(self.mismatch(id, Type::Bool, want).reported()),
            AstKind::If(cond, then, other) => {
                let cond = self.build(*cond, Type::Bool);
                let branches = self.both(*then, *other, want);
                let (then, other) = branches?;
                Ok(Expr::If(Box::new(cond?), then, other))
            }
            AstKind::Neg(inner) => self.negated(id, *inner, want),
            AstKind::Arith(op, left, right) => self.arith(id, *op, *left, *right, want),
            AstKind::Call(name, args) => self.call(id, name, args, want),
        }
    }

    pub(super) fn both(
        &mut self,
        left: AstId,
        right: AstId,
        want: Type,
    ) -> Built<(Box<Expr>, Box<Expr>)> {
        let left = self.build(left, want);
        let right = self.build(right, want);
        Ok((Box::new(left?), Box::new(right?)))
    }

    pub(super) fn mismatch(&mut self, id: AstId, is: Type, want: Type) -> Problem<'_> {
        let text = self.text(id);
        let span = self.ast.nodes[id].span.clone();
        let message = match (is, want) {
            (Type::Enum(_), Type::Enum(_)) => {
                said!(
                    "`{}` is an enum with other values than the one expected here",
                    text
                )
            }
            _ => said!(
                "expected {}, but `{}` is {}",
                a_type(want),
                text,
                a_type(is)
            ),
        };
        let help = match (is, want) {
            (Type::Float | Type::Double, Type::Int) | (Type::Double, Type::Float) => Some(said!(
                "declare the key with the wider type: numbers convert only from int to float to double"
            )),
            (Type::Any, _) => Some(of_any()),
            (_, Type::Bool) if text.parse::<f64>().is_ok() => {
                Some(said!("a bool is `{}` or `{}`", "true", "false"))
            }
            (is, Type::Bool) if is.is_number() => {
                Some(said!("compare it with something: `{} > 0`", text))
            }
            _ => None,
        };
        let mut problem = self.error(Code::WrongType, &span, message);
        problem.help = help.map(Into::into);
        problem
    }

    fn int(&mut self, id: AstId, value: Option<u64>, negative: bool, want: Type) -> Built<Expr> {
        let span = self.ast.nodes[id].span.clone();
        let Some(value) = value else {
            let message = said!("this number is too large");
            return self.refuse(Code::BadNumber, &span, message);
        };
        let signed = if negative {
            -i128::from(value)
        } else {
            i128::from(value)
        };
        let value = match want {
            Type::Int => match i64::try_from(signed) {
                Ok(value) => Value::Int(value),
                Err(_) => {
                    let message = said!("this number is too large for an int");
                    return self.refuse(Code::BadNumber, &span, message);
                }
            },
            Type::Float => Value::Float(signed as f32),
            Type::Double => Value::Double(signed as f64),
            Type::Entity if !negative => Value::Entity(value),
            _ => return Err(self.mismatch(id, Type::Int, want).reported()),
        };
        Ok(Expr::Value(value))
    }

    fn decimal(&mut self, id: AstId, text: &Span, want: Type) -> Built<Expr> {
        let text = self.fragment.text[text.clone()].replace('_', "");
        let value = match want {
            Type::Float => text.parse().map(Value::Float).ok(),
            Type::Double => text.parse().map(Value::Double).ok(),
            _ => return Err(self.mismatch(id, Type::Double, want).reported()),
        };
        match value {
            Some(Value::Float(value)) if value.is_finite() => Ok(Expr::Value(Value::Float(value))),
            Some(Value::Double(value)) if value.is_finite() => {
                Ok(Expr::Value(Value::Double(value)))
            }
            _ => {
                let span = self.ast.nodes[id].span.clone();
                let message = said!("this number is too large for a {}", want);
                self.refuse(Code::BadNumber, &span, message)
            }
        }
    }

    fn string(&mut self, id: AstId, text: &Span, want: Type) -> Built<Expr> {
        let text = &*super::unquoted(&self.fragment.text[text.clone()]);
        if want == Type::Text {
            return Ok(Expr::Value(Value::Text(Text::new(text))));
        }
        let problem = self.mismatch(id, Type::Text, want);
        Err(match want {
            Type::Enum(_) => problem.with_help(said!(
                "write the value of an enumeration without quotes: `{}`",
                shortened(text)
            )),
            _ => problem.reported(),
        })
    }

    fn name(&mut self, id: AstId, name: &Span, want: Type) -> Built<Expr> {
        let word = &self.fragment.text[name.clone()];
        if let Some((key, ty)) = self.scope.find(word) {
            if self.scope.is_list(key) {
                return Err(self.no_single(name));
            }
            self.has_known |= self.scope.known(key).is_some();
            return self.given_as(id, self.scope.value_of(key, ty), want);
        }
        let Type::Enum(list) = want else {
            return Err(self.unknown_in_place(name, Some(want)));
        };
        let at = self.fragment.said(name);
        if let Some(value) = self.scope.named_value(list, word, at) {
            return Ok(Expr::Value(value));
        }
        let values = self.scope.enums[list.index()]
            .values
            .iter()
            .map(String::as_str);
        let help = suggest::among(word, said!("its values"), values, || None);
        let word = shortened(word);
        let message = said!("unknown key or value `{}`", word);
        let problem = self.error(Code::UnknownValue, name, message);
        Err(problem.with_perhaps(help))
    }

    pub(super) fn unknown_name(&mut self, name: &Span) -> Reported {
        self.unknown_in_place(name, None)
    }

    /// The same where a value of this type is wanted.
    fn unknown_in_place(&mut self, name: &Span, want: Option<Type>) -> Reported {
        let written = &self.fragment.text[name.clone()];
        let span = self.fragment.span(name);
        if self.scope.broken.contains(written) {
            return self.sink.reported_before(span);
        }
        let is_value = self.scope.is_value(written);
        let word = &shortened(written);
        let keys = self.scope.names();
        let foreign = foreign::name(word).filter(|_| !is_value);
        let near = || {
            suggest::did_you_mean(word, keys.clone(), || {
                Some(if want == Some(Type::Text) {
                    said!("a text stands in single quotes: `'{}'`", word)
                } else if is_value {
                    said!("compare it with a key of its enumeration: a value alone is ambiguous")
                } else if keys.clone().next().is_none() {
                    said!("declare it: `blackboard { key {} type=…; }`", word)
                } else {
                    said!("the keys are {}", suggest::listed(keys.clone()))
                })
            })
        };
        let called = self.called_with_hyphens(name.start);
        let help = called.map(|called| suggest::meant(&called));
        let help = help.or(foreign).or_else(near);
        let message = said!("unknown key `{}`", word);
        let at = (written, span);
        let problem = self.sink.missing(Code::UnknownKey, at, message);
        problem.with_perhaps(help)
    }

    /// The curve or measure with hyphens in its name that is called by it there, as expressions write it: there, a hyphen is
    /// a minus.
    fn called_with_hyphens(&self, at: usize) -> Option<String> {
        let rest = &self.fragment.text[at..];
        let curves = self.scope.curves.iter().map(|curve| curve.name.as_str());
        let measures = self
            .scope
            .measures
            .iter()
            .map(|(_, leaf)| leaf.name.as_str());
        let mut names = curves.chain(measures).filter(|name| name.contains('-'));
        let is_called = |name: &&str| {
            let after = rest.strip_prefix(*name);
            after.is_some_and(|after| after.starts_with('('))
        };
        names.find(is_called).map(|name| name.replace('-', "_"))
    }

    fn compare(&mut self, op: Compare, left: AstId, right: AstId) -> Built<Expr> {
        let joined = self.natures[left].join(self.natures[right]);
        let ty = self.common(left, right, joined)?;
        let orders = !matches!(op, Compare::Eq | Compare::Ne);
        if orders && !ty.is_number() {
            let span = self.ast.nodes[left].span.start..self.ast.nodes[right].span.end;
            let message = said!(
                "only numbers can be ordered, but this compares values of type `{}`",
                ty.keyword()
            );
            let problem = self.error(Code::WrongType, &span, message);
            return Err(problem.with_help(said!("compare such values with `==` or `!=`")));
        }
        self.note_compared(left, right);
        let (left, right) = self.both(left, right, ty)?;
        Ok(Expr::Compare(op, left, right))
    }

    fn between(&mut self, value: AstId, low: AstId, high: AstId) -> Built<Expr> {
        let ends = self.natures[low].join(self.natures[high]);
        let joined = self.natures[value].join(ends);
        let ty = self.common(value, low, joined)?;
        if !ty.is_number() {
            let span = self.ast.nodes[value].span.clone();
            let message = said!(
                "`in` takes numbers, but `{}` is {}",
                self.text(value),
                a_type(ty)
            );
            return self.refuse(Code::WrongType, &span, message);
        }
        let value = self.build(value, ty);
        let (low, high) = self.both(low, high, ty)?;
        Ok(Expr::Between(Box::new(value?), low, high))
    }

    /// The common type of both sides; reports a diagnostic if there is none.
    fn common(&mut self, left: AstId, right: AstId, joined: Nature) -> Built<Type> {
        if let Some(ty) = joined.settled() {
            return Ok(ty);
        }
        let natures = (self.natures[left], self.natures[right]);
        if let (Nature::Known(a), Nature::Known(b)) = natures
            && a != b
        {
            let span = self.ast.nodes[left].span.start..self.ast.nodes[right].span.end;
            let message = match (a, b) {
                (Type::Enum(_), Type::Enum(_)) => said!(
                    "cannot compare `{}`, which is {}, with `{}`, which is another",
                    self.text(left),
                    a_type(a),
                    self.text(right)
                ),
                _ => said!(
                    "cannot compare `{}`, which is {}, with `{}`, which is {}",
                    self.text(left),
                    a_type(a),
                    self.text(right),
                    a_type(b)
                ),
            };
            let problem = self.error(Code::WrongType, &span, message);
            return Err(match (a, b) {
                (Type::Enum(_), Type::Text) | (Type::Text, Type::Enum(_)) => {
                    problem.with_help(said!("write the value of an enumeration without quotes"))
                }
                _ => problem.reported(),
            });
        }
        // Each side is built with its own type, or with that of the other side, so that the mistake in it is found.
        let left_type = natures.0.settled().or(natures.1.settled());
        let right_type = natures.1.settled().or(natures.0.settled());
        let left_built = self.build(left, left_type.unwrap_or(Type::Double));
        self.build(right, right_type.unwrap_or(Type::Double))
            .and(left_built)?;
        let is = |nature: Nature| nature.settled().map_or_else(|| said!("unclear"), a_type);
        let span = self.ast.nodes[left].span.start..self.ast.nodes[right].span.end;
        let message = said!(
            "cannot compare these two: one is {}, the other is {}",
            is(natures.0),
            is(natures.1)
        );
        self.refuse(Code::WrongType, &span, message)
    }

    fn negated(&mut self, id: AstId, inner: AstId, want: Type) -> Built<Expr> {
        if let Some(ty) = self.natures[inner].vector() {
            let inner = self.build(inner, ty)?;
            return self.given_as(id, Expr::Neg(Box::new(inner)), want);
        }
        if let AstKind::Int(value) = self.ast.nodes[inner].kind {
            return self.int(id, value, true, want);
        }
        let ty = self.arithmetic_type(id, want)?;
        let inner = self.build(inner, ty)?;
        let negated = match inner {
            Expr::Value(Value::Float(value)) => Expr::Value(Value::Float(-value)),
            Expr::Value(Value::Double(value)) => Expr::Value(Value::Double(-value)),
            inner => Expr::Neg(Box::new(inner)),
        };
        self.given_as(id, negated, want)
    }

    fn arith(
        &mut self,
        id: AstId,
        op: Arith,
        left: AstId,
        right: AstId,
        want: Type,
    ) -> Built<Expr> {
        let sides = (self.natures[left], self.natures[right]);
        if sides.0.vector().or(sides.1.vector()).is_some() {
            let expr = self.vector_arith(id, op, left, right)?;
            return self.given_as(id, expr, want);
        }
        let ty = self.arithmetic_type(id, want)?;
        let (left, right) = self.both(left, right, ty)?;
        self.given_as(id, Expr::Arith(op, left, right), want)
    }

    /// The type for the calculation, so that the result can be converted to `want`.
    pub(super) fn arithmetic_type(&mut self, id: AstId, want: Type) -> Built<Type> {
        let ty = match self.natures[id] {
            Nature::Known(ty) => ty,
            Nature::Fraction if !matches!(want, Type::Float | Type::Double) => Type::Double,
            Nature::Whole if !want.is_number() => Type::Int,
            // Operands that are not numbers are found when they are built as numbers.
            Nature::Unclear | Nature::Bare if !want.is_number() => return Ok(Type::Double),
            _ => want,
        };
        if ty.widens_to(want) {
            return Ok(ty);
        }
        Err(self.mismatch(id, ty, want).reported())
    }

    /// An expression with a type of its own, converted to `want`.
    pub(super) fn given_as(&mut self, id: AstId, expr: Expr, want: Type) -> Built<Expr> {
        let ty = expr.ty();
        match expr.widened(want) {
            Some(expr) => Ok(expr),
            None => Err(self.mismatch(id, ty, want).reported()),
        }
    }
}

/// How deeply an expression is nested, and how many parts it has.
pub(crate) fn extent(expr: &Expr) -> (usize, usize) {
    let mut pending = vec![(expr, 1usize)];
    let (mut deepest, mut parts) = (0, 0);
    while let Some((expr, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        parts += 1;
        pending.extend(expr.parts().map(|part| (part, depth + 1)));
    }
    (deepest, parts)
}

pub(super) fn sign(op: Arith) -> &'static str {
    match op {
        Arith::Add => "+",
        Arith::Sub => "-",
        Arith::Mul => "*",
        Arith::Div => "/",
        Arith::Rem => "%",
    }
}
