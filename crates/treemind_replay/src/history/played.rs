//! A history that is played: forward, back, and to any tick.

mod past;

use super::{Begin, COPY_BYTES, KeyFrames, Playhead, ReplayError, Store};
use crate::follow::{
    Agents, FEW, Follower, Roster, Seen, Tick, Timeline, Tone, Troupe, memory_begin,
};
use crate::view::protocol::{self, Definition, Listed};
use crate::view::{Wish, crowd_of, definition, places, texts, view_of};
use std::collections::BTreeMap;
use std::time::Duration;
use treemind_core::tape::{Played, Stage};
use treemind_core::{NodeId, Population, PopulationId};
use treemind_explain::Words;

pub use past::Chore;
use past::Past;

/// How many agents are followed because somebody has looked at them.
const LOOKED_AT: usize = 8;
/// For how many revisions of the documents lanes are kept.
const MOST_TIMELINES: usize = 4;
/// How many agents are listed in a view.
const MOST_LISTED: usize = 200;

impl Agents for Stage {
    fn populations(&self) -> Vec<PopulationId> {
        self.populations()
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        self.population(id)
    }

    fn name(&self, id: PopulationId) -> String {
        self.name(id).to_owned()
    }
}

/// Agents of which a single population has a name of its own.
struct Named<'a> {
    stage: &'a Stage,
    name: Option<&'a str>,
    is_of_test: bool,
}

impl Agents for Named<'_> {
    fn populations(&self) -> Vec<PopulationId> {
        self.stage.populations()
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        self.stage.population(id)
    }

    fn name(&self, id: PopulationId) -> String {
        // The populations of a society have names of their own.
        let alone = self.name.filter(|_| self.stage.populations().len() == 1);
        alone.unwrap_or_else(|| self.stage.name(id)).to_owned()
    }

    fn are_tested(&self) -> bool {
        self.is_of_test
    }
}

/// A tick of a history: the agents as they were after it, and those who are followed.
#[derive(Clone)]
struct Moment {
    head: Playhead,
    troupe: Troupe,
}

/// Where it is noted what happens in a tick.
struct Noting<'a> {
    roster: &'a mut Roster,
    wanted: &'a [usize],
    name: Option<&'a str>,
    is_of_test: bool,
    timeline: Option<&'a mut Timeline>,
    played: &'a mut Played,
}

impl Moment {
    fn begin(begin: &Begin) -> Result<Self, ReplayError> {
        Ok(Self {
            head: Playhead::open(begin)?,
            troupe: Troupe::default(),
        })
    }

    fn tick(&self) -> u64 {
        self.head.tick()
    }

    fn stage(&self) -> &Stage {
        self.head.stage()
    }

    /// Continues with the segments that begin here; returns whether a tick follows.
    fn enter(&mut self, store: &impl Store) -> Result<bool, ReplayError> {
        // The agents continue, if they run the same programs.
        if self.head.enter(store)? {
            self.troupe.recast();
        }
        Ok(self.head.has_next())
    }

    /// Plays the tick that follows. Without `noting`, nobody is followed any more.
    fn play(&mut self, noting: Option<Noting<'_>>) -> Result<(), ReplayError> {
        let Some(noting) = noting else {
            self.troupe.recast();
            return self.head.play(None);
        };
        let agents = Named {
            stage: self.head.stage(),
            name: noting.name,
            is_of_test: noting.is_of_test,
        };
        self.troupe
            .before_tick(&agents, noting.roster, noting.wanted);
        noting.played.chosen = Some(self.troupe.chosen(noting.roster));
        self.head.play(Some(&mut *noting.played))?;
        let agents = Named {
            stage: self.head.stage(),
            name: noting.name,
            is_of_test: noting.is_of_test,
        };
        noting.roster.meet(&agents);
        let number = self.head.tick();
        let tick = Tick {
            number,
            traces: &noting.played.traces,
            messages: &noting.played.messages,
        };
        self.troupe.after_tick(&agents, noting.roster, tick);
        if let Some(timeline) = noting.timeline {
            self.troupe.note(&agents, noting.roster, number, timeline);
        }
        Ok(())
    }
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
    /// Who was looked at, the last one last; before them those who are followed in any case.
    wanted: Vec<usize>,
    /// How many of these there are.
    closely: usize,
    /// Whether what agents did is kept for a page.
    has_timelines: bool,
    /// What the agents are called, if they are a single population.
    name: Option<String>,
    /// Whether a test of a document played it, and no game.
    is_of_test: bool,
    /// The stretch before somebody looked that is being played again.
    past: Option<Past>,
}

impl<S: Store> History<S> {
    /// A history at its last tick.
    ///
    /// # Errors
    /// When there is none so far, or it cannot be played.
    pub fn at_end(store: S) -> Result<Self, ReplayError> {
        let last = store.ticks().map_or(0, |(_, last)| last);
        let mut history = Self::at_begin(store)?;
        history.go_to(last)?;
        Ok(history)
    }

    /// A history at its first tick.
    ///
    /// # Errors
    /// When there is none so far, or it cannot be played.
    pub fn at_begin(store: S) -> Result<Self, ReplayError> {
        let first = store.ticks().map_or(0, |(first, _)| first);
        let begin = store.begin(first)?.ok_or(ReplayError::NoTick(first))?;
        let now = Moment::begin(&begin)?;
        let mut history = Self {
            copies: KeyFrames::new(now.tick(), now.clone()),
            store,
            now,
            roster: Roster::default(),
            timelines: BTreeMap::new(),
            played: Played::default(),
            noted: 0,
            wanted: vec![0],
            closely: 0,
            has_timelines: true,
            name: None,
            is_of_test: false,
            past: None,
        };
        history.roster.meet(history.now.stage());
        Ok(history)
    }

    /// The same, of agents with this name, unless they are several populations.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// The same, of what a test of a document played: reasons tell as its doing what would be the game's.
    #[must_use]
    pub fn of_test(mut self) -> Self {
        self.is_of_test = true;
        self
    }

    /// The same, for whoever draws no timeline: none is kept.
    #[must_use]
    pub fn without_timelines(mut self) -> Self {
        self.has_timelines = false;
        self
    }

    /// The same, and the first so many agents are followed in any case, also among many.
    #[must_use]
    pub fn following(mut self, first: usize) -> Self {
        self.closely = first;
        self.wanted = (0..first).collect();
        self
    }

    /// Where the tape is kept.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The same, to read what another program has written since.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// The tick that is shown.
    pub fn tick(&self) -> u64 {
        self.now.tick()
    }

    /// The time of the game after that tick.
    pub fn time(&self) -> Duration {
        self.now.head.now()
    }

    /// The length of that tick; zero before the first.
    pub fn dt(&self) -> Duration {
        self.now.head.dt()
    }

    /// Which documents the agents run then.
    pub fn revision(&self) -> u64 {
        self.now.head.revision()
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
        (self.noted == self.tick()).then_some(&self.played)
    }

    /// An agent that is followed.
    pub fn follower(&self, nth: usize) -> Option<&Follower> {
        self.now.troupe.mind(nth)
    }

    /// What happened in the last tick to those who are followed, by their numbers: how they changed, and what they said.
    pub fn told(&self) -> impl Iterator<Item = (usize, Tone, &Words)> {
        self.now.troupe.told()
    }

    /// What an agent is called.
    pub fn name(&self, nth: usize) -> String {
        let agents = Named {
            stage: self.stage(),
            name: self.name.as_deref(),
            is_of_test: self.is_of_test,
        };
        self.roster.name(&agents, nth)
    }

    /// The action that an agent runs, whether or not it is followed.
    pub fn action(&self, nth: usize) -> Option<NodeId> {
        let (id, population) = self.population(nth)?;
        let (_, agent) = self.roster.place(nth)?;
        let behaviour = population.program().behaviour();
        self.now.troupe.activity().action(id, behaviour, agent)
    }

    /// The population of an agent.
    pub fn population(&self, nth: usize) -> Option<(PopulationId, &Population)> {
        let (id, _) = self.roster.place(nth)?;
        Some((id, self.stage().population(id)?))
    }

    /// Plays a tick; returns whether there was one.
    fn advance(&mut self, is_noted: bool) -> Result<bool, ReplayError> {
        let is_there = match self.now.enter(&self.store) {
            Err(ReplayError::NoTick(_)) => self.pass_over()? && self.now.enter(&self.store)?,
            is_there => is_there?,
        };
        if !is_there {
            return Ok(false);
        }
        let timelines = &mut self.timelines;
        let timeline = self
            .has_timelines
            .then(|| timelines.entry(self.now.head.revision()).or_default());
        let noting = is_noted.then_some(Noting {
            roster: &mut self.roster,
            wanted: &self.wanted,
            name: self.name.as_deref(),
            is_of_test: self.is_of_test,
            timeline,
            played: &mut self.played,
        });
        self.now.play(noting)?;
        self.roster.meet(self.now.stage());
        if is_noted {
            self.noted = self.now.tick();
            self.forget_lanes();
        }
        Ok(true)
    }

    /// Forgets the lanes of documents that others replaced long ago: they are filled in again when somebody looks.
    fn forget_lanes(&mut self) {
        let now = self.now.head.revision();
        let mut revisions = self.timelines.keys().filter(|revision| **revision != now);
        if self.timelines.len() > MOST_TIMELINES
            && let Some(oldest) = revisions.next().copied()
        {
            self.timelines.remove(&oldest);
        }
    }

    /// Passes over what was forgotten or lost, which goes only forward; returns whether something follows.
    fn pass_over(&mut self) -> Result<bool, ReplayError> {
        let tick = self.now.tick();
        let begin = self.store.begin(tick)?;
        let Some(begin) = begin.filter(|begin| begin.at > tick) else {
            return Ok(false);
        };
        self.now = Moment::begin(&begin)?;
        self.copies = KeyFrames::new(begin.at, self.now.clone());
        self.timelines
            .retain(|revision, _| *revision >= begin.revision);
        Ok(true)
    }

    /// Plays a tick, and notes what happens; returns whether there was one.
    ///
    /// # Errors
    /// When it cannot be played.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        let is_there = self.advance(true)?;
        if is_there {
            let now = &self.now;
            self.copies.keep_within(COPY_BYTES, now.tick(), || {
                (now.clone(), bytes_of(now.stage()) + now.troupe.bytes())
            });
        }
        Ok(is_there)
    }

    /// Goes to a tick, forward or back, as far as there are ticks.
    ///
    /// # Errors
    /// When a tick on the way cannot be played.
    pub fn go_to(&mut self, tick: u64) -> Result<(), ReplayError> {
        self.seek(tick)?;
        while self.tick() < tick && self.step()? {}
        Ok(())
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
        let is_at_first = moment.tick() <= first.max(self.followed_from(tick));
        is_at_first
            || wanted.into_iter().all(|nth| {
                let follower = moment.troupe.mind(*nth);
                follower.is_some_and(|one| one.knows_enough_for(tick, first))
            })
    }

    /// Goes to where playing on leads to a tick soonest with everything known of it: the tick that is shown, a key frame, or
    /// a whole state some ticks before. Forward or back; [`step`](Self::step) leads on from there.
    ///
    /// # Errors
    /// When a tick on the way cannot be played.
    pub fn seek(&mut self, tick: u64) -> Result<(), ReplayError> {
        let is_on_the_way = self.tick() <= tick && self.knows(&self.now, tick);
        self.set_out(tick, is_on_the_way.then_some(self.tick()))
    }

    /// Goes to where a tick is reached soonest; `here` is the tick that is shown, if that is on the way.
    fn set_out(&mut self, tick: u64, here: Option<u64>) -> Result<(), ReplayError> {
        let base = self.followed_from(tick);
        let begin = self.store.begin(base)?;
        let unfollowed = self.copies.before(base).map(Moment::tick);
        let begun = begin.as_ref().map(|begin| begin.at);
        let copy = self.copies.before(tick);
        let copy = copy.filter(|copy| self.knows(copy, tick));
        let copied = copy.map(Moment::tick);
        if here.is_some() && here >= unfollowed.max(begun).max(copied) {
            return Ok(());
        }
        if copied.is_some() && copied >= unfollowed.max(begun) {
            if let Some(copy) = copy.cloned() {
                self.now = copy;
            }
            return Ok(());
        }
        let next = match unfollowed >= begun {
            true => self.copies.before(base).cloned(),
            false => begin.as_ref().map(Moment::begin).transpose()?,
        };
        let Some(next) = next else { return Ok(()) };
        self.now = next;
        self.now.troupe.recast();
        while self.tick() < base && self.advance(false)? {}
        Ok(())
    }

    /// Looks at an agent. If nobody has looked at it, the ticks before are played again.
    ///
    /// # Errors
    /// When one of these ticks cannot be played.
    pub fn look_at(&mut self, nth: usize) -> Result<(), ReplayError> {
        if nth >= self.closely {
            self.wanted.retain(|known| *known != nth);
            self.wanted.push(nth);
            if self.wanted.len() > self.closely + LOOKED_AT {
                self.wanted.remove(self.closely);
            }
        }
        if self.now.troupe.mind(nth).is_none() && nth < self.roster.len() {
            let tick = self.tick();
            self.set_out(tick, None)?;
            while self.tick() < tick && self.step()? {}
        }
        Ok(())
    }

    /// Shows each population, and what its agents did in the last tick.
    pub fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        let stage = self.now.stage();
        let played = self.played();
        for id in stage.populations() {
            let Some(population) = stage.population(id) else {
                continue;
            };
            see(Seen {
                population,
                trace: played.and_then(|played| played.trace(id)),
                number: &|agent| self.roster.number(id, agent),
            });
        }
    }

    /// What there is to see, for whoever looks at one agent.
    ///
    /// # Errors
    /// As [`look_at`](Self::look_at).
    pub fn moment(&mut self, wish: &Wish) -> Result<protocol::Moment, ReplayError> {
        self.look_at(wish.mind)?;
        let nothing = Timeline::default();
        let timeline = self.timelines.get(&self.revision()).unwrap_or(&nothing);
        let both = self.follower(wish.mind).zip(self.population(wish.mind));
        let agent = both.map(|(one, (_, population))| view_of(one, population, wish, timeline));
        let (stage, troupe) = (self.now.stage(), &self.now.troupe);
        Ok(protocol::Moment {
            agent: agent.unwrap_or_default(),
            agents: self.agents(),
            crowd: Some(crowd_of(
                stage,
                (&self.roster, troupe),
                wish,
                Some(self.tick()),
            )),
            ..protocol::Moment::default()
        })
    }

    fn agents(&self) -> Vec<Listed> {
        let all = 0..self.roster.len().min(MOST_LISTED);
        all.map(|nth| {
            let does = self.action(nth).zip(self.population(nth));
            let does = does.map(|(action, (_, population))| {
                let behaviour = population.program().behaviour();
                behaviour.label(action).to_owned()
            });
            let name = self.name(nth);
            Listed { name, does }
        })
        .collect()
    }

    /// What an agent runs, and the documents, as they were at this tick.
    pub fn definition(&self, mind: usize) -> Definition {
        let population = self.population(mind);
        let behaviour = population.map(|(_, one)| one.program().behaviour());
        let all = self.store.texts(self.revision());
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
