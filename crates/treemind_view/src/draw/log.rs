//! The log.

use super::{Hits, Screen, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_replay::follow::Tone;

/// From this width on, the log shows the time beside the tick.
const ROOMY_WIDTH: u16 = 50;

/// The log at its end, or scrolled back; the newest line last.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let (theme, scene) = (screen.look.theme, screen.scene);
    let visible = usize::from(area.height.saturating_sub(2));
    let count = scene.log_len(screen.nth());
    let most = count.saturating_sub(visible);
    let back = screen.look.log_back.min(most);
    let is_roomy = area.width >= ROOMY_WIDTH;
    let has_others = scene.minds() > 1;
    let shown = most - back..(most - back + visible).min(count);
    let lines = shown.map(|nth| {
        let line = scene.log_line(nth, screen.nth());
        let is_now = line.tick == scene.tick();
        let fault = if line.tone == Tone::Fault {
            "fault: "
        } else {
            ""
        };
        let own = match (line.is_own, has_others) {
            (true, _) => " ▸ ",
            (false, true) => "   ",
            (false, false) => "  ",
        };
        let (when, text) = if is_roomy {
            let secs = scene.secs_at(line.tick);
            let when = format!(" {:>5} {secs:>7.2} s{own}", line.tick);
            (when, line.text)
        } else {
            let text = line.text.strip_prefix("the ").unwrap_or(line.text);
            (
                format!("{:>4}{}", line.tick, if line.is_own { "▸" } else { " " }),
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
    let frame_block = block(&title, theme);
    hits.log = frame_block.inner(area);
    hits.log_most = most;
    let panel = Paragraph::new(lines.collect::<Vec<_>>()).block(frame_block);
    frame.render_widget(panel, area);
}
