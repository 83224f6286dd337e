//! A cast in a game of its own: gunners and a carrier have different minds and one store of ammunition.
use std::{error::Error, time::Duration};
use treemind::prelude::*;

/// Who shot, and who was hit and left.
#[derive(Default)]
struct World {
    shots: usize,
    fallen: Vec<AgentId>,
}

/// Plays eight steps, and writes down each of them.
pub fn play(gunners: &str, carriers: &str) -> Result<String, Box<dyn Error>> {
    let mut leaves = Registry::<World>::new();
    leaves
        .action("shoot", |world, me| {
            world.shots += 1;
            // Every third shot is answered. Who has no health left is gone when the step ends.
            if world.shots % 3 == 0 {
                let health = me.get::<i64>("health") - 1;
                me.set("health", health);
                if health == 0 {
                    world.fallen.push(me.id());
                    me.remove();
                }
            }
            Status::Success
        })
        .action("hide", |_, _| Status::Success)
        .action("fetch", |_, _| Status::Success);

    let mut cast = Cast::new(leaves);
    cast.add(&Document::parse(gunners, "gunner.kdl"))?;
    cast.add(&Document::parse(carriers, "carrier.kdl"))?;
    let carrier = cast.spawn("carrier", 1)?[0];
    let mut gunners = [cast.spawn("gunner", 2)?, cast.spawn("veteran", 1)?].concat();

    let (mut world, mut log) = (World::default(), String::new());
    for step in 1..=8 {
        cast.step(&mut world, Duration::from_millis(100));
        let ammo: i64 = cast.get(carrier, "ammo")?;
        log += &format!("step {step}: {} shots, ammunition {ammo}\n", world.shots);
        for fallen in world.fallen.drain(..) {
            gunners.retain(|gunner| *gunner != fallen);
            let new = cast.spawn("gunner", 1)?[0];
            gunners.push(new);
            log += &format!("gunner {} falls, another comes\n", fallen.index());
            // The newcomer has the index of who fell, and never its handle.
            assert!(new.index() == fallen.index() && !cast.is_alive(fallen));
        }
    }
    cast.remove_many(&gunners, &mut world);
    Ok(log)
}

fn main() -> Result<(), Box<dyn Error>> {
    let read = |name| std::fs::read_to_string(format!("examples/00-in-a-game/{name}"));
    print!("{}", play(&read("gunner.kdl")?, &read("carrier.kdl")?)?);
    Ok(())
}
