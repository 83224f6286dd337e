//! Facts: fields of components that minds know.

use bevy_ecs::prelude::*;
use std::any::TypeId;
use treemind::AgentId;
use treemind::blackboard::{KeyId, Text, Type, Value};
use treemind::population::Behaviour;

/// A component whose fields minds know. Derive it: `#[derive(Component, Facts)]`.
///
/// A field of type `bool` is the condition of that name, `see-enemy` for `see_enemy`, if the document declares one.
/// Otherwise a field is the key of that name on the blackboard. Fields that the document does not know are left out.
/// Minds get the fields of components that have changed, before every tick.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component with facts",
    label = "`{Self}` does not implement `Facts`",
    note = "derive it: `#[derive(Component, Facts)]`"
)]
pub trait Facts: Component {
    /// The fields in order.
    const FIELDS: &'static [FactField];

    /// Tells every field.
    fn tell(&self, to: &mut FactWriter<'_>);
}

/// A field of a component with facts.
#[derive(Clone, Copy, Debug)]
pub struct FactField {
    pub(crate) name: &'static str,
    pub(crate) is_bool: bool,
    pub(crate) fits: fn(Type) -> bool,
}

impl FactField {
    /// The field with that name, for the derive.
    pub const fn of<F: Fact>(name: &'static str) -> Self {
        Self {
            name,
            is_bool: F::IS_BOOL,
            fits: F::fits,
        }
    }

    /// The name of the condition that it may be.
    pub(crate) fn condition(&self) -> String {
        self.name.replace('_', "-")
    }
}

/// A type of field that minds know.
#[diagnostic::on_unimplemented(
    message = "minds cannot know a field of type `{Self}`",
    label = "this type is not a fact",
    note = "facts are `bool`, `i32`, `i64`, `u32`, `f32`, `f64`, `[f32; 2]`, `[f32; 3]`, `String`, `Entity`, `AgentId`, and an `Option` of one of them"
)]
pub trait Fact {
    /// Whether it may be a condition.
    const IS_BOOL: bool = false;

    /// Whether a key of that type takes it.
    fn fits(ty: Type) -> bool;

    /// The value; none if the key is to be unset.
    fn value(&self) -> Option<Value>;
}

macro_rules! fact {
    ($($rust:ty, $($fitting:ident)|+, |$it:ident| $value:expr, $is_bool:literal;)+) => { $(
        impl Fact for $rust {
            const IS_BOOL: bool = $is_bool;

            fn fits(ty: Type) -> bool {
                matches!(ty, $(Type::$fitting)|+ | Type::Any)
            }

            #[inline]
            fn value(&self) -> Option<Value> {
                let $it = self;
                Some($value)
            }
        }
    )+ };
}

fact! {
    bool, Bool, |it| Value::Bool(*it), true;
    i32, Int | Float | Double, |it| Value::Int(i64::from(*it)), false;
    i64, Int | Float | Double, |it| Value::Int(*it), false;
    u32, Int | Float | Double, |it| Value::Int(i64::from(*it)), false;
    f32, Float | Double, |it| Value::Float(*it), false;
    f64, Double, |it| Value::Double(*it), false;
    [f32; 2], Vec2, |it| Value::Vec2(*it), false;
    [f32; 3], Vec3, |it| Value::Vec3(*it), false;
    String, Text, |it| Value::Text(Text::new(it)), false;
    Entity, Entity, |it| Value::Entity(it.to_bits()), false;
    AgentId, Entity, |it| Value::Entity(it.to_bits()), false;
}

impl<F: Fact> Fact for Option<F> {
    fn fits(ty: Type) -> bool {
        F::fits(ty)
    }

    #[inline]
    fn value(&self) -> Option<Value> {
        self.as_ref().and_then(F::value)
    }
}

/// What a field is in one population.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A condition, with its number among those of the app.
    Condition(usize),
    Key(KeyId),
    Nothing,
}

/// A component with facts that the app has.
pub(crate) struct FactSet {
    pub(crate) ty: TypeId,
    pub(crate) fields: &'static [FactField],
    /// The number of the first condition; every field has one.
    pub(crate) first: usize,
    /// Tells the fields of one entity, if it has the component.
    pub(crate) tell_one: fn(EntityRef<'_>, &mut FactWriter<'_>),
}

impl FactSet {
    /// What the fields are in a behaviour, and the names of those that have the wrong type there.
    pub(crate) fn targets(&self, behaviour: &Behaviour) -> (Vec<Target>, Vec<(String, Type)>) {
        let mut wrong = Vec::new();
        let target = |(number, field): (usize, &FactField)| {
            let condition = field.condition();
            let leaf = behaviour.leaf_id(&condition);
            if field.is_bool && leaf.is_some() {
                return Target::Condition(self.first + number);
            }
            let Some(key) = behaviour.key_id(field.name) else {
                return Target::Nothing;
            };
            let ty = behaviour.key(key).ty;
            if (field.fits)(ty) {
                return Target::Key(key);
            }
            wrong.push((field.name.to_owned(), ty));
            Target::Nothing
        };
        let targets = self.fields.iter().enumerate().map(target).collect();
        (targets, wrong)
    }
}

/// Takes the fields of a component of one entity.
pub struct FactWriter<'a> {
    pub(crate) targets: &'a [Target],
    /// Whether any of them is a key.
    pub(crate) has_keys: bool,
    /// Per field, what holds: bits of the word of agents that is being told.
    pub(crate) words: &'a mut [u64],
    /// What is to be written to keys, with the index of the agent.
    pub(crate) keys: &'a mut Vec<(usize, KeyId, Option<Value>)>,
    pub(crate) index: usize,
}

/// Whether any field is a key.
pub(crate) fn has_keys(targets: &[Target]) -> bool {
    let mut targets = targets.iter();
    targets.any(|target| matches!(target, Target::Key(_)))
}

impl FactWriter<'_> {
    /// Takes a field, by its position.
    #[inline(always)]
    pub fn tell<F: Fact>(&mut self, field: usize, fact: &F) {
        // What is no condition is noted for nothing: that costs less than asking.
        if F::IS_BOOL {
            let holds = fact.value() == Some(Value::Bool(true));
            self.words[field] |= u64::from(holds) << (self.index % 64);
        }
        if self.has_keys
            && let Target::Key(key) = self.targets[field]
        {
            self.keys.push((self.index, key, fact.value()));
        }
    }
}

/// Tells the fields of one entity.
pub(crate) fn tell_one<T: Facts>(entity: EntityRef<'_>, to: &mut FactWriter<'_>) {
    if let Some(facts) = entity.get::<T>() {
        facts.tell(to);
    }
}

/// What was told and is not passed on yet; kept, so that it is not allocated again in each frame.
#[derive(Default)]
pub(crate) struct Told {
    /// Per field of a component, what holds for a word of agents.
    pub(crate) words: Vec<u64>,
    /// Per population: what is to be written to keys, with the index of the agent.
    pub(crate) keys: Vec<Vec<(usize, KeyId, Option<Value>)>>,
}
