//! Diagnostics for expressions that cannot be read: mostly habits from other languages, and typing mistakes.

use super::ast::AstId;
use super::lexer::Token;
use super::parser::{Parser, Reading};
use crate::code::Code;
use crate::syntax::{Span, shortened, without_unit};
use crate::{Said, said};

/// What expressions and trees can do with lists.
fn lists() -> Said {
    said!("ask `len(list)` or `has(list)`, and go through the items with `for-each`")
}

impl Parser<'_, '_> {
    /// Something follows a complete expression.
    pub(super) fn unexpected<T>(&mut self) -> Reading<T> {
        let span = self.here();
        let text = self.slice(&self.span);
        let (message, help) = match (self.token, text) {
            (Token::Sign("="), _) => (
                said!("`=` does not compare values"),
                Some(said!("to compare, write `==`")),
            ),
            (Token::Sign("+=" | "-=" | "*=" | "/="), _) => (
                said!("an expression cannot change keys"),
                Some(said!("use a `set` node to change keys")),
            ),
            (Token::Sign("=<"), _) => (said!("`=<` is not an operator"), Some(said!("write `<=`"))),
            (Token::Sign("=>"), _) => (said!("`=>` is not an operator"), Some(said!("write `>=`"))),
            (Token::Sign("==="), _) => {
                (said!("`===` is not an operator"), Some(said!("write `==`")))
            }
            (Token::Sign("!==" | "<>"), _) => {
                (said!("this is not an operator"), Some(said!("write `!=`")))
            }
            (Token::Sign(")" | "}"), _) => (said!("unmatched closing bracket"), None),
            (Token::Sign(";"), _) => (
                said!("`;` is not allowed in an expression"),
                Some(said!("use a `set` node to change keys")),
            ),
            (Token::Word, "and") => (said!("`and` is not an operator"), Some(said!("write `&&`"))),
            (Token::Word, "or") => (said!("`or` is not an operator"), Some(said!("write `||`"))),
            (Token::Word, "is") => (said!("`is` is not an operator"), Some(said!("write `==`"))),
            (Token::Sign("-"), _) | (Token::Int | Token::Decimal | Token::Word | Token::Str, _) => {
                let text = shortened(text);
                let message = said!("expected an operator before `{}`", text);
                return self.error(Code::ExpressionSyntax, &span, message, None);
            }
            (Token::Unknown, "&" | "|") => (
                said!("a single `&` or `|` is not an operator"),
                Some(said!("write `&&` or `||`")),
            ),
            (Token::Unknown, "[") => (
                said!("an item of a list cannot be taken by its number"),
                Some(lists()),
            ),
            (Token::Sign(".." | "..="), _) => (
                said!("a range is only allowed after `in`"),
                Some(said!(
                    "write `value in low..=high` to ask whether a value is within a range"
                )),
            ),
            (Token::Unknown, "?") => (
                said!("`?` is not an operator"),
                Some(said!("write `if c { a } else { b }`")),
            ),
            _ => (said!("unexpected character"), None),
        };
        self.error(Code::ExpressionSyntax, &span, message, help)
    }

    /// The reader is at a second comparison; `middle` is the operand between the two.
    pub(super) fn chained<T>(&mut self, left: AstId, middle: AstId) -> Reading<T> {
        let second = self.slice(&self.span);
        let first_end = self.ast.nodes[middle].span.clone();
        let left = self.ast.nodes[left].span.clone();
        let help = said!(
            "combine two comparisons: `{} && {} {} …`",
            self.slice(&(left.start..first_end.end)),
            self.slice(&first_end),
            second
        );
        let span = self.span.clone();
        let help = if help.to_string().len() > 200 {
            said!("combine two comparisons with `&&`")
        } else {
            help
        };
        self.error(
            Code::ChainedComparison,
            &span,
            said!("comparisons cannot be chained"),
            Some(help),
        )
    }

    /// A value is missing.
    pub(super) fn no_operand<T>(&mut self) -> Reading<T> {
        let span = self.here();
        let (message, help) = match (self.token, self.slice(&self.span)) {
            (Token::OpenStr, _) => (said!("this text has no closing `'`"), None),
            (Token::Unknown, "\"") => (
                said!("unexpected `\"` in an expression"),
                Some(said!(
                    "write text in single quotes, `'…'`, and values of enumerations without quotes"
                )),
            ),
            (Token::Unknown, "#") => (
                said!("unexpected `#` in an expression"),
                Some(said!("write `true` or `false` without `#`")),
            ),
            (Token::Unknown, "[") => (said!("an expression cannot write a list"), Some(lists())),
            (Token::Sign("."), _) => (
                said!("unexpected `.`"),
                Some(said!("write a zero before the decimal point: `0.5`")),
            ),
            (Token::Sign("{"), _) | (Token::Unknown, "$") => (
                said!("unexpected {}", self.found()),
                Some(said!("write only the name of a key in an expression")),
            ),
            _ => (said!("expected a value, found {}", self.found()), None),
        };
        self.error(Code::ExpressionSyntax, &span, message, help)
    }

    /// `20hp` and `1.5s` are typing mistakes.
    pub(super) fn no_word_behind(&mut self, number: &Span) -> Reading<()> {
        if self.token == Token::Word && self.span.start == number.end {
            let span = number.start..self.span.end;
            let text = self.slice(&span);
            let message = said!("`{}` is neither a number nor a name", shortened(text));
            let help = match without_unit(text) {
                Some(meant) => said!(
                    "write a number without a unit; times are in seconds: `{}`",
                    meant
                ),
                None => said!("write a number without a unit; times are in seconds"),
            };
            return self.error(Code::ExpressionSyntax, &span, message, Some(help));
        }
        Ok(())
    }
}
