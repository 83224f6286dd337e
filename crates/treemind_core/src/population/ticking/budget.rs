//! Ticks in which not all agents that are due can be ticked.

use crate::host::Host;
use crate::population::room::WIDE;
use crate::population::ticking::{abort_leaving, sweep_chunks, tick_chunks};
use crate::population::{Population, Tally};
use crate::trace::{Sink, Trace, untraced};
use std::fmt;
use std::time::Duration;

/// How much may be done in a tick. Agents for whom nothing is left stay due, and everybody gets a turn: nobody is ticked
/// twice before another who stayed due.
#[non_exhaustive]
pub enum Budget<'a> {
    /// At most this many agents are ticked.
    Agents(usize),
    /// Agents are ticked as long as this says yes. It is asked before each chunk of up to 1 024 agents; with a clock, it
    /// makes a deadline. So who is ticked depends on the machine, and "same inputs, same trace" is not promised.
    While(&'a mut dyn FnMut() -> bool),
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Agents(agents) => out.debug_tuple("Agents").field(agents).finish(),
            Budget::While(_) => out.debug_tuple("While").finish_non_exhaustive(),
        }
    }
}

/// The agents whose turn it is: from one index to before another, past the last to the first if that is not greater.
#[derive(Clone, Copy, Debug)]
pub(in crate::population) struct Turn {
    from: usize,
    to: usize,
}

impl Turn {
    /// Takes those out of a set of agents of a chunk whose turn it is not.
    pub(in crate::population) fn limit<const W: usize>(
        self,
        first_agent: usize,
        lanes: &mut [u64; W],
    ) {
        for (word, lanes) in lanes.iter_mut().enumerate() {
            let first = first_agent + word * 64;
            let below = |agent: usize| match agent.saturating_sub(first) {
                bits @ 0..64 => !(u64::MAX << bits),
                _ => u64::MAX,
            };
            *lanes &= match self.from < self.to {
                true => below(self.to) & !below(self.from),
                false => below(self.to) | !below(self.from),
            };
        }
    }
}

impl Population {
    /// Like [`tick`](Self::tick), but with a budget: only some of the agents that are due are ticked, and the others stay
    /// due. When it is their turn, their time step is the time since their last tick, as with an
    /// [interval](Self::set_interval). Keys that agents share, places of semaphores and events are handled as in every
    /// tick.
    pub fn tick_some(&mut self, host: &mut dyn Host, dt: Duration, budget: Budget<'_>) -> Tally {
        self.tick_some_with(host, (dt, budget), &mut untraced())
    }

    /// Like [`tick_some`](Self::tick_some), and also records what happened; the previous content of the trace is
    /// discarded.
    pub fn tick_some_traced(
        &mut self,
        host: &mut dyn Host,
        dt: Duration,
        budget: Budget<'_>,
        trace: &mut Trace,
    ) -> Tally {
        trace.clear();
        self.tick_some_with(host, (dt, budget), trace)
    }

    fn tick_some_with<S: Sink>(
        &mut self,
        host: &mut dyn Host,
        (dt, budget): (Duration, Budget<'_>),
        sink: &mut S,
    ) -> Tally {
        self.keep_due_times();
        self.begin_tick(dt);
        self.count_places();
        let tally = self.sweep_some(host, budget, sink);
        self.end_tick();
        tally
    }

    /// Ticks some agents between the begin and the end of a tick; due times have been kept since before its begin.
    pub(crate) fn sweep_some<S: Sink>(
        &mut self,
        host: &mut dyn Host,
        budget: Budget<'_>,
        sink: &mut S,
    ) -> Tally {
        self.make_room(sink.is_on());
        let tally = match (budget, self.durable.size.words) {
            (Budget::Agents(agents), WIDE) => self.sweep_agents::<WIDE, S>(host, agents, sink),
            (Budget::Agents(agents), _) => self.sweep_agents::<1, S>(host, agents, sink),
            (Budget::While(goes_on), WIDE) => self.sweep_while::<WIDE, S>(host, goes_on, sink),
            (Budget::While(goes_on), _) => self.sweep_while::<1, S>(host, goes_on, sink),
        };
        self.empty_mailboxes();
        tally
    }

    fn sweep_agents<const W: usize, S: Sink>(
        &mut self,
        host: &mut dyn Host,
        agents: usize,
        sink: &mut S,
    ) -> Tally {
        if agents == 0 {
            return Tally::default();
        }
        let from = self.durable.next_in_turn.min(self.durable.len);
        let to = self.end_of_turn::<W>(from, agents);
        let chunks = 0..self.state.len();
        self.durable.next_in_turn = to.unwrap_or(from);
        let (mut frame, state, desk) = self.divided();
        frame.turn = to.map(|to| Turn { from, to });
        tick_chunks::<W, S>(frame, chunks, state, desk, host, sink)
    }

    /// Behind the last of this many agents that are due, from an index on, and then from the first index on. `None` if
    /// no more agents are due.
    fn end_of_turn<const W: usize>(&mut self, from: usize, agents: usize) -> Option<usize> {
        let (parts, tick, lanes) = (
            self.durable.parts,
            self.durable.tick,
            self.durable.size.lanes,
        );
        let mut left = agents;
        for Turn { from, to } in [
            Turn {
                from,
                to: self.durable.len,
            },
            Turn { from: 0, to: from },
        ] {
            if from == to {
                continue;
            }
            for chunk in from / lanes..to.div_ceil(lanes) {
                let mut due = parts.due::<W>(self.chunk_mut(chunk), tick);
                Turn { from, to }.limit(chunk * lanes, &mut due);
                for (word, mut due) in due.into_iter().enumerate() {
                    if (due.count_ones() as usize) < left {
                        left -= due.count_ones() as usize;
                        continue;
                    }
                    (1..left).for_each(|_| due &= due - 1);
                    return Some(chunk * lanes + word * 64 + due.trailing_zeros() as usize + 1);
                }
            }
        }
        None
    }

    fn sweep_while<const W: usize, S: Sink>(
        &mut self,
        host: &mut dyn Host,
        goes_on: &mut dyn FnMut() -> bool,
        sink: &mut S,
    ) -> Tally {
        let tally = self.sweep_chunks_while::<W, S>(host, goes_on, sink);
        let (frame, state, desk) = self.divided();
        abort_leaving::<W, S>(frame, (0, state), desk, host, sink);
        tally
    }

    fn sweep_chunks_while<const W: usize, S: Sink>(
        &mut self,
        host: &mut dyn Host,
        goes_on: &mut dyn FnMut() -> bool,
        sink: &mut S,
    ) -> Tally {
        let mut tally = Tally::default();
        let (lanes, len) = (self.durable.size.lanes, self.durable.len);
        let begin = self.durable.next_in_turn.min(len);
        for Turn { from, to } in [
            Turn {
                from: begin,
                to: len,
            },
            Turn { from: 0, to: begin },
        ] {
            let mut next = from;
            while next < to {
                if !goes_on() {
                    return tally;
                }
                let chunk = next / lanes;
                let end = to.min((chunk + 1) * lanes);
                let (mut frame, state, desk) = self.divided();
                frame.turn = Some(Turn {
                    from: next,
                    to: end,
                });
                let state = &mut state[chunk..chunk + 1];
                tally =
                    tally + sweep_chunks::<W, S>(frame, chunk..chunk + 1, state, desk, host, sink);
                self.durable.next_in_turn = end;
                next = end;
            }
        }
        tally
    }
}
