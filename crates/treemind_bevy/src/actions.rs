//! Actions: types that are on an entity while it does something, or messages about it.

use crate::brains::Brains;
use crate::link::Link;
use crate::mind::Agent;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::any::{Any, TypeId};
use treemind::{ActionType, Outcome, Status, TaskError};

/// An entity has begun an action. Written for actions of [`add_action_messages`](crate::TreemindApp::add_action_messages).
#[derive(Message, Clone, Debug)]
pub struct Started<T: Send + Sync + 'static> {
    /// Who.
    pub entity: Entity,
    /// What, with its parameters.
    pub action: T,
}

/// An entity has ended an action. Written for actions of [`add_action_messages`](crate::TreemindApp::add_action_messages);
/// each [`Started`] has exactly one, also when the entity was despawned.
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

/// Also disabled entities: what they did has been stopped, so nothing happens to them.
pub(crate) type Allow = bevy_ecs::query::Allow<bevy_ecs::entity_disabling::Disabled>;

/// What becomes of the runs of a type of action when a tick is over.
type Apply<T> = fn(&mut World, &[Entity], &mut Vec<(usize, Change<T>)>, &mut [u16]);

pub(crate) enum Change<T> {
    Start(T),
    Stop(Outcome),
}

/// How an action has ended for an agent that does not know it yet.
#[derive(Clone, Copy, PartialEq)]
enum End {
    None,
    Success,
    Failure,
}

/// The runs of one type of action in one population.
pub(crate) struct Runs<T> {
    /// By agent: how many of its nodes run it.
    active: Vec<u16>,
    ends: Vec<End>,
    /// The agents with an end.
    ended: Vec<usize>,
    changes: Vec<(usize, Change<T>)>,
    apply: Apply<T>,
}

impl<T> Runs<T> {
    pub(crate) fn new(apply: Apply<T>) -> Self {
        Self {
            active: Vec::new(),
            ends: Vec::new(),
            ended: Vec::new(),
            changes: Vec::new(),
            apply,
        }
    }

    fn end(&mut self, index: usize, is_success: bool) {
        // A run that is over cannot end again; a new one has not been told of.
        if self.active[index] > 0 && self.ends[index] == End::None {
            self.ends[index] = match is_success {
                true => End::Success,
                false => End::Failure,
            };
            self.ended.push(index);
        }
    }
}

/// [`Runs`] of some type.
pub(crate) trait AnyRuns: Send + Sync {
    fn grow(&mut self, agents: usize);
    fn apply(&mut self, entities: &[Entity], world: &mut World);
    /// A run goes on that began before it was saved.
    fn resume(&mut self, agent: usize);
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Send + Sync + 'static> AnyRuns for Runs<T> {
    fn grow(&mut self, agents: usize) {
        self.active.resize(agents, 0);
        self.ends.resize(agents, End::None);
    }

    fn apply(&mut self, entities: &[Entity], world: &mut World) {
        for index in self.ended.drain(..) {
            self.ends[index] = End::None;
        }
        if !self.changes.is_empty() {
            (self.apply)(world, entities, &mut self.changes, &mut self.active);
        }
    }

    fn resume(&mut self, agent: usize) {
        self.active[agent] += 1;
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Link {
    /// The runs of a type of action.
    #[inline]
    pub(crate) fn runs_of<T: 'static>(&mut self) -> Option<&mut Runs<T>> {
        let number = *self.numbers.get(&TypeId::of::<T>())?;
        self.runs[number].as_any().downcast_mut()
    }
}

/// The component is on the entity while the action runs.
pub(crate) fn as_component<T: Component>(
    world: &mut World,
    entities: &[Entity],
    changes: &mut Vec<(usize, Change<T>)>,
    active: &mut [u16],
) {
    for (index, change) in changes.drain(..) {
        let entity = world.get_entity_mut(entities[index]);
        match change {
            Change::Start(action) => {
                active[index] += 1;
                if let Ok(mut entity) = entity {
                    entity.insert(action);
                }
            }
            Change::Stop(_) => {
                active[index] = active[index].saturating_sub(1);
                if let (Ok(mut entity), 0) = (entity, active[index]) {
                    entity.remove::<T>();
                }
            }
        }
    }
}

/// Messages tell when the action starts and stops.
pub(crate) fn as_messages<T: Send + Sync + 'static>(
    world: &mut World,
    entities: &[Entity],
    changes: &mut Vec<(usize, Change<T>)>,
    active: &mut [u16],
) {
    if let Some(mut messages) = world.get_resource_mut::<Messages<Stopped<T>>>() {
        for (index, change) in &*changes {
            if let Change::Stop(outcome) = change {
                messages.write(Stopped {
                    entity: entities[*index],
                    outcome: *outcome,
                    marker: std::marker::PhantomData,
                });
            }
        }
    }
    let mut messages = world.get_resource_mut::<Messages<Started<T>>>();
    for (index, change) in changes.drain(..) {
        match change {
            Change::Stop(_) => active[index] = active[index].saturating_sub(1),
            Change::Start(action) => {
                active[index] += 1;
                if let Some(messages) = &mut messages {
                    let entity = entities[index];
                    messages.write(Started { entity, action });
                }
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
            runs.changes
                .push((me.index(), Change::Start(self.0.clone())));
        }
        Ok(())
    }

    fn update(
        &self,
        (): &mut (),
        link: &mut Link,
        me: &mut treemind::Agent<'_, '_>,
    ) -> Result<Status, TaskError> {
        let end = link.runs_of::<T>().map(|runs| runs.ends[me.index()]);
        Ok(match end {
            Some(End::Success) => Status::Success,
            Some(End::Failure) => Status::Failure,
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
            runs.changes.push((me.index(), Change::Stop(outcome)));
        }
        Ok(())
    }
}
