//! What everybody does: for each node, who runs it, and what it answered in the last tick.

use super::Replaced;
use super::troupe::{Agents, Tick};
use crate::view::protocol::LineCounts;
use std::collections::{BTreeMap, BTreeSet};
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
    /// For each branch of a selector that has others after it, in whom it failed in the last tick, and in whom something in it
    /// held or was tried: a condition that succeeded, or an action that failed.
    failed: BTreeMap<usize, Bits>,
    tried: BTreeMap<usize, Bits>,
    /// For each action, in whom it began in the last tick.
    began: BTreeMap<usize, Bits>,
    /// For each agent the action that it runs, and the tick since which it does, or runs none.
    does: Vec<(Option<NodeId>, u64)>,
    /// The last tick before the first that was taken in.
    begin: Option<u64>,
    /// How often each transition was taken and each way of a test was gone in the last tick.
    taken: BTreeMap<(usize, u32), u32>,
    ways: BTreeMap<(usize, u32, u32), u32>,
}

impl Activity {
    /// How many bytes a clone takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let all = self.populations.values();
        all.map(|doing| {
            let bits = doing.said.iter().chain(&doing.runs);
            let bits: usize = bits.map(|bits| size_of_val::<[u64]>(bits)).sum();
            bits + size_of_val::<[_]>(&*doing.does)
        })
        .sum()
    }

    /// Takes in a tick.
    pub(crate) fn update(&mut self, agents: &dyn Agents, tick: Tick<'_>) {
        for (id, trace) in tick.traces {
            let Some(population) = agents.population(*id) else {
                continue;
            };
            let doing = self.populations.entry(id.number()).or_default();
            let behaviour = population.program().behaviour();
            doing.begin.get_or_insert(tick.number.saturating_sub(1));
            doing.begin(population, trace.records());
            for record in trace.records() {
                doing.add(record);
                doing.try_branches(behaviour, record);
            }
            doing.settle(population);
            doing.note_deeds(population, tick.number);
        }
    }

    /// Goes on after a population got another program, between two ticks.
    pub(crate) fn change(
        &mut self,
        population: &Population,
        (id, replaced): (PopulationId, &Replaced<'_>),
    ) {
        let doing = self.populations.get_mut(&id.number());
        if let Some(doing) = doing.filter(|_| !replaced.is_same()) {
            *doing = doing.carried(population, replaced);
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
                About::Goal(..) | About::Method(..) | About::Rule(..) | About::Part => [0; 4],
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

    /// What most agents cannot do that they do something else instead of: a branch of a selector, with others after it, that
    /// failed in the last tick, although a condition in it held or an action in it was tried; and how many these are, who
    /// now run another action.
    pub fn cannot(&self, id: PopulationId, behaviour: &Behaviour) -> Option<(NodeId, usize)> {
        let doing = self.populations.get(&id.number())?;
        let runs_something =
            |agent: usize| doing.does.get(agent).is_some_and(|one| one.0.is_some());
        let mut most = None;
        for (branch, failed) in &doing.failed {
            let Some(tried) = doing.tried.get(branch) else {
                continue;
            };
            let both = failed
                .iter()
                .zip(tried)
                .map(|(failed, tried)| failed & tried);
            let agents = both
                .enumerate()
                .flat_map(|(word, bits)| agents_of(word, bits));
            let count = agents.filter(|agent| runs_something(*agent)).count();
            if count > most.map_or(0, |(_, most)| most) {
                most = Some((NodeId::new(*branch), count));
            }
        }
        most.filter(|(branch, _)| behaviour.node_ids().any(|id| id == *branch))
    }

    /// Since which tick an agent has run its action, or none. The tick is not after the one that follows `begin`, if it may
    /// have been earlier.
    pub fn since(&self, id: PopulationId, agent: usize) -> Option<u64> {
        let doing = self.populations.get(&id.number())?;
        doing.does.get(agent).map(|(_, since)| *since)
    }

    /// The last tick before the first that is known of a population.
    pub fn begin(&self, id: PopulationId) -> u64 {
        let doing = self.populations.get(&id.number());
        doing.and_then(|doing| doing.begin).unwrap_or(0)
    }

    /// For each agent what it does, by its number among [`deeds`] from 1, or 0 for nothing.
    pub fn does(&self, id: PopulationId, behaviour: &Behaviour) -> Vec<usize> {
        let names = deeds(behaviour);
        let number = |action: NodeId| {
            let label = behaviour.label(action);
            names
                .iter()
                .position(|name| *name == label)
                .map_or(0, |nth| nth + 1)
        };
        let numbers: Vec<usize> = behaviour.node_ids().map(number).collect();
        let doing = self.populations.get(&id.number());
        let does = doing.into_iter().flat_map(|doing| &doing.does);
        let number = |action: &NodeId| numbers.get(action.index()).copied();
        does.map(|(action, _)| action.as_ref().and_then(number).unwrap_or(0))
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
        let doing = self.populations.get(&id.number())?;
        let (action, _) = doing.does.get(agent)?;
        action.filter(|action| is_action(behaviour, *action))
    }
}

/// The labels of all actions of a behaviour, sorted.
pub fn deeds(behaviour: &Behaviour) -> Vec<&str> {
    let actions = behaviour.node_ids();
    let actions = actions.filter(|node| is_action(behaviour, *node));
    let labels: BTreeSet<&str> = actions.map(|node| behaviour.label(node)).collect();
    labels.into_iter().collect()
}

/// The agents of a word of bits.
fn agents_of(word: usize, bits: u64) -> impl Iterator<Item = usize> {
    let set = (0..64).filter(move |bit| bits >> bit & 1 == 1);
    set.map(move |bit| word * 64 + bit)
}

/// Sets bits of a word.
fn set(bits: &mut Bits, word: usize, mask: u64) {
    if bits.len() <= word {
        bits.resize(word + 1, 0);
    }
    bits[word] |= mask;
}

/// Whether a node is a branch of a selector that has others after it.
fn is_branch(behaviour: &Behaviour, node: NodeId) -> bool {
    behaviour.node(node).parent.is_some_and(|parent| {
        let parent = behaviour.node(parent);
        let is_selector = matches!(parent.kind, Kind::Selector { .. } | Kind::ReactiveSelector);
        is_selector && parent.children.last() != Some(&node)
    })
}

fn is_action(behaviour: &Behaviour, node: NodeId) -> bool {
    matches!(behaviour.node(node).kind, Kind::Action { .. })
}

impl Doing {
    /// The same with the nodes of another program. What the ways and transitions were that were gone is not known there.
    fn carried(&self, population: &Population, replaced: &Replaced<'_>) -> Self {
        let nodes = || population.program().behaviour().node_ids();
        let words = population.len().div_ceil(64);
        let went_on = |new: &NodeId| {
            let old = replaced.was(*new)?;
            replaced.goes_on(old).map(|_| old)
        };
        let said = nodes().map(|new| {
            let said = went_on(&new).and_then(|old| self.said.get(old.index()));
            said.cloned().unwrap_or_else(|| vec![0; words])
        });
        let answers = nodes().map(|new| {
            let old = replaced.was(new);
            let known = old.and_then(|old| self.answers.get(old.index()));
            known.copied().unwrap_or_default()
        });
        let placed = |all: &BTreeMap<usize, Bits>| {
            let all = all.iter();
            let all = all.filter_map(|(old, bits)| {
                let new = replaced.place(NodeId::new(*old))?;
                Some((new.index(), bits.clone()))
            });
            all.collect()
        };
        let does = self.does.iter().map(|(action, since)| {
            let action = action.and_then(|action| replaced.goes_on(action));
            (action, *since)
        });
        let mut doing = Self {
            said: said.collect(),
            answers: answers.collect(),
            failed: placed(&self.failed),
            tried: placed(&self.tried),
            does: does.collect(),
            begin: self.begin,
            ..Self::default()
        };
        doing.settle(population);
        doing.note_deeds(population, population.ticks());
        doing
    }

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
        for bits in [&mut self.failed, &mut self.tried, &mut self.began] {
            bits.clear();
        }
        self.taken.clear();
        self.ways.clear();
    }

    /// Takes down what it says of the branches of selectors, and of actions that begin.
    fn try_branches(&mut self, behaviour: &Behaviour, record: &Record) {
        let (node, word) = (record.node, record.word as usize);
        let kind = &behaviour.node(node).kind;
        let is_action = matches!(kind, Kind::Action { .. });
        let is_question = matches!(kind, Kind::Condition { .. } | Kind::Check { .. });
        let is_tried = match record.event {
            Event::Tick(Status::Success) | Event::Guard(Status::Success) => is_question,
            Event::Tick(Status::Failure) => is_action,
            _ => false,
        };
        if is_action && record.event == Event::Start {
            set(
                self.began.entry(node.index()).or_default(),
                word,
                record.mask,
            );
        }
        if record.event == Event::Tick(Status::Failure) && is_branch(behaviour, node) {
            set(
                self.failed.entry(node.index()).or_default(),
                word,
                record.mask,
            );
        }
        let mut above = Some(node).filter(|_| is_tried);
        while let Some(at) = above {
            if is_branch(behaviour, at) && (is_action || at != node) {
                set(self.tried.entry(at.index()).or_default(), word, record.mask);
            }
            above = behaviour.node(at).parent;
        }
    }

    /// Takes down what each agent does after a tick.
    fn note_deeds(&mut self, population: &Population, tick: u64) {
        let behaviour = population.program().behaviour();
        let mut now = vec![None; population.len()];
        // The first action counts.
        let actions = behaviour
            .node_ids()
            .filter(|node| is_action(behaviour, *node));
        for action in actions {
            let words = self.runs[action.index()].iter().enumerate();
            for agent in words.flat_map(|(word, bits)| agents_of(word, *bits)) {
                if let Some(one) = now.get_mut(agent) {
                    one.get_or_insert(action);
                }
            }
        }
        let began = |action: Option<NodeId>, agent: usize| {
            let bits = action.and_then(|action| self.began.get(&action.index()));
            let word = bits.and_then(|bits| bits.get(agent / 64));
            word.is_some_and(|word| word >> (agent % 64) & 1 == 1)
        };
        let known = self
            .does
            .iter()
            .copied()
            .map(Some)
            .chain(std::iter::repeat(None));
        let does = now.into_iter().zip(known).enumerate();
        let does = does.map(|(agent, (action, before))| match before {
            Some(before) if before.0 == action && !began(action, agent) => before,
            _ => (action, tick),
        });
        self.does = does.collect();
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
