//! Actions: types that are on an entity while it does something, or messages about it.

use crate::brains::Brains;
use crate::link::Link;
use crate::mind::{Agent, Allow};
use crate::runs::{Agents, Change, Runs};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use treemind::core::host::{Answers, Lanes};
use treemind::{ActionType, Outcome, Status, TaskError};

/// An entity has begun an action. Written for actions of
/// [`add_action_messages`](crate::TreemindApp::add_action_messages).
#[derive(Message, Clone, Debug)]
pub struct Started<T: Send + Sync + 'static> {
    /// Who.
    pub entity: Entity,
    /// What, with its parameters.
    pub action: T,
}

/// An entity has ended an action. Written for actions of
/// [`add_action_messages`](crate::TreemindApp::add_action_messages); each [`Started`] has exactly one, also when the
/// entity was despawned.
#[derive(Message, Clone, Debug)]
pub struct Stopped<T: Send + Sync + 'static> {
    /// Who. It may no longer exist.
    pub entity: Entity,
    /// How it ended: by success or failure, or because something else was more important.
    pub outcome: Outcome,
    marker: std::marker::PhantomData<fn() -> T>,
}

/// Ends actions of one type: what a system says here, minds know in the next tick.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use treemind_bevy::prelude::*;
///
/// # #[derive(Component)] struct Health(f32);
/// #[derive(Component, Clone, serde::Deserialize)]
/// struct Rest { until: f32 }
///
/// fn rest(mut resting: Query<(Entity, &Rest, &mut Health)>, mut finish: Finish<Rest>) {
///     for (entity, rest, mut health) in &mut resting {
///         health.0 += 1.0;
///         if health.0 >= rest.until {
///             finish.success(entity);
///         }
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct Finish<'w, T: Send + Sync + 'static> {
    results: ResMut<'w, Results<T>>,
}

impl<T: Send + Sync + 'static> Finish<'_, T> {
    /// The entity has done it. If it is not doing it, this has no effect.
    pub fn success(&mut self, entity: Entity) {
        self.results.list.push((entity, true));
    }

    /// The entity cannot do it. If it is not doing it, this has no effect.
    pub fn failure(&mut self, entity: Entity) {
        self.results.list.push((entity, false));
    }
}

/// What systems have said of actions of one type since the last tick.
#[derive(Resource)]
pub(crate) struct Results<T> {
    list: Vec<(Entity, bool)>,
    marker: std::marker::PhantomData<fn() -> T>,
}

impl<T> Default for Results<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            marker: std::marker::PhantomData,
        }
    }
}

/// Passes on what systems have said of actions of one type.
pub(crate) fn pass_on<T: Clone + Send + Sync + 'static>(
    mut results: ResMut<Results<T>>,
    mut brains: ResMut<Brains>,
    agents: Query<&Agent, Allow>,
) {
    if results.list.is_empty() {
        return;
    }
    for (entity, is_success) in results.list.drain(..) {
        let agent = agents.get(entity).ok().and_then(Agent::id);
        let Some(agent) = agent else { continue };
        if let Some(link) = brains.link_of(agent)
            && let Some(runs) = link.runs_of::<T>()
        {
            runs.end(agent.index(), is_success);
        }
    }
}

/// The component is on the entity while the action runs.
pub(crate) fn as_component<T: Component + Clone>(
    world: &mut World,
    agents: Agents<'_>,
    change: &Change<T>,
) {
    match change {
        Change::Start(action) => {
            let all = agents.all().map(|entity| (entity, action.clone()));
            // Whoever has been despawned during the tick gets nothing.
            drop(world.try_insert_batch(all));
        }
        Change::Stop(_) => {
            for entity in agents.idle() {
                if let Ok(mut entity) = world.get_entity_mut(entity) {
                    entity.remove::<T>();
                }
            }
        }
    }
}

/// Messages tell when the action starts and stops.
pub(crate) fn as_messages<T: Clone + Send + Sync + 'static>(
    world: &mut World,
    agents: Agents<'_>,
    change: &Change<T>,
) {
    match change {
        Change::Start(action) => {
            if let Some(mut messages) = world.get_resource_mut::<Messages<Started<T>>>() {
                messages.write_batch(agents.all().map(|entity| Started {
                    entity,
                    action: action.clone(),
                }));
            }
        }
        Change::Stop(outcome) => {
            if let Some(mut messages) = world.get_resource_mut::<Messages<Stopped<T>>>() {
                messages.write_batch(agents.all().map(|entity| Stopped {
                    entity,
                    outcome: *outcome,
                    marker: std::marker::PhantomData,
                }));
            }
        }
    }
}

/// An action whose parameters are a type of the game.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Act<T>(T);

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> ActionType<Link> for Act<T> {
    type State = ();

    fn start(
        &self,
        (): &mut (),
        link: &mut Link,
        me: &mut treemind::Agent<'_, '_>,
    ) -> Result<(), TaskError> {
        if let Some(runs) = link.runs_of::<T>() {
            runs.change_one(Change::Start(self.0.clone()), me.index());
        }
        Ok(())
    }

    fn update(
        &self,
        (): &mut (),
        link: &mut Link,
        me: &mut treemind::Agent<'_, '_>,
    ) -> Result<Status, TaskError> {
        let (word, lane) = (me.index() / 64, me.index() % 64);
        let has_ended = |end| {
            let runs: &Runs<T> = link.runs_of::<T>()?;
            (runs.ended(end, word) >> lane & 1 == 1).then_some(())
        };
        Ok(match [0, 1].map(has_ended) {
            [Some(()), _] => Status::Success,
            [_, Some(())] => Status::Failure,
            _ => Status::Running,
        })
    }

    fn stop(
        &self,
        (): &mut (),
        link: &mut Link,
        me: &mut treemind::Agent<'_, '_>,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        if let Some(runs) = link.runs_of::<T>() {
            runs.change_one(Change::Stop(outcome), me.index());
        }
        Ok(())
    }

    fn start_many(&self, link: &mut Link, lanes: Lanes<'_>) -> bool {
        if let Some(runs) = link.runs_of::<T>() {
            runs.change(Change::Start(self.0.clone()), lanes);
        }
        true
    }

    fn update_many(&self, link: &mut Link, lanes: Lanes<'_>, answers: &mut Answers<'_>) -> bool {
        if let Some(runs) = link.runs_of::<T>()
            && runs.has_ends
        {
            for (at, word) in (lanes.first_word()..).take(lanes.words().len()).enumerate() {
                answers.success_mut()[at] = runs.ended(0, word);
                answers.failure_mut()[at] = runs.ended(1, word);
            }
        }
        true
    }

    fn stop_many(&self, link: &mut Link, lanes: Lanes<'_>, outcome: Outcome) -> bool {
        if let Some(runs) = link.runs_of::<T>() {
            runs.change(Change::Stop(outcome), lanes);
        }
        true
    }
}
