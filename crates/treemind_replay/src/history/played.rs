//! A history that is played: forward, back, and to any tick.

use super::moment::{Moment, Noting};
use super::store::{Next, Store};
use super::{Begin, COPY_BYTES, KeyFrames};
use crate::follow::{FEW, Follower, Roster, Seen, Timeline, memory_begin};
use crate::view::protocol::{self, Definition, Listed};
use crate::view::{Wish, crowd_of, definition, places, texts, view_of};
use std::collections::BTreeMap;
use treemind_core::tape::{Played, Stage};
use treemind_core::{Population, PopulationId};

/// How many agents are followed because somebody has looked at them.
const LOOKED_AT: usize = 8;
/// How many agents are listed in a view.
const MOST_LISTED: usize = 200;

/// What came of work that nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chore {
    /// There was nothing to do.
    Idle,
    /// There is more to do before anything can be seen.
    Busy,
    /// There is more to see, and perhaps more to do.
    Seen,
}

/// A stretch of ticks that is played again, to know what an agent did in it.
struct Past {
    of: usize,
    stretch: (u64, u64),
    now: Moment,
    timeline: Timeline,
    played: Played,
}

/// What agents did, at one of its ticks.
///
/// What there is to see of an agent after a tick is a function of the tape, the tick and the agent: it is the same by
/// whichever way one came there, when one asks, and whoever else is looked at. The only exception is what the
/// [timeline](protocol::Film) knows so far, which is filled in [bit by bit](Self::catch_up).
pub struct History<S> {
    store: S,
    now: Moment,
    copies: KeyFrames<Moment>,
    roster: Roster,
    /// By the revision of the documents: their keys may be others.
    timelines: BTreeMap<u64, Timeline>,
    played: Played,
    /// The tick that was played so that it is known what happened in it.
    noted: u64,
    /// Who was looked at, the last one last.
    wanted: Vec<usize>,
    /// The stretch before somebody looked that is being played again.
    past: Option<Past>,
}

impl<S: Store> History<S> {
    /// A history at its last tick; `None` if there is none so far.
    pub fn at_end(store: S) -> Option<Self> {
        let (_, last) = store.ticks()?;
        let mut history = Self::at_begin(store)?;
        history.seek(last);
        while history.now.tick < last && history.step() {}
        Some(history)
    }

    /// A history at its first tick; `None` if there is none so far.
    pub fn at_begin(store: S) -> Option<Self> {
        let (first, _) = store.ticks()?;
        let now = Moment::begin(&store.begin(first)?)?;
        let mut history = Self {
            copies: KeyFrames::new(now.tick, now.clone()),
            store,
            now,
            roster: Roster::default(),
            timelines: BTreeMap::new(),
            played: Played::default(),
            noted: 0,
            wanted: vec![0],
            past: None,
        };
        history.roster.meet(history.now.stage());
        Some(history)
    }

    /// Where the tape is kept.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The tick that is shown.
    pub fn tick(&self) -> u64 {
        self.now.tick
    }

    /// Which documents the agents run then.
    pub fn revision(&self) -> u64 {
        self.now.revision
    }

    /// The agents after that tick.
    pub fn stage(&self) -> &Stage {
        self.now.stage()
    }

    /// The agents by their numbers.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// What happened in the tick that is shown, if it was played so that this is known.
    pub fn played(&self) -> Option<&Played> {
        (self.noted == self.now.tick).then_some(&self.played)
    }

    /// An agent that is followed.
    pub fn follower(&self, nth: usize) -> Option<&Follower> {
        self.now.troupe.mind(nth)
    }

    /// The population of an agent.
    pub fn population(&self, nth: usize) -> Option<(PopulationId, &Population)> {
        let (id, _) = self.roster.place(nth)?;
        Some((id, self.stage().population(id)?))
    }

    /// Continues with another segment.
    fn enter(&mut self, begin: &Begin) -> bool {
        let Some(next) = Moment::begin(begin) else {
            return false;
        };
        let old = std::mem::replace(&mut self.now, next);
        // The agents continue, if they run the same programs, and nothing is missing in between.
        if old.programs() == self.now.programs() && old.tick == self.now.tick {
            self.now.troupe = old.troupe;
        }
        true
    }

    /// Plays a tick; returns whether there was one.
    fn advance(&mut self, is_noted: bool) -> bool {
        let noting = is_noted.then_some(Noting {
            roster: &self.roster,
            wanted: &self.wanted,
            timeline: self.timelines.entry(self.now.revision).or_default(),
            played: &mut self.played,
        });
        match self.now.play(&self.store, noting) {
            Ok(()) => {}
            Err(Next::Ticks(_) | Next::Nothing) => return false,
            Err(Next::Segment) => {
                let begin = self.store.segment(self.now.place.segment + 1);
                return begin.is_some_and(|begin| self.enter(&begin)) && self.advance(is_noted);
            }
            Err(Next::Gone) => {
                // What was lost is passed over only forward.
                let begin = self.store.begin(self.now.tick);
                let begin = begin.filter(|begin| begin.at > self.now.tick);
                let is_there = begin.is_some_and(|begin| self.enter(&begin));
                if is_there {
                    self.copies = KeyFrames::new(self.now.tick, self.now.clone());
                    let first = self.now.revision;
                    self.timelines.retain(|revision, _| *revision >= first);
                }
                return is_there && self.now.tick > 0;
            }
        }
        self.roster.meet(self.now.playback.stage());
        if is_noted {
            self.noted = self.now.tick;
        }
        true
    }

    /// Plays a tick, and notes what happens; returns whether there was one.
    pub fn step(&mut self) -> bool {
        let is_there = self.advance(true);
        if is_there {
            let now = &self.now;
            self.copies.keep_within(COPY_BYTES, now.tick, || {
                (now.clone(), bytes_of(now.stage()))
            });
        }
        is_there
    }

    /// From which tick on those who are looked at have to be followed, so that everything is known after a tick.
    fn followed_from(&self, tick: u64) -> u64 {
        let stage = self.now.stage();
        let len = |id| stage.population(id).map_or(0, Population::len);
        let begin = |id| memory_begin(tick, len(id));
        let all = match self.roster.len() <= FEW {
            true => stage.populations().into_iter().map(begin).min(),
            false => self
                .wanted
                .iter()
                .filter_map(|nth| self.roster.place(*nth))
                .map(|(id, _)| begin(id))
                .min(),
        };
        all.unwrap_or(tick)
    }

    /// Whether a moment has followed for long enough those who are looked at.
    fn knows(&self, moment: &Moment, tick: u64) -> bool {
        let first = self.store.ticks().map_or(0, |(first, _)| first);
        let wanted = self.wanted.iter().filter(|nth| **nth < self.roster.len());
        let is_at_first = moment.tick <= first.max(self.followed_from(tick));
        is_at_first
            || wanted.into_iter().all(|nth| {
                let follower = moment.troupe.mind(*nth);
                follower.is_some_and(|one| one.knows_enough_for(tick, first))
            })
    }

    /// Goes to where playing on leads to a tick soonest with everything known of it: the tick that is shown, a key frame, or
    /// a whole state some ticks before. Forward or back; [`step`](Self::step) leads on from there.
    pub fn seek(&mut self, tick: u64) {
        let is_on_the_way = self.now.tick <= tick && self.knows(&self.now, tick);
        self.set_out(tick, is_on_the_way.then_some(self.now.tick));
    }

    /// Goes to where a tick is reached soonest; `here` is the tick that is shown, if that is on the way.
    fn set_out(&mut self, tick: u64, here: Option<u64>) {
        let base = self.followed_from(tick);
        let begin = self.store.begin(base);
        let unfollowed = self.copies.before(base).map(|copy| copy.tick);
        let begun = begin.as_ref().map(|begin| begin.at);
        let copy = self.copies.before(tick);
        let copy = copy.filter(|copy| self.knows(copy, tick));
        let copied = copy.map(|copy| copy.tick);
        if here.is_some() && here >= unfollowed.max(begun).max(copied) {
            return;
        }
        if copied.is_some() && copied >= unfollowed.max(begun) {
            if let Some(copy) = copy.cloned() {
                self.now = copy;
            }
            return;
        }
        let next = match unfollowed >= begun {
            true => self.copies.before(base).cloned(),
            false => begin.as_ref().and_then(Moment::begin),
        };
        let Some(next) = next else { return };
        self.now = next;
        self.now.troupe.recast();
        while self.now.tick < base && self.advance(false) {}
    }

    /// Looks at an agent. If nobody has looked at it, the ticks before are played again.
    pub fn look_at(&mut self, nth: usize) {
        self.wanted.retain(|known| *known != nth);
        self.wanted.push(nth);
        if self.wanted.len() > LOOKED_AT {
            self.wanted.remove(0);
        }
        if self.now.troupe.mind(nth).is_none() && nth < self.roster.len() {
            let tick = self.now.tick;
            self.set_out(tick, None);
            while self.now.tick < tick && self.step() {}
        }
    }

    /// As long as `goes_on` says so, plays again what happened before somebody looked at the agents that are looked at, so
    /// that their lanes are whole: the last gap first, and a segment of the tape at a time.
    pub fn catch_up(&mut self, mut goes_on: impl FnMut() -> bool) -> Chore {
        if self.past.is_none() {
            self.past = self.next_past();
        }
        let Some(mut past) = self.past.take() else {
            return Chore::Idle;
        };
        while past.now.tick < past.stretch.1 {
            if !goes_on() {
                self.past = Some(past);
                return Chore::Busy;
            }
            let noting = Noting {
                roster: &self.roster,
                wanted: &self.wanted,
                timeline: &mut past.timeline,
                played: &mut past.played,
            };
            let played = past.now.play(&self.store, Some(noting));
            if played.is_err() {
                // It has been forgotten in the meantime.
                break;
            }
        }
        let timeline = self.timelines.entry(past.now.revision).or_default();
        timeline.fill(past.of, past.stretch, past.timeline);
        Chore::Seen
    }

    /// The last stretch of which nothing is known of an agent that somebody looks at, as far as one segment has it.
    fn next_past(&self) -> Option<Past> {
        let (first, _) = self.store.ticks()?;
        let timeline = self.timelines.get(&self.now.revision)?;
        let mut wanted = self.wanted.iter().rev();
        let (of, (from, to)) = wanted.find_map(|of| Some((*of, timeline.gap(*of, first)?)))?;
        let begin = self.store.begin(to - 1)?;
        // What was before belongs to other documents.
        let is_same = begin.revision == self.now.revision;
        let from = from.max(begin.at + 1);
        is_same.then_some(())?;
        Some(Past {
            of,
            stretch: (from, to),
            now: Moment::begin(&begin)?,
            timeline: Timeline::beginning_with(from),
            played: Played::default(),
        })
    }

    /// Shows each population, and what its agents did in the last tick.
    pub fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        let stage = self.now.stage();
        let played = self.played();
        for id in stage.populations() {
            let Some(population) = stage.population(id) else {
                continue;
            };
            let traces = played.map_or(&[][..], |played| &played.traces);
            let trace = traces.iter().find(|(by, _)| *by == id);
            see(Seen {
                population,
                trace: trace.map(|(_, trace)| trace),
                number: &|agent| self.roster.number(id, agent),
            });
        }
    }

    /// What there is to see, for whoever looks at one agent.
    pub fn moment(&mut self, wish: &Wish) -> protocol::Moment {
        self.look_at(wish.mind);
        let nothing = Timeline::default();
        let timeline = self.timelines.get(&self.now.revision).unwrap_or(&nothing);
        let both = self.follower(wish.mind).zip(self.population(wish.mind));
        let agent = both.map(|(one, (_, population))| view_of(one, population, wish, timeline));
        let (stage, troupe) = (self.now.stage(), &self.now.troupe);
        protocol::Moment {
            agent: agent.unwrap_or_default(),
            agents: self.agents(),
            crowd: Some(crowd_of(stage, &self.roster, troupe, wish)),
            ..protocol::Moment::default()
        }
    }

    fn agents(&self) -> Vec<Listed> {
        let stage = self.now.stage();
        let all = self.roster.all().take(MOST_LISTED);
        all.map(|(nth, (id, agent))| {
            let population = stage.population(id);
            let behaviour = population.map(|population| population.program().behaviour());
            let does = behaviour.and_then(|behaviour| {
                let action = self.now.troupe.activity().action(id, behaviour, agent)?;
                Some(behaviour.label(action).to_owned())
            });
            let name = self.roster.name(stage, nth);
            Listed { name, does }
        })
        .collect()
    }

    /// What an agent runs, and the documents, as they were at this tick.
    pub fn definition(&self, mind: usize) -> Definition {
        let population = self.population(mind);
        let behaviour = population.map(|(_, one)| one.program().behaviour());
        let all = self.store.texts(self.now.revision);
        let (places, names) = places(behaviour, &all);
        Definition {
            behaviour: behaviour.map(definition),
            texts: texts(&all),
            places,
            names,
            ..Definition::default()
        }
    }
}

fn bytes_of(stage: &Stage) -> usize {
    let ids = stage.populations().into_iter();
    let all = ids.filter_map(|id| stage.population(id));
    all.map(|population| population.state_bytes() + population.working_bytes())
        .sum()
}
