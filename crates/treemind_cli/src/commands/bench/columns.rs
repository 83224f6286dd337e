//! The cases with a host of columns.

use super::Args;
use super::case::Case;
use super::facts::{DEAD, ExprKeys, Facts, LOW, SEE};
use super::report::{Measured, thread_time};
use crate::io::Failure;
use std::sync::Arc;
use std::time::Duration;
use treemind::behaviour::{Kind, StateIndex};
use treemind::host::Columns;
use treemind::{Behaviour, LeafId, NodeId, Population, Program};

/// How long a tick of the game is.
pub(super) const DT: Duration = Duration::from_millis(100);
/// So many agents are ticked at least between two looks at the clock.
pub(super) const BATCH: usize = 20_000;

/// Where the facts go: conditions or keys, and what the histogram counts.
pub(super) struct Places {
    pub(super) conditions: Option<[LeafId; 3]>,
    pub(super) keys: Option<ExprKeys>,
    counted: Option<Counted>,
}

/// What a histogram counts.
#[derive(Clone, Copy)]
enum Counted {
    Actions([LeafId; 3]),
    States(NodeId, [StateIndex; 3]),
}

impl Places {
    pub(super) fn of(case: Case, behaviour: &Behaviour) -> Self {
        let leaves = |names: [&str; 3]| {
            let [a, b, c] = names.map(|name| behaviour.leaf_id(name));
            Some([a?, b?, c?])
        };
        let states = |names: [&str; 3]| {
            let mut nodes = (0..).zip(behaviour.nodes());
            let (node, machine) = nodes.find_map(|(node, found)| match &found.kind {
                Kind::Machine(machine) => Some((NodeId::new(node), machine)),
                _ => None,
            })?;
            let place = |name| machine.states.iter().position(|state| state.name == name);
            let [a, b, c] = names.map(place);
            Some(Counted::States(node, [a?, b?, c?]))
        };
        Self {
            conditions: leaves(["see-enemy", "health-low", "enemy-dead"]),
            keys: ExprKeys::of(behaviour),
            counted: case.counted().and_then(|names| match case {
                Case::Machine => states(names),
                _ => leaves(names).map(Counted::Actions),
            }),
        }
    }

    /// Whether a tick is counted by what the population is in when it is over.
    pub(super) fn counts_states(&self) -> bool {
        matches!(self.counted, Some(Counted::States(..)))
    }

    /// Adds the states that agents are in.
    #[inline]
    pub(super) fn count_states(&self, histogram: &mut [u64; 3], population: &Population) {
        if let Some(Counted::States(node, states)) = self.counted {
            for (count, state) in histogram.iter_mut().zip(states) {
                *count += population.count_in(node, state) as u64;
            }
        }
    }

    /// Adds the actions that agents were to carry out.
    #[inline]
    pub(super) fn count_actions(&self, histogram: &mut [u64; 3], host: &Columns) {
        if let Some(Counted::Actions(actions)) = self.counted {
            for (count, action) in histogram.iter_mut().zip(actions) {
                *count += host.running(action).count() as u64;
            }
        }
    }
}

pub(super) fn default_ticks(args: &Args) -> u64 {
    let agents = u64::from(args.agents);
    let enough = if agents == 1 {
        100_000
    } else {
        (200_000_000 / agents).clamp(50, 20_000)
    };
    args.ticks.map_or(enough, u64::from)
}

pub(super) fn measure(args: &Args) -> Result<Measured, Failure> {
    let agents = args.agents as usize;
    let behaviour = args.case.behaviour();
    let places = Places::of(args.case, &behaviour);
    let program = Arc::new(Program::new(behaviour.clone()));
    let mut population = Population::new(Arc::clone(&program), agents);
    let mut facts = Facts::new(agents);
    let mut drawn = vec![0; agents];
    // One set of columns per tick of a batch, so that filling them is not part of the time.
    let batch = if agents == 1 {
        1
    } else {
        (BATCH / agents).max(1)
    };
    let batch = if places.keys.is_some() { 1 } else { batch };
    let mut hosts: Vec<Columns> = (0..batch)
        .map(|_| Columns::new(&behaviour, agents))
        .collect();
    for host in &mut hosts {
        args.case.hold_all(&behaviour, host);
    }
    let ticks = default_ticks(args);
    let mut measured = Measured::of(args, &program);
    let single = agents == 1;
    let per_batch = if single {
        BATCH as u64 / 20
    } else {
        batch as u64
    };
    while measured.ticks < ticks {
        let now = per_batch.min(ticks - measured.ticks);
        let first = measured.ticks == 0;
        let mut fill = |hosts: &mut [Columns], population: &mut Population, first: bool| {
            if !args.case.has_facts() || (args.steady && !first) {
                return;
            }
            for (index, host) in hosts.iter_mut().enumerate() {
                let keep = args.steady && index > 0;
                fill(host, population, &places, &mut facts, &mut drawn, keep);
            }
        };
        if single {
            let [host] = hosts.as_mut_slice() else {
                unreachable!("one agent has one host")
            };
            let mut histogram = [0; 3];
            let begin = thread_time();
            let count = allocation_counter::measure(|| {
                for tick in 0..now {
                    fill(
                        std::slice::from_mut(host),
                        &mut population,
                        first && tick == 0,
                    );
                    host.clear();
                    population.tick(host, DT);
                    places.count_actions(&mut histogram, host);
                    places.count_states(&mut histogram, &population);
                }
            });
            measured.batch(thread_time() - begin, now, agents, count.count_total);
            add(&mut measured.histogram, histogram);
        } else {
            let hosts = &mut hosts[..now as usize];
            fill(hosts, &mut population, first);
            for host in hosts.iter_mut() {
                host.clear();
            }
            let begin = thread_time();
            let mut histogram = [0; 3];
            let count = allocation_counter::measure(|| {
                for host in hosts.iter_mut() {
                    population.tick(host, DT);
                    places.count_states(&mut histogram, &population);
                }
            });
            measured.batch(thread_time() - begin, now, agents, count.count_total);
            for host in hosts.iter() {
                places.count_actions(&mut histogram, host);
            }
            add(&mut measured.histogram, histogram);
        }
    }
    Ok(measured.weigh(&population))
}

pub(super) fn fill(
    host: &mut Columns,
    population: &mut Population,
    places: &Places,
    facts: &mut Facts,
    drawn: &mut [u8],
    keep: bool,
) {
    if !keep {
        for (agent, bits) in drawn.iter_mut().enumerate() {
            *bits = facts.draw(agent);
        }
    }
    if let Some(keys) = places.keys {
        keys.write(population, drawn);
    }
    for (leaf, fact) in places
        .conditions
        .into_iter()
        .flatten()
        .zip([SEE, LOW, DEAD])
    {
        let words = host.holds_mut(leaf).words_mut();
        for (word, bits) in words.iter_mut().zip(drawn.chunks(64)) {
            *word = 0;
            for (bit, bits) in bits.iter().enumerate() {
                *word |= u64::from(bits & fact != 0) << bit;
            }
        }
    }
}

pub(super) fn add(to: &mut Option<[u64; 3]>, histogram: [u64; 3]) {
    if let Some(to) = to {
        for (to, count) in to.iter_mut().zip(histogram) {
            *to += count;
        }
    }
}
