//! The names of properties: those of the word, parameters of its leaf, ports of its tree, and keys that a line gives
//! values to.

use super::{Asked, Completion, CompletionKind, Likely, Offers, plain};
use treemind_doc::edit::{CursorNode, Known, SymbolKind, written_word};
use treemind_doc::vocabulary::{Circle, Named, Property, Takes, Word, properties_of_nodes};

/// Offers the properties that the line does not have yet.
pub(super) fn properties(asked: &Asked<'_>, offers: &mut Offers) {
    let Some(node) = &asked.cursor.node else {
        return;
    };
    let Some(row) = node.row else {
        return;
    };
    let is_there = |name: &str| {
        let own = asked.cursor.token.start;
        let mut entries = node.entries.iter();
        entries.any(|entry| entry.name.as_deref() == Some(name) && entry.span.start != own)
    };
    for one in parameters(asked, node, row) {
        if !is_there(&one.name) {
            let needed = Likely::from(one.default.is_none()) * 20;
            offers.add(60 + needed, of_parameter(asked, &one));
        }
    }
    if node.word == "given" {
        for key in keys_that_start(asked).filter(|key| !is_there(&key.name)) {
            offers.add(100 + key.uses as Likely, of_parameter(asked, key));
        }
    }
    let earlier = node.entries.iter();
    let mut earlier = earlier.filter(|entry| entry.span.start < asked.cursor.token.start);
    let before = earlier
        .next_back()
        .and_then(|entry| entry.name.as_deref())
        .unwrap_or("");
    let of_all = properties_of_nodes().into_iter().filter(|_| row.is_node());
    let all = row.properties().into_iter().chain(of_all);
    for property in all.filter(|one| !is_there(one.name())) {
        let used = asked.usage.property(before, property.name());
        let circle = match property.circle() {
            Circle::FirstDay => 12,
            Circle::FirstWeek => 6,
            Circle::Seldom => 0,
        };
        offers.add(2 * used + circle, of_property(asked, &property));
    }
}

/// The parameters or ports that a node gives values to.
pub(super) fn parameters(asked: &Asked<'_>, node: &CursorNode, row: Word) -> Vec<Known> {
    let Some(name) = node.name().or_else(|| node.property("sensor")) else {
        return Vec::new();
    };
    let kind = match row.value() {
        _ if !row.takes_parameters() && node.word != "send" => return Vec::new(),
        Some(Takes::Names(Named::Tree | Named::Machine | Named::Decision | Named::Planner)) => {
            SymbolKind::Port
        }
        Some(Takes::Names(Named::Network)) => SymbolKind::Output,
        _ => SymbolKind::Param,
    };
    let known = asked.known.iter();
    let own = known.filter(|one| one.kind == kind && one.of.as_deref() == Some(name));
    own.cloned().collect()
}

/// The keys that `given` gives values to.
fn keys_that_start<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = &'a Known> {
    let is_key = |one: &&Known| matches!(one.kind, SymbolKind::Key | SymbolKind::Port);
    asked.known.iter().filter(is_key)
}

fn has_equals(asked: &Asked<'_>) -> bool {
    asked.text[asked.cursor.token.end..].starts_with('=')
}

fn of_parameter(asked: &Asked<'_>, one: &Known) -> Completion {
    let name = written_word(&one.name);
    let ty = one.ty.as_deref().unwrap_or("bool");
    let insert = if has_equals(asked) {
        name.clone()
    } else {
        format!("{name}=")
    };
    Completion {
        label: one.name.clone(),
        kind: CompletionKind::Field,
        snippet: (!has_equals(asked)).then(|| format!("{}=$1", plain(&name))),
        insert,
        detail: match &one.default {
            Some(default) => format!("{ty} = {default}"),
            None => ty.to_owned(),
        },
        doc: one.doc.clone().unwrap_or_default(),
    }
}

fn of_property(asked: &Asked<'_>, property: &Property) -> Completion {
    let name = property.name();
    let value = match property.takes() {
        Takes::Flag => "#true".to_owned(),
        Takes::Expr(_) | Takes::Statements(_) | Takes::Text | Takes::Log => "\"$1\"".to_owned(),
        _ => "$1".to_owned(),
    };
    let insert = match value.as_str() {
        _ if has_equals(asked) => name.to_owned(),
        "#true" => format!("{name}=#true"),
        _ => format!("{name}="),
    };
    let usual = property.usual().map(|usual| format!(". {usual}"));
    Completion {
        label: name.to_owned(),
        kind: CompletionKind::Property,
        snippet: (!has_equals(asked)).then(|| format!("{name}={value}")),
        insert,
        detail: property
            .default()
            .map_or_else(String::new, |default| format!("default {default}")),
        doc: match usual {
            Some(usual) => format!("{}{usual}", property.purpose().trim_end_matches('.')),
            None => property.purpose().to_owned(),
        },
    }
}
