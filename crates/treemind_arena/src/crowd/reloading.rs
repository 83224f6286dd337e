//! A changed document under a running crowd.

use super::people::{Columns, Quarter};
use super::{Crowd, bound_to, written_keys};
use crate::session::SessionError;
use std::sync::Arc;
use treemind::population::{Behaviour, Program};
use treemind::{Document, Migration};

impl Crowd {
    /// Continues with a changed document, between two ticks: see
    /// [`Population::change_program`](treemind::population::Population::change_program). `behaviour` is what the crowd
    /// plays of it.
    ///
    /// # Errors
    /// When the behaviour needs leaves that a crowd does not have, unless it has [stubs](Self::with_stubs). Then nothing has
    /// changed.
    pub fn reload(
        &mut self,
        behaviour: Behaviour,
        document: &Document,
    ) -> Result<Migration, SessionError> {
        let (bound, missing) = bound_to(&behaviour, self.stubbing.is_some())?;
        let stubbing = self.stubbing.as_ref();
        let stubbing = stubbing.map(|stubbing| stubbing.of_changed(&behaviour, missing));
        let [danger_key, hour_key] = written_keys(&behaviour);
        let program = Arc::new(Program::new(behaviour));
        // What is aborted is stopped for all people at once.
        let threads = self.quarters.len();
        let mut columns = Columns::default();
        let quarters = self.quarters.iter();
        quarters.for_each(|quarter| quarter.add_to(&mut columns));
        let mut whole = Quarter::restored(&self.town, 0..self.people(), &columns);
        whole.now.clone_from(&self.now);
        let host = &mut self.bound.host(&mut whole);
        let migration = match &mut self.stubbing {
            Some(stubbing) if !stubbing.is_empty() => {
                let host = &mut stubbing.around(host, self.population.len());
                self.population.change_program(program, host)
            }
            _ => self.population.change_program(program, host),
        };
        let mut columns = Columns::default();
        whole.add_to(&mut columns);
        let parts = self.population.parts(threads);
        let quarters = parts.map(|part| Quarter::restored(&self.town, part, &columns));
        self.quarters = quarters.collect();
        self.told += whole.told;
        (self.bound, self.stubbing) = (Arc::new(bound), stubbing);
        (self.danger_key, self.hour_key) = (danger_key, hour_key);
        self.files = document.texts();
        Ok(migration)
    }
}
