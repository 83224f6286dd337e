//! Random numbers without state: a counter-based generator, so that numbers do not depend on the order in which
//! they are drawn.
//!
//! Philox4x64 with ten rounds, from Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3"
//! (SC 2011); tested against the known answers of its authors.

const MULTIPLIERS: [u64; 2] = [0xD2E7_470E_E14C_6C93, 0xCA5A_8263_9512_1157];
const WEYL: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B];

/// The four random words for a counter and a key.
pub fn philox4x64(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let ([mut a, mut b, mut c, mut d], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let left = u128::from(MULTIPLIERS[0]) * u128::from(a);
        let right = u128::from(MULTIPLIERS[1]) * u128::from(c);
        (a, b, c, d) = (
            (right >> 64) as u64 ^ b ^ k0,
            right as u64,
            (left >> 64) as u64 ^ d ^ k1,
            left as u64,
        );
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [a, b, c, d]
}

/// A seed for something with a name, such as a population, from the seed of the whole: other names get other numbers.
pub fn seed_of(seed: u64, name: &str) -> u64 {
    name.bytes().fold(seed, |seed, byte| {
        philox4x64([u64::from(byte), 0, 0, 0], [seed, 0])[0]
    })
}

/// One draw: everything that its random number depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The population's seed.
    pub seed: u64,
    /// The stable id of the agent.
    pub agent: u64,
    /// The node that draws.
    pub node: u32,
    /// The tick, from 1.
    pub tick: u64,
    /// How often this node has already drawn for this agent in this tick: 0 for the first draw.
    pub nth: u32,
}

impl Draw {
    /// 64 uniform bits.
    pub fn bits(self) -> u64 {
        let counter = [
            self.agent,
            self.tick,
            u64::from(self.node) << 32 | u64::from(self.nth),
            0,
        ];
        philox4x64(counter, [self.seed, 0])[0]
    }

    /// A uniform number from 0 (included) to 1 (excluded): a multiple of 2⁻⁵³.
    pub fn unit(self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A uniform number from `low` to `high`, both included; `low` when `high` is not above it.
    pub fn int_between(self, low: i64, high: i64) -> i64 {
        let Ok(span) = u128::try_from(i128::from(high) - i128::from(low)) else {
            return low;
        };
        // The product is less than 2¹²⁸, because there are at most 2⁶⁴ numbers.
        let step = (u128::from(self.bits()) * (span + 1)) >> 64;
        low.wrapping_add(step as i64)
    }

    /// A uniform number from `low` (included) to `high` (excluded): `low + (high - low) * unit`, or `low` if that
    /// is not below `high`, because of rounding or because `high` is not above `low`.
    pub fn double_between(self, low: f64, high: f64) -> f64 {
        let number = low + (high - low) * self.unit();
        if number < high { number } else { low }
    }

    /// [`double_between`](Self::double_between) rounded to 32 bits, or `low` if that is not below `high`.
    pub fn float_between(self, low: f32, high: f32) -> f32 {
        let number = self.double_between(f64::from(low), f64::from(high)) as f32;
        if number < high { number } else { low }
    }

    /// A uniform number below `bound`, which must be at least 1. The bias is below `bound` / 2⁶⁴.
    pub fn below(self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{Draw, philox4x64};

    fn draws() -> impl Iterator<Item = Draw> {
        (0..2_000).map(|tick| Draw {
            seed: 7,
            agent: 3,
            node: 1,
            tick,
            nth: 0,
        })
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
    fn numbers_lie_between_their_ends() {
        let mut seen = [0; 3];
        for draw in draws() {
            seen[usize::try_from(draw.int_between(-1, 1) + 1).expect("-1 to 1")] += 1;
            assert!((-2.0..5.0).contains(&draw.double_between(-2.0, 5.0)));
            assert!((0.25..0.5).contains(&draw.float_between(0.25, 0.5)));
            assert!(draw.int_between(i64::MIN, i64::MAX) == draw.int_between(i64::MIN, i64::MAX));
        }
        assert!(
            seen.iter().all(|count| (550..800).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow there, and nothing in it is unsafe")]
    fn the_low_end_is_what_is_left_where_there_is_nothing_between() {
        let draw = draws().next().expect("a draw");
        assert_eq!(draw.int_between(4, 4), 4);
        assert_eq!(draw.int_between(4, 3), 4);
        assert_eq!(draw.int_between(i64::MAX, i64::MIN), i64::MAX);
        assert_eq!(draw.double_between(2.0, 2.0), 2.0);
        assert_eq!(draw.double_between(2.0, -2.0), 2.0);
        assert_eq!(draw.double_between(2.0, f64::NAN), 2.0);
        assert_eq!(draw.double_between(f64::MIN, f64::MAX), f64::MIN);
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        assert!(draws().all(|draw| draw.float_between(1.0, next) == 1.0));
    }

    #[test]
    fn gives_the_known_answers_of_random123() {
        let ones = u64::MAX;
        assert_eq!(
            philox4x64([0; 4], [0; 2]),
            [
                0x16554d9eca36314c,
                0xdb20fe9d672d0fdc,
                0xd7e772cee186176b,
                0x7e68b68aec7ba23b
            ]
        );
        assert_eq!(
            philox4x64([ones; 4], [ones; 2]),
            [
                0x87b092c3013fe90b,
                0x438c3c67be8d0224,
                0x9cc7d7c69cd777b6,
                0xa09caebf594f0ba0
            ]
        );
        assert_eq!(
            philox4x64(
                [
                    0x243f6a8885a308d3,
                    0x13198a2e03707344,
                    0xa4093822299f31d0,
                    0x082efa98ec4e6c89
                ],
                [0x452821e638d01377, 0xbe5466cf34e90c6c]
            ),
            [
                0xa528f45403e61d95,
                0x38c72dbd566e9788,
                0xa5a1610e72fd18b5,
                0x57bd43b5e52b7fe6
            ]
        );
    }
}
