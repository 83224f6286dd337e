//! What a changed program has in common with the one before it: the nodes whose runs continue, and where their state
//! is.

mod machines;
mod names;
pub(crate) mod paths;
mod planners;
mod rules;

use super::Program;
use super::op::Slot;
use super::owners::Owner;
use crate::behaviour::{Arg, Behaviour, FindFrom, Kind, KindPart};
use crate::blackboard::{Column, Holds, Packed, Shape};
use crate::ids::{KeyId, LeafId, NodeId};
use crate::value::Type;
pub(crate) use machines::{Columns, MachineMatch};
pub(crate) use names::Names;
pub(crate) use paths::Paths;
pub(crate) use planners::PlannerMatch;
use std::collections::HashMap;
use std::mem::discriminant;

/// Why a node does not continue when its document has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeChange {
    /// It is new.
    Added,
    /// It is gone, or in another place.
    Removed,
    /// It is of another kind.
    Kind,
    /// It uses another leaf, semaphore or label, or the leaf has other parameters.
    Leaf,
    /// It gives its leaf other arguments.
    Arguments,
    /// It remembers something about its children, and has others now.
    Children,
    /// It remembers something else, because its options have changed, or those of nodes around it.
    Memory,
    /// A machine was in a state that has changed.
    State,
    /// Something in it has changed and was aborted, so that nothing was left to wait for.
    Inside,
}

/// Two programs, node by node and column by column.
#[derive(Debug)]
pub(crate) struct Matching<'p> {
    pub(crate) names: Names<'p>,
    pub(crate) old: &'p Program,
    pub(crate) new: &'p Program,
    pub(crate) paths: [Paths; 2],
    /// For each old node, the new one that continues in its place.
    pub(crate) nodes: Vec<Option<NodeId>>,
    /// For each old node that does not continue while its parent does, why.
    pub(crate) ends: Vec<(NodeId, NodeChange)>,
    /// For each new node that takes nobody's place while its parent does, itself.
    pub(crate) added: Vec<NodeId>,
    pub(crate) keys: Vec<Option<KeyId>>,
    pub(crate) leaves: Vec<Option<LeafId>>,
    pub(crate) slots: Vec<(u32, u32)>,
    pub(crate) columns: Columns,
    pub(crate) machines: Vec<MachineMatch>,
    pub(crate) planners: Vec<PlannerMatch>,
}

/// The slots and columns of a node, each with the copy of its code that they belong to.
#[derive(Clone, Debug, Default)]
struct Holding {
    slots: Vec<(u32, u32)>,
    bits: Vec<(u32, u32)>,
    wide: Vec<(u32, u32)>,
    narrow: Vec<(u32, u32)>,
}

impl Holding {
    fn of(program: &Program) -> Vec<Self> {
        let mut all = vec![Self::default(); program.behaviour.nodes().len()];
        let owners = &program.owners;
        // The first slot says that an agent is there.
        let slots = (0..).zip(&owners.slots).skip(1);
        let into = |list: &mut Vec<(u32, u32)>, (index, owner): (u32, &Owner)| {
            list.push((owner.copy, index));
        };
        slots.for_each(|one| into(&mut all[one.1.node.index()].slots, one));
        let bits = (0..).zip(&owners.bits);
        bits.for_each(|one| into(&mut all[one.1.node.index()].bits, one));
        let wide = (0..).zip(&owners.wide);
        wide.for_each(|one| into(&mut all[one.1.node.index()].wide, one));
        let narrow = (0..).zip(&owners.narrow);
        narrow.for_each(|one| into(&mut all[one.1.node.index()].narrow, one));
        all
    }

    /// Whether there is anything that may depend on the children.
    fn remembers_children(&self, program: &Program) -> bool {
        let is_hook = |slot: u32| matches!(program.slots[slot as usize], Slot::Hook(_));
        let has_columns = [&self.bits, &self.wide, &self.narrow];
        self.slots.iter().any(|(_, slot)| !is_hook(*slot))
            || has_columns.iter().any(|columns| !columns.is_empty())
    }
}

impl<'p> Matching<'p> {
    /// `None` if the programs differ at most in texts for people: then everything continues.
    pub(crate) fn new(old: &'p Program, new: &'p Program) -> Option<Self> {
        if old.fingerprint() == new.fingerprint() {
            return None;
        }
        let names = Names {
            old: &old.behaviour,
            new: &new.behaviour,
        };
        let mut matching = Self {
            names,
            old,
            new,
            paths: [Paths::of(names.old), Paths::of(names.new)],
            nodes: vec![None; names.old.nodes().len()],
            ends: Vec::new(),
            added: Vec::new(),
            keys: names.keys(),
            leaves: names.leaves(),
            slots: vec![(0, 0)],
            columns: Columns::default(),
            machines: Vec::new(),
            planners: Vec::new(),
        };
        let holdings = [Holding::of(old), Holding::of(new)];
        matching.node((names.old.root(), names.new.root()), &holdings);
        matching.end_what_was_left_open();
        matching.pair_columns(&holdings);
        matching.list_added();
        Some(matching)
    }

    fn node(&mut self, (old, new): (NodeId, NodeId), holdings: &[Vec<Holding>; 2]) {
        if let Some(change) = self.change((old, new), holdings) {
            self.ends.push((old, change));
            return;
        }
        self.nodes[old.index()] = Some(new);
        let names = self.names;
        let there = names.new.node(new).children.iter();
        let there: HashMap<String, NodeId> = there
            .map(|child| (self.paths[1].name(*child).to_owned(), *child))
            .collect();
        for child in &names.old.node(old).children {
            match there.get(self.paths[0].name(*child)) {
                Some(other) => self.node((*child, *other), holdings),
                None => self.ends.push((*child, NodeChange::Removed)),
            }
        }
    }

    /// Why a node cannot continue as another.
    fn change(
        &self,
        (old, new): (NodeId, NodeId),
        holdings: &[Vec<Holding>; 2],
    ) -> Option<NodeChange> {
        let nodes = (self.names.old.node(old), self.names.new.node(new));
        let kinds = (&nodes.0.kind, &nodes.1.kind);
        if kinds.0.facts().keyword != kinds.1.facts().keyword {
            return Some(NodeChange::Kind);
        }
        if !self.uses_the_same(kinds) {
            return Some(NodeChange::Leaf);
        }
        if !self.finds_the_same(kinds) {
            return Some(NodeChange::Leaf);
        }
        if !self.has_same_arguments(kinds) {
            return Some(NodeChange::Arguments);
        }
        if let (Kind::Machine(old), Kind::Machine(new)) = kinds {
            return (old.mode != new.mode).then_some(NodeChange::Kind);
        }
        let (here, there) = (&holdings[0][old.index()], &holdings[1][new.index()]);
        if matches!(kinds, (Kind::Planner(_) | Kind::Rules { .. }, _)) {
            return (!self.has_same_slots(here, there)).then_some(NodeChange::Memory);
        }
        if !self.is_same_memory(here, there) && !self.is_plain_list(old, new, here, there) {
            return Some(NodeChange::Memory);
        }
        let is_list = self.is_plain_list(old, new, here, there);
        if !is_list && here.remembers_children(self.old) && !self.has_same_children(old, new) {
            return Some(NodeChange::Children);
        }
        None
    }

    /// Whether two nodes use the same leaf, semaphore and label.
    fn uses_the_same(&self, (old, new): (&Kind, &Kind)) -> bool {
        let used = |behaviour: &'p Behaviour, kind: &Kind| {
            let mut found = Vec::new();
            kind.parts(&mut |part| match part {
                KindPart::Label(label) => found.push(behaviour.labels()[label.index()].clone()),
                KindPart::Semaphore(id) => {
                    let semaphore = &behaviour.semaphores()[id.index()];
                    found.push(format!("{:?} {}", semaphore.scope, semaphore.name));
                }
                _ => {}
            });
            found
        };
        let leaves = match (old.leaf(), new.leaf()) {
            (Some(old), Some(new)) => self.leaves[old.index()] == Some(new),
            (old, new) => old.is_none() && new.is_none(),
        };
        leaves && used(self.names.old, old) == used(self.names.new, new)
    }

    /// Whether two searches that have begun have the same sort of candidates.
    fn finds_the_same(&self, kinds: (&Kind, &Kind)) -> bool {
        let (Kind::Find(old), Kind::Find(new)) = kinds else {
            return true;
        };
        let is_same_list = match (&old.from, &new.from) {
            (FindFrom::List(old), FindFrom::List(new)) => self.keys[old.index()] == Some(*new),
            (FindFrom::Leaf(..), FindFrom::Leaf(..)) => true,
            _ => false,
        };
        let types = (
            self.names.old.key(old.item).ty,
            self.names.new.key(new.item).ty,
        );
        is_same_list && self.names.is_same_type(types.0, types.1)
    }

    /// Whether a run that has begun with the arguments of one would have begun in the same way with those of the other.
    fn has_same_arguments(&self, kinds: (&'p Kind, &'p Kind)) -> bool {
        let given = |kind: &'p Kind| match kind {
            Kind::Action { args, leaf } | Kind::Own { args, leaf } => Some((args, *leaf)),
            Kind::Find(find) => match &find.from {
                FindFrom::Leaf(leaf, args) => Some((args, *leaf)),
                FindFrom::List(_) => None,
            },
            _ => None,
        };
        let (Some((old, leaf)), Some((new, _))) = (given(kinds.0), given(kinds.1)) else {
            return true;
        };
        let params = &self.names.old.leaf(leaf).params;
        old.len() == new.len()
            && old
                .iter()
                .zip(new)
                .zip(params)
                .all(|((old, new), param)| match (old, new) {
                    (Arg::Value(old), Arg::Value(new)) => {
                        let ty = match param.ty {
                            Type::Enum(_) => new.ty(),
                            _ => Type::Any,
                        };
                        // By their bits: NaN is NaN.
                        let old = self.names.value(*old, ty).map(Packed::of);
                        old == Some(Packed::of(*new))
                    }
                    (Arg::Expr(_), Arg::Expr(_)) | (Arg::Key(_), Arg::Key(_)) => true,
                    _ => false,
                })
    }

    fn has_same_children(&self, old: NodeId, new: NodeId) -> bool {
        let (old, new) = (self.names.old.node(old), self.names.new.node(new));
        let names = old.children.iter().map(|child| self.paths[0].name(*child));
        names.eq(new.children.iter().map(|child| self.paths[1].name(*child)))
    }

    fn is_same_memory(&self, old: &Holding, new: &Holding) -> bool {
        let copies = |list: &[(u32, u32)]| -> Vec<u32> { list.iter().map(|one| one.0).collect() };
        let narrow = old.narrow.iter().zip(&new.narrow);
        self.has_same_slots(old, new)
            && copies(&old.bits) == copies(&new.bits)
            && copies(&old.wide) == copies(&new.wide)
            && copies(&old.narrow) == copies(&new.narrow)
            && narrow.into_iter().all(|((_, old), (_, new))| {
                match (self.old.run.holds(*old), self.new.run.holds(*new)) {
                    (Holds::Enum(old), Holds::Enum(new)) => {
                        self.names.is_same_type(Type::Enum(old), Type::Enum(new))
                    }
                    (old, new) => old == new,
                }
            })
    }

    fn has_same_slots(&self, old: &Holding, new: &Holding) -> bool {
        let copies = |list: &[(u32, u32)]| -> Vec<u32> { list.iter().map(|one| one.0).collect() };
        let mut slots = old.slots.iter().zip(&new.slots);
        copies(&old.slots) == copies(&new.slots)
            && slots.all(|((_, old), (_, new))| {
                let (old, new) = (
                    &self.old.slots[*old as usize],
                    &self.new.slots[*new as usize],
                );
                discriminant(old) == discriminant(new)
            })
    }

    /// Whether two lists know where they are only by the child that runs.
    fn is_plain_list(&self, old: NodeId, new: NodeId, here: &Holding, there: &Holding) -> bool {
        let is_list = |kind: &Kind| matches!(kind, Kind::Sequence { .. } | Kind::Selector { .. });
        let hooks = |program: &Program, holding: &Holding| {
            let mut slots = holding.slots.iter();
            slots.all(|(_, slot)| matches!(program.slots[*slot as usize], Slot::Hook(_)))
        };
        let copies = |holding: &Holding| holding.slots.iter().map(|one| one.0).collect::<Vec<_>>();
        is_list(&self.names.old.node(old).kind)
            && is_list(&self.names.new.node(new).kind)
            && hooks(self.old, here)
            && hooks(self.new, there)
            && copies(here) == copies(there)
            && here.wide.is_empty()
            && here.narrow.is_empty()
            && there.wide.is_empty()
            && there.narrow.is_empty()
    }

    /// What a list has put aside continues only if everything in the list does.
    fn end_what_was_left_open(&mut self) {
        let (old, new) = (self.old, self.new);
        let lists = |program: &Program| -> Vec<NodeId> {
            let lists = program.code.left_open.iter();
            let owner = |column: u32| program.owners.bits[column as usize].node;
            lists.map(|left| owner(left.columns)).collect()
        };
        let there = lists(new);
        for list in lists(old) {
            let Some(other) = self.nodes[list.index()] else {
                continue;
            };
            let is_whole = there.contains(&other) && self.is_whole((list, other));
            if !is_whole {
                self.forget_below(list);
                self.ends.push((list, NodeChange::Children));
            }
        }
    }

    fn is_whole(&self, (old, new): (NodeId, NodeId)) -> bool {
        let (here, there) = (self.names.old.node(old), self.names.new.node(new));
        self.nodes[old.index()] == Some(new)
            && here.children.len() == there.children.len()
            && here
                .children
                .iter()
                .zip(&there.children)
                .all(|(old, new)| self.is_whole((*old, *new)))
    }

    fn forget_below(&mut self, node: NodeId) {
        self.nodes[node.index()] = None;
        self.ends.retain(|(end, _)| *end != node);
        let names = self.names;
        for child in &names.old.node(node).children {
            self.forget_below(*child);
        }
    }

    fn pair_columns(&mut self, holdings: &[Vec<Holding>; 2]) {
        let (old, new) = (self.old, self.new);
        for node in self.names.old.node_ids() {
            let Some(other) = self.nodes[node.index()] else {
                continue;
            };
            let (here, there) = (&holdings[0][node.index()], &holdings[1][other.index()]);
            self.slots.extend(pairs(&here.slots, &there.slots));
            let kind = &self.names.old.node(node).kind;
            if matches!(kind, Kind::Machine(_) | Kind::Planner(_)) {
                let found = machines::matches((old, new), (node, other));
                self.machines.extend(found);
                let found = planners::matches((old, new), (node, other));
                self.planners.extend(found);
                // They pair their own columns; what a selector knows of the guard in front of it is not among them.
                let held = [guards_held(old, node), guards_held(new, other)];
                let held = pairs(&held[0], &held[1]);
                self.columns.bits.extend(held);
                continue;
            }
            if matches!(kind, Kind::Rules { .. }) {
                let found = rules::pairs((old, new), (node, other), (here, there));
                self.columns.bits.extend(found.bits);
                self.columns.wide.extend(found.wide);
                let held = [guards_held(old, node), guards_held(new, other)];
                self.columns.bits.extend(pairs(&held[0], &held[1]));
                continue;
            }
            self.columns.bits.extend(pairs(&here.bits, &there.bits));
            self.columns.wide.extend(pairs(&here.wide, &there.wide));
            self.columns
                .narrow
                .extend(pairs(&here.narrow, &there.narrow));
        }
        for machine in &self.machines {
            let Columns { bits, wide, narrow } = &machine.columns;
            self.columns.bits.extend(bits);
            self.columns.wide.extend(wide);
            self.columns.narrow.extend(narrow);
        }
    }

    fn list_added(&mut self) {
        let mut taken = vec![false; self.names.new.nodes().len()];
        self.nodes
            .iter()
            .flatten()
            .for_each(|node| taken[node.index()] = true);
        for node in self.names.new.node_ids() {
            let parent = self.names.new.node(node).parent;
            if !taken[node.index()] && parent.is_none_or(|parent| taken[parent.index()]) {
                self.added.push(node);
            }
        }
    }

    /// The columns of values of type `any` that continue, in the new program.
    pub(crate) fn anys(&self) -> Vec<Column> {
        let is_kept = |column: &Column| match column {
            Column::Any { wide, .. } => self.columns.wide.iter().any(|(_, to)| to == wide),
            _ => false,
        };
        Shape::anys(&self.new.run).filter(is_kept).collect()
    }
}

/// The columns in which selectors keep whether the guard of a node held, each with the copy of the node's code.
fn guards_held(program: &Program, node: NodeId) -> Vec<(u32, u32)> {
    let watched = program.code.preempts.iter();
    let watched = watched.flat_map(|preempt| &preempt.children);
    let of_node = watched.filter(|child| child.node == node);
    let owner = |column: u32| program.owners.bits[column as usize];
    of_node
        .map(|child| (owner(child.held_last).copy, child.held_last))
        .collect()
}

/// Those at the same positions, if there are as many.
fn pairs(old: &[(u32, u32)], new: &[(u32, u32)]) -> Vec<(u32, u32)> {
    if old.len() != new.len() {
        return Vec::new();
    }
    old.iter()
        .zip(new)
        .map(|(old, new)| (old.1, new.1))
        .collect()
}
