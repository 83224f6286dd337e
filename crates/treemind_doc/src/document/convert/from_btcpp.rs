//! Converts trees of BehaviorTree.CPP to Treemind's own nodes.

use super::Read;
use crate::Said;
use crate::check;
use crate::diagnostic::Sink;
use crate::document::import::{Gathered, Load, gather};
use crate::formats::btcpp;
use crate::language;
use crate::syntax::Node;
use crate::text::{Format, with_room};
use std::collections::HashMap;
use std::sync::Arc;

/// The note on `SequenceWithMemory`, which differs in a rare case that does not justify an option.
const LEFT_OPEN: Said = Said::plain(
    "`SequenceWithMemory` becomes `sticky-sequence`: a child that is skipped in the middle of its run and \
     stays open is aborted when a later one fails, and BehaviorTree.CPP leaves it open",
);

/// The note on `Switch2` to `Switch6`.
const SKIPPED: Said = Said::plain(
    "a child of a `Switch` that is skipped in the middle of its run is aborted, and BehaviorTree.CPP leaves it open",
);

/// The note on `SkipUnlessUpdated` and `WaitValueUpdate`.
const NOT_UPDATED: Said = Said::plain(
    "`SkipUnlessUpdated` and `WaitValueUpdate` become `on-change`, which aborts its child when it is aborted \
     itself, and when the child is skipped in the middle of its run: BehaviorTree.CPP leaves the child running",
);

/// The note on `Precondition`, and on nodes whose conditions assign.
const PRECONDITION: Said = Said::plain(
    "the child of a `Precondition`, or a node whose condition assigns, is aborted when it is skipped in the middle of \
     its run: BehaviorTree.CPP leaves it open",
);

/// The note on `LoopInt` and its kin.
const ITEMS: Said = Said::plain(
    "a child of a `LoopInt`, or another loop over items, is aborted when it is skipped in the middle of its run: in \
     BehaviorTree.CPP it goes on with the next item",
);

/// The note on `UnsetBlackboard`, where a node asks whether the entry was updated.
const UPDATED: Said = Said::plain(
    "`UnsetBlackboard` becomes `unset`, which `changed` and `on-change` take for a write: for BehaviorTree.CPP, an entry \
     that is not there was not updated",
);

/// The note on `Repeat` and `RetryUntilSuccessful`.
const REREAD: Said = Said::plain(
    "`repeat` and `retry` read their number from a key when they start: BehaviorTree.CPP reads it again in each tick",
);

/// The note on `Delay` and `Timeout`.
const ACROSS_SKIPS: Said = Said::plain(
    "after a child that was skipped at once, `delay` and `timeout` begin anew: in BehaviorTree.CPP their time \
     goes on, if the node around them does not drop them",
);

/// The note on `SubTree`.
const CALLED: Said = Said::plain(
    "the root of a tree that a `subtree` runs is aborted when it is skipped in the middle of its run: in \
     BehaviorTree.CPP, a `SubTree` leaves it open",
);

/// The note on nodes side by side with one name.
const SIBLINGS: Said = Said::plain(
    "of nodes beside each other with one name, all but the first get a number behind it: saved states and traces tell \
     them apart by their names",
);

/// Trees of BehaviorTree.CPP, if Treemind's own nodes can express everything in them.
pub(super) fn read(
    text: &str,
    manifest: Option<&str>,
    load: Option<&mut Load<'_>>,
    sink: &mut Sink,
) -> Option<Read> {
    // A document with mistakes, or one that is too large, cannot be converted.
    let Gathered {
        mut nodes, whole, ..
    } = gather(sink, (Format::BtCpp, manifest), load);
    if !whole {
        return None;
    }
    with_room(usize::MAX, || check::check(&nodes, &mut *sink));
    if sink.has_errors() {
        return None;
    }
    let mut lost = Vec::new();
    if super::plain_names::tell_siblings_apart(&mut nodes) {
        lost.push(SIBLINGS);
    }
    if super::no_threshold::spell_out(&mut nodes) {
        lost.push(super::no_threshold::NOTE);
    }
    if leaves_open_below_calls(&nodes) {
        lost.push(CALLED);
    }
    let doubts = btcpp::Doubts::of(&sink.doubts);
    let observed = observed(&nodes, (text, &doubts), sink);
    super::plain_names::plain(&mut nodes);
    leave_out(&mut nodes, &mut lost);
    super::must_be_native(&nodes, sink);
    Some(Read {
        notes: btcpp::notes(sink.sources(), (&nodes, &observed), &doubts),
        nodes,
        comments: 0,
        lost,
        is_xml: true,
    })
}

/// How the nodes will be written in XML again.
fn observed(
    nodes: &[Node],
    (text, doubts): (&str, &btcpp::Doubts),
    sink: &Sink,
) -> btcpp::Observed {
    let mut nodes = nodes.to_vec();
    leave_out(&mut nodes, &mut Vec::new());
    // Whatever the other form cannot say does not matter here.
    let mut own = Sink::new(Arc::clone(sink.source()));
    with_room(usize::MAX, || {
        btcpp::observed(&nodes, (text, doubts), &mut own)
    })
}

/// Whether the place of a tree puts a node above its root that aborts the root where BehaviorTree.CPP leaves it open.
fn leaves_open_below_calls(nodes: &[Node]) -> bool {
    let trees = nodes.iter().filter(|node| node.name.value == "tree");
    let trees: HashMap<&str, &Node> = trees
        .filter_map(|tree| Some((tree.first_text()?.value.as_str(), tree)))
        .collect();
    let mut pending: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = pending.pop() {
        if node.name.value == "subtree"
            && let Some(tree) = node.first_text()
            && let Some(tree) = trees.get(tree.value.as_str())
            && check::wraps(Some(node), tree)
            && tree.children().last().is_some_and(may_stay_open)
        {
            return true;
        }
        pending.extend(node.children());
    }
    false
}

/// Whether a node can be skipped while something in it is open, and stay so. Lists and loops abort it.
fn may_stay_open(node: &Node) -> bool {
    match node.name.value.as_str() {
        "action" | "node" | "subtree" => true,
        "parallel" | "parallel-all" | "if" | "reactive-if" | "invert" | "force-success"
        | "force-failure" | "delay" | "timeout" | "run-once" | "on-change" | "switch" | "case"
        | "default" | "scope" => node.children().iter().any(may_stay_open),
        _ => false,
    }
}

/// Removes the options that only imported documents have, and records what is lost with them.
fn leave_out(nodes: &mut [Node], lost: &mut Vec<Said>) {
    let mut pending: Vec<&mut Node> = nodes.iter_mut().collect();
    while let Some(node) = pending.pop() {
        if let Some(word) = language::node_word(&node.name.value) {
            node.entries.retain(|entry| {
                let name = entry.name.as_ref().map_or("", |name| &name.value);
                let note = match name {
                    "leaves-open" if word.name == "switch" => Some(SKIPPED),
                    "leaves-open" if word.name == "on-change" => Some(NOT_UPDATED),
                    "leaves-open" if matches!(word.name, "if" | "reactive-if") => {
                        Some(PRECONDITION)
                    }
                    "leaves-open" => Some(LEFT_OPEN),
                    "asks-again" => Some(ITEMS),
                    "forgets" => Some(UPDATED),
                    "rereads" => Some(REREAD),
                    "across-skips" => Some(ACROSS_SKIPS),
                    _ => None,
                };
                if let Some(note) = note.filter(|note| !lost.contains(note)) {
                    lost.push(note);
                }
                !word
                    .property(name)
                    .is_some_and(|one| one.is_imported_only())
            });
        }
        pending.extend(node.children.iter_mut().flatten());
    }
}
