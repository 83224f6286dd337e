//! Programs that do not compile, so that `messages.rs` can read what the compiler says about them. What it should say
//! is in `bounds.txt`.

use std::time::Duration;
use treemind::blackboard::{Text, Value};
use treemind::population::{Host, Population, Tally};
use treemind::prelude::*;
use treemind::world::{Lent, WorldFamily};
use treemind::{NodeType, Observed, ServiceType};

struct World {
    hunger: u8,
}

struct Other;

struct Ctx<'a> {
    world: &'a mut World,
}

struct Game;

struct Walk;

fn closures(leaves: &mut Registry<World>) {
    leaves.condition("hungry", |world, _| world.hunger);
    leaves.action("eat", |world, _| {
        world.hunger = 0;
    });
    leaves.service("look", |world, _| world.hunger);
    leaves.sensor("hunger", |world: &World, _: &Agent| world.hunger);
    leaves.action_with("walk", Walk);
    leaves.action_with("other", update(|_: &mut Other, _: &mut Agent| Status::Running));
    leaves.action_with(
        "stopped",
        update(|_: &mut World, _: &mut Agent| Status::Running)
            .stop(|world: &mut World, _: &mut Agent, _: Outcome| world.hunger),
    );
}

fn types(leaves: &mut Registry<World>) {
    leaves.action_type::<Walk>("walk");
    leaves.condition_type::<Walk>("at-home");
    leaves.service_type::<Walk>("look");
    leaves.decorator_type::<Walk>("often");
    leaves.param("speed", 1_u8, "");
}

fn keys(leaves: &mut Registry<World>, me: &mut Agent, cast: &mut Cast<World>, agent: AgentId) {
    cast.set(agent, "hunger", 3_u8).unwrap();
    cast.set(agent, "name", String::new()).unwrap();
    cast.set(agent, "friend", agent).unwrap();
    leaves.key::<usize>("hunger");
    me.set(3, 1_i64);
    let speed: f32 = me.arg(Some("speed"));
}

fn worlds() -> Registry<Lent<Game>> {
    Registry::new()
}

fn family<F: WorldFamily>() {}

fn no_family() {
    family::<Game>();
}

fn watched(cast: &mut Cast<World>, population: &mut Population, world: &mut World) {
    cast.observe(Box::new(Walk));
    watch(population);
    population.tick(world, Duration::from_millis(50));
}

fn watch(_: &mut impl Observed) {}
