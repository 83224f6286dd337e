//! Everything that is shown at one address, and the answers to what monitors ask.

use crate::hooks::Hooks;
use crate::tree::Tree;
use crate::xml::Xml;
use crate::{pack, tape::Reel};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use treemind_core::{NodeId, Population, Program, Status, Trace};

/// The version of the protocol.
const PROTOCOL: u8 = 2;
/// So many bytes begin each request.
const HEAD_BYTES: usize = 6;
/// After so much silence, breakpoints stop nobody.
const SILENCE: Duration = Duration::from_secs(5);
/// The tree that holds all others, if there are several.
const ABOVE: &str = "Treemind";

/// What is shown, with everything that monitors have asked for.
#[derive(Debug)]
pub(crate) struct Board {
    trees: Vec<Tree>,
    /// The tapes from which trees are played, by the names of the trees.
    pub(crate) reels: Vec<Reel>,
    pub(crate) hooks: Hooks,
    heard: Instant,
    uuid: [u8; 16],
    xml: String,
    /// How many uids there are before those of each tree; `None` if its nodes have none.
    before: Vec<Option<u16>>,
    /// When the recording began: the time of each tree.
    recorded_since: Vec<u64>,
    /// Breakpoints that were reached, for those who listen.
    pub(crate) reached: Vec<u16>,
}

impl Board {
    pub(crate) fn new() -> Self {
        let mut board = Self {
            trees: Vec::new(),
            reels: Vec::new(),
            hooks: Hooks::default(),
            heard: Instant::now(),
            uuid: [0; 16],
            xml: String::new(),
            before: Vec::new(),
            recorded_since: Vec::new(),
            reached: Vec::new(),
        };
        board.lay_out();
        board
    }

    /// The trees have changed: their nodes get uids, and monitors are to ask for the text again.
    fn lay_out(&mut self) {
        let random = RandomState::new();
        for (nth, part) in self.uuid.chunks_mut(8).enumerate() {
            let mut hasher = random.build_hasher();
            hasher.write_usize(nth);
            part.copy_from_slice(&hasher.finish().to_le_bytes());
        }
        self.hooks.clear();
        self.before.clear();
        self.recorded_since = vec![0; self.trees.len()];
        let names: Vec<String> = self.trees.iter().map(|tree| tree.name.clone()).collect();
        let is_alone = names.len() == 1;
        let mut xml = Xml::new(if is_alone { &names[0] } else { ABOVE });
        let mut used = match is_alone {
            true => 0,
            false => xml.above(ABOVE, &names),
        };
        for tree in &self.trees {
            let nodes = u16::try_from(tree.layout.len()).ok();
            let after = nodes.and_then(|nodes| used.checked_add(nodes));
            self.before.push(after.map(|_| used));
            if let Some(after) = after {
                let path = if is_alone { "" } else { &tree.name };
                xml.tree((&tree.name, path), tree, used);
                used = after;
            }
        }
        self.xml = xml.finish();
    }

    /// Shows a tick of an agent under a name.
    pub(crate) fn show(
        &mut self,
        name: &str,
        agent: usize,
        population: &Population,
        trace: &Trace,
    ) {
        let program = population.program();
        let found = self.trees.iter().position(|tree| tree.name == name);
        let nth = match found {
            Some(nth) if self.trees[nth].is_of(program) => nth,
            Some(nth) => {
                self.trees[nth] = Tree::new(name, program);
                self.lay_out();
                nth
            }
            None => {
                // A tree of its own for each program; too many leave no numbers for nodes.
                if self.trees.len() >= usize::from(u16::MAX / 2) {
                    return;
                }
                self.trees.push(Tree::new(name, program));
                self.lay_out();
                self.trees.len() - 1
            }
        };
        self.trees[nth].update(population, trace, agent);
        let tree = &self.trees[nth];
        let reached = program.behaviour().node_ids();
        let reached = reached.filter(|node| tree.reached[node.index()]);
        if let Some(before) = self.before[nth] {
            let uids = reached.flat_map(|node| tree.layout.uids(before, node));
            let hit = self.hooks.look(uids);
            self.reached.extend(hit);
        }
    }

    /// The program that the agents under a name should run from now on, if that is another one.
    pub(crate) fn replaced(&mut self, name: &str, program: &Arc<Program>) -> Option<Arc<Program>> {
        self.hooks.may_replace = true;
        let nth = self.trees.iter().position(|tree| tree.name == name)?;
        if !self.trees[nth].is_of(program) {
            return None;
        }
        let before = self.before[nth]?;
        let nodes = self.trees[nth].layout.nodes();
        let node = |uid: u16| {
            let index = usize::from(uid.checked_sub(before)?).checked_sub(1)?;
            nodes.get(index).copied()
        };
        let answers = self.hooks.answers().into_iter();
        let answers = answers.filter_map(|(uid, status)| Some((node(uid)?, status)));
        let mut answers: Vec<(NodeId, Status)> = answers.collect();
        // A call and the root of its tree are one node: the call counts.
        answers.dedup_by_key(|(node, _)| *node);
        let wanted = self.trees[nth].replace(answers);
        (!Arc::ptr_eq(&wanted, program)).then_some(wanted)
    }

    /// Lets the game go on if nobody has asked for anything for a while.
    pub(crate) fn listen(&mut self) {
        let is_silent = self.heard.elapsed() > SILENCE;
        self.hooks.sleep(is_silent);
    }

    /// The answer to a request, by its frames.
    pub(crate) fn answer(&mut self, request: &[Vec<u8>]) -> Vec<Vec<u8>> {
        self.heard = Instant::now();
        self.hooks.sleep(false);
        let failed = |reason: String| vec![b"error".to_vec(), reason.into_bytes()];
        let Some(head) = request.first().filter(|head| head.len() == HEAD_BYTES) else {
            return failed("a request begins with 6 bytes".to_owned());
        };
        if head[0] != PROTOCOL {
            return failed(format!("version {} of the protocol is not spoken", head[0]));
        }
        let more = request.get(1).map(|frame| String::from_utf8_lossy(frame));
        match self.body(head[1], more.as_deref()) {
            Ok(body) => {
                let mut first = head.clone();
                first.extend(self.uuid);
                std::iter::once(first).chain(body).collect()
            }
            Err(reason) => failed(reason),
        }
    }

    fn body(&mut self, kind: u8, more: Option<&str>) -> Result<Option<Vec<u8>>, String> {
        let text = || more.ok_or("this request has a second part".to_owned());
        match kind {
            b'T' => return Ok(Some(self.xml.clone().into_bytes())),
            b'S' => return Ok(Some(self.statuses())),
            b'B' => return Ok(Some(self.blackboards(text()?))),
            b'I' => {
                let most = self.uids();
                self.hooks
                    .insert(text()?, |uid| (1..=most).contains(&uid))?;
            }
            b'U' => self.hooks.unlock(text()?)?,
            b'R' => self.hooks.remove(text()?)?,
            b'A' => self.hooks.clear(),
            b'X' => self.hooks.disable_all(),
            b'D' => return Ok(Some(self.hooks.dump().into_bytes())),
            b'r' => return self.record(text()?),
            b't' => return Ok(Some(self.transitions())),
            other => return Err(format!("unknown request {other}")),
        }
        Ok(None)
    }

    /// The greatest uid.
    fn uids(&self) -> u16 {
        let last = self.trees.iter().zip(&self.before);
        let ends = last.filter_map(|(tree, before)| {
            let nodes = u16::try_from(tree.layout.len()).ok()?;
            before.map(|before| before + nodes)
        });
        ends.max().unwrap_or(0)
    }

    fn statuses(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut put = |uid: u16, status: u8| {
            out.extend(uid.to_le_bytes());
            out.push(status);
        };
        if self.trees.len() != 1 {
            put(1, u8::from(!self.trees.is_empty()));
            for (tree, uid) in self.trees.iter().zip(2..) {
                put(uid, tree.statuses().next().unwrap_or(0));
            }
        }
        for (tree, before) in self.trees.iter().zip(&self.before) {
            let Some(before) = before else {
                continue;
            };
            for (status, uid) in tree.statuses().zip(before + 1..=u16::MAX) {
                put(uid, status);
            }
        }
        out
    }

    /// The keys of the trees with these names, or of all. A tree that is called goes by its place, or by its name.
    fn blackboards(&self, names: &str) -> Vec<u8> {
        let wanted: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
        let mut found: Vec<(String, &[u8])> = Vec::new();
        for (nth, tree) in self.trees.iter().enumerate() {
            let is_alone = self.trees.len() == 1;
            let path = if is_alone { "" } else { tree.name.as_str() };
            let before = self.before[nth].unwrap_or(0);
            let places = tree.layout.paths(path, before);
            for (nth, keys) in tree.keys.iter().enumerate() {
                // The first is that of the tree itself.
                let place = nth.checked_sub(1).and_then(|nth| places.get(nth));
                let names = match place {
                    Some((_, path, tree)) => [path.as_str(), tree.as_str()],
                    None => [tree.name.as_str(); 2],
                };
                let asked = names.iter().find(|name| wanted.contains(name));
                let name = match (asked, wanted.is_empty()) {
                    (Some(name), _) => name,
                    (None, true) => &names[0],
                    (None, false) => continue,
                };
                if found.iter().all(|(known, _)| known != name) {
                    found.push(((*name).to_owned(), keys));
                }
            }
        }
        let mut out = Vec::new();
        pack::map(&mut out, found.len());
        for (name, keys) in found {
            pack::text(&mut out, &name);
            out.extend(keys);
        }
        out
    }

    fn record(&mut self, what: &str) -> Result<Option<Vec<u8>>, String> {
        let is_recorded = match what {
            "start" => true,
            "stop" => false,
            _ => return Err("a recording is told `start` or `stop`".to_owned()),
        };
        for (tree, since) in self.trees.iter_mut().zip(&mut self.recorded_since) {
            tree.is_recorded = is_recorded;
            if is_recorded {
                tree.transitions.clear();
                *since = tree.now_ns;
            }
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_micros().to_string();
        Ok(is_recorded.then(|| now.into_bytes()))
    }

    /// The changes since this was asked last.
    fn transitions(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        for (nth, tree) in self.trees.iter_mut().enumerate() {
            let (before, since) = (self.before[nth], self.recorded_since[nth]);
            for one in tree.transitions.drain(..) {
                let micros = one.now_ns.saturating_sub(since) / 1_000;
                let Some(before) = before else {
                    continue;
                };
                let uids = tree.layout.uids(before, one.node);
                all.extend(uids.map(|uid| (micros, uid, one.status)));
            }
        }
        all.sort_by_key(|(micros, ..)| *micros);
        let mut out = Vec::new();
        for (micros, uid, status) in all {
            out.extend(&micros.to_le_bytes()[..6]);
            out.extend(uid.to_le_bytes());
            out.push(status);
        }
        out
    }
}
