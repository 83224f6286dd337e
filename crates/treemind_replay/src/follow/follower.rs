//! A mind in the view: an agent that decides, and what the view shows of it.

use super::marks::Marks;
use treemind_core::behaviour::Scope;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, NodeId, Population, Status};
use treemind_explain::{Explainer, Explanation, Fellows, Reason};

/// What a key held when it was last read.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The value, as texts of documents have it.
    pub value: String,
    /// The tick in which it last changed.
    pub changed: Option<u64>,
}

/// An agent that decides.
#[derive(Clone, Debug)]
pub struct Follower {
    name: String,
    /// What sentences call the other agents of its population.
    fellows: Fellows,
    /// Its index in the population.
    agent: usize,
    behaviour: usize,
    marks: Marks,
    root: Option<Status>,
    /// What explains its ticks, while it has an agent.
    explainer: Option<Explainer>,
    /// The keys of its behaviour, in order.
    keys: Vec<Shown>,
    /// What happened in the last tick, in order.
    events: Vec<(NodeId, Event)>,
}

impl Follower {
    /// A mind that follows the behaviour at `position`.
    pub fn new(name: &str, position: usize, behaviour: &Behaviour) -> Self {
        Self {
            name: name.to_owned(),
            fellows: Fellows::default(),
            agent: 0,
            behaviour: position,
            marks: Marks::new(behaviour),
            root: None,
            explainer: None,
            keys: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The same, of another agent than the first.
    pub fn of_agent(mut self, agent: usize) -> Self {
        self.agent = agent;
        self
    }

    /// The same; its reasons call the other agents of its population by these names.
    #[must_use]
    pub fn among(mut self, fellows: Fellows) -> Self {
        self.fellows = fellows;
        self
    }

    /// What its reasons call the other agents of its population.
    pub fn fellows(&self) -> &Fellows {
        &self.fellows
    }

    /// Its index in the population, if the view knows it by that.
    pub fn agent(&self) -> usize {
        self.agent
    }

    /// Looks at its agent before a tick.
    pub fn before_tick(&mut self, population: &Population, agent: Option<usize>) {
        let is_new = self.explainer.as_ref().map(Explainer::agent) != agent;
        if is_new {
            let follow = |agent| {
                let follow = Explainer::new(population, agent).named(&self.name);
                follow.among(self.fellows.clone())
            };
            self.explainer = agent.map(follow);
            if let Some(agent) = agent {
                self.marks.begin(population, agent);
            }
        }
        if let Some(explainer) = &mut self.explainer {
            explainer.before_tick(population);
        }
    }

    /// Records what its agent did in a tick.
    pub fn update(&mut self, population: &Population, trace: &Trace, agent: usize, tick: u64) {
        let behaviour = population.program().behaviour();
        let mut candidates = Vec::new();
        if let Some(explainer) = self.explainer.as_mut().filter(|one| one.agent() == agent) {
            explainer.after_tick(population, trace);
            candidates = explainer.candidates().to_vec();
        }
        self.marks
            .update((population, agent), trace, candidates, tick);
        self.events.clear();
        self.events.extend(trace.agent(agent));
        self.root = trace.root(behaviour, agent);
    }

    /// Why it did in the last tick what it did.
    pub fn explanation(&self, population: &Population) -> Option<Explanation> {
        Some(self.explainer.as_ref()?.explain(population))
    }

    /// Why a node answered what it answered in the last tick, or was not reached.
    pub fn why(&self, population: &Population, node: NodeId) -> Option<Reason> {
        Some(self.explainer.as_ref()?.why(population, node))
    }

    /// When a key changed last, and who wrote it.
    pub fn written(&self, population: &Population, key: KeyId) -> Option<Reason> {
        self.explainer.as_ref()?.written(population, key)
    }

    /// Records a tick in which it does not decide, because it is dead or absent.
    pub fn rest(&mut self, tick: u64) {
        self.explainer = None;
        self.events.clear();
        self.marks.rest(tick);
        self.root = None;
    }

    /// Reads all keys. The keys of an absent agent stay as they were.
    pub fn read_keys(&mut self, population: &Population, agent: Option<usize>, tick: u64) {
        let behaviour = population.program().behaviour();
        let is_first = self.keys.is_empty();
        for (nth, key) in behaviour.keys().iter().enumerate() {
            let held = match (agent, key.scope) {
                (Some(agent), _) => population.held(agent, KeyId::new(nth)),
                (None, Scope::World) => population.shared_held(KeyId::new(nth), 0),
                (None, _) if !is_first => continue,
                (None, _) => {
                    let value = behaviour.display_value(key.default);
                    self.keys.push(Shown {
                        value,
                        changed: None,
                    });
                    continue;
                }
            };
            let value = behaviour.display_held(held);
            match self.keys.get_mut(nth) {
                Some(shown) if shown.value == value => {}
                Some(shown) => {
                    *shown = Shown {
                        value,
                        changed: Some(tick),
                    }
                }
                None => self.keys.push(Shown {
                    value,
                    changed: None,
                }),
            }
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The position of the behaviour that it follows.
    pub fn behaviour(&self) -> usize {
        self.behaviour
    }

    /// What happened in the last tick, in order.
    pub fn events(&self) -> &[(NodeId, Event)] {
        &self.events
    }

    /// What each node did last.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The root's answer in the last tick.
    pub fn root(&self) -> Option<Status> {
        self.root
    }

    /// The keys of its behaviour, in order.
    pub fn keys(&self) -> &[Shown] {
        &self.keys
    }
}
