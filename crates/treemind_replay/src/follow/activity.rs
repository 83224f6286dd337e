//! What everybody does: for each node, who runs it, and what it answered in the last tick.

use super::troupe::{Agents, Tick};
use crate::view::protocol::LineCounts;
use std::collections::BTreeMap;
use treemind_core::trace::{Event, Record};
use treemind_core::{Behaviour, Kind, NodeId, Outcome, Population, PopulationId, Status};
use treemind_doc::{About, outline_lines};

/// A bit for each agent.
type Bits = Vec<u64>;

/// What everybody does.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// By the numbers of the populations.
    populations: BTreeMap<u16, Doing>,
}

/// What the agents of a population do.
#[derive(Clone, Debug, Default)]
struct Doing {
    /// For each node, who answered running when it was ticked last.
    said: Vec<Bits>,
    /// For each node, in whom it goes on.
    runs: Vec<Bits>,
    /// For each node, how many answered success, failure and were aborted in the last tick.
    answers: Vec<[u32; 3]>,
    /// How often each transition was taken and each way of a test was gone in the last tick.
    taken: BTreeMap<(usize, u32), u32>,
    ways: BTreeMap<(usize, u32, u32), u32>,
}

impl Activity {
    /// How many bytes a clone takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let all = self.populations.values();
        let bits = all.flat_map(|doing| doing.said.iter().chain(&doing.runs));
        bits.map(|bits| size_of_val::<[u64]>(bits)).sum()
    }

    /// Takes in a tick.
    pub(crate) fn update(&mut self, agents: &dyn Agents, tick: Tick<'_>) {
        for (id, trace) in tick.traces {
            let Some(population) = agents.population(*id) else {
                continue;
            };
            let doing = self.populations.entry(id.number()).or_default();
            doing.begin(population, trace.records());
            trace.records().iter().for_each(|record| doing.add(record));
            doing.settle(population);
        }
    }

    /// For each line of the outline how many run it, and how many it answered success, failure and was aborted in the
    /// last tick; 0 instead of four zeros. An active state is one that runs.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn counts(&self, id: PopulationId, population: &Population) -> Vec<LineCounts> {
        let behaviour = population.program().behaviour();
        let nothing = Doing::default();
        let doing = self.populations.get(&id.number()).unwrap_or(&nothing);
        let lines = outline_lines(behaviour);
        let count = |about: About| -> [u32; 4] {
            match about {
                // A machine that rests is not in the trace, and its first state is the machine itself.
                About::Node(node) if matches!(behaviour.node(node).kind, Kind::Machine(_)) => {
                    let [_, ok, fail, cut] = doing.node(node);
                    [population.count_in(node, 0) as u32, ok, fail, cut]
                }
                About::Node(node) => doing.node(node),
                About::State(node, state) => [population.count_in(node, state) as u32, 0, 0, 0],
                About::Transition(node, number) => {
                    let taken = doing.taken.get(&(node.index(), number as u32));
                    [0, taken.copied().unwrap_or(0), 0, 0]
                }
                About::Test(node, test) => {
                    let ways = doing.ways.iter();
                    let own = ways
                        .filter(|((of, nth, _), _)| *of == node.index() && *nth as usize == test);
                    [0, own.map(|(_, count)| *count).sum(), 0, 0]
                }
                About::Way(node, test, way) => {
                    let gone = doing.ways.get(&(node.index(), test as u32, way as u32));
                    [0, gone.copied().unwrap_or(0), 0, 0]
                }
                About::Part => [0; 4],
                _ => treemind_core::unlisted(&about),
            }
        };
        lines
            .iter()
            .map(|line| match count(line.about) {
                [0, 0, 0, 0] => LineCounts::Nobody(0),
                counts => LineCounts::Some(counts),
            })
            .collect()
    }

    /// Who runs a node, a bit for each agent.
    pub fn runs(&self, id: PopulationId, node: NodeId) -> &[u64] {
        let doing = self.populations.get(&id.number());
        let runs = doing.and_then(|doing| doing.runs.get(node.index()));
        runs.map_or(&[], |bits| bits)
    }

    /// What an agent does: the action that it runs.
    pub fn action(&self, id: PopulationId, behaviour: &Behaviour, agent: usize) -> Option<NodeId> {
        let (word, bit) = (agent / 64, agent % 64);
        let is_running = |node: NodeId| {
            let runs = self.runs(id, node).get(word);
            runs.is_some_and(|runs| runs >> bit & 1 == 1)
        };
        let mut actions = behaviour
            .node_ids()
            .filter(|node| is_action(behaviour, *node));
        actions.find(|node| is_running(*node))
    }
}

fn is_action(behaviour: &Behaviour, node: NodeId) -> bool {
    matches!(behaviour.node(node).kind, Kind::Action { .. })
}

impl Doing {
    /// What was answered in the tick before no longer counts, and of whoever was ticked counts what is recorded now.
    fn begin(&mut self, population: &Population, records: &[Record]) {
        let nodes = population.program().behaviour().node_ids().count();
        let words = population.len().div_ceil(64);
        let mut ticked = vec![0; words];
        for record in records {
            if let Some(ticked) = ticked.get_mut(record.word as usize) {
                *ticked |= record.mask;
            }
        }
        self.said.resize_with(nodes, Vec::new);
        for said in &mut self.said {
            said.resize(words, 0);
            let words = said.iter_mut().zip(&ticked);
            words.for_each(|(said, ticked)| *said &= !ticked);
        }
        self.answers.clear();
        self.answers.resize(nodes, [0; 3]);
        self.taken.clear();
        self.ways.clear();
    }

    fn add(&mut self, record: &Record) {
        let (node, word) = (record.node.index(), record.word as usize);
        let count = record.mask.count_ones();
        let Some(said) = self.said[node].get_mut(word) else {
            return;
        };
        match record.event {
            Event::Tick(Status::Running) => *said |= record.mask,
            Event::Tick(status) | Event::Guard(status) => {
                *said &= !record.mask;
                match status {
                    Status::Success => self.answers[node][0] += count,
                    Status::Failure => self.answers[node][1] += count,
                    _ => {}
                }
            }
            Event::Stop(Outcome::Aborted) => self.answers[node][2] += count,
            Event::Take(number) => *self.taken.entry((node, number)).or_default() += count,
            Event::Branch(test, way) => *self.ways.entry((node, test, way)).or_default() += count,
            _ => {}
        }
    }

    /// In whom each node goes on after the tick: where it is open, also if the tick did not get there, and around conditions
    /// that answered running.
    fn settle(&mut self, population: &Population) {
        let behaviour = population.program().behaviour();
        let mut waits: Vec<Bits> = vec![Vec::new(); self.said.len()];
        self.runs = population.who_has_open();
        for (at, said) in self.said.iter().enumerate().rev() {
            let node = behaviour.node(NodeId::new(at));
            let mut bits = std::mem::take(&mut waits[at]);
            match node.kind {
                Kind::Condition { .. } => bits.clone_from(said),
                _ => bits
                    .iter_mut()
                    .zip(said)
                    .for_each(|(bits, said)| *bits &= said),
            }
            let words = self.runs[at].iter_mut().zip(&bits);
            words.for_each(|(runs, bits)| *runs |= bits);
            if let Some(parent) = node.parent
                && bits.iter().any(|bits| *bits != 0)
            {
                let outer = &mut waits[parent.index()];
                outer.resize(bits.len(), 0);
                let words = outer.iter_mut().zip(&bits);
                words.for_each(|(outer, inner)| *outer |= inner);
            }
        }
    }

    fn node(&self, node: NodeId) -> [u32; 4] {
        let runs = self
            .runs
            .get(node.index())
            .map_or(0, |bits| bits.iter().map(|bits| bits.count_ones()).sum());
        let [ok, fail, cut] = self.answers.get(node.index()).copied().unwrap_or_default();
        [runs, ok, fail, cut]
    }
}
