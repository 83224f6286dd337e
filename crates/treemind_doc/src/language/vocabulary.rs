//! The words of the language, for lists that people read: what each word is for, where it is allowed, and when somebody
//! who learns the language needs it. Completion, palettes and pages can be made from it.
//!
//! ```
//! use treemind_doc::vocabulary::{self, Circle};
//!
//! let words = vocabulary::words();
//! let named = |name: &str| words.iter().find(|word| word.is_node() && word.name() == name).unwrap();
//! assert_eq!(named("sequence").circle(), Circle::FirstDay);
//! let usual = named("sticky-sequence").usual().unwrap();
//! assert_eq!(usual.words(), ["sequence"]);
//! ```

use super::common::{ALL, common};
use super::utility::Defaults;
use super::{AnyProperty, Block, CURVES, Shape, Spot};
use crate::suggest;
use std::fmt;

pub use super::property::Named;
pub use crate::expression::{Function, functions};

/// When somebody who learns the language needs a word. Lists show the first circle first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Circle {
    /// A first character needs it.
    FirstDay,
    /// Most characters need it.
    FirstWeek,
    /// Few characters need it: a more usual word does nearly the same.
    Seldom,
}

impl Circle {
    /// All circles, the first one first.
    pub const ALL: [Circle; 3] = [Circle::FirstDay, Circle::FirstWeek, Circle::Seldom];

    /// How lists call it.
    pub const fn title(self) -> &'static str {
        match self {
            Circle::FirstDay => "first day",
            Circle::FirstWeek => "first week",
            Circle::Seldom => "seldom",
        }
    }
}

/// What is more usual than a seldom word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    words: &'static [&'static str],
    how: &'static str,
}

impl Usual {
    /// The words that do nearly the same. There is none for a property that is usually left out.
    pub fn words(&self) -> &'static [&'static str] {
        self.words
    }

    /// How these words differ, or what happens without the property: a sentence.
    pub fn how(&self) -> &'static str {
        self.how
    }
}

impl fmt::Display for Usual {
    /// One or two sentences: "More usual is `sequence`. After a failure, it begins again at its first child."
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words {
            [] => out.write_str("Usually left out.")?,
            [one] => write!(out, "More usual is `{one}`.")?,
            [rest @ .., last] => {
                write!(out, "More usual are `{}` and `{last}`.", rest.join("`, `"))?
            }
        }
        write!(out, " {}", self.how)
    }
}

/// The circle of a row, and for a seldom one what is more usual: no row is seldom without that.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Learned {
    FirstDay,
    FirstWeek,
    Seldom(Usual),
}

impl Learned {
    pub(super) const fn seldom(words: &'static [&'static str], how: &'static str) -> Self {
        Self::Seldom(Usual { words, how })
    }

    pub(crate) const fn circle(self) -> Circle {
        match self {
            Learned::FirstDay => Circle::FirstDay,
            Learned::FirstWeek => Circle::FirstWeek,
            Learned::Seldom(_) => Circle::Seldom,
        }
    }

    pub(crate) const fn usual(self) -> Option<Usual> {
        match self {
            Learned::Seldom(usual) => Some(usual),
            Learned::FirstDay | Learned::FirstWeek => None,
        }
    }
}

/// A word, in one of the places where it is allowed.
#[derive(Clone, Copy)]
pub struct Word {
    spot: Spot,
    row: &'static super::Word,
}

impl Word {
    /// The word itself.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// What it is for.
    pub fn purpose(&self) -> &'static str {
        self.row.doc
    }

    /// Where it is allowed: "in a tree", "in a `switch`".
    pub fn place(&self) -> &'static str {
        self.spot.place()
    }

    /// The place where it is allowed.
    pub fn spot(&self) -> Place {
        Place(self.spot)
    }

    /// What its value without a name may be, if it has one.
    pub fn value(&self) -> Option<Takes> {
        let value = self.row.value.filter(|value| !value.is_imported_only());
        value.map(|value| Takes::of(value.shape()))
    }

    /// What its value without a name is, in what unit, and what there is to know of it: "the seconds: measured by …".
    pub fn value_purpose(&self) -> Option<&'static str> {
        self.value().map(|_| self.row.value_doc)
    }

    /// One of its properties, including those that every node of a tree may have.
    pub fn property(&self, name: &str) -> Option<Property> {
        let own = self.row.property(name);
        let of_all = || self.row.task.as_ref().and_then(|_| common(name));
        let row = own.or_else(of_all)?;
        Some(Property {
            row,
            circle: self.row.circle_of(row).max(self.circle()),
        })
    }

    /// The places whose words its block may have; none if it has no block.
    pub fn holds(&self) -> Vec<Place> {
        self.row.holds().iter().copied().map(Place).collect()
    }

    /// Whether it must have a block.
    pub fn needs_block(&self) -> bool {
        matches!(self.row.block, Block::Must(_))
    }

    /// Whether it takes the parameters of a leaf, or the ports of a tree, as properties.
    pub fn takes_parameters(&self) -> bool {
        self.row.holds().contains(&Spot::Given)
    }

    /// Whether it is a node of a tree; each of these has a page in `docs/nodes`.
    pub fn is_node(&self) -> bool {
        self.spot == Spot::Task
    }

    /// When somebody who learns the language needs it there.
    pub fn circle(&self) -> Circle {
        // Conditions of transitions have the rows of nodes of trees, but machines come later.
        match self.spot {
            Spot::When => self.row.learned.circle().max(Circle::FirstWeek),
            _ => self.row.learned.circle(),
        }
    }

    /// What is more usual, if it is seldom.
    pub fn usual(&self) -> Option<Usual> {
        self.row.learned.usual()
    }

    /// Its own properties, the first circle first. Nodes of trees also have those of [`properties_of_nodes`].
    pub fn properties(&self) -> Vec<Property> {
        let own = self.row.offered();
        in_order(own.map(|row| Property {
            row,
            circle: self.row.circle_of(row).max(self.circle()),
        }))
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.name(), self.place())
    }
}

/// A place where words are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub(crate) Spot);

impl Place {
    /// The top of a document.
    pub const TOP: Place = Place(Spot::Top);
    /// A tree.
    pub const TREE: Place = Place(Spot::Task);

    /// Its words, the first circle first.
    pub fn words(self) -> Vec<Word> {
        let words = self.0.by_circle().into_iter();
        words.map(|row| Word { spot: self.0, row }).collect()
    }

    /// Its word with that name.
    pub fn word(self, name: &str) -> Option<Word> {
        let row = self.0.word(name)?;
        Some(Word { spot: self.0, row })
    }

    /// Where that is: "in a tree".
    pub fn describe(self) -> &'static str {
        self.0.place()
    }
}

/// What a value or property may be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Takes {
    /// `#true` or `#false`.
    Flag,
    /// One of some words.
    Words(Vec<&'static str>),
    /// One of some words, or a whole number.
    WordsOrNumber(Vec<&'static str>),
    /// One of some words, or a key in braces.
    WordsOrKey(Vec<&'static str>),
    /// A literal number.
    Number,
    /// A literal value of a type that is given elsewhere.
    Literal,
    /// The type of a key or parameter.
    Type(&'static [&'static str]),
    /// An expression of this type, or a literal; `Any` allows every type.
    Expr(treemind_core::Type),
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
    /// A key in braces.
    KeyInBraces,
    /// A name that is defined here.
    Declares(Named),
    /// The name of something that is declared elsewhere.
    Names(Named),
    /// Such a name, or a key in braces.
    NamesOrKey(Named),
    /// Several such names, with spaces between them.
    AllNames(Named),
}

impl Takes {
    fn of(shape: Shape) -> Self {
        match shape {
            Shape::Flag => Takes::Flag,
            Shape::Words(words) => Takes::Words(words.words()),
            Shape::WordsOrNumber(words) => Takes::WordsOrNumber(words.words()),
            Shape::WordsOrKey(words) => Takes::WordsOrKey(words.words()),
            Shape::Number => Takes::Number,
            Shape::Literal => Takes::Literal,
            Shape::Type => Takes::Type(super::TYPES),
            Shape::Expr(ty) => Takes::Expr(ty),
            Shape::Times => Takes::Times,
            Shape::Statements(words) => Takes::Statements(words),
            Shape::Text => Takes::Text,
            Shape::Log => Takes::Log,
            Shape::Key => Takes::Key,
            Shape::WrittenKey => Takes::WrittenKey,
            Shape::KeyInBraces | Shape::WrittenKeyInBraces => Takes::KeyInBraces,
            Shape::Declares(named) => Takes::Declares(named),
            Shape::Names(named) => Takes::Names(named),
            Shape::NamesOrKey(named) => Takes::NamesOrKey(named),
            Shape::AllNames(named) => Takes::AllNames(named),
        }
    }
}

/// A property of a word.
#[derive(Clone, Copy)]
pub struct Property {
    row: &'static dyn AnyProperty,
    circle: Circle,
}

impl Property {
    /// Its name, without `=`.
    pub fn name(&self) -> &'static str {
        self.row.name()
    }

    /// What it is for.
    pub fn purpose(&self) -> &'static str {
        self.row.doc()
    }

    /// What it may be.
    pub fn takes(&self) -> Takes {
        Takes::of(self.row.shape())
    }

    /// Its default as pages write it, if it has one.
    pub fn default(&self) -> Option<String> {
        self.row.default()
    }

    /// The words below which alone it means something, such as `utility-selector` for `score=`; none if it does everywhere.
    pub fn below(&self) -> &'static [&'static str] {
        self.row.below()
    }

    /// When somebody who learns the language needs it.
    pub fn circle(&self) -> Circle {
        self.circle
    }

    /// What is more usual, if it is seldom by itself and not only because its word is.
    pub fn usual(&self) -> Option<Usual> {
        self.row.learned().usual()
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}=", self.name())
    }
}

fn in_order(properties: impl Iterator<Item = Property>) -> Vec<Property> {
    let mut all: Vec<Property> = properties.collect();
    all.sort_by_key(Property::circle);
    all
}

/// Every word of the language in each place where it is allowed, the first circle first.
pub fn words() -> Vec<Word> {
    let spots = Spot::ALL.into_iter().filter(|spot| *spot != Spot::Imported);
    let mut all: Vec<Word> = spots
        .flat_map(|spot| spot.words().iter().map(move |row| Word { spot, row }))
        .collect();
    all.sort_by_key(Word::circle);
    all
}

/// The word that was probably meant: one that is spelt nearly so, or that has this name in another tool.
pub fn meant(name: &str) -> Option<&'static str> {
    let elsewhere = super::spelt_otherwise(name).or_else(|| super::foreign(name));
    elsewhere.or_else(|| suggest::nearest(name, words().iter().map(Word::name)))
}

/// A curve of a `consider`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    name: &'static str,
    parameters: Defaults,
}

impl Curve {
    /// What `curve=` says.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its parameters, and what each is where it is not written.
    pub fn parameters(&self) -> &'static [(&'static str, f64)] {
        self.parameters
    }
}

/// The curves of a `consider`. One without `curve=` has the first.
///
/// ```
/// let curves = treemind_doc::vocabulary::curves();
/// assert_eq!((curves[0].name(), curves[0].parameters()), ("linear", &[("slope", 1.0), ("offset", 0.0)][..]));
/// ```
pub fn curves() -> Vec<Curve> {
    let all = CURVES.0.iter();
    all.map(|(name, parameters)| Curve { name, parameters })
        .collect()
}

/// The properties that every node of a tree may have, the first circle first.
pub fn properties_of_nodes() -> Vec<Property> {
    let names = ALL.into_iter().flatten().map(|one| one.name());
    in_order(names.filter_map(common).map(|row| Property {
        row,
        circle: row.learned().circle(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The names that a seldom row may call more usual.
    fn not_seldom() -> BTreeSet<&'static str> {
        let words = words();
        let own = words.iter().flat_map(Word::properties);
        let properties = own.chain(properties_of_nodes());
        let properties = properties.filter(|one| one.circle() != Circle::Seldom);
        let usual = words.iter().filter(|one| one.circle() != Circle::Seldom);
        let names: BTreeSet<_> = usual.map(Word::name).collect();
        names
            .into_iter()
            .chain(properties.map(|one| one.name()))
            .collect()
    }

    #[test]
    fn what_is_seldom_says_what_is_more_usual() {
        let known = not_seldom();
        let mut rows: Vec<(String, Usual, bool)> = Vec::new();
        for word in words() {
            assert!(!word.purpose().is_empty(), "{word:?} has no purpose");
            let usual = word.usual();
            assert_eq!(usual.is_some(), word.circle() == Circle::Seldom);
            rows.extend(usual.map(|usual| (format!("{word:?}"), usual, true)));
            for one in word.properties() {
                assert!(one.circle() >= word.circle(), "{word:?} {one:?}");
                let name = format!("{word:?}: {one:?}");
                rows.extend(one.usual().map(|usual| (name, usual, false)));
            }
        }
        for one in properties_of_nodes() {
            rows.extend(one.usual().map(|usual| (format!("{one:?}"), usual, false)));
        }
        for (name, usual, is_word) in rows {
            assert!(usual.how.ends_with('.'), "{name}: {usual}");
            // Only properties can be left out.
            assert!(!(is_word && usual.words.is_empty()), "{name}: {usual}");
            for word in usual.words {
                assert!(known.contains(word), "{name}: {word} is unknown or seldom");
                assert!(!name.starts_with(&format!("{word} ")), "{name}: {usual}");
            }
        }
    }

    #[test]
    fn the_first_day_is_short_and_enough_for_the_first_documents() {
        let words = words();
        let first: BTreeSet<&str> = words
            .iter()
            .filter(|word| word.circle() == Circle::FirstDay)
            .map(Word::name)
            .collect();
        assert!((10..=14).contains(&first.len()), "{first:?}");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
        let readme = read("README.md").replace("\r\n", "\n");
        let (_, behind) = readme.split_once("```kdl\n").expect("a document");
        let (in_readme, _) = behind.split_once("```").expect("its end");
        for (name, text) in [
            ("README.md", in_readme),
            ("guard.kdl", &read("examples/01-guard/guard.kdl")),
            ("new", &read("crates/treemind_cli/templates/new/tree.kdl")),
        ] {
            // Tests come later than the first day.
            let text = text.replace("\r\n", "\n");
            let text = text.split("\ntest ").next().unwrap_or_default();
            for line in text.lines().filter(|line| !line.trim().starts_with("//")) {
                let without_texts: String = line.split('"').step_by(2).collect();
                let nodes = without_texts.split(['{', '}', ';']);
                for node in nodes.filter_map(|node| node.split_whitespace().next()) {
                    assert!(first.contains(node), "{name}: {node}");
                }
            }
        }
    }
}
