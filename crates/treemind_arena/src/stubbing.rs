//! Leaves that the arena does not have: they play before their code is written.

use std::collections::BTreeMap;
use treemind::Registry;
use treemind::core::behaviour::LeafKind;
use treemind::core::host::{Stub, Stubbed, Stubs};
use treemind::core::{Host, LeafId};
use treemind::population::Behaviour;

/// The leaves of a behaviour that are not registered, if these may be without code. They are registered then, as something
/// that is never called.
pub(crate) fn let_be_missing<W: 'static>(
    registry: &mut Registry<W>,
    behaviour: &Behaviour,
    has_stubs: bool,
) -> Vec<LeafId> {
    let missing = match has_stubs {
        true => registry.missing(behaviour),
        false => Vec::new(),
    };
    for leaf in &missing {
        registry.scripted(&behaviour.leaf(*leaf).name, []);
    }
    missing
}

/// The names of the leaves without code, with their kinds.
pub(crate) fn names<'b>(
    behaviour: &'b Behaviour,
    stubs: &'b Stubs,
) -> impl Iterator<Item = (&'b str, LeafKind)> {
    let ids = (0..behaviour.leaves().len()).map(LeafId::new);
    let ids = ids.filter(|leaf| stubs.has(*leaf));
    ids.map(|leaf| (&*behaviour.leaf(leaf).name, behaviour.leaf(leaf).kind))
}

/// The leaves without code of one behaviour, and how they answer.
#[derive(Clone)]
pub(crate) struct Stubbing {
    stubs: Stubs,
    /// How some of them answer, by their names, also those that another version of the document has.
    said: BTreeMap<String, Stub>,
}

impl Stubbing {
    pub(crate) fn new(behaviour: &Behaviour, missing: Vec<LeafId>) -> Self {
        Self {
            stubs: Stubs::new(behaviour, missing),
            said: BTreeMap::new(),
        }
    }

    /// The same for a changed behaviour.
    pub(crate) fn of_changed(&self, behaviour: &Behaviour, missing: Vec<LeafId>) -> Self {
        let mut stubs = Stubs::new(behaviour, missing);
        for (leaf, stub) in &self.said {
            if let Some(leaf) = behaviour.leaf_id(leaf) {
                stubs.set(behaviour, leaf, stub);
            }
        }
        stubs.go_on_from(&self.stubs);
        let said = self.said.clone();
        Self { stubs, said }
    }

    /// Whether all leaves have code.
    pub(crate) fn is_empty(&self) -> bool {
        self.stubs.is_empty()
    }

    /// All leaves without code, each with its kind and how it answers.
    pub(crate) fn all<'b>(&'b self, behaviour: &'b Behaviour) -> Vec<(&'b str, LeafKind, Stub)> {
        let stub = |name: &str| self.said.get(name).cloned().unwrap_or_default();
        let all = names(behaviour, &self.stubs);
        let mut all: Vec<_> = all.map(|(name, kind)| (name, kind, stub(name))).collect();
        all.sort_unstable_by_key(|(name, ..)| *name);
        all
    }

    /// Lets a leaf answer in a way, from its next call on.
    pub(crate) fn set(&mut self, behaviour: &Behaviour, leaf: &str, stub: &Stub) {
        self.said.insert(leaf.to_owned(), stub.clone());
        if let Some(leaf) = behaviour.leaf_id(leaf) {
            self.stubs.set(behaviour, leaf, stub);
        }
    }

    /// A host of so many agents, with these leaves in it.
    pub(crate) fn around<H: Host>(&mut self, host: H, agents: usize) -> Stubbed<'_, H> {
        self.stubs.grow(agents);
        self.stubs.around(host)
    }
}
