//! Random behaviours with all kinds of nodes.

// long: a choice for every kind of node.

use super::exprs::TYPES;
use super::find::{MEASURES, candidate_type, find_leaves};
use super::linked::{LATER_LEAVES, labels, semaphores};
use super::{ExprMaker, Profile, mail};
use crate::random::Random;
use std::ops::Range;
use treemind_core::behaviour::{
    Arg, Audience, Enum, Form, Judging, Key, Leaf, LeafKind, Life, Merge, Param, Parts, Scope,
    Sensed, Skips, Threshold, Yields,
};
use treemind_core::expr::{Arith, Assign};
use treemind_core::{Expr, Kind, LabelId, LeafId, Node, Type, Value};

/// The number of kinds of composites.
pub const COMPOSITES: usize = 21;

/// Which of them is the planner.
pub const PLANNER: usize = 19;

/// The number of kinds of decorators.
pub const DECORATORS: usize = DECORATOR_WEIGHTS.len();

/// How often each of them is chosen, by its number in `decorator`.
pub(super) const DECORATOR_WEIGHTS: [usize; 21] = [
    3, 4, 4, 6, 6, 4, 4, 3, 3, 5, 4, 4, 4, 8, 6, 6, 6, 3, 8, 8, 4,
];

/// The number of `interruptible` among them.
const INTERRUPTIBLE: usize = 14;

/// The parts of a random behaviour; they pass the checks of [`treemind_core::Behaviour::new`].
pub fn random_parts(random: &mut Random, profile: Profile) -> Parts {
    let enums = vec![Enum {
        values: ["calm", "wary", "angry"].map(str::to_owned).to_vec(),
    }];
    let leaves = random_leaves(random);
    let semaphores = semaphores(random);
    let keys = random_keys(random, profile, &enums, &leaves);
    let mut maker = TreeMaker {
        exprs: ExprMaker {
            random,
            profile,
            enums: &enums,
            keys: &keys,
            may_draw: true,
        },
        leaves: &leaves,
        budget: profile.nodes,
        spinning: 0,
        interruptibles: Vec::new(),
        own_keys: Vec::new(),
        biddings: semaphores.iter().map(|one| one.bidding.is_some()).collect(),
    };
    let root = if profile.machines > 0 && maker.percent(25) {
        maker.machine(profile.depth)
    } else {
        maker.node(profile.depth)
    };
    let own_keys = maker.own_keys;
    let mut keys = keys;
    keys.extend(own_keys);
    Parts {
        name: "generated".to_owned(),
        enums,
        keys,
        leaves,
        semaphores,
        labels: labels(),
        root,
    }
}

fn random_keys(random: &mut Random, profile: Profile, enums: &[Enum], leaves: &[Leaf]) -> Vec<Key> {
    let mut maker = ExprMaker {
        random,
        profile,
        enums,
        keys: &[],
        may_draw: false,
    };
    let number = maker.random.between(1, 16);
    (0..number)
        .map(|index| {
            let ty = match index {
                // The first ones are used by most expressions.
                0..6 => TYPES[index],
                _ => *maker.random.pick(&TYPES),
            };
            let form = match maker.random.below(10) {
                0 => Form::Optional {
                    starts_set: maker.random.percent(50),
                },
                1 | 2 if index >= 4 => {
                    let bound = maker.random.between(1, 5);
                    let items = maker.random.between(0, bound);
                    Form::List {
                        bound: bound as u32,
                        items: (0..items).map(|_| maker.value(ty)).collect(),
                    }
                }
                _ => Form::One,
            };
            let name = format!("{}_{index}", ty.keyword());
            let mut key = Key {
                ty,
                form,
                ..Key::new(name, maker.value(ty))
            };
            // The first key is always writable, and is the agent's own.
            if index > 0 && maker.random.percent(profile.shared) {
                key.scope = *maker.random.pick(&[Scope::Group, Scope::World]);
                let merge = *maker
                    .random
                    .pick(&[Merge::Last, Merge::Add, Merge::Min, Merge::Max]);
                if key.form == Form::One && merge.takes(ty) {
                    key.merge = merge;
                }
            } else if index > 0 && maker.random.percent(profile.heard) {
                mail::hear(&mut maker, leaves, &mut key);
            } else if index > 0 && maker.random.percent(profile.sensed) {
                key.sensed = Some(sensed(&mut maker, leaves));
            }
            key
        })
        .collect()
}

/// Computed by one of the sensors, in every tick or less often.
fn sensed(maker: &mut ExprMaker<'_>, leaves: &[Leaf]) -> Sensed {
    let index = SENSORS.start + maker.random.below(SENSORS.len());
    let params = &leaves[index].params;
    Sensed {
        sensor: LeafId::new(index),
        args: params.iter().map(|param| maker.value(param.ty)).collect(),
        interval_secs: match maker.random.below(3) {
            0 => Some(*maker.random.pick(&[0.0, 0.1, 0.25, 0.3, 1.0])),
            _ => None,
        },
    }
}

/// The numbers of leaves that are sensors, and of those that are events.
const SENSORS: Range<usize> = 19..21;
pub(super) const EVENTS: Range<usize> = 21..24;

/// Whose machines events go to: mostly those of the agent itself, at once.
const AUDIENCES: [Option<Audience>; 5] = [
    None,
    None,
    Some(Audience::Sender),
    Some(Audience::Group),
    Some(Audience::World),
];

/// Five conditions, seven actions, the leaves for linked nodes, two sensors and three events; some have parameters,
/// some actions are instant.
fn random_leaves(random: &mut Random) -> Vec<Leaf> {
    let first = (0..12).map(|index| match index {
        0..5 => (format!("c{index}"), LeafKind::Condition),
        11 => {
            let life = Life::Instant;
            (format!("a{}", index - 5), LeafKind::Action { life })
        }
        _ => (format!("a{}", index - 5), LeafKind::ACTION),
    });
    let later = LATER_LEAVES.map(|(name, kind)| (name.to_owned(), kind));
    let sensors = SENSORS.map(|index| (format!("sensor{index}"), LeafKind::Sensor));
    let events = EVENTS.map(|index| (format!("event{index}"), LeafKind::Event));
    first
        .chain(later)
        .chain(sensors)
        .chain(events)
        .chain(find_leaves())
        .enumerate()
        .map(|(index, (name, kind))| {
            let params = match index % 4 {
                0 => random.between(1, 3),
                1 => random.below(2),
                _ => 0,
            };
            // The first parameter of a measure is the candidate.
            let measured = MEASURES.contains(&index);
            Leaf {
                name,
                kind,
                params: (0..params + usize::from(measured))
                    .map(|param| Param {
                        name: format!("p{param}"),
                        ty: match param {
                            0 if measured => candidate_type(index),
                            _ => *random.pick(&TYPES),
                        },
                        default: None,
                        by_key: false,
                        doc: None,
                    })
                    .collect(),
                number: None,
                doc: None,
            }
        })
        .collect()
}

pub(super) struct TreeMaker<'a> {
    pub(super) exprs: ExprMaker<'a>,
    pub(super) leaves: &'a [Leaf],
    /// How many nodes may still be added.
    pub(super) budget: usize,
    /// How many of the loops around the next node run more than once in a tick.
    spinning: usize,
    /// The labels of the `interruptible` nodes around the next node.
    pub(super) interruptibles: Vec<LabelId>,
    /// Keys that single nodes use, behind all others.
    pub(super) own_keys: Vec<Key>,
    /// Which semaphores go to the best bidder.
    pub(super) biddings: Vec<bool>,
}

impl TreeMaker<'_> {
    pub(super) fn node(&mut self, depth: usize) -> Node {
        self.budget = self.budget.saturating_sub(1);
        let profile = self.exprs.profile;
        let early = match profile.depth - depth {
            0 => 1,
            1 => 8,
            _ => 25,
        };
        let is_leaf = depth <= 1 || self.budget == 0 || self.percent(early);
        let node = if is_leaf {
            Node::leaf(self.leaf())
        } else if self.percent(profile.machines) {
            self.machine(depth)
        } else if self.percent(profile.decisions) {
            self.decision(depth)
        } else if self.percent(profile.decorators) {
            self.decorator(depth)
        } else {
            self.composite(depth)
        };
        self.dress(node)
    }

    /// A leaf, with everything that any node may have.
    pub(super) fn dressed(&mut self, leaf: Kind) -> Node {
        self.budget = self.budget.saturating_sub(1);
        self.dress(Node::leaf(leaf))
    }

    /// Gives a node guards, statements and a name, or some of these.
    fn dress(&mut self, mut node: Node) -> Node {
        let profile = self.exprs.profile;
        if self.percent(profile.guards) {
            node.guards = self.guards();
        }
        if matches!(node.kind, Kind::Selector { .. }) {
            self.let_some_abort_others(&mut node.children);
        }
        if self.percent(profile.hooks) {
            node.hooks = self.hooks();
        }
        if self.percent(8) {
            let name = format!("n{}", self.below(6));
            node.named(name)
        } else {
            node
        }
    }

    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.exprs.random.percent(percent)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.exprs.random.below(bound)
    }

    fn may_interrupt(&self) -> bool {
        self.exprs.profile.decorator_kinds[INTERRUPTIBLE] > 0
    }

    pub(super) fn leaf(&mut self) -> Kind {
        let interrupts = if self.may_interrupt() { 20 } else { 1 };
        let weights = [18, 54, 7, 7, 6, 3, 3, 4, 3, interrupts, 6, 4, 4, 6, 4, 7];
        match self.exprs.random.weighted(&weights) {
            0 => self.condition(),
            1 => {
                let (leaf, args) = self.use_of(5, 14);
                Kind::Action { leaf, args }
            }
            2 => Kind::Check {
                expr: self.exprs.expr(Type::Bool, 3),
            },
            3 => self.set(),
            4 => Kind::Wait {
                secs: self.exprs.secs(),
                jitter: self.jitter(),
            },
            5 => Kind::Succeed,
            6 => Kind::Fail,
            7 => match self
                .exprs
                .some_key(|key| key.form.can_be_unset() && !key.is_computed())
            {
                Some(key) => Kind::Unset {
                    key,
                    forgets: self.percent(30),
                },
                None => Kind::Succeed,
            },
            8 => Kind::Run,
            9 => self.interrupt(),
            10 => Kind::Changed {
                key: self.any_key(),
            },
            11 => self.log(),
            12 => {
                let (leaf, args) = self.use_of(EVENTS.start, EVENTS.end);
                let to = self.audience();
                Kind::Emit { leaf, args, to }
            }
            15 => self.find(),
            14 if self.percent(60) => self.rate(),
            14 => self.policy(),
            _ => Kind::Received {
                awaited: Box::new(self.awaited()),
                waits: self.percent(40),
            },
        }
    }

    pub(super) fn audience(&mut self) -> Option<Audience> {
        let to_one = self.percent(self.exprs.profile.handles);
        let faults = self.exprs.profile.faults;
        let names_one = |key: &Key| {
            key.ty == Type::Entity && (key.form == Form::One || faults && !key.form.is_list())
        };
        let agent = to_one.then(|| self.exprs.some_key(names_one)).flatten();
        let many = *self.exprs.random.pick(&AUDIENCES);
        agent.map(Audience::Agent).or(many)
    }

    pub(super) fn condition(&mut self) -> Kind {
        let (leaf, args) = self.use_of(0, 5);
        let negated = self.percent(30);
        Kind::Condition {
            leaf,
            args,
            negated,
        }
    }

    /// A leaf from a range of places, with arguments.
    pub(super) fn use_of(&mut self, from: usize, to: usize) -> (LeafId, Vec<Arg>) {
        let index = from + self.below(to - from);
        let params = &self.leaves[index].params;
        let args = params.iter().map(|param| {
            if self.exprs.random.percent(40) {
                Arg::Value(self.exprs.value(param.ty))
            } else {
                Arg::Expr(self.exprs.expr(param.ty, 2))
            }
        });
        (LeafId::new(index), args.collect())
    }

    pub(super) fn set(&mut self) -> Kind {
        Kind::Set {
            assigns: self.statements(),
        }
    }

    pub(super) fn statements(&mut self) -> Vec<Assign> {
        let statements = self.exprs.random.between(1, 3);
        let assigns = (0..statements).map(|_| {
            if let Some(assign) = self.list_change() {
                return assign;
            }
            let is_writable = |key: &Key| !key.form.is_list() && !key.is_computed();
            let key = self.exprs.some_key(is_writable);
            let key = key.expect("the first key is writable, and no list");
            let ty = self.exprs.keys[key.index()].ty;
            let value = self.exprs.expr(ty, 3);
            Assign::set(key, value)
        });
        let mut assigns: Vec<Assign> = assigns.collect();
        self.change_again(&mut assigns);
        assigns
    }

    /// Now and then adds changes of one shared key, as `+=` and `-=` make them, or other values for it.
    fn change_again(&mut self, assigns: &mut Vec<Assign>) {
        let is_shared = |key: &Key| key.scope != Scope::Agent && key.form == Form::One;
        let (chance, keys) = (self.exprs.profile.shared, self.exprs.keys);
        if !keys.iter().any(is_shared) || !self.percent(chance) {
            return;
        }
        // Mostly one whose values are merged.
        let key = self.exprs.some_key(|key| key.merge != Merge::Last);
        let Some(key) = key.or_else(|| self.exprs.some_key(is_shared)) else {
            return;
        };
        let ty = keys[key.index()].ty;
        for _ in 0..self.exprs.random.between(1, 3) {
            let by = self.exprs.expr(ty, 1);
            let value = if ty.is_number() && self.percent(70) {
                let op = *self.exprs.random.pick(&[Arith::Add, Arith::Sub]);
                Expr::Arith(op, Box::new(Expr::Key(key, ty)), Box::new(by))
            } else {
                by
            };
            assigns.push(Assign::set(key, value));
        }
    }

    /// Mostly ordinary weights, often computed from keys, and now and then invalid ones.
    pub(super) fn weight(&mut self) -> Expr {
        let odd = [
            -1.0,
            f64::INFINITY,
            f64::NAN,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
        ];
        let usual = [0.0, 0.0, 0.1, 0.5, 1.0, 1.0, 2.0, 3.5];
        match self.exprs.random.weighted(&[60, 25, 8]) {
            0 => Expr::Value(Value::Double(*self.exprs.random.pick(&usual))),
            1 => self.without_draws(|exprs| exprs.any_double()),
            _ => Expr::Value(Value::Double(*self.exprs.random.pick(&odd))),
        }
    }

    fn decorator(&mut self, depth: usize) -> Node {
        let weights = self.exprs.profile.decorator_kinds;
        let mut kind = match self.exprs.random.weighted(&weights) {
            0 => Kind::Invert,
            1 => Kind::ForceSuccess {
                even_running: self.percent(40),
            },
            2 => Kind::ForceFailure {
                even_running: self.percent(40),
            },
            choice @ (3 | 4) => self.counted_loop(choice == 3),
            5 => Kind::UntilFailure { pace: self.until() },
            6 => Kind::UntilSuccess { pace: self.until() },
            7 => Kind::KeepRunningUntilFailure,
            8 => Kind::RunOnce {
                then_skip: self.percent(50),
            },
            9 => Kind::Limit {
                runs: self.runs(),
                per_parent: depth < self.exprs.profile.depth && self.percent(40),
            },
            10 => Kind::Cooldown {
                secs: self.exprs.secs(),
                else_skipped: self.percent(50),
            },
            11 => Kind::Timeout {
                secs: self.exprs.secs(),
                across_skips: self.percent(30),
            },
            12 => Kind::Delay {
                secs: self.exprs.secs(),
                across_skips: self.percent(30),
            },
            13 => Kind::Chance {
                probability: self.exprs.probability(),
            },
            INTERRUPTIBLE => self.interruptible(),
            15 => self.service(),
            16 => self.semaphore(),
            17 => self.own_decorator(),
            18 => self.for_each(),
            19 => Kind::OnChange {
                key: self.any_key(),
                else_running: self.percent(50),
                leaves_open: false,
            },
            _ => Kind::Scope {
                keys: self.locals(),
            },
        };
        let is_spinning = match &kind {
            Kind::ForEach { .. } => true,
            Kind::Repeat { pace, .. }
            | Kind::Retry { pace, .. }
            | Kind::UntilFailure { pace }
            | Kind::UntilSuccess { pace } => pace.yields == Yields::Never,
            _ => false,
        };
        if is_spinning && self.spinning == 3 {
            kind = Kind::Invert;
        }
        let label = match kind {
            Kind::Interruptible { label } => Some(label),
            _ => None,
        };
        self.spinning += usize::from(is_spinning);
        self.interruptibles.extend(label);
        let child = self.node(depth - 1);
        if let Kind::OnChange { leaves_open, .. } = &mut kind {
            *leaves_open =
                self.exprs.profile.machines == 0 && self.percent(40) && self.may_stay_open(&child);
        }
        self.spinning -= usize::from(is_spinning);
        if label.is_some() {
            self.interruptibles.pop();
        }
        Node::with(kind, vec![child])
    }

    fn composite(&mut self, depth: usize) -> Node {
        let wanted = match self.below(20) {
            0..2 => 1,
            2..7 => 2,
            7..13 => 3,
            13..19 => 4,
            _ => 9,
        };
        let weights = self.exprs.profile.composites;
        let choice = self.exprs.random.weighted(&weights);
        // A node that watches a condition and aborts is the most interesting: a condition, then something that runs.
        let is_watching = matches!(choice, 2..6 | 10 | 11);
        let first = if is_watching && self.percent(60) {
            self.budget = self.budget.saturating_sub(1);
            Node::leaf(self.condition())
        } else {
            self.node(depth - 1)
        };
        let mut children = vec![first];
        let (least, wanted) = match choice {
            10 | 11 => (2, 2 + self.below(2)),
            12 => (2, wanted.clamp(2, 4)),
            13 | 16..19 => (1, wanted.min(4)),
            PLANNER => (1, wanted.max(3)),
            15 => (2, 2),
            _ => (1, wanted),
        };
        while children.len() < wanted && (self.budget > 0 || children.len() < least) {
            children.push(self.node(depth - 1));
        }
        if matches!(choice, 5 | 9) && self.may_interrupt() && self.percent(40) {
            self.let_last_interrupt_first(&mut children);
        }
        let total = children.len();
        let kind = match choice {
            0 => Kind::Sequence {
                yields: self.yields([3, 2, 1]),
            },
            1 => Kind::Selector {
                yields: self.yields([3, 2, 1]),
            },
            2 => Kind::ReactiveSequence,
            3 => Kind::ReactiveSelector,
            4 => Kind::Monitor,
            5 => self.parallel(total),
            6 => Kind::RandomSelector {
                replacement: self.percent(30),
            },
            7 => Kind::RandomSequence {
                replacement: self.percent(30),
            },
            8 => Kind::StickySequence {
                yields: self.yields([2, 2, 1]),
                reset_on_abort: self.percent(35),
                leaves_open: self.exprs.profile.machines == 0
                    && self.percent(40)
                    && children.iter().all(|node| self.may_stay_open(node)),
            },
            9 => Kind::ParallelAll {
                max_failures: self.below(total + 1) as u32,
            },
            10 => Kind::If {
                asks_again: total == 2
                    && self.exprs.profile.machines == 0
                    && self.percent(40)
                    && self.may_stay_open(&children[1]),
                leaves_open: self.percent(30),
            },
            11 => Kind::ReactiveIf {
                leaves_open: self.percent(30),
            },
            12 => Kind::TryCatch {
                on_abort: self.percent(50),
            },
            13 => self.switch(total),
            14 => Kind::WeightedSelector {
                weights: (0..total).map(|_| self.weight()).collect(),
            },
            15 => Kind::SimpleParallel {
                waits: self.percent(50),
            },
            16 => Kind::SubtreeBy {
                cases: self.cases(total),
            },
            17 => self.own(total),
            PLANNER => self.planner(&mut children),
            20 => self.rules(total),
            _ => self.utility(total),
        };
        Node::with(kind, children)
    }

    /// With as many cases as children, or one fewer, so that the last child is the default.
    fn switch(&mut self, children: usize) -> Kind {
        let cases = children - usize::from(self.percent(50));
        let cases = self.cases(cases);
        let once = self.percent(40);
        let leaves_open = self.exprs.profile.machines == 0 && self.percent(10);
        Kind::Switch {
            cases,
            once,
            leaves_open,
        }
    }

    fn cases(&mut self, number: usize) -> Vec<Expr> {
        let depth = if self.percent(30) { 3 } else { 1 };
        let cases = (0..number).map(|_| self.without_draws(|exprs| exprs.expr(Type::Bool, depth)));
        cases.collect()
    }

    fn parallel(&mut self, total: usize) -> Kind {
        let all = [Skips::Absent, Skips::AbsentEvenAll, Skips::Pending];
        Kind::Parallel {
            success: self.threshold(total),
            failure: self.threshold(total),
            skips: all[self.exprs.random.weighted(&[2, 1, 1])],
            judging: Judging {
                at_end: self.percent(30),
                repeat_finished: self.percent(30),
            },
        }
    }

    fn threshold(&mut self, total: usize) -> Threshold {
        match self.exprs.random.weighted(&[35, 15, 40, 10]) {
            0 => Threshold::All,
            1 => Threshold::AllBut(self.below(total) as u32),
            2 if self.percent(4) => Threshold::Count(0),
            2 => Threshold::Count(1 + self.below(total) as u32),
            _ => Threshold::Exactly(self.below(total + 1) as u32),
        }
    }
}
