//! Ticking on several threads.

use crate::host::Host;
use crate::host::outbox::Outbox;
use crate::population::room::WIDE;
use crate::population::ticking::scratch::Scratch;
use crate::population::ticking::{Desk, Frame, tick_chunks};
use crate::population::{Population, Tally};
use crate::trace::untraced;
#[cfg(not(feature = "small"))]
use rayon::join;
use std::ops::Range;
use std::time::Duration;

/// The working memory of one thread, kept from tick to tick.
#[derive(Clone, Debug)]
pub(in crate::population) struct Worker {
    scratch: Scratch,
    pub(in crate::population) outbox: Outbox,
    skipped: bool,
}

impl Population {
    /// The distribution of the agents over `parts` hosts: whole chunks, in order, about the same number each. Some
    /// parts are empty if there are few agents.
    pub fn parts(&self, parts: usize) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        (0..parts).map(move |part| {
            let chunks = share(self.state.len(), part, parts);
            let agents = |chunk: usize| (chunk * self.durable.size.lanes).min(self.durable.len);
            agents(chunks.start)..agents(chunks.end)
        })
    }

    /// Like [`tick`](Self::tick), on several threads: every host serves the agents of its part, as
    /// [`parts`](Self::parts) returns them for this number of hosts. The threads are those of the current `rayon`
    /// pool.
    ///
    /// The result is the same as with one thread, for any number of hosts, as long as no host's answers for one
    /// agent depend on what it did for another in the same tick. The agents of a
    /// [`Sequential`](crate::host::Order::Sequential) host are ticked one after the other; those of other hosts are
    /// ticked at the same time.
    ///
    /// # Panics
    /// When there is no host.
    pub fn tick_in_parallel<H: Host + Send>(&mut self, hosts: &mut [H], dt: Duration) -> Tally {
        assert!(!hosts.is_empty(), "a tick needs a host");
        self.begin_tick(dt);
        self.count_places();
        let tally = self.sweep_in_parallel(hosts);
        self.end_tick();
        tally
    }

    /// Ticks all agents between the begin and the end of a tick, on several threads.
    pub(crate) fn sweep_in_parallel<H: Host + Send>(&mut self, hosts: &mut [H]) -> Tally {
        if let [host] = hosts {
            return self.sweep(host, &mut untraced());
        }
        self.make_room(false);
        let (words, lanes) = (self.durable.size.words, self.durable.size.lanes);
        let program = &self.durable.program;
        if self
            .working
            .workers
            .first()
            .is_some_and(|worker| !worker.scratch.fits(words, lanes))
        {
            self.working.workers.clear();
        }
        self.working
            .workers
            .resize_with(hosts.len().max(self.working.workers.len()), || Worker {
                scratch: Scratch::new(program, words, lanes),
                outbox: Outbox::default(),
                skipped: false,
            });
        for worker in &mut self.working.workers {
            worker.skipped = self.durable.skipped_ever;
            if let Some(shared) = &self.durable.shared {
                worker.outbox.staged.fit(&program.board, shared);
            }
        }
        let frame = Frame {
            program: &self.durable.program,
            parts: &self.durable.parts,
            lanes,
            now_ns: self.durable.now_ns,
            dt_ns: self.durable.dt_ns,
            tick: self.durable.tick,
            seed: self.durable.seed,
            ids: &self.durable.ids,
            lives: &self.durable.lives,
            shared: self.durable.shared.as_deref(),
            taken_places: &self.durable.taken_places,
            mail: &self.durable.mail,
            runs_per_tick: self.runs_per_tick(),
            sweeps_all: self.working.sweeps_all,
            turn: None,
            version: self.rest_version(),
        };
        let share = Share {
            chunks: 0..self.state.len(),
            first_part: 0,
            parts: hosts.len(),
            all_chunks: self.state.len(),
        };
        let workers = &mut self.working.workers[..hosts.len()];
        let state = &mut self.state[..];
        let tally = if words == WIDE {
            tick_share::<WIDE, H>(frame, share, state, workers, hosts)
        } else {
            tick_share::<1, H>(frame, share, state, workers, hosts)
        };
        for worker in &mut self.working.workers {
            self.durable.skipped_ever |= worker.skipped;
            self.durable.outbox.faults.append(&mut worker.outbox.faults);
            self.durable
                .outbox
                .changes
                .append(&mut worker.outbox.changes);
        }
        self.empty_mailboxes();
        tally
    }
}

/// The chunks of one of several parts.
fn share(chunks: usize, part: usize, parts: usize) -> Range<usize> {
    chunks * part / parts..chunks * (part + 1) / parts
}

/// Does one after the other.
#[cfg(feature = "small")]
fn join<L, R>(left: impl FnOnce() -> L, right: impl FnOnce() -> R) -> (L, R) {
    (left(), right())
}

/// Some of the parts, with their chunks.
struct Share {
    chunks: Range<usize>,
    first_part: usize,
    parts: usize,
    all_chunks: usize,
}

/// Ticks some parts: one on this thread; several are divided between two threads.
fn tick_share<const W: usize, H: Host + Send>(
    frame: Frame<'_>,
    of: Share,
    state: &mut [Box<[u64]>],
    workers: &mut [Worker],
    hosts: &mut [H],
) -> Tally {
    if let ([host], [worker]) = (&mut *hosts, &mut *workers) {
        let desk = Desk {
            scratch: &mut worker.scratch,
            outbox: &mut worker.outbox,
            skipped_ever: &mut worker.skipped,
        };
        return tick_chunks::<W, _>(frame, of.chunks, state, desk, host, &mut untraced());
    }
    let half = hosts.len() / 2;
    let middle = share(of.all_chunks, of.first_part + half, of.parts).start;
    let (left_state, right_state) = state.split_at_mut(middle - of.chunks.start);
    let (left_workers, right_workers) = workers.split_at_mut(half);
    let (left_hosts, right_hosts) = hosts.split_at_mut(half);
    let left = Share {
        chunks: of.chunks.start..middle,
        ..of
    };
    let right = Share {
        chunks: middle..of.chunks.end,
        first_part: of.first_part + half,
        ..of
    };
    let (left, right) = join(
        || tick_share::<W, H>(frame, left, left_state, left_workers, left_hosts),
        || tick_share::<W, H>(frame, right, right_state, right_workers, right_hosts),
    );
    left + right
}
