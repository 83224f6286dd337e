//! `semaphore`: a counted number of places; its name is known in the whole document.

use super::DefinitionKind;
use super::declare::plain_name;
use super::line::{Line, quoted};
use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{KeyScope, Semaphores};
use crate::language::SEMAPHORE_SCOPE;
use crate::syntax::{Entry, Node, Span, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::SemaphoreId;
use treemind_core::behaviour::{Scope, Semaphore};

/// What the nodes of one semaphore declare.
struct Said {
    /// The first place of its name.
    span: Span,
    /// One of the nodes has a `max=`, possibly with a mistake.
    has_max: bool,
    max: Option<(u32, Span)>,
    scope: Option<(Scope, Span)>,
}

/// Calls `work` for every node of every tree and machine, in document order, except disabled ones.
fn each_in_use<'n>(nodes: &'n [Node], mut work: impl FnMut(&'n Node)) {
    let trees = nodes
        .iter()
        .filter(|node| DefinitionKind::of(node).is_some());
    let mut pending: Vec<&Node> = trees.collect();
    pending.reverse();
    while let Some(node) = pending.pop() {
        work(node);
        pending.extend(present(node.children()).into_iter().rev());
    }
}

/// Finds all semaphores, and reports nodes that contradict each other about one. Returns those that agents share, with
/// the first place of the name.
pub(super) fn find(
    nodes: &[Node],
    semaphores: &mut Semaphores,
    sink: &mut Sink,
) -> Vec<(Span, Semaphore)> {
    let mut shared = Vec::new();
    let mut order: Vec<String> = Vec::new();
    let mut all: HashMap<String, Said> = HashMap::new();
    each_in_use(nodes, |node| {
        let name = match node.name.value.as_str() {
            "semaphore" => node.first_text(),
            _ => None,
        };
        let Some(name) = name else {
            return;
        };
        let said = all.entry(name.value.clone()).or_insert_with(|| {
            order.push(name.value.clone());
            Said {
                span: name.span.clone(),
                has_max: false,
                max: None,
                scope: None,
            }
        });
        add(&name.value, said, node, sink);
    });
    for name in order {
        let said = &all[&name];
        if !said.has_max {
            let message = format!("semaphore `{}` has no `max=`", shortened(&name));
            sink.error(Code::MissingValue, said.span.clone(), message)
                .with_help(format!(
                    "add its number of places to one of its nodes: `semaphore {} max=1`",
                    quoted(&name)
                ));
        }
        let semaphore = Semaphore {
            places: said.max.as_ref().map_or(1, |(max, _)| *max),
            scope: said
                .scope
                .as_ref()
                .map_or(Scope::Agent, |(scope, _)| *scope),
            name,
        };
        if semaphore.scope != Scope::Agent {
            shared.push((said.span.clone(), semaphore.clone()));
        }
        semaphores.declare(semaphore);
    }
    shared
}

/// Adds what one node declares.
fn add(name: &str, said: &mut Said, node: &Node, sink: &mut Sink) {
    if let Some(entry) = node.entry("max") {
        said.has_max = true;
        let max = match entry.value {
            Written::Int(max) => u32::try_from(max).ok().filter(|max| *max > 0),
            _ => None,
        };
        if let Some(max) = max {
            match &said.max {
                None => said.max = Some((max, entry.span.clone())),
                Some((first, _)) if *first == max => {}
                Some((_, span)) => {
                    let (first, span) = (sink.slice(span).to_owned(), span.clone());
                    differs(name, entry, &first, &span, sink);
                }
            }
        }
    }
    if let Some(entry) = node.entry("scope")
        && let Written::Text(text) = &entry.value
        && let Some(scope) = SEMAPHORE_SCOPE.form.meaning(&text.value)
    {
        match &said.scope {
            None => said.scope = Some((scope, entry.span.clone())),
            Some((first, _)) if *first == scope => {}
            Some((_, span)) => {
                // The message quotes the value as it is written.
                let (first, span) = (sink.slice(span).to_owned(), span.clone());
                differs(name, entry, &first, &span, sink);
            }
        }
    }
}

fn differs(name: &str, entry: &Entry, first: &str, span: &Span, sink: &mut Sink) {
    // Lines may be long, and each report counts through them.
    if sink.is_full() {
        return;
    }
    let place = sink.place_of(span, &entry.span);
    let message = format!(
        "semaphore `{}` is declared differently elsewhere",
        shortened(name)
    );
    sink.error(Code::Contradiction, entry.span.clone(), message)
        .with_help(format!(
            "write it once only; {place} has `{}`",
            shortened(first)
        ));
}

impl KeyScope {
    /// The semaphore of `semaphore NAME max=N scope=world wait=#true { CHILD }`.
    pub(super) fn semaphore(&mut self, line: &Line<'_>, sink: &mut Sink) -> Option<SemaphoreId> {
        let name = line.name("the semaphore", sink);
        line.only_name(sink);
        let name = name.filter(|name| plain_name(name, "semaphore", sink))?;
        self.semaphores.take(&name.value)
    }
}
