//! A crowd that is played: how long its ticks take, which faults there are, and what those do whom somebody looks at.

use super::super::course::{Course, Plays, Turn};
use super::super::faults::FaultTable;
use super::{Ended, refused};
use crate::io::{self, Failure, tell};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use treemind_arena::{Crowd, LoadError, SessionError};
use treemind_core::behaviour::LeafKind;
use treemind_core::host::Stub;
use treemind_core::trace::Record;
use treemind_core::{
    Behaviour, KeyId, Limits, Migration, Population, PopulationId, Program, Trace, Value,
};
use treemind_doc::Document;
use treemind_recording::Recorder;
use treemind_replay::follow::{Agents, Input, Put, Replaced, Roster, Tick, Troupe, memory_begin};
use treemind_studio::clock::Instant;

/// How many lines of what has happened are kept.
const KEPT_LINES: usize = 32;
/// How many people are followed because somebody has looked at them.
const LOOKED_AT: usize = 8;

/// A crowd, and what is known of it besides. A clone continues exactly as the original does.
#[derive(Clone)]
pub(in super::super) struct Town {
    crowd: Crowd,
    course: Course,
    threads: usize,
    faults: u64,
    table: FaultTable,
    /// The tick at which its course here began.
    begun: u64,
    /// How many ticks were timed, the time of all of them, and that of the last one, in seconds.
    timed: u64,
    secs: f64,
    last_secs: f64,
    /// What has happened, with the ticks; the newest last.
    log: VecDeque<(u64, String)>,
    /// What was not as in the recording in the last tick.
    differs: Option<String>,
    /// Those whom somebody looks at, if anybody looks.
    looked: Option<Looked>,
}

/// What the studio knows of everybody, and of those whom somebody looks at.
#[derive(Clone)]
pub(in super::super) struct Looked {
    pub(in super::super) roster: Roster,
    pub(in super::super) troupe: Troupe,
    trace: [(PopulationId, Trace); 1],
    /// The tick that is traced.
    traced: u64,
    wanted: Vec<usize>,
}

/// Everybody, as the agents of one population.
pub(in super::super) struct People<'a>(pub(in super::super) &'a Population);

impl Agents for People<'_> {
    fn populations(&self) -> Vec<PopulationId> {
        vec![PopulationId::FIRST]
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        (id == PopulationId::FIRST).then_some(self.0)
    }

    fn name(&self, _: PopulationId) -> String {
        self.0.program().behaviour().name().to_owned()
    }
}

impl Looked {
    /// Looks at those who are followed before the next tick.
    fn attend(&mut self, crowd: &Crowd) {
        let people = People(crowd.population());
        self.troupe.before_tick(&people, &self.roster, &self.wanted);
    }

    fn step(&mut self, crowd: &mut Crowd, put: &[Put]) {
        self.attend(crowd);
        for one in put {
            let people = People(crowd.population());
            self.troupe.put(&people, &self.roster, one);
        }
        let chosen = self.troupe.chosen(&self.roster).into_iter();
        let [(_, trace)] = &mut self.trace;
        trace.choose(chosen.map(|(_, person)| person));
        crowd.step_traced(trace);
        self.traced = crowd.tick();
        let tick = Tick {
            number: self.traced,
            traces: &self.trace,
            messages: &[],
        };
        let people = People(crowd.population());
        self.troupe.after_tick(&people, &self.roster, tick);
    }
}

impl Town {
    /// A crowd, from the tick that it has reached.
    pub(in super::super) fn new(crowd: Crowd, threads: usize) -> Self {
        Self {
            begun: crowd.tick(),
            crowd,
            course: Course::default(),
            threads,
            faults: 0,
            table: FaultTable::default(),
            timed: 0,
            secs: 0.0,
            last_secs: 0.0,
            log: VecDeque::new(),
            differs: None,
            looked: None,
        }
    }

    /// The same, on one thread, so that somebody can look at its people.
    pub(in super::super) fn looked_at(mut self) -> Self {
        let mut roster = Roster::default();
        roster.meet(&People(self.crowd.population()));
        self.looked = Some(Looked {
            roster,
            troupe: Troupe::default(),
            trace: [(PopulationId::FIRST, Trace::with_values_of([]))],
            traced: u64::MAX,
            wanted: vec![0],
        });
        self
    }

    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.crowd.set_limits(limits);
    }

    /// Continues with a crowd that was saved in this file.
    pub(super) fn load(&mut self, path: &Path, saved: &[u8]) -> Result<(), Failure> {
        let loaded = self.crowd.load(saved);
        loaded.map_err(|error| refused(path, &error))?;
        self.begin_here();
        Ok(())
    }

    /// Continues with a crowd that was saved with another version of the document, and tells what that did.
    pub(super) fn load_changed(
        &mut self,
        path: &Path,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<(), Failure> {
        let name = behaviour.name().to_owned();
        let saved = io::read_saved(path)?;
        let migration = self.crowd.load_changed(&saved, behaviour, document);
        let migration = migration.map_err(|error| refused(path, &error))?;
        for line in migration.to_string().lines() {
            tell(format!("{name}: {line}"));
        }
        self.begin_here();
        Ok(())
    }

    fn begin_here(&mut self) {
        self.begun = self.crowd.tick();
        (self.timed, self.secs, self.last_secs) = (0, 0.0, 0.0);
    }

    pub(in super::super) fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// What everybody follows.
    pub(in super::super) fn behaviour(&self) -> &Behaviour {
        self.crowd.population().program().behaviour()
    }

    pub(in super::super) fn faults(&self) -> u64 {
        self.faults
    }

    /// Those whom somebody looks at, if anybody looks.
    pub(in super::super) fn looked(&self) -> Option<&Looked> {
        self.looked.as_ref()
    }

    /// The trace of the last tick, if somebody looks.
    pub(in super::super) fn trace(&self) -> Option<&Trace> {
        let looked = self.looked.as_ref();
        let looked = looked.filter(|looked| looked.traced == self.tick());
        looked.map(|looked| &looked.trace[0].1)
    }

    /// From the next tick on, follows this person, too.
    pub(in super::super) fn look_at(&mut self, nth: usize) {
        let Some(looked) = &mut self.looked else {
            return;
        };
        looked.wanted.retain(|known| *known != nth);
        looked.wanted.push(nth);
        if looked.wanted.len() > LOOKED_AT {
            looked.wanted.remove(0);
        }
    }

    /// Looks at those who are followed, although they have not done anything yet.
    pub(in super::super) fn attend(&mut self) {
        if let Some(looked) = &mut self.looked {
            looked.attend(&self.crowd);
        }
    }

    pub(super) fn begun(&self) -> u64 {
        self.begun
    }

    /// What was not as in the recording in the last tick.
    pub(super) fn differs(&self) -> Option<&String> {
        self.differs.as_ref()
    }

    /// What has happened, with the ticks; the newest last.
    pub(super) fn log(
        &self,
    ) -> impl DoubleEndedIterator<Item = &(u64, String)> + ExactSizeIterator {
        self.log.iter()
    }

    /// Forgets how long ticks took, because a picture is the same every time.
    pub(super) fn forget_time(&mut self) {
        self.last_secs = 0.0;
    }

    /// The time of the last tick, in milliseconds.
    pub(super) fn millis(&self) -> f64 {
        self.last_secs * 1e3
    }

    pub(super) fn ended(&self) -> Ended {
        Ended {
            summary: self.summary(),
            faults: self.table.clone(),
        }
    }

    /// How fast it was, in a sentence.
    fn summary(&self) -> String {
        let tick = self.tick();
        let played = super::super::summary(tick, treemind_arena::secs(tick), self.faults);
        let mean = self.secs * 1e3 / self.timed.max(1) as f64;
        let (people, threads) = (self.crowd.people(), self.threads);
        format!("{played}; {people} people, {mean:.1} ms per tick on {threads} threads")
    }
}

impl Plays for Town {
    fn tick(&self) -> u64 {
        self.crowd.tick()
    }

    fn course(&self) -> &Course {
        &self.course
    }

    fn course_mut(&mut self) -> &mut Course {
        &mut self.course
    }

    fn program(&self, _: usize) -> Option<&Arc<Program>> {
        Some(self.crowd.population().program())
    }

    fn programs(&self) -> Vec<Arc<Program>> {
        vec![Arc::clone(self.crowd.population().program())]
    }

    fn step_recorded(&mut self, recorder: Option<&mut Recorder>) {
        let begun = Instant::now();
        let followed = self.follow_recording();
        let put = self.write_keys();
        match &mut self.looked {
            Some(looked) => looked.step(&mut self.crowd, &put),
            None => self.crowd.step_recorded(recorder),
        }
        self.differs = followed.err().or_else(|| self.difference());
        self.last_secs = begun.elapsed().as_secs_f64();
        self.secs += self.last_secs;
        self.timed += 1;
        let faults = self.crowd.take_faults();
        let name = self.crowd.population().program().behaviour().name();
        self.table
            .add(name, &faults, |person| format!("person {person}"));
        self.faults += faults.total() + u64::from(self.differs.is_some());
        let said = self.crowd.said().to_vec();
        said.into_iter().for_each(|text| self.note(text));
        self.take_turns();
    }

    fn put(&mut self, mind: usize, input: &Input) {
        match input {
            // It was read for this key, so it fits.
            Input::Key(key, value) => drop(self.crowd.set(mind, *key, *value)),
            Input::Event(event, values) => {
                self.crowd.send(mind, *event, values);
            }
        }
    }

    fn keep_keys(&mut self, held: Vec<(usize, KeyId, Value)>) {
        self.crowd.hold_keys(held);
    }

    fn stubs(&self) -> Vec<(&str, LeafKind, Stub)> {
        self.crowd.stubs()
    }

    fn put_stub(&mut self, leaf: &str, stub: &Stub) {
        self.crowd.stub(leaf, stub);
    }

    fn change(&mut self, turn: &Turn) -> Result<Vec<(String, Migration)>, SessionError> {
        let name = turn.main.name().to_owned();
        let before = Arc::clone(self.crowd.population().program());
        let migration = self.crowd.reload(turn.main.clone(), &turn.document)?;
        if let Some(looked) = &mut self.looked {
            let people = People(self.crowd.population());
            let replaced = Replaced::new(&before, people.0.program());
            let change = (PopulationId::FIRST, &replaced);
            looked.troupe.change(&people, &looked.roster, change);
            if !replaced.is_same() {
                looked.traced = u64::MAX;
            }
        }
        let changed = Some((name, migration)).filter(|(_, one)| !one.is_empty());
        Ok(changed.into_iter().collect())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(self.crowd.save())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        self.crowd.load(saved)
    }

    fn note(&mut self, text: String) {
        self.log.push_back((self.tick(), text));
        if self.log.len() > KEPT_LINES {
            self.log.pop_front();
        }
    }

    fn bytes(&self) -> usize {
        let looked = self.looked.as_ref();
        let looked = looked.map_or(0, |looked| {
            size_of_val::<[Record]>(looked.trace[0].1.records()) + looked.troupe.bytes()
        });
        self.crowd.bytes() + looked
    }

    fn followed_from(&self, tick: u64) -> u64 {
        match &self.looked {
            Some(_) => memory_begin(tick, self.crowd.people()),
            None => tick,
        }
    }

    fn take_course(&mut self, from: &Self) {
        if let (Some(own), Some(from)) = (&mut self.looked, &from.looked) {
            own.wanted.clone_from(&from.wanted);
        }
        self.take_over(from);
    }
}
