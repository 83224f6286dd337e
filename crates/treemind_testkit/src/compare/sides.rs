//! The populations that are compared with the reference.

use super::events::same_events;
use super::{Meddler, Paired};
use crate::generate::Case;
use crate::reference::Happening;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::tape::{Playback, Played, Tape};
use treemind_core::{Budget, Population, Program, Tally, Trace};

/// A population and its host.
pub(super) struct Side {
    pub(super) population: Population,
    pub(super) host: Paired<Meddler>,
    pub(super) way: Way,
    /// What records the population, and plays what was recorded.
    film: Option<Film>,
}

/// A population that is recorded and played tick by tick.
struct Film {
    tape: Tape,
    playback: Playback,
    played: Played,
}

/// How a population is ticked.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Traced,
    Untraced,
    /// Untraced, with single agents ticked as crowds are.
    Swept,
    /// Untraced, and saved and restored in every second tick.
    Restored,
    /// Untraced, recorded, and played from the recording.
    Recorded,
}

impl Way {
    pub(super) const ALL: [Way; 5] = [
        Way::Traced,
        Way::Untraced,
        Way::Swept,
        Way::Restored,
        Way::Recorded,
    ];
}

impl Side {
    pub(super) fn new(case: &Case, program: &Arc<Program>, way: Way) -> Self {
        let population = Population::new(Arc::clone(program), case.agents);
        let mut population = population.with_seed(case.seed);
        let behaviour = program.behaviour();
        Self {
            film: (way == Way::Recorded).then(|| Film::new(&mut population)),
            population: match way {
                Way::Swept => population.sweeping_all(),
                _ => population,
            },
            host: Paired::new(Meddler::new(case, behaviour), behaviour, case.agents)
                .noting_calls()
                .teasing(),
            way,
        }
    }

    /// Continues with what was saved, if that is its way.
    pub(super) fn resume(&mut self) {
        if self.way == Way::Restored {
            self.population = resumed(&self.population);
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self.way {
            Way::Traced => "traced",
            Way::Untraced => "untraced",
            Way::Swept => "swept",
            Way::Restored => "restored",
            Way::Recorded => "recorded",
        }
    }

    /// Ticks the population, with a trace if that is its way. What was recorded is played at once.
    pub(super) fn tick(
        &mut self,
        dt: Duration,
        budget: Option<Budget<'_>>,
        trace: &mut Trace,
    ) -> Tally {
        let (population, host) = (&mut self.population, &mut self.host);
        match (self.way, budget) {
            (Way::Traced, None) => population.tick_traced(host, dt, trace),
            (Way::Traced, Some(budget)) => population.tick_some_traced(host, dt, budget, trace),
            (Way::Recorded, budget) => {
                let film = self.film.as_mut().expect("it is recorded");
                let mut out = Vec::new();
                let tally = film.tape.tick(population, host, (dt, budget), &mut out);
                film.play(&out, population);
                tally
            }
            (_, None) => population.tick(host, dt),
            (_, Some(budget)) => population.tick_some(host, dt, budget),
        }
    }

    /// If the population is recorded: the first agent whose last tick has another trace in the recording, with the
    /// events of the recording and of the trace.
    pub(super) fn misplayed(
        &self,
        trace: &Trace,
        agents: usize,
    ) -> Option<(usize, Vec<String>, Vec<String>)> {
        let film = self.film.as_ref().filter(|_| trace.has_values())?;
        let (_, played) = film.played.traces.first()?;
        let of = |trace: &Trace, agent: usize| trace.valued(agent).collect::<Vec<Happening>>();
        let is_other = |agent: &usize| !same_events(&of(played, *agent), &of(trace, *agent));
        let show = |trace: &Trace, agent: usize| -> Vec<String> {
            let events = of(trace, agent);
            events.iter().map(|event| format!("{event:?}")).collect()
        };
        let agent = (0..agents).find(is_other)?;
        Some((agent, show(played, agent), show(trace, agent)))
    }
}

impl Film {
    fn new(population: &mut Population) -> Self {
        let mut tape = Tape::new();
        let state = tape.state(population);
        let program = |_: usize, _: &str| Some(Arc::clone(population.program()));
        Self {
            playback: Playback::open(&state, program).expect("it was just recorded"),
            tape,
            played: Played::default(),
        }
    }

    /// Plays a tick, and checks that it comes to the same state.
    fn play(&mut self, tick: &[u8], population: &Population) {
        let mut rest = tick;
        let step = self.playback.step(&mut rest, Some(&mut self.played));
        step.unwrap_or_else(|error| panic!("tick {}: {error}", population.ticks()));
        assert!(rest.is_empty(), "a tick has more than was played");
        assert!(self.playback.agrees_with(population), "another state");
    }
}

/// The population as it comes out of its snapshot.
///
/// # Panics
/// When it cannot be restored, or another snapshot is made of it then.
pub fn resumed(population: &Population) -> Population {
    let saved = population.save();
    let restored = Population::restore(Arc::clone(population.program()), &saved);
    let restored = restored.unwrap_or_else(|error| panic!("what was just saved: {error}"));
    assert!(
        restored.save() == saved,
        "what was restored is saved differently"
    );
    restored
}
