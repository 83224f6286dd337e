//! Doing to one version what another one has done.

use super::super::change::Change;
use super::super::compare::said;
use super::super::error::EditError;
use super::super::outline::{SourceNode, SourceOutline};
use super::super::place::{At, Spot};
use super::super::{Editor, called};
use super::beside::{beside, snippet, taken};
use super::heads;
use super::version::{Version, tops};
use super::{Clash, Conflict, Side};
use crate::document::Document;
use crate::said;
use crate::syntax::gaps::indent;
use crate::syntax::shortened;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What is done to the first version until it has what the second has done.
pub(super) struct Merging<'t, C> {
    base: &'t str,
    first: Editor,
    old: SourceOutline,
    mine: Version<'t>,
    theirs: Version<'t>,
    chosen: &'t C,
    /// The text as it is now.
    pub(super) now: Editor,
    outline: SourceOutline,
    /// For nodes that the second version has added, their ids now.
    added: HashMap<u64, u64>,
    pub(super) conflicts: Vec<Conflict>,
    /// What clashes, be it settled, as each version has it.
    pub(super) clashing: Vec<String>,
}

impl<'t, C: Fn(u64) -> Option<Side>> Merging<'t, C> {
    pub(super) fn new(
        base: &'t str,
        mine: &'t str,
        theirs: &'t str,
        chosen: &'t C,
    ) -> Result<Self, EditError> {
        let first = Editor::new(Document::parse(base, "a.kdl"))?;
        let old = first.outline();
        let mine = Version::new(&first, &old, mine)?;
        let theirs = Version::new(&first, &old, theirs)?;
        Ok(Self {
            base,
            now: mine.editor.clone(),
            outline: mine.outline.clone(),
            first,
            old,
            mine,
            theirs,
            chosen,
            added: HashMap::new(),
            conflicts: Vec::new(),
            clashing: Vec::new(),
        })
    }

    pub(super) fn run(&mut self) -> Result<(), EditError> {
        let theirs = self.theirs.outline.nodes().to_vec();
        for node in &theirs {
            match self.old.node(node.id).cloned() {
                None if self.added.contains_key(&node.id) => {}
                None => self.add(node)?,
                Some(old) if self.outline.node(node.id).is_none() => self.bring_back(&old, node)?,
                Some(old) => {
                    self.move_as_theirs(&old, node)?;
                    self.change_as_theirs(&old, node)?;
                    self.comment_as_theirs(node)?;
                }
            }
        }
        self.remove_as_theirs()
    }

    fn apply(&mut self, change: &Change) -> Result<(), EditError> {
        self.now.apply(change)?;
        if !self.now.is_whole(0) {
            return Err(EditError::new(said!("the result is not whole")));
        }
        self.outline = self.now.outline();
        Ok(())
    }

    /// The id now of a node of the second version, if it is there.
    fn known(&self, id: u64) -> Option<u64> {
        let id = match self.old.node(id) {
            Some(_) => id,
            None => *self.added.get(&id)?,
        };
        self.outline.node(id).map(|node| node.id)
    }

    fn at(&self, id: u64) -> Result<At, EditError> {
        let place = self.now.place_of(id);
        place.ok_or_else(|| EditError::new(said!("a node is gone")))
    }

    /// Where a node of the second version goes: behind the node that it is behind there.
    fn spot(&self, node: &SourceNode) -> Result<Spot, EditError> {
        let parent = match node.parent {
            Some(parent) => {
                let known = self.known(parent);
                Some(known.ok_or_else(|| EditError::new(said!("what is around a node is gone")))?)
            }
            None => None,
        };
        let mut before = self.theirs.before(node);
        while let Some(id) = before {
            let known = self.known(id).and_then(|id| self.outline.node(id));
            if let Some(known) = known.filter(|known| known.parent == parent) {
                return Ok(Spot::After(self.at(known.id)?));
            }
            before = self
                .theirs
                .outline
                .node(id)
                .and_then(|node| self.theirs.before(node));
        }
        Ok(match parent {
            Some(parent) => Spot::Into(self.at(parent)?, 0),
            None => Spot::Top(0, 0),
        })
    }

    /// The nodes of a version that are in a node, and the node, parents before children.
    fn within(outline: &SourceOutline, id: u64) -> Vec<&SourceNode> {
        let mut found = Vec::new();
        let mut pending = vec![id];
        while let Some(node) = pending.pop().and_then(|id| outline.node(id)) {
            found.push(node);
            pending.extend(node.children.iter().rev());
        }
        found
    }

    /// Adds a node that only the second version has, with all in it that only that has.
    fn add(&mut self, node: &SourceNode) -> Result<(), EditError> {
        if self.has_added_too(node) {
            return Ok(());
        }
        let spot = self.spot(node)?;
        let mut from = self.theirs.editor.clone();
        for inner in Self::within(&self.theirs.outline, node.id) {
            let is_there = self.outline.node(inner.id).is_some();
            if is_there && self.old.node(inner.id).is_some() {
                let place = from.place_of(inner.id);
                // It may be in one that has been taken out already.
                if let Some(place) = place {
                    let found = from.find(place)?;
                    let away = Change::new(said!("move"), vec![from.taken_away(&found)?])?;
                    from.apply(&away)?;
                }
            }
        }
        let snippet = snippet(&from, node.id)?;
        let before: HashSet<u64> = self.outline.nodes().iter().map(|one| one.id).collect();
        let among = self.now.among(spot)?;
        let put = Change::new(said!("move"), vec![self.now.put(&among, &snippet)?])?;
        self.apply(&put)?;
        let left = from.outline();
        let given = Self::within(&left, node.id).into_iter().map(|one| one.id);
        let fresh = self.outline.nodes().iter().map(|one| one.id);
        let fresh: Vec<u64> = fresh.filter(|id| !before.contains(id)).collect();
        let given: Vec<u64> = given.collect();
        if given.len() != fresh.len() {
            return Err(EditError::new(said!(
                "the added nodes cannot be found again"
            )));
        }
        self.added.extend(given.into_iter().zip(fresh));
        Ok(())
    }

    /// Whether the first version has added the same node at the same place.
    fn has_added_too(&mut self, node: &SourceNode) -> bool {
        let parent = match node.parent {
            Some(parent) => match self.known(parent) {
                Some(parent) => Some(parent),
                None => return false,
            },
            None => None,
        };
        let says = |editor: &Editor, outline: &SourceOutline, id: u64| -> Vec<(usize, String)> {
            let all = Self::within(outline, id).into_iter();
            let size = |one: &SourceNode| one.children.len();
            all.map(|one| (size(one), said(editor.text(0), one)))
                .collect()
        };
        let theirs = Self::within(&self.theirs.outline, node.id);
        if theirs.iter().any(|one| self.old.node(one.id).is_some()) {
            return false;
        }
        let wanted = says(&self.theirs.editor, &self.theirs.outline, node.id);
        let taken: HashSet<u64> = self.added.values().copied().collect();
        let mut own = self.outline.nodes().iter().filter(|one| {
            one.parent == parent && self.old.node(one.id).is_none() && !taken.contains(&one.id)
        });
        let Some(same) = own.find(|one| says(&self.now, &self.outline, one.id) == wanted) else {
            return false;
        };
        let pairs = theirs.iter().zip(Self::within(&self.outline, same.id));
        let pairs: Vec<(u64, u64)> = pairs.map(|(theirs, own)| (theirs.id, own.id)).collect();
        self.added.extend(pairs);
        true
    }

    /// The second version has a node that the first has removed.
    fn bring_back(&mut self, old: &SourceNode, node: &SourceNode) -> Result<(), EditError> {
        let is_in_gone = node
            .parent
            .is_some_and(|parent| self.known(parent).is_none());
        if is_in_gone && !self.theirs.has_moved(old) {
            return Ok(());
        }
        let inner = Self::within(&self.theirs.outline, node.id);
        let is_touched = inner.iter().any(|one| match self.old.node(one.id) {
            None => true,
            Some(old) => {
                self.theirs.has_moved(old)
                    || self.theirs.has_changed(self.base, old)
                    || self.has_comments(&self.theirs, old.id)
            }
        });
        if !is_touched {
            return Ok(());
        }
        match self.clash(Clash::Removed, old) {
            Some(Side::Theirs) => self.add(node),
            // What is in it is not looked at, either.
            _ => Ok(()),
        }
    }

    fn move_as_theirs(&mut self, old: &SourceNode, node: &SourceNode) -> Result<(), EditError> {
        if !self.theirs.has_moved(old) {
            return Ok(());
        }
        let parent = node.parent.map(|parent| self.known(parent));
        let own = self.outline.node(old.id).map(|one| (one.parent, one.id));
        let before = self.theirs.before(node).map(|id| self.known(id));
        let is_there = own.is_some_and(|(above, id)| {
            above.map(Some) == parent && self.now_before(id).map(Some) == before
        });
        if is_there {
            return Ok(());
        }
        let is_inside = parent.flatten().is_some_and(|parent| {
            let inner = Self::within(&self.outline, old.id);
            inner.iter().any(|one| one.id == parent)
        });
        let is_nowhere = parent == Some(None);
        if is_inside || is_nowhere || self.mine.has_moved(old) {
            let side = self.clash(Clash::Moved, old);
            if is_inside || is_nowhere || side != Some(Side::Theirs) {
                return match side {
                    // Their place is within it: only the whole text can be taken.
                    Some(Side::Theirs) => Err(EditError::new(said!("this place is gone"))),
                    _ => Ok(()),
                };
            }
        }
        let among = self.now.among(self.spot(node)?)?;
        let found = self.now.find(self.at(old.id)?)?;
        let is_same_list = std::ptr::eq(among.siblings, found.siblings);
        if is_same_list && (among.index == found.index || among.index == found.index + 1) {
            return Ok(());
        }
        let snippet = snippet(&self.now, old.id)?;
        let (away, here) = (
            self.now.taken_away(&found)?,
            self.now.put(&among, &snippet)?,
        );
        let change = Change::new(said!("move"), vec![away, here])?;
        self.apply(&change)?;
        match self.outline.node(old.id) {
            Some(_) => Ok(()),
            None => Err(EditError::new(said!("a moved node cannot be found again"))),
        }
    }

    /// The node before one under the same node, as it is now.
    fn now_before(&self, id: u64) -> Option<u64> {
        let node = self.outline.node(id)?;
        let peers = match node.parent.and_then(|parent| self.outline.node(parent)) {
            Some(parent) => parent.children.clone(),
            None => tops(&self.outline),
        };
        let own = peers.iter().position(|one| *one == id)?;
        peers.get(own.checked_sub(1)?).copied()
    }

    fn change_as_theirs(&mut self, old: &SourceNode, node: &SourceNode) -> Result<(), EditError> {
        let Some(own) = self.outline.node(old.id) else {
            return Ok(());
        };
        let (before, here) = (said(self.base, old), said(self.now.text(0), own));
        let there = said(self.theirs.text, node);
        if there == before || there == here {
            return Ok(());
        }
        let whole = vec![(
            own.line.clone(),
            self.theirs.text[node.line.clone()].to_owned(),
        )];
        let writes = match here == before {
            true => Some(whole.clone()),
            false => heads::merged(
                (self.base, old),
                (self.now.text(0), own),
                (self.theirs.text, node),
            ),
        };
        let writes = match writes {
            Some(writes) => writes,
            None if self.clash(Clash::Changed, old) == Some(Side::Theirs) => whole,
            None => return Ok(()),
        };
        self.write(writes)
    }

    fn write(&mut self, writes: Vec<(Range<usize>, String)>) -> Result<(), EditError> {
        let splices = writes
            .into_iter()
            .map(|(range, new)| self.now.splice(0, range, new));
        let splices: Result<Vec<_>, EditError> = splices.collect();
        let change = Change::new(said!("change"), splices?)?;
        self.apply(&change)
    }

    /// Whether a version has other comments above or behind a node.
    fn has_comments(&self, version: &Version<'_>, id: u64) -> bool {
        let all = [&version.editor, &self.first];
        let [now, before] = all.map(|of| beside(of, id).map(|one| one.said()));
        now != before
    }

    /// Writes the comments above and behind a node as the second version has them.
    fn comment_as_theirs(&mut self, node: &SourceNode) -> Result<(), EditError> {
        let all = [&self.first, &self.theirs.editor, &self.now];
        let [Some(old), Some(there), Some(here)] = all.map(|of| beside(of, node.id)) else {
            return Ok(());
        };
        let mut writes = Vec::new();
        for (nth, (old, there)) in old.said().into_iter().zip(there.said()).enumerate() {
            let own = &here.said()[nth];
            if there == old || there == *own {
                continue;
            }
            // Comments that both have written are kept by the lines, or not at all.
            if *own != old || !here.has_lines {
                return Err(EditError::new(said!("both have written a comment")));
            }
            let indent = indent(self.now.text(0), here.start).to_owned();
            let end = self.now.file(0)?.line_end();
            let new = match nth {
                0 => there
                    .iter()
                    .map(|line| format!("{line}{end}{indent}"))
                    .collect(),
                _ => match there.join(" ") {
                    tail if tail.is_empty() => tail,
                    tail => format!(" {tail}"),
                },
            };
            let range = [here.lead..here.start, here.end..here.behind][nth].clone();
            writes.push((range, new));
        }
        match writes.is_empty() {
            true => Ok(()),
            false => self.write(writes),
        }
    }

    /// Removes what the second version has removed.
    fn remove_as_theirs(&mut self) -> Result<(), EditError> {
        let is_gone =
            |id: u64, of: &Self| of.old.node(id).is_some() && of.theirs.outline.node(id).is_none();
        for old in self.old.nodes().to_vec() {
            let Some(own) = self.outline.node(old.id).filter(|_| is_gone(old.id, self)) else {
                continue;
            };
            if own.parent.is_some_and(|parent| is_gone(parent, self)) {
                continue;
            }
            let inner = Self::within(&self.outline, old.id);
            let is_touched = inner.iter().any(|one| match self.old.node(one.id) {
                None => true,
                Some(before) => {
                    !is_gone(one.id, self)
                        || self.mine.has_moved(before)
                        || self.mine.has_changed(self.base, before)
                        || self.has_comments(&self.mine, before.id)
                }
            });
            if is_touched && self.clash(Clash::Removed, &old) != Some(Side::Theirs) {
                continue;
            }
            let found = self.now.find(self.at(old.id)?)?;
            let away = Change::new(said!("remove"), vec![self.now.taken_away(&found)?])?;
            self.apply(&away)?;
        }
        Ok(())
    }

    /// Notes that both have done something to a node; returns what was chosen.
    fn clash(&mut self, how: Clash, old: &SourceNode) -> Option<Side> {
        // Of a node that was only changed, its line says all; of others, the comments may be all that differs.
        let shown = |text: &str, node: &SourceNode| match how {
            Clash::Changed => text[node.line.clone()].to_owned(),
            _ => text[node.span.clone()].to_owned(),
        };
        let of = |version: &Version<'_>| {
            let node = version.outline.node(old.id)?;
            let whole = (how != Clash::Changed).then(|| taken(&version.editor, node.id));
            match whole {
                Some(Ok((text, _))) => Some(text),
                _ => Some(shown(version.text, node)),
            }
        };
        let [mine, theirs] = [&self.mine, &self.theirs].map(|one| of(one).unwrap_or_default());
        self.clashing.extend([mine.clone(), theirs.clone()]);
        let chosen = (self.chosen)(old.id);
        if chosen.is_none() && self.conflicts.iter().all(|one| one.key != old.id) {
            let mut path = Vec::new();
            let mut above = old.parent;
            while let Some(node) = above.and_then(|id| self.old.node(id)) {
                path.push(match &node.name {
                    Some(name) => format!("{} {}", called(&node.word), shortened(name)),
                    None => called(&node.word),
                });
                above = node.parent;
            }
            path.reverse();
            self.conflicts.push(Conflict {
                key: old.id,
                how,
                path,
                base: shown(self.base, old),
                mine,
                theirs,
            });
        }
        chosen
    }
}
