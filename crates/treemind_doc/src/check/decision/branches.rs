//! `branch` and `goto`: named parts, and the places that lead to them.

use super::super::Checker;
use super::super::declare::{duplicate, plain_name};
use super::super::line::{Line, quoted};
use super::super::reading::finish_in;
use super::super::tree::present;
use super::tests::empty;
use super::{Draft, Goal, Item, no_block};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::language::Spot;
use crate::said;
use crate::suggest;
use crate::syntax::{Node, Span, shortened};
use crate::text::cycles::{circles, row};
use std::collections::HashMap;

/// The branches of one definition.
#[derive(Default)]
pub(super) struct Branches<'n> {
    all: Vec<Branch<'n>>,
    by_name: HashMap<&'n str, usize>,
    /// Which branch (`None`: the top) goes to which branch, and where.
    uses: Vec<(Option<usize>, usize, Span)>,
    /// The names of its tasks.
    pub(super) leaf_names: HashMap<&'n str, Span>,
}

impl<'n> Branches<'n> {
    /// The names of the branches that some `goto` leads to, and their parts.
    pub(super) fn begun(&self) -> impl Iterator<Item = (&'n str, usize)> + '_ {
        self.all.iter().filter_map(|branch| {
            let name = branch.node.first_text()?;
            Some((name.value.as_str(), branch.part?))
        })
    }
}

struct Branch<'n> {
    node: &'n Node,
    /// The part that it begins with, set by the first `goto` to it.
    part: Option<usize>,
}

impl<'s> Checker<'s> {
    /// Finds the branches of a definition. A branch is read when a `goto` leads to it, or when it is read alone.
    pub(super) fn branches(&mut self, draft: &mut Draft<'s>, of: usize, nodes: &[&'s Node]) {
        for node in nodes {
            let name = node.first_text().map_or("", |name| name.value.as_str());
            let branches = &mut draft.placed[of].branches;
            let number = branches.all.len();
            branches.all.push(Branch { node, part: None });
            branches.by_name.entry(name).or_insert(number);
            if self.places.is_none() {
                branch_name(draft, of, number, self.sink);
            }
        }
    }
}

/// Reads `branch NAME { … }` alone.
fn branch_name<'s>(draft: &mut Draft<'s>, of: usize, number: usize, sink: &mut Sink) {
    let node = draft.placed[of].branches.all[number].node;
    let mut line = Line::new(node, sink);
    let name = line.name(&said!("the branch"), sink);
    line.only_name(sink);
    line.flag("disabled", sink);
    finish_in(line, Spot::Branch, sink);
    let name = name.filter(|name| plain_name(name, &said!("branch"), sink));
    draft.is_broken |= name.is_none();
    if let Some(name) = name {
        let branches = &draft.placed[of].branches;
        let first = branches.by_name[name.value.as_str()];
        if first != number {
            let first = branches.all[first]
                .node
                .first_text()
                .unwrap_or(name)
                .span
                .clone();
            duplicate(name, &said!("branches of this decision tree"), &first, sink);
            draft.is_broken = true;
        }
    }
    if present(node.children()).is_empty() {
        empty(
            node,
            &said!("leads to nothing"),
            said!("to do nothing, write `none`"),
            sink,
        );
        draft.is_broken = true;
    }
    begin(draft, of, number);
}

/// `goto NAME`
pub(super) fn goto<'s>(
    draft: &mut Draft<'s>,
    part: usize,
    node: &'s Node,
    sink: &mut Sink,
) -> Option<Item> {
    let mut line = Line::new(node, sink);
    let name = line.name(&said!("the branch"), sink);
    line.only_name(sink);
    line.flag("disabled", sink);
    finish_in(line, Spot::Decision, sink);
    no_block(node, sink);
    let name = name?;
    let (of, from) = (draft.parts[part].of, draft.parts[part].branch);
    let branches = &mut draft.placed[of].branches;
    let Some(&number) = branches.by_name.get(name.value.as_str()) else {
        let word = shortened(&name.value);
        let names = branches.by_name.keys().copied();
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        let help = suggest::among(&word, said!("the branches"), names.iter().copied(), || {
            let name = quoted(&name.value);
            Some(said!(
                "add `branch {} { … }` at the end of the decision tree",
                name
            ))
        });
        let message = said!("unknown branch `{}`", word);
        sink.error(Code::UnknownBranch, name.span.clone(), message)
            .with_perhaps(help);
        return None;
    };
    branches.uses.push((from, number, node.span.clone()));
    Some(Item::end(Goal::Part(begin(draft, of, number))))
}

/// Reports branches that lead back to themselves, and branches that no `goto` leads to.
pub(super) fn judge(draft: &mut Draft<'_>, sink: &mut Sink) {
    let branches = &draft.placed[0].branches;
    let mut uses: Vec<Vec<(usize, &Span)>> = vec![Vec::new(); branches.all.len()];
    let mut is_used = vec![false; branches.all.len()];
    for (from, to, span) in &branches.uses {
        match from {
            Some(from) => uses[*from].push((*to, span)),
            None => is_used[*to] = true,
        }
        is_used[*to] |= *from != Some(*to);
    }
    draft.is_broken |= cycles(branches, &uses, sink);
    for (branch, _) in branches
        .all
        .iter()
        .zip(is_used)
        .filter(|(_, is_used)| !is_used)
    {
        let Some(name) = branch.node.first_text() else {
            continue;
        };
        let message = said!("branch `{}` is never used", shortened(&name.value));
        sink.warning(Code::UnusedBranch, name.span.clone(), message)
            .with_help(said!(
                "lead to it with `goto {}`, or remove it",
                quoted(&name.value)
            ));
    }
}

fn cycles(branches: &Branches<'_>, uses: &[Vec<(usize, &Span)>], sink: &mut Sink) -> bool {
    let found = circles(uses.len(), uses.len(), |branch| &uses[branch]);
    for (circle, span) in &found {
        let name = |branch: usize| {
            let name = branches.all[branch].node.first_text();
            let name = name.map_or(String::new(), |name| shortened(&name.value));
            format!("`{name}`")
        };
        let (own, row) = (name(circle[0]), row(circle, name));
        let message = said!("branch {} leads back to itself: {}", own, row);
        sink.error(Code::Cycle, (*span).clone(), message)
            .with_help(said!(
                "remove the cycle: a decision ends in every tick and is made again in the next"
            ));
    }
    !found.is_empty()
}

/// The part that a branch begins with; it is read later.
fn begin(draft: &mut Draft<'_>, of: usize, number: usize) -> usize {
    let branch = &draft.placed[of].branches.all[number];
    if let Some(part) = branch.part {
        return part;
    }
    let nodes = present(branch.node.children());
    let part = draft.part(nodes, of, Some(number));
    draft.pending.push(part);
    draft.placed[of].branches.all[number].part = Some(part);
    part
}
