//! Trees of BehaviorTree.CPP as a document of Treemind's own.

use super::{Body, Draft, Found, TreeOf};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::syntax::{Node, Span, Value};
use treemind_core::behaviour::{Kind, Leaf, LeafKind, Skips, Threshold, Times, Yields};
use treemind_core::{Expr, Value as Literal};

/// What is said of `SequenceWithMemory`, which differs in a corner that no option is worth.
const LEFT_OPEN: &str = "`SequenceWithMemory` becomes `sticky-sequence`: a child that is skipped in the middle of its run and \
     stays open is aborted when a later one fails, and BehaviorTree.CPP leaves it open";

/// A document, and what it does not say any more.
pub(crate) struct Written {
    pub(crate) nodes: Vec<Node>,
    pub(crate) lost: Vec<String>,
}

/// The document; `None` when something in it has no words here, about which there is a diagnostic then.
pub(super) fn write(found: &Found, sink: &mut Sink) -> Option<Written> {
    let mut writer = Writer {
        found,
        lost: Vec::new(),
        refused: Vec::new(),
    };
    let mut nodes = Vec::new();
    if let Some(main) = &found.main {
        nodes.push(Node::made("main").text("tree", main));
    }
    if !found.leaves.is_empty() {
        let leaves = found.leaves.iter().map(|leaf| {
            let is_condition = leaf.kind == LeafKind::Condition;
            Node::made(if is_condition { "condition" } else { "action" }).word(&leaf.name)
        });
        nodes.push(Node::made("leaves").block(leaves.collect()));
    }
    for tree in &found.trees {
        let root = tree.root.as_ref()?;
        let root = writer.node(root, tree);
        let mut node = Node::made("tree").word(&tree.name);
        if let Some(doc) = &tree.doc {
            node = node.text("doc", doc);
        }
        nodes.push(node.block(vec![root]));
    }
    for (span, what) in &writer.refused {
        let message = format!("{what} has no words in a document of Treemind's own");
        sink.error(Code::NoForm, span.clone(), message);
    }
    writer.refused.is_empty().then_some(Written {
        nodes,
        lost: writer.lost,
    })
}

struct Writer<'f> {
    found: &'f Found,
    lost: Vec<String>,
    /// The tree, and what in it.
    refused: Vec<(Span, String)>,
}

impl Writer<'_> {
    /// Recurses once per level, of which there are as many as a tree may have.
    fn node(&mut self, draft: &Draft, tree: &TreeOf) -> Node {
        let mut node = match &draft.body {
            // A subtree is put in its place without the name of that place.
            Body::SubTree(number) => {
                return Node::made("subtree").word(&self.found.trees[*number].name);
            }
            Body::Kind(kind) => self.line(kind, tree),
        };
        if let Some(name) = &draft.name {
            node = node.text("name", name);
        }
        if let Some(doc) = &draft.doc {
            node = node.text("doc", doc);
        }
        if draft.children.is_empty() {
            return node;
        }
        let children = draft.children.iter().map(|child| self.node(child, tree));
        let children = children.collect();
        node.block(children)
    }

    fn leaf(&self, leaf: usize) -> &Leaf {
        &self.found.leaves[leaf]
    }

    fn line(&mut self, kind: &Kind, tree: &TreeOf) -> Node {
        let plain = Node::made;
        match kind {
            Kind::Condition { leaf, .. } => plain("condition").word(&self.leaf(leaf.index()).name),
            Kind::Action { leaf, .. } => plain("action").word(&self.leaf(leaf.index()).name),
            Kind::Sequence { yields } => yielding(plain("sequence"), *yields, Yields::Never),
            Kind::Selector { yields } => yielding(plain("selector"), *yields, Yields::Never),
            Kind::StickySequence { yields, .. } => {
                if !self.lost.iter().any(|lost| lost == LEFT_OPEN) {
                    self.lost.push(LEFT_OPEN.to_owned());
                }
                yielding(plain("sticky-sequence"), *yields, Yields::Never)
            }
            Kind::ReactiveSequence => plain("reactive-sequence"),
            Kind::ReactiveSelector => plain("reactive-selector"),
            Kind::Parallel {
                success,
                failure,
                skips,
                ..
            } => {
                let node = self.threshold(plain("parallel"), "success", *success, tree);
                let node = self.threshold(node, "failure", *failure, tree);
                match skips {
                    Skips::Absent => node,
                    Skips::AbsentEvenAll => node.text("skipped", "absent-even-all"),
                    Skips::Pending => node.text("skipped", "pending"),
                }
            }
            Kind::ParallelAll { max_failures: 0 } => {
                self.refuse(tree, "`ParallelAll` with `max_failures=\"0\"`")
            }
            Kind::ParallelAll { max_failures } => {
                plain("parallel-all").property("max-failures", Value::Int((*max_failures).into()))
            }
            Kind::If => plain("if"),
            Kind::ReactiveIf => plain("reactive-if"),
            Kind::TryCatch { on_abort: false } => plain("try-catch"),
            Kind::TryCatch { on_abort: true } => {
                plain("try-catch").property("on-abort", Value::Bool(true))
            }
            Kind::Invert => plain("invert"),
            Kind::ForceSuccess { .. } => plain("force-success"),
            Kind::ForceFailure { .. } => plain("force-failure"),
            Kind::Repeat { times, pace, .. } => {
                yielding(counted(plain("repeat"), times), pace.yields, Yields::Always)
            }
            Kind::Retry { times, pace, .. } => {
                yielding(counted(plain("retry"), times), pace.yields, Yields::Always)
            }
            Kind::KeepRunningUntilFailure => plain("keep-running-until-failure"),
            Kind::RunOnce { then_skip: false } => plain("run-once"),
            Kind::RunOnce { then_skip: true } => plain("run-once").text("then", "skipped"),
            Kind::Delay { secs } => plain("delay").value(number(secs)),
            Kind::Timeout { secs } => plain("timeout").value(number(secs)),
            Kind::Wait { secs, .. } => plain("wait").value(number(secs)),
            Kind::Succeed => plain("succeed"),
            Kind::Fail => plain("fail"),
            _ => self.refuse(tree, "a kind of node in this tree"),
        }
    }

    fn refuse(&mut self, tree: &TreeOf, what: &str) -> Node {
        self.refused.push((tree.span.clone(), what.to_owned()));
        Node::made("fail")
    }

    fn threshold(&mut self, node: Node, name: &str, threshold: Threshold, tree: &TreeOf) -> Node {
        match threshold {
            Threshold::All | Threshold::AllBut(0) => node.text(name, "all"),
            Threshold::Count(1) => node.text(name, "one"),
            Threshold::Count(count @ 1..) => node.property(name, Value::Int(count.into())),
            Threshold::Count(0) | Threshold::Exactly(_) | Threshold::AllBut(_) => {
                let what = format!("a `Parallel` whose `{name}_count` is 0, or less than -1");
                self.refuse(tree, &what);
                node
            }
        }
    }
}

fn yielding(node: Node, yields: Yields, default: Yields) -> Node {
    let word = match yields {
        yields if yields == default => return node,
        Yields::Never => "never",
        Yields::Fresh => "fresh",
        Yields::Always => "always",
    };
    node.text("yields", word)
}

fn counted(node: Node, times: &Times) -> Node {
    match times {
        Times::Forever => node.word("forever"),
        Times::Count(count) => node.value(number(count)),
    }
}

/// All numbers of this dialect are written out.
fn number(expr: &Expr) -> Value {
    match expr {
        Expr::Value(Literal::Int(number)) => Value::Int((*number).into()),
        Expr::Value(Literal::Double(number)) => Value::Decimal(*number, format!("{number:?}")),
        _ => Value::Null,
    }
}
