//! The smaller panels: hit points, blackboard, log.

use super::super::player::Tone;
use super::{Screen, Theme, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_arena::{Body, Vital, World};

/// Below this height a panel has no frame.
const FRAMED_HEIGHT: u16 = 5;
/// From this width on the log has the time beside the tick.
const ROOMY_WIDTH: u16 = 50;

/// How all are, and the blackboard of the one that one looks at.
pub(super) fn draw_bodies(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, world: &World) {
    let theme = screen.theme;
    let bars = Bars {
        theme,
        has_names: area.width >= 44,
        width: usize::from(area.width),
    };
    let focus = screen.player.focus();
    let lines = world.ids().map(|who| {
        let body = world.body(who);
        let (style, does) = if Some(who) == focus {
            (theme.guard(), screen.player.doing().unwrap_or(""))
        } else {
            (theme.intruder(true), does(body))
        };
        let does = match body.vital() {
            Vital::Outside => "not yet there",
            Vital::Up => does,
            Vital::Out(_) => "knocked out",
            Vital::Tied => "tied up",
            Vital::Dead => "dead",
            Vital::Gone => "gone",
        };
        bars.line(body, style, does)
    });
    let mut lines: Vec<Line<'static>> = lines.collect();
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

/// What somebody does whose mind one does not see.
fn does(body: &Body) -> &'static str {
    match (body.traits().mind.is_some(), body.swing().is_some()) {
        (_, true) => "fights",
        (true, false) => "",
        (false, false) => "goes its way",
    }
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
    fn line(&self, body: &Body, style: Style, doing: &str) -> Line<'static> {
        let (points, most) = (body.health(), body.traits().health.max(1));
        let beside = if self.has_names { 33 } else { 23 };
        let width = self.width.saturating_sub(beside).clamp(4, 20);
        let full = (points.max(0) as usize * width)
            .div_ceil(most as usize)
            .min(width);
        let name_text = if self.has_names {
            let name: String = body.name().chars().take(8).collect();
            format!(" {name:<8} ")
        } else {
            " ".to_owned()
        };
        Line::from(vec![
            Span::raw(" "),
            Span::styled(body.traits().sign.to_string(), style),
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
