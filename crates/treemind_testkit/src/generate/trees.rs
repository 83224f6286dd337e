//! Random behaviours with all kinds of nodes.

use super::{ExprMaker, Profile};
use crate::random::Random;
use std::ops::Range;
use treemind_core::behaviour::{
    Arg, Enum, Guards, Hooks, Key, Leaf, LeafKind, LogPart, Param, Parts, Scope, Sensed, Skips,
    Threshold, Times, Yields,
};
use treemind_core::expr::{Assign, Func};
use treemind_core::{EnumId, Expr, KeyId, Kind, LeafId, Node, Status, Type, Value};

/// How many kinds of composites there are.
pub const COMPOSITES: usize = 15;

/// How many kinds of decorators there are.
pub const DECORATORS: usize = 16;

/// The parts of a random behaviour; they pass the checks of [`treemind_core::Behaviour::new`].
pub fn random_parts(random: &mut Random, profile: Profile) -> Parts {
    let enums = vec![Enum {
        values: ["calm", "wary", "angry"].map(str::to_owned).to_vec(),
    }];
    let leaves = random_leaves(random);
    let keys = random_keys(random, profile, &enums, &leaves);
    let mut maker = TreeMaker {
        exprs: ExprMaker {
            random,
            profile,
            enums: &enums,
            keys: &keys,
        },
        leaves: &leaves,
        budget: profile.nodes,
        spinning: 0,
    };
    let root = maker.node(profile.depth);
    Parts {
        name: "generated".to_owned(),
        enums,
        keys,
        leaves,
        root,
    }
}

/// One of each type.
fn types() -> [Type; 6] {
    [
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Double,
        Type::Enum(EnumId::new(0)),
        Type::Entity,
    ]
}

fn random_keys(random: &mut Random, profile: Profile, enums: &[Enum], leaves: &[Leaf]) -> Vec<Key> {
    let types = types();
    let mut maker = ExprMaker {
        random,
        profile,
        enums,
        keys: &[],
    };
    let number = maker.random.between(1, 9);
    (0..number)
        .map(|index| {
            let ty = types[if index < 6 {
                index
            } else {
                maker.random.below(6)
            }];
            let mut key = Key::new(format!("{}_{index}", ty.keyword()), maker.value(ty));
            // The first key is always writable, and every agent has it to itself.
            if index > 0 && maker.random.percent(profile.shared) {
                key.scope = *maker.random.pick(&[Scope::Group, Scope::World]);
            } else if index > 0 && maker.random.percent(profile.sensed) {
                key.sensed = Some(sensed(&mut maker, leaves));
            }
            key
        })
        .collect()
}

/// By one of the sensors, in every tick or not as often.
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
const SENSORS: Range<usize> = 12..14;
const EVENTS: Range<usize> = 14..17;

/// Five conditions, seven actions, two sensors and three events; some take parameters, some actions are instant.
fn random_leaves(random: &mut Random) -> Vec<Leaf> {
    let types = types();
    (0..EVENTS.end)
        .map(|index| {
            let params = match index % 4 {
                0 => random.between(1, 3),
                1 => random.below(2),
                _ => 0,
            };
            Leaf {
                name: match index {
                    0..5 => format!("c{index}"),
                    5..12 => format!("a{}", index - 5),
                    12..14 => format!("s{}", index - 12),
                    _ => format!("e{}", index - 14),
                },
                kind: match index {
                    0..5 => LeafKind::Condition,
                    5..12 => LeafKind::Action {
                        instant: index == 11,
                    },
                    12..14 => LeafKind::Sensor,
                    _ => LeafKind::Event,
                },
                params: (0..params)
                    .map(|param| Param {
                        name: format!("p{param}"),
                        ty: *random.pick(&types),
                        default: None,
                        doc: None,
                    })
                    .collect(),
                doc: None,
            }
        })
        .collect()
}

struct TreeMaker<'a> {
    exprs: ExprMaker<'a>,
    leaves: &'a [Leaf],
    /// How many more nodes there may be.
    budget: usize,
    /// How many loops around the next node run more than once in a tick.
    spinning: usize,
}

impl TreeMaker<'_> {
    fn node(&mut self, depth: usize) -> Node {
        self.budget = self.budget.saturating_sub(1);
        let profile = self.exprs.profile;
        let early = match profile.depth - depth {
            0 => 1,
            1 => 8,
            _ => 25,
        };
        let is_leaf = depth <= 1 || self.budget == 0 || self.percent(early);
        let mut node = if is_leaf {
            Node::leaf(self.leaf())
        } else if self.percent(profile.decorators) {
            self.decorator(depth)
        } else {
            self.composite(depth)
        };
        if self.percent(profile.guards) {
            node.guards = self.guards();
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

    fn percent(&mut self, percent: usize) -> bool {
        self.exprs.random.percent(percent)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.exprs.random.below(bound)
    }

    fn leaf(&mut self) -> Kind {
        match self
            .exprs
            .random
            .weighted(&[18, 54, 7, 7, 6, 2, 2, 2, 5, 3, 3])
        {
            0 => self.condition(),
            1 => {
                let (leaf, args) = self.use_of(5, 12);
                Kind::Action { leaf, args }
            }
            2 => Kind::Check {
                expr: self.exprs.expr(Type::Bool, 3),
            },
            3 => self.set(),
            4 => Kind::Wait {
                secs: self.exprs.secs(),
            },
            5 => Kind::Succeed,
            6 => Kind::Fail,
            7 => Kind::Run,
            8 => Kind::Changed {
                key: self.any_key(),
            },
            9 => self.log(),
            _ => {
                let (leaf, args) = self.use_of(EVENTS.start, EVENTS.end);
                Kind::Emit { leaf, args }
            }
        }
    }

    fn any_key(&mut self) -> KeyId {
        KeyId::new(self.below(self.exprs.keys.len()))
    }

    fn log(&mut self) -> Kind {
        let parts = self.exprs.random.between(1, 4);
        let text = (0..parts).map(|_| match self.percent(50) {
            true => LogPart::Key(self.any_key()),
            false => LogPart::Text(" and ".to_owned()),
        });
        Kind::Log {
            text: text.collect(),
        }
    }

    fn condition(&mut self) -> Kind {
        let (leaf, args) = self.use_of(0, 5);
        let negated = self.percent(30);
        Kind::Condition {
            leaf,
            args,
            negated,
        }
    }

    fn use_of(&mut self, from: usize, to: usize) -> (LeafId, Vec<Arg>) {
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

    fn set(&mut self) -> Kind {
        Kind::Set {
            assigns: self.statements(),
        }
    }

    fn statements(&mut self) -> Vec<Assign> {
        let statements = self.exprs.random.between(1, 3);
        let assigns = (0..statements).map(|_| {
            let mut place = self.exprs.random.below(self.exprs.keys.len());
            if self.exprs.keys[place].sensed.is_some() {
                place = 0;
            }
            let ty = self.exprs.keys[place].ty;
            Assign {
                key: KeyId::new(place),
                value: self.exprs.expr(ty, 3),
            }
        });
        assigns.collect()
    }

    /// One guard, sometimes several; the one that cuts off comes up most.
    fn guards(&mut self) -> Guards {
        let mut guards = Guards::default();
        let number = 1 + usize::from(self.percent(30)) + usize::from(self.percent(15));
        for _ in 0..number {
            let choice = self.exprs.random.weighted(&[1, 1, 1, 5]);
            let test = Some(self.test(choice == 3));
            match choice {
                0 => guards.fail_if = test,
                1 => guards.succeed_if = test,
                2 => guards.skip_if = test,
                _ => guards.while_holds = test,
            }
        }
        let answers = [
            Status::Skipped,
            Status::Failure,
            Status::Success,
            Status::Running,
        ];
        guards.while_else = answers[self.exprs.random.weighted(&[3, 3, 3, 1])];
        guards
    }

    /// What a guard asks: of keys, so that it changes its answer as they are written, and mostly what lets the node
    /// go on at first.
    fn test(&mut self, wanted: bool) -> Expr {
        let depth = *self.exprs.random.pick(&[0, 1, 1, 2, 3]);
        let mut test = self.exprs.expr(Type::Bool, depth);
        for _ in 0..4 {
            // What asks no key never changes its answer.
            if !format!("{test:?}").contains("Key(") {
                test = self.exprs.expr(Type::Bool, depth);
            }
        }
        let defaults: Vec<Value> = self.exprs.keys.iter().map(|key| key.default).collect();
        let goes_on = crate::reference::eval(&test, &defaults) == Ok(Value::Bool(wanted));
        if goes_on || self.percent(10) {
            test
        } else {
            Expr::Not(Box::new(test))
        }
    }

    /// Statements after one or two of the moments; often they turn a key around that guards ask about.
    fn hooks(&mut self) -> Hooks {
        let mut hooks = Hooks::default();
        for _ in 0..1 + usize::from(self.percent(40)) {
            let mut statements = self.statements();
            if self.percent(40)
                && let Some(key) = self.exprs.key_id(Type::Bool)
                && self.exprs.keys[key.index()].sensed.is_none()
            {
                let value = Expr::Not(Box::new(Expr::Key(key, Type::Bool)));
                statements.push(Assign { key, value });
            }
            match self.below(4) {
                0 => hooks.on_success = statements,
                1 => hooks.on_failure = statements,
                2 => hooks.on_abort = statements,
                _ => hooks.on_end = statements,
            }
        }
        hooks
    }

    /// Mostly ordinary weights, often over keys, and now and then what is no weight.
    fn weight(&mut self) -> Expr {
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
            1 => self.exprs.any_double(),
            _ => Expr::Value(Value::Double(*self.exprs.random.pick(&odd))),
        }
    }

    fn decorator(&mut self, depth: usize) -> Node {
        let weights = self.exprs.profile.decorator_kinds;
        let mut kind = match self.exprs.random.weighted(&weights) {
            0 => Kind::Invert,
            1 => Kind::ForceSuccess,
            2 => Kind::ForceFailure,
            choice @ (3 | 4) => {
                let (times, yields) = self.turns();
                if choice == 3 {
                    Kind::Repeat { times, yields }
                } else {
                    Kind::Retry { times, yields }
                }
            }
            5 => Kind::UntilFailure {
                yields: self.until_yields(),
            },
            6 => Kind::UntilSuccess {
                yields: self.until_yields(),
            },
            7 => Kind::KeepRunningUntilFailure,
            8 => Kind::RunOnce {
                then_skip: self.percent(50),
            },
            9 => Kind::Limit { runs: self.runs() },
            10 => Kind::Cooldown {
                secs: self.exprs.secs(),
                else_skipped: self.percent(50),
            },
            11 => Kind::Timeout {
                secs: self.exprs.secs(),
            },
            12 => Kind::Delay {
                secs: self.exprs.secs(),
            },
            13 => Kind::Chance {
                probability: self.exprs.probability(),
            },
            14 => Kind::OnChange {
                key: self.any_key(),
                else_running: self.percent(50),
            },
            _ => Kind::Scope {
                keys: self.locals(),
            },
        };
        let is_spinning = matches!(
            kind,
            Kind::Repeat {
                yields: Yields::Never,
                ..
            } | Kind::Retry {
                yields: Yields::Never,
                ..
            } | Kind::UntilFailure {
                yields: Yields::Never,
            } | Kind::UntilSuccess {
                yields: Yields::Never,
            }
        );
        if is_spinning && self.spinning == 3 {
            kind = Kind::Invert;
        }
        self.spinning += usize::from(is_spinning);
        let child = self.node(depth - 1);
        self.spinning -= usize::from(is_spinning);
        Node::with(kind, vec![child])
    }

    /// Some of the keys that every agent has to itself; nodes outside may use them as well.
    fn locals(&mut self) -> Vec<KeyId> {
        let wanted = self.exprs.random.between(1, 3);
        let is_own = |key: &Key| key.scope == Scope::Agent && key.sensed.is_none();
        let keys = self.exprs.keys;
        let own: Vec<usize> = (0..keys.len()).filter(|key| is_own(&keys[*key])).collect();
        (0..wanted)
            .map(|_| KeyId::new(*self.exprs.random.pick(&own)))
            .collect()
    }

    fn yields(&mut self, weights: [usize; 3]) -> Yields {
        let all = [Yields::Never, Yields::Fresh, Yields::Always];
        all[self.exprs.random.weighted(&weights)]
    }

    /// Of a loop that has no number of turns.
    fn until_yields(&mut self) -> Yields {
        let never = if self.exprs.profile.spins { 4 } else { 0 };
        self.yields([never, 4, 3])
    }

    /// How often a `limit` lets its child begin: few times.
    fn runs(&mut self) -> Expr {
        if self.exprs.profile.faults && self.percent(30) {
            return self.exprs.expr(Type::Int, 2);
        }
        let most = self.exprs.random.weighted(&[1, 3, 3, 3, 1]) as i64;
        let most = if most == 4 { -1 } else { most };
        let literal = Expr::Value(Value::Int(most));
        match self.exprs.key(Type::Int) {
            Some(key) if self.percent(20) => {
                Expr::Call(Func::Max, vec![key, Expr::Value(Value::Int(2))])
            }
            _ => literal,
        }
    }

    fn turns(&mut self) -> (Times, Yields) {
        let yields = self.yields([4, 4, 3]);
        let may_spin = self.exprs.profile.spins || yields != Yields::Never;
        let int = |count| Expr::Value(Value::Int(count));
        let times = match self.below(10) {
            0..3 if may_spin => Times::Forever,
            0..3 => Times::Count(int(3)),
            3 => Times::Count(int(-1)),
            4 => Times::Count(int(0)),
            5 if self.exprs.profile.spins => Times::Count(int(700)),
            6 | 7 => {
                let key = self.exprs.expr(Type::Int, 1);
                Times::Count(Expr::Call(Func::Clamp, vec![key, int(-1), int(5)]))
            }
            _ => Times::Count(int(1 + self.below(5) as i64)),
        };
        (times, yields)
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
        // What watches something and cuts something off is the most interesting: a condition, then what runs.
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
            13 => (1, wanted.min(4)),
            _ => (1, wanted),
        };
        while children.len() < wanted && (self.budget > 0 || children.len() < least) {
            children.push(self.node(depth - 1));
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
            },
            9 => Kind::ParallelAll {
                max_failures: self.below(total + 1) as u32,
            },
            10 => Kind::If,
            11 => Kind::ReactiveIf,
            12 => Kind::TryCatch {
                on_abort: self.percent(50),
            },
            13 => self.switch(total),
            _ => Kind::WeightedSelector {
                weights: (0..total).map(|_| self.weight()).collect(),
            },
        };
        Node::with(kind, children)
    }

    /// With as many cases as children, or one less, so that the last child is the default.
    fn switch(&mut self, children: usize) -> Kind {
        let cases = children - usize::from(self.percent(50));
        let depth = if self.percent(30) { 3 } else { 1 };
        let cases: Vec<Expr> = (0..cases)
            .map(|_| self.exprs.expr(Type::Bool, depth))
            .collect();
        let once = self.percent(40);
        Kind::Switch { cases, once }
    }

    fn parallel(&mut self, total: usize) -> Kind {
        let all = [Skips::Absent, Skips::AbsentEvenAll, Skips::Pending];
        Kind::Parallel {
            success: self.threshold(total),
            failure: self.threshold(total),
            skips: all[self.exprs.random.weighted(&[2, 1, 1])],
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
