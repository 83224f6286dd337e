//! Societies: populations of different programs that share keys, groups and semaphores.
//!
//! Each population keeps a copy of what it shares, so reading costs what it costs in a population alone. Writes take
//! effect at the end of a step: population by population, in the order in which they joined, and passed on to all
//! others that share the key.

mod agree;
mod census;
mod changing;
mod join;
mod letters;
mod members;
mod migration;
mod places;
mod readable;
mod rollback;
mod saving;
mod send;
mod step;

pub use crate::behaviour::SharedKind;
pub use agree::{Disagreement, declared_event, declared_key, declared_semaphore, disagreements};
pub use join::JoinError;
pub use members::PopulationMut;
pub use migration::ChangeError;
pub use rollback::SocietyRollback;
pub use send::SendError;
pub use step::{Step, Ticker};

use crate::behaviour::Bidding;
use crate::blackboard::{Shared, TakeOver};

use crate::ids::{AgentId, Dead, KeyId, LeafId, PopulationId};
use crate::lives::{Census, Roster};
use crate::population::{Delivery, Line, Population};
use crate::snapshot::Before;
use crate::value::{Type, Value};
use crate::{EnumId, Text};
use std::sync::Arc;

/// Populations of any programs that live in one world.
///
/// They share, by name, the keys and semaphores that their documents declare with `scope=world` or `scope=group`.
/// Groups are numbered for all of them: agents of different programs can be in one group.
///
/// Time passes in steps: see [`step`](Self::step). In a step, everything that is shared reads as it was when the
/// step began, and writes take effect when it ends. So the order in which populations are ticked does not matter.
/// The order in which they joined decides who writes last, and who gets a place of a semaphore if several have
/// waited equally long.
#[derive(Clone, Debug, Default)]
pub struct Society {
    /// In the order of joining; `None` for those that have left.
    members: Vec<Option<Member>>,
    keys: Vec<SharedKey>,
    semaphores: Vec<SharedSemaphore>,
    /// Per population and event: the populations in which something waits for the event, in the order of joining, with
    /// its id there.
    events: Vec<Vec<Vec<(usize, LeafId)>>>,
    line: Line,
    /// Who lives, if one of the programs asks. All populations have it, too.
    census: Option<Arc<Census>>,
    /// Who was in which group when the step began, if one of the programs asks. The populations that ask have it, too.
    roster: Option<Arc<Roster>>,
    /// The values of the event that is being delivered.
    values: Vec<Value>,
    /// What became of letters since the last step ended.
    delivery: Delivery,
    steps: u64,
    is_in_step: bool,
    /// What the game changes between steps, if somebody records.
    pub(crate) before: Before,
}

/// How many populations may join a society in its life.
pub const MAX_POPULATIONS: usize = 4_096;

#[derive(Clone, Debug)]
struct Member {
    name: String,
    population: Population,
    /// Per enumeration: its values as texts. Other programs know an enum value in an `any` by its name.
    enum_names: Vec<Vec<Text>>,
    /// Whether it was ticked in this step.
    was_ticked: bool,
}

/// A key that several programs share.
#[derive(Clone, Debug)]
struct SharedKey {
    name: String,
    /// The populations that have it, in the order of joining.
    uses: Vec<(usize, KeyId)>,
}

/// A semaphore of the world or of groups.
#[derive(Clone, Debug)]
struct SharedSemaphore {
    name: String,
    places: u32,
    bidding: Option<Bidding>,
    /// The populations that have it, in the order of joining, and its index in each.
    uses: Vec<(usize, usize)>,
}

impl Society {
    /// A society without populations.
    pub fn new() -> Self {
        Self::default()
    }

    /// The populations in the order of joining.
    pub fn ids(&self) -> impl Iterator<Item = PopulationId> + '_ {
        let members = self.members.iter().enumerate();
        members
            .filter(|(_, member)| member.is_some())
            .map(|(index, _)| PopulationId(index as u16))
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many groups there are, at least one; [`PopulationMut::set_group`] makes more.
    pub fn groups(&self) -> usize {
        let members = self.members.iter().flatten();
        members
            .map(|member| member.population.groups())
            .max()
            .unwrap_or(1)
    }

    /// The name that a population was given when it joined.
    ///
    /// # Panics
    /// When the population has left, or belongs to another society.
    pub fn name(&self, id: PopulationId) -> &str {
        &self.member(id).name
    }

    /// A population, to look at.
    ///
    /// # Panics
    /// When the population has left, or belongs to another society.
    pub fn population(&self, id: PopulationId) -> &Population {
        &self.member(id).population
    }

    /// The index of an agent in its population; see [`AgentId::population`].
    ///
    /// # Errors
    /// When the agent was removed, or its population has left or belongs to another society.
    pub fn index_of(&self, id: AgentId) -> Result<usize, Dead> {
        let member = self.members.get(id.population().index());
        let member = member.and_then(Option::as_ref).ok_or(Dead)?;
        member.population.index_of(id)
    }

    /// A population, to change it between steps. Writes to what is shared take effect at once, for all.
    ///
    /// # Panics
    /// When the population has left, or belongs to another society.
    pub fn population_mut(&mut self, id: PopulationId) -> PopulationMut<'_> {
        self.member(id);
        self.touch();
        PopulationMut::new(self, id.index())
    }

    /// Everything that changes agents between steps calls this first.
    fn touch(&mut self) {
        if self.before.is_waiting() {
            let mut state = self.before.writer();
            self.write(&mut state);
            self.before.keep(state);
        }
    }

    fn member(&self, id: PopulationId) -> &Member {
        let member = self.members.get(id.index()).and_then(Option::as_ref);
        member.unwrap_or_else(|| panic!("population {} is not in this society", id.0))
    }

    fn members_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.members.iter_mut().flatten()
    }

    /// Makes room for all groups in all populations.
    fn level_groups(&mut self) {
        let groups = self.groups();
        for member in self.members_mut() {
            member.population.make_groups(groups);
        }
    }

    /// Passes on what a population has written to shared keys.
    fn pass_on(&mut self, from: usize) {
        let Some(source) = self.members[from].as_mut() else {
            return;
        };
        if let Some(shared) = source.population.take_news() {
            for key in &self.keys {
                let used = key.uses.iter().find(|(member, _)| *member == from);
                let Some((_, key_there)) = used else {
                    continue;
                };
                let slot = self.members[from]
                    .as_ref()
                    .map(|source| source.population.slot(*key_there));
                let Some(slot) = slot else { continue };
                for lane in shared.lanes_to_pass_on(slot) {
                    copy_to_others(&mut self.members, (from, &shared), (key, *key_there), lane);
                }
            }
            if let Some(source) = self.members[from].as_mut() {
                source.population.put_back(shared);
            }
        }
    }
}

/// Copies a shared key, in one lane, from one population to all others that share it. The values of the source have
/// been taken from it.
fn copy_to_others(
    members: &mut [Option<Member>],
    (from, shared): (usize, &Shared),
    (key, key_there): (&SharedKey, KeyId),
    lane: usize,
) {
    for (other, key_here) in key.uses.iter().filter(|(other, _)| *other != from) {
        if let Ok([Some(source), Some(target)]) = members.get_disjoint_mut([from, *other]) {
            source.give(
                (shared, key_there),
                (target, *key_here),
                lane,
                TakeOver::Write,
            );
        }
    }
}

impl Member {
    fn new(name: String, population: Population) -> Self {
        let behaviour = population.program().behaviour();
        let enums = behaviour.enums().iter();
        let enum_names = enums
            .map(|list| list.values.iter().map(|name| Text::new(name)).collect())
            .collect();
        Self {
            name,
            population,
            enum_names,
            was_ticked: false,
        }
    }

    /// Gives another population the value of a key that both share, in one lane.
    fn give(
        &self,
        (shared, key): (&Shared, KeyId),
        (target, key_there): (&mut Member, KeyId),
        lane: usize,
        why: TakeOver,
    ) {
        let ty = target.population.slot(key_there).ty;
        let slot = self.population.slot(key);
        let translate = |value| self.translate(value, ty);
        let target = &mut target.population;
        target.take_over(key_there, (shared, slot), lane, why, translate);
    }

    /// A value of this program, as a program knows it in which the key has this type.
    fn translate(&self, value: Value, ty: Type) -> Value {
        match (value, ty) {
            (Value::Enum(_, index), Type::Enum(list)) => Value::Enum(list, index),
            (Value::Enum(list, index), _) => Value::Text(self.enum_name(list, index)),
            (value, _) => value,
        }
    }

    fn enum_name(&self, list: EnumId, index: u32) -> Text {
        let names = self.enum_names.get(list.index());
        let name = names.and_then(|names| names.get(index as usize));
        name.copied().unwrap_or_default()
    }
}
