//! Agents of several documents in one world.

mod actor;
mod library;
mod methods;
mod reloading;
mod saving;

pub(crate) use actor::Actor;

use crate::diagnostics::{self, misuse};
use crate::document::Document;
use crate::host::{Leaves, event_values};
use crate::me::Letter;
use crate::mind::{Fault, event_id, locked};
use crate::runs::SavedRun;
use library::{Candidate, Place, candidates, free_name};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use treemind_core::behaviour::{LeafKind, Scope};
use treemind_core::chance::seed_of;
use treemind_core::observer::{Hosts, Observed, Observer, Observers, Texts};
use treemind_core::society::SendError;
use treemind_core::tape::Taped as _;
use treemind_core::{
    AgentId, Behaviour, KeyId, MAX_GROUPS, Population, PopulationId, Program, Society,
    SocietyRollback, Tally, Text, To, Value,
};
use treemind_doc::testing::Subject;

/// Agents of several documents in one world. They share, by name, the keys that their documents declare with
/// `scope=world` or `scope=group`, and send events to each other.
#[pyclass(frozen, module = "treemind", weakref)]
pub(crate) struct Cast {
    state: Mutex<State>,
}

struct State {
    society: Society,
    troupes: Vec<Troupe>,
    roles: Vec<Role>,
    documents: Vec<Added>,
    code: Py<PyAny>,
    world: Py<PyAny>,
    on_log: Option<Py<PyAny>>,
    seed: u64,
    observers: Observers,
    /// Of which archetype agents are, also some that are dead.
    who: HashMap<AgentId, Text>,
    kept: Option<Kept>,
    /// Events that could not be sent.
    late: Vec<Fault>,
}

/// A population, and its code.
struct Troupe {
    id: PopulationId,
    leaves: Leaves,
    document: usize,
    subject: Subject,
    place: Place,
}

/// An archetype that can be spawned.
struct Role {
    name: String,
    population: PopulationId,
    document: usize,
    place: Place,
}

/// A document that was added.
struct Added {
    prefix: String,
    texts: Texts,
    code: Py<PyAny>,
}

/// The last steps: what the engine keeps, and what ran in Python.
struct Kept {
    rollback: SocietyRollback,
    most: usize,
    steps: VecDeque<KeptStep>,
}

struct KeptStep {
    number: u64,
    /// For each population.
    runs: Vec<Vec<SavedRun>>,
    who: HashMap<AgentId, Text>,
}

impl State {
    fn add(
        &mut self,
        py: Python<'_>,
        document: &Document,
        prefix: String,
        code: Py<PyAny>,
    ) -> PyResult<Vec<String>> {
        let all = candidates(&document.inner, &prefix);
        let all = all.map_err(|problems| diagnostics::error(py, &problems))?;
        let known = (self.troupes.len(), self.roles.len());
        let names = all.iter().map(|one| one.name.clone()).collect();
        self.documents.push(Added {
            prefix,
            texts: document.inner.texts(),
            code,
        });
        let number = self.documents.len() - 1;
        for one in all {
            if let Err(error) = self.admit(py, number, one) {
                self.roles.truncate(known.1);
                for troupe in self.troupes.drain(known.0..) {
                    self.society.leave(troupe.id);
                }
                self.documents.pop();
                return Err(error);
            }
        }
        self.changed(py)?;
        Ok(names)
    }

    /// Adds an archetype of a document.
    fn admit(&mut self, py: Python<'_>, document: usize, new: Candidate) -> PyResult<()> {
        if let Some(known) = self.roles.iter().find(|role| role.name == new.name) {
            return match known.place == new.place {
                true => Ok(()),
                false => Err(same_name(py, known, &new)),
            };
        }
        let known = self.troupes.iter().find(|troupe| {
            let population = self.society.population(troupe.id);
            troupe.place == new.runs && *population.program().behaviour() == new.behaviour
        });
        let population = match known {
            Some(known) => known.id,
            None => self.join(py, document, new.behaviour, (new.subject, new.runs))?,
        };
        let mut members = self.society.population_mut(population);
        members.name_archetype(&new.name, &new.start, new.interval);
        drop(members);
        self.roles.push(Role {
            name: new.name,
            population,
            document,
            place: new.place,
        });
        Ok(())
    }

    fn join(
        &mut self,
        py: Python<'_>,
        document: usize,
        behaviour: Behaviour,
        (subject, place): (Subject, Place),
    ) -> PyResult<PopulationId> {
        let added = &self.documents[document];
        let name = free_name(&self.society, &added.prefix, behaviour.name());
        let program = Arc::new(Program::new(behaviour));
        let leaves = self.leaves(py, &program, &added.code)?;
        let population = Population::new(program, 0).with_seed(seed_of(self.seed, &name));
        let joined = self.society.join(name, population);
        let id = joined.map_err(|error| misuse(py, error.to_string()))?;
        self.troupes.push(Troupe {
            id,
            leaves,
            document,
            subject,
            place,
        });
        Ok(id)
    }

    fn leaves(&self, py: Python<'_>, program: &Arc<Program>, code: &Py<PyAny>) -> PyResult<Leaves> {
        let log = self.on_log.as_ref().map(|log| log.clone_ref(py));
        Leaves::new(py, program, code.bind(py), self.world.clone_ref(py), log)
    }

    /// Other documents, or other populations: who observes is told, and what is kept begins anew.
    fn changed(&mut self, py: Python<'_>) -> PyResult<()> {
        let texts: Vec<Texts> = self.documents.iter().map(|one| one.texts.clone()).collect();
        self.observers.reloaded(&texts);
        match self.kept.take() {
            Some(kept) => self.keep(py, kept.most),
            None => Ok(()),
        }
    }

    fn step(&mut self, py: Python<'_>, dt: Duration) -> PyResult<Tally> {
        let mut tally = Tally::default();
        let troupes = &mut self.troupes;
        self.observers.step(&mut self.society, dt, &mut |tick| {
            for troupe in troupes.iter_mut() {
                let host = &mut troupe.leaves.serving(py);
                tally = tally + tick(troupe.id, Hosts::One(host));
            }
        });
        self.meet_newborns();
        self.deliver();
        let recorded = self.record(py);
        self.finish(py)?;
        recorded.map(|()| tally)
    }

    /// What ends the call of a step: an interrupt, if there was one.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let finished: Vec<PyResult<()>> = self
            .troupes
            .iter_mut()
            .map(|troupe| troupe.leaves.finish(py))
            .collect();
        finished.into_iter().collect()
    }

    fn meet_newborns(&mut self) {
        for troupe in &self.troupes {
            for newborn in self.society.population(troupe.id).newborns() {
                self.who.insert(newborn.id, newborn.archetype);
            }
        }
        let there = self.troupes.iter();
        let there: usize = there.map(|one| self.society.population(one.id).len()).sum();
        if self.who.len() > 2 * there + 1_024 {
            let society = &self.society;
            self.who.retain(|agent, _| society.index_of(*agent).is_ok());
        }
    }

    /// Sends what functions have sent in the last step.
    fn deliver(&mut self) {
        for place in 0..self.troupes.len() {
            for letter in self.troupes[place].leaves.take_letters() {
                self.post(self.troupes[place].id, &letter);
            }
        }
    }

    fn post(&mut self, from: PopulationId, letter: &Letter) {
        let behaviour = self.society.population(from).program().behaviour();
        let event = behaviour.leaf(letter.event).name.clone();
        let values = portable(behaviour, &letter.values);
        match self.society.send(letter.to, &event, &values) {
            // Whoever it was for is gone: so are letters of documents.
            Ok(_) | Err(SendError::Dead) => {}
            Err(error) => self.late.push(Fault::of_event(
                event,
                error.to_string(),
                (self.society.name(from), letter.from.index()),
                self.society.steps(),
            )),
        }
    }

    fn index_of(&self, py: Python<'_>, agent: AgentId) -> PyResult<usize> {
        let index = self.society.index_of(agent);
        index.map_err(|_| misuse(py, "the agent is dead: it was removed, or has left"))
    }

    /// The agents that live, population by population.
    fn living(&self) -> Vec<AgentId> {
        let troupes = self.troupes.iter();
        let agents = troupes.flat_map(|troupe| {
            let population = self.society.population(troupe.id);
            (0..population.len()).filter_map(|index| population.id_of(index))
        });
        agents.collect()
    }

    /// A population that has a key of the world, and the key there.
    fn world_key(&self, name: &str) -> PyResult<(PopulationId, KeyId)> {
        let mut names = Vec::new();
        for troupe in &self.troupes {
            let behaviour = self.society.population(troupe.id).program().behaviour();
            for key in behaviour
                .keys()
                .iter()
                .filter(|key| key.scope == Scope::World)
            {
                match behaviour.key_id(&key.name) {
                    Some(id) if key.name == name => return Ok((troupe.id, id)),
                    _ if names.contains(&key.name) => {}
                    _ => names.push(key.name.clone()),
                }
            }
        }
        let text = format!(
            "there is no key `{name}` with `scope=world`; there are: {}",
            names.join(", ")
        );
        Err(PyKeyError::new_err(text))
    }

    /// The values of an event, as every document understands them.
    fn values_of(&self, event: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Value>> {
        for troupe in &self.troupes {
            let behaviour = self.society.population(troupe.id).program().behaviour();
            let known = behaviour.leaf_id(event);
            if known.is_some_and(|id| behaviour.leaf(id).kind == LeafKind::Event) {
                let id = event_id(behaviour, event)?;
                return Ok(portable(behaviour, &event_values(behaviour, id, given)?));
            }
        }
        Err(PyKeyError::new_err(format!(
            "no document has the event `{event}`"
        )))
    }
}

/// Values for programs that have other enumerations: those know a value by its name.
fn portable(behaviour: &Behaviour, values: &[Value]) -> Vec<Value> {
    let named = |value: &Value| match *value {
        Value::Enum(list, at) => {
            let names = &behaviour.enumeration(list).values;
            Value::Text(Text::new(names.get(at as usize).map_or("", String::as_str)))
        }
        other => other,
    };
    values.iter().map(named).collect()
}

fn same_name(py: Python<'_>, known: &Role, new: &Candidate) -> PyErr {
    let text = format!(
        "two files define `{}`: {} and {}; add one of them with a `prefix`",
        new.name, known.place.0, new.place.0
    );
    misuse(py, text)
}

impl Cast {
    fn state(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        locked(py, &self.state)
    }

    fn send_event(
        &self,
        py: Python<'_>,
        to: To,
        event: &str,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        let state = &mut *self.state(py)?;
        let values = state.values_of(event, given)?;
        let sent = state.society.send(to, event, &values);
        sent.map(|sent| sent.received)
            .map_err(|error| misuse(py, error.to_string()))
    }
}

fn checked_group(group: u32) -> PyResult<u32> {
    match group < MAX_GROUPS {
        true => Ok(group),
        false => Err(pyo3::exceptions::PyValueError::new_err(format!(
            "groups are numbered from 0 to {}",
            MAX_GROUPS - 1
        ))),
    }
}

/// A cast that somebody observes.
pub(crate) struct Seen<'s>(&'s mut State);

impl Cast {
    /// Lets something observe the cast.
    pub(crate) fn observed<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Seen<'_>) -> T,
    ) -> PyResult<T> {
        Ok(work(&mut Seen(&mut *self.state(py)?)))
    }
}

impl Observed for Seen<'_> {
    fn documents(&self) -> Vec<Texts> {
        let documents = self.0.documents.iter();
        documents.map(|added| added.texts.clone()).collect()
    }

    fn programs(&self) -> Vec<(PopulationId, Arc<Program>)> {
        self.0.society.programs()
    }

    fn observe(&mut self, observer: Box<dyn Observer>) {
        self.0.observers.add(observer);
    }
}
