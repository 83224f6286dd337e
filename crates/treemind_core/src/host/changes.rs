//! What leaves ask for that happens at the end of the tick: agents that change their group, leave or are born.

use crate::ids::{AgentId, NodeId};
use crate::text::Text;
use crate::value::Value;
use std::cmp::Reverse;

/// The most groups that there can be: their numbers are below this.
pub const MAX_GROUPS: u32 = 1 << 20;

/// The changes of a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    moves: Vec<GroupMove>,
    /// The agents that remove themselves.
    pub(crate) leaving: Vec<u32>,
    births: Vec<Birth>,
    /// The keys of births.
    given: Vec<(Text, Value)>,
}

/// An agent that changes its group.
#[derive(Clone, Copy, Debug)]
struct GroupMove {
    agent: u32,
    /// Its position among those of its agent.
    position: u32,
    group: u32,
}

/// An agent to be born.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    /// Who asked for it, and its node.
    pub(crate) parent: AgentId,
    pub(crate) node: NodeId,
    pub(crate) archetype: Text,
    position: usize,
    first_given: usize,
    given: usize,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.leaving.is_empty() && self.births.is_empty()
    }

    pub(crate) fn set_group(&mut self, agent: usize, group: u32) {
        self.moves.push(GroupMove {
            agent: agent as u32,
            position: self.moves.len() as u32,
            group,
        });
    }

    pub(crate) fn leave(&mut self, agent: usize) {
        self.leaving.push(agent as u32);
    }

    pub(crate) fn spawn(
        &mut self,
        (parent, node): (AgentId, NodeId),
        archetype: Text,
        given: impl Iterator<Item = (Text, Value)>,
    ) {
        let first_given = self.given.len();
        self.given.extend(given);
        self.births.push(Birth {
            parent,
            node,
            archetype,
            position: self.births.len(),
            first_given,
            given: self.given.len() - first_given,
        });
    }

    /// The agents that change their groups, each with the group that it asked for last, in their order.
    pub(crate) fn moves(&mut self) -> impl Iterator<Item = (usize, u32)> + '_ {
        // In place: the positions are increasing for each agent, so no memory is needed to find the last.
        self.moves
            .sort_unstable_by_key(|one| (one.agent, Reverse(one.position)));
        self.moves.dedup_by_key(|one| one.agent);
        self.moves
            .drain(..)
            .map(|one| (one.agent as usize, one.group))
    }

    /// The births, in the order of the parents, and of one parent in that in which it asked.
    pub(crate) fn births(&mut self) -> impl Iterator<Item = (&Birth, &[(Text, Value)])> {
        self.births
            .sort_unstable_by_key(|birth| (birth.parent, birth.position));
        let given = |birth: &Birth| &self.given[birth.first_given..][..birth.given];
        self.births.iter().map(move |birth| (birth, given(birth)))
    }

    pub(crate) fn has_births(&self) -> bool {
        !self.births.is_empty()
    }

    pub(crate) fn clear_births(&mut self) {
        self.births.clear();
        self.given.clear();
    }

    /// Moves the changes of another thread, for other agents, behind these.
    #[cfg(feature = "rayon")]
    pub(crate) fn append(&mut self, other: &mut Changes) {
        self.moves.append(&mut other.moves);
        self.leaving.append(&mut other.leaving);
        let before = self.given.len();
        self.given.append(&mut other.given);
        let births = other.births.drain(..).map(|birth| Birth {
            first_given: birth.first_given + before,
            ..birth
        });
        self.births.extend(births);
    }
}
