//! `import "other.kdl"`: the files of a document, read one after the other.
//!
//! The spans of all files form one range: each file begins where the previous one ends. So checks need not know
//! which file a node is from; the [`Sink`] finds the file of a span.

use crate::code::Code;
use crate::diagnostic::Sink;
#[cfg(feature = "btcpp")]
use crate::formats::btcpp;
use crate::formats::json;
#[cfg(feature = "table")]
use crate::formats::table;
use crate::said;
use crate::source::Source;
use crate::syntax::{self, Entry, Node, Span, Value, no_comma, shift, shortened};
use crate::text::cycles::{circles, row};
use crate::text::{Format, beside, normal};
use std::collections::HashMap;
use std::sync::Arc;

/// The largest number of files of a document.
const MAX_FILES: usize = 256;

/// Returns the bytes of a file, or why this is not possible.
pub(crate) type Load<'l> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'l;

/// The content of all files together.
pub(crate) struct Gathered {
    /// The nodes at the top level, those of the first file first, without imports.
    pub(crate) nodes: Vec<Node>,
    /// Whether the structure is reliable.
    pub(crate) whole: bool,
    /// How deeply blocks are nested.
    pub(crate) depth: usize,
}

/// A file of the document.
struct File {
    source: Arc<Source>,
    /// `None` for a file of weights, which has no nodes.
    format: Option<Format>,
    begin: usize,
    /// The files that it imports, with the places of the imports.
    uses: Vec<(usize, Span)>,
}

/// Reads the current file of the sink, and all files that it imports.
///
/// A flat table imports nothing, but its types may be declared in another file, its `manifest`. A `manifest` may also
/// declare the nodes of trees of BehaviorTree.CPP.
pub(crate) fn gather(
    sink: &mut Sink,
    (format, manifest): (Format, Option<&str>),
    load: Option<&mut Load<'_>>,
) -> Gathered {
    let source = Arc::clone(sink.source());
    let mut files = Files {
        known: HashMap::from([(normal(source.name()), 0)]),
        list: vec![File {
            source,
            format: Some(format),
            begin: 0,
            uses: Vec::new(),
        }],
        load,
    };
    let mut all = Gathered {
        nodes: Vec::new(),
        whole: true,
        depth: 0,
    };
    let mut next = 0;
    if format == Format::Table {
        // It is read last, when the types of its rows are known.
        next = 1;
        if let Some(manifest) = manifest {
            all.whole &= files.manifest(manifest, sink);
        }
    }
    while next < files.list.len() && !sink.is_full() {
        let (source, begin) = (Arc::clone(&files.list[next].source), files.list[next].begin);
        let Some(format) = files.list[next].format else {
            next += 1;
            continue;
        };
        sink.enter(begin);
        let mut parsed = match format {
            Format::Json => json::parse(source.text(), sink),
            #[cfg(feature = "btcpp")]
            Format::BtCpp => match &mut files.load {
                Some(load) => btcpp::parse(manifest, Some(&mut **load), sink),
                None => btcpp::parse(manifest, None, sink),
            },
            _ => {
                let mut parsed = syntax::parse(source.text(), sink);
                commas(&mut parsed.nodes, sink);
                parsed
            }
        };
        sink.enter(0);
        shift(&mut parsed.nodes, 0, begin);
        all.whole &= parsed.whole;
        all.depth = all.depth.max(parsed.depth);
        for node in parsed.nodes {
            if node.name.value == "import" {
                all.whole &= files.import(next, &node, sink);
                continue;
            }
            if node.name.value == "network" {
                files.weights(next, &node, sink);
            }
            all.nodes.push(node);
        }
        next += 1;
    }
    files.cycles(sink);
    #[cfg(feature = "table")]
    if format == Format::Table {
        table(&mut all, sink);
    }
    all.whole &= !sink.is_full();
    all
}

/// Reports commas after bare words, which KDL takes as part of the words, and removes them, so that they cause no
/// further diagnostics.
fn commas(nodes: &mut [Node], sink: &mut Sink) {
    let mut pending: Vec<&mut [Node]> = vec![nodes];
    while let Some(nodes) = pending.pop() {
        for node in nodes {
            node.entries.retain_mut(|entry| {
                let Value::Text(text) = &mut entry.value else {
                    return true;
                };
                if !text.bare || !text.value.ends_with(',') {
                    return true;
                }
                no_comma(text.span.end - 1..text.span.end, sink);
                text.value.truncate(text.value.len() - 1);
                text.span.end -= 1;
                entry.value_span.end -= 1;
                entry.span.end -= 1;
                !text.value.is_empty()
            });
            pending.extend(node.children.as_deref_mut());
        }
    }
}

/// Reads the table that is the sink's current file, with the declarations of its manifest; trees in the manifest
/// are ignored.
#[cfg(feature = "table")]
fn table(all: &mut Gathered, sink: &mut Sink) {
    let declares = |node: &Node| matches!(node.name.value.as_str(), "leaves" | "blackboard");
    all.nodes.retain(declares);
    let source = Arc::clone(sink.source());
    let parsed = table::parse(source.text(), source.name(), &all.nodes, sink);
    all.whole &= parsed.whole;
    all.depth = all.depth.max(parsed.depth);
    all.nodes.extend(parsed.nodes);
}

struct Files<'l, 'f> {
    /// The index of each file, by its path.
    known: HashMap<String, usize>,
    list: Vec<File>,
    load: Option<&'l mut Load<'f>>,
}

impl Files<'_, '_> {
    /// Adds the file that a line imports; returns false when this is not possible.
    fn import(&mut self, from: usize, node: &Node, sink: &mut Sink) -> bool {
        let Some((written, span)) = path_of(node, sink) else {
            return false;
        };
        let path = beside(self.list[from].source.name(), written);
        if let Some(&known) = self.known.get(&path) {
            self.list[from].uses.push((known, span));
            return true;
        }
        if !self.has_room(&span, sink) {
            return false;
        }
        let Some(file) = self.add(written, path, &span, sink) else {
            return false;
        };
        self.list[from].uses.push((file, span));
        true
    }

    /// Adds the file of weights that a network names. Without it, the rest of the document can be checked all the same.
    fn weights(&mut self, from: usize, node: &Node, sink: &mut Sink) {
        let is_from = |entry: &&Entry| entry.name.as_ref().is_some_and(|name| name.value == "from");
        let entry = node.entries.iter().find(is_from);
        let Some((Value::Text(text), span)) = entry.map(|entry| (&entry.value, &entry.value_span))
        else {
            // Checks say what is wrong with it.
            return;
        };
        let path = beside(self.list[from].source.name(), &text.value);
        if self.known.contains_key(&path) || !self.has_room(span, sink) {
            return;
        }
        let Some(source) = self.read(&text.value, &path, span, sink) else {
            return;
        };
        let begin = sink.add(Arc::clone(&source));
        self.known.insert(path, self.list.len());
        self.list.push(File {
            source,
            format: None,
            begin,
            uses: Vec::new(),
        });
    }

    /// Whether the document may have one more file; reports if not.
    fn has_room(&self, span: &Span, sink: &mut Sink) -> bool {
        let has_room = self.list.len() < MAX_FILES;
        if !has_room {
            let message = said!("a document has at most {} files", MAX_FILES);
            sink.error(Code::TooLarge, span.clone(), message);
        }
        has_room
    }

    /// Adds the file that declares the types of a table; its path is used as given, and not relative to the table's
    /// folder.
    fn manifest(&mut self, path: &str, sink: &mut Sink) -> bool {
        self.add(path, normal(path), &(0..0), sink).is_some()
    }

    /// Adds a file; returns its index.
    fn add(&mut self, written: &str, path: String, span: &Span, sink: &mut Sink) -> Option<usize> {
        let source = self.load(written, &path, span, sink)?;
        let begin = sink.add(Arc::clone(&source));
        let file = self.list.len();
        self.known.insert(path, file);
        self.list.push(File {
            format: Some(Format::of(source.name(), source.text())),
            source,
            begin,
            uses: Vec::new(),
        });
        Some(file)
    }

    /// The text of a file, which must be a document.
    fn load(
        &mut self,
        written: &str,
        path: &str,
        span: &Span,
        sink: &mut Sink,
    ) -> Option<Arc<Source>> {
        let source = self.read(written, path, span, sink)?;
        if !Format::of(path, source.text()).is_native() {
            let shown = shortened(written);
            let message = said!("cannot import `{}`: it is neither KDL nor JSON", shown);
            sink.error(Code::Import, span.clone(), message)
                .with_help(said!("import documents in KDL or JSON only"));
            return None;
        }
        Some(source)
    }

    /// The text of a file.
    fn read(
        &mut self,
        written: &str,
        path: &str,
        span: &Span,
        sink: &mut Sink,
    ) -> Option<Arc<Source>> {
        let shown = shortened(written);
        let Some(load) = &mut self.load else {
            let message = said!(
                "cannot import `{}`: this program reads no other files",
                shown
            );
            sink.error(Code::Import, span.clone(), message)
                .with_help(said!("give the program a way to read imports"));
            return None;
        };
        let bytes = match load(path) {
            Ok(bytes) => bytes,
            Err(reason) => {
                let message = said!("cannot import `{}`: {}", shown, reason);
                let found = shortened(path);
                sink.error(Code::Import, span.clone(), message)
                    .with_help(said!("write the path relative to the folder of this file; this one leads to `{}`", found));
                return None;
            }
        };
        let Ok(text) = String::from_utf8(bytes) else {
            let message = said!("cannot import `{}`: it is not UTF-8 text", shown);
            sink.error(Code::Import, span.clone(), message);
            return None;
        };
        Some(Arc::new(Source::new(path, text)))
    }

    /// Reports files that import themselves, directly or through others.
    fn cycles(&self, sink: &mut Sink) {
        let uses = |file: usize| &self.list[file].uses[..];
        for (circle, span) in circles(1, self.list.len(), uses) {
            let name = |file: usize| format!("`{}`", shortened(self.list[file].source.name()));
            let own = name(circle[0]);
            let message = match circle.len() {
                1 => said!("{} imports itself", own),
                _ => said!("{} imports itself: {}", own, row(&circle, name)),
            };
            sink.error(Code::Cycle, span, message).with_help(said!(
                "move the definitions that both need into a third file, and import it in both"
            ));
        }
    }
}

/// The path that a line imports, and its place.
fn path_of<'n>(node: &'n Node, sink: &mut Sink) -> Option<(&'n str, Span)> {
    let mut values = node.entries.iter().filter(|entry| entry.name.is_none());
    let (first, second) = (values.next(), values.next());
    let named = node.entries.iter().find(|entry| entry.name.is_some());
    if let Some(extra) = second.or(named) {
        let message = said!("`import` takes only the path of one file");
        sink.error(Code::ExtraValue, extra.span.clone(), message)
            .with_help(said!("write one `import` for each file"));
        return None;
    }
    if node.children.is_some() {
        let message = said!("`import` takes no block");
        sink.error(Code::ExtraChildren, node.span.clone(), message);
        return None;
    }
    match first.map(|entry| (&entry.value, entry.value_span.clone())) {
        Some((Value::Text(text), span)) if !text.value.trim().is_empty() => {
            Some((&text.value, span))
        }
        Some((Value::Bad, _)) => None,
        other => {
            let span = other.map_or(node.span.clone(), |(_, span)| span);
            let message = said!("`import` needs the path of a file");
            sink.error(Code::MissingValue, span, message)
                .with_help(said!("try `import \"leaves.kdl\"`"));
            None
        }
    }
}
