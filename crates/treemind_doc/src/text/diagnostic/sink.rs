//! Collects the diagnostics of a document while it is read and checked.

use super::{Diagnostic, Severity};
use crate::code::Code;
use crate::source::{Source, char_start};
use crate::syntax::{Text, shortened};
#[cfg(feature = "btcpp")]
use crate::text::mended::Mended;
use crate::{Said, said};
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// Proof that an error was reported, which only a [`Sink`] gives. Code that leaves something out because of a
/// mistake returns one, so nothing is left out without a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reported(());

/// An error that was just reported, and to which a help can still be added.
#[derive(Debug)]
pub(crate) struct Problem<'s>(&'s mut Diagnostic);

impl Problem<'_> {
    pub(crate) fn with_help(self, help: Said) -> Reported {
        self.0.with_help(help);
        self.reported()
    }

    pub(crate) fn with_perhaps(self, help: Option<Said>) -> Reported {
        self.0.with_perhaps(help);
        self.reported()
    }

    pub(crate) fn reported(self) -> Reported {
        Reported(())
    }
}

impl Deref for Problem<'_> {
    type Target = Diagnostic;

    fn deref(&self) -> &Diagnostic {
        self.0
    }
}

impl DerefMut for Problem<'_> {
    fn deref_mut(&mut self) -> &mut Diagnostic {
        self.0
    }
}

/// How many errors, and how many warnings, are kept for one document.
pub const MAX_DIAGNOSTICS: usize = 500;

/// Collects the diagnostics of the sources of a document.
#[derive(Debug)]
pub(crate) struct Sink {
    /// The sources in order, and where each begins; the first is the document itself.
    sources: Vec<(usize, Arc<Source>)>,
    /// The offset that is added to spans: the beginning of the source being read.
    base: usize,
    /// Where the places of another text are in the source being read, if they differ.
    #[cfg(feature = "btcpp")]
    pub(in crate::text) mended: Option<Arc<Mended>>,
    /// The names of trees in other files, of which a missing one may be misspelt.
    #[cfg(feature = "btcpp")]
    pub(crate) trees_nearby: Vec<String>,
    /// The nodes of which no file says what they are.
    #[cfg(feature = "btcpp")]
    pub(crate) doubts: std::collections::BTreeSet<String>,
    list: Vec<Diagnostic>,
    spare: Option<Diagnostic>,
    errors: usize,
    /// Errors were found before it, with the sink that it was made of.
    is_after_errors: bool,
    warnings: usize,
    /// The document is one of another system.
    is_foreign: bool,
    /// How many errors there were before tests were read, while they are.
    before_tests: Option<usize>,
}

impl Sink {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self::of(vec![(0, source)])
    }

    /// An empty sink for the same sources.
    pub(crate) fn fresh(&self) -> Self {
        Self {
            is_foreign: self.is_foreign,
            is_after_errors: self.is_after_errors || self.has_errors(),
            before_tests: self.before_tests,
            ..Self::of(self.sources.clone())
        }
    }

    fn of(sources: Vec<(usize, Arc<Source>)>) -> Self {
        Self {
            sources,
            base: 0,
            #[cfg(feature = "btcpp")]
            mended: None,
            #[cfg(feature = "btcpp")]
            trees_nearby: Vec::new(),
            #[cfg(feature = "btcpp")]
            doubts: std::collections::BTreeSet::new(),
            list: Vec::new(),
            spare: None,
            errors: 0,
            is_after_errors: false,
            warnings: 0,
            is_foreign: false,
            before_tests: None,
        }
    }

    /// From now on the document is one of another system: its words are those of its text, and nodes may say what only
    /// that system can.
    #[cfg(feature = "btcpp")]
    pub(crate) fn enter_foreign(&mut self) {
        self.is_foreign = true;
    }

    /// From now on diagnostics are about tests, until [`leave_tests`](Self::leave_tests).
    pub(crate) fn enter_tests(&mut self) {
        self.before_tests = Some(self.errors);
    }

    /// From now on diagnostics are no longer about tests. Returns whether there was an error before the tests.
    pub(crate) fn leave_tests(&mut self) -> bool {
        self.before_tests.take().is_some_and(|errors| errors > 0)
    }

    /// Whether the document is one of another system.
    pub(crate) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// One of two ways to say something: of a document in words of ours, and of one of another system.
    pub(crate) fn say(&self, own: Said, foreign: Said) -> Said {
        if self.is_foreign { foreign } else { own }
    }

    /// A word as whoever wrote the document knows it.
    pub(crate) fn word(&self, name: &Text) -> String {
        shortened(if self.is_foreign {
            self.slice(&name.span)
        } else {
            &name.value
        })
    }

    /// The source that is being read.
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.sources[self.index(self.base)].1
    }

    /// All sources, and where they begin.
    pub(crate) fn sources(&self) -> &[(usize, Arc<Source>)] {
        &self.sources
    }

    /// Adds a source after the others; returns where it begins.
    pub(crate) fn add(&mut self, source: Arc<Source>) -> usize {
        let (begin, last) = &self.sources[self.sources.len() - 1];
        // One more, so that the end of a text differs from the beginning of the next.
        let begin = begin + last.text().len() + 1;
        self.sources.push((begin, source));
        begin
    }

    /// The source with a name, and where it begins.
    pub(crate) fn source_named(&self, name: &str) -> Option<(usize, Arc<Source>)> {
        let mut all = self.sources.iter();
        let (begin, source) = all.find(|(_, source)| source.name() == name)?;
        Some((*begin, Arc::clone(source)))
    }

    /// From now on, spans are those of the source that begins at `begin`.
    pub(crate) fn enter(&mut self, begin: usize) {
        self.base = begin;
        #[cfg(feature = "btcpp")]
        drop(self.mended.take());
    }

    fn index(&self, at: usize) -> usize {
        self.sources.partition_point(|(begin, _)| *begin <= at) - 1
    }

    /// Whether a span is in the first source.
    pub(crate) fn is_own(&self, span: &Range<usize>) -> bool {
        self.index(span.start) == 0
    }

    /// The source of a span, and the span within it.
    pub(crate) fn locate(&self, span: &Range<usize>) -> (&Arc<Source>, Range<usize>) {
        let (begin, source) = &self.sources[self.index(span.start)];
        (source, span.start - begin..span.end.max(span.start) - begin)
    }

    /// The place of a span, for a reader who is looking at another one: its line and column, and its file if it
    /// differs.
    pub(crate) fn place_of(&self, span: &Range<usize>, seen_from: &Range<usize>) -> Said {
        let (source, local) = self.locate(span);
        let (line, column) = source.line_column(local.start);
        if self.index(span.start) == self.index(seen_from.start) {
            said!("line {}, column {}", line, column)
        } else {
            said!("line {}, column {} of {}", line, column, source.name())
        }
    }

    /// The text of a span.
    pub(crate) fn slice(&self, span: &Range<usize>) -> &str {
        let (source, span) = self.locate(span);
        source.slice(&span)
    }

    /// Whether further diagnostics are dropped; checks may stop then.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    /// How many errors there have been.
    pub(crate) fn error_count(&self) -> usize {
        self.errors
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub(crate) fn error(&mut self, code: Code, span: Range<usize>, message: Said) -> Problem<'_> {
        Problem(self.push(Severity::Error, code, span, message))
    }

    /// Reports an error that was found with another sink for the same sources.
    pub(crate) fn report(&mut self, error: Diagnostic) {
        self.errors += 1;
        if self.errors <= MAX_DIAGNOSTICS {
            self.list.push(error);
        }
    }

    /// Proof for a mistake that was reported where the thing was read or declared, before it is used here. This is
    /// checked: if there has been no error at all, that is a defect, and reported as one.
    pub(crate) fn reported_before(&mut self, span: Range<usize>) -> Reported {
        if self.errors == 0 && !self.is_after_errors {
            let message =
                said!("this has an error that was not reported, which is a defect of Treemind");
            self.error(Code::Internal, span, message);
        }
        Reported(())
    }

    /// Reports a name that is not defined here; another file may define it.
    pub(crate) fn missing(
        &mut self,
        code: Code,
        (name, span): (&str, Range<usize>),
        message: Said,
    ) -> Problem<'_> {
        let mut problem = self.error(code, span, message);
        problem.missing = Some(name.to_owned());
        problem
    }

    pub(crate) fn warning(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: Said,
    ) -> &mut Diagnostic {
        self.push(Severity::Warning, code, span, message)
    }

    /// Removes the warnings with a code within a span; returns false if there were none.
    pub(crate) fn forgive(&mut self, code: Code, within: &Range<usize>) -> bool {
        let before = self.list.len();
        self.list.retain(|item| {
            item.severity == Severity::Error
                || item.code != code
                || !within.contains(&item.place().start)
        });
        let gone = before - self.list.len();
        self.warnings -= gone;
        gone > 0
    }

    /// Replaces the help of the diagnostic that was pushed last.
    pub(crate) fn help_last(&mut self, help: Said) {
        if let Some(last) = self.list.last_mut() {
            last.with_help(help);
        }
    }

    fn push(
        &mut self,
        severity: Severity,
        code: Code,
        span: Range<usize>,
        message: Said,
    ) -> &mut Diagnostic {
        #[cfg(feature = "btcpp")]
        let span = self.original(span);
        let place = self.base + span.start..self.base + span.end;
        let (source, span) = self.locate(&place);
        let whole = |at: usize| char_start(source.text(), at);
        let diagnostic = Diagnostic {
            code,
            severity,
            source: Arc::clone(source),
            begin: place.start - span.start,
            span: whole(span.start)..whole(span.end),
            message: message.into(),
            help: None,
            missing: None,
            is_in_test: self.before_tests.is_some(),
            expects_nothing: false,
        };
        if severity == Severity::Warning && diagnostic.begin > 0 {
            // Imported files get their warnings when they are checked themselves.
            return self.spare.insert(diagnostic);
        }
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        let too_many = *count > MAX_DIAGNOSTICS;
        if too_many {
            return self.spare.insert(diagnostic);
        }
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// The diagnostics in the order of the texts, with a final one if some were dropped.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|item| item.place().start);
        // A decision tree that several transitions ask leads to an unknown state for each of them.
        self.list.dedup();
        // Warnings that were left out must not keep a document from running.
        let more = if self.is_full() {
            Some((
                Severity::Error,
                said!(
                    "only the first {} errors are listed; there may be more",
                    MAX_DIAGNOSTICS
                ),
            ))
        } else if self.warnings > MAX_DIAGNOSTICS {
            Some((
                Severity::Warning,
                said!(
                    "only the first {} warnings are listed; there may be more",
                    MAX_DIAGNOSTICS
                ),
            ))
        } else {
            None
        };
        if let Some((severity, message)) = more {
            // Tests are read last, so with one of their errors in the list only theirs can be missing.
            let mut errors = self.list.iter().filter(|item| item.severity == severity);
            let is_in_test = errors.any(|item| item.is_in_test);
            self.list.push(Diagnostic {
                code: Code::TooMany,
                severity,
                source: Arc::clone(&self.sources[0].1),
                begin: 0,
                span: 0..0,
                message: message.into(),
                help: None,
                missing: None,
                is_in_test,
                expects_nothing: false,
            });
        }
        self.list
    }
}
