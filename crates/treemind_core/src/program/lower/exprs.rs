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
        self.add_expr(code, |each| expr.for_each_key(each))
    }

    /// The code of one child's score; `children` is the number of children.
    pub(super) fn score(&mut self, score: &Score, children: usize) -> u32 {
        let code = ExprCode::compile_score(score, children, self.board, self.states_around);
        self.add_expr(code, |each| score.for_each_key(each))
    }

    fn add_expr(
        &mut self,
        code: ExprCode,
        for_each_key: impl FnOnce(&mut dyn FnMut(KeyId)),
    ) -> u32 {
        self.exprs.push(code);
        if !self.board.sensed.is_empty() {
            let mut asks = Vec::new();
            let board = self.board;
            for_each_key(&mut |key| {
                let sensed = board.keys[key.index()].sensed;
                asks.extend(sensed.filter(|sensed| !asks.contains(sensed)));
            });
            self.asks.push(asks.into());
        }
        self.exprs.len() as u32 - 1
    }
}
