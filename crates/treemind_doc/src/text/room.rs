//! Stack space for deep nesting.

/// Checking recurses once per level. Documents written by people fit on any stack. Far deeper nesting is checked on
/// a thread with a large stack, so that small stacks (those of threads, of Windows, of unoptimised builds) do not
/// overflow.
pub(crate) fn with_room<T: Send>(depth: usize, mut work: impl FnMut() -> T + Send) -> T {
    const SHALLOW: usize = 32;
    const STACK_BYTES: usize = 16 << 20;
    if depth > SHALLOW {
        let done = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            let thread = builder.spawn_scoped(scope, &mut work).ok()?;
            Some(
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            )
        });
        if let Some(done) = done {
            return done;
        }
        // Without threads, the current stack must do.
    }
    work()
}
