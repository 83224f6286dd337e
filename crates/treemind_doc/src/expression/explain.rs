//! Diagnostics for expressions that cannot be read: mostly habits from other languages, and typing mistakes.

use super::ast::{AstId, AstKind};
use super::foreign;
use super::functions::functions;
use super::lexer::Token;
use super::parser::{Parser, Reading};
use crate::code::Code;
use crate::said;
use crate::syntax::{Span, shortened, without_unit};

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
            (Token::Sign(","), _) => (
                said!("unexpected `,`"),
                Some(said!(
                    "write `&&` between conditions, and `;` between statements"
                )),
            ),
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
            (Token::Unknown, "^") => (
                said!("`^` is not an operator"),
                Some(said!(
                    "write `x * x` for a square, and `bit_xor(a, b)` for the bits that only one of two numbers has"
                )),
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

    /// The reader is at something other than `=` after the key of a statement.
    pub(super) fn no_statement<T>(&mut self, key: Span) -> Reading<T> {
        let found = self.found();
        let name = self.slice(&key);
        let span = self.here();
        let behind = self.rest();
        let help = match self.slice(&self.span) {
            "(" => foreign::statement(name, &behind[1..]),
            "[" => Some(said!(
                "the items of a list have no numbers to write to: `{} += …` adds an item, and `{} -= …` removes one",
                shortened(name),
                shortened(name)
            )),
            sign @ ("+" | "-") if behind[1..].starts_with(sign) => Some(said!(
                "write `{}`",
                format!("{} {sign}= 1", shortened(name))
            )),
            ":" if behind[1..].starts_with('=') => Some(said!("to assign, write `=`")),
            // `unset key`
            _ if name == "unset" && self.token == Token::Word => {
                let node = shortened(&format!("unset {}", self.slice(&self.span)));
                Some(said!("use a node of its own: `{}`", node))
            }
            _ => None,
        };
        let help = help.unwrap_or_else(|| {
            said!("write `key = value`, or `+=`, `-=`, `*=` or `/=`; separate statements with `;`")
        });
        let message = said!("expected `=` after `{}`, found {}", shortened(name), found);
        self.error(Code::ExpressionSyntax, &span, message, Some(help))
    }

    /// The reader is at a `[` behind the value that begins at `start`.
    pub(super) fn indexed<T>(&mut self, start: usize) -> Reading<T> {
        let list = self.slice(&(start..self.span.start)).trim();
        let is_name = !list.is_empty() && list.chars().all(|c| c.is_alphanumeric() || c == '_');
        let place = self.rest()[1..].split(']').next().unwrap_or("").trim();
        let call = format!(
            "item({}, {})",
            if is_name { list } else { "list" },
            if place.is_empty() { "0" } else { place }
        );
        let end = self.rest().find(']').map_or(1, |end| end + 1);
        let span = start..self.span.start + end;
        let message = said!("an item of a list is not taken with `[`");
        let help = said!("write `{}`", shortened(&call));
        self.error(Code::ExpressionSyntax, &span, message, Some(help))
    }

    /// The reader is at the `(` behind a `.` and the name of a function; the value begins at `start`.
    pub(super) fn called_behind<T>(&mut self, start: usize, function: &Span) -> Reading<T> {
        let value = self.slice(&(start..function.start));
        let value = value.trim().trim_end_matches('.').trim();
        let name = self.slice(function);
        let args = self.rest()[1..].split(')').next().unwrap_or("").trim();
        let mut all = vec![value];
        all.extend(args.split(',').map(str::trim).filter(|arg| !arg.is_empty()));
        let help = match functions().iter().any(|one| one.name() == name) {
            true => None,
            false => foreign::call(name, &all),
        };
        let end = self.rest().find(')').map_or(1, |end| end + 1);
        let span = start..self.span.start + end;
        let message = said!("a function is not called with a `.`");
        let help = help.unwrap_or_else(|| {
            let call = format!("{name}({})", all.join(", "));
            said!("write `{}`", shortened(&call))
        });
        self.error(Code::ExpressionSyntax, &span, message, Some(help))
    }

    /// The reader is behind `value in low`, where `..=` should be.
    pub(super) fn no_range<T>(&mut self, value: AstId, low: AstId) -> Reading<T> {
        let text = |id: AstId| self.slice(&self.ast.nodes[id].span).trim();
        let help = match self.ast.nodes[low].kind {
            AstKind::Name(_) => {
                let call = format!("contains({}, {})", text(low), text(value));
                said!(
                    "to ask whether the list `{}` has it, write `{}`",
                    shortened(text(low)),
                    shortened(&call)
                )
            }
            _ => said!("write both ends, as in `health in 0..=20`"),
        };
        let found = self.found();
        let span = match self.token {
            Token::End => self.ast.nodes[value].span.start..self.ast.nodes[low].span.end,
            _ => self.here(),
        };
        let message = said!(
            "expected `..=` between the ends of the range, found {}",
            found
        );
        self.error(Code::ExpressionSyntax, &span, message, Some(help))
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
            (Token::Unknown, "[") => (
                said!("an expression cannot write a list"),
                Some(said!(
                    "compare with one value after the other, `a == 1 || a == 2`; `list += 1` adds one item to a list"
                )),
            ),
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
