//! Which agents are in which group, in all populations of a society or in one that is in none.

use crate::ids::AgentId;

/// The agents of each group, in the order of their populations and indices. It is written when a tick begins, if
/// anybody was born, has died or has changed the group since it was last written, and does not change within the tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    /// Per group, where its agents end in the list; they begin where those of the group before it end.
    ends: Vec<u32>,
    /// The handles.
    agents: Vec<u64>,
    /// How many changes had been counted when it was written.
    changes: u64,
}

impl Roster {
    /// Whether nothing has changed since it was written.
    pub(crate) fn is_as_of(&self, changes: u64) -> bool {
        self.changes == changes
    }

    /// Writes it anew: all agents that live, in order, with their groups.
    pub(crate) fn write(
        &mut self,
        changes: u64,
        living: impl Iterator<Item = (AgentId, u32)> + Clone,
    ) {
        self.changes = changes;
        self.ends.clear();
        for (_, group) in living.clone() {
            let group = group as usize;
            if self.ends.len() <= group {
                self.ends.resize(group + 1, 0);
            }
            self.ends[group] += 1;
        }
        let mut all = 0;
        for end in &mut self.ends {
            // So far the number of its agents; for now, where they begin.
            all += std::mem::replace(end, all);
        }
        self.agents.clear();
        self.agents.resize(all as usize, 0);
        for (agent, group) in living {
            let place = &mut self.ends[group as usize];
            self.agents[*place as usize] = agent.to_bits();
            *place += 1;
        }
    }

    /// The agents of a group.
    pub(crate) fn group(&self, group: u32) -> &[u64] {
        let end_of = |group: usize| {
            self.ends
                .get(group)
                .map_or(self.agents.len(), |end| *end as usize)
        };
        let group = group as usize;
        let start = if group == 0 { 0 } else { end_of(group - 1) };
        &self.agents[start..end_of(group)]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ends.capacity() * 4 + self.agents.capacity() * 8
    }
}
