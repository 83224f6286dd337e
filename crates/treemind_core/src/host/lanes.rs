//! Sets of agents as the executor passes them on: a bit per agent.

/// The agents of one call: bit `b` of word `w` is agent `first_agent() + 64 * w + b`.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a> {
    first: usize,
    words: &'a [u64],
}

impl<'a> Lanes<'a> {
    /// A set. `first` is a multiple of 64.
    pub fn new(first: usize, words: &'a [u64]) -> Self {
        Self { first, words }
    }

    /// The agent of bit 0 of word 0; a multiple of 64.
    pub fn first_agent(&self) -> usize {
        self.first
    }

    /// The position of word 0 in a bit column over all agents.
    pub fn first_word(&self) -> usize {
        self.first / 64
    }

    /// The bits.
    pub fn words(&self) -> &'a [u64] {
        self.words
    }

    /// How many agents there are.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The agents in ascending order.
    pub fn iter(&self) -> LanesIter<'a> {
        LanesIter {
            first: self.first,
            rest: self.words,
            word: 0,
            started: false,
        }
    }
}

impl<'a> IntoIterator for Lanes<'a> {
    type Item = usize;
    type IntoIter = LanesIter<'a>;

    fn into_iter(self) -> LanesIter<'a> {
        self.iter()
    }
}

/// Agents in ascending order; from [`Lanes::iter`].
#[derive(Clone, Debug)]
pub struct LanesIter<'a> {
    first: usize,
    rest: &'a [u64],
    word: u64,
    started: bool,
}

impl Iterator for LanesIter<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            let (&word, rest) = self.rest.split_first()?;
            if self.started {
                self.first += 64;
            }
            self.started = true;
            self.word = word;
            self.rest = rest;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(self.first + bit)
    }
}
