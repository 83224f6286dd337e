//! The facts of the agents of a word, read key by key.

use super::Domain;
use super::layout::{Place, float_bits};
use crate::blackboard::{Board, Cells, Column};
use crate::value::Type;
use crate::vectors::{Kernel, vectorized};

/// From so many agents on, the facts of all 64 are read: that is quicker than picking these agents out.
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
}

/// What takes the bits of a column.
trait AddBits {
    /// Whether it takes those of all 64 agents of a word.
    const IS_ALL: bool;

    /// Adds bits, which are given for an agent by its place in the word.
    fn add(&mut self, bits: impl Fn(usize) -> u64);
}

/// The same word of the situations of some agents.
impl AddBits for (&mut Word<'_>, u32) {
    const IS_ALL: bool = false;

    #[inline(always)]
    fn add(&mut self, bits: impl Fn(usize) -> u64) {
        let (of, word) = self;
        let mut rest = of.agents;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            of.situations[bit * of.words + *word as usize] |= bits(bit);
            rest &= rest - 1;
        }
    }
}

/// A word of all 64 situations.
impl AddBits for [u64; 64] {
    const IS_ALL: bool = true;

    #[inline(always)]
    fn add(&mut self, bits: impl Fn(usize) -> u64) {
        vectorized(64, AddEach { to: self, bits });
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
            match place.own_column(board) {
                Some(_) if are_many => {}
                Some(column) => {
                    place.add_column(
                        &mut (&mut word, place.word),
                        board.own_cells(),
                        column,
                        number,
                    );
                }
                None => word.each(|bit, situation| {
                    place.read(situation, board.held(place.key, first + bit));
                }),
            }
        }
    }
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
    /// The column of the agents' own of a key that always has a value, if it has one cell for each agent.
    fn own_column(&self, board: &Board<'_>) -> Option<Column> {
        let column = match self.set {
            None if !self.is_list => board.own_column(self.key),
            _ => None,
        };
        column.filter(|column| {
            matches!(
                column,
                Column::Bits(_) | Column::Wide(_) | Column::Narrow(_)
            )
        })
    }

    /// Adds what agents have in such a column.
    fn add_column<A: AddBits>(self, to: &mut A, cells: Cells<'_>, column: Column, number: usize) {
        #[inline(always)]
        fn of_word<A: AddBits, T>(column: &[T], number: usize) -> &[T] {
            let column = &column[number * 64..];
            // So that nothing is checked in a loop over all of them.
            if A::IS_ALL { &column[..64] } else { column }
        }
        let shift = self.shift;
        match (column, self.ty) {
            (Column::Bits(column), _) => {
                let bits = cells.bits(column)[number];
                to.add(|bit| (bits >> bit & 1) << shift);
            }
            (Column::Wide(column), Type::Double) => {
                let wide = of_word::<A, _>(cells.wide(column), number);
                to.add(|bit| one_nan(wide[bit]));
            }
            (Column::Wide(column), _) => {
                let wide = of_word::<A, _>(cells.wide(column), number);
                to.add(|bit| wide[bit]);
            }
            (Column::Narrow(column), Type::Float) => {
                let narrow = of_word::<A, _>(cells.narrow(column), number);
                to.add(|bit| float_bits(f32::from_bits(narrow[bit])) << shift);
            }
            (Column::Narrow(column), _) => {
                let narrow = of_word::<A, _>(cells.narrow(column), number);
                to.add(|bit| u64::from(narrow[bit]) << shift);
            }
            _ => {}
        }
    }
}
