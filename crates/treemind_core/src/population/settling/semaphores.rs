//! Semaphores that agents share: at the end of a tick, places go to the agents that have waited longest, or to the best
//! bidders.

use crate::behaviour::{Bidding, Scope};
use crate::blackboard::{Cells, CellsMut};
use crate::ids::{NodeId, SemaphoreId};
use crate::population::Population;
use crate::time::nanos_of_secs;
use std::cmp::Reverse;
use std::sync::Arc;

/// A place of a shared semaphore that an agent holds at one of its nodes, or asks for there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The agent.
    pub agent: usize,
    /// Its node.
    pub node: NodeId,
    /// Whether it holds the place; otherwise it asks for one.
    pub is_held: bool,
    /// For how many ticks of its population it has been asking.
    pub asks_for_ticks: u64,
    /// What it bids, if places go to the best bidder.
    pub bid: Option<f64>,
    /// Whether it has to give the place back for a higher bid.
    pub is_outbid: bool,
    /// Whether `min-hold` keeps the place for it.
    pub is_safe: bool,
}

/// An agent that asks for a place. Places are given in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiting {
    /// The bits of what it bids; 0 where places do not go to the best bidder.
    bid: Reverse<u64>,
    /// How many ticks of its population it has been asking.
    ticks: Reverse<u32>,
    /// Its population among those that share the semaphore.
    pub(crate) population: u32,
    agent: u32,
    /// Its node among those with that semaphore, in document order.
    nth: u32,
    group: u32,
}

/// An agent that can lose its place to a higher bid. In each group, places are lost in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Holder {
    group: u32,
    /// The bits of what it bids.
    bid: u64,
    pub(crate) population: Reverse<u32>,
    agent: Reverse<u32>,
    /// Its node among those with that semaphore, in document order.
    nth: Reverse<u32>,
}

/// What becomes of an agent when places are given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn<'l> {
    /// It is given a place.
    Admitted(&'l Waiting),
    /// It has to give its place back when it is reached.
    Outbid(&'l Holder),
}

/// The agents that hold or ask for places of a semaphore. It is kept from tick to tick, so that a tick does not
/// have to allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// By group.
    pub(crate) taken: Vec<u32>,
    /// By group: how many holders have to give their places back.
    leaving: Vec<u32>,
    /// By group: how many holders of the list have been outbid by now.
    outbid: Vec<u32>,
    waiting: Vec<Waiting>,
    holders: Vec<Holder>,
}

impl Line {
    /// Starts without holders and without waiting agents.
    pub(crate) fn begin(&mut self, groups: usize) {
        for by_group in [&mut self.taken, &mut self.leaving, &mut self.outbid] {
            by_group.clear();
            by_group.resize(groups, 0);
        }
        self.waiting.clear();
        self.holders.clear();
    }

    /// Gives out the free places of all groups; each group has `places` of them. Those who bid more than the weakest
    /// holders, by more than the hysteresis, get their places as soon as these have given them back.
    pub(crate) fn give(
        &mut self,
        places: u32,
        bidding: Option<Bidding>,
        mut turn: impl FnMut(Turn<'_>),
    ) {
        self.waiting.sort_unstable();
        self.holders.sort_unstable();
        for waiting in &self.waiting {
            let group = waiting.group as usize;
            let taken = &mut self.taken[group];
            if *taken < places {
                *taken += 1;
                turn(Turn::Admitted(waiting));
                continue;
            }
            let Some(least) = bidding.and_then(|bidding| bidding.hysteresis) else {
                continue;
            };
            // Agents that have changed their group may have brought more places than there are.
            if *taken > places {
                continue;
            }
            if self.leaving[group] > 0 {
                self.leaving[group] -= 1;
                continue;
            }
            let first = self
                .holders
                .partition_point(|one| one.group < waiting.group);
            let weakest = first + self.outbid[group] as usize;
            let weakest = self.holders.get(weakest);
            if let Some(weakest) = weakest.filter(|one| one.group == waiting.group)
                && f64::from_bits(waiting.bid.0) > f64::from_bits(weakest.bid) + least
            {
                self.outbid[group] += 1;
                turn(Turn::Outbid(weakest));
            }
        }
    }
}

impl Population {
    /// Counts the taken places of shared semaphores, if an expression may ask for them. Most programs have no
    /// semaphores.
    #[inline(always)]
    pub(in crate::population) fn count_places(&mut self) {
        if self.durable.program.asks_places {
            self.count_shared_places();
        }
    }

    /// Gives free places to the agents that ask for one.
    #[inline(always)]
    pub(in crate::population) fn give_places(&mut self) {
        if !self.durable.program.code.shared_semaphores.is_empty() {
            self.give_shared_places();
        }
    }

    #[cold]
    fn count_shared_places(&mut self) {
        let mut line = std::mem::take(&mut self.working.line);
        for index in 0..self.durable.program.behaviour.semaphores().len() {
            line.begin(self.groups());
            self.count_holders(index, 0, &mut line);
            self.show_taken_places(index, &line);
        }
        self.working.line = line;
    }

    /// Sets the places of a semaphore that expressions see as taken in the next tick.
    pub(crate) fn show_taken_places(&mut self, index: usize, line: &Line) {
        let semaphores = self.durable.program.behaviour.semaphores().len();
        // A tick must not allocate: the number of groups is the same as last time, unless the game has added some.
        self.durable
            .taken_places
            .resize(self.groups() * semaphores, 0);
        for (group, taken) in line.taken.iter().enumerate() {
            self.durable.taken_places[group * semaphores + index] = *taken;
        }
    }

    #[cold]
    fn give_shared_places(&mut self) {
        let program = Arc::clone(&self.durable.program);
        let mut line = std::mem::take(&mut self.working.line);
        for (index, semaphore) in program.behaviour.semaphores().iter().enumerate() {
            line.begin(self.groups());
            self.count_holders(index, 0, &mut line);
            self.stand_in_line(index, 0, &mut line);
            line.give(semaphore.places, semaphore.bidding, |turn| {
                self.take_turn(index, turn);
            });
        }
        self.working.line = line;
    }

    /// The places of a shared semaphore that agents hold or ask for, in the order of the agents, and within an agent in
    /// document order. The own semaphores of agents have nobody to wait for, and this is empty.
    ///
    /// # Panics
    /// When there is no such semaphore.
    pub fn places(&self, semaphore: SemaphoreId) -> Vec<Place> {
        assert!(semaphore.index() < self.durable.program.behaviour.semaphores().len());
        let mut places = Vec::new();
        let code = &self.durable.program.code;
        for op in code.shared_semaphores_of(semaphore.index()) {
            for agent in 0..self.durable.len {
                let is_held = self.has_slot(agent, op.held);
                if !is_held && !self.has_slot(agent, op.asking) {
                    continue;
                }
                let number = |column| self.run_number(column, agent);
                let asks = |since: u64| self.durable.tick.wrapping_sub(since);
                places.push(Place {
                    agent,
                    node: op.around.node,
                    is_held,
                    asks_for_ticks: if is_held { 0 } else { asks(number(op.since)) },
                    bid: op
                        .auction
                        .map(|auction| f64::from_bits(number(auction.bid))),
                    is_outbid: is_held
                        && (op.auction).is_some_and(|one| self.has_slot(agent, one.outbid)),
                    is_safe: is_held
                        && (op.auction)
                            .is_some_and(|one| number(one.safe_until) > self.durable.now_ns),
                });
            }
        }
        places.sort_by_key(|place| place.agent);
        places
    }

    /// Counts the agents that hold a place of a semaphore, if it is shared, and lists those that can lose it.
    pub(crate) fn count_holders(&mut self, index: usize, population: u32, line: &mut Line) {
        let program = Arc::clone(&self.durable.program);
        let scope = program.behaviour.semaphores()[index].scope;
        for (nth, op) in program.code.shared_semaphores_of(index).enumerate() {
            let auction = op.auction.filter(|auction| auction.holders_bid);
            if auction.is_some() {
                let most = self.durable.len * program.code.shared_semaphores_of(index).count();
                line.holders.reserve(most);
            }
            self.for_each_in_slot(op.held, |all, agent| {
                let group = all.sharing_group(scope, agent);
                line.taken[group] += 1;
                let Some(auction) = auction else { return };
                if all.has_slot(agent, auction.outbid) {
                    line.leaving[group] += 1;
                } else if all.run_number(auction.safe_until, agent) <= all.durable.now_ns {
                    line.holders.push(Holder {
                        group: group as u32,
                        bid: all.run_number(auction.bid, agent),
                        population: Reverse(population),
                        agent: Reverse(agent as u32),
                        nth: Reverse(nth as u32),
                    });
                }
            });
        }
    }

    /// Adds the agents that ask for a place of a semaphore, if it is shared and they may get one now or soon.
    pub(crate) fn stand_in_line(&mut self, index: usize, population: u32, line: &mut Line) {
        let program = Arc::clone(&self.durable.program);
        let semaphore = &program.behaviour.semaphores()[index];
        let most = self.durable.len * program.code.shared_semaphores_of(index).count();
        line.waiting.reserve(most);
        for (nth, op) in program.code.shared_semaphores_of(index).enumerate() {
            self.for_each_in_slot(op.asking, |asked, agent| {
                let group = asked.sharing_group(semaphore.scope, agent);
                let bid = op
                    .auction
                    .map_or(0, |auction| asked.run_number(auction.bid, agent));
                let has_a_chance = match semaphore.bidding {
                    Some(_) => bid > 0,
                    None => line.taken[group] < semaphore.places,
                };
                if has_a_chance {
                    let ticks = asked
                        .durable
                        .tick
                        .wrapping_sub(asked.run_number(op.since, agent));
                    line.waiting.push(Waiting {
                        bid: Reverse(bid),
                        ticks: Reverse(ticks.try_into().unwrap_or(u32::MAX)),
                        population,
                        agent: agent as u32,
                        nth: nth as u32,
                        group: group as u32,
                    });
                }
            });
        }
    }

    pub(crate) fn take_turn(&mut self, index: usize, turn: Turn<'_>) {
        match turn {
            Turn::Admitted(waiting) => self.admit(index, waiting),
            Turn::Outbid(holder) => {
                let program = Arc::clone(&self.durable.program);
                let mut ops = program.code.shared_semaphores_of(index);
                let op = ops.nth(holder.nth.0 as usize).expect("it holds one there");
                let auction = op.auction.expect("holders bid there");
                let agent = holder.agent.0 as usize;
                *self.slot_word(auction.outbid, agent / 64) |= 1 << (agent % 64);
                self.use_slot(auction.outbid, agent / 64);
            }
        }
    }

    /// Gives an agent the place that it asks for.
    fn admit(&mut self, index: usize, waiting: &Waiting) {
        let program = Arc::clone(&self.durable.program);
        let mut ops = program.code.shared_semaphores_of(index);
        let op = ops.nth(waiting.nth as usize).expect("it has asked there");
        let agent = waiting.agent as usize;
        let (word, bit) = (agent / 64, 1 << (agent % 64));
        *self.slot_word(op.asking, word) &= !bit;
        *self.slot_word(op.held, word) |= bit;
        self.use_slot(op.held, word);
        if let Some(auction) = op.auction {
            let bidding = program.behaviour.semaphores()[index].bidding;
            let secs = bidding.map_or(0.0, |bidding| bidding.min_hold);
            let least = nanos_of_secs(secs).unwrap_or(0);
            let until = self.durable.now_ns.saturating_add(least);
            self.set_run_number(auction.safe_until, agent, until);
        }
    }

    /// The value of an agent in a wide column of the nodes' state.
    fn run_number(&self, column: u32, agent: usize) -> u64 {
        let (chunk, lane) = self.place(agent);
        let cells = &self.chunk(chunk)[self.durable.parts.run..self.durable.parts.end];
        Cells::new(&self.durable.parts.run_layout, cells).wide(column)[lane]
    }

    /// Sets the value of an agent in a wide column of the nodes' state.
    fn set_run_number(&mut self, column: u32, agent: usize, number: u64) {
        let (chunk, lane) = self.place(agent);
        let (run, end) = (self.durable.parts.run, self.durable.parts.end);
        let layout = self.durable.parts.run_layout;
        let cells = &mut self.chunk_mut(chunk)[run..end];
        CellsMut::new(&layout, cells).wide_mut(column)[lane] = number;
    }

    /// The index of the agent's group among those that share something of this scope.
    fn sharing_group(&self, scope: Scope, agent: usize) -> usize {
        match scope {
            Scope::Group => self.group(agent) as usize,
            Scope::Agent | Scope::World => 0,
        }
    }

    pub(in crate::population) fn for_each_in_slot(
        &mut self,
        slot: u32,
        mut each: impl FnMut(&mut Self, usize),
    ) {
        for word in 0..self.durable.len.div_ceil(64) {
            let mut rest = *self.slot_word(slot, word);
            while rest != 0 {
                each(self, word * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// The bits of a slot of 64 agents.
    fn slot_word(&mut self, slot: u32, word: usize) -> &mut u64 {
        let words = self.durable.size.words;
        let state = self.chunk_mut(word / words);
        &mut state[slot as usize * words + word % words]
    }

    /// Records that a slot may have a bit set.
    fn use_slot(&mut self, slot: u32, word: usize) {
        let used = self.durable.parts.used;
        let words = self.durable.size.words;
        self.chunk_mut(word / words)[used + slot as usize / 64] |= 1 << (slot % 64);
    }
}
