//! Where the methods of a task come to an end.

use super::parts::at_step;
use super::{Prospect, parts_of};
use crate::say;
use crate::words::{Join, Words};
use treemind_core::Expr;
use treemind_core::behaviour::{Doing, MAX_TASK_DEPTH};

/// How many steps and methods are looked at to find the deepest place.
const MOST_LOOKS: u32 = 20_000;

/// What cannot be done at a place.
#[derive(Clone)]
enum Stuck {
    /// This part of the guards of a step does not hold.
    Step(usize, Option<Expr>),
    /// A step has no cost.
    Cost(usize),
    /// This part of the condition of a method does not hold: task, method.
    Method(usize, usize, Option<Expr>),
}

/// The deepest place that was reached.
#[derive(Default)]
struct Deepest {
    steps: Vec<usize>,
    stuck: Vec<Stuck>,
    looks: u32,
}

/// What has been done, and what is to be done, the next last.
#[derive(Clone)]
struct Place {
    here: Vec<u64>,
    plan: Vec<usize>,
    todo: Vec<(Doing, u32)>,
}

impl Prospect<'_> {
    /// The deepest place that the methods of a task lead to, and what stands in the way there.
    pub(super) fn where_stuck(&self, task: usize) -> Vec<Words> {
        let mut deepest = Deepest::default();
        let start = Place {
            here: self.facts.clone(),
            plan: Vec::new(),
            todo: vec![(Doing::Task(task), 0)],
        };
        self.go(start, &mut deepest);
        let mut said = vec![match deepest.steps.is_empty() {
            true => say!(GetsNowhere),
            false => say!(GetsTo, steps = self.steps(&deepest.steps)),
        }];
        for stuck in &deepest.stuck {
            let part = match stuck {
                Stuck::Step(.., part) | Stuck::Method(.., part) => part,
                Stuck::Cost(step) => {
                    let step = Words::code(&self.planner.steps[*step].name);
                    said.push(say!(StepHasNoCost, step));
                    continue;
                }
            };
            let Some(part) = part else { continue };
            let text = self.part(part);
            let words = match stuck {
                Stuck::Step(step, _) | Stuck::Cost(step) => {
                    let step = Words::code(&self.planner.steps[*step].name);
                    say!(StepNeeds, step, part = text)
                }
                Stuck::Method(task, method, _) => {
                    let task = Words::code(&self.planner.tasks[*task].name);
                    let method = Words::plain(method + 1);
                    say!(MethodNeeds, method, task, part = text)
                }
            };
            let facts = self.about(part);
            said.push(match facts.is_empty() || !deepest.steps.is_empty() {
                true => words,
                false => {
                    let more = Words::several(Join::Clauses, facts);
                    say!(Colon, one = words, more)
                }
            });
        }
        said
    }

    /// Goes on from a place, and tries the methods of the next task in order. Returns whether everything was done.
    fn go(&self, mut place: Place, deepest: &mut Deepest) -> bool {
        loop {
            deepest.looks += 1;
            let Some((next, level)) = place.todo.pop() else {
                return true;
            };
            if deepest.looks > MOST_LOOKS {
                return false;
            }
            match next {
                Doing::Step(step) => {
                    let is_free = !self.left_out.has(step);
                    let full = place.plan.len() >= self.planner.max_steps as usize;
                    let usable = self.domain.is_usable(step, &place.here);
                    if full || !is_free || !usable {
                        let part = self.first_lacking(step, &place.here);
                        deepest.note(&place.plan, Stuck::Step(step, part));
                        return false;
                    }
                    let has_cost = self.domain.cost(step, &place.here).is_some();
                    if !self.domain.apply(step, &mut place.here) {
                        deepest.note(&place.plan, Stuck::Step(step, None));
                        return false;
                    }
                    if !has_cost {
                        deepest.note(&place.plan, Stuck::Cost(step));
                        return false;
                    }
                    place.plan.push(step);
                }
                Doing::Task(_) if level >= MAX_TASK_DEPTH => return false,
                Doing::Task(task) => return self.try_methods(task, level, &place, deepest),
            }
        }
    }

    fn try_methods(&self, task: usize, level: u32, place: &Place, deepest: &mut Deepest) -> bool {
        let mut methods = self.planner.tasks[task].methods.iter().enumerate();
        methods.any(|(at, method)| {
            if let Some(when) = &method.when
                && let Some(part) = self.first_of(&parts_of(when), &place.here)
            {
                deepest.note(&place.plan, Stuck::Method(task, at, Some(part)));
                return false;
            }
            let mut place = place.clone();
            let does = method.does.iter().rev();
            place.todo.extend(does.map(|doing| (*doing, level + 1)));
            self.go(place, deepest)
        })
    }

    /// The first part of the guards of a step that does not hold in a situation.
    pub(super) fn first_lacking(&self, step: usize, here: &[u64]) -> Option<Expr> {
        let parts = at_step(step, self.children[step].0).into_iter();
        let parts: Vec<Expr> = parts.map(|part| part.expr).collect();
        self.first_of(&parts, here)
    }

    /// The first of some expressions that does not hold in a situation.
    fn first_of(&self, parts: &[Expr], here: &[u64]) -> Option<Expr> {
        let own = self.planner.goals.len();
        let (domain, _) = self.asking(parts.iter().cloned());
        let lacking = (0..parts.len()).find(|at| !domain.is_met(own + at, here));
        lacking.map(|at| parts[at].clone())
    }
}

impl Deepest {
    fn note(&mut self, plan: &[usize], stuck: Stuck) {
        if plan.len() < self.steps.len() {
            return;
        }
        if plan != self.steps {
            self.stuck.clear();
            self.steps = plan.to_vec();
        }
        self.stuck.push(stuck);
    }
}
