//! Expressions of the document's language that a page asks about running agents, and values that it writes.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::Form;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, Population, Program, Status, Type, Value};
use treemind_doc::{Diagnostic, Document, Said, Severity, said};

/// How long an expression may be, in bytes.
pub(super) const LONGEST: usize = 1_000;

/// A condition over the keys of a behaviour, such as `health < 20 && mood == angry`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As many agents as it was last asked about, which know nothing but these keys.
    askers: Population,
    /// The keys that it names: those of the agents, and its own.
    keys: Vec<(KeyId, KeyId)>,
}

impl Condition {
    /// Reads a condition. It can ask about keys that hold one value.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn new(behaviour: &Behaviour, text: &str) -> Result<Self, Said> {
        if text.len() > LONGEST {
            return Err(said!("a condition has at most {} bytes", LONGEST));
        }
        let known = named_keys(behaviour, text);
        let mut document = String::from("blackboard {\n");
        for nth in &known {
            declare(behaviour, *nth, None, &mut document);
        }
        let quoted = quoted(text);
        let _ = write!(document, "}}\ntree asked {{ check \"{quoted}\"; }}\n");
        let document = Document::parse(&document, "condition");
        let asked = document.behaviour(None);
        let asked = asked.map_err(|found| sentence(&found, behaviour))?;
        let keys = known.into_iter().filter_map(|nth| {
            let own = asked.key_id(&behaviour.keys()[nth].name)?;
            Some((KeyId::new(nth), own))
        });
        Ok(Self {
            keys: keys.collect(),
            askers: Population::new(Arc::new(Program::new(asked)), 0),
        })
    }

    /// For each of the agents whether it holds.
    pub fn hold(&mut self, population: &Population, agents: &[usize]) -> Vec<bool> {
        let program = Arc::clone(self.askers.program());
        if self.askers.len() != agents.len() {
            self.askers = Population::new(Arc::clone(&program), agents.len());
        }
        for (asker, agent) in agents.iter().enumerate() {
            for (theirs, own) in &self.keys {
                let ty = program.behaviour().key(*own).ty;
                if let Held::One(value) = population.held(*agent, *theirs) {
                    // The types are the same, so nothing is refused.
                    let _ = self.askers.set(asker, *own, of_type(value, ty));
                }
            }
        }
        let mut trace = Trace::new();
        let mut nobody = Scripted::new(program.behaviour(), agents.len());
        self.askers
            .tick_traced(&mut nobody, Duration::from_millis(1), &mut trace);
        let mut hold = vec![false; agents.len()];
        for record in trace.records() {
            if record.event == Event::Tick(Status::Success) {
                let first = record.word as usize * 64;
                let lanes = (0..64).filter(|bit| record.mask >> bit & 1 == 1);
                lanes.for_each(|bit| hold[first + bit] = true);
            }
        }
        hold
    }
}

/// A value for a key, from a text as documents have it.
///
/// # Errors
/// Why it is not one, in a sentence.
pub fn value_for(behaviour: &Behaviour, key: KeyId, text: &str) -> Result<Value, Said> {
    let declared = behaviour.key(key);
    if declared.sensed.is_some() || declared.heard.is_some() || declared.mates {
        return Err(said!(
            "`{}` is computed by the game, which would overwrite it",
            &*declared.name
        ));
    }
    value_of(behaviour, key, text)
}

/// The same for a key that may be computed by the game: nothing is written into it.
///
/// # Errors
/// Why the text is no value for it, in a sentence.
pub fn value_of(behaviour: &Behaviour, key: KeyId, text: &str) -> Result<Value, Said> {
    let declared = behaviour.key(key);
    let name = &declared.name;
    if declared.form.is_list() {
        return Err(said!(
            "`{}` holds a list, which cannot be written here",
            &**name
        ));
    }
    let is_optional = matches!(declared.form, Form::Optional { .. });
    parsed(behaviour, (name, declared.ty, is_optional), text)
}

/// A value of a type, for something with a name, from a text as documents have it.
///
/// # Errors
/// Why it is not one, in a sentence.
pub(super) fn value_of_type(
    behaviour: &Behaviour,
    (name, ty): (&str, Type),
    text: &str,
) -> Result<Value, Said> {
    parsed(behaviour, (name, ty, false), text)
}

fn parsed(
    behaviour: &Behaviour,
    (name, ty, is_optional): (&str, Type, bool),
    text: &str,
) -> Result<Value, Said> {
    if matches!(ty, Type::Entity | Type::Any) {
        return Err(said!(
            "`{}` holds an agent or a thing, which has no text",
            name
        ));
    }
    let mut document = String::from("blackboard {\n");
    let declared = (name, ty, is_optional);
    declare_as(behaviour, declared, Some(text), &mut document);
    document.push_str("}\ntree written { wait 1.0; }\n");
    let document = Document::parse(&document, "value");
    let written = document.behaviour(None);
    let written = written.map_err(|found| sentence(&found, behaviour))?;
    let own = written.key_id(name);
    let own = own.ok_or_else(|| said!("`{}` cannot be written", name))?;
    Ok(of_type(written.key(own).default, ty))
}

/// The keys that hold one value and whose names are in an expression.
pub(super) fn named_keys(behaviour: &Behaviour, text: &str) -> Vec<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let named = |name: &str| {
        let mut words = text.split(|letter| !is_part(letter));
        words.any(|word| word == name)
    };
    let all = behaviour.keys().iter().enumerate();
    all.filter(|(_, key)| named(&key.name) && !key.form.is_list())
        .map(|(nth, _)| nth)
        .collect()
}

/// A text as it stands between quotes.
pub(super) fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Enumerations have other numbers in other behaviours.
pub(super) fn of_type(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Enum(_, nth), Type::Enum(id)) => Value::Enum(id, nth),
        (value, _) => value,
    }
}

/// Declares a key as the behaviour has it, with this text as its default.
pub(super) fn declare(behaviour: &Behaviour, nth: usize, default: Option<&str>, out: &mut String) {
    let key = &behaviour.keys()[nth];
    let is_optional = matches!(key.form, Form::Optional { .. });
    declare_as(behaviour, (&key.name, key.ty, is_optional), default, out);
}

/// Declares a key of this name and type, with this text as its default.
fn declare_as(
    behaviour: &Behaviour,
    (name, ty, is_optional): (&str, Type, bool),
    default: Option<&str>,
    out: &mut String,
) {
    // Writing to a string cannot fail.
    let _ = write!(out, "    key {name:?} type={}", ty.keyword());
    if is_optional {
        out.push_str(" optional=#true");
    }
    if let Some(text) = default {
        let text = text.trim();
        let is_plain = match ty {
            Type::Bool => false,
            Type::Int | Type::Float | Type::Double => text.parse::<f64>().is_ok(),
            _ => false,
        };
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = match (ty, text) {
            (Type::Bool, "true" | "false") => write!(out, " default=#{text}"),
            _ if is_plain => write!(out, " default={text}"),
            _ => write!(out, " default=\"{quoted}\""),
        };
    }
    if let Type::Enum(id) = ty {
        out.push_str(" { value");
        let known = behaviour.enums().get(id.index());
        for value in known.iter().flat_map(|list| &list.values) {
            let _ = write!(out, " {value:?}");
        }
        out.push_str("; }");
    }
    out.push('\n');
}

/// The first error, with its help.
fn sentence(found: &[Diagnostic], behaviour: &Behaviour) -> Said {
    let mut errors = found.iter();
    let first = errors.find(|one| one.severity() == Severity::Error);
    let Some(first) = first else {
        return said!("this cannot be read");
    };
    let keys = behaviour.keys().iter().filter(|key| !key.form.is_list());
    let keys: Vec<&str> = keys.map(|key| key.name.as_str()).collect();
    let is_unknown = first.message().contains("unknown key");
    match (is_unknown, keys.is_empty()) {
        (true, false) => said!("{}; there are `{}`", first.said(), keys.join("`, `")),
        _ => first.said().clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        blackboard {
            key health type=float default=100.0
            key mood type=enum default=calm { value calm angry; }
            key name type=string default=\"Bob\"
            key seen type=entity list=4
            key ready type=bool
            key home type=vec2 default=\"3, 4\"
        }
        tree guard { check \"health > 0 && mood == calm && ready\"; }
    ";

    fn guards() -> Population {
        let behaviour = Document::parse(TEXT, "guard.kdl").behaviour(None);
        Population::new(Arc::new(Program::new(behaviour.expect("a tree"))), 100)
    }

    #[test]
    fn conditions_ask_agents_about_their_keys() {
        let mut guards = guards();
        let program = Arc::clone(guards.program());
        let behaviour = program.behaviour();
        let health = behaviour.key_id("health").expect("a key");
        let mood = behaviour.key_id("mood").expect("a key");
        guards.set(70, health, Value::Float(3.0)).expect("a float");
        let angry = value_for(behaviour, mood, "angry").expect("a mood");
        guards.set(80, mood, angry).expect("a mood");
        let agents = [3, 70, 80];
        let ask = |text: &str| {
            let condition = Condition::new(behaviour, text);
            condition.map(|mut one| one.hold(&guards, &agents))
        };
        assert_eq!(ask("health < 20"), Ok(vec![false, true, false]));
        assert_eq!(ask("mood == angry"), Ok(vec![false, false, true]));
        assert_eq!(
            ask("name == 'Bob' && health > 99"),
            Ok(vec![true, false, true])
        );
        let wrong = ask("healht < 20").expect_err("no such key").to_string();
        assert!(
            wrong.contains("healht") && wrong.contains("`health`"),
            "{wrong}"
        );
        assert!(ask("health <").is_err());
        assert!(ask("\"; }").is_err());
    }

    #[test]
    fn values_are_read_as_documents_have_them() {
        let guards = guards();
        let behaviour = guards.program().behaviour();
        let read = |key: &str, text: &str| {
            value_for(behaviour, behaviour.key_id(key).expect("a key"), text)
        };
        assert_eq!(read("health", "12.5"), Ok(Value::Float(12.5)));
        assert_eq!(read("ready", "true"), Ok(Value::Bool(true)));
        assert_eq!(read("home", "1, 2"), Ok(Value::Vec2([1.0, 2.0])));
        assert!(
            matches!(read("name", "a \"b\" \\"), Ok(Value::Text(text)) if text.as_str() == "a \"b\" \\")
        );
        for (key, text) in [
            ("health", "much"),
            ("mood", "sad"),
            ("ready", "1"),
            ("seen", "1"),
        ] {
            assert!(read(key, text).is_err(), "{key}");
        }
    }
}
