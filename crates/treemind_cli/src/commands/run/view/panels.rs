//! The smaller panels: hit points, blackboard, log.

use super::super::player::Tone;
use super::{Screen, Theme, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Arena, Doing, GUARD_HEALTH, INTRUDER_HEALTH};

/// Below this height a panel has no frame.
const FRAMED_HEIGHT: u16 = 5;
/// From this width on the log has the time beside the tick.
const ROOMY_WIDTH: u16 = 50;

/// How the two are, and the guard's blackboard.
pub(super) fn draw_bodies(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, arena: &Arena) {
    let theme = screen.theme;
    let (guard, intruder) = (arena.guard(), arena.intruder());
    let guard_does = match (guard.is_alive(), screen.player.doing()) {
        (false, _) => "dead",
        (true, doing) => doing.unwrap_or(""),
    };
    let intruder_does = match intruder.doing() {
        Doing::Outside => "not yet there",
        Doing::Walking => "goes its way",
        Doing::Fighting => "fights",
        Doing::Dead => "dead",
        Doing::Gone => "gone",
    };
    let bars = Bars {
        theme,
        has_names: area.width >= 44,
        width: usize::from(area.width),
    };
    let mut lines = vec![
        bars.line(
            "guard",
            theme.guard(),
            (guard.health(), GUARD_HEALTH),
            guard_does,
        ),
        bars.line(
            "intruder",
            theme.intruder(true),
            (intruder.health(), INTRUDER_HEALTH),
            intruder_does,
        ),
    ];
    let is_framed = area.height >= FRAMED_HEIGHT;
    if is_framed {
        lines.push(Line::default());
        lines.extend(explanation(screen, usize::from(area.width)));
        lines.push(Line::styled(" blackboard", theme.faint()));
    }
    lines.extend(key_lines(screen));
    let panel = Paragraph::new(lines);
    let panel = if is_framed {
        panel.block(block(" hit points ".to_owned(), theme))
    } else {
        panel
    };
    frame.render_widget(panel, area);
}

/// What the running action is for, in the words of the document.
fn explanation(screen: &Screen<'_>, width: usize) -> Option<Line<'static>> {
    let doc = screen.player.doing_doc()?;
    let fits = width >= doc.chars().count() + 4;
    fits.then(|| Line::styled(format!(" {doc}"), screen.theme.faint()))
}

/// Bars of hit points, as wide as there is room.
struct Bars {
    theme: Theme,
    has_names: bool,
    width: usize,
}

impl Bars {
    fn line(
        &self,
        name: &'static str,
        style: Style,
        (points, most): (i32, i32),
        doing: &str,
    ) -> Line<'static> {
        let beside = if self.has_names { 33 } else { 23 };
        let width = self.width.saturating_sub(beside).clamp(4, 20);
        let full = (points as usize * width).div_ceil(most as usize);
        let name_text = if self.has_names {
            format!(" {name:<8} ")
        } else {
            " ".to_owned()
        };
        Line::from(vec![
            Span::raw(" "),
            Span::styled(name[..1].to_uppercase(), style),
            Span::raw(name_text),
            Span::styled("█".repeat(full), self.theme.health(points * 1_000 / most)),
            Span::styled("░".repeat(width - full), self.theme.faint()),
            Span::raw(format!(" {points:>3} ")),
            Span::styled(doing.to_owned(), self.theme.strong()),
        ])
    }
}

/// The blackboard alone.
pub(super) fn draw_keys(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let panel =
        Paragraph::new(key_lines(screen)).block(block(" blackboard ".to_owned(), screen.theme));
    frame.render_widget(panel, area);
}

fn key_lines(screen: &Screen<'_>) -> Vec<Line<'static>> {
    let keys = screen.player.keys().iter();
    let line = |(name, value): &(String, String)| {
        Line::from(vec![
            Span::raw(format!(" {name} = ")),
            Span::styled(value.clone(), screen.theme.strong()),
        ])
    };
    keys.map(line).collect()
}

/// The end of the log, the newest line last.
pub(super) fn draw_log(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let theme = screen.theme;
    let visible = usize::from(area.height.saturating_sub(2));
    let log = screen.player.log();
    let first = log.len().saturating_sub(visible);
    let is_roomy = area.width >= ROOMY_WIDTH;
    let lines = log.skip(first).map(|line| {
        let is_now = line.tick == screen.player.tick();
        let mark = if line.tone == Tone::Fault {
            "fault: "
        } else {
            ""
        };
        let (when, text) = if is_roomy {
            (
                format!(" {:>5} {:>7.2} s  ", line.tick, line.secs()),
                &*line.text,
            )
        } else {
            (
                format!("{:>4} ", line.tick),
                line.text.strip_prefix("the ").unwrap_or(&line.text),
            )
        };
        Line::from(vec![
            Span::styled(
                when,
                if is_now {
                    theme.strong()
                } else {
                    theme.faint()
                },
            ),
            Span::styled(format!("{mark}{text}"), theme.tone(line.tone)),
        ])
    });
    let title = if is_roomy {
        " log: tick, time, what happened "
    } else {
        " log by tick "
    };
    let panel = Paragraph::new(lines.collect::<Vec<_>>()).block(block(title.to_owned(), theme));
    frame.render_widget(panel, area);
}
