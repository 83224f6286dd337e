//! Why the agent that is shown, or the selected node, did in the last tick what it did.

use super::{Screen, popup};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use treemind_doc::About;

/// The panel is at most this wide, and leaves so much of what is below it in view.
const MOST_WIDTH: u16 = 110;
const MARGIN: u16 = 2;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let (text, theme) = (text(screen), screen.look.theme);
    let width = area.width.saturating_sub(2 * MARGIN).min(MOST_WIDTH);
    let line = |line: &str| match line.starts_with(' ') || line.is_empty() {
        true => Line::raw(line.to_owned()),
        false => Line::styled(line.to_owned(), theme.strong()),
    };
    let lines = text.lines().map(line).collect();
    let title = " why; y or Esc closes this ";
    popup(frame, area, (title, lines), (width, theme));
}

/// What is said about the selected node, or about the tick.
fn text(screen: &Screen<'_>) -> String {
    let (scene, mind) = (screen.scene, screen.nth());
    let outline = treemind_doc::outline_lines(screen.behaviour());
    let line = screen.look.selected.and_then(|nth| outline.get(nth));
    let told = match line.map(|line| line.about) {
        Some(About::Node(node)) => scene.why(mind, node).map(|reason| reason.to_string()),
        _ => scene.explanation(mind).map(|told| told.to_string()),
    };
    told.unwrap_or_else(|| "It has not decided anything yet.".to_owned())
}
