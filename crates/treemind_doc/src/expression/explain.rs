//! Diagnostics for expressions that cannot be read: mostly habits from other languages, and typing mistakes.

use super::ast::AstId;
use super::lexer::Token;
use super::parser::{Parser, Reading};
use crate::code::Code;
use crate::syntax::{Span, shortened, without_unit};

/// What expressions and trees can do with lists.
const LISTS: &str = "ask `len(list)` or `has(list)`, and go through the items with `for-each`";

impl Parser<'_, '_> {
    /// Something follows a complete expression.
    pub(super) fn unexpected<T>(&mut self) -> Reading<T> {
        let span = self.here();
        let text = self.slice(&self.span);
        let (message, help) = match (self.token, text) {
            (Token::Sign("="), _) => ("`=` does not compare values", "to compare, write `==`"),
            (Token::Sign("+=" | "-=" | "*=" | "/="), _) => (
                "an expression cannot change keys",
                "use a `set` node to change keys",
            ),
            (Token::Sign("=<"), _) => ("`=<` is not an operator", "write `<=`"),
            (Token::Sign("=>"), _) => ("`=>` is not an operator", "write `>=`"),
            (Token::Sign("==="), _) => ("`===` is not an operator", "write `==`"),
            (Token::Sign("!==" | "<>"), _) => ("this is not an operator", "write `!=`"),
            (Token::Sign(")" | "}"), _) => ("unmatched closing bracket", ""),
            (Token::Sign(";"), _) => (
                "`;` is not allowed in an expression",
                "use a `set` node to change keys",
            ),
            (Token::Word, "and") => ("`and` is not an operator", "write `&&`"),
            (Token::Word, "or") => ("`or` is not an operator", "write `||`"),
            (Token::Word, "is") => ("`is` is not an operator", "write `==`"),
            (Token::Sign("-"), _) | (Token::Int | Token::Decimal | Token::Word | Token::Str, _) => {
                let text = shortened(text);
                let message = format!("expected an operator before `{text}`");
                return self.error(Code::ExpressionSyntax, &span, message, "");
            }
            (Token::Unknown, "&" | "|") => (
                "a single `&` or `|` is not an operator",
                "write `&&` or `||`",
            ),
            (Token::Unknown, "[") => ("an item of a list cannot be taken by its number", LISTS),
            (Token::Sign(".." | "..="), _) => (
                "a range is only allowed after `in`",
                "write `value in low..=high` to ask whether a value is within a range",
            ),
            (Token::Unknown, "?") => ("`?` is not an operator", "write `if c { a } else { b }`"),
            _ => ("unexpected character", ""),
        };
        self.error(Code::ExpressionSyntax, &span, message.to_owned(), help)
    }

    /// The reader is at a second comparison; `middle` is the operand between the two.
    pub(super) fn chained<T>(&mut self, left: AstId, middle: AstId) -> Reading<T> {
        let second = self.slice(&self.span);
        let first_end = self.ast.nodes[middle].span.clone();
        let left = self.ast.nodes[left].span.clone();
        let help = format!(
            "combine two comparisons: `{} && {} {second} …`",
            self.slice(&(left.start..first_end.end)),
            self.slice(&first_end)
        );
        let span = self.span.clone();
        let help = if help.len() > 200 {
            "combine two comparisons with `&&`".to_owned()
        } else {
            help
        };
        self.error(
            Code::ChainedComparison,
            &span,
            "comparisons cannot be chained".to_owned(),
            &help,
        )
    }

    /// A value is missing.
    pub(super) fn no_operand<T>(&mut self) -> Reading<T> {
        let span = self.here();
        let (message, help) = match (self.token, self.slice(&self.span)) {
            (Token::OpenStr, _) => ("this text has no closing `'`".to_owned(), ""),
            (Token::Unknown, "\"") => (
                "unexpected `\"` in an expression".to_owned(),
                "write text in single quotes, `'…'`, and values of enumerations without quotes",
            ),
            (Token::Unknown, "#") => (
                "unexpected `#` in an expression".to_owned(),
                "write `true` or `false` without `#`",
            ),
            (Token::Unknown, "[") => ("an expression cannot write a list".to_owned(), LISTS),
            (Token::Sign("."), _) => (
                "unexpected `.`".to_owned(),
                "write a zero before the decimal point: `0.5`",
            ),
            (Token::Sign("{"), _) | (Token::Unknown, "$") => (
                format!("unexpected {}", self.found()),
                "write only the name of a key in an expression",
            ),
            _ => (format!("expected a value, found {}", self.found()), ""),
        };
        self.error(Code::ExpressionSyntax, &span, message, help)
    }

    /// `20hp` and `1.5s` are typing mistakes.
    pub(super) fn no_word_behind(&mut self, number: &Span) -> Reading<()> {
        if self.token == Token::Word && self.span.start == number.end {
            let span = number.start..self.span.end;
            let text = self.slice(&span);
            let message = format!("`{}` is neither a number nor a name", shortened(text));
            let meant = without_unit(text).map(|meant| format!(": `{meant}`"));
            let help = format!(
                "write a number without a unit; times are in seconds{}",
                meant.unwrap_or_default()
            );
            return self.error(Code::ExpressionSyntax, &span, message, &help);
        }
        Ok(())
    }
}
