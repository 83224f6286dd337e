//! Looking at all bodies with a mind, whichever behaviour they follow.

use super::Session;
use crate::event::Event;
use crate::ids::BodyId;
use treemind::blackboard::{KeyId, Value};
use treemind::core::LeafId;
use treemind::population::Population;
use treemind::trace::Trace;
use treemind_recording::Recorder;

impl Session {
    /// How many behaviours there are. Each has a population, and a position from 0; that of the `main` mind is the
    /// first.
    pub fn behaviours(&self) -> usize {
        self.casts.len()
    }

    /// The population of a behaviour.
    ///
    /// # Panics
    /// When there is no such behaviour.
    pub fn population_at(&self, nth: usize) -> &Population {
        self.casts[nth].population(&self.society)
    }

    /// All bodies with a mind, with the position of their behaviour: first those with the `main` mind, then the
    /// others in the order of their numbers.
    pub fn minded(&self) -> Vec<(BodyId, usize)> {
        let of = |who: BodyId| Some((who, self.casts.iter().position(|cast| cast.has(who))?));
        let mut minded: Vec<_> = self.world.ids().filter_map(of).collect();
        minded.sort_by_key(|&(who, nth)| (nth > 0, who));
        minded
    }

    /// The agent of a body in the population of its behaviour; `None` while the body is dead or not in the world.
    pub fn agent_of(&self, who: BodyId) -> Option<usize> {
        let cast = self.casts.iter().find(|cast| cast.has(who))?;
        cast.agent_of(cast.population(&self.society), who)
    }

    /// Writes a key of a body's agent before the next tick; returns whether it has one that takes the value.
    pub fn set_key(&mut self, who: BodyId, key: KeyId, value: Value) -> bool {
        let Some(agent) = self.agent_of(who) else {
            return false;
        };
        let cast = self.casts.iter().find(|cast| cast.has(who));
        cast.is_some_and(|cast| cast.set(&mut self.society, agent, (key, value)))
    }

    /// Sends an event to a body's agent, which sees it in the next tick; returns whether something waits for it.
    ///
    /// # Panics
    /// When the leaf is not an event of what the agent runs, or the values do not fit its parameters.
    pub fn send(&mut self, who: BodyId, event: LeafId, values: &[Value]) -> bool {
        let Some(agent) = self.agent_of(who) else {
            return false;
        };
        let cast = self.casts.iter().find(|cast| cast.has(who));
        cast.is_some_and(|cast| cast.send(&mut self.society, agent, (event, values)))
    }

    /// From now on, these keys of bodies have these values in every tick, whatever the world writes into them; an empty
    /// list ends that. They are no part of what is saved.
    pub fn hold_keys(&mut self, held: Vec<(BodyId, KeyId, Value)>) {
        self.held = held;
    }

    /// Plays one tick, like [`step`](Self::step), and records what every node of every behaviour did: one trace per
    /// behaviour, in the order of their positions, [with values](Trace::with_values). The previous content of the traces
    /// is discarded. With a recorder, the tick is recorded, and the whole game now and then.
    pub fn step_all_traced(
        &mut self,
        traces: &mut Vec<Trace>,
        recorder: Option<&mut Recorder>,
    ) -> &[Event] {
        traces.resize_with(self.casts.len(), Trace::with_values);
        traces.iter_mut().for_each(Trace::clear);
        let mut traces: Vec<_> = traces.iter_mut().map(Some).collect();
        self.step_tracing(&mut traces, recorder)
    }
}
