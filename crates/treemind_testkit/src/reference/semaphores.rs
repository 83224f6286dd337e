//! `semaphore`: places of a resource that agents share, or that each agent has for itself.

use super::{Leaves, Reference};
use std::cmp::Reverse;
use std::collections::HashMap;
use treemind_core::behaviour::{Scope, Semaphore};
use treemind_core::{Expr, FaultKind, Kind, NodeId, SemaphoreId, Status, Value};

impl Reference<'_> {
    pub(super) fn visit_semaphore(
        &mut self,
        node: NodeId,
        (semaphore, waits, bid): (SemaphoreId, bool, Option<&Expr>),
        leaves: &mut dyn Leaves,
    ) -> Status {
        let behaviour = self.behaviour;
        let resource = &behaviour.semaphores()[semaphore.index()];
        let is_shared = resource.scope != Scope::Agent;
        if self.memory(node).has_place && self.memory(node).is_outbid {
            self.abort_node(behaviour.node(node).children[0], leaves);
            let memory = self.memory(node);
            (memory.has_place, memory.is_outbid) = (false, false);
            if !waits {
                return self.answer_alone(node, Status::Failure, leaves);
            }
        }
        if let Some(bid) = bid {
            let holders_bid = resource.bidding.is_some_and(|it| it.hysteresis.is_some());
            if holders_bid || !self.memory(node).has_place {
                let read = self.bid_at(node, bid);
                self.memory(node).bid = read;
            }
        }
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
            let memory = self.memory(node);
            (memory.has_place, memory.is_outbid) = (false, false);
        }
        answer
    }

    /// What a node bids now.
    fn bid_at(&mut self, node: NodeId, bid: &Expr) -> f64 {
        match self.eval_at(node, bid) {
            Some(Value::Double(bid)) if bid.is_finite() => bid.max(0.0),
            Some(_) => {
                self.fault(node, FaultKind::BadScore);
                0.0
            }
            None => 0.0,
        }
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

/// A node of an agent, by their places.
type Asker = (usize, NodeId);

/// The holders of the places of a pool that bid for them, in the order of agents and nodes.
fn bidding_holders(agents: &[&mut Reference<'_>], wanted: &Pool) -> Vec<Asker> {
    let mut found = Vec::new();
    for (place, agent) in agents.iter().enumerate() {
        for (index, resource) in agent.behaviour.semaphores().iter().enumerate() {
            if pool(agent, resource).as_ref() == Some(wanted) {
                let nodes = agent.nodes_of(SemaphoreId::new(index));
                let holding = nodes.filter(|node| agent.memories[node.index()].has_place);
                found.extend(holding.map(|node| (place, node)));
            }
        }
    }
    // Nodes were found semaphore by semaphore, and a behaviour has one with each name.
    found
}

/// One whose place will be free soon, for somebody who bids more: a marked holder whom `counted` does not have yet, or
/// the weakest holder that is marked now.
fn outbid(
    agents: &mut [&mut Reference<'_>],
    (pool, bid, hysteresis): (&Pool, f64, f64),
    counted: &[Asker],
) -> Option<Asker> {
    let holders = bidding_holders(agents, pool);
    let is_marked = |agents: &[&mut Reference<'_>], (place, node): Asker| {
        agents[place].memories[node.index()].is_outbid
    };
    let mut marked = holders.iter().filter(|one| is_marked(agents, **one));
    if let Some(marked) = marked.find(|one| !counted.contains(one)) {
        return Some(*marked);
    }
    let mut weakest: Option<(f64, Asker)> = None;
    for (place, node) in holders {
        let memory = &agents[place].memories[node.index()];
        let is_safe = agents[place].now() < memory.safe_until;
        // Of equal ones the last.
        if !memory.is_outbid && !is_safe && weakest.is_none_or(|(least, _)| memory.bid <= least) {
            weakest = Some((memory.bid, (place, node)));
        }
    }
    let (least, (place, node)) = weakest?;
    (bid > least + hysteresis).then(|| {
        agents[place].memory(node).is_outbid = true;
        (place, node)
    })
}

/// The end of a tick: agents that ask for places get them, as long as there are any, those that have asked longest
/// first, or those who bid most. The agents must be in the order of their populations and indices.
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
                    let turn = (Reverse(ticks), place, node);
                    waiting.push((turn, pool.clone(), resource));
                }
            }
        }
    }
    waiting.sort_by_key(|one| one.0);
    // Where the best bidder gets the place, the order so far decides among equal bids.
    waiting.sort_by(|one, other| {
        let bid =
            |((_, place, node), _, resource): &(Turn, Pool, &Semaphore)| match resource.bidding {
                Some(_) => agents[*place].memories[node.index()].bid,
                None => 0.0,
            };
        bid(other).total_cmp(&bid(one))
    });
    let mut counted = Vec::new();
    for ((_, place, node), pool, resource) in waiting {
        let bid = agents[place].memories[node.index()].bid;
        if resource.bidding.is_some() && bid <= 0.0 {
            continue;
        }
        let taken = taken.entry(pool.clone()).or_default();
        if *taken < resource.places {
            *taken += 1;
            let safe_until = agents[place].now() + safe_nanos(resource);
            let memory = agents[place].memory(node);
            (memory.asks, memory.has_place) = (false, true);
            (memory.is_outbid, memory.safe_until) = (false, safe_until);
        } else if let Some(hysteresis) = resource.bidding.and_then(|bidding| bidding.hysteresis)
            && *taken == resource.places
        {
            counted.extend(outbid(agents, (&pool, bid, hysteresis), &counted));
        }
    }
}

/// When somebody asked, who it is, and where it asks.
type Turn = (Reverse<u64>, usize, NodeId);

/// How long a holder is safe from losing its place.
fn safe_nanos(resource: &Semaphore) -> u128 {
    let secs = resource.bidding.map_or(0.0, |bidding| bidding.min_hold);
    (secs * 1e9).round() as u128
}
