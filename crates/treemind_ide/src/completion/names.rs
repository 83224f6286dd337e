//! Names that the texts declare.

use super::{Asked, Completion, CompletionKind, Likely, Offers};
use treemind_doc::edit::{Known, PlannedName, SymbolKind, written_word};
use treemind_doc::vocabulary::Named;

/// Offers the names of something that is declared elsewhere.
pub(super) fn offer(asked: &Asked<'_>, property: &str, named: Named, offers: &mut Offers) {
    let steps = match named {
        Named::Planned | Named::Traced if roles(asked, named).is_empty() => planned(asked),
        _ => Vec::new(),
    };
    for one in &steps {
        let used = asked.usage.value(property, &one.name).min(20);
        offers.add(4 * used + 30, of_planner(asked, one));
    }
    if named == Named::Planned && !steps.is_empty() {
        return;
    }
    let roles = roles(asked, named);
    let word = asked.word();
    let known = asked.known.iter();
    let known = known.filter(|one| is_one(one, named, roles) && !is_around(asked, one));
    for one in known {
        let used = asked.usage.value(property, &one.name).min(20);
        // What is declared and not used yet was declared for a use.
        let waits = Likely::from(one.uses == 0) * 5;
        let likely = 4 * used + waits;
        offers.add(likely, completion(asked, one));
        if let Some(of) = one.of.as_ref().filter(|_| one.kind == SymbolKind::State) {
            let path = format!("{of}.{}", one.name);
            let used = asked.usage.value(property, &path).min(20);
            let mut by_path = completion(asked, one);
            by_path.insert = by_path.insert.replace(&one.name, &path);
            by_path.label = path;
            offers.add(4 * used - 1, by_path);
        }
    }
    if named == Named::Event && word == "transition" {
        offers.add(-1, simple("*", CompletionKind::Event, "Any event."));
    }
    if named == Named::Column {
        let doc = "What is expected in this case.";
        offers.add(50, simple("expect", CompletionKind::Choice, doc));
    }
}

/// The steps and tasks of the planner around the place, or of the one that the test around it runs.
fn planned(asked: &Asked<'_>) -> Vec<PlannedName> {
    let top = asked.cursor.path.first().or(asked.cursor.node.as_ref());
    let planner = top.and_then(|top| match top.word.as_str() {
        "planner" => top.name(),
        "test" => top.property("planner"),
        _ => None,
    });
    planner.map_or_else(Vec::new, |name| asked.editor.planned_names(name))
}

fn of_planner(asked: &Asked<'_>, one: &PlannedName) -> Completion {
    let word = if one.is_task { "task" } else { "step" };
    Completion {
        label: one.name.clone(),
        kind: CompletionKind::Name,
        snippet: None,
        insert: match asked.cursor.is_quoted {
            true => one.name.clone(),
            false => written_word(&one.name),
        },
        detail: word.to_owned(),
        doc: one.doc.clone().unwrap_or_default(),
    }
}

/// Whether the place is inside of it, so that it would contain itself.
fn is_around(asked: &Asked<'_>, one: &Known) -> bool {
    let can_hold = matches!(
        one.kind,
        SymbolKind::Tree
            | SymbolKind::Machine
            | SymbolKind::Decision
            | SymbolKind::Planner
            | SymbolKind::Branch
    );
    let mut around = asked.cursor.path.iter();
    can_hold && around.any(|node| node.word == one.word && node.name() == Some(&one.name))
}

/// The words that declare what a place names; empty for any.
fn roles(asked: &Asked<'_>, named: Named) -> &'static [&'static str] {
    match (named, asked.word()) {
        (Named::Event, _) => &["event"],
        (Named::Leaf, "action") => &["action"],
        (Named::Leaf, "condition" | "test-condition") => &["condition"],
        (Named::Leaf, "service") => &["service"],
        (Named::Leaf, "node") => &["composite", "decorator"],
        (Named::Leaf, "key") => &["sensor"],
        (Named::Leaf, "find") => &["candidates"],
        (Named::Traced | Named::Column, "leaf") => {
            &["action", "condition", "candidates", "measure"]
        }
        _ => &[],
    }
}

fn is_one(one: &Known, named: Named, roles: &[&str]) -> bool {
    let has_role = roles.is_empty() || roles.contains(&one.word.as_str());
    let kinds: &[SymbolKind] = match named {
        Named::Tree => &[SymbolKind::Tree],
        Named::Machine => &[SymbolKind::Machine],
        Named::Decision => &[SymbolKind::Decision],
        Named::Planner => &[SymbolKind::Planner],
        Named::Goal => &[SymbolKind::Goal],
        Named::PlanTask => &[SymbolKind::Task],
        Named::Planned => &[
            SymbolKind::Task,
            SymbolKind::NodeName,
            SymbolKind::Leaf,
            SymbolKind::Tree,
        ],
        Named::Leaf | Named::Event => &[SymbolKind::Leaf],
        Named::Param => &[],
        Named::Key | Named::Item => &[SymbolKind::Key, SymbolKind::Port, SymbolKind::Item],
        Named::State => &[SymbolKind::State],
        Named::Branch => &[SymbolKind::Branch],
        Named::Rule => &[SymbolKind::Rule],
        Named::Archetype => &[SymbolKind::Archetype],
        Named::Label => &[SymbolKind::Label],
        Named::Semaphore => &[SymbolKind::Semaphore],
        Named::Curve => &[SymbolKind::Curve],
        Named::Network => &[SymbolKind::Network],
        Named::Traced if roles.is_empty() => &[
            SymbolKind::Leaf,
            SymbolKind::NodeName,
            SymbolKind::State,
            SymbolKind::Tree,
        ],
        Named::Column => &[SymbolKind::Leaf, SymbolKind::Key, SymbolKind::Port],
        Named::Traced => &[SymbolKind::Leaf],
        _ => &[],
    };
    let is_traced = !matches!(named, Named::Traced | Named::Planned)
        || matches!(
            one.word.as_str(),
            "action" | "condition" | "candidates" | "measure"
        )
        || one.kind != SymbolKind::Leaf;
    kinds.contains(&one.kind) && has_role && is_traced
}

/// A name, as it is written without quotes.
pub(super) fn completion(asked: &Asked<'_>, one: &Known) -> Completion {
    let kind = match one.kind {
        SymbolKind::Tree | SymbolKind::Machine | SymbolKind::Decision | SymbolKind::Planner => {
            CompletionKind::Definition
        }
        SymbolKind::Leaf if one.word == "event" => CompletionKind::Event,
        SymbolKind::Leaf => CompletionKind::Leaf,
        SymbolKind::Param | SymbolKind::Output => CompletionKind::Field,
        SymbolKind::Key | SymbolKind::Port | SymbolKind::Item => CompletionKind::Key,
        _ => CompletionKind::Name,
    };
    let insert = match asked.cursor.is_quoted {
        true => one.name.clone(),
        false => written_word(&one.name),
    };
    Completion {
        label: one.name.clone(),
        kind,
        snippet: None,
        insert,
        detail: detail(one),
        doc: one.doc.clone().unwrap_or_default(),
    }
}

/// What a declaration says in a few words: `float = 100.0`.
pub(super) fn detail(one: &Known) -> String {
    let mut detail = match &one.ty {
        Some(ty) => ty.clone(),
        None => one.word.clone(),
    };
    if let Some(list) = &one.list {
        detail.push_str(&format!(", a list of up to {list}"));
    }
    if let Some(default) = &one.default {
        detail.push_str(&format!(" = {default}"));
    }
    detail
}

/// Something that needs no declaration.
pub(super) fn simple(name: &str, kind: CompletionKind, doc: &str) -> Completion {
    Completion {
        label: name.to_owned(),
        kind,
        insert: name.to_owned(),
        snippet: None,
        detail: String::new(),
        doc: doc.to_owned(),
    }
}
