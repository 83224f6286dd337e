//! Comparisons in scripts.

use super::super::Ast;
use super::{Lowering, Ty, decimal, leading};
use crate::expression::quoted;
use crate::{Said, said};

/// With how many names of enumerations a text in a key is compared. Each is nested in the one before it.
const MAX_NAMES: usize = 100;

impl Lowering<'_> {
    pub(super) fn compared(
        &mut self,
        first: &Ast,
        rest: &[(&'static str, Ast)],
    ) -> Result<String, Said> {
        let mut left = first;
        let mut all = Vec::new();
        for (sign, right) in rest {
            all.push(self.pair(left, sign, right)?);
            left = right;
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => format!("({})", all.join(" && ")),
        })
    }

    fn pair(&mut self, left: &Ast, sign: &str, right: &Ast) -> Result<String, Said> {
        let one = self.enumerated(left, right);
        let two = self.enumerated(right, left);
        let (left, right) = (one.as_ref().unwrap_or(left), two.as_ref().unwrap_or(right));
        for (side, other) in [(left, right), (right, left)] {
            if let Ast::Text(text) = side
                && leading(text).is_none()
                && self.is_number(other)
            {
                return Err(said!("the text '{}' is not a number", text));
            }
        }
        let is_loose = [left, right].map(|side| self.is_loose(side) || self.is_text(side));
        let is_loose = is_loose.contains(&true);
        if !matches!(sign, "==" | "!=") {
            if is_loose {
                let (left, right) = (self.side(left, right)?, self.side(right, left)?);
                return Ok(format!("(text_order({left}, {right}) {sign} 0)"));
            }
            let (left, right) = (self.number(left)?, self.number(right)?);
            return Ok(format!("({left} {sign} {right})"));
        }
        let is_word = |side: &Ast| matches!(side, Ast::Text(text) if leading(text).is_none());
        let (one, one_ty) = self.part(left)?;
        let (other, other_ty) = self.part(right)?;
        let is_word = is_word(left) || is_word(right) || (one_ty, other_ty) == (Ty::Text, Ty::Text);
        // Hosts write bools, and scripts numbers.
        let flag = |key: &str, value: &str| {
            let number = u8::from(value == "true");
            let negation = if sign == "!=" { "!" } else { "" };
            format!("{negation}({key} == {value} || {key} == {number})")
        };
        // The key may hold the number of which this is the name.
        let named = |key: &str, side: &Ast, text: &str| {
            let Ast::Text(name) = side else { return None };
            let number = self.enums.number(name)?;
            let negation = if sign == "!=" { "!" } else { "" };
            Some(format!("{negation}({key} == {text} || {key} == {number})"))
        };
        let named = match (one_ty, other_ty) {
            (Ty::Any, Ty::Text) => named(&one, right, &other),
            (Ty::Text, Ty::Any) => named(&other, left, &one),
            _ => None,
        };
        if let Some(named) = named {
            return Ok(named);
        }
        Ok(match (one_ty, other_ty) {
            _ if is_word => format!("({one} {sign} {other})"),
            _ if is_loose => {
                let (one, other) = (self.side(left, right)?, self.side(right, left)?);
                format!("(likeness({one}, {other}) {sign} 0)")
            }
            (Ty::Any, Ty::Bool) if matches!(right, Ast::Bool(_)) => flag(&one, &other),
            (Ty::Bool, Ty::Any) if matches!(left, Ast::Bool(_)) => flag(&other, &one),
            (Ty::Any, Ty::Any | Ty::Whole) | (Ty::Whole, Ty::Any) => {
                format!("({one} {sign} {other})")
            }
            _ => {
                let whole = (self.whole(left)?, self.whole(right)?);
                if let (Some(one), Some(other)) = whole {
                    return Ok(format!("({one} {sign} {other})"));
                }
                let (left, right) = (self.number(left)?, self.number(right)?);
                format!("(likeness({left}, {right}) {sign} 0)")
            }
        })
    }

    /// The number of a text that is compared with a number, if it is the name of one.
    fn enumerated(&mut self, side: &Ast, other: &Ast) -> Option<Ast> {
        match side {
            Ast::Text(text) if self.is_number(other) => {
                let number = self.enums.number(text)?;
                Some(Ast::Number(f64::from(number)))
            }
            _ => None,
        }
    }

    /// A side of a comparison. If the other one is a number, a text in a key may be the name of one.
    fn side(&mut self, side: &Ast, other: &Ast) -> Result<String, Said> {
        let text = self.letters(side)?;
        if !matches!(side, Ast::Name(_)) || !self.is_number(other) {
            return Ok(text);
        }
        let names = self.enums.all().into_iter().take(MAX_NAMES);
        Ok(names.rev().fold(text.clone(), |rest, (name, number)| {
            let (name, number) = (quoted(name), decimal(f64::from(number)));
            format!("(if {text} == {name} {{ {number} }} else {{ {rest} }})")
        }))
    }
}
