//! The facts of the agents of a word, read key by key.

use super::Domain;
use super::layout::{Place, float_bits};
use crate::blackboard::{Board, Cells, Column};
use crate::value::Type;

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
        let me = self.layout.me as usize;
        word.each(|bit, situation| {
            situation.fill(0);
            situation[me] = if self.names_itself { handle(bit) } else { 0 };
        });
        for place in &self.layout.places {
            let column = match place.set {
                None if !place.is_list => board.own_column(place.key),
                _ => None,
            };
            let number = (first - board.first_agent()) / 64;
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

impl Place {
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
                word.add(at, |bit| {
                    let value = f64::from_bits(wide[bit]);
                    // There is one NaN.
                    let value = if value.is_nan() { f64::NAN } else { value };
                    value.to_bits()
                });
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
