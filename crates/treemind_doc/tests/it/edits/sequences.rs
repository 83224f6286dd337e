//! Generated documents are edited again and again. Only what an edit names changes, comments stay with their nodes,
//! and every edit can be undone to the byte.

use super::editor;
use std::collections::BTreeMap;
use std::ops::Range;
use treemind_doc::Document;
use treemind_doc::edit::{At, Change, EditError, Editor, History, NodeView, Spot};

/// Random numbers, the same for the same seed.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    pub(super) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// Makes a document in which every node has a name `nK_`, and every comment the number of its node.
pub(super) struct Maker {
    random: Random,
    /// One per node: its text with its comments, without blanks.
    essences: Vec<String>,
    /// Strings that must not change, by their node.
    strings: BTreeMap<usize, String>,
    pub(super) line_end: &'static str,
    unit: &'static str,
}

/// The text without what edits may change around nodes: blanks, line ends, `;` and `\`.
fn essence(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, ';' | '\\'))
        .collect()
}

impl Maker {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let line_end = if random.percent(25) { "\r\n" } else { "\n" };
        let unit = ["    ", "  ", "\t", " \t"][random.below(4)];
        Self {
            random,
            essences: Vec::new(),
            strings: BTreeMap::new(),
            line_end,
            unit,
        }
    }

    pub(super) fn document(&mut self) -> String {
        let mut text = String::new();
        if self.random.percent(15) {
            text.push('\u{feff}');
        }
        for _ in 0..1 + self.random.below(4) {
            if self.random.percent(20) {
                text.push_str(&format!("// far{}{}", self.line_end, self.line_end));
            }
            text.push_str(&self.lines(0, 0));
            if self.random.percent(40) {
                text.push_str(self.line_end);
            }
        }
        if self.random.percent(20) {
            text.truncate(text.trim_end().len());
        }
        text
    }

    /// A node with its comments, on its own lines.
    pub(super) fn lines(&mut self, level: usize, depth: usize) -> String {
        let number = self.number();
        let (indent, end) = (self.unit.repeat(level), self.line_end);
        let mut text = String::new();
        for _ in 0..self.random.below(3) {
            let lead = match self.random.below(4) {
                0 => format!("/* lead{number} */"),
                1 => format!("/* lead{number}{end}   of two lines */"),
                2 => format!("/-dropped{number} 1 {{ x; }}"),
                _ => format!("// lead{number}"),
            };
            text.push_str(&format!("{indent}{lead}{end}"));
        }
        let node = self.node(number, level, depth, true);
        text.push_str(&format!("{indent}{node}"));
        if self.random.percent(15) {
            text.push(';');
        }
        match self.random.below(6) {
            0 => text.push_str(&format!(" // tail{number}")),
            1 => text.push_str(&format!(" /* tail{number} */")),
            2 => text.push_str(&format!(" /* tail{number} */ // more{number}")),
            _ => {}
        }
        self.essences[number] = essence(&text);
        text.push_str(end);
        if self.random.percent(10) {
            text.push_str(&format!("{indent}{end}"));
        }
        text
    }

    fn number(&mut self) -> usize {
        self.essences.push(String::new());
        self.essences.len() - 1
    }

    /// A node without its surroundings.
    fn node(&mut self, number: usize, level: usize, depth: usize, may_break: bool) -> String {
        let end = self.line_end;
        let is_inner = depth < 4 && self.random.percent(55 - depth * 10);
        let word = match (is_inner, self.random.below(4)) {
            (true, 0) => "invert",
            (true, 1) => "repeat forever",
            (true, 2) => "selector",
            (true, _) => "sequence",
            (false, 0) => "wait 0.5",
            (false, 1) => "log #\"a \" { // b \"#",
            (false, 2) => "check \"a > 1 && '\\\"{' != b\"",
            (false, _) => "action go",
        };
        let mut text = format!("{word} name=n{number}_");
        if may_break && self.random.percent(15) {
            text.push_str(&format!(" \\{end}          x=1"));
        }
        if may_break && self.random.percent(12) {
            let string =
                format!("\"\"\"{end}      string{number} }}{end}{end}   // none{end}  \"\"\"");
            text.push_str(&format!(" doc={string}"));
            self.strings.insert(number, string);
        }
        if self.random.percent(10) {
            text.push_str(&format!(" /-y={number}"));
        }
        if self.random.percent(10) {
            text.push_str(&format!(" /* in{number} */"));
        }
        if !is_inner {
            return text;
        }
        let count = self.random.below(4);
        if !may_break || self.random.percent(35) {
            text.push_str(" {");
            for child in 0..count {
                let own = self.number();
                let mut node = String::new();
                if self.random.percent(15) {
                    node.push_str(&format!("/* lead{own} */ "));
                }
                node.push_str(&self.node(own, level, depth + 1, false));
                self.essences[own] = essence(&node);
                let semicolon = if child + 1 < count || self.random.percent(70) {
                    ";"
                } else {
                    ""
                };
                text.push_str(&format!(" {node}{semicolon}"));
            }
            text.push_str(" }");
        } else {
            text.push_str(" {");
            if self.random.percent(20) {
                text.push_str(&format!(" // brace{number}"));
            }
            text.push_str(end);
            for _ in 0..count {
                text.push_str(&self.lines(level + 1, depth + 1));
            }
            if self.random.percent(10) {
                let indent = self.unit.repeat(level + 1);
                text.push_str(&format!("{end}{indent}// last{number}{end}"));
            }
            text.push_str(&format!("{}}}", self.unit.repeat(level)));
        }
        text
    }
}

/// All nodes of the file, parents before children.
fn all_nodes(editor: &Editor) -> Vec<NodeView> {
    let mut found = Vec::new();
    let mut pending: Vec<At> = editor.top(0);
    pending.reverse();
    while let Some(at) = pending.pop() {
        let node = editor.node(at).expect("it is there");
        pending.extend(node.children.iter().rev());
        found.push(node);
    }
    found
}

/// The number in `name=nK_`.
fn number_of(editor: &Editor, node: &NodeView) -> Option<usize> {
    let name = node
        .entries
        .iter()
        .find(|entry| entry.name.as_deref() == Some("name"))?;
    let digits = editor.text(0)[name.value.clone()].strip_prefix('n')?;
    digits.strip_suffix('_')?.parse().ok()
}

/// The numbers of the nodes that contain a byte.
fn around(editor: &Editor, nodes: &[NodeView], at: usize) -> Vec<usize> {
    let has_it = |node: &&NodeView| node.span.start <= at && at < node.span.end;
    let found = nodes.iter().filter(has_it);
    found.filter_map(|node| number_of(editor, node)).collect()
}

/// A node: the bytes of its line, and the nodes in its block.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    line: String,
    children: Vec<Shape>,
}

fn shape(editor: &Editor, nodes: &[At]) -> Vec<Shape> {
    let shape_of = |at: &At| {
        let node = editor.node(*at).expect("it is there");
        Shape {
            line: essence(&editor.text(0)[node.line]),
            children: shape(editor, &node.children),
        }
    };
    nodes.iter().map(shape_of).collect()
}

/// The indices of the children on the way to a node, from the top.
fn path_to(editor: &Editor, at: At) -> Vec<usize> {
    let mut path = Vec::new();
    let mut nodes = editor.top(0);
    loop {
        let has_it = |node: &At| {
            let node = editor.node(*node).expect("it is there");
            node.span.start <= at.offset && at.offset < node.span.end
        };
        let Some(index) = nodes.iter().position(has_it) else {
            return path;
        };
        path.push(index);
        nodes = editor.node(nodes[index]).expect("it is there").children;
    }
}

/// The nodes beside the one at a path.
fn beside<'s>(shape: &'s mut Vec<Shape>, path: &[usize]) -> &'s mut Vec<Shape> {
    match path {
        [] | [_] => shape,
        [first, rest @ ..] => beside(&mut shape[*first].children, rest),
    }
}

/// The expected result of an edit, computed from the nodes and not from the text. `None` if the edit may change more
/// than the places of nodes.
fn expected(editor: &Editor, edit: &Edit) -> Option<Vec<Shape>> {
    let mut shape = shape(editor, &editor.top(0));
    let place_of = |spot: &Spot| match spot {
        Spot::Before(at) => path_to(editor, *at),
        Spot::After(at) => {
            let mut path = path_to(editor, *at);
            *path.last_mut().expect("a node") += 1;
            path
        }
        Spot::Into(at, index) => {
            let count = editor.node(*at).expect("it is there").children.len();
            let mut path = path_to(editor, *at);
            path.push((*index).min(count));
            path
        }
        Spot::Top(_, index) => vec![(*index).min(editor.top(0).len())],
        _ => treemind_core::unlisted(&spot),
    };
    match edit {
        Edit::Remove(at) => {
            let path = path_to(editor, *at);
            beside(&mut shape, &path).remove(*path.last()?);
        }
        Edit::Insert(spot, text) => {
            let new = super::editor(text);
            let new = self::shape(&new, &new.top(0));
            let path = place_of(spot);
            let index = *path.last()?;
            beside(&mut shape, &path).splice(index..index, new);
        }
        Edit::Move(at, spot) => {
            let (from, to) = (path_to(editor, *at), place_of(spot));
            let (index, target) = (*from.last()?, *to.last()?);
            let moved = beside(&mut shape, &from)[index].clone();
            // A mark takes its place until the old place is gone, so that no other place moves in the meantime.
            let mark = Shape {
                line: "mark".to_owned(),
                children: Vec::new(),
            };
            beside(&mut shape, &from)[index] = mark.clone();
            beside(&mut shape, &to).insert(target, moved);
            drop_mark(&mut shape, &mark);
        }
        Edit::Wrap(at, head) => {
            let path = path_to(editor, *at);
            let index = *path.last()?;
            let all = beside(&mut shape, &path);
            let inner = all[index].clone();
            all[index] = Shape {
                line: essence(head),
                children: vec![inner],
            };
        }
        Edit::Unwrap(at) => {
            let path = path_to(editor, *at);
            let index = *path.last()?;
            let all = beside(&mut shape, &path);
            let inner = all[index].children.clone();
            all.splice(index..=index, inner);
        }
        _ => return None,
    }
    Some(shape)
}

fn drop_mark(shape: &mut Vec<Shape>, mark: &Shape) {
    shape.retain(|one| one != mark);
    for one in shape {
        drop_mark(&mut one.children, mark);
    }
}

/// An edit of a document.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    Remove(At),
    Insert(Spot, &'static str),
    Move(At, Spot),
    Wrap(At, &'static str),
    Unwrap(At),
    Set(At),
    Unset(At),
    Value(At),
    Param(At),
}

impl Edit {
    pub(super) fn plan(&self, editor: &Editor) -> Result<Change, EditError> {
        match self {
            Edit::Remove(at) => editor.remove(*at),
            Edit::Insert(spot, text) => editor.insert(*spot, text),
            Edit::Move(at, spot) => editor.move_node(*at, *spot),
            Edit::Wrap(at, head) => editor.wrap(*at, head),
            Edit::Unwrap(at) => editor.unwrap(*at),
            Edit::Set(at) => editor.set(*at, "x", "some text"),
            Edit::Unset(at) => editor.unset(*at, "x"),
            Edit::Value(at) => editor.set_value(*at, 0, 7),
            Edit::Param(at) => editor.set_param(*at, "doc", true),
        }
    }
}

/// A random edit, the numbers of the nodes that it changes, and the span of a node that it removes with everything
/// inside.
pub(super) fn some_edit(
    editor: &Editor,
    random: &mut Random,
) -> (Edit, Vec<usize>, Option<Range<usize>>) {
    let nodes = all_nodes(editor);
    if nodes.is_empty() {
        return (Edit::Insert(Spot::Top(0, 0), "sequence"), Vec::new(), None);
    }
    let node = &nodes[random.below(nodes.len())];
    let other = &nodes[random.below(nodes.len())];
    let own = number_of(editor, node);
    let mut touched = around(editor, &nodes, node.at.offset);
    let is_own = |number: &usize| Some(*number) == own;
    let edit = match random.below(12) {
        0 => return (Edit::Remove(node.at), touched, Some(node.span.clone())),
        1 => {
            let text = [
                "action new",
                "// c\nsequence {\n    fail // d\n    run\n}",
                "log \"\"\"\n    x\n    \"\"\"",
            ][random.below(3)];
            let spot = match random.below(3) {
                0 => Spot::Before(node.at),
                1 => Spot::After(node.at),
                _ => Spot::Into(node.at, random.below(4)),
            };
            if !matches!(spot, Spot::Into(..)) {
                touched.retain(|number| !is_own(number));
            }
            Edit::Insert(spot, text)
        }
        2..6 => {
            let spot = match random.below(4) {
                0 => Spot::Before(other.at),
                1 => Spot::After(other.at),
                2 => Spot::Into(other.at, random.below(3)),
                _ => Spot::Top(0, random.below(3)),
            };
            touched.retain(|number| !is_own(number));
            touched.extend(around(editor, &nodes, other.at.offset));
            if !matches!(spot, Spot::Into(..)) {
                let beside = number_of(editor, other);
                touched.retain(|number| Some(*number) != beside || node.at == other.at);
                // The other node may be inside an ancestor of the moved node, and that ancestor changes all the same.
                let around = around(editor, &nodes, node.at.offset);
                touched.extend(around.into_iter().filter(|number| !is_own(number)));
            }
            Edit::Move(node.at, spot)
        }
        6 => {
            touched.retain(|number| !is_own(number));
            let heads = ["force-success", "sequence name=wrapped", "repeat 2"];
            Edit::Wrap(node.at, heads[random.below(3)])
        }
        7 => Edit::Unwrap(node.at),
        8 => Edit::Set(node.at),
        9 => Edit::Unset(node.at),
        10 => Edit::Value(node.at),
        _ => Edit::Param(node.at),
    };
    (edit, touched, None)
}

#[test]
fn nothing_else_changes_and_everything_can_be_undone() {
    let mut done = [0usize; 2];
    for seed in 0..400 {
        let mut maker = Maker::new(seed);
        let text = match seed % 3 {
            0 => maker.document(),
            _ => {
                let root = maker.lines(1, 0);
                format!("tree t {{{}{root}}}", maker.line_end)
            }
        };
        let mut random = Random::new(seed + 1_000_000);
        let mut history = History::new(editor(&text));
        for step in 0..25 {
            let editor = history.editor();
            let before = editor.text(0).to_owned();
            let (edit, touched, gone) = some_edit(editor, &mut random);
            let Ok(change) = edit.plan(editor) else {
                done[1] += 1;
                continue;
            };
            done[0] += 1;
            let nodes = all_nodes(editor);
            let inside_gone = |number: usize| {
                let mut found = nodes
                    .iter()
                    .filter(|node| number_of(editor, node) == Some(number));
                let span = found.next().map(|node| node.span.clone());
                gone.as_ref()
                    .zip(span)
                    .is_some_and(|(gone, span)| gone.start <= span.start && span.end <= gone.end)
            };
            let was = essence(&before);
            let kept: Vec<usize> = (0..maker.essences.len())
                .filter(|number| was.contains(&maker.essences[*number]))
                .filter(|number| !touched.contains(number) && !inside_gone(*number))
                .collect();
            let unwraps = change.label().to_string().starts_with("unwrap");
            let strings: Vec<usize> = maker
                .strings
                .iter()
                .filter(|(number, string)| {
                    before.contains(string.as_str()) && !inside_gone(**number)
                })
                .map(|(number, _)| *number)
                .filter(|number| !(unwraps && touched.contains(number)))
                .collect();
            let (label, comes_to) = (change.label().to_string(), expected(editor, &edit));
            history.apply(change).expect("made for it");
            let after = history.editor().text(0);
            let is = essence(after);
            let case = format!(
                "seed {seed}, step {step}, {label}\n--- before\n{before}\n--- after\n{after}\n---"
            );
            for number in kept {
                assert!(
                    is.contains(&maker.essences[number]),
                    "n{number} has changed: {case}"
                );
            }
            for number in strings {
                // The text has the same lines in another place.
                assert!(
                    after.contains(&maker.strings[&number]),
                    "the text of n{number} has changed: {case}"
                );
            }
            if let Some(expected) = comes_to {
                let editor = history.editor();
                assert_eq!(shape(editor, &editor.top(0)), expected, "{case}");
            }
            let formatted = treemind_doc::format(after, "after.kdl");
            assert!(formatted.is_ok(), "{formatted:?}: {case}");
            assert_eq!(
                after.starts_with('\u{feff}'),
                before.starts_with('\u{feff}'),
                "{case}"
            );
        }
        let last = history.editor().text(0).to_owned();
        let mut steps = 0;
        while history.undo().is_some() {
            steps += 1;
        }
        assert_eq!(
            history.editor().text(0),
            text,
            "seed {seed}: {steps} undone"
        );
        while history.redo().is_some() {}
        assert_eq!(
            history.editor().text(0),
            last,
            "seed {seed}: {steps} done again"
        );
    }
    assert!(done[0] > 4_000, "{done:?}");
}

/// However a text is broken, no edit of it panics.
#[test]
fn no_text_makes_an_edit_fall_over() {
    for seed in 0..150 {
        let mut maker = Maker::new(seed);
        let mut text = maker.document();
        let mut random = Random::new(seed + 2_000_000);
        for _ in 0..1 + random.below(4) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let junk = [
                "{", "}", "\"", "/*", "*/", "=", "\\", "/-", ";", "(", "\n", "é", "#", "x=", "//",
            ];
            text.insert_str(at, junk[random.below(junk.len())]);
        }
        let Ok(mut editor) = Editor::new(Document::parse(&text, "test.kdl")) else {
            // A byte order mark in the middle is not text.
            assert!(text.rfind('\u{feff}') > Some(0), "{text:?}");
            continue;
        };
        for _ in 0..20 {
            let at = random.below(editor.text(0).len() + 2);
            let other = random.below(editor.text(0).len() + 2);
            let change = match random.below(9) {
                0 => editor.remove(at),
                1 => editor.insert(Spot::Before(at.into()), "x y"),
                2 => editor.move_node(at, Spot::After(other.into())),
                3 => editor.move_node(at, Spot::Into(other.into(), 1)),
                4 => editor.wrap(at, "invert"),
                5 => editor.unwrap(at),
                6 => editor.set(at, "x", 1),
                7 => editor.rename(at, "renamed"),
                _ => editor.extract(at, "extracted"),
            };
            let Ok(change) = change else {
                continue;
            };
            let before = editor.text(0).to_owned();
            let undo = editor.apply(&change).expect("made for it");
            let after = editor.text(0).to_owned();
            editor.apply(&undo).expect("undone");
            assert_eq!(editor.text(0), before, "seed {seed}");
            editor.apply(&change).expect("made for it");
            assert_eq!(editor.text(0), after, "seed {seed}");
        }
    }
}
