//! A behaviour played in the arena, tick by tick.

use crate::arena::Arena;
use crate::event::Event;
use crate::{TICK, registry};
use std::sync::Arc;
use treemind::behaviour::LeafKind;
use treemind::{
    Behaviour, BindError, Bound, Faults, Held, KeyId, Population, Program, Trace, Type, Value,
};

/// The guard's behaviour and its world.
///
/// Each tick: the arena steps, the guard's hit points are written to the key `health` where the behaviour has one of a
/// number type, and the tree is ticked. A dead guard decides nothing: what ran in it is aborted.
pub struct Session {
    arena: Arena,
    bound: Bound<Arena>,
    program: Arc<Program>,
    population: Population,
    health: Option<KeyId>,
    was_alive: bool,
}

impl Session {
    /// Connects a behaviour with an arena, one guard each.
    ///
    /// # Errors
    /// When the behaviour needs leaves that the arena does not offer.
    pub fn new(behaviour: Behaviour, arena: Arena) -> Result<Self, BindError> {
        let mut registry = registry();
        let events = behaviour.leaves().iter();
        for event in events.filter(|leaf| leaf.kind == LeafKind::Event) {
            registry.on_event(&event.name, |arena: &mut Arena, me| arena.say(me.text()));
        }
        let bound = registry.bind(&behaviour)?;
        let health = behaviour
            .key_id("health")
            .filter(|&key| behaviour.key(key).ty.is_number() && !behaviour.key(key).form.is_list());
        let program = Arc::new(Program::new(behaviour));
        Ok(Self {
            population: Population::new(Arc::clone(&program), 1).with_seed(arena.rules().seed),
            was_alive: arena.guard().is_alive(),
            arena,
            bound,
            program,
            health,
        })
    }

    /// One tick; what happened in it.
    pub fn step(&mut self) -> &[Event] {
        self.step_with(None)
    }

    /// As [`step`](Self::step), and writes down what every node did; what was in the trace is forgotten.
    pub fn step_traced(&mut self, trace: &mut Trace) -> &[Event] {
        self.step_with(Some(trace))
    }

    fn step_with(&mut self, trace: Option<&mut Trace>) -> &[Event] {
        self.arena.step();
        let is_alive = self.arena.guard().is_alive();
        let was_alive = std::mem::replace(&mut self.was_alive, is_alive);
        self.write_health();
        let host = &mut self.bound.host(&mut self.arena);
        match (is_alive, was_alive, trace) {
            (true, _, None) => {
                self.population.tick(host, TICK);
            }
            (true, _, Some(trace)) => {
                self.population.tick_traced(host, TICK, trace);
            }
            (false, true, None) => self.population.abort_all(host),
            (false, true, Some(trace)) => self.population.abort_all_traced(host, trace),
            (false, false, None) => {}
            (false, false, Some(trace)) => trace.clear(),
        }
        self.arena.events()
    }

    fn write_health(&mut self) {
        let Some(key) = self.health else {
            return;
        };
        let points = self.arena.guard().health();
        let value = match self.program.behaviour().key(key).ty {
            Type::Float => Value::Float(points as f32),
            _ => Value::Int(i64::from(points)),
        };
        // An int widens to every other number type, so this cannot fail.
        let _ = self.population.set(0, key, value);
    }

    /// The world.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The guard as what is ticked: its state, and what can be asked of it.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// The behaviour that is played.
    pub fn behaviour(&self) -> &Behaviour {
        self.program.behaviour()
    }

    /// What a key of the guard's blackboard holds.
    pub fn held(&self, key: KeyId) -> Held<'_> {
        self.population.held(0, key)
    }

    /// What went wrong since it was last taken.
    pub fn take_faults(&mut self) -> Faults {
        self.population.take_faults()
    }
}
