//! The front door: a view of a game, in the game's own loop.

use crate::app::{App, Playable as _};
use crate::game::Game;
use crate::record::{Desk, Shared, Watch, desk};
use crate::rounds::Line;
use crate::scene::{Scene as _, log_text, summary};
use crate::signals::Ending;
use crate::terminal::{Turn, Window};
use crate::theme::Theme;
use ratatui::text::Text;
use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use treemind::world::World;
use treemind::{Cast, Mind, Minds};
use treemind_core::observer::Observed;
use treemind_replay::follow::Tone;

/// How many ticks a log has, unless the game says otherwise.
const LOG_TICKS: u64 = 600;

/// The view of a game in the terminal. The game keeps its own loop, and asks the view before each tick whether to
/// continue:
///
/// ```
/// use std::time::Duration;
/// use treemind::prelude::*;
/// use treemind_view::View;
///
/// struct World { at: i64 }
///
/// let mut leaves = Registry::<World>::new();
/// leaves.action("walk", |world, _| {
///     world.at += 1;
///     Status::Running
/// });
/// let text = b"leaves { action walk; }\ntree guard { action walk; }";
/// let mut guard = Mind::read(text, "guard.kdl", &leaves)?;
/// let mut world = World { at: 0 };
///
/// let mut view = View::new().ticks(20);
/// view.watch(&mut guard, "guard");
/// while view.goes_on()? {
///     guard.tick(&mut world, Duration::from_millis(50));
///     view.panel(format!("the guard is at {}", world.at));
/// }
/// assert_eq!(world.at, 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a terminal, `goes_on` shows the game and handles the keys: it returns when the next tick is due, and `false` when
/// the user quits. Without a terminal it prints a log, one line per event, and returns `false` after 600 ticks.
///
/// Going back shows earlier ticks: the agents as they were, with their reasons, and the panel as the game drew it then.
/// The game itself does not go back. It waits where it is, and continues when the view has come back there.
///
/// The terminal is restored when the view ends or is dropped, even by a panic. While it is open, nothing else should be
/// printed: [`note`](Self::note) adds a line to the log.
pub struct View {
    shared: Shared,
    title: String,
    agent: Option<String>,
    speed: f64,
    is_paused: bool,
    ticks: Option<u64>,
    has_terminal: bool,
    state: State,
}

/// How far it is.
enum State {
    /// The game has not been asked for a tick.
    New,
    /// The game plays its first tick.
    First,
    Live(Box<(App<Game>, Window)>),
    Log(Box<Game>),
    /// The user has quit, or the log has ended; whether a signal has come.
    Over(Option<Ending>),
}

impl Default for View {
    fn default() -> Self {
        Self::new()
    }
}

impl View {
    /// A view that is not open yet.
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Mutex::new(Desk::default())),
            title: "game".to_owned(),
            agent: None,
            speed: 1.0,
            is_paused: false,
            ticks: None,
            has_terminal: io::stdout().is_terminal(),
            state: State::New,
        }
    }

    /// The same, with a title for the game's panel; by default it is `game`.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.title = title.to_owned();
        self
    }

    /// The same, and in a terminal, it first shows the agent with this name, or with this number from 1. If there is
    /// none after the first tick, [`goes_on`](Self::goes_on) says so.
    #[must_use]
    pub fn agent(mut self, name: &str) -> Self {
        self.agent = Some(name.to_owned());
        self
    }

    /// The same at another speed, as a multiple of the game's own, from 0.1 to 64. The user can change it.
    #[must_use]
    pub fn speed(mut self, factor: f64) -> Self {
        if !factor.is_nan() {
            self.speed = factor.clamp(crate::SLOWEST, crate::FASTEST);
        }
        self
    }

    /// The same, paused after its first tick.
    #[must_use]
    pub fn paused(mut self) -> Self {
        self.is_paused = true;
        self
    }

    /// The same, but it pauses after this many ticks. A log ends then; by default, it ends after 600.
    #[must_use]
    pub fn ticks(mut self, ticks: u64) -> Self {
        self.ticks = Some(ticks);
        self
    }

    /// The same, but it prints a log even if there is a terminal.
    #[must_use]
    pub fn log_only(mut self) -> Self {
        self.has_terminal = false;
        self
    }

    /// Shows agents from their next tick on. Several may be watched, such as the guards and the wolves. `name` is that
    /// of the agents in the view: `guard`, or `guard-1` to `guard-9` if there are several.
    pub fn watch(&mut self, agents: &mut impl Observed, name: &str) {
        let watch = self.watch_as(name);
        agents.observe(watch.into_observer());
    }

    /// Shows a population or a society that the game ticks itself: it ticks them with the [`Watch`].
    pub fn watch_as(&mut self, name: &str) -> Watch {
        Watch::new(&self.shared, name)
    }

    /// Sets the game's own panel after this tick: lines of text, in colours if it is a [`Text`]. It stays until it is
    /// set again.
    pub fn panel(&mut self, text: impl Into<Text<'static>>) {
        desk(&self.shared).round.panel = Some(text.into());
    }

    /// Adds a line to the log, in this tick.
    pub fn note(&mut self, text: impl Into<String>) {
        desk(&self.shared).round.notes.push(text.into());
    }

    /// Whether the game should play a tick now. Shows the game up to then. After `false` it stays `false`, and the
    /// terminal is as it was before.
    ///
    /// # Errors
    /// When the terminal cannot be used, the log cannot be written, or there is no agent of the requested name. If the
    /// reader of a log stops reading, that is not an error: the log ends.
    pub fn goes_on(&mut self) -> io::Result<bool> {
        let goes_on = self.turn();
        if !matches!(goes_on, Ok(true)) {
            self.end();
        }
        goes_on
    }

    /// Ends the view. If a signal such as SIGTERM has ended it, this ends the program in the way the signal does.
    ///
    /// # Errors
    /// When the terminal cannot be restored.
    pub fn finish(mut self) -> io::Result<()> {
        self.end();
        match std::mem::replace(&mut self.state, State::Over(None)) {
            State::Over(Some(ending)) => ending.come(),
            _ => Ok(()),
        }
    }

    fn turn(&mut self) -> io::Result<bool> {
        match &mut self.state {
            State::New => {
                self.state = State::First;
                return Ok(true);
            }
            State::First => self.open()?,
            State::Live(live) => take_over(&self.shared, live.0.game_mut()),
            State::Log(game) => take_over(&self.shared, game),
            State::Over(_) => return Ok(false),
        }
        match &mut self.state {
            State::Live(live) => {
                let (app, window) = &mut **live;
                Ok(window.turn(app)? == Turn::Wait)
            }
            State::Log(game) => {
                let last = self.ticks.unwrap_or(LOG_TICKS);
                log(game, last)
            }
            _ => Ok(false),
        }
    }

    /// Opens the view, when the game has played its first tick.
    fn open(&mut self) -> io::Result<()> {
        let begin = desk(&self.shared).round.tick.unwrap_or(0);
        let mut game = Game::new(begin, &self.title);
        take_over(&self.shared, &mut game);
        if !self.has_terminal {
            self.state = State::Log(Box::new(game));
            return Ok(());
        }
        game.step();
        let mut agent = 0;
        if let Some(name) = &self.agent {
            agent = game.find(name).ok_or_else(|| {
                let text = format!("there is no agent `{name}`; {}", game.listed());
                io::Error::new(io::ErrorKind::InvalidInput, text)
            })?;
        }
        game.shows(agent);
        let last = self.ticks.map(|ticks| begin.saturating_add(ticks));
        let mut app = App::new(game, agent, Theme::of_environment()).until(last);
        (app.look.speed, app.look.is_paused) = (self.speed, self.is_paused);
        self.state = State::Live(Box::new((app, Window::open()?)));
        Ok(())
    }

    /// Closes what is open, and says how it went.
    fn end(&mut self) {
        desk(&self.shared).is_over = true;
        let summary = |game: &Game| summary(game.tick(), game.secs_at(game.tick()), game.faults());
        let summary = match std::mem::replace(&mut self.state, State::Over(None)) {
            State::Live(live) => {
                let (app, window) = *live;
                self.state = State::Over(Some(window.shut()));
                summary(app.game())
            }
            State::Log(game) => summary(&game),
            other => {
                self.state = other;
                return;
            }
        };
        // If nobody can be told, there is no way left to report it.
        let _ = writeln!(io::stderr(), "{summary}");
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The panic says how it went.
            self.state = State::Over(None);
        }
        self.end();
    }
}

impl fmt::Debug for View {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("View")
            .field("title", &self.title)
            .field("has_terminal", &self.has_terminal)
            .finish_non_exhaustive()
    }
}

/// Hands the round that the game has played to what plays it.
fn take_over(shared: &Shared, game: &mut Game) {
    game.push(&mut desk(shared));
}

/// Prints what the last round was; returns whether the log continues.
fn log(game: &mut Game, last: u64) -> io::Result<bool> {
    let mut ticks = 0;
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    while game.step() {
        ticks += 1;
        let at = (game.tick(), game.secs_at(game.tick()));
        for line in game.fresh() {
            written = written.and_then(|()| print(line, at, &mut out));
        }
    }
    debug_assert_eq!(ticks, 1, "one round was played");
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(game.ticks_so_far() < last),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

fn print(line: &Line, (tick, secs): (u64, f64), out: &mut impl io::Write) -> io::Result<()> {
    let text = &line.text;
    match line.tone {
        // If nobody can be told, the game continues.
        Tone::Fault => {
            let _ = writeln!(io::stderr(), "fault: tick {tick}: {text}");
            Ok(())
        }
        _ => writeln!(out, "{}", log_text(tick, secs, text)),
    }
}

/// Plays agents in their world until the user quits: [`View`] for games whose ticks are all alike. `rest` plays what
/// the game does apart from ticking them, once in each tick after them, and returns its panel.
///
/// ```
/// use std::time::Duration;
/// use treemind::prelude::*;
///
/// let mut leaves = Registry::<i64>::new();
/// leaves.action("walk", |at, _| {
///     *at += 1;
///     Status::Running
/// });
/// let text = b"leaves { action walk; }\ntree guard { action walk; }";
/// let mut guards = Minds::read(text, "guard.kdl", &leaves, 3)?;
/// let tick = Duration::from_millis(50);
/// treemind_view::play(&mut guards, &mut 0, tick, |_, at| format!("they are at {at}"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`View::goes_on`].
pub fn play<'w, W: World + ?Sized, A: Ticked<W>>(
    agents: &mut A,
    world: &mut W::At<'w>,
    dt: Duration,
    mut rest: impl FnMut(&mut A, &mut W::At<'w>) -> String,
) -> io::Result<()> {
    let mut view = View::new();
    view.watch(agents, "agent");
    while view.goes_on()? {
        agents.tick_once(world, dt);
        let text = rest(agents, world);
        view.panel(text);
    }
    view.finish()
}

/// Agents that can be ticked in a world of type `W`: [`Mind`], [`Minds`] and [`Cast`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be played in the world `{W}`",
    label = "expected a `Mind`, `Minds` or a `Cast` of `{W}`"
)]
pub trait Ticked<W: World + ?Sized>: Observed + sealed::Sealed {
    /// Ticks them once.
    #[doc(hidden)]
    fn tick_once(&mut self, world: &mut W::At<'_>, dt: Duration);
}

mod sealed {
    pub trait Sealed {}
}

/// All have the same methods.
macro_rules! ticked {
    ($($type:ident $tick:ident;)*) => {$(
        impl<W: World + ?Sized> sealed::Sealed for $type<W> {}

        impl<W: World + ?Sized> Ticked<W> for $type<W> {
            fn tick_once(&mut self, world: &mut W::At<'_>, dt: Duration) {
                self.$tick(world, dt);
            }
        }
    )*};
}

ticked!(Mind tick; Minds tick; Cast step;);
