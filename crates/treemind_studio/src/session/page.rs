//! A page that is open somewhere, as a session knows it.

use std::fmt;
use std::sync::Arc;

/// Carries answers to a page: a web socket, or whatever else leads there.
pub trait Answers: Send + Sync {
    /// Sends something to the page; returns whether it is open, and there was room.
    fn send(&self, text: String) -> bool;

    /// Whether the page is still open.
    fn is_open(&self) -> bool;
}

/// A page that is open somewhere.
#[derive(Clone)]
pub struct Page {
    answers: Arc<dyn Answers>,
    /// Counted from 1.
    number: u64,
    may_edit: bool,
}

impl Page {
    /// A page with a number that no other page of the session has, and whether it may edit documents.
    pub fn new(answers: Arc<dyn Answers>, number: u64, may_edit: bool) -> Self {
        Self {
            answers,
            number,
            may_edit,
        }
    }

    /// Sends it something; returns whether it is open, and there was room. There is room for an answer to each question,
    /// and for one more: a page that does not read is asked nothing more.
    pub fn send(&self, text: String) -> bool {
        self.answers.send(text)
    }

    /// Whether it is the same page.
    pub fn is_same(&self, other: &Page) -> bool {
        self.number == other.number
    }

    /// Whether it is still open.
    pub fn is_open(&self) -> bool {
        self.answers.is_open()
    }

    /// What it is called where others see what it did.
    pub fn name(&self) -> String {
        self.number.to_string()
    }

    /// Whether it has the token that edits ask for, where there are any.
    pub fn may_edit(&self) -> bool {
        self.may_edit
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Page");
        out.field("number", &self.number);
        out.field("may_edit", &self.may_edit);
        out.finish_non_exhaustive()
    }
}
