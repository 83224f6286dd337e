//! A counter for each agent, 64 agents at a time.

/// Counters, one per agent. Most never count beyond one, so they are stored bit by bit: a column of the lowest bits,
/// then one of the next, as many as are needed.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    columns: Vec<Vec<u64>>,
    words: usize,
}

impl Counts {
    /// Makes room for that many words of agents.
    pub(crate) fn grow(&mut self, words: usize) {
        self.words = self.words.max(words);
        for column in &mut self.columns {
            column.resize(self.words, 0);
        }
    }

    /// The agents of a word whose counter is not 0.
    #[inline]
    pub(crate) fn any(&self, word: usize) -> u64 {
        let bits = self.columns.iter().map(|column| column[word]);
        bits.fold(0, |all, bits| all | bits)
    }

    /// Counts one up for some agents of a word.
    #[inline]
    pub(crate) fn add(&mut self, word: usize, agents: u64) {
        let mut carry = agents;
        for column in &mut self.columns {
            let before = column[word];
            column[word] ^= carry;
            carry &= before;
        }
        if carry != 0 {
            let mut column = vec![0; self.words];
            column[word] = carry;
            self.columns.push(column);
        }
    }

    /// Counts one down for some agents of a word, but not below 0. Returns those that are at 0 now and were not before.
    #[inline]
    pub(crate) fn take(&mut self, word: usize, agents: u64) -> u64 {
        let counted = agents & self.any(word);
        let mut borrow = counted;
        for column in &mut self.columns {
            let before = column[word];
            column[word] ^= borrow;
            borrow &= !before;
        }
        counted & !self.any(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_go_up_and_down() {
        let mut counts = Counts::default();
        counts.grow(2);
        let mut expected = [0_u32; 64];
        for step in 0..1_000_u64 {
            let agents = step.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
            let down = step % 7 >= 4 || step > 900;
            let mut fallen = 0;
            for (agent, count) in expected.iter_mut().enumerate() {
                if agents >> agent & 1 == 1 {
                    let before = *count;
                    *count = match down {
                        true => before.saturating_sub(1),
                        false => before + 1,
                    };
                    fallen |= u64::from(before > 0 && *count == 0) << agent;
                }
            }
            match down {
                true => assert_eq!(counts.take(1, agents), fallen),
                false => counts.add(1, agents),
            }
            let any = (0..64).filter(|agent| expected[*agent] > 0);
            let any = any.fold(0, |all, agent| all | 1 << agent);
            assert_eq!((counts.any(1), counts.any(0)), (any, 0), "step {step}");
        }
        assert!(expected.contains(&0) && expected.iter().any(|count| *count > 2));
    }
}
