//! What is written into files that several documents have: whoever has another one of them open sees who has done it, and can
//! take back all of it.

use super::others::{Other, named};
use super::{Author, Editing, Shelf};
use std::collections::VecDeque;
use treemind_doc::{Said, said};

/// How many edits are remembered. Documents that are open look at their files more often than that.
const MOST: usize = 64;

/// What was done in a document, and written.
#[derive(Clone, Debug)]
struct Wrote {
    nth: u64,
    label: Said,
    by: String,
    /// The texts before and after it.
    files: Vec<Other>,
}

/// What was written lately from all documents that are edited.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    last: u64,
    all: VecDeque<Wrote>,
}

impl Ledger {
    fn add(&mut self, (label, by): (Said, String), files: Vec<Other>) -> u64 {
        self.last += 1;
        if self.all.len() == MOST {
            self.all.pop_front();
        }
        self.all.push_back(Wrote {
            nth: self.last,
            label,
            by,
            files,
        });
        self.last
    }
}

impl Editing {
    /// Something was done here: what is written next is that.
    pub(super) fn is_latest(&mut self, label: Said, by: &str) {
        self.latest = Some((label, by.to_owned()));
    }

    /// Other documents see what was written here.
    pub(super) fn tell_others(&mut self, files: Vec<Other>, shelf: &mut dyn Shelf) {
        let Some(latest) = self.latest.take() else {
            return;
        };
        let mut told = Some((latest, files)).filter(|(_, files)| !files.is_empty());
        shelf.ledger(&mut |ledger| {
            if let Some((latest, files)) = told.take() {
                self.heard = Some(ledger.add(latest, files));
            }
        });
    }

    /// From now on, what is done in other documents is heard; what was written before is in the texts that were read.
    pub fn follow_others(&mut self, shelf: &mut dyn Shelf) {
        shelf.ledger(&mut |ledger| self.heard = Some(ledger.last));
    }

    /// Takes over what was done in other documents to files that are here, too: each is one step here, by who has done it.
    pub(super) fn hear_others(&mut self, shelf: &mut dyn Shelf) {
        let mut fresh = Vec::new();
        shelf.ledger(&mut |ledger| {
            let heard = self.heard.replace(ledger.last).unwrap_or(ledger.last);
            let later = ledger.all.iter().filter(|wrote| wrote.nth > heard);
            fresh.extend(later.cloned());
        });
        for wrote in fresh {
            self.hear(wrote);
        }
    }

    fn hear(&mut self, wrote: Wrote) {
        let place = |one: &Other| named(self.editor(), &one.file);
        let (own, beyond): (Vec<Other>, Vec<Other>) = wrote
            .files
            .into_iter()
            .partition(|one| place(one).is_some());
        let own: Vec<(usize, Other)> = (own.into_iter())
            .filter_map(|one| Some((named(self.editor(), &one.file)?, one)))
            .collect();
        // What waits here to be saved is merged with the file, as with any other change of it.
        let is_as_it_was =
            |(file, one): &(usize, Other)| self.is_saved(*file) && self.kept[*file] == one.before;
        if own.is_empty() || !own.iter().all(is_as_it_was) {
            return;
        }
        self.keep_undone();
        let begun = self.history.done().len();
        for (file, one) in own {
            let change = self.editor().rewrite(file, &one.after);
            if change.is_ok_and(|change| self.take(change).is_ok()) {
                self.lately.is_of_another(&one.before);
                self.kept[file] = one.after;
            }
        }
        let count = self.history.done().len() - begun;
        if count > 0 {
            let none = [Vec::new(), Vec::new()];
            self.note(Some(wrote.label), count, &wrote.by, None, none);
            if let Some(entry) = self.done.last_mut() {
                entry.beyond = beyond;
            }
        }
    }

    /// What an edit of another document has done to files that are not here is taken back or done again with the rest of it.
    pub(super) fn go_beyond(&mut self, beyond: &[Other], by: Author<'_>, label: &Said, back: bool) {
        let others = beyond.iter().map(|one| match back {
            true => one.inverse(),
            false => one.clone(),
        });
        self.take_beyond(others.collect());
        let label = match back {
            true => said!("take back: {}", label),
            false => label.clone(),
        };
        self.is_latest(label, by.name);
    }
}
