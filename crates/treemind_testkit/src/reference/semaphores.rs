//! `semaphore`: places of a resource that agents share, or that each agent has for itself.

use super::{Leaves, Reference};
use std::cmp::Reverse;
use std::collections::HashMap;
use treemind_core::behaviour::{Scope, Semaphore};
use treemind_core::{Kind, NodeId, SemaphoreId, Status};

impl Reference<'_> {
    pub(super) fn visit_semaphore(
        &mut self,
        node: NodeId,
        semaphore: SemaphoreId,
        waits: bool,
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let resource = &behaviour.semaphores()[semaphore.index()];
        let is_shared = resource.scope != Scope::Agent;
        if !self.memory(node).has_place {
            let is_free = !is_shared && self.taken(semaphore) < resource.places;
            let is_first_wish = !self.memory(node).asks;
            if is_first_wish {
                self.memory(node).asks_since = self.tick;
            }
            let memory = self.memory(node);
            memory.has_place = is_free;
            memory.asks = !is_free && (waits || is_shared && is_first_wish);
            if !is_free {
                let answer = if memory.asks {
                    Status::Running
                } else {
                    Status::Failure
                };
                return self.answer_alone(node, answer, leaves);
            }
        }
        let child = behaviour.node(node).children[0];
        let answer = self.visit(child, leaves);
        let is_over = answer.is_end() || answer == Status::Skipped && !self.is_open(child, true);
        if is_over {
            self.memory(node).has_place = false;
        }
        answer
    }

    /// How many places of a semaphore this agent has.
    fn taken(&self, semaphore: SemaphoreId) -> u32 {
        let nodes = self.nodes_of(semaphore);
        nodes
            .filter(|node| self.memories[node.index()].has_place)
            .count() as u32
    }

    /// How many places of a semaphore are free, as expressions see it.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn free(&self, semaphore: SemaphoreId) -> i64 {
        let resource = &self.behaviour.semaphores()[semaphore.index()];
        let taken = match resource.scope {
            Scope::Agent => self.taken(semaphore),
            Scope::Group | Scope::World => {
                let at_start = self.taken_at_start.get(semaphore.index());
                at_start.copied().unwrap_or(0)
            }
            _ => treemind_core::unlisted(&resource.scope),
        };
        i64::from(resource.places) - i64::from(taken)
    }

    /// The nodes of a semaphore, in document order.
    fn nodes_of(&self, semaphore: SemaphoreId) -> impl Iterator<Item = NodeId> + use<'_> {
        let behaviour = self.behaviour;
        behaviour.node_ids().filter(move |node| {
            matches!(&behaviour.node(*node).kind, Kind::Semaphore { semaphore: of, .. } if *of == semaphore)
        })
    }

    /// Sets the group whose semaphores it shares; 0 at the beginning.
    pub fn set_group(&mut self, group: u32) {
        self.group = group;
    }
}

/// What agents share a semaphore with: its name, and their group if each group has places of its own.
type Pool = (String, Option<u32>);

/// The pool of an agent's semaphore; `None` if it is the agent's own.
#[warn(clippy::wildcard_enum_match_arm)]
fn pool(agent: &Reference<'_>, resource: &Semaphore) -> Option<Pool> {
    let group = match resource.scope {
        Scope::Agent => return None,
        Scope::Group => Some(agent.group),
        Scope::World => None,
        _ => treemind_core::unlisted(&resource.scope),
    };
    Some((resource.name.clone(), group))
}

/// How many places of each pool are taken.
fn taken_places(agents: &[&mut Reference<'_>]) -> HashMap<Pool, u32> {
    let mut taken: HashMap<Pool, u32> = HashMap::new();
    for agent in agents {
        for (index, resource) in agent.behaviour.semaphores().iter().enumerate() {
            if let Some(pool) = pool(agent, resource) {
                *taken.entry(pool).or_default() += agent.taken(SemaphoreId::new(index));
            }
        }
    }
    taken
}

/// The start of a tick: every agent sees how many places of its shared semaphores are taken. The agents may run
/// different behaviours.
pub fn count_places(agents: &mut [&mut Reference<'_>]) {
    let taken = taken_places(agents);
    for agent in agents {
        let of = |resource| pool(agent, resource).map_or(0, |pool| taken[&pool]);
        agent.taken_at_start = agent.behaviour.semaphores().iter().map(of).collect();
    }
}

/// The end of a tick: agents that ask for places get them, as long as there are any, those that have asked longest
/// first. The agents must be in the order of their populations and indices.
pub fn hand_out(agents: &mut [&mut Reference<'_>]) {
    let mut taken = taken_places(agents);
    // The agent that has asked longest comes first; among equals, the order of agents, and of the nodes of one agent,
    // decides.
    let mut waiting = Vec::new();
    for (place, agent) in agents.iter_mut().enumerate() {
        for (index, resource) in agent.behaviour.semaphores().iter().enumerate() {
            let Some(pool) = pool(agent, resource) else {
                continue;
            };
            let nodes: Vec<NodeId> = agent.nodes_of(SemaphoreId::new(index)).collect();
            for node in nodes {
                if agent.memory(node).asks {
                    let ticks = agent.tick - agent.memory(node).asks_since;
                    waiting.push((Reverse(ticks), place, node, pool.clone(), resource.places));
                }
            }
        }
    }
    waiting.sort();
    for (_, place, node, pool, places) in waiting {
        let taken = taken.entry(pool).or_default();
        if *taken < places {
            *taken += 1;
            let memory = agents[place].memory(node);
            (memory.asks, memory.has_place) = (false, true);
        }
    }
}
