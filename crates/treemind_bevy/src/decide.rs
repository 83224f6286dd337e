//! Decision trees that systems ask.

use crate::brain::{Brain, BrainProblem};
use crate::brains::{Brains, report};
use crate::facts::{FactWriter, Target, has_keys};
use crate::leaves::{Leaves, Parts, Role};
use crate::link::Link;
use crate::mind::Agent;
use bevy_asset::{AssetId, Assets, Handle};
use bevy_ecs::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use treemind::blackboard::{KeyId, Type, Value};
use treemind::core::behaviour::LeafKind;
use treemind::core::host::{Answers, Call, Candidates, Host, Lanes, Pairs};
use treemind::population::{BoundHost, Population, Program};
use treemind::{Outcome, Status};

/// A question for [`decide`].
#[derive(Clone, Debug)]
pub struct Ask {
    /// For whom.
    pub entity: Entity,
    /// The document.
    pub brain: Handle<Brain>,
    /// Which decision tree of it; it may also be a tree, a machine or an archetype. By default what the document names
    /// as its `main`, or its only one.
    pub runs: Option<String>,
}

impl Ask {
    /// Asks what the document names as its `main`, or has only one of.
    pub fn new(entity: Entity, brain: Handle<Brain>) -> Self {
        Self {
            entity,
            brain,
            runs: None,
        }
    }

    /// Asks a decision tree by its name.
    #[must_use]
    pub fn running(self, name: impl Into<String>) -> Self {
        Self {
            runs: Some(name.into()),
            ..self
        }
    }
}

/// What a decision tree says: an action, and its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// For whom.
    pub entity: Entity,
    /// The name of the action in the document.
    pub action: String,
    /// The parameters in order, with their names.
    pub params: Vec<(String, Value)>,
}

impl Decision {
    /// A parameter by its name.
    pub fn param(&self, name: &str) -> Option<Value> {
        let found = self.params.iter().find(|(param, _)| param == name);
        found.map(|(_, value)| *value)
    }
}

/// A system that asks a decision tree what an entity should do. Nothing is begun: the answer is the first action that the
/// tree would begin. None if there is nothing to do, or the brain is not loaded; what is wrong with the document is
/// written as a [`BrainProblem`].
///
/// Conditions look at the entity. Keys have the facts of its components, else the values of its own mind, if that knows
/// keys of these names and types, else their defaults. Every action needs a name in the app: see
/// [`add_answer`](crate::TreemindApp::add_answer).
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use treemind_bevy::prelude::*;
///
/// # #[derive(Component)] struct Shopper;
/// # #[derive(Resource)] struct Shops(bevy_asset::Handle<Brain>);
/// fn next(shoppers: Query<Entity, With<Shopper>>, shops: Res<Shops>) -> Option<Ask> {
///     let shopper = shoppers.iter().next()?;
///     Some(Ask::new(shopper, shops.0.clone()).running("what-to-buy"))
/// }
///
/// fn buy(In(decision): In<Option<Decision>>, mut commands: Commands) {
///     if let Some(decision) = decision {
///         println!("{} buys {:?}", decision.entity, decision.param("what"));
///     }
/// }
///
/// # fn plugin(app: &mut App) {
/// app.add_systems(Update, next.pipe(decide).pipe(buy));
/// # }
/// ```
pub fn decide(In(ask): In<impl Into<Option<Ask>>>, world: &mut World) -> Option<Decision> {
    let ask: Ask = ask.into()?;
    let decision = world.resource_scope(|world, mut deciders: Mut<'_, Deciders>| {
        world.resource_scope(|world, leaves: Mut<'_, Leaves>| deciders.ask(&ask, world, &leaves))
    });
    report(world);
    decision
}

/// The decision trees that were asked.
#[derive(Resource, Default)]
pub(crate) struct Deciders {
    /// None for those that have problems.
    known: HashMap<Role, Option<Decider>>,
}

/// Somebody who decides, and has not been asked yet.
struct Decider {
    parts: Parts,
    link: Link,
    population: Population,
}

impl Deciders {
    /// A document has changed.
    pub(crate) fn forget(&mut self, brain: AssetId<Brain>) {
        self.known.retain(|role, _| role.0 != brain);
    }

    fn ask(&mut self, ask: &Ask, world: &mut World, leaves: &Leaves) -> Option<Decision> {
        let role = (ask.brain.id(), ask.runs.clone());
        if !self.known.contains_key(&role) {
            let brain = world.resource::<Assets<Brain>>().get(role.0)?;
            let made = Decider::new(&role, brain, leaves);
            if let Err(text) = &made {
                let problem = BrainProblem {
                    brain: role.0,
                    text: text.clone(),
                };
                world.resource_mut::<Brains>().problems.push(problem);
            }
            self.known.insert(role.clone(), made.ok());
        }
        let decider = self.known.get_mut(&role)?.as_mut()?;
        decider.ask(ask.entity, world, leaves)
    }
}

impl Decider {
    fn new(role: &Role, brain: &Brain, leaves: &Leaves) -> Result<Self, String> {
        let parts = leaves.prepare(role, brain)?;
        let mut link = leaves.link();
        link.grow(1);
        Ok(Self {
            population: Population::new(Arc::clone(&parts.program), 1),
            parts,
            link,
        })
    }

    fn ask(&mut self, entity: Entity, world: &mut World, leaves: &Leaves) -> Option<Decision> {
        self.link.welcome(0, entity);
        // As it was before anybody was asked.
        let mut population = self.population.clone();
        let of_mind = keys_of_mind(&population, entity, world);
        let facts = self.facts(entity, world, leaves)?;
        for (key, value) in of_mind.into_iter().chain(facts) {
            match value {
                // Its type was compared before.
                Some(value) => drop(population.set(0, key, value)),
                None => drop(population.board(0).unset(key, 0)),
            }
        }
        let bound = &self.parts.bound;
        let answer = self.link.with(world, |link| {
            let mut host = Answering {
                game: bound.host(link),
                program: &self.parts.program,
                answer: None,
            };
            population.tick(&mut host, Duration::ZERO);
            host.answer
        });
        for fault in population.take_faults().iter() {
            let problem = BrainProblem {
                brain: self.parts.role.0,
                text: fault.to_string(),
            };
            world.resource_mut::<Brains>().problems.push(problem);
        }
        let (action, params) = answer?;
        Some(Decision {
            entity,
            action,
            params,
        })
    }

    /// Notes the conditions that are facts; returns those that are keys.
    fn facts(
        &mut self,
        entity: Entity,
        world: &World,
        leaves: &Leaves,
    ) -> Option<Vec<(KeyId, Option<Value>)>> {
        let entity = world.get_entity(entity).ok()?;
        let mut keys = Vec::new();
        for set in &leaves.fact_sets {
            let Some(targets) = self.parts.targets.get(&set.ty) else {
                continue;
            };
            let mut words = vec![0; targets.len()];
            let mut writer = FactWriter {
                targets,
                has_keys: has_keys(targets),
                words: &mut words,
                keys: &mut keys,
                index: 0,
            };
            (set.tell_one)(entity, &mut writer);
            for (target, holds) in targets.iter().zip(words) {
                if let Target::Condition(number) = target {
                    self.link.set_flags(*number, 0, 1, holds);
                }
            }
        }
        let keys = keys.into_iter().map(|(_, key, value)| (key, value));
        Some(keys.collect())
    }
}

/// The keys that an entity's own mind has, too.
fn keys_of_mind(asked: &Population, entity: Entity, world: &World) -> Vec<(KeyId, Option<Value>)> {
    let agent = world.get::<Agent>(entity);
    let place = agent.and_then(|agent| world.resource::<Brains>().mind(agent));
    let Some((mind, index)) = place else {
        return Vec::new();
    };
    let (there, here) = (mind.program().behaviour(), asked.program().behaviour());
    let keys = here.keys().iter().zip(0..).filter_map(|(key, number)| {
        let of_mind = there.key_id(&key.name)?;
        if there.key(of_mind).form.is_list() || key.form.is_list() {
            return None;
        }
        let value = match mind.find(index, of_mind) {
            // Each program has its own numbers for words.
            Some(Value::Enum(list, word)) => {
                let Type::Enum(own) = key.ty else { return None };
                let word = &there.enums()[list.index()].values[word as usize];
                let mut words = here.enums()[own.index()].values.iter();
                Value::Enum(own, words.position(|other| other == word)? as u32)
            }
            Some(value) if value.ty() == key.ty => value,
            Some(_) => return None,
            None => return Some((KeyId::new(number), None)),
        };
        Some((KeyId::new(number), Some(value)))
    });
    keys.collect()
}

/// Answers conditions for the game, and notes which action is begun.
struct Answering<'w> {
    game: BoundHost<'w, 'w, Link>,
    program: &'w Program,
    answer: Option<(String, Vec<(String, Value)>)>,
}

impl Host for Answering<'_> {
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.game.ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let leaf = self.program.behaviour().leaf(call.leaf());
        let is_action = matches!(leaf.kind, LeafKind::Action { .. });
        if let (true, None, Some(agent)) = (is_action, &self.answer, lanes.iter().next()) {
            let params = leaf.params.iter().enumerate();
            let params = params.map(|(at, param)| (param.name.clone(), call.arg(at, agent)));
            self.answer = Some((leaf.name.clone(), params.collect()));
        }
    }

    fn update(&mut self, _: &mut Call<'_>, _: Lanes<'_>, answers: &mut Answers<'_>) {
        // Nobody waits for it.
        answers.set_others(Status::Success);
    }

    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.game.sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.game.candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.game.measure(call, pairs);
    }
}
