//! Where names are defined and used, and how they are changed, in all documents that know them.

use super::Failure;
use super::edits::{Edits, changed};
use crate::places::{name_of, uri_of};
use crate::world::World;
use gen_lsp_types::{
    DefinitionParams, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location,
    LocationLink, PrepareRenameParams, PrepareRenamePlaceholder, ReferenceParams,
    RenameFilesParams, RenameParams, TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

pub(super) fn definition(
    world: &mut World,
    params: DefinitionParams,
) -> Result<Option<Vec<LocationLink>>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let at = asked.at(place.position);
    let editor = asked.editor;
    let origin = treemind_ide::name_at(editor, at).map(|(span, _)| asked.places.range(span));
    let found: Vec<(String, Range<usize>, Range<usize>)> = treemind_ide::definition(editor, at)
        .into_iter()
        .map(|one| (editor.name(one.file).to_owned(), one.extent, one.span))
        .collect();
    let links = found.into_iter().filter_map(|(name, extent, span)| {
        world.with_places(&name, |places| LocationLink {
            origin_selection_range: origin,
            target_uri: uri_of(&name),
            target_range: places.range(extent),
            target_selection_range: places.range(span),
        })
    });
    Ok(Some(links.collect()))
}

/// A place in a file where a name stands: the file, the bytes, whether it is defined there, whether it is written.
type Place = (String, usize, usize, bool, bool);

/// Where a name stands, in all documents that have the file.
fn places_of(world: &mut World, place: &TextDocumentPositionParams) -> BTreeSet<Place> {
    let name = name_of(&place.text_document.uri);
    let mut found = BTreeSet::new();
    for root in world.roots(&name) {
        let Some(asked) = world.ask_in(&root, &name) else {
            continue;
        };
        for one in asked.editor.occurrences(asked.at(place.position)) {
            found.insert((
                asked.editor.name(one.file).to_owned(),
                one.span.start,
                one.span.end,
                one.is_definition,
                one.is_written,
            ));
        }
    }
    found
}

pub(super) fn references(
    world: &mut World,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>, Failure> {
    let with_definition = params.context.include_declaration;
    let found = places_of(world, &params.text_document_position_params);
    let wanted = found.into_iter().filter(|one| with_definition || !one.3);
    let all = wanted.filter_map(|(name, start, end, ..)| {
        world.with_places(&name, |places| Location {
            uri: uri_of(&name),
            range: places.range(start..end),
        })
    });
    Ok(Some(all.collect()))
}

pub(super) fn highlights(
    world: &mut World,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let all = asked
        .editor
        .occurrences(asked.at(place.position))
        .into_iter();
    let here = all.filter(|one| one.file == asked.file);
    let shown = here.map(|one| DocumentHighlight {
        range: asked.places.range(one.span),
        kind: Some(match one.is_written || one.is_definition {
            true => DocumentHighlightKind::Write,
            false => DocumentHighlightKind::Read,
        }),
    });
    Ok(Some(shown.collect()))
}

pub(super) fn prepare_rename(
    world: &mut World,
    params: PrepareRenameParams,
) -> Result<Option<PrepareRenamePlaceholder>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let found = treemind_ide::name_at(asked.editor, asked.at(place.position));
    Ok(found.map(|(span, placeholder)| PrepareRenamePlaceholder {
        range: asked.places.range(span),
        placeholder,
    }))
}

pub(super) fn rename(
    world: &mut World,
    params: RenameParams,
) -> Result<Option<WorkspaceEdit>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let mut edits = Edits::default();
    for root in world.roots(&name) {
        let Some(asked) = world.ask_in(&root, &name) else {
            continue;
        };
        let editor = asked.editor;
        if let Some(open) = (0..editor.file_count()).find(|file| !editor.is_whole(*file)) {
            return Err(Failure::refused(format!(
                "names cannot be changed until everything in {} is closed",
                editor.name(open)
            )));
        }
        let change = editor.rename(asked.at(place.position), &params.new_name);
        let change = change.map_err(Failure::refused)?;
        edits.add(editor, &change)?;
    }
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(changed(world, &edits)))
}

/// What imports have to say when files get other names.
pub(super) fn rename_files(
    world: &mut World,
    params: RenameFilesParams,
) -> Result<Option<WorkspaceEdit>, Failure> {
    let moved: BTreeMap<String, String> = params
        .files
        .into_iter()
        .map(|one| (name_of(&one.old_uri), name_of(&one.new_uri)))
        .collect();
    let mut edits = Edits::default();
    let mut touched: BTreeSet<String> = moved.keys().cloned().collect();
    for name in moved.keys() {
        touched.extend(world.importers(name));
    }
    for name in touched {
        let Some(text) = world.files.text(&name) else {
            continue;
        };
        let editor = treemind_doc::edit::Editor::of_texts(&[(name.as_str(), &*text)]);
        let own = moved.get(&name).unwrap_or(&name);
        for node in editor.read_nodes(0) {
            let path = treemind_ide::named_file(&node.node);
            let Some(path) = path.filter(|_| node.parent.is_none()) else {
                continue;
            };
            let target = treemind_ide::file_beside(&name, &path.value);
            let target = moved.get(&target).unwrap_or(&target);
            let relative = relative(own, target);
            // An import that leads to the same file as before stays as it is.
            if treemind_ide::file_beside(own, &path.value) != *target {
                let new = treemind_doc::edit::written_word(&relative);
                edits.put(&name, path.value_span.clone(), new);
            }
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(changed(world, &edits)))
}

/// The path of a file as another one names it.
fn relative(from: &str, to: &str) -> String {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let mut up = String::new();
    for above in folder.ancestors() {
        if let Ok(rest) = Path::new(to).strip_prefix(above) {
            return format!("{up}{}", rest.to_string_lossy().replace('\\', "/"));
        }
        up.push_str("../");
    }
    to.to_owned()
}

/// The edits of one file.
pub(super) fn text_edits(
    world: &World,
    name: &str,
    all: &[(Range<usize>, String)],
) -> Option<Vec<TextEdit>> {
    world.with_places(name, |places| {
        let edit = |(range, new): &(Range<usize>, String)| TextEdit {
            range: places.range(range.clone()),
            new_text: new.clone(),
        };
        all.iter().map(edit).collect()
    })
}
