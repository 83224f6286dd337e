//! The files of a document: those that it includes, and those in its folder in which trees stand that it calls.

use super::{DIALECT, TreeNames, dialect, tag};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::formats::xml;
use crate::source::Source;
use crate::suggest;
use crate::syntax::{Node, Span, shortened};
use crate::text::{Mended, place_mended};
use crate::{Said, said};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Returns the bytes of a file, or why this is not possible; for `FOLDER/*.xml`, the names of such files, one a line, and for
/// `FOLDER/**/*.xml` the paths of those in the folders below.
pub(crate) type Load<'l> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'l;

/// How many files a document may have.
const MAX_FILES: usize = 256;

/// What a loader lists the XML files in the folders below for.
const BELOW: &str = "**/*.xml";

/// How many files of a folder are looked at, and how many bytes they may have together.
const MAX_LOOKED_AT: usize = 2_000;
const MAX_LOOKED_AT_BYTES: usize = 64 << 20;

/// A file of the document.
pub(super) struct File {
    pub(super) source: Arc<Source>,
    /// Its text with what the library that reads XML refuses, and tinyxml2 does not, written as entities.
    mended: Option<Arc<Mended>>,
    pub(super) begin: usize,
    /// Only these trees belong to the document; `None` for all.
    pub(super) wanted: Option<HashSet<String>>,
}

impl File {
    fn new(source: Arc<Source>, begin: usize, wanted: Option<HashSet<String>>) -> Self {
        let text = source.text();
        let mended = Mended::of(text).filter(|mended| xml::document(&mended.text).is_ok());
        Self {
            mended: mended.map(Arc::new),
            source,
            begin,
            wanted,
        }
    }

    /// The text as it is read.
    pub(super) fn text(&self) -> &str {
        match &self.mended {
            Some(mended) => &mended.text,
            None => self.source.text(),
        }
    }

    /// From now on diagnostics are about this text.
    pub(super) fn enter(&self, sink: &mut Sink) {
        sink.enter_mended(self.begin, self.mended.as_ref());
    }

    /// Gives nodes that were made of this text their places in the document.
    pub(super) fn place(&self, nodes: &mut [Node]) {
        place_mended(nodes, self.mended.as_deref(), self.begin);
    }

    /// Says what had to be mended.
    pub(super) fn report_mended(&self, sink: &mut Sink) {
        if let Some(mended) = &self.mended {
            sink.enter(self.begin);
            mended.report(self.source.text(), sink);
            self.enter(sink);
        }
    }
}

/// A tree of a file, and the trees that it calls.
struct Tree {
    name: String,
    /// The names of the trees, and where they are called.
    calls: Vec<(String, Span)>,
    /// The elements that call a tree, as in version 3, if there is one of their name, and where they stand.
    perhaps: Vec<(String, Span)>,
    /// Where it stands.
    range: Span,
}

/// What a text defines, includes and runs.
struct Looked {
    trees: Vec<Tree>,
    includes: Vec<Include>,
    /// The name of the tree that runs, and where it is said.
    main: Option<(String, Span)>,
    /// The nodes that its model declares.
    declared: HashSet<String>,
}

/// Looks at a text, without its diagnostics.
fn look(source: &Arc<Source>) -> Option<Looked> {
    xml::scan(source.text(), &DIALECT, &mut Sink::new(Arc::clone(source)))?;
    let mended = Mended::of(source.text());
    let text = mended.as_ref().map_or(source.text(), |mended| &mended.text);
    let document = xml::document(text).ok()?;
    let place = |span: Span| match &mended {
        Some(mended) => mended.original(span.start)..mended.original(span.end),
        None => span,
    };
    let root = document.root_element();
    let (mut trees, mut includes) = (Vec::new(), Vec::new());
    let mut named = TreeNames::of(root);
    let may_be_three = dialect::may_be_three(root);
    for element in root.children().filter(roxmltree::Node::is_element) {
        match element.tag_name().name() {
            "BehaviorTree" => {
                let inside = || element.descendants().filter(roxmltree::Node::is_element);
                let perhaps = inside().filter(|node| {
                    may_be_three
                        && !node.children().any(|one| one.is_element())
                        && dialect::may_name_tree(node.tag_name().name())
                });
                let perhaps = perhaps
                    .map(|node| (node.tag_name().name().to_owned(), place(tag(node))))
                    .collect();
                let calls = inside().filter(|node| dialect::is_subtree(node.tag_name().name()));
                let calls =
                    calls.filter_map(|node| Some((node.attribute("ID")?, place(tag(node)))));
                trees.push(Tree {
                    name: named.next(element),
                    calls: calls.map(|(id, at)| (id.to_owned(), at)).collect(),
                    perhaps,
                    range: place(element.range()),
                });
            }
            word if dialect::is_include(word) => includes.push(Include {
                word: (
                    word.to_owned(),
                    if word == "include" { "path" } else { "src" },
                ),
                path: included(element).map(str::to_owned),
                package: element.attribute("ros_pkg").map(str::to_owned),
                at: place(tag(element)),
            }),
            _ => {}
        }
    }
    let main = root.attribute_node("main_tree_to_execute");
    let main = main.filter(|main| !main.value().trim().is_empty());
    Some(Looked {
        trees,
        includes,
        main: main.map(|main| (main.value().to_owned(), place(main.range_value()))),
        declared: dialect::declared(root).map(str::to_owned).collect(),
    })
}

/// The path that an `<include>` names.
pub(super) fn included<'a>(element: roxmltree::Node<'a, '_>) -> Option<&'a str> {
    let mut names = ["path", "src", "file"].iter();
    names.find_map(|name| element.attribute(*name))
}

struct Include {
    /// The word of the element, and the attribute that names the file.
    word: (String, &'static str),
    path: Option<String>,
    package: Option<String>,
    at: Span,
}

/// The state while the files of a document are found.
struct Search<'f, 'l, 's> {
    files: Vec<File>,
    known: HashSet<String>,
    defined: HashSet<String>,
    /// The names of elements that call a tree if there is one, and of the nodes that models declare.
    perhaps: HashSet<String>,
    declared: HashSet<String>,
    /// Where a tree is called first: the file, and the place in it.
    called: HashMap<String, (usize, Span)>,
    /// The includes that cannot be read: the files they stand in, where, and why.
    unread: Vec<(usize, Span, Said)>,
    load: Option<&'f mut Load<'l>>,
    sink: &'s mut Sink,
}

/// The file that the sink is at, with all files that belong to it, and last the manifest.
pub(super) fn all_of(
    manifest: Option<&str>,
    load: Option<&mut Load<'_>>,
    sink: &mut Sink,
) -> Vec<File> {
    let source = Arc::clone(sink.source());
    let mut search = Search {
        known: HashSet::from([joined("", source.name())]),
        files: Vec::new(),
        defined: HashSet::new(),
        perhaps: HashSet::new(),
        declared: HashSet::new(),
        called: HashMap::new(),
        unread: Vec::new(),
        load,
        sink,
    };
    let mut missing = HashSet::new();
    search.add(source, 0, &mut missing);
    let manifest = manifest.and_then(|path| search.manifest(path));
    search.in_folder(missing.clone());
    missing.retain(|name| !search.defined.contains(name));
    // A file without any tree needs what it includes.
    search.report_unread(missing.is_empty() && !search.defined.is_empty());
    if let Some(source) = manifest {
        let begin = search.sink.add(Arc::clone(&source));
        let none = Some(HashSet::new());
        search.files.push(File::new(source, begin, none));
    }
    search.files
}

impl Search<'_, '_, '_> {
    /// Adds a file with everything that it includes.
    fn add(&mut self, source: Arc<Source>, begin: usize, missing: &mut HashSet<String>) {
        let mut pending = vec![(source, begin)];
        while let Some((source, begin)) = pending.pop() {
            let looked = look(&source);
            self.files.push(File::new(Arc::clone(&source), begin, None));
            let Some(looked) = looked else {
                continue;
            };
            if begin == 0
                && let Some((main, at)) = looked.main
            {
                self.called.insert(main.clone(), (begin, at));
                missing.insert(main);
            }
            self.declared.extend(looked.declared);
            for tree in looked.trees {
                self.note_calls(begin, &tree);
                self.perhaps
                    .extend(tree.perhaps.into_iter().map(|(name, _)| name));
                missing.extend(tree.calls.into_iter().map(|(name, _)| name));
                self.defined.insert(tree.name);
            }
            for include in looked.includes {
                self.sink.enter(begin);
                let included = self.include((source.name(), begin), include);
                self.sink.enter(0);
                pending.extend(included.map(|source| {
                    let begin = self.sink.add(Arc::clone(&source));
                    (source, begin)
                }));
            }
        }
        missing.retain(|name| !self.defined.contains(name));
    }

    fn note_calls(&mut self, begin: usize, tree: &Tree) {
        for (name, at) in tree.calls.iter().chain(&tree.perhaps) {
            let known = self.called.entry(name.clone());
            known.or_insert((begin, at.clone()));
        }
    }

    /// `<include path="…"/>`
    fn include(&mut self, (from, begin): (&str, usize), include: Include) -> Option<Arc<Source>> {
        let Some(path) = include.path.filter(|path| !path.trim().is_empty()) else {
            let (word, path) = include.word;
            let message = said!("`<{}>` has no `{}`", word, path);
            self.sink.error(Code::MissingValue, include.at, message);
            return None;
        };
        let shown = shortened(&path);
        if let Some(package) = include.package {
            let message = said!(
                "`{}` of the ROS package `{}` is not included: packages are not looked up",
                shown,
                shortened(&package)
            );
            self.sink
                .warning(Code::Import, include.at, message)
                .with_help(said!(
                    "trees that stand in other files of this folder are found"
                ));
            return None;
        }
        let path = joined(from, &path);
        if !self.known.insert(path.clone()) {
            return None;
        }
        if self.files.len() >= MAX_FILES {
            let message = said!("a document has at most {} files", MAX_FILES);
            self.sink.error(Code::TooLarge, include.at, message);
            return None;
        }
        let read = match &mut self.load {
            // The loader would answer with a list of files.
            _ if path.contains('*') => Err(said!("there is no such file")),
            Some(load) => load(&path).map_err(Said::from),
            None => Err(said!("this program reads no other files")),
        };
        let read = read.and_then(|bytes| {
            let text = crate::text::decoded(&bytes).map(Cow::into_owned);
            text.map_err(|_| said!("it is not UTF-8 text"))
        });
        match read {
            Ok(text) => Some(Arc::new(Source::new(&path, text))),
            Err(reason) => {
                let message = said!("cannot include `{}`: {}", shown, reason);
                self.unread.push((begin, include.at, message));
                None
            }
        }
    }

    /// Reports the includes that cannot be read. They are no mistake if every tree was found without them: their paths
    /// are often those of the robot.
    fn report_unread(&mut self, is_complete: bool) {
        for (begin, at, message) in std::mem::take(&mut self.unread) {
            self.sink.enter(begin);
            if is_complete {
                self.sink
                    .warning(Code::Import, at, message)
                    .with_help(said!("nothing is missing: all trees are found without it"));
            } else {
                self.sink.error(Code::Import, at, message).with_help(said!(
                    "trees in other files of this folder are found without it"
                ));
            }
        }
        self.sink.enter(0);
    }

    /// The file that declares the nodes of the host, unless it is one of the others.
    fn manifest(&mut self, path: &str) -> Option<Arc<Source>> {
        let mut known = self.files.iter();
        if known.any(|file| file.source.name() == path) {
            return None;
        }
        let load = self.load.as_mut()?;
        let read = load(path).map_err(Said::from).and_then(|bytes| {
            let text = crate::text::decoded(&bytes).map(Cow::into_owned);
            text.map_err(|_| said!("it is not UTF-8 text"))
        });
        let text = match read {
            Ok(text) => text,
            Err(reason) => {
                let message = said!("cannot read the manifest `{}`: {}", shortened(path), reason);
                self.sink.error(Code::Import, 0..0, message);
                return None;
            }
        };
        if !["<TreeNodesModel", "<ScriptingEnum"]
            .iter()
            .any(|one| text.contains(one))
        {
            let message = said!(
                "the manifest `{}` has no `<TreeNodesModel>`",
                shortened(path)
            );
            self.sink
                .error(Code::Import, 0..0, message)
                .with_help(said!(
                    "give an XML file that declares nodes, such as `nav2_tree_nodes.xml`"
                ));
            return None;
        }
        let source = Arc::new(Source::new(path, text));
        self.known.insert(path.to_owned());
        self.declared
            .extend(look(&source).into_iter().flat_map(|looked| looked.declared));
        Some(source)
    }

    /// Looks for trees in the other files of the folder, and then below it.
    fn in_folder(&mut self, missing: HashSet<String>) {
        let perhaps = std::mem::take(&mut self.perhaps);
        let perhaps = perhaps
            .into_iter()
            .filter(|name| !self.declared.contains(name) && !self.defined.contains(name));
        let unsure: HashSet<String> = perhaps.filter(|name| !missing.contains(name)).collect();
        let missing = self.in_files("*.xml", missing, unsure);
        // What may be a node of the robot is not looked for any further.
        self.in_files(BELOW, missing, HashSet::new());
    }

    /// Looks for trees in the files that the loader lists for a pattern. Elements call the trees in `unsure`, if there are
    /// any of their names. Returns the trees that are still missing.
    fn in_files(
        &mut self,
        pattern: &str,
        missing: HashSet<String>,
        unsure: HashSet<String>,
    ) -> HashSet<String> {
        if missing.is_empty() && unsure.is_empty() {
            return missing;
        }
        let own = self.files[0].source.name().to_owned();
        let Some(load) = &mut self.load else {
            return missing;
        };
        let Ok(listed) = load(&joined(&own, pattern)) else {
            return missing;
        };
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let mut texts = Vec::new();
        let mut bytes = 0;
        for name in listed.lines().take(MAX_LOOKED_AT) {
            let path = joined(&own, name);
            if self.known.contains(&path) {
                continue;
            }
            let Ok(found) = load(&path) else {
                continue;
            };
            let Ok(text) = crate::text::decoded(&found).map(Cow::into_owned) else {
                continue;
            };
            bytes += text.len();
            if bytes > MAX_LOOKED_AT_BYTES {
                break;
            }
            if text.contains("<BehaviorTree") {
                texts.push(Arc::new(Source::new(&path, text)));
            }
        }
        let looked: Vec<Option<Looked>> = texts.iter().map(look).collect();
        let mut homes: HashMap<&str, Vec<(usize, &Tree)>> = HashMap::new();
        for (file, looked) in looked.iter().enumerate() {
            for tree in looked.iter().flat_map(|looked| &looked.trees) {
                homes.entry(&tree.name).or_default().push((file, tree));
            }
        }
        let mut wanted: HashMap<usize, HashSet<String>> = HashMap::new();
        let mut several: Vec<(String, Vec<usize>)> = Vec::new();
        let mut by_element: Vec<(String, usize)> = Vec::new();
        let (mut sure, mut without) = (HashSet::new(), HashSet::new());
        // What is called for certain comes first.
        let mut pending: Vec<(bool, String)> =
            missing.into_iter().map(|name| (true, name)).collect();
        pending.extend(unsure.into_iter().map(|name| (false, name)));
        pending.sort_unstable();
        while let Some((is_sure, name)) = pending.pop() {
            sure.extend(is_sure.then(|| name.clone()));
            if self.defined.contains(&name) {
                continue;
            }
            let Some(all) = homes.get(name.as_str()) else {
                without.extend(is_sure.then_some(name));
                continue;
            };
            let text = |(file, tree): &(usize, &Tree)| &texts[*file].text()[tree.range.clone()];
            let Some((first, others)) = all.split_first() else {
                continue;
            };
            let others = others.iter().filter(|other| text(other) != text(first));
            let mut files: Vec<usize> = others.map(|(file, _)| *file).collect();
            files.retain(|file| *file != first.0);
            if !files.is_empty() {
                files.insert(0, first.0);
                several.push((name.clone(), files));
            }
            let (file, tree) = first;
            wanted.entry(*file).or_default().insert(name.clone());
            pending.extend(tree.calls.iter().map(|(name, _)| (true, name.clone())));
            let perhaps = tree.perhaps.iter().map(|(name, _)| name);
            let perhaps = perhaps.filter(|name| !self.declared.contains(*name));
            pending.extend(perhaps.map(|name| (false, name.clone())));
            if !is_sure {
                by_element.push((name.clone(), *file));
            }
            self.defined.insert(name);
        }
        let nearby = homes.keys().filter(|name| !self.defined.contains(**name));
        let nearby = nearby.map(|name| (*name).to_owned());
        self.sink.trees_nearby.extend(nearby);
        self.sink.trees_nearby.sort_unstable();
        self.sink.trees_nearby.dedup();
        self.sink.trees_nearby.truncate(MAX_LOOKED_AT);
        for (file, source) in texts.iter().enumerate() {
            let Some(wanted) = wanted.remove(&file) else {
                continue;
            };
            if self.files.len() >= MAX_FILES {
                break;
            }
            let begin = self.sink.add(Arc::clone(source));
            for tree in looked[file].iter().flat_map(|looked| &looked.trees) {
                if wanted.contains(&tree.name) {
                    self.note_calls(begin, tree);
                }
            }
            self.known.insert(source.name().to_owned());
            self.files
                .push(File::new(Arc::clone(source), begin, Some(wanted)));
        }
        let of_folder = |file: &usize| {
            let path = Path::new(texts[*file].name());
            let folder = Path::new(&own).parent().unwrap_or(Path::new(""));
            let below = path.strip_prefix(folder).ok();
            let name = below.or_else(|| path.file_name().map(Path::new));
            name.unwrap_or(path).to_string_lossy().into_owned()
        };
        by_element.retain(|(name, _)| !sure.contains(name));
        for (name, file) in by_element {
            self.report_by_element(&name, &of_folder(&file));
        }
        for (name, files) in several {
            let files: Vec<String> = files.iter().map(of_folder).collect();
            self.report_several(&name, &files);
        }
        without
    }

    /// Reports an element that is read as a call because of a tree in a file that is not included: the robot may have a
    /// node of this name.
    fn report_by_element(&mut self, name: &str, file: &str) {
        let Some((begin, at)) = self.called.get(name) else {
            return;
        };
        let name = shortened(name);
        let message = said!(
            "`{}` is read as a call of the tree in `{}`, which is not included",
            name,
            shortened(file)
        );
        let help = said!(
            "write `<SubTree ID=\"{}\"/>`; if it is a node, declare it in `<TreeNodesModel>`",
            name
        );
        let at = at.clone();
        self.sink.enter(*begin);
        self.sink
            .warning(Code::UnknownNode, at, message)
            .with_help(help);
        self.sink.enter(0);
    }

    /// Reports that several files of the folder have a tree; the first one is read.
    fn report_several(&mut self, name: &str, files: &[String]) {
        let (Some((begin, at)), [first, others @ ..]) = (self.called.get(name), files) else {
            return;
        };
        let listed = suggest::listed(others.iter().take(8).map(String::as_str));
        let message = said!(
            "the tree `{}` is read from `{}`, but other files of this folder have another one, too: {}",
            shortened(name),
            shortened(first),
            listed
        );
        let path = others.first().map_or("", String::as_str);
        let help = said!("choose one: `<include path=\"{}\"/>`", shortened(path));
        let at = at.clone();
        self.sink.enter(*begin);
        self.sink
            .warning(Code::Duplicate, at, message)
            .with_help(help);
        self.sink.enter(0);
    }
}

/// A path relative to the folder of a file, without `.` and, where possible, `..`.
pub(super) fn joined(from: &str, path: &str) -> String {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<std::path::Component<'_>> = Vec::new();
    let joined = folder.join(path);
    for part in joined.components() {
        match (part, parts.last()) {
            (std::path::Component::CurDir, _) => {}
            (std::path::Component::ParentDir, Some(std::path::Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let path: std::path::PathBuf = parts.iter().collect();
    path.to_string_lossy().into_owned()
}
