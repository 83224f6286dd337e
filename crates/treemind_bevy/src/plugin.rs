//! The plugin, and what an app has for its minds.

use crate::actions::{self, Act, Results, Started, Stopped};
use crate::brain::{Brain, BrainLoader, BrainProblem};
use crate::brains::{Brains, telling};
use crate::decide::Deciders;
use crate::events::{self, Emitted};
use crate::facts::{self, FactSet, Facts};
use crate::finding::{self, Candidate, ToMeasure};
use crate::groups;
use crate::leaves::Leaves;
use crate::link::Link;
use crate::mind::{Agent, Mind, Newcomers, WhenGone};
use crate::runs::Runs;
use crate::states::{self, WatchStates};
use crate::think::{self, Departures};
use bevy_app::prelude::*;
use bevy_asset::AssetApp;
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use treemind::blackboard::KeyType;
use treemind::leaves::Answer;
use treemind::{ConditionType, Status, TaskError};

/// Minds for entities. Add Bevy's `TimePlugin` and `AssetPlugin` (both are among its defaults) before it.
pub struct TreemindPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for TreemindPlugin {
    /// In `FixedUpdate`: minds are ticked in steps of equal length, whatever the frame rate.
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl TreemindPlugin {
    /// Minds are ticked in that schedule, by its clock: once per frame in `Update`.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

/// What happens in a tick, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreemindSystems {
    /// Minds whose brain has been loaded become agents; changed documents are exchanged.
    Prepare,
    /// Minds get facts from components, and learn how actions have ended. Your sensors come before it.
    Sense,
    /// All minds are ticked; actions begin and end. Your actions come after it.
    Think,
}

/// The schedule in which minds are ticked.
#[derive(Resource)]
struct Schedule(Interned<dyn ScheduleLabel>);

impl Plugin for TreemindPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Brain>()
            .init_asset_loader::<BrainLoader>()
            .register_type::<Mind>()
            .register_type::<Agent>()
            .register_type::<WatchStates>()
            .init_resource::<Brains>()
            .init_resource::<Leaves>()
            .init_resource::<Newcomers>()
            .init_resource::<Departures>()
            .insert_resource(WhenGone(think::gone))
            .init_resource::<Deciders>()
            .insert_resource(Schedule(self.schedule))
            .add_message::<BrainProblem>()
            .add_observer(groups::join)
            .add_observer(think::stop_disabled)
            .add_observer(think::start_enabled)
            .configure_sets(
                self.schedule,
                (
                    TreemindSystems::Prepare,
                    TreemindSystems::Sense,
                    TreemindSystems::Think,
                )
                    .chain(),
            )
            .add_systems(
                self.schedule,
                (
                    (think::heed, think::prepare)
                        .chain()
                        .in_set(TreemindSystems::Prepare),
                    (think::think, states::tell)
                        .chain()
                        .in_set(TreemindSystems::Think),
                ),
            );
    }
}

/// What an app has for its minds. Add the plugin first.
///
/// # Panics
/// All methods panic when the plugin is missing.
pub trait TreemindApp {
    /// Minds know the fields of a component: see [`Facts`].
    fn add_facts<T: Facts>(&mut self) -> &mut Self;

    /// A condition that looks at its entity.
    fn add_condition<R: Answer + 'static>(
        &mut self,
        name: &str,
        ask: impl Fn(EntityRef<'_>) -> R + Send + Sync + 'static,
    ) -> &mut Self;

    /// A condition with parameters, that looks at its entity.
    fn add_condition_type<T: EntityCondition>(&mut self, name: &str) -> &mut Self;

    /// A condition that is a system: it is run whenever a mind asks, with the entity as its input.
    fn add_condition_system<R: Answer + 'static, M>(
        &mut self,
        name: &str,
        ask: impl IntoSystem<In<Entity>, R, M> + 'static,
    ) -> &mut Self;

    /// A sensor that computes a key from its entity.
    fn add_sensor<R: KeyType + 'static>(
        &mut self,
        name: &str,
        sense: impl Fn(EntityRef<'_>) -> R + Send + Sync + 'static,
    ) -> &mut Self;

    /// Lists what a `find` chooses from: a system that is run once for each search, with the entity as its input, and
    /// returns entities or places, the first ones first.
    fn add_candidates<T: Candidate, L, M>(
        &mut self,
        name: &str,
        list: impl IntoSystem<In<Entity>, L, M> + 'static,
    ) -> &mut Self
    where
        L: IntoIterator<Item = T> + 'static;

    /// The same for candidates with parameters: they are the fields of `P`, the second part of the input.
    fn add_candidates_with<P, T: Candidate, L, M>(
        &mut self,
        name: &str,
        list: impl IntoSystem<In<(Entity, P)>, L, M> + 'static,
    ) -> &mut Self
    where
        P: DeserializeOwned + 'static,
        L: IntoIterator<Item = T> + 'static;

    /// A number for each candidate of a `find`, by a function that looks at the entity of the mind. It is NaN for
    /// what is gone.
    fn add_measure<T: Candidate>(
        &mut self,
        name: &str,
        measure: impl Fn(EntityRef<'_>, T) -> f32 + Send + Sync + 'static,
    ) -> &mut Self;

    /// The same for candidates that are entities: the function looks at both.
    fn add_entity_measure(
        &mut self,
        name: &str,
        measure: impl Fn(EntityRef<'_>, EntityRef<'_>) -> f32 + Send + Sync + 'static,
    ) -> &mut Self;

    /// A number for each candidate of a `find`, by a system that is run once for all candidates of all minds that ask
    /// together. It returns as many numbers, in the same order.
    fn add_measure_system<T: Candidate, M>(
        &mut self,
        name: &str,
        measure: impl IntoSystem<In<Vec<ToMeasure<T>>>, Vec<f32>, M> + 'static,
    ) -> &mut Self;

    /// An action that is a component: it is on the entity while the action runs, with the parameters of the document in
    /// its fields. Systems do it for all entities that have it, and end it with [`Finish`](crate::Finish). When the
    /// document wants something else, it is removed.
    fn add_action<T: Component + DeserializeOwned + Clone>(&mut self, name: &str) -> &mut Self;

    /// An action of which messages tell, [`Started`] and [`Stopped`]: entities keep their components, which costs less
    /// when actions change often. Systems end it with [`Finish`](crate::Finish).
    fn add_action_messages<T: DeserializeOwned + Clone + Send + Sync + 'static>(
        &mut self,
        name: &str,
    ) -> &mut Self;

    /// An action that is a system: it is run in every tick in which the action runs, with the entity as its input, and
    /// answers.
    fn add_action_system<R: Answer + 'static, M>(
        &mut self,
        name: &str,
        act: impl IntoSystem<In<Entity>, R, M> + 'static,
    ) -> &mut Self;

    /// An action that is only an answer of decision trees that systems ask: see [`decide`](crate::decide). If a mind
    /// runs it, it continues until the document wants something else.
    fn add_answer(&mut self, name: &str) -> &mut Self;

    /// The component is on the entity while a state of a machine is active, by its path, such as `fight.aim`. The
    /// entity needs [`WatchStates`]. If several machines of an entity have the state, one of them is enough.
    fn add_state<T: Component + Default>(&mut self, path: &str) -> &mut Self;

    /// Messages [`Emitted`] tell of what agents emit under that name.
    fn add_event<T: DeserializeOwned + Send + Sync + 'static>(&mut self, name: &str) -> &mut Self;
}

impl TreemindApp for App {
    fn add_facts<T: Facts>(&mut self) -> &mut Self {
        let mut leaves = leaves(self);
        let first = leaves.flags;
        leaves.flags += T::FIELDS.len();
        for (number, field) in (first..).zip(T::FIELDS) {
            if field.is_bool {
                let registry = &mut leaves.registry;
                registry.condition_column(&field.condition(), move |link| &link.flags[number]);
            }
        }
        leaves.fact_sets.push(FactSet {
            ty: TypeId::of::<T>(),
            fields: T::FIELDS,
            first,
            tell_one: facts::tell_one::<T>,
        });
        let schedule = schedule(self);
        self.add_systems(schedule, telling::tell::<T>.in_set(TreemindSystems::Sense))
    }

    fn add_condition<R: Answer + 'static>(
        &mut self,
        name: &str,
        ask: impl Fn(EntityRef<'_>) -> R + Send + Sync + 'static,
    ) -> &mut Self {
        leaves(self).registry.condition(name, move |link, me| {
            link.look(me.index(), |entity| ask(entity).into_status())?
        });
        self
    }

    fn add_condition_type<T: EntityCondition>(&mut self, name: &str) -> &mut Self {
        leaves(self).registry.condition_type::<AsCondition<T>>(name);
        self
    }

    fn add_condition_system<R: Answer + 'static, M>(
        &mut self,
        name: &str,
        ask: impl IntoSystem<In<Entity>, R, M> + 'static,
    ) -> &mut Self {
        let system = self.world_mut().register_system(ask);
        let ask = move |link: &Link, me: &treemind::Agent<'_, '_>| link.run(me.index(), system);
        leaves(self).registry.condition(name, ask);
        self
    }

    fn add_sensor<R: KeyType + 'static>(
        &mut self,
        name: &str,
        sense: impl Fn(EntityRef<'_>) -> R + Send + Sync + 'static,
    ) -> &mut Self {
        let sense = move |link: &Link, me: &treemind::Agent<'_, '_>| link.look(me.index(), &sense);
        leaves(self).registry.sensor(name, sense);
        self
    }

    fn add_candidates<T: Candidate, L, M>(
        &mut self,
        name: &str,
        list: impl IntoSystem<In<Entity>, L, M> + 'static,
    ) -> &mut Self
    where
        L: IntoIterator<Item = T> + 'static,
    {
        let list = (|In((entity, ())): In<(Entity, ())>| entity).pipe(list);
        let system = self.world_mut().register_system(list);
        finding::candidates(&mut leaves(self).registry, name, |_| Ok(()), system);
        self
    }

    fn add_candidates_with<P, T: Candidate, L, M>(
        &mut self,
        name: &str,
        list: impl IntoSystem<In<(Entity, P)>, L, M> + 'static,
    ) -> &mut Self
    where
        P: DeserializeOwned + 'static,
        L: IntoIterator<Item = T> + 'static,
    {
        let system = self.world_mut().register_system(list);
        finding::candidates(&mut leaves(self).registry, name, |me| me.args(), system);
        self
    }

    fn add_measure<T: Candidate>(
        &mut self,
        name: &str,
        measure: impl Fn(EntityRef<'_>, T) -> f32 + Send + Sync + 'static,
    ) -> &mut Self {
        finding::measure(&mut leaves(self).registry, name, measure);
        self
    }

    fn add_entity_measure(
        &mut self,
        name: &str,
        measure: impl Fn(EntityRef<'_>, EntityRef<'_>) -> f32 + Send + Sync + 'static,
    ) -> &mut Self {
        finding::measure_entity(&mut leaves(self).registry, name, measure);
        self
    }

    fn add_measure_system<T: Candidate, M>(
        &mut self,
        name: &str,
        measure: impl IntoSystem<In<Vec<ToMeasure<T>>>, Vec<f32>, M> + 'static,
    ) -> &mut Self {
        let system = self.world_mut().register_system(measure);
        finding::measure_system(&mut leaves(self).registry, name, system);
        self
    }

    fn add_action<T: Component + DeserializeOwned + Clone>(&mut self, name: &str) -> &mut Self {
        add::<T>(self, name, || {
            Box::new(Runs::<T>::new(actions::as_component))
        })
    }

    fn add_action_messages<T: DeserializeOwned + Clone + Send + Sync + 'static>(
        &mut self,
        name: &str,
    ) -> &mut Self {
        self.add_message::<Started<T>>().add_message::<Stopped<T>>();
        add::<T>(self, name, || {
            Box::new(Runs::<T>::new(actions::as_messages))
        })
    }

    fn add_action_system<R: Answer + 'static, M>(
        &mut self,
        name: &str,
        act: impl IntoSystem<In<Entity>, R, M> + 'static,
    ) -> &mut Self {
        let system = self.world_mut().register_system(act);
        let act =
            move |link: &mut Link, me: &mut treemind::Agent<'_, '_>| link.run(me.index(), system);
        leaves(self).registry.action(name, act);
        self
    }

    fn add_answer(&mut self, name: &str) -> &mut Self {
        let go_on = |_: &mut Link, _: &mut treemind::Agent<'_, '_>| Status::Running;
        leaves(self).registry.action(name, go_on);
        self
    }

    fn add_state<T: Component + Default>(&mut self, path: &str) -> &mut Self {
        self.add_observer(states::as_component::<T>(path))
    }

    fn add_event<T: DeserializeOwned + Send + Sync + 'static>(&mut self, name: &str) -> &mut Self {
        events::listen::<T>(&mut leaves(self).registry, name);
        self.add_message::<Emitted<T>>()
    }
}

/// A condition with parameters: its fields are those of the document.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use treemind_bevy::EntityCondition;
///
/// # #[derive(Component)] struct Hunger { secs: f32 }
/// #[derive(serde::Deserialize)]
/// struct Hungry { after: f32 }
///
/// impl EntityCondition for Hungry {
///     fn holds(&self, entity: EntityRef<'_>) -> bool {
///         entity.get::<Hunger>().is_some_and(|hunger| hunger.secs > self.after)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition of an entity",
    label = "`{Self}` does not implement `EntityCondition`",
    note = "write `impl EntityCondition for {Self}` with the method `holds`; its fields are the parameters, read by `#[derive(serde::Deserialize)]`"
)]
pub trait EntityCondition: DeserializeOwned + Send + Sync + 'static {
    /// Whether it holds for an entity.
    fn holds(&self, entity: EntityRef<'_>) -> bool;
}

#[derive(Deserialize)]
#[serde(transparent)]
struct AsCondition<T>(T);

impl<T: EntityCondition> ConditionType<Link> for AsCondition<T> {
    fn ask(&self, link: &Link, me: &treemind::Agent<'_, '_>) -> Result<Status, TaskError> {
        link.look(me.index(), |entity| self.0.holds(entity).into())
    }
}

fn leaves(app: &mut App) -> Mut<'_, Leaves> {
    let leaves = app.world_mut().get_resource_mut();
    leaves.expect("add `TreemindPlugin` first")
}

pub(crate) fn schedule(app: &App) -> Interned<dyn ScheduleLabel> {
    let schedule = app.world().get_resource::<Schedule>();
    schedule.expect("add `TreemindPlugin` first").0
}

/// Adds a type of action.
fn add<'a, T: DeserializeOwned + Clone + Send + Sync + 'static>(
    app: &'a mut App,
    name: &str,
    runs: fn() -> Box<dyn crate::runs::AnyRuns>,
) -> &'a mut App {
    let mut leaves = leaves(app);
    let number = leaves.runs.len();
    let earlier = leaves.numbers.insert(TypeId::of::<T>(), number);
    assert!(
        earlier.is_none(),
        "{} is an action already: each action needs a type of its own",
        std::any::type_name::<T>()
    );
    leaves.runs.push(runs);
    leaves.names.insert(name.to_owned(), number);
    leaves.registry.action_type::<Act<T>>(name);
    let schedule = schedule(app);
    app.init_resource::<Results<T>>().add_systems(
        schedule,
        actions::pass_on::<T>.in_set(TreemindSystems::Sense),
    )
}
