//! The facts of the agents of a word, read key by key.

use super::Domain;
use super::layout::{Place, float_bits};
use crate::blackboard::{Board, Cells, Column};
use crate::value::Type;
use crate::vectors::{Kernel, vectorized};

/// From so many agents on, the facts of all 64 are read, which takes less than to look who they are.
const MANY: u32 = 24;

/// Some agents of a word, with a situation for each of its 64.
struct Word<'s> {
    situations: &'s mut [u64],
    /// How many words a situation has.
    words: usize,
    agents: u64,
}

impl Word<'_> {
    fn each(&mut self, mut each: impl FnMut(usize, &mut [u64])) {
        let mut rest = self.agents;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            each(bit, &mut self.situations[bit * self.words..][..self.words]);
            rest &= rest - 1;
        }
    }

    /// Stores the same word of each situation.
    fn store(&mut self, word: usize, values: &[u64; 64]) {
        if self.agents == u64::MAX {
            let situations = self.situations.chunks_exact_mut(self.words);
            for (situation, value) in situations.zip(values) {
                situation[word] = *value;
            }
            return;
        }
        self.each(|bit, situation| situation[word] = values[bit]);
    }

    /// Adds bits to the same word of each situation.
    #[inline(always)]
    fn add(&mut self, word: usize, bits: impl Fn(usize) -> u64) {
        let mut rest = self.agents;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            self.situations[bit * self.words + word] |= bits(bit);
            rest &= rest - 1;
        }
    }
}

/// There is one NaN.
#[inline(always)]
fn one_nan(bits: u64) -> u64 {
    let value = f64::from_bits(bits);
    let value = if value.is_nan() { f64::NAN } else { value };
    value.to_bits()
}

impl Domain {
    /// Stores what some agents of a word know, each in a place of its own: `first` is the first agent of the word,
    /// `handle` gives the handle of an agent by its bit.
    pub(crate) fn read_word(
        &self,
        situations: &mut [u64],
        agents: u64,
        handle: impl Fn(usize) -> u64,
        board: &Board<'_>,
        first: usize,
    ) {
        let mut word = Word {
            situations,
            words: self.layout.words,
            agents,
        };
        let number = (first - board.first_agent()) / 64;
        let are_many =
            agents.count_ones() >= MANY && board.own_cells().lanes() >= (number + 1) * 64;
        match are_many {
            true => self.read_columns(&mut word, board, number),
            false => word.each(|_, situation| situation.fill(0)),
        }
        let me = self.layout.me as usize;
        if self.names_itself {
            word.each(|bit, situation| situation[me] = handle(bit));
        }
        for place in &self.layout.places {
            let column = place.own_column(board);
            if are_many && column.is_some_and(is_simple) {
                continue;
            }
            let is_read = column.is_some_and(|column| {
                let cells = board.own_cells();
                place.read_column(&mut word, cells, column, number)
            });
            if !is_read {
                word.each(|bit, situation| {
                    place.read(situation, board.held(place.key, first + bit));
                });
            }
        }
    }
}

/// Whether a column has one cell for each agent.
fn is_simple(column: Column) -> bool {
    matches!(
        column,
        Column::Bits(_) | Column::Wide(_) | Column::Narrow(_)
    )
}

/// Adds bits to a word of 64 situations.
struct AddEach<'s, F> {
    to: &'s mut [u64; 64],
    bits: F,
}

impl<F: Fn(usize) -> u64> Kernel for AddEach<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (bit, to) in self.to.iter_mut().enumerate() {
            *to |= (self.bits)(bit);
        }
    }
}

impl Domain {
    /// Stores the facts that are in simple columns: word by word of the situations, for 64 agents at once. All other bits
    /// become zero.
    fn read_columns(&self, word: &mut Word<'_>, board: &Board<'_>, number: usize) {
        let layout = &self.layout;
        let mut places = layout.by_word.iter().map(|at| &layout.places[*at as usize]);
        let mut place = places.next();
        let cells = board.own_cells();
        for at in 0..layout.words {
            let mut values = [0; 64];
            while let Some(this) = place.filter(|place| place.word as usize == at) {
                if let Some(column) = this.own_column(board) {
                    this.add_column(&mut values, cells, column, number);
                }
                place = places.next();
            }
            word.store(at, &values);
        }
    }
}

impl Place {
    /// The column of the agents' own of a key that always has a value.
    fn own_column(&self, board: &Board<'_>) -> Option<Column> {
        match self.set {
            None if !self.is_list => board.own_column(self.key),
            _ => None,
        }
    }

    /// Adds a simple column to a word of 64 situations.
    fn add_column(self, to: &mut [u64; 64], cells: Cells<'_>, column: Column, number: usize) {
        fn many<T>(column: &[T], number: usize) -> &[T; 64] {
            let chunk = column[number * 64..].first_chunk();
            chunk.expect("there is room for the agents of a word")
        }
        fn add(to: &mut [u64; 64], bits: impl Fn(usize) -> u64) {
            vectorized(64, AddEach { to, bits });
        }
        let shift = self.shift;
        match (column, self.ty) {
            (Column::Bits(column), _) => {
                let bits = cells.bits(column)[number];
                add(to, |bit| (bits >> bit & 1) << shift);
            }
            (Column::Wide(column), Type::Double) => {
                let wide = many(cells.wide(column), number);
                add(to, |bit| one_nan(wide[bit]));
            }
            (Column::Wide(column), _) => {
                let wide = many(cells.wide(column), number);
                add(to, |bit| wide[bit]);
            }
            (Column::Narrow(column), Type::Float) => {
                let narrow = many(cells.narrow(column), number);
                add(to, |bit| float_bits(f32::from_bits(narrow[bit])) << shift);
            }
            (Column::Narrow(column), _) => {
                let narrow = many(cells.narrow(column), number);
                add(to, |bit| u64::from(narrow[bit]) << shift);
            }
            _ => {}
        }
    }

    /// Reads a key that always has a value; returns whether its column is a simple one.
    fn read_column(
        self,
        word: &mut Word<'_>,
        cells: Cells<'_>,
        column: Column,
        number: usize,
    ) -> bool {
        let (at, shift) = (self.word as usize, self.shift);
        match (column, self.ty) {
            (Column::Bits(column), _) => {
                let bits = cells.bits(column)[number];
                word.add(at, |bit| (bits >> bit & 1) << shift);
            }
            (Column::Wide(column), Type::Double) => {
                let wide = &cells.wide(column)[number * 64..];
                word.add(at, |bit| one_nan(wide[bit]));
            }
            (Column::Wide(column), _) => {
                let wide = &cells.wide(column)[number * 64..];
                word.add(at, |bit| wide[bit]);
            }
            (Column::Narrow(column), Type::Float) => {
                let narrow = &cells.narrow(column)[number * 64..];
                word.add(at, |bit| float_bits(f32::from_bits(narrow[bit])) << shift);
            }
            (Column::Narrow(column), _) => {
                let narrow = &cells.narrow(column)[number * 64..];
                word.add(at, |bit| u64::from(narrow[bit]) << shift);
            }
            _ => return false,
        }
        true
    }
}
