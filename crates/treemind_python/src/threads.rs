//! Threads of this process, and flags as bits.

/// Threads of this process. A fork takes no threads along, so a child has to make its own.
pub(crate) struct Pool {
    process: u32,
    threads: rayon::ThreadPool,
}

impl Pool {
    pub(crate) fn of_this_process(
        kept: &mut Option<Self>,
        count: usize,
    ) -> Result<&rayon::ThreadPool, String> {
        let process = std::process::id();
        if let Some(stale) = kept.take_if(|pool| pool.process != process) {
            // To end it would wait for threads that are not there.
            std::mem::forget(stale);
        }
        if kept.is_none() {
            let threads = rayon::ThreadPoolBuilder::new().num_threads(count).build();
            let threads = threads.map_err(|error| format!("no threads: {error}"))?;
            *kept = Some(Self { process, threads });
        }
        kept.as_ref()
            .map(|pool| &pool.threads)
            .ok_or_else(|| "no threads".to_owned())
    }
}

/// A bit for each byte: its lowest bit.
pub(crate) fn pack(bytes: &[u8], words: &mut [u64]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(64)) {
        let (eights, rest) = bytes.as_chunks::<8>();
        let mut packed = 0;
        for (place, eight) in eights.iter().enumerate() {
            let bits = u64::from_le_bytes(*eight) & 0x0101_0101_0101_0101;
            packed |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * place);
        }
        for (place, byte) in rest.iter().enumerate() {
            packed |= u64::from(byte & 1) << (8 * eights.len() + place);
        }
        *word = packed;
    }
}
