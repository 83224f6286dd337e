//! Documents that pages edit.
//!
//! A page says what it means, such as "put this after that node"; what that does to the text is up to
//! [`treemind_doc::edit`]. All pages edit one text, with one history: what one of them does, the others see and can undo.

mod assist;
mod edits;
mod keeping;
mod lately;
mod ledger;
mod others;
mod selections;
mod sheet;
mod steps;
mod words;
mod written;

pub use keeping::Shelf;
pub use ledger::Ledger;
pub use selections::Author;
pub(crate) use words::words;

use lately::Lately;
use others::Other;
use std::collections::HashMap;
use std::time::Duration;
use treemind_doc::Document;
use treemind_doc::Said;
use treemind_doc::edit::{Change, Conflict, Editor, History, Side, Version};
use treemind_doc::said;
use treemind_replay::view::protocol::{Beside, Edit, Fit, Fits, Selection, Unsaved};
use written::Written;

/// What is typed without a longer break is undone at once.
const BREAK: Duration = Duration::from_millis(500);

/// Something that was done, and can be undone.
#[derive(Clone, Debug)]
struct Entry {
    label: Said,
    /// Who did it.
    by: String,
    /// Of how many changes of the history it consists.
    changes: usize,
    /// When it was typed, if it was.
    typed: Option<Duration>,
    /// The positions of the nodes that were chosen before it was done, and behind it: those that it leaves chosen or brings; of
    /// what leaves none, those that were chosen before it was taken back.
    chosen: [Vec<usize>; 2],
    /// The value that it wrote, if it wrote only one.
    written: Option<Written>,
    /// What it did to files that are not here, if it was done in another document.
    beyond: Vec<Other>,
}

impl Entry {
    /// Whether what somebody types now belongs to it.
    fn goes_on(&self, by: &str, typed: Option<Duration>) -> bool {
        let both = typed.zip(self.typed);
        self.by == by && both.is_some_and(|(now, then)| now.saturating_sub(then) < BREAK)
    }
}

/// A document that pages edit: its files, what was done, and what of it is saved.
#[derive(Clone, Debug)]
pub struct Editing {
    history: History,
    /// Grows with every change.
    revision: u64,
    /// What has changed in the texts lately.
    lately: Lately,
    done: Vec<Entry>,
    undone: Vec<Entry>,
    /// What the page that has just undone or redone something is to choose.
    selection: Option<Selection>,
    /// The texts of the files as they were read or saved last.
    kept: Vec<String>,
    /// What the last edit has left behind or dropped.
    told: Vec<Said>,
    /// What kept the texts from being saved.
    unsaved: Option<Unsaved>,
    /// What was said last because a file could not be read.
    not_read: Option<Unsaved>,
    saves_at_once: bool,
    /// What was changed here and on disk: the file, and the node.
    conflicts: Vec<(usize, Conflict)>,
    /// What was merged last: the text here after that, and the one on disk, by the file.
    merged: HashMap<usize, [String; 2]>,
    /// Which side counts in conflicts, by the file and the number, with what was seen then.
    settled: HashMap<(usize, u64), (Side, Conflict)>,
    /// What is written into the files of other documents as soon as these are saved.
    others: Vec<Other>,
    /// What was done last and is not written: what it is called, and who has done it.
    latest: Option<(Said, String)>,
    /// Up to which edit of other documents they were heard.
    heard: Option<u64>,
}

impl Editing {
    /// Begins to edit a document.
    ///
    /// # Errors
    /// When the document is not KDL, or not text.
    pub fn new(document: Document) -> Result<Self, Said> {
        let editor = Editor::new(document).map_err(Said::from)?;
        let kept = (0..editor.file_count()).map(|file| editor.text(file).to_owned());
        Ok(Self {
            kept: kept.collect(),
            history: History::new(editor),
            revision: 1,
            lately: Lately::default(),
            done: Vec::new(),
            undone: Vec::new(),
            selection: None,
            told: Vec::new(),
            unsaved: None,
            not_read: None,
            saves_at_once: true,
            conflicts: Vec::new(),
            merged: HashMap::new(),
            settled: HashMap::new(),
            others: Vec::new(),
            latest: None,
            heard: None,
        })
    }

    /// The texts as they are now.
    pub fn editor(&self) -> &Editor {
        self.history.editor()
    }

    /// What may stand at a place, the likely ones first.
    ///
    /// # Errors
    /// When the node there is gone, or takes nothing there.
    pub fn fits(&self, spot: Beside) -> Result<Fits, Said> {
        let fits = edits::fits(self.editor(), spot)?;
        let why = match fits.is_empty() {
            true => edits::why_nothing_fits(self.editor(), spot),
            false => None,
        };
        let fits = fits.into_iter().map(|fit| Fit {
            text: fit.text,
            word: fit.word.to_owned(),
            doc: fit.doc,
        });
        Ok(Fits {
            spot,
            fits: fits.collect(),
            why,
        })
    }

    /// Whether something can be done to the texts.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn may_edit(&self, edit: &Edit) -> Result<(), Said> {
        self.changes(edit).map(drop)
    }

    /// The document with its files before some of the last steps.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn version_before(&self, steps: usize) -> Result<Version, Said> {
        let at = self.done.len().checked_sub(steps);
        let at = at.ok_or_else(|| said!("there are not so many steps"))?;
        let mut history = self.history.clone();
        let changes: usize = self.done[at..].iter().map(|entry| entry.changes).sum();
        for _ in 0..changes {
            history.undo();
        }
        Ok(Version::of(history.editor()))
    }

    /// A number that grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Does what a page wants, and writes the files that change, unless that waits until a page asks for it; `by` says who wants it, and `now` how long the program runs.
    /// A file that cannot be written is not lost: the sheet says why, and it is written the next time.
    ///
    /// # Errors
    /// Why it cannot be done. Then nothing is changed.
    pub fn edit(
        &mut self,
        edit: &Edit,
        by: Author<'_>,
        now: Duration,
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        let seen = self.conflict_of(edit);
        self.look(shelf);
        if self.conflict_of(edit) != seen {
            return Err(said!("it was changed meanwhile"));
        }
        self.change(edit, by, now, shelf)?;
        if self.saves_at_once || matches!(edit, Edit::Save { .. }) {
            self.save(shelf);
        }
        if !self.conflicts.is_empty() {
            // Pages see what clashes with what they have just done.
            self.look(shelf);
        }
        Ok(())
    }

    /// Writes definitions behind everything else in the first file, after an empty line, and saves it as [`edit`](Self::edit)
    /// does. `label` says what was done.
    ///
    /// # Errors
    /// Why it cannot be done. Then nothing is changed.
    pub fn append(
        &mut self,
        text: &str,
        (label, by): (Said, Author<'_>),
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        self.look(shelf);
        let editor = self.editor();
        let before = editor.text(0);
        if !editor.is_whole(0) {
            return Err(said!("a block of the document is not closed"));
        }
        let line_end = if before.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let chosen = self.chosen_by(by);
        let is_separate = before.is_empty() || before.ends_with(&line_end.repeat(2));
        let gap = match before.ends_with('\n') {
            _ if is_separate => String::new(),
            true => line_end.to_owned(),
            false => line_end.repeat(2),
        };
        let end = before.len();
        let new = gap + &text.replace('\n', line_end);
        let change = editor.replace(0, end..end, &new);
        self.take(change.map_err(Said::from)?)?;
        self.told.clear();
        self.note(None, 1, by.name, None, [chosen, Vec::new()]);
        if let Some(entry) = self.done.last_mut() {
            entry.label = label;
        }
        self.save(shelf);
        Ok(())
    }

    /// Replaces the text of the first file by one that was worked out from it, as one step of the history.
    ///
    /// # Errors
    /// When the text is not that any more, and when it cannot be replaced. Then nothing is changed.
    pub fn adopt(
        &mut self,
        [before, after]: [&str; 2],
        label: Said,
        by: Author<'_>,
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        self.look(shelf);
        if self.editor().text(0) != before {
            return Err(said!("the document has changed since this was worked out"));
        }
        let change = self.editor().rewrite(0, after);
        let chosen = self.chosen_by(by);
        let begun = self.history.done().len();
        self.take(change.map_err(Said::from)?)?;
        self.told.clear();
        self.note(
            None,
            self.history.done().len() - begun,
            by.name,
            None,
            [chosen, Vec::new()],
        );
        if let Some(entry) = self.done.last_mut() {
            entry.label = label;
        }
        self.save(shelf);
        Ok(())
    }

    fn change(
        &mut self,
        edit: &Edit,
        by: Author<'_>,
        now: Duration,
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        match edit {
            Edit::Undo => return self.undo(by, shelf),
            Edit::Redo => return self.redo(by, shelf),
            Edit::Save { whose: Some(whose) } => return self.settle(*whose, by.name, shelf),
            // What clashes is said when it is written.
            Edit::Save { whose: None } => return Ok(()),
            Edit::SaveAtOnce { is_on } => {
                self.saves_at_once = *is_on;
                self.revision += 1;
                return Ok(());
            }
            Edit::Settle { file, key, whose } => {
                return self.settle_one(*file, *key, *whose, by.name, shelf);
            }
            _ => {}
        }
        let typed = matches!(edit, Edit::Type { .. }).then_some(now);
        let begun = self.history.done().len();
        // What is typed on keeps what was chosen before it.
        let goes_on = self
            .done
            .last()
            .is_some_and(|last| last.goes_on(by.name, typed));
        let chosen = match goes_on {
            true => Vec::new(),
            false => self.chosen_by(by),
        };
        let known = self.known_before(edit);
        let inlined = self.home_of_inlined(edit);
        let moved = self.typed_now(edit)?;
        let meant = moved.as_ref().map_or(edit, |now| &now.edit);
        let (changes, mut told) = self.changes(meant)?;
        let others = self.beside(&changes, shelf);
        if let Some((name, why)) = others.refused.first() {
            return Err(said!("{}: {}", name, why));
        }
        told.extend(self.replaced(edit, by.name, now));
        let label = steps::label(edit, changes.len());
        // What stands elsewhere or in something else now may need something there, such as a score.
        let may_need = matches!(edit, Edit::Move { .. } | Edit::ChangeKind { .. });
        let before = may_need.then(|| edits::errors(self.editor().document()));
        // A definition that comes to the only one leaves open which of them runs. Who types the text says it there.
        let ran = match typed {
            Some(_) => None,
            None => self.editor().runs(),
        };
        for change in changes {
            self.take(change)?;
        }
        if let Some(ran) = ran
            && let Ok(Some(change)) = self.editor().name_main(&ran)
        {
            self.take(change)?;
        }
        if let Some(before) = before {
            let after = edits::errors(self.editor().document());
            told.extend(edits::new_errors(before, after));
        }
        self.told = told;
        self.take_others(others);
        let changes = self.history.done().len() - begun;
        let left = match (typed, inlined) {
            (Some(_), _) => Vec::new(),
            (None, Some(home)) => self.left_inlined(by, home),
            (None, None) => self.left_chosen(by, known.as_ref()),
        };
        self.note(label, changes, by.name, typed, [chosen, left.clone()]);
        if inlined.is_some() {
            self.show_selection(by, &left);
        }
        if let Some(entry) = self.done.last_mut().filter(|_| changes > 0) {
            entry.written = Written::by(edit, now);
        }
        let waits = moved.and_then(|now| Some((now.edit, now.base?)));
        if let Some((Edit::Type { file, .. }, base)) = waits {
            self.wait_beside(file, base, shelf);
        }
        Ok(())
    }

    /// What an edit does, and what it leaves behind or drops: all of it, or nothing, so it is tried on a copy of the texts.
    fn changes(&self, edit: &Edit) -> Result<(Vec<Change>, Vec<Said>), Said> {
        match edit {
            Edit::PutIn { .. } => match self.typed_now(edit)? {
                Some(now) => self.changes(&now.edit),
                None => Ok((Vec::new(), Vec::new())),
            },
            Edit::Type {
                file,
                from,
                to,
                text,
                since: _,
            } => {
                let change = edits::typed(self.editor(), *file, [*from, *to], text)?;
                let told = change.notes().to_vec();
                let changes = Some(change).filter(|change| !change.is_empty());
                Ok((changes.into_iter().collect(), told))
            }
            _ => self.changes_of_nodes(edit),
        }
    }

    /// The same for an edit that is not typed.
    #[inline(never)]
    fn changes_of_nodes(&self, edit: &Edit) -> Result<(Vec<Change>, Vec<Said>), Said> {
        let steps = steps::steps(self.editor(), edit);
        let mut trial: Option<Editor> = None;
        let (mut changes, mut told) = (Vec::<Change>::new(), Vec::new());
        let mut left = Vec::new();
        for (nth, step) in steps.iter().enumerate() {
            let editor = trial.as_ref().unwrap_or_else(|| self.editor());
            left.extend(edits::left_behind(editor, step));
            let change = edits::change(editor, step)?;
            told.extend(change.notes().iter().cloned());
            for (_, at) in &mut left {
                at.offset = change.moved(at.file, at.offset);
            }
            // Nobody looks at what the last step leads to before it is done.
            if nth + 1 < steps.len() {
                let trial = trial.get_or_insert_with(|| self.editor().clone());
                let applied = trial.apply(&change);
                applied.map_err(Said::from)?;
            }
            changes.push(change);
        }
        if !left.is_empty() {
            let before = trial.as_ref().unwrap_or_else(|| self.editor());
            let then = |file| {
                let text = before.text(file);
                let last = changes.last().map(|change| change.apply_to(file, text));
                last.and_then(Result::ok).unwrap_or_else(|| text.to_owned())
            };
            let texts: Vec<String> = (0..before.file_count()).map(then).collect();
            told.splice(0..0, edits::with_lines(&left, &texts));
        }
        changes.retain(|change| !change.is_empty());
        Ok((changes, told))
    }

    /// Applies a change.
    fn take(&mut self, change: Change) -> Result<(), Said> {
        let applied = self.history.apply(change.clone());
        applied.map_err(Said::from)?;
        self.lately.add(self.revision, change);
        Ok(())
    }

    /// Takes down that the last changes of the history are one thing that was done.
    fn note(
        &mut self,
        label: Option<Said>,
        changes: usize,
        by: &str,
        typed: Option<Duration>,
        chosen: [Vec<usize>; 2],
    ) {
        let Some(first) = self.history.done().len().checked_sub(changes) else {
            return;
        };
        let Some(first) = self.history.done().get(first) else {
            return;
        };
        self.revision += 1;
        self.selection = None;
        self.undone.clear();
        self.latest = None;
        let last = self.done.last_mut();
        match last.filter(|last| last.goes_on(by, typed)) {
            Some(entry) => {
                entry.changes += changes;
                entry.typed = typed;
            }
            None => self.done.push(Entry {
                label: label.unwrap_or_else(|| first.label().clone()),
                by: by.to_owned(),
                changes,
                typed,
                chosen,
                written: None,
                beyond: Vec::new(),
            }),
        }
    }

    fn undo(&mut self, by: Author<'_>, shelf: &mut dyn Shelf) -> Result<(), Said> {
        self.told.clear();
        let mut entry = self
            .done
            .pop()
            .ok_or_else(|| said!("there is nothing to undo"))?;
        if entry.chosen[1].is_empty() {
            entry.chosen[1] = self.chosen_by(by);
        }
        for _ in 0..entry.changes {
            let next: Vec<Change> = self
                .history
                .done()
                .last()
                .map(Change::inverse)
                .into_iter()
                .collect();
            let others = self.beside(&next, shelf);
            self.take_others(others);
            let undone = self.history.undo().map(Change::inverse);
            if let Some(change) = undone {
                self.lately.add(self.revision, change);
            }
        }
        self.show_selection(by, &entry.chosen[0]);
        self.go_beyond(&entry.beyond, by, &entry.label, true);
        self.undone.push(entry);
        self.revision += 1;
        Ok(())
    }

    /// Before something else changes the text: what was undone is done again and taken back, each as a step, so that undoing
    /// still leads there. The text stays as it is.
    fn keep_undone(&mut self) {
        self.history.keep_undone();
        let again: Vec<Entry> = std::mem::take(&mut self.undone).into_iter().rev().collect();
        let back = again.iter().rev().map(|entry| Entry {
            label: said!("take back: {}", entry.label),
            typed: None,
            chosen: [entry.chosen[1].clone(), entry.chosen[0].clone()],
            written: None,
            beyond: entry.beyond.iter().map(Other::inverse).collect(),
            ..entry.clone()
        });
        let back: Vec<Entry> = back.collect();
        self.done.extend(again.into_iter().map(|entry| Entry {
            typed: None,
            ..entry
        }));
        self.done.extend(back);
    }

    fn redo(&mut self, by: Author<'_>, shelf: &mut dyn Shelf) -> Result<(), Said> {
        self.told.clear();
        let mut entry = self
            .undone
            .pop()
            .ok_or_else(|| said!("there is nothing to redo"))?;
        for _ in 0..entry.changes {
            let next: Vec<Change> = self.history.undone().last().cloned().into_iter().collect();
            let others = self.beside(&next, shelf);
            self.take_others(others);
            let done = self.history.redo().cloned();
            if let Some(change) = done {
                self.lately.add(self.revision, change);
            }
        }
        // What is typed next is another entry.
        entry.typed = None;
        self.show_selection(by, &entry.chosen[1]);
        self.go_beyond(&entry.beyond, by, &entry.label, false);
        self.done.push(entry);
        self.revision += 1;
        Ok(())
    }
}
