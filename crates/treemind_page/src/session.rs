//! One session with one page.

pub(crate) mod library;

use crate::commands::run::studio::{Library, Stage};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use treemind_studio::{Answers, Page};

/// What waits to be read by the page.
#[derive(Default)]
pub(crate) struct Mailbox(Mutex<VecDeque<String>>);

impl Mailbox {
    pub(crate) fn take(&self) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.pop_front()
    }
}

impl Answers for Mailbox {
    fn send(&self, text: String) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(text);
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

/// The session with the page that has started it.
pub(crate) struct Session {
    stage: Stage,
    page: Page,
    pub(crate) answers: Arc<Mailbox>,
}

impl Session {
    /// Plays the files that there are.
    pub(crate) fn begin() -> Self {
        let answers = Arc::new(Mailbox::default());
        Self {
            stage: Stage::of(Library::all()),
            page: Page::new(answers.clone(), 1, true),
            answers,
        }
    }

    /// Takes in what the page asks.
    pub(crate) fn hear(&mut self, text: &str) {
        self.stage.hear(text, self.page.clone());
    }

    /// Plays what is due, and answers; returns how long to wait for the next question.
    pub(crate) fn turn(&mut self) -> Duration {
        self.stage.turn()
    }
}
