//! The pages' end of the tapes.

use super::moment::{Moment, Noting, Past, Stages};
use super::shared::{Edit, Shared, Watched};
use crate::session::{Change, Chore, Course, Pace, Show};
use std::sync::Arc;
use std::time::Instant;
use treemind_core::tape::Played;
use treemind_core::{Behaviour, Population, PopulationId};
use treemind_replay::follow::{
    Agents as _, Follower, NOTED_TICKS, Roster, Seen, Timeline, value_for,
};
use treemind_replay::history::{Begin, KeyFrames, Next};
use treemind_replay::view::protocol::{self, Definition, Listed};
use treemind_replay::view::{Wish, crowd_of, definition, texts, view_of};

/// How many bytes the copies may take. Two are kept in any case.
const COPY_BYTES: usize = 64 << 20;
/// How many agents are followed because somebody has looked at them.
const LOOKED_AT: usize = 8;

/// One of the games that are shown.
struct Playing {
    watched: Arc<Watched>,
    now: Moment,
    copies: KeyFrames<Moment>,
    roster: Roster,
    timeline: Timeline,
    /// The version of the texts, and the segment's programs that pages have seen.
    seen: (u64, usize),
    played: Played,
    /// The tick that was played so that it is known what happened in it.
    noted: u64,
    bytes: Vec<u8>,
    /// Who was looked at, the last one last.
    wanted: Vec<usize>,
    /// The stretch before somebody looked that is being played again.
    past: Option<Past>,
}

impl Playing {
    /// The game at its last tick.
    fn open(watched: &Arc<Watched>) -> Option<Self> {
        let (last, begin) = {
            let track = watched.track();
            let (_, last) = track.ticks()?;
            (last, track.begin(last.saturating_sub(NOTED_TICKS))?)
        };
        let now = Moment::begin(&begin)?;
        let mut playing = Self {
            watched: Arc::clone(watched),
            copies: KeyFrames::new(now.tick, now.clone()),
            now,
            roster: Roster::default(),
            timeline: Timeline::default(),
            seen: (0, 0),
            played: Played::default(),
            noted: 0,
            bytes: Vec::new(),
            wanted: vec![0],
            past: None,
        };
        playing.seen = playing.versions();
        playing.roster.meet(&Stages(playing.now.playback.stage()));
        playing.skip(last.saturating_sub(NOTED_TICKS));
        while playing.now.tick < last && playing.step() {}
        Some(playing)
    }

    fn versions(&self) -> (u64, usize) {
        let track = self.watched.track();
        let begin = track.segment(self.now.place.segment);
        let programs = begin.map_or(0, |begin| Arc::as_ptr(&begin.programs) as usize);
        (track.version, programs)
    }

    /// Continues to a tick without noting what happens.
    fn skip(&mut self, tick: u64) {
        let begin = self.watched.track().begin(tick);
        if let Some(begin) = begin.filter(|begin| begin.at > self.now.tick) {
            self.enter(&begin);
        }
        while self.now.tick < tick && self.advance(false) {}
    }

    /// Continues with another segment.
    fn enter(&mut self, begin: &Begin) -> bool {
        let Some(next) = Moment::begin(begin) else {
            return false;
        };
        let old = self.now.programs();
        let troupe = std::mem::take(&mut self.now.troupe);
        self.now = next;
        // The agents continue, if they run the same programs.
        if old == self.now.programs() {
            self.now.troupe = troupe;
        } else {
            self.timeline.turn(self.now.tick);
            self.past = None;
        }
        true
    }

    /// Plays a tick; returns whether there was one.
    fn advance(&mut self, is_noted: bool) -> bool {
        let noting = is_noted.then_some(Noting {
            roster: &self.roster,
            wanted: &self.wanted,
            timeline: &mut self.timeline,
            played: &mut self.played,
        });
        match self.now.play(&self.watched, &mut self.bytes, noting) {
            Ok(()) => {}
            Err(Next::Tick | Next::Nothing) => return false,
            Err(Next::Segment) => {
                let begin = self.watched.track().segment(self.now.place.segment + 1);
                return begin.is_some_and(|begin| self.enter(&begin)) && self.advance(is_noted);
            }
            Err(Next::Gone) => {
                let begin = self.watched.track().begin(self.now.tick);
                let is_there = begin.is_some_and(|begin| self.enter(&begin));
                if is_there {
                    self.copies = KeyFrames::new(self.now.tick, self.now.clone());
                }
                return is_there && self.now.tick > 0;
            }
        }
        self.roster.meet(&Stages(self.now.playback.stage()));
        if is_noted {
            self.noted = self.now.tick;
        }
        true
    }

    /// Until a moment, plays again what happened before somebody looked at the agents that pages look at, so that their
    /// lanes are whole: the last gap first, and a piece of the tape at a time.
    fn catch_up(&mut self, until: Instant) -> Chore {
        if self.past.is_none() {
            self.past = self.next_past();
        }
        let Some(mut past) = self.past.take() else {
            return Chore::Idle;
        };
        while past.now.tick < past.stretch.1 {
            if Instant::now() > until {
                self.past = Some(past);
                return Chore::Busy;
            }
            let noting = Noting {
                roster: &self.roster,
                wanted: &self.wanted,
                timeline: &mut past.timeline,
                played: &mut past.played,
            };
            if past
                .now
                .play(&self.watched, &mut self.bytes, Some(noting))
                .is_err()
            {
                // It has been forgotten in the meantime.
                break;
            }
        }
        let has_keys = past.now.programs() == self.now.programs();
        self.timeline
            .fill(past.of, past.stretch, past.timeline, has_keys);
        Chore::Seen
    }

    /// The last stretch of which nothing is known of an agent that somebody looks at, as far as one piece of the tape has it.
    fn next_past(&self) -> Option<Past> {
        let track = self.watched.track();
        let (first, _) = track.ticks()?;
        let mut wanted = self.wanted.iter().rev();
        let (of, (from, to)) = wanted.find_map(|of| Some((*of, self.timeline.gap(*of, first)?)))?;
        let begin = track.begin(to - 1)?;
        drop(track);
        let from = from.max(begin.at + 1);
        Some(Past {
            of,
            stretch: (from, to),
            now: Moment::begin(&begin)?,
            timeline: Timeline::beginning_with(from),
            played: Played::default(),
        })
    }

    /// Plays a tick, and notes what happens.
    fn step(&mut self) -> bool {
        let is_there = self.advance(true);
        if is_there && self.copies.keep(self.now.tick, || self.now.clone()) {
            self.copies.limit(COPY_BYTES, self.bytes_of_agents());
        }
        is_there
    }

    fn bytes_of_agents(&self) -> usize {
        let stage = self.now.playback.stage();
        let ids = stage.populations().into_iter();
        let all = ids.filter_map(|id| stage.population(id));
        all.map(|population| population.state_bytes() + population.working_bytes())
            .sum()
    }

    /// Goes to what is kept nearest some ticks before this one, back or forward, so that marks are known.
    fn seek(&mut self, tick: u64) {
        let base = tick.saturating_sub(NOTED_TICKS);
        if tick < self.now.tick {
            self.go_back(tick);
        } else if self.now.tick < base {
            self.enter_near(base, self.now.tick);
        }
    }

    /// Goes back, also if it is at this tick, to play the last ticks before it again.
    fn go_back(&mut self, tick: u64) {
        self.enter_near(tick.saturating_sub(NOTED_TICKS), u64::MAX);
    }

    /// Goes to a tick without noting what happens, from what is kept nearest before it: a copy, or a whole state on the
    /// tape. Does nothing if playing on from the tick `now` is shorter.
    fn enter_near(&mut self, base: u64, now: u64) {
        let begin = self.watched.track().begin(base);
        let begin = begin.filter(|begin| now > base || begin.at > now);
        let copy = self.copies.nearest(now, base).cloned();
        let is_later = |begin: &Begin| copy.as_ref().is_none_or(|copy| copy.tick < begin.at);
        let next = match begin {
            Some(begin) if is_later(&begin) => Moment::begin(&begin),
            _ => copy,
        };
        let Some(next) = next else { return };
        let is_ahead = next.tick > self.now.tick;
        let old = std::mem::replace(&mut self.now, next);
        if is_ahead && old.programs() != self.now.programs() && self.now.tick > self.timeline.last()
        {
            // They run something else than what was noted last.
            self.timeline.turn(self.now.tick);
            self.past = None;
        }
        self.skip(base);
    }

    /// Looks at an agent, from some ticks ago on if nobody has looked at it.
    fn look_at(&mut self, nth: usize) {
        self.wanted.retain(|known| *known != nth);
        self.wanted.push(nth);
        if self.wanted.len() > LOOKED_AT {
            self.wanted.remove(0);
        }
        if self.now.troupe.mind(nth).is_none() && nth < self.roster.len() {
            let tick = self.now.tick;
            self.go_back(tick);
            while self.now.tick < tick && self.step() {}
        }
    }

    fn population(&self, nth: usize) -> Option<(PopulationId, &Population)> {
        let (id, _) = self.roster.place(nth)?;
        Some((id, self.now.playback.stage().population(id)?))
    }

    fn view(&mut self, wish: &Wish) -> protocol::Moment {
        self.look_at(wish.mind);
        let both = self
            .now
            .troupe
            .mind(wish.mind)
            .zip(self.population(wish.mind));
        let agent =
            both.map(|(mind, (_, population))| view_of(mind, population, wish, &self.timeline));
        let stage = Stages(self.now.playback.stage());
        protocol::Moment {
            agent: agent.unwrap_or_default(),
            agents: self.agents(),
            crowd: Some(crowd_of(&stage, &self.roster, &self.now.troupe, wish)),
            ..protocol::Moment::default()
        }
    }

    fn agents(&self) -> Vec<Listed> {
        let stage = Stages(self.now.playback.stage());
        let all = self.roster.all().take(MOST_LISTED);
        all.map(|(nth, (id, agent))| {
            let population = stage.population(id);
            let behaviour = population.map(|population| population.program().behaviour());
            let does = behaviour.and_then(|behaviour| {
                let action = self.now.troupe.activity().action(id, behaviour, agent)?;
                Some(behaviour.label(action).to_owned())
            });
            let name = self.roster.name(&stage, nth);
            Listed { name, does }
        })
        .collect()
    }
}

/// How many agents are listed in a view.
const MOST_LISTED: usize = 200;

/// The games that are attached, and the one that is shown.
pub(super) struct Live {
    shared: Arc<Shared>,
    open: usize,
    playing: Option<Playing>,
    pace: Pace,
}

impl Live {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            open: 0,
            playing: None,
            pace: Pace::Free,
        }
    }

    fn watched(&self) -> Option<Arc<Watched>> {
        self.shared.watched().get(self.open).cloned()
    }
}

impl Show for Live {
    fn files(&self) -> Vec<String> {
        let all = self.shared.watched();
        all.iter().map(|watched| watched.name.clone()).collect()
    }

    fn file(&self) -> String {
        self.watched().map_or(String::new(), |one| one.name.clone())
    }

    fn open(&mut self, file: &str) -> bool {
        let found = self.files().iter().position(|name| name == file);
        let is_other = found.is_some_and(|found| found != self.open);
        if let Some(found) = found.filter(|_| is_other) {
            (self.open, self.playing) = (found, None);
        }
        is_other
    }

    fn ticks_per_sec(&self) -> f64 {
        let secs = self.watched().map_or(0.05, |one| one.track().secs);
        if secs > 0.0 { 1.0 / secs } else { 20.0 }
    }

    fn course(&self) -> Course {
        let ticks = self.watched().and_then(|one| one.track().ticks());
        let Some((first, last)) = ticks else {
            return Course::default();
        };
        let tick = self.playing.as_ref().map_or(0, |playing| playing.now.tick);
        Course {
            tick: tick.max(first),
            first,
            last,
            end: None,
            plays: true,
            is_live: true,
        }
    }

    fn step(&mut self) -> bool {
        if let Some(playing) = &mut self.playing {
            return playing.step();
        }
        let watched = self.watched();
        self.playing = watched.and_then(|one| Playing::open(&one));
        self.playing.is_some()
    }

    fn hurry(&mut self, tick: u64) {
        match &mut self.playing {
            Some(playing) => playing.skip(tick),
            None => {
                self.step();
            }
        }
    }

    fn seek(&mut self, tick: u64) {
        if self.playing.is_none() {
            self.step();
        }
        if let Some(playing) = &mut self.playing {
            playing.seek(tick);
        }
    }

    fn catch_up(&mut self, until: Instant) -> Chore {
        let playing = self.playing.as_mut();
        playing.map_or(Chore::Idle, |playing| playing.catch_up(until))
    }

    fn minds(&self) -> usize {
        let playing = self.playing.as_ref();
        playing.map_or(1, |playing| playing.roster.len().max(1))
    }

    fn behaviour(&self, nth: usize) -> Option<&Behaviour> {
        let (_, population) = self.playing.as_ref()?.population(nth)?;
        Some(population.program().behaviour())
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        self.playing.as_ref()?.now.troupe.mind(nth)
    }

    fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        let Some(playing) = &self.playing else { return };
        let stage = playing.now.playback.stage();
        for id in stage.populations() {
            let Some(population) = stage.population(id) else {
                continue;
            };
            let traces = playing.played.traces.iter();
            let mut own = traces.filter(|(by, _)| *by == id && playing.noted == playing.now.tick);
            see(Seen {
                population,
                trace: own.next().map(|(_, trace)| trace),
                number: &|agent| playing.roster.number(id, agent),
            });
        }
    }

    fn look_around(&mut self) -> Option<Change> {
        // A game that is attached again takes the place of the one before.
        let watched = self.watched()?;
        let playing = self.playing.as_mut()?;
        if !Arc::ptr_eq(&playing.watched, &watched) {
            self.playing = Playing::open(&watched);
            return Some(changed("the game was attached again"));
        }
        let versions = playing.versions();
        if versions == playing.seen {
            return None;
        }
        playing.seen = versions;
        Some(changed("the game continues with other documents"))
    }

    fn is_controlled(&self) -> bool {
        self.shared.reins.are_held()
    }

    fn control(&mut self, pace: Pace, speed: f64) {
        let reins = &self.shared.reins;
        reins.set_speed(speed);
        if self.pace != pace {
            self.pace = pace;
            reins.let_go(pace == Pace::Free);
        }
        // Who waits has made all its ticks: they are on the tape.
        if pace == Pace::Shown && reins.has_waited() {
            let course = self.course();
            // Otherwise it asks again, and waits until its last tick has been shown.
            if course.tick >= course.last {
                reins.give_tick();
            }
        }
    }

    fn ask_for_tick(&mut self) {
        self.shared.reins.give_tick();
    }

    fn set(&mut self, mind: usize, key: &str, text: &str) -> Result<(), String> {
        let playing = self.playing.as_ref();
        let playing = playing.ok_or(NOT_YET)?;
        let place = playing.roster.place(mind).ok_or("there is no such agent")?;
        let (id, population) = playing.population(mind).ok_or("there is no such agent")?;
        let behaviour = population.program().behaviour();
        let id_of = behaviour.key_id(key);
        let key = id_of.ok_or_else(|| format!("there is no key `{key}`"))?;
        let value = value_for(behaviour, key, text)?;
        playing.watched.write(Edit {
            population: id,
            program: Arc::as_ptr(population.program()) as usize,
            agent: place.1,
            key,
            value,
        });
        Ok(())
    }

    fn definition(&self, mind: usize) -> Definition {
        let Some(playing) = &self.playing else {
            return Definition {
                refusal: Some(NOT_YET.to_owned()),
                ..Definition::default()
            };
        };
        let population = playing.population(mind);
        let behaviour = population.map(|(_, one)| one.program().behaviour());
        let all = &playing.watched.track().texts;
        let (places, names) = treemind_replay::view::places(behaviour, all);
        Definition {
            behaviour: behaviour.map(definition),
            texts: texts(all),
            refusal: behaviour.is_none().then(|| NOT_YET.to_owned()),
            places,
            names,
            ..Definition::default()
        }
    }

    fn view(&mut self, wish: &Wish) -> protocol::Moment {
        match &mut self.playing {
            Some(playing) => playing.view(wish),
            None => protocol::Moment::default(),
        }
    }
}

const NOT_YET: &str = "the game has not ticked yet";

fn changed(line: &str) -> Change {
    Change {
        is_done: true,
        lines: vec![line.to_owned()],
    }
}
