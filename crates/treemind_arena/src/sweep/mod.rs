//! Sweeps: one scenario, played many times with other seeds and other start values of keys, and what came out.
//!
//! A run depends on its setting and its seed only, so the rows are the same on any number of threads and machines, and
//! runs may be divided among them as anybody likes.

pub(crate) mod asked;
mod error;
mod play;

pub use error::SweepError;

use crate::map::Scenario;
use crate::sense::written_keys;
use asked::Asked;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use treemind::blackboard::Value;
use treemind::population::Behaviour;
use treemind::{Document, doc};

/// What is played again and again, and what is asked of each run.
#[derive(Debug)]
pub struct Sweep {
    document: Document,
    main: Behaviour,
    scenario: Scenario,
    map: String,
    ticks: u64,
    measures: Vec<Asked>,
    always: Vec<Asked>,
    until: Option<Asked>,
    varied: Vec<Varied>,
}

/// A key with the values that it starts with, one after the other.
#[derive(Clone, Debug)]
struct Varied {
    key: String,
    values: Vec<Value>,
}

/// What came out of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which setting: see [`Sweep::setting`].
    pub setting: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many ticks it took.
    pub ticks: u64,
    /// Whether the one who is asked was alive at the end.
    pub alive: bool,
    /// How many faults there were.
    pub faults: u64,
    /// The measures, in their order, as they were when the one who is asked was last there.
    pub measures: Vec<f64>,
    /// The first promise that did not hold: its position, and the tick.
    pub broken: Option<(usize, u64)>,
}

/// What a sweep is made of: texts, as people write them.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The most ticks of a run; a scenario may end earlier.
    pub ticks: u64,
    /// Numbers, by expressions over the keys of the first one with the mind `main`.
    pub measures: Vec<String>,
    /// What must hold after each tick.
    pub always: Vec<String>,
    /// What ends a run.
    pub until: Option<String>,
}

/// The most settings of a sweep.
const MOST_SETTINGS: usize = 1_000_000;

impl Sweep {
    /// A sweep of a document on a map. `main` is the tree, machine or decision tree of those whose mind is `main`; `None`
    /// is the document's own.
    ///
    /// # Errors
    /// When the document has errors, the text is not a map, an expression makes no sense, or the map and the document do
    /// not fit together.
    pub fn new(
        document: Document,
        main: Option<&str>,
        map: &str,
        wanted: &Wanted,
    ) -> Result<Self, SweepError> {
        let scenario = Scenario::parse(map).map_err(|error| SweepError::Map(error.to_string()))?;
        let main = behaviour_of(&document, main)?;
        let asked = |text: &String| Asked::number(&document, text);
        let promised = |text: &String| Asked::condition(&document, text);
        let sweep = Self {
            measures: wanted
                .measures
                .iter()
                .map(asked)
                .collect::<Result<_, _>>()?,
            always: wanted
                .always
                .iter()
                .map(promised)
                .collect::<Result<_, _>>()?,
            until: wanted.until.as_ref().map(promised).transpose()?,
            main,
            scenario,
            map: map.to_owned(),
            ticks: wanted.ticks,
            varied: Vec::new(),
            document,
        };
        // Whatever does not fit is found now, and not by each of a hundred thousand runs.
        play::session(&sweep, 0, 0)?;
        Ok(sweep)
    }

    /// Lets a key start with each of these values, in all combinations with what was varied before. They are written as
    /// in documents, without quotes: `30`, `1.5`, `true`, the name of a value of an enumeration.
    ///
    /// # Errors
    /// When no behaviour of the map has such a key, the arena writes it before every tick, a value is of another type, or
    /// there are too many combinations.
    pub fn vary(&mut self, key: &str, values: &[String]) -> Result<(), SweepError> {
        let session = play::session(self, 0, 0)?;
        let behaviours = (0..session.behaviours()).map(|nth| session.population_at(nth));
        let mut of = behaviours.map(|population| population.program().behaviour());
        let found = of.find_map(|behaviour| Some((behaviour, behaviour.key_id(key)?)));
        let (behaviour, id) = found.ok_or_else(|| SweepError::NoKey(key.to_owned()))?;
        let written = written_keys(behaviour, session.world());
        if written.iter().any(|written| written.key() == id) {
            return Err(SweepError::Written(key.to_owned()));
        }
        let ty = behaviour.key(id).ty;
        let parsed = values.iter().map(|text| {
            asked::value_of(behaviour, ty, text).ok_or_else(|| SweepError::Value {
                key: key.to_owned(),
                ty: ty.keyword(),
                text: text.clone(),
            })
        });
        let values = parsed.collect::<Result<Vec<_>, _>>()?;
        let settings = self.settings().checked_mul(values.len());
        match settings {
            Some(1..=MOST_SETTINGS) => {
                let key = key.to_owned();
                self.varied.push(Varied { key, values });
                Ok(())
            }
            _ => Err(SweepError::Settings(MOST_SETTINGS)),
        }
    }

    /// How many settings there are: all combinations of what varies.
    pub fn settings(&self) -> usize {
        let counts = self.varied.iter().map(|varied| varied.values.len());
        counts.product()
    }

    /// The keys and values of a setting. Settings are numbered from 0, and the key that was varied last changes fastest.
    pub fn setting(&self, number: usize) -> Vec<(&str, Value)> {
        let mut rest = number;
        let mut found: Vec<_> = self
            .varied
            .iter()
            .rev()
            .map(|varied| {
                let at = rest % varied.values.len();
                rest /= varied.values.len();
                (varied.key.as_str(), varied.values[at])
            })
            .collect();
        found.reverse();
        found
    }

    /// The expressions of the promises, as they were written.
    pub fn promises(&self) -> impl ExactSizeIterator<Item = &str> {
        self.always.iter().map(Asked::text)
    }

    /// Plays one run.
    ///
    /// # Errors
    /// When an expression has a fault, such as a division by zero.
    pub fn run(&self, setting: usize, seed: u64) -> Result<Row, SweepError> {
        play::run(self, setting, seed, None)
    }

    /// Plays one run again, and records it for the studio and `treemind replay`.
    ///
    /// # Errors
    /// As [`run`](Self::run), and when the file cannot be written.
    pub fn record(
        &self,
        setting: usize,
        seed: u64,
        path: impl AsRef<std::path::Path>,
    ) -> Result<Row, SweepError> {
        play::record(self, setting, seed, path.as_ref())
    }

    /// Plays runs, given by setting and seed, on several threads, and returns their rows in the same order. When `stop`
    /// is set, also by another thread, no more runs begin, and the rows that there are not are left out.
    ///
    /// # Errors
    /// As [`run`](Self::run): that of the first run that failed.
    pub fn run_all(
        &self,
        runs: &[(usize, u64)],
        threads: NonZeroUsize,
        stop: &AtomicBool,
        tell: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Row>, SweepError> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rows = Mutex::new((Vec::with_capacity(runs.len()), None));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(setting, seed)) = runs.get(at) else {
                    return;
                };
                let row = self.run(setting, seed);
                let Ok(mut rows) = rows.lock() else { return };
                match row {
                    Ok(row) => rows.0.push((at, row)),
                    Err(error) => {
                        // Of several, that of the first run: so it does not depend on the threads.
                        let is_first = rows.1.as_ref().is_none_or(|(known, _)| at < *known);
                        rows.1 = if is_first {
                            Some((at, error))
                        } else {
                            rows.1.take()
                        };
                        next.store(runs.len(), Ordering::Relaxed);
                    }
                }
                drop(rows);
                tell(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.get().min(runs.len()) {
                scope.spawn(work);
            }
            work();
        });
        let (mut rows, failed) = rows.into_inner().unwrap_or_else(|error| error.into_inner());
        if let Some((_, error)) = failed {
            return Err(error);
        }
        rows.sort_unstable_by_key(|(at, _)| *at);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }
}

/// The behaviour of a name, whatever it is.
pub(crate) fn behaviour_of(
    document: &Document,
    name: Option<&str>,
) -> Result<Behaviour, SweepError> {
    let named = |all: &[doc::Tree], name: &str| all.iter().any(|one| one.name() == name);
    let found = match name {
        Some(name) if document.archetype(name).is_some() => document.behaviour_for(name),
        Some(name) if named(document.machines(), name) => document.machine(name),
        Some(name) if named(document.decisions(), name) => document.decision(name),
        Some(name) if named(document.planners(), name) => document.planner(name),
        name => document.behaviour(name),
    };
    found.map_err(SweepError::Document)
}

#[cfg(test)]
mod tests;
