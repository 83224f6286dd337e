//! Treemind reads facts from columns of bits and writes requests to others; it calls no functions.

use super::DT;
use super::Taken;
use super::keys::Keys;
use super::{Shortcut, population};
use crate::case::{Case, Test};
use crate::contender::Contender;
use crate::facts::{Fact, Facts};
use std::sync::Arc;
use treemind::core::LeafId;
use treemind::core::host::{BitColumn, Columns};
use treemind::population::{Behaviour, Population, Program};

/// The ids of a case's leaves.
struct Leaves {
    conditions: Vec<(LeafId, Test)>,
    actions: Vec<LeafId>,
}

impl Leaves {
    fn of(case: Case, behaviour: &Behaviour) -> Self {
        let leaf = |name: &str| behaviour.leaf_id(name).expect("the document declares it");
        Self {
            conditions: case
                .conditions()
                .iter()
                .map(|(name, test)| (leaf(name), *test))
                .collect(),
            actions: case.actions().iter().map(|name| leaf(name)).collect(),
        }
    }

    /// Columns that hold everything that does not change.
    fn host(&self, case: Case, behaviour: &Behaviour, agents: usize) -> Columns {
        let mut host = Columns::new(behaviour, agents);
        for (leaf, test) in &self.conditions {
            if matches!(test, Test::Holds) {
                host.holds_mut(*leaf).words_mut().fill(u64::MAX);
            }
        }
        for (name, leaf) in case.actions().iter().zip(&self.actions) {
            if case.ends(name) {
                host.succeeded_mut(*leaf).words_mut().fill(u64::MAX);
            }
        }
        host
    }

    fn count(&self, host: &Columns, done: &mut [u64]) {
        for (sum, leaf) in done.iter_mut().zip(&self.actions) {
            *sum += host.running(*leaf).count() as u64;
        }
    }
}

fn fill(column: &mut BitColumn, facts: &[Fact], test: Test) {
    for (word, facts) in column.words_mut().iter_mut().zip(facts.chunks(64)) {
        let bits = facts.iter().enumerate();
        *word = bits.fold(0, |word, (bit, &fact)| {
            word | u64::from(test.holds(fact)) << bit
        });
    }
}

/// All agents on one thread.
pub(crate) struct ColumnHost {
    population: Population,
    host: Columns,
    leaves: Leaves,
    /// The facts of each tick as columns. The game passes them on by swapping them with those of the host.
    ready: Vec<Vec<BitColumn>>,
    agents: usize,
    /// With one agent, keys are written during the tick.
    keys: Option<Keys>,
    rows: Vec<Fact>,
    taken: Taken,
    done: Vec<u64>,
}

impl ColumnHost {
    pub(crate) fn new(case: Case, agents: usize, taken: Taken, without: Option<Shortcut>) -> Self {
        let behaviour = case.behaviour();
        let leaves = Leaves::of(case, &behaviour);
        Self {
            host: leaves.host(case, &behaviour, agents),
            done: vec![0; leaves.actions.len()],
            leaves,
            keys: Keys::of(case, &behaviour),
            population: population(behaviour, agents, without),
            ready: Vec::new(),
            agents,
            rows: Vec::new(),
            taken,
        }
    }
}

impl Contender for ColumnHost {
    fn get_ready(&mut self, facts: &Facts, ticks: usize) {
        let columns = vec![BitColumn::new(self.agents); self.leaves.conditions.len()];
        self.ready.resize(ticks.max(self.ready.len()), columns);
        let rows = facts.rows().chunks(self.agents);
        for (ready, row) in self.ready.iter_mut().zip(rows) {
            for (column, (_, test)) in ready.iter_mut().zip(&self.leaves.conditions) {
                match test {
                    Test::Holds => column.words_mut().fill(u64::MAX),
                    test => fill(column, row, *test),
                }
            }
        }
        if let Some(keys) = self.keys {
            if self.agents > 1 {
                keys.write(&mut self.population, facts.rows());
            }
            self.rows.clear();
            self.rows.extend_from_slice(facts.rows());
        }
    }

    #[inline]
    fn tick(&mut self, nth: usize) {
        for (column, (leaf, _)) in self.ready[nth].iter_mut().zip(&self.leaves.conditions) {
            std::mem::swap(self.host.holds_mut(*leaf), column);
        }
        if let Some(keys) = self.keys.filter(|_| self.agents == 1) {
            keys.write(&mut self.population, &self.rows[nth..=nth]);
        }
        self.host.clear();
        self.taken.tick(&mut self.population, &mut self.host);
    }

    fn done(&mut self) -> Vec<u64> {
        self.leaves.count(&self.host, &mut self.done);
        self.done.clone()
    }

    fn state_bytes(&self) -> usize {
        self.population.state_bytes()
    }

    fn most_ticks(&self) -> usize {
        match self.keys {
            Some(_) if self.agents > 1 => 1,
            // This many columns fit into the caches of a processor.
            _ => 1_000,
        }
    }
}

/// All agents on several threads, each with its own columns.
pub(crate) struct ColumnsOnThreads {
    population: Population,
    hosts: Vec<Columns>,
    leaves: Leaves,
    keys: Option<Keys>,
    done: Vec<u64>,
}

impl ColumnsOnThreads {
    pub(crate) fn new(case: Case, agents: usize, threads: usize) -> Self {
        let behaviour = case.behaviour();
        let leaves = Leaves::of(case, &behaviour);
        let hosts = (0..threads).map(|_| leaves.host(case, &behaviour, agents));
        Self {
            hosts: hosts.collect(),
            done: vec![0; leaves.actions.len()],
            leaves,
            keys: Keys::of(case, &behaviour),
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
        }
    }
}

impl Contender for ColumnsOnThreads {
    fn get_ready(&mut self, facts: &Facts, _: usize) {
        for host in &mut self.hosts {
            for (leaf, test) in &self.leaves.conditions {
                if !matches!(test, Test::Holds) {
                    fill(host.holds_mut(*leaf), facts.rows(), *test);
                }
            }
        }
        if let Some(keys) = self.keys {
            keys.write(&mut self.population, facts.rows());
        }
    }

    fn tick(&mut self, _: usize) {
        self.hosts.iter_mut().for_each(Columns::clear);
        self.population.tick_in_parallel(&mut self.hosts, DT);
    }

    fn done(&mut self) -> Vec<u64> {
        for host in &self.hosts {
            self.leaves.count(host, &mut self.done);
        }
        self.done.clone()
    }

    fn state_bytes(&self) -> usize {
        self.population.state_bytes()
    }

    fn most_ticks(&self) -> usize {
        1
    }
}
