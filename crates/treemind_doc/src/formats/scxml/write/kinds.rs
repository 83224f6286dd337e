//! The types that variables and the data of events have in a document of ours.
//!
//! Machines in SCXML take what an event carries as a value of any type. A document declares it, so its type is found
//! from what it is compared with, calculated with and assigned to.

use super::super::chart::{Action, Chart, Delay, Load, Said, for_all_actions};
use super::super::events::for_all_blocks;
use super::super::script::{Binary, ExprKind, Script};
use super::super::types::{Read, join, type_of};
use std::collections::HashMap;
use treemind_core::Type;

#[derive(Debug, Default)]
pub(super) struct Kinds<'c> {
    of: HashMap<Read<'c>, Type>,
    /// Some type was learned since this was last asked.
    has_learned: bool,
}

impl<'c> Kinds<'c> {
    pub(super) fn of(chart: &'c Chart) -> Self {
        let mut kinds = Kinds::default();
        // Each round that changes something gives a type to something, or widens one, which happens twice at most.
        loop {
            kinds.has_learned = false;
            kinds.round(chart);
            if !kinds.has_learned {
                return kinds;
            }
        }
    }

    pub(super) fn variable(&self, name: &str) -> Type {
        let known = self.of.get(&Read::Variable(name));
        known.copied().unwrap_or(Type::Int)
    }

    pub(super) fn field(&self, field: &str) -> Type {
        let known = self.of.get(&Read::Field(field));
        known.copied().unwrap_or(Type::Any)
    }

    fn round(&mut self, chart: &'c Chart) {
        for data in &chart.data {
            if let Some(value) = &data.value {
                self.assigned(Read::Variable(&data.name), value);
            }
        }
        for transition in &chart.transitions {
            if let Some(cond) = &transition.cond {
                self.tested(cond);
            }
        }
        for state in &chart.states {
            self.loaded(state.done.as_ref());
        }
        for_all_blocks(chart, &mut |block| {
            for_all_actions(block, &mut |action| self.action(action));
        });
    }

    fn action(&mut self, action: &'c Action) {
        match action {
            Action::Raise { event, load } => {
                self.said(event);
                self.loaded(Some(load));
            }
            Action::Send {
                event, load, delay, ..
            } => {
                self.said(event);
                self.loaded(Some(load));
                if let Delay::By(script) = delay {
                    self.read(script);
                }
            }
            Action::Log(logged) => {
                if let Some(value) = &logged.value {
                    self.read(value);
                }
            }
            Action::Assign { name, value, .. } => {
                self.assigned(Read::Variable(name), value);
            }
            Action::If { branches, .. } => {
                branches.iter().for_each(|(test, _)| self.tested(test));
            }
            Action::Cancel { .. } | Action::Fail { .. } => {}
        }
    }

    fn said(&mut self, event: &'c Said) {
        if let Said::By(script) = event {
            self.read(script);
        }
    }

    fn loaded(&mut self, load: Option<&'c Load>) {
        for (field, script) in load.into_iter().flatten() {
            self.assigned(Read::Field(field), script);
        }
    }

    fn assigned(&mut self, slot: Read<'c>, value: &'c Script) {
        self.read(value);
        match (self.type_of(value), self.of.get(&slot).copied()) {
            (Some(ty), known) => self.learn(slot, known.map_or(ty, |known| join(known, ty))),
            (None, Some(known)) => self.hint(value, known),
            (None, None) => {}
        }
    }

    fn tested(&mut self, script: &'c Script) {
        self.read(script);
        self.hint(script, Type::Bool);
    }

    fn learn(&mut self, slot: Read<'c>, ty: Type) {
        if self.of.insert(slot, ty) != Some(ty) {
            self.has_learned = true;
        }
    }

    /// Gives a variable or part of an event the type that the place where it stands asks for.
    fn hint(&mut self, script: &'c Script, ty: Type) {
        let slot = match &script.what {
            ExprKind::Name(name) if name != "_name" => Read::Variable(name),
            ExprKind::Event(field) => Read::Field(field),
            _ => return,
        };
        match (slot, self.of.get(&slot).copied()) {
            (_, None) => self.learn(slot, ty),
            (Read::Field(_), Some(known)) if known.is_number() && ty.is_number() => {
                self.learn(slot, join(known, ty));
            }
            _ => {}
        }
    }

    /// Learns from the operators in a script.
    fn read(&mut self, script: &'c Script) {
        match &script.what {
            ExprKind::Not(inner) => self.tested(inner),
            ExprKind::Neg(inner) | ExprKind::IsThere(inner) => self.read(inner),
            ExprKind::Binary(Binary::And | Binary::Or, left, right) => {
                self.tested(left);
                self.tested(right);
            }
            ExprKind::Binary(_, left, right) => {
                self.read(left);
                self.read(right);
                match (self.type_of(left), self.type_of(right)) {
                    (Some(ty), _) if ty != Type::Any => self.hint(right, ty),
                    (_, Some(ty)) if ty != Type::Any => self.hint(left, ty),
                    _ => {}
                }
                if let (Some(_), Some(ty)) = (self.type_of(left), self.type_of(right)) {
                    self.hint(left, ty);
                }
            }
            ExprKind::Choice(test, then, other) => {
                self.tested(test);
                self.read(then);
                self.read(other);
            }
            ExprKind::Math(_, args) => {
                for arg in args {
                    self.read(arg);
                    self.hint(arg, Type::Double);
                }
            }
            _ => {}
        }
    }

    /// The type of a script, as far as it is known.
    pub(super) fn type_of(&self, script: &Script) -> Option<Type> {
        type_of(script, &|read| self.of.get(&read).copied())
    }
}
