//! A small seeded random generator, so that a seed gives the same case on every machine.

/// SplitMix64, from Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// The upper halves of what is drawn first, in reverse.
    tape: Vec<u16>,
}

impl Random {
    /// The generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            tape: Vec::new(),
        }
    }

    /// A generator that is led by bytes: two of them decide each number, as long as there are any. So a fuzzer that
    /// changes bytes changes what is made of the numbers, bit by bit.
    pub fn led_by(bytes: &[u8]) -> Self {
        let pairs = bytes.chunks_exact(2).rev();
        Self {
            state: bytes.len() as u64,
            tape: pairs
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                .collect(),
        }
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        match self.tape.pop() {
            Some(upper) => u64::from(upper) << 48 | mixed >> 16,
            None => mixed,
        }
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// `true` in `percent` of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there must be at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A position, chosen in proportion to the weights; at least one weight must be above zero.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return index;
            }
            rest -= weight;
        }
        unreachable!("the rest is below the sum of the weights")
    }
}
