//! Leaves without code, in place of some leaves of a host.

use super::{Answers, Call, Candidates, Host, Lanes, Moves, Pairs, Scripted};
use crate::behaviour::Behaviour;
use crate::ids::{KeyId, LeafId};
use crate::status::{Outcome, Status};

/// How a leaf answers that has no code yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stub {
    /// One answer per call; the last one repeats. Without any, the leaf gives the usual answer of its kind.
    pub answers: Vec<Status>,
    /// Each call draws one of the answers instead.
    pub is_random: bool,
}

/// Answers for the leaves that a host does not have: a tree can be played before its code is written.
#[derive(Clone, Debug)]
pub struct Stubs {
    script: Scripted,
    /// For each leaf whether it is one of them.
    is_stub: Vec<bool>,
}

impl Stubs {
    /// These leaves have no code. At first, each answers as [`Scripted::idle`] says.
    pub fn new(behaviour: &Behaviour, leaves: impl IntoIterator<Item = LeafId>) -> Self {
        let mut is_stub = vec![false; behaviour.leaves().len()];
        for leaf in leaves {
            is_stub[leaf.index()] = true;
        }
        Self {
            script: Scripted::idle(behaviour, 1),
            is_stub,
        }
    }

    /// Whether a leaf has no code.
    pub fn has(&self, leaf: LeafId) -> bool {
        self.is_stub.get(leaf.index()).copied().unwrap_or(false)
    }

    /// Whether all leaves have code.
    pub fn is_empty(&self) -> bool {
        !self.is_stub.contains(&true)
    }

    /// Lets all nodes with a leaf answer in a way, from their next call on.
    pub fn set(&mut self, behaviour: &Behaviour, leaf: LeafId, stub: &Stub) {
        for node in behaviour.node_ids() {
            if self.has(leaf) && behaviour.node(node).kind.leaf() == Some(leaf) {
                let label = behaviour.label(node);
                match stub.is_random {
                    true => self.script.draw_all(label, &stub.answers),
                    false => self.script.set_all(label, &stub.answers),
                };
            }
        }
    }

    /// Continues where other stubs are in their lists.
    pub fn go_on_from(&mut self, other: &Self) {
        self.script.grow(other.script.agent_count());
        self.script.go_on_from(&other.script);
    }

    /// Answers for so many agents from now on; new ones begin like the others did.
    pub fn grow(&mut self, agents: usize) {
        self.script.grow(agents);
    }

    /// The host, with these leaves in it.
    pub fn around<H: Host>(&mut self, host: H) -> Stubbed<'_, H> {
        Stubbed { stubs: self, host }
    }
}

/// A host in which some leaves are [`Stubs`].
pub struct Stubbed<'s, H> {
    stubs: &'s mut Stubs,
    host: H,
}

impl<H: Host> Stubbed<'_, H> {
    /// Who answers for a leaf.
    fn of(&mut self, leaf: LeafId) -> &mut dyn Host {
        match self.stubs.has(leaf) {
            true => &mut self.stubs.script,
            false => &mut self.host,
        }
    }
}

impl<H: Host> Host for Stubbed<'_, H> {
    fn order(&self) -> super::Order {
        self.host.order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.of(call.leaf()).ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.of(call.leaf()).start(call, lanes);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.of(call.leaf()).update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.of(call.leaf()).stop(call, lanes, outcome);
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.of(call.leaf()).serve(call, lanes);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        self.of(call.leaf()).decide(call, lanes, moves);
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.of(call.leaf()).sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.of(call.leaf()).candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.of(call.leaf()).measure(call, pairs);
    }

    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        self.of(call.leaf()).ask_one(call, agent)
    }

    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        self.of(call.leaf()).update_one(call, agent)
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.host.log(call, lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.host.event(call, lanes);
    }
}
