//! A registry and a behaviour put together.

use super::bulk::Leaf;
use super::keys::Wiring;
use std::fmt;
use std::sync::Arc;
use treemind_core::behaviour::LeafKind;
use treemind_core::host::{Answers, Call, Host, Lanes, Order};
use treemind_core::{KeyId, NodeId, Outcome, Status};

/// Why a registry does not fit a behaviour: everything that is missing or of the wrong kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindError {
    pub(super) problems: Vec<BindProblem>,
}

/// One thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindProblem {
    /// The behaviour needs a leaf that is not registered.
    MissingLeaf {
        /// Its name.
        name: String,
        /// Condition or action.
        kind: LeafKind,
        /// A registered leaf of the same kind with a name much like it.
        suggestion: Option<String>,
    },
    /// A leaf of that name is registered, but a condition where an action is needed, or the like.
    WrongKind {
        /// Its name.
        name: String,
        /// What the behaviour needs.
        wanted: LeafKind,
        /// What is registered, in the words of documents.
        registered: &'static str,
    },
    /// A sensor gives something else than its key is.
    WrongSensorType {
        /// The name of the sensor.
        name: String,
        /// The type of what it gives, in the words of documents.
        gives: &'static str,
        /// The name of the key.
        key: String,
        /// The type of the key.
        declared: &'static str,
    },
    /// The code asked for a key that the behaviour does not have.
    MissingKey {
        /// Its name.
        name: String,
        /// A key of the behaviour with a name much like it.
        suggestion: Option<String>,
    },
    /// The code asked for a key with a type that is not the behaviour's.
    WrongKeyType {
        /// Its name.
        name: String,
        /// The type in the code, in the words of documents.
        asked: &'static str,
        /// The type in the behaviour.
        declared: &'static str,
    },
}

impl BindError {
    /// Everything that does not fit, leaves first.
    pub fn problems(&self) -> &[BindProblem] {
        &self.problems
    }
}

fn word(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Condition => "condition",
        LeafKind::Action { .. } => "action",
        LeafKind::Sensor => "sensor",
        LeafKind::Event => "event",
    }
}

/// `an action`, `a sensor`
fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {word}")
}

impl fmt::Display for BindProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suggestion = match self {
            BindProblem::MissingLeaf {
                name,
                kind,
                suggestion,
            } => {
                write!(out, "the {} `{name}` is not registered", word(*kind))?;
                suggestion
            }
            BindProblem::WrongKind {
                name,
                wanted,
                registered,
            } => {
                return write!(
                    out,
                    "`{name}` is {} of the behaviour, but registered as {}",
                    with_article(word(*wanted)),
                    with_article(registered)
                );
            }
            BindProblem::WrongSensorType {
                name,
                gives,
                key,
                declared,
            } => {
                return write!(
                    out,
                    "the key `{key}` is `{declared}`, its sensor `{name}` gives `{gives}`"
                );
            }
            BindProblem::MissingKey { name, suggestion } => {
                write!(out, "the behaviour has no key `{name}`")?;
                suggestion
            }
            BindProblem::WrongKeyType {
                name,
                asked,
                declared,
            } => {
                return write!(
                    out,
                    "the key `{name}` is `{declared}`, the code asks for `{asked}`"
                );
            }
        };
        match suggestion {
            Some(name) => write!(out, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BindError {}

pub(super) struct Slot<W> {
    pub(super) leaf: Arc<dyn Leaf<W>>,
    pub(super) has_start: bool,
    pub(super) has_stop: bool,
}

/// The leaves of one behaviour as closures over a world; from [`Registry::bind`](super::Registry::bind).
pub struct Bound<W> {
    pub(super) slots: Vec<Slot<W>>,
    pub(super) log: Option<Arc<dyn Leaf<W>>>,
    pub(super) wiring: Wiring,
    pub(super) order: Order,
}

impl<W> Bound<W> {
    /// The host for one tick, or as long as the world can be lent. Costs next to nothing and does not allocate.
    #[inline]
    pub fn host<'w>(&'w self, world: &'w mut W) -> BoundHost<'w, W> {
        BoundHost {
            bound: self,
            world,
            failed_starts: Vec::new(),
        }
    }
}

/// A [`Host`] that calls the closures of a [`Bound`] registry.
pub struct BoundHost<'w, W> {
    bound: &'w Bound<W>,
    world: &'w mut W,
    /// Runs whose start went wrong, until their first update, which they do not get.
    failed_starts: Vec<(NodeId, usize)>,
}

impl<W> Host for BoundHost<'_, W> {
    #[inline]
    fn order(&self) -> Order {
        self.bound.order
    }

    #[inline]
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let slot = &self.bound.slots[call.leaf().index()];
        slot.leaf
            .answer(self.world, call, &self.bound.wiring, lanes, answers);
    }

    #[inline]
    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let slot = &self.bound.slots[call.leaf().index()];
        if slot.has_start {
            let (node, failed_starts) = (call.node(), &mut self.failed_starts);
            let failed = &mut |agent| failed_starts.push((node, agent));
            slot.leaf
                .start(self.world, call, &self.bound.wiring, lanes, failed);
        }
    }

    #[inline]
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if self.failed_starts.is_empty() {
            self.ask(call, lanes, answers);
        } else {
            self.update_without_failed(call, lanes, answers);
        }
    }

    #[inline]
    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let slot = &self.bound.slots[call.leaf().index()];
        slot.leaf
            .answer_one(self.world, call, &self.bound.wiring, agent)
    }

    #[inline]
    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        if self.failed_starts.is_empty() {
            return self.ask_one(call, agent);
        }
        let started = self
            .failed_starts
            .iter()
            .position(|failed| *failed == (call.node(), agent));
        match started {
            Some(position) => {
                self.failed_starts.swap_remove(position);
                Status::Failure
            }
            None => self.ask_one(call, agent),
        }
    }

    #[inline]
    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        let slot = &self.bound.slots[call.leaf().index()];
        if slot.has_stop {
            slot.leaf
                .stop(self.world, call, &self.bound.wiring, lanes, outcome);
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.tell(call, Some(key), lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.tell(call, None, lanes);
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        if let Some(log) = &self.bound.log {
            log.tell(self.world, call, &self.bound.wiring, None, lanes);
        }
    }
}

impl<W> BoundHost<'_, W> {
    /// Calls a sensor or whoever listens to an event.
    fn tell(&mut self, call: &mut Call<'_>, key: Option<KeyId>, lanes: Lanes<'_>) {
        let slot = &self.bound.slots[call.leaf().index()];
        let wiring = &self.bound.wiring;
        slot.leaf.tell(self.world, call, wiring, key, lanes);
    }

    #[cold]
    #[inline(never)]
    fn update_without_failed(
        &mut self,
        call: &mut Call<'_>,
        lanes: Lanes<'_>,
        answers: &mut Answers<'_>,
    ) {
        let mut words = lanes.words().to_vec();
        let node = call.node();
        for agent in lanes {
            let run = self
                .failed_starts
                .iter()
                .position(|&failed| failed == (node, agent));
            if let Some(position) = run {
                self.failed_starts.swap_remove(position);
                answers.set(agent, Status::Failure);
                let lane = agent - lanes.first_agent();
                words[lane / 64] &= !(1 << (lane % 64));
            }
        }
        if words.iter().any(|&word| word != 0) {
            self.ask(call, Lanes::new(lanes.first_agent(), &words), answers);
        }
    }
}
