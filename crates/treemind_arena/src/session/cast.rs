//! A cast: all bodies with the same behaviour, as the agents of a population.

use crate::body::{BodyId, Weapon};
use crate::map::Mind;
use crate::registry;
use crate::sense::{WrittenKey, written_keys};
use crate::world::World;
use std::sync::Arc;
use std::time::Duration;
use treemind::behaviour::LeafKind;
use treemind::{
    Behaviour, BindError, Bound, KeyId, LeafId, Population, Program, Trace, Type, Value,
};

/// A body of a cast, and the start values of its keys.
#[derive(Clone)]
struct Member {
    who: BodyId,
    start: Vec<(KeyId, Value)>,
}

/// The bodies with one behaviour.
#[derive(Clone)]
pub(super) struct Cast {
    mind: Mind,
    program: Arc<Program>,
    /// Shared by clones: the leaves of the arena have no state; everything is in the world.
    bound: Arc<Bound<World>>,
    population: Population,
    members: Vec<Member>,
    /// The body of each agent, by the agent's index; for a removed agent, the body that it had.
    agents: Vec<BodyId>,
    written_keys: Vec<WrittenKey>,
    /// The event that machines get for a noise, with the types of its values.
    noise: Option<(LeafId, Vec<Type>)>,
}

impl Cast {
    pub(super) fn new(mind: Mind, behaviour: Behaviour, world: &World) -> Result<Self, BindError> {
        let mut registry = registry();
        let events = behaviour.leaves().iter();
        for event in events.filter(|leaf| leaf.kind == LeafKind::Event) {
            registry.on_event(&event.name, |world: &mut World, me| world.say(me.text()));
        }
        let bound = registry.bind(&behaviour)?;
        let noise = behaviour.leaf_id("noise").and_then(|id| {
            let leaf = behaviour.leaf(id);
            let types = leaf.params.iter().map(|param| param.ty).collect();
            (leaf.kind == LeafKind::Event).then_some((id, types))
        });
        let written_keys = written_keys(&behaviour, world);
        let program = Arc::new(Program::new(behaviour));
        Ok(Self {
            mind,
            population: Population::new(Arc::clone(&program), 0).with_seed(world.rules().seed),
            program,
            bound: Arc::new(bound),
            members: Vec::new(),
            agents: Vec::new(),
            written_keys,
            noise,
        })
    }

    /// Adds a body, with start values of keys.
    pub(super) fn add(&mut self, who: BodyId, start: &[(KeyId, Value)]) {
        self.members.push(Member {
            who,
            start: start.to_vec(),
        });
        self.spawn(self.members.len() - 1);
    }

    fn spawn(&mut self, member: usize) {
        let Member { who, start } = &self.members[member];
        // The values have the types of their keys, because the document was checked.
        let agent = match self.population.spawn_as(start) {
            Ok(agent) => agent,
            Err(_) => self.population.spawn(),
        };
        match self.agents.get_mut(agent) {
            Some(place) => *place = *who,
            None => self.agents.push(*who),
        }
    }

    /// The weapon that a body's key `weapon` names, if it names one.
    pub(super) fn named_weapon(&self, who: BodyId) -> Option<&'static Weapon> {
        let behaviour = self.behaviour();
        let key = behaviour.key_id("weapon")?;
        match self.population.find(self.agent_of(who)?, key)? {
            Value::Text(text) => Weapon::of(text.as_str()),
            Value::Enum(list, nth) => {
                let names = &behaviour.enumeration(list).values;
                Weapon::of(names.get(nth as usize)?)
            }
            _ => None,
        }
    }

    pub(super) fn mind(&self) -> &Mind {
        &self.mind
    }

    pub(super) fn first(&self) -> BodyId {
        self.members[0].who
    }

    pub(super) fn has(&self, who: BodyId) -> bool {
        self.members.iter().any(|member| member.who == who)
    }

    pub(super) fn population(&self) -> &Population {
        &self.population
    }

    pub(super) fn behaviour(&self) -> &Behaviour {
        self.program.behaviour()
    }

    /// The agent of a body, if it has one now.
    pub(super) fn agent_of(&self, who: BodyId) -> Option<usize> {
        let agents = self.agents.iter().enumerate();
        let mut own = agents.filter(|(_, other)| **other == who);
        own.find_map(|(agent, _)| self.population.is_alive(agent).then_some(agent))
    }

    pub(super) fn tick(&mut self, world: &mut World, dt: Duration, mut trace: Option<&mut Trace>) {
        for nth in 0..self.members.len() {
            let who = self.members[nth].who;
            match (self.agent_of(who), world.body(who).is_minded()) {
                (Some(agent), false) => self.remove(world, agent, trace.as_deref_mut()),
                (None, true) => self.spawn(nth),
                _ => {}
            }
        }
        self.write_keys(world);
        self.send_noises(world);
        let is_anybody_there = (0..self.agents.len()).any(|agent| self.population.is_alive(agent));
        world.let_act(&self.agents);
        let host = &mut self.bound.host(world);
        match trace {
            // If no agent is left, the trace keeps what the removed agents aborted.
            Some(trace) if is_anybody_there => {
                self.population.tick_traced(host, dt, trace);
            }
            _ => {
                self.population.tick(host, dt);
            }
        }
    }

    fn remove(&mut self, world: &mut World, agent: usize, trace: Option<&mut Trace>) {
        world.let_act(&self.agents);
        let host = &mut self.bound.host(world);
        if let Some(trace) = trace {
            self.population.abort_traced(host, agent, trace);
        }
        self.population.remove(host, agent);
    }

    /// Removes all agents.
    pub(super) fn dismiss(&mut self, world: &mut World) {
        for agent in 0..self.agents.len() {
            self.remove(world, agent, None);
        }
    }

    /// Writes the keys that the arena provides. Writing fails only for a value of another type, and the types are
    /// right.
    fn write_keys(&mut self, world: &World) {
        for (agent, who) in self.agents.iter().enumerate() {
            if !self.population.is_alive(agent) {
                continue;
            }
            for written in &self.written_keys {
                match written.value(self.program.behaviour(), world, *who) {
                    Some(value) => {
                        let _ = self.population.set(agent, written.key(), value);
                    }
                    None if written.is_unset_when_absent() => {
                        self.population.board(agent).unset(written.key(), agent);
                    }
                    None => {}
                }
            }
        }
    }

    /// Sends the noises that were heard to machines.
    fn send_noises(&mut self, world: &World) {
        let Some((event, types)) = &self.noise else {
            return;
        };
        for &(who, range_mm) in world.heard() {
            let volume = Value::Float(range_mm as f32 / 1_000.0);
            let values = types.iter().map(|ty| match ty {
                Type::Int => Some(Value::Int(i64::from(range_mm / 1_000))),
                ty => volume.widened(*ty),
            });
            let values: Option<Vec<Value>> = values.collect();
            let agents = self.agents.iter().enumerate();
            let mut own = agents.filter(|(_, other)| **other == who);
            let agent = own.find(|(agent, _)| self.population.is_alive(*agent));
            if let (Some((agent, _)), Some(values)) = (agent, values) {
                self.population.send(agent, *event, &values);
            }
        }
    }

    /// Takes the faults, as sentences.
    pub(super) fn take_faults(&mut self, lines: &mut Vec<String>) -> u64 {
        let faults = self.population.take_faults();
        for fault in &faults {
            let label = self.program.behaviour().label(fault.node);
            lines.push(format!("{label}: {}", fault.kind));
        }
        faults.total()
    }
}
