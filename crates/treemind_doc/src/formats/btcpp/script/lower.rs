//! Scripts in the words of our expressions. Numbers are doubles there, except those that are only copied.

use super::super::{blackboard, dialect};
use super::{Ast, Operator};
use crate::{Said, said};
use std::collections::HashMap;

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Held {
    Any,
    Text,
    /// A text, or a number that scripts calculate with.
    Mixed,
    Double,
    Whole,
}

/// The type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Bool,
    /// A double.
    Number,
    /// A whole number as it is written, which fits every type of number.
    Whole,
    Text,
    /// A key that holds any value.
    Any,
}

/// A script: what it assigns, and whether its last value holds; `None` if that is a text.
#[derive(Debug, Default)]
pub(in super::super) struct Lowered {
    pub(in super::super) statements: Vec<String>,
    pub(in super::super) condition: Option<String>,
}

/// Lowers the statements of a script, and its value if that is wanted. `key` gives the name of a key, and what it holds.
pub(in super::super) fn lower(
    (script, is_condition): (&[Ast], bool),
    key: &mut dyn FnMut(&str) -> (String, Held),
) -> Result<Lowered, Said> {
    let mut lowering = Lowering {
        key,
        constants: HashMap::new(),
    };
    let mut lowered = Lowered::default();
    for (nth, statement) in script.iter().enumerate() {
        match statement {
            Ast::Assign(name, operator, value) => {
                let statement = lowering.assign(name, *operator, value)?;
                lowered.statements.push(statement);
                lowering.note_constant(name, *operator, value);
                // The value of an assignment is that of the key after it.
                if is_condition && nth + 1 == script.len() && !lowering.holds_text(name) {
                    let value = Ast::Name(name.clone());
                    lowered.condition = Some(lowering.condition(&value)?);
                }
            }
            // An expression whose value nobody sees.
            _ if !is_condition || nth + 1 < script.len() => {}
            _ => lowered.condition = Some(lowering.condition(statement)?),
        }
    }
    Ok(lowered)
}

struct Lowering<'k> {
    key: &'k mut dyn FnMut(&str) -> (String, Held),
    /// The values that keys have at this place of the script, as far as they are known.
    constants: HashMap<String, Ast>,
}

impl Lowering<'_> {
    fn assign(&mut self, name: &str, operator: Option<char>, value: &Ast) -> Result<String, Said> {
        let (key, held) = (self.key)(name);
        let is_number = matches!(held, Held::Double | Held::Whole);
        if let Some(operator) = operator
            && (self.holds_text(name) || self.is_text(value))
        {
            if operator != '+' {
                return Err(said!(
                    "`{}` is a text, and `{}=` is for numbers",
                    name,
                    operator
                ));
            }
            let value = self.letters(value)?;
            return Ok(format!("{key} = joined({key}, {value})"));
        }
        if held == Held::Whole
            && let Some(value) = self.whole(value)?
            && operator != Some('/')
        {
            return Ok(match operator {
                Some(operator) => format!("{key} = {key} {operator} {value}"),
                None => format!("{key} = {value}"),
            });
        }
        let value = match operator {
            Some(operator) => {
                let before = self.number(&Ast::Name(name.to_owned()))?;
                format!("{before} {operator} {}", self.number(value)?)
            }
            None if is_number => match self.part(value)? {
                (text, Ty::Text) => {
                    return Err(said!(
                        "`{}` gets the text {}, but scripts calculate with it",
                        name,
                        text
                    ));
                }
                (text, Ty::Whole | Ty::Number) if held == Held::Whole => text,
                _ => self.number(value)?,
            },
            None => match self.part(value)? {
                (_, Ty::Bool) => self.number(value)?,
                (text, _) => text,
            },
        };
        Ok(format!("{key} = {value}"))
    }

    /// An expression that is a whole number; `None` if it may have a fraction.
    fn whole(&mut self, ast: &Ast) -> Result<Option<String>, Said> {
        Ok(match ast {
            Ast::Number(number, true) => Some(format!("{number:.0}")),
            Ast::Minus(inner) => match (&**inner, self.whole(inner)?) {
                (Ast::Number(..), Some(number)) => Some(format!("-{number}")),
                (_, inner) => inner.map(|inner| format!("(-({inner}))")),
            },
            Ast::Name(name) => match (self.key)(name) {
                (key, Held::Whole) => Some(key),
                _ => None,
            },
            Ast::Binary(Operator::Arithmetic(sign @ ('+' | '-' | '*')), left, right) => {
                let (left, right) = (self.whole(left)?, self.whole(right)?);
                let both = left.zip(right);
                both.map(|(left, right)| format!("({left} {sign} {right})"))
            }
            Ast::Choice(condition, then, other) => match (self.whole(then)?, self.whole(other)?) {
                (Some(then), Some(other)) => {
                    let condition = self.condition(condition)?;
                    Some(format!("(if {condition} {{ {then} }} else {{ {other} }})"))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// An expression that is true or false.
    fn condition(&mut self, ast: &Ast) -> Result<String, Said> {
        Ok(match self.part(ast)? {
            (text, Ty::Bool) => text,
            (text, Ty::Number | Ty::Whole) => format!("({text} != 0.0)"),
            (text, Ty::Any) => format!("(!({text} == false) && !({text} == 0))"),
            (text, Ty::Text) => return Err(said!("the text {} is neither true nor false", text)),
        })
    }

    /// An expression that is a double.
    fn number(&mut self, ast: &Ast) -> Result<String, Said> {
        match ast {
            Ast::Number(number, _) => return Ok(decimal(*number)),
            Ast::Minus(inner) => {
                if let Ast::Number(number, _) = **inner {
                    return Ok(decimal(-number));
                }
            }
            Ast::Choice(condition, then, other) => {
                let condition = self.condition(condition)?;
                let (then, other) = (self.number(then)?, self.number(other)?);
                return Ok(format!("(if {condition} {{ {then} }} else {{ {other} }})"));
            }
            _ => {}
        }
        Ok(match self.part(ast)? {
            (text, Ty::Number) => text,
            (text, Ty::Bool) => format!("(if {text} {{ 1.0 }} else {{ 0.0 }})"),
            (text, Ty::Whole) => text,
            (text, Ty::Any) => format!("double({text})"),
            (text, Ty::Text) => return Err(said!("the text {} is not a number", text)),
        })
    }

    fn part(&mut self, ast: &Ast) -> Result<(String, Ty), Said> {
        Ok(match ast {
            Ast::Number(number, true) => (format!("{number:.0}"), Ty::Whole),
            Ast::Number(number, false) => (decimal(*number), Ty::Number),
            Ast::Text(text) => (format!("'{text}'"), Ty::Text),
            Ast::Bool(value) => (value.to_string(), Ty::Bool),
            Ast::Name(name) => match (self.key)(name) {
                (key, Held::Double | Held::Whole) => (key, Ty::Number),
                (key, Held::Any | Held::Text | Held::Mixed) => (key, Ty::Any),
            },
            Ast::Not(inner) => (format!("!({})", self.condition(inner)?), Ty::Bool),
            Ast::Minus(inner) => match &**inner {
                Ast::Number(number, _) => (decimal(-number), Ty::Number),
                inner => (format!("(-({}))", self.number(inner)?), Ty::Number),
            },
            Ast::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Ast::Compared(first, rest) => (self.compared(first, rest)?, Ty::Bool),
            Ast::Choice(condition, then, other) => self.choice(condition, then, other)?,
            Ast::Assign(name, ..) => {
                return Err(said!("`{}` is assigned inside an expression", name));
            }
        })
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Ast,
        right: &Ast,
    ) -> Result<(String, Ty), Said> {
        Ok(match operator {
            Operator::Or | Operator::And => {
                let sign = if operator == Operator::Or { "||" } else { "&&" };
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                (format!("({left} {sign} {right})"), Ty::Bool)
            }
            Operator::Arithmetic('+') if self.is_text(left) || self.is_text(right) => {
                (self.joined(left, right)?, Ty::Text)
            }
            Operator::Join => (self.joined(left, right)?, Ty::Text),
            Operator::Bits(sign) => {
                let (left, right) = match sign {
                    // `~a` has no left side.
                    '~' => ("-1.0".to_owned(), self.number(right)?),
                    _ => (self.number(left)?, self.number(right)?),
                };
                let function = match sign {
                    '&' => "bit_and",
                    '|' => "bit_or",
                    _ => "bit_xor",
                };
                (format!("{function}({left}, {right})"), Ty::Number)
            }
            Operator::Arithmetic(sign) => {
                // Of two whole numbers, ours would cut the fraction off.
                let cuts =
                    sign == '/' && self.whole(left)?.is_some() && self.whole(right)?.is_some();
                let (left, right) = (self.number(left)?, self.number(right)?);
                match cuts {
                    true => (format!("({left} * 1.0 / {right})"), Ty::Number),
                    false => (format!("({left} {sign} {right})"), Ty::Number),
                }
            }
        })
    }

    /// Whether a key holds a text at this place of the script.
    fn holds_text(&mut self, name: &str) -> bool {
        let is_known = matches!(self.constants.get(name), Some(Ast::Text(_)));
        is_known || (self.key)(name).1 == Held::Text
    }

    /// Whether a name may have a text as well as a number.
    fn may_be_text(&mut self, ast: &Ast) -> bool {
        match ast {
            Ast::Name(name) => matches!((self.key)(name).1, Held::Text | Held::Mixed),
            _ => false,
        }
    }

    /// Whether an expression is a text.
    fn is_text(&mut self, ast: &Ast) -> bool {
        match ast {
            Ast::Text(_) | Ast::Binary(Operator::Join, ..) => true,
            Ast::Name(name) => self.holds_text(name),
            Ast::Binary(Operator::Arithmetic('+'), one, two) | Ast::Choice(_, one, two) => {
                self.is_text(one) || self.is_text(two)
            }
            _ => false,
        }
    }

    /// Two texts as one.
    fn joined(&mut self, left: &Ast, right: &Ast) -> Result<String, Said> {
        if let (Some(left), Some(right)) = (self.constant(left), self.constant(right)) {
            return Ok(format!("'{left}{right}'"));
        }
        let (left, right) = (self.letters(left)?, self.letters(right)?);
        Ok(format!("joined({left}, {right})"))
    }

    /// An expression as a part of a text.
    fn letters(&mut self, ast: &Ast) -> Result<String, Said> {
        Ok(match ast {
            Ast::Bool(value) => u8::from(*value).to_string(),
            _ => match self.part(ast)? {
                (_, Ty::Bool) => self.number(ast)?,
                (text, _) => text,
            },
        })
    }

    /// The text of a value that is known.
    fn constant(&self, ast: &Ast) -> Option<String> {
        match ast {
            Ast::Text(text) => Some(text.clone()),
            Ast::Number(number, true) => Some(format!("{number:.0}")),
            Ast::Number(number, false) => Some(format!("{number:.6}")),
            Ast::Name(name) => self.constant(self.constants.get(name)?),
            Ast::Binary(Operator::Join, left, right) => {
                Some(self.constant(left)? + &self.constant(right)?)
            }
            Ast::Bool(value) => Some(u8::from(*value).to_string()),
            Ast::Binary(Operator::Arithmetic('+'), left, right) => {
                let is_text = [left, right].iter().any(|side| self.is_known_text(side));
                is_text.then_some(())?;
                Some(self.constant(left)? + &self.constant(right)?)
            }
            _ => None,
        }
    }

    /// Whether a value is known, and a text.
    fn is_known_text(&self, ast: &Ast) -> bool {
        match ast {
            Ast::Text(_) | Ast::Binary(Operator::Join, ..) => true,
            Ast::Name(name) => matches!(self.constants.get(name), Some(Ast::Text(_))),
            Ast::Binary(Operator::Arithmetic('+'), left, right) => {
                self.is_known_text(left) || self.is_known_text(right)
            }
            _ => false,
        }
    }

    /// Remembers what a key has after an assignment.
    fn note_constant(&mut self, name: &str, operator: Option<char>, value: &Ast) {
        let value = match value {
            Ast::Name(from) => self.constants.get(from).cloned(),
            Ast::Number(..) | Ast::Text(_) => Some(value.clone()),
            _ => self.constant(value).map(Ast::Text),
        };
        match value.filter(|_| operator.is_none()) {
            Some(value) => drop(self.constants.insert(name.to_owned(), value)),
            None => drop(self.constants.remove(name)),
        }
    }

    fn compared(&mut self, first: &Ast, rest: &[(&'static str, Ast)]) -> Result<String, Said> {
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
        if !matches!(sign, "==" | "!=") {
            let both = self.may_be_text(left) && self.may_be_text(right);
            if both || self.is_text(left) || self.is_text(right) {
                let (left, right) = (self.letters(left)?, self.letters(right)?);
                return Ok(format!("(text_order({left}, {right}) {sign} 0)"));
            }
            let (left, right) = (self.number(left)?, self.number(right)?);
            return Ok(format!("({left} {sign} {right})"));
        }
        let (one, one_ty) = self.part(left)?;
        let (other, other_ty) = self.part(right)?;
        let is_negated = sign == "!=";
        let same = |any: &str, values: &[&str]| {
            let all: Vec<String> = values
                .iter()
                .map(|value| format!("{any} == {value}"))
                .collect();
            let sign = if is_negated { "!" } else { "" };
            format!("{sign}({})", all.join(" || "))
        };
        // `true` is 1 there, and hosts write bools. A text that is a number is equal to the number.
        let texts = [left, right].map(|side| self.may_be_text(side));
        let literal = |any: &str, value: &str, is_text: bool| match (value, is_text) {
            ("true" | "1", true) => same(any, &["true", "1", "'true'", "'1'"]),
            (_, true) => same(any, &["false", "0", "'false'", "'0'"]),
            ("true", false) => same(any, &["true", "1"]),
            (_, false) => same(any, &["false", "0"]),
        };
        let number = |ast: &Ast| match ast {
            Ast::Text(text) => dialect::double(text).map(|_| blackboard::decimal(text)),
            _ => None,
        };
        if let (Ty::Any, Some(number)) = (one_ty, number(right)) {
            return Ok(same(&one, &[&other, &number]));
        }
        let is_bit = |text: &str| matches!(text, "0" | "1");
        Ok(match (one_ty, other_ty) {
            (Ty::Any, Ty::Whole) if texts[0] && is_bit(&other) => literal(&one, &other, true),
            (Ty::Whole, Ty::Any) if texts[1] && is_bit(&one) => literal(&other, &one, true),
            // However the number is written. A text that is none is a fault, as there.
            (Ty::Any, Ty::Whole | Ty::Number) if texts[0] => {
                format!("(double({one}) {sign} {})", self.number(right)?)
            }
            (Ty::Whole | Ty::Number, Ty::Any) if texts[1] => {
                format!("({} {sign} double({other}))", self.number(left)?)
            }
            (Ty::Any, Ty::Bool) if matches!(right, Ast::Bool(_)) => literal(&one, &other, texts[0]),
            (Ty::Bool, Ty::Any) if matches!(left, Ast::Bool(_)) => literal(&other, &one, texts[1]),
            (Ty::Any, Ty::Any | Ty::Text | Ty::Whole | Ty::Number)
            | (Ty::Text | Ty::Whole | Ty::Number, Ty::Any)
            | (Ty::Text, Ty::Text) => format!("({one} {sign} {other})"),
            (Ty::Text, _) | (_, Ty::Text) => {
                let (one, other) = (self.as_number(left)?, self.as_number(right)?);
                format!("({one} {sign} {other})")
            }
            _ => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                format!("({left} {sign} {right})")
            }
        })
    }

    /// An expression as a double, also if it is the text of a number.
    fn as_number(&mut self, ast: &Ast) -> Result<String, Said> {
        let Ast::Text(text) = ast else {
            return self.number(ast);
        };
        // What stands behind the number does not matter.
        let ends = (1..=text.len().min(64)).rev();
        let mut parts = ends.filter_map(|end| text.get(..end));
        parts
            .find_map(dialect::double)
            .map(decimal)
            .ok_or_else(|| said!("the text '{}' is not a number", text))
    }

    fn choice(&mut self, condition: &Ast, then: &Ast, other: &Ast) -> Result<(String, Ty), Said> {
        let condition = self.condition(condition)?;
        let (mut one, one_ty) = self.part(then)?;
        let (mut two, two_ty) = self.part(other)?;
        let ty = match (one_ty, two_ty) {
            (one, two) if one == two => one,
            (Ty::Any | Ty::Text, _) | (_, Ty::Any | Ty::Text) => Ty::Any,
            _ => {
                (one, two) = (self.number(then)?, self.number(other)?);
                Ty::Number
            }
        };
        Ok((format!("(if {condition} {{ {one} }} else {{ {two} }})"), ty))
    }
}

/// A number as a double.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn said(code: &str) -> String {
        let names = super::super::names(code);
        let may_be = |name: &str| names.perhaps.contains(name) && !names.texts.contains(name);
        let mut key = |name: &str| match names.numbers.contains(name) || may_be(name) {
            true => (name.to_owned(), Held::Double),
            false => (name.to_owned(), Held::Any),
        };
        let parsed = parse(code);
        let assigns = matches!(parsed.as_deref(), Ok([.., Ast::Assign(..)]));
        match parsed.and_then(|script| lower((&script, true), &mut key)) {
            Ok(lowered) => {
                let mut all = lowered.statements;
                all.extend(lowered.condition.filter(|_| !assigns));
                all.join("; ")
            }
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn scripts_become_statements_and_conditions() {
        for (script, ours) in [
            ("a := 1; b = 'x'", "a = 1; b = 'x'"),
            ("a+=2", "a = a + 2.0"),
            ("b := a * 2 - -1", "b = ((a * 2.0) - -1.0)"),
            ("1 - 2 - 3", "(((1.0 - 2.0) - 3.0) != 0.0)"),
            ("1 < a < 0x10", "((1.0 < a) && (a < 16.0))"),
            ("f := a < 1", "f = (if (a < 1.0) { 1.0 } else { 0.0 })"),
            ("f := true", "f = (if true { 1.0 } else { 0.0 })"),
            ("door_open", "(!(door_open == false) && !(door_open == 0))"),
            ("!(x == 'hi') || y != 3", "(!((x == 'hi')) || (y != 3))"),
            ("x == \"hi\"", "(x == 'hi')"),
            ("x := 'say \"hi\"'", "x = 'say \"hi\"'"),
            ("@busy==true", "(@busy == true || @busy == 1)"),
            (
                "e := a>3 ? 10 : 20",
                "e = (if (a > 3.0) { 10 } else { 20 })",
            ),
            ("7 / 2 == 3.5", "((7.0 * 1.0 / 2.0) == 3.5)"),
            ("d := 'x' + 'y'", "d = 'xy'"),
            (
                "a & 3 | ~b",
                "(bit_or(bit_and(a, 3.0), bit_xor(-1.0, b)) != 0.0)",
            ),
            ("a := 7; g := 'n' .. a", "a = 7; g = 'n7'"),
            (
                "a := 7; a := b; g := 'n' .. a",
                "a = 7; a = b; g = joined('n', a)",
            ),
            ("a := 'x'; a += b", "a = 'x'; a = joined(a, b)"),
            (
                "a := 'x'; c := 'y'; a := c + a",
                "a = 'x'; c = 'y'; a = 'yx'",
            ),
            ("b == '3'", "(b == '3' || b == 3)"),
            ("'3' != 3", "(3.0 != 3.0)"),
            ("'03' == 3", "(3.0 == 3.0)"),
            ("'3.5ms' == 3", "(3.5 == 3.0)"),
            ("'a' == 3", "error: the text 'a' is not a number"),
            ("a < 'b'", "(text_order(a, 'b') < 0)"),
            ("f := -3", "f = -3.0"),
            (
                "a := ",
                "error: expected a value, found the end of the script",
            ),
            ("a := 1 b := 2 c == 1", "a = 1; b = 2; (c == 1)"),
            ("a b, c", "error: expected a value, found `,`"),
            ("a == 1)", "error: expected a value, found `)`"),
            ("a := b = c := 2", "c = 2; b = c; a = b"),
            ("a += (b := 2.5)", "b = 2.5; a = a + b"),
            ("(a := 1); (b)", "a = 1; (!(b == false) && !(b == 0))"),
            (
                "1 + (a := 1)",
                "error: `a` is assigned inside an expression",
            ),
            (
                "a ? (b := 1) : 2",
                "error: `b` is assigned inside an expression",
            ),
            ("a == \"it's\"", "error: the text it's has a `'` in it"),
            ("a == \"b", "error: a text is not closed"),
            ("'a", "error: a text is not closed"),
            (" ; ", "error: it is empty"),
            (
                "a := 0xZZ",
                "error: `0xZZ` is not a number, or is too large",
            ),
            (
                "a := 1e999 + 1",
                "error: `1e999` is not a number, or is too large",
            ),
            ("a := (1 'b'", "error: expected `)`, found the text 'b'"),
        ] {
            assert_eq!(said(script), ours, "{script}");
        }
        let deep = "(".repeat(100_000);
        assert!(said(&deep).contains("nested deeper"));
        // Each of them holds the one before it.
        for operator in [" + 1", " && a", " | 2"] {
            let long = format!("a{}", operator.repeat(100_000));
            let message = "error: a statement has more than 1000 operators";
            assert_eq!(said(&long), message, "{operator}");
        }
    }
}
