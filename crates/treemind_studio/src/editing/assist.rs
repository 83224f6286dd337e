//! What pages ask about a text that is being written.

use super::Editing;
use super::edits::gone;
use std::ops::Range;
use treemind_doc::Said;
use treemind_doc::edit::{At, CursorPart, Editor, NewValue, Utf16};
use treemind_doc::vocabulary::Takes;
use treemind_ide::CompletionKind;
use treemind_replay::view::protocol::{Caret, Completion, Completions, Hover};

/// Texts with what has been typed, and a place in them.
struct Written {
    editor: Editor,
    at: At,
    /// Of a field: where its value begins and ends in the text.
    field: Option<(usize, usize)>,
}

impl Editing {
    /// What could be written at a place, the likely things first.
    ///
    /// # Errors
    /// When the node there is gone, or what was typed does not fit into the text.
    pub fn complete(&self, nth: u64, caret: &Caret) -> Result<Completions, Said> {
        let written = self.written(caret)?;
        let files = self.files_beside();
        let found = treemind_ide::complete(&written.editor, written.at, &files);
        let items = found.items.into_iter().map(|one| Completion {
            label: one.label,
            kind: kind(one.kind).to_owned(),
            insert: one.insert,
            snippet: one.snippet,
            detail: one.detail,
            doc: one.doc,
        });
        Ok(Completions {
            nth,
            replaces: written.shown(found.replaces),
            items: items.collect(),
        })
    }

    /// What there is to know of the thing at a place, and what solves the problems there.
    ///
    /// # Errors
    /// When the node there is gone, or what was typed does not fit into the text.
    pub fn hover(&self, nth: u64, caret: &Caret) -> Result<Hover, Said> {
        let written = self.written(caret)?;
        let found = treemind_ide::hover(&written.editor, written.at);
        let fixes = treemind_ide::fixes(&written.editor, written.at);
        let offset = written.at.offset;
        let span = found
            .as_ref()
            .map_or(offset..offset, |found| found.span.clone());
        let (title, text) = found
            .map(|found| (found.title, found.text))
            .unwrap_or_default();
        Ok(Hover {
            nth,
            at: written.shown(span),
            title,
            text,
            fixes: fixes.into_iter().map(|fix| fix.label).collect(),
        })
    }

    /// The files that the document has, as it would import them.
    fn files_beside(&self) -> Vec<String> {
        let editor = self.editor();
        let folder = |name: &str| {
            name.rsplit_once('/')
                .map_or(0, |(folder, _)| folder.len() + 1)
        };
        let own = folder(editor.name(0));
        let names = (1..editor.file_count()).map(|file| editor.name(file));
        let beside = names.filter_map(|name| name.get(own..));
        beside.map(str::to_owned).collect()
    }

    /// The texts with what has been typed.
    fn written(&self, caret: &Caret) -> Result<Written, Said> {
        let mut editor = self.editor().clone();
        match caret {
            Caret::Text {
                file,
                line,
                column,
                typed,
            } => {
                if let Some(typed) = typed {
                    let places = Utf16::new(editor.text(*file));
                    let from = places.to_byte(typed.from);
                    let to = places.to_byte(typed.to).max(from);
                    let change = editor.replace(*file, from..to, &typed.text);
                    let change = change?;
                    editor.apply(&change)?;
                }
                let places = Utf16::new(editor.text(*file));
                let offset = places.at_line(line.saturating_sub(1), *column);
                let at = At {
                    file: *file,
                    offset,
                };
                Ok(Written {
                    editor,
                    at,
                    field: None,
                })
            }
            Caret::Field {
                id,
                name,
                value,
                at,
            } => in_field(editor, *id, name, (value, *at)),
        }
    }
}

/// Writes what a field says into the text, as it will be when the field is left.
fn in_field(
    mut editor: Editor,
    id: u64,
    name: &str,
    (value, at): (&str, usize),
) -> Result<Written, Said> {
    let node = editor.place_of(id).ok_or_else(gone)?;
    // A number or a word while it is typed would be written without quotes where it could become a longer text.
    let change = match name.parse::<usize>() {
        Ok(nth) => editor.set_value(node, nth, NewValue::typed(value)),
        Err(_) => editor.set(node, name, NewValue::Text(value.to_owned())),
    };
    let change = change?;
    editor.apply(&change)?;
    let node = editor.place_of(id).ok_or_else(gone)?;
    let view = editor.node(node)?;
    let mut entries = view.entries.iter();
    let entry = match name.parse::<usize>() {
        Ok(nth) => entries.filter(|entry| entry.name.is_none()).nth(nth),
        Err(_) => entries.find(|entry| entry.name.as_deref() == Some(name)),
    };
    let span = entry.ok_or_else(gone)?.value.clone();
    let span = quoted(&mut editor, node.file, span)?;
    let is_quoted = editor.text(node.file)[span.clone()].starts_with('"');
    let begin = span.start + usize::from(is_quoted);
    let end = span.end - usize::from(is_quoted);
    let text = &editor.text(node.file)[begin..end];
    let offset = begin + Utf16::new(text).to_byte(at);
    Ok(Written {
        at: At {
            file: node.file,
            offset,
        },
        field: Some((begin, end)),
        editor,
    })
}

/// Puts quotes around a value: a field shows none. A flag has none in the text either.
fn quoted(editor: &mut Editor, file: usize, span: Range<usize>) -> Result<Range<usize>, Said> {
    let value = &editor.text(file)[span.clone()];
    let takes = editor.cursor((file, span.end)).and_then(|cursor| {
        let row = cursor.node?.row?;
        match cursor.part {
            CursorPart::Property(name) => row.property(&name).map(|one| one.takes()),
            _ => row.value(),
        }
    });
    if value.starts_with(['"', '#']) || takes == Some(Takes::Flag) {
        return Ok(span);
    }
    let value = format!("\"{value}\"");
    let change = editor.replace(file, span.clone(), &value);
    let change = change?;
    editor.apply(&change)?;
    Ok(span.start..span.start + value.len())
}

impl Written {
    /// A range of the text as pages count it; in a field, from its beginning.
    fn shown(&self, range: Range<usize>) -> [usize; 4] {
        let text = self.editor.text(self.at.file);
        if let Some((begin, end)) = self.field {
            let value = &text[begin..end];
            let places = Utf16::new(value);
            let place = |at: usize| places.of_byte(at.clamp(begin, end) - begin);
            return [1, place(range.start), 1, place(range.end)];
        }
        let places = Utf16::new(text);
        let (line, column) = places.line_column(range.start);
        let (last, end) = places.line_column(range.end);
        [line + 1, column, last + 1, end]
    }
}

fn kind(of: CompletionKind) -> &'static str {
    match of {
        CompletionKind::Word => "word",
        CompletionKind::Property => "property",
        CompletionKind::Choice => "choice",
        CompletionKind::Key => "key",
        CompletionKind::Leaf => "leaf",
        CompletionKind::Event => "event",
        CompletionKind::Field => "field",
        CompletionKind::Definition => "definition",
        CompletionKind::EnumValue => "enum-value",
        CompletionKind::Function => "function",
        CompletionKind::File => "file",
        CompletionKind::Code => "code",
        _ => "name",
    }
}
