//! What is at a place: hover, signatures, what can be selected.

use super::Failure;
use crate::places::name_of;
use crate::world::World;
use gen_lsp_types::{
    ActiveParameter, Contents, Documentation, Hover, HoverParams, MarkupContent, MarkupKind,
    ParameterInformation, ParameterInformationLabel, SelectionRange, SelectionRangeParams,
    SignatureHelp, SignatureHelpParams, SignatureInformation,
};

pub(super) fn hover(world: &mut World, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let found = treemind_ide::hover(asked.editor, asked.at(place.position));
    Ok(found.map(|found| {
        // Each line is a paragraph of its own.
        let lines: Vec<String> = found.text.iter().map(|line| line.to_string()).collect();
        let text = lines.join("\n").trim().replace('\n', "\n\n");
        Hover {
            contents: Contents::MarkupContent(MarkupContent {
                kind: MarkupKind::Markdown,
                value: format!("```kdl\n{}\n```\n\n{text}", found.title),
            }),
            range: Some(asked.places.range(found.span)),
        }
    }))
}

pub(super) fn signature(
    world: &mut World,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>, Failure> {
    let place = params.text_document_position_params;
    let name = name_of(&place.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let found = treemind_ide::signature(asked.editor, asked.at(place.position));
    Ok(found.map(|found| {
        let active = found.active.and_then(|nth| u32::try_from(nth).ok());
        let active = active.map(ActiveParameter::Int);
        let parameters = found
            .parameters
            .into_iter()
            .map(|one| ParameterInformation {
                label: ParameterInformationLabel::String(one),
                documentation: None,
            });
        SignatureHelp {
            signatures: vec![SignatureInformation {
                label: found.label,
                documentation: Some(Documentation::String(found.doc)),
                parameters: Some(parameters.collect()),
                active_parameter: active,
            }],
            active_signature: Some(0),
            active_parameter: active,
        }
    }))
}

pub(super) fn selections(
    world: &mut World,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let of = |position| {
        let all = treemind_ide::selections(asked.editor, asked.at(position));
        let outer_first = all.into_iter().rev();
        let nested = outer_first.fold(None, |parent: Option<SelectionRange>, span| {
            Some(SelectionRange {
                range: asked.places.range(span),
                parent: parent.map(Box::new),
            })
        });
        nested.unwrap_or_default()
    };
    Ok(Some(
        params.positions.into_iter().take(1000).map(of).collect(),
    ))
}
