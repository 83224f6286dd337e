//! Scripts as expressions over variables with known types.

use super::Trouble;
use super::script::{Binary, ExprKind, Script};
use super::types::{NOTHING, Scope, field_type, is_whole_divisor, join};
use crate::code::Code;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use treemind_core::behaviour::{LogPart, StateIndex};
use treemind_core::expr::{Arith, Compare, Func};
use treemind_core::{Expr, Text, Type, Value};

/// The greatest power that is written out.
const MAX_POWER: i64 = 8;

impl Scope {
    /// Lowers a script to an expression of a type that it converts to.
    pub(super) fn lower_as(&self, script: &Script, wanted: Type) -> Result<Expr, Trouble> {
        let expr = self.lower(script)?;
        let ty = expr.ty();
        expr.widened(wanted).ok_or_else(|| {
            let message = said!("expected `{}`, found `{}`", wanted, ty);
            Trouble::new(Code::WrongType, script.span.clone(), message)
        })
    }

    /// Splits a text that is put together from texts and variables into its parts. Returns whether the script is such
    /// a text.
    pub(super) fn text_parts(&self, script: &Script, parts: &mut Vec<LogPart>) -> bool {
        match &script.what {
            ExprKind::Text(text) => parts.push(LogPart::Text(text.clone())),
            ExprKind::Int(int) => parts.push(LogPart::Text(int.to_string())),
            ExprKind::Bool(truth) => parts.push(LogPart::Text(truth.to_string())),
            ExprKind::Name(name) if name == "_name" => parts.push(LogPart::Text(self.name.clone())),
            ExprKind::Name(name) => match self.variable(name, &script.span) {
                Ok((key, ..)) => parts.push(LogPart::Key(key)),
                Err(_) => return false,
            },
            ExprKind::Event(field) => match self.fields.iter().position(|known| known == field) {
                Some(index) => parts.push(LogPart::Key(self.field_key(index))),
                None => return false,
            },
            ExprKind::Binary(Binary::Add, left, right)
                if self.type_of(script) == Some(Type::Any)
                    || self.type_of(script) == Some(Type::Text) =>
            {
                return self.text_parts(left, parts) && self.text_parts(right, parts);
            }
            _ => return false,
        }
        true
    }

    /// Whether a script holds: its value must be set, not empty, and not the number 0.
    pub(super) fn test(&self, script: &Script) -> Result<Expr, Trouble> {
        if let ExprKind::Name(name) = &script.what
            && name != "_name"
        {
            let (key, ty, is_optional) = self.variable(name, &script.span)?;
            let holds = truth(Expr::Key(key, ty));
            return Ok(if is_optional {
                Expr::And(Expr::Has(key).into(), holds.into())
            } else {
                holds
            });
        }
        if let ExprKind::Choice(test, then, other) = &script.what {
            let test = self.test(test)?;
            let (then, other) = (self.test(then)?, self.test(other)?);
            return Ok(Expr::If(test.into(), then.into(), other.into()));
        }
        Ok(truth(self.lower(script)?))
    }

    fn lower(&self, script: &Script) -> Result<Expr, Trouble> {
        let span = &script.span;
        Ok(match &script.what {
            ExprKind::Int(int) => Expr::Value(Value::Int(*int)),
            ExprKind::Double(double) => Expr::Value(Value::Double(*double)),
            ExprKind::Text(text) => Expr::Value(Value::Text(Text::new(text))),
            ExprKind::Bool(truth) => Expr::Value(Value::Bool(*truth)),
            ExprKind::Nothing => {
                let message = said!("`undefined` can only be compared, or assigned as a whole");
                return Err(Trouble::new(Code::WrongType, span.clone(), message));
            }
            ExprKind::Typeof(_) => {
                let message = said!("`typeof` can only be compared with `'undefined'`");
                return Err(Trouble::new(Code::NotYet, span.clone(), message));
            }
            ExprKind::Name(name) if name == "_name" => {
                Expr::Value(Value::Text(Text::new(&self.name)))
            }
            ExprKind::Name(name) => {
                let (key, ty, _) = self.variable(name, span)?;
                Expr::Key(key, ty)
            }
            ExprKind::Event(field) => self.field(field),
            ExprKind::In(state) => match self.state(state, span)? {
                Some(state) => Expr::Active(state),
                None => Expr::Value(Value::Bool(false)),
            },
            ExprKind::IsThere(asked) => match &asked.what {
                ExprKind::Event(field) => {
                    let nothing = Expr::Value(NOTHING).widened(field_type(field));
                    match nothing {
                        Some(nothing) => compare(Compare::Ne, self.field(field), nothing),
                        None => Expr::Value(Value::Bool(true)),
                    }
                }
                ExprKind::Name(name) => Expr::Has(self.variable(name, &asked.span)?.0),
                _ => unreachable!("nothing else is asked for"),
            },
            ExprKind::Not(inner) => Expr::Not(self.test(inner)?.into()),
            ExprKind::Neg(inner) => Expr::Neg(self.number(inner)?.into()),
            ExprKind::Binary(Binary::And, left, right) => {
                Expr::And(self.test(left)?.into(), self.test(right)?.into())
            }
            ExprKind::Binary(Binary::Or, left, right) => {
                Expr::Or(self.test(left)?.into(), self.test(right)?.into())
            }
            ExprKind::Binary(Binary::Eq, left, right) => self.same(left, right, span)?,
            ExprKind::Binary(Binary::Ne, left, right) => {
                Expr::Not(self.same(left, right, span)?.into())
            }
            ExprKind::Binary(operator, left, right) => self.of_numbers(*operator, left, right)?,
            ExprKind::Choice(test, then, other) => {
                let test = self.test(test)?;
                let (then, other) = self.alike(then, other, span)?;
                Expr::If(test.into(), then.into(), other.into())
            }
            ExprKind::Math(name, args) => self.math(name, args, span)?,
        })
    }

    fn field(&self, field: &str) -> Expr {
        let mut fields = self.fields.iter();
        let index = fields.position(|known| known == field);
        let index = index.expect("all parts that are read were found before");
        Expr::Key(self.field_key(index), field_type(field))
    }

    /// A state by its id; histories are never active.
    fn state(&self, id: &str, span: &Span) -> Result<Option<StateIndex>, Trouble> {
        self.states.get(id).copied().ok_or_else(|| {
            let message = said!("unknown state `{}`", shortened(id));
            let mut trouble = Trouble::new(Code::UnknownState, span.clone(), message);
            let known = self.states.keys().map(String::as_str);
            trouble.with_perhaps(suggest::did_you_mean(id, known, || None));
            trouble
        })
    }

    fn number(&self, script: &Script) -> Result<Expr, Trouble> {
        let expr = self.lower(script)?;
        if expr.ty().is_number() {
            return Ok(expr);
        }
        let message = match expr.ty() {
            Type::Any => said!("this is not always a number"),
            ty => said!("expected a number, found `{}`", ty),
        };
        Err(Trouble::new(Code::WrongType, script.span.clone(), message))
    }

    /// Both sides, converted to a type that they have in common.
    fn alike(&self, left: &Script, right: &Script, span: &Span) -> Result<(Expr, Expr), Trouble> {
        let (left, right) = (self.lower(left)?, self.lower(right)?);
        let (one, other) = (left.ty(), right.ty());
        let wanted = join(one, other);
        if wanted == Type::Any && one != Type::Any && other != Type::Any {
            let message = said!(
                "cannot compare `{}` with `{}`: they are never equal",
                one,
                other
            );
            return Err(Trouble::new(Code::WrongType, span.clone(), message));
        }
        match (left.widened(wanted), right.widened(wanted)) {
            (Some(left), Some(right)) => Ok((left, right)),
            _ => unreachable!("what is joined widens to it"),
        }
    }

    fn same(&self, left: &Script, right: &Script, span: &Span) -> Result<Expr, Trouble> {
        let (one, other) = self.alike(left, right, span)?;
        let mut same = compare(Compare::Eq, one, other);
        // An unset variable is not equal to any value.
        for side in [left, right] {
            if let ExprKind::Name(name) = &side.what
                && name != "_name"
                && let (key, _, true) = self.variable(name, &side.span)?
            {
                same = Expr::And(Expr::Has(key).into(), same.into());
            }
        }
        Ok(same)
    }

    fn of_numbers(&self, operator: Binary, left: &Script, right: &Script) -> Result<Expr, Trouble> {
        if operator == Binary::Add {
            for side in [left, right] {
                if self.type_of(side) == Some(Type::Text) {
                    let message = said!("texts cannot be concatenated");
                    return Err(Trouble::new(Code::NotYet, side.span.clone(), message));
                }
            }
        }
        let divides_whole = is_whole_divisor(right);
        let (left, right) = (self.number(left)?, self.number(right)?);
        // The quotient of whole numbers may not be whole.
        let wanted = match operator {
            Binary::Div => Type::Double,
            Binary::Rem if !divides_whole => Type::Double,
            _ => join(left.ty(), right.ty()),
        };
        let widened = |expr: Expr| expr.widened(wanted).expect("numbers widen");
        let (left, right) = (widened(left), widened(right));
        let arith = |op, left: Expr, right: Expr| Expr::Arith(op, left.into(), right.into());
        Ok(match operator {
            Binary::Add => arith(Arith::Add, left, right),
            Binary::Sub => arith(Arith::Sub, left, right),
            Binary::Mul => arith(Arith::Mul, left, right),
            Binary::Div => arith(Arith::Div, left, right),
            Binary::Rem => arith(Arith::Rem, left, right),
            Binary::Lt => compare(Compare::Lt, left, right),
            Binary::Le => compare(Compare::Le, left, right),
            Binary::Gt => compare(Compare::Gt, left, right),
            Binary::Ge => compare(Compare::Ge, left, right),
            Binary::Or | Binary::And | Binary::Eq | Binary::Ne => {
                unreachable!("is lowered elsewhere")
            }
        })
    }

    fn math(&self, name: &str, args: &[Script], span: &Span) -> Result<Expr, Trouble> {
        let known = ["abs", "ceil", "floor", "max", "min", "pow", "sqrt"];
        let func = match name {
            "pow" => return self.power(args, span),
            "abs" => Func::Abs,
            "min" => Func::Min,
            "max" => Func::Max,
            "floor" => Func::Floor,
            "ceil" => Func::Ceil,
            "sqrt" => Func::Sqrt,
            _ => {
                let message = said!("unknown function `Math.{}`", shortened(name));
                let mut trouble = Trouble::new(Code::UnknownFunction, span.clone(), message);
                trouble.with_perhaps(suggest::did_you_mean(name, known, || {
                    Some(said!("the functions are {}", suggest::listed(known)))
                }));
                return Err(trouble);
            }
        };
        self.count_args(name, args, func.arity(), span)?;
        let numbers: Vec<Expr> = args
            .iter()
            .map(|arg| self.number(arg))
            .collect::<Result<_, _>>()?;
        let least = if func.takes_int() {
            Type::Int
        } else {
            Type::Double
        };
        let wanted = numbers.iter().map(Expr::ty).fold(least, join);
        let widened = |expr: Expr| expr.widened(wanted).expect("numbers widen");
        Ok(Expr::Call(func, numbers.into_iter().map(widened).collect()))
    }

    fn count_args(
        &self,
        name: &str,
        args: &[Script],
        wanted: usize,
        span: &Span,
    ) -> Result<(), Trouble> {
        if args.len() == wanted {
            return Ok(());
        }
        let message = said!(
            "`Math.{}` takes {} arguments, not {}",
            name,
            wanted,
            args.len()
        );
        Err(Trouble::new(Code::WrongArguments, span.clone(), message))
    }

    /// Powers are written out as products.
    fn power(&self, args: &[Script], span: &Span) -> Result<Expr, Trouble> {
        self.count_args("pow", args, 2, span)?;
        let base = self.number(&args[0])?;
        let ExprKind::Int(power @ 0..=MAX_POWER) = args[1].what else {
            let message = said!(
                "the exponent must be a whole number from 0 to {}",
                MAX_POWER
            );
            return Err(Trouble::new(Code::NotYet, args[1].span.clone(), message));
        };
        if !matches!(base, Expr::Key(..) | Expr::Value(_)) && power > 1 {
            let message = said!("the base of a power must be a number or a variable");
            return Err(Trouble::new(Code::NotYet, args[0].span.clone(), message));
        }
        let one = Expr::Value(Value::Int(1));
        let one = one.widened(base.ty()).expect("numbers widen");
        let factors = std::iter::repeat_n(base, power as usize);
        let product = factors
            .reduce(|product, factor| Expr::Arith(Arith::Mul, product.into(), factor.into()));
        Ok(product.unwrap_or(one))
    }
}

fn compare(op: Compare, left: Expr, right: Expr) -> Expr {
    Expr::Compare(op, left.into(), right.into())
}

fn truth(expr: Expr) -> Expr {
    let differs = |expr: Expr, value: Value| {
        let value = Expr::Value(value).widened(expr.ty()).expect("fits");
        compare(Compare::Ne, expr, value)
    };
    match expr.ty() {
        Type::Bool => expr,
        // NaN does not hold either.
        Type::Double => {
            let size = Expr::Call(Func::Abs, vec![expr]);
            compare(Compare::Gt, size, Expr::Value(Value::Double(0.0)))
        }
        Type::Any => {
            let is_itself = compare(Compare::Eq, expr.clone(), expr.clone());
            let empty = Value::Text(Text::default());
            [NOTHING, Value::Int(0), Value::Bool(false), empty]
                .into_iter()
                .fold(is_itself, |holds, value| {
                    Expr::And(holds.into(), differs(expr.clone(), value).into())
                })
        }
        ty => {
            let zero = ty.zero();
            differs(expr, zero)
        }
    }
}
