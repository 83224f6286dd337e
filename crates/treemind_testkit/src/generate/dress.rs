//! Guards and statements on random nodes.

use super::ExprMaker;
use super::trees::TreeMaker;
use crate::reference::{Age, Cell, Surroundings, eval};
use std::collections::BTreeSet;
use treemind_core::behaviour::{Guards, Hooks, Key, Scope};
use treemind_core::expr::Assign;
use treemind_core::{Expr, Status, Type, Value};

impl TreeMaker<'_> {
    /// One guard, sometimes several; the guard that aborts is the most frequent.
    pub(super) fn guards(&mut self) -> Guards {
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

    /// A guard's test of keys, so that its answer changes as keys are written; mostly one that lets the node run at
    /// first.
    pub(super) fn test(&mut self, wanted: bool) -> Expr {
        self.exprs.may_draw = false;
        let test = self.lasting_test(wanted);
        self.exprs.may_draw = true;
        test
    }

    /// An expression without draws, because it is evaluated again and again.
    pub(super) fn without_draws(&mut self, make: impl FnOnce(&mut ExprMaker<'_>) -> Expr) -> Expr {
        self.exprs.may_draw = false;
        let made = make(&mut self.exprs);
        self.exprs.may_draw = true;
        made
    }

    fn lasting_test(&mut self, wanted: bool) -> Expr {
        let depth = *self.exprs.random.pick(&[0, 1, 1, 2, 3]);
        let mut test = self.exprs.expr(Type::Bool, depth);
        for _ in 0..4 {
            // A test without keys never changes its answer.
            if !format!("{test:?}").contains("Key(") {
                test = self.exprs.expr(Type::Bool, depth);
            }
        }
        let cells: Vec<Cell> = self.exprs.keys.iter().map(Cell::start).collect();
        let mut around = Surroundings {
            keys: self.exprs.keys,
            cells: &cells,
            active: &BTreeSet::new(),
            draw: &mut || unreachable!("a guard does not draw"),
            free: &|_| 1,
            me: 0,
            members: 1,
            alive: &BTreeSet::new(),
            now_ns: 0,
            ages: &vec![Age::of_new(); self.exprs.keys.len()],
        };
        let goes_on = eval(&test, &mut around) == Ok(Value::Bool(wanted));
        if goes_on || self.percent(10) {
            test
        } else {
            Expr::Not(Box::new(test))
        }
    }

    /// Statements for one or two of the moments; often they invert a key that guards ask about.
    pub(super) fn hooks(&mut self) -> Hooks {
        let mut hooks = Hooks::default();
        for _ in 0..1 + usize::from(self.percent(40)) {
            let mut statements = self.statements();
            if self.percent(40)
                && let Some(key) = self.exprs.key_id(Type::Bool)
                && !self.exprs.keys[key.index()].is_computed()
            {
                let value = Expr::Not(Box::new(Expr::Key(key, Type::Bool)));
                statements.push(Assign::set(key, value));
            }
            match self.below(4) {
                0 => hooks.on_success = statements,
                1 => hooks.on_failure = statements,
                2 => hooks.on_abort = statements,
                _ => hooks.on_end = statements,
            }
        }
        if self.percent(25) {
            hooks.on_fault = self.exprs.some_key(|key: &Key| {
                let takes_text = matches!(key.ty, Type::Text | Type::Any);
                let is_own = key.scope == Scope::Agent && !key.is_computed();
                takes_text && is_own && !key.form.is_list()
            });
        }
        hooks
    }
}
