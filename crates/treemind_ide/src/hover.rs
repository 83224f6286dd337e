//! What there is to know of the thing at a place.

use std::ops::Range;
use treemind_doc::edit::{At, Cursor, CursorPart, Editor, Known, SymbolKind};
use treemind_doc::vocabulary::{Property, Usual, Word, functions};
use treemind_doc::{Said, said};

/// What there is to know of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Range<usize>,
    /// What it is in a line, as code: `key health: float = 100.0`.
    pub title: String,
    /// Sentences about it, for people: a line each.
    pub text: Vec<Said>,
}

/// What there is to know of the thing at a byte; `None` where nothing is.
pub fn hover(editor: &Editor, at: impl Into<At>) -> Option<Hover> {
    let at = at.into();
    // At its first letter, one is on a word, too.
    let next = editor.text(at.file).get(at.offset..)?.chars().next();
    let inside = |cursor: &Cursor| !cursor.token.is_empty();
    let behind = At {
        offset: at.offset + next.map_or(0, char::len_utf8),
        ..at
    };
    let here = editor.cursor(behind).filter(inside);
    let cursor = here.or_else(|| editor.cursor(at).filter(inside))?;
    named(editor, &cursor, at)
        .or_else(|| of_function(editor, &cursor, at))
        .or_else(|| of_word(editor, &cursor))
}

/// The name at the place.
fn named(editor: &Editor, cursor: &Cursor, at: At) -> Option<Hover> {
    let occurrences = editor.occurrences(at);
    let touches = |span: &Range<usize>| span.start <= at.offset && at.offset <= span.end;
    let mut here = occurrences.iter();
    let here = here.find(|one| one.file == at.file && touches(&one.span))?;
    let (kind, name) = editor.symbol_at(at)?;
    let definition = occurrences.iter().find(|one| one.is_definition);
    let is_it = |one: &&Known| {
        one.kind == kind
            && one.name == name
            && definition
                .is_none_or(|place| one.at.file == place.file && one.at.offset == place.span.start)
    };
    let known = editor.known(cursor);
    let one = known.iter().find(is_it)?;
    let uses = occurrences.iter().filter(|one| !one.is_definition);
    let writes = uses.clone().filter(|one| one.is_written).count();
    let counted = match kind {
        SymbolKind::Key | SymbolKind::Port | SymbolKind::Item => {
            let reads = uses.count() - writes;
            said!("Read in {}, written in {}.", places(reads), places(writes))
        }
        _ => said!("Used in {}.", places(uses.count())),
    };
    let doc = one.doc.iter().map(Said::from);
    Some(Hover {
        span: here.span.clone(),
        title: title(one, &known).0,
        text: doc.chain([counted]).collect(),
    })
}

fn places(count: usize) -> Said {
    match count {
        1 => said!("1 place"),
        count => said!("{} places", count),
    }
}

/// A name as its declaration says it: `action go(to: vec2, speed: float = 1.0)`; and its parameters alone.
pub(crate) fn title(one: &Known, known: &[Known]) -> (String, Vec<String>) {
    let typed = |one: &Known| {
        let ty = one
            .ty
            .as_ref()
            .map_or_else(String::new, |ty| format!(": {ty}"));
        let default = one.default.as_ref().map(|default| format!(" = {default}"));
        format!("{}{ty}{}", one.name, default.unwrap_or_default())
    };
    let of = |own: &&Known| {
        let kind = match one.kind {
            SymbolKind::Leaf => SymbolKind::Param,
            SymbolKind::Network => SymbolKind::Output,
            _ => SymbolKind::Port,
        };
        own.kind == kind && own.of.as_deref() == Some(one.name.as_str())
    };
    let mut parameters: Vec<String> = known.iter().filter(of).map(typed).collect();
    let values = match one.values.as_slice() {
        [] => String::new(),
        values => format!(" ({})", values.join(", ")),
    };
    let has_parameters = matches!(
        one.kind,
        SymbolKind::Leaf
            | SymbolKind::Tree
            | SymbolKind::Machine
            | SymbolKind::Decision
            | SymbolKind::Planner
            | SymbolKind::Network
    );
    if !has_parameters {
        parameters.clear();
    }
    let given = match parameters.as_slice() {
        [] => String::new(),
        all => format!("({})", all.join(", ")),
    };
    let title = format!("{} {}{given}{values}", one.word, typed(one));
    (title, parameters)
}

/// A function of an expression.
fn of_function(editor: &Editor, cursor: &Cursor, at: At) -> Option<Hover> {
    if !cursor.is_quoted || at.offset < cursor.content.start || at.offset > cursor.content.end {
        return None;
    }
    let text = editor.text(at.file);
    let span = crate::completion::name_around(text, &cursor.content, at.offset);
    let is_called = text[span.end..].trim_start().starts_with('(');
    let function = functions()
        .iter()
        .find(|one| one.name() == &text[span.clone()])?;
    is_called.then(|| Hover {
        title: format!("{}({})", function.name(), function.parameters().join(", ")),
        text: vec![Said::plain(function.doc())],
        span,
    })
}

/// A word of the language, or one of its properties.
fn of_word(editor: &Editor, cursor: &Cursor) -> Option<Hover> {
    let text = &editor.text(cursor.at.file)[cursor.content.clone()];
    let node = cursor.node.as_ref();
    let (title, doc) = match &cursor.part {
        CursorPart::Word => {
            let places = cursor.words.iter();
            let word = places.copied().find(|word| word.name() == text);
            let word = word.or_else(|| row_at(editor, cursor))?;
            (word.name().to_owned(), about_word(&word))
        }
        CursorPart::Name => {
            let property = node?.row?.property(text)?;
            (format!("{text}="), about_property(&property))
        }
        CursorPart::Property(name) => {
            let property = node?.row?.property(name)?;
            (format!("{name}="), about_property(&property))
        }
        CursorPart::Value(_) => {
            let word = node?.row?;
            let about = word.value_purpose()?;
            (word.name().to_owned(), vec![Said::plain(about)])
        }
        _ => return None,
    };
    Some(Hover {
        span: cursor.token.clone(),
        title,
        text: doc,
    })
}

/// The row of the node whose first word is at the place.
fn row_at(editor: &Editor, cursor: &Cursor) -> Option<Word> {
    let nodes = editor.read_nodes(cursor.at.file);
    let node = nodes
        .iter()
        .find(|one| one.node.start == cursor.token.start)?;
    node.node.row
}

fn about_word(word: &Word) -> Vec<Said> {
    let mut lines = vec![Said::plain(word.purpose())];
    lines.extend(word.value_purpose().map(Said::plain));
    lines.push(said!("Stands {}.", Said::plain(word.place())));
    lines.extend(word.usual().map(usual));
    if word.is_node() {
        lines.push(format!("docs/nodes/{}.md", word.name()).into());
    }
    lines
}

/// What is more usual, in the words of [`Usual`] itself.
fn usual(of: Usual) -> Said {
    let how = Said::plain(of.how());
    match of.words() {
        [] => said!("Usually left out. {}", how),
        [one] => said!("More usual is `{}`. {}", *one, how),
        [rest @ .., last] => said!(
            "More usual are {} and `{}`. {}",
            format!("`{}`", rest.join("`, `")),
            *last,
            how
        ),
    }
}

fn about_property(property: &Property) -> Vec<Said> {
    let mut lines = vec![Said::plain(property.purpose())];
    let default = property.default();
    lines.extend(default.map(|default| said!("Without it: {}.", default)));
    lines.extend(property.usual().map(usual));
    lines
}
