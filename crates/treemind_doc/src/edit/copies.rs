//! Copies of nodes, and their order.

use super::change::Change;
use super::error::EditError;
use super::kinds::most_children;
use super::layout::replace_in;
use super::machines::{holds_states, is_state, is_state_word, is_true};
use super::meanings::declared_at;
use super::place::{At, LocatedNode, Spot};
use super::snippet::Snippet;
use super::structure::is_only_root;
use super::wrap::{is_child, is_task};
use super::{Editor, called};
use crate::language;
use crate::symbols::{Home, Names, SymbolKind};
use crate::syntax::gaps::indent;
use crate::syntax::{Entry, Node, Value, write};
use crate::{Said, said};
use std::ops::Range;

/// Words that occur once in their block.
const ONCE: [&str; 7] = ["main", "initial", "do", "when", "yes", "no", "default"];

/// Blocks of declarations, whose names nothing else in the document may have.
const SINGLE_NAMES: [&str; 2] = ["blackboard", "leaves"];

impl Editor {
    /// Puts a copy of a node, with its comments, directly after it. Where the name of the node must be its own, the copy
    /// gets a fresh one: `fight-2`. That is its `name=`, or the name that it defines. Its number in tables it does not get.
    ///
    /// # Errors
    /// When the place takes only one such node, and when something that names a node inside could mean the copy.
    pub fn duplicate(&self, at: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let word = called(found.word());
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if is_only_root(&found) {
            return refuse(said!(
                "a tree has only one root; wrap it in a `sequence` first"
            ));
        }
        if ONCE.contains(&found.word()) {
            return refuse(said!("there can be only one `{}` here", word));
        }
        if SINGLE_NAMES.contains(&found.word())
            && found.parent().is_none()
            && !node.children().is_empty()
        {
            return refuse(said!(
                "a copy of this `{}` would declare the same names again: copy single lines of it instead",
                word
            ));
        }
        if is_task(&found)
            && let Some(parent) = found.parent()
            && let Some(row) = language::node_word(found.parent_word())
            && most_children(row)
                <= Some(parent.children().iter().filter(|one| is_child(one)).count())
            && most_children(row).is_some()
        {
            return refuse(said!(
                "`{}` takes no further child",
                called(found.parent_word())
            ));
        }
        if is_task(&found) {
            let room = self.room(&found.among(found.index + 1, true), None);
            if let Some(why) = room.why_not(found.word(), is_true(node, "disabled")) {
                return refuse(why);
            }
        }
        let file = self.file(found.file)?;
        let slot = file.slot_of(&found);
        let mut copy = slot.text(file.text());
        replace_in(&mut copy, slot.lead, self.fresh_names(&found));
        let snippet = Snippet::taken(&copy, indent(file.text(), slot.start));
        let among = found.among(found.index + 1, true);
        let splice = match file.found_apart(&found) {
            true => self.put_apart(&among, &snippet)?,
            false => self.put(&among, &snippet)?,
        };
        let change = Change::new(said!("duplicate {}", word), vec![splice])?;
        self.keeps_meanings(&change)?;
        Ok(change)
    }

    /// The names of a node that a copy cannot have, each with the text that replaces it.
    fn fresh_names(&self, found: &LocatedNode<'_>) -> Vec<(Range<usize>, String)> {
        let mut fresh = Vec::new();
        let node = found.node();
        let mut replace = |entry: &Entry, taken: &dyn Fn(&str) -> bool, separator: &str| {
            let Value::Text(text) = &entry.value else {
                return;
            };
            let mut written = String::new();
            let name = free_name(&text.value, separator, taken);
            match text.bare {
                true => write::word(&name, &mut written),
                false => write::quoted(&name, &mut written),
            }
            fresh.push((entry.value_span.clone(), written));
        };
        if is_task(found) {
            if let Some(entry) = node.entry("name") {
                let has_it = |name: &str| {
                    let mut names = found
                        .siblings
                        .iter()
                        .filter_map(|one| one.property_text("name"));
                    names.any(|other| other.value == name)
                };
                replace(entry, &has_it, "-");
            }
            return fresh;
        }
        let first = node.entries.iter().find(|entry| entry.name.is_none());
        // Their names differ from those beside them.
        if let Some(entry) = first
            && ["rule", "test"].contains(&found.word())
        {
            let peers = found.siblings.iter();
            let has_it = |name: &str| {
                peers.clone().any(|one| {
                    one.name.value == node.name.value
                        && one.first_text().is_some_and(|text| text.value == name)
                })
            };
            replace(entry, &has_it, "-");
            return fresh;
        }
        let names = self.names();
        let declared = first.and_then(|entry| {
            let place = (found.file, entry.value_span.start);
            declared_at(names, place).map(|id| (entry, id))
        });
        if let Some((entry, id)) = declared {
            let (kind, home) = (names.symbols[id].kind, names.symbols[id].home);
            let has_it = |name: &str| match is_state(found) {
                true => {
                    let mut states = found.siblings.iter().filter(|one| is_state_word(one));
                    states.any(|one| one.first_text().is_some_and(|text| text.value == name))
                }
                false => is_taken(names, kind, home, name),
            };
            replace(entry, &has_it, separator(kind));
            // In tables, a number means only one leaf or archetype.
            if let Some(number) = node.entry("number")
                && !matches!(kind, SymbolKind::Key | SymbolKind::Port)
            {
                let before = self.files[found.file].text()[..number.span.start].trim_end();
                fresh.push((before.len()..number.span.end, String::new()));
            }
        }
        fresh
    }

    /// Moves a node among its peers: by so many places down, or up if the number is negative. The peers of a transition
    /// are the other transitions of its state, those of an answer the other answers of its question, and those of a task
    /// the tasks beside it.
    ///
    /// # Errors
    /// When there are fewer peers on that side, and when the order of two transitions has no effect because they differ
    /// in `priority=`.
    pub fn reorder(&self, at: impl Into<At>, by: isize) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let word = called(found.word());
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        let group = group_of(&found, node);
        let is_peer = |index: &usize| group_of(&found, &found.siblings[*index]) == group;
        let peers: Vec<usize> = (0..found.siblings.len()).filter(is_peer).collect();
        let own = peers
            .iter()
            .position(|peer| *peer == found.index)
            .unwrap_or(0);
        let Some(target) = own
            .checked_add_signed(by)
            .filter(|target| *target < peers.len())
        else {
            return refuse(match group {
                _ if peers.len() > 1 && by == -1 => {
                    said!("this `{}` is already the first of its kind here", word)
                }
                _ if peers.len() > 1 && by == 1 => {
                    said!("this `{}` is already the last of its kind here", word)
                }
                None if peers.len() == 1 => {
                    said!(
                        "nothing stands beside this `{}` to change places with",
                        word
                    )
                }
                Some(_) if peers.len() == 1 => {
                    said!("there is no other `{}` to change places with", word)
                }
                _ if by < 0 => said!(
                    "there are not so many nodes of its kind before this `{}`",
                    word
                ),
                _ => said!(
                    "there are not so many nodes of its kind after this `{}`",
                    word
                ),
            });
        };
        let passed = &peers[own.min(target)..=own.max(target)];
        let priority = |index: &usize| {
            let entry = found.siblings[*index].entry("priority");
            match entry.map(|entry| &entry.value) {
                Some(Value::Int(number)) => *number,
                _ => 0,
            }
        };
        if group == Some(Group::Transition)
            && let Some(other) = passed
                .iter()
                .find(|one| priority(one) != priority(&found.index))
        {
            return Err(EditError::new(said!("these transitions differ in `priority=`, so their order has no effect; change the priority"))
            .at(found.file, found.siblings[*other].span.start));
        }
        let place = At {
            file: found.file,
            offset: found.siblings[peers[target]].span.start,
        };
        let spot = match by {
            ..0 => Spot::Before(place),
            _ => Spot::After(place),
        };
        let own = At {
            file: found.file,
            offset: node.span.start,
        };
        self.move_node(own, spot)
    }
}

fn is_taken(names: &Names, kind: SymbolKind, home: Home, name: &str) -> bool {
    let kinds: &[SymbolKind] = match kind {
        SymbolKind::Key | SymbolKind::Port => &[SymbolKind::Key, SymbolKind::Port],
        _ => &[kind],
    };
    let mut kinds = kinds.iter();
    kinds.any(|kind| names.symbols.find(*kind, home, name).is_some())
}

/// What goes between a name and a number.
fn separator(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Key | SymbolKind::Port | SymbolKind::Item | SymbolKind::Param => "_",
        _ => "-",
    }
}

/// A name like another one that is not taken: with the next number at its end.
pub(super) fn free_name(name: &str, separator: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let stem = match name.rsplit_once(separator) {
        Some((stem, number)) if !stem.is_empty() && number.parse::<u32>().is_ok() => stem,
        _ => name,
    };
    let mut numbered = (2u32..).map(|number| format!("{stem}{separator}{number}"));
    numbered.find(|name| !taken(name)).unwrap_or_default()
}

/// Nodes that change places with one another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Transition,
    State,
    Answer,
    Default,
    Branch,
    Item,
    Param,
}

/// The group of a node beside another one; none for a task, or a line of a decision tree.
fn group_of(beside: &LocatedNode<'_>, node: &Node) -> Option<Group> {
    Some(match node.name.value.as_str() {
        "transition" => Group::Transition,
        // Among tasks, a `parallel` is one of them.
        "state" | "parallel" if holds_states(&beside.path[..beside.path.len() - 1]) => Group::State,
        "yes" | "no" | "case" | "option" => Group::Answer,
        // It comes after all cases.
        "default" => Group::Default,
        "branch" => Group::Branch,
        "key" | "in" | "out" | "inout" => Group::Item,
        "param" | "score" => Group::Param,
        _ => return None,
    })
}
