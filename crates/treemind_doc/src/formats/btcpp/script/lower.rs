//! Scripts in the words of our expressions. Numbers are doubles there, except those that are only copied.

mod compared;

use super::{Ast, Operator, is_only_read, shown};
use crate::expression::quoted;
use crate::formats::btcpp::enums::Enums;
use crate::{Said, said};
use std::collections::{HashMap, HashSet};
use treemind_core::{Text, Value};

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Held {
    /// Anything: others write it, too, or scripts give it fractions.
    Any,
    /// What scripts do not calculate with, and of which nothing more is known.
    Plain,
    /// Whole numbers, `true` and `false` from scripts, with which they do not calculate.
    Numbers,
    Text,
    /// A text, or a number that scripts calculate with.
    Mixed,
    /// The same, but a number at first: there, it keeps that type, and makes a number of a text.
    Turned,
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

/// Lowers the statements of a script, and its value if that is wanted. What is only read is read into the key `seen`.
/// `key` gives the name of a key, what it holds, and whether it is there from the beginning, so that `=` may assign to it.
pub(in super::super) fn lower(
    (script, is_condition): (&[Ast], bool),
    enums: &Enums,
    seen: Option<&str>,
    key: &mut dyn FnMut(&str) -> (String, Held, bool),
) -> Result<Lowered, Said> {
    let mut lowering = Lowering {
        key,
        enums,
        constants: HashMap::new(),
        made: HashSet::new(),
    };
    let mut lowered = Lowered::default();
    for (nth, statement) in script.iter().enumerate() {
        match statement {
            Ast::Assign(name, operator, value) => {
                let needs_key = *operator == Some('=');
                let operator = operator.filter(|sign| *sign != '=');
                let turned = lowering.turned(name, operator, value);
                let value = turned.as_ref().unwrap_or(value);
                let statement = lowering.assign(name, operator, value)?;
                lowered.statements.push(match needs_key {
                    true => lowering.only_if_there(name, statement),
                    false => statement,
                });
                lowering.made.insert(name.clone());
                lowering.note_constant(name, operator, value);
                // The value of an assignment is that of the key after it.
                if is_condition && nth + 1 == script.len() && !lowering.holds_text(name) {
                    let value = Ast::Name(name.clone());
                    lowered.condition = Some(lowering.condition(&value)?);
                }
            }
            // An expression whose value nobody sees.
            _ if !is_condition || nth + 1 < script.len() => {
                let (value, _) = lowering.part(statement)?;
                let seen = seen.filter(|_| is_only_read((script, is_condition), nth));
                let read = seen.map(|seen| format!("{seen} = {value}"));
                lowered.statements.extend(read);
            }
            _ => lowered.condition = Some(lowering.flag(statement)?),
        }
    }
    Ok(lowered)
}

struct Lowering<'k> {
    key: &'k mut dyn FnMut(&str) -> (String, Held, bool),
    enums: &'k Enums,
    /// The values that keys have at this place of the script, as far as they are known.
    constants: HashMap<String, Ast>,
    /// The keys to which this script has assigned something.
    made: HashSet<String>,
}

impl Lowering<'_> {
    fn key(&mut self, name: &str) -> (String, Held) {
        let (key, held, _) = (self.key)(name);
        (key, held)
    }

    /// `=` assigns only to a key that is there. Of any other, the value is read, which is a fault.
    fn only_if_there(&mut self, name: &str, statement: String) -> String {
        let (key, _, is_there) = (self.key)(name);
        let value = statement.strip_prefix(&format!("{key} = "));
        match value.filter(|_| !is_there && !self.made.contains(name)) {
            Some(value) => format!("{key} = (if has({key}) {{ {value} }} else {{ {key} }})"),
            None => statement,
        }
    }

    /// The number that a text becomes on a key that has had numbers.
    fn turned(&mut self, name: &str, operator: Option<char>, value: &Ast) -> Option<Ast> {
        match value {
            Ast::Text(text) if operator.is_none() && self.key(name).1 == Held::Turned => {
                let number = self.enums.number(text).map(f64::from);
                number.or_else(|| leading(text)).map(Ast::Number)
            }
            _ => None,
        }
    }

    fn assign(&mut self, name: &str, operator: Option<char>, value: &Ast) -> Result<String, Said> {
        let (key, held) = self.key(name);
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
            if self.is_text(value) && self.is_number(&Ast::Name(name.to_owned())) {
                return Err(said!(
                    "`{}` is a number, and `{}` is a text: `+=` joins only texts",
                    name,
                    shown(value)
                ));
            }
            if self.holds_text(name) && self.is_number(value) {
                return Err(said!(
                    "`{}` is a text, and `{}` is a number: `+=` joins only texts",
                    name,
                    shown(value)
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
            // The key keeps its type.
            Some(operator) if held == Held::Whole => {
                format!("int({key} * 1.0 {operator} {})", self.number(value)?)
            }
            Some(operator) => {
                let before = self.number(&Ast::Name(name.to_owned()))?;
                format!("{before} {operator} {}", self.number(value)?)
            }
            None if is_number => match self.part(value)? {
                (_, Ty::Text) => {
                    return Err(said!(
                        "`{}` gets the text {}, but scripts calculate with it",
                        name,
                        shown(value)
                    ));
                }
                _ if held == Held::Whole => format!("int({})", self.number(value)?),
                _ => self.number(value)?,
            },
            None => match self.part(value)? {
                // A flag is a whole number there, and the outcome of a comparison is not.
                (_, Ty::Bool) => match value {
                    Ast::Bool(flag) => u8::from(*flag).to_string(),
                    _ => self.number(value)?,
                },
                (text, _) => text,
            },
        };
        Ok(format!("{key} = {value}"))
    }

    /// An expression that is a whole number; `None` if it may have a fraction.
    fn whole(&mut self, ast: &Ast) -> Result<Option<String>, Said> {
        Ok(match ast {
            Ast::Whole(number) => Some(number.to_string()),
            Ast::Bool(flag) => Some(u8::from(*flag).to_string()),
            Ast::Minus(inner) => match (&**inner, self.whole(inner)?) {
                (Ast::Whole(_), Some(number)) => Some(format!("-{number}")),
                (_, inner) => inner.map(|inner| format!("(-({inner}))")),
            },
            Ast::Name(name) => match self.key(name) {
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
                    let condition = self.choosing(condition)?;
                    Some(format!("(if {condition} {{ {then} }} else {{ {other} }})"))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// An expression that is cast to `bool` there, which is an exception for whole numbers other than 0 and 1.
    fn flag(&mut self, ast: &Ast) -> Result<String, Said> {
        match ast {
            Ast::Whole(number) if !matches!(*number, 0 | 1) => {
                Err(said!("the number {} is neither true nor false", shown(ast)))
            }
            _ => self.condition(ast),
        }
    }

    /// An expression that is true or false.
    fn condition(&mut self, ast: &Ast) -> Result<String, Said> {
        Ok(match self.part(ast)? {
            (text, Ty::Bool) => text,
            (text, Ty::Number | Ty::Whole) => format!("({text} != 0.0)"),
            (text, Ty::Any) => format!("(number({text}) != 0.0)"),
            (_, Ty::Text) => {
                return Err(said!("the text {} is neither true nor false", shown(ast)));
            }
        })
    }

    /// What is before a `?`, where a text that is not empty is true. An empty one is an exception there.
    fn choosing(&mut self, ast: &Ast) -> Result<String, Said> {
        if let Ast::Text(text) = ast {
            return match text.is_empty() {
                true => Err(said!("the text '{}' is not a number", text)),
                false => Ok("true".to_owned()),
            };
        }
        if self.is_number(ast) {
            return self.condition(ast);
        }
        Ok(match self.part(ast)? {
            (text, Ty::Any | Ty::Text) => {
                let is_text = format!("({text} != '' && joined({text}, '') == {text})");
                format!("({is_text} || number({text}) != 0.0)")
            }
            _ => self.condition(ast)?,
        })
    }

    /// An expression that is a double.
    fn number(&mut self, ast: &Ast) -> Result<String, Said> {
        match ast {
            Ast::Number(number) => return Ok(decimal(*number)),
            Ast::Whole(number) => return Ok(decimal(*number as f64)),
            Ast::Bool(flag) => return Ok(decimal(f64::from(u8::from(*flag)))),
            Ast::Minus(inner) => {
                if let Some(number) = negated(inner) {
                    return Ok(decimal(number));
                }
            }
            Ast::Choice(condition, then, other) => {
                let condition = self.choosing(condition)?;
                let (then, other) = (self.number(then)?, self.number(other)?);
                return Ok(format!("(if {condition} {{ {then} }} else {{ {other} }})"));
            }
            _ => {}
        }
        Ok(match self.part(ast)? {
            (text, Ty::Number) => text,
            (text, Ty::Bool) => format!("(if {text} {{ 1.0 }} else {{ 0.0 }})"),
            (text, Ty::Whole) => text,
            (text, Ty::Any) => format!("number({text})"),
            (_, Ty::Text) => return Err(said!("the text {} is not a number", shown(ast))),
        })
    }

    fn part(&mut self, ast: &Ast) -> Result<(String, Ty), Said> {
        Ok(match ast {
            Ast::Whole(number) => (number.to_string(), Ty::Whole),
            Ast::Number(number) => (decimal(*number), Ty::Number),
            Ast::Text(text) => (quoted(text), Ty::Text),
            Ast::Bool(value) => (value.to_string(), Ty::Bool),
            Ast::Name(name) => match self.key(name) {
                (key, Held::Double | Held::Whole) => (key, Ty::Number),
                (key, _) => (key, Ty::Any),
            },
            Ast::Not(inner) => (format!("!({})", self.condition(inner)?), Ty::Bool),
            Ast::Minus(inner) => match negated(inner) {
                Some(number) => (decimal(number), Ty::Number),
                None => (format!("(-({}))", self.number(inner)?), Ty::Number),
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
                let (left, right) = (self.flag(left)?, self.flag(right)?);
                (format!("({left} {sign} {right})"), Ty::Bool)
            }
            Operator::Arithmetic('+') if self.is_text(left) || self.is_text(right) => {
                let mut sides = [left, right].into_iter();
                if let Some(number) = sides.find(|side| self.is_number(side)) {
                    return Err(said!(
                        "`{}` is a number and cannot be added to a text; `..` joins them",
                        shown(number)
                    ));
                }
                (self.joined(left, right)?, Ty::Text)
            }
            Operator::Join if self.is_number(left) && self.is_number(right) => {
                return Err(said!(
                    "`..` joins texts, but `{}` and `{}` are numbers",
                    shown(left),
                    shown(right)
                ));
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
        is_known || self.key(name).1 == Held::Text
    }

    /// Whether an expression may be of any type.
    fn is_loose(&mut self, ast: &Ast) -> bool {
        match ast {
            Ast::Name(name) => matches!(
                self.key(name).1,
                Held::Any | Held::Text | Held::Mixed | Held::Turned
            ),
            Ast::Choice(_, one, two) => self.is_loose(one) || self.is_loose(two),
            _ => false,
        }
    }

    /// Whether an expression is a number for sure.
    fn is_number(&mut self, ast: &Ast) -> bool {
        match ast {
            Ast::Number(_)
            | Ast::Whole(_)
            | Ast::Bool(_)
            | Ast::Not(_)
            | Ast::Minus(_)
            | Ast::Compared(..) => true,
            Ast::Name(name) => match self.constants.get(name) {
                Some(known) => !matches!(known, Ast::Text(_)),
                None => matches!(self.key(name).1, Held::Double | Held::Whole | Held::Numbers),
            },
            Ast::Binary(Operator::Join, ..) | Ast::Text(_) | Ast::Assign(..) => false,
            Ast::Binary(Operator::Arithmetic('+'), one, two) | Ast::Choice(_, one, two) => {
                self.is_number(one) && self.is_number(two)
            }
            Ast::Binary(..) => true,
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
            return Ok(quoted(&(left + &right)));
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
            Ast::Whole(number) => Some(number.to_string()),
            Ast::Number(number) => Some(format!("{number:.6}")),
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
            Ast::Number(_) | Ast::Whole(_) | Ast::Text(_) | Ast::Bool(_) => Some(value.clone()),
            _ => self.constant(value).map(Ast::Text),
        };
        match value.filter(|_| operator.is_none()) {
            Some(value) => drop(self.constants.insert(name.to_owned(), value)),
            None => drop(self.constants.remove(name)),
        }
    }

    fn choice(&mut self, condition: &Ast, then: &Ast, other: &Ast) -> Result<(String, Ty), Said> {
        let condition = self.choosing(condition)?;
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

/// The number that a text begins with.
pub(in super::super) fn leading(text: &str) -> Option<f64> {
    Value::Text(Text::new(text)).leading_number()
}

/// The negative of a number that stands in the script.
fn negated(ast: &Ast) -> Option<f64> {
    match ast {
        Ast::Number(number) => Some(-number),
        Ast::Whole(number) => Some(-(*number as f64)),
        _ => None,
    }
}

/// A number as a double.
fn decimal(number: f64) -> String {
    format!("{number:?}")
}

#[cfg(test)]
mod tests;
