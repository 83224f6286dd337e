//! The pages' end of the tapes.

use super::shared::{Given, HeldKey, Shared, Watched};
use crate::session::{Change, Course, Files, Pace, Replay, Show, no_agent};
use std::sync::Arc;
use std::time::Instant;
use treemind_core::Behaviour;
use treemind_doc::{Said, said};
use treemind_replay::follow::{Follower, Hold, Seen, Typed};
use treemind_replay::history::{Chore, History, Store as _};
use treemind_replay::view::Wish;
use treemind_replay::view::protocol::{Definition, Held, Moment};

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
    fn names(&self) -> Vec<String> {
        let all = self.shared.watched();
        all.iter().map(|watched| watched.name.clone()).collect()
    }

    fn open(&mut self, name: &str) -> Box<dyn Show> {
        Box::new(Live {
            shared: Arc::clone(&self.shared),
            name: name.to_owned(),
            replay: None,
            revision: 0,
        })
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
    /// What is shown of it, if it has ticked.
    replay: Option<Replay<Arc<Watched>>>,
    /// The last revision of the documents that pages have heard of.
    revision: u64,
}

impl Live {
    fn watched(&self) -> Option<Arc<Watched>> {
        let all = self.shared.watched();
        let mut found = all.iter();
        let found = found.find(|one| self.name.is_empty() || one.name == self.name);
        found.cloned()
    }

    fn history(&self) -> Option<&History<Arc<Watched>>> {
        self.replay.as_ref().map(Replay::history)
    }

    /// Begins to show it.
    fn begin(&mut self, watched: &Arc<Watched>) {
        let history = History::at_end(Arc::clone(watched));
        self.replay = history.ok().map(|history| Replay::new(&self.name, history));
        self.revision = watched.track().revision();
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
        if let Some(replay) = &mut self.replay {
            return replay.step();
        }
        if let Some(watched) = self.watched() {
            self.begin(&watched);
        }
        self.replay.is_some()
    }

    fn seek(&mut self, tick: u64) {
        if self.replay.is_none() {
            self.step();
        }
        if let Some(replay) = &mut self.replay {
            replay.seek(tick);
        }
    }

    fn catch_up(&mut self, until: Instant) -> Chore {
        let replay = self.replay.as_mut();
        replay.map_or(Chore::Idle, |replay| replay.catch_up(until))
    }

    fn minds(&self) -> usize {
        self.replay.as_ref().map_or(1, Show::minds)
    }

    fn behaviour(&self, nth: usize) -> Option<&Behaviour> {
        self.replay.as_ref()?.behaviour(nth)
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        self.replay.as_ref()?.mind(nth)
    }

    fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        if let Some(replay) = &self.replay {
            replay.see(see);
        }
    }

    fn look_around(&mut self) -> Option<Change> {
        // A game that is attached again takes the place of the one before.
        let watched = self.watched()?;
        let replay = self.replay.as_mut()?;
        if !Arc::ptr_eq(replay.history().store(), &watched) {
            self.begin(&watched);
            return Some(Change::done(said!("the game was attached again")));
        }
        if let Some(problem) = replay.look_around() {
            return Some(problem);
        }
        let revision = watched.track().revision();
        if revision == self.revision {
            return None;
        }
        self.revision = revision;
        Some(Change::done(said!(
            "the game continues with other documents"
        )))
    }

    fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        let history = self.history().ok_or_else(not_yet)?;
        let place = history.roster().place(mind);
        let place = place.ok_or_else(no_agent)?;
        let (id, population) = history.population(mind).ok_or_else(no_agent)?;
        history.store().give(Given {
            population: id,
            program: Arc::as_ptr(population.program()) as usize,
            agent: place.1,
            input: typed.read(population.program())?,
        });
        Ok(())
    }

    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        let history = self.history().ok_or_else(not_yet)?;
        let place = history.roster().place(mind);
        let place = place.ok_or_else(no_agent)?;
        let (_, population) = history.population(mind).ok_or_else(no_agent)?;
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
        let replay = self.replay.as_ref();
        let mut definition = replay.map_or_else(Definition::default, |one| one.definition(mind));
        if definition.behaviour.is_none() {
            definition.refusal = Some(not_yet());
        }
        definition
    }

    fn view(&mut self, wish: &Wish) -> Moment {
        let replay = self.replay.as_mut();
        replay.map_or_else(Moment::default, |replay| replay.view(wish))
    }
}

fn not_yet() -> Said {
    said!("the game has not ticked yet")
}
