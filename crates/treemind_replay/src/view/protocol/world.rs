//! The world around the agents, as a page draws it.

use serde::Serialize;

protocol! {
    /// A named place of a map.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Spot {
        /// Its name.
        pub name: String,
        /// Its sign on the map.
        pub sign: char,
        /// Its column.
        pub x: i32,
        /// Its row.
        pub y: i32,
    }

    /// What never changes of a world: its walls and named places.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Ground {
        /// The rows, with `#` for a wall.
        pub rows: Vec<String>,
        /// The named places.
        pub spots: Vec<Spot>,
    }

    /// Somebody in a world.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct Body {
        /// The name.
        pub name: String,
        /// The sign on the map.
        pub sign: char,
        /// The distance from the left, in metres.
        pub x: f64,
        /// The distance from above, in metres.
        pub y: f64,
        /// The direction of the face.
        pub face: (f64, f64),
        /// `up`, `out`, `tied`, `dead`, `outside` or `gone`.
        pub state: &'static str,
        /// Hit points, and how many there are at most.
        pub health: i32,
        /// The most hit points.
        pub most: i32,
        /// Whether it strikes.
        pub strikes: bool,
        /// Whether it was hurt a moment ago.
        pub hurt: bool,
        /// The number of its agent, if it has one.
        pub mind: Option<usize>,
        /// Whether it is an enemy of the agent that is shown.
        pub enemy: bool,
    }

    /// Something that lies or stands in a world.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Thing {
        /// What it is.
        pub kind: &'static str,
        /// Its name.
        pub name: String,
        /// Its column.
        pub x: i32,
        /// Its row.
        pub y: i32,
        /// Whether a door is open.
        pub open: bool,
    }

    /// Very many people.
    #[derive(Clone, Debug, PartialEq, Serialize)]
    pub struct People {
        /// For each, the distance from the left and that from above, in `unit`s: two digits to the base 64 each, from
        /// `A` to `Z`, `a` to `z`, `0` to `9`, `-` and `_`.
        pub points: String,
        /// How many metres a unit is.
        pub unit: f64,
        /// For each, its action as a position in `actions` from 1, or 0 for none.
        pub does: Vec<u8>,
        /// The actions.
        pub actions: Vec<String>,
        /// One of so many is drawn; 1 draws everybody.
        pub every: usize,
        /// The one that is shown.
        pub chosen: Option<usize>,
        /// The numbers of those that are drawn, if that is not everybody.
        pub persons: Option<Vec<usize>>,
        /// The time of day.
        pub clock: String,
        /// How many messages were sent in this second.
        pub messages: u64,
    }

    /// Who and what is where.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    pub struct Scene {
        /// Those that have a body.
        pub bodies: Vec<Body>,
        /// What lies and stands there.
        pub things: Vec<Thing>,
        /// The squares that the agent sees.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub seen: Option<Vec<(i32, i32)>>,
        /// The squares of its path.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub way: Option<Vec<(i32, i32)>>,
        /// Very many, as points.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub crowd: Option<People>,
    }
}
