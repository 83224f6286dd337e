//! The types of variables, inferred from what is assigned to them, and scripts as expressions over them.

use super::Trouble;
use super::script::{Binary, ExprKind, Script};
use crate::code::Code;
use crate::said;
use crate::suggest;
use crate::syntax::{Span, shortened};
use std::collections::{BTreeSet, HashMap};
use treemind_core::behaviour::{Form, Key, StateIndex};
use treemind_core::{KeyId, Text, Type, Value};

/// The value of parts that an event does not have. It is an entity because no document writes one.
pub(super) const NOTHING: Value = Value::Entity(0);

/// The variables that every machine has, and that no document assigns to.
pub(super) const SYSTEM: [&str; 5] = ["_event", "_name", "_sessionid", "_ioprocessors", "_x"];

/// Whether a variable can have this name.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// A variable of the data model.
#[derive(Debug)]
struct Variable {
    name: String,
    /// Its type; unknown as long as nothing is assigned.
    ty: Option<Type>,
    /// Whether it is unset at the start.
    is_optional: bool,
}

/// Everything that scripts can refer to.
#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    by_name: HashMap<String, usize>,
    /// The parts of events that scripts read, in the order of their keys. These come after the keys of the variables.
    pub(super) fields: Vec<String>,
    pub(super) states: HashMap<String, Option<StateIndex>>,
    /// The name of the machine.
    pub(super) name: String,
    /// Whether anything is logged.
    pub(super) logs: bool,
}

impl Scope {
    pub(super) fn new(
        name: &str,
        fields: &BTreeSet<String>,
        states: HashMap<String, Option<StateIndex>>,
    ) -> Self {
        Self {
            fields: fields.iter().cloned().collect(),
            states,
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Declares a variable. Returns whether the name is new.
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

    /// The keys: those of the variables, those of the parts of events, and one for values that are logged.
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
        let logged = Key {
            ty: Type::Any,
            ..Key::new("_log", NOTHING)
        };
        let logged = self.logs.then_some(logged);
        variables.chain(fields).chain(logged).collect()
    }

    /// The key for a value that is computed to be logged.
    pub(super) fn logged_key(&self) -> KeyId {
        self.field_key(self.fields.len())
    }

    /// The keys of the parts of events.
    pub(super) fn field_keys(&self) -> Vec<KeyId> {
        (0..self.fields.len())
            .map(|field| self.field_key(field))
            .collect()
    }

    pub(super) fn field_key(&self, field: usize) -> KeyId {
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
            None if !is_name(name) => {
                let message = said!("`{}` is not the name of a variable", shortened(name));
                let help = said!(
                    "assign to the whole variable: variables hold numbers, texts and booleans, without fields"
                );
                Err(Trouble::new(Code::BadName, span.clone(), message).with_help(help))
            }
            None if SYSTEM.contains(&name) => {
                let message = said!("`{}` is not a variable of this document", name);
                Err(Trouble::new(Code::BadName, span.clone(), message))
            }
            None => {
                let known = self.variables.iter().map(|variable| variable.name.as_str());
                let message = said!("unknown variable `{}`", shortened(name));
                let help = suggest::did_you_mean(name, known, || {
                    Some(said!("declare it: `<data id=\"{}\"/>`", shortened(name)))
                });
                let mut trouble = Trouble::new(Code::UnknownKey, span.clone(), message);
                trouble.with_perhaps(help);
                Err(trouble)
            }
        }
    }

    /// As [`variable`](Self::variable), for an assignment. Assigning to an unknown variable is an error while the
    /// machine runs, as the W3C specifies.
    pub(super) fn location(&self, name: &str, span: &Span) -> Result<(KeyId, Type), Trouble> {
        match self.variable(name, span) {
            Ok((key, ty, _)) => Ok((key, ty)),
            Err(mut trouble) => {
                trouble.message = said!(
                    "{}; assigning to it raises `error.execution`",
                    trouble.message
                );
                trouble.is_warning = true;
                Err(trouble)
            }
        }
    }

    /// Infers the types of the variables from all assignments.
    pub(super) fn learn(&mut self, assignments: &[(&str, &Script)]) {
        // Each round that changes something widens the type of at least one variable, which happens twice at most.
        loop {
            let mut changes = false;
            for (name, script) in assignments {
                let Some(&index) = self.by_name.get(*name) else {
                    continue;
                };
                if let ExprKind::Nothing = script.what {
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

    /// The type of a script, as far as it is known.
    pub(super) fn type_of(&self, script: &Script) -> Option<Type> {
        type_of(script, &|read| match read {
            Read::Variable(name) => self.variables[*self.by_name.get(name)?].ty,
            Read::Field(field) => Some(field_type(field)),
        })
    }
}

/// What a script reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Read<'c> {
    Variable(&'c str),
    /// A part of the event, by the names after `_event.`.
    Field(&'c str),
}

/// The type of a script, as far as it is known, from the types of what it reads.
pub(super) fn type_of(script: &Script, known: &impl Fn(Read<'_>) -> Option<Type>) -> Option<Type> {
    Some(match &script.what {
        ExprKind::Int(_) => Type::Int,
        ExprKind::Double(_) => Type::Double,
        ExprKind::Text(_) | ExprKind::Typeof(_) => Type::Text,
        ExprKind::Bool(_) | ExprKind::In(_) | ExprKind::IsThere(_) | ExprKind::Not(_) => Type::Bool,
        ExprKind::Nothing => return None,
        ExprKind::Name(name) if name == "_name" => Type::Text,
        ExprKind::Name(name) => return known(Read::Variable(name)),
        ExprKind::Event(field) => return known(Read::Field(field)),
        ExprKind::Neg(inner) => type_of(inner, known)?,
        ExprKind::Binary(Binary::Rem, _, right) if !is_whole_divisor(right) => Type::Double,
        ExprKind::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Rem, left, right) => {
            match (type_of(left, known), type_of(right, known)) {
                (Some(left), Some(right)) => join(left, right),
                (one, other) => one.or(other)?,
            }
        }
        ExprKind::Binary(Binary::Div, ..) => Type::Double,
        ExprKind::Binary(..) => Type::Bool,
        ExprKind::Choice(_, then, other) => match (type_of(then, known), type_of(other, known)) {
            (Some(then), Some(other)) => join(then, other),
            (one, other) => one.or(other)?,
        },
        ExprKind::Math(name, args) => match name.as_str() {
            "pow" | "abs" | "min" | "max" => {
                let mut types = args.iter().filter_map(|arg| type_of(arg, known));
                let first = types.next()?;
                types.fold(first, join)
            }
            _ => Type::Double,
        },
    })
}

/// Whether the remainder of a division by this number is whole and set, whatever whole number is divided. A division
/// by zero has no whole remainder.
pub(super) fn is_whole_divisor(script: &Script) -> bool {
    matches!(script.what, ExprKind::Int(int) if !(-1..=0).contains(&int))
}

/// The type of a part of an event.
pub(super) fn field_type(field: &str) -> Type {
    match field {
        "name" | "type" => Type::Text,
        _ => Type::Any,
    }
}

/// The value of a part before the first event, and for an event that does not have the part.
pub(super) fn field_default(field: &str) -> Value {
    match field {
        "name" | "type" => Value::Text(Text::default()),
        _ => NOTHING,
    }
}

/// The type that both types convert to.
pub(super) fn join(one: Type, other: Type) -> Type {
    if one.widens_to(other) {
        other
    } else if other.widens_to(one) {
        one
    } else {
        Type::Any
    }
}
