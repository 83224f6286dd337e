//! Actions: types that are on an entity while it does something, or messages about it.

use crate::brains::Brains;
use crate::counts::Counts;
use crate::link::{Link, bits};
use crate::mind::Agent;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::any::{Any, TypeId};
use std::ops::Range;
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

/// Also disabled entities: what they did has been stopped, so nothing happens to them.
pub(crate) type Allow = bevy_ecs::query::Allow<bevy_ecs::entity_disabling::Disabled>;

/// What becomes of a change in Bevy's world: who has begun an action, or ended it, as bits of a word.
pub(crate) type Apply<T> = fn(&mut World, Agents<'_>, &Change<T>);

/// What has happened to agents in one call.
pub(crate) enum Change<T> {
    Start(T),
    Stop(Outcome),
}

/// The agents of a change.
pub(crate) struct Agents<'a> {
    entities: &'a [Entity],
    first_word: usize,
    words: &'a [u64],
    /// Those that have ended it everywhere: the action is one that several nodes can run at once.
    idle: &'a [u64],
}

impl Agents<'_> {
    fn in_words(&self, words: &[u64]) -> impl Iterator<Item = Entity> {
        let words = words.iter().zip(self.first_word..);
        words.flat_map(move |(word, place)| {
            bits(*word).map(move |bit| self.entities[place * 64 + bit])
        })
    }

    fn all(&self) -> impl Iterator<Item = Entity> {
        self.in_words(self.words)
    }

    fn idle(&self) -> impl Iterator<Item = Entity> {
        self.in_words(self.idle)
    }
}

/// A change, and for whom.
struct Block<T> {
    change: Change<T>,
    first_word: usize,
    words: Range<usize>,
}

/// The runs of one type of action in one population.
pub(crate) struct Runs<T> {
    /// How many nodes of each agent run it.
    active: Counts,
    /// How it has ended for agents that do not know it yet: success and failure.
    ends: [Vec<u64>; 2],
    has_ends: bool,
    /// Who has begun it in this tick, so that no end can be meant for it.
    fresh: Vec<u64>,
    /// What has happened in this tick.
    blocks: Vec<Block<T>>,
    words: Vec<u64>,
    /// How many blocks have been applied.
    applied: usize,
    /// Room for those who have ended it everywhere.
    idle: Vec<u64>,
    apply: Apply<T>,
}

impl<T> Runs<T> {
    pub(crate) fn new(apply: Apply<T>) -> Self {
        Self {
            active: Counts::default(),
            ends: [Vec::new(), Vec::new()],
            has_ends: false,
            fresh: Vec::new(),
            blocks: Vec::new(),
            words: Vec::new(),
            applied: 0,
            idle: Vec::new(),
            apply,
        }
    }

    fn end(&mut self, index: usize, is_success: bool) {
        let (word, bit) = (index / 64, 1 << (index % 64));
        let has_ended = self.ends.iter().any(|ends| ends[word] & bit != 0);
        // A run that is over cannot end again; a new one has not been told of.
        if self.active.any(word) & bit != 0 && !has_ended {
            self.ends[usize::from(!is_success)][word] |= bit;
            self.has_ends = true;
        }
    }

    fn change(&mut self, change: Change<T>, lanes: Lanes<'_>) {
        let from = self.words.len();
        self.words.extend_from_slice(lanes.words());
        let first_word = lanes.first_word();
        if let Change::Start(_) = change {
            let fresh = self.fresh[first_word..].iter_mut().zip(lanes.words());
            fresh.for_each(|(fresh, new)| *fresh |= new);
        }
        self.blocks.push(Block {
            change,
            first_word,
            words: from..self.words.len(),
        });
    }

    fn change_one(&mut self, change: Change<T>, index: usize) {
        let word = [1 << (index % 64)];
        self.change(change, Lanes::new(index / 64 * 64, &word));
    }

    /// The agents of a word to which this end can be told.
    #[inline]
    fn ended(&self, end: usize, word: usize) -> u64 {
        self.ends[end][word] & !self.fresh[word]
    }
}

/// [`Runs`] of some type.
pub(crate) trait AnyRuns: Send + Sync {
    fn grow(&mut self, words: usize);
    /// Applies what has happened to agents of words before this one, and was not applied yet. Calls are in ascending
    /// order.
    fn apply(&mut self, entities: &[Entity], before_word: usize, world: &mut World);
    /// A run continues that began before it was saved.
    fn resume(&mut self, agent: usize);
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<T: Send + Sync + 'static> AnyRuns for Runs<T> {
    fn grow(&mut self, words: usize) {
        self.active.grow(words);
        let [success, failure] = &mut self.ends;
        for column in [success, failure, &mut self.fresh] {
            column.resize(words, 0);
        }
    }

    fn apply(&mut self, entities: &[Entity], before_word: usize, world: &mut World) {
        while let Some(block) = self.blocks.get(self.applied)
            && block.first_word < before_word
        {
            self.applied += 1;
            let words = &self.words[block.words.clone()];
            let first_word = block.first_word;
            self.idle.clear();
            for (word, agents) in (first_word..).zip(words) {
                match block.change {
                    Change::Start(_) => {
                        self.active.add(word, *agents);
                        self.fresh[word] &= !agents;
                    }
                    Change::Stop(_) => {
                        self.idle.push(self.active.take(word, *agents));
                        for ends in &mut self.ends {
                            ends[word] &= !agents;
                        }
                    }
                }
            }
            let agents = Agents {
                entities,
                first_word,
                words,
                idle: &self.idle,
            };
            (self.apply)(world, agents, &block.change);
        }
        if self.applied == self.blocks.len() && self.applied > 0 {
            self.applied = 0;
            self.blocks.clear();
            self.words.clear();
            let mut ends = self.ends.iter().flatten();
            self.has_ends = self.has_ends && ends.any(|word| *word != 0);
        }
    }

    fn resume(&mut self, agent: usize) {
        self.active.add(agent / 64, 1 << (agent % 64));
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
