//! The code of expressions and scores, and the sensed keys that each of them asks about.

use super::{Count, Lowering};
use crate::behaviour::Score;
use crate::eval::ExprCode;
use crate::expr::{Expr, Time};
use crate::ids::NodeId;
use crate::program::Named;

impl Lowering<'_> {
    /// The code of an expression of a node.
    pub(super) fn expr(&mut self, node: NodeId, expr: &Expr) -> u32 {
        let draws = expr.draws().then(|| self.counter(node, Count::Draws));
        let states = self.states_around;
        let code = ExprCode::compile(expr, self.board, draws, states);
        let is_literal = matches!(expr, Expr::Value(_));
        self.add_expr(code, is_literal, &[expr])
    }

    /// The code of one child's score; `children` is the number of children.
    pub(super) fn score(&mut self, score: &Score, children: usize) -> u32 {
        let code = ExprCode::compile_score(score, children, self.board, self.states_around);
        let exprs: Vec<&Expr> = score.exprs().collect();
        self.add_expr(code, false, &exprs)
    }

    fn add_expr(&mut self, code: ExprCode, is_literal: bool, exprs: &[&Expr]) -> u32 {
        self.exprs.push(code);
        let (mut named, mut times) = (Vec::new(), Vec::new());
        for expr in exprs {
            expr.for_each_key(&mut |key| {
                if !named.contains(&key) {
                    named.push(key);
                }
            });
            Time::collect(expr, &mut times);
        }
        if !self.board.sensed.is_empty() {
            let mut asks = Vec::new();
            for key in &named {
                let sensed = self.board.keys[key.index()].sensed;
                asks.extend(sensed.filter(|sensed| !asks.contains(sensed)));
            }
            self.asks.push(asks.into());
        }
        self.named.push((!is_literal).then(|| Named {
            keys: named.into(),
            times: times.into(),
        }));
        self.exprs.len() as u32 - 1
    }
}
