//! The agents, one line each, and the keys of the one that is shown.

use super::{Hits, Screen, block, keys};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::Status;
use treemind_doc::visible_line;

/// So many lines of agents are shown at most where there is no room for all.
const FEW: usize = 8;

/// How many rows the panel takes with its frame.
pub fn wanted_height(screen: &Screen<'_>) -> u16 {
    let agents = match screen.scene.minds() {
        1 => 0,
        agents => agents.min(FEW) + 1,
    };
    u16::try_from(agents + keys::wanted(screen) + 2).unwrap_or(u16::MAX)
}

/// Draws the agents, if there are several, and the keys of the one that is shown.
pub fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let count = screen.scene.minds();
    if count == 1 {
        return keys::draw(frame, area, screen);
    }
    let theme = screen.look.theme;
    let title = match screen.scene.agents() {
        all if all > count => format!(" {count} of {all} agents; a shows any "),
        _ => format!(" {count} agents "),
    };
    let frame_block = block(&title, theme);
    let inside = frame_block.inner(area);
    let room = usize::from(inside.height);
    let keys_wanted = match keys::wanted(screen) {
        0 => 0,
        keys => (keys + 1).min(room / 2),
    };
    let rows = (room - keys_wanted).clamp(1, count);
    // The one that is shown stays in view, with those before it.
    let first = (screen.nth() + 1).saturating_sub(rows);
    let mut lines = Vec::new();
    for (row, nth) in (first..first + rows).enumerate() {
        lines.push(line(screen, nth));
        let place = Rect {
            y: inside.y.saturating_add(row as u16),
            height: 1,
            ..inside
        };
        hits.add_mind(place.intersection(inside), nth);
    }
    if keys_wanted > 1 {
        let name = visible_line(screen.mind().name());
        lines.push(Line::styled(
            format!(" blackboard of {name}"),
            theme.faint(),
        ));
        lines.extend(keys::lines(screen, keys_wanted - 1));
    }
    frame.render_widget(Paragraph::new(lines), inside);
    frame.render_widget(frame_block, area);
}

/// An agent: its number, its name, and what it does.
fn line(screen: &Screen<'_>, nth: usize) -> Line<'static> {
    let (scene, theme) = (screen.scene, screen.look.theme);
    let is_shown = nth == screen.nth();
    let number = match nth {
        _ if is_shown => '▸',
        0..9 => char::from(b'1' + nth as u8),
        _ => ' ',
    };
    let style = match is_shown {
        true => theme.chosen(),
        false => theme.strong(),
    };
    let behaviour = scene.behaviour(nth);
    let (does, is_running) = match scene.mind(nth) {
        Some(mind) => {
            let (marks, root) = (mind.marks(), mind.root());
            let states = marks.active_states(behaviour);
            let does = match (marks.doing(behaviour), root) {
                (Some(does), _) => does.to_owned(),
                (None, _) if !states.is_empty() => states,
                (None, Some(status)) => status.as_str().to_lowercase(),
                (None, None) => String::new(),
            };
            (does, root == Some(Status::Running))
        }
        None => {
            let does = scene.doing(nth);
            (does.unwrap_or_default().to_owned(), does.is_some())
        }
    };
    let does_style = match is_running {
        true => theme.status(Status::Running),
        false => theme.faint(),
    };
    Line::from(vec![
        Span::raw(number.to_string()),
        Span::styled(visible_line(&scene.name(nth)).into_owned(), style),
        Span::styled(format!("  {}", visible_line(&does)), does_style),
    ])
}
