//! A program that has taken the place of another one: which node is which.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, NodeId, Program};
use treemind_doc::{About, outline_lines};

/// A program that has taken the place of another one.
#[derive(Debug)]
pub struct Replaced<'a> {
    pub(super) before: &'a Behaviour,
    pub(super) now: &'a Behaviour,
    is_same: bool,
    has_same_names: bool,
    /// For each node of the old program its place in the new one, and whether its runs went on there.
    places: Vec<Option<(NodeId, bool)>>,
    /// For each node of the new program what it was.
    was: Vec<Option<NodeId>>,
    /// What the lines of both programs say, once somebody has asked.
    lines: OnceCell<[HashMap<About, String>; 2]>,
}

impl<'a> Replaced<'a> {
    /// A program in the place of another one, and what became of its nodes. A node whose runs did not go on, because it was wrapped or
    /// moved, still is the same to whoever looks at it, if there is only one that it can be: of its kind, with its label.
    pub fn new(before: &'a Program, now: &'a Program) -> Self {
        let is_same = before.fingerprint() == now.fingerprint();
        let places = before.nodes_in(now).into_iter();
        let places = places.map(|place| Some((place?, true)));
        let mut places: Vec<Option<(NodeId, bool)>> = places.collect();
        let (before, now) = (before.behaviour(), now.behaviour());
        let mut was = vec![None; now.nodes().len()];
        for (old, place) in before.node_ids().zip(&places) {
            if let Some((new, _)) = place {
                was[new.index()] = Some(old);
            }
        }
        let name =
            |of: &'a Behaviour, node: NodeId| (of.node(node).kind.facts().keyword, of.label(node));
        let mut left: BTreeMap<_, [Vec<NodeId>; 2]> = BTreeMap::new();
        for old in before
            .node_ids()
            .filter(|old| places[old.index()].is_none())
        {
            left.entry(name(before, old)).or_default()[0].push(old);
        }
        for new in now.node_ids().filter(|new| was[new.index()].is_none()) {
            left.entry(name(now, new)).or_default()[1].push(new);
        }
        for [old, new] in left.into_values() {
            if old.len() == new.len() {
                for (old, new) in old.into_iter().zip(new) {
                    places[old.index()] = Some((new, false));
                    was[new.index()] = Some(old);
                }
            }
        }
        let has_same_names = before.keys() == now.keys()
            && before.leaves() == now.leaves()
            && before.enums() == now.enums();
        Self {
            before,
            now,
            is_same,
            has_same_names,
            places,
            was,
            lines: OnceCell::new(),
        }
    }

    /// Whether the programs differ at most in texts for people: then all nodes are where they were.
    pub fn is_same(&self) -> bool {
        self.is_same
    }

    /// Where a node of the old program is now.
    pub fn place(&self, old: NodeId) -> Option<NodeId> {
        let place = self.places.get(old.index())?;
        place.map(|(new, _)| new)
    }

    /// Where the runs of a node of the old program go on.
    pub fn goes_on(&self, old: NodeId) -> Option<NodeId> {
        let place = self.places.get(old.index()).copied().flatten();
        place.filter(|(_, goes_on)| *goes_on).map(|(new, _)| new)
    }

    /// What a node of the new program was.
    pub fn was(&self, new: NodeId) -> Option<NodeId> {
        self.was.get(new.index()).copied().flatten()
    }

    /// The same, of a node that has the same options, with the same keys and leaves.
    pub(super) fn was_alike(&self, new: NodeId) -> Option<NodeId> {
        let old = self.was(new)?;
        let kinds = (&self.before.node(old).kind, &self.now.node(new).kind);
        (self.has_same_names && kinds.0 == kinds.1).then_some(old)
    }

    /// Whether something of the new program is written as it was in the old one: with the same names, since keys and leaves
    /// may have other numbers. What is below it may be something else.
    pub(super) fn is_written_alike(&self, old: About, new: About) -> bool {
        let lines = |behaviour: &Behaviour| -> HashMap<About, String> {
            let lines = outline_lines(behaviour).into_iter();
            lines.map(|line| (line.about, line.text)).collect()
        };
        let read = || [lines(self.before), lines(self.now)];
        let [before, now] = self.lines.get_or_init(read);
        before.get(&old) == now.get(&new)
    }

    /// An event of the old program, at the node where it is now. What an event says beside its node may be something else there.
    pub(super) fn event(&self, (old, event): (NodeId, Event)) -> Option<(NodeId, Event)> {
        let new = self.place(old)?;
        let is_plain = matches!(
            event,
            Event::Enter
                | Event::Tick(_)
                | Event::Guard(_)
                | Event::Start
                | Event::Stop(_)
                | Event::Abort
        );
        (is_plain || self.was_alike(new).is_some()).then_some((new, event))
    }
}
