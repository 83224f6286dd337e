//! Functions of time.

use super::ast::AstId;
use super::check::{Built, Typing};
use crate::code::Code;
use crate::said;
use crate::syntax::Span;
use treemind_core::Expr;

impl Typing<'_> {
    /// `now()`, `age(KEY)` and `since_written(KEY)`.
    pub(super) fn time(&mut self, name: &Span, args: &[AstId]) -> Built<Expr> {
        let word = self.fragment.text[name.clone()].to_owned();
        if self.scope.asked.is_some() {
            let message = said!("a condition of a test cannot ask `{}`", word);
            let problem = self.error(Code::UnknownFunction, name, message);
            return Err(problem.with_help(said!(
                "let the tree write it to a key, or test what the tree does because of it"
            )));
        }
        let [arg] = *args else {
            return Ok(Expr::Now);
        };
        let (key, _) = self.key_of(&word, arg)?;
        if word == "since_written" {
            return Ok(Expr::SinceWritten(key));
        }
        if self.scope.is_list(key) {
            let span = self.ast.nodes[arg].span.clone();
            let message = said!(
                "`age` takes a single value, but `{}` is a list",
                self.text(arg)
            );
            let problem = self.error(Code::WrongType, &span, message);
            return Err(problem.with_help(said!("use `since_written(…)`: it takes lists, too")));
        }
        Ok(Expr::Age(key))
    }
}
