//! Expressions where nodes take them: `check`, `set`, seconds and counts.

use super::Checker;
use super::leaf::braced;
use super::line::Line;
use super::literal::literal;
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::expression::{self, Fragment, Typing};
use crate::suggest;
use crate::syntax::{Entry, Text, Value as Written, shortened};
use treemind_core::behaviour::Times;
use treemind_core::expr::Assign;
use treemind_core::{Expr, Kind, Type, Value};

impl Checker<'_> {
    /// The expression in a text from byte `skip` on, as `want`.
    pub(super) fn expression(
        &mut self,
        text: &Text,
        skip: usize,
        want: Type,
    ) -> Result<Expr, Reported> {
        let fragment = Fragment::new(text, skip);
        let ast = expression::parse(fragment, self.sink)?;
        Typing::new(&ast, fragment, &mut self.scope, self.sink).expression(want)
    }

    /// The expression in a text, of whatever type it is.
    pub(super) fn inferred_expression(
        &mut self,
        text: &Text,
        skip: usize,
    ) -> Result<Expr, Reported> {
        let fragment = Fragment::new(text, skip);
        let ast = expression::parse(fragment, self.sink)?;
        Typing::new(&ast, fragment, &mut self.scope, self.sink).inferred()
    }

    /// The statements of `set` and the like.
    pub(super) fn statements(&mut self, entry: &Entry) -> Result<Vec<Assign>, Reported> {
        let span = entry.value_span.clone();
        let text = match &entry.value {
            Written::Text(text) => text,
            Written::Bad => return Err(self.sink.reported_before(span)),
            _ => {
                let message = "statements stand in quotes";
                let problem = self.sink.error(Code::WrongType, span, message);
                return Err(problem.with_help("such as `\"mood = calm\"`"));
            }
        };
        let fragment = Fragment::new(text, 0);
        let ast = expression::parse_statements(fragment, self.sink)?;
        Typing::new(&ast, fragment, &mut self.scope, self.sink).statements()
    }

    pub(super) fn check_node(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let entry = self.value_of(line, "an expression", "check \"health < 20\"")?;
        let expr = match &entry.value {
            Written::Text(text) => {
                let skip = usize::from(text.value.starts_with('='));
                self.expression(text, skip, Type::Bool).ok()?
            }
            Written::Bool(value) => Expr::Value(Value::Bool(*value)),
            Written::Bad => return None,
            _ => {
                let message = "`check` asks an expression that is true or false";
                self.sink
                    .error(Code::WrongType, entry.span.clone(), message)
                    .with_help("put it in quotes: `check \"health < 20\"`");
                return None;
            }
        };
        Some(Kind::Check { expr })
    }

    pub(super) fn set_node(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let unread = line.unread();
        if line.values().is_empty()
            && let Some((name, entry)) = unread
                .iter()
                .find(|(name, _)| self.scope.find(&name.value).is_some())
        {
            line.property(&name.value);
            let message = "the statements of `set` stand in quotes";
            let value = self.sink.slice(&entry.value_span).to_owned();
            self.sink
                .error(Code::Syntax, entry.span.clone(), message)
                .with_help(format!(
                    "write `set \"{} = {}\"`",
                    name.value,
                    shortened(&value)
                ));
            return None;
        }
        let entry = self.value_of(line, "statements", "set \"mood = calm\"")?;
        let assigns = self.statements(entry).ok()?;
        Some(Kind::Set { assigns })
    }

    /// The one value of a node; reports when there is none.
    pub(super) fn value_of<'n>(
        &mut self,
        line: &Line<'n>,
        what: &str,
        example: &str,
    ) -> Option<&'n Entry> {
        if let [first, .., last] = line.values()
            && matches!(&first.value, Written::Text(text) if text.bare)
        {
            let span = first.span.start..last.span.end;
            let node = &line.node.name.value;
            let written = shortened(self.sink.slice(&span));
            let message = format!("what `{node}` takes stands in quotes when it has spaces");
            self.sink
                .error(Code::ExtraValue, span, message)
                .with_help(format!("write `{node} \"{written}\"`"));
            return None;
        }
        let entry = line.only_value(self.sink);
        if entry.is_none() {
            let node = line.node;
            let message = format!("`{}` needs {what}", node.name.value);
            self.sink
                .error(Code::MissingValue, node.name.span.clone(), message)
                .with_help(format!("such as `{example}`"));
        }
        entry
    }

    /// The seconds that a node takes; `example` is the node with some.
    pub(super) fn seconds(&mut self, line: &mut Line<'_>, example: &str) -> Option<Expr> {
        let entry = self.value_of(line, "the number of seconds", example)?;
        let what = format!("the time of `{}`", line.node.name.value);
        self.time(entry, &what)
    }

    /// So many seconds; a literal is not negative.
    pub(super) fn time(&mut self, entry: &Entry, what: &str) -> Option<Expr> {
        let secs = self.number(entry, Type::Double, what).ok()?;
        if let Expr::Value(Value::Double(value)) = secs
            && value < 0.0
        {
            let message = "a time cannot be negative";
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        Some(secs)
    }

    pub(super) fn timeout(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let secs = self.seconds(line, "timeout 5.0")?;
        if secs == Expr::Value(Value::Double(0.0)) {
            let message = "`timeout 0` never runs its child: its time is over at once";
            self.never(line, message);
        }
        Some(Kind::Timeout { secs })
    }

    pub(super) fn limit(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let per_parent = self.choice(line, "per", &[("agent", false), ("parent", true)]);
        let example = "limit 3` or `limit \"=lives\"";
        let entry = self.value_of(line, "the number of runs", example)?;
        if let Written::Decimal(..) = &entry.value {
            let message = "`limit` counts whole runs";
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        let runs = self.number(entry, Type::Int, "the count of `limit`").ok()?;
        match runs {
            Expr::Value(Value::Int(..0)) => {
                let message = "a count cannot be negative";
                self.sink
                    .error(Code::BadNumber, entry.value_span.clone(), message)
                    .with_help("without a limit the node is not needed");
                return None;
            }
            Expr::Value(Value::Int(0)) => {
                self.never(line, "`limit 0` never runs its child: it fails at once");
            }
            _ => {}
        }
        Some(Kind::Limit {
            runs,
            per_parent: per_parent?,
        })
    }

    pub(super) fn chance(&mut self, line: &mut Line<'_>) -> Option<Kind> {
        let entry = self.value_of(line, "a probability", "chance 0.5")?;
        let what = "the probability of `chance`";
        let probability = self.number(entry, Type::Double, what).ok()?;
        if let Expr::Value(Value::Double(value)) = probability {
            if !(0.0..=1.0).contains(&value) {
                let message = "a probability lies between 0 and 1";
                let diagnostic =
                    self.sink
                        .error(Code::BadNumber, entry.value_span.clone(), message);
                if (2.0..=100.0).contains(&value) {
                    let share = value / 100.0;
                    diagnostic.with_help(format!("for {value} of 100 runs, write `{share}`"));
                }
                return None;
            }
            if value == 0.0 {
                self.never(line, "`chance 0` never runs its child: it always fails");
            }
        }
        Some(Kind::Chance { probability })
    }

    fn never(&mut self, line: &Line<'_>, message: &str) {
        if let Some(entry) = line.values().first() {
            self.sink
                .warning(Code::NeverRuns, entry.value_span.clone(), message)
                .with_help("to take a node out for a while, use `disabled=#true`");
        }
    }

    /// How often a loop runs.
    pub(super) fn times(&mut self, line: &mut Line<'_>) -> Option<Times> {
        let name = line.node.name.value.as_str();
        let example = format!("{name} 3`, `{name} forever` or `{name} \"=shots\"");
        let entry = self.value_of(line, "a number, or `forever`", &example)?;
        if let Written::Text(text) = &entry.value {
            if text.value == "forever" {
                return Some(Times::Forever);
            }
            let known = self.scope.find(&text.value).is_some();
            let meant = ["infinite", "always", "inf", "endless"].contains(&text.value.as_str());
            if !known && (meant || suggest::nearest(&text.value, ["forever"]).is_some()) {
                let message = format!("`{}` is neither a number nor a key", shortened(&text.value));
                self.sink
                    .error(Code::BadChoice, text.span.clone(), message)
                    .with_help("did you mean `forever`?");
                return None;
            }
        }
        if let Written::Decimal(value, _) = &entry.value {
            let message = format!("`{name}` counts whole runs");
            let diagnostic = self
                .sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            if value.is_infinite() {
                diagnostic.with_help(format!("write `{name} forever`"));
            }
            return None;
        }
        let what = format!("the count of `{name}`");
        let count = self.number(entry, Type::Int, &what).ok()?;
        match count {
            Expr::Value(Value::Int(..0)) => {
                let message = "a count cannot be negative";
                self.sink
                    .error(Code::BadNumber, entry.value_span.clone(), message)
                    .with_help(format!("for no limit, write `{name} forever`"));
                return None;
            }
            Expr::Value(Value::Int(0)) => {
                let answer = if name == "repeat" {
                    "succeeds"
                } else {
                    "fails"
                };
                let message = format!("`{name} 0` never runs its child: it {answer} at once");
                self.sink
                    .warning(Code::LoopOfZero, entry.value_span.clone(), message)
                    .with_help("to take a node out for a while, use `disabled=#true`");
            }
            _ => {}
        }
        Some(Times::Count(count))
    }

    /// A literal, `"{key}"` or an expression, with or without a leading `=`.
    pub(super) fn number(
        &mut self,
        entry: &Entry,
        want: Type,
        what: &str,
    ) -> Result<Expr, Reported> {
        let Written::Text(text) = &entry.value else {
            return literal(entry, want, what, &self.scope, self.sink).map(Expr::Value);
        };
        if let Some(key) = braced(text) {
            let inner = Text {
                value: key.to_owned(),
                span: text.span.clone(),
                verbatim: None,
                bare: false,
            };
            return self.expression(&inner, 0, want);
        }
        let skip = usize::from(text.value.starts_with('='));
        self.expression(text, skip, want)
    }
}
