//! State machines: states as data, everything that is carried out as children of one node.
//!
//! The semantics follow Harel statecharts as SCXML writes them down (W3C, 2015), and the alarm machines of Millington
//! and Funge, "Artificial Intelligence for Games"; `docs/machines.md` is the letter.

use super::decision::Decision;
use crate::expr::Expr;
use crate::ids::{KeyId, LeafId, StateIndex};

/// A child of the machine's node: position in the list of children.
pub type ChildIndex = usize;

/// A hierarchical state machine. What states do and transitions do are the children of its node.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Which candidates win, and how far a tick goes.
    pub mode: Mode,
    /// In document order, parents before children; the first is the machine itself.
    pub states: Vec<State>,
    /// In document order.
    pub transitions: Vec<Transition>,
    /// What [`Transition::decided`] is about. Their leaves are numbers: see there.
    pub deciders: Vec<Decision>,
    /// How many microsteps a statechart takes in one tick for one event, at most; [`MAX_MICROSTEPS`] unless there is a
    /// reason. At least 1.
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
    /// The name; unique in the machine. That of the first is the machine's.
    pub name: String,
    /// The state that it is in; `None` for the first only.
    pub parent: Option<StateIndex>,
    /// What it is made of.
    pub kind: StateKind,
    /// Carried out at each entry, in order; each is ticked once and must not run on.
    pub entry: Vec<ChildIndex>,
    /// Carried out at each exit, in order; each is ticked once and must not run on.
    pub exit: Vec<ChildIndex>,
    /// The task that runs while it is active.
    pub activity: Option<ChildIndex>,
    /// A `bool` expression: where it does not hold, no transition leads here.
    pub enter_if: Option<Expr>,
    /// Events that are kept for the next tick when nobody used them while it is active.
    pub defers: Vec<LeafId>,
    /// The event that is raised inside a statechart when it is done.
    pub done_event: Option<LeafId>,
}

/// What a state is made of.
#[derive(Clone, Debug, PartialEq)]
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
    /// The end of the state that it is in.
    Final {
        /// Success or failure.
        success: bool,
    },
}

/// Where a composite begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// Inside the composite.
    pub targets: Vec<Target>,
    /// Carried out after the composite's entry, in order.
    pub tasks: Vec<ChildIndex>,
}

/// How far a composite is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The one of its states that was active.
    Shallow,
    /// All that was active in it.
    Deep,
}

/// Where a transition leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// To a state; a composite begins as it says.
    State(StateIndex),
    /// To where a state was when it was left last.
    History {
        /// Whose history; a composite or a parallel.
        of: StateIndex,
        /// How much of it.
        depth: Depth,
        /// When it was never left: there; none means where it begins.
        fallback: Vec<Target>,
        /// Carried out, in order, when the fallback is taken.
        tasks: Vec<ChildIndex>,
    },
}

/// What makes a transition a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// Every tick (in a statechart: every microstep).
    Polled,
    /// One of these events.
    Event(Vec<LeafId>),
    /// So long after its source was entered: seconds, a `double` expression read at the entry.
    After(Expr),
    /// The source's activity has ended so, or its final state was entered.
    Done(DoneWith),
}

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoneWith {
    /// In whatever way.
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
    /// Where it leads; none: nothing is left or entered. Several lie in several regions.
    pub targets: Vec<Target>,
    /// What makes it a candidate.
    pub trigger: Trigger,
    /// A `bool` expression that must hold, and a child that must succeed (conditions only).
    pub when: Option<Expr>,
    /// See [`when`](Self::when).
    pub conditions: Option<ChildIndex>,
    /// Higher ones are looked at first.
    pub priority: i32,
    /// With targets inside the source, that is not left.
    pub local: bool,
    /// Taken also when its target is active already, below the source.
    pub reenter: bool,
    /// Carried out between exits and entries, in order.
    pub tasks: Vec<ChildIndex>,
    /// What it does to the stack.
    pub stack: Stack,
    /// For an event with parameters that expressions read: the keys that receive them, one per parameter.
    pub payload: Vec<KeyId>,
    /// It is one of several that stand together and are looked at as one: a decision tree says which.
    pub decided: Option<Decided>,
}

/// Which way out of a decision tree a transition is.
///
/// The transitions of one decider stand together, as many as it has leaves and in their order. They have everything in
/// common but their targets, `local`, `reenter` and tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Which one of [`Machine::deciders`].
    pub by: usize,
    /// Its leaf.
    pub leaf: usize,
}

/// What a transition does to the stack of its machine, which holds at most [`MAX_STACK`] configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stack {
    /// Nothing.
    #[default]
    Keep,
    /// Remembers what is active in the composite that the target is in, and goes to the target.
    Push,
    /// Goes back to what was remembered last; it has no targets.
    Pop,
}

/// How many configurations a stack holds.
pub const MAX_STACK: usize = 8;

/// How many events wait for a machine of one agent.
pub const MAX_EVENTS: usize = 16;

/// How many microsteps a statechart may take in one tick for one event, unless it says otherwise.
pub const MAX_MICROSTEPS: u32 = 64;

impl Machine {
    /// The transitions that are looked at together with one, its own number included: several where a decision tree
    /// says which of them it is.
    pub fn looked_at_with(&self, number: usize) -> std::ops::Range<usize> {
        let Some(decided) = self.transitions[number].decided else {
            return number..number + 1;
        };
        let first = number - decided.leaf;
        let rest = self.transitions[first..].iter();
        let is_one = |one: &&Transition| one.decided.is_some_and(|other| other.by == decided.by);
        first..first + rest.take_while(is_one).count()
    }

    /// How the tests of a decider are numbered in traces: from where, through all deciders of the machine.
    pub fn first_test(&self, decider: usize) -> usize {
        let before = self.deciders[..decider].iter();
        before.map(|decision| decision.steps.len()).sum()
    }

    /// The states directly in a state, in document order.
    pub fn children(&self, state: StateIndex) -> impl Iterator<Item = StateIndex> + '_ {
        (state + 1..self.states.len())
            .filter(move |child| self.states[*child].parent == Some(state))
    }

    /// Whether `inner` lies somewhere in `outer`; not when they are the same.
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

    /// Whether both can be active at the same time without one being in the other: the innermost state that both are in
    /// is parallel.
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

    /// How many states a state is in.
    pub fn level(&self, state: StateIndex) -> usize {
        std::iter::successors(self.states[state].parent, |above| {
            self.states[*above].parent
        })
        .count()
    }

    /// The states that have none inside.
    pub fn is_atomic(&self, state: StateIndex) -> bool {
        matches!(
            self.states[state].kind,
            StateKind::Atomic | StateKind::Final { .. }
        )
    }

    /// The state that a target is or is about.
    pub fn target_state(target: &Target) -> StateIndex {
        match target {
            Target::State(state) | Target::History { of: state, .. } => *state,
        }
    }

    /// The innermost state that a transition does not leave: everything active inside of it is left. `None` for
    /// transitions without targets.
    ///
    /// It is the nearest state, composite or parallel, that properly contains the source and all targets; for local
    /// ones whose targets all lie inside the source the source itself. A history lies inside its state.
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
