//! The live view: a loop of ticks, keys and drawing.

use super::player::Player;
use super::view::{self, Screen, Theme};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io;
use std::time::{Duration, Instant};
use treemind_arena::TICKS_PER_SEC;

/// The lowest speed.
pub(super) const SLOWEST: f64 = 0.1;
/// The highest speed.
pub(super) const FASTEST: f64 = 64.0;

const SPEEDS: [f64; 10] = [SLOWEST, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, FASTEST];
/// The shortest time between two drawings.
const FRAME: Duration = Duration::from_millis(33);
/// How long to wait for a key when nothing moves.
const IDLE: Duration = Duration::from_millis(250);

/// Plays until a key ends it, and gives the player back. The terminal is as it was before afterwards, also after an
/// error or a panic.
pub(super) fn run(
    player: Player,
    speed: f64,
    ticks: Option<u64>,
    theme: Theme,
) -> io::Result<Player> {
    let mut terminal = ratatui::try_init()?;
    let mut live = Live {
        player,
        speed,
        last_tick: ticks,
        is_paused: false,
        next: Instant::now(),
    };
    let done = live.play(&mut terminal, theme);
    ratatui::try_restore()?;
    done.map(|()| live.player)
}

struct Live {
    player: Player,
    speed: f64,
    /// The tick after which it pauses by itself.
    last_tick: Option<u64>,
    is_paused: bool,
    /// When the next tick is due.
    next: Instant,
}

/// What a key asks for beyond what is done at once.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    GoOn,
    Quit,
}

impl Live {
    fn play(&mut self, terminal: &mut DefaultTerminal, theme: Theme) -> io::Result<()> {
        loop {
            let drawn = Instant::now();
            let screen = Screen {
                player: &self.player,
                is_paused: self.is_paused,
                speed: self.speed,
                theme,
            };
            terminal.draw(|frame| view::draw(frame, &screen))?;
            if self.keys(drawn)? == Wish::Quit {
                return Ok(());
            }
            self.catch_up();
        }
    }

    /// Waits until something is due, and does what keys ask for meanwhile.
    fn keys(&mut self, drawn: Instant) -> io::Result<Wish> {
        let due = if self.is_paused {
            drawn + IDLE
        } else {
            self.next.max(drawn + FRAME)
        };
        let mut wait = due.saturating_duration_since(Instant::now());
        while event::poll(wait)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if self.press(key) == Wish::Quit {
                        return Ok(Wish::Quit);
                    }
                }
                Event::Resize(..) => {}
                _ => continue,
            }
            wait = Duration::ZERO;
        }
        Ok(Wish::GoOn)
    }

    fn press(&mut self, key: KeyEvent) -> Wish {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Wish::Quit,
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Wish::Quit,
            KeyCode::Char(' ') => {
                self.is_paused = !self.is_paused;
                self.last_tick = self.last_tick.filter(|&last| self.player.tick() < last);
                self.next = Instant::now();
            }
            KeyCode::Char('.') => {
                self.is_paused = true;
                self.player.step();
            }
            KeyCode::Tab => self.player.look_at_next(),
            KeyCode::Char('+' | '=') => {
                self.set_speed(SPEEDS.into_iter().find(|&speed| speed > self.speed))
            }
            KeyCode::Char('-') => {
                self.set_speed(SPEEDS.into_iter().rev().find(|&speed| speed < self.speed))
            }
            _ => {}
        }
        Wish::GoOn
    }

    fn set_speed(&mut self, speed: Option<f64>) {
        self.speed = speed.unwrap_or(self.speed);
        self.next = Instant::now() + self.period();
    }

    fn period(&self) -> Duration {
        Duration::from_secs_f64(1.0 / (TICKS_PER_SEC as f64 * self.speed))
    }

    /// Plays the ticks that are due.
    fn catch_up(&mut self) {
        if self.is_paused {
            return;
        }
        let period = self.period();
        let now = Instant::now();
        // After a long break (the program was stopped, the machine slept) time goes on from here.
        let most = FRAME.div_duration_f64(period) as u32 * 4 + 2;
        for _ in 0..most {
            if self.next > now {
                return;
            }
            self.player.step();
            self.next += period;
            if self.last_tick == Some(self.player.tick()) {
                self.is_paused = true;
                return;
            }
        }
        self.next = self.next.max(now);
    }
}
