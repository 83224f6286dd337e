//! Functions of lists.

use super::ast::AstId;
use super::check::{Built, Typing};
use crate::code::Code;
use crate::syntax::Span;
use treemind_core::{Expr, Type};

impl Typing<'_> {
    /// `contains(LIST, VALUE)`, `index(LIST, VALUE)` and `item(LIST, PLACE)`.
    pub(super) fn of_list(&mut self, name: &Span, args: &[AstId]) -> Built<Expr> {
        let word = self.fragment.text[name.clone()].to_owned();
        let (key, ty) = self.key_of(&word, args[0])?;
        if !self.scope.is_list(key) {
            let span = self.ast.nodes[args[0]].span.clone();
            let text = self.text(args[0]);
            let message = format!("`{word}` takes a list, but `{text}` is not a list");
            return self.refuse(Code::WrongType, &span, message);
        }
        let wanted = if word == "item" { Type::Int } else { ty };
        let inner = Box::new(self.build(args[1], wanted)?);
        Ok(match word.as_str() {
            "contains" => Expr::Contains(key, inner),
            "index" => Expr::Index(key, inner),
            _ => Expr::Item(key, ty, inner),
        })
    }
}
