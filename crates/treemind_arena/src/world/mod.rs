//! The world: its contents, and one step of time.

mod cues;
mod fight;
mod hero;
mod pool;
mod round;
mod routine;
mod saving;
mod tell;

pub use pool::Pool;
pub(crate) use saving::Saved;

use crate::body::{Body, Vital};
use crate::event::{Event, EventKind};
use crate::geometry::{Cell, Point};
use crate::ground::Ground;
use crate::hash::Fnv;
use crate::ids::BodyId;
use crate::map::{FactValue, MapError, Scenario};
use crate::things::{DoorState, Kind, Thing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use treemind::core::chance::Draw;

/// Handles of things start here, those of bodies at 1.
const FIRST_THING: u64 = 1 << 16;

/// The settings in which two runs of a scenario may differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The seed of all random numbers: how hard each blow is.
    pub seed: u64,
    /// Whether another round begins when one is over.
    pub rounds: bool,
}

/// A noise of this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Noise {
    /// Where.
    pub place: Point,
    /// How far it is heard, in millimetres; half as far through walls and closed doors.
    pub range_mm: i32,
    /// Who made it; `None` for a noise of the script.
    pub by: Option<BodyId>,
}

/// A two-dimensional world with a fixed time step, in whole numbers.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) ground: Ground,
    pub(crate) bodies: Vec<Body>,
    pub(crate) things: Vec<Thing>,
    facts: BTreeMap<String, FactValue>,
    /// The facts that hold in this tick only.
    pulses: Vec<String>,
    pub(crate) noises: Vec<Noise>,
    /// The noises of the last step.
    sounds: Vec<Noise>,
    /// Which bodies have heard a noise in this tick, and how loud it was.
    heard: Vec<(BodyId, i32)>,
    pub(crate) finders: Pool,
    pub(crate) engines: Pool,
    rules: Rules,
    tick: u64,
    round_tick: u64,
    over_tick: Option<u64>,
    next_cue: usize,
    next_entity: u64,
    /// The bodies whose minds decide right now, by agent of their population.
    acting: Vec<BodyId>,
    events: Vec<Event>,
    said: Vec<String>,
}

impl World {
    /// The world of a scenario in its text form.
    ///
    /// # Errors
    /// When the text is not a scenario.
    pub fn load(text: &str, rules: Rules) -> Result<Self, MapError> {
        Ok(Self::new(Scenario::parse(text)?, rules))
    }

    /// The world of a scenario.
    pub fn new(scenario: Scenario, rules: Rules) -> Self {
        let scenario = Arc::new(scenario);
        let mut world = Self {
            ground: Ground::new(scenario.grid.clone()),
            bodies: Vec::new(),
            things: Vec::new(),
            facts: BTreeMap::new(),
            pulses: Vec::new(),
            noises: Vec::with_capacity(16),
            sounds: Vec::with_capacity(16),
            heard: Vec::with_capacity(16),
            finders: Pool::new(scenario.rules.finders),
            engines: Pool::new(scenario.rules.engines),
            rules,
            tick: 0,
            round_tick: 0,
            over_tick: None,
            next_cue: 0,
            next_entity: FIRST_THING,
            acting: Vec::new(),
            events: Vec::with_capacity(16),
            said: Vec::new(),
            scenario,
        };
        for nth in 0..world.scenario.actors.len() {
            let body = world.born(nth);
            world.bodies.push(body);
        }
        world.place_things();
        world
    }

    /// A body in its state at the beginning.
    fn born(&self, nth: usize) -> Body {
        let (traits, start) = &self.scenario.actors[nth];
        Body::new(traits, *start, self.scenario.spot(&traits.route))
    }

    /// Everything that happens before minds decide: time passes, bodies without a mind act, all bodies look around
    /// and listen. The events of the last step are discarded.
    pub fn step(&mut self) {
        self.events.clear();
        self.said.clear();
        self.heard.clear();
        self.tick += 1;
        self.begin_round_when_due();
        self.play_cues();
        for who in self.ids() {
            self.arrive(who);
            self.live(who);
            if self.body(who).is_up() {
                match self.body(who).traits.mind {
                    None if self.body(who).is_steered() => self.step_steered(who),
                    None => self.step_routine(who),
                    Some(_) => self.carry_out(who),
                }
            }
        }
        self.open_doors_walked_into();
        self.leave_lines();
        for who in self.ids() {
            self.rest(who);
            self.perceive(who);
        }
        self.note_places();
        std::mem::swap(&mut self.noises, &mut self.sounds);
        self.noises.clear();
        self.see_whether_it_is_over();
    }

    fn open_doors_walked_into(&mut self) {
        for nth in 0..self.things.len() {
            let thing = &self.things[nth];
            if thing.kind != Kind::Door || thing.door != DoorState::Closed {
                continue;
            }
            let cell = thing.cell;
            let is_there = |body: &&Body| body.is_up() && body.place().cell() == cell;
            let walker = self.bodies.iter().position(|body| is_there(&body));
            if let Some(walker) = walker {
                self.open_door(BodyId(walker as u16), nth);
            }
        }
    }

    /// Opens a door, by its position among the things.
    pub(crate) fn open_door(&mut self, who: BodyId, nth: usize) {
        self.things[nth].door = DoorState::Open;
        self.ground.take_doors(&self.things);
        self.report(who, EventKind::Opens);
    }

    /// The numbers of all bodies.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len()).map(|nth| BodyId(nth as u16))
    }

    /// All bodies, in the order of their numbers.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// A body.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn body(&self, who: BodyId) -> &Body {
        &self.bodies[who.index()]
    }

    pub(crate) fn body_mut(&mut self, who: BodyId) -> &mut Body {
        &mut self.bodies[who.index()]
    }

    /// The number of the body with this name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.scenario.actor(name).map(|nth| BodyId(nth as u16))
    }

    /// The body with this handle.
    pub fn body_of(&self, entity: u64) -> Option<BodyId> {
        let nth = usize::try_from(entity).ok()?.checked_sub(1)?;
        (nth < self.bodies.len()).then_some(BodyId(nth as u16))
    }

    /// All things in the world.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// The scenario that the world started from.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Where bodies can walk and see.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The path finders: which bodies have one, and how many there are.
    pub fn finders(&self) -> &Pool {
        &self.finders
    }

    /// The animation engines: which bodies have one, and how many there are.
    pub fn engines(&self) -> &Pool {
        &self.engines
    }

    /// The value of a fact, as the script has set it.
    pub fn fact(&self, name: &str) -> Option<&FactValue> {
        self.facts.get(name)
    }

    /// Whether a fact is true: set, and neither to 0 nor to `no`.
    pub fn is_so(&self, name: &str) -> bool {
        self.fact(name)
            .is_some_and(|value| !matches!(value, FactValue::Number(0) | FactValue::Truth(false)))
    }

    /// All facts, by name.
    pub fn facts(&self) -> impl Iterator<Item = (&str, &FactValue)> {
        self.facts
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Which bodies have heard a noise in this tick, of the script or of enemies, and up to which distance it can be
    /// heard, in millimetres.
    pub fn heard(&self) -> &[(BodyId, i32)] {
        &self.heard
    }

    /// The noises of this tick, without steps.
    pub fn sounds(&self) -> &[Noise] {
        &self.sounds
    }

    /// The settings of this run.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of steps so far.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// What has happened since the last call of [`step`](Self::step), in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What minds have logged and emitted since the last step began.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    pub(crate) fn say(&mut self, text: String) {
        self.said.push(text);
    }

    pub(crate) fn report(&mut self, who: BodyId, what: EventKind) {
        self.push_event(Some(who), what);
    }

    fn push_event(&mut self, who: Option<BodyId>, what: EventKind) {
        self.events.push(Event {
            tick: self.tick,
            who,
            what,
        });
    }

    /// Makes a noise, which is heard in the next step.
    pub(crate) fn make_noise(&mut self, by: BodyId, range_mm: i32) {
        self.noises.push(Noise {
            place: self.body(by).place(),
            range_mm,
            by: Some(by),
        });
    }

    /// Records that a body has heard a noise, and where it came from.
    pub(crate) fn note_heard(&mut self, who: BodyId, place: Point, range_mm: i32) {
        self.heard.push((who, range_mm));
        self.body_mut(who).noise_place = Some(place);
    }

    /// Sets whose minds decide from now on: the agents of one population.
    pub(crate) fn let_act(&mut self, bodies: &[BodyId]) {
        self.acting.clear();
        self.acting.extend_from_slice(bodies);
    }

    /// The body of an agent among those that decide right now.
    pub(crate) fn acting(&self, agent: usize) -> BodyId {
        self.acting[agent]
    }

    /// A random number below `bound`, drawn for a body in this tick.
    pub(crate) fn draw(&self, who: BodyId, node: u32, bound: u32) -> u32 {
        let draw = Draw {
            seed: self.rules.seed,
            agent: u64::from(who.0),
            node,
            tick: self.tick,
            nth: 0,
        };
        draw.below(bound)
    }

    /// Whether a body sees a square.
    pub fn sees(&self, who: BodyId, cell: Cell) -> bool {
        let body = self.body(who);
        body.is_up()
            && body
                .traits
                .eye
                .sees(&self.ground, body.place(), body.facing(), cell.centre())
    }

    /// Whether a body with a mind is dead.
    fn is_dead_mind(body: &Body) -> bool {
        body.traits.mind.is_some() && body.vital == Vital::Dead
    }

    /// A hash of everything that can change, the same on every machine.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Fnv::new();
        (&self.ground, &self.bodies, &self.things).hash(&mut hasher);
        (&self.facts, &self.noises, &self.finders, &self.engines).hash(&mut hasher);
        (self.tick, self.round_tick, self.over_tick).hash(&mut hasher);
        (self.next_cue, self.next_entity, &self.events).hash(&mut hasher);
        hasher.finish()
    }
}
