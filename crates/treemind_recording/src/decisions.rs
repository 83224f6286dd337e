//! What agents knew and did, tick by tick: the rows of tables that people and `treemind_learn` read.

use crate::{Recording, Tape};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use treemind_core::behaviour::{Form, LeafKind};
use treemind_core::tape::Played;
use treemind_core::trace::{ByAgent, Event, Trace};
use treemind_core::{Behaviour, KeyId, Kind, LeafId, Population, Status, Value};
use treemind_replay::history::{Playhead, ReplayError};

/// What an agent can know: a column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A key with single values.
    Key(KeyId),
    /// A condition.
    Condition(LeafId),
}

impl Fact {
    /// All facts of a behaviour: keys with single values, then conditions.
    pub fn all(behaviour: &Behaviour) -> Vec<Self> {
        let keys = behaviour.keys().iter().enumerate();
        let keys = keys.filter(|(_, key)| !matches!(key.form, Form::List { .. }));
        let keys = keys.map(|(nth, _)| Fact::Key(KeyId::new(nth)));
        let leaves = behaviour.leaves().iter().enumerate();
        let conditions = leaves.filter(|(_, leaf)| leaf.kind == LeafKind::Condition);
        let conditions = conditions.map(|(nth, _)| Fact::Condition(LeafId::new(nth)));
        keys.chain(conditions).collect()
    }

    /// Its name in the document.
    pub fn name(self, behaviour: &Behaviour) -> &str {
        match self {
            Fact::Key(key) => &behaviour.key(key).name,
            Fact::Condition(leaf) => &behaviour.leaf(leaf).name,
        }
    }
}

/// What an agent knew and did in a tick.
#[derive(Clone, Debug, Default)]
pub struct Decision {
    /// What keys held when they were first read.
    read: BTreeMap<usize, Value>,
    answers: BTreeMap<usize, Option<bool>>,
    action: Option<LeafId>,
    status: Option<Status>,
}

impl Decision {
    /// What an agent knew and did; `None` if it was not ticked.
    pub fn of(behaviour: &Behaviour, events: &ByAgent<'_>, agent: usize) -> Option<Self> {
        let mut decided = Self {
            status: Some(events.root(behaviour, agent)?),
            ..Self::default()
        };
        for (node, event, value) in events.valued(agent) {
            match (event, &behaviour.node(node).kind) {
                (Event::Read(key), _) => {
                    if let Some(value) = value {
                        decided.read.entry(key.index()).or_insert(value);
                    }
                }
                (Event::Tick(status), Kind::Condition { leaf, negated, .. }) => {
                    let holds = (status == Status::Success) != *negated;
                    let answer = match status {
                        Status::Success | Status::Failure => Some(holds),
                        Status::Running | Status::Skipped => None,
                    };
                    decided.answers.entry(leaf.index()).or_insert(answer);
                }
                // What failed was tried, but is not what the agent did.
                (Event::Tick(Status::Success | Status::Running), Kind::Action { leaf, .. }) => {
                    decided.action = Some(*leaf);
                }
                _ => {}
            }
        }
        Some(decided)
    }

    /// What a key held when it was first read in the tick, or what it holds now if nothing has read it; `None` if it is
    /// unset.
    pub fn value(&self, population: &Population, agent: usize, key: KeyId) -> Option<Value> {
        let read = self.read.get(&key.index()).copied();
        read.or_else(|| population.find(agent, key))
    }

    /// What a condition answered first; `None` if nothing has asked it, or it gave no answer.
    pub fn answer(&self, condition: LeafId) -> Option<bool> {
        self.answers.get(&condition.index()).copied().flatten()
    }

    /// The action that the agent ended up with.
    pub fn action(&self) -> Option<LeafId> {
        self.action
    }

    /// What its behaviour answered.
    pub fn status(&self) -> Option<Status> {
        self.status
    }
}

/// One population after one tick.
pub struct Scene<'s> {
    /// The tick, from 1.
    pub tick: u64,
    /// The time of the game after it, in nanoseconds.
    pub now_ns: u64,
    /// The name of the population.
    pub name: &'s str,
    /// Its agents.
    pub population: &'s Population,
    /// What happened in the tick.
    pub trace: &'s Trace,
    /// The same, agent by agent.
    pub events: ByAgent<'s>,
}

/// The names of the populations at the beginning.
///
/// # Errors
/// When the recording cannot be played.
pub fn populations(recording: &Recording) -> Result<Vec<String>, ReplayError> {
    let before = recording.ticks().start().saturating_sub(1);
    let head = Playhead::at(&Tape::whole(recording), before)?;
    let stage = head.stage();
    let ids = stage.populations().into_iter();
    Ok(ids.map(|id| stage.name(id).to_owned()).collect())
}

/// Plays ticks, those that are there, population by population.
///
/// # Errors
/// When the recording cannot be played.
pub fn play(
    recording: &Recording,
    wanted: RangeInclusive<u64>,
    mut each: impl FnMut(Scene<'_>),
) -> Result<(), ReplayError> {
    for ticks in recording.stretches() {
        let first = *wanted.start().max(ticks.start());
        let last = *wanted.end().min(ticks.end());
        if first > last {
            continue;
        }
        let tape = Tape::of(recording, ticks.clone());
        let mut head = Playhead::at(&tape, first.saturating_sub(1))?;
        let mut played = Played::default();
        while head.tick() < last && head.step(&tape, Some(&mut played))? {
            let stage = head.stage();
            for (id, trace) in &played.traces {
                if let Some(population) = stage.population(*id) {
                    each(Scene {
                        tick: head.tick(),
                        now_ns: head.now().as_nanos() as u64,
                        name: stage.name(*id),
                        population,
                        trace,
                        events: trace.by_agent(),
                    });
                }
            }
        }
    }
    Ok(())
}
