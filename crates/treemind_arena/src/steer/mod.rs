//! Actors steered from outside, turn by turn, while minds play all others: what learners need.
//!
//! A turn depends on the seed and the keys pressed only, so a game can be played again, to the bit.

mod facts;
mod minds;

pub use facts::{SQUARES, Square};
pub(crate) use minds::Known;

use crate::body::{Key, Vital};
use crate::ids::BodyId;
use crate::map::{Scenario, Sight};
use crate::session::Session;
use crate::sweep::asked::{Asked, Asking};
use crate::sweep::{SweepError, behaviour_of};
use crate::world::{Rules, World};
use minds::Minds;
use std::sync::Arc;
use treemind::Document;
use treemind::population::Behaviour;

/// What a game is made of: texts, as people write them.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The name of the actor on the map that is steered. If it has a mind, this takes its place, unless the map marks it as
    /// `steered`: then its mind is told which keys are pressed.
    pub steer: String,
    /// The names of others who are steered, too. All that is asked is asked of each of them.
    pub others: Vec<String>,
    /// Numbers, by expressions over the [facts](facts()) about the one who is steered, and over keys of minds: `guard.alarm`
    /// is a key of the guard's mind, `me.ammo` one of the mind of the one who is steered. None means all facts.
    pub observe: Vec<String>,
    /// What a turn is worth, by such an expression.
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
            others: Vec::new(),
            observe: Vec::new(),
            reward: "(health - was_health) / 100.0 + coins - was_coins".to_owned(),
            until: None,
            every: 5,
            ticks: 2_400,
        }
    }
}

impl Wanted {
    /// What a map [says](crate::SteerPart), and the usual where it says nothing.
    pub fn of(scenario: &Scenario) -> Self {
        let usual = Self::default();
        let said = &scenario.steer;
        let mut who = said.who.iter().cloned();
        Self {
            steer: who.next().unwrap_or(usual.steer),
            others: who.collect(),
            observe: said.observe.clone(),
            reward: said.reward.clone().unwrap_or(usual.reward),
            until: said.until.clone(),
            every: said.every.unwrap_or(usual.every),
            ticks: said.ticks.unwrap_or(usual.ticks),
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

/// A game in which one actor is steered, or several. A clone continues exactly as the original does.
#[derive(Clone)]
pub struct Game {
    document: Arc<Document>,
    main: Behaviour,
    scenario: Arc<Scenario>,
    minds: Minds,
    observe: Vec<Asking<'static>>,
    reward: Asking<'static>,
    until: Option<Asking<'static>>,
    every: u32,
    ticks: u64,
    session: Session,
    /// Those who are steered; at least one.
    players: Vec<Player>,
}

/// One who is steered.
#[derive(Clone)]
struct Player {
    who: BodyId,
    /// The facts and the keys of minds now, then those of the turn before.
    values: Vec<Known>,
}

/// The names of the facts, and what each says. Expressions also have each fact as `was_NAME`: what it was before the
/// turn. A key of a mind is `guard.was_alarm` then.
pub fn facts() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
    facts::FACTS.iter().map(|fact| (fact.name, fact.doc))
}

impl Game {
    /// A game of a document on a map, begun with seed 0. `main` is the tree, machine or decision tree of those whose
    /// mind is `main`; `None` is the document's own.
    ///
    /// # Errors
    /// When the document has errors, the text is not a map, nobody on it has the name, somebody is named twice, an
    /// expression makes no sense, or the map and the document do not fit together.
    pub fn new(
        document: Document,
        main: Option<&str>,
        map: &str,
        wanted: &Wanted,
    ) -> Result<Self, SweepError> {
        let scenario = Scenario::parse(map).map_err(|error| SweepError::Map(error.to_string()))?;
        let names = std::iter::once(&wanted.steer).chain(&wanted.others);
        let (scenario, players) = steered(scenario, names)?;
        let main = behaviour_of(&document, main)?;
        let session = session(&main, &document, &scenario, 0)?;
        let who: Vec<BodyId> = players.iter().map(|player| player.who).collect();
        let observe = match &wanted.observe[..] {
            [] => facts().map(|(name, _)| name.to_owned()).collect(),
            some => some.to_vec(),
        };
        let mut minds = Minds::default();
        let mut taken = |text: &String| {
            let plain = minds.take(text, (&scenario, &session), &who)?;
            Ok::<_, SweepError>((text.clone(), plain))
        };
        let observe: Vec<(String, String)> =
            observe.iter().map(&mut taken).collect::<Result<_, _>>()?;
        let reward = taken(&wanted.reward)?;
        let until = wanted.until.as_ref().map(&mut taken).transpose()?;
        let asker = Asker::new(&minds);
        let mut game = Self {
            observe: observe
                .iter()
                .map(|text| asker.number(text))
                .collect::<Result<_, _>>()?,
            reward: asker.number(&reward)?,
            until: until.map(|text| asker.condition(&text)).transpose()?,
            minds,
            every: wanted.every.max(1),
            ticks: wanted.ticks,
            session,
            document: Arc::new(document),
            main,
            scenario: Arc::new(scenario),
            players,
        };
        game.note();
        // Expressions with a fault, such as a division by zero, are found now if they have it at the beginning.
        for player in 0..game.players() {
            game.observation_of(player)?;
        }
        Ok(game)
    }

    /// Begins again.
    ///
    /// # Errors
    /// As [`new`](Self::new), which has found everything that can be wrong.
    pub fn begin(&mut self, seed: u64) -> Result<(), SweepError> {
        self.session = session(&self.main, &self.document, &self.scenario, seed)?;
        for player in &mut self.players {
            player.values.clear();
        }
        self.note();
        Ok(())
    }

    /// Presses a key, or none, and plays a turn: some ticks, fewer if the game ends meanwhile.
    ///
    /// # Errors
    /// When an expression has a fault, or gives a number that is not finite, such as a division by zero.
    pub fn turn(&mut self, key: Option<Key>) -> Result<Turn, SweepError> {
        self.play(&[key])?;
        self.turn_of(0)
    }

    /// Presses a key, or none, for each of those who are steered, and plays a turn: what came out of it for each. It is
    /// shorter only if the game has ended for all of them.
    ///
    /// # Errors
    /// As [`turn`](Self::turn).
    pub fn turn_all(&mut self, keys: &[Option<Key>]) -> Result<Vec<Turn>, SweepError> {
        self.play(keys)?;
        (0..self.players())
            .map(|player| self.turn_of(player))
            .collect()
    }

    fn play(&mut self, keys: &[Option<Key>]) -> Result<(), SweepError> {
        for (player, key) in self.players.iter().zip(keys) {
            if let Some(key) = key {
                self.session.press_for(player.who, *key);
            }
        }
        for _ in 0..self.every {
            if self.players.iter().all(|one| self.is_done(one)) || self.tick() >= self.ticks {
                break;
            }
            self.session.step();
            // Of those who are played by minds; nobody asks for them here.
            self.session.take_faults();
        }
        self.note();
        Ok(())
    }

    fn turn_of(&mut self, player: usize) -> Result<Turn, SweepError> {
        let values = &self.players[player].values;
        let is_over = match &mut self.until {
            Some(until) => until.ask_of(values)? != 0.0,
            None => false,
        };
        Ok(Turn {
            reward: self.reward.ask_of(values)?,
            is_over: is_over || self.is_done(&self.players[player]),
            is_cut: self.tick() >= self.ticks,
        })
    }

    /// How many are steered.
    pub fn players(&self) -> usize {
        self.players.len()
    }

    /// What the one who is steered knows now; of several the first.
    ///
    /// # Errors
    /// As [`turn`](Self::turn).
    pub fn observation(&mut self) -> Result<Vec<f64>, SweepError> {
        self.observation_of(0)
    }

    /// What one of those who are steered knows now.
    ///
    /// # Errors
    /// As [`turn`](Self::turn).
    ///
    /// # Panics
    /// When there are not so many. So do the other methods that take a player.
    pub fn observation_of(&mut self, player: usize) -> Result<Vec<f64>, SweepError> {
        let values = &self.players[player].values;
        let asked = self.observe.iter_mut();
        asked.map(|one| one.ask_of(values)).collect()
    }

    /// How many numbers an observation has.
    pub fn width(&self) -> usize {
        self.observe.len()
    }

    /// What is on each square of the map, row by row, all bodies included, whether they are seen or not; of several who
    /// are steered as the first one has it.
    pub fn squares(&self) -> Vec<Square> {
        self.squares_of(0)
    }

    /// What is on each square, as one of those who are steered has it: enemies are its own ones.
    pub fn squares_of(&self, player: usize) -> Vec<Square> {
        facts::squares(self.world(), self.players[player].who)
    }

    /// The squares around one of those who are steered, as it has them: so many in each direction, row by row, with its
    /// own in the middle. What is outside of the map is wall.
    pub fn squares_around(&self, player: usize, side: u32) -> Vec<Square> {
        facts::squares_around(self.world(), self.players[player].who, side)
    }

    /// The squares that are seen, and how many in a column and in a row.
    pub fn seen_of(&self, player: usize, sight: Sight) -> (Vec<Square>, [usize; 2]) {
        match sight {
            Sight::Around(side) => (self.squares_around(player, side), [side as usize; 2]),
            Sight::Whole => {
                let grid = self.world().ground().grid();
                let size = [grid.height() as usize, grid.width() as usize];
                (self.squares_of(player), size)
            }
        }
    }

    /// All facts with their values, as numbers; of several who are steered those of the first.
    pub fn known(&self) -> Vec<(&'static str, f64)> {
        self.known_of(0)
    }

    /// All facts of one of those who are steered.
    pub fn known_of(&self, player: usize) -> Vec<(&'static str, f64)> {
        let known = facts::FACTS.iter().zip(&self.players[player].values);
        known
            .map(|(fact, value)| (fact.name, facts::number(value)))
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

    /// The one who is steered; of several the first.
    pub fn who(&self) -> BodyId {
        self.players[0].who
    }

    fn is_done(&self, player: &Player) -> bool {
        let vital = self.world().body(player.who).vital();
        self.world().is_over() || matches!(vital, Vital::Dead | Vital::Gone)
    }

    /// Takes the facts, and keeps those of the turn before; at the beginning these are the same.
    fn note(&mut self) {
        for player in &mut self.players {
            let before = &player.values[..player.values.len() / 2];
            let keys = before.get(facts::FACTS.len()..).unwrap_or(&[]);
            let mut now = facts::values(self.session.world(), player.who);
            now.extend(self.minds.values(&self.session, player.who, keys));
            let before = match before {
                [] => now.clone(),
                before => before.to_vec(),
            };
            player.values = now;
            player.values.extend(before);
        }
    }
}

/// What makes expressions ready to be asked.
struct Asker<'m> {
    minds: &'m Minds,
    document: Document,
    names: Vec<String>,
}

impl<'m> Asker<'m> {
    fn new(minds: &'m Minds) -> Self {
        Self {
            minds,
            document: facts::document(minds),
            names: facts::names(minds),
        }
    }

    /// An expression, given as it was written, and with names of keys for those of minds.
    fn number(&self, (written, plain): &(String, String)) -> Result<Asking<'static>, SweepError> {
        self.ready(Asked::number(&self.document, plain), written)
    }

    fn condition(
        &self,
        (written, plain): &(String, String),
    ) -> Result<Asking<'static>, SweepError> {
        self.ready(Asked::condition(&self.document, plain), written)
    }

    fn ready(
        &self,
        asked: Result<Asked, SweepError>,
        written: &str,
    ) -> Result<Asking<'static>, SweepError> {
        let asked = asked.map_err(|error| self.minds.as_written(error, written))?;
        Ok(asked.called(written).asking_of(&self.names))
    }
}

/// The scenario with actors that do what keys say, instead of what their mind, their route or the script would.
fn steered<'n>(
    mut scenario: Scenario,
    names: impl Iterator<Item = &'n String>,
) -> Result<(Scenario, Vec<Player>), SweepError> {
    let mut players: Vec<Player> = Vec::new();
    for name in names {
        let Some(nth) = scenario.actor(name) else {
            let actors = scenario.actors.iter();
            let known: Vec<&str> = actors.map(|(traits, _)| traits.name.as_str()).collect();
            let known = known.join(", ");
            return Err(SweepError::Steer(format!(
                "there is no actor `{name}` on the map to be steered; there are: {known}"
            )));
        };
        let who = BodyId(nth as u16);
        if players.iter().any(|player| player.who == who) {
            return Err(SweepError::Steer(format!("`{name}` is steered twice")));
        }
        let traits = &mut scenario.actors[nth].0;
        // A mind that is made to be steered is told what is pressed; any other would do what it wants.
        if !traits.is_steered {
            (traits.mind, traits.is_steered) = (None, true);
        }
        (traits.fights, traits.charges) = (false, false);
        players.push(Player {
            who,
            values: Vec::new(),
        });
    }
    Ok((scenario, players))
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
