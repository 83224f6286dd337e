//! What `find` asks an app: which candidates there are, and what is measured of them.

use crate::link::Link;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemId;
use treemind::blackboard::{Entity as Handle, KeyType, Value};
use treemind::core::host::Pairs;
use treemind::{AgentId, Registry, TaskError};

/// What `find` can choose: an entity, a place, or the agent of another mind. In documents an [`Entity`] and an [`AgentId`]
/// are both `entity`, `[f32; 2]` is `vec2`, and `[f32; 3]` is `vec3`.
#[diagnostic::on_unimplemented(
    message = "`find` cannot choose a `{Self}`",
    label = "this is not a candidate",
    note = "candidates are `Entity`, `AgentId`, `[f32; 2]` and `[f32; 3]`"
)]
pub trait Candidate: Copy + Send + Sync + 'static {
    /// What keys hold for it.
    type Key: KeyType + 'static;

    /// What keys hold for it.
    fn to_key(self) -> Self::Key;

    /// What a key stands for, if it stands for one.
    fn from_key(key: Self::Key) -> Option<Self>;
}

impl Candidate for Entity {
    type Key = Handle;

    fn to_key(self) -> Handle {
        Handle(self.to_bits())
    }

    fn from_key(key: Handle) -> Option<Self> {
        Entity::try_from_bits(key.0)
    }
}

impl Candidate for AgentId {
    type Key = Handle;

    fn to_key(self) -> Handle {
        self.into()
    }

    fn from_key(key: Handle) -> Option<Self> {
        AgentId::from_bits(key.0)
    }
}

macro_rules! place {
    ($place:ty) => {
        impl Candidate for $place {
            type Key = $place;

            fn to_key(self) -> $place {
                self
            }

            fn from_key(key: $place) -> Option<Self> {
                Some(key)
            }
        }
    };
}

place!([f32; 2]);
place!([f32; 3]);

/// A candidate of which a system wants to know a number: see
/// [`add_measure_system`](crate::TreemindApp::add_measure_system).
#[derive(Clone, Debug, PartialEq)]
pub struct ToMeasure<T> {
    /// Whose mind asks.
    pub entity: Entity,
    /// What is to be measured.
    pub candidate: T,
    /// The further parameters of the measure, in the order in which the document declares them.
    pub params: Vec<Value>,
}

/// Lets a system list candidates.
pub(crate) fn candidates<T: Candidate, P, L>(
    registry: &mut Registry<Link>,
    name: &str,
    params: impl Fn(&treemind::Agent<'_, '_>) -> Result<P, TaskError> + Send + Sync + 'static,
    system: SystemId<In<(Entity, P)>, L>,
) where
    P: 'static,
    L: IntoIterator<Item = T> + 'static,
{
    registry.candidates(
        name,
        move |link: &Link, me: &treemind::Agent<'_, '_>, list: &mut dyn FnMut(T::Key) -> bool| {
            let input = (link.entities[me.index()], params(me)?);
            let listed = link.ask(system, input)?;
            // `list` says when there is no more room.
            let _ = listed.into_iter().all(|candidate| list(candidate.to_key()));
            Ok::<(), TaskError>(())
        },
    );
}

/// Lets a function measure candidates.
pub(crate) fn measure<T: Candidate>(
    registry: &mut Registry<Link>,
    name: &str,
    measure: impl Fn(EntityRef<'_>, T) -> f32 + Send + Sync + 'static,
) {
    registry.measure(
        name,
        move |link: &Link, me: &treemind::Agent<'_, '_>, candidate: T::Key| {
            let candidate = T::from_key(candidate);
            let measured = candidate
                .map(|candidate| link.look(me.index(), |entity| measure(entity, candidate)));
            // What is gone has no number.
            measured.and_then(Result::ok).unwrap_or(f32::NAN)
        },
    );
}

/// Lets a function measure entities.
pub(crate) fn measure_entity(
    registry: &mut Registry<Link>,
    name: &str,
    measure: impl Fn(EntityRef<'_>, EntityRef<'_>) -> f32 + Send + Sync + 'static,
) {
    registry.measure(
        name,
        move |link: &Link, me: &treemind::Agent<'_, '_>, candidate: Handle| {
            let candidate = Entity::from_key(candidate);
            let measured =
                candidate.map(|candidate| link.look_at_both(me.index(), candidate, &measure));
            measured.and_then(Result::ok).unwrap_or(f32::NAN)
        },
    );
}

/// Lets a system measure all candidates of all minds that ask in a tick.
pub(crate) fn measure_system<T: Candidate>(
    registry: &mut Registry<Link>,
    name: &str,
    system: SystemId<In<Vec<ToMeasure<T>>>, Vec<f32>>,
) {
    registry.measure_pairs(name, move |link: &Link, pairs: &mut Pairs| {
        let asked = (0..pairs.len()).filter_map(|pair| {
            let candidate = T::Key::from_value(pairs.candidate(pair)).and_then(T::from_key)?;
            let asked = ToMeasure {
                entity: link.entities[pairs.agent(pair)],
                candidate,
                params: pairs.args_of(pair)[1..].to_vec(),
            };
            Some((pair, asked))
        });
        let (places, asked): (Vec<usize>, Vec<ToMeasure<T>>) = asked.unzip();
        // A system that cannot run, or answers too few, leaves the rest without a number.
        let answers = link.ask(system, asked).unwrap_or_default();
        for (pair, number) in places.into_iter().zip(answers) {
            pairs.set(pair, number);
        }
    });
}
