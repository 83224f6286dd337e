//! The requests of the protocol, each with its answer.

mod actions;
mod colours;
mod completion;
mod edits;
mod hierarchy;
mod lenses;
mod names;
mod reading;
mod symbols;

use crate::places::Encoding;
use crate::settings::Settings;
use crate::world::World;
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The command that runs tests: its arguments are the URI of a file, and the ids of tests; all if there are none.
pub(crate) const RUN_TESTS: &str = "treemind.runTests";

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl Failure {
    /// It is refused, for a reason that its user should know.
    fn refused(reason: impl ToString) -> Self {
        Self {
            code: ErrorCode::RequestFailed,
            message: reason.to_string(),
        }
    }
}

/// The answer to a request.
pub(crate) fn answer(world: &mut World, method: &str, params: Value) -> Result<Value, Failure> {
    match method {
        "textDocument/completion" => with(world, params, completion::complete),
        "textDocument/hover" => with(world, params, reading::hover),
        "textDocument/signatureHelp" => with(world, params, reading::signature),
        "textDocument/selectionRange" => with(world, params, reading::selections),
        "textDocument/definition" => with(world, params, names::definition),
        "textDocument/references" => with(world, params, names::references),
        "textDocument/documentHighlight" => with(world, params, names::highlights),
        "textDocument/prepareRename" => with(world, params, names::prepare_rename),
        "textDocument/rename" => with(world, params, names::rename),
        "workspace/willRenameFiles" => with(world, params, names::rename_files),
        "textDocument/documentSymbol" => with(world, params, symbols::of_document),
        "workspace/symbol" => with(world, params, symbols::of_workspace),
        "textDocument/foldingRange" => with(world, params, symbols::folds),
        "textDocument/formatting" => with(world, params, edits::format),
        "textDocument/rangeFormatting" => with(world, params, edits::format_range),
        "textDocument/onTypeFormatting" => with(world, params, edits::format_typed),
        "textDocument/codeAction" => with(world, params, actions::actions),
        "textDocument/semanticTokens/full" => with(world, params, colours::tokens),
        "textDocument/semanticTokens/range" => with(world, params, colours::tokens_in),
        "textDocument/inlayHint" => with(world, params, colours::hints),
        "textDocument/prepareCallHierarchy" => with(world, params, hierarchy::prepare),
        "callHierarchy/incomingCalls" => with(world, params, hierarchy::incoming),
        "callHierarchy/outgoingCalls" => with(world, params, hierarchy::outgoing),
        "textDocument/codeLens" => with(world, params, lenses::lenses),
        "treemind/tests" => with(world, params, lenses::tests),
        #[cfg(test)]
        "treemind/panic" => panic!("as the test wants"),
        _ => Err(Failure {
            code: ErrorCode::MethodNotFound,
            message: format!("`{method}` is not known"),
        }),
    }
}

/// Reads the parameters, and writes the answer.
fn with<P: DeserializeOwned, A: Serialize>(
    world: &mut World,
    params: Value,
    answer: impl FnOnce(&mut World, P) -> Result<A, Failure>,
) -> Result<Value, Failure> {
    let params = serde_json::from_value(params).map_err(|error| Failure {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    })?;
    let answered = answer(world, params)?;
    serde_json::to_value(answered).map_err(|error| Failure {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}

/// What a server says that it can do.
pub(crate) fn initialized(settings: &Settings) -> Value {
    let files = json!({ "filters": [{ "scheme": "file", "pattern": { "glob": "**/*.kdl" } }] });
    json!({
        "serverInfo": { "name": "treemind", "version": env!("CARGO_PKG_VERSION") },
        "capabilities": {
            "positionEncoding": match settings.encoding {
                Encoding::Utf8 => "utf-8",
                Encoding::Utf16 => "utf-16",
            },
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "completionProvider": { "triggerCharacters": completion::TRIGGERS },
            "hoverProvider": true,
            "signatureHelpProvider": { "triggerCharacters": ["(", ",", " ", "="] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": actions::KINDS },
            "codeLensProvider": { "resolveProvider": false },
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": {
                "firstTriggerCharacter": "}",
                "moreTriggerCharacter": ["\n"],
            },
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "callHierarchyProvider": true,
            "inlayHintProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": colours::TYPES, "tokenModifiers": colours::MODIFIERS },
                "range": true,
                "full": true,
            },
            "executeCommandProvider": { "commands": [RUN_TESTS] },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "fileOperations": { "willRename": files },
            },
        },
    })
}
