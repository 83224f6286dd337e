//! Where the methods of a task come to an end.

use super::costs::Costless;
use super::parts::at_step;
use super::why::some_of;
use super::{Prospect, parts_of};
use crate::say;
use crate::words::{Join, Words};
use treemind_core::Expr;
use treemind_core::behaviour::{Doing, MAX_TASK_DEPTH};

/// How many steps and methods are looked at to find the deepest place.
const MOST_LOOKS: u32 = 20_000;

/// How many things are named that stand in the way.
const MOST_SAID: usize = 8;

/// What cannot be done at a place.
#[derive(Clone)]
enum Stuck {
    /// This part of the guards of a step does not hold.
    Step(usize, Option<Expr>),
    /// A step is left out.
    LeftOut(usize),
    /// A step has no cost there.
    Cost(usize, Vec<u64>),
    /// What a step does has a fault there.
    Effect(usize, Vec<u64>),
    /// This part of the condition of a method does not hold: task, method.
    Method(usize, usize, Option<Expr>),
}

impl Stuck {
    /// Whether it is at the same step or method.
    fn is_at(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Step(step, _), Self::Step(other, _))
            | (Self::LeftOut(step), Self::LeftOut(other))
            | (Self::Cost(step, _), Self::Cost(other, _))
            | (Self::Effect(step, _), Self::Effect(other, _)) => step == other,
            (Self::Method(task, method, _), Self::Method(other, nth, _)) => {
                (task, method) == (other, nth)
            }
            _ => false,
        }
    }
}

/// The deepest place that was reached.
#[derive(Default)]
pub(super) struct Deepest {
    steps: Vec<usize>,
    stuck: Vec<Stuck>,
    looks: u32,
    /// The steps without a cost, where each was looked at first.
    pub(super) costless: Vec<Costless>,
    /// Whether there would have been more steps, and tasks deeper in tasks.
    pub(super) is_too_long: bool,
    pub(super) is_too_deep: bool,
}

/// What has been done, and what is to be done.
struct Place {
    here: Vec<u64>,
    plan: Vec<usize>,
    /// Each with its depth and what follows it, by its position in the list: so a choice keeps one number, not a copy.
    todo: Vec<(Doing, u32, Option<usize>)>,
}

/// A task with the methods that are still to be tried, and the place before it.
struct Choice {
    task: usize,
    level: u32,
    next_method: usize,
    /// What follows the task.
    after: Option<usize>,
    here: Vec<u64>,
    steps: usize,
    todos: usize,
}

/// How far steps have led.
enum Advance {
    /// Everything has been done.
    Done,
    /// This is no way.
    Stuck,
    /// A task is next.
    Choose(Choice),
}

impl Prospect<'_> {
    /// The deepest place that the methods of a task lead to.
    pub(super) fn deepest(&self, task: usize) -> Deepest {
        let mut deepest = Deepest::default();
        self.go(task, &mut deepest);
        deepest
    }

    /// What the methods of a task lead to, and what stands in the way there.
    pub(super) fn where_stuck(&self, deepest: Deepest) -> Vec<Words> {
        let mut said = vec![match deepest.steps.is_empty() {
            true => say!(GetsNowhere),
            false => say!(GetsTo, steps = self.steps(&deepest.steps)),
        }];
        // What a step needs stands in one sentence, wherever methods led to it.
        let mut needs: Vec<(Stuck, Vec<Expr>)> = Vec::new();
        for stuck in deepest.stuck {
            let part = match &stuck {
                Stuck::Step(.., part) | Stuck::Method(.., part) => part.clone(),
                Stuck::LeftOut(_) | Stuck::Cost(..) | Stuck::Effect(..) => None,
            };
            match needs.iter_mut().find(|(known, _)| known.is_at(&stuck)) {
                Some((_, parts)) => {
                    let new = part.filter(|part| !parts.contains(part));
                    parts.extend(new);
                }
                None => needs.push((stuck, part.into_iter().collect())),
            }
        }
        // Steps that need the same stand in one sentence, too.
        let mut done: Vec<usize> = Vec::new();
        let more = needs.len().saturating_sub(MOST_SAID);
        for (at, (stuck, parts)) in needs.iter().enumerate().take(MOST_SAID) {
            if done.contains(&at) {
                continue;
            }
            let is_same = |(_, (other, its)): &(usize, &(Stuck, Vec<Expr>))| match (stuck, other) {
                (Stuck::Step(one, _), Stuck::Step(other, _)) => {
                    its == parts && self.are_told_alike((*one, *other), parts)
                }
                _ => false,
            };
            let same = needs.iter().enumerate().skip(at + 1).filter(is_same);
            let same: Vec<usize> = same.map(|(at, _)| at).collect();
            let steps = std::iter::once(at).chain(same.iter().copied());
            let steps = steps.filter_map(|at| match needs[at].0 {
                Stuck::Step(step, _) => Some(self.step_name(step)),
                _ => None,
            });
            let steps: Vec<Words> = steps.collect();
            done.extend(same);
            let step = match stuck {
                Stuck::Step(step, _) => Some(*step),
                _ => None,
            };
            let text = || {
                let parts = parts.iter().map(|part| self.part_of_step(step, part));
                some_of(parts.collect())
            };
            let words = match stuck {
                Stuck::Cost(step, here) => say!(Then, what = self.cost_said(*step, here)),
                Stuck::Effect(step, here) => match self.effect_said(*step, here) {
                    Some(what) => say!(Then, what),
                    None => continue,
                },
                Stuck::LeftOut(step) => say!(ThenLeftOut, step = self.step_name(*step)),
                _ if parts.is_empty() => continue,
                Stuck::Step(..) if steps.len() > 1 => {
                    say!(StepsNeed, steps = some_of(steps), part = text())
                }
                Stuck::Step(step, _) => {
                    say!(StepNeeds, step = self.step_name(*step), part = text())
                }
                Stuck::Method(task, method, _) => {
                    let task = Words::code(&self.planner.tasks[*task].name);
                    let method = Words::plain(method + 1);
                    say!(MethodNeeds, method, task, part = text())
                }
            };
            let mut facts: Vec<Words> = Vec::new();
            for fact in parts.iter().flat_map(|part| self.about(part)) {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
            said.push(match facts.is_empty() || !deepest.steps.is_empty() {
                true => words,
                false => {
                    let more = Words::several(Join::Clauses, facts);
                    say!(Colon, one = words, more)
                }
            });
        }
        if more > 0 {
            said.push(say!(AndMore, more = Words::plain(more)));
        }
        said
    }

    /// Whether two steps are said to need the same, if they need these parts.
    fn are_told_alike(&self, (one, other): (usize, usize), parts: &[Expr]) -> bool {
        parts
            .iter()
            .all(|part| self.part_of_step(Some(one), part) == self.part_of_step(Some(other), part))
    }

    /// Does a task, depth first, until everything is done or every method has been tried. The choices stand in a list: their
    /// number has no limit but that of the looks, too many for the stack of a thread.
    fn go(&self, task: usize, deepest: &mut Deepest) {
        let mut place = Place {
            here: self.facts.clone(),
            plan: Vec::new(),
            todo: vec![(Doing::Task(task), 0, None)],
        };
        let mut choices: Vec<Choice> = Vec::new();
        let mut next = Some(0);
        loop {
            match self.advance(next, &mut place, deepest) {
                Advance::Done => return,
                Advance::Stuck => {}
                Advance::Choose(choice) => choices.push(choice),
            }
            next = loop {
                let Some(choice) = choices.last_mut() else {
                    return;
                };
                match self.next_method(choice, &mut place, deepest) {
                    Some(first) => break first,
                    None => choices.pop(),
                };
            };
        }
    }

    /// Does steps up to the next task.
    fn advance(
        &self,
        mut next: Option<usize>,
        place: &mut Place,
        deepest: &mut Deepest,
    ) -> Advance {
        loop {
            deepest.looks += 1;
            let Some(todo) = next else {
                return Advance::Done;
            };
            if deepest.looks > MOST_LOOKS {
                return Advance::Stuck;
            }
            let (doing, level, after) = place.todo[todo];
            let step = match doing {
                Doing::Step(step) => step,
                Doing::Task(_) if level >= MAX_TASK_DEPTH => {
                    deepest.is_too_deep = true;
                    return Advance::Stuck;
                }
                Doing::Task(task) => {
                    return Advance::Choose(Choice {
                        task,
                        level,
                        next_method: 0,
                        after,
                        here: place.here.clone(),
                        steps: place.plan.len(),
                        todos: place.todo.len(),
                    });
                }
            };
            let is_free = !self.left_out.has(step);
            let full = place.plan.len() >= self.planner.max_steps as usize;
            let usable = self.domain.is_usable(step, &place.here);
            deepest.is_too_long |= full;
            if full || !is_free || !usable {
                let stuck = match is_free {
                    true => Stuck::Step(step, self.first_lacking(step, &place.here)),
                    false => Stuck::LeftOut(step),
                };
                deepest.note(&place.plan, stuck);
                return Advance::Stuck;
            }
            let here = place.here.clone();
            if !self.domain.apply(step, &mut place.here) {
                deepest.note(&place.plan, Stuck::Effect(step, here));
                return Advance::Stuck;
            }
            if self.domain.cost(step, &here).is_none() {
                deepest.note(&place.plan, Stuck::Cost(step, here.clone()));
                if deepest.costless.iter().all(|known| known.step != step) {
                    let after = place.plan.clone();
                    deepest.costless.push(Costless { step, after, here });
                }
                return Advance::Stuck;
            }
            place.plan.push(step);
            next = after;
        }
    }

    /// Goes back to a choice, and takes its next method: what is to be done then. `None` if no method is left.
    fn next_method(
        &self,
        choice: &mut Choice,
        place: &mut Place,
        deepest: &mut Deepest,
    ) -> Option<Option<usize>> {
        place.here.clone_from(&choice.here);
        place.plan.truncate(choice.steps);
        place.todo.truncate(choice.todos);
        let methods = &self.planner.tasks[choice.task].methods;
        loop {
            let at = choice.next_method;
            let method = methods.get(at)?;
            choice.next_method += 1;
            if let Some(when) = &method.when
                && let Some(part) = self.first_of(&parts_of(when), &place.here)
            {
                deepest.note(&place.plan, Stuck::Method(choice.task, at, Some(part)));
                continue;
            }
            let mut next = choice.after;
            for &doing in method.does.iter().rev() {
                place.todo.push((doing, choice.level + 1, next));
                next = Some(place.todo.len() - 1);
            }
            return Some(next);
        }
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
