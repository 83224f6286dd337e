//! What a crowd consists of, and its ticks.

use super::finding::{Finding, Hosting};
use crate::threads::{Pool, pack};
use numpy::{PyArray1, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::time::{Duration, Instant};
use treemind_core::behaviour::LeafKind;
use treemind_core::host::{BitColumn, Columns};
use treemind_core::observer::{Observers, Texts};
use treemind_core::{Behaviour, LeafId, Population, Rollback, Tally};

pub(super) struct State {
    pub(super) population: Population,
    /// One for each thread that may be used.
    pub(super) hosts: Vec<Columns>,
    pub(super) flags: Vec<Flags>,
    pub(super) finding: Finding,
    pub(super) name: Option<String>,
    pub(super) texts: Texts,
    pub(super) observers: Observers,
    pub(super) rollback: Option<Rollback>,
    pub(super) pool: Option<Pool>,
    pub(super) pace: Pace,
}

/// An array that Python writes and a tick reads.
pub(super) struct Flags {
    pub(super) leaf: LeafId,
    pub(super) what: What,
    /// A byte for each agent. Python sees the same memory as `bool`; a `bool` of Rust must not be anything but 0 or 1,
    /// and what is written through a view might be.
    pub(super) bytes: Py<PyArray1<u8>>,
    pub(super) shown: Py<PyAny>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Holds,
    Succeeded,
    Failed,
}

impl What {
    fn column(self, host: &mut Columns, leaf: LeafId) -> &mut BitColumn {
        match self {
            What::Holds => host.holds_mut(leaf),
            What::Succeeded => host.succeeded_mut(leaf),
            What::Failed => host.failed_mut(leaf),
        }
    }
}

/// Whether several threads are worth it: to wake them may take longer than a step. So both are tried, and what is quicker
/// is done. What comes out is the same.
#[derive(Default)]
pub(super) struct Pace {
    /// What a step takes on one thread, and on all.
    takes: [Option<Duration>; 2],
    steps: u32,
}

impl Pace {
    /// A step that takes less is always played on one thread.
    const SHORT: Duration = Duration::from_micros(50);
    /// Of so many steps, the first few are played in the way that was slower: it may be quicker by now.
    const LOOK_AGAIN: u32 = 256;
    const FEW: u32 = 3;

    fn on_several(&self) -> bool {
        match self.takes {
            [None, _] => false,
            [Some(alone), _] if alone < Self::SHORT => false,
            [_, None] => true,
            [Some(alone), Some(several)] => {
                (several < alone) != (self.steps % Self::LOOK_AGAIN < Self::FEW)
            }
        }
    }

    /// What disturbs makes a step longer, never shorter: so this falls at once, and rises slowly.
    fn note(&mut self, took: Duration, on_several: bool) {
        let known = &mut self.takes[usize::from(on_several)];
        *known = Some(known.map_or(took, |known| took.min((known * 7 + took) / 8)));
        self.steps = self.steps.wrapping_add(1);
    }
}

impl State {
    pub(super) fn behaviour(&self) -> &Behaviour {
        self.population.program().behaviour()
    }

    /// Takes over what Python has written since the last step, and plays one.
    pub(super) fn step(&mut self, py: Python<'_>, dt: Duration) -> PyResult<Result<Tally, String>> {
        let begun = Instant::now();
        let on_several =
            self.hosts.len() > 1 && self.observers.is_empty() && self.pace.on_several();
        let read = match on_several {
            true => self.read_flags_on_several(py)?,
            false => self.read_flags(py)?,
        };
        let tally = read.and_then(|()| py.detach(|| self.tick(dt, on_several)));
        self.pace.note(begun.elapsed(), on_several);
        self.finding.finish()?;
        Ok(tally)
    }

    fn read_flags(&mut self, py: Python<'_>) -> PyResult<Result<(), String>> {
        let Some(host) = self.hosts.first_mut() else {
            return Ok(Ok(()));
        };
        for flags in &self.flags {
            let bytes = flags.bytes.bind(py).try_readonly()?;
            pack(
                bytes.as_slice()?,
                flags.what.column(host, flags.leaf).words_mut(),
            );
        }
        Ok(Ok(()))
    }

    /// The same on all threads: each host gets the flags of those whom it serves. The lock of the interpreter is held
    /// meanwhile, so that nobody writes them.
    fn read_flags_on_several(&mut self, py: Python<'_>) -> PyResult<Result<(), String>> {
        let arrays = self
            .flags
            .iter()
            .map(|flags| flags.bytes.bind(py).try_readonly());
        let arrays: Vec<PyReadonlyArray1<'_, u8>> = arrays.collect::<Result<_, _>>()?;
        let mut given = Vec::with_capacity(arrays.len());
        for (array, flags) in arrays.iter().zip(&self.flags) {
            given.push((flags.what, flags.leaf, array.as_slice()?));
        }
        let parts: Vec<_> = self.population.parts(self.hosts.len()).collect();
        let pool = match Pool::of_this_process(&mut self.pool, self.hosts.len()) {
            Ok(pool) => pool,
            Err(text) => return Ok(Err(text)),
        };
        let hosts = &mut self.hosts;
        pool.install(|| {
            hosts.par_iter_mut().zip(parts).for_each(|(host, part)| {
                for (what, leaf, bytes) in &given {
                    // Parts are whole blocks of agents, so they begin with a word; the last one may end in the middle.
                    let of_part = &bytes[part.start.min(bytes.len())..part.end.min(bytes.len())];
                    let words = what.column(host, *leaf).words_mut();
                    pack(of_part, &mut words[part.start / 64..part.end.div_ceil(64)]);
                }
            });
        });
        Ok(Ok(()))
    }

    fn tick(&mut self, dt: Duration, on_several: bool) -> Result<Tally, String> {
        self.hosts.iter_mut().for_each(Columns::clear);
        let (population, finding) = (&mut self.population, &self.finding);
        let tally = if on_several {
            let pool = Pool::of_this_process(&mut self.pool, self.hosts.len())?;
            let hosts = self.hosts.iter_mut();
            let hosts = hosts.map(|columns| Hosting { columns, finding });
            let mut hosts: Vec<Hosting<'_>> = hosts.collect();
            pool.install(|| population.tick_in_parallel(&mut hosts, dt))
        } else if let Some(columns) = self.hosts.first_mut() {
            let host = &mut Hosting { columns, finding };
            match self.observers.is_empty() {
                true => population.tick(host, dt),
                false => self.observers.tick(population, host, dt),
            }
        } else {
            Tally::default()
        };
        if let Some(rollback) = &mut self.rollback {
            rollback.record(&self.population);
        }
        Ok(tally)
    }

    pub(super) fn leaf(&self, name: &str, is_condition: bool) -> PyResult<LeafId> {
        let behaviour = self.behaviour();
        let fits = |kind: LeafKind| match is_condition {
            true => kind == LeafKind::Condition,
            false => matches!(kind, LeafKind::Action { .. }),
        };
        let id = behaviour
            .leaf_id(name)
            .filter(|id| fits(behaviour.leaf(*id).kind));
        id.ok_or_else(|| {
            let all = behaviour.leaves().iter().filter(|leaf| fits(leaf.kind));
            let all: Vec<&str> = all.map(|leaf| leaf.name.as_str()).collect();
            let word = if is_condition { "condition" } else { "action" };
            PyKeyError::new_err(format!(
                "there is no {word} `{name}`; there are: {}",
                all.join(", ")
            ))
        })
    }
}
