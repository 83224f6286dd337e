//! Planners built in code, from short texts: `armed && mags > 0`, `ammo = 6; mags -= 1`.

use treemind_core::behaviour::{
    Aim, Doing, Goal, Guards, Hooks, Key, Leaf, LeafKind, Method, Parts, PlanStep, Planner, Replan,
    Score, Task,
};
use treemind_core::expr::{Arith, Assign, Compare};
use treemind_core::planning::{Desk, Domain, NoPlan, Search, StepSet};
use treemind_core::{Behaviour, Expr, KeyId, Kind, LeafId, Node, NodeId, Type, Value};
use treemind_testkit::reference::{Answer, Cell, Model};

/// A planner that is being written down.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) keys: Vec<(String, Value)>,
    pub(crate) steps: Vec<(PlanStep, Guards, Hooks)>,
    pub(crate) planner: Planner,
}

impl Draft {
    /// The keys with their values: `armed mags=1 fuel=0.5`.
    pub(crate) fn new(keys: &str) -> Self {
        let keys = keys
            .split_whitespace()
            .map(|key| match key.split_once('=') {
                None => (key.to_owned(), Value::Bool(false)),
                Some((key, "true")) => (key.to_owned(), Value::Bool(true)),
                Some((key, value)) if value.contains('.') => (
                    key.to_owned(),
                    Value::Double(value.parse().expect("a double")),
                ),
                Some((key, value)) => (key.to_owned(), Value::Int(value.parse().expect("an int"))),
            });
        Self {
            keys: keys.collect(),
            steps: Vec::new(),
            planner: Planner {
                steps: Vec::new(),
                goals: Vec::new(),
                tasks: Vec::new(),
                replan: Replan::Broken,
                hysteresis: Expr::Value(Value::Double(0.0)),
                every: 1,
                slice: 256,
                max_expansions: 4_096,
                max_steps: 16,
            },
        }
    }

    fn key(&self, name: &str) -> (KeyId, Type) {
        let at = self.keys.iter().position(|(key, _)| key == name);
        let at = at.unwrap_or_else(|| panic!("no key is named {name}"));
        (KeyId::new(at), self.keys[at].1.ty())
    }

    /// Alternatives of parts, each `key`, `!key`, or two terms compared.
    pub(crate) fn test(&self, text: &str) -> Expr {
        let any = text.split("||").map(|all| {
            let parts = all.split("&&").map(|part| self.part(part.trim()));
            parts
                .reduce(|a, b| Expr::And(Box::new(a), Box::new(b)))
                .expect("a part")
        });
        any.reduce(|a, b| Expr::Or(Box::new(a), Box::new(b)))
            .expect("a part")
    }

    fn part(&self, text: &str) -> Expr {
        let ops = [
            ("<=", Compare::Le),
            (">=", Compare::Ge),
            ("==", Compare::Eq),
            ("!=", Compare::Ne),
            ("<", Compare::Lt),
            (">", Compare::Gt),
        ];
        for (sign, op) in ops {
            if let Some((a, b)) = text.split_once(sign) {
                let (a, b) = (self.term(a.trim()), self.term(b.trim()));
                return Expr::Compare(op, Box::new(a), Box::new(b));
            }
        }
        match text.strip_prefix('!') {
            Some(key) => Expr::Not(Box::new(self.term(key.trim()))),
            None => self.term(text),
        }
    }

    fn term(&self, text: &str) -> Expr {
        for (sign, op) in [("+", Arith::Add), ("-", Arith::Sub), ("*", Arith::Mul)] {
            if let Some((a, b)) = text.split_once(sign)
                && !a.trim().is_empty()
            {
                let (a, b) = (self.term(a.trim()), self.term(b.trim()));
                return Expr::Arith(op, Box::new(a), Box::new(b));
            }
        }
        match text {
            "true" => Expr::Value(Value::Bool(true)),
            "false" => Expr::Value(Value::Bool(false)),
            text if text.contains('.') => {
                Expr::Value(Value::Double(text.parse().expect("a double")))
            }
            text => match text.parse() {
                Ok(int) => Expr::Value(Value::Int(int)),
                Err(_) => {
                    let (key, ty) = self.key(text);
                    Expr::Key(key, ty)
                }
            },
        }
    }

    /// Statements: `ammo = 6; mags -= 1`.
    pub(crate) fn effects(&self, text: &str) -> Vec<Assign> {
        let statements = text
            .split(';')
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let statements = statements.map(|text| {
            let (left, right) = text.split_once('=').expect("a statement has a =");
            let (name, op) = match left.trim().strip_suffix(['+', '-']) {
                Some(name) if left.contains('+') => (name.trim(), Some(Arith::Add)),
                Some(name) => (name.trim(), Some(Arith::Sub)),
                None => (left.trim(), None),
            };
            let (key, ty) = self.key(name);
            let value = self.term(right.trim());
            let value = match op {
                Some(op) => Expr::Arith(op, Box::new(Expr::Key(key, ty)), Box::new(value)),
                None => value,
            };
            Assign::set(key, value)
        });
        statements.collect()
    }

    /// A step: its name, when it can be used, what it gives, what it costs.
    pub(crate) fn step(mut self, name: &str, when: &str, gives: &str, cost: &str) -> Self {
        let step = PlanStep {
            name: name.to_owned(),
            gives: self.effects(gives),
            cost: (!cost.is_empty()).then(|| match self.term(cost) {
                Expr::Value(Value::Int(cost)) => Expr::Value(Value::Double(cost as f64)),
                other => other,
            }),
        };
        let guards = Guards {
            fail_if: (!when.is_empty()).then(|| Expr::Not(Box::new(self.test(when)))),
            ..Guards::default()
        };
        self.planner.steps.push(step.clone());
        self.steps.push((step, guards, Hooks::default()));
        self
    }

    /// A goal that wants something.
    pub(crate) fn wants(self, name: &str, wants: &str, score: f64) -> Self {
        let aim = Aim::Wants(self.test(wants));
        self.goal(name, aim, score)
    }

    /// A goal that does the task with this name.
    pub(crate) fn does(self, name: &str, task: &str, score: f64) -> Self {
        let tasks = &self.planner.tasks;
        let task = tasks.iter().position(|known| known.name == task);
        self.goal(name, Aim::Does(task.expect("the task is there")), score)
    }

    fn goal(mut self, name: &str, aim: Aim, score: f64) -> Self {
        self.planner.goals.push(Goal {
            name: name.to_owned(),
            aim,
            when: None,
            score: Score::of(Expr::Value(Value::Double(score))),
        });
        self
    }

    /// Tasks, each a name and methods: what is done, and when.
    pub(crate) fn tasks(mut self, tasks: &[(&str, &[(&str, &str)])]) -> Self {
        let doing = |draft: &Self, name: &str| {
            let step = draft
                .planner
                .steps
                .iter()
                .position(|step| step.name == name);
            step.map(Doing::Step).unwrap_or_else(|| {
                let task = tasks.iter().position(|(task, _)| *task == name);
                Doing::Task(task.unwrap_or_else(|| panic!("nothing is named {name}")))
            })
        };
        let all = tasks.iter().map(|(name, methods)| Task {
            name: (*name).to_owned(),
            methods: methods
                .iter()
                .map(|(does, when)| Method {
                    does: does
                        .split_whitespace()
                        .map(|name| doing(&self, name))
                        .collect(),
                    when: (!when.is_empty()).then(|| self.test(when)),
                })
                .collect(),
        });
        self.planner.tasks = all.collect();
        self
    }

    /// Changes an option.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Planner)) -> Self {
        change(&mut self.planner);
        self
    }

    /// The same with another value of a key.
    pub(crate) fn given(mut self, key: &str, value: Value) -> Self {
        let (key, _) = self.key(key);
        self.keys[key.index()].1 = value;
        self
    }

    /// The parts of a behaviour: the planner is its root, and an action per step has the name of the step.
    pub(crate) fn parts(&self) -> Parts {
        let keys = self
            .keys
            .iter()
            .map(|(name, value)| Key::new(name.clone(), *value));
        let children = self
            .steps
            .iter()
            .enumerate()
            .map(|(index, (step, guards, hooks))| {
                let kind = Kind::Action {
                    leaf: LeafId::new(index),
                    args: Vec::new(),
                };
                let mut node = Node::leaf(kind).named(&step.name);
                (node.guards, node.hooks) = (guards.clone(), hooks.clone());
                node
            });
        let leaf = |step: &PlanStep| Leaf::new(&step.name, LeafKind::ACTION);
        Parts {
            name: "t".to_owned(),
            enums: Vec::new(),
            keys: keys.collect(),
            leaves: self.planner.steps.iter().map(leaf).collect(),
            semaphores: Vec::new(),
            labels: Vec::new(),
            root: Node::with(
                Kind::Planner(Box::new(self.planner.clone())),
                children.collect(),
            ),
        }
    }

    pub(crate) fn behaviour(&self) -> Behaviour {
        Behaviour::new(self.parts()).expect("the parts fit together")
    }

    /// The plan for the first goal that the executor's search finds: its cost in thousandths, its length, its steps.
    pub(crate) fn best(&self) -> Option<(u64, usize, Vec<u8>)> {
        let behaviour = self.behaviour();
        let domain = Domain::new(&behaviour, NodeId::new(0));
        let mut situation = vec![0; domain.words()];
        domain.read(&mut situation, 0, |key| {
            treemind_core::Held::One(self.keys[key.index()].1)
        });
        let mut desk = Desk::default();
        let all = StepSet::default();
        match domain.search(0, &situation, all, u32::MAX, &mut desk) {
            Search::Found { cost, .. } => Some((cost, desk.plan.len(), desk.plan)),
            Search::Nothing(_) | Search::Unfinished => None,
        }
    }

    /// What that plan costs.
    pub(crate) fn cost(&self) -> Option<f64> {
        self.best().map(|(cost, ..)| cost as f64 / 1_000.0)
    }

    /// What a search for the first goal comes to: `6 / 6: draw-gun reload`, `none / 4`, `limit`. The executor's search
    /// and the reference agree.
    pub(crate) fn plan(&self) -> String {
        let behaviour = self.behaviour();
        let node = NodeId::new(0);
        let cells: Vec<Cell> = self
            .keys
            .iter()
            .map(|(_, value)| Cell::One(*value))
            .collect();
        let model = Model::new(&behaviour, node, 0);
        let wanted = model.search(0, &model.facts(&cells), &std::collections::BTreeSet::new());
        let domain = Domain::new(&behaviour, node);
        let mut situation = vec![0; domain.words()];
        domain.read(&mut situation, 0, |key| {
            treemind_core::Held::One(self.keys[key.index()].1)
        });
        let mut desk = Desk::default();
        let found = domain.search(0, &situation, StepSet::default(), u32::MAX, &mut desk);
        let (answer, expansions) = (wanted.answer, wanted.expansions);
        assert_eq!(u64::from(desk.expansions), expansions, "expansions");
        let bad: Vec<usize> = (0..128).filter(|step| desk.bad_costs.has(*step)).collect();
        assert_eq!(
            bad,
            wanted.bad_costs.into_iter().collect::<Vec<_>>(),
            "costs"
        );
        match (found, answer) {
            (
                Search::Found { cost, method },
                Answer::Plan {
                    steps,
                    cost: its,
                    method: same,
                },
            ) => {
                let plan: Vec<usize> = desk.plan.iter().map(|step| usize::from(*step)).collect();
                assert_eq!((cost, method as usize, &plan), (its, same, &steps));
                let names = steps.iter().map(|step| &self.planner.steps[*step].name[..]);
                let names: Vec<&str> = names.collect();
                format!(
                    "{} / {expansions}: {}",
                    cost as f64 / 1_000.0,
                    names.join(" ")
                )
            }
            (Search::Nothing(NoPlan::None), Answer::None) => format!("none / {expansions}"),
            (Search::Nothing(NoPlan::Limit), Answer::Limit) => "limit".to_owned(),
            (found, answer) => panic!("{found:?} {:?} is not {answer:?}", desk.plan),
        }
    }
}
