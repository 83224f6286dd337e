//! Folders that pages open.

use serde::Serialize;

protocol! {
    /// The files that can be opened.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct FileList {
        /// Their names.
        pub files: Vec<String>,
    }

    /// A folder that can be opened, or all that are allowed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Folder {
        /// Its name; empty for all that are allowed.
        pub folder: String,
        /// The folder around it; empty for all that are allowed, and not there if it is these.
        pub up: Option<String>,
        /// The names of the folders in it.
        pub folders: Vec<String>,
        /// The names of the documents and recordings in it.
        pub documents: Vec<String>,
        /// Whether it was opened by this: new documents of the page go there.
        pub is_opened: bool,
        /// All files that can be opened now.
        pub files: Vec<String>,
    }
}
