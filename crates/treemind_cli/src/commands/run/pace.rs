//! How fast a log goes on, and when it ends.

use crate::io::{self, Failure, tell};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};
use treemind_view::Ending;

/// How long to wait at most before looking again whether the run ends.
const SLICE: Duration = Duration::from_millis(50);

/// The pace of a log, and whether a signal asks for its end.
pub(super) struct Pace<'a> {
    ending: Option<&'a Ending>,
    next: Instant,
}

impl<'a> Pace<'a> {
    /// A log that begins now. Without an `ending`, signals end the program at once.
    pub(super) fn new(ending: Option<&'a Ending>) -> Self {
        Self {
            ending,
            next: Instant::now(),
        }
    }

    /// Whether a signal asks for the end.
    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some_and(Ending::is_near)
    }

    /// Waits until the next tick is due, if ticks are so far apart, or a signal asks for the end.
    pub(super) fn wait(&mut self, period: Duration) {
        self.next += period;
        while !self.is_over() {
            match self.next.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return,
                left => std::thread::sleep(left.min(SLICE)),
            }
        }
    }
}

/// How long a run may print nothing.
const SILENCE: Duration = Duration::from_secs(5);

/// Says from time to time how far a run is, as long as it prints nothing else.
pub(super) struct Progress {
    last: u64,
    told: Instant,
    is_watched: bool,
}

impl Progress {
    /// A run that begins now, and goes on to this tick.
    pub(super) fn to(last: u64) -> Self {
        Self {
            last,
            told: Instant::now(),
            is_watched: std::io::stderr().is_terminal(),
        }
    }

    /// Says in the terminal how far it is, if that was not said for a while.
    pub(super) fn tell(&mut self, tick: u64) {
        if self.is_watched && self.told.elapsed() >= SILENCE {
            tell(format!("tick {tick} of {}; Ctrl+C ends it", self.last));
            self.told = Instant::now();
        }
    }
}

/// From now on, the first signal only asks for the end.
pub(super) fn watch_signals() -> Result<Ending, Failure> {
    Ending::watch().map_err(|error| Failure::failed(io::reason(&error)))
}

/// Ends a run when its outputs are finished: if a signal has asked for that, as the signal ends programs.
pub(super) fn conclude(ending: &Ending, done: Result<(), Failure>) -> Result<(), Failure> {
    if !ending.is_near() {
        return done;
    }
    if let Err(failure) = done {
        failure.report();
    }
    let come = ending.come();
    come.map_err(|error| Failure::failed(io::reason(&error)))
}
