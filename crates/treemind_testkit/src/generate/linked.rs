//! Nodes that are linked with others, or with the host: labels, semaphores, services, texts, own nodes.

use super::trees::TreeMaker;
use crate::random::Random;
use treemind_core::behaviour::{Arg, Bidding, LeafKind, Life, LogPart, Scope, Semaphore};
use treemind_core::expr::Assign;
use treemind_core::{Expr, KeyId, Kind, LabelId, LeafId, Node, SemaphoreId, Status, Type, Value};

/// The number of labels of `interruptible` nodes.
const LABELS: usize = 2;

/// The leaves after the basic ones: two actions that the host reports on, two services, two composites and a
/// decorator of the host.
pub(super) const LATER_LEAVES: [(&str, LeafKind); 7] = [
    ("a7", REPORTED),
    ("a8", REPORTED),
    ("s0", LeafKind::Service),
    ("s1", LeafKind::Service),
    (
        "o0",
        LeafKind::Composite {
            least: 1,
            most: None,
        },
    ),
    (
        "o1",
        LeafKind::Composite {
            least: 2,
            most: Some(3),
        },
    ),
    ("o2", LeafKind::Decorator),
];

const REPORTED: LeafKind = LeafKind::Action {
    life: Life::Reported,
};

pub(super) fn labels() -> Vec<String> {
    (0..LABELS).map(|label| format!("label{label}")).collect()
}

/// Two semaphores per agent, one per group and one for all agents.
pub(super) fn semaphores(random: &mut Random) -> Vec<Semaphore> {
    let mut semaphore = |name: &str, scope, places: &[u32]| Semaphore {
        name: name.to_owned(),
        places: *random.pick(places),
        scope,
        bidding: None,
    };
    let mut all = vec![
        semaphore("hands", Scope::Agent, &[1, 1, 2]),
        semaphore("eyes", Scope::Agent, &[0, 1, 2, 3]),
        semaphore("door", Scope::Group, &[0, 1, 1, 2, 8]),
        semaphore("well", Scope::World, &[1, 1, 2, 3, 8, 200]),
    ];
    for shared in &mut all[2..] {
        shared.bidding = random.percent(60).then(|| bidding(random));
    }
    all
}

fn bidding(random: &mut Random) -> Bidding {
    let hysteresis = *random.pick(&[0.0, 0.0, 0.5, 2.0]);
    Bidding {
        hysteresis: random.percent(75).then_some(hysteresis),
        min_hold: *random.pick(&[0.0, 0.0, 0.1, 0.35, 1.0]),
    }
}

impl TreeMaker<'_> {
    /// An `interrupt`, mostly of a node around it, if there is one.
    pub(super) fn interrupt(&mut self) -> Kind {
        let around = self.interruptibles.last().copied();
        let label = match around {
            Some(around) if self.percent(50) => around,
            _ => self.label(),
        };
        let result = self.result_of_interrupt();
        Kind::Interrupt { label, result }
    }

    /// Makes the first of nodes that run side by side one that a new last one cuts off. By chance alone, an `interrupt`
    /// hardly ever stands beside what it is for.
    pub(super) fn let_last_interrupt_first(&mut self, children: &mut Vec<Node>) {
        let kind = self.interruptible();
        let Kind::Interruptible { label } = kind else {
            return;
        };
        let first = children.remove(0);
        children.insert(0, Node::with(kind, vec![first]));
        let result = self.result_of_interrupt();
        children.push(Node::leaf(Kind::Interrupt { label, result }));
    }

    fn result_of_interrupt(&mut self) -> Status {
        if self.percent(50) {
            Status::Success
        } else {
            Status::Failure
        }
    }

    pub(super) fn interruptible(&mut self) -> Kind {
        let label = self.label();
        Kind::Interruptible { label }
    }

    /// A label; one of them more often than the others, so that several nodes have the same.
    fn label(&mut self) -> LabelId {
        LabelId::new(self.exprs.random.weighted(&[7, 3]))
    }

    pub(super) fn any_key(&mut self) -> KeyId {
        KeyId::new(self.below(self.exprs.keys.len()))
    }

    pub(super) fn log(&mut self) -> Kind {
        let parts = self.exprs.random.between(1, 4);
        let text = (0..parts).map(|_| match self.percent(50) {
            true => LogPart::Key(self.any_key()),
            false => LogPart::Text(" and ".to_owned()),
        });
        Kind::Log {
            text: text.collect(),
        }
    }

    pub(super) fn service(&mut self) -> Kind {
        let (leaf, args) = self.use_of(14, 16);
        let zero = Expr::Value(Value::Double(0.0));
        Kind::Service {
            leaf,
            args,
            interval: if self.percent(15) {
                zero
            } else {
                self.exprs.secs()
            },
            jitter: self.jitter(),
        }
    }

    /// Random additional seconds, in some cases.
    pub(super) fn jitter(&mut self) -> Option<Expr> {
        self.percent(40).then(|| self.exprs.secs())
    }

    pub(super) fn semaphore(&mut self) -> Kind {
        // One of them more often than the others, so that several nodes want the same.
        let semaphore = self.exprs.random.weighted(&[4, 1, 2, 3]);
        Kind::Semaphore {
            semaphore: SemaphoreId::new(semaphore),
            waits: self.percent(50),
            bid: self.biddings[semaphore].then(|| self.bid()),
        }
    }

    /// What a node bids: some numbers often, so that there are equal ones; expressions may fail, or be negative.
    fn bid(&mut self) -> Expr {
        let constant = *self.exprs.random.pick(&[0.0, 1.0, 1.0, 1.5, 3.0]);
        match self.percent(40) {
            true => Expr::Value(Value::Double(constant)),
            false => self.without_draws(|exprs| exprs.expr(Type::Double, 1)),
        }
    }

    /// A composite of the host that takes this many children.
    pub(super) fn own(&mut self, children: usize) -> Kind {
        let fits_second = (2..=3).contains(&children);
        let leaf = if fits_second && self.percent(50) {
            17
        } else {
            16
        };
        let (leaf, args) = self.use_of(leaf, leaf + 1);
        Kind::Own { leaf, args }
    }

    pub(super) fn own_decorator(&mut self) -> Kind {
        let (leaf, args): (LeafId, Vec<Arg>) = self.use_of(18, 19);
        Kind::Own { leaf, args }
    }

    /// Whether a list that has ended may leave a node open, as only lists of BehaviorTree.CPP do. In such a node,
    /// no other nodes may wait for anything, and the host may report on nothing, because BehaviorTree.CPP has no
    /// such features.
    pub(super) fn may_stay_open(&self, node: &Node) -> bool {
        let itself = match node.kind {
            Kind::Semaphore { .. } => false,
            Kind::Action { leaf, .. } => self.leaves[leaf.index()].kind != REPORTED,
            _ => true,
        };
        itself && node.children.iter().all(|child| self.may_stay_open(child))
    }

    /// Gives some children of a `selector` a `when` that may abort the children after them. Often the last child is
    /// made to change what they ask for.
    pub(super) fn let_some_abort_others(&mut self, children: &mut [Node]) {
        let percent = self.exprs.profile.guards * 2;
        let Some((last, others)) = children.split_last_mut() else {
            return;
        };
        let keys = self.exprs.keys;
        let key = self.exprs.key_id(Type::Bool);
        let key = key.filter(|key| !keys[key.index()].is_computed() && self.percent(60));
        let asked = key.map(|key| Expr::Key(key, Type::Bool));
        let mut is_any = false;
        for child in others {
            if !self.percent(percent) {
                continue;
            }
            is_any = true;
            // Mostly a test that does not hold at first.
            let fails_at_first = self.percent(65);
            let test = match &asked {
                Some(asked) if self.percent(50) => asked.clone(),
                Some(asked) => Expr::Not(Box::new(asked.clone())),
                None => self.test(fails_at_first),
            };
            if self.percent(30) {
                child.guards.while_holds = Some(Expr::Not(Box::new(test.clone())));
                child.guards.while_else = Status::Failure;
            }
            child.guards.fail_if = Some(test);
            child.guards.aborts_lower = true;
        }
        if let (true, Some(key), Some(asked)) = (is_any, key, asked) {
            let value = Expr::Not(Box::new(asked));
            let assigns = vec![Assign::set(key, value)];
            let turns = Node::leaf(Kind::Set { assigns });
            let kept = std::mem::replace(last, Node::leaf(Kind::Run));
            *last = Node::with(Kind::ReactiveSequence, vec![turns, kept]);
        }
    }
}
