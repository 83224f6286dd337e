//! A place for nodes: which words may stand there.

use super::called;
use super::kinds::most_children;
use super::machines::{is_state_word, is_true};
use super::outline::spot_of;
use super::wrap::is_child;
use crate::language::{self, Spot as Place};
use crate::suggest;
use crate::syntax::Node;
use crate::{Said, said};

/// Words that occur at most once in the block of a state, test, `switch` or document.
const ONCE: [&str; 6] = ["main", "initial", "do", "yes", "no", "default"];

/// Tasks that may take time, whatever is in them.
pub(super) const SLOW: [&str; 7] = [
    "wait",
    "run",
    "wait-for-event",
    "machine",
    "until-success",
    "until-failure",
    "forever",
];

/// A place for nodes, and what is around it.
pub(super) struct Room<'e> {
    /// The nodes around the place, from the top of the file.
    pub(super) path: Vec<&'e Node>,
    /// The places whose words may stand here.
    pub(super) spots: &'static [Place],
    /// The nodes beside it, without one that is about to leave.
    pub(super) beside: Vec<&'e Node>,
    /// How many of them are before it.
    pub(super) before: usize,
}

impl Room<'_> {
    fn parent(&self) -> Option<&Node> {
        self.path.last().copied()
    }

    pub(super) fn parent_word(&self) -> &str {
        self.parent()
            .map_or("", |parent| parent.name.value.as_str())
    }

    /// How many nodes beside the place are of some kind, without those that are disabled.
    fn count(&self, is_one: &dyn Fn(&Node) -> bool) -> usize {
        let beside = self.beside.iter();
        let own = beside.filter(|node| !is_true(node, "disabled") && is_one(node));
        own.count()
    }

    /// Why a word may not stand here.
    pub(super) fn why_not(&self, word: &str, is_disabled: bool) -> Option<Said> {
        let parent = self.parent_word();
        let Some(spot) = spot_of(self.spots, word) else {
            let parent = self.parent().map(|parent| parent.name.value.as_str());
            return Some(elsewhere(self.spots, parent, word));
        };
        if is_disabled {
            return None;
        }
        let is_once = ONCE.contains(&word) || spot == Place::Found && word == "score";
        let is_second = is_once && self.count(&|node| node.name.value == word) > 0;
        if is_second && !(word == "do" && parent == "transition") {
            return Some(said!("there can be only one `{}` here", word));
        }
        let is_task = spot == Place::Task;
        if is_task && let Some(why) = self.full() {
            return Some(why);
        }
        if is_task && self.ends_at_once() && SLOW.contains(&word) {
            return Some(said!(
                "tasks here end at once, and `{}` may take time",
                word
            ));
        }
        if spot == Place::When && ["when", "not"].contains(&parent) && self.count(&|_| true) > 0 {
            return Some(said!(
                "`{}` takes only one condition; put an `all` or `any` there",
                parent
            ));
        }
        let is_late = match word {
            "case" => {
                let mut before = self.beside[..self.before.min(self.beside.len())].iter();
                before.any(|node| node.name.value == "default")
            }
            "default" if spot != Place::KeyBlock => {
                let mut behind = self.beside.iter().skip(self.before);
                behind.any(|node| node.name.value == "case")
            }
            _ => false,
        };
        let scores_early = spot == Place::Found
            && match word {
                "keep" => {
                    let mut before = self.beside[..self.before.min(self.beside.len())].iter();
                    before.any(|node| node.name.value == "score")
                }
                _ => {
                    let mut behind = self.beside.iter().skip(self.before);
                    behind.any(|node| node.name.value == "keep")
                }
            };
        if scores_early {
            return Some(said!("`score` comes after all lines with `keep`"));
        }
        if is_late {
            return Some(said!("`default` comes after all cases"));
        }
        let has_states = self.beside.iter().any(|node| is_state_word(node));
        if word == "initial" && parent == "state" && !has_states {
            return Some(said!(
                "there are no states inside this one, so none is the initial one"
            ));
        }
        if let Some(why) = self.of_key(spot, word) {
            return Some(why);
        }
        let is_scored =
            self.path.len() > 1 && self.path[self.path.len() - 2].name.value == "utility-selector";
        if spot == Place::Score && !is_scored {
            return Some(said!("only a child of a `utility-selector` has a score"));
        }
        self.of_decision(spot, word).or_else(|| self.sides(spot))
    }

    /// Why a word may not stand in the block of a key that is no enumeration, or no list.
    fn of_key(&self, spot: Place, word: &str) -> Option<Said> {
        let key = self.parent()?;
        if spot == Place::Given && key.name.value == "key" && key.entry("sensor").is_none() {
            return Some(said!("only a key with a `sensor=` has parameters"));
        }
        if spot != Place::KeyBlock {
            return None;
        }
        let has_type = |name: &str| {
            key.property_text("type")
                .is_some_and(|text| text.value == name)
        };
        match word {
            "value" if !has_type("enum") => Some(said!("only an enumeration lists values")),
            "default" if key.entry("list").is_none() => {
                Some(said!("only a list has a line of what it starts with"))
            }
            _ => None,
        }
    }

    /// Why nothing more may stand here, if that is because of what it would stand in.
    pub(super) fn why_nothing(&self) -> Option<Said> {
        let parent = self.parent_word();
        let row = language::node_word(parent).filter(|_| self.path.len() > 1);
        match row.and_then(most_children) {
            Some(0) => Some(said!("`{}` takes no children", parent)),
            _ => self.full(),
        }
    }

    /// Why no further task may stand here.
    fn full(&self) -> Option<Said> {
        let parent = self.parent_word();
        let tasks = self.count(&|node| is_child(node) && !language::is_item(&node.name.value));
        match (self.path.len(), parent) {
            (1, "tree") if tasks > 0 => Some(said!("a tree has only one root")),
            (1, _) => None,
            (_, "do") if tasks > 0 => Some(said!("a `do` takes only one node")),
            (_, "case" | "default") if tasks > 0 && !self.spots.contains(&Place::Decision) => {
                Some(said!("a `{}` takes only one node", parent))
            }
            _ => {
                let is_tree =
                    self.spots.contains(&Place::Task) && !self.spots.contains(&Place::Decision);
                let row = language::node_word(parent).filter(|_| is_tree)?;
                let most = most_children(row).filter(|most| tasks >= *most)?;
                Some(match most {
                    0 => said!("`{}` takes no children", parent),
                    1 => said!("`{}` takes only one child", parent),
                    most => said!("`{}` takes only {} children", parent, most),
                })
            }
        }
    }

    /// Why a decision tree that leads to states cannot lead to a task, or the other way round.
    fn of_decision(&self, spot: Place, word: &str) -> Option<Said> {
        let is_own = matches!(spot, Place::Task | Place::DecidedState) && word != "decide";
        let in_list = is_own && self.spots.contains(&Place::Decision);
        let decide = self.path.first().filter(|_| in_list)?;
        let mut pending: Vec<&Node> = decide.children().iter().collect();
        while let Some(node) = pending.pop() {
            let other = node.name.value.as_str();
            if language::is_decision_list(other) || other == "switch" {
                pending.extend(node.children());
                continue;
            }
            let is_state = Place::DecidedState.has(other);
            let is_task = !is_state && other != "decide" && language::node_word(other).is_some();
            match spot {
                Place::Task if is_state => {
                    return Some(said!(
                        "this decision tree leads to states, and not to tasks"
                    ));
                }
                Place::DecidedState if is_task => {
                    return Some(said!(
                        "this decision tree leads to tasks, and not to states"
                    ));
                }
                _ => {}
            }
        }
        None
    }

    /// Why a line may not stand beside the answers of a test, or an answer beside lines.
    fn sides(&self, spot: Place) -> Option<Said> {
        if !self.spots.contains(&Place::Side) {
            return None;
        }
        let parent = self.parent_word();
        let is_side = |node: &Node| Place::Side.has(&node.name.value);
        let lines = self.count(&|node| !is_side(node) && !Place::Given.has(&node.name.value));
        match spot {
            Place::Given => None,
            Place::Side if lines > 0 => Some(said!(
                "what is in this `{}` is its yes side; an answer of its own needs `yes { … }` first",
                parent
            )),
            Place::Side => None,
            _ if self.count(&is_side) > 0 => Some(said!(
                "this `{}` has answers; put it into one of them",
                parent
            )),
            _ => None,
        }
    }

    /// Whether tasks must end at once here.
    pub(super) fn ends_at_once(&self) -> bool {
        let in_machine = self
            .path
            .first()
            .is_some_and(|node| node.name.value == "machine");
        let states = self.path.iter().skip(1).find(|node| !is_state_word(node));
        let holder = states.map(|node| node.name.value.as_str());
        in_machine
            && matches!(holder, Some("entry" | "exit" | "transition"))
            && !self.spots.contains(&Place::When)
    }
}

/// Where a word belongs that cannot stand among the words of some places: in the block of another one, or at the top.
pub(super) fn elsewhere(spots: &[Place], parent: Option<&str>, word: &str) -> Said {
    let shown = called(word);
    let here = match parent {
        None => said!("at the top of a document"),
        Some(parent) => said!("in `{}`", called(parent)),
    };
    let parts = match parent {
        Some(_) if Place::Task.has(word) => parts_with_tasks(spots),
        _ => Vec::new(),
    };
    if !parts.is_empty() {
        return said!(
            "`{}` cannot stand {}; put it into its {}",
            shown,
            here,
            suggest::either(&parts)
        );
    }
    let all = Place::ALL
        .into_iter()
        .filter(|spot| *spot != Place::Imported);
    // Tasks are what is moved most, and some have the word of a declaration.
    let mut places: Vec<Place> = all.filter(|spot| spot.has(word)).collect();
    places.sort_by_key(|spot| *spot != Place::Task);
    let decide = Place::Top.word("decide");
    let decides = decide.is_some_and(|decide| decide.holds().contains(&Place::Task));
    if decides && places.first() == Some(&Place::Task) && !places.contains(&Place::Decision) {
        places.insert(1, Place::Decision);
    }
    let places = places.into_iter().map(Said::from);
    match alternatives(places.collect()) {
        Some(places) => said!("`{}` cannot stand {}; it stands {}", shown, here, places),
        None => said!("unknown word `{}`", shown),
    }
}

/// The words of some places in whose blocks tasks stand, and nothing else.
fn parts_with_tasks(spots: &[Place]) -> Vec<&'static str> {
    let rows = spots.iter().flat_map(|spot| spot.words());
    let rows = rows.filter(|row| row.holds() == [Place::Task]);
    let mut names: Vec<&str> = rows.map(|row| row.name).collect();
    // What a state does comes first: it takes every task.
    names.sort_by_key(|name| *name != "do");
    names
}

/// Several things of which one is meant.
fn alternatives(mut all: Vec<Said>) -> Option<Said> {
    let last = all.pop()?;
    let before = all.into_iter();
    Some(
        match before.reduce(|all, more| said!("{}, {}", all, more)) {
            Some(before) => said!("{} or {}", before, last),
            None => last,
        },
    )
}
