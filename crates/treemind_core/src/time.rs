//! Durations: whole nanoseconds, rounded once.

/// Seconds as whole nanoseconds; `None` when negative, not finite or beyond `u64`.
pub(crate) fn nanos_of_secs(secs: f64) -> Option<u64> {
    let nanos = (secs * 1e9).round();
    // The bound is 2^64, which `f64` holds exactly; NaN fails the comparison.
    (secs >= 0.0 && nanos < 18_446_744_073_709_551_616.0).then_some(nanos as u64)
}
