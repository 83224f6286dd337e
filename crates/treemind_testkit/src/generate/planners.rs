//! Random planners. Their steps are small changes of a few keys, so that there are plans.

use super::trees::TreeMaker;
use treemind_core::behaviour::{
    Aim, Doing, Goal, Guards, Hooks, Method, PlanStep, Planner, Replan, Score, Scoring, Task,
    unforeseeable,
};
use treemind_core::expr::{Arith, Assign, Compare};
use treemind_core::{Expr, Kind, Node, Type, Value};

impl TreeMaker<'_> {
    /// A planner with these steps, which get other guards and statements.
    pub(super) fn planner(&mut self, children: &mut [Node]) -> Kind {
        let steps = (0..).zip(children).map(|(index, child)| {
            child.guards = self.step_guards();
            child.hooks = Hooks::default();
            let gives = if self.percent(70) {
                self.foreseen(true)
            } else {
                Vec::new()
            };
            if gives.is_empty() || self.percent(40) {
                child.hooks.on_success = self.foreseen(false);
            }
            if self.percent(15) {
                child.hooks.on_end = self.foreseen(false);
            }
            PlanStep {
                name: format!("step{index}"),
                gives,
                cost: self.step_cost(),
            }
        });
        let steps: Vec<PlanStep> = steps.collect();
        let tasks = if self.percent(40) {
            self.tasks(steps.len())
        } else {
            Vec::new()
        };
        let goals = (0..self.exprs.random.between(1, 3)).map(|index| Goal {
            name: format!("goal{index}"),
            aim: match tasks.len() {
                0 => Aim::Wants(self.wanted()),
                _ if self.percent(35) => Aim::Wants(self.wanted()),
                tasks => Aim::Does(self.below(tasks)),
            },
            when: self.percent(25).then(|| self.goal_test()),
            score: self.goal_score(),
        });
        let goals = goals.collect();
        let hysteresis = if self.percent(70) { 0.0 } else { 0.5 };
        Kind::Planner(Box::new(Planner {
            steps,
            goals,
            tasks,
            replan: *self.exprs.random.pick(&[Replan::Broken, Replan::Changed]),
            hysteresis: Expr::Value(Value::Double(hysteresis)),
            every: *self.exprs.random.pick(&[1, 1, 1, 2, 5]),
            slice: *self.exprs.random.pick(&[1, 2, 5, 256]),
            max_expansions: *self.exprs.random.pick(&[3, 10, 30, 30]),
            max_steps: *self.exprs.random.pick(&[1, 3, 6, 16]),
        }))
    }

    fn step_guards(&mut self) -> Guards {
        let mut guards = Guards::default();
        match self.below(10) {
            0..4 => guards.fail_if = Some(Expr::Not(Box::new(self.wanted()))),
            4 => guards.fail_if = Some(self.foreseen_test(1)),
            5 => guards.skip_if = Some(self.foreseen_test(1)),
            6 => guards.while_holds = Some(self.wanted()),
            _ => {}
        }
        guards
    }

    fn step_cost(&mut self) -> Option<Expr> {
        match self.below(10) {
            0..5 => None,
            5..9 => {
                let cost = *self.exprs.random.pick(&[0.0, 0.5, 1.0, 2.0, 3.0]);
                Some(Expr::Value(Value::Double(cost)))
            }
            _ => Some(self.foreseen_expr(Type::Double, 1)),
        }
    }

    fn goal_score(&mut self) -> Score {
        let made = match self.percent(70) {
            true => Expr::Value(Value::Double(*self.exprs.random.pick(&[0.3, 0.6, 1.0]))),
            false => self.without_draws(|exprs| exprs.any_double()),
        };
        Score {
            made: Scoring::Expr(made),
            weight: None,
        }
    }

    /// Some parts, each about one key.
    fn wanted(&mut self) -> Expr {
        let parts = 1 + self.below(2);
        let parts = (0..parts).map(|_| self.foreseen_part()).collect::<Vec<_>>();
        let both = |a, b| Expr::And(Box::new(a), Box::new(b));
        parts.into_iter().reduce(both).expect("there is a part")
    }

    fn foreseen_part(&mut self) -> Expr {
        let ty = *self.exprs.random.pick(&[Type::Bool, Type::Int, Type::Int]);
        let Some(key) = self
            .exprs
            .some_key(|key| key.ty == ty && key.heard.is_none() && !key.form.is_list())
        else {
            return self.foreseen_test(1);
        };
        let key = Box::new(Expr::Key(key, ty));
        match ty {
            Type::Bool if self.percent(70) => *key,
            Type::Bool => Expr::Not(key),
            _ => {
                let op = *self
                    .exprs
                    .random
                    .pick(&[Compare::Gt, Compare::Le, Compare::Eq]);
                let than = Value::Int(self.below(5) as i64 - 1);
                Expr::Compare(op, key, Box::new(Expr::Value(than)))
            }
        }
    }

    /// The `when` of a goal is not foreseen, so it may also ask for events and times.
    fn goal_test(&mut self) -> Expr {
        match self.percent(50) {
            true => self.foreseen_test(1),
            false => self.without_draws(|exprs| exprs.expr(Type::Bool, 1)),
        }
    }

    fn foreseen_test(&mut self, depth: usize) -> Expr {
        self.foreseen_expr(Type::Bool, depth)
    }

    /// An expression that a planner can foresee.
    fn foreseen_expr(&mut self, ty: Type, depth: usize) -> Expr {
        for _ in 0..8 {
            let made = self.without_draws(|exprs| exprs.expr(ty, depth));
            let mut is_heard = false;
            made.for_each_key(&mut |key| {
                is_heard |= self.exprs.keys[key.index()].heard.is_some();
            });
            if unforeseeable(&made).is_none() && !is_heard {
                return made;
            }
        }
        Expr::Value(ty.zero())
    }

    /// Statements about one or two keys; what is only given may be computed by the host.
    fn foreseen(&mut self, is_given: bool) -> Vec<Assign> {
        let number = 1 + usize::from(self.percent(30));
        (0..number)
            .filter_map(|_| self.foreseen_one(is_given))
            .collect()
    }

    fn foreseen_one(&mut self, is_given: bool) -> Option<Assign> {
        let ty = *self
            .exprs
            .random
            .pick(&[Type::Bool, Type::Int, Type::Int, Type::Float]);
        let key = self.exprs.some_key(|key| {
            let can_write = is_given && key.heard.is_none() && !key.mates || !key.is_computed();
            key.ty == ty && !key.form.is_list() && can_write
        })?;
        let same = Box::new(Expr::Key(key, ty));
        let value = match (ty, self.below(10)) {
            (Type::Int, 0..6) => {
                let op = *self.exprs.random.pick(&[Arith::Add, Arith::Sub]);
                Expr::Arith(op, same, Box::new(Expr::Value(Value::Int(1))))
            }
            (Type::Bool, 0..2) => Expr::Not(same),
            (_, 9) => self.foreseen_expr(ty, 1),
            _ => Expr::Value(match ty {
                Type::Int => Value::Int(self.below(4) as i64),
                Type::Bool => Value::Bool(self.percent(70)),
                _ => Value::Float(self.below(3) as f32),
            }),
        };
        Some(Assign::set(key, value))
    }

    fn tasks(&mut self, steps: usize) -> Vec<Task> {
        let number = self.exprs.random.between(1, 3);
        let tasks = (0..number).map(|index| {
            let methods = (0..self.exprs.random.between(1, 3)).map(|_| Method {
                does: (0..self.below(4))
                    .map(|_| match self.percent(75) {
                        true => Doing::Step(self.below(steps)),
                        false => Doing::Task(self.below(number)),
                    })
                    .collect(),
                when: self.percent(50).then(|| self.foreseen_part()),
            });
            Task {
                name: format!("task{index}"),
                methods: methods.collect(),
            }
        });
        tasks.collect()
    }
}
