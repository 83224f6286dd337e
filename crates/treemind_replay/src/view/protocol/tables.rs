//! The keys and leaves of a document that is edited, as tables.

use serde::{Deserialize, Serialize};

protocol! {
    /// Who shares a key of a blackboard.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum KeyScope {
        /// Nobody: each agent has its own value.
        Agent,
        /// The agents of a group.
        Group,
        /// Everybody.
        World,
    }

    /// A key or a parameter that is to be added.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    pub struct SaidKey {
        /// Its name.
        pub name: String,
        /// Its type, as documents write it.
        pub ty: String,
        /// What it holds at first, as one types it; empty for the usual value of the type.
        pub default: String,
        /// What it is for; empty for nothing.
        pub doc: String,
        /// The values of an enumeration, separated by blanks.
        pub values: String,
    }

    /// A node that uses a key or a leaf.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetUse {
        /// The node.
        pub id: u64,
        /// Whether it reads the key; also if it runs the leaf.
        pub is_read: bool,
        /// Whether it writes the key.
        pub is_written: bool,
    }

    /// A key, a port, or a parameter of a leaf.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetKey {
        /// Its node; 0 if nothing declares it.
        pub id: u64,
        /// Its first word: `key`, `in`, `out`, `inout`, `param`; empty if nothing declares it.
        pub word: String,
        /// Its name.
        pub name: String,
        /// Its type, as it is written; if nothing declares it, the one that fits its uses.
        pub ty: String,
        /// What it holds at first.
        pub default: Option<String>,
        /// What it is for.
        pub doc: Option<String>,
        /// Who shares it: `agent`, `group` or `world`; for a key of a tree, `in` and the name of the tree.
        pub scope: String,
        /// The values of an enumeration.
        pub values: Vec<String>,
        /// For a list: for how many items it has room.
        pub list: Option<String>,
        /// The sensor that computes it.
        pub sensor: Option<String>,
        /// The nodes that read or write it, in the order of the text.
        pub uses: Vec<SheetUse>,
    }

    /// A leaf of the manifest, or one that is used and that no manifest has.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct SheetLeaf {
        /// Its node in the manifest; 0 if nothing declares it.
        pub id: u64,
        /// Its kind: `condition`, `action` and so on.
        pub kind: String,
        /// Its name.
        pub name: String,
        /// For candidates: the type of what is listed.
        pub ty: Option<String>,
        /// What it is for.
        pub doc: Option<String>,
        /// Its parameters.
        pub params: Vec<SheetKey>,
        /// The nodes that use it, in the order of the text.
        pub uses: Vec<SheetUse>,
    }
}
