//! All that a server knows: open texts, folders, documents that it has read.

use crate::diagnose::found_in;
use crate::imports::{Imports, documents_in, import_lines, imports_of, is_document};
use crate::places::{Places, name_of};
use crate::settings::Settings;
use crate::testing::Tested;
use crate::unit::Unit;
use gen_lsp_types::{
    Diagnostic, Position, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
    VersionedTextDocumentIdentifier,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use treemind_doc::edit::{At, Editor};
use treemind_doc::vocabulary::Named;
use treemind_doc::{Document, Format};
use treemind_ide::Defined;

/// The longest text that is looked at.
const MOST_TEXT: usize = 8 << 20;

/// How many documents are kept, with what was found out about them.
const MOST_UNITS: usize = 12;

/// How many documents that share a file are asked about a name in it.
const MOST_ROOTS: usize = 16;

/// A text that somebody has open.
#[derive(Debug)]
pub(crate) struct Open {
    /// `None` if it is longer than anybody writes.
    text: Option<Arc<str>>,
    pub(crate) version: i32,
    /// Which text it is, counted over all.
    revision: u64,
}

/// Which text of a file it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    Open(u64),
    Disk(Option<SystemTime>, u64),
    Gone,
}

/// The texts: open ones, and others on the disk.
#[derive(Debug, Default)]
pub(crate) struct Files {
    open: BTreeMap<String, Open>,
    /// The folders of the workspace, and others whose files may be imported.
    folders: Vec<String>,
    revision: u64,
}

impl Files {
    pub(crate) fn stamp(&self, name: &str) -> Stamp {
        if let Some(open) = self.open.get(name) {
            return Stamp::Open(open.revision);
        }
        match std::fs::metadata(name) {
            Ok(data) if data.is_file() => Stamp::Disk(data.modified().ok(), data.len()),
            _ => Stamp::Gone,
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<Arc<str>> {
        if let Some(open) = self.open.get(name) {
            return open.text.clone();
        }
        let bytes = treemind_doc::files::read_regular(Path::new(name), MOST_TEXT as u64).ok()?;
        Some(Arc::from(String::from_utf8(bytes).ok()?))
    }

    /// What a document may import.
    pub(crate) fn allowed(&self, root: &str) -> treemind_doc::Imports {
        let own = treemind_doc::Imports::of(root);
        self.folders.iter().fold(own, treemind_doc::Imports::allow)
    }

    /// The bytes of a file that a document imports.
    pub(crate) fn load(
        &self,
        path: &str,
        allowed: &treemind_doc::Imports,
    ) -> Result<Vec<u8>, String> {
        let on_disk = allowed.read(path);
        let is_outside = matches!(
            on_disk,
            Err(treemind_doc::ImportError::Outside | treemind_doc::ImportError::LinkedOutside)
        );
        match self.open.get(path).and_then(|open| open.text.as_ref()) {
            // What may not be imported from the disk may not be imported while it is open either.
            Some(text) if !is_outside => Ok(text.as_bytes().to_vec()),
            _ => on_disk.map_err(|error| error.to_string()),
        }
    }
}

/// What a server knows.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) settings: Settings,
    pub(crate) files: Files,
    folders: Vec<String>,
    /// The documents in the folders; found when they are first needed.
    known: Option<BTreeSet<String>>,
    imports: Imports,
    /// The documents that were read, the last one last.
    units: Vec<Unit>,
    /// What other files define, and which text that was.
    outlines: HashMap<String, (Stamp, Vec<Defined>)>,
    /// What was found in each document, as long as its files stay the same: many more than are kept as a whole.
    findings: HashMap<String, Findings>,
    /// How the tests of files ended.
    pub(crate) tested: HashMap<String, Tested>,
}

/// What was found in a document.
#[derive(Debug)]
struct Findings {
    stamps: Vec<(String, Stamp)>,
    /// By file.
    found: Vec<(String, Vec<Diagnostic>)>,
}

/// A document in KDL that is asked about, with the number of the file that somebody looks at.
pub(crate) struct Asked<'w> {
    pub(crate) editor: &'w Editor,
    pub(crate) file: usize,
    pub(crate) places: Places<'w>,
}

impl Asked<'_> {
    pub(crate) fn at(&self, position: Position) -> At {
        At {
            file: self.file,
            offset: self.places.byte(position),
        }
    }
}

impl World {
    pub(crate) fn open(&mut self, item: TextDocumentItem) -> String {
        let name = name_of(&item.uri);
        self.set(&name, Arc::from(item.text), item.version);
        name
    }

    /// Changes an open text. The client sends changes in their order, whatever their numbers.
    pub(crate) fn change(
        &mut self,
        of: &VersionedTextDocumentIdentifier,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<String> {
        let name = name_of(&of.text_document_identifier.uri);
        let mut text = self.files.open.get(&name)?.text.clone();
        for change in changes {
            text = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    // In a text that is too long, nobody knows where that is.
                    let Some(old) = text else {
                        continue;
                    };
                    let range = Places::new(&old, self.settings.encoding).bytes(part.range);
                    let mut new = String::with_capacity(old.len() + part.text.len());
                    new.push_str(&old[..range.start]);
                    new.push_str(&part.text);
                    new.push_str(&old[range.end..]);
                    short(Arc::from(new))
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    short(Arc::from(whole.text))
                }
            };
        }
        match text {
            Some(text) => self.set(&name, text, of.version),
            None => self.set_open(&name, None, of.version),
        }
        Some(name)
    }

    fn set(&mut self, name: &str, text: Arc<str>, version: i32) {
        let old = self
            .files
            .open
            .get(name)
            .and_then(|open| open.text.as_ref());
        if old.is_none_or(|old| import_lines(old) != import_lines(&text)) {
            self.imports.set(name, imports_of(name, &text));
        }
        self.set_open(name, short(text), version);
    }

    fn set_open(&mut self, name: &str, text: Option<Arc<str>>, version: i32) {
        self.files.revision += 1;
        let open = Open {
            text,
            version,
            revision: self.files.revision,
        };
        self.files.open.insert(name.to_owned(), open);
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> String {
        let name = name_of(uri);
        self.files.open.remove(&name);
        self.tested.remove(&name);
        self.look_again(&name);
        name
    }

    /// The open files.
    pub(crate) fn open_files(&self) -> impl Iterator<Item = (&str, &Open)> {
        self.files
            .open
            .iter()
            .map(|(name, open)| (name.as_str(), open))
    }

    pub(crate) fn version(&self, name: &str) -> Option<i32> {
        self.files.open.get(name).map(|open| open.version)
    }

    /// Whether a text is open and too long to be looked at.
    pub(crate) fn is_too_long(&self, name: &str) -> bool {
        self.files
            .open
            .get(name)
            .is_some_and(|open| open.text.is_none())
    }

    pub(crate) fn set_folders(&mut self, folders: Vec<String>) {
        self.folders = folders;
        self.known = None;
        self.imports.clear();
        self.allow_folders();
        for (name, open) in &self.files.open {
            if let Some(text) = &open.text {
                self.imports.set(name, imports_of(name, text));
            }
        }
    }

    pub(crate) fn folders(&self) -> &[String] {
        &self.folders
    }

    /// Lets documents import from the folders of the workspace, and from those that the user names.
    pub(crate) fn allow_folders(&mut self) {
        let all = self.folders.iter().chain(&self.settings.folders);
        self.files.folders = all.cloned().collect();
        self.units.clear();
        self.findings.clear();
    }

    /// Looks at a file of the disk again, which has been made, changed or removed.
    pub(crate) fn look_again(&mut self, name: &str) {
        if self.files.open.contains_key(name) {
            return;
        }
        let text = self.files.text(name).filter(|_| is_document(name));
        let is_below = self
            .folders
            .iter()
            .any(|folder| Path::new(name).starts_with(folder));
        match text {
            Some(text) => {
                self.imports.set(name, imports_of(name, &text));
                if let Some(known) = self.known.as_mut().filter(|_| is_below) {
                    known.insert(name.to_owned());
                }
            }
            None => {
                self.imports.remove(name);
                self.outlines.remove(name);
                if let Some(known) = &mut self.known {
                    known.remove(name);
                }
            }
        }
    }

    /// The documents in the folders of the workspace. The first call looks for them, and for what they import.
    fn known(&mut self) -> &BTreeSet<String> {
        if self.known.is_none() {
            let mut found = BTreeSet::new();
            for folder in &self.folders {
                documents_in(folder, &mut found);
            }
            for name in found.iter().filter(|name| name.ends_with(".kdl")) {
                if !self.files.open.contains_key(name)
                    && let Some(text) = self.files.text(name)
                {
                    self.imports.set(name, imports_of(name, &text));
                }
            }
            self.known = Some(found);
        }
        self.known.get_or_insert_default()
    }

    /// The documents that a file is part of, those that are open first.
    pub(crate) fn roots(&mut self, name: &str) -> Vec<String> {
        self.known();
        let mut roots = self.imports.roots(name);
        roots.sort_by_key(|root| !self.files.open.contains_key(root));
        roots.truncate(MOST_ROOTS);
        roots
    }

    /// The files that import a file.
    pub(crate) fn importers(&mut self, name: &str) -> Vec<String> {
        self.known();
        self.imports.importers(name).map(str::to_owned).collect()
    }

    /// Reads a document, unless it is known already.
    fn unit(&mut self, root: &str) -> Option<&mut Unit> {
        let known = self.units.iter().position(|unit| unit.root == root);
        let known = known.map(|at| self.units.remove(at));
        let fresh = known.and_then(|unit| unit.refreshed(&self.files));
        let unit = match fresh {
            Some(unit) => unit,
            None => Unit::read(root, &self.files)?,
        };
        if self.units.len() >= MOST_UNITS {
            self.units.remove(0);
        }
        self.units.push(unit);
        self.units.last_mut()
    }

    /// A document, checked.
    pub(crate) fn document(&mut self, root: &str) -> Option<&Document> {
        self.unit(root)?;
        self.units.last_mut()?.document(&self.files)
    }

    /// What is wrong with a document, file by file; `None` if there is no such text.
    pub(crate) fn findings(&mut self, root: &str) -> Option<&[(String, Vec<Diagnostic>)]> {
        let known = self.findings.get(root);
        let is_same = |(name, stamp): &(String, Stamp)| self.files.stamp(name) == *stamp;
        if !known.is_some_and(|known| known.stamps.iter().all(is_same)) {
            let encoding = self.settings.encoding;
            let found = found_in(self.document(root)?, encoding);
            let stamps = self.units.last()?.stamps().to_vec();
            let findings = Findings { stamps, found };
            self.findings.insert(root.to_owned(), findings);
        }
        Some(&self.findings.get(root)?.found)
    }

    /// Forgets what was found in other documents than these.
    pub(crate) fn keep_findings(&mut self, roots: &BTreeSet<String>) {
        self.findings.retain(|root, _| roots.contains(root));
    }

    /// The document whose part a file is, to be asked about; `None` if it is not written in KDL.
    pub(crate) fn ask(&mut self, name: &str) -> Option<Asked<'_>> {
        let root = self.root(name)?;
        self.ask_in(&root, name)
    }

    /// The document whose part a file is: if there are several, an open one.
    pub(crate) fn root(&mut self, name: &str) -> Option<String> {
        let roots = self.roots(name);
        // A document that may not import the file does not know it.
        let mut having = roots.into_iter().take(4);
        let root = having.find(|root| self.unit(root).is_some_and(|unit| unit.has(name)));
        root.or_else(|| self.unit(name).map(|_| name.to_owned()))
    }

    /// The same for one of the documents that the file is part of.
    pub(crate) fn ask_in(&mut self, root: &str, name: &str) -> Option<Asked<'_>> {
        let encoding = self.settings.encoding;
        let editor = self.unit(root)?.editor()?;
        let file = editor.file_named(name)?;
        Some(Asked {
            editor,
            file,
            places: Places::new(editor.text(file), encoding),
        })
    }

    /// The files that could be imported by one: those of the workspace below its folder, as it would write them.
    pub(crate) fn importable(&mut self, name: &str) -> Vec<String> {
        let folder = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        let own = name.to_owned();
        let known = self.known().iter();
        let others = known.filter(|one| **one != own && one.ends_with(".kdl"));
        let below = others.filter_map(|one| Path::new(one).strip_prefix(&folder).ok()?.to_str());
        below.map(|one| one.replace('\\', "/")).collect()
    }

    /// What the files of the workspace define.
    pub(crate) fn outlines(&mut self) -> Vec<(String, Vec<Defined>)> {
        let mut names: Vec<String> = self.known().iter().cloned().collect();
        names.extend(self.files.open.keys().cloned());
        names.sort();
        names.dedup();
        let mut all = Vec::new();
        for name in names {
            let stamp = self.files.stamp(&name);
            if self
                .outlines
                .get(&name)
                .is_none_or(|(known, _)| *known != stamp)
            {
                let Some(text) = self.files.text(&name) else {
                    continue;
                };
                self.outlines
                    .insert(name.clone(), (stamp, defined_in(&name, &text)));
            }
            let (_, found) = &self.outlines[&name];
            all.push((name, found.clone()));
        }
        all
    }

    /// The places of a file that need not be open.
    pub(crate) fn with_places<T>(
        &self,
        name: &str,
        answer: impl FnOnce(&Places<'_>) -> T,
    ) -> Option<T> {
        let text = self.files.text(name)?;
        Some(answer(&Places::new(&text, self.settings.encoding)))
    }
}

/// A text, unless it is too long.
fn short(text: Arc<str>) -> Option<Arc<str>> {
    (text.len() <= MOST_TEXT).then_some(text)
}

/// What a file defines, in any format.
pub(crate) fn defined_in(name: &str, text: &str) -> Vec<Defined> {
    if Format::of(name, text) == Format::Kdl {
        let editor = Editor::of_texts(&[(name, text)]);
        return treemind_ide::defined(&editor, 0);
    }
    if !is_ours(name, text) {
        return Vec::new();
    }
    defined_of(&Document::parse(text, name), name)
}

/// What a document defines whose format is not KDL, as far as it could be read.
pub(crate) fn defined_of(document: &Document, name: &str) -> Vec<Defined> {
    let kinds = [
        ("tree", Named::Tree, document.trees()),
        ("machine", Named::Machine, document.machines()),
        ("decision", Named::Decision, document.decisions()),
    ];
    let all = kinds.into_iter().flat_map(|(word, kind, all)| {
        let own = all.iter().filter(|one| one.source().name() == name);
        own.map(move |one| Defined {
            word: word.to_owned(),
            kind: Some(kind),
            name: one.name().to_owned(),
            extent: one.span(),
            place: one.span(),
            parent: None,
        })
    });
    let mut all: Vec<Defined> = all.collect();
    all.sort_by_key(|one| one.place.start);
    all
}

/// Whether a text in JSON or XML is a document of Treemind or of a tool that it reads, and not any other file.
pub(crate) fn is_ours(name: &str, text: &str) -> bool {
    match Format::of(name, text) {
        Format::Kdl | Format::Scxml => true,
        Format::Json => text.contains("\"nodes\"") || text.contains("treemind"),
        Format::BtCpp => text.contains("BTCPP_format") || text.contains("<BehaviorTree"),
        _ => false,
    }
}
