//! Expressions: text is read to a tree with spans, and this is converted to the typed tree of `treemind_core`.
//!
//! The reader is written by hand (a lexer and a Pratt parser) because it must give byte spans in the document,
//! report mistakes in the user's terms, and stay within a fixed depth whatever the text is. The tree is stored in a
//! flat list, so dropping it does not recurse either.

pub(crate) mod ast;
mod calls;
mod check;
mod explain;
mod fault_words;
mod foreign;
mod functions;
mod known;
mod lexer;
mod lists;
mod measures;
mod nature;
mod parser;
mod questions;
pub(crate) mod quotes;
mod scope;
mod semaphores;
mod time;
mod uses;
mod value_names;
mod vectors;

pub(crate) use ast::Ast;
pub(crate) use check::{Typing, extent};
pub(crate) use functions::is_function;
pub use functions::{Function, functions};
pub(crate) use known::with_values;
pub(crate) use measures::Finding;
pub(crate) use questions::Asked;
pub use questions::Question;
pub(crate) use quotes::{quoted, unquoted};
pub(crate) use scope::{Foresight, Frame, KeyScope, Local, SENDER, Sites, SymbolId};
pub(crate) use semaphores::Semaphores;
pub(crate) use uses::{UseOf, names_in};
#[cfg(feature = "edit")]
pub(crate) use value_names::ValueName;

use crate::diagnostic::{Reported, Sink};
use crate::names;
use crate::syntax::{Span, Text};
use crate::text::ByAddress;
use crate::{Said, said};
use treemind_core::Type;
use treemind_core::expr::{Func, TextFunc};

/// An expression or list of statements in a string of the document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment<'a> {
    /// The text to read.
    pub(crate) text: &'a str,
    /// Its position in the document, if the document contains it unchanged.
    base: Option<usize>,
    /// The span of the whole string, for the case that it does not.
    whole: (usize, usize),
    /// Where it begins in the value of the string.
    skip: usize,
}

impl<'a> Fragment<'a> {
    /// The string, starting at byte `skip`.
    pub(crate) fn new(text: &'a Text, skip: usize) -> Self {
        Self {
            text: &text.value[skip..],
            base: text.verbatim.map(|at| at + skip),
            whole: (text.span.start, text.span.end),
            skip,
        }
    }

    /// The expression in a string, after `=` or in braces if they are there.
    pub(crate) fn of_value(text: &'a Text) -> Self {
        match names::braced(&text.value) {
            Some((inner, skip)) => Self {
                text: inner,
                base: None,
                whole: (text.span.start, text.span.end),
                skip,
            },
            None => Self::new(text, usize::from(text.value.starts_with('='))),
        }
    }

    /// The string that a span of the expression is in, by its position, and the span in the value of that string.
    pub(crate) fn said(&self, span: &Span) -> (usize, Span) {
        (self.whole.0, span.start + self.skip..span.end + self.skip)
    }

    /// The span in the document of a span in the expression.
    pub(crate) fn span(&self, span: &Span) -> Span {
        match self.base {
            Some(base) => base + span.start..base + span.end,
            None => self.whole.0..self.whole.1,
        }
    }
}

/// Whether a text is one expression or statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    Expression,
    Statements,
}

/// Reads a text to its tree.
pub(crate) fn parse(
    fragment: Fragment<'_>,
    grammar: Grammar,
    sink: &mut Sink,
) -> Result<Ast, Reported> {
    match grammar {
        Grammar::Expression => parser::expression(fragment, sink),
        Grammar::Statements => parser::statements(fragment, sink),
    }
}

/// The trees of the texts in the nodes of a document that have no mistake.
#[derive(Debug)]
pub(crate) struct Asts(ByAddress<(Grammar, Ast)>);

impl Asts {
    pub(crate) fn new(asts: Vec<(&str, (Grammar, Ast))>) -> Self {
        Self(ByAddress::new(asts))
    }

    pub(crate) fn get(&self, text: &str, grammar: Grammar) -> Option<&Ast> {
        let (read_as, ast) = self.0.get(text)?;
        (*read_as == grammar).then_some(ast)
    }
}

/// A type with its article, for messages.
pub(crate) fn a_type(ty: Type) -> Said {
    match ty {
        Type::Any => said!("a value of any type"),
        Type::Int | Type::Enum(_) | Type::Entity => said!("an {}", ty),
        _ => said!("a {}", ty),
    }
}

/// What users can do with a value of any type where another type is required.
pub(crate) fn of_any() -> Said {
    said!(
        "compare values of any type with `==` and `!=`, or pass them to keys and parameters of type `any`"
    )
}

/// The function with this name.
fn func(name: &str) -> Option<Func> {
    Func::ALL.into_iter().find(|func| func.name() == name)
}

/// The function of values of any type with this name.
fn of_texts(name: &str) -> Option<TextFunc> {
    TextFunc::ALL.into_iter().find(|func| func.name() == name)
}
