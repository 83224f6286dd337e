//! All keys, and the meaning of signs.

use super::{Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

const KEYS: &[(&str, &str)] = &[
    ("space", "pause, continue"),
    (". ,", "one tick forward, back; also → and ←"),
    ("+ -", "faster, slower"),
    ("g", "go to a tick: a number, Enter"),
    ("Home", "to the beginning"),
    ("Tab 1-9", "next agent; Shift-Tab: the previous one"),
    ("PgUp PgDn", "scroll the tree"),
    ("↑ ↓", "select a line of the tree; details are below it"),
    ("y", "why it does what it does; or the selected line"),
    ("[ ]", "scroll the log"),
    ("v", "one panel at a time, or all"),
    ("End", "follow the running node and the log"),
    ("F5 F9", "save the game; load it again"),
    ("q Ctrl-C", "quit; Esc first closes an open panel"),
    (
        "W A S D",
        "the hero: walk until a wall; also the arrows; x stands",
    ),
    ("space c n p", "the hero: strike, sneak, whistle; pause"),
    ("mouse", "click actors, lines, keys below; wheel scrolls"),
    ("", ""),
    ("▶ ✔ ✘ ⊘", "running, success, failure, cut off in this tick"),
    ("▷ ✓ ✗ ◂", "the same a moment ago; a state just left"),
    ("G→ G⇒", "looks in that direction; sees an enemy"),
    ("G! G✶", "is hurt; strikes"),
    ("Gz G⊗ G✝ G◌", "knocked out, tied up, dead, hidden"),
    ("◦ ° · ⌂", "its path, a noise, its field of view, the hut"),
    ("+ ‡ /", "a door: shut, locked, open"),
];

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let lines: Vec<Line<'_>> = KEYS
        .iter()
        .map(|(key, what)| {
            Line::from(vec![
                Span::styled(format!(" {key:<12}"), screen.look.theme.strong()),
                Span::raw(*what),
            ])
        })
        .collect();
    let (width, height) = (66.min(area.width), (KEYS.len() as u16 + 2).min(area.height));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let title = " keys and signs; any of them closes this ".to_owned();
    frame.render_widget(
        Paragraph::new(lines).block(block(title, screen.look.theme)),
        place,
    );
}
