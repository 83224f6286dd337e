//! The goals and tasks of a planner.

use super::super::declare::{duplicate, plain_name};
use super::super::line::Line;
use super::super::reading::finish_in;
use super::super::tree::present;
use super::super::{Checker, stranger};
use super::{Draft, Part, text_of, too_many};
use crate::code::Code;
use crate::expression::Foresight;
use crate::language::Spot;
use crate::names::words;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, shortened};
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::behaviour::{Aim, Doing, Goal, MAX_METHOD_NAMES, MAX_METHODS, Method, Task};
use treemind_core::{Expr, Type};

impl<'s> Checker<'s> {
    pub(super) fn plan_goals(&mut self, draft: &Draft<'s>) -> Vec<Goal> {
        let mut seen: HashMap<&str, &Text> = HashMap::new();
        let mut goals = Vec::new();
        for node in &draft.goals {
            if let Some(name) = node.first_text() {
                match seen.get(name.value.as_str()) {
                    Some(first) => {
                        duplicate(
                            name,
                            &said!("goals of this planner"),
                            &first.span,
                            self.sink,
                        );
                    }
                    None => {
                        seen.insert(&name.value, name);
                    }
                }
            }
            goals.extend(self.goal(draft, node));
        }
        goals
    }

    /// `goal NAME wants="EXPR"` or `goal NAME does=TASK`
    fn goal(&mut self, draft: &Draft<'s>, node: &'s Node) -> Option<Goal> {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the goal"), self.sink);
        line.only_name(self.sink);
        line.doc(self.sink);
        line.flag("disabled", self.sink);
        let (wants, does) = (line.property("wants"), line.property("does"));
        let aim = match (wants, does) {
            (Some(wants), None) => self.foreseen_test(wants, &said!("`wants`")).map(Aim::Wants),
            (None, Some(does)) => self.task_named(draft, does).map(Aim::Does),
            (Some(_), Some(second)) => {
                let message = said!("a goal either wants something or does a task, not both");
                self.sink
                    .error(Code::Contradiction, second.span.clone(), message)
                    .with_help(said!("write two goals, or remove one of the two"));
                None
            }
            (None, None) => {
                let message = said!("this goal says neither what it wants nor what it does");
                self.sink
                    .error(Code::Contradiction, node.span.clone(), message)
                    .with_help(said!("add `wants=\"EXPRESSION\"`, or `does=TASK`"));
                None
            }
        };
        let when = match line.property("when") {
            Some(entry) => self
                .asked(|checker| checker.number(entry, Type::Bool, &said!("`when`")))
                .ok()
                .map(Some),
            None => Some(None),
        };
        let score = self.goal_score(&mut line);
        finish_in(line, Spot::Planner, self.sink);
        for child in node.children() {
            if !Spot::Score.has(&child.name.value) {
                stranger(child, &said!("in a goal"), &Spot::Score.list(), self.sink);
            }
        }
        let name = name.filter(|name| plain_name(name, &said!("goal"), self.sink))?;
        Some(Goal {
            name: name.value.clone(),
            aim: aim?,
            when: when?,
            score: score?,
        })
    }

    /// An expression that a search asks in situations that are only foreseen.
    fn foreseen_test(&mut self, entry: &Entry, what: &Said) -> Option<Expr> {
        self.foreseeing(Foresight::Asked, |checker| {
            checker.asked(|checker| checker.number(entry, Type::Bool, what))
        })
        .ok()
    }

    /// The position of the task that `does=` names.
    fn task_named(&mut self, draft: &Draft<'s>, entry: &'s Entry) -> Option<usize> {
        let text = text_of(entry, &said!("`does`"), self.sink)?;
        match draft.names.get(text.value.as_str()) {
            Some((Doing::Task(task), ..)) => return Some(*task),
            Some((Doing::Step(_), ..)) => {
                let name = shortened(&text.value);
                let message = said!("`{}` is a step, and a goal does a task", name);
                self.sink
                    .error(Code::UnknownStep, text.span.clone(), message)
                    .with_help(said!(
                        "write a task with it: `task do-{} { method \"{}\"; }`",
                        name,
                        name
                    ));
            }
            None => {
                let tasks = draft.names.iter();
                let tasks = tasks.filter(|(_, (doing, ..))| matches!(doing, Doing::Task(_)));
                let tasks: Vec<String> = tasks.map(|(name, _)| name.clone()).collect();
                let tasks = tasks.iter().map(String::as_str).collect();
                self.unknown_step(&said!("task"), &text.value, text.span.clone(), tasks);
            }
        }
        None
    }

    fn unknown_step(&mut self, what: &Said, name: &str, span: Span, mut known: Vec<&str>) {
        known.sort_unstable();
        let word = shortened(name);
        let all = match *what == "task" {
            true => said!("the tasks of this planner"),
            false => said!("the steps and tasks of this planner"),
        };
        let bare = name.trim_matches([',', ';']);
        let help = match bare != name && known.contains(&bare) {
            true => Some(said!(
                "separate the steps with spaces: `{}`",
                shortened(bare)
            )),
            false => suggest::among(&word, all, known.into_iter(), || {
                Some(said!(
                    "write `task NAME { method \"STEP\"; }` into the planner"
                ))
            }),
        };
        let message = said!("unknown {} `{}`", what, word);
        self.sink
            .error(Code::UnknownStep, span, message)
            .with_perhaps(help);
    }

    pub(super) fn plan_tasks(&mut self, draft: &mut Draft<'s>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for part in draft.tasks.clone() {
            let names = std::mem::take(&mut draft.names);
            let task = self.quietly(draft, part.of, |checker| checker.plan_task(&names, part));
            draft.names = names;
            match task {
                Some(task) => tasks.push(task),
                None => draft.is_broken = true,
            }
        }
        tasks
    }

    /// `task NAME { method "STEP TASK …"; … }`
    fn plan_task(&mut self, names: &Names<'s>, part: Part<'s>) -> Option<Task> {
        let node = part.node;
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the task"), self.sink);
        line.only_name(self.sink);
        line.doc(self.sink);
        line.flag("disabled", self.sink);
        finish_in(line, Spot::Planner, self.sink);
        let before = self.sink.error_count();
        let mut methods = Vec::new();
        for child in present(node.children()) {
            if child.name.value != "method" {
                let known = Spot::Method.list();
                stranger(child, &said!("in a `task`"), &known, self.sink);
                continue;
            }
            methods.extend(self.method(names, child));
        }
        if self.sink.error_count() > before {
            return None;
        }
        if methods.is_empty() {
            let message = said!("this task has no method");
            self.sink
                .error(Code::MissingChildren, node.span.clone(), message)
                .with_help(said!("add one to its block: `method \"STEP TASK …\"`"));
            return None;
        }
        if methods.len() > MAX_METHODS {
            let counts = (methods.len(), MAX_METHODS);
            too_many(
                node.span.clone(),
                counts,
                &said!("methods in a task"),
                self.sink,
            );
            return None;
        }
        Some(Task {
            name: name?.value.clone(),
            methods,
        })
    }

    fn method(&mut self, names: &Names<'s>, node: &'s Node) -> Option<Method> {
        let mut line = Line::new(node, self.sink);
        let help =
            || said!("write the steps and tasks in quotes, and `\"\"` for a way that does nothing");
        if let Some(extra) = line.values().get(1) {
            let message = said!("`method` takes only one text");
            self.sink
                .error(Code::ExtraValue, extra.span.clone(), message)
                .with_help(help());
        }
        let text = match line.values().first() {
            Some(entry) => text_of(entry, &said!("the steps of a method"), self.sink),
            None => {
                let message = said!("this method does not say what it does");
                self.sink
                    .error(Code::MissingValue, node.name.span.clone(), message)
                    .with_help(help());
                None
            }
        };
        line.doc(self.sink);
        line.flag("disabled", self.sink);
        let when = match line.property("when") {
            Some(entry) => self.foreseen_test(entry, &said!("`when`")).map(Some),
            None => Some(None),
        };
        finish_in(line, Spot::Method, self.sink);
        super::no_block(node, self.sink);
        let does = self.doings(names, text?);
        Some(Method {
            does: does?,
            when: when?,
        })
    }

    /// The steps and tasks that a method names.
    fn doings(&mut self, names: &Names<'s>, text: &'s Text) -> Option<Vec<Doing>> {
        let mut does = Vec::new();
        let mut is_sound = true;
        for (word, at) in words(&text.value) {
            match names.get(word) {
                Some((doing, ..)) => does.push(*doing),
                None => {
                    is_sound = false;
                    let known = names.keys().map(String::as_str).collect();
                    let verbatim = text.verbatim.map(|base| base + at..base + at + word.len());
                    let span = verbatim.unwrap_or(text.span.clone());
                    self.unknown_step(&said!("step or task"), word, span, known);
                }
            }
        }
        self.scope.value_names.note_steps_in(text);
        if does.len() > MAX_METHOD_NAMES {
            let counts = (does.len(), MAX_METHOD_NAMES);
            too_many(
                text.span.clone(),
                counts,
                &said!("names in a method"),
                self.sink,
            );
            return None;
        }
        is_sound.then_some(does)
    }
}

pub(super) type Names<'n> = HashMap<String, (Doing, Part<'n>, &'n Text)>;
