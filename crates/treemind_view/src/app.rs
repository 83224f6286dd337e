//! The live view without a terminal: how it reacts to keys, the mouse and time.

use crate::draw::{self, Hits, Look, Prompt, Screen};
use crate::scene::Scene;
use crate::terminal::Show;
use crate::theme::Theme;
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use std::time::Duration;
use treemind_replay::follow::{FASTEST, SLOWEST};

const SPEEDS: [f64; 10] = [SLOWEST, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, FASTEST];
/// How many lines one step of the mouse wheel scrolls.
const WHEEL_LINES: isize = 3;
/// How many digits a typed tick number may have.
const MOST_DIGITS: usize = 9;

/// How long a name may be that is typed.
const MOST_LETTERS: usize = 60;

/// The actions of keys and buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Pause,
    Forth,
    Back,
    Faster,
    Slower,
    Jump,
    Next,
    Previous,
    Panel,
    Agent,
    Why,
    Help,
    Quit,
}

/// Whether the user wants to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To continue.
    GoOn,
    /// To quit.
    Quit,
}

/// A jump to another tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jump {
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// Whether it is a step or a few, so that another step counts from its end.
    is_step: bool,
}

/// What a view plays: the scenes of a game, tick by tick and back.
pub trait Playable {
    /// What there is to see at the tick where it stands.
    fn scene(&self) -> &dyn Scene;

    /// Plays one tick. Returns whether it could: if not, it waits for the game to play a tick.
    fn step(&mut self) -> bool;

    /// Goes to what is kept nearest before a tick, back or forward, or to the first that is kept if that is later. Does
    /// nothing where going on tick by tick is the shortest way.
    fn seek(&mut self, tick: u64);

    /// The time from one tick to the next, at the game's own speed.
    fn period(&self) -> Duration;

    /// The last tick that there will be, if that is known.
    fn end(&self) -> Option<u64> {
        None
    }

    /// Whether it waits for the game to play a tick.
    fn is_waiting(&self) -> bool {
        false
    }

    /// The agent with a name or a number, counted from 1, if there is one. It can be shown from then on.
    fn find(&mut self, wanted: &str) -> Option<usize>;

    /// This agent is shown: from now on, or still at another tick.
    fn shows(&mut self, _mind: usize) {}

    /// A key was pressed that may be one of the game's own. Returns whether it is.
    fn press(&mut self, _key: KeyCode) -> bool {
        false
    }

    /// Nothing is played for a while.
    fn rest(&mut self) {}

    /// Looks whether something outside has changed. Returns whether it continues with other agents, and ticks before
    /// this one can no longer be played.
    fn look_around(&mut self) -> bool {
        false
    }
}

/// The state of the live view.
#[derive(Debug)]
pub struct App<S> {
    game: S,
    /// What the user looks at, and how.
    pub look: Look,
    /// The tick after which the view pauses.
    last_tick: Option<u64>,
    hits: Hits,
}

/// The next higher or lower speed of the live view.
pub fn faster(speed: f64, is_up: bool) -> f64 {
    let mut speeds = SPEEDS.into_iter();
    let next = match is_up {
        true => speeds.find(|&one| one > speed),
        false => speeds.rev().find(|&one| one < speed),
    };
    next.unwrap_or(speed)
}

impl<S: Playable> App<S> {
    /// A view of one agent.
    pub fn new(game: S, mind: usize, theme: Theme) -> Self {
        Self {
            look: Look::at(mind, theme),
            last_tick: game.end(),
            game,
            hits: Hits::default(),
        }
    }

    /// The same, but it pauses after a tick.
    #[must_use]
    pub fn until(mut self, tick: Option<u64>) -> Self {
        self.last_tick = tick.or(self.last_tick);
        self
    }

    /// What it plays.
    pub fn game(&self) -> &S {
        &self.game
    }

    pub(crate) fn game_mut(&mut self) -> &mut S {
        &mut self.game
    }

    /// What it plays.
    pub fn into_game(self) -> S {
        self.game
    }

    /// The state to be drawn.
    pub fn screen(&self) -> Screen<'_> {
        Screen {
            scene: self.game.scene(),
            look: &self.look,
        }
    }

    /// The tick that is shown.
    pub fn tick(&self) -> u64 {
        self.game.scene().tick()
    }

    /// Starts a jump to a tick, and pauses there.
    pub fn go_to(&mut self, tick: u64) {
        let tick = self.game.end().map_or(tick, |end| tick.min(end));
        self.look.is_paused = true;
        self.game.rest();
        self.game.seek(tick);
        let from = self.tick();
        self.look.jump = (from < tick).then_some(Jump {
            from,
            to: tick,
            is_step: false,
        });
    }

    /// Goes a tick forth or back. Steps that come faster than they can be played add up.
    fn step(&mut self, is_forth: bool) {
        let steps = self.look.jump.filter(|jump| jump.is_step);
        let aim = steps.map_or(self.tick(), |jump| jump.to);
        if is_forth && steps.is_none() && self.game.step() {
            self.look.is_paused = true;
            return;
        }
        self.go_to(match is_forth {
            true => aim + 1,
            false => aim.saturating_sub(1),
        });
        if let Some(jump) = &mut self.look.jump {
            jump.is_step = true;
        }
    }

    fn press(&mut self, key: KeyEvent) -> Wish {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.look.notice = None;
        if is_control {
            return match key.code {
                KeyCode::Char('c' | 'd') => Wish::Quit,
                _ => Wish::GoOn,
            };
        }
        if self.look.prompt.is_some() {
            self.type_on(key.code);
            return Wish::GoOn;
        }
        if self.look.jump.is_none() && self.game.press(key.code) {
            self.look.shows_help = false;
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
            KeyCode::Char('a' | 'A') => Action::Agent,
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
        } else if self.look.jump.is_some() {
            // On the way, not everything is known of a tick.
            self.go_to(self.tick());
        } else {
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

    fn type_on(&mut self, code: KeyCode) {
        let Some(prompt) = &mut self.look.prompt else {
            return;
        };
        let fits = |letter: &char| match &*prompt {
            Prompt::Tick(text) => letter.is_ascii_digit() && text.len() < MOST_DIGITS,
            Prompt::Agent(text) => text.chars().count() < MOST_LETTERS,
        };
        match code {
            KeyCode::Char(letter) if fits(&letter) => text_of(prompt).push(letter),
            KeyCode::Esc => self.look.prompt = None,
            KeyCode::Backspace => {
                text_of(prompt).pop();
            }
            KeyCode::Enter => match self.look.prompt.take() {
                Some(Prompt::Tick(text)) => {
                    if let Ok(tick) = text.parse() {
                        self.go_to(tick);
                    }
                }
                Some(Prompt::Agent(text)) => match self.game.find(text.trim()) {
                    Some(mind) => self.choose(mind),
                    None => self.look.notice = Some(format!("there is no agent `{}`", text.trim())),
                },
                None => {}
            },
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
                let room = Rect::new(0, 0, u16::MAX, u16::MAX);
                let has_panel = self.game.scene().panel_size(room).is_some();
                self.look.panel = self.look.panel.next(has_panel);
            }
            Action::Next => self.choose((self.nth() + 1) % self.minds().max(1)),
            Action::Previous => {
                self.choose((self.nth() + self.minds().max(1) - 1) % self.minds().max(1))
            }
            Action::Faster => self.look.speed = faster(self.look.speed, true),
            Action::Slower => self.look.speed = faster(self.look.speed, false),
            Action::Agent => self.look.prompt = Some(Prompt::Agent(String::new())),
            Action::Forth | Action::Back if self.look.jump.is_some_and(|jump| jump.is_step) => {
                self.step(action == Action::Forth);
            }
            // All other actions have to wait until the jump ends.
            _ if self.look.jump.is_some() => {}
            Action::Forth | Action::Pause if self.game.end() == Some(self.tick()) => {
                self.look.is_paused = true;
            }
            Action::Pause => {
                self.look.is_paused = !self.look.is_paused;
                self.game.rest();
                let tick = self.tick();
                let goes_on = |&last: &u64| tick < last;
                self.last_tick = self.last_tick.filter(goes_on).or(self.game.end());
            }
            Action::Forth | Action::Back => self.step(action == Action::Forth),
            Action::Jump => self.look.prompt = Some(Prompt::Tick(String::new())),
        }
        Wish::GoOn
    }

    /// The agent that is shown.
    fn nth(&self) -> usize {
        self.screen().nth()
    }

    fn minds(&self) -> usize {
        self.game.scene().minds()
    }

    /// Shows another mind.
    fn choose(&mut self, mind: usize) {
        if mind < self.minds() && mind != self.look.mind {
            self.look.mind = mind;
            self.game.shows(mind);
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
        if let Some(mind) = self.hits.mind_at(place) {
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

fn text_of(prompt: &mut Prompt) -> &mut String {
    match prompt {
        Prompt::Tick(text) | Prompt::Agent(text) => text,
    }
}

impl<S: Playable> Show for App<S> {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        let nth = self.nth();
        self.game.shows(nth);
        let hits = draw::draw(frame, &self.screen());
        self.look.log_back = self.look.log_back.min(hits.log_most);
        self.hits = hits;
    }

    fn look_around(&mut self) {
        if self.game.look_around() {
            self.look.jump = None;
            (self.look.tree_top, self.look.selected) = (None, None);
        }
    }

    fn is_paused(&self) -> bool {
        self.look.is_paused
    }

    fn period(&self) -> Duration {
        self.game.period().div_f64(self.look.speed)
    }

    fn is_jumping(&self) -> bool {
        self.look.jump.is_some()
    }

    fn is_waiting(&self) -> bool {
        self.game.is_waiting()
    }

    fn advance(&mut self) -> bool {
        if self.look.is_paused || self.look.jump.is_some() || !self.game.step() {
            return false;
        }
        self.look.is_paused = self.last_tick == Some(self.tick());
        !self.look.is_paused
    }

    fn work(&mut self, ticks: u64) {
        let Some(Jump { to, .. }) = self.look.jump else {
            return;
        };
        let goal = to.min(self.tick().saturating_add(ticks));
        while self.tick() < goal && self.game.step() {}
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
