//! The map of the arena, as pages edit it.

use super::{Done, Unsaved, Whose};
use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// A side of the map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Edge {
        /// Above.
        North,
        /// At the right.
        East,
        /// Below.
        South,
        /// At the left.
        West,
    }

    /// What is to be done to the map. Squares are columns from the left and rows from the top, from 0.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "do", rename_all = "kebab-case")]
    pub enum MapEdit {
        /// Takes back what was done last, whoever did it.
        Undo,
        /// Does again what was taken back last.
        Redo,
        /// Makes a map for a document that has none: a copy of the yard in which it plays, in a file beside it.
        Begin,
        /// Puts a character on squares: `#` is a wall, `.` the floor, the others are those of the legend.
        Paint {
            /// The squares, at most 65536.
            cells: Vec<(i32, i32)>,
            /// The character.
            sign: char,
        },
        /// Moves what stands on a square to a free one.
        Move {
            /// The square.
            from: (i32, i32),
            /// The free one.
            to: (i32, i32),
        },
        /// Puts something new on a free square.
        Put {
            /// The square.
            cell: (i32, i32),
            /// What, as the legend says it: `actor guard mind=main`, `spot hut`, `coin`.
            words: String,
        },
        /// Sets a property of what a character stands for.
        Set {
            /// The character.
            sign: char,
            /// The property.
            name: String,
            /// Its value, empty for a property without one; without this, the property is removed.
            value: Option<String>,
        },
        /// Gives an actor, a spot or a thing another name, wherever the map names it.
        Rename {
            /// Its character.
            sign: char,
            /// The name.
            name: String,
        },
        /// Removes what a character stands for, and the character from the map.
        Remove {
            /// The character.
            sign: char,
        },
        /// Adds a row or a column of walls.
        Grow {
            /// Where.
            edge: Edge,
        },
        /// Writes the text of the map.
        Text {
            /// The text.
            text: String,
            /// The revision from which it was written. If the text is another one now, nothing is done.
            base: u64,
        },
        /// Writes the file again that could not be written.
        Save,
        /// After another program has changed a map that could not be saved: says which text counts. The other one is a step
        /// of the history.
        Settle {
            /// The text that counts.
            whose: Whose,
        },
    }

    /// A line of the legend.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct MapSign {
        /// The first character that it is about.
        pub sign: char,
        /// The last one; the same unless it is about several.
        pub last: char,
        /// `actor`, `spot`, or what kind of thing it is.
        pub word: String,
        /// Its name; empty for none.
        pub name: String,
        /// The properties with their values; empty values for those without one.
        pub properties: Vec<(String, String)>,
    }

    /// What is wrong with the map.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct MapProblem {
        /// The line, from 1, if it is about one.
        pub line: Option<usize>,
        /// A sentence.
        pub text: Said,
    }

    /// The map as it is edited.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct MapSheet {
        /// Grows with every change.
        pub revision: u64,
        /// The file; empty if the document plays in the yard of the program.
        pub file: String,
        /// Why it cannot be edited.
        pub refusal: Option<Said>,
        /// The text.
        pub text: String,
        /// The rows of the ground; none while they are not clear.
        pub rows: Vec<String>,
        /// The legend.
        pub legend: Vec<MapSign>,
        /// What is wrong with it. The game goes on with the last good map.
        pub problem: Option<MapProblem>,
        /// What `undo` takes back.
        pub undo: Option<Done>,
        /// What `redo` does again.
        pub redo: Option<Done>,
        /// What keeps it from being saved.
        pub unsaved: Option<Unsaved>,
        /// What another program has written into the file in the meantime.
        pub theirs: Option<String>,
        /// What can be the mind of an actor, as the legend says it.
        pub minds: Vec<String>,
        /// The kinds of things.
        pub things: Vec<String>,
        /// The properties that an actor may have, each with an example of its value.
        pub properties: Vec<(String, String)>,
    }
}
