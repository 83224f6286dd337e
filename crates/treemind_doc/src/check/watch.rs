//! What asks and what does, to find conditions that stand too late in a `filter`.

use treemind_core::Kind;

/// What is in a subtree. By default nothing that counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watch {
    /// It has a condition or a check.
    asks: bool,
    /// It has something that takes time or changes something, so that `monitor` would run it once.
    pub(super) is_task: bool,
}

impl Watch {
    /// Conditions and checks, and nothing else that counts.
    pub(super) fn asks_only(self) -> bool {
        self.asks && !self.is_task
    }

    /// What takes time, or may.
    pub(super) fn task() -> Watch {
        Watch {
            asks: false,
            is_task: true,
        }
    }

    /// The same, with statements behind it: no plain question.
    pub(super) fn with_statements(self) -> Watch {
        Watch {
            asks: false,
            ..self
        }
    }

    /// A node of this kind with those children.
    pub(super) fn of(kind: &Kind, children: impl Iterator<Item = Watch>) -> Watch {
        match kind {
            Kind::Condition { .. } | Kind::Check { .. } | Kind::Changed { .. } => Watch {
                asks: true,
                is_task: false,
            },
            Kind::Succeed | Kind::Fail | Kind::Run => Watch::default(),
            Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector
            | Kind::Parallel { .. }
            | Kind::Monitor
            | Kind::RandomSelector { .. }
            | Kind::RandomSequence { .. }
            | Kind::WeightedSelector { .. }
            | Kind::UtilitySelector { .. }
            | Kind::Invert
            | Kind::ForceSuccess { .. }
            | Kind::ForceFailure { .. } => children.fold(Watch::default(), |all, child| Watch {
                asks: all.asks || child.asks,
                is_task: all.is_task || child.is_task,
            }),
            _ => Watch {
                asks: false,
                is_task: true,
            },
        }
    }
}
