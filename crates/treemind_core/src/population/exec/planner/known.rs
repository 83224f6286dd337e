//! Plans that were found before, for many agents of a word at once: they differ in nothing but their facts.

use super::each_bit;
use super::goals::Looked;
use super::memory::InPlan;
use crate::planning::{Question, StepSet};
use crate::population::exec::Exec;
use crate::program::op::PlannerOp;
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Some agents of a word have no plan and no search, no goal is fruitless for them, no step is left out, and nothing
    /// is open in the steps. Those among them who would search for what is known take the plan at once, just as they
    /// would one by one; they are returned. What happens is not recorded.
    pub(super) fn adopt_known(
        &mut self,
        op: &PlannerOp,
        word: usize,
        agents: u64,
        looked: &Looked,
    ) -> u64 {
        let (mut adopted, mut free) = (0, agents);
        for goal in 1..=op.goals.len() as u32 {
            if free == 0 {
                break;
            }
            let pursues = self.call.run.read().bits(op.memory.pursues + goal - 1)[word] & free;
            // State that was made up may pursue several; the first one counts.
            free &= !pursues;
            let stay = looked.staying(op, goal, pursues);
            adopted |= self.copy_plans(op, goal, word, stay);
        }
        // The others pursue nothing.
        for goal in 1..=op.goals.len() as u32 {
            let these = looked.choosing(op, goal, free);
            adopted |= self.copy_plans(op, goal, word, these);
        }
        adopted
    }

    /// Gives agents of a word the plans for a goal that are known; returns those who have one now.
    fn copy_plans(&mut self, op: &PlannerOp, goal: u32, word: usize, agents: u64) -> u64 {
        if agents == 0 {
            return 0;
        }
        let memory = &op.memory;
        let given = match memory.search {
            Some(_) => op.slice,
            None => u32::MAX,
        };
        let of = Question::new(op.node, goal as usize - 1, StepSet::default());
        let (plans, run) = (&mut *self.plans, &mut self.call.run);
        let (words, columns) = (op.domain.words(), memory.steps);
        let (mut done, mut promised) = (0, 0);
        each_bit(agents, |bit| {
            let facts = &plans.of_word[bit * words..][..words];
            let Some(plan) = plans.shelf.known_plan(of, facts, given) else {
                return;
            };
            let lane = word * 64 + bit;
            let each = (columns.each as usize).min(plan.steps.len());
            let (first, rest) = plan.steps.split_at(each);
            *run.narrow_of_mut(columns.first, lane) = columns.packed(first);
            if !rest.is_empty() {
                let rest = rest.chunks(columns.each as usize);
                for (column, some) in (columns.first + 1..).zip(rest) {
                    *run.narrow_of_mut(column, lane) = columns.packed(some);
                }
            }
            let place = InPlan {
                length: plan.steps.len() as u32,
                cursor: 0,
                method: plan.method,
            };
            *run.narrow_of_mut(memory.place, lane) = place.bits();
            plans.hashes[bit] = plan.start.facts;
            promised |= u64::from(plan.start.promises) << bit;
            done |= 1 << bit;
        });
        // What the first steps promise is known, too.
        plans.hashed |= done;
        plans.foreseen |= done;
        plans.promised = plans.promised & !done | promised;
        if let Some(column) = memory.searched_with {
            let column = &mut run.wide_mut(column)[word * 64..];
            each_bit(done, |bit| column[bit] = plans.hashes[bit]);
        }
        run.bits_mut(memory.planned)[word] |= done;
        run.bits_mut(memory.ended)[word] &= !done;
        self.clear_all(memory.pursues, op.goals.len(), word, done);
        self.call.run.bits_mut(memory.pursues + goal - 1)[word] |= done;
        if W > 1 && self.tracks {
            self.stirred[word] |= done;
        }
        done
    }
}
