//! Saving a society with all its populations, and restoring it.

use super::agree::disagreements;
use super::{MAX_POPULATIONS, Member, Society};
use crate::ids::PopulationId;
use crate::population::{Delivery, Line, Population};
use crate::program::Program;
use crate::snapshot::{Before, Content, Reader, RestoreError, Writer};
use std::sync::Arc;

impl Society {
    /// The whole state of all populations, between two steps, as bytes that do not depend on the machine or the process;
    /// see [`Population::save`]. [`restore`](Self::restore) makes a society of them that continues with the same traces.
    pub fn save(&self) -> Vec<u8> {
        self.save_with(&[])
    }

    /// Like [`save`](Self::save), with bytes of the game attached: see [`Population::save_with`].
    pub fn save_with(&self, attached: &[u8]) -> Vec<u8> {
        let mut to = Writer::with(Content::Society, attached);
        self.write(&mut to);
        to.finish()
    }

    /// What was attached when a society was [saved](Self::save_with); empty if nothing was.
    ///
    /// # Errors
    /// When the bytes are no snapshot of a society, cut or damaged.
    pub fn attached(snapshot: &[u8]) -> Result<&[u8], RestoreError> {
        Reader::open(snapshot, Content::Society).map(|from| from.attached)
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        let mut ended;
        let mut society = self;
        if self.is_in_step {
            // A step that was forgotten (`mem::forget`) still ends.
            ended = self.clone();
            ended.end_step();
            society = &ended;
        }
        // A new field has to be named here, so nobody forgets to save it.
        let Self {
            members,
            keys: _,
            semaphores: _,
            events: _,
            line: _,
            census: _,
            roster: _,
            values: _,
            // What became of events until the last step ended.
            delivery: _,
            steps,
            is_in_step: _,
            // For the recording of a step.
            before: _,
        } = society;
        to.cut();
        to.u64(*steps);
        to.count(members.len());
        for member in members {
            to.cut();
            to.bool(member.is_some());
            if let Some(member) = member {
                let Member {
                    name,
                    population,
                    enum_names: _,
                    was_ticked: _,
                } = member;
                to.str(name);
                population.write(to);
            }
        }
    }

    /// The society that was [saved](Self::save), in this process or another, on any machine. `program` gives the program
    /// of each population, whose position in the order of joining and whose name it gets.
    ///
    /// # Errors
    /// As [`Population::restore`], and when there is no program for a population.
    pub fn restore(
        snapshot: &[u8],
        mut program: impl FnMut(usize, &str) -> Option<Arc<Program>>,
    ) -> Result<Self, RestoreError> {
        let mut from = Reader::open(snapshot, Content::Society)?;
        Self::read(&mut program, &mut from)
    }

    pub(crate) fn read(
        program: &mut dyn FnMut(usize, &str) -> Option<Arc<Program>>,
        from: &mut Reader<'_>,
    ) -> Result<Self, RestoreError> {
        let steps = from.counted()?;
        let count = from.count(1)?;
        if count > MAX_POPULATIONS {
            return Err(RestoreError::impossible("there are too many populations"));
        }
        let mut members = Vec::new();
        for place in 0..count {
            if !from.bool()? {
                members.push(None);
                continue;
            }
            let name = from.str()?;
            let program = program(place, name).ok_or_else(|| {
                RestoreError::refused(format!("there is no program for the population `{name}`"))
            })?;
            let id = PopulationId(place as u16);
            let population = Population::read(program, Some(id), from)?;
            members.push(Some(Member::new(name.to_owned(), population)));
        }
        from.close()?;
        check_agreement(&members)?;
        let mut society = Self {
            members,
            keys: Vec::new(),
            semaphores: Vec::new(),
            events: Vec::new(),
            line: Line::default(),
            census: None,
            roster: None,
            values: Vec::new(),
            delivery: Delivery::default(),
            steps,
            is_in_step: false,
            before: Before::default(),
        };
        society.link();
        Ok(society)
    }
}

/// Checks that the populations can live together.
fn check_agreement(members: &[Option<Member>]) -> Result<(), RestoreError> {
    let mut members = members.iter().flatten();
    let Some(first) = members.next() else {
        return Ok(());
    };
    let first = &first.population;
    for member in members {
        let behaviour = member.population.program().behaviour();
        if !disagreements(first.program().behaviour(), behaviour).is_empty() {
            return Err(RestoreError::impossible(
                "programs declare differently what they share",
            ));
        }
        if member.population.groups() != first.groups() {
            return Err(RestoreError::impossible("programs know other groups"));
        }
    }
    Ok(())
}
