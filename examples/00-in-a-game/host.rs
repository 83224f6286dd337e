//! A guard in a game of its own: a world, closures, an action with a parameter, a loop of ticks.
use serde::Deserialize;
use std::{error::Error, time::Duration};
use treemind::prelude::*;

/// Places in a corridor, in metres, and hit points.
struct World {
    guard: f32,
    health: f32,
    enemy: f32,
    enemy_health: f32,
}

/// What `action attack range=1.5` is; its fields are the parameters.
#[derive(Deserialize)]
struct Attack {
    range: f32,
}

impl ActionType<World> for Attack {
    type State = f64; // of each run: when the last blow fell, in seconds

    fn update(&self, last: &mut f64, w: &mut World, me: &mut Agent) -> Result<Status, TaskError> {
        if w.enemy - w.guard > self.range {
            w.guard += 3.0 * me.dt_secs() as f32;
        } else if me.now_secs() - *last > 0.5 {
            *last = me.now_secs();
            w.enemy_health -= 15.0;
            w.health -= if w.enemy_health > 0.0 { 30.0 } else { 0.0 };
        }
        Ok(Status::Running)
    }
}

/// Plays twelve seconds, and writes down each of them.
pub fn play(document: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut registry = Registry::<World>::new();
    registry
        .condition("see-enemy", |w, _| {
            w.enemy_health > 0.0 && w.enemy < w.guard + 8.0
        })
        .condition("enemy-dead", |w, _| w.enemy_health <= 0.0)
        .action_type::<Attack>("attack")
        .action("run-away", |w, me| {
            w.guard -= 4.0 * me.dt_secs() as f32;
            Status::Running
        })
        .action("patrol", |w, me| {
            w.guard += me.dt_secs() as f32;
            w.health = (w.health + 5.0).min(100.0); // it does him good
            Status::Running
        });
    let mut mind = Mind::read(document, "guard.kdl", &registry)?; // an error names every leaf that is missing
    let mut w = World {
        guard: 4.0,
        health: 100.0,
        enemy: 12.0,
        enemy_health: 60.0,
    };
    let mut log = String::new();
    for tick in 0..120 {
        mind.set("health", w.health)?;
        mind.tick(&mut w, Duration::from_millis(100));
        if tick % 10 == 9 {
            log += &format!(
                "at {:4.1} m, {} against {}\n",
                w.guard, w.health, w.enemy_health
            );
        }
    }
    Ok(log)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!(
        "{}",
        play(&std::fs::read("examples/00-in-a-game/guard.kdl")?)?
    );
    Ok(())
}
