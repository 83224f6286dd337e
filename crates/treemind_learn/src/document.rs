//! Trees as documents that people edit.

use crate::examples::Examples;
use crate::grow::LearnedTree;
use crate::split::Test;
use crate::table::Cells;
use std::collections::HashSet;
use std::fmt::Write as _;

/// Words that cannot name a key or a value.
const RESERVED: [&str; 8] = ["true", "false", "null", "inf", "nan", "if", "else", "in"];

/// Names in the document, made from names in the table.
pub(crate) struct Names {
    /// One per column.
    pub(crate) keys: Vec<String>,
    /// Per column its values, if it is a category.
    pub(crate) values: Vec<Vec<String>>,
    /// One per class.
    pub(crate) tasks: Vec<String>,
}

/// The tree as a `decide` document: an action per class, a key per column that a test asks about.
///
/// The key of a column that had missing values is `optional`, and tests ask `has(key)` first. A missing value takes
/// the side that was best while learning for rows that lacked it.
pub fn document(tree: &LearnedTree, examples: &Examples, name: &str) -> String {
    let names = Names::of(examples);
    let mut asked = vec![false; examples.columns.len()];
    let mut led_to = vec![false; examples.classes.len()];
    note_uses(tree, &mut asked, &mut led_to);
    let mut out = format!(
        "// Learned: what `{}` is, from {} rows. Behind each leaf: how many rows of a class came there.\n",
        plain(&examples.target),
        tree.counts().iter().sum::<u32>()
    );
    if asked.contains(&true) {
        out.push_str("blackboard {\n");
        for (column, _) in asked.iter().enumerate().filter(|(_, asked)| **asked) {
            write_key(&mut out, examples, &names, column);
        }
        out.push_str("}\n");
    }
    out.push_str("leaves {\n");
    for (class, _) in led_to.iter().enumerate().filter(|(_, used)| **used) {
        let _ = write!(out, "    action {}", names.tasks[class]);
        if names.tasks[class] != examples.classes[class] {
            let _ = write!(out, " doc=\"{}\"", escaped(&examples.classes[class]));
        }
        out.push('\n');
    }
    let name = words(name, '-', "learned");
    let _ = write!(out, "}}\nmain decide={name}\ndecide {name} {{\n");
    write_node(&mut out, tree, examples, &names, 1);
    out.push_str("}\n");
    out
}

impl Names {
    pub(crate) fn of(examples: &Examples) -> Self {
        let columns = examples.columns.iter().map(|column| column.name.as_str());
        let values = examples.columns.iter().map(|column| match &column.cells {
            Cells::Category { values, .. } => {
                unique(values.iter().map(String::as_str), '_', "value")
            }
            _ => Vec::new(),
        });
        Self {
            keys: unique(columns, '_', "column"),
            values: values.collect(),
            tasks: unique(examples.classes.iter().map(String::as_str), '-', "class"),
        }
    }
}

/// Names made of letters, digits and `joint`, all different.
fn unique<'n>(names: impl Iterator<Item = &'n str>, joint: char, fallback: &str) -> Vec<String> {
    let mut known = HashSet::new();
    names
        .map(|name| {
            let name = words(name, joint, fallback);
            let numbered = (2..).map(|number| format!("{name}{joint}{number}"));
            let mut all = std::iter::once(name.clone()).chain(numbered);
            let free = all.find(|name| !known.contains(name));
            let free = free.unwrap_or(name);
            known.insert(free.clone());
            free
        })
        .collect()
}

fn words(text: &str, joint: char, fallback: &str) -> String {
    let mut name = String::new();
    for letter in text.to_lowercase().chars() {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with(joint) {
            name.push(joint);
        }
    }
    let name = name.trim_end_matches(joint);
    let begins_well = name.starts_with(char::is_alphabetic);
    match (begins_well, RESERVED.contains(&name)) {
        (true, false) => name.to_owned(),
        (true, true) => format!("{name}{joint}{fallback}"),
        (false, _) if name.is_empty() => fallback.to_owned(),
        (false, _) => format!("{fallback}{joint}{name}"),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            other if !can_be_written(other) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out
}

/// The text on one line, for a comment.
fn plain(text: &str) -> String {
    let letters = text.chars();
    letters
        .map(|letter| if can_be_written(letter) { letter } else { ' ' })
        .collect()
}

/// Whether KDL accepts a character as it is, and it neither ends the line nor changes the direction of the text.
fn can_be_written(letter: char) -> bool {
    let turns_or_ends = matches!(
        letter,
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    !letter.is_control() && !turns_or_ends
}

fn note_uses(tree: &LearnedTree, asked: &mut [bool], led_to: &mut [bool]) {
    match tree {
        LearnedTree::Leaf { class, .. } => led_to[*class] = true,
        LearnedTree::Split { test, yes, no, .. } => {
            asked[test.column()] = true;
            note_uses(yes, asked, led_to);
            note_uses(no, asked, led_to);
        }
    }
}

fn is_optional(examples: &Examples, column: usize) -> bool {
    let cells = &examples.columns[column].cells;
    examples.rows.iter().any(|row| cells.is_missing(*row))
}

fn write_key(out: &mut String, examples: &Examples, names: &Names, column: usize) {
    let of = &examples.columns[column];
    let name = &names.keys[column];
    let (ty, default) = match &of.cells {
        Cells::Bool(_) => ("bool", "#false"),
        Cells::Int(_) => ("int", "0"),
        Cells::Double(_) => ("double", "0.0"),
        Cells::Category { .. } => ("enum", names.values[column][0].as_str()),
    };
    let _ = write!(out, "    key {name} type={ty}");
    if is_optional(examples, column) {
        out.push_str(" optional=#true");
    } else {
        let _ = write!(out, " default={default}");
    }
    if *name != of.name {
        let _ = write!(out, " doc=\"{}\"", escaped(&of.name));
    }
    if let Cells::Category { .. } = of.cells {
        let _ = write!(out, " {{ value {}; }}", names.values[column].join(" "));
    }
    out.push('\n');
}

/// A test, with the yes side in its block and the no side after it.
fn write_node(
    out: &mut String,
    tree: &LearnedTree,
    examples: &Examples,
    names: &Names,
    depth: usize,
) {
    let indent = "    ".repeat(depth);
    let mut node = tree;
    while let LearnedTree::Split {
        test,
        missing_is_yes,
        yes,
        no,
        ..
    } = node
    {
        let test = test_text(test, *missing_is_yes, examples, names);
        if let LearnedTree::Leaf { class, counts } = &**yes {
            let task = &names.tasks[*class];
            let counts = counts_text(counts, examples);
            let _ = writeln!(
                out,
                "{indent}test \"{test}\" {{ action {task}; }} // {counts}"
            );
        } else {
            let _ = writeln!(out, "{indent}test \"{test}\" {{");
            write_node(out, yes, examples, names, depth + 1);
            let _ = writeln!(out, "{indent}}}");
        }
        node = no;
    }
    if let LearnedTree::Leaf { class, counts } = node {
        let counts = counts_text(counts, examples);
        let _ = writeln!(out, "{indent}action {} // {counts}", names.tasks[*class]);
    }
}

fn counts_text(counts: &[u32], examples: &Examples) -> String {
    let there = counts
        .iter()
        .zip(&examples.classes)
        .filter(|(count, _)| **count > 0);
    let there = there.map(|(count, class)| format!("{count} {}", plain(class)));
    there.collect::<Vec<String>>().join(", ")
}

fn test_text(test: &Test, missing_is_yes: bool, examples: &Examples, names: &Names) -> String {
    let column = test.column();
    let key = &names.keys[column];
    let asked = match test {
        Test::Holds(_) => key.clone(),
        Test::AtMostInt(_, most) => format!("{key} <= {most}"),
        Test::AtMost(_, most) => format!("{key} <= {most:?}"),
        Test::Is(_, value) => format!("{key} == {}", names.values[column][*value as usize]),
    };
    match (is_optional(examples, column), missing_is_yes) {
        (false, _) => asked,
        (true, false) => format!("has({key}) && {asked}"),
        (true, true) => format!("!has({key}) || {asked}"),
    }
}
