//! The documents as pages were shown them last, so that only what has changed since is sent.

use crate::session::Page;
use treemind_replay::view::protocol::{Look, Sheet, SheetChange};
use treemind_replay::view::sheet_change;

/// What pages have of the document that they edit.
#[derive(Default)]
pub(super) struct Sheets(Vec<(Page, Sheet)>);

impl Sheets {
    /// What a page gets of a sheet: all of it, or what has changed since the one that it has.
    pub(super) fn send(
        &mut self,
        page: &Page,
        look: &Look,
        sheet: Sheet,
    ) -> (Option<Sheet>, Option<SheetChange>) {
        let is_own = |(known, _): &(Page, Sheet)| known.is_same(page);
        let before = self.0.iter().position(is_own);
        let before = before.map(|nth| self.0.swap_remove(nth).1);
        let before = before.filter(|old| look.delta && look.sheet == Some(old.revision));
        let change = before.and_then(|old| sheet_change(&old, &sheet));
        let whole = change.is_none().then(|| sheet.clone());
        if look.delta {
            self.0.push((page.clone(), sheet));
        }
        (whole, change)
    }

    /// Whether a page has it.
    pub(super) fn are_shown(&self) -> bool {
        !self.0.is_empty()
    }

    /// Forgets the pages that are gone.
    pub(super) fn keep(&mut self, stays: impl Fn(&Page) -> bool) {
        self.0.retain(|(page, _)| stays(page));
    }
}
