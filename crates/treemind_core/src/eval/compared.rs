//! Comparisons of a column of numbers with a literal, with AVX2 written out: its way is shorter than the one that the
//! compiler finds.

use crate::expr::Compare;

/// Keeps only those lanes in a set whose numbers in a column compare so with a value. Returns whether it did, which is
/// so where the processor has AVX2.
#[inline(always)]
pub(crate) fn keep_where(op: Compare, column: &[f32], value: f32, set: &mut [u64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if crate::vectors::is_wide() {
        use std::arch::x86_64::{
            _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ,
        };
        let keep = match op {
            Compare::Eq => keep_with_avx2::<_CMP_EQ_OQ>,
            Compare::Ne => keep_with_avx2::<_CMP_NEQ_UQ>,
            Compare::Lt => keep_with_avx2::<_CMP_LT_OQ>,
            Compare::Le => keep_with_avx2::<_CMP_LE_OQ>,
            Compare::Gt => keep_with_avx2::<_CMP_GT_OQ>,
            Compare::Ge => keep_with_avx2::<_CMP_GE_OQ>,
        };
        // SAFETY: The function needs nothing but AVX2, and the processor has said that it has it.
        #[allow(unsafe_code)]
        unsafe {
            keep(column, value, set);
        }
        return true;
    }
    let _ = (op, column, value, set);
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn keep_with_avx2<const OP: i32>(column: &[f32], value: f32, set: &mut [u64]) {
    for (lanes, word) in column.as_chunks::<64>().0.iter().zip(set) {
        if *word != 0 {
            let (low, high) = lanes.split_at(32);
            let (low, high) = (
                half_with_avx2::<OP>(low, value),
                half_with_avx2::<OP>(high, value),
            );
            *word &= u64::from(high) << 32 | u64::from(low);
        }
    }
}

/// Which of 32 numbers compare so with a value. No closure: closures are not always inlined.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn half_with_avx2<const OP: i32>(lanes: &[f32], value: f32) -> u32 {
    use std::arch::x86_64::{
        __m256, _mm256_castps_si256, _mm256_cmp_ps, _mm256_movemask_epi8, _mm256_packs_epi16,
        _mm256_packs_epi32, _mm256_permutevar8x32_epi32, _mm256_set1_ps, _mm256_setr_epi32,
        _mm256_setzero_si256,
    };
    let value = _mm256_set1_ps(value);
    let mut compared = [_mm256_setzero_si256(); 4];
    for (lanes, compared) in lanes.as_chunks::<8>().0.iter().zip(&mut compared) {
        let lanes: __m256 = bytemuck::cast(*lanes);
        *compared = _mm256_castps_si256(_mm256_cmp_ps::<OP>(lanes, value));
    }
    let [a, b, c, d] = compared;
    let bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    // Packing mixes the halves of its operands; this puts them in their order.
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, order)) as u32
}

#[cfg(test)]
mod tests {
    use super::keep_where;
    use crate::expr::Compare;

    #[test]
    fn numbers_are_compared_as_one_by_one() {
        let odd = [f32::NAN, -0.0, 0.0, 1.0, -1.0, f32::INFINITY, f32::MIN];
        let column: Vec<f32> = (0..192)
            .map(|lane| odd[(lane * 5 + lane / 11) % 7])
            .collect();
        let before = [u64::MAX, 0, 0x0f0f_1234_ffff_0001];
        for op in [
            Compare::Eq,
            Compare::Ne,
            Compare::Lt,
            Compare::Le,
            Compare::Gt,
            Compare::Ge,
        ] {
            for value in odd {
                let mut set = before;
                if !keep_where(op, &column, value, &mut set) {
                    continue;
                }
                for (lane, number) in column.iter().enumerate() {
                    let is = |set: &[u64; 3]| set[lane / 64] >> (lane % 64) & 1 == 1;
                    let wanted = is(&before) && op.holds(*number, value);
                    assert_eq!(is(&set), wanted, "{op:?} {number} {value} {lane}");
                }
            }
        }
    }
}
