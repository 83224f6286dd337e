//! The log.

use super::{Hits, Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_watch::Tone;

/// From this width on, the log shows the time beside the tick.
const ROOMY_WIDTH: u16 = 50;

/// The log at its end, or scrolled back; the newest line last.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let theme = screen.look.theme;
    let visible = usize::from(area.height.saturating_sub(2));
    let log = screen.player.log();
    let most = log.len().saturating_sub(visible);
    let back = screen.look.log_back.min(most);
    let is_roomy = area.width >= ROOMY_WIDTH;
    let chosen = screen
        .mind()
        .who()
        .filter(|_| screen.player.minds().len() > 1);
    let lines = log.skip(most - back).take(visible).map(|line| {
        let is_now = line.tick == screen.player.tick();
        let fault = if line.tone == Tone::Fault {
            "fault: "
        } else {
            ""
        };
        let is_own = line.who.is_some() && line.who == chosen;
        let own = match (is_own, chosen) {
            (true, _) => " ▸ ",
            (false, Some(_)) => "   ",
            (false, None) => "  ",
        };
        let (when, text) = if is_roomy {
            let when = format!(" {:>5} {:>7.2} s{own}", line.tick, line.secs());
            (when, &*line.text)
        } else {
            let text = line.text.strip_prefix("the ").unwrap_or(&line.text);
            (
                format!("{:>4}{}", line.tick, if is_own { "▸" } else { " " }),
                text,
            )
        };
        let style = if is_now {
            theme.strong()
        } else {
            theme.faint()
        };
        Line::from(vec![
            Span::styled(when, style),
            Span::styled(format!("{fault}{text}"), theme.tone(line.tone)),
        ])
    });
    let title = match (back, is_roomy) {
        (0, true) => " log: tick, time, what happened ".to_owned(),
        (0, false) => " log by tick ".to_owned(),
        (back, _) => format!(" log, {back} lines back "),
    };
    let frame_block = block(title, theme);
    hits.log = frame_block.inner(area);
    hits.log_most = most;
    let panel = Paragraph::new(lines.collect::<Vec<_>>()).block(frame_block);
    frame.render_widget(panel, area);
}
