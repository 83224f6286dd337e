//! What is done to a game from outside: keys for the hero, keys of blackboards, and changed documents. A game to which that
//! is done can be played again, be it of a few bodies or of a crowd.

use super::reloading::Reloaded;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use treemind_arena::{Key, LoadError, Presses, SessionError};
use treemind_core::behaviour::LeafKind;
use treemind_core::host::{Scripted, Stub};
use treemind_core::{Behaviour, KeyId, Migration, Program, Value};
use treemind_doc::{Document, Said, said};
use treemind_recording::{Recorder, Recording};
use treemind_replay::follow::{Hold, Holds, Input, Put, Typed};
use treemind_replay::view::protocol::Held;
use treemind_studio::no_agent;

/// What a page has done to a mind: it has written a key, or sent an event.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// The last tick before it.
    tick: u64,
    /// Which documents were played then.
    revision: usize,
    mind: usize,
    input: Input,
    /// As it was typed, for other documents.
    typed: Typed,
}

/// How a leaf without code answers, as a page has said.
#[derive(Clone, Debug)]
struct Answered {
    /// The last tick before it.
    tick: u64,
    leaf: String,
    stub: Stub,
}

/// A document that replaced another one, and what answers from then on.
#[derive(Clone)]
pub(super) struct Turn {
    /// The last tick before it.
    tick: u64,
    pub(super) main: Behaviour,
    pub(super) document: Document,
    pub(super) script: Option<Scripted>,
    /// Whether somebody runs something else from then on: comments and tests change nothing.
    is_other: bool,
}

/// What is done to a game from outside, in the ticks that it has played and in later ones too.
#[derive(Clone, Default)]
pub(super) struct Course {
    /// The keys that steer the hero.
    presses: Rc<Presses>,
    /// What pages have done to minds.
    given: Rc<Vec<Given>>,
    /// What leaves without code answer.
    answered: Rc<Vec<Answered>>,
    /// And those that a page holds.
    holds: Holds,
    /// The documents that replaced others, and how many of them are played.
    turns: Rc<Vec<Turn>>,
    revision: usize,
    /// The recording that is played again.
    recording: Option<Arc<Recording>>,
    /// What answers from the next change of the document on.
    next_script: Option<Scripted>,
}

impl Course {
    /// The keys that steer the hero.
    pub(super) fn presses(&self) -> &Presses {
        &self.presses
    }

    /// Plays with these keys from now on.
    pub(super) fn steer_by(&mut self, presses: Presses) {
        self.presses = Rc::new(presses);
    }

    /// The game is the same as in this recording; a difference is told.
    pub(super) fn compare_with(&mut self, recording: Arc<Recording>) {
        self.recording = Some(recording);
    }

    /// How many documents have replaced others so far.
    pub(super) fn revision(&self) -> usize {
        self.revision
    }

    /// Whether the document that is played is the newest one.
    pub(super) fn is_newest(&self) -> bool {
        self.revision == self.turns.len() && self.next_script.is_none()
    }

    /// Whether the document that came last plays as the one before it.
    fn plays_on(&self) -> bool {
        let last = self.revision.checked_sub(1);
        last.is_some_and(|last| !self.turns[last].is_other)
    }

    /// The documents that replaced others after so many of them.
    pub(super) fn documents_since(&self, revision: usize) -> impl Iterator<Item = &Document> {
        let turns = self.turns.get(revision..self.revision);
        turns.unwrap_or_default().iter().map(|turn| &turn.document)
    }

    /// The first of these ticks after which a document began that plays otherwise than the one before.
    pub(super) fn changed_in(&self, ticks: RangeInclusive<u64>) -> Option<u64> {
        let mut others = self.turns.iter().filter(|turn| turn.is_other);
        others.find_map(|turn| ticks.contains(&turn.tick).then_some(turn.tick))
    }

    /// What is done to minds after a tick.
    pub(super) fn given_after(&self, tick: u64) -> Vec<Given> {
        let given = self.given.iter();
        given.filter(|one| one.tick > tick).cloned().collect()
    }

    /// What is written last into a key of a mind after a tick, before the next one; with the name of the key in the document
    /// that is played.
    pub(super) fn written_between(&self, tick: u64, mind: usize, key: &str) -> Option<&str> {
        let mut given = self.given.iter().rev();
        given.find_map(|one| match &one.typed {
            Typed::Key { name, text } | Typed::Kept { name, text } => {
                let is_it = (one.tick, one.revision, one.mind) == (tick, self.revision, mind);
                (is_it && name == key).then_some(text.as_str())
            }
            Typed::Event { .. } => None,
        })
    }

    /// From the next reload on, leaves answer from this script.
    pub(super) fn answer_from(&mut self, script: Scripted) {
        self.next_script = Some(script);
    }

    /// Forgets what is done after a tick.
    fn leave(&mut self, tick: u64) {
        Rc::make_mut(&mut self.given).retain(|one| one.tick <= tick);
        Rc::make_mut(&mut self.answered).retain(|one| one.tick <= tick);
        self.holds.forget_after(tick);
        Rc::make_mut(&mut self.turns).truncate(self.revision);
    }
}

/// A game that is played, and played again. A clone continues exactly as the original does.
pub(super) trait Plays: Clone {
    /// The last tick that was played.
    fn tick(&self) -> u64;

    /// What is done to it.
    fn course(&self) -> &Course;

    /// The same, to be changed.
    fn course_mut(&mut self) -> &mut Course;

    /// What a mind runs; `None` if there is no such mind.
    fn program(&self, mind: usize) -> Option<&Arc<Program>>;

    /// What all minds run; of neighbours with the same program, once.
    fn programs(&self) -> Vec<Arc<Program>>;

    /// Plays one tick, and records it if there is a recorder: first [`write_keys`](Self::write_keys), at the end
    /// [`take_turns`](Self::take_turns).
    fn step_recorded(&mut self, recorder: Option<&mut Recorder>);

    /// Whether it plays with another document exactly as with the newest one that it has, which it plays now.
    fn plays_alike(&self, main: &Behaviour, document: &Document) -> bool {
        let mut other = self.clone();
        self.course().is_newest()
            && other.reload(main.clone(), document).is_ok()
            && other.course().plays_on()
    }

    /// Writes a key of a mind's blackboard, or sends it an event. It fits.
    fn put(&mut self, mind: usize, input: &Input);

    /// Has keys written in the next tick, whatever else writes them. The values fit.
    fn keep_keys(&mut self, held: Vec<(usize, KeyId, Value)>);

    /// The leaves without code, each with its kind and how it answers.
    fn stubs(&self) -> Vec<(&str, LeafKind, Stub)> {
        Vec::new()
    }

    /// Lets a leaf without code answer in a way.
    fn put_stub(&mut self, leaf: &str, stub: &Stub) {
        let _ = (leaf, stub);
    }

    /// Continues with another document.
    fn change(&mut self, turn: &Turn) -> Result<Vec<(String, Migration)>, SessionError>;

    /// The whole game, to be continued later; `None` for a run by a script.
    fn save(&self) -> Option<Vec<u8>>;

    /// Continues as it was when it was saved, with the same document and everything else that is known of the game.
    fn restore(&mut self, saved: &[u8]) -> Result<(), LoadError>;

    /// Tells something in the log.
    fn note(&mut self, text: String);

    /// How many bytes a clone takes, about.
    fn bytes(&self) -> usize;

    /// From which tick on it has to be played, so that everything is known after a tick.
    fn followed_from(&self, tick: u64) -> u64 {
        tick
    }

    /// Goes on as another game does that has come from this one.
    fn take_course(&mut self, from: &Self) {
        self.take_over(from);
    }

    /// Takes over what is done to another game, also after this tick.
    fn take_over(&mut self, from: &Self) {
        let revision = self.course().revision;
        *self.course_mut() = from.course().clone();
        self.course_mut().revision = revision;
        self.take_turns();
    }

    /// Has a key of a mind's blackboard written before the next tick, or an event sent, and forgets what is done later.
    fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        let input = typed.read(self.program(mind).ok_or_else(no_agent)?)?;
        let tick = self.tick();
        let course = self.course_mut();
        course.leave(tick);
        Rc::make_mut(&mut course.given).push(Given {
            tick,
            revision: course.revision,
            mind,
            input,
            typed,
        });
        Ok(())
    }

    /// Does again what was done in later ticks, as far as the document that is played now has its keys and events.
    fn give_again(&mut self, later: Vec<Given>) {
        for one in later {
            let program = self.program(one.mind);
            let Some(Ok(input)) = program.map(|program| one.typed.read(program)) else {
                continue;
            };
            let course = self.course_mut();
            let revision = course.revision;
            Rc::make_mut(&mut course.given).push(Given {
                revision,
                input,
                ..one
            });
        }
    }

    /// Holds a key of a mind's blackboard from the next tick on, or, without a text, no longer; forgets what is done later.
    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        let program = self.program(mind).ok_or_else(no_agent)?;
        let hold = text.map(|text| Hold::new(program, key, text)).transpose()?;
        let tick = self.tick();
        let course = self.course_mut();
        course.leave(tick);
        course.holds.change(tick, mind, key, hold);
        Ok(())
    }

    /// Lets a leaf without code answer in a way from the next tick on, and forgets what is done later.
    fn answer(&mut self, leaf: &str, stub: Stub) -> Result<(), Said> {
        if !self.stubs().iter().any(|(name, ..)| *name == leaf) {
            return Err(said!("`{}` is not a leaf without code", leaf));
        }
        let tick = self.tick();
        let course = self.course_mut();
        course.leave(tick);
        let answered = Rc::make_mut(&mut course.answered);
        answered.retain(|one| one.tick < tick || one.leaf != leaf);
        let leaf = leaf.to_owned();
        answered.push(Answered { tick, leaf, stub });
        Ok(())
    }

    /// The leaves without code, and how each answers in the next tick.
    fn answers(&self) -> Vec<(&str, LeafKind, Stub)> {
        let mut all = self.stubs();
        let tick = self.tick();
        let next = self.course().answered.iter();
        for one in next.filter(|one| one.tick == tick) {
            let mut stubs = all.iter_mut();
            if let Some(known) = stubs.find(|(name, ..)| *name == one.leaf) {
                known.2 = one.stub.clone();
            }
        }
        all
    }

    /// The keys that are held before the next tick.
    fn held(&self) -> Vec<Held> {
        self.course().holds.shown(self.tick())
    }

    /// Presses a key for the next tick, and forgets what is done later.
    fn press(&mut self, key: Key) {
        let tick = self.tick();
        let course = self.course_mut();
        course.leave(tick);
        Rc::make_mut(&mut course.presses).press(tick + 1, key);
    }

    /// Does what pages want to have done before this tick. Returns what was written into keys.
    fn write_keys(&mut self) -> Vec<Put> {
        let answered = Rc::clone(&self.course().answered);
        let tick = self.tick();
        for one in answered.iter().filter(|one| one.tick == tick) {
            self.put_stub(&one.leaf, &one.stub);
        }
        let given = Rc::clone(&self.course().given);
        let now = (self.tick(), self.course().revision);
        let mut put = Vec::new();
        for one in given.iter().filter(|one| (one.tick, one.revision) == now) {
            self.put(one.mind, &one.input);
            if let Input::Key(key, value) = one.input {
                let is_kept = matches!(one.typed, Typed::Kept { .. });
                let agent = one.mind;
                put.push(Put {
                    agent,
                    key,
                    value,
                    is_kept,
                });
            }
        }
        let mut holds = std::mem::take(&mut self.course_mut().holds);
        let held = holds.after(now.0).filter_map(|(mind, hold)| {
            let (key, value) = hold.write_in(self.program(mind)?)?;
            Some((mind, key, value))
        });
        let held: Vec<_> = held.collect();
        self.course_mut().holds = holds;
        put.extend(held.iter().map(|(agent, key, value)| Put {
            agent: *agent,
            key: *key,
            value: *value,
            is_kept: false,
        }));
        self.keep_keys(held);
        put
    }

    /// Continues with the documents that came after this tick.
    fn take_turns(&mut self) {
        let turns = Rc::clone(&self.course().turns);
        let now = self.tick();
        while let Some(turn) = turns.get(self.course().revision)
            && turn.tick == now
        {
            self.write_keys();
            // It was played before, so it can be played again.
            if let Err(error) = self.change(turn) {
                self.note(error.to_string());
                break;
            }
            self.course_mut().revision += 1;
        }
    }

    /// Continues with the document that the recording has from here on, if it is another one, and with the game as it
    /// was then: there may have been other documents in between.
    fn follow_recording(&mut self) -> Result<(), String> {
        let tick = self.tick();
        let recording = self.course().recording.clone();
        let Some(recording) = recording.filter(|one| one.is_recast_after(tick)) else {
            return Ok(());
        };
        let cast = recording.cast_after(tick);
        let (behaviour, document) = cast.ok_or("the next document cannot be read")?;
        let changed = self.change(&Turn {
            tick,
            main: behaviour,
            document,
            script: None,
            is_other: true,
        });
        changed.map_err(|error| error.to_string())?;
        self.course_mut().revision += 1;
        let game = recording.game_state(tick);
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or("the state of the arena is missing")?;
        self.restore(&game).map_err(|error| error.to_string())
    }

    /// What is not as in the recording that is played, where the recording has a state of the arena.
    fn difference(&self) -> Option<String> {
        let recording = self.course().recording.as_ref()?;
        if recording.is_recast_after(self.tick()) {
            // What is there is the game with the next document.
            return None;
        }
        let there = match recording.game_state(self.tick()) {
            Ok(there) => there?,
            Err(error) => return Some(format!("the recording cannot be read: {error}")),
        };
        let is_same = self.save().is_none_or(|here| *here == *there);
        (!is_same).then(|| "the arena is in another state than in the recording".to_owned())
    }
}

impl<G: Plays> Reloaded for G {
    fn reload(
        &mut self,
        main: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let mut turn = Turn {
            is_other: true,
            tick: self.tick(),
            main,
            document: document.clone(),
            script: self.course_mut().next_script.take(),
        };
        let before = self.programs();
        // What was written since the last tick is there before, as when it is played again.
        self.write_keys();
        let migrations = self.change(&turn)?;
        let (before, after) = (before.iter(), self.programs());
        turn.is_other = !before
            .map(|one| one.behaviour())
            .eq(after.iter().map(|one| one.behaviour()));
        // What was played after this tick is another course now.
        let course = self.course_mut();
        let turns = Rc::make_mut(&mut course.turns);
        turns.truncate(course.revision);
        let tick = turn.tick;
        turns.push(turn);
        Rc::make_mut(&mut course.given).retain(|one| one.tick <= tick);
        course.revision += 1;
        Ok(migrations)
    }

    fn answer_from(&mut self, script: Scripted) {
        self.course_mut().answer_from(script);
    }
}
