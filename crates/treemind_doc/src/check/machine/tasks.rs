//! The tasks that states and transitions carry out, and the conditions of transitions.

use super::super::leaves::Leaves;
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::super::{Checker, sibling_name, stranger};
use super::Draft;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::Spot;
use crate::syntax::{Node, Span, Value as Written, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::Kind;
use treemind_core::behaviour::{self, ChildIndex, Declared, StateIndex, Statuses, Summary, Yields};

impl Checker<'_> {
    /// `entry { … }` or `exit { … }`: tasks that end in one tick.
    pub(super) fn carried_out(&mut self, draft: &mut Draft<'_>, node: &Node) -> Vec<ChildIndex> {
        let word = node.name.value.as_str();
        plain_block(node, self.sink);
        let nodes = present(node.children());
        if nodes.is_empty() {
            empty_block(node, self.sink);
        }
        self.tasks(draft, &nodes, &said!("`{}`", word))
    }

    /// Reads tasks that must end in their first tick.
    pub(super) fn tasks(
        &mut self,
        draft: &mut Draft<'_>,
        nodes: &[&Node],
        of: &Said,
    ) -> Vec<ChildIndex> {
        let mut seen = HashMap::new();
        let mut tasks = Vec::with_capacity(nodes.len());
        for node in nodes {
            sibling_name(node, &mut seen, self.sink);
            let lowered = self.node(node, draft.depth + 1);
            if let Some(span) = lowered.about.takes_time {
                too_long(span, of, self.sink);
            }
            tasks.extend(draft.child(lowered.node));
        }
        tasks
    }

    /// What is known of a node of this kind with these children.
    pub(in crate::check) fn summary(&self, kind: &Kind, children: &[Summary]) -> Summary {
        let semaphores = &self.scope.semaphores;
        let declared = Declared {
            keys: &self.scope.keys,
            leaves: &self.leaves,
            leaves_skip: false,
            is_shared: &|semaphore| semaphores.is_shared(semaphore),
        };
        kind.summary(children, declared)
    }

    /// Whether something takes time in a tree that was put in its place; before that, the answer is unknown.
    pub(in crate::check) fn takes_time_inside(
        &self,
        root: Option<&behaviour::Node>,
        span: &Span,
    ) -> Option<Span> {
        self.places.as_ref()?;
        let mut pending = vec![root?];
        while let Some(node) = pending.pop() {
            let children = vec![Summary::UNKNOWN; node.children.len()];
            if self.summary(&node.kind, &children).takes_time {
                return Some(span.clone());
            }
            pending.extend(&node.children);
        }
        None
    }

    /// `do { TASK }`
    pub(super) fn activity(
        &mut self,
        draft: &mut Draft<'_>,
        node: &Node,
        state: StateIndex,
    ) -> Option<ChildIndex> {
        plain_block(node, self.sink);
        let nodes = present(node.children());
        let Some((first, more)) = nodes.split_first() else {
            empty_block(node, self.sink);
            return None;
        };
        let lowered = self.node(first, draft.depth + 1);
        if let Some(second) = more.first() {
            let message = said!("a `do` takes only one node, and this is a second one");
            self.sink
                .error(Code::ExtraChildren, second.span.clone(), message)
                .with_help(said!(
                    "wrap both in a composite, such as `sequence { … }` or `parallel { … }`"
                ));
        }
        for other in more {
            self.node(other, draft.depth + 1);
        }
        let ends =
            [Statuses::SUCCESS, Statuses::FAILURE].map(|end| lowered.about.known.answers.has(end));
        draft.activity_ends.insert(state, ends);
        draft.child(lowered.node)
    }

    /// `when { CONDITION }` in the block of a transition.
    pub(super) fn conditions(&mut self, draft: &mut Draft<'_>, node: &Node) -> Option<ChildIndex> {
        let line = Line::new(node, self.sink);
        if let Some(entry) = line.values().first() {
            let message =
                said!("an expression must be on the line of the transition, not in its block");
            let diagnostic = self
                .sink
                .error(Code::ExtraValue, entry.span.clone(), message);
            if let Written::Text(text) = &entry.value {
                let shown = shortened(&text.value);
                diagnostic.with_help(said!("write `transition … when=\"{}\"`", shown));
            }
            return None;
        }
        finish_in(line, Spot::Transition, self.sink);
        let test = self.one_test(node, draft.depth + 1);
        draft.child(test)
    }

    /// The only condition in a `when` or `not`.
    fn one_test(&mut self, node: &Node, depth: usize) -> Option<behaviour::Node> {
        let word = node.name.value.as_str();
        let tests = present(node.children());
        let Some((first, more)) = tests.split_first() else {
            let message = said!("this `{}` has no condition", word);
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("try `{} { condition NAME; }`", word));
            return None;
        };
        if let Some(second) = more.first() {
            let message = said!(
                "`{}` takes only one condition, and this is a second one",
                word
            );
            self.sink
                .error(Code::ExtraChildren, second.span.clone(), message)
                .with_help(said!("combine them: `all { …; …; }` holds when each of them holds, `any { …; …; }` when one of them holds"));
        }
        let test = self.test(first, depth);
        for other in more {
            self.test(other, depth);
        }
        test
    }

    /// A condition, or several conditions that are combined.
    fn test(&mut self, node: &Node, depth: usize) -> Option<behaviour::Node> {
        let word = node.name.value.as_str();
        if matches!(word, "condition" | "check") {
            return self.node(node, depth).node;
        }
        if !matches!(word, "all" | "any" | "not") {
            self.leaves.no_test(node, self.sink);
            return None;
        }
        if self.sink.is_full() || !self.fits(node, depth) {
            return None;
        }
        let line = Line::new(node, self.sink);
        line.no_values(self.sink);
        finish_in(line, Spot::When, self.sink);
        let yields = Yields::Never;
        if word == "not" {
            let inner = self.one_test(node, depth + 1)?;
            return Some(behaviour::Node::with(Kind::Invert, vec![inner]));
        }
        let tests = present(node.children());
        if tests.is_empty() {
            let message = said!("this `{}` has no conditions", word);
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("try `{} { condition NAME; }`", word));
        }
        let tests: Vec<Option<behaviour::Node>> = tests
            .into_iter()
            .map(|test| self.test(test, depth + 1))
            .collect();
        let tests: Option<Vec<behaviour::Node>> = tests.into_iter().collect();
        let kind = match word {
            "all" => Kind::Sequence { yields },
            _ => Kind::Selector { yields },
        };
        Some(behaviour::Node::with(kind, tests?))
    }
}

/// Checks a node that takes nothing except a block.
fn plain_block(node: &Node, sink: &mut Sink) {
    let mut line = Line::new(node, sink);
    if let Some(extra) = line.values().first() {
        let word = &node.name.value;
        let message = said!("`{}` takes no value", word);
        sink.error(Code::ExtraValue, extra.span.clone(), message)
            .with_help(said!(
                "write its tasks into its block, such as `{} { set \"alarms += 1\"; }`",
                word
            ));
    }
    line.flag("disabled", sink);
    finish_in(line, Spot::State, sink);
}

fn empty_block(node: &Node, sink: &mut Sink) {
    let word = &node.name.value;
    let message = if node.children().is_empty() {
        said!("this `{}` is empty", word)
    } else {
        said!("everything in this `{}` is disabled", word)
    };
    sink.error(Code::MissingChildren, node.span.clone(), message)
        .with_help(said!("remove it"));
}

pub(in crate::check) fn too_long(span: Span, of: &Said, sink: &mut Sink) {
    let message = said!(
        "this may take time, but the tasks of {} must end at once",
        of
    );
    sink
        .error(Code::TakesTime, span, message)
        .with_help(
            said!("move it into the `do { … }` of a state; if the action always ends at once, declare it with `instant={}`", "#true"),
        );
}

impl Leaves {
    /// Reports something other than a condition in a `when`.
    fn no_test(&self, node: &Node, sink: &mut Sink) {
        let word = node.name.value.as_str();
        let ours = match word {
            "sequence" | "reactive-sequence" | "filter" | "and" => Some("all"),
            "selector" | "reactive-selector" | "or" => Some("any"),
            "invert" | "inverter" => Some("not"),
            _ => None,
        };
        let message = said!("`{}` is not allowed among conditions", shortened(word));
        let span = node.name.span.clone();
        if let Some(ours) = ours {
            sink.error(Code::MisplacedNode, span, message)
                .with_help(said!("use `{}` instead", ours));
        } else if self.find(word).is_some() || !Spot::Task.has(word) {
            stranger(node, &said!("among conditions"), &Spot::When.list(), sink);
        } else {
            sink.error(Code::MisplacedNode, span, message)
                .with_help(said!("use a condition: `condition NAME` or `check \"…\"`"));
        }
    }
}
