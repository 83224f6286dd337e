//! What is done to a player from outside, and when it is played again.

use super::super::course::{Course, Plays, Turn};
use super::super::mind::Mind;
use super::{Player, Source, agent_of, minds_of, population};
use std::sync::Arc;
use treemind_arena::{LoadError, SessionError};
use treemind_core::behaviour::LeafKind;
use treemind_core::host::Stub;
use treemind_core::{KeyId, Migration, Program, Value};
use treemind_explain::{Words, say};
use treemind_recording::Recorder;
use treemind_replay::follow::{Input, Replaced, Tone};

impl Plays for Player {
    fn tick(&self) -> u64 {
        self.tick
    }

    fn course(&self) -> &Course {
        &self.course
    }

    fn course_mut(&mut self) -> &mut Course {
        &mut self.course
    }

    fn program(&self, mind: usize) -> Option<&Arc<Program>> {
        let mind = self.minds.get(mind)?;
        Some(population(&self.source, mind.behaviour()).program())
    }

    fn programs(&self) -> Vec<Arc<Program>> {
        let all = (0..self.minds.len()).filter_map(|mind| self.program(mind));
        let mut all: Vec<Arc<Program>> = all.cloned().collect();
        all.dedup_by(|one, other| Arc::ptr_eq(one, other));
        all
    }

    fn bytes(&self) -> usize {
        let minds = self.minds.iter().map(|mind| mind.bytes());
        let mut places: Vec<usize> = self.minds.iter().map(|mind| mind.behaviour()).collect();
        places.dedup();
        let agents = places.into_iter().map(|place| {
            let population = population(&self.source, place);
            population.state_bytes() + population.working_bytes()
        });
        minds.sum::<usize>() + agents.sum::<usize>()
    }

    fn step_recorded(&mut self, recorder: Option<&mut Recorder>) {
        self.step_with(recorder);
    }

    fn put(&mut self, mind: usize, input: &Input) {
        let who = self.minds[mind].who();
        let is_taken = match (&mut self.source, who) {
            (Source::Arena(session), Some(who)) => match input {
                Input::Key(key, value) => session.set_key(who, *key, *value),
                Input::Event(event, values) => session.send(who, *event, values),
            },
            (Source::Scripted(both), _) => input.give(&mut both.0, 0),
            (Source::Arena(_) | Source::Recorded(_), _) => false,
        };
        if let (Input::Event(event, _), false) = (input, is_taken)
            && let Some(program) = self.program(mind)
        {
            let event = Words::code(&program.behaviour().leaf(*event).name);
            let words = say!(EventIsLost, event);
            self.push(self.tick, (Tone::Notice, who, words));
        }
    }

    fn keep_keys(&mut self, held: Vec<(usize, KeyId, Value)>) {
        if let Source::Arena(session) = &mut self.source {
            let held = held.into_iter();
            let held =
                held.filter_map(|(mind, key, value)| Some((self.minds[mind].who()?, key, value)));
            session.hold_keys(held.collect());
        } else {
            let held = held.into_iter();
            held.for_each(|(mind, key, value)| self.put(mind, &Input::Key(key, value)));
        }
    }

    fn stubs(&self) -> Vec<(&str, LeafKind, Stub)> {
        match &self.source {
            Source::Arena(session) => session.stubs(),
            Source::Scripted(_) | Source::Recorded(_) => Vec::new(),
        }
    }

    fn put_stub(&mut self, leaf: &str, stub: &Stub) {
        if let Source::Arena(session) = &mut self.source {
            session.stub(leaf, stub);
        }
    }

    fn change(&mut self, turn: &Turn) -> Result<Vec<(String, Migration)>, SessionError> {
        let main = turn.main.clone();
        let before = self.every_program();
        let (minds, migrations) = match &mut self.source {
            Source::Arena(session) => {
                let migrations = session.reload(main, Some(&turn.document))?;
                (minds_of(session), migrations)
            }
            Source::Scripted(both) => {
                let (population, host) = &mut **both;
                let mind = Mind::new(main.name(), None, 0, &main);
                let name = main.name().to_owned();
                let migration = population.change_program(Arc::new(Program::new(main)), host);
                if let Some(mut next) = turn.script.clone() {
                    next.go_on_from(host);
                    *host = next.listening();
                }
                let changed = Some((name, migration)).filter(|(_, one)| !one.is_empty());
                (vec![mind], changed.into_iter().collect())
            }
            Source::Recorded(_) => return Ok(Vec::new()),
        };
        self.go_on(&before, minds);
        Ok(migrations)
    }

    fn save(&self) -> Option<Vec<u8>> {
        match &self.source {
            Source::Arena(session) => Some(session.save()),
            Source::Scripted(_) | Source::Recorded(_) => None,
        }
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        if let Source::Arena(session) = &mut self.source {
            session.load(saved)?;
            self.read_keys();
        }
        Ok(())
    }

    fn note(&mut self, text: String) {
        self.push(self.tick, (Tone::Notice, None, Words::plain(text)));
    }
}

impl Player {
    /// The programs that the minds run, by the positions of their behaviours.
    fn every_program(&self) -> Vec<Arc<Program>> {
        let places = self.minds.iter().map(|mind| mind.behaviour() + 1);
        let places = 0..places.max().unwrap_or(0);
        let programs = places.map(|place| population(&self.source, place).program());
        programs.cloned().collect()
    }

    /// Goes on with other programs: what is known of the minds stays known, as far as it is still there.
    fn go_on(&mut self, before: &[Arc<Program>], minds: Vec<Mind>) {
        let places = before.iter().enumerate();
        let replaced = places.map(|(place, before)| {
            Replaced::new(before, population(&self.source, place).program())
        });
        let replaced: Vec<Replaced<'_>> = replaced.collect();
        let minds = minds.into_iter().map(|mind| {
            let is_same =
                |known: &&Mind| (known.who(), known.behaviour()) == (mind.who(), mind.behaviour());
            let known = self.minds.iter().find(is_same);
            let Some((known, replaced)) = known.zip(replaced.get(mind.behaviour())) else {
                return mind;
            };
            let agent = agent_of(&self.source, &mind);
            let of = (population(&self.source, mind.behaviour()), agent);
            mind.after(known, replaced, of)
        });
        let minds = minds.collect();
        if !replaced.iter().all(Replaced::is_same) {
            self.traces.clear();
        }
        self.minds = minds;
        self.read_keys();
    }

    /// Continues with the document that replaced another one in the recording after the last tick.
    pub(super) fn recast(&mut self) {
        let before = match &self.source {
            Source::Recorded(_) => self.every_program(),
            Source::Arena(_) | Source::Scripted(_) => Vec::new(),
        };
        if let Source::Recorded(screening) = &mut self.source
            && let Some(goes_on) = screening.recast()
        {
            let minds = screening.minds();
            if goes_on {
                self.go_on(&before, minds);
            } else {
                self.minds = minds;
                self.traces.clear();
                self.read_keys();
            }
        }
        if let Err(error) = self.follow_recording() {
            self.note(error);
        }
    }
}
