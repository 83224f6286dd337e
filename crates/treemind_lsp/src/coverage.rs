//! What tests reached, as marks of the texts.

use crate::places::{Encoding, Places};
use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Message, Range};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use treemind_doc::Document;
use treemind_doc::edit::Editor;
use treemind_test::Coverage;

/// How much tests reached of what stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) range: Range,
    pub(crate) reached: usize,
    /// More than one for a line with several ways.
    pub(crate) total: usize,
}

/// The marks of each file. What is used in several places is reached if it was so in one of them.
pub(crate) fn marks(
    document: &Document,
    coverage: &Coverage,
    encoding: Encoding,
) -> BTreeMap<String, Vec<Mark>> {
    let mut marks = BTreeMap::new();
    let Ok(editor) = Editor::new(document.clone()) else {
        return marks;
    };
    let mut found: BTreeMap<(usize, usize, usize), (usize, usize)> = BTreeMap::new();
    for outline in &coverage.outlines {
        let Ok(behaviour) = document.behaviour_of(&outline.subject) else {
            continue;
        };
        let places = editor.outline_places(&behaviour);
        for (line, place) in outline.lines.iter().zip(places) {
            let Some((file, span)) = place.filter(|_| line.total > 0) else {
                continue;
            };
            let known = found.entry((file, span.start, span.end)).or_default();
            *known = (known.0.max(line.reached), known.1.max(line.total));
        }
    }
    for file in 0..editor.file_count() {
        let places = Places::new(editor.text(file), encoding);
        let own = found.range((file, 0, 0)..(file + 1, 0, 0));
        let own = own.map(|((_, start, end), (reached, total))| Mark {
            range: places.range(*start..*end),
            reached: *reached,
            total: *total,
        });
        let own: Vec<Mark> = own.collect();
        if !own.is_empty() {
            marks.insert(editor.name(file).to_owned(), own);
        }
    }
    marks
}

impl Mark {
    /// For clients that show marks by themselves.
    pub(crate) fn told(&self) -> Value {
        json!({ "range": self.range, "reached": self.reached, "total": self.total })
    }

    /// For all others: a hint beside what was not reached.
    pub(crate) fn hint(&self) -> Option<Diagnostic> {
        let message = match self.reached {
            0 => "no test reaches this".to_owned(),
            reached if reached < self.total => {
                format!("tests reach {reached} of {} ways here", self.total)
            }
            _ => return None,
        };
        Some(Diagnostic {
            range: self.range,
            severity: Some(DiagnosticSeverity::Hint),
            source: Some("treemind coverage".to_owned()),
            message: Message::String(message),
            ..Diagnostic::default()
        })
    }
}
