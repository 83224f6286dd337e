//! What leaves have asked for: agents that leave, change their group or are born at the end of a tick.

use crate::fault::FaultKind;
use crate::host::changes::{Birth, Changes};
use crate::ids::{AgentId, KeyId};
use crate::population::Population;
use crate::text::Text;
use crate::value::{Type, Value};

/// An agent that a leaf has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newborn {
    /// The new agent.
    pub id: AgentId,
    /// The agent that asked for it. It may have left in the same tick.
    pub parent: AgentId,
    /// The archetype that was asked for.
    pub archetype: Text,
}

/// A name for new agents, with the keys that do not start at their defaults.
#[derive(Clone, Debug)]
pub(in crate::population) struct Archetype {
    pub(in crate::population) name: Text,
    pub(in crate::population) given: Vec<(KeyId, Value)>,
    pub(in crate::population) interval: u32,
}

/// Finds agents that leave, chunk by chunk.
pub(in crate::population) struct Leaving {
    lanes: usize,
    next: usize,
    count: usize,
}

impl Leaving {
    /// Begins with all agents that leave.
    pub(in crate::population) fn new(changes: &mut Changes, lanes: usize) -> Self {
        changes.leaving.sort_unstable();
        changes.leaving.dedup();
        Self {
            lanes,
            next: 0,
            count: changes.leaving.len(),
        }
    }

    /// The next chunk, and its agents that leave.
    pub(in crate::population) fn next<const W: usize>(
        &mut self,
        changes: &mut Changes,
    ) -> Option<(usize, [u64; W])> {
        // What stops have asked for once more meanwhile does not count.
        changes.leaving.truncate(self.count);
        let chunk = *changes.leaving.get(self.next)? as usize / self.lanes;
        let mut set = [0; W];
        for &agent in &changes.leaving[self.next..] {
            let lane = (agent as usize).wrapping_sub(chunk * self.lanes);
            if lane >= self.lanes {
                break;
            }
            set[lane / 64] |= 1 << (lane % 64);
            self.next += 1;
        }
        Some((chunk, set))
    }
}

impl Population {
    /// Names a kind of agents, so that leaves can [ask for new ones](crate::Call::spawn), which start with these
    /// values and are ticked at this [interval](Self::set_interval). A name that is known already gets the new values. In
    /// a society, a name is looked up in all populations in the order of joining.
    ///
    /// # Panics
    /// When there is no such key, a value is of another type than its key, or the interval is 0.
    pub fn name_archetype(&mut self, name: &str, given: &[(KeyId, Value)], interval: u32) {
        assert!(interval > 0, "an interval has at least one tick");
        for (key, value) in given {
            let fitted = self.durable.program.board.keys[key.index()].fitted(*value);
            fitted.unwrap_or_else(|error| panic!("the archetype `{name}`: {error}"));
        }
        self.touch();
        let new = Archetype {
            name: Text::new(name),
            given: given.to_vec(),
            interval,
        };
        let mut known = self.durable.archetypes.iter_mut();
        match known.find(|known| known.name == new.name) {
            Some(known) => *known = new,
            None => self.durable.archetypes.push(new),
        }
    }

    /// Adds agents of an archetype that was [named](Self::name_archetype), as [`spawn_many`](Self::spawn_many) does;
    /// `None` if there is no such archetype.
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn).
    pub fn spawn_archetype(&mut self, name: &str, agents: usize) -> Option<Vec<AgentId>> {
        let Archetype {
            given, interval, ..
        } = self.durable.archetypes[self.archetype(Text::new(name))?].clone();
        let ids = self.spawn_many(agents);
        for id in &ids {
            let start = self.start_with(id.index(), &given);
            start.expect("the values were checked when the archetype was named");
            self.set_interval(id.index(), interval);
        }
        Some(ids)
    }

    /// The agents that were born at the end of the last tick, because leaves have asked for them, or since then.
    pub fn newborns(&self) -> &[Newborn] {
        &self.durable.newborns
    }

    /// Begins a new list of newborns.
    pub(crate) fn forget_newborns(&mut self) {
        self.durable.newborns.clear();
    }

    /// At the end of a tick, after the writes: those who leave are dead from here on.
    #[inline]
    pub(crate) fn bury(&mut self) {
        // In descending order, which does not matter: the free indices are a set.
        while let Some(agent) = self.durable.outbox.changes.leaving.pop() {
            self.end_life(agent as usize);
        }
    }

    /// After the letters, which go to the groups as they were before: changes of group take effect.
    #[inline]
    pub(crate) fn change_groups(&mut self) {
        if self.durable.outbox.changes.is_empty() {
            return;
        }
        let mut changes = std::mem::take(&mut self.durable.outbox.changes);
        for (agent, group) in changes.moves() {
            if self.is_alive(agent) {
                self.set_group(agent, group);
            }
        }
        self.durable.outbox.changes = changes;
    }

    /// At the end of everything: adds the agents that leaves have asked for.
    #[inline]
    pub(in crate::population) fn give_birth(&mut self) {
        if !self.durable.outbox.changes.has_births() {
            return;
        }
        let mut changes = self.take_births();
        for (birth, given) in changes.births() {
            let born = match self.archetype(birth.archetype) {
                Some(archetype) => self.bear(archetype, birth.parent, given.iter().copied()),
                None => Err(no_archetype(birth)),
            };
            if let Err(problem) = born {
                self.refuse_birth(birth, problem);
            }
        }
        self.put_back_births(changes);
    }

    /// Whether leaves have asked for agents.
    pub(crate) fn has_births(&self) -> bool {
        self.durable.outbox.changes.has_births()
    }

    /// The agents that leaves have asked for. They have to be returned with
    /// [`put_back_births`](Self::put_back_births).
    pub(crate) fn take_births(&mut self) -> Changes {
        std::mem::take(&mut self.durable.outbox.changes)
    }

    /// Keeps the memory of births for the next tick.
    pub(crate) fn put_back_births(&mut self, mut changes: Changes) {
        changes.clear_births();
        self.durable.outbox.changes = changes;
    }

    /// The position of an archetype among those of this population.
    pub(crate) fn archetype(&self, name: Text) -> Option<usize> {
        self.durable
            .archetypes
            .iter()
            .position(|known| known.name == name)
    }

    /// Adds an agent that a leaf has asked for. Enum values of other programs are given by their names.
    pub(crate) fn bear(
        &mut self,
        archetype: usize,
        parent: AgentId,
        given: impl Iterator<Item = (Text, Value)>,
    ) -> Result<(), String> {
        let archetype = self.durable.archetypes[archetype].clone();
        let (mut start, interval) = (archetype.given, archetype.interval);
        for (name, value) in given {
            let behaviour = &self.durable.program.behaviour;
            let key = behaviour.key_id(name.as_str());
            let key = key.ok_or_else(|| {
                format!(
                    "`{}` has no key `{}`",
                    archetype.name.as_str(),
                    name.as_str()
                )
            })?;
            start.push((key, self.in_own_words(value, behaviour.key(key).ty)));
        }
        let id = self.spawn_as(&start).map_err(|error| error.to_string())?;
        self.set_interval(id.index(), interval);
        self.durable.newborns.push(Newborn {
            id,
            parent,
            archetype: archetype.name,
        });
        Ok(())
    }

    /// A name of an enum value as that value, if a key wants one.
    fn in_own_words(&self, value: Value, ty: Type) -> Value {
        let (Value::Text(name), Type::Enum(list)) = (value, ty) else {
            return value;
        };
        let values = &self.durable.program.behaviour.enumeration(list).values;
        let index = values.iter().position(|known| known == name.as_str());
        index.map_or(value, |index| Value::Enum(list, index as u32))
    }

    /// Records that an agent could not be added.
    pub(crate) fn refuse_birth(&mut self, birth: &Birth, problem: String) {
        let at = (birth.parent.index(), birth.node);
        let faults = &mut self.durable.outbox.faults;
        let kind = FaultKind::Host(problem);
        faults.record(&self.durable.program.behaviour, at, self.durable.tick, kind);
    }
}

/// What is wrong with a birth of an archetype that nobody knows.
pub(crate) fn no_archetype(birth: &Birth) -> String {
    format!("there is no archetype `{}`", birth.archetype.as_str())
}
