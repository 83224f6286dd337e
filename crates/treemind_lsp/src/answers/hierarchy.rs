//! Which definitions run which.

use super::Failure;
use crate::places::{name_of, uri_of};
use crate::world::World;
use gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
    SymbolKind,
};
use treemind_doc::edit::{At, Editor};
use treemind_ide::{Call, Callable};

/// What runs or is run, with the name of its file.
type Named = (String, Callable);

pub(super) fn prepare(
    world: &mut World,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let found = treemind_ide::callable(asked.editor, asked.at(place.position));
    let found = found.map(|one| (asked.editor.name(one.file).to_owned(), one));
    Ok(found.and_then(|one| item(world, &one)).map(|one| vec![one]))
}

fn item(world: &World, (name, one): &Named) -> Option<CallHierarchyItem> {
    world.with_places(name, |places| CallHierarchyItem {
        name: one.name.clone(),
        kind: SymbolKind::Function,
        tags: None,
        detail: Some(one.word.clone()),
        uri: uri_of(name),
        range: places.range(one.extent.clone()),
        selection_range: places.range(one.span.clone()),
        data: None,
    })
}

/// The calls from or to an item, each with the name of its file.
fn calls(
    world: &mut World,
    item: &CallHierarchyItem,
    ask: impl FnOnce(&Editor, At) -> Vec<Call>,
) -> Vec<(Named, Call)> {
    let name = name_of(&item.uri);
    let Some(asked) = world.ask(&name) else {
        return Vec::new();
    };
    let all = ask(asked.editor, asked.at(item.selection_range.start));
    let named = |call: Call| {
        let name = asked.editor.name(call.other.file).to_owned();
        ((name, call.other.clone()), call)
    };
    all.into_iter().map(named).collect()
}

/// Places in a file.
fn ranges(world: &World, name: &str, call: &Call) -> Vec<Range> {
    let told = world.with_places(name, |places| {
        let all = call.places.iter();
        all.map(|span| places.range(span.clone())).collect()
    });
    told.unwrap_or_default()
}

pub(super) fn incoming(
    world: &mut World,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let found = calls(world, &params.item, |editor, at| {
        treemind_ide::incoming(editor, at)
    });
    let told = found.into_iter().filter_map(|(other, call)| {
        Some(CallHierarchyIncomingCall {
            from: item(world, &other)?,
            from_ranges: ranges(world, &other.0, &call),
        })
    });
    Ok(Some(told.collect()))
}

pub(super) fn outgoing(
    world: &mut World,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let own = name_of(&params.item.uri);
    let found = calls(world, &params.item, |editor, at| {
        treemind_ide::outgoing(editor, at)
    });
    let told = found.into_iter().filter_map(|(other, call)| {
        Some(CallHierarchyOutgoingCall {
            to: item(world, &other)?,
            from_ranges: ranges(world, &own, &call),
        })
    });
    Ok(Some(told.collect()))
}
