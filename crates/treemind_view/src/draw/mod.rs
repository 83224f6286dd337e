//! Drawing: the game's own panel on the left with the agents below it, the tree on the right with the log below it.

pub mod agents;
mod bars;
mod found;
mod help;
mod hits;
pub mod keys;
mod labels;
mod log;
mod tree;
mod why;

pub use help::draw_lines;
pub use hits::Hits;

use crate::app::Jump;
use crate::scene::Scene;
use crate::theme::Theme;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use ratatui::{Frame, Terminal};
use std::borrow::Cow;
use treemind_core::Behaviour;
use treemind_doc::visible_line;
use treemind_replay::follow::Follower;

/// What is shown: everything, or one panel alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Panel {
    /// All panels.
    All,
    /// The game's own panel.
    Game,
    /// The tree.
    Tree,
    /// The agents and the keys.
    Keys,
    /// The log.
    Log,
}

impl Panel {
    /// The next panel.
    pub(crate) fn next(self, has_game: bool) -> Self {
        match self {
            Panel::All if has_game => Panel::Game,
            Panel::All | Panel::Game => Panel::Tree,
            Panel::Tree => Panel::Keys,
            Panel::Keys => Panel::Log,
            Panel::Log => Panel::All,
        }
    }
}

/// What the user is typing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// The digits of a tick.
    Tick(String),
    /// The name or the number of an agent.
    Agent(String),
}

/// What the user looks at, and how.
#[derive(Debug)]
pub struct Look {
    /// The agent that is shown.
    pub mind: usize,
    /// The colours.
    pub theme: Theme,
    /// Whether time stands still.
    pub is_paused: bool,
    /// The speed, as a multiple of the game's own.
    pub speed: f64,
    pub(crate) panel: Panel,
    /// The first line of the tree that is shown; `None` follows what is running.
    pub(crate) tree_top: Option<usize>,
    /// The line of the tree whose details are shown.
    pub(crate) selected: Option<usize>,
    /// By how many lines the log is scrolled back.
    pub(crate) log_back: usize,
    pub(crate) prompt: Option<Prompt>,
    /// What became of what the user has typed, until the next key.
    pub(crate) notice: Option<String>,
    pub(crate) jump: Option<Jump>,
    pub(crate) shows_help: bool,
    /// Whether the reasons for the last tick are shown.
    pub(crate) shows_why: bool,
}

impl Look {
    /// A view of an agent, with everything in view.
    pub fn at(mind: usize, theme: Theme) -> Self {
        Self {
            mind,
            theme,
            is_paused: false,
            speed: 1.0,
            panel: Panel::All,
            tree_top: None,
            selected: None,
            log_back: 0,
            prompt: None,
            notice: None,
            jump: None,
            shows_help: false,
            shows_why: false,
        }
    }
}

/// Everything that a drawing depends on.
#[derive(Clone, Copy)]
pub struct Screen<'a> {
    /// What is shown.
    pub scene: &'a dyn Scene,
    /// How it is shown.
    pub look: &'a Look,
}

impl<'a> Screen<'a> {
    /// A frame, drawn without a terminal.
    pub fn frame(&self, (width, height): (u16, u16)) -> Buffer {
        // A terminal in memory does not fail.
        let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
        let Ok(_) = terminal.draw(|frame| {
            draw(frame, self);
        });
        terminal.backend().buffer().clone()
    }

    /// The number of the agent that is shown: the chosen one, as long as there are so many.
    pub fn nth(&self) -> usize {
        self.look.mind.min(self.scene.minds().saturating_sub(1))
    }

    /// The agent that is shown.
    pub fn mind(&self) -> &'a Follower {
        let mind = self.scene.mind(self.nth());
        mind.expect("the one that is shown is followed")
    }

    /// What it runs.
    pub fn behaviour(&self) -> &'a Behaviour {
        self.scene.behaviour(self.nth())
    }
}

/// From this size on, everything fits at the same time.
const ROOMY: (u16, u16) = (50, 16);
/// Below this size, only a line or two fit.
const LEAST: (u16, u16) = (16, 4);
/// The least width of the tree and the log; a panel of the game that could be larger leaves them so much.
pub const TREE_WIDTH: u16 = 46;
/// The least width of the game's panel beside them.
const PANEL_WIDTH: u16 = 22;

/// Draws a frame; returns where everything is in it.
pub fn draw(frame: &mut Frame<'_>, screen: &Screen<'_>) -> Hits {
    let hits = draw_parts(frame, screen);
    // Most texts have been made visible already. A character that is still invisible is removed, so that it does not
    // reach the terminal.
    for cell in &mut frame.buffer_mut().content {
        if let Cow::Owned(_) = visible_line(cell.symbol()) {
            cell.set_symbol("�");
        }
    }
    hits
}

fn draw_parts(frame: &mut Frame<'_>, screen: &Screen<'_>) -> Hits {
    let area = frame.area();
    let mut hits = Hits::default();
    let scene = screen.scene;
    if scene.minds() == 0 || scene.mind(screen.nth()).is_none() {
        draw_without_agents(frame, area, screen, &mut hits);
        return hits;
    }
    if area.width < LEAST.0 || area.height < LEAST.1 {
        draw_tiny(frame, area, screen);
        return hits;
    }
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
    ]);
    let [head, body, foot] = rows.areas(area);
    frame.render_widget(bars::header(screen, head.width), head);
    bars::draw_foot(frame, foot, screen, &mut hits);
    let is_roomy = area.width >= ROOMY.0 && area.height >= ROOMY.1;
    let scene = screen.scene;
    match (screen.look.panel, scene.panel_size(body)) {
        (Panel::All, Some(size)) if is_roomy => draw_all(frame, body, (screen, size), &mut hits),
        (Panel::All, None) if is_roomy => draw_without_panel(frame, body, screen, &mut hits),
        (Panel::All | Panel::Game, Some(_)) => scene.draw_panel(frame, body, screen, &mut hits),
        (Panel::All | Panel::Game | Panel::Tree, _) => tree::draw(frame, body, screen, &mut hits),
        (Panel::Keys, _) => scene.draw_agents(frame, body, screen, &mut hits),
        (Panel::Log, _) => log::draw(frame, body, screen, &mut hits),
    }
    if screen.look.shows_why {
        why::draw(frame, body, screen);
    }
    if screen.look.shows_help {
        help::draw(frame, body, screen);
    }
    hits
}

fn draw_all(
    frame: &mut Frame<'_>,
    body: Rect,
    (screen, (wide, high)): (&Screen<'_>, (u16, u16)),
    hits: &mut Hits,
) {
    let most = (body.width / 2).max(body.width.saturating_sub(TREE_WIDTH));
    let width = wide.clamp(PANEL_WIDTH, most);
    let [left, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(body);
    let below = screen.scene.agents_height(screen);
    let below = below.clamp(3, (left.height / 3).max(3));
    let height = high.min(left.height.saturating_sub(below));
    let [panel, below] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(left);
    screen.scene.draw_panel(frame, panel, screen, hits);
    screen.scene.draw_agents(frame, below, screen, hits);
    draw_right(frame, right, screen, hits);
}

fn draw_without_panel(frame: &mut Frame<'_>, body: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let keys = u16::try_from(keys::wanted(screen)).unwrap_or(u16::MAX - 2);
    let height = match keys {
        0 => 0,
        keys => (keys + 2).min(body.height / 3),
    };
    let [above, below] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(body);
    draw_right(frame, above, screen, hits);
    if height > 0 {
        keys::draw(frame, below, screen);
    }
}

/// The tree, and the log below it.
fn draw_right(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let lines = treemind_doc::outline_lines(screen.behaviour()).len();
    let details = tree::detail_lines(screen) as u16;
    let wanted = u16::try_from(lines)
        .unwrap_or(u16::MAX)
        .saturating_add(2 + details);
    let height = wanted.min(area.height.saturating_sub(5));
    let [above, below] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(area);
    tree::draw(frame, above, screen, hits);
    log::draw(frame, below, screen, hits);
}

/// The view of a game without agents.
fn draw_without_agents(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let tick = screen.scene.tick();
    let text = format!(" tick {tick}: there are no agents; q quits");
    frame.render_widget(Line::raw(text), head);
    if screen.scene.panel_size(body).is_some() {
        screen.scene.draw_panel(frame, body, screen, hits);
    }
}

/// The view when hardly anything fits.
fn draw_tiny(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let doing = screen.scene.doing(screen.nth()).unwrap_or("");
    let lines = [
        format!("tick {}", screen.scene.tick()),
        format!("{} {doing}", screen.mind().name()),
        "q quits".to_owned(),
    ];
    let lines: Vec<Line<'_>> = lines.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// A frame with a title.
pub fn block(title: &str, theme: Theme) -> Block<'static> {
    let title = Line::styled(title.to_owned(), Style::default());
    Block::bordered().title(title).border_style(theme.faint())
}

/// Draws lines in a frame in the middle, at most so wide, over what is there.
pub(crate) fn popup(
    frame: &mut Frame<'_>,
    area: Rect,
    (title, lines): (&str, Vec<Line<'_>>),
    (width, theme): (u16, Theme),
) {
    let width = width.min(area.width);
    // A line that is too long takes several; two are for the frame.
    let room = usize::from(width.saturating_sub(2).max(1));
    let rows: usize = lines
        .iter()
        .map(|line| line.width().max(1).div_ceil(room))
        .sum();
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let shown = Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(block(title, theme));
    frame.render_widget(shown, place);
}
