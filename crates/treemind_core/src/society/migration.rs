//! Another program for a population of a society.

use super::agree::Disagreement;
use super::join::{copy_value, write_disagreements};
use super::{Member, Society};
use crate::behaviour::Scope;
use crate::blackboard::TakeOver;
use crate::host::Host;
use crate::ids::PopulationId;
use crate::population::Migration;
use crate::program::Program;
use crate::program::matching::Matching;
use crate::trace::untraced;
use std::fmt;
use std::sync::Arc;

/// Why a population of a society cannot have another program: what the program shares with others, it declares
/// differently. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeError {
    /// The name of the population.
    pub name: String,
    /// The name of the population that declares it first, and how both declare it.
    pub disagreements: Vec<(String, Disagreement)>,
}

impl fmt::Display for ChangeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` cannot change", self.name)?;
        write_disagreements(out, &self.name, &self.disagreements)
    }
}

impl std::error::Error for ChangeError {}

impl Society {
    /// Gives a population another program between two steps: see
    /// [`Population::change_program`](crate::Population::change_program). Shared keys keep their values; those that are
    /// new to the population get the values of the society.
    ///
    /// # Errors
    /// When the program declares differently what it shares with other populations. Then nothing has changed.
    ///
    /// # Panics
    /// When the population has left, or belongs to another society.
    pub fn change_program(
        &mut self,
        id: PopulationId,
        program: Arc<Program>,
        host: &mut dyn Host,
    ) -> Result<Migration, ChangeError> {
        let name = self.member(id).name.clone();
        let place = id.index();
        let disagreements = self.disagreements_with(program.behaviour(), Some(place));
        if !disagreements.is_empty() {
            return Err(ChangeError {
                name,
                disagreements,
            });
        }
        self.touch();
        let old = Arc::clone(self.member(id).population.program());
        let matching = Matching::new(&old, &program);
        let mut cut = None;
        if let (Some(matching), Some(member)) = (&matching, &mut self.members[place]) {
            cut = Some(member.population.cut(matching, host, &mut untraced()));
            // What hooks have written, sent and asked for belongs to the old program.
            self.pass_on(place);
            self.end_changes(false);
        }
        let member = self.members[place].take().expect("it is a member");
        let Member { mut population, .. } = member;
        let migration = match (&matching, &cut) {
            (Some(matching), Some(cut)) => population.carry_over(&program, matching, cut),
            _ => population.rename(program),
        };
        self.members[place] = Some(Member::new(name, population));
        self.level_groups();
        self.link();
        self.take_over_keys(place);
        Ok(migration)
    }

    /// Gives a population the values of all keys that others know.
    fn take_over_keys(&mut self, place: usize) {
        let groups = self.groups();
        for key in &self.keys {
            let here = key.uses.iter().find(|(member, _)| *member == place);
            let there = key.uses.iter().find(|(member, _)| *member != place);
            let (Some(here), Some(there)) = (here, there) else {
                continue;
            };
            let lanes = match self.lanes_of(place, here.1) {
                Scope::World | Scope::Agent => 1,
                Scope::Group => groups,
            };
            for lane in 0..lanes {
                copy_value(&mut self.members, *there, *here, (lane, TakeOver::Change));
            }
        }
    }
}
