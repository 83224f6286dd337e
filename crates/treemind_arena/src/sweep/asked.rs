//! Expressions over the keys of an agent, asked from outside.
//!
//! Each becomes a tree of its own, in a document that imports the one that is played. So it means what it means there.

use super::SweepError;
use crate::steer::Known;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use treemind::Document;
use treemind::blackboard::{Held, KeyId, Type, Value};
use treemind::core::host::Scripted;
use treemind::population::{Behaviour, Population, Program};

/// The key that a number is written to.
const RESULT: &str = "treemind_sweep_result";

/// An expression, ready to be asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    text: String,
    program: Arc<Program>,
    /// The key with the number; without one the answer of the tree is the result.
    result: Option<KeyId>,
    /// The names of the keys that are copied, and their numbers here.
    keys: Vec<(String, KeyId)>,
}

/// What asks an expression in one run.
#[derive(Clone)]
pub(crate) struct Asking<'a> {
    asked: Cow<'a, Asked>,
    population: Population,
    host: Scripted,
    /// The keys in the one who is asked, and here.
    keys: Vec<(KeyId, KeyId)>,
}

impl Asked {
    /// A number; a condition is 1 where it holds, and 0 elsewhere.
    pub(crate) fn number(document: &Document, text: &str) -> Result<Self, SweepError> {
        let key = format!("blackboard {{ key {RESULT} type=double; }}\n");
        let node = format!("set {}", quoted(&format!("{RESULT} = {text}")));
        match Self::of(document, text, &key, &node) {
            Ok(asked) => Ok(asked),
            Err(error) => Self::condition(document, text).map_err(|_| error),
        }
    }

    /// A condition.
    pub(crate) fn condition(document: &Document, text: &str) -> Result<Self, SweepError> {
        Self::of(document, text, "", &format!("check {}", quoted(text)))
    }

    fn of(document: &Document, text: &str, head: &str, node: &str) -> Result<Self, SweepError> {
        let texts = document.texts();
        let refused = |why: String| SweepError::Expression(text.to_owned(), why);
        let Some((name, _)) = texts.first() else {
            return Err(refused("the document has no text".to_owned()));
        };
        // Beside the document, so that its imports are found where it looks for them.
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let folder = &name[..name.len() - file.len()];
        let source = format!("import {}\n{head}tree {TREE} {{ {node}; }}\n", quoted(file));
        let load = |path: &str| {
            let found = texts.iter().find(|(name, _)| name == path);
            found
                .map(|(_, text)| text.clone().into_bytes())
                .ok_or("it is no part of the document")
        };
        let asking = format!("{folder}{TREE}.kdl");
        let asking = Document::read_with(source.as_bytes(), &asking, load);
        let behaviour = asking.behaviour(Some(TREE)).map_err(|problems| {
            let first = problems.iter().find(|one| one.is_fatal());
            refused(first.map_or_else(String::new, |one| {
                let help = one.help().map(|help| format!("; {help}"));
                format!("{}{}", one.message(), help.unwrap_or_default())
            }))
        })?;
        let result = behaviour.key_id(RESULT);
        let keys = behaviour.keys().iter().enumerate();
        let keys = keys.filter(|(_, key)| key.name != RESULT);
        Ok(Self {
            keys: keys
                .map(|(at, key)| (key.name.clone(), KeyId::new(at)))
                .collect(),
            text: text.to_owned(),
            program: Arc::new(Program::new(behaviour)),
            result,
        })
    }

    /// The same, under another text in messages.
    pub(crate) fn called(self, text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..self
        }
    }

    /// The expression as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Gets ready to ask those who run a behaviour.
    pub(crate) fn asking<'a>(&'a self, of: &Behaviour) -> Asking<'a> {
        let keys = self.keys.iter();
        let keys = keys.filter_map(|(name, here)| Some((of.key_id(name)?, *here)));
        Asking {
            population: Population::new(Arc::clone(&self.program), 1),
            host: Scripted::new(self.program.behaviour(), 1),
            keys: keys.collect(),
            asked: Cow::Borrowed(self),
        }
    }

    /// Gets ready to ask about values of keys with these names, which one gives oneself.
    pub(crate) fn asking_of(self, names: &[String]) -> Asking<'static> {
        let place = |name: &String| names.iter().position(|other| other == name);
        let keys = self.keys.iter();
        let keys = keys.filter_map(|(name, here)| Some((KeyId::new(place(name)?), *here)));
        Asking {
            population: Population::new(Arc::clone(&self.program), 1),
            host: Scripted::new(self.program.behaviour(), 1),
            keys: keys.collect(),
            asked: Cow::Owned(self),
        }
    }
}

/// The name of the tree that asks.
const TREE: &str = "treemind-sweep";

/// A text as documents write it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

impl Asking<'_> {
    /// The number, or 1 for a condition that holds and 0 for one that does not.
    pub(crate) fn ask(&mut self, agent: usize, of: &Population) -> Result<f64, SweepError> {
        let refused = |why: String| SweepError::Expression(self.asked.text.clone(), why);
        let mut board = self.population.board(0);
        for (from, to) in &self.keys {
            let set = match of.held(agent, *from) {
                Held::One(value) => board.set(*to, 0, value).map_err(|error| error.to_string()),
                Held::List(items) => match board.list_mut(*to, 0) {
                    Some(mut list) => {
                        list.clear();
                        let mut items = items.iter();
                        items
                            .try_for_each(|item| list.push(item))
                            .map_err(|error| error.to_string())
                    }
                    None => Ok(()),
                },
                _ => {
                    board.unset(*to, 0);
                    Ok(())
                }
            };
            set.map_err(refused)?;
        }
        self.answer()
    }

    /// The same, of values in the order of the names that were given to [`Asked::asking_of`]. The number is finite.
    pub(crate) fn ask_of(&mut self, values: &[Known]) -> Result<f64, SweepError> {
        let refused = |why: String| SweepError::Expression(self.asked.text.clone(), why);
        let behaviour = self.asked.program.behaviour();
        let mut board = self.population.board(0);
        for (from, to) in &self.keys {
            let ty = behaviour.key(*to).ty;
            let set = match &values[from.index()] {
                Known::One(value) => board
                    .set(*to, 0, own(*value, ty))
                    .map_err(|error| error.to_string()),
                Known::List(items) => match board.list_mut(*to, 0) {
                    Some(mut list) => {
                        list.clear();
                        let mut items = items.iter();
                        items
                            .try_for_each(|item| list.push(own(*item, ty)))
                            .map_err(|error| error.to_string())
                    }
                    None => Ok(()),
                },
                Known::Unset => {
                    board.unset(*to, 0);
                    Ok(())
                }
            };
            set.map_err(refused)?;
        }
        match self.answer()? {
            number if number.is_finite() => Ok(number),
            number => Err(SweepError::Expression(
                self.asked.text.clone(),
                format!("it gives {number}, which no learner can use"),
            )),
        }
    }

    fn answer(&mut self) -> Result<f64, SweepError> {
        let refused = |why: String| SweepError::Expression(self.asked.text.clone(), why);
        let tally = self.population.tick(&mut self.host, Duration::ZERO);
        if let Some(fault) = self.population.take_faults().kept().first() {
            return Err(refused(fault.kind.to_string()));
        }
        match self.asked.result {
            None => Ok(tally.success as f64),
            Some(key) => match self.population.find(0, key) {
                Some(Value::Double(value)) => Ok(value),
                _ => Ok(f64::NAN),
            },
        }
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&mut self, agent: usize, of: &Population) -> Result<bool, SweepError> {
        Ok(self.ask(agent, of)? != 0.0)
    }
}

/// A value of an enumeration as a value of the same enumeration in another document; any other value as it is.
fn own(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Enum(_, at), Type::Enum(list)) => Value::Enum(list, at),
        (value, _) => value,
    }
}

/// A value of a type, as people write it.
pub(crate) fn value_of(behaviour: &Behaviour, ty: Type, text: &str) -> Option<Value> {
    Some(match ty {
        Type::Bool => Value::Bool(text.parse().ok()?),
        Type::Int => Value::Int(text.parse().ok()?),
        Type::Float => Value::Float(finite(text)? as f32),
        Type::Double => Value::Double(finite(text)?),
        Type::Text => Value::Text(treemind::blackboard::Text::new(text)),
        Type::Enum(list) => {
            let names = &behaviour.enumeration(list).values;
            Value::Enum(list, names.iter().position(|name| name == text)? as u32)
        }
        _ => return None,
    })
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}
