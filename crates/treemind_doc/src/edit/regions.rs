//! States whose states are all active together, and back.

use super::Editor;
use super::change::Change;
use super::error::EditError;
use super::machines::{is_state, is_state_word, is_true};
use super::outline::{SourceNode, SourceRole};
use super::place::{At, LocatedNode, Spot};
use super::{Node, called};
use crate::{Said, said};

/// What the regions of a state are called that had no states.
const FIRST_NAMES: [&str; 2] = ["first", "second"];

impl Editor {
    /// Makes a state a `parallel`: its states become regions, which are all active together. If one of them leads to
    /// another one, or is final, all of them go into one region, and the machine does what it did; others are added with
    /// [`add_state`](Self::add_state). A state without states gets two regions.
    ///
    /// # Errors
    /// When the node there is no `state`, when it is final, and when the names of the machine would mean something else.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "machine m {\n    initial a\n    state a {\n        initial b\n        state b\n        state c\n    }\n}\n";
    /// let mut editor = Editor::new(Document::parse(text, "m.kdl"))?;
    /// let a = text.find("state a").unwrap();
    /// editor.apply(&editor.make_parallel(a)?)?;
    /// assert_eq!(
    ///     editor.text(0),
    ///     "machine m {\n    initial a\n    parallel a {\n        state b\n        state c\n    }\n}\n"
    /// );
    /// editor.apply(&editor.make_sequential(a)?)?;
    /// assert_eq!(editor.text(0), text);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn make_parallel(&self, state: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(state.into())?;
        let node = found.node();
        if !is_state(&found) || found.word() != "state" {
            return Err(EditError::new(said!(
                "`{}` is not a state that contains one active state",
                called(found.word())
            ))
            .at(found.file, node.span.start));
        }
        if is_true(node, "final") {
            return Err(EditError::new(said!("a final state contains no states"))
                .at(found.file, node.span.start));
        }
        let mut trial = Trial::new(self, &found)?;
        let states = trial.states();
        if states.is_empty() {
            for name in FIRST_NAMES {
                let name = trial.free_name(name);
                trial.apply(|editor, at| editor.add_state(at, &name))?;
            }
        } else if trial.is_connected() {
            let name = trial.free_name("region");
            trial.apply(|editor, at| editor.add_state(at, &name))?;
            let region = trial.named(&name)?;
            for state in states {
                trial.moves(state, region)?;
            }
            if let Some(initial) = trial.initial() {
                trial.moves_first(initial, region)?;
            }
        }
        if let Some(initial) = trial.initial() {
            let at = trial.place(initial)?;
            trial.apply(|editor, _| editor.remove(at))?;
        }
        trial.called("parallel")?;
        trial.change(self, said!("make parallel"))
    }

    /// Makes a `parallel` a state of whose states one is active: it begins with the first one. If there is only one, and it
    /// does nothing itself, its states come into its place.
    ///
    /// # Errors
    /// When the node there is no `parallel` of a machine, and when the names of the machine would mean something else.
    pub fn make_sequential(&self, parallel: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(parallel.into())?;
        if !is_state(&found) || found.word() != "parallel" {
            return Err(EditError::new(said!(
                "`{}` is not a state whose states are all active",
                called(found.word())
            ))
            .at(found.file, found.node().span.start));
        }
        let mut trial = Trial::new(self, &found)?;
        trial.called("state")?;
        let states = trial.states();
        let only = match states[..] {
            [only] if trial.is_plain(only) => Some(only),
            _ => None,
        };
        let mut notes = Vec::new();
        if let Some(region) = only {
            for (nth, inner) in trial.children(region).into_iter().enumerate() {
                let from = trial.place(inner)?;
                let goal = trial.at()?;
                let at = trial.place(region)?;
                // What begins stands first, as people look for it there.
                let spot = match nth {
                    0 => Spot::Into(goal, 0),
                    _ => Spot::Before(at),
                };
                trial.apply(|editor, _| editor.moved(from, spot, Vec::new()))?;
            }
            let at = trial.place(region)?;
            trial.apply(|editor, _| editor.remove(at))?;
        } else if let Some(first) = states.first() {
            let at = trial.place(*first)?;
            trial.apply(|editor, _| editor.set_initial(at))?;
            if states.len() > 1 {
                notes.push(said!(
                    "only one of its states is active now, the first one at the beginning"
                ));
            }
        }
        Ok(trial
            .change(self, said!("make one state active"))?
            .noting(notes))
    }
}

/// The texts while several edits are tried on them that are about one state.
struct Trial {
    editor: Editor,
    state: u64,
}

impl Trial {
    fn new(editor: &Editor, found: &LocatedNode<'_>) -> Result<Self, EditError> {
        let at = At {
            file: found.file,
            offset: found.node().span.start,
        };
        let state = editor.id_at(at).ok_or_else(gone)?;
        Ok(Self {
            editor: editor.clone(),
            state,
        })
    }

    fn at(&self) -> Result<At, EditError> {
        self.place(self.state)
    }

    fn place(&self, id: u64) -> Result<At, EditError> {
        self.editor.place_of(id).ok_or_else(gone)
    }

    fn apply(
        &mut self,
        edit: impl FnOnce(&Editor, At) -> Result<Change, EditError>,
    ) -> Result<(), EditError> {
        let change = edit(&self.editor, self.at()?)?;
        self.editor.apply(&change).map(drop)
    }

    /// Puts a node behind everything else in another one.
    fn moves(&mut self, node: u64, into: u64) -> Result<(), EditError> {
        let (from, to) = (self.place(node)?, self.place(into)?);
        self.apply(|editor, _| editor.moved(from, Spot::Into(to, usize::MAX), Vec::new()))
    }

    fn moves_first(&mut self, node: u64, into: u64) -> Result<(), EditError> {
        let (from, to) = (self.place(node)?, self.place(into)?);
        self.apply(|editor, _| editor.moved(from, Spot::Into(to, 0), Vec::new()))
    }

    /// Gives the state another word.
    fn called(&mut self, word: &str) -> Result<(), EditError> {
        let at = self.at()?;
        let name = self.editor.find(at)?.node().name.span.clone();
        self.apply(|editor, at| editor.replace(at.file, name, word))
    }

    /// The nodes directly in another one.
    fn children(&self, of: u64) -> Vec<u64> {
        let outline = self.editor.outline();
        outline
            .node(of)
            .map(|node| node.children.clone())
            .unwrap_or_default()
    }

    fn inside(&self, is_it: impl Fn(&SourceNode) -> bool) -> Vec<u64> {
        let outline = self.editor.outline();
        let mut found = self.children(self.state);
        found.retain(|id| outline.node(*id).is_some_and(&is_it));
        found
    }

    fn states(&self) -> Vec<u64> {
        self.inside(|node| node.role == SourceRole::State)
    }

    fn initial(&self) -> Option<u64> {
        self.inside(|node| node.word == "initial").first().copied()
    }

    fn named(&self, name: &str) -> Result<u64, EditError> {
        let found = self.inside(|node| node.name.as_deref() == Some(name));
        found.first().copied().ok_or_else(gone)
    }

    /// A name that no state of the document has.
    fn free_name(&self, wanted: &str) -> String {
        let outline = self.editor.outline();
        let is_free = |name: &String| {
            let mut nodes = outline.nodes().iter();
            !nodes.any(|node| node.name.as_deref() == Some(name.as_str()))
        };
        let numbered = (2..).map(|nth| format!("{wanted}-{nth}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(is_free).unwrap_or_default()
    }

    /// Whether a state contains nothing but states and what it begins with.
    fn is_plain(&self, state: u64) -> bool {
        let outline = self.editor.outline();
        let Some(node) = outline.node(state) else {
            return false;
        };
        let mut inner = node.children.iter().filter_map(|id| outline.node(*id));
        node.word == "state"
            && node.properties.is_empty()
            && !node.children.is_empty()
            && inner.all(|one| one.role == SourceRole::State || one.word == "initial")
    }

    /// Whether a transition leads from one of the states to another one, or one of them is final: then one is left for
    /// another. Where a decision tree says where a transition leads, it may lead anywhere.
    fn is_connected(&self) -> bool {
        let Ok(found) = self.at().and_then(|at| self.editor.find(at)) else {
            return false;
        };
        let chart = super::machines::Chart::of(found.definition());
        let state = found.node();
        let inner: Vec<&Node> = state
            .children()
            .iter()
            .filter(|one| is_state_word(one))
            .collect();
        if inner.iter().any(|one| is_true(one, "final")) {
            return true;
        }
        let own = state.children().iter();
        let own = own.filter(|one| one.name.value == "transition");
        let mut ways: Vec<(&Node, &Node)> = own.map(|way| (state, way)).collect();
        let mut pending = inner.clone();
        while let Some(one) = pending.pop() {
            for child in one.children() {
                if is_state_word(child) {
                    pending.push(child);
                } else if child.name.value == "transition" {
                    ways.push((one, child));
                }
            }
        }
        let home = |node: &Node| {
            inner.iter().position(|one| {
                one.span.start <= node.span.start && node.span.end <= one.extent().end
            })
        };
        ways.into_iter().any(|(from, way)| {
            if way.entry("decide").is_some() || way.entry("pop").is_some() {
                return true;
            }
            let goals = ["to", "push"].iter().filter_map(|name| way.entry(name));
            let mut goals = goals.flat_map(|entry| chart.goals(entry, from));
            goals.any(|goal| match goal {
                Some(goal) => home(goal).is_some() && home(goal) != home(from),
                None => true,
            })
        })
    }

    /// All of it as one change of the texts before.
    fn change(mut self, before: &Editor, label: Said) -> Result<Change, EditError> {
        let paths = self.editor.paths_in_tests(before, &self.editor)?;
        if !paths.is_empty() {
            self.editor.apply(&Change::new(label.clone(), paths)?)?;
        }
        let errors = |editor: &Editor| {
            let found = editor.document().diagnostics().iter();
            let found = found.filter(|one| one.severity() == crate::diagnostic::Severity::Error);
            found
                .map(|one| one.message().to_owned())
                .collect::<Vec<_>>()
        };
        let known = errors(before);
        if let Some(new) = errors(&self.editor)
            .into_iter()
            .find(|one| !known.contains(one))
        {
            return Err(EditError::new(said!(
                "the machine would have a mistake: {}",
                new
            )));
        }
        let mut splices = Vec::new();
        let files = 0..before.files.len();
        for file in files.filter(|file| before.text(*file) != self.editor.text(*file)) {
            let change = before.rewrite(file, self.editor.text(file))?;
            splices.extend(change.splices().iter().cloned());
        }
        Change::new(label, splices)
    }
}

fn gone() -> EditError {
    EditError::new(said!("this node is gone"))
}
