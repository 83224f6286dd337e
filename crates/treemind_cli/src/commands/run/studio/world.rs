//! The arena as the page draws it.

use super::super::player::Player;
use serde_json::{Value, json};
use treemind_arena::{Cell, DoorState, Grid, Scenario, Vital, World};

/// What never changes: the walls and the named places.
pub(super) fn ground(world: &World) -> Value {
    ground_of(world.ground().grid(), world.scenario())
}

/// The walls and the named places of a map.
pub(super) fn ground_of(grid: &Grid, scenario: &Scenario) -> Value {
    let row = |y: i32| -> String {
        let cells = (0..grid.width()).map(|x| grid.is_wall(Cell { x, y }));
        cells.map(|wall| if wall { '#' } else { ' ' }).collect()
    };
    let rows: Vec<String> = (0..grid.height()).map(row).collect();
    let spots = scenario.spots.iter();
    let spots: Vec<Value> = spots
        .map(|spot| json!({"name": spot.name, "sign": spot.sign, "x": spot.cell.x, "y": spot.cell.y}))
        .collect();
    json!({"rows": rows, "spots": spots})
}

/// Who and what is where, as one mind sees it.
pub(super) fn scene(player: &Player, world: &World, mind: usize) -> Value {
    let metres = |mm: i32| f64::from(mm) / 1_000.0;
    let focus = player.minds()[mind].who();
    let ids = world.ids().filter(|who| world.body(*who).is_there());
    let bodies: Vec<Value> = ids
        .map(|who| {
            let body = world.body(who);
            json!({
                "name": body.name(),
                "sign": body.traits().sign,
                "x": metres(body.place().x_mm),
                "y": metres(body.place().y_mm),
                "face": [metres(body.facing().x), metres(body.facing().y)],
                "state": state(body.vital()),
                "health": body.health(),
                "most": body.traits().health,
                "strikes": body.swing().is_some(),
                "hurt": body.hurt_tick().is_some_and(|hurt| world.tick() < hurt + 5),
                "mind": player.mind_of(who),
                "enemy": focus.is_some_and(|focus| body.is_enemy_of(world.body(focus))),
            })
        })
        .collect();
    let things = world.things().iter();
    let things: Vec<Value> = things
        .map(|thing| {
            let is_open = thing.door == DoorState::Open;
            json!({"kind": thing.kind.word(), "name": thing.name, "x": thing.cell.x, "y": thing.cell.y, "open": is_open})
        })
        .collect();
    let mut scene = json!({"bodies": bodies, "things": things});
    if let Some(focus) = focus.filter(|focus| world.body(*focus).is_up()) {
        let grid = world.ground().grid();
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell { x, y }));
        let seen = cells.filter(|cell| !grid.is_wall(*cell) && world.sees(focus, *cell));
        scene["seen"] = seen.map(|cell| json!([cell.x, cell.y])).collect();
        let way = world.body(focus).way();
        scene["way"] = way.map(|cell| json!([cell.x, cell.y])).collect();
    }
    scene
}

fn state(vital: Vital) -> &'static str {
    match vital {
        Vital::Outside => "outside",
        Vital::Up => "up",
        Vital::Out(_) => "out",
        Vital::Tied => "tied",
        Vital::Dead => "dead",
        Vital::Gone => "gone",
    }
}
