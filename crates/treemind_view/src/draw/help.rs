//! All keys, and the meaning of signs.

use super::{Screen, Theme, popup};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// How wide it is.
const WIDTH: u16 = 68;

const KEYS: &[(&str, &str)] = &[
    ("space", "pause, continue"),
    (". ,", "one tick forward, back; also → and ←"),
    ("+ -", "faster, slower"),
    ("g", "go to a tick: a number, Enter"),
    ("Home", "to the beginning"),
    ("Tab 1-9", "next agent; Shift-Tab: the previous one"),
    ("a", "an agent by its name or number, Enter"),
    ("PgUp PgDn", "scroll the tree"),
    ("↑ ↓", "select a line of the tree; details are below it"),
    ("y", "why it does what it does; or the selected line"),
    ("[ ]", "scroll the log"),
    ("v", "one panel at a time, or all"),
    ("End", "follow the running node and the log"),
    ("q Ctrl-C", "quit; Esc first closes an open panel"),
    ("mouse", "click agents, lines, keys below; wheel scrolls"),
];

const SIGNS: &[(&str, &str)] = &[
    ("▶ ✔ ✘ ⊘", "running, success, failure, cut off in this tick"),
    ("▷ ✓ ✗ ◂", "the same a moment ago; a state just left"),
];

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let (keys, signs) = screen.scene.help();
    let gap: &[(&str, &str)] = &[("", "")];
    let all = [KEYS, keys, gap, SIGNS, signs].concat();
    let theme = screen.look.theme;
    let title = " keys and signs; any of them closes this ";
    draw_lines(frame, area, (title, &all), theme);
}

/// Draws keys or signs, and what they mean, over what is there.
pub fn draw_lines(
    frame: &mut Frame<'_>,
    area: Rect,
    (title, lines): (&str, &[(&str, &str)]),
    theme: Theme,
) {
    let line = |(key, what): &(&str, &str)| {
        Line::from(vec![
            Span::styled(format!(" {key:<12}"), theme.strong()),
            Span::raw((*what).to_owned()),
        ])
    };
    let lines: Vec<Line<'_>> = lines.iter().map(line).collect();
    popup(frame, area, (title, lines), (WIDTH, theme));
}
