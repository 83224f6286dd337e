//! What the words of a text are, and what it does not say itself.

use super::Failure;
use crate::places::{Places, name_of};
use crate::world::{Asked, World};
use gen_lsp_types::{
    InlayHint, InlayHintKind, InlayHintParams, Label, SemanticToken, SemanticTokens,
    SemanticTokensParams, SemanticTokensRangeParams,
};
use std::ops::Range;
use treemind_ide::{HintKind, Token, TokenKind};

/// The types of words, in the order of their numbers: those of the protocol, so that every theme has colours for them.
pub(super) const TYPES: [&str; 17] = [
    "keyword",
    "property",
    "enumMember",
    "type",
    "variable",
    "parameter",
    "method",
    "event",
    "class",
    "struct",
    "label",
    "function",
    "number",
    "string",
    "operator",
    "macro",
    "comment",
];

/// What else may be said of a word, bit by bit.
pub(super) const MODIFIERS: [&str; 2] = ["definition", "modification"];

fn number(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Word => 0,
        TokenKind::Property => 1,
        TokenKind::Choice => 2,
        TokenKind::Type => 3,
        TokenKind::Key => 4,
        TokenKind::Param => 5,
        TokenKind::Leaf => 6,
        TokenKind::Event => 7,
        TokenKind::Definition => 8,
        TokenKind::State => 9,
        TokenKind::Name => 10,
        TokenKind::Function => 11,
        TokenKind::Number => 12,
        TokenKind::Text => 13,
        TokenKind::Operator => 14,
        TokenKind::Constant => 15,
        TokenKind::Comment => 16,
    }
}

pub(super) fn tokens(
    world: &mut World,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokens>, Failure> {
    let name = name_of(&params.text_document.uri);
    let asked = world.ask(&name);
    Ok(asked.map(|asked| within(&asked, 0..usize::MAX)))
}

pub(super) fn tokens_in(
    world: &mut World,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokens>, Failure> {
    let name = name_of(&params.text_document.uri);
    let asked = world.ask(&name);
    Ok(asked.map(|asked| {
        let range = asked.places.bytes(params.range);
        within(&asked, range)
    }))
}

fn within(asked: &Asked<'_>, range: Range<usize>) -> SemanticTokens {
    let all = treemind_ide::tokens(asked.editor, asked.file).into_iter();
    let wanted = all.filter(|one| one.span.start < range.end && range.start < one.span.end);
    let mut data = Vec::new();
    let mut last = (0, 0);
    for one in wanted {
        for span in lines_of(asked.places.text(), one.span.clone()) {
            data.extend(told(&asked.places, &one, span, &mut last));
        }
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

/// The parts of a range that are on one line each.
fn lines_of(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut at = span.start;
    let parts = text.get(span).unwrap_or("").split_inclusive('\n');
    parts
        .map(|part| {
            let start = at;
            at += part.len();
            start..start + part.trim_end_matches(['\r', '\n']).len()
        })
        .filter(|part| !part.is_empty())
        .collect()
}

/// A word relative to the one before it.
fn told(
    places: &Places<'_>,
    one: &Token,
    span: Range<usize>,
    last: &mut (u32, u32),
) -> Option<SemanticToken> {
    let range = places.range(span);
    let start = (range.start.line, range.start.character);
    let delta_line = start.0.checked_sub(last.0)?;
    let delta_start = match delta_line {
        0 => start.1.checked_sub(last.1)?,
        _ => start.1,
    };
    *last = start;
    Some(SemanticToken {
        delta_line,
        delta_start,
        length: range.end.character.checked_sub(start.1)?,
        token_type: number(one.kind),
        token_modifiers_bitset: u32::from(one.is_definition) + 2 * u32::from(one.is_written),
    })
}

pub(super) fn hints(
    world: &mut World,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let wanted = world.settings.hints;
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let range = asked.places.bytes(params.range);
    let all = treemind_ide::hints(asked.editor, asked.file, range, wanted).into_iter();
    let shown = all.map(|one| InlayHint {
        position: asked.places.position(one.at),
        label: Label::String(one.text),
        kind: Some(match one.kind {
            HintKind::Type => InlayHintKind::Type,
            _ => InlayHintKind::Parameter,
        }),
        text_edits: None,
        tooltip: None,
        padding_left: Some(one.kind == HintKind::Default),
        padding_right: Some(one.kind == HintKind::Parameter),
        data: None,
    });
    Ok(Some(shown.collect()))
}
