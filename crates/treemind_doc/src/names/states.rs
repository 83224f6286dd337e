//! The states of a machine, and which of them a name or dotted path refers to.

use std::collections::HashMap;

/// The states of one machine; state 0 is the machine itself.
#[derive(Debug)]
pub(crate) struct States<'n> {
    all: Vec<State<'n>>,
    by_name: HashMap<&'n str, Vec<usize>>,
}

#[derive(Debug)]
struct State<'n> {
    name: &'n str,
    parent: Option<usize>,
    /// The state or one around it is disabled. A name refers to it only if it can refer to no other state.
    is_out: bool,
}

/// The result of looking up a name or path.
#[derive(Debug)]
pub(crate) enum FoundState {
    One(usize),
    /// The states that longer paths could tell apart.
    Several(Vec<usize>),
    Nothing,
}

impl<'n> States<'n> {
    pub(crate) fn new(machine: &'n str) -> Self {
        Self {
            all: vec![State {
                name: machine,
                parent: None,
                is_out: false,
            }],
            by_name: HashMap::new(),
        }
    }

    /// Adds a state; a state without a name cannot be referred to.
    pub(crate) fn add(&mut self, name: &'n str, parent: usize, is_disabled: bool) -> usize {
        let index = self.all.len();
        let is_out = is_disabled || self.all[parent].is_out;
        self.all.push(State {
            name,
            parent: Some(parent),
            is_out,
        });
        if !name.is_empty() {
            self.by_name.entry(name).or_default().push(index);
        }
        index
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The name of a state, without its path.
    pub(crate) fn name(&self, state: usize) -> &'n str {
        self.all[state].name
    }

    /// The states with that name.
    pub(crate) fn named(&self, name: &str) -> Option<&[usize]> {
        self.by_name.get(name).map(Vec::as_slice)
    }

    /// All states that share their names with others.
    pub(crate) fn with_shared_names(&self) -> impl Iterator<Item = usize> + '_ {
        let shared = self.by_name.values().filter(|states| states.len() > 1);
        shared.flatten().copied()
    }

    /// A state and the states around it, the innermost first; the machine comes last.
    pub(crate) fn upwards(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(state), |state| self.all[*state].parent)
    }

    /// The states whose own path ends with a path.
    pub(crate) fn ending(&self, path: &str) -> impl Iterator<Item = usize> {
        let mut names = path.rsplit('.');
        let last = names.next().unwrap_or_default();
        let all = self.by_name.get(last).into_iter().flatten().copied();
        all.filter(move |state| {
            let mut above = self.upwards(*state).skip(1);
            let mut names = names.clone();
            names.all(|name| {
                above
                    .next()
                    .is_some_and(|above| self.all[above].name == name)
            })
        })
    }

    /// The state that a path refers to, seen from another state. Of the states around `from`, the nearest one that
    /// contains the path decides; its direct children come first.
    pub(crate) fn find(&self, path: &str, from: usize) -> FoundState {
        match self.look(path, from, false) {
            FoundState::Nothing => self.look(path, from, true),
            found => found,
        }
    }

    fn look(&self, path: &str, from: usize, with_out: bool) -> FoundState {
        let fitting = self.ending(path);
        let fitting = fitting.filter(|state| with_out || !self.all[*state].is_out);
        let fitting: Vec<usize> = fitting.collect();
        for outer in self.upwards(from) {
            let directly = |state: &&usize| self.all[**state].parent == Some(outer);
            if let Some(state) = fitting.iter().find(directly) {
                return FoundState::One(*state);
            }
            let is_inside =
                |state: &usize| self.upwards(*state).skip(1).any(|above| above == outer);
            let inside: Vec<usize> = fitting.iter().copied().filter(is_inside).collect();
            match inside[..] {
                [] => {}
                [state] => return FoundState::One(state),
                _ => return FoundState::Several(inside),
            }
        }
        FoundState::Nothing
    }
}
