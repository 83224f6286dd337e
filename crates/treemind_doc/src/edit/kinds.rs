//! Turning a node into one of another kind.

use super::change::{Change, Splice};
use super::error::EditError;
use super::leaves::is_leaf;
use super::machines::is_true;
use super::place::{At, LocatedNode};
use super::snippet::nodes_of;
use super::wrap::{is_child, is_task};
use super::{Editor, called};
use crate::language::{self, Children, Shape, Spot, Word};
use crate::symbols::SymbolKind;
use crate::syntax::{Entry, Node};
use crate::{Said, said};
use std::mem::discriminant;
use std::ops::Range;

impl Editor {
    /// Turns a node into one of another kind: `head` is its new first word, with values and properties if it needs some,
    /// such as `reactive-sequence` or `repeat 3`. Its children and comments stay, and so do its values and properties,
    /// as far as the new kind has them. [`Change::notes`] lists what is dropped.
    ///
    /// A leaf in `leaves` gets another kind together with all nodes that run it.
    ///
    /// # Errors
    /// When the node is not a task, when the new kind does not take its children or what else is in its block, and when it
    /// needs a value that is not given.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "tree t { sequence name=fight yields=auto { run; run; }; }";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let change = editor.change_kind(text.find("sequence").unwrap(), "reactive-selector")?;
    /// assert_eq!(change.apply_to(0, text)?, "tree t { reactive-selector name=fight { run; run; }; }");
    /// assert_eq!(change.notes(), ["`reactive-selector` has no `yields=auto`, which is dropped"]);
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn change_kind(&self, at: impl Into<At>, head: &str) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        if is_leaf(&found) {
            return self.change_leaf_kind(&found, head.trim());
        }
        let named = one_line(head.trim())?;
        let leaf = named.first_text().or_else(|| found.node().first_text());
        let change = self.change_kind_of_task(&found, head.trim())?;
        let why = leaf.and_then(|leaf| self.why_other_leaf(&named.name.value, &leaf.value));
        match why {
            Some(why) => Err(EditError::new(why).at(found.file, found.node().span.start)),
            None => Ok(change),
        }
    }

    /// The same for a task, whatever kind the leaf has that it runs.
    pub(super) fn change_kind_of_task(
        &self,
        found: &LocatedNode<'_>,
        head: &str,
    ) -> Result<Change, EditError> {
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        let given = one_line(head)?;
        let word = given.name.value.as_str();
        let Some(row) = language::node_word(word) else {
            return refuse(said!("unknown node `{}`", called(word)));
        };
        if !is_task(found) {
            return refuse(said!(
                "`{}` is not a task, so it cannot become one",
                called(found.word())
            ));
        }
        let room = self.room(&found.among(found.index, false), Some(node));
        let why = room.why_not(word, is_true(node, "disabled"));
        if let Some(why) = why.filter(|_| word != found.word()) {
            return refuse(why);
        }
        holds_the_same(found, row)?;
        let (kept, dropped) = self.sorted_entries(found, row, &given);
        let has_value = |entries: &[&Entry]| entries.iter().any(|entry| entry.name.is_none());
        let is_given = given.entries.iter().any(|entry| entry.name.is_none());
        let needs = row.value.is_some_and(|value| value.default().is_none());
        if needs && !is_given && !has_value(&kept) {
            return refuse(said!("`{}` needs a value, as in `{}`", word, example(word)));
        }
        let mut splices = vec![self.splice(found.file, node.name.span.clone(), head.to_owned())?];
        let (gone, mut notes) = self.without_entries(found, word, &dropped, &given.entries)?;
        splices.extend(gone);
        let (more, lost) = self.without_lost(found, word)?;
        splices.extend(more);
        notes.extend(lost);
        let label = said!("change {} to {}", called(found.word()), called(word));
        Ok(Change::new(label, splices)?.noting(notes))
    }

    /// Why a word cannot run the leaf with a name: the leaf is of another kind.
    fn why_other_leaf(&self, word: &str, name: &str) -> Option<Said> {
        let words = leaf_words(word)?;
        let mut leaves = self.names().symbols.iter();
        let leaf = leaves.find(|one| one.kind == SymbolKind::Leaf && one.name == name)?;
        let (file, offset) = *leaf.declared.first()?;
        let declared = self.find(At { file, offset }).ok()?.word();
        (!words.contains(&declared)).then(|| {
            said!(
                "`{}` is declared as `{}`, so no `{}` can run it",
                called(name),
                called(declared),
                word
            )
        })
    }

    /// The values and properties of a node that one of another kind keeps, and those that it does not.
    fn sorted_entries<'e>(
        &self,
        found: &LocatedNode<'e>,
        row: &'static Word,
        given: &Node,
    ) -> (Vec<&'e Entry>, Vec<&'e Entry>) {
        let old = language::node_word(found.word());
        let shape =
            |row: Option<&'static Word>| row.and_then(|row| row.value).map(|value| value.shape());
        let alike = match (shape(old), shape(Some(row))) {
            (Some(old), Some(new)) => means_alike(old, new),
            // It is not known what an unknown word takes.
            (None, new) => old.is_none() && new.is_some(),
            (Some(_), None) => false,
        };
        let stays = |entry: &&Entry| {
            if given.entries.iter().any(|new| same_name(new, entry)) {
                return false;
            }
            match &entry.name {
                None => alike,
                Some(name) => {
                    let is_own = old.is_none_or(|old| old.shape(&name.value).is_some());
                    let is_param = !is_own && row.holds().contains(&Spot::Given);
                    row.shape(&name.value).is_some() || is_param
                }
            }
        };
        found.node().entries.iter().partition(stays)
    }

    /// Takes away what the children of a node say of their place that means nothing below another parent, and says so.
    pub(super) fn without_lost(
        &self,
        found: &LocatedNode<'_>,
        parent: &str,
    ) -> Result<(Vec<Splice>, Vec<Said>), EditError> {
        let text = self.file(found.file)?.text();
        let (mut splices, mut notes) = (Vec::new(), Vec::new());
        for (child, what) in lost_below(found.node(), parent) {
            let written = match what {
                Below::Property(entry) => {
                    splices.push(self.taken_out(found.file, entry)?);
                    &text[entry.span.clone()]
                }
                Below::Score(offset) => {
                    splices.push(self.taken_away(&self.find((found.file, offset).into())?)?);
                    "score"
                }
            };
            notes.push(said!(
                "`{}` of `{}` means nothing below `{}`, and is dropped",
                written,
                called(&child.name.value),
                called(parent)
            ));
        }
        Ok((splices, notes))
    }

    /// Takes away values and properties that a word does not have, which takes the place of that of a node, and says so of
    /// those that nothing replaces.
    pub(super) fn without_entries(
        &self,
        found: &LocatedNode<'_>,
        word: &str,
        dropped: &[&Entry],
        replacing: &[Entry],
    ) -> Result<(Vec<Splice>, Vec<Said>), EditError> {
        let text = self.file(found.file)?.text();
        let (mut splices, mut notes) = (Vec::new(), Vec::new());
        for entry in dropped {
            let mut range: Range<usize> = self.entry_with_blank(found.file, entry)?;
            // The blank before the first entry is beside the word, which is replaced as a whole.
            range.start = range.start.max(found.node().name.span.end);
            splices.push(self.splice(found.file, range, String::new())?);
            if !replacing.iter().any(|new| same_name(new, entry)) {
                let written = &text[entry.span.clone()];
                notes.push(said!("`{}` has no `{}`, which is dropped", word, written));
            }
        }
        Ok((splices, notes))
    }
}

/// What a child says of its place among its siblings, and only below some parents.
enum Below<'n> {
    Property(&'n Entry),
    /// The bytes at which a `score` in its block begins.
    Score(usize),
}

/// What the children of a node say of their place that means nothing below another parent.
fn lost_below<'n>(node: &'n Node, parent: &str) -> Vec<(&'n Node, Below<'n>)> {
    // Below a parent that is not known, it is not known what means something.
    if language::node_word(parent).is_none() {
        return Vec::new();
    }
    let names = |parent: &str| {
        let all = ["aborts", "weight", "score"].into_iter();
        let read = all.filter(|name| language::is_read_below(parent, name));
        read.collect::<Vec<_>>()
    };
    let [before, then] = [names(&node.name.value), names(parent)];
    let is_lost = |name: &str| before.contains(&name) && !then.contains(&name);
    let mut lost = Vec::new();
    for child in node.children().iter().filter(|child| is_child(child)) {
        for entry in &child.entries {
            let name = entry.name.as_ref().map(|name| name.value.as_str());
            if name.is_some_and(is_lost) {
                lost.push((child, Below::Property(entry)));
            }
        }
        let scores = child.children().iter();
        for score in scores.filter(|one| one.name.value == "score" && is_lost("score")) {
            lost.push((child, Below::Score(score.span.start)));
        }
    }
    lost
}

fn one_line(head: &str) -> Result<Node, EditError> {
    let mut nodes = nodes_of(head)?;
    let node = nodes.swap_remove(0);
    if !nodes.is_empty() || node.block.is_some() || node.span != (0..head.len()) {
        return Err(EditError::new(said!(
            "expected the line of one node, such as `reactive-sequence` or `repeat 3`"
        )));
    }
    Ok(node)
}

fn same_name(one: &Entry, other: &Entry) -> bool {
    let name = |entry: &Entry| entry.name.as_ref().map(|name| name.value.clone());
    name(one) == name(other)
}

/// Whether two values mean the same sort of thing.
fn means_alike(old: Shape, new: Shape) -> bool {
    match (old, new) {
        (Shape::Expr(old), Shape::Expr(new)) => old == new,
        (Shape::Names(old), Shape::Names(new))
        | (Shape::AllNames(old), Shape::AllNames(new))
        | (Shape::Declares(old), Shape::Declares(new)) => old == new,
        _ => discriminant(&old) == discriminant(&new),
    }
}

/// A node of a tree that needs a value, with one.
fn example(word: &str) -> String {
    match word {
        "check" => "check \"health < 20\"".to_owned(),
        "set" => "set \"count += 1\"".to_owned(),
        "log" => "log \"here\"".to_owned(),
        "repeat" | "retry" | "wait" | "cooldown" | "timeout" | "delay" => format!("{word} 3"),
        "chance" => "chance 0.5".to_owned(),
        _ => format!("{word} NAME"),
    }
}

/// Refuses a kind that does not take what is in the block of a node.
fn holds_the_same(found: &LocatedNode<'_>, row: &'static Word) -> Result<(), EditError> {
    let word = row.name;
    let node = found.node();
    let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
    let old = language::node_word(found.word());
    let cases = |row: &Word| row.children() == Children::Cases;
    if (cases(row) || old.is_some_and(cases)) && found.word() != word {
        let has_cases = match old.is_some_and(cases) {
            true => found.word(),
            false => word,
        };
        return refuse(match has_cases {
            "rules" => said!(
                "`rules` holds rules, so `{}` cannot become `{}`",
                called(found.word()),
                word
            ),
            _ => said!(
                "the children of `switch` have cases, so `{}` cannot become `{}`",
                called(found.word()),
                word
            ),
        });
    }
    // What a `find` looks for is no task, though it may have the word of what describes one.
    let finds = |row: &Word| row.holds().contains(&Spot::Found);
    let is_sought = |name: &str| old.is_some_and(finds) && Spot::Found.has(name);
    for child in node.children() {
        let name = child.name.value.as_str();
        let fits = match is_child(child) {
            _ if is_sought(name) => finds(row),
            true => row.children() != Children::None,
            false => row.holds().iter().any(|spot| spot.has(name)),
        };
        if !fits {
            return Err(EditError::new(match is_child(child) && !is_sought(name) {
                true => said!("`{}` takes no children", word),
                false => said!("`{}` has no `{}` in its block", word, called(name)),
            })
            .at(found.file, child.span.start));
        }
    }
    let count = node
        .children()
        .iter()
        .filter(|child| is_child(child))
        .count();
    let least = least_children(row);
    // One that has too few already is no worse for it.
    if count < least && old.is_none_or(|old| least_children(old) <= count) {
        return refuse(match least {
            1 => said!("`{}` needs a child", word),
            _ => said!(
                "`{}` needs at least {} children, and this one has {}",
                word,
                least,
                count
            ),
        });
    }
    match most_children(row) {
        Some(1) if count > 1 => refuse(said!(
            "`{}` takes only one child, and there are {}",
            word,
            count
        )),
        Some(most) if count > most => refuse(said!(
            "`{}` takes at most {} children, and there are {}",
            word,
            most,
            count
        )),
        _ => Ok(()),
    }
}

/// The words in `leaves` for what a node of this word runs; nothing if it runs no leaf.
pub(super) fn leaf_words(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "action" => &["action"],
        "condition" | "test-condition" => &["condition"],
        "service" => &["service"],
        "node" => &["composite", "decorator"],
        _ => return None,
    })
}

/// How many children a node needs.
fn least_children(row: &Word) -> usize {
    match row.children() {
        Children::None | Children::Cases => 0,
        Children::One | Children::Many => 1,
        Children::Two | Children::TwoOrThree | Children::TwoOrMore => 2,
    }
}

/// How many children a node takes at most, if there is a limit.
pub(super) fn most_children(row: &Word) -> Option<usize> {
    match row.children() {
        Children::None => Some(0),
        Children::One => Some(1),
        Children::Two => Some(2),
        Children::TwoOrThree => Some(3),
        Children::Many | Children::TwoOrMore | Children::Cases => None,
    }
}
