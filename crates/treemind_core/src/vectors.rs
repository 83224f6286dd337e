//! Loops over numbers, compiled for the widest vectors that the processor has.
//!
//! A program is compiled for the oldest processors of its kind. On x86-64 these have vectors of 16 bytes; nearly all that
//! are in use have vectors of 32 bytes (AVX2). On AArch64 the compiler always uses NEON. The results are the same to the
//! last bit, because nothing here fuses a multiplication with an addition.

/// A loop over numbers. Everything that `run` calls must be inlined into it: what is not is compiled for the oldest
/// processors.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// Mark it `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Whether wide vectors are used, found out when it is first asked.
#[cfg(target_arch = "x86_64")]
static IS_WIDE: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(UNKNOWN);
#[cfg(target_arch = "x86_64")]
const UNKNOWN: u8 = 0;
#[cfg(target_arch = "x86_64")]
const NO: u8 = 1;
#[cfg(target_arch = "x86_64")]
const YES: u8 = 2;

/// Whether the vectors of a new processor are used where there are any: always, except where benchmarks measure what
/// they gain.
#[doc(hidden)]
pub fn use_wide_vectors(are_used: bool) {
    #[cfg(target_arch = "x86_64")]
    IS_WIDE.store(
        if are_used { UNKNOWN } else { NO },
        std::sync::atomic::Ordering::Relaxed,
    );
    #[cfg(not(target_arch = "x86_64"))]
    let _ = are_used;
}

/// Whether the processor has wide vectors, and they are to be used.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn is_wide() -> bool {
    match IS_WIDE.load(std::sync::atomic::Ordering::Relaxed) {
        UNKNOWN => ask_processor(),
        known => known == YES,
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn ask_processor() -> bool {
    let has_avx2 = std::arch::is_x86_feature_detected!("avx2");
    let known = if has_avx2 { YES } else { NO };
    IS_WIDE.store(known, std::sync::atomic::Ordering::Relaxed);
    has_avx2
}

/// Runs a loop over that many lanes, with AVX2 if the processor has it. For one lane that would only cost time.
#[inline(always)]
pub(crate) fn vectorized<K: Kernel>(lanes: usize, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if lanes > 1 && is_wide() {
        // SAFETY: The function needs nothing but AVX2, and the processor has said that it has it.
        #[allow(unsafe_code)]
        return unsafe { with_avx2(kernel) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = lanes;
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// The highest bit of each byte.
#[inline(always)]
pub(crate) fn highest_bits(bytes: &[u8; 64]) -> u64 {
    let mut bits = 0;
    for (nth, half) in bytes
        .as_chunks::<8>()
        .0
        .as_chunks::<2>()
        .0
        .iter()
        .enumerate()
    {
        let [low, high] = half.map(u64::from_le_bytes);
        bits |= u64::from(highest_of_sixteen(low, high)) << (nth * 16);
    }
    bits
}

/// One instruction on x86-64, for which the compiler has no other name.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn highest_of_sixteen(low: u64, high: u64) -> u16 {
    use std::arch::x86_64::{_mm_movemask_epi8, _mm_set_epi64x};
    // SAFETY: Both need nothing but SSE2, which every processor of this kind has.
    #[allow(unsafe_code)]
    let bits = unsafe { _mm_movemask_epi8(_mm_set_epi64x(high as i64, low as i64)) };
    bits as u16
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn highest_of_sixteen(low: u64, high: u64) -> u16 {
    portably(low, high)
}

/// The same for any processor: a multiplication gathers the bits of eight bytes in the highest one.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn portably(low: u64, high: u64) -> u16 {
    let [low, high] = [low, high].map(|bytes| {
        let lowest = bytes >> 7 & 0x0101_0101_0101_0101;
        (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16
    });
    low | high << 8
}

#[cfg(test)]
mod tests {
    use super::{Kernel, highest_bits, highest_of_sixteen, portably, vectorized};

    #[test]
    fn the_highest_bits_of_bytes_are_gathered_in_their_order() {
        for set in [0, 1, 0x8000_0001, 0xfeed_beef_1234_5678_u64, u64::MAX] {
            let bytes = std::array::from_fn(|nth| if set >> nth & 1 == 1 { 0xff } else { 0x7f });
            assert_eq!(highest_bits(&bytes), set);
        }
        let mut words = (0x0123_4567_89ab_cdef_u64, 0xfedc_ba98_7654_3210);
        for _ in 0..1_000 {
            assert_eq!(
                highest_of_sixteen(words.0, words.1),
                portably(words.0, words.1)
            );
            words = (
                words.1,
                words.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ words.1 >> 7,
            );
        }
    }

    struct Scale<'a>(&'a mut [f64]);

    impl Kernel for Scale<'_> {
        type Output = f64;

        #[inline(always)]
        fn run(self) -> f64 {
            self.0
                .iter_mut()
                .for_each(|value| *value = *value * 1.1 + 0.3);
            self.0.iter().sum()
        }
    }

    #[test]
    fn both_forms_give_the_same_bits() {
        let values: Vec<f64> = (0..67).map(|step| f64::from(step) * 0.7).collect();
        let (mut plain, mut wide) = (values.clone(), values);
        let sums = [
            Scale(&mut plain).run(),
            vectorized(wide.len(), Scale(&mut wide)),
        ];
        assert_eq!(sums[0].to_bits(), sums[1].to_bits());
        assert_eq!(plain, wide);
    }
}
