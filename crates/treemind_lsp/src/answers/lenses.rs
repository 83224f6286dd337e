//! Lines above tests that run them, and how they ended.

use super::{Failure, RUN_TESTS};
use crate::places::name_of;
use crate::world::World;
use gen_lsp_types::{CodeLens, CodeLensParams, Command, Position, Range};
use serde::Deserialize;
use serde_json::{Value, json};
use treemind_test::Listed;

/// The file whose tests are asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Of {
    text_document: gen_lsp_types::TextDocumentIdentifier,
}

/// The tests of a file.
fn listed(world: &mut World, name: &str) -> Vec<Listed> {
    let root = world.root(name);
    let document = root.and_then(|root| world.document(&root));
    let all = document.map(treemind_test::list).unwrap_or_default();
    all.into_iter().filter(|one| one.file == name).collect()
}

/// Its line, from its beginning.
fn line(one: &Listed) -> Range {
    let line = u32::try_from(one.line.saturating_sub(1)).unwrap_or(u32::MAX);
    let start = Position { line, character: 0 };
    Range { start, end: start }
}

pub(super) fn lenses(
    world: &mut World,
    params: CodeLensParams,
) -> Result<Option<Vec<CodeLens>>, Failure> {
    let name = name_of(&params.text_document.uri);
    let wanted = world.settings.lenses;
    if !wanted.run {
        return Ok(None);
    }
    let uri = params.text_document.uri;
    let all = listed(world, &name);
    let tested = world.tested.get(&name);
    let mut lenses = Vec::new();
    let mut push = |one: &Listed, title: String, command: &str, arguments: Vec<Value>| {
        lenses.push(CodeLens {
            range: line(one),
            command: Some(Command {
                title,
                tooltip: None,
                command: command.to_owned(),
                arguments: Some(arguments),
            }),
            data: None,
        });
    };
    for one in &all {
        let end = tested.and_then(|tested| tested.ends.get(&one.id));
        let ended = match end {
            Some(end) if end.fingerprint == one.fingerprint => match &end.failure {
                None => " ✓ passed",
                Some(_) => " ✗ failed",
            },
            Some(_) => " (changed since it ran)",
            None => "",
        };
        push(
            one,
            format!("▶ run{ended}"),
            RUN_TESTS,
            vec![json!(uri), json!([one.id])],
        );
        if wanted.debug {
            let arguments = vec![json!(uri), json!(one.id)];
            push(one, "debug".to_owned(), "treemind.debugTest", arguments);
        }
    }
    if let [first, _, ..] = all.as_slice() {
        let coverage = tested.and_then(|tested| tested.coverage);
        let reached = coverage.map(|percent| format!(" (they reach {percent:.0} %)"));
        let title = format!(
            "▶ run all {} tests{}",
            all.len(),
            reached.unwrap_or_default()
        );
        push(first, title, RUN_TESTS, vec![json!(uri), json!([])]);
    }
    Ok(Some(lenses))
}

/// The tests of a file as they are: for clients that list them.
pub(super) fn tests(world: &mut World, params: Of) -> Result<Value, Failure> {
    let name = name_of(&params.text_document.uri);
    let all = listed(world, &name);
    let told = all
        .iter()
        .map(|one| json!({ "id": one.id, "name": one.name, "range": line(one) }));
    Ok(told.collect())
}
