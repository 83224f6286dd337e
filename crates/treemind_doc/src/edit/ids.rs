//! Ids of nodes, which stay the same over edits.
//!
//! After a change, the nodes of the old and the new text are paired. A node outside of all replaced bytes is found by
//! its place. The others are found by what they say: first whole nodes with all below them, then lines, then a node by
//! the nodes inside it. So a node keeps its id when it is moved, wrapped, or turned into another kind. What is left over
//! in the new text gets new ids. A change that undoes another one carries the ids of the nodes that it brings back.

use super::change::Change;
use super::outline::typed;
use super::{Editor, File};
use crate::syntax::{Node, Value};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The ids of the nodes of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    /// The beginning and the id of each node, parents before children.
    pub(super) all: Vec<(usize, u64)>,
    /// Nodes that could not be read any more since the last text in which everything was closed.
    lost: Vec<Lost>,
}

/// A node that a text does not have for the moment.
#[derive(Clone, Debug)]
struct Lost {
    id: u64,
    start: usize,
    says: Says,
}

/// What a node says, without its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Says {
    /// The node with all below it.
    whole: u64,
    line: u64,
    /// Its word, and the first of its values and properties.
    begin: u64,
    word: u64,
}

/// A node of an old or a new text.
struct Flat<'n> {
    file: usize,
    node: Option<&'n Node>,
    start: usize,
    parent: Option<usize>,
    /// The number of nodes in it, with itself.
    size: usize,
    says: Says,
}

impl Ids {
    /// The id of the node that begins at an offset.
    pub(super) fn at(&self, start: usize) -> Option<u64> {
        let found = self.all.binary_search_by_key(&start, |(start, _)| *start);
        found.ok().map(|at| self.all[at].1)
    }

    pub(super) fn start_of(&self, id: u64) -> Option<usize> {
        let found = self.all.iter().find(|(_, own)| *own == id);
        found.map(|(start, _)| *start)
    }
}

impl Editor {
    /// Gives an id to every node that has none yet.
    pub(super) fn number(&mut self, file: usize) {
        let starts = starts(&self.files[file].nodes);
        let next = &mut self.next_id;
        let all = starts.into_iter().map(|start| {
            *next += 1;
            (start, *next)
        });
        self.files[file].ids.all = all.collect();
    }

    /// Passes the ids of the old files on to the new ones, and returns the ids of those nodes that the change may remove,
    /// for the change that undoes it.
    pub(super) fn carry_ids(
        &mut self,
        change: &Change,
        old: &[(usize, File)],
    ) -> Vec<(usize, Vec<u64>)> {
        let mut before = Vec::new();
        let mut ids = Vec::new();
        for (number, file) in old {
            flatten(*number, file, &mut before);
            ids.extend(file.ids.all.iter().map(|(_, id)| *id));
            for lost in &file.ids.lost {
                before.push(Flat {
                    file: *number,
                    node: None,
                    start: lost.start,
                    parent: None,
                    size: 1,
                    says: lost.says,
                });
                ids.push(lost.id);
            }
        }
        let mut after = Vec::new();
        for (number, _) in old {
            flatten(*number, &self.files[*number], &mut after);
        }
        let mut pairs = Pairs::new(before, after);
        pairs.by_place(change);
        let gone = pairs.unpaired_old(&ids, old);
        let mut new_ids = pairs.restored(change, &ids, old);
        if new_ids.is_none() {
            pairs.by_meaning(change);
        }
        let new_ids = new_ids.get_or_insert_with(|| {
            let known = |index: &Option<usize>| index.map(|index| ids[index]);
            pairs.of_new.iter().map(known).collect()
        });
        let mut next = self.next_id;
        let mut given = Vec::with_capacity(old.len());
        for (number, _) in old {
            let own = pairs.after.iter().zip(new_ids.iter());
            let own = own.filter(|(flat, _)| flat.file == *number);
            let all = own.map(|(flat, id)| {
                let id = id.unwrap_or_else(|| {
                    next += 1;
                    next
                });
                (flat.start, id)
            });
            let all: Vec<(usize, u64)> = all.collect();
            let lost = match self.files[*number].whole {
                true => Vec::new(),
                false => pairs.lost(change, &ids, *number, &all),
            };
            given.push((*number, Ids { all, lost }));
        }
        self.next_id = next;
        for (number, ids) in given {
            self.files[number].ids = ids;
        }
        gone
    }
}

/// The nodes of two texts, and which of them are the same.
struct Pairs<'n> {
    before: Vec<Flat<'n>>,
    after: Vec<Flat<'n>>,
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl<'n> Pairs<'n> {
    fn new(before: Vec<Flat<'n>>, after: Vec<Flat<'n>>) -> Self {
        let (old, new) = (before.len(), after.len());
        Self {
            before,
            after,
            of_old: vec![None; old],
            of_new: vec![None; new],
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        if self.of_old[old].is_none() && self.of_new[new].is_none() {
            self.of_old[old] = Some(new);
            self.of_new[new] = Some(old);
        }
    }

    /// Nodes whose first byte is not replaced.
    fn by_place(&mut self, change: &Change) {
        let places = self.after.iter().enumerate();
        let places: HashMap<(usize, usize), usize> = places
            .map(|(at, flat)| ((flat.file, flat.start), at))
            .collect();
        let mut moves = Moves {
            file: usize::MAX,
            ..Moves::default()
        };
        for old in 0..self.before.len() {
            let flat = &self.before[old];
            let is_node = flat.node.is_some();
            let moved = moves.of(change, flat.file, flat.start);
            if let Some(start) = moved.filter(|_| is_node)
                && let Some(new) = places.get(&(flat.file, start))
            {
                self.pair(old, *new);
            }
        }
    }

    /// The ids of the nodes that are not found by their place, file by file.
    fn unpaired_old(&self, ids: &[u64], old: &[(usize, File)]) -> Vec<(usize, Vec<u64>)> {
        let of = |number: usize| {
            let all = self.before.iter().zip(&self.of_old).zip(ids);
            let own = all.filter(|((flat, new), _)| {
                flat.file == number && flat.node.is_some() && new.is_none()
            });
            own.map(|(_, id)| *id).collect()
        };
        old.iter()
            .map(|(number, _)| (*number, of(*number)))
            .collect()
    }

    /// The new ids, if the change carries those of the nodes that it brings back.
    fn restored(
        &self,
        change: &Change,
        ids: &[u64],
        old: &[(usize, File)],
    ) -> Option<Vec<Option<u64>>> {
        let carried = change.ids.as_ref()?;
        let mut restored: Vec<Option<u64>> = self
            .of_new
            .iter()
            .map(|old| old.map(|old| ids[old]))
            .collect();
        for (number, _) in old {
            let (_, own) = carried.iter().find(|(file, _)| file == number)?;
            let open = |new: &usize| restored[*new].is_none() && self.after[*new].file == *number;
            let open: Vec<usize> = (0..restored.len()).filter(open).collect();
            if open.len() != own.len() {
                return None;
            }
            for (new, id) in open.into_iter().zip(own) {
                restored[new] = Some(*id);
            }
        }
        let mut seen = HashSet::new();
        restored
            .iter()
            .flatten()
            .all(|id| seen.insert(*id))
            .then_some(restored)
    }

    /// Nodes that say the same.
    fn by_meaning(&mut self, change: &Change) {
        self.around_splices(change);
        // An operation changes one place, but a text from elsewhere may differ everywhere: there, equal nodes are looked for
        // under the same node first.
        if *change.label() == typed() {
            let of_large = |flat: &Flat<'n>| if flat.size > 2 { flat.says.whole } else { 0 };
            self.alike(of_large, true);
            self.by_parent();
        }
        self.alike(|flat| flat.says.whole, true);
        self.alike(|flat| flat.says.line, false);
        self.by_children();
        self.alike(|flat| flat.says.begin, false);
        if *change.label() == typed() {
            self.by_word();
        }
        self.last_child();
    }

    /// Nodes whose beginning is replaced, but not their end: those of another kind.
    fn around_splices(&mut self, change: &Change) {
        let mut moved = (usize::MAX, 0, 0);
        for splice in change.splices() {
            if splice.file != moved.0 {
                moved = (splice.file, 0, 0);
            }
            let start = splice.range.start + moved.1 - moved.2;
            let new = start..start + splice.new.len();
            moved.1 += splice.new.len();
            moved.2 += splice.old.len();
            let begun = |flats: &[Flat<'n>], pairs: &[Option<usize>], range: &Range<usize>| {
                let flats = flats.iter().enumerate();
                let open = flats.filter(|(at, flat)| {
                    let node = flat.node.map_or(0..0, Node::extent);
                    pairs[*at].is_none()
                        && flat.file == splice.file
                        && range.contains(&node.start)
                        && range.end < node.end
                });
                open.map(|(at, _)| at).collect::<Vec<usize>>()
            };
            let old = begun(&self.before, &self.of_old, &splice.range);
            let new = begun(&self.after, &self.of_new, &new);
            if old.len() == new.len() {
                old.into_iter()
                    .zip(new)
                    .for_each(|(old, new)| self.pair(old, new));
            }
        }
    }

    /// Nodes for which a number is equal, in their order; `with_inner` also those inside them.
    fn alike(&mut self, key: impl Fn(&Flat<'n>) -> u64, with_inner: bool) {
        let mut known: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (old, flat) in self.before.iter().enumerate() {
            if self.of_old[old].is_none() && key(flat) != 0 {
                known.entry(key(flat)).or_default().push_back(old);
            }
        }
        for new in 0..self.after.len() {
            if self.of_new[new].is_some() {
                continue;
            }
            let Some(open) = known.get_mut(&key(&self.after[new])) else {
                continue;
            };
            while open.front().is_some_and(|old| self.of_old[*old].is_some()) {
                open.pop_front();
            }
            let Some(old) = open.pop_front() else {
                continue;
            };
            let size = self.before[old].size.min(self.after[new].size);
            let inner = if with_inner { size } else { 1 };
            (0..inner).for_each(|at| self.pair(old + at, new + at));
        }
    }

    /// Nodes that say the same, or begin in the same way, under the same node.
    fn by_parent(&mut self) {
        let mut children: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (old, flat) in self.before.iter().enumerate() {
            if flat.node.is_some() {
                children
                    .entry((flat.file, flat.parent))
                    .or_default()
                    .push(old);
            }
        }
        for key in [
            |says: &Says| says.whole,
            |says: &Says| says.line,
            |says: &Says| says.begin,
        ] {
            // In each list of children, the search goes on after the last one that was found.
            let mut next: HashMap<(usize, Option<usize>), usize> = HashMap::new();
            for new in 0..self.after.len() {
                let flat = &self.after[new];
                let parent = flat.parent.map(|parent| self.of_new[parent]);
                if self.of_new[new].is_some() || parent == Some(None) {
                    continue;
                }
                let place = (flat.file, parent.flatten());
                let from = next.entry(place).or_default();
                let Some(all) = children.get(&place).and_then(|all| all.get(*from..)) else {
                    continue;
                };
                let wanted = key(&flat.says);
                let is_it = |old: &usize| {
                    self.of_old[*old].is_none() && key(&self.before[*old].says) == wanted
                };
                if let Some(at) = all.iter().position(is_it) {
                    let old = all[at];
                    *from += at + 1;
                    self.pair(old, new);
                }
            }
        }
    }

    /// Nodes with the same word under a node that is known, if no fewer are left over in the new text: their values are others,
    /// and the last of them have come.
    fn by_word(&mut self) {
        type Place = (usize, Option<usize>, u64);
        let mut old: HashMap<Place, Vec<usize>> = HashMap::new();
        for (at, flat) in self.before.iter().enumerate() {
            if self.of_old[at].is_none() && flat.node.is_some() {
                let place = (flat.file, flat.parent, flat.says.word);
                old.entry(place).or_default().push(at);
            }
        }
        let mut new: HashMap<Place, Vec<usize>> = HashMap::new();
        for (at, flat) in self.after.iter().enumerate() {
            let parent = flat.parent.map(|parent| self.of_new[parent]);
            if self.of_new[at].is_none() && parent != Some(None) {
                let place = (flat.file, parent.flatten(), flat.says.word);
                new.entry(place).or_default().push(at);
            }
        }
        for (place, new) in new {
            let Some(old) = old.get(&place).filter(|old| old.len() <= new.len()) else {
                continue;
            };
            old.iter()
                .zip(new)
                .for_each(|(old, new)| self.pair(*old, new));
        }
    }

    /// A node whose children are known, and whose word is the same.
    fn by_children(&mut self) {
        for new in (0..self.after.len()).rev() {
            let Some(old) = self.of_new[new] else {
                continue;
            };
            let (above, now) = (self.before[old].parent, self.after[new].parent);
            if let (Some(above), Some(now)) = (above, now)
                && self.before[above].says.word == self.after[now].says.word
            {
                self.pair(above, now);
            }
        }
    }

    /// A node that is alone with another one under a parent that is known.
    fn last_child(&mut self) {
        let mut alone: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (old, flat) in self.before.iter().enumerate() {
            if self.of_old[old].is_none() && flat.node.is_some() {
                alone.entry((flat.file, flat.parent)).or_default().push(old);
            }
        }
        let mut open: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (new, flat) in self.after.iter().enumerate() {
            let parent = flat.parent.map(|parent| self.of_new[parent]);
            if self.of_new[new].is_none() && parent != Some(None) {
                open.entry((flat.file, parent.flatten()))
                    .or_default()
                    .push(new);
            }
        }
        for (parent, new) in open {
            if let ([new], Some([old])) = (&new[..], alone.get(&parent).map(|old| &old[..])) {
                self.pair(*old, *new);
            }
        }
    }

    /// The nodes that a text that is not whole does not have.
    fn lost(&self, change: &Change, ids: &[u64], file: usize, known: &[(usize, u64)]) -> Vec<Lost> {
        let known: HashSet<u64> = known.iter().map(|(_, id)| *id).collect();
        let all = self.before.iter().zip(ids);
        let own = all.filter(|(flat, id)| flat.file == file && !known.contains(id));
        own.map(|(flat, id)| Lost {
            id: *id,
            start: change.moved(file, flat.start),
            says: flat.says,
        })
        .collect()
    }
}

/// Where bytes are after a change, asked for in the order of the text.
#[derive(Default)]
struct Moves {
    file: usize,
    last: usize,
    /// The number of the first splice that does not end before the byte, and what those before it add and take away.
    next: usize,
    added: usize,
    taken: usize,
}

impl Moves {
    /// The new place of a byte; `None` if it is replaced.
    fn of(&mut self, change: &Change, file: usize, offset: usize) -> Option<usize> {
        let splices = change.splices();
        if file != self.file || offset < self.last {
            *self = Self {
                file,
                next: splices.partition_point(|splice| splice.file < file),
                ..Self::default()
            };
        }
        self.last = offset;
        let own = |at: usize| splices.get(at).filter(|splice| splice.file == file);
        while let Some(splice) = own(self.next).filter(|splice| splice.range.end <= offset) {
            self.next += 1;
            self.added += splice.new.len();
            self.taken += splice.old.len();
        }
        let is_replaced = own(self.next).is_some_and(|splice| splice.range.start <= offset);
        (!is_replaced).then(|| offset + self.added - self.taken)
    }
}

/// The beginnings of all nodes, parents before children.
fn starts(nodes: &[Node]) -> Vec<usize> {
    let mut all = Vec::new();
    let mut pending: Vec<&Node> = nodes.iter().rev().collect();
    while let Some(node) = pending.pop() {
        all.push(node.span.start);
        pending.extend(node.children().iter().rev());
    }
    all
}

/// All nodes of a file, parents before children.
fn flatten<'n>(number: usize, file: &'n File, out: &mut Vec<Flat<'n>>) {
    let first = out.len();
    let mut pending: Vec<(&Node, Option<usize>)> =
        file.nodes.iter().rev().map(|node| (node, None)).collect();
    while let Some((node, parent)) = pending.pop() {
        let own = out.len();
        out.push(Flat {
            file: number,
            node: Some(node),
            start: node.span.start,
            parent,
            size: 1,
            says: said(file.text(), node),
        });
        pending.extend(node.children().iter().rev().map(|child| (child, Some(own))));
    }
    // From the last one on, each is added to its parent, so that a node comes after all nodes in it.
    for own in (first..out.len()).rev() {
        let (size, whole) = (out[own].size, out[own].says.whole);
        if let Some(parent) = out[own].parent {
            out[parent].size += size;
            let mut hasher = DefaultHasher::new();
            (out[parent].says.whole, whole).hash(&mut hasher);
            out[parent].says.whole = hasher.finish();
        }
    }
}

fn said(text: &str, node: &Node) -> Says {
    let mut hasher = DefaultHasher::new();
    node.name.value.hash(&mut hasher);
    let word = hasher.finish();
    // Texts are the same with and without quotes.
    let mut entries = node.entries.iter().map(|entry| {
        let name = entry.name.as_ref().map(|name| &*name.value);
        let value = match &entry.value {
            Value::Text(text) => (true, &*text.value),
            _ => (false, &text[entry.value_span.clone()]),
        };
        (name, value)
    });
    entries.next().hash(&mut hasher);
    let begin = hasher.finish();
    entries.for_each(|entry| entry.hash(&mut hasher));
    let line = hasher.finish();
    Says {
        whole: line,
        line,
        begin,
        word,
    }
}
