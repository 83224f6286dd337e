//! The expressions of SCXML documents: the part of ECMAScript that works on numbers, texts and truth.

use super::Trouble;
use super::tokens::{Place, Spot, Token, not_read, tokens};
use crate::code::Code;
use crate::said;
use crate::syntax::{Span, shortened};
use crate::text::with_room;

/// How deep an expression may be nested, and how many operators may follow each other.
const MAX_DEPTH: usize = 100;

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    pub(super) what: ExprKind,
    pub(super) span: Span,
    depth: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    Int(i64),
    Double(f64),
    Text(String),
    Bool(bool),
    /// `undefined` and `null`
    Nothing,
    /// A variable.
    Name(String),
    /// The names after `_event.`, with dots between them.
    Event(String),
    /// `In('state')`
    In(String),
    /// `typeof x`, which is compared with `'undefined'` only.
    Typeof(Box<Script>),
    /// Whether a variable or a part of the event is set.
    IsThere(Box<Script>),
    Not(Box<Script>),
    Neg(Box<Script>),
    Binary(Binary, Box<Script>, Box<Script>),
    /// `a ? b : c`
    Choice(Box<Script>, Box<Script>, Box<Script>),
    /// A function of `Math`.
    Math(String, Vec<Script>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    /// `==` and `===`, which are the same because types are known beforehand.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Reads an expression.
pub(super) fn parse(text: &str, place: &Place) -> Result<Script, Trouble> {
    let tokens = tokens(text, place)?;
    let opening = tokens.iter().filter(|spot| opens(&spot.token)).count();
    // The parser calls itself nine times per level.
    with_room(opening.min(MAX_DEPTH), || {
        let mut parser = Parser {
            tokens: &tokens,
            at: 0,
            end: text.len(),
            place,
            open: 0,
        };
        let script = parser.choice()?;
        match parser.tokens.get(parser.at) {
            None => Ok(script),
            Some(token) => Err(parser.unexpected(token)),
        }
    })
}

/// Whether the text after a token may be one level deeper.
fn opens(token: &Token) -> bool {
    match token {
        Token::Sign(sign) => matches!(*sign, "(" | "!" | "-" | "+" | "?" | ":"),
        Token::Word(word) => word == "typeof",
        _ => false,
    }
}

struct Parser<'a> {
    tokens: &'a [Spot],
    at: usize,
    /// The length of the text.
    end: usize,
    place: &'a Place,
    /// How many brackets and signs before operands are open.
    open: usize,
}

/// The binary operators; those that bind least come first.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[
        ("===", Binary::Eq),
        ("!==", Binary::Ne),
        ("==", Binary::Eq),
        ("!=", Binary::Ne),
    ],
    &[
        ("<", Binary::Lt),
        ("<=", Binary::Le),
        (">", Binary::Gt),
        (">=", Binary::Ge),
    ],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

impl Parser<'_> {
    fn choice(&mut self) -> Result<Script, Trouble> {
        let test = self.binary(0)?;
        if !self.eat("?") {
            return Ok(test);
        }
        let then = self.within(Self::choice)?;
        self.need(":")?;
        let other = self.within(Self::choice)?;
        let span = test.span.start..other.span.end;
        self.made(
            ExprKind::Choice(test.into(), then.into(), other.into()),
            span,
        )
    }

    fn binary(&mut self, level: usize) -> Result<Script, Trouble> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let found = operators.iter().find(|(sign, _)| self.is_next(sign));
            let Some((_, operator)) = found else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(level + 1)?;
            let span = left.span.start..right.span.end;
            left = match (*operator, &left.what, &right.what) {
                (Binary::Eq | Binary::Ne, ExprKind::Nothing, _) => {
                    self.presence(*operator, right, span)?
                }
                (Binary::Eq | Binary::Ne, _, ExprKind::Nothing) => {
                    self.presence(*operator, left, span)?
                }
                (Binary::Eq | Binary::Ne, ExprKind::Typeof(asked), ExprKind::Text(word))
                | (Binary::Eq | Binary::Ne, ExprKind::Text(word), ExprKind::Typeof(asked))
                    if word == "undefined" =>
                {
                    let asked = (**asked).clone();
                    self.presence(*operator, asked, span)?
                }
                _ => self.made(ExprKind::Binary(*operator, left.into(), right.into()), span)?,
            };
        }
    }

    /// A test whether something is set, or unset.
    fn presence(&mut self, operator: Binary, asked: Script, span: Span) -> Result<Script, Trouble> {
        if !matches!(asked.what, ExprKind::Name(_) | ExprKind::Event(_)) {
            let message = said!("only variables and parts of `_event` may be `undefined`");
            return Err(Trouble::new(Code::WrongType, asked.span, message));
        }
        let is_there = self.made(ExprKind::IsThere(asked.into()), span.clone())?;
        match operator {
            Binary::Ne => Ok(is_there),
            _ => self.made(ExprKind::Not(is_there.into()), span),
        }
    }

    fn unary(&mut self) -> Result<Script, Trouble> {
        let from = self.here();
        for (sign, wrap) in [
            ("!", ExprKind::Not as fn(Box<Script>) -> ExprKind),
            ("-", ExprKind::Neg),
        ] {
            if self.eat(sign) {
                let inner = self.within(Self::unary)?;
                let span = from.start..inner.span.end;
                let what = match (sign, &inner.what) {
                    ("-", ExprKind::Int(int)) => ExprKind::Int(int.wrapping_neg()),
                    ("-", ExprKind::Double(double)) => ExprKind::Double(-double),
                    _ => wrap(inner.into()),
                };
                return self.made(what, span);
            }
        }
        if self.eat("+") {
            return self.within(Self::unary);
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Script, Trouble> {
        let Some(spot) = self.tokens.get(self.at) else {
            let message = if self.tokens.is_empty() {
                said!("expected an expression")
            } else {
                said!("unexpected end of the expression")
            };
            return Err(Trouble::new(Code::ExpressionSyntax, self.here(), message));
        };
        self.at += 1;
        let span = self.place.span(spot.from, spot.to);
        let what = match &spot.token {
            Token::Int(int) => ExprKind::Int(*int),
            Token::Double(double) => ExprKind::Double(*double),
            Token::Text(text) => ExprKind::Text(text.clone()),
            Token::Sign("(") => {
                let inner = self.within(Self::choice)?;
                self.need(")")?;
                return Ok(inner);
            }
            Token::Word(word) => return self.word(word, span),
            Token::Sign(_) => return Err(self.unexpected(spot)),
        };
        self.made(what, span)
    }

    fn word(&mut self, word: &str, span: Span) -> Result<Script, Trouble> {
        let what = match word {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "undefined" | "null" => ExprKind::Nothing,
            "typeof" => {
                let asked = self.within(Self::unary)?;
                let span = span.start..asked.span.end;
                return self.made(ExprKind::Typeof(asked.into()), span);
            }
            "In" if self.is_next("(") => return self.state(span),
            "Math" if self.is_next(".") => return self.math(span),
            "_event" => return self.event(span),
            "_sessionid" | "_ioprocessors" | "_x" | "function" | "new" | "var" | "return"
            | "this" | "instanceof" | "in" | "void" | "delete" | "NaN" | "Infinity" => {
                return Err(not_read(span, &format!("`{word}`")));
            }
            name => ExprKind::Name(name.to_owned()),
        };
        match self.tokens.get(self.at) {
            Some(spot) if matches!(spot.token, Token::Sign("." | "[" | "(")) => {
                let span = self.place.span(spot.from, spot.to);
                let message = said!(
                    "`{}` is a simple value, without fields, and not a function",
                    word
                );
                Err(Trouble::new(Code::NotYet, span, message))
            }
            _ => self.made(what, span),
        }
    }

    fn state(&mut self, span: Span) -> Result<Script, Trouble> {
        self.need("(")?;
        let place = self.here();
        let Some(Token::Text(state)) = self.tokens.get(self.at).map(|spot| &spot.token) else {
            let message = said!("`In` takes the id of a state, in quotes");
            return Err(Trouble::new(Code::WrongArguments, place, message));
        };
        self.at += 1;
        self.need(")")?;
        self.made(ExprKind::In(state.clone()), span.start..place.end)
    }

    fn event(&mut self, span: Span) -> Result<Script, Trouble> {
        let mut path: Vec<String> = Vec::new();
        let mut end = span.end;
        loop {
            let is_bracketed = self.is_next("[");
            if !is_bracketed && !self.is_next(".") {
                break;
            }
            self.at += 1;
            let here = self.here();
            let word = match (
                self.tokens.get(self.at).map(|spot| &spot.token),
                is_bracketed,
            ) {
                (Some(Token::Word(word)), false) | (Some(Token::Text(word)), true) => word.clone(),
                _ => {
                    let message = said!("expected the name of a field after `_event`");
                    return Err(Trouble::new(Code::ExpressionSyntax, here, message));
                }
            };
            self.at += 1;
            end = here.end;
            if is_bracketed {
                self.need("]")?;
                end += 1;
            }
            path.push(word);
        }
        let span = span.start..end;
        match path.first().map(String::as_str) {
            Some("name" | "type" | "sendid" | "origintype" | "invokeid") if path.len() == 1 => {}
            Some("data") if path.len() <= 8 => {}
            _ => {
                let help = said!(
                    "use `_event.name`, `_event.type`, `_event.sendid`, `_event.data` or a field of `_event.data`"
                );
                let message = said!("this field of `_event` is not supported");
                return Err(Trouble::new(Code::NotYet, span, message).with_help(help));
            }
        }
        self.made(ExprKind::Event(path.join(".")), span)
    }

    fn math(&mut self, span: Span) -> Result<Script, Trouble> {
        self.need(".")?;
        let here = self.here();
        let Some(Token::Word(name)) = self.tokens.get(self.at).map(|spot| &spot.token) else {
            let message = said!("expected the name of a function after `Math.`");
            return Err(Trouble::new(Code::ExpressionSyntax, here, message));
        };
        self.at += 1;
        self.need("(")?;
        let mut args = Vec::new();
        while !self.is_next(")") {
            args.push(self.within(Self::choice)?);
            if !self.eat(",") {
                break;
            }
        }
        let end = self.here().end;
        self.need(")")?;
        self.made(ExprKind::Math(name.clone(), args), span.start..end)
    }

    /// Reads one level deeper.
    fn within(
        &mut self,
        read: fn(&mut Self) -> Result<Script, Trouble>,
    ) -> Result<Script, Trouble> {
        if self.open >= MAX_DEPTH {
            return Err(self.too_deep(self.here()));
        }
        self.open += 1;
        let read = read(self);
        self.open -= 1;
        read
    }

    fn made(&self, what: ExprKind, span: Span) -> Result<Script, Trouble> {
        let depth = 1 + match &what {
            ExprKind::Typeof(a) | ExprKind::IsThere(a) | ExprKind::Not(a) | ExprKind::Neg(a) => {
                a.depth
            }
            ExprKind::Binary(_, a, b) => a.depth.max(b.depth),
            ExprKind::Choice(a, b, c) => a.depth.max(b.depth).max(c.depth),
            ExprKind::Math(_, args) => args.iter().map(|arg| arg.depth).max().unwrap_or(0),
            _ => 0,
        };
        if depth > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        Ok(Script { what, span, depth })
    }

    fn too_deep(&self, span: Span) -> Trouble {
        let message = said!("an expression is nested deeper than {}", MAX_DEPTH);
        Trouble::new(Code::TooDeep, span, message)
    }

    fn is_next(&self, sign: &str) -> bool {
        let next = self.tokens.get(self.at);
        next.is_some_and(|spot| matches!(&spot.token, Token::Sign(found) if *found == sign))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.is_next(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn need(&mut self, sign: &str) -> Result<(), Trouble> {
        if self.eat(sign) {
            return Ok(());
        }
        let message = said!("expected `{}`", sign);
        Err(Trouble::new(Code::ExpressionSyntax, self.here(), message))
    }

    /// The place of the next token.
    fn here(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(spot) => self.place.span(spot.from, spot.to),
            None => self.place.span(self.end, self.end),
        }
    }

    fn unexpected(&self, spot: &Spot) -> Trouble {
        let span = self.place.span(spot.from, spot.to);
        let ecmascript = match &spot.token {
            Token::Sign("[") => Some("`[…]`"),
            Token::Sign("++") => Some("`++`"),
            Token::Sign("--") => Some("`--`"),
            Token::Word(word) if word == "in" => Some("`in`"),
            Token::Word(word) if word == "instanceof" => Some("`instanceof`"),
            _ => None,
        };
        if let Some(what) = ecmascript {
            return not_read(span, what);
        }
        let message = match &spot.token {
            Token::Sign(sign) => said!("unexpected `{}`", sign),
            Token::Word(word) => said!("unexpected `{}`", shortened(word)),
            _ => said!("unexpected value"),
        };
        Trouble::new(Code::ExpressionSyntax, span, message)
    }
}
