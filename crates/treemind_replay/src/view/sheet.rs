//! What has changed in a document that is edited, so that little is sent.

use super::parts::{Part, parts, text_parts};
use super::protocol::{FileChange, Sheet, SheetChange, SheetFile, SheetNode};
use std::collections::HashMap;

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
    let Nodes {
        nodes,
        shifts,
        places,
    } = nodes(&before.nodes, &after.nodes);
    Some(SheetChange {
        since: before.revision,
        revision: after.revision,
        files: files.collect(),
        nodes,
        shifts,
        places,
        keys: changed(&before.keys, &after.keys),
        leaves: changed(&before.leaves, &after.leaves),
        problems: changed(&before.problems, &after.problems),
        conflicts: changed(&before.conflicts, &after.conflicts),
        done: changed(&before.done, &after.done),
        undo: after.undo.clone(),
        redo: after.redo.clone(),
        selection: after.selection.clone(),
        told: after.told.clone(),
        unsaved: after.unsaved.clone(),
        saves_at_once: after.saves_at_once,
    })
}

/// What has changed in the nodes.
#[derive(Default)]
struct Nodes {
    nodes: Vec<Splice<SheetNode>>,
    shifts: Vec<(usize, usize, i64)>,
    places: Vec<(usize, [usize; 4])>,
}

impl Nodes {
    /// Takes down where a node is that has stayed; `by` says by how many lines those of its file were further down so far.
    fn stays(
        &mut self,
        old: &SheetNode,
        (nth, new): (usize, &SheetNode),
        by: &mut HashMap<usize, i64>,
    ) {
        let shift = new.at[0] as i64 - old.at[0] as i64;
        if by.insert(new.file, shift).unwrap_or(0) != shift {
            self.shifts.push((nth, new.file, shift));
        }
        let [first, column, last, end] = old.at;
        let line = |line: usize| (line as i64 + shift) as usize;
        if [line(first), column, line(last), end] != new.at {
            self.places.push((nth, new.at));
        }
    }
}

fn nodes(before: &[SheetNode], after: &[SheetNode]) -> Nodes {
    let mut out = Nodes::default();
    let (mut old, mut new) = (0, 0);
    let mut by = HashMap::new();
    let end = Part {
        gone: before.len()..before.len(),
        new: after.len()..after.len(),
    };
    for Part { gone, new: come } in parts(&said(before), &said(after)).into_iter().chain([end]) {
        for (old, new) in (old..gone.start).zip(new..come.start) {
            out.stays(&before[old], (new, &after[new]), &mut by);
        }
        (old, new) = (gone.end, come.end);
        if !(gone.is_empty() && come.is_empty()) {
            out.nodes
                .push((gone.start, gone.len(), after[come].to_vec()));
        }
    }
    out
}

fn said(nodes: &[SheetNode]) -> Vec<Said<'_>> {
    nodes.iter().map(Said).collect()
}

/// A node without its place: two are equal if only that has changed.
struct Said<'n>(&'n SheetNode);

impl PartialEq for Said<'_> {
    fn eq(&self, other: &Self) -> bool {
        let SheetNode {
            id,
            depth,
            file,
            role,
            word,
            values,
            properties,
            is_disabled,
            comment,
            at: _,
        } = self.0;
        let other = other.0;
        *id == other.id
            && *depth == other.depth
            && *file == other.file
            && *role == other.role
            && *word == other.word
            && *values == other.values
            && *properties == other.properties
            && *is_disabled == other.is_disabled
            && *comment == other.comment
    }
}

/// The items that differ, from the first one to the last one.
fn changed<T: Clone + PartialEq>(before: &[T], after: &[T]) -> Option<Splice<T>> {
    if before == after {
        return None;
    }
    let pairs = before.iter().zip(after);
    let head = pairs.take_while(|(old, new)| old == new).count();
    let (old, new) = (&before[head..], &after[head..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    let tail = pairs.take_while(|(old, new)| old == new).count();
    let items = new[..new.len() - tail].to_vec();
    Some((head, old.len() - tail, items))
}

fn file_change(nth: usize, before: &SheetFile, after: &SheetFile) -> Option<FileChange> {
    if before == after {
        return None;
    }
    Some(FileChange {
        file: nth,
        is_whole: after.is_whole,
        is_saved: after.is_saved,
        parts: text_parts(&before.text, &after.text),
    })
}

#[cfg(test)]
mod tests;
