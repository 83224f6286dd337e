//! Scripts that stand outside of a file, in its mocks, as expressions and statements of ours.

use super::facts::Facts;
use super::files::File;
use super::script::{self, Ast, Held, Operator};
use super::scripts::held;
use super::spelling::{is_plain, plainer};
use super::{dialect, words};
use crate::diagnostic::{Diagnostics, Sink};
use crate::source::Source;
use roxmltree::{Document, Node};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use treemind_core::Status;

/// The statuses with their numbers in scripts.
const STATUSES: [(Status, i32); 4] = [
    (Status::Running, 1),
    (Status::Success, 2),
    (Status::Failure, 3),
    (Status::Skipped, 4),
];

/// Whether a name is that of a status.
fn is_status(name: &str) -> bool {
    STATUSES.iter().any(|(status, _)| status.as_str() == name)
}

/// How deep trees may be inserted in one another.
const MOST_DEPTH: usize = 64;
/// How many nodes are found.
const MOST_NODES: usize = 250_000;

/// The nodes of the tree that a file of BehaviorTree.CPP runs, and what scripts mean that belong to one of them but do
/// not stand in the file: those of its mocks.
pub struct BtcppScripts {
    facts: Facts,
    tree: String,
    nodes: Vec<BtcppNode>,
    /// The names that the script calculates with which is read.
    calculated: HashSet<String>,
}

/// A node of the tree that runs, or of the trees that it calls.
#[derive(Clone, Debug)]
pub struct BtcppNode {
    /// Its name there; without one, its ID.
    pub name: String,
    /// Its ID.
    pub id: String,
    /// The names of the calls around it and its own, with `/` between them.
    pub path: String,
    /// Its name in a document of ours; `None` if it is no node of the host, which answers.
    pub answers_as: Option<String>,
    /// The calls around it: the trees, and which call of the tree it is.
    calls: Vec<(String, usize)>,
}

/// When a script gives a status: always, never, or when an expression holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenIf {
    /// Whatever keys hold.
    Always,
    /// Whatever keys hold, it does not.
    Never,
    /// If this expression holds.
    Holds(String),
}

impl BtcppScripts {
    /// Reads a file, as `convert_btcpp` does; `load` returns the bytes of the other files.
    ///
    /// # Errors
    /// The mistakes of the file.
    pub fn read<E: std::fmt::Display>(
        text: &str,
        name: &str,
        manifest: Option<&str>,
        mut load: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Result<Self, Diagnostics> {
        let mut load = |path: &str| load(path).map_err(|error| error.to_string());
        let mut sink = Sink::new(Arc::new(Source::new(name, text)));
        let mut found = None;
        super::parse_and(
            manifest,
            Some(&mut load),
            &mut sink,
            &mut |documents, facts| {
                let tree = facts.main.clone().unwrap_or_default();
                found = Some(Self {
                    nodes: nodes(documents, &tree, &facts),
                    tree,
                    facts,
                    calculated: HashSet::new(),
                });
            },
        );
        match found {
            Some(found) if !sink.has_errors() => Ok(found),
            _ => Err(Diagnostics(sink.finish())),
        }
    }

    /// The name of the tree that runs, in a document of ours.
    pub fn tree(&self) -> String {
        plain_name(&self.tree)
    }

    /// The nodes of the tree that runs, and of the trees that it calls.
    pub fn nodes(&self) -> &[BtcppNode] {
        &self.nodes
    }

    /// The script of a node as statements over the keys of the tree that runs; empty if it assigns nothing.
    ///
    /// # Errors
    /// Why the script cannot be read or said, in a sentence.
    pub fn statements(&mut self, code: &str, node: &BtcppNode) -> Result<String, String> {
        let script = self.renamed(code, node)?;
        let lowered = self.lowered(&script)?;
        Ok(lowered.statements.join("; "))
    }

    /// When a script that gives a status gives each of them.
    ///
    /// # Errors
    /// As [`statements`](Self::statements).
    pub fn answers(
        &mut self,
        code: &str,
        node: &BtcppNode,
    ) -> Result<Vec<(Status, GivenIf)>, String> {
        let script = self.renamed(code, node)?;
        let [value] = &script[..] else {
            return Err("it is not a single expression".to_owned());
        };
        let mut answers = Vec::new();
        for status in STATUSES {
            let given = match self.gives(value, status)? {
                Ast::Bool(true) => GivenIf::Always,
                Ast::Bool(false) => GivenIf::Never,
                condition => {
                    let lowered = self.lowered(&[condition])?;
                    GivenIf::Holds(lowered.condition.unwrap_or_default())
                }
            };
            answers.push((status.0, given));
        }
        match answers.iter().all(|(_, given)| *given == GivenIf::Never) {
            true => Err("it gives no status".to_owned()),
            false => Ok(answers),
        }
    }

    fn lowered(&mut self, script: &[Ast]) -> Result<script::Lowered, String> {
        let enums = self.facts.enums.clone();
        let lowered = script::lower((script, true), &enums, None, &mut |raw| {
            let held = match held(&self.facts, &self.tree, raw) {
                // Nothing in the file says that it is a number.
                Held::Any | Held::Plain | Held::Numbers if self.calculated.contains(raw) => {
                    Held::Mixed
                }
                held => held,
            };
            let is_there = self.facts.is_there(&self.tree, raw);
            (self.facts.key_in(&self.tree, raw), held, is_there)
        });
        lowered.map_err(|why| why.to_string())
    }

    /// A script with the names of the tree that runs.
    fn renamed(&mut self, code: &str, node: &BtcppNode) -> Result<Vec<Ast>, String> {
        let script = self.facts.enums.parse(code);
        let mut script = script.map_err(|why| why.to_string())?;
        let names = script::names(&script);
        let mut calculated = HashSet::new();
        for part in &mut script {
            part.rename(&mut |name| {
                if is_status(name) {
                    return Ok(());
                }
                let mut renamed = name.clone();
                for (tree, nth) in node.calls.iter().rev() {
                    if renamed.starts_with('@') {
                        break;
                    }
                    let of_caller = self.facts.of_caller((tree, *nth), &renamed);
                    renamed = of_caller.ok_or_else(|| {
                        format!("`{name}` is not a key of the tree that runs, but of one in it")
                    })?;
                }
                let is_known = match renamed.strip_prefix('@') {
                    Some(global) => self.facts.globals.contains(global),
                    None => self.facts.has_key(&self.tree, &renamed),
                };
                if !is_known {
                    return Err(format!("no node of the tree uses `{renamed}`"));
                }
                if names.numbers.contains(name) || names.perhaps.contains(name) {
                    calculated.insert(renamed.clone());
                }
                *name = renamed;
                Ok(())
            })?;
        }
        self.calculated = calculated;
        Ok(script)
    }

    /// That an expression is a status.
    fn gives(&self, value: &Ast, status: (Status, i32)) -> Result<Ast, String> {
        let (name, number) = (status.0.as_str(), status.1);
        let is =
            |value: &Ast, other: Ast| Ast::Compared(Box::new(value.clone()), vec![("==", other)]);
        Ok(match value {
            Ast::Name(other) if is_status(other) => Ast::Bool(other == name),
            Ast::Text(other) => Ast::Bool(other == name),
            Ast::Number(other) => Ast::Bool(*other == f64::from(number)),
            Ast::Whole(other) => Ast::Bool(*other == i64::from(number)),
            Ast::Choice(condition, then, other) => {
                let (then, other) = (self.gives(then, status)?, self.gives(other, status)?);
                chosen(condition, then, other)
            }
            Ast::Name(key) => {
                let text = || is(value, Ast::Text(name.to_owned()));
                let whole = || is(value, Ast::Whole(number.into()));
                match held(&self.facts, &self.tree, key) {
                    Held::Text => text(),
                    Held::Double | Held::Whole => whole(),
                    Held::Any | Held::Plain | Held::Numbers | Held::Mixed | Held::Turned => {
                        Ast::Binary(Operator::Or, Box::new(text()), Box::new(whole()))
                    }
                }
            }
            Ast::Binary(Operator::Arithmetic(_) | Operator::Bits(_), ..) | Ast::Minus(_) => {
                is(value, Ast::Whole(number.into()))
            }
            _ => return Err("its value is not a status".to_owned()),
        })
    }
}

/// `condition ? then : other`, of which the sides are conditions.
fn chosen(condition: &Ast, then: Ast, other: Ast) -> Ast {
    let holds = || Box::new(condition.clone());
    let fails = || Box::new(Ast::Not(holds()));
    let both = |operator, left, right| Ast::Binary(operator, left, Box::new(right));
    match (then, other) {
        (Ast::Bool(then), Ast::Bool(other)) if then == other => Ast::Bool(then),
        (Ast::Bool(true), Ast::Bool(_)) => *holds(),
        (Ast::Bool(false), Ast::Bool(_)) => *fails(),
        (Ast::Bool(true), other) => both(Operator::Or, holds(), other),
        (Ast::Bool(false), other) => both(Operator::And, fails(), other),
        (then, Ast::Bool(true)) => both(Operator::Or, fails(), then),
        (then, Ast::Bool(false)) => both(Operator::And, holds(), then),
        (then, other) => Ast::Choice(holds(), Box::new(then), Box::new(other)),
    }
}

/// A name that a document of ours can have.
fn plain_name(name: &str) -> String {
    match is_plain(name) {
        true => name.to_owned(),
        false => plainer(name),
    }
}

/// The nodes of a tree, and of the trees that it calls.
fn nodes(documents: &[(&File, Document<'_>)], main: &str, facts: &Facts) -> Vec<BtcppNode> {
    let mut trees: HashMap<String, (usize, Node<'_, '_>)> = HashMap::new();
    for (file, (of, document)) in documents.iter().enumerate() {
        let root = document.root_element();
        let mut named = super::TreeNames::of(root);
        for tree in root.children().filter(super::is_tree) {
            let name = named.next(tree);
            let is_wanted = of
                .wanted
                .as_ref()
                .is_none_or(|wanted| wanted.contains(&name));
            // Within a file the last tree of a name counts, and the first file that has it.
            if is_wanted && trees.get(&name).is_none_or(|(known, _)| *known == file) {
                trees.insert(name, (file, tree));
            }
        }
    }
    let mut found = Vec::new();
    let mut pending = vec![(main.to_owned(), String::new(), Vec::new())];
    while let Some((tree, prefix, calls)) = pending.pop() {
        let Some((_, element)) = trees.get(&tree) else {
            continue;
        };
        let mut nth = 0;
        for node in element.descendants().filter(Node::is_element).skip(1) {
            let word = node.tag_name().name();
            let is_call = facts.calls(node);
            let is_explicit = words::EXPLICIT.contains(&word) || dialect::is_subtree(word);
            let id = node.attribute("ID").filter(|_| is_explicit).unwrap_or(word);
            let given = node.attribute("name").filter(|name| !name.is_empty());
            let name = given.unwrap_or(id);
            let path = format!("{prefix}{name}");
            if is_call {
                let mut calls = calls.clone();
                calls.push((tree.clone(), nth));
                nth += 1;
                if calls.len() <= MOST_DEPTH && found.len() < MOST_NODES {
                    pending.push((id.to_owned(), format!("{path}/"), calls));
                }
                continue;
            }
            let answers = facts.leaves.contains_key(id).then(|| match given {
                Some(given) => of_sibling(node, given),
                None => plain_name(id),
            });
            found.push(BtcppNode {
                name: name.to_owned(),
                id: id.to_owned(),
                path,
                answers_as: answers,
                calls: calls.clone(),
            });
        }
    }
    found
}

/// The name of a node: those beside it with the same one are counted.
fn of_sibling(node: Node<'_, '_>, name: &str) -> String {
    let before = node.prev_siblings().skip(1);
    match before
        .filter(|one| one.attribute("name") == Some(name))
        .count()
    {
        0 => name.to_owned(),
        others => format!("{name} {}", others + 1),
    }
}
