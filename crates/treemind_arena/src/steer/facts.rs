//! What the one who is steered knows, as keys of a document of their own, and the map as squares.

use super::minds::{Known, Minds};
use crate::body::Body;
use crate::geometry::Cell;
use crate::ids::BodyId;
use crate::things::{Kind, Thing};
use crate::world::World;
use treemind::Document;
use treemind::blackboard::Value;

/// A fact: a number, or something that holds or does not.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    ask: Ask,
}

enum Ask {
    Truth(fn(&World, BodyId) -> bool),
    /// A whole number: counts, and hit points.
    Count(fn(&World, BodyId) -> i64),
    /// Millimetres, given in metres.
    Metres(fn(&World, BodyId) -> i32),
}

const fn fact(name: &'static str, doc: &'static str, ask: Ask) -> Fact {
    Fact { name, doc, ask }
}

/// All facts, in the order in which an observation has them.
pub(super) const FACTS: &[Fact] = &[
    fact(
        "x",
        "how far it is from the left edge of the map, in metres",
        Ask::Metres(|world, me| world.body(me).place().x_mm),
    ),
    fact(
        "y",
        "how far it is from the top edge, in metres",
        Ask::Metres(|world, me| world.body(me).place().y_mm),
    ),
    fact(
        "health",
        "hit points",
        Ask::Count(|world, me| i64::from(world.body(me).health())),
    ),
    fact(
        "coins",
        "coins picked up so far",
        Ask::Count(|world, me| i64::from(world.body(me).coins())),
    ),
    fact(
        "coins_left",
        "coins that lie on the map",
        Ask::Count(|world, _| world.coins_left() as i64),
    ),
    fact(
        "coin_dx",
        "how far to the right the nearest coin is, in metres; 0 without one",
        Ask::Metres(|world, me| coin(world, me).0),
    ),
    fact(
        "coin_dy",
        "how far down the nearest coin is; 0 without one",
        Ask::Metres(|world, me| coin(world, me).1),
    ),
    fact(
        "enemy_seen",
        "it sees an enemy",
        Ask::Truth(|world, me| enemy(world, me).is_some()),
    ),
    fact(
        "enemy_dx",
        "how far to the right the nearest enemy in sight is, in metres; 0 without one",
        Ask::Metres(|world, me| to_enemy(world, me).0),
    ),
    fact(
        "enemy_dy",
        "how far down that enemy is; 0 without one",
        Ask::Metres(|world, me| to_enemy(world, me).1),
    ),
    fact(
        "enemy_health",
        "the hit points of that enemy; 0 without one",
        Ask::Count(|world, me| {
            enemy(world, me).map_or(0, |enemy| i64::from(world.body(enemy).health()))
        }),
    ),
    fact(
        "enemies",
        "how many enemies live, in sight or not",
        Ask::Count(|world, me| world.enemies(me).count() as i64),
    ),
    fact(
        "enemies_health",
        "the hit points of all of them together",
        Ask::Count(|world, me| {
            world
                .enemies(me)
                .map(|enemy| i64::from(world.body(enemy).health()))
                .sum()
        }),
    ),
    fact("hunted", "an enemy sees it", Ask::Truth(is_hunted)),
    fact(
        "sneaks",
        "it walks softly",
        Ask::Truth(|world, me| world.body(me).sneaks()),
    ),
    fact(
        "strikes",
        "it is in the middle of a blow",
        Ask::Truth(|world, me| world.body(me).swing().is_some()),
    ),
    fact(
        "there",
        "it is in the world, dead or alive",
        Ask::Truth(|world, me| world.body(me).is_there()),
    ),
    fact(
        "up",
        "it is on its feet",
        Ask::Truth(|world, me| world.body(me).is_up()),
    ),
];

fn enemy(world: &World, me: BodyId) -> Option<BodyId> {
    let place = world.body(me).place();
    world
        .in_sight(me)
        .min_by_key(|enemy| (place.distance_mm(world.body(*enemy).place()), *enemy))
}

fn to_enemy(world: &World, me: BodyId) -> (i32, i32) {
    let (place, enemy) = (world.body(me).place(), enemy(world, me));
    enemy.map_or((0, 0), |enemy| {
        let there = world.body(enemy).place();
        (there.x_mm - place.x_mm, there.y_mm - place.y_mm)
    })
}

fn coin(world: &World, me: BodyId) -> (i32, i32) {
    let place = world.body(me).place();
    world.nearest(me, Kind::Coin).map_or((0, 0), |coin| {
        let there = coin.cell.centre();
        (there.x_mm - place.x_mm, there.y_mm - place.y_mm)
    })
}

fn is_hunted(world: &World, me: BodyId) -> bool {
    let mut enemies = world.enemies(me);
    enemies.any(|enemy| world.in_sight(enemy).any(|seen| seen == me))
}

/// The values of all facts.
pub(super) fn values(world: &World, me: BodyId) -> Vec<Known> {
    let value = |fact: &Fact| match fact.ask {
        Ask::Truth(ask) => Value::Bool(ask(world, me)),
        Ask::Count(ask) => Value::Double(ask(world, me) as f64),
        // One division of exact numbers, which IEEE 754 rounds the same everywhere.
        Ask::Metres(ask) => Value::Double(f64::from(ask(world, me)) / 1_000.0),
    };
    FACTS.iter().map(value).map(Known::One).collect()
}

/// A value of a fact as a number.
pub(super) fn number(value: &Known) -> f64 {
    match value {
        Known::One(Value::Double(number)) => *number,
        value => f64::from(*value == Known::One(Value::Bool(true))),
    }
}

/// The names of all keys: those of the facts and of minds, then those of what they were before.
pub(super) fn names(minds: &Minds) -> Vec<String> {
    let facts = FACTS.iter().map(|fact| fact.name);
    let now: Vec<&str> = facts.chain(minds.names()).collect();
    let before = now.iter().map(|name| format!("was_{name}"));
    now.iter()
        .map(|name| (*name).to_owned())
        .chain(before)
        .collect()
}

/// The document that declares them, for expressions.
pub(super) fn document(minds: &Minds) -> Document {
    let mut text = String::from("blackboard {\n");
    for fact in FACTS {
        let (ty, start) = match fact.ask {
            Ask::Truth(_) => ("bool", "#false"),
            _ => ("double", "0.0"),
        };
        for was in ["", "was_"] {
            text.push_str(&format!(
                "    key {was}{} type={ty} default={start}\n",
                fact.name
            ));
        }
    }
    text.push_str(&minds.declarations());
    text.push_str("}\n");
    Document::parse(&text, "facts.kdl")
}

/// What is on a square of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Square {
    /// Nothing.
    Floor,
    /// A wall.
    Wall,
    /// A door that is not open.
    Door,
    /// A coin.
    Coin,
    /// Another thing.
    Thing,
    /// Somebody who is dead, or out.
    Fallen,
    /// Somebody who is no enemy.
    Other,
    /// An enemy.
    Enemy,
    /// The one who is steered.
    Steered,
}

/// How many kinds of squares there are.
pub const SQUARES: u8 = Square::Steered as u8 + 1;

/// All squares, row by row. Where several things are, the one that matters most counts: the later of [`Square`].
pub(super) fn squares(world: &World, me: BodyId) -> Vec<Square> {
    let grid = world.ground().grid();
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell { x, y }));
    let ground = |cell| match grid.is_wall(cell) {
        true => Square::Wall,
        false => Square::Floor,
    };
    let mut squares: Vec<Square> = cells.map(ground).collect();
    let mut put = |cell: Cell, what: Square| {
        if grid.contains(cell) {
            let place = &mut squares[(cell.y * grid.width() + cell.x) as usize];
            if what as u8 > *place as u8 {
                *place = what;
            }
        }
    };
    for thing in world.things() {
        put(thing.cell, of_thing(thing));
    }
    let own = world.body(me);
    for who in world.ids().filter(|who| world.body(*who).is_there()) {
        let body = world.body(who);
        let what = if who == me {
            Square::Steered
        } else {
            of_body(body, own)
        };
        put(body.place().cell(), what);
    }
    squares
}

/// The squares around the one who is steered, so many in each direction. Outside of the map is wall.
pub(super) fn squares_around(world: &World, me: BodyId, side: u32) -> Vec<Square> {
    let grid = world.ground().grid();
    let all = squares(world, me);
    let (centre, reach) = (world.body(me).place().cell(), side as i32 / 2);
    let rows = centre.y - reach..=centre.y + reach;
    let cells =
        rows.flat_map(|y| (centre.x - reach..=centre.x + reach).map(move |x| Cell { x, y }));
    let square = |cell: Cell| match grid.contains(cell) {
        true => all[(cell.y * grid.width() + cell.x) as usize],
        false => Square::Wall,
    };
    cells.map(square).collect()
}

fn of_thing(thing: &Thing) -> Square {
    match thing.kind {
        Kind::Door if thing.is_opaque() => Square::Door,
        Kind::Door => Square::Floor,
        Kind::Coin => Square::Coin,
        _ => Square::Thing,
    }
}

fn of_body(body: &Body, own: &Body) -> Square {
    match body.is_up() {
        false => Square::Fallen,
        true if body.is_enemy_of(own) => Square::Enemy,
        true => Square::Other,
    }
}
