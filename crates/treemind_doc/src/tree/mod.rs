//! Trees written in code: nested constructors, and a chained builder.
//!
//! ```
//! use treemind_doc::tree::{self, Declarations};
//!
//! let declared = Declarations::new()
//!     .condition("see-enemy")
//!     .action("attack", [("range", 2.0_f32)])
//!     .action("patrol", tree::NO_PARAMS)
//!     .key("health", 100.0_f32);
//! let guard = tree::reactive_selector([
//!     tree::reactive_sequence([
//!         tree::condition("see-enemy"),
//!         tree::action("attack").param("range", 2.5).when("health > 20"),
//!     ])
//!     .name("fight"),
//!     tree::action("patrol"),
//! ]);
//! let behaviour = guard.behaviour("guard", &declared)?;
//! assert_eq!(behaviour.nodes().len(), 5);
//! # Ok::<(), treemind_doc::tree::TreeError>(())
//! ```
//!
//! Such a tree is checked like a document, by the same code: it may contain whatever documents may contain,
//! expressions and statements are texts in the same language, and problems are reported with the same words, about
//! the node where they are. [`Node::to_kdl`] writes it as a document.
//!
//! State machines are declared beside it, with the constructors of [`states`], and used in trees as [`machine`].
//! Decision trees are declared with those of [`decisions`], and used in trees as [`decide`].
//!
//! Every kind of node has a constructor with its name (`if_then` for `if`, `default_case` for `default`) and a
//! method of [`TreeBuilder`] with the same name; every option of nodes is a method of both. [`Node::new`] and
//! [`Node::option`] take any word.

mod builder;
pub mod decisions;
mod declare;
mod error;
#[cfg(test)]
mod generated;
mod macros;
pub mod states;
mod words;
mod write;

pub use builder::TreeBuilder;
pub use declare::{Declarations, NO_PARAMS};
pub use error::{TreeError, TreeProblem};
pub use words::*;

use treemind_core::Value;

/// The number of a loop without end: `tree::repeat(tree::FOREVER, …)`.
pub const FOREVER: &str = "forever";

/// A node and the nodes below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its parts in the order of the text. The list is flat, so nothing recurses, however deep the tree is.
    parts: Vec<Part>,
}

/// A step through a tree.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// A node begins.
    Open(Line),
    /// The node that was opened last and is still open ends.
    Close,
}

/// The line of one node.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    word: String,
    values: Vec<Given>,
    options: Vec<(String, Given)>,
    params: Vec<(String, Given)>,
}

/// An argument of a node: a value, or a text that may be a name, an expression or statements.
///
/// As in documents, a parameter of a leaf is a literal, a key in braces (`"{health}"`), or an expression after `=`;
/// numbers and tests of nodes are literals or expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct Given(Written);

#[derive(Clone, Debug, PartialEq)]
enum Written {
    Value(Value),
    Text(String),
}

impl From<&str> for Given {
    fn from(text: &str) -> Self {
        Given(Written::Text(text.to_owned()))
    }
}

impl From<String> for Given {
    fn from(text: String) -> Self {
        Given(Written::Text(text))
    }
}

macro_rules! given {
    ($($rust:ty: $variant:ident;)*) => {$(
        impl From<$rust> for Given {
            fn from(value: $rust) -> Self {
                Given(Written::Value(Value::$variant(value.into())))
            }
        }
    )*};
}

given! {
    bool: Bool;
    i32: Int;
    u32: Int;
    i64: Int;
    u64: Entity;
    f32: Float;
    f64: Double;
    [f32; 2]: Vec2;
    [f32; 3]: Vec3;
}

impl Line {
    fn new(word: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            values: Vec::new(),
            options: Vec::new(),
            params: Vec::new(),
        }
    }

    /// Sets an option, or replaces it.
    fn option(&mut self, name: &str, value: Given) {
        let known = self.options.iter_mut().find(|(known, _)| known == name);
        match known {
            Some((_, known)) => *known = value,
            None => self.options.push((name.to_owned(), value)),
        }
    }
}

impl Node {
    /// A node of a kind, given as the word in documents.
    pub fn new(word: impl Into<String>) -> Self {
        Self {
            parts: vec![Part::Open(Line::new(word)), Part::Close],
        }
    }

    fn line(&mut self) -> Option<&mut Line> {
        match self.parts.first_mut() {
            Some(Part::Open(line)) => Some(line),
            _ => None,
        }
    }

    fn change(mut self, change: impl FnOnce(&mut Line)) -> Self {
        if let Some(line) = self.line() {
            change(line);
        }
        self
    }

    /// The same with a name as its first value.
    fn named(self, name: &str) -> Self {
        self.change(|line| line.values.insert(0, name.into()))
    }

    /// Adds one more value, as it follows the node's word in documents.
    #[must_use]
    pub fn value(self, value: impl Into<Given>) -> Self {
        self.change(|line| line.values.push(value.into()))
    }

    /// Sets an option by its name in documents; replaces an earlier value of the same option.
    #[must_use]
    pub fn option(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(|line| line.option(name, value.into()))
    }

    /// Sets a parameter of its leaf, or of the tree that it contains.
    #[must_use]
    pub fn param(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(|line| line.params.push((name.to_owned(), value.into())))
    }

    /// Adds a node after its other children.
    #[must_use]
    pub fn child(mut self, child: Node) -> Self {
        self.parts.pop();
        self.parts.extend(child.parts);
        self.parts.push(Part::Close);
        self
    }

    /// Adds nodes after its other children.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Node>) -> Self {
        self.parts.pop();
        for child in children {
            self.parts.extend(child.parts);
        }
        self.parts.push(Part::Close);
        self
    }
}
