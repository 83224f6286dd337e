//! A behaviour as the page draws it: the lines of its outline, with what each is about.

use super::protocol::{
    self, DeclaredEvent, EventParam, Key, Line, LineIs, LineMark, LineProperty, LineValue,
    MarkWord, Piece, Text, Threshold,
};
use treemind_core::behaviour::{Leaf, LeafKind};
use treemind_core::behaviour::{Scope, StateKind};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, Kind, NodeId, Outcome};
use treemind_doc::{About, OutlineLine, line_parts, outline_lines};

use crate::follow::lines::name_of;
use crate::follow::{Mark, Marks, word_of};
use treemind_core::Status;
use treemind_explain::Language;

/// The definition of a behaviour.
pub fn definition(behaviour: &Behaviour) -> protocol::Behaviour {
    let lines = outline_lines(behaviour);
    let (parts, thresholds) = line_parts(behaviour, &lines);
    let both = lines.iter().zip(parts).enumerate();
    let keys = behaviour.keys().iter();
    let leaves = behaviour.leaves().iter();
    let events = leaves.filter(|leaf| leaf.kind == LeafKind::Event);
    protocol::Behaviour {
        name: behaviour.name().to_owned(),
        word: word_of(behaviour),
        lines: both
            .map(|(nth, (line, parts))| line_as_shown(behaviour, (nth, line), parts))
            .collect(),
        keys: keys
            .map(|key| Key {
                name: key.name.clone(),
                scope: match key.scope {
                    Scope::World => "world",
                    Scope::Agent => "agent",
                    _ => "group",
                },
                ty: key.ty.keyword().to_owned(),
            })
            .collect(),
        events: events.map(declared_event).collect(),
        thresholds: thresholds
            .into_iter()
            .map(|one| Threshold {
                key: one.key,
                value: one.value,
            })
            .collect(),
    }
}

fn declared_event(leaf: &Leaf) -> DeclaredEvent {
    let params = leaf.params.iter();
    let params = params.map(|param| EventParam {
        name: param.name.clone(),
        ty: param.ty.keyword().to_owned(),
    });
    DeclaredEvent {
        name: leaf.name.clone(),
        params: params.collect(),
    }
}

/// The texts of documents, with the names of their files.
pub fn texts(all: &[(String, String)]) -> Vec<Text> {
    let texts = all.iter();
    texts
        .map(|(name, text)| Text {
            name: name.clone(),
            text: text.clone(),
        })
        .collect()
}

fn value(value: treemind_doc::LineValue) -> LineValue {
    let parts = value.parts.into_iter();
    LineValue {
        text: value.text,
        parts: parts
            .map(|part| Piece {
                text: part.text,
                key: part.key,
            })
            .collect(),
    }
}

#[warn(clippy::wildcard_enum_match_arm)]
fn line_as_shown(
    behaviour: &Behaviour,
    (nth, line): (usize, &OutlineLine),
    parts: treemind_doc::LineParts,
) -> Line {
    let (text, doc) = line.text.split_once("  // ").unwrap_or((&line.text, ""));
    let properties = parts.properties.into_iter();
    let mut shown = Line {
        id: name_of(line.about, nth),
        indent: line.indent,
        text: text.to_owned(),
        doc: doc.to_owned(),
        is: LineIs::Part,
        word: parts.word,
        values: parts.values.into_iter().map(value).collect(),
        properties: properties
            .map(|one| LineProperty {
                name: one.name,
                value: value(one.value),
            })
            .collect(),
        label: None,
        kind: None,
        targets: None,
        source: None,
    };
    match line.about {
        About::Node(id) => {
            let node = behaviour.node(id);
            shown.is = LineIs::Node;
            shown.label = Some(behaviour.label(id).to_owned());
            if let Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } = node.kind
                && shown.doc.is_empty()
            {
                shown.doc = behaviour.leaf(leaf).doc.clone().unwrap_or_default();
            }
        }
        About::State(id, state) => {
            shown.is = LineIs::State;
            if let Kind::Machine(machine) = &behaviour.node(id).kind {
                let state = &machine.states[state];
                shown.label = Some(state.name.clone());
                shown.kind = Some(match state.kind {
                    StateKind::Composite { .. } => "composite",
                    StateKind::Parallel => "parallel",
                    StateKind::Final { .. } => "final",
                    StateKind::Atomic => "atomic",
                    _ => treemind_core::unlisted(&state.kind),
                });
            }
        }
        About::Transition(id, number) => {
            shown.is = LineIs::Transition;
            if let Kind::Machine(machine) = &behaviour.node(id).kind {
                let transition = &machine.transitions[number];
                let name = |state: usize| format!("s{}.{state}", id.index());
                let targets = transition.targets.iter();
                let states = targets.map(treemind_core::behaviour::Machine::target_state);
                shown.targets = Some(states.map(name).collect());
                shown.source = Some(name(transition.source));
            }
        }
        About::Test(..) => shown.is = LineIs::Test,
        About::Way(..) => shown.is = LineIs::Way,
        About::Goal(..) | About::Method(..) | About::Rule(..) | About::Part => {}
        _ => treemind_core::unlisted(&line.about),
    }
    shown
}

/// What each line shows, a word for its mark, and for a transition what became of it: after the first `shown` events of the
/// last tick. A line to which something happens later is as before, or has
/// no mark.
pub(crate) fn marks_at(
    lines: &[OutlineLine],
    (behaviour, marks): (&Behaviour, &Marks),
    (events, shown): (&[(NodeId, Event)], Option<usize>),
    language: Language,
) -> Vec<LineMark> {
    let (done, rest) = match shown {
        Some(shown) => events.split_at(shown.min(events.len())),
        None => (events, &[][..]),
    };
    let word = |about: About| {
        let now = shown.and_then(|_| {
            let last = done.iter().rev().find_map(|one| word_after(about, *one));
            last.or_else(|| rest.iter().find_map(|one| word_before(about, *one)))
        });
        if let Some(word) = now {
            return LineMark::Mark(word);
        }
        let mark = marks.of(behaviour, about);
        let note = match about {
            About::Node(id) => marks.score(id).map(|score| format!("{score:.2}")),
            About::Transition(id, number) => {
                let verdict = marks.verdict_of(id, number);
                verdict.map(|(_, words)| words.written(language))
            }
            _ => None,
        };
        match note {
            Some(note) => LineMark::Noted(word_for(mark), note),
            None => LineMark::Mark(word_for(mark)),
        }
    };
    lines.iter().map(|line| word(line.about)).collect()
}

/// What came and went since a tick: lines without a mark, each with the mark that it had in the meantime. For pages that
/// watch a game play, and do not see every tick.
pub(crate) fn flashes(
    lines: &[OutlineLine],
    (behaviour, marks): (&Behaviour, &Marks),
    since: u64,
) -> Vec<(usize, MarkWord)> {
    let flash = |(nth, about): (usize, About)| {
        let is_idle = marks.of(behaviour, about) == Mark::Idle;
        let flash = marks.flash(about, since).filter(|_| is_idle)?;
        Some((nth, word_for(flash)))
    };
    let all = lines.iter().map(|line| line.about).enumerate();
    all.filter_map(flash).collect()
}

/// The mark of a line after an event, if that is about the line.
fn word_after(about: About, (node, event): (NodeId, Event)) -> Option<MarkWord> {
    let is_here = |at: u32, own: usize| at as usize == own;
    Some(match (about, event) {
        (About::Node(id), event) if id == node => match event {
            Event::Tick(status) | Event::Guard(status) => word_for(Mark::Now(status)),
            Event::Enter | Event::Start => MarkWord::Run,
            Event::Stop(Outcome::Aborted) | Event::Abort => MarkWord::Cut,
            _ => return None,
        },
        (About::State(id, own), Event::EnterState(at)) if id == node && is_here(at, own) => {
            MarkWord::Entered
        }
        (About::State(id, own), Event::LeaveState(at)) if id == node && is_here(at, own) => {
            MarkWord::Left
        }
        (About::Transition(id, own), Event::Take(at)) if id == node && is_here(at, own) => {
            MarkWord::Ok
        }
        (About::Way(id, test, own), Event::Branch(one, way)) if id == node => {
            match is_here(one, test) && is_here(way, own) {
                true => MarkWord::Ok,
                false => return None,
            }
        }
        (About::Rule(id, own), Event::Fire(rule)) if id == node && is_here(rule, own) => {
            MarkWord::Ok
        }
        _ => return None,
    })
}

/// The mark of a line before an event, if that is about the line.
fn word_before(about: About, of: (NodeId, Event)) -> Option<MarkWord> {
    Some(match (word_after(about, of)?, of.1) {
        (MarkWord::Left, _) => MarkWord::Run,
        (_, Event::Abort | Event::Stop(Outcome::Aborted)) => MarkWord::WasRun,
        _ => MarkWord::Idle,
    })
}

fn word_for(mark: Mark) -> MarkWord {
    match mark {
        Mark::Idle => MarkWord::Idle,
        Mark::Now(Status::Running) | Mark::Open => MarkWord::Run,
        Mark::Now(Status::Success) => MarkWord::Ok,
        Mark::Now(Status::Failure) => MarkWord::Fail,
        Mark::Now(Status::Skipped) => MarkWord::Skip,
        Mark::Earlier(Status::Running) => MarkWord::WasRun,
        Mark::Earlier(Status::Success) => MarkWord::WasOk,
        Mark::Earlier(Status::Failure) => MarkWord::WasFail,
        Mark::Earlier(Status::Skipped) => MarkWord::WasSkip,
        Mark::Aborted => MarkWord::Cut,
        Mark::EarlierAborted => MarkWord::WasCut,
        Mark::Entered => MarkWord::Entered,
        Mark::Left => MarkWord::Left,
        Mark::EarlierLeft => MarkWord::WasLeft,
    }
}
