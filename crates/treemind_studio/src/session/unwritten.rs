//! What of the documents is not on disk. Pages keep it for a program that is started again.

use super::{Files, Session, Show};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use treemind_replay::view::protocol::{Look, Unwritten, UnwrittenList};

impl<F: Files> Session<F> {
    /// What plays of files, and what was edited in those that were closed; with whether a page edits it that has its text.
    fn shows(&self, edited: Option<usize>) -> impl Iterator<Item = (&dyn Show, bool)> {
        let open = self.open.iter().enumerate();
        let open = open.map(move |(nth, one)| (&*one.show, edited == Some(nth)));
        let left = self.left.iter().filter_map(|left| left.show.as_deref());
        open.chain(left.map(|show| (show, false)))
    }

    /// Another number whenever something else is not on disk; 0 if everything is.
    fn unwritten_now(&self, edited: Option<usize>) -> u64 {
        // Pages know whole numbers up to this.
        const MOST: u64 = (1 << 53) - 1;
        let mut number = 0u64;
        for (show, is_edited) in self.shows(edited) {
            if let Some(now) = show.unwritten_now(is_edited) {
                let mut hasher = DefaultHasher::new();
                (show.file(), now).hash(&mut hasher);
                // In any order: files are opened and closed.
                number = number.wrapping_add(hasher.finish() | 1);
            }
        }
        number & MOST
    }

    /// Pages hear that something else is not on disk, whatever they look at.
    pub(super) fn note_unwritten(&mut self) {
        let now = self.unwritten_now(None);
        if std::mem::replace(&mut self.unwritten, now) != now {
            self.open.iter_mut().for_each(super::Playback::turn);
        }
    }

    /// What is not on disk, for a page that looks at this file and keeps that, unless it has it.
    pub(super) fn unwritten_for(&self, nth: usize, look: &Look) -> Option<UnwrittenList> {
        let known = look.unwritten?;
        let edited = look.sheet.map(|_| nth);
        let revision = self.unwritten_now(edited);
        let documents = self.shows(edited).filter_map(|(show, is_edited)| {
            show.unwritten_now(is_edited)?;
            Some(Unwritten {
                file: show.file(),
                texts: show.unwritten(is_edited),
            })
        });
        (revision != known).then(|| UnwrittenList {
            revision,
            documents: documents.collect(),
        })
    }
}
