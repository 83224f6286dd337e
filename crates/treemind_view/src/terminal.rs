//! The live view in the terminal: a loop of ticks, keys and drawing.

use crate::app::Wish;
use crate::keyboard::{Keyboard, Waited};
use crate::signals::Ending;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show as ShowCursor;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// How long to wait for a key while nothing changes.
const IDLE: Duration = Duration::from_millis(250);
/// How long reading what has come may take.
const READ: Duration = Duration::from_millis(1);
/// How many ticks of a jump are played before the clock is checked again.
const JUMP_TICKS: u64 = 16;

/// What is played in the terminal.
pub trait Show {
    /// Draws a frame.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Whether it is on its way to another tick, which [`work`](Self::work) continues by some ticks.
    fn is_jumping(&self) -> bool;
    /// Continues on its way to another tick, by at most this many ticks.
    fn work(&mut self, ticks: u64);
    /// Looks whether something outside has changed.
    fn look_around(&mut self) {}
    /// Whether time stands still.
    fn is_paused(&self) -> bool;
    /// The time from one tick to the next, at the speed that the user wants.
    fn period(&self) -> Duration;
    /// Plays one tick; returns whether another one may follow.
    fn advance(&mut self) -> bool;
    /// Whether it can only continue when the game has played a tick.
    fn is_waiting(&self) -> bool {
        false
    }
    /// Handles an event from the terminal.
    fn on(&mut self, event: &Event) -> Wish;
}

/// How a view has ended.
#[derive(Debug)]
#[must_use = "a signal ends the program only when it is told so"]
pub struct Ended {
    /// Knows whether a signal has ended it: when everything is finished, [`Ending::come`] ends the program.
    pub ending: Ending,
    /// Whether the terminal could be used to the end.
    pub shown: io::Result<()>,
}

/// Plays until a key, a signal or the end of the terminal ends the view. Afterwards the terminal is as it was before, also
/// after an error or a panic.
///
/// # Errors
/// When there is no terminal to show it in. Nothing was played then.
pub fn run<S: Show>(show: &mut S) -> io::Result<Ended> {
    let mut window = Window::open()?;
    let done = window.turn(show);
    let closed = put_back();
    let shown = match window.keyboard.is_gone() {
        // There is nothing to be put back, and nobody to be told.
        true => Ok(()),
        false => done.and(closed),
    };
    let ending = window.ending;
    Ok(Ended { ending, shown })
}

/// Why the loop of a view stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The user wants to quit, a signal asks for it, or the terminal is gone.
    Quit,
    /// It waits for a tick of the game.
    Wait,
}

/// Whether the terminal is the view's.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is the view's. It is put back when this is dropped.
pub(crate) struct Window {
    /// Puts the terminal back, before anything else is dropped.
    _guard: Guard,
    terminal: Terminal<CrosstermBackend<Screen>>,
    keyboard: Keyboard,
    ending: Ending,
    phase: Phase,
    /// When the next tick is due.
    next: Instant,
}

/// Where the loop stands when it continues.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// A frame begins.
    Begin,
    /// It continues a jump, since this moment.
    Jump(Instant),
    /// It plays the ticks that are due, at most this many.
    Play(u32),
}

impl Window {
    pub(crate) fn open() -> io::Result<Self> {
        hold_panics();
        let ending = Ending::watch()?;
        IS_OPEN.store(true, Ordering::Relaxed);
        let opened = enable_raw_mode().and_then(|()| {
            // A terminal without a mouse ignores the last one.
            execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
            Terminal::new(CrosstermBackend::new(Screen(io::stdout())))
        });
        match opened {
            Ok(terminal) => Ok(Self {
                _guard: Guard,
                terminal,
                keyboard: Keyboard::open(),
                ending,
                phase: Phase::Begin,
                next: Instant::now(),
            }),
            Err(error) => {
                // The first error says more.
                let _ = put_back();
                Err(error)
            }
        }
    }

    /// Puts the terminal back. Returns what knows whether a signal has come.
    pub(crate) fn shut(self) -> Ending {
        // Nobody is left to be told.
        let _ = put_back();
        self.ending
    }

    /// Plays on until the view waits for the game or ends.
    pub(crate) fn turn<S: Show>(&mut self, show: &mut S) -> io::Result<Turn> {
        let turned = self.play(show);
        match turned {
            // Whatever could not be written or read: it is the end of the view, and not an error of the game.
            Err(_) if self.keyboard.is_gone() => Ok(Turn::Quit),
            turned => turned,
        }
    }

    fn play<S: Show>(&mut self, show: &mut S) -> io::Result<Turn> {
        loop {
            match self.phase {
                Phase::Begin => {
                    show.look_around();
                    self.phase = Phase::Jump(Instant::now());
                }
                Phase::Jump(begun) => {
                    while show.is_jumping() && begun.elapsed() < FRAME {
                        show.work(JUMP_TICKS);
                        if show.is_waiting() {
                            return Ok(Turn::Wait);
                        }
                    }
                    self.terminal.draw(|frame| show.draw(frame))?;
                    let due = match (show.is_jumping(), show.is_paused()) {
                        (true, _) => begun,
                        (false, true) => begun + IDLE,
                        (false, false) => self.next.max(begun + FRAME),
                    };
                    let before = (show.is_paused(), show.period());
                    if self.answer(show, due)? == Wish::Quit {
                        return Ok(Turn::Quit);
                    }
                    if before != (show.is_paused(), show.period()) {
                        self.next = Instant::now();
                    }
                    // After a long break (the program was stopped, or the machine slept) time continues from here.
                    let most = FRAME.div_duration_f64(show.period()) as u32;
                    self.phase = Phase::Play(most.saturating_mul(4).saturating_add(2));
                }
                Phase::Play(left) => {
                    let now = Instant::now();
                    if left == 0 {
                        self.next = self.next.max(now);
                    }
                    if left == 0 || self.next > now || !show.advance() {
                        if show.is_waiting() && !show.is_jumping() {
                            return Ok(Turn::Wait);
                        }
                        self.phase = Phase::Begin;
                        continue;
                    }
                    self.next += show.period();
                    self.phase = Phase::Play(left - 1);
                }
            }
        }
    }

    /// Waits until something is due, and handles the terminal events that arrive meanwhile.
    fn answer<S: Show>(&self, show: &mut S, due: Instant) -> io::Result<Wish> {
        let mut wait = due.saturating_duration_since(Instant::now());
        while !self.ending.is_near() {
            if self.keyboard.wait(wait) == Waited::Gone {
                return Ok(Wish::Quit);
            }
            if !event::poll(READ)? {
                break;
            }
            if show.on(&event::read()?) == Wish::Quit {
                return Ok(Wish::Quit);
            }
            wait = Duration::ZERO;
        }
        Ok(match self.ending.is_near() {
            true => Wish::Quit,
            false => Wish::GoOn,
        })
    }
}

/// The screen, as long as it is the view's. What comes later is dropped: a terminal that is gone makes no noise then.
struct Screen(io::Stdout);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match IS_OPEN.load(Ordering::Relaxed) {
            true => self.0.write(bytes),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match IS_OPEN.load(Ordering::Relaxed) {
            true => self.0.flush(),
            false => Ok(()),
        }
    }
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = put_back();
    }
}

/// What panics have said while the terminal was the view's; the oldest first.
static HELD: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// How many of them are kept.
const MOST_HELD: usize = 20;

/// From now on, what a panic says is held while the terminal is the view's. A leaf that panics is a fault, and the game
/// continues: nothing may be printed over the view. Any other panic closes the view, and then it is printed.
fn hold_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if cfg!(panic = "abort") {
                // If this fails too, there is no way left to report it.
                let _ = put_back();
            }
            if !IS_OPEN.load(Ordering::Relaxed) {
                return hook(panic);
            }
            let thread = std::thread::current();
            let name = thread.name().unwrap_or("<unnamed>");
            let mut text = format!("thread '{name}' {panic}");
            let trace = std::backtrace::Backtrace::capture();
            if trace.status() == std::backtrace::BacktraceStatus::Captured {
                text.push_str(&format!("\n{trace}"));
            }
            let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
            if held.len() < MOST_HELD {
                held.push(text);
            }
        }));
    });
}

/// Puts the terminal back as it was before, if it is the view's, and prints what was held.
fn put_back() -> io::Result<()> {
    if !IS_OPEN.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let shown = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        ShowCursor
    );
    let cooked = disable_raw_mode();
    let held = std::mem::take(&mut *HELD.lock().unwrap_or_else(PoisonError::into_inner));
    for text in held {
        // If nobody can be told, there is no way left to report it.
        let _ = writeln!(io::stderr(), "{text}");
    }
    cooked.and(shown)
}
