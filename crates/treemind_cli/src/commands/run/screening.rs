//! A recording of any game, without its world: the agents, what they did and what they said.

use super::mind::Mind;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use treemind_arena::BodyId;
use treemind_core::tape::Played;
use treemind_core::{Faults, Population, PopulationId, Trace};
use treemind_explain::{Words, say};
use treemind_recording::{Recording, ReplayError, Tape};
use treemind_replay::follow::{FaultsSoFar, Fellows, Tone, changes};
use treemind_replay::history::{Playhead, Times};

/// How many agents are shown at most.
const MOST_MINDS: usize = 200;

/// The agents of a recording. A clone plays on independently.
#[derive(Clone)]
pub(super) struct Screening {
    tape: Arc<Tape>,
    head: Playhead,
    populations: Vec<PopulationId>,
    times: Rc<RefCell<Times>>,
    /// The faults that were there after the last tick, of each population.
    faults: FaultsSoFar,
    /// It ends here, because it cannot be played on.
    is_broken: bool,
}

/// What happened in a tick.
pub(super) struct Scene {
    pub(super) lines: Vec<(Tone, Option<BodyId>, Words)>,
    pub(super) faults: u64,
    pub(super) said: Vec<Words>,
    /// Of each population with faults: its name, whether it has only one agent, and the faults.
    pub(super) sums: Vec<(String, bool, Faults)>,
}

impl Screening {
    /// The agents after a tick, to play some ticks of a recording that follow one another without a gap.
    pub(super) fn at(
        recording: &Recording,
        ticks: RangeInclusive<u64>,
        tick: u64,
    ) -> Result<Self, ReplayError> {
        let tape = Arc::new(Tape::of(recording, ticks));
        let head = Playhead::at(&tape, tick)?;
        Ok(Self {
            populations: head.stage().populations(),
            times: Rc::new(RefCell::new(Times::since(head.tick(), nanos(head.now())))),
            tape,
            head,
            faults: FaultsSoFar::default(),
            is_broken: false,
        })
    }

    pub(super) fn tick(&self) -> u64 {
        self.head.tick()
    }

    /// The time after a tick that was played, in seconds.
    pub(super) fn secs_at(&self, tick: u64) -> f64 {
        self.times.borrow().secs_at(tick)
    }

    /// The length of the last tick.
    pub(super) fn dt(&self) -> Duration {
        self.head.dt()
    }

    /// Whether it cannot be played on.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Continues with another document, if it replaced that of the last tick: the [minds](Self::minds) are others then.
    /// Returns whether they are those of before, who go on; `None` if it is the same document.
    pub(super) fn recast(&mut self) -> Option<bool> {
        let tick = self.head.tick();
        if !matches!(self.head.enter(&self.tape), Ok(true)) {
            return None;
        }
        let populations = self.head.stage().populations();
        let goes_on = self.head.tick() == tick && populations == self.populations;
        self.populations = populations;
        Some(goes_on)
    }

    /// The agents.
    pub(super) fn minds(&self) -> Vec<Mind> {
        let stage = self.head.stage();
        let mut minds = Vec::new();
        for (place, id) in self.populations.iter().copied().enumerate() {
            let Some(population) = stage.population(id) else {
                continue;
            };
            let agents = (0..population.len()).filter(|agent| population.is_alive(*agent));
            for agent in agents.take(MOST_MINDS - minds.len()) {
                let name = agent_name(stage.name(id), population.len() == 1, agent);
                let behaviour = population.program().behaviour();
                let mind = Mind::new(&name, None, place, behaviour).of_agent(agent);
                minds.push(mind.among(Fellows::numbered(stage.name(id))));
            }
        }
        minds
    }

    pub(super) fn population(&self, place: usize) -> &Population {
        let found = self.head.stage().population(self.populations[place]);
        found.expect("it plays only as long as these are the populations")
    }

    pub(super) fn agent_of(&self, mind: &Mind) -> Option<usize> {
        let population = self.population(mind.behaviour());
        let agent = mind.agent();
        (agent < population.len() && population.is_alive(agent)).then_some(agent)
    }

    /// Plays a tick, and takes over its traces.
    pub(super) fn step(&mut self, traces: &mut Vec<Trace>, minds: &[Mind]) -> Scene {
        let mut scene = Scene {
            lines: Vec::new(),
            faults: 0,
            said: Vec::new(),
            sums: Vec::new(),
        };
        traces.resize_with(self.populations.len(), Trace::with_values);
        traces.iter_mut().for_each(Trace::clear);
        if self.is_broken {
            return scene;
        }
        let mut played = Played::default();
        match self.head.step(&self.tape, Some(&mut played)) {
            Ok(true) => {
                let head = &self.head;
                let (now, dt) = (nanos(head.now()), nanos(head.dt()));
                self.times.borrow_mut().played(head.tick(), now, dt);
            }
            Ok(false) => return scene,
            Err(error) => {
                self.is_broken = true;
                scene.said.push(Words::plain(error));
                return scene;
            }
        }
        for (id, trace) in played.traces {
            let place = self.populations.iter().position(|known| *known == id);
            if let Some(place) = place {
                traces[place] = trace;
            }
        }
        let is_alone = minds.len() == 1;
        for mind in minds {
            let behaviour = self.population(mind.behaviour()).program().behaviour();
            let trace = (&traces[mind.behaviour()], mind.agent());
            let told = changes(behaviour, trace, mind.marks()).into_iter();
            scene.lines.extend(told.map(|(tone, words)| match is_alone {
                true => (tone, None, words),
                false => {
                    let one = Words::value(mind.name());
                    (tone, None, say!(Colon, one, more = words))
                }
            }));
        }
        for (by, message) in &played.messages {
            let mut known = minds.iter();
            let mind = known.find(|mind| {
                self.populations[mind.behaviour()] == *by
                    && mind.agent() == message.agent
                    && !is_alone
            });
            let text = Words::plain(match mind {
                Some(mind) => format!("{}: {}", mind.name(), message.text),
                None => message.text.clone(),
            });
            scene.lines.push((Tone::Calm, None, text));
        }
        self.note_faults(&mut scene);
        scene
    }

    /// The faults of the last tick.
    fn note_faults(&mut self, scene: &mut Scene) {
        let stage = self.head.stage();
        for (id, fresh) in self.faults.take_in(stage) {
            let len = stage.population(id).map_or(0, Population::len);
            let (name, is_alone) = (stage.name(id), len == 1);
            scene.faults += fresh.total();
            scene.said.extend(fresh.kept().iter().map(|fault| {
                let who = agent_name(name, is_alone, fault.agent);
                let label = fault.label.as_str();
                let who = match who == label {
                    true => who,
                    false => format!("{who}: {label}"),
                };
                Words::fault(Words::value(who), fault)
            }));
            scene.sums.push((name.to_owned(), is_alone, fresh));
        }
    }
}

/// What an agent of a population is called.
pub(super) fn agent_name(population: &str, is_alone: bool, agent: usize) -> String {
    match is_alone {
        true => population.to_owned(),
        false => format!("{population}-{}", agent + 1),
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
