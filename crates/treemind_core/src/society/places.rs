//! The places of semaphores that populations share.

use super::{Member, SharedSemaphore, Society};
use crate::population::{Line, Turn};

impl Society {
    /// Shows all populations how many places are taken, if any of them asks.
    pub(super) fn show_places(&mut self) {
        let asks = |member: &Member| member.population.program().asks_places;
        if !self.members.iter().flatten().any(asks) {
            return;
        }
        let groups = self.groups();
        let mut line = std::mem::take(&mut self.line);
        for semaphore in &self.semaphores {
            semaphore.count_holders(&mut self.members, groups, &mut line);
            for &(member, index) in &semaphore.uses {
                if let Some(member) = self.members[member].as_mut().filter(|member| asks(member)) {
                    member.population.show_taken_places(index, &line);
                }
            }
        }
        self.line = line;
    }

    /// Gives free places to the agents that have waited longest, or to the best bidders, of the populations that were
    /// ticked.
    pub(super) fn give_places(&mut self) {
        if self.semaphores.is_empty() {
            return;
        }
        let groups = self.groups();
        let mut line = std::mem::take(&mut self.line);
        for semaphore in &self.semaphores {
            semaphore.count_holders(&mut self.members, groups, &mut line);
            for (number, &(member, index)) in semaphore.uses.iter().enumerate() {
                if let Some(member) = &mut self.members[member]
                    && member.was_ticked
                {
                    let population = &mut member.population;
                    population.stand_in_line(index, number as u32, &mut line);
                }
            }
            line.give(semaphore.places, semaphore.bidding, |turn| {
                let population = match turn {
                    Turn::Admitted(waiting) => waiting.population,
                    Turn::Outbid(holder) => holder.population.0,
                };
                let (member, index) = semaphore.uses[population as usize];
                if let Some(member) = &mut self.members[member] {
                    member.population.take_turn(index, turn);
                }
            });
        }
        self.line = line;
    }
}

impl SharedSemaphore {
    /// Begins a line with the agents of all populations that hold a place.
    fn count_holders(&self, members: &mut [Option<Member>], groups: usize, line: &mut Line) {
        line.begin(groups);
        for (number, &(member, index)) in self.uses.iter().enumerate() {
            if let Some(member) = &mut members[member] {
                let population = &mut member.population;
                population.count_holders(index, number as u32, line);
            }
        }
    }
}
