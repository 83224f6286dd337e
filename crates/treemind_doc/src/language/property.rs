//! The values and properties on the line of a node, each with a type.

use super::read::{Read, Show};
use super::vocabulary::Learned;
use treemind_core::Type;

/// A property, or the value without a name; `F` defines how it is read and shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property<F> {
    /// Empty for the value without a name.
    pub(crate) name: &'static str,
    pub(crate) form: F,
    /// Its purpose, as on the page of the node.
    doc: &'static str,
    /// Its default, if the form does not define it.
    default: Option<&'static str>,
    /// When somebody who learns the language needs it, if not before its word.
    learned: Learned,
    /// Only readers of other systems make it: it is offered nowhere, and refused in documents of ours.
    imported_only: bool,
    /// The words below which alone it means something; none if it does everywhere.
    below: &'static [&'static str],
}

impl<F: Copy> Property<F> {
    pub(crate) const fn new(name: &'static str, form: F, doc: &'static str) -> Self {
        Self {
            name,
            form,
            doc,
            default: None,
            learned: Learned::FirstWeek,
            imported_only: false,
            below: &[],
        }
    }

    /// It means something only below these words.
    pub(crate) const fn below(mut self, parents: &'static [&'static str]) -> Self {
        self.below = parents;
        self
    }

    /// The value without a name.
    pub(crate) const fn value(form: F) -> Self {
        Self::new("", form, "")
    }

    /// Sets the default.
    pub(crate) const fn without(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// A first character needs it.
    pub(crate) const fn first_day(mut self) -> Self {
        self.learned = Learned::FirstDay;
        self
    }

    /// Few characters need it: these words are more usual, or none if it is usually left out. A sentence says how they
    /// differ, or what happens without it.
    pub(crate) const fn seldom(
        mut self,
        usual: &'static [&'static str],
        how: &'static str,
    ) -> Self {
        self.learned = Learned::seldom(usual, how);
        self
    }

    /// Only readers of other systems make it.
    pub(crate) const fn imported_only(mut self) -> Self {
        self.imported_only = true;
        self
    }
}

impl<F: Form> Property<F> {
    /// Reads it from a line; `None` when there is a mistake, which is reported.
    pub(crate) fn read<'n>(&self, from: &mut (dyn Read<'n> + '_)) -> Option<F::Value> {
        self.form.read(self.name, from)
    }

    /// Writes it, unless it has its default.
    pub(crate) fn show(&self, value: &F::Value, to: &mut (dyn Show + '_)) {
        self.form.show(self.name, value, to);
    }
}

/// What a property takes, for code that does not read it.
pub(crate) trait Shaped: Copy + Sync + 'static {
    fn shape(&'static self) -> Shape;

    /// Its default, as pages write it.
    fn default(&self) -> Option<String> {
        None
    }
}

/// How a property is read and shown.
pub(crate) trait Form: Shaped {
    type Value;

    /// Reads it, and reports mistakes.
    fn read<'n>(&self, name: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Self::Value>;

    fn show(&self, name: &str, value: &Self::Value, to: &mut (dyn Show + '_));
}

/// A property with any form.
pub(crate) trait AnyProperty: Sync {
    fn name(&self) -> &'static str;

    fn doc(&self) -> &'static str;

    /// When somebody who learns the language needs it, if not before its word.
    fn learned(&self) -> Learned;

    /// Its default, as pages write it.
    fn default(&self) -> Option<String>;

    fn shape(&'static self) -> Shape;

    /// The words below which alone it means something; none if it does everywhere.
    fn below(&self) -> &'static [&'static str];

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

    fn learned(&self) -> Learned {
        self.learned
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

    fn below(&self) -> &'static [&'static str] {
        self.below
    }

    fn is_imported_only(&self) -> bool {
        self.imported_only
    }
}

/// The words that a property takes.
pub(crate) trait Words: Sync {
    fn words(&self) -> Vec<&'static str>;

    /// Words with a number in them, which no list can hold, as a regular expression.
    fn pattern(&self) -> Option<&'static str> {
        None
    }
}

/// The syntax of a property, for code that reads, writes or renames it without a checker.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// `#true` or `#false`.
    Flag,
    /// One of some words.
    Words(&'static dyn Words),
    /// One of some words, or a whole number.
    WordsOrNumber(&'static dyn Words),
    /// One of some words, or a key in braces.
    WordsOrKey(&'static dyn Words),
    /// A literal number.
    Number,
    /// A literal value of a type that is given elsewhere.
    Literal,
    /// The type of a key or parameter.
    Type,
    /// An expression of this type, or a literal; `Any` allows every type.
    Expr(Type),
    /// A whole number, an expression of type `int`, or `forever`.
    Times,
    /// Statements; or one of some words.
    Statements(&'static [&'static str]),
    /// A text for people, or another text in quotes.
    Text,
    /// A text with keys in braces.
    Log,
    /// The name of a key that is read.
    Key,
    /// The name of a key that is written.
    WrittenKey,
    /// A key in braces that is read.
    KeyInBraces,
    /// A key in braces that is written.
    WrittenKeyInBraces,
    /// A name that is defined here.
    Declares(Named),
    /// The name of something that is declared elsewhere.
    Names(Named),
    /// Such a name, or a key in braces.
    NamesOrKey(Named),
    /// Several such names, with spaces between them.
    AllNames(Named),
}

impl Shape {
    /// Whether a text is written in quotes even if it does not need them.
    pub(crate) fn is_quoted(self, text: &str) -> bool {
        match self {
            Shape::Expr(_) | Shape::Text | Shape::Log => true,
            Shape::Times => text != "forever",
            Shape::Statements(words) => !words.contains(&text),
            Shape::Flag
            | Shape::Words(_)
            | Shape::WordsOrNumber(_)
            | Shape::WordsOrKey(_)
            | Shape::Number
            | Shape::Literal
            | Shape::Type
            | Shape::Key
            | Shape::WrittenKey
            | Shape::KeyInBraces
            | Shape::WrittenKeyInBraces
            | Shape::Declares(_)
            | Shape::Names(_)
            | Shape::NamesOrKey(_)
            | Shape::AllNames(_) => false,
        }
    }
}

/// The kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// A node, by its `name=`.
    Node,
    /// A key, or a port.
    Key,
    /// The item of a list: a new key, or an existing one.
    Item,
    /// A parameter of a leaf.
    Param,
    /// A value of an enumeration.
    EnumValue,
    /// A leaf of a kind, given as the word of its node, or `sensor`.
    Leaf,
    /// An event.
    Event,
    /// A behaviour tree.
    Tree,
    /// A state machine.
    Machine,
    /// A decision tree.
    Decision,
    /// A planner.
    Planner,
    /// A goal of a planner.
    Goal,
    /// A task of a planner.
    PlanTask,
    /// A step or task of the planner around it.
    Planned,
    /// An archetype.
    Archetype,
    /// What an `interrupt` refers to.
    Label,
    /// A semaphore.
    Semaphore,
    /// A curve with a name.
    Curve,
    /// A neural network.
    Network,
    /// An output of a network.
    Output,
    /// A state of a machine.
    State,
    /// A branch of a decision tree.
    Branch,
    /// A rule of `rules`.
    Rule,
    /// A leaf, named node or state, as traces name it.
    Traced,
    /// A column of a table of cases: a key, a leaf, or `expect`.
    Column,
}

/// A property that special code reads.
#[derive(Clone, Copy)]
pub(crate) struct Plain(pub(crate) Shape);

impl Shaped for Plain {
    fn shape(&'static self) -> Shape {
        self.0
    }
}
