//! The keys and the leaves of a document as tables: what each is, and which nodes use it.

use super::Editor;
use super::keys::{scope_of, values_of, word_of};
use super::place::{At, LocatedNode};
use crate::code::Code;
use crate::language;
use crate::symbols::{SymbolKind, Use};
use crate::syntax::{Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A node that uses a key or a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedBy {
    /// The id of the node.
    pub id: u64,
    /// Whether it reads the key; also if it runs the leaf.
    pub is_read: bool,
    /// Whether it writes the key.
    pub is_written: bool,
}

/// A key, port or parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRow {
    /// The id of its node; 0 if nothing declares it.
    pub id: u64,
    /// Its first word: `key`, `in`, `out`, `inout`, `param`; empty if nothing declares it.
    pub word: String,
    /// Its name.
    pub name: String,
    /// Its type, as it is written.
    pub ty: String,
    /// What it holds at first, without quotes.
    pub default: Option<String>,
    /// What it is for.
    pub doc: Option<String>,
    /// Who shares it: `agent`, `group` or `world`; for a key of a tree, `in` and the name of the tree.
    pub scope: String,
    /// For an enumeration: its values.
    pub values: Vec<String>,
    /// For a list: for how many items it has room.
    pub list: Option<String>,
    /// The sensor that computes it.
    pub sensor: Option<String>,
    /// The nodes that read or write it, in the order of the text.
    pub uses: Vec<UsedBy>,
}

/// A leaf of the manifest, or one that is used and that no manifest has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeafRow {
    /// The id of its node in the manifest; 0 if nothing declares it.
    pub id: u64,
    /// Its kind: `condition`, `action` and so on.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// For candidates: the type of what is listed.
    pub ty: Option<String>,
    /// What it is for.
    pub doc: Option<String>,
    /// Its parameters.
    pub params: Vec<KeyRow>,
    /// The nodes that use it, in the order of the text.
    pub uses: Vec<UsedBy>,
}

impl Editor {
    /// The keys and ports, in the order of the text; behind them the keys that expressions name and nothing declares.
    pub fn keys(&self) -> Vec<KeyRow> {
        let is_one = |kind| matches!(kind, SymbolKind::Key | SymbolKind::Port);
        let mut rows = Vec::new();
        for (found, uses) in self.declared_symbols(is_one) {
            rows.push(KeyRow {
                scope: scope_said(&found),
                uses,
                ..self.row(found.file, found.node())
            });
        }
        let known: BTreeSet<String> = rows.iter().map(|row| row.name.clone()).collect();
        let missing = self.missing(Code::UnknownKey).into_iter();
        let missing = missing.filter(|(name, _)| !known.contains(name));
        rows.extend(missing.map(|(name, uses)| KeyRow {
            name,
            uses,
            ..KeyRow::default()
        }));
        rows
    }

    /// The leaves of the manifests, in the order of the text; behind them those that are used and that no manifest has.
    pub fn leaves(&self) -> Vec<LeafRow> {
        let mut rows = Vec::new();
        for (found, uses) in self.declared_symbols(|kind| kind == SymbolKind::Leaf) {
            let node = found.node();
            let params = node.children().iter();
            let params = params.filter(|child| child.name.value == "param");
            rows.push(LeafRow {
                id: self.id_of(found.file, node),
                kind: node.name.value.clone(),
                name: node.first_text().map_or("", |text| &text.value).to_owned(),
                ty: node.property_text("type").map(|ty| ty.value.clone()),
                doc: node.property_text("doc").map(|doc| doc.value.clone()),
                params: params.map(|param| self.row(found.file, param)).collect(),
                uses,
            });
        }
        let known: BTreeSet<String> = rows.iter().map(|row| row.name.clone()).collect();
        for (name, uses) in self.missing(Code::UnknownLeaf) {
            let node = uses.first().and_then(|one| self.place_of(one.id));
            let node = node.and_then(|at| Some(self.find(at).ok()?.node()));
            let kind = match node.map_or("action", |node| &node.name.value) {
                word if language::Spot::Leaves.has(word) => word,
                "find" => "candidates",
                "key" => "sensor",
                // Whatever else names a leaf waits for an event or sends one; `*` stands for any.
                _ => "event",
            };
            if name != "*" && !known.contains(&name) {
                rows.push(LeafRow {
                    kind: kind.to_owned(),
                    name,
                    uses,
                    ..LeafRow::default()
                });
            }
        }
        rows
    }

    /// What declares the symbols of some kinds, with the nodes that use each.
    fn declared_symbols(
        &self,
        is_one: impl Fn(SymbolKind) -> bool,
    ) -> Vec<(LocatedNode<'_>, Vec<UsedBy>)> {
        let names = self.names();
        let mut used: BTreeMap<usize, Vec<&Use>> = BTreeMap::new();
        for one in names.uses.iter().filter(|one| !one.role.declares) {
            for symbol in one
                .symbols
                .iter()
                .filter(|id| is_one(names.symbols[**id].kind))
            {
                used.entry(*symbol).or_default().push(one);
            }
        }
        let mut rows = Vec::new();
        for (id, symbol) in names.symbols.iter().enumerate() {
            for (file, offset) in symbol.declared.iter().filter(|_| is_one(symbol.kind)) {
                if let Ok(found) = self.find(At::from((*file, *offset))) {
                    let uses = used.get(&id).map_or(&[][..], Vec::as_slice);
                    rows.push((found, self.users(uses.iter().copied())));
                }
            }
        }
        rows.sort_by_key(|(found, _)| (found.file, found.node().span.start));
        rows
    }

    /// The nodes of some uses, each once.
    fn users<'u>(&self, uses: impl Iterator<Item = &'u Use>) -> Vec<UsedBy> {
        let mut uses: Vec<&Use> = uses.collect();
        uses.sort_by_key(|one| (one.file, one.token.start));
        let mut users: Vec<UsedBy> = Vec::new();
        for one in uses {
            let Some(id) = self.id_at((one.file, one.token.start)) else {
                continue;
            };
            let is_read = one.role.reads || !one.role.writes;
            match users.iter_mut().find(|known| known.id == id) {
                Some(known) => {
                    known.is_read |= is_read;
                    known.is_written |= one.role.writes;
                }
                None => users.push(UsedBy {
                    id,
                    is_read,
                    is_written: one.role.writes,
                }),
            }
        }
        users
    }

    /// The names that a mistake is about, with the nodes that use them.
    fn missing(&self, code: Code) -> Vec<(String, Vec<UsedBy>)> {
        let mut found: Vec<(String, Vec<UsedBy>)> = Vec::new();
        let diagnostics = self.document().diagnostics().iter();
        for one in diagnostics.filter(|one| one.code() == code) {
            let Some(name) = one.missing.clone() else {
                continue;
            };
            let file = self.file_named(one.source.name()).unwrap_or(0);
            let id = self.id_at((file, one.span.start));
            let used = id.map(|id| UsedBy {
                id,
                is_read: true,
                is_written: false,
            });
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, uses)) => uses.extend(used),
                None => found.push((name, used.into_iter().collect())),
            }
        }
        found
    }

    fn id_of(&self, file: usize, node: &Node) -> u64 {
        self.files[file].ids.at(node.span.start).unwrap_or(0)
    }

    /// What a declaration says of itself.
    fn row(&self, file: usize, node: &Node) -> KeyRow {
        let text = |name: &str| {
            let entry = node.entry(name)?;
            Some(match &entry.value {
                Value::Text(text) => text.value.clone(),
                Value::Bool(value) => value.to_string(),
                _ => self.text(file)[entry.value_span.clone()].to_owned(),
            })
        };
        let values = values_of(node);
        KeyRow {
            id: self.id_of(file, node),
            word: node.name.value.clone(),
            name: node.first_text().map_or("", |name| &name.value).to_owned(),
            ty: text("type").unwrap_or_default(),
            default: text("default"),
            doc: text("doc"),
            scope: String::new(),
            values: values.split_whitespace().map(str::to_owned).collect(),
            list: text("list"),
            sensor: text("sensor"),
            uses: Vec::new(),
        }
    }
}

/// Who shares a key.
fn scope_said(found: &LocatedNode<'_>) -> String {
    let of = found.definition();
    match of.name.value.as_str() {
        "blackboard" => scope_of(of).map_or("agent", word_of).to_owned(),
        word => format!("in {}", of.first_text().map_or(word, |name| &name.value)),
    }
}
