//! The tree as an outline, with the last thing that each node did.

use super::labels::{Label, label, part};
use super::{Hits, Screen, Theme, block, found};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use treemind_core::{Kind, Status};
use treemind_doc::{About, OutlineLine};
use treemind_explain::Language;
use treemind_replay::follow::{Mark, Marks, word_of};

const LEGEND: &str = " ▶ running ✔ success ✘ failure ⊘ cut off ▷✓✗ before ";
/// From this width on, answers are also written as words.
const ROOMY_WIDTH: u16 = 50;
/// A label has this much room at least.
const LEAST_LABEL: usize = 12;
const SHORT_LEGEND: &str = " ▶ runs ✔ yes ✘ no ⊘ cut ✓ before ";

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen<'_>, hits: &mut Hits) {
    let outline = treemind_doc::outline_lines(screen.behaviour());
    let guides = guides(&outline);
    let is_roomy = area.width >= ROOMY_WIDTH;
    let width = usize::from(area.width.saturating_sub(2));
    let mut lines = Vec::new();
    let mut shown = Vec::new();
    for (nth, (said, guide)) in outline.iter().zip(guides).enumerate() {
        let (mark, label, answer) = line_parts(screen, said, is_roomy);
        shown.push(mark);
        let line = line(&guide, mark, label, &answer, (width, screen.look.theme));
        lines.push(match screen.look.selected == Some(nth) {
            true => line.patch_style(screen.look.theme.selected()),
            false => line,
        });
    }
    let legend = match area.width > LEGEND.chars().count() as u16 {
        true => LEGEND,
        false => SHORT_LEGEND,
    };
    let marks = screen.mind().marks();
    let (title, taken) = titles(screen, marks, usize::from(area.width));
    let frame_block = block(&title, screen.look.theme)
        .title(Line::styled(taken, screen.look.theme.faint()).right_aligned())
        .title_bottom(Line::styled(legend, screen.look.theme.faint()));
    let inside = frame_block.inner(area);
    frame.render_widget(frame_block, area);
    let details = details(screen, &outline);
    let below = (details.len() as u16).min(inside.height.saturating_sub(1));
    let [above, below] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(inside);
    let visible = usize::from(above.height);
    let most = lines.len().saturating_sub(visible);
    let follows = || first_line(&outline, &shown, visible);
    let first = screen.look.tree_top.unwrap_or_else(follows).min(most);
    (hits.tree, hits.tree_first, hits.tree_lines) = (above, first, lines.len());
    let lines: Vec<Line<'_>> = lines.into_iter().skip(first).take(visible).collect();
    frame.render_widget(Paragraph::new(lines), above);
    frame.render_widget(Paragraph::new(details), below);
}

/// The mark, the label and the answer of a line of the outline.
#[warn(clippy::wildcard_enum_match_arm)]
fn line_parts(screen: &Screen<'_>, said: &OutlineLine, is_roomy: bool) -> (Mark, Label, String) {
    let (behaviour, marks) = (screen.behaviour(), screen.mind().marks());
    let mark = marks.of(behaviour, said.about);
    let (label, answer) = match said.about {
        About::Node(id) => {
            let mut label = label(behaviour, id, &said.text);
            if let Some(score) = marks.score(id) {
                label.faint.push_str(&format!("  {score:.2}"));
            }
            label.faint.extend(found::beside_label(screen, id));
            (label, if is_roomy { answer(mark) } else { "" })
        }
        About::State(..) => (part(&said.text), answer_of_state(mark)),
        About::Transition(id, number) => {
            let verdict = marks.verdict_of(id, number);
            let verdict = verdict.map(|(word, words)| match is_roomy {
                true => words.written(Language::English),
                false => word.to_owned(),
            });
            return (mark, part(&said.text), verdict.unwrap_or_default());
        }
        About::Test(..)
        | About::Way(..)
        | About::Goal(..)
        | About::Method(..)
        | About::Rule(..)
        | About::Part => (part(&said.text), ""),
        _ => treemind_core::unlisted(&said.about),
    };
    (mark, label, answer.to_owned())
}

/// How many lines the details of the selected line take.
pub(super) fn detail_lines(screen: &Screen<'_>) -> usize {
    if screen.look.selected.is_none() {
        return 0;
    }
    details(screen, &treemind_doc::outline_lines(screen.behaviour())).len()
}

/// Details of the selected line: its full text, what it is for, and its last answers.
fn details(screen: &Screen<'_>, outline: &[OutlineLine]) -> Vec<Line<'static>> {
    let Some(said) = screen.look.selected.and_then(|nth| outline.get(nth)) else {
        return Vec::new();
    };
    let (behaviour, marks) = (screen.behaviour(), screen.mind().marks());
    let (theme, tick) = (screen.look.theme, screen.scene.tick());
    let (text, doc) = said.text.split_once("  // ").unwrap_or((&said.text, ""));
    let mut lines = vec![Line::styled(format!(" {}", text.trim()), theme.strong())];
    let leaf_doc = match said.about {
        About::Node(id) => match behaviour.node(id).kind {
            Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } => {
                behaviour.leaf(leaf).doc.as_deref()
            }
            _ => None,
        },
        _ => None,
    };
    let doc = if doc.is_empty() {
        leaf_doc.unwrap_or("")
    } else {
        doc
    };
    if !doc.is_empty() {
        lines.push(Line::raw(format!(" {doc}")));
    }
    let last = match said.about {
        About::Node(id) => {
            let mut spans = vec![Span::styled(" last ", theme.faint())];
            for (status, from, to) in marks.recent(id) {
                let when = match (from == to, to == tick) {
                    (true, _) => format!("{from}"),
                    (false, true) => format!("{from}–now"),
                    (false, false) => format!("{from}–{to}"),
                };
                let (glyph, style) = theme.mark(Mark::Now(status));
                spans.push(Span::styled(format!(" {glyph} "), style));
                spans.push(Span::raw(when));
            }
            match spans.len() {
                1 => Line::styled(" never reached so far", theme.faint()),
                _ => Line::from(spans),
            }
        }
        About::Transition(id, number) => match marks.verdict_of(id, number) {
            Some((_, words)) => Line::raw(format!(" {}", words.written(Language::English))),
            None => Line::styled(" its state is not active", theme.faint()),
        },
        _ => return lines,
    };
    lines.push(last);
    if let About::Node(id) = said.about {
        let found = found::details(screen, id).into_iter();
        lines.extend(found.map(|line| Line::raw(format!(" {line}"))));
    }
    lines
}

/// The first visible line of a tree that is too long, chosen so that what is running is in view. For a machine this
/// is the innermost active state, with as much of its content as fits.
fn first_line(outline: &[OutlineLine], marks: &[Mark], visible: usize) -> usize {
    let runs = |mark: &Mark| mark.is_running() || *mark == Mark::Entered;
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

/// The titles above the tree: for a machine its active state, and the transition that led there.
fn titles(screen: &Screen<'_>, marks: &Marks, width: usize) -> (String, String) {
    let behaviour = screen.behaviour();
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
        [state] => machine.path(state).join(" › "),
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
    let (scene, tick) = (screen.scene, screen.scene.tick());
    let secs = scene.secs_at(tick) - scene.secs_at(tick.saturating_sub(ago));
    let when = format!(", {secs:.2} s ago ");
    let taken = part(&format!(" {} {text}", name(transition.source)));
    let room = width.saturating_sub(title.chars().count() + when.chars().count() + 4);
    if room < LEAST_LABEL {
        return (title, String::new());
    }
    (title, taken.shortened(room).strong + &when)
}

/// A node's answer as a word.
fn answer(mark: Mark) -> &'static str {
    match mark {
        Mark::Now(Status::Success) => "success",
        Mark::Now(Status::Failure) => "failure",
        Mark::Now(Status::Running) | Mark::Open => "running",
        Mark::Now(Status::Skipped) => "skipped",
        Mark::Aborted => "cut off",
        _ => "",
    }
}

fn answer_of_state(mark: Mark) -> &'static str {
    match mark {
        Mark::Entered => "entered",
        Mark::Left | Mark::EarlierLeft => "left",
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
        Mark::Now(_) | Mark::Open | Mark::Aborted | Mark::Entered | Mark::Left
    );
    let strong = match mark {
        Mark::Now(Status::Running) | Mark::Open => style.patch(theme.strong()),
        _ if is_awake => style,
        _ => theme.faint(),
    };
    let answer = match answer {
        "" => String::new(),
        answer => format!("  {answer}"),
    };
    let said = if is_awake { style } else { theme.faint() };
    // The answer matters more than the end of the label.
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

/// The guide lines in front of each line, which show the nesting.
fn guides(lines: &[OutlineLine]) -> Vec<String> {
    let outermost = lines.iter().map(|line| line.indent).min().unwrap_or(0);
    let level = |line: &OutlineLine| (line.indent - outermost) / 2;
    // From the bottom up: the levels at which another line follows before a line further out.
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
