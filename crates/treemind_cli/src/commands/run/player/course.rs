//! What is done to a game from outside: keys for the hero, keys of blackboards, and changed documents.

use super::super::mind::Mind;
use super::super::reloading::Reloaded;
use super::{Player, Stage, minds_of, population};
use std::rc::Rc;
use std::sync::Arc;
use treemind_arena::{Key, SessionError};
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, KeyId, Migration, Program};
use treemind_doc::Document;
use treemind_replay::follow::Hold;
use treemind_replay::view::protocol::Held;

/// A key of a blackboard that a page has written.
#[derive(Clone, Debug)]
pub(in super::super) struct Written {
    /// The last tick before it.
    tick: u64,
    /// Which documents were played then.
    revision: usize,
    mind: usize,
    key: KeyId,
    value: treemind_core::Value,
}

/// A document that replaced another one, and what answers from then on.
#[derive(Clone)]
pub(super) struct Turn {
    /// The last tick before it.
    tick: u64,
    main: Behaviour,
    document: Document,
    script: Option<Scripted>,
}

impl Reloaded for Player {
    fn reload(
        &mut self,
        main: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let turn = Turn {
            tick: self.tick,
            main,
            document: document.clone(),
            script: self.next_script.take(),
        };
        let migrations = self.turn(&turn)?;
        // What was played after this tick is another course now.
        let turns = Rc::make_mut(&mut self.turns);
        turns.truncate(self.revision - 1);
        turns.push(turn);
        Ok(migrations)
    }

    fn answer_from(&mut self, script: Scripted) {
        self.next_script = Some(script);
    }
}

impl Player {
    /// Continues with another document.
    fn turn(&mut self, turn: &Turn) -> Result<Vec<(String, Migration)>, SessionError> {
        let main = turn.main.clone();
        let migrations = match &mut self.stage {
            Stage::Arena(session) => {
                let migrations = session.reload(main, Some(&turn.document))?;
                self.minds = minds_of(session);
                migrations
            }
            Stage::Scripted(both) => {
                let (population, host) = &mut **both;
                let mind = Mind::new(main.name(), None, 0, &main);
                let name = main.name().to_owned();
                let migration = population.change_program(Arc::new(Program::new(main)), host);
                if let Some(mut next) = turn.script.clone() {
                    next.go_on_from(host);
                    *host = next.listening();
                }
                self.minds = vec![mind];
                let changed = Some((name, migration)).filter(|(_, one)| !one.is_empty());
                changed.into_iter().collect()
            }
            Stage::Recorded(_) => Vec::new(),
        };
        self.revision += 1;
        self.traces.clear();
        self.read_keys();
        Ok(migrations)
    }

    /// Takes over what was done to a game from outside, also after this tick: keys for the hero, keys of blackboards, and
    /// changed documents.
    pub(in super::super) fn take_course(&mut self, from: &Player) {
        self.presses = Rc::clone(&from.presses);
        self.written = Rc::clone(&from.written);
        self.holds.clone_from(&from.holds);
        self.turns = Rc::clone(&from.turns);
    }

    /// Forgets what was done to the game from outside after this tick.
    fn leave_course(&mut self) {
        let (tick, revision) = (self.tick, self.revision);
        Rc::make_mut(&mut self.written).retain(|one| one.tick <= tick);
        self.holds.forget_after(tick);
        Rc::make_mut(&mut self.turns).truncate(revision);
    }

    /// The documents that replaced others after so many of them.
    pub(in super::super) fn documents_since(
        &self,
        revision: usize,
    ) -> impl Iterator<Item = &Document> {
        let turns = self.turns.get(revision..self.revision);
        turns.unwrap_or_default().iter().map(|turn| &turn.document)
    }

    /// How many documents have replaced others so far.
    pub(in super::super) fn revision(&self) -> usize {
        self.revision
    }

    /// Has a key of a mind's blackboard written before the next tick, and forgets what is written later.
    pub(in super::super) fn write(
        &mut self,
        mind: usize,
        key: &str,
        text: &str,
    ) -> Result<(), String> {
        let behaviour = self.behaviour(mind);
        let id = behaviour.key_id(key);
        let id = id.ok_or_else(|| format!("there is no key `{key}`"))?;
        let value = treemind_replay::follow::value_for(behaviour, id, text)?;
        let tick = self.tick;
        self.leave_course();
        Rc::make_mut(&mut self.written).push(Written {
            tick,
            revision: self.revision,
            mind,
            key: id,
            value,
        });
        Ok(())
    }

    /// Holds a key of a mind's blackboard from the next tick on, or, without a text, no longer; forgets what is done later.
    pub(in super::super) fn hold(
        &mut self,
        mind: usize,
        key: &str,
        text: Option<&str>,
    ) -> Result<(), String> {
        let program = self.population(mind).program();
        let hold = text.map(|text| Hold::new(program, key, text)).transpose()?;
        self.leave_course();
        self.holds.change(self.tick, mind, key, hold);
        Ok(())
    }

    /// The keys that are held before the next tick.
    pub(in super::super) fn held(&self) -> Vec<Held> {
        self.holds.shown(self.tick)
    }

    /// Writes what a page wants to have written before this tick.
    pub(super) fn write_keys(&mut self) {
        let written = Rc::clone(&self.written);
        let (tick, revision) = (self.tick, self.revision);
        let is_now = |one: &&Written| one.tick == tick && one.revision == revision;
        for one in written.iter().filter(is_now) {
            let who = self.minds[one.mind].who();
            if let (Stage::Arena(session), Some(who)) = (&mut self.stage, who) {
                session.set_key(who, one.key, one.value);
            } else if let Stage::Scripted(both) = &mut self.stage {
                // It was read for this key, so it fits.
                let _ = both.0.set(0, one.key, one.value);
            }
        }
        let (minds, stage) = (&self.minds, &mut self.stage);
        let mut held = Vec::new();
        for (mind, hold) in self.holds.after(tick) {
            let Some(mind) = minds.get(mind) else {
                continue;
            };
            let program = Arc::clone(population(stage, mind.behaviour()).program());
            if let Some((key, value)) = hold.write_in(&program) {
                held.push((mind.who(), key, value));
            }
        }
        match stage {
            Stage::Arena(session) => {
                let held = held.into_iter();
                let held = held.filter_map(|(who, key, value)| Some((who?, key, value)));
                session.hold_keys(held.collect());
            }
            Stage::Scripted(both) => {
                for (_, key, value) in held {
                    // It was read for this key, so it fits.
                    let _ = both.0.set(0, key, value);
                }
            }
            Stage::Recorded(_) => {}
        }
    }

    /// Presses a key for the next tick, and forgets those of later ticks.
    pub(in super::super) fn press(&mut self, key: Key) {
        self.leave_course();
        Rc::make_mut(&mut self.presses).press(self.tick + 1, key);
    }

    /// Continues with the documents that came after this tick.
    pub(super) fn take_turns(&mut self) {
        let turns = Rc::clone(&self.turns);
        let now = self.tick;
        while let Some(turn) = turns.get(self.revision).filter(|turn| turn.tick == now) {
            self.write_keys();
            // It was played before, so it can be played again.
            if let Err(error) = self.turn(turn) {
                self.note(error.to_string());
                break;
            }
        }
    }
}
