//! What minds know: keys that the arena writes before every tick, and sensors.

use crate::act::places::metres;
use crate::body::{Key, Vital};
use crate::geometry::Point;
use crate::ids::BodyId;
use crate::map::FactValue;
use crate::things::Kind;
use crate::world::World;
use treemind::blackboard::{KeyId, Type, Value};
use treemind::core::behaviour::Scope;
use treemind::population::Behaviour;

/// A sensor: its name, and how it computes its value.
pub(crate) struct Sense {
    /// Its name in documents. A key of that name, with `_` for `-`, is written before every tick.
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) fact: Fact,
}

/// How a value about a body is computed.
#[derive(Clone, Copy)]
pub(crate) enum Fact {
    Truth(fn(&World, BodyId) -> bool),
    Count(fn(&World, BodyId) -> i64),
    /// Millimetres, given to minds in metres.
    Metres(fn(&World, BodyId) -> i32),
    /// Thousandths, given to minds as a fraction of 1.
    Part(fn(&World, BodyId) -> i32),
    /// A handle that may be absent.
    Handle(fn(&World, BodyId) -> Option<u64>),
    /// A place that may be absent, given to minds in metres.
    Place(fn(&World, BodyId) -> Option<Point>),
}

impl Fact {
    /// The value for a key; `None`: the key is to be unset.
    pub(crate) fn value(self, world: &World, who: BodyId) -> Option<Value> {
        Some(match self {
            Fact::Truth(ask) => Value::Bool(ask(world, who)),
            Fact::Count(ask) => Value::Int(ask(world, who)),
            // One division of exact numbers, which IEEE 754 rounds the same everywhere.
            Fact::Metres(ask) => Value::Float(ask(world, who) as f32 / 1_000.0),
            Fact::Part(ask) => Value::Float(ask(world, who) as f32 / 1_000.0),
            Fact::Handle(ask) => Value::Entity(ask(world, who)?),
            Fact::Place(ask) => Value::Vec2(metres(ask(world, who)?)),
        })
    }
}

/// The distance when there is no enemy: farther than any map is wide.
const FAR_MM: i32 = 1_000_000;
/// For how many ticks an enemy that is out of sight still counts as in sight.
const GLANCE_TICKS: u64 = 20;
/// The distance up to which a body notices a fight.
const FIGHT_MM: i32 = 7_000;
/// For how many ticks after a blow a body notices a fight.
const FIGHT_TICKS: u64 = 40;
/// The distance of all enemies from which on a place counts as safe.
const SAFE_MM: i32 = 9_000;

const fn sense(name: &'static str, doc: &'static str, fact: Fact) -> Sense {
    Sense { name, doc, fact }
}

/// All senses.
pub(crate) const SENSES: &[Sense] = &[
    sense(
        "health",
        "hit points",
        Fact::Count(|world, me| i64::from(world.body(me).health)),
    ),
    sense(
        "ammo",
        "rounds left",
        Fact::Count(|world, me| i64::from(world.body(me).ammo)),
    ),
    sense(
        "coins",
        "coins picked up so far",
        Fact::Count(|world, me| i64::from(world.body(me).coins)),
    ),
    sense(
        "load",
        "pieces of rubbish that the robot carries",
        Fact::Count(|world, me| i64::from(world.body(me).load)),
    ),
    sense(
        "homework",
        "pieces of homework left to do",
        Fact::Count(|world, me| i64::from(world.body(me).homework)),
    ),
    sense(
        "portions",
        "portions of food left in the house",
        Fact::Count(portions),
    ),
    sense(
        "battery",
        "how full the battery is, 0 to 1",
        Fact::Part(|world, me| world.body(me).energy),
    ),
    sense(
        "hunger",
        "how hungry the actor is, 0 to 1",
        Fact::Part(|world, me| world.body(me).hunger),
    ),
    sense(
        "ahead",
        "how far in front the nearest enemy is, in metres; negative when it is behind; 1000 without an enemy",
        Fact::Metres(ahead),
    ),
    sense(
        "enemy-distance",
        "how far away the enemy is that the actor is aware of, or was when last seen, in metres; 1000 without an enemy",
        Fact::Metres(enemy_distance),
    ),
    sense(
        "enemy-seen",
        "the actor sees a living enemy, or saw one within the last second",
        Fact::Truth(is_enemy_seen),
    ),
    sense(
        "enemy-strength",
        "how strong the enemies in sight are together, compared with the actor",
        Fact::Part(enemy_strength),
    ),
    sense("enemy", "the nearest enemy in sight", Fact::Handle(enemy)),
    sense(
        "safe",
        "no enemy is within nine metres, and the actor has seen none within the last five seconds",
        Fact::Truth(is_safe),
    ),
    sense(
        "fight-near",
        "somebody was struck within seven metres in the last two seconds",
        Fact::Truth(is_fight_near),
    ),
    sense(
        "rubbish",
        "the piece of rubbish that the robot saw last, while it is still there",
        Fact::Handle(|world, me| world.body(me).rubbish),
    ),
    sense(
        "coin",
        "the nearest coin in sight",
        Fact::Handle(|world, me| seen(world, me, Kind::Coin)),
    ),
    sense(
        "pos",
        "where the actor is, in metres from the left and from above",
        Fact::Place(|world, me| Some(world.body(me).place())),
    ),
    sense(
        "enemy-pos",
        "where the enemy is that the actor is aware of, or was when last seen",
        Fact::Place(enemy_pos),
    ),
    sense(
        "owner-distance",
        "how far away its owner is, in metres; 1000 without an owner",
        Fact::Metres(owner_distance),
    ),
];

/// What is written to keys only, because a condition has the name already.
const KEYS: &[Sense] = &[sense(
    "is-armed",
    "the actor has rounds left",
    Fact::Truth(|world, me| world.body(me).ammo > 0),
)];

/// The key that was pressed last, for the mind of an actor that is steered; `none` before the first. Written to a key
/// of this name only: sensors give no words.
const PRESSED: &str = "pressed";

fn nearest_enemy(world: &World, me: BodyId) -> Option<(i32, BodyId)> {
    let place = world.body(me).place();
    let enemies = world.enemies(me);
    enemies
        .map(|enemy| (place.distance_mm(world.body(enemy).place()), enemy))
        .min()
}

fn ahead(world: &World, me: BodyId) -> i32 {
    let nearest = nearest_enemy(world, me).filter(|&(_, enemy)| world.is_clear_between(me, enemy));
    nearest.map_or(FAR_MM, |(_, enemy)| {
        world.body(me).ahead_mm(world.body(enemy).place())
    })
}

/// Has a short memory, so that a mind does not waver over an enemy at the edge of its sight.
fn is_enemy_seen(world: &World, me: BodyId) -> bool {
    world.body(me).seen.is_some_and(|seen| {
        world.tick() - seen.tick <= GLANCE_TICKS && world.body(seen.who).is_alive()
    })
}

fn enemy_distance(world: &World, me: BodyId) -> i32 {
    let body = world.body(me);
    let seen = body.seen.filter(|seen| world.body(seen.who).is_alive());
    seen.map_or(FAR_MM, |seen| body.place().distance_mm(seen.place))
}

fn enemy_pos(world: &World, me: BodyId) -> Option<Point> {
    let seen = world.body(me).seen;
    let seen = seen.filter(|seen| world.body(seen.who).is_alive());
    seen.map(|seen| seen.place)
}

fn enemy(world: &World, me: BodyId) -> Option<u64> {
    let body = world.body(me);
    let seen = body.seen.filter(|_| body.sees_now);
    seen.map(|seen| seen.who.entity())
}

fn enemy_strength(world: &World, me: BodyId) -> i32 {
    let strength = |who: BodyId| {
        let body = world.body(who);
        i64::from(body.health) * i64::from(body.traits.weapon.damage)
    };
    let theirs: i64 = world.in_sight(me).map(strength).sum();
    // Even with a thousand actors of a million hit points, this is far from overflowing.
    (theirs * 1_000 / strength(me).max(1)).min(1_000_000) as i32
}

fn is_safe(world: &World, me: BodyId) -> bool {
    let is_near = nearest_enemy(world, me).is_some_and(|(distance, _)| distance <= SAFE_MM);
    let seen = world.body(me).seen;
    !is_near && !seen.is_some_and(|seen| world.body(seen.who).is_alive())
}

fn is_fight_near(world: &World, me: BodyId) -> bool {
    let place = world.body(me).place();
    world.bodies().iter().any(|body| {
        body.last_hurt_tick
            .is_some_and(|tick| world.tick() - tick < FIGHT_TICKS)
            && body.place().distance_mm(place) <= FIGHT_MM
    })
}

fn portions(world: &World, _: BodyId) -> i64 {
    let food = world.things.iter().filter(|thing| thing.kind == Kind::Food);
    food.map(|food| i64::from(food.amount)).sum()
}

fn seen(world: &World, me: BodyId, kind: Kind) -> Option<u64> {
    world.nearest_seen(me, kind).map(|thing| thing.entity)
}

fn owner_distance(world: &World, me: BodyId) -> i32 {
    let body = world.body(me);
    let owner = world
        .find(&body.traits.owner)
        .map(|owner| world.body(owner));
    match owner.filter(|owner| owner.vital != Vital::Gone) {
        Some(owner) => body.place().distance_mm(owner.place()),
        None => FAR_MM,
    }
}

/// A key of a behaviour that the arena writes before every tick.
#[derive(Clone)]
pub(crate) struct WrittenKey {
    key: KeyId,
    ty: Type,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Sense(Fact),
    Pressed,
    /// A fact of the script.
    Script(String),
}

/// The keys of a behaviour that the arena writes: an agent's own keys that no sensor computes and that have the
/// name of a sense or of a fact in the script.
pub(crate) fn written_keys(behaviour: &Behaviour, world: &World) -> Vec<WrittenKey> {
    let scripted = world.scripted_facts();
    let ids = (0..behaviour.keys().len()).map(KeyId::new);
    let written = ids.filter_map(|id| {
        let key = behaviour.key(id);
        if key.form.is_list() || key.sensed.is_some() || key.scope != Scope::Agent {
            return None;
        }
        let name = key.name.replace('_', "-");
        let mut senses = SENSES.iter().chain(KEYS);
        let same = senses.find(|sense| sense.name == name);
        let source = match same {
            Some(sense) => Source::Sense(sense.fact),
            None if name == PRESSED => Source::Pressed,
            None if scripted.contains(&key.name) => Source::Script(key.name.clone()),
            None => return None,
        };
        Some(WrittenKey {
            key: id,
            ty: key.ty,
            source,
        })
    });
    written.collect()
}

impl WrittenKey {
    pub(crate) fn key(&self) -> KeyId {
        self.key
    }

    /// Whether the key is unset when there is no value; otherwise it keeps its value.
    pub(crate) fn is_unset_when_absent(&self) -> bool {
        matches!(self.source, Source::Sense(_))
    }

    /// The value of the key now, if there is one.
    pub(crate) fn value(&self, behaviour: &Behaviour, world: &World, who: BodyId) -> Option<Value> {
        match &self.source {
            Source::Pressed => {
                let pressed = world.body(who).steering.pressed;
                word(pressed.map_or("none", Key::name), self.ty, behaviour)
            }
            Source::Sense(fact) => fitted(fact.value(world, who)?, self.ty),
            Source::Script(name) => match (world.fact(name)?, self.ty) {
                (FactValue::Number(number), Type::Bool) => Some(Value::Bool(*number != 0)),
                (FactValue::Truth(truth), Type::Bool) => Some(Value::Bool(*truth)),
                (FactValue::Truth(truth), ty) => fitted(Value::Int(i64::from(*truth)), ty),
                (FactValue::Number(number), ty) => fitted(Value::Int(i64::from(*number)), ty),
                (FactValue::Word(said), ty) => word(said, ty, behaviour),
            },
        }
    }
}

/// A number converted to the type of a key; a count gets a whole number.
fn fitted(value: Value, ty: Type) -> Option<Value> {
    match (value, ty) {
        (Value::Float(number), Type::Int) => Some(Value::Int(number as i64)),
        (value, ty) => value.widened(ty),
    }
}

/// A word as a value of an enumeration that has it, or as a text.
fn word(word: &str, ty: Type, behaviour: &Behaviour) -> Option<Value> {
    match ty {
        Type::Enum(id) => {
            let names = &behaviour.enumeration(id).values;
            let nth = names.iter().position(|name| name == word)?;
            Some(Value::Enum(id, nth as u32))
        }
        Type::Text => Some(Value::Text(treemind::blackboard::Text::new(word))),
        _ => None,
    }
}
