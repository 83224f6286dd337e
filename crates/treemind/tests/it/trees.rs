//! Behaviours for the other tests, and a way to tick them.

use std::sync::Arc;
use std::time::Duration;
use treemind::Registry;
use treemind::blackboard::{Type, Value};
use treemind::core::behaviour::{Arg, Key, Leaf, LeafKind, Param};
use treemind::core::{Kind, LeafId, Node, Parts};
use treemind::population::{Behaviour, Bound, Population, Program};
use treemind::trace::Trace;

pub(crate) const DT: Duration = Duration::from_millis(50);

pub(crate) fn leaf(name: &str, kind: LeafKind) -> Leaf {
    Leaf::new(name, kind)
}

pub(crate) const ACTION: LeafKind = LeafKind::ACTION;

pub(crate) fn action(leaf: usize) -> Node {
    let (leaf, args) = (LeafId::new(leaf), Vec::new());
    Node::leaf(Kind::Action { leaf, args })
}

pub(crate) fn condition(leaf: usize) -> Node {
    let (leaf, args, negated) = (LeafId::new(leaf), Vec::new(), false);
    Node::leaf(Kind::Condition {
        leaf,
        args,
        negated,
    })
}

pub(crate) fn tree(leaves: Vec<Leaf>, root: Node) -> Behaviour {
    let keys = vec![
        Key::new("health", Value::Float(100.0)),
        Key::new("times", Value::Int(0)),
    ];
    Behaviour::new(Parts {
        name: "tree".to_owned(),
        enums: Vec::new(),
        keys,
        leaves,
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    })
    .unwrap()
}

/// `look` and then `act range=2.5`, from the first every tick.
pub(crate) fn look_and_act() -> Behaviour {
    let mut act = leaf("act", ACTION);
    act.params.push(Param {
        name: "range".to_owned(),
        ty: Type::Float,
        default: None,
        by_key: false,
        doc: None,
    });
    let node = Node::leaf(Kind::Action {
        leaf: LeafId::new(1),
        args: vec![Arg::Value(Value::Float(2.5))],
    });
    let root = Node::with(Kind::ReactiveSequence, vec![condition(0), node]);
    tree(vec![leaf("look", LeafKind::Condition), act], root)
}

/// A population together with its bound leaves and world.
pub(crate) struct Play<W: 'static> {
    pub(crate) population: Population,
    pub(crate) bound: Bound<W>,
    pub(crate) world: W,
}

impl<W: 'static> Play<W> {
    pub(crate) fn new(
        behaviour: Behaviour,
        registry: &Registry<W>,
        world: W,
        agents: usize,
    ) -> Self {
        let bound = registry.bind(&behaviour).unwrap();
        Self {
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            bound,
            world,
        }
    }

    pub(crate) fn tick(&mut self) {
        self.population
            .tick(&mut self.bound.host(&mut self.world), DT);
    }

    /// Ticks once and returns the plain trace of an agent.
    pub(crate) fn traced(&mut self, agent: usize) -> String {
        let mut trace = Trace::new();
        self.population
            .tick_traced(&mut self.bound.host(&mut self.world), DT, &mut trace);
        let behaviour = self.population.program().behaviour();
        let root = trace.root(behaviour, agent).unwrap();
        trace.plain_line(behaviour, agent, self.population.ticks(), root.as_str())
    }

    pub(crate) fn faults(&mut self) -> Vec<(usize, String)> {
        let faults = self.population.take_faults();
        faults
            .kept()
            .iter()
            .map(|fault| (fault.agent, fault.kind.to_string()))
            .collect()
    }
}
