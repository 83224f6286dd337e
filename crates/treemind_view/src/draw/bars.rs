//! The header line, and the footer with the buttons.

use super::{Hits, Prompt, Screen};
use crate::app::{Action, Jump};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use treemind_doc::visible_line;
use treemind_replay::follow::word_of;

/// The title, the time, and the state of the run.
pub(super) fn header(screen: &Screen<'_>, width: u16) -> Line<'static> {
    let (scene, theme) = (screen.scene, screen.look.theme);
    let (mind, tick) = (screen.mind(), scene.tick());
    if let Some(jump) = screen.look.jump {
        return on_the_way(screen, jump, usize::from(width));
    }
    let name = screen.behaviour().name();
    let whose = match scene.minds() {
        1 => String::new(),
        count => format!("{} {}/{count} ", mind.name(), screen.nth() + 1),
    };
    let mut spans = vec![
        Span::styled(format!(" {whose}{name} "), theme.title()),
        Span::raw(format!(
            "  tick {tick}  {:.2} s  speed {}x  ",
            scene.secs_at(tick),
            screen.look.speed
        )),
    ];
    if screen.look.is_paused {
        spans.push(Span::styled(" PAUSED ", theme.alert()));
        spans.push(Span::raw("  "));
    }
    if let Some((text, matters)) = scene.badge() {
        let style = if matters { theme.alert() } else { theme.hero() };
        spans.push(Span::styled(text, style));
        spans.push(Span::raw("  "));
    }
    if let Some(status) = mind.root() {
        spans.push(Span::raw(format!("{} ", word_of(screen.behaviour()))));
        spans.push(Span::styled(
            status.as_str().to_lowercase(),
            theme.status(status),
        ));
    }
    let faults = match scene.faults() {
        0 => None,
        1 => Some("  1 fault".to_owned()),
        count => Some(format!("  {count} faults")),
    };
    spans.extend(faults.map(|text| Span::styled(text, theme.alert())));
    Line::from(spans)
}

/// The progress of a jump to another tick.
fn on_the_way(screen: &Screen<'_>, jump: Jump, width: usize) -> Line<'static> {
    let tick = screen.scene.tick();
    let (done, all) = (tick.saturating_sub(jump.from), (jump.to - jump.from).max(1));
    let text = format!(" to tick {}: {tick} ", jump.to);
    let room = width.saturating_sub(text.len() + 14).clamp(4, 40);
    let full = ((done as f64 / all as f64) * room as f64) as usize;
    let full = full.min(room);
    Line::from(vec![
        Span::styled(text, screen.look.theme.title()),
        Span::raw(" "),
        Span::styled("█".repeat(full), screen.look.theme.way()),
        Span::styled("░".repeat(room - full), screen.look.theme.faint()),
        Span::styled("  Esc: stop", screen.look.theme.faint()),
    ])
}

/// The keys, which are also buttons; or the tick number being typed.
pub(super) fn draw_foot(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let theme = screen.look.theme;
    if let Some(prompt) = &screen.look.prompt {
        let (question, text) = match prompt {
            Prompt::Tick(text) => (" go to tick ", text),
            Prompt::Agent(text) => (" show agent ", text),
        };
        let line = Line::from(vec![
            Span::styled(question, theme.title()),
            Span::styled(format!(" {text}▏"), theme.strong()),
            Span::styled("  Enter: go, Esc: cancel", theme.faint()),
        ]);
        return frame.render_widget(line, area);
    }
    if let Some(notice) = &screen.look.notice {
        let line = Line::styled(format!(" {} ", visible_line(notice)), theme.alert());
        return frame.render_widget(line, area);
    }
    let steers = match screen.scene.steers() {
        Some((words, _)) if area.width >= 100 => words,
        Some((_, signs)) if area.width >= 60 => signs,
        _ => "",
    };
    let mut spans = vec![Span::styled(format!(" {steers}"), theme.way())];
    let used = steers.chars().count() as u16;
    let mut x = area.x + 1 + used;
    let (buttons, gap) = fitting(screen, usize::from(area.width - used));
    for (action, key, what) in buttons {
        let wide = (key.chars().count() + what.chars().count() + 1) as u16;
        let place = Rect::new(x, area.y, wide, 1).intersection(area);
        hits.buttons.push((place, action));
        spans.push(Span::styled(key, theme.strong()));
        spans.push(Span::styled(
            format!(" {what}{}", " ".repeat(gap)),
            theme.faint(),
        ));
        x = x.saturating_add(wide + gap as u16);
    }
    frame.render_widget(Line::from(spans), area);
}

/// The buttons that fit, and the gap between them. The least useful buttons are dropped first.
fn fitting(
    screen: &Screen<'_>,
    width: usize,
) -> (Vec<(Action, &'static str, &'static str)>, usize) {
    let pause = if screen.look.is_paused {
        "go on"
    } else {
        "pause"
    };
    let has_hero = screen.scene.steers().is_some();
    let mut buttons = vec![
        (Action::Pause, if has_hero { "p" } else { "space" }, pause),
        (Action::Forth, ".", "one tick"),
        (Action::Back, ",", "back"),
        (Action::Faster, "+", "faster"),
        (Action::Slower, "-", "slower"),
        (Action::Jump, "g", "go to tick"),
        (Action::Next, "Tab", "next agent"),
        (Action::Panel, "v", "one panel"),
        (Action::Help, "?", "all keys"),
        (Action::Quit, "q", "quit"),
    ];
    if screen.scene.minds() == 1 {
        buttons.retain(|(action, ..)| *action != Action::Next);
    }
    let wide = |buttons: &[(Action, &str, &str)], gap: usize| {
        let each = |(_, key, what): &(Action, &str, &str)| key.len() + what.len() + 1 + gap;
        1 + buttons.iter().map(each).sum::<usize>()
    };
    if wide(&buttons, 3) <= width {
        return (buttons, 3);
    }
    // When only one panel is shown at a time, the user needs a way to the others.
    let panel = (width >= usize::from(super::ROOMY.0)).then_some(Action::Panel);
    let goes = [
        Action::Slower,
        Action::Faster,
        panel.unwrap_or(Action::Slower),
        Action::Back,
        Action::Next,
        Action::Jump,
        Action::Forth,
        Action::Pause,
        Action::Help,
    ];
    for gone in goes {
        if wide(&buttons, 1) <= width {
            break;
        }
        buttons.retain(|(action, ..)| *action != gone);
    }
    (buttons, 1)
}
