//! What has changed in a document that is edited.

use super::{Conflict, Done, Problem, Selection, SheetKey, SheetLeaf, SheetNode, Unsaved};
use serde::Serialize;
use treemind_doc::Said;

protocol! {
    /// What has changed in a file of the sheet.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct FileChange {
        /// Which file.
        pub file: usize,
        /// Whether all of its blocks are closed.
        pub is_whole: bool,
        /// Whether it is saved.
        pub is_saved: bool,
        /// Where its text has changed, in order: a place in the text before, how much is gone there, both in UTF-16, and what
        /// is there instead.
        pub parts: Vec<(usize, usize, String)>,
    }

    /// What has changed in the sheet since a revision that the page has. A list that is left out is as it was; of the others,
    /// some items give way to others: the place of the first one, how many give way, and what is there instead.
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    #[cfg_attr(feature = "ts", ts(optional_fields))]
    pub struct SheetChange {
        /// The revision that the page has.
        pub since: u64,
        /// The revision that it has then.
        pub revision: u64,
        /// The files that have changed.
        pub files: Vec<FileChange>,
        /// Nodes that give way to others, in order, with their places before.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(usize, usize, Vec<SheetNode>)>>"))]
        pub nodes: Vec<(usize, usize, Vec<SheetNode>)>,
        /// From which node on, as they are now, those of a file that have stayed are so many lines further down than before, up
        /// to the next such node.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(usize, usize, i64)>>"))]
        pub shifts: Vec<(usize, usize, i64)>,
        /// Which nodes that have stayed, as they are now, are elsewhere even so, such as those around a change: where they are.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(usize, [usize; 4])>>"))]
        pub places: Vec<(usize, [usize; 4])>,
        /// Keys.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub keys: Option<(usize, usize, Vec<SheetKey>)>,
        /// Leaves.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub leaves: Option<(usize, usize, Vec<SheetLeaf>)>,
        /// Problems.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub problems: Option<(usize, usize, Vec<Problem>)>,
        /// Conflicts.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub conflicts: Option<(usize, usize, Vec<Conflict>)>,
        /// What was done last.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub done: Option<(usize, usize, Vec<Done>)>,
        /// As in the sheet, and all that follows.
        #[cfg_attr(feature = "ts", ts(optional = false))]
        pub undo: Option<Done>,
        /// What `redo` does again.
        #[cfg_attr(feature = "ts", ts(optional = false))]
        pub redo: Option<Done>,
        /// After an undo or a redo, the nodes that were chosen there.
        #[cfg_attr(feature = "ts", ts(optional = false))]
        pub selection: Option<Selection>,
        /// What the last edit has left behind or dropped.
        pub told: Vec<Said>,
        /// What keeps it from being saved.
        #[cfg_attr(feature = "ts", ts(optional = false))]
        pub unsaved: Option<Unsaved>,
        /// Whether every edit is saved at once.
        pub saves_at_once: bool,
    }
}
