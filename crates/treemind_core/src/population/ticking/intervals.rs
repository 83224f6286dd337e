//! Agents that are not ticked in every tick: when each of them is due.

use crate::blackboard::Shift;
use crate::host::Order;
use crate::population::Population;
use crate::population::exec::past_of_word;
use crate::population::room::Parts;
use crate::population::ticking::Frame;
use std::ops::Range;

/// When the agents of a chunk are due. Where all agents of a word agree, only the times of the word are kept, so that a
/// crowd is passed over, and ticked, word by word.
struct DueTimes<'s> {
    /// The agents that live, by words.
    alive: &'s [u64],
    /// Per word: no agent is due before this tick.
    earliest: &'s mut [u64],
    /// Per word: whether its agents agree. Then the times of the word hold for those that live, and all of them are due
    /// at the earliest tick.
    agrees: &'s mut [u64],
    of_words: Times<'s>,
    /// Per lane: the first tick in which its agent is due; never for a lane without an agent.
    next: &'s mut [u64],
    of_lanes: Times<'s>,
}

/// What is known of words or lanes.
struct Times<'s> {
    /// The last tick of an agent, or the one before it was added.
    last: &'s mut [u64],
    /// The clock at that tick.
    last_ns: &'s mut [u64],
    intervals: &'s mut [u64],
}

/// How many words the due times of a chunk take.
pub(in crate::population) fn cells(lanes: usize) -> usize {
    WORD_COLUMNS * lanes.div_ceil(64) + LANE_COLUMNS * lanes
}

const WORD_COLUMNS: usize = 5;
const LANE_COLUMNS: usize = 4;

/// Agents that are ticked together: all were ticked last in the same tick.
pub(in crate::population) struct Group<const W: usize> {
    pub(in crate::population) lanes: [u64; W],
    pub(in crate::population) last: u64,
    pub(in crate::population) last_ns: u64,
}

/// Whose turn it is, among the agents of one interval: an agent has its turn in ticks for which the number of the tick
/// plus this number is a multiple of the interval. The first agents have turns of their own. In a crowd, agents that
/// are ticked together cost less, so whole words take turns, and then whole chunks: never more at a time than a
/// sixteenth of the agents before them.
pub(in crate::population) fn turn_of(id: u64) -> u64 {
    match id {
        0..1_024 => id,
        1_024..16_384 => id / 64,
        _ => id / 1_024,
    }
}

/// Whether a tick is one in which an agent with this id has its turn.
pub(in crate::population) fn is_turn(tick: u64, id: u64, interval: u64) -> bool {
    (tick % interval + turn_of(id) % interval).is_multiple_of(interval)
}

/// The next tick, after a tick, in which an agent with this id is due.
pub(in crate::population) fn next_due(tick: u64, id: u64, interval: u64) -> u64 {
    match interval {
        1 => tick + 1,
        _ => tick + interval - (tick % interval + turn_of(id) % interval) % interval,
    }
}

impl<'s> Times<'s> {
    fn take(columns: &mut &'s mut [u64], count: usize) -> Self {
        let mut next = || take(columns, count);
        Self {
            last: next(),
            last_ns: next(),
            intervals: next(),
        }
    }

    fn get(&self, place: usize) -> [u64; 3] {
        [self.last[place], self.last_ns[place], self.intervals[place]]
    }

    fn set(&mut self, place: usize, [last, last_ns, interval]: [u64; 3]) {
        self.last[place] = last;
        self.last_ns[place] = last_ns;
        self.intervals[place] = interval;
    }
}

fn take<'s>(columns: &mut &'s mut [u64], count: usize) -> &'s mut [u64] {
    columns
        .split_off_mut(..count)
        .expect("there is room for all columns")
}

impl DueTimes<'_> {
    fn agrees(&self, word: usize) -> bool {
        self.agrees[word] != 0
    }

    /// What is known of an agent.
    fn of(&self, lane: usize) -> [u64; 3] {
        match self.agrees(lane / 64) {
            true => self.of_words.get(lane / 64),
            false => self.of_lanes.get(lane),
        }
    }

    /// The first tick in which an agent is due.
    fn next_of(&self, lane: usize) -> u64 {
        match self.agrees(lane / 64) {
            true => self.earliest[lane / 64],
            false => self.next[lane],
        }
    }

    fn lanes_of(&self, word: usize) -> Range<usize> {
        word * 64..self.next.len().min(word * 64 + 64)
    }

    fn is_alive(&self, lane: usize) -> bool {
        self.alive[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Gives each agent of a word times of its own.
    fn part(&mut self, word: usize) {
        if !self.agrees(word) {
            return;
        }
        let (next, times) = (self.earliest[word], self.of_words.get(word));
        for lane in self.lanes_of(word) {
            self.next[lane] = if self.is_alive(lane) { next } else { u64::MAX };
            self.of_lanes.set(lane, times);
        }
        self.agrees[word] = 0;
    }

    /// Notes when the first agent of a word is due, and whether all agree, after their own times have changed.
    fn settle(&mut self, word: usize) {
        let lanes = self.lanes_of(word);
        let next = &self.next[lanes.clone()];
        self.earliest[word] = next.iter().copied().min().unwrap_or(u64::MAX);
        let mut living = lanes.filter(|lane| self.is_alive(*lane));
        let Some(first) = living.next() else {
            return;
        };
        let times = self.of_lanes.get(first);
        let mut agrees = self.next[first] == self.earliest[word];
        agrees &= living
            .all(|lane| self.next[lane] == self.next[first] && self.of_lanes.get(lane) == times);
        if agrees {
            self.agrees[word] = 1;
            self.of_words.set(word, times);
        }
    }

    /// Ticks all agents of a word that agree. Returns whether they still do.
    fn tick_word(&mut self, word: usize, frame: &Frame<'_>, first_agent: usize) -> bool {
        let interval = self.of_words.intervals[word];
        let mut next = frame.tick + interval;
        if self.earliest[word] != frame.tick && interval > 1 {
            // Agents that were left over, or are new: they may come to have different turns.
            let due = |lane| next_due(frame.tick, id_of(frame, first_agent + lane), interval);
            let mut living = self.lanes_of(word).filter(|lane| self.is_alive(*lane));
            next = living.next().map_or(u64::MAX, due);
            if living.any(|lane| due(lane) != next) {
                return false;
            }
        }
        self.earliest[word] = next;
        self.of_words
            .set(word, [frame.tick, frame.now_ns, interval]);
        true
    }

    /// Ticks an agent that has times of its own.
    fn tick_lane(&mut self, lane: usize, frame: &Frame<'_>, first_agent: usize) {
        let interval = self.of_lanes.intervals[lane];
        // Whoever is due in its own tick is due again after its interval; for others that takes divisions.
        self.next[lane] = match self.next[lane] == frame.tick {
            true => frame.tick + interval,
            false => next_due(frame.tick, id_of(frame, first_agent + lane), interval),
        };
        self.of_lanes
            .set(lane, [frame.tick, frame.now_ns, interval]);
    }
}

fn id_of(frame: &Frame<'_>, agent: usize) -> u64 {
    frame.ids.get(agent).copied().unwrap_or(agent as u64)
}

impl Parts {
    /// Whether some agents may not be due in every tick.
    #[inline(always)]
    pub(in crate::population) fn has_intervals(&self) -> bool {
        self.due < self.end
    }

    fn due_times<'s>(&self, state: &'s mut [u64]) -> Option<DueTimes<'s>> {
        if !self.has_intervals() {
            return None;
        }
        let (slots, columns) = state.split_at_mut(self.due);
        let lanes = self.board_layout.lanes();
        let words = lanes.div_ceil(64);
        let mut columns = &mut columns[..self.end - self.due];
        Some(DueTimes {
            alive: &slots[..words],
            earliest: take(&mut columns, words),
            agrees: take(&mut columns, words),
            of_words: Times::take(&mut columns, words),
            next: take(&mut columns, lanes),
            of_lanes: Times::take(&mut columns, lanes),
        })
    }

    /// A chunk without agents: nobody is due.
    pub(in crate::population) fn clear_due_times(&self, state: &mut [u64]) {
        if let Some(times) = self.due_times(state) {
            times.earliest.fill(u64::MAX);
            times.next.fill(u64::MAX);
        }
    }

    /// New agents, which live already, are due at once, and were ticked last when they were added.
    pub(in crate::population) fn begin_due_times(
        &self,
        state: &mut [u64],
        lanes: Range<usize>,
        (tick, now_ns): (u64, u64),
        interval: u32,
    ) {
        let Some(mut times) = self.due_times(state) else {
            return;
        };
        let words = lanes.start / 64..lanes.end.div_ceil(64);
        words.clone().for_each(|word| times.part(word));
        for lane in lanes {
            times.next[lane] = 0;
            let started = [tick, now_ns, u64::from(interval)];
            times.of_lanes.set(lane, started);
        }
        words.for_each(|word| times.settle(word));
    }

    /// A removed agent is never due.
    pub(in crate::population) fn end_due_time(&self, state: &mut [u64], lane: usize) {
        if let Some(times) = self.due_times(state) {
            times.next[lane] = u64::MAX;
        }
    }

    /// Copies the due time of an agent.
    pub(in crate::population) fn copy_due_time(
        &self,
        from: &mut [u64],
        lane: usize,
        to: (&Self, &mut [u64], usize),
    ) {
        let (to_parts, target, to_lane) = to;
        let (Some(from), Some(mut to)) = (self.due_times(from), to_parts.due_times(target)) else {
            return;
        };
        to.part(to_lane / 64);
        to.earliest[to_lane / 64] = 0;
        to.next[to_lane] = from.next_of(lane);
        to.of_lanes.set(to_lane, from.of(lane));
    }

    /// When an agent is due, when it was ticked last, by the tick and by the clock, and its interval; never and zeros
    /// where there is no agent. `None` if agents have no intervals.
    pub(in crate::population) fn due_time(&self, state: &[u64], lane: usize) -> Option<[u64; 4]> {
        if !self.has_intervals() {
            return None;
        }
        if state[lane / 64] >> (lane % 64) & 1 == 0 {
            return Some([u64::MAX, 0, 0, 0]);
        }
        let lanes = self.board_layout.lanes();
        let words = lanes.div_ceil(64);
        let (of_words, of_lanes) = state[self.due..self.end].split_at(WORD_COLUMNS * words);
        let of_word = |column: usize| of_words[column * words + lane / 64];
        let of_lane = |column: usize| of_lanes[column * lanes + lane];
        Some(match of_word(1) {
            0 => [0, 1, 2, 3].map(of_lane),
            _ => [0, 2, 3, 4].map(of_word),
        })
    }

    /// Columns with what [`due_time`](Self::due_time) says of each agent, to be filled. It is found out again who
    /// agrees.
    pub(in crate::population) fn due_times_to_fill<'s>(
        &self,
        state: &'s mut [u64],
    ) -> &'s mut [u64] {
        let words = self.board_layout.lanes().div_ceil(64);
        let columns = &mut state[self.due..self.end];
        columns.get_mut(WORD_COLUMNS * words..).unwrap_or_default()
    }

    /// Gives an agent the interval, and the time since its last tick, that it had where it comes from. If its turn had
    /// not come there, it has the next turn of its id here; otherwise it is due at once.
    pub(in crate::population) fn move_due_time(
        &self,
        from: &[u64],
        lane: usize,
        to: (&Self, &mut [u64], usize),
        (shift, id): (Shift, u64),
    ) {
        let (to_parts, target, to_lane) = to;
        let came_with = self.due_time(from, lane);
        let (Some(times), Some(mut to)) = (came_with, to_parts.due_times(target)) else {
            return;
        };
        let [next, last, last_ns, interval] = times;
        let [tick_there, tick] = shift.tick;
        to.part(to_lane / 64);
        to.next[to_lane] = match next > tick_there {
            true => next_due(tick, id, interval),
            false => 0,
        };
        let moved = [shift.tick(last), shift.past(last_ns), interval];
        to.of_lanes.set(to_lane, moved);
        to.settle(to_lane / 64);
    }

    /// The agents of a chunk that are due.
    #[inline(never)]
    pub(in crate::population) fn due<const W: usize>(
        &self,
        state: &mut [u64],
        tick: u64,
    ) -> [u64; W] {
        let mut due = [0; W];
        let Some(times) = self.due_times(state) else {
            return due;
        };
        for (word, due) in due.iter_mut().enumerate().take(times.earliest.len()) {
            if tick >= times.earliest[word] {
                *due = match times.agrees(word) {
                    true => times.alive[word],
                    false => {
                        let next = &times.next[times.lanes_of(word)];
                        past_of_word(next, tick) & (u64::MAX >> (64 - next.len()))
                    }
                };
            }
        }
        due
    }

    /// Takes out the first of the agents that are due, and those that can be ticked together with it. From now on they
    /// are due again when their interval has passed.
    #[inline(never)]
    pub(in crate::population) fn next_group<const W: usize>(
        &self,
        state: &mut [u64],
        due: &mut [u64; W],
        frame: &Frame<'_>,
        (first_agent, order): (usize, Order),
    ) -> Option<Group<W>> {
        let first = due.iter().position(|word| *word != 0)?;
        let mut times = self.due_times(state)?;
        let [last, last_ns, _] = times.of(first * 64 + due[first].trailing_zeros() as usize);
        let mut group = Group {
            lanes: [0; W],
            last,
            last_ns,
        };
        for word in first..W {
            if due[word] == 0 {
                continue;
            }
            let all = due[word];
            if times.agrees(word) {
                let is_of_group = times.of_words.last[word] == last;
                let is_whole = is_of_group && all == times.alive[word];
                if is_whole && times.tick_word(word, frame, first_agent) {
                    group.lanes[word] = all;
                    due[word] = 0;
                    continue;
                }
                if is_of_group {
                    times.part(word);
                }
            }
            let mut rest = all;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest &= rest - 1;
                let lane = word * 64 + bit.trailing_zeros() as usize;
                if times.of(lane)[0] != last {
                    match order {
                        Order::Independent => continue,
                        Order::Sequential => break,
                    }
                }
                group.lanes[word] |= bit;
                times.tick_lane(lane, frame, first_agent);
            }
            due[word] &= !group.lanes[word];
            if due[word] == 0 {
                times.settle(word);
            } else if order == Order::Sequential {
                break;
            }
        }
        Some(group)
    }
}

impl Population {
    /// From now on, an agent is ticked only in every `ticks`-th tick; with 1, in every tick. A distant crowd can
    /// think less often.
    ///
    /// Agents with the same interval take turns: each is due in ticks with a number `t` for which `t` plus the number
    /// of its turn is a multiple of `ticks`. Each of the first 1 024 agents has its own turn, by its [stable
    /// id](Self::stable_id). Those after them take turns in groups of 64, and from 16 384 on in groups of 1 024,
    /// because agents that are ticked together cost less. A new agent is due in the next tick in any case, and an agent
    /// whose turn has come stays due. In its ticks, the time step is the time since its last tick. Timers that expire
    /// in between take effect when it is due; nothing makes it due earlier. A [tally](Self::tick) counts agents that
    /// are due. The clock, and the number of the tick, are those of the population.
    ///
    /// # Panics
    /// When there is no such agent, or `ticks` is 0.
    pub fn set_interval(&mut self, agent: usize, ticks: u32) {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        assert!(ticks > 0, "an interval has at least one tick");
        if ticks == self.interval(agent) {
            return;
        }
        self.touch();
        self.keep_due_times();
        let (id, tick) = (self.stable_id(agent), self.durable.tick);
        let (chunk, lane) = self.place(agent);
        if let Some(mut times) = self.durable.parts.due_times(&mut self.state[chunk]) {
            times.part(lane / 64);
            times.of_lanes.intervals[lane] = u64::from(ticks);
            // Whose turn has come keeps it: it may be new, or left over.
            let is_left_over = times.next[lane] <= tick;
            if !is_left_over {
                times.next[lane] = next_due(tick, id, u64::from(ticks));
                let earliest = &mut times.earliest[lane / 64];
                *earliest = times.next[lane].min(*earliest);
            }
        }
    }

    /// The interval of an agent: it is ticked once in this many ticks.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn interval(&self, agent: usize) -> u32 {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let (chunk, lane) = self.place(agent);
        match self.durable.parts.due_time(self.chunk(chunk), lane) {
            Some([_, _, _, interval]) => interval as u32,
            None => 1,
        }
    }

    /// Whether an agent was ticked in the last tick of the population, if agents have intervals.
    pub(in crate::population) fn was_ticked(&self, agent: usize) -> bool {
        let (chunk, lane) = self.place(agent);
        let times = self.durable.parts.due_time(self.chunk(chunk), lane);
        times.is_some_and(|[_, last, _, _]| last == self.durable.tick)
    }

    /// Makes room for due times, if there is none. So far all agents were ticked in every tick.
    pub(crate) fn keep_due_times(&mut self) {
        if self.durable.parts.has_intervals() {
            return;
        }
        self.resize(self.durable.len, self.durable.size, true);
        let (parts, lanes, now) = (
            self.durable.parts,
            self.durable.size.lanes,
            (self.durable.tick, self.durable.now_ns),
        );
        for chunk in 0..self.state.len() {
            let used = lanes.min(self.durable.len - chunk * lanes);
            parts.begin_due_times(self.chunk_mut(chunk), 0..used, now, 1);
        }
        for agent in 0..self.durable.len {
            let next = match (self.is_alive(agent), self.stable_id(agent)) {
                (false, _) => u64::MAX,
                (true, id) if id >= self.durable.first_new_id => 0,
                (true, _) => self.durable.tick + 1,
            };
            let (chunk, lane) = self.place(agent);
            if let Some(mut times) = parts.due_times(self.chunk_mut(chunk)) {
                times.part(lane / 64);
                times.next[lane] = next;
            }
        }
    }
}
