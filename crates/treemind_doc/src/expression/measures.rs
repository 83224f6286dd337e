//! Measures of candidates, which the expressions of a `find` call like functions.

use super::a_type;
use super::ast::{AstId, AstKind};
use super::check::{Built, Typing};
use super::scope::KeyScope;
use crate::code::Code;
use crate::said;
use crate::syntax::{Span, shortened};
use treemind_core::behaviour::{Arg, Key, Leaf, Measured};
use treemind_core::{Expr, KeyId, LeafId, Type};

/// The `find` whose expressions are being read.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The name of the candidate.
    pub(crate) item: String,
    pub(crate) key: KeyId,
    pub(crate) ty: Type,
    /// The measures that were called, so that each is asked once.
    pub(crate) measures: Vec<Measured>,
}

impl KeyScope {
    /// The measure that an expression names, with `_` for `-`.
    pub(super) fn measure(&self, name: &str) -> Option<&(LeafId, Leaf)> {
        let find = |name: &str| self.measures.iter().find(|(_, leaf)| leaf.name == name);
        find(name).or_else(|| find(&name.replace('_', "-")))
    }
}

impl Typing<'_> {
    /// `NAME(ITEM, …)`: the number that the host has computed for the candidate, which is in a key.
    pub(super) fn measured(
        &mut self,
        id: AstId,
        name: &Span,
        (leaf, measure): (LeafId, Leaf),
        given: &[AstId],
    ) -> Built<Expr> {
        let word = shortened(&measure.name);
        let span = self.ast.nodes[id].span.clone();
        let Some(finding) = &self.scope.finding else {
            let message = said!("only the block of a `find` can call the measure `{}`", word);
            let problem = self.error(Code::UnknownFunction, name, message);
            return Err(problem.with_help(said!(
                "outside of it, there is no candidate; a sensor computes a key for the agent"
            )));
        };
        let (item, key, ty) = (finding.item.clone(), finding.key, finding.ty);
        let is_item = |id: &AstId| match &self.ast.nodes[*id].kind {
            AstKind::Name(name) => self.fragment.text[name.clone()] == item,
            _ => false,
        };
        if !given.first().is_some_and(is_item) {
            let message = said!("the measure `{}` is one of the candidate `{}`", word, item);
            let problem = self.error(Code::WrongArguments, &span, message);
            return Err(problem.with_help(said!("write `{}({})`", word, item)));
        }
        let first = &measure.params[0];
        if first.ty != ty {
            let (measured, given) = (a_type(first.ty), a_type(ty));
            let message = said!(
                "`{}` measures {}, but `{}` is {}",
                word,
                measured,
                item,
                given
            );
            return self.refuse(Code::WrongType, &span, message);
        }
        let params = &measure.params[1..];
        let others = &given[1..];
        let least = params.iter().rposition(|param| param.default.is_none());
        let least = least.map_or(0, |last| last + 1);
        if !(least..=params.len()).contains(&others.len()) {
            let given = others.len();
            let message = match params.len() {
                0 => said!(
                    "`{}` takes no arguments after the candidate, not {}",
                    word,
                    given
                ),
                most if least == most => {
                    said!(
                        "`{}` takes {} after the candidate, not {}",
                        word,
                        most,
                        given
                    )
                }
                most => said!(
                    "`{}` takes {} to {} after the candidate, not {}",
                    word,
                    least,
                    most,
                    given
                ),
            };
            return self.refuse(Code::WrongArguments, &span, message);
        }
        let mut args = vec![Arg::Expr(Expr::Key(key, ty))];
        for (place, param) in params.iter().enumerate() {
            args.push(match (others.get(place), param.default) {
                (Some(id), _) => match self.build(*id, param.ty)? {
                    Expr::Value(value) => Arg::Value(value),
                    expr => Arg::Expr(expr),
                },
                (None, Some(value)) => Arg::Value(value),
                (None, None) => return self.refuse(Code::WrongArguments, &span, word.into()),
            });
        }
        Ok(Expr::Key(
            self.key_of_measure(leaf, &measure.name, args, others),
            Type::Float,
        ))
    }

    /// The key that holds a measure; the same for equal arguments.
    fn key_of_measure(
        &mut self,
        leaf: LeafId,
        name: &str,
        args: Vec<Arg>,
        others: &[AstId],
    ) -> KeyId {
        let said: Vec<String> = others.iter().map(|id| self.text(*id)).collect();
        let known = |one: &&Measured| one.leaf == leaf && one.args == args;
        let finding = self.scope.finding.as_ref();
        if let Some(one) = finding.and_then(|finding| finding.measures.iter().find(known)) {
            return one.key;
        }
        let item = finding.map_or("", |finding| {
            self.scope.keys[finding.key.index()].name.as_str()
        });
        let said = [&[item.to_owned()], &said[..]].concat().join(", ");
        let called = format!("{}({said})", name.replace('-', "_"));
        // Different arguments may be written in the same way.
        let mut full = called.clone();
        let mut number = 2;
        while self.scope.keys.iter().any(|key| key.name == full) {
            full = format!("{called}-{number}");
            number += 1;
        }
        let key = self.scope.add_key(Key::new(full, Type::Float.zero()));
        if let Some(finding) = &mut self.scope.finding {
            finding.measures.push(Measured { leaf, args, key });
        }
        key
    }
}
