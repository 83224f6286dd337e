//! Checks whether a registry fits a behaviour.

use super::bind::{Bound, Slot};
use super::entry::{Entry, KnownParam};
use super::keys::{Wiring, places};
use super::problem::{BindError, BindProblem};
use super::sensors_and_listeners::Unheard;
use super::{Registry, WantedKey};
use crate::world::World;
use std::sync::Arc;
use treemind_core::behaviour::{Leaf, LeafKind, Param};
use treemind_core::{Behaviour, KeyId, LeafId, NodeId, Value};
use treemind_doc::manifest::{LeafEntry, LeafWord, ParamType};

impl<W: World + ?Sized> Registry<W> {
    /// Whether everything that the behaviour needs is registered.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn check(&self, behaviour: &Behaviour) -> Result<(), BindError> {
        self.bind(behaviour).map(|_| ())
    }

    /// The leaves of the behaviour that are not registered at all, apart from events.
    pub fn missing(&self, behaviour: &Behaviour) -> Vec<LeafId> {
        let leaves = behaviour.leaves().iter().enumerate();
        let missing = leaves.filter(|(_, leaf)| {
            let is_known = self.leaves.iter().any(|entry| entry.name == leaf.name);
            leaf.kind != LeafKind::Event && !is_known
        });
        missing.map(|(index, _)| LeafId::new(index)).collect()
    }

    /// Connects every leaf of the behaviour, even one that its tree does not use, with what is registered. Events
    /// do not need a listener.
    ///
    /// # Errors
    /// When a leaf, a key or a parameter that the code takes is missing, or is of another kind or type; when a sensor
    /// returns a type that differs from that of its key; and when the code cannot take the literals that a node gives
    /// it. The error lists every such problem.
    pub fn bind(&self, behaviour: &Behaviour) -> Result<Bound<W>, BindError> {
        let mut problems = self.own_problems();
        let mut slots = Vec::new();
        let mut defaults = vec![Vec::new(); behaviour.leaves().len()];
        for (index, leaf) in behaviour.leaves().iter().enumerate() {
            match self.find(&leaf.name, leaf.kind) {
                Ok(entry) => {
                    defaults[index] = entry.undeclared(&leaf.params);
                    let id = LeafId::new(index);
                    slots.extend(slot(entry, behaviour, id, &mut problems));
                }
                Err(BindProblem::MissingLeaf {
                    kind: LeafKind::Event,
                    ..
                }) => slots.push(Slot {
                    leaf: Arc::new(Unheard),
                    has_start: false,
                    has_stop: false,
                }),
                Err(problem) => problems.push(problem),
            }
        }
        problems.extend(self.wrong_sensors(behaviour));
        let mut handles = Vec::new();
        for wanted in &self.keys {
            match wanted.find(behaviour) {
                Ok(id) => handles.push(id),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(BindError { problems });
        }
        Ok(Bound {
            slots,
            log: self.log.clone(),
            wiring: Wiring::new(behaviour, handles, defaults),
            order: self.order,
        })
    }

    /// The keys whose type or form differs from what their sensor returns.
    fn wrong_sensors(&self, behaviour: &Behaviour) -> Vec<BindProblem> {
        let mut problems = Vec::new();
        for key in behaviour.keys() {
            let Some(sensed) = &key.sensed else { continue };
            let sensor = &behaviour.leaf(sensed.sensor).name;
            let is_it =
                |entry: &&Entry<W>| entry.name == *sensor && entry.word == Some(LeafWord::Sensor);
            let entry = self.leaves.iter().find(is_it);
            let Some(gives) = entry.and_then(|entry| entry.gives) else {
                continue;
            };
            if key.form.is_list() != gives.is_list {
                problems.push(BindProblem::WrongSensorForm {
                    name: sensor.clone(),
                    key: key.name.clone(),
                    is_list: key.form.is_list(),
                });
            } else if !(gives.matches)(key.ty) {
                problems.push(BindProblem::WrongSensorType {
                    name: sensor.clone(),
                    gives: gives.keyword,
                    key: key.name.clone(),
                    declared: key.ty.keyword(),
                });
            }
        }
        problems
    }

    fn own_problems(&self) -> Vec<BindProblem> {
        let mistakes = self.mistakes.iter().cloned();
        let mut problems: Vec<BindProblem> = mistakes
            .map(|text| BindProblem::Registry { text })
            .collect();
        for (index, entry) in self.leaves.iter().enumerate() {
            let same = |other: &&Entry<W>| other.number == entry.number;
            let before = self.leaves[..index].iter().find(same);
            if let (Some(number), Some(before)) = (entry.number, before) {
                let text = format!(
                    "`{}` and `{}` are both registered with the number {number}",
                    before.name, entry.name
                );
                problems.push(BindProblem::Registry { text });
            }
            problems.extend(self.cannot_save(entry));
        }
        problems
    }

    /// Why the states of a leaf's runs cannot be saved, if they have to be.
    fn cannot_save(&self, entry: &Entry<W>) -> Option<BindProblem> {
        let unsaved = entry.unsaved_state.filter(|_| self.is_for_saving);
        let unsaved = unsaved.map(|state| {
            format!("the state `{state}` of its runs is not saved: register it as `saved`")
        });
        let text = entry.cannot_save.clone().or(unsaved)?;
        let name = entry.name.clone();
        Some(BindProblem::CannotSave { name, text })
    }

    fn find(&self, name: &str, kind: LeafKind) -> Result<&Entry<W>, BindProblem> {
        let word = LeafWord::of(kind);
        let fits = |entry: &&Entry<W>| entry.word.is_none_or(|own| own == word);
        let found = self.leaves.iter().find(|entry| entry.name == name);
        match found.map(|entry| (entry, entry.word)) {
            Some((entry, _)) if fits(&entry) => Ok(entry),
            Some((_, registered)) => Err(BindProblem::WrongKind {
                name: name.to_owned(),
                wanted: kind,
                registered: registered.unwrap_or(word),
            }),
            None => {
                let same_kind = self.leaves.iter().filter(fits);
                Err(BindProblem::MissingLeaf {
                    name: name.to_owned(),
                    kind,
                    suggestion: closest(name, same_kind.map(|entry| entry.name.as_str())),
                })
            }
        }
    }
}

/// The leaf of a behaviour as it is registered; `None` when they do not fit.
fn slot<W: World + ?Sized>(
    entry: &Entry<W>,
    behaviour: &Behaviour,
    id: LeafId,
    problems: &mut Vec<BindProblem>,
) -> Option<Slot<W>> {
    let before = problems.len();
    fits(entry, behaviour, id, problems);
    if problems.len() > before {
        return None;
    }
    let leaf = entry
        .source
        .bind(&places(behaviour, id), &mut |place, text| {
            problems.push(BindProblem::Arguments {
                node: path(behaviour, place.node),
                text,
            });
        });
    Some(Slot {
        has_start: leaf.has_start(),
        has_stop: leaf.has_stop(),
        leaf,
    })
}

/// Compares a leaf's declaration with what is registered.
fn fits<W: World + ?Sized>(
    entry: &Entry<W>,
    behaviour: &Behaviour,
    id: LeafId,
    problems: &mut Vec<BindProblem>,
) {
    let leaf: &Leaf = behaviour.leaf(id);
    if let (Some(registered), Some(declared)) = (entry.number, leaf.number)
        && registered != declared
    {
        problems.push(BindProblem::WrongNumber {
            name: leaf.name.clone(),
            registered,
            declared,
        });
    }
    let declared = LeafEntry::new(leaf, behaviour.enums());
    if let (Some(registered), Some(declared)) = (entry.children, declared.children)
        && !registered.covers(declared)
    {
        problems.push(BindProblem::WrongChildren {
            name: leaf.name.clone(),
            registered,
            declared,
        });
    }
    let about = match leaf.kind {
        LeafKind::Candidates { ty } => Some(ty),
        LeafKind::Measure => leaf.params.first().map(|param| param.ty),
        _ => None,
    };
    if let (Some(ty), Some(gives)) = (about, entry.gives)
        && !(gives.matches)(ty)
    {
        problems.push(BindProblem::WrongCandidates {
            name: leaf.name.clone(),
            gives: gives.keyword,
            declared: ty.keyword(),
        });
    }
    for param in &entry.params {
        if let Some(problem) = param.held_against(&declared) {
            problems.push(problem);
        }
    }
}

impl<W: World + ?Sized> Entry<W> {
    /// The parameters that have a default here and are not among these, with it.
    fn undeclared(&self, declared: &[Param]) -> Vec<(String, Value)> {
        let params = self.params.iter().filter_map(|param| {
            let is_declared = declared.iter().any(|other| other.name == param.name);
            let default = param.default.as_ref().filter(|_| !is_declared)?;
            Some((param.name.clone(), default.value()))
        });
        params.collect()
    }
}

impl KnownParam {
    fn held_against(&self, declared: &LeafEntry) -> Option<BindProblem> {
        let asked = &self.ty;
        let Some(param) = declared.param(&self.name) else {
            let names = declared.params.iter().map(|param| param.name.as_str());
            return (!self.is_optional).then(|| BindProblem::MissingParam {
                leaf: declared.name.clone(),
                name: self.name.clone(),
                ty: asked.keyword(),
                suggestion: closest(&self.name, names),
            });
        };
        let fits = match (&param.ty, asked) {
            // Code that takes any text also takes the names of an enumeration.
            (ParamType::Enum(_), ParamType::Text) => true,
            // The types of the values are checked when they are read.
            (ParamType::Any, _) => true,
            (declared, asked) => declared.widens_to(asked),
        };
        (!fits).then(|| BindProblem::WrongParamType {
            leaf: declared.name.clone(),
            name: self.name.clone(),
            asked: asked.keyword(),
            declared: param.ty.keyword(),
        })
    }
}

impl WantedKey {
    fn find(&self, behaviour: &Behaviour) -> Result<KeyId, BindProblem> {
        let Some(id) = behaviour.key_id(&self.name) else {
            return Err(BindProblem::MissingKey {
                name: self.name.clone(),
                suggestion: closest(
                    &self.name,
                    behaviour.keys().iter().map(|key| key.name.as_str()),
                ),
            });
        };
        let key = behaviour.key(id);
        if key.form.is_list() != self.is_list {
            return Err(BindProblem::WrongKeyForm {
                name: self.name.clone(),
                is_list: !self.is_list,
            });
        }
        let declared = key.ty;
        if (self.matches)(declared) {
            Ok(id)
        } else {
            Err(BindProblem::WrongKeyType {
                name: self.name.clone(),
                asked: self.keyword,
                declared: declared.keyword(),
            })
        }
    }
}

/// The labels from the root down to a node.
fn path(behaviour: &Behaviour, node: NodeId) -> String {
    let above = |node: &NodeId| behaviour.node(*node).parent;
    let nodes = std::iter::successors(Some(node), above);
    let mut labels: Vec<&str> = nodes.map(|node| behaviour.label(node)).collect();
    labels.reverse();
    labels.join(" > ")
}

/// The name most similar to the one looked for, if any is similar enough.
pub(crate) fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    treemind_doc::nearest_name(name, known).map(str::to_owned)
}
