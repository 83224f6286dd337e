//! Guards and a door in a museum at night, with the live view in the terminal: `cargo run -p treemind_view --example museum`.
use std::{error::Error, time::Duration};
use treemind::prelude::*;
use treemind_view::View;

const GUARDS: &str = r#"
leaves {
    condition hear-thief
    action follow doc="walks to where the noise was"
    action patrol doc="walks up and down the hall"
    action rest
}
blackboard { key tired type=int; key left type=bool; }
tree guard {
    reactive-selector {
        reactive-sequence { condition hear-thief; action follow name=hunt; }
        sequence { check "tired > 60"; timeout 2.0 { action rest; }; }
        action patrol
    }
}"#;

const DOOR: &str = r#"
blackboard { key near type=bool doc="a guard stands beside it"; }
machine door {
    initial shut
    state shut { transition to=open when="near"; }
    state open { transition to=shut when="!near" after=1.0; }
}"#;

/// Places in a hall, in steps.
struct World {
    guards: Vec<i64>,
    thief: i64,
    door: i64,
    tick: i64,
}

const HALL: i64 = 30;

impl World {
    /// The thief walks along the hall, and escapes to another part of it when a guard has got it. Returns whether one has.
    fn go_on(&mut self) -> bool {
        self.tick += 1;
        let is_caught = self.guards.contains(&self.thief);
        if is_caught {
            self.thief += 11;
        } else if self.tick % 3 == 0 {
            self.thief += 1;
        }
        self.thief %= HALL;
        is_caught
    }

    /// The hall from above.
    fn picture(&self) -> String {
        let mut hall: Vec<char> = (0..=HALL).map(|_| '.').collect();
        hall[self.door as usize] = 'D';
        hall[self.thief as usize] = 'T';
        for (nth, at) in self.guards.iter().enumerate() {
            hall[*at as usize] = char::from(b'1' + nth as u8);
        }
        let hall: String = hall.into_iter().collect();
        format!("{hall}\nthe thief is at {}", self.thief)
    }
}

/// Walks from one place to another, step by step.
fn walk(from: &mut i64, to: i64) {
    *from += (to - *from).signum();
}

/// Plays until the user quits, or so many ticks.
pub fn play(view: View) -> Result<(), Box<dyn Error>> {
    let mut leaves = Registry::<World>::new();
    leaves
        .condition("hear-thief", |world, me| {
            (world.thief - world.guards[me.index()]).abs() < 4
        })
        .action("follow", |world, me| {
            let thief = world.thief;
            walk(&mut world.guards[me.index()], thief);
            Status::Running
        })
        .action("patrol", |world, me| {
            let (at, left) = (world.guards[me.index()], me.get::<bool>("left"));
            me.set("left", if left { at > 0 } else { at == HALL });
            me.set("tired", me.get::<i64>("tired") + 1);
            walk(&mut world.guards[me.index()], if left { 0 } else { HALL });
            Status::Running
        })
        .action("rest", |_, me| {
            me.set("tired", me.get::<i64>("tired") - 3);
            Status::Running
        });
    let mut guards = Minds::read(GUARDS.as_bytes(), "guards.kdl", &leaves, 3)?;
    let mut door = Mind::read(DOOR.as_bytes(), "door.kdl", &leaves)?;
    let mut world = World {
        guards: vec![4, 15, 26],
        thief: 20,
        door: 10,
        tick: 0,
    };

    let mut view = view.title("museum");
    view.watch(&mut guards, "guard");
    view.watch(&mut door, "door");
    let tick = Duration::from_millis(100);
    while view.goes_on()? {
        if world.go_on() {
            view.note("the thief was caught, and escapes");
        }
        guards.tick(&mut world, tick);
        let near = world.guards.iter().any(|at| (at - world.door).abs() < 2);
        door.set("near", near)?;
        door.tick(&mut world, tick);
        view.panel(world.picture());
    }
    guards.stop(&mut world);
    door.stop(&mut world);
    view.finish()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    play(View::new())
}
