//! Problems of a document, reported to the person who wrote it.

mod sink;

pub use sink::MAX_DIAGNOSTICS;
pub(crate) use sink::{Problem, Reported, Sink};

use crate::code::Code;
use crate::source::Source;
use crate::text::visible::visible_line;
use crate::{Said, said};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The document runs, but probably not as intended.
    Warning,
    /// The document gives no behaviour.
    Error,
}

impl Severity {
    /// The printed word.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A sentence, and its English, which callers borrow.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    said: Said,
    english: String,
}

impl From<Said> for Sentence {
    fn from(said: Said) -> Self {
        let english = said.to_string();
        Self { said, english }
    }
}

impl Sentence {
    /// What is said.
    pub(crate) fn into_said(self) -> Said {
        self.said
    }

    /// What is said.
    pub(crate) fn said(&self) -> &Said {
        &self.said
    }
}

/// One problem: what is wrong, where, and what to do about it.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) source: Arc<Source>,
    pub(crate) span: Range<usize>,
    /// Where its source begins among all sources of the document.
    pub(crate) begin: usize,
    pub(crate) message: Sentence,
    pub(crate) help: Option<Sentence>,
    /// The name that is not defined, if another file could define it.
    pub(crate) missing: Option<String>,
    /// It is about a test, so it does not keep the document from running.
    pub(crate) is_in_test: bool,
    /// It says of a test that it expects nothing.
    pub(crate) expects_nothing: bool,
}

impl Diagnostic {
    /// The stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The text that it is about.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes of the source's text that it is about.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Line and column where the span begins, from 1.
    pub fn line_column(&self) -> (usize, usize) {
        self.source.line_column(self.span.start)
    }

    /// What is wrong, in English.
    pub fn message(&self) -> &str {
        &self.message.english
    }

    /// What is wrong, for whoever says it in another language.
    pub fn said(&self) -> &Said {
        &self.message.said
    }

    /// What to do about it, in English, if there is a suggestion.
    pub fn help(&self) -> Option<&str> {
        self.help.as_ref().map(|help| &*help.english)
    }

    /// What to do about it, for whoever says it in another language.
    pub fn said_help(&self) -> Option<&Said> {
        self.help.as_ref().map(|help| &help.said)
    }

    /// Whether it is about a `test`. Such a mistake keeps the tests of a document from being run, and nothing else.
    pub fn is_in_test(&self) -> bool {
        self.is_in_test
    }

    /// Whether it says of a `test` that it expects nothing. Such a test shows nothing yet, but what happens in it can be played.
    pub fn expects_nothing(&self) -> bool {
        self.expects_nothing
    }

    /// Whether the document does not run because of it: an error, unless it is about a `test`.
    pub fn is_fatal(&self) -> bool {
        self.severity == Severity::Error && !self.is_in_test
    }

    /// The span in the range of all sources of the document.
    pub(crate) fn place(&self) -> Range<usize> {
        self.begin + self.span.start..self.begin + self.span.end
    }

    pub(crate) fn with_help(&mut self, help: Said) {
        self.help = Some(help.into());
    }

    pub(crate) fn with_perhaps(&mut self, help: Option<Said>) {
        self.help = help.map(Into::into);
    }

    /// The plain rendering: `guard.kdl:12:9: error[T0102]: …`, with a further line for the help if there is one.
    /// Text from the document is [made visible](crate::visible_line) in it.
    pub fn to_plain(&self) -> String {
        let lines = self.lines();
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The lines of the plain rendering, for whoever says them in another language.
    pub fn lines(&self) -> Vec<Said> {
        let (line, column) = self.line_column();
        let place = format!("{}:{line}:{column}", visible_line(self.source.name()));
        let said = self.message.said.visible();
        let said = match self.severity {
            Severity::Error => said!("{}: error[{}]: {}", place, self.code, said),
            Severity::Warning => said!("{}: warning[{}]: {}", place, self.code, said),
        };
        let help = self.help.as_ref();
        let help = help.map(|help| said!("  help: {}", help.said.visible()));
        std::iter::once(said).chain(help).collect()
    }
}

impl fmt::Display for Diagnostic {
    /// Only the message, [made visible](crate::visible_line); [`Diagnostic::to_plain`] also gives the rest.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&visible_line(self.message()))
    }
}

impl fmt::Debug for Diagnostic {
    /// Like [`Diagnostics`], for people: `main` prints an error that it returns with `Debug`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(std::slice::from_ref(self), out)
    }
}

impl std::error::Error for Diagnostic {}

#[cfg(feature = "miette")]
impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = Diagnostic::help(self)?;
        Some(Box::new(visible_line(help)))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&*self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let span = self.source.shown_span(&self.span);
        let label = miette::LabeledSpan::new_primary_with_span(None, span);
        Some(Box::new(std::iter::once(label)))
    }
}

/// The text shown has been made visible, so spans are those of `Source::shown_span`.
#[cfg(feature = "miette")]
impl miette::SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let inner = self
            .shown()
            .read_span(span, context_lines_before, context_lines_after)?;
        Ok(Box::new(miette::MietteSpanContents::new_named(
            visible_line(self.name()).into_owned(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

/// Diagnostics as one error, in the order of the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics(pub(crate) Vec<Diagnostic>);

impl Diagnostics {
    /// The plain rendering of all of them.
    pub fn to_plain(&self) -> String {
        self.0.iter().map(Diagnostic::to_plain).collect()
    }

    /// The diagnostics by value.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl fmt::Display for Diagnostics {
    /// The plain rendering, without the line end of the last line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.to_plain().trim_end())
    }
}

impl fmt::Debug for Diagnostics {
    /// For people, because `main` prints an error that it returns with `Debug`, and so does `unwrap`: the plain
    /// rendering, or with the feature `fancy` the lines of the document with the problem underlined.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(&self.0, out)
    }
}

#[cfg(not(feature = "fancy"))]
fn show(diagnostics: &[Diagnostic], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let plain: String = diagnostics.iter().map(Diagnostic::to_plain).collect();
    out.write_str(plain.trim_end())
}

#[cfg(feature = "fancy")]
fn show(diagnostics: &[Diagnostic], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Without colours, because the output may go anywhere.
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_links(false);
    let mut drawn = String::new();
    for diagnostic in diagnostics {
        handler.render_report(&mut drawn, diagnostic)?;
    }
    out.write_str(drawn.trim_end())
}

impl std::error::Error for Diagnostics {}
