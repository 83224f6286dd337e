//! Adding states and transitions to machines, and changing where they lead.

use super::change::{Change, Splice};
use super::entries::NewValue;
use super::error::EditError;
use super::place::{Among, At, LocatedNode};
use super::rename::may_name;
use super::snippet::{Snippet, nodes_of};
use super::{Editor, called};
use crate::language::{self, Shape, Spot};
use crate::names::{FoundState, States};
use crate::symbols::SymbolKind;
use crate::syntax::{Entry, Node, Value, write};
use crate::{Said, said};

/// Why a transition or `initial` cannot go back to where a state was left. A target that is not known is left to the check.
fn why_no_history(found: &LocatedNode<'_>, holder: &Node) -> Option<Said> {
    let machine = found.definition();
    if holder.name.value == "initial" {
        let is_of_machine = machine
            .children()
            .iter()
            .any(|one| std::ptr::eq(one, holder));
        return is_of_machine.then(|| {
            said!("the `initial` of a machine cannot have a history: a machine forgets its states when it ends")
        });
    }
    let Some(goal) = holder.entry("to").or_else(|| holder.entry("push")) else {
        return Some(said!("`history=` needs a target state"));
    };
    let goals = Chart::of(machine).goals(goal, found.parent()?);
    let is_simple = |node: &&Node| {
        let mut inner = node.children().iter();
        !inner.any(|one| is_state_word(one) && !is_true(one, "disabled"))
    };
    let simple = goals.into_iter().flatten().find(is_simple)?;
    let name = simple.first_text().map_or("", |name| name.value.as_str());
    Some(said!(
        "`{}` has no states inside, so it has no history",
        called(name)
    ))
}

/// What a transition may wait for; only one of them.
const WAITS: [&str; 3] = ["on", "after", "done"];

/// The states of a machine, with their nodes. State 0 is the machine.
pub(super) struct Chart<'e> {
    states: States<'e>,
    nodes: Vec<&'e Node>,
}

impl<'e> Chart<'e> {
    pub(super) fn of(machine: &'e Node) -> Self {
        let name = machine.first_text().map_or("", |name| name.value.as_str());
        let mut chart = Self {
            states: States::new(name),
            nodes: vec![machine],
        };
        chart.add(machine, 0);
        chart
    }

    fn add(&mut self, block: &'e Node, parent: usize) {
        for node in block.children().iter().filter(|node| is_state_word(node)) {
            let name = node.first_text().map_or("", |name| name.value.as_str());
            let index = self.states.add(name, parent, is_true(node, "disabled"));
            self.nodes.push(node);
            self.add(node, index);
        }
    }

    fn index(&self, node: &Node) -> Option<usize> {
        self.nodes.iter().position(|one| std::ptr::eq(*one, node))
    }

    /// The states that an entry of a transition names; `None` for a name that stands for none.
    pub(super) fn goals(&self, entry: &Entry, from: &Node) -> Vec<Option<&'e Node>> {
        let (Value::Text(text), Some(from)) = (&entry.value, self.index(from)) else {
            return vec![None];
        };
        let names = text.value.split_whitespace();
        names
            .map(|name| match self.states.find(name, from) {
                FoundState::One(state) => self.nodes.get(state).copied(),
                _ => None,
            })
            .collect()
    }

    /// The shortest path that means a state, seen from another one.
    fn path(&self, from: usize, to: usize) -> Option<String> {
        let mut path = String::new();
        for state in self.states.upwards(to).filter(|state| *state != 0) {
            let name = self.states.name(state);
            if name.is_empty() {
                return None;
            }
            path = match path.is_empty() {
                true => name.to_owned(),
                false => format!("{name}.{path}"),
            };
            if matches!(self.states.find(&path, from), FoundState::One(found) if found == to) {
                return Some(path);
            }
        }
        None
    }
}

impl Editor {
    /// Adds a state inside a machine or a state, after the states that are there. Into a `parallel`, this adds a region.
    /// The first state of a machine or state also becomes its initial one.
    ///
    /// # Errors
    /// When the node there is no machine and no state, or a final one; when a state beside it has that name; and when
    /// something that names another state would lead to this one.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::Editor;
    ///
    /// let text = "machine m {\n    initial idle\n    state idle\n}\n";
    /// let mut editor = Editor::new(Document::parse(text, "m.kdl"))?;
    /// editor.apply(&editor.add_state(0, "flee")?)?;
    /// let (idle, flee) = (text.find("state idle").unwrap(), editor.text(0).find("state flee").unwrap());
    /// editor.apply(&editor.add_transition(idle, flee, "after=2")?)?;
    /// assert_eq!(
    ///     editor.text(0),
    ///     "machine m {\n    initial idle\n    state idle {\n        transition to=flee after=2\n    }\n    state flee\n}\n"
    /// );
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn add_state(&self, inside: impl Into<At>, name: &str) -> Result<Change, EditError> {
        let found = self.find(inside.into())?;
        let node = found.node();
        let here = |error: EditError| error.at(found.file, node.span.start);
        if !is_machine(&found) && !is_state(&found) {
            return Err(here(EditError::new(said!(
                "`{}` is neither a machine nor a state, and only these contain states",
                called(found.word())
            ))));
        }
        if is_true(node, "final") {
            return Err(here(EditError::new(said!(
                "a final state contains no states"
            ))));
        }
        may_name(SymbolKind::State, name)?;
        let children = node.children();
        let mut inner = children.iter().filter(|child| is_state_word(child));
        if let Some(other) = inner.find(|state| is_named(state, name)) {
            return Err(EditError::new(said!(
                "another state beside it is named `{}`",
                called(name)
            ))
            .at(found.file, other.span.start));
        }
        let mut word = String::new();
        write::word(name, &mut word);
        let state = format!("state {word}");
        let last = children.iter().rposition(is_state_word);
        let is_first = last.is_none() && found.word() != "parallel";
        let needs_initial = is_first && !children.iter().any(|child| is_word(child, "initial"));
        let behind = last.map_or(children.len(), |last| last + 1);
        let top = top_of(children);
        let splices = match needs_initial {
            true if top == children.len() => {
                vec![self.put_in(&found, top, &format!("initial {word}\n{state}"))?]
            }
            true => vec![
                self.put_in(&found, top, &format!("initial {word}"))?,
                self.put_in(&found, behind, &state)?,
            ],
            false => vec![self.put_in(&found, behind, &state)?],
        };
        let change = Change::new(said!("add state {}", called(name)), splices)?;
        self.keeps_meanings(&change)?;
        Ok(change)
    }

    /// Makes a state the initial one of the machine or state around it.
    ///
    /// # Errors
    /// When the node there is no state, when it has no name, and when it is a region of a `parallel`.
    pub fn set_initial(&self, state: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(state.into())?;
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, found.node().span.start));
        let parent = found.parent().filter(|_| is_state(&found));
        let Some(parent) = parent else {
            return refuse(said!("`{}` is not a state", called(found.word())));
        };
        if found.parent_word() == "parallel" {
            return refuse(said!(
                "all states of a `parallel` are active, so none is the initial one"
            ));
        }
        let Some(name) = found
            .node()
            .first_text()
            .filter(|name| !name.value.is_empty())
        else {
            return refuse(said!("this state has no name"));
        };
        let mut word = String::new();
        write::word(&name.value, &mut word);
        let label = said!("make {} the initial state", called(&name.value));
        let initial = parent
            .children()
            .iter()
            .find(|child| is_word(child, "initial"));
        let values = initial.map_or(&[][..], |initial| &initial.entries[..]);
        let mut values = values.iter().filter(|entry| entry.name.is_none());
        let splice = match (initial, values.next()) {
            (Some(_), Some(first)) => {
                let end = values.next_back().unwrap_or(first).span.end;
                self.splice(found.file, first.span.start..end, word)?
            }
            (Some(initial), None) => {
                let at = initial.name.span.end;
                self.splice(found.file, at..at, format!(" {word}"))?
            }
            (None, _) => {
                let outer = LocatedNode {
                    path: found.path[..found.path.len() - 1].to_vec(),
                    ..found.clone()
                };
                let top = top_of(parent.children());
                self.put_under(&outer, parent, top, &format!("initial {word}"))?
            }
        };
        Change::new(label, vec![splice])
    }

    /// Sets how a transition, or each entry of a state, goes back to the inner states that were active before: `shallow`,
    /// `deep`, or not at all. For a state, this is the `history=` of its `initial`.
    ///
    /// # Errors
    /// When the node there is no transition and no state with an initial state inside, when it leads to a state without
    /// states inside, or when there is no such depth.
    pub fn set_history(&self, at: impl Into<At>, depth: Option<&str>) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        let node = found.node();
        let holder = match found.word() {
            "transition" | "initial" if found.definition().name.value == "machine" => Some(node),
            _ if is_state(&found) => {
                let mut children = node.children().iter();
                children.find(|child| is_word(child, "initial"))
            }
            _ => None,
        };
        let Some(holder) = holder else {
            return Err(EditError::new(said!("a history belongs to a transition, or to a state with an initial state inside, and not to this `{}`", called(found.word())))
            .at(found.file, node.span.start));
        };
        let row = Spot::State.word(&holder.name.value);
        let shape = row.and_then(|row| row.shape("history"));
        let depths = match shape {
            Some(Shape::Words(words)) => words.words(),
            _ => Vec::new(),
        };
        let at = At {
            file: found.file,
            offset: holder.span.start,
        };
        if depth.is_some_and(|depth| depths.contains(&depth))
            && let Some(why) = why_no_history(&found, holder)
        {
            return Err(EditError::new(why).at(found.file, node.span.start));
        }
        match depth {
            None => self.unset(at, "history"),
            Some(depth) if depths.contains(&depth) => self.set(at, "history", depth),
            Some(depth) => Err(EditError::new(said!(
                "there is no history `{}`; use `{}`",
                called(depth),
                depths.join("` or `")
            ))),
        }
    }

    /// Adds a transition to a state or machine, after the transitions that are there. `trigger` says what it waits for,
    /// as in the document: `after=2`, `on=bell when="loud"`, `done=success`, or nothing.
    ///
    /// # Errors
    /// When the nodes there are not states of one machine, when nothing can lead out of the first one, when no path of
    /// names means the second one, and when `trigger` is not what a transition can wait for.
    pub fn add_transition(
        &self,
        from: impl Into<At>,
        to: impl Into<At>,
        trigger: &str,
    ) -> Result<Change, EditError> {
        let (found, to) = (self.find(from.into())?, self.find(to.into())?);
        let node = found.node();
        if !is_machine(&found) && !is_state(&found) {
            return Err(EditError::new(said!(
                "`{}` is neither a state nor a machine, so no transition leads out of it",
                called(found.word())
            ))
            .at(found.file, node.span.start));
        }
        if is_true(node, "final") {
            return Err(EditError::new(said!("nothing leads out of a final state"))
                .at(found.file, node.span.start));
        }
        let path = path_between(&found, node, &to)?;
        let mut line = "transition to=".to_owned();
        write::word(&path, &mut line);
        let trigger = trigger.trim();
        is_trigger(trigger)?;
        if !trigger.is_empty() {
            line.push(' ');
            line.push_str(trigger);
        }
        let children = node.children();
        let last = children
            .iter()
            .rposition(|child| is_word(child, "transition"));
        let index = match last {
            Some(last) => last + 1,
            None => children
                .iter()
                .position(is_state_word)
                .unwrap_or(children.len()),
        };
        let splice = self.put_in(&found, index, &line)?;
        Change::new(said!("add transition to {}", called(&path)), vec![splice])
    }

    /// Lets a transition lead to another state.
    ///
    /// # Errors
    /// When the nodes there are not a transition and a state of one machine, when something else says where it leads, and
    /// when no path of names means that state.
    pub fn retarget(
        &self,
        transition: impl Into<At>,
        to: impl Into<At>,
    ) -> Result<Change, EditError> {
        let (found, to) = (self.find(transition.into())?, self.find(to.into())?);
        let node = found.node();
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        let source = found.parent().filter(|_| found.word() == "transition");
        let Some(source) = source else {
            return refuse(said!("this is not a transition"));
        };
        if node.entry("decide").is_some() {
            return refuse(said!("a decision tree says where this transition leads"));
        }
        if node.entry("pop").is_some() {
            return refuse(said!("this transition goes back to where the machine was"));
        }
        let path = path_between(&found, source, &to)?;
        let name = match node.entry("push") {
            Some(_) => "push",
            None => "to",
        };
        let splice = match node.entry(name) {
            Some(_) => self.set_property(&found, name, &NewValue::Text(path.clone()))?,
            // It comes first, where people look for it.
            None => {
                let mut new = " to=".to_owned();
                write::word(&path, &mut new);
                let at = node.name.span.end;
                self.splice(found.file, at..at, new)?
            }
        };
        Change::new(said!("lead to {}", called(&path)), vec![splice])
    }

    /// The paths to states that lead elsewhere, or nowhere, once a state has moved, as they lead where they did. Those for
    /// which there is no path stay as they are, and the checks tell.
    pub(super) fn other_paths(&self, state: At, moves: &Change) -> Result<Vec<Splice>, EditError> {
        let mut after = self.clone();
        after.apply(moves)?;
        let file = state.file;
        let machine = self.find(state)?.definition();
        let chart = Chart::of(machine);
        let place = |node: &Node| At {
            file,
            offset: node.span.start,
        };
        let mut splices = Vec::new();
        for source in &chart.nodes {
            let ways = source.children().iter();
            for way in ways.filter(|child| is_word(child, "transition")) {
                let entries = ["to", "push"].into_iter();
                for (name, entry) in entries.filter_map(|name| Some((name, way.entry(name)?))) {
                    let goals = chart.goals(entry, source).into_iter();
                    let goals: Option<Vec<u64>> =
                        goals.map(|goal| self.id_at(place(goal?))).collect();
                    let path = goals
                        .zip(self.id_at(place(way)))
                        .and_then(|(goals, way)| after.other_path(way, name, &goals));
                    if let Some(path) = path {
                        let way = self.find(place(way))?;
                        splices.push(self.set_property(&way, name, &NewValue::Text(path))?);
                    }
                }
            }
        }
        splices.extend(self.paths_in_tests(self, &after)?);
        Ok(splices)
    }

    /// What a transition says to lead to these states, unless it leads there.
    fn other_path(&self, way: u64, name: &str, goals: &[u64]) -> Option<String> {
        let found = self.find(self.place_of(way)?).ok()?;
        let (entry, source) = (found.node().entry(name)?, found.parent()?);
        let leads = Chart::of(found.definition()).goals(entry, source);
        let id = |node: &Node| {
            self.id_at(At {
                file: found.file,
                offset: node.span.start,
            })
        };
        if leads
            .iter()
            .map(|goal| id((*goal)?))
            .eq(goals.iter().map(|goal| Some(*goal)))
        {
            return None;
        }
        let path = |goal: &u64| {
            let goal = self.find(self.place_of(*goal)?).ok()?;
            path_between(&found, source, &goal).ok()
        };
        let paths: Option<Vec<String>> = goals.iter().map(path).collect();
        Some(paths?.join(" "))
    }

    /// A text put into the block of a node, before the child with that number, or directly after the child before it.
    pub(super) fn put_in(
        &self,
        found: &LocatedNode<'_>,
        index: usize,
        text: &str,
    ) -> Result<Splice, EditError> {
        self.put_under(found, found.node(), index, text)
    }

    fn put_under(
        &self,
        outer: &LocatedNode<'_>,
        parent: &Node,
        index: usize,
        text: &str,
    ) -> Result<Splice, EditError> {
        let among = Among {
            file: outer.file,
            path: outer.path.clone(),
            siblings: parent.children(),
            index,
            is_behind: index > 0,
        };
        self.put(
            &among,
            &Snippet::given(text, &self.file(outer.file)?.unit())?,
        )
    }
}

/// The path that means a state, seen from a state or machine.
fn path_between(
    from: &LocatedNode<'_>,
    source: &Node,
    to: &LocatedNode<'_>,
) -> Result<String, EditError> {
    let refuse = |why: Said| Err(EditError::new(why).at(to.file, to.node().span.start));
    if !is_state(to) {
        return refuse(said!("`{}` is not a state", called(to.word())));
    }
    if !std::ptr::eq(from.definition(), to.definition()) {
        return refuse(said!("a transition leads to a state of its own machine"));
    }
    let chart = Chart::of(from.definition());
    let states = chart.index(source).zip(chart.index(to.node()));
    match states.and_then(|(from, to)| chart.path(from, to)) {
        Some(path) => Ok(path),
        None => refuse(said!(
            "no path of names means this state; give it a name of its own"
        )),
    }
}

/// Refuses a text that is not what a transition waits for.
fn is_trigger(text: &str) -> Result<(), EditError> {
    let nodes = nodes_of(&format!("transition {text}"))?;
    let [node] = &nodes[..] else {
        return Err(EditError::new(said!("a transition has only one line")));
    };
    if node.block.is_some() || node.entries.iter().any(|entry| entry.name.is_none()) {
        return Err(EditError::new(said!(
            "a trigger is given by properties, such as `after=2` or `on=bell when=\"loud\"`"
        )));
    }
    let row = Spot::State.word("transition");
    let names = node.entries.iter().filter_map(|entry| entry.name.as_ref());
    for name in names.clone() {
        if ["to", "push", "pop", "decide"].contains(&name.value.as_str()) {
            return Err(EditError::new(said!(
                "`{}=` says where a transition leads, and not what it waits for",
                &name.value
            )));
        }
        if row.is_none_or(|row| row.shape(&name.value).is_none()) {
            return Err(EditError::new(said!(
                "`transition` has no property `{}`",
                called(&name.value)
            )));
        }
    }
    let waits = names.filter(|name| WAITS.contains(&name.value.as_str()));
    if waits.count() > 1 {
        return Err(EditError::new(said!(
            "a transition waits for one of `on=`, `after=` and `done=`; the others need transitions of their own"
        )));
    }
    Ok(())
}

pub(super) fn is_state_word(node: &Node) -> bool {
    matches!(node.name.value.as_str(), "state" | "parallel")
}

fn is_word(node: &Node, word: &str) -> bool {
    node.name.value == word
}

fn is_named(node: &Node, name: &str) -> bool {
    node.first_text().is_some_and(|text| text.value == name)
}

pub(super) fn is_true(node: &Node, property: &str) -> bool {
    node.entry(property)
        .is_some_and(|entry| entry.value == Value::Bool(true))
}

fn is_machine(found: &LocatedNode<'_>) -> bool {
    found.path.len() == 1 && found.word() == "machine"
}

/// Whether a node is a state of a machine.
pub(super) fn is_state(found: &LocatedNode<'_>) -> bool {
    found.path.len() > 1 && holds_states(&found.path)
}

/// Whether nodes, each in the one before it, are a machine and states of it.
pub(super) fn holds_states(path: &[&Node]) -> bool {
    let [machine, states @ ..] = path else {
        return false;
    };
    is_word(machine, "machine") && states.iter().all(|node| is_state_word(node))
}

/// The number of keys and ports at the top of a block.
fn top_of(children: &[Node]) -> usize {
    let items = children.iter();
    items
        .take_while(|child| language::is_item(&child.name.value))
        .count()
}
