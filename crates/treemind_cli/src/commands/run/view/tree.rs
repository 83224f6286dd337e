//! The tree as an outline with what each node did last.

use super::super::marks::Mark;
use super::{Screen, Theme, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::{Behaviour, Kind, NodeId, Status};

const LEGEND: &str = " ▶ running ✔ success ✘ failure ⊘ cut off · idle ";
/// From this width on the answers stand in words as well.
const ROOMY_WIDTH: u16 = 50;
const SHORT_LEGEND: &str = " ▶ runs ✔ yes ✘ no ⊘ cut · idle ";

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let behaviour = screen.player.behaviour();
    let marks = screen.player.marks();
    let outline = treemind_doc::outline(behaviour);
    let guides = guides(behaviour);
    let texts = outline.lines().skip(1);
    let mut lines = Vec::new();
    let mut busiest = 0;
    for ((id, text), guide) in behaviour.node_ids().zip(texts).zip(guides) {
        let mark = marks.get(id);
        if mark == Mark::Now(Status::Running) {
            busiest = id.index();
        }
        let label = label(behaviour, id, text);
        lines.push(line(
            &guide,
            mark,
            &label,
            area.width >= ROOMY_WIDTH,
            screen.theme,
        ));
    }
    let legend = if area.width > LEGEND.chars().count() as u16 {
        LEGEND
    } else {
        SHORT_LEGEND
    };
    let frame_block = block(" tree ".to_owned(), screen.theme)
        .title_bottom(Line::styled(legend, screen.theme.faint()));
    let visible = usize::from(area.height.saturating_sub(2));
    // A tree that is too long is moved so that what runs is in view.
    let first = (busiest + 3).min(lines.len()).saturating_sub(visible);
    let scroll = (u16::try_from(first).unwrap_or(u16::MAX), 0);
    frame.render_widget(
        Paragraph::new(lines).block(frame_block).scroll(scroll),
        area,
    );
}

fn line(guide: &str, mark: Mark, label: &Label, is_roomy: bool, theme: Theme) -> Line<'static> {
    let (glyph, style) = theme.mark(mark);
    let is_awake = matches!(mark, Mark::Now(_) | Mark::Aborted);
    let strong = match mark {
        Mark::Now(Status::Running) => style.patch(theme.strong()),
        _ if is_awake => style,
        _ => theme.faint(),
    };
    let answer = match mark {
        Mark::Now(status) if is_roomy => format!("  {}", status.as_str().to_lowercase()),
        Mark::Aborted if is_roomy => "  cut off".to_owned(),
        _ => String::new(),
    };
    Line::from(vec![
        Span::styled(format!(" {guide}"), theme.faint()),
        Span::styled(format!("{glyph} "), style),
        Span::styled(label.strong.clone(), strong),
        Span::styled(label.faint.clone(), theme.faint()),
        Span::styled(answer, style),
    ])
}

/// The lines in front of each node that show what is below what.
fn guides(behaviour: &Behaviour) -> Vec<String> {
    let mut guides = vec![String::new(); behaviour.nodes().len()];
    for id in behaviour.node_ids() {
        let children = &behaviour.node(id).children;
        // What the children's own children begin with: a line where more siblings follow.
        let base = guides[id.index()].replace("├─", "│ ").replace("└─", "  ");
        for (nth, child) in children.iter().enumerate() {
            let is_last = nth + 1 == children.len();
            guides[child.index()] = format!("{base}{}", if is_last { "└─" } else { "├─" });
        }
    }
    guides
}

/// What stands for a node: what it is called, and what else there is to know.
#[derive(Debug, PartialEq, Eq)]
struct Label {
    strong: String,
    faint: String,
}

fn label(behaviour: &Behaviour, id: NodeId, line: &str) -> Label {
    let node = behaviour.node(id);
    let line = line.split("  // ").next().unwrap_or_default().trim();
    let line = line.split(" name=").next().unwrap_or_default();
    let keyword = node.kind.keyword();
    let rest = line.strip_prefix(keyword).unwrap_or(line).trim();
    let name = node.name.as_deref();
    match &node.kind {
        Kind::Condition { negated, .. } => {
            let question = rest.strip_suffix(" not=#true").unwrap_or(rest);
            question_label(name, if *negated { "not " } else { "" }, question)
        }
        Kind::Check { .. } => question_label(name, "", rest.trim_matches('"')),
        Kind::Action { .. } => {
            let (leaf, args) = rest.split_once(' ').unwrap_or((rest, ""));
            named_label(name, leaf, args)
        }
        _ => named_label(name, keyword, rest),
    }
}

fn question_label(name: Option<&str>, not: &str, question: &str) -> Label {
    match name {
        Some(name) => Label {
            strong: format!("{name}?"),
            faint: format!(" {not}{question}"),
        },
        None => Label {
            strong: format!("{not}{question}?"),
            faint: String::new(),
        },
    }
}

fn named_label(name: Option<&str>, kind: &str, details: &str) -> Label {
    let space = if details.is_empty() { "" } else { " " };
    match name {
        Some(name) => Label {
            strong: name.to_owned(),
            faint: format!(" {kind}{space}{details}"),
        },
        None => Label {
            strong: kind.to_owned(),
            faint: format!("{space}{details}"),
        },
    }
}
