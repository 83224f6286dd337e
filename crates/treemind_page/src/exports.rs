//! What the script of the worker calls.
//!
//! Bytes go in through a buffer: the script asks [`input`] for room, writes there, and calls the function that reads them.
//! Bytes come out through another: a function says how many there are, and [`output`] where. Nothing here needs `unsafe`
//! but the names that the functions have outside.

// The names of the functions, and of the one that the script gives, are part of the interface. No other module of the
// program has these names, and numbers are all that passes.
#![allow(unsafe_code)]

use crate::commands::run::studio;
use crate::disk;
use crate::session::Session;
use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// How long ago 1970 began, in milliseconds.
    safe fn now() -> f64;
    /// Loads the functions that are in the second module, if this one was divided in two: xtask/src/site/split.rs.
    safe fn more();
}

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::default();
    /// Why it has died, if it has. The worker may be in use then.
    static LAST_WORDS: RefCell<String> = RefCell::default();
}

#[derive(Default)]
struct Worker {
    input: Vec<u8>,
    output: Vec<u8>,
    session: Option<Session>,
}

impl Worker {
    /// What the script has written, as text.
    fn text(&mut self) -> String {
        let bytes = std::mem::take(&mut self.input);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Gives bytes to the script; returns how many there are.
    fn give(&mut self, bytes: Vec<u8>) -> usize {
        self.output = bytes;
        self.output.len()
    }
}

fn clock() -> Duration {
    Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default()
}

/// Room for so many bytes; returns where.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(length: usize) -> *mut u8 {
    WORKER.with_borrow_mut(|worker| {
        worker.input = vec![0; length];
        worker.input.as_mut_ptr()
    })
}

/// Where the bytes are that a function has given last.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    WORKER.with_borrow(|worker| worker.output.as_ptr())
}

/// Takes in a file: its name, a zero, and its text.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn put() {
    let text = WORKER.with_borrow_mut(Worker::text);
    if let Some((name, text)) = text.split_once('\0') {
        disk::put(Path::new(name), text.as_bytes().to_vec());
    }
}

/// Begins the session with the files that there are. Everything plays with this seed, a whole number.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin(seed: f64) {
    disk::sow(seed as u64);
    treemind_studio::clock::set(clock);
    std::panic::set_hook(Box::new(|info| {
        LAST_WORDS.with_borrow_mut(|words| *words = info.to_string());
    }));
    let session = Session::begin();
    WORKER.with_borrow_mut(|worker| worker.session = Some(session));
}

/// Takes in what the page asks.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hear() {
    WORKER.with_borrow_mut(|worker| {
        let text = worker.text();
        if let Some(session) = &mut worker.session {
            session.hear(&text);
        }
    });
}

/// Plays what is due, and answers; returns how many milliseconds to wait for the next question.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn turn() -> f64 {
    WORKER.with_borrow_mut(|worker| {
        let wait = worker.session.as_mut().map(Session::turn);
        wait.unwrap_or_default().as_secs_f64() * 1e3
    })
}

/// The next answer for the page: how long it is; 0 if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> usize {
    WORKER.with_borrow_mut(|worker| {
        let next = worker.session.as_ref().and_then(|one| one.answers.take());
        worker.give(next.unwrap_or_default().into_bytes())
    })
}

/// The next file that was written: its name, a zero, and its text; 0 if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn written() -> usize {
    let next = disk::next_written();
    let bytes = next.map(|(name, text)| [name.as_bytes(), &[0], &text].concat());
    WORKER.with_borrow_mut(|worker| worker.give(bytes.unwrap_or_default()))
}

/// Plays a file without a session: its name, a zero, the number of ticks, a zero, and the seed. Gives its log, a zero, and
/// the game as `treemind run --save` writes it; or a one, and why it cannot be played.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn play() -> usize {
    let text = WORKER.with_borrow_mut(Worker::text);
    let mut parts = text.split('\0');
    let name = parts.next().unwrap_or_default();
    let mut number = || parts.next()?.parse().ok();
    let (ticks, seed) = (number().unwrap_or(0), number().unwrap_or(0));
    treemind_studio::clock::set(clock);
    disk::sow(seed);
    let bytes = match studio::played(Path::new(name), ticks) {
        Ok((log, game)) => [log.as_bytes(), &[0], &game].concat(),
        Err(why) => [&[1], why.as_bytes()].concat(),
    };
    WORKER.with_borrow_mut(|worker| worker.give(bytes))
}

/// Loads all of it now, if it is not there: code, and the pages about words.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn load_more() {
    more();
}

/// Why it has died: how long the sentence is. It may be asked after a function did not return.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn last_words() -> usize {
    LAST_WORDS.with_borrow(String::len)
}

/// Where that sentence is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn last_words_at() -> *const u8 {
    LAST_WORDS.with_borrow(|words| words.as_ptr())
}
