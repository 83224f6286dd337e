//! Archetypes: named characters, each with a tree and with start values.

use crate::check::{self, DefinitionKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostics, Sink};
use crate::document::Document;
use crate::said;
use crate::source::Source;
use crate::suggest;
use std::ops::Range;
use std::sync::Arc;
use treemind_core::{Behaviour, KeyId, Value};

/// A name for a tree, machine or decision tree together with start values of keys.
///
/// ```
/// use std::sync::Arc;
/// use treemind_core::{Population, Program, Value};
/// use treemind_doc::Document;
///
/// let text = "
///     blackboard { key range type=float default=1.0; }
///     tree hunter { check \"range > 2\"; }
///     archetype archer tree=hunter { given range=20.0; }
///     archetype swordsman tree=hunter
/// ";
/// let document = Document::parse(text, "hunters.kdl");
///
/// // Agents of several archetypes in one population:
/// let hunter = document.behaviour(Some("hunter")).unwrap();
/// let start = document.archetype("archer").unwrap().start(&hunter);
/// let range = hunter.key_id("range").unwrap();
/// let mut hunters = Population::new(Arc::new(Program::new(hunter)), 0);
/// let archer = hunters.spawn_as(&start).unwrap().index();
/// let swordsman = hunters.spawn().index();
/// assert_eq!(hunters.get(archer, range), Value::Float(20.0));
/// assert_eq!(hunters.get(swordsman, range), Value::Float(1.0));
///
/// // A population of one archetype alone:
/// let archer = document.behaviour_for("archer").unwrap();
/// assert_eq!(archer.key(range).default, Value::Float(20.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Archetype {
    name: String,
    runs: (DefinitionKind, String),
    number: Option<u32>,
    interval: u32,
    doc: Option<String>,
    given: Vec<(String, Value)>,
    source: Arc<Source>,
    span: Range<usize>,
}

impl Archetype {
    pub(crate) fn new(checked: &check::Archetype, sink: &Sink) -> Self {
        let (source, span) = sink.locate(&checked.span);
        Self {
            name: checked.name.clone(),
            runs: checked.runs.clone(),
            number: checked.number,
            interval: checked.interval,
            doc: checked.doc.clone(),
            given: checked.given.clone(),
            source: Arc::clone(source),
            span,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether agents of both are the same: only where and how they are written may differ.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let of = |one: &Self| (one.runs.clone(), one.number, one.interval);
        self.name == other.name && of(self) == of(other) && self.given == other.given
    }

    /// The name of the tree, machine or decision tree that it runs.
    pub fn runs(&self) -> &str {
        &self.runs.1
    }

    /// Its tree, if it runs a tree.
    pub fn tree(&self) -> Option<&str> {
        self.followed(DefinitionKind::Tree)
    }

    /// Its state machine, if it runs one.
    pub fn machine(&self) -> Option<&str> {
        self.followed(DefinitionKind::Machine)
    }

    /// Its decision tree, if it runs one.
    pub fn decision(&self) -> Option<&str> {
        self.followed(DefinitionKind::Decision)
    }

    /// Its planner, if it runs one.
    pub fn planner(&self) -> Option<&str> {
        self.followed(DefinitionKind::Planner)
    }

    fn followed(&self, what: DefinitionKind) -> Option<&str> {
        let (of, name) = &self.runs;
        (*of == what).then_some(name)
    }

    /// Its number in tables that identify archetypes by number.
    pub fn number(&self) -> Option<u32> {
        self.number
    }

    /// Its agents are ticked once in this many ticks. Agents that are
    /// [spawned](Self::start) into a population of several archetypes are given it with
    /// [`Population::set_interval`](treemind_core::Population::set_interval).
    pub fn interval(&self) -> u32 {
        self.interval
    }

    /// Its one line for people.
    pub fn doc(&self) -> Option<&str> {
        self.doc.as_deref()
    }

    /// The keys that do not start at their defaults, with their start values. Keys that belong to the tree are
    /// named `TREE.KEY`, as in a [`Behaviour`].
    pub fn given(&self) -> impl ExactSizeIterator<Item = (&str, Value)> {
        self.given.iter().map(|(key, value)| (key.as_str(), *value))
    }

    /// The file that contains it.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The place of its name in its file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The start values of an agent of this archetype, for
    /// [`Population::spawn_as`](treemind_core::Population::spawn_as). The behaviour must be from the same document;
    /// keys that it does not have, such as those of another tree, are left out.
    pub fn start(&self, behaviour: &Behaviour) -> Vec<(KeyId, Value)> {
        let given = self.given.iter();
        given
            .filter_map(|(key, value)| Some((behaviour.key_id(key)?, *value)))
            .collect()
    }
}

impl Document {
    /// The archetypes, in the order of the text.
    pub fn archetypes(&self) -> &[Archetype] {
        &self.archetypes
    }

    /// The archetype with this name.
    pub fn archetype(&self, name: &str) -> Option<&Archetype> {
        self.archetypes.iter().find(|found| found.name == name)
    }

    /// The tree, machine or decision tree of an archetype, ready to run, with the archetype's start values and its
    /// interval.
    ///
    /// # Errors
    /// The diagnostics of the document if one of them is an error; otherwise one that says that there is no such
    /// archetype, and lists the existing ones.
    pub fn behaviour_for(&self, archetype: &str) -> Result<Behaviour, Diagnostics> {
        if let Some(found) = self.archetype(archetype) {
            let (what, name) = &found.runs;
            let behaviour = self.named(*what, name, &found.given)?;
            return Ok(behaviour.with_interval(found.interval));
        }
        self.ok()?;
        let mut sink = Sink::new(Arc::clone(&self.sources[0]));
        let names = self.archetypes.iter().map(Archetype::name);
        let help = suggest::did_you_mean(archetype, names.clone(), || {
            Some(if self.archetypes.is_empty() {
                said!("add `archetype NAME tree=TREE`")
            } else {
                said!("the archetypes are {}", suggest::listed(names))
            })
        });
        let message = said!("unknown archetype `{}`", archetype);
        sink.error(Code::UnknownArchetype, 0..0, message)
            .with_perhaps(help);
        Err(Diagnostics(sink.finish()))
    }
}
