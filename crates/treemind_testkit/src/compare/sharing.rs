//! Data that references share with one another: groups, and the values of shared keys.

use crate::reference::{Age, Cell, Overflow, Reference, Staged};
use std::collections::HashMap;
use treemind_core::behaviour::Scope;
use treemind_core::{Behaviour, KeyId};

/// The group of each agent, and the values of groups and the world.
pub(super) struct Sharing<'b> {
    behaviour: &'b Behaviour,
    /// Per place.
    of_place: Vec<u32>,
    /// Per key and group; the world's values are stored as those of group 0.
    values: Vec<Vec<Cell>>,
    /// When these were written, and when they changed.
    ages: Vec<Vec<Age>>,
    groups: usize,
    /// Per key and group that was written since the start of the tick: its value then.
    starts: HashMap<(KeyId, usize), Cell>,
}

impl<'b> Sharing<'b> {
    /// All agents in group 0, all keys at their defaults.
    pub(super) fn new(behaviour: &'b Behaviour, places: usize) -> Self {
        Self {
            behaviour,
            of_place: vec![0; places],
            values: behaviour
                .keys()
                .iter()
                .map(|key| vec![Cell::start(key)])
                .collect(),
            ages: vec![vec![Age::of_new()]; behaviour.keys().len()],
            groups: 1,
            starts: HashMap::new(),
        }
    }

    /// The shared keys.
    fn keys(&self) -> impl Iterator<Item = KeyId> + use<'b> {
        let behaviour = self.behaviour;
        let keys = (0..behaviour.keys().len()).map(KeyId::new);
        keys.filter(|key| behaviour.key(*key).scope != Scope::Agent)
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn group(&self, key: KeyId, place: usize) -> usize {
        match self.behaviour.key(key).scope {
            Scope::Group => self.of_place[place] as usize,
            Scope::Agent | Scope::World => 0,
            other => treemind_core::unlisted(&other),
        }
    }

    pub(super) fn group_of(&self, place: usize) -> u32 {
        self.of_place[place]
    }

    /// Moves an agent to a group; it sees the group's values.
    pub(super) fn join(&mut self, place: usize, group: u32, reference: &mut Reference<'_>) {
        self.of_place[place] = group;
        reference.set_group(group);
        self.groups = self.groups.max(group as usize + 1);
        for key in self.keys() {
            let values = &mut self.values[key.index()];
            let default = Cell::start(self.behaviour.key(key));
            values.resize(self.groups, default);
            self.ages[key.index()].resize(self.groups, Age::of_new());
            let group = self.group(key, place);
            let value = self.values[key.index()][group].clone();
            reference.see(key, value, self.ages[key.index()][group].clone());
        }
    }

    /// The clock is about to leave `now_ns`.
    pub(super) fn end_period(&mut self, now_ns: u64) {
        let of_keys = self.ages.iter_mut().flatten();
        for (age, value) in of_keys.zip(self.values.iter().flatten()) {
            age.end_period(value, now_ns);
        }
    }

    /// Writes a shared key for an agent, and informs all agents that share it.
    pub(super) fn write<'r>(
        &mut self,
        key: KeyId,
        place: usize,
        cell: &Cell,
        references: impl Iterator<Item = (usize, &'r mut Reference<'b>)>,
    ) where
        'b: 'r,
    {
        let group = self.group(key, place);
        self.values[key.index()][group] = cell.clone();
        self.ages[key.index()][group].write();
        for (other, reference) in references {
            if self.group(key, other) == group {
                reference.write(key, cell.clone());
            }
        }
    }

    /// Begins to apply what agents have written.
    pub(super) fn begin(&mut self) {
        self.starts.clear();
    }

    /// Writes what an agent has written in a tick.
    pub(super) fn apply<'r>(
        &mut self,
        key: KeyId,
        place: usize,
        staged: &Staged,
        references: impl Iterator<Item = (usize, &'r mut Reference<'b>)>,
    ) -> Result<(), Overflow>
    where
        'b: 'r,
    {
        let group = self.group(key, place);
        let before = self.values[key.index()][group].clone();
        let start = self.starts.get(&(key, group));
        let (cell, overflow) = staged.over(&before, start, self.behaviour.key(key));
        self.starts.entry((key, group)).or_insert(before);
        if let Some(cell) = cell {
            self.write(key, place, &cell, references);
        }
        overflow
    }

    /// Every shared key with every group, and its value there.
    pub(super) fn all(&self) -> Vec<(KeyId, u32, Cell)> {
        let mut all = Vec::new();
        for key in self.keys() {
            for group in 0..self.groups {
                let of = match self.behaviour.key(key).scope {
                    Scope::World => 0,
                    _ => group,
                };
                all.push((key, group as u32, self.values[key.index()][of].clone()));
            }
        }
        all
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }
}
