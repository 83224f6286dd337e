//! The live view in the terminal: a loop of ticks, keys and drawing.

use super::app::Wish;
use crate::signals::Ending;
use ratatui::crossterm::event::Event;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::{DefaultTerminal, Frame};
use std::io;
use std::time::{Duration, Instant};
use treemind_arena::TICKS_PER_SEC;

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(33);
/// How long to wait for a key while nothing changes.
const IDLE: Duration = Duration::from_millis(250);
/// How many ticks of a jump are played before the clock is checked again.
const JUMP_TICKS: u64 = 16;

/// What is played in the terminal.
pub(super) trait Show {
    /// Draws a frame.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Whether it is on its way to another tick, which [`work`](Self::work) continues by some ticks.
    fn is_jumping(&self) -> bool;
    fn work(&mut self, ticks: u64);
    /// Looks whether something outside has changed.
    fn look_around(&mut self) {}
    fn is_paused(&self) -> bool;
    /// The speed, as a multiple of real time.
    fn speed(&self) -> f64;
    /// Plays one tick; returns whether another one may follow.
    fn advance(&mut self) -> bool;
    /// Handles an event from the terminal.
    fn on(&mut self, event: &Event) -> Wish;
}

/// Plays until a key ends the view, and returns what was played. Afterwards the terminal is as it was before, also after
/// an error, a panic or a signal; a signal then ends the program.
pub(super) fn run<S: Show>(mut app: S) -> io::Result<S> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // If this fails too, there is no way left to report it.
        let _ = execute!(io::stdout(), DisableMouseCapture);
        hook(panic);
    }));
    let ending = Ending::watch()?;
    let mut terminal = ratatui::try_init().inspect_err(|_| ratatui::restore())?;
    // A terminal without a mouse ignores this.
    let done = execute!(io::stdout(), EnableMouseCapture)
        .and_then(|()| play(&mut app, &mut terminal, &ending));
    let mouse = execute!(io::stdout(), DisableMouseCapture);
    let restored = ratatui::try_restore();
    // Dropping it shows the cursor again.
    drop(terminal);
    ending.come()?;
    restored?;
    done.and(mouse).map(|()| app)
}

fn play<S: Show>(app: &mut S, terminal: &mut DefaultTerminal, ending: &Ending) -> io::Result<()> {
    // When the next tick is due.
    let mut next = Instant::now();
    loop {
        app.look_around();
        let begun = Instant::now();
        while app.is_jumping() && begun.elapsed() < FRAME {
            app.work(JUMP_TICKS);
        }
        terminal.draw(|frame| app.draw(frame))?;
        let due = match (app.is_jumping(), app.is_paused()) {
            (true, _) => begun,
            (false, true) => begun + IDLE,
            (false, false) => next.max(begun + FRAME),
        };
        let (was_paused, speed) = (app.is_paused(), app.speed());
        if answer(app, due, ending)? == Wish::Quit {
            return Ok(());
        }
        if was_paused != app.is_paused() || speed != app.speed() {
            next = Instant::now();
        }
        next = catch_up(app, next);
    }
}

/// Waits until something is due, and handles the terminal events that arrive meanwhile.
fn answer<S: Show>(app: &mut S, due: Instant, ending: &Ending) -> io::Result<Wish> {
    let mut wait = due.saturating_duration_since(Instant::now());
    while !ending.is_near() && event::poll(wait)? {
        if app.on(&event::read()?) == Wish::Quit {
            return Ok(Wish::Quit);
        }
        wait = Duration::ZERO;
    }
    if ending.is_near() {
        return Ok(Wish::Quit);
    }
    Ok(Wish::GoOn)
}

/// Plays the ticks that are due; returns when the next one is due.
fn catch_up<S: Show>(app: &mut S, mut next: Instant) -> Instant {
    let period = Duration::from_secs_f64(1.0 / (TICKS_PER_SEC as f64 * app.speed()));
    let now = Instant::now();
    // After a long break (the program was stopped, or the machine slept) time continues from here.
    let most = FRAME.div_duration_f64(period) as u32 * 4 + 2;
    for _ in 0..most {
        if next > now || !app.advance() {
            return next;
        }
        next += period;
    }
    next.max(now)
}
