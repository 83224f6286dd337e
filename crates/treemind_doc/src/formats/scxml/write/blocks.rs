//! Executable content as tasks of ours.

use super::super::Trouble;
use super::super::chart::{Action, Block, Delay, Load, Logged, Said as Name};
use super::super::events::ERROR;
use super::super::script::{Binary, ExprKind, Script};
use super::exprs::no_form;
use super::{Writer, made, word};
use crate::said;
use crate::syntax::{Entry, Node, Span, Value};
use treemind_core::Type;

impl Writer<'_> {
    /// The tasks that carry out blocks, each up to its first fault.
    pub(super) fn tasks(&mut self, blocks: &[Block], span: &Span) -> Vec<Node> {
        blocks
            .iter()
            .flat_map(|block| self.block(block, span))
            .collect()
    }

    pub(super) fn block(&mut self, block: &Block, span: &Span) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(block.len());
        for action in block {
            match self.action(action, span) {
                Ok(node) => nodes.extend(node),
                Err(trouble) => self.troubles.push(trouble),
            }
        }
        let fails = block.iter().position(|action| !self.is_safe(action));
        if fails.is_some() && self.tasks.events.id(ERROR).is_some() {
            nodes.push(made("emit", span, vec![word(ERROR, span)]));
            return vec![made("try-catch", span, Vec::new()).block(nodes)];
        }
        // Where nothing follows what can fail, nothing has to be stopped.
        match fails.is_some_and(|at| at + 1 < block.len()) {
            true => vec![made("sequence", span, Vec::new()).block(nodes)],
            false => nodes,
        }
    }

    /// A branch. Its faults are faults of the whole block.
    fn branch(&mut self, block: &Block, span: &Span) -> Result<Node, Trouble> {
        let mut nodes = Vec::with_capacity(block.len());
        for action in block {
            nodes.extend(self.action(action, span)?);
        }
        Ok(match nodes.len() {
            0 => made("succeed", span, Vec::new()),
            1 => nodes.swap_remove(0),
            _ => made("sequence", span, Vec::new()).block(nodes),
        })
    }

    /// One action; nothing for what happens of itself in a document of ours.
    fn action(&mut self, action: &Action, span: &Span) -> Result<Option<Node>, Trouble> {
        Ok(Some(match action {
            Action::Raise { event, load } => self.emit(event, load, false, span)?,
            Action::Send {
                event,
                load,
                delay,
                span,
                ..
            } => match delay {
                Delay::Secs(0.0) => self.emit(event, load, true, span)?,
                _ if self.timers.is_made_by(span) => return Ok(None),
                _ => {
                    let what = said!("this `<send>` with a delay");
                    let help = said!(
                        "send it in the `<onentry>` of a state, once, and wait for it only in transitions of that state with a target and without `cond`: then it becomes `after=`"
                    );
                    return Err(no_form(span, what, help));
                }
            },
            // What is cancelled is a timer, which ends with its state; anything else has been reported.
            Action::Cancel { .. } => return Ok(None),
            Action::Fail { .. } => made("fail", span, Vec::new()),
            Action::Log(logged) => self.log(logged, span),
            Action::Assign { name, value, .. } => match self.keys.get(name.as_str()) {
                None => made("fail", span, Vec::new()),
                Some((key, _)) if value.what == ExprKind::Nothing => {
                    made("unset", span, vec![word(key, span)])
                }
                Some((key, _)) => {
                    let text = format!("{key} = {}", self.expr(value)?);
                    made("set", span, vec![word(&text, span)])
                }
            },
            Action::If {
                branches,
                otherwise,
            } => self.choice(branches, otherwise, span)?,
        }))
    }

    /// An event, told to the machine itself; `from_outside`: as if somebody else had sent it.
    pub(super) fn emit(
        &mut self,
        event: &Name,
        load: &Load,
        from_outside: bool,
        span: &Span,
    ) -> Result<Node, Trouble> {
        let event = match event {
            Name::Plainly(event) => event,
            Name::By(script) => {
                let what = said!("an event whose name is computed");
                let help = said!("write its name into `event`");
                return Err(no_form(&script.span, what, help));
            }
        };
        let mut entries = vec![word(&self.events.name(event), span)];
        for (field, param) in self.events.params(event) {
            // If a value is given twice, the last one counts.
            let Some((_, value)) = load.iter().rev().find(|(given, _)| *given == field) else {
                continue;
            };
            let key = match &value.what {
                ExprKind::Name(name) => self.keys.get(name.as_str()),
                _ => None,
            };
            let value = match (literal(value), key) {
                (Some(literal), _) => literal,
                (None, Some((key, _))) => text(&format!("{{{key}}}"), span),
                (None, None) => text(&format!("={}", self.expr(value)?), span),
            };
            entries.push(Entry::value(value, span.clone()).named(&param));
        }
        if from_outside {
            entries.push(word("self", span).named("to"));
        }
        Ok(made("emit", span, entries))
    }

    fn log(&self, logged: &Logged, span: &Span) -> Node {
        let literal = |text: &str| text.replace('{', "{{").replace('}', "}}");
        let mut said = String::new();
        if !logged.label.is_empty() {
            said = format!("{}: ", literal(&logged.label));
        }
        let labelled = said.len();
        let is_put_together = logged
            .value
            .as_ref()
            .is_some_and(|value| self.pieces(value, &literal, &mut said));
        if !is_put_together {
            // As it is written in the document.
            said.truncate(labelled);
            said.push_str(&literal(&logged.text));
        }
        made("log", span, vec![word(&said, span)])
    }

    /// Appends a text that is put together from texts and values. Returns whether the script is such a text.
    fn pieces(
        &self,
        script: &Script,
        literal: &impl Fn(&str) -> String,
        said: &mut String,
    ) -> bool {
        match &script.what {
            ExprKind::Text(text) => said.push_str(&literal(text)),
            ExprKind::Int(int) => said.push_str(&int.to_string()),
            ExprKind::Bool(truth) => said.push_str(&truth.to_string()),
            ExprKind::Name(name) if name == "_name" => said.push_str(&literal(&self.machine)),
            ExprKind::Name(name) => match self.keys.get(name.as_str()) {
                Some((key, _)) => said.push_str(&format!("{{{key}}}")),
                None => return false,
            },
            ExprKind::Event(field) => match self.param(field, &script.span) {
                Ok(param) => said.push_str(&format!("{{event.{param}}}")),
                Err(_) => return false,
            },
            ExprKind::Binary(Binary::Add, left, right)
                if matches!(self.kinds.type_of(script), Some(Type::Any | Type::Text)) =>
            {
                return self.pieces(left, literal, said) && self.pieces(right, literal, said);
            }
            _ => return false,
        }
        true
    }

    fn choice(
        &mut self,
        branches: &[(Script, Block)],
        otherwise: &Block,
        span: &Span,
    ) -> Result<Node, Trouble> {
        let mut last = self.branch(otherwise, span)?;
        for (test, block) in branches.iter().rev() {
            let test = made("check", span, vec![word(&self.test(test)?, span)]);
            let then = self.branch(block, span)?;
            last = made("if", span, Vec::new()).block(vec![test, then, last]);
        }
        Ok(last)
    }

    /// Whether an action certainly has no fault.
    fn is_safe(&self, action: &Action) -> bool {
        match action {
            Action::Raise {
                event: Name::Plainly(event),
                load,
            }
            | Action::Send {
                event: Name::Plainly(event),
                load,
                ..
            } => {
                let params = self.events.params(event);
                let is_read = |field: &str| params.iter().any(|(known, _)| known == field);
                load.iter()
                    .all(|(field, value)| !is_read(field) || self.is_sure(value))
            }
            Action::Raise { .. } | Action::Send { .. } | Action::Fail { .. } => false,
            Action::Cancel { .. } | Action::Log(_) => true,
            Action::Assign { name, value, .. } => {
                let is_known = self.keys.contains_key(name.as_str());
                is_known && (value.what == ExprKind::Nothing || self.is_sure(value))
            }
            Action::If {
                branches,
                otherwise,
            } => {
                let are_safe = |block: &Block| block.iter().all(|action| self.is_safe(action));
                let mut branches = branches.iter();
                branches.all(|(test, block)| self.is_sure_test(test) && are_safe(block))
                    && are_safe(otherwise)
            }
        }
    }

    /// Whether a condition certainly has a value, in which it is asked first whether a variable is set.
    fn is_sure_test(&self, script: &Script) -> bool {
        matches!(script.what, ExprKind::Name(_)) || self.is_sure(script)
    }

    /// Whether a script certainly has a value: nothing in it is unset, overflows or is divided by 0.
    fn is_sure(&self, script: &Script) -> bool {
        match &script.what {
            ExprKind::Int(_)
            | ExprKind::Double(_)
            | ExprKind::Text(_)
            | ExprKind::Bool(_)
            | ExprKind::IsThere(_)
            | ExprKind::Event(_) => true,
            ExprKind::Name(name) => self
                .keys
                .get(name.as_str())
                .is_none_or(|(_, is_optional)| !is_optional),
            ExprKind::Not(inner) => self.is_sure_test(inner),
            // It is asked first whether variables are set.
            ExprKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.is_sure_test(left) && self.is_sure_test(right)
            }
            ExprKind::Binary(Binary::Eq | Binary::Ne, left, right) => {
                self.is_sure_test(left) && self.is_sure_test(right)
            }
            ExprKind::Binary(Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge, left, right) => {
                self.is_sure(left) && self.is_sure(right)
            }
            _ => false,
        }
    }
}

/// The value that a script states.
pub(super) fn literal(script: &Script) -> Option<Value> {
    Some(match &script.what {
        ExprKind::Int(int) => Value::Int((*int).into()),
        ExprKind::Double(double) => Value::Decimal(*double, format!("{double:?}")),
        ExprKind::Bool(truth) => Value::Bool(*truth),
        // These begin a key and an expression.
        ExprKind::Text(said) if !said.starts_with(['{', '=']) => text(said, &script.span),
        _ => return None,
    })
}

pub(super) fn text(said: &str, span: &Span) -> Value {
    Value::Text(crate::syntax::Text::made(said, span.clone()))
}
