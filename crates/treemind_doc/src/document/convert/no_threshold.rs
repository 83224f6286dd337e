//! `Parallel` with a threshold of 0, on the way to nodes of ours, which have no such threshold: its first child decides
//! at once.

use crate::Said;
use crate::syntax::{Entry, Node, Span, Text, Value};
use std::collections::HashSet;

/// The note on such a node.
pub(super) const NOTE: Said = Said::plain(
    "a `Parallel` with a threshold of 0 ends after its first child was ticked, unless that fails and only failures \
     are counted: other nodes of Treemind do the same, except when all children, or all but a first one that fails, are skipped",
);

/// How the keys begin that remember whether a first child has succeeded. A number follows.
const WON: &str = "has_succeeded_";

/// The numbers that texts have behind such a beginning, and the beginnings of these numbers.
fn taken(nodes: &[Node]) -> HashSet<String> {
    let mut taken = HashSet::new();
    let mut seen: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = seen.pop() {
        for text in node.entries.iter().filter_map(|entry| entry.value.text()) {
            for rest in text.value.split(WON).skip(1) {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                // A number that counts nodes is no longer.
                taken.extend((1..=digits.min(20)).map(|end| rest[..end].to_owned()));
            }
        }
        seen.extend(node.children());
    }
    taken
}

/// Says with other nodes what these ones do. Returns whether there were any.
pub(super) fn spell_out(nodes: &mut [Node]) -> bool {
    let taken = taken(nodes);
    let names = (1..).map(|nth: u64| nth.to_string());
    let free = names.filter(|nth| !taken.contains(nth));
    let mut names = free.map(|nth| format!("{WON}{nth}"));
    let mut any = false;
    let mut pending: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = pending.pop() {
        if node.name.value == "parallel" {
            any |= ends_at_once(node, &mut names);
        }
        pending.extend(node.children.iter_mut().flatten());
    }
    any
}

fn ends_at_once(node: &mut Node, names: &mut dyn Iterator<Item = String>) -> bool {
    let threshold = |name: &str| node.entry(name).map(|entry| entry.value.clone());
    let (success, failure) = (threshold("success"), threshold("failure"));
    let needed = match &success {
        Some(Value::Int(count)) => usize::try_from(*count).unwrap_or(usize::MAX),
        Some(Value::Text(text)) if text.value == "one" => 1,
        _ => node.children().len(),
    };
    let never_fails = matches!(&failure, Some(Value::Text(text)) if text.value == "exactly-0");
    let all = node.children().len();
    match (needed, never_fails) {
        (0, _) => ends_with(node, "succeed", ("one", "all")),
        // One failure is too many, so only the first child counts.
        (_, true) if needed == all && all == 1 => ends_with(node, "fail", ("one", "one")),
        (_, true) if needed == all => ends_with(node, "fail", ("all", "one")),
        (_, true) => goes_on_after_failure(node, needed, names),
        _ => return false,
    }
    true
}

/// After the first child, a node that ends it.
fn ends_with(node: &mut Node, word: &str, (success, failure): (&str, &str)) {
    set(node, "success", success);
    set(node, "failure", failure);
    unset(node, "skipped");
    let end = plain(word, &node.span);
    if let Some(children) = &mut node.children {
        children.insert(1.min(children.len()), end);
    }
}

/// If the first child fails, the others have to reach the threshold; otherwise it ends at once.
fn goes_on_after_failure(node: &mut Node, needed: usize, names: &mut dyn Iterator<Item = String>) {
    let at = node.span.clone();
    let mut children = node.children.take().unwrap_or_default();
    let mut rest = plain("parallel", &at);
    rest.entries = std::mem::take(&mut node.entries);
    let is_of_parallel = |entry: &mut Entry| {
        let name = entry.name.as_ref().map_or("", |name| &name.value);
        !matches!(name, "success" | "failure" | "skipped")
    };
    node.entries = rest.entries.extract_if(.., is_of_parallel).collect();
    set(&mut rest, "failure", "all");
    let behind = children.split_off(1.min(children.len()));
    rest.children = Some(behind);
    let mut first = plain("parallel", &at);
    set(&mut first, "success", "one");
    set(&mut first, "failure", "one");
    let won = names.next().unwrap_or_default();
    // Whoever succeeds with the first child has enough; whoever runs or is skipped has failed.
    let (test, then) = match needed {
        1 => {
            let mut tried = plain("sequence", &at);
            set(&mut tried, "on-success", &format!("{won} = true"));
            tried.children = Some(children);
            let mut check = plain("check", &at);
            check.entries.push(Entry::word(&won, at.clone()));
            (vec![tried], check)
        }
        _ => (children, plain("fail", &at)),
    };
    let mut test = test;
    test.push(plain("succeed", &at));
    first.children = Some(test);
    let branches = vec![first, then, rest];
    match needed {
        1 => {
            let mut key = plain("key", &at);
            key.entries.push(Entry::word(&won, at.clone()));
            set(&mut key, "type", "bool");
            let no = Entry::value(Value::Bool(false), at.clone());
            key.entries.push(no.named("default"));
            let mut chosen = plain("if", &at);
            chosen.children = Some(branches);
            node.name = Text::made("scope", at);
            node.children = Some(vec![key, chosen]);
        }
        _ => {
            node.name = Text::made("if", at);
            node.children = Some(branches);
        }
    }
}

fn plain(word: &str, at: &Span) -> Node {
    Node::made(Text::made(word, at.clone()), at.clone(), Vec::new())
}

fn unset(node: &mut Node, name: &str) {
    node.entries
        .retain(|entry| entry.name.as_ref().is_none_or(|one| one.value != name));
}

fn set(node: &mut Node, name: &str, value: &str) {
    unset(node, name);
    let at = node.span.clone();
    node.entries.push(Entry::word(value, at).named(name));
}
