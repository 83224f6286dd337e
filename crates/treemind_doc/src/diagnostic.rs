//! What is wrong with a document, said to the person who wrote it.

use crate::code::Code;
use crate::source::{Source, char_start};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The document runs, but probably not as meant.
    Warning,
    /// The document yields no behaviour.
    Error,
}

impl Severity {
    /// The word that is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One problem: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) source: Arc<Source>,
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
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

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, when that can be said.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    pub(crate) fn with_help(&mut self, help: impl Into<String>) {
        self.help = Some(help.into());
    }

    /// The plain rendering: `guard.kdl:12:9: error[T0102]: …`, and a line with the help if there is one.
    pub fn to_plain(&self) -> String {
        let (line, column) = self.line_column();
        let mut out = format!(
            "{}:{line}:{column}: {}[{}]: {}\n",
            self.source.name(),
            self.severity.as_str(),
            self.code,
            self.message
        );
        if let Some(help) = &self.help {
            out.push_str("  help: ");
            out.push_str(help);
            out.push('\n');
        }
        out
    }
}

impl fmt::Display for Diagnostic {
    /// The message alone; [`Diagnostic::to_plain`] has it all.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

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
        let help = self.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(&*self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let label = miette::LabeledSpan::new_primary_with_span(None, self.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}

impl miette::SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let inner = self
            .text()
            .read_span(span, context_lines_before, context_lines_after)?;
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.name().to_owned(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

/// Diagnostics as one error, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl std::error::Error for Diagnostics {}

/// How many errors, and how many warnings, of one document are kept.
pub const MAX_DIAGNOSTICS: usize = 500;

/// Collects the diagnostics of one source.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) source: Arc<Source>,
    list: Vec<Diagnostic>,
    spare: Option<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Sink {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self {
            source,
            list: Vec::new(),
            spare: None,
            errors: 0,
            warnings: 0,
        }
    }

    /// Whether further diagnostics are dropped; whoever checks may stop then.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// How many errors there have been.
    pub(crate) fn error_count(&self) -> usize {
        self.errors
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub(crate) fn error(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Severity::Error, code, span, message.into())
    }

    pub(crate) fn warning(
        &mut self,
        code: Code,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(Severity::Warning, code, span, message.into())
    }

    /// Gives the diagnostic pushed last another help.
    pub(crate) fn help_last(&mut self, help: String) {
        if let Some(last) = self.list.last_mut() {
            last.with_help(help);
        }
    }

    fn push(
        &mut self,
        severity: Severity,
        code: Code,
        span: Range<usize>,
        message: String,
    ) -> &mut Diagnostic {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        let too_many = *count > MAX_DIAGNOSTICS;
        let text = self.source.text();
        let whole = |at: usize| char_start(text, at);
        let span = whole(span.start)..whole(span.end.max(span.start));
        let diagnostic = Diagnostic {
            code,
            severity,
            source: Arc::clone(&self.source),
            span,
            message,
            help: None,
        };
        if too_many {
            return self.spare.insert(diagnostic);
        }
        self.list.push(diagnostic);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// The diagnostics in the order of the text, with a last one when some were dropped.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|item| item.span.start);
        // Warnings that are left out must not keep a document from running.
        let more = if self.is_full() {
            Some((Severity::Error, "errors"))
        } else if self.warnings > MAX_DIAGNOSTICS {
            Some((Severity::Warning, "warnings"))
        } else {
            None
        };
        if let Some((severity, what)) = more {
            let message =
                format!("only the first {MAX_DIAGNOSTICS} {what} are listed; there may be more");
            self.list.push(Diagnostic {
                code: Code::TooMany,
                severity,
                source: self.source,
                span: 0..0,
                message,
                help: None,
            });
        }
        self.list
    }
}
