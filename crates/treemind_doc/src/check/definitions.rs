//! Definitions: the trees, machines, decision trees and planners of a document.

use super::Layout;
use super::interrupts::Labels;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::symbols::SymbolKind;
use crate::syntax::{Node, Span};
use crate::{Said, said};
use std::sync::Arc;
use treemind_core::behaviour;

/// The kind of a definition that can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefinitionKind {
    Tree,
    Machine,
    Decision,
    Planner,
}

impl DefinitionKind {
    pub(crate) const ALL: [DefinitionKind; 4] = [
        DefinitionKind::Tree,
        DefinitionKind::Machine,
        DefinitionKind::Decision,
        DefinitionKind::Planner,
    ];

    /// The keyword in documents.
    pub(crate) fn word(self) -> &'static str {
        match self {
            DefinitionKind::Tree => "tree",
            DefinitionKind::Machine => "machine",
            DefinitionKind::Decision => "decide",
            DefinitionKind::Planner => "planner",
        }
    }

    /// The name of the kind in messages.
    pub(crate) fn called(self) -> Said {
        match self {
            DefinitionKind::Tree => said!("tree"),
            DefinitionKind::Machine => said!("machine"),
            DefinitionKind::Decision => said!("decision tree"),
            DefinitionKind::Planner => said!("planner"),
        }
    }

    /// The name of several of the kind in messages.
    pub(crate) fn several(self) -> Said {
        match self {
            DefinitionKind::Tree => said!("trees"),
            DefinitionKind::Machine => said!("machines"),
            DefinitionKind::Decision => said!("decision trees"),
            DefinitionKind::Planner => said!("planners"),
        }
    }

    /// The keyword of the node that stands for it in a tree.
    pub(crate) fn node_word(self) -> &'static str {
        match self {
            DefinitionKind::Tree => "subtree",
            DefinitionKind::Machine => "machine",
            DefinitionKind::Decision => "decide",
            DefinitionKind::Planner => "planner",
        }
    }

    pub(super) fn symbol(self) -> SymbolKind {
        match self {
            DefinitionKind::Tree => SymbolKind::Tree,
            DefinitionKind::Machine => SymbolKind::Machine,
            DefinitionKind::Decision => SymbolKind::Decision,
            DefinitionKind::Planner => SymbolKind::Planner,
        }
    }

    /// The code for a name that no definition of this kind has.
    pub(crate) fn unknown(self) -> Code {
        match self {
            DefinitionKind::Tree => Code::UnknownTree,
            DefinitionKind::Machine => Code::UnknownMachine,
            DefinitionKind::Decision => Code::UnknownDecision,
            DefinitionKind::Planner => Code::UnknownPlanner,
        }
    }

    /// The kind of definition that a node at the top of a document makes.
    pub(super) fn of(node: &Node) -> Option<DefinitionKind> {
        DefinitionKind::ALL
            .into_iter()
            .find(|what| what.word() == node.name.value)
    }
}

/// One value for each kind of definition, at index `kind as usize`.
pub(crate) type PerKind<T> = [T; DefinitionKind::ALL.len()];

/// A tree, machine, decision tree or planner, as defined in the document.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) doc: Option<String>,
    /// How many events the mailbox of an agent keeps that runs it.
    pub(crate) mailbox: Option<usize>,
    /// `None` when the definition has a mistake.
    pub(crate) root: Option<behaviour::Node>,
    /// Its own keys and those of the trees that it holds; they come after the keys of the document.
    pub(crate) keys: Vec<behaviour::Key>,
    /// The labels and semaphores that its own nodes and those of the trees that it holds use.
    pub(crate) synchronization: Synchronization,
    /// Others hold it, or use it in transitions.
    pub(crate) is_held: bool,
    /// Why it can run only inside another tree.
    pub(crate) refusal: Vec<Diagnostic>,
    /// Of a decision tree without mistakes: where each part is written.
    #[cfg_attr(not(feature = "internals"), expect(dead_code))]
    pub(crate) layout: Option<Arc<Layout>>,
}

/// What separate nodes of a tree share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Synchronization {
    pub(crate) labels: Labels,
    pub(crate) semaphores: Vec<behaviour::Semaphore>,
}
