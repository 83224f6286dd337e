//! New documents, pages of the documentation, and the comparison of versions.

use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// What a new document begins with.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "of", rename_all = "kebab-case")]
    pub enum Origin {
        /// A tree with a node or two.
        Tree,
        /// A machine with two states.
        Machine,
        /// A decision tree with one question.
        Decision,
        /// One of the examples, or another file of `hello`.
        Copy {
            /// The file.
            file: String,
        },
        /// A document in another format: the XML of BehaviorTree.CPP, SCXML, JSON or a table.
        Import {
            /// What the file is called there: its ending says the format.
            from: String,
            /// What is in it.
            text: String,
        },
    }

    /// A document that was made.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Made {
        /// Its name.
        pub file: String,
        /// All files that can be opened now.
        pub files: Vec<String>,
        /// What the new format cannot hold, in sentences.
        pub lost: Vec<Said>,
    }

    /// The page of a word of the language.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct WordPage {
        /// The word.
        pub word: String,
        /// The place at which it stands; empty if that was not asked.
        pub place: String,
        /// The page, in Markdown; empty if there is none.
        pub text: String,
    }

    /// With what the document is compared.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "with", rename_all = "kebab-case")]
    pub enum Versus {
        /// Another file of `hello`.
        File {
            /// Its name.
            file: String,
        },
        /// As it was before a step of the history: so many of the steps that are done are taken back.
        Step {
            /// How many, from 1.
            back: usize,
        },
        /// The last commit of the folder.
        Commit,
    }

    /// How a node differs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum How {
        /// It does not.
        Same,
        /// Only the document has it.
        Added,
        /// Only the other version has it.
        Removed,
        /// It is at another place.
        Moved,
        /// Its values or properties differ.
        Changed,
        /// Both.
        MovedAndChanged,
    }

    /// A node of both versions.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Compared {
        /// How many nodes are around it.
        pub depth: usize,
        /// How it differs.
        pub how: How,
        /// Whether it is one of the differences: what is in a node that was added or removed is none.
        pub is_told: bool,
        /// Its word.
        pub word: String,
        /// What it says: its word, values and properties.
        pub text: String,
        /// Of a node that has changed, what it is called, as far as it still is; otherwise empty.
        pub called: String,
        /// What differs in a node that has changed; the values and properties of any other node.
        pub says: Said,
        /// For a node that differs: the words and names of the nodes around it, from the top.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
        pub path: Vec<String>,
        /// At the top: the file in which it is, if the document imports that.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub file: Option<String>,
    }

    /// Two versions as one tree.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Comparison {
        /// The document.
        pub file: String,
        /// The nodes, each behind the one that it is in.
        pub nodes: Vec<Compared>,
        /// Imported files that one of the versions could not read, which are left out of both.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
        pub missing: Vec<String>,
    }
}
