//! How a document writes a node, for people.

use crate::ids::KeyId;

/// How a document writes a node, where its kind and guards do not say it. It is for people only: behaviours that
/// differ in nothing else are equal, and do the same. Few nodes have any of it, so it takes one word.
#[derive(Clone, Debug, Default)]
pub struct Written(Option<Box<WrittenParts>>);

/// The ports of a tree that is called, and the keys that are given to them.
pub type GivenPorts = Box<[(Box<str>, KeyId)]>;

/// What [`Written`] holds.
#[derive(Clone, Debug, Default)]
pub struct WrittenParts {
    /// The lines that put trees here of which the node is the root, the outermost first: such as
    /// `subtree flee from="{foe}"`, without what it says about every node, which are names, guards and statements.
    pub places: Vec<Box<str>>,
    /// The node is not the root of the innermost of these trees, but was put above it to hold what the place adds.
    pub is_above: bool,
    /// It has a `when`, whose opposite is what its `fail-if` ends with.
    pub when: bool,
    /// The elements of a file of BehaviorTree.CPP that it was read from, calls of trees first: where each begins in the
    /// document, and its first tag without the end, such as `<Act name="A"`. If an element has become several nodes, all
    /// of them may have it.
    pub elements: Vec<(usize, Box<str>)>,
    /// Of the calls of trees among these elements, in their order: the ports, and the keys that are given to them.
    pub ports: Vec<GivenPorts>,
    /// Of a step for a value of an `each` that no plan can have because of this value: what says so.
    pub never: Option<Box<Never>>,
}

/// A condition in which a value of an `each` is known, and which never holds with it.
#[derive(Clone, Debug)]
pub struct Never {
    /// The condition, in the words of the document.
    pub condition: String,
    /// The name that stands for the value there.
    pub item: String,
    /// The value.
    pub value: String,
}

impl Written {
    /// The lines that put trees here; see [`WrittenParts::places`].
    pub fn places(&self) -> &[Box<str>] {
        self.0.as_ref().map_or(&[], |parts| &parts.places)
    }

    /// Whether it was put above the root of a tree; see [`WrittenParts::is_above`].
    pub fn is_above(&self) -> bool {
        self.0.as_ref().is_some_and(|parts| parts.is_above)
    }

    /// Whether it has a `when`; see [`WrittenParts::when`].
    pub fn has_when(&self) -> bool {
        self.0.as_ref().is_some_and(|parts| parts.when)
    }

    /// The elements that it was read from; see [`WrittenParts::elements`].
    pub fn elements(&self) -> &[(usize, Box<str>)] {
        self.0.as_ref().map_or(&[], |parts| &parts.elements)
    }

    /// The ports of one of the calls among its elements, counted from 0, and the keys that are given to them; none if it
    /// is no call. See [`WrittenParts::ports`].
    pub fn ports(&self, call: usize) -> &[(Box<str>, KeyId)] {
        let calls = self.0.as_ref().map(|parts| &parts.ports);
        calls
            .and_then(|calls| calls.get(call))
            .map_or(&[], |ports| ports)
    }

    /// What keeps the step of an `each` out; see [`WrittenParts::never`].
    pub fn never(&self) -> Option<&Never> {
        self.0.as_ref()?.never.as_deref()
    }

    /// The parts, to change them.
    pub fn parts_mut(&mut self) -> &mut WrittenParts {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
