//! What any node may have: guards before it, hooks after it, and its weight among its siblings.

use super::Checker;
use super::leaf::key_in_braces;
use super::line::Line;
use super::options::continues_elsewhere;
use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::expression::{Foresight, a_type, extent};
use crate::language::{ABORTS, Aborts, WHILE_ELSE, is_choice_of_failure, is_continue};
use crate::said;
use crate::syntax::{Value as Written, shortened};
use treemind_core::behaviour::{Guards, Hooks, MAX_DEPTH, Scope};
use treemind_core::{Expr, KeyId, Status, Type, Value};

impl Checker<'_> {
    /// Reads `fail-if=`, `succeed-if=`, `skip-if=`, `while=` with `while-else=`, and `when=` with `aborts=`, of a node
    /// whose parent is of the kind `above`.
    pub(super) fn guards(
        &mut self,
        line: &mut Line<'_>,
        above: Option<&str>,
    ) -> Result<Guards, Reported> {
        let [fail_if, when, succeed_if, skip_if, while_holds] =
            ["fail-if", "when", "succeed-if", "skip-if", "while"]
                .map(|name| self.guard(line, name));
        let while_else = self.read(line, &WHILE_ELSE);
        let aborts = self.aborts(line, above);
        if let Some(entry) = line.property("while-else")
            && !line.has("while")
            && aborts != Aborts::Both
        {
            let message = said!("`while-else` needs a `while` on the same node");
            self.sink
                .error(Code::MissingValue, entry.span.clone(), message)
                .with_help(said!("try `while=\"ammo > 0\" while-else=failure`"));
        }
        let (fail_if, when, succeed_if) = (fail_if?, when?, succeed_if?);
        let (skip_if, while_holds) = (skip_if?, while_holds?);
        let (while_holds, while_else) = if aborts == Aborts::Both {
            let said = while_else.filter(|_| line.has("while-else"));
            (when.clone(), Some(said.unwrap_or(Status::Failure)))
        } else {
            (while_holds, while_else)
        };
        let fail_if = match (fail_if, when) {
            (fail_if, None) => fail_if,
            (None, Some(when)) => Some(Expr::Not(Box::new(when))),
            (Some(fail_if), Some(when)) => {
                let not = Expr::Not(Box::new(when));
                Some(Expr::Or(Box::new(fail_if), Box::new(not)))
            }
        };
        if let Some(fail_if) = &fail_if
            && let Some(when) = line.property("when")
            && extent(fail_if).0 > MAX_DEPTH
        {
            let message = said!(
                "this expression is nested deeper than {}, counting what `when` adds",
                MAX_DEPTH
            );
            self.sink.error(Code::TooDeep, when.span.clone(), message);
        }
        Ok(Guards {
            fail_if,
            succeed_if,
            skip_if,
            while_holds,
            while_else: while_else.unwrap_or(Status::Skipped),
            aborts_lower: aborts != Aborts::None,
        })
    }

    /// Reads `aborts=` next to `when=`, under a `selector`.
    fn aborts(&mut self, line: &mut Line<'_>, above: Option<&str>) -> Aborts {
        let aborts = self.read(line, &ABORTS).unwrap_or(Aborts::None);
        let Some(entry) = line.property("aborts").filter(|_| aborts != Aborts::None) else {
            return Aborts::None;
        };
        let span = entry.span.clone();
        if above != Some("selector") {
            let message = said!("`aborts=` is only allowed on children of a `selector`");
            let help = match above {
                Some("reactive-selector") => {
                    said!(
                        "remove it: a `reactive-selector` asks its earlier children on every tick anyway"
                    )
                }
                None => {
                    said!(
                        "move it to the node under the `selector`, such as `subtree NAME when=… aborts=…`"
                    )
                }
                _ => {
                    said!(
                        "use `while=` to cut off the node itself; to cut off another node, put both under a `selector`"
                    )
                }
            };
            self.sink
                .error(Code::UnknownProperty, span, message)
                .with_help(help);
            return Aborts::None;
        }
        if !line.has("when") {
            let message = said!("`aborts` needs a `when` on the same node");
            let help = if line.has("fail-if") {
                said!("replace `fail-if` by `when=` with the opposite condition")
            } else {
                said!("try `when=\"health < 20\" aborts=lower`")
            };
            self.sink
                .error(Code::MissingValue, span, message)
                .with_help(help);
            return Aborts::None;
        }
        if aborts == Aborts::Both
            && let Some(other) = line.property("while")
        {
            let message =
                said!("`aborts=both` uses its `when` as a `while`, and there is a `while` already");
            self.sink
                .error(Code::Contradiction, other.span.clone(), message)
                .with_help(said!("write `aborts=lower`, and put every condition that has to keep holding into `while=`"));
            return Aborts::Lower;
        }
        aborts
    }

    /// Reads a guard on a line; `None` when the line has none.
    pub(super) fn guard(
        &mut self,
        line: &mut Line<'_>,
        name: &str,
    ) -> Result<Option<Expr>, Reported> {
        let Some(entry) = line.property(name) else {
            return Ok(None);
        };
        let guard =
            self.asked(|checker| checker.number(entry, Type::Bool, &said!("`{}`", name)))?;
        self.note_of_item(name, entry, &guard);
        Ok(Some(guard))
    }

    /// Reads something that is evaluated repeatedly.
    pub(super) fn asked<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.is_asked = true;
        let read = read(self);
        self.scope.is_asked = false;
        read
    }

    /// `on-success=`, `on-failure=`, `on-abort=` and `on-end=`. A planner foresees what its steps do when they succeed.
    pub(super) fn hooks(&mut self, line: &mut Line<'_>, is_step: bool) -> Result<Hooks, Reported> {
        let word = line.node.name.value.as_str();
        let [on_success, on_failure, on_abort, on_end] =
            ["on-success", "on-failure", "on-abort", "on-end"].map(|name| {
                let Some(entry) = line.property(name) else {
                    return Ok(Vec::new());
                };
                match (word, name, &entry.value) {
                    // The word has another meaning there. A flag or a number is not a statement, because statements are
                    // texts.
                    ("try-catch", "on-abort", Written::Bool(_) | Written::Int(_)) => Ok(Vec::new()),
                    ("utility-selector", "on-failure", Written::Text(_))
                        if is_choice_of_failure(entry) && !is_continue(entry) =>
                    {
                        Ok(Vec::new())
                    }
                    _ if is_continue(entry) => continues_elsewhere(word, name, entry, self.sink),
                    (_, "on-success" | "on-end", _) if is_step => {
                        self.foreseeing(Foresight::Effect, |checker| checker.statements(entry))
                    }
                    _ => self.statements(entry),
                }
            });
        let on_fault = self.on_fault(line);
        Ok(Hooks {
            on_success: on_success?,
            on_failure: on_failure?,
            on_abort: on_abort?,
            on_end: on_end?,
            on_fault: on_fault?,
        })
    }

    /// `on-fault="{key}"`
    fn on_fault(&mut self, line: &mut Line<'_>) -> Result<Option<KeyId>, Reported> {
        let Some(entry) = line.property("on-fault") else {
            return Ok(None);
        };
        let help = said!(
            "write `on-fault=\"{why}\"`, with a key of type `string`, and ask `why == 'unset'`"
        );
        let Some((text, name)) = key_in_braces(&entry.value) else {
            let message = said!("`on-fault` needs a key in braces, which it writes");
            let problem = self
                .sink
                .error(Code::WrongType, entry.span.clone(), message);
            return Err(problem.with_help(help));
        };
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return Err(self.sink.reported_before(text.span.clone()));
        };
        let refusal = if self.scope.is_list(key) {
            said!("a list")
        } else if let Some(why) = self.scope.why_not_written(key, name) {
            why
        } else if self.scope.key(key).scope != Scope::Agent {
            said!("shared with other agents")
        } else if !matches!(ty, Type::Text | Type::Any) {
            a_type(ty)
        } else {
            self.scope.fault_words.written(key);
            return Ok(Some(key));
        };
        let name = shortened(name);
        let message = said!("`on-fault` cannot write to `{}`: it is {}", name, refusal);
        let problem = self.sink.error(Code::WrongType, text.span.clone(), message);
        Err(problem.with_help(help))
    }

    /// `weight=` of a child of a `weighted-selector`.
    pub(super) fn weight(&mut self, line: &mut Line<'_>) -> Option<Expr> {
        let Some(entry) = line.property("weight") else {
            let message = said!("this child of a `weighted-selector` has no weight");
            self.sink
                .error(Code::MissingValue, line.node.span.clone(), message)
                .with_help(said!(
                    "add `weight=1.0`, or another weight to draw it more or less often"
                ));
            return None;
        };
        let weight = self
            .asked(|checker| checker.number(entry, Type::Double, &said!("`weight`")))
            .ok()?;
        let span = entry.value_span.clone();
        match weight {
            Expr::Value(Value::Double(value)) if value < 0.0 => {
                let message = said!("a weight cannot be negative");
                self.sink
                    .error(Code::BadNumber, span, message)
                    .with_help(said!("use the weight 0 for a child that is never drawn"));
                None
            }
            Expr::Value(Value::Double(0.0)) => {
                let message = said!("this child can never run: its weight is 0");
                self.sink
                    .warning(Code::NeverRuns, span, message)
                    .with_help(said!(
                        "to switch a node off for now, use `disabled={}`",
                        "#true"
                    ));
                Some(weight)
            }
            _ => Some(weight),
        }
    }
}

/// Reports `weight=` where the parent draws no child.
pub(super) fn no_weight(line: &mut Line<'_>, sink: &mut Sink) {
    if let Some((_, entry)) = line
        .unread()
        .into_iter()
        .find(|(name, _)| name.value == "weight")
    {
        line.property("weight");
        let message = said!("`weight=` is only allowed on children of a `weighted-selector`");
        sink.error(Code::UnknownProperty, entry.span.clone(), message)
            .with_help(said!(
                "remove it, or change the parent into a `weighted-selector`"
            ));
    }
}
