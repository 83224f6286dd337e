//! What happens in the arena, for logs and tests.

use crate::body::BodyId;
use crate::things::Kind;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Somebody has come in.
    Arrives,
    /// Somebody has come to the end of its way and is gone.
    Leaves,
    /// Somebody with a mind begins what this action has it do.
    Begins(&'static str),
    /// What somebody did was cut off.
    BreaksOff(&'static str),
    /// Somebody has noticed an enemy.
    Sees(BodyId),
    /// Somebody has not seen an enemy for so long that it stops reckoning with it.
    Loses(BodyId),
    /// Somebody hears another.
    Hears(BodyId),
    /// Somebody was struck, and has so many hit points left.
    IsHit {
        /// What it cost.
        damage: i32,
        /// What is left.
        left: i32,
    },
    /// A blow or shot has gone past.
    Misses,
    /// Somebody has died.
    Dies,
    /// Somebody is knocked out.
    Falls,
    /// Somebody is up again.
    Rises,
    /// Somebody has tied another up.
    Ties(BodyId),
    /// Somebody is where nobody sees it.
    Hides,
    /// Somebody has all its hit points again.
    Recovers,
    /// A door was opened.
    Opens,
    /// Something was picked up.
    Takes(Kind),
    /// Rubbish was dumped, so many pieces.
    Dumps(u32),
    /// Somebody has taken its place in a line, with so many before it.
    Queues(usize),
    /// It is somebody's turn at something.
    Uses(Kind),
    /// A battery is full.
    IsCharged,
    /// A portion was eaten.
    Eats,
    /// A meal was cooked.
    Cooks,
    /// Something was done to its end.
    Finishes(&'static str),
    /// Somebody has ordered another somewhere.
    Orders(BodyId),
    /// Somebody has come to where it was to go.
    Reaches,
    /// Magazines are full.
    Reloads,
    /// Nobody's: a noise, heard so many millimetres away.
    Noise(i32),
    /// Nobody's: something has come to lie there.
    Appears(Kind),
    /// Nobody's: what is so has changed, as a line of the script says.
    Changes(usize),
}

/// Something that happened, to whom, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The tick, from 1.
    pub tick: u64,
    /// Who did it, or to whom it happened; nobody, for what happens by itself.
    pub who: Option<BodyId>,
    /// What.
    pub what: EventKind,
}

/// The words for what an action has somebody do: what it does, and what it does not finish when it is cut off.
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
        ("do-homework", "does its homework", "its homework"),
        ("dump", "drives to the bin", "its trip to the bin"),
        ("eat", "eats", "its meal"),
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
        ("hit", "strikes", "its blow"),
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
        ("walk-to-hut", "walks to its hut", "its walk"),
    ];
    let known = WORDS.iter().find(|(name, ..)| *name == deed);
    known.map_or((deed, deed), |&(_, does, its)| (does, its))
}
