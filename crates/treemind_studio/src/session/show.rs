//! What a session shows.

use crate::clock::Instant;
use crate::editing::Author;
use treemind_core::Behaviour;
use treemind_doc::Said;
use treemind_doc::edit::Version;
use treemind_doc::said;
use treemind_replay::follow::{Follower, Seen, Typed};
use treemind_replay::history::Chore;
use treemind_replay::view::Wish;
use treemind_replay::view::protocol::{
    Advice, Beside, Caret, Completions, Definition, EarlierRun, Edit, Fits, Folder, Held, Hover,
    MapEdit, MapSheet, Moment, Origin, Preview, Sheet, Stretch, Stub, TestAsk, Tests,
    UnwrittenText, Wanted,
};

/// Which ticks there are, and which one is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The tick that is shown.
    pub tick: u64,
    /// The earliest tick that can be reached again.
    pub first: u64,
    /// The last tick that was played, or that a game which runs elsewhere has reached.
    pub last: u64,
    /// The last tick of a recording.
    pub end: Option<u64>,
    /// Whether it plays at all.
    pub plays: bool,
    /// Whether the ticks come from a game that runs elsewhere, up to `last`.
    pub is_live: bool,
}

/// What the last change of a document did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whether it is played, or has errors.
    pub is_done: bool,
    /// What it did, or why nothing has changed; nothing if there is nothing to say.
    pub lines: Vec<Said>,
}

impl Change {
    /// A change that is played.
    pub(crate) fn done(line: Said) -> Self {
        Self {
            is_done: true,
            lines: vec![line],
        }
    }
}

/// How a game that runs elsewhere, and lets pages control it, makes its ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// As it likes.
    #[default]
    Free,
    /// Each when the one before has been shown, so that a breakpoint stops the game in its tick.
    Shown,
    /// None, but for those that a page asks for one by one.
    Still,
}

/// The files that pages can open: documents, recordings, or games that run elsewhere.
pub trait Files {
    /// Their names.
    fn names(&self) -> Vec<String>;

    /// Whether there is one with this name: one of [`names`](Self::names), or one that is not listed, such as a test that is
    /// played.
    fn has(&self, name: &str) -> bool {
        self.names().iter().any(|known| known == name)
    }

    /// Looks for files that have appeared since. Asked when a page begins, and when one lists the files.
    fn look_again(&mut self) {}

    /// Opens one of them. It is only called with a name that there is, and with an empty one if there are no files at the
    /// beginning.
    fn open(&mut self, name: &str) -> Box<dyn Show>;

    /// What plays of a file that is open, if another file has taken its place since it was opened. Asked again and again.
    fn replaced(&mut self, name: &str) -> Option<Box<dyn Show>> {
        let _ = name;
        None
    }

    /// Whether it can say what a file defines without opening it.
    fn has_previews(&self) -> bool {
        false
    }

    /// What one of the files defines; `None` if that is not known.
    fn preview(&self, name: &str) -> Option<Preview> {
        let _ = name;
        None
    }

    /// The folder in which new documents are made; `None` if none can be made.
    fn folder(&self) -> Option<String> {
        None
    }

    /// Whether the folder that somebody wanted to see has no document and no recording, so that the files are others.
    fn is_folder_empty(&self) -> bool {
        false
    }

    /// What is in a folder; `opens` it, too: its documents can be opened from then on, and new ones made there. An empty name
    /// stands for all folders that are allowed.
    ///
    /// # Errors
    /// Why it cannot be opened, in a sentence.
    fn look_into(&mut self, folder: &str, opens: bool) -> Result<Folder, Said> {
        let _ = (folder, opens);
        Err(no_folders())
    }

    /// Makes a new document in a folder that was opened, or in the first one if that is empty. It can be opened from then on.
    /// Returns its name and what could not be taken over.
    ///
    /// # Errors
    /// Why it cannot be made, in a sentence.
    fn make(
        &mut self,
        folder: &str,
        name: &str,
        origin: &Origin,
    ) -> Result<(String, Vec<Said>), Said> {
        let _ = (folder, name, origin);
        Err(not_made())
    }

    /// The page of a word of the language at a place, or at all places, if there is one.
    fn word(&self, word: &str, place: &str) -> Option<String> {
        let _ = (word, place);
        None
    }

    /// A file with all that it imports.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    fn version(&self, name: &str) -> Result<Version, Said> {
        let _ = name;
        Err(no_text())
    }

    /// Whether they are parts of a game that runs elsewhere and does what [`control`](Self::control) says.
    fn is_controlled(&self) -> bool {
        false
    }

    /// Says how that game continues, how fast, as a multiple of real time, and whether its last tick has been shown.
    fn control(&mut self, pace: Pace, speed: f64, is_shown: bool) {
        let _ = (pace, speed, is_shown);
    }

    /// Has that game make one tick while it stands still.
    fn ask_for_tick(&mut self) {}
}

/// Why no folders can be opened.
pub fn no_folders() -> Said {
    said!("no folders can be opened here")
}

/// Why no documents can be made.
pub fn not_made() -> Said {
    said!("no documents can be made here")
}

fn unchanged() -> Said {
    said!("recordings cannot be changed: only a running game takes values and events")
}

fn not_tested() -> Said {
    said!("only documents have tests that can be run here")
}

fn no_text() -> Said {
    said!("only documents that are files can be compared")
}

fn not_edited() -> Said {
    said!("only documents that are files can be edited")
}

/// What plays of a file: it can go forward by a tick, and back.
pub trait Show {
    /// The name of the file.
    fn file(&self) -> String;

    /// How many ticks a second of the game has.
    fn ticks_per_sec(&self) -> f64;

    /// The time of the game after the tick that is shown, in seconds.
    fn secs(&self) -> f64 {
        self.course().tick as f64 / self.ticks_per_sec()
    }

    /// Which ticks there are.
    fn course(&self) -> Course;

    /// Which documents the agents run at the tick that is shown: another number for each reload.
    fn revision(&self) -> u64 {
        0
    }

    /// Plays a tick; returns whether there was one.
    fn step(&mut self) -> bool;

    /// Goes to what is kept nearest before a tick, back or forward. Does nothing where playing on is the shortest way.
    fn seek(&mut self, tick: u64);

    /// Until a moment, finds out what pages want to see and nobody waits for: what agents did before somebody looked at
    /// them. Called again and again while somebody looks.
    fn catch_up(&mut self, until: Instant) -> Chore {
        let _ = until;
        Chore::Idle
    }

    /// How many agents there are to look at, at least 1.
    fn minds(&self) -> usize;

    /// What an agent runs.
    fn behaviour(&self, nth: usize) -> Option<&Behaviour>;

    /// An agent that is followed.
    fn mind(&self, nth: usize) -> Option<&Follower>;

    /// Shows each population, and what its agents did in the last tick.
    fn see(&self, see: &mut dyn FnMut(Seen<'_>));

    /// If a document has changed, continues with it.
    fn look_around(&mut self) -> Option<Change> {
        None
    }

    /// Nobody looks at it any more: lets go of what plays. Returns whether something stays that is nowhere else, such as what
    /// was edited; if so, it is kept until somebody opens the file again.
    fn rest(&mut self) -> bool {
        false
    }

    /// After [`rest`](Self::rest), somebody opens the file again: it plays from its beginning.
    fn wake(&mut self) {}

    /// Tries again what could not be read or written; returns whether there is something new to see. Asked every two seconds,
    /// also while it rests.
    fn try_again(&mut self) -> bool {
        false
    }

    /// Another number with each change, if something of it is not on disk. For a page that has the document as it is edited
    /// (`has_sheet`), the texts of that do not count.
    fn unwritten_now(&self, has_sheet: bool) -> Option<u64> {
        let _ = has_sheet;
        None
    }

    /// What of it is not on disk.
    fn unwritten(&self, has_sheet: bool) -> Vec<UnwrittenText> {
        let _ = has_sheet;
        Vec::new()
    }

    /// Writes a key of an agent before the next tick, or sends it an event.
    ///
    /// # Errors
    /// Why that cannot be done, in a sentence.
    fn give(&mut self, mind: usize, typed: Typed) -> Result<(), Said> {
        let _ = (mind, typed);
        Err(unchanged())
    }

    /// Writes a key of an agent before each tick from the next on, whatever the game writes into it; without a text, no
    /// longer.
    ///
    /// # Errors
    /// Why it cannot be held, in a sentence.
    fn hold(&mut self, mind: usize, key: &str, text: Option<&str>) -> Result<(), Said> {
        let _ = (mind, key, text);
        Err(unchanged())
    }

    /// Does to the document what a page wants; `by` says which one.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    fn edit(&mut self, edit: &Edit, by: Author<'_>) -> Result<(), Said> {
        let _ = (edit, by);
        Err(not_edited())
    }

    /// Whether something can be done to the document.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    fn may_edit(&mut self, edit: &Edit) -> Result<(), Said> {
        let _ = edit;
        Err(not_edited())
    }

    /// Works something out for a decision tree of the document, and remembers it until it is accepted.
    ///
    /// # Errors
    /// Why that cannot be done, in a sentence.
    fn advise(&mut self, wanted: &Wanted) -> Result<Advice, Said> {
        let _ = wanted;
        Err(not_edited())
    }

    /// What may stand at a place of the document.
    ///
    /// # Errors
    /// Why that is not known, in a sentence.
    fn fits(&mut self, spot: Beside) -> Result<Fits, Said> {
        let _ = spot;
        Err(not_edited())
    }

    /// What could be written at a place of the document; the answer repeats `nth`.
    ///
    /// # Errors
    /// Why that is not known, in a sentence.
    fn complete(&mut self, nth: u64, caret: &Caret) -> Result<Completions, Said> {
        let _ = (nth, caret);
        Err(not_edited())
    }

    /// What there is to know of the thing at a place; the answer repeats `nth`.
    ///
    /// # Errors
    /// Why that is not known, in a sentence.
    fn hover(&mut self, nth: u64, caret: &Caret) -> Result<Hover, Said> {
        let _ = (nth, caret);
        Err(not_edited())
    }

    /// The files of the document with edits that are not saved.
    fn unsaved(&self) -> Vec<String> {
        Vec::new()
    }

    /// The document as it is edited, unless it still has this revision.
    fn sheet(&mut self, known: u64) -> Option<Sheet> {
        let _ = known;
        None
    }

    /// The map of the arena as it is edited, unless it still has this revision.
    fn map(&mut self, known: u64) -> Option<MapSheet> {
        let _ = known;
        None
    }

    /// Does to the map what a page wants; `by` is what the page is called.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    fn edit_map(&mut self, edit: &MapEdit, by: &str) -> Result<(), Said> {
        let _ = (edit, by);
        Err(said!("only documents that play in the arena have a map"))
    }

    /// Lets a leaf without code answer in a way from the next tick on: answers such as `S F R`, of which the last one
    /// repeats, or one of them drawn in each call; without any, the usual answer of its kind.
    ///
    /// # Errors
    /// Why it cannot, in a sentence.
    fn answer(&mut self, leaf: &str, answers: &str, is_random: bool) -> Result<(), Said> {
        let _ = (leaf, answers, is_random);
        Err(unchanged())
    }

    /// The leaves without code, and how each answers.
    fn stubs(&self) -> Vec<Stub> {
        Vec::new()
    }

    /// Runs tests of the document, or makes one of what happened. `by` says for which page; `None` if it may not edit.
    ///
    /// # Errors
    /// Why it cannot be done, in a sentence.
    fn test(&mut self, ask: &TestAsk, by: Option<Author<'_>>) -> Result<(), Said> {
        let _ = (ask, by);
        Err(not_tested())
    }

    /// Whether a test can be made of what happened in a stretch. What takes long to find out is said when it is made.
    ///
    /// # Errors
    /// Why not, in a sentence.
    fn may_make(&mut self, of: &Stretch) -> Result<(), Said> {
        let _ = of;
        Err(not_tested())
    }

    /// The tests of the document, unless they still have this revision.
    fn tests(&mut self, known: u64) -> Option<Tests> {
        let _ = known;
        None
    }

    /// Whether there is something new that pages did not ask for, such as the results of tests.
    fn has_news(&mut self) -> bool {
        false
    }

    /// Plays from the tick that is shown with the document as it is now, whatever it was then. What was played before is kept
    /// as the earlier run. Returns the last tick of that, and what the change of the document did.
    ///
    /// # Errors
    /// Why it cannot be played, in a sentence.
    fn again(&mut self) -> Result<(u64, Change), Said> {
        Err(said!("this cannot be played again with another document"))
    }

    /// The earlier run beside the one that is shown, as one agent did it; without the lanes if `known` is its number.
    fn earlier(&self, wish: &Wish, known: u64) -> Option<EarlierRun> {
        let _ = (wish, known);
        None
    }

    /// The document with all that it imports; before some of the last steps of its history, if it is asked for that.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    fn version(&mut self, steps_back: usize) -> Result<Version, Said> {
        let _ = steps_back;
        Err(no_text())
    }

    /// The document in the last commit, with all that it imports.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    fn committed(&mut self) -> Result<Version, Said> {
        Err(no_text())
    }

    /// The keys that are held.
    fn held(&self) -> Vec<Held> {
        Vec::new()
    }

    /// What does not change while it is open, as one agent sees it.
    fn definition(&self, mind: usize) -> Definition;

    /// What a page shows after the last tick.
    fn view(&mut self, wish: &Wish) -> Moment;
}
