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
//! Such a tree is checked as a document is, by the same code: what it may say is what documents may say, expressions
//! and statements are texts in the same language, and what is wrong with it is said with the same words, about the node
//! where it is. [`Node::to_kdl`] writes it as a document.
//!
//! State machines are declared beside it, with the constructors of [`states`], and stand in trees as [`machine`].
//!
//! Every kind of node has a constructor of its name (`if_then` for `if`, `default_case` for `default`) and a method of
//! [`TreeBuilder`] of the same name; every option of nodes is a method of both. [`Node::new`] and
//! [`Node::option`] take any word.

mod builder;
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

/// What a loop without end is given for its number: `tree::repeat(tree::FOREVER, …)`.
pub const FOREVER: &str = "forever";

/// A node and what is below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// As it is written, from the first line to the last. Flat, so that nothing recurses, however deep it is.
    parts: Vec<Part>,
}

/// A step through a tree.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// A node begins.
    Open(Line),
    /// The node that began last, of those that have not, ends.
    Close,
}

/// What one node says of itself.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    word: String,
    values: Vec<Given>,
    options: Vec<(String, Given)>,
    params: Vec<(String, Given)>,
}

/// Something that a node is given: a value, or a text that may be a name, an expression or statements.
///
/// As in documents a parameter of a leaf is a literal, a key in braces (`"{health}"`), or an expression behind `=`; numbers
/// and tests of nodes are literals or expressions.
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

    /// Says an option, or says it anew.
    fn option(&mut self, name: &str, value: Given) {
        let known = self.options.iter_mut().find(|(known, _)| known == name);
        match known {
            Some((_, known)) => *known = value,
            None => self.options.push((name.to_owned(), value)),
        }
    }
}

impl Node {
    /// A node of the kind that documents call so.
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

    /// Gives it one more value, as it stands behind its word in documents.
    #[must_use]
    pub fn value(self, value: impl Into<Given>) -> Self {
        self.change(|line| line.values.push(value.into()))
    }

    /// Says an option by the name that it has in documents; what was said before of the same name is forgotten.
    #[must_use]
    pub fn option(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(|line| line.option(name, value.into()))
    }

    /// Gives its leaf, or the tree that it holds, a parameter.
    #[must_use]
    pub fn param(self, name: &str, value: impl Into<Given>) -> Self {
        self.change(|line| line.params.push((name.to_owned(), value.into())))
    }

    /// Puts a node behind those that are in it.
    #[must_use]
    pub fn child(mut self, child: Node) -> Self {
        self.parts.pop();
        self.parts.extend(child.parts);
        self.parts.push(Part::Close);
        self
    }

    /// Puts nodes behind those that are in it.
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
