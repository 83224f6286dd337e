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

/// How the keys begin that remember whether a first child has succeeded, or failed. A number follows.
const WON: &str = "has_succeeded_";
const LOST: &str = "has_failed_";

/// The numbers that texts have behind such a beginning, and the beginnings of these numbers.
fn taken(nodes: &[Node]) -> HashSet<String> {
    let mut taken = HashSet::new();
    let mut seen: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = seen.pop() {
        for text in node.entries.iter().filter_map(|entry| entry.value.text()) {
            let known = [WON, LOST].into_iter();
            for rest in known.flat_map(|begin| text.value.split(begin).skip(1)) {
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
    let mut names = free;
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
    let all = node.children().len();
    let spare = success.as_ref().and_then(spare);
    let needed = match &success {
        Some(Value::Int(count)) => usize::try_from(*count).unwrap_or(usize::MAX),
        Some(Value::Text(text)) if text.value == "one" => 1,
        _ => all.saturating_sub(spare.unwrap_or(0)),
    };
    let never_fails = matches!(&failure, Some(Value::Text(text)) if text.value == "exactly-0");
    match (needed, never_fails) {
        (0, _) => ends_with(node, "succeed", ("one", "all")),
        // One failure is too many, so only the first child counts.
        (_, true) if needed == all && all == 1 => ends_with(node, "fail", ("one", "one")),
        (_, true) if needed == all => ends_with(node, "fail", ("all", "one")),
        (_, true) => goes_on_after_failure(node, (needed, spare), names),
        _ => return false,
    }
    true
}

/// How many children need not succeed, where skipped ones count as absent: the number in `all-but-1`.
fn spare(success: &Value) -> Option<usize> {
    success.text()?.value.strip_prefix("all-but-")?.parse().ok()
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
fn goes_on_after_failure(
    node: &mut Node,
    (needed, spare): (usize, Option<usize>),
    names: &mut dyn Iterator<Item = String>,
) {
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
    match spare {
        // The first child has used up one of those that need not succeed.
        Some(1) => set(&mut rest, "success", "all"),
        Some(spare) => set(&mut rest, "success", &format!("all-but-{}", spare - 1)),
        None => {}
    }
    rest.children = Some(children.split_off(1.min(children.len())));
    let mut first = plain("parallel", &at);
    let branches = match needed {
        // Whoever succeeds with the first child has enough; whoever runs or is skipped has failed.
        1 if spare.is_none() => {
            let won = format!("{WON}{}", names.next().unwrap_or_default());
            set(&mut first, "success", "one");
            set(&mut first, "failure", "one");
            let tried = remembered(children, ("on-success", &won), &at);
            first.children = Some(vec![tried, plain("succeed", &at)]);
            remembering(node, &won);
            vec![first, check(&won, &at), rest]
        }
        // Here it has enough, too, if the first child is skipped.
        1 => {
            let lost = format!("{LOST}{}", names.next().unwrap_or_default());
            set(&mut first, "success", "all-but-1");
            set(&mut first, "failure", "one");
            set(&mut first, "skipped", "absent-even-all");
            let tried = remembered(children, ("on-failure", &lost), &at);
            first.children = Some(vec![tried, plain("fail", &at)]);
            remembering(node, &lost);
            let mut others = plain("sequence", &at);
            others.children = Some(vec![check(&lost, &at), rest]);
            vec![first, plain("succeed", &at), others]
        }
        _ => {
            set(&mut first, "success", "one");
            set(&mut first, "failure", "one");
            children.push(plain("succeed", &at));
            first.children = Some(children);
            vec![first, plain("fail", &at), rest]
        }
    };
    match node.children().is_empty() {
        true => {
            node.name = Text::made("if", at);
            node.children = Some(branches);
        }
        false => {
            let mut chosen = plain("if", &at);
            chosen.children = Some(branches);
            node.children.get_or_insert_default().push(chosen);
        }
    }
}

/// These children, of which a key remembers that they have ended so.
fn remembered(children: Vec<Node>, (hook, key): (&str, &str), at: &Span) -> Node {
    let mut tried = plain("sequence", at);
    set(&mut tried, hook, &format!("{key} = true"));
    tried.children = Some(children);
    tried
}

/// Makes a node the scope of such a key.
fn remembering(node: &mut Node, name: &str) {
    let at = node.span.clone();
    let mut key = plain("key", &at);
    key.entries.push(Entry::word(name, at.clone()));
    set(&mut key, "type", "bool");
    let no = Entry::value(Value::Bool(false), at.clone());
    key.entries.push(no.named("default"));
    node.name = Text::made("scope", at);
    node.children = Some(vec![key]);
}

fn check(key: &str, at: &Span) -> Node {
    let mut check = plain("check", at);
    check.entries.push(Entry::word(key, at.clone()));
    check
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
