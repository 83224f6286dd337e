//! Agents that are not ticked in every tick: when each of them is due.

use super::Population;
use super::exec::past_of_word;
use super::room::Parts;
use super::ticking::Frame;
use crate::host::Order;
use std::ops::Range;

/// When the agents of a chunk are due.
struct DueTimes<'s> {
    /// No agent is due before this tick.
    earliest: &'s mut u64,
    /// The first tick in which an agent is due; never for a lane without an agent.
    next: &'s mut [u64],
    /// The last tick of an agent, or the one before it was added.
    last: &'s mut [u64],
    /// The clock at that tick.
    last_ns: &'s mut [u64],
    intervals: &'s mut [u64],
}

/// How many words the due times of a chunk take.
pub(super) fn cells(lanes: usize) -> usize {
    1 + 4 * lanes
}

/// Agents that are ticked together: all were ticked last in the same tick.
pub(super) struct Group<const W: usize> {
    pub(super) lanes: [u64; W],
    pub(super) last: u64,
    pub(super) last_ns: u64,
}

/// The next tick, after a tick, in which an agent with this id is due.
fn next_due(tick: u64, id: u64, interval: u64) -> u64 {
    match interval {
        1 => tick + 1,
        _ => tick + interval - (tick % interval + id % interval) % interval,
    }
}

impl Parts {
    /// Whether some agents may not be due in every tick.
    #[inline(always)]
    pub(super) fn has_intervals(&self) -> bool {
        self.due < self.end
    }

    fn due_times<'s>(&self, state: &'s mut [u64]) -> Option<DueTimes<'s>> {
        let (earliest, columns) = state[self.due..self.end].split_first_mut()?;
        let mut columns = columns.chunks_exact_mut(columns.len() / 4);
        Some(DueTimes {
            earliest,
            next: columns.next()?,
            last: columns.next()?,
            last_ns: columns.next()?,
            intervals: columns.next()?,
        })
    }

    /// A chunk without agents: nobody is due.
    pub(super) fn clear_due_times(&self, state: &mut [u64]) {
        if let Some(times) = self.due_times(state) {
            *times.earliest = u64::MAX;
            times.next.fill(u64::MAX);
        }
    }

    /// New agents are due at once, and were ticked last when they were added.
    pub(super) fn begin_due_times(
        &self,
        state: &mut [u64],
        lanes: Range<usize>,
        (tick, now_ns): (u64, u64),
        interval: u32,
    ) {
        if let Some(times) = self.due_times(state) {
            *times.earliest = 0;
            times.next[lanes.clone()].fill(0);
            times.last[lanes.clone()].fill(tick);
            times.last_ns[lanes.clone()].fill(now_ns);
            times.intervals[lanes].fill(u64::from(interval));
        }
    }

    /// A removed agent is never due.
    pub(super) fn end_due_time(&self, state: &mut [u64], lane: usize) {
        if let Some(times) = self.due_times(state) {
            times.next[lane] = u64::MAX;
        }
    }

    /// Copies the due time of an agent.
    pub(super) fn copy_due_time(
        &self,
        from: &mut [u64],
        lane: usize,
        to: (&Self, &mut [u64], usize),
    ) {
        let (to_parts, target, to_lane) = to;
        let (Some(from), Some(to)) = (self.due_times(from), to_parts.due_times(target)) else {
            return;
        };
        *to.earliest = 0;
        to.next[to_lane] = from.next[lane];
        to.last[to_lane] = from.last[lane];
        to.last_ns[to_lane] = from.last_ns[lane];
        to.intervals[to_lane] = from.intervals[lane];
    }

    /// The agents of a chunk that are due.
    #[inline(never)]
    pub(super) fn due<const W: usize>(&self, state: &mut [u64], tick: u64) -> [u64; W] {
        let mut due = [0; W];
        let Some(times) = self.due_times(state) else {
            return due;
        };
        if tick < *times.earliest {
            return due;
        }
        for (due, next) in due.iter_mut().zip(times.next.chunks(64)) {
            *due = past_of_word(next, tick) & (u64::MAX >> (64 - next.len()));
        }
        due
    }

    /// Takes out the first of the agents that are due, and those that can be ticked together with it. From now on they
    /// are due again when their interval has passed.
    #[inline(never)]
    pub(super) fn next_group<const W: usize>(
        &self,
        state: &mut [u64],
        due: &mut [u64; W],
        frame: &Frame<'_>,
        (first_agent, order): (usize, Order),
    ) -> Option<Group<W>> {
        let times = self.due_times(state)?;
        let first = due.iter().position(|word| *word != 0)?;
        let lane = first * 64 + due[first].trailing_zeros() as usize;
        let mut group = Group {
            lanes: [0; W],
            last: times.last[lane],
            last_ns: times.last_ns[lane],
        };
        'all: for word in first..W {
            let mut rest = due[word];
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest &= rest - 1;
                let lane = word * 64 + bit.trailing_zeros() as usize;
                if times.last[lane] != group.last {
                    match order {
                        Order::Independent => continue,
                        Order::Sequential => break 'all,
                    }
                }
                group.lanes[word] |= bit;
                due[word] &= !bit;
                // Whoever is due in its own tick is due again after its interval; for others that takes divisions.
                times.next[lane] = if times.next[lane] == frame.tick {
                    frame.tick + times.intervals[lane]
                } else {
                    let agent = first_agent + lane;
                    let id = frame.ids.get(agent).copied().unwrap_or(agent as u64);
                    next_due(frame.tick, id, times.intervals[lane])
                };
                times.last[lane] = frame.tick;
                times.last_ns[lane] = frame.now_ns;
            }
        }
        if *due == [0; W] {
            *times.earliest = times.next.iter().copied().min().unwrap_or(0);
        }
        Some(group)
    }
}

impl Population {
    /// Has an agent ticked in every `ticks`-th tick only; with 1, in every tick. A crowd in the distance needs to
    /// think less often.
    ///
    /// The agent is due in ticks with a number `t` for which `t` plus its [stable id](Self::stable_id) is a multiple of
    /// `ticks`, so that the agents of one interval are spread over the ticks. A new agent is due in the next tick in
    /// any case, and an agent whose turn has come stays due. In its ticks, the time step is the time since its last
    /// tick. Timers that expire in between take effect when it is due; nothing hurries it. A
    /// [tally](Self::tick) counts agents that are due. The clock, and the number of the tick, are those of the
    /// population.
    ///
    /// # Panics
    /// When there is no such agent, or `ticks` is 0.
    pub fn set_interval(&mut self, agent: usize, ticks: u32) {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        assert!(ticks > 0, "an interval has at least one tick");
        if ticks == self.interval(agent) {
            return;
        }
        self.keep_due_times();
        let (id, tick, parts) = (self.stable_id(agent), self.tick, self.parts);
        let (chunk, lane) = self.place(agent);
        if let Some(times) = parts.due_times(self.chunk_mut(chunk)) {
            times.intervals[lane] = u64::from(ticks);
            // Whose turn has come keeps it: it may be new, or left over.
            let is_left_over = times.next[lane] <= tick;
            if !is_left_over {
                times.next[lane] = next_due(tick, id, u64::from(ticks));
                *times.earliest = times.next[lane].min(*times.earliest);
            }
        }
    }

    /// In every how many ticks an agent is ticked: 1 is every tick.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn interval(&self, agent: usize) -> u32 {
        assert!(agent < self.len, "agent {agent} of {}", self.len);
        let (chunk, lane) = self.place(agent);
        let times = &self.chunk(chunk)[self.parts.due..self.parts.end];
        match times.split_first() {
            Some((_, columns)) => columns[columns.len() / 4 * 3 + lane] as u32,
            None => 1,
        }
    }

    /// Whether an agent was ticked in the last tick of the population, if agents have intervals.
    pub(super) fn was_ticked(&self, agent: usize) -> bool {
        let (chunk, lane) = self.place(agent);
        let times = &self.chunk(chunk)[self.parts.due..self.parts.end];
        let last = times
            .split_first()
            .map(|(_, columns)| columns[columns.len() / 4 + lane]);
        last == Some(self.tick)
    }

    /// Makes room for due times, if there is none. So far all agents were ticked in every tick.
    pub(crate) fn keep_due_times(&mut self) {
        if self.parts.has_intervals() {
            return;
        }
        self.resize(self.len, self.size, true);
        let (parts, lanes, now) = (self.parts, self.size.lanes, (self.tick, self.now_ns));
        for chunk in 0..self.state.len() {
            let used = lanes.min(self.len - chunk * lanes);
            parts.begin_due_times(self.chunk_mut(chunk), 0..used, now, 1);
        }
        for agent in 0..self.len {
            let next = match (self.is_alive(agent), self.stable_id(agent)) {
                (false, _) => u64::MAX,
                (true, id) if id >= self.first_new_id => 0,
                (true, _) => self.tick + 1,
            };
            let (chunk, lane) = self.place(agent);
            if let Some(times) = parts.due_times(self.chunk_mut(chunk)) {
                times.next[lane] = next;
            }
        }
    }
}
