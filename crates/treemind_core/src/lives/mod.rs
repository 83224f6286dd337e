//! Who lives at which index: generations and free indices.

mod census;
mod roster;

pub(crate) use census::{Census, Change};
pub(crate) use roster::Roster;

use crate::ids::{AgentId, PopulationId};
use crate::snapshot::{Reader, RestoreError, Writer};
use std::ops::Range;
use std::sync::Arc;

/// The generations at all indices, and which indices are free.
#[derive(Clone, Debug)]
pub(crate) struct Lives {
    pub(crate) population: PopulationId,
    /// The generation of the agent at each index, or of the next one there. Beyond the end it is the first.
    generations: Vec<u32>,
    free: Free,
    /// Who lives everywhere, if the program asks, or another one of the society.
    census: Option<Arc<Census>>,
    /// Who was in which group when the tick began, if the program asks.
    roster: Option<Arc<Roster>>,
    /// What has changed since the society last brought the census up to date; empty outside of societies.
    news: Vec<Change>,
    /// Whether the census is that of a society.
    is_joined: bool,
}

/// The first generation at an index.
const FIRST: u32 = 1;

impl Default for Lives {
    fn default() -> Self {
        Self {
            population: PopulationId::FIRST,
            generations: Vec::new(),
            free: Free::default(),
            census: None,
            roster: None,
            news: Vec::new(),
            is_joined: false,
        }
    }
}

impl Lives {
    /// The handle of the agent that lives at this index, or of the next one there.
    #[inline]
    pub(crate) fn id(&self, index: usize) -> Option<AgentId> {
        let generation = self.generations.get(index).copied().unwrap_or(FIRST);
        AgentId::new(self.population, index, generation)
    }

    /// Records that the agent at an index has died. The index is free for another one, unless this was the last
    /// generation.
    pub(crate) fn end(&mut self, index: usize) {
        if self.generations.len() <= index {
            self.generations.resize(index + 1, FIRST);
        }
        let generation = &mut self.generations[index];
        *generation += 1;
        if *generation <= AgentId::LAST_GENERATION {
            self.free.insert(index);
        }
    }

    /// Takes the lowest free indices that follow one another: as many as there are, and at most `most`, and none in
    /// another block of `lanes`.
    pub(crate) fn take(&mut self, most: usize, lanes: usize) -> Option<Range<usize>> {
        let first = self.free.lowest()?;
        let limit = (first + most).min((first / lanes + 1) * lanes);
        let mut end = first;
        while end < limit && self.free.remove(end) {
            end += 1;
        }
        Some(first..end)
    }

    /// The first indices from `from` on, at most `most`, that follow one another and were never used up.
    pub(crate) fn usable(&self, from: usize, most: usize) -> Range<usize> {
        let is_used_up = |index: usize| {
            let generation = self.generations.get(index).copied().unwrap_or(FIRST);
            generation > AgentId::LAST_GENERATION
        };
        let known = self.generations.len().max(from);
        let first = (from..known).find(|index| !is_used_up(*index));
        let first = first.unwrap_or(known);
        let end = (first..(first + most).min(known)).find(|index| is_used_up(*index));
        first..end.unwrap_or(first + most)
    }

    /// Whether changes have to be [noted](Self::note).
    #[inline]
    pub(crate) fn are_counted(&self) -> bool {
        self.census.is_some()
    }

    /// Records a change for the census.
    pub(crate) fn note(&mut self, change: Change) {
        match &mut self.census {
            Some(_) if self.is_joined => self.news.push(change),
            Some(census) => Arc::make_mut(census).apply(change),
            None => {}
        }
    }

    /// Begins to count, or stops: with the census of a society, or with one of its own.
    pub(crate) fn count(&mut self, census: Option<Arc<Census>>, is_joined: bool) {
        self.census = census;
        self.roster = None;
        self.is_joined = is_joined;
        self.news.clear();
    }

    /// Whether the census of the society does not know some changes.
    pub(crate) fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Brings the census of the society up to date.
    pub(crate) fn report(&mut self, census: &mut Census) {
        self.news.drain(..).for_each(|change| census.apply(change));
    }

    /// The same, without the census.
    pub(crate) fn without_census(&self) -> Self {
        Self {
            population: self.population,
            generations: self.generations.clone(),
            free: self.free.clone(),
            census: None,
            roster: None,
            news: Vec::new(),
            is_joined: self.is_joined,
        }
    }

    /// Takes the census away, so that the society can change it.
    pub(crate) fn let_go_of_census(&mut self) {
        self.census = None;
    }

    /// Returns the census of the society.
    pub(crate) fn give_census(&mut self, census: Arc<Census>) {
        self.census = Some(census);
    }

    /// Who was in which group when the tick began. Between ticks there is none.
    pub(crate) fn roster(&self) -> Option<&Roster> {
        self.roster.as_deref()
    }

    /// Takes the lists of groups, or gives new ones.
    pub(crate) fn replace_roster(&mut self, roster: Option<Arc<Roster>>) -> Option<Arc<Roster>> {
        std::mem::replace(&mut self.roster, roster)
    }

    /// How often somebody was born, died or changed the group since agents are counted.
    pub(crate) fn changes(&self) -> u64 {
        self.census.as_ref().map_or(0, |census| census.changes())
    }

    /// Whether the agent with this handle lives, as the census says.
    pub(crate) fn is_alive(&self, agent: u64) -> bool {
        self.census
            .as_ref()
            .is_some_and(|census| census.is_alive(agent))
    }

    /// How many agents a group has, as the census says.
    pub(crate) fn members(&self, group: u32) -> u32 {
        self.census
            .as_ref()
            .map_or(0, |census| census.members(group))
    }

    /// Forgets the free indices from this one on, a multiple of 64 or the end. Their generations continue.
    pub(crate) fn cut(&mut self, from: usize) {
        self.free.cut(from);
    }

    /// Writes the generations. Which indices are free follows from who lives.
    pub(crate) fn save(&self, to: &mut Writer) {
        let Self {
            population: _,
            generations,
            free: _,
            census: _,
            roster: _,
            news: _,
            is_joined: _,
        } = self;
        to.count(generations.len());
        to.u32s(generations);
    }

    /// Reads the generations. Nobody is dead so far.
    pub(crate) fn restore(
        population: PopulationId,
        from: &mut Reader<'_>,
    ) -> Result<Self, RestoreError> {
        let mut generations = vec![0; from.count(4)?];
        from.u32s(&mut generations)?;
        let known = FIRST..=AgentId::LAST_GENERATION + 1;
        if generations.len() > AgentId::MAX_AGENTS
            || !generations.iter().all(|one| known.contains(one))
        {
            return Err(RestoreError::impossible("there is no such generation"));
        }
        Ok(Self {
            population,
            generations,
            ..Self::default()
        })
    }

    /// Records, while a population is restored, whether an agent lives at an index.
    pub(crate) fn restore_life(
        &mut self,
        index: usize,
        is_alive: bool,
    ) -> Result<(), RestoreError> {
        let generation = self.generations.get(index).copied().unwrap_or(FIRST);
        match (is_alive, generation <= AgentId::LAST_GENERATION) {
            (true, true) => {}
            (true, false) => return Err(RestoreError::impossible("an agent has no generation")),
            (false, true) => self.free.insert(index),
            (false, false) => {}
        }
        Ok(())
    }

    /// The bytes of all columns.
    pub(crate) fn bytes(&self) -> usize {
        let Free { words, blocks } = &self.free;
        // The census of a society is not that of one population.
        let census = self.census.as_ref().filter(|_| !self.is_joined);
        let roster = self.roster.as_ref().filter(|_| !self.is_joined);
        self.generations.capacity() * 4
            + (words.capacity() + blocks.capacity()) * 8
            + census.map_or(0, |census| census.bytes())
            + roster.map_or(0, |roster| roster.bytes())
    }
}

/// A set of indices of which the lowest is found quickly.
#[derive(Clone, Debug, Default)]
struct Free {
    /// A bit per index.
    words: Vec<u64>,
    /// A bit per word: whether it has a bit.
    blocks: Vec<u64>,
}

impl Free {
    fn insert(&mut self, index: usize) {
        let word = index / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
            self.blocks.resize(word / 64 + 1, 0);
        }
        self.words[word] |= 1 << (index % 64);
        self.blocks[word / 64] |= 1 << (word % 64);
    }

    fn cut(&mut self, from: usize) {
        for index in from..self.words.len() * 64 {
            self.remove(index);
        }
    }

    fn lowest(&self) -> Option<usize> {
        let block = self.blocks.iter().position(|words| *words != 0)?;
        let word = block * 64 + self.blocks[block].trailing_zeros() as usize;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }

    /// Removes an index. Returns whether it was there.
    fn remove(&mut self, index: usize) -> bool {
        let Some(word) = self.words.get_mut(index / 64) else {
            return false;
        };
        let bit = 1 << (index % 64);
        let was_there = *word & bit != 0;
        *word &= !bit;
        if *word == 0 {
            let word = index / 64;
            self.blocks[word / 64] &= !(1 << (word % 64));
        }
        was_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_whose_generations_are_used_up_is_not_used_again() {
        let mut lives = Lives::default();
        lives.end(5);
        lives.generations[5] = AgentId::LAST_GENERATION;
        assert_eq!(lives.take(9, 64), Some(5..6));
        let last = lives.id(5).expect("it has a generation left");
        assert_eq!(last.generation(), AgentId::LAST_GENERATION);
        assert_eq!((last.index(), last.population()), (5, PopulationId::FIRST));
        lives.end(5);
        assert_eq!(lives.take(9, 64), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
    fn the_lowest_free_indices_are_taken_first() {
        let mut lives = Lives::default();
        for index in [70_000, 8, 9, 63, 64, 65, 127, 128, 5_000] {
            lives.end(index);
        }
        let mut taken = Vec::new();
        while let Some(range) = lives.take(2, 128) {
            taken.push(range);
        }
        let expected = [
            8..10,
            63..65,
            65..66,
            127..128,
            128..129,
            5_000..5_001,
            70_000..70_001,
        ];
        assert_eq!(taken, expected);
    }
}
