//! Drawing: the world on the left, the tree on the right, the log below.

mod bars;
mod help;
mod hits;
mod keys;
mod labels;
mod log;
mod svg;
mod theme;
mod tree;
mod who;
mod why;
mod world;

#[cfg(test)]
pub(super) mod tests;

pub(super) use hits::Hits;
pub(super) use svg::{MOST, svg};
pub(super) use theme::Theme;

use super::app::Jump;
use super::mind::Mind;
use super::player::Player;
use ratatui::Frame;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};
use std::borrow::Cow;
use treemind_core::Behaviour;
use treemind_doc::visible_line;

/// What is shown: everything, or one panel alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panel {
    All,
    World,
    Tree,
    Keys,
    Log,
}

impl Panel {
    /// The next panel.
    pub(super) fn next(self, has_world: bool) -> Self {
        match self {
            Panel::All if has_world => Panel::World,
            Panel::All | Panel::World => Panel::Tree,
            Panel::Tree => Panel::Keys,
            Panel::Keys => Panel::Log,
            Panel::Log => Panel::All,
        }
    }
}

/// What the user looks at, and how.
#[derive(Debug)]
pub(super) struct Look {
    /// The selected mind.
    pub(super) mind: usize,
    pub(super) theme: Theme,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
    pub(super) panel: Panel,
    /// The first line of the tree that is shown; `None` follows what is running.
    pub(super) tree_top: Option<usize>,
    /// The line of the tree whose details are shown.
    pub(super) selected: Option<usize>,
    /// By how many lines the log is scrolled back.
    pub(super) log_back: usize,
    /// The typed digits of a tick number.
    pub(super) prompt: Option<String>,
    pub(super) jump: Option<Jump>,
    pub(super) shows_help: bool,
    /// Whether the reasons for the last tick are shown.
    pub(super) shows_why: bool,
}

impl Look {
    /// A view of a mind, with everything in view.
    pub(super) fn at(mind: usize, theme: Theme) -> Self {
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
            jump: None,
            shows_help: false,
            shows_why: false,
        }
    }
}

/// Everything that a drawing depends on.
pub(super) struct Screen<'a> {
    pub(super) player: &'a Player,
    pub(super) look: &'a Look,
}

impl<'a> Screen<'a> {
    /// The same as a frame, drawn without a terminal.
    pub(super) fn frame(&self, (width, height): (u16, u16)) -> Buffer {
        // A terminal in memory does not fail.
        let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
        let Ok(_) = terminal.draw(|frame| {
            draw(frame, self);
        });
        terminal.backend().buffer().clone()
    }

    fn mind(&self) -> &'a Mind {
        &self.player.minds()[self.look.mind]
    }

    fn behaviour(&self) -> &'a Behaviour {
        self.player.behaviour(self.look.mind)
    }
}

/// From this size on, everything fits at the same time.
const ROOMY: (u16, u16) = (50, 16);
/// Below this size, only a line or two fit.
const LEAST: (u16, u16) = (16, 4);
/// The least width of the tree and the log before the world gets more than one column per square.
const TREE_WIDTH: u16 = 46;

/// Draws a frame; returns where everything is in it.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen<'_>) -> Hits {
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
    match (screen.look.panel, screen.player.world()) {
        (Panel::All, Some(_)) if is_roomy => draw_all(frame, body, screen, &mut hits),
        (Panel::All, None) if is_roomy => draw_without_world(frame, body, screen, &mut hits),
        (Panel::All | Panel::World, Some(world)) => {
            world::draw(frame, body, screen, world, &mut hits);
        }
        (Panel::All | Panel::World | Panel::Tree, _) => tree::draw(frame, body, screen, &mut hits),
        (Panel::Keys, _) => who::draw(frame, body, screen, &mut hits),
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

fn draw_all(frame: &mut Frame<'_>, body: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let Some(world) = screen.player.world() else {
        return;
    };
    let grid = world.ground().grid();
    let scale = world::scale(grid, body);
    let wide = (grid.width() as u16)
        .saturating_mul(scale.0)
        .saturating_add(2);
    let width = wide.clamp(
        22,
        (body.width / 2).max(body.width.saturating_sub(TREE_WIDTH)),
    );
    let [left, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(body);
    let high = (grid.height() as u16)
        .saturating_mul(scale.1)
        .saturating_add(2);
    let below = who::wanted_height(screen).clamp(3, (left.height / 3).max(3));
    let height = high.min(left.height.saturating_sub(below));
    let [yard, below] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(left);
    world::draw(frame, yard, screen, world, hits);
    who::draw(frame, below, screen, hits);
    draw_right(frame, right, screen, hits);
}

fn draw_without_world(frame: &mut Frame<'_>, body: Rect, screen: &Screen<'_>, hits: &mut Hits) {
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

/// The view when hardly anything fits.
fn draw_tiny(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let doing = screen.player.doing(screen.look.mind).unwrap_or("");
    let lines = [
        format!("tick {}", screen.player.tick()),
        format!("{} {doing}", screen.mind().name()),
        "q quits".to_owned(),
    ];
    let lines: Vec<Line<'_>> = lines.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// A frame with a title.
fn block(title: String, theme: Theme) -> Block<'static> {
    let title = Line::styled(title, Style::default());
    Block::bordered().title(title).border_style(theme.faint())
}
