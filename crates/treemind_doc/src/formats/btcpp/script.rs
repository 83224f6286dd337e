//! The script language of BehaviorTree.CPP, and its statements as expressions of ours.

mod lower;
mod parse;

pub(super) use lower::{Held, Lowered, leading, lower};
pub(super) use parse::parse;

use std::collections::BTreeSet;

/// An expression or an assignment.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ast {
    /// A number that is not written as a whole number.
    Number(f64),
    Whole(i64),
    Text(String),
    Bool(bool),
    Name(String),
    Not(Box<Ast>),
    Minus(Box<Ast>),
    Binary(Operator, Box<Ast>, Box<Ast>),
    /// `a < b < c`
    Compared(Box<Ast>, Vec<(&'static str, Ast)>),
    Choice(Box<Ast>, Box<Ast>, Box<Ast>),
    /// The name, and the operator before the `=`, if there is one; `=` itself for an assignment to a key that must be
    /// there.
    Assign(String, Option<char>, Box<Ast>),
}

/// An operator with two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    /// `+ - * /`
    Arithmetic(char),
    /// `..`
    Join,
    /// `| & ^`
    Bits(char),
}

/// What is known of the names in a script.
#[derive(Default)]
pub(super) struct Names {
    /// All names.
    pub(super) all: BTreeSet<String>,
    /// Those that it calculates with.
    pub(super) numbers: BTreeSet<String>,
    /// Those that it adds or puts in order, which texts can be, too.
    pub(super) perhaps: BTreeSet<String>,
    /// Those that get a text.
    pub(super) texts: BTreeSet<String>,
    /// Pairs of names of which the first one is a text if the other one is.
    pub(super) summed: Vec<(String, String)>,
    /// Pairs of names of which one gets the value of the other.
    pub(super) copied: Vec<(String, String)>,
    /// Those that get the sum, difference or product of whole numbers if these names are whole. Such a number is a
    /// double there; a name that has had a whole number keeps one.
    pub(super) whole_if: Vec<(String, Vec<String>)>,
    /// Those that get a whole number as it is written.
    pub(super) whole: BTreeSet<String>,
    /// Those that get anything else, but for the value of another name.
    pub(super) computed: BTreeSet<String>,
    /// Those of them that may get a fraction.
    pub(super) fractions: BTreeSet<String>,
}

/// The names to which a script gives a whole number first, of those that are not known yet; all that it assigns to are
/// known from then on.
pub(super) fn begun(code: &str, known: &mut BTreeSet<String>) -> Vec<String> {
    let mut begun = Vec::new();
    for statement in parse(code).unwrap_or_default() {
        if let Ast::Assign(name, operator, value) = statement
            && known.insert(name.clone())
            && operator.is_none()
            && matches!(*value, Ast::Whole(_) | Ast::Bool(_))
        {
            begun.push(name);
        }
    }
    begun
}

/// Whether the value of a statement of a script is neither assigned nor the value of the script: there, keys in it that
/// are not there are an exception.
pub(super) fn is_only_read((script, is_condition): (&[Ast], bool), nth: usize) -> bool {
    let statement = &script[nth..=nth];
    let is_seen = is_condition && nth + 1 == script.len();
    !is_seen && !matches!(statement, [Ast::Assign(..)]) && !names(statement).all.is_empty()
}

/// Whether an expression is a whole number if the names in it are.
fn is_whole(ast: &Ast, names: &mut Vec<String>) -> bool {
    match ast {
        Ast::Whole(_) => true,
        Ast::Name(name) => {
            names.push(name.clone());
            true
        }
        Ast::Minus(inner) => is_whole(inner, names),
        Ast::Binary(Operator::Arithmetic('+' | '-' | '*'), left, right) => {
            is_whole(left, names) && is_whole(right, names)
        }
        _ => false,
    }
}

/// The names that a script reads or writes.
pub(super) fn names(script: &[Ast]) -> Names {
    let mut names = Names::default();
    for statement in script {
        names.visit(statement, Use::Any);
    }
    names
}

/// What a part of a script says of the names in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Nothing.
    Any,
    /// They are numbers, unless they are texts.
    Perhaps,
    /// They are numbers.
    Number,
}

impl Names {
    /// Visits an expression.
    fn visit(&mut self, ast: &Ast, used: Use) {
        match ast {
            Ast::Number(_) | Ast::Whole(_) | Ast::Text(_) | Ast::Bool(_) => {}
            Ast::Name(name) => {
                self.all.insert(name.clone());
                match used {
                    Use::Any => {}
                    Use::Perhaps => drop(self.perhaps.insert(name.clone())),
                    Use::Number => drop(self.numbers.insert(name.clone())),
                }
            }
            Ast::Not(inner) => self.visit(inner, Use::Any),
            Ast::Minus(inner) => self.visit(inner, Use::Number),
            Ast::Binary(operator, left, right) => {
                let inside = match operator {
                    Operator::Arithmetic('+') if is_text(left) || is_text(right) => Use::Any,
                    Operator::Arithmetic('+') if used != Use::Number => Use::Perhaps,
                    Operator::Arithmetic(_) | Operator::Bits(_) => Use::Number,
                    Operator::Or | Operator::And | Operator::Join => Use::Any,
                };
                self.visit(left, inside);
                self.visit(right, inside);
            }
            Ast::Compared(first, rest) => {
                let is_order = |sign: &&str| !matches!(*sign, "==" | "!=");
                let sides = || std::iter::once(&**first).chain(rest.iter().map(|(_, side)| side));
                let inside = match rest.iter().any(|(sign, _)| is_order(sign)) {
                    true if !sides().any(is_text) => Use::Perhaps,
                    _ => Use::Any,
                };
                sides().for_each(|side| self.visit(side, inside));
            }
            Ast::Choice(condition, then, other) => {
                self.visit(condition, Use::Any);
                self.visit(then, used);
                self.visit(other, used);
            }
            Ast::Assign(name, operator, value) => self.assigned(name, *operator, value),
        }
    }

    fn assigned(&mut self, name: &str, operator: Option<char>, value: &Ast) {
        let operator = operator.filter(|sign| *sign != '=');
        self.all.insert(name.to_owned());
        if is_text(value) {
            self.texts.insert(name.to_owned());
        } else if matches!(operator, None | Some('+')) {
            let mut parts = Vec::new();
            summed(value, &mut parts);
            let pairs = parts.into_iter().map(|part| (name.to_owned(), part));
            self.summed.extend(pairs);
        }
        let used = match operator {
            None => Use::Any,
            Some('+') if is_text(value) => Use::Any,
            Some('+') => Use::Perhaps,
            Some(_) => Use::Number,
        };
        match used {
            Use::Any => {}
            Use::Perhaps => drop(self.perhaps.insert(name.to_owned())),
            Use::Number => drop(self.numbers.insert(name.to_owned())),
        }
        self.visit(value, used);
        match operator {
            None => self.copies(name, value),
            Some('+' | '-' | '*') => self.calculates(name, value),
            Some(_) => self.computes(name, value),
        }
    }

    fn computes(&mut self, to: &str, value: &Ast) {
        self.computed.insert(to.to_owned());
        let is_flag = matches!(
            value,
            Ast::Bool(_)
                | Ast::Not(_)
                | Ast::Compared(..)
                | Ast::Binary(Operator::And | Operator::Or, ..)
        );
        if !is_flag && !is_text(value) {
            self.fractions.insert(to.to_owned());
        }
    }

    fn calculates(&mut self, to: &str, value: &Ast) {
        let mut names = Vec::new();
        match is_whole(value, &mut names) {
            true => self.whole_if.push((to.to_owned(), names)),
            false => self.computes(to, value),
        }
    }

    fn copies(&mut self, to: &str, value: &Ast) {
        match value {
            Ast::Name(from) => self.copied.push((to.to_owned(), from.clone())),
            Ast::Choice(_, then, other) => {
                self.copies(to, then);
                self.copies(to, other);
            }
            Ast::Binary(..) => self.calculates(to, value),
            Ast::Whole(_) | Ast::Bool(_) => drop(self.whole.insert(to.to_owned())),
            // A double, although it may say how often something runs.
            Ast::Minus(inner) if matches!(**inner, Ast::Whole(_)) => {}
            _ => self.computes(to, value),
        }
    }
}

impl Ast {
    /// Visits all parts, what a part consists of after the part itself.
    pub(super) fn each(&mut self, visit: &mut dyn FnMut(&mut Ast)) {
        visit(self);
        match self {
            Ast::Number(_) | Ast::Whole(_) | Ast::Text(_) | Ast::Bool(_) | Ast::Name(_) => {}
            Ast::Not(inner) | Ast::Minus(inner) | Ast::Assign(_, _, inner) => inner.each(visit),
            Ast::Binary(_, left, right) => {
                left.each(visit);
                right.each(visit);
            }
            Ast::Compared(first, rest) => {
                first.each(visit);
                rest.iter_mut().for_each(|(_, side)| side.each(visit));
            }
            Ast::Choice(condition, then, other) => {
                condition.each(visit);
                then.each(visit);
                other.each(visit);
            }
        }
    }
}

#[cfg(feature = "convert")]
impl Ast {
    /// Changes all names.
    pub(super) fn rename(
        &mut self,
        change: &mut dyn FnMut(&mut String) -> Result<(), String>,
    ) -> Result<(), String> {
        match self {
            Ast::Number(_) | Ast::Whole(_) | Ast::Text(_) | Ast::Bool(_) => Ok(()),
            Ast::Name(name) => change(name),
            Ast::Not(inner) | Ast::Minus(inner) => inner.rename(change),
            Ast::Binary(_, left, right) => {
                left.rename(change)?;
                right.rename(change)
            }
            Ast::Compared(first, rest) => {
                first.rename(change)?;
                rest.iter_mut()
                    .try_for_each(|(_, side)| side.rename(change))
            }
            Ast::Choice(condition, then, other) => {
                condition.rename(change)?;
                then.rename(change)?;
                other.rename(change)
            }
            Ast::Assign(name, _, value) => {
                change(name)?;
                value.rename(change)
            }
        }
    }
}

/// An expression as scripts have it.
pub(super) fn shown(ast: &Ast) -> String {
    match ast {
        Ast::Whole(number) => number.to_string(),
        Ast::Number(number) => format!("{number:?}"),
        Ast::Text(text) if text.contains('\'') => format!("\"{text}\""),
        Ast::Text(text) => format!("'{text}'"),
        Ast::Bool(value) => value.to_string(),
        Ast::Name(name) => name.clone(),
        Ast::Not(inner) => format!("!{}", shown(inner)),
        Ast::Minus(inner) => format!("-{}", shown(inner)),
        Ast::Binary(Operator::Bits('~'), _, right) => format!("~{}", shown(right)),
        Ast::Binary(operator, left, right) => {
            let sign = match operator {
                Operator::Or => "||".to_owned(),
                Operator::And => "&&".to_owned(),
                Operator::Join => "..".to_owned(),
                Operator::Arithmetic(sign) | Operator::Bits(sign) => sign.to_string(),
            };
            format!("{} {sign} {}", shown(left), shown(right))
        }
        Ast::Compared(first, rest) => {
            let rest = rest
                .iter()
                .map(|(sign, side)| format!(" {sign} {}", shown(side)));
            shown(first) + &rest.collect::<String>()
        }
        Ast::Choice(condition, then, other) => {
            let (then, other) = (shown(then), shown(other));
            format!("{} ? {then} : {other}", shown(condition))
        }
        Ast::Assign(name, operator, value) => {
            let sign = match operator {
                None => ":=".to_owned(),
                Some('=') => "=".to_owned(),
                Some(sign) => format!("{sign}="),
            };
            format!("{name} {sign} {}", shown(value))
        }
    }
}

/// Whether an expression is a text, whatever the names in it hold.
fn is_text(ast: &Ast) -> bool {
    match ast {
        Ast::Text(_) | Ast::Binary(Operator::Join, ..) => true,
        Ast::Binary(Operator::Arithmetic('+'), left, right) => is_text(left) || is_text(right),
        Ast::Choice(_, then, other) => is_text(then) || is_text(other),
        _ => false,
    }
}

/// The names in a sum, which is a text if one of them is.
fn summed(ast: &Ast, names: &mut Vec<String>) {
    match ast {
        Ast::Name(name) => names.push(name.clone()),
        Ast::Binary(Operator::Arithmetic('+'), left, right) => {
            summed(left, names);
            summed(right, names);
        }
        Ast::Choice(_, then, other) => {
            summed(then, names);
            summed(other, names);
        }
        _ => {}
    }
}
