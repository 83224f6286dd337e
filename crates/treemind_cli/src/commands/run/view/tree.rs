//! The tree as an outline with what each node did last.

use super::super::marks::Mark;
use super::{Screen, Theme, block};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::{Behaviour, Kind, NodeId, Status};
use treemind_doc::{About, OutlineLine};

const LEGEND: &str = " ▶ running ✔ success ✘ failure ⊘ cut off · idle ";
/// From this width on the answers stand in words as well.
const ROOMY_WIDTH: u16 = 50;
const SHORT_LEGEND: &str = " ▶ runs ✔ yes ✘ no ⊘ cut · idle ";

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let behaviour = screen.player.behaviour();
    let marks = screen.player.marks();
    let outline = treemind_doc::outline_lines(behaviour);
    let guides = guides(&outline);
    let mut lines = Vec::new();
    let mut busiest = 0;
    let is_roomy = area.width >= ROOMY_WIDTH;
    for (place, (said, guide)) in outline.iter().zip(guides).enumerate() {
        let (mark, label) = match said.about {
            About::Node(id) => {
                let mut label = label(behaviour, id, &said.text);
                if let Some(score) = marks.score(id) {
                    label.faint.push_str(&format!("  {score:.2}"));
                }
                (marks.get(id), label)
            }
            About::State(id, state) => (marks.of_state(id, state), part(&said.text)),
            About::Transition(id, number) => (marks.of_transition(id, number), part(&said.text)),
            About::Test(id, test) => {
                let sides = sides(behaviour, id, test);
                (marks.of_test(id, test, sides), part(&said.text))
            }
            About::Way(id, test, way) => (marks.of_way(id, test, way), part(&said.text)),
            About::Part => (Mark::Idle, part(&said.text)),
        };
        if mark == Mark::Now(Status::Running) {
            busiest = place;
        }
        lines.push(line(
            &guide,
            mark,
            &label,
            is_roomy && matches!(said.about, About::Node(_)),
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

/// How many ways of a test lead further in; the last one leads to what stands below it.
fn sides(behaviour: &Behaviour, id: NodeId, test: usize) -> usize {
    match &behaviour.node(id).kind {
        Kind::Decide(decision) => decision.steps[test].ways().len() - 1,
        _ => 0,
    }
}

/// The lines in front of each that show what is below what.
fn guides(lines: &[OutlineLine]) -> Vec<String> {
    let outermost = lines.iter().map(|line| line.indent).min().unwrap_or(0);
    let level = |line: &OutlineLine| (line.indent - outermost) / 2;
    // From below: at which levels a line follows before one further out.
    let mut follows: Vec<bool> = Vec::new();
    let mut guides = vec![String::new(); lines.len()];
    for (guide, line) in guides.iter_mut().zip(lines).rev() {
        let level = level(line);
        follows.resize(level + 1, false);
        for (at, follows) in follows.iter().enumerate().skip(1) {
            guide.push_str(match (at == level, follows) {
                (true, true) => "├─",
                (true, false) => "└─",
                (false, true) => "│ ",
                (false, false) => "  ",
            });
        }
        follows[level] = true;
    }
    guides
}

/// The label of what is no node.
fn part(text: &str) -> Label {
    Label {
        strong: text.to_owned(),
        faint: String::new(),
    }
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
