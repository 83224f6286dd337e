//! The types that the parts of an expression have on their own, before their context decides.

use super::ast::{Ast, AstId, AstKind};
use super::func;
use super::scope::KeyScope;
use crate::syntax::Span;
use treemind_core::Type;
use treemind_core::expr::{Arith, Func};

/// What an expression is on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Nature {
    Known(Type),
    /// Only whole numbers: any number type.
    Whole,
    /// Literals and ints, with a decimal point in at least one: float or double.
    Fraction,
    /// A name that is not a key: perhaps a value of an enumeration.
    Bare,
    /// Unknown; building it gives the diagnostic.
    Unclear,
}

impl Nature {
    /// The common nature of both sides of an operator.
    pub(super) fn join(self, other: Nature) -> Nature {
        use Nature::{Bare, Fraction, Known, Unclear, Whole};
        match (self, other) {
            (left, right) if left == right => left,
            (Known(Type::Any), Known(_) | Whole | Fraction)
            | (Known(_) | Whole | Fraction, Known(Type::Any)) => Known(Type::Any),
            (Known(left), Known(right)) if left.widens_to(right) => other,
            (Known(left), Known(right)) if right.widens_to(left) => self,
            (Known(ty), Whole) | (Whole, Known(ty)) if ty.is_number() || ty == Type::Entity => {
                Known(ty)
            }
            // An int key widens to the type of the result.
            (Known(Type::Int), Fraction) | (Fraction, Known(Type::Int)) => Fraction,
            (Known(ty), Fraction) | (Fraction, Known(ty)) if ty.is_number() => Known(ty),
            (Known(ty @ Type::Enum(_)), Bare) | (Bare, Known(ty @ Type::Enum(_))) => Known(ty),
            (Whole, Fraction) | (Fraction, Whole) => Fraction,
            _ => Unclear,
        }
    }

    /// The type, if it is a vector.
    pub(super) fn vector(self) -> Option<Type> {
        match self {
            Nature::Known(ty) if ty.parts().is_some() => Some(ty),
            _ => None,
        }
    }

    /// Its type if nothing else decides.
    pub(super) fn settled(self) -> Option<Type> {
        match self {
            Nature::Known(ty) => Some(ty),
            Nature::Whole => Some(Type::Int),
            Nature::Fraction => Some(Type::Double),
            Nature::Bare | Nature::Unclear => None,
        }
    }
}

/// The natures of all nodes, in their order: children come before their parents, so their natures are known first.
pub(super) fn natures(ast: &Ast, text: &str, scope: &KeyScope) -> Vec<Nature> {
    let mut natures = Vec::with_capacity(ast.nodes.len());
    for node in &ast.nodes {
        let nature = match &node.kind {
            AstKind::Part(whole, part) => match scope.find(&text[part.clone()]) {
                Some((_, ty)) => Nature::Known(ty),
                None if is_sender(ast, *whole, part, text, scope) => Nature::Known(Type::Entity),
                None => nature(&node.kind, &natures, text, scope),
            },
            AstKind::Call(name, args) if matches!(&text[name.clone()], "item" | "nearest") => {
                let said = |id: &AstId| &text[ast.nodes[*id].span.clone()];
                let list = args.first().and_then(|list| scope.find(said(list).trim()));
                list.map_or(Nature::Unclear, |(_, ty)| Nature::Known(ty))
            }
            AstKind::Call(name, args) if &text[name.clone()] == "event" => {
                let said = |id: &AstId| &text[ast.nodes[*id].span.clone()];
                let event = args.first().and_then(|event| scope.event(said(event)));
                let heard = event.and_then(|event| KeyScope::heard(event, args.get(1).map(said)));
                heard.map_or(Nature::Unclear, |(_, ty)| Nature::Known(ty))
            }
            kind => nature(kind, &natures, text, scope),
        };
        natures.push(nature);
    }
    natures
}

fn is_sender(ast: &Ast, whole: AstId, part: &Span, text: &str, scope: &KeyScope) -> bool {
    let whole = &text[ast.nodes[whole].span.clone()];
    scope.sender_key(whole, &text[part.clone()]).is_some()
}

fn nature(kind: &AstKind, natures: &[Nature], text: &str, scope: &KeyScope) -> Nature {
    let of = |id: &AstId| natures[*id];
    let number = |nature: Nature| match nature {
        Nature::Known(ty) if !ty.is_number() => Nature::Unclear,
        Nature::Bare => Nature::Unclear,
        nature => nature,
    };
    match kind {
        AstKind::Int(_) => Nature::Whole,
        AstKind::Decimal(_) => Nature::Fraction,
        AstKind::Str(_) => Nature::Known(Type::Text),
        AstKind::Part(inner, _) => match of(inner).vector() {
            Some(_) => Nature::Known(Type::Float),
            None => Nature::Unclear,
        },
        AstKind::Name(name) => match scope.find(&text[name.clone()]) {
            Some((key, _)) if scope.is_list(key) => Nature::Unclear,
            Some((_, ty)) => Nature::Known(ty),
            None => Nature::Bare,
        },
        AstKind::Bool(_)
        | AstKind::Not(_)
        | AstKind::Compare(..)
        | AstKind::And(..)
        | AstKind::Or(..)
        | AstKind::Between(..) => Nature::Known(Type::Bool),
        AstKind::Neg(inner) if of(inner).vector().is_some() => of(inner),
        AstKind::Neg(inner) => number(of(inner)),
        AstKind::Arith(op, left, right) => match (of(left).vector(), of(right).vector()) {
            (None, None) => number(of(left).join(of(right))),
            (left, right) => vectors(*op, left, right),
        },
        AstKind::If(_, then, other) => of(then).join(of(other)),
        AstKind::Call(name, args) => {
            if let Some(ty) = special(&text[name.clone()]) {
                return Nature::Known(ty);
            }
            if scope.measure(&text[name.clone()]).is_some() {
                return Nature::Known(Type::Float);
            }
            if scope.curve(&text[name.clone()]).is_some() {
                return Nature::Known(Type::Double);
            }
            let first = args.first().and_then(|first| of(first).vector());
            if let Some(ty) = first
                && matches!(&text[name.clone()], "normalize" | "lerp")
            {
                return Nature::Known(ty);
            }
            let joined = args.iter().map(of).reduce(Nature::join);
            let joined = number(joined.unwrap_or(Nature::Unclear));
            let name = &text[name.clone()];
            let ints = name == "random" || func(name).is_some_and(Func::takes_int);
            match joined {
                Nature::Known(Type::Int) | Nature::Whole if !ints => Nature::Fraction,
                joined => joined,
            }
        }
    }
}

/// The result of arithmetic with at least one vector.
fn vectors(op: Arith, left: Option<Type>, right: Option<Type>) -> Nature {
    match (op, left, right) {
        (Arith::Add | Arith::Sub, Some(left), Some(right)) if left == right => Nature::Known(left),
        (Arith::Mul | Arith::Div, Some(ty), None) | (Arith::Mul, None, Some(ty)) => {
            Nature::Known(ty)
        }
        _ => Nature::Unclear,
    }
}

/// The result of a function, if it does not depend on the arguments.
fn special(name: &str) -> Option<Type> {
    match name {
        "has" | "active" | "ran" | "alive" | "contains" | "spelled_alike" => Some(Type::Bool),
        "len" | "free" | "members" | "index" | "text_order" | "likeness" | "int"
        | "leading_int" => Some(Type::Int),
        "joined" => Some(Type::Text),
        "now" | "age" | "since_written" | "double" | "number" => Some(Type::Double),
        "me" => Some(Type::Entity),
        "length" | "distance" | "dot" | "angle" => Some(Type::Float),
        "vec2" => Some(Type::Vec2),
        "vec3" => Some(Type::Vec3),
        _ => None,
    }
}
