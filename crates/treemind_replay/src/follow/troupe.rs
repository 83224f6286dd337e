//! The agents of a game, of which some are followed.

use super::activity::{Activity, deeds};
use super::timeline::{Note, Timeline};
use super::{FEW, Fellows, Follower, Put, Replaced, Tone, changes};
use std::collections::BTreeMap;
use treemind_core::behaviour::Scope;
use treemind_core::host::Message;
use treemind_core::{Population, PopulationId, Trace};
use treemind_explain::Words;

/// So many agents of a population are a crowd: of everybody it is noted how many do what.
const MANY: usize = 12;

/// Where the agents of a game are.
pub trait Agents {
    /// The populations, in order.
    fn populations(&self) -> Vec<PopulationId>;

    /// A population; `None` if there is none with this id.
    fn population(&self, id: PopulationId) -> Option<&Population>;

    /// The name of a population.
    fn name(&self, id: PopulationId) -> String;

    /// Whether a test of a document plays them, and no game.
    fn are_tested(&self) -> bool {
        false
    }
}

/// The agents by their numbers: each keeps its number for as long as the session lasts.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    known: Vec<(PopulationId, usize)>,
    /// The numbers of the agents of each population, by their indices there.
    numbers: BTreeMap<u16, Vec<usize>>,
}

impl Roster {
    /// Takes in agents that have come.
    pub fn meet(&mut self, agents: &dyn Agents) {
        for id in agents.populations() {
            let there = agents.population(id).map_or(0, Population::len);
            let numbers = self.numbers.entry(id.number()).or_default();
            for agent in numbers.len()..there {
                numbers.push(self.known.len());
                self.known.push((id, agent));
            }
        }
    }

    /// How many are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether nobody is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Where an agent is.
    pub fn place(&self, nth: usize) -> Option<(PopulationId, usize)> {
        self.known.get(nth).copied()
    }

    /// The agents in order, each with its population and its index there.
    pub fn all(&self) -> impl Iterator<Item = (usize, (PopulationId, usize))> + '_ {
        self.known.iter().copied().enumerate()
    }

    /// The name of an agent.
    pub fn name(&self, agents: &dyn Agents, nth: usize) -> String {
        let Some((id, agent)) = self.place(nth) else {
            return String::new();
        };
        match self.numbers.get(&id.number()).map_or(0, Vec::len) {
            1 => agents.name(id),
            _ => format!("{}-{}", agents.name(id), agent + 1),
        }
    }

    /// The number of an agent of a population.
    pub fn number(&self, id: PopulationId, agent: usize) -> Option<usize> {
        self.numbers.get(&id.number())?.get(agent).copied()
    }
}

/// What happened in a tick.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// Its number.
    pub number: u64,
    /// The traces of the populations that were ticked.
    pub traces: &'a [(PopulationId, Trace)],
    /// What agents logged and emitted.
    pub messages: &'a [(PopulationId, Message)],
}

impl Tick<'_> {
    /// The trace of a population.
    pub fn trace(&self, id: PopulationId) -> Option<&Trace> {
        let mut traces = self.traces.iter();
        traces.find(|(by, _)| *by == id).map(|(_, trace)| trace)
    }
}

/// The agents that are followed, and what everybody does. A clone is followed on from the same moment.
#[derive(Clone, Debug, Default)]
pub struct Troupe {
    minds: BTreeMap<usize, Follower>,
    /// What happened to each in the last tick.
    events: BTreeMap<usize, Vec<(Tone, Words)>>,
    /// Who is followed even among many.
    wanted: Vec<usize>,
    activity: Activity,
    /// Whether there are other programs since the last tick.
    is_changed: bool,
}

impl Troupe {
    /// The agents whose values have to be in the trace of the next tick.
    pub fn chosen(&self, roster: &Roster) -> Vec<(PopulationId, usize)> {
        let places = self.minds.keys().filter_map(|nth| roster.place(*nth));
        places.collect()
    }

    /// A mind that is followed.
    pub fn mind(&self, nth: usize) -> Option<&Follower> {
        self.minds.get(&nth)
    }

    /// What happened in the last tick to those who are followed, by their numbers.
    pub fn told(&self) -> impl Iterator<Item = (usize, Tone, &Words)> {
        let all = self.events.iter();
        all.flat_map(|(nth, events)| {
            let events = events.iter();
            events.map(|(tone, words)| (*nth, *tone, words))
        })
    }

    /// What everybody does.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// Looks at the agents before a tick. `wanted` are those that somebody looks at, the last one last.
    pub fn before_tick(&mut self, agents: &dyn Agents, roster: &Roster, wanted: &[usize]) {
        self.wanted.clear();
        self.wanted.extend_from_slice(wanted);
        if roster.len() > FEW {
            self.minds.retain(|nth, _| wanted.contains(nth));
        }
        self.follow_all(agents, roster);
        for (nth, mind) in &mut self.minds {
            if let Some((id, agent)) = roster.place(*nth)
                && let Some(population) = agents.population(id)
            {
                let is_there = agent < population.len() && population.is_alive(agent);
                mind.before_tick(population, is_there.then_some(agent));
            }
        }
        self.is_changed = false;
    }

    /// Says where the value of a key of an agent comes from: see [`Follower::put`]. To be called after
    /// [`before_tick`](Self::before_tick).
    pub fn put(&mut self, agents: &dyn Agents, roster: &Roster, put: &Put) {
        let Some((id, _)) = roster.place(put.agent) else {
            return;
        };
        let Some(population) = agents.population(id) else {
            return;
        };
        let is_shared = population.program().behaviour().key(put.key).scope != Scope::Agent;
        for (other, mind) in &mut self.minds {
            let is_of_same = is_shared && roster.place(*other).is_some_and(|(of, _)| of == id);
            if *other == put.agent || is_of_same {
                mind.put(population, put);
            }
        }
    }

    /// Follows all if they are few, otherwise those who are wanted.
    fn follow_all(&mut self, agents: &dyn Agents, roster: &Roster) {
        let all = match roster.len() <= FEW {
            true => (0..roster.len()).collect(),
            false => self.wanted.clone(),
        };
        for nth in all {
            if let Some((id, _)) = roster.place(nth) {
                self.follow(agents, roster, (nth, id));
            }
        }
    }

    fn follow(&mut self, agents: &dyn Agents, roster: &Roster, (nth, id): (usize, PopulationId)) {
        if self.minds.contains_key(&nth) {
            return;
        }
        if let Some(population) = agents.population(id) {
            let mut mind = fresh(agents, roster, (nth, id), population);
            let agent = roster.place(nth).map(|(_, agent)| agent);
            let agent = agent.filter(|agent| *agent < population.len());
            mind.read_keys(population, agent, population.ticks());
            if self.is_changed {
                mind = mind.after_change();
            }
            self.minds.insert(nth, mind);
        }
    }

    /// Begins again with other programs.
    pub fn recast(&mut self) {
        *self = Self::default();
    }

    /// Goes on after a population got another program: what is known of what is still there stays known, and what its agents
    /// begin next may begin because of the change.
    pub fn change(
        &mut self,
        agents: &dyn Agents,
        roster: &Roster,
        (id, replaced): (PopulationId, &Replaced<'_>),
    ) {
        let Some(population) = agents.population(id) else {
            return;
        };
        self.is_changed |= !replaced.is_same();
        for (nth, mind) in &mut self.minds {
            let Some((_, agent)) = roster.place(*nth).filter(|(of, _)| *of == id) else {
                continue;
            };
            let is_there = agent < population.len() && population.is_alive(agent);
            let agent = is_there.then_some(agent);
            let next = fresh(agents, roster, (*nth, id), population);
            *mind = next.after(mind, replaced, (population, agent));
            mind.read_keys(population, agent, population.ticks());
        }
        self.activity.change(population, (id, replaced));
    }

    /// How many bytes a clone takes, about.
    pub fn bytes(&self) -> usize {
        let minds = self.minds.values().map(Follower::bytes);
        self.activity.bytes() + minds.sum::<usize>()
    }

    /// Takes in a tick.
    pub fn after_tick(&mut self, agents: &dyn Agents, roster: &Roster, tick: Tick<'_>) {
        self.activity.update(agents, tick);
        // Some were born in the tick, or before it.
        self.follow_all(agents, roster);
        self.events.clear();
        for (nth, mind) in &mut self.minds {
            let Some((id, agent)) = roster.place(*nth) else {
                continue;
            };
            let Some(population) = agents.population(id) else {
                continue;
            };
            let behaviour = population.program().behaviour();
            let is_there = agent < population.len() && population.is_alive(agent);
            let mut events = Vec::new();
            match tick.trace(id).filter(|_| is_there) {
                Some(trace) => {
                    events = changes(behaviour, (trace, agent), mind.marks());
                    mind.update(population, trace, agent, tick.number);
                }
                None if is_there => {}
                None => mind.rest(tick.number),
            }
            mind.read_keys(population, is_there.then_some(agent), tick.number);
            let own = tick.messages.iter();
            let own = own.filter(|(by, message)| *by == id && message.agent == agent);
            events.extend(own.map(|(_, message)| (Tone::Calm, Words::plain(&message.text))));
            self.events.insert(*nth, events);
        }
    }

    /// Notes in a timeline that they got another program after this tick.
    pub fn note_change(
        &self,
        agents: &dyn Agents,
        roster: &Roster,
        tick: u64,
        timeline: &mut Timeline,
    ) {
        for (nth, mind) in &self.minds {
            let population = roster.place(*nth);
            let population = population.and_then(|(id, _)| agents.population(id));
            if let Some(population) = population {
                timeline.note_change(tick, (*nth, mind), population.program().behaviour());
            }
        }
    }

    /// Notes in a timeline what they did in the last tick, which has this number.
    pub fn note(&self, agents: &dyn Agents, roster: &Roster, tick: u64, timeline: &mut Timeline) {
        for (nth, events) in &self.events {
            let population = roster.place(*nth);
            let population = population.and_then(|(id, _)| agents.population(id));
            if let Some((mind, population)) = self.mind(*nth).zip(population) {
                let note = Note {
                    nth: *nth,
                    mind,
                    behaviour: population.program().behaviour(),
                    events: events.clone(),
                };
                timeline.note(tick, note);
            }
        }
        for id in agents.populations() {
            if let Some(population) = agents.population(id)
                && population.len() >= MANY
            {
                let behaviour = population.program().behaviour();
                let actions = deeds(behaviour);
                let mut counts = vec![0; actions.len() + 1];
                let does = self.activity.does(id, behaviour).into_iter();
                does.for_each(|deed| counts[deed] += 1);
                timeline.note_shares(tick, id, (&actions, &counts));
            }
        }
    }
}

/// Somebody who has not been followed so far.
fn fresh(
    agents: &dyn Agents,
    roster: &Roster,
    (nth, id): (usize, PopulationId),
    population: &Population,
) -> Follower {
    let (name, behaviour) = (roster.name(agents, nth), population.program().behaviour());
    let fellows = Fellows::numbered(&agents.name(id));
    Follower::new(&name, usize::from(id.number()), behaviour)
        .among(fellows)
        .of_test(agents.are_tested())
}
