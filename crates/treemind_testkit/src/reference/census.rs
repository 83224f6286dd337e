//! Who lives, and how many agents are in a group.

use super::{Cell, Reference};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use treemind_core::behaviour::{Audience, Form};
use treemind_core::{Expr, KeyId, NodeId, Type, Value};

/// What an agent knows about the others, as it was when the tick began.
#[derive(Clone, Debug)]
pub(super) struct Census {
    /// The handles of all agents.
    pub(super) alive: Arc<BTreeSet<u64>>,
    /// How many agents are in its group.
    pub(super) members: i64,
    /// The agents of its group, in order, with itself. Between ticks nobody sees them.
    mates: Option<Arc<BTreeSet<u64>>>,
}

impl Census {
    /// An agent that is alone.
    pub(super) fn of_one(handle: u64) -> Self {
        Self {
            alive: Arc::new(BTreeSet::from([handle])),
            members: 1,
            mates: Some(Arc::new(BTreeSet::from([handle]))),
        }
    }
}

impl Reference<'_> {
    /// The handle of the agent to which an event goes, or 0 if it goes to none in particular. `None` if the key is unset,
    /// which is a fault, or no such agent lives.
    pub(super) fn address(&mut self, node: NodeId, to: Option<Audience>) -> Option<u64> {
        let Some(Audience::Agent(key)) = to else {
            return Some(0);
        };
        match self.eval_at(node, &Expr::Key(key, Type::Entity))? {
            Value::Entity(agent) => self.census.alive.contains(&agent).then_some(agent),
            other => unreachable!("{other} is no entity"),
        }
    }

    /// A node asks about a key that lists the other agents of the group, as many as fit.
    pub(super) fn list_mates(&mut self, key: KeyId) {
        let Some(mates) = &self.census.mates else {
            return;
        };
        let Form::List { bound, .. } = self.behaviour.key(key).form else {
            unreachable!("behaviours are checked");
        };
        let others = mates.iter().filter(|other| **other != self.handle);
        let others = others.take(bound as usize);
        let others = Cell::List(others.map(|other| Value::Entity(*other)).collect());
        if self.keys.values()[key.index()] != others {
            self.keys.set(key, others);
        }
    }
}

/// The start of a tick: every agent sees who lives, and how many are in its group. The agents may run
/// different behaviours.
pub fn count_agents(agents: &mut [&mut Reference<'_>]) {
    let handles = agents.iter().map(|agent| agent.handle);
    let alive = Arc::new(handles.collect::<BTreeSet<u64>>());
    let mut groups: HashMap<u32, BTreeSet<u64>> = HashMap::new();
    for agent in &*agents {
        groups.entry(agent.group).or_default().insert(agent.handle);
    }
    let groups = groups
        .into_iter()
        .map(|(group, agents)| (group, Arc::new(agents)));
    let groups: HashMap<u32, Arc<BTreeSet<u64>>> = groups.collect();
    for agent in agents {
        let mates = &groups[&agent.group];
        agent.census = Census {
            alive: Arc::clone(&alive),
            members: mates.len() as i64,
            mates: Some(Arc::clone(mates)),
        };
    }
}

/// The same for an abort between ticks, in which no key lists the agents of a group anew.
pub fn count_agents_between_ticks(agents: &mut [&mut Reference<'_>]) {
    count_agents(agents);
    for agent in agents {
        agent.census.mates = None;
    }
}
