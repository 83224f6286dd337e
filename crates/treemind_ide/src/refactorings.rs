//! Changes of nodes that keep what a document does, or nearly: wrap, unwrap, extract, inline.

use treemind_doc::Said;
use treemind_doc::edit::{At, Change, Editor, SymbolKind};
use treemind_doc::said;
use treemind_doc::vocabulary::{Circle, Place};

/// How a change alters a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefactoringKind {
    /// A part becomes something of its own.
    Extract,
    /// Something of its own becomes a part.
    Inline,
    /// It is written differently.
    Rewrite,
}

/// A change that can be made at a place.
#[derive(Clone, Debug)]
pub struct Refactoring {
    /// What it does, for menus.
    pub label: Said,
    /// How it alters the text.
    pub kind: RefactoringKind,
    /// The change.
    pub change: Change,
}

/// How many words to wrap a node in are offered.
const MOST_WRAPS: usize = 8;

/// The changes that can be made of the node at a byte.
pub fn refactorings(editor: &Editor, at: impl Into<At>) -> Vec<Refactoring> {
    let at = at.into();
    let mut all = Vec::new();
    if let Some(at) = on_line(editor, at) {
        let mut push = |kind, label: Option<Said>, change: Result<Change, _>| {
            if let Some(change) = Result::<Change, treemind_doc::edit::EditError>::ok(change)
                && !change.is_empty()
            {
                let label = label.unwrap_or_else(|| change.label().clone());
                all.push(Refactoring {
                    label,
                    kind,
                    change,
                });
            }
        };
        push(
            RefactoringKind::Inline,
            Some(said!("inline this tree")),
            editor.inline(at, false),
        );
        push(
            RefactoringKind::Inline,
            Some(said!(
                "inline this tree, and remove it if nothing else uses it"
            )),
            editor.inline(at, true),
        );
        push(
            RefactoringKind::Extract,
            Some(said!("extract as a tree")),
            editor.extract(at, &free_name(editor, at)),
        );
        push(
            RefactoringKind::Rewrite,
            Some(said!("unwrap: leave only what is in it")),
            editor.unwrap(at),
        );
        for head in wraps(editor, at) {
            push(RefactoringKind::Rewrite, None, editor.wrap(at, head));
        }
    }
    all
}

/// The beginning of the node on whose line a byte is: in its block, one means what is there.
fn on_line(editor: &Editor, at: At) -> Option<At> {
    let node = editor.node(at).ok()?;
    let is_on_line = node.line.start <= at.offset && at.offset <= node.line.end;
    is_on_line.then_some(node.at)
}

/// What a node can be wrapped in without more: words that need no value, the usual ones.
fn wraps(editor: &Editor, at: At) -> Vec<&'static str> {
    let mut heads: Vec<&'static str> = Vec::new();
    for fit in editor.fits_around(at).unwrap_or_default() {
        let Some(row) = Place::TREE.word(fit.word) else {
            continue;
        };
        let is_usual = row.circle() != Circle::Seldom && row.value().is_none();
        if is_usual && !heads.contains(&fit.word) && heads.len() < MOST_WRAPS {
            heads.push(fit.word);
        }
    }
    heads
}

/// A name for a new tree, from what is in it.
fn free_name(editor: &Editor, at: At) -> String {
    let nodes = editor.read_nodes(at.file);
    let node = nodes.iter().find(|one| one.line.start == at.offset);
    let own = node.and_then(|one| one.node.property("name"));
    let base = own.filter(|name| !name.is_empty()).unwrap_or("part");
    let symbols = editor.symbols();
    let is_taken = |name: &str| {
        let is_it = |kind, known: &str| kind == SymbolKind::Tree && known == name;
        symbols.iter().any(|one| is_it(one.kind, &one.name))
    };
    if !is_taken(base) {
        return base.to_owned();
    }
    let mut names = (2..).map(|number| format!("{base}-{number}"));
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
