//! The arena as the page draws it.

use super::super::player::Player;
use treemind_arena::{Cell, DoorState, Grid, Scenario, Vital, World};
use treemind_replay::view::protocol::{self, Ground, Scene, Spot};

/// What never changes: the walls and the named places.
pub(super) fn ground(world: &World) -> Ground {
    ground_of(world.ground().grid(), world.scenario())
}

/// The walls and the named places of a map.
pub(super) fn ground_of(grid: &Grid, scenario: &Scenario) -> Ground {
    let row = |y: i32| -> String {
        let cells = (0..grid.width()).map(|x| grid.is_wall(Cell { x, y }));
        cells.map(|wall| if wall { '#' } else { ' ' }).collect()
    };
    let rows: Vec<String> = (0..grid.height()).map(row).collect();
    let spots = scenario.spots.iter();
    let spots = spots.map(|spot| Spot {
        name: spot.name.clone(),
        sign: spot.sign,
        x: spot.cell.x,
        y: spot.cell.y,
    });
    Ground {
        rows,
        spots: spots.collect(),
    }
}

/// Who and what is where, as one mind sees it.
pub(super) fn scene(player: &Player, world: &World, mind: usize) -> Scene {
    let metres = |mm: i32| f64::from(mm) / 1_000.0;
    let focus = player.minds()[mind].who();
    let ids = world.ids().filter(|who| world.body(*who).is_there());
    let bodies = ids.map(|who| {
        let body = world.body(who);
        protocol::Body {
            name: body.name().to_owned(),
            sign: body.traits().sign,
            x: metres(body.place().x_mm),
            y: metres(body.place().y_mm),
            face: (metres(body.facing().x), metres(body.facing().y)),
            state: state(body.vital()),
            health: body.health(),
            most: body.traits().health,
            strikes: body.swing().is_some(),
            hurt: body.hurt_tick().is_some_and(|hurt| world.tick() < hurt + 5),
            mind: player.mind_of(who),
            enemy: focus.is_some_and(|focus| body.is_enemy_of(world.body(focus))),
        }
    });
    let things = world.things().iter().map(|thing| protocol::Thing {
        kind: thing.kind.word(),
        name: thing.name.clone(),
        x: thing.cell.x,
        y: thing.cell.y,
        open: thing.door == DoorState::Open,
    });
    let mut scene = Scene {
        bodies: bodies.collect(),
        things: things.collect(),
        ..Scene::default()
    };
    if let Some(focus) = focus.filter(|focus| world.body(*focus).is_up()) {
        let grid = world.ground().grid();
        let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell { x, y }));
        let seen = cells.filter(|cell| !grid.is_wall(*cell) && world.sees(focus, *cell));
        scene.seen = Some(seen.map(|cell| (cell.x, cell.y)).collect());
        let way = world.body(focus).way();
        scene.way = Some(way.map(|cell| (cell.x, cell.y)).collect());
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
