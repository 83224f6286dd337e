//! A moment of a game on a tape, from which it is played on.

use super::shared::Watched;
use std::sync::Arc;
use treemind_core::tape::{Playback, Played, Stage};
use treemind_core::{Population, PopulationId};
use treemind_replay::follow::{Agents, Roster, Tick, Timeline, Troupe};
use treemind_replay::history::{Begin, Next, Place, open};

pub(super) struct Stages<'a>(pub(super) &'a Stage);

impl Agents for Stages<'_> {
    fn populations(&self) -> Vec<PopulationId> {
        self.0.populations()
    }

    fn population(&self, id: PopulationId) -> Option<&Population> {
        self.0.population(id)
    }

    fn name(&self, id: PopulationId) -> String {
        self.0.name(id).to_owned()
    }
}

/// A moment of a game: everything that playing on needs.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) place: Place,
    pub(super) tick: u64,
    pub(super) playback: Playback,
    pub(super) troupe: Troupe,
}

impl Moment {
    pub(super) fn begin(begin: &Begin) -> Option<Self> {
        Some(Self {
            place: begin.place,
            tick: begin.at,
            playback: open(begin)?,
            troupe: Troupe::default(),
        })
    }

    /// Where the programs are that the populations run.
    pub(super) fn programs(&self) -> Vec<(PopulationId, usize)> {
        let stage = self.playback.stage();
        let ids = stage.populations().into_iter();
        ids.filter_map(|id| {
            let population = stage.population(id)?;
            Some((id, Arc::as_ptr(population.program()) as usize))
        })
        .collect()
    }

    /// Plays the tick that follows on the piece of the tape where this is.
    ///
    /// # Errors
    /// What follows instead; a tick if it cannot be played, which is a mistake of this library.
    pub(super) fn play(
        &mut self,
        watched: &Watched,
        bytes: &mut Vec<u8>,
        mut noting: Option<Noting<'_>>,
    ) -> Result<(), Next> {
        match watched.track().next(self.place, bytes) {
            Next::Tick => {}
            other => return Err(other),
        }
        if let Some(noting) = &mut noting {
            let stage = Stages(self.playback.stage());
            self.troupe
                .before_tick(&stage, noting.roster, noting.wanted);
            noting.played.chosen = Some(self.troupe.chosen(noting.roster));
        }
        let mut tape = &bytes[..];
        let played = noting.as_mut().map(|noting| &mut *noting.played);
        self.playback
            .step(&mut tape, played)
            .map_err(|_| Next::Tick)?;
        self.place.over += 1;
        self.tick += 1;
        if let Some(noting) = noting {
            let tick = Tick {
                number: self.tick,
                traces: &noting.played.traces,
                messages: &noting.played.messages,
            };
            let stage = Stages(self.playback.stage());
            self.troupe
                .after_tick(&stage, noting.roster, tick, noting.timeline);
        }
        Ok(())
    }
}

/// Where it is noted what happens in a tick.
pub(super) struct Noting<'a> {
    pub(super) roster: &'a Roster,
    pub(super) wanted: &'a [usize],
    pub(super) timeline: &'a mut Timeline,
    pub(super) played: &'a mut Played,
}

/// A stretch of ticks that is played again, to know what an agent did in it.
pub(super) struct Past {
    pub(super) of: usize,
    pub(super) stretch: (u64, u64),
    pub(super) now: Moment,
    pub(super) timeline: Timeline,
    pub(super) played: Played,
}
