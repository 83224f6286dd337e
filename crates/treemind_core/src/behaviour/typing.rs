//! Checks the types of expressions.

use super::validate::value_exists;
use super::{Behaviour, Form, Key, MAX_DEPTH};
use crate::expr::{Arith, Compare, Expr, Part};
use crate::ids::KeyId;
use crate::value::Type;

/// Like [`check_expr`], for expressions that are evaluated again and again, where drawing is not allowed.
pub(super) fn check_test(behaviour: &Behaviour, expr: &Expr, wanted: Type) -> Result<(), String> {
    check_expr(behaviour, expr, wanted)?;
    if expr.draws() {
        return Err("`random` in a guard, a weight or a case".to_owned());
    }
    Ok(())
}

/// Checks that an expression has this type, and each of its subexpressions the type that it must have.
pub(super) fn check_expr(behaviour: &Behaviour, expr: &Expr, wanted: Type) -> Result<(), String> {
    // Uses an explicit stack, because depth is one of the things being checked.
    let mut pending = vec![(expr, Some(wanted), 0)];
    while let Some((expr, wanted, depth)) = pending.pop() {
        if depth >= MAX_DEPTH {
            return Err(format!("an expression is nested deeper than {MAX_DEPTH}"));
        }
        count_parts(expr)?;
        let ty = expr.ty();
        if wanted.is_some_and(|wanted| wanted != ty) {
            return Err(format!(
                "an expression is `{ty}`, not `{}`",
                wanted.unwrap_or(ty)
            ));
        }
        let wanted = wanted_parts(behaviour, expr)?;
        for (index, part) in expr.parts().enumerate() {
            let wanted = match wanted {
                Wanted::All(ty) => Some(ty),
                Wanted::FirstAnd(first, others) => Some(if index == 0 { first } else { others }),
                Wanted::TwoAnd(first, others) => Some(if index < 2 { first } else { others }),
                Wanted::Any => None,
            };
            pending.push((part, wanted, depth + 1));
        }
    }
    Ok(())
}

/// The types that the subexpressions of an expression must have.
#[derive(Clone, Copy)]
enum Wanted {
    All(Type),
    FirstAnd(Type, Type),
    TwoAnd(Type, Type),
    Any,
}

/// Checks the number of subexpressions, which the type of an expression may depend on.
fn count_parts(expr: &Expr) -> Result<(), String> {
    match expr {
        Expr::Call(func, args) if args.len() != func.arity() => Err(format!(
            "`{}` takes {} arguments",
            func.name(),
            func.arity()
        )),
        Expr::OfVectors(func, args) if args.len() != func.arity() => Err(format!(
            "`{}` takes {} arguments",
            func.name(),
            func.arity()
        )),
        Expr::Vector(parts) if !(2..=3).contains(&parts.len()) => {
            Err("a vector has two or three parts".to_owned())
        }
        _ => Ok(()),
    }
}

fn wanted_parts(behaviour: &Behaviour, expr: &Expr) -> Result<Wanted, String> {
    Ok(match expr {
        Expr::Value(value) if !value_exists(&behaviour.enums, *value) => {
            return Err("a value that its enumeration does not have".to_owned());
        }
        Expr::Value(_) => Wanted::Any,
        Expr::Key(key, ty) => {
            let key = key_of(behaviour, *key)?;
            if key.ty != *ty || key.form.is_list() {
                return Err("a key of another type, or a list".to_owned());
            }
            Wanted::Any
        }
        // Which states exist depends on the node: see `enclosing`.
        Expr::Active(_) => Wanted::Any,
        Expr::Has(key) => {
            key_of(behaviour, *key)?;
            Wanted::Any
        }
        Expr::Len(key) => match key_of(behaviour, *key)?.form {
            Form::List { .. } => Wanted::Any,
            Form::One | Form::Optional { .. } => {
                return Err("`len` of a key that is not a list".to_owned());
            }
        },
        Expr::Index(key, _)
        | Expr::Contains(key, _)
        | Expr::Item(key, ..)
        | Expr::Nearest(key, ..) => {
            let key = key_of(behaviour, *key)?;
            if !key.form.is_list() {
                return Err("an item of a key that is not a list".to_owned());
            }
            match expr {
                Expr::Item(_, ty, _) | Expr::Nearest(_, ty, _) if *ty != key.ty => {
                    return Err("an item of another type".to_owned());
                }
                Expr::Nearest(_, ty, _) if !ty.is_number() && ty.parts().is_none() => {
                    return Err("`nearest` of neither numbers nor vectors".to_owned());
                }
                Expr::Item(..) => Wanted::All(Type::Int),
                _ => Wanted::All(key.ty),
            }
        }
        Expr::Free(semaphore) => match behaviour.semaphores.get(semaphore.index()) {
            Some(_) => Wanted::Any,
            None => return Err("a semaphore that is not there".to_owned()),
        },
        Expr::Me | Expr::Members | Expr::Now => Wanted::Any,
        Expr::SinceWritten(key) => {
            key_of(behaviour, *key)?;
            Wanted::Any
        }
        Expr::Age(key) => match key_of(behaviour, *key)?.form {
            Form::One | Form::Optional { .. } => Wanted::Any,
            Form::List { .. } => return Err("`age` of a list".to_owned()),
        },
        Expr::Alive(_) => Wanted::All(Type::Entity),
        Expr::Not(_) | Expr::And(..) | Expr::Or(..) => Wanted::All(Type::Bool),
        Expr::If(_, then, _) => Wanted::FirstAnd(Type::Bool, then.ty()),
        Expr::Neg(inner) if inner.ty().parts().is_some() => Wanted::All(inner.ty()),
        Expr::Neg(inner) => Wanted::All(number(inner.ty())?),
        Expr::Arith(Arith::Add | Arith::Sub, left, _) if left.ty().parts().is_some() => {
            Wanted::All(left.ty())
        }
        Expr::Arith(_, left, _) => Wanted::All(number(left.ty())?),
        Expr::Scale(Arith::Mul | Arith::Div, left, _) => {
            Wanted::FirstAnd(vector(left.ty())?, Type::Float)
        }
        Expr::Scale(..) => return Err("vectors are multiplied and divided only".to_owned()),
        Expr::Part(part, inner) => {
            if *part == Part::Z && inner.ty() == Type::Vec2 {
                return Err("a `vec2` has no `z`".to_owned());
            }
            Wanted::All(vector(inner.ty())?)
        }
        Expr::Vector(_) => Wanted::All(Type::Float),
        Expr::Length(inner) => Wanted::All(vector(inner.ty())?),
        Expr::Curve(curve, _) => {
            curve.check()?;
            Wanted::All(Type::Double)
        }
        Expr::OfTexts(..) => Wanted::All(Type::Any),
        Expr::OfVectors(_, args) => Wanted::TwoAnd(vector(args[0].ty())?, Type::Float),
        Expr::Compare(Compare::Eq | Compare::Ne, left, _) => Wanted::All(left.ty()),
        Expr::Compare(_, left, _) => Wanted::All(number(left.ty())?),
        Expr::Between(value, ..) => Wanted::All(number(value.ty())?),
        Expr::Widen(to, inner) => {
            if !inner.ty().widens_to(*to) {
                return Err(format!("`{}` does not widen to `{to}`", inner.ty()));
            }
            Wanted::Any
        }
        Expr::Call(func, args) => {
            let first = number(args[0].ty())?;
            if first == Type::Int && !func.takes_int() {
                return Err(format!("`{}` takes floats and doubles", func.name()));
            }
            Wanted::All(first)
        }
        Expr::Random(low, _) => Wanted::All(number(low.ty())?),
    })
}

fn key_of(behaviour: &Behaviour, key: KeyId) -> Result<&Key, String> {
    let key = behaviour.keys.get(key.index());
    key.ok_or_else(|| "a key that is not there".to_owned())
}

fn number(ty: Type) -> Result<Type, String> {
    if ty.is_number() {
        Ok(ty)
    } else {
        Err(format!("`{ty}` is not a number"))
    }
}

fn vector(ty: Type) -> Result<Type, String> {
    if ty.parts().is_some() {
        Ok(ty)
    } else {
        Err(format!("`{ty}` is not a vector"))
    }
}
