//! `find`: the best of several candidates.

use super::keys;
use super::options::Arg;
use super::utility::{self, Policy, Score};
use super::{Access, Behaviour, KindPart, LeafKind};
use crate::expr::Expr;
use crate::ids::{KeyId, LeafId};
use crate::value::Type;

/// The largest number of candidates that a [`Kind::Find`](super::Kind::Find) looks at.
pub const MAX_CANDIDATES: u32 = 256;

/// Looks at candidates one after the other, and writes the best of them to a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// Where the candidates come from.
    pub from: FindFrom,
    /// The agent's own key that holds the candidate that is looked at.
    pub item: KeyId,
    /// What the host is asked about candidates: each before those that need it.
    pub measures: Vec<Measured>,
    /// `bool` expressions. A candidate for which one of them does not hold is out.
    pub keeps: Vec<Expr>,
    /// How good a candidate is; if it is not above 0, the candidate is out.
    pub score: Score,
    /// The key that the best candidate is written to; a list gets the best ones, as many as fit.
    pub into: KeyId,
    /// How many candidates it takes at most: 1 to [`MAX_CANDIDATES`].
    pub max: u32,
    /// How many it looks at in a tick, at least 1.
    pub per_tick: u32,
    /// Which candidate is chosen.
    pub policy: Policy,
}

/// Where candidates come from.
#[derive(Clone, Debug, PartialEq)]
pub enum FindFrom {
    /// The host lists them; one argument per parameter.
    Leaf(LeafId, Vec<Arg>),
    /// The items of a list.
    List(KeyId),
}

/// A number that the host computes for a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The measure.
    pub leaf: LeafId,
    /// One per parameter; the first is the candidate.
    pub args: Vec<Arg>,
    /// The agent's own `float` key that holds the number; expressions read it.
    pub key: KeyId,
}

impl Find {
    /// The measures that an expression needs, by their positions, each after those that it needs itself.
    pub fn needs(&self, exprs: &mut dyn Iterator<Item = &Expr>) -> Vec<usize> {
        let mut needed = vec![false; self.measures.len()];
        let mark = |expr: &Expr, needed: &mut Vec<bool>| {
            expr.for_each_key(&mut |key| {
                let place = self.measures.iter().position(|known| known.key == key);
                place.into_iter().for_each(|place| needed[place] = true);
            });
        };
        exprs.for_each(|expr| mark(expr, &mut needed));
        for place in (0..self.measures.len()).rev() {
            if needed[place] {
                let args = self.measures[place].args.iter().filter_map(Arg::expr);
                args.for_each(|expr| mark(expr, &mut needed));
            }
        }
        (0..needed.len()).filter(|place| needed[*place]).collect()
    }

    pub(super) fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        use KindPart as P;
        match &self.from {
            FindFrom::Leaf(leaf, args) => see(P::Leaf(*leaf, args)),
            FindFrom::List(list) => see(P::Key(*list, Access::Read)),
        }
        see(P::Key(self.item, Access::WriteOwn));
        for measured in &self.measures {
            see(P::Leaf(measured.leaf, &measured.args));
            see(P::Key(measured.key, Access::WriteOwn));
        }
        self.keeps
            .iter()
            .for_each(|keep| see(P::test(keep, Type::Bool)));
        see(P::Score(&self.score));
        see(P::Key(self.into, Access::Write));
    }
}

/// Checks what its parts do not say.
pub(super) fn check(behaviour: &Behaviour, find: &Find) -> Result<(), String> {
    let item = keys::find(behaviour, find.item)?;
    if item.form.is_list() {
        return Err(format!("`{}` is a list", item.name));
    }
    let listed = match &find.from {
        FindFrom::Leaf(leaf, _) => {
            let leaf = behaviour.leaves.get(leaf.index());
            match leaf.ok_or("a leaf that is not there")?.kind {
                LeafKind::Candidates { ty } => ty,
                _ => return Err("a leaf that lists no candidates".to_owned()),
            }
        }
        FindFrom::List(list) => {
            let list = keys::find(behaviour, *list)?;
            if !list.form.is_list() {
                return Err(format!("`{}` is not a list", list.name));
            }
            list.ty
        }
    };
    let into = keys::find(behaviour, find.into)?;
    if item.ty != listed || into.ty != listed {
        return Err("a key that cannot hold a candidate".to_owned());
    }
    if into.form.is_list() && find.policy != Policy::Highest {
        return Err("a list gets the best candidates".to_owned());
    }
    if !(1..=MAX_CANDIDATES).contains(&find.max) || find.per_tick == 0 {
        return Err("a number of candidates that cannot be".to_owned());
    }
    for (place, measured) in find.measures.iter().enumerate() {
        check_measure(behaviour, find, (place, measured))?;
    }
    utility::check(std::slice::from_ref(&find.score), find.policy)
}

fn check_measure(
    behaviour: &Behaviour,
    find: &Find,
    (place, measured): (usize, &Measured),
) -> Result<(), String> {
    let key = keys::find(behaviour, measured.key)?;
    if key.ty != Type::Float || key.form.is_list() {
        return Err(format!("`{}` cannot hold a measure", key.name));
    }
    let leaf = behaviour.leaves.get(measured.leaf.index());
    if leaf.ok_or("a leaf that is not there")?.kind != LeafKind::Measure {
        return Err("a leaf that measures nothing".to_owned());
    }
    match measured.args.first() {
        Some(Arg::Expr(Expr::Key(item, _))) if *item == find.item => {}
        _ => return Err("a measure of something else than the candidate".to_owned()),
    }
    let mut late = false;
    for expr in measured.args.iter().filter_map(Arg::expr) {
        late |= expr.draws();
        expr.for_each_key(&mut |key| {
            late |= find.measures[place..].iter().any(|later| later.key == key);
        });
    }
    if late {
        return Err("a measure that needs what is not known yet".to_owned());
    }
    Ok(())
}
