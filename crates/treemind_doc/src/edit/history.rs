//! Undo and redo.

use super::Editor;
use super::change::Change;
use super::error::EditError;

/// An [`Editor`] that remembers what was done.
///
/// ```
/// use treemind_doc::Document;
/// use treemind_doc::edit::{Editor, History};
///
/// let text = "leaves { action patrol; }\ntree guard { action patrol; } // all day\n";
/// let mut history = History::new(Editor::new(Document::parse(text, "guard.kdl"))?);
/// let at = text.find("action patrol; } //").unwrap();
/// let change = history.editor().wrap(at, "repeat forever")?;
/// history.apply(change)?;
/// assert!(history.editor().text(0).contains("tree guard { repeat forever { action patrol; }; } // all day"));
/// history.undo();
/// assert_eq!(history.editor().text(0), text);
/// # Ok::<(), treemind_doc::edit::EditError>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    editor: Editor,
    done: Vec<Change>,
    /// What undoes each of them.
    undos: Vec<Change>,
    undone: Vec<Change>,
}

impl History {
    /// A history in which nothing was done yet.
    pub fn new(editor: Editor) -> Self {
        Self {
            editor,
            done: Vec::new(),
            undos: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The editor with the current texts.
    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    /// Adds a file, as [`Editor::add_file`] does. It is no step: undoing leaves it there.
    pub fn add_file(&mut self, name: &str, text: &str) -> usize {
        self.editor.add_file(name, text)
    }

    /// Applies a change. Changes that were undone before can no longer be redone. A change that replaces nothing is
    /// not recorded.
    ///
    /// # Errors
    /// When the change was made for another text.
    pub fn apply(&mut self, change: Change) -> Result<(), EditError> {
        let undo = self.editor.apply(&change)?;
        if !change.is_empty() {
            self.done.push(change);
            self.undos.push(undo);
            self.undone.clear();
        }
        Ok(())
    }

    /// Undoes the last change, and returns it; `None` when there is none.
    pub fn undo(&mut self) -> Option<&Change> {
        let again = self.editor.apply(self.undos.last()?).ok()?;
        self.undos.pop();
        let mut change = self.done.pop()?;
        change.ids = again.ids;
        self.undone.push(change);
        self.undone.last()
    }

    /// Redoes the change that was undone last, and returns it; `None` when there is none.
    pub fn redo(&mut self) -> Option<&Change> {
        let change = self.undone.last()?;
        let undo = self.editor.apply(change).ok()?;
        self.undos.push(undo);
        self.done.extend(self.undone.pop());
        self.done.last()
    }

    /// Redoes everything that can be redone, and takes it back with new changes: the texts stay as they are, and undoing leads
    /// back to what was undone, even after another change. Returns how many changes were redone; as many take them back.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, History};
    ///
    /// let text = "tree guard { wait 1; }\n";
    /// let mut history = History::new(Editor::new(Document::parse(text, "guard.kdl"))?);
    /// let change = history.editor().wrap(text.find("wait").unwrap(), "invert")?;
    /// history.apply(change)?;
    /// let wrapped = history.editor().text(0).to_owned();
    /// history.undo();
    /// assert_eq!(history.keep_undone(), 1);
    /// assert_eq!((history.editor().text(0), history.undone().len()), (text, 0));
    /// history.undo();
    /// assert_eq!(history.editor().text(0), wrapped);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn keep_undone(&mut self) -> usize {
        let from = self.undos.len();
        while self.redo().is_some() {}
        let back: Vec<Change> = self.undos[from..].iter().rev().cloned().collect();
        for change in &back {
            // It was made for this text.
            if let Ok(again) = self.editor.apply(change) {
                self.done.push(change.clone());
                self.undos.push(again);
            }
        }
        back.len()
    }

    /// The changes that were applied, the latest one last.
    pub fn done(&self) -> &[Change] {
        &self.done
    }

    /// The changes that can be redone, the next one last.
    pub fn undone(&self) -> &[Change] {
        &self.undone
    }
}
