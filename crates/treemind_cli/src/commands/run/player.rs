//! Running behaviours, in the arena or with scripted leaves, and what the view shows of them.

mod playing;
mod saved;
mod seen;

use super::course::{Course, Plays as _};
use super::faults::FaultTable;
use super::log_lines::{tone, words};
use super::mind::Mind;
use super::notes;
use super::screening::{Screening, agent_name};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use treemind_arena::{Body, BodyId, FaultsOf, Noise, Session, TICK, Vital, World};
use treemind_core::behaviour::Scope;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Behaviour, LeafId, Limits, NodeId, Population, Program, Status};
use treemind_explain::{Language, Words, say};
use treemind_recording::Recorder;
use treemind_replay::follow::{Fellows, Put, Tone, changes, events_that_came};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) tick: u64,
    pub(super) tone: Tone,
    /// The body that the line is about.
    pub(super) who: Option<BodyId>,
    pub(super) words: Words,
    /// The same in English.
    pub(super) text: String,
}

/// Where ticks come from.
#[derive(Clone)]
enum Source {
    Arena(Box<Session>),
    Scripted(Box<(Population, Scripted)>),
    /// What somebody has recorded, without the world.
    Recorded(Box<Screening>),
}

/// All minds, their world, and what has happened. A clone continues exactly as the original does.
#[derive(Clone)]
pub(super) struct Player {
    source: Source,
    traces: Vec<Trace>,
    tick: u64,
    minds: Vec<Mind>,
    /// The last lines of the log, the newest last.
    log: VecDeque<Rc<Line>>,
    fresh: usize,
    faults: u64,
    table: FaultTable,
    /// The last noises, and the ticks in which they sounded.
    noises: VecDeque<(u64, Noise)>,
    course: Course,
}

/// How many lines of the log are kept.
const KEPT_LINES: usize = 1_000;
/// For how many ticks the view shows a noise spreading.
pub(super) const NOISE_TICKS: u64 = 6;

impl Player {
    pub(super) fn arena(session: Session) -> Self {
        let minds = minds_of(&session);
        Self::new(Source::Arena(Box::new(session)), minds)
    }

    pub(super) fn scripted(behaviour: Behaviour, host: Scripted, seed: u64) -> Self {
        let mind = Mind::new(behaviour.name(), None, 0, &behaviour);
        let population = Population::new(Arc::new(Program::new(behaviour)), 1).with_seed(seed);
        let both = (population, host.listening());
        Self::new(Source::Scripted(Box::new(both)), vec![mind])
    }

    /// What somebody has recorded, from the state at its begin on.
    pub(super) fn recorded(screening: Screening) -> Self {
        let (minds, tick) = (screening.minds(), screening.tick());
        let mut player = Self::new(Source::Recorded(Box::new(screening)), minds);
        player.tick = tick;
        player
    }

    /// So many faults are known from ticks before the begin, if the game does not know of them itself.
    pub(super) fn after_faults(mut self, faults: u64) -> Self {
        self.faults = self.faults.max(faults);
        self
    }

    fn new(source: Source, minds: Vec<Mind>) -> Self {
        let mut player = Self {
            source,
            traces: Vec::new(),
            tick: 0,
            minds,
            log: VecDeque::new(),
            fresh: 0,
            faults: 0,
            table: FaultTable::default(),
            noises: VecDeque::new(),
            course: Course::default(),
        };
        player.read_keys();
        player
    }

    /// The hero whom the keys steer, if the map has one.
    pub(super) fn hero(&self) -> Option<BodyId> {
        self.world()?.hero()
    }

    /// Plays one tick.
    pub(super) fn step(&mut self) {
        self.step_with(None);
    }

    /// Has reasons say where a value comes from: to the mind that it was given to, and to those that share it.
    fn note_put(&mut self, put: &Put) {
        let Some(place) = self.minds.get(put.agent).map(|mind| mind.behaviour()) else {
            return;
        };
        let population = population(&self.source, place);
        let is_shared = population.program().behaviour().key(put.key).scope != Scope::Agent;
        for (other, mind) in self.minds.iter_mut().enumerate() {
            if other == put.agent || is_shared && mind.behaviour() == place {
                mind.put(population, put);
            }
        }
    }

    /// Plays one tick, and records it if there is a recorder.
    fn step_with(&mut self, mut recorder: Option<&mut Recorder>) {
        self.recast();
        self.fresh = 0;
        let put = self.write_keys();
        self.tick += 1;
        for mind in &mut self.minds {
            let agent = agent_of(&self.source, mind);
            let place = mind.behaviour();
            mind.before_tick(population(&self.source, place), agent);
        }
        put.iter().for_each(|one| self.note_put(one));
        let mut lines = Vec::new();
        let (faults, said) = match &mut self.source {
            Source::Arena(session) => {
                if let Some(recorder) = recorder.as_deref_mut() {
                    session.record_state(recorder);
                }
                for key in self.course.presses().at(self.tick) {
                    session.press(key);
                    if let Some(recorder) = recorder.as_deref_mut() {
                        notes::press(recorder, self.tick, key);
                    }
                }
                session.step_all_traced(&mut self.traces, recorder);
                let world = session.world();
                for event in world.events() {
                    lines.push((tone(event.what), event.who, words(world, event)));
                }
                let said = world.said().iter();
                lines.extend(said.map(|text| (Tone::Calm, None, Words::plain(text))));
                let sounds = world.sounds().iter();
                self.noises.extend(sounds.map(|noise| (self.tick, *noise)));
                let mut told = (0, Vec::new());
                for FaultsOf {
                    behaviour,
                    agents,
                    faults,
                } in session.take_faults()
                {
                    let name = |agent: usize| agents.get(agent).cloned().unwrap_or_default();
                    told.0 += faults.total();
                    told.1.extend(faults.kept().iter().map(|fault| {
                        let who = format!("{}: {}", name(fault.agent), fault.label);
                        Words::fault(Words::value(who), fault)
                    }));
                    self.table.add(&behaviour, &faults, name);
                }
                told
            }
            Source::Scripted(both) => {
                let (population, host) = &mut **both;
                self.traces.resize_with(1, Trace::with_values);
                let trace = &mut self.traces[0];
                match recorder {
                    Some(recorder) => recorder.tick_traced(population, host, TICK, trace),
                    None => population.tick_traced(host, TICK, trace),
                };
                let behaviour = population.program().behaviour();
                let told = changes(behaviour, (&self.traces[0], 0), self.minds[0].marks());
                lines.extend(told.into_iter().map(|(tone, words)| (tone, None, words)));
                let said = host.take_messages().into_iter();
                lines.extend(said.map(|message| (Tone::Calm, None, Words::plain(message.text))));
                let faults = population.take_faults();
                let name = population.program().behaviour().name();
                self.table.add(name, &faults, |_| name.to_owned());
                let said = faults.kept().iter();
                let said =
                    said.map(|fault| Words::fault(Words::value(fault.label.as_str()), fault));
                (faults.total(), said.collect())
            }
            Source::Recorded(screening) => {
                let played = screening.step(&mut self.traces, &self.minds);
                lines.extend(played.lines);
                for (name, is_alone, faults) in &played.sums {
                    let agent = |agent| agent_name(name, *is_alone, agent);
                    self.table.add(name, faults, agent);
                }
                (played.faults, played.said)
            }
        };
        let (tick, seen) = (self.tick, NOISE_TICKS);
        self.noises.retain(|(at, _)| at + seen > tick);
        self.faults += faults;
        let said = said.into_iter();
        lines.extend(said.map(|words| (Tone::Fault, None, words)));
        if let Some(text) = self.difference() {
            self.faults += 1;
            lines.push((Tone::Fault, None, Words::plain(text)));
        }
        lines.extend(self.came());
        self.mark();
        for line in lines {
            self.push(tick, line);
        }
        self.read_keys();
        self.take_turns();
    }

    /// The events that came to the characters of the arena in the last tick. What else plays says so itself.
    fn came(&self) -> Vec<(Tone, Option<BodyId>, Words)> {
        let Source::Arena(_) = &self.source else {
            return Vec::new();
        };
        let of = |mind: &Mind| {
            let place = mind.behaviour();
            let trace = (&self.traces[place], agent_of(&self.source, mind)?);
            let behaviour = population(&self.source, place).program().behaviour();
            let one = || Words::value(mind.name());
            let told = events_that_came(behaviour, trace).map(move |(tone, words)| {
                (tone, mind.who(), say!(Colon, one = one(), more = words))
            });
            Some(told.collect::<Vec<_>>())
        };
        self.minds.iter().filter_map(of).flatten().collect()
    }

    /// Whether nothing more can be played.
    pub(super) fn is_broken(&self) -> bool {
        matches!(&self.source, Source::Recorded(screening) if screening.is_broken())
    }

    /// Records what the minds did, and why.
    fn mark(&mut self) {
        let mut minds = std::mem::take(&mut self.minds);
        for mind in &mut minds {
            let (place, tick) = (mind.behaviour(), self.tick);
            match agent_of(&self.source, mind) {
                Some(agent) => {
                    let (trace, population) =
                        (&self.traces[place], population(&self.source, place));
                    mind.update(population, trace, agent, tick);
                }
                None => mind.rest(tick),
            }
        }
        self.minds = minds;
    }

    fn push(&mut self, tick: u64, (tone, who, words): (Tone, Option<BodyId>, Words)) {
        self.log.push_back(Rc::new(Line {
            tick,
            tone,
            who,
            text: words.written(Language::English),
            words,
        }));
        self.fresh += 1;
        if self.log.len() > KEPT_LINES {
            self.log.pop_front();
        }
    }

    fn read_keys(&mut self) {
        for mind in &mut self.minds {
            let agent = agent_of(&self.source, mind);
            let population = population(&self.source, mind.behaviour());
            mind.read_keys(population, agent, self.tick);
        }
    }

    /// The agent whose leaves answer by a script, with its name and the script, if that is what plays.
    pub(super) fn by_script(&mut self) -> Option<(&str, &mut Population, &mut Scripted)> {
        match (&mut self.source, &self.minds[..]) {
            (Source::Scripted(both), [mind]) => Some((mind.name(), &mut both.0, &mut both.1)),
            _ => None,
        }
    }

    /// What happened to each mind in the last tick that was played, if it is there.
    pub(super) fn each_traced(&self, mut each: impl FnMut(&str, &Population, usize, &Trace)) {
        for mind in &self.minds {
            let place = mind.behaviour();
            let agent = agent_of(&self.source, mind);
            if let (Some(agent), Some(trace)) = (agent, self.traces.get(place)) {
                each(mind.name(), population(&self.source, place), agent, trace);
            }
        }
    }

    pub(super) fn population(&self, mind: usize) -> &Population {
        population(&self.source, self.minds[mind].behaviour())
    }

    /// All minds; there is at least one.
    pub(super) fn minds(&self) -> &[Mind] {
        &self.minds
    }

    /// The mind of a body.
    pub(super) fn mind_of(&self, who: BodyId) -> Option<usize> {
        self.minds.iter().position(|mind| mind.who() == Some(who))
    }

    /// The behaviour that a mind follows.
    pub(super) fn behaviour(&self, mind: usize) -> &Behaviour {
        self.population(mind).program().behaviour()
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// The world, if there is one.
    pub(super) fn world(&self) -> Option<&World> {
        match &self.source {
            Source::Arena(session) => Some(session.world()),
            Source::Scripted(_) | Source::Recorded(_) => None,
        }
    }

    /// The time after a tick that was played, in seconds.
    pub(super) fn secs_at(&self, tick: u64) -> f64 {
        match &self.source {
            Source::Recorded(screening) => screening.secs_at(tick),
            Source::Arena(_) | Source::Scripted(_) => treemind_arena::secs(tick),
        }
    }

    /// How long a tick is; of a recording, the last one that took any time.
    pub(super) fn dt(&self) -> Duration {
        match &self.source {
            Source::Recorded(screening) if !screening.dt().is_zero() => screening.dt(),
            _ => TICK,
        }
    }

    /// The noises of the last ticks, and the tick in which each sounded.
    pub(super) fn noises(&self) -> impl Iterator<Item = &(u64, Noise)> {
        self.noises.iter()
    }

    /// The log, the oldest line first.
    pub(super) fn log(&self) -> impl DoubleEndedIterator<Item = &Line> + ExactSizeIterator {
        self.log.iter().map(|line| &**line)
    }

    /// A line of the log.
    pub(super) fn log_line(&self, nth: usize) -> &Line {
        &self.log[nth]
    }

    /// The lines of the last tick.
    pub(super) fn fresh(&self) -> impl Iterator<Item = &Line> {
        let known = self.log.len() - self.fresh.min(self.log.len());
        self.log().skip(known)
    }

    pub(super) fn faults(&self) -> u64 {
        self.faults
    }

    /// Which faults there were.
    pub(super) fn fault_table(&self) -> &FaultTable {
        &self.table
    }

    /// Sets limits of a tick, if there are any.
    pub(super) fn limit(&mut self, limits: Option<Limits>) {
        let Some(limits) = limits else { return };
        match &mut self.source {
            Source::Arena(session) => session.set_limits(limits),
            Source::Scripted(both) => both.0.set_limits(limits),
            Source::Recorded(_) => {}
        }
    }

    /// What a mind is doing: the label of its running action, if there is one.
    pub(super) fn doing(&self, mind: usize) -> Option<&str> {
        let (id, _) = self.running_action(mind)?;
        Some(self.behaviour(mind).label(id))
    }

    /// What that action is for, from the document's `doc`.
    pub(super) fn doing_doc(&self, mind: usize) -> Option<&str> {
        let (id, leaf) = self.running_action(mind)?;
        let behaviour = self.behaviour(mind);
        let doc = behaviour.node(id).doc.as_deref();
        doc.or(behaviour.leaf(leaf).doc.as_deref())
    }

    fn running_action(&self, mind: usize) -> Option<(NodeId, LeafId)> {
        let marks = self.minds[mind].marks();
        marks.running_action(self.behaviour(mind))
    }

    /// The state of the run, in a sentence.
    pub(super) fn summary(&self) -> String {
        let played = super::summary(self.tick, self.secs_at(self.tick), self.faults);
        let Some(world) = self.world() else {
            let root = self.minds[0].root().map_or("nothing", Status::as_str);
            return format!("{played}; the root answers {root}");
        };
        let mut bodies: Vec<String> = world.bodies().iter().map(standing).collect();
        let more = bodies.len().saturating_sub(MOST_TOLD);
        bodies.truncate(MOST_TOLD);
        if more > 0 {
            bodies.push(format!("and {more} more"));
        }
        format!("{played}; {}", bodies.join(", "))
    }
}

fn minds_of(session: &Session) -> Vec<Mind> {
    let all = session.minded();
    let name = |who| session.world().body(who).name();
    let fellows = |population: usize| {
        let agents = all.iter().filter(|(_, nth)| *nth == population);
        let named = agents.filter_map(|(who, _)| Some((session.agent_of(*who)?, name(*who))));
        let named: HashMap<usize, String> = named.map(|(at, name)| (at, name.to_owned())).collect();
        Fellows::called(move |agent| {
            let name = named.get(&agent);
            name.map_or_else(|| format!("agent {agent}"), Clone::clone)
        })
    };
    let minds = all.iter().map(|(who, nth)| {
        let behaviour = session.population_at(*nth).program().behaviour();
        Mind::new(name(*who), Some(*who), *nth, behaviour).among(fellows(*nth))
    });
    minds.collect()
}

fn population(source: &Source, behaviour: usize) -> &Population {
    match source {
        Source::Arena(session) => session.population_at(behaviour),
        Source::Scripted(both) => &both.0,
        Source::Recorded(screening) => screening.population(behaviour),
    }
}

fn agent_of(source: &Source, mind: &Mind) -> Option<usize> {
    match source {
        Source::Arena(session) => session.agent_of(mind.who()?),
        Source::Scripted(_) => Some(0),
        Source::Recorded(screening) => screening.agent_of(mind),
    }
}

/// How many bodies the last sentence describes at most.
const MOST_TOLD: usize = 8;

/// The state of a body, in words.
fn standing(body: &Body) -> String {
    let who = body.phrase();
    match body.vital() {
        Vital::Outside => format!("{who} is not here yet"),
        Vital::Up => format!(
            "{who} has {} of {} hit points",
            body.health(),
            body.traits().health
        ),
        Vital::Out(_) => format!("{who} is knocked out"),
        Vital::Tied => format!("{who} is tied up"),
        Vital::Dead => format!("{who} is dead"),
        Vital::Gone => format!("{who} is gone"),
    }
}
