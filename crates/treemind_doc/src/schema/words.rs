//! What options take, and what nodes and options are for.

/// A line each: a node, an option of it or nothing, and what it is for, with tabs between. It is what the pages about
/// nodes say, and a test holds it to that.
const PAGES: &str = include_str!("nodes.txt");

/// The words that an option takes.
pub(super) enum Choice {
    Closed(&'static [&'static str]),
    /// One of these, or a whole number.
    OrNumber(&'static [&'static str]),
}

/// Options that are true or false, whatever node they are on.
const FLAGS: &[&str] = &[
    "disabled",
    "not",
    "reset-on-abort",
    "repeat-finished",
    "replacement",
    "reactive",
    "inherit",
    "once",
    "even-running",
    "wait",
];

/// Nodes, or `*` for any, options of theirs, and the words that they take.
const CHOICES: &[(&str, &str, &[&str])] = &[
    ("*", "yields", &["never", "fresh", "always"]),
    ("*", "while-else", &["skipped", "failure", "success"]),
    ("*", "aborts", &["none", "lower", "both"]),
    ("parallel", "check", &["each", "end"]),
    (
        "parallel",
        "skipped",
        &["absent", "absent-even-all", "pending"],
    ),
    ("simple-parallel", "finish", &["immediate", "delayed"]),
    (
        "utility-selector",
        "policy",
        &["highest", "weighted-random", "top"],
    ),
    ("interrupt", "result", &["success", "failure"]),
    ("for-each", "if-empty", &["success", "failure", "skipped"]),
    ("repeat", "count", &["runs", "ticks"]),
    ("retry", "count", &["runs", "ticks"]),
    ("run-once", "then", &["answer", "skipped"]),
    ("limit", "per", &["agent", "parent"]),
    ("cooldown", "else", &["failure", "skipped"]),
    ("on-change", "else", &["skipped", "running"]),
    ("semaphore", "scope", &["agent", "group", "world"]),
];

/// What options are for that every node has, or whose page has them in words of its own.
const COMMON: &[(&str, &str)] = &[
    (
        "policy",
        "Which child runs: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best.",
    ),
    ("top", "Among how many of the best `policy=top` draws."),
    (
        "name",
        "Shown in tools and traces; unique among its siblings.",
    ),
    ("doc", "What it is for, in a sentence for people."),
    ("disabled", "As if it were not there."),
    (
        "allow",
        "Codes of warnings, with spaces between them, that are not told about this node and what stands in it.",
    ),
    (
        "fail-if",
        "An expression: when it holds as the node is about to start, the answer is failure.",
    ),
    (
        "succeed-if",
        "An expression: when it holds as the node is about to start, the answer is success.",
    ),
    (
        "skip-if",
        "An expression: when it holds as the node is about to start, it is as if the node were not there.",
    ),
    (
        "when",
        "An expression: when it does not hold as the node is about to start, the answer is failure.",
    ),
    (
        "while",
        "An expression, looked at in every tick: when it does not hold, the node is aborted and answers what `while-else` says.",
    ),
    (
        "while-else",
        "What a node answers whose `while` does not hold.",
    ),
    (
        "aborts",
        "Whether its `when` takes over from a lower sibling (`lower`), and also ends the node itself (`both`).",
    ),
    ("on-success", "Statements after success."),
    ("on-failure", "Statements after failure."),
    (
        "on-abort",
        "Statements when the node is cut off in the middle of a run.",
    ),
    ("on-end", "Statements after success or failure."),
    (
        "weight",
        "Under a `weighted-selector` its share of the draws, under a `utility-selector` a factor of its score.",
    ),
    (
        "score",
        "Under a `utility-selector`: an expression for what speaks for this child.",
    ),
];

pub(super) fn is_flag(option: &str) -> bool {
    FLAGS.contains(&option)
}

pub(super) fn choice(node: &str, option: &str) -> Option<Choice> {
    if node == "parallel" && matches!(option, "success" | "failure") {
        return Some(Choice::OrNumber(&["all", "one"]));
    }
    let fits = |of: &str| of == "*" || of == node;
    let found = CHOICES
        .iter()
        .find(|(of, name, _)| fits(of) && *name == option);
    found.map(|(.., words)| Choice::Closed(words))
}

fn on_pages(node: &str, option: &str) -> Option<String> {
    PAGES.lines().find_map(|line| {
        let mut parts = line.splitn(3, '\t');
        let is_it = parts.next() == Some(node) && parts.next() == Some(option);
        parts.next().filter(|_| is_it).map(str::to_owned)
    })
}

/// What a node is for.
pub(super) fn described(node: &str) -> String {
    on_pages(node, "").unwrap_or_default()
}

/// What an option of a node is for.
pub(super) fn described_option(node: &str, option: &str) -> String {
    let common = COMMON.iter().find(|(name, _)| *name == option);
    let common = common.map(|(_, about)| (*about).to_owned());
    on_pages(node, option).or(common).unwrap_or_default()
}
