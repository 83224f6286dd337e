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

/// Runs a loop over that many lanes, with AVX2 if the processor has it. For one lane that would only cost time.
#[inline(always)]
pub(crate) fn vectorized<K: Kernel>(lanes: usize, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if lanes > 1 && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: The function needs nothing but AVX2, and the processor has it.
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
