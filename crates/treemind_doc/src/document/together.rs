//! Checks several documents together: whether they agree about what they share.

use super::Document;
use crate::check::Checked;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::source::Source;
use crate::suggest;
use crate::syntax::{Span, shortened};
use std::sync::Arc;
use treemind_core::society::SharedKind;

/// A declaration of something that programs share.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    kind: SharedKind,
    name: String,
    /// What it says, in a form in which equal declarations are equal.
    text: String,
    source: Arc<Source>,
    span: Span,
    /// Whether it may be shared with no other document.
    may_be_alone: bool,
}

impl Declaration {
    /// The declarations of a document that was checked.
    pub(super) fn all(checked: &Checked, sink: &Sink) -> Vec<Self> {
        let shared = checked.shared.iter();
        let declaration = |(place, kind, name, text): &(Span, SharedKind, String, String)| {
            let (source, span) = sink.locate(place);
            let allowed = |within: &Span| within.contains(&place.start);
            Self {
                kind: *kind,
                name: name.clone(),
                text: text.clone(),
                source: Arc::clone(source),
                span,
                may_be_alone: checked.allowed_alone.iter().any(allowed),
            }
        };
        shared.map(declaration).collect()
    }
}

/// Checks whether documents agree about the keys and semaphores that they share by name, as programs that join one
/// [`Society`](treemind_core::Society) must. Reports what two of them declare differently, as an error; and what only
/// one of them has although another has a similar name, as a warning. Both stand at the later document.
pub fn check_together(documents: &[&Document]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let earlier = || documents[..number].iter().flat_map(|other| &other.shared);
        let others = || {
            let others = documents.iter().enumerate();
            let others = others.filter(move |(other, _)| *other != number);
            others.flat_map(|(_, other)| &other.shared)
        };
        for one in &document.shared {
            if let Some(first) = earlier().find(|other| other.is_same(one)) {
                if first.text != one.text {
                    found.push(one.differs_from(first));
                }
            } else if !one.may_be_alone && !others().any(|other| other.is_same(one)) {
                let own =
                    |other: &Declaration| document.shared.iter().any(|own| own.is_same(other));
                let similar = earlier().filter(|other| other.kind == one.kind && !own(other));
                found.extend(one.resembles(&similar.collect::<Vec<_>>()));
            }
        }
    }
    found
}

impl Document {
    /// Where it declares what its programs share.
    pub(super) fn shared_places(&self) -> impl Iterator<Item = (SharedKind, String, String)> + '_ {
        // The first place of each name is what counts.
        self.shared.iter().rev().map(|one| {
            let (line, column) = one.source.line_column(one.span.start);
            let place = format!("{}:{line}:{column}", one.source.name());
            (one.kind, one.name.clone(), place)
        })
    }
}

impl Declaration {
    /// Whether another is about the same thing.
    fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.name) == (other.kind, &other.name)
    }

    fn diagnostic(&self, code: Code, severity: Severity, message: String) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            source: Arc::clone(&self.source),
            span: self.span.clone(),
            begin: 0,
            message,
            help: None,
            missing: None,
        }
    }

    fn differs_from(&self, first: &Self) -> Diagnostic {
        let (kind, name) = (self.kind, shortened(&self.name));
        let message = format!("{kind} `{name}` is declared differently in another document");
        let mut found = self.diagnostic(Code::Contradiction, Severity::Error, message);
        let (line, column) = first.source.line_column(first.span.start);
        let file = first.source.name();
        found.with_help(format!(
            "it is `{}` here, and `{}` in {file}:{line}:{column}; programs that share it must agree",
            self.text, first.text
        ));
        found
    }

    /// A warning if one of those that other documents have has a similar name.
    fn resembles(&self, others: &[&Self]) -> Option<Diagnostic> {
        let names = others.iter().map(|other| other.name.as_str());
        let near = suggest::nearest(&self.name, names)?;
        let near = others.iter().find(|other| other.name == near)?;
        let (kind, name) = (self.kind, shortened(&self.name));
        let message = format!("no other document has a shared {kind} `{name}`");
        let mut found = self.diagnostic(Code::SharedAlone, Severity::Warning, message);
        let (line, column) = near.source.line_column(near.span.start);
        let (file, near) = (near.source.name(), shortened(&near.name));
        found.with_help(format!(
            "did you mean `{near}`, as in {file}:{line}:{column}?"
        ));
        Some(found)
    }
}
