//! The end of a step, or of what was done to a population between steps: agents leave, get their letters, change their
//! groups and are born.

use super::Society;
use crate::ids::AgentId;
use crate::population::no_archetype;
use crate::text::Text;
use crate::value::Value;

impl Society {
    /// What happens after the writes. Places of semaphores are given only in a step.
    pub(super) fn end_changes(&mut self, gives_places: bool) {
        for member in self.members_mut() {
            member.population.bury();
        }
        self.deliver_letters();
        for member in self.members_mut() {
            member.population.change_groups();
        }
        self.level_groups();
        if gives_places {
            self.give_places();
        }
        for index in 0..self.members.len() {
            self.give_birth(index);
        }
        self.count_changes();
    }

    /// Adds the agents that the leaves of a population have asked for.
    fn give_birth(&mut self, from: usize) {
        let source = self.members[from].as_mut();
        let Some(source) = source.filter(|source| source.population.has_births()) else {
            return;
        };
        let mut changes = source.population.take_births();
        for (birth, given) in changes.births() {
            let born = self.bear(from, birth.archetype, birth.parent, given);
            if let (Err(problem), Some(source)) = (born, &mut self.members[from]) {
                let problem = problem.unwrap_or_else(|| no_archetype(birth));
                source.population.refuse_birth(birth, problem);
            }
        }
        if let Some(source) = &mut self.members[from] {
            source.population.put_back_births(changes);
        }
    }

    /// Adds an agent. The error says why not, or nothing if nobody knows the archetype.
    fn bear(
        &mut self,
        from: usize,
        archetype: Text,
        parent: AgentId,
        given: &[(Text, Value)],
    ) -> Result<(), Option<String>> {
        let mut members = self.members.iter().enumerate();
        let (to, archetype) = members
            .find_map(|(index, member)| {
                let population = &member.as_ref()?.population;
                Some((index, population.archetype(archetype)?))
            })
            .ok_or(None)?;
        // Another program knows the value of an enumeration by its name.
        let source = self.members[from].as_ref();
        let named = |value| match (value, source) {
            (Value::Enum(list, index), Some(source)) if from != to => {
                Value::Text(source.enum_name(list, index))
            }
            (value, _) => value,
        };
        let given: Vec<_> = given
            .iter()
            .map(|(key, value)| (*key, named(*value)))
            .collect();
        if let Some(target) = &mut self.members[to] {
            target
                .population
                .bear(archetype, parent, given.into_iter())?;
        }
        self.pass_on(to);
        Ok(())
    }
}
