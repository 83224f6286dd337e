//! Where the lines of an outline are in the texts.
//!
//! A behaviour does not know its text. But its outline has the nodes of the text in the same order, so the two are
//! walked together: a line stands for the next node that says the same. What stands in the text without a line of its
//! own, such as `yes`, is passed through. A line without a node is left out, and the lines inside of it are looked for
//! where it would be.

use super::Editor;
use super::place::{At, NodeView};
use crate::outline::{About, OutlineLine, outline_lines};
use std::collections::HashMap;
use std::ops::Range;
use treemind_core::Behaviour;
use treemind_core::behaviour::Written;

/// How many trees within trees are followed.
const DEEPEST: usize = 64;

impl Editor {
    /// For each line of the outline of a behaviour that these texts define: its file, and the bytes of its node without
    /// its block. `None` for a line that has no node of its own.
    pub fn outline_places(&self, behaviour: &Behaviour) -> Vec<Option<(usize, Range<usize>)>> {
        let lines = outline_lines(behaviour);
        Walk::new(self, behaviour, &lines).through(behaviour.name())
    }
}

/// Whether a node of a tree is a key or a port of it.
fn is_item(word: &str) -> bool {
    matches!(word, "key" | "in" | "out" | "inout")
}

/// A file, and the bytes of a node without its block.
type Place = Option<(usize, Range<usize>)>;

/// An outline and a text, walked together.
struct Walk<'w> {
    editor: &'w Editor,
    behaviour: &'w Behaviour,
    lines: &'w [OutlineLine],
    /// The trees, machines and decision trees, by their first words and names.
    definitions: HashMap<(String, &'w str), NodeView>,
    found: Vec<Place>,
}

/// The first value of a node, without quotes.
fn value<'e>(editor: &'e Editor, node: &NodeView) -> &'e str {
    let first = node.entries.iter().find(|entry| entry.name.is_none());
    let text = first.map(|entry| &editor.text(node.at.file)[entry.value.clone()]);
    text.unwrap_or("").trim_matches('"')
}

impl<'w> Walk<'w> {
    fn new(editor: &'w Editor, behaviour: &'w Behaviour, lines: &'w [OutlineLine]) -> Self {
        let tops = (0..editor.file_count()).flat_map(|file| editor.top(file));
        let nodes = tops.filter_map(|at| editor.node(at).ok());
        let nodes =
            nodes.filter(|node| matches!(&*node.word, "tree" | "machine" | "decide" | "planner"));
        Self {
            editor,
            behaviour,
            lines,
            definitions: nodes
                .map(|node| ((node.word.clone(), value(editor, &node)), node))
                .collect(),
            found: vec![None; lines.len()],
        }
    }

    /// The place of each line of a definition.
    fn through(mut self, name: &'w str) -> Vec<Place> {
        // The first line of a planner is the planner.
        if self.lines.first().is_some_and(|line| line.indent == 0)
            && let Some(planner) = self.definition("planner", name)
        {
            self.siblings(0..self.lines.len(), vec![planner], 0);
            return self.found;
        }
        let words: &[&str] = match self.lines.first().map(|line| line.about) {
            Some(About::Node(_)) => &["tree", "decide", "machine", "planner"],
            Some(About::State(..) | About::Transition(..)) => &["machine"],
            Some(About::Test(..) | About::Way(..)) => &["decide"],
            _ => &["machine", "planner", "decide", "tree"],
        };
        // A tree and a machine may have the same name.
        let definition = words.iter().find_map(|word| self.definition(word, name));
        if let Some(definition) = definition {
            let nodes = self.children(&definition);
            self.siblings(0..self.lines.len(), nodes, 0);
        }
        self.found
    }

    /// The tree, machine or decision tree with a name.
    fn definition(&self, word: &str, name: &'w str) -> Option<NodeView> {
        self.definitions.get(&(word.to_owned(), name)).cloned()
    }

    /// The first value of a node, without quotes.
    fn value(&self, node: &NodeView) -> &'w str {
        value(self.editor, node)
    }

    /// A property of a node, without quotes.
    fn property(&self, node: &NodeView, name: &str) -> Option<&'w str> {
        let mut entries = node.entries.iter();
        let entry = entries.find(|entry| entry.name.as_deref() == Some(name))?;
        let text = &self.editor.text(node.at.file)[entry.value.clone()];
        Some(text.trim_matches('"'))
    }

    /// The nodes of a block that may have lines: what only groups others is left out.
    fn children(&self, node: &NodeView) -> Vec<NodeView> {
        let mut out = Vec::new();
        self.collect(&node.children, &mut out);
        out
    }

    fn collect(&self, all: &[At], out: &mut Vec<NodeView>) {
        for at in all {
            let Ok(node) = self.editor.node(*at) else {
                continue;
            };
            if self.property(&node, "disabled") == Some("#true") {
                continue;
            }
            match node.word.as_str() {
                "yes" | "no" => self.collect(&node.children, out),
                _ => out.push(node),
            }
        }
    }

    /// Finds the nodes of lines that stand side by side, and of all inside of them. Answers the nodes after the last one.
    fn siblings(
        &mut self,
        range: Range<usize>,
        mut nodes: Vec<NodeView>,
        depth: usize,
    ) -> Vec<NodeView> {
        let mut at = range.start;
        while at < range.end {
            let indent = self.lines[at].indent;
            let inner = self.lines[at + 1..range.end].iter();
            let end = at + 1 + inner.take_while(|line| line.indent > indent).count();
            nodes = self.one(at, at + 1..end, nodes, depth);
            at = end;
        }
        nodes
    }

    /// Finds the node of a line, and those of the lines inside of it. Answers the nodes after it.
    fn one(
        &mut self,
        at: usize,
        inside: Range<usize>,
        mut nodes: Vec<NodeView>,
        depth: usize,
    ) -> Vec<NodeView> {
        let line = &self.lines[at];
        let found = (0..nodes.len()).find_map(|nth| {
            let (node, children) = self.stands_for(line, &nodes[nth], depth)?;
            Some((nth, node, children))
        });
        let Some((nth, node, children)) = found else {
            return self.siblings(inside, nodes, depth);
        };
        self.found[at] = Some((node.at.file, node.line));
        let rest = self.siblings(inside, children, depth + 1);
        nodes.drain(..=nth);
        // What follows from a no stands inside of a test, and its lines stand after those of the test.
        match line.about {
            About::Test(..) => rest.into_iter().chain(nodes).collect(),
            _ => nodes,
        }
    }

    /// The node that a line stands for, if that is this one, and what is inside of it.
    fn stands_for(
        &self,
        line: &OutlineLine,
        node: &NodeView,
        depth: usize,
    ) -> Option<(NodeView, Vec<NodeView>)> {
        if !self.says(line, node) {
            return None;
        }
        let inside = match (depth < DEEPEST, self.written(line)) {
            (false, _) => Some(node.clone()),
            (true, Some(written)) => self.in_place(node, written),
            (true, None) => Some(self.referred(node).unwrap_or_else(|| node.clone())),
        };
        let children = inside.map_or_else(Vec::new, |inside| self.children(&inside));
        Some((node.clone(), children))
    }

    /// How the node of a line is written, if trees are put in its place.
    fn written(&self, line: &OutlineLine) -> Option<&'w Written> {
        let About::Node(id) = line.about else {
            return None;
        };
        let written = &self.behaviour.node(id).written;
        (!written.places().is_empty()).then_some(written)
    }

    /// What contains the nodes inside of a line that puts trees in its place: the root of the innermost tree, or this
    /// tree itself if another node stands above its root.
    fn in_place(&self, node: &NodeView, written: &Written) -> Option<NodeView> {
        let mut tree = self.referred(node)?;
        for _ in 1..written.places().len() {
            tree = self.referred(&self.root(&tree)?)?;
        }
        if written.is_above() {
            return Some(tree);
        }
        let root = self.root(&tree)?;
        Some(self.referred(&root).unwrap_or(root))
    }

    /// The root of a tree.
    fn root(&self, tree: &NodeView) -> Option<NodeView> {
        let mut children = self.children(tree).into_iter();
        children.find(|child| !is_item(&child.word))
    }

    /// The definition that a node puts in its place.
    fn referred(&self, node: &NodeView) -> Option<NodeView> {
        if let Some(name) = self.property(node, "decide") {
            return self.definition("decide", name);
        }
        let word = match node.word.as_str() {
            "subtree" => "tree",
            "machine" => "machine",
            "decide" => "decide",
            "planner" => "planner",
            _ => return None,
        };
        match node.children.is_empty() || word == "tree" {
            true => self.definition(word, self.value(node)),
            false => None,
        }
    }

    /// Whether a line of the outline and a node of the text are the same.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn says(&self, line: &OutlineLine, node: &NodeView) -> bool {
        let mut words = line.text.split_whitespace();
        let word = words.next().unwrap_or("");
        let next = words.next().unwrap_or("").trim_matches('"');
        let value = self.value(node);
        if word == "decide" && self.property(node, "decide") == Some(next) {
            return true;
        }
        match line.about {
            About::State(..) => value == next && node.word == word,
            About::Transition(..) => {
                let to = self.property(node, "to");
                // A decision tree between states says where to go: `state NAME`.
                let is_leaf = node.word == "state" && node.children.is_empty() && value == next;
                is_leaf
                    || node.word == "transition"
                        && to.is_none_or(|to| next.rsplit('/').next() == to.rsplit('/').next())
            }
            About::Test(..) => match word {
                "test" => !matches!(
                    node.word.as_str(),
                    "action" | "goto" | "switch" | "random" | "branch" | "case" | "option"
                ),
                _ => node.word == word,
            },
            About::Goal(..) | About::Rule(..) => node.word == word && value == next,
            About::Way(..) | About::Method(..) | About::Part => node.word == word,
            About::Node(_) => {
                let is_leaf = matches!(word, "action" | "condition" | "subtree");
                node.word == word && (!is_leaf || value == next)
            }
        }
    }
}
