//! The parameters of what is being called: of a function of an expression, or of a leaf or definition on its line.

use crate::completion::call;
use crate::hover::title;
use treemind_doc::edit::{At, Cursor, CursorPart, Editor, Known, SymbolKind};
use treemind_doc::vocabulary::functions;

/// What is called at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// All of it: `clamp(x, low, high)`.
    pub label: String,
    /// The parameters as they are in it, in order.
    pub parameters: Vec<String>,
    /// The parameter that is being written, by its number from 0.
    pub active: Option<usize>,
    /// What it does.
    pub doc: String,
}

/// What is called at a byte; `None` where nothing is.
pub fn signature(editor: &Editor, at: impl Into<At>) -> Option<Signature> {
    let cursor = editor.cursor(at)?;
    of_function(editor, &cursor).or_else(|| of_node(editor, &cursor))
}

fn of_function(editor: &Editor, cursor: &Cursor) -> Option<Signature> {
    let text = editor.text(cursor.at.file);
    let before = text.get(cursor.content.start..cursor.at.offset);
    let (name, nth) = call(before.filter(|_| cursor.is_quoted)?)?;
    let function = functions().iter().find(|one| one.name() == name)?;
    let parameters = function.parameters();
    Some(Signature {
        label: format!("{name}({})", parameters.join(", ")),
        parameters: parameters.iter().map(|&one| one.to_owned()).collect(),
        active: (nth < parameters.len()).then_some(nth),
        doc: function.doc().to_owned(),
    })
}

fn of_node(editor: &Editor, cursor: &Cursor) -> Option<Signature> {
    let node = cursor.node.as_ref()?;
    let row = node.row.filter(|row| row.takes_parameters())?;
    let name = node.name()?;
    let kind = match row.name() {
        "subtree" => SymbolKind::Tree,
        "machine" => SymbolKind::Machine,
        "decide" => SymbolKind::Decision,
        "planner" => SymbolKind::Planner,
        _ => SymbolKind::Leaf,
    };
    let known = editor.known(cursor);
    let called = known
        .iter()
        .find(|one| one.kind == kind && one.name == name)?;
    let (label, parameters) = title(called, &known);
    let is_written = |written: &str| {
        let of_name = |one: &String| one.split(':').next() == Some(written);
        parameters.iter().position(of_name)
    };
    let active = match &cursor.part {
        CursorPart::Property(written) => is_written(written),
        _ => None,
    };
    let doc = |one: &Known| one.doc.clone().unwrap_or_default();
    (!parameters.is_empty()).then(|| Signature {
        label,
        active,
        doc: doc(called),
        parameters,
    })
}
