//! Who lives and how many agents each group has, in all populations of a society or in one that is in none.

use crate::ids::AgentId;

/// Kept up at births, deaths and changes of group, and only where a program asks. It does not change within a tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    /// Per population and index, the generation of the agent that lives there; 0 is nobody.
    lives: Vec<Vec<u32>>,
    /// Per group, how many agents it has.
    members: Vec<u32>,
    /// How many changes it has counted.
    changes: u64,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// This agent was born, or counted for the first time, in this group.
    Birth(AgentId, u32),
    /// This agent of this group has died.
    Death(AgentId, u32),
    /// An agent of the first group is now in the second.
    Move(u32, u32),
}

impl Census {
    pub(crate) fn apply(&mut self, change: Change) {
        self.changes += 1;
        match change {
            Change::Birth(agent, group) => {
                *self.life_mut(agent) = agent.generation();
                *self.members_mut(group) += 1;
            }
            Change::Death(agent, group) => {
                *self.life_mut(agent) = 0;
                *self.members_mut(group) -= 1;
            }
            Change::Move(from, to) => {
                *self.members_mut(from) -= 1;
                *self.members_mut(to) += 1;
            }
        }
    }

    /// Whether the agent with this handle lives.
    pub(crate) fn is_alive(&self, agent: u64) -> bool {
        AgentId::from_bits(agent).is_some_and(|agent| {
            let lives = self.lives.get(agent.population().index());
            let generation = lives.and_then(|lives| lives.get(agent.index()));
            agent.generation() > 0 && generation == Some(&agent.generation())
        })
    }

    /// How many agents a group has.
    pub(crate) fn members(&self, group: u32) -> u32 {
        self.members.get(group as usize).copied().unwrap_or(0)
    }

    /// How many changes it has counted.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) fn bytes(&self) -> usize {
        let lives = self.lives.iter().map(Vec::capacity);
        (lives.sum::<usize>() + self.members.capacity()) * 4
    }

    fn life_mut(&mut self, agent: AgentId) -> &mut u32 {
        let population = at(&mut self.lives, agent.population().index());
        at(population, agent.index())
    }

    fn members_mut(&mut self, group: u32) -> &mut u32 {
        at(&mut self.members, group as usize)
    }
}

/// An entry of a list, which grows if it is too short.
fn at<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}
