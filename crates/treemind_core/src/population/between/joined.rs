//! What a population offers to a society that it has joined: its copy of what is shared.

use crate::blackboard::{KeySlot, Shared, TakeOver};
use crate::ids::{KeyId, PopulationId};
use crate::lives::Lives;
use crate::population::Population;
use crate::value::Value;

impl Population {
    /// Says which population of a society it is, or that it is in none. If it is, it has room for shared keys even if
    /// it has none, because groups are numbered for all.
    pub(crate) fn join(&mut self, joined: Option<PopulationId>) {
        self.durable.lives.population = joined.unwrap_or(PopulationId::FIRST);
        let (board, keys) = (
            &self.durable.program.board,
            self.durable.program.behaviour.keys(),
        );
        self.durable
            .shared
            .get_or_insert_with(|| Box::new(Shared::new(board, keys)))
            .join(joined.is_some());
        if joined.is_none() {
            self.count_itself();
        }
    }

    /// Whether its program asks who lives, or how many agents a group has.
    pub(crate) fn asks_census(&self) -> bool {
        self.durable.program.asks_census
    }

    /// Whether the census of the society does not know some changes.
    pub(crate) fn has_news_of_lives(&self) -> bool {
        self.durable.lives.has_news()
    }

    /// Who lives where, to be counted together with the other populations of the society.
    pub(crate) fn lives_mut(&mut self) -> &mut Lives {
        &mut self.durable.lives
    }

    /// Whether it belongs to a society, in which agents of other programs share keys with its own.
    pub fn is_joined(&self) -> bool {
        self.durable.is_joined()
    }

    /// Makes room for this many groups, if there are fewer.
    pub(crate) fn make_groups(&mut self, groups: usize) {
        if let Some(shared) = &mut self.durable.shared {
            shared.grow(
                &self.durable.program.board,
                self.durable.program.behaviour.keys(),
                groups,
            );
        }
    }

    /// The shared keys, if some of them were written since the other programs were informed. They have to be
    /// returned with [`put_back`](Self::put_back).
    pub(crate) fn take_news(&mut self) -> Option<Box<Shared>> {
        self.durable
            .shared
            .take_if(|shared| shared.has_news_for_programs())
    }

    /// The shared keys of a population that has joined a society. They have to be returned with
    /// [`put_back`](Self::put_back).
    pub(crate) fn take_shared(&mut self) -> Option<Box<Shared>> {
        self.durable.shared.take()
    }

    /// Returns what was taken.
    pub(crate) fn put_back(&mut self, mut shared: Box<Shared>) {
        shared.programs_are_informed();
        self.durable.shared = Some(shared);
    }

    /// Where a key is stored.
    pub(crate) fn slot(&self, key: KeyId) -> KeySlot {
        self.durable.program.board.keys[key.index()]
    }

    /// Takes over what another program holds in a key that both share, in one lane.
    pub(crate) fn take_over(
        &mut self,
        key: KeyId,
        (from, source): (&Shared, KeySlot),
        lane: usize,
        why: TakeOver,
        translate: impl Fn(Value) -> Value,
    ) {
        let slot = self.slot(key);
        if let Some(shared) = &mut self.durable.shared {
            shared.take_over(
                (&self.durable.program.board, slot),
                (from, source),
                lane,
                why,
                translate,
            );
        }
    }
}
