//! The leaves in the manifest: adding one, and giving one another kind.

use super::change::{Change, Splice};
use super::error::EditError;
use super::kinds::leaf_words;
use super::place::{Among, LocatedNode};
use super::snippet::{Snippet, nodes_of};
use super::{Editor, called};
use crate::edit::rename::may_name;
use crate::language::Spot;
use crate::symbols::{Home, SymbolKind};
use crate::syntax::{Entry, Node, write};
use crate::{Said, said};

impl Editor {
    /// Adds a leaf to the manifest by its kind and name, as [`add_leaf`](Self::add_leaf) does; without a `doc` if that is
    /// empty. Candidates, and what a measure is about, need a type: it is `vec2` at first.
    ///
    /// # Errors
    /// When there is no such kind, or when a leaf has that name already.
    pub fn add_leaf_of(&self, kind: &str, name: &str, doc: &str) -> Result<Change, EditError> {
        let mut line = String::new();
        write::word(kind, &mut line);
        line.push(' ');
        write::word(name, &mut line);
        if kind == "candidates" {
            line.push_str(" type=vec2");
        }
        if !doc.is_empty() {
            line.push_str(" doc=");
            write::quoted(doc, &mut line);
        }
        if kind == "measure" {
            line.push_str(" { param of type=vec2; }");
        }
        self.add_leaf(&line)
    }

    /// Adds a leaf to the manifest: `text` is its line in `leaves`, such as
    /// `action attack { param range type=float default=2.0; }`. The line is added to the end of the last `leaves` block
    /// of the first file that has one. If there is no such block, one is created in the first file, before its trees.
    ///
    /// # Errors
    /// When `text` is not a leaf, or when a leaf has that name already.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "tree guard { action patrol; }\n";
    /// let editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let change = editor.add_leaf("action patrol")?;
    /// assert_eq!(
    ///     change.apply_to(0, text)?,
    ///     "leaves {\n    action patrol\n}\n\ntree guard { action patrol; }\n"
    /// );
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn add_leaf(&self, text: &str) -> Result<Change, EditError> {
        let nodes = nodes_of(text)?;
        let [leaf] = &nodes[..] else {
            return Err(EditError::new(said!(
                "only one leaf can be added at a time"
            )));
        };
        if !Spot::Leaves.has(&leaf.name.value) {
            return Err(EditError::new(said!(
                "unknown kind of leaf `{}`; the kinds are {}",
                called(&leaf.name.value),
                Spot::Leaves.list().join(", ")
            )));
        }
        let Some(name) = leaf.first_text() else {
            return Err(EditError::new(said!("this leaf has no name")));
        };
        may_name(SymbolKind::Leaf, &name.value)?;
        let names = self.names();
        if let Some(other) = names
            .symbols
            .find(SymbolKind::Leaf, Home::Everywhere, &name.value)
        {
            let error = EditError::new(said!("another leaf is named `{}`", called(&name.value)));
            return Err(match names.symbols[other].declared.first() {
                Some((file, offset)) => error.at(*file, *offset),
                None => error,
            });
        }
        let label = said!("add {} {}", called(&leaf.name.value), called(&name.value));
        for number in 0..self.files.len() {
            let nodes = &self.files[number].nodes;
            let last = nodes.iter().rfind(|node| node.name.value == "leaves");
            let Some(leaves) = last else {
                continue;
            };
            let file = self.file(number)?;
            let among = Among {
                file: number,
                path: vec![leaves],
                siblings: leaves.children(),
                index: leaves.children().len(),
                is_behind: false,
            };
            let splice = self.put(&among, &Snippet::given(text, &file.unit())?)?;
            return Change::new(label, vec![splice]);
        }
        let file = self.file(0)?;
        let trees = ["tree", "machine", "decide", "planner", "archetype"];
        let is_tree = |node: &crate::syntax::Node| trees.contains(&node.name.value.as_str());
        let index = file.nodes.iter().position(is_tree);
        let among = Among {
            file: 0,
            path: Vec::new(),
            siblings: &file.nodes,
            index: index.unwrap_or(file.nodes.len()),
            is_behind: false,
        };
        let block = format!("leaves {{\n{}\n}}", text.trim());
        let mut splice = self.put(&among, &Snippet::given(&block, &file.unit())?)?;
        if index.is_some() && splice.new.ends_with('\n') {
            splice.new.push_str(file.line_end());
        }
        Change::new(label, vec![splice])
    }

    /// Gives a leaf another kind, and the nodes that run it the word for that.
    pub(super) fn change_leaf_kind(
        &self,
        leaf: &LocatedNode<'_>,
        kind: &str,
    ) -> Result<Change, EditError> {
        let node = leaf.node();
        let refuse = |why: Said| EditError::new(why).at(leaf.file, node.span.start);
        let Some(row) = Spot::Leaves.word(kind) else {
            return Err(refuse(said!(
                "unknown kind of leaf `{}`; the kinds are {}",
                called(kind),
                Spot::Leaves.list().join(", ")
            )));
        };
        let has = |child: &&Node| row.holds().iter().any(|spot| spot.has(&child.name.value));
        if let Some(child) = node.children().iter().find(|child| !has(child)) {
            return Err(refuse(said!(
                "`{}` has no `{}` in its block",
                kind,
                called(&child.name.value)
            )));
        }
        let mut splices = vec![self.splice(leaf.file, node.name.span.clone(), kind.to_owned())?];
        let is_lost = |entry: &&Entry| {
            let name = entry.name.as_ref();
            name.is_some_and(|name| row.shape(&name.value).is_none())
        };
        let lost: Vec<&Entry> = node.entries.iter().filter(is_lost).collect();
        let (gone, mut notes) = self.without_entries(leaf, kind, &lost, &[])?;
        splices.extend(gone);
        if let Some(name) = node.first_text() {
            splices.extend(self.other_words(&name.value, kind, &mut notes)?);
        }
        let label = said!("change {} to {}", called(leaf.word()), called(kind));
        Ok(Change::new(label, splices)?.noting(notes))
    }

    /// The words of the nodes that run a leaf, as they have to be when it is of another kind.
    fn other_words(
        &self,
        name: &str,
        kind: &str,
        notes: &mut Vec<Said>,
    ) -> Result<Vec<Splice>, EditError> {
        let names = self.names();
        let Some(symbol) = names.symbols.find(SymbolKind::Leaf, Home::Everywhere, name) else {
            return Ok(Vec::new());
        };
        let mut splices = Vec::new();
        for one in names.uses_of(symbol).filter(|one| !one.role.declares) {
            let user = self.find((one.file, one.span.start).into())?;
            let word = user.word();
            let runs = leaf_words(word);
            // Scripts and tests name leaves of all kinds.
            let is_test = user
                .path
                .first()
                .is_some_and(|top| top.name.value == "test");
            if runs.is_some_and(|kinds| kinds.contains(&kind)) || runs.is_none() && is_test {
                continue;
            }
            let is_run_alike = leaf_words(kind).is_some_and(|kinds| kinds.contains(&kind));
            if runs.is_none() || word == "test-condition" || !is_run_alike {
                let error = said!(
                    "`{}` uses it, and no `{}` can stand there",
                    called(word),
                    kind
                );
                return Err(EditError::new(error).at(one.file, one.span.start));
            }
            let change = self.change_kind_of_task(&user, kind)?;
            splices.extend(change.splices().iter().cloned());
            notes.extend(change.notes().iter().cloned());
        }
        Ok(splices)
    }
}

/// Whether a node is a leaf in `leaves`.
pub(super) fn is_leaf(found: &LocatedNode<'_>) -> bool {
    let around = found.parent().map(|parent| parent.name.value.as_str());
    around == Some("leaves") && found.path.len() == 2
}
