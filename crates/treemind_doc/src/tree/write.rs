//! Writes trees in code as documents, and reports the problems of the documents as problems of the trees.

use super::declare::Declarations;
use super::error::{TreeError, TreeProblem};
use super::{Given, Line, Node, Part, Written};
use crate::check::FIRST_AT;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::document::Document;
use crate::language;
use crate::syntax::shortened;
use crate::syntax::write::{plain, word};
use std::ops::Range;
use treemind_core::Behaviour;

/// The name of the text of a tree, in case somebody sees it.
const NAME: &str = "code.kdl";

/// The label of a node: its name, else what it refers to, else its kind; of a transition and of the words of decision
/// trees, both.
pub(super) fn label(line: &Line) -> String {
    if line.word == "transition" {
        let to = line
            .options
            .iter()
            .find(|(name, _)| ["to", "push", "decide"].contains(&name.as_str()));
        if let Some((option, Given(Written::Text(to)))) = to {
            return format!("transition {option}={to}");
        }
    }
    let name = line.options.iter().find(|(name, _)| name == "name");
    let stands_for = [
        "condition",
        "action",
        "subtree",
        "machine",
        "decide",
        "service",
        "node",
        "state",
        "parallel",
    ]
    .contains(&&*line.word);
    let first = line.values.first();
    match (name, first) {
        (Some((_, Given(Written::Text(text)))), _) => text.clone(),
        (None, Some(Given(Written::Text(text)))) if stands_for => text.clone(),
        (None, Some(value)) if is_of_decisions(&line.word) => {
            let mut label = format!("{} ", line.word);
            write_given(value, &mut label);
            shortened(&label)
        }
        _ => line.word.clone(),
    }
}

/// Whether a word occurs only in decision trees.
fn is_of_decisions(word: &str) -> bool {
    language::decision_words().any(|one| one == word) && language::node_word(word).is_none()
}

fn write_given(given: &Given, out: &mut String) {
    match &given.0 {
        Written::Value(value) => plain(*value, out),
        Written::Text(text) => word(text, out),
    }
}

/// The place of a node in the text.
pub(super) struct Place {
    span: Range<usize>,
    /// The index of the place of the node above.
    above: Option<usize>,
    label: String,
}

/// Writes the text of a tree, a machine or a decision tree, and records the places of its nodes.
pub(super) fn write(node: &Node, places: &mut Vec<Place>, out: &mut String) {
    let mut open: Vec<usize> = Vec::new();
    let mut parts = node.parts.iter().peekable();
    while let Some(part) = parts.next() {
        let indent = |out: &mut String, depth: usize| {
            // Nobody reads deeper indentation, which would only make the text long.
            out.extend(std::iter::repeat_n("    ", depth.min(64)));
        };
        match part {
            Part::Open(line) => {
                indent(out, open.len() + 1);
                let start = out.len();
                write_line(line, out);
                let is_empty = line.params.is_empty() && parts.peek() == Some(&&Part::Close);
                if !is_empty {
                    out.push_str(" {");
                }
                places.push(Place {
                    span: start..out.len(),
                    above: open.last().copied(),
                    label: label(line),
                });
                out.push('\n');
                open.push(places.len() - 1);
                for (name, value) in &line.params {
                    indent(out, open.len() + 1);
                    out.push_str("param ");
                    word(name, out);
                    out.push(' ');
                    write_given(value, out);
                    out.push('\n');
                }
                if is_empty {
                    parts.next();
                    open.pop();
                }
            }
            Part::Close => {
                indent(out, open.len());
                out.push_str("}\n");
                if let Some(place) = open.pop() {
                    places[place].span.end = out.len();
                }
            }
        }
    }
}

fn write_line(line: &Line, out: &mut String) {
    word(&line.word, out);
    for value in &line.values {
        out.push(' ');
        write_given(value, out);
    }
    for (name, value) in &line.options {
        out.push(' ');
        word(name, out);
        out.push('=');
        write_given(value, out);
    }
}

impl Node {
    /// The tree as a document, without the declarations that it refers to.
    ///
    /// ```
    /// use treemind_doc::tree;
    ///
    /// let guard = tree::selector([tree::action("attack").param("range", 2.5), tree::wait(1.0)]);
    /// assert_eq!(guard.to_kdl("guard"), r#"tree guard {
    ///     selector {
    ///         action attack {
    ///             param range 2.5
    ///         }
    ///         wait 1.0
    ///     }
    /// }
    /// "#);
    /// ```
    pub fn to_kdl(&self, name: &str) -> String {
        let mut out = String::new();
        write_tree(name, self, &mut Vec::new(), &mut out);
        out
    }

    /// The behaviour of this tree: names are looked up in the declarations, and everything is checked.
    ///
    /// # Errors
    /// All errors of the tree, about the nodes where they are, or of the declarations.
    pub fn behaviour(&self, name: &str, declared: &Declarations) -> Result<Behaviour, TreeError> {
        let (mut text, mut places) = declared.text();
        write_tree(name, self, &mut places, &mut text);
        let checked = Checked::new(declared, &text, places);
        checked.result(checked.document.behaviour(Some(name)))
    }

    /// Everything that the check finds in the declarations and in this tree, which runs by itself: errors and warnings.
    ///
    /// ```
    /// use treemind_doc::tree::{self, Declarations};
    ///
    /// let idle = tree::sequence([tree::fail(), tree::succeed()]);
    /// let problems = idle.problems("idle", &Declarations::new());
    /// assert_eq!(problems[0].severity(), treemind_doc::Severity::Warning);
    /// assert!(problems[0].to_string().starts_with("sequence > succeed: "));
    /// ```
    pub fn problems(&self, name: &str, declared: &Declarations) -> Vec<TreeProblem> {
        let (mut text, mut places) = declared.text();
        write_tree(name, self, &mut places, &mut text);
        text.push_str("main tree=");
        word(name, &mut text);
        let checked = Checked::new(declared, &text, places);
        let all = checked.document.diagnostics().iter();
        all.map(|item| checked.problem(item)).collect()
    }
}

impl Declarations {
    /// The behaviour of a state machine that runs by itself.
    ///
    /// # Errors
    /// All errors of the declarations, about the parts where they are.
    pub fn machine_behaviour(&self, name: &str) -> Result<Behaviour, TreeError> {
        let checked = self.checked();
        checked.result(checked.document.machine(name))
    }

    /// The behaviour of a decision tree that runs by itself.
    ///
    /// # Errors
    /// All errors of the declarations, about the parts where they are.
    pub fn decision_behaviour(&self, name: &str) -> Result<Behaviour, TreeError> {
        let checked = self.checked();
        checked.result(checked.document.decision(name))
    }

    fn checked(&self) -> Checked {
        let (text, places) = self.text();
        Checked::new(self, &text, places)
    }
}

/// Declarations as a document that has been checked, maybe with a tree.
struct Checked {
    document: Document,
    places: Vec<Place>,
}

impl Checked {
    fn new(declared: &Declarations, text: &str, places: Vec<Place>) -> Self {
        let load = |path: &str| declared.file(path);
        let document = Document::read_with(text.as_bytes(), NAME, load);
        Self { document, places }
    }

    fn result(&self, result: Result<Behaviour, Diagnostics>) -> Result<Behaviour, TreeError> {
        result.map_err(|diagnostics| {
            let errors = diagnostics
                .iter()
                .filter(|item| item.severity() == Severity::Error);
            TreeError::all(errors.map(|item| self.problem(item)).collect())
        })
    }

    fn problem(&self, item: &Diagnostic) -> TreeProblem {
        let is_here = item.source().name() == NAME;
        let node = is_here
            .then(|| path_to(item.span().start, &self.places))
            .flatten();
        let message = if is_here {
            item.message().to_owned()
        } else {
            let (line, column) = item.line_column();
            format!(
                "{}:{line}:{column}: {}",
                item.source().name(),
                item.message()
            )
        };
        let help = match item.help() {
            // The place is in a text that nobody sees.
            Some(help) if is_here && help.starts_with(FIRST_AT) => {
                help.split_once("; ").map(|(_, why)| why)
            }
            help => help,
        };
        let help = help.map(str::to_owned);
        TreeProblem::new(item.severity(), node, message, help)
    }
}

pub(super) fn write_named(name: &str, node: &Node, out: &mut String) {
    write_tree(name, node, &mut Vec::new(), out);
}

fn write_tree(name: &str, node: &Node, places: &mut Vec<Place>, out: &mut String) {
    out.push_str("tree ");
    word(name, out);
    out.push_str(" {\n");
    write(node, places, out);
    out.push_str("}\n");
}

/// The labels from the root down to the node that contains a place in the text.
fn path_to(at: usize, places: &[Place]) -> Option<String> {
    // Nodes begin in the order of the text, so the last one that contains the place is the innermost.
    let holds = |place: &Place| place.span.start <= at && at < place.span.end;
    let innermost = places.iter().rposition(holds)?;
    let above = |place: &usize| places[*place].above;
    let mut labels: Vec<&str> = std::iter::successors(Some(innermost), above)
        .map(|place| places[place].label.as_str())
        .collect();
    labels.reverse();
    Some(labels.join(" > "))
}
