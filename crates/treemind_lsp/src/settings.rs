//! What a client can do, and what its user wants.

use crate::places::Encoding;
use serde_json::Value;
use treemind_ide::WantedHints;

/// What a client can do, and what its user wants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) encoding: Encoding,
    pub(crate) hints: WantedHints,
    /// Whether lines to run tests are shown.
    pub(crate) lenses: Lenses,
    /// The client shows by itself what tests reached.
    pub(crate) shows_coverage: bool,
    /// Folders whose files documents may import, beside their own and those of the workspace.
    pub(crate) folders: Vec<String>,
    pub(crate) can: Abilities,
}

/// Whether lines above tests are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lenses {
    pub(crate) run: bool,
    /// The client has a command that shows a test in the studio.
    pub(crate) debug: bool,
}

impl Default for Lenses {
    fn default() -> Self {
        Self {
            run: true,
            debug: false,
        }
    }
}

/// What a client can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Abilities {
    pub(crate) snippets: bool,
    pub(crate) watching: bool,
    pub(crate) progress: bool,
    pub(crate) versions: bool,
    pub(crate) refreshes_lenses: bool,
}

impl Settings {
    /// From what a client says when it begins.
    pub(crate) fn of_client(params: &Value) -> Self {
        let is = |path: &str| params.pointer(path).and_then(Value::as_bool) == Some(true);
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array);
        let knows_bytes = encodings.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        let mut settings = Self {
            encoding: match knows_bytes {
                true => Encoding::Utf8,
                false => Encoding::Utf16,
            },
            can: Abilities {
                snippets: is("/capabilities/textDocument/completion/completionItem/snippetSupport"),
                watching: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
                progress: is("/capabilities/window/workDoneProgress"),
                versions: is("/capabilities/workspace/workspaceEdit/documentChanges"),
                refreshes_lenses: is("/capabilities/workspace/codeLens/refreshSupport"),
            },
            ..Self::default()
        };
        if let Some(wanted) = params.get("initializationOptions") {
            settings.turn_to(wanted);
        }
        settings
    }

    /// Takes over what a user has set; what is not mentioned stays.
    pub(crate) fn turn_to(&mut self, wanted: &Value) {
        let wanted = wanted.get("treemind").unwrap_or(wanted);
        let set = |path: &str, of: &mut bool| {
            if let Some(value) = wanted.pointer(path).and_then(Value::as_bool) {
                *of = value;
            }
        };
        set("/hints/parameters", &mut self.hints.parameters);
        set("/hints/defaults", &mut self.hints.defaults);
        set("/hints/types", &mut self.hints.types);
        set("/tests/run", &mut self.lenses.run);
        set("/tests/debug", &mut self.lenses.debug);
        let mut hints_at_coverage = !self.shows_coverage;
        set("/tests/coverage", &mut hints_at_coverage);
        self.shows_coverage = !hints_at_coverage;
        if let Some(folders) = wanted.pointer("/importFolders").and_then(Value::as_array) {
            let names = folders.iter().filter_map(Value::as_str);
            self.folders = names.map(str::to_owned).collect();
        }
    }
}
