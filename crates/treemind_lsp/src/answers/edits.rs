//! Changes of texts: formatting, and how changes of many files are told.

use super::Failure;
use super::names::text_edits;
use crate::places::{name_of, uri_of};
use crate::world::World;
use gen_lsp_types::{
    DocumentChange, DocumentFormattingParams, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, Edit, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use treemind_doc::Format;
use treemind_doc::edit::{Change, Editor};
use treemind_ide::Replacement;

/// Replacements of bytes in many files.
#[derive(Debug, Default)]
pub(super) struct Edits {
    files: BTreeMap<String, Vec<(Range<usize>, String)>>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Adds a replacement, unless it is there already.
    pub(super) fn put(&mut self, name: &str, range: Range<usize>, new: String) {
        let all = self.files.entry(name.to_owned()).or_default();
        if !all.contains(&(range.clone(), new.clone())) || range.is_empty() {
            all.push((range, new));
        }
    }

    /// Adds a change of one of several documents that share files. In a file that they share, they have to agree.
    pub(super) fn add(&mut self, editor: &Editor, change: &Change) -> Result<(), Failure> {
        for file in change.files() {
            let name = editor.name(file);
            let own = change.splices().iter().filter(|one| one.file == file);
            let own: Vec<_> = own
                .map(|one| (one.range.clone(), one.new.clone()))
                .collect();
            match self.files.get(name) {
                Some(known) if *known != own => {
                    return Err(Failure::refused(format!(
                        "documents that import {name} do not agree on what this would change in it"
                    )));
                }
                Some(_) => {}
                None => {
                    self.files.insert(name.to_owned(), own);
                }
            }
        }
        Ok(())
    }
}

/// Changes of many files, as the client wants to be told.
pub(super) fn changed(world: &World, edits: &Edits) -> WorkspaceEdit {
    let all = edits.files.iter();
    let all = all.filter_map(|(name, own)| Some((name, text_edits(world, name, own)?)));
    if !world.settings.can.versions {
        let changes: HashMap<Uri, Vec<TextEdit>> =
            all.map(|(name, edits)| (uri_of(name), edits)).collect();
        return WorkspaceEdit {
            changes: Some(changes),
            ..WorkspaceEdit::default()
        };
    }
    let changes = all.map(|(name, edits)| {
        DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                version: world.version(name),
                text_document_identifier: TextDocumentIdentifier { uri: uri_of(name) },
            },
            edits: edits.into_iter().map(Edit::TextEdit).collect(),
        })
    });
    WorkspaceEdit {
        document_changes: Some(changes.collect()),
        ..WorkspaceEdit::default()
    }
}

/// The change of one document, as the client wants to be told.
pub(super) fn changed_by(
    world: &World,
    splices: Vec<(String, Range<usize>, String)>,
) -> WorkspaceEdit {
    let mut edits = Edits::default();
    for (name, range, new) in splices {
        edits.put(&name, range, new);
    }
    changed(world, &edits)
}

pub(super) fn format(
    world: &mut World,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let Some(text) = kdl(world, &name) else {
        return Ok(None);
    };
    if let Err(why) = treemind_doc::format(&text, &name) {
        let first = why
            .first()
            .map_or_else(String::new, |one| format!(": {one}"));
        return Err(Failure::refused(format!(
            "this text cannot be formatted{first}"
        )));
    }
    Ok(told(world, &name, treemind_ide::formatted(&text, &name)))
}

pub(super) fn format_range(
    world: &mut World,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let Some(text) = kdl(world, &name) else {
        return Ok(None);
    };
    let range = world.with_places(&name, |places| places.bytes(params.range));
    let found = treemind_ide::formatted_range(&text, &name, range.unwrap_or_default());
    Ok(told(world, &name, found))
}

pub(super) fn format_typed(
    world: &mut World,
    params: DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let (Some(text), Some(letter)) = (kdl(world, &name), params.ch.chars().next()) else {
        return Ok(None);
    };
    let at = world.with_places(&name, |places| places.byte(params.position));
    let found = treemind_ide::typed(&text, at.unwrap_or_default(), letter);
    Ok(told(world, &name, found))
}

/// The text of a file, if it is in KDL.
fn kdl(world: &World, name: &str) -> Option<std::sync::Arc<str>> {
    let text = world.files.text(name)?;
    (Format::of(name, &text) == Format::Kdl).then_some(text)
}

fn told(world: &World, name: &str, all: Vec<Replacement>) -> Option<Vec<TextEdit>> {
    let all: Vec<_> = all.into_iter().map(|one| (one.range, one.new)).collect();
    text_edits(world, name, &all)
}
