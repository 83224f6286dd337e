//! Reading inputs, writing results, and reporting problems.

mod diagnostics;
mod outputs;
mod shown;

pub(crate) use diagnostics::{show, show_first, tell_if_foreign};
pub(crate) use outputs::{Output, finish_all, refused, sentence};
pub(crate) use shown::{
    Line, print_exact, print_exact_to_the_end, print_shown, print_shown_to_the_end, tell,
};

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use treemind_core::Behaviour;
use treemind_doc::edit::Version;
use treemind_doc::testing::Subject;
use treemind_doc::{
    Diagnostic, Document, Format, ImportError, Imports, Said, Severity, said, visible_line,
};

/// The largest input, in bytes, so that an endless input is not read for ever. `--max-bytes` sets another.
const MOST_BYTES: u64 = 256 << 20;
static LIMIT: OnceLock<u64> = OnceLock::new();

/// Sets how large inputs may be.
pub(crate) fn limit_inputs(most_bytes: Option<u64>) {
    LIMIT.get_or_init(|| most_bytes.unwrap_or(MOST_BYTES));
}

pub(crate) fn most_bytes() -> u64 {
    *LIMIT.get_or_init(|| MOST_BYTES)
}

/// Why a command did not do everything that it was asked to do.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A document or a run failed, and the user has already been told.
    Reported,
    /// A document or a run failed, with a sentence that says why.
    Failed(Said),
    /// The same as `Reported`, of a command whose status 1 says something else.
    Trouble,
    /// The command line makes no sense.
    Usage(String),
    /// Standard output was closed (`treemind … | head`); this is no error.
    NobodyReads,
}

impl Failure {
    /// A document or a run failed, for this reason.
    pub(crate) fn failed(why: impl Into<Said>) -> Self {
        Self::Failed(why.into())
    }

    /// What it says.
    pub(crate) fn sentence(self) -> Said {
        match self {
            Failure::Failed(sentence) => sentence,
            Failure::Usage(sentence) => sentence.into(),
            Failure::Reported | Failure::Trouble | Failure::NobodyReads => said!("that failed"),
        }
    }

    /// The failure of a command whose status 1 says something else: it is reported, and the status is 2.
    pub(crate) fn into_trouble(self) -> Self {
        match self {
            Failure::Usage(_) | Failure::NobodyReads => self,
            Failure::Reported | Failure::Failed(_) | Failure::Trouble => {
                self.report();
                Failure::Trouble
            }
        }
    }

    /// Reports the failure on standard error, and returns the exit status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Reported => ExitCode::from(1),
            Failure::Trouble => ExitCode::from(2),
            Failure::Failed(sentence) => {
                tell(Line::error(&sentence.to_string()));
                ExitCode::from(1)
            }
            Failure::Usage(sentence) => {
                let line = Line::error(&sentence);
                tell(line.then("\n\nFor more information, try '--help'."));
                ExitCode::from(2)
            }
            Failure::NobodyReads => ExitCode::SUCCESS,
        }
    }
}

/// The failure for an error of writing to standard output.
pub(crate) fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::failed(format!(
            "cannot write to standard output: {}",
            reason(&error)
        )),
    }
}

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a path in messages, on one line whatever is in it.
pub(crate) fn display_name(path: &Path) -> String {
    visible_line(&source_name(path)).into_owned()
}

/// The name of a path as that of a document, by which its imports are found.
pub(crate) fn source_name(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Refuses a command line that names standard input more than once.
pub(crate) fn one_stdin<'p>(
    paths: impl IntoIterator<Item = Option<&'p PathBuf>>,
) -> Result<(), Failure> {
    let named = paths.into_iter().flatten();
    match named.filter(|path| is_stdin(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage(
            "only one of the files can be standard input".to_owned(),
        )),
    }
}

/// The bytes of an input: of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    outputs::note_input(path);
    read_quietly(path)
}

/// Like [`read`], for a file that is not an input.
fn read_quietly(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if is_stdin(path) {
        treemind_doc::files::read_all(io::stdin().lock(), most_bytes())
    } else {
        treemind_doc::files::read(path, most_bytes())
    };
    read.map_err(|error| unread(path, &error))
}

/// Like [`read`], for an input that is watched: a regular file, which can be read again at any time without waiting.
pub(crate) fn read_watched(path: &Path) -> Result<Vec<u8>, Failure> {
    outputs::note_input(path);
    treemind_doc::files::read_regular(path, most_bytes()).map_err(|error| unread(path, &error))
}

/// The bytes of a saved game. What this program wrote it reads, so a file on a disk may be as large as it is.
pub(crate) fn read_saved(path: &Path) -> Result<Vec<u8>, Failure> {
    outputs::note_input(path);
    read_saved_quietly(path)
}

/// Like [`read_saved`], for a file that is not an input.
fn read_saved_quietly(path: &Path) -> Result<Vec<u8>, Failure> {
    let Some(file) = open(path)? else {
        return read_quietly(path);
    };
    let all = file.metadata().map(|known| known.len());
    let all = all.and_then(|length| treemind_doc::files::read_all(file, length));
    all.map_err(|error| unread(path, &error))
}

/// A file on a disk, open for reading; `None` if the path is that of something else, such as standard input.
pub(crate) fn regular(path: &Path) -> Result<Option<File>, Failure> {
    outputs::note_input(path);
    open(path)
}

fn open(path: &Path) -> Result<Option<File>, Failure> {
    if is_stdin(path) {
        return Ok(None);
    }
    treemind_doc::files::regular(path).map_err(|error| unread(path, &error))
}

/// The failure when an input cannot be read.
fn unread(path: &Path, error: &io::Error) -> Failure {
    let (name, reason) = (display_name(path), reason(error));
    Failure::Failed(match error.kind() {
        io::ErrorKind::FileTooLarge => said!(
            "cannot read {}: {}; `--max-bytes` allows more",
            name,
            reason
        ),
        _ => said!("cannot read {}: {}", name, reason),
    })
}

/// The text of a regular file that is no input; `None` if there is no such file.
pub(crate) fn read_if_there(path: &Path, most_bytes: u64) -> Result<Option<String>, Said> {
    let name = display_name(path);
    match treemind_doc::files::read_regular(path, most_bytes).map(String::from_utf8) {
        Ok(text) => text.map(Some).map_err(|_| said!("{} is not text", name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(said!("{} cannot be read: {}", name, reason(&error))),
    }
}

/// Does something that nobody waits for.
pub(crate) fn aside(work: impl FnOnce() + Send + 'static) {
    std::thread::spawn(work);
}

/// Like [`read`], for inputs that must be text: the diagnostic says where the invalid bytes start.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    text_of(path, read(path)?)
}

/// Like [`read_text`], for somebody who does not read the terminal: the failure says what is wrong with the text.
pub(crate) fn read_told(path: &Path) -> Result<String, Failure> {
    told(path, &read(path)?)
}

/// The same for an input that is watched.
pub(crate) fn read_watched_told(path: &Path) -> Result<String, Failure> {
    told(path, &read_watched(path)?)
}

fn told(path: &Path, bytes: &[u8]) -> Result<String, Failure> {
    let name = display_name(path);
    let text = treemind_doc::text_of(bytes, &name).map(std::borrow::Cow::into_owned);
    text.map_err(|problems| {
        let first = problems.iter().next();
        let why = first.map_or_else(|| said!("that failed"), |problem| problem.said().clone());
        Failure::Failed(match first.and_then(|problem| problem.said_help()) {
            Some(help) => said!("cannot read {}: {}; {}", name, why, help.clone()),
            None => said!("cannot read {}: {}", name, why),
        })
    })
}

/// Like [`read_text`], for an input that is watched.
pub(crate) fn read_watched_text(path: &Path) -> Result<String, Failure> {
    text_of(path, read_watched(path)?)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).or_else(|error| {
        let text = treemind_doc::text_of(error.as_bytes(), &source_name(path));
        text.map(std::borrow::Cow::into_owned)
            .map_err(|diagnostics| {
                show(&diagnostics);
                Failure::Reported
            })
    })
}

/// The reason as a sentence without the number of the system's error.
pub(crate) fn reason(error: &io::Error) -> Said {
    match error.kind() {
        // Errors of this program are sentences already.
        _ if error.get_ref().is_some() => error.to_string().into(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => said!("there is no such file"),
        io::ErrorKind::PermissionDenied => said!("permission denied"),
        io::ErrorKind::IsADirectory => said!("it is a folder"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            said!("there is no room left on the disk")
        }
        io::ErrorKind::FileTooLarge => said!("the file would be too large"),
        io::ErrorKind::ReadOnlyFilesystem => said!("the disk is read-only"),
        _ => {
            let text = error.to_string();
            let end = text.rfind(" (os error").unwrap_or(text.len());
            text[..end].to_owned().into()
        }
    }
}

/// How many errors and warnings there were.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

impl Counts {
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Self {
        let is_error = |item: &&Diagnostic| item.severity() == Severity::Error;
        let errors = diagnostics.iter().filter(is_error).count();
        Self {
            errors,
            warnings: diagnostics.len() - errors,
        }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// What is known about a document apart from its name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<'a> {
    /// The format, where the file's ending does not decide it.
    pub(crate) format: Option<Format>,
    /// The document that declares the leaves of a flat table.
    pub(crate) manifest: Option<&'a Path>,
    /// The folders that it may import from, apart from its own.
    pub(crate) allowed: &'a [PathBuf],
    /// Whether it is read again whenever it changes.
    pub(crate) is_watched: bool,
    /// Whether the studio reads it, which imports nothing from elsewhere.
    pub(crate) is_in_studio: bool,
}

impl Known<'_> {
    /// What the studio knows.
    pub(crate) fn in_studio() -> Self {
        Self {
            is_in_studio: true,
            ..Self::default()
        }
    }
}

/// Reads a document and everything that it imports.
pub(crate) fn document(path: &Path, known: Known<'_>) -> Result<Document, Failure> {
    let bytes = match known.is_watched {
        true => read_watched(path)?,
        false => read(path)?,
    };
    let name = source_name(path);
    let format = known.format.unwrap_or_else(|| {
        let text = treemind_doc::text_of(&bytes, &name).unwrap_or_default();
        Format::of(&name, &text)
    });
    let load = loader(path, known);
    let manifest = known.manifest.map(Path::to_string_lossy);
    if format == Format::Table {
        return Ok(Document::read_table(
            &bytes,
            &name,
            manifest.as_deref(),
            load,
        ));
    }
    if format == Format::BtCpp && manifest.is_some() {
        let manifest = manifest.as_deref();
        return Ok(Document::read_btcpp(&bytes, &name, manifest, load));
    }
    let mut document = Document::read_as_with(&bytes, &name, format, load);
    if !is_stdin(path) && document.misses_names() {
        look_around(path, known, &mut document);
    }
    Ok(document)
}

/// The failure when a manifest is given for a document that is not a table.
pub(crate) fn no_table(path: &Path) -> Failure {
    let name = display_name(path);
    Failure::Usage(format!(
        "`--manifest` is only for flat tables and for trees of BehaviorTree.CPP: {name} declares its own leaves"
    ))
}

/// A loader of the files that a document refers to.
pub(crate) fn loader(file: &Path, known: Known<'_>) -> impl Fn(&str) -> Result<Vec<u8>, String> {
    let mut imports = Imports::of(file);
    for folder in known.allowed {
        imports = imports.allow(folder);
    }
    let manifest = known.manifest.map(Path::to_owned);
    let is_in_studio = known.is_in_studio;
    // Files named on the command line may be anywhere, and so may the files beside them.
    if let Some(folder) = manifest.as_deref().and_then(Path::parent) {
        imports = imports.allow_named(folder);
    }
    move |path| {
        outputs::note_input(Path::new(path));
        imports.read(path).map_err(|error| match error {
            ImportError::Outside | ImportError::LinkedOutside if is_in_studio => {
                format!(
                    "{error}, and the studio imports nothing from elsewhere: put the file there"
                )
            }
            ImportError::Outside | ImportError::LinkedOutside => {
                format!("{error}; `--allow-imports FOLDER` allows another folder")
            }
            ImportError::Io(error) => reason(&error).to_string(),
            error => error.to_string(),
        })
    }
}

/// Reads a document in KDL and everything that it imports, to compare it with another version.
pub(crate) fn version(path: &Path, known: Known<'_>) -> Result<Version, Failure> {
    let bytes = read(path)?;
    let name = source_name(path);
    let text = std::str::from_utf8(&bytes).unwrap_or("");
    match Format::of(&name, text) {
        Format::Kdl => Ok(Version::read(&bytes, &name, loader(path, known))),
        _ => Err(Failure::failed(format!(
            "{name} is not in KDL; `treemind convert` writes it in KDL"
        ))),
    }
}

/// Searches the files beside a document for the names that it is missing.
fn look_around(path: &Path, known: Known<'_>, document: &mut Document) {
    const MOST_FILES: usize = 100;
    const MOST_BYTES: u64 = 1 << 20;
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return,
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut names: Vec<String> = entries
        .take(MOST_FILES)
        .flatten()
        .filter(|entry| Some(&*entry.file_name()) != path.file_name())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.to_ascii_lowercase().ends_with(".kdl"))
        .collect();
    names.sort();
    let others: Vec<(String, Document)> = names
        .into_iter()
        .filter_map(|name| {
            let path = folder.join(&name);
            let bytes = treemind_doc::files::read_regular(&path, MOST_BYTES).ok()?;
            let load = loader(&path, known);
            let other = Document::read_with(&bytes, &path.to_string_lossy(), load);
            Some((name, other))
        })
        .collect();
    let others: Vec<(&str, &Document)> = others
        .iter()
        .map(|(name, other)| (name.as_str(), other))
        .collect();
    document.suggest_imports(&others);
}

/// The part of a document to play or print.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Selection {
    /// The tree. Default: what `main` names, or the only tree.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["decide", "planner", "archetype"])]
    pub(crate) tree: Option<String>,
    /// A state machine instead of a tree.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tree", "archetype"])]
    pub(crate) machine: Option<String>,
    /// A decision tree instead of a tree.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tree", "machine", "archetype"])]
    pub(crate) decide: Option<String>,
    /// A planner instead of a tree.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tree", "machine", "decide", "archetype"])]
    pub(crate) planner: Option<String>,
    /// An archetype: its tree, with the keys that it sets.
    #[arg(long, value_name = "NAME")]
    pub(crate) archetype: Option<String>,
    /// The document that declares the leaves: for a flat table, with their numbers; for trees of BehaviorTree.CPP, an
    /// XML file with a `TreeNodesModel`, such as `nav2_tree_nodes.xml`.
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) allowed: Allowed,
}

/// The folders that documents may import from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Allowed {
    /// Also allow imports from below this folder, not only from below the folder of FILE. Trees of BehaviorTree.CPP
    /// that a file calls are found in it, too. Can be repeated.
    #[arg(
        long = "allow-imports",
        visible_alias = "include",
        value_name = "FOLDER",
        value_parser = folder
    )]
    pub(crate) folders: Vec<PathBuf>,
}

/// A folder; one that is not there is told, as it may be a slip.
fn folder(text: &str) -> Result<PathBuf, std::convert::Infallible> {
    let path = PathBuf::from(text);
    if !path.is_dir() {
        tell(Line::warning(&format!(
            "`--allow-imports {text}`: there is no such folder"
        )));
    }
    Ok(path)
}

impl Selection {
    /// What the command line says about how to read a document.
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            manifest: self.manifest.as_deref(),
            allowed: &self.allowed.folders,
            ..Known::default()
        }
    }

    /// The part of the document that the command line names.
    pub(crate) fn subject(&self) -> Option<Subject> {
        let tree = self.tree.clone().map(Subject::Tree);
        let machine = self.machine.clone().map(Subject::Machine);
        let decision = self.decide.clone().map(Subject::Decision);
        let planner = self.planner.clone().map(Subject::Planner);
        let archetype = self.archetype.clone().map(Subject::Archetype);
        tree.or(machine).or(decision).or(planner).or(archetype)
    }

    /// Whether the command line names a part of the document.
    pub(crate) fn is_given(&self) -> bool {
        self.subject().is_some()
    }
}

/// Reads a document and shows its problems; fails if one of them keeps it from running. Mistakes in tests do not.
pub(crate) fn sound_document(path: &Path, known: Known<'_>) -> Result<Document, Failure> {
    let document = document(path, known)?;
    let takes_manifest = matches!(document.format(), Format::Table | Format::BtCpp);
    if known.manifest.is_some() && !takes_manifest {
        return Err(no_table(path));
    }
    let all = if is_stdin(path) {
        String::new()
    } else {
        format!("; `treemind check {}` shows all", display_name(path))
    };
    if !document.can_run() {
        show_first(document.diagnostics(), &all);
        tell_if_foreign(path);
        return Err(Failure::Reported);
    }
    let (in_tests, others): (Vec<_>, Vec<_>) = document
        .diagnostics()
        .iter()
        .cloned()
        .partition(|one| one.is_in_test() && one.severity() == Severity::Error);
    show_first(&others, &all);
    if let [first, ..] = &in_tests[..] {
        let (line, _) = first.line_column();
        let is_open = in_tests.iter().all(Diagnostic::expects_nothing);
        let mistakes = match (in_tests.len(), is_open) {
            (1, true) => format!("a test expects nothing yet, in line {line}"),
            (1, false) => format!("a mistake in a test, in line {line}"),
            (count, true) => format!("{count} tests expect nothing yet, the first in line {line}"),
            (count, false) => format!("{count} mistakes in tests, the first in line {line}"),
        };
        tell(format!(
            "note: {}: {mistakes}; the tests cannot run, everything else can{all}",
            visible_line(first.source().name())
        ));
    }
    Ok(document)
}

/// Takes a tree or machine from a document; if that fails, shows why.
pub(crate) fn behaviour_of(document: &Document, what: &Selection) -> Result<Behaviour, Failure> {
    let behaviour = match what.subject() {
        Some(subject) => document.behaviour_of(&subject),
        None => document.behaviour(None),
    };
    behaviour.map_err(|diagnostics| {
        show(&diagnostics);
        Failure::Reported
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_without_numbers() {
        let error = io::Error::from_raw_os_error(28);
        assert!(
            !reason(&error).to_string().contains("os error"),
            "{}",
            reason(&error)
        );
        assert_eq!(
            reason(&io::ErrorKind::NotFound.into()).to_string(),
            "there is no such file"
        );
    }
}
