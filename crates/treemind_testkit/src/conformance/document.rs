//! The document of a scenario.

use super::Scenario;
use std::path::Path;
use treemind_core::Behaviour;
use treemind_doc::{Document, Severity};

/// The weights of the networks in scenarios, and on pages.
const MOOD: &str = include_str!("../../../../conformance/mood.weights");

/// The files that scenarios, and examples on pages, name: the weights of a network.
///
/// # Errors
/// When the path is that of another file.
pub fn load(path: &str) -> Result<Vec<u8>, &'static str> {
    match Path::new(path).file_name() {
        Some(name) if name == "mood.weights" => Ok(MOOD.into()),
        _ => Err("there is no such file"),
    }
}

/// The document of a scenario, with a manifest made from what the tree uses.
pub fn document_of(scenario: &Scenario) -> String {
    let mut leaves = scenario.leaves.clone();
    for leaf in used_leaves(&format!("{}{}", scenario.trees, scenario.tree)) {
        let is_declared = used_leaves(&leaves).iter().any(|known| known.1 == leaf.1);
        if !is_declared {
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
    text
}

/// The behaviour of a scenario.
///
/// # Errors
/// The errors of its [document](document_of), and the text.
pub fn behaviour_of(scenario: &Scenario) -> Result<Behaviour, String> {
    let text = document_of(scenario);
    let document = Document::read_with(text.as_bytes(), "scenario", load);
    let behaviour = document.behaviour(None).map_err(|_| {
        let errors = document.diagnostics().iter();
        let errors = errors.filter(|diagnostic| diagnostic.severity() == Severity::Error);
        let errors: String = errors.map(|diagnostic| diagnostic.to_plain()).collect();
        format!("{errors}\n{text}")
    })?;
    Ok(match scenario.max_turns {
        Some(max_turns) => behaviour.with_max_turns(max_turns),
        None => behaviour,
    })
}

/// Each leaf of the host that a text names, once: the keyword before it and the name.
fn used_leaves(text: &str) -> Vec<(&str, &str)> {
    let separators = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';');
    let mut words = text.split(separators).filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let kind = match word {
            "condition" | "action" | "service" | "composite" | "decorator" => word,
            // Unless declared otherwise, it takes any number of children.
            "node" => "composite",
            _ => continue,
        };
        if let Some(name) = words.next()
            && !found.contains(&(kind, name))
        {
            found.push((kind, name));
        }
    }
    found
}
