//! Functions: what they take, and what they give.

use super::ast::{AstId, AstKind};
use super::check::Typing;
use super::func;
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Span, shortened};
use treemind_core::expr::{Arith, Func};
use treemind_core::{Expr, KeyId, Type, Value};

/// The functions that are more than sums of numbers, and how many arguments they take.
const SPECIAL: [(&str, usize); 8] = [
    ("length", 1),
    ("distance", 2),
    ("vec2", 2),
    ("vec3", 3),
    ("has", 1),
    ("len", 1),
    ("random", 2),
    ("free", 1),
];

impl Typing<'_> {
    pub(super) fn call(
        &mut self,
        id: AstId,
        name: &Span,
        args: &[AstId],
        want: Type,
    ) -> Option<Expr> {
        let word = &self.fragment.text[name.clone()];
        let special = SPECIAL.iter().find(|(name, _)| *name == word);
        let arity = match (special, func(word)) {
            (Some((_, arity)), _) => *arity,
            (None, Some(func)) => func.arity(),
            (None, None) => {
                self.no_function(name);
                return None;
            }
        };
        if args.len() != arity {
            let plural = if arity == 1 { "" } else { "s" };
            let message = format!(
                "`{word}` takes {arity} argument{plural}, not {}",
                args.len()
            );
            let span = self.ast.nodes[id].span.clone();
            self.error(Code::WrongArguments, &span, message);
            return None;
        }
        let expr = match word {
            "has" => self.has(args[0])?,
            "len" => self.len(args[0])?,
            "free" => self.free(args[0])?,
            "length" => {
                let ty = self.vector_type(args[0])?;
                Expr::Length(Box::new(self.build(args[0], ty)?))
            }
            "distance" => {
                let from = self.vector_type(args[0]);
                let to = self.vector_type(args[1]);
                let (from, to) = (from?, to?);
                if from != to {
                    self.different_vectors(args[0], args[1]);
                    return None;
                }
                let (from, to) = self.both(args[0], args[1], from)?;
                Expr::Length(Box::new(Expr::Arith(Arith::Sub, from, to)))
            }
            "vec2" | "vec3" => self.vector(args)?,
            "random" => self.random(id, args, want)?,
            _ => self.sum(id, func(word)?, args, want)?,
        };
        self.given_as(id, expr, want)
    }

    fn no_function(&mut self, name: &Span) {
        let word = &self.fragment.text[name.clone()];
        let special = SPECIAL.iter().map(|(name, _)| *name);
        let names = Func::ALL.iter().map(|func| func.name()).chain(special);
        let help = suggest::did_you_mean(word, names.clone(), || {
            Some(format!("the functions are {}", suggest::listed(names)))
        });
        let message = format!("no function is named `{}`", shortened(word));
        self.error(Code::UnknownFunction, name, message).help = help;
    }

    /// A function of numbers of one type.
    fn sum(&mut self, id: AstId, func: Func, args: &[AstId], want: Type) -> Option<Expr> {
        let ty = self.arithmetic_type(id, want)?;
        let ty = match ty {
            Type::Int if !func.takes_int() => Type::Double,
            ty => ty,
        };
        let built: Vec<Option<Expr>> = args.iter().map(|arg| self.build(*arg, ty)).collect();
        let args = built.into_iter().collect::<Option<Vec<Expr>>>()?;
        Some(Expr::Call(func, args))
    }

    fn random(&mut self, id: AstId, args: &[AstId], want: Type) -> Option<Expr> {
        if self.scope.is_asked {
            let message = "`random` cannot stand where something is asked again and again";
            let span = self.ast.nodes[id].span.clone();
            self.error(Code::RandomAsked, &span, message.to_owned())
                .with_help("draw into a key first, with `set`, and ask about that");
            return None;
        }
        let ty = self.arithmetic_type(id, want)?;
        let (low, high) = self.both(args[0], args[1], ty)?;
        Some(Expr::Random(low, high))
    }

    /// The key that a function asks about.
    fn key_of(&mut self, function: &str, arg: AstId) -> Option<(KeyId, Type)> {
        let AstKind::Name(name) = &self.ast.nodes[arg].kind else {
            let span = self.ast.nodes[arg].span.clone();
            let message = format!("`{function}` asks about a key, not about a value");
            self.error(Code::WrongArguments, &span, message)
                .with_help(format!(
                    "write the name of a key alone: `{function}(target)`"
                ));
            return None;
        };
        let found = self.scope.read_key(&self.fragment.text[name.clone()]);
        if found.is_none() {
            self.unknown_name(name);
        }
        found
    }

    /// The free places of a semaphore: its name, with `_` for `-`.
    fn free(&mut self, arg: AstId) -> Option<Expr> {
        let span = self.ast.nodes[arg].span.clone();
        let AstKind::Name(name) = &self.ast.nodes[arg].kind else {
            let message = "`free` asks about a semaphore, not about a value";
            self.error(Code::WrongArguments, &span, message.to_owned())
                .with_help("write the name of a semaphore alone: `free(door)`");
            return None;
        };
        let word = self.fragment.text[name.clone()].to_owned();
        let semaphores = &mut self.scope.semaphores;
        let found = semaphores
            .take(&word)
            .or_else(|| semaphores.take(&word.replace('_', "-")));
        if found.is_none() {
            let known = self.scope.semaphores.names();
            let help = suggest::did_you_mean(&word, known.iter().map(String::as_str), || None);
            let message = format!("no semaphore is named `{}`", shortened(&word));
            self.error(Code::UnknownKey, &span, message).help = help;
        }
        found.map(Expr::Free)
    }

    fn has(&mut self, arg: AstId) -> Option<Expr> {
        let (key, _) = self.key_of("has", arg)?;
        if self.scope.form(key).can_be_unset() {
            return Some(Expr::Has(key));
        }
        let span = self.fragment.span(&self.ast.nodes[arg].span);
        let message = format!(
            "`{}` always has a value: it is not optional",
            self.text(arg)
        );
        self.sink.warning(Code::AlwaysSo, span, message);
        Some(Expr::Value(Value::Bool(true)))
    }

    fn len(&mut self, arg: AstId) -> Option<Expr> {
        let (key, ty) = self.key_of("len", arg)?;
        if self.scope.is_list(key) {
            return Some(Expr::Len(key));
        }
        let span = self.ast.nodes[arg].span.clone();
        let message = format!(
            "`len` counts the items of a list, and `{}` is none",
            self.text(arg)
        );
        let diagnostic = self.error(Code::WrongType, &span, message);
        if ty.parts().is_some() {
            diagnostic.with_help("how long a vector is says `length(…)`");
        }
        None
    }
}
