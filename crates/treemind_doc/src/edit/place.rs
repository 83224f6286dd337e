//! Nodes by where they stand.

use super::error::EditError;
use super::{Editor, File};
use crate::syntax::{Node, Span};
use std::ops::Range;

/// A byte of a text as it is now. It stands for the innermost node that has it in its line or block, or for the name
/// that stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    /// The file, by its number among those of the [`Editor`].
    pub file: usize,
    /// The byte.
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

/// Where a node is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Beside that node, in front of it.
    Before(At),
    /// Beside that node, behind it.
    After(At),
    /// Into the block of that node, in front of the child of that number; behind all of them if there are not so many.
    /// All nodes of the block count.
    Into(At, usize),
    /// To the top of that file, in front of the node of that number; to its end if there are not so many.
    Top(usize, usize),
}

/// A node as tools see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// Where it stands.
    pub at: At,
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
    /// The bytes of it all.
    pub span: Range<usize>,
    /// The bytes of its value.
    pub value: Range<usize>,
}

/// A node, and what it stands in.
#[derive(Clone, Debug)]
pub(super) struct LocatedNode<'e> {
    pub(super) file: usize,
    /// The nodes from the top of the file down to this one.
    pub(super) path: Vec<&'e Node>,
    /// It and those beside it.
    pub(super) siblings: &'e [Node],
    /// Its place among them.
    pub(super) index: usize,
}

impl<'e> LocatedNode<'e> {
    pub(super) fn node(&self) -> &'e Node {
        &self.siblings[self.index]
    }

    pub(super) fn parent(&self) -> Option<&'e Node> {
        self.path.len().checked_sub(2).map(|at| self.path[at])
    }

    /// The word of the node that it stands in, empty at the top.
    pub(super) fn parent_word(&self) -> &'e str {
        self.parent().map_or("", |node| node.name.value.as_str())
    }

    /// The definition that it stands in, or is.
    pub(super) fn definition(&self) -> &'e Node {
        self.path[0]
    }

    pub(super) fn word(&self) -> &'e str {
        &self.node().name.value
    }
}

/// A place among nodes: in front of the one of that number.
#[derive(Clone, Debug)]
pub(super) struct Among<'e> {
    pub(super) file: usize,
    /// The nodes that it is in, from the top of the file.
    pub(super) path: Vec<&'e Node>,
    pub(super) siblings: &'e [Node],
    pub(super) index: usize,
    /// Right behind the one before, whatever lies between that and the next.
    pub(super) is_behind: bool,
}

impl Editor {
    pub(super) fn file(&self, file: usize) -> Result<&File, EditError> {
        let found = self.files.get(file);
        let found = found.ok_or_else(|| EditError::new(format!("there is no file {file}")))?;
        if !found.whole {
            return Err(EditError::new(format!(
                "`{}` cannot be edited until a block, string or comment that is open in it is closed",
                found.source.name()
            ))
            .at(file, 0));
        }
        Ok(found)
    }

    /// The innermost node there.
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
            return Err(
                EditError::new(format!("no node stands in line {line} of `{name}` there"))
                    .at(at.file, at.offset),
            );
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

    /// The innermost node there, for tools that walk through a text.
    ///
    /// # Errors
    /// When there is none.
    pub fn node(&self, at: impl Into<At>) -> Result<NodeView, EditError> {
        let at = at.into();
        let found = self.find(at)?;
        Ok(view(at.file, found.node()))
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

fn view(file: usize, node: &Node) -> NodeView {
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
        word: node.name.value.clone(),
        span: node.extent(),
        line: node.span.clone(),
        entries: entries.collect(),
        children: children.collect(),
    }
}

/// The node that has that byte; one that ends there if no other begins there.
fn index_at(nodes: &[Node], offset: usize) -> Option<usize> {
    let behind = nodes.partition_point(|node| node.span.start <= offset);
    let index = behind.checked_sub(1)?;
    (offset <= nodes[index].extent().end).then_some(index)
}

/// Whether two spans have a byte in common.
pub(super) fn touches(one: &Span, other: &Span) -> bool {
    one.start < other.end && other.start < one.end
}
