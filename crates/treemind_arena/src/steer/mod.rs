//! One actor steered from outside, turn by turn, while minds play all others: what a learner needs.
//!
//! A turn depends on the seed and the keys pressed only, so a game can be played again, to the bit.

mod facts;

pub use facts::{SQUARES, Square};

use crate::body::{Key, Vital};
use crate::ids::BodyId;
use crate::map::Scenario;
use crate::session::Session;
use crate::sweep::asked::{Asked, Asking};
use crate::sweep::{SweepError, behaviour_of};
use crate::world::{Rules, World};
use treemind::Document;
use treemind::blackboard::Value;
use treemind::population::Behaviour;

/// What a game is made of: texts, as people write them.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The name of the actor on the map that is steered. If it has a mind, this takes its place.
    pub steer: String,
    /// Numbers, by expressions over the [facts](facts()) about the one who is steered. None means all facts.
    pub observe: Vec<String>,
    /// What a turn is worth, by an expression over the facts.
    pub reward: String,
    /// What ends a game, beside the end of the scenario and the death of the one who is steered.
    pub until: Option<String>,
    /// How many ticks a turn has; at least 1.
    pub every: u32,
    /// After how many ticks a game is cut off.
    pub ticks: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            steer: "hero".to_owned(),
            observe: Vec::new(),
            reward: "(health - was_health) / 100.0 + coins - was_coins".to_owned(),
            until: None,
            every: 5,
            ticks: 2_400,
        }
    }
}

/// What came out of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// What it was worth.
    pub reward: f64,
    /// Whether the game has ended.
    pub is_over: bool,
    /// Whether the game was cut off, because it has taken as many ticks as it may.
    pub is_cut: bool,
}

/// A game in which one actor is steered.
pub struct Game {
    document: Document,
    main: Behaviour,
    scenario: Scenario,
    who: BodyId,
    names: Vec<String>,
    observe: Vec<Asking<'static>>,
    reward: Asking<'static>,
    until: Option<Asking<'static>>,
    every: u32,
    ticks: u64,
    session: Session,
    /// The facts now, then those of the turn before.
    values: Vec<Value>,
}

/// The names of the facts, and what each says. Expressions also have each fact as `was_NAME`: what it was before the
/// turn.
pub fn facts() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
    facts::FACTS.iter().map(|fact| (fact.name, fact.doc))
}

impl Game {
    /// A game of a document on a map, begun with seed 0. `main` is the tree, machine or decision tree of those whose
    /// mind is `main`; `None` is the document's own.
    ///
    /// # Errors
    /// When the document has errors, the text is not a map, nobody on it has the name, an expression makes no sense, or
    /// the map and the document do not fit together.
    pub fn new(
        document: Document,
        main: Option<&str>,
        map: &str,
        wanted: &Wanted,
    ) -> Result<Self, SweepError> {
        let scenario = Scenario::parse(map).map_err(|error| SweepError::Map(error.to_string()))?;
        let (scenario, who) = steered(scenario, &wanted.steer)?;
        let main = behaviour_of(&document, main)?;
        let known = facts::document();
        let names = facts::names();
        let number =
            |text: &str| Ok::<_, SweepError>(Asked::number(&known, text)?.asking_of(&names));
        let observe = match &wanted.observe[..] {
            [] => facts().map(|(name, _)| name.to_owned()).collect(),
            some => some.to_vec(),
        };
        let observe = observe
            .iter()
            .map(|text| number(text))
            .collect::<Result<_, _>>()?;
        let until = wanted.until.as_ref();
        let until = until
            .map(|text| Ok::<_, SweepError>(Asked::condition(&known, text)?.asking_of(&names)));
        let session = session(&main, &document, &scenario, 0)?;
        let mut game = Self {
            reward: number(&wanted.reward)?,
            until: until.transpose()?,
            observe,
            names,
            every: wanted.every.max(1),
            ticks: wanted.ticks,
            values: Vec::new(),
            session,
            document,
            main,
            scenario,
            who,
        };
        game.note();
        // Expressions with a fault, such as a division by zero, are found now if they have it at the beginning.
        game.observation()?;
        Ok(game)
    }

    /// Begins again.
    ///
    /// # Errors
    /// As [`new`](Self::new), which has found everything that can be wrong.
    pub fn begin(&mut self, seed: u64) -> Result<(), SweepError> {
        self.session = session(&self.main, &self.document, &self.scenario, seed)?;
        self.values.clear();
        self.note();
        Ok(())
    }

    /// Presses a key, or none, and plays a turn: some ticks, fewer if the game ends meanwhile.
    ///
    /// # Errors
    /// When an expression has a fault, or gives a number that is not finite, such as a division by zero.
    pub fn turn(&mut self, key: Option<Key>) -> Result<Turn, SweepError> {
        if let Some(key) = key {
            self.session.press_for(self.who, key);
        }
        for _ in 0..self.every {
            if self.is_done() || self.tick() >= self.ticks {
                break;
            }
            self.session.step();
            // Of those who are played by minds; nobody asks for them here.
            self.session.take_faults();
        }
        self.note();
        let is_over = match &mut self.until {
            Some(until) => until.ask_of(&self.values)? != 0.0,
            None => false,
        };
        Ok(Turn {
            reward: self.reward.ask_of(&self.values)?,
            is_over: is_over || self.is_done(),
            is_cut: self.tick() >= self.ticks,
        })
    }

    /// What the one who is steered knows now.
    ///
    /// # Errors
    /// As [`turn`](Self::turn).
    pub fn observation(&mut self) -> Result<Vec<f64>, SweepError> {
        let values = &self.values;
        let asked = self.observe.iter_mut();
        asked.map(|one| one.ask_of(values)).collect()
    }

    /// How many numbers an observation has.
    pub fn width(&self) -> usize {
        self.observe.len()
    }

    /// What is on each square of the map, row by row, all bodies included, whether they are seen or not.
    pub fn squares(&self) -> Vec<Square> {
        facts::squares(self.world(), self.who)
    }

    /// All facts with their values, as numbers.
    pub fn known(&self) -> Vec<(&str, f64)> {
        let count = facts::FACTS.len();
        let known = self.names.iter().zip(&self.values).take(count);
        known
            .map(|(name, value)| (name.as_str(), facts::number(*value)))
            .collect()
    }

    /// How many ticks the game has taken.
    pub fn tick(&self) -> u64 {
        self.world().tick()
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.session.world()
    }

    /// The one who is steered.
    pub fn who(&self) -> BodyId {
        self.who
    }

    fn is_done(&self) -> bool {
        let vital = self.world().body(self.who).vital();
        self.world().is_over() || matches!(vital, Vital::Dead | Vital::Gone)
    }

    /// Takes the facts, and keeps those of the turn before; at the beginning these are the same.
    fn note(&mut self) {
        let count = facts::FACTS.len();
        let now = facts::values(self.session.world(), self.who);
        let before: Vec<Value> = match self.values.get(..count) {
            Some(before) => before.to_vec(),
            None => now.clone(),
        };
        self.values = now;
        self.values.extend(before);
    }
}

/// The scenario with an actor that does what keys say, instead of what its mind, its route or the script would.
fn steered(mut scenario: Scenario, name: &str) -> Result<(Scenario, BodyId), SweepError> {
    let Some(nth) = scenario.actor(name) else {
        let names: Vec<&str> = scenario
            .actors
            .iter()
            .map(|(traits, _)| traits.name.as_str())
            .collect();
        let names = names.join(", ");
        return Err(SweepError::Steer(format!(
            "there is no actor `{name}` on the map to be steered; there are: {names}"
        )));
    };
    let traits = &mut scenario.actors[nth].0;
    (traits.mind, traits.is_steered) = (None, true);
    (traits.fights, traits.charges) = (false, false);
    Ok((scenario, BodyId(nth as u16)))
}

fn session(
    main: &Behaviour,
    document: &Document,
    scenario: &Scenario,
    seed: u64,
) -> Result<Session, SweepError> {
    let rules = Rules {
        seed,
        rounds: false,
    };
    let world = World::new(scenario.clone(), rules);
    Ok(Session::around_steered(main.clone(), document, world)?)
}

#[cfg(test)]
mod tests;
