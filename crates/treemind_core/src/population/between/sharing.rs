//! Groups, and the keys that agents share.

use crate::behaviour::Scope;
use crate::blackboard::{CellsMut, Held, ListMut, Shared, SlotForm, WrongType, no_value};
use crate::fault::FaultKind;
use crate::host::changes::MAX_GROUPS;
use crate::ids::KeyId;
use crate::lives::Change;
use crate::population::Population;
use crate::program::Program;
use crate::value::Value;
use std::sync::Arc;

impl Population {
    /// The group of an agent, 0 unless it was moved to another.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn group(&self, agent: usize) -> u32 {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        self.durable
            .shared
            .as_ref()
            .map_or(0, |shared| shared.group(agent))
    }

    /// Moves an agent to a group. Groups are numbered from 0 to [`MAX_GROUPS`] - 1. There are as many groups, with memory for the shared
    /// keys of each, as the largest number used so far requires. The keys of a new group are at their defaults. It
    /// does not count as a write that the agent now sees other values.
    ///
    /// # Panics
    /// When there is no such place or group.
    pub fn set_group(&mut self, agent: usize, group: u32) {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        assert!(group < MAX_GROUPS, "group {group} of {MAX_GROUPS}");
        self.touch();
        self.wake(agent);
        self.tell_watchers();
        if self.durable.lives.are_counted() && self.is_alive(agent) {
            self.durable
                .lives
                .note(Change::Move(self.group(agent), group));
        }
        let (board, keys) = (
            &self.durable.program.board,
            self.durable.program.behaviour.keys(),
        );
        let shared = self
            .durable
            .shared
            .get_or_insert_with(|| Box::new(Shared::new(board, keys)));
        shared.set_group((board, keys), agent, group);
    }

    /// How many groups there are, at least one.
    pub fn groups(&self) -> usize {
        self.durable
            .shared
            .as_ref()
            .map_or(1, |shared| shared.groups())
    }

    /// The value of a key of the world, or of a group; for a key of the world, `group` does not matter.
    ///
    /// # Panics
    /// When there is no such key or group, or the key is not shared; when the key is unset or a list (for these,
    /// [`find_shared`](Self::find_shared) returns `None`).
    pub fn shared(&self, key: KeyId, group: u32) -> Value {
        self.find_shared(key, group)
            .unwrap_or_else(|| no_value(self.durable.program.board.keys[key.index()]))
    }

    /// The value of a key of the world, or of a group; `None` when it is unset, or a list.
    ///
    /// # Panics
    /// When there is no such key or group, or the key is not shared.
    pub fn find_shared(&self, key: KeyId, group: u32) -> Option<Value> {
        let slot = self.durable.program.board.keys[key.index()];
        let lane = self.shared_lane(key, group);
        let shared = self.durable.shared.as_ref().expect("there is a shared key");
        shared.get(slot, lane)
    }

    /// Sets a key of the world, or of a group, at once; `int`s and `float`s widen to the type of the key.
    ///
    /// # Errors
    /// When the value is of another type.
    ///
    /// # Panics
    /// As [`shared`](Self::shared).
    pub fn set_shared(&mut self, key: KeyId, group: u32, value: Value) -> Result<(), WrongType> {
        self.touch();
        let lane = self.shared_lane(key, group);
        let board = &self.durable.program.board;
        let slot = board.keys[key.index()];
        let value = slot.fitted(value)?;
        let shared = self.durable.shared.as_mut().expect("there is a shared key");
        shared.set(board, slot, lane, Some(value));
        Ok(())
    }

    /// Removes at once the value of an optional key of the world or of a group, or all items of a list. Returns
    /// whether the key can be unset; other keys are not changed.
    ///
    /// # Panics
    /// As [`find_shared`](Self::find_shared).
    pub fn unset_shared(&mut self, key: KeyId, group: u32) -> bool {
        self.touch();
        let lane = self.shared_lane(key, group);
        let board = &self.durable.program.board;
        let slot = board.keys[key.index()];
        let can_be_unset = slot.form != SlotForm::One;
        if can_be_unset {
            let shared = self.durable.shared.as_mut().expect("there is a shared key");
            shared.set(board, slot, lane, None);
        }
        can_be_unset
    }

    /// The content of a key of the world or of a group, whatever its form.
    ///
    /// # Panics
    /// As [`find_shared`](Self::find_shared).
    pub fn shared_held(&self, key: KeyId, group: u32) -> Held<'_> {
        let slot = self.durable.program.board.keys[key.index()];
        let lane = self.shared_lane(key, group);
        let shared = self.durable.shared.as_ref().expect("there is a shared key");
        shared.held(slot, lane)
    }

    /// The items of a list of the world or of a group, for changes that take effect at once; `None` for keys that
    /// are not lists.
    ///
    /// # Panics
    /// As [`find_shared`](Self::find_shared).
    pub fn shared_list_mut(&mut self, key: KeyId, group: u32) -> Option<ListMut<'_>> {
        self.touch();
        let lane = self.shared_lane(key, group);
        let board = &self.durable.program.board;
        let slot = board.keys[key.index()];
        let shared = self.durable.shared.as_mut().expect("there is a shared key");
        (slot.bound() > 0).then(|| shared.list_mut(board, slot, lane))
    }

    fn shared_lane(&self, key: KeyId, group: u32) -> usize {
        let groups = self.groups();
        assert!((group as usize) < groups, "group {group} of {groups}");
        match self.durable.program.board.keys[key.index()].scope {
            Scope::Agent => panic!("every agent has key {} to itself", key.index()),
            Scope::Group => group as usize,
            Scope::World => 0,
        }
    }

    /// Moves a new agent to group 0.
    pub(in crate::population) fn leave_groups(&mut self, agent: usize) {
        if let Some(shared) = &mut self.durable.shared {
            let (board, keys) = (
                &self.durable.program.board,
                self.durable.program.behaviour.keys(),
            );
            shared.set_group((board, keys), agent, 0);
        }
    }

    /// Prepares for agents that read and write shared keys.
    #[inline]
    pub(in crate::population) fn begin_sharing(&mut self) {
        if let Some(shared) = &mut self.durable.shared {
            self.durable
                .outbox
                .staged
                .fit(&self.durable.program.board, shared);
            if self.durable.program.board.merges() {
                shared.begin_merging();
            }
            self.tell_watchers();
        }
    }

    /// Applies the agents' writes to shared keys.
    #[inline]
    pub(crate) fn apply_writes(&mut self) {
        let Some(shared) = &mut self.durable.shared else {
            return;
        };
        let all = std::iter::once(&mut self.durable.outbox.staged);
        #[cfg(feature = "rayon")]
        let all = all.chain(
            self.working
                .workers
                .iter_mut()
                .map(|one| &mut one.outbox.staged),
        );
        let mut has_drafts = false;
        for staged in all {
            staged.apply(&self.durable.program.board, shared);
            has_drafts |= std::mem::take(&mut staged.has_drafts);
        }
        if has_drafts {
            self.apply_drafts();
        }
    }

    /// Applies the agents' changes to shared lists and merged keys.
    #[inline(never)]
    fn apply_drafts(&mut self) {
        let Some(shared) = &mut self.durable.shared else {
            return;
        };
        let parts = &self.durable.parts;
        let Program {
            behaviour, board, ..
        } = &*self.durable.program;
        let faults = &mut self.durable.outbox.faults;
        let mut overflowed = |agent| {
            let at = (agent, behaviour.root());
            faults.record(behaviour, at, self.durable.tick, FaultKind::Overflow);
        };
        for (chunk, state) in self.state.iter_mut().enumerate() {
            let first = chunk * self.durable.size.lanes;
            let mut cells = CellsMut::new(&parts.board_layout, &mut state[parts.board..parts.run]);
            board.apply_drafts(&mut cells, (shared, first), &mut overflowed);
        }
    }

    /// Informs the nodes that look at shared keys which of them were written.
    pub(in crate::population) fn tell_watchers(&mut self) {
        let Some(mut shared) = self
            .durable
            .shared
            .take_if(|shared| shared.has_news_for_watchers())
        else {
            return;
        };
        let program = Arc::clone(&self.durable.program);
        let board = &program.board;
        let parts = &self.durable.parts;
        for chunk in 0..self.state.len() {
            let first = chunk * self.durable.size.lanes;
            let lanes = self.durable.size.lanes.min(self.durable.len - first);
            let state = &mut self.state[chunk][parts.board..parts.run];
            let mut cells = CellsMut::new(&parts.board_layout, state);
            for slot in board.shared.iter().map(|key| board.keys[key.index()]) {
                for &column in board.watchers(slot) {
                    let bits = cells.bits_mut(column);
                    for lane in (0..lanes).filter(|lane| shared.is_written(slot, first + lane)) {
                        bits[lane / 64] |= 1 << (lane % 64);
                    }
                }
            }
        }
        shared.watchers_are_informed();
        self.durable.shared = Some(shared);
    }
}
