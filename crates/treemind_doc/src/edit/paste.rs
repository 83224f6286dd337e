//! Text that comes from elsewhere: each node goes where its kind may stand.

use super::change::{Change, Splice};
use super::copies::free_name;
use super::error::EditError;
use super::machines::is_state_word;
use super::outline::{inner_spots, spot_of};
use super::place::{Among, Spot};
use super::room::{Room, elsewhere};
use super::snippet::{Snippet, nodes_of};
use super::{Editor, called, titled};
use crate::language::{AnyProperty, Shape, Spot as Place};
use crate::symbols::{Home, SymbolKind};
use crate::syntax::{Node, write};
use crate::{Said, said};
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::Scope;

/// How long a pasted text may be, in bytes: it is judged node by node.
const LONGEST: usize = 256 << 10;

/// How many nodes of one word are counted where it is judged whether another one fits. No word has a limit beyond that.
const COUNTED: usize = 8;

/// Where a pasted node goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// To the place that was asked for.
    Here,
    /// To the blackboard of the document.
    Blackboard,
    /// Behind the definition around the place.
    Top,
}

impl Editor {
    /// Inserts nodes that were copied elsewhere. What may stand at the place goes there, as
    /// [`may_insert`](Self::may_insert) judges. A key that may not goes to the blackboard, and a definition behind the one
    /// around the place. A definition or state whose name is taken gets a fresh one, which [`Change::notes`] tells.
    ///
    /// # Errors
    /// When the text is longer than 256 KiB or not nodes of the language, when one of them may stand nowhere, with the reason, and when there is no
    /// such place. Then nothing of the text is inserted.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, Spot};
    ///
    /// let text = "tree guard {\n    sequence {\n        run\n    }\n}\n";
    /// let editor = Editor::new(Document::parse(text, "guard.kdl"))?;
    /// let spot = Spot::After(text.find("run").unwrap().into());
    /// let change = editor.paste(spot, "tree other { run; }")?;
    /// assert_eq!(change.apply_to(0, text)?, format!("{text}\ntree other {{ run; }}\n"));
    /// assert!(editor.paste(spot, "Please look at the guard").is_err());
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn paste(&self, spot: Spot, text: &str) -> Result<Change, EditError> {
        if text.len() > LONGEST {
            return Err(EditError::new(said!(
                "this is too much to insert: {} KiB, and {} are allowed; more can be put into the text",
                text.len().div_ceil(1024),
                LONGEST / 1024
            )));
        }
        let nodes = nodes_of(text)?;
        let among = self.among(spot)?;
        let goals = self.goals(&among, &nodes)?;
        let what = nodes.first().map(titled).unwrap_or_default();
        let label = said!("insert {}", what);
        let mut notes = Vec::new();
        let text = self.freshly_named(&among, (&nodes, &goals), text, &mut notes);
        let of = |goal: Goal| part(&text, &goals, goal);
        let mut splices = Vec::new();
        if let Some(text) = of(Goal::Here) {
            splices.push(self.landed(&among, &text)?);
        }
        if let Some(text) = of(Goal::Blackboard) {
            splices.push(self.to_blackboard(among.file, &text)?);
        }
        if let Some(text) = of(Goal::Top) {
            splices.push(self.landed(&self.behind_definition(&among)?, &text)?);
        }
        Ok(Change::new(label, splices)?.noting(notes))
    }

    /// Where each node goes.
    fn goals(&self, among: &Among<'_>, nodes: &[Node]) -> Result<Vec<Goal>, EditError> {
        let behind = self.behind_definition(among)?;
        let [mut here, mut top] = [self.room(among, None), self.room(&behind, None)];
        let mut goals = Vec::with_capacity(nodes.len());
        // Each node is judged by those before it, so they are kept few.
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut keys = HashSet::new();
        for node in nodes {
            let fits = self.may_stand_whole(&here, node, among.file);
            let goal = match fits {
                Ok(()) => Goal::Here,
                Err(_) if node.name.value == "key" => {
                    let board = &[Place::Key];
                    why_not_deep(board, "blackboard", node)
                        .map_or(Ok(Goal::Blackboard), |why| Err(EditError::new(why)))?
                }
                // Of a word that is also a task, the block says what is meant.
                Err(why) if Place::Top.has(&node.name.value) && !among.path.is_empty() => {
                    let is_meant = spot_of(here.spots, &node.name.value).is_none()
                        || why_not_deep(here.spots, here.parent_word(), node).is_some();
                    if !is_meant {
                        return Err(why);
                    }
                    self.may_stand_whole(&top, node, among.file)?;
                    Goal::Top
                }
                Err(why) => return Err(why),
            };
            let is_local = goal == Goal::Here && here.parent_word() != "blackboard";
            self.keys_are_new(node, is_local.then_some(&here), &mut keys)?;
            let count = counts.entry(&node.name.value).or_default();
            *count += 1;
            match goal {
                _ if *count > COUNTED => {}
                Goal::Here => here.beside.push(node),
                Goal::Blackboard => {}
                Goal::Top => top.beside.push(node),
            }
            goals.push(goal);
        }
        Ok(goals)
    }

    /// Refuses a node that may not stand at a place, or in which something may not stand.
    fn may_stand_whole(&self, room: &Room<'_>, node: &Node, file: usize) -> Result<(), EditError> {
        self.may_stand(room, node, file)?;
        match why_not_deep(room.spots, room.parent_word(), node) {
            Some(why) => Err(EditError::new(why)),
            None => Ok(()),
        }
    }

    /// The place behind the definition around another place.
    fn behind_definition<'e>(&'e self, among: &Among<'e>) -> Result<Among<'e>, EditError> {
        let Some(around) = among.path.first() else {
            return Ok(among.clone());
        };
        let siblings = &self.file(among.file)?.nodes[..];
        let before = siblings.partition_point(|node| node.span.start <= around.span.start);
        Ok(Among {
            file: among.file,
            path: Vec::new(),
            siblings,
            index: before,
            is_behind: true,
        })
    }

    /// Refuses keys that exist already: in the document, or, with a room, beside a place; and those that were pasted before.
    fn keys_are_new<'n>(
        &self,
        node: &'n Node,
        beside: Option<&Room<'_>>,
        pasted: &mut HashSet<(bool, &'n str)>,
    ) -> Result<(), EditError> {
        let keys: Vec<&Node> = match node.name.value.as_str() {
            "key" => vec![node],
            "blackboard" => node.children().iter().collect(),
            _ => return Ok(()),
        };
        let room = beside.filter(|_| node.name.value == "key");
        for name in keys.into_iter().filter_map(Node::first_text) {
            let name = name.value.as_str();
            let is_taken = match room {
                Some(room) => {
                    let others = room.beside.iter();
                    let mut others = others.filter(|other| other.name.value == "key");
                    others.any(|other| other.first_text().is_some_and(|own| own.value == name))
                }
                None => {
                    let mut kinds = [SymbolKind::Key, SymbolKind::Port].into_iter();
                    let symbols = &self.names().symbols;
                    kinds.any(|kind| symbols.find(kind, Home::Everywhere, name).is_some())
                }
            };
            if is_taken || !pasted.insert((room.is_some(), name)) {
                return Err(EditError::new(said!(
                    "another key is named `{}`",
                    called(name)
                )));
            }
        }
        Ok(())
    }

    /// The text in which definitions and states have names that are not taken.
    fn freshly_named(
        &self,
        among: &Among<'_>,
        (nodes, goals): (&[Node], &[Goal]),
        text: &str,
        notes: &mut Vec<Said>,
    ) -> String {
        let mut text = text.to_owned();
        let is_top = |goal: &Goal| *goal == Goal::Top || among.path.is_empty();
        for (node, goal) in nodes.iter().zip(goals).rev() {
            let is_state = is_state_word(node) && *goal == Goal::Here;
            let row = Place::Top.word(&node.name.value).filter(|_| is_top(goal));
            let value = row.and_then(|row| row.value).map(AnyProperty::shape);
            let is_named = matches!(value, Some(Shape::Declares(_)));
            let mut entries = node.entries.iter().filter(|entry| entry.name.is_none());
            let (Some(entry), Some(name)) = (entries.next(), node.first_text()) else {
                continue;
            };
            let others: Vec<&Node> = match is_state {
                true => among
                    .siblings
                    .iter()
                    .filter(|one| is_state_word(one))
                    .collect(),
                false if is_named => {
                    let all = self.files.iter().flat_map(|file| &file.nodes);
                    all.filter(|one| one.name.value == node.name.value)
                        .collect()
                }
                false => continue,
            };
            let has_it = |name: &str| {
                let mut others = others.iter();
                others.any(|one| one.first_text().is_some_and(|own| own.value == name))
            };
            if !has_it(&name.value) {
                continue;
            }
            let fresh = free_name(&name.value, "-", &has_it);
            let mut written = String::new();
            match name.bare {
                true => write::word(&fresh, &mut written),
                false => write::quoted(&fresh, &mut written),
            }
            text.replace_range(entry.value_span.clone(), &written);
            notes.push(said!(
                "`{}` is taken, so this one is called `{}`",
                called(&name.value),
                called(&fresh)
            ));
        }
        text
    }

    /// The bytes that change where text is put at a place; at the top of a file, and among nodes that stand apart, with an empty
    /// line before and behind it.
    fn landed(&self, among: &Among<'_>, text: &str) -> Result<Splice, EditError> {
        let file = self.file(among.file)?;
        let snippet = Snippet::given(text, &file.unit())?;
        let parent = among.path.last().copied();
        let first = nodes_of(text)?.first().map(|node| node.name.value.clone());
        let mut beside = [among.index.checked_sub(1), Some(among.index)]
            .into_iter()
            .flatten()
            .filter(|index| *index < among.siblings.len());
        let is_apart = beside.any(|index| {
            Some(&among.siblings[index].name.value) == first.as_ref()
                && file.is_apart(parent, among.siblings, index)
        });
        let landing = file.landing(among);
        let mut new = snippet.landed(&landing, &file.unit(), file.line_end());
        if among.path.is_empty() || is_apart {
            file.gaps_around(&landing).put(&mut new, file.line_end());
        }
        self.splice(among.file, landing.range(), new)
    }

    /// The bytes that change where keys are put into the blackboard of the document.
    fn to_blackboard(&self, file: usize, text: &str) -> Result<Splice, EditError> {
        match self.blackboard(Scope::Agent, file) {
            Some(among) => self.landed(&among, text),
            None => self.new_blackboard(Scope::Agent, file, text),
        }
    }
}

/// The text of the nodes that go to one place, with their comments.
fn part(text: &str, goals: &[Goal], goal: Goal) -> Option<String> {
    if goals.iter().all(|one| *one == goal) {
        return Some(text.to_owned());
    }
    let editor = Editor::of_texts(&[("", text)]);
    let file = &editor.files[0];
    let slots = (0..file.nodes.len()).map(|nth| file.slot(None, &file.nodes, nth));
    let own = slots.zip(goals).filter(|(_, one)| **one == goal);
    let own: Vec<String> = own.map(|(slot, _)| slot.text(file.text())).collect();
    let gap = if goal == Goal::Top { "\n\n" } else { "\n" };
    (!own.is_empty()).then(|| own.join(gap))
}

/// Why a node may not stand among words of some places, judged by the words in it and the values on its line alone.
fn why_not_deep(spots: &[Place], parent: &str, node: &Node) -> Option<Said> {
    let word = node.name.value.as_str();
    let Some(spot) = spot_of(spots, word) else {
        return Some(elsewhere(
            spots,
            Some(parent).filter(|word| !word.is_empty()),
            word,
        ));
    };
    if spot == Place::Task
        && let Some(row) = spot.word(word)
    {
        let values = node
            .entries
            .iter()
            .filter(|entry| entry.name.is_none())
            .count();
        if values > usize::from(row.value.is_some()) {
            return Some(match row.value {
                None => said!("`{}` takes no value", word),
                Some(_) => said!("`{}` takes only one value", word),
            });
        }
    }
    let inner = inner_spots(Some(spot), word);
    let mut children = node.children().iter();
    children.find_map(|child| why_not_deep(inner, word, child))
}
