//! How populations join a society, and leave it.

use super::agree::{Disagreement, disagreements, shared_keys};
use super::{MAX_POPULATIONS, Member, PopulationId, SharedKey, SharedSemaphore, Society};
use crate::behaviour::{Behaviour, Scope};
use crate::blackboard::TakeOver;
use crate::population::Population;
use crate::snapshot::Before;
use std::fmt;

/// Why a population could not join a society.
#[derive(Debug)]
pub struct JoinError {
    /// The name that it was to get.
    pub name: String,
    /// What it shares with other programs but declares differently: the name of the population that declares it
    /// first, and how both declare it. It is empty if the society is full.
    pub disagreements: Vec<(String, Disagreement)>,
    /// The population, unchanged.
    pub population: Box<Population>,
}

impl fmt::Display for JoinError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        write!(out, "`{name}` cannot join")?;
        if self.disagreements.is_empty() {
            write!(out, ": at most {MAX_POPULATIONS} populations may")?;
        }
        write_disagreements(out, name, &self.disagreements)
    }
}

/// Writes what a population declares in another way than others.
pub(super) fn write_disagreements(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    disagreements: &[(String, Disagreement)],
) -> fmt::Result {
    for (index, (other, found)) in disagreements.iter().enumerate() {
        let Disagreement {
            shared,
            name: key,
            first,
            second,
            places,
        } = found;
        let place = |place: &Option<String>| match place {
            Some(place) => format!(" ({place})"),
            None => String::new(),
        };
        let [there, here] = places.each_ref().map(place);
        let separator = if index == 0 { ":" } else { ";" };
        write!(
            out,
            "{separator} {shared} `{key}` is `{first}` in `{other}`{there} and `{second}` in `{name}`{here}"
        )?;
    }
    Ok(())
}

impl std::error::Error for JoinError {}

impl Society {
    /// Adds a population. From then on, it shares, by name, what its document declares with `scope=world` or
    /// `scope=group`. Keys that the society already knows keep their values, and new ones get those of the new
    /// population; neither counts as a write.
    ///
    /// # Errors
    /// When the new population declares something that it shares with others differently, or when the society is full.
    /// Then nothing has changed.
    pub fn join(
        &mut self,
        name: impl Into<String>,
        population: Population,
    ) -> Result<PopulationId, JoinError> {
        let name = name.into();
        let found = self.disagreements_with(population.program().behaviour(), None);
        if !found.is_empty() || self.members.len() >= MAX_POPULATIONS {
            return Err(JoinError {
                name,
                disagreements: found,
                population: Box::new(population),
            });
        }
        Ok(self.admit(name, population))
    }

    /// What a behaviour declares in another way than the populations, but for one of them.
    pub(super) fn disagreements_with(
        &self,
        behaviour: &Behaviour,
        except: Option<usize>,
    ) -> Vec<(String, Disagreement)> {
        let mut found = Vec::new();
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member.as_ref().filter(|_| except != Some(index)) else {
                continue;
            };
            let theirs = member.population.program().behaviour();
            let new = disagreements(theirs, behaviour);
            let known = |one: &Disagreement| {
                let same = |(_, other): &(String, Disagreement)| {
                    other.shared == one.shared && other.name == one.name
                };
                found.iter().any(same)
            };
            let new: Vec<Disagreement> = new.into_iter().filter(|one| !known(one)).collect();
            found.extend(new.into_iter().map(|one| (member.name.clone(), one)));
        }
        found
    }

    fn admit(&mut self, name: String, mut population: Population) -> PopulationId {
        self.touch();
        let known_groups = self.groups();
        let newcomer = self.members.len();
        let id = PopulationId(newcomer as u16);
        population.before = Before::default();
        population.join(Some(id));
        self.members.push(Some(Member::new(name, population)));
        self.level_groups();
        self.link();
        self.level_keys(newcomer, known_groups);
        id
    }

    /// Removes a population and returns it. It keeps the values of what it shared, as copies, and its agents keep
    /// running; they no longer take places away from others.
    ///
    /// # Panics
    /// When the population has left already, or belongs to another society.
    pub fn leave(&mut self, id: PopulationId) -> Population {
        self.member(id);
        self.touch();
        let member = self.members[id.index()].take();
        let mut population = member.expect("it is a member").population;
        population.join(None);
        self.link();
        population
    }

    /// Finds out who shares what.
    pub(super) fn link(&mut self) {
        self.link_events();
        self.count_everybody();
        self.keys.clear();
        self.semaphores.clear();
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            let behaviour = member.population.program().behaviour();
            for key in shared_keys(behaviour) {
                let use_here = (index, behaviour.key_id(&key.name).expect("it has that key"));
                match self.keys.iter_mut().find(|known| known.name == key.name) {
                    Some(known) => known.uses.push(use_here),
                    None => self.keys.push(SharedKey {
                        name: key.name.clone(),
                        uses: vec![use_here],
                    }),
                }
            }
            for (number, semaphore) in behaviour.semaphores().iter().enumerate() {
                if semaphore.scope == Scope::Agent {
                    continue;
                }
                let mut known = self.semaphores.iter_mut();
                match known.find(|known| known.name == semaphore.name) {
                    Some(known) => known.uses.push((index, number)),
                    None => self.semaphores.push(SharedSemaphore {
                        name: semaphore.name.clone(),
                        places: semaphore.places,
                        bidding: semaphore.bidding,
                        uses: vec![(index, number)],
                    }),
                }
            }
        }
    }

    /// Gives a newcomer the values of keys that the society knows, and the society those of groups that only the
    /// newcomer knows.
    fn level_keys(&mut self, newcomer: usize, known_groups: usize) {
        let all_groups = self.groups();
        for key in &self.keys {
            let [(first, key_there), ..] = key.uses[..] else {
                continue;
            };
            let used = key.uses.iter().find(|(member, _)| *member == newcomer);
            let Some(&(_, key_here)) = used.filter(|_| first != newcomer) else {
                continue;
            };
            let lanes = match self.lanes_of(newcomer, key_here) {
                Scope::World | Scope::Agent => 1,
                Scope::Group => all_groups,
            };
            for lane in 0..lanes {
                let (from, to) = ((first, key_there), (newcomer, key_here));
                if lane < known_groups {
                    copy_value(&mut self.members, from, to, (lane, TakeOver::Join));
                } else {
                    for &known in key.uses.iter().filter(|(member, _)| *member != newcomer) {
                        copy_value(&mut self.members, to, known, (lane, TakeOver::Join));
                    }
                }
            }
        }
    }

    pub(super) fn lanes_of(&self, member: usize, key: crate::KeyId) -> Scope {
        let member = self.members[member].as_ref();
        member.map_or(Scope::World, |member| member.population.slot(key).scope)
    }
}

/// Copies the value of a shared key, in one lane, from one population to another.
pub(super) fn copy_value(
    members: &mut [Option<Member>],
    (from, key_there): (usize, crate::KeyId),
    (to, key_here): (usize, crate::KeyId),
    (lane, why): (usize, TakeOver),
) {
    if let Ok([Some(source), Some(target)]) = members.get_disjoint_mut([from, to])
        && let Some(shared) = source.population.take_shared()
    {
        source.give((&shared, key_there), (target, key_here), lane, why);
        source.population.put_back(shared);
    }
}
