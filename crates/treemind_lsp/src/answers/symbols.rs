//! What files define, and what can be folded.

use super::Failure;
use crate::places::{Places, name_of, uri_of};
use crate::world::{World, defined_in};
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, FoldingRange, FoldingRangeParams,
    Location, SymbolInformation, SymbolKind, WorkspaceSymbolParams,
};
use treemind_doc::vocabulary::Named;
use treemind_ide::Defined;

/// How many symbols of a workspace are told at most.
const MOST: usize = 500;

pub(super) fn of_document(
    world: &mut World,
    params: DocumentSymbolParams,
) -> Result<Option<Vec<DocumentSymbol>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let Some(text) = world.files.text(&name) else {
        return Ok(None);
    };
    let all = defined_in(&name, &text);
    Ok(world.with_places(&name, |places| nested(places, &all)))
}

/// Symbols within symbols. Each comes behind the one that it is in, so they are put together from the end.
#[allow(deprecated)]
fn nested(places: &Places<'_>, all: &[Defined]) -> Vec<DocumentSymbol> {
    let mut children: Vec<Vec<DocumentSymbol>> = vec![Vec::new(); all.len() + 1];
    for (at, one) in all.iter().enumerate().rev() {
        let mut own = std::mem::take(&mut children[at]);
        own.reverse();
        let range = places.range(one.extent.clone());
        let selection = places.range(one.place.clone());
        let symbol = DocumentSymbol {
            name: match one.name.trim() {
                "" => one.word.clone(),
                name => name.to_owned(),
            },
            detail: Some(one.word.clone()),
            kind: kind(one),
            tags: None,
            deprecated: None,
            range,
            selection_range: selection,
            children: Some(own).filter(|own| !own.is_empty()),
        };
        children[one.parent.unwrap_or(all.len())].push(symbol);
    }
    let mut top = children.pop().unwrap_or_default();
    top.reverse();
    top
}

/// The sign that editors show for what is defined.
fn kind(one: &Defined) -> SymbolKind {
    match one.kind {
        Some(
            Named::Tree | Named::Machine | Named::Decision | Named::Planner | Named::Archetype,
        ) => SymbolKind::Class,
        Some(Named::Key | Named::Item) => SymbolKind::Variable,
        Some(Named::Param | Named::EnumValue) => SymbolKind::Field,
        Some(Named::State | Named::Branch) => SymbolKind::Struct,
        Some(Named::Event) => SymbolKind::Event,
        Some(Named::Leaf | Named::Goal | Named::PlanTask | Named::Rule) => SymbolKind::Function,
        None if one.name == one.word => SymbolKind::Namespace,
        // A test.
        None if one.parent.is_none() => SymbolKind::Method,
        _ => SymbolKind::Object,
    }
}

#[allow(deprecated)]
pub(super) fn of_workspace(
    world: &mut World,
    params: WorkspaceSymbolParams,
) -> Result<Option<Vec<SymbolInformation>>, Failure> {
    let wanted = params.query.to_lowercase();
    let mut found = Vec::new();
    for (name, all) in world.outlines() {
        let fitting = all
            .iter()
            .filter(|one| fits(&one.name.to_lowercase(), &wanted));
        let fitting: Vec<&Defined> = fitting.take(MOST).collect();
        if fitting.is_empty() || found.len() >= MOST {
            continue;
        }
        let told = world.with_places(&name, |places| {
            let told = |one: &Defined| SymbolInformation {
                deprecated: None,
                location: Location {
                    uri: uri_of(&name),
                    range: places.range(one.place.clone()),
                },
                base_symbol_information: BaseSymbolInformation {
                    name: one.name.clone(),
                    kind: kind(one),
                    tags: None,
                    container_name: one.parent.map(|parent| all[parent].name.clone()),
                },
            };
            fitting.iter().map(|one| told(one)).collect::<Vec<_>>()
        });
        found.extend(told.unwrap_or_default());
    }
    found.truncate(MOST);
    Ok(Some(found))
}

/// Whether the letters of what is looked for are in a name, in their order.
fn fits(name: &str, wanted: &str) -> bool {
    let mut letters = name.chars();
    wanted
        .chars()
        .all(|one| letters.any(|letter| letter == one))
}

pub(super) fn folds(
    world: &mut World,
    params: FoldingRangeParams,
) -> Result<Option<Vec<FoldingRange>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let all = treemind_ide::folds(asked.editor, asked.file).into_iter();
    let told = all.filter_map(|one| {
        let range = asked.places.range(one);
        let end_line = range.end.line.checked_sub(1)?;
        (end_line > range.start.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line,
            ..FoldingRange::default()
        })
    });
    Ok(Some(told.collect()))
}
