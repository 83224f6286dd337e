//! Edits of documents: the bytes before the first zero are a document, those behind it say what is done to it.

use treemind_doc::Document;
use treemind_doc::edit::{At, Change, EditError, Editor, NewValue, NodeView, Spot};

/// The most edits of one document.
const MOST: usize = 12;

/// Nodes that are inserted.
const NODES: [&str; 6] = [
    "succeed",
    "wait 0.5 // a while",
    "sequence { action a; condition b; }",
    "key k type=int",
    "/* before */ state s { on go to=s; }",
    "fallback {\n    // in here\n    fail\n}",
];
const NAMES: [&str; 6] = ["a", "new-name", "_x", "two words", "{b}", ""];
const HEADS: [&str; 4] = ["invert", "repeat 3", "sequence", "timeout 1.5 { }"];

pub(super) fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0);
    let (text, mut choices) = match end {
        Some(end) => (&bytes[..end], bytes[end + 1..].iter().copied()),
        None => (bytes, [].iter().copied()),
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let Ok(mut editor) = Editor::new(Document::parse(text, "fuzz.kdl")) else {
        return;
    };
    for _ in 0..MOST {
        let Some(kind) = choices.next() else {
            break;
        };
        let nodes = all_nodes(&editor);
        if nodes.is_empty() {
            break;
        }
        let mut choose = || {
            usize::from(choices.next().unwrap_or(0)) | usize::from(choices.next().unwrap_or(0)) << 8
        };
        let Ok(change) = change(&editor, &nodes, kind, &mut choose) else {
            continue;
        };
        apply(&mut editor, &change);
    }
}

fn apply(editor: &mut Editor, change: &Change) {
    let before = editor.text(0).to_owned();
    let label = change.label().to_string();
    let back = editor
        .apply(change)
        .expect("a change of these texts applies to them");
    let after = editor.text(0).to_owned();
    // Checking must not panic, whatever the edit has left.
    for item in editor.document().diagnostics() {
        assert!(
            after.get(item.span()).is_some(),
            "{label}: {item:?}\n{after}"
        );
    }
    let mut undone = editor.clone();
    undone.apply(&back).expect("the way back applies");
    assert_eq!(undone.text(0), before, "{label} can be undone");
}

fn change(
    editor: &Editor,
    nodes: &[NodeView],
    kind: u8,
    choose: &mut impl FnMut() -> usize,
) -> Result<Change, EditError> {
    let node = &nodes[choose() % nodes.len()];
    let at = node.at;
    let other = nodes[choose() % nodes.len()].at;
    let spot = match choose() % 4 {
        0 => Spot::Before(other),
        1 => Spot::After(other),
        2 => Spot::Into(other, choose() % 4),
        _ => Spot::Top(0, choose() % 4),
    };
    let name = NAMES[choose() % NAMES.len()];
    match kind % 11 {
        0 => editor.insert(spot, NODES[choose() % NODES.len()]),
        1 => editor.remove(at),
        2 => editor.move_node(at, spot),
        3 => editor.wrap(at, HEADS[choose() % HEADS.len()]),
        4 => editor.unwrap(at),
        5 => editor.extract(at, name),
        6 => {
            let inside = choose() % node.span.len().max(1);
            rename(editor, (at.file, node.span.start + inside).into(), name)
        }
        7 => editor.set(at, "name", NewValue::Text(name.to_owned())),
        8 => editor.set_value(at, choose() % 3, NewValue::Text(name.to_owned())),
        9 => editor.unset(at, entry(node, choose())),
        _ => editor.set_param(at, name, NewValue::Number(choose().to_string())),
    }
}

/// Renames, and checks that a document without errors stays one.
fn rename(editor: &Editor, at: At, name: &str) -> Result<Change, EditError> {
    let change = editor.rename(at, name)?;
    if !editor.document().has_errors() {
        let mut renamed = editor.clone();
        renamed.apply(&change)?;
        let errors = renamed.document().diagnostics();
        assert!(
            !renamed.document().has_errors(),
            "{}: {errors:#?}\n{}",
            change.label(),
            renamed.text(0)
        );
    }
    Ok(change)
}

fn entry(node: &NodeView, choice: usize) -> &str {
    let named: Vec<&str> = node
        .entries
        .iter()
        .filter_map(|entry| entry.name.as_deref())
        .collect();
    named
        .get(choice % named.len().max(1))
        .copied()
        .unwrap_or("name")
}

fn all_nodes(editor: &Editor) -> Vec<NodeView> {
    let mut found = Vec::new();
    let mut pending: Vec<At> = editor.top(0);
    while let Some(at) = pending.pop() {
        // A file in which something is open cannot be edited.
        let Ok(node) = editor.node(at) else {
            return Vec::new();
        };
        pending.extend(&node.children);
        found.push(node);
    }
    found
}
