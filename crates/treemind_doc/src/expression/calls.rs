//! Functions: their arguments and their results.

use super::ast::{AstId, AstKind};
use super::check::{Built, Typing};
use super::foreign;
use super::functions::{Function, functions};
use super::questions::Question;
use super::scope::{Foresight, KeyScope, SENDER};
use super::{func, of_texts};
use crate::code::Code;
use crate::diagnostic::Reported;
use crate::suggest;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
use treemind_core::expr::{Arith, Func, NamedCurve, TextFunc, VectorFunc};
use treemind_core::{Expr, KeyId, Type, Value};

impl Typing<'_> {
    pub(super) fn call(
        &mut self,
        id: AstId,
        name: &Span,
        args: &[AstId],
        want: Type,
    ) -> Built<Expr> {
        let word = &self.fragment.text[name.clone()];
        if let Some(question) = Question::named(word)
            && let ([arg], true) = (args, self.scope.asked.is_some())
        {
            let expr = self.question(question, *arg)?;
            return self.given_as(id, expr, want);
        }
        // A number needs nothing to be one, so it can be foreseen, too.
        if let Some((arg, ty)) = self.number_already(word, args) {
            let expr = self.build(arg, ty)?;
            return self.given_as(id, expr, want);
        }
        if self.scope.foresight != Foresight::None
            && let Some(why) = unforeseen(word)
        {
            let span = self.ast.nodes[id].span.clone();
            let message = said!("a planner cannot foresee `{}`, {}", word, why);
            let problem = self.error(Code::Unforeseen, &span, message);
            return Err(problem.with_help(match word {
                "contains" | "index" | "item" | "nearest" => said!("write what the planner has to know to a key before it thinks, with a sensor or `set`, and use the key here; `len` can be foreseen"),
                _ => said!("write it to a key before the planner thinks, with a sensor or `set`, and use the key here"),
            }));
        }
        let func = func(word);
        if word == "event" {
            let expr = self.event(id, args)?;
            return self.given_as(id, expr, want);
        }
        if let Some(measure) = self.scope.measure(word).cloned() {
            let expr = self.measured(id, name, measure, args)?;
            return self.given_as(id, expr, want);
        }
        if let Some(curve) = self.scope.curve(word).cloned() {
            let expr = self.on_curve(id, curve, args)?;
            return self.given_as(id, expr, want);
        }
        let known = functions().iter().find(|one| one.name() == word);
        let known = known.filter(|one| !one.is_only_for_tests());
        let Some(parameters) = known.map(Function::parameters) else {
            return Err(self.no_function(id, name, args));
        };
        let arity = parameters.len();
        if args.len() != arity {
            let given = args.len();
            let message = match arity {
                0 => said!("`{}` takes no arguments, not {}", word, given),
                1 => said!("`{}` takes 1 argument, not {}", word, given),
                arity => said!("`{}` takes {} arguments, not {}", word, arity, given),
            };
            let call = format!("{word}({})", parameters.join(", "));
            let span = self.ast.nodes[id].span.clone();
            let problem = self.error(Code::WrongArguments, &span, message);
            return Err(problem.with_help(said!("write `{}`", call)));
        }
        let expr = match word {
            "now" | "age" | "since_written" => self.time(name, args)?,
            "contains" | "index" | "item" | "nearest" => self.of_list(name, args)?,
            "has" => self.has(args[0])?,
            "len" => self.len(args[0])?,
            "free" => self.free(args[0])?,
            "me" => Expr::Me,
            "members" => Expr::Members,
            "alive" => Expr::Alive(Box::new(self.build(args[0], Type::Entity)?)),
            "length" => {
                let ty = self.vector_type(args[0])?;
                Expr::Length(Box::new(self.build(args[0], ty)?))
            }
            "distance" => {
                let (from, to) = self.two_vectors(args[0], args[1])?;
                Expr::Length(Box::new(Expr::Arith(Arith::Sub, from, to)))
            }
            "dot" => self.of_vectors(VectorFunc::Dot, args)?,
            "angle" => self.of_vectors(VectorFunc::Angle, args)?,
            "normalize" => self.of_vectors(VectorFunc::Normalize, args)?,
            "lerp" if self.natures[args[0]].vector().is_some() => {
                self.of_vectors(VectorFunc::Lerp, args)?
            }
            "vec2" | "vec3" => self.vector(args)?,
            "random" => self.random(id, args, want)?,
            _ => match (func, of_texts(word)) {
                (Some(func), _) => self.sum(id, func, args, want)?,
                (_, Some(func)) => self.of_texts(func, args)?,
                _ => return Err(self.no_function(id, name, args)),
            },
        };
        self.given_as(id, expr, want)
    }

    fn no_function(&mut self, id: AstId, name: &Span, args: &[AstId]) -> Reported {
        let word = &self.fragment.text[name.clone()];
        let everywhere = functions().iter().filter(|one| !one.is_only_for_tests());
        let curves: Vec<String> = self
            .scope
            .curves
            .iter()
            .map(|curve| curve.name.replace('-', "_"))
            .collect();
        let mut names: Vec<&str> = Vec::new();
        everywhere.for_each(|one| names.push(one.name()));
        names.extend(curves.iter().map(String::as_str));
        let measures = self.scope.measures.iter();
        let measures: Vec<String> = measures
            .map(|(_, leaf)| leaf.name.replace('-', "_"))
            .collect();
        names.extend(measures.iter().map(String::as_str));
        let names = names.into_iter();
        let near = |name: &str| suggest::nearest(word, [name]).is_some();
        let is_measure = measures.iter().any(|measure| near(measure));
        let args: Vec<String> = args.iter().map(|arg| self.text(*arg)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let habit = foreign::call(word, &args).filter(|_| !is_measure);
        let (help, span) = match Question::named(word) {
            Some(_) if self.scope.asked.is_some() => {
                (Some(said!("write `{}(NAME)`", word)), name.clone())
            }
            Some(_) => (
                Some(said!("only a `test` can ask `{}`", word)),
                name.clone(),
            ),
            // The whole call is said in another way.
            None if habit.is_some() => (habit, self.ast.nodes[id].span.clone()),
            None => {
                let help = suggest::among(word, said!("the functions"), names, || None);
                (help, name.clone())
            }
        };
        let message = said!("unknown function `{}`", shortened(word));
        let problem = self.error(Code::UnknownFunction, &span, message);
        problem.with_perhaps(help)
    }

    /// `NAME(x)`
    fn on_curve(&mut self, id: AstId, curve: NamedCurve, args: &[AstId]) -> Built<Expr> {
        let [x] = *args else {
            let message = said!(
                "the curve `{}` takes 1 argument, not {}",
                curve.name,
                args.len()
            );
            let span = self.ast.nodes[id].span.clone();
            return self.refuse(Code::WrongArguments, &span, message);
        };
        let x = self.build(x, Type::Double)?;
        Ok(Expr::Curve(Box::new(curve), Box::new(x)))
    }

    /// A function of numbers of one type.
    fn sum(&mut self, id: AstId, func: Func, args: &[AstId], want: Type) -> Built<Expr> {
        let ty = self.arithmetic_type(id, want)?;
        let ty = match ty {
            Type::Int if !func.takes_int() => Type::Double,
            ty => ty,
        };
        let built: Vec<Built<Expr>> = args.iter().map(|arg| self.build(*arg, ty)).collect();
        let args = built.into_iter().collect::<Built<Vec<Expr>>>()?;
        Ok(Expr::Call(func, args))
    }

    /// What `double(x)` and its kin are of, and their type, if that is a number of that type or one that becomes it.
    fn number_already(&self, word: &str, args: &[AstId]) -> Option<(AstId, Type)> {
        let [arg] = args else { return None };
        let (ty, fits): (_, &[Type]) = match word {
            "double" | "number" => (Type::Double, &[Type::Int, Type::Float, Type::Double]),
            "int" | "leading_int" => (Type::Int, &[Type::Int]),
            _ => return None,
        };
        let is_one = |of: Type| fits.contains(&of);
        let of = self.natures[*arg].settled().filter(|of| is_one(*of))?;
        Some((*arg, ty)).filter(|_| is_one(of))
    }

    fn of_texts(&mut self, func: TextFunc, args: &[AstId]) -> Built<Expr> {
        let built: Vec<Built<Expr>> = args.iter().map(|arg| self.build(*arg, Type::Any)).collect();
        let args = built.into_iter().collect::<Built<Vec<Expr>>>()?;
        Ok(Expr::OfTexts(func, args))
    }

    fn random(&mut self, id: AstId, args: &[AstId], want: Type) -> Built<Expr> {
        if self.scope.is_asked {
            let message =
                said!("`random` is not allowed in an expression that is evaluated repeatedly");
            let span = self.ast.nodes[id].span.clone();
            let problem = self.error(Code::RandomAsked, &span, message);
            return Err(problem.with_help(said!(
                "write the random number to a key with `set` first, and use the key here"
            )));
        }
        let ty = self.arithmetic_type(id, want)?;
        let (low, high) = self.both(args[0], args[1], ty)?;
        Ok(Expr::Random(low, high))
    }

    /// The key that a function takes.
    pub(super) fn key_of(&mut self, function: &str, arg: AstId) -> Built<(KeyId, Type)> {
        let AstKind::Name(name) = &self.ast.nodes[arg].kind else {
            let span = self.ast.nodes[arg].span.clone();
            let message = said!("`{}` takes a key, not a value", function);
            let problem = self.error(Code::WrongArguments, &span, message);
            return Err(problem.with_help(said!(
                "write only the name of a key: `{}(target)`",
                function
            )));
        };
        let word = &self.fragment.text[name.clone()];
        let found = self.scope.find(word);
        let (key, ty) = found.ok_or_else(|| self.unknown_name(name))?;
        Ok((self.scope.real(key), ty))
    }

    /// Whether an event is in the mailbox, `event(NAME)`, or what the first one says, `event(NAME, PARAMETER)`. The name
    /// has `_` for `-`.
    fn event(&mut self, id: AstId, args: &[AstId]) -> Built<Expr> {
        let span = self.ast.nodes[id].span.clone();
        let is_name = |id: &AstId| {
            matches!(
                self.ast.nodes[*id].kind,
                AstKind::Name(_) | AstKind::Part(..)
            )
        };
        if !(1..=2).contains(&args.len()) || !args.iter().all(is_name) {
            let message =
                said!("`event` takes the name of an event, and perhaps that of a parameter");
            let problem = self.error(Code::WrongArguments, &span, message);
            return Err(problem.with_help(said!("write `event(noise)` or `event(noise, volume)`")));
        }
        let said = |id: AstId| {
            self.fragment.text[self.ast.nodes[id].span.clone()]
                .trim()
                .to_owned()
        };
        let (word, part) = (said(args[0]), args.get(1).map(|part| said(*part)));
        let Some(event) = self.scope.event(&word) else {
            let known = self.scope.events.iter().map(|(_, leaf)| leaf.name.as_str());
            let help = suggest::among(&word, said!("the events"), known, || {
                Some(said!("declare it: `leaves { event NAME; }`"))
            });
            let message = said!("unknown event `{}`", shortened(&word));
            let span = self.ast.nodes[args[0]].span.clone();
            let problem = self.error(Code::UnknownLeaf, &span, message);
            return Err(problem.with_perhaps(help));
        };
        let Some((heard, ty)) = KeyScope::heard(event, part.as_deref()) else {
            let names = event.1.params.iter().map(|param| param.name.as_str());
            let part = part.unwrap_or_default();
            let help = suggest::among(
                &part,
                said!("its parameters"),
                names.chain([SENDER]),
                || None,
            );
            let message = said!("the event has no parameter `{}`", shortened(&part));
            let span = self.ast.nodes[args[1]].span.clone();
            let problem = self.error(Code::UnknownParameter, &span, message);
            return Err(problem.with_perhaps(help));
        };
        let name = event.1.name.replace('-', "_");
        let text = match part {
            None => format!("event({name})"),
            Some(part) => format!("event({name}, {part})"),
        };
        let key = self.scope.key_of_heard(heard, ty, text);
        Ok(Expr::Key(key, ty))
    }

    /// The number of free places of a semaphore, given its name with `_` for `-`.
    fn free(&mut self, arg: AstId) -> Built<Expr> {
        let span = self.ast.nodes[arg].span.clone();
        if self.scope.asked.is_some() {
            let message = said!("a condition of a test cannot ask `free`");
            let problem = self.error(Code::UnknownFunction, &span, message);
            return Err(problem.with_help(said!(
                "let the tree write it to a key, or test what the tree does because of it"
            )));
        }
        let AstKind::Name(name) = &self.ast.nodes[arg].kind else {
            let message = said!("`free` takes a semaphore, not a value");
            let problem = self.error(Code::WrongArguments, &span, message);
            return Err(
                problem.with_help(said!("write only the name of a semaphore: `free(door)`"))
            );
        };
        let word = self.fragment.text[name.clone()].to_owned();
        let semaphores = &mut self.scope.semaphores;
        let found = semaphores
            .take(&word)
            .or_else(|| semaphores.take(&word.replace('_', "-")));
        found.map(Expr::Free).ok_or_else(|| {
            let known = self.scope.semaphores.names();
            let help = suggest::did_you_mean(&word, known.iter().map(String::as_str), || None);
            let message = said!("unknown semaphore `{}`", shortened(&word));
            let problem = self.error(Code::UnknownKey, &span, message);
            problem.with_perhaps(help)
        })
    }

    fn has(&mut self, arg: AstId) -> Built<Expr> {
        let (key, _) = self.key_of("has", arg)?;
        if self.scope.form(key).can_be_unset() {
            return Ok(Expr::Has(key));
        }
        let span = self.fragment.span(&self.ast.nodes[arg].span);
        let message = said!(
            "`{}` always has a value: it is not optional",
            self.text(arg)
        );
        self.sink.warning(Code::AlwaysSo, span, message);
        Ok(Expr::Value(Value::Bool(true)))
    }

    fn len(&mut self, arg: AstId) -> Built<Expr> {
        let (key, ty) = self.key_of("len", arg)?;
        if self.scope.is_list(key) {
            return Ok(Expr::Len(key));
        }
        let span = self.ast.nodes[arg].span.clone();
        let message = said!("`len` takes a list, but `{}` is not a list", self.text(arg));
        let problem = self.error(Code::WrongType, &span, message);
        Err(match ty.parts() {
            Some(_) => problem.with_help(said!("use `length(…)` for the length of a vector")),
            None => problem.reported(),
        })
    }
}

/// Why a planner cannot foresee the value of a function, if it cannot.
fn unforeseen(function: &str) -> Option<Said> {
    Some(match function {
        "random" => said!("which is drawn anew each time"),
        "event" => said!("which depends on what other agents send"),
        "free" => said!("which depends on what other agents hold"),
        "alive" => said!("which depends on what becomes of other agents"),
        "members" => said!("which depends on who joins the group"),
        "now" | "age" | "since_written" => said!("which depends on when the step begins"),
        "contains" | "index" | "item" | "nearest" => said!("which asks for the items of a list"),
        "joined" | "text_order" | "likeness" | "spelled_alike" => {
            said!("which is about the letters of texts")
        }
        "int" | "double" | "number" | "leading_int" => {
            said!("which depends on what a value happens to be")
        }
        _ => return None,
    })
}
