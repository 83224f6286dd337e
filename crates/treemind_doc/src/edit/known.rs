//! Which names are known at a place, with what their declarations say of them.

use super::cursor::Cursor;
use super::place::{At, index_at};
use super::{Editor, SymbolKind};
use crate::symbols::{Home, Symbol};
use crate::syntax::{Node, Value};

/// A name that is known at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name.
    pub name: String,
    /// The word of the node that declares it: `condition`, `event`, `in`, `key`.
    pub word: String,
    /// The type of a key, port or parameter.
    pub ty: Option<String>,
    /// What it is at first, or when it is not given.
    pub default: Option<String>,
    /// What it is for.
    pub doc: Option<String>,
    /// The values of an enumeration.
    pub values: Vec<String>,
    /// The room of a list.
    pub list: Option<String>,
    /// The leaf of a parameter; the tree, machine or decision tree of a port; the states around a state, with dots between
    /// them.
    pub of: Option<String>,
    /// Where it is declared.
    pub at: At,
    /// How often the texts use it, without its declaration.
    pub uses: usize,
    /// Whether only a part of the document knows it.
    pub is_local: bool,
}

impl Editor {
    /// The names that are known at a cursor: what is declared for the whole document, and what is declared around it. For
    /// ports and parameters, it does not matter where they are.
    pub fn known(&self, cursor: &Cursor) -> Vec<Known> {
        let names = self.loose_names();
        let tested = self.tested(cursor);
        let mut uses = vec![0; names.symbols.len()];
        for one in names
            .uses
            .iter()
            .filter(|one| !one.role.declares && !one.role.is_pattern)
        {
            for symbol in &one.symbols {
                uses[*symbol] += 1;
            }
        }
        let symbols = names.symbols.iter().enumerate();
        let is_tested = |symbol: &Symbol| match (symbol.home, &tested) {
            (Home::Node(file, start), Some((at, _))) => (at.file, at.offset) == (file, start),
            _ => false,
        };
        let visible =
            symbols.filter(|(_, symbol)| self.is_visible(symbol, cursor) || is_tested(symbol));
        let found = visible.filter_map(|(id, symbol)| self.known_as(symbol, uses[id]));
        found.collect()
    }

    /// What the test around a cursor runs, whose keys it sees: where it begins, and its name.
    pub fn tested(&self, cursor: &Cursor) -> Option<(At, String)> {
        let nodes = &self.files.get(cursor.at.file)?.nodes[..];
        let test = &nodes[index_at(nodes, cursor.path.first()?.start)?];
        if test.name.value != "test" {
            return None;
        }
        let all = || {
            let files = self.files.iter().enumerate();
            files.flat_map(|(file, text)| text.nodes.iter().map(move |node| (file, node)))
        };
        let named = |word: &str, name: &str| {
            let is_name = |node: &Node| node.first_text().is_some_and(|text| text.value == name);
            all().find(|(_, node)| node.name.value == word && is_name(node))
        };
        let run_by = |node: &Node| {
            let words = ["tree", "machine", "decide", "planner"].into_iter();
            let mut named = words.filter_map(|word| named(word, &node.property_text(word)?.value));
            named.next()
        };
        let by_archetype = || {
            let name = test.property_text("archetype")?;
            run_by(named("archetype", &name.value)?.1)
        };
        let by_main = || all().find(|(_, node)| node.name.value == "main");
        let found = run_by(test).or_else(by_archetype);
        let (file, node) = found.or_else(|| run_by(by_main()?.1))?;
        let offset = node.span.start;
        Some((At { file, offset }, node.first_text()?.value.clone()))
    }

    fn is_visible(&self, symbol: &Symbol, cursor: &Cursor) -> bool {
        let is_around = |file: usize, start: usize| {
            file == cursor.at.file && cursor.path.iter().any(|node| node.start == start)
        };
        let in_definition = || {
            let top = cursor.path.first().map(|node| node.start);
            let declared = symbol.declared.first();
            declared.is_some_and(|(file, offset)| {
                let nodes = &self.files[*file].nodes[..];
                let index = index_at(nodes, *offset);
                *file == cursor.at.file && index.map(|index| nodes[index].span.start) == top
            })
        };
        match symbol.kind {
            SymbolKind::Port | SymbolKind::Param | SymbolKind::Output => true,
            SymbolKind::State
            | SymbolKind::Branch
            | SymbolKind::Rule
            | SymbolKind::Goal
            | SymbolKind::Task
            | SymbolKind::NodeName => in_definition() || sees_others(cursor),
            _ => match symbol.home {
                Home::Node(file, start) => is_around(file, start),
                Home::Everywhere | Home::Leaf(_) | Home::List(_) => true,
            },
        }
    }

    /// A symbol with what its declaration says of it.
    fn known_as(&self, symbol: &Symbol, uses: usize) -> Option<Known> {
        let (file, offset) = *symbol.declared.first()?;
        let mut path = self.declaration(file, offset);
        let node = path.pop()?;
        let text = |name: &str| node.property_text(name).map(|text| text.value.clone());
        let written = |name: &str| {
            let entry = node.entry(name)?;
            Some(self.files[file].text()[entry.value_span.clone()].to_owned())
        };
        let of = match symbol.kind {
            SymbolKind::Param | SymbolKind::Port | SymbolKind::Output => {
                let parent = path.last().and_then(|parent| parent.first_text());
                parent.map(|name| name.value.clone())
            }
            SymbolKind::State => {
                let around = path.iter().skip(1).filter_map(|state| state.first_text());
                let around: Vec<&str> = around.map(|name| name.value.as_str()).collect();
                (!around.is_empty()).then(|| around.join("."))
            }
            _ => None,
        };
        let lines = node
            .children()
            .iter()
            .filter(|line| line.name.value == "value");
        let values = lines
            .flat_map(|line| &line.entries)
            .filter_map(|entry| match &entry.value {
                Value::Text(text) => Some(text.value.clone()),
                _ => None,
            });
        Some(Known {
            kind: symbol.kind,
            name: symbol.name.clone(),
            word: node.name.value.clone(),
            ty: text("type"),
            default: written("default"),
            doc: text("doc"),
            values: values.collect(),
            list: written("list"),
            of,
            at: At { file, offset },
            uses,
            is_local: symbol.home != Home::Everywhere,
        })
    }

    /// The node whose line has a byte, behind the nodes around it; nothing when there is none.
    fn declaration(&self, file: usize, offset: usize) -> Vec<&Node> {
        let mut siblings = self.files.get(file).map_or(&[][..], |file| &file.nodes[..]);
        let mut path = Vec::new();
        while let Some(index) = index_at(siblings, offset) {
            let node = &siblings[index];
            path.push(node);
            if node
                .block
                .as_ref()
                .is_none_or(|block| offset <= block.start)
            {
                return path;
            }
            siblings = node.children();
        }
        Vec::new()
    }
}

/// Whether a cursor is where names of other definitions count: in a test, which speaks of what it runs, or in a decision
/// tree, which leads to states of machines.
fn sees_others(cursor: &Cursor) -> bool {
    let top = cursor.path.first();
    top.is_some_and(|node| matches!(node.word.as_str(), "test" | "decide"))
}
