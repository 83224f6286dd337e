//! The script language of BehaviorTree.CPP, and its statements as expressions of ours.

mod lower;
mod parse;

pub(super) use lower::{Held, Lowered, lower};
pub(super) use parse::parse;

use std::collections::BTreeSet;

/// An expression or an assignment.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ast {
    /// A number, and whether it is written as a whole number.
    Number(f64, bool),
    Text(String),
    Bool(bool),
    Name(String),
    Not(Box<Ast>),
    Minus(Box<Ast>),
    Binary(Operator, Box<Ast>, Box<Ast>),
    /// `a < b < c`
    Compared(Box<Ast>, Vec<(&'static str, Ast)>),
    Choice(Box<Ast>, Box<Ast>, Box<Ast>),
    /// The name, and the operator before the `=`, if there is one.
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
    /// Pairs of names of which one gets the value of the other.
    pub(super) copied: Vec<(String, String)>,
    /// Those that get the sum, difference or product of whole numbers if these names are whole. Such a number is a
    /// double there; a name that has had a whole number keeps one.
    pub(super) whole_if: Vec<(String, Vec<String>)>,
    /// Those that get a whole number as it is written.
    pub(super) whole: BTreeSet<String>,
    /// Those that get anything else, but for the value of another name.
    pub(super) computed: BTreeSet<String>,
}

/// Whether an expression is a whole number if the names in it are.
fn is_whole(ast: &Ast, names: &mut Vec<String>) -> bool {
    match ast {
        Ast::Number(_, is_whole) => *is_whole,
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

/// The names that a script reads or writes; none if it cannot be read.
pub(super) fn names(code: &str) -> Names {
    let mut names = Names::default();
    for statement in parse(code).unwrap_or_default() {
        names.visit(&statement, false);
    }
    names
}

impl Names {
    /// Visits an expression; `is_number` if something calculates with it.
    fn visit(&mut self, ast: &Ast, is_number: bool) {
        match ast {
            Ast::Number(..) | Ast::Text(_) | Ast::Bool(_) => {}
            Ast::Name(name) => {
                self.all.insert(name.clone());
                if is_number {
                    self.numbers.insert(name.clone());
                }
            }
            Ast::Not(inner) => self.visit(inner, false),
            Ast::Minus(inner) => self.visit(inner, true),
            Ast::Binary(operator, left, right) => {
                let has_text = matches!(**left, Ast::Text(_)) || matches!(**right, Ast::Text(_));
                let calculates = matches!(operator, Operator::Arithmetic(_) | Operator::Bits(_));
                let is_number = calculates && !has_text;
                self.visit(left, is_number);
                self.visit(right, is_number);
            }
            Ast::Compared(first, rest) => {
                let is_order = |sign: &&str| !matches!(*sign, "==" | "!=");
                let is_number = rest.iter().any(|(sign, _)| is_order(sign));
                self.visit(first, is_number);
                rest.iter()
                    .for_each(|(_, side)| self.visit(side, is_number));
            }
            Ast::Choice(condition, then, other) => {
                self.visit(condition, false);
                self.visit(then, is_number);
                self.visit(other, is_number);
            }
            Ast::Assign(name, operator, value) => {
                self.all.insert(name.clone());
                if operator.is_some() {
                    self.numbers.insert(name.clone());
                }
                self.visit(value, operator.is_some());
                match operator {
                    None => self.copies(name, value),
                    Some('+' | '-' | '*') => self.calculates(name, value),
                    Some(_) => drop(self.computed.insert(name.clone())),
                }
            }
        }
    }

    fn calculates(&mut self, to: &str, value: &Ast) {
        let mut names = Vec::new();
        match is_whole(value, &mut names) {
            true => self.whole_if.push((to.to_owned(), names)),
            false => drop(self.computed.insert(to.to_owned())),
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
            Ast::Number(_, true) => drop(self.whole.insert(to.to_owned())),
            Ast::Minus(inner) if matches!(**inner, Ast::Number(_, true)) => {
                self.whole.insert(to.to_owned());
            }
            _ => drop(self.computed.insert(to.to_owned())),
        }
    }
}
