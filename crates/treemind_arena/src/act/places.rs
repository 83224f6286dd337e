//! Places: what `find` looks at, what it measures, and walking there.

use super::deed::Deed;
use super::me;
use super::travel::{known_spot, status, towards};
use crate::body::Vital;
use crate::geometry::{CELL_MM, Cell, Facing, Point};
use crate::ids::BodyId;
use crate::sight::is_clear;
use crate::world::World;
use std::collections::HashMap;
use treemind::blackboard::{Entity, Value};
use treemind::core::host::Pairs;
use treemind::prelude::*;

/// A place as behaviours know it: metres to the right and downwards.
pub(crate) type Place = [f32; 2];

/// The length of a way that does not exist: farther than any map is wide.
const NO_WAY: f32 = 1_000.0;
/// How many points are on the circle around somebody, and where, in thousandths of its radius. The other quarters mirror
/// this one.
const QUARTER: [(i32, i32); 4] = [(1_000, 0), (924, 383), (707, 707), (383, 924)];

pub(super) fn register(registry: &mut Registry<World>) {
    registry
        .candidates(
            "cover-points",
            |world: &World, me, list: &mut dyn FnMut(Place) -> bool| {
                let range_mm = within_map(me.arg("range"));
                each(&cover_points(world, self::me(world, me), range_mm), list);
            },
        )
        .doc("the squares beside a wall inside the map, nearest first")
        .param(
            "range",
            12.0_f32,
            "how far away they are at most, in metres",
        )
        .candidates(
            "spots",
            |world: &World, me, list: &mut dyn FnMut(Place) -> bool| {
                let name: &str = me.arg("spot");
                known_spot(world, name)?;
                let spots: Vec<Point> = world.scenario.route(name).map(Cell::centre).collect();
                each(&spots, list);
                Ok::<_, TaskError>(())
            },
        )
        .doc("all spots with a name, in the order of the map; a fault if there is none")
        .required::<&str>("spot", "their name")
        .candidates(
            "points-around",
            |world: &World, me, list: &mut dyn FnMut(Place) -> bool| {
                let Entity(target) = me.arg("target");
                let radius_mm = within_map(me.arg("radius"));
                if let Some(place) = place_of_entity(world, target) {
                    each(&points_around(world, place, radius_mm), list);
                }
            },
        )
        .doc("sixteen points on a circle around somebody or something, without those in walls")
        .required::<Entity>("target", "in the middle")
        .param("radius", 4.0_f32, "how far from the middle, in metres");
    registry
        .measure("exposure", |world: &World, me, place: Place| {
            exposure(world, self::me(world, me), place)
        })
        .doc("to how many of the enemies that the actor is aware of a place is open, as a part of 1; 0 without an enemy")
        .required::<Place>("of", "the place")
        .measure_pairs("view", |world: &World, pairs: &mut Pairs| {
            for pair in 0..pairs.len() {
                if let (Value::Vec2(from), Value::Vec2(to)) = (pairs.arg(pair, 0), pairs.arg(pair, 1)) {
                    let is_clear = is_clear(world.ground(), point(from), point(to));
                    pairs.set(pair, if is_clear { 1.0 } else { 0.0 });
                }
            }
        })
        .doc("1 if nothing is between two places, otherwise 0")
        .required::<Place>("from", "the first place")
        .required::<Place>("to", "the other place")
        .measure_pairs("way", ways)
        .doc("how far the actor has to walk to a place, in metres; 1000 if there is no way")
        .required::<Place>("to", "the place");
    Deed::walk("walk-to", |world, me, agent| walk(world, me, agent, false)).register(
        registry,
        "walks to a place; success on arrival, failure when there is no way",
    );
    registry.required::<Place>("place", "the place, in metres");
    Deed::walk("run-to", |world, me, agent| walk(world, me, agent, true)).register(
        registry,
        "runs to a place; success on arrival, failure when there is no way",
    );
    registry.required::<Place>("place", "the place, in metres");
    Deed::new("watch", watch).register(registry, "looks at a place; never ends");
    registry.required::<Place>("place", "the place, in metres");
}

/// Lists places until there is no room for more.
fn each(places: &[Point], list: &mut dyn FnMut(Place) -> bool) {
    for place in places {
        if !list(metres(*place)) {
            return;
        }
    }
}

/// A place in metres. One division of exact numbers, which IEEE 754 rounds the same everywhere.
pub(crate) fn metres(place: Point) -> Place {
    [place.x_mm, place.y_mm].map(|mm| mm as f32 / 1_000.0)
}

/// A place of a behaviour; what is far outside of any map is outside of this one.
fn point([x, y]: Place) -> Point {
    // A number that is none becomes 0, and one that is too large becomes the largest: both are in walls.
    let mm = |metres: f32| (metres.clamp(-1_000.0, 1_000.0) * 1_000.0) as i32;
    Point {
        x_mm: mm(x),
        y_mm: mm(y),
    }
}

/// A distance in metres as millimetres, none below 0 and none beyond the map.
fn within_map(metres: f32) -> i32 {
    (metres.clamp(0.0, 1_000.0) * 1_000.0) as i32
}

fn cover_points(world: &World, who: BodyId, range_mm: i32) -> Vec<Point> {
    let (own, grid) = (world.body(who).place(), world.ground().grid());
    let reach = range_mm / CELL_MM + 1;
    let Cell { x, y } = own.cell();
    let rows = (y - reach).max(0)..=(y + reach).min(grid.height() - 1);
    let columns = (x - reach).max(0)..=(x + reach).min(grid.width() - 1);
    let cells = rows.flat_map(|y| columns.clone().map(move |x| Cell { x, y }));
    // The walls around the map hide nobody: nobody is behind them.
    let is_inside = |cell: &Cell| {
        (1..grid.width() - 1).contains(&cell.x) && (1..grid.height() - 1).contains(&cell.y)
    };
    let is_cover = |cell: &Cell| {
        let beside = [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(x, y)| Cell {
            x: cell.x + x,
            y: cell.y + y,
        });
        let mut walls = beside.iter().filter(|cell| is_inside(cell));
        !world.ground().is_blocked(*cell) && walls.any(|cell| grid.is_wall(*cell))
    };
    let mut found: Vec<(i32, Cell)> = cells
        .filter(is_cover)
        .map(|cell| (own.distance_mm(cell.centre()), cell))
        .filter(|(distance, _)| *distance <= range_mm)
        .collect();
    found.sort_by_key(|(distance, cell)| (*distance, cell.y, cell.x));
    found.into_iter().map(|(_, cell)| cell.centre()).collect()
}

fn points_around(world: &World, middle: Point, radius_mm: i32) -> Vec<Point> {
    let quarters = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    let all = quarters.into_iter().flat_map(|(cos, sin)| {
        // Turned by a quarter, and once more.
        QUARTER.map(|(x, y)| (cos * x - sin * y, sin * x + cos * y))
    });
    let length = Facing::LENGTH;
    let points = all.map(|(x, y)| Point {
        x_mm: middle.x_mm + (i64::from(x) * i64::from(radius_mm) / i64::from(length)) as i32,
        y_mm: middle.y_mm + (i64::from(y) * i64::from(radius_mm) / i64::from(length)) as i32,
    });
    points
        .filter(|point| !world.ground().is_blocked(point.cell()))
        .collect()
}

/// Where the body or the thing with this handle is.
fn place_of_entity(world: &World, entity: u64) -> Option<Point> {
    let body = world.body_of(entity).map(|who| world.body(who));
    let thing = || world.things().iter().find(|thing| thing.entity == entity);
    match body {
        Some(body) => (body.vital() != Vital::Gone).then(|| body.place()),
        None => thing().map(|thing| thing.cell.centre()),
    }
}

/// Of the enemies that a body is aware of, the part that could see it at a place.
fn exposure(world: &World, who: BodyId, place: Place) -> f32 {
    let place = point(place);
    let mut enemies: Vec<Point> = Vec::new();
    let in_sight: Vec<BodyId> = world.in_sight(who).collect();
    enemies.extend(in_sight.iter().map(|enemy| world.body(*enemy).place()));
    // One that it no longer sees is where it was.
    let known = world
        .body(who)
        .seen()
        .filter(|seen| world.body(seen.who).is_alive() && !in_sight.contains(&seen.who));
    enemies.extend(known.map(|seen| seen.place));
    let open = enemies
        .iter()
        .filter(|enemy| is_clear(world.ground(), **enemy, place));
    match enemies.len() {
        0 => 0.0,
        all => open.count() as f32 / all as f32,
    }
}

/// The lengths of ways. The pairs of an agent follow one another, so the ways of each are searched for once.
fn ways(world: &World, pairs: &mut Pairs) {
    let mut known: Option<(usize, HashMap<Cell, u32>)> = None;
    for pair in 0..pairs.len() {
        let agent = pairs.agent(pair);
        if known.as_ref().is_none_or(|(whose, _)| *whose != agent) {
            known = Some((
                agent,
                world.body(world.acting(agent)).walker.ways(world.ground()),
            ));
        }
        if let (Value::Vec2(place), Some((_, ways))) = (pairs.candidate(pair), &known) {
            let length = ways.get(&point(place).cell());
            pairs.set(pair, length.map_or(NO_WAY, |length| *length as f32 / 10.0));
        }
    }
}

fn walk(
    world: &mut World,
    me: BodyId,
    agent: &Agent<'_, '_>,
    runs: bool,
) -> Result<Status, TaskError> {
    let place: Place = agent.arg("place");
    Ok(status(towards(world, me, point(place).cell(), runs)))
}

fn watch(world: &mut World, me: BodyId, agent: &Agent<'_, '_>) -> Result<Status, TaskError> {
    let place: Place = agent.arg("place");
    world.body_mut(me).walker.face(point(place));
    Ok(Status::Running)
}
