//! What can be done at a place: quick fixes, refactorings, and all fixes at once.

use super::Failure;
use super::edits::changed_by;
use crate::diagnose::diagnosed;
use crate::places::name_of;
use crate::world::World;
use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionTriggerKind, Diagnostic,
};
use std::ops::Range;
use treemind_doc::edit::{Change, Editor};
use treemind_ide::RefactoringKind;

/// The kinds of actions that there are.
pub(super) const KINDS: [&str; 5] = [
    "quickfix",
    "refactor.extract",
    "refactor.inline",
    "refactor.rewrite",
    FIX_ALL,
];

const FIX_ALL: &str = "source.fixAll.treemind";

/// What is offered: before it is known as the client counts it.
struct Offer {
    title: String,
    kind: CodeActionKind,
    diagnostics: Option<Vec<Diagnostic>>,
    is_preferred: bool,
    splices: Vec<(String, Range<usize>, String)>,
}

pub(super) fn actions(
    world: &mut World,
    params: CodeActionParams,
) -> Result<Option<Vec<CodeAction>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let only = params.context.only.clone().map(|kinds| {
        kinds
            .into_iter()
            .map(|kind| kind.to_string())
            .collect::<Vec<_>>()
    });
    let wants = |kind: &str| {
        let is_below = |of: &String| {
            kind == of
                || kind
                    .strip_prefix(of.as_str())
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        only.as_ref().is_none_or(|kinds| kinds.iter().any(is_below))
    };
    let Some(asked) = world.ask(&name) else {
        return Ok(None);
    };
    let range = asked.places.bytes(params.range);
    let mut offers = Vec::new();
    if wants("quickfix") {
        quick_fixes(asked.editor, asked.file, &range, &mut offers);
        for offer in &mut offers {
            let code = offer.title.clone();
            offer.diagnostics = Some(diagnosed(&params.context.diagnostics, &code));
        }
    }
    // While somebody only moves the cursor, what costs much is not looked for.
    let is_by_itself = params.context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
    if !is_by_itself || only.is_some() {
        for one in treemind_ide::refactorings(asked.editor, (asked.file, range.start)) {
            let (kind, word) = match one.kind {
                RefactoringKind::Extract => (CodeActionKind::RefactorExtract, KINDS[1]),
                RefactoringKind::Inline => (CodeActionKind::RefactorInline, KINDS[2]),
                RefactoringKind::Rewrite => (CodeActionKind::RefactorRewrite, KINDS[3]),
            };
            if wants(word) {
                offers.push(offer(
                    asked.editor,
                    one.label.to_string(),
                    kind,
                    &one.change,
                ));
            }
        }
    }
    // To look for all fixes takes long, so somebody has to ask for it.
    if only.is_some()
        && wants(FIX_ALL)
        && let Some(change) = treemind_ide::fix_all(asked.editor, asked.file)
    {
        let kind = CodeActionKind::from(FIX_ALL.to_owned());
        offers.push(offer(asked.editor, "fix all".to_owned(), kind, &change));
    }
    let world: &World = world;
    let actions = offers.into_iter().map(|one| CodeAction {
        title: one.title,
        kind: Some(one.kind),
        diagnostics: one.diagnostics,
        is_preferred: one.is_preferred.then_some(true),
        edit: Some(changed_by(world, one.splices)),
        ..CodeAction::default()
    });
    Ok(Some(actions.collect()))
}

fn quick_fixes(editor: &Editor, file: usize, range: &Range<usize>, offers: &mut Vec<Offer>) {
    // Which tree runs is asked where a document is played: an editor does not show that as a problem.
    let shown = editor.document().diagnostics();
    let fixes = treemind_ide::fixes_in(editor, file, range.clone()).into_iter();
    let fixes = fixes.filter(|fix| shown.iter().any(|one| one.code() == fix.code));
    for (nth, fix) in fixes.enumerate() {
        let title = format!("{} ({})", fix.label, fix.code);
        let mut offer = offer(editor, title, CodeActionKind::QuickFix, &fix.change);
        offer.is_preferred = nth == 0 && !fix.is_allowance();
        offers.push(offer);
    }
}

fn offer(editor: &Editor, title: String, kind: CodeActionKind, change: &Change) -> Offer {
    let splices = change.splices().iter();
    let splices = splices.map(|one| {
        (
            editor.name(one.file).to_owned(),
            one.range.clone(),
            one.new.clone(),
        )
    });
    Offer {
        title,
        kind,
        diagnostics: None,
        is_preferred: false,
        splices: splices.collect(),
    }
}
