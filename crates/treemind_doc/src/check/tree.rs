//! `tree`, and every node in it except the arguments of leaves and the cases of `switch`.

use super::children::{count_children, no_children, present_children};
use super::dead_branches::{self, Work};
use super::guards::no_weight;
use super::leaf::{called, how_to_use};
use super::leaves::Leaves;
use super::line::Line;
use super::options::counts_in_nothing;
use super::planner::{PLANNER, PlannedStep, no_step};
use super::reading::Reading;
use super::{Checker, DefinitionKind};
use super::{outcome, sibling_name, stranger};
use crate::code::Code;
use crate::diagnostic::{Reported, Sink};
use crate::expression::Foresight;
use crate::language::{self, Build, Children, Special, Spot, Word};
use crate::suggest;
use crate::syntax::{Node, Span, Value as Written, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::behaviour::{self, Guards, Hooks, Score, Summary};
use treemind_core::{Expr, Kind};

/// What a node is lowered to, and what is known of it.
pub(super) struct Lowered {
    pub(super) node: Option<behaviour::Node>,
    pub(super) about: About,
}

/// What is known of a node before it runs, for the node above.
pub(super) struct About {
    pub(super) known: Summary,
    /// Its weight among its siblings, if it needs one. It is boxed because few nodes have one, and there are millions
    /// of nodes.
    pub(super) weight: Option<Box<Expr>>,
    /// Its score among its siblings, if it needs one.
    pub(super) score: Option<Box<Score>>,
    /// What the planner around it knows of it.
    pub(super) planned: Option<Box<PlannedStep>>,
    /// The first node in it that may still be running at the end of a tick.
    pub(super) takes_time: Option<Span>,
    /// What it does, for the `parallel` around it.
    pub(super) work: Work,
}

/// The children of a node. What is known of them is apart from the nodes, which are large: they go to their parent as
/// they are, without a copy of them all.
pub(super) struct Below {
    pub(super) about: Vec<About>,
    /// `None` if one of them is broken.
    nodes: Option<Vec<behaviour::Node>>,
}

impl Below {
    pub(super) fn with_capacity(children: usize) -> Self {
        Self {
            about: Vec::with_capacity(children),
            nodes: Some(Vec::with_capacity(children)),
        }
    }

    pub(super) fn push(&mut self, child: Lowered) {
        self.about.push(child.about);
        match (&mut self.nodes, child.node) {
            (Some(nodes), Some(node)) => nodes.push(node),
            (nodes, _) => *nodes = None,
        }
    }
}

/// What is assumed of a broken node: nothing is known of what it does.
const BROKEN: Summary = Summary {
    watched: true,
    ..Summary::UNKNOWN
};

impl Lowered {
    pub(super) fn broken() -> Self {
        Self {
            node: None,
            about: About {
                known: BROKEN,
                weight: None,
                score: None,
                planned: None,
                takes_time: None,
                work: Work::UNKNOWN,
            },
        }
    }
}

/// What a node has on its line, whatever it does.
struct Heading {
    weight: Option<Box<Expr>>,
    score: Option<Box<Score>>,
    planned: Option<Box<PlannedStep>>,
    /// What the node has itself; an error if it cannot be read.
    parts: Result<HeadingParts, Reported>,
}

/// What becomes part of a node, whatever it does.
struct HeadingParts {
    name: Option<String>,
    doc: Option<String>,
    guards: Guards,
    hooks: Hooks,
    has_when: bool,
}

/// The nodes that are not disabled.
pub(crate) fn present(nodes: &[Node]) -> Vec<&Node> {
    let is_disabled = |node: &Node| {
        node.entries.iter().any(|entry| {
            let named = entry
                .name
                .as_ref()
                .is_some_and(|name| name.value == "disabled");
            named && entry.value == Written::Bool(true)
        })
    };
    nodes.iter().filter(|node| !is_disabled(node)).collect()
}

impl Checker<'_> {
    pub(super) fn root(&mut self, node: &Node, depth: usize) -> Option<behaviour::Node> {
        let mut nodes = present(node.children());
        nodes.retain(|child| !language::is_item(&child.name.value));
        let mut nodes = nodes.into_iter();
        let Some(first) = nodes.next() else {
            let is_disabled = |child: &Node| !language::is_item(&child.name.value);
            let (message, help) = if !node.children().iter().any(is_disabled) {
                (
                    said!("this tree has no node"),
                    said!("put the first node of the tree into its block: `tree NAME { … }`"),
                )
            } else {
                (
                    said!("all nodes of this tree are disabled"),
                    said!("enable a node: a tree cannot be disabled as a whole"),
                )
            };
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(help);
            return None;
        };
        if let Some(second) = nodes.next() {
            let message = said!("a tree has only one root, and this is a second one");
            self.sink
                .error(Code::ExtraChildren, second.span.clone(), message)
                .with_help(said!(
                    "wrap both in a composite, such as `sequence { … }` or `selector { … }`"
                ));
        }
        let root = self.node(first, depth).node;
        for other in nodes {
            self.node(other, depth);
        }
        root
    }

    /// A node and all below it; the root has depth 1.
    pub(super) fn node(&mut self, node: &Node, depth: usize) -> Lowered {
        self.node_under(None, node, depth)
    }

    /// The same where the kind of the parent matters.
    pub(super) fn node_under(
        &mut self,
        above: Option<&'static str>,
        node: &Node,
        depth: usize,
    ) -> Lowered {
        if self.sink.is_full() {
            return Lowered::broken();
        }
        let found = language::node_word(&node.name.value);
        let Some((word, task)) = found.and_then(|word| Some((word, word.task.as_ref()?))) else {
            return self.no_node(above, node, depth);
        };
        if !self.fits(node, depth) {
            return Lowered::broken();
        }
        let before = self.sink.error_count();
        let mut line = Line::new(node, self.sink);
        let heading = self.heading(&mut line, above);
        let built = match task.build {
            Build::Of(read) => {
                let children = self.children_of(node, word, depth);
                let kind = read(&mut Reading::new(self, &mut line, &children.about));
                Built::new(children, kind)
            }
            Build::By(special) => self.special(special, &mut line, word, (depth, above)),
            // Documents have no word for it.
            Build::Import => Built::new(Below::with_capacity(0), None),
        };
        if depth == 1 {
            counts_in_nothing(&mut line, self.sink);
        }
        let (known, takes_time, work) = self.judged(node, word, &built);
        no_weight(&mut line, self.sink);
        no_step(&mut line, self.sink);
        line.finish(word, self.sink);
        let Heading {
            weight,
            score,
            planned,
            parts,
        } = heading;
        let known = match &parts {
            Ok(parts) => known.with(&parts.guards, &parts.hooks),
            // The guards or hooks are unknown, so nothing is known of the node.
            Err(_) => BROKEN,
        };
        let is_sound = self.sink.error_count() == before;
        Lowered {
            node: parts
                .ok()
                .filter(|_| is_sound)
                .and_then(|parts| built.under(parts))
                .map(|made| self.of_element(node, made)),
            about: About {
                known,
                weight,
                score,
                planned,
                takes_time,
                work,
            },
        }
    }

    /// Keeps the element that a node was read from, if its file is one of BehaviorTree.CPP.
    fn of_element(&self, node: &Node, mut made: behaviour::Node) -> behaviour::Node {
        if self.sink.is_foreign()
            && let text = self.sink.slice(&node.span)
            && text.starts_with('<')
        {
            let elements = &mut made.written.parts_mut().elements;
            elements.insert(0, (node.span.start, text.into()));
        }
        made
    }

    /// A word that stands for no node. Its children can be checked all the same, unless it holds something else.
    fn no_node(&mut self, above: Option<&str>, node: &Node, depth: usize) -> Lowered {
        self.leaves.unknown_node(above, node, self.sink);
        let holds_others = [Spot::Top, Spot::Key, Spot::Score, Spot::Considered];
        if language::find(&holds_others, &node.name.value).is_none() {
            for child in present(node.children()) {
                self.node(child, depth + 1);
            }
        }
        Lowered::broken()
    }

    /// Reads what every node may have on its line, whatever it does.
    fn heading(&mut self, line: &mut Line<'_>, above: Option<&'static str>) -> Heading {
        let name = line.text("name", self.sink);
        if let Some(text) = name
            && text.value.trim().is_empty()
        {
            self.sink.error(
                Code::BadName,
                text.span.clone(),
                said!("this name is empty"),
            );
        }
        let name = name.map(|text| text.value.clone());
        let doc = line.doc(self.sink);
        line.flag("disabled", self.sink);
        let weight = match above {
            Some("weighted-selector") => self.weight(line).map(Box::new),
            _ => None,
        };
        let score = self.score_under(above, line).map(Box::new);
        let planned = self.planned_under(above, line);
        let is_step = above == Some(PLANNER);
        let foresight = if is_step {
            Foresight::Asked
        } else {
            Foresight::None
        };
        let guards = self.foreseeing(foresight, |checker| checker.guards(line, above));
        let hooks = self.hooks(line, is_step);
        let has_when = line.has("when");
        let parts = guards.and_then(|guards| {
            Ok(HeadingParts {
                name,
                doc,
                guards,
                hooks: hooks?,
                has_when,
            })
        });
        Heading {
            weight,
            score,
            planned,
            parts,
        }
    }

    /// What is known of a node without its guards and hooks: what it answers, what in it takes time, and what it does
    /// for a `parallel`. Branches that are never reached are reported.
    fn judged(
        &mut self,
        node: &Node,
        word: &'static Word,
        built: &Built,
    ) -> (Summary, Option<Span>, Work) {
        let about = &built.children.about;
        let below: Vec<Summary> = about.iter().map(|child| child.known).collect();
        let Some(kind) = &built.kind else {
            // A tree in its place. Its answers are not judged here, because each tree is judged alone.
            let known = match built.inlined {
                Some(_) => Summary::UNKNOWN,
                None => BROKEN,
            };
            return (known, self.slow_part(node, built, known), Work::UNKNOWN);
        };
        let known = self.summary(kind, &below);
        let takes_time = self.slow_part(node, built, known);
        let work = Work::of(kind, about, &self.leaves);
        dead_branches::judge(node, word, kind, about, self.sink);
        if let Some(child) = below.first() {
            outcome::judge_loop(node, kind, child.answers, self.sink);
        }
        (known, takes_time, work)
    }

    /// The first node that may still be running at the end of a tick: the node itself, or one in it.
    fn slow_part(&self, node: &Node, built: &Built, known: Summary) -> Option<Span> {
        if known.takes_time {
            return Some(node.span.clone());
        }
        if built.inlined.is_some() {
            return self.takes_time_inside(built.inlined.as_ref(), &node.span);
        }
        let mut slow = built.children.about.iter();
        slow.find_map(|child| child.takes_time.clone())
    }

    /// A node that refers to leaves or other definitions, or has its own form of block.
    fn special(
        &mut self,
        special: Special,
        line: &mut Line<'_>,
        word: &'static Word,
        (depth, above): (usize, Option<&str>),
    ) -> Built {
        let held = match special {
            Special::Subtree => DefinitionKind::Tree,
            Special::Machine => DefinitionKind::Machine,
            Special::Decide => DefinitionKind::Decision,
            Special::Planner => DefinitionKind::Planner,
            Special::Switch => return self.switch(line, depth).into(),
            Special::Scope => return self.scope(line, word, depth).into(),
            Special::ForEach => return self.for_each(line, word, depth).into(),
            Special::Rules => return self.rules(line, depth).into(),
            Special::Find => {
                let kind = self.find(line, word);
                return Built::new(Below::with_capacity(0), kind);
            }
            Special::SubtreeBy => {
                no_children(line.node, word, self.sink);
                return self.subtree_by(line, depth).into();
            }
            Special::Condition
            | Special::Action
            | Special::Set
            | Special::Service
            | Special::Own
            | Special::Emit
            | Special::Rate
            | Special::Policy
            | Special::Received => {
                let children = self.children_of(line.node, word, depth);
                let kind = match special {
                    Special::Condition => self.condition(line, word),
                    Special::Set => self.set_node(line),
                    Special::Service => self.service(line, word),
                    Special::Own => self.own_node(line, word),
                    Special::Emit => self.emit(line, word),
                    Special::Received => self.received(line, word),
                    Special::Rate => self.rate(line),
                    Special::Policy => self.policy(line, word),
                    _ => self.action(line, word),
                };
                return Built::new(children, kind);
            }
        };
        no_children(line.node, word, self.sink);
        Built {
            children: Below::with_capacity(0),
            kind: None,
            inlined: self.subtree(line, (held, above), depth),
        }
    }

    /// Checks the number of children, then each child.
    pub(super) fn children_of(&mut self, node: &Node, word: &'static Word, depth: usize) -> Below {
        if word.children() == Children::None {
            no_children(node, word, self.sink);
            return Below::with_capacity(0);
        }
        let nodes = present_children(node, word);
        let name = word.name;
        count_children(node, word, &nodes, self.sink);
        let mut seen = HashMap::new();
        let mut lowered = Below::with_capacity(nodes.len());
        for child in &nodes {
            sibling_name(child, &mut seen, self.sink);
            lowered.push(self.node_under(Some(name), child, depth + 1));
        }
        let known: Vec<Summary> = lowered.about.iter().map(|child| child.known).collect();
        outcome::judge_children(node, &nodes, &known, self.sink);
        lowered
    }
}

impl Leaves {
    fn unknown_node(&self, above: Option<&str>, node: &Node, sink: &mut Sink) {
        let name = node.name.value.as_str();
        let word = shortened(name);
        let span = node.name.span.clone();
        if language::find(&[Spot::Score, Spot::Considered, Spot::Points], name).is_some() {
            let message = said!(
                "`{}` is only allowed in the block of a child of a `utility-selector`",
                word
            );
            sink.error(Code::MisplacedNode, span, message);
            return;
        }
        let elsewhere = [
            Spot::Given,
            Spot::KeyBlock,
            Spot::Case,
            Spot::Rule,
            Spot::Found,
            Spot::Archetype,
            Spot::Key,
            Spot::Port,
            Spot::Top,
        ];
        let is_elsewhere = language::find(&elsewhere, name).is_some()
            || language::decision_words().any(|word| word == name)
            || language::is_planned_word(name);
        if is_elsewhere {
            stranger(node, &said!("in a tree"), &[], sink);
            return;
        }
        let help = self.meant_node(above, name, &word);
        let message = said!("unknown node `{}`", word);
        sink.error(Code::UnknownNode, span, message)
            .with_perhaps(help);
    }

    fn meant_node(&self, above: Option<&str>, name: &str, word: &str) -> Option<Said> {
        if let Some(leaf) = self.named(name) {
            let how = how_to_use(leaf.kind, word);
            let kind = called(leaf.kind.keyword());
            return Some(said!("to use the {} `{}`, {}", kind, word, how));
        }
        if let Some(ours) = language::spelt_otherwise(name) {
            return Some(suggest::meant(ours));
        }
        if let Some(way) = language::foreign_way(name) {
            return Some(way);
        }
        if let Some(ours) = language::foreign(name) {
            return Some(said!("use `{}` instead", ours));
        }
        let parts = match above {
            Some(PLANNER) => Spot::Planner.list(),
            _ => Vec::new(),
        };
        let near = suggest::nearest(word, parts.into_iter().chain(Spot::Task.list()));
        near.map(suggest::meant)
    }
}

/// What a node is lowered to.
struct Built {
    children: Below,
    kind: Option<Kind>,
    /// The tree that is put in place of the node.
    inlined: Option<behaviour::Node>,
}

impl Built {
    fn new(children: Below, kind: Option<Kind>) -> Self {
        Self {
            children,
            kind,
            inlined: None,
        }
    }

    /// The node, with what is on its line. `None` if it or a child is broken.
    fn under(self, parts: HeadingParts) -> Option<behaviour::Node> {
        match self.inlined {
            Some(root) => Some(inlined_under(root, parts)),
            None => {
                let HeadingParts {
                    name,
                    doc,
                    guards,
                    hooks,
                    has_when,
                } = parts;
                let mut node = behaviour::Node {
                    name,
                    doc,
                    guards,
                    hooks,
                    ..behaviour::Node::with(self.kind?, self.children.nodes?)
                };
                if has_when {
                    node.written.parts_mut().when = true;
                }
                Some(node)
            }
        }
    }
}

/// The root of a tree that is put in place of a node, with what is on the line of the node.
fn inlined_under(mut root: behaviour::Node, parts: HeadingParts) -> behaviour::Node {
    // Where both the place and the root have guards or hooks, an extra node was put between them.
    if !parts.guards.is_empty() {
        root.guards = parts.guards;
        if parts.has_when || root.written.has_when() {
            root.written.parts_mut().when = parts.has_when;
        }
    }
    if !parts.hooks.is_empty() {
        root.hooks = parts.hooks;
    }
    root.doc = parts.doc.or(root.doc);
    root
}

impl From<(Below, Option<Kind>)> for Built {
    fn from((children, kind): (Below, Option<Kind>)) -> Self {
        Self::new(children, kind)
    }
}

/// Whether a node in the block of another is a child, and not a key, a parameter or a score.
pub(super) fn is_child(word: &Word, node: &Node) -> bool {
    let others = word.holds().iter();
    let mut others = others.filter(|spot| {
        matches!(
            spot,
            Spot::Key | Spot::Given | Spot::Score | Spot::Found | Spot::Considered
        )
    });
    !others.any(|spot| spot.has(&node.name.value))
}
