//! Inside expressions, statements, and texts with `{…}`.

use super::names::{completion, detail, simple};
use super::values::is_of_here;
use super::{Asked, Completion, CompletionKind, Likely, Offers, plain};
use std::ops::Range;
use treemind_core::Type;
use treemind_doc::edit::{Known, SymbolKind};
use treemind_doc::vocabulary::{Function, functions};

/// The words of expressions that are no names.
const WORDS: [(&str, &str); 5] = [
    ("true", ""),
    ("false", ""),
    ("if", "`if c { a } else { b }`"),
    ("else", ""),
    ("in", "`x in 1..=5`"),
];

/// Offers what may stand in an expression of this type.
pub(super) fn offer(asked: &Asked<'_>, ty: Type, is_statement: bool, offers: &mut Offers) {
    let place = Place::of(asked, offers);
    let before = place.before.trim_end();
    if let Some(of) = before.strip_suffix('.') {
        return fields(asked, last_name(of), offers);
    }
    if let Some((function, index)) = call(before)
        && of_function(asked, function, index, before, offers)
    {
        return;
    }
    let compared = compared_with(before).and_then(|name| key(asked, name));
    if let Some(compared) = compared {
        enum_values(compared, 500, offers);
    }
    // At the beginning of a statement, a key is written.
    let begins = is_statement && (before.is_empty() || before.ends_with(';'));
    for one in asked.known.iter().filter(|one| is_key(asked, one)) {
        let wanted = match compared {
            Some(compared) => one.ty == compared.ty && one.name != compared.name,
            None => fits(one, ty, before),
        };
        let likely = 100 * Likely::from(wanted) + 3 * one.uses.min(30) as Likely;
        let local = 40 * Likely::from(one.is_local);
        offers.add(
            likely + local + Likely::from(one.uses == 0) * 20,
            in_expression(asked, one, &place),
        );
    }
    if !begins {
        others(asked, &place, offers);
    }
}

fn others(asked: &Asked<'_>, place: &Place, offers: &mut Offers) {
    let in_test = asked.top() == "test";
    // What a leaf of a test answers cannot depend on what runs.
    let asks_runs = in_test && asked.word() != "leaf";
    // A test asks neither for times nor for semaphores.
    let may_stand = |one: &&Function| match one.name() {
        "now" | "age" | "since_written" | "free" => !in_test,
        _ => asks_runs || !one.is_only_for_tests(),
    };
    for function in functions().iter().filter(may_stand) {
        let likely = if function.is_only_for_tests() { 90 } else { 10 };
        offers.add(likely, of_call(function, place));
    }
    let curves = asked.known.iter();
    for curve in curves.filter(|one| one.kind == SymbolKind::Curve) {
        let likely = 15 + 3 * curve.uses.min(20) as Likely;
        offers.add(likely, of_curve(asked, curve, place));
    }
    if let Some(item) = sought(asked) {
        let measures = asked.known.iter();
        let measures = measures.filter(|one| one.kind == SymbolKind::Leaf && one.word == "measure");
        for measure in measures {
            let likely = 60 + 3 * measure.uses.min(20) as Likely;
            offers.add(likely, of_measure(asked, (measure, item), place));
        }
    }
    if awaited(asked).is_some() {
        let mut event = simple(
            "event",
            CompletionKind::Event,
            "The event that has arrived.",
        );
        event.insert = place.quoted("event.", &event.label);
        offers.add(80, event);
    }
    for (word, doc) in WORDS {
        let mut one = simple(word, CompletionKind::Choice, doc);
        one.insert = place.quoted(word, word);
        offers.add(5, one);
    }
}

/// Keys in the braces of a text.
pub(super) fn in_braces(asked: &Asked<'_>, offers: &mut Offers) {
    let place = Place::of(asked, offers);
    let Some((_, inner)) = place.before.rsplit_once('{') else {
        return;
    };
    if inner.contains('}') || !asked.cursor.is_quoted {
        return;
    }
    if let Some(of) = inner.trim_end().strip_suffix('.') {
        return fields(asked, last_name(of), offers);
    }
    for one in asked.known.iter().filter(|one| is_key(asked, one)) {
        offers.add(one.uses as Likely, completion(asked, one));
    }
}

/// Where in an expression the place is.
struct Place<'e> {
    /// The text before the name that is being typed.
    before: &'e str,
    is_quoted: bool,
}

impl<'e> Place<'e> {
    /// Finds it, and lets offers replace the name at the place.
    fn of(asked: &Asked<'e>, offers: &mut Offers) -> Self {
        let content = asked.cursor.content.clone();
        let offset = asked.cursor.at.offset;
        let is_quoted = asked.cursor.is_quoted;
        if !is_quoted || content.start > offset {
            return Self {
                before: "",
                is_quoted,
            };
        }
        let mut range = name_around(asked.text, &content, offset);
        let before = &asked.text[content.start..range.start];
        // Names of nodes and states may have `-` and `.`.
        if let Some(("active" | "ran", _)) = call(before) {
            range.start = content.start + before.rfind('(').map_or(0, |at| at + 1);
            let behind = &asked.text[range.end..content.end.max(range.end)];
            range.end += behind.find([')', ',', ' ']).unwrap_or(0);
        }
        let before = &asked.text[content.start..range.start];
        offers.replace(asked, range);
        Self { before, is_quoted }
    }

    /// What is inserted: in quotes, unless they are there already.
    fn quoted(&self, insert: &str, plain: &str) -> String {
        match self.is_quoted {
            true => insert.to_owned(),
            false => format!("\"{plain}\""),
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The name around a byte of a string.
pub(crate) fn name_around(text: &str, content: &Range<usize>, offset: usize) -> Range<usize> {
    let before = &text[content.start..offset];
    let behind = &text[offset..content.end.max(offset)];
    let start = before.trim_end_matches(is_letter).len();
    let end = behind.len() - behind.trim_start_matches(is_letter).len();
    content.start + start..offset + end
}

/// The name at the end of a text.
fn last_name(text: &str) -> &str {
    let text = text.trim_end();
    &text[text.trim_end_matches(is_letter).len()..]
}

fn key<'a>(asked: &'a Asked<'_>, name: &str) -> Option<&'a Known> {
    asked
        .known
        .iter()
        .find(|one| one.name == name && is_key(asked, one))
}

fn is_key(asked: &Asked<'_>, one: &Known) -> bool {
    match one.kind {
        SymbolKind::Key | SymbolKind::Item => true,
        SymbolKind::Port => is_of_here(asked, one),
        _ => false,
    }
}

/// Whether a key is of the type that is wanted. After an operator, the type is that of numbers or of what is compared.
fn fits(one: &Known, want: Type, before: &str) -> bool {
    let ty = one.ty.as_deref().unwrap_or("");
    let is_number = matches!(ty, "int" | "float" | "double");
    if before.ends_with(['<', '>', '+', '-', '*', '/', '%']) {
        return is_number;
    }
    match want {
        // A condition often begins with a number that is compared.
        Type::Bool | Type::Any => true,
        Type::Int => ty == "int",
        Type::Float | Type::Double => is_number,
        _ => true,
    }
}

/// What is compared with what follows: `mode` in `mode == `.
fn compared_with(before: &str) -> Option<&str> {
    let left = ["==", "!=", "="]
        .into_iter()
        .find_map(|sign| before.strip_suffix(sign))?;
    let name = last_name(left);
    (!name.is_empty() && !left.ends_with(['<', '>', '+', '-', '*', '/'])).then_some(name)
}

fn enum_values(key: &Known, likely: Likely, offers: &mut Offers) {
    for value in &key.values {
        let one = simple(value, CompletionKind::EnumValue, "");
        offers.add(
            likely,
            Completion {
                detail: key.name.clone(),
                ..one
            },
        );
    }
    if key.ty.as_deref() == Some("bool") {
        for value in ["true", "false"] {
            offers.add(likely, simple(value, CompletionKind::Choice, ""));
        }
    }
}

/// The function whose arguments are being written, and which of them.
pub(crate) fn call(before: &str) -> Option<(&str, usize)> {
    let mut depth = 0;
    let mut commas = 0;
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => {
                let name = last_name(&before[..at]);
                return (!name.is_empty()).then_some((name, commas));
            }
            '(' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// The arguments of functions that take names; whether the function is one.
fn of_function(
    asked: &Asked<'_>,
    function: &str,
    index: usize,
    before: &str,
    offers: &mut Offers,
) -> bool {
    let is_one = |one: &&Known| match function {
        "has" | "since_written" => is_key(asked, one),
        "age" => is_key(asked, one) && one.list.is_none(),
        "len" => is_key(asked, one) && one.list.is_some(),
        "contains" | "index" | "item" | "nearest" => {
            index == 0 && is_key(asked, one) && one.list.is_some()
        }
        "free" => one.kind == SymbolKind::Semaphore,
        "event" if index == 0 => one.kind == SymbolKind::Leaf && one.word == "event",
        "event" => {
            let event = before.rsplit_once('(').map_or("", |(_, inner)| inner);
            let event = event.split(',').next().unwrap_or("").trim();
            one.kind == SymbolKind::Param
                && one
                    .of
                    .as_deref()
                    .is_some_and(|of| of == event || of.replace('-', "_") == event)
        }
        "active" | "ran" => {
            matches!(one.kind, SymbolKind::NodeName | SymbolKind::State)
                || one.kind == SymbolKind::Leaf
                    && matches!(one.word.as_str(), "action" | "condition")
        }
        _ => false,
    };
    for one in asked.known.iter().filter(is_one) {
        let mut offer = completion(asked, one);
        if matches!(function, "free" | "event") {
            offer.insert = one.name.replace('-', "_");
        } else {
            offer.insert = one.name.clone();
        }
        let optional = function == "has"
            && !matches!(one.ty.as_deref(), Some("bool" | "int" | "float" | "double"));
        offers.add(3 * one.uses as Likely + 50 * Likely::from(optional), offer);
    }
    matches!(
        function,
        "has" | "len" | "age" | "since_written" | "free" | "event" | "active" | "ran"
    ) || index == 0 && matches!(function, "contains" | "index" | "item" | "nearest")
}

/// The parts of a value, or of the event that a transition waits for.
fn fields(asked: &Asked<'_>, of: &str, offers: &mut Offers) {
    if of == "event" {
        let events = awaited(asked).unwrap_or_default();
        let is_its = |one: &&Known| {
            one.kind == SymbolKind::Param && one.of.as_ref().is_some_and(|of| events.contains(of))
        };
        for one in asked.known.iter().filter(is_its) {
            offers.add(1 + one.uses as Likely, completion(asked, one));
        }
        offers.add(
            0,
            simple(
                "sender",
                CompletionKind::Field,
                "The agent that has sent it.",
            ),
        );
        return;
    }
    let ty = key(asked, of)
        .and_then(|key| key.ty.as_deref())
        .unwrap_or("");
    let parts: &[&str] = match ty {
        "vec2" => &["x", "y"],
        "vec3" => &["x", "y", "z"],
        _ => &[],
    };
    for part in parts {
        offers.add(0, simple(part, CompletionKind::Field, ""));
    }
}

/// The events of which `event.…` speaks: of the innermost node that waits for some.
fn awaited(asked: &Asked<'_>) -> Option<Vec<String>> {
    let around = asked
        .cursor
        .node
        .iter()
        .chain(asked.cursor.path.iter().rev());
    for node in around {
        let names = match node.word.as_str() {
            "transition" => node.property("on"),
            "received" | "wait-for-event" => node.name(),
            _ => continue,
        };
        return Some(names?.split_whitespace().map(str::to_owned).collect());
    }
    None
}

fn in_expression(asked: &Asked<'_>, one: &Known, place: &Place<'_>) -> Completion {
    let mut made = completion(asked, one);
    made.insert = place.quoted(&one.name, &one.name);
    made.detail = detail(one);
    made
}

/// A curve, which is called like a function of one number.
fn of_curve(asked: &Asked<'_>, curve: &Known, place: &Place) -> Completion {
    let name = curve.name.replace('-', "_");
    Completion {
        kind: CompletionKind::Function,
        insert: place.quoted(&format!("{name}("), &format!("{name}()")),
        snippet: place.is_quoted.then(|| format!("{name}($1)")),
        label: name,
        ..completion(asked, curve)
    }
}

/// The item of the `find` around the place: measures are asked about it.
fn sought<'a>(asked: &'a Asked<'_>) -> Option<&'a str> {
    let around = asked
        .cursor
        .node
        .iter()
        .chain(asked.cursor.path.iter().rev());
    let mut finds = around.filter(|node| node.word == "find");
    Some(finds.next()?.name().unwrap_or("item"))
}

/// A measure, which is called like a function of the item and of its further parameters.
fn of_measure(asked: &Asked<'_>, (measure, item): (&Known, &str), place: &Place) -> Completion {
    let name = measure.name.replace('-', "_");
    let params = asked.known.iter();
    let params = params
        .filter(|one| one.kind == SymbolKind::Param && one.of.as_ref() == Some(&measure.name));
    let mut params: Vec<&Known> = params.collect();
    params.sort_by_key(|one| one.at.offset);
    let more = params.iter().skip(1).map(|one| one.name.as_str());
    let more: Vec<&str> = more.collect();
    let all = [&[item][..], &more].concat().join(", ");
    let snippet = match more.is_empty() {
        true => format!("{name}({})", plain(item)),
        false => {
            let stops = more.iter().zip(1..);
            let stops = stops.map(|(one, nth)| format!("${{{nth}:{}}}", plain(one)));
            let stops: Vec<String> = stops.collect();
            format!("{name}({}, {})", plain(item), stops.join(", "))
        }
    };
    Completion {
        kind: CompletionKind::Function,
        insert: place.quoted(&format!("{name}("), &format!("{name}()")),
        snippet: place.is_quoted.then_some(snippet),
        detail: format!("{name}({all})"),
        label: name,
        ..completion(asked, measure)
    }
}

fn of_call(function: &Function, place: &Place<'_>) -> Completion {
    let name = function.name();
    let parameters = function.parameters();
    let stops = parameters.iter().enumerate();
    let stops: Vec<String> = stops
        .map(|(nth, one)| format!("${{{}:{}}}", nth + 1, plain(one)))
        .collect();
    let empty = format!("{name}()");
    Completion {
        label: name.to_owned(),
        kind: CompletionKind::Function,
        insert: match parameters {
            [] => place.quoted(&empty, &empty),
            _ => place.quoted(&format!("{name}("), &empty),
        },
        snippet: place
            .is_quoted
            .then(|| format!("{name}({})", stops.join(", "))),
        detail: format!("{name}({})", parameters.join(", ")),
        doc: function.doc().to_owned(),
    }
}
