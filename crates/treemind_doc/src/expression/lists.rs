//! Functions of lists.

use super::a_type;
use super::ast::{AstId, Statement};
use super::check::{Built, Typing};
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::said;
use crate::syntax::{Span, shortened};
use treemind_core::expr::{Arith, Assign, Change};
use treemind_core::{Expr, KeyId, Type};

impl Typing<'_> {
    /// `list += value` and `list -= value`.
    pub(super) fn list_changed(
        &mut self,
        statement: &Statement,
        key: KeyId,
        ty: Type,
    ) -> Built<Assign> {
        let change = match (statement.op, &statement.part) {
            (Some(Arith::Add), None) => Change::Add,
            (Some(Arith::Sub), None) => Change::Remove,
            _ => {
                let name = shortened(&self.fragment.text[statement.key.clone()]);
                let message = said!("a statement cannot set `{}`, which is a list", name);
                let problem = self.error(Code::WrongType, &statement.key, message);
                return Err(problem.with_help(said!("use `{} += …` to add an item, `{} -= …` to remove one, and `unset {}` to remove all", name, name, name)));
            }
        };
        let value = self.build(statement.value, ty)?;
        let value = self.shallow_enough(statement.value, value)?;
        Ok(Assign { key, change, value })
    }

    /// `contains(LIST, VALUE)`, `index(LIST, VALUE)`, `item(LIST, PLACE)` and `nearest(LIST, VALUE)`.
    pub(super) fn of_list(&mut self, name: &Span, args: &[AstId]) -> Built<Expr> {
        let word = self.fragment.text[name.clone()].to_owned();
        let (key, ty) = self.key_of(&word, args[0])?;
        if !self.scope.is_list(key) {
            let span = self.ast.nodes[args[0]].span.clone();
            let text = self.text(args[0]);
            let message = said!("`{}` takes a list, but `{}` is not a list", word, text);
            return self.refuse(Code::WrongType, &span, message);
        }
        if word == "nearest" && !ty.is_number() && ty.parts().is_none() {
            let span = self.ast.nodes[args[0]].span.clone();
            let text = self.text(args[0]);
            let message = said!(
                "`nearest` takes a list of numbers or vectors, but an item of `{}` is {}",
                text,
                a_type(ty)
            );
            return self.refuse(Code::WrongType, &span, message);
        }
        if word == "item"
            && let Some(of @ (Type::Float | Type::Double)) = self.natures[args[1]].settled()
        {
            let span = self.ast.nodes[args[1]].span.clone();
            let text = self.text(args[1]);
            let message = said!(
                "expected {}, but `{}` is {}",
                a_type(Type::Int),
                text,
                a_type(of)
            );
            let problem = self.error(Code::WrongType, &span, message);
            return Err(problem.with_help(said!(
                "items have whole numbers, from 0: write one, a key of type `int`, or `int(round(…))`"
            )));
        }
        let wanted = if word == "item" { Type::Int } else { ty };
        let inner = Box::new(self.build(args[1], wanted)?);
        Ok(match word.as_str() {
            "contains" => Expr::Contains(key, inner),
            "index" => Expr::Index(key, inner),
            "nearest" => Expr::Nearest(key, ty, inner),
            _ => Expr::Item(key, ty, inner),
        })
    }

    /// Reports a list where one value is required.
    pub(super) fn no_single(&mut self, name: &Span) -> Reported {
        let word = shortened(&self.fragment.text[name.clone()]);
        let message = said!("expected a single value, but `{}` is a list", word);
        self.error(Code::WrongType, name, message).with_help(said!(
            "use `len({})` for the number of items, `has({})` to ask whether there are any, or `for-each` to go through them",
            word,
            word
        ))
    }
}
