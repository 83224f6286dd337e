//! Wrapping nodes in another node, and unwrapping them.

use super::change::{Change, Splice};
use super::error::EditError;
use super::layout::replace_in;
use super::outline::{inner_spots, spot_of};
use super::place::{At, LocatedNode};
use super::snippet::{Snippet, nodes_of};
use super::{Editor, called};
use crate::language::{self, Children, Spot};
use crate::symbols::step_name;
use crate::syntax::gaps::{indent, starts_line};
use crate::syntax::{Entry, Node, is_newline, is_space, write};
use crate::{Said, said};

impl Editor {
    /// Wraps a node in another one: `head` is the line of the new node, such as `sequence name=fight` or
    /// `repeat forever`.
    ///
    /// Comments stay with the inner node. Properties that concern the place among siblings move to the new node:
    /// `weight=` under a `weighted-selector`, `score=` or a `score` in its block under a `utility-selector`, `when=` with `aborts=` under a
    /// `selector`, and `disabled=`. Of a step of a planner these are its name, what it gives and costs, its guards and its
    /// statements: the new node is the step then.
    ///
    /// # Errors
    /// When the node is not a task, or when `head` is not a node that takes children.
    pub fn wrap(&self, at: impl Into<At>, head: &str) -> Result<Change, EditError> {
        let at = at.into();
        self.wrap_all(at, at, head)
    }

    /// Like [`wrap`](Self::wrap), but around all nodes from `first` to `last`, which must be siblings.
    ///
    /// # Errors
    /// The same as for `wrap`; also when the two nodes are not siblings, or when one of the nodes has its own weight or
    /// score.
    pub fn wrap_all(
        &self,
        first: impl Into<At>,
        last: impl Into<At>,
        head: &str,
    ) -> Result<Change, EditError> {
        let (first, last) = (self.find(first.into())?, self.find(last.into())?);
        let (head, outer) = head_of(head)?;
        let word = &outer.name.value;
        if !std::ptr::eq(first.siblings, last.siblings) || first.index > last.index {
            return Err(EditError::new(said!(
                "the first and the last node to wrap are not siblings"
            )));
        }
        if first.index < last.index && language::holds_steps(first.parent_word()) {
            return Err(EditError::new(said!(
                "each of these nodes is a step of its own, with a name, effects and guards"
            ))
            .at(first.file, first.node().span.start));
        }
        let many = language::node_word(word).is_some_and(|word| word.children() != Children::One);
        if first.index < last.index && !many {
            return Err(EditError::new(said!("`{}` takes only one child", word)));
        }
        let mut placed = Vec::new();
        let mut score = None;
        for index in first.index..=last.index {
            let one = LocatedNode {
                index,
                ..first.clone()
            };
            if !is_task(&one) {
                let word = called(one.word());
                return Err(EditError::new(said!(
                    "`{}` is not a task, and only tasks can be wrapped",
                    word
                ))
                .at(one.file, one.node().span.start));
            }
            placed.extend(placed_entries(&one));
            score = score.or(placed_score(&one));
        }
        if first.index < last.index && !(placed.is_empty() && score.is_none()) {
            return Err(EditError::new(said!(
                "one of these nodes has a property for its place under its parent; wrap that node alone first"
            )));
        }
        let twice = placed.iter().filter_map(|entry| entry.name.as_ref());
        if let Some(name) = twice
            .map(|name| &name.value)
            .find(|name| outer.entry(name).is_some())
        {
            return Err(EditError::new(said!(
                "`{}` of the new node would be in the way of `{}` of this one",
                name,
                name
            ))
            .at(first.file, first.node().span.start));
        }
        let named = match outer.entry("name") {
            None => step_called(&first),
            Some(_) => None,
        };
        let head = format!("{head}{}", named.unwrap_or_default());
        let splice = self.wrapped(&first, &last, head, (&placed, score))?;
        Change::new(said!("wrap in {}", called(word)), vec![splice])
    }

    pub(super) fn wrapped(
        &self,
        first: &LocatedNode<'_>,
        last: &LocatedNode<'_>,
        mut head: String,
        (placed, score): (&[&Entry], Option<usize>),
    ) -> Result<Splice, EditError> {
        let file = self.file(first.file)?;
        let text = file.text();
        let (begin, end) = (file.slot_of(first), file.slot_of(last));
        for entry in placed {
            head.push(' ');
            head.push_str(&text[entry.span.clone()]);
        }
        let lines = starts_line(text, begin.lead) && end.has_lines_behind();
        let (own, semicolon) = end.own(text);
        let range = begin.lead..own.end;
        let mut inner = text[range.clone()].to_owned();
        let mut edits: Vec<_> = semicolon
            .map(|at| (at..at + 1, String::new()))
            .into_iter()
            .collect();
        for entry in placed {
            edits.push((self.entry_with_blank(first.file, entry)?, String::new()));
        }
        let line_end = file.line_end();
        let own = indent(text, begin.start);
        let more = format!("{own}{}", file.unit());
        let mut scored = String::new();
        if let Some(score) = score {
            let (score, gone) = file.lifted(first.node(), score);
            edits.push(gone);
            scored = match score.on_one_line() {
                Some(score) if !lines => format!("{score}; "),
                _ => format!("{}{line_end}{more}", score.indented(&more, line_end)),
            };
        }
        replace_in(&mut inner, range.start, edits);
        let new = if lines {
            let inner = Snippet::taken(&inner, own).indented(&more, line_end);
            format!("{head} {{{line_end}{more}{scored}{inner}{line_end}{own}}}")
        } else if end.tail.line_comment {
            format!("{head} {{ {scored}{inner}{line_end}{own}}}")
        } else {
            format!("{head} {{ {scored}{inner}; }}")
        };
        self.splice(first.file, range, new)
    }

    /// Replaces a node by the contents of its block: its only child, or all its children where the parent takes
    /// several. All comments stay. What the children say of their place in it that means nothing outside, such as their
    /// scores in a `utility-selector`, is dropped; [`Change::notes`] lists it.
    ///
    /// # Errors
    /// When there is no such node, when it has no children, when it has its own keys, and when it has several children
    /// but only one is allowed in its place.
    pub fn unwrap(&self, at: impl Into<At>) -> Result<Change, EditError> {
        let found = self.find(at.into())?;
        if let Some(change) = self.unwrapped_with_score(&found)? {
            return Ok(change);
        }
        let (without, notes) = self.without_lost(&found, found.parent_word())?;
        if without.is_empty() {
            return self.unwrapped_as_it_is(&found);
        }
        // The node is replaced as a whole, so what is taken away in it is no change of its own.
        let without = Change::new(said!("unwrap {}", called(found.word())), without)?;
        let mut then = self.clone();
        then.apply(&without)?;
        let begin = found.node().span.start;
        let change = then.unwrapped_as_it_is(&then.find((found.file, begin).into())?)?;
        let removed = |splice: &Splice| splice.old.len() - splice.new.len();
        let removed: usize = without.splices().iter().map(removed).sum();
        let splices = change.splices().iter().map(|splice| {
            let range = splice.range.start..splice.range.end + removed;
            self.splice(splice.file, range, splice.new.clone())
        });
        let splices = splices.collect::<Result<_, _>>()?;
        Ok(Change::new(change.label().clone(), splices)?.noting(notes))
    }

    /// A node with a score in its block that is the only other thing there beside one node: that gets the score first.
    fn unwrapped_with_score(&self, found: &LocatedNode<'_>) -> Result<Option<Change>, EditError> {
        let children = found.node().children();
        let (Some(score), [_, _]) = (placed_score(found), children) else {
            return Ok(None);
        };
        let inner = &children[1 - score];
        if !is_child(inner) || inner.children().iter().any(|one| one.name.value == "score") {
            return Ok(None);
        }
        let at = |node: &Node| At {
            file: found.file,
            offset: node.span.start,
        };
        let Ok(moved) = self.move_node(at(&children[score]), super::Spot::Into(at(inner), 0))
        else {
            return Ok(None);
        };
        let mut then = self.clone();
        then.apply(&moved)?;
        let unwrapped = then.unwrap(at(found.node()))?;
        then.apply(&unwrapped)?;
        let all = self.rewrite(found.file, then.text(found.file))?;
        Change::new(unwrapped.label().clone(), all.splices().to_vec()).map(Some)
    }

    fn unwrapped_as_it_is(&self, found: &LocatedNode<'_>) -> Result<Change, EditError> {
        let node = found.node();
        let word = called(found.word());
        let refuse = |why: Said| Err(EditError::new(why).at(found.file, node.span.start));
        if !is_task(found) {
            return refuse(said!(
                "`{}` is not a task, and only tasks can be unwrapped",
                word
            ));
        }
        let children = language::node_word(found.word()).map(language::Word::children);
        match children.unwrap_or(Children::None) {
            Children::None => {
                return refuse(said!("there is no node in `{}` to unwrap", word));
            }
            Children::Cases if found.word() == "rules" => {
                return refuse(said!("the nodes in `rules` belong to its rules"));
            }
            Children::Cases => {
                return refuse(said!("the nodes in this `{}` belong to its cases", word));
            }
            _ => {}
        }
        let tasks: Vec<usize> = (0..node.children().len())
            .filter(|index| is_child(&node.children()[*index]))
            .collect();
        let is_step = language::holds_steps(found.parent_word());
        if is_step && tasks.len() > 1 {
            return refuse(said!(
                "this `{}` is one step, and its {} nodes would be steps of their own",
                word,
                tasks.len()
            ));
        }
        if node
            .children()
            .iter()
            .any(|child| child.name.value == "key")
        {
            return refuse(said!(
                "this `{}` declares keys that the nodes inside it may use",
                word
            ));
        }
        if node
            .children()
            .iter()
            .any(|child| child.name.value == "score")
        {
            return refuse(said!("this `{}` has a score, which would be lost", word));
        }
        let (Some(first), Some(last)) = (tasks.first(), tasks.last()) else {
            return refuse(said!("there is no node in this `{}`", word));
        };
        if tasks.len() > 1 && !takes_several(found) {
            let above = called(found.parent_word());
            return refuse(said!(
                "there are {} nodes in this `{}`, but its parent `{}` takes only one",
                tasks.len(),
                word,
                above
            ));
        }
        if last - first + 1 != tasks.len() {
            return refuse(said!(
                "parameters of this `{}` are between its children",
                word
            ));
        }
        let placed = placed_entries(found);
        let inner = &node.children()[*first];
        let mut names = placed.iter().filter_map(|entry| entry.name.as_ref());
        let is_twice = |name: &str| name != "name" && inner.entry(name).is_some();
        if let Some(name) = names.find(|name| is_step && is_twice(&name.value)) {
            return refuse(said!(
                "the node in this `{}` has `{}` of its own, too",
                word,
                &name.value
            ));
        }
        if tasks.len() > 1 && !placed.is_empty() {
            return refuse(said!(
                "this `{}` has a property for its place under its parent, but contains several nodes",
                word
            ));
        }
        let splices = self.unwrapped(found, (*first, *last), &placed)?;
        Change::new(said!("unwrap {}", word), splices)
    }

    fn unwrapped(
        &self,
        found: &LocatedNode<'_>,
        (first, last): (usize, usize),
        placed: &[&Entry],
    ) -> Result<Vec<Splice>, EditError> {
        let node = found.node();
        let file = self.file(found.file)?;
        let text = file.text();
        let slot = file.slot_of(found);
        let children = node.children();
        let slots: Vec<_> = (first..=last)
            .map(|index| file.slot(Some(node), children, index))
            .collect();
        let (begin, end) = (&slots[0], &slots[slots.len() - 1]);
        let block = node.block.clone().unwrap_or(slot.end..slot.end);
        // Nodes in the block that are not children are removed with the node, but comments in the block stay.
        let from = if first == 0 {
            block.start + 1
        } else {
            begin.lead
        };
        let to = if last + 1 == children.len() {
            block.end - 1
        } else {
            end.tail.end
        };
        let mut inner = text[from..to].to_owned();
        // What says how much it counts among its siblings comes before its other properties, and all else behind them.
        let mut added = [String::new(), String::new()];
        for entry in placed {
            let name = entry.name.as_ref().map_or("", |name| name.value.as_str());
            if children[first].entry(name).is_none() {
                let added = &mut added[usize::from(!["weight", "score"].contains(&name))];
                added.push(' ');
                added.push_str(&text[entry.span.clone()]);
            }
        }
        let values = children[first].entries.iter();
        let values = values.take_while(|entry| entry.name.is_none());
        let head = values.map(|entry| entry.span.end).last();
        let head = head.unwrap_or(children[first].name.span.end);
        if let Some(semicolon) = end.tail.semicolon {
            inner.remove(semicolon - from);
        }
        inner.insert_str(children[first].span.end - from, &added[1]);
        inner.insert_str(head - from, &added[0]);
        let line_end = file.line_end();
        let own = indent(text, slot.start);
        let is_one_line = !inner.contains(is_newline);
        let snippet = if is_one_line && slots.len() > 1 && slot.has_lines(text) {
            let texts: Vec<String> = slots.iter().map(|slot| slot.text(text)).collect();
            Snippet::taken(&texts.join("\n"), "")
        } else {
            let lined = children
                .iter()
                .find(|child| starts_line(text, child.span.start));
            let inside = lined.map_or("", |child| indent(text, child.span.start));
            Snippet::taken(&inner, inside)
        };
        Ok(vec![self.replaced(
            found,
            snippet.indented(own, line_end),
            &snippet,
        )?])
    }

    /// A node replaced by other nodes: `new` is the snippet as it is to be written.
    pub(super) fn replaced(
        &self,
        found: &LocatedNode<'_>,
        mut new: String,
        snippet: &Snippet,
    ) -> Result<Splice, EditError> {
        let file = self.file(found.file)?;
        let text = file.text();
        let slot = file.slot_of(found);
        // Only a line break ends a `//` comment.
        let rest = &text[slot.end..slot.tail.end];
        let goes_on = !rest.trim().is_empty() || !slot.has_lines_behind();
        let mut until = slot.end;
        if snippet.ends_in_comment() && goes_on {
            new.push_str(file.line_end());
            new.push_str(indent(text, slot.start));
            until += rest.len() - rest.trim_start_matches(is_space).len();
        }
        self.splice(found.file, slot.start..until, new)
    }
}

/// The properties of a node that concern its place among its siblings.
pub(super) fn placed_entries<'e>(found: &LocatedNode<'e>) -> Vec<&'e Entry> {
    let node = found.node();
    let names: Vec<&str> = match found.parent_word() {
        "selector" if node.entry("aborts").is_some() => vec!["when", "aborts", "while-else"],
        parent if language::holds_steps(parent) => OF_STEPS.to_vec(),
        parent => counted(parent),
    };
    let all = names.into_iter().chain(["disabled"]);
    all.filter_map(|name| node.entry(name)).collect()
}

/// Which node in the block of this one is its score among its siblings.
pub(super) fn placed_score(found: &LocatedNode<'_>) -> Option<usize> {
    let mut inside = found.node().children().iter();
    let score = inside.position(|child| child.name.value == "score");
    score.filter(|_| language::is_read_below(found.parent_word(), "score"))
}

/// The line of a node that is to wrap others, and the node.
fn head_of(head: &str) -> Result<(String, Node), EditError> {
    let head = head.trim();
    let mut nodes = nodes_of(head)?;
    let node = nodes.swap_remove(0);
    let is_alone = nodes.is_empty() && node.block.is_none() && node.span == (0..head.len());
    if !is_alone {
        return Err(EditError::new(said!(
            "expected the line of one node, such as `sequence name=fight`"
        )));
    }
    let word = &node.name.value;
    match language::node_word(word) {
        Some(found) if !matches!(found.children(), Children::None | Children::Cases) => {
            Ok((head.to_owned(), node))
        }
        Some(_) => Err(EditError::new(said!(
            "`{}` cannot contain other nodes",
            word
        ))),
        None => Err(EditError::new(said!("unknown node `{}`", called(word)))),
    }
}

/// What a step of a planner has as a step, and not for what it runs.
const OF_STEPS: [&str; 14] = [
    "name",
    "when",
    "while",
    "while-else",
    "fail-if",
    "skip-if",
    "succeed-if",
    "on-success",
    "on-failure",
    "on-abort",
    "on-end",
    "on-fault",
    "gives",
    "cost",
];

/// The name of a step of a planner as a property, if it is called by what it runs: another node in its place has to say it.
pub(super) fn step_called(found: &LocatedNode<'_>) -> Option<String> {
    if !language::holds_steps(found.parent_word()) || found.node().entry("name").is_some() {
        return None;
    }
    let (name, _) = step_name(found.node())?;
    let mut out = String::from(" name=");
    write::word(&name.value, &mut out);
    Some(out)
}

/// Whether a node in a block is a task. The other nodes in a block describe the parent.
pub(super) fn is_child(child: &Node) -> bool {
    let others = [Spot::Given, Spot::Score, Spot::Key, Spot::Port];
    language::find(&others, &child.name.value).is_none()
}

/// Whether a node is a task that another task could replace: in a tree, in a state, or where a decision tree leads.
pub(super) fn is_task(found: &LocatedNode<'_>) -> bool {
    let (mut spots, mut inner): (&[Spot], &[Spot]) = (&[], &[Spot::Top]);
    let mut is_task = false;
    for node in &found.path {
        spots = inner;
        let name = node.name.value.as_str();
        let spot = spot_of(spots, name);
        is_task = spot == Some(Spot::Task);
        inner = inner_spots(spot, name);
    }
    is_task && !(spots.contains(&Spot::Decision) && goes_on(found.node()))
}

/// Whether a `decide` in a decision tree has nothing apart from its name, so that the tests continue there.
fn goes_on(node: &Node) -> bool {
    let is_plain = |entry: &Entry| {
        let name = entry.name.as_ref();
        name.is_none_or(|name| name.value == "disabled")
    };
    node.name.value == "decide" && node.block.is_none() && node.entries.iter().all(is_plain)
}

/// The properties by which the children of a node are chosen among their siblings.
fn counted(parent: &str) -> Vec<&'static str> {
    let names = ["weight", "score"].into_iter();
    names
        .filter(|name| language::is_read_below(parent, name))
        .collect()
}

/// Whether several nodes can take the place of this one.
fn takes_several(found: &LocatedNode<'_>) -> bool {
    let parent = found.parent_word();
    let many = language::node_word(parent)
        .is_some_and(|word| matches!(word.children(), Children::Many | Children::TwoOrMore));
    many && found.path.len() > 2 || ["entry", "exit", "transition"].contains(&parent)
}
