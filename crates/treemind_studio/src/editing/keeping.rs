//! The files of a document that is edited.

use super::others::Other;
use super::{Editing, Ledger};
use std::collections::HashMap;
use treemind_doc::Said;
use treemind_doc::edit::{Conflict, Merged, Side, merge};
use treemind_doc::said;
use treemind_replay::view::protocol::{Edit, Remedy, Unsaved, UnwrittenText, Whose};

/// Who has done what was done outside of the studio.
const ANOTHER: &str = "";

/// Where the files are.
pub trait Shelf {
    /// Reads a file; `None` if it is gone.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    fn read(&mut self, name: &str) -> Result<Option<String>, Said>;

    /// Reads a file that has changed, once whoever writes it is done: some programs empty it first.
    ///
    /// # Errors
    /// Why it cannot be read, in a sentence.
    fn read_whole(&mut self, name: &str) -> Result<Option<String>, Said> {
        self.read(name)
    }

    /// Replaces a file, as a whole or not at all.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    fn write(&mut self, name: &str, text: &str) -> Result<(), Said>;

    /// The same, if the file still has the text that was read; returns whether it had.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    fn replace(&mut self, name: &str, was: &str, text: &str) -> Result<bool, Said> {
        let has_it = self.read(name)?.as_deref() == Some(was);
        if has_it {
            self.write(name, text)?;
        }
        Ok(has_it)
    }

    /// What another program has written into a file after that was replaced here, because it had it open all the time: the
    /// text that was replaced, and the one that it has now. Each is told once.
    fn late(&mut self, _name: &str) -> Option<[String; 2]> {
        None
    }

    /// Where documents that have files together note what they write, if they do.
    fn ledger(&mut self, _see: &mut dyn FnMut(&mut Ledger)) {}

    /// The other documents that may import the same files, each with where its files are.
    fn others(&mut self) -> Vec<(String, Box<dyn Shelf>)> {
        Vec::new()
    }
}

impl Editing {
    /// Whether what was read or saved last is what there is now.
    pub(super) fn is_saved(&self, file: usize) -> bool {
        self.kept.get(file).map(String::as_str) == Some(self.editor().text(file))
    }

    /// Whether everything is on disk.
    pub fn is_on_disk(&self) -> bool {
        self.unsaved.is_none() && (0..self.editor().file_count()).all(|file| self.is_saved(file))
    }

    /// The files that are not on disk as they are here.
    pub fn unwritten(&self) -> Vec<UnwrittenText> {
        let files = (0..self.editor().file_count()).filter(|file| !self.is_saved(*file));
        let files = files.map(|file| UnwrittenText {
            name: self.editor().name(file).to_owned(),
            text: self.editor().text(file).to_owned(),
            saved: self.kept.get(file).cloned().unwrap_or_default(),
        });
        files.collect()
    }

    /// Whether something was done here that is nowhere else: edits, their history, or when they are saved.
    pub fn is_touched(&self) -> bool {
        let is_new = self.done.is_empty() && self.undone.is_empty();
        !is_new || !self.saves_at_once || !self.is_on_disk()
    }

    /// Writes the files that were changed, each only if it still is what was read.
    pub(super) fn save(&mut self, shelf: &mut dyn Shelf) {
        // What was done last is what is written, whoever did what else before it.
        if self.latest.is_none()
            && let Some(last) = self.done.last()
        {
            self.latest = Some((last.label.clone(), last.by.clone()));
        }
        let before = self.kept.clone();
        let unsaved = self.try_save(shelf).err();
        let document = self.editor().name(0).to_owned();
        let files = before.into_iter().zip(&self.kept).enumerate();
        let files = files.filter(|(_, (before, after))| before != *after);
        let files = files.map(|(file, (before, after))| Other {
            document: document.clone(),
            file: self.editor().name(file).to_owned(),
            before,
            after: after.clone(),
        });
        let mut files: Vec<Other> = files.collect();
        if unsaved.is_none() {
            files.extend(self.save_others(shelf));
        }
        self.tell_others(files, shelf);
        // A file with nothing to save was not read.
        self.say(unsaved.or_else(|| self.not_read.clone()));
    }

    /// Pages see what keeps the texts from being saved.
    fn say(&mut self, unsaved: Option<Unsaved>) {
        if self.unsaved != unsaved {
            self.unsaved = unsaved;
            self.revision += 1;
        }
    }

    /// Whether pages are to choose between what was changed here and by another program.
    pub(super) fn waits_for_a_choice(&self) -> bool {
        let unsaved = self.unsaved.as_ref();
        unsaved.is_some_and(|unsaved| unsaved.remedy == Remedy::Choose)
    }

    /// Whether pages have been told that this file is gone.
    fn is_told_gone(&self, name: &str) -> bool {
        self.unsaved == Some(Unsaved::gone(name))
    }

    fn try_save(&mut self, shelf: &mut dyn Shelf) -> Result<(), Unsaved> {
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            // One that is gone waits until somebody says that it is written again, whatever else is saved.
            if self.is_saved(file) && !self.is_told_gone(&name) {
                continue;
            }
            let found = shelf.read(&name).map_err(|why| self.not_read(why))?;
            self.not_read = None;
            match found {
                None => return Err(Unsaved::gone(&name)),
                Some(text) if text != self.kept[file] => return Err(Unsaved::changed_twice(&name)),
                Some(_) if self.is_saved(file) => continue,
                Some(_) => {}
            }
            let text = self.editor().text(file).to_owned();
            let was = &self.kept[file];
            match shelf.replace(&name, was, &text).map_err(Unsaved::failed)? {
                true => self.kept[file] = text,
                false => return Err(Unsaved::changed_twice(&name)),
            }
            // Pages see that it is saved.
            self.revision += 1;
        }
        Ok(())
    }

    /// A file cannot be read. As soon as it can, that is no longer said.
    fn not_read(&mut self, why: Said) -> Unsaved {
        let unsaved = Unsaved::failed(why);
        self.not_read = Some(unsaved.clone());
        unsaved
    }

    /// After another program has changed what was changed here, too: says which text counts.
    pub(super) fn settle(
        &mut self,
        whose: Whose,
        by: &str,
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            match (shelf.read_whole(&name)?, whose) {
                (Some(text), Whose::Theirs) => self.take_over(file, text),
                (Some(text), Whose::Mine) => {
                    self.remember(file, &text, by);
                    self.kept[file] = text;
                }
                (None, Whose::Theirs) => return Err(said!("{} is gone", name)),
                (None, Whose::Mine) => {
                    let text = self.editor().text(file).to_owned();
                    shelf.write(&name, &text)?;
                    self.kept[file] = text;
                }
            }
            self.forget_conflicts(file);
        }
        Ok(())
    }

    /// The conflict that an edit settles, if it does.
    pub(super) fn conflict_of(&self, edit: &Edit) -> Option<Conflict> {
        let Edit::Settle { file, key, .. } = edit else {
            return None;
        };
        self.conflict(*file, *key).cloned()
    }

    fn conflict(&self, file: usize, key: u64) -> Option<&Conflict> {
        let mut all = self.conflicts.iter();
        let found = all.find(|(of, one)| (*of, one.key) == (file, key));
        found.map(|(_, one)| one)
    }

    /// Says which side counts in one conflict.
    pub(super) fn settle_one(
        &mut self,
        file: usize,
        key: u64,
        whose: Whose,
        by: &str,
        shelf: &mut dyn Shelf,
    ) -> Result<(), Said> {
        let Some(seen) = self.conflict(file, key).cloned() else {
            return Err(said!("this is settled already"));
        };
        let side = match whose {
            Whose::Mine => Side::Mine,
            Whose::Theirs => Side::Theirs,
        };
        self.settled.insert((file, key), (side, seen));
        self.merged.remove(&file);
        let name = self.editor().name(file).to_owned();
        let is_last = self.conflicts.iter().filter(|(of, _)| *of == file).count() == 1;
        let mut settled = self.settled.iter().filter(|((of, _), _)| *of == file);
        let keeps_mine = settled.any(|(_, (side, _))| *side == Side::Mine);
        match shelf.read_whole(&name)? {
            Some(text) => {
                if is_last && keeps_mine {
                    self.remember(file, &text, by);
                }
                self.merge_in(file, text);
            }
            None => return Err(said!("{} is gone", name)),
        }
        if self.conflicts.is_empty() && self.saves_at_once {
            self.save(shelf);
        }
        Ok(())
    }

    /// Another program's text of a file, as a step of the history.
    fn take_over(&mut self, file: usize, text: String) {
        if self.put(file, &text, said!("change on disk"), ANOTHER) {
            self.kept[file] = text;
            self.forget_conflicts(file);
            self.is_settled(file);
        }
    }

    /// What is here is what is on disk: that both have changed it is over.
    fn is_settled(&mut self, file: usize) {
        let name = self.editor().name(file);
        if self.unsaved == Some(Unsaved::changed_twice(name)) && self.conflicts.is_empty() {
            self.say(None);
        }
    }

    /// What another program has written, and what does not count, is a step of the history, too: one can go back to it.
    fn remember(&mut self, file: usize, theirs: &str, by: &str) {
        let mine = self.editor().text(file).to_owned();
        if theirs != mine && theirs != self.kept[file] {
            self.put(file, theirs, said!("change on disk"), ANOTHER);
            self.put(file, &mine, said!("keep what was changed here"), by);
        }
    }

    /// Puts another text into a file, as a step of the history that has this name.
    fn put(&mut self, file: usize, text: &str, label: Said, by: &str) -> bool {
        if by == ANOTHER && self.editor().text(file) != text {
            self.keep_undone();
        }
        let change = self.editor().rewrite(file, text);
        let begun = self.history.done().len();
        let is_done = change.is_ok_and(|change| self.take(change).is_ok());
        let count = self.history.done().len() - begun;
        if is_done && count > 0 {
            if by == ANOTHER {
                self.lately.is_of_another(&self.kept[file]);
            }
            self.note(Some(label), count, by, None, [Vec::new(), Vec::new()]);
        }
        is_done
    }

    /// What was typed waits beside what another program has written: both come from `base`.
    pub(super) fn wait_beside(&mut self, file: usize, base: String, shelf: &mut dyn Shelf) {
        if self.kept[file] != base {
            self.forget_conflicts(file);
            self.kept[file] = base;
        }
        self.look(shelf);
    }

    fn forget_conflicts(&mut self, file: usize) {
        self.merged.remove(&file);
        self.settled.retain(|(of, _), _| *of != file);
        self.conflicts.retain(|(of, _)| *of != file);
    }

    /// Both versions of a file as one, as far as somebody has chosen. What was chosen against another text than there is now
    /// does not count: nobody has seen that.
    fn merged(&self, file: usize, mine: &str, theirs: &str) -> Option<Merged> {
        let mut chosen: HashMap<u64, Side> = HashMap::new();
        loop {
            let side = |key| chosen.get(&key).copied();
            let merged = merge(&self.kept[file], mine, theirs, side).ok()?;
            let seen = merged.conflicts.iter().filter_map(|now| {
                let (side, seen) = self.settled.get(&(file, now.key))?;
                let is_same = match side {
                    Side::Mine => seen.theirs == now.theirs,
                    Side::Theirs => seen.mine == now.mine,
                };
                is_same.then_some((now.key, *side))
            });
            let seen: Vec<(u64, Side)> = seen.collect();
            if seen.is_empty() {
                return Some(merged);
            }
            chosen.extend(seen);
        }
    }

    /// Puts together what was changed here and by another program. What does not clash is taken; the rest is told.
    fn merge_in(&mut self, file: usize, theirs: String) {
        let mine = self.editor().text(file).to_owned();
        // What was merged is not merged again: where lines are alike, something else might come of it.
        let last = self.merged.get(&file);
        if last.is_some_and(|[here, there]| *here == mine && *there == theirs) {
            return self.say(Some(Unsaved::changed_twice(self.editor().name(file))));
        }
        let Some(merged) = self.merged(file, &mine, &theirs) else {
            // Something is not closed.
            return self.say(Some(Unsaved::changed_twice(self.editor().name(file))));
        };
        if merged.text != mine
            && !self.put(
                file,
                &merged.text,
                said!("merge with the change on disk"),
                ANOTHER,
            )
        {
            return self.say(Some(Unsaved::changed_twice(self.editor().name(file))));
        }
        if merged.conflicts.is_empty() {
            self.kept[file] = theirs;
            self.forget_conflicts(file);
            self.revision += 1;
            return self.say(None);
        }
        self.merged.insert(file, [merged.text, theirs]);
        let fresh = merged.conflicts.into_iter().map(|one| (file, one));
        let others = self.conflicts.iter().filter(|(of, _)| *of != file);
        let conflicts: Vec<_> = others.cloned().chain(fresh).collect();
        if conflicts != self.conflicts {
            self.conflicts = conflicts;
            self.revision += 1;
        }
        self.say(Some(Unsaved::changed_twice(self.editor().name(file))));
    }

    /// What another program has written into a file that was replaced meanwhile is on the disk again, as if it had come a
    /// moment later: it is merged with what was written here. If something newer is there, it is in the history.
    /// Returns whether there is any.
    fn take_late(&mut self, file: usize, shelf: &mut dyn Shelf) -> bool {
        let name = self.editor().name(file).to_owned();
        let mut is_late = false;
        while let Some([was, theirs]) = shelf.late(&name) {
            is_late = true;
            let waits = self.conflicts.iter().any(|(of, _)| *of == file);
            let is_back = !waits && shelf.replace(&name, &self.kept[file], &theirs) == Ok(true);
            if is_back {
                self.forget_conflicts(file);
                self.kept[file] = was;
            } else {
                self.remember(file, &theirs, ANOTHER);
            }
        }
        is_late
    }

    /// A file is gone. Where it had another text than here, nobody can choose that any more, and it is in the history. What is
    /// said about the conflicts of other files stays: they are settled first.
    fn tell_gone(&mut self, file: usize, name: &str) {
        if let Some([_, theirs]) = self.merged.get(&file).cloned() {
            self.remember(file, &theirs, ANOTHER);
        }
        let was_asked = self.unsaved == Some(Unsaved::changed_twice(name));
        if self.conflicts.iter().any(|(of, _)| *of == file) {
            self.forget_conflicts(file);
            self.revision += 1;
        }
        if self.unsaved.is_none() || (was_asked && self.conflicts.is_empty()) {
            self.say(Some(Unsaved::gone(name)));
        }
    }

    /// Takes over what another program has written into the files. Where nothing waits to be saved, that is a change of
    /// the document like any other, and can be undone; otherwise it is said, and nothing is lost.
    pub fn look(&mut self, shelf: &mut dyn Shelf) {
        self.hear_others(shelf);
        let mut not_read = None;
        for file in 0..self.editor().file_count() {
            let name = self.editor().name(file).to_owned();
            self.take_late(file, shelf);
            let is_known = |text: &str| text == self.kept[file] || text == self.editor().text(file);
            let read = match shelf.read(&name) {
                Ok(Some(text)) if !is_known(&text) => shelf.read_whole(&name),
                read => read,
            };
            let text = match read {
                Ok(Some(text)) => text,
                Ok(None) => {
                    self.tell_gone(file, &name);
                    continue;
                }
                Err(why) => {
                    not_read.get_or_insert(why);
                    continue;
                }
            };
            if self.is_told_gone(&name) {
                self.say(None);
            }
            if text == self.kept[file] || text == self.editor().text(file) {
                self.kept[file] = text;
                if self.conflicts.iter().any(|(of, _)| *of == file) {
                    self.forget_conflicts(file);
                    self.revision += 1;
                }
                self.is_settled(file);
            } else if self.is_saved(file) {
                self.take_over(file, text);
            } else {
                self.merge_in(file, text);
            }
        }
        match not_read {
            Some(why) if self.unsaved.is_none() => {
                let unsaved = self.not_read(why);
                self.say(Some(unsaved));
            }
            Some(_) => {}
            None if self.not_read.take() == self.unsaved => self.say(None),
            None => {}
        }
        // A line that imports another file may have come meanwhile.
        for name in self.editor().missing_files() {
            if let Ok(Some(text)) = shelf.read(&name) {
                self.history.add_file(&name, &text);
                self.kept.push(text);
                self.revision += 1;
            }
        }
    }

    /// Tries again what could not be read or written; what waits until a page asks for it is not written. Returns whether
    /// there is something new to see.
    pub fn try_again(&mut self, shelf: &mut dyn Shelf) -> bool {
        let unsaved = self.unsaved.as_ref();
        let before = self.revision();
        let fails = unsaved.is_some_and(|unsaved| unsaved.remedy == Remedy::Retry);
        let mut files = 0..self.editor().file_count();
        if !files.any(|file| self.take_late(file, shelf)) && !fails {
            return false;
        }
        self.look(shelf);
        if self.saves_at_once {
            self.save(shelf);
        }
        self.revision() != before
    }

    /// The same as [`look`](Self::look) when nobody edits; what was merged is saved, unless that waits until a page asks for it.
    pub fn look_and_save(&mut self, shelf: &mut dyn Shelf) {
        let before = self.revision();
        self.look(shelf);
        if self.saves_at_once && self.revision() != before && self.conflicts.is_empty() {
            self.save(shelf);
        }
    }

    /// The files with edits that are not saved.
    pub fn unsaved(&self) -> Vec<String> {
        let files = (0..self.editor().file_count()).filter(|file| !self.is_saved(*file));
        files
            .map(|file| self.editor().name(file).to_owned())
            .collect()
    }
}
