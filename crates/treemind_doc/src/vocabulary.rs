//! The words of the language: those that this version runs, those that it knows but cannot run yet, and those that
//! people bring along from other tools.

/// How many children a kind of node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    None,
    One,
    Many,
}

/// A kind of node that this version runs.
#[derive(Debug)]
pub(crate) struct NodeWord {
    pub(crate) name: &'static str,
    pub(crate) children: Children,
    /// Its properties beside those of every node.
    pub(crate) properties: &'static [&'static str],
    /// Properties that this version cannot run yet.
    pub(crate) later: &'static [&'static str],
}

const fn word(
    name: &'static str,
    children: Children,
    properties: &'static [&'static str],
    later: &'static [&'static str],
) -> NodeWord {
    NodeWord {
        name,
        children,
        properties,
        later,
    }
}

/// Every kind of node that this version runs.
pub(crate) const NODES: &[NodeWord] = &[
    word("condition", Children::None, &["not"], &[]),
    word("action", Children::None, &["on-success"], &[]),
    word("check", Children::None, &[], &[]),
    word("set", Children::None, &[], &[]),
    word("wait", Children::None, &[], &["jitter"]),
    word("succeed", Children::None, &[], &[]),
    word("fail", Children::None, &[], &[]),
    word("run", Children::None, &[], &[]),
    word("sequence", Children::Many, &[], &["yields"]),
    word("selector", Children::Many, &[], &["yields"]),
    word("reactive-sequence", Children::Many, &[], &[]),
    word("reactive-selector", Children::Many, &[], &[]),
    word("monitor", Children::Many, &[], &[]),
    word(
        "parallel",
        Children::Many,
        &["success", "failure"],
        &["check", "repeat-finished", "skipped"],
    ),
    word("random-selector", Children::Many, &[], &["replacement"]),
    word("invert", Children::One, &[], &[]),
    word("force-success", Children::One, &[], &["even-running"]),
    word("force-failure", Children::One, &[], &["even-running"]),
    word("repeat", Children::One, &["yields"], &["count", "max-runs"]),
    word("retry", Children::One, &["yields"], &["count", "max-runs"]),
];

/// Properties of every node.
pub(crate) const COMMON_PROPERTIES: &[&str] = &["name", "doc", "disabled"];

/// Properties of every node that this version cannot run yet.
pub(crate) const LATER_PROPERTIES: &[&str] = &[
    "fail-if",
    "succeed-if",
    "skip-if",
    "when",
    "while",
    "while-else",
    "aborts",
    "on-success",
    "on-failure",
    "on-abort",
    "on-end",
    "score",
    "weight",
];

/// Kinds of nodes that this version cannot run yet.
pub(crate) const LATER_NODES: &[&str] = &[
    "unset",
    "log",
    "emit",
    "interrupt",
    "subtree",
    "subtree-by",
    "changed",
    "decide",
    "machine",
    "sticky-sequence",
    "random-sequence",
    "weighted-selector",
    "parallel-all",
    "filter",
    "if",
    "reactive-if",
    "switch",
    "simple-parallel",
    "utility-selector",
    "try-catch",
    "until-failure",
    "until-success",
    "keep-running-until-failure",
    "limit",
    "cooldown",
    "timeout",
    "delay",
    "run-once",
    "semaphore",
    "interruptible",
    "scope",
    "service",
    "chance",
    "for-each",
    "on-change",
    "node",
];

/// Those of them, and of what stands elsewhere, whose blocks hold something else than nodes.
pub(crate) const LATER_WITHOUT_NODES: &[&str] = &[
    "switch",
    "utility-selector",
    "scope",
    "subtree",
    "decide",
    "machine",
    "node",
    "blackboard",
    "leaves",
    "tree",
    "archetype",
    "test",
    "key",
];

/// What may stand at the top of a document.
pub(crate) const TOP: &[&str] = &["main", "blackboard", "leaves", "tree"];

/// What may stand at the top of a document in a later version.
pub(crate) const LATER_TOP: &[&str] = &["decide", "machine", "archetype", "test", "import"];

/// What may stand beside the root of a tree in a later version.
pub(crate) const LATER_IN_TREE: &[&str] = &["key", "in", "out", "inout"];

/// The types of keys and parameters.
pub(crate) const TYPES: &[&str] = &["bool", "int", "float", "double", "enum", "entity"];

/// Types that this version cannot run yet.
pub(crate) const LATER_TYPES: &[&str] = &["vec2", "vec3", "string", "any"];

/// What may stand in `leaves`.
pub(crate) const LEAVES: &[&str] = &["condition", "action"];

/// What may stand in `leaves` in a later version.
pub(crate) const LATER_LEAVES: &[&str] = &["service", "sensor", "composite", "decorator", "event"];

/// What other tools call our nodes and types.
const FOREIGN: &[(&str, &str)] = &[
    ("fallback", "selector"),
    ("priority", "selector"),
    ("reactive-fallback", "reactive-selector"),
    ("active-selector", "reactive-selector"),
    ("inverter", "invert"),
    ("not", "invert"),
    ("negate", "invert"),
    ("succeeder", "force-success"),
    ("always-success", "succeed"),
    ("always-failure", "fail"),
    ("success", "succeed"),
    ("failure", "fail"),
    ("running", "run"),
    ("failer", "force-failure"),
    ("repeater", "repeat"),
    ("loop", "repeat"),
    ("task", "action"),
    ("do", "action"),
    ("script", "set"),
    ("assert", "check"),
    ("sleep", "wait"),
    ("pause", "wait"),
    ("behavior", "tree"),
    ("behaviour", "tree"),
    ("behavior-tree", "tree"),
    ("root", "tree"),
    ("boolean", "bool"),
    ("integer", "int"),
    ("i64", "int"),
    ("f32", "float"),
    ("f64", "double"),
    ("number", "float"),
    ("u64", "entity"),
];

/// The kind of node of that name.
pub(crate) fn node_word(name: &str) -> Option<&'static NodeWord> {
    NODES.iter().find(|word| word.name == name)
}

/// What the language calls something that has this name elsewhere.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase().replace('_', "-");
    let found = FOREIGN.iter().find(|(other, _)| *other == lower);
    found.map(|(_, ours)| *ours)
}
