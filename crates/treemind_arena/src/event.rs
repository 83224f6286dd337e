//! What happens in the arena, for logs and tests.

use crate::ids::BodyId;
use crate::things::Kind;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A body came in.
    Arrives,
    /// A body reached the end of its route and left.
    Leaves,
    /// A body with a mind began the deed of an action.
    Begins(&'static str),
    /// The deed of a body was aborted.
    BreaksOff(&'static str),
    /// A body noticed an enemy.
    Sees(BodyId),
    /// A body has not seen an enemy for so long that it forgets it.
    Loses(BodyId),
    /// A body whistles.
    Whistles,
    /// A body hears another.
    Hears(BodyId),
    /// A body was struck.
    IsHit {
        /// The hit points that it lost.
        damage: i32,
        /// The hit points that it has left.
        left: i32,
    },
    /// A blow or shot missed.
    Misses,
    /// A body died.
    Dies,
    /// A body was knocked out.
    Falls,
    /// A body is up again.
    Rises,
    /// A body tied another up.
    Ties(BodyId),
    /// A body is hidden.
    Hides,
    /// A body has all its hit points again.
    Recovers,
    /// A door was opened.
    Opens,
    /// Something was picked up.
    Takes(Kind),
    /// Rubbish was dumped: how many pieces.
    Dumps(u32),
    /// A body joined a line, with this many bodies before it.
    Queues(usize),
    /// A body's turn at something began.
    Uses(Kind),
    /// A battery is full.
    IsCharged,
    /// A portion was eaten.
    Eats,
    /// A meal was cooked.
    Cooks,
    /// A deed was completed.
    Finishes(&'static str),
    /// A body ordered another to go somewhere.
    Orders(BodyId),
    /// A body reached the place where it was ordered to go.
    Reaches,
    /// Magazines are full.
    Reloads,
    /// Without a body: a noise, with the distance in millimetres up to which it is heard.
    Noise(i32),
    /// Without a body: a thing appeared.
    Appears(Kind),
    /// Without a body: a fact changed, as a line of the script says.
    Changes(usize),
}

/// Something that happened, with the body and the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The tick, from 1.
    pub tick: u64,
    /// The body that did it, or to which it happened; `None` for events without a body.
    pub who: Option<BodyId>,
    /// What happened.
    pub what: EventKind,
}

/// The words for a deed: for what the body does, and for what it leaves unfinished when the deed is aborted.
pub(crate) fn words(deed: &'static str) -> (&'static str, &'static str) {
    const WORDS: &[(&str, &str, &str)] = &[
        ("aim", "takes aim", "its aiming"),
        ("approach", "goes after a threat", "its approach"),
        ("attack", "attacks", "its attack"),
        ("blow", "strikes", "its blow"),
        ("burst", "fires a burst", "its burst"),
        ("cook", "cooks", "its cooking"),
        ("crawl-to-depot", "crawls to the depot", "its crawl"),
        ("creep", "creeps towards what it hears", "its creeping"),
        ("cut", "strikes", "its blow"),
        ("dash", "runs on", "its run"),
        ("do-homework", "does its homework", "its homework"),
        ("dump", "drives to the bin", "its trip to the bin"),
        ("eat", "eats", "its meal"),
        ("eat-bread", "eats bread", "its meal"),
        ("enter", "walks in", "its walk in"),
        ("go-to-bed", "goes to bed", "its walk to bed"),
        ("go-to-owner", "runs to its owner", "its run to its owner"),
        ("go-to", "sets out", "its walk"),
        (
            "go-to-charger",
            "drives to the charger",
            "its trip to the charger",
        ),
        ("go-to-door", "goes to the door", "its walk to the door"),
        ("hide", "hides", "its hiding"),
        ("go-to-noise", "goes to see what that was", "its look"),
        ("hit", "strikes", "its blow"),
        ("hunt", "hunts", "its hunt"),
        ("jab", "strikes lightly", "its blow"),
        ("leap", "leaps", "its leap"),
        ("look-around", "looks around", "its watch"),
        ("look-for-rubbish", "looks for rubbish", "its search"),
        ("move", "walks around", "its walk"),
        ("open-door", "picks the lock", "its work on the lock"),
        ("open-fire", "opens fire", "its fire"),
        ("obey", "sets out as ordered", "its walk"),
        ("patrol", "walks its round", "its round"),
        ("perform", "plays a scene", "its scene"),
        ("pick-up-coin", "goes for a coin", "its run for a coin"),
        ("pick-up", "goes to pick something up", "its walk"),
        ("play-ball", "plays ball", "its game"),
        ("recharge", "charges", "its charging"),
        ("run-away", "flees to its hut", "its escape"),
        ("run-for-cover", "runs for cover", "its run for cover"),
        ("run-to", "runs to a place", "its run"),
        ("run-to-alarm", "runs to the alarm", "its run"),
        ("shoot", "shoots", "its shot"),
        ("stand", "stands", "its stand"),
        ("strike", "strikes", "its blow"),
        ("stroll", "strolls", "its stroll"),
        ("swing", "swings", "its swing"),
        ("take-ammo", "takes ammunition", "its reloading"),
        ("take-post", "takes its post", "its walk"),
        ("tie-up", "starts to tie somebody up", "its knots"),
        ("turn", "turns around", "its turn"),
        ("walk", "walks on", "its walk"),
        ("watch", "keeps watch", "its watch"),
        ("work", "works", "its work"),
        ("walk-to", "walks to a place", "its walk"),
        ("walk-to-hut", "walks to its hut", "its walk"),
    ];
    let known = WORDS.iter().find(|(name, ..)| *name == deed);
    known.map_or((deed, deed), |&(_, does, its)| (does, its))
}
