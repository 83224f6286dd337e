//! Who lives in all populations, for programs that ask.

use super::{Member, Society};
use crate::ids::AgentId;
use crate::lives::{Census, Roster};
use std::sync::Arc;

impl Society {
    /// Counts all agents, because a population has come or gone.
    pub(super) fn count_everybody(&mut self) {
        let mut members = self.members.iter().flatten();
        let asks = members.any(|member| member.population.asks_census());
        self.census = asks.then(|| {
            let mut census = Census::default();
            for member in self.members.iter().flatten() {
                member.population.count_into(&mut census);
            }
            Arc::new(census)
        });
        self.roster = None;
        let census = self.census.clone();
        for member in self.members_mut() {
            member.population.lives_mut().count(census.clone(), true);
        }
    }

    /// Counts who was born, has died or has changed the group.
    pub(super) fn count_changes(&mut self) {
        let has_news = |member: &Member| member.population.has_news_of_lives();
        if !self.members.iter().flatten().any(has_news) {
            return;
        }
        let Some(mut census) = self.census.take() else {
            return;
        };
        for member in self.members_mut() {
            member.population.lives_mut().let_go_of_census();
        }
        // It is copied only if the society was cloned.
        let changed = Arc::make_mut(&mut census);
        for member in self.members_mut() {
            member.population.lives_mut().report(changed);
        }
        for member in self.members_mut() {
            let census = Arc::clone(&census);
            member.population.lives_mut().give_census(census);
        }
        self.census = Some(census);
    }

    /// The agents of a group, in the order of their populations and indices. This looks at every agent.
    pub fn members(&self, group: u32) -> impl Iterator<Item = AgentId> + '_ {
        let populations = self.members.iter().flatten();
        populations.flat_map(move |member| member.population.members(group))
    }

    /// The begin of a step: writes down who is in which group, if a program asks and anything has changed.
    pub(super) fn list_members(&mut self) {
        let asks = |member: &Member| member.population.program().asks_mates;
        let Some(census) = &self.census else { return };
        if !self.members.iter().flatten().any(asks) {
            return;
        }
        let changes = census.changes();
        let is_current = |roster: &Arc<Roster>| roster.is_as_of(changes);
        if self.roster.as_ref().is_some_and(is_current) {
            return;
        }
        for member in self.members_mut() {
            member.population.lives_mut().replace_roster(None);
        }
        let mut roster = self.roster.take().unwrap_or_default();
        let living = self.members.iter().flatten();
        let living = living.flat_map(|member| member.population.living());
        // It is copied only if the society was cloned.
        Arc::make_mut(&mut roster).write(changes, living);
        for member in self.members_mut().filter(|member| asks(member)) {
            let roster = Some(Arc::clone(&roster));
            member.population.lives_mut().replace_roster(roster);
        }
        self.roster = Some(roster);
    }
}
