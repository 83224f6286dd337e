//! What may stand at a place, the likely words first.

use super::Editor;
use super::error::EditError;
use super::kinds::leaf_words;
use super::place::{Among, At, Spot};
use super::room::Room;
use super::wrap::is_task;
use crate::language::{self, Children, Named, Shape, Spot as Place, Word};
use crate::symbols::{Home, SymbolKind};
use crate::syntax::{Node, write};
use crate::{Said, said};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A word that may stand at a place, perhaps with the name of something that the document has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The word.
    pub word: &'static str,
    /// What it names: a leaf, a tree, an event, a branch.
    pub name: Option<String>,
    /// A line of KDL to begin with: `action go`.
    pub text: String,
    /// What it is for: the documentation of what it names, or of the word.
    pub doc: String,
    /// How often the document has it already.
    pub uses: usize,
}

/// How often words occur, with the names after them: anywhere, and under each word.
struct Usage<'e> {
    all: HashMap<(&'e str, &'e str), usize>,
    under: HashMap<(&'e str, &'e str, &'e str), usize>,
}

impl Editor {
    /// What may stand at a place: words, and words with the leaves, trees, machines, decision trees, events and branches
    /// that the document has. What the document uses often comes first, above all under the same parent; then what is
    /// needed on the first day. What could not stand there is left out, as [`may_insert`](Self::may_insert) judges.
    ///
    /// # Errors
    /// When there is no such place.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, Spot};
    ///
    /// let text = "leaves { action go doc=\"Walks there.\"; }\ntree t { sequence { action go; }; }";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let fits = editor.fits(Spot::Into(text.find("sequence").unwrap().into(), 1))?;
    /// assert_eq!((fits[0].text.as_str(), fits[0].doc.as_str()), ("action go", "Walks there."));
    /// assert!(fits.iter().any(|fit| fit.word == "selector"));
    /// assert!(!fits.iter().any(|fit| fit.word == "state"));
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn fits(&self, spot: Spot) -> Result<Vec<Fit>, EditError> {
        let among = self.among(spot)?;
        let room = self.room(&among, None);
        let mut rows: Vec<(Place, &'static Word)> = Vec::new();
        for spot in room.spots.iter().filter(|spot| **spot != Place::Imported) {
            for row in spot.by_circle() {
                let is_known = rows.iter().any(|(_, known)| known.name == row.name);
                if !is_known && room.why_not(row.name, false).is_none() {
                    rows.push((*spot, row));
                }
            }
        }
        Ok(self.ranked(&room, &among, rows))
    }

    /// Why nothing more may stand at a place where [`fits`](Self::fits) lists nothing: what is around it takes no further child.
    ///
    /// # Errors
    /// When there is no such place.
    pub fn why_nothing_fits(&self, spot: Spot) -> Result<Option<Said>, EditError> {
        let among = self.among(spot)?;
        Ok(self.room(&among, None).why_nothing())
    }

    /// The words that may be put around a node, as [`wrap`](Self::wrap) does.
    ///
    /// # Errors
    /// When there is no such node, and when it is not a task.
    pub fn fits_around(&self, at: impl Into<At>) -> Result<Vec<Fit>, EditError> {
        let found = self.find(at.into())?;
        if !is_task(&found) {
            return Err(EditError::new(said!(
                "`{}` is not a task, and only tasks can be wrapped",
                super::called(found.word())
            ))
            .at(found.file, found.node().span.start));
        }
        let among = found.among(found.index, false);
        let room = self.room(&among, Some(found.node()));
        let holds = |row: &&Word| !matches!(row.children(), Children::None | Children::Cases);
        let rows = Place::Task.by_circle().into_iter().filter(holds);
        let rows = rows.filter(|row| room.why_not(row.name, false).is_none());
        let rows = rows.map(|row| (Place::Task, row)).collect();
        Ok(self.ranked(&room, &among, rows))
    }

    fn ranked(
        &self,
        room: &Room<'_>,
        among: &Among<'_>,
        rows: Vec<(Place, &'static Word)>,
    ) -> Vec<Fit> {
        let usage = self.usage();
        let mut fits = Vec::new();
        for (order, (_, row)) in rows.into_iter().enumerate() {
            let mut names = self.named_by(row, among);
            names.retain(|(name, _)| self.why_not_named(room, row.name, Some(name)).is_none());
            let plain = std::iter::once((None, row.doc.to_owned()));
            let named = names.into_iter().map(|(name, doc)| {
                let doc = doc.unwrap_or_else(|| row.doc.to_owned());
                (Some(name), doc)
            });
            for (name, doc) in named.chain(plain) {
                let key = name.as_deref().unwrap_or("");
                let uses = match name {
                    // Of a word that names something, the names are counted.
                    None if is_named(row) => 0,
                    _ => usage.all.get(&(row.name, key)).copied().unwrap_or(0),
                };
                let under = usage.under.get(&(room.parent_word(), row.name, key));
                let under = under.copied().unwrap_or(0).min(uses);
                let mut text = row.name.to_owned();
                if let Some(name) = &name {
                    text.push(' ');
                    write::word(name, &mut text);
                }
                let fit = Fit {
                    word: row.name,
                    name,
                    text,
                    doc,
                    uses,
                };
                fits.push((
                    (Reverse(uses + 2 * under), row.learned.circle(), order),
                    fit,
                ));
            }
        }
        fits.sort_by_key(|(rank, _)| *rank);
        fits.into_iter().map(|(_, fit)| fit).collect()
    }

    /// What the document has that a word may name, with its documentation.
    fn named_by(&self, row: &Word, among: &Among<'_>) -> Vec<(String, Option<String>)> {
        let Some(named) = named(row) else {
            return Vec::new();
        };
        let (kind, words): (SymbolKind, &[&str]) = match named {
            Named::Leaf => (
                SymbolKind::Leaf,
                leaf_words(row.name).unwrap_or(&["composite", "decorator"]),
            ),
            Named::Event => (SymbolKind::Leaf, &["event"]),
            Named::Tree => (SymbolKind::Tree, &["tree"]),
            Named::Machine => (SymbolKind::Machine, &["machine"]),
            Named::Decision => (SymbolKind::Decision, &["decide"]),
            Named::Planner => (SymbolKind::Planner, &["planner"]),
            Named::Branch => (SymbolKind::Branch, &["branch"]),
            Named::Label => (SymbolKind::Label, &[]),
            _ => return Vec::new(),
        };
        let names = self.names();
        let own = among.path.first().map(|node| (among.file, node.extent()));
        let mut found = Vec::new();
        for symbol in names.symbols.iter().filter(|symbol| symbol.kind == kind) {
            let Some((file, offset)) = symbol.declared.first().copied() else {
                continue;
            };
            let is_here = own
                .as_ref()
                .is_some_and(|(of, own)| *of == file && own.contains(&offset));
            if symbol.home != Home::Everywhere && !is_here {
                continue;
            }
            let node = self
                .find(At { file, offset })
                .ok()
                .map(|found| found.node());
            let fits = |node: &Node| words.is_empty() || words.contains(&node.name.value.as_str());
            if node.is_some_and(fits) {
                let doc = node.and_then(|node| node.property_text("doc"));
                found.push((symbol.name.clone(), doc.map(|doc| doc.value.clone())));
            }
        }
        found
    }

    fn usage(&self) -> Usage<'_> {
        let mut usage = Usage {
            all: HashMap::new(),
            under: HashMap::new(),
        };
        for file in &self.files {
            let mut pending: Vec<(&str, &Node)> =
                file.nodes.iter().map(|node| ("", node)).collect();
            while let Some((parent, node)) = pending.pop() {
                let word = node.name.value.as_str();
                let name = node.first_text().map_or("", |name| name.value.as_str());
                for name in [name, ""]
                    .into_iter()
                    .take(1 + usize::from(!name.is_empty()))
                {
                    *usage.all.entry((word, name)).or_default() += 1;
                    *usage.under.entry((parent, word, name)).or_default() += 1;
                }
                pending.extend(node.children().iter().map(|child| (word, child)));
            }
        }
        usage
    }
}

/// What the value of a word names, if the document may have several of that.
fn named(row: &Word) -> Option<Named> {
    match row.value.map(language::AnyProperty::shape)? {
        Shape::Names(named) | Shape::AllNames(named) => Some(named),
        _ => None,
    }
}

fn is_named(row: &Word) -> bool {
    named(row).is_some()
}
