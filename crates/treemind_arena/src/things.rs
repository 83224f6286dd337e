//! Things in the world.

use crate::geometry::Cell;
use crate::ids::BodyId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Closes a passage; if it is locked, nobody gets through.
    Door,
    /// Can be picked up.
    Coin,
    /// Can be picked up, and dumped into a bin.
    Rubbish,
    /// Takes rubbish.
    Bin,
    /// Fills batteries, of a limited number of bodies at a time; the others wait in line.
    Charger,
    /// A bed to lie in.
    Bed,
    /// Food with a number of portions.
    Food,
    /// A stove to cook at.
    Stove,
    /// A desk to do homework at.
    Desk,
    /// A ball to play with.
    Ball,
    /// Supplies ammunition.
    Depot,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Door,
        Self::Coin,
        Self::Rubbish,
        Self::Bin,
        Self::Charger,
        Self::Bed,
        Self::Food,
        Self::Stove,
        Self::Desk,
        Self::Ball,
        Self::Depot,
    ];

    /// One of its kind, in a sentence.
    pub(crate) fn phrase(self) -> String {
        match self {
            Kind::Rubbish => "a piece of rubbish".to_owned(),
            Kind::Food => "a portion of food".to_owned(),
            _ => format!("a {self}"),
        }
    }

    /// The word for it, on maps and in logs.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Door => "door",
            Kind::Coin => "coin",
            Kind::Rubbish => "rubbish",
            Kind::Bin => "bin",
            Kind::Charger => "charger",
            Kind::Bed => "bed",
            Kind::Food => "food",
            Kind::Stove => "stove",
            Kind::Desk => "desk",
            Kind::Ball => "ball",
            Kind::Depot => "depot",
        }
    }

    /// The kind that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.word())
    }
}

/// A thing on a map before anything happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its name; the word for its kind, if the legend gives no name.
    pub name: String,
    /// How many ticks it takes to open its lock; 0: it is not locked.
    pub lock_ticks: u32,
    /// Its amount: portions of food, places at a charger.
    pub amount: u32,
}

/// The state of a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DoorState {
    /// A body that walks through opens it.
    Closed,
    /// Nobody gets through until a body has worked at it for this many more ticks.
    Locked(u32),
    /// Nothing is in the way.
    Open,
}

/// A thing in the world. Its number is never given to another thing of that world.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Thing {
    /// The handle by which behaviours refer to it; handles of bodies are smaller.
    pub entity: u64,
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub cell: Cell,
    /// Its state, if it is a door.
    pub door: DoorState,
    /// Its amount: portions, or places.
    pub amount: u32,
    /// The bodies that use it or wait for it, in the order in which they came; the first `amount` use it.
    pub queue: Vec<BodyId>,
}

impl Thing {
    pub(crate) fn new(entity: u64, item: &Item, cell: Cell) -> Self {
        Self {
            entity,
            kind: item.kind,
            name: item.name.clone(),
            cell,
            door: match item.lock_ticks {
                0 => DoorState::Closed,
                ticks => DoorState::Locked(ticks),
            },
            amount: item.amount,
            queue: Vec::new(),
        }
    }

    /// Whether it stops bodies from walking through.
    pub fn is_locked(&self) -> bool {
        self.kind == Kind::Door && matches!(self.door, DoorState::Locked(_))
    }

    /// Whether it blocks sight.
    pub fn is_opaque(&self) -> bool {
        self.kind == Kind::Door && self.door != DoorState::Open
    }

    /// Whether it is a body's turn.
    pub fn is_turn_of(&self, who: BodyId) -> bool {
        let mut turns = self.queue.iter().take(self.amount as usize);
        turns.any(|other| *other == who)
    }
}
