//! The tree as an outline with what each node did last.

use super::super::marks::{Mark, Marks};
use super::{Screen, Theme, block};
use crate::io::word_of;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::{Behaviour, Kind, NodeId, Status};
use treemind_doc::{About, OutlineLine};

const LEGEND: &str = " ▶ running ✔ success ✘ failure ⊘ cut off · idle ";
/// From this width on the answers stand in words as well.
const ROOMY_WIDTH: u16 = 50;
/// A label has this much room at least.
const LEAST_LABEL: usize = 12;
const SHORT_LEGEND: &str = " ▶ runs ✔ yes ✘ no ⊘ cut · idle ";

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>) {
    let behaviour = screen.player.behaviour();
    let marks = screen.player.marks();
    let outline = treemind_doc::outline_lines(behaviour);
    let guides = guides(&outline);
    let mut lines = Vec::new();
    let mut shown = Vec::new();
    let is_roomy = area.width >= ROOMY_WIDTH;
    for (said, guide) in outline.iter().zip(guides) {
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
        let answer = match said.about {
            About::Node(_) if is_roomy => answer(mark),
            About::State(..) => answer_of_state(mark),
            About::Transition(id, number) => {
                let told = marks.told_of(id, number);
                told.map_or("", |(word, words)| if is_roomy { words } else { word })
            }
            About::Node(_) | About::Test(..) | About::Way(..) | About::Part => "",
        };
        shown.push(mark);
        let width = usize::from(area.width.saturating_sub(2));
        lines.push(line(&guide, mark, label, answer, (width, screen.theme)));
    }
    let legend = if area.width > LEGEND.chars().count() as u16 {
        LEGEND
    } else {
        SHORT_LEGEND
    };
    let (title, taken) = titles(behaviour, marks, usize::from(area.width));
    let frame_block = block(title, screen.theme)
        .title(Line::styled(taken, screen.theme.faint()).right_aligned())
        .title_bottom(Line::styled(legend, screen.theme.faint()));
    let visible = usize::from(area.height.saturating_sub(2));
    let first = first_line(&outline, &shown, visible);
    let scroll = (u16::try_from(first).unwrap_or(u16::MAX), 0);
    frame.render_widget(
        Paragraph::new(lines).block(frame_block).scroll(scroll),
        area,
    );
}

/// The line that a tree which is too long begins with, so that what runs is in view: of a machine the innermost state
/// that is active, with as much of what stands in it as there is room for.
fn first_line(outline: &[OutlineLine], marks: &[Mark], visible: usize) -> usize {
    let runs = |mark: &Mark| matches!(mark, Mark::Now(Status::Running) | Mark::Entered);
    let is_state = |place: &usize| matches!(outline[*place].about, About::State(..));
    let running: Vec<usize> = (0..marks.len())
        .filter(|place| runs(&marks[*place]))
        .collect();
    let busiest = running.last().copied().unwrap_or(0);
    let (start, end) = match running.iter().copied().rfind(is_state) {
        Some(state) => {
            let inside = outline[state + 1..].iter();
            let inside = inside.take_while(|line| line.indent > outline[state].indent);
            (state.saturating_sub(1), state + inside.count() + 1)
        }
        None => (busiest, busiest + 3),
    };
    let first = end.min(outline.len()).saturating_sub(visible);
    first.min(start)
}

/// What stands above it: of a machine where it is, and which transition has brought it there.
fn titles(behaviour: &Behaviour, marks: &Marks, width: usize) -> (String, String) {
    let root = behaviour.root();
    let word = word_of(behaviour);
    let Kind::Machine(machine) = &behaviour.node(root).kind else {
        return (format!(" {word} "), String::new());
    };
    let name = |state: usize| machine.states[state].name.as_str();
    let states = 0..machine.states.len();
    let innermost = states.filter(|state| machine.is_atomic(*state));
    let innermost: Vec<usize> = innermost
        .filter(|state| marks.is_active(root, *state))
        .collect();
    let place = match innermost[..] {
        [state] => {
            let above = std::iter::successors(Some(state), |inner| machine.states[*inner].parent);
            let mut path: Vec<&str> = above.filter(|state| *state > 0).map(name).collect();
            path.reverse();
            path.join(" › ")
        }
        _ => innermost
            .into_iter()
            .map(name)
            .collect::<Vec<_>>()
            .join(" + "),
    };
    let title = match place.is_empty() {
        true => format!(" {word} "),
        false => format!(" {word}: {place} "),
    };
    let Some((number, ago)) = marks.last_taken(root) else {
        return (title, String::new());
    };
    let transition = &machine.transitions[number];
    let text = treemind_doc::transition_text(behaviour, root, transition);
    let when = format!(", {:.2} s ago ", treemind_arena::secs(ago));
    let taken = part(&format!(" {} {text}", name(transition.source)));
    let room = width.saturating_sub(title.chars().count() + when.chars().count() + 4);
    if room < LEAST_LABEL {
        return (title, String::new());
    }
    (title, taken.shortened(room).strong + &when)
}

/// What a node answered, in a word.
fn answer(mark: Mark) -> &'static str {
    match mark {
        Mark::Now(Status::Success) => "success",
        Mark::Now(Status::Failure) => "failure",
        Mark::Now(Status::Running) => "running",
        Mark::Now(Status::Skipped) => "skipped",
        Mark::Aborted => "cut off",
        _ => "",
    }
}

fn answer_of_state(mark: Mark) -> &'static str {
    match mark {
        Mark::Entered => "entered",
        Mark::Left => "left",
        _ => "",
    }
}

fn line(
    guide: &str,
    mark: Mark,
    label: Label,
    answer: &str,
    (width, theme): (usize, Theme),
) -> Line<'static> {
    let (glyph, style) = theme.mark(mark);
    let is_awake = matches!(
        mark,
        Mark::Now(_) | Mark::Aborted | Mark::Entered | Mark::Left
    );
    let strong = match mark {
        Mark::Now(Status::Running) => style.patch(theme.strong()),
        _ if is_awake => style,
        _ => theme.faint(),
    };
    let answer = match answer {
        "" => String::new(),
        answer => format!("  {answer}"),
    };
    let said = if is_awake { style } else { theme.faint() };
    // What is said of a line is worth more than its end.
    let around = guide.chars().count() + 3 + answer.chars().count();
    let room = width.saturating_sub(around).max(LEAST_LABEL);
    let label = label.shortened(room);
    Line::from(vec![
        Span::styled(format!(" {guide}"), theme.faint()),
        Span::styled(format!("{glyph} "), style),
        Span::styled(label.strong, strong),
        Span::styled(label.faint, theme.faint()),
        Span::styled(answer, said),
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

impl Label {
    /// The same in so many columns.
    fn shortened(self, room: usize) -> Self {
        let strong = self.strong.chars().count();
        if strong + self.faint.chars().count() <= room {
            return self;
        }
        let cut = |text: String, room: usize| match text.chars().count() > room {
            true => text
                .chars()
                .take(room.saturating_sub(1))
                .chain(['…'])
                .collect(),
            false => text,
        };
        if strong + 2 > room {
            return Self {
                strong: cut(self.strong, room),
                faint: String::new(),
            };
        }
        Self {
            strong: self.strong,
            faint: cut(self.faint, room - strong),
        }
    }
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
