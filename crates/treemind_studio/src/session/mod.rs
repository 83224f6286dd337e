//! A session: pages ask, and shows go forward and back, one for each file that is open.

mod ask;
mod packed;
mod page;
mod patch;
mod pieces;
mod playback;
mod replay;
#[cfg(feature = "server")]
mod serve;
mod show;
mod unwritten;

use crate::clock::{self, Instant};
pub use ask::{compared, no_token};
pub use page::{Answers, Page};
use patch::Memory;
use playback::Playback;
pub use replay::{LOOK_EVERY, Replay};
#[cfg(feature = "server")]
pub use serve::serve;
pub use show::{Change, Course, Files, Pace, Show, no_folders, not_made};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use treemind_doc::{Said, said};
use treemind_replay::follow::Breakpoints;
use treemind_replay::view::protocol::{Look, Message, Refused, Stub};

/// How long a jump or a run may keep the pages waiting.
const SLICE: Duration = Duration::from_millis(25);
/// How long pages are heard before it goes on: what they ask after that waits for the next time.
const HEARING: Duration = Duration::from_millis(10);
/// How long to wait for a question while nothing is played.
const IDLE: Duration = Duration::from_millis(100);
/// How many files that no page looks at stay where they are; beyond that, those that were left first are closed: what was
/// edited in them stays, and what plays does not.
const MOST_RESTING: usize = 4;
/// How often what could not be read or written is tried again.
const TRY_EVERY: Duration = Duration::from_secs(2);

/// A page that waits for an answer, and its question.
struct Waiting {
    page: Page,
    look: Look,
}

/// A file that was closed.
struct Left {
    name: String,
    breakpoints: Breakpoints,
    /// How leaves without code answer.
    stubs: Vec<Stub>,
    /// What of it is nowhere else.
    show: Option<Box<dyn Show>>,
}

/// Numbers that are given once, however many files are open: so a page that goes to another file is never taken for one
/// that has seen it already.
#[derive(Clone)]
struct Numbers(Rc<Cell<u64>>);

impl Numbers {
    fn next(&self) -> u64 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

/// Files that can be opened, what plays of them, and who looks at it.
pub struct Session<F: Files> {
    files: F,
    /// By which pages know whether the program was started again.
    start: String,
    numbers: Numbers,
    /// The files that are open, at least one; the one that was opened or looked at last by another page is the last.
    open: Vec<Playback>,
    left: Vec<Left>,
    /// When what could not be written was tried last.
    tried: Instant,
    /// The number of what is not on disk, as pages have heard of it.
    unwritten: u64,
    looks: Vec<Waiting>,
    /// Who wants to hear what is chosen next: editors beside the pages.
    listeners: Vec<Page>,
    memory: Memory,
}

impl<F: Files> Session<F> {
    /// A session that plays the first file.
    pub fn new(mut files: F) -> Self {
        let numbers = Numbers(Rc::new(Cell::new(0)));
        let name = files.names().into_iter().next().unwrap_or_default();
        let first = Playback::new(files.open(&name), numbers.clone());
        Self {
            files,
            start: format!("{:x}", clock::since_1970().as_nanos()),
            numbers,
            open: vec![first],
            left: Vec::new(),
            tried: Instant::now(),
            unwritten: 0,
            looks: Vec::new(),
            listeners: Vec::new(),
            memory: Memory::default(),
        }
    }

    /// The same at another speed, as a multiple of real time.
    #[must_use]
    pub fn at_speed(mut self, speed: f64) -> Self {
        self.open[0].speed = speed;
        self
    }

    /// Pauses, and begins to go to a tick, however far it is.
    pub fn jump(&mut self, tick: u64) {
        self.open[0].set_off(tick, None);
    }

    /// The file that a page looks at; the last one if it has not said which.
    fn file_of(&self, page: &Page) -> usize {
        let of = |one: &Playback| one.pages.iter().any(|known| known.is_same(page));
        let found = self.open.iter().position(of);
        found.unwrap_or(self.open.len() - 1)
    }

    /// Has a page look at a file, which is opened if it is not. Without a name, it stays where it is. Returns whether there
    /// is such a file.
    fn turn_to(&mut self, page: &Page, name: &str) -> bool {
        let now = self.file_of(page);
        let mut nth = now;
        if !name.is_empty() && self.open[now].show.file() != name {
            let mut open = self.open.iter();
            nth = match open.position(|one| one.show.file() == name) {
                Some(nth) => nth,
                None if self.files.has(name) => self.begin(name),
                None => return false,
            };
        }
        let pages = &self.open[nth].pages;
        if !pages.iter().any(|known| known.is_same(page)) {
            self.open.iter_mut().for_each(|one| one.part(Some(page)));
            let mut one = self.open.remove(nth);
            one.pages.push(page.clone());
            self.open.push(one);
            self.close();
        }
        true
    }

    /// Opens a file, and returns its place.
    fn begin(&mut self, name: &str) -> usize {
        let nth = self.left.iter().position(|left| left.name == name);
        let (show, breakpoints, stubs) = match nth.map(|nth| self.left.remove(nth)) {
            Some(left) => (left.show, Some(left.breakpoints), left.stubs),
            None => (None, None, Vec::new()),
        };
        let mut show = match show {
            Some(mut show) => {
                show.wake();
                show
            }
            None => self.files.open(name),
        };
        for stub in stubs {
            // The document may have changed: what it has no such leaf for any more is forgotten.
            _ = show.answer(&stub.leaf, &stub.answers, stub.is_random);
        }
        let mut one = Playback::new(show, self.numbers.clone());
        if let Some(breakpoints) = breakpoints {
            one.breakpoints = breakpoints;
            one.breakpoints.turn();
        }
        self.open.push(one);
        self.open.len() - 1
    }

    /// The files with edits that are not saved, each with whether a page has them, which keeps them when the program ends.
    pub fn unsaved(&self) -> Vec<(String, bool)> {
        self.open.iter().flat_map(Playback::unsaved).collect()
    }

    /// Closes files at which no page looks, if there are many. What is not saved stays.
    fn close(&mut self) {
        let is_resting = |one: &Playback| one.pages.is_empty() && one.unsaved().is_empty();
        while self.open.iter().filter(|one| is_resting(one)).count() > MOST_RESTING {
            let Some(nth) = self.open.iter().position(is_resting) else {
                return;
            };
            let mut one = self.open.remove(nth);
            let stubs = one.show.stubs();
            let stays = one.show.rest();
            self.left.push(Left {
                name: one.show.file(),
                breakpoints: one.breakpoints,
                stubs,
                show: stays.then_some(one.show),
            });
        }
    }

    /// Tries again what could not be read or written, whether somebody looks at it or not.
    fn try_again(&mut self) {
        if self.tried.elapsed() < TRY_EVERY {
            return;
        }
        self.tried = Instant::now();
        for one in &mut self.open {
            if one.show.try_again() {
                one.turn();
            }
        }
        for show in self.left.iter_mut().filter_map(|left| left.show.as_mut()) {
            show.try_again();
        }
    }

    /// Continues with what has changed outside: documents, and how far games have come that run elsewhere.
    fn look_around(&mut self) {
        let is_controlled = self.files.is_controlled();
        for one in &mut self.open {
            one.is_controlled = is_controlled;
            if let Some(show) = self.files.replaced(&one.show.file()) {
                one.begin_again(show);
            }
            one.look_around();
            one.note_last();
        }
        self.try_again();
        self.note_unwritten();
    }

    /// After questions were heard: plays what is due, and answers. Returns how long to wait for the next question before
    /// this is called again.
    pub fn turn(&mut self) -> Duration {
        self.part();
        self.look_around();
        self.play();
        self.answer();
        self.wait(Instant::now())
    }

    /// How long to wait for a question, because nothing is to be played before.
    fn wait(&mut self, now: Instant) -> Duration {
        let mut looks = self.looks.iter();
        if looks.any(|one| one.look.seen != self.open[self.file_of(&one.page)].state) {
            return Duration::ZERO;
        }
        let waits = self.open.iter().map(|one| one.wait(now));
        waits.min().unwrap_or(IDLE)
    }

    /// Forgets the pages that are closed, and what only they waited for.
    fn part(&mut self) {
        self.open.iter_mut().for_each(|one| one.part(None));
        self.looks.retain(|look| look.page.is_open());
        self.listeners.retain(Page::is_open);
    }

    /// Plays what is due.
    fn play(&mut self) {
        let all = self.open.iter_mut();
        all.for_each(|one| one.play(Instant::now()));
        self.control();
        self.open.iter_mut().for_each(Playback::catch_up);
    }

    /// Tells a game that lets the pages control it how it continues. Where several of its parts are open, the one counts
    /// that somebody looks at and has steered last; its breakpoints stop it in any of them.
    fn control(&mut self) {
        if !self.files.is_controlled() {
            return;
        }
        let all = self.open.iter();
        let Some(first) = all.max_by_key(|one| (!one.pages.is_empty(), one.steered)) else {
            return;
        };
        let mut pace = first.pace();
        let mut waits = self.open.iter().filter(|one| one.pace() == Pace::Shown);
        if pace == Pace::Free && waits.clone().next().is_some() {
            pace = Pace::Shown;
        }
        let is_shown = waits.all(Playback::is_at_end);
        self.files.control(pace, first.speed, is_shown);
    }

    /// Answers the pages that have not seen how it is now, whoever has waited longest first. Who is left when the time is
    /// over is answered the next time.
    fn answer(&mut self) {
        let begun = Instant::now();
        let looks = std::mem::take(&mut self.looks);
        for Waiting { page, look } in looks {
            let nth = self.file_of(&page);
            if look.seen == self.open[nth].state || begun.elapsed() > SLICE {
                self.looks.push(Waiting { page, look });
                continue;
            }
            let unwritten = self.unwritten_for(nth, &look);
            let mut answer = self.open[nth].view(&look, &page);
            answer.unwritten = unwritten;
            let of = (answer.opened, answer.mind, answer.state);
            let answer = Message::View(Box::new(answer));
            page.send(match look.delta {
                true => {
                    self.memory
                        .patch(&page, (look.seen, (look.opened, look.defined)), of, &answer)
                }
                false => text_of(&answer),
            });
        }
    }
}

fn text_of(message: &Message) -> String {
    serde_json::to_string(message).expect("messages are JSON")
}

/// Why an agent can neither be looked at nor changed.
/// There is no agent of this number.
pub fn no_agent() -> Said {
    said!("there is no such agent")
}

fn refuse(page: &Page, why: Said) {
    page.send(text_of(&Message::Refused(Refused { why })));
}
