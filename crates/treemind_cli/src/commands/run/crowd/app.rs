//! The live view of a crowd without a terminal: how it reacts to keys and time.

use super::super::camera::Camera;
use super::super::course::Plays as _;
use super::super::outputs::Saves;
use super::super::pace::Progress;
use super::super::reel::Reel;
use super::super::reloading::Reloading;
use super::{Town, view};
use crate::io::{self, Failure};
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::time::Duration;
use treemind_arena::TICK;
use treemind_view::{Show, Theme, Wish, faster};

/// The state of the view.
pub(super) struct CrowdApp {
    reel: Reel<Town>,
    /// What looks after the document, if it is watched.
    pub(super) reloading: Option<Reloading>,
    pub(super) name: String,
    pub(super) theme: Theme,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
    /// The tick after which the view pauses.
    last_tick: Option<u64>,
    jump: Option<u64>,
    /// What became of a changed document, until the next key is pressed.
    pub(super) notice: Option<String>,
    /// Where two keys save the crowd, and load it from.
    pub(super) saves: Saves,
    pub(super) shows_help: bool,
}

impl CrowdApp {
    pub(super) fn new(
        (crowd, camera): (Town, Option<Camera>),
        name: String,
        theme: Theme,
        (last_tick, speed): (Option<u64>, f64),
    ) -> Self {
        Self {
            reel: Reel::new(crowd).recorded_by(camera),
            reloading: None,
            name,
            theme,
            is_paused: false,
            speed,
            last_tick,
            jump: None,
            notice: None,
            saves: Err("there is no saved game".to_owned()),
            shows_help: false,
        }
    }

    /// Saves the crowd, or continues with the saved one, and says so.
    fn keep(&mut self, is_saved: bool) {
        let text = match self.try_to_keep(is_saved) {
            Ok(text) => text,
            Err(failure) => failure.sentence().to_string(),
        };
        self.reel.now_mut().note(text);
    }

    fn try_to_keep(&mut self, is_saved: bool) -> Result<String, Failure> {
        let output = self.saves.clone().map_err(Failure::failed)?;
        let name = io::display_name(output.path());
        if is_saved {
            output.write(&self.crowd().crowd().save())?;
            return Ok(format!("saved to {name}"));
        }
        let mut loaded = self.crowd().clone();
        loaded.load(output.path(), &output.read()?)?;
        self.reel.replace(loaded);
        Ok(format!("loaded from {name}"))
    }

    pub(super) fn crowd(&self) -> &Town {
        self.reel.now()
    }

    pub(super) fn crowd_mut(&mut self) -> &mut Town {
        self.reel.now_mut()
    }

    pub(super) fn into_parts(self) -> (Town, Option<Camera>) {
        self.reel.into_parts()
    }

    /// Plays on to a tick, and pauses there.
    pub(super) fn go_to(&mut self, tick: u64) {
        self.is_paused = true;
        self.jump = Some(tick);
    }

    /// Plays to a tick for a picture of it.
    pub(super) fn draw_at(&mut self, tick: u64) {
        let mut progress = Progress::to(tick);
        while self.reel.tick() < tick {
            self.reel.step();
            progress.tell(self.reel.tick());
        }
        self.crowd_mut().forget_time();
    }

    /// Goes back by one tick, if that is kept: to the last moment before it, and from there on.
    pub(super) fn step_back(&mut self) {
        let wanted = self.reel.tick().saturating_sub(1);
        self.reel.seek(wanted);
        while self.reel.tick() < wanted {
            self.reel.step();
        }
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Wish {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.notice = None;
        if std::mem::take(&mut self.shows_help) {
            // Any key closes it; those that end the view do so at once.
            let ends = matches!(key.code, KeyCode::Char('q' | 'Q')) || is_control;
            if !ends {
                return Wish::GoOn;
            }
        }
        match key.code {
            KeyCode::Char('?' | 'h') => self.shows_help = true,
            KeyCode::Char('c' | 'd') if is_control => return Wish::Quit,
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Wish::Quit,
            KeyCode::Char(' ' | 'p') => self.is_paused = !self.is_paused,
            KeyCode::F(5) => self.keep(true),
            KeyCode::F(9) if self.jump.is_none() => self.keep(false),
            KeyCode::Char('+' | '=') => self.speed = faster(self.speed, true),
            KeyCode::Char('-') => self.speed = faster(self.speed, false),
            KeyCode::Char('.') | KeyCode::Right if self.jump.is_none() => {
                self.is_paused = true;
                self.reel.step();
            }
            KeyCode::Char(',') | KeyCode::Left if self.jump.is_none() => {
                self.is_paused = true;
                self.step_back();
            }
            _ => {}
        }
        Wish::GoOn
    }
}

impl Show for CrowdApp {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        view::draw(frame, self);
    }

    fn look_around(&mut self) {
        let Some(reloading) = &mut self.reloading else {
            return;
        };
        let told = reloading.look(&mut self.reel);
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        if told.is_empty() {
            return;
        }
        let first: Vec<&str> = told.iter().take(3).map(|line| line.trim()).collect();
        self.notice = Some(first.join(", "));
        let game = self.reel.now_mut();
        told.into_iter().for_each(|line| game.note(line));
        self.jump = None;
    }

    fn is_jumping(&self) -> bool {
        self.jump.is_some_and(|tick| self.reel.tick() < tick)
    }

    fn work(&mut self, ticks: u64) {
        for _ in 0..ticks {
            if self.is_jumping() {
                self.reel.step();
            }
        }
        if !self.is_jumping() {
            self.jump = None;
        }
    }

    fn is_paused(&self) -> bool {
        self.is_paused
    }

    fn period(&self) -> Duration {
        TICK.div_f64(self.speed)
    }

    fn advance(&mut self) -> bool {
        if self.is_paused || self.jump.is_some() {
            return false;
        }
        self.reel.step();
        self.is_paused = self.last_tick == Some(self.reel.tick());
        !self.is_paused
    }

    fn on(&mut self, event: &Event) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            _ => Wish::GoOn,
        }
    }
}
