//! Parses tokens to the untyped tree: a Pratt parser whose recursion is bounded.

use super::Fragment;
use super::ast::{Ast, AstId, AstKind, AstNode, Statement};
use super::lexer::{self, Token};
use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use treemind_core::behaviour::MAX_DEPTH;
use treemind_core::expr::{Arith, Compare};

/// How tightly operators bind: larger is tighter.
mod power {
    pub(super) const ANY: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const COMPARE: u8 = 3;
    pub(super) const SUM: u8 = 4;
    pub(super) const PRODUCT: u8 = 5;
    pub(super) const PREFIX: u8 = 6;
}

pub(super) type Reading<T> = Result<T, Reported>;

pub(super) fn expression(fragment: Fragment<'_>, sink: &mut Sink) -> Reading<Ast> {
    let mut parser = Parser::new(fragment, sink);
    parser.whole()?;
    Ok(parser.ast)
}

pub(super) fn statements(fragment: Fragment<'_>, sink: &mut Sink) -> Reading<Ast> {
    let mut parser = Parser::new(fragment, sink);
    parser.list()?;
    Ok(parser.ast)
}

pub(super) struct Parser<'a, 's> {
    fragment: Fragment<'a>,
    sink: &'s mut Sink,
    at: usize,
    pub(super) token: Token,
    pub(super) span: Span,
    pub(super) ast: Ast,
}

impl<'a, 's> Parser<'a, 's> {
    fn new(fragment: Fragment<'a>, sink: &'s mut Sink) -> Self {
        let mut at = 0;
        let (token, span) = lexer::next(fragment.text, &mut at);
        Self {
            fragment,
            sink,
            at,
            token,
            span,
            ast: Ast::default(),
        }
    }

    fn advance(&mut self) {
        (self.token, self.span) = lexer::next(self.fragment.text, &mut self.at);
    }

    pub(super) fn slice(&self, span: &Span) -> &'a str {
        &self.fragment.text[span.clone()]
    }

    pub(super) fn error<T>(
        &mut self,
        code: Code,
        span: &Span,
        message: Said,
        help: Option<Said>,
    ) -> Reading<T> {
        let problem = self.sink.error(code, self.fragment.span(span), message);
        Err(problem.with_perhaps(help))
    }

    fn push(&mut self, kind: AstKind, span: Span, below: &[AstId]) -> Reading<AstId> {
        let deepest = below.iter().map(|id| self.ast.nodes[*id].depth).max();
        let depth = deepest.unwrap_or(0) + 1;
        if depth > MAX_DEPTH {
            return self.too_deep(&span);
        }
        self.ast.nodes.push(AstNode { kind, span, depth });
        Ok(self.ast.root())
    }

    fn too_deep<T>(&mut self, span: &Span) -> Reading<T> {
        let span = span.start..(span.start + 1).min(span.end);
        self.error(
            Code::TooDeep,
            &span,
            said!("this expression is nested deeper than {}", MAX_DEPTH),
            Some(said!("split it: compute parts of it into keys with `set`")),
        )
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word && self.slice(&self.span) == word
    }

    /// Reads a sign; `expected` says that it should be here, given what is.
    fn expect(&mut self, sign: &'static str, expected: fn(Said) -> Said) -> Reading<Span> {
        if self.token == Token::Sign(sign) {
            let span = self.span.clone();
            self.advance();
            return Ok(span);
        }
        let found = self.found();
        let span = self.here();
        self.error(Code::ExpressionSyntax, &span, expected(found), None)
    }

    /// A description of the current token, for messages.
    pub(super) fn found(&self) -> Said {
        match self.token {
            Token::End => said!("the end of the expression"),
            _ => format!("`{}`", shortened(self.slice(&self.span))).into(),
        }
    }

    /// The text from the current token on.
    pub(super) fn rest(&self) -> &'a str {
        &self.fragment.text[self.span.start..]
    }

    /// The span of the token, or of the last character at the end.
    pub(super) fn here(&self) -> Span {
        if self.token == Token::End {
            let text = self.fragment.text.trim_end();
            let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
            return last..text.len();
        }
        self.span.clone()
    }

    fn whole(&mut self) -> Reading<()> {
        if self.token == Token::End {
            let span = self.here();
            return self.error(
                Code::ExpressionSyntax,
                &span,
                said!("this expression is empty"),
                None,
            );
        }
        self.binary(power::ANY, 0)?;
        if self.token == Token::End {
            return Ok(());
        }
        self.unexpected()
    }

    fn list(&mut self) -> Reading<()> {
        while self.token != Token::End {
            if self.is_sign(";") {
                self.advance();
                continue;
            }
            self.statement()?;
            if self.token != Token::End && !self.is_sign(";") {
                return self.unexpected();
            }
        }
        if self.ast.statements.is_empty() {
            let span = self.here();
            return self.error(
                Code::ExpressionSyntax,
                &span,
                said!("expected a statement"),
                Some(said!("write a statement such as `mood = calm`")),
            );
        }
        Ok(())
    }

    fn statement(&mut self) -> Reading<()> {
        let key = self.span.clone();
        if self.token != Token::Word {
            let found = self.found();
            let span = self.here();
            return self.error(
                Code::ExpressionSyntax,
                &span,
                said!(
                    "expected the name of a key at the beginning of a statement, found {}",
                    found
                ),
                Some(said!("write a statement such as `mood = calm`")),
            );
        }
        self.advance();
        let part = if self.is_sign(".") {
            self.advance();
            Some(self.part_name()?)
        } else {
            None
        };
        let op = match self.token {
            Token::Sign("=") => None,
            Token::Sign("+=") => Some(Arith::Add),
            Token::Sign("-=") => Some(Arith::Sub),
            Token::Sign("*=") => Some(Arith::Mul),
            Token::Sign("/=") => Some(Arith::Div),
            Token::Sign("==") => {
                let span = self.span.clone();
                return self.error(
                    Code::ExpressionSyntax,
                    &span,
                    said!("`==` compares values; it does not assign"),
                    Some(said!("write `=` to assign, or use `check` to compare")),
                );
            }
            _ => {
                let end = part.map_or(key.end, |part| part.end);
                return self.no_statement(key.start..end);
            }
        };
        self.advance();
        let value = self.binary(power::ANY, 0)?;
        self.ast.statements.push(Statement {
            key,
            part,
            op,
            value,
        });
        Ok(())
    }

    /// An expression of operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, level: usize) -> Reading<AstId> {
        let mut left = self.prefix(level)?;
        loop {
            let (op, binds) = match self.operator() {
                Some(found) if found.1 >= least => found,
                _ => return Ok(left),
            };
            self.advance();
            if matches!(op, Operator::In) {
                left = self.range(left, level)?;
                continue;
            }
            let right = self.binary(binds + 1, level + 1)?;
            if let Operator::Compare(_) = op
                && let Some((Operator::Compare(_) | Operator::In, _)) = self.operator()
            {
                return self.chained(left, right);
            }
            let span = self.ast.nodes[left].span.start..self.ast.nodes[right].span.end;
            let kind = match op {
                Operator::Or => AstKind::Or(left, right),
                Operator::And => AstKind::And(left, right),
                Operator::Compare(op) => AstKind::Compare(op, left, right),
                Operator::Arith(op) => AstKind::Arith(op, left, right),
                Operator::In => unreachable!("a range was read above"),
            };
            left = self.push(kind, span, &[left, right])?;
        }
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        Some(match self.token {
            Token::Sign("||") => (Operator::Or, power::OR),
            Token::Sign("&&") => (Operator::And, power::AND),
            Token::Sign("==") => (Operator::Compare(Compare::Eq), power::COMPARE),
            Token::Sign("!=") => (Operator::Compare(Compare::Ne), power::COMPARE),
            Token::Sign("<") => (Operator::Compare(Compare::Lt), power::COMPARE),
            Token::Sign("<=") => (Operator::Compare(Compare::Le), power::COMPARE),
            Token::Sign(">") => (Operator::Compare(Compare::Gt), power::COMPARE),
            Token::Sign(">=") => (Operator::Compare(Compare::Ge), power::COMPARE),
            Token::Sign("+") => (Operator::Arith(Arith::Add), power::SUM),
            Token::Sign("-") => (Operator::Arith(Arith::Sub), power::SUM),
            Token::Sign("*") => (Operator::Arith(Arith::Mul), power::PRODUCT),
            Token::Sign("/") => (Operator::Arith(Arith::Div), power::PRODUCT),
            Token::Sign("%") => (Operator::Arith(Arith::Rem), power::PRODUCT),
            Token::Word if self.is_word("in") => (Operator::In, power::COMPARE),
            _ => return None,
        })
    }

    /// The reader is after `in`.
    fn range(&mut self, value: AstId, level: usize) -> Reading<AstId> {
        let low = self.binary(power::SUM, level + 1)?;
        if self.is_sign("..") {
            let span = self.span.clone();
            return self.error(
                Code::ExpressionSyntax,
                &span,
                said!("`..` is not a range: a range includes its end"),
                Some(said!("write `..=`, as in `health in 0..=20`")),
            );
        }
        if !self.is_sign("..=") {
            return self.no_range(value, low);
        }
        self.advance();
        let high = self.binary(power::SUM, level + 1)?;
        let span = self.ast.nodes[value].span.start..self.ast.nodes[high].span.end;
        self.push(
            AstKind::Between(value, low, high),
            span,
            &[value, low, high],
        )
    }

    fn prefix(&mut self, level: usize) -> Reading<AstId> {
        let span = self.span.clone();
        if level >= MAX_DEPTH {
            return self.too_deep(&span);
        }
        match self.token {
            Token::Sign(sign @ ("!" | "-")) => {
                self.advance();
                let inner = self.binary(power::PREFIX, level + 1)?;
                let span = span.start..self.ast.nodes[inner].span.end;
                let kind = if sign == "!" {
                    AstKind::Not(inner)
                } else {
                    AstKind::Neg(inner)
                };
                self.push(kind, span, &[inner])
            }
            _ => self.with_parts(level),
        }
    }

    /// A value, and the components taken of it: `pos.x`.
    fn with_parts(&mut self, level: usize) -> Reading<AstId> {
        let start = self.span.start;
        let mut whole = self.operand(level)?;
        while self.is_sign(".") {
            self.advance();
            let part = self.part_name()?;
            if self.is_sign("(") {
                return self.called_behind(start, &part);
            }
            let span = start..part.end;
            whole = self.push(AstKind::Part(whole, part), span, &[whole])?;
        }
        match self.token {
            Token::Unknown if self.slice(&self.span) == "[" => self.indexed(start),
            _ => Ok(whole),
        }
    }

    /// The reader is after a `.`.
    fn part_name(&mut self) -> Reading<Span> {
        let span = self.span.clone();
        if self.token != Token::Word {
            let found = self.found();
            let here = self.here();
            return self.error(
                Code::ExpressionSyntax,
                &here,
                said!("expected the name of a component, found {}", found),
                Some(said!("use a component of a vector: `.x`, `.y` or `.z`")),
            );
        }
        self.advance();
        Ok(span)
    }

    fn operand(&mut self, level: usize) -> Reading<AstId> {
        let span = self.span.clone();
        match self.token {
            Token::Sign("(") => {
                self.advance();
                let inner = self.binary(power::ANY, level + 1)?;
                let close = self.expect(")", |found| {
                    said!("expected `)` to close the parenthesis, found {}", found)
                })?;
                // The brackets belong to their content, so that messages quote them.
                self.ast.nodes[inner].span = span.start..close.end;
                Ok(inner)
            }
            Token::Word => self.word(span, level),
            Token::Int => {
                self.advance();
                self.no_word_behind(&span)?;
                let digits = self.slice(&span).replace('_', "");
                self.push(AstKind::Int(digits.parse().ok()), span, &[])
            }
            Token::Decimal => {
                self.advance();
                self.no_word_behind(&span)?;
                self.push(AstKind::Decimal(span.clone()), span, &[])
            }
            Token::Str => {
                self.advance();
                self.push(AstKind::Str(span.start + 1..span.end - 1), span, &[])
            }
            _ => self.no_operand(),
        }
    }

    fn word(&mut self, span: Span, level: usize) -> Reading<AstId> {
        let word = self.slice(&span);
        self.advance();
        match word {
            "true" | "false" => return self.push(AstKind::Bool(word == "true"), span, &[]),
            "if" => return self.conditional(span.start, level),
            "else" | "in" => {
                let message = said!("unexpected `{}`", word);
                return self.error(Code::ExpressionSyntax, &span, message, None);
            }
            "not" if !matches!(self.token, Token::End | Token::Sign(_)) => {
                let message = said!("`not` is not an operator");
                return self.error(
                    Code::ExpressionSyntax,
                    &span,
                    message,
                    Some(said!("write `!`")),
                );
            }
            _ => {}
        }
        if !self.is_sign("(") {
            return self.push(AstKind::Name(span.clone()), span, &[]);
        }
        self.advance();
        let mut args = Vec::new();
        while !self.is_sign(")") {
            args.push(self.binary(power::ANY, level + 1)?);
            if self.is_sign(",") {
                self.advance();
            } else {
                break;
            }
        }
        let close = self.expect(")", |found| {
            said!("expected `)` to close the arguments, found {}", found)
        })?;
        let below = args.clone();
        self.push(
            AstKind::Call(span.clone(), args),
            span.start..close.end,
            &below,
        )
    }

    /// The reader is after `if`.
    fn conditional(&mut self, start: usize, level: usize) -> Reading<AstId> {
        let cond = self.binary(power::ANY, level + 1)?;
        self.expect("{", |found| {
            said!("expected `{` after the condition, found {}", found)
        })?;
        let then = self.binary(power::ANY, level + 1)?;
        self.expect("}", |found| said!("expected `}`, found {}", found))?;
        if !self.is_word("else") {
            let found = self.found();
            let span = self.here();
            return self.error(
                Code::ExpressionSyntax,
                &span,
                said!("expected `else`, found {}", found),
                Some(said!("add an `else`, because an `if` needs a value in both cases: `if c { a } else { b }`")),
            );
        }
        self.advance();
        if self.is_word("if") {
            let inner = self.span.start;
            if level >= MAX_DEPTH {
                let span = self.span.clone();
                return self.too_deep(&span);
            }
            self.advance();
            let other = self.conditional(inner, level + 1)?;
            let span = start..self.ast.nodes[other].span.end;
            return self.push(AstKind::If(cond, then, other), span, &[cond, then, other]);
        }
        self.expect("{", |found| {
            said!("expected `{` after `else`, found {}", found)
        })?;
        let other = self.binary(power::ANY, level + 1)?;
        let close = self.expect("}", |found| said!("expected `}`, found {}", found))?;
        self.push(
            AstKind::If(cond, then, other),
            start..close.end,
            &[cond, then, other],
        )
    }
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Or,
    And,
    Compare(Compare),
    Arith(Arith),
    In,
}
