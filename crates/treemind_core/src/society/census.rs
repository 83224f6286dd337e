//! Who lives in all populations, for programs that ask.

use super::{Member, Society};
use crate::lives::Census;
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
}
