//! Finding nodes by their position.

use super::error::EditError;
use super::{Editor, File};
use crate::said;
use crate::syntax::{Node, Span};
use std::ops::Range;

/// A byte of a current text. It refers to the innermost node whose line or block contains it, or to the name at that
/// byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    /// The file, by its number in the [`Editor`].
    pub file: usize,
    /// The offset of the byte.
    pub offset: usize,
}

impl From<usize> for At {
    /// A byte of the first file.
    fn from(offset: usize) -> Self {
        Self { file: 0, offset }
    }
}

impl From<(usize, usize)> for At {
    /// A file and a byte.
    fn from((file, offset): (usize, usize)) -> Self {
        Self { file, offset }
    }
}

/// Where to put a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spot {
    /// Next to that node, before it.
    Before(At),
    /// Next to that node, after it.
    After(At),
    /// Into the block of that node, before the child with that number; at the end if there are fewer children. All
    /// nodes of the block count.
    Into(At, usize),
    /// To the top level of that file, before the node with that number; at the end of the file if there are fewer
    /// nodes.
    Top(usize, usize),
}

/// A node as tools see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// Its position.
    pub at: At,
    /// Its id, which it keeps over every edit.
    pub id: u64,
    /// Its first word, without quotes.
    pub word: String,
    /// From its first word to its last entry or closing brace.
    pub span: Range<usize>,
    /// From its first word to its last entry.
    pub line: Range<usize>,
    /// Its values and properties, in order.
    pub entries: Vec<EntryView>,
    /// The nodes in its block.
    pub children: Vec<At>,
}

/// A value or property as tools see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryView {
    /// The name of a property.
    pub name: Option<String>,
    /// The bytes of the whole entry.
    pub span: Range<usize>,
    /// The bytes of its value.
    pub value: Range<usize>,
}

/// A node, with the nodes around it.
#[derive(Clone, Debug)]
pub(super) struct LocatedNode<'e> {
    pub(super) file: usize,
    /// The nodes from the top of the file down to this one.
    pub(super) path: Vec<&'e Node>,
    /// The node and its siblings.
    pub(super) siblings: &'e [Node],
    /// The index of the node among its siblings.
    pub(super) index: usize,
}

impl<'e> LocatedNode<'e> {
    pub(super) fn node(&self) -> &'e Node {
        &self.siblings[self.index]
    }

    /// The place before the sibling with this number; `is_behind` as in [`Among`].
    pub(super) fn among(&self, index: usize, is_behind: bool) -> Among<'e> {
        Among {
            file: self.file,
            path: self.path[..self.path.len() - 1].to_vec(),
            siblings: self.siblings,
            index,
            is_behind,
        }
    }

    pub(super) fn parent(&self) -> Option<&'e Node> {
        self.path.len().checked_sub(2).map(|at| self.path[at])
    }

    /// The word of its parent, empty at the top.
    pub(super) fn parent_word(&self) -> &'e str {
        self.parent().map_or("", |node| node.name.value.as_str())
    }

    /// The definition that contains the node, or the node itself.
    pub(super) fn definition(&self) -> &'e Node {
        self.path[0]
    }

    pub(super) fn word(&self) -> &'e str {
        &self.node().name.value
    }
}

/// A place among nodes: before the node at `index`.
#[derive(Clone, Debug)]
pub(super) struct Among<'e> {
    pub(super) file: usize,
    /// The nodes around the place, from the top of the file.
    pub(super) path: Vec<&'e Node>,
    pub(super) siblings: &'e [Node],
    pub(super) index: usize,
    /// Directly after the previous node, whatever is between that and the next one.
    pub(super) is_behind: bool,
}

impl Editor {
    pub(super) fn file(&self, file: usize) -> Result<&File, EditError> {
        let found = self.files.get(file);
        let found = found.ok_or_else(|| EditError::new(said!("there is no file {}", file)))?;
        if !found.whole {
            return Err(EditError::new(said!(
                "`{}` cannot be edited until its open block, string or comment is closed",
                found.source.name()
            ))
            .at(file, 0));
        }
        Ok(found)
    }

    /// The innermost node at a position.
    pub(super) fn find(&self, at: At) -> Result<LocatedNode<'_>, EditError> {
        let file = self.file(at.file)?;
        let mut found = None;
        let mut path: Vec<&Node> = Vec::new();
        let mut siblings = &file.nodes[..];
        while let Some(index) = index_at(siblings, at.offset) {
            found = Some((siblings, index));
            path.push(&siblings[index]);
            siblings = siblings[index].children();
        }
        let Some((siblings, index)) = found else {
            let (line, _) = file.source.line_column(at.offset);
            let name = file.source.name();
            return Err(EditError::new(said!(
                "there is no node at that place in line {} of `{}`",
                line,
                name
            ))
            .at(at.file, at.offset));
        };
        Ok(LocatedNode {
            file: at.file,
            path,
            siblings,
            index,
        })
    }

    pub(super) fn among(&self, spot: Spot) -> Result<Among<'_>, EditError> {
        Ok(match spot {
            Spot::Before(at) | Spot::After(at) => {
                let mut found = self.find(at)?;
                found.path.pop();
                Among {
                    file: at.file,
                    path: found.path,
                    siblings: found.siblings,
                    index: found.index + usize::from(matches!(spot, Spot::After(_))),
                    is_behind: matches!(spot, Spot::After(_)),
                }
            }
            Spot::Into(at, index) => {
                let found = self.find(at)?;
                let siblings = found.node().children();
                Among {
                    file: at.file,
                    path: found.path,
                    siblings,
                    index: index.min(siblings.len()),
                    is_behind: false,
                }
            }
            Spot::Top(file, index) => {
                let siblings = &self.file(file)?.nodes[..];
                Among {
                    file,
                    path: Vec::new(),
                    siblings,
                    index: index.min(siblings.len()),
                    is_behind: false,
                }
            }
        })
    }

    /// The innermost node at a position, for tools that walk through a text.
    ///
    /// # Errors
    /// When there is none.
    pub fn node(&self, at: impl Into<At>) -> Result<NodeView, EditError> {
        let at = at.into();
        let found = self.find(at)?;
        let node = found.node();
        let id = self.files[at.file].ids.at(node.span.start);
        Ok(view(at.file, node, id.unwrap_or(0)))
    }

    /// The nodes at the top of a file, in order; none when there is no such file.
    pub fn top(&self, file: usize) -> Vec<At> {
        let nodes = self.files.get(file).map_or(&[][..], |file| &file.nodes);
        let at = |node: &Node| At {
            file,
            offset: node.span.start,
        };
        nodes.iter().map(at).collect()
    }
}

fn view(file: usize, node: &Node, id: u64) -> NodeView {
    let entries = node.entries.iter().map(|entry| EntryView {
        name: entry.name.as_ref().map(|name| name.value.clone()),
        span: entry.span.clone(),
        value: entry.value_span.clone(),
    });
    let children = node.children().iter().map(|child| At {
        file,
        offset: child.span.start,
    });
    NodeView {
        at: At {
            file,
            offset: node.span.start,
        },
        id,
        word: node.name.value.clone(),
        span: node.extent(),
        line: node.span.clone(),
        entries: entries.collect(),
        children: children.collect(),
    }
}

/// The node that contains the byte. A node that ends there counts if no other begins there.
pub(super) fn index_at(nodes: &[Node], offset: usize) -> Option<usize> {
    let behind = nodes.partition_point(|node| node.span.start <= offset);
    let index = behind.checked_sub(1)?;
    (offset <= nodes[index].extent().end).then_some(index)
}

/// Whether two spans have a byte in common.
pub(super) fn touches(one: &Span, other: &Span) -> bool {
    one.start < other.end && other.start < one.end
}
