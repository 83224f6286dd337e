//! From executable content to nodes.

use super::Trouble;
use super::chart::{Action, Block, Chart, Delay, Load, Logged, Said};
use super::content::seconds;
use super::events::{ERROR, Events, names_given_by};
use super::script::{ExprKind, Script};
use super::texts::Texts;
use super::types::{Scope, field_default};
use crate::code::Code;
use crate::said;
use std::collections::BTreeSet;
use treemind_core::behaviour::{Arg, LogPart, Yields};
use treemind_core::expr::{Assign, Compare};
use treemind_core::{Expr, Kind, LeafId, Node, Text, Type, Value};

/// The context in which content is lowered.
pub(super) struct Tasks<'c> {
    pub(super) chart: &'c Chart,
    pub(super) scope: &'c Scope,
    pub(super) events: &'c Events,
    pub(super) texts: &'c Texts<'c>,
}

impl<'c> Tasks<'c> {
    /// The nodes that carry out a block: none or one. A fault skips the rest of the block, and is an event if a
    /// transition waits for it.
    pub(super) fn block(&self, block: &'c Block, troubles: &mut Vec<Trouble>) -> Option<Node> {
        let error = self.events.id(ERROR);
        // An action that always fails ends the block, and knows more about the error.
        let is_fail = |action: &Action| matches!(action, Action::Fail { .. });
        let end = block.iter().position(is_fail).filter(|_| error.is_some());
        let mut nodes = self.actions(&block[..end.unwrap_or(block.len())], troubles);
        let mut raise = |load: &Load| {
            error.map(|leaf| {
                let args = self.load(leaf, (ERROR, "platform"), load, troubles);
                Node::leaf(Kind::Emit {
                    leaf,
                    args,
                    to: None,
                })
            })
        };
        if let Some(Action::Fail { load }) = end.map(|end| &block[end]) {
            nodes.extend(raise(load));
        }
        if nodes.is_empty() {
            return None;
        }
        let yields = Yields::Never;
        Some(match raise(&Vec::new()) {
            Some(caught) => {
                nodes.push(caught);
                Node::with(Kind::TryCatch { on_abort: false }, nodes)
            }
            None if nodes.len() == 1 => nodes.swap_remove(0),
            None => Node::with(Kind::Sequence { yields }, nodes),
        })
    }

    fn actions(&self, block: &'c [Action], troubles: &mut Vec<Trouble>) -> Vec<Node> {
        let nodes = block
            .iter()
            .filter_map(|action| match self.action(action, troubles) {
                Ok(node) => Some(node),
                Err(trouble) => {
                    troubles.push(trouble);
                    None
                }
            });
        nodes.collect()
    }

    fn action(&self, action: &'c Action, troubles: &mut Vec<Trouble>) -> Result<Node, Trouble> {
        Ok(Node::leaf(match action {
            Action::Raise { event, load } => {
                return self.by_name(event, &mut |event| {
                    let leaf = self.event(event);
                    let args = self.load(leaf, (event, "internal"), load, troubles);
                    Ok(Kind::Emit {
                        leaf,
                        args,
                        to: None,
                    })
                });
            }
            Action::Send {
                event,
                load,
                delay,
                id,
                ..
            } => {
                return self.by_name(event, &mut |event| {
                    let leaf = self.event(event);
                    Ok(Kind::Send {
                        leaf,
                        args: self.load(leaf, (event, "external"), load, troubles),
                        delay: self.delay(delay)?,
                        id: match id {
                            Some(id) => Some(self.scope.lower_as(id, Type::Text)?),
                            None => None,
                        },
                    })
                });
            }
            Action::Cancel { id } => Kind::Cancel {
                id: self.scope.lower_as(id, Type::Text)?,
            },
            Action::Assign { name, span, value } => match self.scope.location(name, span) {
                Err(warning) => {
                    troubles.push(warning);
                    Kind::Fail
                }
                Ok((key, _)) if value.what == ExprKind::Nothing => Kind::Unset {
                    key,
                    forgets: false,
                },
                Ok((key, ty)) => {
                    let value = self.scope.lower_as(value, ty)?;
                    let assigns = vec![Assign::set(key, value)];
                    Kind::Set { assigns }
                }
            },
            Action::Fail { .. } => Kind::Fail,
            Action::Log(said) => return Ok(self.log(said)),
            Action::If {
                branches,
                otherwise,
            } => return Ok(self.choice(branches, otherwise, troubles)),
        }))
    }

    /// Makes a node from the name of an event. If a script gives the name, there is a case for each name that it may
    /// give. Any other text is not the name of an event, and fails.
    fn by_name(
        &self,
        event: &'c Said,
        make: &mut dyn FnMut(&str) -> Result<Kind, Trouble>,
    ) -> Result<Node, Trouble> {
        let script = match event {
            Said::Plainly(event) => return make(event).map(Node::leaf),
            Said::By(script) => script,
        };
        self.known("eventexpr", script)?;
        let given = self.scope.lower_as(script, Type::Text)?;
        let (mut cases, mut children) = (Vec::new(), Vec::new());
        for name in names_given_by(script, self.texts) {
            cases.push(is_text(&given, name));
            children.push(make(name).map(Node::leaf)?);
        }
        children.push(Node::leaf(Kind::Fail));
        if cases.is_empty() {
            return Ok(children.swap_remove(0));
        }
        Ok(Node::with(
            Kind::Switch {
                cases,
                once: true,
                leaves_open: false,
            },
            children,
        ))
    }

    /// The delay in seconds. A text that is not a length of time gives an invalid one, and so a fault when the event
    /// is sent.
    fn delay(&self, delay: &'c Delay) -> Result<Expr, Trouble> {
        let secs = |secs: f64| Expr::Value(Value::Double(secs));
        let script = match delay {
            Delay::Secs(delay) => return Ok(secs(*delay)),
            Delay::By(script) => script,
        };
        let texts = self.known("delayexpr", script)?;
        let given = self.scope.lower_as(script, Type::Text)?;
        let known = texts
            .into_iter()
            .filter_map(|text| Some((text, seconds(text)?)));
        Ok(known.fold(secs(-1.0), |other, (text, delay)| {
            let is_it = is_text(&given, text);
            Expr::If(is_it.into(), secs(delay).into(), other.into())
        }))
    }

    /// The texts that a script may give, which must be known.
    fn known(&self, attribute: &str, script: &'c Script) -> Result<BTreeSet<&'c str>, Trouble> {
        self.texts.given_by(script).ok_or_else(|| {
            let message = said!(
                "the possible texts of `{}` are not known in advance",
                attribute
            );
            let help = said!("assign only a few different texts in quotes to its variable");
            Trouble::new(Code::NotYet, script.span.clone(), message).with_help(help)
        })
    }

    /// A log node. A text made of texts and variables becomes its parts; any other value is computed first.
    fn log(&self, said: &Logged) -> Node {
        let mut parts = Vec::new();
        if !said.label.is_empty() {
            parts.push(LogPart::Text(format!("{}: ", said.label)));
        }
        let labelled = parts.len();
        let as_written = |mut parts: Vec<LogPart>| {
            parts.truncate(labelled);
            parts.push(LogPart::Text(said.text.clone()));
            Node::leaf(Kind::Log { text: parts })
        };
        let Some(value) = &said.value else {
            return as_written(parts);
        };
        if self.scope.text_parts(value, &mut parts) {
            return Node::leaf(Kind::Log { text: parts });
        }
        parts.truncate(labelled);
        let Ok(value) = self.scope.lower_as(value, Type::Any) else {
            return as_written(parts);
        };
        let key = self.scope.logged_key();
        parts.push(LogPart::Key(key));
        let assigns = vec![Assign::set(key, value)];
        let nodes = vec![
            Node::leaf(Kind::Set { assigns }),
            Node::leaf(Kind::Log { text: parts }),
        ];
        let yields = Yields::Never;
        Node::with(Kind::Sequence { yields }, nodes)
    }

    fn choice(
        &self,
        branches: &'c [(Script, Block)],
        otherwise: &'c Block,
        troubles: &mut Vec<Trouble>,
    ) -> Node {
        let mut cases = Vec::new();
        let mut children = Vec::new();
        for (test, block) in branches {
            match self.scope.test(test) {
                Ok(test) => cases.push(test),
                Err(trouble) => troubles.push(trouble),
            }
            children.push(self.inner(block, troubles));
        }
        children.push(self.inner(otherwise, troubles));
        Node::with(
            Kind::Switch {
                cases,
                once: true,
                leaves_open: false,
            },
            children,
        )
    }

    /// A branch. Its faults are faults of the whole block.
    fn inner(&self, block: &'c Block, troubles: &mut Vec<Trouble>) -> Node {
        let mut nodes = self.actions(block, troubles);
        let yields = Yields::Never;
        match nodes.len() {
            0 => Node::leaf(Kind::Succeed),
            1 => nodes.swap_remove(0),
            _ => Node::with(Kind::Sequence { yields }, nodes),
        }
    }

    /// Emits the event that a state is done, with the data of its final state.
    pub(super) fn done(
        &self,
        event: LeafId,
        load: Option<&Load>,
        troubles: &mut Vec<Trouble>,
    ) -> Node {
        let name = self.events.leaves[event.index()].name.clone();
        let nothing = Vec::new();
        let load = load.unwrap_or(&nothing);
        let args = self.load(event, (&name, "platform"), load, troubles);
        Node::leaf(Kind::Emit {
            leaf: event,
            args,
            to: None,
        })
    }

    fn event(&self, name: &str) -> LeafId {
        self.events.id(name).expect("all events were found before")
    }

    /// The data of an event: one value for each part of events that scripts read.
    fn load(
        &self,
        event: LeafId,
        (name, kind): (&str, &str),
        load: &Load,
        troubles: &mut Vec<Trouble>,
    ) -> Vec<Arg> {
        let params = &self.events.leaves[event.index()].params;
        let mut args = Vec::with_capacity(params.len());
        for param in params {
            // If a value is given twice, the last one counts.
            let given = load.iter().rev().find(|(field, _)| *field == param.name);
            args.push(match given {
                _ if param.name == "name" => Arg::Value(Value::Text(Text::new(name))),
                _ if param.name == "type" => Arg::Value(Value::Text(Text::new(kind))),
                None => Arg::Value(field_default(&param.name)),
                Some((_, script)) => match self.scope.lower_as(script, Type::Any) {
                    Ok(expr) => Arg::Expr(expr),
                    Err(trouble) => {
                        troubles.push(trouble);
                        Arg::Value(field_default(&param.name))
                    }
                },
            });
        }
        // Values that nobody reads are checked all the same.
        for (field, script) in load {
            if !self.chart.fields.contains(field)
                && let Err(trouble) = self.scope.lower_as(script, Type::Any)
            {
                troubles.push(trouble);
            }
        }
        args
    }
}

fn is_text(given: &Expr, text: &str) -> Expr {
    let text = Expr::Value(Value::Text(Text::new(text)));
    Expr::Compare(Compare::Eq, given.clone().into(), text.into())
}

/// The problem that there are too many events.
pub(super) fn too_many_events(most: usize, span: crate::syntax::Span) -> Trouble {
    let message = said!("there are more than {} events", most);
    Trouble::new(Code::TooLarge, span, message)
}
