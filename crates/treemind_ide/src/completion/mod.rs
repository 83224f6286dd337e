//! What could be written at a place, the likely things first.

mod arguments;
mod expressions;
mod names;
mod usage;
mod values;
mod words;

pub(crate) use expressions::{call, name_around};
use std::ops::Range;
use treemind_doc::edit::{At, Cursor, CursorPart, Editor, Known};
use usage::Usage;

/// What a completion stands for; editors show a sign for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletionKind {
    /// A word of the language.
    Word,
    /// A property.
    Property,
    /// One of the words that a property takes, a type, or `#true`.
    Choice,
    /// A key, port or item.
    Key,
    /// A condition, action or other leaf.
    Leaf,
    /// An event.
    Event,
    /// A parameter of a leaf, or a part of a value.
    Field,
    /// A tree, machine or decision tree.
    Definition,
    /// A state, branch, label, semaphore or other name.
    Name,
    /// A value of an enumeration.
    EnumValue,
    /// A function of expressions.
    Function,
    /// A file.
    File,
    /// The code of a warning.
    Code,
}

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What a list shows.
    pub label: String,
    /// What it stands for.
    pub kind: CompletionKind,
    /// What is written.
    pub insert: String,
    /// The same with stops for the cursor, as in the language server protocol (`$1`, `${1:name}`, `$0`), if it has some.
    pub snippet: Option<String>,
    /// In a few words: a type, a leaf's role, a default.
    pub detail: String,
    /// What it is for.
    pub doc: String,
}

/// What could be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes that the chosen one replaces.
    pub replaces: Range<usize>,
    /// All of them, the likely ones first.
    pub items: Vec<Completion>,
}

/// How many things are offered at most.
const MOST: usize = 200;

/// What could be written at a byte. `files` are the paths that an `import` could name.
pub fn complete(editor: &Editor, at: impl Into<At>, files: &[String]) -> Completions {
    let Some(cursor) = editor.cursor(at) else {
        return Completions::default();
    };
    let asked = Asked {
        editor,
        text: editor.text(cursor.at.file),
        known: editor.known(&cursor),
        tested: editor.tested(&cursor).map(|(_, name)| name),
        usage: Usage::of(editor, &cursor),
        cursor: &cursor,
        files,
    };
    let mut offers = Offers::new(&asked);
    match &cursor.part {
        CursorPart::Word => words::offer(&asked, &mut offers),
        CursorPart::Name => arguments::properties(&asked, &mut offers),
        CursorPart::Value(index) => {
            values::positional(&asked, *index, &mut offers);
            if !cursor.is_quoted {
                arguments::properties(&asked, &mut offers);
            }
        }
        CursorPart::Property(name) => values::property(&asked, name, &mut offers),
        _ => {}
    }
    offers.sorted()
}

/// What is asked, with all that answers need.
struct Asked<'e> {
    editor: &'e Editor,
    text: &'e str,
    cursor: &'e Cursor,
    known: Vec<Known>,
    /// The name of what the test around the place runs.
    tested: Option<String>,
    usage: Usage<'e>,
    files: &'e [String],
}

impl Asked<'_> {
    /// The word of the node on whose line the place is.
    fn word(&self) -> &str {
        let node = self.cursor.node.as_ref();
        node.map_or("", |node| node.word.as_str())
    }

    /// The word of the definition around the place.
    fn top(&self) -> &str {
        let top = self.cursor.path.first().or(self.cursor.node.as_ref());
        top.map_or("", |node| node.word.as_str())
    }
}

/// How well something fits: the larger, the likelier.
type Likely = i64;

/// Things to offer, with the bytes that they replace.
struct Offers {
    /// What has been typed up to the place.
    typed: String,
    replaces: Range<usize>,
    all: Vec<(Likely, Completion)>,
}

impl Offers {
    fn new(asked: &Asked<'_>) -> Self {
        let cursor = asked.cursor;
        let mut offers = Offers {
            typed: String::new(),
            replaces: 0..0,
            all: Vec::new(),
        };
        let content = cursor.content.clone();
        offers.replace(asked, content.start.min(cursor.at.offset)..content.end);
        offers
    }

    /// Sets the bytes that offers replace; what is before the place in them has been typed.
    fn replace(&mut self, asked: &Asked<'_>, range: Range<usize>) {
        let offset = asked.cursor.at.offset;
        let end = range.end.max(offset);
        let typed = asked.text.get(range.start..offset);
        self.typed = typed.unwrap_or("").to_owned();
        self.replaces = range.start..end;
    }

    fn add(&mut self, likely: Likely, completion: Completion) {
        let is_known = self
            .all
            .iter()
            .any(|(_, known)| known.label == completion.label);
        if !is_known {
            self.all.push((likely, completion));
        }
    }

    /// Those that fit to what has been typed: first those that begin with it.
    fn sorted(self) -> Completions {
        let typed = self.typed.to_lowercase();
        let fitting = self.all.into_iter().filter_map(|(likely, one)| {
            let fit = fit(&one.label.to_lowercase(), &typed)?;
            Some(((fit, std::cmp::Reverse(likely)), one))
        });
        let mut ranked: Vec<_> = fitting.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let items = ranked.into_iter().map(|(_, one)| one);
        Completions {
            replaces: self.replaces,
            items: items.take(MOST).collect(),
        }
    }
}

/// How a label fits to what has been typed: 0 if it begins with it, 1 if a part of it does, 2 if its letters are there in
/// their order.
fn fit(label: &str, typed: &str) -> Option<u8> {
    let bare = label.trim_start_matches(['#', '"', '{']);
    let typed = match typed.trim_start_matches(['#', '"', '{']) {
        "" => return Some(0),
        typed => typed,
    };
    if bare.starts_with(typed) {
        return Some(0);
    }
    // Somebody writes a number, and `2` is not on the way to `vec2`.
    if typed.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts = bare.split(['-', '_', '.', ' ', '/']);
    if parts.any(|part| part.starts_with(typed)) {
        return Some(1);
    }
    let mut letters = bare.chars();
    let is_in = typed
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted));
    is_in.then_some(2)
}

/// A text without what has a meaning in snippets.
fn plain(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('$', "\\$")
        .replace('}', "\\}")
}
