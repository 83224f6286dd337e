//! The pages' end of the tapes.

use super::shared::{Edit, HeldKey, Shared, Watched};
use crate::session::{Change, Course, Files, Pace, Show};
use std::sync::Arc;
use std::time::Instant;
use treemind_core::Behaviour;
use treemind_replay::follow::{Follower, Hold, Seen, value_for};
use treemind_replay::history::{Chore, History, ReplayError, Store as _};
use treemind_replay::view::Wish;
use treemind_replay::view::protocol::{Definition, Held, Moment};

const NOT_YET: &str = "the game has not ticked yet";

/// A game that is shown.
struct Playing {
    history: History<Arc<Watched>>,
    /// The last revision of the documents that pages have heard of.
    revision: u64,
    /// What kept a tick from being played, if pages have not heard of it.
    problem: Option<String>,
}

impl Playing {
    fn open(watched: &Arc<Watched>) -> Option<Self> {
        Some(Self {
            history: History::at_end(Arc::clone(watched)).ok()?,
            revision: watched.track().revision(),
            problem: None,
        })
    }

    /// What came of playing; pages hear of it if something was in the way.
    fn done<T: Default>(&mut self, done: Result<T, ReplayError>) -> T {
        done.unwrap_or_else(|error| {
            self.problem = Some(error.to_string());
            T::default()
        })
    }
}

/// The games that are attached.
pub(super) struct Games {
    shared: Arc<Shared>,
    pace: Pace,
}

impl Games {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let pace = Pace::Free;
        Self { shared, pace }
    }
}

impl Files for Games {
    type Show = Live;

    fn names(&self) -> Vec<String> {
        let all = self.shared.watched();
        all.iter().map(|watched| watched.name.clone()).collect()
    }

    fn open(&mut self, name: &str) -> Live {
        Live {
            shared: Arc::clone(&self.shared),
            name: name.to_owned(),
            playing: None,
        }
    }

    fn is_controlled(&self) -> bool {
        self.shared.reins.are_held()
    }

    fn control(&mut self, pace: Pace, speed: f64, is_shown: bool) {
        let reins = &self.shared.reins;
        reins.set_speed(speed);
        if self.pace != pace {
            self.pace = pace;
            reins.let_go(pace == Pace::Free);
        }
        // Who waits has made all its ticks: they are on the tape. Otherwise it asks again, and waits until its last tick has
        // been shown.
        if pace == Pace::Shown && reins.has_waited() && is_shown {
            reins.give_tick();
        }
    }

    fn ask_for_tick(&mut self) {
        self.shared.reins.give_tick();
    }
}

/// One of these games.
pub(super) struct Live {
    shared: Arc<Shared>,
    /// Its name; an empty one stands for the first game, whichever that will be.
    name: String,
    playing: Option<Playing>,
}

impl Live {
    fn watched(&self) -> Option<Arc<Watched>> {
        let all = self.shared.watched();
        let mut found = all.iter();
        let found = found.find(|one| self.name.is_empty() || one.name == self.name);
        found.cloned()
    }

    fn history(&self) -> Option<&History<Arc<Watched>>> {
        self.playing.as_ref().map(|playing| &playing.history)
    }
}

impl Show for Live {
    fn file(&self) -> String {
        self.watched().map_or(String::new(), |one| one.name.clone())
    }

    fn ticks_per_sec(&self) -> f64 {
        let secs = self.watched().map_or(0.05, |one| one.track().secs);
        if secs > 0.0 { 1.0 / secs } else { 20.0 }
    }

    fn course(&self) -> Course {
        let ticks = self.watched().and_then(|one| one.ticks());
        let Some((first, last)) = ticks else {
            return Course::default();
        };
        let tick = self.history().map_or(0, History::tick);
        Course {
            tick: tick.max(first),
            first,
            last,
            end: None,
            plays: true,
            is_live: true,
        }
    }

    fn revision(&self) -> u64 {
        self.history().map_or(0, History::revision)
    }

    fn step(&mut self) -> bool {
        if let Some(playing) = &mut self.playing {
            let done = playing.history.step();
            return playing.done(done);
        }
        let watched = self.watched();
        self.playing = watched.and_then(|one| Playing::open(&one));
        self.playing.is_some()
    }

    fn seek(&mut self, tick: u64) {
        if self.playing.is_none() {
            self.step();
        }
        if let Some(playing) = &mut self.playing {
            let done = playing.history.seek(tick);
            playing.done(done);
        }
    }

    fn catch_up(&mut self, until: Instant) -> Chore {
        let playing = self.playing.as_mut();
        playing.map_or(Chore::Idle, |playing| {
            playing.history.catch_up(|| Instant::now() <= until)
        })
    }

    fn minds(&self) -> usize {
        self.history()
            .map_or(1, |history| history.roster().len().max(1))
    }

    fn behaviour(&self, nth: usize) -> Option<&Behaviour> {
        let (_, population) = self.history()?.population(nth)?;
        Some(population.program().behaviour())
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        self.history()?.follower(nth)
    }

    fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        if let Some(history) = self.history() {
            history.see(see);
        }
    }

    fn look_around(&mut self) -> Option<Change> {
        // A game that is attached again takes the place of the one before.
        let watched = self.watched()?;
        let playing = self.playing.as_mut()?;
        if !Arc::ptr_eq(playing.history.store(), &watched) {
            self.playing = Playing::open(&watched);
            return Some(changed("the game was attached again"));
        }
        if let Some(problem) = playing.problem.take() {
            return Some(changed(&problem));
        }
        let revision = watched.track().revision();
        if revision == playing.revision {
            return None;
        }
        playing.revision = revision;
        Some(changed("the game continues with other documents"))
    }

    fn set(&mut self, mind: usize, key: &str, text: &str) -> Result<(), String> {
        let history = self.history().ok_or(NOT_YET)?;
        let place = history.roster().place(mind);
        let place = place.ok_or("there is no such agent")?;
        let (id, population) = history.population(mind).ok_or("there is no such agent")?;
        let behaviour = population.program().behaviour();
        let id_of = behaviour.key_id(key);
        let key = id_of.ok_or_else(|| format!("there is no key `{key}`"))?;
        let value = value_for(behaviour, key, text)?;
        history.store().write(Edit {
            population: id,
            program: Arc::as_ptr(population.program()) as usize,
            agent: place.1,
            key,
            value,
        });
        Ok(())
    }

    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), String> {
        let history = self.history().ok_or(NOT_YET)?;
        let place = history.roster().place(mind);
        let place = place.ok_or("there is no such agent")?;
        let (_, population) = history.population(mind).ok_or("there is no such agent")?;
        let hold = text.map(|text| Hold::new(population.program(), key, text));
        history.store().hold(place, key, hold.transpose()?);
        Ok(())
    }

    fn held(&self) -> Vec<Held> {
        let Some(history) = self.history() else {
            return Vec::new();
        };
        let held = history.store().held();
        let number = |one: &HeldKey| history.roster().number(one.population, one.agent);
        let held = held
            .iter()
            .filter_map(|one| Some(one.hold.shown(number(one)?)));
        held.collect()
    }

    fn definition(&self, mind: usize) -> Definition {
        let mut definition = self
            .history()
            .map_or_else(Definition::default, |history| history.definition(mind));
        if definition.behaviour.is_none() {
            definition.refusal = Some(NOT_YET.to_owned());
        }
        definition
    }

    fn view(&mut self, wish: &Wish) -> Moment {
        let Some(playing) = &mut self.playing else {
            return Moment::default();
        };
        let moment = playing.history.moment(wish);
        playing.done(moment)
    }
}

fn changed(line: &str) -> Change {
    Change {
        is_done: true,
        lines: vec![line.to_owned()],
    }
}
