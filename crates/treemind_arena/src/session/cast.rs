//! A cast: all bodies with the same behaviour, as the agents of a population of the society.

use crate::act::say;
use crate::body::{Mind, Weapon};
use crate::ids::BodyId;
use crate::registry;
use crate::sense::{WrittenKey, written_keys};
use crate::session::SessionError;
use crate::stubbing;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;
use treemind::blackboard::{KeyId, Type, Value};
use treemind::core::behaviour::LeafKind;
use treemind::core::host::{Stub, Stubs};
use treemind::core::society::Step;
use treemind::core::{Host, LeafId};
use treemind::population::{Behaviour, Bound, Limits, Population, PopulationId, Program, Society};
use treemind::trace::Trace;
use treemind::{BindError, Faults, Migration};
use treemind_recording::Recorder;

/// A body of a cast, its group, the start values of its keys, and its interval.
#[derive(Clone)]
struct Member {
    who: BodyId,
    group: u32,
    start: Vec<(KeyId, Value)>,
    interval: u32,
}

/// The bodies with one behaviour.
#[derive(Clone)]
pub(super) struct Cast {
    mind: Mind,
    program: Arc<Program>,
    /// Shared by clones: the leaves of the arena have no state; everything is in the world.
    bound: Arc<Bound<World>>,
    /// The leaves that the arena does not have, if they may be without code.
    stubs: Stubs,
    id: PopulationId,
    members: Vec<Member>,
    /// The body of each agent, by the agent's index; for a removed agent, the body that it had.
    agents: Vec<BodyId>,
    written_keys: Vec<WrittenKey>,
    /// The event that machines get for a noise, with the types of its values.
    noise: Option<(LeafId, Vec<Type>)>,
}

impl Cast {
    /// A cast without bodies, whose population joins the society.
    pub(super) fn new(
        mind: Mind,
        behaviour: Behaviour,
        world: &World,
        society: &mut Society,
        has_stubs: bool,
    ) -> Result<Self, SessionError> {
        let (bound, stubs) = bound_to(&behaviour, has_stubs)?;
        let noise = noise_of(&behaviour);
        let written_keys = written_keys(&behaviour, world);
        let name = behaviour.name().to_owned();
        let program = Arc::new(Program::new(behaviour));
        let population = Population::new(Arc::clone(&program), 0).with_seed(world.rules().seed);
        Ok(Self {
            mind,
            id: society.join(name, population)?,
            program,
            bound: Arc::new(bound),
            stubs,
            members: Vec::new(),
            agents: Vec::new(),
            written_keys,
            noise,
        })
    }

    /// Continues with another behaviour.
    pub(super) fn change(
        &mut self,
        behaviour: Behaviour,
        society: &mut Society,
        world: &mut World,
        stubbed: Option<&BTreeMap<String, Stub>>,
    ) -> Result<Migration, SessionError> {
        let (bound, mut stubs) = bound_to(&behaviour, stubbed.is_some())?;
        for (leaf, stub) in stubbed.into_iter().flatten() {
            if let Some(leaf) = behaviour.leaf_id(leaf) {
                stubs.set(&behaviour, leaf, stub);
            }
        }
        let noise = noise_of(&behaviour);
        let written_keys = written_keys(&behaviour, world);
        let program = Arc::new(Program::new(behaviour));
        world.let_act(&self.agents);
        let host = &mut self.stubs.around(self.bound.host(world));
        let migration = society.change_program(self.id, Arc::clone(&program), host)?;
        stubs.go_on_from(&self.stubs);
        self.stubs = stubs;
        (self.bound, self.noise) = (Arc::new(bound), noise);
        (self.written_keys, self.program) = (written_keys, program);
        for member in &mut self.members {
            member.start.clear();
        }
        Ok(migration)
    }

    /// Asks for the start values of the keys of each body.
    pub(super) fn start_again(
        &mut self,
        start: impl Fn(BodyId, &Behaviour) -> Option<Vec<(KeyId, Value)>>,
    ) {
        for member in &mut self.members {
            member.start = start(member.who, self.program.behaviour()).unwrap_or_default();
        }
    }

    /// Adds a body to a group, with start values of keys and an interval.
    pub(super) fn add(
        &mut self,
        society: &mut Society,
        (who, group): (BodyId, u32),
        (start, interval): (&[(KeyId, Value)], u32),
    ) {
        self.members.push(Member {
            who,
            group,
            start: start.to_vec(),
            interval,
        });
        self.spawn(society, self.members.len() - 1);
    }

    fn spawn(&mut self, society: &mut Society, member: usize) {
        let Member {
            who,
            group,
            start,
            interval,
        } = &self.members[member];
        let mut population = society.population_mut(self.id);
        // The values have the types of their keys, because the document was checked.
        let agent = match population.spawn_as(start) {
            Ok(agent) => agent,
            Err(_) => population.spawn(),
        };
        let agent = agent.index();
        population.set_group(agent, *group);
        population.set_interval(agent, *interval);
        match self.agents.get_mut(agent) {
            Some(place) => *place = *who,
            None => self.agents.push(*who),
        }
    }

    /// The weapon that a body's key `weapon` names, if it names one.
    pub(super) fn named_weapon(&self, society: &Society, who: BodyId) -> Option<&'static Weapon> {
        let behaviour = self.behaviour();
        let key = behaviour.key_id("weapon")?;
        let population = self.population(society);
        match population.find(self.agent_of(population, who)?, key)? {
            Value::Text(text) => Weapon::of(text.as_str()),
            Value::Enum(list, nth) => {
                let names = &behaviour.enumeration(list).values;
                Weapon::of(names.get(nth as usize)?)
            }
            _ => None,
        }
    }

    pub(super) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The body of each agent.
    pub(super) fn agents(&self) -> &[BodyId] {
        &self.agents
    }

    /// Takes over the bodies of agents that were restored; `false` if they are not those of the population.
    #[must_use]
    pub(super) fn restore(&mut self, agents: Vec<BodyId>, society: &Society) -> bool {
        let known = society.ids().any(|id| id == self.id);
        if !known || society.population(self.id).len() != agents.len() {
            return false;
        }
        let is_sound = agents.iter().all(|who| self.has(*who));
        self.agents = agents;
        is_sound
    }

    pub(super) fn mind(&self) -> &Mind {
        &self.mind
    }

    pub(super) fn has(&self, who: BodyId) -> bool {
        self.members.iter().any(|member| member.who == who)
    }

    pub(super) fn population<'s>(&self, society: &'s Society) -> &'s Population {
        society.population(self.id)
    }

    pub(super) fn behaviour(&self) -> &Behaviour {
        self.program.behaviour()
    }

    /// The agent of a body, if it has one now, in the cast's population.
    pub(super) fn agent_of(&self, population: &Population, who: BodyId) -> Option<usize> {
        let agents = self.agents.iter().enumerate();
        let mut own = agents.filter(|(_, other)| **other == who);
        own.find_map(|(agent, _)| population.is_alive(agent).then_some(agent))
    }

    /// Writes a key of an agent; returns whether the key takes the value.
    pub(super) fn set(
        &self,
        society: &mut Society,
        agent: usize,
        (key, value): (KeyId, Value),
    ) -> bool {
        let mut population = society.population_mut(self.id);
        population.set(agent, key, value).is_ok()
    }

    /// Sends an event to an agent; returns whether something waits for it.
    pub(super) fn send(
        &self,
        society: &mut Society,
        agent: usize,
        (event, values): (LeafId, &[Value]),
    ) -> bool {
        let mut population = society.population_mut(self.id);
        population.send(agent, event, values)
    }

    /// Before a step: bodies that died or came back lose or get their agents, and the agents learn what the world
    /// tells them.
    pub(super) fn prepare(
        &mut self,
        society: &mut Society,
        world: &mut World,
        mut trace: Option<&mut Trace>,
    ) {
        for nth in 0..self.members.len() {
            let who = self.members[nth].who;
            let agent = self.agent_of(self.population(society), who);
            match (agent, world.body(who).is_minded()) {
                (Some(agent), false) => self.remove(society, world, agent, trace.as_deref_mut()),
                (None, true) => self.spawn(society, nth),
                _ => {}
            }
        }
        self.write_keys(society, world);
        self.send_noises(society, world);
    }

    /// Ticks all agents.
    pub(super) fn tick(
        &mut self,
        step: &mut Step<'_>,
        world: &mut World,
        trace: Option<&mut Trace>,
        recorder: Option<&mut Recorder>,
    ) {
        world.let_act(&self.agents);
        self.stubs.grow(self.agents.len());
        let host = &mut self.stubs.around(self.bound.host(world));
        let mut taping;
        let host: &mut dyn Host = match recorder {
            Some(recorder) => {
                taping = recorder.host(Some(self.id), host);
                &mut taping
            }
            None => host,
        };
        match trace {
            Some(trace) => step.tick_traced(self.id, host, trace),
            None => step.tick(self.id, host),
        };
    }

    /// The names of the leaves without code, with their kinds.
    pub(super) fn stubs(&self) -> impl Iterator<Item = (&str, LeafKind)> {
        stubbing::names(self.behaviour(), &self.stubs)
    }

    /// Lets a leaf without code answer in a way.
    pub(super) fn stub(&mut self, leaf: &str, stub: &Stub) {
        let behaviour = self.program.behaviour();
        if let Some(leaf) = behaviour.leaf_id(leaf) {
            self.stubs.set(behaviour, leaf, stub);
        }
    }

    /// Whether any body has an agent.
    pub(super) fn is_anybody_there(&self, society: &Society) -> bool {
        let population = self.population(society);
        (0..self.agents.len()).any(|agent| population.is_alive(agent))
    }

    fn remove(
        &mut self,
        society: &mut Society,
        world: &mut World,
        agent: usize,
        trace: Option<&mut Trace>,
    ) {
        world.let_act(&self.agents);
        let host = &mut self.stubs.around(self.bound.host(world));
        let mut population = society.population_mut(self.id);
        if let Some(trace) = trace {
            population.abort_traced(agent, host, trace);
        }
        population.remove(agent, host);
    }

    /// Removes all agents.
    pub(super) fn dismiss(&mut self, society: &mut Society, world: &mut World) {
        for agent in 0..self.agents.len() {
            self.remove(society, world, agent, None);
        }
    }

    /// Writes the keys that the arena provides. Writing fails only for a value of another type, and the types are
    /// right.
    fn write_keys(&mut self, society: &mut Society, world: &World) {
        let mut population = society.population_mut(self.id);
        for (agent, who) in self.agents.iter().enumerate() {
            if !population.is_alive(agent) {
                continue;
            }
            for written in &self.written_keys {
                match written.value(self.program.behaviour(), world, *who) {
                    Some(value) => {
                        let _ = population.set(agent, written.key(), value);
                    }
                    None if written.is_unset_when_absent() => {
                        population.board(agent).unset(written.key(), agent);
                    }
                    None => {}
                }
            }
        }
    }

    /// Sends the noises that were heard to machines.
    fn send_noises(&mut self, society: &mut Society, world: &World) {
        let Some((event, types)) = &self.noise else {
            return;
        };
        let mut population = society.population_mut(self.id);
        for &(who, range_mm) in world.heard() {
            let volume = Value::Float(range_mm as f32 / 1_000.0);
            let values = types.iter().map(|ty| match ty {
                Type::Int => Some(Value::Int(i64::from(range_mm / 1_000))),
                ty => volume.widened(*ty),
            });
            let values: Option<Vec<Value>> = values.collect();
            if let (Some(agent), Some(values)) = (self.agent_of(&population, who), values) {
                population.send(agent, *event, &values);
            }
        }
    }

    /// Takes the faults.
    pub(super) fn take_faults(&self, society: &mut Society) -> Faults {
        society.population_mut(self.id).take_faults()
    }

    pub(super) fn set_limits(&self, society: &mut Society, limits: Limits) {
        society.population_mut(self.id).set_limits(limits);
    }
}

/// The leaves of the arena for a behaviour, and those that it does not have, if these may be without code.
fn bound_to(behaviour: &Behaviour, has_stubs: bool) -> Result<(Bound<World>, Stubs), BindError> {
    let mut registry = registry();
    let events = behaviour.leaves().iter();
    for event in events.filter(|leaf| leaf.kind == LeafKind::Event) {
        registry.on_event(&event.name, |world: &mut World, me| say(world, me));
    }
    let missing = stubbing::let_be_missing(&mut registry, behaviour, has_stubs);
    Ok((registry.bind(behaviour)?, Stubs::new(behaviour, missing)))
}

/// The event that machines get for a noise, with the types of its values.
fn noise_of(behaviour: &Behaviour) -> Option<(LeafId, Vec<Type>)> {
    let id = behaviour.leaf_id("noise")?;
    let leaf = behaviour.leaf(id);
    let types = leaf.params.iter().map(|param| param.ty).collect();
    (leaf.kind == LeafKind::Event).then_some((id, types))
}
