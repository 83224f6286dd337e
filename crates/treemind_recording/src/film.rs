//! Playing recordings.

use crate::form::Role;
use crate::parts::behaviour_of;
use crate::recording::Recording;
use crate::runs::State;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Message;
use treemind_core::tape::{Playback, Played, Stage, TapeError};
use treemind_core::{Behaviour, NodeId, PopulationId, Program, Trace, Value, trace};
use treemind_doc::Document;

/// Why a tick cannot be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read any more.
    Io(io::Error),
    /// The recording does not have it: it is before its begin, behind its end, or was lost.
    NoTick(u64),
    /// There is no such population.
    NoPopulation(String),
    /// There is no such agent at that tick.
    NoAgent(usize),
    /// The document of a population is missing, or has errors: it was written by another version of Treemind.
    NoDocument,
    /// What is recorded of this tick cannot be played.
    Tape(u64, TapeError),
    /// The agents come to another state than in the recording, after this tick.
    Diverged(u64),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Io(error) => error.fmt(out),
            ReplayError::NoTick(tick) => write!(out, "tick {tick} is not in the recording"),
            ReplayError::NoPopulation(name) => {
                write!(out, "there is no population `{name}` in the recording")
            }
            ReplayError::NoAgent(agent) => write!(out, "there is no agent {agent} at that tick"),
            ReplayError::NoDocument => {
                out.write_str("a document of the recording cannot be read by this version")
            }
            ReplayError::Tape(tick, error) => write!(out, "tick {tick}: {error}"),
            ReplayError::Diverged(tick) => write!(
                out,
                "after tick {tick} the agents are in another state than in the recording"
            ),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<io::Error> for ReplayError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// One tick of one agent.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the tick.
    pub tick: u64,
    /// The time of the game after the tick.
    pub now: Duration,
    /// The length of the tick.
    pub dt: Duration,
    /// The program that the agent runs; [`Program::behaviour`] has the nodes that the events name.
    pub program: Arc<Program>,
    /// What happened, in order, with values.
    pub events: Vec<(NodeId, trace::Event, Option<Value>)>,
    /// What the agent logged and emitted.
    pub messages: Vec<Message>,
}

impl Recording {
    /// Whether the document of the agents was replaced between a tick and the next one. Then the
    /// [state](Self::game_state) after the tick is that with the new document.
    pub fn is_recast_after(&self, tick: u64) -> bool {
        let before = tick.checked_sub(1).and_then(|tick| self.state_before(tick));
        let pair = before.zip(self.state_at(tick));
        pair.is_some_and(|(before, after)| before.roles != after.roles)
    }

    /// What the agents run in the tick behind this one: the behaviour of the first population, and its document. `None`
    /// if the recording begins later, or its document cannot be read.
    pub fn cast_after(&self, tick: u64) -> Option<(Behaviour, Document)> {
        let state = self.state_before(tick)?;
        let role = state.roles.iter().min_by_key(|role| role.place)?;
        let document = self.kept_document(role.document)?.read()?;
        Some((behaviour_of(&document, &role.part)?, document))
    }

    /// What happened to an agent in a tick and in up to `before` ticks before it, the oldest first: every event of the
    /// [trace](trace::Event), with values. `agent` is an index of the population with this name, or of the first one if
    /// there is no name. Ticks in which the agent was not ticked have no events. There are fewer moments if the
    /// recording or the life of the agent begins later, or if ticks before this one were lost.
    ///
    /// # Errors
    /// When the recording does not have the tick, the population or the agent, or cannot be played.
    pub fn history(
        &self,
        population: Option<&str>,
        agent: usize,
        tick: u64,
        before: u64,
    ) -> Result<Vec<Moment>, ReplayError> {
        if !self.ticks().contains(&tick) {
            return Err(ReplayError::NoTick(tick));
        }
        let begin = tick.saturating_sub(before).max(*self.ticks().start());
        let mut film = match Film::at(self, begin - 1) {
            // The ticks from there on may be lost: then those behind the next state are what there is.
            Err(ReplayError::NoTick(_)) => Film::last_before(self, tick)?,
            film => film?,
        };
        let mut moments = VecDeque::new();
        while film.tick() < tick {
            film.step()?;
            if film.tick() + before < tick {
                continue;
            }
            if let Some(moment) = film.moment(population, agent)? {
                moments.push_back(moment);
            }
        }
        match moments.back().is_some_and(|moment| moment.tick == tick) {
            true => Ok(moments.into()),
            false => Err(ReplayError::NoAgent(agent)),
        }
    }
}

/// Plays a recording tick by tick. A clone plays on independently. It holds the recording by a reference of any kind,
/// such as `&Recording` or `Arc<Recording>`.
#[derive(Clone, Debug)]
pub struct Film<R> {
    recording: R,
    playback: Playback,
    played: Played,
    tick: u64,
    /// What the populations run.
    roles: Vec<Role>,
    /// The time of the game after the last tick, in nanoseconds.
    now_ns: u64,
    /// The ticks that were written together, and where the next of them begins.
    ticks: Arc<[u8]>,
    next: usize,
}

impl<R: Deref<Target = Recording>> Film<R> {
    /// Plays from the state after a tick; 0 is before the first. The next [`step`](Self::step) plays the tick after it.
    ///
    /// # Errors
    /// When the recording does not have the tick, or cannot be played.
    pub fn at(recording: R, tick: u64) -> Result<Self, ReplayError> {
        let mut film = Self::last_before(recording, tick)?;
        while film.tick < tick {
            film.advance(false)?;
        }
        Ok(film)
    }

    /// Plays from the last state at or before a tick.
    fn last_before(recording: R, tick: u64) -> Result<Self, ReplayError> {
        let found = recording.state_before(tick);
        let state = found.ok_or(ReplayError::NoTick(tick))?;
        let playback = open(&recording, state)?;
        Ok(Self {
            played: Played::default(),
            tick: state.tick,
            now_ns: state.now_ns.unwrap_or(playback.stage().now_ns()),
            roles: state.roles.clone(),
            ticks: Arc::default(),
            next: 0,
            playback,
            recording,
        })
    }

    /// The number of the last tick that was played.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The time of the game after that tick: that at the beginning of the recording, and the lengths of all ticks
    /// since.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.now_ns)
    }

    /// The length of the last tick that was played; zero before the first.
    pub fn dt(&self) -> Duration {
        self.playback.dt()
    }

    /// The agents after that tick.
    pub fn stage(&self) -> &Stage {
        self.playback.stage()
    }

    /// What happened in that tick.
    pub fn played(&self) -> &Played {
        &self.played
    }

    /// Plays the next tick; returns `false` at the end of the recording. Where the recording has a whole state, it is
    /// compared with the one that was reached.
    ///
    /// # Errors
    /// When the tick was lost, cannot be played, or leads to a state other than that in the recording.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        if self.tick >= *self.recording.ticks().end() {
            return Ok(false);
        }
        self.advance(true)?;
        Ok(true)
    }

    fn advance(&mut self, is_traced: bool) -> Result<(), ReplayError> {
        let next = self.tick + 1;
        self.recast()?;
        if self.next == self.ticks.len() {
            let found = self.recording.ticks_with(next);
            // Ticks are written together only from a state or the end of others on.
            let found = found.filter(|(before, _)| *before == 0);
            let (_, span) = found.ok_or(ReplayError::NoTick(next))?;
            self.ticks = self.recording.bytes(&span)?.into();
            self.next = 0;
        }
        let played = is_traced.then_some(&mut self.played);
        let mut rest = &self.ticks[self.next..];
        let step = self.playback.step(&mut rest, played);
        step.map_err(|error| ReplayError::Tape(next, error))?;
        self.next = self.ticks.len() - rest.len();
        self.tick = next;
        let dt_ns = u64::try_from(self.dt().as_nanos()).unwrap_or(u64::MAX);
        self.now_ns = self.now_ns.saturating_add(dt_ns);
        if let Some(state) = self.recording.state_at(next)
            && state.roles == self.roles
        {
            let bytes = self.recording.bytes(&state.state)?;
            let is_there = self.playback.is_at(&bytes);
            if !is_there.map_err(|error| ReplayError::Tape(next, error))? {
                return Err(ReplayError::Diverged(next));
            }
        }
        Ok(())
    }

    /// Continues with the document that replaced that of a population after the last tick, if there is one. Returns
    /// whether there is. The next step does so, too.
    ///
    /// # Errors
    /// When the document cannot be read by this version.
    pub fn recast(&mut self) -> Result<bool, ReplayError> {
        let found = self.recording.state_at(self.tick);
        let Some(state) = found.filter(|state| state.roles != self.roles) else {
            return Ok(false);
        };
        let playback = open(&self.recording, state)?;
        self.roles.clone_from(&state.roles);
        self.playback = playback;
        Ok(true)
    }

    /// The last tick of an agent of a population; `None` if there is no such agent.
    fn moment(
        &self,
        population: Option<&str>,
        agent: usize,
    ) -> Result<Option<Moment>, ReplayError> {
        let stage = self.stage();
        let mut all = stage.populations().into_iter();
        let id = match population {
            None => all.next(),
            Some(name) => all.find(|id| stage.name(*id) == name),
        };
        let name = population.unwrap_or("");
        let missing = || ReplayError::NoPopulation(name.to_owned());
        let id = id.ok_or_else(missing)?;
        let there = stage.population(id).ok_or_else(missing)?;
        let trace = self.trace(id);
        let events: Vec<_> = trace
            .map(|trace| trace.valued(agent).collect())
            .unwrap_or_default();
        if events.is_empty() && (agent >= there.len() || !there.is_alive(agent)) {
            return Ok(None);
        }
        let messages = self.played.messages.iter();
        let own = messages.filter(|(by, message)| *by == id && message.agent == agent);
        Ok(Some(Moment {
            tick: self.tick,
            now: self.now(),
            dt: self.played.dt,
            program: Arc::clone(there.program()),
            events,
            messages: own.map(|(_, message)| message.clone()).collect(),
        }))
    }

    /// The trace of a population in the last tick, if it was ticked.
    pub fn trace(&self, id: PopulationId) -> Option<&Trace> {
        let mut traces = self.played.traces.iter();
        traces.find(|(by, _)| *by == id).map(|(_, trace)| trace)
    }
}

/// The agents at a state of a recording.
fn open(recording: &Recording, state: &State) -> Result<Playback, ReplayError> {
    let bytes = recording.bytes(&state.state)?;
    let mut is_missing = false;
    let program = |place: usize, _: &str| {
        let program = program(recording, state, place);
        is_missing |= program.is_none();
        program
    };
    let playback = Playback::open(&bytes, program);
    match playback {
        Err(_) if is_missing => Err(ReplayError::NoDocument),
        playback => playback.map_err(|error| ReplayError::Tape(state.tick, error)),
    }
}

/// The program of a population in a state of a recording.
fn program(recording: &Recording, state: &State, place: usize) -> Option<Arc<Program>> {
    let mut roles = state.roles.iter();
    let role = roles.find(|role| usize::from(role.place) == place)?;
    let document = recording.kept_document(role.document)?;
    let behaviour = behaviour_of(&document.read()?, &role.part)?;
    Some(Arc::new(Program::new(behaviour)))
}
