//! A file that is open: the document, and the game in which it plays.

use super::super::course::{Given, Plays};
use super::super::crowd::Town;
use super::super::naming::why_not;
use super::super::player::Player;
use super::super::reel::Reel;
use super::super::reloading::Reloaded;
use super::super::{named_mind, notes};
use super::again::Earlier;
use super::library::Entry;
use super::making::nothing;
use super::new_document::with_help;
use super::world;
use crate::io::Failure;
use std::sync::Arc;
use treemind_arena::{Crowd, Rules, Scenario, Session, SessionError, World};
use treemind_core::host::{Scripted, Stub};
use treemind_core::{Behaviour, Migration, Status};
use treemind_doc::manifest::LeafWord;
use treemind_doc::{Archetype, Document, Said, said, script};
use treemind_recording::Recording;
use treemind_replay::follow::{Note, Timeline, Typed};
use treemind_replay::view::protocol::{
    self, Definition, EarlierRun, Held, Listed, Moment, Problem,
};
use treemind_replay::view::{Wish, problems, view_of};
use treemind_studio::Course;

/// A file that is open; by default one of which nothing plays.
#[derive(Default)]
pub(super) struct Game {
    /// The texts of its documents, with their names, and their problems; for each time when they were replaced, too.
    documents: Vec<Documents>,
    /// Why it does not play.
    pub(super) refusal: Option<Said>,
    /// What it defines, if it does not play.
    behaviour: Option<Behaviour>,
    pub(super) stage: Option<Playthrough<Player>>,
    /// The crowd, if its map has one.
    pub(super) town: Option<Playthrough<Town>>,
    /// How often it continued with a changed document.
    pub(super) reloads: u64,
}

impl Reloaded for Game {
    fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let fresh = Self::of(std::slice::from_ref(document));
        let now = self.revision();
        if self.is_as_before(&fresh, &behaviour, document) {
            self.documents[now] = fresh.documents.into_iter().next().expect("it has one");
            self.reloads += 1;
            return Ok(Vec::new());
        }
        self.turn_to(behaviour, document, fresh)
    }

    fn answer_from(&mut self, script: Scripted) {
        if let Some(stage) = &mut self.stage {
            stage.reel.answer_from(script);
        }
    }
}

/// The documents that are played.
#[derive(Clone, Default)]
struct Documents {
    texts: Vec<(String, String)>,
    problems: Vec<Problem>,
    archetypes: Vec<Archetype>,
}

impl Documents {
    /// Whether agents begin in the same way.
    fn begins_alike(&self, other: &Self) -> bool {
        let both = self.archetypes.iter().zip(&other.archetypes);
        self.archetypes.len() == other.archetypes.len()
            && both.into_iter().all(|(one, two)| one.is_same_as(two))
    }
}

/// A game that a page can look at.
pub(super) trait Shown: Plays {
    /// Notes what the agents did in the last tick.
    fn note_in(&self, timeline: &mut Timeline);

    /// Notes that they got other programs after the last tick.
    fn note_change_in(&self, timeline: &mut Timeline);

    /// Whether nothing more can be played.
    fn is_over(&self) -> bool {
        false
    }
}

impl Shown for Player {
    fn note_in(&self, timeline: &mut Timeline) {
        for (nth, mind) in self.minds().iter().enumerate() {
            let own = self.fresh();
            let own = own.filter(|line| line.who == mind.who() || line.who.is_none());
            let note = Note {
                nth,
                mind,
                behaviour: self.behaviour(nth),
                events: own.map(|line| (line.tone, line.words.clone())).collect(),
            };
            timeline.note(self.tick(), note);
        }
    }

    fn note_change_in(&self, timeline: &mut Timeline) {
        for (nth, mind) in self.minds().iter().enumerate() {
            timeline.note_change(self.tick(), (nth, mind), self.behaviour(nth));
        }
    }

    fn is_over(&self) -> bool {
        self.is_broken()
    }
}

/// A game that plays.
pub(super) struct Playthrough<G> {
    pub(super) reel: Reel<G>,
    /// What the agents did, whatever documents they had then.
    pub(super) timeline: Timeline,
    /// The run before it was played again from an earlier tick.
    pub(super) earlier: Option<Earlier>,
    /// The last tick, if it is a recording.
    pub(super) end: Option<u64>,
}

impl<G: Shown> Playthrough<G> {
    fn new(game: G, end: Option<u64>) -> Self {
        Self {
            reel: Reel::new(game),
            timeline: Timeline::default(),
            earlier: None,
            end,
        }
    }

    pub(super) fn player(&self) -> &G {
        self.reel.now()
    }

    /// How many documents have replaced others before the tick that is shown.
    fn revision(&self) -> usize {
        self.player().course().revision()
    }

    pub(super) fn course(&self) -> Course {
        Course {
            tick: self.reel.tick(),
            first: self.reel.first_tick(),
            last: self.last(),
            end: self.end,
            plays: true,
            is_live: false,
        }
    }

    /// Changes what is done from the next tick on. What was played after this tick is another course now.
    fn change(
        &mut self,
        change: impl FnOnce(&mut Reel<G>) -> Result<(), Said>,
    ) -> Result<(), Said> {
        if self.end.is_some() {
            return Err(said!("this is a recording: what is over cannot be changed"));
        }
        change(&mut self.reel)?;
        self.leave_course();
        Ok(())
    }

    /// Continues with a changed document. Earlier ticks are still played with the old one.
    fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let earlier = self.kept_run();
        let migrations = self.reel.reload(behaviour, document)?;
        self.earlier = earlier.or(self.earlier.take());
        self.leave_course();
        self.reel.now().note_change_in(&mut self.timeline);
        Ok(migrations)
    }

    /// What was played after this tick is another course now.
    fn leave_course(&mut self) {
        self.timeline.turn(self.reel.tick());
    }

    /// The last tick that was played.
    pub(super) fn last(&self) -> u64 {
        self.timeline.last().max(self.reel.tick())
    }

    /// Plays a tick; returns whether there was one.
    pub(super) fn step(&mut self) -> bool {
        if self.end.is_some_and(|end| self.reel.tick() >= end) || self.player().is_over() {
            return false;
        }
        self.reel.step();
        self.reel.now().note_in(&mut self.timeline);
        true
    }
}

impl Game {
    /// Opens a document. What is wrong with it is part of what is shown.
    pub(super) fn open(entry: &Entry) -> Self {
        Self::document(entry).unwrap_or_else(Self::refused)
    }

    /// What cannot be shown.
    pub(super) fn refused(failure: Failure) -> Self {
        Self {
            documents: Vec::new(),
            refusal: Some(failure.sentence()),
            behaviour: None,
            stage: None,
            town: None,
            reloads: 0,
        }
    }

    /// A game in the arena that was recorded.
    pub(super) fn recorded(player: Player, recording: &Recording, end: u64) -> Self {
        let documents: Vec<Document> = recording.documents().collect();
        let mut game = Self::of(&documents);
        game.stage = Some(Playthrough::new(player, Some(end)));
        game
    }

    /// Continues as it was recorded in the meantime.
    pub(super) fn grow(&mut self, recording: &Recording, end: u64) -> Result<(), Failure> {
        let Some(stage) = &mut self.stage else {
            return Ok(());
        };
        stage.end = Some(end);
        notes::steer(stage.reel.now_mut(), &Arc::new(recording.clone()))
    }

    /// A game that was begun elsewhere.
    pub(super) fn running(document: &Document, playing: Playing) -> Self {
        let mut game = Self::of(std::slice::from_ref(document));
        game.play(playing);
        game
    }

    fn play(&mut self, playing: Playing) {
        match playing {
            Playing::Few(player) => self.stage = Some(Playthrough::new(*player, None)),
            Playing::Many(town) => self.town = Some(Playthrough::new(town.looked_at(), None)),
        }
    }

    fn document(entry: &Entry) -> Result<Self, Failure> {
        let document = entry.document()?;
        let mut game = Self::of(std::slice::from_ref(&document));
        if !document.can_run() {
            game.refusal = Some(said!("the document has errors"));
            return Ok(game);
        }
        match document.behaviour(None) {
            Err(found) => {
                game.documents[0].problems = problems(found.iter());
                game.refusal = Some(said!("the document has errors"));
            }
            Ok(behaviour) => match arena(entry, &document, behaviour.clone()) {
                Ok(playing) => game.play(playing),
                Err(why) => {
                    game.refusal = Some(why);
                    game.behaviour = Some(behaviour);
                }
            },
        }
        Ok(game)
    }

    /// The names of the files that it consists of, as far as they could be read.
    pub(super) fn names(&self) -> Vec<String> {
        let last = self.documents.last().map_or(&[][..], |last| &last.texts);
        last.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Whether anything plays.
    pub(super) fn plays(&self) -> bool {
        self.stage.is_some() || self.town.is_some()
    }

    fn of(documents: &[Document]) -> Self {
        let sources = documents.iter().flat_map(Document::sources);
        let texts = sources.map(|source| (source.name().to_owned(), source.text().to_owned()));
        let found = documents.iter().flat_map(Document::diagnostics);
        let all = documents.iter().flat_map(Document::archetypes);
        Self {
            documents: vec![Documents {
                texts: texts.collect(),
                problems: problems(found),
                archetypes: all.cloned().collect(),
            }],
            refusal: None,
            behaviour: None,
            stage: None,
            town: None,
            reloads: 0,
        }
    }

    /// Continues with a document, whatever was played after the tick that is shown.
    fn turn_to(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
        fresh: Self,
    ) -> Result<Vec<(String, Migration)>, SessionError> {
        let migrations = match (&mut self.stage, &mut self.town) {
            (Some(stage), _) => stage.reload(behaviour, document)?,
            (None, Some(town)) => town.reload(behaviour, document)?,
            (None, None) => return Ok(Vec::new()),
        };
        // Whoever has gone back before the change begins another course there.
        self.documents.truncate(self.revision());
        self.documents.extend(fresh.documents);
        self.reloads += 1;
        Ok(migrations)
    }

    /// Whether a changed document, such as one with another test, changes nothing of what was played after the tick that is
    /// shown: then that stays.
    fn is_as_before(&self, fresh: &Self, main: &Behaviour, document: &Document) -> bool {
        let course = self.course();
        let known = self.documents.get(self.revision());
        let is_past = course.tick < course.last;
        is_past
            && known.is_some_and(|known| known.begins_alike(&fresh.documents[0]))
            && match (&self.stage, &self.town) {
                (Some(stage), _) => stage.player().plays_alike(main, document),
                (None, Some(town)) => town.player().plays_alike(main, document),
                (None, None) => false,
            }
    }

    /// Whom to show first, by a name or a number from 1.
    pub(super) fn named(&self, wanted: Option<&str>) -> Result<usize, Failure> {
        match (&self.stage, &self.town, wanted) {
            (Some(stage), _, _) => named_mind(wanted, stage.player()),
            (None, Some(town), Some(wanted)) => town.named(wanted).ok_or_else(|| {
                let most = town.minds();
                let text = format!("unknown agent `{wanted}`; a number from 1 to {most} is one");
                Failure::Usage(text)
            }),
            _ => Ok(0),
        }
    }

    /// How many documents have replaced others before the tick that is shown.
    pub(super) fn revision(&self) -> usize {
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.revision(),
            (None, Some(town)) => town.revision(),
            (None, None) => 0,
        }
    }

    /// Which ticks there are.
    pub(super) fn course(&self) -> Course {
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.course(),
            (None, Some(town)) => town.course(),
            (None, None) => Course::default(),
        }
    }

    /// Writes a key of a mind before the next tick, or sends it an event.
    pub(super) fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        match (&mut self.stage, &mut self.town) {
            (Some(stage), _) => stage.change(|reel| reel.give(mind, typed)),
            (None, Some(town)) => town.change(|reel| reel.give(mind, typed)),
            (None, None) => Err(nothing()),
        }
    }

    /// Holds a key of a mind from the next tick on, or releases it.
    pub(super) fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        match (&mut self.stage, &mut self.town) {
            (Some(stage), _) => stage.change(|reel| reel.hold(mind, key, text)),
            (None, Some(town)) => town.change(|reel| reel.hold(mind, key, text)),
            (None, None) => Err(nothing()),
        }
    }

    /// Lets a leaf without code answer in a way from the next tick on.
    pub(super) fn answer(
        &mut self,
        leaf: &str,
        answers: &str,
        is_random: bool,
    ) -> Result<(), Said> {
        let answers = match answers.trim() {
            "" => Vec::new(),
            some => {
                let script = script::parse(&format!("leaf: {some}"), "the answers");
                let script = script.map_err(|found| with_help(&found[0]))?;
                script.answers("leaf").unwrap_or_default().to_vec()
            }
        };
        let stub = Stub { answers, is_random };
        match (&mut self.stage, &mut self.town) {
            (Some(stage), _) => stage.change(|reel| reel.answer(leaf, stub)),
            (None, Some(town)) => town.change(|reel| reel.answer(leaf, stub)),
            (None, None) => Err(said!("nothing plays that has leaves without code")),
        }
    }

    /// The leaves without code, and how each answers.
    pub(super) fn stubs(&self) -> Vec<protocol::Stub> {
        let answers = match (&self.stage, &self.town) {
            (Some(stage), _) => stage.player().answers(),
            (None, Some(town)) => town.player().answers(),
            (None, None) => Vec::new(),
        };
        let answers = answers.into_iter().map(|(leaf, kind, stub)| {
            let letters = stub.answers.iter().map(|answer| letter(*answer));
            protocol::Stub {
                leaf: leaf.to_owned(),
                kind: LeafWord::of(kind).keyword().to_owned(),
                answers: letters.collect::<Vec<_>>().join(" "),
                is_random: stub.is_random,
            }
        });
        answers.collect()
    }

    /// Plays again from this tick with a document. Returns the last tick of the run that was, and what the change did.
    pub(super) fn again(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<(u64, Vec<(String, Migration)>), Said> {
        let Course {
            tick, last, end, ..
        } = self.course();
        if end.is_some() {
            return Err(said!("a recording cannot be played with another document"));
        }
        if tick >= last {
            return Err(said!("go back to the tick from which to play again"));
        }
        let fresh = Self::of(std::slice::from_ref(document));
        let later = self.given_after(tick);
        let migrations = self.turn_to(behaviour, document, fresh);
        let migrations = migrations.map_err(why_not)?;
        match (&mut self.stage, &mut self.town) {
            (Some(stage), _) => stage.reel.now_mut().give_again(later),
            (None, Some(town)) => town.reel.now_mut().give_again(later),
            (None, None) => {}
        }
        Ok((last, migrations))
    }

    /// What pages have done to minds after a tick.
    fn given_after(&self, tick: u64) -> Vec<Given> {
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.player().course().given_after(tick),
            (None, Some(town)) => town.player().course().given_after(tick),
            (None, None) => Vec::new(),
        }
    }

    /// The earlier run beside this one, as an agent did it.
    pub(super) fn earlier(&self, wish: &Wish, known: u64) -> Option<EarlierRun> {
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.earlier(wish, known),
            (None, Some(town)) => town.earlier(wish, known),
            (None, None) => None,
        }
    }

    /// The keys that are held before the next tick.
    pub(super) fn held(&self) -> Vec<Held> {
        match (&self.stage, &self.town) {
            (Some(stage), _) => stage.player().held(),
            (None, Some(town)) => town.player().held(),
            (None, None) => Vec::new(),
        }
    }

    /// What does not change while it is open, as one mind sees it.
    pub(super) fn definition(&self, mind: usize) -> Definition {
        let stage = self.stage.as_ref().map(Playthrough::player);
        let behaviour = match (&self.town, stage) {
            (Some(town), _) => Some(town.player().behaviour()),
            (None, Some(player)) => Some(player.behaviour(mind)),
            (None, None) => self.behaviour.as_ref(),
        };
        let ground = match &self.town {
            Some(town) => Some(town.ground()),
            None => stage.and_then(Player::world).map(world::ground),
        };
        let nothing = Documents::default();
        let documents = self.documents.get(self.revision()).unwrap_or(&nothing);
        let (places, names) = treemind_replay::view::places(behaviour, &documents.texts);
        Definition {
            behaviour: behaviour.map(treemind_replay::view::definition),
            texts: treemind_replay::view::texts(&documents.texts),
            problems: documents.problems.clone(),
            draft: None,
            refusal: self.refusal.clone(),
            ground,
            places,
            names,
            is_in_git: false,
        }
    }

    /// What a page shows of a mind after the last tick.
    pub(super) fn view(&mut self, wish: &Wish) -> Moment {
        let mind = wish.mind;
        if let Some(town) = &mut self.town {
            return town.view(wish);
        }
        let Some(stage) = &self.stage else {
            return Moment::default();
        };
        let player = stage.player();
        let one = &player.minds()[mind];
        let minds = player.minds().iter().enumerate();
        let agents = minds.map(|(nth, mind)| Listed {
            name: mind.name().to_owned(),
            does: player.doing(nth).map(str::to_owned),
        });
        Moment {
            agent: view_of(one, player.population(mind), wish, &stage.timeline),
            agents: agents.collect(),
            crowd: None,
            scene: player.world().map(|all| world::scene(player, all, mind)),
            faults: player.faults(),
        }
    }
}

/// What plays in the arena.
pub(in super::super) enum Playing {
    Few(Box<Player>),
    Many(Box<Town>),
}

/// A document in the arena, on its map.
pub(super) fn arena(
    entry: &Entry,
    document: &Document,
    behaviour: Behaviour,
) -> Result<Playing, Said> {
    let map = entry.map().map_err(Failure::sentence)?;
    let scenario = Scenario::parse(&map);
    let scenario = scenario.map_err(|error| said!("the map: {}", error.said()))?;
    if let Some(people) = scenario.rules.crowd {
        let crowd = Crowd::with_stubs(behaviour, scenario, people as usize, entry.seed());
        let crowd = crowd.map_err(why_not)?;
        let town = Town::new(crowd.of_document(document), 1);
        return Ok(Playing::Many(Box::new(town)));
    }
    let rules = Rules {
        seed: entry.seed(),
        rounds: true,
    };
    let world = World::new(scenario, rules);
    let session = Session::with_stubs(behaviour, Some(document), world).map_err(why_not)?;
    Ok(Playing::Few(Box::new(Player::arena(session))))
}

/// The letter of an answer in scripts.
fn letter(answer: Status) -> &'static str {
    match answer {
        Status::Success => "S",
        Status::Failure => "F",
        Status::Running => "R",
        Status::Skipped => "K",
    }
}
