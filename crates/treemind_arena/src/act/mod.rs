//! What the arena offers to behaviours: conditions, sensors and actions, registered as any game would.

mod boss;
mod child;
mod deed;
mod fight;
mod hunt;
mod hunter;
mod intruder;
mod pet;
pub(crate) mod places;
mod robot;
mod soldier;
mod squad;
mod stage;
mod travel;
mod villager;
mod watchman;

use crate::ids::BodyId;
use crate::sense::{Fact, SENSES};
use crate::world::World;
use treemind::blackboard::{Entity, Value};
use treemind::core::host::Order;
use treemind::prelude::*;

/// The leaves of the arena. `docs/arena.md` describes each of them.
pub fn registry() -> Registry<World> {
    let mut registry = Registry::new();
    registry
        .order(Order::Sequential)
        .on_log(|world: &mut World, agent: &mut Agent, _: &str| say(world, agent));
    senses(&mut registry);
    fight::register(&mut registry);
    travel::register(&mut registry);
    places::register(&mut registry);
    boss::register(&mut registry);
    robot::register(&mut registry);
    intruder::register(&mut registry);
    soldier::register(&mut registry);
    watchman::register(&mut registry);
    child::register(&mut registry);
    hunt::register(&mut registry);
    hunter::register(&mut registry);
    squad::register(&mut registry);
    stage::register(&mut registry);
    pet::register(&mut registry);
    villager::register(&mut registry);
    registry
}

/// What an agent logs or emits goes to the log of the world, with its name.
pub(crate) fn say(world: &mut World, agent: &Agent<'_, '_>) {
    let text = agent.text_with(|value| match value {
        Value::Entity(entity) => world.name_of_entity(entity),
        _ => None,
    });
    let who = world.body(me(world, agent)).phrase();
    world.say(format!("{who}: {text}"));
}

/// The body of the agent in a call.
fn me(world: &World, agent: &Agent<'_, '_>) -> BodyId {
    world.acting(agent.index())
}

/// Every sense as a sensor.
fn senses(registry: &mut Registry<World>) {
    for sense in SENSES {
        match sense.fact {
            Fact::Truth(ask) => registry.sensor(sense.name, move |world: &World, agent: &Agent| {
                ask(world, me(world, agent))
            }),
            Fact::Count(ask) => registry.sensor(sense.name, move |world: &World, agent: &Agent| {
                ask(world, me(world, agent))
            }),
            Fact::Metres(ask) | Fact::Part(ask) => registry
                .sensor(sense.name, move |world: &World, agent: &Agent| {
                    ask(world, me(world, agent)) as f32 / 1_000.0
                }),
            Fact::Handle(ask) => registry
                .sensor(sense.name, move |world: &World, agent: &Agent| {
                    ask(world, me(world, agent)).map(Entity)
                }),
            Fact::Place(ask) => registry.sensor(sense.name, move |world: &World, agent: &Agent| {
                ask(world, me(world, agent)).map(places::metres)
            }),
        }
        .doc(sense.doc);
    }
}

/// A condition about the body of the agent in a call.
fn condition(
    registry: &mut Registry<World>,
    name: &str,
    doc: &str,
    ask: fn(&World, BodyId) -> bool,
) {
    registry
        .condition(name, move |world: &World, agent: &Agent| {
            ask(world, me(world, agent))
        })
        .doc(doc);
}
