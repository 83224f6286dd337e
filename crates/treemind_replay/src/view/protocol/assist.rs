//! What a page asks about a text that is being written, and what it is answered.

use serde::{Deserialize, Serialize};
use treemind_doc::Said;

protocol! {
    /// What has been typed and is not part of the document yet.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct Typed {
        /// Where it begins in the text as the server has it, in units of UTF-16.
        pub from: usize,
        /// Where what it replaces ends.
        pub to: usize,
        /// What takes its place.
        pub text: String,
    }

    /// Where somebody is writing.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    #[serde(tag = "in", rename_all = "kebab-case")]
    pub enum Caret {
        /// In the text of a file.
        Text {
            /// The file, by its position in the sheet.
            file: usize,
            /// The line, from 1.
            line: usize,
            /// The column in it, from 0, in units of UTF-16.
            column: usize,
            /// What has been typed since the last edit.
            typed: Option<Typed>,
        },
        /// In a field for a property.
        Field {
            /// The node.
            id: u64,
            /// The property; for a value without a name, its number from 0.
            name: String,
            /// What the field says, as `set` takes it.
            value: String,
            /// The place in it, in units of UTF-16.
            at: usize,
        },
    }

    /// Something that could be written.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Completion {
        /// What a list shows.
        pub label: String,
        /// What it stands for: `word`, `property`, `choice`, `key`, `leaf`, `event`, `field`, `definition`, `name`,
        /// `enum-value`, `function`, `file` or `code`.
        pub kind: String,
        /// What is written.
        pub insert: String,
        /// The same with stops for the cursor, as in the language server protocol, if it has some.
        pub snippet: Option<String>,
        /// In a few words: a type, a default.
        pub detail: String,
        /// What it is for.
        pub doc: String,
    }

    /// What could be written at a place, the likely things first.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Completions {
        /// The number of the question.
        pub nth: u64,
        /// What the chosen one replaces: line (from 1) and column, and where it ends. In a field, the line is 1.
        #[cfg_attr(feature = "ts", ts(type = "[line: number, column: number, last: number, end: number]"))]
        pub replaces: [usize; 4],
        /// What could be written.
        pub items: Vec<Completion>,
    }

    /// What there is to know of the thing at a place.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Hover {
        /// The number of the question.
        pub nth: u64,
        /// Where it is: line (from 1) and column, and where it ends.
        #[cfg_attr(feature = "ts", ts(type = "[line: number, column: number, last: number, end: number]"))]
        pub at: [usize; 4],
        /// What it is, as code; empty if nothing is known.
        pub title: String,
        /// Sentences about it, a line each.
        pub text: Vec<Said>,
        /// What solves the problems at the place; `fix` does one of them.
        pub fixes: Vec<Said>,
    }
}
