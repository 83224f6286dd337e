//! Drawing: the world on the left, the tree on the right, the log below.

mod panels;
mod theme;
mod tree;
mod world;

#[cfg(test)]
mod picture;
#[cfg(test)]
mod tests;

pub(super) use theme::Theme;

use super::player::Player;
use crate::io::word_of;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

/// Everything that a drawing depends on.
pub(super) struct Screen<'a> {
    pub(super) player: &'a Player,
    pub(super) is_paused: bool,
    pub(super) speed: f64,
    pub(super) theme: Theme,
}

const LEAST_WIDTH: u16 = 50;
const LEAST_HEIGHT: u16 = 16;
/// What the tree and the log want at least before the world gets two columns per square.
const TREE_WIDTH: u16 = 46;

/// Draws a frame.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen<'_>) {
    let area = frame.area();
    if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
        return draw_too_small(frame, area);
    }
    let rows = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
    ]);
    let [head, body, keys] = rows.areas(area);
    frame.render_widget(header(screen), head);
    frame.render_widget(key_line(screen, keys.width), keys);
    match screen.player.world() {
        Some(world) => {
            let grid = world.ground().grid();
            let wide = (grid.width() as u16).saturating_mul(2).saturating_add(2);
            let columns = if body.width >= wide.saturating_add(TREE_WIDTH) {
                2
            } else {
                1
            };
            let width = (grid.width() as u16 * columns + 2).clamp(22, body.width / 2);
            let [left, right] =
                Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(body);
            let height = (grid.height() as u16 + 2).min(left.height.saturating_sub(3));
            let [yard, below] =
                Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(left);
            world::draw(frame, yard, screen, world, columns);
            panels::draw_bodies(frame, below, screen, world);
            draw_right(frame, right, screen);
        }
        None => {
            let keys = screen.player.keys().len() as u16;
            let height = if keys == 0 {
                0
            } else {
                (keys + 2).min(body.height / 3)
            };
            let [above, below] =
                Layout::vertical([Constraint::Min(0), Constraint::Length(height)]).areas(body);
            draw_right(frame, above, screen);
            if height > 0 {
                panels::draw_keys(frame, below, screen);
            }
        }
    }
}

/// The tree, and the log below it.
fn draw_right(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let lines = treemind_doc::outline_lines(screen.player.behaviour()).len();
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
    let height = wanted.min(area.height.saturating_sub(5));
    let [above, below] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(area);
    tree::draw(frame, above, screen);
    panels::draw_log(frame, below, screen);
}

fn draw_too_small(frame: &mut Frame<'_>, area: Rect) {
    let sentence = format!(
        "This window is {} by {}. Make it at least {LEAST_WIDTH} by {LEAST_HEIGHT}, or press q to quit.",
        area.width, area.height
    );
    frame.render_widget(Paragraph::new(sentence).wrap(Wrap { trim: true }), area);
}

fn header(screen: &Screen<'_>) -> Line<'static> {
    let (player, theme) = (screen.player, screen.theme);
    let tick = player.tick();
    let mut spans = vec![
        Span::styled(format!(" {} ", player.behaviour().name()), theme.title()),
        Span::raw(format!(
            "  tick {tick}  {:.2} s  speed {}x  ",
            treemind_arena::secs(tick),
            screen.speed
        )),
    ];
    if screen.is_paused {
        spans.push(Span::styled(" PAUSED ", theme.alert()));
        spans.push(Span::raw("  "));
    }
    if let Some(status) = player.root() {
        spans.push(Span::raw(format!("{} ", word_of(player.behaviour()))));
        spans.push(Span::styled(
            status.as_str().to_lowercase(),
            theme.status(status),
        ));
    }
    if player.faults() > 0 {
        spans.push(Span::styled(
            format!("  {} faults", player.faults()),
            theme.alert(),
        ));
    }
    Line::from(spans)
}

fn key_line(screen: &Screen<'_>, width: u16) -> Line<'static> {
    let pause = if screen.is_paused { "go on" } else { "pause" };
    let mut keys = vec![
        ("space", pause),
        (".", "one tick"),
        ("+", "faster"),
        ("-", "slower"),
        ("q", "quit"),
    ];
    if screen.player.has_choice() {
        keys.insert(4, ("tab", "next actor"));
    }
    let gap = if width < 60 { " " } else { "   " };
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in keys {
        spans.push(Span::styled(key, screen.theme.strong()));
        spans.push(Span::styled(format!(" {what}{gap}"), screen.theme.faint()));
    }
    Line::from(spans)
}

/// A frame with a title.
fn block(title: String, theme: Theme) -> Block<'static> {
    let title = Line::styled(title, Style::default());
    Block::bordered().title(title).border_style(theme.faint())
}
