//! The last steps of a society, kept so that all its populations can go back to any of them.

use super::{Member, Society};
use crate::population::{Delivery, Rollback};

/// The last steps of a society: what [`Rollback`] is for a population. All populations go back together, with what they
/// share, their groups, the places of semaphores and the events in their mailboxes.
#[derive(Clone, Debug)]
pub struct SocietyRollback {
    /// How many steps are kept at most.
    most: usize,
    /// Those of each population, in the order of joining; `None` for those that have left.
    members: Vec<Option<Rollback>>,
    /// The number of the newest step, and how many before it are kept.
    newest: u64,
    kept: usize,
}

impl SocietyRollback {
    /// Keeps at most the last `steps` steps of a society, from now on.
    pub fn new(society: &Society, steps: usize) -> Self {
        let begin = |member: &Option<Member>| {
            let member = member.as_ref()?;
            Some(Rollback::new(&member.population, steps))
        };
        Self {
            most: steps,
            members: society.members.iter().map(begin).collect(),
            newest: society.steps,
            kept: 0,
        }
    }

    /// Keeps the state of the society as it is now: call it after each step. What was changed between steps belongs to
    /// the step after it. When a population has joined or left since, or this is not the step after the newest one, it
    /// begins anew: it does not go back to what was before.
    ///
    /// # Panics
    /// When a step has begun and was forgotten (`mem::forget`).
    pub fn record(&mut self, society: &Society) {
        assert!(!society.is_in_step, "the step has not ended");
        if !self.is_of(society) || society.steps != self.newest + 1 {
            *self = Self::new(society, self.most);
            return;
        }
        for (kept, member) in self.members.iter_mut().zip(&society.members) {
            if let (Some(kept), Some(member)) = (kept, member) {
                kept.record(&member.population);
            }
        }
        self.newest = society.steps;
        self.kept = (self.kept + 1).min(self.most);
    }

    /// The number of the oldest step that it can go back to.
    pub fn oldest(&self) -> u64 {
        self.newest - self.kept as u64
    }

    /// The number of the newest step.
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Makes the society what it was after a step, with the same handles and faults, and forgets the steps after that.
    /// `false`, and nothing has changed, if that step is not kept, or other populations are in the society now.
    pub fn go_back(&mut self, society: &mut Society, step: u64) -> bool {
        if !(self.oldest()..=self.newest).contains(&step) || !self.is_of(society) {
            return false;
        }
        society.touch();
        let records = (self.newest - step) as usize;
        for (kept, place) in self.members.iter_mut().zip(&mut society.members) {
            if let (Some(kept), Some(mut member)) = (kept, place.take()) {
                kept.go_back_by(&mut member.population, records);
                // Its program may have been another one, with other names of values.
                *place = Some(Member::new(member.name, member.population));
            }
        }
        society.steps = step;
        society.is_in_step = false;
        society.delivery = Delivery::default();
        society.link();
        self.newest = step;
        self.kept -= records;
        true
    }

    /// Whether the populations are those of a society.
    fn is_of(&self, society: &Society) -> bool {
        let members = society.members.iter().map(Option::is_some);
        members.eq(self.members.iter().map(Option::is_some))
    }

    /// The bytes of everything that is kept.
    pub fn bytes(&self) -> usize {
        self.members.iter().flatten().map(Rollback::bytes).sum()
    }
}
