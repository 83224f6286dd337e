//! Who lives, and how many agents are in a group.

use super::Reference;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use treemind_core::behaviour::Audience;
use treemind_core::{Expr, NodeId, Type, Value};

/// What an agent knows about the others, as it was when the tick began.
#[derive(Clone, Debug)]
pub(super) struct Census {
    /// The handles of all agents.
    pub(super) alive: Arc<BTreeSet<u64>>,
    /// How many agents are in its group.
    pub(super) members: i64,
}

impl Census {
    /// An agent that is alone.
    pub(super) fn of_one(handle: u64) -> Self {
        Self {
            alive: Arc::new(BTreeSet::from([handle])),
            members: 1,
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
}

/// The start of a tick, or of an abort: every agent sees who lives, and how many are in its group. The agents may run
/// different behaviours.
pub fn count_agents(agents: &mut [&mut Reference<'_>]) {
    let handles = agents.iter().map(|agent| agent.handle);
    let alive = Arc::new(handles.collect::<BTreeSet<u64>>());
    let mut members: HashMap<u32, i64> = HashMap::new();
    for agent in &*agents {
        *members.entry(agent.group).or_default() += 1;
    }
    for agent in agents {
        agent.census = Census {
            alive: Arc::clone(&alive),
            members: members[&agent.group],
        };
    }
}
