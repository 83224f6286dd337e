//! The live view of a crowd without a terminal: how it reacts to keys and time.

use super::super::outputs::Saves;
use super::super::pace::Progress;
use super::super::reloading::Reloading;
use super::{Timed, view};
use crate::io::{self, Failure};
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::collections::VecDeque;
use std::time::Duration;
use treemind_arena::TICK;
use treemind_replay::history::{COPY_BYTES, KeyFrames};
use treemind_view::{Show, Theme, Wish, faster};

/// How many lines of what has happened are kept.
const KEPT_LINES: usize = 32;

/// The state of the view.
pub(super) struct CrowdApp {
    crowd: Timed,
    /// What looks after the document, if it is watched.
    pub(super) reloading: Option<Reloading>,
    pub(super) name: String,
    pub(super) theme: Theme,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
    /// The tick after which the view pauses.
    last_tick: Option<u64>,
    jump: Option<u64>,
    /// What has happened, with the ticks; the newest last.
    pub(super) log: VecDeque<(u64, String)>,
    /// What became of a changed document, until the next key is pressed.
    pub(super) notice: Option<String>,
    /// Where two keys save the crowd, and load it from.
    pub(super) saves: Saves,
    pub(super) shows_help: bool,
    /// The crowd at earlier ticks, from where every tick up to now can be played again.
    copies: KeyFrames<(u64, Vec<u8>)>,
}

impl CrowdApp {
    pub(super) fn new(
        crowd: Timed,
        name: String,
        theme: Theme,
        (last_tick, speed): (Option<u64>, f64),
    ) -> Self {
        Self {
            copies: copies_from(&crowd),
            crowd,
            reloading: None,
            name,
            theme,
            is_paused: false,
            speed,
            last_tick,
            jump: None,
            log: VecDeque::new(),
            notice: None,
            saves: Err("there is no saved game".to_owned()),
            shows_help: false,
        }
    }

    /// Saves the crowd, or continues with the saved one, and says so.
    fn keep(&mut self, is_saved: bool) {
        let text = match self.try_to_keep(is_saved) {
            Ok(text) => text,
            Err(failure) => failure.sentence(),
        };
        self.log.push_back((self.crowd.tick(), text));
    }

    fn try_to_keep(&mut self, is_saved: bool) -> Result<String, Failure> {
        let output = self.saves.clone().map_err(Failure::Failed)?;
        let name = io::display_name(output.path());
        if is_saved {
            output.write(&self.crowd.crowd().save())?;
            return Ok(format!("saved to {name}"));
        }
        self.crowd.load(output.path(), &output.read()?)?;
        // Another course: its earlier ticks are not known.
        self.copies = copies_from(&self.crowd);
        Ok(format!("loaded from {name}"))
    }

    pub(super) fn crowd(&self) -> &Timed {
        &self.crowd
    }

    pub(super) fn crowd_mut(&mut self) -> &mut Timed {
        &mut self.crowd
    }

    /// Plays on to a tick, and pauses there.
    pub(super) fn go_to(&mut self, tick: u64) {
        self.is_paused = true;
        self.jump = Some(tick);
    }

    /// Plays to a tick for a picture of it.
    pub(super) fn draw_at(&mut self, tick: u64) {
        let mut progress = Progress::to(tick);
        while self.crowd.tick() < tick {
            self.step();
            progress.tell(self.crowd.tick());
        }
        self.crowd.forget_time();
    }

    /// Goes back by one tick, if that is kept: to the last moment before it, and from there on.
    pub(super) fn step_back(&mut self) {
        let Some(wanted) = self.crowd.tick().checked_sub(1) else {
            return;
        };
        let Some((tick, saved)) = self.copies.before(wanted) else {
            return;
        };
        let tick = *tick;
        if self.crowd.go_back(saved) {
            self.log.retain(|(at, _)| *at <= tick);
            while self.crowd.tick() < wanted {
                self.step();
            }
        }
    }

    /// One tick, from which it can go back.
    fn play(&mut self) {
        self.step();
        let crowd = &self.crowd;
        self.copies.keep_within(COPY_BYTES, crowd.tick(), || {
            let saved = crowd.crowd().save();
            let bytes = saved.len();
            ((crowd.tick(), saved), bytes)
        });
    }

    fn step(&mut self) {
        self.crowd.step();
        let tick = self.crowd.tick();
        let said = self.crowd.crowd().said().iter();
        self.log.extend(said.map(|text| (tick, text.clone())));
        while self.log.len() > KEPT_LINES {
            self.log.pop_front();
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
                self.play();
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

/// The first copy of a crowd, before which it does not go back.
fn copies_from(crowd: &Timed) -> KeyFrames<(u64, Vec<u8>)> {
    let tick = crowd.tick();
    KeyFrames::new(tick, (tick, crowd.crowd().save()))
}

impl Show for CrowdApp {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        view::draw(frame, self);
    }

    fn look_around(&mut self) {
        let Some(reloading) = &mut self.reloading else {
            return;
        };
        let told = reloading.look(&mut self.crowd);
        if told.is_empty() {
            return;
        }
        let tick = self.crowd.tick();
        let first: Vec<&str> = told.iter().take(3).map(|line| line.trim()).collect();
        self.notice = Some(first.join(", "));
        self.log.extend(told.into_iter().map(|line| (tick, line)));
        // Earlier ticks were played with the old document: nobody goes back to them.
        self.copies = copies_from(&self.crowd);
        self.jump = None;
    }

    fn is_jumping(&self) -> bool {
        self.jump.is_some_and(|tick| self.crowd.tick() < tick)
    }

    fn work(&mut self, ticks: u64) {
        for _ in 0..ticks {
            if self.is_jumping() {
                self.play();
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
        self.play();
        self.is_paused = self.last_tick == Some(self.crowd.tick());
        !self.is_paused
    }

    fn on(&mut self, event: &Event) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            _ => Wish::GoOn,
        }
    }
}
