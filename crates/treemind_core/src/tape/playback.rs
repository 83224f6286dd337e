//! Playing tapes.

use super::code::Bytes;
use super::patch::patched;
use super::playing::{PartTape, Playing};
use super::taping::Limit;
use super::{HAS_PATCH, HAS_TEXTS, HAS_TIME, TapeError, Taped};
use crate::host::Message;
use crate::ids::PopulationId;
use crate::population::{Budget, Population, Tally};
use crate::program::Program;
use crate::snapshot::{Reader, Writer};
use crate::society::Society;
use crate::text::Text;
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// The agents of a recording.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// One population.
    Population(Box<Population>),
    /// A society.
    Society(Box<Society>),
}

impl Stage {
    /// The populations, in the order of joining.
    pub fn populations(&self) -> Vec<PopulationId> {
        match self {
            Stage::Population(_) => vec![PopulationId::FIRST],
            Stage::Society(society) => society.ids().collect(),
        }
    }

    /// A population; `None` if there is none with this id.
    pub fn population(&self, id: PopulationId) -> Option<&Population> {
        match self {
            Stage::Population(population) => (id == PopulationId::FIRST).then_some(population),
            Stage::Society(society) => {
                let is_there = society.ids().any(|known| known == id);
                is_there.then(|| society.population(id))
            }
        }
    }

    /// The name of a population, in its society if it is in one.
    ///
    /// # Panics
    /// When there is no such population.
    pub fn name(&self, id: PopulationId) -> &str {
        match self {
            Stage::Population(population) => population.program().behaviour().name(),
            Stage::Society(society) => society.name(id),
        }
    }

    /// How many ticks or steps there were.
    pub fn ticks(&self) -> u64 {
        match self {
            Stage::Population(population) => population.ticks(),
            Stage::Society(society) => society.steps(),
        }
    }

    /// The time that has passed, in nanoseconds; see [`Taped::now_ns`].
    pub fn now_ns(&self) -> u64 {
        match self {
            Stage::Population(population) => population.now_ns(),
            Stage::Society(society) => Taped::now_ns(&**society),
        }
    }

    fn write(&self, to: &mut Writer) {
        match self {
            Stage::Population(population) => population.write(to),
            Stage::Society(society) => society.write(to),
        }
    }

    /// The program of the population in this place.
    fn program(&self, place: usize) -> Option<Arc<Program>> {
        let population = self.population(PopulationId(u16::try_from(place).ok()?))?;
        Some(Arc::clone(population.program()))
    }

    fn restore(&mut self, raw: &[u8], texts: &[Text]) -> Result<(), TapeError> {
        let mut from = Reader::raw(raw, texts);
        match self {
            Stage::Population(population) => {
                let program = Arc::clone(population.program());
                **population = Population::read(program, None, &mut from)?;
            }
            Stage::Society(_) => {
                let program = |place: usize, _: &str| self.program(place);
                let society = Society::read(&mut { program }, &mut from)?;
                *self = Stage::Society(Box::new(society));
            }
        }
        from.close()?;
        Ok(())
    }
}

/// What happened in a tick that was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// For each population that was ticked, in that order, what happened.
    pub traces: Vec<(PopulationId, Trace)>,
    /// What agents have logged and emitted, with the populations.
    pub messages: Vec<(PopulationId, Message)>,
    /// The time step.
    pub dt: Duration,
    /// Of which agents the traces have values; `None` for all.
    pub chosen: Option<Vec<(PopulationId, usize)>>,
}

impl Played {
    /// What happened to a population, if it was ticked.
    pub fn trace(&self, id: PopulationId) -> Option<&Trace> {
        let mut traces = self.traces.iter();
        traces.find(|(by, _)| *by == id).map(|(_, trace)| trace)
    }
}

/// Agents whose ticks are played from a [`Tape`](super::Tape). A clone continues exactly as the original does.
#[derive(Clone, Debug)]
pub struct Playback {
    stage: Stage,
    /// The texts by the numbers of the recording process.
    texts: Vec<Text>,
    raw: Writer,
    dt: Duration,
}

impl Playback {
    /// Begins with a [state](super::Tape::state). `program` gives the program of each population, whose position in the
    /// order of joining and whose name it gets; for a population that is in no society, the name is that of its
    /// behaviour.
    ///
    /// # Errors
    /// When the bytes are no state, or one of another program.
    pub fn open(
        state: &[u8],
        mut program: impl FnMut(usize, &str) -> Option<Arc<Program>>,
    ) -> Result<Self, TapeError> {
        let mut from = Bytes(state);
        let tag = from.byte()?;
        from.number()?;
        let mut texts = Vec::new();
        let mut raw = Writer::recorded();
        read_texts(&mut from, &mut texts, &mut raw)?;
        let saved = from.bytes()?.0;
        let stage = match tag {
            0 => {
                let program =
                    program(0, "").ok_or(TapeError::Impossible("the program is missing"))?;
                Stage::Population(Box::new(Population::restore(program, saved)?))
            }
            1 => Stage::Society(Box::new(Society::restore(saved, program)?)),
            _ => return Err(TapeError::Impossible("it holds nothing known")),
        };
        Ok(Self {
            stage,
            texts,
            raw,
            dt: Duration::ZERO,
        })
    }

    /// The number of ticks or steps at a [state](super::Tape::state).
    ///
    /// # Errors
    /// When the bytes are no state.
    pub fn ticks_of(state: &[u8]) -> Result<u64, TapeError> {
        let mut from = Bytes(state);
        from.byte()?;
        from.number()
    }

    /// Whether the agents are in this [state](super::Tape::state).
    ///
    /// # Errors
    /// When the bytes are no state of these agents.
    pub fn is_at(&self, state: &[u8]) -> Result<bool, TapeError> {
        let there = Self::open(state, |place, _| self.stage.program(place))?;
        Ok(match there.stage {
            Stage::Population(population) => self.agrees_with(&*population),
            Stage::Society(society) => self.agrees_with(&*society),
        })
    }

    /// Whether the agents are in the state of these, which are in this process.
    pub fn agrees_with<T: Taped>(&self, others: &T) -> bool {
        let [mut here, mut there] = [Writer::default(), Writer::default()];
        self.stage.write(&mut here);
        others.write_state(&mut there);
        here.raw() == there.raw()
    }

    /// The agents.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The time step of the last tick that was played; zero before the first.
    pub fn dt(&self) -> Duration {
        self.dt
    }

    /// Plays the next tick, which is at the front of the bytes, and takes it from them. With `played`, records what
    /// happened, with values; otherwise it is faster. After an error, nothing more can be played.
    ///
    /// # Errors
    /// When the bytes are no tick of these agents.
    pub fn step(&mut self, tape: &mut &[u8], played: Option<&mut Played>) -> Result<(), TapeError> {
        let mut from = Bytes(tape);
        let flags = from.byte()?;
        if flags & HAS_TIME != 0 {
            let (secs, nanos) = (from.number()?, from.narrow()?);
            if nanos >= 1_000_000_000 {
                return Err(TapeError::Impossible("a second has too many nanoseconds"));
            }
            self.dt = Duration::new(secs, nanos);
        }
        if flags & HAS_TEXTS != 0 {
            read_texts(&mut from, &mut self.texts, &mut self.raw)?;
        }
        if flags & HAS_PATCH != 0 {
            let patch = from.bytes()?;
            self.raw.clear();
            self.stage.write(&mut self.raw);
            let new = patched(self.raw.raw(), patch)?;
            self.stage.restore(&new, &self.texts)?;
        }
        let mut parts = Vec::new();
        for _ in 0..from.size()? {
            parts.push(PartTape::read(&mut from)?);
        }
        self.tick(parts, played)?;
        *tape = from.0;
        Ok(())
    }

    fn tick(
        &mut self,
        parts: Vec<PartTape<'_>>,
        mut played: Option<&mut Played>,
    ) -> Result<(), TapeError> {
        if let Some(played) = &mut played {
            played.traces.clear();
            played.messages.clear();
            played.dt = self.dt;
        }
        let (dt, texts) = (self.dt, &self.texts[..]);
        match &mut self.stage {
            Stage::Population(population) => {
                let [part] = <[_; 1]>::try_from(parts)
                    .map_err(|_| TapeError::Impossible("one population is ticked once"))?;
                play(part, texts, played, |host, limit, trace| {
                    with_budget(limit, |budget| match (budget, trace) {
                        (None, None) => population.tick(host, dt),
                        (None, Some(trace)) => population.tick_traced(host, dt, trace),
                        (Some(budget), None) => population.tick_some(host, dt, budget),
                        (Some(budget), Some(trace)) => {
                            population.tick_some_traced(host, dt, budget, trace)
                        }
                    });
                })?;
            }
            Stage::Society(society) => {
                let mut ticked = Vec::new();
                for part in &parts {
                    let id = PopulationId(part.population);
                    if ticked.contains(&id) || !society.ids().any(|known| known == id) {
                        return Err(TapeError::Impossible("no such population can be ticked"));
                    }
                    ticked.push(id);
                }
                let mut step = society.step(dt);
                for part in parts {
                    let id = PopulationId(part.population);
                    play(part, texts, played.as_deref_mut(), |host, limit, trace| {
                        with_budget(limit, |budget| match (budget, trace) {
                            (None, None) => step.tick(id, host),
                            (None, Some(trace)) => step.tick_traced(id, host, trace),
                            (Some(budget), None) => step.tick_some(id, host, budget),
                            (Some(budget), Some(trace)) => {
                                step.tick_some_traced(id, host, budget, trace)
                            }
                        });
                    })?;
                }
                step.end();
            }
        }
        Ok(())
    }
}

/// Ticks one population with what its host did.
fn play(
    part: PartTape<'_>,
    texts: &[Text],
    played: Option<&mut Played>,
    tick: impl FnOnce(&mut Playing<'_>, Limit, Option<&mut Trace>),
) -> Result<(), TapeError> {
    let (id, limit) = (PopulationId(part.population), part.limit);
    let mut messages = Vec::new();
    let mut host = Playing::new(part, texts, &mut messages);
    let Some(played) = played else {
        tick(&mut host, limit, None);
        return host.end();
    };
    let mut trace = Trace::with_values();
    if let Some(chosen) = &played.chosen {
        let own = chosen.iter().filter(|(of, _)| *of == id);
        trace.choose(own.map(|(_, agent)| *agent));
    }
    tick(&mut host, limit, Some(&mut trace));
    host.end()?;
    played.traces.push((id, trace));
    let messages = messages.into_iter().map(|message| (id, message));
    played.messages.extend(messages);
    Ok(())
}

/// Ticks with the budget of the recording.
fn with_budget(limit: Limit, tick: impl FnOnce(Option<Budget<'_>>) -> Tally) {
    match limit {
        Limit::None => tick(None),
        Limit::Agents(agents) => {
            let agents = usize::try_from(agents).unwrap_or(usize::MAX);
            tick(Some(Budget::Agents(agents)))
        }
        Limit::Chunks(chunks) => {
            let mut left = chunks;
            let mut goes_on = || {
                let goes_on = left > 0;
                left = left.saturating_sub(1);
                goes_on
            };
            tick(Some(Budget::While(&mut goes_on)))
        }
    };
}

fn read_texts(
    from: &mut Bytes<'_>,
    texts: &mut Vec<Text>,
    raw: &mut Writer,
) -> Result<(), TapeError> {
    for _ in 0..from.size()? {
        let text = Text::new(from.str()?);
        let number = u32::try_from(texts.len()).map_err(|_| TapeError::Cut)?;
        raw.learn(text, number);
        texts.push(text);
    }
    Ok(())
}
