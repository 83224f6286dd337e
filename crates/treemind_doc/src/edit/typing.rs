//! Texts that people type, and texts that other programs have changed.

use super::change::{Change, Splice};
use super::error::EditError;
use super::place::EntryView;
use super::snippet::nodes_of;
use super::{Editor, File};
use std::ops::Range;

impl Editor {
    /// Whether all blocks, texts and comments of a file are closed: only then its nodes can be edited.
    pub fn is_whole(&self, file: usize) -> bool {
        self.files.get(file).is_some_and(|file| file.whole)
    }

    /// Replaces some bytes of a file, whatever they are. It works also in a file in which something is not closed.
    ///
    /// # Errors
    /// When there is no such file, or the bytes are not there or begin within a letter.
    pub fn replace(
        &self,
        file: usize,
        range: Range<usize>,
        text: &str,
        label: &str,
    ) -> Result<Change, EditError> {
        let found = self.files.get(file).map(File::text);
        let old = found.and_then(|text| text.get(range.clone()));
        let old = old.ok_or_else(|| EditError::new("this place does not exist in the text"))?;
        let splice = Splice {
            file,
            range,
            old: old.to_owned(),
            new: text.to_owned(),
        };
        Change::new(label, vec![splice])
    }

    /// Gives a file another text. Only the bytes change from the first line that differs to the last one.
    ///
    /// # Errors
    /// When there is no such file.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let editor = Editor::new(Document::parse("// 1\n// 2\n// 3\n", "guard.kdl"))?;
    /// let change = editor.replace_all(0, "// 1\n// two\n// 3\n", "change outside")?;
    /// assert_eq!(change.splices()[0].new, "// two\n");
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn replace_all(&self, file: usize, text: &str, label: &str) -> Result<Change, EditError> {
        let old = self.text(file);
        let same = |one: &str, other: &str| one == other;
        let lines = || old.split_inclusive('\n').zip(text.split_inclusive('\n'));
        let first: usize = lines()
            .take_while(|(one, other)| same(one, other))
            .map(|(line, _)| line.len())
            .sum();
        let rest = (&old[first..], &text[first..]);
        let from_end = rest.0.split_inclusive('\n').rev();
        let last: usize = from_end
            .zip(rest.1.split_inclusive('\n').rev())
            .take_while(|(one, other)| same(one, other))
            .map(|(line, _)| line.len())
            .sum();
        let new = &rest.1[..rest.1.len() - last];
        self.replace(file, first..old.len() - last, new, label)
    }

    /// A value as one types it: a text without its quotes, `true` without its sign, a number as it is written.
    pub fn value_text(&self, file: usize, entry: &EntryView) -> String {
        let text = self.text(file).get(entry.value.clone()).unwrap_or_default();
        let is_quoted = text.contains(['"', '\\']);
        let read = is_quoted
            .then(|| nodes_of(&format!("_ {text}")).ok())
            .flatten();
        let read = read.as_ref().and_then(|nodes| nodes.first()?.first_text());
        match read {
            Some(read) => read.value.clone(),
            None => text
                .strip_prefix('#')
                .filter(|_| !is_quoted)
                .unwrap_or(text)
                .to_owned(),
        }
    }
}
