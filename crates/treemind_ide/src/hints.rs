//! What a text does not say itself, to be shown in it: names of parameters, defaults, types of keys.

use crate::lexer::{Piece, pieces};
use crate::navigation::node_at;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use treemind_doc::edit::{Editor, NamedSymbol, ReadNode, SymbolKind};
use treemind_doc::vocabulary::{Takes, functions};

/// What a hint says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HintKind {
    /// The name of a parameter of a function.
    Parameter,
    /// The default of a parameter or port that is not given.
    Default,
    /// The type of a key in an expression.
    Type,
}

/// A hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte before which it is shown.
    pub at: usize,
    /// What it says.
    pub text: String,
    /// Of which kind it is.
    pub kind: HintKind,
}

/// Which hints somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedHints {
    /// The names of parameters of functions.
    pub parameters: bool,
    /// The defaults of parameters and ports that are not given.
    pub defaults: bool,
    /// The types of keys in expressions.
    pub types: bool,
}

impl Default for WantedHints {
    /// Names and defaults. Types would be at every key.
    fn default() -> Self {
        Self {
            parameters: true,
            defaults: true,
            types: false,
        }
    }
}

/// The hints of a part of a file, in the order of the text.
pub fn hints(editor: &Editor, file: usize, part: Range<usize>, wanted: WantedHints) -> Vec<Hint> {
    let nodes = editor.read_nodes(file);
    let symbols = editor.symbols();
    let mut declared = Declared::new(editor);
    let mut all = Vec::new();
    let is_in = |node: &&ReadNode| node.line.start < part.end && part.start <= node.line.end;
    if wanted.parameters {
        for node in nodes.iter().filter(is_in) {
            parameters(editor.text(file), node, &mut all);
        }
    }
    if wanted.defaults {
        defaults(&symbols, &mut declared, (file, &nodes, &part), &mut all);
    }
    if wanted.types {
        types(&symbols, &mut declared, (file, &nodes, &part), &mut all);
    }
    all.sort_by(|one, other| (one.at, &one.text).cmp(&(other.at, &other.text)));
    all
}

/// The nodes of all files, read when they are asked for.
struct Declared<'e> {
    editor: &'e Editor,
    files: HashMap<usize, Vec<ReadNode>>,
}

impl<'e> Declared<'e> {
    fn new(editor: &'e Editor) -> Self {
        Self {
            editor,
            files: HashMap::new(),
        }
    }

    /// The file that defines a symbol, its nodes, and the one that does.
    fn of(&mut self, symbol: &NamedSymbol) -> Option<(usize, &[ReadNode], usize)> {
        let mut places = symbol.occurrences.iter();
        let place = places.find(|one| one.is_definition)?;
        let editor = self.editor;
        let nodes = self.files.entry(place.file);
        let nodes = nodes.or_insert_with(|| editor.read_nodes(place.file));
        Some((place.file, nodes, node_at(nodes, place.span.start)?))
    }
}

/// The file that is asked about, its nodes, and the part of it.
type Asked<'a> = (usize, &'a [ReadNode], &'a Range<usize>);

/// The names of the parameters of functions, where they say more than a letter.
fn parameters(text: &str, node: &ReadNode, all: &mut Vec<Hint>) {
    let Some(row) = node.node.row else {
        return;
    };
    for entry in &node.node.entries {
        let takes = match &entry.name {
            Some(name) => row.property(name).map(|one| one.takes()),
            None => row.value(),
        };
        if matches!(
            takes,
            Some(Takes::Expr(_) | Takes::Times | Takes::Statements(_))
        ) {
            arguments(text, entry.value_span.clone(), all);
        }
    }
}

fn arguments(text: &str, span: Range<usize>, all: &mut Vec<Hint>) {
    let row = pieces(text, span);
    // The parameters of the calls that are open, and the number of the argument.
    let mut open: Vec<(&[&str], usize)> = Vec::new();
    for (nth, piece) in row.iter().enumerate() {
        let word = |at: Option<&Piece>| match at {
            Some(Piece::Word(span)) => Some(&text[span.clone()]),
            _ => None,
        };
        let before = nth.checked_sub(1).map(|before| &row[before]);
        let begins =
            matches!(before, Some(Piece::Sign(sign)) if matches!(&text[sign.clone()], "(" | ","));
        let (Piece::Word(own) | Piece::Number(own) | Piece::Text(own) | Piece::Sign(own)) = piece;
        let written = &text[own.clone()];
        if begins
            && written != ")"
            && let Some((names, argument)) = open.last()
            && let Some(name) = names.get(*argument)
            && name.len() > 1
            && *name != written
        {
            all.push(Hint {
                at: own.start,
                text: format!("{name}:"),
                kind: HintKind::Parameter,
            });
        }
        match written {
            "(" => {
                let name = word(before);
                let called = functions().iter().find(|one| Some(one.name()) == name);
                let takes_names =
                    |name: &str| matches!(name, "has" | "len" | "free" | "event" | "ran");
                let names = called.filter(|one| !takes_names(one.name()));
                open.push((names.map_or(&[], |one| one.parameters()), 0));
            }
            ")" => {
                open.pop();
            }
            "," => {
                if let Some((_, argument)) = open.last_mut() {
                    *argument += 1;
                }
            }
            _ => {}
        }
    }
}

/// What a leaf or definition is given when its line does not say it.
fn defaults(
    symbols: &[NamedSymbol],
    declared: &mut Declared<'_>,
    asked: Asked<'_>,
    all: &mut Vec<Hint>,
) {
    let (file, nodes, part) = asked;
    let places = parameters_of(symbols);
    for symbol in symbols {
        let used = symbol
            .occurrences
            .iter()
            .filter(|one| one.file == file && !one.is_definition && part.contains(&one.span.start));
        let lines: Vec<usize> = used
            .filter_map(|one| node_at(nodes, one.span.start))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let Some((home, own, at)) = declared.of(symbol) else {
            continue;
        };
        let is_parameter = |one: &ReadNode| {
            let mut values = one.node.entries.iter();
            let name = values.find(|entry| entry.name.is_none());
            name.is_some_and(|name| places.contains(&(home, name.value_span.start)))
        };
        let given: Vec<(&str, &str)> = own
            .iter()
            .filter(|one| one.parent == Some(at) && is_parameter(one))
            .filter_map(|one| Some((one.node.name()?, one.node.property("default")?)))
            .collect();
        for line in lines {
            let node = &nodes[line];
            let takes = node.node.row.is_some_and(|row| row.takes_parameters());
            if !takes || node.node.name() != Some(symbol.name.as_str()) {
                continue;
            }
            let missing = given
                .iter()
                .filter(|(name, _)| node.node.property(name).is_none());
            let texts: Vec<String> = missing
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            if !texts.is_empty() {
                all.push(Hint {
                    at: node.line.end,
                    text: texts.join(" "),
                    kind: HintKind::Default,
                });
            }
        }
    }
}

/// Where parameters of leaves and ports of definitions are declared: file and byte.
fn parameters_of(symbols: &[NamedSymbol]) -> HashSet<(usize, usize)> {
    let is_one =
        |symbol: &&NamedSymbol| matches!(symbol.kind, SymbolKind::Param | SymbolKind::Port);
    let places = symbols
        .iter()
        .filter(is_one)
        .flat_map(|symbol| &symbol.occurrences);
    let declared = places.filter(|one| one.is_definition);
    declared.map(|one| (one.file, one.span.start)).collect()
}

/// The types of keys in expressions.
fn types(
    symbols: &[NamedSymbol],
    declared: &mut Declared<'_>,
    asked: Asked<'_>,
    all: &mut Vec<Hint>,
) {
    let (file, nodes, part) = asked;
    for symbol in symbols {
        if !matches!(symbol.kind, SymbolKind::Key | SymbolKind::Port) {
            continue;
        }
        let ty = declared
            .of(symbol)
            .and_then(|(_, own, at)| own[at].node.property("type"));
        let Some(ty) = ty.map(str::to_owned) else {
            continue;
        };
        let used = symbol.occurrences.iter();
        for one in used.filter(|one| one.file == file && part.contains(&one.span.start)) {
            let is_inside = node_at(nodes, one.span.start).is_some_and(|at| {
                let mut entries = nodes[at].node.entries.iter();
                // As a value by itself, it is a name and no expression.
                entries.any(|entry| {
                    entry.value_span.start < one.span.start && one.span.end < entry.value_span.end
                })
            });
            if is_inside && !one.is_definition {
                all.push(Hint {
                    at: one.span.end,
                    text: format!(": {ty}"),
                    kind: HintKind::Type,
                });
            }
        }
    }
}
