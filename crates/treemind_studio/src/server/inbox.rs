//! What the pages ask, for the one who answers: each page in its turn.

use crate::session::{Answers, Page};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

/// How many questions of a page wait to be heard. While there are so many, nothing more is read from it.
const MOST_ASKS: usize = 16;
/// How many answers wait until a page reads them.
const MOST_ANSWERS: usize = 4;
/// A page is heard only while there is room for so many answers: for one to the question, and for a view that is still due.
const ROOM: usize = 2;

/// What a page asks, and the way back to it.
#[derive(Debug)]
pub struct Ask {
    /// What it asks.
    pub text: String,
    /// Where the answer goes.
    pub page: Page,
}

/// The way back to a page through its web socket.
#[derive(Debug)]
struct Back(mpsc::Sender<String>);

impl Answers for Back {
    fn send(&self, text: String) -> bool {
        self.0.try_send(text).is_ok()
    }

    fn is_open(&self) -> bool {
        !self.0.is_closed()
    }
}

/// A page with what it asks.
#[derive(Debug)]
struct Client {
    page: Page,
    answers: Arc<Back>,
    asks: mpsc::Receiver<String>,
}

impl Client {
    /// Whether it may ask. What a page has asked before it was closed is heard, too.
    fn may_ask(&self) -> bool {
        !self.answers.is_open() || self.answers.0.capacity() >= ROOM
    }
}

#[derive(Debug, Default)]
struct Desk {
    clients: Vec<Client>,
    /// How many there were so far.
    pages: u64,
    /// Whose turn it is.
    turn: usize,
    /// Whether something may have come since it was looked at last.
    is_rung: bool,
}

impl Desk {
    /// The next question, of the page whose turn it is.
    fn take(&mut self) -> Option<Ask> {
        let count = self.clients.len();
        let mut is_gone = false;
        for step in 0..count {
            let nth = (self.turn + step) % count;
            let client = &mut self.clients[nth];
            if !client.may_ask() {
                continue;
            }
            match client.asks.try_recv() {
                Ok(text) => {
                    self.turn = nth + 1;
                    let page = client.page.clone();
                    return Some(Ask { text, page });
                }
                Err(TryRecvError::Disconnected) => is_gone = true,
                Err(TryRecvError::Empty) => {}
            }
        }
        if is_gone {
            self.clients.retain(|client| !client.asks.is_closed());
        }
        None
    }
}

/// What all pages ask.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    desk: Mutex<Desk>,
    bell: Condvar,
}

impl Inbox {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page has come: where its questions go, and where its answers come from.
    pub(crate) fn enter(&self, may_edit: bool) -> (mpsc::Sender<String>, mpsc::Receiver<String>) {
        let (ask, asks) = mpsc::channel(MOST_ASKS);
        let (answer, answers) = mpsc::channel(MOST_ANSWERS);
        let mut desk = self.desk();
        desk.pages += 1;
        let answer = Arc::new(Back(answer));
        let page = Page::new(answer.clone(), desk.pages, may_edit);
        desk.clients.push(Client {
            page,
            answers: answer,
            asks,
        });
        drop(desk);
        (ask, answers)
    }

    /// A page has asked something, has room for answers, or is gone.
    pub(crate) fn ring(&self) {
        self.desk().is_rung = true;
        self.bell.notify_one();
    }

    /// The next question; waits for one at most as long as this.
    pub(crate) fn next(&self, wait: Duration) -> Option<Ask> {
        let end = Instant::now() + wait;
        let mut desk = self.desk();
        loop {
            if let Some(ask) = desk.take() {
                return Some(ask);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            if !desk.is_rung {
                let waited = self.bell.wait_timeout(desk, left);
                desk = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            desk.is_rung = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(inbox: &Inbox) -> Option<String> {
        inbox.next(Duration::ZERO).map(|ask| ask.text)
    }

    #[test]
    fn each_page_has_its_turn_however_much_another_asks() {
        let inbox = Inbox::default();
        let (loud, _answers) = inbox.enter(false);
        let (calm, _others) = inbox.enter(false);
        let mut sent = 0;
        while loud.try_send(format!("loud {sent}")).is_ok() {
            sent += 1;
        }
        assert_eq!(sent, MOST_ASKS, "what waits is bounded");
        calm.try_send("calm".to_owned()).expect("room");
        let first: Vec<_> = (0..3).filter_map(|_| text(&inbox)).collect();
        assert_eq!(first, ["loud 0", "calm", "loud 1"]);
    }

    #[test]
    fn a_page_that_does_not_read_is_not_heard_until_it_does() {
        let inbox = Inbox::default();
        let (ask, mut answers) = inbox.enter(false);
        for nth in 0..MOST_ASKS {
            ask.try_send(nth.to_string()).expect("room");
        }
        let mut heard = 0;
        while let Some(ask) = inbox.next(Duration::ZERO) {
            assert!(ask.page.send("answer".to_owned()), "there is room for each");
            heard += 1;
        }
        assert_eq!(heard, MOST_ANSWERS - ROOM + 1);
        answers.try_recv().expect("an answer");
        assert!(inbox.next(Duration::ZERO).is_some());
    }

    #[test]
    fn what_was_asked_is_heard_after_the_page_has_gone_and_then_it_is_forgotten() {
        let inbox = Inbox::default();
        let (ask, answers) = inbox.enter(false);
        ask.try_send("pause".to_owned()).expect("room");
        drop((ask, answers));
        let last = inbox.next(Duration::ZERO).expect("a question");
        assert!(!last.page.is_open());
        assert!(inbox.next(Duration::ZERO).is_none());
        assert!(inbox.desk().clients.is_empty());
    }
}
