//! The files that the studio may open, and those that are open.

use super::super::reloading::Reloading;
use super::advice::{self, Found};
use super::disk::Disk;
use super::game::Game;
use super::library::{Entry, Library};
use super::recorded::{self, Film};
use super::{commit, making};
use crate::commands::words::page;
use crate::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use treemind_arena::TICK;
use treemind_core::Behaviour;
use treemind_replay::follow::{Follower, Seen};
use treemind_replay::view::protocol::{
    self, Advice, Beside, Definition, Edit, Fits, Held, Moment, Origin, Preview, Sheet, Wanted,
};
use treemind_replay::view::{Wish, definition, problems, texts};
use treemind_studio::{Change, Course, Editing, Files, Show};

const UNFOLLOWED: &str = "the game does not follow its document; start it with `--watch` to edit";
const EXAMPLE: &str =
    "this is an example in the program: `treemind new` writes a copy that can be edited";

/// The files.
pub(super) struct Theatre {
    library: Library,
    /// A game that was begun elsewhere, with its own map and seed, until it is opened: then there is no other file.
    guest: Option<Opened>,
    has_previews: bool,
}

/// A file that is open: what plays, and what follows its document.
pub(super) struct Opened {
    entry: Entry,
    game: Game,
    reloading: Option<Reloading>,
    /// The recording that it plays, if it is one.
    film: Option<Film>,
    /// The document, since a page has begun to edit it; or why it cannot be edited.
    editing: Option<Result<(Editing, Disk), String>>,
    /// What was worked out last, and its number.
    advice: Option<(u64, Found)>,
}

impl Theatre {
    /// Plays files.
    pub(super) fn new(library: Library) -> Self {
        Self {
            library,
            guest: None,
            has_previews: true,
        }
    }

    /// Shows a game of a file that was begun elsewhere.
    pub(super) fn running(file: PathBuf, game: Game, reloading: Option<Reloading>) -> Self {
        let library = Library::only(file);
        let entry = library.entries()[0].clone();
        Self {
            library,
            guest: Some(Opened {
                entry,
                game,
                reloading,
                film: None,
                editing: None,
                advice: None,
            }),
            has_previews: false,
        }
    }
}

impl Opened {
    /// A game in the arena that was recorded.
    pub(super) fn recorded(entry: Entry, game: Game, film: Film) -> Self {
        Self {
            entry,
            game,
            reloading: None,
            film: Some(film),
            editing: None,
            advice: None,
        }
    }

    fn new(entry: Entry) -> Self {
        let game = Game::open(&entry);
        let reloading = follow(&entry, &game);
        Self {
            entry,
            game,
            reloading,
            film: None,
            editing: None,
            advice: None,
        }
    }

    /// Begins to edit the document, if no page has done so yet. What cannot be edited is not read again for each page that
    /// asks, but when it has changed.
    fn editing(&mut self) -> Result<&mut (Editing, Disk), String> {
        if self.editing.is_none() {
            self.editing = Some(self.edited());
        }
        let editing = self.editing.as_mut().expect("it was just begun");
        editing.as_mut().map_err(|why| why.clone())
    }

    fn edited(&self) -> Result<(Editing, Disk), String> {
        let path = self.entry.path().ok_or(EXAMPLE)?;
        self.reloading.as_ref().ok_or(UNFOLLOWED)?;
        let disk = Disk::of(path).map_err(|error| io::reason(&error))?;
        let document = self.entry.document();
        let document = document.map_err(|failure| failure.sentence())?;
        Ok((Editing::new(document)?, disk))
    }

    /// Writes into the document what was worked out for it.
    fn accept(&mut self, nth: u64, by: &str) -> Result<(), String> {
        let known = self.advice.take_if(|(known, _)| *known == nth);
        let (_, found) = known.ok_or("something else was worked out since; look at that first")?;
        let (editing, disk) = self.editing()?;
        let texts = found.texts.each_ref().map(String::as_str);
        editing.adopt(texts, &found.label, by, disk)
    }

    /// The document has changed on disk.
    fn look_at_disk(&mut self) {
        match &mut self.editing {
            Some(Ok((editing, disk))) => editing.look_and_save(disk),
            Some(Err(_)) => self.editing = None,
            None => {}
        }
    }

    /// Continues with what has been recorded since.
    fn grow(&mut self) -> Option<Change> {
        let film = self.film.as_mut()?;
        let grown = film.look_again().transpose()?;
        let done = grown.and_then(|end| self.game.grow(film.recording(), end));
        let told = done.err()?.sentence();
        Some(Change {
            is_done: true,
            lines: vec![told],
        })
    }
}

/// Follows a document on disk. The examples in the program do not change.
fn follow(entry: &Entry, game: &Game) -> Option<Reloading> {
    let path = entry.path()?;
    match Reloading::of_file(path, game.names()) {
        Ok(reloading) => Some(reloading),
        Err(error) => {
            let (name, reason) = (&entry.name, io::reason(&error));
            io::tell(format!("changes of {name} are not followed: {reason}"));
            None
        }
    }
}

impl Files for Theatre {
    fn names(&self) -> Vec<String> {
        let entries = self.library.entries().iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    fn open(&mut self, name: &str) -> Box<dyn Show> {
        if let Some(guest) = self.guest.take() {
            return Box::new(guest);
        }
        let nth = self.library.find(name).unwrap_or(0);
        let entry = self.library.entries()[nth].clone();
        if !entry.is_recording() {
            return Box::new(Opened::new(entry));
        }
        recorded::open(&entry).unwrap_or_else(|failure| {
            Box::new(Opened {
                game: Game::refused(failure),
                entry,
                reloading: None,
                film: None,
                editing: None,
                advice: None,
            })
        })
    }

    fn has_previews(&self) -> bool {
        self.has_previews
    }

    fn can_make(&self) -> bool {
        self.library.folder().is_some()
    }

    fn make(&mut self, name: &str, origin: &Origin) -> Result<(String, Vec<String>), String> {
        let folder = self.library.folder();
        let folder = folder.ok_or("no documents can be made here")?.to_owned();
        let (text, lost) = making::text(name, origin, |file| Files::text(self, file))?;
        let path = making::write(&folder, name, &text)?;
        Ok((self.library.add(path), lost))
    }

    fn word(&self, word: &str) -> Option<String> {
        page(word)
    }

    fn text(&self, name: &str) -> Result<String, String> {
        let nth = self.library.find(name).ok_or("there is no such file")?;
        let entry = &self.library.entries()[nth];
        if entry.is_recording() {
            return Err(format!("{name} is a recording"));
        }
        entry.text().map_err(|failure| failure.sentence())
    }

    fn preview(&self, name: &str) -> Option<Preview> {
        let entry = &self.library.entries()[self.library.find(name)?];
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
            file: name.to_owned(),
            behaviour,
            wrong,
        })
    }
}

impl Show for Opened {
    fn file(&self) -> String {
        self.entry.name.clone()
    }

    fn ticks_per_sec(&self) -> f64 {
        1.0 / TICK.as_secs_f64()
    }

    fn secs(&self) -> f64 {
        treemind_arena::secs(self.course().tick)
    }

    fn course(&self) -> Course {
        self.game.course()
    }

    fn revision(&self) -> u64 {
        self.game.revision() as u64
    }

    fn step(&mut self) -> bool {
        if let Some(town) = &mut self.game.town {
            return town.step();
        }
        self.game.stage.as_mut().is_some_and(|stage| stage.step())
    }

    fn seek(&mut self, tick: u64) {
        match (&mut self.game.stage, &mut self.game.town) {
            (Some(stage), _) => stage.reel.seek(tick),
            (None, Some(town)) => town.reel.seek(tick),
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
            return Some(town.player().behaviour());
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
        if self.film.is_some() {
            return self.grow();
        }
        let reloading = self.reloading.as_mut()?;
        if !self.game.plays() {
            if !reloading.has_changed() {
                return None;
            }
            let editing = self.editing.take();
            *self = Self::new(self.entry.clone());
            self.editing = editing;
            self.look_at_disk();
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
        if !lines.is_empty() {
            self.look_at_disk();
        }
        (!lines.is_empty()).then_some(Change {
            is_done: self.game.reloads != before,
            lines,
        })
    }

    fn set(&mut self, mind: usize, key: &str, text: &str) -> Result<(), String> {
        self.game.set(mind, key, text)
    }

    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), String> {
        self.game.hold(mind, key, text)
    }

    fn text(&mut self, steps_back: usize) -> Result<String, String> {
        if let Ok((editing, _)) = self.editing() {
            return editing.text_before(steps_back);
        }
        match steps_back {
            0 => self.entry.text().map_err(|failure| failure.sentence()),
            _ => Err("nothing was edited yet".to_owned()),
        }
    }

    fn committed(&mut self) -> Result<String, String> {
        commit::committed(self.entry.path().ok_or(EXAMPLE)?)
    }

    fn held(&self) -> Vec<Held> {
        self.game.held()
    }

    fn edit(&mut self, edit: &Edit, by: &str) -> Result<(), String> {
        if let Edit::Accept { nth } = edit {
            return self.accept(*nth, by);
        }
        let (editing, disk) = self.editing()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        editing.edit(edit, by, now.unwrap_or_default(), disk)
    }

    fn may_edit(&mut self, edit: &Edit) -> Result<(), String> {
        self.editing()?.0.may_edit(edit)
    }

    fn advise(&mut self, wanted: &Wanted) -> Result<Advice, String> {
        let entry = self.entry.clone();
        let found = advice::found(&entry, self.editing()?.0.editor(), wanted)?;
        let nth = self.advice.as_ref().map_or(1, |(nth, _)| nth + 1);
        let [before, after] = advice::differing(found.texts.each_ref().map(String::as_str));
        let advice = Advice {
            nth,
            label: found.label.clone(),
            told: found.told.clone(),
            before,
            after,
        };
        self.advice = Some((nth, found));
        Ok(advice)
    }

    fn fits(&mut self, spot: Beside) -> Result<Fits, String> {
        self.editing()?.0.fits(spot)
    }

    fn sheet(&mut self, known: u64) -> Option<Sheet> {
        let (editing, _) = self.editing().ok()?;
        (editing.revision() != known).then(|| editing.sheet())
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
