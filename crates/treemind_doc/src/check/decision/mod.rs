//! `decide NAME { … }`: tests that lead down to one task.
//!
//! Every block is a *part*. Parts are read one after the other from a list, so that neither nested blocks nor branches
//! that lead to branches cause deep recursion. A test leads to a *goal*: another test, a task, or a part. The target of
//! a `goto` is one part however many `goto`s lead there. The same holds for a decision tree inside another one. So
//! shared parts stay shared.

mod best;
mod branches;
pub(crate) mod facts;
mod graph;
mod names;
mod paths;
mod states;
mod tests;

use super::line::Line;
use super::reading::finish_in;
use super::subtree::{MAX_NODES, MAX_SIZE};
use super::tree::present;
use super::{Checker, DefinitionKind, Synchronization, sibling_name};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::Frame;
use crate::language::{self, Spot};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Value as Written};
pub(super) use best::hold;
use branches::{Branches, goto};
use facts::Declared;
pub use graph::Layout;
use states::StateLeaf;
pub(super) use states::leads_to_states;
use std::collections::HashMap;
use treemind_core::Kind;
use treemind_core::behaviour::{self, DecisionStep};

/// Where a test leads, while the decision tree is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// Another test, by its number in the draft.
    Step(usize),
    /// A task, by its number in the draft.
    Leaf(usize),
    /// The beginning of a part.
    Part(usize),
    /// Nothing: the document says `none`.
    Said,
    /// Nothing: the document says nothing.
    None,
}

/// A block.
struct Part<'n> {
    nodes: Vec<&'n Node>,
    /// The definition that it is in, by its number in the draft.
    of: usize,
    /// The branch of that definition that it is part of.
    branch: Option<usize>,
    /// Its first goal, once it has been read.
    entry: Goal,
}

/// A test, whose ways lead nowhere yet.
struct Step<'n> {
    step: DecisionStep,
    /// One per way, as [`DecisionStep::ways`] has them.
    goals: Vec<Goal>,
    node: &'n Node,
    /// The definition that it is in, by its number in the draft.
    of: usize,
    span: Span,
    /// It is a `switch` whose cases take every value.
    takes_all: bool,
    /// The spans of the cases of a `switch`.
    cases: Vec<Span>,
    /// The span of its `default`, unless the cases are already known to take every value.
    default: Option<Span>,
}

/// The definition that is being read, or one inside it.
struct Placed<'n> {
    held: usize,
    /// Its name, if it is inside another definition.
    name: Option<String>,
    /// Its keys, if they are not visible already.
    frame: Option<Frame>,
    branches: Branches<'n>,
    /// Its first part.
    part: usize,
}

/// A decision tree while it is being read.
struct Draft<'n> {
    parts: Vec<Part<'n>>,
    /// The parts that must still be read, the next one last.
    pending: Vec<usize>,
    steps: Vec<Step<'n>>,
    /// What tests ask and what they lead to, with spans.
    children: Vec<(behaviour::Node, Span)>,
    placed: Vec<Placed<'n>>,
    by_held: HashMap<usize, usize>,
    /// The definition that is being read, by its number in the draft.
    reading: usize,
    /// The depth of its node.
    depth: usize,
    /// It contains a mistake.
    is_broken: bool,
    /// For a decision tree that leads to states: those states. The names of their leaves are indices into this list.
    states: Option<Vec<StateLeaf<'n>>>,
}

/// A way that does not lead anywhere yet.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// The beginning of a part.
    Entry(usize),
    /// A way of a test.
    Way(usize, usize),
}

/// The result of reading one line of a list.
struct Item {
    goal: Goal,
    /// The way that goes on to the next line; `None` when no way does.
    open: Option<Open>,
}

impl Item {
    /// A line after which nothing is reached.
    fn end(goal: Goal) -> Self {
        Self { goal, open: None }
    }
}

impl<'n> Draft<'n> {
    fn new(depth: usize, leads_to_states: bool) -> Self {
        Self {
            parts: Vec::new(),
            pending: Vec::new(),
            steps: Vec::new(),
            children: Vec::new(),
            placed: Vec::new(),
            by_held: HashMap::new(),
            reading: 0,
            depth,
            is_broken: false,
            states: leads_to_states.then(Vec::new),
        }
    }

    fn part(&mut self, nodes: Vec<&'n Node>, of: usize, branch: Option<usize>) -> usize {
        self.parts.push(Part {
            nodes,
            of,
            branch,
            entry: Goal::None,
        });
        self.parts.len() - 1
    }

    fn step(&mut self, step: DecisionStep, goals: Vec<Goal>, node: &'n Node) -> usize {
        self.steps.push(Step {
            step,
            goals,
            node,
            of: self.reading,
            takes_all: false,
            span: node.span.clone(),
            cases: Vec::new(),
            default: None,
        });
        self.steps.len() - 1
    }

    fn lead(&mut self, from: Open, goal: Goal) {
        match from {
            Open::Entry(part) => self.parts[part].entry = goal,
            Open::Way(step, way) => self.steps[step].goals[way] = goal,
        }
    }

    fn child(&mut self, child: Option<behaviour::Node>, span: &Span) -> Option<usize> {
        let Some(child) = child else {
            self.is_broken = true;
            return None;
        };
        self.children.push((child, span.clone()));
        Some(self.children.len() - 1)
    }
}

impl<'s> Checker<'s> {
    /// Lowers the decision tree of a definition, at `depth`.
    pub(super) fn decision(&mut self, held: usize, depth: usize) -> Option<behaviour::Node> {
        debug_assert_eq!(self.graph[held].what, DefinitionKind::Decision);
        let node: &'s Node = self.graph[held].node;
        let before = self.sink.error_count();
        let mut draft = Draft::new(depth, self.graph[held].states);
        let first = self.place_decision(&mut draft, held, None);
        if self.places.is_none() && draft.parts[first].nodes.is_empty() {
            self.sink
                .error(
                    Code::MissingChildren,
                    node.span.clone(),
                    said!("this decision tree leads to nothing"),
                )
                .with_help(said!(
                    "put tests and tasks into its block: `decide NAME { … }`"
                ));
            return None;
        }
        self.read_parts(&mut draft);
        if self.places.is_none() && !draft.is_broken {
            branches::judge(&mut draft, self.sink);
        }
        if draft.is_broken || self.sink.error_count() > before {
            return None;
        }
        let (first, order) = draft.settle(first);
        let names = self.graph.test_names(&draft, &order);
        let is_alone = self.places.is_none();
        if is_alone {
            let declared = Declared {
                keys: &self.scope.keys,
                enums: &self.scope.enums,
            };
            self.graph[held].unsaid = paths::judge(&draft, &order, declared, self.sink);
        }
        let steps = order.iter().map(|step| &draft.steps[*step]);
        let steps = steps.map(|step| (step.span.clone(), step.takes_all));
        let steps: Vec<(Span, bool)> = steps.collect();
        let (decision, children, spans) = draft.finish(first, &order, names);
        if is_alone && cfg!(feature = "internals") {
            self.graph[held].layout = Some(Layout {
                decision: decision.clone(),
                children: children.clone(),
                steps,
                spans,
                keys: Vec::new(),
                synchronization: Synchronization::default(),
            });
        }
        Some(behaviour::Node {
            name: Some(self.graph[held].name.clone()),
            ..behaviour::Node::with(Kind::Decide(Box::new(decision)), children)
        })
    }

    /// Puts a definition into the one that is being read, and gives its first part.
    fn place_decision(
        &mut self,
        draft: &mut Draft<'s>,
        held: usize,
        frame: Option<Frame>,
    ) -> usize {
        let node: &'s Node = self.graph[held].node;
        let of = draft.placed.len();
        let mut nodes = present(node.children());
        nodes.retain(|child| !language::is_item(&child.name.value));
        let (branches, nodes): (Vec<&Node>, Vec<&Node>) = nodes
            .into_iter()
            .partition(|child| child.name.value == "branch");
        let part = draft.part(nodes, of, None);
        draft.by_held.insert(held, of);
        draft.placed.push(Placed {
            held,
            name: frame.is_some().then(|| self.graph[held].name.clone()),
            frame,
            branches: Branches::default(),
            part,
        });
        draft.pending.push(part);
        self.branches(draft, of, &branches);
        part
    }

    fn read_parts(&mut self, draft: &mut Draft<'s>) {
        while let Some(part) = draft.pending.pop() {
            if self.sink.is_full() {
                draft.is_broken = true;
                return;
            }
            let of = draft.parts[part].of;
            draft.reading = of;
            let frame = draft.placed[of].frame.take();
            let is_inner = frame.is_some();
            if let Some(frame) = frame {
                self.scope.push(frame);
                let held = draft.placed[of].held;
                if let Some(places) = &mut self.places {
                    places.path.push(held);
                }
            }
            self.read_part(draft, part);
            if is_inner {
                draft.placed[of].frame = self.scope.pop();
                if let Some(places) = &mut self.places {
                    places.path.pop();
                }
            }
        }
    }

    /// Reads the lines of a block. Each line leads to the next where it leads nowhere else.
    fn read_part(&mut self, draft: &mut Draft<'s>, part: usize) {
        let nodes = std::mem::take(&mut draft.parts[part].nodes);
        let mut open = Some(Open::Entry(part));
        let mut is_told = false;
        let first_new = draft.pending.len();
        for node in nodes {
            if open.is_none() && !is_told {
                // One warning is enough: the following lines are not reached either.
                is_told = true;
                let message =
                    said!("this is never reached: the tests before it always lead elsewhere");
                self.sink
                    .warning(Code::NeverRuns, node.span.clone(), message)
                    .with_help(said!("remove it, or one side of a test before it: a test with one side otherwise continues with what follows"));
            }
            let below: usize = node.children().iter().map(|child| child.span.len()).sum();
            self.spend(MAX_SIZE / MAX_NODES + node.span.len().saturating_sub(below));
            if self.places.as_ref().is_some_and(|places| places.is_over) {
                draft.is_broken = true;
                return;
            }
            let Some(item) = self.item(draft, part, node) else {
                draft.is_broken = true;
                continue;
            };
            if let Some(from) = open {
                draft.lead(from, item.goal);
                open = item.open;
            }
        }
        // New parts are read in the order of the text, whatever order they were added in.
        draft.pending[first_new..].reverse();
    }

    /// One line of a list.
    fn item(&mut self, draft: &mut Draft<'s>, part: usize, node: &'s Node) -> Option<Item> {
        match node.name.value.as_str() {
            "test" => self.test_step(draft, part, node),
            "range" => self.range_step(draft, part, node),
            "test-condition" => self.ask_step(draft, part, node),
            "switch" => self.switch_step(draft, part, node),
            "random" => self.random_step(draft, part, node),
            "best" => self.best_step(draft, part, node),
            "goto" => goto(draft, part, node, self.sink),
            "none" => {
                let mut line = Line::new(node, self.sink);
                line.no_values(self.sink);
                line.flag("disabled", self.sink);
                finish_in(line, Spot::Decision, self.sink);
                no_block(node, self.sink);
                Some(Item::end(Goal::Said))
            }
            "decide" if is_plain(node) => self.other_decision(draft, node).map(Item::end),
            _ => self.leaf_item(draft, part, node),
        }
    }

    /// A task; reports anything that is not allowed here.
    fn leaf_item(&mut self, draft: &mut Draft<'s>, part: usize, node: &'s Node) -> Option<Item> {
        let word = node.name.value.as_str();
        let span = node.name.span.clone();
        if word == "state" && draft.states.is_some() {
            return self.state_item(draft, node);
        }
        let misplaced = match word {
            "branch" => Some((
                Code::MisplacedNode,
                said!("branches must be at the top of a decision tree, outside of its tests"),
                None,
            )),
            "yes" | "no" => Some((
                Code::MisplacedNode,
                said!("a side is only allowed in the block of a test"),
                Some(said!("try `test \"health < 20\" { yes { … }; no { … }; }`")),
            )),
            "option" => Some((
                Code::MisplacedNode,
                said!("options are only allowed in the block of a `random` or `best`"),
                None,
            )),
            "case" | "default" => Some((
                Code::MisplacedNode,
                said!("cases are only allowed in the block of a `switch`"),
                None,
            )),
            _ => None,
        };
        if let Some((code, message, help)) = misplaced {
            self.sink.error(code, span, message).with_perhaps(help);
            return None;
        }
        if !Spot::Task.has(word)
            && language::foreign(word).is_none()
            && self.leaves.find(word).is_none()
            && let Some(near) = suggest::nearest(word, language::decision_words())
        {
            let word = crate::syntax::shortened(word);
            let message = said!("unknown node `{}` in a decision tree", word);
            self.sink
                .error(Code::UnknownNode, span, message)
                .with_help(suggest::meant(near));
            return None;
        }
        if draft.states.is_some() {
            let message =
                said!("this decision tree leads to states, so it cannot also lead to a task");
            self.sink
                .error(Code::MisplacedNode, span, message)
                .with_help(
                    said!("to do something on the way, put it into the block of a state: `state NAME { … }`"),
                );
            return None;
        }
        let of = draft.parts[part].of;
        self.leaf_name(draft, of, node);
        let lowered = self.node(node, draft.depth + 1);
        let leaf = draft.child(lowered.node, &node.span)?;
        Some(Item::end(Goal::Leaf(leaf)))
    }

    /// Reports a task whose name another task of the same definition has.
    fn leaf_name(&mut self, draft: &mut Draft<'s>, of: usize, node: &'s Node) {
        if self.places.is_none() {
            let names = &mut draft.placed[of].branches.leaf_names;
            sibling_name(node, names, self.sink);
        }
    }

    /// A plain `decide NAME` in another decision tree: its tests continue from here.
    fn other_decision(&mut self, draft: &mut Draft<'s>, node: &'s Node) -> Option<Goal> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the decision tree"), self.sink);
        line.only_name(self.sink);
        line.flag("disabled", self.sink);
        finish_in(line, Spot::Task, self.sink);
        let name = name?;
        let held = self
            .graph
            .find_held(DefinitionKind::Decision, name, self.sink)?;
        if self.graph[held].states != draft.states.is_some() {
            let word = crate::syntax::shortened(&name.value);
            let message = match self.graph[held].states {
                true => said!(
                    "`{}` leads to states, but this decision tree leads to tasks",
                    word
                ),
                false => said!(
                    "`{}` leads to tasks, but this decision tree leads to states",
                    word
                ),
            };
            self.sink
                .error(Code::MisplacedNode, name.span.clone(), message);
            return None;
        }
        if self.places.is_none() {
            self.note_uses(&[held], &node.span);
            if self.graph[held].is_broken {
                return None;
            }
            self.bind(node, held, Vec::new())?;
            // A placeholder stands for it until all definitions are known.
            let stand_in = behaviour::Node::leaf(Kind::Run);
            return draft.child(Some(stand_in), &node.span).map(Goal::Leaf);
        }
        if let Some(placed) = draft.by_held.get(&held) {
            return Some(Goal::Part(draft.placed[*placed].part));
        }
        let label = self.graph[held].name.clone();
        let prefix = self.key_names.prefix(&label);
        let frame = self.frame(held, &prefix, &HashMap::new(), false);
        self.spend(MAX_SIZE / MAX_NODES + self.graph[held].node.span.len());
        Some(Goal::Part(self.place_decision(draft, held, Some(frame))))
    }
}

fn no_block(node: &Node, sink: &mut Sink) {
    if let Some(extra) = node.children().first() {
        let message = said!("`{}` takes no block", node.name.value);
        sink.error(Code::ExtraChildren, extra.span.clone(), message);
    }
}

/// Whether a `decide` has nothing apart from its name, so that it means the same everywhere.
fn is_plain(node: &Node) -> bool {
    let is_plain = |entry: &Entry| match &entry.name {
        None => true,
        Some(name) => name.value == "disabled" || entry.value == Written::Bad,
    };
    node.children.is_none() && node.entries.iter().all(is_plain)
}
