//! The first way to do a task, depth first.

use super::desk::{Choice, Desk, NONE, Todo};
use super::{Domain, NoPlan, Search, StepSet, all_hold};
use crate::behaviour::{Doing, MAX_TASK_DEPTH};

impl Domain {
    /// The situation reached so far is `here`; those before each choice are kept in `words`.
    pub(super) fn decompose(
        &self,
        task: u32,
        left_out: StepSet,
        given: u32,
        desk: &mut Desk,
    ) -> Search {
        let mut was_cut = false;
        let doing = Doing::Task(task as usize);
        desk.todo.push(Todo {
            doing,
            level: 0,
            next: NONE,
        });
        let mut next = 0;
        loop {
            if next == NONE {
                return self.done(desk);
            }
            let todo = desk.todo[next as usize];
            let came_on = match todo.doing {
                Doing::Step(step) => {
                    desk.expansions += 1;
                    let is_cut = desk.plan.len() >= self.max_steps as usize;
                    was_cut |= is_cut;
                    let did = !is_cut && self.take_step(step, left_out, desk);
                    did.then_some(todo.next)
                }
                Doing::Task(_) if todo.level >= MAX_TASK_DEPTH => {
                    was_cut = true;
                    None
                }
                Doing::Task(task) => {
                    let choice = Choice {
                        task: task as u32,
                        level: todo.level,
                        after: todo.next,
                        todos: desk.todo.len() as u32,
                        steps: desk.plan.len() as u32,
                        next_method: 0,
                    };
                    self.choose(choice, given, desk)
                }
            };
            let came_on = came_on.or_else(|| self.try_another(given, desk));
            if desk.expansions > self.max_expansions {
                desk.expansions = self.max_expansions;
                return Search::Nothing(NoPlan::Limit);
            }
            if desk.expansions > given {
                return Search::Unfinished;
            }
            match came_on {
                Some(then) => next = then,
                None => {
                    let why = if was_cut { NoPlan::Limit } else { NoPlan::None };
                    return Search::Nothing(why);
                }
            }
        }
    }

    /// The plan is on the desk: says what it costs, and which method the task of the goal has chosen.
    fn done(&self, desk: &mut Desk) -> Search {
        let first = desk.choices.first();
        let method = first.map_or(0, |choice| choice.next_method - 1);
        let plan = std::mem::take(&mut desk.plan);
        let start = desk.next.len();
        debug_assert_eq!(start, desk.here.len());
        // `next` still holds the situation at the beginning.
        let mut cost = 0;
        for &step in &plan {
            cost += self.cost(usize::from(step), &desk.next).unwrap_or(0);
            self.apply(usize::from(step), &mut desk.next);
        }
        desk.plan = plan;
        Search::Found { cost, method }
    }

    /// Applies a step, if it can be used here.
    fn take_step(&self, step: usize, left_out: StepSet, desk: &mut Desk) -> bool {
        if left_out.has(step) || !all_hold(&self.steps[step].usable, &desk.here) {
            return false;
        }
        // A fault spoils the situation; then the last choice brings back the one before it.
        if !self.apply(step, &mut desk.here) {
            return false;
        }
        desk.plan.push(step as u8);
        true
    }

    /// Tries the methods of a task, from the one that is next. Returns what is to be done then.
    fn choose(&self, choice: Choice, given: u32, desk: &mut Desk) -> Option<u32> {
        let methods = &self.tasks[choice.task as usize];
        for (index, method) in methods.iter().enumerate().skip(choice.next_method as usize) {
            desk.expansions += 1;
            if desk.expansions > self.max_expansions.min(given) {
                return None;
            }
            if !all_hold(&method.when, &desk.here) {
                continue;
            }
            desk.choices.push(Choice {
                next_method: index as u32 + 1,
                ..choice
            });
            desk.words.extend_from_slice(&desk.here[..desk.planned]);
            let mut next = choice.after;
            for &doing in method.does.iter().rev() {
                desk.todo.push(Todo {
                    doing,
                    level: choice.level + 1,
                    next,
                });
                next = desk.todo.len() as u32 - 1;
            }
            return Some(next);
        }
        None
    }

    /// Undoes the last choice and tries what comes after it.
    fn try_another(&self, given: u32, desk: &mut Desk) -> Option<u32> {
        while let Some(choice) = desk.choices.pop() {
            if desk.expansions > self.max_expansions.min(given) {
                return None;
            }
            let start = desk.choices.len() * desk.planned;
            let planned = desk.planned;
            desk.here[..planned].copy_from_slice(&desk.words[start..start + planned]);
            desk.words.truncate(start);
            desk.plan.truncate(choice.steps as usize);
            desk.todo.truncate(choice.todos as usize);
            if let Some(next) = self.choose(choice, given, desk) {
                return Some(next);
            }
        }
        None
    }
}
