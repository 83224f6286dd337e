//! Mismatches between a registry and a behaviour.

use std::fmt;
use treemind_core::behaviour::LeafKind;
use treemind_doc::manifest::{ChildCount, LeafWord};

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
fn with_article(word: LeafWord) -> String {
    let article = match word {
        LeafWord::Action | LeafWord::Event => "an ",
        LeafWord::Candidates => "",
        _ => "a ",
    };
    format!("{article}{}", word.keyword())
}

/// `2 to 3 children`, `2 or more children`
fn children(count: ChildCount) -> String {
    match (count.least, count.most) {
        (least, None) => format!("{least} or more children"),
        (1, Some(1)) => "1 child".to_owned(),
        (least, Some(most)) if least == most => format!("{least} children"),
        (least, Some(most)) => format!("{least} to {most} children"),
    }
}

/// What a key holds, and what was expected instead.
fn forms(is_list: bool) -> (&'static str, &'static str) {
    if is_list {
        ("a list", "one value")
    } else {
        ("one value", "a list")
    }
}

impl fmt::Display for BindProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BindProblem::Registry { text } => out.write_str(text),
            BindProblem::MissingLeaf { name, kind, .. } => {
                write!(out, "the {} `{name}` is not registered", kind.keyword())
            }
            BindProblem::WrongKind {
                name,
                wanted,
                registered,
            } => write!(
                out,
                "`{name}` is {} in the behaviour, but is registered as {}",
                with_article(LeafWord::of(*wanted)),
                with_article(*registered)
            ),
            BindProblem::WrongNumber {
                name,
                registered,
                declared,
            } => write!(
                out,
                "`{name}` has the number {declared} in the behaviour, but is registered with {registered}"
            ),
            BindProblem::WrongChildren {
                name,
                registered,
                declared,
            } => write!(
                out,
                "`{name}` has {} in the behaviour, but is registered with {}",
                children(*declared),
                children(*registered)
            ),
            BindProblem::MissingParam { leaf, name, ty, .. } => {
                let article = if ty.starts_with(['i', 'e', 'a']) {
                    "an"
                } else {
                    "a"
                };
                write!(
                    out,
                    "the code of `{leaf}` takes {article} {ty} parameter `{name}`, which the behaviour does not declare"
                )
            }
            BindProblem::WrongParamType {
                leaf,
                name,
                asked: "enum",
                declared: "enum",
            } => write!(
                out,
                "the parameter `{name}` of `{leaf}` has values that are unknown to the code"
            ),
            BindProblem::WrongParamType {
                leaf,
                name,
                asked,
                declared,
            } => write!(
                out,
                "the parameter `{name}` of `{leaf}` is `{declared}`, but the code takes `{asked}`"
            ),
            BindProblem::Arguments { node, text } => write!(out, "{node}: {text}"),
            BindProblem::CannotSave { name, text } => write!(out, "`{name}`: {text}"),
            BindProblem::WrongSensorType {
                name,
                gives,
                key,
                declared,
            } => write!(
                out,
                "the key `{key}` is `{declared}`, but its sensor `{name}` gives `{gives}`"
            ),
            BindProblem::WrongCandidates {
                name,
                gives,
                declared,
            } => write!(
                out,
                "the candidates of `{name}` are `{declared}`, but its code is about `{gives}`"
            ),
            BindProblem::MissingKey { name, .. } => {
                write!(out, "the behaviour has no key `{name}`")
            }
            BindProblem::WrongKeyType {
                name,
                asked,
                declared,
            } => write!(
                out,
                "the key `{name}` is `{declared}`, but the code asks for `{asked}`"
            ),
            BindProblem::WrongSensorForm { name, key, is_list } => {
                let (declared, gives) = forms(*is_list);
                write!(
                    out,
                    "the key `{key}` is {declared}, but its sensor `{name}` gives {gives}"
                )
            }
            BindProblem::WrongKeyForm { name, is_list } => {
                let (declared, asked) = forms(*is_list);
                write!(
                    out,
                    "the key `{name}` is {declared}, but the code asks for {asked}"
                )
            }
        }?;
        match self.suggestion() {
            Some(name) => write!(out, "; did you mean `{name}`?"),
            None => Ok(()),
        }
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
