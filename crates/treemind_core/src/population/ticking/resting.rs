//! Agents that rest. If a tick has changed nothing about an agent, and has asked, told and drawn nothing, the next tick
//! would be the same, until something changes that it depends on. So the agent is passed over until it is woken:
//! by an event, a result, a key, an abort, or when a time has come that it waits for.
//!
//! Only crowds have this. Waking an agent too often is harmless.

use crate::blackboard::{Cells, Size};
use crate::population::Population;
use crate::population::exec::Roots;
use crate::population::room::Parts;
use crate::population::ticking::Frame;
use crate::program::resting::{Timer, Waiting};

/// What a chunk keeps about its agents that rest.
struct Rest<'s, const W: usize> {
    /// All agents rest, before this time; 0 if not all do.
    until: &'s mut u64,
    /// How many agents rest, if all do.
    count: &'s mut u64,
    /// What shared keys were like.
    version: &'s mut u64,
    /// From this tick on, the executor looks again for agents that rest; if there are none, it looks again after
    /// `pause` ticks.
    next_try: &'s mut u64,
    pause: &'s mut u64,
    /// 0 if nobody rests.
    some: &'s mut u64,
    resting: &'s mut [u64; W],
    /// Per word: nobody who rests has to be woken before this time.
    wakes_ns: &'s mut [u64; W],
}

const SINGLE_CELLS: usize = 6;

/// How many words this takes.
pub(in crate::population) fn cells(size: Size) -> usize {
    SINGLE_CELLS + 2 * size.words
}

/// If few agents rest, the executor looks for others after this many ticks, at least and at most.
const PAUSES: [u64; 2] = [4, 64];

/// If at least one agent in this many rests, the executor looks in every tick for others that do.
const FEW: u32 = 8;

/// What happened in a tick of a chunk.
pub(in crate::population) struct Ticked<'t, const W: usize> {
    pub(in crate::population) ticked: [u64; W],
    /// The agents to which anything has happened.
    pub(in crate::population) stirred: [u64; W],
    pub(in crate::population) roots: &'t Roots<W>,
}

impl Parts {
    /// Whether agents can rest.
    #[inline(always)]
    pub(in crate::population) fn can_rest(&self) -> bool {
        self.rest < self.due
    }

    /// How many agents rest in a chunk in which all do, and nobody is to be woken.
    #[inline(always)]
    pub(in crate::population) fn resting(
        &self,
        state: &[u64],
        frame: &Frame<'_>,
        first: usize,
    ) -> Option<u64> {
        match state[self.rest..self.due] {
            [until, count, version, ..]
                if frame.now_ns < until
                    && version == frame.version
                    && !self.has_mail(frame, first) =>
            {
                Some(count)
            }
            _ => None,
        }
    }

    #[inline]
    fn has_mail(&self, frame: &Frame<'_>, first: usize) -> bool {
        if frame.mail.is_empty() {
            return false;
        }
        let mut holders = frame.mail.holders(first / 64).take(frame.lanes / 64);
        holders.any(|word| word != 0)
    }

    /// Whether nobody in a chunk rests, and it is not looked in this tick who does.
    #[inline(always)]
    pub(in crate::population) fn is_busy(&self, state: &[u64], tick: u64) -> bool {
        match state[self.rest..self.due] {
            [_, _, _, next_try, _, some, ..] => some == 0 && tick < next_try,
            _ => true,
        }
    }

    fn rest<'s, const W: usize>(&self, state: &'s mut [u64]) -> Option<(&'s [u64], Rest<'s, W>)> {
        let (others, rest) = state[..self.due].split_at_mut(self.rest);
        let [until, count, version, next_try, pause, some, sets @ ..] = rest else {
            return None;
        };
        let [resting, wakes_ns] = sets.as_chunks_mut().0 else {
            return None;
        };
        let rest = Rest {
            until,
            count,
            version,
            next_try,
            pause,
            some,
            resting,
            wakes_ns,
        };
        Some((others, rest))
    }

    /// Wakes those whose time has come. Returns the agents that do not rest, and whether it is looked in this tick who
    /// rests from now on.
    #[inline(never)]
    pub(in crate::population) fn awake<const W: usize>(
        &self,
        state: &mut [u64],
        frame: &Frame<'_>,
        first: usize,
    ) -> ([u64; W], bool) {
        let mut awake = *state.first_chunk::<W>().expect("the first slot");
        let alive = awake;
        let Some((others, rest)) = self.rest::<W>(state) else {
            return (awake, false);
        };
        if *rest.version != frame.version {
            *rest.version = frame.version;
            rest.resting.fill(0);
        }
        if !frame.mail.is_empty() {
            let words = rest.resting.iter_mut().zip(frame.mail.holders(first / 64));
            words.for_each(|(resting, holders)| *resting &= !holders);
        }
        let timers = &self.timers(frame);
        for word in 0..W {
            if rest.resting[word] != 0 && rest.wakes_ns[word] <= frame.now_ns {
                let (woken, next) =
                    self.due_timers(others, timers, (word, rest.resting[word]), frame.now_ns);
                rest.resting[word] &= !woken;
                rest.wakes_ns[word] = next;
            }
            awake[word] &= !rest.resting[word];
        }
        let tracks = frame.tick >= *rest.next_try;
        rest.note_whether_all(&alive);
        (awake, tracks)
    }

    fn timers<'f>(&self, frame: &Frame<'f>) -> &'f [Timer] {
        let resting = frame.program.resting.as_ref();
        resting.map_or(&[], |resting| &resting.timers)
    }

    /// Those of some agents of a word whose time has come, and when the first one of the others has to be woken.
    fn due_timers(
        &self,
        others: &[u64],
        timers: &[Timer],
        (word, agents): (usize, u64),
        now_ns: u64,
    ) -> (u64, u64) {
        let run = Cells::new(&self.run_layout, &others[self.run..self.rest]);
        let words = self.run_layout.lanes().div_ceil(64);
        let (mut due, mut next) = (0, u64::MAX);
        for timer in timers {
            let mut waiting = agents
                & match timer.waiting {
                    Waiting::Column(column) => run.bits(column)[word],
                    Waiting::Slots(range) => (range.start..range.end)
                        .fold(0, |all, slot| all | others[slot as usize * words + word]),
                };
            let times = run.wide(timer.time);
            while waiting != 0 {
                let lane = waiting.trailing_zeros() as usize;
                match times[word * 64 + lane] {
                    time if time <= now_ns => due |= 1 << lane,
                    time => next = next.min(time),
                }
                waiting &= waiting - 1;
            }
        }
        (due, next)
    }

    /// After a tick: those for whom nothing has happened rest from now on, if they keep running.
    #[inline(never)]
    pub(in crate::population) fn settle<const W: usize>(
        &self,
        state: &mut [u64],
        frame: &Frame<'_>,
        ticked: &Ticked<'_, W>,
    ) {
        let alive = *state.first_chunk::<W>().expect("the first slot");
        let timers = self.timers(frame);
        let Some((others, rest)) = self.rest::<W>(state) else {
            return;
        };
        let (mut resting, mut all) = (0, 0);
        for word in 0..W {
            let Roots {
                success,
                failure,
                skipped,
            } = ticked.roots;
            let stirred = ticked.stirred[word] | success[word] | failure[word] | skipped[word];
            let new = ticked.ticked[word] & !stirred;
            if new != 0 {
                // Whoever has waited for a time that is over continues to wait for something else.
                let (_, next) = self.due_timers(others, timers, (word, new), frame.now_ns);
                let before = match rest.resting[word] {
                    0 => u64::MAX,
                    _ => rest.wakes_ns[word],
                };
                rest.wakes_ns[word] = next.min(before);
                rest.resting[word] |= new;
            }
            resting += (rest.resting[word] & alive[word]).count_ones();
            all += alive[word].count_ones();
        }
        let [least, most] = PAUSES;
        *rest.pause = match resting * FEW >= all {
            true => 1,
            false => (*rest.pause * 2).clamp(least, most),
        };
        *rest.next_try = frame.tick + *rest.pause;
        *rest.some = u64::from(resting > 0);
        rest.note_whether_all(&alive);
    }

    /// Wakes an agent.
    #[inline]
    pub(in crate::population) fn wake(&self, state: &mut [u64], lane: usize) {
        if let [until, ..] = &mut state[self.rest..self.due] {
            *until = 0;
            state[self.rest + SINGLE_CELLS + lane / 64] &= !(1 << (lane % 64));
        }
    }

    /// Wakes all agents of a chunk.
    pub(in crate::population) fn wake_all(&self, state: &mut [u64]) {
        if let [until, _, _, _, _, some, sets @ ..] = &mut state[self.rest..self.due] {
            (*until, *some) = (0, 0);
            sets.fill(0);
        }
    }

    /// Wakes those agents of a chunk whose keys a host has written in a call.
    pub(in crate::population) fn wake_written<const W: usize>(
        &self,
        state: &mut [u64],
        written: &[u64],
    ) {
        if let Some((_, rest)) = self.rest::<W>(state) {
            *rest.until = 0;
            let words = rest.resting.iter_mut().zip(written);
            words.for_each(|(resting, written)| *resting &= !written);
        }
    }
}

impl<const W: usize> Rest<'_, W> {
    /// Notes until when all rest, if they do.
    fn note_whether_all(self, alive: &[u64; W]) {
        let (mut until, mut count) = (u64::MAX, 0);
        for word in 0..W {
            if alive[word] & !self.resting[word] != 0 {
                *self.until = 0;
                return;
            }
            if alive[word] != 0 {
                until = until.min(self.wakes_ns[word]);
                count += u64::from(alive[word].count_ones());
            }
        }
        (*self.until, *self.count) = (until, count);
    }
}

impl Population {
    /// How many agents rest: their last tick asked nobody and changed nothing, so they are passed over until something
    /// happens to them. It costs next to nothing to have them. Only crowds, of about 200 agents and more, can rest.
    pub fn resting(&self) -> usize {
        if !self.durable.parts.can_rest() {
            return 0;
        }
        let of_chunk = |chunk: &[u64]| {
            let resting =
                chunk[self.durable.parts.rest + SINGLE_CELLS..][..self.durable.size.words].iter();
            let both = resting.zip(chunk).map(|(resting, alive)| resting & alive);
            both.map(|word| word.count_ones() as usize).sum::<usize>()
        };
        self.state.iter().map(|chunk| of_chunk(chunk)).sum()
    }

    /// What shared keys are like, if agents may rest that have read them.
    #[inline]
    pub(in crate::population) fn rest_version(&self) -> u64 {
        let resting = self.durable.program.resting.as_ref();
        let reads = resting.is_some_and(|resting| resting.reads_shared);
        let shared = self.durable.shared.as_ref().filter(|_| reads);
        shared.map_or(0, |shared| shared.version())
    }

    /// Wakes an agent: something has changed that its ticks may depend on.
    #[inline]
    pub(in crate::population) fn wake(&mut self, agent: usize) {
        if self.durable.parts.can_rest() {
            let (chunk, lane) = self.place(agent);
            self.durable.parts.wake(&mut self.state[chunk], lane);
        }
    }
}
