//! Plays a scenario, with the executor or with the reference.

use super::Scenario;
use crate::reference::{Readings, Reference};
use crate::scripts::{Scripts, host_leaf, parse_answers};
use std::sync::Arc;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Event, KeyId, NodeId, Population, Program, Status};
use treemind_core::{Trace, Type, Value};
use treemind_doc::{Document, Severity};

/// What came of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The plain trace.
    pub trace: Vec<String>,
    /// What was logged and emitted, each with its tick.
    pub told: Vec<String>,
    /// Each fault: its tick, the node, what it was.
    pub faults: Vec<String>,
    /// The values of the keys that the scenario lists.
    pub ends: Vec<String>,
}

/// Plays a scenario with both and says what is not as expected, a paragraph each.
pub fn check(scenario: &Scenario) -> Vec<String> {
    let expected = Played {
        trace: scenario.expect.clone(),
        told: scenario.told.clone(),
        faults: scenario.faults.clone(),
        ends: scenario.ends.clone(),
    };
    let mut problems = Vec::new();
    for (who, played) in [
        ("reference", play_reference(scenario)),
        ("executor", play_executor(scenario)),
    ] {
        let heading = format!("line {}: {} ({who})", scenario.line, scenario.title);
        match played {
            Err(problem) => problems.push(format!("{heading}\n  {problem}")),
            Ok(played) if played != expected => {
                let show = |name: &str, given: &[String], wanted: &[String]| {
                    if given == wanted {
                        return String::new();
                    }
                    format!(
                        "\n  {name} is\n    {}\n  but was expected to be\n    {}",
                        given.join("\n    "),
                        wanted.join("\n    ")
                    )
                };
                problems.push(format!(
                    "{heading}{}{}{}{}",
                    show("the trace", &played.trace, &expected.trace),
                    show("what is told", &played.told, &expected.told),
                    show("the faults", &played.faults, &expected.faults),
                    show("the end", &played.ends, &expected.ends)
                ));
            }
            Ok(_) => {}
        }
    }
    problems
}

/// Plays a scenario with the reference.
///
/// # Errors
/// What is wrong with the scenario: its document, an unknown leaf in its script, a line that nothing used.
pub fn play_reference(scenario: &Scenario) -> Result<Played, String> {
    let behaviour = behaviour_of(scenario)?;
    let mut scripts = Scripts::new(&behaviour);
    let script = script_of(scenario)?;
    for (label, answers) in &script {
        if !scripts.set(label, answers) {
            return Err(format!(
                "the script names `{label}`, which is not in the tree"
            ));
        }
    }
    let mut reference = Reference::new(&behaviour, scenario.seed, 0);
    for (key, values) in readings_of(scenario, &behaviour)? {
        reference.set_readings(key, Readings::InTurn(values));
    }
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        let status = reference.tick(&mut scripts, scenario.dt);
        reference.settle();
        let line = plain_line(&behaviour, tick, status.as_str(), reference.events());
        played.trace.push(line);
        for _ in scenario.halts.iter().filter(|halt| **halt == tick) {
            reference.abort(&mut scripts);
            reference.settle();
            let line = plain_line(&behaviour, tick, "HALTTREE", reference.events());
            played.trace.push(line);
        }
        let told = scripts.take_told().into_iter();
        played
            .told
            .extend(told.map(|text| format!("{tick} {text}")));
    }
    let unused = script.iter().find(|(label, _)| scripts.calls(label) == 0);
    if let Some((label, _)) = unused {
        return Err(format!("no call uses the script's line for `{label}`"));
    }
    played.faults = reference
        .faults()
        .iter()
        .map(|fault| show_fault(&behaviour, fault.tick, fault.node, &fault.kind.to_string()))
        .collect();
    let keys = reference.keys().to_vec();
    played.ends = show_ends(scenario, &behaviour, |index| keys[index])?;
    Ok(played)
}

/// Plays a scenario with the executor: once alone and once as the first of 65 agents with the same script.
///
/// # Errors
/// As [`play_reference`]; also when the two are not alike.
pub fn play_executor(scenario: &Scenario) -> Result<Played, String> {
    let program = Arc::new(Program::new(behaviour_of(scenario)?));
    let alone = play_population(scenario, &program, 1)?;
    let among = play_population(scenario, &program, 65)?;
    // Of many agents not all faults are kept, so they are not compared.
    if (&alone.trace, &alone.told, &alone.ends) != (&among.trace, &among.told, &among.ends) {
        return Err(format!("alone {alone:?}, among 65 {among:?}"));
    }
    Ok(alone)
}

fn play_population(
    scenario: &Scenario,
    program: &Arc<Program>,
    agents: usize,
) -> Result<Played, String> {
    let behaviour = program.behaviour();
    let mut host = Scripted::new(behaviour, agents).listening();
    for (key, values) in readings_of(scenario, behaviour)? {
        host.set_sensed(key, &values);
    }
    for (label, answers) in script_of(scenario)? {
        host.set_all(&label, &answers);
    }
    let mut population = Population::new(Arc::clone(program), agents).with_seed(scenario.seed);
    let mut trace = Trace::new();
    let mut played = Played::default();
    for tick in 1..=scenario.ticks {
        population.tick_traced(&mut host, scenario.dt, &mut trace);
        let status = trace.root(behaviour, 0).ok_or("the root was not ticked")?;
        played
            .trace
            .push(trace.plain_line(behaviour, 0, tick, status.as_str()));
        for _ in scenario.halts.iter().filter(|halt| **halt == tick) {
            population.abort_all_traced(&mut host, &mut trace);
            played
                .trace
                .push(trace.plain_line(behaviour, 0, tick, "HALTTREE"));
        }
        for message in host.take_messages() {
            if message.agent == 0 {
                played
                    .told
                    .push(format!("{} {}", message.tick, message.text));
            }
        }
        for fault in population.take_faults().kept() {
            if fault.agent == 0 {
                let kind = fault.kind.to_string();
                let shown = show_fault(behaviour, fault.tick, fault.node, &kind);
                played.faults.push(shown);
            }
        }
    }
    played.ends = show_ends(scenario, behaviour, |index| {
        population.get(0, treemind_core::KeyId::new(index))
    })?;
    Ok(played)
}

/// The behaviour of a scenario, through a document with a manifest made from what the tree uses.
///
/// # Errors
/// The errors of the document, and its text.
pub fn behaviour_of(scenario: &Scenario) -> Result<Behaviour, String> {
    let mut leaves = scenario.leaves.clone();
    for leaf in used_leaves(&format!("{}{}", scenario.trees, scenario.tree)) {
        if !used_leaves(&leaves).contains(&leaf) {
            leaves.push_str(&format!("{} {}\n", leaf.0, leaf.1));
        }
    }
    let mut text = "main tree=scenario\n".to_owned();
    for (name, body) in [
        ("blackboard", &scenario.keys),
        ("blackboard scope=group", &scenario.group),
        ("blackboard scope=world", &scenario.world),
        ("leaves", &leaves),
        ("tree scenario", &scenario.tree),
    ] {
        if !body.is_empty() {
            text.push_str(&format!("{name} {{\n{body}}}\n"));
        }
    }
    text.push_str(&scenario.trees);
    let document = Document::parse(&text, "scenario");
    document.behaviour(None).map_err(|_| {
        let errors = document.diagnostics().iter();
        let errors = errors.filter(|diagnostic| diagnostic.severity() == Severity::Error);
        let errors: String = errors.map(|diagnostic| diagnostic.to_plain()).collect();
        format!("{errors}\n{text}")
    })
}

/// Each condition and action that a text names, once: the kind and the name.
fn used_leaves(text: &str) -> Vec<(&str, &str)> {
    let separators = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';');
    let mut words = text.split(separators).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word, "condition" | "action")
            && let Some(name) = words.next()
            && !found.contains(&(word, name))
        {
            found.push((word, name));
        }
    }
    found
}

fn script_of(scenario: &Scenario) -> Result<Vec<(String, Vec<Status>)>, String> {
    scenario
        .script
        .iter()
        .map(|line| {
            let (label, answers) = line
                .split_once(':')
                .ok_or_else(|| format!("`{line}` is not a line of a script"))?;
            Ok((label.trim().to_owned(), parse_answers(answers)?))
        })
        .collect()
}

/// The sensed keys that have values, and those.
fn readings_of(
    scenario: &Scenario,
    behaviour: &Behaviour,
) -> Result<Vec<(KeyId, Vec<Option<Value>>)>, String> {
    let line = |line: &String| {
        let bad = || format!("`{line}` is not a line of readings");
        let (name, values) = line.split_once(':').ok_or_else(bad)?;
        let key = behaviour.key_id(name.trim()).ok_or_else(bad)?;
        let values = values.split_whitespace().map(|word| match word {
            "-" => Ok(None),
            word => reading(behaviour, key, word).map(Some).ok_or_else(bad),
        });
        Ok((key, values.collect::<Result<_, String>>()?))
    };
    scenario.readings.iter().map(line).collect()
}

/// A value of a key, as it is written.
fn reading(behaviour: &Behaviour, key: KeyId, word: &str) -> Option<Value> {
    Some(match behaviour.key(key).ty {
        Type::Bool => Value::Bool(word.parse().ok()?),
        Type::Int => Value::Int(word.parse().ok()?),
        Type::Float => Value::Float(word.parse().ok()?),
        Type::Double => Value::Double(word.parse().ok()?),
        Type::Entity => Value::Entity(word.parse().ok()?),
        Type::Enum(list) => {
            let values = &behaviour.enumeration(list).values;
            Value::Enum(list, values.iter().position(|value| value == word)? as u32)
        }
    })
}

/// The reference's own way to print a line of the plain trace.
fn plain_line(behaviour: &Behaviour, tick: u64, head: &str, events: &[(NodeId, Event)]) -> String {
    let shown: Vec<String> = events
        .iter()
        .filter_map(|&(node, event)| {
            host_leaf(behaviour, node)?;
            let label = behaviour.label(node);
            match event {
                Event::Tick(status) => Some(format!("tick {label} {status}")),
                Event::Abort => Some(format!("halt {label}")),
                _ => None,
            }
        })
        .collect();
    if shown.is_empty() {
        format!("{tick} {head}")
    } else {
        format!("{tick} {head} | {}", shown.join("; "))
    }
}

fn show_fault(behaviour: &Behaviour, tick: u64, node: NodeId, kind: &str) -> String {
    format!("{tick} {}: {kind}", behaviour.label(node))
}

fn show_ends(
    scenario: &Scenario,
    behaviour: &Behaviour,
    mut value: impl FnMut(usize) -> Value,
) -> Result<Vec<String>, String> {
    let ends = scenario.ends.iter().map(|line| {
        let name = line.split('=').next().unwrap_or_default().trim();
        let key = behaviour.key_id(name);
        let key = key.ok_or_else(|| format!("there is no key `{name}`"))?;
        let shown = behaviour.display_value(value(key.index()));
        Ok(format!("{name} = {shown}"))
    });
    ends.collect()
}
