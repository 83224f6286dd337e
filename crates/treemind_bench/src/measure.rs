//! Time and allocations of ticks.

use crate::contender::Runner;
use crate::runner::Setting;
use std::time::{Duration, Instant};

/// A batch takes about this many nanoseconds for code written by hand; reading the clock takes much less.
const BATCH: usize = 20_000;
/// How long each setting is measured in one round, and the least number of batches.
const ENOUGH: Duration = Duration::from_millis(150);
const LEAST_BATCHES: usize = 7;
/// Other work is repeated until this much time has passed and this many figures exist.
const REPEATED: Duration = Duration::from_millis(300);
const FIGURES: usize = 5;

/// The result: nanoseconds and calls of the allocator per agent and tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// Nanoseconds, one figure per batch.
    batches: Vec<f64>,
    pub(crate) allocations: u64,
    pub(crate) bytes_per_agent: f64,
}

impl Measured {
    #[cfg(test)]
    pub(crate) fn of(batches: &[f64], bytes_per_agent: f64) -> Self {
        Self {
            batches: batches.to_vec(),
            allocations: 0,
            bytes_per_agent,
        }
    }

    pub(crate) fn median(&self) -> f64 {
        median(&self.batches)
    }

    pub(crate) fn least(&self) -> f64 {
        self.batches.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Adds the result of another round.
    pub(crate) fn add(&mut self, other: Self) {
        self.batches.extend(other.batches);
        self.allocations += other.allocations;
        self.bytes_per_agent = other.bytes_per_agent;
    }
}

/// The median of some figures.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The CPU time of this thread, which does not include other programs.
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(time.tv_sec.unsigned_abs(), nanos)
}

/// The duration of some work in seconds: the median of several runs.
pub(crate) fn repeated<T>(work: impl Fn() -> T) -> f64 {
    repeated_on(|| (), |()| work())
}

/// Like [`repeated`], for work on something that is made anew, uncounted, for each run.
pub(crate) fn repeated_on<S, T>(make: impl Fn() -> S, work: impl Fn(&mut S) -> T) -> f64 {
    let begin = thread_time();
    let mut figures = Vec::new();
    while figures.len() < FIGURES || thread_time() - begin < REPEATED {
        let mut made = make();
        let before = thread_time();
        let done = std::hint::black_box(work(&mut made));
        figures.push((thread_time() - before).as_secs_f64());
        drop(done);
    }
    median(&figures)
}

/// The clock: wall time for several threads, otherwise the CPU time of the thread.
fn clock(threads: usize) -> Box<dyn Fn() -> Duration + Send> {
    let begin = Instant::now();
    match threads {
        1 => Box::new(thread_time),
        _ => Box::new(move || begin.elapsed()),
    }
}

/// How many ticks are played between two readings of the clock.
pub(crate) fn ticks_of_batch(setting: &Setting, runner: &dyn Runner) -> usize {
    (BATCH / setting.agents).clamp(1, runner.most_ticks())
}

/// Measures one round; `None` if this contender cannot run it.
pub(crate) fn measure(setting: &Setting) -> Option<Measured> {
    let mut runner = setting.runner()?;
    if setting.threads == 1 {
        return Some(measure_runner(setting, &mut *runner));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(setting.threads)
        .build()
        .expect("threads can be started");
    // It is made in the thread that uses it, so it does not have to be `Send`.
    Some(pool.install(|| {
        let mut runner = setting.runner().expect("it was there before");
        measure_runner(setting, &mut *runner)
    }))
}

fn measure_runner(setting: &Setting, runner: &mut dyn Runner) -> Measured {
    let mut facts = setting.facts();
    let ticks = ticks_of_batch(setting, runner);
    let clock = clock(setting.threads);
    let mut measured = Measured::default();
    let mut spent = Duration::ZERO;
    let mut is_first = true;
    while measured.batches.len() < LEAST_BATCHES || spent < ENOUGH {
        facts.draw(ticks);
        runner.get_ready(&facts, ticks);
        let begin = clock();
        let count = allocation_counter::measure(|| runner.run(ticks));
        let took = clock() - begin;
        // In the first batch memory is allocated, and caches are cold.
        if std::mem::take(&mut is_first) {
            continue;
        }
        spent += took;
        measured.allocations += count.count_total;
        let agent_ticks = (ticks * setting.agents) as f64;
        measured.batches.push(took.as_nanos() as f64 / agent_ticks);
    }
    measured.bytes_per_agent = runner.state_bytes() as f64 / setting.agents as f64;
    measured
}
