//! What a removal would leave behind.

use super::error::EditError;
use super::meanings::declared;
use super::place::{At, LocatedNode, touches};
use super::wrap::is_child;
use super::{Editor, called};
use crate::language::{self, Children};
use crate::symbols::{SymbolKind, Use};
use crate::{Said, said};

/// Something that a removal would leave behind: a definition that nothing uses any more, or a name without a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftBehind {
    said: Said,
    at: At,
}

impl LeftBehind {
    /// What is left behind, as one sentence without a full stop.
    pub fn message(&self) -> &Said {
        &self.said
    }

    /// Where it is now.
    pub fn place(&self) -> At {
        self.at
    }
}

impl Editor {
    /// What would be left behind if a node were removed: definitions outside of it that nothing else uses, keys that
    /// nothing else reads, names outside of it that it defines, and a parent without children. It says nothing about
    /// definitions that are not used today either.
    ///
    /// # Errors
    /// When there is no such node.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "main tree=t\ntree t { sequence { subtree u; run; }; }\ntree u { run; }\n";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let left = editor.left_behind(text.find("subtree").unwrap())?;
    /// assert_eq!(left[0].message(), "nothing uses the tree `u` any more");
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn left_behind(&self, at: impl Into<At>) -> Result<Vec<LeftBehind>, EditError> {
        let found = self.find(at.into())?;
        let own = found.node().extent();
        let names = self.names();
        let is_inside = |one: &Use| one.file == found.file && touches(&own, &one.token);
        let mut left = Vec::new();
        for (id, symbol) in names.symbols.iter().enumerate() {
            let Some((file, offset)) = declared(names, id) else {
                continue;
            };
            let is_own = file == found.file && own.contains(&offset);
            let (inside, outside): (Vec<&Use>, Vec<&Use>) = names
                .uses
                .iter()
                .filter(|one| one.symbols.contains(&id) && !one.role.declares)
                .partition(|one| is_inside(one));
            let name = called(&symbol.name);
            if is_own {
                let named = outside.iter().filter(|one| !one.role.is_pattern);
                left.extend(named.map(|one| LeftBehind {
                    said: said!("the {} `{}` is still named here", symbol.what(), &name),
                    at: At::from((one.file, one.span.start)),
                }));
                continue;
            }
            let is_key = matches!(
                symbol.kind,
                SymbolKind::Key | SymbolKind::Port | SymbolKind::Item
            );
            let counts = |one: &&Use| !is_key || one.role.reads;
            let (tested, played): (Vec<&Use>, Vec<&Use>) = outside
                .into_iter()
                .filter(counts)
                .partition(|one| self.is_in_test(one));
            if !inside.iter().any(counts) || !played.is_empty() {
                continue;
            }
            let (said, at) = match (is_key, tested.first()) {
                (true, None) => (
                    said!("nothing reads the {} `{}` any more", symbol.what(), name),
                    At { file, offset },
                ),
                (false, None) => (
                    said!("nothing uses the {} `{}` any more", symbol.what(), name),
                    At { file, offset },
                ),
                (_, Some(test)) => (
                    said!("only tests still name the {} `{}`", symbol.what(), name),
                    At::from((test.file, test.span.start)),
                ),
            };
            left.push(LeftBehind { said, at });
        }
        left.extend(childless(&found));
        left.sort_by_key(|one| one.at);
        Ok(left)
    }
}

/// A parent that needs a child, if this is its last one.
fn childless(found: &LocatedNode<'_>) -> Option<LeftBehind> {
    let parent = found.parent()?;
    let row = language::node_word(&parent.name.value)?;
    let is_last = found.siblings.iter().filter(|one| is_child(one)).count() == 1;
    let needs = row.children() != Children::None && is_child(found.node()) && is_last;
    needs.then(|| LeftBehind {
        said: said!("`{}` has no child any more", called(&parent.name.value)),
        at: At::from((found.file, parent.span.start)),
    })
}
