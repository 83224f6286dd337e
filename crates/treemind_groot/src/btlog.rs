//! The log files of BehaviorTree.CPP (`FileLogger2`, `.btlog`), which Groot2 plays.
//!
//! A file is `BTCPP4-FileLogger2`, a version (1), the length of the XML (4 bytes), the XML, the begin in microseconds of
//! Unix time (8 bytes), and a row of 9 bytes for each change of a status: microseconds since the begin (6), uid (2),
//! status (1). Numbers begin with their smallest byte.

use crate::tree::Tree;
use crate::xml::Xml;
use std::collections::HashMap;
use std::fmt;
use treemind_core::{Population, Trace};

const MAGIC: &[u8] = b"BTCPP4-FileLogger2";
const VERSION: u8 = 1;
const ROW_BYTES: usize = 9;

/// Writes what an agent does as a log of BehaviorTree.CPP.
#[derive(Debug)]
pub struct LogWriter {
    name: String,
    tree: Option<Tree>,
    rows: Vec<u8>,
}

impl LogWriter {
    /// An empty log of a tree with this name.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            tree: None,
            rows: Vec::new(),
        }
    }

    /// Takes in a tick that was traced. Returns whether it could: a log has one tree, of at most 65 535 nodes.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn tick(&mut self, population: &Population, agent: usize, trace: &Trace) -> bool {
        let program = population.program();
        let tree = self.tree.get_or_insert_with(|| {
            let mut tree = Tree::new(&self.name, program);
            tree.is_recorded = true;
            tree.most_transitions = usize::MAX;
            tree
        });
        let is_same = std::sync::Arc::ptr_eq(&tree.program, program)
            || tree.program.fingerprint() == program.fingerprint();
        if !is_same || u16::try_from(tree.layout.len()).is_err() {
            return false;
        }
        tree.update(population, trace, agent);
        for one in tree.transitions.drain(..) {
            let micros = (one.now_ns / 1_000).to_le_bytes();
            for uid in tree.layout.uids(0, one.node) {
                self.rows.extend_from_slice(&micros[..6]);
                self.rows.extend_from_slice(&uid.to_le_bytes());
                // A log has no word for what an idle node has answered.
                self.rows.push(if one.status > 4 { 0 } else { one.status });
            }
        }
        true
    }

    fn xml(&self) -> String {
        let mut xml = Xml::new(&self.name);
        if let Some(tree) = &self.tree {
            xml.tree((&tree.name, ""), tree, 0);
        }
        xml.finish()
    }

    /// The log, which begins at this time, in microseconds of Unix time.
    pub fn log(self, begin_micros: i64) -> Log {
        Log {
            xml: self.xml(),
            begin_micros,
            rows: rows(&self.rows),
            cut_off: 0,
        }
    }

    /// The bytes of the file, which begins at this time, in microseconds of Unix time.
    pub fn finish(self, begin_micros: i64) -> Vec<u8> {
        let xml = self.xml();
        let length = u32::try_from(xml.len()).unwrap_or(u32::MAX);
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        out.extend(length.to_le_bytes());
        out.extend(xml.as_bytes());
        out.extend(begin_micros.to_le_bytes());
        out.extend(&self.rows);
        out
    }
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The tree, as XML.
    pub xml: String,
    /// When it begins, in microseconds of Unix time.
    pub begin_micros: i64,
    /// The changes, in order.
    pub rows: Vec<LogRow>,
    /// How many bytes of a row that is not whole stand at the end: the robot stopped while it wrote.
    pub cut_off: usize,
}

/// A change of the status of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// Microseconds since the begin.
    pub micros: u64,
    /// The number of the node in the XML, as `_uid`.
    pub uid: u16,
    /// 0 idle, 1 running, 2 success, 3 failure, 4 skipped.
    pub status: u8,
}

impl LogRow {
    /// The status in words.
    pub fn status_name(&self) -> &'static str {
        match self.status {
            0 => "IDLE",
            1 => "RUNNING",
            2 => "SUCCESS",
            3 => "FAILURE",
            4 => "SKIPPED",
            _ => "UNKNOWN",
        }
    }
}

/// Why bytes are no log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError(pub(crate) &'static str);

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for LogError {}

/// The rows of a file.
fn rows(bytes: &[u8]) -> Vec<LogRow> {
    let rows = bytes.chunks_exact(ROW_BYTES).map(|row| {
        let mut micros = [0; 8];
        micros[..6].copy_from_slice(&row[..6]);
        LogRow {
            micros: u64::from_le_bytes(micros),
            uid: u16::from_le_bytes([row[6], row[7]]),
            status: row[8],
        }
    });
    rows.collect()
}

impl Log {
    /// Reads a file. A row that is cut off at the end is left out.
    ///
    /// # Errors
    /// When this is no log of version 1, or its tree is cut off or is no text.
    pub fn read(bytes: &[u8]) -> Result<Self, LogError> {
        let rest = bytes.strip_prefix(MAGIC);
        let rest = rest.ok_or(LogError(
            "this is not a log of BehaviorTree.CPP (FileLogger2)",
        ))?;
        let [VERSION, rest @ ..] = rest else {
            return Err(LogError("only version 1 of these logs is read"));
        };
        let cut = LogError("the log is cut off before its first row");
        let (length, rest) = rest.split_first_chunk().ok_or(cut.clone())?;
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (xml, rest) = rest.split_at_checked(length).ok_or(cut.clone())?;
        let (begin, rest) = rest.split_first_chunk().ok_or(cut)?;
        let xml = std::str::from_utf8(xml).map_err(|_| LogError("its tree is not UTF-8 text"))?;
        Ok(Self {
            xml: xml.to_owned(),
            begin_micros: i64::from_le_bytes(*begin),
            rows: rows(rest),
            cut_off: rest.len() % ROW_BYTES,
        })
    }

    /// The uids of the nodes with their paths, as BehaviorTree.CPP has them: behind the path of their tree their name, and
    /// their uid if they have no name of their own. Empty if the tree is no XML.
    pub(crate) fn paths(&self) -> Vec<(u16, String)> {
        let Ok(document) = roxmltree::Document::parse(&self.xml) else {
            return Vec::new();
        };
        let nodes = document.descendants().filter_map(|node| {
            let uid: u16 = node.attribute("_uid")?.parse().ok()?;
            let kind = node.attribute("ID").unwrap_or(node.tag_name().name());
            let name = node.attribute("name").filter(|name| !name.is_empty());
            let name = match name.filter(|name| *name != kind) {
                Some(name) => name.to_owned(),
                None => format!("{kind}::{uid}"),
            };
            let tree = node
                .ancestors()
                .find(|one| one.has_tag_name("BehaviorTree"));
            let above = tree.and_then(|tree| tree.attribute("_fullpath"));
            Some(match above.filter(|path| !path.is_empty()) {
                Some(above) => (uid, format!("{above}/{name}")),
                None => (uid, name),
            })
        });
        nodes.collect()
    }

    /// The names of the nodes by their uids: `name`, or else `ID`, or else the word of the element. Empty if the tree is
    /// no XML.
    pub fn names(&self) -> HashMap<u16, String> {
        let Ok(document) = roxmltree::Document::parse(&self.xml) else {
            return HashMap::new();
        };
        let nodes = document.descendants().filter_map(|node| {
            let uid = node.attribute("_uid")?.parse().ok()?;
            let name = node.attribute("name").filter(|name| !name.is_empty());
            let name = name.or(node.attribute("ID"));
            Some((uid, name.unwrap_or(node.tag_name().name()).to_owned()))
        });
        nodes.collect()
    }
}
