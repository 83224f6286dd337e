//! What bodies without a mind are doing, and what they do at the end of their route.

use crate::geometry::Cell;
use crate::ids::BodyId;
use serde::{Deserialize, Serialize};

/// What a body without a mind does at the end of its route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It stays there.
    #[default]
    Stay,
    /// It leaves the world.
    Leave,
    /// It starts the route again.
    Again,
}

/// What a body without a mind is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Task {
    #[default]
    Route,
    Go(Cell),
    Follow(BodyId),
    Stand,
}

/// The current task of a body without a mind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Routine {
    pub(crate) task: Task,
}

impl Routine {
    /// The body that it follows.
    pub(crate) fn follows(&self) -> Option<BodyId> {
        match self.task {
            Task::Follow(who) => Some(who),
            Task::Route | Task::Go(_) | Task::Stand => None,
        }
    }

    pub(crate) fn go(&mut self, cell: Cell) {
        self.task = Task::Go(cell);
    }

    pub(crate) fn follow(&mut self, whom: BodyId) {
        self.task = Task::Follow(whom);
    }

    pub(crate) fn stand(&mut self) {
        self.task = Task::Stand;
    }
}
