//! Whether a node may stand at a place, judged without the edit.

use super::error::EditError;
use super::machines::is_true;
use super::outline::{inner_spots, spot_of};
use super::place::{Among, At, LocatedNode, Spot, touches};
use super::room::{Room, SLOW};
use super::snippet::nodes_of;
use super::{Editor, called};
use crate::language::{self, Spot as Place};
use crate::symbols::{Home, Symbol, SymbolKind, Use};
use crate::syntax::Node;
use crate::{Said, said};

impl Editor {
    /// Whether nodes, given as KDL, may stand at a place. It judges by words and by what is beside them, as far as that is
    /// certain, and does not read expressions. What the nodes name need not exist: it may be written after them.
    ///
    /// # Errors
    /// When they may not, with the reason; when the text is not KDL, and when there is no such place.
    pub fn may_insert(&self, spot: Spot, text: &str) -> Result<(), EditError> {
        let nodes = nodes_of(text)?;
        let among = self.among(spot)?;
        let mut room = self.room(&among, None);
        for node in &nodes {
            self.may_stand(&room, node, among.file)?;
            room.beside.push(node);
        }
        Ok(())
    }

    /// Whether a node may be moved to a place: as [`may_insert`](Self::may_insert), and whether the names in it are known
    /// there.
    ///
    /// # Errors
    /// When it may not, with the reason, and when there is no such node or place.
    ///
    /// ```
    /// use treemind_doc::Document;
    /// use treemind_doc::edit::{Editor, Spot};
    ///
    /// let text = "tree t { sequence { invert { run; }; fail; }; }";
    /// let editor = Editor::new(Document::parse(text, "t.kdl"))?;
    /// let at = |what| text.find(what).unwrap();
    /// editor.may_move(at("fail"), Spot::Before(at("invert").into()))?;
    /// let why = editor.may_move(at("fail"), Spot::Into(at("invert").into(), 0)).unwrap_err();
    /// assert_eq!(why.message(), "`invert` takes only one child");
    /// # Ok::<(), treemind_doc::edit::EditError>(())
    /// ```
    pub fn may_move(&self, at: impl Into<At>, to: Spot) -> Result<(), EditError> {
        let found = self.find(at.into())?;
        let among = self.among(to)?;
        let own = At::from((found.file, found.node().span.start));
        self.move_node(own, to)?;
        let room = self.room(&among, Some(found.node()));
        self.may_stand(&room, found.node(), among.file)?;
        self.means_the_same_there(&found, &room)?;
        self.knows_names(&found, &among)?;
        self.stays_known(&found, &among)
    }

    pub(super) fn room<'e>(&'e self, among: &Among<'e>, leaves: Option<&Node>) -> Room<'e> {
        let mut spots: &[Place] = &[Place::Top];
        for node in &among.path {
            spots = inner_spots(spot_of(spots, &node.name.value), &node.name.value);
        }
        let stays = |node: &&Node| leaves.is_none_or(|leaves| !std::ptr::eq(*node, leaves));
        let before = among.siblings[..among.index].iter().filter(stays).count();
        Room {
            before,
            path: among.path.clone(),
            spots,
            beside: among.siblings.iter().filter(stays).collect(),
        }
    }

    pub(super) fn may_stand(
        &self,
        room: &Room<'_>,
        node: &Node,
        file: usize,
    ) -> Result<(), EditError> {
        let name = node.first_text().map(|name| name.value.as_str());
        let why = room.why_not(&node.name.value, is_true(node, "disabled"));
        let why = why.or_else(|| self.why_not_named(room, &node.name.value, name));
        let why = why.or_else(|| self.why_not_inside(room, node));
        let Some(why) = why else {
            return Ok(());
        };
        let at = room.path.last().map_or(0, |parent| parent.span.start);
        Err(EditError::new(why).at(file, at))
    }

    /// Why a node may not stand at a place because of what is on its line or in its block.
    fn why_not_inside(&self, room: &Room<'_>, node: &Node) -> Option<Said> {
        let parent = room.parent_word();
        let under = |name: &str| language::is_read_below(parent, name);
        let is_task = spot_of(room.spots, &node.name.value) == Some(Place::Task);
        let mut placed = ["weight", "score", "gives", "cost"].into_iter();
        let is_placed = |name: &str| {
            let in_block = node.children().iter().any(|child| child.name.value == name);
            node.entry(name).is_some() || in_block
        };
        if let Some(name) = placed.find(|name| is_task && is_placed(name) && !under(name)) {
            return Some(said!("it has a `{}`, which means nothing there", name));
        }
        let mut pending: Vec<&Node> = node.children().iter().collect();
        while let Some(inner) = pending.pop() {
            pending.extend(inner.children());
            let word = inner.name.value.as_str();
            let name = inner.first_text().map(|name| name.value.as_str());
            let is_slow = language::node_word(word).is_some() && SLOW.contains(&word);
            if room.ends_at_once() && is_slow {
                return Some(said!(
                    "tasks here end at once, and `{}` may take time",
                    word
                ));
            }
            if let Some(why) = self.why_not_named(room, word, name) {
                return Some(why);
            }
        }
        None
    }

    /// Refuses a place in which a word means something else.
    fn means_the_same_there(
        &self,
        found: &LocatedNode<'_>,
        room: &Room<'_>,
    ) -> Result<(), EditError> {
        let among = found.among(found.index, false);
        let old = self.room(&among, None);
        let places = [&old, room].map(|room| spot_of(room.spots, found.word()));
        // A key of the document, and one of a tree or planner, are not the same to those who use it.
        if found.word() == "key" && old.spots != room.spots {
            return Err(EditError::new(said!(
                "`key` means something else there: other nodes can use it"
            ))
            .at(found.file, found.node().span.start));
        }
        let is_test = |place: &Option<Place>| matches!(place, Some(Place::Task | Place::When));
        match places {
            [Some(old), Some(new)] if old != new && !places.iter().all(is_test) => {
                Err(EditError::new(said!(
                    "`{}` means something else {} than {}",
                    called(found.word()),
                    new,
                    old
                ))
                .at(found.file, found.node().span.start))
            }
            _ => Ok(()),
        }
    }

    /// Why a word with a name may not stand at a place where the word may.
    pub(super) fn why_not_named(
        &self,
        room: &Room<'_>,
        word: &str,
        name: Option<&str>,
    ) -> Option<Said> {
        let name = name?;
        if word == "action" && room.ends_at_once() && !self.is_instant(name) {
            return Some(said!(
                "tasks here end at once, and the action `{}` is not declared with `instant=#true`",
                called(name)
            ));
        }
        let kind = match word {
            "subtree" => "tree",
            "machine" => "machine",
            "decide" => "decide",
            "planner" | "use" => "planner",
            "goto" => return why_not_goto(room, name),
            _ => return None,
        };
        let around = room.path.first()?;
        let own = around.first_text()?;
        let is_circle = self.reaches((kind, name), (&around.name.value, &own.value));
        is_circle.then(|| said!("`{}` would contain itself", called(&own.value)))
    }

    fn is_instant(&self, action: &str) -> bool {
        let blocks = self.files.iter().flat_map(|file| &file.nodes);
        let mut leaves = blocks
            .filter(|node| node.name.value == "leaves")
            .flat_map(Node::children);
        let has_it = |leaf: &&Node| leaf.first_text().is_some_and(|name| name.value == action);
        leaves
            .find(has_it)
            .is_none_or(|leaf| is_true(leaf, "instant"))
    }

    /// Whether a definition is another one, or contains it.
    fn reaches(&self, from: (&str, &str), to: (&str, &str)) -> bool {
        let mut seen = vec![(from.0.to_owned(), from.1.to_owned())];
        let mut next = 0;
        while let Some((word, name)) = seen.get(next).cloned() {
            next += 1;
            if (word.as_str(), name.as_str()) == to {
                return true;
            }
            let all = self.files.iter().flat_map(|file| &file.nodes);
            let is_it = |node: &&Node| {
                let own = node.first_text();
                node.name.value == word && own.is_some_and(|own| own.value == name)
            };
            let mut pending: Vec<&Node> = all.filter(is_it).flat_map(Node::children).collect();
            while let Some(node) = pending.pop() {
                pending.extend(node.children());
                let word = match node.name.value.as_str() {
                    "subtree" => "tree",
                    "machine" => "machine",
                    "decide" => "decide",
                    "planner" | "use" => "planner",
                    _ => continue,
                };
                if let Some(name) = node.first_text() {
                    let held = (word.to_owned(), name.value.clone());
                    if !seen.contains(&held) {
                        seen.push(held);
                    }
                }
            }
        }
        false
    }

    /// Refuses a place where names in a node are not known.
    fn knows_names(&self, found: &LocatedNode<'_>, among: &Among<'_>) -> Result<(), EditError> {
        let names = self.names();
        let own = found.node().extent();
        let is_around = |file: usize, start: usize| {
            let mut path = among.path.iter();
            among.file == file && path.any(|node| node.span.start == start)
        };
        let inside = names
            .uses
            .iter()
            .filter(|one| one.file == found.file && touches(&own, &one.token));
        for one in
            inside.filter(|one| !one.role.declares && !one.role.is_given && one.symbols.len() == 1)
        {
            let symbol = &names.symbols[one.symbols[0]];
            let is_known = match symbol.kind {
                SymbolKind::Key | SymbolKind::Port | SymbolKind::Item => match symbol.home {
                    Home::Node(file, start) => {
                        file == found.file && own.contains(&start) || is_around(file, start)
                    }
                    _ => true,
                },
                SymbolKind::State | SymbolKind::Branch | SymbolKind::Goal | SymbolKind::Task => {
                    self.definition_at(symbol)
                        .is_none_or(|(file, start)| is_around(file, start))
                }
                _ => true,
            };
            if !is_known {
                return Err(EditError::new(said!(
                    "it uses the {} `{}`, which means something else or nothing there",
                    symbol.what(),
                    called(&symbol.name)
                ))
                .at(one.file, one.span.start));
            }
        }
        Ok(())
    }

    /// Refuses a place from which what a node defines is not known to those that use it.
    fn stays_known(&self, found: &LocatedNode<'_>, among: &Among<'_>) -> Result<(), EditError> {
        let names = self.names();
        let own = found.node().extent();
        let is_inside = |file: usize, at: usize| file == found.file && own.contains(&at);
        let same = |one: Option<&Node>, other: Option<&Node>| match (one, other) {
            (Some(one), Some(other)) => {
                std::ptr::eq(one, other)
                    || one.name.value == "blackboard" && other.name.value == "blackboard"
            }
            (None, None) => true,
            _ => false,
        };
        for (id, symbol) in names.symbols.iter().enumerate() {
            let declared = symbol.declared.first();
            if declared.is_none_or(|(file, at)| !is_inside(*file, *at)) {
                continue;
            }
            let is_near = match symbol.kind {
                SymbolKind::Key | SymbolKind::Port | SymbolKind::Param | SymbolKind::Output => {
                    let node = found.node().extent();
                    let is_deep = matches!(symbol.home, Home::Node(file, at) if is_inside(file, at))
                        || matches!(symbol.home, Home::Leaf(leaf) if names.symbols[leaf]
                            .declared.iter().any(|(_, at)| node.contains(at)));
                    is_deep || same(found.parent(), among.path.last().copied())
                }
                SymbolKind::State | SymbolKind::Branch | SymbolKind::Goal | SymbolKind::Task => {
                    same(found.path.first().copied(), among.path.first().copied())
                }
                _ => true,
            };
            let mut uses = names.uses_of(id);
            let is_there = |file: usize, at: usize| {
                let parent = among.path.last().map(|parent| parent.extent());
                among.file == file && parent.is_some_and(|parent| parent.contains(&at))
            };
            let is_lost = |one: &&Use| {
                let (file, at) = (one.file, one.span.start);
                // What tests ask of follows what they run.
                let nodes = &self.files[file].nodes;
                let top = super::place::index_at(nodes, at);
                let in_test = top.is_some_and(|top| nodes[top].name.value == "test");
                !is_inside(file, at) && !is_there(file, at) && !in_test
            };
            let lost = uses.find(is_lost);
            if let Some(one) = lost.filter(|_| !is_near) {
                let (line, _) = self.files[one.file].source.line_column(one.span.start);
                return Err(EditError::new(said!(
                    "line {} uses the {} `{}`, and would not know it there",
                    line,
                    symbol.what(),
                    called(&symbol.name)
                ))
                .at(one.file, one.span.start));
            }
        }
        Ok(())
    }

    /// The definition that declares a symbol: its file and its beginning.
    fn definition_at(&self, symbol: &Symbol) -> Option<(usize, usize)> {
        let (file, offset) = *symbol.declared.first()?;
        let nodes = &self.files[file].nodes;
        let index = super::place::index_at(nodes, offset)?;
        Some((file, nodes[index].span.start))
    }
}

/// Why a `goto` may not lead to a branch: from there, it would lead back to itself.
fn why_not_goto(room: &Room<'_>, name: &str) -> Option<Said> {
    let decide = room.path.first()?;
    let branches = room.path.iter().filter(|node| node.name.value == "branch");
    let around: Vec<&str> = branches.filter_map(|node| named(node)).collect();
    let mut seen = vec![name];
    let mut next = 0;
    while let Some(branch) = seen.get(next).copied() {
        next += 1;
        if around.contains(&branch) {
            return Some(said!(
                "branch `{}` would lead back to itself",
                called(branch)
            ));
        }
        for node in below(decide) {
            if node.name.value == "branch" && named(node) == Some(branch) {
                let leads = below(node).into_iter();
                let leads = leads.filter(|node| node.name.value == "goto");
                let more: Vec<&str> = leads.filter_map(|node| named(node)).collect();
                for name in more {
                    if !seen.contains(&name) {
                        seen.push(name);
                    }
                }
            }
        }
    }
    None
}

fn named(node: &Node) -> Option<&str> {
    node.first_text().map(|name| name.value.as_str())
}

/// All nodes in a block, at any depth.
fn below(node: &Node) -> Vec<&Node> {
    let mut all: Vec<&Node> = node.children().iter().collect();
    let mut at = 0;
    while let Some(node) = all.get(at).copied() {
        at += 1;
        all.extend(node.children());
    }
    all
}
