//! The types of a table: keywords of the language, or leaves of the game, by name or by number.

use crate::Said;
use crate::language::{Spot, node_word};
use crate::suggest;
use crate::syntax::{Node, Value};
use std::collections::HashMap;

/// The types of the numbers that need no manifest.
const BUILTIN: [&str; 3] = ["selector", "sequence", "invert"];

/// A leaf as a manifest declares it.
#[derive(Debug)]
struct Declared<'n> {
    /// The keyword of its nodes.
    word: &'static str,
    name: &'n str,
    node: &'n Node,
}

/// The meaning of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Type<'n> {
    /// A kind of node.
    Word(&'static str),
    /// The keyword and the name of a leaf, and its declaration.
    Leaf(&'static str, &'n str, &'n Node),
}

/// All known types.
#[derive(Debug)]
pub(super) struct Types<'n> {
    by_name: HashMap<&'n str, Declared<'n>>,
    by_number: HashMap<i128, &'n str>,
}

impl<'n> Types<'n> {
    /// The types that some `leaves` blocks declare. Mistakes in these blocks are found when the blocks are checked.
    pub(super) fn new(declared: &'n [Node]) -> Self {
        let mut types = Self {
            by_name: HashMap::new(),
            by_number: HashMap::new(),
        };
        let blocks = declared.iter().filter(|node| node.name.value == "leaves");
        for node in blocks.flat_map(|block| block.children()) {
            let word = match Spot::Leaves.word(&node.name.value).map(|word| word.name) {
                Some("composite" | "decorator") => "node",
                Some(word @ ("condition" | "action" | "service")) => word,
                _ => continue,
            };
            let named = node.entries.iter().find(|entry| entry.name.is_none());
            let Some(Value::Text(name)) = named.map(|entry| &entry.value) else {
                continue;
            };
            let name = name.value.as_str();
            if let Some(Value::Int(number)) = property(node, "number") {
                types.by_number.entry(*number).or_insert(name);
            }
            let declared = Declared { word, name, node };
            types.by_name.entry(name).or_insert(declared);
        }
        types
    }

    /// Whether a manifest declares anything.
    pub(super) fn has_leaves(&self) -> bool {
        !self.by_name.is_empty()
    }

    pub(super) fn by_name(&self, name: &str) -> Option<Type<'n>> {
        if let Some(word) = node_word(name) {
            return Some(Type::Word(word.name));
        }
        let leaf = self.by_name.get(name)?;
        Some(Type::Leaf(leaf.word, leaf.name, leaf.node))
    }

    /// The type that the manifest gives to a number, or else the usual one.
    pub(super) fn by_number(&self, number: i128) -> Option<Type<'n>> {
        match self.by_number.get(&number) {
            Some(name) => self.by_name(name),
            None => {
                let word = BUILTIN.get(usize::try_from(number).ok()?)?;
                Some(Type::Word(word))
            }
        }
    }

    /// The known name that was probably meant.
    pub(super) fn suggestion(&self, name: &str) -> Option<Said> {
        let words = Spot::Task.list().into_iter();
        let known = words.chain(self.by_name.keys().copied());
        suggest::nearest(name, known).map(suggest::meant)
    }

    /// All known numbers, in order.
    pub(super) fn numbers(&self) -> Vec<i128> {
        let mut numbers: Vec<i128> = self.by_number.keys().copied().chain(0..3).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

fn property<'n>(node: &'n Node, name: &str) -> Option<&'n Value> {
    let mut named = node.entries.iter();
    let entry = named.find(|entry| entry.name.as_ref().is_some_and(|found| found.value == name))?;
    Some(&entry.value)
}

/// Whether a leaf takes text for this parameter; then a cell that looks like a number is a text.
pub(super) fn takes_text(leaf: &Node, parameter: &str) -> bool {
    let params = leaf
        .children()
        .iter()
        .filter(|child| child.name.value == "param");
    let mut found = params.filter(|param| {
        let named = param.entries.iter().find(|entry| entry.name.is_none());
        matches!(named.map(|entry| &entry.value), Some(Value::Text(name)) if name.value == parameter)
    });
    let ty = found.next().and_then(|param| property(param, "type"));
    matches!(ty, Some(Value::Text(ty)) if matches!(ty.value.as_str(), "string" | "enum"))
}
