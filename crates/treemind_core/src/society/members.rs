//! Changing populations of a society between steps.

use super::Society;
use crate::blackboard::{Board, ListMut, WrongType};
use crate::fault::Faults;
use crate::host::{Host, Ticket};
use crate::ids::{AgentId, Dead, KeyId, LeafId};
use crate::population::{Late, Limits, Population, Sent, To};
use crate::snapshot::RestoreError;
use crate::trace::Trace;
use crate::value::Value;
use std::ops::Deref;

/// A population of a [`Society`], to be changed between steps: everything that a [`Population`] can do, except tick.
///
/// Each method does what the method of the population with its name does. What is shared changes for all populations
/// when this value is dropped.
#[derive(Debug)]
pub struct PopulationMut<'s> {
    society: &'s mut Society,
    index: usize,
}

impl Drop for PopulationMut<'_> {
    fn drop(&mut self) {
        self.society.pass_on(self.index);
        self.society.end_changes(false);
    }
}

impl Deref for PopulationMut<'_> {
    type Target = Population;

    fn deref(&self) -> &Population {
        let member = self.society.members[self.index].as_ref();
        &member.expect("it is a member").population
    }
}

impl<'s> PopulationMut<'s> {
    pub(super) fn new(society: &'s mut Society, index: usize) -> Self {
        Self { society, index }
    }

    fn population(&mut self) -> &mut Population {
        // What it does next sees what it has done before.
        self.society.count_changes();
        let member = self.society.members[self.index].as_mut();
        &mut member.expect("it is a member").population
    }

    /// See [`Population::set_limits`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.population().set_limits(limits);
    }

    /// See [`Population::spawn`].
    pub fn spawn(&mut self) -> AgentId {
        self.population().spawn()
    }

    /// See [`Population::spawn_many`].
    pub fn spawn_many(&mut self, agents: usize) -> Vec<AgentId> {
        self.population().spawn_many(agents)
    }

    /// See [`Population::spawn_as`].
    ///
    /// # Errors
    /// When a value is of another type than its key; then no agent is added.
    ///
    /// # Panics
    /// When there is no such key.
    pub fn spawn_as(&mut self, given: &[(KeyId, Value)]) -> Result<AgentId, WrongType> {
        self.population().spawn_as(given)
    }

    /// See [`Population::remove`].
    pub fn remove(&mut self, agent: usize, host: &mut dyn Host) {
        self.population().remove(agent, host);
    }

    /// See [`Population::remove_many`].
    pub fn remove_many(&mut self, agents: impl IntoIterator<Item = usize>, host: &mut dyn Host) {
        self.population().remove_many(agents, host);
    }

    /// See [`Population::take_out`].
    ///
    /// # Panics
    /// As [`Population::take_out`].
    pub fn take_out(&mut self, agents: &[usize]) -> Vec<u8> {
        self.population().take_out(agents)
    }

    /// See [`Population::take_out_with`].
    ///
    /// # Panics
    /// As [`Population::take_out_with`].
    pub fn take_out_with(&mut self, agents: &[usize], attached: &[u8]) -> Vec<u8> {
        self.population().take_out_with(agents, attached)
    }

    /// See [`Population::put_in`].
    ///
    /// # Errors
    /// As [`Population::put_in`].
    pub fn put_in(&mut self, agents: &[u8]) -> Result<Vec<AgentId>, RestoreError> {
        self.population().put_in(agents)
    }

    /// See [`Population::shrink`].
    pub fn shrink(&mut self) {
        self.population().shrink();
    }

    /// See [`Population::finish`].
    ///
    /// # Errors
    /// When the agent is dead, or the run is over.
    pub fn finish(&mut self, ticket: Ticket, success: bool) -> Result<(), Late> {
        self.population().finish(ticket, success)
    }

    /// See [`Population::name_archetype`].
    ///
    /// # Panics
    /// As [`Population::name_archetype`].
    pub fn name_archetype(&mut self, name: &str, given: &[(KeyId, Value)], interval: u32) {
        self.population().name_archetype(name, given, interval);
    }

    /// See [`Population::spawn_archetype`].
    ///
    /// # Panics
    /// As [`Population::spawn_archetype`].
    pub fn spawn_archetype(&mut self, name: &str, agents: usize) -> Option<Vec<AgentId>> {
        self.population().spawn_archetype(name, agents)
    }

    /// See [`Population::send`].
    ///
    /// # Panics
    /// As [`Population::send`].
    pub fn send(&mut self, agent: usize, event: LeafId, values: &[Value]) -> bool {
        self.population().send(agent, event, values)
    }

    /// See [`Population::send_to`]. [`Society::send`] sends to agents of all populations.
    ///
    /// # Errors
    /// When the agent no longer exists.
    ///
    /// # Panics
    /// As [`Population::send_to`].
    pub fn send_to(&mut self, to: To, event: LeafId, values: &[Value]) -> Result<Sent, Dead> {
        self.population().send_to(to, event, values)
    }

    /// See [`Population::set`].
    ///
    /// # Errors
    /// When the value is of another type, or the key is a list.
    ///
    /// # Panics
    /// When there is no such agent or key.
    pub fn set(&mut self, agent: usize, key: KeyId, value: Value) -> Result<(), WrongType> {
        self.population().set(agent, key, value)
    }

    /// See [`Population::board`].
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn board(&mut self, agent: usize) -> Board<'_> {
        self.population().board(agent)
    }

    /// See [`Population::for_each_board`].
    pub fn for_each_board(&mut self, each: impl FnMut(Board<'_>)) {
        self.population().for_each_board(each);
    }

    /// See [`Population::set_group`]. Groups are numbered for all populations of the society.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn set_group(&mut self, agent: usize, group: u32) {
        self.population().set_group(agent, group);
    }

    /// See [`Population::set_interval`].
    ///
    /// # Panics
    /// When there is no such agent, or `ticks` is 0.
    pub fn set_interval(&mut self, agent: usize, ticks: u32) {
        self.population().set_interval(agent, ticks);
    }

    /// See [`Population::set_shared`].
    ///
    /// # Errors
    /// When the value is of another type.
    ///
    /// # Panics
    /// As [`Population::shared`].
    pub fn set_shared(&mut self, key: KeyId, group: u32, value: Value) -> Result<(), WrongType> {
        self.population().set_shared(key, group, value)
    }

    /// See [`Population::unset_shared`].
    ///
    /// # Panics
    /// As [`Population::find_shared`].
    pub fn unset_shared(&mut self, key: KeyId, group: u32) -> bool {
        self.population().unset_shared(key, group)
    }

    /// See [`Population::shared_list_mut`].
    ///
    /// # Panics
    /// As [`Population::find_shared`].
    pub fn shared_list_mut(&mut self, key: KeyId, group: u32) -> Option<ListMut<'_>> {
        self.population().shared_list_mut(key, group)
    }

    /// See [`Population::abort`].
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort(&mut self, agent: usize, host: &mut dyn Host) {
        self.population().abort(agent, host);
    }

    /// See [`Population::abort_traced`].
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn abort_traced(&mut self, agent: usize, host: &mut dyn Host, trace: &mut Trace) {
        self.population().abort_traced(agent, host, trace);
    }

    /// See [`Population::abort_all`].
    pub fn abort_all(&mut self, host: &mut dyn Host) {
        self.population().abort_all(host);
    }

    /// See [`Population::abort_all_traced`].
    pub fn abort_all_traced(&mut self, host: &mut dyn Host, trace: &mut Trace) {
        self.population().abort_all_traced(host, trace);
    }

    /// See [`Population::take_faults`].
    pub fn take_faults(&mut self) -> Faults {
        self.population().take_faults()
    }
}
