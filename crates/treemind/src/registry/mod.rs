//! Closures and types of a game as the leaves of its behaviours.

mod action;
mod agent;
mod answer;
mod bind;
mod bulk;
mod keys;
mod told;
mod value;

pub use action::{Action, Callbacks, StartFn, StopFn, UpdateFn, update};
pub use agent::Agent;
pub use answer::{Answer, Done, TaskError};
pub use bind::{BindError, BindProblem, Bound, BoundHost};
pub use keys::{ArgRef, Key, KeyRef, Wiring};
pub use told::Reading;
pub use value::{Entity, KeyType};

use bind::Slot;
use bulk::{ActionLeaf, ConditionLeaf, Leaf};
use std::marker::PhantomData;
use std::sync::Arc;
use told::{EventLeaf, LogLeaf, SensorLeaf, Unheard};
use treemind_core::behaviour::LeafKind;
use treemind_core::host::Order;
use treemind_core::{Behaviour, Type};

/// The conditions, actions and sensors that a game provides, and what it listens to, over its own world type `W`.
///
/// Fill it once at start-up, then [`bind`](Self::bind) it to each behaviour. Closures are `Fn`: what they
/// change is the world, so one registry serves any number of behaviours and threads.
///
/// A closure that panics is caught: its leaf fails for the agent at hand, the text is kept as a fault, and the other
/// agents of the call are served. The panic hook still prints, as for every panic.
pub struct Registry<W> {
    leaves: Vec<Entry<W>>,
    log: Option<Arc<dyn Leaf<W>>>,
    keys: Vec<WantedKey>,
    order: Order,
}

struct Entry<W> {
    name: String,
    role: Role,
    leaf: Arc<dyn Leaf<W>>,
}

/// What a leaf is registered as.
#[derive(Clone, Copy)]
enum Role {
    Condition,
    Action,
    /// Whether keys of a type may have what it gives, and the word for that.
    Sensor(fn(Type) -> bool, &'static str),
    Event,
}

impl Role {
    fn fits(self, kind: LeafKind) -> bool {
        match self {
            Role::Condition => kind == LeafKind::Condition,
            Role::Action => matches!(kind, LeafKind::Action { .. }),
            Role::Sensor(..) => kind == LeafKind::Sensor,
            Role::Event => kind == LeafKind::Event,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Role::Condition => "condition",
            Role::Action => "action",
            Role::Sensor(..) => "sensor",
            Role::Event => "event",
        }
    }
}

struct WantedKey {
    name: String,
    matches: fn(treemind_core::Type) -> bool,
    keyword: &'static str,
}

impl<W: 'static> Default for Registry<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: 'static> Registry<W> {
    /// An empty registry.
    pub fn new() -> Self {
        Self {
            leaves: Vec::new(),
            log: None,
            keys: Vec::new(),
            order: Order::default(),
        }
    }

    /// Registers a condition. One registered before under that name is replaced.
    pub fn condition<F, R>(&mut self, name: &str, ask: F) -> &mut Self
    where
        F: Fn(&W, &Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        self.insert(name, Role::Condition, Arc::new(ConditionLeaf(ask)))
    }

    /// Registers an action that needs no more than its update. One registered before under that name is replaced.
    pub fn action<F, R>(&mut self, name: &str, update: F) -> &mut Self
    where
        F: Fn(&mut W, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Answer + 'static,
    {
        self.action_with(name, action::update(update))
    }

    /// Registers an action with a start, a stop or both: [`Callbacks`], or a type of the game's own.
    pub fn action_with(&mut self, name: &str, action: impl Action<W>) -> &mut Self {
        self.insert(name, Role::Action, Arc::new(ActionLeaf(action)))
    }

    /// Registers a sensor: what it returns is the value of the key that it is asked for. Its arguments are those of
    /// the key. One registered before under that name is replaced.
    pub fn sensor<F, R>(&mut self, name: &str, sense: F) -> &mut Self
    where
        F: Fn(&W, &Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Reading + 'static,
    {
        let role = Role::Sensor(R::Value::matches, R::Value::KEYWORD);
        self.insert(name, role, Arc::new(SensorLeaf(sense)))
    }

    /// Listens to an event: its values are the arguments of the call. An event that nobody listens to goes unheard;
    /// whoever listened to it before does not any more.
    pub fn on_event<F, R>(&mut self, name: &str, hear: F) -> &mut Self
    where
        F: Fn(&mut W, &mut Agent<'_, '_>) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        self.insert(name, Role::Event, Arc::new(EventLeaf(hear)))
    }

    /// Listens to what agents log. Whoever did so before does not any more.
    pub fn on_log<F, R>(&mut self, hear: F) -> &mut Self
    where
        F: Fn(&mut W, &mut Agent<'_, '_>, &str) -> R + Send + Sync + 'static,
        R: Done + 'static,
    {
        self.log = Some(Arc::new(LogLeaf(hear)));
        self
    }

    /// A handle to a key of the blackboard, for [`Agent::get`] and [`Agent::set`]. Every behaviour that
    /// this registry is bound to must have the key, with this type.
    pub fn key<T: KeyType>(&mut self, name: &str) -> Key<T> {
        self.keys.push(WantedKey {
            name: name.to_owned(),
            matches: T::matches,
            keyword: T::KEYWORD,
        });
        Key {
            position: self.keys.len() - 1,
            ty: PhantomData,
        }
    }

    /// Says whether agents see in a tick what other agents did earlier in it; [`Order::Independent`] if not said.
    pub fn order(&mut self, order: Order) -> &mut Self {
        self.order = order;
        self
    }

    /// Whether everything that the behaviour needs is here.
    ///
    /// # Errors
    /// As [`bind`](Self::bind).
    pub fn check(&self, behaviour: &Behaviour) -> Result<(), BindError> {
        self.bind(behaviour).map(|_| ())
    }

    /// Connects every leaf of the behaviour, whether its tree uses it or not, with what is registered. Nobody has to
    /// listen to an event.
    ///
    /// # Errors
    /// When a leaf or a key is missing, or of another kind or type, or a sensor gives something else than its key is;
    /// the error lists all of them.
    pub fn bind(&self, behaviour: &Behaviour) -> Result<Bound<W>, BindError> {
        let mut problems = Vec::new();
        let mut slots = Vec::new();
        for leaf in behaviour.leaves() {
            match self.find(&leaf.name, leaf.kind) {
                Ok(found) => slots.push(Slot {
                    has_start: found.has_start(),
                    has_stop: found.has_stop(),
                    leaf: found,
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
            wiring: Wiring::new(behaviour, handles),
            order: self.order,
        })
    }

    fn find(&self, name: &str, kind: LeafKind) -> Result<Arc<dyn Leaf<W>>, BindProblem> {
        match self.leaves.iter().find(|entry| entry.name == name) {
            Some(entry) if entry.role.fits(kind) => Ok(Arc::clone(&entry.leaf)),
            Some(entry) => Err(BindProblem::WrongKind {
                name: name.to_owned(),
                wanted: kind,
                registered: entry.role.word(),
            }),
            None if kind == LeafKind::Event => Ok(Arc::new(Unheard)),
            None => {
                let same_kind = self.leaves.iter().filter(|entry| entry.role.fits(kind));
                Err(BindProblem::MissingLeaf {
                    name: name.to_owned(),
                    kind,
                    suggestion: closest(name, same_kind.map(|entry| entry.name.as_str())),
                })
            }
        }
    }

    /// The keys that are of another type than what their sensor gives.
    fn wrong_sensors(&self, behaviour: &Behaviour) -> Vec<BindProblem> {
        let mut problems = Vec::new();
        for key in behaviour.keys() {
            let Some(sensed) = &key.sensed else { continue };
            let sensor = &behaviour.leaf(sensed.sensor).name;
            let entry = self.leaves.iter().find(|entry| entry.name == *sensor);
            if let Some(Entry {
                role: Role::Sensor(matches, keyword),
                ..
            }) = entry
                && !matches(key.ty)
            {
                problems.push(BindProblem::WrongSensorType {
                    name: sensor.clone(),
                    gives: keyword,
                    key: key.name.clone(),
                    declared: key.ty.keyword(),
                });
            }
        }
        problems
    }

    fn insert(&mut self, name: &str, role: Role, leaf: Arc<dyn Leaf<W>>) -> &mut Self {
        self.leaves.retain(|entry| entry.name != name);
        self.leaves.push(Entry {
            name: name.to_owned(),
            role,
            leaf,
        });
        self
    }
}

impl WantedKey {
    fn find(&self, behaviour: &Behaviour) -> Result<treemind_core::KeyId, BindProblem> {
        let Some(id) = behaviour.key_id(&self.name) else {
            return Err(BindProblem::MissingKey {
                name: self.name.clone(),
                suggestion: closest(
                    &self.name,
                    behaviour.keys().iter().map(|key| key.name.as_str()),
                ),
            });
        };
        let declared = behaviour.key(id).ty;
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

/// The name most like the one that was looked for, if it is like it at all.
fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= (name.chars().count() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
