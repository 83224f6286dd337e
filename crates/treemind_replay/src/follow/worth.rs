//! What expressions of a document come to for a running agent.

use super::condition::{LONGEST, declare, named_keys, of_type, quoted};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, Population, Program, Status, Type, Value};
use treemind_doc::Document;

/// Where the value is put; no document has such a key.
const ANSWER: &str = "worth__now";

/// The types that an expression may have, the usual ones first. A whole number is not one with a point.
const TYPES: [&str; 5] = ["bool", "int", "double", "string", "vec2"];

/// What an expression comes to for an agent, as documents write it; `None` for what is not an expression over its keys, for
/// one that names a list, and for one that draws a number: another draw would have another value.
pub fn worth(population: &Population, agent: usize, text: &str) -> Option<String> {
    if text.len() > LONGEST || text.contains("random") || text.contains(ANSWER) {
        return None;
    }
    let behaviour = population.program().behaviour();
    let keys = named_keys(behaviour, text);
    let asked = TYPES.iter().find_map(|ty| {
        let mut document = String::from("blackboard {\n");
        for nth in &keys {
            declare(behaviour, *nth, None, &mut document);
        }
        let text = quoted(text);
        // Writing to a string cannot fail.
        let _ = write!(
            document,
            "    key {ANSWER} type={ty}\n}}\ntree asked {{ set \"{ANSWER} = {text}\"; }}\n"
        );
        Document::parse(&document, "worth").behaviour(None).ok()
    })?;
    computed(asked, (population, agent), &keys)
}

fn computed(
    asked: Behaviour,
    (population, agent): (&Population, usize),
    keys: &[usize],
) -> Option<String> {
    let behaviour = population.program().behaviour();
    let program = Arc::new(Program::new(asked));
    let asked = program.behaviour();
    let answer = asked.key_id(ANSWER)?;
    let mut asker = Population::new(Arc::clone(&program), 1);
    for nth in keys {
        let theirs = KeyId::new(*nth);
        let own = asked.key_id(&behaviour.key(theirs).name)?;
        if let Held::One(value) = population.held(agent, theirs) {
            // The types are the same, so nothing is refused.
            let _ = asker.set(0, own, of_type(value, asked.key(own).ty));
        }
    }
    let mut trace = Trace::new();
    let mut nobody = Scripted::new(asked, 1);
    asker.tick_traced(&mut nobody, Duration::from_millis(1), &mut trace);
    let mut records = trace.records().iter();
    let is_done = records.any(|record| record.event == Event::Tick(Status::Success));
    let is_double = |nth: &usize| behaviour.key(KeyId::new(*nth)).ty == Type::Double;
    match asker.held(0, answer) {
        // What only keys of single precision were computed to has no more digits than they have.
        Held::One(Value::Double(value)) if is_done && !keys.iter().any(is_double) => {
            Some(asked.display_value(Value::Float(value as f32)))
        }
        Held::One(value) if is_done => Some(asked.display_value(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_values_that_keys_give_them() {
        let text = "
            blackboard {
                key health type=float default=100.0
                key count type=int default=7
                key exact type=double default=1.0
                key mood type=enum default=calm { value calm angry; }
                key name type=string default=\"Bob\"
                key seen type=entity list=4
                key home type=vec2 default=\"3, 4\"
            }
            tree guard { check \"health > 0\"; }
        ";
        let behaviour = Document::parse(text, "guard.kdl").behaviour(None);
        let mut guards = Population::new(Arc::new(Program::new(behaviour.expect("a tree"))), 2);
        let health = guards
            .program()
            .behaviour()
            .key_id("health")
            .expect("a key");
        guards.set(1, health, Value::Float(12.0)).expect("a float");
        let now = |text: &str| worth(&guards, 1, text);
        for (text, value) in [
            ("health < 20", "true"),
            ("health < 20 && mood == angry", "false"),
            ("count / 2", "3"),
            ("1 - health / 96", "0.875"),
            ("max(health, 50)", "50.0"),
            ("health / 15", "0.8"),
            ("exact / 3", "0.3333333333333333"),
            ("name == 'Bob'", "true"),
            ("home + home", "vec2(6, 8)"),
        ] {
            let found = now(text).unwrap_or_default();
            let (found, value) = (found.replace(".0", ""), value.replace(".0", ""));
            assert_eq!(found, value, "{text}");
        }
        // No expression, an unknown key, a list, a draw, a fault, another statement.
        for text in [
            "",
            "health <",
            "healht < 20",
            "random() < 0.5",
            "count / 0",
            "\"; }",
            "health < 20 }",
        ] {
            assert_eq!(now(text), None, "{text}");
        }
    }
}
