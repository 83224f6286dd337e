//! The nodes of the texts with their ids: what a document shows while it is edited, with its mistakes and with what is
//! disabled.

use super::change::Change;
use super::differing::differing;
use super::error::EditError;
use super::machines::is_true;
use super::place::At;
use super::{Editor, File};
use crate::language::{self, Shape, Spot};
use crate::syntax::{Entry, Node, Value};
use crate::{Said, said};
use std::collections::HashMap;
use std::ops::Range;

/// The label of changes that replace any bytes.
pub(super) fn typed() -> Said {
    said!("type")
}

/// What a node of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceRole {
    /// It is at the top of a document: a tree, a machine, a manifest.
    Definition,
    /// A node of a tree; also where a decision tree leads, and what a state does.
    Task,
    /// A key, a port or a leaf, or something in its block.
    Declaration,
    /// A state of a machine.
    State,
    /// A transition of a machine.
    Transition,
    /// A part of a state or transition: `initial`, `entry`, `do`, a condition.
    StatePart,
    /// A question of a decision tree, or `goto` and `none`.
    Question,
    /// An answer of a question, or a case of a `switch` in a tree.
    Answer,
    /// A branch of a decision tree.
    Branch,
    /// A goal or task of a planner, or a method.
    Plan,
    /// A parameter, or a part of a score.
    Argument,
    /// A line of a test of the document.
    Test,
    /// The language has no such word in this place.
    Unknown,
}

/// A value or property of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceEntry {
    /// The name of a property; empty for a value.
    pub name: String,
    /// What the value says: a text without its quotes, a number as it is written, `true`.
    pub value: String,
    /// Whether it is a text, with or without quotes.
    pub is_text: bool,
    /// The bytes of the whole entry.
    pub span: Range<usize>,
    /// The bytes of its value.
    pub value_span: Range<usize>,
}

/// A node of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceNode {
    /// Its id, which it keeps over every edit.
    pub id: u64,
    /// What it is.
    pub role: SourceRole,
    /// The file, by its number in the [`Editor`].
    pub file: usize,
    /// From its first word to its last entry or closing brace.
    pub span: Range<usize>,
    /// From its first word to its last entry.
    pub line: Range<usize>,
    /// Its first word, without quotes.
    pub word: String,
    /// The name that it defines, or its `name=`.
    pub name: Option<String>,
    /// Its values, in order.
    pub values: Vec<SourceEntry>,
    /// Its properties, in order.
    pub properties: Vec<SourceEntry>,
    /// Whether it has `disabled=#true`.
    pub is_disabled: bool,
    /// Whether it, or a node around it, is disabled.
    pub is_out: bool,
    /// The node around it.
    pub parent: Option<u64>,
    /// The nodes in its block.
    pub children: Vec<u64>,
}

/// All nodes of the files of an [`Editor`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOutline {
    nodes: Vec<SourceNode>,
    by_id: HashMap<u64, usize>,
    /// The numbers of the first nodes of each file, and of the one behind the last.
    files: Vec<usize>,
}

impl SourceOutline {
    /// All nodes in the order of the files and of the text, parents before children.
    pub fn nodes(&self) -> &[SourceNode] {
        &self.nodes
    }

    /// The nodes of a file; none when there is no such file.
    pub fn nodes_of(&self, file: usize) -> &[SourceNode] {
        let ends = self.files.get(file).zip(self.files.get(file + 1));
        ends.map_or(&[], |(from, to)| &self.nodes[*from..*to])
    }

    /// The node with that id.
    pub fn node(&self, id: u64) -> Option<&SourceNode> {
        self.by_id.get(&id).map(|at| &self.nodes[*at])
    }

    /// The innermost node whose line or block contains a byte.
    pub fn at(&self, at: impl Into<At>) -> Option<&SourceNode> {
        let At { file, offset } = at.into();
        let nodes = self.nodes_of(file);
        let before = nodes.partition_point(|node| node.span.start <= offset);
        let mut node = &nodes[before.checked_sub(1)?];
        // The last node that begins before the byte is the innermost one, or one that ends before it inside that one.
        while node.span.end < offset {
            node = self.node(node.parent?)?;
        }
        Some(node)
    }
}

impl Editor {
    /// All nodes of the texts, with their ids. Nodes of a file in which something is not closed are there as far as they
    /// could be read.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "tree t {\n    selector {\n        action flee disabled=#true\n        action partol\n    }\n}\n";
    /// let mut editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let flee = editor.outline().at(text.find("action flee").unwrap()).unwrap().clone();
    /// assert!(flee.is_disabled && flee.values[0].value == "flee");
    ///
    /// // It keeps its id in another place, and gets it back when the change is undone.
    /// let undo = editor.apply(&editor.wrap(flee.span.start, "invert")?)?;
    /// let outline = editor.outline();
    /// let moved = outline.node(flee.id).unwrap();
    /// assert_eq!(&editor.text(0)[moved.span.clone()], "action flee");
    /// assert_eq!(outline.node(moved.parent.unwrap()).unwrap().word, "invert");
    /// editor.apply(&undo)?;
    /// assert_eq!(editor.outline().node(flee.id), Some(&flee));
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn outline(&self) -> SourceOutline {
        let mut outline = SourceOutline {
            nodes: Vec::new(),
            by_id: HashMap::new(),
            files: vec![0],
        };
        for (number, file) in self.files.iter().enumerate() {
            outlined(number, file, &mut outline.nodes);
            outline.files.push(outline.nodes.len());
        }
        let all = outline.nodes.iter().enumerate();
        outline.by_id = all.map(|(at, node)| (node.id, at)).collect();
        outline
    }

    /// The id of the innermost node at a byte.
    pub fn id_at(&self, at: impl Into<At>) -> Option<u64> {
        let At { file, offset } = at.into();
        let found = self.files.get(file)?;
        let mut id = None;
        let mut nodes = &found.nodes[..];
        while let Some(index) = super::place::index_at(nodes, offset) {
            id = found.ids.at(nodes[index].span.start);
            nodes = nodes[index].children();
        }
        id
    }

    /// The beginning of the node with that id, as operations take it.
    pub fn place_of(&self, id: u64) -> Option<At> {
        let mut files = self.files.iter().enumerate();
        files.find_map(|(file, found)| {
            let offset = found.ids.start_of(id)?;
            Some(At { file, offset })
        })
    }

    /// Replaces bytes of a file, as somebody does who types: any text is allowed. Nodes outside of these bytes keep their
    /// ids, and so do those in it that say the same as before. While something is not closed, the nodes behind it cannot
    /// be read; they get their ids back when it is closed.
    ///
    /// # Errors
    /// When there is no such file, or when the range is not in its text or cuts a character.
    pub fn replace(
        &self,
        file: usize,
        range: Range<usize>,
        new: &str,
    ) -> Result<Change, EditError> {
        if file >= self.files.len() {
            return Err(EditError::new(said!("there is no file {}", file)));
        }
        let is_in_order = range.start <= range.end;
        let old = self.text(file).get(range.clone()).filter(|_| is_in_order);
        let Some(old) = old else {
            return Err(
                EditError::new(said!("this place does not exist in the text"))
                    .at(file, range.start),
            );
        };
        let splice = super::Splice {
            file,
            range,
            old: old.to_owned(),
            new: new.to_owned(),
        };
        Change::new(typed(), vec![splice])
    }

    /// Replaces the whole text of a file, such as by what another program has written: what is equal at the beginning and
    /// at the end stays.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn rewrite(&self, file: usize, new: &str) -> Result<Change, EditError> {
        let old = self.text(file);
        let (range, text) = differing(old, new).unwrap_or((0..0, ""));
        self.replace(file, range, text)
    }
}

/// The nodes of a file.
fn outlined(number: usize, file: &File, out: &mut Vec<SourceNode>) {
    let first = out.len();
    // A node, the number of its parent, and the places whose words it may have.
    let mut pending: Vec<(&Node, Option<usize>, &[Spot])> = file
        .nodes
        .iter()
        .rev()
        .map(|node| (node, None, &[Spot::Top][..]))
        .collect();
    while let Some((node, parent, spots)) = pending.pop() {
        let own = out.len();
        // Both are parents before children.
        let id = file.ids.all.get(own - first).map_or(0, |(_, id)| *id);
        let is_disabled = is_true(node, "disabled");
        let spot = spot_of(spots, &node.name.value);
        if let Some(parent) = parent {
            let outer: &mut SourceNode = &mut out[parent];
            outer.children.push(id);
        }
        let is_out = is_disabled || parent.is_some_and(|parent| out[parent].is_out);
        let is_value = |entry: &&Entry| entry.name.is_none();
        let (values, properties): (Vec<&Entry>, Vec<&Entry>) =
            node.entries.iter().partition(is_value);
        let entries =
            |all: Vec<&Entry>| all.into_iter().map(|one| entry(file.text(), one)).collect();
        let parent_id = parent.map(|parent| out[parent].id);
        out.push(SourceNode {
            id,
            role: role_of(spot, &node.name.value),
            file: number,
            span: node.extent(),
            line: node.span.clone(),
            word: node.name.value.clone(),
            name: name_of(spot, node),
            values: entries(values),
            properties: entries(properties),
            is_disabled,
            is_out,
            parent: parent_id,
            children: Vec::new(),
        });
        let inner = inner_spots(spot, &node.name.value);
        let children = node.children().iter().rev();
        pending.extend(children.map(|child| (child, Some(own), inner)));
    }
}

/// Which of some places has a word.
pub(super) fn spot_of(spots: &[Spot], word: &str) -> Option<Spot> {
    spots.iter().copied().find(|spot| spot.has(word))
}

/// The places whose words the block of a node may have. An unknown node may contain tasks.
pub(super) fn inner_spots(spot: Option<Spot>, word: &str) -> &'static [Spot] {
    match spot.and_then(|spot| spot.word(word)) {
        Some(row) => row.holds(),
        None => &[Spot::Task],
    }
}

fn role_of(spot: Option<Spot>, word: &str) -> SourceRole {
    match spot {
        None => SourceRole::Unknown,
        Some(Spot::Top) => SourceRole::Definition,
        Some(Spot::Task | Spot::Imported) => SourceRole::Task,
        Some(
            Spot::Key
            | Spot::Port
            | Spot::KeyBlock
            | Spot::Leaves
            | Spot::LeafBlock
            | Spot::Network,
        ) => SourceRole::Declaration,
        Some(Spot::State) => match word {
            "state" | "parallel" => SourceRole::State,
            "transition" => SourceRole::Transition,
            _ => SourceRole::StatePart,
        },
        Some(Spot::Transition | Spot::When) => SourceRole::StatePart,
        Some(Spot::Decision | Spot::DecidedState) => SourceRole::Question,
        Some(Spot::Case | Spot::Rule | Spot::Side | Spot::DecisionCase | Spot::Option) => {
            SourceRole::Answer
        }
        Some(Spot::Branch) => SourceRole::Branch,
        Some(Spot::Planner | Spot::Method) => SourceRole::Plan,
        Some(
            Spot::Given
            | Spot::Score
            | Spot::Found
            | Spot::Considered
            | Spot::Points
            | Spot::Archetype,
        ) => SourceRole::Argument,
        Some(Spot::Test | Spot::Row | Spot::Random) => SourceRole::Test,
    }
}

/// The name that a node defines, or its `name=`.
fn name_of(spot: Option<Spot>, node: &Node) -> Option<String> {
    let row = spot.and_then(|spot| spot.word(&node.name.value));
    let value = row
        .and_then(|row| row.value)
        .map(language::AnyProperty::shape);
    let name = match value {
        Some(Shape::Declares(_)) => node.first_text(),
        _ => node.property_text("name"),
    };
    name.map(|name| name.value.clone())
}

fn entry(text: &str, entry: &Entry) -> SourceEntry {
    let name = entry.name.as_ref();
    SourceEntry {
        name: name.map_or(String::new(), |name| name.value.clone()),
        value: match &entry.value {
            Value::Text(text) => text.value.clone(),
            Value::Bool(value) => value.to_string(),
            _ => text[entry.value_span.clone()].to_owned(),
        },
        is_text: matches!(entry.value, Value::Text(_)),
        span: entry.span.clone(),
        value_span: entry.value_span.clone(),
    }
}
