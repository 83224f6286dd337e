//! An agent that is followed: what there is to see of it.

mod carried;

use super::finds::Finds;
use super::marks::Marks;
use super::plans::{Followed, Plans};
use super::typed::Put;
use super::weighed::{Ran, Ruled, Weighed};
use treemind_core::behaviour::Scope;
use treemind_core::trace::{Event, Trace};
use treemind_core::{AgentId, Behaviour, KeyId, NodeId, Population, Status};
use treemind_explain::{Explainer, Explanation, Fellows, Reason, Sought};

/// What is known of an agent goes back by so many ticks, and by twice as many at most.
const MEMORY_TICKS: u64 = 512;
/// The same of an agent among many.
const SHORT_MEMORY_TICKS: u64 = 32;
/// So few agents are all followed, and what is known of each goes back farther.
pub const FEW: usize = 32;

/// From which tick on an agent has to be followed, so that what is known of it after a tick is the same by whichever way
/// one came there. `agents` is how many its population has.
pub fn memory_begin(tick: u64, agents: usize) -> u64 {
    let memory = memory_of(agents);
    (tick.saturating_sub(1) / memory).saturating_sub(1) * memory
}

fn memory_of(agents: usize) -> u64 {
    match agents > FEW {
        true => SHORT_MEMORY_TICKS,
        false => MEMORY_TICKS,
    }
}

/// How many bytes are known of a node, about, with the marks, the explainer and the second [`Memory`]: that of 32 agents
/// with 400 nodes, as `examples/jumps.rs` shows it.
const NODE_BYTES: usize = 450;

/// What a key held when it was last read.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The value, as texts of documents have it.
    pub value: String,
    /// The tick in which it last changed, if that is known.
    pub changed: Option<u64>,
}

/// What is known of an agent, since some tick.
#[derive(Clone, Debug)]
struct Memory {
    /// The last tick before it begins.
    begin: u64,
    /// The last tick before that from which on reasons are known.
    explained_since: u64,
    marks: Marks,
    plans: Plans,
    finds: Finds,
    weighed: Weighed,
    /// What explains its ticks, while it has an agent.
    explainer: Option<Explainer>,
    /// The keys of its behaviour, in order.
    keys: Vec<Shown>,
}

/// How the reasons of an agent speak of it and of those around it.
#[derive(Clone, Debug)]
struct Called {
    name: String,
    /// What sentences call the other agents of its population.
    fellows: Fellows,
    /// Whether a test of the document plays it, and no game.
    is_of_test: bool,
}

impl Called {
    fn explainer(&self, population: &Population, agent: usize) -> Explainer {
        let explainer = Explainer::new(population, agent).named(&*self.name);
        explainer
            .among(self.fellows.clone())
            .of_test(self.is_of_test)
    }
}

impl Memory {
    fn new(behaviour: &Behaviour, begin: u64) -> Self {
        Self {
            begin,
            explained_since: 0,
            marks: Marks::new(behaviour),
            plans: Plans::new(behaviour),
            finds: Finds::new(behaviour),
            weighed: Weighed::new(behaviour),
            explainer: None,
            keys: Vec::new(),
        }
    }

    /// Looks at the agent before a tick.
    fn before_tick(
        &mut self,
        population: &Population,
        agent: Option<usize>,
        called: &Called,
        is_changed: bool,
    ) {
        let is_new = self.explainer.as_ref().map(Explainer::agent) != agent;
        if is_new {
            let follow = |agent| {
                let follow = called.explainer(population, agent);
                match is_changed {
                    true => follow.after_change(),
                    false => follow,
                }
            };
            self.explainer = agent.map(follow);
            if let Some(agent) = agent {
                self.marks.begin(population, agent);
                self.plans.begin(population, agent);
            }
        }
        if let Some(explainer) = &mut self.explainer {
            explainer.before_tick(population);
        }
    }

    /// Records what the agent did in a tick.
    fn update(&mut self, population: &Population, trace: &Trace, agent: usize, tick: u64) {
        let mut candidates = Vec::new();
        if let Some(explainer) = self.explainer.as_mut().filter(|one| one.agent() == agent) {
            explainer.after_tick(population, trace);
            candidates = explainer.candidates().to_vec();
        }
        self.plans.update(population, trace, agent);
        self.finds.update(population, trace, (agent, tick));
        let explainer = self.explainer.as_ref().filter(|one| one.agent() == agent);
        self.weighed
            .update((explainer, population), trace, (agent, tick));
        self.marks
            .update((population, agent), trace, candidates, tick);
    }

    /// Reads all keys. The keys of an absent agent stay as they were.
    fn read_keys(&mut self, population: &Population, agent: Option<usize>, tick: u64) {
        let behaviour = population.program().behaviour();
        let is_first = self.keys.is_empty();
        for (nth, key) in behaviour.keys().iter().enumerate() {
            let held = match (agent, key.scope) {
                (Some(agent), _) => Some(population.held(agent, KeyId::new(nth))),
                (None, Scope::World) => Some(population.shared_held(KeyId::new(nth), 0)),
                (None, _) if !is_first => continue,
                (None, _) => None,
            };
            let value = match held {
                Some(held) => behaviour.display_held(held),
                None => behaviour.display_value(key.default),
            };
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
}

/// An agent that is followed.
///
/// What is known of it goes back some hundred ticks, and how far depends on the number of the tick alone. So it is the same
/// whether one has followed the agent for hours, or came to the tick in a jump: see [`memory_begin`].
#[derive(Clone, Debug)]
pub struct Follower {
    called: Called,
    /// Its index in the population, and who it is: later, the index may be that of another.
    agent: usize,
    id: Option<AgentId>,
    behaviour: usize,
    /// How many agents its population had when it was seen last.
    agents: usize,
    /// Whether the population has got another program since the last tick.
    is_changed: bool,
    /// What is known of it.
    own: Memory,
    /// What is known since a later tick: it takes the place of the other when that goes back too far.
    next: Option<Memory>,
    root: Option<Status>,
    /// What happened in the last tick, in order.
    events: Vec<(NodeId, Event)>,
    /// What was known after the last tick, if the population has got another program since.
    before_change: Option<Box<Follower>>,
}

impl Follower {
    /// How many bytes a clone takes, about.
    pub fn bytes(&self) -> usize {
        const LEAST_BYTES: usize = 8 << 10;
        let before = self.before_change.as_ref().map_or(0, |was| was.bytes());
        before + LEAST_BYTES + self.marks().len() * NODE_BYTES
    }

    /// One that follows an agent with the behaviour at `position`.
    pub fn new(name: &str, position: usize, behaviour: &Behaviour) -> Self {
        Self {
            called: Called {
                name: name.to_owned(),
                fellows: Fellows::default(),
                is_of_test: false,
            },
            agent: 0,
            id: None,
            behaviour: position,
            agents: 0,
            is_changed: false,
            own: Memory::new(behaviour, u64::MAX),
            next: None,
            root: None,
            events: Vec::new(),
            before_change: None,
        }
    }

    /// The same, of another agent than the first.
    pub fn of_agent(mut self, agent: usize) -> Self {
        self.agent = agent;
        self
    }

    /// The same, of a population that has just got another program.
    #[must_use]
    pub fn after_change(mut self) -> Self {
        self.is_changed = true;
        self
    }

    /// The same; its reasons call the other agents of its population by these names.
    #[must_use]
    pub fn among(mut self, fellows: Fellows) -> Self {
        self.called.fellows = fellows;
        self
    }

    /// The same; its reasons tell as a test's doing what would be the game's.
    #[must_use]
    pub fn of_test(mut self, is_of_test: bool) -> Self {
        self.called.is_of_test = is_of_test;
        self
    }

    /// What its reasons call the other agents of its population.
    pub fn fellows(&self) -> &Fellows {
        &self.called.fellows
    }

    /// Its index in the population, if the view knows it by that.
    pub fn agent(&self) -> usize {
        self.agent
    }

    /// Whether it has followed the agent for so long that after a later tick everything is known; `first` is the first tick
    /// that there is.
    pub fn knows_enough_for(&self, tick: u64, first: u64) -> bool {
        let wanted = memory_begin(tick, self.agents).max(first);
        let next = self.next.as_ref().map_or(u64::MAX, |next| next.begin);
        self.own.begin.min(next) <= wanted
    }

    /// The tick from which on everything is known of it; `None` if it has not been followed for a tick so far.
    pub fn known_since(&self) -> Option<u64> {
        let begin = Some(self.own.begin).filter(|begin| *begin < u64::MAX);
        begin.map(|begin| begin.max(self.own.explained_since))
    }

    /// Forgets whoever was there before, if there is another agent now.
    fn meet(&mut self, population: &Population, agent: Option<usize>) {
        let id = agent.and_then(|agent| population.id_of(agent));
        if id.is_none() || id == self.id {
            return;
        }
        if self.id.is_some() {
            let behaviour = population.program().behaviour();
            for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
                *memory = Memory::new(behaviour, memory.begin);
            }
        }
        self.id = id;
    }

    /// Looks at its agent before a tick.
    pub fn before_tick(&mut self, population: &Population, agent: Option<usize>) {
        self.meet(population, agent);
        let ticks = population.ticks();
        self.own.begin = self.own.begin.min(ticks);
        self.agents = population.len();
        if ticks.is_multiple_of(memory_of(population.len())) {
            let mut fresh = Memory::new(population.program().behaviour(), ticks);
            fresh.read_keys(population, agent, ticks);
            if let Some(next) = self.next.replace(fresh) {
                self.own = next;
            }
        }
        let is_changed = std::mem::take(&mut self.is_changed);
        self.before_change = None;
        for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
            memory.before_tick(population, agent, &self.called, is_changed);
        }
    }

    /// Says where the value of a key comes from: see [`Explainer::typed`] and [`Explainer::kept`].
    pub fn put(&mut self, population: &Population, put: &Put) {
        for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
            if let Some(explainer) = &mut memory.explainer {
                let value = (put.key, put.value);
                match put.is_kept {
                    true => explainer.kept(population, value),
                    false => explainer.typed(population, value),
                }
            }
        }
    }

    /// Records what its agent did in a tick.
    pub fn update(&mut self, population: &Population, trace: &Trace, agent: usize, tick: u64) {
        self.meet(population, Some(agent));
        let behaviour = population.program().behaviour();
        for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
            memory.update(population, trace, agent, tick);
        }
        self.events.clear();
        self.events.extend(trace.agent(agent));
        self.root = trace.root(behaviour, agent);
    }

    /// Why it did in the last tick what it did, and the rest that it knows: in English, unless asked
    /// [in another language](Explainer::explain_in).
    pub fn explainer(&self) -> Option<&Explainer> {
        self.own.explainer.as_ref()
    }

    /// Why it did in the last tick what it did, in English.
    pub fn explanation(&self, population: &Population) -> Option<Explanation> {
        Some(self.explainer()?.explain(population))
    }

    /// Why a node answered what it answered in the last tick, or was not reached, in English.
    pub fn why(&self, population: &Population, node: NodeId) -> Option<Reason> {
        Some(self.explainer()?.why(population, node))
    }

    /// Records a tick in which it does not decide, because it is dead or absent.
    pub fn rest(&mut self, tick: u64) {
        for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
            memory.explainer = None;
            memory.marks.rest(tick);
            memory.plans.rest();
        }
        self.events.clear();
        self.root = None;
        self.before_change = None;
    }

    /// Reads all keys. The keys of an absent agent stay as they were.
    pub fn read_keys(&mut self, population: &Population, agent: Option<usize>, tick: u64) {
        for memory in std::iter::once(&mut self.own).chain(&mut self.next) {
            memory.read_keys(population, agent, tick);
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.called.name
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
        &self.own.marks
    }

    /// What its planners follow, in document order.
    pub fn planners(&self) -> &[Followed] {
        &self.own.plans.0
    }

    /// What each `find` has looked at last, in document order.
    pub fn finds(&self) -> &[Sought] {
        &self.own.finds.0
    }

    /// What each `policy` has read last, in document order.
    pub fn networks(&self) -> &[Ran] {
        &self.own.weighed.ran
    }

    /// When each `rules` was reached last, and what has fired, in document order.
    pub fn rules(&self) -> &[Ruled] {
        &self.own.weighed.ruled
    }

    /// Its plans, for the timeline, and whether one was given up in the last tick. `None` if it has no planner.
    pub(super) fn plans_said(&self, behaviour: &Behaviour) -> Option<(String, bool)> {
        let plans = &self.own.plans;
        Some((plans.said(behaviour)?, plans.has_dropped()))
    }

    /// The root's answer in the last tick.
    pub fn root(&self) -> Option<Status> {
        self.root
    }

    /// The keys of its behaviour, in order.
    pub fn keys(&self) -> &[Shown] {
        &self.own.keys
    }
}
