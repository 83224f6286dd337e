//! A crowd: very many people who follow one behaviour, in columns instead of one object each.
//!
//! A map with the rule `crowd N` has no actors. Its people live at the spots `home` and go to the other spots.
//! Everybody who is at the same place is in one group: events with `to=group` and keys with `scope=group` belong to a
//! place.

mod act;
mod people;
mod reloading;
mod saving;
mod town;

pub use people::{Danger, Deed};
pub(crate) use saving::readable;

use crate::geometry::Point;
use crate::grid::Grid;
use crate::hash::Fnv;
use crate::map::{CueKind, Scenario};
use crate::session::SessionError;
use crate::stubbing::{self, Stubbing};
use crate::time::{TICK, TICKS_PER_SEC};
use people::{Now, Quarter};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use town::Town;
use treemind::blackboard::{KeyId, Type, Value, WrongType};
use treemind::core::behaviour::{LeafKind, Scope};
use treemind::core::host::Stub;
use treemind::core::{Host, LeafId};
use treemind::population::{Behaviour, Bound, Limits, Population, Program};
use treemind::trace::Trace;
use treemind::{BindError, Document, Faults};
use treemind_recording::Recorder;

/// How long a day is, in ticks, and the hour at which the first one begins.
const DAY_TICKS: u64 = 2_400;
const FIRST_HOUR: u64 = 5;
/// For how long a noise of the script is a danger, in ticks.
const DANGER_TICKS: u64 = 200;
/// The largest crowd.
pub const MAX_CROWD: usize = 1_000_000;

/// A crowd that is played tick by tick. Its course depends on the map, the behaviour, the number of people and the
/// seed, but not on the number of threads. A clone continues exactly as the original does.
#[derive(Clone)]
pub struct Crowd {
    scenario: Scenario,
    town: Arc<Town>,
    population: Population,
    bound: Arc<Bound<Quarter>>,
    /// The leaves that a crowd does not have, if they may be without code. Then it is played on one thread.
    stubbing: Option<Stubbing>,
    quarters: Vec<Quarter>,
    now: Now,
    next_cue: usize,
    dangers: i64,
    /// The keys of the world that the arena writes: the number of the last danger, and the hour.
    danger_key: Option<KeyId>,
    hour_key: Option<KeyId>,
    said: Vec<String>,
    /// How many messages were sent in this second.
    told: u64,
    /// The names and texts of the document's files; the first is that of the document.
    files: Vec<(String, String)>,
    /// Keys that are written before each tick, after the arena has written its own.
    held: Vec<(usize, KeyId, Value)>,
}

impl Crowd {
    /// A crowd of `people` on a map, played on this many threads.
    ///
    /// # Errors
    /// When the behaviour needs leaves that a crowd does not have; when the map has no spot `home`, or a script with
    /// something else than noises.
    pub fn new(
        behaviour: Behaviour,
        scenario: Scenario,
        people: usize,
        threads: usize,
        seed: u64,
    ) -> Result<Self, SessionError> {
        Self::begun((behaviour, scenario), (people, threads), seed, false)
    }

    /// The same on one thread, but a leaf that a crowd does not have is a [stub](Self::stub): it has no code, and answers as
    /// one says.
    ///
    /// # Errors
    /// As [`new`](Self::new), except for leaves that a crowd does not have.
    pub fn with_stubs(
        behaviour: Behaviour,
        scenario: Scenario,
        people: usize,
        seed: u64,
    ) -> Result<Self, SessionError> {
        Self::begun((behaviour, scenario), (people, 1), seed, true)
    }

    fn begun(
        (behaviour, scenario): (Behaviour, Scenario),
        (people, threads): (usize, usize),
        seed: u64,
        has_stubs: bool,
    ) -> Result<Self, SessionError> {
        if scenario.spot("home").is_none() {
            let text = "a crowd needs spots with the name `home`";
            return Err(SessionError::Mind(text.to_owned()));
        }
        let is_noise = |kind: &CueKind| matches!(kind, CueKind::Noise(..));
        if let Some(cue) = scenario.script.iter().find(|cue| !is_noise(&cue.kind)) {
            let text = format!("line {}: the script of a crowd has only noises", cue.line);
            return Err(SessionError::Mind(text));
        }
        let (bound, missing) = bound_to(&behaviour, has_stubs)?;
        let stubbing = has_stubs.then(|| Stubbing::new(&behaviour, missing));
        let [danger_key, hour_key] = written_keys(&behaviour);
        let program = Arc::new(Program::new(behaviour));
        let people = people.clamp(1, MAX_CROWD);
        let population = Population::new(program, people)
            .with_seed(seed)
            .with_limits(scenario.rules.limits());
        let town = Arc::new(Town::new(&scenario, seed));
        let parts = population.parts(threads.max(1));
        let quarters = parts.map(|part| Quarter::new(&town, part)).collect();
        Ok(Self {
            scenario,
            town,
            population,
            bound: Arc::new(bound),
            stubbing,
            quarters,
            now: Now::default(),
            next_cue: 0,
            dangers: 0,
            danger_key,
            hour_key,
            said: Vec::new(),
            told: 0,
            files: Vec::new(),
            held: Vec::new(),
        })
    }

    /// The same crowd, of this document: its text is part of what is [saved](Self::save).
    #[must_use]
    pub fn of_document(mut self, document: &Document) -> Self {
        self.files = document.texts();
        self
    }

    /// Plays one tick.
    pub fn step(&mut self) {
        self.step_recorded(None);
    }

    /// Plays one tick, and records it if there is a recorder, and the whole crowd now and then.
    pub fn step_recorded(&mut self, mut recorder: Option<&mut Recorder>) {
        if let Some(recorder) = recorder.as_deref_mut()
            && recorder.is_state_due(&self.population)
        {
            let game = self.save();
            recorder.state(&mut self.population, &game);
        }
        self.before_tick();
        let bound = &self.bound;
        let hosts = self.quarters.iter_mut().map(|quarter| bound.host(quarter));
        let mut hosts: Vec<_> = hosts.collect();
        let population = &mut self.population;
        let people = population.len();
        match (&mut self.stubbing, hosts.pop()) {
            (Some(stubbing), Some(host)) if !stubbing.is_empty() => {
                tick(population, &mut [stubbing.around(host, people)], recorder);
            }
            (_, last) => {
                hosts.extend(last);
                tick(population, &mut hosts, recorder);
            }
        }
        self.told += self.messages();
    }

    /// Plays one tick, and records what happens.
    ///
    /// # Panics
    /// When it is played on several threads.
    pub fn step_traced(&mut self, trace: &mut Trace) {
        self.before_tick();
        let [quarter] = &mut self.quarters[..] else {
            panic!("only a crowd on one thread is traced");
        };
        let host = &mut self.bound.host(quarter);
        match &mut self.stubbing {
            Some(stubbing) if !stubbing.is_empty() => {
                let host = &mut stubbing.around(host, self.population.len());
                self.population.tick_traced(host, TICK, trace)
            }
            _ => self.population.tick_traced(host, TICK, trace),
        };
        self.told += self.messages();
    }

    /// The leaves that have no code, each with its kind and how it answers.
    pub fn stubs(&self) -> Vec<(&str, LeafKind, Stub)> {
        let behaviour = self.population.program().behaviour();
        let stubbing = self.stubbing.as_ref();
        stubbing.map_or_else(Vec::new, |stubbing| stubbing.all(behaviour))
    }

    /// Lets a leaf without code answer in a way, from its next call on.
    pub fn stub(&mut self, leaf: &str, stub: &Stub) {
        if let Some(stubbing) = &mut self.stubbing {
            stubbing.set(self.population.program().behaviour(), leaf, stub);
        }
    }

    /// What happens in the arena before people think.
    fn before_tick(&mut self) {
        self.said.clear();
        if self.now.tick.is_multiple_of(TICKS_PER_SEC) {
            self.told = 0;
        }
        self.now.tick += 1;
        let minute = FIRST_HOUR * 60 + self.now.tick * 24 * 60 / DAY_TICKS;
        self.now.minute = (minute % (24 * 60)) as u32;
        self.play_cues();
        self.write_keys();
        for quarter in &mut self.quarters {
            quarter.now.clone_from(&self.now);
            quarter.told = 0;
            // Whoever has come to a place, or left it, changes its group.
            for row in &quarter.moved {
                let at = quarter.at[*row as usize];
                let person = quarter.person(*row as usize);
                let group = at.map_or(0, |at| u32::from(at) + 1);
                self.population.set_group(person, group);
            }
            quarter.moved.clear();
        }
        for (person, key, value) in &self.held {
            // Whoever holds a key has read its value for it.
            let _ = self.population.set(*person, *key, *value);
        }
    }

    fn play_cues(&mut self) {
        let tick = self.now.tick;
        self.now.dangers.retain(|danger| danger.until > tick);
        while let Some(cue) = self.scenario.script.get(self.next_cue)
            && cue.tick <= tick
        {
            self.next_cue += 1;
            let CueKind::Noise(range_mm, spot) = &cue.kind else {
                continue;
            };
            if let Some(cell) = self.scenario.spot(spot) {
                self.now.dangers.push(Danger {
                    place: cell.centre(),
                    range_mm: *range_mm,
                    until: tick + DANGER_TICKS,
                });
                self.dangers += 1;
                self.said.push(format!("danger at the {spot}"));
            }
        }
    }

    /// Writes the keys of the world. Writing fails only for a value of another type, and the types are right.
    fn write_keys(&mut self) {
        if let Some(key) = self.danger_key {
            let _ = self.population.set_shared(key, 0, Value::Int(self.dangers));
        }
        if let Some(key) = self.hour_key {
            let hour = f32::from(self.now.minute as u16) / 60.0;
            let _ = self.population.set_shared(key, 0, Value::Float(hour));
        }
    }

    /// The number of ticks so far.
    pub fn tick(&self) -> u64 {
        self.now.tick
    }

    /// The minute of the day.
    pub fn minute(&self) -> u32 {
        self.now.minute
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.population.len()
    }

    /// How many people do what, in the order of [`Deed::ALL`].
    pub fn deeds(&self) -> [usize; Deed::ALL.len()] {
        let mut counts = [0; Deed::ALL.len()];
        for quarter in &self.quarters {
            for deed in &quarter.deed {
                counts[*deed as usize] += 1;
            }
        }
        counts
    }

    /// How many people are on each square, row by row.
    pub fn density(&self) -> Vec<u32> {
        let grid = &self.town.grid;
        let mut counts = vec![0; (grid.width() * grid.height()) as usize];
        let places = self.quarters.iter().flat_map(|quarter| &quarter.place);
        for square in places.filter_map(|place| self.town.square(*place)) {
            counts[square] += 1;
        }
        counts
    }

    /// Where everybody is, in the order of the agents.
    pub fn places(&self) -> impl Iterator<Item = Point> + '_ {
        self.quarters
            .iter()
            .flat_map(|quarter| quarter.place.iter().copied())
    }

    /// Writes a key of a person before the next tick.
    ///
    /// # Errors
    /// When the value is of another type than the key.
    pub fn set(&mut self, person: usize, key: KeyId, value: Value) -> Result<(), WrongType> {
        self.population.set(person, key, value)
    }

    /// Sends an event to a person, who sees it in the next tick; returns whether something waits for it.
    ///
    /// # Panics
    /// When there is no such person, the leaf is not an event of what people run, or the values do not fit its parameters.
    pub fn send(&mut self, person: usize, event: LeafId, values: &[Value]) -> bool {
        self.population.send(person, event, values)
    }

    /// From now on, these keys of people have these values in every tick, whatever the arena writes into them; an empty
    /// list ends that. They are no part of what is saved.
    pub fn hold_keys(&mut self, held: Vec<(usize, KeyId, Value)>) {
        self.held = held;
    }

    /// How many messages were sent in the last tick.
    pub fn messages(&self) -> u64 {
        self.quarters.iter().map(|quarter| quarter.told).sum()
    }

    /// How many messages were sent in the second of the last tick, so far.
    pub fn messages_this_second(&self) -> u64 {
        self.told
    }

    /// The dangers of this tick.
    pub fn dangers(&self) -> &[Danger] {
        &self.now.dangers
    }

    /// What has happened in the last tick, according to the script.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// The map.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The ground.
    pub fn grid(&self) -> &Grid {
        &self.town.grid
    }

    /// The people as the agents of a population.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// How many bytes a clone takes, about.
    pub fn bytes(&self) -> usize {
        let people = self.people() * people::BYTES;
        people + self.population.state_bytes() + self.population.working_bytes()
    }

    /// The faults since the last call.
    pub fn take_faults(&mut self) -> Faults {
        self.population.take_faults()
    }

    /// Sets limits of a tick from now on, for all people. What they do not say is as the map says.
    pub fn set_limits(&mut self, limits: Limits) {
        let of_map = self.scenario.rules.limits();
        self.population.set_limits(limits.or(of_map));
    }

    /// A hash of where everybody is and what everybody does, the same on every machine and for any number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Fnv::new();
        for quarter in &self.quarters {
            for (place, deed) in quarter.place.iter().zip(&quarter.deed) {
                (place, deed).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// Plays a tick of a population, and records it if there is a recorder.
fn tick<H: Host + Send>(
    population: &mut Population,
    hosts: &mut [H],
    mut recorder: Option<&mut Recorder>,
) {
    if let Some(recorder) = recorder.take_if(|recorder| recorder.begin(population, TICK)) {
        population.tick_in_parallel(&mut recorder.hosts(None, hosts), TICK);
        recorder.end(population);
    } else {
        population.tick_in_parallel(hosts, TICK);
    }
}

/// The leaves of a crowd for a behaviour, and those that it does not have, if these may be without code.
fn bound_to(
    behaviour: &Behaviour,
    has_stubs: bool,
) -> Result<(Bound<Quarter>, Vec<LeafId>), BindError> {
    let mut registry = act::registry();
    let events = behaviour.leaves().iter();
    for event in events.filter(|leaf| leaf.kind == LeafKind::Event) {
        registry.on_event(&event.name, |quarter: &mut Quarter, _| quarter.told += 1);
    }
    let missing = stubbing::let_be_missing(&mut registry, behaviour, has_stubs);
    Ok((registry.bind(behaviour)?, missing))
}

/// The keys of the world that the arena writes: the number of the last danger, and the hour.
fn written_keys(behaviour: &Behaviour) -> [Option<KeyId>; 2] {
    let written = |(name, ty)| {
        let id = behaviour.key_id(name)?;
        let key = behaviour.key(id);
        (key.scope == Scope::World && key.ty == ty).then_some(id)
    };
    [("danger", Type::Int), ("hour", Type::Float)].map(written)
}
