//! What has changed in a document that is edited.

use super::{Conflict, Done, Problem, SheetKey, SheetLeaf, SheetNode};
use serde::Serialize;

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
        /// Where its text has changed, in UTF-16.
        pub at: usize,
        /// How much of the text is gone.
        pub gone: usize,
        /// What is there instead.
        pub text: String,
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
        /// Nodes before the first one that gives way that end elsewhere now: which, their last line, and the column behind
        /// their end.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<(usize, usize, usize)>>"))]
        pub around: Vec<(usize, usize, usize)>,
        /// Nodes.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub nodes: Option<(usize, usize, Vec<SheetNode>)>,
        /// The nodes of this file behind those are so many lines further down.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub shift: Option<(usize, i64)>,
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
        /// What the last edit has left behind or dropped.
        pub told: Vec<String>,
        /// What keeps it from being saved.
        #[cfg_attr(feature = "ts", ts(optional = false))]
        pub unsaved: Option<String>,
        /// Whether every edit is saved at once.
        pub saves_at_once: bool,
    }
}
