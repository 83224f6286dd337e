//! The files that the studio may open, and the one that plays.

use super::super::reloading::Reloading;
use super::game::Game;
use super::library::{Entry, Library};
use crate::io;
use treemind_arena::TICK;
use treemind_core::Behaviour;
use treemind_replay::follow::{Follower, Seen};
use treemind_replay::view::protocol::{self, Definition, Moment, Preview};
use treemind_replay::view::{Wish, definition, problems, texts};
use treemind_studio::{Change, Course, Show};

/// The files, and the one that is open.
pub(super) struct Theatre {
    library: Library,
    open: usize,
    game: Game,
    /// Whether the game was begun elsewhere, with its own map and seed: then no file is opened.
    is_guest: bool,
    reloading: Option<Reloading>,
}

impl Theatre {
    /// Plays the first file, and follows it when it changes.
    pub(super) fn new(library: Library) -> Self {
        let first = &library.entries()[0];
        let game = Game::open(first);
        let reloading = follow(first, &game);
        Self {
            library,
            open: 0,
            game,
            is_guest: false,
            reloading,
        }
    }

    /// Begins the file that is open anew.
    fn begin(&mut self) {
        let entry = &self.library.entries()[self.open];
        self.game = Game::open(entry);
        self.reloading = follow(entry, &self.game);
    }

    /// Shows a game that was begun elsewhere.
    pub(super) fn running(library: Library, game: Game, reloading: Option<Reloading>) -> Self {
        Self {
            library,
            open: 0,
            game,
            is_guest: true,
            reloading,
        }
    }
}

/// Follows a document on disk. A recording does not change, and neither do the examples in the program.
fn follow(entry: &Entry, game: &Game) -> Option<Reloading> {
    let path = entry.path().filter(|_| !entry.is_recording())?;
    match Reloading::of_file(path, game.names()) {
        Ok(reloading) => Some(reloading),
        Err(error) => {
            let (name, reason) = (&entry.name, io::reason(&error));
            io::tell(format!("changes of {name} are not followed: {reason}"));
            None
        }
    }
}

impl Show for Theatre {
    fn files(&self) -> Vec<String> {
        let entries = self.library.entries().iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    fn file(&self) -> String {
        self.library.entries()[self.open].name.clone()
    }

    fn open(&mut self, file: &str) -> bool {
        let Some(file) = self.library.find(file).filter(|_| !self.is_guest) else {
            return false;
        };
        self.open = file;
        self.begin();
        true
    }

    fn has_previews(&self) -> bool {
        !self.is_guest
    }

    fn preview(&self, file: &str) -> Option<Preview> {
        let entry = &self.library.entries()[self.library.find(file)?];
        let read = || {
            let document = entry.document().map_err(|failure| failure.sentence())?;
            let found = document.behaviour(None);
            found.map_err(|_| "the document has errors".to_owned())
        };
        // A recording may be too large to be read only for a picture.
        let (behaviour, wrong) = match entry.is_recording() {
            true => (None, None),
            false => match read() {
                Ok(behaviour) => (Some(definition(&behaviour)), None),
                Err(why) => (None, Some(why)),
            },
        };
        Some(Preview {
            file: file.to_owned(),
            behaviour,
            wrong,
        })
    }

    fn ticks_per_sec(&self) -> f64 {
        let stage = self.game.stage.as_ref();
        let dt = stage.map_or(TICK, |stage| stage.player().dt());
        1.0 / dt.as_secs_f64()
    }

    fn secs_at(&self, tick: u64) -> f64 {
        match &self.game.stage {
            Some(stage) => stage.player().secs_at(tick),
            None => treemind_arena::secs(tick),
        }
    }

    fn course(&self) -> Course {
        self.game.course()
    }

    fn revision(&self) -> u64 {
        self.game.revision() as u64
    }

    fn step(&mut self) -> bool {
        if let Some(town) = &mut self.game.town {
            town.step();
            return true;
        }
        self.game.stage.as_mut().is_some_and(|stage| stage.step())
    }

    fn seek(&mut self, tick: u64) {
        match (&mut self.game.stage, &mut self.game.town) {
            (Some(stage), _) => stage.reel.seek(tick),
            (None, Some(town)) => town.seek(tick),
            (None, None) => {}
        }
    }

    fn minds(&self) -> usize {
        if let Some(town) = &self.game.town {
            return town.minds();
        }
        let stage = self.game.stage.as_ref();
        stage.map_or(1, |stage| stage.player().minds().len())
    }

    fn behaviour(&self, nth: usize) -> Option<&Behaviour> {
        if let Some(town) = &self.game.town {
            return Some(town.behaviour());
        }
        let player = self.game.stage.as_ref()?.player();
        (nth < player.minds().len()).then(|| player.behaviour(nth))
    }

    fn mind(&self, nth: usize) -> Option<&Follower> {
        if let Some(town) = &self.game.town {
            return town.mind(nth);
        }
        let player = self.game.stage.as_ref()?.player();
        player.minds().get(nth).map(|mind| &**mind)
    }

    fn see(&self, see: &mut dyn FnMut(Seen<'_>)) {
        match (&self.game.stage, &self.game.town) {
            (Some(stage), _) => stage.player().see(see),
            (None, Some(town)) => town.see(see),
            (None, None) => {}
        }
    }

    fn look_around(&mut self) -> Option<Change> {
        let reloading = self.reloading.as_mut()?;
        if !self.game.plays() {
            if !reloading.has_changed() {
                return None;
            }
            self.begin();
            let name = self.file();
            let line = match &self.game.refusal {
                None => format!("{name} was read again, and plays from its beginning"),
                Some(why) => format!("{name} was read again, and does not play: {why}"),
            };
            return Some(Change {
                is_done: true,
                lines: vec![line],
            });
        }
        let before = self.game.reloads;
        let lines = reloading.look(&mut self.game);
        (!lines.is_empty()).then_some(Change {
            is_done: self.game.reloads != before,
            lines,
        })
    }

    fn set(&mut self, mind: usize, key: &str, text: &str) -> Result<(), String> {
        match &mut self.game.town {
            Some(town) => town.set(mind, key, text),
            None => self.game.set(mind, key, text),
        }
    }

    fn definition(&self, mind: usize) -> Definition {
        let draft = self.reloading.as_ref().and_then(Reloading::draft);
        Definition {
            draft: draft.map(|draft| protocol::Draft {
                texts: texts(&draft.texts),
                problems: problems(&draft.problems),
            }),
            ..self.game.definition(mind)
        }
    }

    fn view(&mut self, wish: &Wish) -> Moment {
        self.game.view(wish)
    }
}
