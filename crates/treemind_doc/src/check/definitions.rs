//! Definitions: the trees, machines and decision trees of a document.

use super::Layout;
use super::interrupts::Labels;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Node, Span};
use std::sync::Arc;
use treemind_core::behaviour;

/// What a document defines that can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefinitionKind {
    Tree,
    Machine,
    Decision,
}

impl DefinitionKind {
    pub(crate) const ALL: [DefinitionKind; 3] = [
        DefinitionKind::Tree,
        DefinitionKind::Machine,
        DefinitionKind::Decision,
    ];

    /// The word that documents use.
    pub(crate) fn word(self) -> &'static str {
        match self {
            DefinitionKind::Tree => "tree",
            DefinitionKind::Machine => "machine",
            DefinitionKind::Decision => "decide",
        }
    }

    /// What people call it.
    pub(crate) fn called(self) -> &'static str {
        match self {
            DefinitionKind::Tree => "tree",
            DefinitionKind::Machine => "machine",
            DefinitionKind::Decision => "decision tree",
        }
    }

    /// The word of the node that stands for it in a tree.
    pub(crate) fn node_word(self) -> &'static str {
        match self {
            DefinitionKind::Tree => "subtree",
            DefinitionKind::Machine => "machine",
            DefinitionKind::Decision => "decide",
        }
    }

    /// The code of a name that nothing of its kind has.
    pub(crate) fn unknown(self) -> Code {
        match self {
            DefinitionKind::Tree => Code::UnknownTree,
            DefinitionKind::Machine => Code::UnknownMachine,
            DefinitionKind::Decision => Code::UnknownDecision,
        }
    }

    /// What is defined by a node at the top of a document.
    pub(super) fn of(node: &Node) -> Option<DefinitionKind> {
        DefinitionKind::ALL
            .into_iter()
            .find(|what| what.word() == node.name.value)
    }
}

/// One of something for each kind of definition, at `kind as usize`.
pub(crate) type PerKind<T> = [T; DefinitionKind::ALL.len()];

/// A tree, machine or decision tree as the document defines it.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) doc: Option<String>,
    /// `None` when there is a mistake in it.
    pub(crate) root: Option<behaviour::Node>,
    /// The keys of its own and of those that it holds; they come behind those of the document.
    pub(crate) keys: Vec<behaviour::Key>,
    /// What its own nodes, and those of the trees that it holds, go by.
    pub(crate) synchronization: Synchronization,
    /// Why it cannot run unless another tree holds it.
    pub(crate) refusal: Vec<Diagnostic>,
    /// Of a decision tree without mistakes: what stands where.
    #[cfg_attr(not(feature = "internals"), expect(dead_code))]
    pub(crate) layout: Option<Arc<Layout>>,
}

/// What nodes of a tree that stand apart have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Synchronization {
    pub(crate) labels: Labels,
    pub(crate) semaphores: Vec<behaviour::Semaphore>,
}
