//! Signals of the system.

#[cfg(unix)]
pub(crate) use unix::{Ending, survive_limits};

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::{flag, low_level};
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// Turns a limit on the size of files into an error of the write that reaches it, instead of the end of the
    /// program.
    pub(crate) fn survive_limits() {
        let signal = rustix::process::Signal::XFSZ.as_raw();
        // If the handler cannot be set, such a write ends the program as usual.
        let _ = flag::register(signal, Arc::default());
    }

    /// Notices requests to end the program, so that there is time to clean up.
    pub(crate) struct Ending(Arc<AtomicUsize>);

    impl Ending {
        /// From now on, the first such signal is only recorded. A second one ends the program at once.
        pub(crate) fn watch() -> io::Result<Self> {
            let noticed = Arc::new(AtomicUsize::new(0));
            let is_second = Arc::new(AtomicBool::new(false));
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
                flag::register_conditional_default(signal, Arc::clone(&is_second))?;
                flag::register(signal, Arc::clone(&is_second))?;
                flag::register_usize(signal, Arc::clone(&noticed), signal as usize)?;
            }
            Ok(Self(noticed))
        }

        /// Whether there was a signal.
        pub(crate) fn is_near(&self) -> bool {
            self.0.load(Ordering::Relaxed) != 0
        }

        /// If there was a signal, ends the program as the signal would have done.
        pub(crate) fn come(&self) -> io::Result<()> {
            match self.0.load(Ordering::Relaxed) {
                0 => Ok(()),
                signal => low_level::emulate_default_handler(signal as i32),
            }
        }
    }
}

/// Other systems end programs without a signal.
#[cfg(not(unix))]
pub(crate) struct Ending;

#[cfg(not(unix))]
impl Ending {
    pub(crate) fn watch() -> std::io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn is_near(&self) -> bool {
        false
    }

    pub(crate) fn come(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) fn survive_limits() {}
