//! The files that are open.

use super::super::course::Plays as _;
use super::super::reloading::{Reloading, told};
use super::advice::{self, Found};
use super::commit;
use super::desk::{Desk, Shared};
use super::filming::Films;
use super::game::Game;
use super::library::{Entry, Library};
use super::mapping::Mapping;
use super::recorded::Film;
use super::renamed::{self, Renamed};
use super::replaced::Marks;
use super::testing::Testing;
use crate::io::{self, Failure};
use std::path::PathBuf;
use treemind_arena::TICK;
use treemind_core::Behaviour;
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_doc::said;
use treemind_replay::follow::{Follower, Seen, Typed};
use treemind_replay::view::protocol::{
    self, Advice, Beside, Caret, Completions, Definition, EarlierRun, Edit, Fits, Held, Hover,
    MapEdit, MapSheet, Moment, Sheet, Stretch, Stub, TestAsk, Tests, UnwrittenText, Wanted,
};
use treemind_replay::view::{Wish, problems, texts};
use treemind_studio::{Author, Change, Course, Editing, Show, clock, compared, no_token};

/// Why an example cannot be edited.
pub(super) fn example() -> Said {
    said!("this is an example in the program: `treemind new` writes a copy that can be edited")
}

fn untested() -> Said {
    said!("a recording has no tests that can be run")
}

/// The files.
pub(super) struct Theatre {
    pub(super) library: Shared,
    /// A game that was begun elsewhere, with its own map and seed, until it is opened: then there is no other file.
    pub(super) guest: Option<Opened>,
    pub(super) has_previews: bool,
    /// The tests that are played.
    pub(super) films: Films,
    /// The recordings that were opened.
    pub(super) marks: Marks,
}

/// A file that is open: what plays, and what follows its document.
pub(super) struct Opened {
    pub(super) entry: Entry,
    /// The files beside it.
    library: Option<Shared>,
    pub(super) game: Game,
    reloading: Option<Reloading>,
    /// The recording that it plays, if it is one.
    film: Option<Film>,
    /// The document, since a page has begun to edit it; or why it cannot be edited.
    pub(super) editing: Option<Result<(Editing, Desk), Said>>,
    /// Its tests, unless it is a recording.
    testing: Option<Testing>,
    /// What was worked out last, and its number.
    advice: Option<(u64, Found)>,
    /// Its map, if it can be edited.
    pub(super) mapping: Option<Mapping>,
    /// The keys that pages have renamed since the last reload.
    renamed: Renamed,
}

impl Theatre {
    /// Plays files.
    pub(super) fn new(library: Library) -> Self {
        Self {
            library: Shared::of(library),
            guest: None,
            has_previews: true,
            films: Films::default(),
            marks: Marks::default(),
        }
    }

    /// Shows a game of a file that was begun elsewhere.
    pub(super) fn running(file: PathBuf, game: Game, reloading: Option<Reloading>) -> Self {
        let library = Library::only(file);
        let entry = library.entries()[0].clone();
        let library = Shared::of(library);
        let films = Films::default();
        Self {
            library: library.clone(),
            guest: Some(Opened {
                library: Some(library),
                testing: Some(Testing::new(entry.clone(), films.clone())),
                entry,
                game,
                reloading,
                film: None,
                editing: None,
                advice: None,
                mapping: None,
                renamed: Renamed::default(),
            }),
            has_previews: false,
            films,
            marks: Marks::default(),
        }
    }
}

impl Opened {
    /// A recording that cannot be shown.
    pub(super) fn refused(entry: Entry, failure: Failure) -> Self {
        Self {
            game: Game::refused(failure),
            library: None,
            entry,
            reloading: None,
            film: None,
            editing: None,
            testing: None,
            advice: None,
            mapping: None,
            renamed: Renamed::default(),
        }
    }

    /// A game in the arena that was recorded.
    pub(super) fn recorded(entry: Entry, game: Game, film: Film) -> Self {
        Self {
            entry,
            library: None,
            game,
            reloading: None,
            film: Some(film),
            editing: None,
            testing: None,
            advice: None,
            mapping: None,
            renamed: Renamed::default(),
        }
    }

    pub(super) fn new(entry: Entry, films: Films, library: Shared) -> Self {
        let game = Game::open(&entry);
        let reloading = follow(&entry, &game);
        Self {
            testing: Some(Testing::new(entry.clone(), films)),
            mapping: entry.path().map(|path| Mapping::of(path, entry.disk())),
            entry,
            library: Some(library),
            game,
            reloading,
            film: None,
            editing: None,
            advice: None,
            renamed: Renamed::default(),
        }
    }

    /// Begins to edit the document, if no page has done so yet. What cannot be edited is not read again for each page that
    /// asks, but when it has changed.
    fn editing(&mut self) -> Result<&mut (Editing, Desk), Said> {
        if self.editing.is_none() {
            self.editing = Some(self.edited());
        }
        let editing = self.editing.as_mut().expect("it was just begun");
        editing.as_mut().map_err(|why| why.clone())
    }

    /// The document, if a page has begun to edit it.
    fn edited_now(&self) -> Option<&Editing> {
        let (editing, _) = self.editing.as_ref()?.as_ref().ok()?;
        Some(editing)
    }

    fn edited(&self) -> Result<(Editing, Desk), Said> {
        self.entry.path().ok_or_else(example)?;
        // Of a document that cannot be read this is the reason, and not that nothing follows it.
        let document = self.entry.document();
        let document = document.map_err(Failure::sentence)?;
        self.reloading.as_ref().ok_or_else(|| {
            said!("the game does not follow its document; start it with `--watch` to edit")
        })?;
        let mut desk = Desk::of(&self.entry, self.library.clone());
        let mut editing = Editing::new(document)?;
        editing.follow_others(&mut desk);
        Ok((editing, desk))
    }

    /// Adds the test that is shown behind everything else that the document has.
    fn add_test(&mut self, by: Author<'_>) -> Result<(), Said> {
        let drafted = self.testing.as_ref().and_then(Testing::drafted);
        let text = drafted.ok_or_else(|| said!("no test was made"))?.to_owned();
        let (editing, disk) = self.editing()?;
        editing.append(&text, (said!("add a test"), by), disk)?;
        if let Some(testing) = &mut self.testing {
            testing.forget();
            testing.look_again();
        }
        Ok(())
    }

    /// Writes into the document what was worked out for it.
    fn accept(&mut self, nth: u64, by: Author<'_>) -> Result<(), Said> {
        let known = self.advice.take_if(|(known, _)| *known == nth);
        let (_, found) = known
            .ok_or_else(|| said!("something else was worked out since; look at that first"))?;
        let (editing, disk) = self.editing()?;
        let texts = found.texts.each_ref().map(String::as_str);
        editing.adopt(texts, found.label, by, disk)
    }

    /// The document has changed on disk.
    fn look_at_disk(&mut self) {
        match &mut self.editing {
            Some(Ok((editing, disk))) => editing.look_and_save(disk),
            Some(Err(_)) => self.editing = None,
            None => {}
        }
        if let Some(testing) = &mut self.testing {
            testing.look_again();
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
    let own = entry.clone();
    match Reloading::of_file(path, game.names(), move || own.stays()) {
        Ok(reloading) => Some(reloading),
        Err(error) => {
            let (name, reason) = (&entry.name, io::reason(&error));
            io::tell(format!("changes of {name} are not followed: {reason}"));
            None
        }
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
        if let Some(change) = self.look_at_map() {
            return Some(change);
        }
        let reloading = self.reloading.as_mut()?;
        if !self.game.plays() {
            if !reloading.has_changed() {
                return None;
            }
            self.game = Game::open(&self.entry);
            self.reloading = follow(&self.entry, &self.game);
            self.look_at_disk();
            let name = self.file();
            // Why it still does not play is shown beside it.
            let line = self
                .game
                .refusal
                .is_none()
                .then(|| said!("{} was read again, and plays from its beginning", name));
            return Some(Change {
                is_done: true,
                lines: line.into_iter().collect(),
            });
        }
        let before = self.game.reloads;
        let held = match &self.game.stage {
            Some(stage) => {
                let player = stage.player();
                let see = |tell: &mut dyn FnMut(Seen<'_>)| player.see(tell);
                self.renamed.held(player.course(), player.tick(), see)
            }
            None => Vec::new(),
        };
        let mut lines = reloading.look(&mut self.game);
        if self.game.reloads != before {
            lines.extend(self.renamed.settle(&held, &mut self.game));
        }
        if !lines.is_empty() {
            self.look_at_disk();
        }
        (!lines.is_empty()).then_some(Change {
            is_done: self.game.reloads != before,
            lines,
        })
    }

    fn rest(&mut self) -> bool {
        let is_edited = self.edited_now().is_some_and(Editing::is_touched);
        let stays = is_edited || self.mapping.as_ref().is_some_and(Mapping::is_touched);
        if stays {
            (self.game, self.reloading, self.advice) = (Game::default(), None, None);
            self.renamed = Renamed::default();
            if let Some(testing) = &mut self.testing {
                testing.rest();
            }
        }
        stays
    }

    fn wake(&mut self) {
        self.game = Game::open(&self.entry);
        self.reloading = follow(&self.entry, &self.game);
        self.look_at_disk();
    }

    fn unwritten_now(&self, has_sheet: bool) -> Option<u64> {
        let edited = self.edited_now().filter(|editing| !editing.is_on_disk());
        let mapped = self.mapping.as_ref().filter(|map| map.is_unsaved());
        if edited.is_none() && mapped.is_none() {
            return None;
        }
        let edited = edited.filter(|_| !has_sheet).map_or(0, Editing::revision);
        Some(edited << 32 | mapped.map_or(0, Mapping::revision))
    }

    fn unwritten(&self, has_sheet: bool) -> Vec<UnwrittenText> {
        let edited = self.edited_now().filter(|_| !has_sheet);
        let mapped = self.mapping.as_ref().and_then(Mapping::unwritten);
        let edited = edited.map(Editing::unwritten).unwrap_or_default();
        edited.into_iter().chain(mapped).collect()
    }

    fn try_again(&mut self) -> bool {
        let edited = self.editing.as_mut().and_then(|one| one.as_mut().ok());
        let is_new = edited.is_some_and(|(editing, disk)| editing.try_again(disk));
        self.mapping.as_mut().is_some_and(Mapping::try_again) || is_new
    }

    fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        self.game.give(mind, typed)
    }

    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        self.game.hold(mind, key, text)
    }

    fn answer(&mut self, leaf: &str, answers: &str, is_random: bool) -> Result<(), Said> {
        self.game.answer(leaf, answers, is_random)
    }

    fn stubs(&self) -> Vec<Stub> {
        self.game.stubs()
    }

    fn version(&mut self, steps_back: usize) -> Result<Version, Said> {
        if let Ok((editing, _)) = self.editing() {
            return editing.version_before(steps_back);
        }
        match steps_back {
            0 => Ok(self.entry.version().map_err(Failure::sentence)?),
            _ => Err(said!("nothing was edited yet")),
        }
    }

    fn map(&mut self, known: u64) -> Option<MapSheet> {
        self.map_sheet(known)
    }

    fn edit_map(&mut self, edit: &MapEdit, by: &str) -> Result<(), Said> {
        self.change_map(edit, by)
    }

    fn committed(&mut self) -> Result<Version, Said> {
        commit::committed(self.entry.path().ok_or_else(example)?)
    }

    fn held(&self) -> Vec<Held> {
        self.game.held()
    }

    fn edit(&mut self, edit: &Edit, by: Author<'_>) -> Result<(), Said> {
        if let Edit::Accept { nth } = edit {
            self.accept(*nth, by)?;
        } else {
            let (editing, disk) = self.editing()?;
            let before = renamed::named(editing.editor(), edit);
            editing.edit(edit, by, clock::since_1970(), disk)?;
            let after = renamed::named(editing.editor(), edit);
            self.renamed.note(&before, &after);
        }
        if let Some(testing) = &mut self.testing {
            testing.look_again();
        }
        Ok(())
    }

    fn test(&mut self, ask: &TestAsk, by: Option<Author<'_>>) -> Result<(), Said> {
        let testing = self.testing.as_mut().ok_or_else(untested)?;
        match ask {
            TestAsk::Run { ids } => testing.run(ids),
            TestAsk::Stop => testing.stop(),
            TestAsk::By { which } => testing.run_by(*which),
            TestAsk::Open { id } => testing.open(id)?,
            TestAsk::Draft { of } => {
                let happening = self.game.happening(of)?;
                let refusal = self.editing().err();
                let refusal = refusal.or_else(|| by.is_none().then(no_token));
                let testing = self.testing.as_mut().ok_or_else(untested)?;
                testing.make(of.clone(), happening, refusal);
            }
            TestAsk::Try { of } => self.may_make(of)?,
            TestAsk::Add => self.add_test(by.ok_or_else(no_token)?)?,
            TestAsk::Forget => testing.forget(),
        }
        Ok(())
    }

    fn may_make(&mut self, of: &Stretch) -> Result<(), Said> {
        if self.testing.is_none() {
            return Err(untested());
        }
        let document = self.entry.document();
        let document = document.map_err(Failure::sentence)?;
        self.game.may_make(of, &document)
    }

    fn tests(&mut self, known: u64) -> Option<Tests> {
        self.testing.as_mut()?.shown(known)
    }

    fn unsaved(&self) -> Vec<String> {
        match &self.editing {
            Some(Ok((editing, _))) => editing.unsaved(),
            _ => Vec::new(),
        }
    }

    fn has_news(&mut self) -> bool {
        let is_mapped = self.mapping.as_mut().is_some_and(Mapping::has_news);
        self.testing.as_mut().is_some_and(Testing::hear) || is_mapped
    }

    fn may_edit(&mut self, edit: &Edit) -> Result<(), Said> {
        self.editing()?.0.may_edit(edit)
    }

    fn advise(&mut self, wanted: &Wanted) -> Result<Advice, Said> {
        let entry = self.entry.clone();
        let found = advice::found(&entry, self.editing()?.0.editor(), wanted)?;
        let nth = self.advice.as_ref().map_or(1, |(nth, _)| nth + 1);
        let [before, after] = advice::differing(found.texts.each_ref().map(String::as_str));
        let [old, new] = found.texts.each_ref().map(Version::text);
        let advice = Advice {
            nth,
            label: found.label.clone(),
            told: found.told.clone(),
            before,
            after,
            nodes: compared(&old, &new)?,
        };
        self.advice = Some((nth, found));
        Ok(advice)
    }

    fn fits(&mut self, spot: Beside) -> Result<Fits, Said> {
        self.editing()?.0.fits(spot)
    }

    fn complete(&mut self, nth: u64, caret: &Caret) -> Result<Completions, Said> {
        self.editing()?.0.complete(nth, caret)
    }

    fn hover(&mut self, nth: u64, caret: &Caret) -> Result<Hover, Said> {
        self.editing()?.0.hover(nth, caret)
    }

    fn sheet(&mut self, known: u64) -> Option<Sheet> {
        let (editing, _) = self.editing().ok()?;
        (editing.revision() != known).then(|| editing.sheet())
    }

    fn again(&mut self) -> Result<(u64, Change), Said> {
        let errors = || said!("the document has errors: it cannot be played");
        let document = self.entry.document().map_err(Failure::sentence)?;
        let behaviour = document.behaviour(None).map_err(|_| errors())?;
        let (last, migrations) = self.game.again(behaviour, &document)?;
        let mut lines = told([], &migrations);
        let first = lines.remove(0);
        let tick = self.course().tick;
        let first = said!(
            "played again from tick {} with the document as it is now: {}",
            tick,
            first
        );
        let change = Change {
            is_done: true,
            lines: std::iter::once(first).chain(lines).collect(),
        };
        Ok((last, change))
    }

    fn earlier(&self, wish: &Wish, known: u64) -> Option<EarlierRun> {
        self.game.earlier(wish, known)
    }

    fn definition(&self, mind: usize) -> Definition {
        let draft = self.reloading.as_ref().and_then(Reloading::draft);
        Definition {
            draft: draft.map(|draft| protocol::Draft {
                texts: texts(&draft.texts),
                problems: problems(&draft.problems),
            }),
            is_in_git: self.entry.path().is_some_and(commit::is_in_git),
            ..self.game.definition(mind)
        }
    }

    fn view(&mut self, wish: &Wish) -> Moment {
        self.game.view(wish)
    }
}
