//! What has changed in the texts lately: what somebody types into a text that others have changed meanwhile goes where it was
//! meant to go.

use super::Editing;
use std::collections::VecDeque;
use treemind_doc::edit::{Change, Utf16};
use treemind_doc::{Said, said};
use treemind_replay::view::protocol::Edit;

/// How many changes are remembered. A page hears of a change long before there are so many.
const MOST: usize = 64;

/// The last changes of the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Lately {
    /// Each with the revision before it.
    changes: VecDeque<(u64, Change)>,
    /// The first revision whose text can be told from these.
    since: u64,
}

impl Lately {
    pub(super) fn add(&mut self, revision: u64, change: Change) {
        if self.changes.len() == MOST {
            self.since = self.changes.pop_front().map_or(0, |(before, _)| before + 1);
        }
        self.changes.push_back((revision, change));
    }

    /// Where a range of a file was in bytes, counted in UTF-16 at a revision, and is now; `None` if that was too long ago.
    fn now(
        &self,
        revision: u64,
        (file, text): (usize, &str),
        range: [usize; 2],
    ) -> Option<[usize; 2]> {
        let later = self
            .changes
            .iter()
            .filter(|(before, _)| *before >= revision);
        let later: Vec<&Change> = later.map(|(_, change)| change).collect();
        let mut then = text.to_owned();
        for change in later.iter().rev() {
            then = change.inverse().apply_to(file, &then).ok()?;
        }
        let places = Utf16::new(&then);
        let moved = |at: usize| {
            let byte = places.to_byte(at);
            later.iter().fold(byte, |at, change| change.moved(file, at))
        };
        (revision >= self.since).then(|| range.map(moved))
    }
}

impl Editing {
    /// What was typed into the text of an older revision, as it is typed into this one; `None` if it is as it was.
    ///
    /// # Errors
    /// When the page has missed too much.
    pub(super) fn typed_now(&self, edit: &Edit) -> Result<Option<Edit>, Said> {
        let Edit::Type {
            file,
            from,
            to,
            text,
            since: Some(since),
        } = edit
        else {
            return Ok(None);
        };
        if *since == self.revision || *file >= self.editor().file_count() {
            return Ok(None);
        }
        let own = self.editor().text(*file);
        let now = self.lately.now(*since, (*file, own), [*from, *to]);
        let [from, to] = now.ok_or_else(|| said!("too much has changed since this was typed"))?;
        let places = Utf16::new(own);
        Ok(Some(Edit::Type {
            file: *file,
            from: places.of_byte(from),
            to: places.of_byte(to),
            text: text.clone(),
            since: None,
        }))
    }
}
