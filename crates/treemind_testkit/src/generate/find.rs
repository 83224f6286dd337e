//! Random `find`s.

use super::trees::TreeMaker;
use std::ops::Range;
use treemind_core::behaviour::{
    Arg, Find, FindFrom, Form, Key, LeafKind, Measured, Policy, Score, Scoring,
};
use treemind_core::expr::Compare;
use treemind_core::{Expr, KeyId, Kind, LeafId, Type, Value};

/// The numbers of leaves that list candidates, and of those that measure them.
pub(super) const CANDIDATES: Range<usize> = 24..27;
pub(super) const MEASURES: Range<usize> = 27..32;

/// The types of candidates, by the number of their leaf or measure.
pub(super) fn candidate_type(leaf: usize) -> Type {
    [Type::Vec2, Type::Entity, Type::Vec3][leaf % 3]
}

/// What the leaves are.
pub(super) fn find_leaves() -> impl Iterator<Item = (String, LeafKind)> {
    let listing = CANDIDATES.map(|index| {
        let ty = candidate_type(index);
        (format!("spots{index}"), LeafKind::Candidates { ty })
    });
    let measuring = MEASURES.map(|index| (format!("measure{index}"), LeafKind::Measure));
    listing.chain(measuring)
}

impl TreeMaker<'_> {
    pub(super) fn find(&mut self) -> Kind {
        let list = self.exprs.some_key(|key| key.form.is_list());
        let list = list.filter(|_| self.percent(35));
        let (from, ty) = match list {
            Some(list) => (FindFrom::List(list), self.exprs.keys[list.index()].ty),
            None => {
                let (leaf, args) = self.use_of(CANDIDATES.start, CANDIDATES.end);
                (FindFrom::Leaf(leaf, args), candidate_type(leaf.index()))
            }
        };
        let is_target = |key: &Key| key.ty == ty && !key.is_computed();
        let Some(into) = self.exprs.some_key(is_target) else {
            return Kind::Fail;
        };
        let item = self.own_key(ty);
        let measures = self.measures(item, ty);
        let keeps = (0..self.exprs.random.weighted(&[3, 4, 2]))
            .map(|_| self.keep((item, ty), &measures))
            .collect();
        let score = self.score_of(item, ty, &measures);
        let is_list = matches!(self.exprs.keys[into.index()].form, Form::List { .. });
        let policy = match self.exprs.random.weighted(&[4, 2, 1, 2]) {
            _ if is_list => Policy::Highest,
            0 => Policy::Highest,
            1 => Policy::WeightedRandom,
            2 => Policy::Top(1),
            _ => Policy::Top(3),
        };
        Kind::Find(Box::new(Find {
            from,
            item,
            measures,
            keeps,
            score,
            into,
            max: *self.exprs.random.pick(&[1, 2, 4, 10, 64]),
            per_tick: *self.exprs.random.pick(&[1, 2, 3, 64]),
            policy,
        }))
    }

    /// A key that only this node uses.
    fn own_key(&mut self, ty: Type) -> KeyId {
        let id = self.exprs.keys.len() + self.own_keys.len();
        self.own_keys.push(Key {
            ty,
            ..Key::new(format!("own_{id}"), ty.zero())
        });
        KeyId::new(id)
    }

    fn measures(&mut self, item: KeyId, ty: Type) -> Vec<Measured> {
        let mut measures: Vec<Measured> = Vec::new();
        for index in MEASURES {
            if candidate_type(index) != ty || self.percent(30) {
                continue;
            }
            let params = &self.leaves[index].params;
            let mut args = vec![Arg::Expr(Expr::Key(item, ty))];
            for param in &params[1..] {
                let known = measures.last().map(|one| Expr::Key(one.key, Type::Float));
                args.push(match known {
                    Some(known) if param.ty == Type::Float => Arg::Expr(known),
                    _ if param.ty == ty => Arg::Expr(Expr::Key(item, ty)),
                    _ if self.percent(50) => Arg::Value(self.exprs.value(param.ty)),
                    _ => {
                        let ty = param.ty;
                        Arg::Expr(self.without_draws(|exprs| exprs.expr(ty, 2)))
                    }
                });
            }
            let key = self.own_key(Type::Float);
            measures.push(Measured {
                leaf: LeafId::new(index),
                args,
                key,
            });
        }
        measures
    }

    fn keep(&mut self, (item, ty): (KeyId, Type), measures: &[Measured]) -> Expr {
        let number = match self.exprs.random.weighted(&[4, 3, 2]) {
            0 if !measures.is_empty() => {
                let one = self.below(measures.len());
                Some(Expr::Key(measures[one].key, Type::Float))
            }
            0 | 1 => about(item, ty),
            _ => None,
        };
        let Some(number) = number else {
            return self.without_draws(|exprs| exprs.expr(Type::Bool, 2));
        };
        let op = *self
            .exprs
            .random
            .pick(&[Compare::Lt, Compare::Gt, Compare::Ne]);
        let bound = *self.exprs.random.pick(&[0.2, 0.5, 0.9]);
        let bound = Expr::Value(Value::Float(bound));
        let test = Expr::Compare(op, Box::new(number), Box::new(bound));
        match self.percent(25) {
            true => {
                let other = self.without_draws(|exprs| exprs.expr(Type::Bool, 1));
                Expr::Or(Box::new(other), Box::new(test))
            }
            false => test,
        }
    }

    /// Mostly one that depends on the candidate.
    fn score_of(&mut self, item: KeyId, ty: Type, measures: &[Measured]) -> Score {
        let widened = |expr: Expr| Expr::Widen(Type::Double, Box::new(expr));
        let of = match measures.last() {
            Some(one) if self.percent(60) => Some(Expr::Key(one.key, Type::Float)),
            _ => about(item, ty),
        };
        match of {
            Some(of) if self.percent(75) => {
                let mut score = self.score();
                if let Scoring::Combined(_, considered) = &mut score.made {
                    considered[0].of = widened(of);
                } else {
                    score.made = Scoring::Expr(widened(of));
                }
                score
            }
            _ => self.score(),
        }
    }
}

/// A number that depends on a candidate.
fn about(item: KeyId, ty: Type) -> Option<Expr> {
    ty.parts()?;
    Some(Expr::Length(Box::new(Expr::Key(item, ty))))
}
