//! The code of `find`.

use super::{Context, Count, Lowering, RUNS};
use crate::behaviour::{Arg, Find, FindFrom};
use crate::blackboard::{Column, Holds, Label};
use crate::expr::Expr;
use crate::ids::NodeId;
use crate::program::op::{
    Asked, FindMemory, FindOp, FindSource, MeasureArg, MeasureOp, Op, Out, Reg, Slot,
};
use crate::value::Type;

impl Lowering<'_> {
    pub(super) fn find(
        &mut self,
        node: NodeId,
        find: &Find,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let from = match &find.from {
            FindFrom::Leaf(leaf, args) => FindSource::Leaf(*leaf, self.args(node, args)),
            FindFrom::List(list) => FindSource::List(*list),
        };
        let measures = find.measures.iter().map(|measured| MeasureOp {
            leaf: measured.leaf,
            key: measured.key,
            args: measured
                .args
                .iter()
                .map(|arg| self.measure_arg(node, arg))
                .collect(),
        });
        let measures = measures.collect();
        let keeps = find.keeps.iter().map(|keep| Asked {
            expr: self.expr(node, keep),
            needs: find.needs(&mut std::iter::once(keep)),
        });
        let keeps = keeps.collect();
        let score = Asked {
            expr: self.score(&find.score, 1),
            needs: find.needs(&mut find.score.exprs()),
        };
        let among = find.policy.among(find.max as usize) as u32;
        let ty = self.behaviour.key(find.item).ty;
        let memory = self.find_memory(find, ty, among);
        let draws = self.counter(node, Count::Draws);
        let slot = (find.per_tick < find.max).then(|| self.slot(Slot::Quiet, RUNS));
        let index = self.code.finds.len() as u32;
        self.code.finds.push(FindOp {
            node,
            from,
            item: find.item,
            ty,
            measures,
            keeps,
            score,
            into: find.into,
            max: find.max,
            per_tick: find.per_tick.min(find.max),
            among,
            draws,
            input,
            success: out.success,
            failure: out.failure,
            slot,
            reach: context.reach,
            memory,
        });
        self.code.ops.push(Op::Find(index));
    }

    fn measure_arg(&mut self, node: NodeId, arg: &Arg) -> MeasureArg {
        match arg {
            Arg::Value(value) => MeasureArg::Value(*value),
            Arg::Expr(expr) => MeasureArg::Expr(self.expr(node, expr), expr.ty()),
            Arg::Key(key) => {
                let ty = self.behaviour.key(*key).ty;
                MeasureArg::Expr(self.expr(node, &Expr::Key(*key, ty)), ty)
            }
        }
    }

    fn find_memory(&mut self, find: &Find, ty: Type, among: u32) -> FindMemory {
        let all_scores = among > 1 || self.behaviour.key(find.into).form.is_list();
        let run = &mut self.run;
        let mut number = |name| run.add_narrow(Holds::AtMost(find.max), Label::run(name));
        let [count, place, kept, best] =
            ["candidates", "looked_at", "kept", "best"].map(&mut number);
        FindMemory {
            count,
            place,
            kept,
            best,
            best_score: run.add_wide(Label::APART),
            items: run.add_items(ty, find.max, Label::APART),
            scores: all_scores.then(
                || match run.add_items(Type::Double, find.max, Label::APART) {
                    Column::Wide(first) => first,
                    _ => unreachable!("doubles are in wide columns"),
                },
            ),
        }
    }
}
