//! The first way to do a task, depth first.

use super::desk::{Choice, Desk, Move, NONE, Todo};
use super::{Domain, NoPlan, Search, StepSet, all_hold};
use crate::behaviour::{Doing, MAX_TASK_DEPTH};

impl Domain {
    /// The task is all that is to be done.
    pub(super) fn begin_task(task: u32, desk: &mut Desk) {
        desk.todo.push(Todo {
            doing: Doing::Task(task as usize),
            level: 0,
            next: NONE,
        });
        desk.move_next = Move::Take(0);
    }

    /// The situation reached so far is `here`; those before each choice are kept in `words`.
    pub(super) fn decompose(&self, left_out: StepSet, given: u32, desk: &mut Desk) -> Search {
        loop {
            if desk.expansions > self.max_expansions {
                desk.expansions = self.max_expansions;
                return Search::Nothing(NoPlan::Limit);
            }
            if desk.expansions > given {
                return Search::Unfinished;
            }
            desk.move_next = match desk.move_next {
                Move::Take(NONE) => return self.done(desk),
                Move::Take(todo) => self.take(todo, left_out, desk),
                Move::Choose(choice) => self.choose(choice, desk),
                Move::Undo => match desk.choices.pop() {
                    Some(choice) => undo(choice, desk),
                    None if desk.was_cut => return Search::Nothing(NoPlan::Limit),
                    None => return Search::Nothing(NoPlan::None),
                },
            };
        }
    }

    /// Does what is to be done next.
    fn take(&self, todo: u32, left_out: StepSet, desk: &mut Desk) -> Move {
        let todo = desk.todo[todo as usize];
        match todo.doing {
            Doing::Step(step) => {
                desk.expansions += 1;
                let is_cut = desk.plan.len() >= self.max_steps as usize;
                desk.was_cut |= is_cut;
                match !is_cut && self.take_step(step, left_out, desk) {
                    true => Move::Take(todo.next),
                    false => Move::Undo,
                }
            }
            Doing::Task(_) if todo.level >= MAX_TASK_DEPTH => {
                desk.was_cut = true;
                Move::Undo
            }
            Doing::Task(task) => Move::Choose(Choice {
                task: task as u32,
                level: todo.level,
                after: todo.next,
                todos: desk.todo.len() as u32,
                steps: desk.plan.len() as u32,
                next_method: 0,
            }),
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
        let cost = self.cost(step, &desk.here);
        // A fault spoils the situation; then the last choice brings back the one before it.
        if !self.apply(step, &mut desk.here) {
            return false;
        }
        if cost.is_none() {
            desk.bad_costs.add(step);
            return false;
        }
        desk.plan.push(step as u8);
        true
    }

    /// Looks at the next method of a task.
    fn choose(&self, mut choice: Choice, desk: &mut Desk) -> Move {
        let Some(method) = self.tasks[choice.task as usize].get(choice.next_method as usize) else {
            return Move::Undo;
        };
        desk.expansions += 1;
        choice.next_method += 1;
        if !all_hold(&method.when, &desk.here) {
            return Move::Choose(choice);
        }
        desk.choices.push(choice);
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
        Move::Take(next)
    }
}

/// Goes back to the last choice, to try what comes after it.
fn undo(choice: Choice, desk: &mut Desk) -> Move {
    let planned = desk.planned;
    let start = desk.choices.len() * planned;
    desk.here[..planned].copy_from_slice(&desk.words[start..start + planned]);
    desk.words.truncate(start);
    desk.plan.truncate(choice.steps as usize);
    desk.todo.truncate(choice.todos as usize);
    Move::Choose(choice)
}
