//! The words of BehaviorTree.CPP: what this version runs, and what it knows but cannot run yet.

/// How many children a node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    None,
    One,
    Many,
    TwoOrThree,
    TwoOrMore,
}

/// A node that BehaviorTree.CPP brings along.
#[derive(Debug)]
pub(super) struct Builtin {
    pub(super) name: &'static str,
    pub(super) children: Children,
    pub(super) ports: &'static [&'static str],
}

const fn builtin(
    name: &'static str,
    children: Children,
    ports: &'static [&'static str],
) -> Builtin {
    Builtin {
        name,
        children,
        ports,
    }
}

/// Those that this version runs.
pub(super) const BUILTINS: &[Builtin] = &[
    builtin("Sequence", Children::Many, &[]),
    builtin("AsyncSequence", Children::Many, &[]),
    builtin("SequenceWithMemory", Children::Many, &[]),
    builtin("ReactiveSequence", Children::Many, &[]),
    builtin("Fallback", Children::Many, &[]),
    builtin("AsyncFallback", Children::Many, &[]),
    builtin("ReactiveFallback", Children::Many, &[]),
    builtin(
        "Parallel",
        Children::Many,
        &["success_count", "failure_count"],
    ),
    builtin("ParallelAll", Children::Many, &["max_failures"]),
    builtin("IfThenElse", Children::TwoOrThree, &[]),
    builtin("WhileDoElse", Children::TwoOrThree, &[]),
    builtin("TryCatch", Children::TwoOrMore, &["catch_on_halt"]),
    builtin("Inverter", Children::One, &[]),
    builtin("ForceSuccess", Children::One, &[]),
    builtin("ForceFailure", Children::One, &[]),
    builtin("Repeat", Children::One, &["num_cycles"]),
    builtin("RetryUntilSuccessful", Children::One, &["num_attempts"]),
    builtin("KeepRunningUntilFailure", Children::One, &[]),
    builtin("RunOnce", Children::One, &["then_skip"]),
    builtin("Delay", Children::One, &["delay_msec"]),
    builtin("Timeout", Children::One, &["msec"]),
    builtin("AlwaysSuccess", Children::None, &[]),
    builtin("AlwaysFailure", Children::None, &[]),
    builtin("Sleep", Children::None, &["msec"]),
];

/// Those that this version cannot run yet.
pub(super) const LATER: &[&str] = &[
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "ManualSelector",
    "Precondition",
    "LoopInt",
    "LoopBool",
    "LoopDouble",
    "LoopString",
    "SkipUnlessUpdated",
    "WaitValueUpdate",
    "EntryUpdatedAction",
    "EntryUpdatedDecorator",
    "WasEntryUpdated",
    "Script",
    "ScriptCondition",
    "SetBlackboard",
    "UnsetBlackboard",
    "TestNode",
    "ConsumeQueue",
    "PopFromQueue",
    "SubTreePlus",
];

/// What stands around nodes and is none.
pub(super) const AROUND: &[&str] = &["root", "BehaviorTree", "TreeNodesModel", "include"];

/// Elements that name their node in `ID`.
pub(super) const EXPLICIT: &[&str] = &["Action", "Condition", "Control", "Decorator"];

/// Attributes that hold scripts, on any node.
pub(super) const SCRIPTS: &[&str] = &[
    "_failureIf",
    "_successIf",
    "_skipIf",
    "_while",
    "_onSuccess",
    "_onFailure",
    "_onHalted",
    "_post",
];

/// What nodes were called in other versions, or are elsewhere.
const FOREIGN: &[(&str, &str)] = &[
    ("sequencestar", "SequenceWithMemory"),
    ("memorysequence", "SequenceWithMemory"),
    ("selector", "Fallback"),
    ("fallbackstar", "Fallback"),
    ("reactiveselector", "ReactiveFallback"),
    ("retry", "RetryUntilSuccessful"),
    ("retryuntilsuccesful", "RetryUntilSuccessful"),
    ("negation", "Inverter"),
    ("invert", "Inverter"),
    ("not", "Inverter"),
    ("if", "IfThenElse"),
    ("while", "WhileDoElse"),
    ("succeeder", "ForceSuccess"),
];

/// The built-in node of that name.
pub(super) fn of(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|word| word.name == name)
}

/// What BehaviorTree.CPP calls something that has this name elsewhere.
pub(super) fn foreign(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let found = FOREIGN.iter().find(|(other, _)| *other == lower);
    found.map(|(_, ours)| *ours)
}
