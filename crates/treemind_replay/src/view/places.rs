//! Where the lines of a definition are in the texts of its documents, and where names are defined and used.

use super::protocol::{Name, Problem};
use std::ops::Range;
use treemind_core::Behaviour;
use treemind_doc::edit::{Editor, Occurrence};
use treemind_doc::{Diagnostic, Document, Format};

/// For the texts of a document: for each line of the definition where its node is, and every name with its places. Both are
/// empty for what is not written in KDL.
pub fn places(
    behaviour: Option<&Behaviour>,
    texts: &[(String, String)],
) -> (Vec<Option<[usize; 5]>>, Vec<Name>) {
    let editor = Document::of_texts(Format::Kdl, texts)
        .filter(|_| texts.iter().all(|(name, text)| is_kdl(name, text)))
        .and_then(|document| Editor::new(document).ok());
    let Some(editor) = editor else {
        return (Vec::new(), Vec::new());
    };
    let starts = Starts::of(&editor);
    let found = behaviour.map_or_else(Vec::new, |behaviour| editor.outline_places(behaviour));
    let found = found.into_iter();
    let found = found.map(|place| place.map(|(file, span)| starts.range(file, &span)));
    let names = editor.symbols().into_iter();
    let names = names.map(|symbol| Name {
        kind: symbol.kind.as_str(),
        at: symbol
            .occurrences
            .iter()
            .map(|one| starts.occurrence(one))
            .collect(),
        name: symbol.name,
    });
    (found.collect(), names.collect())
}

fn is_kdl(name: &str, text: &str) -> bool {
    Format::of(name, text) == Format::Kdl
}

/// Where the lines of a text begin.
fn starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

/// Line, column, last line and the column behind the end, as a browser counts them: lines from 1 on, columns from 0 on.
fn range(text: &str, starts: &[usize], span: &Range<usize>) -> [usize; 4] {
    let position = |offset: usize| {
        let line = starts.partition_point(|start| *start <= offset);
        let before = text.get(starts[line - 1]..offset).unwrap_or("");
        (line, before.encode_utf16().count())
    };
    let ((line, column), (last, end)) = (position(span.start), position(span.end));
    [line, column, last, end]
}

/// What is wrong with documents, and where.
pub fn problems<'a>(found: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<Problem> {
    // There may be many in one long text, whose lines are looked for once.
    let mut known: Vec<(*const str, Vec<usize>)> = Vec::new();
    let found = found.into_iter().map(|one| {
        let text = one.source().text();
        let nth = known.iter().position(|(of, _)| std::ptr::eq(*of, text));
        let nth = nth.unwrap_or_else(|| {
            known.push((text, starts(text)));
            known.len() - 1
        });
        Problem {
            file: one.source().name().to_owned(),
            at: range(text, &known[nth].1, &one.span()),
            severity: one.severity().as_str(),
            code: one.code().to_string(),
            text: one.said().clone(),
            help: one.said_help().cloned(),
            about: None,
        }
    });
    found.collect()
}

/// Where the lines of all texts begin.
pub struct Starts<'e> {
    editor: &'e Editor,
    files: Vec<Vec<usize>>,
}

impl<'e> Starts<'e> {
    /// Of the files of an editor.
    pub fn of(editor: &'e Editor) -> Self {
        let files = (0..editor.file_count()).map(|file| starts(editor.text(file)));
        Self {
            editor,
            files: files.collect(),
        }
    }

    /// File, line (from 1), column (from 0, in units of UTF-16), last line and the column behind the end.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn range(&self, file: usize, span: &Range<usize>) -> [usize; 5] {
        let [line, column, last, end] = range(self.editor.text(file), &self.files[file], span);
        [file, line, column, last, end]
    }

    /// A range, and whether it is the definition or writes.
    fn occurrence(&self, one: &Occurrence) -> (usize, usize, usize, usize, usize, &'static str) {
        let [file, line, column, last, end] = self.range(one.file, &one.span);
        let how = match one {
            _ if one.is_definition => "defined",
            _ if one.is_written => "written",
            _ => "used",
        };
        (file, line, column, last, end, how)
    }
}

#[cfg(test)]
mod tests;
