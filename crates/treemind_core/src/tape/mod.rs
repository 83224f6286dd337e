//! Tapes: what a game did in a tick, so that the tick can be played again without the game.
//!
//! A tick is a function of the state before it and of what the game does: how it changes agents between ticks, and how
//! its host answers. A [`Tape`] records both, as few bytes, and a [`Playback`] plays them: it ticks the same agents
//! with a host that gives the same answers. So it gets the same trace, with as much detail as is wanted, and recording
//! costs no trace.
//!
//! Agents keep a copy of their state when the game begins to change them between two ticks. What the game did is found
//! by comparing the two. So no kind of change needs a form of its own, and a tick before which the game changes nothing
//! needs no copy. The state of a host's own action types is not needed.
//!
//! This is the part that does no input or output. The crate `treemind_recording` writes files.

mod code;
mod patch;
mod playback;
mod playing;
mod taping;

pub use playback::{Playback, Played, Stage};
pub use taping::Taping;

use crate::host::Host;
use crate::ids::PopulationId;
use crate::population::{Budget, Population, Tally};
use crate::program::Program;
use crate::snapshot::{End, RestoreError, Since, Writer};
use crate::society::Society;
use crate::text::Text;
use code::put;
pub use code::{put as put_number, put_bytes};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use taping::Part;

/// What can be recorded: a [`Population`] or a [`Society`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be recorded on a tape",
    label = "expected a `Population` or a `Society`",
    note = "for `Minds`, it is the population of `Minds::parts`"
)]
pub trait Taped: sealed::Sealed {
    /// How many ticks or steps there were.
    fn ticks_so_far(&self) -> u64;

    /// The time that has passed, in nanoseconds. The clock of a population stands still in steps in which it is not
    /// ticked; of a society, this is the clock that is ahead of all others.
    fn now_ns(&self) -> u64;

    /// The populations, with the programs that they run.
    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)>;

    /// Whether the populations are these, and run the very same programs.
    fn runs(&self, known: &[(PopulationId, Arc<Program>)]) -> bool;
}

impl Taped for Population {
    fn ticks_so_far(&self) -> u64 {
        self.ticks()
    }

    fn now_ns(&self) -> u64 {
        self.now_ns()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        vec![(PopulationId::FIRST, Arc::clone(self.program()))]
    }

    fn runs(&self, known: &[(PopulationId, Arc<Program>)]) -> bool {
        matches!(known, [(PopulationId::FIRST, program)] if Arc::ptr_eq(program, self.program()))
    }
}

impl Taped for Society {
    fn ticks_so_far(&self) -> u64 {
        self.steps()
    }

    fn now_ns(&self) -> u64 {
        let clocks = self.ids().map(|id| self.population(id).now_ns());
        clocks.max().unwrap_or(0)
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        let program = |id| (id, Arc::clone(self.population(id).program()));
        self.ids().map(program).collect()
    }

    fn runs(&self, known: &[(PopulationId, Arc<Program>)]) -> bool {
        self.ids().count() == known.len()
            && self.ids().zip(known).all(|(id, (place, program))| {
                id == *place && Arc::ptr_eq(program, self.population(id).program())
            })
    }
}

mod sealed {
    use super::{End, Population, Since, Society, Writer};

    pub trait Sealed {
        const TAG: u8;
        #[expect(private_interfaces, reason = "nobody else implements or calls it")]
        fn begin_changes(&mut self) -> End;
        #[expect(private_interfaces, reason = "nobody else implements or calls it")]
        fn changes_since(&self, end: End) -> Since<'_>;
        #[expect(private_interfaces, reason = "nobody else implements or calls it")]
        fn write_state(&self, to: &mut Writer);
        fn save_state(&self) -> Vec<u8>;
    }

    /// Both have the same methods.
    macro_rules! sealed {
        ($type:ty, $tag:literal) => {
            impl Sealed for $type {
                const TAG: u8 = $tag;
                #[expect(private_interfaces, reason = "nobody else implements or calls it")]
                fn begin_changes(&mut self) -> End {
                    self.before.begin()
                }
                #[expect(private_interfaces, reason = "nobody else implements or calls it")]
                fn changes_since(&self, end: End) -> Since<'_> {
                    self.before.since(end)
                }
                #[expect(private_interfaces, reason = "nobody else implements or calls it")]
                fn write_state(&self, to: &mut Writer) {
                    self.write(to);
                }
                fn save_state(&self) -> Vec<u8> {
                    self.save()
                }
            }
        };
    }

    sealed!(Population, 0);
    sealed!(Society, 1);
}

/// Why a tape cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TapeError {
    /// It ends too early.
    Cut,
    /// Its bytes mean nothing.
    Impossible(&'static str),
    /// A state that it holds or comes to cannot be restored.
    State(RestoreError),
    /// The agents ask for something else than in the recording: the tape belongs to other agents, or Treemind plays
    /// them in another way now.
    Diverged,
}

impl TapeError {
    const CUT: Self = Self::Cut;
}

impl fmt::Display for TapeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TapeError::Cut => out.write_str("the tape is cut off"),
            TapeError::Impossible(what) => write!(out, "the tape is not valid: {what}"),
            TapeError::State(error) => error.fmt(out),
            TapeError::Diverged => {
                out.write_str("the agents do not ask for what they asked for in the recording")
            }
        }
    }
}

impl std::error::Error for TapeError {}

impl From<RestoreError> for TapeError {
    fn from(error: RestoreError) -> Self {
        Self::State(error)
    }
}

/// Whether hosts that serve the agents of one tick do so in the same [order](Host::order). Others cannot be recorded.
pub fn have_one_order<H: Host>(hosts: &[H]) -> bool {
    hosts
        .windows(2)
        .all(|pair| pair[0].order() == pair[1].order())
}

/// Flags of a tick.
const HAS_TIME: u8 = 1;
const HAS_TEXTS: u8 = 2;
const HAS_PATCH: u8 = 4;

/// Records ticks of one population or society.
///
/// For each tick: [`begin`](Self::begin), then the tick with hosts in [`host`](Self::host), then [`end`](Self::end),
/// which appends the tick to some bytes. A recording begins with a [`state`](Self::state).
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The end of the last tick, or the last whole state.
    last: Option<End>,
    /// Memory for the state when the game has changed something.
    now: Writer,
    /// The state at the end of the last tick, to find changes that agents have not noticed.
    #[cfg(debug_assertions)]
    checked: Writer,
    /// How many texts have been written.
    texts: u32,
    dt: Duration,
    /// What is known so far of the current tick, and where its texts belong in it.
    head: Vec<u8>,
    texts_at: usize,
    parts: Vec<Part>,
    used: usize,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// The whole state, from which playing can begin. The next tick on the tape has to be the next tick of the agents.
    pub fn state<T: Taped>(&mut self, of: &mut T) -> Vec<u8> {
        let mut state = vec![T::TAG];
        put(&mut state, of.ticks_so_far());
        self.texts = 0;
        put_texts(&mut self.texts, &mut state);
        put_bytes(&mut state, &of.save_state());
        self.dt = Duration::ZERO;
        self.wait_for_changes(of);
        state
    }

    /// Whether there is a [`state`](Self::state) to begin with.
    pub fn has_state(&self) -> bool {
        self.last.is_some()
    }

    /// From now on, agents keep their state before the game changes it.
    fn wait_for_changes<T: Taped>(&mut self, of: &mut T) {
        self.last = Some(of.begin_changes());
        #[cfg(debug_assertions)]
        {
            self.checked.clear();
            of.write_state(&mut self.checked);
        }
    }

    /// Begins a tick, right before it.
    ///
    /// # Panics
    /// When there was no [`state`](Self::state) before the first tick.
    pub fn begin<T: Taped>(&mut self, of: &T, dt: Duration) {
        let last = self.last.expect("a tape begins with a state");
        self.head.clear();
        self.used = 0;
        let mut flags = 0;
        self.head.push(flags);
        if dt != self.dt {
            self.dt = dt;
            flags |= HAS_TIME;
            put(&mut self.head, dt.as_secs());
            put(&mut self.head, u64::from(dt.subsec_nanos()));
        }
        self.texts_at = self.head.len();
        if self.put_changes(of, last) {
            flags |= HAS_PATCH;
        }
        self.head[0] = flags;
    }

    /// Writes what the game has changed since the last tick; returns whether that is anything.
    fn put_changes<T: Taped>(&mut self, of: &T, last: End) -> bool {
        let before = match of.changes_since(last) {
            Since::Nothing => {
                #[cfg(debug_assertions)]
                {
                    self.now.clear();
                    of.write_state(&mut self.now);
                    let is_same = self.checked.raw() == self.now.raw();
                    assert!(is_same, "the game changed agents that did not notice it");
                }
                return false;
            }
            Since::From(before) => Some(before.raw()),
            Since::Unknown => None,
        };
        self.now.clear();
        of.write_state(&mut self.now);
        if before == Some(self.now.raw()) {
            return false;
        }
        // How long it is comes in front of it, in as many bytes as every length.
        let start = self.head.len();
        patch::put_patch(&mut self.head, before, self.now.raw());
        let mut length = Vec::new();
        put(&mut length, (self.head.len() - start) as u64);
        self.head.splice(start..start, length);
        true
    }

    /// A host that does what the given one does, and whose answers are recorded, for a tick of a population. For a
    /// population that is in no society, the id does not matter.
    pub fn host<'a, H: Host + ?Sized>(
        &'a mut self,
        population: Option<PopulationId>,
        host: &'a mut H,
    ) -> Taping<'a, H> {
        if self.used == self.parts.len() {
            self.parts.push(Part::default());
        }
        let part = &mut self.parts[self.used];
        self.used += 1;
        part.begin(population.map_or(0, |id| id.0), host.order());
        Taping { host, part }
    }

    /// Like [`host`](Self::host), for a tick on several threads, in which each host serves a part of the agents. It is
    /// played as if one host had served them all, on any number of threads.
    ///
    /// # Panics
    /// When the hosts serve agents in different [orders](Host::order).
    pub fn hosts<'a, H: Host>(
        &'a mut self,
        population: Option<PopulationId>,
        hosts: &'a mut [H],
    ) -> Vec<Taping<'a, H>> {
        assert!(have_one_order(hosts), "all hosts of a tick have one order");
        let first = self.used;
        self.used += hosts.len();
        let there = self.parts.len().max(self.used);
        self.parts.resize_with(there, Part::default);
        let parts = self.parts[first..self.used].iter_mut().zip(hosts);
        let tapings = parts.enumerate().map(|(nth, (part, host))| {
            part.begin(population.map_or(0, |id| id.0), host.order());
            part.goes_on = nth > 0;
            Taping { host, part }
        });
        tapings.collect()
    }

    /// Ticks a population that is in no society, and appends the tick to `out`. With a budget, ticks only
    /// [some agents](Population::tick_some).
    ///
    /// # Panics
    /// As [`begin`](Self::begin), and when the population is in a society.
    pub fn tick<H: Host + ?Sized>(
        &mut self,
        population: &mut Population,
        host: &mut H,
        (dt, budget): (Duration, Option<Budget<'_>>),
        out: &mut Vec<u8>,
    ) -> Tally {
        self.begin(population, dt);
        let mut host = self.host(None, host);
        let tally = match budget {
            None => population.tick(&mut host, dt),
            Some(budget) => host.within(budget, |host, budget| {
                population.tick_some(host, dt, budget)
            }),
        };
        self.end(population, out);
        tally
    }

    /// Ends a tick, right after it, and appends it to `out`.
    pub fn end<T: Taped>(&mut self, of: &mut T, out: &mut Vec<u8>) {
        // Leaves may have made texts in this tick, so they are written now.
        if self.texts < Text::known() {
            self.head[0] |= HAS_TEXTS;
        }
        let (before, after) = self.head.split_at(self.texts_at);
        out.extend_from_slice(before);
        if self.head[0] & HAS_TEXTS != 0 {
            put_texts(&mut self.texts, out);
        }
        out.extend_from_slice(after);
        let groups = || self.parts[..self.used].chunk_by(|_, next| next.goes_on);
        put(out, groups().count() as u64);
        for group in groups() {
            if let [part, going_on @ ..] = group {
                part.put(going_on, out);
            }
        }
        self.wait_for_changes(of);
    }
}

/// Writes the texts that have come since the last time.
fn put_texts(written: &mut u32, out: &mut Vec<u8>) {
    let known = Text::known();
    put(out, u64::from(known - *written));
    for number in *written..known {
        put_bytes(out, Text::from_bits(number).as_str().as_bytes());
    }
    *written = known;
}
