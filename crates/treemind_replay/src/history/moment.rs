//! A tick of a history: the agents as they were after it, and those who are followed.

use super::store::{Begin, Next, Place, Store};
use crate::follow::{Agents, Roster, Tick, Timeline, Troupe};
use std::sync::Arc;
use treemind_core::tape::{Playback, Played, Stage};
use treemind_core::{Population, PopulationId};

impl Agents for Stage {
    fn populations(&self) -> Vec<PopulationId> {
        self.populations()
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        self.population(id)
    }

    fn name(&self, id: PopulationId) -> String {
        self.name(id).to_owned()
    }
}

/// A tick of a history: everything that playing on needs.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) place: Place,
    pub(super) tick: u64,
    pub(super) revision: u64,
    pub(super) playback: Playback,
    pub(super) troupe: Troupe,
    /// Ticks that were read, and how many of the bytes are over.
    read: Arc<[u8]>,
    over_bytes: usize,
}

/// Where it is noted what happens in a tick.
pub(super) struct Noting<'a> {
    pub(super) roster: &'a Roster,
    pub(super) wanted: &'a [usize],
    pub(super) timeline: &'a mut Timeline,
    pub(super) played: &'a mut Played,
}

impl Moment {
    pub(super) fn begin(begin: &Begin) -> Option<Self> {
        Some(Self {
            place: begin.place,
            tick: begin.at,
            revision: begin.revision,
            playback: begin.open()?,
            troupe: Troupe::default(),
            read: Arc::default(),
            over_bytes: 0,
        })
    }

    pub(super) fn stage(&self) -> &Stage {
        self.playback.stage()
    }

    /// Where the programs are that the populations run.
    pub(super) fn programs(&self) -> Vec<(PopulationId, usize)> {
        let stage = self.stage();
        let ids = stage.populations().into_iter();
        ids.filter_map(|id| {
            let population = stage.population(id)?;
            Some((id, Arc::as_ptr(population.program()) as usize))
        })
        .collect()
    }

    /// Plays the tick that follows on the segment where this is. Without `noting`, nobody is followed any more.
    ///
    /// # Errors
    /// What follows instead; ticks if they cannot be played.
    pub(super) fn play(
        &mut self,
        store: &impl Store,
        mut noting: Option<Noting<'_>>,
    ) -> Result<(), Next> {
        if self.over_bytes == self.read.len() {
            match store.next(self.place) {
                Next::Ticks(ticks) => (self.read, self.over_bytes) = (ticks, 0),
                other => return Err(other),
            }
        }
        match &mut noting {
            Some(noting) => {
                let stage = self.playback.stage();
                self.troupe.before_tick(stage, noting.roster, noting.wanted);
                noting.played.chosen = Some(self.troupe.chosen(noting.roster));
            }
            None => self.troupe.recast(),
        }
        let read = Arc::clone(&self.read);
        let mut tape = &read[self.over_bytes..];
        let played = noting.as_mut().map(|noting| &mut *noting.played);
        self.playback
            .step(&mut tape, played)
            .map_err(|_| Next::Ticks(read.clone()))?;
        self.over_bytes = read.len() - tape.len();
        self.place.over += 1;
        self.tick += 1;
        if let Some(noting) = noting {
            let tick = Tick {
                number: self.tick,
                traces: &noting.played.traces,
                messages: &noting.played.messages,
            };
            let stage = self.playback.stage();
            self.troupe
                .after_tick(stage, noting.roster, tick, noting.timeline);
        }
        Ok(())
    }
}
