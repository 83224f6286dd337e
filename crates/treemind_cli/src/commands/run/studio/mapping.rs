//! The map of a game, as pages edit it: its text, its history, and its file.

use super::super::map_beside;
use super::disk::Disk;
use crate::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use treemind_arena::{ACTOR_PROPERTIES, Cell, Kind, MapSide, MapText, Scenario, YARD};
use treemind_doc::Said;
use treemind_doc::edit::differing;
use treemind_doc::said;
use treemind_replay::view::protocol::{
    Done, Edge, MapEdit, MapProblem, MapSheet, MapSign, Remedy, Unsaved, UnwrittenText, Whose,
};
use treemind_studio::Shelf as _;
use treemind_studio::clock::Instant;

/// Who has done what was done outside of the studio.
const ANOTHER: &str = "";

/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// How many squares are painted at once: as many as a map can have.
const MOST_CELLS: usize = 1 << 16;
/// How long the text of a map may be, in bytes.
const LONGEST: usize = 1 << 20;

fn no_file() -> Said {
    said!("the document plays in the yard of the program: make a map of its own first")
}

/// Something that was done: where, and the bytes before and after.
struct Step {
    label: Said,
    by: String,
    at: usize,
    old: String,
    new: String,
}

/// The map that a document plays on.
pub(super) struct Mapping {
    document: PathBuf,
    /// The folder of the document.
    disk: Disk,
    /// Where its file is; `None` for the yard.
    file: Option<PathBuf>,
    text: String,
    /// The text as it was read or saved last.
    kept: String,
    /// The text that is played.
    played: String,
    revision: u64,
    /// The revision in which the text changed last.
    written: u64,
    /// The revision that pages have been told of.
    told: u64,
    done: Vec<Step>,
    undone: Vec<Step>,
    unsaved: Option<Unsaved>,
    /// What another program has written while something was not saved.
    theirs: Option<String>,
    looked: Instant,
}

impl Mapping {
    /// The map of a document, which is played already.
    pub(super) fn of(document: &Path, disk: Disk) -> Self {
        let file = map_beside(document);
        let (text, unsaved) = match file.as_deref().map(|file| read(file, &disk)) {
            None => (YARD.to_owned(), None),
            Some(Ok(text)) => (text.unwrap_or_default(), None),
            Some(Err(why)) => (String::new(), Some(Unsaved::failed(why))),
        };
        Self {
            document: document.to_owned(),
            disk,
            file,
            kept: text.clone(),
            played: text.clone(),
            text,
            revision: 1,
            written: 1,
            told: 1,
            done: Vec::new(),
            undone: Vec::new(),
            unsaved,
            theirs: None,
            looked: Instant::now(),
        }
    }

    /// What pages see of a map that cannot be edited.
    pub(super) fn still(text: &str, why: Said) -> MapSheet {
        let mut sheet = Self {
            document: PathBuf::new(),
            disk: Disk::default(),
            file: None,
            text: text.to_owned(),
            kept: String::new(),
            played: String::new(),
            revision: 1,
            written: 1,
            told: 1,
            done: Vec::new(),
            undone: Vec::new(),
            unsaved: None,
            theirs: None,
            looked: Instant::now(),
        }
        .sheet(Vec::new());
        sheet.refusal = Some(why);
        sheet
    }

    /// The map waits until the document can be played.
    pub(super) fn wait(&mut self) {
        self.played.clear();
    }

    /// Does what a page wants, and saves it.
    pub(super) fn edit(&mut self, edit: &MapEdit, by: &str) -> Result<(), Said> {
        self.look();
        match edit {
            MapEdit::Undo => self.undo()?,
            MapEdit::Redo => self.redo()?,
            MapEdit::Begin => return self.begin(),
            MapEdit::Settle { whose } => self.settle(*whose)?,
            MapEdit::Save => {}
            MapEdit::Text { base, .. } if *base < self.written => {
                return Err(said!(
                    "the map has changed since this was typed; it is not written over"
                ));
            }
            edit => {
                self.file.as_ref().ok_or_else(no_file)?;
                let text = changed(&self.text, edit)?;
                if text.len() > LONGEST {
                    return Err(said!("the text of a map has at most one megabyte"));
                }
                self.put(&text, label(edit), by);
            }
        }
        self.save();
        Ok(())
    }

    /// Makes a file of the yard beside the document.
    fn begin(&mut self) -> Result<(), Said> {
        if let Some(file) = &self.file {
            let name = io::display_name(file);
            return Err(said!("the document has a map already: {}", name));
        }
        let file = self.document.with_extension("map");
        super::new_file::write_new(&file, &self.text)?;
        self.file = Some(file);
        self.revision += 1;
        Ok(())
    }

    /// Puts another text in the place of this one, as a step of the history.
    fn put(&mut self, text: &str, label: Said, by: &str) {
        let Some((range, new)) = differing(&self.text, text) else {
            return;
        };
        self.done.push(Step {
            label,
            by: by.to_owned(),
            at: range.start,
            old: self.text[range].to_owned(),
            new: new.to_owned(),
        });
        self.undone.clear();
        text.clone_into(&mut self.text);
        self.turn();
    }

    /// The text is another one.
    fn turn(&mut self) {
        self.revision += 1;
        self.written = self.revision;
    }

    fn undo(&mut self) -> Result<(), Said> {
        let step = self
            .done
            .pop()
            .ok_or_else(|| said!("there is nothing to undo"))?;
        let range = step.at..step.at + step.new.len();
        self.text.replace_range(range, &step.old);
        self.undone.push(step);
        self.turn();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), Said> {
        let step = self
            .undone
            .pop()
            .ok_or_else(|| said!("there is nothing to redo"))?;
        let range = step.at..step.at + step.old.len();
        self.text.replace_range(range, &step.new);
        self.done.push(step);
        self.turn();
        Ok(())
    }

    /// After another program has changed the file, too: says which text counts.
    fn settle(&mut self, whose: Whose) -> Result<(), Said> {
        let Some(theirs) = self.theirs.take() else {
            return match (self.is_gone(), whose) {
                (true, Whose::Mine) => self.write(),
                _ => Err(said!("this is settled already")),
            };
        };
        self.kept.clone_from(&theirs);
        if whose == Whose::Theirs {
            self.put(&theirs, said!("change on disk"), ANOTHER);
        }
        self.revision += 1;
        Ok(())
    }

    /// Whether pages have been told that the file is gone.
    fn is_gone(&self) -> bool {
        let gone = self.file.as_deref().map(|file| Unsaved::gone(&named(file)));
        gone.is_some() && gone == self.unsaved
    }

    /// Writes the file as it is here.
    fn write(&mut self) -> Result<(), Said> {
        let file = self.file.as_deref().ok_or_else(no_file)?;
        self.disk.write(&named(file), &self.text)?;
        self.kept.clone_from(&self.text);
        Ok(())
    }

    /// Writes the file, if it still is what was read.
    fn save(&mut self) {
        let unsaved = self.try_save().err();
        if unsaved != self.unsaved {
            self.unsaved = unsaved;
            self.revision += 1;
        }
    }

    fn try_save(&mut self) -> Result<(), Unsaved> {
        let is_kept = self.text == self.kept;
        let Some(file) = self.file.as_deref().filter(|_| !is_kept || self.is_gone()) else {
            return Ok(());
        };
        let name = named(file);
        match read(file, &self.disk).map_err(Unsaved::failed)? {
            // It is written again when somebody says so.
            None => return Err(Unsaved::gone(&name)),
            Some(_) if is_kept => return Ok(()),
            Some(text) if text == self.text => {}
            Some(text) if text == self.kept => {
                let replaced = self.disk.replace(&name, &self.kept, &self.text);
                if !replaced.map_err(Unsaved::failed)? {
                    return Err(Unsaved::changed_twice(&name));
                }
            }
            Some(text) => {
                self.theirs = Some(text);
                return Err(Unsaved::changed_twice(&name));
            }
        }
        self.kept.clone_from(&self.text);
        Ok(())
    }

    /// Whether something keeps it from being saved.
    pub(super) fn is_unsaved(&self) -> bool {
        self.unsaved.is_some()
    }

    /// Its text, if that is not on disk.
    pub(super) fn unwritten(&self) -> Option<UnwrittenText> {
        let file = self.file.as_deref().filter(|_| self.text != self.kept)?;
        Some(UnwrittenText {
            name: io::display_name(file),
            text: self.text.clone(),
            saved: self.kept.clone(),
        })
    }

    /// Whether something was done here that is nowhere else: edits, or their history.
    pub(super) fn is_touched(&self) -> bool {
        self.is_unsaved() || !self.done.is_empty() || !self.undone.is_empty()
    }

    /// Tries again to write what could not be written. Returns whether there is something new to see.
    pub(super) fn try_again(&mut self) -> bool {
        let unsaved = self.unsaved.as_ref();
        if unsaved.is_none_or(|unsaved| unsaved.remedy != Remedy::Retry) {
            return false;
        }
        let before = self.revision;
        self.look();
        // What could not be read has nothing to write.
        if self.text != self.kept {
            self.save();
        }
        self.revision != before
    }

    /// Takes over what another program has written. Where something waits to be saved, that is said, and nothing is lost.
    fn look(&mut self) {
        self.looked = Instant::now();
        if self.file.is_none() {
            // Somebody may have made one.
            let file = map_beside(&self.document);
            let Some(file) = file else { return };
            self.file = Some(file);
            self.revision += 1;
        }
        let file = self.file.as_deref().unwrap_or(Path::new(""));
        let name = named(file);
        // Written into the file that was replaced here: as if it had come a moment later.
        if let Some([was, theirs]) = self.disk.late(&name)
            && self.disk.replace(&name, &self.kept, &theirs) == Ok(true)
        {
            self.kept = was;
        }
        let text = match read(file, &self.disk) {
            Ok(Some(text)) => text,
            Ok(None) if self.unsaved.is_none() => {
                self.unsaved = Some(Unsaved::gone(&name));
                self.revision += 1;
                return;
            }
            _ => return,
        };
        if self.is_gone() {
            self.unsaved = None;
            self.revision += 1;
        }
        if text == self.kept {
            // What was done while it was gone.
            if self.text != self.kept && self.unsaved.is_none() {
                self.save();
            }
            return;
        }
        if self.text == self.kept || self.text == text {
            self.kept.clone_from(&text);
            self.put(&text, said!("change on disk"), ANOTHER);
            self.unsaved = None;
            self.theirs = None;
        } else if self.theirs.as_ref() != Some(&text) {
            self.theirs = Some(text);
            self.unsaved = Some(Unsaved::changed_twice(&name));
        } else {
            return;
        }
        self.revision += 1;
    }

    /// The map that is to be played from now on, if it is another one than before: or why it cannot be played.
    pub(super) fn news(&mut self) -> Option<Result<(), Said>> {
        if self.looked.elapsed() > LOOK_EVERY {
            self.look();
        }
        if self.text != self.kept || self.text == self.played {
            return None;
        }
        let is_same = |old: &Scenario, new: &Scenario| timeless(old) == timeless(new);
        let before = Scenario::parse(&self.played);
        self.played.clone_from(&self.text);
        match Scenario::parse(&self.text) {
            Err(error) => Some(Err(error.said())),
            // Only a comment, or the layout.
            Ok(new) if before.is_ok_and(|old| is_same(&old, &new)) => None,
            Ok(_) => Some(Ok(())),
        }
    }

    /// Whether something has changed since this was asked last.
    pub(super) fn has_news(&mut self) -> bool {
        std::mem::replace(&mut self.told, self.revision) != self.revision
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// What pages see of it. `minds` are what actors can follow.
    pub(super) fn sheet(&self, minds: Vec<String>) -> MapSheet {
        let map = MapText::new(self.text.clone());
        let problem = Scenario::parse(&self.text).err().map(|error| MapProblem {
            line: error.line(),
            text: error.said(),
        });
        let done = |step: &Step| Done {
            label: step.label.clone(),
            by: step.by.clone(),
        };
        let rows = map.rows().unwrap_or_default().into_iter();
        let file = self.file.as_deref().map(io::display_name);
        let properties = ACTOR_PROPERTIES.into_iter();
        MapSheet {
            revision: self.revision,
            refusal: file.is_none().then(no_file),
            file: file.unwrap_or_default(),
            rows: rows.map(str::to_owned).collect(),
            legend: map
                .legend()
                .unwrap_or_default()
                .into_iter()
                .map(sign)
                .collect(),
            problem,
            undo: self.done.last().map(done),
            redo: self.undone.last().map(done),
            unsaved: self.unsaved.clone(),
            theirs: self.theirs.clone(),
            minds,
            things: Kind::ALL.map(|kind| kind.word().to_owned()).to_vec(),
            properties: properties
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            text: map.text().to_owned(),
        }
    }
}

fn named(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

/// The text of a map; `None` if it is gone.
fn read(file: &Path, disk: &Disk) -> Result<Option<String>, Said> {
    disk.may_touch(file)?;
    io::read_if_there(file, LONGEST as u64)
}

/// What a map says, without where it says it.
fn timeless(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.script.iter_mut().for_each(|cue| cue.line = 0);
    scenario
}

fn sign(of: treemind_arena::LegendLine) -> MapSign {
    MapSign {
        sign: of.signs.0,
        last: of.signs.1,
        word: of.word,
        name: of.name,
        properties: of.properties,
    }
}

/// The text of a map after an edit of it.
fn changed(text: &str, edit: &MapEdit) -> Result<String, Said> {
    let map = MapText::new(text);
    let cell = |(x, y): (i32, i32)| Cell { x, y };
    let changed = match edit {
        MapEdit::Paint { cells, .. } if cells.len() > MOST_CELLS => {
            return Err(said!("`paint` has at most {} `cells`", MOST_CELLS));
        }
        MapEdit::Paint { cells, sign } => {
            let cells: Vec<Cell> = cells.iter().map(|place| cell(*place)).collect();
            map.paint(&cells, *sign)
        }
        MapEdit::Move { from, to } => map.move_mark(cell(*from), cell(*to)),
        MapEdit::Put { cell: place, words } => map.put(cell(*place), words).map(|(map, _)| map),
        MapEdit::Set { sign, name, value } => map.set(*sign, name, value.as_deref()),
        MapEdit::Rename { sign, name } => map.rename(*sign, name),
        MapEdit::Remove { sign } => map.remove(*sign),
        MapEdit::Grow { edge } => map.grow(match edge {
            Edge::North => MapSide::North,
            Edge::East => MapSide::East,
            Edge::South => MapSide::South,
            Edge::West => MapSide::West,
        }),
        MapEdit::Text { text, .. } => return Ok(text.clone()),
        MapEdit::Undo | MapEdit::Redo | MapEdit::Begin | MapEdit::Save | MapEdit::Settle { .. } => {
            Ok(map)
        }
    };
    let changed = changed.map_err(|error| error.said())?;
    Ok(changed.text().to_owned())
}

/// What an edit is called in the history.
fn label(edit: &MapEdit) -> Said {
    match edit {
        MapEdit::Paint { sign: '#', .. } => said!("build walls"),
        MapEdit::Paint { sign: '.', .. } => said!("clear the floor"),
        MapEdit::Paint { sign, .. } => said!("paint {}", *sign),
        MapEdit::Move { .. } => said!("move"),
        MapEdit::Put { words, .. } => said!("put {}", words),
        MapEdit::Set { sign, name, .. } => said!("set {} of {}", name, *sign),
        MapEdit::Rename { sign, name } => said!("rename {} to {}", *sign, name),
        MapEdit::Remove { sign } => said!("remove {}", *sign),
        MapEdit::Grow { .. } => said!("enlarge"),
        _ => said!("type"),
    }
}
