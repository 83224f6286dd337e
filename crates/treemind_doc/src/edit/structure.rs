//! Inserting, removing and moving nodes.

use super::change::{Change, Splice};
use super::error::EditError;
use super::layout::replace_in;
use super::machines::is_state;
use super::place::{Among, At, LocatedNode, Spot};
use super::snippet::{Snippet, nodes_of};
use super::{Editor, called, titled};
use crate::language::{self, Children};
use crate::said;
use crate::syntax::gaps::indent;
use crate::syntax::is_newline;

impl Editor {
    /// Inserts nodes: `text` is KDL, one or several nodes with their comments. The nodes take the indentation and style
    /// of their new place: separate lines among lines, one line with `;` among nodes on one line, and a new block where
    /// there is none. If they need lines of their own, such as for a comment, a node on one line gets lines.
    ///
    /// # Errors
    /// When `text` is not KDL, when there is no such place, and when the node there takes no children.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, Spot};
    ///
    /// let text = "tree guard {\n    sequence {\n        action patrol // all day\n    }\n}\n";
    /// let editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let patrol = text.find("action").unwrap();
    /// let change = editor.insert(Spot::After(patrol.into()), "wait 0.5")?;
    /// assert_eq!(
    ///     change.apply_to(0, text)?,
    ///     "tree guard {\n    sequence {\n        action patrol // all day\n        wait 0.5\n    }\n}\n"
    /// );
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn insert(&self, spot: Spot, text: &str) -> Result<Change, EditError> {
        let among = self.among(spot)?;
        let nodes = nodes_of(text)?;
        if let Some(parent) = among.path.last() {
            for node in &nodes {
                takes(&parent.name.value, &node.name.value)?;
            }
        }
        let file = self.file(among.file)?;
        let snippet = Snippet::given(text, &file.unit())?;
        let what = nodes.first().map(titled).unwrap_or_default();
        let splice = self.put(&among, &snippet)?;
        Change::new(said!("insert {}", what), vec![splice])
    }

    /// The bytes that change where nodes are inserted.
    pub(super) fn put(&self, among: &Among<'_>, snippet: &Snippet) -> Result<Splice, EditError> {
        let file = self.file(among.file)?;
        let landing = file.landing(among);
        let new = snippet.landed(&landing, &file.unit(), file.line_end());
        if landing.is_inline() && new.contains(is_newline) {
            // What needs lines of its own does not fit between others on one line: the outermost node of that line gets lines.
            let text = file.text();
            let mut around = among.path.iter().map(|node| node.extent());
            if let Some(range) = around.find(|range| !text[range.clone()].contains(is_newline)) {
                let at = landing.range().start - range.start;
                let whole = &text[range.clone()];
                let whole =
                    Snippet::given(&[&whole[..at], &new, &whole[at..]].concat(), &file.unit())?;
                let new = whole.indented(indent(text, range.start), file.line_end());
                return self.splice(among.file, range, new);
            }
        }
        self.splice(among.file, landing.range(), new)
    }

    /// The same for nodes that stand apart: with an empty line between them and what is beside them.
    pub(super) fn put_apart(
        &self,
        among: &Among<'_>,
        snippet: &Snippet,
    ) -> Result<Splice, EditError> {
        let file = self.file(among.file)?;
        let mut splice = self.put(among, snippet)?;
        let gaps = file.gaps_around(&file.landing(among));
        gaps.put(&mut splice.new, file.line_end());
        Ok(splice)
    }

    /// Removes a node with its comments: those directly above it, those at the end of its line, and those inside it. If
    /// there are empty lines on both sides, one remains.
    ///
    /// # Errors
    /// When there is no such node, and when it is the root of a tree.
    pub fn remove(&self, at: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        if is_only_root(&found) {
            return Err(EditError::new(said!(
                "the root of a tree cannot be removed; a tree needs one node"
            ))
            .at(found.file, found.node().span.start));
        }
        let splice = self.taken_away(&found)?;
        Change::new(said!("remove {}", called(found.word())), vec![splice])
    }

    pub(super) fn taken_away(&self, found: &LocatedNode<'_>) -> Result<Splice, EditError> {
        let file = self.file(found.file)?;
        let (range, rest) = file.removal(found.parent(), found.siblings, found.index);
        self.splice(found.file, range, rest.to_owned())
    }

    /// Moves a node to another place, in the same file or another one. Its comments move with it, and its lines get the
    /// indentation of the new place; texts of several lines stay as they are. What stood apart by an empty line does so
    /// there. If the node is already in that place, nothing changes. Transitions that lead to a state lead there still: their paths follow it within its machine.
    ///
    /// # Errors
    /// When there is no such node or place, when the node is the root of a tree, and when the place is inside the node
    /// or takes no children.
    pub fn move_node(&self, at: impl Into<At>, to: Spot) -> Result<Change, EditError> {
        let at = at.into();
        let change = self.moved(at, to, Vec::new())?;
        let paths = match is_state(&self.find(at)?) {
            true => self.other_paths(at, &change)?,
            false => Vec::new(),
        };
        match paths.is_empty() {
            true => Ok(change),
            false => self.moved(at, to, paths),
        }
    }

    /// The same with what else is written differently, in the node or elsewhere; paths to states stay as they are.
    pub(super) fn moved(&self, at: At, to: Spot, others: Vec<Splice>) -> Result<Change, EditError> {
        let found = self.find(at)?;
        let among = self.among(to)?;
        let node = found.node();
        let label = said!("move {}", called(found.word()));
        if among.path.iter().any(|outer| std::ptr::eq(*outer, node)) {
            return Err(EditError::new(said!("a node cannot be moved into itself"))
                .at(found.file, node.span.start));
        }
        if std::ptr::eq(among.siblings, found.siblings)
            && (among.index == found.index || among.index == found.index + 1)
        {
            return Change::new(label, Vec::new());
        }
        if is_only_root(&found) && !std::ptr::eq(among.siblings, found.siblings) {
            return Err(EditError::new(said!(
                "the root of a tree cannot be moved away; a tree needs one node"
            ))
            .at(found.file, node.span.start));
        }
        if let Some(parent) = among.path.last() {
            takes(&parent.name.value, found.word())?;
        }
        let file = self.file(found.file)?;
        let slot = file.slot_of(&found);
        let mut text = slot.text(file.text());
        let extent = node.extent();
        let is_inside = |one: &Splice| {
            one.file == found.file && extent.start <= one.range.start && one.range.end <= extent.end
        };
        let (inside, mut splices): (Vec<_>, Vec<_>) = others.into_iter().partition(is_inside);
        let inside = inside
            .into_iter()
            .map(|Splice { range, new, .. }| (range, new));
        replace_in(&mut text, slot.lead, inside.collect());
        let snippet = Snippet::taken(&text, indent(file.text(), slot.start));
        splices.push(self.taken_away(&found)?);
        splices.push(match file.found_apart(&found) {
            true => self.put_apart(&among, &snippet)?,
            false => self.put(&among, &snippet)?,
        });
        Change::new(label, splices)
    }
}

/// Whether a node is the root of a tree, and the tree contains no other root.
pub(super) fn is_only_root(found: &LocatedNode<'_>) -> bool {
    let is_root = |word: &str| !language::is_item(word);
    found.path.len() == 2
        && found.parent_word() == "tree"
        && is_root(found.word())
        && found
            .siblings
            .iter()
            .filter(|node| is_root(&node.name.value))
            .count()
            == 1
}

/// Refuses a child that the block of a node certainly cannot hold.
fn takes(parent: &str, child: &str) -> Result<(), EditError> {
    let Some(word) = language::node_word(parent) else {
        return Ok(());
    };
    // Some definitions begin with the same words as the nodes that use them in trees.
    let may_be_definition = ["machine", "decide", "planner"].contains(&parent);
    use language::Spot;
    let others = [
        Spot::Given,
        Spot::Score,
        Spot::Found,
        Spot::Rule,
        Spot::Considered,
    ];
    let mut others = others.iter().filter(|spot| word.holds().contains(spot));
    let is_no_child = others.any(|spot| spot.has(child));
    let refused = word.children() == Children::None && !may_be_definition && !is_no_child;
    if refused {
        return Err(EditError::new(said!("`{}` takes no children", parent)));
    }
    Ok(())
}
