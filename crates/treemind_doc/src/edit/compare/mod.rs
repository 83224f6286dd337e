//! What differs between two versions of a text, node by node.

mod told;
mod version;

pub use version::Version;

use super::error::EditError;
use super::outline::{SourceEntry, SourceNode, SourceOutline};
use super::{Editor, called};
use crate::document::Document;
use crate::syntax::shortened;
use crate::{Said, said};
use std::collections::{HashMap, HashSet};
use std::fmt;
use version::Joined;

/// How a node differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Differs {
    /// Only the second version has it, with all below it.
    Added,
    /// Only the first version has it, with all below it.
    Removed,
    /// It is under another node, or in another order under the same one.
    Moved,
    /// Its word, values or properties differ, not only in how they are spelled.
    Changed,
    /// Both.
    MovedAndChanged,
}

/// A node that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How it differs.
    pub how: Differs,
    /// Its number of the line in the first version, from 1.
    pub old_line: Option<usize>,
    /// Its number of the line in the second version, from 1.
    pub new_line: Option<usize>,
    /// What it says in the first version: its word, values and properties.
    pub old: String,
    /// The same in the second version.
    pub new: String,
    /// What differs, in a line.
    pub told: Told,
    /// The file of the first version, if the document imports it.
    pub old_file: Option<String>,
    /// The file of the second version, if the document imports it.
    pub new_file: Option<String>,
    /// The words and names of the nodes around it, from the top: in the second version, for a removed node in the first.
    pub path: Vec<String>,
}

impl fmt::Display for Difference {
    /// One line: `changed 3 → 4: tree guard › selector: wait 0.5 → wait 1.0`. Lines of imported files have the name of the
    /// file before them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            Differs::Added => "added",
            Differs::Removed => "removed",
            Differs::Moved => "moved",
            Differs::Changed => "changed",
            Differs::MovedAndChanged => "moved and changed",
        };
        write!(out, "{how} ")?;
        let place = |file: &Option<String>, line: usize| match file {
            Some(file) => format!("{file} {line}"),
            None => line.to_string(),
        };
        match (self.old_line, self.new_line) {
            (Some(old), Some(new)) if self.old_file == self.new_file => {
                write!(out, "{} → {new}", place(&self.old_file, old))?;
            }
            (Some(old), Some(new)) => {
                let (from, to) = (place(&self.old_file, old), place(&self.new_file, new));
                write!(out, "{from} → {to}")?;
            }
            (Some(line), None) => out.write_str(&place(&self.old_file, line))?,
            (None, line) => out.write_str(&place(&self.new_file, line.unwrap_or(0)))?,
        }
        write!(out, ": ")?;
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path.join(" › "))?;
        }
        write!(out, "{}", self.told)
    }
}

/// What a line says of a node that differs: `action patrol: name: walk → stroll`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its word; of a node that has got another word, the new one.
    pub word: String,
    /// Of a node that has changed, what it is called, as far as it still is; otherwise empty.
    pub called: String,
    /// What a node that has changed said and says; the values and properties of any other node.
    pub says: Said,
}

impl fmt::Display for Told {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.word)?;
        let says = self.says.to_string();
        match (self.called.as_str(), says.as_str()) {
            (_, "") => Ok(()),
            ("", says) => write!(out, " {says}"),
            (called, says) => write!(out, " {called}: {says}"),
        }
    }
}

/// What differs between two versions of a text in KDL, node by node: in the order of the second version, removed nodes
/// where they were. Layout and comments do not count, nor do other spellings of the same values, as with and without quotes.
///
/// # Errors
/// When one of them is not KDL, or has something that is not closed.
///
/// ```
/// use treemind_doc::edit::compare;
///
/// let old = "tree t {\n    sequence { wait 0.5; run; fail; }\n}\n";
/// let new = "tree t {\n    sequence {\n        fail\n        wait 1.0\n        run\n    }\n}\n";
/// let said: Vec<String> = compare(old, new)?.iter().map(|one| one.to_string()).collect();
/// assert_eq!(said, [
///     "moved 2 → 3: tree t › sequence: fail",
///     "changed 2 → 4: tree t › sequence: wait 0.5 → 1.0",
/// ]);
/// # Ok::<(), treemind_doc::edit::EditError>(())
/// ```
pub fn compare(old: &str, new: &str) -> Result<Vec<Difference>, EditError> {
    compare_versions(&Version::text(old), &Version::text(new))
}

/// The same for two versions with all files that they import. A node that has gone from one file into another is moved. A
/// file that one of them could not read is left out of both.
///
/// # Errors
/// When one of them is not KDL, or has something that is not closed.
pub fn compare_versions(old: &Version, new: &Version) -> Result<Vec<Difference>, EditError> {
    with_versions(old, new, |texts| texts.differences())
}

/// A node of two versions that are drawn as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedNode {
    /// How many nodes are around it.
    pub depth: usize,
    /// How it differs; `None` if it does not.
    pub how: Option<Differs>,
    /// Whether it is one of the [differences](Difference): what is in a node that was added or removed is none.
    pub is_told: bool,
    /// What it says in the second version, or in the first one if only that has it: its word, values and properties.
    pub text: String,
    /// What it says, or what differs, in a line.
    pub told: Told,
    /// For a node that differs: the words and names of the nodes around it, from the top.
    pub path: Vec<String>,
    /// At the top: the file, if the document imports it.
    pub file: Option<String>,
}

/// All nodes of two versions of a document in KDL as one tree: those of the second version, and removed ones where they were.
/// What is in a node that was added or removed is so, too.
///
/// # Errors
/// When one of them is not KDL, or has something that is not closed.
pub fn compare_all(old: &Version, new: &Version) -> Result<Vec<ComparedNode>, EditError> {
    with_versions(old, new, |texts| texts.all())
}

/// Pairs the nodes of two versions.
fn with_versions<T>(
    old: &Version,
    new: &Version,
    work: impl FnOnce(&Texts<'_>) -> T,
) -> Result<T, EditError> {
    let [old, new] = Joined::both(old, new);
    let mut editor = Editor::new(Document::parse(old.text(), "the first.kdl"))?;
    let is_whole = |editor: &Editor, why: Said| match editor.files[0].whole {
        true => Ok(()),
        false => Err(EditError::new(why)),
    };
    is_whole(
        &editor,
        said!("the older version has an open block, string or comment"),
    )?;
    let before = editor.outline();
    // All nodes are paired by what they say.
    editor.apply(&editor.replace(0, 0..old.text().len(), new.text())?)?;
    is_whole(
        &editor,
        said!("the newer version has an open block, string or comment"),
    )?;
    let after = editor.outline();
    let texts = Texts {
        old,
        new,
        before: &before,
        after: &after,
    };
    Ok(work(&texts))
}

/// Two versions.
struct Texts<'o> {
    old: Joined,
    new: Joined,
    before: &'o SourceOutline,
    after: &'o SourceOutline,
}

/// A node of one or both versions.
struct Pair<'o> {
    /// How many nodes are around it.
    depth: usize,
    old: Option<&'o SourceNode>,
    new: Option<&'o SourceNode>,
    how: Option<Differs>,
    /// Whether it is one of the differences.
    is_told: bool,
}

impl Texts<'_> {
    fn differences(&self) -> Vec<Difference> {
        let told = self.walk().into_iter().filter(|one| one.is_told);
        let told = told.filter_map(|one| Some(self.difference(one.how?, one.old, one.new)));
        told.collect()
    }

    fn all(&self) -> Vec<ComparedNode> {
        let nodes = self.walk().into_iter().map(|one| {
            let [was, is] = self.said(one.old, one.new);
            ComparedNode {
                depth: one.depth,
                how: one.how,
                is_told: one.is_told,
                text: if one.new.is_some() { is } else { was },
                told: self.told(one.old, one.new),
                path: one.how.map_or(Vec::new(), |_| self.path(one.old, one.new)),
                file: match (one.depth, one.new, one.old) {
                    (0, Some(node), _) => self.new.file(node.span.start).map(str::to_owned),
                    (0, None, Some(node)) => self.old.file(node.span.start).map(str::to_owned),
                    _ => None,
                },
            }
        });
        nodes.collect()
    }

    /// The nodes that are in another order. What has gone into another file is moved anyway, and keeps nothing else from
    /// being where it was.
    fn stray(&self) -> HashSet<u64> {
        out_of_order_among(self.before, self.after, |id| {
            let both = self.before.node(id).zip(self.after.node(id));
            both.is_none_or(|(old, new)| !self.is_elsewhere(old, new))
        })
    }

    fn is_elsewhere(&self, old: &SourceNode, new: &SourceNode) -> bool {
        self.old.file(old.span.start) != self.new.file(new.span.start)
    }

    fn is_moved(&self, old: &SourceNode, new: &SourceNode, stray: &HashSet<u64>) -> bool {
        let is_elsewhere =
            new.parent.is_none() && self.old.file(old.span.start) != self.new.file(new.span.start);
        old.parent != new.parent || is_elsewhere || stray.contains(&new.id)
    }

    /// The nodes of both versions as one tree.
    fn walk(&self) -> Vec<Pair<'_>> {
        let stray = self.stray();
        let mut out = Vec::new();
        let tops = |outline: &SourceOutline| -> Vec<u64> {
            let tops = outline.nodes().iter().filter(|node| node.parent.is_none());
            tops.map(|node| node.id).collect()
        };
        // The nodes that come next, the first one last, and how many are around each.
        let mut pending: Vec<(u64, usize)> = Vec::new();
        let beside = |pending: &mut Vec<(u64, usize)>, old: &[u64], new: &[u64], depth| {
            let all = self.with_removed(old, new);
            pending.extend(all.into_iter().rev().map(|id| (id, depth)));
        };
        beside(&mut pending, &tops(self.before), &tops(self.after), 0);
        while let Some((id, depth)) = pending.pop() {
            let (old, new) = (self.before.node(id), self.after.node(id));
            let is_in = |parent: Option<u64>, outline: &SourceOutline| {
                parent.is_none_or(|id| outline.node(id).is_some())
            };
            let (how, is_told) = match (old, new) {
                (None, None) => continue,
                (None, Some(new)) => (Some(Differs::Added), is_in(new.parent, self.before)),
                (Some(old), None) => (Some(Differs::Removed), is_in(old.parent, self.after)),
                (Some(old), Some(new)) => {
                    let both = (self.is_moved(old, new, &stray), !says_the_same(old, new));
                    let how = match both {
                        (false, false) => None,
                        (true, false) => Some(Differs::Moved),
                        (false, true) => Some(Differs::Changed),
                        (true, true) => Some(Differs::MovedAndChanged),
                    };
                    (how, how.is_some())
                }
            };
            out.push(Pair {
                depth,
                old,
                new,
                how,
                is_told,
            });
            let children =
                |node: Option<&SourceNode>| node.map_or(Vec::new(), |node| node.children.clone());
            beside(&mut pending, &children(old), &children(new), depth + 1);
        }
        out
    }

    /// The nodes of a block in the second version, and behind the one before it each that was removed.
    fn with_removed(&self, old: &[u64], new: &[u64]) -> Vec<u64> {
        let mut all = new.to_vec();
        let mut place = 0;
        for id in old {
            if let Some(at) = all.iter().position(|one| one == id) {
                place = at + 1;
            } else if self.after.node(*id).is_none() {
                all.insert(place, *id);
                place += 1;
            }
        }
        all
    }

    /// What a node says in both versions.
    fn said(&self, old: Option<&SourceNode>, new: Option<&SourceNode>) -> [String; 2] {
        [(self.old.text(), old), (self.new.text(), new)]
            .map(|(text, node)| node.map_or(String::new(), |node| said(text, node)))
    }

    fn told(&self, old: Option<&SourceNode>, new: Option<&SourceNode>) -> Told {
        let old = old.map(|node| (self.old.text(), node));
        let new = new.map(|node| (self.new.text(), node));
        told::told(old, new)
    }

    /// The words and names of the nodes around one, from the top.
    fn path(&self, old: Option<&SourceNode>, new: Option<&SourceNode>) -> Vec<String> {
        let outline = if new.is_some() {
            self.after
        } else {
            self.before
        };
        let mut path = Vec::new();
        let mut above = new.or(old).and_then(|node| node.parent);
        while let Some(node) = above.and_then(|id| outline.node(id)) {
            path.push(match &node.name {
                Some(name) => format!("{} {}", called(&node.word), shortened(name)),
                None => called(&node.word),
            });
            above = node.parent;
        }
        path.reverse();
        path
    }

    fn difference(
        &self,
        how: Differs,
        old: Option<&SourceNode>,
        new: Option<&SourceNode>,
    ) -> Difference {
        let [was, is] = self.said(old, new);
        Difference {
            how,
            old_line: old.map(|node| self.old.line(node.span.start)),
            new_line: new.map(|node| self.new.line(node.span.start)),
            old_file: old
                .and_then(|node| self.old.file(node.span.start))
                .map(str::to_owned),
            new_file: new
                .and_then(|node| self.new.file(node.span.start))
                .map(str::to_owned),
            old: was,
            new: is,
            told: self.told(old, new),
            path: self.path(old, new),
        }
    }
}

/// The nodes that are under the same node as before, but not in the same order: as few as possible.
pub(super) fn out_of_order(before: &SourceOutline, after: &SourceOutline) -> HashSet<u64> {
    out_of_order_among(before, after, |_| true)
}

/// The same; of the nodes at the top, only some are looked at.
fn out_of_order_among(
    before: &SourceOutline,
    after: &SourceOutline,
    counts: impl Fn(u64) -> bool,
) -> HashSet<u64> {
    let mut stray = HashSet::new();
    let tops = |outline: &SourceOutline| -> Vec<u64> {
        let tops = outline.nodes().iter().filter(|node| node.parent.is_none());
        tops.map(|node| node.id).filter(|id| counts(*id)).collect()
    };
    let mut judge = |old: &[u64], new: &[u64]| {
        let ranks: HashMap<u64, usize> = old.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let kept: Vec<u64> = new
            .iter()
            .copied()
            .filter(|id| ranks.contains_key(id))
            .collect();
        let order: Vec<usize> = kept.iter().map(|id| ranks[id]).collect();
        let rising = longest_rising(&order);
        stray.extend(
            kept.iter()
                .zip(&rising)
                .filter(|(_, rises)| !**rises)
                .map(|(id, _)| *id),
        );
    };
    judge(&tops(before), &tops(after));
    for node in after.nodes() {
        if let Some(old) = before.node(node.id) {
            judge(&old.children, &node.children);
        }
    }
    stray
}

/// The word, values and properties of a node, without its layout.
pub(super) fn said(text: &str, node: &SourceNode) -> String {
    let mut said = node.word.clone();
    for entry in entries(node) {
        said.push(' ');
        said.push_str(&text[entry.span.clone()]);
    }
    said
}

/// Whether two nodes have the same word, values and properties, however they are spelled: `"eat"` is `eat`, and `0x10` is
/// `16`.
fn says_the_same(old: &SourceNode, new: &SourceNode) -> bool {
    let (old_entries, new_entries) = (entries(old), entries(new));
    let mut both = old_entries.iter().zip(&new_entries);
    old.word == new.word
        && old_entries.len() == new_entries.len()
        && both.all(|(old, new)| is_same_entry(old, new))
}

/// The values and properties of a node, as they stand in the text.
fn entries(node: &SourceNode) -> Vec<&SourceEntry> {
    let mut all: Vec<_> = node.values.iter().chain(&node.properties).collect();
    all.sort_by_key(|entry| entry.span.start);
    all
}

fn is_same_entry(old: &SourceEntry, new: &SourceEntry) -> bool {
    old.name == new.name
        && old.is_text == new.is_text
        && (old.value == new.value
            || (!old.is_text
                && number(&old.value).is_some_and(|one| number(&new.value) == Some(one))))
}

/// A number, as KDL spells it: a whole one, or the bits of another one.
fn number(spelled: &str) -> Option<(bool, i128)> {
    let plain = spelled.replace('_', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)];
    let based = radix.into_iter().find_map(|(prefix, radix)| {
        let digits = digits.strip_prefix(prefix)?;
        i128::from_str_radix(digits, radix).ok()
    });
    let whole = based.or_else(|| digits.parse().ok());
    match whole {
        Some(whole) => Some((true, sign * whole)),
        None => {
            let number: f64 = plain
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())?;
            Some((false, i128::from(number.to_bits())))
        }
    }
}

/// For each number, whether it belongs to the longest row of numbers that rises.
fn longest_rising(numbers: &[usize]) -> Vec<bool> {
    // The last number of the best row of each length, and what comes before each number in its row.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut rises = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        rises[at] = true;
        next = before[at];
    }
    rises
}
