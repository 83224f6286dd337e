//! Ticking and aborting, chunk by chunk.

mod ages;
pub(super) mod budget;
pub(super) mod intervals;
#[cfg(feature = "rayon")]
pub(super) mod parallel;
pub(super) mod resting;
pub(super) mod scratch;
pub(super) mod tally;
pub(super) mod trail;

use crate::blackboard::{CellsMut, Shared};
use crate::host::outbox::Outbox;
use crate::host::{Call, Host, NO_LEAF, Order, Surroundings};
use crate::ids::{ArgRange, NodeId};
use crate::lives::Lives;
use crate::population::exec::{Chances, Exec, Lane, Roots};
use crate::population::keeping::migration::Cut;
use crate::population::room::{Parts, WIDE};
use crate::population::settling::mail::Mail;
use crate::population::settling::requests::Leaving;
use crate::population::ticking::budget::Turn;
use crate::population::ticking::resting::Ticked;
use crate::population::ticking::scratch::Scratch;
use crate::population::{Population, Tally};
use crate::program::Program;
use crate::program::op::Range;
use crate::trace::Sink;
use std::time::Duration;

impl Population {
    #[inline]
    pub(super) fn tick_with<S: Sink>(
        &mut self,
        host: &mut dyn Host,
        dt: Duration,
        sink: &mut S,
    ) -> Tally {
        self.begin_tick(dt);
        self.count_places();
        let tally = self.sweep(host, sink);
        self.end_tick();
        tally
    }

    /// The end of a tick of a population that is in no society.
    #[inline(always)]
    pub(super) fn end_tick(&mut self) {
        self.apply_writes();
        let has_changes = !self.durable.outbox.changes.is_empty();
        if has_changes {
            self.bury();
        }
        self.deliver_own();
        if has_changes {
            self.change_groups();
        }
        self.give_places();
        if has_changes {
            self.give_birth();
        }
        self.durable.outbox.faults.end_tick();
    }

    /// Ticks all agents between the begin and the end of a tick.
    pub(crate) fn sweep<S: Sink>(&mut self, host: &mut dyn Host, sink: &mut S) -> Tally {
        self.make_room(sink.is_on());
        if self.durable.size.lanes == 1
            && !self.working.sweeps_all
            && !self.durable.parts.has_intervals()
        {
            let tally = self.sweep_single(host, sink);
            self.empty_mailboxes();
            return tally;
        }
        let (words, chunks) = (self.durable.size.words, 0..self.state.len());
        let (frame, state, desk) = self.divided();
        let tally = if words == WIDE {
            tick_chunks::<WIDE, S>(frame, chunks, state, desk, host, sink)
        } else {
            tick_chunks::<1, S>(frame, chunks, state, desk, host, sink)
        };
        self.empty_mailboxes();
        tally
    }

    /// The begin of a tick: time advances, and shared keys are prepared for reading and writing.
    #[inline(always)]
    pub(crate) fn begin_tick(&mut self, dt: Duration) {
        self.before.end();
        self.durable.outbox.staged.journal.reset();
        self.settle_ages();
        self.pass_time(dt);
        self.begin_sharing();
        self.begin_post();
        self.list_members();
        self.durable.newborns.clear();
    }

    fn pass_time(&mut self, dt: Duration) {
        let whole_secs_ns = dt.as_secs().saturating_mul(1_000_000_000);
        self.durable.dt_ns = whole_secs_ns.saturating_add(u64::from(dt.subsec_nanos()));
        self.durable.now_ns = self.durable.now_ns.saturating_add(self.durable.dt_ns);
        self.durable.tick += 1;
        self.durable.first_new_id = self.durable.next_id;
    }

    /// Makes room for traced code, which needs more registers, and for its faults.
    pub(super) fn make_room(&mut self, is_traced: bool) {
        if is_traced || self.durable.outbox.faults.keeps_all() {
            self.durable.outbox.faults.begin_tick();
            self.durable.outbox.faults.keep_all(is_traced);
        }
        if is_traced {
            self.working
                .scratch
                .grow(&self.durable.program.traced, self.durable.size.words);
        }
    }

    /// Ticks a single agent, without loops over chunks or words.
    fn sweep_single<S: Sink>(&mut self, host: &mut dyn Host, sink: &mut S) -> Tally {
        let mut tally = Tally::default();
        if self.durable.len > 0 {
            self.with_exec::<1, S>(0, host, sink, |exec| {
                if exec.slots[0] != [0] {
                    exec.begin_tick(&[1]);
                    tally.count(exec.sweep_one(Lane::new(0, 1)));
                }
            });
            if !self.durable.outbox.changes.leaving.is_empty() {
                let (frame, state, desk) = self.divided();
                abort_leaving::<1, S>(frame, (0, state), desk, host, sink);
            }
        }
        tally
    }

    /// Aborts what agents run, and what lists have left open.
    pub(super) fn abort_with<S: Sink>(
        &mut self,
        host: &mut dyn Host,
        agents: Aborted<'_>,
        sink: &mut S,
    ) {
        self.touch();
        self.make_room(sink.is_on());
        self.between_ticks(|population| {
            if population.durable.size.words == WIDE {
                population.abort_lanes::<WIDE, S>(host, agents, sink);
            } else {
                population.abort_lanes::<1, S>(host, agents, sink);
            }
        });
    }

    /// Aborts what does not continue when the program changes.
    pub(super) fn cut_with<S: Sink>(&mut self, host: &mut dyn Host, cut: &mut Cut, sink: &mut S) {
        self.make_room(sink.is_on());
        self.between_ticks(|population| {
            for chunk in 0..population.state.len() {
                if population.durable.size.words == WIDE {
                    population.with_exec::<WIDE, S>(chunk, host, sink, |exec| exec.cut(cut));
                } else {
                    population.with_exec::<1, S>(chunk, host, sink, |exec| exec.cut(cut));
                }
            }
        });
    }

    /// Does something that calls the host, and then what the end of a tick does for aborts between ticks.
    fn between_ticks(&mut self, work: impl FnOnce(&mut Self)) {
        self.begin_sharing();
        self.begin_post();
        // Between two ticks nobody sees the mail, or lists the agents of a group.
        let roster = self.durable.lives.replace_roster(None);
        let hidden = Mail::default().keeping(self.durable.mail.bound());
        let mail = std::mem::replace(&mut self.durable.mail, hidden);
        work(self);
        self.durable.mail = mail;
        self.durable.lives.replace_roster(roster);
        self.apply_writes();
        if !self.is_joined() {
            self.bury();
            self.deliver_own();
            self.change_groups();
            self.give_birth();
        }
    }

    fn abort_lanes<const W: usize, S: Sink>(
        &mut self,
        host: &mut dyn Host,
        agents: Aborted<'_>,
        sink: &mut S,
    ) {
        let chunks = match agents {
            Aborted::One(agent) => {
                assert!(
                    agent < self.durable.len,
                    "agent {agent} of {}",
                    self.durable.len
                );
                let chunk = agent / self.durable.size.lanes;
                chunk..chunk + 1
            }
            Aborted::All | Aborted::Many(_) => 0..self.state.len(),
        };
        for chunk in chunks {
            let lanes = self.durable.size.lanes;
            let mut set = [!0; W];
            match agents {
                Aborted::All => {}
                Aborted::One(agent) => {
                    set = [0; W];
                    set[agent % lanes / 64] = 1 << (agent % lanes % 64);
                }
                Aborted::Many(words) => {
                    set.copy_from_slice(&words[chunk * W..][..W]);
                    if set == [0; W] {
                        continue;
                    }
                }
            }
            self.with_exec::<W, S>(chunk, host, sink, |exec| abort_agents(exec, set));
            self.durable.parts.wake_all(&mut self.state[chunk]);
        }
    }

    #[inline(always)]
    fn with_exec<const W: usize, S: Sink>(
        &mut self,
        chunk: usize,
        host: &mut dyn Host,
        sink: &mut S,
        work: impl FnOnce(&mut Exec<'_, W, S>),
    ) {
        let (frame, state, desk) = self.divided();
        let state = &mut state[chunk];
        let around = frame.around(chunk);
        work(&mut exec(frame, &around, state, desk, host, sink));
    }

    /// What all chunks have in common, the chunks, and the working memory.
    #[inline(always)]
    pub(super) fn divided(&mut self) -> (Frame<'_>, &mut [Box<[u64]>], Desk<'_>) {
        let frame = Frame {
            program: &self.durable.program,
            parts: &self.durable.parts,
            lanes: self.durable.size.lanes,
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
        let desk = Desk {
            scratch: &mut self.working.scratch,
            outbox: &mut self.durable.outbox,
            skipped_ever: &mut self.durable.skipped_ever,
        };
        (frame, &mut self.state, desk)
    }
}

/// After a sweep: aborts the agents that leave. The state of all chunks of the sweep is given, and which is the first.
#[inline]
pub(super) fn abort_leaving<const W: usize, S: Sink>(
    frame: Frame<'_>,
    (first, state): (usize, &mut [Box<[u64]>]),
    mut desk: Desk<'_>,
    host: &mut dyn Host,
    sink: &mut S,
) {
    if desk.outbox.changes.leaving.is_empty() {
        return;
    }
    // The tick of these agents is over: nobody sees their mail.
    static NO_MAIL: Mail = Mail::NONE;
    let frame = Frame {
        mail: &NO_MAIL,
        ..frame
    };
    let mut leaving = Leaving::new(&mut desk.outbox.changes, frame.lanes);
    while let Some((chunk, agents)) = leaving.next(&mut desk.outbox.changes) {
        let around = frame.around(chunk);
        let state = &mut state[chunk - first];
        let mut exec = exec::<W, S>(frame, &around, state, desk.lend(), host, sink);
        abort_agents(&mut exec, agents);
        frame.parts.wake_all(state);
    }
}

/// Aborts what agents of a chunk run, then what nodes have left open.
fn abort_agents<const W: usize, S: Sink>(exec: &mut Exec<'_, W, S>, mut agents: [u64; W]) {
    let everything = Range {
        start: 1,
        end: exec.slots.len() as u32,
    };
    for (word, alive) in agents.iter_mut().zip(exec.slots[0]) {
        *word &= alive;
    }
    exec.abort_between_ticks(everything, &agents);
    // A catch may leave something open again.
    while exec.take_all_back(&agents) {
        exec.abort_between_ticks(everything, &agents);
    }
}

/// The agents that are aborted between ticks.
#[derive(Clone, Copy)]
pub(super) enum Aborted<'a> {
    /// All of them.
    All,
    /// One of them.
    One(usize),
    /// Some of them: a bit for each, in the words of all chunks.
    Many(&'a [u64]),
}

/// The data that all chunks of a tick have in common.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) program: &'a Program,
    pub(super) parts: &'a Parts,
    pub(super) lanes: usize,
    pub(super) now_ns: u64,
    pub(super) dt_ns: u64,
    pub(super) tick: u64,
    pub(super) seed: u64,
    pub(super) ids: &'a [u64],
    pub(super) lives: &'a Lives,
    pub(super) shared: Option<&'a Shared>,
    pub(super) taken_places: &'a [u32],
    pub(super) mail: &'a Mail,
    pub(super) runs_per_tick: u32,
    pub(super) sweeps_all: bool,
    /// Whose turn it is; of everybody if it is nobody's in particular.
    pub(super) turn: Option<Turn>,
    /// What shared keys are like, if agents may rest that have read them.
    pub(super) version: u64,
}

impl<'a> Frame<'a> {
    /// What all calls for the agents of a chunk have in common.
    #[inline(always)]
    pub(super) fn around(&self, chunk: usize) -> Surroundings<'a> {
        Surroundings {
            program: self.program,
            shared: self.shared,
            lives: self.lives,
            first: chunk * self.lanes,
            now_ns: self.now_ns,
            dt_ns: self.dt_ns,
            tick: self.tick,
            previous_tick: self.tick.saturating_sub(1),
            runs_per_tick: self.runs_per_tick,
        }
    }
}

/// The data that each thread has for itself while it ticks.
pub(super) struct Desk<'a> {
    pub(super) scratch: &'a mut Scratch,
    pub(super) outbox: &'a mut Outbox,
    pub(super) skipped_ever: &'a mut bool,
}

impl Desk<'_> {
    fn lend(&mut self) -> Desk<'_> {
        Desk {
            scratch: self.scratch,
            outbox: self.outbox,
            skipped_ever: self.skipped_ever,
        }
    }
}

/// The executor for one chunk.
#[inline(always)]
pub(super) fn exec<'a, const W: usize, S: Sink>(
    frame: Frame<'a>,
    around: &'a Surroundings<'a>,
    state: &'a mut [u64],
    desk: Desk<'a>,
    host: &'a mut dyn Host,
    sink: &'a mut S,
) -> Exec<'a, W, S> {
    let Frame { program, parts, .. } = frame;
    let (slots, columns) = state.split_at_mut(parts.used);
    let (used_slots, columns) = columns.split_at_mut(parts.board - parts.used);
    let (board, run) = columns.split_at_mut(parts.run - parts.board);
    let code = if sink.is_on() {
        &program.traced
    } else {
        &program.code
    };
    let visits = &code.visits;
    let (routes, edges) = if *desk.skipped_ever {
        (&visits.routes, &visits.edges)
    } else {
        (&visits.short_routes, &visits.short_edges)
    };
    Exec {
        call: Call {
            leaf: NO_LEAF,
            node: NodeId(0),
            args: ArgRange::default(),
            around,
            board: CellsMut::new(&parts.board_layout, board),
            run: CellsMut::new(&parts.run_layout, run),
            outbox: desk.outbox,
        },
        code,
        routes,
        edges,
        skipped_ever: desk.skipped_ever,
        regs: desk.scratch.regs.as_chunks_mut().0,
        slots: slots.as_chunks_mut().0,
        stacks: &mut desk.scratch.stacks,
        counters: &mut desk.scratch.counters,
        moves: &mut desk.scratch.moves,
        plans: &mut desk.scratch.plans,
        finds: &mut desk.scratch.finds,
        trail: &mut desk.scratch.trail,
        host,
        sink,
        chances: Chances {
            seed: frame.seed,
            ids: frame.ids,
        },
        taken_places: frame.taken_places,
        mail: frame.mail,
        sweeps_all: frame.sweeps_all,
        pending: &mut desk.scratch.pending,
        used_slots,
        tracks: false,
        stirred: [0; W],
        holds: false,
        marked: false,
        cutting: 0,
    }
}

/// Ticks the agents of some chunks, whose state is given.
#[inline(never)]
pub(super) fn tick_chunks<const W: usize, S: Sink>(
    frame: Frame<'_>,
    chunks: std::ops::Range<usize>,
    state: &mut [Box<[u64]>],
    mut desk: Desk<'_>,
    host: &mut dyn Host,
    sink: &mut S,
) -> Tally {
    let first = chunks.start;
    let tally = sweep_chunks::<W, S>(frame, chunks, state, desk.lend(), host, sink);
    abort_leaving::<W, S>(frame, (first, state), desk, host, sink);
    tally
}

/// The same without what comes after the last chunk.
pub(super) fn sweep_chunks<const W: usize, S: Sink>(
    frame: Frame<'_>,
    chunks: std::ops::Range<usize>,
    state: &mut [Box<[u64]>],
    mut desk: Desk<'_>,
    host: &mut dyn Host,
    sink: &mut S,
) -> Tally {
    let mut tally = Tally::default();
    let order = host.order();
    for (chunk, state) in chunks.zip(state) {
        let around = frame.around(chunk);
        if frame.parts.has_intervals() {
            let mut due = frame.parts.due::<W>(state, frame.tick);
            if let Some(turn) = frame.turn {
                turn.limit(around.first, &mut due);
            }
            let place = (around.first, order);
            while let Some(group) = frame.parts.next_group(state, &mut due, &frame, place) {
                let around = Surroundings {
                    dt_ns: frame.now_ns - group.last_ns,
                    previous_tick: group.last,
                    ..around
                };
                let mut exec = exec::<W, S>(frame, &around, state, desk.lend(), host, sink);
                sweep_chunk(&mut exec, &group.lanes, order, &mut tally);
            }
            continue;
        }
        if frame.parts.can_rest() && !frame.sweeps_all {
            if sink.is_on() {
                frame.parts.wake_all(state);
            } else if let Some(resting) = frame.parts.resting(state, &frame, around.first) {
                tally.running += resting;
                continue;
            } else if !frame.parts.is_busy(state, frame.tick) {
                sweep_awake::<W, S>(frame, &around, state, desk.lend(), host, sink, &mut tally);
                continue;
            }
        }
        let mut exec = exec::<W, S>(frame, &around, state, desk.lend(), host, sink);
        let alive = exec.slots[0];
        sweep_chunk(&mut exec, &alive, order, &mut tally);
    }
    tally
}

/// Ticks the agents of one chunk that do not rest.
fn sweep_awake<const W: usize, S: Sink>(
    frame: Frame<'_>,
    around: &Surroundings<'_>,
    state: &mut [u64],
    desk: Desk<'_>,
    host: &mut dyn Host,
    sink: &mut S,
    tally: &mut Tally,
) {
    let (parts, order) = (frame.parts, host.order());
    let (awake, tracks) = parts.awake::<W>(state, &frame, around.first);
    let alive: &[u64; W] = state.first_chunk().expect("the first slot");
    let resting = alive.iter().zip(awake).map(|(alive, awake)| alive & !awake);
    tally.running += resting
        .map(|word| u64::from(word.count_ones()))
        .sum::<u64>();
    desk.outbox.staged.written.fill(0);
    let mut exec = exec::<W, S>(frame, around, state, desk, host, sink);
    exec.tracks = tracks && order == Order::Independent;
    let roots = sweep_chunk(&mut exec, &awake, order, tally);
    let (stirred, tracks) = (exec.stirred, exec.tracks);
    let written = exec.call.outbox.staged.written;
    if let (true, Some(roots)) = (tracks, roots) {
        let ticked = Ticked {
            ticked: awake,
            stirred,
            roots: &roots,
        };
        parts.settle(state, &frame, &ticked);
    }
    if written.iter().any(|word| *word != 0) {
        parts.wake_written::<W>(state, &written);
    }
}

/// Ticks some agents of one chunk. Returns what the roots answered, if all were asked together.
fn sweep_chunk<const W: usize, S: Sink>(
    exec: &mut Exec<'_, W, S>,
    ticked: &[u64; W],
    order: Order,
    tally: &mut Tally,
) -> Option<Roots<W>> {
    if *ticked == [0; W] {
        return None;
    }
    exec.begin_tick(ticked);
    match order {
        Order::Independent => {
            let roots = exec.sweep(ticked);
            tally.add(ticked, &roots);
            Some(roots)
        }
        Order::Sequential => {
            for (word, &agents) in ticked.iter().enumerate() {
                let mut rest = agents;
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest &= rest - 1;
                    if exec.sweeps_all {
                        let mut alone = [0; W];
                        alone[word] = bit;
                        tally.add(&alone, &exec.sweep(&alone));
                    } else {
                        tally.count(exec.sweep_one(Lane::new(word, bit)));
                    }
                }
            }
            None
        }
    }
}
