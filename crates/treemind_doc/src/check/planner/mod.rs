//! `planner NAME { … }`: goals, tasks and steps.
//!
//! The names of all steps and tasks are known before anything else is read, because methods may refer to later ones.
//! What a planner uses of others (`use NAME`) is read again with it, quietly: mistakes in it are reported where it
//! stands.

mod each;
mod judge;
mod parts;
mod steps;

pub(super) use each::ItemGuards;
pub(super) use steps::{PlannedStep, no_step};

use super::declare::{first_at, plain_name};
use super::line::Line;
use super::reading::finish_in;
use super::subtree::{MAX_NODES, MAX_SIZE};
use super::tree::present;
use super::{Checker, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::expression::Frame;
use crate::language::{self, Spot};
use crate::symbols::{runs, step_name};
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::behaviour::{
    self, Doing, MAX_EXPANSIONS, MAX_FACTS, MAX_GOALS, MAX_PLAN_STEPS, MAX_PLANNED_KEYS, MAX_STEPS,
    MAX_TASKS, Planner, Replan,
};
use treemind_core::{Kind, Value};

/// The word of the definition, and of the node that stands for it.
pub(super) const PLANNER: &str = "planner";

/// A step or task that is to be read, and the planner that it is written in, by its number in the draft.
#[derive(Clone, Copy)]
struct Part<'n> {
    node: &'n Node,
    of: usize,
}

/// Where steps and tasks are read.
#[derive(Default)]
struct Placed {
    /// The definition.
    held: usize,
    /// The keys that are known there, if they are not visible already.
    frame: Option<Frame>,
    /// For a value of an `each`: the place around it, what names of steps end with, and whether it is the first, which
    /// reports what is wrong.
    each: Option<(usize, String, bool)>,
    /// The same value itself, and the name that stands for it.
    value: Option<Value>,
    item: String,
}

/// A planner while it is being read.
struct Draft<'n> {
    goals: Vec<&'n Node>,
    tasks: Vec<Part<'n>>,
    steps: Vec<Part<'n>>,
    /// The planner itself, those that it uses, and each value of an `each`.
    placed: Vec<Placed>,
    /// The steps and tasks by their names.
    names: parts::Names<'n>,
    /// The depth of its node.
    depth: usize,
    /// It contains a mistake.
    is_broken: bool,
    /// Mistakes of a value of an `each` that the first does not have.
    later: Vec<Diagnostic>,
}

impl<'s> Checker<'s> {
    /// Lowers the planner of a definition, at `depth`.
    pub(super) fn planner(&mut self, held: usize, depth: usize) -> Option<behaviour::Node> {
        let node: &'s Node = self.graph[held].node;
        let before = self.sink.error_count();
        let mut draft = Draft {
            goals: Vec::new(),
            tasks: Vec::new(),
            steps: Vec::new(),
            placed: vec![Placed {
                held,
                ..Placed::default()
            }],
            names: HashMap::new(),
            depth,
            is_broken: false,
            later: Vec::new(),
        };
        self.collect(&mut draft, 0);
        self.enough(&mut draft, held);
        self.name_all(&mut draft);
        let options = self.planner_options(node);
        let (steps, children) = self.plan_steps(&mut draft);
        let tasks = self.plan_tasks(&mut draft);
        let goals = self.plan_goals(&draft);
        // What is wrong with a step is mostly wrong with each value, and was reported of the first.
        if self.sink.error_count() == before
            && let Some(first) = draft.later.first()
        {
            self.sink.report(first.clone());
        }
        if draft.is_broken || self.sink.error_count() > before || goals.is_empty() {
            return None;
        }
        let planner = Planner {
            steps,
            goals,
            tasks,
            ..options?
        };
        if self.places.is_none() {
            judge::endless(&planner, &draft, self.sink);
            let keys = (node, &self.scope.keys[..]);
            judge::facts(&planner, &children, keys, self.sink);
            if self.sink.error_count() == before {
                let keys = &self.scope.keys;
                judge::warn(&planner, &children, &draft, keys, self.sink);
            }
        }
        let root = behaviour::Node::with(Kind::Planner(Box::new(planner)), children);
        Some(behaviour::Node {
            name: Some(self.graph[held].name.clone()),
            ..root
        })
    }

    /// Finds the parts of a planner, and of those that it uses.
    fn collect(&mut self, draft: &mut Draft<'s>, of: usize) {
        let held = draft.placed[of].held;
        let node: &'s Node = self.graph[held].node;
        for child in present(node.children()) {
            match child.name.value.as_str() {
                word if language::is_item(word) => {}
                "goal" if of == 0 => draft.goals.push(child),
                "goal" => {}
                "task" => draft.tasks.push(Part { node: child, of }),
                "use" => self.used(draft, child, of),
                "each" => self.each(draft, child, of),
                _ => draft.steps.push(Part { node: child, of }),
            }
        }
    }

    /// `use NAME`
    fn used(&mut self, draft: &mut Draft<'s>, node: &'s Node, of: usize) {
        let found = self.quietly(draft, of, |checker| {
            let mut line = Line::new(node, checker.sink);
            let name = line.name(&said!("the planner"), checker.sink);
            line.only_name(checker.sink);
            line.flag("disabled", checker.sink);
            finish_in(line, Spot::Planner, checker.sink);
            no_block(node, checker.sink);
            let graph = &checker.graph;
            let held = graph.find_held(DefinitionKind::Planner, name?, checker.sink)?;
            checker.bind(node, held, Vec::new()).map(|_| held)
        });
        let Some(held) = found else {
            draft.is_broken = true;
            return;
        };
        // What a planner takes of others that take it from others is noted with those.
        let is_own = draft.placed[of].held == draft.placed[0].held;
        if is_own && self.places.is_none() {
            self.note_uses(&[held], &node.span);
        }
        if self.graph[held].is_broken || draft.placed.iter().any(|other| other.held == held) {
            draft.is_broken |= self.graph[held].is_broken;
            return;
        }
        let label = self.graph[held].name.clone();
        let prefix = self.key_names.prefix(&label);
        let frame = self.frame(held, &prefix, &HashMap::new(), false);
        self.spend(MAX_SIZE / MAX_NODES + self.graph[held].node.span.len());
        draft.placed.push(Placed {
            held,
            frame: Some(frame),
            each: None,
            ..Placed::default()
        });
        self.collect(draft, draft.placed.len() - 1);
    }

    /// Does something in a planner that is used, where its own keys are visible. Checked alone, mistakes in it are not
    /// reported again.
    fn quietly<T>(
        &mut self,
        draft: &mut Draft<'s>,
        of: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        match draft.placed[of].each {
            Some((around, _, is_first)) => self.within_value(draft, (of, around, is_first), work),
            None => self.in_planner(draft, of, work),
        }
    }

    /// The same, in a planner itself.
    fn in_planner<T>(
        &mut self,
        draft: &mut Draft<'s>,
        of: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let held = draft.placed[of].held;
        let Some(frame) = draft.placed[of].frame.take() else {
            return work(self);
        };
        self.scope.push(frame);
        let muted = self.places.is_none();
        let mut scratch = self.sink.fresh();
        if muted {
            std::mem::swap(self.sink, &mut scratch);
        } else if let Some(places) = &mut self.places {
            places.path.push(held);
        }
        let done = work(self);
        if muted {
            std::mem::swap(self.sink, &mut scratch);
            draft.is_broken |= scratch.has_errors();
        } else if let Some(places) = &mut self.places {
            places.path.pop();
        }
        draft.placed[of].frame = self.scope.pop();
        done
    }

    /// Reports a planner in which something is missing, or that is too large.
    fn enough(&mut self, draft: &mut Draft<'s>, held: usize) {
        let node = self.graph[held].node;
        let is_alone = self.places.is_none();
        let is_set = self.graph.is_used(held) || self.graph.is_only_steps();
        if is_alone && draft.goals.is_empty() && !is_set {
            self.sink
                .error(
                    Code::MissingChildren,
                    node.span.clone(),
                    said!("this planner has no goal"),
                )
                .with_help(said!("add one: `goal NAME wants=\"EXPRESSION\"`"));
        }
        if is_alone && draft.steps.is_empty() && !draft.is_broken {
            self.sink
                .error(
                    Code::MissingChildren,
                    node.span.clone(),
                    said!("this planner has no step"),
                )
                .with_help(said!(
                    "put what can be done into its block: `action NAME gives=\"KEY = VALUE\"`"
                ));
        }
        let counts = [
            (draft.goals.len(), MAX_GOALS, said!("goals")),
            (draft.tasks.len(), MAX_TASKS, said!("tasks")),
            (draft.steps.len(), MAX_STEPS, said!("steps")),
        ];
        for (count, most, what) in counts {
            if count > most {
                too_many(node.span.clone(), (count, most), &what, self.sink);
                draft.is_broken = true;
            }
        }
    }

    /// Finds the names of all steps and tasks. Each is there once.
    fn name_all(&mut self, draft: &mut Draft<'s>) {
        let steps = draft.steps.iter().enumerate();
        let steps = steps.map(|(at, part)| (Doing::Step(at), *part));
        let tasks = draft.tasks.iter().enumerate();
        let tasks = tasks.map(|(at, part)| (Doing::Task(at), *part));
        let all: Vec<_> = steps.chain(tasks).collect();
        for (doing, part) in all {
            let (name, what) = match doing {
                Doing::Step(_) => (step_name(part.node).map(|(name, _)| name), said!("step")),
                Doing::Task(_) => (part.node.first_text(), said!("task")),
            };
            let Some(name) = name else {
                let is_own = draft.is_own(part);
                self.nameless(doing, part, is_own);
                continue;
            };
            let is_own = draft.is_own(part);
            if is_own && !plain_name(name, &what, self.sink) {
                continue;
            }
            let full = draft.full_name(part, &name.value);
            let Some((_, first, place)) = draft.names.get(&full) else {
                if let Some(Value::Enum(list, position)) = draft.placed[part.of].value {
                    let names = &mut self.scope.value_names;
                    names.note_step(&full, name.value.len() + 1, (list, position));
                }
                draft.names.insert(full, (doing, part, name));
                continue;
            };
            draft.is_broken = true;
            // Two that a used planner has are reported where it stands.
            let held = |of: usize| draft.placed[of].held;
            if held(part.of) == held(0) || held(part.of) != held(first.of) {
                twice(&full, name, &place.span, self.sink);
            }
        }
    }

    fn nameless(&mut self, doing: Doing, part: Part<'_>, is_own: bool) {
        let node = part.node;
        let word = node.name.value.as_str();
        // A word that is no node, and a node that lacks what it runs, are reported when they are read.
        let needs_name = language::node_word(word).is_some() && runs(word).is_none();
        if is_own && needs_name && matches!(doing, Doing::Step(_)) {
            let message = said!("this step has no name");
            self.sink
                .error(Code::MissingValue, node.name.span.clone(), message)
                .with_help(said!("add one: `{} name=NAME`", word));
        }
    }

    /// The properties of the planner itself; its steps, goals and tasks are filled in later.
    fn planner_options(&mut self, node: &Node) -> Option<Planner> {
        // What is given twice has been reported with the definition.
        let mut line = Line::new(node, &mut self.sink.fresh());
        let replan = self.read(&mut line, &language::REPLAN);
        let hysteresis = self.read(&mut line, &language::GOAL_HYSTERESIS);
        let every = self.read(&mut line, &language::THINKS_EVERY);
        let slice = self.read(&mut line, &language::SLICE);
        let most = (MAX_EXPANSIONS, 4096);
        let max_expansions = self.at_most(&mut line, &language::MAX_EXPANSIONS, most);
        let max_steps = self.at_most(&mut line, &language::MAX_STEPS, (MAX_PLAN_STEPS, 16));
        Some(Planner {
            steps: Vec::new(),
            goals: Vec::new(),
            tasks: Vec::new(),
            replan: replan.unwrap_or(Replan::Broken),
            hysteresis: hysteresis?,
            every: every?.unwrap_or(1),
            slice: slice?.unwrap_or(256),
            max_expansions: max_expansions?,
            max_steps: max_steps?,
        })
    }

    /// A number with a limit and a default.
    fn at_most(
        &mut self,
        line: &mut Line<'_>,
        property: &language::Property<language::Count>,
        (most, default): (u32, u32),
    ) -> Option<u32> {
        let number = self.read(line, property)?.unwrap_or(default);
        let entry = line.property(property.name);
        if number > most
            && let Some(entry) = entry
        {
            let message = said!("`{}` must be at most {}", property.name, most);
            self.sink
                .error(Code::BadNumber, entry.value_span.clone(), message);
            return None;
        }
        Some(number)
    }
}

/// Reports two steps or tasks with one name; those of an `each` may be one step as it is written.
fn twice(full: &str, name: &Text, first: &Span, sink: &mut Sink) {
    let message = said!(
        "two steps or tasks of this planner are named `{}`",
        shortened(full)
    );
    let help = match *first == name.span {
        true => Some(
            said!("two values of its `each` give it this name: a step is named after its value if that is a word or a whole number, and after the position of the value in the list otherwise")
                .to_owned(),
        ),
        false => first_at(first, &name.span, sink),
    };
    sink.error(Code::Duplicate, name.span.clone(), message)
        .with_perhaps(help);
}

fn too_many(span: Span, (count, most): (usize, usize), what: &Said, sink: &mut Sink) {
    let message = said!(
        "this planner has {} {}, and at most {} are possible",
        count,
        what,
        most
    );
    sink.error(Code::PlannerTooLarge, span, message)
        .with_help(said!(
            "split it: a step may be a `planner` of its own, which has goals and steps of its own"
        ));
}

pub(super) fn no_block(node: &Node, sink: &mut Sink) {
    if let Some(extra) = node.children().first() {
        let message = said!("`{}` takes no block", node.name.value);
        sink.error(Code::ExtraChildren, extra.span.clone(), message);
    }
}

/// The text of an entry; reports another value.
fn text_of<'n>(entry: &'n Entry, what: &Said, sink: &mut Sink) -> Option<&'n Text> {
    match &entry.value {
        Written::Text(text) => Some(text),
        Written::Bad => None,
        _ => {
            let message = said!("{} must be a text", what);
            sink.error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(said!("put it in quotes"));
            None
        }
    }
}

/// Whether a planner has no goal: others use its steps, and it does not run.
pub(super) fn lacks_goals(node: &Node) -> bool {
    let mut parts = present(node.children()).into_iter();
    !parts.any(|part| part.name.value == "goal")
}

/// Why a planner without goals cannot run.
pub(super) fn only_used(node: &Node, sink: &mut Sink) -> Vec<Diagnostic> {
    let mut sink = sink.fresh();
    let message = said!("this planner has no goal, so it cannot run");
    sink.error(Code::MissingChildren, node.span.clone(), message)
        .with_help(said!(
            "run a planner that has goals and takes its steps with `use`"
        ));
    sink.finish()
}

/// The largest numbers of facts and planned keys, with what they count.
fn key_limits() -> [(usize, Said); 2] {
    [
        (MAX_FACTS, said!("facts (keys that it reads or plans)")),
        (MAX_PLANNED_KEYS, said!("keys that its steps change")),
    ]
}
