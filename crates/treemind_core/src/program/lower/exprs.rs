//! The code of expressions and scores, and the sensed keys that each of them asks about.

use super::{Count, Lowering};
use crate::behaviour::Score;
use crate::eval::ExprCode;
use crate::expr::Expr;
use crate::ids::{KeyId, NodeId};

impl Lowering<'_> {
    /// The code of an expression of a node.
    pub(super) fn expr(&mut self, node: NodeId, expr: &Expr) -> u32 {
        let draws = expr.draws().then(|| self.counter(node, Count::Draws));
        let states = self.states_around;
        let code = ExprCode::compile(expr, self.board, draws, states);
        let is_literal = matches!(expr, Expr::Value(_));
        self.add_expr(code, is_literal, |each| expr.for_each_key(each))
    }

    /// The code of one child's score; `children` is the number of children.
    pub(super) fn score(&mut self, score: &Score, children: usize) -> u32 {
        let code = ExprCode::compile_score(score, children, self.board, self.states_around);
        self.add_expr(code, false, |each| score.for_each_key(each))
    }

    fn add_expr(
        &mut self,
        code: ExprCode,
        is_literal: bool,
        for_each_key: impl FnOnce(&mut dyn FnMut(KeyId)),
    ) -> u32 {
        self.exprs.push(code);
        let mut named = Vec::new();
        for_each_key(&mut |key| {
            if !named.contains(&key) {
                named.push(key);
            }
        });
        if !self.board.sensed.is_empty() {
            let mut asks = Vec::new();
            for key in &named {
                let sensed = self.board.keys[key.index()].sensed;
                asks.extend(sensed.filter(|sensed| !asks.contains(sensed)));
            }
            self.asks.push(asks.into());
        }
        self.named.push((!is_literal).then(|| named.into()));
        self.exprs.len() as u32 - 1
    }
}
