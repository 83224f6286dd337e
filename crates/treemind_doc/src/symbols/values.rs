//! The values of enumerations, with all their uses: the checks found them, since they depend on types.

use super::uses::{File, Names, Use};
use super::written::Written;
use super::{Home, Role, SymbolKind};
use crate::syntax::{Node, Text, Value};
use std::collections::{BTreeSet, HashMap};

/// A place that names a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedValue<'v> {
    pub(crate) file: usize,
    /// Where the string begins that it is in.
    pub(crate) token: usize,
    /// Where it begins and ends in the value of that string.
    pub(crate) said: (usize, usize),
    /// All values of the enumeration, and the position of this one.
    pub(crate) value: (&'v [String], u32),
    /// It is listed there as one of the values.
    pub(crate) declares: bool,
}

/// The values that are named in a set of files.
pub(crate) fn values_of(files: &[File<'_>], named: &BTreeSet<NamedValue<'_>>) -> Names {
    let texts: Vec<_> = files.iter().map(|(_, nodes)| texts_of(nodes)).collect();
    let mut names = Names::default();
    let mut lists: HashMap<&[String], usize> = HashMap::new();
    for one in named {
        let next = lists.len();
        let list = *lists.entry(one.value.0).or_insert(next);
        let Some(name) = one.value.0.get(one.value.1 as usize) else {
            continue;
        };
        let kind = SymbolKind::EnumValue;
        let symbol = names.symbols.symbol(kind, Home::List(list), name);
        let Some(text) = texts[one.file].get(&one.token) else {
            continue;
        };
        let said = one.said.0..one.said.1;
        if text.value.get(said.clone()) != Some(name) {
            continue;
        }
        if one.declares {
            names.symbols[symbol].declared.push((one.file, one.token));
        }
        let span = match said == (0..text.value.len()) {
            true => text.span.clone(),
            false => Written::new(text, files[one.file].0).span(&said),
        };
        // What is read again where a tree is used names the same place again.
        if let Some(last) = names.uses.last_mut()
            && (last.file, &last.span) == (one.file, &span)
        {
            if !last.symbols.contains(&symbol) {
                last.symbols.push(symbol);
            }
            continue;
        }
        names.uses.push(Use {
            file: one.file,
            span,
            token: text.span.clone(),
            bare: text.bare,
            symbols: vec![symbol],
            role: match one.declares {
                true => Role::DECLARES,
                false => Role::READS,
            },
        });
    }
    names
}

/// All texts in nodes, by where they begin.
fn texts_of(nodes: &[Node]) -> HashMap<usize, &Text> {
    let mut texts = HashMap::new();
    let mut pending: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = pending.pop() {
        pending.extend(node.children());
        for entry in &node.entries {
            if let Value::Text(text) = &entry.value {
                texts.insert(text.span.start, text);
            }
        }
    }
    texts
}
