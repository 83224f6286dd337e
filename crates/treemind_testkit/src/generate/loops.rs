//! Random loops, and what they share with lists: how often and when they continue.

use super::trees::TreeMaker;
use treemind_core::MAX_RUNS_PER_TICK;
use treemind_core::behaviour::{Counting, Key, Pace, Scope, Times, Yields};
use treemind_core::expr::Func;
use treemind_core::{Expr, KeyId, Kind, Status, Type, Value};

impl TreeMaker<'_> {
    /// A loop over a list whose items some key can hold; there may be no such list.
    pub(super) fn for_each(&mut self) -> Kind {
        let keys = self.exprs.keys;
        let holds = |key: &Key, list: &Key| {
            let is_own = key.scope == Scope::Agent && !key.is_computed();
            key.ty == list.ty && !key.form.is_list() && is_own
        };
        let is_gone_through =
            |list: &Key| list.form.is_list() && keys.iter().any(|key| holds(key, list));
        let Some(list) = self.exprs.some_key(is_gone_through) else {
            return Kind::Invert;
        };
        let var = self
            .exprs
            .some_key(|key| holds(key, &keys[list.index()]))
            .expect("some key can hold an item");
        let answers = [Status::Success, Status::Failure, Status::Skipped];
        let max_runs = if self.exprs.profile.faults && self.percent(40) {
            1 + self.below(3) as u32
        } else {
            MAX_RUNS_PER_TICK
        };
        Kind::ForEach {
            var,
            list,
            if_empty: *self.exprs.random.pick(&answers),
            max_runs,
        }
    }

    /// Some of the agent's own keys; nodes outside of the scope may use them as well.
    pub(super) fn locals(&mut self) -> Vec<KeyId> {
        let wanted = self.exprs.random.between(1, 3);
        let is_own = |key: &Key| key.scope == Scope::Agent && !key.is_computed();
        let own = (0..wanted).map(|_| self.exprs.some_key(is_own));
        own.map(|key| key.expect("the first key is every agent's own"))
            .collect()
    }

    pub(super) fn yields(&mut self, weights: [usize; 3]) -> Yields {
        let all = [Yields::Never, Yields::Fresh, Yields::Always];
        all[self.exprs.random.weighted(&weights)]
    }

    /// The pace of a loop without a number of turns.
    pub(super) fn until(&mut self) -> Pace {
        let yields = self.yields([2, 4, 3]);
        self.pace(yields, true)
    }

    /// With the default number of runs in one tick, unless there may be many and the case is not meant for that.
    fn pace(&mut self, yields: Yields, may_be_many: bool) -> Pace {
        let is_bounded = yields != Yields::Never || !may_be_many || self.exprs.profile.spins;
        let max_runs = if is_bounded && self.percent(90) {
            MAX_RUNS_PER_TICK
        } else {
            *self.exprs.random.pick(&[1, 2, 3, 7])
        };
        Pace { yields, max_runs }
    }

    /// How many runs a `limit` allows: few.
    pub(super) fn runs(&mut self) -> Expr {
        if self.exprs.profile.faults && self.percent(15) {
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

    /// A `repeat` or a `retry`.
    pub(super) fn counted_loop(&mut self, is_repeat: bool) -> Kind {
        let yields = self.yields([4, 4, 3]);
        let times = self.times();
        let counting = if self.percent(30) {
            Counting::Ticks
        } else {
            Counting::Runs
        };
        let times = match times {
            Times::Count(count) if counting == Counting::Runs && self.percent(30) => {
                Times::Reread(count)
            }
            times => times,
        };
        let may_be_many = times == Times::Forever || counting == Counting::Ticks;
        let pace = self.pace(yields, may_be_many);
        let ignores_result = self.percent(30);
        if is_repeat && times == Times::Forever && self.percent(30) {
            // A `forever`.
            return Kind::Repeat {
                times,
                pace: Pace::default(),
                counting: Counting::Runs,
                ignores_result: true,
            };
        }
        if is_repeat {
            Kind::Repeat {
                times,
                pace,
                counting,
                ignores_result,
            }
        } else {
            Kind::Retry {
                times,
                pace,
                counting,
                ignores_result,
            }
        }
    }

    fn times(&mut self) -> Times {
        let int = |count| Expr::Value(Value::Int(count));
        match self.below(10) {
            0..3 => Times::Forever,
            3 => Times::Count(int(-1)),
            4 => Times::Count(int(0)),
            5 if self.exprs.profile.spins => Times::Count(int(700)),
            6 | 7 => {
                let key = self.exprs.expr(Type::Int, 1);
                Times::Count(Expr::Call(Func::Clamp, vec![key, int(-1), int(5)]))
            }
            _ => Times::Count(int(1 + self.below(5) as i64)),
        }
    }
}
