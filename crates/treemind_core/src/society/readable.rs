//! The state of a society for people.

use super::{Member, Society};
use crate::ids::{PopulationId, SemaphoreId};
use crate::population::{Standing, readable_standing};
use crate::snapshot::Readable;

/// An agent that holds or asks for a place, and the place of its population.
type Placed = (Standing, usize);

impl Society {
    /// The whole state for people: see [`Population::readable`](crate::Population::readable).
    pub fn readable(&self) -> Readable {
        self.readable_of(|_, _| true)
    }

    /// The same with only some of the agents, which are named by their population and index.
    pub fn readable_of(&self, shows: impl Fn(PopulationId, usize) -> bool) -> Readable {
        // A new field has to be named here, so nobody forgets to show it.
        let Self {
            members,
            keys: _,
            semaphores: _,
            events: _,
            line: _,
            census: _,
            roster: _,
            values: _,
            delivery: _,
            steps,
            is_in_step: _,
            before: _,
        } = self;
        let mut all = Readable::EMPTY;
        all.add("steps", *steps);
        all.add_if_any("semaphores", self.readable_semaphores());
        let mut populations = Readable::EMPTY;
        for (place, member) in members.iter().enumerate() {
            let Some(member) = member else { continue };
            let Member {
                name,
                population,
                enum_names: _,
                was_ticked: _,
            } = member;
            let agents = (0..population.len())
                .filter(|agent| population.is_alive(*agent))
                .filter(|agent| shows(PopulationId(place as u16), *agent));
            let agents: Vec<usize> = agents.collect();
            populations.add(name, population.readable_of(&agents));
        }
        all.add("populations", populations);
        all
    }

    /// Who holds places of the semaphores that populations share, and who asks for one, in the order in which they get
    /// places.
    fn readable_semaphores(&self) -> Readable {
        let mut all: Vec<(String, u32, [Vec<Placed>; 2])> = Vec::new();
        for (place, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            let semaphores = member.population.program().behaviour().semaphores();
            for (index, semaphore) in semaphores.iter().enumerate() {
                let standing = member.population.standing(SemaphoreId::new(index));
                let Some(standing) = standing else { continue };
                let known = all.iter().position(|(name, ..)| *name == semaphore.name);
                let known = known.unwrap_or_else(|| {
                    all.push((semaphore.name.clone(), semaphore.places, Default::default()));
                    all.len() - 1
                });
                for (list, found) in all[known].2.iter_mut().zip(standing) {
                    list.extend(found.into_iter().map(|one| (one, place)));
                }
            }
        }
        let shown = all
            .into_iter()
            .map(|(name, places, [mut holders, mut line])| {
                holders.sort_unstable_by_key(|(one, place)| (one.group, *place, one.agent));
                line.sort_unstable_by_key(|(one, place)| {
                    (one.group, one.turn(), *place, one.agent)
                });
                let agents = |list: &[Placed]| -> Vec<Readable> {
                    let name = |place: usize| self.members[place].as_ref().map(|of| &*of.name);
                    let list = list.iter();
                    list.map(|(one, place)| readable_standing(one, name(*place)))
                        .collect()
                };
                let mut shown = Readable::EMPTY;
                shown.add("places", places);
                shown.add("holders", agents(&holders));
                shown.add("line", agents(&line));
                (name, shown)
            });
        shown.collect::<Vec<_>>().into()
    }
}
