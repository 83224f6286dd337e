//! Elements to nodes.

use super::words::{self, Builtin, Children};
use super::{Body, Declared, Draft, Leaves, TreeOf, tag};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::suggest;
use crate::syntax::{Span, shortened};
use roxmltree::{Attribute, Node};
use std::collections::HashMap;
use treemind_core::behaviour::{
    Counting, Judging, Kind, Leaf, MAX_DEPTH, Skips, Threshold, Times, Yields,
};
use treemind_core::{Expr, Value};

/// What is known while a document is read.
pub(super) struct Lowering<'s> {
    pub(super) sink: &'s mut Sink,
    pub(super) models: HashMap<String, Declared>,
    pub(super) numbers: HashMap<String, usize>,
    trees: Vec<TreeOf>,
    pub(super) leaves: Leaves,
    /// The tree that is being read: how deep it is, how many nodes it has, and where it holds others.
    depth: usize,
    size: usize,
    uses: Vec<(usize, usize, Span)>,
    is_too_deep: bool,
}

impl<'s> Lowering<'s> {
    pub(super) fn new(sink: &'s mut Sink) -> Self {
        Self {
            sink,
            models: HashMap::new(),
            numbers: HashMap::new(),
            trees: Vec::new(),
            leaves: Leaves::default(),
            depth: 0,
            size: 0,
            uses: Vec::new(),
            is_too_deep: false,
        }
    }

    pub(super) fn finish(self) -> (Vec<TreeOf>, Vec<Leaf>) {
        (self.trees, self.leaves.list)
    }

    pub(super) fn not_yet(&mut self, element: Node<'_, '_>, what: &str) {
        let message = format!("BehaviorTree.CPP has {what}, but this version cannot run it yet");
        self.sink.error(Code::NotYet, tag(element), message);
    }

    /// The elements in an element; text among them is reported.
    pub(super) fn elements<'a, 'd>(&mut self, parent: Node<'a, 'd>) -> Vec<Node<'a, 'd>> {
        let mut elements = Vec::new();
        for child in parent.children() {
            if child.is_element() {
                elements.push(child);
            } else if child.is_text() {
                let range = child.range();
                let text = self.sink.slice(&range);
                let Some(begin) = text.find(|c: char| !c.is_whitespace()) else {
                    continue;
                };
                let span = range.start + begin..range.start + text.trim_end().len();
                let message = "text between elements means nothing";
                self.sink
                    .error(Code::Xml, span, message)
                    .with_help("a comment is written `<!-- … -->`");
            }
        }
        elements
    }

    /// `<TreeNodesModel>`
    pub(super) fn model(&mut self, model: Node<'_, '_>) {
        for element in model.children().filter(Node::is_element) {
            let word = element.tag_name().name();
            let declared = match word {
                "Condition" => Declared::Condition,
                "Action" => Declared::Action,
                "Control" | "Decorator" => Declared::Inner,
                "SubTree" => Declared::SubTree,
                _ => {
                    let word = shortened(word);
                    let known = words::EXPLICIT.iter().copied().chain(["SubTree"]);
                    let help = suggest::did_you_mean(&word, known.clone(), || {
                        Some(format!("what can stand here is {}", suggest::listed(known)))
                    });
                    let message = format!("`<{word}>` cannot stand in a model");
                    self.sink
                        .error(Code::UnknownNode, tag(element), message)
                        .help = help;
                    continue;
                }
            };
            let Some(id) = self.id(element) else { continue };
            let known = *self.models.entry(id.to_owned()).or_insert(declared);
            if known != declared {
                let message = format!("`{}` is another kind of node above", shortened(id));
                self.sink.error(Code::WrongLeafKind, tag(element), message);
            }
        }
    }

    /// The value of `ID`, which must be there.
    fn id<'a>(&mut self, element: Node<'a, '_>) -> Option<&'a str> {
        let word = shortened(element.tag_name().name());
        match element.attribute_node("ID") {
            Some(id) if id.value().trim().is_empty() => {
                let message = "this name is empty";
                self.sink.error(Code::BadName, id.range(), message);
                None
            }
            Some(_) => element.attribute("ID"),
            None => {
                let message = format!("`<{word}>` does not say which one it is");
                self.sink
                    .error(Code::MissingValue, tag(element), message)
                    .with_help(format!("write `<{word} ID=\"…\">`"));
                None
            }
        }
    }

    /// Finds out the names of trees before they are read, as they may stand in any order.
    pub(super) fn name_trees(&mut self, elements: &[Node<'_, '_>]) {
        for (number, element) in elements.iter().enumerate() {
            let (name, span) = match element.attribute_node("ID") {
                Some(id) if !id.value().trim().is_empty() => {
                    (id.value().to_owned(), id.range_value())
                }
                None if elements.len() == 1 => ("BehaviorTree".to_owned(), tag(*element)),
                _ => {
                    self.id(*element);
                    (String::new(), tag(*element))
                }
            };
            if !name.is_empty() && self.numbers.insert(name.clone(), number).is_some() {
                let message = format!("two trees are named `{}`", shortened(&name));
                self.sink.error(Code::Duplicate, span.clone(), message);
            }
            self.trees.push(TreeOf {
                name,
                span,
                doc: None,
                root: None,
                uses: Vec::new(),
                depth: 0,
                size: 0,
            });
        }
    }

    /// `<BehaviorTree ID="…">`
    pub(super) fn tree(&mut self, number: usize, element: Node<'_, '_>) {
        if self.sink.is_full() {
            return;
        }
        (self.depth, self.size, self.uses) = (0, 0, Vec::new());
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        for attribute in others {
            if attribute.name() != "ID" {
                let word = shortened(attribute.name());
                let message = format!("`<BehaviorTree>` has no attribute `{word}`");
                let help = suggest::nearest(&word, ["ID"]);
                self.sink
                    .error(Code::UnknownProperty, attribute.range_qname(), message)
                    .help = help.map(|_| "did you mean `ID`?".to_owned());
            }
        }
        let nodes = self.elements(element);
        let mut drafts = nodes.iter().map(|node| self.node(*node, 1));
        let root = drafts.next().flatten();
        drafts.for_each(drop);
        match nodes.get(1) {
            Some(second) => {
                let message = "a tree has one root, and this is a second";
                self.sink
                    .error(Code::ExtraChildren, tag(*second), message)
                    .with_help("put both into a control node, such as `<Sequence>`");
            }
            None if nodes.is_empty() => {
                let message = "this tree has no node";
                self.sink
                    .error(Code::MissingChildren, tag(element), message)
                    .with_help("put the first node of the tree into it");
            }
            None => {}
        }
        let tree = &mut self.trees[number];
        (tree.root, tree.doc) = (root, common.doc);
        (tree.depth, tree.size) = (self.depth, self.size);
        tree.uses = std::mem::take(&mut self.uses);
    }

    /// A node and all below it; the root has depth 1. `None` when there is a mistake in it.
    fn node(&mut self, element: Node<'_, '_>, depth: usize) -> Option<Draft> {
        if self.sink.is_full() {
            return None;
        }
        if depth > MAX_DEPTH {
            if !self.is_too_deep {
                self.is_too_deep = true;
                let message = format!("nodes are nested deeper than {MAX_DEPTH}");
                self.sink.error(Code::TooDeep, tag(element), message);
            }
            return None;
        }
        self.depth = self.depth.max(depth);
        self.size += 1;
        let word = element.tag_name().name();
        if word == "SubTree" {
            return self.subtree(element, depth);
        }
        let is_explicit = words::EXPLICIT.contains(&word);
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        let nodes = self.elements(element);
        let children: Vec<Option<Draft>> = nodes
            .iter()
            .map(|node| self.node(*node, depth + 1))
            .collect();
        let name = if is_explicit { self.id(element)? } else { word };
        let body = match words::of(name) {
            Some(builtin) => {
                self.known_ports(builtin, &others, is_explicit);
                let well = self.count_children(element, builtin, &nodes);
                let kind = self.kind(element, builtin, &others, nodes.len());
                well.then_some(kind?)?
            }
            None => self.leaf(element, (name, is_explicit), &others, &nodes)?,
        };
        let children: Option<Vec<Draft>> = children.into_iter().collect();
        let mut children = children?;
        // No time at all is no limit here, and a node that does nothing is left out.
        if let Kind::Timeout { secs } = &body
            && *secs == seconds(0)
        {
            return children.pop();
        }
        Some(Draft {
            body: Body::Kind(body),
            name: common.name,
            doc: common.doc,
            children,
        })
    }

    fn count_children(
        &mut self,
        element: Node<'_, '_>,
        builtin: &Builtin,
        nodes: &[Node<'_, '_>],
    ) -> bool {
        let name = builtin.name;
        let (least, most) = match builtin.children {
            Children::None => (0, Some((0, "no child"))),
            Children::One => (1, Some((1, "one child"))),
            Children::Many => (1, None),
            Children::TwoOrThree => (2, Some((3, "at most three children"))),
            Children::TwoOrMore => (2, None),
        };
        if nodes.len() < least {
            let needs = match builtin.children {
                Children::One => "the node that it acts on",
                _ if least == 1 => "at least one child",
                _ => "at least two children",
            };
            let message = format!("`{name}` needs {needs}");
            self.sink
                .error(Code::MissingChildren, tag(element), message);
            return false;
        }
        if let Some((most, words)) = most
            && let Some(extra) = nodes.get(most)
        {
            let message = format!("`{name}` takes {words}, and this is one too many");
            let diagnostic = self.sink.error(Code::ExtraChildren, tag(*extra), message);
            if most == 1 {
                diagnostic.with_help("put the children into a control node, such as `<Sequence>`");
            }
            return false;
        }
        true
    }

    fn kind(
        &mut self,
        element: Node<'_, '_>,
        builtin: &Builtin,
        ports: &[Attribute<'_, '_>],
        children: usize,
    ) -> Option<Kind> {
        let never = Yields::Never;
        let fresh = Yields::Fresh;
        Some(match builtin.name {
            "Sequence" => Kind::Sequence { yields: never },
            "AsyncSequence" => Kind::Sequence { yields: fresh },
            "SequenceWithMemory" => Kind::StickySequence {
                yields: fresh,
                reset_on_abort: false,
                leaves_open: true,
            },
            "ReactiveSequence" => Kind::ReactiveSequence,
            "Fallback" => Kind::Selector { yields: never },
            "AsyncFallback" => Kind::Selector { yields: fresh },
            "ReactiveFallback" => Kind::ReactiveSelector,
            "Parallel" => self.parallel(element, ports, children)?,
            "ParallelAll" => {
                let given = self.number(element, ports, "max_failures", i32::MIN, Some(1))?;
                let count = self.counted(ports, "max_failures", given, children)?;
                Kind::ParallelAll {
                    max_failures: count,
                }
            }
            "IfThenElse" => Kind::If,
            "WhileDoElse" => Kind::ReactiveIf,
            "TryCatch" => Kind::TryCatch {
                on_abort: self.flag(ports, "catch_on_halt", false)?,
            },
            "Inverter" => Kind::Invert,
            "ForceSuccess" => Kind::ForceSuccess {
                even_running: false,
            },
            "ForceFailure" => Kind::ForceFailure {
                even_running: false,
            },
            "Repeat" => Kind::Repeat {
                times: self.times(element, ports, "num_cycles")?,
                pace: fresh.into(),
                counting: Counting::Runs,
                ignores_result: false,
            },
            "RetryUntilSuccessful" => Kind::Retry {
                times: self.times(element, ports, "num_attempts")?,
                pace: fresh.into(),
                counting: Counting::Runs,
                ignores_result: false,
            },
            "KeepRunningUntilFailure" => Kind::KeepRunningUntilFailure,
            "RunOnce" => Kind::RunOnce {
                then_skip: self.flag(ports, "then_skip", true)?,
            },
            "Delay" => Kind::Delay {
                secs: seconds(self.number(element, ports, "delay_msec", 0, None)?),
            },
            "Timeout" => Kind::Timeout {
                secs: seconds(self.number(element, ports, "msec", 0, None)?),
            },
            "AlwaysSuccess" => Kind::Succeed,
            "AlwaysFailure" => Kind::Fail,
            "Sleep" => Kind::Wait {
                secs: seconds(self.number(element, ports, "msec", 0, None)?),
                jitter: None,
            },
            _ => return None,
        })
    }

    /// How often a loop runs: -1 is for ever, and all else below 1 is not at all.
    fn times(
        &mut self,
        element: Node<'_, '_>,
        ports: &[Attribute<'_, '_>],
        port: &str,
    ) -> Option<Times> {
        let count = self.number(element, ports, port, i32::MIN, None)?;
        if count == -1 {
            return Some(Times::Forever);
        }
        if count < 1 {
            let name = shortened(element.tag_name().name());
            let message = format!("with `{port}=\"{count}\"`, `{name}` never runs its child");
            let diagnostic = self.sink.warning(Code::LoopOfZero, tag(element), message);
            if count < -1 {
                diagnostic.with_help("no limit is `-1`");
            }
        }
        let count = i64::from(count.max(0));
        Some(Times::Count(Expr::Value(Value::Int(count))))
    }

    fn parallel(
        &mut self,
        element: Node<'_, '_>,
        ports: &[Attribute<'_, '_>],
        children: usize,
    ) -> Option<Kind> {
        let success = self.number(element, ports, "success_count", i32::MIN, Some(-1));
        let failure = self.number(element, ports, "failure_count", i32::MIN, Some(1));
        let (success, failure) = (success?, failure?);
        let needed = self.counted(ports, "success_count", success, children);
        let failed = self.counted(ports, "failure_count", failure, children);
        let (needed, failed) = (needed?, failed?);
        // Only a negative count of successes takes skipped children as if they were not there.
        let (success, skips) = match (success, needed) {
            (0.., _) => (Threshold::Count(needed), Skips::Pending),
            (_, 0) => (Threshold::Count(0), Skips::AbsentEvenAll),
            (_, needed) => {
                let spared = u32::try_from(children).unwrap_or(u32::MAX) - needed;
                (Threshold::AllBut(spared), Skips::AbsentEvenAll)
            }
        };
        // Failures are counted one by one, so that "exactly" differs from "at least" with none.
        let failure = match failed {
            0 => Threshold::Exactly(0),
            count => Threshold::Count(count),
        };
        Some(Kind::Parallel {
            success,
            failure,
            skips,
            judging: Judging::default(),
        })
    }

    /// A threshold: -1 stands for all children, -2 for all but one, and so on.
    fn counted(
        &mut self,
        ports: &[Attribute<'_, '_>],
        port: &str,
        given: i32,
        children: usize,
    ) -> Option<u32> {
        let children = i64::try_from(children).unwrap_or(i64::MAX);
        let given = i64::from(given);
        let count = if given < 0 {
            (children + given + 1).max(0)
        } else {
            given
        };
        if count > children && children > 0 {
            let found = ports.iter().find(|attribute| attribute.name() == port);
            if let Some(attribute) = found {
                let message = format!(
                    "`{port}=\"{given}\"` cannot be reached with {}",
                    match children {
                        1 => "1 child".to_owned(),
                        count => format!("{count} children"),
                    }
                );
                self.sink
                    .error(Code::BadThreshold, attribute.range_value(), message);
            }
            return None;
        }
        u32::try_from(count).ok()
    }

    /// `<SubTree ID="…"/>`
    fn subtree(&mut self, element: Node<'_, '_>, depth: usize) -> Option<Draft> {
        let before = self.sink.error_count();
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        for attribute in others {
            let name = attribute.name();
            let is_off = matches!(attribute.value().trim(), "false" | "0");
            if name == "ID" || (name == "_autoremap" && is_off) {
                continue;
            }
            let message = if name == "_autoremap" {
                "`_autoremap` shares the blackboard with a subtree, which this version cannot do yet"
                    .to_owned()
            } else {
                format!(
                    "`{}` is a port of a subtree, which this version cannot run yet",
                    shortened(name)
                )
            };
            self.sink.error(Code::NotYet, attribute.range(), message);
        }
        if let Some(child) = self.elements(element).first() {
            let message = "`SubTree` has no children";
            self.sink
                .error(Code::ExtraChildren, tag(*child), message)
                .with_help("the nodes of a subtree stand in its `<BehaviorTree>`");
        }
        let name = self.id(element)?;
        let Some(number) = self.numbers.get(name).copied() else {
            let word = shortened(name);
            let names = self.trees.iter().map(|tree| tree.name.as_str());
            let help = suggest::did_you_mean(&word, names.clone(), || {
                Some(format!("the trees are {}", suggest::listed(names)))
            });
            let message = format!("no tree is named `{word}`");
            let span = element.attribute_node("ID").map(|id| id.range_value());
            let span = span.unwrap_or(tag(element));
            self.sink.error(Code::UnknownTree, span, message).help = help;
            return None;
        };
        self.uses.push((number, depth, tag(element)));
        (self.sink.error_count() == before).then_some(Draft {
            body: Body::SubTree(number),
            name: common.name,
            doc: common.doc,
            children: Vec::new(),
        })
    }
}

/// Milliseconds as the seconds of a node.
fn seconds(milliseconds: i32) -> Expr {
    Expr::Value(Value::Double(f64::from(milliseconds) / 1_000.0))
}
