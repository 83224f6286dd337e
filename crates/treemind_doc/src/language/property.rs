//! What stands on the line of a node beside its word: values and properties, each with a type.

use super::read::{Read, Show};
use treemind_core::Type;

/// A property, or the value without a name; `F` says how it is read and shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property<F> {
    /// Empty for the value without a name.
    pub(crate) name: &'static str,
    pub(crate) form: F,
    /// What it is for, as the page of the node says it.
    doc: &'static str,
    /// What is so without it, where its form does not say that.
    default: Option<&'static str>,
    /// Only readers of other systems make it: it is offered nowhere, and refused in documents of ours.
    imported_only: bool,
}

impl<F: Copy> Property<F> {
    pub(crate) const fn new(name: &'static str, form: F, doc: &'static str) -> Self {
        Self {
            name,
            form,
            doc,
            default: None,
            imported_only: false,
        }
    }

    /// The value without a name.
    pub(crate) const fn value(form: F) -> Self {
        Self::new("", form, "")
    }

    /// Says what is so without it.
    pub(crate) const fn without(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Only readers of other systems make it.
    pub(crate) const fn imported_only(mut self) -> Self {
        self.imported_only = true;
        self
    }
}

impl<F: Form> Property<F> {
    /// Reads it off a line; `None` when there is a mistake, which is reported.
    pub(crate) fn read<'n>(&self, from: &mut (dyn Read<'n> + '_)) -> Option<F::Value> {
        self.form.read(self.name, from)
    }

    /// Writes it, unless it says what is so without it.
    pub(crate) fn show(&self, value: &F::Value, to: &mut (dyn Show + '_)) {
        self.form.show(self.name, value, to);
    }
}

/// What a property takes, for whoever does not read it.
pub(crate) trait Shaped: Copy + Sync + 'static {
    fn shape(&'static self) -> Shape;

    /// What is so without it, as pages write it.
    fn default(&self) -> Option<String> {
        None
    }
}

/// How a property is read and shown.
pub(crate) trait Form: Shaped {
    type Value;

    /// It reports what is wrong.
    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Self::Value>;

    fn show(&self, name: &str, value: &Self::Value, to: &mut (dyn Show + '_));
}

/// A property whatever its form is.
pub(crate) trait AnyProperty: Sync {
    fn name(&self) -> &'static str;

    fn doc(&self) -> &'static str;

    /// What is so without it, as pages write it.
    fn default(&self) -> Option<String>;

    fn shape(&'static self) -> Shape;

    /// Whether only readers of other systems make it.
    fn is_imported_only(&self) -> bool;
}

impl<F: Shaped> AnyProperty for Property<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn default(&self) -> Option<String> {
        match self.default {
            Some(default) => Some(default.to_owned()),
            None => self.form.default(),
        }
    }

    fn shape(&'static self) -> Shape {
        self.form.shape()
    }

    fn is_imported_only(&self) -> bool {
        self.imported_only
    }
}

/// The words that a property takes.
pub(crate) trait Words: Sync {
    fn words(&self) -> Vec<&'static str>;
}

/// What is written, for all who read, write or rename it without a checker.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// `#true` or `#false`.
    Flag,
    /// One of some words.
    Words(&'static dyn Words),
    /// One of some words, or a whole number.
    WordsOrNumber(&'static dyn Words),
    /// A number as it stands there.
    Number,
    /// A value as it stands there, of a type that is said elsewhere.
    Literal,
    /// The type of a key or parameter.
    Type,
    /// An expression of that type, or a literal; `Any` is whatever comes.
    Expr(Type),
    /// The same as a whole number, or `forever`.
    Times,
    /// Statements; or one of some words.
    Statements(&'static [&'static str]),
    /// A text for people, or what stands in quotes for another reason.
    Text,
    /// A text with keys in braces.
    Log,
    /// A key by its name, which is read.
    Key,
    /// A key by its name, which is written.
    WrittenKey,
    /// A key in braces.
    KeyInBraces,
    /// A name that is given here.
    Declares(Named),
    /// The name of something that is declared elsewhere.
    Names(Named),
    /// Several names of the same, with spaces between them.
    AllNames(Named),
}

impl Shape {
    /// Whether a text of its stands in quotes even where it could do without.
    pub(crate) fn is_quoted(self, text: &str) -> bool {
        match self {
            Shape::Expr(_) | Shape::Text | Shape::Log => true,
            Shape::Times => text != "forever",
            Shape::Statements(words) => !words.contains(&text),
            Shape::Flag
            | Shape::Words(_)
            | Shape::WordsOrNumber(_)
            | Shape::Number
            | Shape::Literal
            | Shape::Type
            | Shape::Key
            | Shape::WrittenKey
            | Shape::KeyInBraces
            | Shape::Declares(_)
            | Shape::Names(_)
            | Shape::AllNames(_) => false,
        }
    }
}

/// What goes by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Node,
    /// A key, or a port.
    Key,
    /// The item of a list: a new key, or one that is there.
    Item,
    Param,
    /// A value of an enumeration.
    EnumValue,
    /// A leaf of that kind, which is the word of its node, or `sensor`.
    Leaf,
    Event,
    Tree,
    Machine,
    Decision,
    Archetype,
    Label,
    Semaphore,
    State,
    Branch,
}

/// A property that code of its own reads.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) Shape);

impl Shaped for Plain {
    fn shape(&'static self) -> Shape {
        self.0
    }
}
