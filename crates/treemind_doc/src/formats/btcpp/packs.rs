//! Controls and decorators of Nav2 and of MoveIt Pro, as their sources have them. The host has them, so files use them
//! without a word on what they are.

use super::facts::Guess;
use roxmltree::Node;

/// A control or decorator that is known by its name.
pub(super) struct Packed {
    name: &'static str,
    /// `composite` or `decorator`.
    pub(super) kind: &'static str,
    /// The least and the greatest number of its children.
    pub(super) children: (usize, usize),
    ports: &'static [(&'static str, Guess, &'static str)],
    looks_at: &'static [&'static str],
}

impl Packed {
    /// Names of its ports that are names of keys as well: a port that is not given is the key.
    const fn looks_at(mut self, names: &'static [&'static str]) -> Self {
        self.looks_at = names;
        self
    }
}

const MANY: (usize, usize) = (1, usize::MAX);

const fn control(
    name: &'static str,
    children: (usize, usize),
    ports: &'static [(&'static str, Guess, &'static str)],
) -> Packed {
    Packed {
        name,
        kind: "composite",
        children,
        ports,
        looks_at: &[],
    }
}

const fn decorator(
    name: &'static str,
    ports: &'static [(&'static str, Guess, &'static str)],
) -> Packed {
    Packed {
        name,
        kind: "decorator",
        children: (1, 1),
        ports,
        looks_at: &[],
    }
}

/// All of them, with the types and defaults of their ports that have some.
const PACKED: &[Packed] = &[
    control(
        "RecoveryNode",
        (2, 2),
        &[("number_of_retries", Guess::Int, "1")],
    ),
    control("PipelineSequence", MANY, &[]),
    control("RoundRobin", MANY, &[("wrap_around", Guess::Bool, "true")]),
    control("NonblockingSequence", MANY, &[]),
    control("PersistentSequence", MANY, &[]),
    control("PauseResumeController", (1, 4), &[]),
    decorator("RateController", &[("hz", Guess::Double, "10.0")]),
    decorator("DistanceController", &[("distance", Guess::Double, "1.0")]),
    decorator(
        "SpeedController",
        &[
            ("min_rate", Guess::Double, "0.1"),
            ("max_rate", Guess::Double, "1.0"),
            ("min_speed", Guess::Double, "0.0"),
            ("max_speed", Guess::Double, "0.5"),
        ],
    )
    .looks_at(&["goal", "goals"]),
    decorator("SingleTrigger", &[("is_global", Guess::Bool, "false")]),
    decorator("GoalUpdater", &[]),
    decorator("GoalUpdatedController", &[]).looks_at(&["goal", "goals"]),
    decorator(
        "PathLongerOnApproach",
        &[
            ("prox_len", Guess::Double, "3.0"),
            ("length_factor", Guess::Double, "2.0"),
        ],
    ),
    decorator(
        "RepeatUnlessFailureEachTick",
        &[("num_cycles", Guess::Int, "-1")],
    ),
];

/// The node with this name.
pub(super) fn of(name: &str) -> Option<&'static Packed> {
    PACKED.iter().find(|known| known.name == name)
}

/// The type and the default of a port of such a node.
pub(super) fn port(node: &str, port: &str) -> Option<(Guess, &'static str)> {
    let ports = of(node)?.ports.iter();
    let found = { ports }.find(|(name, ..)| *name == port);
    found.map(|(_, ty, default)| (*ty, *default))
}

/// The ports of a node that it does not give, and that are the keys of their names then.
pub(super) fn looked_at<'n>(
    element: Node<'n, 'n>,
    name: &str,
) -> impl Iterator<Item = &'static str> + use<'n> {
    let has_child = element.children().any(|child| child.is_element());
    let names = of(name)
        .filter(|_| has_child)
        .map_or(&[][..], |it| it.looks_at);
    let names = names.iter().copied();
    names.filter(move |name| element.attribute(*name).is_none())
}
