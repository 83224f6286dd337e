//! Signals of the system.

/// Turns a limit on the size of files into an error of the write that reaches it, instead of the end of the program.
#[cfg(unix)]
pub(crate) fn survive_limits() {
    let signal = rustix::process::Signal::XFSZ.as_raw();
    // If the handler cannot be set, such a write ends the program as usual.
    let _ = signal_hook::flag::register(signal, std::sync::Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn survive_limits() {}
