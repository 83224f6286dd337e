//! What an agent did in some ticks, and what it ran.

use crate::parts::behaviour_of;
use crate::recording::Recording;
use crate::tape::Tape;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Message;
use treemind_core::tape::Played;
use treemind_core::{Behaviour, NodeId, Program, Value, trace};
use treemind_doc::Document;
use treemind_replay::history::{Playhead, ReplayError, Store as _};

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
        let mut stretches = self.stretches().iter();
        let ticks = stretches.find(|ticks| ticks.contains(&tick));
        let tape = Tape::of(self, ticks.ok_or(ReplayError::NoTick(tick))?.clone());
        let first = tape.ticks().map_or(0, |(first, _)| first);
        let begin = tick.saturating_sub(before).saturating_sub(1).max(first);
        let mut head = Playhead::at(&tape, begin)?;
        let mut played = Played::default();
        let mut moments = Vec::new();
        while head.tick() < tick && head.step(&tape, Some(&mut played))? {
            moments.extend(moment(&head, &played, population, agent)?);
        }
        match moments.last().is_some_and(|moment| moment.tick == tick) {
            true => Ok(moments),
            false => Err(ReplayError::NoAgent(agent)),
        }
    }
}

/// The last tick of an agent of a population; `None` if there is no such agent.
fn moment(
    head: &Playhead,
    played: &Played,
    population: Option<&str>,
    agent: usize,
) -> Result<Option<Moment>, ReplayError> {
    let stage = head.stage();
    let mut all = stage.populations().into_iter();
    let id = all.find(|id| population.is_none_or(|name| stage.name(*id) == name));
    let found = id.and_then(|id| Some((id, stage.population(id)?)));
    let missing = || ReplayError::NoPopulation(population.unwrap_or("").to_owned());
    let (id, there) = found.ok_or_else(missing)?;
    let trace = played.trace(id);
    let events: Vec<_> = trace
        .map(|trace| trace.valued(agent).collect())
        .unwrap_or_default();
    if events.is_empty() && (agent >= there.len() || !there.is_alive(agent)) {
        return Ok(None);
    }
    let messages = played.messages.iter();
    let own = messages.filter(|(by, message)| *by == id && message.agent == agent);
    Ok(Some(Moment {
        tick: head.tick(),
        now: head.now(),
        dt: played.dt,
        program: Arc::clone(there.program()),
        events,
        messages: own.map(|(_, message)| message.clone()).collect(),
    }))
}
