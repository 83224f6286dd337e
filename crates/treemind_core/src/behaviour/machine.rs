//! State machines: the states are data, and everything that is carried out is a child of one node.
//!
//! The semantics follow Harel statecharts as defined by SCXML (W3C, 2015), and the alarm machines of Millington and
//! Funge, "Artificial Intelligence for Games"; `docs/machine-semantics.md` is the specification.

use super::decision::{Decision, DecisionStep};
use crate::expr::Expr;
use crate::ids::{KeyId, LeafId, StateIndex};

/// A child of the machine's node: its position in the list of children.
pub type ChildIndex = usize;

/// A hierarchical state machine. Everything that its states and transitions carry out is a child of its node.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Which candidates win, and how far a tick goes.
    pub mode: Mode,
    /// In document order, parents before children; the first is the machine itself.
    pub states: Vec<State>,
    /// In document order.
    pub transitions: Vec<Transition>,
    /// The decision trees that [`Transition::decided`] refers to. Their leaves are numbers, as described there.
    pub deciders: Vec<Decision>,
    /// The largest number of microsteps that a statechart takes in one tick for one event; [`MAX_MICROSTEPS`] by
    /// default. At least 1.
    pub max_microsteps: u32,
}

/// Which candidates win, and how far a tick goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Candidates from the outermost level inwards, one step per region and tick.
    #[default]
    Alarm,
    /// Candidates from the innermost level outwards, run to completion.
    Statechart,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The name, unique in the machine. The name of the first state is the machine's.
    pub name: String,
    /// The state that contains it; `None` only for the first.
    pub parent: Option<StateIndex>,
    /// What it consists of.
    pub kind: StateKind,
    /// Carried out at each entry, in order; each is ticked once and must end at once.
    pub entry: Vec<ChildIndex>,
    /// Carried out at each exit, in order; each is ticked once and must end at once.
    pub exit: Vec<ChildIndex>,
    /// The task that runs while it is active.
    pub activity: Option<ChildIndex>,
    /// A `bool` expression: while it does not hold, no transition leads here.
    pub enter_if: Option<Expr>,
    /// Events that are kept for the next tick if they are not used while it is active.
    pub defers: Vec<LeafId>,
    /// The event that is raised inside a statechart when it is done.
    pub done_event: Option<LeafId>,
}

/// What a state consists of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StateKind {
    /// No states inside.
    Atomic,
    /// One of its states is active.
    Composite {
        /// Where it begins.
        initial: Initial,
    },
    /// All of its states are active.
    Parallel,
    /// Ends the state that contains it.
    Final {
        /// Whether it ends with success or failure.
        success: bool,
    },
}

/// Where a composite begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// Targets inside the composite.
    pub targets: Vec<Target>,
    /// Carried out after the composite's entry, in order.
    pub tasks: Vec<ChildIndex>,
}

/// How much of a composite's last configuration is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Which of its direct states was active.
    Shallow,
    /// All states that were active inside it.
    Deep,
}

/// Where a transition leads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// To a state; a composite then begins at its initial targets.
    State(StateIndex),
    /// To the states that were active in a state when it was last left.
    History {
        /// The state, a composite or a parallel.
        of: StateIndex,
        /// How much is restored.
        depth: Depth,
        /// The targets if the state was never left; empty means its initial targets.
        fallback: Vec<Target>,
        /// Carried out, in order, when the fallback is used.
        tasks: Vec<ChildIndex>,
    },
}

/// What makes a transition a candidate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trigger {
    /// Every tick (in a statechart: every microstep).
    Polled,
    /// One of these events.
    Event(Vec<LeafId>),
    /// A time after its source was entered: seconds, a `double` expression evaluated at the entry.
    After(Expr),
    /// The end of the source: its activity has ended with this result, or its final state was entered.
    Done(DoneWith),
}

/// How a state ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DoneWith {
    /// In any way.
    Any,
    /// With success.
    Success,
    /// With failure.
    Failure,
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state that must be active.
    pub source: StateIndex,
    /// Where it leads; if empty, nothing is left or entered. Several targets must be in different regions.
    pub targets: Vec<Target>,
    /// What makes it a candidate.
    pub trigger: Trigger,
    /// A `bool` expression that must hold.
    pub when: Option<Expr>,
    /// A child that must succeed (conditions only).
    pub conditions: Option<ChildIndex>,
    /// Transitions with a higher priority are considered first.
    pub priority: i32,
    /// If its targets are inside the source, the source is not left.
    pub local: bool,
    /// It is also taken when its target, below the source, is already active.
    pub reenter: bool,
    /// Carried out between exits and entries, in order.
    pub tasks: Vec<ChildIndex>,
    /// Its effect on the stack.
    pub stack: Stack,
    /// For an event with parameters that expressions read: the keys that receive the values, one per parameter.
    pub payload: Vec<KeyId>,
    /// It is one of several neighbouring transitions that are considered as one: a decision tree chooses between them.
    pub decided: Option<Decided>,
}

/// Which outcome of a decision tree a transition is.
///
/// The transitions of one decider are neighbours; there are as many as the decider has leaves, in the same order.
/// They differ only in their targets, `local`, `reenter` and tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The position of the decider in [`Machine::deciders`].
    pub by: usize,
    /// Its leaf.
    pub leaf: usize,
}

/// The effect of a transition on the stack of its machine, which holds at most [`MAX_STACK`] configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stack {
    /// No effect.
    #[default]
    Keep,
    /// Stores what is active in the composite that contains the target, and goes to the target.
    Push,
    /// Returns to what was stored last; it has no targets.
    Pop,
}

/// The largest number of configurations on a stack.
pub const MAX_STACK: usize = 8;

/// The largest number of events that can wait for a machine of one agent.
pub const MAX_EVENTS: usize = 16;

/// The largest number of microsteps that a statechart takes in one tick for one event, unless it sets another limit.
pub const MAX_MICROSTEPS: u32 = 64;

impl Machine {
    /// The transitions that are considered together with one, including itself: several if a decision tree chooses
    /// between them.
    pub fn looked_at_with(&self, number: usize) -> std::ops::Range<usize> {
        let Some(decided) = self.transitions[number].decided else {
            return number..number + 1;
        };
        let first = number - decided.leaf;
        let rest = self.transitions[first..].iter();
        let is_one = |one: &&Transition| one.decided.is_some_and(|other| other.by == decided.by);
        first..first + rest.take_while(is_one).count()
    }

    /// The number of a decider's first test in traces; tests are numbered through all deciders of the machine.
    pub fn first_test(&self, decider: usize) -> usize {
        let before = self.deciders[..decider].iter();
        before.map(|decision| decision.steps.len()).sum()
    }

    /// A test of the decision trees of its transitions, by its number in traces.
    pub fn test(&self, number: usize) -> Option<&DecisionStep> {
        let mut steps = self.deciders.iter().flat_map(|decision| &decision.steps);
        steps.nth(number)
    }

    /// The states directly in a state, in document order.
    pub fn children(&self, state: StateIndex) -> impl Iterator<Item = StateIndex> + '_ {
        (state + 1..self.states.len())
            .filter(move |child| self.states[*child].parent == Some(state))
    }

    /// Whether `inner` is inside `outer`, at any depth; `false` when they are the same.
    pub fn is_inside(&self, inner: StateIndex, outer: StateIndex) -> bool {
        let mut above = self.states[inner].parent;
        while let Some(state) = above {
            if state == outer {
                return true;
            }
            above = self.states[state].parent;
        }
        false
    }

    /// Whether both can be active at the same time without one containing the other: the innermost state that
    /// contains both is parallel.
    pub fn are_orthogonal(&self, left: StateIndex, right: StateIndex) -> bool {
        let mut above = self.states[left].parent;
        while let Some(state) = above {
            if self.is_inside(right, state) {
                return self.states[state].kind == StateKind::Parallel
                    && left != right
                    && !self.is_inside(left, right)
                    && !self.is_inside(right, left);
            }
            above = self.states[state].parent;
        }
        false
    }

    /// The names of a state and of the states around it, from the outermost inwards, without the machine itself.
    pub fn path(&self, state: StateIndex) -> Vec<&str> {
        let around = std::iter::successors(Some(state), |inner| self.states[*inner].parent);
        let mut path: Vec<&str> = around
            .filter(|state| *state > 0)
            .map(|state| self.states[state].name.as_str())
            .collect();
        path.reverse();
        path
    }

    /// How many states contain a state.
    pub fn level(&self, state: StateIndex) -> usize {
        std::iter::successors(self.states[state].parent, |above| {
            self.states[*above].parent
        })
        .count()
    }

    /// Whether a state contains no states.
    pub fn is_atomic(&self, state: StateIndex) -> bool {
        matches!(
            self.states[state].kind,
            StateKind::Atomic | StateKind::Final { .. }
        )
    }

    /// The state of a target; for a history, the state that it belongs to.
    pub fn target_state(target: &Target) -> StateIndex {
        match target {
            Target::State(state) | Target::History { of: state, .. } => *state,
        }
    }

    /// Whether draws that led to a transition are used up when it is taken: it leads out of its source, or into it again.
    pub(crate) fn uses_draws(&self, transition: &Transition) -> bool {
        let mut targets = transition.targets.iter();
        !targets.any(|target| self.is_inside(Self::target_state(target), transition.source))
    }

    /// The innermost state that a transition does not leave: everything active inside it is left. `None` for
    /// transitions without targets.
    ///
    /// It is the nearest state, composite or parallel, that properly contains the source and all targets. For a
    /// local transition whose targets are all inside the source, it is the source itself. A history is inside its
    /// state.
    pub fn domain(&self, transition: &Transition) -> Option<StateIndex> {
        if transition.targets.is_empty() {
            return None;
        }
        let inside = |target: &Target, outer: StateIndex| match target {
            Target::State(state) => self.is_inside(*state, outer),
            Target::History { of, .. } => *of == outer || self.is_inside(*of, outer),
        };
        let all = |outer: StateIndex| {
            transition
                .targets
                .iter()
                .all(|target| inside(target, outer))
        };
        if transition.local && all(transition.source) {
            return Some(transition.source);
        }
        let mut above = self.states[transition.source].parent;
        while let Some(state) = above {
            if all(state) {
                return Some(state);
            }
            above = self.states[state].parent;
        }
        Some(0)
    }
}
