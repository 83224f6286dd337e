//! Documents: texts, what they define, and what is wrong with them.

use crate::btcpp;
use crate::check::{self, Checked, Definition, What};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, Sink};
use crate::manifest::Manifest;
use crate::source::Source;
use crate::suggest;
use crate::syntax;
use std::ops::Range;
use std::sync::Arc;
use treemind_core::{Behaviour, Parts};

/// A document that was read and checked, whatever was found wrong with it.
///
/// ```
/// let text = "
///     leaves { condition see-enemy; action attack; action patrol; }
///     tree guard {
///         reactive-selector {
///             sequence { condition see-enemy; action attack; }
///             action patrol
///         }
///     }";
/// let document = treemind_doc::Document::parse(text, "guard.kdl");
/// let guard = document.behaviour(None).unwrap();
/// assert_eq!(guard.nodes().len(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    sources: Vec<Arc<Source>>,
    diagnostics: Vec<Diagnostic>,
    checked: Checked,
    trees: Vec<Tree>,
    machines: Vec<Tree>,
}

/// A tree, or a machine, that a document defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    name: String,
    doc: Option<String>,
    span: Range<usize>,
}

impl Tree {
    fn of(definition: &Definition) -> Self {
        Self {
            name: definition.name.clone(),
            doc: definition.doc.clone(),
            span: definition.span.clone(),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its one line for people.
    pub fn doc(&self) -> Option<&str> {
        self.doc.as_deref()
    }

    /// Where its name stands in the first source.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// Checking recurses once per level. What people write fits any stack; what is nested far deeper gets a thread with
/// a large one, so that small stacks (those of threads, of Windows, of unoptimised builds) do not overflow.
pub(crate) fn with_room<T: Send>(depth: usize, mut work: impl FnMut() -> T + Send) -> T {
    const SHALLOW: usize = 32;
    const STACK_BYTES: usize = 16 << 20;
    if depth > SHALLOW {
        let done = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            let thread = builder.spawn_scoped(scope, &mut work).ok()?;
            Some(
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            )
        });
        if let Some(done) = done {
            return done;
        }
        // Where there are no threads, the stack at hand must do.
    }
    work()
}

/// What language a document is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// The native one, in KDL.
    #[default]
    Kdl,
    /// The XML of BehaviorTree.CPP, format 4.
    BtCpp,
}

impl Format {
    /// By the ending of the name, `.kdl` or `.xml`; where that says nothing, as for standard input, by how the text
    /// begins: no native document begins with `<`.
    pub fn of(name: &str, text: &str) -> Self {
        let ends_with = |ending: &str| {
            let at = name.len().checked_sub(ending.len());
            at.and_then(|at| name.get(at..))
                .is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if ends_with(".xml") || (!ends_with(".kdl") && text.starts_with('<')) {
            Format::BtCpp
        } else {
            Format::Kdl
        }
    }
}

impl Document {
    /// Reads the bytes of a file, which should be UTF-8 text. `name` is what diagnostics call it; its ending says what
    /// language it is in (see [`Format::of`]).
    pub fn read(bytes: &[u8], name: &str) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, name),
            Err(error) => Self::refused(bytes, error.valid_up_to(), name),
        }
    }

    /// Reads a text. `name` is what diagnostics call it; its ending says what language it is in (see [`Format::of`]).
    pub fn parse(text: &str, name: &str) -> Self {
        let source = Arc::new(Source::new(name, text));
        let mut sink = Sink::new(Arc::clone(&source));
        let format = Format::of(name, text);
        let checked = match format {
            Format::Kdl => {
                let parsed = syntax::parse(source.text(), &mut sink);
                if parsed.whole && !sink.is_full() {
                    // Trees within trees are nested deeper than the text.
                    let depth = if check::any_subtree(&parsed.nodes) {
                        usize::MAX
                    } else {
                        parsed.depth
                    };
                    with_room(depth, || check::check(&parsed.nodes, &mut sink))
                } else {
                    Checked::default()
                }
            }
            Format::BtCpp => btcpp::read(&mut sink),
        };
        let [trees, machines] =
            What::ALL.map(|what| checked.definitions(what).iter().map(Tree::of).collect());
        Self {
            format,
            sources: vec![source],
            diagnostics: sink.finish(),
            checked,
            trees,
            machines,
        }
    }

    /// Bytes that are no text: what is kept of them is the part that is, up to `valid`.
    fn refused(bytes: &[u8], valid: usize, name: &str) -> Self {
        let text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
        let source = Arc::new(Source::new(name, text));
        let mut sink = Sink::new(Arc::clone(&source));
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let (message, help) = if utf16 {
            (
                "this file is UTF-16 text, and Treemind reads UTF-8",
                "save it as UTF-8 in your editor",
            )
        } else if bytes.contains(&0) {
            (
                "this file is binary, not text",
                "is it the file that you meant?",
            )
        } else {
            (
                "here the file stops being UTF-8 text",
                "save it as UTF-8 in your editor",
            )
        };
        sink.error(Code::NotText, valid..valid, message)
            .with_help(help);
        Self {
            format: Format::of(name, ""),
            sources: vec![source],
            diagnostics: sink.finish(),
            checked: Checked::default(),
            trees: Vec::new(),
            machines: Vec::new(),
        }
    }

    /// What language it is written in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The texts, the first one being the file that was read.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().map(|source| &**source)
    }

    /// Everything that was found, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is anything that keeps the document from running.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The trees, in the order of the text.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The state machines, in the order of the text.
    pub fn machines(&self) -> &[Tree] {
        &self.machines
    }

    /// The tree that `main` names, or `main_tree_to_execute`.
    pub fn main(&self) -> Option<&str> {
        self.checked.main.as_deref()
    }

    /// The machine that `main` names.
    pub fn main_machine(&self) -> Option<&str> {
        self.checked.main_machine.as_deref()
    }

    /// The leaves that the document declares, or that its trees use where a format declares none.
    pub fn manifest(&self) -> Manifest {
        Manifest::new(&self.checked.leaves, &self.checked.enums)
    }

    /// A tree, ready to run. `None` stands for what `main` names, a tree or a machine, or else for the only one that
    /// there is.
    ///
    /// # Errors
    /// The diagnostics of the document when there is an error among them; else one that says why there is no such
    /// tree, and which there are.
    pub fn behaviour(&self, tree: Option<&str>) -> Result<Behaviour, Diagnostics> {
        self.refuse_errors()?;
        match tree {
            Some(name) => self.named(What::Tree, name),
            None => {
                let [tree, machine] = [self.main(), self.main_machine()];
                match (tree, machine, &self.trees[..], &self.machines[..]) {
                    (Some(name), ..) => self.named(What::Tree, name),
                    (None, Some(name), ..) => self.named(What::Machine, name),
                    (None, None, [only], []) => self.named(What::Tree, &only.name),
                    (None, None, [], [only]) => self.named(What::Machine, &only.name),
                    _ => Err(self.nothing_said()),
                }
            }
        }
    }

    /// A state machine, ready to run.
    ///
    /// # Errors
    /// As [`behaviour`](Self::behaviour).
    pub fn machine(&self, name: &str) -> Result<Behaviour, Diagnostics> {
        self.refuse_errors()?;
        self.named(What::Machine, name)
    }

    fn refuse_errors(&self) -> Result<(), Diagnostics> {
        if self.has_errors() {
            return Err(Diagnostics(self.diagnostics.clone()));
        }
        Ok(())
    }

    fn named(&self, what: What, name: &str) -> Result<Behaviour, Diagnostics> {
        let mut all = self.checked.definitions(what).iter();
        let Some(definition) = all.find(|definition| definition.name == name) else {
            return Err(self.unknown(what, name));
        };
        let defect = |reason: String| {
            let mut sink = Sink::new(Arc::clone(&self.sources[0]));
            let message = format!(
                "this {} passed every check and still cannot be built: {reason}",
                what.word()
            );
            sink.error(Code::Internal, definition.span.clone(), message)
                .with_help("this is a defect of Treemind; please report it with this document");
            Diagnostics(sink.finish())
        };
        if !definition.refusal.is_empty() {
            return Err(Diagnostics(definition.refusal.clone()));
        }
        let Some(root) = definition.root.clone() else {
            return Err(defect("it has no root".to_owned()));
        };
        Behaviour::new(Parts {
            name: definition.name.clone(),
            enums: self.checked.enums.clone(),
            keys: [&self.checked.keys[..], &definition.keys].concat(),
            leaves: self.checked.leaves.clone(),
            semaphores: definition.found.semaphores.clone(),
            labels: definition.found.labels.names.clone(),
            root,
        })
        .map_err(|error| defect(error.to_string()))
    }

    /// What to say when there are several things that could run.
    fn nothing_said(&self) -> Diagnostics {
        let how = match self.format {
            Format::Kdl if self.trees.is_empty() => "write `main machine=NAME`, or name one",
            Format::Kdl => "write `main tree=NAME`, or name one",
            Format::BtCpp => "write `<root main_tree_to_execute=\"NAME\" …>`, or name one",
        };
        let lists = [(What::Tree, &self.trees), (What::Machine, &self.machines)];
        let lists = lists
            .into_iter()
            .filter(|(_, all)| !all.is_empty())
            .map(|(what, all)| listed(what, all));
        let lists: Vec<String> = lists.collect();
        let message = match (&self.trees[..], &self.machines[..]) {
            (_, []) => "the document does not say which of its trees to run",
            ([], _) => "the document does not say which of its machines to run",
            _ => "the document does not say which of its trees and machines to run",
        };
        let help = format!("{how}; {}", lists.join("; "));
        self.refusal(Code::NoTree, message, Some(help))
    }

    fn unknown(&self, what: What, name: &str) -> Diagnostics {
        let all = match what {
            What::Tree => &self.trees,
            What::Machine => &self.machines,
        };
        let help = if all.is_empty() {
            Some(format!("there are no {}s in this document", what.word()))
        } else {
            let names = all.iter().map(Tree::name);
            suggest::did_you_mean(name, names, || Some(listed(what, all)))
        };
        let message = format!("no {} is named `{name}`", what.word());
        self.refusal(what.unknown(), &message, help)
    }

    fn refusal(&self, code: Code, message: &str, help: Option<String>) -> Diagnostics {
        let mut sink = Sink::new(Arc::clone(&self.sources[0]));
        sink.error(code, 0..0, message).help = help;
        Diagnostics(sink.finish())
    }
}

/// `the trees are …`
fn listed(what: What, all: &[Tree]) -> String {
    let names = all.iter().map(Tree::name);
    format!("the {}s are {}", what.word(), suggest::listed(names))
}
