//! The words of other tools and languages, and what to write instead.
//!
//! The one table from their words to ours. BehaviorTree.CPP, Unreal, py_trees, LimboAI, XState and programming
//! languages are what newcomers know; a word is found however it is spelt: `RetryUntilSuccessful`,
//! `retry-until-successful`, `retry_until_successful`.

use super::Spot;
use crate::Said;

/// Our word, and the words for it elsewhere, in small letters and without hyphens.
const WORDS: &[(&str, &[&str])] = &[
    // Lists.
    (
        "sequence",
        &[
            "memorysequence",
            "asyncsequence",
            "and",
            "series",
            "inorder",
            "steps",
            "chain",
        ],
    ),
    (
        "selector",
        &[
            "fallback",
            "asyncfallback",
            "memoryselector",
            "memoryfallback",
            "fallbackstar",
            "or",
            "firstof",
            "choose",
            "select",
            "chooser",
        ],
    ),
    (
        "reactive-sequence",
        &["dynamicsequence", "activesequence", "whileall"],
    ),
    (
        "reactive-selector",
        &[
            "priority",
            "priorityselector",
            "priorityfallback",
            "reactivefallback",
            "activeselector",
            "dynamicselector",
            "activefallback",
            "dynamicfallback",
        ],
    ),
    (
        "sticky-sequence",
        &["sequencewithmemory", "sequencestar", "memsequence"],
    ),
    (
        "random-selector",
        &[
            "randomfallback",
            "shuffleselector",
            "choice",
            "randomchoice",
            "pickrandom",
        ],
    ),
    ("random-sequence", &["shufflesequence", "shuffle"]),
    (
        "weighted-selector",
        &[
            "probabilityselector",
            "weightedrandom",
            "weightedrandomselector",
            "probabilisticselector",
            "randomweightedselector",
        ],
    ),
    (
        "utility-selector",
        &["utility", "utilityai", "scorer", "bestof", "highestscore"],
    ),
    (
        "if",
        &["ifthenelse", "ifelse", "branch", "conditional", "ifnot"],
    ),
    ("reactive-if", &["whiledoelse"]),
    (
        "switch",
        &[
            "match",
            "manualselector",
            "switch2",
            "switch3",
            "switch4",
            "switch5",
            "switch6",
        ],
    ),
    ("try-catch", &["try", "trycatchfinally", "recovery"]),
    ("monitor", &["guardian", "eternalguard"]),
    (
        "parallel",
        &["concurrent", "simultaneous", "sidebyside", "join"],
    ),
    ("parallel-all", &["waitall", "joinall"]),
    (
        "machine",
        &["statemachine", "fsm", "statechart", "hfsm", "createmachine"],
    ),
    // Decorators and loops.
    (
        "invert",
        &["inverter", "not", "negate", "negation", "inversion"],
    ),
    (
        "force-success",
        &[
            "succeeder",
            "alwayssucceed",
            "failureissuccess",
            "optional",
            "ignorefailure",
            "returnsuccess",
        ],
    ),
    (
        "force-failure",
        &["failer", "successisfailure", "returnfailure"],
    ),
    (
        "forever",
        &[
            "infinite",
            "endless",
            "always",
            "repeatforever",
            "loopforever",
            "infiniteloop",
            "endlessloop",
        ],
    ),
    (
        "repeat",
        &["repeater", "loop", "loopint", "times", "conditionalloop"],
    ),
    (
        "retry",
        &["retryuntilsuccessful", "retryuntilsuccesful", "retrier"],
    ),
    (
        "until-success",
        &[
            "repeatuntilsuccess",
            "loopuntilsuccess",
            "dountilsuccess",
            "untilsucceeds",
        ],
    ),
    (
        "until-failure",
        &[
            "repeatuntilfailure",
            "repeatuntilfail",
            "loopuntilfailure",
            "untilfail",
            "untilfails",
        ],
    ),
    ("keep-running-until-failure", &["repeatwhilesuccess"]),
    ("run-once", &["oneshot", "once", "doonce", "onetime"]),
    ("limit", &["runlimit", "limiter", "maxruns", "counter"]),
    ("timeout", &["timelimit", "maxtime", "deadline"]),
    ("cooldown", &["tagcooldown", "throttle", "ratelimit"]),
    (
        "chance",
        &[
            "probability",
            "randomchance",
            "percentchance",
            "probabilisticbehaviour",
        ],
    ),
    ("semaphore", &["mutex", "lock", "reserve", "claim"]),
    ("scope", &["newscope", "let", "local"]),
    ("interruptible", &["interruptor", "resettable"]),
    (
        "on-change",
        &[
            "skipunlessupdated",
            "onchanged",
            "onvaluechange",
            "entryupdateddecorator",
        ],
    ),
    (
        "changed",
        &[
            "waitvalueupdate",
            "wasentryupdated",
            "entryupdated",
            "entryupdatedaction",
        ],
    ),
    (
        "subtree",
        &[
            "subtreeplus",
            "runbehavior",
            "runbehaviour",
            "runtree",
            "runsubtree",
            "subtreeref",
            "call",
            "include",
        ],
    ),
    (
        "subtree-by",
        &[
            "runbehaviordynamic",
            "runbehaviourdynamic",
            "subtreedynamic",
            "dynamicsubtree",
        ],
    ),
    (
        "for-each",
        &["for", "forall", "each", "iterate", "foreachitem"],
    ),
    // Leaves.
    (
        "action",
        &[
            "task",
            "do",
            "execute",
            "perform",
            "invoke",
            "callmethod",
            "actionnode",
            "statefulaction",
            "statefulactionnode",
            "simpleaction",
            "simpleactionnode",
            "syncaction",
            "syncactionnode",
        ],
    ),
    (
        "condition",
        &[
            "question",
            "query",
            "conditionnode",
            "simplecondition",
            "simpleconditionnode",
        ],
    ),
    (
        "check",
        &[
            "assert",
            "scriptcondition",
            "checkvar",
            "checkblackboardvariablevalue",
            "checkblackboardvariableexists",
            "checktrigger",
            "comparebbentries",
            "evaluateexpression",
            "expression",
            "precondition",
            "require",
        ],
    ),
    (
        "set",
        &[
            "script",
            "setblackboard",
            "setvar",
            "setblackboardvariable",
            "setvariable",
            "assign",
            "writeblackboard",
            "statustoblackboard",
        ],
    ),
    (
        "unset",
        &[
            "clear",
            "unsetblackboard",
            "unsetblackboardvariable",
            "unsetvar",
            "delete",
        ],
    ),
    (
        "succeed",
        &[
            "alwayssuccess",
            "success",
            "succeeded",
            "noop",
            "nothing",
            "pass",
            "dummy",
        ],
    ),
    (
        "fail",
        &["alwaysfailure", "alwaysfail", "failure", "failed"],
    ),
    ("run", &["running", "alwaysrunning", "idle", "hang"]),
    (
        "wait",
        &[
            "sleep",
            "pause",
            "timer",
            "randomwait",
            "waitseconds",
            "waitticks",
            "waitblackboardtime",
        ],
    ),
    (
        "log",
        &[
            "print",
            "consoleprint",
            "console",
            "echo",
            "debug",
            "say",
            "comment",
        ],
    ),
    (
        "emit",
        &[
            "signal",
            "raise",
            "send",
            "sendto",
            "dispatch",
            "publish",
            "trigger",
            "fireevent",
            "sendmessage",
        ],
    ),
    (
        "received",
        &["hasreceivedevent", "eventreceived", "hasevent"],
    ),
    (
        "wait-for-event",
        &[
            "waitformessage",
            "onmessage",
            "starteventmessage",
            "startoneventmessage",
            "awaitevent",
            "waitforsignal",
        ],
    ),
    // Definitions.
    (
        "tree",
        &[
            "behavior",
            "behaviour",
            "behaviortree",
            "behaviourtree",
            "root",
            "bt",
        ],
    ),
    ("leaves", &["treenodesmodel", "nodes", "tasks"]),
    // Types.
    ("bool", &["boolean"]),
    (
        "int",
        &["integer", "i32", "i64", "u32", "long", "int32", "int64"],
    ),
    ("float", &["f32", "number", "real"]),
    ("double", &["f64"]),
    ("entity", &["u64", "uint64", "handle", "object"]),
    ("string", &["str", "text"]),
    ("vec2", &["vector2", "vector2d", "float2"]),
    ("vec3", &["vector3", "vector", "float3"]),
    ("any", &["variant"]),
];

/// What no single word of ours says, in words for a help.
const WAYS: &[(&[&str], Said)] = &[
    (
        &["while", "whileloop", "dowhile"],
        Said::plain(
            "a condition that has to keep holding is a property: `sequence while=\"health > 20\" { … }`; a node that runs its child again and again is `repeat`",
        ),
    ),
    (
        &["until"],
        Said::plain(
            "use `until-success { … }` or `until-failure { … }` around what is tried again, or `while=\"…\"` on a node with the opposite condition",
        ),
    ),
    (
        &["when", "guard", "cond", "conditiondecorator"],
        Said::plain(
            "a condition for starting is a property: `sequence when=\"health > 20\" { … }`",
        ),
    ),
    (
        &["else", "elseif", "elif", "then"],
        Said::plain(
            "write the test, what follows when it succeeds, and what follows when it fails as the children of an `if { … }`",
        ),
    ),
    (
        &["composite", "compositenode", "control", "controlnode"],
        Said::plain(
            "use a node with children: `sequence`, `selector`, `parallel` or another one from docs/nodes",
        ),
    ),
    (
        &["decorator", "decoratornode"],
        Said::plain(
            "use a node around one child, such as `invert`, `repeat` or `timeout`, or a property such as `when=\"…\"`",
        ),
    ),
    (
        &[
            "blackboard",
            "blackboardbasedcondition",
            "blackboarddecorator",
            "bb",
        ],
        Said::plain(
            "to ask about a key, use `check \"health > 20\"`, or `when=\"…\"` on a node; keys are declared in `blackboard { … }` at the top of the document",
        ),
    ),
    (
        &["blackboardtostatus", "finishwithresult", "return", "break"],
        Said::plain(
            "a node ends with the answer of its child: use `succeed`, `fail`, or `check` with a condition",
        ),
    ),
    (
        &["waitforblackboardvariable", "waituntil", "awaitcondition"],
        Said::plain(
            "use `until-success { check \"…\"; }`, which asks in every tick until the condition holds",
        ),
    ),
    (
        &[
            "failureisrunning",
            "successisrunning",
            "runningisfailure",
            "runningissuccess",
        ],
        Said::plain(
            "use `force-success` or `force-failure`, with `even-running=#true` for an answer while the child runs, or `repeat` and `retry` to go on after an end",
        ),
    ),
];

/// Beginnings and ends of names elsewhere that say only what sort of node it is.
const PREFIXES: [&str; 7] = [
    "bttask",
    "btdecorator",
    "btcomposite",
    "btservice",
    "bt",
    "tree",
    "py",
];
const SUFFIXES: [&str; 5] = ["node", "decorator", "composite", "action", "task"];

/// Treemind's word for something that has this name in another tool.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    spellings(name).find_map(|plain| ours(&plain))
}

/// How to say here what has this name in another tool, if no single word does: a help.
pub(crate) fn foreign_way(name: &str) -> Option<Said> {
    spellings(name).find_map(|plain| {
        let found = WAYS.iter().find(|(names, _)| names.contains(&&*plain));
        found.map(|(_, help)| help.clone())
    })
}

fn ours(plain: &str) -> Option<&'static str> {
    let found = WORDS.iter().find(|(_, names)| names.contains(&plain));
    found.map(|(ours, _)| *ours)
}

/// The ways in which a name may be listed: as it is, and without what only says what sort of node it is.
fn spellings(name: &str) -> impl Iterator<Item = String> {
    let plain = plain(name);
    let without_prefix = PREFIXES
        .iter()
        .filter_map(|prefix| plain.strip_prefix(prefix));
    let without_suffix = SUFFIXES
        .iter()
        .filter_map(|suffix| plain.strip_suffix(suffix));
    let shorter: Vec<String> = without_prefix
        .chain(without_suffix)
        .filter(|rest| !rest.is_empty())
        .map(str::to_owned)
        .collect();
    std::iter::once(plain).chain(shorter)
}

/// Our node with this name, when it is only spelt as elsewhere: `BTSequence`, `ParallelNode`.
pub(crate) fn spelt_otherwise(name: &str) -> Option<&'static str> {
    spellings(name).find_map(|spelling| {
        Spot::Task
            .list()
            .into_iter()
            .find(|ours| plain(ours) == spelling)
    })
}

/// In small letters, without hyphens and underscores.
pub(super) fn plain(name: &str) -> String {
    // Nobody types longer words by hand.
    let short = name.chars().take(64);
    short
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn foreign_words_lead_to_words_of_ours() {
        let types = super::super::TYPES;
        let mut seen = BTreeSet::new();
        for (ours, names) in WORDS {
            let is_known = Spot::ALL.iter().any(|spot| spot.has(ours)) || types.contains(ours);
            assert!(is_known, "{ours} is no word");
            for name in *names {
                assert!(seen.insert(*name), "{name} is listed twice");
            }
        }
        for name in WAYS.iter().flat_map(|(names, _)| *names) {
            assert!(seen.insert(name), "{name} is listed twice");
        }
        for name in seen {
            assert_eq!(plain(name), name, "it is listed as it is looked up");
            let own = Spot::Task.list().into_iter().find(|own| plain(own) == name);
            assert_eq!(own, None, "{name} is a word of ours");
        }
    }

    #[test]
    fn words_are_found_however_they_are_spelt() {
        for (name, ours) in [
            ("RetryUntilSuccessful", "retry"),
            ("retry-until-successful", "retry"),
            ("retry_until_successful", "retry"),
            ("ReactiveFallback", "reactive-selector"),
            ("priority", "reactive-selector"),
            ("BTDynamicSelector", "reactive-selector"),
            ("BTDecorator_TimeLimit", "timeout"),
            ("AlwaysSuccess", "succeed"),
            ("OneShot", "run-once"),
            ("FailureIsSuccess", "force-success"),
        ] {
            assert_eq!(foreign(name), Some(ours), "{name}");
        }
        for (name, ours) in [
            ("BTSequence", "sequence"),
            ("BTTask_Wait", "wait"),
            ("ParallelNode", "parallel"),
            ("KeepRunningUntilFailure", "keep-running-until-failure"),
            ("ForceSuccess", "force-success"),
        ] {
            assert_eq!(spelt_otherwise(name), Some(ours), "{name}");
        }
    }
}
