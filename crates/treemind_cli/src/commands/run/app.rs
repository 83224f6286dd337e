//! The live view without a terminal: how it reacts to keys, the mouse and time.

use super::camera::Camera;
use super::live::Show;
use super::player::Player;
use super::reel::Reel;
use super::reloading::Reloading;
use super::view::{Hits, Look, Screen, Theme};
use crate::io::{self, Failure};
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use std::path::PathBuf;
use treemind_arena::{Key, LoadError};

/// The lowest speed.
pub(super) const SLOWEST: f64 = 0.1;
/// The highest speed.
pub(super) const FASTEST: f64 = 64.0;

pub(super) const SPEEDS: [f64; 10] = [SLOWEST, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, FASTEST];
/// How many lines one step of the mouse wheel scrolls.
const WHEEL_LINES: isize = 3;
/// How many digits a typed tick number may have.
const MOST_DIGITS: usize = 9;

/// The actions of keys and buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Pause,
    Forth,
    Back,
    Faster,
    Slower,
    Jump,
    Next,
    Previous,
    Panel,
    Save,
    Load,
    Why,
    Help,
    Quit,
}

/// Whether the user wants to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    GoOn,
    Quit,
}

/// A jump to another tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The state of the live view.
pub(super) struct App<'a> {
    reel: Reel,
    pub(super) look: Look,
    /// The tick after which the view pauses.
    last_tick: Option<u64>,
    hits: Hits,
    /// Where the game is saved.
    saves: Option<PathBuf>,
    /// What looks after the document, if it is watched.
    reloading: Option<Reloading<'a>>,
    /// The last tick of the recording that is watched: nobody plays on, or saves.
    end: Option<u64>,
}

impl<'a> App<'a> {
    /// A view of one mind of a player, which is at its first tick.
    pub(super) fn new(player: Player, mind: usize, theme: Theme) -> Self {
        Self {
            look: Look::at(mind.min(player.minds().len() - 1), theme),
            reel: Reel::new(player),
            last_tick: None,
            hits: Hits::default(),
            saves: None,
            reloading: None,
            end: None,
        }
    }

    /// The same, recorded.
    pub(super) fn recorded_by(mut self, camera: Option<Camera>) -> Self {
        self.reel = self.reel.recorded_by(camera);
        self
    }

    /// The same, for watching a recording, which ends with this tick.
    pub(super) fn watching(mut self, end: u64) -> Self {
        (self.end, self.last_tick) = (Some(end), Some(end));
        self
    }

    /// The same, and two keys save the game to this file and load it.
    pub(super) fn saving_to(mut self, path: PathBuf) -> Self {
        self.saves = Some(path);
        self
    }

    /// The same, and it goes on with the document whenever that changes.
    pub(super) fn reloading(mut self, reloading: Option<Reloading<'a>>) -> Self {
        self.reloading = reloading;
        self
    }

    /// The same, but it pauses after a tick.
    pub(super) fn until(mut self, tick: Option<u64>) -> Self {
        self.last_tick = tick;
        self
    }

    /// The state to be drawn.
    pub(super) fn screen(&self) -> Screen<'_> {
        Screen {
            player: self.reel.player(),
            look: &self.look,
        }
    }

    /// Stores where everything was drawn.
    pub(super) fn drawn(&mut self, hits: Hits) {
        self.look.log_back = self.look.log_back.min(hits.log_most);
        self.hits = hits;
    }

    pub(super) fn tick(&self) -> u64 {
        self.reel.tick()
    }

    pub(super) fn into_parts(self) -> (Player, Option<Camera>) {
        self.reel.into_parts()
    }

    /// Starts a jump to a tick, and pauses there.
    pub(super) fn go_to(&mut self, tick: u64) {
        let tick = self.end.map_or(tick, |end| tick.min(end));
        self.look.is_paused = true;
        self.reel.flush();
        self.reel.rewind(tick);
        let from = self.tick();
        self.look.jump = (from < tick).then_some(Jump { from, to: tick });
    }

    fn press(&mut self, key: KeyEvent) -> Wish {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control {
            return match key.code {
                KeyCode::Char('c' | 'd') => Wish::Quit,
                _ => Wish::GoOn,
            };
        }
        if self.look.prompt.is_some() {
            self.type_tick(key.code);
            return Wish::GoOn;
        }
        if let Some(key) = self.steering_key(key.code) {
            self.look.shows_help = false;
            self.reel.press(key);
            return Wish::GoOn;
        }
        let action = match key.code {
            KeyCode::Char('p' | 'P') => Action::Pause,
            KeyCode::Char(' ') => Action::Pause,
            KeyCode::Char('.') | KeyCode::Right => Action::Forth,
            KeyCode::Char(',') | KeyCode::Left => Action::Back,
            KeyCode::Char('+' | '=') => Action::Faster,
            KeyCode::Char('-') => Action::Slower,
            KeyCode::Char('g' | 'G') => Action::Jump,
            KeyCode::Tab => Action::Next,
            KeyCode::BackTab => Action::Previous,
            KeyCode::Char('v' | 'V') => Action::Panel,
            KeyCode::F(5) => Action::Save,
            KeyCode::F(9) => Action::Load,
            KeyCode::Char('y' | 'Y') => Action::Why,
            KeyCode::Char('?' | 'h') => Action::Help,
            KeyCode::Char('q' | 'Q') => Action::Quit,
            KeyCode::Esc => return self.escape(),
            code => {
                self.scroll_by_key(code);
                return Wish::GoOn;
            }
        };
        self.act(action)
    }

    /// The key of the hero that a key of the terminal stands for, if the map has a hero.
    fn steering_key(&self, code: KeyCode) -> Option<Key> {
        self.reel.player().hero().filter(|_| self.end.is_none())?;
        if self.look.jump.is_some() {
            return None;
        }
        Some(match code {
            KeyCode::Up | KeyCode::Char('w' | 'W') => Key::Up,
            KeyCode::Down | KeyCode::Char('s' | 'S') => Key::Down,
            KeyCode::Left | KeyCode::Char('a' | 'A') => Key::Left,
            KeyCode::Right | KeyCode::Char('d' | 'D') => Key::Right,
            KeyCode::Char(' ') => Key::Strike,
            KeyCode::Char('x' | 'X') => Key::Stand,
            KeyCode::Char('c' | 'C') => Key::Sneak,
            KeyCode::Char('n' | 'N') => Key::Whistle,
            _ => return None,
        })
    }

    fn scroll_by_key(&mut self, code: KeyCode) {
        let page = isize::try_from(self.hits.tree.height.max(2) - 1).unwrap_or(1);
        match code {
            KeyCode::Char(digit @ '1'..='9') => self.choose(digit as usize - '1' as usize),
            KeyCode::PageUp => self.scroll_tree(-page),
            KeyCode::PageDown => self.scroll_tree(page),
            KeyCode::Up => self.select(-1),
            KeyCode::Down => self.select(1),
            KeyCode::Char('[') => self.scroll_log(WHEEL_LINES),
            KeyCode::Char(']') => self.scroll_log(-WHEEL_LINES),
            KeyCode::Home => self.go_to(0),
            KeyCode::End => self.follow(),
            _ => {}
        }
    }

    /// Closes whatever is open, or asks to quit when nothing is.
    fn escape(&mut self) -> Wish {
        if self.look.shows_help {
            self.look.shows_help = false;
        } else if self.look.shows_why {
            self.look.shows_why = false;
        } else if self.look.jump.take().is_none() {
            if self.look.selected.is_none()
                && self.look.tree_top.is_none()
                && self.look.log_back == 0
            {
                return Wish::Quit;
            }
            self.follow();
        }
        Wish::GoOn
    }

    /// Scrolls to what is running, and to the end of the log.
    fn follow(&mut self) {
        (self.look.tree_top, self.look.selected, self.look.log_back) = (None, None, 0);
    }

    fn type_tick(&mut self, code: KeyCode) {
        let Some(text) = &mut self.look.prompt else {
            return;
        };
        match code {
            KeyCode::Char(digit @ '0'..='9') if text.len() < MOST_DIGITS => text.push(digit),
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Enter => {
                let tick = text.parse();
                self.look.prompt = None;
                if let Ok(tick) = tick {
                    self.go_to(tick);
                }
            }
            KeyCode::Esc => self.look.prompt = None,
            _ => {}
        }
    }

    fn act(&mut self, action: Action) -> Wish {
        self.look.shows_help &= action == Action::Help;
        match action {
            Action::Quit => return Wish::Quit,
            Action::Help => self.look.shows_help = !self.look.shows_help,
            Action::Why => self.look.shows_why = !self.look.shows_why,
            Action::Panel => {
                self.look.panel = self.look.panel.next(self.reel.player().world().is_some())
            }
            Action::Next => self.choose((self.look.mind + 1) % self.minds()),
            Action::Previous => self.choose((self.look.mind + self.minds() - 1) % self.minds()),
            Action::Faster => {
                let faster = SPEEDS.into_iter().find(|&speed| speed > self.look.speed);
                self.look.speed = faster.unwrap_or(self.look.speed);
            }
            Action::Slower => {
                let slower = SPEEDS
                    .into_iter()
                    .rev()
                    .find(|&speed| speed < self.look.speed);
                self.look.speed = slower.unwrap_or(self.look.speed);
            }
            // All other actions have to wait until the jump ends.
            _ if self.look.jump.is_some() => {}
            Action::Forth | Action::Pause if self.end == Some(self.tick()) => {
                self.look.is_paused = true;
            }
            Action::Pause => {
                self.look.is_paused = !self.look.is_paused;
                self.reel.flush();
                let tick = self.tick();
                let goes_on = |&last: &u64| tick < last;
                self.last_tick = self.last_tick.filter(goes_on).or(self.end);
            }
            Action::Forth => {
                self.look.is_paused = true;
                self.reel.step();
            }
            Action::Back => self.go_to(self.tick().saturating_sub(1)),
            Action::Jump => self.look.prompt = Some(String::new()),
            Action::Save => {
                let told = self.save();
                self.reel.note(told);
            }
            Action::Load => {
                let told = self.load();
                self.reel.note(told);
            }
        }
        Wish::GoOn
    }

    /// Saves the game, and says what became of it.
    fn save(&self) -> String {
        if self.end.is_some() {
            return "a recording is not saved".to_owned();
        }
        let (Some(path), Some(game)) = (&self.saves, self.reel.player().save()) else {
            return "a run by a script is not saved".to_owned();
        };
        match io::write(path, &game) {
            Ok(()) => format!("saved to {}", io::display_name(path)),
            Err(failure) => failure.sentence(),
        }
    }

    /// Continues the game that was saved, and says what became of it.
    fn load(&mut self) -> String {
        let Some(path) = &self.saves else {
            return "there is no saved game".to_owned();
        };
        let mut player = self.reel.player().clone();
        let loaded = io::read(path).and_then(|game| {
            let failed = |error: LoadError| Failure::Failed(error.to_string());
            player.load(&game).map_err(failed)
        });
        match loaded {
            Ok(()) => {
                let told = format!("loaded from {}", io::display_name(path));
                self.reel.replace(player);
                told
            }
            Err(failure) => failure.sentence(),
        }
    }

    fn minds(&self) -> usize {
        self.reel.player().minds().len()
    }

    /// Shows another mind.
    fn choose(&mut self, mind: usize) {
        if mind < self.minds() && mind != self.look.mind {
            self.look.mind = mind;
            (self.look.tree_top, self.look.selected) = (None, None);
        }
    }

    fn scroll_tree(&mut self, lines: isize) {
        let most = self
            .hits
            .tree_lines
            .saturating_sub(usize::from(self.hits.tree.height));
        let top = self.look.tree_top.unwrap_or(self.hits.tree_first);
        self.look.tree_top = Some(top.saturating_add_signed(lines).min(most));
    }

    fn scroll_log(&mut self, lines: isize) {
        let back = self.look.log_back.saturating_add_signed(lines);
        self.look.log_back = back.min(self.hits.log_most);
    }

    /// Selects another line of the tree, whose details are shown, and keeps it in view.
    fn select(&mut self, lines: isize) {
        let (first, rows) = (self.hits.tree_first, usize::from(self.hits.tree.height));
        let last = self.hits.tree_lines.saturating_sub(1);
        let line = self
            .look
            .selected
            .map_or(first, |line| line.saturating_add_signed(lines).min(last));
        self.look.selected = Some(line);
        if line < first {
            self.look.tree_top = Some(line);
        } else if line >= first + rows.max(1) {
            self.look.tree_top = Some(line + 1 - rows.max(1));
        }
    }

    fn point(&mut self, mouse: MouseEvent) -> Wish {
        let place = Position::new(mouse.column, mouse.row);
        let wheel = match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => return self.click(place),
            MouseEventKind::ScrollUp => -WHEEL_LINES,
            MouseEventKind::ScrollDown => WHEEL_LINES,
            _ => return Wish::GoOn,
        };
        if self.hits.log.contains(place) {
            self.scroll_log(-wheel);
        } else if self.hits.tree.contains(place) {
            self.scroll_tree(wheel);
        }
        Wish::GoOn
    }

    fn click(&mut self, place: Position) -> Wish {
        if let Some(action) = self.hits.button_at(place) {
            self.look.prompt = None;
            return self.act(action);
        }
        self.look.shows_help = false;
        if let Some(mind) = self.hits.mind_at(place, self.reel.player()) {
            self.choose(mind);
        } else if self.hits.tree.contains(place) {
            let line = self.hits.tree_first + usize::from(place.y - self.hits.tree.y);
            let is_new = line < self.hits.tree_lines && self.look.selected != Some(line);
            self.look.tree_top = Some(self.hits.tree_first);
            self.look.selected = is_new.then_some(line);
        }
        Wish::GoOn
    }
}

impl Show for App<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        let hits = super::view::draw(frame, &self.screen());
        self.drawn(hits);
    }

    fn look_around(&mut self) {
        let Some(reloading) = &mut self.reloading else {
            return;
        };
        let mut player = self.reel.player().clone();
        let told = reloading.look(&mut player);
        if told.is_empty() {
            return;
        }
        told.into_iter().for_each(|line| player.note(line));
        // Earlier ticks were played with the old document: nobody goes back to them.
        self.reel = Reel::new(player);
        self.look.jump = None;
        (self.look.tree_top, self.look.selected) = (None, None);
    }

    fn is_paused(&self) -> bool {
        self.look.is_paused
    }

    fn speed(&self) -> f64 {
        self.look.speed
    }

    fn is_jumping(&self) -> bool {
        self.look.jump.is_some()
    }

    fn advance(&mut self) -> bool {
        if self.look.is_paused || self.look.jump.is_some() {
            return false;
        }
        self.reel.step();
        self.look.is_paused = self.last_tick == Some(self.tick());
        !self.look.is_paused
    }

    fn work(&mut self, ticks: u64) {
        let Some(Jump { to, .. }) = self.look.jump else {
            return;
        };
        self.reel.jump(to.min(self.tick().saturating_add(ticks)));
        if self.tick() >= to {
            self.look.jump = None;
        }
    }

    fn on(&mut self, event: &Event) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Event::Mouse(mouse) => self.point(*mouse),
            _ => Wish::GoOn,
        }
    }
}
