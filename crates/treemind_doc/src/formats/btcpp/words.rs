//! The names of BehaviorTree.CPP: the nodes that the language has, with their keywords in it, and nodes of the host that
//! are known by name.

use super::dialect::{self, Version};
use crate::syntax::{Span, Text, Value};
use roxmltree::Node;

/// A node that is built into BehaviorTree.CPP.
pub(super) struct Builtin {
    pub(super) name: &'static str,
    /// Its keyword in the language.
    pub(super) word: &'static str,
    /// The properties that make the keyword do the same, each a word or a flag.
    pub(super) always: &'static [(&'static str, Option<&'static str>)],
    pub(super) ports: &'static [Port],
}

/// An attribute of a node that becomes a property, or the value without a name.
pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) to: Option<&'static str>,
    pub(super) takes: Takes,
}

/// What a port takes.
pub(super) enum Takes {
    /// A number of runs, -1 for no limit.
    Times,
    /// Milliseconds.
    Seconds,
    /// `true` or `false`; true is written as a word, or as a flag.
    Flag(bool, Option<&'static str>),
    /// A number of children, -1 for all of them, and the function that gives its value in the language.
    Children(i32, fn(Threshold, Span) -> Value),
}

/// A number of children: as it is given, as it is resolved, and how many children there are.
#[derive(Clone, Copy)]
pub(super) struct Threshold {
    pub(super) given: i64,
    pub(super) count: i64,
    pub(super) children: i64,
}

impl Builtin {
    const fn new(name: &'static str, word: &'static str) -> Self {
        Self {
            name,
            word,
            always: &[],
            ports: &[],
        }
    }

    const fn always(mut self, always: &'static [(&'static str, Option<&'static str>)]) -> Self {
        self.always = always;
        self
    }

    const fn ports(mut self, ports: &'static [Port]) -> Self {
        self.ports = ports;
        self
    }
}

const fn value(name: &'static str, takes: Takes) -> Port {
    let to = None;
    Port { name, to, takes }
}

const fn property(name: &'static str, to: &'static str, takes: Takes) -> Port {
    let to = Some(to);
    Port { name, to, takes }
}

const FRESH: (&str, Option<&str>) = ("yields", Some("fresh"));

/// The nodes that this version runs.
pub(super) const BUILTINS: &[Builtin] = &[
    Builtin::new("Sequence", "sequence"),
    Builtin::new("AsyncSequence", "sequence").always(&[FRESH]),
    Builtin::new("SequenceWithMemory", "sticky-sequence").always(&[FRESH, ("leaves-open", None)]),
    Builtin::new("ReactiveSequence", "reactive-sequence"),
    Builtin::new("Fallback", "selector"),
    Builtin::new("AsyncFallback", "selector").always(&[FRESH]),
    Builtin::new("ReactiveFallback", "reactive-selector"),
    Builtin::new("Parallel", "parallel").ports(&[
        property("success_count", "success", Takes::Children(-1, success)),
        property("failure_count", "failure", Takes::Children(1, failure)),
    ]),
    Builtin::new("ParallelAll", "parallel-all").ports(&[property(
        "max_failures",
        "max-failures",
        Takes::Children(1, failures),
    )]),
    Builtin::new("IfThenElse", "if"),
    Builtin::new("WhileDoElse", "reactive-if"),
    Builtin::new("TryCatch", "try-catch").ports(&[property(
        "catch_on_halt",
        "on-abort",
        Takes::Flag(false, None),
    )]),
    Builtin::new("Inverter", "invert"),
    Builtin::new("ForceSuccess", "force-success"),
    Builtin::new("ForceFailure", "force-failure"),
    Builtin::new("Repeat", "repeat")
        .always(&[FRESH])
        .ports(&[value("num_cycles", Takes::Times)]),
    Builtin::new("RetryUntilSuccessful", "retry")
        .always(&[FRESH])
        .ports(&[value("num_attempts", Takes::Times)]),
    Builtin::new("KeepRunningUntilFailure", "keep-running-until-failure"),
    Builtin::new("RunOnce", "run-once").ports(&[property(
        "then_skip",
        "then",
        Takes::Flag(true, Some("skipped")),
    )]),
    Builtin::new("Delay", "delay")
        .always(&[("across-skips", None)])
        .ports(&[value("delay_msec", Takes::Seconds)]),
    Builtin::new("Timeout", "timeout")
        .always(&[("across-skips", None)])
        .ports(&[value("msec", Takes::Seconds)]),
    Builtin::new("AlwaysSuccess", "succeed"),
    Builtin::new("AlwaysFailure", "fail"),
    Builtin::new("Sleep", "wait").ports(&[value("msec", Takes::Seconds)]),
];

fn text(text: &str, at: Span) -> Value {
    Value::Text(Text::made(text, at))
}

fn at_least(of: Threshold, at: Span) -> Value {
    match of.count {
        1 => text("one", at),
        count => Value::Int(count.into()),
    }
}

fn success(of: Threshold, at: Span) -> Value {
    match (of.given, of.count) {
        (-1, _) => text("all", at),
        (..-1, 1..) => text(&format!("all-but-{}", of.children - of.count), at),
        _ => at_least(of, at),
    }
}

/// Failures are counted one by one, so at 0 "exactly" differs from "at least".
fn failure(of: Threshold, at: Span) -> Value {
    match of.count {
        0 => text("exactly-0", at),
        _ => at_least(of, at),
    }
}

fn failures(of: Threshold, _: Span) -> Value {
    Value::Int(of.count.into())
}

/// Nodes that only the host can run: BehaviorTree.CPP ships them as templates for types of C++, as placeholders, or to
/// ask a person. What each is.
pub(super) const OF_HOST: &[(&str, &str)] = &[
    ("ManualSelector", "composite"),
    ("ConsumeQueue", "decorator"),
    ("LoopInt", "decorator"),
    ("LoopBool", "decorator"),
    ("LoopDouble", "decorator"),
    ("LoopString", "decorator"),
    ("PopFromQueue", "action"),
    ("TestNode", "action"),
];

/// The nodes that work on the blackboard, and those that a value chooses for.
pub(super) const ON_BLACKBOARD: &[&str] = &[
    "Script",
    "ScriptCondition",
    "Precondition",
    "SetBlackboard",
    "UnsetBlackboard",
    "WasEntryUpdated",
    "EntryUpdatedAction",
    "SkipUnlessUpdated",
    "EntryUpdatedDecorator",
    "WaitValueUpdate",
    "Switch2",
    "Switch3",
    "Switch4",
    "Switch5",
    "Switch6",
    "BlackboardCheckInt",
    "BlackboardCheckDouble",
    "BlackboardCheckString",
    "BlackboardCheckBool",
];

/// Words that only version 3 of the XML has.
pub(super) const ONLY_THREE: &[&str] = &[
    "SubTreePlus",
    "SequenceStar",
    "RetryUntilSuccesful",
    "FallbackStar",
    "ParallelNode",
    "Negation",
    "BlackboardCheckInt",
    "BlackboardCheckDouble",
    "BlackboardCheckString",
    "BlackboardCheckBool",
];

/// Nodes that only version 4 has.
pub(super) const ONLY_FOUR: &[&str] = &[
    "AsyncSequence",
    "AsyncFallback",
    "ParallelAll",
    "Script",
    "ScriptCondition",
    "SequenceWithMemory",
    "SkipUnlessUpdated",
    "TryCatch",
    "UnsetBlackboard",
    "WaitValueUpdate",
    "WasEntryUpdated",
];

/// The name that MoveIt Pro has for `Repeat`, also in version 4.
pub(super) const WITHIN_TICK: &str = "RepeatUnlessFailureWithinTick";

/// The name that a node of an older version has now.
pub(super) fn current(name: &str) -> Option<&'static str> {
    Some(match name {
        "SequenceStar" => "SequenceWithMemory",
        "FallbackStar" => "Fallback",
        "RetryUntilSuccesful" => "RetryUntilSuccessful",
        "ParallelNode" => "Parallel",
        "Negation" => "Inverter",
        WITHIN_TICK => "Repeat",
        _ => return None,
    })
}

/// The name that an attribute of an older version has now.
pub(super) fn current_port<'n>(node: &str, port: &'n str) -> &'n str {
    match (node, port) {
        ("Parallel", "success_threshold" | "threshold") => "success_count",
        ("Parallel", "failure_threshold") => "failure_count",
        (_, port) => port,
    }
}

/// What a built-in node is if a key says what it does, so that only the host can run it: a number of children, or what
/// a `RunOnce` answers when it has run.
pub(super) fn by_key(element: Node<'_, '_>, name: &str, version: Version) -> Option<&'static str> {
    let kind = match name {
        "Parallel" | "ParallelAll" => "composite",
        "RunOnce" => "decorator",
        _ => return None,
    };
    let counts = |port: &str| {
        matches!(
            port,
            "success_count" | "failure_count" | "max_failures" | "then_skip"
        )
    };
    let mut attributes = element.attributes();
    let is_key = attributes.any(|one| {
        counts(current_port(name, one.name())) && dialect::pointer_of(one, version).is_some()
    });
    is_key.then_some(kind)
}

/// What a port of these nodes is if it is not given.
pub(super) fn default_of(node: &str, port: &str) -> Option<&'static str> {
    Some(match (node, current_port(node, port)) {
        ("Parallel", "success_count") => "-1",
        ("Parallel", "failure_count") | ("ParallelAll", "max_failures") => "1",
        ("RunOnce", "then_skip") => "true",
        _ => return None,
    })
}

/// What a node is that only the host can run.
pub(super) fn of_host(name: &str) -> Option<&'static str> {
    let found = OF_HOST.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind)
}

/// The nodes that need no host, but for subtrees.
pub(super) fn without_host() -> impl Iterator<Item = &'static str> {
    all().filter(|name| of_host(name).is_none())
}

/// All nodes that are built into BehaviorTree.CPP, but for subtrees.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let known = BUILTINS.iter().map(|builtin| builtin.name);
    let hosts = OF_HOST.iter().map(|(name, _)| *name);
    known.chain(hosts).chain(ON_BLACKBOARD.iter().copied())
}

/// Whether BehaviorTree.CPP 4 knows a node of this name without being told.
pub(super) fn is_registered(name: &str) -> bool {
    let is_of_three = ["BlackboardCheck", "EntryUpdated"];
    let is_of_three = is_of_three.iter().any(|word| name.starts_with(word));
    let is_loop = name.starts_with("Loop");
    let is_known = all().any(|known| known == name) || name == "SubTree";
    is_known && !is_of_three && (is_loop || of_host(name).is_none())
}

/// Whether an attribute of a built-in node holds a script.
pub(super) fn is_script(node: &str, port: &str) -> bool {
    matches!(
        (node, port),
        ("Script" | "ScriptCondition", "code") | ("Precondition", "if")
    )
}

/// Whether an attribute of a built-in node names a key without braces.
pub(super) fn names_key(node: &str, port: &str) -> bool {
    matches!(
        (node, port),
        ("SetBlackboard", "output_key")
            | ("StatusToBlackboard", "variable_name")
            | ("UnsetBlackboard", "key")
            | (
                "WasEntryUpdated"
                    | "EntryUpdatedAction"
                    | "SkipUnlessUpdated"
                    | "EntryUpdatedDecorator"
                    | "WaitValueUpdate",
                "entry"
            )
    )
}

/// Actions of the navigation stack of ROS 2, whose files use them without saying that they are actions.
pub(super) const ACTIONS: &[&str] = &[
    "AppendGoalPoseToGoals",
    "AssistedTeleop",
    "BackUp",
    "CancelAssistedTeleop",
    "CancelBackUp",
    "CancelComputeAndTrackRoute",
    "CancelControl",
    "CancelDriveOnHeading",
    "CancelFollowObject",
    "CancelSpin",
    "CancelWait",
    "CheckPoseOccupancy",
    "CheckStopStatus",
    "ClearCostmapAroundPose",
    "ClearCostmapAroundRobot",
    "ClearCostmapExceptRegion",
    "ClearEntireCostmap",
    "ComputeAndTrackRoute",
    "ComputePathThroughPoses",
    "ComputePathToPose",
    "ComputeRoute",
    "ConcatenatePaths",
    "ControllerSelector",
    "DockRobot",
    "DriveOnHeading",
    "ExtractRouteNodesAsGoals",
    "FollowObject",
    "FollowPath",
    "GetCurrentPose",
    "GetNextFewGoals",
    "GetPoseFromPath",
    "GoalCheckerSelector",
    "NavigateThroughPoses",
    "NavigateToPose",
    "PathHandlerSelector",
    "PlannerSelector",
    "ProgressCheckerSelector",
    "ReinitializeGlobalLocalization",
    "RemoveInCollisionGoals",
    "RemovePassedGoals",
    "SmoothPath",
    "SmootherSelector",
    "Spin",
    "ToggleCollisionMonitor",
    "TruncatePath",
    "TruncatePathLocal",
    "UndockRobot",
    "ValidatePath",
    "Wait",
];

/// Its conditions.
pub(super) const CONDITIONS: &[&str] = &[
    "AreErrorCodesPresent",
    "ArePosesNear",
    "DistanceTraveled",
    "GlobalUpdatedGoal",
    "GoalReached",
    "GoalUpdated",
    "InitialPoseReceived",
    "IsBatteryCharging",
    "IsBatteryLow",
    "IsGoalNearby",
    "IsPathValid",
    "IsStopped",
    "IsStuck",
    "IsWithinPathTrackingBounds",
    "PathExpiringTimer",
    "TimeExpired",
    "TransformAvailable",
    "WouldAControllerRecoveryHelp",
    "WouldAPlannerRecoveryHelp",
    "WouldARouteRecoveryHelp",
    "WouldASmootherRecoveryHelp",
];

/// Elements around nodes, which are not nodes themselves.
pub(super) const AROUND: &[&str] = &["root", "BehaviorTree", "TreeNodesModel", "include"];

/// Elements that name their node in `ID`.
pub(super) const EXPLICIT: &[&str] = &["Action", "Condition", "Control", "Decorator"];

/// An attribute that holds a script, on any node.
pub(super) struct ScriptAttribute {
    pub(super) name: &'static str,
    /// Our guard or hook.
    pub(super) property: &'static str,
    pub(super) is_condition: bool,
}

const fn script(name: &'static str, property: &'static str, is_condition: bool) -> ScriptAttribute {
    ScriptAttribute {
        name,
        property,
        is_condition,
    }
}

/// All of them, in the order in which they are asked and run.
pub(super) static SCRIPTS: [ScriptAttribute; 8] = [
    script("_failureIf", "fail-if", true),
    script("_successIf", "succeed-if", true),
    script("_skipIf", "skip-if", true),
    script("_while", "while", true),
    script("_onSuccess", "on-success", false),
    script("_onFailure", "on-failure", false),
    script("_onHalted", "on-abort", false),
    script("_post", "on-end", false),
];

/// The attribute with this name, if it holds a script.
pub(super) fn script_attribute(name: &str) -> Option<&'static ScriptAttribute> {
    SCRIPTS.iter().find(|one| one.name == name)
}

/// The attribute of BehaviorTree.CPP for a guard or a hook: `_skipIf` for `skip-if`.
pub fn btcpp_attribute(property: &str) -> Option<&'static str> {
    let found = SCRIPTS.iter().find(|one| one.property == property);
    found.map(|one| one.name)
}

/// What people write for the attributes that hold scripts, in small letters without `_`.
const SCRIPTS_MEANT: &[(&str, &[&str])] = &[
    ("_failureIf", &["failif", "failsif", "failwhen", "abortif"]),
    (
        "_successIf",
        &["succeedif", "succeedsif", "passif", "doneif"],
    ),
    (
        "_skipIf",
        &[
            "if",
            "unless",
            "when",
            "skip",
            "skipwhen",
            "skipunless",
            "runif",
            "condition",
            "precondition",
            "pre",
            "prescript",
            "guard",
        ],
    ),
    ("_while", &["until", "whiletrue", "runwhile", "haltif"]),
    (
        "_onSuccess",
        &["onsucceed", "onsucceeded", "onsuccessful", "onpass", "onok"],
    ),
    ("_onFailure", &["onfail", "onfailed", "onfails", "onerror"]),
    (
        "_onHalted",
        &[
            "onhalt",
            "onabort",
            "onaborted",
            "oncancel",
            "oncanceled",
            "oncancelled",
            "onstop",
            "onstopped",
            "oninterrupt",
            "oninterrupted",
            "onpreempt",
        ],
    ),
    (
        "_post",
        &[
            "postcondition",
            "postscript",
            "after",
            "finally",
            "onend",
            "onended",
            "ondone",
            "onfinish",
            "onfinished",
            "onexit",
            "onleave",
            "oncomplete",
            "oncompleted",
            "oncompletion",
            "always",
        ],
    ),
];

/// A name as [`SCRIPTS_MEANT`] has it.
fn plain_script(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

/// The attribute with a script that somebody meant who wrote this one.
pub(super) fn script_meant(name: &str) -> Option<&'static str> {
    let plain = plain_script(name);
    let is_it = |(_, all): &&(&str, &[&str])| all.contains(&plain.as_str());
    SCRIPTS_MEANT.iter().find(is_it).map(|(theirs, _)| *theirs)
}

/// The attribute with a script whose `_` somebody has left out: `skipIf`. Ports may well be called `while` and `post`.
pub(super) fn script_without_sign(name: &str) -> Option<&'static str> {
    let plain = plain_script(name);
    let mut known = SCRIPTS.iter().map(|one| one.name);
    let found = known.find(|one| !name.starts_with('_') && plain_script(one) == plain);
    found.filter(|one| !matches!(*one, "_while" | "_post"))
}

/// Whether somebody meant a script that runs when a node starts.
pub(super) fn is_at_start(name: &str) -> bool {
    let plain = plain_script(name);
    [
        "onstart",
        "onstarted",
        "onenter",
        "onbegin",
        "onentry",
        "before",
    ]
    .contains(&plain.as_str())
}

/// Whether an attribute that begins with `_` is called like one that holds a script: `_onTick`, `_warnIf`.
pub(super) fn looks_like_script(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    let is_hook = name.strip_prefix("on");
    is_hook.is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
        || name.ends_with("If")
        || name.ends_with("While")
}

/// Names of nodes in other versions, or elsewhere.
const FOREIGN: &[(&str, &str)] = &[
    ("memorysequence", "SequenceWithMemory"),
    ("selector", "Fallback"),
    ("reactiveselector", "ReactiveFallback"),
    ("retry", "RetryUntilSuccessful"),
    ("negation", "Inverter"),
    ("invert", "Inverter"),
    ("not", "Inverter"),
    ("if", "IfThenElse"),
    ("while", "WhileDoElse"),
    ("succeeder", "ForceSuccess"),
    ("success", "AlwaysSuccess"),
    ("failure", "AlwaysFailure"),
    ("wait", "Sleep"),
];

/// The built-in node with this name.
pub(super) fn of(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|word| word.name == name)
}

/// The name in BehaviorTree.CPP for something that has this name elsewhere.
pub(super) fn foreign(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let found = FOREIGN.iter().find(|(other, _)| *other == lower);
    found.map(|(_, ours)| *ours)
}
