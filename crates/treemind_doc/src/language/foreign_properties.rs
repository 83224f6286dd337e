//! What properties are called in other tools, or by a guess.

use super::foreign::plain;
use super::{COST, GIVES};

/// Properties of ours, with their other names.
const PROPERTIES: [(&str, &[&str]); 11] = [
    (
        "when",
        &[
            "if",
            "onlyif",
            "condition",
            "cond",
            "needs",
            "need",
            "requires",
            "require",
            "pre",
            "precondition",
            "preconditions",
        ],
    ),
    ("fail-if", &["unless", "ifnot"]),
    ("while", &["aslongas", "during"]),
    (
        GIVES.name,
        &[
            "give",
            "effect",
            "effects",
            "sets",
            "set",
            "result",
            "results",
            "post",
            "postcondition",
            "postconditions",
            "adds",
            "provides",
            "achieves",
        ],
    ),
    (COST.name, &["costs", "price"]),
    ("score", &["priority", "utility"]),
    ("from", &["file", "path", "source", "weights"]),
    ("into", &["to", "result", "output", "store"]),
    ("max", &["limit", "count", "atmost"]),
    ("name", &["id", "label", "title"]),
    ("doc", &["description", "comment", "desc"]),
];

/// What properties of ours may be meant by one of this name, the likely ones first.
pub(crate) fn foreign_property(name: &str) -> impl Iterator<Item = &'static str> {
    let plain = plain(name);
    let found = PROPERTIES.iter();
    let found = found.filter(move |(_, names)| names.contains(&&*plain));
    found.map(|(ours, _)| *ours)
}
