//! What keeps a document from being saved, and what was changed in two places.

use serde::{Deserialize, Serialize};
use treemind_doc::{Said, said};

protocol! {
    /// Which of two texts counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Whose {
        /// The one of the pages.
        Mine,
        /// The one on disk.
        Theirs,
    }

    /// What is to be done where something is not saved.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Remedy {
        /// Somebody says which of two texts counts: `save` with `whose`, or `settle`.
        Choose,
        /// The file is gone: `save` with `whose: mine` writes it again.
        WriteAgain,
        /// It could not be read or written: `save` tries that again.
        Retry,
    }

    /// What keeps a document from being saved.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Unsaved {
        /// Why.
        pub why: Said,
        /// What is to be done.
        pub remedy: Remedy,
    }

    /// The documents of which something is not on disk.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct UnwrittenList {
        /// Another number whenever something else is not on disk; 0 if everything is.
        pub revision: u64,
        /// All of them, whatever is shown.
        pub documents: Vec<Unwritten>,
    }

    /// A document of which something is not on disk: it is lost if the program ends before it is written.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Unwritten {
        /// The document, as `files` has it.
        pub file: String,
        /// What is not on disk, of the document, of what it imports, and of its map. Of a document that the page edits, not
        /// what the sheet has.
        pub texts: Vec<UnwrittenText>,
    }

    /// A file as it is here and not on disk.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct UnwrittenText {
        /// Its name.
        pub name: String,
        /// Its text here.
        pub text: String,
        /// Its text as it was read or written last.
        pub saved: String,
    }

    /// What two texts have done to the same node.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Clash {
        /// Both have changed it.
        Changed,
        /// Both have moved it, each to another place.
        Moved,
        /// One has removed it, and the other has changed something in it.
        Removed,
        /// The texts cannot be put together node by node.
        Whole,
    }

    /// A node of which the pages and another program have made something different.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Conflict {
        /// The file, by its position.
        pub file: usize,
        /// Its number, with which it is settled.
        pub key: u64,
        /// What both have done.
        pub how: Clash,
        /// The nodes around it, from the top.
        pub path: Vec<String>,
        /// What it was.
        pub base: String,
        /// What it is in the pages; empty if they have removed it.
        pub mine: String,
        /// What it is on disk; empty if it was removed there.
        pub theirs: String,
    }
}

impl Unsaved {
    /// A file could not be read or written.
    pub fn failed(why: Said) -> Self {
        let remedy = Remedy::Retry;
        Self { why, remedy }
    }

    /// The file is not there any more.
    pub fn gone(name: &str) -> Self {
        Self {
            why: said!("{} is gone", name),
            remedy: Remedy::WriteAgain,
        }
    }

    /// The file was changed in two places.
    pub fn changed_twice(name: &str) -> Self {
        Self {
            why: said!("{} was changed by another program, and here, too", name),
            remedy: Remedy::Choose,
        }
    }
}
