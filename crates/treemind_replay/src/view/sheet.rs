//! What has changed in a document that is edited, so that little is sent.

use super::protocol::{FileChange, Sheet, SheetChange, SheetFile, SheetNode};
use treemind_doc::edit::differing;

/// Items of a list that give way to others: the place of the first one, how many, and what is there instead.
type Splice<T> = (usize, usize, Vec<T>);

/// What has changed between two sheets of a document; `None` if its files are others.
pub fn sheet_change(before: &Sheet, after: &Sheet) -> Option<SheetChange> {
    let both = || before.files.iter().zip(&after.files);
    let is_same = before.files.len() == after.files.len();
    if !is_same || both().any(|(old, new)| old.name != new.name) {
        return None;
    }
    let files = both().enumerate();
    let files = files.filter_map(|(nth, (old, new))| file_change(nth, old, new));
    let shift = shift(&before.nodes, &after.nodes);
    let moved = |old: &SheetNode, new: &SheetNode| is_moved(old, new, shift);
    // What is around the first change ends elsewhere.
    let nodes = splice(&before.nodes, &after.nodes, is_longer, moved);
    let head = nodes.as_ref().map_or(0, |(head, ..)| *head);
    let pairs = before.nodes.iter().zip(&after.nodes).take(head).enumerate();
    let around = pairs.filter(|(_, (old, new))| old.at != new.at);
    let around = around.map(|(nth, (_, new))| (nth, new.at[2], new.at[3]));
    Some(SheetChange {
        since: before.revision,
        revision: after.revision,
        files: files.collect(),
        around: around.collect(),
        shift: shift.filter(|_| nodes.is_some()),
        nodes,
        keys: changed(&before.keys, &after.keys),
        leaves: changed(&before.leaves, &after.leaves),
        problems: changed(&before.problems, &after.problems),
        conflicts: changed(&before.conflicts, &after.conflicts),
        done: changed(&before.done, &after.done),
        undo: after.undo.clone(),
        redo: after.redo.clone(),
        told: after.told.clone(),
        unsaved: after.unsaved.clone(),
        saves_at_once: after.saves_at_once,
    })
}

/// By how many lines the nodes at the end of a file are further down.
fn shift(before: &[SheetNode], after: &[SheetNode]) -> Option<(usize, i64)> {
    let (old, new) = (before.last()?, after.last()?);
    let by = new.at[0] as i64 - old.at[0] as i64;
    (by != 0 && old.file == new.file).then_some((new.file, by))
}

/// Whether a node is as it was but for its end.
fn is_longer(old: &SheetNode, new: &SheetNode) -> bool {
    let mut old = old.clone();
    (old.at[2], old.at[3]) = (new.at[2], new.at[3]);
    old == *new
}

/// Whether a node is as it was but for the shift.
fn is_moved(old: &SheetNode, new: &SheetNode, shift: Option<(usize, i64)>) -> bool {
    let by = shift.filter(|(file, _)| *file == old.file);
    let by = by.map_or(0, |(_, by)| by);
    let line = |line: usize| line as i64 + by;
    let [first, column, last, end] = old.at;
    let is_there = [line(first), line(last)] == [new.at[0] as i64, new.at[2] as i64]
        && [column, end] == [new.at[1], new.at[3]];
    let at = new.at;
    is_there && SheetNode { at, ..old.clone() } == *new
}

/// The items that differ: whatever is not the same at the beginning as one test sees it, nor at the end as another one does.
fn splice<T: Clone + PartialEq>(
    before: &[T],
    after: &[T],
    begins: impl Fn(&T, &T) -> bool,
    ends: impl Fn(&T, &T) -> bool,
) -> Option<Splice<T>> {
    if before == after {
        return None;
    }
    let pairs = before.iter().zip(after);
    let head = pairs.take_while(|(old, new)| begins(old, new)).count();
    let (old, new) = (&before[head..], &after[head..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let tail = pairs.take_while(|(old, new)| ends(old, new)).count();
    let items = new[..new.len() - tail].to_vec();
    Some((head, old.len() - tail, items))
}

fn changed<T: Clone + PartialEq>(before: &[T], after: &[T]) -> Option<Splice<T>> {
    splice(before, after, PartialEq::eq, PartialEq::eq)
}

fn file_change(nth: usize, before: &SheetFile, after: &SheetFile) -> Option<FileChange> {
    if before == after {
        return None;
    }
    let (range, text) = differing(&before.text, &after.text).unwrap_or((0..0, ""));
    let units = |text: &str| text.encode_utf16().count();
    Some(FileChange {
        file: nth,
        is_whole: after.is_whole,
        is_saved: after.is_saved,
        at: units(&before.text[..range.start]),
        gone: units(&before.text[range]),
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests;
