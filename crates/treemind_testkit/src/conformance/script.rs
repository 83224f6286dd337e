//! The part of a scenario that describes its host: answers of leaves, and reports that actions have ended.

use super::Scenario;
use crate::reference::Cell;
use crate::scripts::parse_answers;
use treemind_core::behaviour::LeafKind;
use treemind_core::{Behaviour, KeyId, LeafId, NodeId, Status, Text, Type, Value};

/// Answers of the leaves of one label, for one agent or for all.
#[derive(Clone, Debug)]
pub(super) struct AnswerLine {
    pub(super) label: String,
    pub(super) agent: Option<usize>,
    pub(super) answers: Vec<Status>,
}

/// The answers that a scenario lists.
///
/// # Errors
/// A line that is not valid.
pub(super) fn answers_of(scenario: &Scenario) -> Result<Vec<AnswerLine>, String> {
    scenario
        .script
        .iter()
        .map(|line| {
            let (whose, answers) = line
                .split_once(':')
                .ok_or_else(|| format!("`{line}` is not a line of a script"))?;
            let (label, agent) = whose_is(whose, scenario)?;
            let answers = parse_answers(answers)?;
            Ok(AnswerLine {
                label,
                agent,
                answers,
            })
        })
        .collect()
}

/// A report of the host between two ticks.
#[derive(Clone, Debug)]
pub(super) struct Finish {
    /// The tick after which it is made.
    pub(super) tick: u64,
    pub(super) node: NodeId,
    pub(super) agent: Option<usize>,
    pub(super) success: bool,
}

/// The reports of a scenario on the ends of actions.
///
/// # Errors
/// A line that is not valid, or that names nothing in the tree.
pub(super) fn finishes_of(
    scenario: &Scenario,
    behaviour: &Behaviour,
) -> Result<Vec<Finish>, String> {
    scenario
        .finish
        .iter()
        .map(|line| {
            let bad = || format!("`{line}` is not a line of `finish`");
            let words: Vec<&str> = line.split_whitespace().collect();
            let [tick, whose, end] = words[..] else {
                return Err(bad());
            };
            let (label, agent) = whose_is(whose, scenario)?;
            let mut ids = behaviour.node_ids();
            let node = ids.find(|id| behaviour.label(*id) == label);
            Ok(Finish {
                tick: tick.parse().map_err(|_| bad())?,
                node: node.ok_or_else(|| format!("`{label}` is not in the tree"))?,
                agent,
                success: match end {
                    "success" => true,
                    "failure" => false,
                    _ => return Err(bad()),
                },
            })
        })
        .collect()
}

/// A label, and the agent after an `@` if it applies to that agent only.
fn whose_is(text: &str, scenario: &Scenario) -> Result<(String, Option<usize>), String> {
    let text = text.trim();
    match text.split_once('@') {
        None => Ok((text.to_owned(), None)),
        Some((label, agent)) => match agent.parse() {
            Ok(agent) if agent < scenario.number_of_agents() => Ok((label.to_owned(), Some(agent))),
            _ => Err(format!("`{text}` names no agent of the scenario")),
        },
    }
}

/// The readings of a key's sensor, in order.
pub(super) type KeyReadings = (KeyId, Vec<Option<Cell>>);

/// The sensed keys to which a scenario gives values, with the values.
///
/// # Errors
/// A line that is not valid.
pub(super) fn readings_of(
    scenario: &Scenario,
    behaviour: &Behaviour,
) -> Result<Vec<KeyReadings>, String> {
    let line = |line: &String| {
        let bad = || format!("`{line}` is not a line of readings");
        let (name, values) = line.split_once(':').ok_or_else(bad)?;
        let key = behaviour.key_id(name.trim()).ok_or_else(bad)?;
        let values = values.split_whitespace().map(|word| match word {
            "-" => Ok(None),
            word => {
                let value = value_of(behaviour, behaviour.key(key).ty, word).ok_or_else(bad)?;
                Ok(Some(Cell::One(value)))
            }
        });
        Ok((key, values.collect::<Result<_, String>>()?))
    };
    let keys = scenario.readings.iter();
    let keys = keys.filter(|line| found_leaf(behaviour, line).is_none());
    keys.map(line).collect()
}

/// The leaf that lists or measures candidates, if a line of readings is about one.
fn found_leaf(behaviour: &Behaviour, line: &str) -> Option<LeafId> {
    let leaf = behaviour.leaf_id(line.split_once(':')?.0.trim())?;
    let kind = behaviour.leaf(leaf).kind;
    matches!(kind, LeafKind::Candidates { .. } | LeafKind::Measure).then_some(leaf)
}

/// The leaves that list or measure candidates, with what they say.
///
/// # Errors
/// A line that is not valid.
pub(super) fn found_of(
    scenario: &Scenario,
    behaviour: &Behaviour,
) -> Result<Vec<(LeafId, Vec<Value>)>, String> {
    let mut found = Vec::new();
    for line in &scenario.readings {
        let (Some(leaf), Some((_, values))) = (found_leaf(behaviour, line), line.split_once(':'))
        else {
            continue;
        };
        let ty = match behaviour.leaf(leaf).kind {
            LeafKind::Candidates { ty } => ty,
            _ => Type::Float,
        };
        let values = values.split_whitespace().map(|word| match ty.parts() {
            Some(_) => vector(ty, word),
            None => value_of(behaviour, ty, word),
        });
        let values: Option<Vec<Value>> = values.collect();
        let bad = || format!("`{line}` is not a line of readings");
        found.push((leaf, values.ok_or_else(bad)?));
    }
    Ok(found)
}

/// A vector, as numbers with commas between them.
fn vector(ty: Type, word: &str) -> Option<Value> {
    let parts: Result<Vec<f32>, _> = word.split(',').map(str::parse).collect();
    match (ty, &parts.ok()?[..]) {
        (Type::Vec2, &[x, y]) => Some(Value::Vec2([x, y])),
        (Type::Vec3, &[x, y, z]) => Some(Value::Vec3([x, y, z])),
        _ => None,
    }
}

/// A value of a type, as it is written; `None` for a value of more than one word.
#[warn(clippy::wildcard_enum_match_arm)]
pub(super) fn value_of(behaviour: &Behaviour, ty: Type, word: &str) -> Option<Value> {
    Some(match ty {
        Type::Bool => Value::Bool(word.parse().ok()?),
        Type::Int => Value::Int(word.parse().ok()?),
        Type::Float => Value::Float(word.parse().ok()?),
        Type::Double => Value::Double(word.parse().ok()?),
        Type::Entity => Value::Entity(word.parse().ok()?),
        Type::Text => Value::Text(Text::new(word)),
        Type::Enum(list) => {
            let values = &behaviour.enumeration(list).values;
            Value::Enum(list, values.iter().position(|value| value == word)? as u32)
        }
        Type::Vec2 | Type::Vec3 | Type::Any => return None,
        _ => treemind_core::unlisted(&ty),
    })
}
