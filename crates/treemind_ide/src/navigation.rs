//! Where names are defined and used, and what is around a place.

use std::ops::Range;
use treemind_doc::edit::{At, CursorEntry, CursorNode, Editor, Occurrence, ReadNode};

/// A place that somebody can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file, by its number in the editor.
    pub file: usize,
    /// The name there; empty at the beginning of a file.
    pub span: Range<usize>,
    /// The node whose line has the name.
    pub extent: Range<usize>,
}

/// Where the name at a byte is defined; of an `import`, the file that it imports.
pub fn definition(editor: &Editor, at: impl Into<At>) -> Vec<Target> {
    let at = at.into();
    if let Some(file) = imported(editor, at) {
        return vec![Target {
            file,
            span: 0..0,
            extent: 0..0,
        }];
    }
    let all = editor.occurrences(at).into_iter();
    all.filter(|one| one.is_definition)
        .map(|one| target(editor, one))
        .collect()
}

fn target(editor: &Editor, one: Occurrence) -> Target {
    let nodes = editor.read_nodes(one.file);
    let node = node_at(&nodes, one.span.start);
    Target {
        file: one.file,
        extent: node.map_or(one.span.clone(), |at| nodes[at].extent()),
        span: one.span,
    }
}

/// The file that the `import` at a byte imports.
fn imported(editor: &Editor, at: At) -> Option<usize> {
    let nodes = editor.read_nodes(at.file);
    let node = &nodes[node_at(&nodes, at.offset)?].node;
    let entry = named_file(node)?;
    // The name of a network is not that of its file.
    if node.word == "network" && !entry.span.contains(&at.offset) {
        return None;
    }
    let path = file_beside(editor.name(at.file), &entry.value);
    editor.file_named(&path)
}

/// What names another file on the line of a node at the top of a document: what `import` imports, and the weights of a
/// `network`.
pub fn named_file(node: &CursorNode) -> Option<&CursorEntry> {
    let wanted = match node.word.as_str() {
        "import" => None,
        "network" => Some("from"),
        _ => return None,
    };
    let mut entries = node.entries.iter();
    entries.find(|entry| entry.name.as_deref() == wanted)
}

/// The name of a file that another one names relative to its folder.
pub fn file_beside(name: &str, relative: &str) -> String {
    if relative.starts_with('/') {
        return relative.to_owned();
    }
    let separator = match cfg!(windows) && name.contains('\\') {
        true => "\\",
        false => "/",
    };
    let mut parts: Vec<&str> = name.split(separator).collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty()) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join(separator)
}

/// The name at a byte and what it is now, for renaming; `None` where there is none.
pub fn name_at(editor: &Editor, at: impl Into<At>) -> Option<(Range<usize>, String)> {
    let at = at.into();
    let (_, name) = editor.symbol_at(at)?;
    let touches = |span: &Range<usize>| span.start <= at.offset && at.offset <= span.end;
    let all = editor.occurrences(at);
    let here = |one: &&Occurrence| one.file == at.file;
    let under = all.iter().filter(here).find(|one| touches(&one.span));
    // On the word of a node, its name counts.
    let line = || {
        let nodes = editor.read_nodes(at.file);
        let line = nodes[node_at(&nodes, at.offset)?].line.clone();
        let mut inside = all.iter().filter(here);
        inside.find(|one| line.start <= one.span.start && one.span.end <= line.end)
    };
    Some((under.or_else(line)?.span.clone(), name))
}

/// The innermost node whose line or block has a byte.
pub(crate) fn node_at(nodes: &[ReadNode], offset: usize) -> Option<usize> {
    let behind = nodes.partition_point(|node| node.line.start <= offset);
    let mut at = behind.checked_sub(1);
    while let Some(number) = at {
        if offset <= nodes[number].extent().end {
            return Some(number);
        }
        at = nodes[number].parent;
    }
    None
}

/// What can be selected around a byte, the innermost first: the word, the value, the line, the block, the node, and so on
/// to the whole file. Each contains the one before it.
pub fn selections(editor: &Editor, at: impl Into<At>) -> Vec<Range<usize>> {
    let at = at.into();
    let text = editor.text(at.file);
    if at.offset > text.len() {
        return Vec::new();
    }
    let mut all: Vec<Range<usize>> = std::iter::once(at.offset..at.offset).collect();
    let mut add = |range: Range<usize>| {
        let last = &all[all.len() - 1];
        if range.start <= last.start && last.end <= range.end && range != *last {
            all.push(range);
        }
    };
    if let Some(cursor) = editor.cursor(at) {
        let content = &cursor.content;
        if cursor.is_quoted && content.start <= at.offset && at.offset <= content.end {
            add(crate::completion::name_around(text, content, at.offset));
        }
        add(cursor.content.clone());
        add(cursor.token.clone());
    }
    let nodes = editor.read_nodes(at.file);
    let mut node = node_at(&nodes, at.offset);
    while let Some(number) = node {
        let one = &nodes[number];
        let mut entries = one.node.entries.iter();
        let is_in = |span: &Range<usize>| span.start <= at.offset && at.offset <= span.end;
        if let Some(entry) = entries.find(|entry| is_in(&entry.span)) {
            add(entry.value_span.clone());
            add(entry.span.clone());
        }
        if is_in(&one.line) {
            add(one.line.clone());
        }
        if let Some(block) = one.block.clone().filter(|block| is_in(block)) {
            if block.start < at.offset && block.end > block.start + 1 {
                let end = block.end - usize::from(text[..block.end].ends_with('}'));
                add(block.start + 1..end.max(block.start + 1));
            }
            add(block);
        }
        add(one.extent());
        node = one.parent;
    }
    add(0..text.len());
    all
}
