//! What variables hold, found out from what is assigned to them, and scripts as expressions over them.

use super::Trouble;
use super::script::{Binary, Script, What};
use crate::code::Code;
use crate::suggest;
use crate::syntax::{Span, shortened};
use std::collections::{BTreeSet, HashMap};
use treemind_core::behaviour::{Form, Key, StateIndex};
use treemind_core::expr::{Arith, Compare, Func};
use treemind_core::{Expr, KeyId, Text, Type, Value};

/// What stands for parts of an event that it does not have: no document writes an entity.
pub(super) const NOTHING: Value = Value::Entity(0);

/// The greatest power that is written out.
const MAX_POWER: i64 = 8;

/// A variable of the data model.
#[derive(Debug)]
struct Variable {
    name: String,
    /// What it holds; nothing is known as long as nothing is assigned.
    ty: Option<Type>,
    /// Whether nothing is in it at the start.
    is_optional: bool,
}

/// Everything that scripts can speak of.
#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    by_name: HashMap<String, usize>,
    /// The parts of events that are read, in the order of their keys behind those of the variables.
    fields: Vec<String>,
    states: HashMap<String, StateIndex>,
    /// The name of the machine.
    name: String,
}

impl Scope {
    pub(super) fn new(
        name: &str,
        fields: &BTreeSet<String>,
        states: HashMap<String, StateIndex>,
    ) -> Self {
        Self {
            fields: fields.iter().cloned().collect(),
            states,
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Declares a variable. Answers whether the name is new.
    pub(super) fn declare(&mut self, name: &str, is_optional: bool) -> bool {
        let index = self.variables.len();
        if self.by_name.contains_key(name) {
            return false;
        }
        self.by_name.insert(name.to_owned(), index);
        self.variables.push(Variable {
            name: name.to_owned(),
            ty: None,
            is_optional,
        });
        true
    }

    /// The keys: those of the variables, then those of the event's parts.
    pub(super) fn keys(&self) -> Vec<Key> {
        let variables = self.variables.iter().map(|variable| {
            let ty = variable.ty.unwrap_or(Type::Int);
            Key {
                form: match variable.is_optional {
                    true => Form::Optional { starts_set: false },
                    false => Form::One,
                },
                ty,
                ..Key::new(&variable.name, ty.zero())
            }
        });
        let fields = self.fields.iter().map(|field| {
            let ty = field_type(field);
            Key {
                ty,
                ..Key::new(format!("_event.{field}"), field_default(field))
            }
        });
        variables.chain(fields).collect()
    }

    /// The keys of the parts of events.
    pub(super) fn field_keys(&self) -> Vec<KeyId> {
        (0..self.fields.len())
            .map(|field| self.field_key(field))
            .collect()
    }

    fn field_key(&self, field: usize) -> KeyId {
        KeyId::new(self.variables.len() + field)
    }

    /// The key of a variable, and whether it may be unset.
    pub(super) fn variable(&self, name: &str, span: &Span) -> Result<(KeyId, Type, bool), Trouble> {
        match self.by_name.get(name) {
            Some(&index) => {
                let variable = &self.variables[index];
                let ty = variable.ty.unwrap_or(Type::Int);
                Ok((KeyId::new(index), ty, variable.is_optional))
            }
            None => {
                let known = self.variables.iter().map(|variable| variable.name.as_str());
                let message = format!("no variable is named `{}`", shortened(name));
                let help = suggest::did_you_mean(name, known, || {
                    Some(format!("declare it: `<data id=\"{}\"/>`", shortened(name)))
                });
                let mut trouble = Trouble::new(Code::UnknownKey, span.clone(), message);
                trouble.help = help;
                Err(trouble)
            }
        }
    }

    /// Learns from all assignments what the variables hold.
    pub(super) fn learn(&mut self, assignments: &[(&str, &Script)]) {
        // Each round that changes something raises the type of at least one variable, which happens twice at most.
        loop {
            let mut changes = false;
            for (name, script) in assignments {
                let Some(&index) = self.by_name.get(*name) else {
                    continue;
                };
                if let What::Nothing = script.what {
                    changes |= !self.variables[index].is_optional;
                    self.variables[index].is_optional = true;
                    continue;
                }
                let Some(ty) = self.type_of(script) else {
                    continue;
                };
                let joined = self.variables[index].ty.map_or(ty, |known| join(known, ty));
                changes |= self.variables[index].ty != Some(joined);
                self.variables[index].ty = Some(joined);
            }
            if !changes {
                return;
            }
        }
    }

    /// The type of a script as far as it is known.
    fn type_of(&self, script: &Script) -> Option<Type> {
        Some(match &script.what {
            What::Int(_) => Type::Int,
            What::Double(_) => Type::Double,
            What::Text(_) | What::Typeof(_) => Type::Text,
            What::Bool(_) | What::In(_) | What::IsThere(_) | What::Not(_) => Type::Bool,
            What::Nothing => return None,
            What::Name(name) if name == "_name" => Type::Text,
            What::Name(name) => return self.variables[*self.by_name.get(name)?].ty,
            What::Event(field) => field_type(field),
            What::Neg(inner) => self.type_of(inner)?,
            What::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Rem, left, right) => {
                match (self.type_of(left), self.type_of(right)) {
                    (Some(left), Some(right)) => join(left, right),
                    (one, other) => one.or(other)?,
                }
            }
            What::Binary(Binary::Div, ..) => Type::Double,
            What::Binary(..) => Type::Bool,
            What::Choice(_, then, other) => match (self.type_of(then), self.type_of(other)) {
                (Some(then), Some(other)) => join(then, other),
                (one, other) => one.or(other)?,
            },
            What::Math(name, args) => match name.as_str() {
                "pow" | "abs" | "min" | "max" => {
                    let mut types = args.iter().filter_map(|arg| self.type_of(arg));
                    let first = types.next()?;
                    types.fold(first, join)
                }
                _ => Type::Double,
            },
        })
    }

    /// A script as an expression of a type that it converts to.
    pub(super) fn lower_as(&self, script: &Script, wanted: Type) -> Result<Expr, Trouble> {
        let expr = self.lower(script)?;
        let ty = expr.ty();
        expr.widened(wanted).ok_or_else(|| {
            let message = format!("this is `{ty}`, where `{wanted}` is wanted");
            Trouble::new(Code::WrongType, script.span.clone(), message)
        })
    }

    /// Whether a script holds: what is not 0, not empty and there.
    pub(super) fn test(&self, script: &Script) -> Result<Expr, Trouble> {
        if let What::Name(name) = &script.what
            && name != "_name"
        {
            let (key, ty, is_optional) = self.variable(name, &script.span)?;
            let holds = truth(Expr::Key(key, ty));
            return Ok(if is_optional {
                Expr::And(Expr::Has(key).into(), holds.into())
            } else {
                holds
            });
        }
        Ok(truth(self.lower(script)?))
    }

    fn lower(&self, script: &Script) -> Result<Expr, Trouble> {
        let span = &script.span;
        Ok(match &script.what {
            What::Int(int) => Expr::Value(Value::Int(*int)),
            What::Double(double) => Expr::Value(Value::Double(*double)),
            What::Text(text) => Expr::Value(Value::Text(Text::new(text))),
            What::Bool(truth) => Expr::Value(Value::Bool(*truth)),
            What::Nothing => {
                let message = "`undefined` is only compared, or assigned as a whole";
                return Err(Trouble::new(Code::WrongType, span.clone(), message));
            }
            What::Typeof(_) => {
                let message = "`typeof` is only compared with `'undefined'`";
                return Err(Trouble::new(Code::NotYet, span.clone(), message));
            }
            What::Name(name) if name == "_name" => Expr::Value(Value::Text(Text::new(&self.name))),
            What::Name(name) => {
                let (key, ty, _) = self.variable(name, span)?;
                Expr::Key(key, ty)
            }
            What::Event(field) => self.field(field),
            What::In(state) => Expr::Active(self.state(state, span)?),
            What::IsThere(asked) => match &asked.what {
                What::Event(field) => {
                    let nothing = Expr::Value(NOTHING).widened(field_type(field));
                    match nothing {
                        Some(nothing) => compare(Compare::Ne, self.field(field), nothing),
                        None => Expr::Value(Value::Bool(true)),
                    }
                }
                What::Name(name) => Expr::Has(self.variable(name, &asked.span)?.0),
                _ => unreachable!("nothing else is asked for"),
            },
            What::Not(inner) => Expr::Not(self.test(inner)?.into()),
            What::Neg(inner) => Expr::Neg(self.number(inner)?.into()),
            What::Binary(Binary::And, left, right) => {
                Expr::And(self.test(left)?.into(), self.test(right)?.into())
            }
            What::Binary(Binary::Or, left, right) => {
                Expr::Or(self.test(left)?.into(), self.test(right)?.into())
            }
            What::Binary(Binary::Eq, left, right) => self.same(left, right, span)?,
            What::Binary(Binary::Ne, left, right) => {
                Expr::Not(self.same(left, right, span)?.into())
            }
            What::Binary(operator, left, right) => self.of_numbers(*operator, left, right)?,
            What::Choice(test, then, other) => {
                let test = self.test(test)?;
                let (then, other) = self.alike(then, other, span)?;
                Expr::If(test.into(), then.into(), other.into())
            }
            What::Math(name, args) => self.math(name, args, span)?,
        })
    }

    fn field(&self, field: &str) -> Expr {
        let mut fields = self.fields.iter();
        let index = fields.position(|known| known == field);
        let index = index.expect("all parts that are read were found before");
        Expr::Key(self.field_key(index), field_type(field))
    }

    fn state(&self, id: &str, span: &Span) -> Result<StateIndex, Trouble> {
        self.states.get(id).copied().ok_or_else(|| {
            let message = format!("no state has the id `{}`", shortened(id));
            let mut trouble = Trouble::new(Code::UnknownState, span.clone(), message);
            let known = self.states.keys().map(String::as_str);
            trouble.help = suggest::did_you_mean(id, known, || None);
            trouble
        })
    }

    fn number(&self, script: &Script) -> Result<Expr, Trouble> {
        let expr = self.lower(script)?;
        if expr.ty().is_number() {
            return Ok(expr);
        }
        let message = match expr.ty() {
            Type::Any => "it is not known beforehand that this is a number".to_owned(),
            ty => format!("this is `{ty}`, where a number is wanted"),
        };
        Err(Trouble::new(Code::WrongType, script.span.clone(), message))
    }

    /// Both sides with the type that they have in common.
    fn alike(&self, left: &Script, right: &Script, span: &Span) -> Result<(Expr, Expr), Trouble> {
        let (left, right) = (self.lower(left)?, self.lower(right)?);
        let (one, other) = (left.ty(), right.ty());
        let wanted = join(one, other);
        if wanted == Type::Any && one != Type::Any && other != Type::Any {
            let message = format!("`{one}` and `{other}` are never the same");
            return Err(Trouble::new(Code::WrongType, span.clone(), message));
        }
        match (left.widened(wanted), right.widened(wanted)) {
            (Some(left), Some(right)) => Ok((left, right)),
            _ => unreachable!("what is joined widens to it"),
        }
    }

    fn same(&self, left: &Script, right: &Script, span: &Span) -> Result<Expr, Trouble> {
        let (one, other) = self.alike(left, right, span)?;
        let mut same = compare(Compare::Eq, one, other);
        // What is unset is the same as nothing that is set.
        for side in [left, right] {
            if let What::Name(name) = &side.what
                && name != "_name"
                && let (key, _, true) = self.variable(name, &side.span)?
            {
                same = Expr::And(Expr::Has(key).into(), same.into());
            }
        }
        Ok(same)
    }

    fn of_numbers(&self, operator: Binary, left: &Script, right: &Script) -> Result<Expr, Trouble> {
        if operator == Binary::Add {
            for side in [left, right] {
                if self.type_of(side) == Some(Type::Text) {
                    let message = "texts cannot be put together";
                    return Err(Trouble::new(Code::NotYet, side.span.clone(), message));
                }
            }
        }
        let (left, right) = (self.number(left)?, self.number(right)?);
        // A division of whole numbers gives what is not whole.
        let wanted = match operator {
            Binary::Div => Type::Double,
            _ => join(left.ty(), right.ty()),
        };
        let widened = |expr: Expr| expr.widened(wanted).expect("numbers widen");
        let (left, right) = (widened(left), widened(right));
        let arith = |op, left: Expr, right: Expr| Expr::Arith(op, left.into(), right.into());
        Ok(match operator {
            Binary::Add => arith(Arith::Add, left, right),
            Binary::Sub => arith(Arith::Sub, left, right),
            Binary::Mul => arith(Arith::Mul, left, right),
            Binary::Div => arith(Arith::Div, left, right),
            Binary::Rem => arith(Arith::Rem, left, right),
            Binary::Lt => compare(Compare::Lt, left, right),
            Binary::Le => compare(Compare::Le, left, right),
            Binary::Gt => compare(Compare::Gt, left, right),
            Binary::Ge => compare(Compare::Ge, left, right),
            Binary::Or | Binary::And | Binary::Eq | Binary::Ne => {
                unreachable!("is lowered elsewhere")
            }
        })
    }

    fn math(&self, name: &str, args: &[Script], span: &Span) -> Result<Expr, Trouble> {
        let known = ["abs", "ceil", "floor", "max", "min", "pow", "sqrt"];
        let func = match name {
            "pow" => return self.power(args, span),
            "abs" => Func::Abs,
            "min" => Func::Min,
            "max" => Func::Max,
            "floor" => Func::Floor,
            "ceil" => Func::Ceil,
            "sqrt" => Func::Sqrt,
            _ => {
                let message = format!("`Math.{}` is not read", shortened(name));
                let mut trouble = Trouble::new(Code::UnknownFunction, span.clone(), message);
                trouble.help = suggest::did_you_mean(name, known, || {
                    Some(format!("the functions are {}", suggest::listed(known)))
                });
                return Err(trouble);
            }
        };
        self.count_args(name, args, func.arity(), span)?;
        let numbers: Vec<Expr> = args
            .iter()
            .map(|arg| self.number(arg))
            .collect::<Result<_, _>>()?;
        let least = if func.takes_int() {
            Type::Int
        } else {
            Type::Double
        };
        let wanted = numbers.iter().map(Expr::ty).fold(least, join);
        let widened = |expr: Expr| expr.widened(wanted).expect("numbers widen");
        Ok(Expr::Call(func, numbers.into_iter().map(widened).collect()))
    }

    fn count_args(
        &self,
        name: &str,
        args: &[Script],
        wanted: usize,
        span: &Span,
    ) -> Result<(), Trouble> {
        if args.len() == wanted {
            return Ok(());
        }
        let message = format!("`Math.{name}` takes {wanted} arguments, not {}", args.len());
        Err(Trouble::new(Code::WrongArguments, span.clone(), message))
    }

    /// Powers are written out as products.
    fn power(&self, args: &[Script], span: &Span) -> Result<Expr, Trouble> {
        self.count_args("pow", args, 2, span)?;
        let base = self.number(&args[0])?;
        let What::Int(power @ 0..=MAX_POWER) = args[1].what else {
            let message = format!("the power is a whole number from 0 to {MAX_POWER}");
            return Err(Trouble::new(Code::NotYet, args[1].span.clone(), message));
        };
        if !matches!(base, Expr::Key(..) | Expr::Value(_)) && power > 1 {
            let message = "what is raised to a power is a number or a variable";
            return Err(Trouble::new(Code::NotYet, args[0].span.clone(), message));
        }
        let one = Expr::Value(Value::Int(1));
        let one = one.widened(base.ty()).expect("numbers widen");
        let factors = std::iter::repeat_n(base, power as usize);
        let product = factors
            .reduce(|product, factor| Expr::Arith(Arith::Mul, product.into(), factor.into()));
        Ok(product.unwrap_or(one))
    }
}

/// The type of a part of an event.
pub(super) fn field_type(field: &str) -> Type {
    match field {
        "name" => Type::Text,
        _ => Type::Any,
    }
}

/// What a part of an event is before there was any, and where an event does not have it.
pub(super) fn field_default(field: &str) -> Value {
    match field {
        "name" => Value::Text(Text::default()),
        _ => NOTHING,
    }
}

/// The type that both convert to.
fn join(one: Type, other: Type) -> Type {
    if one.widens_to(other) {
        other
    } else if other.widens_to(one) {
        one
    } else {
        Type::Any
    }
}

fn compare(op: Compare, left: Expr, right: Expr) -> Expr {
    Expr::Compare(op, left.into(), right.into())
}

fn truth(expr: Expr) -> Expr {
    let differs = |expr: Expr, value: Value| {
        let value = Expr::Value(value).widened(expr.ty()).expect("fits");
        compare(Compare::Ne, expr, value)
    };
    match expr.ty() {
        Type::Bool => expr,
        Type::Any => {
            let empty = Value::Text(Text::default());
            [Value::Int(0), Value::Bool(false), empty]
                .into_iter()
                .fold(differs(expr.clone(), NOTHING), |holds, value| {
                    Expr::And(holds.into(), differs(expr.clone(), value).into())
                })
        }
        ty => {
            let zero = ty.zero();
            differs(expr, zero)
        }
    }
}
