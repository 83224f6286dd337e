//! Values, by what the language says that they may be.

use super::names::{self, completion, simple};
use super::{Asked, CompletionKind, Likely, Offers, arguments, expressions};
use treemind_core::Type;
use treemind_doc::Code;
use treemind_doc::edit::{Known, SymbolKind, written_word};
use treemind_doc::vocabulary::{Named, Takes};

/// Offers what may be the value without a name at this index.
pub(super) fn positional(asked: &Asked<'_>, index: usize, offers: &mut Offers) {
    let Some(row) = asked.cursor.node.as_ref().and_then(|node| node.row) else {
        return;
    };
    let takes = row.value();
    if takes == Some(Takes::Names(Named::Param)) {
        return parameter_of_node(asked, index, offers);
    }
    match takes {
        _ if row.name() == "import" && index == 0 => files(asked, offers),
        Some(Takes::AllNames(Named::Column)) => names::offer(asked, "", Named::Column, offers),
        Some(Takes::Literal) => literal_of_row(asked, index, offers),
        Some(takes) if index == 0 || matches!(takes, Takes::AllNames(_)) => {
            offer(asked, "", &takes, offers);
        }
        _ => {}
    }
    if index == 0 && !matches!(row.value(), Some(Takes::Words(_))) {
        // A value comes before properties, unless it may be left out.
        offers
            .all
            .iter_mut()
            .for_each(|(likely, _)| *likely += 10_000);
    }
}

/// Offers what may be the value of a property.
pub(super) fn property(asked: &Asked<'_>, name: &str, offers: &mut Offers) {
    let Some(node) = &asked.cursor.node else {
        return;
    };
    let own = node.row.and_then(|row| row.property(name));
    if let Some(own) = own {
        if name == "allow" {
            return codes(offers, asked);
        }
        if name == "answers" {
            return answers(asked, offers);
        }
        return offer(asked, name, &own.takes(), offers);
    }
    let params = node.row.map(|row| arguments::parameters(asked, node, row));
    let param = params.into_iter().flatten().find(|one| one.name == name);
    if let Some(param) = param {
        return argument(asked, name, &param, offers);
    }
    let mut known = asked.known.iter();
    let key = known.find(|one| one.kind == SymbolKind::Key && one.name == name);
    if let Some(key) = key {
        literal(asked, name, key.ty.as_deref(), &key.values, offers);
    }
}

fn offer(asked: &Asked<'_>, property: &str, takes: &Takes, offers: &mut Offers) {
    match takes {
        Takes::Flag => flags(asked, property, offers),
        Takes::Words(words) | Takes::WordsOrNumber(words) => {
            choices(asked, property, words, offers);
        }
        Takes::WordsOrKey(words) => {
            choices(asked, property, words, offers);
            keys_in_braces(asked, property, None, offers);
        }
        Takes::Type(words) => choices(asked, property, words, offers),
        Takes::Literal => {
            let node = asked.cursor.node.as_ref();
            let ty = node.and_then(|node| node.property("type"));
            let name = node.and_then(|node| node.name());
            let known = asked
                .known
                .iter()
                .find(|one| Some(one.name.as_str()) == name);
            let values = known.map_or(&[][..], |one| &one.values);
            literal(asked, property, ty, values, offers);
        }
        Takes::Expr(ty) => expressions::offer(asked, *ty, false, offers),
        Takes::Times => {
            choices(asked, property, &["forever"], offers);
            expressions::offer(asked, Type::Int, false, offers);
        }
        Takes::Statements(words) => {
            choices(asked, property, words, offers);
            expressions::offer(asked, Type::Any, true, offers);
        }
        Takes::Log => expressions::in_braces(asked, offers),
        Takes::Key | Takes::WrittenKey => names::offer(asked, property, Named::Key, offers),
        Takes::KeyInBraces => keys_in_braces(asked, property, None, offers),
        Takes::Names(named) => names::offer(asked, property, *named, offers),
        Takes::NamesOrKey(named) => {
            names::offer(asked, property, *named, offers);
            keys_in_braces(asked, property, None, offers);
        }
        Takes::AllNames(named) => {
            last_word(asked, offers);
            names::offer(asked, property, *named, offers);
        }
        _ => {}
    }
}

/// Of several names with spaces between them, only the one at the place is replaced.
fn last_word(asked: &Asked<'_>, offers: &mut Offers) {
    let (content, offset) = (asked.cursor.content.clone(), asked.cursor.at.offset);
    if content.start > offset {
        return;
    }
    let before = &asked.text[content.start..offset];
    let behind = &asked.text[offset..content.end.max(offset)];
    let start = before
        .rfind(' ')
        .map_or(content.start, |at| content.start + at + 1);
    let end = behind.find(' ').map_or(content.end, |at| offset + at);
    offers.replace(asked, start..end);
}

fn choices(asked: &Asked<'_>, property: &str, words: &[&str], offers: &mut Offers) {
    for word in words {
        let used = asked.usage.value(property, word);
        offers.add(20 + 6 * used, simple(word, CompletionKind::Choice, ""));
    }
}

fn flags(asked: &Asked<'_>, property: &str, offers: &mut Offers) {
    if asked.cursor.is_quoted {
        return;
    }
    for (word, value, likely) in [("#true", "true", 1), ("#false", "false", 0)] {
        let used = asked.usage.value(property, value);
        offers.add(used + likely, simple(word, CompletionKind::Choice, ""));
    }
}

/// A literal of a type that is given elsewhere.
fn literal(
    asked: &Asked<'_>,
    property: &str,
    ty: Option<&str>,
    values: &[String],
    offers: &mut Offers,
) {
    match ty {
        Some("bool") => flags(asked, property, offers),
        _ => {
            for value in values {
                let used = asked.usage.value(property, value);
                let mut one = simple(value, CompletionKind::EnumValue, "");
                if !asked.cursor.is_quoted {
                    one.insert = written_word(value);
                }
                offers.add(200 + used, one);
            }
        }
    }
}

/// The argument of a parameter or port: a literal, a key in braces, or an expression after `=`.
fn argument(asked: &Asked<'_>, name: &str, param: &Known, offers: &mut Offers) {
    let content = asked.cursor.content.clone();
    if asked.text[content.clone()].starts_with('=') && asked.cursor.is_quoted {
        return expressions::offer(asked, Type::Any, false, offers);
    }
    literal(asked, name, param.ty.as_deref(), &param.values, offers);
    if param.values.is_empty() {
        // Texts and names of the game: what is said elsewhere.
        for (value, used) in asked.usage.values(name) {
            if value.starts_with(char::is_alphabetic) && !matches!(value, "true" | "false") {
                let mut one = simple(value, CompletionKind::Name, "");
                if !asked.cursor.is_quoted {
                    one.insert = written_word(value);
                }
                offers.add(50 + 3 * used, one);
            }
        }
    }
    keys_in_braces(asked, name, param.ty.as_deref(), offers);
}

/// Keys as `"{key}"`, those of a type first.
fn keys_in_braces(asked: &Asked<'_>, property: &str, ty: Option<&str>, offers: &mut Offers) {
    let is_key = |one: &&Known| {
        matches!(one.kind, SymbolKind::Key | SymbolKind::Item)
            || one.kind == SymbolKind::Port && one.is_local && is_of_here(asked, one)
    };
    for key in asked.known.iter().filter(is_key) {
        let mut one = completion(asked, key);
        one.insert = match asked.cursor.is_quoted {
            true => format!("{{{}}}", key.name),
            false => format!("\"{{{}}}\"", key.name),
        };
        one.label = format!("{{{}}}", key.name);
        let fits = ty.is_none_or(|ty| key.ty.as_deref() == Some(ty) || ty == "any");
        let used = asked.usage.value(property, &one.label);
        offers.add(
            Likely::from(fits) * 100 + 3 * used + key.uses.min(20) as Likely,
            one,
        );
    }
}

/// Whether a port belongs to the definition around the place, or to what the test around it runs.
pub(super) fn is_of_here(asked: &Asked<'_>, port: &Known) -> bool {
    if asked.tested.is_some() {
        return port.of == asked.tested;
    }
    let top = asked.cursor.path.first();
    let name = top.and_then(|node| node.name());
    port.of.as_deref() == name && port.at.file == asked.cursor.at.file
}

/// `param NAME VALUE` in the block of a node.
fn parameter_of_node(asked: &Asked<'_>, index: usize, offers: &mut Offers) {
    let Some(node) = asked.cursor.path.last() else {
        return;
    };
    let all = node.row.map(|row| arguments::parameters(asked, node, row));
    let all = all.unwrap_or_default();
    if index == 0 {
        for one in &all {
            offers.add(Likely::from(one.default.is_none()), completion(asked, one));
        }
        return;
    }
    let name = asked.cursor.node.as_ref().and_then(|node| node.name());
    if let Some(param) = all.iter().find(|one| Some(one.name.as_str()) == name) {
        argument(asked, "", param, offers);
    }
}

/// A value of a row of a table, by the column above it, or of the items of a list.
fn literal_of_row(asked: &Asked<'_>, index: usize, offers: &mut Offers) {
    let table = asked.cursor.path.last().filter(|node| node.word == "table");
    let Some(table) = table else {
        return;
    };
    let columns = table.entries.iter().filter(|entry| entry.name.is_none());
    let columns = columns.flat_map(|entry| entry.value.split_whitespace());
    let Some(column) = columns.collect::<Vec<_>>().get(index).copied() else {
        return;
    };
    if column == "expect" {
        let traced = Named::Traced;
        return names::offer(asked, "", traced, offers);
    }
    if let Some(key) = asked.known.iter().find(|one| one.name == column) {
        match key.kind {
            SymbolKind::Leaf => answers(asked, offers),
            _ => literal(asked, "", key.ty.as_deref(), &key.values, offers),
        }
    }
}

fn answers(asked: &Asked<'_>, offers: &mut Offers) {
    last_word(asked, offers);
    for (word, doc) in [
        ("S", "success"),
        ("F", "failure"),
        ("R", "running"),
        ("K", "skipped"),
    ] {
        offers.add(0, simple(word, CompletionKind::Choice, doc));
    }
}

fn codes(offers: &mut Offers, asked: &Asked<'_>) {
    last_word(asked, offers);
    for code in Code::ALL.iter().filter(|code| code.can_be_a_warning()) {
        offers.add(0, simple(code.as_str(), CompletionKind::Code, code.title()));
    }
}

fn files(asked: &Asked<'_>, offers: &mut Offers) {
    for file in asked.files {
        let mut one = simple(file, CompletionKind::File, "");
        if !asked.cursor.is_quoted {
            one.insert = written_word(file);
        }
        offers.add(0, one);
    }
}
