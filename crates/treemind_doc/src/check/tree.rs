//! `tree`, and every node in it but the arguments of leaves and the cases of `switch`.

use super::leaf::how_to_use;
use super::line::{Line, not_yet};
use super::outcome;
use super::utility::SCORE;
use super::{Checker, What};
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Node, Span, Value as Written, shortened};
use crate::vocabulary::{self, Children, NodeWord};
use std::collections::HashMap;
use treemind_core::behaviour::{self, Score, Skips, Summary, Threshold, Yields};
use treemind_core::{Expr, Kind};

/// A node that was checked; what is known of its answers.
pub(super) struct Lowered {
    pub(super) node: Option<behaviour::Node>,
    /// What is known of it before it runs.
    pub(super) known: Summary,
    /// Its weight among its siblings, if it needs one. Few do, and nodes come by the million.
    pub(super) weight: Option<Box<Expr>>,
    /// What speaks for it among its siblings, if it needs that.
    pub(super) score: Option<Box<Score>>,
    /// The first node in it that may still be running at the end of a tick.
    pub(super) takes_time: Option<Span>,
}

/// What is taken to be known of a node that is broken: nothing is said of what it does.
const BROKEN: Summary = Summary {
    watched: true,
    ..Summary::UNKNOWN
};

impl Lowered {
    pub(super) fn broken() -> Self {
        Self {
            node: None,
            known: BROKEN,
            weight: None,
            score: None,
            takes_time: None,
        }
    }
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
        nodes.retain(|child| !vocabulary::IN_TREE.contains(&child.name.value.as_str()));
        let mut nodes = nodes.into_iter();
        let Some(first) = nodes.next() else {
            let is_disabled = |child: &Node| {
                let word = child.name.value.as_str();
                !vocabulary::IN_TREE.contains(&word)
            };
            let (message, help) = if !node.children().iter().any(is_disabled) {
                (
                    "this tree has no node",
                    "put the first node of the tree into its block: `tree NAME { … }`",
                )
            } else {
                (
                    "this tree has no node that is in use",
                    "a tree cannot be disabled as a whole",
                )
            };
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(help);
            return None;
        };
        if let Some(second) = nodes.next() {
            let message = "a tree has one root, and this is a second";
            self.sink
                .error(Code::ExtraChildren, second.span.clone(), message)
                .with_help(
                    "put both into a composite, such as `sequence { … }` or `selector { … }`",
                );
        }
        let root = self.node(first, depth).node;
        for other in nodes {
            self.node(other, depth);
        }
        root
    }

    /// A node and all below it; the root has depth 1.
    pub(super) fn node(&mut self, node: &Node, depth: usize) -> Lowered {
        let above = std::mem::take(&mut self.above);
        if self.sink.is_full() {
            return Lowered::broken();
        }
        let Some(word) = vocabulary::node_word(&node.name.value) else {
            self.unknown_node(node);
            if !vocabulary::LATER_WITHOUT_NODES.contains(&node.name.value.as_str()) {
                // What is in it can be checked all the same.
                for child in present(node.children()) {
                    self.node(child, depth + 1);
                }
            }
            return Lowered::broken();
        };
        if !self.fits(node, depth) {
            return Lowered::broken();
        }
        let before = self.sink.error_count();
        let mut line = Line::new(node, self.sink);
        let name = line.text("name", self.sink);
        if let Some(text) = name
            && text.value.trim().is_empty()
        {
            self.sink
                .error(Code::BadName, text.span.clone(), "this name is empty");
        }
        let name = name.map(|text| text.value.clone());
        let doc = line.doc(self.sink);
        line.flag("disabled", self.sink);
        let weight = if above == Some("weighted-selector") {
            self.weight(&mut line).map(Box::new)
        } else {
            None
        };
        let score = self.score_under(above, &mut line).map(Box::new);
        let guards = self.guards(&mut line, above);
        let hooks = self.hooks(&mut line);
        let mut inlined = None;
        let (children, kind) = if word.children == Children::Cases {
            self.switch(&mut line, depth)
        } else if word.name == "scope" {
            self.scope(&mut line, word, depth)
        } else if word.name == "subtree" {
            self.no_children(node, word.name);
            inlined = self.subtree(&mut line, What::Tree, depth);
            (Vec::new(), None)
        } else if word.name == "machine" {
            self.no_children(node, word.name);
            inlined = self.subtree(&mut line, What::Machine, depth);
            (Vec::new(), None)
        } else if word.name == "decide" {
            self.no_children(node, word.name);
            inlined = self.subtree(&mut line, What::Decision, depth);
            (Vec::new(), None)
        } else if word.name == "subtree-by" {
            self.no_children(node, word.name);
            self.subtree_by(&mut line, depth)
        } else if word.name == "for-each" {
            self.for_each(&mut line, word, depth)
        } else {
            let children = self.children_of(node, word, depth);
            let kind = self.kind(&mut line, word, &children);
            (children, kind)
        };
        if depth == 1 {
            self.counts_in_nothing(&mut line);
        }
        let below: Vec<Summary> = children.iter().map(|child| child.known).collect();
        let known = match &kind {
            Some(kind) => self.summary(kind, &below),
            // A tree in its place: what it answers is not looked at, so that each is judged by itself.
            None if inlined.is_some() => Summary::UNKNOWN,
            None => BROKEN,
        };
        let takes_time = if known.takes_time {
            Some(node.span.clone())
        } else if inlined.is_some() {
            self.takes_time_inside(inlined.as_ref(), &node.span)
        } else {
            children.iter().find_map(|child| child.takes_time.clone())
        };
        if let (Some(kind), Some(child)) = (&kind, below.first())
            && let Some(runs) = outcome::spins(kind, child.answers)
        {
            self.spinning_loop(node, runs);
        }
        let known = match (&guards, &hooks) {
            (Ok(guards), Ok(hooks)) => known.with(guards, hooks),
            // What they are is not known, so nothing is.
            _ => BROKEN,
        };
        self.no_weight(&mut line);
        self.finish_line(line, word);
        let below: Option<Vec<behaviour::Node>> =
            children.into_iter().map(|child| child.node).collect();
        let (Ok(guards), Ok(hooks), false) = (guards, hooks, self.sink.error_count() > before)
        else {
            return Lowered {
                node: None,
                known,
                weight,
                score,
                takes_time,
            };
        };
        if let Some(mut root) = inlined {
            // Where both have some, a node stands between.
            if !guards.is_empty() {
                root.guards = guards;
            }
            if !hooks.is_empty() {
                root.hooks = hooks;
            }
            root.doc = doc.or(root.doc);
            return Lowered {
                node: Some(root),
                known,
                weight,
                score,
                takes_time,
            };
        }
        let node = kind.zip(below).map(|(kind, children)| behaviour::Node {
            name,
            doc,
            guards,
            hooks,
            ..behaviour::Node::with(kind, children)
        });
        Lowered {
            node,
            known,
            weight,
            score,
            takes_time,
        }
    }

    fn finish_line(&mut self, line: Line<'_>, word: &NodeWord) {
        let mut known: Vec<&str> = word.properties.to_vec();
        known.extend(vocabulary::COMMON_PROPERTIES);
        known.extend(vocabulary::GUARDS_AND_HOOKS);
        let later: Vec<&str> = [word.later, vocabulary::LATER_PROPERTIES].concat();
        line.finish(&known, &later, self.sink);
    }

    fn unknown_node(&mut self, node: &Node) {
        let name = node.name.value.as_str();
        let word = shortened(name);
        let span = node.name.span.clone();
        if vocabulary::LATER_NODES.contains(&name) {
            self.sink.error(Code::NotYet, span, not_yet(&word));
            return;
        }
        if [SCORE, "consider", "point"].contains(&name) {
            let message =
                format!("`{word}` stands in the block of a child of a `utility-selector`");
            self.sink.error(Code::MisplacedNode, span, message);
            return;
        }
        let elsewhere = ["param", "value", "case", "default", "given"].contains(&name)
            || vocabulary::IN_TREE.contains(&name)
            || vocabulary::IN_DECISION.contains(&name);
        if elsewhere || vocabulary::TOP.contains(&name) || vocabulary::LATER_TOP.contains(&name) {
            self.stranger(node, "in a tree", &[], &[]);
            return;
        }
        let help = self.meant_node(name, &word);
        let message = format!("no kind of node is named `{word}`");
        self.sink.error(Code::UnknownNode, span, message).help = help;
    }

    fn meant_node(&self, name: &str, word: &str) -> Option<String> {
        if let Some(leaf) = self.leaf_ids.get(name) {
            let kind = self.leaves[leaf.index()].kind;
            let how = how_to_use(kind, word);
            return Some(format!("`{word}` is one of the {}s: {how}", kind.keyword()));
        }
        if let Some(ours) = vocabulary::foreign(name) {
            return Some(format!("it is called `{ours}` here"));
        }
        let now = vocabulary::NODES.iter().map(|node| node.name);
        let all = now.chain(vocabulary::LATER_NODES.iter().copied());
        suggest::nearest(word, all).map(|near| format!("did you mean `{near}`?"))
    }

    /// Checks that there are as many children as there must be, then each of them.
    pub(super) fn children_of(
        &mut self,
        node: &Node,
        word: &NodeWord,
        depth: usize,
    ) -> Vec<Lowered> {
        if word.children == Children::None {
            self.no_children(node, word.name);
            return Vec::new();
        }
        let mut nodes = present(node.children());
        let name = word.name;
        nodes.retain(|child| is_child(name, child));
        self.count_children(node, word, &nodes);
        let mut seen = HashMap::new();
        let mut lowered = Vec::with_capacity(nodes.len());
        let (mut blocked, mut warned) = (false, false);
        for child in &nodes {
            self.sibling_name(child, &mut seen);
            self.above = Some(name);
            let checked = self.node(child, depth + 1);
            if blocked && !warned {
                // One warning is enough: what comes behind is in the same case.
                warned = true;
                let (message, help) = outcome::never_runs(name);
                self.sink
                    .warning(Code::NeverRuns, child.span.clone(), message)
                    .with_help(help);
            }
            blocked |= outcome::stops(name, checked.known.answers);
            if name == "filter" && checked.known.asks && checked.known.watched {
                let has_task = lowered.iter().any(|child: &Lowered| !child.known.watched);
                if has_task {
                    self.late_condition(child);
                }
            }
            lowered.push(checked);
        }
        let known: Vec<Summary> = lowered.iter().map(|child| child.known).collect();
        // There may be too few children for it, which is reported above.
        if let Some((index, message, help)) = outcome::never_chosen(name, &known)
            && let Some(child) = nodes.get(index)
        {
            self.sink
                .warning(Code::NeverRuns, child.span.clone(), message)
                .with_help(help);
        }
        lowered
    }

    fn spinning_loop(&mut self, node: &Node, runs: u32) {
        let message = format!(
            "this loop lets no time pass: each tick it runs its child {runs} times, and that is a fault"
        );
        self.sink
            .warning(Code::SpinningLoop, node.name.span.clone(), message)
            .with_help("without `yields=` there is one run per tick");
    }

    fn kind(&mut self, line: &mut Line<'_>, word: &NodeWord, children: &[Lowered]) -> Option<Kind> {
        match word.name {
            "condition" => self.condition(line, word),
            "action" => self.action(line, word),
            "check" => self.check_node(line),
            "set" => self.set_node(line),
            "unset" => self.unset(line),
            "wait" => {
                let secs = self.seconds(line, "wait 0.5");
                let jitter = self.more_seconds(line, "jitter");
                Some(Kind::Wait {
                    secs: secs?,
                    jitter: jitter?,
                })
            }
            "interrupt" => self.interrupt(line),
            "interruptible" => self.interruptible(line),
            "semaphore" => self.semaphore(line),
            "service" => self.service(line, word),
            "node" => self.own_node(line, word),
            "limit" => self.limit(line),
            "chance" => self.chance(line),
            "cooldown" => {
                let secs = self.seconds(line, "cooldown 2.0");
                let words = &[("failure", false), ("skipped", true)];
                let else_skipped = self.choice(line, "else", words);
                Some(Kind::Cooldown {
                    secs: secs?,
                    else_skipped: else_skipped?,
                })
            }
            "timeout" => self.timeout(line),
            "weighted-selector" => {
                line.no_values(self.sink);
                let weights: Option<Vec<Expr>> = children
                    .iter()
                    .map(|child| child.weight.as_deref().cloned())
                    .collect();
                Some(Kind::WeightedSelector { weights: weights? })
            }
            "utility-selector" => self.utility_selector(line, children),
            "delay" => {
                let secs = self.seconds(line, "delay 0.5")?;
                Some(Kind::Delay { secs })
            }
            "changed" => self.key_of(line).map(|key| Kind::Changed { key }),
            "on-change" => self.on_change(line),
            "log" => self.log(line),
            "emit" => self.emit(line, word),
            "repeat" | "retry" => self.counted_loop(line),
            other => {
                line.no_values(self.sink);
                self.plain_kind(other, line, children.len())
            }
        }
    }

    fn plain_kind(&mut self, name: &str, line: &mut Line<'_>, children: usize) -> Option<Kind> {
        Some(match name {
            "succeed" => Kind::Succeed,
            "fail" => Kind::Fail,
            "run" => Kind::Run,
            "sequence" => Kind::Sequence {
                yields: self.yields(line, Yields::Never)?,
            },
            "selector" => Kind::Selector {
                yields: self.yields(line, Yields::Never)?,
            },
            "sticky-sequence" => {
                let reset_on_abort = line.flag("reset-on-abort", self.sink);
                Kind::StickySequence {
                    yields: self.yields(line, Yields::Never)?,
                    reset_on_abort,
                    leaves_open: false,
                }
            }
            "reactive-sequence" | "filter" => Kind::ReactiveSequence,
            "reactive-selector" => Kind::ReactiveSelector,
            "monitor" => Kind::Monitor,
            "random-selector" => Kind::RandomSelector {
                replacement: line.flag("replacement", self.sink),
            },
            "random-sequence" => Kind::RandomSequence {
                replacement: line.flag("replacement", self.sink),
            },
            "if" => Kind::If,
            "reactive-if" => Kind::ReactiveIf,
            "try-catch" => Kind::TryCatch {
                on_abort: self.catches_abort(line),
            },
            "until-failure" => Kind::UntilFailure {
                pace: self.pace(line)?,
            },
            "until-success" => Kind::UntilSuccess {
                pace: self.pace(line)?,
            },
            "keep-running-until-failure" => Kind::KeepRunningUntilFailure,
            "run-once" => Kind::RunOnce {
                then_skip: self.choice(line, "then", &[("answer", false), ("skipped", true)])?,
            },
            "invert" => Kind::Invert,
            "force-success" => Kind::ForceSuccess {
                even_running: line.flag("even-running", self.sink),
            },
            "force-failure" => Kind::ForceFailure {
                even_running: line.flag("even-running", self.sink),
            },
            "simple-parallel" => Kind::SimpleParallel {
                waits: self.choice(line, "finish", &[("immediate", false), ("delayed", true)])?,
            },
            "parallel" => {
                let success = self.threshold(line, "success", Threshold::All, children);
                let failure = self.threshold(line, "failure", Threshold::Count(1), children);
                let words = &[
                    ("absent", Skips::Absent),
                    ("absent-even-all", Skips::AbsentEvenAll),
                    ("pending", Skips::Pending),
                ];
                let skips = self.choice(line, "skipped", words);
                let judging = self.judging(line);
                Kind::Parallel {
                    success: success?,
                    failure: failure?,
                    skips: skips?,
                    judging: judging?,
                }
            }
            "parallel-all" => Kind::ParallelAll {
                max_failures: self.max_failures(line, children)?,
            },
            _ => return None,
        })
    }

    /// `on-abort=` of a `try-catch` is a flag; statements in quotes are what they are on any node.
    fn catches_abort(&mut self, line: &mut Line<'_>) -> bool {
        let is_hook = line
            .property("on-abort")
            .is_some_and(|entry| matches!(entry.value, Written::Text(_)));
        !is_hook && line.flag("on-abort", self.sink)
    }
}

/// Whether what stands in the block of a node is one of its children; a `scope` has keys beside its child, leaves
/// have parameters, and any node may have a score.
pub(super) fn is_child(parent: &str, node: &Node) -> bool {
    match node.name.value.as_str() {
        "key" => parent != "scope",
        "param" => !vocabulary::takes_params(parent),
        SCORE => false,
        _ => true,
    }
}

/// What stands in the block of a node whose children differ in what they mean.
pub(super) fn shape(name: &str) -> Option<&'static str> {
    match name {
        "if" => Some(
            "its children are the test, what follows on success, and what follows on failure if anything does",
        ),
        "reactive-if" => Some(
            "its children are the test, what runs while it succeeds, and what runs while it fails if anything does",
        ),
        "try-catch" => Some("its last child runs when one of those in front of it fails"),
        "simple-parallel" => Some("its children are the task, and what goes on beside it"),
        _ => None,
    }
}
