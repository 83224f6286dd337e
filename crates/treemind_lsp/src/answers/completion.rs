//! What could be written.

use super::Failure;
use crate::places::name_of;
use crate::world::World;
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, Documentation,
    InsertTextFormat, InsertTextMode, MarkupContent, MarkupKind, TextEdit,
};
use treemind_ide::{Completion, CompletionKind};

/// What makes a client ask while somebody types, beside letters.
pub(super) const TRIGGERS: [&str; 7] = [" ", "\"", "=", "{", ".", "(", "#"];

pub(super) fn complete(
    world: &mut World,
    params: CompletionParams,
) -> Result<Option<CompletionList>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let files = world.importable(&name);
    let snippets = world.settings.can.snippets;
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let at = asked.at(place.position);
    let found = treemind_ide::complete(asked.editor, at, &files);
    let mut range = asked.places.range(found.replaces);
    // The protocol wants one line, with the cursor in it.
    if range.start.line != place.position.line || range.start > place.position {
        range.start = place.position;
    }
    if range.end.line != place.position.line || range.end < place.position {
        range.end = place.position;
    }
    let is_incomplete = found.items.len() >= 200;
    let items = found.items.into_iter().enumerate();
    let items = items.map(|(nth, one)| item(nth, one, range, snippets));
    Ok(Some(CompletionList {
        is_incomplete,
        items: items.collect(),
        ..CompletionList::default()
    }))
}

fn item(
    nth: usize,
    one: Completion,
    range: gen_lsp_types::Range,
    snippets: bool,
) -> CompletionItem {
    let snippet = one.snippet.filter(|_| snippets);
    let is_snippet = snippet.is_some();
    let new_text = snippet.unwrap_or(one.insert);
    CompletionItem {
        kind: Some(kind(one.kind)),
        detail: Some(one.detail).filter(|detail| !detail.is_empty()),
        documentation: Some(one.doc).filter(|doc| !doc.is_empty()).map(|value| {
            Documentation::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value,
            })
        }),
        sort_text: Some(format!("{nth:04}")),
        filter_text: Some(one.label.clone()),
        label: one.label,
        insert_text_format: Some(match is_snippet {
            true => InsertTextFormat::Snippet,
            false => InsertTextFormat::PlainText,
        }),
        insert_text_mode: is_snippet.then_some(InsertTextMode::AdjustIndentation),
        text_edit: Some(TextEdit { range, new_text }.into()),
        ..CompletionItem::default()
    }
}

fn kind(of: CompletionKind) -> CompletionItemKind {
    match of {
        CompletionKind::Word => CompletionItemKind::Keyword,
        CompletionKind::Property => CompletionItemKind::Property,
        CompletionKind::Key => CompletionItemKind::Variable,
        CompletionKind::Leaf => CompletionItemKind::Method,
        CompletionKind::Event => CompletionItemKind::Event,
        CompletionKind::Field => CompletionItemKind::Field,
        CompletionKind::Definition => CompletionItemKind::Class,
        CompletionKind::EnumValue => CompletionItemKind::EnumMember,
        CompletionKind::Function => CompletionItemKind::Function,
        CompletionKind::File => CompletionItemKind::File,
        CompletionKind::Code => CompletionItemKind::Constant,
        CompletionKind::Name => CompletionItemKind::Reference,
        _ => CompletionItemKind::Value,
    }
}
