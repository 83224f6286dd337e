//! Why the selected mind, or the selected node, did in the last tick what it did.

use super::{Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Wrap};
use treemind_doc::About;

/// The panel is at most this wide, and leaves so much of what is below it in view.
const MOST_WIDTH: u16 = 110;
const MARGIN: u16 = 2;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let text = text(screen);
    let width = area.width.saturating_sub(2 * MARGIN).min(MOST_WIDTH);
    let lines: Vec<Line<'_>> = text
        .lines()
        .map(|line| match line.starts_with(' ') || line.is_empty() {
            true => Line::raw(line),
            false => Line::styled(line, screen.look.theme.strong()),
        })
        .collect();
    let title = " why; y or Esc closes this ".to_owned();
    let shown = Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(block(title, screen.look.theme));
    // Two lines for the frame; a line that is too long takes several.
    let rows = text.lines().map(|line| {
        let columns = line.chars().count().max(1);
        columns.div_ceil(usize::from(width.saturating_sub(4).max(1)))
    });
    let rows = u16::try_from(rows.sum::<usize>() + 2).unwrap_or(u16::MAX);
    let height = rows.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    frame.render_widget(shown, place);
}

/// What is said about the selected node, or about the tick.
fn text(screen: &Screen<'_>) -> String {
    let (player, mind) = (screen.player, screen.look.mind);
    let outline = treemind_doc::outline_lines(screen.behaviour());
    let line = screen.look.selected.and_then(|nth| outline.get(nth));
    let told = match line.map(|line| line.about) {
        Some(About::Node(node)) => player.why(mind, node).map(|reason| reason.to_string()),
        _ => player.explanation(mind).map(|told| told.to_string()),
    };
    told.unwrap_or_else(|| "It has not decided anything yet.".to_owned())
}
