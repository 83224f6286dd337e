//! Scripts as expressions of ours.

use super::super::Trouble;
use super::super::script::{Binary, ExprKind, Script};
use super::super::types::is_whole_divisor;
use super::Writer;
use crate::code::Code;
use crate::expression::quoted;
use crate::syntax::Span;
use crate::{Said, said};
use treemind_core::Type;

/// How tightly the parts of an expression hold together, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Sign,
    Whole,
}

/// The text of an expression.
struct Written {
    text: String,
    tie: Tie,
}

impl Written {
    fn new(text: impl Into<String>, tie: Tie) -> Self {
        let text = text.into();
        Self { text, tie }
    }

    /// The text, in brackets if it would fall apart beside something that ties as tightly.
    fn at(&self, tie: Tie) -> String {
        match self.tie < tie {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

/// The problem that KDL has no form for something.
pub(super) fn no_form(span: &Span, what: Said, help: Said) -> Trouble {
    let message = said!("{} cannot be written in KDL", what);
    Trouble::new(Code::NoForm, span.clone(), message).with_help(help)
}

impl Writer<'_> {
    /// A script as an expression.
    pub(super) fn expr(&self, script: &Script) -> Result<String, Trouble> {
        self.written(script).map(|written| written.text)
    }

    /// A script as a condition: its value must be set, not empty, and not the number 0.
    pub(super) fn test(&self, script: &Script) -> Result<String, Trouble> {
        self.tested(script).map(|written| written.text)
    }

    fn tested(&self, script: &Script) -> Result<Written, Trouble> {
        let holds = match &script.what {
            ExprKind::Choice(test, then, other) => {
                let (test, then, other) = (self.test(test)?, self.test(then)?, self.test(other)?);
                return Ok(choice(&test, &then, &other));
            }
            _ => self.written(script)?,
        };
        let holds = match self.kinds.type_of(script) {
            Some(Type::Bool) => holds,
            None | Some(Type::Int) => {
                Written::new(format!("{} != 0", holds.at(Tie::Sum)), Tie::Comparison)
            }
            Some(Type::Text) => {
                Written::new(format!("{} != ''", holds.at(Tie::Sum)), Tie::Comparison)
            }
            // NaN does not hold either.
            Some(Type::Double) => {
                Written::new(format!("abs({}) > 0.0", holds.text), Tie::Comparison)
            }
            Some(_) => {
                let what = said!("whether a value of any type counts as true");
                let help = said!("compare it with a value");
                return Err(no_form(&script.span, what, help));
            }
        };
        Ok(match self.optional(script) {
            Some(key) => Written::new(
                format!("has({key}) && {}", holds.at(Tie::Comparison)),
                Tie::And,
            ),
            None => holds,
        })
    }

    /// The key of a variable that may be unset.
    fn optional(&self, script: &Script) -> Option<&str> {
        match &script.what {
            ExprKind::Name(name) => {
                let (key, is_optional) = self.keys.get(name.as_str())?;
                is_optional.then_some(key.as_str())
            }
            _ => None,
        }
    }

    fn written(&self, script: &Script) -> Result<Written, Trouble> {
        let span = &script.span;
        let whole = |text: String| Written::new(text, Tie::Whole);
        Ok(match &script.what {
            ExprKind::Int(int) if *int < 0 => Written::new(int.to_string(), Tie::Sign),
            ExprKind::Int(int) => whole(int.to_string()),
            ExprKind::Double(double) if *double < 0.0 => {
                Written::new(format!("{double:?}"), Tie::Sign)
            }
            ExprKind::Double(double) => whole(format!("{double:?}")),
            ExprKind::Text(text) => whole(quoted(text)),
            ExprKind::Bool(truth) => whole(truth.to_string()),
            ExprKind::Name(name) if name == "_name" => whole(quoted(&self.machine)),
            ExprKind::Name(name) => match self.keys.get(name.as_str()) {
                Some((key, _)) => whole(key.clone()),
                None => unreachable!("names were checked when the machine was built"),
            },
            ExprKind::Event(field) => whole(format!("event.{}", self.param(field, span)?)),
            ExprKind::IsThere(asked) => match self.optional(asked) {
                Some(key) => whole(format!("has({key})")),
                None if matches!(asked.what, ExprKind::Name(_)) => whole("true".to_owned()),
                None => {
                    let what = said!("whether an event carries a value");
                    let help = said!("a parameter of an event always has a value");
                    return Err(no_form(span, what, help));
                }
            },
            ExprKind::In(_) => {
                let what = said!("`In('…')`");
                let help = said!("keep it in a variable that the state assigns");
                return Err(no_form(span, what, help));
            }
            ExprKind::Nothing | ExprKind::Typeof(_) => {
                unreachable!("stands in comparisons and assignments only")
            }
            ExprKind::Not(inner) => {
                Written::new(format!("!{}", self.tested(inner)?.at(Tie::Sign)), Tie::Sign)
            }
            ExprKind::Neg(inner) => Written::new(
                format!("-{}", self.written(inner)?.at(Tie::Whole)),
                Tie::Sign,
            ),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            ExprKind::Choice(test, then, other) => {
                choice(&self.test(test)?, &self.expr(then)?, &self.expr(other)?)
            }
            ExprKind::Math(name, args) => whole(self.math(name, args)?),
        })
    }

    fn binary(&self, operator: Binary, left: &Script, right: &Script) -> Result<Written, Trouble> {
        if let Binary::And | Binary::Or = operator {
            let (sign, tie) = match operator {
                Binary::And => ("&&", Tie::And),
                _ => ("||", Tie::Or),
            };
            let (left, right) = (self.tested(left)?.at(tie), self.tested(right)?.at(tie));
            return Ok(Written::new(format!("{left} {sign} {right}"), tie));
        }
        let (sign, tie) = match operator {
            Binary::Eq => ("==", Tie::Comparison),
            Binary::Ne => ("!=", Tie::Comparison),
            Binary::Lt => ("<", Tie::Comparison),
            Binary::Le => ("<=", Tie::Comparison),
            Binary::Gt => (">", Tie::Comparison),
            Binary::Ge => (">=", Tie::Comparison),
            Binary::Add => ("+", Tie::Sum),
            Binary::Sub => ("-", Tie::Sum),
            Binary::Mul => ("*", Tie::Product),
            Binary::Div => ("/", Tie::Product),
            Binary::Rem => ("%", Tie::Product),
            Binary::And | Binary::Or => unreachable!("is written above"),
        };
        let one = self.written(left)?;
        let other = self.written(right)?;
        // What follows ties more tightly: comparisons do not stand in a row, and `a - (b - c)` keeps its brackets.
        let next = match tie {
            Tie::Comparison => Tie::Sum,
            Tie::Sum => Tie::Product,
            _ => Tie::Sign,
        };
        let first = if tie == Tie::Comparison { next } else { tie };
        // The quotient of whole numbers may not be whole.
        let is_whole = |script: &Script| self.kinds.type_of(script) == Some(Type::Int);
        let divides = match operator {
            Binary::Div => true,
            Binary::Rem => !is_whole_divisor(right),
            _ => false,
        };
        let one = match &left.what {
            ExprKind::Int(int) if divides && is_whole(right) => format!("{int}.0"),
            _ if divides && is_whole(left) && is_whole(right) => {
                format!("double({})", one.text)
            }
            _ => one.at(first),
        };
        let other = other.at(next);
        let mut compared = Written::new(format!("{one} {sign} {other}"), tie);
        // An unset variable is not equal to any value.
        if let Binary::Eq | Binary::Ne = operator {
            let keys: Vec<&str> = [left, right]
                .into_iter()
                .filter_map(|side| self.optional(side))
                .collect();
            for key in keys.into_iter().rev() {
                let (sign, negated, tie) = match operator {
                    Binary::Eq => ("&&", "", Tie::And),
                    _ => ("||", "!", Tie::Or),
                };
                let text = format!("{negated}has({key}) {sign} {}", compared.at(tie));
                compared = Written::new(text, tie);
            }
        }
        Ok(compared)
    }

    fn math(&self, name: &str, args: &[Script]) -> Result<String, Trouble> {
        if name == "pow" {
            let base = self.written(&args[0])?;
            let ExprKind::Int(power @ 0..) = args[1].what else {
                unreachable!("was checked when the machine was built");
            };
            let factors = vec![base.at(Tie::Sign); power as usize];
            return Ok(match power {
                0 => "1".to_owned(),
                1 => factors.concat(),
                _ => format!("({})", factors.join(" * ")),
            });
        }
        let takes_int = matches!(name, "abs" | "min" | "max");
        let args = args.iter().map(|arg| {
            let text = self.expr(arg)?;
            let is_whole = self.kinds.type_of(arg) == Some(Type::Int);
            Ok(match is_whole && !takes_int {
                true => format!("double({text})"),
                false => text,
            })
        });
        let args: Vec<String> = args.collect::<Result<_, Trouble>>()?;
        Ok(format!("{name}({})", args.join(", ")))
    }
}

fn choice(test: &str, then: &str, other: &str) -> Written {
    let text = format!("(if {test} {{ {then} }} else {{ {other} }})");
    Written::new(text, Tie::Whole)
}
