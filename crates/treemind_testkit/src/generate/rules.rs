//! Random `rules`, and scores for keys.

use super::trees::TreeMaker;
use treemind_core::behaviour::Rule;
use treemind_core::{Expr, Kind, Type, Value};

impl TreeMaker<'_> {
    /// Rules with this many tasks in all.
    pub(super) fn rules(&mut self, mut tasks: usize) -> Kind {
        let mut rules = Vec::new();
        while tasks > 0 {
            let own = (1 + self.below(2)).min(tasks);
            tasks -= own;
            let cooldown = match self.exprs.random.weighted(&[50, 40, 10]) {
                0 => None,
                1 => Some(Expr::Value(Value::Double(
                    *self.exprs.random.pick(&[0.0, 0.1, 0.3, 1.0]),
                ))),
                _ => Some(self.exprs.secs()),
            };
            rules.push(Rule {
                name: format!("r{}", rules.len()),
                when: self.test(true),
                priority: *self.exprs.random.pick(&[0, 0, 0, 1, -1]),
                cooldown,
                again: self.percent(30),
                tasks: own,
            });
        }
        let first = self.percent(30);
        Kind::Rules { rules, first }
    }

    /// A score for a key, if there is one that can hold it.
    pub(super) fn rate(&mut self) -> Kind {
        let ty = *self.exprs.random.pick(&[Type::Float, Type::Double]);
        let key = self
            .exprs
            .some_key(|key| key.ty == ty && !key.form.is_list() && !key.is_computed());
        match key {
            Some(key) => Kind::Rate {
                key,
                score: Box::new(self.score()),
            },
            None => Kind::Fail,
        }
    }
}
