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

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn is_wide() -> bool {
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

#[cfg(test)]
mod tests {
    use super::{Kernel, vectorized};

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
