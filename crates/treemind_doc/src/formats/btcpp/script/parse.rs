//! Reads scripts.

use super::{Ast, Operator};
use crate::formats::btcpp::dialect;
use crate::syntax::shortened;
use crate::{Said, said};

/// How deeply expressions may be nested.
const MAX_DEPTH: usize = 64;
/// How many operators a statement may have. Each may be nested in the next one.
const MAX_OPERATORS: usize = 1_000;

/// The statements of a script, or what is wrong with it.
pub(in super::super) fn parse(code: &str) -> Result<Vec<Ast>, Said> {
    let mut parser = Parser {
        tokens: tokens(code)?,
        at: 0,
        depth: 0,
        operators: 0,
    };
    let mut statements = Vec::new();
    while parser.at < parser.tokens.len() {
        parser.operators = 0;
        let statement = parser.statement()?;
        // Since version 4.10, a statement may also end without `;`. A lonely name is no statement that anybody wants.
        let mut ends = parser.at == parser.tokens.len();
        while parser.take(";") {
            ends = true;
        }
        if let (Ast::Name(name), false) = (&statement, ends) {
            return Err(match &name[..] {
                "and" => said!("`{}` is no operator: write `{}`", name, "&&"),
                "or" => said!("`{}` is no operator: write `{}`", name, "||"),
                "not" => said!("`{}` is no operator: write `{}`", name, "!"),
                name => said!(
                    "expected an operator behind `{}`, found {}",
                    name,
                    parser.said()
                ),
            });
        }
        one_by_one(statement, &mut statements);
    }
    match statements.is_empty() {
        true => Err(said!("it is empty")),
        false => Ok(statements),
    }
}

/// `x := y := 2` is `y := 2` and then `x := y`.
fn one_by_one(statement: Ast, statements: &mut Vec<Ast>) {
    let mut outer = Vec::new();
    let mut inner = statement;
    while let Ast::Assign(name, operator, value) = inner {
        let of = match &*value {
            Ast::Assign(of, ..) => of.clone(),
            _ => {
                inner = Ast::Assign(name, operator, value);
                break;
            }
        };
        outer.push(Ast::Assign(name, operator, Box::new(Ast::Name(of))));
        inner = *value;
    }
    statements.push(inner);
    statements.extend(outer.into_iter().rev());
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Whole(i64),
    Text(String),
    Word(String),
    Sign(&'static str),
}

/// The longer ones first.
const SIGNS: [&str; 30] = [
    ":=", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "..", "=", "<", ">", "+",
    "-", "*", "/", "!", "~", "?", ":", "(", ")", ";", "&", "|", "^", ",",
];

fn tokens(code: &str) -> Result<Vec<Token>, Said> {
    let mut tokens = Vec::new();
    let mut rest = without_blanks(code);
    while let Some(first) = rest.chars().next() {
        let (token, length) = if matches!(first, '\'' | '"') {
            let end = rest[1..]
                .find(first)
                .ok_or_else(|| said!("a text is not closed"))?;
            let text = &rest[1..=end];
            (Token::Text(text.to_owned()), end + 2)
        } else if first.is_ascii_digit() {
            number(rest)?
        } else if first == '+' && begins_value(tokens.last()) && is_decimal(&rest[1..]) {
            let (number, length) = number(&rest[1..])?;
            (number, length + 1)
        } else if first.is_alphabetic() || matches!(first, '_' | '@') {
            let is_part = |(at, c): (usize, char)| at > 0 && !c.is_alphanumeric() && c != '_';
            let end = rest.char_indices().find(|one| is_part(*one));
            let end = end.map_or(rest.len(), |(at, _)| at);
            if &rest[..end] == "@" {
                return Err(said!("a name is missing behind `@`"));
            }
            (Token::Word(rest[..end].to_owned()), end)
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or_else(|| said!("unexpected `{}`", first))?;
            (Token::Sign(sign), sign.len())
        };
        tokens.push(token);
        rest = without_blanks(&rest[length..]);
    }
    Ok(tokens)
}

/// Whether a value is expected behind this token, so that a sign is none between two values.
fn begins_value(before: Option<&Token>) -> bool {
    matches!(before, None | Some(Token::Sign(_))) && before != Some(&Token::Sign(")"))
}

/// Whether a number begins here that may have a `+`. Names, texts and hexadecimal numbers have none there.
fn is_decimal(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && !text.starts_with("0x")
        && !text.starts_with("0X")
}

/// What stands behind blanks. A `\` at the end of a line is one of them; XML makes a blank of the end of the line.
fn without_blanks(code: &str) -> &str {
    let mut rest = code.trim_start();
    while let Some(next) = rest.strip_prefix('\\')
        && next.starts_with([' ', '\n', '\r'])
    {
        rest = next.trim_start();
    }
    rest
}

fn number(text: &str) -> Result<(Token, usize), Said> {
    let end =
        |text: &str, is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        let length = end(hex, |c| c.is_ascii_hexdigit());
        let is_whole =
            !hex[length..].starts_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
        let value = i64::from_str_radix(&hex[..length], 16);
        let value = value
            .ok()
            .filter(|_| is_whole || hex[length..].starts_with(".."));
        let value = value.ok_or_else(|| not_a_number(text))?;
        return Ok((Token::Whole(value), length + 2));
    }
    let mut length = end(text, |c| c.is_ascii_digit());
    let mut is_int = true;
    let rest = &text[length..];
    // `1..2` joins texts.
    if rest.starts_with('.') && !rest.starts_with("..") {
        is_int = false;
        let digits = end(&rest[1..], |c| c.is_ascii_digit());
        if digits == 0 {
            return Err(not_a_number(text));
        }
        length += 1 + digits;
    }
    if let Some(power) = text[length..].strip_prefix(['e', 'E']) {
        let sign = usize::from(power.starts_with(['+', '-']));
        let digits = end(&power[sign..], |c| c.is_ascii_digit());
        is_int = false;
        length += 1 + sign + digits;
        if digits == 0 {
            return Err(not_a_number(text));
        }
    }
    if text[length..].starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '@')) {
        return Err(not_a_number(text));
    }
    let token = match is_int {
        // BehaviorTree.CPP reads what 64 bits cannot hold as 0.
        true => text[..length].parse().ok().map(Token::Whole),
        false => dialect::double(&text[..length]).map(Token::Number),
    };
    Ok((token.ok_or_else(|| not_a_number(text))?, length))
}

fn not_a_number(text: &str) -> Said {
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_'));
    let text = shortened(&text[..end.unwrap_or(text.len())]);
    said!("`{}` is not a number, or is too large", text)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// How many operators the statement has so far.
    operators: usize,
}

impl Parser {
    fn said(&self) -> Said {
        match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) => format!("`{sign}`").into(),
            Some(Token::Word(word)) => format!("`{}`", shortened(word)).into(),
            Some(Token::Text(text)) => said!("the text '{}'", shortened(text)),
            Some(Token::Number(number)) => format!("`{number}`").into(),
            Some(Token::Whole(number)) => format!("`{number}`").into(),
            None => said!("the end of the script"),
        }
    }

    /// A node of two sides.
    fn two_sided(&mut self, operator: Operator, left: Ast, right: Ast) -> Result<Ast, Said> {
        self.operators += 1;
        match self.operators > MAX_OPERATORS {
            true => Err(said!(
                "a statement has more than {} operators",
                MAX_OPERATORS
            )),
            false => Ok(Ast::Binary(operator, Box::new(left), Box::new(right))),
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.at), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        signs.iter().copied().find(|sign| self.take(sign))
    }

    /// An expression, or what is assigned to one name, or to several: `x := y := 2`.
    fn statement(&mut self) -> Result<Ast, Said> {
        let mut targets = Vec::new();
        while let Some(Token::Word(name)) = self.tokens.get(self.at).cloned()
            && let Some(Token::Sign(sign @ (":=" | "=" | "+=" | "-=" | "*=" | "/="))) =
                self.tokens.get(self.at + 1).cloned()
        {
            self.at += 2;
            let operator = sign.chars().next().filter(|c| *c != ':');
            targets.push((name, operator));
            if targets.len() > MAX_DEPTH {
                return Err(said!("it is nested deeper than {}", MAX_DEPTH));
            }
        }
        let mut value = self.choice()?;
        for (name, operator) in targets.into_iter().rev() {
            value = Ast::Assign(name, operator, Box::new(value));
        }
        Ok(value)
    }

    fn choice(&mut self) -> Result<Ast, Said> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(said!("it is nested deeper than {}", MAX_DEPTH));
        }
        let condition = self.or()?;
        let choice = if self.take("?") {
            let then = self.statement()?;
            if !self.take(":") {
                return Err(said!("expected `:`, found {}", self.said()));
            }
            let other = self.choice()?;
            Ast::Choice(Box::new(condition), Box::new(then), Box::new(other))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(choice)
    }

    fn or(&mut self) -> Result<Ast, Said> {
        let mut left = self.and()?;
        while self.take("||") {
            let right = self.and()?;
            left = self.two_sided(Operator::Or, left, right)?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Ast, Said> {
        let mut left = self.comparison()?;
        while self.take("&&") {
            let right = self.comparison()?;
            left = self.two_sided(Operator::And, left, right)?;
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Ast, Said> {
        let first = self.binary(0)?;
        let mut rest = Vec::new();
        while let Some(sign) = self.one_of(&["==", "!=", "<=", ">=", "<", ">"]) {
            rest.push((sign, self.binary(0)?));
        }
        Ok(match rest.is_empty() {
            true => first,
            false => Ast::Compared(Box::new(first), rest),
        })
    }

    /// The operators between comparisons and signs, by how tightly they bind.
    fn binary(&mut self, level: usize) -> Result<Ast, Said> {
        const LEVELS: [&[&str]; 4] = [&["|", "^"], &["&"], &["..", "+", "-"], &["*", "/"]];
        let Some(signs) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.one_of(signs) {
            let right = self.binary(level + 1)?;
            let first = sign.chars().next().unwrap_or('+');
            let operator = match sign {
                ".." => Operator::Join,
                "|" | "^" | "&" => Operator::Bits(first),
                _ => Operator::Arithmetic(first),
            };
            left = self.two_sided(operator, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Ast, Said> {
        let mut signs = Vec::new();
        while let Some(sign) = self.one_of(&["-", "!", "~"]) {
            signs.push(sign);
            if signs.len() > MAX_DEPTH {
                return Err(said!("it is nested deeper than {}", MAX_DEPTH));
            }
        }
        let mut inner = self.atom()?;
        for sign in signs.into_iter().rev() {
            inner = match sign {
                "-" => Ast::Minus(Box::new(inner)),
                "!" => Ast::Not(Box::new(inner)),
                _ => Ast::Binary(
                    Operator::Bits('~'),
                    Box::new(Ast::Whole(0)),
                    Box::new(inner),
                ),
            };
        }
        Ok(inner)
    }

    fn atom(&mut self) -> Result<Ast, Said> {
        if self.take("(") {
            let inner = self.statement()?;
            return match self.take(")") {
                true => Ok(inner),
                false => Err(said!("expected `)`, found {}", self.said())),
            };
        }
        let atom = match self.tokens.get(self.at).cloned() {
            Some(Token::Number(number)) => Ast::Number(number),
            Some(Token::Whole(number)) => Ast::Whole(number),
            Some(Token::Text(text)) => Ast::Text(text),
            Some(Token::Word(word)) if word == "true" || word == "false" => {
                Ast::Bool(word == "true")
            }
            Some(Token::Word(word)) => Ast::Name(word),
            Some(Token::Sign(_)) | None => {
                return Err(said!("expected a value, found {}", self.said()));
            }
        };
        self.at += 1;
        Ok(atom)
    }
}
