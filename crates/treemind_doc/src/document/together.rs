//! Checks several documents together: whether they agree about what they share.

use super::Document;
use crate::check::{Checked, Shared};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::source::Source;
use crate::suggest;
use crate::syntax::{Span, shortened};
use crate::{Said, said};
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
    /// Of an event: whether it is emitted to other agents, and whether something waits for it.
    is_sent: bool,
    is_awaited: bool,
}

impl Declaration {
    /// The declarations of a document that was checked.
    pub(super) fn all(checked: &Checked, sink: &Sink) -> Vec<Self> {
        let shared = checked.shared.iter();
        let declaration = |one: &Shared| {
            let (source, span) = sink.locate(&one.span);
            let allowed = |within: &Span| within.contains(&one.span.start);
            Self {
                kind: one.kind,
                name: one.name.clone(),
                text: one.text.clone(),
                source: Arc::clone(source),
                span,
                may_be_alone: checked.allowed_alone.iter().any(allowed),
                is_sent: one.is_sent,
                is_awaited: one.is_awaited,
            }
        };
        shared.map(declaration).collect()
    }
}

/// Checks whether documents agree about what they share by name, as programs that join one
/// [`Society`](treemind_core::Society) must: keys, semaphores, and events that one of them emits to others. Reports what
/// two of them declare differently, as an error; what only one of them has although another has a similar name, and an
/// event that is emitted to others and that nothing in any of them waits for, as warnings. What is about two documents
/// stands at the later one.
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
            if one.kind == SharedKind::Event {
                let first = earlier().find(|other| other.is_same(one) && other.goes_to(one));
                if let Some(first) = first.filter(|first| first.text != one.text) {
                    found.push(one.differs_from(first));
                }
                let all = || documents.iter().flat_map(|document| &document.shared);
                let is_heard = all().any(|other| other.is_same(one) && other.is_awaited);
                if one.is_sent && !is_heard && !one.may_be_alone && documents.len() > 1 {
                    let awaited = all().filter(|other| other.is_awaited);
                    found.push(one.is_lost(&awaited.collect::<Vec<_>>()));
                }
            } else if let Some(first) = earlier().find(|other| other.is_same(one)) {
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

    /// Whether one of two events goes to agents of the other's program.
    fn goes_to(&self, other: &Self) -> bool {
        self.is_sent || other.is_sent
    }

    /// A warning that nothing waits for an event, given those that something waits for.
    fn is_lost(&self, awaited: &[&Self]) -> Diagnostic {
        let name = shortened(&self.name);
        let message = said!("nothing in these documents waits for the event `{}`", name);
        let mut found = self.diagnostic(Code::SharedAlone, Severity::Warning, message);
        let names = awaited.iter().map(|other| other.name.as_str());
        found.with_help(match suggest::nearest(&self.name, names) {
            Some(near) => suggest::meant(near),
            None => said!("if only the game listens to it, add `allow=\"T0614\"` to it"),
        });
        found
    }

    fn diagnostic(&self, code: Code, severity: Severity, message: Said) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            source: Arc::clone(&self.source),
            span: self.span.clone(),
            begin: 0,
            message: message.into(),
            help: None,
            missing: None,
            is_in_test: false,
            expects_nothing: false,
        }
    }

    fn differs_from(&self, first: &Self) -> Diagnostic {
        let name = shortened(&self.name);
        let message = said!(
            "{} `{}` is declared differently in another document",
            called(self.kind),
            name
        );
        let mut found = self.diagnostic(Code::Contradiction, Severity::Error, message);
        let (line, column) = first.source.line_column(first.span.start);
        let file = first.source.name();
        found.with_help(said!(
            "it is `{}` here, and `{}` in {}:{}:{}; programs that share it must agree",
            self.text,
            first.text,
            file,
            line,
            column
        ));
        found
    }

    /// A warning if one of those that other documents have has a similar name.
    fn resembles(&self, others: &[&Self]) -> Option<Diagnostic> {
        let names = others.iter().map(|other| other.name.as_str());
        let near = suggest::nearest(&self.name, names)?;
        let near = others.iter().find(|other| other.name == near)?;
        let name = shortened(&self.name);
        let message = said!(
            "no other document has a shared {} `{}`",
            called(self.kind),
            name
        );
        let mut found = self.diagnostic(Code::SharedAlone, Severity::Warning, message);
        let (line, column) = near.source.line_column(near.span.start);
        let (file, near) = (near.source.name(), shortened(&near.name));
        found.with_help(said!(
            "did you mean `{}`, as in {}:{}:{}?",
            near,
            file,
            line,
            column
        ));
        Some(found)
    }
}

/// What is shared, in messages.
fn called(kind: SharedKind) -> Said {
    match kind {
        SharedKind::Key => said!("key"),
        SharedKind::Semaphore => said!("semaphore"),
        SharedKind::Event => said!("event"),
        other => other.to_string().into(),
    }
}
