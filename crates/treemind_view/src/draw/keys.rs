//! The blackboard.

use super::{Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::behaviour::Scope;
use treemind_doc::visible_line;

/// For how many ticks the view shows that a key has changed.
const FLASH_TICKS: u64 = 8;

/// The blackboard as a panel of its own.
pub fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let panel = Paragraph::new(lines(screen, usize::from(area.height.saturating_sub(2))))
        .block(block(" blackboard ", screen.look.theme));
    frame.render_widget(panel, area);
}

/// How many lines all keys take.
pub fn wanted(screen: &Screen<'_>) -> usize {
    all_lines(screen).len()
}

/// The keys of the selected mind, then its shared keys; if there is no room for all, the number of the remaining ones.
pub fn lines(screen: &Screen<'_>, room: usize) -> Vec<Line<'static>> {
    let mut lines = all_lines(screen);
    if lines.len() > room && room > 0 {
        let more = lines.len() - room + 1;
        lines.truncate(room - 1);
        lines.push(Line::styled(
            format!(" … and {more} more"),
            screen.look.theme.faint(),
        ));
    }
    lines
}

fn all_lines(screen: &Screen<'_>) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (scope, title) in [
        (Scope::Agent, None),
        (Scope::Group, Some(" of the group")),
        (Scope::World, Some(" of the world")),
    ] {
        let keys = screen.behaviour().keys().iter();
        let keys = keys.zip(screen.mind().keys());
        let mut keys = keys.filter(|(key, _)| key.scope == scope).peekable();
        if let (Some(title), Some(_)) = (title, keys.peek()) {
            lines.push(Line::styled(title, screen.look.theme.faint()));
        }
        for (key, shown) in keys {
            let tick = screen.scene.tick();
            let is_new = shown
                .changed
                .is_some_and(|changed| tick - changed < FLASH_TICKS);
            let (mark, style) = match is_new {
                true => ("*", screen.look.theme.alert()),
                false => (" ", screen.look.theme.strong()),
            };
            lines.push(Line::from(vec![
                Span::styled(mark, screen.look.theme.strong()),
                Span::raw(format!("{} = ", visible_line(&key.name))),
                Span::styled(visible_line(&shown.value).into_owned(), style),
            ]));
        }
    }
    lines
}
