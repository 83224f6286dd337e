//! Nodes of the host whose names are those of nodes that BehaviorTree.CPP has by now: files are older than these, or
//! their programs have replaced them.

use super::dialect::Version;
use super::model::Models;
use super::words;
use roxmltree::Node;

/// What version 3 did not have, so that its files may mean something of their own.
const NEW_IN_FOUR: &[&str] = &[
    "Sleep",
    "RunOnce",
    "Script",
    "ScriptCondition",
    "Precondition",
    "UnsetBlackboard",
    "WasEntryUpdated",
    "SkipUnlessUpdated",
    "WaitValueUpdate",
    "LoopInt",
    "LoopBool",
    "LoopDouble",
    "LoopString",
    "TryCatch",
    "ParallelAll",
];

pub(super) fn is_new(name: &str) -> bool {
    NEW_IN_FOUR.contains(&name)
}

/// The attributes that a built-in node must have.
fn needed(name: &str) -> &'static [&'static str] {
    match name {
        "Sleep" | "Timeout" => &["msec"],
        "Delay" => &["delay_msec"],
        "Repeat" => &["num_cycles"],
        "RetryUntilSuccessful" => &["num_attempts"],
        "Script" | "ScriptCondition" => &["code"],
        "Precondition" => &["if"],
        "SetBlackboard" => &["value", "output_key"],
        "UnsetBlackboard" => &["key"],
        "WasEntryUpdated" | "SkipUnlessUpdated" | "WaitValueUpdate" => &["entry"],
        _ => &[],
    }
}

/// The attributes that a built-in node may have beside those.
fn allowed(name: &str) -> &'static [&'static str] {
    match name {
        "RunOnce" => &["then_skip"],
        "Precondition" => &["else"],
        "TryCatch" => &["catch_on_halt"],
        "ParallelAll" => &["max_failures"],
        "LoopInt" | "LoopBool" | "LoopDouble" | "LoopString" => &["queue", "if_empty", "value"],
        _ => &[],
    }
}

/// What a node is that has the name of a built-in one and cannot be it; `None` if it can.
pub(super) fn own(
    element: Node<'_, '_>,
    name: &str,
    version: Version,
    models: &Models,
) -> Option<&'static str> {
    let (needed, allowed) = (needed(name), allowed(name));
    let is_new = is_new(name);
    if needed.is_empty() && !is_new {
        return None;
    }
    let is_port = |port: &str| !matches!(port, "ID" | "name") && !port.starts_with('_');
    let given: Vec<&str> = element.attributes().map(|one| one.name()).collect();
    let mut other = given
        .iter()
        .filter(|port| is_port(port) && !needed.contains(port) && !allowed.contains(port));
    let lacks = needed.iter().any(|port| !given.contains(port));
    let is_declared = |port: &&&str| {
        let model = models.get(name);
        model.is_some_and(|model| model.ports.contains_key(**port))
    };
    let is_own = match version {
        Version::Three if is_new => lacks || other.next().is_some(),
        // Early releases of version 4 had no `Sleep`.
        _ if name == "Sleep" => lacks && other.any(|port| !is_near(port)),
        _ => lacks && other.any(|port| is_declared(&port)),
    };
    is_own.then_some(match element.children().filter(Node::is_element).count() {
        0 => "action",
        1 => "decorator",
        _ => "composite",
    })
}

/// Whether an attribute is more likely a misspelt `msec`.
fn is_near(port: &str) -> bool {
    crate::suggest::nearest(port, ["msec"]).is_some()
}

/// What a node of the host is that has the name of a built-in one, because a key says what it does, or because it
/// cannot be the built-in one.
pub(super) fn of_host(
    element: Node<'_, '_>,
    name: &str,
    version: Version,
    models: &Models,
) -> Option<&'static str> {
    words::by_key(element, name, version).or_else(|| own(element, name, version, models))
}
