//! A small game, as its developer would test it: two hunters of different archetypes, and a wolf.

use serde::Deserialize;
use std::{sync::Arc, time::Duration};
use treemind::population::{Population, Program};
use treemind::prelude::*;

const HUNTERS: &str = r#"
blackboard { key range type=float default=1.5; key damage type=int default=4; }
leaves {
    condition wolf-within { param range type=float; }
    action chase { param speed type=float default=2.0; }
    action strike { param damage type=int; param windup type=double default=0.2; }
    action howl instant=#true
}
tree hunter {
    reactive-sequence {
        reactive-selector { condition wolf-within range="{range}"; action chase; }
        action strike damage="{damage}"
        action howl
    }
}
archetype archer tree=hunter { given range=10.0 damage=1; }
archetype swordsman tree=hunter
"#;

struct World {
    hunters: Vec<f32>,
    wolf: f32,
    wolf_health: i64,
    log: Vec<String>,
}

#[derive(Deserialize)]
struct WolfWithin {
    range: f32,
}

impl ConditionType<World> for WolfWithin {
    fn ask(&self, world: &World, me: &Agent) -> Result<Status, TaskError> {
        Ok(((world.wolf - world.hunters[me.index()]).abs() <= self.range).into())
    }
}

#[derive(Deserialize)]
struct Strike {
    damage: i64,
    windup: f64,
}

impl ActionType<World> for Strike {
    /// How long the arm has been raised, in seconds.
    type State = f64;

    fn update(
        &self,
        raised: &mut f64,
        world: &mut World,
        me: &mut Agent,
    ) -> Result<Status, TaskError> {
        *raised += me.dt_secs();
        if *raised < self.windup {
            return Ok(Status::Running);
        }
        world.wolf_health -= self.damage;
        Ok(Status::Success)
    }

    fn stop(
        &self,
        raised: &mut f64,
        world: &mut World,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        world
            .log
            .push(format!("{} {outcome} after {raised:.1} s", me.index()));
        Ok(())
    }
}

#[test]
fn the_archer_shoots_while_the_swordsman_is_still_running() -> Result<(), Box<dyn std::error::Error>>
{
    let document = Document::parse(HUNTERS, "hunters.kdl");
    let hunter = document.behaviour(Some("hunter"))?;
    let mut registry = Registry::<World>::new();
    registry
        .condition_type::<WolfWithin>("wolf-within")
        .action("chase", |world, me| {
            world.hunters[me.index()] += me.arg::<f32>("speed") * me.dt_secs() as f32;
            Status::Running
        })
        .action_type::<Strike>("strike")
        .scripted("howl", [Status::Failure]); // its code does not exist yet
    let bound = registry.bind(&hunter)?;
    let starts =
        ["archer", "swordsman"].map(|name| document.archetype(name).unwrap().start(&hunter));
    let mut hunters = Population::new(Arc::new(Program::new(hunter)), 0);
    for start in starts {
        hunters.spawn_as(&start)?;
    }

    let mut world = World {
        hunters: vec![0.0, 0.0],
        wolf: 3.0,
        wolf_health: 6,
        log: Vec::new(),
    };
    let mut ticks = 0;
    while world.wolf_health > 0 {
        hunters.tick(&mut bound.host(&mut world), Duration::from_millis(100));
        ticks += 1;
    }
    // The swordsman runs 1.6 metres in 8 ticks and strikes in 2; the archer has shot as often as it had time for.
    assert_eq!((ticks, world.wolf_health), (10, -3));
    assert_eq!(world.log[..5], ["0 success after 0.2 s"; 5]);
    assert_eq!(world.log[5..], ["1 success after 0.2 s"]);

    // Aborted actions are stopped, and nothing went wrong.
    hunters.tick(&mut bound.host(&mut world), Duration::from_millis(100));
    hunters.remove(0, &mut bound.host(&mut world));
    assert_eq!(world.log.last().unwrap(), "0 aborted after 0.1 s");
    assert_eq!(hunters.take_faults().total(), 0);
    Ok(())
}
