//! Parts of decision trees that several answers lead to.

use super::change::Change;
use super::error::EditError;
use super::machines::is_true;
use super::place::{Among, At, LocatedNode};
use super::rename::may_name;
use super::snippet::Snippet;
use super::{Editor, called};
use crate::language::{self, Spot};
use crate::symbols::SymbolKind;
use crate::syntax::gaps::indent;
use crate::syntax::{Node, is_newline, write};
use crate::{Said, said};

/// Words that are an answer of a question, with what follows from it.
const ANSWERS: [&str; 5] = ["yes", "no", "case", "default", "option"];

/// Words of questions with two answers.
const TWO_SIDED: [&str; 3] = ["test", "range", "test-condition"];

impl Editor {
    /// Turns a line of a decision tree, with the lines that follow it in its list, into a branch: other answers can then
    /// lead there, too. `goto NAME` takes the place of the lines, and `branch NAME { … }` is written at the end of the
    /// decision tree. The decision tree decides as before.
    ///
    /// # Errors
    /// When the node is not a line of a decision tree, when it is the whole decision tree, and when a branch has that name.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "decide d {\n    test \"true\" {\n        yes {\n            run\n        }\n        no {\n            fail\n        }\n    }\n}\n";
    /// let mut editor = Editor::new(Document::parse(text, "d.kdl"))?;
    /// editor.apply(&editor.share(text.find("fail").unwrap(), "give-up")?)?;
    /// editor.apply(&editor.remove(text.find("run").unwrap())?)?;
    /// editor.apply(&editor.lead_to(text.find("yes").unwrap(), None, "give-up")?)?;
    /// assert!(editor.text(0).contains("yes {\n            goto give-up\n        }\n        no {\n            goto give-up\n"));
    /// assert!(editor.text(0).ends_with("    branch give-up {\n        fail\n    }\n}\n"));
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn share(&self, at: impl Into<At>, name: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if !is_line(&found) {
            return refuse(said!(
                "`{}` is not a line of a decision tree, and only these become branches",
                called(found.word())
            ));
        }
        may_name(SymbolKind::Branch, name)?;
        let definition = found.definition();
        if let Some(other) = branch_of(definition, name) {
            return Err(
                EditError::new(said!("another branch is named `{}`", called(name)))
                    .at(found.file, other.span.start),
            );
        }
        let is_own = |node: &Node| !language::is_item(&node.name.value);
        let lines = |node: &Node| is_own(node) && node.name.value != "branch";
        let last = found
            .siblings
            .iter()
            .rposition(lines)
            .unwrap_or(found.index);
        let between = &found.siblings[found.index..=last];
        if let Some(other) = between.iter().find(|node| !lines(node)) {
            return Err(EditError::new(said!(
                "a `{}` is between the lines that would become a branch",
                called(&other.name.value)
            ))
            .at(found.file, other.span.start));
        }
        let file = self.file(found.file)?;
        let text = file.text();
        let first_slot = file.slot_of(&found);
        let last_slot = file.slot(found.parent(), found.siblings, last);
        let (own, semicolon) = last_slot.own(text);
        let range = first_slot.lead..own.end;
        let mut body = text[range.clone()].to_owned();
        if let Some(semicolon) = semicolon {
            body.remove(semicolon - range.start);
        }
        let is_short = !body.trim().contains(is_newline);
        let body = Snippet::taken(&body, indent(text, first_slot.start));
        let mut word = String::new();
        write::word(name, &mut word);
        let unit = file.unit();
        let mut beside = definition.children().iter();
        let is_beside = beside
            .rfind(|node| node.name.value == "branch")
            .is_some_and(|last| is_on_one_line(text, last));
        let branch = match body.on_one_line().filter(|_| is_beside && is_short) {
            Some(body) => format!("branch {word} {{ {body}; }}"),
            None => format!("branch {word} {{\n{unit}{}\n}}", body.indented(&unit, "\n")),
        };
        let here = self.splice(found.file, range, format!("goto {word}"))?;
        let among = Among {
            file: found.file,
            path: vec![definition],
            siblings: definition.children(),
            index: definition.children().len(),
            is_behind: true,
        };
        let there = self.put(&among, &Snippet::taken(&branch, ""))?;
        let change = Change::new(said!("share {}", called(name)), vec![here, there])?;
        self.stays_well(&change, said!("it cannot become a branch"))?;
        Ok(change)
    }

    /// Lets an answer of a question lead to a branch. The answer is the node at `at`: `yes`, `no`, `case`, `default` or
    /// `option`. With `side`, `at` is a `test`, `range` or `test-condition`, and its `yes` or `no` is meant, which is
    /// written if there is none.
    ///
    /// # Errors
    /// When there is no such answer or branch, when the branch leads back there, and when the answer already leads to
    /// something else, which would be lost; a `goto` or `none` is replaced.
    pub fn lead_to(
        &self,
        at: impl Into<At>,
        side: Option<&str>,
        branch: &str,
    ) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, found.node().span.start));
        if found.path.len() < 2 || found.definition().name.value != "decide" {
            return refuse(said!("this is not in a decision tree"));
        }
        if branch_of(found.definition(), branch).is_none() {
            return refuse(said!(
                "this decision tree has no branch `{}`",
                called(branch)
            ));
        }
        let mut goal = "goto ".to_owned();
        write::word(branch, &mut goal);
        let label = said!("lead to {}", called(branch));
        let change = match side {
            None if ANSWERS.contains(&found.word()) => self.answered(&found, &goal, label),
            None => refuse(said!("`{}` is not an answer", called(found.word()))),
            Some(side) => self.side_answered(&found, side, &goal, label),
        }?;
        self.stays_well(&change, said!("it cannot lead there"))?;
        Ok(change)
    }

    /// An answer with a new goal.
    fn answered(
        &self,
        found: &LocatedNode<'_>,
        goal: &str,
        label: Said,
    ) -> Result<Change, EditError> {
        let node = found.node();
        let splice = match node.children() {
            [] => self.put_in(found, 0, goal)?,
            [only] if ["goto", "none"].contains(&only.name.value.as_str()) => {
                self.splice(found.file, only.extent(), goal.to_owned())?
            }
            [first, ..] => {
                return Err(EditError::new(said!("this `{}` leads to something else, which would be lost; share or remove it first", called(found.word())))
                .at(found.file, first.span.start));
            }
        };
        Change::new(label, vec![splice])
    }

    /// One side of a test with a new goal.
    fn side_answered(
        &self,
        found: &LocatedNode<'_>,
        side: &str,
        goal: &str,
        label: Said,
    ) -> Result<Change, EditError> {
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if !TWO_SIDED.contains(&found.word()) || !["yes", "no"].contains(&side) {
            return refuse(said!(
                "`{}` has no answer `{}`",
                called(found.word()),
                called(side)
            ));
        }
        let children = node.children();
        if let Some(index) = children.iter().position(|child| child.name.value == side) {
            let mut path = found.path.clone();
            path.push(&children[index]);
            let answer = LocatedNode {
                file: found.file,
                path,
                siblings: children,
                index,
            };
            return self.answered(&answer, goal, label);
        }
        let file = self.file(found.file)?;
        let is_side = |child: &&Node| ["yes", "no"].contains(&child.name.value.as_str());
        let other = children.iter().rfind(is_side);
        let new = match other.is_some_and(|other| is_on_one_line(file.text(), other)) {
            true => format!("{side} {{ {goal}; }}"),
            false => format!("{side} {{\n{}{goal}\n}}", file.unit()),
        };
        let lines = |child: &Node| Spot::Given.word(&child.name.value).is_none();
        let first = children.iter().position(lines);
        let Some(first) = first.filter(|_| other.is_none()) else {
            let behind = children.len();
            return Change::new(label, vec![self.put_in(found, behind, &new)?]);
        };
        if side == "yes" {
            return refuse(said!(
                "this `{}` leads to something else, which would be lost; share or remove it first",
                called(found.word())
            ));
        }
        // What is in the block is the yes side. If that always leads somewhere, what follows the question is its no side.
        let always = |node: &Node| {
            let word = node.name.value.as_str();
            ["goto", "none"].contains(&word) || !Spot::Decision.has(word)
        };
        let mut behind = found.siblings[found.index + 1..].iter();
        if children.last().is_some_and(always) && !behind.any(is_list_line) {
            let among = found.among(found.index + 1, false);
            let goal = self.put(&among, &Snippet::given(goal, &file.unit())?)?;
            return Change::new(label, vec![goal]);
        }
        let of = |index: usize| {
            let mut path = found.path.clone();
            path.push(&children[index]);
            LocatedNode {
                file: found.file,
                path,
                siblings: children,
                index,
            }
        };
        let last = children.len() - 1;
        let yes = self.wrapped(&of(first), &of(last), "yes".to_owned(), (&[], None))?;
        let no = self.put_in(found, children.len(), &new)?;
        Change::new(label, vec![yes, no])
    }
}

/// Whether a node is a line of a decision tree: a question, a task, or where it leads.
fn is_line(found: &LocatedNode<'_>) -> bool {
    let [decide, between @ .., _] = &found.path[..] else {
        return false;
    };
    let list = |node: &&Node| language::is_decision_list(&node.name.value);
    let word = found.word();
    let is_other = ANSWERS.contains(&word) || word == "branch" || language::is_item(word);
    let is_given = Spot::Given.has(word) && found.parent_word() == "test-condition";
    let holds_answers = ["switch", "random", "best"].contains(&found.parent_word());
    decide.name.value == "decide"
        && between.iter().all(list)
        && !is_other
        && !is_given
        && !holds_answers
        && !is_true(found.node(), "disabled")
}

/// Whether a node in a list of a decision tree is one of its lines, and nothing that is defined there.
fn is_list_line(node: &Node) -> bool {
    let word = node.name.value.as_str();
    word != "branch" && !language::is_item(word) && !is_true(node, "disabled")
}

/// Whether a node is written on one line, with its block.
fn is_on_one_line(text: &str, node: &Node) -> bool {
    !text[node.extent()].contains(is_newline)
}

/// The branch of a decision tree with a name.
fn branch_of<'e>(decide: &'e Node, name: &str) -> Option<&'e Node> {
    let mut branches = decide.children().iter();
    branches.find(|child| {
        let is_branch = child.name.value == "branch";
        is_branch && child.first_text().is_some_and(|text| text.value == name)
    })
}
