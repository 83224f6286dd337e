//! A mind in the view: an agent that decides, and its body in the arena.

use std::ops::{Deref, DerefMut};
use treemind_arena::BodyId;
use treemind_core::{Behaviour, Population};
use treemind_replay::follow::{Fellows, Replaced};

/// An agent that decides.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    who: Option<BodyId>,
    watched: treemind_replay::follow::Follower,
}

impl Mind {
    /// A mind that follows the behaviour at `position`.
    pub(super) fn new(
        name: &str,
        who: Option<BodyId>,
        position: usize,
        behaviour: &Behaviour,
    ) -> Self {
        Self {
            who,
            watched: treemind_replay::follow::Follower::new(name, position, behaviour),
        }
    }

    /// The same, of another agent than the first.
    pub(super) fn of_agent(mut self, agent: usize) -> Self {
        self.watched = self.watched.of_agent(agent);
        self
    }

    /// The same, of an agent that was followed as `known` until its population got another program. Without an agent, it is
    /// absent.
    pub(super) fn after(
        mut self,
        known: &Self,
        replaced: &Replaced<'_>,
        of: (&Population, Option<usize>),
    ) -> Self {
        self.watched = self.watched.after(&known.watched, replaced, of);
        self
    }

    /// The same; its reasons call the other agents of its population by these names.
    pub(super) fn among(mut self, fellows: Fellows) -> Self {
        self.watched = self.watched.among(fellows);
        self
    }

    /// Its body, if there is a world.
    pub(super) fn who(&self) -> Option<BodyId> {
        self.who
    }
}

impl Deref for Mind {
    type Target = treemind_replay::follow::Follower;

    fn deref(&self) -> &Self::Target {
        &self.watched
    }
}

impl DerefMut for Mind {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.watched
    }
}
