//! The states that names and dotted paths stand for.

use super::Draft;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Fragment;
use crate::names::{self, FoundState};
use crate::said;
use crate::suggest;
use crate::syntax::{Span, Text, shortened};
use std::collections::HashMap;
use treemind_core::behaviour::{StateIndex, Target};

impl Draft<'_> {
    /// Gives every state its shortest unique path.
    pub(super) fn settle_names(&mut self) {
        let shared = self.names.with_shared_names();
        let mut open: Vec<(StateIndex, StateIndex)> = shared.map(|state| (state, state)).collect();
        while !open.is_empty() {
            // While two states share a path, each gets one more name in front.
            let mut longer = Vec::with_capacity(open.len());
            for (state, top) in open {
                let Some(above) = self.machine.states[top].parent.filter(|above| *above != 0)
                else {
                    continue;
                };
                let name = &self.machine.states[state].name;
                let name = format!("{}.{name}", self.names.name(above));
                self.machine.states[state].name = name;
                longer.push((state, above));
            }
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for (state, _) in &longer {
                let name = self.machine.states[*state].name.as_str();
                *counts.entry(name).or_default() += 1;
            }
            let ambiguous = longer
                .iter()
                .filter(|(state, _)| counts[self.machine.states[*state].name.as_str()] > 1)
                .copied();
            open = ambiguous.collect();
        }
    }
}

/// The states named by `to=` and similar properties, as seen from a state.
pub(super) fn states_named(
    draft: &mut Draft<'_>,
    text: &Text,
    from: StateIndex,
    sink: &mut Sink,
) -> Option<Vec<StateIndex>> {
    let before = sink.error_count();
    let mut found: Vec<StateIndex> = Vec::new();
    for (word, span) in words(text) {
        if sink.is_full() {
            return None;
        }
        let Some(state) = state_named(draft, word, span.clone(), from, sink) else {
            continue;
        };
        goes_together(draft, &found, state, span, sink);
        found.push(state);
    }
    if found.is_empty() && sink.error_count() == before {
        let message = said!("expected the name of a state");
        sink.error(Code::MissingValue, text.span.clone(), message);
    }
    (sink.error_count() == before).then_some(found)
}

fn state_named(
    draft: &Draft<'_>,
    word: &str,
    span: Span,
    from: StateIndex,
    sink: &mut Sink,
) -> Option<StateIndex> {
    match draft.names.find(word, from) {
        FoundState::One(state) => Some(state),
        FoundState::Several(states) => {
            let message = said!("the state name `{}` is ambiguous", shortened(word));
            let names: Vec<String> = states.iter().map(|state| draft.called(*state)).collect();
            let names = suggest::listed(names.iter().map(String::as_str));
            sink.error(Code::UnknownState, span, message)
                .with_help(said!("use the path of one of them: {}", names));
            None
        }
        FoundState::Nothing => {
            unknown_state(draft, word, span, sink);
            None
        }
    }
}

fn unknown_state(draft: &Draft<'_>, word: &str, span: Span, sink: &mut Sink) {
    if word == draft.machine.states[0].name {
        let message = said!(
            "`{}` is the machine itself, which cannot be a target",
            shortened(word)
        );
        sink.error(Code::BadTarget, span, message)
            .with_help(said!("name the state to begin in"));
        return;
    }
    let shown = shortened(word);
    let last = word.rsplit('.').next().unwrap_or_default();
    let names = draft.machine.states.iter().skip(1);
    let names = names.map(|state| state.name.as_str());
    let others = draft.names.named(last).filter(|_| last != word);
    let paths: Vec<String> = match others {
        Some(states) => states.iter().map(|state| draft.path(*state)).collect(),
        // In a misspelt path, perhaps only the last name is wrong.
        None if last != word => (1..draft.names.len())
            .map(|state| draft.path(state))
            .collect(),
        None => Vec::new(),
    };
    let paths = paths.iter().map(String::as_str);
    let help = match others {
        Some(_) => Some(said!(
            "use the path of a state with that name: {}",
            suggest::listed(paths)
        )),
        None => suggest::did_you_mean(&shown, names.clone().chain(paths), || {
            Some(said!("the states are {}", suggest::listed(names)))
        }),
    };
    let message = said!("unknown state `{}`", shown);
    sink.error(Code::UnknownState, span, message)
        .with_perhaps(help);
}

/// Reports a target that cannot be active together with the targets before it.
fn goes_together(
    draft: &Draft<'_>,
    others: &[StateIndex],
    state: StateIndex,
    span: Span,
    sink: &mut Sink,
) {
    if others.contains(&state) {
        let message = said!("state `{}` is named twice", draft.called(state));
        sink.error(Code::Duplicate, span, message);
        return;
    }
    let against = others
        .iter()
        .find(|other| !draft.machine.are_orthogonal(**other, state));
    if let Some(other) = against {
        let message = said!(
            "`{}` and `{}` cannot be active at the same time",
            draft.called(*other),
            draft.called(state)
        );
        sink.error(Code::BadTarget, span, message).with_help(said!(
            "several targets must be in different states of one `parallel`"
        ));
    }
}

/// The states that a state begins in.
pub(super) fn inside(
    draft: &mut Draft<'_>,
    name: &Text,
    of: StateIndex,
    sink: &mut Sink,
) -> Option<Vec<Target>> {
    let states = states_named(draft, name, of, sink)?;
    let outside = states
        .iter()
        .find(|state| !draft.machine.is_inside(**state, of));
    if let Some(state) = outside {
        let message = said!(
            "`{}` is not inside `{}`, so it cannot be its initial state",
            draft.called(*state),
            draft.called(of)
        );
        let inner: Vec<String> = draft
            .machine
            .children(of)
            .map(|state| draft.called(state))
            .collect();
        let inner = suggest::listed(inner.iter().map(String::as_str));
        sink.error(Code::BadTarget, name.span.clone(), message)
            .with_help(said!("use a state inside it: {}", inner));
        return None;
    }
    Some(states.into_iter().map(Target::State).collect())
}

impl Draft<'_> {
    /// The full path of a state.
    fn path(&self, state: StateIndex) -> String {
        let names = self.names.upwards(state).filter(|state| *state != 0);
        let mut names: Vec<&str> = names.map(|state| self.names.name(state)).collect();
        names.reverse();
        shortened(&names.join("."))
    }
}

/// The words of a text with their spans in the document.
pub(in crate::check) fn words(text: &Text) -> Vec<(&str, Span)> {
    let fragment = Fragment::new(text, 0);
    let words = names::words(&text.value).into_iter();
    words
        .map(|(word, at)| (word, fragment.span(&(at..at + word.len()))))
        .collect()
}
