//! The words of the language: those that this version runs, those that it knows but cannot run yet, and those that
//! people bring along from other tools.

/// How many children a kind of node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    None,
    One,
    Two,
    Many,
    TwoOrThree,
    TwoOrMore,
    /// `case` and `default`, each with one child.
    Cases,
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
    word("action", Children::None, &[], &[]),
    word("check", Children::None, &[], &[]),
    word("set", Children::None, &[], &[]),
    word("unset", Children::None, &[], &[]),
    word("wait", Children::None, &["jitter"], &[]),
    word("succeed", Children::None, &[], &[]),
    word("fail", Children::None, &[], &[]),
    word("run", Children::None, &[], &[]),
    word("sequence", Children::Many, &["yields"], &[]),
    word("selector", Children::Many, &["yields"], &[]),
    word(
        "sticky-sequence",
        Children::Many,
        &["yields", "reset-on-abort"],
        &[],
    ),
    word("reactive-sequence", Children::Many, &[], &[]),
    word("reactive-selector", Children::Many, &[], &[]),
    word("filter", Children::Many, &[], &[]),
    word("monitor", Children::Many, &[], &[]),
    word(
        "parallel",
        Children::Many,
        &["success", "failure", "skipped", "check", "repeat-finished"],
        &[],
    ),
    word("parallel-all", Children::Many, &["max-failures"], &[]),
    word("simple-parallel", Children::Two, &["finish"], &[]),
    word("random-selector", Children::Many, &["replacement"], &[]),
    word("random-sequence", Children::Many, &["replacement"], &[]),
    word("weighted-selector", Children::Many, &[], &[]),
    word(
        "utility-selector",
        Children::Many,
        &["policy", "top", "hysteresis", "reactive"],
        &[],
    ),
    word("subtree", Children::None, &["inherit"], &[]),
    word("subtree-by", Children::None, &["of"], &[]),
    word("interrupt", Children::None, &["result"], &[]),
    word("if", Children::TwoOrThree, &[], &[]),
    word("reactive-if", Children::TwoOrThree, &[], &[]),
    word("switch", Children::Cases, &["once"], &[]),
    word("try-catch", Children::TwoOrMore, &["on-abort"], &[]),
    word("invert", Children::One, &[], &[]),
    word("force-success", Children::One, &["even-running"], &[]),
    word("force-failure", Children::One, &["even-running"], &[]),
    word(
        "for-each",
        Children::One,
        &["in", "if-empty", "max-runs"],
        &[],
    ),
    word(
        "repeat",
        Children::One,
        &["yields", "count", "max-runs"],
        &[],
    ),
    word(
        "retry",
        Children::One,
        &["yields", "count", "max-runs"],
        &[],
    ),
    word("until-failure", Children::One, &["yields", "max-runs"], &[]),
    word("until-success", Children::One, &["yields", "max-runs"], &[]),
    word("keep-running-until-failure", Children::One, &[], &[]),
    word("run-once", Children::One, &["then"], &[]),
    word("limit", Children::One, &["per"], &[]),
    word("cooldown", Children::One, &["else"], &[]),
    word("timeout", Children::One, &[], &[]),
    word("delay", Children::One, &[], &[]),
    word("chance", Children::One, &[], &[]),
    word("interruptible", Children::One, &[], &[]),
    word("semaphore", Children::One, &["max", "scope", "wait"], &[]),
    word("service", Children::One, &["interval", "jitter"], &[]),
    word("node", Children::Many, &[], &[]),
    word("changed", Children::None, &[], &[]),
    word("on-change", Children::One, &["else"], &[]),
    word("scope", Children::One, &[], &[]),
    word("log", Children::None, &[], &[]),
    word("emit", Children::None, &["value"], &[]),
    word("machine", Children::None, &["inherit"], &[]),
    word("decide", Children::None, &["inherit"], &[]),
];

/// Properties of every node.
pub(crate) const COMMON_PROPERTIES: &[&str] = &["name", "doc", "disabled", "allow"];

/// Tests before any node, and statements after it.
pub(crate) const GUARDS_AND_HOOKS: &[&str] = &[
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
];

/// Properties of a node that have a meaning under some parents only.
pub(crate) const PLACED_PROPERTIES: &[&str] = &["weight", "score"];

/// Properties of every node that this version cannot run yet.
pub(crate) const LATER_PROPERTIES: &[&str] = &[];

/// Kinds of nodes that this version cannot run yet.
pub(crate) const LATER_NODES: &[&str] = &[];

/// Those of them, and of what stands elsewhere, whose blocks hold something else than nodes.
pub(crate) const LATER_WITHOUT_NODES: &[&str] = &[
    "score",
    "consider",
    "blackboard",
    "leaves",
    "tree",
    "archetype",
    "test",
    "key",
];

/// What may stand at the top of a document.
pub(crate) const TOP: &[&str] = &[
    "import",
    "main",
    "blackboard",
    "leaves",
    "tree",
    "machine",
    "decide",
    "archetype",
];

/// What may stand at the top of a document in a later version.
pub(crate) const LATER_TOP: &[&str] = &["test"];

/// What may stand beside the root of a tree.
pub(crate) const IN_TREE: &[&str] = &["key", "in", "out", "inout"];

/// What may stand in a state, and in a machine beside its keys and ports.
pub(crate) const IN_STATE: &[&str] = &[
    "initial",
    "state",
    "parallel",
    "entry",
    "exit",
    "do",
    "transition",
    "defer",
];

/// What stands in a decision tree beside tasks; the first ones are tests.
pub(crate) const IN_DECISION: &[&str] = &[
    "test",
    "range",
    "test-condition",
    "switch",
    "random",
    "goto",
    "none",
    "branch",
    "yes",
    "no",
    "option",
];

/// What may stand in the `when` of a transition.
pub(crate) const IN_WHEN: &[&str] = &["condition", "check", "all", "any", "not"];

/// Properties of a key that the host computes; others are parameters of its sensor.
pub(crate) const SENSED_KEY: &[&str] = &[
    "type", "default", "optional", "list", "doc", "sensor", "interval",
];

/// The types of keys and parameters.
pub(crate) const TYPES: &[&str] = &[
    "bool", "int", "float", "double", "enum", "entity", "vec2", "vec3", "string", "any",
];

/// What may stand in `leaves`.
pub(crate) const LEAVES: &[&str] = &[
    "condition",
    "action",
    "service",
    "composite",
    "decorator",
    "sensor",
    "event",
];

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
    ("sequence-with-memory", "sticky-sequence"),
    ("sequencewithmemory", "sticky-sequence"),
    ("memory-sequence", "sequence"),
    ("memory-selector", "selector"),
    ("if-then-else", "if"),
    ("ifthenelse", "if"),
    ("while-do-else", "reactive-if"),
    ("whiledoelse", "reactive-if"),
    ("try", "try-catch"),
    ("retry-until-successful", "retry"),
    ("probability", "chance"),
    ("mutex", "semaphore"),
    ("lock", "semaphore"),
    ("run-behavior-dynamic", "subtree-by"),
    ("subtree-dynamic", "subtree-by"),
    ("state-machine", "machine"),
    ("statemachine", "machine"),
    ("fsm", "machine"),
    ("statechart", "machine"),
    ("repeater", "repeat"),
    ("loop", "repeat"),
    ("task", "action"),
    ("do", "action"),
    ("print", "log"),
    ("signal", "emit"),
    ("raise", "emit"),
    ("send", "emit"),
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
    ("str", "string"),
    ("text", "string"),
    ("vector2", "vec2"),
    ("vector3", "vec3"),
    ("variant", "any"),
    ("foreach", "for-each"),
    ("for", "for-each"),
    ("clear", "unset"),
    ("utility", "utility-selector"),
    ("utilityselector", "utility-selector"),
    ("utility-ai", "utility-selector"),
    ("unset-blackboard", "unset"),
];

/// Whether a property of that name is the node's own whatever the node is, now or later, and never a parameter.
pub(crate) fn is_common_property(name: &str) -> bool {
    [
        COMMON_PROPERTIES,
        GUARDS_AND_HOOKS,
        PLACED_PROPERTIES,
        LATER_PROPERTIES,
    ]
    .iter()
    .any(|list| list.contains(&name))
}

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

/// Whether the block of such a node may hold `param NAME VALUE`.
pub(crate) fn takes_params(name: &str) -> bool {
    matches!(
        name,
        "condition" | "action" | "service" | "node" | "emit" | "subtree" | "machine" | "decide"
    )
}
