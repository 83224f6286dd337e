//! Mismatches between a registry and a behaviour.

use std::fmt;
use treemind_core::behaviour::LeafKind;
use treemind_doc::manifest::{ChildCount, LeafWord};
use treemind_doc::{Said, said};

/// Why a registry does not fit a behaviour: everything that is missing or of the wrong kind.
#[derive(Clone, PartialEq, Eq)]
pub struct BindError {
    pub(super) problems: Vec<BindProblem>,
}

/// One thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindProblem {
    /// The registry contradicts itself.
    Registry {
        /// How.
        text: String,
    },
    /// The behaviour needs a leaf that is not registered.
    MissingLeaf {
        /// Its name.
        name: String,
        /// Condition or action.
        kind: LeafKind,
        /// A registered leaf of the same kind with a similar name.
        suggestion: Option<String>,
    },
    /// A leaf of that name is registered, but a condition where an action is needed, or the reverse.
    WrongKind {
        /// Its name.
        name: String,
        /// What the behaviour needs.
        wanted: LeafKind,
        /// What it is registered as.
        registered: LeafWord,
    },
    /// The number of the leaf in the behaviour differs from that in the registry.
    WrongNumber {
        /// Its name.
        name: String,
        /// The number in the registry.
        registered: u32,
        /// The number in the behaviour.
        declared: u32,
    },
    /// The number of children that the behaviour allows a composite differs from what the code can take.
    WrongChildren {
        /// Its name.
        name: String,
        /// How many it can have in the registry.
        registered: ChildCount,
        /// How many it can have in the behaviour.
        declared: ChildCount,
    },
    /// The code of a leaf takes a parameter that the behaviour does not declare.
    MissingParam {
        /// The leaf.
        leaf: String,
        /// The parameter.
        name: String,
        /// Its type, in the words of documents.
        ty: &'static str,
        /// A parameter of the behaviour with a similar name.
        suggestion: Option<String>,
    },
    /// The code of a leaf takes a parameter whose type differs from the one that the behaviour declares.
    WrongParamType {
        /// The leaf.
        leaf: String,
        /// The parameter.
        name: String,
        /// The type in the code, in the words of documents.
        asked: &'static str,
        /// The type in the behaviour.
        declared: &'static str,
    },
    /// The code of a leaf cannot take what a node gives it.
    Arguments {
        /// The labels from the root down to the node.
        node: String,
        /// Why.
        text: String,
    },
    /// The states of a leaf's runs have to be saved, and cannot be.
    CannotSave {
        /// The leaf.
        name: String,
        /// Why, with the name of the type.
        text: String,
    },
    /// A sensor returns a type that differs from that of its key.
    WrongSensorType {
        /// The name of the sensor.
        name: String,
        /// The type that it returns, in the words of documents.
        gives: &'static str,
        /// The name of the key.
        key: String,
        /// The type of the key.
        declared: &'static str,
    },
    /// What lists or measures candidates is about another type than the document says.
    WrongCandidates {
        /// The name of the leaf.
        name: String,
        /// The type that its code is about, in the words of documents.
        gives: &'static str,
        /// The type in the document.
        declared: &'static str,
    },
    /// A sensor returns one value for a list, or items for a key that holds one value.
    WrongSensorForm {
        /// The name of the sensor.
        name: String,
        /// The name of the key.
        key: String,
        /// Whether the key is the list.
        is_list: bool,
    },
    /// The code asked for a key that the behaviour does not have.
    MissingKey {
        /// Its name.
        name: String,
        /// A key of the behaviour with a similar name.
        suggestion: Option<String>,
    },
    /// The code asked for a key with a type that differs from the one that the behaviour declares.
    WrongKeyType {
        /// Its name.
        name: String,
        /// The type in the code, in the words of documents.
        asked: &'static str,
        /// The type in the behaviour.
        declared: &'static str,
    },
    /// The code asked for a list and the behaviour's key holds one value, or the reverse.
    WrongKeyForm {
        /// Its name.
        name: String,
        /// Whether the behaviour's key is the list.
        is_list: bool,
    },
}

impl From<BindProblem> for BindError {
    fn from(problem: BindProblem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl BindError {
    /// Everything that does not fit: the registry itself, leaves, keys.
    pub fn problems(&self) -> &[BindProblem] {
        &self.problems
    }
}

impl BindProblem {
    fn suggestion(&self) -> Option<&str> {
        match self {
            BindProblem::MissingLeaf { suggestion, .. }
            | BindProblem::MissingParam { suggestion, .. }
            | BindProblem::MissingKey { suggestion, .. } => suggestion.as_deref(),
            _ => None,
        }
    }
}

/// `a condition`, `an action`
fn with_article(word: LeafWord) -> Said {
    match word {
        LeafWord::Action | LeafWord::Event => said!("an {}", word.keyword()),
        LeafWord::Candidates => word.keyword().into(),
        _ => said!("a {}", word.keyword()),
    }
}

/// `2 to 3 children`, `2 or more children`
fn children(count: ChildCount) -> Said {
    match (count.least, count.most) {
        (least, None) => said!("{} or more children", least),
        (1, Some(1)) => said!("1 child"),
        (least, Some(most)) if least == most => said!("{} children", least),
        (least, Some(most)) => said!("{} to {} children", least, most),
    }
}

/// What a key holds, and what was expected instead.
fn forms(is_list: bool) -> (Said, Said) {
    let (list, one) = (said!("a list"), said!("one value"));
    match is_list {
        true => (list, one),
        false => (one, list),
    }
}

impl BindProblem {
    /// It as a sentence of the table of the languages.
    pub fn said(&self) -> Said {
        let said = self.said_alone();
        match self.suggestion() {
            Some(name) => said!("{}; did you mean `{}`?", said, name),
            None => said,
        }
    }

    /// The same without a suggestion.
    fn said_alone(&self) -> Said {
        match self {
            BindProblem::Registry { text } => text.clone().into(),
            BindProblem::MissingLeaf { name, kind, .. } => {
                said!("the {} `{}` is not registered", kind.keyword(), name)
            }
            BindProblem::WrongKind {
                name,
                wanted,
                registered,
            } => said!(
                "`{}` is {} in the behaviour, but is registered as {}",
                name,
                with_article(LeafWord::of(*wanted)),
                with_article(*registered)
            ),
            BindProblem::WrongNumber {
                name,
                registered,
                declared,
            } => said!(
                "`{}` has the number {} in the behaviour, but is registered with {}",
                name,
                *declared,
                *registered
            ),
            BindProblem::WrongChildren {
                name,
                registered,
                declared,
            } => said!(
                "`{}` has {} in the behaviour, but is registered with {}",
                name,
                children(*declared),
                children(*registered)
            ),
            BindProblem::MissingParam { leaf, name, ty, .. } => said!(
                "the code of `{}` takes a parameter `{}` of type {}, which the behaviour does not declare",
                leaf,
                name,
                *ty
            ),
            BindProblem::WrongParamType {
                leaf,
                name,
                asked: "enum",
                declared: "enum",
            } => said!(
                "the parameter `{}` of `{}` has values that are unknown to the code",
                name,
                leaf
            ),
            BindProblem::WrongParamType {
                leaf,
                name,
                asked,
                declared,
            } => said!(
                "the parameter `{}` of `{}` is `{}`, but the code takes `{}`",
                name,
                leaf,
                *declared,
                *asked
            ),
            BindProblem::Arguments { node, text } => said!("{}: {}", node, text),
            BindProblem::CannotSave { name, text } => said!("`{}`: {}", name, text),
            BindProblem::WrongSensorType {
                name,
                gives,
                key,
                declared,
            } => said!(
                "the key `{}` is `{}`, but its sensor `{}` gives `{}`",
                key,
                *declared,
                name,
                *gives
            ),
            BindProblem::WrongCandidates {
                name,
                gives,
                declared,
            } => said!(
                "the candidates of `{}` are `{}`, but its code is about `{}`",
                name,
                *declared,
                *gives
            ),
            BindProblem::MissingKey { name, .. } => said!("the behaviour has no key `{}`", name),
            BindProblem::WrongKeyType {
                name,
                asked,
                declared,
            } => said!(
                "the key `{}` is `{}`, but the code asks for `{}`",
                name,
                *declared,
                *asked
            ),
            BindProblem::WrongSensorForm { name, key, is_list } => {
                let (declared, gives) = forms(*is_list);
                said!(
                    "the key `{}` is {}, but its sensor `{}` gives {}",
                    key,
                    declared,
                    name,
                    gives
                )
            }
            BindProblem::WrongKeyForm { name, is_list } => {
                let (declared, asked) = forms(*is_list);
                said!(
                    "the key `{}` is {}, but the code asks for {}",
                    name,
                    declared,
                    asked
                )
            }
        }
    }
}

impl fmt::Display for BindProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(out)
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(out, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for BindError {
    /// The same as `Display`, because `main` prints an error that it returns with `Debug`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl std::error::Error for BindError {}
